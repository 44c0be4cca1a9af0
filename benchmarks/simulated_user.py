"""The server of the page and a simulated user, for the measurements."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from measurement import PROGRAM

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def served(folder: Path) -> Iterator[tuple[int, int]]:
    """A server of its own: its process and its port."""
    command = [PROGRAM, "play", "--no-browser", "--no-token", "--port", "0", "--games", f"{folder}/games.sqlite"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.pid, int(process.stdout.readline().split("127.0.0.1:")[1].split("/")[0])
    finally:
        process.terminate()
        process.wait()


def resident(pid: int) -> float:
    """The memory of a process, in megabytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def cpu_of(pid: int) -> float:
    """The CPU time of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(memory: list[float]) -> dict[str, float]:
    """The memory of a process over some time."""
    found = {"first": memory[0], "after_a_quarter": memory[len(memory) // 4], "last": memory[-1], "most": max(memory)}
    return {when: round(taken, 1) for when, taken in found.items()}


class Person:
    """A user with a persistent connection, with little CPU time of its own."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def arrive(cls, port: int) -> Person:
        """Open a connection."""
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    def send(self, method: str, path: str, body: object = None, more: str = "") -> None:
        """Ask the server something; `more` are headers."""
        data = json.dumps(body).encode() if body is not None else b""
        kind = f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n" if data else ""
        self.writer.write(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{kind}{more}\r\n".encode() + data)

    async def answer(self) -> tuple[int, bytes]:
        """What the server answers: the status and the body."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.split("content-length:")[1].split("\r\n")[0]) if "content-length:" in head else 0
        return int(head.split()[1]), await self.reader.readexactly(length)

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """Ask the interface something, which has to do it."""
        self.send(method, f"/api/v2{path}", body)
        status, answer = await self.answer()
        if status not in (200, 201):
            raise SystemExit(f"{method} {path}: {status} {answer.decode()}")
        return json.loads(answer)

    async def events(self, path: str) -> bytes:
        """All events of a stream."""
        self.send("GET", f"/api/v2{path}", more="Connection: close\r\n")
        return await self.reader.read()

    def leave(self, *, rudely: bool = False) -> None:
        """Close the connection, or break it off."""
        if rudely:
            self.writer.transport.abort()
        else:
            self.writer.close()
