"""Making sets of positions, by the command and as values."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from positions import WorkersInProcess
from terminal import PROGRAM, Terminal, maxconnect4
from waiting import have_ended, until, workers_of

from maxconnect4 import Solver, board_from_moves
from maxconnect4.benchmark.datasets import Recipe, build_positions, solver_workers
from maxconnect4.benchmark.positions import parse_position_set
from maxconnect4.book import shipped_book
from maxconnect4.errors import NotEnoughPositions
from maxconnect4.position_keys import key_of, layers, moves_from_key
from maxconnect4.referee.limits import children_of

Scores = tuple[int | None, ...]
FIRST: list[tuple[str, Scores]] = [
    ("5125376736463443331126566712", (-2, -2, None, -1, -1, None, -1)),
    ("73417255633313264113714617772", (None, -1, None, 1, -1, -2, None)),
    ("351767221215366323152274775313", (-2, None, None, -3, -2, -3, -3)),
]  # of seed 1, from 28 to 30 plies
LATE = ("positions", "--plies", "20-30", "--threads", "1", "--memory", "16M")


def made(earliest: int, latest: int, count: int, seed: int = 1) -> list[tuple[str, Scores]]:
    return build_positions(Recipe(earliest, latest, count, seed), WorkersInProcess())


@pytest.fixture(scope="module")
def forty() -> list[tuple[str, Scores]]:
    return made(20, 30, 40)


# What is in a set


def test_the_plies_go_round(forty: list[tuple[str, Scores]]) -> None:
    assert [len(moves) for moves, _ in forty] == [20 + number % 11 for number in range(40)]


def test_the_scores_are_those_of_the_solver_and_not_all_the_same(forty: list[tuple[str, Scores]]) -> None:
    solver = Solver(16 << 20, 1)
    for moves, scores in forty:
        analysis = solver.analyse(board_from_moves(moves), line=False)
        assert list(scores) == analysis.scores
        assert len(set(scores) - {None}) > 1


def test_no_two_are_alike_nor_mirror_images() -> None:
    positions = made(2, 3, 60)
    assert len({key_of(board_from_moves(moves)) for moves, _ in positions}) == 60


def test_a_smaller_set_is_the_beginning_of_a_larger_one_whatever_the_processes(forty: list[tuple[str, Scores]]) -> None:
    assert build_positions(Recipe(20, 30, 15, 1), solver_workers(3, 32 << 20)) == forty[:15]


def test_another_seed_gives_another_set(forty: list[tuple[str, Scores]]) -> None:
    assert not {moves for moves, _ in made(20, 30, 15, seed=2)} & {moves for moves, _ in forty}


def test_the_set_of_a_seed_never_changes() -> None:
    assert made(28, 30, 3) == FIRST


def test_where_there_are_few_the_others_give_more_and_all_can_be_had() -> None:
    good = Counter[int]()
    for plies, layer in enumerate(layers(2)):
        for key in layer:
            scores = shipped_book().scores(board_from_moves(moves_from_key(key)))
            assert scores is not None
            good[plies] += len(set(scores)) > 1
    there_are = good.total()
    assert 0 < good[1] < good[2]
    positions = made(0, 2, there_are)
    assert Counter(len(moves) for moves, _ in positions) == good
    assert made(0, 2, 9) == positions[:9]
    with pytest.raises(
        NotEnoughPositions, match=f"^{there_are + 1} .* of 0-2 plies cannot be found, only {there_are} "
    ):
        made(0, 2, there_are + 1)


def test_late_positions_with_two_cells_left_can_be_had() -> None:
    assert {sum(score is not None for score in scores) for _, scores in made(40, 40, 10)} == {2}


# The command


def test_the_command_writes_a_set_that_can_be_read(tmp_path: Path, forty: list[tuple[str, Scores]]) -> None:
    done = maxconnect4(*LATE, "--count", "25", "-o", tmp_path / "late.tsv")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{tmp_path / 'late.tsv'} has 25 positions of 20-30 plies.\n"
    found = parse_position_set(str(tmp_path / "late.tsv"))
    assert found.name == "late"
    assert [(position.board.moves, position.scores) for position in found.positions] == forty[:25]


def test_the_same_command_gives_the_same_bytes_with_their_origin(tmp_path: Path) -> None:
    first = maxconnect4(*LATE, "--count", "6", "--seed", "7")
    again = maxconnect4("positions", "--seed", "7", "--count", "6", "--plies", "20-30", "--threads", "2", "-o", "-")
    assert first.stdout == again.stdout
    assert first.stdout.startswith("# Made by maxconnect4 ")
    command = next(line for line in first.stdout.splitlines() if line.startswith("# maxconnect4 positions "))
    assert maxconnect4(*command.split()[2:], "--threads", "1").stdout == first.stdout


def test_one_number_of_plies_is_enough_and_the_empty_board_is_read_again(tmp_path: Path) -> None:
    for plies, count in (("0", 1), ("33", 2)):
        done = maxconnect4("positions", "--plies", plies, "--count", str(count), "-o", tmp_path / "set.tsv")
        assert done.returncode == 0, done.stderr
        positions = parse_position_set(str(tmp_path / "set.tsv")).positions
        assert [position.board.pieces() for position in positions] == [int(plies)] * count


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--plies", "41"), "--plies: '41' is not a range of plies"),
        (("--plies", "30-8"), "--plies: '30-8' is not"),
        (("--plies", "8-"), "--plies: '8-' is not"),
        (("--plies", "-8"), "--plies: '-8' is not"),
        (("--plies", "8-9-10"), "--plies: '8-9-10' is not"),
        (("--count", "0"), "--count: '0' is not a number of positions from 1 to 100,000"),
        (("--count", "many"), "--count: 'many' is not a number of positions from 1 to 100,000"),
        (("--seed", "-1"), "--seed: "),
        (("--seed", "1" * 19), "--seed: '1111111111111111111' is not a seed"),
        pytest.param(
            ("--plies", "0-1", "--count", "100"),
            "100 different positions of 0-1 plies cannot be found, only 3 ",
            marks=pytest.mark.long,
        ),
        (("--plies", "0", "--count", "2"), "2 different positions of 0 plies cannot be found, only 1 "),
        (("--plies", "1", "--count", "5"), "5 different positions of 1 ply cannot be found, only 2 "),
    ],
)
def test_invalid_arguments_are_one_line_and_nothing_is_written(
    words: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    done = maxconnect4("positions", *words, "-o", "set.tsv", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_is_an_error_before_any_work(tmp_path: Path) -> None:
    done = maxconnect4("positions", "--count", "100000", "-o", tmp_path / "no" / "set.tsv")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "cannot be written: there is no folder" in done.stderr


def test_ctrl_c_leaves_the_old_file_and_no_process(tmp_path: Path) -> None:
    (tmp_path / "set.tsv").write_text("12\n")
    terminal = Terminal("positions", "--plies", "20-30", "--count", "50000", "-o", "set.tsv", cwd=tmp_path)
    terminal.wait_for("of 50,000 positions")
    until(lambda: workers_of(terminal.pid))
    started = children_of(terminal.pid)
    terminal.type("\x03")
    assert terminal.close() == 130
    assert "maxconnect4: interrupted" in terminal.screen
    assert "Traceback" not in terminal.screen
    assert have_ended(started, within=10)
    assert (tmp_path / "set.tsv").read_text() == "12\n"


def test_positions_solved_before_ctrl_c_are_not_solved_again(tmp_path: Path, forty: list[tuple[str, Scores]]) -> None:
    words, expected = [*LATE, "--count", "50000", "-o", "set.tsv"], forty[:12]
    moves, scores = expected[0]
    with subprocess.Popen([PROGRAM, *words], cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        selected = tmp_path / "set.tsv.unfinished"
        until(lambda: process.poll() is not None or (selected.exists() and moves in rows(selected)))
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=20)
    told = "interrupted; solved positions are in set.tsv.unfinished; repeat the command to resume"
    assert process.returncode == 130
    assert complaint.endswith(f"maxconnect4: {told}\n"), "after lines of progress, on a busy machine"
    assert [path.name for path in tmp_path.iterdir()] == ["set.tsv.unfinished"]
    assert json.loads(rows(selected)[moves]) == list(scores)
    with closing(sqlite3.connect(selected)) as database:  # what is believed cannot have been solved again
        believed = json.dumps([score and score + 50 for score in scores])
        database.execute("UPDATE solved SET scores = ? WHERE moves = ?", (believed, moves))
        database.commit()
    words[words.index("50000")] = "12"
    done = maxconnect4(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == ["set.tsv"], "what was kept is gone"
    lines = (tmp_path / "set.tsv").read_text().splitlines()
    there = {line.split("\t")[0]: line for line in lines if line[0].isdigit()}
    assert list(there) == [moves for moves, _ in expected]
    assert max(map(int, there[moves].replace(".", "0").split("\t")[1:])) > 40


def rows(path: Path) -> dict[str, str]:
    """The scores in a set that is being made, read past our own code."""
    with closing(sqlite3.connect(f"file:{path}?mode=rw", uri=True, timeout=60)) as database:
        if not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:  # it has just been made
            return {}
        return dict(database.execute("SELECT moves, scores FROM solved"))


def test_ctrl_c_without_a_terminal_is_one_line() -> None:
    command = [PROGRAM, "positions", "--plies", "8", "--count", "50000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        until(lambda: workers_of(process.pid))
        started = children_of(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=20) == ("", "maxconnect4: interrupted\n")
        assert process.returncode == 130
    assert have_ended(started, within=10)
