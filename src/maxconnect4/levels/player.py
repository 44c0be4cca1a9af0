"""Somebody who plays as one of the levels does."""

from __future__ import annotations

import time
from random import Random

from ..board import GREEN, NAMES, RED, Board, check_game, whole
from ..players import PerfectPlayer
from ..search import Choice, as_bits, choose
from .attention import SPELL, glance
from .minds import LEVELS, MINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..solver import Solver
    from .minds import Mind

MOST_SECONDS = 0.1  # for reading on, and again for reading on less deep
TABLE_BYTES = 16 << 20  # more than these seconds fill


class LevelPlayer:
    """Plays as one of the levels does, from 1 to 8. Without a seed it is another one each time.

    >>> player = LevelPlayer(3, seed="a friend")
    >>> player
    <LevelPlayer 3 of max: Casual player>
    >>> player.choose(board_from_moves("112233")).column
    4

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
        number = whole(number, "a level")
        if not 1 <= number <= len(LEVELS[game]):
            raise ValueError(f"there is no level {number}: they are 1 to {len(LEVELS[game])}")
        self.level = LEVELS[game][number - 1]
        self.seed = Random().getrandbits(64) if seed is None else seed
        self._solver = solver
        self._watch = watch

    def __repr__(self) -> str:
        return f"<LevelPlayer {self.level.number} of {self.level.game}: {self.level.name}>"

    def choose(self, board: Board, scores: bool = False) -> Choice:
        """The column, and with `scores` what it takes every column to be worth."""
        if board.game != self.level.game:
            raise ValueError(f"a player of {self.level.game} cannot play {board.game}")
        board.check_goes_on()
        if self.level.number == len(LEVELS[board.game]):
            return self._best(board, scores)
        return self._as_people_do(board, MINDS[board.game][self.level.number - 1], scores)

    def _best(self, board: Board, scores: bool) -> Choice:
        if self._solver is None:
            from ..solver import Solver

            self._solver = Solver()
        watch = self._watch
        watched = None if watch is None else lambda ask, board: ask(board, progress=lambda _: watch())
        return PerfectPlayer(self._solver, watched).choose(board, scores)

    def _as_people_do(self, board: Board, mind: Mind, scores: bool) -> Choice:
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

    def _read(self, board: Board, mind: Mind, chance: Random) -> tuple[dict[int, float], Choice]:
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
        return choose(
            board,
            depth,
            seconds=MOST_SECONDS,
            evaluation="best",  # in both games: as the levels were measured
            scores=True,
            table_bytes=TABLE_BYTES,
            watch=self._watch,
        )


def _fancies(board: Board, seed: str, chance: Random) -> dict[int, float]:
    """How somebody feels about columns: one part stays for a spell, one is of the moment."""
    spell = Random(f"{seed} {board.pieces() // SPELL}")
    lasting = [spell.gauss(0, 0.7) for _ in board.all_columns()]
    middle = (board.width + 1) / 2
    return {
        column: lasting[column - 1] + chance.gauss(0, 0.7) - 0.1 * abs(column - middle) for column in board.columns()
    }
