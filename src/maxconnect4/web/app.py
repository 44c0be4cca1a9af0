"""The server's application: the page, and the interface under /api/v1."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from . import kept_games, offers, questions, trees
from .interface import refusal, routes
from .openapi import description
from .pages import Pages
from .refusals import NOT_FOUND, WENT_WRONG, Refused
from .security import Guard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from .service import Service

ENDPOINTS = (*offers.ENDPOINTS, *questions.ENDPOINTS, *trees.ENDPOINTS, *kept_games.ENDPOINTS)


def make_app(service: Service, names: Collection[str] = ()) -> ASGIApp:
    """The application, ready to be served; `names` are those that this machine is called by."""
    pages = Pages()
    app = Starlette(
        routes=[
            Route("/", pages.index),
            Route("/page/{path:path}", pages.file),
            *routes((*ENDPOINTS, description(ENDPOINTS)), service),
        ],
        exception_handlers={HTTPException: _not_there, Refused: _refused, Exception: _failed},
    )
    app.router.redirect_slashes = False
    return Guard(app, names, addresses=service.shared)


async def _not_there(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = "there is nothing here" if error.status_code == NOT_FOUND else error.detail
    return JSONResponse({"error": words}, error.status_code, headers=error.headers)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal(error)


async def _failed(_: Request, __: Exception) -> Response:
    return JSONResponse({"error": WENT_WRONG}, 500)
