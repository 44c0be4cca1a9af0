"""The ASGI application: the page, the API under /api/v2 with its OpenAPI document, and responses to errors."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterable
from functools import partial
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from .. import __version__
from ..board import Board
from ..errors import MaxConnect4Error, quote
from .api import (
    BASE,
    ENDPOINTS,
    INTERNAL_ERROR,
    MAX_BODY_BYTES,
    OWNER,
    TEN_YEARS,
    ClientGone,
    Context,
    Endpoint,
    Service,
    capabilities,
    error_response,
)
from .jobs import QueueFull
from .page import Page
from .positions import describe
from .schemas import ConflictResponse, ErrorResponse, parse_body, parse_query
from .security import SecurityMiddleware, policy

# Other sites may show the embeddable view in a frame, because it has no access to the API.
EMBEDDED_POLICY = policy(**{"connect-src": "'none'", "frame-ancestors": "*"})
RETRY_AFTER = {"Retry-After": "2"}  # seconds, with a 503


def make_app(service: Service, names: Collection[str] = (), token: str = "") -> ASGIApp:
    """Make the application.

    Args:
        service: The state that all requests share.
        names: Host names of this machine, besides localhost.
        token: Required of every request, unless it is empty.
    """
    page = Page(msgspec.json.encode({"capabilities": capabilities(service), "position": describe(Board())}))
    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in ENDPOINTS:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    document = msgspec.json.encode(openapi(ENDPOINTS))

    async def embed(request: Request) -> Response:
        response = await page.embedded(request)
        response.headers["Content-Security-Policy"] = EMBEDDED_POLICY
        return response

    async def describe_api(_: Request) -> Response:
        return Response(document, media_type="application/json")

    async def handle_error(_: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            text = "not found: there is nothing at this address" if error.status_code == 404 else error.detail
            return _json(ErrorResponse(text), error.status_code, error.headers)
        found = error_response(error, service)
        if found is None:
            raise error
        return _json(found[1], found[0], RETRY_AFTER if found[0] == 503 else None)

    async def handle_unexpected_error(_: Request, __: Exception) -> Response:
        return _json(ErrorResponse(INTERNAL_ERROR), 500)

    expected = (HTTPException, MaxConnect4Error, QueueFull)
    app = Starlette(
        routes=[
            Mount("/page", page),
            Route(f"{BASE}/openapi.json", describe_api),
            *(Route(BASE + path, Resource(endpoints, service)) for path, endpoints in by_path.items()),
            Route("/embed", embed),
            *(Route(path, page.document) for path in page.paths),
        ],
        exception_handlers={**dict.fromkeys(expected, handle_error), Exception: handle_unexpected_error},
        middleware=[Middleware(GZipMiddleware)],
    )
    app.router.redirect_slashes = False
    return SecurityMiddleware(app, names, any_address=service.shared, token=token)


class Resource:
    """The endpoints of one path, by method. Starlette handles HEAD like GET, which would start a search."""

    def __init__(self, endpoints: dict[str, Endpoint], service: Service) -> None:
        self._endpoints = endpoints
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request."""
        request = Request(scope, receive)
        endpoint = self._endpoints.get(request.method)
        if endpoint is None:
            methods = ", ".join(self._endpoints)
            usable = " or ".join(self._endpoints)
            text = f"the method {quote(request.method)} is not allowed: use {usable}"
            raise HTTPException(405, text, {"Allow": methods})
        try:
            response = await self._respond(endpoint, request)
        except (ClientGone, ClientDisconnect):
            response = Response(status_code=503)  # nothing reads this response
        await response(scope, receive, send)

    async def _respond(self, endpoint: Endpoint, request: Request) -> Response:
        context = Context(request, self._service)
        if endpoint.has_body:
            parameters = parse_body(await _json_body(request), endpoint.parameters)
        else:
            parameters = parse_query(request.query_params.multi_items(), endpoint.parameters)
        call = partial(endpoint.handler, context, parameters)
        found = await (call() if inspect.iscoroutinefunction(endpoint.handler) else context.run_in_storage(call))
        if endpoint.method != "GET" and "id" in request.path_params:
            self._service.streams.changed(request.path_params["id"])
        response = found if isinstance(found, Response) else _json(found, endpoint.status)
        if context.new_owner:
            response.set_cookie(OWNER, context.new_owner, TEN_YEARS, path=BASE, httponly=True, samesite="strict")
        return response


async def _json_body(request: Request) -> bytes:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":  # forms on other sites cannot send this type
        raise HTTPException(415, "the body must be JSON with the header Content-Type: application/json")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise HTTPException(413, f"the body is too large: over {MAX_BODY_BYTES:,} bytes")
    return bytes(body)


def _json(value: msgspec.Struct, status: int = 200, headers: Any = None) -> Response:
    return Response(msgspec.json.encode(value), status, headers, "application/json")


# Status codes of errors: of all requests, of requests with a body, for a game, and with a job.
ANY_ERROR, BODY_ERRORS, GAME_ERRORS, JOB_ERRORS = ("400", "403"), ("413", "415"), ("404", "409", "507"), ("503",)
ABOUT = "Other methods get status 405, other paths 404, unknown parameters 400."


def openapi(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """The OpenAPI document of the API."""
    described = [endpoint for endpoint in endpoints if endpoint.path]
    types = [ErrorResponse, ConflictResponse]
    types += [each.response for each in described if "application/json" in each.media_types]
    types += [each.parameters for each in described if each.has_body]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    refs = dict(zip(types, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in described:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, refs)
    content = {"application/json": {"schema": {"type": "object"}}}
    about = {"summary": "This document", "responses": {"200": {"description": "This document", "content": content}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Max-Connect4", "version": __version__, "description": ABOUT},
        "servers": [{"url": BASE}],
        "paths": {**paths, "/openapi.json": {"get": about}},
        "components": {"schemas": components, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}, {}],  # a server may require no token
    }


def _operation(endpoint: Endpoint, refs: dict[Any, Any]) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = []
    if "{id}" in endpoint.path:
        parameters.append({"name": "id", "in": "path", "required": True, "schema": {"type": "string"}})
    if not endpoint.has_body:
        for field in msgspec.structs.fields(endpoint.parameters):
            schema = msgspec.json.schema(field.type)
            parameters.append({"name": field.encode_name, "in": "query", "required": field.required, "schema": schema})
    codes = [*ANY_ERROR, *BODY_ERRORS * endpoint.has_body]
    codes += GAME_ERRORS * endpoint.path.startswith("/games") + JOB_ERRORS
    content = {
        each: {"schema": refs[endpoint.response] if each == "application/json" else {"type": "string"}}
        for each in endpoint.media_types
    }
    responses: dict[str, Any] = {str(endpoint.status): {"description": endpoint.summary, "content": content}}
    for code in codes:
        schema = refs[ConflictResponse if code == "409" else ErrorResponse]
        responses[code] = {"description": "Error", "content": {"application/json": {"schema": schema}}}
    operation = {"summary": endpoint.summary, "parameters": parameters, "responses": responses}
    if endpoint.has_body:
        body = {"application/json": {"schema": refs[endpoint.parameters]}}
        operation["requestBody"] = {"required": True, "content": body}
    return operation
