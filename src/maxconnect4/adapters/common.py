"""Shared parts of the environments: observations, action masks, pixels, rewards and opponents.

Rows count from the top, as in a position file, and columns from 0, as the frameworks expect.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..board import EMPTY, GREEN, RED, Board, opponent
from ..errors import BadSetup
from ..referee.game import create_player
from ..referee.players import PlayerSpec, parse_player
from ..referee.program import Program
from ..scores import sign
from ..solver import Solver

Array = NDArray[Any]

CELL = 48  # width and height of a cell in pixels
FRAME = (20, 60, 160)
COLOURS = {EMPTY: (245, 245, 245), RED: (210, 40, 40), GREEN: (40, 160, 70)}


def observation_planes(board: Board, player: int) -> Array:
    """The observation: a plane of the player's pieces and one of the opponent's, indexed by row, column and plane."""
    cells = np.array(board.rows())
    return np.stack([cells == player, cells == opponent(player)], axis=2).astype(np.int8)


def action_mask(board: Board) -> Array:
    """The action mask: 1 for each column that is not full."""
    return np.array([len(board.stack(column)) < board.height for column in board.all_columns()], np.int8)


def render_pixels(board: Board) -> Array:
    """Render the board as RGB pixels, indexed by row and column."""
    across = np.arange(CELL) - (CELL - 1) / 2
    disc = (across[:, None] ** 2 + across**2 < (0.4 * CELL) ** 2)[:, :, None]
    tiles = {piece: np.where(disc, colour, FRAME).astype(np.uint8) for piece, colour in COLOURS.items()}
    return np.concatenate([np.concatenate([tiles[cell] for cell in row], axis=1) for row in board.rows()])


def solver_from(scores: bool | Solver) -> Solver | None:
    """The solver of the scores: the given one, a new one for True, None for False."""
    if isinstance(scores, Solver):
        return scores
    return Solver() if scores else None


def exact_scores(board: Board, player: int, solver: Solver) -> Array:
    """The score of every column for a player; NaN for full columns, and for all columns if the opponent is to move."""
    if board.is_over() or board.to_move != player:
        return np.full(board.width, np.nan, np.float32)
    scores = solver.analyse(board, line=False).scores
    assert scores is not None
    return np.array([np.nan if score is None else score for score in scores], np.float32)


#: A function that returns a column for the player to move, or the description of a fault.
Opponent = Callable[[Board], int | str]


def opponent_spec(text: str, game: str) -> PlayerSpec:
    """Parse an opponent as in `match`: level:4, perfect, depth:6, random, a command line, kaggle:FILE."""
    spec = parse_player(text, game=game)
    if spec.is_human:
        raise BadSetup("human is not supported here: choose another opponent")
    return spec


def opponent_for(spec: PlayerSpec, game: str, seed: str) -> Opponent:
    """Create the opponent of one game, reproducible by its random seed."""
    if spec.built_in is None:
        return _external_opponent(Program(spec, game))
    player = create_player(spec.built_in, seed, game)
    return lambda board: player.choose(board).column


def _external_opponent(program: Program) -> Opponent:
    def choose(board: Board) -> int | str:
        result = program.move(board)
        if result.fault is not None:
            return f"{result.fault.kind}: {result.fault.detail}"
        assert result.column is not None
        return result.column

    return choose


REWARDS = ("winner", "margin")


def check_rewards(rewards: str) -> str:
    """Validate a kind of rewards."""
    if rewards not in REWARDS:
        raise ValueError(f"'{rewards}' is not a kind of rewards: choose {' or '.join(REWARDS)}")
    return rewards


def reward(board: Board, player: int, rewards: str) -> int:
    """The reward: 1, 0 or -1 by the winner, or the margin in points; 0 during the game."""
    if not board.is_over():
        return 0
    margin = board.margin(player)
    return margin if rewards == "margin" else sign(margin)
