from __future__ import annotations

import random
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from external_programs import PATIENT

from maxconnect4 import Board, Solver, board_from_moves
from maxconnect4.adapters import kaggle_agent
from maxconnect4.adapters.kaggle_agent import agent
from maxconnect4.errors import BadPosition
from maxconnect4.referee.kaggle_runner import Struct, agent_arguments
from maxconnect4.referee.players import parse_player
from maxconnect4.referee.program import Program


def asked(board: Board, **settings: Any) -> int:
    """The agent's column, from 1."""
    observation, configuration = agent_arguments(board.rows(), board.to_move, 60)
    return agent(observation, Struct({**configuration, **settings})) + 1


@pytest.mark.parametrize(
    ("moves", "column"),
    [
        ("112233", 4),  # wins
        ("16442513656676", 5),  # does not let the other win
        ("535646662234", 5),
        pytest.param("1122335", 4, marks=pytest.mark.long),
        pytest.param("12121", 1, marks=pytest.mark.long),
    ],
)
def test_it_wins_where_it_can_and_prevents_what_it_has_to(moves: str, column: int) -> None:
    board = board_from_moves(moves, "classic")
    assert asked(board) == column


def test_it_never_loses_to_chance_on_either_side() -> None:
    chance = random.Random(4)
    for side in (1, 2):
        board = board_from_moves("4444", "classic")
        while not board.is_over():
            board.drop(asked(board, actTimeout=0.1) if board.to_move == side else chance.choice(board.columns()))
        assert board.winner() == side


def test_it_keeps_to_the_time_of_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kaggle_agent, "_solver", Solver(book=False))
    start = time.monotonic()
    asked(Board("classic"), actTimeout=0.4)
    assert 0.2 < time.monotonic() - start < 2.4


def test_observations_may_be_plain_dictionaries_or_have_attributes() -> None:
    told_of = agent_arguments(board_from_moves("112233").rows(), 1, 60)
    assert agent(*(dict(each) for each in told_of)) == 3
    assert agent(*(SimpleNamespace(**each) for each in told_of)) == 3


def test_on_a_board_that_is_too_large_for_both_it_sees_what_is_plain() -> None:
    configuration = {"columns": 10, "rows": 8, "inarow": 4, "actTimeout": 0.2}
    bottom = [1, 1, 1, 0, 0, 0, 0, 2, 2, 2]
    assert agent({"board": [0] * 70 + bottom, "mark": 1}, configuration) == 3
    above = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0]  # now the other one is to move, and can make a four as well
    assert agent({"board": [0] * 60 + above + bottom, "mark": 2}, configuration) == 6
    bottom[9] = 0
    assert agent({"board": [0] * 70 + bottom, "mark": 2}, configuration) == 3
    assert agent({"board": [0] * 80, "mark": 1}, configuration) in (4, 5)


def test_other_configurations_of_connectx_are_refused() -> None:
    with pytest.raises(ValueError, match="this agent supports only 4"):
        asked(Board("classic"), inarow=5)
    with pytest.raises(BadPosition, match="42 cells instead of 8 columns"):
        asked(Board("classic"), columns=8)
    with pytest.raises(BadPosition, match="mark is 2, but with these pieces player 1 is to move"):
        agent({"board": [0] * 42, "mark": 2}, {"columns": 7, "rows": 6, "inarow": 4})


def test_a_file_of_one_line_is_an_agent(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("from maxconnect4.adapters.kaggle_agent import agent\n")
    program = Program(parse_player(f"kaggle:{tmp_path / 'main.py'}", limits=PATIENT))
    assert program.move(board_from_moves("112233")).column == 4
