"""Who may ask, and what the browser may do with the answers.

The server listens on this machine, but any page in a browser here can send requests to it. Such a page cannot choose
the Host and the Origin that the browser sends along: a name of its own that leads here (DNS rebinding) shows in the
Host, a request from another page in the Origin or in Sec-Fetch-Site.
"""

from __future__ import annotations

import re
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

from ...errors import shown
from .refusals import FORBIDDEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HERE = frozenset({"localhost", "127.0.0.1", "[::1]"})
HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:/@]+)(:[0-9]{1,5})?")
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
}
HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class Guard:
    """Stands before an application, lets in who may come in, and puts the headers on all that goes out.

    `names` are those that the server has besides the usual ones. `addresses`: it may be called by any address, too,
    which is as safe, for an address leads to nobody else.
    """

    def __init__(self, app: ASGIApp, names: Collection[str] = (), *, addresses: bool = False) -> None:
        self._app = app
        self._names = HERE | {name.lower() for name in names}
        self._addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or say why not."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)  # a picture has a policy of its own
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        scope = _without_host(scope)
        words = self._objection(scope["path"], Headers(scope=scope))
        if words is None:
            return await self._app(scope, receive, guarded)
        return await JSONResponse({"error": words}, FORBIDDEN)(scope, receive, guarded)

    def _objection(self, path: str, headers: Headers) -> str | None:
        host = headers.get("host", "").lower()
        if len(headers.getlist("host")) != 1 or not self._is_ours(host):
            return f"this server is not {shown(host)}: use the address that it printed when it started"
        origins = headers.getlist("origin")
        if origins and origins not in ([f"http://{host}"], [f"https://{host}"]):
            return "requests from other sites are not answered"
        if path.startswith("/api") and headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return "requests from other sites are not answered"
        return None

    def _is_ours(self, host: str) -> bool:
        match = HOST.fullmatch(host)
        if match is None:
            return False
        return match[1] in self._names or (self._addresses and _is_address(match[1]))


def _without_host(scope: Scope) -> Scope:
    """A request for http://localhost/page as one for /page: some programs send the whole address, and the Host too."""
    host, slash, path = scope["path"].removeprefix("http://").partition("/")
    if scope["path"].startswith("http://") and host == Headers(scope=scope).get("host"):
        return {**scope, "path": slash + path or "/"}
    return scope


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
