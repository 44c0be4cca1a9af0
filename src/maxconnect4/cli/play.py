"""Play, analyse and review in the browser: opens the page, or prints its address if there is no browser.

A server on this machine serves the page. It needs no network, and without --host only this machine can reach it. The
position is a file, a move string such as 44535, or - for standard input. Games are stored in your data folder. If a
server is already running, its page is opened. To start a second server, name another games file with --games.

The address has a token, without which the server refuses every request, so that other accounts on this machine have no
access. With --no-token, and with --host unless --token is also given, everyone who can reach the server can use it.

Examples:
  maxconnect4 play                                   the empty board
  maxconnect4 play 44535                             after these moves
  maxconnect4 play input2.txt --game classic         from a file, the first four wins
  maxconnect4 play --host 0.0.0.0 --name myhost.lan  for everyone on the network
  maxconnect4 play --host 0.0.0.0 --token            for everyone with the printed address
  maxconnect4 play --port 9000 --games other.sqlite  a second server
"""

from __future__ import annotations

import os
import re
import secrets
import sys
import threading
import webbrowser
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from html import escape
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

from ..board import Board
from ..errors import CannotSave, CannotServe, FileInUse, quote
from ..files import make_folder
from ..formatting import is_number
from ..web.api import Service
from ..web.games import GameStore
from ..web.positions import position_query
from ..web.server import Server, address_of, is_loopback, listen, running
from . import UsageError, options
from .terminal import Screen

TEXT_BROWSERS = {"www-browser", "links", "links2", "elinks", "lynx", "w3m"}  # these would take over the terminal


def open_in_browser(address: str, through: str = "") -> threading.Thread | None:
    """Open an address in a browser, if there is a screen. The thread may last as long as the browser.

    Args:
        address: The address of the page.
        through: A file that redirects to an address with a token. Every account of the machine can read the command
            line of the browser, but only your own this file.
    """
    if not _has_display():
        return None
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return None
    if os.path.basename(getattr(browser, "name", "") or "") in TEXT_BROWSERS:
        return None
    if through:
        try:
            address = _write_redirect(address, through)
        except OSError:
            return None
    opening = threading.Thread(target=browser.open, args=(address,), daemon=True)
    opening.start()
    return opening


def _write_redirect(address: str, path: str) -> str:
    with suppress(FileNotFoundError):
        os.unlink(path)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f'<!doctype html><meta http-equiv="refresh" content="0;url={escape(address)}">\n')
    return Path(path).absolute().as_uri()


def _has_display() -> bool:
    if sys.platform == "darwin":
        return "SSH_CONNECTION" not in os.environ
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


LAST_PORT = 65535
OPENING_SECONDS = 5.0  # that a browser has to start


def add_arguments(parser: ArgumentParser) -> None:
    options.add_position(parser)
    options.add_game(parser)
    options.add_number(parser, "--port", _port, "port to listen on (default: 8044, or a free one if that is taken)")
    parser.add_argument(
        "--host", metavar="ADDRESS", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)"
    )
    parser.add_argument("--name", metavar="NAME", help="host name of this machine in the addresses that browsers open")
    parser.add_argument("--games", metavar="FILE", help="file of the stored games (default: in your data folder)")
    parser.add_argument("--no-browser", action="store_true", help="print the address, but do not open a browser")
    parser.add_argument("--token", action="store_true", help="require a token even with --host")
    parser.add_argument("--no-token", action="store_true", help="do not require a token, for scripts")


def check_arguments(args: Namespace) -> None:
    if args.name is not None and not all(part.isascii() and part.isalnum() for part in re.split("[-.]", args.name)):
        raise UsageError(
            f"--name: {quote(args.name)} is not the name of a machine: use one such as myhost.lan, without a port"
        )
    if args.token and args.no_token:
        raise UsageError("give --token or --no-token, not both")


def run(args: Namespace, screen: Screen) -> int:
    board = None if args.position is None else options.read_position(args.position, args.game)
    path = args.games or _games_file()
    try:
        games = GameStore(path)
    except FileInUse as error:
        with GameStore(path, read_only=True) as others:
            server = running(others)
        if server is None:
            raise CannotSave(f"{error}, which does not respond: stop it, or use another file with --games") from None
        if args.port not in (None, urlsplit(server[0]).port):
            raise CannotServe(
                f"port {args.port}: {error}, the server at {server[0]}, and only one server can use it: "
                "stop that one, or use another file with --games"
            ) from None
        page = _page(*server, args, board)
        screen.print(f"Max-Connect4 is already running at {page}")
        opening = _open(page, args, path)
        if opening is not None:
            opening.join(OPENING_SECONDS)
        return 0
    with games, suppress(KeyboardInterrupt):
        _serve(games, args, board, path, screen)
    return 0


def _serve(games: GameStore, args: Namespace, board: Board | None, path: str, screen: Screen) -> None:
    listening = listen(args.host, args.port)
    shared = not is_loopback(listening)
    # A new token each time: the next server on this port receives the cookies of pages that are still open.
    token = secrets.token_hex(16) if args.token or not (shared or args.no_token) else ""
    games.put_metadata({"address": address_of(listening, on_this_machine=True), "token": token})
    service = Service(games, shared=shared, address=address_of(listening) if shared else None)
    server = Server(service, listening, [args.name] if args.name else [], token)
    try:
        with server.stopped_by_ctrl_c():
            page = _page(address_of(listening), token, args, board)
            screen.print(f"Max-Connect4 is at {page} - press Ctrl-C to stop.")
            if shared:
                screen.print(f"Everyone who can reach this machine{' and has the token' * bool(token)} can use it.")
            _open(page, args, path)
            server.serve_until_stopped()
    finally:
        with suppress(FileNotFoundError):
            os.unlink(_redirect_file(path))


def _page(address: str, token: str, args: Namespace, board: Board | None) -> str:
    named = position_query(args.game, board)
    if token:
        named += f"{'&' if named else '?'}token={token}"
    return address + named


def _open(page: str, args: Namespace, path: str) -> Thread | None:
    return None if args.no_browser else open_in_browser(page, _redirect_file(path) if "token=" in page else "")


def _redirect_file(games: str) -> str:
    return f"{games}-open.html"


def _port(text: str) -> int:
    """A port, whose largest number is printed without a comma."""
    if is_number(text) and int(text) <= LAST_PORT:
        return int(text)
    raise ValueError(f"{quote(text)} is not a port from 0 to {LAST_PORT}")


def _games_file() -> str:
    from platformdirs import user_data_dir

    try:
        folder = user_data_dir("maxconnect4", appauthor=False)
    except RuntimeError:
        folder = ""
    if not os.path.isabs(folder):  # without a home, some versions of platformdirs raise, others return ~
        raise CannotSave("there is no home folder for the games: choose a file with --games")
    make_folder(folder, 0o700)
    return os.path.join(folder, "games.sqlite")
