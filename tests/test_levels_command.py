from __future__ import annotations

import json

import pytest
from terminal import maxconnect4

from maxconnect4.board import GAMES
from maxconnect4.levels import LEVELS


@pytest.mark.parametrize("game", GAMES)
def test_every_level_is_listed_with_its_strength(game: str) -> None:
    done = maxconnect4("levels", "--game", game)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[::2] == [f"{level.number}  {level.name}" for level in LEVELS[game]]
    for line, level in zip(lines[1::2], LEVELS[game], strict=True):
        assert level.description in line
        assert f"rating {level.strength.rating:,}" in line


@pytest.mark.parametrize("game", GAMES)
def test_the_levels_as_json(game: str) -> None:
    result = json.loads(maxconnect4("levels", "--game", game, "--json").stdout)
    assert result["game"] == game
    assert [level["rating"] for level in result["levels"]] == [level.strength.rating for level in LEVELS[game]]
