"""Fuzzing of a command's prompt: in this process, through a pipe and in a terminal."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

from terminal import PROGRAM

from maxconnect4 import read_board
from maxconnect4.cli import main

ENDINGS = ("The position is saved in ", "The board is full", "The position in the format of a file:")
#: What a terminal takes for its own: interrupt or stop the program, end it with a core, hold what it prints.
SPECIAL = b"\x03\x1a\x1c\x13"
REFUSED = 3  # the exit code for an input that is not a position


def in_this_process(words: list[str], data: bytes, folder: Path) -> tuple[int, int]:
    """How many lines were read, and how many of them were moves."""
    typed = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    before, sys.stdin = sys.stdin, typed
    here = os.getcwd()
    os.chdir(folder)
    printed, complaint = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complaint):
            code = main(words)
    finally:
        os.chdir(here)
        sys.stdin = before
    text = printed.getvalue()
    judge(code, text, complaint.getvalue(), folder)
    return max(1, text.count("Your move, ")), text.count(" drops in column ")


def through_a_pipe(words: list[str], data: bytes, folder: Path) -> None:
    """The same with the real program."""
    done = subprocess.run([PROGRAM, *words], input=data, capture_output=True, cwd=folder, timeout=60)
    judge(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), folder)


def in_a_terminal(words: list[str], data: bytes, folder: Path) -> None:
    """The same in a terminal."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.environ["TERM"] = "xterm"
        os.execv(PROGRAM, [PROGRAM, *words])
    left = data.translate(None, SPECIAL)[:3000] + b"\n\n\x04\x04\x04"
    printed = b""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        readable, writable, _ = select.select([terminal], [terminal] if left else [], [], 1.0)
        if writable:
            line, newline, left = left.partition(b"\n")
            os.write(terminal, line + newline)
        if readable:
            try:
                printed += os.read(terminal, 65536)
            except OSError:  # it has ended
                break
    else:
        os.kill(pid, 9)
    os.close(terminal)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    text = printed.decode(errors="replace")
    judge(code, text, text, folder)


def judge(code: int, printed: str, complaint: str, folder: Path) -> None:
    """Whether a game ended as it should: with its position saved, or with one line if there was none to begin with."""
    assert "Traceback" not in complaint, complaint
    if code == REFUSED:
        assert complaint.count("maxconnect4: ") == 1, complaint
        return
    assert code == 0, (code, complaint)
    assert any(words in printed for words in ENDINGS), printed
    for name in ("computer.txt", "human.txt"):
        if (folder / name).exists():
            read_board(folder / name)
