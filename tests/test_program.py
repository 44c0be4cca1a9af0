from __future__ import annotations

import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from external_programs import PATIENT, QUICK, command_line, pids_in, player, script
from waiting import have_ended

from maxconnect4 import Board
from maxconnect4.board import GREEN, RED
from maxconnect4.errors import BadSetup
from maxconnect4.notation import board_from_moves
from maxconnect4.position_file import board_as_text
from maxconnect4.referee import sandbox
from maxconnect4.referee.move_validation import FAULTS, NOTES, Fault, MoveResult, Note
from maxconnect4.referee.players import PlayerSpec, player_spec
from maxconnect4.referee.program import Program

BOARD = board_from_moves("44535")  # green is to move, and the honest player drops into column 4


pytest_plugins = ["scratch_folders"]
pytestmark = pytest.mark.usefixtures("temporary")


def fault_of(player_spec: PlayerSpec, board: Board = BOARD) -> Fault:
    answer = Program(player_spec).move(board)
    assert answer.column is None
    assert answer.fault is not None
    assert answer.fault.kind in FAULTS
    assert answer.notes == ()
    assert (answer.fault.player, answer.fault.ply) == (board.to_move, board.pieces() + 1)
    assert answer.fault.input == board_as_text(board)
    return answer.fault


def notes_of(player_spec: PlayerSpec, board: Board = BOARD) -> list[str]:
    answer = Program(player_spec).move(board)
    assert answer.fault is None
    assert answer.column == 4
    assert all(note == Note(note.kind, board.to_move, board.pieces() + 1) for note in answer.notes)
    kinds = [note.kind for note in answer.notes]
    assert set(kinds) <= set(NOTES)
    return kinds


# Moves


def test_an_honest_program_makes_its_moves_as_either_colour_until_the_board_is_full() -> None:
    board = board_from_moves("444444333333555555222222")
    program = Program(player("honest"))
    while not board.is_full():
        answer = program.move(board)
        assert (answer.fault, answer.notes) == (None, ())
        assert answer.cpu_seconds > 0
        assert answer.column is not None
        board.drop(answer.column)
    assert board.moves == "444444333333555555222222666666111111777777"


def test_the_board_stays_as_it_is() -> None:
    board = BOARD.copy()
    Program(player("honest")).move(board)
    assert board == BOARD


def test_the_places_are_filled_in(tmp_path: Path) -> None:
    program = script(tmp_path, f'echo "$@" >{tmp_path}/words')
    for colour, moves in ((RED, ""), (GREEN, "4")):
        words = [str(program), "{depth}", "--as={player}", "{in}", "{out}", "{game}"]
        fault_of(player_spec(words, depth=8, limits=PATIENT), board_from_moves(moves))
        assert (tmp_path / "words").read_text() == f"8 --as={colour} input.txt output.txt max\n"


def test_the_program_is_given_the_position_in_a_folder_of_its_own(tmp_path: Path, temporary: Path) -> None:
    program = script(
        tmp_path, f'cp "$2" {tmp_path}/input; pwd >{tmp_path}/folder; echo $TMPDIR $WORD >>{tmp_path}/folder'
    )
    fault_of(player_spec([str(program)], environment={"WORD": "hello"}, limits=PATIENT))
    assert (tmp_path / "input").read_bytes() == board_as_text(BOARD).encode()
    folder, more = (tmp_path / "folder").read_text().splitlines()
    assert os.path.dirname(folder) == str(temporary)
    assert more == f"{folder} hello"


# Faults


@pytest.mark.parametrize(
    ("name", "kind", "detail"),
    [
        ("floater", "illegal move", "the piece in column 1 is in row 6: the lowest empty cell of that column is row 1"),
        (
            "greedy",
            "illegal move",
            "2 pieces were added instead of one: red in column 1, row 1, green in column 4, row 3",
        ),
        ("traitor", "illegal move", "a red piece was added in column 1, row 1, but green was to move"),
        ("cheater", "changed board", "the red piece in column 5, row 2 became green"),
        ("unchanged", "unchanged board", "the output is the input position, without a move"),
        ("silent", "no output", "it did not write output.txt"),
        ("garbage", "malformed output", r"the output, line 1: '\x00' is not 0, 1 or 2"),
        ("crasher", "crash", "it was killed by signal SIGABRT"),
    ],
)
def test_a_program_without_a_legal_move_is_at_fault(name: str, kind: str, detail: str) -> None:
    fault = fault_of(player(name))
    assert (fault.kind, fault.detail) == (kind, detail)


