"""Both games as Gymnasium environments: one agent against any of our players.

Importing this module registers MaxConnect4-v0 and MaxConnect4Classic-v0.
"""

from __future__ import annotations

from typing import Any

from ..board import GREEN, RED, Board
from ..errors import NotInstalled
from .arrays import columns_with_room, picture, planes
from .exact import exact_scores, solver_from
from .opponents import entrant_named, opponent_for
from .rewards import checked_rewards, reward

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    raise NotInstalled("Gymnasium", "gymnasium") from None

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..solver import Solver
    from .opponents import Opponent

SIDES = {"red": (RED,), "green": (GREEN,), "random": (RED, GREEN)}
ILLEGAL = -1  # the reward for a drop into a full column, which ends the game


class MaxConnect4Env(gymnasium.Env[Any, Any]):
    """A game of the agent against an opponent, who answers at once. An action is a column, from 0.

    `opponent` is what a match takes: level:4, perfect, depth:6, random, a command line, kaggle:FILE. The agent plays
    `side` "red" (who moves first), "green", or by turns of chance "random". `rewards` are "winner" (1, 0, -1) or
    "margin" (points), at the end of the game. A drop into a full column ends it with -1. With `scores` the info has the
    exact score of every column for the agent, by this solver or by one of its own if it is True.
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
        self.opponent = entrant_named(opponent, game)
        self.side = side
        self.player = SIDES[side][0]
        self.rewards_by = checked_rewards(rewards)
        self.solver = solver_from(scores)
        self.render_mode = render_mode
        self._ask: Opponent | None = None
        shape = (self.board.height, self.board.width, 2)
        self.observation_space = spaces.Box(low=0, high=1, shape=shape, dtype=np.int8)
        self.action_space = spaces.Discrete(self.board.width)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game. Which side the agent has and what the opponent leaves to chance is up to the seed."""
        super().reset(seed=seed)
        self.board = Board(self.board.game)
        sides = SIDES[self.side]
        self.player = sides[int(self.np_random.integers(len(sides)))]
        chance = f"game {self.np_random.integers(1 << 62)}"
        self._ask = opponent_for(self.opponent, self.board.game, chance)
        fault = None if self.board.to_move == self.player else self._answer()
        if fault is not None:
            raise RuntimeError(f"{self.opponent.name} does not play: {fault}")
        self._show()
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Drop a piece of the agent's, and one of the opponent's. An opponent who commits a fault loses."""
        if self._ask is None:
            raise gymnasium.error.ResetNeeded("a game begins with reset, before the first step")
        column = int(action) + 1
        if self.board.is_over() or column not in self.board.columns():
            return self._seen(), float(ILLEGAL), True, False, {**self._info(), "illegal": column - 1}
        self.board.drop(column)
        fault = None if self.board.is_over() else self._answer()
        self._show()
        if fault is not None:
            return self._seen(), 1.0, True, False, {**self._info(), "fault": fault}
        worth = float(reward(self.board, self.player, self.rewards_by))
        return self._seen(), worth, self.board.is_over(), False, self._info()

    def action_masks(self) -> Any:
        """Which columns have room, as sb3-contrib asks for it."""
        return columns_with_room(self.board).astype(bool)

    def render(self) -> Any:
        """The board as text or as pixels; it is printed with every step if people look on."""
        if self.render_mode == "rgb_array":
            return picture(self.board)
        return str(self.board) if self.render_mode == "ansi" else None

    def _answer(self) -> str | None:
        """Let the opponent drop; gives the fault if it is not able to."""
        assert self._ask is not None
        answer = self._ask(self.board)
        if isinstance(answer, str):
            return answer
        self.board.drop(answer)
        return None

    def _seen(self) -> Any:
        return planes(self.board, self.player)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": columns_with_room(self.board)}
        if self.solver is not None:
            info["scores"] = exact_scores(self.board, self.player, self.solver)
        return info

    def _show(self) -> None:
        if self.render_mode == "human":
            print(self.board, end="\n\n")


for name, game in (("MaxConnect4-v0", "max"), ("MaxConnect4Classic-v0", "classic")):
    if name not in gymnasium.registry:
        gymnasium.register(name, entry_point=f"{__name__}:MaxConnect4Env", kwargs={"game": game})
