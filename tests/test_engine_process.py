"""The engine as a program: whatever comes, it stops and ends when it should, and the document is right."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cpu_clock import cpu_clock
from engine_client import EngineProcess, EngineSession
from hypothesis import given
from hypothesis import strategies as st
from terminal import Terminal

from maxconnect4 import __version__

# Whatever comes


VOCABULARY = """
d help uci ugi isready setoption ucinewgame uginewgame position go stop ponderhit query debug register name value moves
fen startpos depth nodes mate movetime wtime btime winc binc movestogo searchmoves infinite ponder p1turn result
gameover UCI_Variant cfour maxconnect4 MultiPV Solver true false Evaluation Book <none> <default> on P@d1 d e1 4 7 0 -1
1 2 3 99999999999999999999999 7/7/7/7/7/7 w b [] / \x00 \u202e
"""


@given(
    st.lists(st.one_of(st.lists(st.sampled_from(VOCABULARY.split()), max_size=8).map(" ".join), st.text()), max_size=6)
)
def test_no_line_ends_the_session(lines: list[str]) -> None:
    with EngineSession() as talk:
        for line in lines:
            if line.split()[:1] != ["quit"]:
                talk.send(line)
        talk.session.close()
        heard = talk.unread()
        assert sum(line.startswith("bestmove") for line in heard) == sum(line.split()[:1] == ["go"] for line in lines)
        for line in heard:
            first = line.split()[0]
            assert first in {"id", "option", "uciok", "ugiok", "readyok", "info", "bestmove", "response"}
            assert line.isprintable()
        assert talk.ask("isready", until="readyok")[-1] == "readyok"


def test_garbage_of_any_kind_on_standard_input_is_survived() -> None:
    with EngineProcess() as engine:
        engine.send(b"\xff\xfe\x00", b"x" * 200_000, b"", b"position fen " + b"7/" * 50_000, "go depth 2", "isready")
        heard = engine.read_until("readyok")
        assert [line for line in heard if "is not a command" in line]
        if not any(line.startswith("bestmove") for line in heard):
            engine.read_until("bestmove")
        engine.send("quit")
        assert engine.process.wait(10) == 0
        assert engine.process.stderr is not None
        assert engine.process.stderr.read() == b""


@pytest.mark.parametrize(
    ("variant", "limit", "moments"),  # at the very start, in the search, in the solver
    [
        ("cfour", "infinite", (0.0, 0.2)),
        ("cfour", "movetime 3000", (0.7,)),  # the solver begins after 0.45 s
        ("maxconnect4", "infinite", (0.0, 0.2)),
        pytest.param("cfour", "infinite", (1.5,), marks=pytest.mark.long),
        pytest.param("maxconnect4", "infinite", (1.5,), marks=pytest.mark.long),
    ],
)
def test_a_search_stops_at_once(variant: str, limit: str, moments: tuple[float, ...]) -> None:
    with EngineProcess() as engine:
        engine.send("setoption name Book value <none>", f"setoption name UCI_Variant value {variant}", "isready")
        engine.read_until("readyok")
        for moment in moments:
            engine.send("position startpos moves P@a1", f"go {limit}")
            time.sleep(moment)
            start = cpu_clock(engine.process.pid)
            engine.send("stop")
            engine.read_until("bestmove")
            assert cpu_clock(engine.process.pid) - start < 1.0  # 0.1 s, and what it took to get so far


@pytest.mark.parametrize("search", ["", "go infinite", "go depth 30", "go wtime 600000 btime 600000"])
def test_the_end_of_the_input_ends_the_program(search: str) -> None:
    with EngineProcess("--game", "max") as engine:
        engine.send("setoption name Book value <none>", "position startpos", search, "isready")
        engine.read_until("readyok")
        engine.end_of_input()
        assert engine.process.wait(10) == 0


def test_without_any_input_it_ends_like_at_the_end_of_it() -> None:
    command = f"'{sys.executable}' -m maxconnect4 engine <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_in_a_terminal_the_engine_prints_that_it_waits_for_commands() -> None:
    terminal = Terminal("engine")
    terminal.wait_for("waiting for commands of UCI or UGI; 'help' lists them, 'quit' ends")
    terminal.type("go infinite\nquit\n")
    assert terminal.close() == 0


def test_quit_ends_a_search_and_the_program() -> None:
    with EngineProcess() as engine:
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

DOCUMENT = (Path(__file__).parent.parent / "docs" / "reference" / "protocols.md").read_text()
CONVERSATIONS = re.findall(r"<!-- conversation -->\n```text\n(.*?)```", DOCUMENT, re.DOTALL)
UNSTEADY = re.compile(r"\b(nps|time) \d+")


@pytest.mark.parametrize("conversation", CONVERSATIONS)
def test_the_conversations_of_the_document_go_as_they_stand(conversation: str) -> None:
    lines = conversation.splitlines()
    shortened = "< option ..." in lines
    heard: list[str] = []
    with EngineSession() as talk:
        for line in lines:
            if not line.startswith("> "):
                continue
            talk.send(line[2:])
            answers = talk.read_until("bestmove") if line.startswith("> go") else talk.unread()
            heard += [line, *("< " + UNSTEADY.sub(r"\1 N", answer) for answer in answers)]
    heard = [line.replace(__version__, "VERSION") for line in heard]
    if shortened:
        heard = list(dict.fromkeys("< option ..." if line.startswith("< option") else line for line in heard))
    assert heard == lines
