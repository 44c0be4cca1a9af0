"""Requests as they come in: what they give, checked before anything is done with it."""

from __future__ import annotations

import json

from ...errors import shown
from .fields import checked, checked_texts
from .refusals import BAD_REQUEST, NOT_JSON, TOO_LARGE, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from starlette.requests import Request
    from starlette.types import Receive

    from .fields import Fields

LARGEST_BODY = 64 << 10  # bytes; a position file has 57


def from_query(request: Request, fields: Fields) -> dict[str, Any]:
    """What stands behind the question mark."""
    return checked_texts(request.query_params.multi_items(), fields)


async def from_body(request: Request, fields: Fields) -> dict[str, Any]:
    """What the body says, which has to be a JSON object."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":  # also what forms on pages from elsewhere cannot send
        raise Refused(NOT_JSON, "the body has to be JSON, with Content-Type: application/json")
    try:
        value = json.loads(await _body(request) or b"{}", parse_constant=_no_number, object_pairs_hook=_no_twins)
    except RecursionError:
        raise Refused(BAD_REQUEST, "the body is not JSON that can be read: it nests too deeply") from None
    except ValueError as error:
        raise Refused(BAD_REQUEST, f"the body is not JSON that can be read: {shown(str(error))}") from None
    if not isinstance(value, dict):
        raise Refused(BAD_REQUEST, "the body has to be a JSON object, in braces")
    return checked(value, fields)


async def _body(request: Request) -> bytes:
    whole = bytearray()
    async for part in request.stream():
        whole += part
        if len(whole) > LARGEST_BODY:
            raise Refused(TOO_LARGE, f"the body is too large: over {LARGEST_BODY:,} bytes")
    return bytes(whole)


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a name is given twice")
    return values


async def until_gone(receive: Receive) -> None:
    """Wait until the browser has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass
