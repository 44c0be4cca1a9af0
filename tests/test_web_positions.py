from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from api_client import ApiClient, api_client
from hypothesis import given
from positions import SAMPLE, boards, random_board

from maxconnect4 import Board
from maxconnect4.board import GREEN, RED
from maxconnect4.position_file import board_as_text
from maxconnect4.web.positions import describe, position_from, position_query, start_of


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    """A client of one application for all tests of this module."""
    with api_client(tmp_path_factory.mktemp("server")) as client:
        yield client


def test_a_position_is_described_for_clients_without_the_rules(client: ApiClient) -> None:
    told = client.get("/position", moves="4453")
    assert told["cells"] == ["0000000", "0000000", "0000000", "0000000", "0002000", "0021100"]
    assert (told["game"], told["start"], told["moves"]) == ("max", None, "4453")
    assert (told["to_move"], told["columns"]) == (RED, [1, 2, 3, 4, 5, 6, 7])
    assert told["description"] == "Green plays column 3. Red to move."
    assert [(drop["column"], drop["row"]) for drop in told["history"]] == [(4, 1), (4, 2), (5, 1), (3, 1)]
    assert told["text"].splitlines()[-1] == "1"


def test_the_empty_board_has_words_too(client: ApiClient) -> None:
    assert client.get("/position")["description"] == "Red to move."


def test_a_drop_that_makes_two_fours_scores_both(client: ApiClient) -> None:
    last = client.get("/position", moves="112233554")["history"][-1]
    assert sorted(last["fours"]) == [[[1, 1], [2, 1], [3, 1], [4, 1]], [[2, 1], [3, 1], [4, 1], [5, 1]]]
    assert last["description"] == "Red plays column 4 and scores 2 points: red 2, green 0."


def test_a_drop_has_the_fours_that_it_makes(client: ApiClient) -> None:
    told = client.get("/position", moves="1122334")
    assert told["history"][-1]["fours"] == [[[1, 1], [2, 1], [3, 1], [4, 1]]]
    assert told["history"][-1]["description"] == "Red plays column 4 and scores 1 point: red 1, green 0."
    assert (told["points"], told["over"]) == ([1, 0], False)


def test_the_first_four_ends_the_classic_game(client: ApiClient) -> None:
    told = client.get("/position", moves="1122334", game="classic")
    assert (told["over"], told["winner"], told["columns"]) == (True, RED, [])
    assert told["result"] == "Red has four in a row and wins."
    assert told["history"][-1]["columns"] == []


def described_position(board: Board) -> Any:
    """The JSON of a position."""
    return msgspec.to_builtins(describe(board))


@given(boards())
def test_the_description_is_what_the_rules_say(board: Board) -> None:
    told = described_position(board)
    assert told["columns"] == board.columns()
    assert told["text"] == board_as_text(board)
    for player in (RED, GREEN):
        fours = sorted(tuple(map(tuple, four)) for four in told["fours"][player - 1])
        assert fours == sorted(board.fours(player))
    replay = Board()
    for drop in told["history"]:
        replay.drop(drop["column"])
        assert drop["points"] == (replay.points(RED), replay.points(GREEN))
        assert drop["columns"] == replay.columns()
        assert replay.cell(drop["column"], drop["row"]) == drop["player"]
        assert drop["number"] == replay.pieces()


@given(boards())
def test_a_position_that_was_set_up_is_named_by_its_digits(board: Board) -> None:
    set_up = Board.from_rows(board.rows())
    start = start_of(set_up)
    assert position_from("max", start) == set_up
    assert described_position(set_up)["initial"]["points"] == (board.points(RED), board.points(GREEN))


def test_a_position_file_and_a_move_string_can_be_pasted(client: ApiClient) -> None:
    assert client.post("/position", text=SAMPLE)["text"] == SAMPLE
    assert client.post("/position", text=SAMPLE.replace("\n", "\r\r\n"))["text"] == SAMPLE
    assert client.post("/position", text=" 4453\n")["moves"] == "4453"
    assert client.post("/position", text="445\n3")["moves"] == "4453"
    assert client.post("/position", text="1212")["moves"] == "1212"
    assert client.post("/position", text="1122334", game="classic")["over"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the position is empty"),
        ("44444444", "move 7 of '44444444': column 4 is full"),
        ("48", "move 2 of '48': there is no column 8: choose 1 to 7"),
        ("405", "move 2 of '405': there is no column 0: choose 1 to 7"),
        ("0000000\n000000\n", "the position, line 3: the file has 2 lines instead of 7"),
        ("1212121\n2121212\n", "the position, line 3: the file has 2 lines instead of 7"),
        ("0" * 42, "the position, line 2: the file has 1 line instead of 7"),
        (SAMPLE.replace("0", "3", 1), "the position, line 1: '3' is not 0, 1 or 2"),
        ("44x", "'44x' is not a move string: it must be columns from 1 to 7, such as 44535"),
        ("hello there", "the position, line 1: 'h' is not 0, 1 or 2"),
        (SAMPLE[:-2] + "2\n", "the position, line 7: 2 (green) cannot be to move with 6 red and 6 green pieces"),
        ("0000100\n" + SAMPLE[8:], "the position, line 1: the piece in column 5, row 6 floats above an empty cell"),
    ],
)
def test_an_invalid_position_is_refused_with_a_message(client: ApiClient, text: str, words: str) -> None:
    assert client.refused("POST", "/position", json={"text": text}) == words


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("game=chess", "the parameter 'game' must be one of classic, max, not 'chess'"),
        ("start=012", "'012' is not a starting position: it must be 42 digits, each 0, 1 or 2"),
        ("moves=4x", "'4x' is not a move string: it must be columns from 1 to 7, such as 44535"),
        ("moves=4444444", "move 7 of '4444444': column 4 is full"),
        ("moves=4&moves=5", "the parameter 'moves' is given twice"),
        ("drops=4", "'drops' is not a parameter: choose from game, start, moves"),
        ("moves=" + "1" * 43, "the parameter 'moves' must be a text of at most 42 characters, not '" + "1" * 43 + "'"),
    ],
)
def test_an_invalid_query_is_refused_with_a_message(client: ApiClient, query: str, words: str) -> None:
    assert client.refused("GET", f"/position?{query}") == words


def test_the_page_can_be_opened_at_a_position() -> None:
    assert position_query("max", None) == ""
    assert position_query("classic", None) == "?game=classic"
    assert position_query("max", position_from(moves="4453")) == "?game=max&moves=4453"
    set_up = Board.from_rows(random_board(random.Random(1), 5).rows())
    assert position_query("max", set_up) == f"?game=max&start={start_of(set_up)}"
