"""Where the commands of a test run, while what they leave behind is adopted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from maxconnect4.referee.programs import sandbox


@pytest.fixture
def orphans_are_adopted() -> Iterator[None]:
    """As in a process that runs programs and does nothing else."""
    sandbox.adopt_orphans()
    yield
    sandbox.adopt_orphans(False)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A folder for commands."""
    path = tmp_path / "folder"
    path.mkdir()
    return str(path)
