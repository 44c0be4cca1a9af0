"""Who takes part: a player of our own, such as depth:6, a command line with places for the files, or kaggle:FILE."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass, field, replace

from ..amounts import is_number, seconds_from
from ..errors import BadEntrant, did_you_mean, shown, shown_path
from ..levels import LEVELS
from ..search import DEFAULT_EVALUATION, EVALUATIONS
from .limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

BUILT_IN = re.compile(r"(perfect|level|depth|time|random|human)(?:[:,].*)?")
ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
#: What each built-in player takes.
SETTINGS: dict[str, set[str]] = {
    "perfect": set(),
    "level": {"level", "seed"},
    "depth": {"depth", "eval"},
    "time": {"time", "eval"},
    "random": {"seed"},
    "human": set(),
}
PLACES = ("{in}", "{out}", "{depth}", "{player}", "{game}")
OF_A_MOVE = PLACES[:4]  # a command that has none of these is one that speaks as the assignment says
ONE_MOVE = ("one-move", "{in}", "{out}", "{depth}")  # the words of the assignment
SCRIPT = re.compile(r"[^-].*\.(py|jar|sh|js|rb|pl|lua|php)")
INTERPRETERS = re.compile(r"(python|java|node|ruby|perl|mono|dotnet|sh|bash|env|timeout|nice)[0-9.]*")
SAYS_NOTHING = ("main", "run", "maxconnect4", "connect4")  # names that many programs have
DEPTH = 6
KAGGLE = "kaggle:"  # before the name of an agent file for ConnectX
KAGGLE_RUNNER = os.path.join(os.path.dirname(__file__), "programs", "kaggle_file.py")


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A player of our own, by its settings."""

    kind: str  # perfect, level, depth, time, random or human
    depth: int = 0
    seconds: float = 0.0
    evaluation: str = "best"
    seed: int | None = None  # of what is left to chance; None for that of the tournament
    level: int = 0


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who takes part. Either `built_in` or `command` is there."""

    name: str
    built_in: BuiltIn | None = None
    command: tuple[str, ...] = ()
    depth: int = DEPTH  # what {depth} stands for
    folder: str = ""  # where the files of the command are
    whole_folder: bool = (
        False  # whether the program finds all files of the folder, or only those that the command names
    )
    environment: tuple[tuple[str, str], ...] = ()
    limits: Limits = field(default_factory=Limits)

    @property
    def command_line(self) -> str:
        """The command as a person would write it, with its depth."""
        words = (word.replace("{depth}", str(self.depth)) for word in self.command)
        return " ".join(word if word in PLACES else shlex.quote(word) for word in words)

    @property
    def is_human(self) -> bool:
        """Whether a person has to be asked."""
        return self.built_in is not None and self.built_in.kind == "human"


def entrant_from(text: str, depth: int = DEPTH, limits: Limits | None = None, game: str = "max") -> Entrant:
    """Somebody, by a line such as `depth:6`, `name=weak random:seed=7` or `name=ada folder=ada python3 main.py`.

    Words such as name=ada before the command are settings: name, depth and folder; any other is a variable of the
    environment. A command without any place for a file gets the words of the assignment at its end.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadEntrant(f"{shown(text)} is no command: {str(error).lower()}") from None
    settings: dict[str, str] = {}
    environment: dict[str, str] = {}
    while words and (match := ASSIGNMENT.fullmatch(words[0])):
        (settings if match[1] in ("name", "depth", "folder") else environment)[match[1]] = match[2]
        del words[0]
    if "depth" in settings:
        depth = _depth(settings["depth"], text)
    return entrant(
        words,
        name=settings.get("name"),
        depth=depth,
        folder=settings.get("folder"),
        environment=environment,
        limits=limits or Limits(),
        game=game,
    )


