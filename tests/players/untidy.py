"""Makes its move and leaves folders that are hard to remove, and links to what must stay."""

import os

from honest import position_after_move, write

write(position_after_move())
os.symlink(os.environ["KEEP"], "link")
os.makedirs("closed/inner")
os.symlink(os.environ["KEEP"], "closed/inner/link")
os.chmod("closed/inner", 0)
os.chmod("closed", 0)
os.chmod(".", 0o500)
