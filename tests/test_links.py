"""Links: those of the documents lead somewhere, and so does every mention of a document in the code."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).parent.parent
NOTEBOOK = ROOT / "docs" / "tutorials" / "notebook.ipynb"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), NOTEBOOK]
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(
    r"""\]\(\s*<?([^)\s>]+)>?[^)]*\)"""  # [text](target), ![text](target), with a title or without
    r"""|^\s*\[[^\]]+\]:\s*(\S+)"""  # [name]: target
    r"""|\b(?:href|src)=["']([^"']+)["']"""  # HTML
    r"""|<(https?:[^>]+)>""",
    re.MULTILINE,
)
MENTION = re.compile(
    r"\b(?:docs|benchmarks|tests|core|examples|book)/[\w/.-]*\w\.(?:md|json|tsv|svg|py|txt|cpp|hpp|ipynb)\b"
)


def text_of(path: Path) -> str:
    """A page without its code; of a notebook, the cells that are text."""
    text = path.read_text(encoding="utf-8")
    if path == NOTEBOOK:
        text = "\n\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] != "code")
    return CODE.sub("", text)


def links(path: Path) -> list[str]:
    """All that a page links to."""
    return [next(filter(None, found)) for found in LINK.findall(text_of(path))]


def anchors(path: Path) -> set[str]:
    """What the headings of a page are called in links: of those that are alike, all but the first have a number."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    found: list[str] = []
    for title in re.findall(r"^#+ (.*)", text, re.MULTILINE):
        found.append(re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-"))
    return {
        name if found[:at].count(name) == 0 else f"{name}-{found[:at].count(name)}" for at, name in enumerate(found)
    }


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files_and_headings(path: Path) -> None:
    for target in links(path):
        if "://" in target:
            continue
        name, _, heading = target.partition("#")
        place = path.parent / name if name else path
        assert place.is_file(), target
        assert not heading or heading in anchors(place), target


def test_links_elsewhere_are_few_and_well_formed() -> None:
    """Nobody can follow them from here, so each has to be needed: the home of something that a page says how to use."""
    elsewhere = {target for path in PAGES for target in links(path) if "://" in target}
    assert {urlsplit(target).netloc for target in elsewhere} == {
        "www.dask.org",
        "jobqueue.dask.org",
        "kubernetes.dask.org",
    }
    assert all(urlsplit(target).scheme == "https" for target in elsewhere)


def test_every_picture_of_the_documents_is_shown_somewhere() -> None:
    shown = {(path.parent / target).resolve() for path in PAGES for target in links(path)}
    pictures = {path for kind in ("png", "svg") for path in (ROOT / "docs").rglob(f"*.{kind}")}
    assert sorted(pictures - shown) == []


def test_files_that_the_code_and_the_documents_mention_are_there() -> None:
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listing.returncode:
        pytest.skip("not a repository")
    names = [name for name in listing.stdout.split("\0") if name and not name.startswith("tests/")]
    missing: dict[str, str] = {}
    for name in names:
        try:
            text = (ROOT / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        missing |= {mention: name for mention in MENTION.findall(text) if not (ROOT / mention).exists()}
    assert missing == {}


def test_a_link_that_leads_nowhere_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One\n\n## Two\n\n## Two\n\n[a](#two-1) ![b](no.png 'B') `[c](code.md)`\n\n[d]: there.md#x\n")
    assert links(page) == ["#two-1", "no.png", "there.md#x"]
    assert anchors(page) == {"one", "two", "two-1"}
