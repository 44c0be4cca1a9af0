"""Both games as PettingZoo AEC environments, with the interface of pettingzoo.classic.connect_four_v3."""

from __future__ import annotations

from typing import Any

from ..board import GREEN, RED, Board
from ..errors import requires_extra
from ..solver import Solver
from .common import action_mask, check_rewards, exact_scores, observation_planes, render_pixels, reward, solver_from

with requires_extra("pettingzoo"):
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

AGENTS = ("player_0", "player_1")
PLAYER = dict(zip(AGENTS, (RED, GREEN), strict=True))


def env(**settings: Any) -> AECEnv:
    """Create the wrapped environment, in which an illegal move loses. The parameters are those of `raw_env`."""
    wrapped: AECEnv = raw_env(**settings)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801  # every PettingZoo environment has this name
    """A game between player_0, which moves first, and player_1. An action is a column, from 0.

    Args:
        game: "max" or "classic".
        rewards: The reward at the end of the game: "winner" (1, 0, -1) or "margin" (points).
        scores: A solver, or True for a new one: the info of the agent to move then has the exact score of every column.
        render_mode: "human", "ansi" or "rgb_array".
    """

    metadata = {  # noqa: RUF012
        "render_modes": ["human", "ansi", "rgb_array"],
        "name": "maxconnect4_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self, game: str = "max", rewards: str = "winner", scores: bool | Solver = False, render_mode: str | None = None
    ) -> None:
        EzPickle.__init__(self, game, rewards, bool(scores), render_mode)
        super().__init__()
        self.board = Board(game)
        self.rewards_by = check_rewards(rewards)
        self.solver = solver_from(scores)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents = self.possible_agents[:]
        shape = (self.board.height, self.board.width, 2)
        self.action_spaces = {agent: spaces.Discrete(self.board.width) for agent in AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low=0, high=1, shape=shape, dtype=np.int8),
                    "action_mask": spaces.Box(low=0, high=1, shape=(self.board.width,), dtype=np.int8),
                }
            )
            for agent in AGENTS
        }

    def observation_space(self, agent: str) -> Any:
        """The space of observations: two planes of cells, and the action mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of actions: the columns, from 0."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation and the action mask, which is all zero if the opponent is to move."""
        mask = action_mask(self.board)
        return {
            "observation": observation_planes(self.board, PLAYER[agent]),
            "action_mask": mask if agent == self.agent_selection else np.zeros_like(mask),
        }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. The seed has no effect."""
        self.board = Board(self.board.game)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.agent_selection = AGENTS[0]
        self._update_infos()

    def step(self, action: Any) -> None:
        """Make a move of the agent to move."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.board.drop(int(action) + 1)
        if self.board.is_over():
            self.rewards = {agent: reward(self.board, PLAYER[agent], self.rewards_by) for agent in AGENTS}
            self.terminations = dict.fromkeys(AGENTS, True)
        self._cumulative_rewards[self.agent_selection] = 0
        self.agent_selection = AGENTS[1 - AGENTS.index(self.agent_selection)]
        self._accumulate_rewards()
        self._update_infos()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Render the board by the render mode: print it, or return it as text or pixels."""
        match self.render_mode:
            case "human":
                print(self.board, end="\n\n")
            case "ansi":
                return str(self.board)
            case "rgb_array":
                return render_pixels(self.board)
            case _:
                gymnasium.logger.warn("Rendering needs a render mode: create the environment with render_mode.")
        return None

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

    def _update_infos(self) -> None:
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        if self.solver is not None:
            agent = self.agent_selection
            self.infos[agent]["scores"] = exact_scores(self.board, PLAYER[agent], self.solver)
