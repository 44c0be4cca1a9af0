from __future__ import annotations

import random

import pytest
from positions import FULL, random_board

from maxconnect4 import IllegalMove, Solver, board_from_moves, choose
from maxconnect4.levels import LevelPlayer
from maxconnect4.players import PerfectPlayer, RandomPlayer, SearchingPlayer
from maxconnect4.scores import ply_of_end
from maxconnect4.search import CLASSIC_WIN


def test_the_perfect_player_plays_what_a_search_to_the_end_plays() -> None:
    rng, player = random.Random(7), PerfectPlayer(Solver(threads=1))
    for _ in range(40):
        board = random_board(rng, rng.randrange(28, 42))
        perfect, searched = player.choose(board, scores=True), choose(board, depth=99, scores=True)
        for name in ("column", "value", "scores", "exact"):
            assert getattr(perfect, name) == getattr(searched, name), board.moves
    assert player.choose(board).scores is None


def test_the_perfect_player_of_the_classic_game_plays_what_a_search_to_the_end_plays() -> None:
    rng, player = random.Random(7), PerfectPlayer(Solver(threads=1))
    for _ in range(40):
        board = random_board(rng, rng.randrange(22, 40), "classic")
        perfect, searched = player.choose(board, scores=True), choose(board, depth=99, scores=True)
        assert (perfect.column, perfect.exact) == (searched.column, True), board.moves
        assert perfect.scores is not None
        assert searched.scores is not None
        for score, value in zip(perfect.scores, searched.scores, strict=True):
            if score is None or value is None or value == 0:
                assert score == value
            else:
                assert (score > 0, ply_of_end(board, score)) == (value > 0, CLASSIC_WIN - abs(value))


def test_the_searching_player_plays_what_choose_finds() -> None:
    board = board_from_moves("44535")
    for evaluation in ("best", "lines"):
        player = SearchingPlayer(5, evaluation=evaluation)
        assert player.choose(board).column == choose(board, 5, evaluation=evaluation).column


def test_no_player_moves_after_the_end() -> None:
    for player in (PerfectPlayer(Solver()), SearchingPlayer(3), RandomPlayer(), LevelPlayer(1)):
        with pytest.raises(IllegalMove, match="the game is over"):
            player.choose(board_from_moves(FULL))
