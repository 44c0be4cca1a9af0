"""The computer's levels, from a beginner to perfect play.

The weak ones play as people do who learn the game: they look at the board, see some of what there is to see, and
overlook the rest (`attention`). From level 4 on they read on from the columns that look best to them, some plies deep,
and now and then not deep enough. Level 8 is the best that there is.

A level's drop depends on its seed and the position alone: the same game is played again the same, also after an undo,
and another seed plays another game.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from .attention import Attention, glance
from .board import GAMES, GREEN, RED, Board
from .errors import IllegalMove
from .players import PerfectPlayer
from .search import Choice, as_bits, choose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .solver import Solver

STRENGTHS = Path(__file__).with_name("strengths.json")
MOST_SECONDS = 0.25  # that a level below the last may read on


@dataclass(frozen=True, slots=True)
class Level:
    """One of the computer's levels in a game."""

    number: int
    game: str
    name: str
    description: str  # what it sees and overlooks, in a sentence

    @property
    def strength(self) -> str:
        """How strong it is, in a sentence, as measured."""
        return _strengths().get(self.game, {}).get(str(self.number), "Not measured yet.")


@dataclass(frozen=True, slots=True)
class _Mind:
    """How a level comes to its drop."""

    attention: Attention
    wavering: float  # how far its judgement of a column is off, in hundredths of a point
    depth: int = 0  # how far it reads on from the columns that look best; 0 for not at all
    columns: int = 7  # how many columns these are
    slips: float = 0.0  # how often it reads a column two plies less deep
    evaluation: str = "windows"


_NAMES = ("Beginner", "Novice", "Casual", "Hobby player", "Club player", "Expert", "Master", "Perfect")
_SEES_ALL = Attention(1, 1, 1, 1)
_MINDS = {
    "max": (
        _Mind(Attention(0.75, 0.45, 0.05, 0.4, 0.3, 0.2), 12),
        _Mind(Attention(0.9, 0.7, 0.2, 0.6, 0.2, 0.4), 8),
        _Mind(Attention(0.97, 0.9, 0.6, 0.8, 0.1, 0.6), 6),
        _Mind(Attention(0.98, 0.95, 0.8, 0.9, 0.05, 0.8), 40, 2, 4, 0.3, "best"),
        _Mind(Attention(1, 1, 0.9, 0.95, 0, 0.9), 25, 4, 5, 0.2, "best"),
        _Mind(_SEES_ALL, 15, 6, 6, 0.1, "best"),
        _Mind(_SEES_ALL, 5, 8, 7, 0.05, "best"),
    ),
    "classic": (
        _Mind(Attention(0.75, 0.45, 0.05, 0.4, 0.3, 0.2), 12),
        _Mind(Attention(0.9, 0.7, 0.2, 0.6, 0.2, 0.4), 8),
        _Mind(Attention(0.97, 0.9, 0.6, 0.8, 0.1, 0.6), 6),
        _Mind(Attention(0.98, 0.95, 0.8, 0.9, 0.05, 0.8), 40, 2, 4, 0.3),
        _Mind(Attention(1, 1, 0.9, 0.95, 0, 0.9), 25, 4, 5, 0.2),
        _Mind(_SEES_ALL, 15, 6, 6, 0.1),
        _Mind(_SEES_ALL, 5, 8, 7, 0.05),
    ),
}
_DESCRIPTIONS = (
    "Sees most of its own fours, many of yours not, and never looks at what its drop opens up.",
    "Sees its own fours and often yours, but overlooks slanting ones and what its drop opens up.",
    "Seldom overlooks a four that is there, but does not plan ahead.",
    "Reads the best looking columns two plies deep, and now and then overlooks a slanting four.",
    "Reads on four plies from the columns that look best, and misreads some.",
    "Reads on six plies and seldom errs.",
    "Reads on eight plies and hardly ever errs.",
)
_LAST = {
    "max": "Plays perfectly: it has solved the game.",
    "classic": "Looks ahead for a second with nothing overlooked; it has not solved this game.",
}
LEVELS: dict[str, tuple[Level, ...]] = {
    game: tuple(
        Level(number, game, name, description)
        for number, (name, description) in enumerate(zip(_NAMES, (*_DESCRIPTIONS, _LAST[game]), strict=True), start=1)
    )
    for game in GAMES
}


