"""What a person types, or what a pipe says in a person's place."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from .screen import Screen

LONGEST = 1_000_000  # characters of one line
MOST_FAILURES = 1_000  # answers in a row that are no move, where nobody is watching


class EndOfInput(Exception):
    """There is nothing more to read, or the person wants to stop. The message says which."""


class Keyboard:
    """Asks questions on the screen and reads the answers from standard input, whatever they may be."""

    def __init__(self, stream: TextIO | None, screen: Screen) -> None:
        self.stream = stream
        self.screen = screen
        self.failures = 0
        self._unread: list[str] = []
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="surrogateescape")  # file names may be any bytes

    def ask(self, question: str) -> str:
        """The answer to a question."""
        self.screen.say(question, end="")
        if self.screen.failure:
            raise EndOfInput("Nobody is reading.")
        try:
            answer = self.line()
        except EndOfInput:
            self.screen.say()
            raise
        if self.stream is not None and not self.stream.isatty():
            self.screen.say(shortened(answer))  # a terminal shows what is typed; a transcript should, too
        return answer

    def line(self) -> str:
        """The next line, without blanks around it."""
        if self._unread:
            return self._unread.pop()
        try:
            line = self.stream.readline(LONGEST) if self.stream is not None else ""
        except (OSError, ValueError):
            line = ""
        if not line:
            raise EndOfInput("End of input.")
        if len(line) == LONGEST:
            raise EndOfInput("That line has no end.")
        return line.strip()

    def unread(self, line: str) -> None:
        """Put a line back, to be the next one."""
        self._unread.append(line)

    def count_failure(self) -> None:
        """An endless stream of nonsense ends the game; a person at a terminal may go on for ever."""
        self.failures += 1
        if self.failures >= MOST_FAILURES and self.stream is not None and not self.stream.isatty():
            raise EndOfInput(f"No move in {MOST_FAILURES:,} answers.")


def shortened(text: str) -> str:
    """The beginning of a text, fit to be printed."""
    return "".join(character for character in text[:60] if character.isprintable())
