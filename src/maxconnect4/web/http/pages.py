"""The files of a page. They are read once, when the server starts: nothing else can be asked for."""

from __future__ import annotations

import gzip
import hashlib

from starlette.responses import Response

from .refusals import NOT_FOUND, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


class PageFile:
    """A file, ready to be sent."""

    def __init__(self, path: Path) -> None:
        self._body = path.read_bytes()
        self._zipped = gzip.compress(self._body, mtime=0)
        self._headers = {
            "Content-Type": KINDS[path.suffix],
            "Cache-Control": "no-cache",  # keep it, but ask whether it is still the same
            "ETag": f'W/"{hashlib.sha256(self._body).hexdigest()[:32]}"',
            "Vary": "Accept-Encoding",
        }

    def answer(self, request: Request) -> Response:
        """The file, or that the browser has it already."""
        if self._headers["ETag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=self._headers)
        if "gzip" in request.headers.get("accept-encoding", "") and len(self._zipped) < len(self._body):
            return Response(self._zipped, headers={**self._headers, "Content-Encoding": "gzip"})
        return Response(self._body, headers=self._headers)


class Pages:
    """All files of the page, by their paths."""

    def __init__(self, folder: Path) -> None:
        self._files = {
            path.relative_to(folder).as_posix(): PageFile(path) for path in folder.rglob("*") if path.suffix in KINDS
        }

    async def index(self, request: Request) -> Response:
        """The page itself."""
        return self._file("index.html", request)

    async def file(self, request: Request) -> Response:
        """What it is made of."""
        return self._file(request.path_params["path"], request)

    def _file(self, path: str, request: Request) -> Response:
        if path not in self._files:
            raise Refused(NOT_FOUND, "there is nothing here")
        return self._files[path].answer(request)
