"""The positions that games begin with: drawn at random, or from a file. No two of them are the same."""

from __future__ import annotations

import random
import re

from ..board import HEIGHT, WIDTH, check_game
from ..errors import BadEntrant, BadFile, BadPosition, shown, shown_path
from ..keys import key_of, layers
from ..notation import board_from_moves
from ..reading import read_text
from ..sampling import is_settled, random_board

MOST = 10_000  # openings
LARGEST = 1 << 20  # bytes of a file
DEFAULTS = {"plies": 4, "count": 20, "seed": 1}
EXAMPLE = "such is random:plies=4,count=20,seed=1"
LONGEST = {"max": WIDTH * HEIGHT - 1, "classic": 30}  # plies; random games with more and no four are hard to find
SETTLED = {5: 24, 6: 628}  # positions after so many plies in which a classic game is settled; with fewer there are none
ALL_COUNTED = 6  # plies: up to there it is quickly said how many positions there are, and beyond there are over MOST


def openings_from(text: str, seed: int = DEFAULTS["seed"], game: str = "max") -> list[str]:
    """Openings as move strings: `random:plies=4,count=20,seed=1`, any part of which may be left out, or a file's name.

    `seed` is that of random openings, unless the text has one.

    A file has a move string on each line, "-" for the empty board; what follows # is a comment.
    """
    if is_random(text):
        return random_openings(**DEFAULTS | {"seed": seed} | _settings(text), game=game)
    return openings_of_file(text, game)


def is_random(text: str) -> bool:
    """Whether a text means random openings, and not a file."""
    return text == "random" or text.startswith("random:")


def random_openings(plies: int = 4, count: int = 20, seed: int = 1, game: str = "max") -> list[str]:
    """So many different openings of random drops. The same numbers give the same openings, for ever.

    Those of the classic game are not settled: nobody has four, or is sure to have it at once.
    """
    check_game(game)
    longest = LONGEST[game]
    if not 0 <= plies <= longest:
        raise BadEntrant(f"an opening of {plies} plies is not to be had: 0 to {longest} are")
    if not 1 <= count <= MOST:
        raise BadEntrant(f"{count} openings are not to be had: 1 to {MOST:,} are")
    if plies <= ALL_COUNTED:
        *_, layer = layers(plies)
        most = len(layer) - SETTLED.get(plies, 0) * (game == "classic")
        if count > most:
            length = "1 ply" if plies == 1 else f"{plies} plies"
            raise BadEntrant(f"{count:,} different openings of {length} are not to be had: {most:,} at most")
    rng = random.Random(seed)
    openings: dict[int, str] = {}
    while len(openings) < count:
        board = random_board(rng, plies, game)
        if game == "classic" and is_settled(board):
            continue
        openings.setdefault(key_of(board), "".join(map(str, board.drops)))
    return list(openings.values())


def openings_of_file(path: str, game: str) -> list[str]:
    """The openings of a game that a file lists, in its order."""
    name = shown_path(path)
    lines = read_text(path, "file of openings", LARGEST).splitlines()
    openings: list[str] = []
    line_of: dict[int, int] = {}
    for number, line in enumerate(lines, start=1):
        moves = line.partition("#")[0].strip()
        if not moves:
            continue
        moves = "" if moves == "-" else moves
        try:
            board = board_from_moves(moves, game)
        except BadPosition as error:
            raise BadPosition(f"{name}, line {number}: {error}") from None
        if board.is_over():
            raise BadPosition(f"{name}, line {number}: {shown(moves)} is a finished game")
        if game == "classic" and is_settled(board):
            raise BadPosition(f"{name}, line {number}: {shown(moves)} is decided, as four cannot be prevented any more")
        before = line_of.setdefault(key_of(board), number)
        if before != number:
            same = f"{shown(moves or '-')} is the same position as line {before}, or its mirror image"
            raise BadPosition(f"{name}, line {number}: {same}")
        openings.append(moves)
    if not openings:
        raise BadFile(f"{name} has no openings")
    return openings


def _settings(text: str) -> dict[str, int]:
    given: dict[str, int] = {}
    rest = text.removeprefix("random").removeprefix(":")
    for part in rest.split(",") if rest else []:
        match = re.fullmatch(r"(\w+)=([0-9]{1,18})", part, re.ASCII)
        if match is None or match[1] not in DEFAULTS or match[1] in given:
            raise BadEntrant(f"{shown(text)} gives no openings, because of {shown(part)}: {EXAMPLE}")
        given[match[1]] = int(match[2])
    return given
