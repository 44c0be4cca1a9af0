"""The engine protocols: introductions, options, positions, and the questions of UGI."""

from __future__ import annotations

from pathlib import Path

import pytest
from engine_client import EngineSession, parse_info
from hypothesis import given
from hypothesis import strategies as st
from positions import boards

from maxconnect4 import GREEN, RED, BadPosition, Board, IllegalMove, board_from_moves
from maxconnect4.book import save_book
from maxconnect4.engine.uci import board_from_fen, board_to_fen, column_of, move_to_uci
from maxconnect4.position_keys import EMPTY_KEY, successor_keys

WON = "position startpos moves P@d1 P@e1 P@d2 P@e2 P@d3 P@e3"  # red drops on top of three
FLOATING = "position startpos moves b1 a1 c1 a2 e1 g1 d2"  # no such squares: d2 floats


# Introductions and options


def test_uci_begins_with_a_name_and_the_options() -> None:
    with EngineSession() as talk:
        heard = talk.ask("uci", until="uciok")
    assert heard[0].startswith("id name maxconnect4 ")
    assert heard[1].startswith("id author ")
    options = [line.split(" type ")[0].removeprefix("option name ") for line in heard[2:-1]]
    assert {"UCI_Variant", "Hash", "Threads", "MultiPV", "Book"} <= set(options)
    assert "option name UCI_Variant type combo default cfour var cfour var maxconnect4" in heard


def test_ugi_ends_with_its_own_word() -> None:
    with EngineSession("max") as talk:
        heard = talk.ask("ugi", until="ugiok")
    assert "option name UCI_Variant type combo default maxconnect4 var cfour var maxconnect4" in heard


def test_the_defaults_are_those_of_the_start_whatever_has_been_set() -> None:
    with EngineSession() as talk:
        before = talk.ask("uci", until="uciok")
        talk.send("setoption name Hash value 2", "setoption name UCI_Variant value maxconnect4")
        assert talk.ask("uci", until="uciok") == before


def test_help_lists_the_commands_and_d_draws_the_board() -> None:
    with EngineSession() as talk:
        talk.send("hello", "help", "position startpos moves d d e", "d")
        unknown, commands, *board = talk.unread()
        assert unknown == "info string 'hello' is not a command: 'help' lists the commands"
        assert {"position", "go", "d", "quit"} <= set(commands.replace(",", " ").replace(";", " ").split())
        assert board[-4:-1] == ["info string ...2...", "info string ...11..", "info string abcdefg"]
        assert board_from_fen(board[-1].split()[2:], "classic") == board_from_moves("445", "classic")
        talk.send("position nowhere", "d")
        assert talk.unread()[-1] == "info string the last position was invalid: send a valid one"


def test_it_is_ready_when_asked() -> None:
    with EngineSession() as talk:
        assert talk.ask("isready", until="readyok") == ["readyok"]
        talk.send("go infinite")
        assert talk.ask("isready", until="readyok")[-1] == "readyok"  # while it searches, too


def test_every_declared_default_can_be_set() -> None:
    with EngineSession() as talk:
        for line in talk.ask("uci", until="uciok"):
            if line.startswith("option"):
                words = line.split()
                name = line.removeprefix("option name ").split(" type ")[0]
                talk.send(f"setoption name {name} value {words[words.index('default') + 1]}")
        assert talk.unread() == []


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        ("name Hash value 0", "'0' is not a number from 1"),
        ("name Hash value lots", "'lots' is not a number"),
        ("name Threads value -1", "'-1' is not a number"),
        ("name MultiPV value 8", "'8' is not a number from 1 to 7"),
        ("name MultiPV", "'' is not a number"),
        ("name UCI_Variant value chess", "'chess' is not one of cfour, maxconnect4"),
        ("name Evaluation value guess", "'guess' is not one of"),
        ("name Solver value perhaps", "'perhaps' is not one of true, false"),
        ("name Book value no such file.book", "no such file"),
        ("name Contempt value 5", "'Contempt' is not an option"),
        ("", "'' is not an option"),
    ],
)
def test_an_option_that_makes_no_sense_is_one_line(option: str, complaint: str) -> None:
    with EngineSession() as talk:
        talk.send(f"setoption {option}")
        [line] = talk.unread()
        assert line.startswith("info string ")
        assert complaint in line
        assert talk.ask("isready", until="readyok") == ["readyok"]


def test_a_book_can_be_named_and_done_without(tmp_path: Path) -> None:
    path = tmp_path / "a book.book"
    lie = {EMPTY_KEY: 7, **dict.fromkeys(successor_keys(EMPTY_KEY, 0), -7)}  # to see where the answer comes from
    save_book(str(path), lie, 1, {})
    with EngineSession("max") as talk:
        talk.send(f"setoption name book value {path}", "setoption name Solver value true")
        assert talk.unread() == []
        assert parse_info(talk.ask("position startpos", "go movetime 100")[-2])["score"] == "cp 700"
        talk.send("setoption name UCI_Variant value cfour", "isready")
        complaint = f"info string {path} is a book of the game max, not classic; continuing without a book"
        assert talk.unread() == [complaint, "readyok"]
        talk.send("setoption name UCI_Variant value maxconnect4")
        talk.send("setoption name Book value <none>", "setoption name Solver value false")
        assert parse_info(talk.ask("go movetime 100")[0])["depth"] == "1"


