"""Listening, and serving until Ctrl-C."""

from __future__ import annotations

import logging
import socket

import uvicorn

from ..errors import CannotServe, reason
from .app import make_app

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .service import Service


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)
    except OSError as error:
        raise CannotServe(f"cannot listen on {host}, port {port}: {reason(error)}") from None
    return listening


class Server(uvicorn.Server):
    """Uvicorn, which ends all searches first when it is told to end."""

    def __init__(self, service: Service) -> None:
        logging.getLogger("uvicorn").setLevel(logging.ERROR)
        super().__init__(
            uvicorn.Config(
                make_app(service),
                loop="asyncio",
                http="h11",
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=1,
            )
        )
        self._service = service

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End."""
        self._service.close()
        await super().shutdown(sockets)
