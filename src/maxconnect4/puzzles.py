"""Puzzles: positions in which only one column is best, found with the solver.

A puzzle also has a plausible wrong column: the choice of a shallow search. The number of plies to the four that shows
why that column is wrong is the depth of the puzzle, and gives its grade. In the classic game only the result counts:
the best column is the only one that wins, or the only one that draws.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from .board import GAMES, Board
from .errors import BadFile, quote
from .notation import board_from_moves, is_move_string
from .position_keys import key_of
from .reasons import find_reason
from .scores import sign
from .search import choose
from .solver import Solver

HEAD = "game\tmoves\tcolumn\tvalue\tsecond\ttempting\tdepth"
COMMENT = "# Puzzles of maxconnect4 with seed {seed}. Positions tried: {tried}."
DEEPEST = {"max": 16, "classic": 22}  # plies; a puzzle that needs a deeper search is left out
PLIES = {"max": (10, 34), "classic": (14, 34)}  # pieces on the board
MISTAKES = 0.25  # share of random moves in the games that lead to puzzles
GRADES = {"max": (2, 5, 9), "classic": (2, 4, 14)}  # the depth at which grade 1, 2 and 3 begin
Grade = Literal[1, 2, 3]


class Puzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A position with one best column."""

    game: str
    moves: str
    column: int  # the only best one
    value: int  # of that column, for the player to move
    second: int  # the value of the second best column
    tempting: int  # a plausible wrong column
    depth: int  # in plies, to the four that shows why the tempting column is wrong

    @property
    def grade(self) -> Grade:
        """How hard the puzzle is, from 1 to 3."""
        _, second, third = GRADES[self.game]
        return 3 if self.depth >= third else 2 if self.depth >= second else 1

    @property
    def goal(self) -> Literal["win", "draw", "points"]:
        """Whether only the column wins, only it avoids a loss, or it is better by points alone."""
        if sign(self.value) == sign(self.second):
            return "points"
        return "win" if self.value > 0 else "draw"

    def board(self) -> Board:
        """The position."""
        return board_from_moves(self.moves, self.game)


def make_puzzle(board: Board, solver: Solver, stop: Callable[[], bool] | None = None) -> Puzzle | None:
    """Make a puzzle of a position; None if several columns are best, or a shallow search also finds the best one.

    Args:
        board: A position with its moves.
        solver: The solver.
        stop: Called ten times a second; the search stops when it returns True.

    Raises:
        SearchStopped: If `stop` returned True.
    """
    moves = board.moves
    analysis = solver.analyse(board, line=False, stop=stop)
    known = sorted((score for score in analysis.scores or [] if score is not None), reverse=True)
    if moves is None or len(known) < 3 or not _is_better(board.game, known[0], known[1]):
        return None
    column = (analysis.scores or []).index(known[0]) + 1
    tempting = _tempting(board, column, stop)
    reason = find_reason(board, tempting, [column], solver, stop) if tempting else None
    if tempting is None or reason is None or not GRADES[board.game][0] <= len(reason.line) <= DEEPEST[board.game]:
        return None
    return Puzzle(
        game=board.game,
        moves=moves,
        column=column,
        value=known[0],
        second=known[1],
        tempting=tempting,
        depth=len(reason.line),
    )


def _is_better(game: str, value: int, other: int) -> bool:
    return sign(value) > sign(other) if game == "classic" else value > other


def _tempting(board: Board, column: int, stop: Callable[[], bool] | None) -> int | None:
    """The wrong column that a shallow search chooses, None if every one chooses the right column."""
    for depth in (2, 1, 3):
        found = choose(board, depth, stop=stop).column
        if found != column:
            return found
    return None


