"""Makes a legal move, but writes the position to another file than the one of the command."""
import sys

lines = open(sys.argv[2]).read().split()
rows, player = [list(line) for line in lines[:6]], lines[6]
column = next(c for c in (3, 2, 4, 1, 5, 0, 6) if rows[0][c] == "0")
row = max(row for row in range(6) if rows[row][column] == "0")
rows[row][column] = player
with open("result.txt", "w") as file:
    file.write("\n".join("".join(row) for row in rows) + "\n" + ("2" if player == "1" else "1") + "\n")
