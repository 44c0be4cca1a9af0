"""Writes the position that it was given."""

import sys

from honest import write

with open(sys.argv[2]) as file:
    write(file.read().split())
