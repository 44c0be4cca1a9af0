"""The engine protocols: what a search says, chooses and costs."""

from __future__ import annotations

import random
import time

import pytest
from engine_client import EngineSession, parse_info
from plain_minimax import as_score
from positions import exact_positions, random_board

from maxconnect4 import Board, board_from_moves, choose
from maxconnect4.engine import uci
from maxconnect4.engine.uci import GoLimits, column_of
from maxconnect4.system import processors

WON = "position startpos moves P@d1 P@e1 P@d2 P@e2 P@d3 P@e3"  # red drops on top of three


# Searching


def test_each_depth_gives_a_line_with_everything_in_it() -> None:
    with EngineSession() as talk:
        *infos, best = talk.ask("position startpos moves P@d1 P@d2", "go depth 7")
    assert [parse_info(line)["depth"] for line in infos] == ["1", "2", "3", "4", "5", "6", "7"]
    for line in infos:
        found = parse_info(line)
        assert {"depth", "multipv", "score", "nodes", "nps", "hashfull", "time", "pv"} == set(found)
    assert best.split() == ["bestmove", found["pv"].split()[0]]
    board = board_from_moves("44", "classic")
    assert found["nodes"] == str(choose(board, 7, evaluation="windows").nodes)
    for word in found["pv"].split():
        board.drop(column_of(word, board))


@pytest.mark.parametrize(("variant", "game"), [("cfour", "classic"), ("maxconnect4", "max")])
def test_a_depth_chooses_what_that_search_chooses(variant: str, game: str) -> None:
    evaluation = {"classic": "windows", "max": "best"}[game]
    with EngineSession() as talk:
        talk.send(f"setoption name UCI_Variant value {variant}")
        for moves in ("", "4", "444", "12345", "7766"):
            board = board_from_moves(moves, game)
            for depth in (1, 4, 6):
                heard = talk.ask(f"position startpos moves {' '.join(moves)}", f"go depth {depth}")
                assert column_of(heard[-1].split()[1], board) == choose(board, depth, evaluation=evaluation).column


def test_the_node_limit_holds() -> None:
    with EngineSession() as talk:
        last = parse_info(talk.ask("go nodes 20000")[-2])
    assert 1000 < int(last["nodes"]) < 20100


def test_a_win_and_a_loss_are_counted_in_moves() -> None:
    with EngineSession() as talk:
        *_, info, best = talk.ask(WON, "go depth 5")
        assert (parse_info(info)["score"], parse_info(info)["pv"], best) == ("mate 1", "P@d4", "bestmove P@d4")
        # Three in a row with both ends open: whoever is to move loses with the opponent's next drop.
        *_, info, _ = talk.ask("position startpos moves c1 c2 d1 d2 e1", "go depth 5")
        assert parse_info(info)["score"] == "mate -1"
        *_, info, _ = talk.ask("position startpos moves c1 c2 d1 d2", "go depth 5")
        assert parse_info(info)["score"] == "mate 2"
        assert len(parse_info(info)["pv"].split()) == 3


@pytest.mark.parametrize("boards", [20, pytest.param(60, marks=pytest.mark.long)])
def test_the_solver_and_the_search_count_the_same_moves_to_a_win(boards: int) -> None:
    rng = random.Random("moves to a win")
    counted = 0
    for _ in range(boards):
        board = random_board(rng, rng.randrange(22, 40), "classic")
        value = choose(board, 42).value
        assert value is not None
        if value:
            searched = uci.format_search_score(board, value, True, "margin")
            assert uci.format_solver_score(board, as_score(board, value)) == searched
            assert searched.startswith("mate")
            counted += 1
    assert counted > boards / 3


def test_a_margin_is_a_hundred_for_each_point() -> None:
    with EngineSession("max") as talk:
        for moves, value, exact_scores in [exact for exact in exact_positions() if len(exact[0]) >= 20][:20]:
            infos = talk.ask(f"position startpos moves {' '.join(moves)}", "go movetime 20000")
            assert parse_info(infos[-2])["score"] == f"cp {100 * value}"
            assert exact_scores[column_of(infos[-1].split()[1], board_from_moves(moves)) - 1] == value


def test_as_many_lines_as_asked_for_from_the_best_down() -> None:
    board = board_from_moves("4444", "max")
    with EngineSession("max") as talk:
        talk.send("setoption name MultiPV value 3", "position startpos moves d d d d")
        lines = [parse_info(line) for line in talk.ask("go depth 5")[-4:-1]]
        assert [line["multipv"] for line in lines] == ["1", "2", "3"]
        found = choose(board, 5, scores=True)
        assert found.scores is not None
        best = sorted((score for score in found.scores if score is not None), reverse=True)
        assert [line["score"] for line in lines] == [f"cp {score}" for score in best[:3]]
        assert len({line["pv"].split()[0] for line in lines}) == 3
        # As perfect play sees it, from the book.
        lines = [parse_info(line) for line in talk.ask("go movetime 5000")[-4:-1]]
        assert [line["multipv"] for line in lines] == ["1", "2", "3"]
        assert lines[0]["score"] == "cp 0"


