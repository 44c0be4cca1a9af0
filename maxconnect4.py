"""The command line from a clone of the repository, as the assignment calls it:

    python3 maxconnect4.py one-move input1.txt output.txt 8
    python3 maxconnect4.py interactive input1.txt computer-next 7

Python looks for modules in this folder first, so an import of the package from here also finds this file: it then
imports the installed package in its place.
"""

import os
import sys
from importlib import import_module

FOLDER = os.path.dirname(os.path.abspath(__file__))
PYTHON = os.path.join(FOLDER, ".venv", "bin", "python")


def import_installed(name):
    """Import a module of the installed package."""
    path = sys.path[:]
    sys.modules.pop("maxconnect4", None)
    sys.path[:] = [folder for folder in path if os.path.abspath(folder) != FOLDER]
    try:
        return import_module(name)
    finally:
        sys.path[:] = path


if __name__ != "__main__":
    import_installed("maxconnect4")
else:
    try:
        main = import_installed("maxconnect4.__main__").main
    except ImportError:
        if not os.path.exists(PYTHON) or os.path.realpath(sys.prefix) == os.path.realpath(
            os.path.join(FOLDER, ".venv")
        ):
            sys.exit("maxconnect4.py: the program is not built: run 'make play' or 'pip install .' here first")
        os.execv(PYTHON, [PYTHON, *sys.argv])
    sys.exit(main())
