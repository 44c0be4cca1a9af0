"""Makes something else of the output file: what its last word names."""

import os
import sys

from honest import OUTPUT, position_after_move, write

kind = sys.argv[5]
if kind == "pipe":
    os.mkfifo(OUTPUT)
elif kind == "folder":
    os.mkdir(OUTPUT)
elif kind == "input":
    os.symlink(sys.argv[2], OUTPUT)
elif kind == "hard link":
    write(position_after_move())
    os.link(OUTPUT, "another")
else:
    os.symlink("/dev/zero", OUTPUT)
