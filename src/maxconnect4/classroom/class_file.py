"""The folder of a class and its file class.toml: the settings of the check and the tournament, and the students."""

from __future__ import annotations

import json
import os
import re
import shlex
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from ..board import GAMES
from ..errors import BadFile, BadSetup, NoSuchFile, error_reason, quote, quote_path
from ..files import read_text, write_atomic
from ..formatting import parse_bytes
from ..referee.limits import limits_of_move
from ..referee.players import PlayerSpec, player_spec
from ..safe_text import one_line

CLASS_FILE, RUBRIC_FILE, RESULTS_FILE = "class.toml", "rubric.toml", "class.sqlite"
TOURNAMENT_FILE = "tournament.toml"
STUDENTS, SOURCE, PROGRAM, LOG = "students", "source", "program", "log.txt"  # in the folder of a class and of a student
LARGEST = 2_000_000  # bytes of a file

T = TypeVar("T")
Count = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
Plies = Annotated[int, msgspec.Meta(ge=0, le=42)]
Positive = Annotated[float, msgspec.Meta(gt=0, le=1e6)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class CheckSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The [check] table: the same check for every student."""

    game: str = GAMES[0]
    depth: Plies = 4  # value of {depth} in the commands
    deepest: Plies = 6  # of the CPU time measurement
    positions: Count = 40
    games: Count = 10  # against a player that moves at random
    seconds: Positive = 30.0  # CPU time of each move
    memory: str = "2G"


class Student(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A [[student]] table."""

    id: Name
    name: str = ""
    folder: Name
    language: str = ""
    build: str = ""  # commands for the shell
    command: str = ""  # "" if there is no program
    environment: dict[str, str] = {}
    days_late: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 0
    include: bool = True


class ClassSettings(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The content of class.toml."""

    title: str = "Max-Connect4"
    check: CheckSettings = msgspec.field(default_factory=CheckSettings)
    tournament: dict[str, Any] = {}  # settings of the tournament file
    student: list[Student] = []


class ClassFolder:
    """The folder of a class: class.toml, the rubric, the results, and a folder for each student.

    Raises:
        BadFile: class.toml is missing or not valid.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        path = self.path(CLASS_FILE)
        try:
            self.text = read_text(path, "class file", LARGEST)
        except NoSuchFile:
            raise NoSuchFile(
                f"{quote_path(path)}: there is no such class: 'maxconnect4 class intake' makes it"
            ) from None
        self.settings = parse_toml(self.text, path, ClassSettings)
        name = quote_path(path)
        if self.settings.check.game not in GAMES:
            raise BadFile(f"{name}: game: {quote(self.settings.check.game)} is not valid: choose {' or '.join(GAMES)}")
        seen: set[str] = set()
        for each in self.settings.student:
            if each.id in seen:
                raise BadFile(f"{name}: two students have the ID {quote(each.id)}")
            seen.add(each.id)
            if os.path.isabs(each.folder) or os.pardir in Path(each.folder).parts:
                raise BadFile(f"{name}: {quote(each.folder)} leads out of the folder of the class")

    def path(self, *parts: str) -> str:
        """A path in the folder of the class."""
        return os.path.join(self.folder, *parts)

    @property
    def students(self) -> list[Student]:
        """The students to check and grade."""
        return [each for each in self.settings.student if each.include]

    def chosen(self, words: list[str]) -> list[Student]:
        """The students with these IDs or names, or all."""
        known = {key: each for each in self.students for key in (os.path.basename(each.folder), each.name, each.id)}
        for word in words:
            if word not in known:
                raise BadSetup(f"{quote(word)} is not a student of {quote_path(self.path(CLASS_FILE))}")
        wanted = {known[word].id for word in words}
        return [each for each in self.students if not wanted or each.id in wanted]


def parse_toml(text: str, path: str, kind: type[T]) -> T:
    """Parse and validate a file of settings. Raises BadFile with the key."""
    name = quote_path(path)
    try:
        return msgspec.convert(tomllib.loads(text), kind)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at ")
        where = re.sub(r"\[(\d+)\]", lambda match: f" {int(match[1]) + 1}", place.strip("`").removeprefix("$."))
        raise BadFile(f"{name}: {f'{where}: ' if where else ''}{message[:1].lower()}{message[1:]}") from None
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{name} is not valid TOML: {error_reason(error)}") from None


def player_of(student: Student, folder: str, check: CheckSettings, isolation: str) -> PlayerSpec:
    """The program of a student as a player. Raises BadSetup if it cannot be run."""
    if not student.command:
        raise BadSetup("there is no program that can be run: see the log of the build")
    try:
        words = shlex.split(student.command)
        memory = parse_bytes(check.memory)
    except ValueError as error:
        raise BadSetup(f"{quote(student.command)}: {error_reason(error)}") from None
    return player_spec(
        words,
        name=(student.name or student.id)[:60],
        depth=check.depth,
        folder=os.path.join(folder, student.folder, PROGRAM),
        environment=student.environment,
        limits=limits_of_move(check.seconds, memory, isolation),
        game=check.game,
    )


# Writing

HEAD = """\
# The class: settings, and a table for each student. Edit this file freely: 'maxconnect4 class intake' only replaces
# the tables of students with a new submission, and keeps your changes of their settings.

title = "Max-Connect4"

[check]              # of every student; 'maxconnect4 class check' repeats the checks after a change
game = "max"         # or classic
depth = 4            # value of {depth} in the commands, in plies
deepest = 6          # largest depth of the CPU time measurement
positions = 40       # positions for the regret of the moves
games = 10           # games against a player that moves at random
seconds = 30         # limit on the CPU time of a move
memory = "2G"        # memory limit of a program

[tournament]         # settings of the tournament file
format = "round-robin"
openings = "random:plies=4,count=1,seed=1"
depth = 4
"""
BLOCK_START = re.compile(r"^\[\[student\]\]", re.MULTILINE)


def head_of(text: str) -> str:
    """The text of a class file before the first student: the settings."""
    start = re.search(r"(?:^#.*\n)*^\[\[student\]\]", text, re.MULTILINE)
    return f"{text[: start.start()].rstrip() if start else text.rstrip()}\n"


def student_table(student: Student, problems: list[str]) -> str:
    """The [[student]] table, with the problems as comments."""
    lines = [f"# {one_line(problem, 300)}" for problem in problems]
    lines.append("[[student]]")
    for name in ("id", "name", "folder", "language", "build", "command"):
        lines.append(f"{name} = {toml_string(getattr(student, name))}")
    if student.environment:
        lines.append(f"environment = {_toml_value(student.environment)}")
    if student.days_late:
        lines.append(f"days_late = {student.days_late:g}")
    if not student.include:
        lines.append("include = false")
    return "\n".join(lines) + "\n"


def toml_string(text: str) -> str:
    """A string of TOML on one line."""
    text = text.encode("utf-8", "replace").decode().replace("\x7f", "?")
    return json.dumps(text, ensure_ascii=False)


def with_tables(text: str, tables: dict[str, str]) -> str:
    """The text of a class file, in which tables of students by ID replace older ones or are added at the end."""
    starts = [match.start() for match in BLOCK_START.finditer(text)]
    parts = [text[: starts[0]] if starts else text]
    parts += [text[start:end] for start, end in pairwise([*starts, len(text)])]
    for number in range(len(parts) - 1):  # the comments directly before a table belong to it
        if comments := re.search(r"(?:^#.*\n)+\Z", parts[number], re.MULTILINE):
            parts[number + 1] = comments[0] + parts[number + 1]
            parts[number] = parts[number][: comments.start()]
    left = dict(tables)
    for number, part in enumerate(parts[1:], start=1):
        key = str(tomllib.loads(part)["student"][0].get("id"))
        if key in left:
            parts[number] = left.pop(key) + "\n"
    text = "".join(parts)
    return "\n".join([f"{text.rstrip()}\n", *left.values()]) if left else text


def tournament_text(settings: ClassSettings, students: list[Student]) -> str:
    """The tournament file of students, with the settings of the class."""
    check = settings.check
    values: dict[str, Any] = {"title": settings.title, "game": check.game, **settings.tournament}
    values.setdefault("limits", {"cpu_seconds": check.seconds, "memory": check.memory})
    tables = {name: values.pop(name) for name in list(values) if isinstance(values[name], dict)}
    players = values.pop("player", [])  # of the teacher, such as built-in ones
    parts = [
        "# Written by 'maxconnect4 class tournament': edit the table [tournament] of class.toml instead.\n",
        *(f"{name} = {_toml_value(value)}\n" for name, value in values.items()),
        *(_toml_table(f"[{name}]", table) for name, table in tables.items()),
        *(_toml_table("[[player]]", player) for player in players),
    ]
    names = [each.name for each in students]
    for each in students:
        name = each.name if names.count(each.name) == 1 and each.name else f"{each.name} {each.id}".strip()
        entry = {"name": name[:60], "folder": f"{each.folder}/{PROGRAM}", "command": each.command}
        parts.append(_toml_table("[[player]]", entry | ({"environment": each.environment} if each.environment else {})))
    return "".join(parts)


def _toml_table(head: str, table: dict[str, Any]) -> str:
    return (
        "\n".join([f"\n{head}", *(f"{toml_key(name)} = {_toml_value(value)}" for name, value in table.items())]) + "\n"
    )


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{toml_key(key)} = {_toml_value(each)}' for key, each in value.items())}}}"
    return toml_string(value) if isinstance(value, str) else json.dumps(value, default=str)


def toml_key(name: str) -> str:
    """A key of TOML, in quotes where it needs them."""
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else toml_string(name)


def save_class_file(folder: str, text: str) -> None:
    """Write class.toml, after validation of its text."""
    path = os.path.join(folder, CLASS_FILE)
    parse_toml(text, path, ClassSettings)
    write_atomic(path, text.encode())
