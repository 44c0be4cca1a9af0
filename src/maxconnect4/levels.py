"""The computer's levels, from a beginner to perfect play.

The weak levels imitate beginners: they perceive some threats on the board and miss the others, with the probabilities
of `Perception`. Stronger levels also search a few plies, and some columns less deeply; if they miss a four, they use
their perception instead. Levels 1 to 7 add noise to the value of every column: one part lasts for a phase of some
plies, the other changes with every move. Level 8 plays perfectly.

The move of a level depends only on its random seed and on the position. The same seed repeats the same game, also after
an undo; another seed gives another game.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import Any

from .board import EMPTY, GAMES, GREEN, NAMES, RED, Board, Window, as_int, check_game, opponent
from .players import PerfectPlayer, Player
from .search import Choice, as_bits, choose
from .solver import Solver

__all__ = ["LEVELS", "STRENGTHS_FILE", "Level", "LevelPlayer", "Strength"]

Cell = tuple[int, int]

PHASE_PLIES = 6  # plies for which a missed window stays missed
VERTICAL_MISS = 0.5  # factor for the probability of missing a vertical four
LAST_MOVE_MISS = 0.5  # factor for the probability of missing a four that contains the last move
GAP_PENALTY = 0.5  # share of the miss probability added if the empty cell is an inner one
#: The value of a perceived four, larger than all other values together. In the classic game a four ends the game.
FOUR_VALUE = {"max": 300, "classic": 10_000}
#: The values of windows without opposing pieces and of windows to block, by the number of pieces before the move.
OWN_WINDOW_VALUES = (1, 4, 14)
BLOCKED_WINDOW_VALUES = (0, 2, 8)
CENTRE_VALUE = 2  # bonus for a column nearer the centre


@dataclass(frozen=True, slots=True)
class Perception:
    """Probabilities of perceiving a horizontal four without a gap, on the empty board."""

    own: float  # a four that the player can make
    theirs: float  # a four that the opponent could make in the same cell
    above: float  # a four in the cell above the move
    diagonal: float  # factor for diagonal fours
    fatigue: float = 0.0  # share of the probabilities that is lost until the board is full


@dataclass(frozen=True, slots=True)
class Perceived:
    """The values of the columns as perceived by a level, without a search."""

    values: dict[int, float]  # by column, for the player to move; see FOUR_VALUE
    missed: int  # number of fours that were not perceived


def perceive(board: Board, perception: Perception, seed: str) -> Perceived:
    """Compute the perceived values of the columns for the player to move, reproducible by the random seed."""
    return _PerceptionModel(board, perception, seed).perceive()


@dataclass(frozen=True, slots=True)
class _Threat:
    """A four that a move makes, blocks or makes possible."""

    column: int  # of the move
    value: float
    probability: float  # of being perceived
    perceived: bool


class _PerceptionModel:
    def __init__(self, board: Board, perception: Perception, seed: str) -> None:
        self.board = board
        self.perception = perception
        self.seed = seed
        self.windows = _windows_through(board.width, board.height)
        self.cells = {
            (column, row): piece for column in board.all_columns() for row, piece in enumerate(board.stack(column), 1)
        }
        self.alertness = 1 - perception.fatigue * board.pieces() / (board.width * board.height)
        self.last = (board.drops[-1], len(board.stack(board.drops[-1]))) if board.drops else None

    def perceive(self) -> Perceived:
        """The sum of the perceived values by column."""
        landings = {column: (column, len(self.board.stack(column)) + 1) for column in self.board.columns()}
        values = {column: self._positional_value(cell) for column, cell in landings.items()}
        threats = [threat for cell in landings.values() for threat in self._threats(cell)]
        perceived = [threat for threat in threats if threat.perceived]
        if len(threats) > 1 and not perceived:
            perceived = [max(threats, key=lambda threat: threat.probability)]
        for threat in perceived:
            values[threat.column] += threat.value
        return Perceived(values, len(threats) - len(perceived))

    def _threats(self, cell: Cell) -> Iterator[_Threat]:
        """The threats that concern a move to a cell."""
        own, theirs = self.board.to_move, opponent(self.board.to_move)
        four, above = FOUR_VALUE[self.board.game], (cell[0], cell[1] + 1)
        yield from self._fours(cell, own, self.perception.own, 1.1 * four)
        yield from self._fours(cell, theirs, self.perception.theirs, four)
        yield from self._fours(above, theirs, self.perception.above, -0.9 * four)
        yield from self._fours(above, own, self.perception.above, -0.5 * four)  # the opponent will block it

    def _fours(self, cell: Cell, player: int, probability: float, value: float) -> Iterator[_Threat]:
        for number, window in self.windows.get(cell, ()):
            if all(self.cells.get(each, EMPTY) == player for each in window if each != cell):
                found = self._probability(window, cell, probability)
                yield _Threat(cell[0], value, found, self._random(number) < found)

    def _positional_value(self, cell: Cell) -> float:
        """The value of a move for open windows and for its distance from the centre."""
        own, theirs = self.board.to_move, opponent(self.board.to_move)
        values = -CENTRE_VALUE * abs(cell[0] - (self.board.width + 1) / 2)
        for number, window in self.windows[cell]:
            pieces = [self.cells.get(each, EMPTY) for each in window]
            mine, opposing = pieces.count(own), pieces.count(theirs)
            if (mine and opposing) or mine == 3 or opposing == 3:
                continue
            probability = self.perception.theirs if opposing else self.perception.own
            if (
                self._random(number) < self._probability(window, cell, probability) ** 2
            ):  # harder to perceive than a four
                values += BLOCKED_WINDOW_VALUES[opposing] if opposing else OWN_WINDOW_VALUES[mine]
        return values

    def _probability(self, window: Window, cell: Cell, probability: float) -> float:
        """The probability of perceiving a window, given that of a horizontal one without a gap."""
        first, last = window[0], window[3]
        if first[0] == last[0]:
            probability = 1 - (1 - probability) * VERTICAL_MISS
        elif first[1] != last[1]:
            probability *= self.perception.diagonal
        if cell not in (first, last):
            probability *= 1 - (1 - probability) * GAP_PENALTY
        probability *= self.alertness
        if self.last in window:
            probability = 1 - (1 - probability) * LAST_MOVE_MISS
        return probability

    def _random(self, window: int) -> float:
        """A random number from 0 to 1 that lasts for a phase. Each window starts its phases at a different ply."""
        return _random_numbers(self.seed, (self.board.pieces() + window) // PHASE_PLIES, len(self.board.windows()))[
            window
        ]


@lru_cache(1024)
def _random_numbers(seed: str, phase: int, windows: int) -> list[float]:
    random = Random(f"{seed} {phase}")
    return [random.random() for _ in range(windows)]


@cache
def _windows_through(width: int, height: int) -> dict[Cell, list[tuple[int, Window]]]:
    """The windows through each cell, with their numbers."""
    through: dict[Cell, list[tuple[int, Window]]] = {}
    for number, window in enumerate(Board(width=width, height=height).windows()):
        for cell in window:
            through.setdefault(cell, []).append((number, window))
    return through


STRENGTHS_FILE = Path(__file__).with_name("level_strengths.json")


@dataclass(frozen=True, slots=True)
class Level:
    """One of the computer's levels in a game, "max" or "classic"."""

    number: int
    game: str
    name: str
    description: str  # its strengths and weaknesses, in one sentence

    @property
    def strength(self) -> Strength:
        """The measured strength of the level."""
        return Strength(self.number, **_strengths()[self.game][str(self.number)])


