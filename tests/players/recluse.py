"""Locks the folder that it is in."""

import os

os.chmod(".", 0)