# Positions


@pytest.mark.parametrize("game", ["max", "classic"])
def test_a_position_is_the_same_after_its_fen(game: str) -> None:
    @given(boards(game))
    def same(board: Board) -> None:
        assert board_from_fen(board_to_fen(board).split(), game) == board

    same()


def test_the_fen_of_ugi_engines_is_read_too() -> None:
    assert board_from_fen(["7/7/7/7/3y3/3rr2", "y", "2"], "classic") == board_from_moves("445", "classic")
    fen = "7/7/7/7/3p3/3PP2[PPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] b - - 0 2"
    assert board_from_fen(fen.split(), "classic") == board_from_moves("445", "classic")
    assert board_to_fen(board_from_moves("445", "classic")) == fen


@pytest.mark.parametrize(
    "fen",
    [
        "",
        "7/7/7/7/7 w",
        "7/7/7/7/7/8 w",
        "7/7/7/7/7/6 w",
        "7/7/7/7/7/7/7 w",
        "7/7/7/7/7/3k3 b",
        "7/7/7/7/7/3P3[P b",
        "7/7/7/7/7/3P3[Q] b",
        "7/7/7/7/3P3/7 b",
        "7/7/7/7/7/3P3 w",
        "7/7/7/7/7/3P3",
        "7/7/7/7/7/3PP2 b",
        "7/7/7/7/7/7 x",
        "PPPPPPPPPPPPPPPPPPPPPPPPPP w",
    ],
)
def test_an_invalid_fen_is_refused(fen: str) -> None:
    with pytest.raises(BadPosition):
        board_from_fen(fen.split(), "classic")
    with EngineSession() as talk:
        talk.send(f"position fen {fen}")
        [line] = talk.unread()
        assert line.startswith("info string ")
        # And nobody searches a position that is not the one that was meant.
        assert talk.ask("go depth 1")[-1] == "bestmove (none)"


@given(st.sampled_from(["max", "classic"]).flatmap(boards))
def test_a_drop_is_read_in_every_way_in_use(board: Board) -> None:
    for column in board.columns():
        square = move_to_uci(board, column)
        for word in (square, square.lower(), square[2:], square[2], str(column)):
            assert column_of(word, board) == column


@pytest.mark.parametrize(
    "word", ["", "P@", "P@d", "P@d2", "d2", "d0", "h1", "8", "44", "45", "1234567", "e2e4", "0000", "Q@d1", "٤"]
)
def test_an_invalid_move_is_refused(word: str) -> None:
    with pytest.raises(IllegalMove):
        column_of(word, Board("classic"))


def test_of_many_moves_the_one_that_cannot_be_made_is_named() -> None:
    with EngineSession() as talk:
        for drops, complaint in (
            ("d d d d d d 4", "move 7, '4': column d is full"),
            ("d e d e d e d e", "move 8, 'e': the game is over"),
            ("d1 e2", "move 2, 'e2': a piece in column e lands on e1"),
            ("d1 x", "move 2, 'x' is not a move, such as P@d1"),
        ):
            talk.send(f"position startpos moves {drops}")
            assert talk.unread() == [f"info string {complaint}"]


def test_a_move_that_cannot_be_made_leaves_no_position() -> None:
    with EngineSession() as talk:
        for position in (
            FLOATING,
            f"{WON} P@d4 P@a1",
            "position startpos moves" + " d" * 7,
            "position",
            "position here",
        ):
            talk.send(position)
            assert talk.unread()[0].startswith("info string ")
            assert talk.ask("go depth 1")[-1] == "bestmove (none)"
        talk.send("ucinewgame")
        assert talk.ask("go depth 1")[-1] == "bestmove P@d1"


# UGI


def test_ugi_writes_columns_and_answers_queries() -> None:
    with EngineSession() as talk:
        talk.ask("ugi", until="ugiok")
        talk.send("uginewgame", "position startpos moves d e d e d")
        assert talk.ask("query p1turn", until="response") == ["response false"]
        assert talk.ask("query gameover", until="response") == ["response false"]
        assert talk.ask("query result", until="response") == ["response none"]
        *_, info, best = talk.ask("go depth 4")
        assert best == "bestmove d"
        assert parse_info(info)["pv"].split()[0] == "d"
        talk.send("position startpos moves d e d e d e d")
        assert talk.ask("query gameover", until="response") == ["response true"]
        assert talk.ask("query result", until="response") == ["response p1win"]
        talk.send("position startpos moves a d e d e d e d")
        assert talk.ask("query result", until="response") == ["response p2win"]
        assert talk.ask("query weather", until="info")[0].startswith("info string query 'weather' is not one of")
        talk.send("position nowhere", "query result")
        assert talk.unread()[-1] == "info string the last position was invalid: send a valid one"


def test_ugi_has_the_result_of_a_full_board() -> None:
    # Columns from the left, in pairs that leave nobody four.
    full = "121212212121343434434343565656656565" + "777777"
    for game, result in (("classic", "draw"), ("max", None)):
        board = board_from_moves(full, game)
        assert board.is_full()
        with EngineSession(game) as talk:
            talk.send(f"position startpos moves {' '.join(full)}")
            [answer] = talk.ask("query result", until="response")
            expected = result or {RED: "p1win", GREEN: "p2win", None: "draw"}[board.winner()]
            assert answer == f"response {expected}"
