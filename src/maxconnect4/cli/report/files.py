"""Where the report of a program goes: a page, a text, the pictures beside it, and what was measured."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass

from ...measuring.contenders import contenders_from
from ...referee.limits import Limits
from ...writing.file_names import file_names
from .subjects import MEASURED, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..parsing import Arguments

PICTURES = ("cpu", "regret_by_cpu", "regret_by_depth")


@dataclass(frozen=True, slots=True)
class Files:
    """The paths; None for what is not asked for, - for standard output."""

    html: str | None
    markdown: str | None
    pictures: dict[str, str]  # beside the text, by their names
    measured: str  # what was measured, or is going to be

    @property
    def written(self) -> list[str]:
        """All but what goes to standard output, and what was measured."""
        return [path for path in (self.html, self.markdown, *self.pictures.values()) if path not in (None, "-")]


def files_of(args: Arguments) -> Files:
    """What the command line asks for. Without --html and --markdown that is everything."""
    base = _base(args) if args.output is None else _given_base(args)
    measured = args.results if kind_of(args.results) == MEASURED else f"{base}.sqlite"
    if args.html is None and args.markdown is None:
        return Files(f"{base}.html", f"{base}.md", _pictures(f"{base}.md"), measured)
    return Files(args.html, args.markdown, _pictures(args.markdown), measured)


def _pictures(text: str | None) -> dict[str, str]:
    if text is None or text == "-":
        return {}
    base = os.path.splitext(text)[0]
    return {name: f"{base}-{name.replace('_', '-')}.svg" for name in PICTURES}


def _given_base(args: Arguments) -> str:
    """What --output says: without the ending that somebody gave one of the files, and within a folder that there is."""
    output: str = args.output
    if os.path.isdir(output) or output.endswith(os.sep):
        return os.path.join(output, os.path.basename(_base(args)))
    base, ending = os.path.splitext(output)
    return base if ending in (".html", ".md") else output


def _base(args: Arguments) -> str:
    """The file of what was measured without its ending, or the name of the player in safe letters."""
    results: str = args.results
    if kind_of(results) == MEASURED:
        return os.path.splitext(results)[0]
    (contender,) = contenders_from([results], Limits())
    return os.path.splitext(file_names([contender.name])[contender.name])[0]


def command_to_do_it_again(args: Arguments) -> str:
    """The command line, for whoever wants to measure the same."""
    words = ["maxconnect4", "report", args.results]
    for name in ("limit", "deepest", "positions", "games", "about", "author", "output", "html", "markdown"):
        value = getattr(args, name)
        words += [] if value is None else [f"--{name}", value if isinstance(value, str) else f"{value:g}"]
    return shlex.join(words)
