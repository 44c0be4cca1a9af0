"""Endpoints of the API under /api/v2: a handler for each, with the types of its parameters and its response.

An async handler responds immediately or waits for a job. A plain function works on the stored games, in their thread.
"""

from __future__ import annotations

import asyncio
import datetime
import logging
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import asdict, dataclass
from typing import Any, TypeVar, get_type_hints

import msgspec
from msgspec import UNSET
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from .. import __version__
from ..board import GAMES, Board
from ..errors import (
    BadFile,
    BadPosition,
    CannotSave,
    CannotSolve,
    FileInUse,
    IllegalMove,
    NoSuchGame,
    SearchStopped,
    quote,
)
from ..evaluation_descriptions import EVALUATION_DESCRIPTIONS
from ..levels import LEVELS, Level, LevelPlayer
from ..puzzles import daily_number, shipped_puzzles
from ..search import DEFAULT_EVALUATION, EVALUATIONS
from ..search_tree import Tree, search_tree, tree_to_dict
from ..search_tree_svg import tree_svg
from ..solver import Solver
from ..system import processors
from . import analysis, friends, games
from .games import MAX_GAMES, PERSON, GameConflict, GameStore, StoredGame
from .jobs import Job, JobQueue, QueueFull
from .positions import describe, position_from, position_from_text, start_of
from .schemas import (
    AnalysisResponse,
    AtBody,
    CapabilitiesResponse,
    ChoiceParameters,
    ChoiceResponse,
    ComputerMoveResponse,
    ConflictResponse,
    DeletedResponse,
    ErrorResponse,
    EvaluationInfo,
    ExportParameters,
    GameResponse,
    GamesResponse,
    LevelInfo,
    LevelsOfGames,
    ListParameters,
    MoveBody,
    NewGame,
    Parameters,
    PlayersBody,
    PositionParameters,
    PositionResponse,
    PositionText,
    PuzzleInfo,
    PuzzleParameters,
    PuzzlesResponse,
    ReasonsResponse,
    ReviewResponse,
    SeatBody,
    SeatParameters,
    SeatResponse,
    SharedGameResponse,
    TreeParameters,
    TreeResponse,
)
from .security import network

BASE = "/api/v2"
MAX_BODY_BYTES = 64 << 10  # bytes; a position file has 57
SOLVER_BYTES = 32 << 20  # one solver's transposition table; a larger one is not faster beyond the book
SOLVERS_AT_ONCE = 2
QUICK_DEPTH = 8  # a deeper search may take seconds, so it uses another queue than moves
OWNER = "owner"
OWNERS = re.compile("[0-9a-f]{32}")
TEN_YEARS = 10 * 365 * 86400  # seconds
# The picture contains its style sheet and loads nothing.
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
INTERNAL_ERROR = "internal error of the server: see the messages in the terminal in which it runs"
LOG = logging.getLogger("maxconnect4")
Result = TypeVar("Result")


@dataclass(frozen=True)
class TimeLimits:
    """Time limits of jobs, in seconds.

    Nearly all jobs take far less: a level moves within a quarter of a second, and a middle game is solved in a second.
    """

    move_seconds: float = 5
    perfect_seconds: float = 10  # after that, a search of `fallback_seconds`
    fallback_seconds: float = 1
    analysis_seconds: float = 60
    review_seconds: float = 300  # of up to 42 positions


