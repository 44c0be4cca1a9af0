"""Players of a match or a tournament: built-in ones such as depth:6, commands with placeholders, and kaggle:FILE."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ..errors import BadSetup, did_you_mean, quote, quote_path
from ..formatting import is_number, parse_seconds
from ..levels import LEVELS
from ..search import DEFAULT_EVALUATION, EVALUATIONS
from .limits import ResourceLimits

BUILT_IN = re.compile(r"(perfect|level|depth|time|random|human)(?:[:,].*)?")
ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
#: The settings of each built-in player.
SETTINGS: dict[str, set[str]] = {
    "perfect": set(),
    "level": {"level", "seed"},
    "depth": {"depth", "eval"},
    "time": {"time", "eval"},
    "random": {"seed"},
    "human": set(),
}
PLACEHOLDERS = ("{in}", "{out}", "{depth}", "{player}", "{game}")
MOVE_PLACEHOLDERS = PLACEHOLDERS[:4]  # ONE_MOVE is added to a command without any of these
ONE_MOVE = ("one-move", "{in}", "{out}", "{depth}")  # the arguments of the assignment
SCRIPT = re.compile(r"[^-].*\.(py|jar|sh|js|rb|pl|lua|php)")
INTERPRETERS = re.compile(r"(python|java|node|ruby|perl|mono|dotnet|sh|bash|env|timeout|nice)[0-9.]*")
GENERIC_NAMES = ("main", "run", "maxconnect4", "connect4")  # replaced by the name of the folder
DEPTH = 6
KAGGLE = "kaggle:"  # before the name of an agent file for ConnectX
KAGGLE_RUNNER = os.path.join(os.path.dirname(__file__), "kaggle_runner.py")


@dataclass(frozen=True, slots=True)
class BuiltInSpec:
    """The settings of a built-in player."""

    kind: str  # perfect, level, depth, time, random or human
    depth: int = 0
    seconds: float = 0.0
    evaluation: str = "best"
    seed: int | None = None  # random seed; None for the seed of the tournament
    level: int = 0


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """A player: either `built_in` or `command` is set."""

    name: str
    built_in: BuiltInSpec | None = None
    command: tuple[str, ...] = ()
    depth: int = DEPTH  # the value of {depth}
    folder: str = ""  # the folder of the command's files
    whole_folder: bool = False  # whether the program can use all files of the folder, or only those in the command
    environment: tuple[tuple[str, str], ...] = ()
    limits: ResourceLimits = field(default_factory=ResourceLimits)

    @property
    def command_line(self) -> str:
        """The command as in a shell, with the value of {depth}."""
        words = (word.replace("{depth}", str(self.depth)) for word in self.command)
        return " ".join(word if word in PLACEHOLDERS else shlex.quote(word) for word in words)

    @property
    def is_human(self) -> bool:
        """Whether a person plays."""
        return self.built_in is not None and self.built_in.kind == "human"


def parse_player(text: str, depth: int = DEPTH, limits: ResourceLimits | None = None, game: str = "max") -> PlayerSpec:
    """Parse a player, such as `depth:6`, `name=weak random:seed=7` or `name=ada folder=ada python3 main.py`.

    Words such as name=ada before the command are settings: name, depth and folder; any other is an environment
    variable. `one-move {in} {out} {depth}` is appended to a command without placeholders.

    Args:
        text: The player.
        depth: The value of `{depth}` in commands, in plies.
        limits: The limits of a command.
        game: "max" or "classic".

    Returns:
        The player, for a `Tournament`.

    Raises:
        BadSetup: If the text is not a player.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadSetup(f"{quote(text)} is not a command: {str(error).lower()}") from None
    settings: dict[str, str] = {}
    environment: dict[str, str] = {}
    while words and (match := ASSIGNMENT.fullmatch(words[0])):
        (settings if match[1] in ("name", "depth", "folder") else environment)[match[1]] = match[2]
        del words[0]
    if "depth" in settings:
        depth = _depth(settings["depth"], text)
    return player_spec(
        words,
        name=settings.get("name"),
        depth=depth,
        folder=settings.get("folder"),
        environment=environment,
        limits=limits or ResourceLimits(),
        game=game,
    )