@dataclass(frozen=True, slots=True)
class Strength:
    """The measured strength of a level."""

    level: int
    score: float  # score in a match against the level below, level 1 against random moves, from 0 to 1
    rating: int  # Elo rating; random moves have 0
    regret: float | None  # points per game; None in the classic game

    def __str__(self) -> str:
        below = f"level {self.level - 1}" if self.level > 1 else "random moves"
        return f"Scores {100 * self.score:.0f} % against {below} (rating {self.rating:,})."


@dataclass(frozen=True, slots=True)
class LevelSettings:
    """The settings of a level below the highest."""

    perception: Perception
    noise: float  # standard deviation of the value of a column, in hundredths of a point
    depth: int = 0  # search depth in plies; 0 for no search
    shallow_rate: float = 0.0  # share of columns that are searched two plies less deeply


_PERFECT_PERCEPTION = Perception(1, 1, 1, 1)
LEVEL_SETTINGS = {
    "max": (
        LevelSettings(Perception(0.58, 0.18, 0.00, 0.20, 0.40), 60),
        LevelSettings(Perception(0.70, 0.39, 0.07, 0.39, 0.28), 13),
        LevelSettings(Perception(0.86, 0.66, 0.30, 0.63, 0.17), 9),
        LevelSettings(Perception(0.94, 0.86, 0.60, 0.80, 0.10), 8),
        LevelSettings(Perception(0.96, 0.89, 0.66, 0.83, 0.08), 26, depth=4, shallow_rate=0.27),
        LevelSettings(Perception(0.99, 0.97, 0.90, 0.95, 0.03), 25, depth=6, shallow_rate=0.22),
        LevelSettings(_PERFECT_PERCEPTION, 22, depth=8, shallow_rate=0.22),
    ),
    "classic": (
        LevelSettings(Perception(0.60, 0.22, 0.00, 0.25, 0.38), 45),
        LevelSettings(Perception(0.76, 0.48, 0.12, 0.45, 0.25), 14),
        LevelSettings(Perception(0.90, 0.76, 0.42, 0.70, 0.15), 10),
        LevelSettings(Perception(0.96, 0.88, 0.70, 0.83, 0.08), 18, depth=4, shallow_rate=0.18),
        LevelSettings(Perception(0.99, 0.97, 0.89, 0.95, 0.03), 21, depth=6, shallow_rate=0.22),
        LevelSettings(_PERFECT_PERCEPTION, 20, depth=8, shallow_rate=0.22),
        LevelSettings(_PERFECT_PERCEPTION, 8, depth=10, shallow_rate=0.09),
    ),
}
_DESCRIPTIONS = {
    "max": (
        ("Beginner", "Sees most of its fours but few of yours, and otherwise plays at random."),
        ("Novice", "Sees most of its fours and some of yours, but misses most diagonals."),
        ("Casual player", "Sees most fours, its own and yours, but not a four that you can make on top of its move."),
        (
            "Keen player",
            "Sees nearly every four, often even one that you can make on top of its move, but does not look ahead.",
        ),
        ("Club player", "Looks 4 moves ahead, but makes mistakes and sometimes misses a diagonal four."),
        ("Expert", "Looks 6 moves ahead and rarely misses a four, but makes mistakes."),
        ("Master", "Looks 8 moves ahead and never misses a four, but misjudges some columns."),
        ("Perfect", "Plays perfectly: it never makes a mistake."),
    ),
    "classic": (
        ("Beginner", "Sees most of its fours but few of yours, and otherwise plays at random."),
        ("Novice", "Sees most of its fours and half of yours, but misses most diagonals."),
        ("Casual player", "Sees most fours, its own and yours, but does not look ahead."),
        ("Keen player", "Looks 4 moves ahead, but makes mistakes and sometimes misses a diagonal four."),
        ("Club player", "Looks 6 moves ahead and rarely misses a four, but makes mistakes."),
        ("Expert", "Looks 8 moves ahead and never misses a four, but misjudges some columns."),
        ("Master", "Looks 10 moves ahead and makes few mistakes."),
        ("Perfect", "Plays perfectly and wins as soon as possible."),
    ),
}
LEVELS: dict[str, tuple[Level, ...]] = {
    game: tuple(Level(number, game, *texts) for number, texts in enumerate(_DESCRIPTIONS[game], start=1))
    for game in GAMES
}


