"""Openings: the initial positions of games, random or from a file, all different."""

from __future__ import annotations

import random
import re

from ..board import HEIGHT, WIDTH, check_game
from ..errors import BadFile, BadPosition, BadSetup, quote, quote_path
from ..files import read_text
from ..formatting import plural
from ..notation import board_from_moves
from ..position_keys import key_of, layers
from ..sample_positions import is_decided, random_board

MAX_OPENINGS = 10_000
LARGEST = 1 << 20  # bytes of a file
DEFAULTS = {"plies": 4, "count": 20, "seed": 1}
EXAMPLE = "use settings such as random:plies=4,count=20,seed=1"
LONGEST = {"max": WIDTH * HEIGHT - 1, "classic": 30}  # plies; random games with more and no four are hard to find
DECIDED = {5: 24, 6: 628}  # number of decided classic positions by plies; there are none with fewer plies
MAX_COUNTED_PLIES = 6  # for more plies there are always more than MAX_OPENINGS positions


def openings_from(text: str, seed: int = DEFAULTS["seed"], game: str = "max") -> list[str]:
    """Read or generate openings.

    Args:
        text: `random:plies=4,count=20,seed=1`, each part of which is optional, or the name of a file with a move string
            on each line, "-" for the empty board, and comments after #.
        seed: The random seed, unless the text has one.
        game: "max" or "classic".

    Returns:
        The openings as move strings.

    Raises:
        BadSetup: If the text is not valid.
        BadFile: If the file cannot be read, or has no openings.
        BadPosition: If a line of the file is not an opening.
    """
    if is_random(text):
        return random_openings(**DEFAULTS | {"seed": seed} | _settings(text), game=game)
    return openings_of_file(text, game)


def is_random(text: str) -> bool:
    """Whether a text describes random openings rather than a file."""
    return text == "random" or text.startswith("random:")


def random_openings(plies: int = 4, count: int = 20, seed: int = 1, game: str = "max") -> list[str]:
    """Generate different openings of random moves. The same arguments always give the same openings.

    Openings of the classic game are undecided: no player has four, or can force one with the next move.

    Args:
        plies: The number of plies of each opening.
        count: The number of openings.
        seed: The random seed.
        game: "max" or "classic".

    Returns:
        The openings as move strings.

    Raises:
        BadSetup: If there are fewer different openings.
    """
    check_game(game)
    longest = LONGEST[game]
    if not 0 <= plies <= longest:
        raise BadSetup(f"openings cannot have {plies:,} plies: use 0 to {longest}")
    if not 1 <= count <= MAX_OPENINGS:
        raise BadSetup(f"the number of openings cannot be {count:,}: use 1 to {MAX_OPENINGS:,}")
    if plies <= MAX_COUNTED_PLIES:
        *_, layer = layers(plies)
        most = len(layer) - DECIDED.get(plies, 0) * (game == "classic")
        if count > most:
            length = plural(plies, "ply", "plies")
            raise BadSetup(f"{count:,} openings of {length}: there are only {most:,}: use fewer, or more plies")
    rng = random.Random(seed)
    openings: dict[int, str] = {}
    while len(openings) < count:
        board = random_board(rng, plies, game)
        if game == "classic" and is_decided(board):
            continue
        openings.setdefault(key_of(board), "".join(map(str, board.drops)))
    return list(openings.values())


def openings_of_file(path: str, game: str) -> list[str]:
    """Read the openings in a file, in its order: see `openings_from`."""
    name = quote_path(path)
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
            raise BadPosition(f"{name}, line {number}: {quote(moves)} is a finished game")
        if game == "classic" and is_decided(board):
            raise BadPosition(f"{name}, line {number}: {quote(moves)} is decided: a four cannot be prevented")
        before = line_of.setdefault(key_of(board), number)
        if before != number:
            same = f"{quote(moves or '-')} is the same position as line {before}, or its mirror image"
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
            raise BadSetup(f"{quote(text)} does not describe openings, because of {quote(part)}: {EXAMPLE}")
        given[match[1]] = int(match[2])
    return given
