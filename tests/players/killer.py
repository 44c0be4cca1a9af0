"""Kills whoever runs it, where it finds out who that is."""

import os
import signal

os.kill(os.getppid(), signal.SIGKILL)
