"""Fixtures of the sandbox tests: a folder for commands, and this process as a subreaper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from maxconnect4.referee import sandbox


@pytest.fixture
def orphans_are_adopted() -> Iterator[None]:
    """This process is a subreaper, as a worker that runs programs."""
    sandbox.become_subreaper()
    yield
    sandbox.become_subreaper(False)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A folder for commands."""
    path = tmp_path / "folder"
    path.mkdir()
    return str(path)
