"""Tournament files: the players and the rules of a tournament in TOML. Paths are relative to the folder of the file."""

from __future__ import annotations

import glob
import os
import re
import shlex
import tomllib
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, TypeVar

import msgspec

from ..board import GAMES
from ..errors import BadFile, BadSetup, error_reason, quote, quote_path
from ..files import open_regular, read_text
from ..formatting import parse_bytes, parse_seconds
from .game import ON_FAULT, Rules
from .isolation import SYSTEM, contains
from .limits import WALL_CLOCK, ResourceLimits
from .openings import is_random, openings_from
from .pairing import FORMATS, MOST_PLAYERS
from .players import DEPTH, PlayerSpec, parse_built_in, player_spec
from .tournament import ADJUDICATE, Tournament

T = TypeVar("T")
Number = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
Bytes = Annotated[int, msgspec.Meta(ge=0, le=1 << 62)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=10**9)]

LARGEST = 300_000  # bytes: tomllib uses up to 600 bytes of memory for each
MOST_DOTS = 100  # on a line: the time of tomllib is quadratic in the parts of a key, which is on one line
OWN_COMMAND = "command.txt"  # in a player's folder, with a command that replaces the one in the tournament file
LEAST_MEMORY, MOST_MEMORY = 16 << 20, 1 << 40


