"""Writes and prints bytes that mean nothing."""

import os

from honest import OUTPUT

with open(OUTPUT, "wb") as file:
    file.write(bytes(range(256)))
os.write(1, bytes(range(256)))
