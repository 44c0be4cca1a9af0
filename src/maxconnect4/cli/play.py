"""Play, analyse and review in the browser.

Examples:
  maxconnect4 play                    open the page
"""

from __future__ import annotations

import os
from contextlib import suppress

from ..errors import CannotSave, reason, shown_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from .parsing import Arguments, PlainParser
    from .screen import Screen


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--port", type=int, default=8044)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--games")
    parser.add_argument("--no-browser", action="store_true")


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    return None


def run(args: Arguments, screen: Screen) -> int:
    """Serve until Ctrl-C."""
    from ..web.games import Games
    from ..web.service import Service
    from ..web.serving import Server, listen

    with Games(args.games or _games_file()) as games:
        listening = listen(args.host, args.port)
        host, port = listening.getsockname()[:2]
        screen.say(f"Max-Connect4 is at http://{host}:{port}/ - press Ctrl-C to stop.")
        server = Server(Service(games))
        with suppress(KeyboardInterrupt):
            server.run([listening])
    return 0


def _games_file() -> str:
    from platformdirs import user_data_dir

    folder = user_data_dir("maxconnect4")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise CannotSave(f"{shown_path(folder)} cannot be made: {reason(error)}") from None
    return os.path.join(folder, "games.sqlite")