def test_only_the_drops_that_may_be_searched_are_chosen() -> None:
    with EngineSession("max") as talk:
        for limit in ("depth 4", "nodes 5000", "movetime 400"):
            assert talk.ask("position startpos", f"go {limit} searchmoves P@a1 P@g1")[-1] in (
                "bestmove P@a1",
                "bestmove P@g1",
            )
        assert talk.ask("go searchmoves b1 depth 3")[-1] == "bestmove P@b1"
        heard = talk.ask("go depth 1 searchmoves h9")
        assert "info string go searchmoves: 'h9' is not a move, such as P@d1" in heard
        for word in ("d", "4"):
            heard = talk.ask("position startpos moves 4 4 4 4 4 4", f"go depth 1 searchmoves {word}")
            assert f"info string go searchmoves: '{word}': column d is full" in heard


def test_a_search_that_is_stopped_at_once_keeps_to_the_drops_that_may_be_searched() -> None:
    with EngineSession() as talk:
        talk.send("setoption name Book value <none>")
        for drop in ("P@a1", "P@g1"):
            talk.send(f"go infinite searchmoves {drop}")
            assert talk.ask("stop")[-1] == f"bestmove {drop}"


def test_go_reports_invalid_words_and_searches() -> None:
    with EngineSession() as talk:
        heard = talk.ask("go depth four sideways nodes 0 mate 2")
    assert [line for line in heard if "string" in line] == [
        "info string go: 'four' is not a number of depth",
        "info string go: 'sideways' is not a limit: use depth, nodes or movetime, for example",
        "info string go: '0' is not a number of nodes",
    ]
    assert parse_info(heard[-2])["depth"] == "3"


def test_a_game_that_is_over_has_no_best_move() -> None:
    with EngineSession() as talk:
        assert talk.ask(f"{WON} P@d4", "go movetime 1000") == ["info string the game is over", "bestmove (none)"]
        talk.ask("ugi", until="ugiok")
        assert talk.ask("go depth 3")[-1] == "bestmove 0000"


def test_a_go_without_a_valid_limit_reports_that_it_waits_for_stop() -> None:
    with EngineSession() as talk:
        talk.send("go depht 4")
        assert "info string go: no valid limit, so the search runs until 'stop'" in talk.unread()
        talk.ask("stop")
        talk.send("go infinite")
        assert not [line for line in talk.ask("stop") if "string" in line]


def test_an_infinite_search_waits_for_its_stop() -> None:
    with EngineSession("max") as talk:
        talk.send("position startpos moves d d", "go infinite")
        time.sleep(0.4)  # the book has the answer, and it is not to be said yet
        assert not [line for line in talk.unread() if line.startswith("bestmove")]
        assert talk.ask("stop")[-1] == "bestmove P@d3"
        talk.send("stop")  # once more makes no difference
        assert talk.unread() == []
        talk.send("go ponder wtime 1000 btime 1000")
        assert talk.ask("ponderhit")[-1] == "bestmove P@d3"
        talk.send("ponderhit")
        assert talk.unread() == []


def test_a_second_go_ends_the_first() -> None:
    with EngineSession() as talk:
        talk.send("go infinite", "go depth 2")
        assert talk.read_until("bestmove")
        assert talk.read_until("bestmove")


# Clocks


def test_a_clock_is_shared_out_and_never_used_up() -> None:
    board = Board("classic")

    def seconds(words: str, board: Board = board) -> float:
        found = GoLimits(words.split(), board, 50).seconds
        assert found is not None
        return found

    assert 4 < seconds("wtime 60000 btime 1") < 15
    assert seconds("wtime 60000 btime 1") == seconds("p1time 60000 p2time 1")
    assert seconds("wtime 1 btime 60000", board_from_moves("4", "classic")) > 5
    assert seconds("wtime 60000 movestogo 1") > 40
    assert seconds("wtime 1000 winc 10000") < 1
    assert seconds("wtime 60000 winc 2000") > seconds("wtime 60000") + 1
    for left in (-100, 0, 1, 10, 49, 50, 51, 100, 1000, 10**30):
        assert 0 < seconds(f"wtime {left}") < max(left, 1.1) / 1000
    assert seconds("movetime 1000") == 0.95
    assert 0 < seconds("movetime 0") <= seconds("movetime 10") < 0.01


@pytest.mark.parametrize(
    ("limit", "most"),
    [("movetime 60", 0.06), ("movetime 400", 0.4), ("wtime 600 btime 600", 0.6), ("wtime 20 btime 20 winc 10", 0.02)],
)
@pytest.mark.parametrize("game", ["max", "classic"])
def test_an_answer_comes_in_time(game: str, limit: str, most: float) -> None:
    with EngineSession(game) as talk:
        talk.ask("isready", until="readyok")
        for moves in ("", "4 1 3 3 7 6 2 2 5", "4 4 4 4 4 4 3 2 3 1"):
            talk.send(f"position startpos moves {moves}")
            start = time.process_time()
            talk.ask(f"go {limit}")
            # Of CPU time, as others may keep the processors from us, for all threads and to make the table.
            assert time.process_time() - start < processors() * most + 0.3
