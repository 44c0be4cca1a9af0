"""A tournament from a TOML file: the players and how they play. Paths in it count from the folder that it is in."""

from __future__ import annotations

import glob
import os
import re
import shlex
import tomllib
from dataclasses import replace

from ..amounts import bytes_from, seconds_from
from ..board import GAMES
from ..errors import BadEntrant, BadFile, reason, shown, shown_path
from ..reading import open_regular, read_text
from .entrants import DEPTH, Entrant, built_in_from, entrant
from .limits import Limits
from .openings import is_random, openings_from
from .playing import ON_FAULT, Rules
from .programs.isolation import SYSTEM, contains
from .schedule.pairings import FORMATS, MOST_PLAYERS
from .tournament import ADJUDICATE, Tournament

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")

LARGEST = 300_000  # bytes: tomllib takes up to 600 for each
MOST_DOTS = 100  # on a line: tomllib takes quadratic time for a key of many parts, and a key is on one line
OWN_COMMAND = "command.txt"  # in the folder of a player, if it is not the same for all
OPENINGS = "random:plies=4,count=2"
#: What a value has to be, in words. True and false are no numbers, unless they are named.
KINDS = {
    str: "a text, in quotes",
    int: "a whole number",
    dict: "a table",
    list: "a list",
    int | float: "a number",
    int | bool: "a whole number, true or false",
    int | str: "a whole number, or a text in quotes",
    str | list: "a text, in quotes, or a list",
}
LEAST_MEMORY, MOST_MEMORY = 16 << 20, 1 << 40
LIMITS = {"seconds", "cpu_seconds", "memory", "printed", "processes", "disk"}
KEYS = {"title", "game", "format", "rounds", "heads", "openings", "seed", "depth", "on_fault", "adjudicate"}
KEYS |= {"limits", "player"}
PLAYER = {"name", "built_in", "command", "folder", "folders", "depth", "environment", *LIMITS}


def read_tournament(
    path: str,
    openings: str | None = None,
    seed: int | None = None,
    adjudicate: int | None = None,
    game: str | None = None,
) -> Tournament:
    """The tournament that a file describes. The others, if given, are taken in place of its own."""
    name = shown_path(path)
    values = _values(read_text(path, "tournament file", LARGEST), name)
    try:
        facts = _Table(values, KEYS)
        tournament = _tournament(facts, os.path.dirname(os.path.abspath(path)), path, openings, seed, game)
    except BadEntrant as error:
        raise BadFile(f"{name}: {error}") from None
    if adjudicate is None:
        return tournament
    return replace(tournament, rules=replace(tournament.rules, adjudicate=adjudicate))


def _values(text: str, name: str) -> dict[str, Any]:
    for number, line in enumerate(text.split("\n"), start=1):
        if (dots := line.count(".")) > MOST_DOTS and not line.startswith("#"):
            raise BadFile(f"{name}, line {number}: {dots:,} dots on a line, over {MOST_DOTS}")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # neither all numbers nor all depths that TOML has
        raise BadFile(f"{name} is not TOML: {reason(error)}") from None


