"""The levels of both games: who they are in words, and how each comes to its drop."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..board import GAMES
from .attention import Attention

STRENGTHS = Path(__file__).with_name("strengths.json")


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
class Mind:
    """How a level comes to its drop."""

    attention: Attention
    wavering: float  # how far its judgement of a column is off, half of it for a spell, in hundredths of a point
    depth: int = 0  # how far it reads on, in plies; 0 for not at all
    slips: float = 0.0  # how often it reads a column two plies less deep


_SEES_ALL = Attention(1, 1, 1, 1)
MINDS = {
    "max": (
        Mind(Attention(0.58, 0.18, 0.00, 0.20, 0.40), 60),
        Mind(Attention(0.70, 0.39, 0.07, 0.39, 0.28), 13),
        Mind(Attention(0.86, 0.66, 0.30, 0.63, 0.17), 9),
        Mind(Attention(0.94, 0.86, 0.60, 0.80, 0.10), 8),
        Mind(Attention(0.96, 0.89, 0.66, 0.83, 0.08), 26, depth=4, slips=0.27),
        Mind(Attention(0.99, 0.97, 0.90, 0.95, 0.03), 25, depth=6, slips=0.22),
        Mind(_SEES_ALL, 22, depth=8, slips=0.22),
    ),
    "classic": (
        Mind(Attention(0.60, 0.22, 0.00, 0.25, 0.38), 45),
        Mind(Attention(0.76, 0.48, 0.12, 0.45, 0.25), 14),
        Mind(Attention(0.90, 0.76, 0.42, 0.70, 0.15), 10),
        Mind(Attention(0.96, 0.88, 0.70, 0.83, 0.08), 18, depth=4, slips=0.18),
        Mind(Attention(0.99, 0.97, 0.89, 0.95, 0.03), 21, depth=6, slips=0.22),
        Mind(_SEES_ALL, 20, depth=8, slips=0.22),
        Mind(_SEES_ALL, 8, depth=10, slips=0.09),
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


@cache
def _strengths() -> dict[str, dict[str, str]]:
    """What benchmarks/measure_levels.py has found, by game and level."""
    found: dict[str, dict[str, str]] = json.loads(STRENGTHS.read_text())
    return found
