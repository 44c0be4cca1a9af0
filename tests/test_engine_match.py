"""A match of the classic game through an independent UCI client (python-chess), with other people's rules (pyffish)."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from engine_client import EngineProcess

from maxconnect4 import GREEN, RED, Board
from maxconnect4.engine.uci import board_to_fen, column_of, format_line, move_to_ugi

if TYPE_CHECKING:  # python-chess and pyffish take a second to import: only in the xdist workers that run these tests
    import chess.engine

COMMAND = [sys.executable, "-m", "maxconnect4", "engine"]
WON = "c1 g1 f1 f2 c2 c3 f3 b1 e1 g2 a1 d1 e2"  # for the second player, with one drop, who needs all the board for it
EVEN = "3715144361751316725515"  # a draw with the best play, which is solved in a moment
CLOCK, BONUS = 5.0, 0.05  # seconds


@pytest.fixture(scope="module")
def ours() -> Iterator[chess.engine.SimpleEngine]:
    import chess.engine

    with chess.engine.SimpleEngine.popen_uci(COMMAND) as engine:
        yield engine


@pytest.fixture(scope="module")
def opponent() -> Iterator[chess.engine.SimpleEngine]:
    import chess.engine

    with chess.engine.SimpleEngine.popen_uci(COMMAND) as engine:
        engine.configure({"Solver": False, "Book": "<none>"})
        yield engine


def test_it_introduces_itself_to_the_client(ours: chess.engine.SimpleEngine) -> None:
    assert ours.id["name"].startswith("maxconnect4 ")
    assert ours.options["UCI_Variant"].var == ["cfour", "maxconnect4"]
    assert ours.options["MultiPV"].max == 7


@pytest.mark.parametrize(
    ("opening", "we_are_white", "plies"),
    [
        pytest.param("", True, 6, marks=pytest.mark.long),
        pytest.param("", False, 3, marks=pytest.mark.long),
        ("d1 d2 d3", True, 4),
        (WON, False, 7),
    ],
)
def test_a_game_is_legal_all_the_way_and_its_result_right(
    ours: chess.engine.SimpleEngine, opponent: chess.engine.SimpleEngine, opening: str, we_are_white: bool, plies: int
) -> None:
    import chess.engine
    from pyffish_board import FourBoard

    board = FourBoard()
    for square in opening.split():
        board.push(board.parse_uci(f"P@{square}"))
    clock = CLOCK
    while board.result() == "*":
        start = time.perf_counter()
        if board.turn == we_are_white:
            limit = chess.engine.Limit(white_clock=clock, black_clock=clock, white_inc=BONUS, black_inc=BONUS)
            played = ours.play(board, limit, game=opening)
            clock += BONUS - (time.perf_counter() - start)
            assert clock > 0
        else:
            played = opponent.play(board, chess.engine.Limit(depth=plies), game=opening)
        assert played.move is not None  # the client has refused it if it is illegal
        board.push(played.move)
    # The same game by our own rules.
    twin = Board("classic")
    for word in board.words():
        twin.drop(column_of(word, twin))
    assert twin.is_over()
    assert board.result() == {RED: "1-0", GREEN: "0-1", None: "1/2-1/2"}[twin.winner()]
    if opening == WON:  # which is solved in a moment
        assert twin.winner() == GREEN


@pytest.mark.parametrize("opening", [EVEN, pytest.param("", marks=pytest.mark.long)], ids=len)
def test_a_referee_without_the_rules_plays_a_game_through_ugi(opening: str) -> None:
    with EngineProcess("--game", "max") as one, EngineProcess("--game", "max") as another:
        for engine in (one, another):
            engine.send("ugi", "isready", "uginewgame")
            engine.read_until("readyok")
        drops = format_line(Board(), [int(column) for column in opening], move_to_ugi)
        while True:
            position = f"position startpos moves {' '.join(drops)}"
            one.send(position, "query gameover")
            if one.read_until("response")[-1] == "response true":
                break
            one.send("query p1turn")
            engine = one if one.read_until("response")[-1] == "response true" else another
            engine.send(position, "go p1time 3000 p2time 3000" if engine is one else "go nodes 500")
            best = engine.read_until("bestmove")[-1].split()
            assert len(best) == 2
            drops.append(best[1])
        one.send("query result")
        [result] = one.read_until("response")
    board = Board()
    for drop in drops:
        board.drop(column_of(drop, board))
    assert board.is_full()
    assert result == f"response { ({RED: 'p1win', GREEN: 'p2win', None: 'draw'}[board.winner()]) }"
    assert result != "response p2win"  # for the first player was perfect


def test_all_lines_of_an_analysis_are_legal_and_in_order(ours: chess.engine.SimpleEngine) -> None:
    import chess.engine
    from pyffish_board import FourBoard

    board = FourBoard()
    for square in ["d1", "d2", "d3", "d4", "d5", "c1"]:
        board.push(board.parse_uci(f"P@{square}"))
    lines = ours.analyse(board, chess.engine.Limit(depth=6), multipv=7)
    assert len(lines) == 7
    worth = [line["score"].relative for line in lines]
    assert worth == sorted(worth, reverse=True)
    for line in lines:
        following = board.copy()
        for move in line["pv"]:
            following.push(following.parse_uci(move.uci()))


@pytest.mark.parametrize("games", [2, pytest.param(8, marks=pytest.mark.long)])
def test_both_rules_write_the_same_positions_and_allow_the_same_drops(games: int) -> None:
    import pyffish
    from pyffish_board import START

    rng = random.Random(4)
    for _ in range(games):
        board, words = Board("classic"), list[str]()
        while columns := board.columns():
            legal = pyffish.legal_moves("cfour", START, words)
            assert sorted(column_of(word, board) for word in legal) == columns
            fen = pyffish.get_fen("cfour", START, words)
            assert board_to_fen(board).split()[:3] == fen.split()[:3]
            words.append(rng.choice(legal))
            board.drop(column_of(words[-1], board))
        assert pyffish.legal_moves("cfour", START, words) == []