def candidate(game: str, seed: int, number: int) -> Board | None:
    """A position of a game between shallow searches with some random moves; None if it ended too early."""
    rng = random.Random(f"{seed} {game} {number}")
    board, plies = Board(game), rng.randint(*PLIES[game])
    while board.pieces() < plies:
        columns = board.columns()
        column = rng.choice(columns) if rng.random() < MISTAKES else choose(board, rng.randint(1, 3)).column
        board.drop(column)
        if board.is_over():
            return None
    return board


class Collection:
    """Puzzles of both games, and the number of positions that have been tried to find them.

    Args:
        seed: The random seed.
    """

    def __init__(self, seed: int = 1) -> None:
        self.seed = seed
        self.tried = dict.fromkeys(GAMES, 0)
        self.puzzles: dict[str, list[Puzzle]] = {game: [] for game in GAMES}

    def __len__(self) -> int:
        return sum(map(len, self.puzzles.values()))

    def extend(self, game: str, count: int, solver: Solver, stop: Callable[[], bool] | None = None) -> Iterator[Puzzle]:
        """Find puzzles of a game until there are `count`, as many of each grade."""
        found = self.puzzles[game]
        known = {key_of(puzzle.board()) for puzzle in found}
        while len(found) < count:
            board = candidate(game, self.seed, self.tried[game])
            puzzle = make_puzzle(board, solver, stop) if board and key_of(board) not in known else None
            self.tried[game] += 1
            if puzzle is None or sum(each.grade == puzzle.grade for each in found) * 3 >= count + 2:
                continue
            known.add(key_of(puzzle.board()))
            found.append(puzzle)
            yield puzzle

    def text(self) -> str:
        """The text of a file of puzzles."""
        tried = ", ".join(f"{game} {number}" for game, number in self.tried.items())
        rows = ["\t".join(map(str, msgspec.structs.astuple(each))) for game in GAMES for each in self.puzzles[game]]
        return "\n".join([COMMENT.format(seed=self.seed, tried=tried), HEAD, *rows]) + "\n"


def parse_puzzles(text: str, name: str) -> Collection:
    """Parse the text of a file of puzzles; `name` is the file for messages.

    Raises:
        BadFile: If the text is not valid.
    """
    comment, head, *rows = [*text.splitlines(), "", ""]
    words = comment.replace(".", "").replace(",", "").split()
    try:
        collection = Collection(int(words[words.index("seed") + 1]))
        for game in GAMES:
            collection.tried[game] = int(words[words.index(game) + 1])
    except (ValueError, IndexError):
        raise BadFile(f"{name} is not a file of puzzles: line 1 is {quote(comment)}") from None
    if head != HEAD:
        raise BadFile(f"{name} is not a file of puzzles: line 2 is {quote(head)}")
    for number, row in enumerate(rows, start=3):
        if row:
            puzzle = _parse_row(row)
            if puzzle is None:
                raise BadFile(f"{name}, line {number}: {quote(row)} is not a puzzle")
            collection.puzzles[puzzle.game].append(puzzle)
    return collection


def _parse_row(row: str) -> Puzzle | None:
    game, moves, *numbers = [*row.split("\t"), "", ""]
    names = HEAD.split("\t")[2:]
    try:
        puzzle = Puzzle(game=game, moves=moves, **dict(zip(names, map(int, numbers[:-2]), strict=True)))
        legal = (
            game in GAMES
            and is_move_string(moves)
            and {puzzle.column, puzzle.tempting} <= set(puzzle.board().columns())
        )
    except ValueError:
        return None
    return puzzle if legal else None


@cache
def shipped_puzzles() -> dict[str, list[Puzzle]]:
    """The puzzles of this package, by game."""
    text = (files(__package__) / "puzzles.tsv").read_text("ascii")
    return parse_puzzles(text, "puzzles.tsv").puzzles


def daily_number(game: str, date: datetime.date) -> int:
    """The index of the puzzle of a day."""
    count = len(shipped_puzzles()[game])
    rounds, day = divmod(date.toordinal(), count)
    order = list(range(count))
    random.Random(f"{game} {rounds}").shuffle(order)
    return order[day]
