"""Making sets of positions with exact scores, which show how strong a player is.

The plies go round: a position of the fewest, of one more, and so on to the most, and over again. Each number of plies
has random games of its own, by the seed, so that a smaller set is the beginning of a larger one, and is spread over the
plies as evenly. A number of plies of which there are no more positions is passed over.
"""

from __future__ import annotations

import random
from contextlib import closing
from dataclasses import dataclass
from itertools import count as numbers
from itertools import islice

from ... import __version__
from ...amounts import how_many
from ...errors import NotEnough
from ...keys import key_of
from ...notation import board_from_moves
from ...resources import processors
from ...sampling import random_board, show_strength
from ...solver import Solver, default_memory
from ...work.tasks import Job, Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...work.tasks import Workers
    from .set_file import Scores

LAST = 40  # plies: with one more there is but one move
MOST = 100_000  # positions
MOST_SEEDS = 10**18
BATCH = 4  # positions of a task
#: Random games in a row that lead to nothing new: after so many, there are no more positions.
FRUITLESS = 10_000
#: What the comments of a set say of its scores.
WORTH = {
    "max": (
        "Positions of Max-Connect4 (7 columns, 6 rows) with exact scores, one on a line, with tabs.",
        "moves: columns 1 to 7 from the empty board, which itself is -. value and c1 to c7: the final margin with",
        "perfect play, and that after a drop into each column, for the side to move; . is a full column.",
    ),
    "classic": (
        "Positions of classic four in a row (7 columns, 6 rows) with exact scores, one on a line, with tabs.",
        "classic: columns 1 to 7 from the empty board, which itself is -. value and c1 to c7: the score with perfect",
        "play, and that after a drop into each column, for the side to move; . is a full column. A score is 0 for a",
        "draw, n for a win with the n-th last piece that the winner has for a full board, and -n for such a loss.",
    ),
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a set is made of. The same recipe gives the same set."""

    earliest: int  # plies
    latest: int
    count: int
    seed: int
    game: str = "max"
    every: bool = False  # whether positions are kept in which all columns are worth the same

    @property
    def command(self) -> str:
        """What makes this set."""
        more = " --game classic" * (self.game == "classic") + " --all" * self.every
        return f"maxconnect4 positions --plies {self.plies} --count {self.count} --seed {self.seed}{more}"

    @property
    def plies(self) -> str:
        """The plies as they are written: 8-30, or 12 alone."""
        return f"{self.earliest}-{self.latest}" if self.earliest < self.latest else f"{self.earliest}"

    @property
    def plies_in_words(self) -> str:
        """The same in a sentence: of 8-30 plies, of 1 ply."""
        return f"of {self.plies} {'ply' if self.plies == '1' else 'plies'}"

    def comments(self) -> list[str]:
        """What a file with the set says of itself."""
        return [
            f"Made by maxconnect4 {__version__}:",
            self.command,
            *WORTH[self.game],
            "Each position is from a game of random drops, all columns with room being equally likely. No two are the",
            "same, or mirror images."
            + " Where all columns are worth the same, no strength shows: those are left out." * (not self.every),
        ]


def make(recipe: Recipe, workers: Workers, progress: Callable[[int], None] | None = None) -> list[tuple[str, Scores]]:
    """The positions of a recipe: moves, and the score of every column. `progress` is told how many there are."""
    stocks = {plies: _Stock(plies, recipe) for plies in range(recipe.earliest, recipe.latest + 1)}
    there_are = 0
    while there_are < recipe.count:
        if not any(stock.has_more for stock in stocks.values()):
            wanted = f"{how_many(recipe.count, 'different position')} {recipe.plies_in_words}"
            found = f"{there_are:,} {'was' if there_are == 1 else 'were'} found"
            which = " where the columns are not all worth the same" * (not recipe.every)
            are = "is" if recipe.count == 1 else "are"
            raise NotEnough(f"{wanted} {are} not to be had: only {found}{which}")
        with closing(workers.run(_tasks(list(stocks.values()), recipe.count))) as solving:
            for done in solving:
                there_are += sum(stocks[len(each.item)].learn(each.item, each.result) for each in done)
                if progress is not None:
                    progress(there_are)
    kept = [stock.kept() for stock in stocks.values()]
    return [each[turn] for turn in range(recipe.count) for each in kept if turn < len(each)]


def workers_here(processes: int | None = None, memory: int | None = None, game: str = "max") -> Workers:
    """Who finds the scores: processes on this machine. `memory` is the most for all their tables together."""
    from ...work.local import LocalWorkers

    processes = processes or processors()
    share = (default_memory() if memory is None else memory) // processes
    return LocalWorkers(Job(f"{__name__}:{scores_of.__name__}", (share, game)), processes)


_solver: Solver | None = None  # of this process: its table stays warm


def scores_of(moves: str, memory: int, game: str = "max") -> tuple[int | None, ...]:
    """The exact score of every column, from the book or by this process's solver."""
    global _solver
    if _solver is None or _solver.memory != memory:
        _solver = Solver(memory, threads=1)
    scores = _solver.analyse(board_from_moves(moves, game), line=False).scores
    assert scores is not None
    return tuple(scores)


class _Stock:
    """The positions of one number of plies."""

    def __init__(self, plies: int, recipe: Recipe) -> None:
        self.has_more = True
        self._every = recipe.every
        self.expected = 0  # positions, if all whose scores are not known yet are good
        self._scores: dict[str, Scores] = {}  # of moves, in the order of the games; nothing if not known yet
        self._games = _different(random.Random(recipe.seed * (LAST + 1) + plies), plies, recipe.game)

    def candidates(self, count: int) -> list[str]:
        """So many more moves whose scores are needed, or as many as there are."""
        moves = list(islice(self._games, count))
        self._scores.update(dict.fromkeys(moves, ()))
        self.expected += len(moves)
        self.has_more = len(moves) == count
        return moves

    def learn(self, moves: str, scores: Scores) -> bool:
        """Note the scores of a candidate. Says whether it is good."""
        self._scores[moves] = scores
        good = self._is_good(scores)
        self.expected -= not good
        return good

    def kept(self) -> list[tuple[str, Scores]]:
        """Those that are good."""
        return [(moves, scores) for moves, scores in self._scores.items() if self._is_good(scores)]

    def _is_good(self, scores: Scores) -> bool:
        return show_strength(scores) or (self._every and len(scores) > 0)


def _tasks(stocks: list[_Stock], count: int) -> Iterator[Task]:
    """Moves whose scores are needed, by what is known when they are asked for. Early positions take longest: first."""
    for number in numbers():
        batch: list[str] = []
        for at, stock in enumerate(stocks):
            lacking = _shares(stocks, count)[at] - stock.expected
            if lacking > 0 and stock.has_more:
                batch += stock.candidates(min(lacking, BATCH - len(batch)))
            if len(batch) == BATCH:
                break
        if not batch:
            return
        yield Task(f"positions-{number}", tuple(batch))


def _shares(stocks: list[_Stock], count: int) -> list[int]:
    """How many positions each stock has to give if they give in turn, as long as they have any."""
    shares = [0] * len(stocks)
    while count:
        giving = [at for at, stock in enumerate(stocks) if stock.has_more or shares[at] < stock.expected][:count]
        if not giving:
            break
        rooms = [stocks[at].expected - shares[at] for at in giving if not stocks[at].has_more]
        turns = min([count // len(giving), *rooms])
        for at in giving:
            shares[at] += turns
        count -= turns * len(giving)
    return shares


def _different(source: random.Random, plies: int, game: str) -> Iterator[str]:
    """Positions of random games that are not over, as moves; no two are the same, nor mirror images."""
    known: set[int] = set()
    fruitless = 0
    while fruitless < FRUITLESS:
        board = random_board(source, plies, game)
        if board.is_over():
            continue
        key = key_of(board)
        fruitless = fruitless + 1 if key in known else 0
        if not fruitless:
            known.add(key)
            yield "".join(map(str, board.drops))
