"""Set files: positions as move strings, one on a line, with the exact score of every column or without.

    # a comment
    moves	value	c1	c2	c3	c4	c5	c6	c7
    2756123436524411664737177634534612325152	1	.	.	.	.	1	.	0

Fields are separated by tabs. The value and the scores are final margins with perfect play in the view of the side to
move, points already on the board included; the value is the best score, and a dot stands for a full column. The empty
board is "-". A file without scores has nothing but the moves on its lines.

A set of the classic game says "classic" instead of "moves". Its scores are 0 for a draw, n for a win with the n-th last
piece that the winner has for a full board, and -n for such a loss. Moves alone are positions of whatever game is meant.
"""

from __future__ import annotations

import re

from ...amounts import how_many
from ...board import HEIGHT, WIDTH
from ...errors import BadFile, BadPosition, shown, shown_path
from ...files import board_from_text
from ...notation import board_from_moves
from ...reading import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...board import Board

    Scores = tuple[int | None, ...]  # of each column, None for a full one
    Entry = tuple[Board, Scores | None]

LARGEST = 16 << 20  # bytes
FIELDS = ("moves", "value", *(f"c{column}" for column in range(1, WIDTH + 1)))
HEADS = {"max": FIELDS[0], "classic": "classic"}  # what the first field is called, by the game
EMPTY_BOARD, FULL_COLUMN = "-", "."
MARGIN = re.compile(r"[+-]?[0-9]{1,2}", re.ASCII)


def read_positions(path: str, game: str = "max") -> list[Entry]:
    """What a file holds: a set of positions of a game, or the one of a position file."""
    name = shown_path(path)
    text = read_text(path, "set of positions", LARGEST)
    if not _is_board(text):
        return _entries(text, name, game)
    board = board_from_text(text, name, game)
    if board.is_over():
        why = "the board is full" if board.is_full() else "somebody has four"
        raise BadPosition(f"{name}: {why}, so there is no move to measure")
    return [(board, None)]


def as_text(comments: Iterable[str], entries: Iterable[tuple[str, Scores]], game: str = "max") -> str:
    """A set file with these comment lines, and these moves of a game with their scores."""
    lines = [f"# {comment}" for comment in comments]
    lines.append("\t".join((HEADS[game], *FIELDS[1:])))
    for moves, scores in entries:
        value = max(score for score in scores if score is not None)
        words = (FULL_COLUMN if score is None else str(score) for score in scores)
        lines.append("\t".join([moves or EMPTY_BOARD, str(value), *words]))
    return "\n".join(lines) + "\n"


def _is_board(text: str) -> bool:
    """Whether it looks like a position file, maybe a bad one: it has empty cells, or the shape of a full board."""
    lines = text.split()
    if not lines or not set(lines[0]) <= set("012"):
        return False
    return "0" in lines[0] or [len(line) for line in lines] == [WIDTH] * HEIGHT + [1]


def _entries(text: str, name: str, game: str) -> list[Entry]:
    entries: list[Entry] = []
    line_of: dict[str, int] = {}
    fields = 0  # that every line has to have
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
                raise BadPosition(f"{shown(words[0])} is the same position as line {before}")
            entries.append((board, None if fields == 1 else _scores(board, words[1], words[2:])))
        except BadPosition as error:
            raise BadPosition(f"{name}, line {number}: {error}") from None
    if not entries:
        raise BadFile(f"{name} has no positions")
    return entries


def _check_game(words: list[str], game: str) -> None:
    """Whether the first line, with the names of the fields or without, is of a set of this game."""
    if game == "max" and words[0] == HEADS["classic"]:
        raise BadPosition("a set of the classic game, not of Max-Connect4")
    if game == "classic" and words[0] != HEADS["classic"] and len(words) > 1:
        raise BadPosition("scores of Max-Connect4, which say nothing of the classic game")


def _check_header(words: list[str], head: str) -> None:
    if tuple(words[1:]) not in (FIELDS[1:], ()):
        raise BadPosition(f"the fields have to be {head} {' '.join(FIELDS[1:])}, with tabs, or moves alone")


def _wrong_count(count: int, fields: int) -> str:
    if fields == 1:
        return f"{count} fields, and only moves on the lines before"
    return f"{how_many(count, 'field')} instead of {fields}: {', '.join(FIELDS[:3])} to {FIELDS[-1]}, with tabs"


def _board(moves: str, game: str) -> Board:
    if not moves:
        raise BadPosition(f"there are no moves: the empty board is {EMPTY_BOARD}")
    board = board_from_moves("" if moves == EMPTY_BOARD else moves, game)
    if board.is_over():
        raise BadPosition(f"{shown(moves)} is a finished game, so there is no move to measure")
    return board


def _scores(board: Board, value: str, words: list[str]) -> Scores:
    scores: list[int | None] = []
    for column, word in enumerate(words, start=1):
        has_room = column in board.columns()
        if word == FULL_COLUMN and not has_room:
            scores.append(None)
        elif word == FULL_COLUMN:
            raise BadPosition(f"column {column} is not full, and has no score")
        elif not has_room:
            raise BadPosition(f"column {column} is full, and cannot have the score {shown(word)}")
        else:
            scores.append(_margin(word))
    best = max(score for score in scores if score is not None)
    if _margin(value) != best:
        raise BadPosition(f"the value is {value}, and the best score {best}")
    return tuple(scores)


def _margin(word: str) -> int:
    if MARGIN.fullmatch(word) is None:
        raise BadPosition(f"{shown(word)} is not a score, such as -2")
    return int(word)
