"""The options that a tool can set, as UCI declares them."""

from __future__ import annotations

from ..amounts import is_number
from ..errors import BadFile, MaxConnect4Error, shown
from ..resources import processors
from ..search import DEFAULT_EVALUATION, EVALUATIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..book import Book

VARIANTS = {"cfour": "classic", "maxconnect4": "max"}
DEFAULT, NO_BOOK = "<default>", "<none>"
MOST_MEGABYTES = 1 << 16
MOST_THREADS = 1024


class BadOption(MaxConnect4Error, ValueError):
    """An option that there is not, or a value that it does not take."""


class Options:
    """What is set. Each field is an option of the protocol; names are compared without regard to case."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.megabytes = 256
        self.threads = 1
        self.lines = 1
        self.solver = True
        self.overhead = 50  # milliseconds between the tool's clock and ours
        self.book: Book | bool = True
        self._evaluation = DEFAULT

    @property
    def evaluation(self) -> str:
        """What the search takes for the worth of a position at its horizon."""
        return DEFAULT_EVALUATION[self.game] if self._evaluation == DEFAULT else self._evaluation

    def resources(self) -> tuple[int, int]:
        """What the solver may use: memory in bytes, and threads. The search has as much memory again.

        More threads than processors would only keep each other from looking at the clock.
        """
        return self.megabytes << 19, min(self.threads, processors())

    def solving(self) -> tuple[object, ...]:
        """All that a solver depends on."""
        return self.game, self.resources(), self.book

    def declared(self) -> list[str]:
        """The lines that tell a tool what can be set."""
        variant = next(name for name, game in VARIANTS.items() if game == self.game)
        return [
            f"option name UCI_Variant type combo default {variant} {_choices(VARIANTS)}",
            f"option name Hash type spin default {self.megabytes} min 1 max {MOST_MEGABYTES}",
            f"option name Threads type spin default {self.threads} min 1 max {MOST_THREADS}",
            f"option name MultiPV type spin default {self.lines} min 1 max 7",
            f"option name Book type string default {DEFAULT}",
            "option name Solver type check default true",
            f"option name Evaluation type combo default {DEFAULT} {_choices((DEFAULT, *EVALUATIONS))}",
            f"option name Move Overhead type spin default {self.overhead} min 0 max 5000",
        ]

    def set(self, name: str, value: str) -> None:
        """Set an option from the words of a command."""
        match name.lower():
            case "uci_variant":
                self.game = VARIANTS[_one_of(name, value, VARIANTS)]
            case "hash":
                self.megabytes = _number(name, value, 1, MOST_MEGABYTES)
            case "threads":
                self.threads = _number(name, value, 1, MOST_THREADS)
            case "multipv":
                self.lines = _number(name, value, 1, 7)
            case "book":
                self.book = _book(value)
            case "solver":
                self.solver = _one_of(name, value, ("true", "false")) == "true"
            case "evaluation":
                self._evaluation = _one_of(name, value, (DEFAULT, *EVALUATIONS))
            case "move overhead":
                self.overhead = _number(name, value, 0, 5000)
            case _:
                known = "'uci' lists them, and 'setoption name NAME value VALUE' sets one"
                raise BadOption(f"there is no option {shown(name)}: {known}")


def _choices(names: dict[str, str] | tuple[str, ...]) -> str:
    return " ".join(f"var {name}" for name in names)


def _one_of(name: str, value: str, allowed: dict[str, str] | tuple[str, ...]) -> str:
    if value.lower() in allowed:
        return value.lower()
    raise BadOption(f"option {name}: {shown(value)} is not one of {', '.join(allowed)}")


def _number(name: str, value: str, least: int, most: int) -> int:
    if is_number(value) and least <= int(value) <= most:
        return int(value)
    raise BadOption(f"option {name}: {shown(value)} is not a number from {least} to {most}")


def _book(value: str) -> Book | bool:
    from ..book import Book

    if value in ("", DEFAULT, NO_BOOK, "<empty>"):
        return value == DEFAULT
    try:
        return Book(value)
    except BadFile as error:
        raise BadOption(f"option Book: {error}") from None
