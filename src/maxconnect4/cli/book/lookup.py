"""What the opening book says of a position: what perfect play comes to, and each column.

The position is a file, a move string such as 44535, or - for standard input; without one it is the empty board. Margins
are points of the side to move less those of the opponent, when the board is full. In the classic game 0 is a draw, n
a win with the n-th last piece counted from the full board, -n such a loss. Of a position with as many pieces as
the book has plies only the value is known. Exit code 1 if the book does not have the position.

Examples:
  maxconnect4 book lookup
  maxconnect4 book lookup 4453 --json
  maxconnect4 book lookup position.txt --book my.book
  maxconnect4 book lookup --game classic
"""

from __future__ import annotations

from ...board import NAMES, Board
from ..arguments import read_position
from ..terminal.screen import complain, signed
from .arguments import add_book, book_as_told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..parsing import Arguments, PlainParser
    from ..terminal.screen import Screen

NOT_THERE = 1


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "position", nargs="?", help="a file, a move string, or - for standard input (default: the empty board)"
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
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
            complain(f"the book ends after {book.plies} plies, and this position has {board.pieces()} pieces")
        elif board.is_over():
            complain("the book does not have this position: the game is over")
        else:
            complain("the book does not have this position: no game leads to it")
        return NOT_THERE
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
    of_play = "Final margin" if book.game == "max" else "Score"
    screen.say(f"{NAMES[board.to_move].capitalize()} is to move. {of_play} with perfect play: {signed(value)}.")
    if scores is not None:
        cells = ["full" if score is None else signed(score) for score in scores]
        screen.say("\ncolumn" + "".join(f"{column:>6}" for column in board.all_columns()))
        screen.say(("margin" if book.game == "max" else "score ") + "".join(f"{cell:>6}" for cell in cells))
    return 0
