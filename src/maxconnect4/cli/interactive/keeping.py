"""The files of a game: where its position is kept, and how to go on with it."""

from __future__ import annotations

import os
import shlex

from ...errors import BadFile, CannotSave, shown_path
from ...files import is_position_file, write_board
from ..terminal.screen import complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...board import Board
    from ..parsing import Arguments

COMPUTER, HUMAN = "computer.txt", "human.txt"


class Keeper:
    """Keeps the position after each move of the computer in one file, after each of the person's in another."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.saved_as = ""  # the file that holds the position on the board, if one does
        self._may_save = True
        for name in (COMPUTER, HUMAN):
            refuse_to_overwrite(self._path(name), "choose another folder with --save-in")

    def save(self, board: Board, name: str) -> None:
        """Save the position, if that can be done."""
        self.saved_as = ""
        try:
            write_board(board, self._path(name))
            self.saved_as = self._path(name)
        except CannotSave as error:  # the game goes on, and its end prints the position instead
            if self._may_save:
                complain(str(error))
            self._may_save = False

    def _path(self, name: str) -> str:
        return os.path.join(self.folder, name)


def refuse_to_overwrite(path: str, advice: str) -> None:
    """Somebody's file that holds something else than a position is never written over."""
    if os.path.isfile(path) and os.path.getsize(path) > 0 and not is_position_file(path):
        raise BadFile(f"{shown_path(path)} is there already and is not a position file: {advice}")


def command_to_go_on(path: str, computer_next: bool, args: Arguments) -> str:
    """The command line that goes on with a position as the game was played."""
    words = ["maxconnect4", "interactive", shown_path(path), "computer-next" if computer_next else "human-next"]
    words += [] if args.depth is None else [str(args.depth)]
    words += [] if args.game == "max" else ["--game", args.game]
    for name in ("time", "level", "eval", "book", "save_in"):
        value = getattr(args, name)
        words += [f"--{name.replace('_', '-')}", f"{value:g}" if name == "time" else str(value)] if value else []
    return shlex.join(words)


def command_to_review(board: Board) -> str:
    """The command line that reviews a game whose moves are known."""
    return f"maxconnect4 review {board.moves}" + ("" if board.game == "max" else f" --game {board.game}")