def _tournament(
    facts: _Table, folder: str, path: str, openings: str | None, seed: int | None, game: str | None
) -> Tournament:
    game = facts.choice("game", GAMES) if game is None else game
    limits = _limits(_Table(facts.take("limits", dict, {}), LIMITS), Limits())
    depth = facts.number("depth", DEPTH)
    tables = [_Table(table if isinstance(table, dict) else {}, PLAYER) for table in facts.take("player", list, [])]
    if len(tables) > MOST_PLAYERS:
        raise BadEntrant(f"{len(tables):,} players, over {MOST_PLAYERS:,}")
    named = {_place(folder, table.take("folder", str, None)) for table in tables}
    entrants = []
    for number, table in enumerate(tables, start=1):
        try:
            entrants += _players(table, folder, depth, limits, named, game)
        except BadEntrant as error:
            raise BadEntrant(f"player {number}: {error}") from None
    names = [each.name for each in entrants]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadEntrant(f"two players are called {shown(twice)}")
    if len(entrants) < 2:
        raise BadEntrant(
            f"a tournament needs two players or more, each under [[player]]: it has {len(entrants) or 'none'}"
        )
    seed = facts.number("seed", 1) if seed is None else seed
    if openings is None:
        openings = facts.take("openings", str, OPENINGS)
        if not is_random(openings):
            openings = os.path.join(folder, openings)
    adjudicate = facts.take("adjudicate", int | bool, 0)
    if not 0 <= adjudicate <= 42:
        raise BadEntrant(f"adjudicate: {_shown(adjudicate)} is not a number of cells, from 0 to 42")
    tournament = Tournament(
        facts.take("title", str, os.path.splitext(os.path.basename(path))[0]),
        facts.choice("format", FORMATS),
        tuple(entrants),
        tuple(openings_from(openings, seed, game)),
        Rules(facts.choice("on_fault", ON_FAULT), ADJUDICATE if adjudicate is True else int(adjudicate), seed, game),
        rounds=facts.number("rounds", 1, 1, 10_000) if "rounds" in facts.values else None,
        heads=facts.number("heads", 1, 1),
    )
    tournament.pairing()  # what is wrong with that shows here
    return tournament


def _place(base: str, folder: str | None) -> str | None:
    return None if folder is None else os.path.realpath(os.path.join(base, folder))


def _players(
    facts: _Table, folder: str, depth: int, limits: Limits, named: set[str | None], game: str
) -> list[Entrant]:
    """The one player of a table, or one for each folder that it names, but for those that have a table of their own."""
    pattern = facts.take("folders", str, None)
    if pattern is None:
        return [_player(facts, folder, facts.take("folder", str, None), depth, limits, game)]
    for key in ("name", "folder"):
        if key in facts.values:
            raise BadEntrant(f"a player has {key} or folders, not both")
    found = sorted(filter(os.path.isdir, glob.glob(os.path.join(glob.escape(folder), pattern))))
    found = [each for each in found if _place(folder, each) not in named]
    if not found:
        raise BadEntrant(f"there is no folder {shown(pattern)}")
    players, problems = [], []
    for each in found:
        try:
            players.append(_player(facts, folder, each, depth, limits, game))
        except BadEntrant as error:
            problems.append(str(error))
    if problems:
        more = f" (and {len(problems) - 1} more of {len(found)} players cannot be used)" if problems[1:] else ""
        raise BadEntrant(problems[0] + more)
    return players


def _player(facts: _Table, base: str, folder: str | None, depth: int, limits: Limits, game: str) -> Entrant:
    built_in = facts.take("built_in", str, None)
    own = _own_command(folder and os.path.join(base, folder))
    command = own or facts.take("command", str | list, None)
    if (built_in is None) == (command is None):
        raise BadEntrant("a player has a command or built_in, one of the two")
    if built_in is not None:
        built_in_from(built_in)  # anything else would be taken for a command
    try:
        words = [built_in] if built_in is not None else shlex.split(command) if isinstance(command, str) else command
    except ValueError as error:
        raise BadEntrant(f"{shown(command)} is no command: {str(error).lower()}") from None
    if own is not None and "maxconnect4" in (os.path.basename(words[0]), *words[1:]):
        raise BadEntrant(f"{shown_path(os.path.join(base, folder or ''))}: {OWN_COMMAND} runs maxconnect4 itself")
    if own is not None and any(map(_leads_out, words)):
        raise BadEntrant(
            f"{shown_path(os.path.join(base, folder or ''))}: {OWN_COMMAND} names a file outside its folder"
        )
    environment = facts.take("environment", dict, {})
    for text in (*words, *environment.values()):
        if not isinstance(text, str):
            raise BadEntrant(f"{_shown(text)}, in its command or environment, is not a text, in quotes")
    return entrant(
        words,
        name=facts.take("name", str, None),
        depth=facts.number("depth", depth),
        folder=None if folder is None else os.path.join(base, folder),
        base=base,
        environment=environment,
        limits=_limits(facts, limits),
        game=game,
    )


