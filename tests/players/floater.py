"""Puts its piece at the top of a column instead of letting it fall."""

import sys

from honest import with_cell, write

with open(sys.argv[2]) as file:
    *rows, player = file.read().split()
write([*with_cell(rows, 0, 0, player), "2" if player == "1" else "1"])
