"""Archives of submissions for the tests, and short programs for them."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from external_programs import PLAYERS

#: A program that starts fast, makes legal moves and searches nothing.
HONEST = (PLAYERS / "honest.sh").read_text()


def zipped(files: dict[str, str | bytes]) -> bytes:
    """A zip archive of files by name."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()


def write_zip(path: Path, files: dict[str, str | bytes]) -> Path:
    """Write a zip archive."""
    path.write_bytes(zipped(files))
    return path


def fast_settings(folder: Path) -> None:
    """Change the settings of a class to a short check, and the commands to depth 1."""
    path = folder / "class.toml"
    text = path.read_text()
    for before, after in (
        ("depth = 4 ", "depth = 1 "),
        ("deepest = 6", "deepest = 1"),
        ("positions = 40", "positions = 1"),
    ):
        assert before in text
        text = text.replace(before, after)
    path.write_text(text.replace("games = 10", "games = 0"))
