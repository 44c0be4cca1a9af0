"""What a program finds beside it when it makes a move."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from disks import small_disk
from external_programs import PATIENT, PLAYERS, player, script

from maxconnect4.board import RED
from maxconnect4.errors import BadSetup
from maxconnect4.notation import board_from_moves
from maxconnect4.position_file import board_as_text
from maxconnect4.referee.players import parse_player, player_spec
from maxconnect4.referee.program import Program
from maxconnect4.referee.program_files import (
    COPY,
    FOLDER,
    LINK,
    MAX_COPIED_FILE,
    find_program_files,
    fingerprint,
    place_files,
)

BOARD = board_from_moves("44535")  # green is to move, and the honest player drops into column 4
LIST = f"ls -A | LC_ALL=C sort >$FOUND; exec {sys.executable} -S -E -B {PLAYERS}/honest.py"


def found_by(words: list[str], home: Path, monkeypatch: pytest.MonkeyPatch, folder: str | None = None) -> list[str]:
    found = home.parent / "found"
    monkeypatch.chdir(home)
    told = player_spec(words, folder=folder, environment={"FOUND": str(found)}, limits=PATIENT)
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


def test_a_module_that_the_command_names_brings_its_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "player.py").touch()
    words = ["sh", "program", "one-move", "{in}", "{out}", "{depth}", "-m", "player"]
    assert found_by(words, home, monkeypatch) == ["bin", "book", "input.txt", "player.py", "program", "weights"]


def test_signs_between_names_and_places_to_be_filled_name_no_file(home: Path) -> None:
    for name in (":", "=", "{in}", "x"):
        (home / name).touch()
    words = ["sh", "{in}", "{out}", "--files=weights:book::", "x"]
    found, told = find_program_files(player_spec(words, base=str(home), limits=PATIENT), ())
    assert ([each.name for each in found], list(told)) == (["book", "weights", "x"], words)


def how_it_is_brought(folder: Path) -> dict[str, str]:
    return {each.name: each.how for each in find_program_files(player_spec(["true"], folder=str(folder)), ())[0]}


def test_small_files_and_folders_are_copied_and_others_linked(tmp_path: Path) -> None:
    (tmp_path / "small").write_bytes(bytes(MAX_COPIED_FILE))
    (tmp_path / "large").write_bytes(bytes(MAX_COPIED_FILE + 1))
    for name, sizes in (
        ("full", [MAX_COPIED_FILE] * 4),
        ("fuller", [MAX_COPIED_FILE] * 4 + [1]),
        ("odd", [MAX_COPIED_FILE + 1]),
    ):
        (tmp_path / name / "inner").mkdir(parents=True)
        for number, size in enumerate(sizes):
            (tmp_path / name / "inner" / str(number)).write_bytes(bytes(size))
    for name, count in (("many", 99), ("more", 100)):
        (tmp_path / name).mkdir()
        for number in range(count):
            (tmp_path / name / str(number)).touch()
    (tmp_path / "pipes").mkdir()
    os.mkfifo(tmp_path / "pipes" / "pipe")
    expected = {"small": COPY, "large": LINK, "fuller": LINK, "odd": LINK, "more": LINK, "pipes": LINK}
    expected |= {"full": FOLDER, "full/inner": FOLDER, **{f"full/inner/{number}": COPY for number in range(4)}}
    expected |= {"many": FOLDER, **{f"many/{number}": COPY for number in range(99)}}
    assert how_it_is_brought(tmp_path) == expected


def test_what_is_brought_is_whole_and_leaves_nothing_open(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "small").write_bytes(os.urandom(MAX_COPIED_FILE))
    (tmp_path / "there").mkdir()
    found, _ = find_program_files(player_spec(["true"], folder=str(tmp_path / "home")), ())
    before = os.listdir("/proc/self/fd")
    place_files(found, str(tmp_path / "there"))
    assert os.listdir("/proc/self/fd") == before
    assert (tmp_path / "there" / "small").read_bytes() == (tmp_path / "home" / "small").read_bytes()


@pytest.mark.timeout(30)
def test_a_pipe_in_place_of_a_file_does_not_block(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "small").write_text("hello")
    found, _ = find_program_files(player_spec(["true"], folder=str(tmp_path / "home")), ())
    (tmp_path / "home" / "small").unlink()
    os.mkfifo(tmp_path / "home" / "small")
    (tmp_path / "there").mkdir()
    place_files(found, str(tmp_path / "there"))
    assert (tmp_path / "there" / "small").read_bytes() == b""


def test_a_full_disk_while_files_are_copied_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "small").write_bytes(bytes(64 << 10))
    found, _ = find_program_files(player_spec(["true"], folder=str(tmp_path / "home")), ())
    with small_disk(tmp_path / "there", "16k") as there, pytest.raises(OSError, match="No space left"):
        place_files(found, str(there))


def test_an_old_output_file_is_never_taken_for_a_new_one(home: Path) -> None:
    words = ["true", "{in}", "{out}"]
    fault = Program(player_spec(words, folder=str(home), limits=PATIENT)).move(BOARD).fault
    assert fault is not None
    assert fault.kind == "no output"


def test_a_program_does_not_change_the_files_of_its_folder(home: Path) -> None:
    os.utime(home / "weights", (1_000_000_000, 1_000_000_000))
    (home / "data" / "deep").mkdir(parents=True)
    (home / "data" / "deep" / "log").write_text("once\n")
    change = "stat -c %Y weights; echo 4 >weights; rm book; echo again >>data/deep/log; touch data/new"
    script(home, f'{change}; [ $(wc -l <data/deep/log) = 2 ] && {LIST} "$@" ; exit 1', "changer")
    program = Program(
        player_spec(["sh", "changer"], folder=str(home), environment={"FOUND": "/dev/null"}, limits=PATIENT)
    )
    for _ in range(2):
        assert program.move(BOARD).column == 4
    assert (home / "weights").read_text() == "1 2 3"
    assert (home / "book").stat().st_size == 300 << 10
    assert (home / "data" / "deep" / "log").read_text() == "once\n"
    assert not (home / "data" / "new").exists()
    assert program.run(b"", RED).ran.printed.startswith(b"1000000000\n")


def test_a_script_finds_the_modules_in_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PLAYERS)
    told = parse_player(f"{sys.executable} -S -E -B careless.py one-move {{in}} {{out}} 1 crlf", limits=PATIENT)
    assert [note.kind for note in Program(told).move(BOARD).notes] == ["line ends"]


def test_a_folder_with_too_many_entries_is_refused(tmp_path: Path) -> None:
    for number in range(1000):
        (tmp_path / str(number)).touch()
    assert len(how_it_is_brought(tmp_path)) == 1000
    (tmp_path / "1000").touch()
    with pytest.raises(BadSetup, match="has 1,001 entries: the limit is 1,000"):
        Program(player_spec(["true"], folder=str(tmp_path)))


def test_a_folder_that_has_gone_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    told = player_spec(["true"], folder=str(tmp_path / "home"))
    (tmp_path / "home").rmdir()
    with pytest.raises(BadSetup, match="home cannot be read: no such file or directory$"):
        find_program_files(told, ())


def test_a_file_that_appears_and_disappears_is_not_a_fault(tmp_path: Path) -> None:
    (tmp_path / "journal").touch()
    program = Program(player("honest", folder=str(tmp_path)))
    (tmp_path / "journal").unlink()
    assert program.move(BOARD).column == 4


def test_a_fingerprint_depends_on_the_files_of_a_program_and_not_on_its_place(tmp_path: Path) -> None:
    def ada(folder: str, *words: str, **settings: str) -> str:
        return fingerprint(player_spec(["sh", "main.sh", *words], folder=str(tmp_path / folder), environment=settings))

    for folder in ("one", "two"):
        (tmp_path / folder / "lib").mkdir(parents=True)
        (tmp_path / folder / "main.sh").write_text("exit")
        (tmp_path / folder / "lib" / "data").write_text("1")
    same = ada("one")
    assert ada("two") == same
    (tmp_path / "two" / "__pycache__").mkdir()
    (tmp_path / "two" / "__pycache__" / "main.pyc").write_text("")
    assert ada("two") == same
    assert len({same, ada("one", "{in}", "{out}", "x"), ada("one", MODE="fast")}) == 3
    (tmp_path / "two" / "lib" / "data").write_text("2")
    assert ada("two") != same


def test_the_fingerprint_of_a_script_includes_the_modules_next_to_it(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    for name in ("main.py", "search.py", "notes.txt"):
        (tmp_path / "ada" / name).write_text("")
    spec = player_spec(["python3", str(tmp_path / "ada" / "main.py")])
    before = fingerprint(spec)
    (tmp_path / "ada" / "notes.txt").write_text("changed")
    assert fingerprint(spec) == before
    (tmp_path / "ada" / "search.py").write_text("changed")
    assert fingerprint(spec) != before
