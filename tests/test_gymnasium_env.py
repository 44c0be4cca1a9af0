from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from external_programs import command_line
from gymnasium.utils.env_checker import check_env

from maxconnect4 import Solver
from maxconnect4.adapters import gymnasium_env
from maxconnect4.adapters.gymnasium_env import MaxConnect4Env
from maxconnect4.errors import BadSetup

IDS = {"MaxConnect4-v0": "max", "MaxConnect4Classic-v0": "classic"}


def played(env: Any, seed: int) -> tuple[str, float]:
    """A game in which the agent always takes the leftmost column, and its reward."""
    _, info = env.reset(seed=seed)
    over, worth = False, 0.0
    while not over:
        assert worth == 0
        _, worth, over, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        assert not truncated
    return env.unwrapped.board.moves, worth


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_finds_nothing_to_complain_about(name: str) -> None:
    env = gymnasium.make(name, opponent="level:2")
    assert env.unwrapped.board.game == IDS[name]  # type: ignore[attr-defined]
    check_env(env.unwrapped)


def test_another_process_can_make_it_by_the_name_of_the_module() -> None:
    env = gymnasium.make(f"{gymnasium_env.__name__}:MaxConnect4-v0", opponent="random")
    assert isinstance(env.unwrapped, MaxConnect4Env)


@pytest.mark.parametrize("game", IDS.values())
@pytest.mark.parametrize("opponent", ["random", "level:1", "level:5", "depth:2", "depth:3,eval=lines"])
def test_any_built_in_player_is_a_reproducible_opponent(game: str, opponent: str) -> None:
    env = MaxConnect4Env(game, opponent)
    games = [played(env, seed) for seed in (5, 6)]
    assert [played(MaxConnect4Env(game, opponent), seed) for seed in (5, 6)] == games


def test_the_agent_gets_either_side_unless_it_asks_for_one() -> None:
    env = MaxConnect4Env(opponent="random")
    sides = set()
    for seed in range(8):
        seen, _ = env.reset(seed=seed)
        assert (env.player == 1) == (not seen.any())
        assert not seen[:, :, 0].any()
        sides.add(env.player)
    assert sides == {1, 2}
    for side, player in (("red", 1), ("green", 2)):
        env = MaxConnect4Env(opponent="random", side=side)
        assert {env.reset()[0].sum() for _ in range(4)} == {player - 1}


@pytest.mark.parametrize("rewards", ["winner", "margin"])
def test_the_reward_comes_at_the_end_by_winner_or_by_points(rewards: str) -> None:
    env = MaxConnect4Env(opponent="random", rewards=rewards)
    for seed in range(5):
        _, worth = played(env, seed)
        margin = env.board.margin(env.player)
        assert env.board.is_full()
        assert worth == (margin if rewards == "margin" else np.sign(margin))


def test_a_drop_into_a_full_column_loses_and_the_mask_excludes_it() -> None:
    env = MaxConnect4Env(opponent="random", side="red")
    env.reset(seed=1)
    while env.action_masks()[2]:
        _, worth, over, _, _ = env.step(2)
        assert (worth, over) == (0, False)
    assert env.action_masks().dtype == bool
    _, worth, over, truncated, info = env.step(2)
    assert (worth, over, truncated, info["illegal"]) == (-1, True, False, 2)


def test_the_info_has_exact_scores_for_the_agent_and_those_who_follow_them_do_not_lose_points() -> None:
    solver = Solver(32 << 20, 1)
    env = MaxConnect4Env(opponent="random", side="red", rewards="margin", scores=solver)
    env.reset(seed=3)
    env.solver = None  # the beginning takes long
    while env.board.pieces() < 24:
        env.step(int(np.flatnonzero(env.action_masks())[-1]))
    env.solver = solver
    value, over, info = -99.0, False, env._info()
    assert np.isnan(info["scores"]).tolist() == [not room for room in env.action_masks()]
    while not over:
        best = int(np.nanargmax(info["scores"]))
        assert info["scores"][best] >= value
        value = info["scores"][best]
        _, worth, over, _, info = env.step(best)
    assert worth >= value
    assert np.isnan(info["scores"]).all()


def test_an_external_program_is_an_opponent_and_loses_by_a_fault() -> None:
    env = MaxConnect4Env(opponent=command_line("honest"), side="red")
    env.reset()
    seen, worth, over, _, _ = env.step(3)
    assert (seen.sum(), worth, over) == (2, 0, False)
    env = MaxConnect4Env(opponent=command_line("crasher"), side="red", scores=True)
    env.reset()
    _, worth, over, _, info = env.step(3)
    assert (worth, over) == (1, True)
    assert info["fault"].startswith("crash: ")
    assert np.isnan(info["scores"]).all()  # it is the opponent's turn, and these are the agent's
    assert info["scores"].dtype == np.float32
    env = MaxConnect4Env(opponent=command_line("crasher"), side="green")
    with pytest.raises(RuntimeError, match="crasher committed a fault in its first move: crash"):
        env.reset()


def test_it_is_rendered_as_text_and_as_pixels(capsys: pytest.CaptureFixture[str]) -> None:
    env = MaxConnect4Env(opponent="random", side="red", render_mode="ansi")
    env.reset(seed=1)
    env.step(3)
    assert env.render().count("1") == env.render().count("2") == 1
    assert MaxConnect4Env(render_mode="rgb_array").render().dtype == np.uint8
    env = MaxConnect4Env(side="red", render_mode="human")
    env.reset(seed=1)
    assert env.render() is None
    assert capsys.readouterr().out.count(".......\n") == 6


def test_a_step_before_the_first_reset_is_an_error() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded, match="the game has not started"):
        MaxConnect4Env().step(3)


def test_unknown_values_are_refused() -> None:
    with pytest.raises(BadSetup, match="there is no level '9'"):
        MaxConnect4Env(opponent="level:9")
    with pytest.raises(BadSetup, match="human is not supported"):
        MaxConnect4Env(opponent="human")
    with pytest.raises(ValueError, match="'blue' is not a side: choose red, green, random"):
        MaxConnect4Env(side="blue")
