"""Makes its move and then does not end, whatever signal it is sent."""

import os
import signal
import time

from honest import position_after_move, write

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
with open(os.environ["PIDS"], "a") as file:
    file.write(f"{os.getpid()}\n")
write(position_after_move())
time.sleep(1000)
