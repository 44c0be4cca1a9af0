"""The documents: their examples run, their help texts and tables are current, their links lead somewhere."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from terminal import PROGRAM, maxconnect4

import maxconnect4 as package

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

from write_docs import BLOCK, DOCUMENTS, filled  # noqa: E402

CODE = re.compile(r"^```.*?^```|`[^`]*`", re.DOTALL | re.MULTILINE)
MEASURED = re.compile(
    r"\d[\d.,]*(?:\s+(?:thousand|million|billion))?\s+"
    r"(?:ms|milliseconds|microseconds|nodes|instructions|times\s+(?:as|fewer|more|faster)|%\s+(?:as|fewer|more|faster|slower))\b"
    r"|\d[\d.,]*\s+(?:million|billion)\b|\b\d+\.\d+\s+(?:s|seconds|kB|MB|points)\b"
)

NAMES = [str(path.relative_to(ROOT)) for path in DOCUMENTS]


@pytest.mark.parametrize("name", NAMES)
def test_help_texts_and_tables_are_those_of_the_program_and_of_the_results(name: str) -> None:
    text = (ROOT / name).read_text()
    assert filled(text).split() == text.split(), "run benchmarks/write_docs.py"


@pytest.mark.parametrize("name", [*NAMES, "CHANGELOG.md"])
def test_what_was_measured_stands_in_blocks_alone(name: str) -> None:
    typed = CODE.sub("", BLOCK.sub("", (ROOT / name).read_text()))
    assert [match[0] for match in MEASURED.finditer(typed)] == [], "see CONTRIBUTING.md"


@pytest.mark.parametrize("name", NAMES)
def test_python_examples_run(name: str) -> None:
    for example in re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(), re.DOTALL):
        subprocess.run([sys.executable, "-c", example], check=True, capture_output=True)


@pytest.mark.parametrize("name", [*NAMES, "CHANGELOG.md", "CONTRIBUTING.md"])
def test_links_lead_to_files(name: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / name).read_text()):
        assert ((ROOT / name).parent / target).exists(), target


def test_the_commands_of_the_readme_run(tmp_path: Path) -> None:
    lines = re.findall(r"^\.venv/bin/maxconnect4 (.*?) +#", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert len(lines) == 8
    for line in lines:
        words = [
            PROGRAM if word == ".venv/bin/maxconnect4" else str(ROOT / word) if word.startswith("examples/") else word
            for word in shlex.split(line)
        ]
        assert maxconnect4(*words, cwd=tmp_path).returncode == 0


def test_the_readme_has_six_lines_of_python_that_play_a_game() -> None:
    example = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[0]
    assert len([line for line in example.splitlines() if line]) <= 6


@pytest.mark.parametrize("module", [package, package.board])
def test_examples_in_docstrings_run(module) -> None:  # type: ignore[no-untyped-def]
    failed, tried = doctest.testmod(module)
    assert tried
    assert not failed
