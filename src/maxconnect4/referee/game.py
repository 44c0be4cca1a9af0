"""A game between two players: the schedule's entry, the rules, playing it and its result."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from typing import TypeVar

from .. import workers
from ..board import GREEN, RED, Board
from ..levels import LevelPlayer
from ..notation import board_from_moves
from ..players import PerfectPlayer, Player, RandomPlayer, SearchingPlayer
from ..position_file import board_as_text
from ..scores import value_of_win
from ..solver import Solver, default_memory
from .move_validation import Fault, MoveResult, Note
from .players import BuiltInSpec, PlayerSpec
from .program import Program, is_confined, isolation_of

T = TypeVar("T")

#: The possible endings of a game.
FULL, FOUR, ADJUDICATED, FORFEIT, VOID = "full", "four", "adjudicated", "forfeit", "void"


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """An entry of the schedule. Two games with the same pair number have the same opening with colours swapped."""

    number: int  # from 1, in the order of the schedule
    round: int  # from 1
    pair: int  # from 1
    red: str  # the names of the players
    green: str
    opening: str  # move string of the initial position

    def name(self, player: int) -> str:
        """The name of the player of a colour."""
        return self.red if player == RED else self.green

    def opponent(self, name: str) -> str:
        """The name of a player's opponent."""
        return self.green if name == self.red else self.red


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a game."""

    number: int  # of the scheduled game
    moves: str  # from the empty board, including the opening
    ending: str  # FULL, FOUR (of a classic game), ADJUDICATED, FORFEIT or VOID
    score: float | None  # red's: 1 for a win, 0.5 for a draw, 0 for a loss; None if void
    points: tuple[int, int]  # red's and green's, after the solver's moves: see `points_of`
    cpu: tuple[float, ...]  # seconds of CPU time for each move after the opening and for a fault that ended the game
    seconds: float  # wall-clock time of the whole game
    line: str = ""  # the solver's moves in an adjudicated game
    faults: tuple[Fault, ...] = ()
    notes: tuple[Note, ...] = ()
    regrets: tuple[int, ...] | None = None  # of each move after the opening; None if not reviewed
    isolation: str = field(default="", compare=False)  # of external programs; stored in the metadata of the run

    def score_of(self, player: int) -> float | None:
        """The score of RED or GREEN."""
        return self.score if self.score is None or player == RED else 1 - self.score

    def margin_of(self, player: int) -> int:
        """The margin of RED or GREEN."""
        return self.points[0] - self.points[1] if player == RED else self.points[1] - self.points[0]

    def board(self, game: str = "max") -> Board:
        """The last position of the game, without the solver's moves."""
        return board_from_moves(self.moves, game)


def points_of(board: Board) -> tuple[int, int]:
    """The fours of red and green. In the classic game, the value of the win for the winner and 0 for the loser.

    The value of a win is the number of the winner's moves from the winning one to the full board: 1 for the last move.
    """
    if board.game != "classic":
        return board.points(RED), board.points(GREEN)
    winner = board.winner()
    value = value_of_win(board.pieces())
    return (value if winner == RED else 0), (value if winner == GREEN else 0)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A scheduled game and its result."""

    game: ScheduledGame
    result: GameResult

    def colour_of(self, name: str) -> int:
        """RED or GREEN, for one of the two players."""
        return RED if name == self.game.red else GREEN

    def score_of(self, name: str) -> float | None:
        """The score of one of the two players."""
        return self.result.score_of(self.colour_of(name))

    def margin_of(self, name: str) -> int:
        """The margin of one of the two players."""
        return self.result.margin_of(self.colour_of(name))

    def regrets(self) -> list[int | None] | None:
        """The regret of each move after the opening; None for a random move that replaced a fault."""
        if self.result.regrets is None:
            return None
        replaced = {fault.ply - len(self.game.opening) - 1 for fault in self.result.faults}
        return [None if place in replaced else regret for place, regret in enumerate(self.result.regrets)]

    def of_player(self, player: int, values: Sequence[T]) -> Sequence[T]:
        """Select the values, such as times, of the moves of RED or GREEN from those of all moves after the opening."""
        return values[(len(self.game.opening) + (player == GREEN)) % 2 :: 2]

    def movers(self) -> list[int]:
        """The player of each move after the opening, and of a fault that ended the game."""
        first = len(self.game.opening)
        return [RED if ply % 2 == 0 else GREEN for ply in range(first, first + len(self.result.cpu))]


#: A function that returns a column for the player to move, or a fault.
MoveSource = Callable[[Board], MoveResult]
HumanMoveSource = Callable[[Board], MoveResult | None]  # None to undo two moves

LOSE, REPLACE = "lose", "replace"
ON_FAULT = (LOSE, REPLACE, VOID)
MEMORY = 256 << 20  # bytes, the maximum for the solver's transposition table: games run in parallel


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of all games of a tournament."""

    #: The effect of a fault: LOSE loses the game, REPLACE makes a random move instead, VOID makes the game void.
    on_fault: str = LOSE
    #: Number of empty cells from which the solver makes the moves of both players; 0 for never.
    adjudicate: int = 0
    #: The random seed.
    seed: int = 1
    #: "max", or "classic", in which the first four wins.
    game: str = field(default="max", repr=False)  # not in the repr, from which the name of a results file is derived


