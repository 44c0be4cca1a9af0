"""What the server does not do, with the status and the words of its answer."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SEE_OTHER = 303
BAD_REQUEST, FORBIDDEN, NOT_FOUND, NOT_ALLOWED, CONFLICT = 400, 403, 404, 405, 409
TOO_LARGE, NOT_JSON, BUSY, NO_ROOM = 413, 415, 503, 507
RETRY_AFTER = 2  # seconds
WENT_WRONG = "something went wrong in the server; where it was started it says what"


class Refused(Exception):
    """A request that is answered with an error: its status, one line of words, and what else there is to say."""

    def __init__(self, status: int, words: str, **more: Any) -> None:
        super().__init__(words)
        self.status = status
        self.answer = {"error": words, **more}

    @property
    def headers(self) -> dict[str, str]:
        """What goes with the status."""
        return {"Retry-After": str(RETRY_AFTER)} if self.status == BUSY else {}
