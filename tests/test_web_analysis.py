"""What the server says of positions: against exact values, and against the library."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from api_client import ApiClient, api_client
from plain_minimax import column_values
from positions import digits, exact_positions, full_board, random_board

from maxconnect4 import board_from_moves
from maxconnect4.review import review
from maxconnect4.search import CLASSIC_WIN, EVALUATIONS, choose
from maxconnect4.web.analysis import bounds as value_bounds
from maxconnect4.web.api import TimeLimits

EXACT = exact_positions()
LATE = [each for each in EXACT if len(each[0]) >= 16]
EXACT_SOME = [
    *random.Random(6).sample(LATE, 8),
    *(pytest.param(*each, marks=pytest.mark.long) for each in random.Random(6).sample(EXACT, 25)),
]
LONG_HINTS = [pytest.param(*each, marks=pytest.mark.long) for each in random.Random(7).sample(EXACT, 10)]
UNKNOWN = {"low": None, "high": None, "label": "?", "value": None, "tone": "unknown"}
CLASSIC = "345172625527175777"  # 18 plies, red wins with piece 37


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    """A client of one application for all tests of this module."""
    with api_client(tmp_path_factory.mktemp("server")) as lasting:
        yield lasting


def test_the_root_lists_levels_evaluations_and_jobs(client: ApiClient) -> None:
    told = client.get("")
    assert told == client.get("/") | {"jobs": told["jobs"]}
    assert told["api"] == 2
    assert [level["level"] for level in told["levels"]["max"]] == list(range(1, 9))
    assert [each["name"] for each in told["evaluations"]] == list(EVALUATIONS)
    assert told["jobs"]["moves"] == {"running": 0, "waiting": 0}


@pytest.mark.parametrize(("moves", "value", "scores"), EXACT_SOME)
def test_every_column_has_its_margin(lasting: ApiClient, moves: str, value: int, scores: list[int | None]) -> None:
    told = lasting.get("/analysis", moves=moves)
    assert told["exact"]
    assert (told["value"], told["scores"]) == (value, scores)
    assert (told["bounds"]["low"], told["bounds"]["high"]) == (value, value)
    assert [column and column["low"] for column in told["columns"]] == scores
    assert [column and column["high"] for column in told["columns"]] == scores
    assert told["best"]
    assert all(scores[column - 1] == value for column in told["best"])
    board = board_from_moves(moves + told["pv"])
    assert board.is_full()
    assert board.margin(board_from_moves(moves).to_move) == value


def test_the_margins_are_labelled_for_people(client: ApiClient) -> None:
    told = client.get("/analysis", moves="4453")
    assert told["columns"][3] == {"low": 0, "high": 0, "label": "0", "value": 0, "tone": "draw"}
    assert told["columns"][0] == {"low": -2, "high": -2, "label": "-2", "value": -2, "tone": "loss"}
    assert told["description"] == "With perfect play the game is a draw. Best: column 4."
    assert told["source"] == "book"


def bounds(column: Any) -> set[int]:
    """The margins that a column may still have."""
    low, high = column["low"], column["high"]
    return set(range(-99 if low is None else low, 100 if high is None else high + 1))


def test_the_bounds_close_in_while_one_listens(tmp_path: Path) -> None:
    moves, value, scores = next(known for known in EXACT if known[0] == "151611257752")
    with api_client(tmp_path, limits=TimeLimits(analysis_seconds=250)) as client:  # it gives way to other processes
        *progress, (last, done) = client.events("/analysis/events", moves=moves)
    assert last == "done"
    assert [column and column["low"] for column in done["columns"]] == scores
    assert progress, "it takes more than a tenth of a second"
    for (_, before), (_, after) in pairwise(progress):
        for earlier, later in zip(before["columns"], after["columns"], strict=True):
            assert earlier is later is None or bounds(later) <= bounds(earlier), "nothing that is known gets lost"
    known = [sum(len(bounds(column)) for column in told["columns"] if column) for _, told in progress]
    assert known[-1] < known[0], "the columns that are left to find"
    for name, told in progress:
        assert name == "progress"
        assert told["nodes"] > 0
        for column, score in zip(told["columns"], scores, strict=True):
            assert score is None or score in bounds(column)
        assert value in bounds(told["bounds"])


def test_a_bound_out_of_sight_is_null(tmp_path: Path) -> None:
    with api_client(tmp_path, limits=TimeLimits(analysis_seconds=0.15)) as client:
        told = client.get("/analysis", start="0" * 28 + "10000002000000")  # which takes far longer
    assert not told["exact"]
    assert told["pv"] is None
    assert UNKNOWN in told["columns"]
    assert told["description"].startswith("Not solved within")


def test_a_full_board_has_nothing_left_to_analyse(client: ApiClient) -> None:
    board = full_board(random.Random(2))
    told = client.get("/analysis", moves=board.moves)
    assert told["bounds"]["low"] == board.margin(board.to_move)
    assert (told["columns"], told["best"], told["pv"]) == ([None] * 7, [], "")


@pytest.mark.parametrize("seed", range(10))
def test_the_end_of_a_classic_game_is_settled(lasting: ApiClient, seed: int) -> None:
    board = random_board(random.Random(seed), 32, "classic")
    told = lasting.get("/analysis", game="classic", moves=board.moves)
    assert told["exact"]
    expected = column_values(board, 10, "margin")
    for column, known in enumerate(told["columns"], start=1):
        if column in board.columns():
            sign = (expected[column] > 0) - (expected[column] < 0)
            assert known["low"] == known["high"] == sign
            assert known["tone"] == ("loss", "draw", "win")[sign + 1]
            pieces = CLASSIC_WIN - abs(expected[column])
            assert known["value"] == (sign * ((42 - pieces) // 2 + 1) if sign else 0)
            assert known["label"] == (f"{known['tone']} in {(pieces - 32 + 1) // 2}" if sign else "draw")
        else:
            assert known is None


def test_a_classic_win_has_its_ply_and_line(client: ApiClient) -> None:
    told = client.get("/analysis", game="classic", moves=CLASSIC)
    assert told["bounds"] == {"low": 1, "high": 1, "label": "win in 10", "value": 3, "tone": "win"}
    assert [column and column["label"] for column in told["columns"]][3:] == ["draw", "win in 12", "win in 10", None]
    assert told["description"] == "With perfect play red wins in 10 moves. Best: column 6."
    end = board_from_moves(CLASSIC + told["pv"], "classic")
    assert (end.winner(), end.pieces()) == (1, 37)
    lost = client.get("/analysis", game="classic", moves=CLASSIC + "6")
    assert (lost["bounds"]["label"], lost["value"]) == ("loss in 9", -3)
    assert lost["description"].startswith("With perfect play red wins in 9 moves.")


def test_a_classic_timeout_has_the_proved_bounds(tmp_path: Path) -> None:
    with api_client(tmp_path, limits=TimeLimits(analysis_seconds=0.3)) as client:
        start = "0" * 28 + "10000002000000"  # which no book has: no game comes to it
        *_, (last, told) = client.events("/analysis/events", game="classic", start=start)
    assert (last, told["exact"], told["best"], told["pv"]) == ("done", False, [], None)
    assert any(column["value"] is None for column in told["columns"])
    for column in told["columns"]:
        assert column["label"].split(" in ")[0] in ("win", "draw", "loss", "no win", "no loss", "?")
        assert column["value"] is None or " in " in column["label"] or column["label"] == "draw"
    assert told["description"] == "Not solved within 0.3 seconds; the results are within these bounds."


def test_proved_classic_bounds_are_described_briefly() -> None:
    board = board_from_moves(CLASSIC, "classic")
    for low, high, label, ends in (
        (-12, 12, "?", (None, None)),
        (0, 12, "no loss", (0, None)),
        (-12, 0, "no win", (None, 0)),
        (1, 5, "win", (1, 1)),
        (-3, -1, "loss", (-1, -1)),
        (-1, -1, "loss in 12", (-1, -1)),
    ):
        told = value_bounds(board, low, high)
        assert (told.label, (told.low, told.high), told.value) == (label, ends, low if low == high else None)


def test_a_finished_classic_game_has_the_value_of_its_result(client: ApiClient) -> None:
    told = client.get("/analysis", game="classic", moves="1122334")
    assert (told["bounds"]["low"], told["exact"], told["columns"]) == (-1, True, [None] * 7)
    assert told["description"] == "Red has four in a row and wins."


@pytest.mark.parametrize("evaluation", ["best", "lines"])
def test_the_computer_chooses_what_the_library_chooses(client: ApiClient, evaluation: str) -> None:
    for moves in ("", "4453", "44535"):
        told = client.get("/choice", moves=moves, depth=6, evaluation=evaluation)
        chosen = choose(board_from_moves(moves), 6, evaluation=evaluation)
        assert (told["column"], told["value"], told["depth"]) == (chosen.column, chosen.value, 6)
        assert told["description"] == f"Column {chosen.column}, found by a search to depth 6."


def test_a_classic_choice_describes_the_win_or_that_none_is_in_sight(client: ApiClient) -> None:
    told = client.get("/choice", game="classic", moves="4453", depth=4)
    assert (
        told["description"]
        == f"Column {told['column']}, found by a search to depth 4, which found neither a win nor a loss."
    )
    told = client.get("/choice", game="classic", moves="112233", depth=4)
    assert (told["description"], told["value"]) == ("Column 4. With perfect play red wins with its next move.", 18)
    told = client.get("/choice", game="classic", moves="4455", depth=5)
    assert told["description"] == "Column 3. With perfect play red wins in 2 moves."


@pytest.mark.parametrize("level", range(1, 9))
@pytest.mark.parametrize("game", ["max", "classic"])
def test_each_level_chooses_a_legal_column(lasting: ApiClient, game: str, level: int) -> None:
    told = lasting.get("/choice", game=game, moves=CLASSIC, level=level)
    assert told["column"] in (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(("moves", "value", "scores"), [*random.Random(7).sample(LATE, 4), *LONG_HINTS])
def test_a_hint_is_perfect(lasting: ApiClient, moves: str, value: int, scores: list[int | None]) -> None:
    told = lasting.get("/choice", moves=moves)
    assert (told["exact"], told["value"], scores[told["column"] - 1]) == (True, value, value)


def test_a_hint_in_the_classic_game_is_perfect_too(client: ApiClient) -> None:
    told = client.get("/choice", game="classic", moves=CLASSIC)
    assert (told["exact"], told["value"], told["column"]) == (True, 3, 6)
    assert told["description"] == "Column 6. With perfect play red wins in 10 moves."
    assert client.get("/choice", game="classic", moves=CLASSIC, level=8)["description"] == told["description"]


def test_a_hint_that_takes_too_long_is_the_best_that_can_be_had(tmp_path: Path) -> None:
    with api_client(tmp_path, limits=TimeLimits(perfect_seconds=0.01, fallback_seconds=0.2)) as client:
        told = client.get("/choice", moves="536311723")
    assert not told["exact"]
    assert told["depth"] > 8


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("level=4&depth=3", "give either a level, or a depth and an evaluation"),
        ("evaluation=best", "an evaluation requires a depth"),
        ("depth=43", "the parameter 'depth' must be a whole number from 0 to 42, not '43'"),
        ("depth=-1", "the parameter 'depth' must be a whole number from 0 to 42, not '-1'"),
        ("depth=perfect", "the parameter 'depth' must be a whole number from 0 to 42, not 'perfect'"),
        ("depth=", "the parameter 'depth' must be a whole number from 0 to 42, not ''"),
        ("level=9", "the parameter 'level' must be a whole number from 1 to 8, not '9'"),
        ("game=classic&moves=1122334", "the game is over: there is no column to choose"),
    ],
)
def test_an_invalid_choice_is_refused_with_a_message(lasting: ApiClient, query: str, words: str) -> None:
    assert lasting.refused("GET", f"/choice?{query}") == words


@pytest.mark.parametrize("moves", ["4453144", pytest.param("4453144256", marks=pytest.mark.long)])
def test_a_review_is_that_of_the_library(client: ApiClient, moves: str) -> None:
    found = review(moves)
    told = client.get("/review", moves=moves)
    assert told["values"] == found.values()
    assert told["margins"] == found.margins
    assert [move["regret"] for move in told["review"]] == [move.regret for move in found.moves]
    assert [player["mistakes"] for player in (told["red"], told["green"])] == [
        found.summary(player).mistakes for player in (1, 2)
    ]
    *progress, (last, done) = client.events("/review/events", moves=moves)
    assert (last, done) == ("done", told)
    assert all(name == "progress" and news["total"] == len(moves) for name, news in progress)


def test_a_game_from_a_position_that_was_set_up_can_be_reviewed(client: ApiClient) -> None:
    moves = "144563327435476762"
    start = digits(board_from_moves(moves[:16]))
    told = client.get("/review", start=start, moves=moves[16:])
    assert [move["number"] for move in told["review"]] == [17, 18]
    assert told["values"] == review(moves, after=16).values()


def test_only_what_was_played_can_be_reviewed(client: ApiClient) -> None:
    assert client.refused("GET", "/review") == "the game has no moves to review"


def test_a_classic_game_is_reviewed_by_who_wins(client: ApiClient) -> None:
    start = digits(board_from_moves(CLASSIC))
    told = client.get("/review", game="classic", start=start, moves="1414261")
    assert told["values"] == [3, 2, 2, 2, 10, -10, 9, 9]
    assert [move["regret"] for move in told["review"]] == [1, 0, 0, 8, 20, 19, 0]
    assert [move["number"] for move in told["review"] if move["mistake"]] == [23, 24]
    words = [move["description"] for move in told["review"]]
    assert words[0] == "Red plays column 1 and wins 1 move later than possible: column 6 is best."
    assert words[1] == "Green plays column 4, a perfect move."
    assert words[3] == "Green plays column 4 and loses 8 moves sooner than necessary: column 1 is best."
    assert words[4] == "Red plays column 2 and turns a win into a loss: column 1 keeps the win."
    assert told["red"]["description"].startswith("Red made 1 mistake in 4 moves: move 23. 1 other move")
    assert (told["green"]["mistakes"], told["green"]["detours"], told["green"]["worst"]) == (1, 1, 24)
    assert [player["perfect_share"] for player in (told["red"], told["green"])] == pytest.approx([1 / 2, 1 / 3])


def test_a_review_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    with api_client(tmp_path, limits=TimeLimits(review_seconds=0.0)) as client:
        assert client.refused("GET", "/review?moves=4453", 503) == "the search took too long and was stopped"
        assert client.events("/review/events", moves="4453") == [
            ("failed", {"error": "the search took too long and was stopped"})
        ]
