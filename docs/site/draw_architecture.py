"""Draw docs/pictures/architecture.svg: the rooms of the program, their arrows, and the way of one move.

The arrows are the imports, as they are; those that follow from others are left out. `make pictures` runs it, and a test
checks that the picture is the one of today.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

import grimp

PICTURE = Path(__file__).parent.parent / "pictures" / "architecture.svg"
WIDTH, TOP, LEFT = 1190, 20, 94
ROW, COLUMN, HEIGHT = 66, 136, 44
CORE = "core"

#: Where a room stands: its row, its column, its width, and what is in it.
ROOMS = {
    "cli": (0, 2.3, 560, "the commands; terminal/ is what they show"),
    "curve": (1, 1.1, 150, "a reviewed game, drawn"),
    "sizes": (1, 2.9, 150, "boards of every size"),
    "measuring": (1, 5.2, 200, "CPU time, strength, reports"),
    "adapters": (1, 6.8, 200, "for other people's frameworks"),
    "bookmaking": (2, 1.8, 150, "how a book is made"),
    "web": (2, 4.62, 170, "the page and its server"),
    "referee": (2, 6.33, 260, "programs, matches, tournaments"),
    "review": (3, 1.1, 150, "what moves gave away"),
    "tree": (3, 3.1, 130, "the search, drawn"),
    "levels": (3, 4.2, 150, "weak on purpose"),
    "engine": (4, 0, 130, "UCI and UGI"),
    "players": (4, 3.6, 170, "how the computer chooses"),
    "solver": (5, 1.7, 170, "perfect play"),
    "files": (5, 4.9, 150, "position files"),
    "book": (6, 3, 150, "openings, looked up"),
    "keys": (7, 3.1, 150, "a position as a number"),
    "search": (8, 1.5, 170, "the only way to the core"),
    "outcomes": (8, 3.1, 150, "what a value means"),
    "sampling": (8, 4.4, 140, "positions by chance"),
    "notation": (8, 5.8, 130, "move strings"),
    CORE: (9, 1.5, 300, "C++: the rules on bits, the search, the solvers"),
    "board": (9, 4.2, 200, "the rules, stated plainly"),
}
GROUND = {
    "errors": "what can go wrong",
    "saving": "whole or not at all",
    "reading": "files as data",
    "database": "SQLite, one writer",
    "work": "many processes, Dask",
    "amounts": "of memory and time",
    "writing": "safe texts, pages",
    "resources": "processors, memory",
}
WAY = (
    ("cli", "reads the words, one_move obeys them"),
    ("files", "reads the position, in any shape"),
    ("board", "is the position from here on"),
    ("search", "turns it into two words of bits"),
    (CORE, "deepens a Negamax over its Table"),
    ("board", "drops that column, if the rules allow it"),
    ("files", "writes the position, through saving, whole"),
    ("cli", "draws it on the terminal"),
)
STYLE = """text { font-family: system-ui, "Segoe UI", Roboto, Arial, sans-serif; fill: #1c2127; }
.paper { fill: #fbfbfa; }
.name { font-size: 15px; font-weight: 600; text-anchor: middle; }
.words { font-size: 11px; text-anchor: middle; fill: #59626d; }
.step { font-size: 12.5px; }
.title { font-size: 14px; font-weight: 600; }
.room { fill: #ffffff; stroke: #7b8693; stroke-width: 1.3; }
.room.way { stroke: #1d5bb8; stroke-width: 2.4; }
.floor { fill: #eef1f4; }
.arrow { fill: none; stroke: #a3adb8; stroke-width: 1.3; marker-end: url(#tip); }
.tip { fill: #a3adb8; }
.number { fill: #1d5bb8; }
.digit { font-size: 12px; font-weight: 700; text-anchor: middle; fill: #ffffff; }
@media (prefers-color-scheme: dark) {
  text { fill: #e8ebee; }
  .paper { fill: #14171b; }
  .words { fill: #a7b0ba; }
  .room { fill: #1f242a; stroke: #8893a0; }
  .room.way { stroke: #6ea8ff; }
  .floor { fill: #22272e; }
  .arrow { stroke: #5f6b78; }
  .tip { fill: #5f6b78; }
  .number { fill: #6ea8ff; }
  .digit { fill: #14171b; }
}
"""


def arrows() -> dict[str, set[str]]:
    """For each room those that it imports from, without those that follow from others, and without the ground."""
    graph = grimp.build_graph("maxconnect4", cache_dir=None)
    uses: dict[str, set[str]] = {room: set() for room in ROOMS}
    for module in graph.modules:
        room = _room(module)
        if room not in ROOMS and room not in GROUND and room:
            raise SystemExit(f"{room} has no place in the picture")
        for imported in graph.find_modules_directly_imported_by(module):
            other = _room(imported)
            if room in ROOMS and other in ROOMS and other != room:
                uses[room].add(other)
    return {room: {each for each in found if not _leads(uses, found - {each}, each)} for room, found in uses.items()}


def _room(module: str) -> str:
    name = module.partition(".")[2].partition(".")[0]
    return "" if name in ("__main__", "_core") else name


def _leads(uses: dict[str, set[str]], begin: set[str], end: str) -> bool:
    return any(end in uses[room] or _leads(uses, uses[room], end) for room in begin)


def picture() -> str:
    """The whole picture."""
    below = TOP + 10 * ROW
    shapes = [f'<rect class="paper" width="{WIDTH}" height="{below + 118}"/>']
    shapes += [_arrow(room, other) for room, others in sorted(arrows().items()) for other in sorted(others)]
    shapes.append(_arrow("search", CORE))
    shapes += [_box(room, *_place(room), words) for room, (*_, words) in ROOMS.items()]
    shapes.append(f'<rect class="floor" x="14" y="{below}" width="{WIDTH - 28}" height="104" rx="8"/>')
    title = "The ground: it knows nothing of the game, and everybody may stand on it"
    shapes.append(f'<text class="title" x="28" y="{below + 24}">{title}</text>')
    shapes += [_box(room, 87 + 145 * at, below + 42, 137, words) for at, (room, words) in enumerate(GROUND.items())]
    shapes += _steps()
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {below + 118}" role="img" '
        'aria-label="The rooms of the program from the commands down to the rules, an arrow from each to those it '
        'uses, and the way of one move through them">'
    )
    tip = (
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto" '
        'markerUnits="userSpaceOnUse"><path class="tip" d="M0 0L8 4L0 8z"/></marker>'
    )
    return "\n".join([head, f"<style>{STYLE}</style>", f"<defs>{tip}</defs>", *shapes, "</svg>", ""])


def _steps() -> list[str]:
    """The way of one move: a number on each room that it comes through, and what happens there."""
    left, top = WIDTH - 320, TOP + 3 * ROW + 30
    shapes = [f'<text class="title" x="{left - 10}" y="{top}">The way of one move</text>']
    passed: dict[str, int] = {}
    for number, (room, words) in enumerate(WAY, start=1):
        y = top + 8 + 24 * number
        shapes += [
            _number(number, left, y - 4),
            f'<text class="step" x="{left + 16}" y="{y}">{_name(room)} {words}</text>',
        ]
        x, above, wide = _place(room)
        shapes.append(_number(number, x - wide / 2 + 20 * passed.get(room, 0), above))
        passed[room] = passed.get(room, 0) + 1
    return shapes


def _number(number: int, x: float, y: float) -> str:
    return (
        f'<circle class="number" cx="{x:g}" cy="{y:g}" r="9"/>'
        f'<text class="digit" x="{x:g}" y="{y + 4.2:g}">{number}</text>'
    )


def _name(room: str) -> str:
    return f'<tspan font-weight="600">{room}</tspan>'


def _place(room: str) -> tuple[float, float, float]:
    """The middle, the top and the width of a room."""
    row, column, wide, _ = ROOMS[room]
    return LEFT + COLUMN * column, TOP + ROW * row, wide


def _box(name: str, x: float, y: float, wide: float, words: str) -> str:
    kind = "room way" if name in {room for room, _ in WAY} else "room"
    return (
        f'<rect class="{kind}" x="{x - wide / 2:g}" y="{y:g}" width="{wide}" height="{HEIGHT}" rx="6"/>'
        f'<text class="name" x="{x:g}" y="{y + 19:g}">{escape(name)}</text>'
        f'<text class="words" x="{x:g}" y="{y + 35:g}">{escape(words)}</text>'
    )


def _arrow(room: str, other: str) -> str:
    """From the lower edge of a room to the upper edge of one that it uses, where each is nearest to the other."""
    x, y, wide = _place(room)
    to, down, other_wide = _place(other)
    begin = min(max(to, x - wide / 2 + 14), x + wide / 2 - 14)
    end = min(max(x, to - other_wide / 2 + 14), to + other_wide / 2 - 14)
    y += HEIGHT
    bend = min(40.0, (down - y) / 2)
    curve = f"C{begin:g} {y + bend:g} {end:g} {down - bend:g} {end:g} {down - 1:g}"
    return f'<path class="arrow" d="M{begin:g} {y:g}{curve}"/>'


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
