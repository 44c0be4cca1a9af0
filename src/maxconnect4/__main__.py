"""`python -m maxconnect4` is the same as `maxconnect4`."""

import sys

from .cli import main

sys.exit(main())
