"""Removes the folder that it is in."""

import os
import shutil

shutil.rmtree(os.getcwd())
