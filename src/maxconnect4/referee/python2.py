"""Python 2 programs: recognised in their sources, and run with python2 instead of python3 if it is installed."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import warnings
from dataclasses import dataclass
from functools import cache

from .players import PlayerSpec

NAMES = ("python2", "python2.7")
PYTHON3 = re.compile(r"python(3(\.\d+)?)?")
LARGEST = 2 << 20  # bytes of a source file
#: Statements and expressions that Python 3 does not compile.
OLD_SYNTAX = (
    (re.compile(rb"^[ \t]*print\b(?![ \t]*[(=.,\[])", re.MULTILINE), "print without parentheses"),
    (re.compile(rb"^[ \t]*print[ \t]*\([^\n]*\)[ \t]*[,%]", re.MULTILINE), "a print statement"),
    (re.compile(rb"^[ \t]*except\b[^\n:]*,[^\n:]*:", re.MULTILINE), "except with a comma"),
    (re.compile(rb"^[ \t]*raise[ \t]+\w+[ \t]*,", re.MULTILINE), "raise with a comma"),
    (re.compile(rb"^[ \t]*exec[ \t]+[\"'\w]", re.MULTILINE), "exec without parentheses"),
    (re.compile(rb"<>"), "the operator <>"),
)
OLD_NAMES = frozenset({"raw_input", "xrange", "unichr", "basestring"})  # built in, and removed in Python 3


@dataclass(frozen=True, slots=True)
class Python2Source:
    """A source file of a program that is for Python 2, and the first line that shows it."""

    file: str
    line: int
    reason: str
    interpreter: str | None  # the name of an installed one, which runs the program

    def __str__(self) -> str:
        ran = f"it was run with {self.interpreter}" if self.interpreter else "python2 is not installed"
        return f"{self.file} is for Python 2 (line {self.line}: {self.reason}), and {ran}"


def python2_source(player: PlayerSpec) -> Python2Source | None:
    """Find a file for Python 2 in a player's program: the script that python3 runs, or a module that it imports."""
    if not player.command or not PYTHON3.fullmatch(os.path.basename(player.command[0])):
        return None
    script = next((word for word in player.command[1:] if not word.startswith("-")), "")
    if not script.endswith(".py"):
        return None
    to_read, seen = [os.path.join(player.folder, script)], set[str]()
    while to_read:
        path = to_read.pop()
        if path in seen or not os.path.isfile(path):
            continue
        seen.add(path)
        with open(path, "rb") as file:
            text = file.read(LARGEST)
        found = _python2_line(text)
        if found is not None:
            return Python2Source(os.path.basename(path), *found, _interpreter(dict(player.environment).get("PATH")))
        modules = re.findall(rb"^[ \t]*(?:import|from)[ \t]+(\w+)", text, re.MULTILINE)
        to_read += [os.path.join(os.path.dirname(path), f"{name.decode()}.py") for name in modules]
    return None


def _python2_line(text: bytes) -> tuple[int, str] | None:
    """The line and the reason why a text is Python 2 and not Python 3."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except TabError as error:
        return error.lineno or 1, "tabs mixed with blanks"
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        places = [(match.start(), reason) for pattern, reason in OLD_SYNTAX if (match := pattern.search(text))]
        return (text.count(b"\n", 0, min(places)[0]) + 1, min(places)[1]) if places else None
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in OLD_NAMES]
    defined = {node.id for node in uses if isinstance(node.ctx, ast.Store)}
    catches = any(isinstance(node, ast.Name) and node.id == "NameError" for node in ast.walk(tree))
    old = [node for node in uses if node.id not in defined]
    return (old[0].lineno, f"{old[0].id} is not in Python 3") if old and not catches else None


@cache
def _interpreter(search_path: str | None) -> str | None:
    """The name of an interpreter that starts: a version manager may have a script for one that is not installed."""
    for name in NAMES:
        path = shutil.which(name, path=search_path)
        if (
            path is not None
            and subprocess.run([path, "-c", ""], capture_output=True, stdin=subprocess.DEVNULL).returncode == 0
        ):
            return name
    return None