@pytest.mark.parametrize("kind", ["pipe", "folder", "input", "hard link", "/dev/zero"])
@pytest.mark.timeout(60)  # as a pipe may keep whoever opens it waiting
def test_a_linked_output_file_is_a_fault(kind: str) -> None:
    fault = fault_of(player("linker", kind))
    assert fault.kind == "not a file"
    assert fault.detail.startswith("output.txt is a")


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("orders", "what"),
    [
        ('mkfifo "$3"', "a pipe"),
        ('mkdir "$3"', "a folder"),
        ('ln -s "$2" "$3"', "a symbolic link"),
        (f"{sys.executable} -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"output.txt\")'", "a socket"),
        ('mknod "$3" c 1 3', "a device"),
    ],
)
def test_an_output_that_is_not_a_file_is_described(orders: str, what: str, tmp_path: Path) -> None:
    if what == "a device" and os.geteuid():
        pytest.skip("only root may make a device")
    fault = fault_of(player_spec([str(script(tmp_path, orders))], limits=PATIENT))
    assert (fault.kind, fault.detail, fault.output) == ("not a file", f"output.txt is {what}", "")


def test_an_output_may_have_ten_thousand_bytes(tmp_path: Path) -> None:
    good = board_as_text(board_from_moves("445354"))
    for size, kind in ((10_000, None), (10_001, "output too large")):
        (tmp_path / "output").write_text(good[:-1] + " " * (size - len(good)) + "\n")
        fault = (
            Program(player_spec([str(script(tmp_path, f'cp {tmp_path}/output "$3"'))], limits=PATIENT))
            .move(BOARD)
            .fault
        )
        assert (fault and fault.kind) == kind
    (tmp_path / "output").write_text(good[:-1] + " " * (10_000 - len(good)) + "\n")
    assert notes_of(player_spec([str(script(tmp_path, f'cp {tmp_path}/output "$3"'))], limits=PATIENT)) == ["blanks"]


def test_an_output_that_grows_for_ever_is_too_large() -> None:
    fault = fault_of(player("big_file"))
    assert (fault.kind, fault.detail) == ("output too large", "output.txt has 1,048,576 bytes: the limit is 10,000")
    assert len(fault.output) == 2000


