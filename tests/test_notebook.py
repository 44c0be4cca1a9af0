"""The notebook: its cells run, and print what is kept in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parent.parent / "docs" / "tutorials" / "notebook.ipynb"
CELLS = [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]
AFTER_A_CELL = "----- this was a cell -----"


QUICK = [cell for cell in CELLS[:5] if "plt." not in "".join(cell["source"])]


@pytest.mark.parametrize(
    "cells", [QUICK, pytest.param(CELLS, marks=pytest.mark.long)], ids=["those without a plot", "all"]
)
def test_the_cells_print_their_stored_output(tmp_path: Path, cells: list[Any]) -> None:
    """In a plain process: a kernel is slow to install and to start, and what it adds is no business of ours."""
    script = "".join(f"{''.join(cell['source'])}\nprint({AFTER_A_CELL!r})\n" for cell in cells)
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    *printed, rest = done.stdout.split(f"{AFTER_A_CELL}\n")
    assert rest == ""
    kept = ["".join("".join(each.get("text", "")) for each in cell["outputs"]) for cell in cells]
    assert printed == kept, "run make notebook"


def test_each_cell_that_draws_has_its_picture_and_words_for_it() -> None:
    drawing = [cell for cell in CELLS if "plt.show()" in "".join(cell["source"])]
    assert len(drawing) == 3
    for cell in drawing:
        assert cell["metadata"]["alt"]
        assert any("image/png" in output.get("data", {}) for output in cell["outputs"])
