"""Both games for OpenSpiel. Importing this module registers python_max_connect4.

    pyspiel.load_game("python_max_connect4(game=classic)")

An action is a column, from 0, as in OpenSpiel's connect_four.
"""

from __future__ import annotations

from typing import Any

from ..board import EMPTY, GREEN, RED, Board
from ..errors import requires_extra
from .common import check_rewards, reward

with requires_extra("openspiel"):
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

NAME = "python_max_connect4"
PLAYERS = (RED, GREEN)
PLANES = (RED, GREEN, EMPTY)
WINDOWS = len(Board().windows())  # an upper bound of the margin

TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Max-Connect4 and Connect Four",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=len(PLAYERS),
    min_num_players=len(PLAYERS),
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"game": "max", "rewards": "winner"},
)


class MaxConnect4Game(pyspiel.Game):  # type: ignore[misc]
    """The game of OpenSpiel. Its parameters are `game`, max or classic, and `rewards`, winner (1, 0, -1) or margin."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.rules = params.get("game", "max")
        self.rewards_by = check_rewards(params.get("rewards", "winner"))
        board = Board(self.rules)
        most = float(WINDOWS if self.rewards_by == "margin" else 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=board.width,
            max_chance_outcomes=0,
            num_players=len(PLAYERS),
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=board.width * board.height,
        )
        super().__init__(TYPE, info, params)

    def new_initial_state(self) -> MaxConnect4State:
        """The state with the empty board."""
        return MaxConnect4State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Create an observer of the states."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return BoardObserver(params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class MaxConnect4State(pyspiel.State):  # type: ignore[misc]
    """A state of the game. `board` is the position."""

    def __init__(self, game: MaxConnect4Game) -> None:
        super().__init__(game)
        self.board = Board(game.rules)
        self.rewards_by = game.rewards_by
        self._is_over = False  # cached: OpenSpiel calls is_terminal often

    def current_player(self) -> Any:
        """The player to move: 0 for red, 1 for green, TERMINAL after the game."""
        return pyspiel.PlayerId.TERMINAL if self._is_over else PLAYERS.index(self.board.to_move)

    def _legal_actions(self, player: int) -> list[int]:
        return [column - 1 for column in self.board.columns()]

    def _apply_action(self, action: int) -> None:
        self.board.drop(action + 1)
        self._is_over = self.board.is_over()

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{'xo'[player]}{action}"

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._is_over

    def returns(self) -> list[float]:
        """The reward of each player."""
        return [float(reward(self.board, player, self.rewards_by)) for player in PLAYERS]

    def __str__(self) -> str:
        return "".join("".join(".xo"[cell] for cell in row) + "\n" for row in self.board.rows())


class BoardObserver:
    """The observations of connect_four: planes of red, green and empty cells, the bottom row first."""

    def __init__(self, params: Any) -> None:
        if params:
            raise ValueError(f"the observer takes no parameters: remove {params}")
        board = Board()
        shape = (len(PLANES), board.height, board.width)
        self.tensor = np.zeros(np.prod(shape), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: MaxConnect4State, player: int) -> None:
        """Set the observation to that of a state, which is the same for both players."""
        cells = np.array(state.board.rows()[::-1])
        for plane, piece in enumerate(PLANES):
            self.dict["observation"][plane] = cells == piece

    def string_from(self, state: MaxConnect4State, player: int) -> str:
        """The cells as text."""
        return str(state)


pyspiel.register_game(TYPE, MaxConnect4Game)
