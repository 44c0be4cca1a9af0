"""A real server of the page, `maxconnect4 play`, as a process of its own."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from terminal import PROGRAM


class PlayServer:
    """Use it with `with`. It keeps its games, and its log, in `folder`; `changed` is Python that is run before it."""

    def __init__(self, folder: Path, host: str = "127.0.0.1", changed: str = "", words: tuple[str, ...] = ()) -> None:
        self.folder = folder
        self.log = folder / "server.log"
        self.port = 0
        self.token = ""
        self.host = host
        self.changed = changed
        self.words = words

    @property
    def address(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def cookie(self) -> Any:
        """What the first visit with the token sets, as Playwright takes it."""
        return {"name": f"maxconnect4-{self.port}", "value": self.token, "url": self.address}

    def request(self, path: str, method: str = "GET", more: str = "") -> bytes:
        """A request with the token as it is sent, for tests that send it in their own way; `more` are headers."""
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
        return f"{head}Authorization: Bearer {self.token}\r\n{more}\r\n".encode()

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def start(self, seconds: float = 60) -> None:
        """Start, the second time at the same address, and wait until it answers."""
        program = [sys.executable, "-c", f"{self.changed}\nfrom maxconnect4.cli import main\nexit(main())"]
        command = [
            *(program if self.changed else [PROGRAM]),
            "play",
            "--host",
            self.host,
            "--no-browser",
            "--port",
            str(self.port),
            "--games",
            str(self.folder / "games.sqlite"),
            *self.words,
        ]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        end = time.monotonic() + seconds
        printed = re.compile(rf"http://{re.escape(self.host)}:(\d+)/(?:\?token=(\w+))? ")
        while not (found := printed.search(self.log.read_text())):
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < end, f"the server has not come up in {seconds} s"
            time.sleep(0.02)
        self.port, self.token = int(found[1]), found[2] or ""
        self.ask("/")

    def stop(self) -> None:
        """End it politely; if that does not help, at once, which is a failure."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        assert "Traceback" not in self.log.read_text(), self.log.read_text()

    def kill(self) -> None:
        """End it without a word."""
        self.process.kill()
        self.process.wait()

    def ask(self, path: str, body: object = None, method: str | None = None) -> Any:
        """What its interface answers."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        request = urllib.request.Request(f"{self.address}/api/v2{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read() or b"null")
