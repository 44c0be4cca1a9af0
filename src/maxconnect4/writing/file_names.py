"""Names for files, whatever those are called that they are about."""

from __future__ import annotations

import re
import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)  # names that Windows keeps for itself
LONGEST = 60


def plain_name(text: str, otherwise: str) -> str:
    """The letters and digits of a text, with dashes between them, to stand in the name of a file."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-.") or otherwise


def file_names(players: Iterable[str]) -> dict[str, str]:
    """For each player a name for a file: letters, digits, dots, dashes, and none twice, whatever the system."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for player in players:
        stem = re.sub(r"[^\w.-]+", "_", unicodedata.normalize("NFKC", player))[:LONGEST].strip("._-") or "player"
        if RESERVED.match(stem):
            stem = f"player_{stem}"
        while len(stem.encode()) > 3 * LONGEST:  # a system counts bytes, not letters
            stem = stem[:-1]
        name, number = stem, 1
        while _folded(name) in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(_folded(name))
        found[player] = f"{name}.txt"
    return found


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()
