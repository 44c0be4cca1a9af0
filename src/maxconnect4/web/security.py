"""Security middleware: Host and Origin checks, the token, and the security headers of every response.

Any page in a browser on this machine can send requests to the server. However, it cannot choose the Host and Origin
headers that the browser sends: a foreign name that resolves to this machine (DNS rebinding) appears in Host, a request
from another page in Origin or Sec-Fetch-Site. Starlette's TrustedHostMiddleware splits IPv6 addresses at
a colon and does not check the Origin, so it is not used here.

Other accounts of this machine can also open connections. They do not have the token, which is part of the printed
address; the first visit with the token sets a cookie.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Network, ip_address
from secrets import compare_digest
from urllib.parse import urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..errors import quote

FORBIDDEN, SEE_OTHER = 403, 303
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
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


def policy(**changed: str) -> str:
    """The value of the header Content-Security-Policy, with some directives changed."""
    return "; ".join(f"{name} {value}" for name, value in {**POLICY, **changed}.items())


HEADERS = {
    "Content-Security-Policy": policy(),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
API = "/api"
DOCUMENT_PATH = re.compile(r"/(?!api\b|page\b)([a-z]+(/[\w-]+)?)?")
TOKEN = "token"  # the parameter in the query, and a scheme of the Authorization header besides Bearer
NO_TOKEN = "the token is missing or wrong: open the address that maxconnect4 play prints"
# Browsers send the cookie (SameSite=Strict) for a link on this page, but not for one on another site.
NO_TOKEN_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Max-Connect4</title>
<p>The token is missing or wrong. Run <code>maxconnect4 play</code>: it opens this page or prints its address.</p>
<p>If you followed a link on another site, <a href="/">open this page again</a>.</p></html>
"""


class SecurityMiddleware:
    """Refuses requests with foreign host names, from other sites or without the token, and adds security headers.

    Args:
        app: The application.
        names: Host names of the server, besides the local ones.
        any_address: Whether the Host may be any IP address. This is safe: DNS rebinding requires a name.
        token: Required of every request, unless it is empty.
    """

    def __init__(
        self, app: ASGIApp, names: Collection[str] = (), *, any_address: bool = False, token: str = ""
    ) -> None:
        self._app = app
        self._names = LOCAL_NAMES | {name.lower() for name in names}
        self._any_address = any_address
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request, or refuse it."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)  # a picture has its own policy
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        scope = _strip_host(scope)
        error = self._host_or_origin_error(scope["path"], Headers(scope=scope))
        answer: Response | None = None if error is None else JSONResponse({"error": error}, FORBIDDEN)
        if answer is None:
            scope, answer = self._check_token(scope)
        return await (answer or self._app)(scope, receive, send_with_headers)

    def _host_or_origin_error(self, path: str, headers: Headers) -> str | None:
        host = headers.get("host", "").lower()
        if len(headers.getlist("host")) != 1 or not self._is_own_name(host):
            return f"{quote(host)} is not the address of this server: use the address that it printed at the start"
        origins = headers.getlist("origin")
        if origins and origins not in ([f"http://{host}"], [f"https://{host}"]):
            return "requests from other sites are refused"
        if path.startswith(API) and _is_from_other_site(headers):
            return "requests from other sites are refused"
        return None

    def _check_token(self, scope: Scope) -> tuple[Scope, Response | None]:
        """Check the token. Returns the request without it, and the response unless the application has to respond."""
        request = Request(scope)
        _, port = scope.get("server") or ("", 0)  # unknown if the client has closed its connection
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
        if not DOCUMENT_PATH.fullmatch(scope["path"]):
            return {**scope, "query_string": query.encode()}, None
        address = f"{scope['path']}?{query}" if query else scope["path"]
        response: Response = RedirectResponse(address, SEE_OTHER)
        if _is_from_other_site(request.headers):  # a redirected request would have the same origin, and no cookie
            response = HTMLResponse("", headers={"Refresh": f"0;url={address}"})
        if self._token:
            response.set_cookie(cookie, self._token, httponly=True, samesite="strict")
        return scope, response

    def _is_own_name(self, host: str) -> bool:
        match = HOST.fullmatch(host)
        if match is None:
            return False
        return match[1] in self._names or (self._any_address and _is_address(match[1]))


def _is_from_other_site(headers: Headers) -> bool:
    return headers.get("sec-fetch-site", "none") not in ("none", "same-origin")


def _strip_host(scope: Scope) -> Scope:
    """Replace http://localhost/page in the request line by /page: some programs send the whole address."""
    host, slash, path = scope["path"].removeprefix("http://").partition("/")
    if scope["path"].startswith("http://") and host == Headers(scope=scope).get("host"):
        return {**scope, "path": slash + path or "/"}
    return scope


def network(address: str) -> str:
    """The part of an address that a client cannot choose: all of an IPv4 address, the first 64 bits of an IPv6 one."""
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