class LimitSettings(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Limits on one move, each optional."""

    seconds: float | None = None
    cpu_seconds: float | None = None
    memory: Bytes | str | None = None
    printed: Annotated[int, msgspec.Meta(ge=1_000, le=1 << 40)] | None = None
    processes: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
    disk: Bytes | str | None = None


class PlayerSettings(LimitSettings, kw_only=True, forbid_unknown_fields=True):
    """A [[player]] table: one player, or a player for each of several folders."""

    name: str | None = None
    built_in: str | None = None
    command: str | list[str] | None = None
    folder: str | None = None
    folders: str | None = None
    depth: Number | None = None
    environment: dict[str, str] = {}


class TournamentSettings(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The settings of a tournament file, each optional."""

    title: str | None = None
    game: str = GAMES[0]
    format: str = FORMATS[0]
    rounds: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    heads: Positive = 1
    openings: str = "random:plies=4,count=2"
    seed: Number = 1
    depth: Number = DEPTH
    on_fault: str = ON_FAULT[0]
    adjudicate: bool | Annotated[int, msgspec.Meta(ge=0, le=42)] = False
    limits: LimitSettings = msgspec.field(default_factory=LimitSettings)
    player: Annotated[list[PlayerSettings], msgspec.Meta(max_length=MOST_PLAYERS)] = []


OPENINGS = TournamentSettings().openings


def read_tournament(
    path: str,
    openings: str | None = None,
    seed: int | None = None,
    adjudicate: int | None = None,
    game: str | None = None,
) -> Tournament:
    """Read a tournament file. The other arguments, if given, replace its settings.

    Raises:
        BadFile: The file cannot be read or is not valid; the message has the key and the value.
    """
    name = quote_path(path)
    values = _parse(read_text(path, "tournament file", LARGEST), name)
    try:
        try:
            settings = msgspec.convert(values, TournamentSettings)
        except msgspec.ValidationError as error:
            raise BadSetup(_explanation(str(error), values)) from None
        for key, choices in (("game", GAMES), ("format", FORMATS), ("on_fault", ON_FAULT)):
            if (value := getattr(settings, key)) not in choices:
                raise BadSetup(f"{key}: {quote(value)} is not valid: choose {', '.join(choices)}")
        if openings is None and not is_random(settings.openings):
            openings = os.path.join(os.path.dirname(os.path.abspath(path)), settings.openings)
        settings.openings = settings.openings if openings is None else openings
        settings.seed = settings.seed if seed is None else seed
        settings.adjudicate = settings.adjudicate if adjudicate is None else adjudicate
        settings.game = settings.game if game is None else game
        return _tournament(settings, path)
    except BadSetup as error:
        raise BadFile(f"{name}: {error}") from None


def _parse(text: str, name: str) -> dict[str, Any]:
    for number, line in enumerate(text.split("\n"), start=1):
        if (dots := line.count(".")) > MOST_DOTS and not line.startswith("#"):
            raise BadFile(f"{name}, line {number}: {dots:,} dots on one line: the limit is {MOST_DOTS}")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also for long numbers and deep nesting, which TOML allows
        raise BadFile(f"{name} is not valid TOML: {error_reason(error)}") from None


def _tournament(settings: TournamentSettings, path: str) -> Tournament:
    folder = os.path.dirname(os.path.abspath(path))
    limits = _limits(settings.limits, ResourceLimits())
    folders = {_place(folder, each.folder) for each in settings.player}
    players: list[PlayerSpec] = []
    for number, each in enumerate(settings.player, start=1):
        try:
            players += _players(each, folder, settings, limits, folders)
        except BadSetup as error:
            raise BadSetup(f"player {number}: {error}") from None
    names = [each.name for each in players]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadSetup(f"two players have the name {quote(twice)}: set a different name")
    if len(players) < 2:
        raise BadSetup(f"{len(players)} players: a tournament needs at least two, each in a [[player]] table")
    adjudicate = ADJUDICATE if settings.adjudicate is True else int(settings.adjudicate)
    tournament = Tournament(
        os.path.splitext(os.path.basename(path))[0] if settings.title is None else settings.title,
        settings.format,
        tuple(players),
        tuple(openings_from(settings.openings, settings.seed, settings.game)),
        Rules(settings.on_fault, adjudicate, settings.seed, settings.game),
        rounds=settings.rounds,
        heads=settings.heads,
    )
    tournament.pairing()  # validates rounds and heads
    return tournament


def _place(base: str, folder: str | None) -> str | None:
    return None if folder is None else os.path.realpath(os.path.join(base, folder))


def _players(
    settings: PlayerSettings,
    base: str,
    tournament: TournamentSettings,
    limits: ResourceLimits,
    folders: set[str | None],
) -> list[PlayerSpec]:
    """The players of a table: one, or one for each matching folder that no other table names."""
    pattern = settings.folders
    if pattern is None:
        return [_player(settings, base, settings.folder, tournament, limits)]
    for key in ("name", "folder"):
        if getattr(settings, key) is not None:
            raise BadSetup(f"give {key} or folders, not both")
    found = sorted(filter(os.path.isdir, glob.glob(os.path.join(glob.escape(base), pattern))))
    found = [each for each in found if _place(base, each) not in folders]
    if not found:
        raise BadSetup(f"folders: no folder matches {quote(pattern)}")
    players, problems = [], []
    for each in found:
        try:
            players.append(_player(settings, base, each, tournament, limits))
        except BadSetup as error:
            problems.append(str(error))
    if problems:
        more = f" (and {len(problems) - 1} more invalid players of {len(found)})" if problems[1:] else ""
        raise BadSetup(problems[0] + more)
    return players


def _player(
    settings: PlayerSettings, base: str, folder: str | None, tournament: TournamentSettings, limits: ResourceLimits
) -> PlayerSpec:
    place = None if folder is None else os.path.join(base, folder)
    own = _own_command(place)
    command = own or settings.command
    if (settings.built_in is None) == (command is None):
        raise BadSetup("a player needs exactly one of command and built_in")
    if settings.built_in is not None:
        parse_built_in(settings.built_in)  # raises for any other text, which would be parsed as a command
        command = [settings.built_in]
    try:
        words = shlex.split(command) if isinstance(command, str) else command or []
    except ValueError as error:
        raise BadSetup(f"{quote(str(command))} is not a command: {str(error).lower()}") from None
    if own is not None:
        if "maxconnect4" in (os.path.basename(words[0]), *words[1:]):
            raise BadSetup(f"{quote_path(place or '')}: {OWN_COMMAND} must not run maxconnect4 itself")
        if any(map(_leads_out, words)):
            raise BadSetup(f"{quote_path(place or '')}: {OWN_COMMAND} must not name a file outside its folder")
    return player_spec(
        words,
        name=settings.name,
        depth=tournament.depth if settings.depth is None else settings.depth,
        folder=place,
        base=base,
        environment=settings.environment,
        limits=_limits(settings, limits),
        game=tournament.game,
    )


def _leads_out(word: str) -> bool:
    """Whether an argument names a file outside the player's folder and the system."""
    for part in re.split("[:=]", word):
        path = os.path.normpath(part)
        if os.pardir in path.split(os.sep) or part.startswith("~"):
            return True
        if os.path.isabs(path) and not any(contains(system, path) for system in SYSTEM):
            return True
    return False


def _own_command(folder: str | None) -> str | None:
    if folder is None or not os.path.isfile(path := os.path.join(folder, OWN_COMMAND)):
        return None
    with open_regular(path, "command") as file:
        line = file.readline(LARGEST).decode("utf-8-sig", "replace").strip()
    if not line:
        raise BadSetup(f"{quote_path(path)} has no command on its first line")
    return line


def _limits(settings: LimitSettings, defaults: ResourceLimits) -> ResourceLimits:
    def take(key: str, parse: Callable[[Any], T]) -> T:
        value = getattr(settings, key)
        if value is None:
            default: T = getattr(defaults, key)
            return default
        try:
            return parse(value)
        except ValueError as error:
            raise BadSetup(f"{key}: {error}") from None

    cpu_seconds = take("cpu_seconds", parse_seconds)
    if settings.cpu_seconds is not None and settings.seconds is None:
        defaults = replace(defaults, seconds=WALL_CLOCK * cpu_seconds)
    return ResourceLimits(
        take("seconds", parse_seconds),
        cpu_seconds,
        take("memory", _memory),
        take("printed", int),
        take("processes", int),
        take("disk", _memory),
    )


def _memory(value: int | str) -> int:
    amount = parse_bytes(str(value))
    if not LEAST_MEMORY <= amount <= MOST_MEMORY:
        raise ValueError(f"{amount:,} bytes: choose 16M to 1024G")
    return amount


# Messages

TYPES = {"str": "a string in quotes", "int": "a whole number", "float": "a number", "bool": "true or false"}
TYPES |= {"object": "a table", "array": "a list"}


def _explanation(message: str, values: Any) -> str:
    """A message of msgspec with the key and the value, such as: player 2: depth: -1 is not a whole number >= 0."""
    text, _, path = message.rpartition(" - at `$")
    if not text:
        text, path = message, ""
    keys = []
    for key, index in re.findall(r"\.(\w+)|\[(\d+)\]", path):
        values = values[key or int(index)]
        keys.append(key or f"{int(index) + 1}")
    where = "".join(f"{key}: " for key in keys).replace("player: ", "player ", 1 if len(keys) > 1 else 0)
    if unknown := re.fullmatch("Object contains unknown field `(.*)`", text, re.DOTALL):
        table = LimitSettings if "limits" in keys else PlayerSettings if keys else TournamentSettings
        return f"{where}{quote(unknown[1])} is not a setting: choose {', '.join(table.__struct_fields__)}"
    expected = text.removeprefix("Expected ").partition(", got ")[0]
    for name, words in TYPES.items():
        expected = re.sub(rf"\b{name}\b", words, expected)
    expected = expected.replace("`", "").replace(" | null", "").replace("null | ", "").replace(" | ", " or ")
    return f"{where}{'a value' if path.endswith('[...]`') else _shown(values)} is not {expected}"


def _shown(value: object) -> str:
    """A value of the file for a message, truncated to 60 characters."""
    try:
        text = ascii(value)
    except ValueError:  # a hexadecimal number may exceed Python's limit on decimal digits
        return "a number with too many digits"
    return text if len(text) <= 60 else f"{text[:57]}..."