@cache
def _strengths() -> dict[str, dict[str, dict[str, Any]]]:
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(STRENGTHS_FILE.read_text())
    return found


SEARCH_SECONDS = 0.1  # time limit of each of the two searches
TABLE_BYTES = 16 << 20  # more than a search fills in this time


class LevelPlayer(Player):
    """A player of one of the levels.

    >>> player = LevelPlayer(3, seed="a friend")
    >>> player
    <LevelPlayer 3 of max: Casual player>
    >>> player.choose(board_from_moves("112233")).column
    4

    Args:
        number: The level, from 1 to 8.
        game: "max" or "classic".
        seed: The random seed, by default a random one.
        solver: The solver for level 8, by default a new one.
        stop: Called ten times a second during a search. If it returns True, the search raises SearchStopped.
    """

    def __init__(
        self,
        number: int,
        game: str = "max",
        seed: int | str | None = None,
        *,
        solver: Solver | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        check_game(game)
        number = as_int(number, "a level")
        if not 1 <= number <= len(LEVELS[game]):
            raise ValueError(f"there is no level {number}: choose 1 to {len(LEVELS[game])}")
        self.level = LEVELS[game][number - 1]
        self.seed = Random().getrandbits(64) if seed is None else seed
        self._solver = solver
        self._stop = stop

    def __repr__(self) -> str:
        return f"<LevelPlayer {self.level.number} of {self.level.game}: {self.level.name}>"

    def choose(self, board: Board, scores: bool = False) -> Choice:
        """Choose a column. With `scores`, the result has the value of every column as perceived by the level."""
        if board.game != self.level.game:
            raise ValueError(f"the game is {board.game!r}, but the player is for {self.level.game!r}")
        board.check_not_over()
        if self.level.number == len(LEVELS[board.game]):
            return self._best(board, scores)
        return self._imperfect(board, LEVEL_SETTINGS[board.game][self.level.number - 1], scores)

    def _best(self, board: Board, scores: bool) -> Choice:
        if self._solver is None:
            from .solver import Solver

            self._solver = Solver()
        return PerfectPlayer(self._solver, stop=self._stop).choose(board, scores)

    def _imperfect(self, board: Board, settings: LevelSettings, scores: bool) -> Choice:
        start = time.process_time()
        seed = f"{self.seed} {NAMES[board.to_move]}"  # so that two levels in one game miss different fours
        random = Random(f"{seed} {as_bits(board, RED)} {as_bits(board, GREEN)}")
        perceived = perceive(board, settings.perception, seed)
        values, found = perceived.values, Choice(0)
        if settings.depth and not perceived.missed:
            values, found = self._search_columns(board, settings, random)
        for column, noise in _column_noise(board, seed, random).items():
            values[column] += settings.noise * noise
        column = max(values, key=lambda column: values[column])
        return Choice(
            column,
            found.value,
            found.depth,
            found.nodes,
            round(time.process_time() - start, 6),
            [round(values[each]) if each in values else None for each in board.all_columns()] if scores else None,
        )

    def _search_columns(self, board: Board, settings: LevelSettings, random: Random) -> tuple[dict[int, float], Choice]:
        """The value of every column by search. Some columns are searched less deeply."""
        full = self._search(board, settings.depth)
        shallow = self._search(board, max(1, settings.depth - 2))
        values = {}
        for column in board.columns():
            found = shallow if random.random() < settings.shallow_rate else full
            assert found.scores is not None
            value = found.scores[column - 1]
            assert value is not None
            # Exact values are points, or the length of a classic win; the noise must not change their order.
            values[column] = 100.0 * value if found.exact else float(value)
        return values, full

    def _search(self, board: Board, depth: int) -> Choice:
        return choose(
            board,
            depth,
            seconds=SEARCH_SECONDS,
            evaluation="best",  # in both games: as the levels were measured
            scores=True,
            table_bytes=TABLE_BYTES,
            stop=self._stop,
        )


def _column_noise(board: Board, seed: str, random: Random) -> dict[int, float]:
    """Random noise by column: one part lasts for a phase, the other changes with every move."""
    phase = Random(f"{seed} {board.pieces() // PHASE_PLIES}")
    lasting = [phase.gauss(0, 0.7) for _ in board.all_columns()]
    middle = (board.width + 1) / 2
    return {
        column: lasting[column - 1] + random.gauss(0, 0.7) - 0.1 * abs(column - middle) for column in board.columns()
    }
