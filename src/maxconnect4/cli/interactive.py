"""Play against the computer in the terminal.

On your turn, enter a column, or help for the other commands. The position is saved in computer.txt after each move of
the computer, and in human.txt after each of your moves. Quitting writes nothing, and prints the command that resumes
the game.

The input is a position file, a move string such as 44535, or - for standard input; a file that does not exist means the
empty board. Without a position, a new game starts. With human-next you play the side to move, and with computer-next
the other side.

Examples:
  maxconnect4 interactive                              a new game, you first
  maxconnect4 interactive computer-next                a new game, the computer first
  maxconnect4 interactive input1.txt computer-next 8   continue from a file, the computer at depth 8
  maxconnect4 interactive 44535 human-next --time 2    continue after these moves, two seconds per move
  maxconnect4 interactive --level 3                    against a weaker opponent
  maxconnect4 interactive --game classic               the first four wins; you are O and move first
"""

from __future__ import annotations

import os
import shlex
import sys
from argparse import ArgumentParser, Namespace

from ..board import HEIGHT, WIDTH, Board, opponent, result_text
from ..errors import CannotSave, did_you_mean, quote
from ..formatting import is_number
from ..levels import LEVELS
from ..notation import board_from_moves, is_move_string
from ..position_file import board_as_text, board_from_text, write_board
from . import UsageError, options
from .options import player_from_args
from .terminal import (
    EndOfInput,
    Keyboard,
    MovePrompt,
    Screen,
    check_overwritable,
    choice_text,
    play_move,
    print_error,
    program,
    wrap,
)

COMPUTER, HUMAN = "computer.txt", "human.txt"


class AutoSave:
    """Saves the position after each move of the computer in one file, after each of the user's in another."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.saved_as = ""  # file with the position on the board, if it is saved
        self._may_save = True
        for name in (COMPUTER, HUMAN):
            check_overwritable(self._path(name), "choose another folder with --save-in")

    def save(self, board: Board, name: str) -> None:
        """Save the position, if possible; otherwise the game continues."""
        self.saved_as = ""
        try:
            write_board(board, self._path(name))
            self.saved_as = self._path(name)
        except CannotSave as error:
            if self._may_save:
                print_error(str(error))
            self._may_save = False

    def _path(self, name: str) -> str:
        return os.path.join(self.folder, name)


def resume_command(source: str, computer_next: bool, args: Namespace) -> str:
    """The command line that resumes the game from a move string or a position file."""
    words = ["interactive", source, "computer-next" if computer_next else "human-next"]
    words += [] if args.depth is None else [str(args.depth)]
    words += [] if args.game == "max" else ["--game", args.game]
    for name in ("time", "level", "eval", "book", "save_in"):
        value = getattr(args, name)
        words += [f"--{name.replace('_', '-')}", f"{value:g}" if name == "time" else str(value)] if value else []
    return f"{program()} {shlex.join(words)}"


def review_command(board: Board) -> str:
    """The command line that reviews a game whose moves are known."""
    return f"{program()} review {board.moves}" + ("" if board.game == "max" else f" --game {board.game}")


def starting_board(args: Namespace, keyboard: Keyboard) -> Board:
    """The position of the command line; a file that does not exist means the empty board."""
    if args.input_file is None:
        return Board(args.game)
    if args.input_file == "-":
        return _board_from_input(keyboard, args.game)
    return options.read_position_or_start(args.input_file, args.game)


def _board_from_input(keyboard: Keyboard, game: str) -> Board:
    """The position from the first lines of standard input; the lines after it are the user's moves."""
    lines: list[str] = []
    try:
        lines.append(keyboard.read_line().removeprefix("\ufeff"))
        while len(lines) <= HEIGHT and _may_be_row(lines[0]):
            lines.append(keyboard.read_line())
            if len(lines) == 2 and not _may_be_row(lines[1]):  # 1212121 is a row of a board, but also seven moves
                keyboard.push_back(lines.pop())
                break
    except EndOfInput:
        pass  # too few lines: an error of board_from_text
    if len(lines) == 1 and is_move_string(lines[0]):
        return board_from_moves(lines[0], game)
    return board_from_text("\n".join(lines), "standard input", game)


def _may_be_row(line: str) -> bool:
    return len(line) == WIDTH and set(line) <= set("012")


