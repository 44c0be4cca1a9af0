"""The engine protocols: each command, and what is said in answer."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cpu_clock import cpu_clock
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import boards, exact_positions, random_board
from talking import Conversation, Process, facts

from maxconnect4 import BadPosition, Board, IllegalMove, __version__, board_from_moves, choose
from maxconnect4.engine import scores
from maxconnect4.engine.fen import board_from_fen, fen_of
from maxconnect4.engine.limits import Limits
from maxconnect4.engine.squares import column_of, in_uci
from maxconnect4.search import CLASSIC_WIN

WON = "position startpos moves P@d1 P@e1 P@d2 P@e2 P@d3 P@e3"  # red drops on top of three
LOST = "position startpos moves b1 a1 c1 a2 e1 g1 d2"  # no such squares: d2 floats


# Introductions and options


def test_uci_begins_with_a_name_and_the_options() -> None:
    with Conversation() as talk:
        heard = talk.ask("uci", until="uciok")
    assert heard[0].startswith("id name maxconnect4 ")
    assert heard[1].startswith("id author ")
    options = [line.split(" type ")[0].removeprefix("option name ") for line in heard[2:-1]]
    assert {"UCI_Variant", "Hash", "Threads", "MultiPV", "Book"} <= set(options)
    assert "option name UCI_Variant type combo default cfour var cfour var maxconnect4" in heard


def test_ugi_ends_with_its_own_word() -> None:
    with Conversation("max") as talk:
        heard = talk.ask("ugi", until="ugiok")
    assert "option name UCI_Variant type combo default maxconnect4 var cfour var maxconnect4" in heard


def test_it_is_ready_when_asked() -> None:
    with Conversation() as talk:
        assert talk.ask("isready", until="readyok") == ["readyok"]
        talk.say("go infinite")
        assert talk.ask("isready", until="readyok")[-1] == "readyok"  # while it searches, too


def test_every_declared_default_can_be_set() -> None:
    with Conversation() as talk:
        for line in talk.ask("uci", until="uciok"):
            if line.startswith("option"):
                words = line.split()
                name = line.removeprefix("option name ").split(" type ")[0]
                talk.say(f"setoption name {name} value {words[words.index('default') + 1]}")
        assert talk.silence() == []


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
        ("name Contempt value 5", "there is no option 'Contempt'"),
        ("", "there is no option ''"),
    ],
)
def test_an_option_that_makes_no_sense_is_one_line(option: str, complaint: str) -> None:
    with Conversation() as talk:
        talk.say(f"setoption {option}")
        [line] = talk.silence()
        assert line.startswith("info string ")
        assert complaint in line
        assert talk.ask("isready", until="readyok") == ["readyok"]


def test_a_book_can_be_named_and_done_without(tmp_path: Path) -> None:
    from maxconnect4.book import save_book
    from maxconnect4.keys import key_of

    path = tmp_path / "a book.book"
    save_book(str(path), {key_of(Board()): 7}, 0, {})  # a lie, so that one can see where the answer comes from
    with Conversation("max") as talk:
        talk.say(f"setoption name book value {path}", "setoption name Solver value true")
        assert talk.silence() == []
        talk.say("setoption name UCI_Variant value cfour", "isready")
        complaint = f"info string {path} is a book of the game max, not classic; going on without a book"
        assert talk.silence() == [complaint, "readyok"]
        talk.say("setoption name UCI_Variant value maxconnect4")
        talk.say("setoption name Book value <none>", "setoption name Solver value false")
        assert facts(talk.ask("go movetime 100")[0])["depth"] == "1"


# Positions


@pytest.mark.parametrize("game", ["max", "classic"])
def test_a_position_is_the_same_after_its_fen(game: str) -> None:
    @given(boards(game))
    def same(board: Board) -> None:
        assert board_from_fen(fen_of(board).split(), game) == board

    same()


def test_the_fen_of_ugi_engines_is_read_too() -> None:
    assert board_from_fen(["7/7/7/7/3y3/3rr2", "y", "2"], "classic") == board_from_moves("445", "classic")
    fen = "7/7/7/7/3p3/3PP2[PPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] b - - 0 2"
    assert board_from_fen(fen.split(), "classic") == board_from_moves("445", "classic")
    assert fen_of(board_from_moves("445", "classic")) == fen


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
def test_a_fen_that_is_no_position_is_refused(fen: str) -> None:
    with pytest.raises(BadPosition):
        board_from_fen(fen.split(), "classic")
    with Conversation() as talk:
        talk.say(f"position fen {fen}")
        [line] = talk.silence()
        assert line.startswith("info string ")
        # And nobody searches a position that is not the one that was meant.
        assert talk.ask("go depth 1")[-1] == "bestmove (none)"


@given(st.sampled_from(["max", "classic"]).flatmap(boards))
def test_a_drop_is_read_in_every_way_in_use(board: Board) -> None:
    for column in board.columns():
        square = in_uci(board, column)
        for word in (square, square.lower(), square[2:], square[2], str(column)):
            assert column_of(word, board) == column


@pytest.mark.parametrize(
    "word", ["", "P@", "P@d", "P@d2", "d2", "d0", "h1", "8", "44", "45", "1234567", "e2e4", "0000", "Q@d1", "٤"]
)
def test_what_is_no_drop_is_refused(word: str) -> None:
    with pytest.raises(IllegalMove):
        column_of(word, Board("classic"))


def test_a_move_that_cannot_be_made_leaves_no_position() -> None:
    with Conversation() as talk:
        for position in (LOST, f"{WON} P@d4 P@a1", "position startpos moves" + " d" * 7, "position", "position here"):
            talk.say(position)
            assert talk.silence()[0].startswith("info string ")
            assert talk.ask("go depth 1")[-1] == "bestmove (none)"
        talk.say("ucinewgame")
        assert talk.ask("go depth 1")[-1] == "bestmove P@d1"


# Searching


def test_each_depth_gives_a_line_with_everything_in_it() -> None:
    with Conversation() as talk:
        *infos, best = talk.ask("position startpos moves P@d1 P@d2", "go depth 7")
    assert [facts(line)["depth"] for line in infos] == ["1", "2", "3", "4", "5", "6", "7"]
    for line in infos:
        found = facts(line)
        assert {"depth", "multipv", "score", "nodes", "nps", "hashfull", "time", "pv"} == set(found)
    assert best.split() == ["bestmove", found["pv"].split()[0]]
    board = board_from_moves("44", "classic")
    assert found["nodes"] == str(choose(board, 7, evaluation="windows").nodes)
    for word in found["pv"].split():
        board.drop(column_of(word, board))


@pytest.mark.parametrize(("variant", "game"), [("cfour", "classic"), ("maxconnect4", "max")])
def test_a_depth_chooses_what_that_search_chooses(variant: str, game: str) -> None:
    evaluation = {"classic": "windows", "max": "best"}[game]
    with Conversation() as talk:
        talk.say(f"setoption name UCI_Variant value {variant}")
        for moves in ("", "4", "444", "12345", "7766"):
            board = board_from_moves(moves, game)
            for depth in (1, 4, 6):
                heard = talk.ask(f"position startpos moves {' '.join(moves)}", f"go depth {depth}")
                assert column_of(heard[-1].split()[1], board) == choose(board, depth, evaluation=evaluation).column


def test_nodes_are_kept_to() -> None:
    with Conversation() as talk:
        last = facts(talk.ask("go nodes 20000")[-2])
    assert 1000 < int(last["nodes"]) < 20100


def test_a_win_and_a_loss_are_counted_in_moves() -> None:
    with Conversation() as talk:
        *_, info, best = talk.ask(WON, "go depth 5")
        assert (facts(info)["score"], facts(info)["pv"], best) == ("mate 1", "P@d4", "bestmove P@d4")
        # Three in a row with both ends open: whoever is to move loses with the opponent's next drop.
        *_, info, _ = talk.ask("position startpos moves c1 c2 d1 d2 e1", "go depth 5")
        assert facts(info)["score"] == "mate -1"
        *_, info, _ = talk.ask("position startpos moves c1 c2 d1 d2", "go depth 5")
        assert facts(info)["score"] == "mate 2"
        assert len(facts(info)["pv"].split()) == 3


def test_the_solver_and_the_search_count_the_same_moves_to_a_win() -> None:
    rng = random.Random("moves to a win")
    counted = 0
    for _ in range(60):
        board = random_board(rng, rng.randrange(22, 40), "classic")
        if not board.columns():
            continue
        value = choose(board).value
        assert value is not None
        if value:
            pieces_at_the_end = CLASSIC_WIN - abs(value)
            score = (42 - pieces_at_the_end) // 2 + 1  # as solvers count: by the winner's last pieces
            searched = scores.of_search(board, value, True, "margin")
            assert scores.of_solver(board, score if value > 0 else -score) == searched
            assert searched.startswith("mate")
            counted += 1
    assert counted > 20


def test_a_margin_is_a_hundred_for_each_point() -> None:
    with Conversation("max") as talk:
        for moves, value, exact_scores in [exact for exact in exact_positions() if len(exact[0]) >= 20][:20]:
            infos = talk.ask(f"position startpos moves {' '.join(moves)}", "go movetime 20000")
            assert facts(infos[-2])["score"] == f"cp {100 * value}"
            assert exact_scores[column_of(infos[-1].split()[1], board_from_moves(moves)) - 1] == value


def test_as_many_lines_as_asked_for_from_the_best_down() -> None:
    board = board_from_moves("4444", "max")
    with Conversation("max") as talk:
        talk.say("setoption name MultiPV value 3", "position startpos moves d d d d")
        lines = [facts(line) for line in talk.ask("go depth 5")[-4:-1]]
        assert [line["multipv"] for line in lines] == ["1", "2", "3"]
        found = choose(board, 5, scores=True)
        assert found.scores is not None
        best = sorted((score for score in found.scores if score is not None), reverse=True)
        assert [line["score"] for line in lines] == [f"cp {score}" for score in best[:3]]
        assert len({line["pv"].split()[0] for line in lines}) == 3
        # As perfect play sees it, from the book.
        lines = [facts(line) for line in talk.ask("go movetime 5000")[-4:-1]]
        assert [line["multipv"] for line in lines] == ["1", "2", "3"]
        assert lines[0]["score"] == "cp 0"


def test_only_the_drops_that_may_be_searched_are_chosen() -> None:
    with Conversation("max") as talk:
        for limit in ("depth 4", "nodes 5000", "movetime 400"):
            assert talk.ask("position startpos", f"go {limit} searchmoves P@a1 P@g1")[-1] in (
                "bestmove P@a1",
                "bestmove P@g1",
            )
        assert talk.ask("go searchmoves b1 depth 3")[-1] == "bestmove P@b1"
        heard = talk.ask("go depth 1 searchmoves h9")
        assert "info string go searchmoves: 'h9' is not a drop, such as P@d1" in heard


def test_a_search_that_is_stopped_at_once_keeps_to_the_drops_that_may_be_searched() -> None:
    with Conversation() as talk:
        talk.say("setoption name Book value <none>")
        for drop in ("P@a1", "P@g1"):
            talk.say(f"go infinite searchmoves {drop}")
            assert talk.ask("stop")[-1] == f"bestmove {drop}"


def test_what_go_does_not_understand_it_says_and_goes() -> None:
    with Conversation() as talk:
        heard = talk.ask("go depth four sideways nodes 0 mate 2")
    assert [line for line in heard if "string" in line] == [
        "info string go: 'four' is not a number of depth",
        "info string go: 'sideways' is nothing to go by",
        "info string go: '0' is not a number of nodes",
    ]
    assert facts(heard[-2])["depth"] == "3"


def test_a_game_that_is_over_has_no_best_move() -> None:
    with Conversation() as talk:
        assert talk.ask(f"{WON} P@d4", "go movetime 1000") == ["bestmove (none)"]
        talk.ask("ugi", until="ugiok")
        assert talk.ask("go depth 3") == ["bestmove 0000"]


def test_an_infinite_search_waits_for_its_stop() -> None:
    with Conversation("max") as talk:
        talk.say("position startpos moves d d", "go infinite")
        time.sleep(0.4)  # the book has the answer, and it is not to be said yet
        assert not [line for line in talk.silence() if line.startswith("bestmove")]
        assert talk.ask("stop")[-1] == "bestmove P@d3"
        talk.say("stop")  # once more makes no difference
        assert talk.silence() == []
        talk.say("go ponder wtime 1000 btime 1000")
        assert talk.ask("ponderhit")[-1] == "bestmove P@d3"
        talk.say("ponderhit")
        assert talk.silence() == []


def test_a_second_go_ends_the_first() -> None:
    with Conversation() as talk:
        talk.say("go infinite", "go depth 2")
        assert talk.hear("bestmove")
        assert talk.hear("bestmove")


# Clocks


def test_a_clock_is_shared_out_and_never_used_up() -> None:
    board = Board("classic")

    def seconds(words: str, board: Board = board) -> float:
        found = Limits(words.split(), board, 50).seconds
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


@pytest.mark.parametrize("limit", ["movetime 60", "movetime 400", "wtime 600 btime 600", "wtime 20 btime 20 winc 10"])
@pytest.mark.parametrize("game", ["max", "classic"])
def test_an_answer_comes_in_time(game: str, limit: str) -> None:
    with Conversation(game) as talk:
        talk.ask("isready", until="readyok")
        for moves in ("", "4 1 3 3 7 6 2 2 5", "4 4 4 4 4 4 3 2 3 1"):
            talk.say(f"position startpos moves {moves}")
            start = time.process_time()
            talk.ask(f"go {limit}")
            assert time.process_time() - start < 1.0  # of CPU time, as others may keep the processors from us


# UGI


def test_ugi_writes_columns_and_answers_queries() -> None:
    with Conversation() as talk:
        talk.ask("ugi", until="ugiok")
        talk.say("uginewgame", "position startpos moves d e d e d")
        assert talk.ask("query p1turn", until="response") == ["response false"]
        assert talk.ask("query gameover", until="response") == ["response false"]
        assert talk.ask("query result", until="response") == ["response none"]
        *_, info, best = talk.ask("go depth 4")
        assert best == "bestmove d"
        assert facts(info)["pv"].split()[0] == "d"
        talk.say("position startpos moves d e d e d e d")
        assert talk.ask("query gameover", until="response") == ["response true"]
        assert talk.ask("query result", until="response") == ["response p1win"]
        talk.say("position startpos moves a d e d e d e d")
        assert talk.ask("query result", until="response") == ["response p2win"]
        assert talk.ask("query weather", until="info")[0].startswith("info string query 'weather' is not one of")
        talk.say("position nowhere", "query result")
        assert talk.silence()[-1] == "info string there is no position to ask about"


def test_a_full_board_is_a_draw_in_ugi() -> None:
    # Columns from the left, in pairs that leave nobody four.
    full = "121212212121343434434343565656656565" + "777777"
    for game, result in (("classic", "draw"), ("max", None)):
        board = Board(game)
        for column in map(int, full):
            board.drop(column)
        assert board.is_full()
        with Conversation(game) as talk:
            talk.say(f"position startpos moves {' '.join(full)}")
            [answer] = talk.ask("query result", until="response")
            expected = result or {1: "p1win", 2: "p2win", None: "draw"}[board.winner()]
            assert answer == f"response {expected}"


# Whatever comes


VOCABULARY = """
uci ugi isready setoption ucinewgame uginewgame position go stop ponderhit query debug register name value moves fen
startpos depth nodes mate movetime wtime btime winc binc movestogo searchmoves infinite ponder p1turn result gameover
UCI_Variant cfour maxconnect4 MultiPV Solver true false Evaluation Book <none> <default> on P@d1 d e1 4 7 0 -1 1 2 3
99999999999999999999999 7/7/7/7/7/7 w b [] / \x00 \u202e
"""


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.one_of(st.lists(st.sampled_from(VOCABULARY.split()), max_size=8).map(" ".join), st.text()), max_size=6)
)
def test_no_line_whatever_it_says_ends_the_conversation(lines: list[str]) -> None:
    with Conversation() as talk:
        for line in lines:
            if line.split()[:1] != ["quit"]:
                talk.say(line)
        talk.session.close()
        heard = talk.silence()
        assert sum(line.startswith("bestmove") for line in heard) == sum(line.split()[:1] == ["go"] for line in lines)
        for line in heard:
            first = line.split()[0]
            assert first in {"id", "option", "uciok", "ugiok", "readyok", "info", "bestmove", "response"}
            assert line.isprintable()
        assert talk.ask("isready", until="readyok")[-1] == "readyok"


def test_garbage_of_any_kind_on_standard_input_is_survived() -> None:
    with Process() as engine:
        engine.send(b"\xff\xfe\x00", b"x" * 200_000, b"", b"position fen " + b"7/" * 50_000, "go depth 2", "isready")
        heard = engine.hear("readyok")
        assert [line for line in heard if line.startswith("info string there is no command")]
        if not any(line.startswith("bestmove") for line in heard):
            engine.hear("bestmove")
        engine.send("quit")
        assert engine.process.wait(10) == 0
        assert engine.process.stderr is not None
        assert engine.process.stderr.read() == b""


def test_a_search_stops_at_once() -> None:
    with Process() as engine:
        engine.send("setoption name Book value <none>", "isready")
        engine.hear("readyok")
        for variant in ("cfour", "maxconnect4"):
            engine.send(f"setoption name UCI_Variant value {variant}")
            for moment in (0.0, 0.3, 1.5):  # at the very start, in the search, in the solver
                engine.send("position startpos moves P@a1", "go infinite")
                time.sleep(moment)
                start = cpu_clock(engine.process.pid)
                engine.send("stop")
                engine.hear("bestmove")
                assert cpu_clock(engine.process.pid) - start < 1.0  # 0.1 s, and what it took to get so far


@pytest.mark.parametrize("search", ["", "go infinite", "go depth 30", "go wtime 600000 btime 600000"])
def test_the_end_of_the_input_ends_the_program(search: str) -> None:
    with Process("--game", "max") as engine:
        engine.send("setoption name Book value <none>", "position startpos", search, "isready")
        engine.hear("readyok")
        engine.end_of_input()
        assert engine.process.wait(10) == 0


def test_without_any_input_it_ends_like_at_the_end_of_it() -> None:
    command = f"'{sys.executable}' -m maxconnect4 engine <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_quit_ends_a_search_and_the_program() -> None:
    with Process() as engine:
        engine.send("go infinite", "quit", "isready")
        assert engine.process.wait(10) == 0


def test_a_reader_who_leaves_ends_it_too() -> None:
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "maxconnect4", "engine"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=writing, bufsize=0) as process:
        os.close(writing)
        os.close(reading)
        assert process.stdin is not None
        process.stdin.write(b"uci\n")
        assert process.wait(10) == 0


# The document

DOCUMENT = (Path(__file__).parent.parent / "docs" / "protocols.md").read_text()
CONVERSATIONS = re.findall(r"<!-- conversation -->\n```text\n(.*?)```", DOCUMENT, re.DOTALL)
UNSTEADY = re.compile(r"\b(nps|time) \d+")


@pytest.mark.parametrize("conversation", CONVERSATIONS)
def test_the_conversations_of_the_document_go_as_they_stand(conversation: str) -> None:
    lines = conversation.splitlines()
    shortened = "< option ..." in lines
    heard: list[str] = []
    with Conversation() as talk:
        for line in lines:
            if not line.startswith("> "):
                continue
            talk.say(line[2:])
            answers = talk.hear("bestmove") if line.startswith("> go") else talk.silence()
            heard += [line, *("< " + UNSTEADY.sub(r"\1 N", answer) for answer in answers)]
    heard = [line.replace(__version__, "VERSION") for line in heard]
    if shortened:
        heard = list(dict.fromkeys("< option ..." if line.startswith("< option") else line for line in heard))
    assert heard == lines
