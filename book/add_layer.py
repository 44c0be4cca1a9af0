"""Add the layer of 12 plies to the book of the classic game, from the values of the package bitbully-databases.

    pip download --no-deps bitbully-databases==0.0.2
    python book/add_layer.py bitbully_databases-0.0.2-py3-none-any.whl src/maxconnect4/classic.book

Markus Thill published these values under the MIT licence (https://github.com/MarkusThill/bitbully-databases): the
distance to the end of the game for every position with 12 plies in which the player to move cannot make a four at once.

An entry has five bytes. The first four are the position, from the left, each column from the bottom: 10 for a piece of
red, 11 for one of green, and 0 above the topmost piece. The last one is the value for red, who is to move: 100 minus
the number of plies until red wins, the negative for a loss, 0 for a draw.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from zipfile import ZipFile

from maxconnect4.board import WIDTH
from maxconnect4.book import Book, save_book
from maxconnect4.book_builder import layer_of
from maxconnect4.position_keys import BITS, canonical_key
from maxconnect4.scores import value_of_win

DATABASE = "bitbully_databases/assets/book_12ply_distances.dat"
PLIES, ENTRY, POSITIONS = 12, 5, 4_200_899


def main() -> None:
    parser = argparse.ArgumentParser(description="add the layer of 12 plies to the book of the classic game")
    parser.add_argument("wheel", help="bitbully_databases-0.0.2-py3-none-any.whl")
    parser.add_argument("book", help="the book of the classic game")
    args = parser.parse_args()
    book = Book(args.book).of_game("classic")
    with ZipFile(args.wheel) as wheel:
        values = dict(entries(wheel.read(DATABASE)))
    assert len(values) == POSITIONS
    made = book.made | {"layer": "bitbully-databases 0.0.2, Markus Thill, MIT licence"}
    save_book(args.book, dict(book), book.plies, made, "classic", layer_of(PLIES, values, "classic"))


def entries(database: bytes) -> Iterator[tuple[int, int]]:
    """The key and the score of each entry."""
    for start in range(0, len(database), ENTRY):
        position, value = database[start : start + 4], int.from_bytes(database[start + 4 : start + ENTRY], signed=True)
        score = value_of_win(PLIES + 100 - abs(value)) if value else 0
        yield key_of_entry(int.from_bytes(position)), score if value > 0 else -score


def key_of_entry(bits: int) -> int:
    """The key of a position in 32 bits, the first one the highest."""
    key, place = 0, 31
    for column in range(WIDTH):
        stack, mark = 0, 1
        while bits >> place & 1:
            stack |= mark * (1 - (bits >> place - 1 & 1))
            mark <<= 1
            place -= 2
        place -= 1
        key |= (stack | mark) << BITS * column
    return canonical_key(key)


if __name__ == "__main__":
    main()
