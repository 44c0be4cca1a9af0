"""Opening the page in the browser, where there is one."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser

TEXT_BROWSERS = {"www-browser", "links", "links2", "elinks", "lynx", "w3m"}  # these would take over the terminal


def open_in_browser(address: str) -> None:
    """Open an address, without waiting for it, if somebody can see it."""
    if not _somebody_sees():
        return
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    if os.path.basename(getattr(browser, "name", "") or "") in TEXT_BROWSERS:
        return
    threading.Thread(target=_open, args=(browser, address), daemon=True).start()


def _open(browser: webbrowser.BaseBrowser, address: str) -> None:
    browser.open(address)


def _somebody_sees() -> bool:
    """Whether there is a screen, and not only a terminal from afar."""
    if sys.platform == "darwin":
        return "SSH_CONNECTION" not in os.environ
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
