"""The server's application: the page, and the interface under /api/v1."""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from . import kept_games, questions
from .interface import routes
from .refusals import WENT_WRONG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from starlette.requests import Request

    from .service import Service

PAGE = Path(__file__).with_name("page")


def make_app(service: Service) -> Starlette:
    """The application, ready to be served."""
    return Starlette(
        routes=[
            Route("/", _page),
            *routes((*questions.ENDPOINTS, *kept_games.ENDPOINTS), service),
            Mount("/page", StaticFiles(directory=PAGE, check_dir=False)),
        ],
        exception_handlers={HTTPException: _refused, Exception: _failed},
    )


async def _page(_: Request) -> Response:
    return FileResponse(PAGE / "index.html")


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = "there is nothing here" if error.status_code == 404 else error.detail
    return JSONResponse({"error": words}, error.status_code, headers=error.headers)


async def _failed(_: Request, __: Exception) -> Response:
    return JSONResponse({"error": WENT_WRONG}, 500)
