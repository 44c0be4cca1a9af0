"""Spins a while for each ply; FAILS names depths at which it crashes, HANGS those at which it does not end.

HISTORY is a file in which it notes each depth down.
"""

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
if str(DEPTH) in os.environ.get("HANGS", "").split():
    time.sleep(600)
while time.process_time() < DEPTH * float(os.environ.get("SPIN", "0")):
    pass
write(position_after_move())
