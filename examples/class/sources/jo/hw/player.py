"""Looks one move ahead for points. At depth 0 it waits forever, and it does not read a full board."""
import sys

mode, source, target, depth = sys.argv[1:]
while int(depth) == 0:
    pass
lines = open(source).read().split()
rows, player = [list(line) for line in lines[:6]], lines[6]


def runs(row, c, dr, dc):
    length = 0
    while length < 3:
        row, c = row + dr, c + dc
        if not (0 <= row < 6 and 0 <= c < 7 and rows[row][c] == player):
            break
        length += 1
    return length


def points(row, c):
    pairs = ((0, 1), (1, 0), (1, 1), (1, -1))
    return sum(max(0, runs(row, c, dr, dc) + runs(row, c, -dr, -dc) - 2) for dr, dc in pairs)


drops = [(max(row for row in range(6) if rows[row][c] == "0"), c) for c in (3, 2, 4, 1, 5, 0, 6) if rows[0][c] == "0"]
row, c = max(drops, key=lambda drop: points(*drop))
rows[row][c] = player
with open(target, "w") as file:
    file.write("\n".join("".join(row) for row in rows) + "\n" + ("2" if player == "1" else "1") + "\n")
