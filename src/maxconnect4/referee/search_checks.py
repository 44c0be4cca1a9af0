"""Checks of the search of a program: correct minimax near the end of the game, and pruning by its CPU time."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean

from ..board import HEIGHT, NAMES, WIDTH, Board
from ..formatting import plural
from ..position_file import board_as_text
from ..sample_positions import Position, random_choice
from ..scores import format_signed, sign
from ..search import choose
from ..solver import Solver

SEED = 2026
MEMORY = 16 << 20  # bytes for the solver
CELLS = WIDTH * HEIGHT


@dataclass(frozen=True, slots=True)
class CheckedMove:
    """A move of a program in a position of a check whose column scores may be known."""

    phase: str  # the name of the check
    moves: str  # the position as a move string
    depth: int  # the value of {depth}
    column: int | None  # None for a fault
    fault: str | None = None
    #: The value of the best column minus that of the move, from perfect play; None for a fault or unknown scores.
    regret: int | None = None
    keeps_result: bool | None = None  # whether a win remains a win, and a draw a draw; None as above
    chance: float | None = None  # the mean regret of all legal columns; None as above


# Correct minimax: if the depth reaches the end of the game, the values of minimax are the final margins.

DEPTHS = (2, 4, 6)
MAX_RETRIES = 6  # positions in which a deeper search is tried


def minimax_positions(depth: int, count: int, game: str = "max") -> Iterator[Position]:
    """Positions with at most `depth` empty cells, in which the columns have different final margins.

    In the classic game they have different results. One in three has one empty cell less, so that green is to move. In
    half of those of "max", a search that does not reach the end of the game by one ply chooses a worse column.
    """
    source, solver = random.Random(f"{SEED} {depth} {game}"), Solver(MEMORY, 1, book=False)
    for number in range(count):
        empty = depth - (number % 3 == 2 and depth > 2)
        while True:
            board = quiet_board(source, CELLS - empty, game)
            position = Position(board, tuple(solver.analyse(board, line=False).scores or ()))
            values = {value if game == "max" else sign(value) for value in position.scores or () if value is not None}
            any_will_do = number % 2 or game == "classic"
            if len(values) > 1 and (any_will_do or not is_correct(position, _one_ply_short(board))):
                break
        yield position


def _one_ply_short(board: Board) -> int:
    return choose(board, CELLS - board.pieces() - 1, evaluation="margin").column


def quiet_board(source: random.Random, plies: int, game: str) -> Board:
    """A board after random moves, none of which ends a classic game."""
    board = Board(game)
    while board.pieces() < plies:
        columns = [each for each in board.columns() if game == "max" or not board.makes_four(each, board.to_move)]
        if not columns:
            board = Board(game)
            continue
        board.drop(random_choice(columns, source))
    return board


def is_correct(position: Position, column: int) -> bool:
    """Whether minimax to the end of the game can play this column.

    In the classic game it may prefer any win, as many programs do not distinguish early and late ones.
    """
    return position.keeps_result(column) if position.board.game == "classic" else position.regret(column) == 0


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A move that correct minimax does not play. Values and lines are those of minimax to the end of the game."""

    moves: str  # the position as a move string
    position: str  # the position file
    player: int  # RED or GREEN, the player to move
    depth: int  # the value of {depth}
    empty: int  # number of empty cells
    played: int
    better: int
    values: tuple[int | None, ...]  # of each column, for the player to move: the final margin, or the classic score
    played_line: str  # the moves of both players to the end of the game, from the column played
    better_line: str

    def __str__(self) -> str:
        values = {column: format_signed(value) for column, value in enumerate(self.values, 1) if value is not None}
        return (
            f"depth {self.depth}, {plural(self.empty, 'empty cell')}, {NAMES[self.player]} to move after {self.moves}: "
            f"it played column {self.played}, where minimax ends at {values[self.played]} ({self.played_line}); "
            f"column {self.better} ends at {values[self.better]} ({self.better_line})"
        )


