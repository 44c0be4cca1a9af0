"""Small labels beside points: where each of them finds room, and which do not."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes

SIZE = 7.5  # points, of the font
MARKER = 7.0  # points, of the square that a marker keeps free
AROUND = ((6, 5), (-6, 5), (6, -6), (-6, -6), (0, 9), (0, -9), (9, 0), (-9, 0), (0, 14), (0, -14))  # points, by liking
SAMPLES = 12  # points of a line between two of its points


@dataclass(frozen=True, slots=True)
class Labelled:
    """A point of a line, in the units of the axes, and what it is called."""

    x: float
    y: float
    text: str
    colour: str


@dataclass(frozen=True, slots=True)
class _Box:
    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: _Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.bottom < other.top and other.bottom < self.top
        )

    def holds(self, x: float, y: float) -> bool:
        return self.left < x < self.right and self.bottom < y < self.top


def label_points(axes: Axes, lines: Sequence[Sequence[Labelled]]) -> None:
    """Write each label where it covers no marker and no other label, and if possible no line; some find no place.

    The ends of lines come first. The limits of the axes have to be set.
    """
    axes.figure.draw_without_rendering()  # type: ignore[union-attr]  # so that the axes have their place
    scale = 72 / axes.figure.dpi
    places = [[_place(axes, point, scale) for point in line] for line in lines]
    markers = [_around(x, y, MARKER, MARKER) for line in places for x, y in line]
    strokes = [sample for line in places for sample in _samples(line)]
    taken: list[_Box] = []
    ends = [(line, place) for line, found in enumerate(lines) for place in {0: 0, len(found) - 1: 0} if found]
    inner = [(line, place) for line, found in enumerate(lines) for place in range(1, len(found) - 1)]
    for line, place in ends + inner:
        point, (x, y) = lines[line][place], places[line][place]
        free = []
        for offset in AROUND:
            box = _around(x + offset[0], y + offset[1], 0.64 * SIZE * len(point.text), SIZE)
            if not any(box.meets(other) for other in (*taken, *markers)):
                free.append((sum(box.holds(*sample) for sample in strokes), offset, box))
        if free and point.text:
            _, offset, box = min(free, key=lambda found: found[0])
            taken.append(box)
            axes.annotate(
                point.text,
                (point.x, point.y),
                offset,
                textcoords="offset points",
                ha="center",
                va="center_baseline",
                fontsize=SIZE,
                color=point.colour,
                in_layout=False,
            )


def _place(axes: Axes, point: Labelled, scale: float) -> tuple[float, float]:
    x, y = axes.transData.transform((point.x, point.y))
    return float(x) * scale, float(y) * scale


def _around(x: float, y: float, width: float, height: float) -> _Box:
    return _Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _samples(line: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    for (x, y), (next_x, next_y) in pairwise(line):
        for number in range(SAMPLES):
            share = number / SAMPLES
            yield x + share * (next_x - x), y + share * (next_y - y)
