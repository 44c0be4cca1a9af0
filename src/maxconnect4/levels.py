"""The computer's levels, from a beginner to perfect play.

The weak ones play as people do who learn the game: they look at the board, see some of what there is to see, and
overlook the rest (`attention`). Stronger ones read on some plies, now and then less far than they should; where they
overlook a four they believe what they see. All but the last waver: they take a fancy to a column for some moves, most
often to one near the centre, and think again with every drop. Level 8 plays perfectly.

A level's drop depends on its seed and the position alone: the same game is played again the same, also after an undo,
and another seed plays another game.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from .attention import SPELL, Attention, glance
from .board import GAMES, GREEN, NAMES, RED, Board, check_game
from .players import PerfectPlayer
from .search import Choice, as_bits, choose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .solver import Solver

STRENGTHS = Path(__file__).with_name("strengths.json")
MOST_SECONDS = 0.1  # for reading on, and again for reading on less deep
TABLE_BYTES = 16 << 20  # more than these seconds fill


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
        return _strengths()[self.game][str(self.number)]


@dataclass(frozen=True, slots=True)
class _Mind:
    """How a level comes to its drop."""

    attention: Attention
    wavering: float  # how far its judgement of a column is off, half of it for a spell, in hundredths of a point
    depth: int = 0  # how far it reads on, in plies; 0 for not at all
    slips: float = 0.0  # how often it reads a column two plies less deep


_SEES_ALL = Attention(1, 1, 1, 1)
_MINDS = {
    "max": (
        _Mind(Attention(0.58, 0.18, 0.00, 0.20, 0.40), 60),
        _Mind(Attention(0.70, 0.39, 0.07, 0.39, 0.28), 13),
        _Mind(Attention(0.86, 0.66, 0.30, 0.63, 0.17), 9),
        _Mind(Attention(0.94, 0.86, 0.60, 0.80, 0.10), 8),
        _Mind(Attention(0.96, 0.89, 0.66, 0.83, 0.08), 26, depth=4, slips=0.27),
        _Mind(Attention(0.99, 0.97, 0.90, 0.95, 0.03), 25, depth=6, slips=0.22),
        _Mind(_SEES_ALL, 22, depth=8, slips=0.22),
    ),
    "classic": (
        _Mind(Attention(0.60, 0.22, 0.00, 0.25, 0.38), 45),
        _Mind(Attention(0.76, 0.48, 0.12, 0.45, 0.25), 14),
        _Mind(Attention(0.90, 0.76, 0.42, 0.70, 0.15), 10),
        _Mind(Attention(0.96, 0.88, 0.70, 0.83, 0.08), 18, depth=4, slips=0.18),
        _Mind(Attention(0.99, 0.97, 0.89, 0.95, 0.03), 21, depth=6, slips=0.22),
        _Mind(_SEES_ALL, 20, depth=8, slips=0.22),
        _Mind(_SEES_ALL, 8, depth=10, slips=0.09),
    ),
}
_WORDS = {
    "max": (
        ("Beginner", "Sees its own fours more often than not, yours seldom, and plays here and there otherwise."),
        ("Novice", "Sees most of its own fours and some of yours, but hardly ever a slanting one."),
        ("Casual player", "Sees most fours, its own and yours, but not what its drop opens up above it."),
        ("Keen player", "Sees nearly every four and often what its drop opens up, but does not read ahead."),
        ("Club player", "Reads 4 plies ahead, misreads some, and now and then overlooks a slanting four."),
        ("Expert", "Reads 6 plies ahead, misreads some, and hardly ever overlooks a four."),
        ("Master", "Reads 8 plies ahead and overlooks no four, but misreads or misjudges some columns."),
        ("Perfect", "Has solved the game and never gives a point away."),
    ),
    "classic": (
        ("Beginner", "Sees its own four more often than not, yours seldom, and plays here and there otherwise."),
        ("Novice", "Sees most fours that it can make and half of yours, but overlooks slanting ones."),
        ("Casual player", "Sees most fours, its own and yours, but does not read ahead."),
        ("Keen player", "Reads 4 plies ahead, misreads some, and now and then overlooks a slanting four."),
        ("Club player", "Reads 6 plies ahead, misreads some, and hardly ever overlooks a four."),
        ("Expert", "Reads 8 plies ahead and overlooks no four, but misreads or misjudges some columns."),
        ("Master", "Reads 10 plies ahead and misreads little."),
        ("Perfect", "Has solved the game, and wins as soon as it can."),
    ),
}
LEVELS: dict[str, tuple[Level, ...]] = {
    game: tuple(Level(number, game, *words) for number, words in enumerate(_WORDS[game], start=1)) for game in GAMES
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
        check_game(game)
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
        board.check_goes_on()
        if self.level.number == len(LEVELS[board.game]):
            return self._best(board, scores)
        return self._as_people_do(board, _MINDS[board.game][self.level.number - 1], scores)

    def _best(self, board: Board, scores: bool) -> Choice:
        if self._solver is None:
            from .solver import Solver

            self._solver = Solver()
        watch = self._watch
        watched = None if watch is None else lambda ask, board: ask(board, progress=lambda _: watch())
        return PerfectPlayer(self._solver, watched).choose(board, scores)

    def _as_people_do(self, board: Board, mind: _Mind, scores: bool) -> Choice:
        start = time.process_time()
        seed = f"{self.seed} {NAMES[board.to_move]}"  # two that play each other do not overlook the same
        chance = Random(f"{seed} {as_bits(board, RED)} {as_bits(board, GREEN)}")
        impression = glance(board, mind.attention, seed)
        worth, found = impression.worth, Choice(0)
        if mind.depth and not impression.overlooked:
            worth, found = self._read(board, mind, chance)
        for column, fancy in _fancies(board, seed, chance).items():
            worth[column] += mind.wavering * fancy
        column = max(worth, key=lambda column: worth[column])
        return Choice(
            column,
            found.value,
            found.depth,
            found.nodes,
            round(time.process_time() - start, 6),
            [round(worth[each]) if each in worth else None for each in board.all_columns()] if scores else None,
        )

    def _read(self, board: Board, mind: _Mind, chance: Random) -> tuple[dict[int, float], Choice]:
        """What each column turns out to be worth, as far as it is read."""
        well = self._search(board, mind.depth)
        badly = self._search(board, max(1, mind.depth - 2))
        worth = {}
        for column in board.columns():
            found = badly if chance.random() < mind.slips else well
            assert found.scores is not None
            value = found.scores[column - 1]
            assert value is not None
            # What is certain counts points, or how soon a classic game is won: nobody wavers between these.
            worth[column] = 100.0 * value if found.exact else float(value)
        return worth, well

    def _search(self, board: Board, depth: int) -> Choice:
        return choose(board, depth, seconds=MOST_SECONDS, scores=True, table_bytes=TABLE_BYTES, watch=self._watch)


def _fancies(board: Board, seed: str, chance: Random) -> dict[int, float]:
    """How somebody feels about columns: one part stays for a spell, one is of the moment."""
    spell = Random(f"{seed} {board.pieces() // SPELL}")
    lasting = [spell.gauss(0, 0.7) for _ in board.all_columns()]
    middle = (board.width + 1) / 2
    return {
        column: lasting[column - 1] + chance.gauss(0, 0.7) - 0.1 * abs(column - middle) for column in board.columns()
    }


@cache
def _strengths() -> dict[str, dict[str, str]]:
    """What benchmarks/measure_levels.py has found, by game and level."""
    found: dict[str, dict[str, str]] = json.loads(STRENGTHS.read_text())
    return found
