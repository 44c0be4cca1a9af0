"""What goes wrong while something is asked, as the refusal that it is answered with."""

from __future__ import annotations

import logging

from ...errors import BadFile, BadPosition, CannotSave, CannotSolve, IllegalMove, InUse
from ..http.refusals import BAD_REQUEST, BUSY, NO_ROOM, WENT_WRONG, Refused
from ..searches import Stopped, TimeUp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .service import Service

LOG = logging.getLogger("maxconnect4")


def refused(error: Exception, service: Service) -> Refused | None:
    """The refusal for what can be expected to go wrong; None for what cannot."""
    match error:
        case Refused():
            return error
        case BadPosition() | IllegalMove():
            return Refused(BAD_REQUEST, str(error))
        case CannotSolve():  # there is no memory for a solver
            return Refused(BUSY, str(error))
        case BadFile() | CannotSave():  # a disk that is full or fails
            return _no_room(error, service)
        case TimeUp():
            return Refused(BUSY, "this took too long, and was stopped")
        case Stopped():
            return Refused(BUSY, "the server is stopping")
    return None


def _no_room(error: BadFile | CannotSave, service: Service) -> Refused:
    """What visitors are told. Where the files of the server are is for who started it."""
    LOG.error("maxconnect4: %s", error)
    words, file = str(error), service.games.name
    words = f"the file of games{words.removeprefix(file)}" if words.startswith(file) else WENT_WRONG
    return Refused(BUSY, f"{words}: try again") if isinstance(error, InUse) else Refused(NO_ROOM, words)
