"""What axe-core says about a page: whether everybody can use it."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from browser import lacks
from playwright.sync_api import Page

PROGRAM = Path(sys.prefix) / "node_modules" / "axe-core" / "axe.min.js"  # where make puts it
FIND = """async () => {
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) =>
        `${id}: ${help}: ${target.join(' ')}: ${failureSummary}`));
}"""


@cache
def _program() -> str:
    if not PROGRAM.exists():
        lacks("there is no axe-core: make lint installs it")
    return PROGRAM.read_text()


def violations(page: Page) -> list[str]:
    """What stands in somebody's way on the page as it is now."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_program())
    found: list[str] = page.evaluate(FIND)
    return found