@dataclass(frozen=True, slots=True)
class GameSetup:
    """Everything needed to play a game: the item of a job."""

    game: ScheduledGame
    red: PlayerSpec
    green: PlayerSpec
    rules: Rules
    hidden: tuple[str, ...] = ()  # files that programs must not read: see `Program`


def play(setup: GameSetup, human: HumanMoveSource | None = None) -> GameResult:
    """Play one game to its end. A human player requires `human`, which returns a move or None to undo two moves."""
    rules, number = setup.rules, setup.game.number
    with ExitStack() as stack:
        sources = {
            RED: _move_source(setup, RED, f"{rules.seed} {number} red", human, stack),
            GREEN: _move_source(setup, GREEN, f"{rules.seed} {number} green", human, stack),
        }
        return _play(setup, sources)


def _play(setup: GameSetup, sources: dict[int, HumanMoveSource]) -> GameResult:
    game, rules = setup.game, setup.rules
    board = board_from_moves(game.opening, rules.game)
    record = _GameRecord(board, isolation_of(setup.red, setup.green))
    while not board.is_over() and board.width * board.height - board.pieces() > rules.adjudicate:
        answer = sources[board.to_move](board)
        if answer is None:
            record.undo()
            record.undo()
            continue
        record.take(answer)
        if answer.fault is None:
            assert answer.column is not None
            board.drop(answer.column)
        elif rules.on_fault == REPLACE:
            chance = RandomPlayer(f"{rules.seed} {game.number} instead of move {board.pieces() + 1}")
            board.drop(chance.choose(board).column)
        else:
            return record.ended_by_fault(game, rules.on_fault)
    return record.finished(game)


def abandoned_game(setup: GameSetup, asked: list[str]) -> GameResult:
    """The result of a game whose worker process was killed repeatedly: a fault if a single program can be the cause.

    `asked` has the recorded colours to move at each kill. Without any, every external program can be the cause, but for
    those in separate namespaces, which cannot signal the worker.
    """
    game, board = setup.game, board_from_moves(setup.game.opening, setup.rules.game)
    detail = "the process that runs the game was killed repeatedly"
    players = {RED: setup.red, GREEN: setup.green}
    able = [player for player, each in players.items() if each.built_in is None and not is_confined(each)]
    suspects = {int(colour) for colour in asked if colour in (str(RED), str(GREEN))} or set(able)
    faults: tuple[Fault, ...] = ()
    score = None
    if len(suspects) == 1 and suspects <= set(able):
        (culprit,) = suspects
        faults = (Fault("killed the referee", culprit, board.pieces() + 1, detail, board_as_text(board)),)
        if setup.rules.on_fault == LOSE:
            score = 0.0 if culprit == RED else 1.0
    ending = VOID if score is None else FORFEIT
    return GameResult(game.number, game.opening, ending, score, points_of(board), (), 0.0, faults=faults)