def test_a_good_move_does_not_help_a_program_that_does_not_end(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    fault = fault_of(player("sleeper", limits=QUICK, PIDS=str(pids)))
    assert fault.kind == "time-out"
    times = (
        r"after \d+\.\d s of wall-clock time(, of which .*)?, with \d+\.\d\d s of CPU time: the limits are 1 s and 60 s"
    )
    assert re.search(times, fault.detail)
    assert have_ended(pids_in(pids))


@pytest.fixture
def little_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs are killed soon after they have exceeded a limit on their CPU time."""
    monkeypatch.setattr(sandbox, "CPU_GRACE", 0.1)


def test_a_program_that_thinks_for_ever_runs_out_of_cpu_time(little_grace: None) -> None:
    limits = replace(PATIENT, cpu_seconds=0.2)
    assert fault_of(player("spinner", limits=limits)).kind == "CPU time-out"


def test_the_cpu_time_of_all_its_processes_counts(little_grace: None) -> None:
    fault = fault_of(player("spinners", limits=replace(PATIENT, cpu_seconds=0.6)))
    assert fault.kind == "CPU time-out"


def test_a_program_that_prints_for_ever_is_stopped() -> None:
    fault = fault_of(player("flooder"))
    assert (fault.kind, fault.detail) == ("printed too much", "it printed 1,048,576 bytes or more")
    assert fault.printed.startswith("flood flood")
    assert "\n[... 1,044,576 bytes omitted ...]\n" in fault.printed


def test_a_program_that_is_gone_or_cannot_run_cannot_start(tmp_path: Path) -> None:
    program = script(tmp_path, "true")
    program.write_text("#!/no/such/interpreter\n")
    assert fault_of(player_spec([str(program)], limits=PATIENT)).kind == "cannot start"
    whole = player_spec(["./program"], folder=str(tmp_path), limits=PATIENT)
    gone = Program(whole)
    program.unlink()
    fault = gone.move(BOARD).fault
    assert fault is not None
    assert fault.kind == "cannot start"


def test_a_fault_comes_with_evidence_whatever_bytes_it_is() -> None:
    fault = fault_of(player("garbage"))
    assert "0123456789" in fault.output
    assert "0123456789" in fault.printed
    assert fault_of(player("crasher")).printed == "I am about to fall over\n"


@pytest.mark.parametrize(
    ("orders", "first", "left_out", "last"),
    [
        ("seq 1 40", [*range(1, 41)], None, []),
        ("seq 1 41", [*range(1, 26)], 3, [*range(27, 42)]),
        ("seq 10001 30000", [*range(10001, 10026)], 6 * 19_960, [*range(29986, 30001)]),
        ("echo start; seq -s '' 10001 12000; echo end", ["start", "MANY"], 6 + 10_001 + 4 - 4000, ["MANY", "end"]),
    ],
)
def test_the_first_and_last_printed_lines_are_stored(
    orders: str, first: list[object], left_out: int | None, last: list[object], tmp_path: Path
) -> None:
    program = script(tmp_path, f"{orders}; exit 1")
    printed = re.sub("[0-9]{100,}", "MANY", fault_of(player_spec([str(program)], limits=PATIENT)).printed)
    between = [] if left_out is None else [f"[... {left_out:,} bytes omitted ...]"]
    assert printed == "".join(f"{line}\n" for line in (*first, *between, *last))


@pytest.mark.parametrize(
    ("orders", "kind"),
    [
        ("echo MemoryError; exit 1", "out of memory"),
        (
            "seq 1 5000; echo \"terminate called after throwing an instance of 'std::bad_alloc'\"; kill -ABRT $$",
            "out of memory",
        ),
        ('echo java.lang.OutOfMemoryError; seq 1 5000; echo >"$3"; exit 1', "out of memory"),
        ("echo 'java.lang.OutOfMemoryError: Java heap space'; exit 1", "out of memory"),
        (
            "echo '# There is insufficient memory for the Java Runtime Environment to continue.'; exit 1",
            "out of memory",
        ),
        ("echo 'fork: Cannot allocate memory'; exit 1", "out of memory"),
        ("echo KeyError; exit 1", "crash"),
        ("echo MemoryError; exit 0", "no output"),
        ('echo MemoryError; cp "$2" "$3"; exit 1', "unchanged board"),
    ],
)
def test_a_crash_by_lack_of_memory_has_a_name_of_its_own(orders: str, kind: str, tmp_path: Path) -> None:
    assert fault_of(player_spec([str(script(tmp_path, orders))], limits=PATIENT)).kind == kind


def test_a_program_that_takes_more_memory_than_it_may_is_out_of_memory() -> None:
    words = [sys.executable, "-S", "-E", "-c", "bytearray(300 << 20)", "{in}", "{out}"]
    fault = fault_of(player_spec(words, limits=replace(PATIENT, memory=200 << 20)))
    assert (fault.kind, fault.detail) == ("out of memory", "it ended with exit status 1")


def test_an_illegal_move_stays_one_when_the_exit_code_is_bad_too(tmp_path: Path) -> None:
    program = script(tmp_path, 'cp "$2" "$3"; exit 1')
    fault = fault_of(player_spec([str(program)], limits=PATIENT))
    assert fault.kind == "unchanged board"
    assert fault.detail.endswith("; it ended with exit status 1")


# Notes


@pytest.mark.parametrize(
    ("kind", "notes"),
    [
        ("crlf", ["line ends"]),
        ("crcrlf", ["line ends"]),
        ("no last newline", ["no last newline"]),
        ("blanks", ["blanks"]),
        ("same player", ["next player"]),
        ("no player", ["next player"]),
        ("extra lines", ["extra lines"]),
        ("byte order mark", ["byte order mark"]),
    ],
)
def test_a_good_move_in_another_shape_is_taken_and_noted(kind: str, notes: list[str]) -> None:
    assert notes_of(player("careless", kind)) == notes


@pytest.mark.parametrize(
    ("name", "notes"), [("failing", ["exit code"]), ("late_crasher", ["signal"]), ("chatty", ["printed much"])]
)
def test_deviations_in_format_are_noted(name: str, notes: list[str]) -> None:
    assert notes_of(player(name)) == notes


@pytest.mark.parametrize("name", ["forker", "daemoniser"])
def test_processes_that_are_left_running_are_ended_and_noted(name: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    assert notes_of(player(name, PIDS=str(pids))) == ["left processes running"]
    assert len(pids_in(pids)) == (6 if name == "forker" else 1)
    assert have_ended(pids_in(pids))


def test_folders_that_are_hard_to_remove_are_removed_and_links_not_followed(tmp_path: Path) -> None:
    keep = tmp_path / "keep"
    keep.mkdir()
    (keep / "file").write_text("stays")
    assert notes_of(player("untidy", KEEP=str(keep))) == []
    assert (keep / "file").read_text() == "stays"


def test_a_command_with_a_nul_in_it_is_refused() -> None:
    with pytest.raises(BadSetup, match="must not contain NUL"):
        player("honest", "a\0b")
    with pytest.raises(BadSetup, match="must not contain NUL"):
        player("honest", WORD="a\0b")
    with pytest.raises(BadSetup, match="'A=B' is not a name of an environment variable"):
        player_spec(["sh"], environment={"A=B": "x"})


@pytest.mark.parametrize("name", ["hermit", "recluse"])
def test_a_program_that_spoils_its_folder_is_to_blame_for_that(name: str) -> None:
    assert fault_of(player(name)).kind == "no output"


def test_the_fault_of_a_missing_output_names_other_files(tmp_path: Path) -> None:
    path = script(tmp_path, "touch computer.txt human.txt log me", "hard_coded")
    fault = fault_of(player_spec([str(path)], limits=PATIENT))
    assert (fault.kind, fault.detail) == (
        "no output",
        "it did not write output.txt, but it wrote 'computer.txt', 'human.txt', 'log'",
    )


@pytest.mark.parametrize(
    ("commands", "words"),
    [
        ('mkdir out; {move} one-move "$2" out/result.txt', "'out/result.txt' with a legal move in column 4"),
        ('{move} one-move "$2" x; mv x "$2"', "changed 'input.txt' with a legal move in column 4"),
        ('{move} one-move "$2" x; mv x mine.txt; exit 3', "'mine.txt' with a legal move in column 4"),
        ('{move} one-move "$2" x; cat x; rm x', "it printed the position after column 4"),
        ("echo >>notes.txt", "'notes.txt'"),
    ],
)
def test_the_fault_names_what_was_written_instead(commands: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "notes.txt").write_text("as it was")
    script(tmp_path / "ada", commands.format(move=command_line("honest")), "run.sh")
    fault = fault_of(player_spec(["sh", "run.sh"], folder=str(tmp_path / "ada"), limits=PATIENT))
    assert (fault.kind, fault.detail.endswith(words)) == ("crash" if "exit" in commands else "no output", True)


OLD = "import sys\nfrom move import position\nprint 'one move', sys.argv\n"


@pytest.mark.parametrize(
    ("source", "line", "reason"),
    [
        (OLD, 3, "print without parentheses"),
        ("print('three')\ntry:\n    pass\nexcept IOError, e:\n    pass\n", 4, "except with a comma"),
        ("if True:\n\tx = 1\n        y = 2\n", 3, "tabs mixed with blanks"),
        ("for x in xrange(3):\n    print(x)\n", 1, "xrange is not in Python 3"),
        ("import move\n", 1, "the operator <>"),
    ],
)
def test_a_program_for_python_2_is_named_and_run_with_python2(
    source: str, line: int, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "ada.py").write_text(source)
    (tmp_path / "move.py").write_text("if 1 <> 2: pass\n")
    for name in ("python3", "python2"):
        (tmp_path / name).mkdir()
        os.symlink(sys.executable, tmp_path / name / "python3")
    script(tmp_path / "python2", f'[ "$1" = -c ] || exec {command_line("honest")} "$2" "$3" "$4"', "python2")
    for name, installed in (("python3", False), ("python2", True)):
        path = f"{tmp_path / name}:/usr/bin:/bin" if name == "python2" else str(tmp_path / name)
        ada = player_spec(["python3", "ada.py"], base=str(tmp_path), environment={"PATH": path}, limits=PATIENT)
        program = Program(ada)
        found = program.python2
        assert found is not None
        assert (found.line, found.reason, found.interpreter is not None) == (line, reason, installed)
        answer = program.move(BOARD)
        assert (answer.column is not None) == installed
        assert installed or str(found) in str(answer.fault)


@pytest.mark.parametrize(
    "source",
    [
        "print('one')\n",
        "try:\n    input = raw_input\nexcept NameError:\n    pass\n",
        "xrange = range\nfor x in xrange(3): pass\n",
        "def broken(:\n",
    ],
)
def test_a_program_for_python_3_or_a_broken_one_is_not_for_python_2(source: str, tmp_path: Path) -> None:
    (tmp_path / "ada.py").write_text(source)
    assert Program(player_spec(["python3", "ada.py"], base=str(tmp_path), limits=PATIENT)).python2 is None


def test_an_answer_of_a_person_has_no_times_and_no_words() -> None:
    answer = MoveResult(4, None, (), 0.0)
    assert (answer.seconds, answer.printed) == (0.0, "")


def test_printing_much_is_noted(tmp_path: Path) -> None:
    for count, notes in ((100_000, []), (100_001, ["printed much"])):
        orders = f'head -c {count} /dev/zero; {command_line("honest")} "$@"'
        assert notes_of(player_spec([str(script(tmp_path, orders))], limits=PATIENT)) == notes
