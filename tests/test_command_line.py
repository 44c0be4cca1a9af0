from __future__ import annotations

import importlib.abc
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from terminal import maxconnect4

import maxconnect4 as package
from maxconnect4.__main__ import main as program
from maxconnect4.cli import COMMANDS, main
from maxconnect4.cli.parser import CommandParser

ROOT = Path(__file__).parent.parent


def test_the_version_is_printed() -> None:
    assert maxconnect4("--version").stdout == f"maxconnect4 {package.__version__}\n"


def test_help_lists_the_commands_and_examples() -> None:
    done = maxconnect4("--help")
    assert done.returncode == 0
    for command in COMMANDS:
        assert f"\n  {command:<13}" in done.stdout
    assert "Examples:" in done.stdout


@pytest.mark.parametrize("words", [(), ("--help",), ("book", "--help"), ("review", "--help")])
def test_help_wraps_at_the_width_of_the_terminal(words: tuple[str, ...]) -> None:
    for width in (60, 120):
        done = maxconnect4(*words, env={"COLUMNS": str(width)})
        text = (done.stdout or done.stderr).partition("Examples:")[0]
        lines = [line for line in text.splitlines() if not line.startswith("  maxconnect4 ")]
        assert max(map(len, lines)) <= width
        assert width < 100 or words == () or max(map(len, lines)) > 80


def test_without_arguments_it_prints_a_short_help() -> None:
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
        ("tree 44 3", "unexpected argument '3': did you mean --depth 3?"),
        ("solve-sizes 4x4", "unexpected argument '4x4': did you mean --sizes 4x4?"),
        ("positions 20", "unexpected argument '20': did you mean --count 20?"),
        ("--verison", "there is no option '--verison': did you mean --version?"),
        ("help anaylse", "there is no command 'anaylse': did you mean analyse?"),
        (
            "analyse --game clasic",
            "maxconnect4 analyse: --game: 'clasic' is not one of its values: did you mean classic?",
        ),
        ("tree --order right", "maxconnect4 tree: --order: 'right' is not one of its values: choose centre or left"),
        ("analyse --batch", "maxconnect4 analyse: --batch needs a value: --batch FILE"),
        ("tree -o", "maxconnect4 tree: -o or --output needs a value: -o, --output FILE"),
        ("analyse --json=1", "maxconnect4 analyse: --json takes no value"),
        ("one-move 44 out.txt -3", "maxconnect4 one-move: depth: '-3' is not a depth"),
        ("match depth:2 random depth:3", "'depth:3': use 'maxconnect4 match A B', and quote an argument with spaces"),
        ("check python3 mine.py", "'mine.py': use 'maxconnect4 check command', and quote an argument with spaces"),
        ("engine max", "unexpected argument 'max': use 'maxconnect4 engine'"),
        ("match depth:2 random --sprt elo0=0", "maxconnect4 match: --sprt needs 2 values: --sprt elo0=E elo1=E"),
        ("one-move", "input_file and output_file are missing"),
        ("match human", "B is missing"),
        ("interactive 44 x", "'x' is not a next player: use computer-next or human-next"),
        ("interactive 44 computer-nxt 8", "'computer-nxt' is not a next player: did you mean computer-next?"),
        ("interactive human-nxt", "'human-nxt' is not a next player: did you mean human-next?"),
        ("one-move 44 out.txt perfect --eval lines", "leave it out for perfect play"),
        ("interactive --level 3 --eval lines", "leave it out for a level"),
        ("one-move 44 out.txt 8 --book none", "--book applies only to perfect play: add the depth perfect"),
        ("one-move 44 out.txt --time 1 --level 3", "give --time or --level, not both"),
        ("positions --seed x", "'x' is not a seed from 0 to "),
        ("analyse --size 10x4", "more than the 9 columns that a move string can name"),
    ],
)
def test_a_typing_error_gets_a_suggestion(line: str, answer: str) -> None:
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
    "maxconnect4.formatting",
    "maxconnect4.board",
    "maxconnect4.cli",
    "maxconnect4.cli.options",
    "maxconnect4.cli.one_move",
    "maxconnect4.cli.fast_parser",
    "maxconnect4.cli.terminal",
    "maxconnect4.errors",
    "maxconnect4.position_file",
    "maxconnect4.notation",
    "maxconnect4.players",
    "maxconnect4.files",
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


def test_ctrl_c_while_the_command_line_is_imported_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupting(importlib.abc.MetaPathFinder):
        def find_spec(self, fullname: str, *_: object) -> None:
            if fullname == "maxconnect4.cli":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "maxconnect4.cli")
    monkeypatch.setattr(sys, "meta_path", [Interrupting(), *sys.meta_path])
    assert program() == 130
    assert capsys.readouterr().err.count("\n") == 1


def test_ctrl_c_while_a_command_is_imported_takes_effect_afterwards(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupting(importlib.abc.MetaPathFinder):
        def find_spec(self, fullname: str, *_: object) -> None:
            if fullname == "maxconnect4.cli.bench":
                signal.raise_signal(signal.SIGINT)

    monkeypatch.delitem(sys.modules, "maxconnect4.cli.bench", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupting(), *sys.meta_path])
    assert main(["bench"]) == 130
    assert "maxconnect4.cli.bench" in sys.modules
    assert capsys.readouterr().err.count("\n") == 1


def test_ctrl_c_while_the_arguments_are_parsed_takes_effect_afterwards(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parsed = []

    def parse(parser: CommandParser, words: list[str]) -> None:
        signal.raise_signal(signal.SIGINT)
        parsed.append(words)

    monkeypatch.setattr(CommandParser, "parse_intermixed_args", parse)
    assert main(["levels", "--json"]) == 130
    assert parsed == [["--json"]]
    assert capsys.readouterr().err.count("\n") == 1