def player_spec(
    words: list[str],
    *,
    name: str | None = None,
    depth: int = DEPTH,
    folder: str | None = None,
    base: str = "",
    environment: dict[str, str] | None = None,
    limits: ResourceLimits | None = None,
    game: str = "max",
) -> PlayerSpec:
    """Create a player from the arguments of a command, or from a built-in player as the only word, and settings.

    Files in the command are relative to `folder`, all files of which the program can use, or by default to `base`.
    """
    if not words or not words[0]:
        raise BadSetup("the player is missing: add a built-in one, such as depth:6, or a command")
    if len(words) == 1 and BUILT_IN.fullmatch(words[0]):
        if folder is not None or environment:
            raise BadSetup(f"{words[0]} is built in and takes no folder and no environment: leave them out")
        return PlayerSpec(_checked_name(name or words[0]), parse_built_in(words[0], game))
    if folder is not None and not os.path.isdir(folder):
        raise BadSetup(f"{quote(folder)} is not a folder: name the folder of the program")
    for name_of_variable in environment or ():
        if not name_of_variable or "=" in name_of_variable or "\0" in name_of_variable:
            raise BadSetup(f"{quote(name_of_variable)} is not a name of an environment variable")
    if "\0" in "".join((*words, *(environment or {}).values())):
        raise BadSetup("a command and its environment must not contain NUL")
    is_agent = words[0].startswith(KAGGLE)
    command = _kaggle(words, folder or base, limits or ResourceLimits()) if is_agent else _with_places(words)
    for place in ("{in}", "{out}"):
        if not any(place in word for word in command):
            raise BadSetup(f"{quote(shlex.join(words))} has no {place}: put it where the name of that file goes")
    name = _checked_name(name or _name_from([words[0].removeprefix(KAGGLE), *words[1:]], folder))
    spec = PlayerSpec(
        name,
        command=command,
        depth=depth,
        folder=os.path.abspath(folder or base),
        whole_folder=folder is not None,
        environment=tuple((environment or {}).items()),
        limits=limits or ResourceLimits(),
    )
    return _with_program(spec)


def _with_places(words: list[str]) -> tuple[str, ...]:
    """A command with placeholders: ONE_MOVE is added if it has none."""
    if any(place in word for word in words for place in MOVE_PLACEHOLDERS):
        return tuple(words)
    return (*words, *(ONE_MOVE[1:] if ONE_MOVE[0] in words else ONE_MOVE))


def _with_program(spec: PlayerSpec) -> PlayerSpec:
    """The player with the path of its program, in its folder or else on PATH. Raises BadSetup if it does not exist."""
    word = spec.command[0]
    if spec.whole_folder and os.sep not in word and os.path.isfile(os.path.join(spec.folder, word)):
        word = os.path.join(os.curdir, word)
    path = os.path.join(spec.folder, word)
    if os.sep not in word:
        if shutil.which(word, path=dict(spec.environment).get("PATH")) is None:
            raise BadSetup(f"{spec.name}: program {quote(word)} not found{_suggestion(word, path)}")
    elif not os.path.isfile(path):
        raise BadSetup(f"{spec.name}: program {quote(word)} not found")
    elif not os.access(path, os.X_OK):
        raise BadSetup(f"{spec.name}: {quote(word)} is not executable: run 'chmod +x' on it")
    script = next((each for each in spec.command[1:] if not each.startswith("-")), "")
    if SCRIPT.fullmatch(script) and not os.path.exists(os.path.join(spec.folder, script)):
        raise BadSetup(f"{spec.name}: file {quote(script)} not found in {quote_path(spec.folder)}")
    return replace(spec, command=(word, *spec.command[1:]))


def _suggestion(word: str, path: str) -> str:
    if SCRIPT.fullmatch(word) or os.path.isfile(path):
        return ": put the program that runs it before it, both in quotes, as in 'python3 mine.py'"
    advice = did_you_mean(word.partition(":")[0], SETTINGS)
    return f": {advice}" if advice else " on PATH: install it, or write its path"


