"""The server's application: the page, and the interface under /api/v1."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from .positions import described, position_from

if TYPE_CHECKING:
    from starlette.requests import Request

PAGE = Path(__file__).with_name("page")


def make_app() -> Starlette:
    """The application, ready to be served."""
    return Starlette(
        routes=[
            Route("/", _page),
            Route("/api/v1/position", _position),
            Mount("/page", StaticFiles(directory=PAGE)),
        ]
    )


async def _page(_: Request) -> Response:
    return FileResponse(PAGE / "index.html")


async def _position(request: Request) -> Response:
    named = request.query_params
    board = position_from(named.get("game", "max"), named.get("start"), named.get("moves", ""))
    return JSONResponse(described(board))
