"""The board: a list of seven columns, and the points of each drop."""

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def read(path):
    with open(path) as file:
        lines = file.read().split()
    if len(lines) != 7 or any(len(line) != 7 or set(line) - set("012") for line in lines[:6]) or lines[6] not in "12":
        raise ValueError("not a position")
    return [[row[c] for row in reversed(lines[:6]) if row[c] != "0"] for c in range(7)], lines[6]


def write(path, columns, player):
    with open(path, "w") as file:
        for row in range(5, -1, -1):
            file.write("".join(column[row] if row < len(column) else "0" for column in columns) + "\n")
        file.write(player + "\n")


def run_length(columns, c, r, dc, dr, player):
    length = 0
    for _ in range(3):
        c, r = c + dc, r + dr
        if not (0 <= c < 7 and 0 <= r < len(columns[c]) and columns[c][r] == player):
            break
        length += 1
    return length


def fours(columns, c):
    """The points of the last drop in a column."""
    r = len(columns[c]) - 1
    player = columns[c][r]
    runs = (
        run_length(columns, c, r, dc, dr, player) + run_length(columns, c, r, -dc, -dr, player)
        for dc, dr in DIRECTIONS
    )
    return sum(max(0, run - 2) for run in runs)
