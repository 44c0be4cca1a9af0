"""Positions that players are measured on: by name, from a file, or a set with the exact score of every column."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from ...board import Board
from ...errors import BadFile, BadPosition, shown, shown_path
from ...files import board_from_text
from ...notation import board_from_moves, is_move_string
from .set_file import read_positions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .set_file import Entry

#: The second sample of the assignment; the first is the empty board.
SAMPLE = "0000000\n0000000\n0200000\n0100002\n0200111\n1100222\n1\n"
EXACT = os.path.join(os.path.dirname(__file__), "exact.tsv")
NAMED = ("empty", "samples", "exact")
SAMPLES = ("sample 1", "sample 2")  # what the two are called apart


@dataclass(frozen=True, slots=True)
class Position:
    """A position, and what its columns are worth, if that is known."""

    board: Board
    #: The final margin of each column with perfect play, for the side to move, or its score in the classic game; None
    #: for a full one.
    scores: tuple[int | None, ...] | None = None

    def regret(self, column: int) -> int | None:
        """The points that a drop gives away against perfect play, if the scores are known."""
        if self.scores is None:
            return None
        score = self.scores[column - 1]
        assert score is not None, f"column {column} is full"
        return max(each for each in self.scores if each is not None) - score


@dataclass(frozen=True, slots=True)
class PositionSet:
    """Some positions under one name."""

    name: str
    positions: tuple[Position, ...]

    @property
    def has_scores(self) -> bool:
        """Whether it shows the strength of moves, and not only what they take."""
        return all(position.scores is not None for position in self.positions)

    @property
    def fingerprint(self) -> str:
        """What tells it from other sets, whatever their names: of the positions in their order, and the scores."""
        from hashlib import sha256

        content = "\n\n".join(f"{position.board}\n{position.scores}" for position in self.positions)
        return sha256(content.encode()).hexdigest()[:16]


def sets_from(text: str, game: str = "max") -> list[PositionSet]:
    """The sets that words with commas between them name, unless that is a file. The two samples are measured apart.

    The same set is there once. Of different sets with one name, as of files in two folders, the later are numbered.
    """
    words = [text] if os.path.lexists(text) else [word for word in text.split(",") if word] or [text]
    found: dict[str, PositionSet] = {}
    for each in (each for word in words for each in _apart(word, game)):
        name, number = each.name, 1
        while name in found and found[name].positions != each.positions:
            number += 1
            name = f"{each.name} {number}"
        found.setdefault(name, replace(each, name=name))
    return list(found.values())


def _apart(word: str, game: str) -> list[PositionSet]:
    positions = set_from(word, game)
    if word != "samples":
        return [positions]
    return [PositionSet(name, (each,)) for name, each in zip(SAMPLES, positions.positions, strict=True)]


def set_from(text: str, game: str = "max") -> PositionSet:
    """The set of a game that a word names: empty, samples, exact, a file, or a move string.

    A file is taken before a move string of the same name, and a word that names a set before a file: there is always
    ./exact. A set from a file has the file's name, without its ending unless it would be taken for one of ours.
    """
    if text in NAMED:
        return _set(text, _named(text, game))
    if os.path.lexists(text):
        name = os.path.splitext(os.path.basename(os.path.normpath(text)))[0]
        return _set(shown_path(text if name in (*NAMED, *SAMPLES) else name), read_positions(text, game))
    if is_move_string(text):
        board = board_from_moves(text, game)
        if board.is_over():
            raise BadPosition(f"{shown(text)} is a finished game, so there is no move to measure")
        return _set(text, [(board, None)])
    raise BadFile(f"{shown_path(text)}: there is no such file, and no set of this name: those are {', '.join(NAMED)}")


def _named(word: str, game: str) -> list[Entry]:
    if word == "exact":
        if game == "classic":
            making = "'maxconnect4 positions --game classic' makes a set with those of the classic game"
            raise BadFile(f"exact has the scores of Max-Connect4: {making}")
        return read_positions(EXACT)
    boards = [Board(game)]
    if word == "samples":
        boards.append(board_from_text(SAMPLE, "the second sample", game))
    return [(board, None) for board in boards]


def _set(name: str, entries: list[Entry]) -> PositionSet:
    return PositionSet(name, tuple(Position(board, scores) for board, scores in entries))
