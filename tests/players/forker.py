"""Makes its move and leaves children behind, which have children."""

import os
import time

from honest import position_after_move, write

write(position_after_move())
ready, started = os.pipe()
for _ in range(3):
    if os.fork() == 0:
        os.fork()
        with open(os.environ["PIDS"], "a") as file:
            file.write(f"{os.getpid()}\n")
        os.write(started, b".")
        time.sleep(1000)
for _ in range(6):
    os.read(ready, 1)
