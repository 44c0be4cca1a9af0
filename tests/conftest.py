from __future__ import annotations

from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def exact_positions() -> list[tuple[str, int, list[int | None]]]:
    """Positions with the final margin of perfect play: moves, value, and the score of each column."""
    positions = []
    for line in (DATA / "max_exact.tsv").read_text().splitlines():
        if line.startswith(("#", "moves")):
            continue
        moves, value, *scores = line.split("\t")
        positions.append((moves, int(value), [None if score == "." else int(score) for score in scores]))
    return positions
