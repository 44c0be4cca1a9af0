from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from asking import Asking, asking
from hypothesis import given
from positions import SAMPLE, boards, random_board

from maxconnect4 import Board
from maxconnect4.board import GREEN, RED
from maxconnect4.files import board_as_text
from maxconnect4.web.facts.positions import described, position_from, query, start_of


@pytest.fixture(scope="module")
def somebody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    """A client of one application for all tests of this module."""
    with asking(tmp_path_factory.mktemp("server")) as somebody:
        yield somebody


def test_a_position_is_described_for_somebody_who_knows_no_rules(somebody: Asking) -> None:
    told = somebody.get("/position", moves="4453")
    assert told["cells"] == ["0000000", "0000000", "0000000", "0000000", "0002000", "0021100"]
    assert (told["game"], told["start"], told["moves"]) == ("max", None, "4453")
    assert (told["to_move"], told["columns"]) == (RED, [1, 2, 3, 4, 5, 6, 7])
    assert told["words"] == "Green drops in column 3. Red is to move."
    assert [(drop["column"], drop["row"]) for drop in told["drops"]] == [(4, 1), (4, 2), (5, 1), (3, 1)]
    assert told["text"].splitlines()[-1] == "1"


def test_the_empty_board_has_words_too(somebody: Asking) -> None:
    assert somebody.get("/position")["words"] == "Red is to move."


def test_a_drop_that_makes_two_fours_scores_both(somebody: Asking) -> None:
    last = somebody.get("/position", moves="112233554")["drops"][-1]
    assert sorted(last["fours"]) == [[[1, 1], [2, 1], [3, 1], [4, 1]], [[2, 1], [3, 1], [4, 1], [5, 1]]]
    assert last["words"] == "Red drops in column 4 and scores 2 points: red 2, green 0."


def test_a_drop_that_makes_a_four_says_so(somebody: Asking) -> None:
    told = somebody.get("/position", moves="1122334")
    assert told["drops"][-1]["fours"] == [[[1, 1], [2, 1], [3, 1], [4, 1]]]
    assert told["drops"][-1]["words"] == "Red drops in column 4 and scores 1 point: red 1, green 0."
    assert (told["points"], told["over"]) == ([1, 0], False)


def test_the_first_four_ends_the_classic_game(somebody: Asking) -> None:
    told = somebody.get("/position", moves="1122334", game="classic")
    assert (told["over"], told["winner"], told["columns"]) == (True, RED, [])
    assert told["result"] == "Red wins with four."
    assert told["drops"][-1]["columns"] == []


@given(boards())
def test_the_description_is_what_the_rules_say(board: Board) -> None:
    told = described(board)
    assert told["columns"] == board.columns()
    assert told["text"] == board_as_text(board)
    for player in (RED, GREEN):
        fours = sorted(tuple(map(tuple, four)) for four in told["fours"][player - 1])
        assert fours == sorted(board.fours(player))
    replay = Board()
    for drop in told["drops"]:
        replay.drop(drop["column"])
        assert drop["points"] == [replay.points(RED), replay.points(GREEN)]
        assert drop["columns"] == replay.columns()
        assert replay.cell(drop["column"], drop["row"]) == drop["player"]
        assert drop["number"] == replay.pieces()


@given(boards())
def test_a_position_that_was_set_up_is_named_by_its_digits(board: Board) -> None:
    set_up = Board.from_rows(board.rows())
    start = start_of(set_up)
    assert position_from("max", start) == set_up
    assert described(set_up)["begin"]["points"] == [board.points(RED), board.points(GREEN)]


def test_a_position_file_and_a_move_string_can_be_pasted(somebody: Asking) -> None:
    assert somebody.post("/position", text=SAMPLE)["text"] == SAMPLE
    assert somebody.post("/position", text=SAMPLE.replace("\n", "\r\r\n"))["text"] == SAMPLE
    assert somebody.post("/position", text=" 4453\n")["moves"] == "4453"
    assert somebody.post("/position", text="445\n3")["moves"] == "4453"
    assert somebody.post("/position", text="1212")["moves"] == "1212"
    assert somebody.post("/position", text="1122334", game="classic")["over"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the position is empty"),
        ("44444444", "move 7 of '44444444': column 4 is full"),
        ("48", "move 2 of '48': there is no column 8: they are 1 to 7"),
        ("405", "move 2 of '405': there is no column 0: they are 1 to 7"),
        ("0000000\n000000\n", "the position, line 3: the file has 2 lines instead of 7"),
        ("1212121\n2121212\n", "the position, line 3: the file has 2 lines instead of 7"),
        ("0" * 42, "the position, line 2: the file has 1 line instead of 7"),
        (SAMPLE.replace("0", "3", 1), "the position, line 1: '3' is not 0, 1 or 2"),
        ("44x", "'44x' is not a move string: it has to be columns from 1 to 7, such as 44535"),
        ("hello there", "the position, line 1: 'h' is not 0, 1 or 2"),
        (SAMPLE[:-2] + "2\n", "the position, line 7: 2 (green) cannot be to move with 6 red and 6 green pieces"),
        ("0000100\n" + SAMPLE[8:], "the position, line 1: the piece in column 5, row 6 floats above an empty cell"),
    ],
)
def test_what_is_no_position_is_refused_in_words(somebody: Asking, text: str, words: str) -> None:
    assert somebody.refused("POST", "/position", json={"text": text}) == words


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("game=chess", "game has to be one of max, classic, not 'chess'"),
        ("start=012", "'012' is not a start: it has to be 42 digits, each 0, 1 or 2"),
        ("moves=4x", "'4x' is not a move string: it has to be columns from 1 to 7, such as 44535"),
        ("moves=4444444", "move 7 of '4444444': column 4 is full"),
        ("moves=4&moves=5", "'moves' is given twice"),
        ("drops=4", "'drops' is not known here: there is game, start, moves"),
        ("moves=" + "1" * 43, "moves has to be a text of at most 42 characters, not '" + "1" * 43 + "'"),
    ],
)
def test_a_name_of_no_position_is_refused_in_words(somebody: Asking, query: str, words: str) -> None:
    assert somebody.refused("GET", f"/position?{query}") == words


def test_the_page_can_be_opened_at_a_position() -> None:
    assert query("max", None) == ""
    assert query("classic", None) == "?game=classic"
    assert query("max", position_from(moves="4453")) == "?game=max&moves=4453"
    set_up = Board.from_rows(random_board(random.Random(1), 5).rows())
    assert query("max", set_up) == f"?game=max&start={start_of(set_up)}"
