"""Who may ask, and what the browser may do with the answers.

The server listens on this machine, but any page in a browser here can send requests to it. Such a page cannot choose
the Host and the Origin that the browser sends along: a name of its own that leads here (DNS rebinding) shows in the
Host, a request from another page in the Origin or in Sec-Fetch-Site.

Other accounts of this machine can also open connections. The token keeps them out: it is in the address that is printed
and opened, and the first visit with it sets a cookie.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Network, ip_address
from secrets import compare_digest
from urllib.parse import urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse

from ...errors import shown
from .refusals import FORBIDDEN, SEE_OTHER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.responses import Response
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
API = "/api"
TOKEN = "token"  # in the query, and as a scheme of the Authorization header besides Bearer
NO_TOKEN = "the token is missing or wrong: open the address that maxconnect4 play prints"
# A link on another site leads here without the cookie (SameSite=Strict), a link on this page with it.
NO_TOKEN_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Max-Connect4</title>
<p>The token is missing or wrong. Run <code>maxconnect4 play</code>: it opens this page, or prints its address.</p>
<p>If a link on another site led here, <a href="/">open this page again</a>.</p></html>
"""


class Guard:
    """Stands before an application, lets in who may come in, and puts the headers on all that goes out.

    `names` are those that the server has besides the usual ones. `addresses`: it may be called by any address, too,
    which is as safe, for an address leads to nobody else. `token`: required of every request, unless it is empty.
    """

    def __init__(self, app: ASGIApp, names: Collection[str] = (), *, addresses: bool = False, token: str = "") -> None:
        self._app = app
        self._names = HERE | {name.lower() for name in names}
        self._addresses = addresses
        self._token = token

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
        answer: Response | None = None if words is None else JSONResponse({"error": words}, FORBIDDEN)
        if answer is None:
            scope, answer = self._without_token(scope)
        return await (answer or self._app)(scope, receive, guarded)

    def _objection(self, path: str, headers: Headers) -> str | None:
        host = headers.get("host", "").lower()
        if len(headers.getlist("host")) != 1 or not self._is_ours(host):
            return f"this server is not {shown(host)}: use the address that it printed when it started"
        origins = headers.getlist("origin")
        if origins and origins not in ([f"http://{host}"], [f"https://{host}"]):
            return "requests from other sites are not answered"
        if path.startswith(API) and _is_from_elsewhere(headers):
            return "requests from other sites are not answered"
        return None

    def _without_token(self, scope: Scope) -> tuple[Scope, Response | None]:
        """A request with the token, without it in its query; and the response, if not the application gives it."""
        request = Request(scope)
        _, port = scope.get("server") or ("", 0)  # unknown if the client has already gone
        cookie = f"maxconnect4-{port}"  # browsers send cookies to all ports of a machine
        scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
        tokens = [*request.query_params.getlist(TOKEN), request.cookies.get(cookie, "")]
        tokens += [credentials.strip()] * (scheme.lower() in ("bearer", TOKEN))
        if self._token and not any(compare_digest(token.encode(), self._token.encode()) for token in tokens):
            if scope["path"].startswith(API):
                return scope, JSONResponse({"error": NO_TOKEN}, FORBIDDEN)
            return scope, HTMLResponse(NO_TOKEN_PAGE, FORBIDDEN)
        if TOKEN not in request.query_params:
            return scope, None
        query = urlencode([pair for pair in request.query_params.multi_items() if pair[0] != TOKEN])
        if scope["path"] != "/":
            return {**scope, "query_string": query.encode()}, None
        address = f"/?{query}" if query else "/"
        response: Response = RedirectResponse(address, SEE_OTHER)
        if _is_from_elsewhere(request.headers):  # a redirected request would be from there, too, and without the cookie
            response = HTMLResponse("", headers={"Refresh": f"0;url={address}"})
        if self._token:
            response.set_cookie(cookie, self._token, httponly=True, samesite="strict")
        return scope, response

    def _is_ours(self, host: str) -> bool:
        match = HOST.fullmatch(host)
        if match is None:
            return False
        return match[1] in self._names or (self._addresses and _is_address(match[1]))


def _is_from_elsewhere(headers: Headers) -> bool:
    return headers.get("sec-fetch-site", "none") not in ("none", "same-origin")


def _without_host(scope: Scope) -> Scope:
    """A request for http://localhost/page as one for /page: some programs send the whole address, and the Host too."""
    host, slash, path = scope["path"].removeprefix("http://").partition("/")
    if scope["path"].startswith("http://") and host == Headers(scope=scope).get("host"):
        return {**scope, "path": slash + path or "/"}
    return scope


def network(address: str) -> str:
    """The part of a client's address that one client cannot choose: in IPv6 the first 64 bits."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or IPv6Network((found, 64), strict=False))


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
