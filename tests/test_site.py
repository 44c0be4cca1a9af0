"""The site of the documents: it is built without a warning, and can be read and searched without a network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from browser import Visitor, started_browser
from playwright.sync_api import expect

import maxconnect4

ROOT = Path(__file__).parent.parent
BUILDING = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it: a dead link, or a page without a place in the contents, is an error."""
    folder = tmp_path_factory.mktemp("site")
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run([*BUILDING, folder], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_every_document_is_a_page(site: Path) -> None:
    documents = {path.stem for path in (ROOT / "docs").glob("*.md")} | {
        "changes",
        "contributing",
        "notebook",
        "security",
    }
    assert {path.stem for path in site.glob("*.html")} - {"404"} == documents


def test_the_reference_has_all_that_the_package_offers(site: Path) -> None:
    page = (site / "reference.html").read_text()
    for name in maxconnect4.__all__:
        if callable(getattr(maxconnect4, name)):
            assert re.search(rf'id="maxconnect4\.(?:\w+\.)*{name}"', page), name
    assert "The columns that keep the value, nearest the centre first." in page  # a comment on an attribute
    assert "&gt;&gt;&gt; " in page  # a doctest, which is no quotation
    assert "<blockquote>" not in page


def test_links_to_files_of_the_repository_lead_to_pages(site: Path) -> None:
    page = (site / "index.html").read_text()
    for name in ("notebook", "contributing", "security"):
        assert f'href="{name}.html"' in page
    assert (site / "pictures" / "notebook-1.png").read_bytes().startswith(b"\x89PNG")


def test_it_is_read_and_searched_without_a_network(address: str) -> None:
    """A visitor complains of whatever a page asks for elsewhere."""
    with started_browser() as browser:
        visitor = Visitor(browser, viewport={"width": 390, "height": 800}, color_scheme="dark")
        page = visitor.page()
        for name in ("index", "notebook", "reference"):
            page.goto(f"{address}/{name}.html")
            assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"
        page.locator("label.md-header__button[for=__search]").click()
        page.locator("input.md-search__input").press_sequentially("superiority")
        result = page.locator(".md-search-result__link").first
        expect(result).to_contain_text("numbers", ignore_case=True)
        result.click()
        expect(page.locator("h1")).to_have_text(re.compile("What the numbers of a tournament mean"))
        visitor.leave()
