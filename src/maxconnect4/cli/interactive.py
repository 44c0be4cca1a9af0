"""Play against the computer in the terminal.

The position after each move of the computer is kept in computer.txt, after each of yours in human.txt. The input is a
position file, a move string such as 44535, or - for standard input; a file that does not exist means the empty board.
Whoever is next takes the side to move. At your turn type a column, or help.

Examples:
  maxconnect4 interactive                              a new game, you first
  maxconnect4 interactive input1.txt computer-next 8   go on from a file, the computer looks 8 plies ahead
  maxconnect4 interactive 44535 human-next --time 2    go on after these moves, two seconds for each move
  maxconnect4 interactive --level 3                    against somebody who overlooks things
  maxconnect4 interactive --game classic               the first four wins; you are O and move first
"""

from __future__ import annotations

import os
import sys

from ..board import HEIGHT, NAMES, WIDTH, Board, other
from ..errors import BadFile, CannotSave, IllegalMove, shown, shown_path
from ..files import board_as_text, board_from_text, is_position_file, read_board, write_board
from ..levels import LEVELS, LevelPlayer
from ..notation import board_from_moves, is_move_string
from . import arguments
from .terminal.keyboard import EndOfInput, Keyboard
from .terminal.screen import Screen, complain, drop_in_words, result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..players import Player
    from .parsing import Arguments, PlainParser

NEXT = {"computer-next": True, "computer-first": True, "human-next": False, "human-first": False}

HELP = """  1 to 7      drop a piece in that column
  undo        take back your last move and the computer's answer
  hint        what the computer would play in your place
  save FILE   write the position to a file
  q           stop; the position is kept
  help        this list"""


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("input_file", nargs="?", help="the position to start from (default: the empty board)")
    parser.add_argument(
        "next",
        nargs="?",
        default="human-next",
        choices=NEXT,
        metavar="computer-next|human-next",
        help="who makes the next move (default: human-next)",
    )
    arguments.add_computer(parser)
    parser.add_argument(
        "--level", type=_level, metavar="N", help="play as one of the levels, 1 (a beginner) to 8, instead of a depth"
    )
    parser.add_argument(
        "--save-in", metavar="FOLDER", default="", help="where computer.txt and human.txt go (default: here)"
    )


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    if args.input_file in NEXT and not os.path.exists(args.input_file):
        return f"the position comes before {args.input_file}: a file (it need not exist), a move string, or -"
    if args.save_in and not os.path.isdir(args.save_in):
        return f"--save-in: there is no folder {shown(args.save_in)}"
    if args.level is not None and (args.depth, args.time, args.eval) != (None, None, None):
        return "give a --level, or how the computer searches, not both"
    return arguments.contradiction(args)


def run(args: Arguments, screen: Screen) -> int:
    """Set the game up and play it."""
    keyboard = Keyboard(sys.stdin, screen)
    board = _starting_board(args, keyboard)
    return Game(board, args, keyboard, screen).play()


def _computer_as_told(args: Arguments) -> Player:
    if args.level is None:
        return arguments.computer_as_told(args)
    from ..solver import Solver

    return LevelPlayer(args.level, args.game, solver=Solver(book=arguments.book_as_told(args)))


def _level(text: str) -> int:
    last = len(LEVELS["max"])
    if text in map(str, range(1, last + 1)):
        return int(text)
    raise arguments.refusal(f"{text[:40]!a} is not a level from 1 to {last}")


def _starting_board(args: Arguments, keyboard: Keyboard) -> Board:
    if args.input_file is None:
        return Board(args.game)
    if args.input_file == "-":
        return _typed_board(keyboard, args.game)
    try:
        return read_board(args.input_file, args.game)
    except FileNotFoundError:
        complain(f"{shown_path(args.input_file)} does not exist: starting from the empty board")
        return Board(args.game)


def _typed_board(keyboard: Keyboard, game: str) -> Board:
    """The position from the first lines of standard input; the lines after it are the person's moves."""
    lines: list[str] = []
    try:
        lines.append(keyboard.line().removeprefix("\ufeff"))
        while len(lines) <= HEIGHT and _may_be_row(lines[0]):
            lines.append(keyboard.line())
            if len(lines) == 2 and not _may_be_row(lines[1]):  # 1212121 is a row of a board, but also seven moves
                keyboard.unread(lines.pop())
                break
    except EndOfInput:
        pass  # too few lines: the reader of positions says so
    if len(lines) == 1 and is_move_string(lines[0]):
        return board_from_moves(lines[0], game)
    return board_from_text("\n".join(lines), "standard input", game)


