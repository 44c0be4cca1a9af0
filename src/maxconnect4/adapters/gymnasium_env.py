"""Both games as Gymnasium environments: one agent against a built-in player or an external program.

Importing this module registers MaxConnect4-v0 and MaxConnect4Classic-v0.
"""

from __future__ import annotations

from typing import Any

from ..board import GREEN, RED, Board
from ..errors import requires_extra
from ..solver import Solver
from .common import (
    Opponent,
    action_mask,
    check_rewards,
    exact_scores,
    observation_planes,
    opponent_for,
    opponent_spec,
    render_pixels,
    reward,
    solver_from,
)

with requires_extra("gymnasium"):
    import gymnasium
    import numpy as np
    from gymnasium import spaces

SIDES = {"red": (RED,), "green": (GREEN,), "random": (RED, GREEN)}
ILLEGAL = -1  # the reward of a move into a full column, which ends the game


class MaxConnect4Env(gymnasium.Env[Any, Any]):
    """A game of the agent against an opponent, whose replies are part of each step.

    An action is a column, from 0. A move into a full column ends the game with the reward -1.

    Args:
        game: "max" or "classic".
        opponent: A player as in `match`: level:4, perfect, depth:6, random, a command line, kaggle:FILE.
        side: The colour of the agent: "red", which moves first, "green" or "random".
        rewards: The reward at the end of the game: "winner" (1, 0, -1) or "margin" (points).
        scores: A solver, or True for a new one: the info then has the exact score of every column for the agent.
        render_mode: "human", "ansi" or "rgb_array".
    """

    metadata = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str = "max",
        opponent: str = "level:4",
        side: str = "random",
        rewards: str = "winner",
        scores: bool | Solver = False,
        render_mode: str | None = None,
    ) -> None:
        if side not in SIDES:
            raise ValueError(f"'{side}' is not a side: choose {', '.join(SIDES)}")
        self.board = Board(game)
        self.opponent = opponent_spec(opponent, game)
        self.side = side
        self.player = SIDES[side][0]
        self.rewards_by = check_rewards(rewards)
        self.solver = solver_from(scores)
        self.render_mode = render_mode
        self._choose: Opponent | None = None
        shape = (self.board.height, self.board.width, 2)
        self.observation_space = spaces.Box(low=0, high=1, shape=shape, dtype=np.int8)
        self.action_space = spaces.Discrete(self.board.width)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a game. The random seed determines the colour of the agent and the random moves of the opponent."""
        super().reset(seed=seed)
        self.board = Board(self.board.game)
        sides = SIDES[self.side]
        self.player = sides[int(self.np_random.integers(len(sides)))]
        opponent_seed = f"game {self.np_random.integers(1 << 62)}"
        self._choose = opponent_for(self.opponent, self.board.game, opponent_seed)
        fault = None if self.board.to_move == self.player else self._reply()
        if fault is not None:
            raise RuntimeError(f"{self.opponent.name} committed a fault in its first move: {fault}")
        self._print_board()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Make a move of the agent and the reply of the opponent. An opponent that commits a fault loses."""
        if self._choose is None:
            raise gymnasium.error.ResetNeeded("the game has not started: call reset before the first step")
        column = int(action) + 1
        if self.board.is_over() or column not in self.board.columns():
            return self._observation(), float(ILLEGAL), True, False, {**self._info(), "illegal": column - 1}
        self.board.drop(column)
        fault = None if self.board.is_over() else self._reply()
        self._print_board()
        if fault is not None:
            return self._observation(), 1.0, True, False, {**self._info(), "fault": fault}
        value = float(reward(self.board, self.player, self.rewards_by))
        return self._observation(), value, self.board.is_over(), False, self._info()

    def action_masks(self) -> Any:
        """The mask of the columns that are not full, as sb3-contrib expects it."""
        return action_mask(self.board).astype(bool)

    def render(self) -> Any:
        """Render the board as text or pixels. In the mode "human", every step prints the board."""
        if self.render_mode == "rgb_array":
            return render_pixels(self.board)
        return str(self.board) if self.render_mode == "ansi" else None

    def _reply(self) -> str | None:
        """Make the move of the opponent. Returns its fault, if any."""
        assert self._choose is not None
        column = self._choose(self.board)
        if isinstance(column, str):
            return column
        self.board.drop(column)
        return None

    def _observation(self) -> Any:
        return observation_planes(self.board, self.player)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": action_mask(self.board)}
        if self.solver is not None:
            info["scores"] = exact_scores(self.board, self.player, self.solver)
        return info

    def _print_board(self) -> None:
        if self.render_mode == "human":
            print(self.board, end="\n\n")


for name, game in (("MaxConnect4-v0", "max"), ("MaxConnect4Classic-v0", "classic")):
    if name not in gymnasium.registry:
        gymnasium.register(name, entry_point=f"{__name__}:MaxConnect4Env", kwargs={"game": game})
