"""Request and response types of the API: msgspec validates them, and the OpenAPI document is made from them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from starlette.exceptions import HTTPException

from ..board import HEIGHT, WIDTH
from ..errors import quote
from ..position_file import LARGEST
from ..reasons import Reason
from ..search_tree import MAX_DEPTH

CELLS = WIDTH * HEIGHT
MAX_LISTED = 100  # games in one response

GameName = Annotated[str, Meta(extra_json_schema={"enum": ["max", "classic"]})]
Player = Annotated[int, Meta(extra_json_schema={"enum": [1, 2]})]
PlayerName = Literal[
    "person", "level:1", "level:2", "level:3", "level:4", "level:5", "level:6", "level:7", "level:8"
]  # fmt: skip
EvaluationName = Literal["best", "lines", "margin", "sign", "table", "table138", "windows"]
Column = Annotated[int, Meta(ge=1, le=WIDTH)]
Cell = tuple[int, int]  # column and row, both from 1
Four = Annotated[list[Cell], Meta(min_length=4, max_length=4)]
Points = tuple[int, int]  # of red and of green
Rows = Annotated[list[Annotated[str, Meta(pattern="^[012]{7}$")]], Meta(min_length=HEIGHT, max_length=HEIGHT)]
Kinds = TypeVar("Kinds", bound="Parameters")


class Parameters(Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """Parameters of a request, in the query or in a JSON body. This class is for requests without parameters."""


class PositionParameters(Parameters, kw_only=True, frozen=True):
    """A position: its game, its starting position and its moves."""

    game: Annotated[Literal["max", "classic"], Meta(description="the game")] = "max"
    start: Annotated[
        str,
        Meta(
            max_length=CELLS,
            description="the starting position: 42 digits, top row first; empty for the empty board",
            extra_json_schema={"pattern": "^([012]{42})?$"},  # `position_from` has a better message
        ),
    ] = ""
    moves: Annotated[
        str,
        Meta(
            max_length=CELLS,
            description="the columns played since the start, such as 4453",
            extra_json_schema={"pattern": "^[1-7]*$"},
        ),
    ] = ""


class PositionText(Parameters, kw_only=True, frozen=True):
    """A pasted or loaded text with a position."""

    game: Annotated[Literal["max", "classic"], Meta(description="the game")] = "max"
    text: Annotated[str, Meta(max_length=LARGEST, description="a position file or a move string")]


class ChoiceParameters(PositionParameters, kw_only=True, frozen=True):
    """A position, and a level or a search depth. The default is perfect play."""

    level: Annotated[int, Meta(ge=1, le=8, description="the level of the computer player")] | UnsetType = UNSET
    depth: Annotated[int, Meta(ge=0, le=CELLS, description="the search depth in plies")] | UnsetType = UNSET
    evaluation: Annotated[EvaluationName, Meta(description="the evaluation at the depth limit")] | UnsetType = UNSET


class TreeParameters(PositionParameters, kw_only=True, frozen=True):
    """A position, and the settings of a search tree."""

    depth: Annotated[int, Meta(ge=1, le=MAX_DEPTH, description="the search depth in plies")] = 2
    evaluation: Annotated[EvaluationName, Meta(description="the evaluation of a leaf")] | UnsetType = UNSET
    pruning: Annotated[bool, Meta(description="whether alpha-beta pruning is on")] = True
    order: Annotated[Literal["centre", "left"], Meta(description="the move ordering")] = "centre"


class PuzzleParameters(Parameters, kw_only=True, frozen=True):
    """A game, and the date of its daily puzzle."""

    game: Annotated[Literal["max", "classic"], Meta(description="the game")] = "max"
    date: (
        Annotated[
            str,
            Meta(
                max_length=10,
                description="the date of the daily puzzle, such as 2026-11-20; by default today",
                extra_json_schema={"format": "date"},
            ),
        ]
        | UnsetType
    ) = UNSET


class PlayersBody(Parameters, kw_only=True, frozen=True):
    """The new players of a game."""

    players: Annotated[tuple[PlayerName, PlayerName], Meta(description="the players, red first")] | UnsetType = UNSET


class NewGame(PositionParameters, kw_only=True, frozen=True):
    """A new game: its position and its players."""

    players: Annotated[tuple[PlayerName, PlayerName], Meta(description="the players, red first")] = (
        "person",
        "level:4",
    )


class AtBody(Parameters, kw_only=True, frozen=True):
    """The state of a game that the client expects."""

    at: (
        Annotated[int, Meta(ge=0, le=CELLS, description="the expected number of moves; any other is a conflict")]
        | UnsetType
    ) = UNSET


Secret = Annotated[str, Meta(min_length=16, max_length=64, description="a secret of the client, for its seat")]


class SeatBody(Parameters, kw_only=True, frozen=True):
    """A seat in a game between two people."""

    seat: Secret
    player: (
        Annotated[int, Meta(ge=1, le=2, description="the colour, 1 for red; by default any free one")] | UnsetType
    ) = UNSET


class SeatParameters(Parameters, kw_only=True, frozen=True):
    """The seat of the client; none for a spectator."""

    seat: Secret | UnsetType = UNSET


class MoveBody(AtBody, kw_only=True, frozen=True):
    """A move of a person."""

    seat: Secret | UnsetType = UNSET
    column: Annotated[Column, Meta(description="the column to drop into")]


class ListParameters(Parameters, kw_only=True, frozen=True):
    """A part of the list of games."""

    limit: Annotated[int, Meta(ge=1, le=MAX_LISTED, description="the maximum number of games to list")] = (
        MAX_LISTED // 2
    )
    before: Annotated[str, Meta(max_length=64, description="list the games after this one")] | UnsetType = UNSET


class ExportParameters(Parameters, kw_only=True, frozen=True):
    """The format of an exported file."""

    form: Annotated[Literal["text", "json", "position"], Meta(description="the format of the file")] = msgspec.field(
        name="as"
    )


class PlayedMove(Struct):
    """A move, and the state of the game after it."""

    number: int
    player: Player
    column: Column
    row: int
    fours: list[Four]
    points: Points
    columns: list[Column]
    description: str
    status: str  # the player to move after it, or the result


class InitialPosition(Struct):
    """The position before the first of the moves."""

    cells: Rows
    points: Points
    fours: tuple[list[Four], list[Four]]
    to_move: Player
    columns: list[Column]
    status: str


class PositionResponse(Struct):
    """A position with its history, for clients that do not implement the rules."""

    game: GameName
    start: str | None
    moves: str
    size: tuple[int, int]  # columns and rows
    cells: Rows
    to_move: Player
    columns: list[Column]
    points: Points
    fours: tuple[list[Four], list[Four]]
    over: bool
    winner: Player | None
    result: str | None
    status: str  # the player to move, or the result
    description: str
    text: str
    initial: InitialPosition
    history: list[PlayedMove]


class LevelInfo(Struct):
    """A level of the computer."""

    level: int
    name: str
    description: str
    score: float  # against the level below, level 1 against random moves, from 0 to 1
    rating: int  # Elo rating
    strength: str


class LevelsOfGames(Struct):
    """The levels of both games."""

    max: list[LevelInfo]
    classic: list[LevelInfo]


class EvaluationInfo(Struct):
    """An evaluation."""

    name: str
    description: str


class CapabilitiesResponse(Struct):
    """Games, levels, evaluations and limits of the server, and the current jobs of each queue."""

    api: int
    version: str
    games: list[GameName]
    titles: dict[str, str]  # of the games
    levels: LevelsOfGames
    evaluations: list[EvaluationInfo]
    default_evaluations: dict[str, str]  # of the games
    limits: dict[str, float]
    jobs: dict[str, dict[str, int]]


class ChoiceResponse(Struct):
    """The move of a computer player."""

    column: Column
    value: int | None
    depth: int
    nodes: int
    seconds: float
    exact: bool
    source: str
    description: str


class Bounds(Struct):
    """Bounds of a value for the side to move. In the classic game 1 is a win, 0 a draw and -1 a loss."""

    low: int | None
    high: int | None
    label: str
    value: int | None  # once it is exact
    tone: Literal["win", "draw", "loss", "unknown"]


class AnalysisResponse(Struct):
    """The exact value of a position and of every column, or their bounds during the computation."""

    value: int | None
    scores: list[int | None]
    bounds: Bounds
    columns: list[Bounds | None]
    best: list[Column]
    pv: str | None
    pv_points: list[int]  # scored by each of its moves
    exact: bool
    source: str
    nodes: int
    seconds: float
    description: str


class ReasonsResponse(Struct):
    """For every column why it is a mistake, or what it achieves; null if that is unknown."""

    reasons: list[Reason | None]


class PuzzleInfo(Struct):
    """A position in which only one column is best, and a plausible wrong column."""

    moves: str
    column: Column
    value: int
    second: int  # value of the second best column
    tempting: Column
    depth: int  # plies to the four that shows why the tempting column is wrong
    grade: Literal[1, 2, 3]
    goal: Literal["win", "draw", "points"]


class PuzzlesResponse(Struct):
    """The puzzles of a game, and the index of the daily one."""

    puzzles: list[PuzzleInfo]
    daily: int


class ReviewProgress(Struct):
    """The number of reviewed moves, and of all moves."""

    done: int
    total: int


class MoveReview(Struct):
    """A move with the values before and after it, from red's point of view."""

    number: int
    player: Player
    column: Column
    before: int
    after: int
    regret: int
    mistake: bool
    best: list[Column]
    source: str
    choices: int
    reason: Reason | None
    description: str


