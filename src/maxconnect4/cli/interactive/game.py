"""One game between a person and the computer: the loop of the assignment, and what the person may type."""

from __future__ import annotations

import os

from ...amounts import is_number
from ...board import NAMES, other
from ...errors import BadFile, CannotSave, IllegalMove, did_you_mean, shown, shown_path
from ...files import board_as_text, write_board
from ...levels import LEVELS
from ..arguments import computer_as_told
from ..terminal.keyboard import EndOfInput
from ..terminal.screen import choice_in_words, drop_in_words, folded, result
from .keeping import COMPUTER, HUMAN, Keeper, command_to_go_on, command_to_review, refuse_to_overwrite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...board import Board
    from ..parsing import Arguments
    from ..terminal.keyboard import Keyboard
    from ..terminal.screen import Screen

WORDS = ("undo", "hint", "save", "help", "quit")
HELP = """  1 to 7      drop a piece in that column
  undo        take back your last move and the computer's answer
  hint        what the computer would play in your place
  save FILE   write the position to a file
  q           stop; the position is kept
  help        this list"""


class Game:
    """One game between a person and the computer."""

    def __init__(self, board: Board, args: Arguments, computers_turn: bool, keyboard: Keyboard, screen: Screen) -> None:
        self.board = board
        self.args = args
        self.computer = computer_as_told(args)
        self.keyboard = keyboard
        self.screen = screen
        self.computers_turn = computers_turn
        self.keeper = Keeper(args.save_in)
        self.given = len(board.drops)  # those before the game, which nobody takes back

    def play(self) -> int:
        """The loop of the assignment: the computer and the person in turn until the game is over."""
        try:
            if not self.board.is_over():
                person = other(self.board.to_move) if self.computers_turn else self.board.to_move
                if self.args.level is not None:
                    level = LEVELS[self.board.game][self.args.level - 1]
                    self.screen.say(folded(f"Level {level.number}, {level.name.lower()}: {level.description}"))
                self.screen.say(f"You are {self.screen.name(person)}. Type a column, or help.\n")
            while True:
                self.screen.show(self.board)
                if self.board.is_over():
                    self.screen.say(result(self.board))
                    self._invite_to_review()
                    return 0
                if self.computers_turn:
                    self._computer_moves()
                else:
                    self._person_moves()
                self.computers_turn = not self.computers_turn
        except EndOfInput as end:
            self._leave(str(end))
            return 0
        except KeyboardInterrupt:
            self._leave("")
            raise

    def _computer_moves(self) -> None:
        choice = self.computer.choose(self.board)
        self._drop(choice.column)
        self.screen.say(choice_in_words(choice) + "\n")
        self.keeper.save(self.board, COMPUTER)

    def _person_moves(self) -> None:
        while True:
            answer = self.keyboard.ask(f"Your move, {NAMES[self.board.to_move]}: ")
            try:
                if self._obey(answer):
                    self.keeper.save(self.board, HUMAN)
                    return
            except IllegalMove as refusal:
                self.screen.say(f"{str(refusal).capitalize()}.")
            except (BadFile, CannotSave) as refusal:
                self.screen.say(f"{refusal}.")
            self.keyboard.count_failure()

    def _obey(self, answer: str) -> bool:
        """Do what the person typed; true if that was a move."""
        word, rest = (*answer.split(maxsplit=1), "", "")[:2]
        match word.lower():
            case "":
                self.screen.say("Type a column, or help.")
            case "q" | "quit" | "exit":
                raise EndOfInput("Bye.")
            case "help" | "?":
                self.screen.say(HELP)
            case "hint":
                choice = self.computer.choose(self.board)
                self.screen.say(f"The computer would drop in column {choice.column}.")
            case "undo":
                self._undo()
            case "save":
                self._save_as(rest)
            case _ if is_number(answer):
                self._drop(int(answer))
                self.keyboard.failures = 0
                return True
            case _:
                advice = did_you_mean(word, WORDS) or "help lists what you can type."
                self.screen.say(f"{shown(answer)} is not a column from 1 to {self.board.width}: {advice}")
        return False

    def _drop(self, column: int) -> None:
        self.screen.say(drop_in_words(self.board, column))
        self.keeper.saved_as = ""

    def _undo(self) -> None:
        if len(self.board.drops) < self.given + 2:
            self.screen.say("There is no move of yours to take back.")
            return
        self.board.undo()
        self.board.undo()
        self.keeper.save(self.board, COMPUTER)
        self.screen.show(self.board)

    def _save_as(self, path: str) -> None:
        if path in ("", "-"):
            self.screen.say("Say where: save FILE.")
            return
        if path[0] == path[-1] in "'\"" and len(path) > 2:  # as a shell takes a name with blanks
            path = path[1:-1]
        path = os.path.expanduser(path)
        refuse_to_overwrite(path, "choose another name")
        write_board(self.board, path)
        self.screen.say(f"Saved in {shown_path(path)}.")

    def _invite_to_review(self) -> None:
        if self.board.moves is not None:  # those before a position in a file are not known
            self.screen.say("To see what each move gave away:")
            self.screen.say("  " + command_to_review(self.board))

    def _leave(self, reason: str) -> None:
        if not self.keeper.saved_as:
            self.keeper.save(self.board, HUMAN if self.computers_turn else COMPUTER)
        self.screen.say(reason)
        if self.keeper.saved_as:
            self.screen.say(f"The position is saved in {shown_path(self.keeper.saved_as)}. To go on with it:")
            self.screen.say("  " + command_to_go_on(self.keeper.saved_as, self.computers_turn, self.args))
        else:
            self.screen.say(f"The position, as a file would hold it:\n{board_as_text(self.board)}", end="")
