"""Has children think, each for less than the limit, and all together for more."""

import os
import time

from honest import position_after_move, write

for _ in range(3):
    if os.fork() == 0:
        while time.process_time() < 0.5:
            pass
        os._exit(0)
    os.wait()
write(position_after_move())
