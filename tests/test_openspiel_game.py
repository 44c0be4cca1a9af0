from __future__ import annotations

import random

import pyspiel
import pytest

from maxconnect4.adapters.openspiel_game import NAME


@pytest.mark.parametrize("settings", ["", "(game=classic)", "(game=max,rewards=margin)"])
def test_random_games_are_what_openspiel_wants(settings: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(NAME + settings), num_sims=3, serialize=True, verbose=False)


def test_the_classic_game_is_connect_four_along_random_games() -> None:
    ours, theirs, chance = (
        pyspiel.load_game(f"{NAME}(game=classic)"),
        pyspiel.load_game("connect_four"),
        random.Random(8),
    )
    assert ours.observation_tensor_shape() == theirs.observation_tensor_shape()
    assert ours.num_distinct_actions() == theirs.num_distinct_actions()
    assert ours.max_game_length() == theirs.max_game_length()
    results = set()
    for _ in range(15):
        mine, other = ours.new_initial_state(), theirs.new_initial_state()
        while True:
            assert str(mine) == str(other)
            assert mine.current_player() == other.current_player()
            assert mine.legal_actions() == other.legal_actions()
            assert mine.is_terminal() == other.is_terminal()
            assert mine.returns() == other.returns()
            for player in (0, 1):
                assert mine.observation_tensor(player) == other.observation_tensor(player)
                assert mine.observation_string(player) == other.observation_string(player)
                assert mine.information_state_string(player) == other.information_state_string(player)
            if mine.is_terminal():
                break
            action = chance.choice(mine.legal_actions())
            assert mine.action_to_string(action) == other.action_to_string(action)
            mine.apply_action(action)
            other.apply_action(action)
        results.add(tuple(mine.returns()))
    assert results == {(1.0, -1.0), (-1.0, 1.0)}


def test_max_ends_with_a_full_board_and_rewards_the_winner_or_the_points() -> None:
    chance = random.Random(3)
    for _ in range(3):
        winner, margin = (pyspiel.load_game(NAME, {"rewards": rewards}) for rewards in ("winner", "margin"))
        won, by = winner.new_initial_state(), margin.new_initial_state()
        while not by.is_terminal():
            action = chance.choice(by.legal_actions())
            won.apply_action(action)
            by.apply_action(action)
        assert by.board.is_full()
        assert by.returns() == [by.board.margin(1), by.board.margin(2)]
        assert won.returns() == [(worth > 0) - (worth < 0) for worth in by.returns()]
        assert margin.max_utility() >= abs(by.board.margin())


def test_a_clone_goes_its_own_way() -> None:
    state = pyspiel.load_game(NAME).new_initial_state()
    state.apply_action(3)
    clone = state.clone()
    clone.apply_action(3)
    assert (state.board.moves, clone.board.moves) == ("4", "44")
    assert (state.history(), clone.history()) == ([3], [3, 3])


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(ValueError, match="'chess' is not a game"):
        pyspiel.load_game(f"{NAME}(game=chess)")