@dataclass(frozen=True, slots=True)
class MinimaxResult:
    """The moves of a program at a depth that reaches the end of the game."""

    depth: int
    tried: int  # positions
    perfect: int  # moves that correct minimax can play
    kept: int  # moves that keep the result of the game
    deciding: int  # positions in which some column does not keep the result
    chance: float  # the share of perfect moves of a player that moves at random
    faults: int
    imperfect_by: tuple[int, ...] = ()  # the players, RED or GREEN, of the imperfect moves
    counterexample: Counterexample | None = None
    #: Whether the moves are explained by a search that is one ply shorter than the depth; None if it was not tested.
    is_one_ply_short: bool | None = None

    @property
    def share(self) -> float:
        """The share of perfect moves."""
        return self.perfect / self.tried

    @property
    def share_above_chance(self) -> float:
        """The share of perfect moves on a scale from 0 for random moves to 1 for perfect ones."""
        return max(0.0, (self.share - self.chance) / (1 - self.chance))

    @property
    def maximises_result(self) -> bool:
        """Whether the moves are those of a minimax that counts a win, a draw or a loss at the end of the game.

        Its imperfect moves keep the result, and there are more of them than a few by another cause.
        """
        return self.kept == self.tried and self.deciding >= 4 and self.tried - self.perfect >= 4

    def remarks(self) -> tuple[str, ...]:
        """Explanations of the imperfect moves."""
        remarks = []
        if self.is_one_ply_short:
            remarks.append(
                f"an off-by-one error in the depth would explain it: with depth {self.depth + 1} it plays these "
                "positions perfectly, so it seems to search "
                f"{plural(self.depth - 1, 'ply', 'plies')} instead of {self.depth}"
            )
        if self.maximises_result:
            remarks.append("every move keeps the result: at the end it seems to count wins and losses, not the margin")
        colours = set(self.imperfect_by)
        if len(self.imperfect_by) > 2 and len(colours) == 1 and self.depth > 2 and not self.is_one_ply_short:
            remarks.append(f"only moves of {NAMES[colours.pop()]} are imperfect: compare how it treats the two players")
        return tuple(remarks)


def minimax_result(depth: int, positions: Sequence[Position], columns: Sequence[int | None]) -> MinimaxResult:
    """Compare moves with minimax. None stands for a fault."""
    moves = list(zip(positions, columns, strict=True))
    wrong = [
        (position, column) for position, column in moves if column is not None and not is_correct(position, column)
    ]
    return MinimaxResult(
        depth,
        len(moves),
        sum(column is not None and is_correct(position, column) for position, column in moves),
        sum(column is not None and position.keeps_result(column) for position, column in moves),
        sum(not all(map(each.keeps_result, each.board.columns())) for each in positions),
        fmean(fmean(is_correct(each, column) for column in each.board.columns()) for each in positions),
        sum(column is None for column in columns),
        tuple(position.board.to_move for position, _ in wrong),
        counterexample(*wrong[0], depth) if wrong else None,
    )


def counterexample(position: Position, played: int, depth: int) -> Counterexample:
    """Describe an imperfect move, with the lines of minimax to the end of the game."""
    board, scores = position.board, position.scores
    assert scores is not None
    better = max(board.from_the_centre(), key=lambda column: (scores[column - 1] is not None, scores[column - 1] or 0))
    return Counterexample(
        board.moves or "",
        board_as_text(board),
        board.to_move,
        depth,
        CELLS - board.pieces(),
        played,
        better,
        scores,
        *(_line(board, column) for column in (played, better)),
    )


def _line(board: Board, column: int) -> str:
    after = board.copy()
    after.drop(column)
    rest = [] if after.is_over() else Solver(MEMORY, 1, book=False).analyse(after).line or []
    return "".join(map(str, (column, *rest)))