class InteractiveGame:
    """A game between the user and the computer."""

    def __init__(self, board: Board, args: Namespace, computers_turn: bool, keyboard: Keyboard, screen: Screen) -> None:
        self.board = board
        self.args = args
        self.computer = player_from_args(args)
        self.first_ply = len(board.drops)
        self.prompt = MovePrompt(keyboard, screen, self.computer, self.first_ply)
        self.screen = screen
        self.computers_turn = computers_turn
        self.autosave = AutoSave(args.save_in)

    def play(self) -> int:
        """Let the computer and the user move in turn until the game is over."""
        try:
            if not self.board.is_over():
                user = opponent(self.board.to_move) if self.computers_turn else self.board.to_move
                if self.args.level is not None:
                    level = LEVELS[self.board.game][self.args.level - 1]
                    self.screen.print(wrap(f"Level {level.number}, {level.name.lower()}: {level.description}"))
                self.screen.print(f"You are {self.screen.player_name(user)}. Enter a column, or help.\n")
            self.screen.print_board(self.board)
            while not self.board.is_over():
                if self.computers_turn:
                    self._computer_moves()
                else:
                    self._user_moves()
            self.screen.print(result_text(self.board))
            if self.board.moves is not None:  # moves before a position in a file are unknown
                self.screen.print(f"To review the game:\n  {review_command(self.board)}")
            return 0
        except EndOfInput as end:
            self._leave(str(end))
            return 0
        except KeyboardInterrupt:
            self._leave("")
            raise

    def _computer_moves(self) -> None:
        choice = self.computer.choose(self.board)
        self._drop(choice.column, COMPUTER)
        self.screen.print(choice_text(choice) + "\n")
        self.screen.print_board(self.board)

    def _user_moves(self) -> None:
        column = self.prompt.ask(self.board)
        if column is None:
            self.board.undo()
            self.board.undo()
            self.autosave.saved_as = ""
        else:
            self._drop(column, HUMAN)
        self.screen.print_board(self.board)

    def _drop(self, column: int, file: str) -> None:
        self.screen.print(play_move(self.board, column))
        self.computers_turn = not self.computers_turn
        self.autosave.save(self.board, file)

    def _leave(self, reason: str) -> None:
        self.screen.print(reason)
        if self.board.moves:
            self.screen.print(f"Moves of the game: {self.board.moves}")
        if source := self._resumes_from():
            self.screen.print(f"To resume it:\n  {resume_command(source, self.computers_turn, self.args)}")
        elif self.board.pieces():
            self.screen.print(f"The position in the format of a file:\n{board_as_text(self.board)}", end="")

    def _resumes_from(self) -> str:
        """The move string or the file with the position on the board; "" if there is neither."""
        if self.board.moves is not None:
            return self.board.moves
        if len(self.board.drops) == self.first_ply and self.args.input_file != "-":
            return str(self.args.input_file)
        return self.autosave.saved_as


NEXT = {"computer-next": True, "computer-first": True, "human-next": False, "human-first": False}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("input_file", nargs="?", help="position to start from (default: the empty board)")
    parser.add_argument(
        "next",
        nargs="?",
        type=_next_or_depth,
        metavar="computer-next|human-next",
        help="player of the next move (default: human-next)",
    )
    options.add_computer(parser)
    parser.add_argument(
        "--save-in",
        metavar="FOLDER",
        default="",
        help="folder for computer.txt and human.txt (default: working folder)",
    )


def check_arguments(args: Namespace) -> None:
    _shift_words(args)
    if args.save_in and not os.path.isdir(args.save_in):
        raise UsageError(f"--save-in: there is no folder {quote(args.save_in)}")
    options.check_computer(args)


def run(args: Namespace, screen: Screen) -> int:
    keyboard = Keyboard(sys.stdin, screen)
    board = starting_board(args, keyboard)
    return InteractiveGame(board, args, NEXT[args.next], keyboard, screen).play()


def _shift_words(args: Namespace) -> None:
    """Assign the arguments of a line without the position or the next player to their names."""
    words = [args.input_file, args.next, args.depth]
    if args.input_file is not None and not os.path.exists(args.input_file):
        if args.input_file in NEXT:
            words.insert(0, None)
        elif args.input_file.startswith(("computer-", "human-")):
            raise UsageError(_not_next(args.input_file))
    if words[1] is not None and words[1] not in NEXT:
        words.insert(1, None)
    position, who, depth, *left = words
    if depth in NEXT or any(word is not None for word in left):
        raise UsageError("give the position first, then computer-next or human-next, then the depth")
    if who is depth is None and _looks_like_depth(position):
        print_error(
            f"{position} is interpreted as a position; for the depth: {program()} interactive human-next {position}"
        )
    vars(args).update(input_file=position, next=who or "human-next", depth=depth)


def _looks_like_depth(position: str | None) -> bool:
    return position == options.PERFECT or (
        position is not None and is_number(position) and int(position) <= WIDTH * HEIGHT and len(position) < 3
    )


def _next_or_depth(text: str) -> str | int:
    if text in NEXT:
        return text
    if options.is_depth(text):
        return options.depth_from(text)
    raise ValueError(_not_next(text))


def _not_next(text: str) -> str:
    advice = did_you_mean(text, NEXT) or "use computer-next or human-next, before the depth"
    return f"{quote(text)} is not a next player: {advice}"
