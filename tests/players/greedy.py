"""Drops two pieces."""

from honest import position_after_move, with_cell, write

*rows, player = position_after_move()
row = max(row for row in range(6) if rows[row][0] == "0")
write([*with_cell(rows, row, 0, player), player])