class PlayerReview(Struct):
    """The mistakes and the regret of a player."""

    moves: int
    forced: int
    perfect: int
    mistakes: int
    regret: int
    perfect_share: float | None
    detours: int
    worst: int | None
    description: str


class ReviewResponse(Struct):
    """The regret of every move of a game."""

    values: list[int]
    margins: list[int]
    review: list[MoveReview]
    red: PlayerReview
    green: PlayerReview


class TreeWindow(Struct):
    """Alpha and beta, null while infinite, and the paths of the nodes that they come from."""

    alpha: int | None
    beta: int | None
    alpha_from: str | None
    beta_from: str | None


class TreeStep(TreeWindow):
    """A child that has returned its value, and the window after it."""

    path: str
    value: int


class TreeCut(TreeWindow):
    """A cut-off: the child that caused it, and the reason."""

    after: str
    columns: list[Column]
    spared: int
    reason: str


class TreeNode(TreeWindow, kw_only=True):
    """A node of a search tree. A leaf has no best child, no steps and no cut."""

    path: str
    kind: Literal["max", "min", "leaf"]
    player: Player
    over: bool
    value: int
    bound: Literal["exact", "at least", "at most"]
    best: str | UnsetType = UNSET
    steps: list[TreeStep] | UnsetType = UNSET
    cut: TreeCut | UnsetType | None = UNSET


