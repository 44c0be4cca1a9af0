"""What a program finds beside it when it makes a move."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from foreign import PATIENT, PLAYERS, player, script

from maxconnect4.board import RED
from maxconnect4.errors import BadEntrant
from maxconnect4.files import board_as_text
from maxconnect4.notation import board_from_moves
from maxconnect4.referee.entrants import entrant, entrant_from
from maxconnect4.referee.programs.program import Program

BOARD = board_from_moves("44535")  # green is to move, and the honest player drops into column 4
LIST = f"ls -A | LC_ALL=C sort >$FOUND; exec {sys.executable} -S -E -B {PLAYERS}/honest.py"


def found_by(words: list[str], home: Path, monkeypatch: pytest.MonkeyPatch, folder: str | None = None) -> list[str]:
    found = home.parent / "found"
    monkeypatch.chdir(home)
    told = entrant(words, folder=folder, environment={"FOUND": str(found)}, limits=PATIENT)
    assert Program(told).move(BOARD).fault is None
    return found.read_text().split()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder of a program, with an old output file."""
    home = tmp_path / "home"
    (home / "bin").mkdir(parents=True)
    script(home, f'{LIST} "$@"')
    script(home / "bin", f'{LIST} "$@"')
    (home / "input.txt").write_text("old")
    (home / "OUTPUT.txt").write_text("old")
    (home / "output.txt").write_text(board_as_text(board_from_moves("445354")))
    (home / "weights").write_text("1 2 3")
    (home / "book").write_bytes(bytes(300 << 10))
    return home


def test_a_program_finds_what_its_command_names(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found_by(["./program"], home, monkeypatch) == ["input.txt", "program"]
    assert found_by(["bin/program"], home, monkeypatch) == ["bin", "input.txt"]
    words = ["sh", "program", "one-move", "{in}", "{out}", "{depth}", "--files=weights:book:nothing"]
    assert found_by(words, home, monkeypatch) == ["book", "input.txt", "program", "weights"]
    assert found_by(["../home/program"], home, monkeypatch) == ["input.txt"]


def test_a_program_finds_its_whole_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = ["bin", "book", "input.txt", "program", "weights"]
    assert found_by(["./program"], home, monkeypatch, folder=".") == everything
    words = ["sh", "program", "one-move", "{in}", "{out}", "{depth}", "-cp", ".:lib"]
    assert found_by(words, home, monkeypatch) == everything
    (home / "Main.class").touch()
    words = ["sh", "program", "one-move", "{in}", "{out}", "{depth}", "Main"]
    assert found_by(words, home, monkeypatch) == sorted(["Main.class", *everything])


def test_an_old_output_file_is_never_taken_for_a_new_one(home: Path) -> None:
    words = ["true", "{in}", "{out}"]
    fault = Program(entrant(words, folder=str(home), limits=PATIENT)).move(BOARD).fault
    assert fault is not None
    assert fault.kind == "no output"


def test_a_program_does_not_change_the_files_of_its_folder(home: Path) -> None:
    os.utime(home / "weights", (1_000_000_000, 1_000_000_000))
    (home / "data" / "deep").mkdir(parents=True)
    (home / "data" / "deep" / "log").write_text("once\n")
    change = "stat -c %Y weights; echo 4 >weights; rm book; echo again >>data/deep/log; touch data/new"
    script(home, f'{change}; [ $(wc -l <data/deep/log) = 2 ] && {LIST} "$@" ; exit 1', "changer")
    program = Program(entrant(["sh", "changer"], folder=str(home), environment={"FOUND": "/dev/null"}, limits=PATIENT))
    for _ in range(2):
        assert program.move(BOARD).column == 4
    assert (home / "weights").read_text() == "1 2 3"
    assert (home / "book").stat().st_size == 300 << 10
    assert (home / "data" / "deep" / "log").read_text() == "once\n"
    assert not (home / "data" / "new").exists()
    assert program.attempt(b"", RED).ran.printed.startswith(b"1000000000\n")


def test_a_script_finds_the_modules_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PLAYERS)
    told = entrant_from(f"{sys.executable} -S -E -B careless.py one-move {{in}} {{out}} 1 crlf", limits=PATIENT)
    assert [note.kind for note in Program(told).move(BOARD).notes] == ["line ends"]


def test_a_folder_with_too_many_entries_is_refused(tmp_path: Path) -> None:
    for number in range(1001):
        (tmp_path / str(number)).touch()
    with pytest.raises(BadEntrant, match="has 1,001 entries, over 1,000"):
        Program(entrant(["true"], folder=str(tmp_path)))


def test_a_file_that_comes_and_goes_is_nobodys_fault(tmp_path: Path) -> None:
    (tmp_path / "journal").touch()
    program = Program(player("honest", folder=str(tmp_path)))
    (tmp_path / "journal").unlink()
    assert program.move(BOARD).column == 4
