"""The site of the documents: it is built without a warning, and can be read and searched without a network."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from fcntl import LOCK_EX, flock
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from browser import Visitor
from playwright.sync_api import Browser, expect

import maxconnect4

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
DOCUMENTS = {str(path.relative_to(DOCS).with_suffix("")) for path in DOCS.rglob("*.md")} | {
    "changes",
    "contributing",
    "security",
    "tutorials/notebook",
}
SITE_URL = "https://docs.example/max/"
BUILDING = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir"]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it: a dead link, or a page without a place in the contents, is an error.

    It is built once per run: the folder of the run is above those of the workers.
    """
    of_run = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        of_run = of_run.parent
    folder, unfinished = of_run / "built-site", of_run / "unfinished-site"
    with (of_run / "site.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not folder.exists():
            environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "SITE_URL": SITE_URL}
            command = [*BUILDING, str(unfinished)]
            done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
            assert (done.returncode, done.stderr) == (0, "")
            unfinished.rename(folder)
    return folder


@pytest.mark.long
def test_pages_have_the_address_at_which_they_are_published(site: Path) -> None:
    assert f'<link rel="canonical" href="{SITE_URL}changes.html">' in (site / "changes.html").read_text()
    assert f"<loc>{SITE_URL}changes.html</loc>" in (site / "sitemap.xml").read_text()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_every_document_has_a_place_in_the_contents() -> None:
    """The links of the documents are those of test_links.py."""
    contents = (ROOT / "mkdocs.yml").read_text().partition("\nnav:\n")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"^ +- (?:.*: )?([\w/-]+)\.md$", contents, re.MULTILINE)) == sorted(DOCUMENTS)


def test_the_reference_names_all_that_the_package_offers() -> None:
    named = re.findall(r"^::: ([\w.]+)$", (ROOT / "docs" / "reference" / "library.md").read_text(), re.MULTILINE)
    for name in maxconnect4.__all__:
        thing = getattr(maxconnect4, name)
        if callable(thing):
            assert {f"maxconnect4.{name}", thing.__module__} & set(named), name


@pytest.mark.long
def test_every_document_is_a_page(site: Path) -> None:
    assert {str(path.relative_to(site).with_suffix("")) for path in site.rglob("*.html")} - {"404"} == DOCUMENTS


@pytest.mark.long
def test_the_reference_has_all_that_the_package_offers(site: Path) -> None:
    page = (site / "reference" / "library.html").read_text()
    for name in maxconnect4.__all__:
        if callable(getattr(maxconnect4, name)):
            assert re.search(rf'id="maxconnect4\.(?:\w+\.)*{name}"', page), name
    assert "The columns that keep the value, nearest the centre first." in page  # a comment on an attribute
    assert "&gt;&gt;&gt; " in page  # a doctest, which is no quotation
    assert "<blockquote>" not in page


@pytest.mark.long
def test_the_reference_has_what_the_notebook_imports(site: Path) -> None:
    page = (site / "reference" / "library.html").read_text()
    cells = json.loads((ROOT / "docs" / "tutorials" / "notebook.ipynb").read_text())["cells"]
    code = ast.parse("\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"))
    for node in ast.walk(code):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("maxconnect4"):
            for name in node.names:
                assert re.search(rf"\b{name.name}\b", page), name.name


@pytest.mark.long
def test_links_to_files_of_the_repository_lead_to_pages(site: Path) -> None:
    page = (site / "index.html").read_text()
    for name in ("tutorials/notebook", "contributing", "security"):
        assert f'href="{name}.html"' in page
    assert (site / "tutorials" / "pictures" / "notebook-1.png").read_bytes().startswith(b"\x89PNG")


class Page(HTMLParser):
    """What a page links to or loads, and the names of its places."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.targets: set[str] = set()
        self.places: set[str] = set()
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value is not None:
                self.targets.add(value)
            elif name == "id" and value:
                self.places.add(value)


@pytest.mark.long
def test_every_link_of_every_page_leads_to_a_page_and_a_place_on_it(site: Path) -> None:
    """Of those that the theme and the docstrings make, too, which MkDocs does not look at."""
    pages = {path: Page(path) for path in site.rglob("*.html") if path.stem != "404"}
    assert len(pages) > 25
    dead = set()
    for path, page in pages.items():
        for target in page.targets:
            address = urlsplit(target)
            if address.scheme or address.netloc:
                continue  # test_links.py has those
            place = (path.parent / address.path).resolve() if address.path else path
            if not place.is_file() or (address.fragment and address.fragment not in pages[place].places):
                dead.add((str(path.relative_to(site)), target))
    assert sorted(dead) == []


@pytest.mark.long
def test_it_is_read_and_searched_without_a_network(address: str, chromium: Browser) -> None:
    """A visitor complains of whatever a page asks for elsewhere."""
    visitor = Visitor(chromium, viewport={"width": 390, "height": 800}, color_scheme="dark")
    page = visitor.page()
    for name in ("index", "tutorials/notebook", "reference/library"):
        page.goto(f"{address}/{name}.html")
        assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"
    page.locator("label.md-header__button[for=__search]").click()
    page.locator("input.md-search__input").press_sequentially("superiority")
    result = page.locator(".md-search-result__link").first
    expect(result).to_contain_text("statistics", ignore_case=True)
    result.click()
    expect(page.locator("h1")).to_have_text(re.compile("Tournament statistics"))
    visitor.leave()


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "heading"),
    [
        ("one-move", "one-move"),  # a name with a hyphen
        ("read_board", "read_board"),
        ("PackageMissing", "PackageMissing"),  # after a dot
        ("bubblewrap", "Isolation of external programs"),
    ],
)
def test_the_search_finds_names_and_terms(words: str, heading: str, address: str, chromium: Browser) -> None:
    visitor = Visitor(chromium, viewport={"width": 1400, "height": 900})
    page = visitor.page()
    page.goto(f"{address}/index.html")
    page.locator("input.md-search__input").click()
    page.locator("input.md-search__input").press_sequentially(words)
    results = page.locator(".md-search-result__article").get_by_role("heading", name=heading)
    expect(results.first).to_be_attached()
    visitor.leave()
