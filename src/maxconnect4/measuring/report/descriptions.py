"""The built-in players in words: what a report says of their search and of their evaluation, in Markdown."""

from __future__ import annotations

from ...levels import LEVELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...referee.entrants import BuiltIn

_SEARCH = """
The program chooses by depth-limited minimax. The depth is the number of plies that it looks ahead, its own move
being the first. At the horizon the evaluation says what the position is worth for the player who searches; that
player's moves take the largest value, the opponent's the smallest. Alpha-beta pruning, the order in which moves are
tried and a table of positions that were met before change only the time, never the move: it is the one that plain
minimax would choose. Of moves of equal value it plays the one nearest the centre, the left one of two as near.
Depth 0 looks at nothing and plays the legal column nearest the centre.
"""

_ENDS = {
    "max": """
The game goes on until the board is full, so all leaves of a search have the same number of pieces. If the depth
reaches the end of the game, the value is the true final margin, whatever the evaluation, and the play is perfect.
""",
    "classic": """
In this game a four ends the search: it is a win or a loss, whatever the evaluation, and a sooner win is worth more.
The evaluation was made for the game that goes on until the board is full, and is used as it is there.
""",
}

#: The search, by the game.
SEARCH = {game: _SEARCH + end for game, end in _ENDS.items()}

LINE = "A *line* is one of the 69 places where four can be in a row."

TABLE = """
    3  4  5  7  5  4  3
    4  6  8 10  8  6  4
    5  8 11 13 11  8  5
    5  8 11 13 11  8  5
    4  6  8 10  8  6  4
    3  4  5  7  5  4  3
"""

EVALUATIONS = {
    "best": """
The evaluation `best` predicts the final margin in hundredths of a point. It rests on parity. Count the cells of
each column from the top: upper, lower, upper, lower and so on. Green, who makes the last move of the game, can
answer every drop with one on top of it, and so tends to get the upper cells; red gets the lower ones. An upper cell
that can be played at once is a *single*: it goes to whoever is there first. The value for red, of which green's is
the negative, is made of three parts:

- **The points on the board**, red's less green's, each worth 100.
- **A sum over the open lines**, those places for a four that hold pieces of one colour at most. Each adds a weight by
  its class: whose it is, whether it is upright, and how many of its empty cells are lower, upper and single. If
  only one cell is empty, it also counts whose turn it is and whether a lower cell can be played at once. A weight
  for whose turn it is is added. The 58 weights were fitted by least squares to the exact values of 81,460
  positions.
- **A bound** on what red can still gain. If green answers every drop in the same column, all lower cells go to red
  and all upper ones to green, and the singles are taken in turn, as well as each can. Green can force that, so red
  never gains more. The sum is bent so that it stays below the bound, with the corner rounded. With more than five
  singles there is no bound.

The justification is that each part says something that is true of the game. Points on the board stay. An open
line is worth what such lines brought in positions that were solved, and that depends on who will get its empty
cells, not on how many there are alone. And a gain that the opponent can prevent for certain is not counted.
""",
    "lines": f"""
The evaluation `lines` counts chances. {LINE} One that holds pieces of a single colour, the rest being empty,
counts 1000 with four of them, 50 with three and 10 with two; lines with one piece or none do not count, and those
with both colours can never score. The value is the sum over the own lines less that over the opponent's. On a
full board it is 1,000,000 for a win, -1,000,000 for a loss and 0 for a draw.

The justification is that every point of the game is such a line filled, that three pieces are nearer to a point
than two, and that a four on the board outweighs any few chances of one. It does not see who will get the empty cell
of a line.
""",
    "margin": """
The evaluation `margin` is the margin on the board: the points that the player who searches has, less the
opponent's. A full board is worth the same.

The justification is that this is what the game counts in the end, and that points once made stay. It sees nothing
of what is about to be made: all that it knows beyond the board, it knows by looking deeper.
""",
    "sign": """
The evaluation `sign` tells who is ahead: 999 if the player who searches has more points, -999 if the opponent has,
0 if they have as many. A full board is worth 1000 for each point of the margin and 500 for each point of the margin
in threes, where three consecutive own cells in any direction are a three.

The justification is that being ahead is what wins. By how much does not count before the board is full, so of two
drops that both lead it may well take the one that makes fewer points.
""",
    "table": f"""
The evaluation `table` says where pieces are good. Each cell is worth the number of lines of four that run through
it:
{TABLE}
The value is the number of own points, plus the table's number for each own piece, less that for each piece of the
opponent. The opponent's points are not counted. A full board is worth the same.

The justification is that a piece near the centre takes part in more lines, so that it helps to make more points and
stands in the way of more. A point counts no more than the smallest step in the table, though, so it would rather
stand well than score.
""",
    "table138": f"""
The evaluation `table138` says where pieces are good, by a table with the number of lines of four through each cell:
{TABLE}
The value is 138, plus the table's numbers over green's pieces, less those over red's, plus twice the own points,
less the opponent's points. A full board is worth the same. 138 is half of the sum of the table.

The justification is that a piece near the centre takes part in more lines. The table is always read in favour of
green, whoever searches: playing red, it drives its own pieces to the edge.
""",
    "windows": f"""
The evaluation `windows` counts chances. {LINE} It adds 100,000 for each with four own pieces, 1000 for three and
an empty cell, 100 for two and two empty ones, 10 for one and three, and 5 for each that is wholly empty. Lines of
the opponent subtract 100,000, 1000, 100 and 10 likewise; those with both colours count nothing. A full board is
worth the same.

The justification is that each further piece of a line brings it nearer to a point, and ten times as much each
time (a hundred times for the last) makes sure that a better chance is not given up for a few worse ones. It does
not see who will get the empty cells.
""",
}

PERFECT = """
The player `perfect` needs no evaluation: it solves the position, from the opening book or by a search to the end of
the game, and plays a move that keeps the best result that can be forced. Its regret is 0.
"""

RANDOM = """
The player `random` has no evaluation: it drops into any column that is not full, each with the same chance.
"""

TIME = """
It looks one ply ahead, then two, and so on, until its time for the move, {seconds:g} s by the clock, is over, and
plays the move of the deepest search that it has finished.
"""

LEVEL = """
The player `level:{number}` is level {number} of {last}, *{name}*, one of those that play as people do.
It {description}
"""


def description(player: BuiltIn, game: str = "max") -> str:
    """How a built-in player judges positions of a game, in Markdown."""
    if player.kind == "perfect":
        return PERFECT
    if player.kind == "random":
        return RANDOM
    if player.kind == "level":
        level = LEVELS[game][player.level - 1]
        last, described = len(LEVELS[game]), level.description[:1].lower() + level.description[1:]
        return LEVEL.format(number=level.number, last=last, name=level.name, description=described)
    if player.kind == "time":
        return EVALUATIONS[player.evaluation] + TIME.format(seconds=player.seconds)
    return EVALUATIONS[player.evaluation]


def searches(player: BuiltIn) -> bool:
    """Whether `SEARCH` is about it."""
    return player.kind in ("depth", "time")
