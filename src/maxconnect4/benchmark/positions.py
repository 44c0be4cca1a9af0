"""Position sets for benchmarks: their names, files and parser."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..board import HEIGHT, WIDTH, Board
from ..errors import BadFile, BadPosition, quote, quote_path
from ..files import read_text
from ..formatting import plural
from ..notation import board_from_moves, is_move_string
from ..position_file import board_from_text
from ..sample_positions import Position

Scores = tuple[int | None, ...]  # of each column, None for a full one
Entry = tuple[Board, Scores | None]

LARGEST = 16 << 20  # bytes
FIELDS = ("moves", "value", *(f"c{column}" for column in range(1, WIDTH + 1)))
HEADS = {"max": FIELDS[0], "classic": "classic"}  # name of the first field by game
EMPTY_BOARD, FULL_COLUMN = "-", "."
MARGIN = re.compile(r"[+-]?[0-9]{1,2}", re.ASCII)


def read_positions(path: str, game: str = "max") -> list[Entry]:
    """Read a position set, or the position of a position file."""
    name = quote_path(path)
    text = read_text(path, "set of positions", LARGEST)
    if not _is_board(text):
        return _entries(text, name, game)
    board = board_from_text(text, name, game)
    if board.is_over():
        why = "the board is full" if board.is_full() else "the game is won"
        raise BadPosition(f"{name}: {why}: choose a position with a legal move")
    return [(board, None)]


def format_position_set(comments: Iterable[str], entries: Iterable[tuple[str, Scores]], game: str = "max") -> str:
    """Format a position set: comment lines, then moves with their scores."""
    lines = [f"# {comment}" for comment in comments]
    lines.append("\t".join((HEADS[game], *FIELDS[1:])))
    for moves, scores in entries:
        value = max(score for score in scores if score is not None)
        words = (FULL_COLUMN if score is None else str(score) for score in scores)
        lines.append("\t".join([moves or EMPTY_BOARD, str(value), *words]))
    return "\n".join(lines) + "\n"


def _is_board(text: str) -> bool:
    """Whether a text is a position file, valid or not: it has empty cells or the shape of a full board."""
    lines = text.split()
    if not lines or not set(lines[0]) <= set("012"):
        return False
    return "0" in lines[0] or [len(line) for line in lines] == [WIDTH] * HEIGHT + [1]


def _entries(text: str, name: str, game: str) -> list[Entry]:
    entries: list[Entry] = []
    line_of: dict[str, int] = {}
    fields = 0  # of every line
    for number, line in enumerate(text.splitlines(), start=1):
        words = [word.strip() for word in line.partition("#")[0].rstrip().split("\t")]
        if words == [""]:
            continue
        try:
            first = fields == 0
            fields = fields or (1 if len(words) == 1 else len(FIELDS))
            if first:
                _check_game(words, game)
            if first and words[0] in HEADS.values():
                _check_header(words, HEADS[game])
                continue
            if len(words) != fields:
                raise BadPosition(_wrong_count(len(words), fields))
            board = _board(words[0], game)
            before = line_of.setdefault(str(board), number)
            if before != number:
                raise BadPosition(f"{quote(words[0])} is the same position as line {before}")
            entries.append((board, None if fields == 1 else _scores(board, words[1], words[2:])))
        except BadPosition as error:
            raise BadPosition(f"{name}, line {number}: {error}") from None
    if not entries:
        raise BadFile(f"{name} has no positions")
    return entries


def _check_game(words: list[str], game: str) -> None:
    """Raise BadPosition if the first line belongs to a set of the other game."""
    if game == "max" and words[0] == HEADS["classic"]:
        raise BadPosition("the set is for the classic game, not for Max-Connect4")
    if game == "classic" and words[0] != HEADS["classic"] and len(words) > 1:
        raise BadPosition("the scores are for Max-Connect4, not for the classic game")


def _check_header(words: list[str], head: str) -> None:
    if tuple(words[1:]) not in (FIELDS[1:], ()):
        raise BadPosition(f"the fields must be {head} {' '.join(FIELDS[1:])}, separated by tabs, or only moves")


def _wrong_count(count: int, fields: int) -> str:
    if fields == 1:
        return f"{count} fields, but only moves on the lines before"
    return f"{plural(count, 'field')} instead of {fields}: {', '.join(FIELDS[:3])} to {FIELDS[-1]}, separated by tabs"


def _board(moves: str, game: str) -> Board:
    if not moves:
        raise BadPosition(f"the moves are missing: write {EMPTY_BOARD} for the empty board")
    board = board_from_moves("" if moves == EMPTY_BOARD else moves, game)
    if board.is_over():
        raise BadPosition(f"{quote(moves)} is a finished game: choose a position with a legal move")
    return board


def _scores(board: Board, value: str, words: list[str]) -> Scores:
    scores: list[int | None] = []
    for column, word in enumerate(words, start=1):
        is_open = column in board.columns()
        if word == FULL_COLUMN and not is_open:
            scores.append(None)
        elif word == FULL_COLUMN:
            raise BadPosition(f"column {column} is not full, but its score is missing")
        elif not is_open:
            raise BadPosition(f"column {column} is full, but has the score {quote(word)}: write {FULL_COLUMN}")
        else:
            scores.append(_margin(word))
    best = max(score for score in scores if score is not None)
    if _margin(value) != best:
        raise BadPosition(f"the value is {value}, but the best score is {best}")
    return tuple(scores)


def _margin(word: str) -> int:
    if MARGIN.fullmatch(word) is None:
        raise BadPosition(f"{quote(word)} is not a score, such as -2")
    return int(word)


#: The second sample of the assignment. The first is the empty board.
SAMPLE = "0000000\n0000000\n0200000\n0100002\n0200111\n1100222\n1\n"
EXACT = os.path.join(os.path.dirname(__file__), "exact.tsv")
NAMED = ("empty", "samples", "exact")
SAMPLES = ("sample 1", "sample 2")  # names of the two samples


@dataclass(frozen=True, slots=True)
class PositionSet:
    """A named set of positions."""

    name: str
    positions: tuple[Position, ...]

    @property
    def has_scores(self) -> bool:
        """Whether the scores of all positions are known, which the regret requires."""
        return all(position.scores is not None for position in self.positions)

    @property
    def fingerprint(self) -> str:
        """A hash of the positions and scores, which distinguishes the set from others with the same name."""
        from hashlib import sha256

        content = "\n\n".join(f"{position.board}\n{position.scores}" for position in self.positions)
        return sha256(content.encode()).hexdigest()[:16]


def parse_position_sets(text: str, game: str = "max") -> list[PositionSet]:
    """Parse a list of position sets, separated by commas, or the name of a single file.

    The two samples are separate sets. Repeated sets are omitted. Different sets with the same name, such as files in
    two folders, get a number.
    """
    words = [text] if os.path.lexists(text) else [word for word in text.split(",") if word] or [text]
    found: dict[str, PositionSet] = {}
    for each in (each for word in words for each in _position_sets(word, game)):
        name, number = each.name, 1
        while name in found and found[name].positions != each.positions:
            number += 1
            name = f"{each.name} {number}"
        found.setdefault(name, replace(each, name=name))
    return list(found.values())


def _position_sets(word: str, game: str) -> list[PositionSet]:
    positions = parse_position_set(word, game)
    if word != "samples":
        return [positions]
    return [PositionSet(name, (each,)) for name, each in zip(SAMPLES, positions.positions, strict=True)]


def parse_position_set(text: str, game: str = "max") -> PositionSet:
    """Parse the name of a position set: empty, samples, exact, a file or a move string, in this order of precedence.

    A set from a file has the name of the file without its suffix, or with it to avoid the name of a built-in set.
    """
    if text in NAMED:
        return _set(text, _named(text, game))
    if os.path.lexists(text):
        name = os.path.splitext(os.path.basename(os.path.normpath(text)))[0]
        return _set(quote_path(text if name in (*NAMED, *SAMPLES) else name), read_positions(text, game))
    if is_move_string(text):
        board = board_from_moves(text, game)
        if board.is_over():
            raise BadPosition(f"{quote(text)} is a finished game: choose a position with a legal move")
        return _set(text, [(board, None)])
    raise BadFile(f"{quote_path(text)}: there is no such file, and it is not a set: choose {', '.join(NAMED)}")


def _named(word: str, game: str) -> list[Entry]:
    if word == "exact":
        if game == "classic":
            command = "'maxconnect4 positions --game classic'"
            raise BadFile(f"exact has scores of Max-Connect4: build a set for the classic game with {command}")
        return read_positions(EXACT)
    boards = [Board(game)]
    if word == "samples":
        boards.append(board_from_text(SAMPLE, "the second sample", game))
    return [(board, None) for board in boards]


def _set(name: str, entries: list[Entry]) -> PositionSet:
    return PositionSet(name, tuple(Position(board, scores) for board, scores in entries))