def parse_built_in(text: str, game: str = "max") -> BuiltInSpec:
    """Parse a built-in player, such as depth:8,eval=lines. The default evaluation depends on the game."""
    kind, _, rest = text.partition(":")
    given: dict[str, str] = {}
    for part in rest.split(",") if rest else []:
        key, equals, value = part.partition("=")
        given[key if equals else kind] = value if equals else key
    if kind not in SETTINGS:
        raise BadSetup(f"{quote(text)} is not a built-in player: {EXAMPLES}")
    for key in given:
        if key not in SETTINGS[kind]:
            what = "value" if key == kind else f"setting {quote(key)}"
            raise BadSetup(f"{quote(text)}: {kind} takes no {what}: {EXAMPLES}")
    evaluation = given.get("eval", DEFAULT_EVALUATION[game])
    if evaluation not in EVALUATIONS:
        raise BadSetup(f"{quote(text)}: {quote(evaluation)} is not an evaluation: choose {', '.join(EVALUATIONS)}")
    if kind == "depth":
        return BuiltInSpec(kind, depth=_depth(given.get("depth", ""), text), evaluation=evaluation)
    if kind == "time":
        return BuiltInSpec(kind, seconds=_seconds(given.get("time", ""), text), evaluation=evaluation)
    seed = _number(given["seed"], text, "seed") if "seed" in given else None
    return BuiltInSpec(kind, seed=seed, level=_level(given.get("level", ""), text) if kind == "level" else 0)


EXAMPLES = "use one such as perfect, level:4, depth:6, depth:8,eval=lines, time:0.5, random, random:seed=7 or human"


def _kaggle(words: list[str], folder: str, limits: ResourceLimits) -> tuple[str, ...]:
    path = words[0].removeprefix(KAGGLE)
    if len(words) > 1:
        raise BadSetup(f"{quote(words[0])} is an agent file and takes no argument: leave out {quote(words[1])}")
    if not os.path.isfile(os.path.join(folder, path)):
        raise BadSetup(f"{quote(words[0])}: file {quote(path)} not found")
    return (
        sys.executable,
        "-P",
        "-B",
        KAGGLE_RUNNER,
        path,
        "{in}",
        "{out}",
        f"{min(limits.seconds, limits.cpu_seconds):g}",
    )


def unique_names(players: Iterable[PlayerSpec]) -> list[PlayerSpec]:
    """The players with unique names: a repeated name gets a number, such as "ada 2"."""
    taken: set[str] = set()
    renamed = []
    for each in players:
        name, number = each.name, 1
        while name in taken:
            number += 1
            name = f"{each.name} {number}"
        taken.add(name)
        renamed.append(replace(each, name=name))
    return renamed


def _checked_name(name: str) -> str:
    if not name.strip() or not name.isprintable() or len(name) > 60:
        raise BadSetup(f"{quote(name)} is not a name: use one line of at most 60 characters")
    return name.strip()


def _name_from(words: list[str], folder: str | None) -> str:
    if folder is not None:
        return os.path.basename(os.path.abspath(folder)) or folder
    for word in words:
        base = os.path.basename(word.rstrip(os.sep))
        if not word.startswith("-") and "{" not in word and not INTERPRETERS.fullmatch(base):
            stem, parent = os.path.splitext(base)[0] or base, os.path.basename(os.path.dirname(word))
            return (parent if stem.lower() in GENERIC_NAMES and parent.strip(".") else stem)[:60]
    return os.path.basename(words[0])[:60]


def _number(text: str, whole: str, what: str) -> int:
    if is_number(text):
        return int(text)
    raise BadSetup(f"{quote(whole)}: {quote(text)} is not a {what}: use a number from 0")


def _depth(text: str, whole: str) -> int:
    return _number(text, whole, "depth")


def _level(text: str, whole: str) -> int:
    number, last = _number(text, whole, "level"), len(LEVELS["max"])
    if 1 <= number <= last:
        return number
    raise BadSetup(f"{quote(whole)}: there is no level {quote(text)}: choose 1 to {last}")


def _seconds(text: str, whole: str) -> float:
    try:
        return parse_seconds(text)
    except ValueError as error:
        raise BadSetup(f"{quote(whole)}: {error}") from None
