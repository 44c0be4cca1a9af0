"""Falls over."""

import os
import sys

print("I am about to fall over", file=sys.stderr, flush=True)
os.abort()