class _GameRecord:
    def __init__(self, board: Board, isolation: str) -> None:
        self.board = board
        self.isolation = isolation
        self.cpu: list[float] = []
        self.faults: list[Fault] = []
        self.notes: list[Note] = []
        self.start = time.monotonic()

    def take(self, answer: MoveResult) -> None:
        """Record the result of a move before it is made."""
        self.cpu.append(round(answer.cpu_seconds, 6))
        self.notes += answer.notes
        if answer.fault is not None:
            self.faults.append(answer.fault)

    def undo(self) -> None:
        """Undo the last move, with its faults and notes."""
        self.cpu.pop()
        ply = self.board.pieces()
        self.faults = [fault for fault in self.faults if fault.ply < ply]
        self.notes = [note for note in self.notes if note.ply < ply]
        self.board.undo()

    def finished(self, game: ScheduledGame) -> GameResult:
        """The result of a finished game, or of one that the solver adjudicates."""
        moves = _moves(self.board)
        line: list[int] = []
        if not self.board.is_over():
            line = solver().analyse(self.board).line or []
            for column in line:
                self.board.drop(column)
        winner = self.board.winner()
        score = 0.5 if winner is None else 1.0 if winner == RED else 0.0
        ending = ADJUDICATED if line else FOUR if self.board.game == "classic" and winner is not None else FULL
        return self._played(game, moves, ending, score, "".join(map(str, line)))

    def ended_by_fault(self, game: ScheduledGame, on_fault: str) -> GameResult:
        """The result of a game that ends by a fault of the player to move."""
        ending, score = (VOID, None) if on_fault == VOID else (FORFEIT, 0.0 if self.board.to_move == RED else 1.0)
        return self._played(game, _moves(self.board), ending, score, "")

    def _played(self, game: ScheduledGame, moves: str, ending: str, score: float | None, line: str) -> GameResult:
        return GameResult(
            game.number,
            moves,
            ending,
            score,
            points=points_of(self.board),
            cpu=tuple(self.cpu),
            seconds=round(time.monotonic() - self.start, 6),
            line=line,
            faults=tuple(self.faults),
            notes=tuple(self.notes),
            isolation=self.isolation,
        )


def _moves(board: Board) -> str:
    assert board.moves is not None
    return board.moves


def _move_source(
    setup: GameSetup, colour: int, seed: str, human: HumanMoveSource | None, stack: ExitStack
) -> HumanMoveSource:
    spec, game = setup.red if colour == RED else setup.green, setup.rules.game
    if spec.built_in is None:
        program = stack.enter_context(closing(Program(spec, game, setup.hidden, ahead=True)))
        return _announced(program.move, colour)
    if spec.is_human:
        if human is None:
            raise ValueError("a human player needs a function that returns its moves")
        return human
    player = create_player(spec.built_in, seed, game)

    def ask(board: Board) -> MoveResult:
        start = time.process_time()
        column = player.choose(board).column
        return MoveResult(column, None, (), time.process_time() - start)

    return ask


def _announced(ask: Callable[[Board], MoveResult], colour: int) -> MoveSource:
    """Announce the player to move to the coordinator, in case the program kills this process."""

    def announced(board: Board) -> MoveResult:
        workers.announce(str(colour))
        answer = ask(board)
        workers.announce("")
        return answer

    return announced


def create_player(settings: BuiltInSpec, seed: str, game: str, stop: Callable[[], bool] | None = None) -> Player:
    """Create a built-in player. Its own random seed, if it has one, replaces the first word of `seed`.

    A level calls `stop` ten times a second. If it returns True, the search raises SearchStopped.
    """
    if settings.seed is not None:
        seed = f"{settings.seed} {seed.partition(' ')[2]}"
    match settings.kind:
        case "perfect":
            return PerfectPlayer(solver())
        case "random":
            return RandomPlayer(seed)
        case "level":
            return LevelPlayer(settings.level, game, seed, solver=solver(), stop=stop)
        case "time":
            return SearchingPlayer(seconds=settings.seconds, evaluation=settings.evaluation)
    return SearchingPlayer(settings.depth, evaluation=settings.evaluation)


_solver: Solver | None = None  # of this process: later games reuse its transposition table


def solver() -> Solver:
    """The solver of this process, created at the first call."""
    global _solver
    if _solver is None:
        _solver = Solver(min(default_memory(), MEMORY), threads=1)
    return _solver


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """A played game and the length of its opening: the item of a review job."""

    number: int
    moves: str
    opening: int
    game: str = "max"


def regrets(game: ReviewTask) -> tuple[int, ...]:
    """The regret of each move after the opening. In the classic game, delaying a win also has a regret."""
    board = board_from_moves(game.moves, game.game)
    after, found = _value(board), []
    while board.pieces() > game.opening:  # from the end: the transposition table then speeds up earlier positions
        board.undo()
        before = _value(board)
        found.append(abs(before - after))
        after = before
    return tuple(reversed(found))


def _value(board: Board) -> int:
    """The value of a position, which may be a finished game, from red's point of view."""
    value = solver().analyse(board, only_value=True).value
    return value if board.to_move == RED else -value
