"""The server's application: the page, and the interface under /api/v1."""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .http.pages import Pages
from .http.refusals import NOT_FOUND, WENT_WRONG, Refused
from .http.security import Guard
from .interface import choices, kept_games, offers, questions, trees
from .interface.endpoints import refusal, routes
from .interface.openapi import description

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from .interface.service import Service

PAGE = Path(__file__).with_name("page")
PARTS = (offers, questions, choices, trees, kept_games)
ENDPOINTS = tuple(endpoint for part in PARTS for endpoint in part.ENDPOINTS)


def make_app(service: Service, names: Collection[str] = (), token: str = "") -> ASGIApp:
    """The application, ready to be served.

    Args:
        service: What all requests share.
        names: The names of this machine.
        token: Required of every request, unless it is empty.
    """
    pages = Pages(PAGE)
    app = Starlette(
        routes=[
            Route("/", pages.index),
            Route("/page/{path:path}", pages.file),
            *routes((*ENDPOINTS, description(ENDPOINTS)), service),
        ],
        exception_handlers={HTTPException: _not_there, Refused: _refused, Exception: _failed},
    )
    app.router.redirect_slashes = False
    return Guard(app, names, addresses=service.shared, token=token)


async def _not_there(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = "there is nothing here" if error.status_code == NOT_FOUND else error.detail
    return JSONResponse({"error": words}, error.status_code, headers=error.headers)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal(error)


async def _failed(_: Request, __: Exception) -> Response:
    return JSONResponse({"error": WENT_WRONG}, 500)