class TreeResponse(Struct):
    """A search tree, its nodes in the order of visiting."""

    game: GameName
    moves: str | None
    to_move: Player
    depth: int
    evaluation: str
    evaluation_description: str
    pruning: bool
    order: Literal["centre", "left"]
    value: int
    column: Column
    pv: str
    visited: int
    with_pruning: int
    without_pruning: int
    pruned_share: float
    description: str
    labels: dict[int, str]
    nodes: list[TreeNode]


class GameResponse(Struct):
    """A stored game."""

    id: str
    game: GameName
    players: tuple[str, str]
    position: PositionResponse
    future: str
    created: str
    changed: str


class SeatResponse(Struct):
    """The colour of a client, and the address of the server for other machines, if they can reach it."""

    player: Player
    address: str | None


class SharedGameResponse(Struct):
    """A game between two people: which colours are taken, which of them are connected, and the rematch."""

    game: GameResponse
    taken: tuple[bool, bool]
    present: tuple[bool, bool]
    rematch: str | None


class ComputerMoveResponse(GameResponse):
    """A game after a move of the computer."""

    choice: ChoiceResponse


class ListedGameResponse(Struct):
    """A game in a list."""

    id: str
    game: GameName
    players: tuple[str, str]
    start: str | None
    moves: str
    points: Points
    over: bool
    result: str | None
    created: str
    changed: str


