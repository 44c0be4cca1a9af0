"""Makes its move and ends as if it had failed."""

import sys

from honest import position_after_move, write

write(position_after_move())
sys.exit(3)
