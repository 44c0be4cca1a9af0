"""Makes its move and leaves a process behind that has gone away from its parents, its session and its group."""

import os
import time

from honest import position_after_move, write

write(position_after_move())
ready, started = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setsid()
        os.chdir("/")
        with open(os.environ["PIDS"], "a") as file:
            file.write(f"{os.getpid()}\n")
        os.write(started, b".")
        time.sleep(1000)
    os._exit(0)
os.read(ready, 1)
