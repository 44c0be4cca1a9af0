"""The computer's levels, from a beginner to perfect play.

The weak ones play as people do who learn the game: they look at the board, see some of what there is to see, and
overlook the rest (`attention`). Stronger ones read on some plies, now and then less far than they should; where they
overlook a four they believe what they see. All but the last waver: they take a fancy to a column for some moves, most
often to one near the centre, and think again with every drop. Level 8 plays perfectly.

A level's drop depends on its seed and the position alone: the same game is played again the same, also after an undo,
and another seed plays another game.
"""

from .minds import LEVELS, STRENGTHS, Level
from .player import LevelPlayer

__all__ = ["LEVELS", "STRENGTHS", "Level", "LevelPlayer"]