class Service:
    """State that all requests share: games, job queues and solvers.

    Args:
        games: The stored games.
        shared: Whether other machines reach the server; then each browser sees the games that it created.
        limits: The time limits of jobs.
        address: The address of the server for other machines; None if they cannot reach it.
    """

    def __init__(
        self, games: GameStore, *, shared: bool = False, limits: TimeLimits | None = None, address: str | None = None
    ) -> None:
        self.games = games
        self.shared = shared
        self.limits = limits or TimeLimits()
        # A level's move takes milliseconds, so its queue is long. Perfect play and analysis may take seconds: more of
        # them at once would only slow each other down, and moves have priority. A tree is built in Python and holds the
        # global interpreter lock: one at a time, and not at low priority, because the server would wait for the lock.
        self.moves = JobQueue("moves", max(2, processors()), 200)
        self.perfect = JobQueue("perfect", SOLVERS_AT_ONCE, 50, nice=5)
        self.trees = JobQueue("trees", 1, 20)
        self.analyses = JobQueue("analyses", SOLVERS_AT_ONCE, 20, nice=10)
        self.reviews = JobQueue("reviews", SOLVERS_AT_ONCE, 20, nice=10)
        self.queues = (self.moves, self.perfect, self.trees, self.analyses, self.reviews)
        # SQLite waits for the disk and for other processes, so it has a thread of its own.
        self.storage = JobQueue("storage", 1, 200)
        self.streams = friends.Streams()
        self.address = address
        self._free_solvers: list[Solver] = []  # the last used one at the end: its table has the most entries

    @contextmanager
    def solver(self) -> Iterator[Solver]:
        """A solver for the thread of a job. There are never more solvers than threads."""
        try:
            solver = self._free_solvers.pop()
        except IndexError:
            solver = Solver(SOLVER_BYTES, threads=1)
        try:
            yield solver
        finally:
            self._free_solvers.append(solver)

    def close(self) -> None:
        """Cancel all jobs and end all streams."""
        self.streams.close()
        for queue in self.queues:
            queue.close()
        self.storage.close(wait=True)  # then the file can be closed


class ClientGone(Exception):
    """The client closed its connection before the response."""


@dataclass
class Context:
    """A request and the service. `new_owner` becomes a cookie of the response."""

    request: Request
    service: Service
    new_owner: str = ""

    def owner(self) -> str:
        """The id of the browser, from its cookie, on a shared server; empty on any other."""
        if not self.service.shared:
            return ""
        known = self.request.cookies.get(OWNER, "")
        if OWNERS.fullmatch(known):
            return known
        self.new_owner = self.new_owner or secrets.token_hex(16)
        return self.new_owner

    def address(self) -> str:
        """The address of the client on a shared server, for the limits on clients; empty on any other."""
        client = self.request.client
        return network(client.host) if self.service.shared and client else ""

    def game(self) -> StoredGame:
        """The stored game with the id in the path."""
        return self.service.games.find(self.request.path_params["id"])

    def submit(self, queue: JobQueue, work: Callable[[Job[Result]], Result], seconds: float) -> Job[Result]:
        """Queue a job of this client."""
        return queue.submit(work, seconds, self.address())

    async def run_in_storage(self, work: Callable[[], Result]) -> Result:
        """Run work on the stored games in their thread, and return its result."""

        def run(_: Job[Result]) -> Result:
            self.service.games.check_file()
            return work()

        return await self.result(self.submit(self.service.storage, run, self.service.limits.move_seconds))

    async def result(self, job: Job[Result]) -> Result:
        """Wait for the result of a job. If the client closes its connection, the job is cancelled."""
        disconnect = asyncio.create_task(_disconnected(self.request))
        try:
            await asyncio.wait((job.result, disconnect), return_when=asyncio.FIRST_COMPLETED)
            if not job.result.done():
                raise ClientGone
            return job.result.result()
        finally:
            job.cancel()
            disconnect.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


class Endpoint:
    """A method, a path and their handler. Its annotations are the types of the parameters and the response."""

    def __init__(
        self,
        method: str,
        path: str,
        handler: Callable[[Context, Any], Any],
        *,
        status: int = 200,
        media_types: tuple[str, ...] = ("application/json",),
        response: type | None = None,
    ) -> None:
        hints = get_type_hints(handler)
        self.method = method
        self.path = path
        self.handler = handler
        self.summary = (handler.__doc__ or "").rstrip(".")
        self.status = status
        self.media_types = media_types
        self.parameters: type[Parameters] = hints["parameters"]
        self.response: Any = response or hints["return"]
        self.has_body = method in ("POST", "PATCH")


ENDPOINTS: list[Endpoint] = []
Handler = TypeVar("Handler", bound=Callable[[Context, Any], Any])


def endpoint(method: str, path: str, **details: Any) -> Callable[[Handler], Handler]:
    """Register a handler; its docstring is the summary in the OpenAPI document. See `Endpoint`."""

    def register(handler: Handler) -> Handler:
        ENDPOINTS.append(Endpoint(method, path, handler, **details))
        return handler

    return register