class LevelPlayer:
    """Plays as one of the levels does. Without a seed it is another one each time.

    `solver` is for perfect play. `watch` is called ten times a second while the player thinks; what it raises stops it.
    """

    def __init__(
        self,
        number: int,
        game: str = "max",
        seed: int | str | None = None,
        *,
        solver: Solver | None = None,
        watch: Callable[[], None] | None = None,
    ) -> None:
        if game not in LEVELS:
            raise ValueError(f"'{game}' is not a game: choose {' or '.join(LEVELS)}")
        if not 1 <= number <= len(LEVELS[game]):
            raise ValueError(f"there is no level {number}: they are 1 to {len(LEVELS[game])}")
        self.level = LEVELS[game][number - 1]
        self.seed = Random().getrandbits(64) if seed is None else seed
        self._solver = solver
        self._watch = watch

    def choose(self, board: Board, scores: bool = False) -> Choice:
        """The column, and with `scores` what it takes every column to be worth."""
        if board.game != self.level.game:
            raise ValueError(f"a player of {self.level.game} cannot play {board.game}")
        if board.is_over():
            raise IllegalMove("the game is over: there is no column to choose")
        if self.level.number == len(LEVELS[board.game]):
            return self._best(board, scores)
        return self._as_people_do(board, _MINDS[board.game][self.level.number - 1], scores)

    def _best(self, board: Board, scores: bool) -> Choice:
        if board.game == "classic":
            return choose(board, seconds=1.0, evaluation="windows", scores=scores, watch=self._watch)
        if self._solver is None:
            from .solver import Solver

            self._solver = Solver()
        watch = self._watch
        watched = None if watch is None else lambda ask, board: ask(board, progress=lambda _: watch())
        return PerfectPlayer(self._solver, watched).choose(board, scores)

    def _as_people_do(self, board: Board, mind: _Mind, scores: bool) -> Choice:
        chance = Random(f"{self.seed} {as_bits(board, RED)} {as_bits(board, GREEN)}")
        worth = glance(board, mind.attention, str(self.seed))
        found = Choice(0)
        if mind.depth:
            likely = sorted(worth, key=lambda column: -worth[column])[: mind.columns]
            found, values = self._read(board, mind, chance)
            worth = {column: values[column] for column in likely}
        worth = {column: value + chance.gauss(0, mind.wavering) for column, value in worth.items()}
        column = max(worth, key=lambda column: worth[column])
        return Choice(
            column,
            round(worth[column]),
            found.depth,
            found.nodes,
            found.cpu_seconds,
            [round(worth[each]) if each in worth else None for each in board.all_columns()] if scores else None,
        )

    def _read(self, board: Board, mind: _Mind, chance: Random) -> tuple[Choice, dict[int, float]]:
        """What each column turns out to be worth, as far as it is read."""
        deep, shallow = (
            choose(board, depth, seconds=MOST_SECONDS, evaluation=mind.evaluation, scores=True, watch=self._watch)
            for depth in (mind.depth, max(1, mind.depth - 2))
        )
        assert deep.scores is not None
        assert shallow.scores is not None
        values = {}
        for column, (well, badly) in enumerate(zip(deep.scores, shallow.scores, strict=True), start=1):
            slips = chance.random() < mind.slips
            value = badly if slips else well
            if value is not None:
                values[column] = float(value)
        return deep, values


@cache
def _strengths() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(STRENGTHS.read_text()) if STRENGTHS.exists() else {}
    return found
