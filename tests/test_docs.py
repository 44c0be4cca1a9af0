"""The documents: their examples run, their help texts and tables are current."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
import subprocess
import sys
from inspect import cleandoc
from pathlib import Path
from typing import Any

import pytest
from terminal import maxconnect4

from maxconnect4.cli import COMMANDS, COMPLETION, GROUPS, UsageError
from maxconnect4.cli import command_module as module_of
from maxconnect4.cli.parser import SHELLS, command_parser

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

from write_docs import BLOCK, DOCUMENTS, PAGE_TYPES, filled, page_types  # noqa: E402

CODE = re.compile(r"^```.*?^```|`[^`]*`", re.DOTALL | re.MULTILINE)
MEASURED = re.compile(
    r"\d[\d.,]*(?:\s+(?:thousand|million|billion))?\s+"
    r"(?:ms|milliseconds|microseconds|nodes|instructions|times\s+(?:as|fewer|more|faster)|%\s+(?:as|fewer|more|faster|slower))\b"
    r"|\d[\d.,]*\s+(?:million|billion)\b|\b\d+\.\d+\s+(?:s|seconds|kB|MB|points)\b"
)

NAMES = [str(path.relative_to(ROOT)) for path in DOCUMENTS]
COMMANDS_OF_THE_README = re.findall(
    r"^(\.venv/bin/maxconnect4|python3 maxconnect4\.py) (.*)", (ROOT / "README.md").read_text(), re.MULTILINE
)
SUB_COMMANDS = [f"{group} {name}" for group in GROUPS for name in module_of(group).COMMANDS]
COMMANDS_WITH_EXAMPLES = [name for name in COMMANDS if name not in GROUPS] + SUB_COMMANDS


def blocks(name: str, language: str) -> list[str]:
    """The code of a language in a document."""
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / name).read_text(), re.DOTALL | re.MULTILINE)


def with_blocks(language: str) -> list[str]:
    """The documents with code of a language."""
    return [name for name in NAMES if blocks(name, language)]


def command_module(words: list[str]) -> tuple[Any, list[str]]:
    """The module of the command that the words begin with, and the rest of them."""
    if words[0] in GROUPS:
        return module_of(words[0]).COMMANDS[words[1]], words[2:]
    if words[0] not in COMMANDS:
        raise KeyError(words[0])
    return module_of(words[0]), words[1:]


def understood(words: list[str]) -> None:
    """Have the real parser read a command line. It complains of one that is wrong."""
    if words[0] == COMPLETION:
        assert words[1] in SHELLS
        return
    command, rest = command_module(words)
    parser = command_parser(words[0], command.__doc__)
    command.add_arguments(parser)
    args = parser.parse_intermixed_args(rest)
    if hasattr(command, "check_arguments"):
        command.check_arguments(args)


@pytest.mark.parametrize("name", NAMES)
def test_help_texts_and_tables_are_those_of_the_program_and_of_the_results(name: str) -> None:
    text = (ROOT / name).read_text()
    assert filled(text).split() == text.split(), "run benchmarks/write_docs.py"


def test_the_types_of_the_page_are_those_of_the_responses() -> None:
    assert PAGE_TYPES.read_text() == page_types(), "run benchmarks/write_docs.py"


@pytest.mark.parametrize("name", [*NAMES, "CHANGELOG.md"])
def test_what_was_measured_stands_in_blocks_alone(name: str) -> None:
    typed = CODE.sub("", BLOCK.sub("", (ROOT / name).read_text()))
    assert [match[0] for match in MEASURED.finditer(typed)] == [], "see CONTRIBUTING.md"


@pytest.mark.parametrize("name", with_blocks("python"))
def test_python_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other, in the order of the page."""
    monkeypatch.chdir(tmp_path)
    exec(compile("\n".join(blocks(name, "python")), name, "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("name", with_blocks("pycon"))
def test_python_sessions_print_what_the_documents_say(name: str) -> None:
    session = doctest.DocTestParser().get_doctest("\n".join(blocks(name, "pycon")), {}, name, name, 0)
    found: list[str] = []
    assert doctest.DocTestRunner(verbose=False).run(session, out=found.append).failed == 0, "".join(found)


@pytest.mark.parametrize("name", with_blocks("console"))
def test_commands_print_what_the_documents_say(name: str, tmp_path: Path) -> None:
    """In the order of the page, in a folder with the files of examples/ and of the page. `...` stands for anything."""
    for path in (ROOT / "examples").rglob("*.*"):
        shutil.copy(path, tmp_path)
    for text in blocks(name, "toml"):
        (tmp_path / "first.toml").write_text(text)
    for session in blocks(name, "console"):
        for program, command, expected in re.findall(
            r"^\$ (maxconnect4|python3) (.*)\n((?:(?!\$ ).*\n)*)", session, re.MULTILINE
        ):
            words = shlex.split(command)
            if program == "python3":
                done = subprocess.run([sys.executable, *words], cwd=tmp_path, capture_output=True, text=True)
            else:
                done = maxconnect4(*words, cwd=tmp_path)
            assert done.returncode == 0, done.stderr
            assert doctest.OutputChecker().check_output(expected, done.stdout, doctest.ELLIPSIS), done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_commands_are_understood(name: str) -> None:
    for block in [*blocks(name, "sh"), *blocks(name, "text"), *blocks(name, "console")]:
        for line in re.findall(r"^(?:\$ )?(?:\.venv/bin/)?maxconnect4 (.*)", block, re.MULTILINE):
            understood(shlex.split(line, comments=True))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_page_with_its_help(name: str) -> None:
    page = ROOT / "docs" / "reference" / "commands" / f"{name}.md"
    blocks = {match[2] for match in BLOCK.finditer(page.read_text())}
    expected = [name, *(each for each in SUB_COMMANDS if each.startswith(f"{name} "))]
    assert {f"help {words}" for words in expected} <= blocks


@pytest.mark.parametrize("name", COMMANDS_WITH_EXAMPLES)
def test_the_examples_of_the_help_are_understood(name: str) -> None:
    *_, examples = cleandoc(command_module(name.split())[0].__doc__).partition("Examples:\n")
    lines = re.findall(r"^  maxconnect4 (.*)", examples, re.MULTILINE)
    assert lines
    for line in lines:
        understood(shlex.split(re.sub(r"  +.*| [<>|].*", "", line)))


def test_a_command_that_is_wrong_is_noticed() -> None:
    for line in ("mesure depth", "analyse --bach x", "match depth:1", "one-move 4 o.txt 8 --time 2", "book look 4"):
        with pytest.raises((UsageError, SystemExit, KeyError)):
            understood(line.split())


@pytest.mark.parametrize("slow", [False, pytest.param(True, marks=pytest.mark.long)])
def test_the_commands_of_the_readme_run(slow: bool, tmp_path: Path) -> None:
    """In the order of the page, in a folder with examples/. Those that run a program in Python are slow."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    assert len(COMMANDS_OF_THE_README) == 10
    for program, line in COMMANDS_OF_THE_README:
        if "step6.py" in line and not slow:
            continue
        done = maxconnect4(*shlex.split(line.partition(" #")[0]), cwd=tmp_path, input="q\n")
        assert done.returncode == 0, (program, line, done.stderr)
    assert (tmp_path / "output.txt").exists()
    assert "My first tournament" in (tmp_path / "first.html").read_text()


def test_the_readme_has_at_most_six_lines_of_python_that_play_a_game() -> None:
    example = blocks("README.md", "python")[0]
    assert len([line for line in example.splitlines() if line]) <= 6