def error_response(error: Exception, service: Service) -> tuple[int, ErrorResponse] | None:
    """Status and body of the response to an error; None for an unexpected error."""
    match error:
        case GameConflict():
            return 409, ConflictResponse(str(error), games.game_response(error.game))
        case BadPosition() | IllegalMove():
            return 400, ErrorResponse(str(error))
        case NoSuchGame():
            return 404, ErrorResponse(str(error))
        case BadFile() | CannotSave():  # a disk that is full or fails
            return _storage_error(error, service)
        case CannotSolve() | QueueFull() | SearchStopped():  # there may not be enough memory for a solver
            return 503, ErrorResponse(str(error))
    return None


def _storage_error(error: BadFile | CannotSave, service: Service) -> tuple[int, ErrorResponse]:
    """Log the error with the path of the file, and respond without it."""
    LOG.error("maxconnect4: %s", error)
    text, file = str(error), service.games.name
    text = f"the file of games{text.removeprefix(file)}" if text.startswith(file) else INTERNAL_ERROR
    return (503, ErrorResponse(f"{text}: try again")) if isinstance(error, FileInUse) else (507, ErrorResponse(text))


# Positions


def _board(parameters: PositionParameters) -> Board:
    return position_from(parameters.game, parameters.start, parameters.moves)


@endpoint("GET", "")
@endpoint("GET", "/")
async def get_capabilities(context: Context, parameters: Parameters) -> CapabilitiesResponse:
    """Versions, levels, evaluations and limits."""
    return capabilities(context.service)


def _level_info(level: Level) -> LevelInfo:
    strength = level.strength
    return LevelInfo(level.number, level.name, level.description, strength.score, strength.rating, str(strength))


def capabilities(service: Service) -> CapabilitiesResponse:
    """The versions, levels, evaluations, limits and jobs of a server."""
    return CapabilitiesResponse(
        api=2,
        version=__version__,
        games=list(GAMES),
        titles=games.TITLES,
        levels=LevelsOfGames(*([_level_info(level) for level in LEVELS[game]] for game in GAMES)),
        evaluations=[EvaluationInfo(name, EVALUATION_DESCRIPTIONS[name]) for name in EVALUATIONS],
        default_evaluations=DEFAULT_EVALUATION,
        limits={**asdict(service.limits), "body_bytes": MAX_BODY_BYTES, "games": MAX_GAMES},
        jobs={queue.name: queue.load() for queue in service.queues},
    )


@endpoint("GET", "/position")
async def get_position(context: Context, parameters: PositionParameters) -> PositionResponse:
    """Describe a position."""
    return describe(_board(parameters))


@endpoint("POST", "/position")
async def read_position(context: Context, parameters: PositionText) -> PositionResponse:
    """Read a position file or a move string."""
    return describe(position_from_text(parameters.text, parameters.game))


# Analysis and review


@endpoint("GET", "/analysis")
async def get_analysis(context: Context, parameters: PositionParameters) -> AnalysisResponse:
    """Exact value of a position and of every column."""
    return await context.result(_submit_analysis(context, parameters))


@endpoint("GET", "/analysis/events", media_types=("text/event-stream",))
async def stream_analysis(context: Context, parameters: PositionParameters) -> StreamingResponse:
    """Exact value of a position and of every column, with progress."""
    return _stream(_submit_analysis(context, parameters), context.service)


def _submit_analysis(context: Context, parameters: PositionParameters) -> Job[AnalysisResponse]:
    board, service = _board(parameters), context.service
    seconds = service.limits.analysis_seconds

    def work(job: Job[AnalysisResponse]) -> AnalysisResponse:
        with service.solver() as solver:
            return analysis.analyse(board, solver, job, seconds)

    return context.submit(service.analyses, work, seconds)


@endpoint("GET", "/analysis/reasons")
async def get_reasons(context: Context, parameters: PositionParameters) -> ReasonsResponse:
    """Why a column is a mistake, or what it achieves, for every column."""
    board, service = _board(parameters), context.service

    def work(job: Job[ReasonsResponse]) -> ReasonsResponse:
        with service.solver() as solver:
            return analysis.explain_columns(board, solver, job)

    return await context.result(context.submit(service.analyses, work, service.limits.perfect_seconds))


