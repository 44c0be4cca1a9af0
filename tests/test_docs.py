"""The documents: their examples run, their help texts and tables are current."""

from __future__ import annotations

import doctest
import re
import shlex
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from terminal import PROGRAM, maxconnect4

from maxconnect4.cli import COMMANDS, GROUPS, book
from maxconnect4.cli.full_parsing import full_parser
from maxconnect4.cli.parsing import Arguments

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
COMMANDS_OF_THE_README = re.findall(r"^\.venv/bin/maxconnect4 (.*?) +#", (ROOT / "README.md").read_text(), re.MULTILINE)
COMMANDS_WITH_EXAMPLES = [name for name in COMMANDS if name not in GROUPS] + [f"book {name}" for name in book.COMMANDS]


def blocks(name: str, language: str) -> list[str]:
    """The code of a language in a document."""
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / name).read_text(), re.DOTALL | re.MULTILINE)


def with_blocks(language: str) -> list[str]:
    """The documents with code of a language."""
    return [name for name in NAMES if blocks(name, language)]


def command_module(words: list[str]) -> tuple[Any, list[str]]:
    """The module of the command that the words begin with, and the rest of them."""
    if words[0] in GROUPS:
        group = import_module(f"maxconnect4.cli.{words[0]}")
        return import_module(f"{group.__name__}.{group.COMMANDS[words[1]][0]}"), words[2:]
    return import_module(f"maxconnect4.cli.{COMMANDS[words[0]][0]}"), words[1:]


def understood(words: list[str]) -> None:
    """Have the real parser read a command line. It complains of one that is wrong."""
    command, rest = command_module(words)
    parser = full_parser(words[0], command.__doc__)
    command.add_arguments(parser)
    assert command.contradiction(parser.parse_intermixed_args(rest, Arguments())) is None, words


@pytest.mark.parametrize("name", NAMES)
def test_help_texts_and_tables_are_those_of_the_program_and_of_the_results(name: str) -> None:
    text = (ROOT / name).read_text()
    assert filled(text).split() == text.split(), "run benchmarks/write_docs.py"


@pytest.mark.parametrize("name", [*NAMES, "CHANGELOG.md"])
def test_what_was_measured_stands_in_blocks_alone(name: str) -> None:
    typed = CODE.sub("", BLOCK.sub("", (ROOT / name).read_text()))
    assert [match[0] for match in MEASURED.finditer(typed)] == [], "see CONTRIBUTING.md"


@pytest.mark.parametrize("name", with_blocks("python"))
def test_python_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other, in the order of the page."""
    monkeypatch.chdir(tmp_path)
    exec(compile("\n".join(blocks(name, "python")), name, "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("name", with_blocks("console"))
def test_commands_print_what_the_documents_say(name: str, tmp_path: Path) -> None:
    """In the order of the page, in one folder. `...` stands for anything."""
    for session in blocks(name, "console"):
        for command, expected in re.findall(r"^\$ maxconnect4 (.*)\n((?:(?!\$ ).*\n)*)", session, re.MULTILINE):
            done = maxconnect4(*shlex.split(command), cwd=tmp_path)
            assert done.returncode == 0, done.stderr
            assert doctest.OutputChecker().check_output(expected, done.stdout, doctest.ELLIPSIS), done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_commands_are_understood(name: str) -> None:
    for block in [*blocks(name, "sh"), *blocks(name, "text"), *blocks(name, "console")]:
        for line in re.findall(r"^(?:\$ )?(?:\.venv/bin/)?maxconnect4 (.*)", block, re.MULTILINE):
            understood(shlex.split(line, comments=True))


@pytest.mark.parametrize("name", COMMANDS_WITH_EXAMPLES)
def test_the_examples_of_the_help_are_understood(name: str) -> None:
    *_, examples = command_module(name.split())[0].__doc__.partition("Examples:\n")
    lines = re.findall(r"^  maxconnect4 (.*)", examples, re.MULTILINE)
    assert lines
    for line in lines:
        understood(shlex.split(re.sub(r"  +.*| [<>|].*", "", line)))


def test_a_command_that_is_wrong_is_noticed() -> None:
    for line in ("mesure depth", "analyse --bach x", "match depth:1", "one-move 4 o.txt 8 --time 2", "book look 4"):
        with pytest.raises((AssertionError, SystemExit, KeyError)):
            understood(line.split())


def test_all_commands_of_the_readme_are_found() -> None:
    assert len(COMMANDS_OF_THE_README) == 10


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(line, marks=pytest.mark.long) if line.startswith(("measure", "check")) else line
        for line in COMMANDS_OF_THE_README
    ],
)
def test_the_commands_of_the_readme_run(line: str, tmp_path: Path) -> None:
    words = [
        PROGRAM if word == ".venv/bin/maxconnect4" else str(ROOT / word) if word.startswith("examples/") else word
        for word in shlex.split(line)
    ]
    assert maxconnect4(*words, cwd=tmp_path).returncode == 0


def test_the_readme_has_at_most_six_lines_of_python_that_play_a_game() -> None:
    example = blocks("README.md", "python")[0]
    assert len([line for line in example.splitlines() if line]) <= 6
