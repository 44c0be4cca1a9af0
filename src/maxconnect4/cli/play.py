"""Play, analyse and review in the browser: opens the page, or prints its address where there is no browser.

The page comes from a server on this machine, which needs no network; only this machine can reach it, unless --host
says otherwise. The position is a file, a move string such as 44535, or - for standard input. The games are kept in the
user's data folder. If the server is running already, its page is opened.

The address has a token, without which the server refuses every request: other accounts of this machine get nothing.
With --no-token, and with --host unless --token is also given, everybody who can reach the server can use it.

Examples:
  maxconnect4 play                                   the empty board
  maxconnect4 play 44535                             after these moves
  maxconnect4 play input2.txt --game classic         from a file, the first four wins
  maxconnect4 play --host 0.0.0.0 --name myhost.lan  for everybody on the network
  maxconnect4 play --host 0.0.0.0 --token            for everybody with the printed address
"""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress

from ..amounts import is_number
from ..errors import CannotSave, InUse, shown
from ..saving import make_folder
from . import arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from threading import Thread

    from ..board import Board
    from ..web.games.kept import Games
    from .parsing import Arguments, PlainParser
    from .terminal.screen import Screen

LAST_PORT = 65535
OPENING_SECONDS = 5.0  # that a browser has to start


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    arguments.add_position(parser)
    arguments.add_game(parser)
    arguments.add_number(
        parser,
        "--port",
        _port,
        "the port to listen on (default: 8044, or a free one if that is taken)",
    )
    parser.add_argument(
        "--host", metavar="ADDRESS", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)"
    )
    parser.add_argument("--name", metavar="NAME", help="a name by which browsers may call this machine")
    parser.add_argument("--games", metavar="FILE", help="where the games are kept (default: in the user's data folder)")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("--token", action="store_true", help="require a token also with --host (default: only without)")
    parser.add_argument("--no-token", action="store_true", help="require no token, for scripts")


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    if args.name is not None and not all(part.isascii() and part.isalnum() for part in re.split("[-.]", args.name)):
        return f"--name takes the name of a machine alone, such as myhost.lan, not {shown(args.name)}"
    if args.token and args.no_token:
        return "--token and --no-token contradict each other"
    return None


def run(args: Arguments, screen: Screen) -> int:
    """Serve until Ctrl-C."""
    from ..web.games.kept import Games
    from ..web.serving import running

    board = None if args.position is None else arguments.read_position(args.position, args.game)
    path = args.games or _games_file()
    try:
        games = Games(path)
    except InUse as error:
        with Games(path, read_only=True) as others:
            found = running(others)
        if found is None:
            raise CannotSave(f"{error}, which does not answer") from None
        page = _page(*found, args, board)
        screen.say(f"Max-Connect4 is running already, at {page}")
        opening = _open(page, args, path)
        if opening is not None:
            opening.join(OPENING_SECONDS)
        return 0
    with games, suppress(KeyboardInterrupt):
        _serve(games, args, board, path, screen)
    return 0


def _serve(games: Games, args: Arguments, board: Board | None, path: str, screen: Screen) -> None:
    from ..web.interface.service import Service
    from ..web.serving import address_of, is_here, listen, serve

    listening = listen(args.host, args.port)
    shared = not is_here(listening)
    # A new one each time: whoever listens on the port after this server gets the cookies of pages that are still open.
    token = secrets.token_hex(16) if args.token or not (shared or args.no_token) else ""
    games.put_facts({"address": address_of(listening, from_here=True), "token": token})
    try:
        page = _page(address_of(listening), token, args, board)
        screen.say(f"Max-Connect4 is at {page} - press Ctrl-C to stop.")
        if shared:
            screen.say(f"Everybody who can reach this machine{' and has the token' * bool(token)} can use it.")
        _open(page, args, path)
        serve(Service(games, shared=shared), listening, [args.name] if args.name else [], token)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(_leading_file(path))


def _page(address: str, token: str, args: Arguments, board: Board | None) -> str:
    """The address of the page for a position."""
    from ..web.facts.positions import query

    named = query(args.game, board)
    if token:
        named += f"{'&' if named else '?'}token={token}"
    return address + named


def _open(page: str, args: Arguments, path: str) -> Thread | None:
    """Open a page in the browser, if there is one."""
    from ..web.browser import open_in_browser

    return None if args.no_browser else open_in_browser(page, _leading_file(path) if "token=" in page else "")


def _leading_file(games: str) -> str:
    """The file through which the browser is opened, beside the games."""
    return f"{games}-open.html"


def _port(text: str) -> int:
    """A port: a name rather than an amount, so it is told without a comma."""
    if is_number(text) and int(text) <= LAST_PORT:
        return int(text)
    raise arguments.refusal(f"{shown(text)} is not a port, from 0 to {LAST_PORT}")


def _games_file() -> str:
    from platformdirs import user_data_dir

    try:
        folder = user_data_dir("maxconnect4", appauthor=False)
    except RuntimeError:
        folder = ""
    if not os.path.isabs(folder):  # where there is no home, some versions of platformdirs say so, others give ~
        raise CannotSave("there is no home folder to keep the games in: say with --games where they go")
    make_folder(folder, 0o700)
    return os.path.join(folder, "games.sqlite")