def _may_be_row(line: str) -> bool:
    return len(line) == WIDTH and set(line) <= set("012")


class Game:
    """One game between a person and the computer."""

    def __init__(self, board: Board, args: Arguments, keyboard: Keyboard, screen: Screen) -> None:
        self.board = board
        self.args = args
        self.computer = _computer_as_told(args)
        self.keyboard = keyboard
        self.screen = screen
        self.computers_turn = NEXT[args.next]
        self.saved_as = ""  # the file that holds the position on the board, if one does
        self.may_save = True
        for name in ("computer.txt", "human.txt"):
            _refuse_to_overwrite(self._path(name), "choose another folder with --save-in")

    def play(self) -> int:
        """The loop of the assignment: the computer and the person in turn until the game is over."""
        try:
            if not self.board.is_over():
                person = other(self.board.to_move) if self.computers_turn else self.board.to_move
                if isinstance(self.computer, LevelPlayer):
                    level = self.computer.level
                    self.screen.say(f"Level {level.number}, {level.name.lower()}: {level.description}")
                self.screen.say(f"You are {self.screen.name(person)}. Type a column, or help.\n")
            while True:
                self.screen.show(self.board)
                if self.board.is_over():
                    self.screen.say(result(self.board))
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
        self.screen.say(arguments.describe(choice) + "\n")
        self._save("computer.txt")

    def _person_moves(self) -> None:
        while True:
            answer = self.keyboard.ask(f"Your move, {NAMES[self.board.to_move]}: ")
            try:
                if self._obey(answer):
                    self._save("human.txt")
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
            case _ if answer.isascii() and answer.isdigit():
                self._drop(int(answer.lstrip("0")[:10] or 0))
                self.keyboard.failures = 0
                return True
            case _:
                self.screen.say(
                    f"{shown(answer)} is not a column from 1 to {self.board.width}; help lists what you can type."
                )
        return False

    def _drop(self, column: int) -> None:
        self.screen.say(drop_in_words(self.board, column))
        self.saved_as = ""

    def _undo(self) -> None:
        if len(self.board.drops) < 2:
            self.screen.say("There is no move of yours to take back.")
            return
        self.board.undo()
        self.board.undo()
        self._save("computer.txt")
        self.screen.show(self.board)

    # Saving

    def _path(self, name: str) -> str:
        return os.path.join(self.args.save_in, name)

    def _save(self, name: str) -> None:
        self.saved_as = ""
        try:
            write_board(self.board, self._path(name))
            self.saved_as = self._path(name)
        except CannotSave as error:  # the game goes on, and its end prints the position instead
            if self.may_save:
                complain(str(error))
            self.may_save = False

    def _save_as(self, path: str) -> None:
        if path in ("", "-"):
            self.screen.say("Say where: save FILE.")
            return
        path = os.path.expanduser(path)
        _refuse_to_overwrite(path, "choose another name")
        write_board(self.board, path)
        self.screen.say(f"Saved in {shown_path(path)}.")

    def _leave(self, reason: str) -> None:
        if not self.saved_as:
            self._save("human.txt" if self.computers_turn else "computer.txt")
        self.screen.say(reason)
        if self.saved_as:
            from shlex import quote

            path = shown_path(self.saved_as)
            following = "computer-next" if self.computers_turn else "human-next"
            game = "" if self.board.game == "max" else f" --game {self.board.game}"
            game += "" if self.args.level is None else f" --level {self.args.level}"
            self.screen.say(f"The position is saved in {path}. To go on with it:")
            self.screen.say(f"  maxconnect4 interactive {quote(path)} {following}{game}")
        else:
            self.screen.say(f"The position, as a file would hold it:\n{board_as_text(self.board)}", end="")


def _refuse_to_overwrite(path: str, advice: str) -> None:
    """Somebody's file that holds something else than a position is never written over."""
    if os.path.isfile(path) and os.path.getsize(path) > 0 and not is_position_file(path):
        raise BadFile(f"{shown_path(path)} is there already and is not a position file: {advice}")
