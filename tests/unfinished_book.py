"""A book that is nearly built, as building all of one takes hours."""

from __future__ import annotations

import random
from pathlib import Path

from maxconnect4.book import shipped_book
from maxconnect4.bookmaking.solving import Solved
from maxconnect4.bookmaking.state import State
from maxconnect4.keys import plies_of

PLIES = shipped_book().plies
DEEPEST = {key: value for key, value in shipped_book() if plies_of(key) == PLIES}


def nearly_done(path: Path, missing: int, seed: int = 1) -> list[int]:
    """Make a state that lacks a few positions of the deepest layer, at random: these."""
    keys = random.Random(seed).sample(sorted(DEEPEST), missing)
    with State(str(path)) as state:
        state.add(Solved(key, value, 1, 0.001) for key, value in DEEPEST.items() if key not in keys)
    return keys
