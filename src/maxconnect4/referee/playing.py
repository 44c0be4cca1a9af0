"""Playing a game: each player is asked in turn, and what comes of it is written down."""

from __future__ import annotations

import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, field

from ..board import GREEN, RED, Board
from ..files import board_as_text
from ..levels import LevelPlayer
from ..notation import board_from_moves
from ..players import PerfectPlayer, RandomPlayer, SearchingPlayer
from ..solver import Solver, default_memory
from ..work import tasks
from .entrants import Entrant  # noqa: TC001  # at run time, for messages between processes
from .games import ADJUDICATED, FORFEIT, FOUR, FULL, VOID, Fault, Game, Note, Played, points_of
from .programs.program import Answer, Program, is_confined, isolation_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..players import Player
    from .entrants import BuiltIn

    #: Gives a column for the side to move, or says what went wrong.
    Seat = Callable[[Board], Answer]

LOSE, REPLACE = "lose", "replace"
ON_FAULT = (LOSE, REPLACE, VOID)
MEMORY = 256 << 20  # the most that the table of the solver may take: several games are played at once


@dataclass(frozen=True, slots=True)
class Rules:
    """How all games of a tournament are played."""

    #: What a fault does: it loses the game, the referee drops somewhere instead, or the game is void.
    on_fault: str = LOSE
    #: With so few cells empty the solver plays on for both; 0 for never.
    adjudicate: int = 0
    #: Of all that is left to chance.
    seed: int = 1
    #: "max", or "classic", in which the first four wins.
    game: str = field(default="max", repr=False)  # a match before there were two games keeps the name of its file


@dataclass(frozen=True, slots=True)
class Fixture:
    """All that it takes to play a game."""

    game: Game
    red: Entrant
    green: Entrant
    rules: Rules
    hidden: tuple[str, ...] = ()  # files that no program may read: see `Program`


def play(fixture: Fixture, human: Seat | None = None) -> Played:
    """Play one game to its end; `human` asks a person for a column."""
    rules, number = fixture.rules, fixture.game.number
    with ExitStack() as stack:
        seats = {
            RED: _seat(fixture, RED, f"{rules.seed} {number} red", human, stack),
            GREEN: _seat(fixture, GREEN, f"{rules.seed} {number} green", human, stack),
        }
        return _play(fixture, seats)


def _play(fixture: Fixture, seats: dict[int, Seat]) -> Played:
    game, rules = fixture.game, fixture.rules
    board = board_from_moves(game.opening, rules.game)
    record = _Record(board, isolation_of(fixture.red, fixture.green))
    while not board.is_over() and board.width * board.height - board.pieces() > rules.adjudicate:
        answer = seats[board.to_move](board)
        record.take(answer)
        if answer.fault is None:
            assert answer.column is not None
            board.drop(answer.column)
        elif rules.on_fault == REPLACE:
            chance = RandomPlayer(f"{rules.seed} {game.number} instead of move {board.pieces() + 1}")
            board.drop(chance.choose(board).column)
        else:
            return record.broken_off(game, rules.on_fault)
    return record.finished(game)


def abandoned(fixture: Fixture, asked: list[str]) -> Played:
    """A game whose referee was killed again and again: a fault of the program that was asked for a move each time.

    Args:
        fixture: The game.
        asked: The colours that were asked when it happened, as far as that is known. Where it is not, a single external
            program is to blame. A program in namespaces of its own cannot reach the referee, and is not.
    """
    game, board = fixture.game, board_from_moves(fixture.game.opening, fixture.rules.game)
    detail = "the process that refereed the game was killed again and again"
    entrants = {RED: fixture.red, GREEN: fixture.green}
    able = [player for player, each in entrants.items() if each.built_in is None and not is_confined(each)]
    suspects = {int(colour) for colour in asked if colour in (str(RED), str(GREEN))} or set(able)
    faults: tuple[Fault, ...] = ()
    score = None
    if len(suspects) == 1 and suspects <= set(able):
        (guilty,) = suspects
        faults = (Fault("killed the referee", guilty, board.pieces() + 1, detail, board_as_text(board)),)
        if fixture.rules.on_fault == LOSE:
            score = 0.0 if guilty == RED else 1.0
    ending = VOID if score is None else FORFEIT
    return Played(game.number, game.opening, ending, score, points_of(board), (), 0.0, faults=faults)


class _Record:
    """What happens in a game, as it goes on."""

    def __init__(self, board: Board, isolation: str) -> None:
        self.board = board
        self.isolation = isolation
        self.cpu: list[float] = []
        self.faults: list[Fault] = []
        self.notes: list[Note] = []
        self.start = time.monotonic()

    def take(self, answer: Answer) -> None:
        """Write down an answer, before its column is dropped into."""
        self.cpu.append(round(answer.cpu_seconds, 6))
        self.notes += answer.notes
        if answer.fault is not None:
            self.faults.append(answer.fault)

    def finished(self, game: Game) -> Played:
        """The game has come to its end, or the solver plays the rest."""
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

    def broken_off(self, game: Game, on_fault: str) -> Played:
        """Whoever is to move has committed a fault."""
        ending, score = (VOID, None) if on_fault == VOID else (FORFEIT, 0.0 if self.board.to_move == RED else 1.0)
        return self._played(game, _moves(self.board), ending, score, "")

    def _played(self, game: Game, moves: str, ending: str, score: float | None, line: str) -> Played:
        return Played(
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


def _seat(fixture: Fixture, colour: int, seed: str, human: Seat | None, stack: ExitStack) -> Seat:
    entrant, game = fixture.red if colour == RED else fixture.green, fixture.rules.game
    if entrant.built_in is None:
        program = stack.enter_context(closing(Program(entrant, game, fixture.hidden, ahead=True)))
        return _announced(program.move, colour)
    if entrant.is_human:
        if human is None:
            raise ValueError("there is no person to be asked here")
        return human
    player = built_in_player(entrant.built_in, seed, game)

    def ask(board: Board) -> Answer:
        start = time.process_time()
        column = player.choose(board).column
        return Answer(column, None, (), time.process_time() - start)

    return ask


def _announced(ask: Callable[[Board], Answer], colour: int) -> Seat:
    """Have the coordinator know whose move it is, in case the program kills this process."""

    def announced(board: Board) -> Answer:
        tasks.announce(str(colour))
        answer = ask(board)
        tasks.announce("")
        return answer

    return announced


def built_in_player(settings: BuiltIn, seed: str, game: str, watch: Callable[[], None] | None = None) -> Player:
    """A player of our own; the first word of the seed of its chance gives way to one that the settings have.

    A level calls `watch` now and then, which may end its search with an error of its own.
    """
    if settings.seed is not None:
        seed = f"{settings.seed} {seed.partition(' ')[2]}"
    match settings.kind:
        case "perfect":
            return PerfectPlayer(solver())
        case "random":
            return RandomPlayer(seed)
        case "level":
            return LevelPlayer(settings.level, game, seed, solver=solver(), watch=watch)
        case "time":
            return SearchingPlayer(seconds=settings.seconds, evaluation=settings.evaluation)
    return SearchingPlayer(settings.depth, evaluation=settings.evaluation)


_solver: Solver | None = None  # of this process: its table stays warm from game to game


def solver() -> Solver:
    """The solver of this process."""
    global _solver
    if _solver is None:
        _solver = Solver(min(default_memory(), MEMORY), threads=1)
    return _solver