def entrant(
    words: list[str],
    *,
    name: str | None = None,
    depth: int = DEPTH,
    folder: str | None = None,
    base: str = "",
    environment: dict[str, str] | None = None,
    limits: Limits | None = None,
    game: str = "max",
) -> Entrant:
    """Somebody who plays a game, by the words of a command or the one word of a built-in player, and the settings.

    Files that the command names are looked for in `folder`, all of which the program gets to see, or else in `base`.
    """
    if not words or not words[0]:
        raise BadEntrant("a player is a built-in, such as depth:6, or a command: there is none")
    if len(words) == 1 and BUILT_IN.fullmatch(words[0]):
        if folder is not None or environment:
            raise BadEntrant(f"{words[0]} is built in: it has no folder and no environment")
        return Entrant(_checked_name(name or words[0]), built_in_from(words[0], game))
    if folder is not None and not os.path.isdir(folder):
        raise BadEntrant(f"{shown(folder)} is no folder")
    for name_of_variable in environment or ():
        if not name_of_variable or "=" in name_of_variable or "\0" in name_of_variable:
            raise BadEntrant(f"{shown(name_of_variable)} is not the name of a variable of the environment")
    if "\0" in "".join((*words, *(environment or {}).values())):
        raise BadEntrant("a command and its environment have no NUL in them")
    is_agent = words[0].startswith(KAGGLE)
    command = _kaggle(words, folder or base, limits or Limits()) if is_agent else _with_places(words)
    for place in ("{in}", "{out}"):
        if not any(place in word for word in command):
            raise BadEntrant(f"{shown(shlex.join(words))} has no {place}, where the name of a file goes")
    name = _checked_name(name or _name_from([words[0].removeprefix(KAGGLE), *words[1:]], folder))
    made = Entrant(
        name,
        command=command,
        depth=depth,
        folder=os.path.abspath(folder or base),
        whole_folder=folder is not None,
        environment=tuple((environment or {}).items()),
        limits=limits or Limits(),
    )
    return _with_program(made)


def _with_places(words: list[str]) -> tuple[str, ...]:
    """A command that says where the files go: the words of the assignment, unless it does so by itself."""
    if any(place in word for word in words for place in OF_A_MOVE):
        return tuple(words)
    return (*words, *(ONE_MOVE[1:] if ONE_MOVE[0] in words else ONE_MOVE))


def _with_program(made: Entrant) -> Entrant:
    """The same, if the program that the command starts is there. One of the folder comes before others of its name."""
    word = made.command[0]
    if made.whole_folder and os.sep not in word and os.path.isfile(os.path.join(made.folder, word)):
        word = os.path.join(os.curdir, word)
    path = os.path.join(made.folder, word)
    if os.sep not in word:
        if shutil.which(word, path=dict(made.environment).get("PATH")) is None:
            raise BadEntrant(f"{made.name}: there is no program {shown(word)}{_meant(word, path)}")
    elif not os.path.isfile(path):
        raise BadEntrant(f"{made.name}: there is no program {shown(word)}")
    elif not os.access(path, os.X_OK):
        raise BadEntrant(f"{made.name}: {shown(word)} is not executable: 'chmod +x' makes it so")
    script = next((each for each in made.command[1:] if not each.startswith("-")), "")
    if SCRIPT.fullmatch(script) and not os.path.exists(os.path.join(made.folder, script)):
        raise BadEntrant(f"{made.name}: there is no file {shown(script)} in {shown_path(made.folder)}")
    return replace(made, command=(word, *made.command[1:]))


def _meant(word: str, path: str) -> str:
    """What somebody may have meant by a word that is no program."""
    if SCRIPT.fullmatch(word) or os.path.isfile(path):
        return ": what starts it stands before it, all in quotes, as in 'python3 mine.py'"
    advice = did_you_mean(word.partition(":")[0], SETTINGS)
    return f": {advice}" if advice else ""


