"""Spins a while for each ply of its depth, crashes at the depths that FAILS names, and notes all in HISTORY."""

import os
import sys
import time

from honest import position_after_move, write

DEPTH = int(sys.argv[4])
if "HISTORY" in os.environ:
    with open(os.environ["HISTORY"], "a") as history:
        history.write(f"{DEPTH}\n")
if str(DEPTH) in os.environ.get("FAILS", "").split():
    sys.exit(f"depth {DEPTH} is too deep for me")
while time.process_time() < DEPTH * float(os.environ.get("SPIN", "0")):
    pass
write(position_after_move())
