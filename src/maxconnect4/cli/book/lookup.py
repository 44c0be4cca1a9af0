"""What the opening book says of a position: what perfect play comes to, and each column.

The position is a file, a move string such as 44535, or - for standard input; without one it is the empty board. Margins
are points of the side to move less those of the opponent, when the board is full. In the classic game there are
scores, as 'analyse' has them. Of a position with as many pieces as
the book has plies only the value is known. Exit code 1 if the book does not have the position.

Examples:
  maxconnect4 book lookup
  maxconnect4 book lookup 4453 --json
  maxconnect4 book lookup position.txt --book my.book
  maxconnect4 book lookup --game classic
"""

from __future__ import annotations

from ...board import Board
from .. import FAILURE
from ..arguments import add_position, read_position
from ..terminal.screen import complain
from ..terminal.worth import columns_text, value_in_words
from .arguments import add_book, book_as_told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..parsing import Arguments, PlainParser
    from ..terminal.screen import Screen


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    add_position(parser)
    parser.add_argument("--json", action="store_true", help="print one line of JSON instead of the board")
    add_book(parser)


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    return None


def run(args: Arguments, screen: Screen) -> int:
    """Look a position up."""
    book = book_as_told(args)
    board = Board(book.game) if args.position is None else read_position(args.position, book.game)
    value, scores = book.value(board), book.scores(board)
    if value is None:
        if board.pieces() > book.plies:
            there_is = f"the book ends after {book.plies} plies, and this position has {board.pieces()} pieces"
            complain(f"{there_is}: 'maxconnect4 analyse' solves it")
        elif board.is_over():
            complain("the book does not have this position: the game is over")
        else:
            complain("the book does not have this position: no game leads to it")
        return FAILURE
    if args.json:
        import json

        facts = {
            "game": book.game,
            "moves": board.moves,
            "to_move": board.to_move,
            "value": value,
            "scores": scores,
            "source": "book",
        }
        screen.say(json.dumps(facts))
        return 0
    screen.show(board)
    screen.say(value_in_words(board, value))
    if scores is not None:
        screen.say(f"\n{columns_text(board, scores)}")
    return 0
