"""Opening the page in the browser, where there is one."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from contextlib import suppress
from html import escape
from pathlib import Path

TEXT_BROWSERS = {"www-browser", "links", "links2", "elinks", "lynx", "w3m"}  # these would take over the terminal


def open_in_browser(address: str, through: str = "") -> threading.Thread | None:
    """Open an address if there is a screen. The thread that does it may last as long as the browser.

    Args:
        address: The address of the page.
        through: A file to write that leads to the address, for one with a token: every account of the machine can read
            the command line of the browser, and only the own one this file.
    """
    if not _somebody_sees():
        return None
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return None
    if os.path.basename(getattr(browser, "name", "") or "") in TEXT_BROWSERS:
        return None
    if through:
        try:
            address = _leading_to(address, through)
        except OSError:
            return None
    opening = threading.Thread(target=_open, args=(browser, address), daemon=True)
    opening.start()
    return opening


def _leading_to(address: str, path: str) -> str:
    with suppress(FileNotFoundError):
        os.unlink(path)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f'<!doctype html><meta http-equiv="refresh" content="0;url={escape(address)}">\n')
    return Path(path).absolute().as_uri()


def _open(browser: webbrowser.BaseBrowser, address: str) -> None:
    browser.open(address)


def _somebody_sees() -> bool:
    """Whether there is a screen, and not only a terminal from afar."""
    if sys.platform == "darwin":
        return "SSH_CONNECTION" not in os.environ
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
