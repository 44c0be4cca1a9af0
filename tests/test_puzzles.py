"""Puzzles: exactly one best column, a plausible wrong one, and the command that generates and checks them."""

from __future__ import annotations

import datetime
import random
from pathlib import Path

import pytest
from api_client import ApiClient
from terminal import maxconnect4

from maxconnect4 import Solver
from maxconnect4.board import GAMES
from maxconnect4.errors import BadFile
from maxconnect4.position_keys import key_of
from maxconnect4.puzzles import Collection, Puzzle, daily_number, make_puzzle, parse_puzzles, shipped_puzzles
from maxconnect4.scores import sign

SHIPPED = [puzzle for game in GAMES for puzzle in shipped_puzzles()[game]]
SAMPLES = [12, pytest.param(len(SHIPPED), marks=pytest.mark.long)]


def test_at_least_500_puzzles_of_all_grades_are_shipped() -> None:
    assert len(SHIPPED) >= 500
    for game in GAMES:
        puzzles = shipped_puzzles()[game]
        assert len({key_of(puzzle.board()) for puzzle in puzzles}) == len(puzzles) >= 200
        assert min(sum(puzzle.grade == grade for puzzle in puzzles) for grade in (1, 2, 3)) >= 50
        assert {puzzle.goal for puzzle in puzzles} >= {"win", "draw"}


@pytest.mark.parametrize("count", SAMPLES)
def test_exactly_one_column_of_a_shipped_puzzle_is_best(count: int) -> None:
    solver = Solver(threads=1)
    for puzzle in random.Random(5).sample(SHIPPED, count):
        board = puzzle.board()
        scores = solver.analyse(board, line=False).scores
        assert scores is not None
        known = sorted(score for score in scores if score is not None)
        assert (scores[puzzle.column - 1], known[-1], known[-2]) == (puzzle.value, puzzle.value, puzzle.second)
        better = sign if puzzle.game == "classic" else int
        assert [i for i, score in enumerate(scores, 1) if score is not None and better(score) == better(known[-1])] == [
            puzzle.column
        ]
        assert puzzle.tempting != puzzle.column
        assert puzzle.tempting in board.columns()
        assert make_puzzle(board, solver) == puzzle


def test_a_year_of_daily_puzzles_has_no_puzzle_twice_within_the_list() -> None:
    for game in GAMES:
        count = len(shipped_puzzles()[game])
        first = datetime.date.fromordinal(count * (739_000 // count))
        numbers = [daily_number(game, first + datetime.timedelta(days)) for days in range(count)]
        assert sorted(numbers) == list(range(count))


def test_generation_is_reproducible_and_resumes(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.tsv", tmp_path / "parts.tsv"
    one_thread = ("--threads", "1", "--memory", "16M")
    assert maxconnect4("puzzles", whole, "--count", "3", "--seed", "4", *one_thread).returncode == 0
    collection = parse_puzzles(whole.read_text(), "whole.tsv")
    assert {game: len(collection.puzzles[game]) for game in GAMES} == {"max": 3, "classic": 3}
    assert len({puzzle.grade for puzzle in collection.puzzles["max"]}) > 1
    resumed = Collection(4)
    for game in GAMES:
        next(resumed.extend(game, 3, Solver(threads=1)))
    parts.write_text(resumed.text())
    assert maxconnect4("puzzles", parts, "--count", "3", *one_thread).returncode == 0
    assert parts.read_text() == whole.read_text()
    assert maxconnect4("puzzles", whole, "--verify", *one_thread).returncode == 0
    first = collection.puzzles["max"][0]
    whole.write_text(
        whole.read_text().replace(f"{first.moves}\t{first.column}\t", f"{first.moves}\t{first.tempting}\t")
    )
    assert maxconnect4("puzzles", whole, "--verify", *one_thread).returncode == 1


@pytest.mark.parametrize(("text", "problem"), [("", "line 1"), ("# seed 1 max 2 classic 3.\n4453\n", "line 2")])
def test_a_file_that_has_no_puzzles_is_refused(text: str, problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        parse_puzzles(text, "file")


def test_a_line_that_is_not_a_puzzle_is_refused(tmp_path: Path) -> None:
    (head, names, *_) = Collection().text().splitlines()
    for row in ("max\t4453\t4\t1\t0\t8\t3", "max\t44x\t4\t1\t0\t3\t3", "go\t\t4\t1\t0\t3\t3", "max\t4453\t4"):
        with pytest.raises(BadFile, match="line 3"):
            parse_puzzles(f"{head}\n{names}\n{row}\n", "file")
    (tmp_path / "other.txt").write_text("4453\n")
    done = maxconnect4("puzzles", tmp_path / "other.txt")
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    assert (tmp_path / "other.txt").read_text() == "4453\n"


def test_the_api_has_the_puzzles_and_the_daily_one(client: ApiClient) -> None:
    for game in GAMES:
        told = client.get("/puzzles", game=game, date="2026-11-20")
        assert [(each["moves"], each["column"], each["grade"]) for each in told["puzzles"]] == [
            (puzzle.moves, puzzle.column, puzzle.grade) for puzzle in shipped_puzzles()[game]
        ]
        assert told["daily"] == daily_number(game, datetime.date(2026, 11, 20))
    assert "2026-13-01" in client.refused("GET", "/puzzles?date=2026-13-01")


def test_the_goal_of_a_puzzle_comes_from_its_values() -> None:
    def goal(value: int, second: int) -> str:
        return Puzzle(game="max", moves="", column=4, value=value, second=second, tempting=3, depth=4).goal

    assert [goal(2, 0), goal(0, -1), goal(3, 1), goal(-1, -2)] == ["win", "draw", "points", "points"]
