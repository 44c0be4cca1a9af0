"""Random and damaged inputs for fuzz tests, and the required result of a position file with any content."""

from __future__ import annotations

import contextlib
import io
import random
from pathlib import Path

from positions import random_board

from maxconnect4 import BadPosition, Board, read_board, write_board
from maxconnect4.cli import main
from maxconnect4.position_file import board_as_text

PIECES = [
    b"",
    b"0",
    b"1",
    b"2",
    b"3",
    b"\n",
    b"\r",
    b"\r\n",
    b" ",
    b"\t",
    b"x",
    b"\0",
    b"\xff",
    b"\xe2\x82\xac",
    b"-1",
    b"0000000\n",
]
LONGEST_NOISE = 100  # bytes


def damaged(rng: random.Random, text: bytes) -> bytes:
    """The text with some bytes changed, taken out, put in or swapped, or cut short, or doubled."""
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3, 10))):
        at = rng.randrange(len(text) + 1)
        match rng.randrange(5):
            case 0:
                text = text[:at] + rng.choice(PIECES) + text[at + 1 :]
            case 1:
                text = text[:at] + rng.choice(PIECES) + text[at:]
            case 2:
                text = text[:at] + text[at + rng.randrange(4) :]
            case 3:
                other = rng.randrange(len(text) + 1)
                low, high = min(at, other), max(at, other)
                text = text[high:] + text[low:high] + text[:low]
            case 4:
                text = text[:at] if rng.random() < 0.5 else text + text[at:]
    return text


def noise(rng: random.Random) -> bytes:
    """Any bytes."""
    return rng.randbytes(rng.randrange(LONGEST_NOISE))


def position_files(rng: random.Random, count: int = 200) -> list[bytes]:
    """Good position files."""
    return [board_as_text(random_board(rng, rng.randrange(42))).encode() for _ in range(count)]


class PositionFile:
    """A file that may hold a position, and one for the position after a move."""

    def __init__(self, folder: Path) -> None:
        self.source, self.target = folder / "in.txt", folder / "out.txt"

    def read(self, text: bytes, game: str = "max") -> Board | None:
        """Have it read, and what was read written: the same position, or else one line that names the file."""
        self.source.write_bytes(text)
        try:
            board = read_board(str(self.source), game)
        except BadPosition as refusal:
            assert str(refusal).startswith(str(self.source)), text
            assert len(str(refusal).splitlines()) == 1, text
            return None
        self.target.write_bytes(b"old")
        write_board(board, self.target)
        written = self.target.read_text()
        assert written.split() == text.removeprefix(b"\xef\xbb\xbf").decode("latin-1").split(), text
        assert str(read_board(str(self.target), game)) == str(board), text
        return board

    def move(self, board: Board | None, game: str = "max") -> bool:
        """Have the command make a move from it, where `board` is what was read; whether it made one."""
        self.target.write_bytes(b"old")
        printed, complaint = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complaint):
            code = main(["one-move", str(self.source), str(self.target), "1", "--game", game])
        self.judge(board, code, complaint.getvalue())
        return self.target.read_bytes() != b"old"

    def judge(self, board: Board | None, code: int, complaint: str) -> None:
        """Whether the command did what it should with it: a legal move, or nothing and one line that says why."""
        text = self.source.read_bytes()
        assert code == (3 if board is None else 0), text
        if board is None:
            assert self.target.read_bytes() == b"old", text
            assert complaint.count("\n") == 1, text
            assert complaint.startswith(f"maxconnect4: {self.source}"), text
        elif board.is_over():
            assert self.target.read_bytes() == b"old", text
        else:
            assert read_board(str(self.target)).pieces() == board.pieces() + 1, text
