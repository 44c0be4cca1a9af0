"""Descriptions of the evaluation functions: in a sentence, for a full board, and with a justification in Markdown."""

#: The value of a leaf, from the point of view of the player who searches.
EVALUATION_DESCRIPTIONS = {
    "best": "a prediction of the final margin, in hundredths of a point",
    "lines": "1000, 50 or 10 for each window with four, three or two own pieces and the rest empty, minus the "
    "same for the opponent",
    "margin": "own points minus the opponent's",
    "sign": "999 with more points than the opponent, -999 with fewer, 0 with equal points",
    "table": "own points, plus the number of windows through each own piece, minus the same for the opponent's pieces",
    "table138": "138, plus the number of windows through each green piece, minus the same for red, plus twice the own "
    "points, minus the opponent's",
    "windows": "100000, 1000, 100 or 10 for each window with four, three, two or one own pieces and the rest empty, "
    "minus the same for the opponent, plus 5 for each empty window",
}

#: The value of a full board.
FULL_BOARD_VALUES = {
    "best": "the margin",
    "lines": "1,000,000, -1,000,000 or 0",
    "margin": "the margin",
    "sign": "1000 x margin + 500 x margin in threes",
    "table": "the same",
    "table138": "the same",
    "windows": "the same",
}

WINDOW = "A *window* is one of the 69 sets of four consecutive cells."

TABLE = """
    3  4  5  7  5  4  3
    4  6  8 10  8  6  4
    5  8 11 13 11  8  5
    5  8 11 13 11  8  5
    4  6  8 10  8  6  4
    3  4  5  7  5  4  3
"""

#: Definitions and justifications for reports, in Markdown.
EVALUATION_TEXTS = {
    "best": """
The evaluation `best` predicts the final margin in hundredths of a point. It is based on parity. Label the cells of
each column from the top: upper, lower, upper, lower and so on. Green makes the last move of the game and can answer
every move in the same column, so green tends to get the upper cells and red the lower ones. An upper cell that can be
played immediately is a *single*: the first player to move there gets it. The value for green is the negative of the
value for red, which has three parts:

- **The points on the board**: red's minus green's, 100 for each point.
- **A sum over the open windows**, which hold pieces of at most one colour. Each window adds the weight of its class.
  The class depends on the player, on whether the window is vertical, and on the number of its lower, upper and single
  empty cells. If only one cell is empty, it also depends on the player to move, and on whether a lower cell can be
  played immediately. Another weight is added for the player to move. The 58 weights were fitted by least squares to
  the exact values of 81,460 positions.
- **A bound** on red's further gain. If green answers every move in the same column, red gets all lower cells and green
  all upper ones, and both take the singles in turn with best play. Green can force this, so red cannot gain more. The
  sum is reduced smoothly so that it stays below the bound. With more than five singles there is no bound.

The justification is that each part reflects the rules. Points on the board are permanent. The weight of an open window
is its value in solved positions, which depends on the player who will get its empty cells and not only on their
number. A gain that the opponent can certainly prevent does not count.
""",
    "lines": f"""
The evaluation `lines` counts chances to score. {WINDOW} A window with pieces of only one
colour counts 1000 with four pieces, 50 with three and 10 with two. Windows with one piece or none do not count, and
windows with both colours can never score. The value is the sum over the player's own windows minus the sum over the
opponent's. A full board has the value 1,000,000 for a win, -1,000,000 for a loss and 0 for a draw.

The justification is that every point is a completed window, that three pieces are closer to a point than two, and that
a four on the board outweighs several chances. The evaluation ignores which player will get the empty cell of a
window.
""",
    "margin": """
The evaluation `margin` is the margin on the board: the points of the player who searches minus those of the opponent.
The value of a full board is the same.

The justification is that the margin decides the game and that points are permanent. The evaluation ignores all chances
of further points: only a deeper search finds them.
""",
    "sign": """
The evaluation `sign` states which player is ahead: 999 if the player who searches has more points, -999 if the
opponent has more, 0 if the points are equal. The value of a full board is 1000 times the margin, plus 500 times the
margin in threes. A three is a run of three consecutive own cells in any direction.

The justification is that the player who is ahead wins. The size of the lead does not count before the board is full, so
the search may prefer a smaller lead to a larger one.
""",
    "table": f"""
The evaluation `table` assigns a weight to every cell. The weight of a cell is the number of windows through it:
{TABLE}
The value is the number of own points, plus the weight of each own piece, minus the weight of each piece of the
opponent. The opponent's points do not count. The value of a full board is the same.

The justification is that a piece near the centre is part of more windows, so it helps to make and to prevent more
points. However, a point counts only as much as the smallest difference in the table, so the evaluation prefers good
cells to points.
""",
    "table138": f"""
The evaluation `table138` assigns to every cell the number of windows through it as its weight:
{TABLE}
The value is 138, plus the weights of green's pieces, minus the weights of red's pieces, plus twice the own points,
minus the opponent's points. The value of a full board is the same. 138 is half of the sum of the table.

The justification is that a piece near the centre is part of more windows. The weights always favour green, even if red
searches: as red, the evaluation prefers the cells at the edge.
""",
    "windows": f"""
The evaluation `windows` counts chances to score. {WINDOW} A window with own pieces and otherwise
empty cells adds 100,000 with four pieces, 1000 with three, 100 with two and 10 with one. The opponent's windows
subtract the same amounts. An empty window adds 5, and a window with both colours adds nothing. The value of a full
board is the same.

The justification is that each additional piece brings a window closer to a point. The factor of ten for each piece (a
hundred for the last) ensures that a few worse chances do not outweigh a better one. The evaluation ignores which player
will get the empty cells.
""",
}
