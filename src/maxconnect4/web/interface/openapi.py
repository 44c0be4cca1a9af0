"""The formal description of the interface, made from the endpoints themselves."""

from __future__ import annotations

from ... import __version__
from .endpoints import BASE, Endpoint
from .schemas import SCHEMAS, STRING, named, or_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ..http.fields import Field, Fields
    from .endpoints import Call

ERROR = {"description": "What is wrong", "content": {"application/json": {"schema": named("Error")}}}
CONFLICT = {"description": "The game is another now", "content": {"application/json": {"schema": named("Conflict")}}}
# What may go wrong anywhere, with what has a body, with a game, and with a search.
ANYWHERE, WITH_BODY, WITH_GAME, WITH_SEARCH = ("400", "403"), ("413", "415"), ("404", "409", "507"), ("503",)
ABOUT = "Whatever is not described is refused: other methods with 405, other paths with 404, other names with 400."


def description(endpoints: Iterable[Endpoint]) -> Endpoint:
    """The endpoint that describes all others."""

    async def describe(_: Call) -> dict[str, Any]:
        return document

    own = Endpoint("GET", "/openapi.json", describe, "This description", "Description")
    document = _document((*endpoints, own))
    return own


def _document(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in filter(lambda endpoint: endpoint.path, endpoints):  # what begins with a slash is a path
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Max-Connect4", "version": __version__, "description": ABOUT},
        "servers": [{"url": BASE}],
        "paths": paths,
        "components": {"schemas": SCHEMAS, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}, {}],  # a server may require no token
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    parameters = [_parameter(name, field, "query") for name, field in endpoint.query.items()]
    codes = [*ANYWHERE, *WITH_BODY * (endpoint.body is not None)]
    if "{id}" in endpoint.path:
        identity = {"type": "string", "description": "what the game is called"}
        parameters.insert(0, {"name": "id", "in": "path", "required": True, "schema": identity})
    if endpoint.path.startswith("/games"):
        codes += WITH_GAME
    codes += WITH_SEARCH
    operation: dict[str, Any] = {
        "summary": endpoint.summary,
        "parameters": parameters,
        "responses": {
            str(endpoint.status): _answer(endpoint),
            **{code: CONFLICT if code == "409" else ERROR for code in codes},
        },
    }
    if endpoint.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _body(endpoint.body)}},
        }
    return operation


def _answer(endpoint: Endpoint) -> dict[str, Any]:
    kinds = {media: named(endpoint.answers) if media == "application/json" else STRING for media in endpoint.media}
    content = {media: {"schema": schema} for media, schema in kinds.items()}
    return {"description": endpoint.summary, "content": content}


def _parameter(name: str, field: Field, place: str) -> dict[str, Any]:
    about = {"description": field.description, "schema": field.schema}
    return {"name": name, "in": place, "required": field.required, **about}


def _body(fields: Fields) -> dict[str, Any]:
    properties = {name: _property(field) for name, field in fields.items()}
    required = [name for name, field in fields.items() if field.required]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _property(field: Field) -> dict[str, Any]:
    schema = field.schema if field.required else or_null(field.schema)
    return {**schema, "description": field.description}
