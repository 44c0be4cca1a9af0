"""The files that a command line asks for: whether they can be, and writing them."""

from __future__ import annotations

import os
import sys

from ..errors import shown, shown_path
from ..saving import save_whole
from .terminal.screen import Screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterable

    from .parsing import Arguments, PlainParser

STANDARD_OUTPUT = "-"
PICTURES = (".png", ".svg")


def add_plot(parser: ArgumentParser | PlainParser, what: str, name: str = "--plot") -> None:
    """Where a picture goes."""
    parser.add_argument(name, metavar="FILE", help=f"draw {what} into a file that ends in .png or .svg")


def plot_contradiction(args: Arguments, name: str = "--plot") -> str | None:
    """What is wrong with the name of the picture, if anything is."""
    path: str | None = getattr(args, name.strip("-").replace("-", "_"))
    if path is not None and not path.lower().endswith(PICTURES):
        return f"{name}: {shown(path)} has to end in {' or '.join(PICTURES)}"
    return None


def kind_of_picture(path: str) -> str:
    """Which kind its name says it is: "png" or "svg"."""
    return path[-3:].lower()


def clash(written: Iterable[str | None], read: Iterable[str | None] = ()) -> str | None:
    """What is wrong if a file that is written is also another one of these."""
    names = [path for path in written if path is not None]
    places = [os.path.realpath(path) for path in (*names, *read) if path is not None]
    twice = next((path for path in names if places.count(os.path.realpath(path)) > 1), None)
    return None if twice is None else f"{shown_path(twice)} cannot be two things at once"


class Output:
    """Writes texts and pictures into files; one may go to standard output, and then nothing else does."""

    def __init__(self, screen: Screen, paths: Iterable[str | None]) -> None:
        self.screen = screen
        #: What is said beside.
        self.talk = Screen(sys.stderr) if STANDARD_OUTPUT in paths else screen

    def put(self, path: str, content: str | bytes) -> None:
        """Write a text or a picture where it is to go."""
        if path == STANDARD_OUTPUT:
            self.screen.say(content if isinstance(content, str) else content.decode(), end="")
            return
        save_whole(path, content.encode() if isinstance(content, str) else content)
        self.talk.say(f"{shown_path(path)} is {'written' if isinstance(content, str) else 'drawn'}.")
