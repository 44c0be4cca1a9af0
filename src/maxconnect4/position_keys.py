"""Position keys: a position of the standard board as one integer, equal for mirror images.

The opening book stores positions by key.

Each column takes seven bits, the leftmost column the lowest: its pieces from the bottom, 1 for red and 0 for green, and
a 1 above the topmost piece. The key is the smaller number of the position and its mirror image.

    . . .      column 1   0000001
    . 2 .      column 2   0000101   red below, green above: 1, 0, and the mark
    1 1 .      column 3 ...

Both games have the same keys, but different successors: a four ends the classic game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .board import GREEN, HEIGHT, RED, SIZE, WIDTH, Board
from .errors import BadPosition
from .scores import value_of_win

BITS = HEIGHT + 1
COLUMN = (1 << BITS) - 1
EMPTY_KEY = sum(1 << BITS * column for column in range(WIDTH))
KEY_LIMIT = 1 << BITS * WIDTH  # above every key


def has_key(board: Board) -> bool:
    """Whether a board has the standard size, for which keys are defined."""
    return (board.width, board.height) == SIZE


def key_of(board: Board) -> int:
    """The key of a position."""
    number = 0
    for column in range(WIDTH, 0, -1):
        bits = 1
        for piece in reversed(board.stack(column)):
            bits = bits << 1 | (piece == RED)
        number = number << BITS | bits
    return canonical_key(number)


def keys_after(board: Board) -> dict[int, int]:
    """The key of the position after each legal move, by column."""
    keys = {}
    for column in board.columns():
        board.drop(column)
        keys[column] = key_of(board)
        board.undo()
    return keys


def board_from_key(key: int, game: str = "max") -> Board:
    """The position of a key; of two mirror images the one that the key encodes."""
    stacks = [_pieces(key >> BITS * column & COLUMN) for column in range(WIDTH)]
    return Board.from_rows([[stack[row] for stack in stacks] for row in reversed(range(HEIGHT))], game)


def moves_from_key(key: int) -> str:
    """A move string that leads to the position of a key: one of many."""
    moves = _moves_to([list(board_from_key(key).stack(column)) for column in range(1, WIDTH + 1)], plies_from_key(key))
    if moves is None:
        raise BadPosition(f"no game leads to the position with the key {key}")
    return moves


def plies_from_key(key: int) -> int:
    """Number of pieces on the board of a key."""
    return sum((key >> shift & COLUMN).bit_length() - 1 for shift in range(0, BITS * WIDTH, BITS))


def successor_keys(key: int, plies: int) -> Iterator[int]:
    """The keys of the successors of a position with `plies` pieces."""
    for shift in range(0, BITS * WIDTH, BITS):
        mark = 1 << (key >> shift & COLUMN).bit_length() - 1
        if mark < 1 << HEIGHT:
            # Red's piece is a 1 where the mark was, with the new mark above it; for green's the mark moves up.
            yield canonical_key(key + ((mark << 1 if plies % 2 == 0 else mark) << shift))


def layers(plies: int, game: str = "max") -> Iterator[list[int]]:
    """The keys of all positions after 0, 1, ... plies, each layer in ascending order; no finished classic games."""
    layer = [EMPTY_KEY]
    yield layer
    for done in range(plies):
        following = {following for key in layer for following in successor_keys(key, done)}
        layer = sorted(following if game == "max" else (key for key in following if not has_four(key)))
        yield layer


def has_four(key: int) -> bool:
    """Whether a player has a four."""
    red = green = 0
    for shift in range(0, BITS * WIDTH, BITS):
        pieces = key >> shift & COLUMN
        mark = 1 << pieces.bit_length() - 1
        red |= (pieces ^ mark) << shift
        green |= (pieces ^ mark ^ mark - 1) << shift
    for stones in (red, green):
        for step in (1, BITS - 1, BITS, BITS + 1):
            pairs = stones & stones >> step
            if pairs & pairs >> 2 * step:
                return True
    return False


def derived_value(key: int, plies: int, values: Mapping[int, int], game: str = "max") -> int:
    """The value of a position with `plies` pieces, derived from the values of its successors.

    It is the negamax value: the maximum of the negated successor values. In the classic game a move that makes a four
    has the highest possible value.
    """
    following = list(successor_keys(key, plies))
    if game == "classic" and any(has_four(each) for each in following):
        return value_of_win(plies + 1)
    return max(-values[each] for each in following)


def canonical_key(number: int) -> int:
    """The smaller number of a position and its mirror image."""
    mirrored, rest = 0, number
    for _ in range(WIDTH):
        mirrored = mirrored << BITS | rest & COLUMN
        rest >>= BITS
    return min(number, mirrored)


def _moves_to(stacks: list[list[int]], plies: int) -> str | None:
    """A move string that builds these stacks, found by taking pieces off again; None if there is none."""
    if plies == 0:
        return ""
    for column, stack in enumerate(stacks, start=1):
        if stack and stack[-1] == (RED if plies % 2 else GREEN):
            piece = stack.pop()
            before = _moves_to(stacks, plies - 1)
            stack.append(piece)
            if before is not None:
                return before + str(column)
    return None


def _pieces(bits: int) -> list[int]:
    """The cells of a column from the bottom, empty ones as 0."""
    height = bits.bit_length() - 1
    return [RED if bits >> row & 1 else GREEN for row in range(height)] + [0] * (HEIGHT - height)