class GamesResponse(Struct):
    """A part of the list of games."""

    games: list[ListedGameResponse]
    more: bool


class DeletedResponse(Struct):
    """The id of a deleted game."""

    deleted: str


class ErrorResponse(Struct):
    """The error message, on one line."""

    error: str


class ConflictResponse(ErrorResponse):
    """A change that the state of the game does not allow, and the game in its current state."""

    game: GameResponse


FIELD = re.compile(r"`\$\.(\w+)|required field `(\w+)`")


def parse_query(pairs: Sequence[tuple[str, str]], kind: type[Kinds]) -> Kinds:
    """Parse the parameters of a query.

    Raises:
        HTTPException: If a parameter is unknown, repeated, missing or not valid.
    """
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in values:
            raise HTTPException(400, f"the parameter {quote(name)} is given twice")
        values[name] = value
    return _validated(values, kind, strict=False)


def parse_body(body: bytes, kind: type[Kinds]) -> Kinds:
    """Parse the parameters of a JSON object. A parameter that is null counts as missing.

    Raises:
        HTTPException: If the body is not a JSON object, or a parameter is unknown, repeated, missing or not valid.
    """
    try:
        values = json.loads(body or b"{}", object_pairs_hook=_unique)  # msgspec accepts repeated names
    except RecursionError:
        raise HTTPException(400, "the body is not valid JSON: it nests too deeply") from None
    except ValueError as error:
        raise HTTPException(400, f"the body is not valid JSON: {quote(str(error))}") from None
    if not isinstance(values, dict):
        raise HTTPException(400, "the body must be a JSON object, such as {}")
    return _validated(values, kind, strict=True)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a name is given twice")
    return values


def _validated(values: dict[str, Any], kind: type[Kinds], *, strict: bool) -> Kinds:
    types = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    for name in values:
        if name not in types:
            known = f"choose from {', '.join(types)}" if types else "this request has none"
            raise HTTPException(400, f"{quote(name)} is not a parameter: {known}")
    values = {name: value for name, value in values.items() if value is not None}
    try:
        return msgspec.convert(values, kind, strict=strict)
    except msgspec.ValidationError as error:
        ((of_value, missing),) = FIELD.findall(str(error))
        name = of_value or missing
        expected = _expected(msgspec.json.schema(types[name]))
        if name not in values:
            raise HTTPException(400, f"the parameter {name!r} is missing: it must be {expected}") from None
        raise HTTPException(400, f"the parameter {name!r} must be {expected}, not {_quoted(values[name])}") from None


def _expected(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    match schema["type"]:
        case "integer":
            return f"a whole number from {schema['minimum']} to {schema['maximum']}"
        case "boolean":
            return "true or false"
        case "array":
            return f"a list of {schema['minItems']}, each {_expected(schema['prefixItems'][0])}"
    return f"a text of at most {schema['maxLength']:,} characters"


def _quoted(value: Any) -> str:
    match value:
        case str():
            return quote(value)
        case list():
            return "a list"  # it may nest too deeply to be written
        case dict():
            return "an object"
    return quote(json.dumps(value)).strip("'")
