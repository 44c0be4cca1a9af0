"""How players look in plots: a colour and a shape each, and a name that can be drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ...writing.pictures import expect_no_display
from ...writing.safe_text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..summary import Series

#: Okabe and Ito's colours, which people who see colours differently can tell apart; without the yellow, too light here.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9")
SHAPES = ("o", "s", "^", "D", "v", "P", "X", "*")  # one more than colours, so that 56 players differ
FONT = "DejaVu Sans"  # comes with matplotlib
LONGEST = 34  # letters of a name


@dataclass(frozen=True, slots=True)
class Look:
    """What a player is drawn with."""

    number: int  # counted from 1: its lines are called player-1 and so on in an SVG
    name: str
    colour: str
    shape: str


def looks(series: Sequence[Series]) -> list[Look]:
    """A look for each series; where there are several sets of positions, a name has its set with it."""
    mixed = len({each.positions for each in series}) > 1
    return [
        Look(
            number + 1,
            drawable(each.player) + (f", {drawable(each.positions)}" if mixed else ""),
            COLOURS[number % len(COLOURS)],
            SHAPES[number % len(SHAPES)],
        )
        for number, each in enumerate(series)
    ]


def drawable(text: str, longest: int = LONGEST) -> str:
    """A text on one line, not too long, with the numbers of letters that the font does not have."""
    text = one_line(text)
    if len(text) > longest:
        end = longest // 3
        text = f"{text[: longest - end - 1]}…{text[-end:]}"
    text = f" {text}" if text.startswith("_") else text  # matplotlib's legends leave out what begins so
    return "".join(letter if ord(letter) in _letters() else f"\\u{ord(letter):04x}" for letter in text)


@cache
def _letters() -> frozenset[int]:
    expect_no_display()
    from matplotlib.font_manager import findfont, get_font

    return frozenset(get_font(findfont(FONT)).get_charmap())


def size_for(names: Sequence[str]) -> tuple[float, float]:
    """Inches for a plot with as many names in its legend."""
    return 8.0 + 0.075 * max((len(name) for name in names), default=0), max(5.0, 1.0 + 0.25 * len(names))
