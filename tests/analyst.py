"""What somebody sees in the Analyse panel."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

# The margins under the columns, from the left.
MARGINS = "() => [...document.querySelectorAll('.strip span')].map((each) => each.textContent)"


def verdict(page: Page) -> Locator:
    return page.locator(".verdict .words")


def note(page: Page) -> Locator:
    return page.locator("#panel-analyse form [role=status]")


def addressed(page: Page, words: str) -> None:
    """Wait until the address holds this."""
    page.wait_for_url(lambda address: address.endswith(words))


def step(page: Page, length: int) -> Locator:
    """The move of the best line that is the so manyth."""
    return page.locator(f".line:not([inert]) [data-length='{length}']")