@endpoint("GET", "/review")
async def get_review(context: Context, parameters: PositionParameters) -> ReviewResponse:
    """Regret of every move of a game."""
    return await context.result(_submit_review(context, parameters))


@endpoint("GET", "/review/events", media_types=("text/event-stream",))
async def stream_review(context: Context, parameters: PositionParameters) -> StreamingResponse:
    """Regret of every move of a game, with progress."""
    return _stream(_submit_review(context, parameters), context.service)


def _submit_review(context: Context, parameters: PositionParameters) -> Job[ReviewResponse]:
    board, service = _board(parameters), context.service
    if not board.drops:
        raise HTTPException(400, "the game has no moves to review")

    def work(job: Job[ReviewResponse]) -> ReviewResponse:
        with service.solver() as solver:
            return analysis.review_game(board, solver, job)

    return context.submit(service.reviews, work, service.limits.review_seconds)


def _stream(job: Job[Any], service: Service) -> StreamingResponse:
    """Server-sent events of a job: `progress` for every update, then `done` or `failed`."""

    async def events() -> AsyncIterator[bytes]:
        try:
            async for update in job.updates():
                yield _event("progress", update)
            try:
                yield _event("done", await job.result)
            except Exception as error:
                expected = error_response(error, service)
                yield _event("failed", expected[1] if expected else ErrorResponse(INTERNAL_ERROR))
                if expected is None:
                    raise
        finally:
            job.cancel()

    return StreamingResponse(events(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


def _event(name: str, data: msgspec.Struct) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (name.encode(), msgspec.json.encode(data))


@endpoint("GET", "/puzzles")
async def get_puzzles(context: Context, parameters: PuzzleParameters) -> PuzzlesResponse:
    """Puzzles of a game, and the one of a day."""
    try:
        date = datetime.date.today() if parameters.date is UNSET else datetime.date.fromisoformat(parameters.date)
    except ValueError:
        raise HTTPException(400, f"{quote(str(parameters.date))} is not a date such as 2026-11-20") from None
    fields = PuzzleInfo.__struct_fields__
    shipped = shipped_puzzles()[parameters.game]
    puzzles = [PuzzleInfo(**{name: getattr(puzzle, name) for name in fields}) for puzzle in shipped]
    return PuzzlesResponse(puzzles, daily_number(parameters.game, date))


# Moves of computer players


@endpoint("GET", "/choice")
async def get_choice(context: Context, parameters: ChoiceParameters) -> ChoiceResponse:
    """Choose a column: by a level, a depth, or perfect play."""
    level, depth, evaluation = parameters.level, parameters.depth, parameters.evaluation
    if level is not UNSET and not (depth is UNSET and evaluation is UNSET):
        raise HTTPException(400, "give either a level, or a depth and an evaluation")
    if depth is UNSET and evaluation is not UNSET:
        raise HTTPException(400, "an evaluation requires a depth")
    board, service = _board(parameters), context.service
    if board.is_over():
        raise HTTPException(400, "the game is over: there is no column to choose")
    if level is not UNSET:
        return await context.result(_submit_level(context, board, level))
    if depth is UNSET:
        return await context.result(_submit_perfect(context, board))
    name = None if evaluation is UNSET else evaluation
    seconds, plies = service.limits.move_seconds, depth
    queue = service.moves if plies <= QUICK_DEPTH else service.analyses
    job = context.submit(queue, lambda job: analysis.choose_by_depth(board, plies, name, seconds, job), 2 * seconds)
    return await context.result(job)


def _submit_level(context: Context, board: Board, level: int, seed: str | None = None) -> Job[ChoiceResponse]:
    if level == len(LEVELS[board.game]):  # the last level plays perfectly
        return _submit_perfect(context, board)

    def work(job: Job[ChoiceResponse]) -> ChoiceResponse:
        player = LevelPlayer(level, board.game, seed, stop=job.stopped)
        return analysis.choice_response(board, lambda: player.choose(board))

    return context.submit(context.service.moves, work, context.service.limits.move_seconds)


def _submit_perfect(context: Context, board: Board) -> Job[ChoiceResponse]:
    service, fallback_seconds = context.service, context.service.limits.fallback_seconds

    def work(job: Job[ChoiceResponse]) -> ChoiceResponse:
        with service.solver() as solver:
            return analysis.choose_perfectly(board, solver, fallback_seconds, job)

    return context.submit(service.perfect, work, service.limits.perfect_seconds)


# Search trees


@endpoint("GET", "/tree")
async def get_tree(context: Context, parameters: TreeParameters) -> TreeResponse:
    """Search tree of depth-limited minimax."""
    return await _tree(context, parameters, lambda tree: msgspec.convert(tree_to_dict(tree), TreeResponse))


@endpoint("GET", "/tree.svg", media_types=("image/svg+xml",))
async def draw_tree(context: Context, parameters: TreeParameters) -> Response:
    """Search tree of depth-limited minimax, as a picture."""
    text = await _tree(context, parameters, tree_svg)
    return Response(text, media_type="image/svg+xml", headers={"Content-Security-Policy": PICTURE_POLICY})


def _tree(context: Context, parameters: TreeParameters, make: Callable[[Tree], Result]) -> Awaitable[Result]:
    """Search and convert in a thread: at depth 4 it takes a tenth of a second."""
    board = _board(parameters)
    evaluation = DEFAULT_EVALUATION[board.game] if parameters.evaluation is UNSET else parameters.evaluation

    def work(job: Job[Result]) -> Result:
        tree = search_tree(board, parameters.depth, evaluation, parameters.pruning, parameters.order, job.stopped)
        return make(tree)

    return context.result(context.submit(context.service.trees, work, context.service.limits.move_seconds))


# Games


@endpoint("POST", "/games", status=201)
def create_game(context: Context, parameters: NewGame) -> GameResponse:
    """Create a game."""
    board = _board(parameters)
    game = context.service.games.create(board, start_of(board), parameters.players, context.owner(), context.address())
    return games.game_response(game, board)


@endpoint("GET", "/games")
def list_games(context: Context, parameters: ListParameters) -> GamesResponse:
    """List games, last changed first."""
    owner = context.owner() if context.service.shared else None
    before = None if parameters.before is UNSET else parameters.before
    listed, more = context.service.games.latest(parameters.limit, before, owner)
    return GamesResponse([games.listed_game_response(game) for game in listed], more)


@endpoint("GET", "/games/{id}")
def get_game(context: Context, parameters: Parameters) -> GameResponse:
    """Get a game."""
    return games.game_response(context.game())


@endpoint("DELETE", "/games/{id}")
def delete_game(context: Context, parameters: Parameters) -> DeletedResponse:
    """Delete a game."""
    game = context.game()
    if context.service.shared and game.owner != context.owner():
        raise HTTPException(403, "only the browser that created a game can delete it")
    context.service.games.delete(game.id)
    return DeletedResponse(game.id)


@endpoint("PATCH", "/games/{id}")
def change_players(context: Context, parameters: PlayersBody) -> GameResponse:
    """Change the players."""
    game = context.game()
    friends.check_without_seats(context.service.games, game)
    if parameters.players is not UNSET:
        game = context.service.games.change_players(game, parameters.players)
    return games.game_response(game)


@endpoint("POST", "/games/{id}/drop")
def make_move(context: Context, parameters: MoveBody) -> GameResponse:
    """Make the move of a person."""
    game = _game_to_change(context, parameters)
    board = _ongoing(game)
    if games.next_player(game, board) != PERSON:
        raise GameConflict(game, "it is the computer's turn")
    friends.check_turn(context.service.games, game, _seat(parameters), board.to_move)
    return games.game_response(*games.drop(context.service.games, game, parameters.column))


@endpoint("POST", "/games/{id}/computer")
async def make_computer_move(context: Context, parameters: AtBody) -> ComputerMoveResponse:
    """Make the move of a computer player."""

    def load() -> tuple[StoredGame, Board, str]:
        game = _game_to_change(context, parameters)
        board = _ongoing(game)
        player = games.next_player(game, board)
        if player == PERSON:
            raise GameConflict(game, "it is a person's turn")
        return game, board, player

    game, board, player = await context.run_in_storage(load)
    # This seed makes a game reproducible after an undo, and both sides play differently.
    level, seed = int(player.removeprefix("level:")), f"{game.id} {board.to_move}"
    choice = await context.result(_submit_level(context, board, level, seed))

    def drop() -> ComputerMoveResponse:
        current = context.game()
        if (current.moves, current.players) != (game.moves, game.players):
            raise GameConflict(current, "the game was changed by another request")
        changed = games.game_response(*games.drop(context.service.games, current, choice.column))
        return ComputerMoveResponse(**msgspec.structs.asdict(changed), choice=choice)

    return await context.run_in_storage(drop)


@endpoint("POST", "/games/{id}/undo")
def undo_move(context: Context, parameters: AtBody) -> GameResponse:
    """Undo the last move of a person, and the computer's after it."""
    game = _game_to_change(context, parameters)
    friends.check_without_seats(context.service.games, game)
    return games.game_response(*games.undo(context.service.games, game))


@endpoint("POST", "/games/{id}/redo")
def redo_move(context: Context, parameters: AtBody) -> GameResponse:
    """Redo moves up to the next turn of a person."""
    return games.game_response(*games.redo(context.service.games, _game_to_change(context, parameters)))


@endpoint("GET", "/games/{id}/export", media_types=("text/plain", "application/json"), response=GameResponse)
def export_game(context: Context, parameters: ExportParameters) -> Response:
    """Export a game as a file."""
    name, media_type, text = games.export(context.game(), parameters.form)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=media_type, headers=headers)


@endpoint("POST", "/games/{id}/seats")
def take_seat(context: Context, parameters: SeatBody) -> SeatResponse:
    """Take a colour in a game between two people."""
    player = None if parameters.player is UNSET else parameters.player
    taken = friends.take_seat(context.service.games, context.game(), parameters.seat, player)
    return SeatResponse(taken, context.service.address)


@endpoint("POST", "/games/{id}/rematch")
def start_rematch(context: Context, parameters: SeatBody) -> GameResponse:
    """Start the next game of two people, or find it. They swap the colours."""
    service, game = context.service, context.game()
    if friends.seat_of(service.games, game, parameters.seat) is None:
        raise HTTPException(403, "only a player of the game can start a rematch")
    if game.id in service.streams.rematches:
        return games.game_response(service.games.find(service.streams.rematches[game.id]))
    if not game.board().is_over():
        raise GameConflict(game, "the game is not over")
    rematch = friends.start_rematch(service.games, game, context.address())
    service.streams.rematches[game.id] = rematch.id
    return games.game_response(rematch)


@endpoint("GET", "/games/{id}/events", media_types=("text/event-stream",))
async def stream_game(context: Context, parameters: SeatParameters) -> StreamingResponse:
    """Changes of a game between two people, beginning with its current state."""
    service, id_, secret = context.service, context.request.path_params["id"], _seat(parameters)

    def load(_: Job[SharedGameResponse]) -> SharedGameResponse:
        game, seats = service.games.find(id_), service.games.seats(id_)
        present, rematch = service.streams.present(id_), service.streams.rematches.get(id_)
        return SharedGameResponse(games.game_response(game), (1 in seats, 2 in seats), present, rematch)

    def find_player() -> int:
        return friends.seat_of(service.games, context.game(), secret) or 0

    service.streams.check_capacity(context.address())
    player = await context.run_in_storage(find_player)

    async def events() -> AsyncIterator[bytes]:
        async with aclosing(service.streams.changes(id_, player, context.address())) as changes:
            async for changed in changes:
                if not changed:
                    yield b": still here\n\n"
                    continue
                try:
                    job = context.submit(service.storage, load, service.limits.move_seconds)
                    yield _event("game", await job.result)
                except NoSuchGame as error:
                    yield _event("failed", ErrorResponse(str(error)))
                    return

    return StreamingResponse(events(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


def _seat(parameters: MoveBody | SeatParameters) -> str:
    return "" if parameters.seat is UNSET else parameters.seat


def _game_to_change(context: Context, parameters: AtBody) -> StoredGame:
    game = context.game()
    if parameters.at is not UNSET and parameters.at != len(game.moves):
        raise GameConflict(
            game, f"the game was changed elsewhere: it has {len(game.moves)} moves now, not {parameters.at}"
        )
    return game


def _ongoing(game: StoredGame) -> Board:
    board = game.board()
    if board.is_over():
        raise GameConflict(game, "the game is over")
    return board