def retried_positions(
    result: MinimaxResult, positions: Sequence[Position], columns: Sequence[int | None]
) -> list[Position]:
    """The positions to try at the next depth, if a search that is one ply short can explain all imperfect moves.

    Such a search plays perfectly with fewer empty cells than the depth.
    """
    wrong = [
        position
        for position, column in zip(positions, columns, strict=True)
        if column is not None and not is_correct(position, column)
    ]
    possible = all(CELLS - each.board.pieces() == result.depth for each in wrong)
    return wrong[:MAX_RETRIES] if possible and not result.faults else []


# Pruning

PRUNES, AS_PLAIN_MINIMAX, UNCLEAR = "prunes", "as plain minimax", "unclear"
MOST_GROWTH = (
    5.0  # per ply, of a search that prunes; alpha-beta with random move ordering grows by about 7 ** 0.75 = 4.3
)
LEAST_GROWTH = 6.0  # of plain minimax, which grows by 7
LEAST_WORK = 0.05  # seconds of CPU time beyond the start-up that can be compared
START_UP_NOISE = 0.3  # share of the start-up time that may vary between two runs
FASTEST = 5e-9  # seconds for a position: a search of all positions takes longer


@dataclass(frozen=True, slots=True)
class Speed:
    """The CPU time of a move from the empty board at a depth."""

    depth: int
    cpu_seconds: float
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Pruning:
    """The growth of the CPU time by depth, compared with the positions that plain minimax visits."""

    conclusion: str  # PRUNES, AS_PLAIN_MINIMAX or UNCLEAR
    detail: str
    growth: float | None = None  # factor of the CPU time per ply, without the start-up time
    plain_growth: float | None = None  # factor of the positions of plain minimax, between the same depths
    depths: tuple[int, int] | None = None


def pruning(speeds: Sequence[Speed]) -> Pruning | None:
    """Compare CPU times with plain minimax; None with fewer than two depths. The first one is the start-up time."""
    measured = [each for each in speeds if each.fault is None]
    if len(measured) < 2:
        return None
    start, last = measured[0].cpu_seconds, measured[-1]
    least = max(LEAST_WORK, START_UP_NOISE * start)
    work = {each.depth: each.cpu_seconds - start for each in measured[1:] if each.cpu_seconds - start >= least}
    if len(work) > 1:
        first = min(work)
        plies = last.depth - first
        growth = (work[last.depth] / work[first]) ** (1 / plies) if last.depth in work else 1.0
        plain = (plain_positions(last.depth) / plain_positions(first)) ** (1 / plies)
        found = PRUNES if growth <= MOST_GROWTH else AS_PLAIN_MINIMAX if growth >= LEAST_GROWTH else UNCLEAR
        detail = (
            f"from depth {first} to {last.depth} the CPU time grows by a factor of {growth:.1f} per ply, plain minimax "
            f"by {plain:.1f}"
        )
        return Pruning(found, detail, round(growth, 2), round(plain, 2), (first, last.depth))
    positions = plain_positions(last.depth)
    per_position = last.cpu_seconds / positions
    detail = (
        f"plain minimax visits {positions:,} positions at depth {last.depth}, and {last.cpu_seconds:.2f} s of CPU time "
        f"are {per_position * 1e9:.1f} ns for each"
    )
    if per_position < FASTEST:
        return Pruning(PRUNES, f"{detail}, so it visits fewer")
    return Pruning(UNCLEAR, f"{last.cpu_seconds:.2f} s of CPU time at depth {last.depth} is too little to compare")


def plain_positions(depth: int) -> int:
    """The number of positions that plain minimax visits from the empty board, without the end of classic games."""
    return _sequences((0,) * WIDTH, depth)


@cache
def _sequences(heights: tuple[int, ...], depth: int) -> int:
    if depth == 0:
        return 0
    count = 0
    for column, height in enumerate(heights):
        if height < HEIGHT:
            after = (*heights[:column], height + 1, *heights[column + 1 :])
            count += 1 + _sequences(tuple(sorted(after)), depth - 1)
    return count
