"""Both games as PettingZoo AEC environments. The classic one is like pettingzoo.classic.connect_four_v3."""

from __future__ import annotations

from typing import Any

from ..board import GREEN, RED, Board
from ..errors import NotInstalled
from .arrays import columns_with_room, picture, planes
from .exact import exact_scores, solver_from
from .rewards import checked_rewards, reward

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    if error.name not in ("pettingzoo", "gymnasium"):
        raise
    raise NotInstalled("PettingZoo", "pettingzoo") from None

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..solver import Solver

AGENTS = ("player_0", "player_1")
PLAYER = dict(zip(AGENTS, (RED, GREEN), strict=True))


def env(**settings: Any) -> AECEnv:
    """The environment as it should be used: a drop into a full column loses. It takes what `raw_env` does."""
    made: AECEnv = raw_env(**settings)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801  # every PettingZoo environment has this name
    """A game between player_0, who moves first, and player_1. An action is a column, from 0.

    `game` is "max" or "classic", `rewards` are "winner" (1, 0, -1) or "margin" (points). With `scores` the info of the
    agent to move has the exact score of every column, by this solver or by one of its own if it is True.
    """

    metadata = {  # noqa: RUF012
        "render_modes": ["human", "ansi", "rgb_array"],
        "name": "maxconnect4_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str = "max",
        rewards: str = "winner",
        scores: bool | Solver = False,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, game, rewards, bool(scores), render_mode)
        super().__init__()
        self.board = Board(game)
        self.rewards_by = checked_rewards(rewards)
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
        """Two planes of cells and the mask of the columns."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The columns, from 0."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """The agent's own pieces and the opponent's; in the mask nothing unless it is the agent's turn."""
        mask = columns_with_room(self.board)
        return {
            "observation": planes(self.board, PLAYER[agent]),
            "action_mask": mask if agent == self.agent_selection else np.zeros_like(mask),
        }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin with the empty board. Nothing is left to chance."""
        self.board = Board(self.board.game)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.agent_selection = AGENTS[0]
        self._inform()

    def step(self, action: Any) -> None:
        """Drop a piece of the agent whose turn it is."""
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
        self._inform()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The board: printed, as text, or as pixels."""
        match self.render_mode:
            case "human":
                print(self.board, end="\n\n")
            case "ansi":
                return str(self.board)
            case "rgb_array":
                return picture(self.board)
            case _:
                gymnasium.logger.warn("There is nothing to render without a render mode.")
        return None

    def close(self) -> None:
        """There is nothing to close."""

    def _inform(self) -> None:
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        if self.solver is not None:
            agent = self.agent_selection
            self.infos[agent]["scores"] = exact_scores(self.board, PLAYER[agent], self.solver)
