"""A person as a player of a match, in the terminal."""

from __future__ import annotations

import sys

from ...board import NAMES
from ...errors import shown
from ...referee.playing import play
from ...referee.programs.program import Answer
from ...work.tasks import Done
from .keyboard import EndOfInput, Keyboard
from .screen import result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from ...board import Board
    from ...work.tasks import Task
    from .screen import Screen


class WorkersHere:
    """Plays the games one after another in this process, where a person can be asked."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.keyboard = Keyboard(sys.stdin, screen)

    def run(self, tasks: Iterable[Task]) -> Generator[list[Done]]:
        """Play all games: see `Workers`."""
        for task in tasks:
            for fixture in task.items:
                game = fixture.game
                self.screen.say(f"\nGame {game.number}: {game.red} is red, {game.green} is green.\n")
                played = play(fixture, self._ask)
                if played.faults:
                    self.screen.say(f"{played.faults[-1].kind}: {played.faults[-1].detail}")
                board = played.board(fixture.rules.game)
                self.screen.show(board)
                if board.is_over():
                    self.screen.say(result(board))
                yield [Done(fixture, played)]

    def _ask(self, board: Board) -> Answer:
        self.screen.show(board)
        while True:
            answer = self.keyboard.ask(f"Your move, {NAMES[board.to_move]}: ")
            if answer.lower() in ("q", "quit", "exit"):
                raise EndOfInput("Bye.")
            if answer.isascii() and answer.isdigit() and len(answer) < 3 and int(answer) in board.columns():
                return Answer(int(answer), None, (), 0.0)
            columns = ", ".join(map(str, board.columns()))
            self.screen.say(f"{shown(answer)} is not a column with room: choose {columns}, or q to leave.")
            self.keyboard.count_failure()
