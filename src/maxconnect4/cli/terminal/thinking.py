"""How far a search is, which a terminal shows on standard error if it takes long."""

from __future__ import annotations

import time

from .display import Moving

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ...board import Board
    from ...search import Choice

PATIENCE = 1.0  # seconds in which nobody asks what it is doing


def watched_search(search: Callable[..., Choice], board: Board, depth: int | None) -> Choice:
    """Have a search done to some depth, or for some time."""
    left = board.width * board.height - board.pieces()
    with SearchDisplay(depth, left) as display:
        return search(board, watch=display.show, finished=display.keep)


class SearchDisplay(Moving):
    """The plies that are done, the column that was best so far, and the seconds."""

    def __init__(self, depth: int | None, left: int) -> None:
        super().__init__()
        self.start = time.monotonic()
        self.plies = "" if depth is None else f" of {min(depth, left)}"
        self.advice = "" if depth is None or depth < left else "; the depth 'perfect' solves it sooner"
        self.found: Choice | None = None

    def keep(self, found: Choice) -> None:
        """Note what another depth has found."""
        self.found = found

    def show(self) -> None:
        """Show how far the search is, if it takes long."""
        seconds = time.monotonic() - self.start
        if seconds < PATIENCE or self.found is None:
            return
        from rich.text import Text

        text = f"{self.found.depth}{self.plies} plies ahead, column {self.found.column} so far, {seconds:.0f} s"
        self.draw(Text(text + self.advice, no_wrap=True, overflow="ellipsis"))
