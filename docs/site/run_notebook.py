"""Run a notebook, and keep what its cells print and draw in it: `make notebook`."""

import sys

import nbformat
from nbclient import NotebookClient

path = sys.argv[1]
notebook = nbformat.read(path, as_version=4)
NotebookClient(notebook, timeout=60, record_timing=False, coalesce_streams=True).execute()
notebook.metadata.language_info = {"name": "python"}  # not the version that it was run with
nbformat.write(notebook, path)