def _leads_out(word: str) -> bool:
    """Whether a word names a file that is neither in the player's folder nor part of the system."""
    for part in re.split("[:=]", word):
        path = os.path.normpath(part)
        if os.pardir in path.split(os.sep) or part.startswith("~"):
            return True
        if os.path.isabs(path) and not any(contains(system, path) for system in SYSTEM):
            return True
    return False


def _own_command(folder: str | None) -> str | None:
    """The command that a folder of a player has for itself, if it has one."""
    if folder is None or not os.path.isfile(path := os.path.join(folder, OWN_COMMAND)):
        return None
    with open_regular(path, "command") as file:
        line = file.readline(LARGEST).decode("utf-8-sig", "replace").strip()
    if not line:
        raise BadEntrant(f"{shown_path(path)} has no command on its first line")
    return line


def _limits(facts: _Table, others: Limits) -> Limits:
    return Limits(
        facts.seconds("seconds", others.seconds),
        facts.seconds("cpu_seconds", others.cpu_seconds),
        facts.bytes("memory", others.memory),
        facts.number("printed", others.printed, 1_000, 1 << 40),
        facts.number("processes", others.processes, 1, 1_000_000),
        facts.bytes("disk", others.disk),
    )


def _shown(value: object) -> str:
    """A value of the file for a message; a long one is cut."""
    try:
        text = ascii(value)
    except ValueError:  # a hexadecimal number may have more digits than Python writes
        return "a number of too many digits"
    return text if len(text) <= 60 else f"{text[:57]}..."


class _Table:
    """A table of the file, whose values have to be of the right kind and whose names have to be known."""

    def __init__(self, values: dict[str, Any], keys: set[str]) -> None:
        for key in values:
            if key not in keys:
                raise BadEntrant(f"there is no setting {shown(key)} here: choose from {', '.join(sorted(keys))}")
        self.values = values

    def take(self, key: str, kind: Any, default: Any) -> Any:
        """A value, if there is one."""
        value = self.values.get(key, default)
        if key in self.values and (not isinstance(value, kind) or (isinstance(value, bool) and kind != int | bool)):
            raise BadEntrant(f"{key}: {_shown(value)} is not {KINDS[kind]}")
        if isinstance(value, int) and abs(value) >= 1 << 63:
            raise BadEntrant(f"{key}: {_shown(value)} is too large")
        return value

    def number(self, key: str, default: int, least: int = 0, most: int = 10**9) -> int:
        """A whole number within bounds."""
        value: int = self.take(key, int, default)
        if not least <= value <= most:
            raise BadEntrant(f"{key}: {_shown(value)} is not from {least:,} to {most:,}")
        return value

    def seconds(self, key: str, default: float) -> float:
        """A time that one can wait."""
        return self._amount(seconds_from, key, self.take(key, int | float, default))

    def bytes(self, key: str, default: int) -> int:
        """An amount of memory, such as "512M"."""
        amount = self._amount(bytes_from, key, str(self.take(key, int | str, default)))
        if not LEAST_MEMORY <= amount <= MOST_MEMORY:
            raise BadEntrant(f"{key}: {amount:,} bytes is no memory for a program, which is 16M to 1024G")
        return amount

    def _amount(self, read: Callable[[Any], T], key: str, value: Any) -> T:
        try:
            return read(value)
        except ValueError as error:
            raise BadEntrant(f"{key}: {error}") from None

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        """One of some words, the first if none is given."""
        value: str = self.take(key, str, choices[0])
        if value not in choices:
            raise BadEntrant(f"{key}: {shown(value)} is none of {', '.join(choices)}")
        return value
