"""Makes its move and prints for ever, even when nobody takes it."""

import contextlib
import os

from honest import position_after_move, write

write(position_after_move())
while True:
    with contextlib.suppress(OSError):
        os.write(1, b"flood " * 10_000)
