from __future__ import annotations

import pickle
import random
import warnings
from typing import Any

import numpy as np
import pytest

from maxconnect4 import Solver
from maxconnect4.adapters import pettingzoo_env


def connect_four() -> Any:
    """PettingZoo's own game. It needs pygame, which only the xdist workers that run these tests import."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PettingZoo imports what it calls deprecated itself
        from pettingzoo.classic.connect_four import connect_four
    return connect_four


def pettingzoo_test() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pettingzoo.test
    return pettingzoo.test


#: What PettingZoo's test says of any game with a mask and an empty board; its own ones it spares by their names.
ALWAYS_SAID = {
    "Observation is not a NumPy array",
    "Observation numpy array is all zeros.",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}


@pytest.mark.parametrize("rewards", ["winner", "margin"])
@pytest.mark.parametrize("game", ["max", "classic"])
@pytest.mark.parametrize("make", [pettingzoo_env.env, pettingzoo_env.raw_env])
def test_the_interface_is_what_pettingzoo_wants(make: Any, game: str, rewards: str) -> None:
    api_test = pettingzoo_test().api_test
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(make(game=game, rewards=rewards), num_cycles=150)
    assert {str(each.message) for each in caught} <= ALWAYS_SAID


def test_the_same_seed_is_the_same_game() -> None:
    pettingzoo_test().seed_test(pettingzoo_env.env, num_cycles=50)


def test_it_can_be_rendered_in_all_its_ways(capsys: pytest.CaptureFixture[str]) -> None:
    pettingzoo_test().render_test(pettingzoo_env.env)
    assert capsys.readouterr().out.count(".......") > 6


DRAWN = "547125662261271266215743771576315353334444"  # by the classic rules
LOST_BY_3 = "257771314744647214174561532615222663563533"  # by red, in max


def game_of(ours: Any, theirs: Any, chance: random.Random, illegal: bool = False) -> list[int]:
    """Play the same random game in both, comparing all that an agent is told; gives the rewards."""
    ours.reset(seed=1)
    theirs.reset(seed=1)
    rewards = {}
    for agent, their_agent in zip(ours.agent_iter(), theirs.agent_iter(), strict=True):
        assert agent == their_agent
        for watching in ours.possible_agents:
            mine, other = ours.observe(watching), theirs.observe(watching)
            for part in ("observation", "action_mask"):
                assert mine[part].dtype == other[part].dtype
                assert np.array_equal(mine[part], other[part])
        (seen, *told, _), (_, *their_told, _) = ours.last(), theirs.last()
        assert told == their_told
        rewards[agent] = told[0]
        columns = np.flatnonzero(seen["action_mask"] == (0 if illegal and not seen["action_mask"].all() else 1))
        action = None if told[1] or told[2] else int(chance.choice(columns))
        ours.step(action)
        theirs.step(action)
        assert ours.agents == theirs.agents
    return [rewards[agent] for agent in ours.possible_agents]


def test_the_classic_game_is_that_of_pettingzoo_to_the_last_observation() -> None:
    ours, theirs, chance = pettingzoo_env.env(game="classic"), connect_four().env(), random.Random(8)
    assert ours.possible_agents == theirs.possible_agents
    for agent in ours.possible_agents:
        assert ours.observation_space(agent) == theirs.observation_space(agent)
        assert ours.action_space(agent) == theirs.action_space(agent)
    results = {tuple(game_of(ours, theirs, chance)) for _ in range(15)}
    assert results == {(1, -1), (-1, 1)}
    found = {tuple(game_of(ours, theirs, chance, illegal=True)) for _ in range(5)}
    assert found <= {(-1, 0), (0, -1), *results}
    assert found & {(-1, 0), (0, -1)}, "no move was illegal"


def test_a_draw_is_the_score_zero() -> None:
    ours, theirs = pettingzoo_env.raw_env(game="classic"), connect_four().raw_env()
    for env in (ours, theirs):
        env.reset()
        for column in DRAWN:
            env.step(int(column) - 1)
    assert ours.terminations == theirs.terminations == dict.fromkeys(ours.possible_agents, True)
    assert ours.rewards == theirs.rewards == dict.fromkeys(ours.possible_agents, 0)


@pytest.mark.parametrize("rewards", ["winner", "margin"])
def test_max_ends_with_a_full_board_and_rewards_the_winner_or_the_points(rewards: str) -> None:
    env = pettingzoo_env.raw_env(rewards=rewards)
    env.reset()
    for column in LOST_BY_3:
        assert not any(env.terminations.values())
        env.step(int(column) - 1)
    assert all(env.terminations.values())
    worth = 3 if rewards == "margin" else 1
    assert env.rewards == {"player_0": -worth, "player_1": worth}


def test_the_info_has_exact_scores_for_the_side_to_move() -> None:
    solver = Solver(16 << 20, 1)
    env = pettingzoo_env.env(scores=solver)
    env.reset()
    for column in "4444442222225511111":
        env.step(int(column) - 1)
    info = env.last()[4]
    scores = solver.analyse(env.unwrapped.board, line=False).scores
    assert [None if np.isnan(score) else score for score in info["scores"]] == scores
    assert scores is not None
    assert scores[3] is None


def test_it_can_be_pickled_and_refuses_unknown_values() -> None:
    again = pickle.loads(pickle.dumps(pettingzoo_env.raw_env(game="classic", rewards="margin")))
    assert (again.board.game, again.rewards_by) == ("classic", "margin")
    with pytest.raises(ValueError, match="'chess' is not a game"):
        pettingzoo_env.env(game="chess")
    with pytest.raises(ValueError, match="'money' is not a kind of rewards: choose winner or margin"):
        pettingzoo_env.env(rewards="money")
