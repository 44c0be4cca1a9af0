"""What `report` is asked to report: results of games, what was measured, or a player that is still to be measured."""

from __future__ import annotations

import os
import shlex
import shutil
import struct

from ...errors import BadFile
from ...measuring.results import Measurements
from ...reading import open_regular
from ...referee.entrants import BUILT_IN

GAMES, MEASURED, PLAYER = "games", "measured", "player"
MAGIC = b"SQLite format 3\0"
APPLICATION_ID = 68  # where it stands in the head of the file, four bytes


def kind_of(word: str) -> str:
    """What a word of the command line names. A file comes first; what is neither of these is told with the games."""
    if os.path.isfile(word):
        return _kind_of_file(word)
    if os.path.exists(word):
        return GAMES
    try:
        words = shlex.split(word)
    except ValueError:  # whoever reads the command says what is wrong
        return PLAYER
    is_command = len(words) > 1 or BUILT_IN.fullmatch(word) or (words and shutil.which(words[0]))
    return PLAYER if is_command else GAMES


def _kind_of_file(path: str) -> str:
    try:
        with open_regular(path, "file") as file:
            head = file.read(100)
    except BadFile:  # a program need not be readable
        head = b""
    if head.startswith(MAGIC) and len(head) == 100:
        (number,) = struct.unpack_from(">I", head, APPLICATION_ID)
        return MEASURED if number == Measurements.FORMAT else GAMES
    return PLAYER if os.access(path, os.X_OK) else GAMES
