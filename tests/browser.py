"""A real browser without a window, by the DevTools protocol over two pipes: no more than these tests need."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any, Self

PROGRAM = shutil.which("chromium") or shutil.which("google-chrome")
OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-quic", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe"),
)
KEYS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


class Browser:
    """One page. What goes wrong in it is in `complaints`."""

    def __init__(self, folder: Path) -> None:
        assert PROGRAM is not None
        theirs_in, self._to = os.pipe()
        self._from, theirs_out = os.pipe()
        redirected = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'  # the numbers that the browser expects
        command = [
            "bash",
            "-c",
            redirected,
            "-",
            PROGRAM,
            *OPTIONS,
            f"--user-data-dir={folder}",
            "--window-size=1280,900",
        ]
        with open(folder / "browser.log", "wb") as log:
            self._process = subprocess.Popen(command, pass_fds=(theirs_in, theirs_out), stdout=log, stderr=log)
        os.close(theirs_in)
        os.close(theirs_out)
        self._left = b""
        self._sent = 0
        self._session: dict[str, str] = {}
        self.complaints: list[str] = []

    def __enter__(self) -> Self:
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = {"sessionId": self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        for part in ("Page", "Runtime", "Log"):
            self._ask(f"{part}.enable")
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._to)
        os.close(self._from)

    def open(self, address: str) -> None:
        """Load a page, and wait until it is there."""
        self._ask("Page.navigate", url=address)
        while self._read().get("method") != "Page.loadEventFired":
            pass

    def resize(self, width: int) -> None:
        """Make the window so wide."""
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)

    def value(self, script: str) -> Any:
        """What an expression is worth in the page."""
        found = self._ask("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def wait_for(self, script: str) -> None:
        """Wait until an expression is true in the page."""
        end = time.monotonic() + 20
        while not self.value(script):
            assert time.monotonic() < end, f"in vain: {script}"
            time.sleep(0.01)

    def press(self, key: str) -> None:
        """Press a key, as a person does."""
        for kind in ("rawKeyDown", "keyUp"):
            self._ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=KEYS[key])

    def click(self, selector: str) -> None:
        """Click on an element."""
        self.value(f"document.querySelector({json.dumps(selector)}).click()")

    def _ask(self, method: str, **details: Any) -> dict[str, Any]:
        self._sent += 1
        question = {"id": self._sent, "method": method, "params": details, **self._session}
        os.write(self._to, json.dumps(question).encode() + b"\0")
        while (answer := self._read()).get("id") != self._sent:
            pass
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._left:
            more = os.read(self._from, 1 << 16)
            assert more, "the browser has ended"
            self._left += more
        line, _, self._left = self._left.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if message.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled"):
            self.complaints.append(json.dumps(message["params"]))
        return message
