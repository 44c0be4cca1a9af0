"""Makes its move and then falls over."""

import os

from honest import position_after_move, write

write(position_after_move())
os.abort()