def built_in_from(text: str, game: str = "max") -> BuiltIn:
    """The settings of a player of our own, from a text such as depth:8,eval=lines; the evaluation suits the game."""
    kind, _, rest = text.partition(":")
    given: dict[str, str] = {}
    for part in rest.split(",") if rest else []:
        key, equals, value = part.partition("=")
        given[key if equals else kind] = value if equals else key
    if kind not in SETTINGS:
        raise BadEntrant(f"{shown(text)} is no built-in player: {EXAMPLES}")
    for key in given:
        if key not in SETTINGS[kind]:
            raise BadEntrant(f"{shown(text)}: {kind} takes no {shown(key)}: {EXAMPLES}")
    evaluation = given.get("eval", DEFAULT_EVALUATION[game])
    if evaluation not in EVALUATIONS:
        raise BadEntrant(f"{shown(text)}: {shown(evaluation)} is not an evaluation: choose {', '.join(EVALUATIONS)}")
    if kind == "depth":
        return BuiltIn(kind, depth=_depth(given.get("depth", ""), text), evaluation=evaluation)
    if kind == "time":
        return BuiltIn(kind, seconds=_seconds(given.get("time", ""), text), evaluation=evaluation)
    seed = _number(given["seed"], text, "seed") if "seed" in given else None
    return BuiltIn(kind, seed=seed, level=_level(given.get("level", ""), text) if kind == "level" else 0)


EXAMPLES = "such are perfect, level:4, depth:6, depth:8,eval=lines, time:0.5, random, random:seed=7 and human"


def _kaggle(words: list[str], folder: str, limits: Limits) -> tuple[str, ...]:
    """The command that makes a move with an agent file."""
    path = words[0].removeprefix(KAGGLE)
    if len(words) > 1:
        raise BadEntrant(f"{shown(words[0])} is an agent file, after which there is nothing: not {shown(words[1])}")
    if not os.path.isfile(os.path.join(folder, path)):
        raise BadEntrant(f"{shown(words[0])}: there is no file {shown(path)}")
    return sys.executable, "-P", "-B", KAGGLE_RUNNER, path, "{in}", "{out}", f"{limits.seconds:g}"


def with_names_apart(entrants: Iterable[Entrant]) -> list[Entrant]:
    """The same players; those that have the name of one before them are numbered."""
    taken: set[str] = set()
    apart = []
    for each in entrants:
        name, number = each.name, 1
        while name in taken:
            number += 1
            name = f"{each.name} {number}"
        taken.add(name)
        apart.append(replace(each, name=name))
    return apart


def _checked_name(name: str) -> str:
    if not name.strip() or not name.isprintable() or len(name) > 60:
        raise BadEntrant(f"{shown(name)} is no name: it has to be one line of at most 60 letters")
    return name.strip()


def _name_from(words: list[str], folder: str | None) -> str:
    if folder is not None:
        return os.path.basename(os.path.abspath(folder)) or folder
    for word in words:
        base = os.path.basename(word.rstrip(os.sep))
        if not word.startswith("-") and "{" not in word and not INTERPRETERS.fullmatch(base):
            stem, parent = os.path.splitext(base)[0] or base, os.path.basename(os.path.dirname(word))
            return (parent if stem.lower() in SAYS_NOTHING and parent.strip(".") else stem)[:60]
    return os.path.basename(words[0])[:60]


def _number(text: str, whole: str, what: str) -> int:
    if is_number(text):
        return int(text)
    raise BadEntrant(f"{shown(whole)}: {shown(text)} is not a {what}, which is a number from 0 up")


def _depth(text: str, whole: str) -> int:
    return _number(text, whole, "depth")


def _level(text: str, whole: str) -> int:
    number, last = _number(text, whole, "level"), len(LEVELS["max"])
    if 1 <= number <= last:
        return number
    raise BadEntrant(f"{shown(whole)}: there is no level {shown(text)}: they are 1 to {last}")


def _seconds(text: str, whole: str) -> float:
    try:
        return seconds_from(text)
    except ValueError as error:
        raise BadEntrant(f"{shown(whole)}: {error}") from None
