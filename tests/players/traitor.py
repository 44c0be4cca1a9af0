"""Drops a piece of the opponent."""

import sys

from honest import with_cell, write

with open(sys.argv[2]) as file:
    *rows, player = file.read().split()
row = max(row for row in range(6) if rows[row][0] == "0")
other = "2" if player == "1" else "1"
write([*with_cell(rows, row, 0, other), other])
