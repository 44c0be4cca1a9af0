"""The errors that a caller may expect. Their messages are sentences for people, with the value and the place."""


class MaxConnect4Error(Exception):
    """Anything that goes wrong in this package in an expected way."""


class IllegalMove(MaxConnect4Error, ValueError):
    """A drop that the rules refuse: a full column, no such column, or a game that is over."""


class BadPosition(MaxConnect4Error, ValueError):
    """A board, a file or a move string that is no position of the game."""


class FloatingPiece(BadPosition):
    """A piece above an empty cell, in `column` and `row`."""

    def __init__(self, column: int, row: int) -> None:
        super().__init__(f"the piece in column {column}, row {row} floats above an empty cell")
        self.row = row


class BadFile(MaxConnect4Error, OSError):
    """A file that cannot be read as a position."""


class CannotSave(MaxConnect4Error, OSError):
    """A file that cannot be written."""
