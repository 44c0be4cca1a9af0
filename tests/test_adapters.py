"""What all adapters have in common."""

from __future__ import annotations

import importlib
import subprocess
import sys

import numpy as np
import pytest

from maxconnect4 import GREEN, RED, board_from_moves
from maxconnect4.adapters.common import action_mask, observation_planes, render_pixels, reward
from maxconnect4.errors import PackageMissing

FRAMEWORKS = {
    "pettingzoo_env": ("pettingzoo", "pettingzoo"),
    "gymnasium_env": ("gymnasium", "gymnasium"),
    "openspiel_game": ("pyspiel", "openspiel"),
}


@pytest.mark.parametrize("module", FRAMEWORKS)
def test_a_missing_framework_is_one_line_with_the_package_to_install(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    package, extra = FRAMEWORKS[module]
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"maxconnect4.adapters.{module}", raising=False)
    with pytest.raises(PackageMissing) as refusal:
        importlib.import_module(f"maxconnect4.adapters.{module}")
    assert str(refusal.value) == f"{package} is not installed: pip install 'maxconnect4[{extra}]'"


def test_nothing_of_ours_imports_a_framework_unless_its_adapter_is_asked_for() -> None:
    names = ["gymnasium", "pettingzoo", "pyarrow", "pyspiel"]
    program = "import sys, maxconnect4.cli, maxconnect4.adapters.common, maxconnect4.benchmark.datasets\n"
    program += f"print([name for name in {names} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_planes_have_the_top_row_first_and_the_own_pieces_before_the_others() -> None:
    board = board_from_moves("445")
    own, others = np.moveaxis(observation_planes(board, RED), 2, 0)
    assert [list(map(int, place)) for place in np.argwhere(own)] == [[5, 3], [5, 4]]
    assert [list(map(int, place)) for place in np.argwhere(others)] == [[4, 3]]
    assert np.array_equal(observation_planes(board, GREEN), observation_planes(board, RED)[:, :, ::-1])


def test_a_full_column_has_no_room() -> None:
    assert action_mask(board_from_moves("222222")).tolist() == [1, 0, 1, 1, 1, 1, 1]


def test_the_picture_has_the_colours_of_the_pieces_where_they_are() -> None:
    pixels = render_pixels(board_from_moves("17"))
    height, width, _ = pixels.shape
    (red, _, green), blue = (pixels[-height // 12, width * at // 14] for at in (1, 7, 13)), pixels[0, 0]
    assert (red.argmax(), green.argmax(), blue.argmax()) == (0, 1, 2)


@pytest.mark.parametrize(
    ("game", "moves", "winner", "margin"),
    [("classic", "1212121", 1, 1), ("classic", "121212", 0, 0), ("max", "1212121", 0, 0)],
)
def test_rewards_come_at_the_end_of_a_game(game: str, moves: str, winner: int, margin: int) -> None:
    board = board_from_moves(moves, game)
    assert [reward(board, RED, "winner"), reward(board, GREEN, "winner")] == [winner, -winner]
    assert [reward(board, RED, "margin"), reward(board, GREEN, "margin")] == [margin, -margin]


def test_a_game_of_max_is_worth_its_winner_or_its_margin() -> None:
    board = board_from_moves("257771314744647214174561532615222663563533")
    assert (reward(board, RED, "margin"), reward(board, GREEN, "margin")) == (-3, 3)
    assert (reward(board, RED, "winner"), reward(board, GREEN, "winner")) == (-1, 1)
