"""The web server of `maxconnect4 play`: the page, its API, and the jobs that compute its responses."""

from ..errors import requires_extra

with requires_extra("web"):
    import starlette  # noqa: F401
    import uvicorn  # noqa: F401
