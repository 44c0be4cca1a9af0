from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from terminal import maxconnect4

import maxconnect4 as package
from maxconnect4.cli import COMMANDS

ROOT = Path(__file__).parent.parent


def test_the_version_is_printed() -> None:
    assert maxconnect4("--version").stdout == f"maxconnect4 {package.__version__}\n"


def test_help_lists_the_commands_and_examples() -> None:
    done = maxconnect4("--help")
    assert done.returncode == 0
    for command in COMMANDS:
        assert f"\n  {command:<13}" in done.stdout
    assert "Examples:" in done.stdout


def test_without_a_word_it_says_what_to_begin_with() -> None:
    done = maxconnect4()
    assert (done.returncode, done.stdout) == (2, "")
    lines = done.stderr.splitlines()
    assert len(lines) < 20
    assert max(map(len, lines)) <= 80
    commands = [line.split()[1] for line in lines if line.startswith("  maxconnect4 ")]
    assert commands == ["play", "interactive", "analyse", "review", "--help"]


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("help analyze", "analyse --help"),
        ("--help tree", "tree --help"),
        ("help book lookup", "book lookup --help"),
        ("book -h lookup", "book lookup --help"),
        ("help book", "book --help"),
        ("version", "--version"),
        ("-V", "--version"),
    ],
)
def test_help_and_the_version_are_found_as_people_ask_for_them(line: str, same: str) -> None:
    done = maxconnect4(*line.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == maxconnect4(*same.split()).stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_with_examples(command: str) -> None:
    done = maxconnect4(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"usage: maxconnect4 {command}" in done.stdout
    assert f"Examples:\n  maxconnect4 {command}" in done.stdout


def test_analyze_is_another_spelling_that_the_help_does_not_list() -> None:
    assert maxconnect4("analyze", "--help").stdout == maxconnect4("analyse", "--help").stdout
    assert "analyze" not in maxconnect4("--help").stdout


@pytest.mark.parametrize("command", ["nonsense", "", "--nonsense", "\x1b[31m"])
def test_an_unknown_command_is_one_line_and_code_2(command: str) -> None:
    done = maxconnect4(command)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "play, interactive" in done.stderr
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("anaylse", "there is no command 'anaylse': did you mean analyse? (see maxconnect4 --help)"),
        ("one_move 4 5 6", "there is no command 'one_move': did you mean one-move?"),
        ("book lokup", "there is no command 'book lokup': did you mean lookup? (see maxconnect4 book --help)"),
        ("analyse --thread 2", "there is no option '--thread': did you mean --threads?"),
        ("analyse --nonsense=3", "there is no option '--nonsense' (see maxconnect4 analyse --help)"),
        ("one-move 44 out.txt --depth 8", "there is no option --depth: the depth is a word without dashes"),
        ("tree 44 3", "'3' is too much: did you mean --depth 3?"),
        ("solve-sizes 4x4", "'4x4' is too much: did you mean --sizes 4x4?"),
        ("positions 20", "'20' is too much: did you mean --count 20?"),
        ("--verison", "there is no option '--verison': did you mean --version?"),
        ("help anaylse", "there is no command 'anaylse': did you mean analyse?"),
        ("analyse --game clasic", "maxconnect4 analyse: --game: there is no 'clasic': did you mean classic?"),
        ("tree --order right", "maxconnect4 tree: --order: there is no 'right': choose centre or left"),
        ("analyse --batch", "maxconnect4 analyse: --batch needs a value after it"),
        ("tree -o", "maxconnect4 tree: -o or --output needs a value after it"),
        ("analyse --json=1", "maxconnect4 analyse: --json takes no value"),
        ("one-move 44 out.txt -3", "maxconnect4 one-move: depth: '-3' is not a number of plies"),
        ("match depth:2 random depth:3", "'depth:3' is too much: one word with blanks in it goes in quotes"),
        ("check python3 mine.py", "'mine.py' is too much: one word with blanks in it goes in quotes"),
        ("engine max", "'max' is too much (see"),
        ("match depth:2 random --sprt elo0=0", "maxconnect4 match: --sprt needs 2 values after it"),
        ("one-move", "input_file and output_file are missing"),
        ("match human", "B is missing"),
        ("interactive 44 x", "'x' does not say who is next: computer-next or human-next, before the depth"),
        ("interactive 44 computer-nxt 8", "'computer-nxt' does not say who is next: did you mean computer-next?"),
        ("one-move 44 out.txt perfect --eval lines", "--eval is for a search: perfect play takes none"),
        ("interactive --level 3 --eval lines", "--eval is for a search: a level takes none"),
        ("one-move 44 out.txt 8 --book none", "--book is for perfect play: give the depth perfect, too"),
        ("one-move 44 out.txt --time 1 --level 3", "give --time or --level, not both"),
        ("positions --seed x", "'x' is not a seed, from 0 to "),
        (
            "analyse --size 10x4",
            "more columns than a move string can name, which is 9; solve-sizes solves the empty board",
        ),
    ],
)
def test_a_line_that_is_nearly_right_is_told_what_is_wrong(line: str, answer: str) -> None:
    done = maxconnect4(*line.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert answer in done.stderr
    assert done.stderr.count("\n") == 1


def test_python_m_is_the_same_program() -> None:
    done = subprocess.run([sys.executable, "-m", "maxconnect4", "--version"], capture_output=True, text=True)
    assert done.stdout == f"maxconnect4 {package.__version__}\n"


def test_the_bench_signature_is_the_one_that_is_committed() -> None:
    first, second = maxconnect4("bench").stdout.splitlines()[-1], maxconnect4("bench").stdout.splitlines()[-1]
    assert first == second == (ROOT / "tests" / "data" / "bench.txt").read_text().strip()


# What one move at depth 1 may import, besides what a bare Python has: every module costs some tenths of a millisecond,
# and argparse, typing or json alone as much as all of these.
STARTUP = {
    "__future__",
    "atexit",
    "importlib",
    "importlib._bootstrap",
    "importlib._bootstrap_external",
    "maxconnect4",
    "maxconnect4._core",
    "maxconnect4.amounts",
    "maxconnect4.board",
    "maxconnect4.cli",
    "maxconnect4.cli.arguments",
    "maxconnect4.cli.one_move",
    "maxconnect4.cli.parsing",
    "maxconnect4.cli.terminal",
    "maxconnect4.cli.terminal.screen",
    "maxconnect4.errors",
    "maxconnect4.files",
    "maxconnect4.notation",
    "maxconnect4.players",
    "maxconnect4.saving",
    "maxconnect4.search",
    "maxconnect4.solver",
    "warnings",
}


def imported(program: str, *words: str) -> set[str]:
    program += "\nimport sys\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_one_move_imports_little_more_than_python_itself(tmp_path: Path) -> None:
    bare = imported("pass")
    extra = imported("from maxconnect4.cli import main\nmain()", "one-move", "44535", str(tmp_path / "out.txt"), "1")
    assert (tmp_path / "out.txt").exists()
    assert "maxconnect4.cli.one_move" in extra
    assert extra - bare <= STARTUP
