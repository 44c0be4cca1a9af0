from __future__ import annotations

import re
from dataclasses import replace

import pytest
from external_programs import QUICK, command_line, player

from maxconnect4.errors import BadSetup
from maxconnect4.referee.conformance import (
    BaselineGame,
    BaselineResult,
    baseline_games,
    baseline_result,
    baseline_result_of,
)
from maxconnect4.referee.game import FORFEIT, VOID, GameResult, GameSetup, PlayedGame, ScheduledGame, play
from maxconnect4.referee.players import parse_player

DEPTH_1, DEPTH_2, RANDOM = map(parse_player, ("depth:1", "depth:2", "random"))


def results_of(setups: list[GameSetup]) -> list[PlayedGame]:
    return [PlayedGame(setup.game, play(setup)) for setup in setups]


def moves_of(setups: list[GameSetup]) -> list[str]:
    return [play(setup).moves for setup in setups]


def played(red: str, green: str, points: tuple[int, int], score: float | None) -> PlayedGame:
    ending = VOID if score is None else FORFEIT
    return PlayedGame(ScheduledGame(1, 1, 1, red, green, ""), GameResult(1, "", ending, score, points, (), 0.0))


def test_there_are_twenty_games_of_both_colours_in_turn_from_the_empty_board() -> None:
    setups = baseline_games(DEPTH_1)
    assert [setup.game.number for setup in setups] == list(range(1, 21))
    assert [setup.game.red for setup in setups] == ["depth:1", "random"] * 10
    assert [setup.green.name for setup in setups] == ["random", "depth:1"] * 10
    assert {setup.game.opening for setup in setups} == {""}
    assert [(setup.game.round, setup.game.pair) for setup in setups[:4]] == [(1, 1), (1, 1), (1, 2), (1, 2)]
    assert baseline_games(DEPTH_1, seed=1) == setups


def test_the_same_seed_makes_the_same_games_and_another_one_others() -> None:
    first, again, other = (moves_of(baseline_games(DEPTH_1, RANDOM, 10, seed)) for seed in (1, 1, 2))
    assert first == again
    assert len({*first, *other}) == 20


def test_a_player_meets_itself_under_two_names() -> None:
    setups = baseline_games(RANDOM, RANDOM, 30)
    games = baseline_result_of("random", "random 2", results_of(setups))
    assert (games.player, games.opponent, games.played) == ("random", "random 2", 30)
    assert games.wins
    assert games.losses
    assert not games.consistent


def test_a_search_beats_chance_consistently_and_chance_does_not_beat_a_search() -> None:
    strong = baseline_result_of("depth:2", "random", results_of(baseline_games(DEPTH_2)))
    assert strong.wins >= 18
    assert strong.consistent
    assert (strong.points or 0) > (strong.opponent_points or 0)
    assert strong.faults == 0
    weak = baseline_result_of("random", "depth:2", results_of(baseline_games(RANDOM, DEPTH_2)))
    assert weak.losses >= 18
    assert not weak.consistent
    assert (weak.points or 0) < (weak.opponent_points or 0)


def test_a_fault_loses_the_game_for_the_player_that_commits_it() -> None:
    setups = baseline_games(player("crasher"), RANDOM, 2)
    mine = baseline_result_of("crasher", "random", results_of(setups))
    assert (mine.wins, mine.losses, mine.faults) == (0, 2, 2)
    theirs = baseline_result_of("random", "crasher", results_of(baseline_games(RANDOM, player("crasher"), 2)))
    assert (theirs.wins, theirs.losses, theirs.faults) == (2, 0, 0)


def test_points_are_added_up_by_player_whatever_the_colour() -> None:
    results = [
        played("ada", "bob", (3, 1), 1.0),
        played("bob", "ada", (5, 2), 1.0),
        played("ada", "bob", (4, 4), 0.5),
        played("bob", "ada", (9, 9), None),
    ]
    assert baseline_result_of("ada", "bob", results) == BaselineResult("ada", "bob", 1, 1, 1, 9, 10, 0)
    assert baseline_result_of("bob", "ada", results) == BaselineResult("bob", "ada", 1, 1, 1, 10, 9, 0)
    assert baseline_result_of("ada", "bob", results, "classic") == BaselineResult("ada", "bob", 1, 1, 1, None, None, 0)
    assert baseline_result("ada", "bob", [BaselineGame(1.0, 3, 1, True)]) == BaselineResult(
        "ada", "bob", 1, 0, 0, 3, 1, 1
    )


@pytest.mark.parametrize(
    ("wins", "draws", "losses", "consistent"),
    [(18, 2, 0, True), (17, 3, 0, False), (18, 0, 2, True), (9, 0, 1, True), (8, 1, 1, False), (0, 0, 0, False)],
)
def test_consistently_is_nine_games_of_ten(wins: int, draws: int, losses: int, consistent: bool) -> None:
    games = BaselineResult("ada", "random", wins, draws, losses, 0, 0, 0)
    assert games.consistent == consistent
    assert games.verdict().startswith("it wins consistently, ") == consistent


def test_the_result_of_the_games_is_one_line() -> None:
    games = BaselineResult("ada", "random", 18, 1, 1, 61, 12, 0)
    assert games.summary_text() == "18 wins, 1 draw, 1 loss in 20 games, 61 points to 12"
    games = BaselineResult("ada", "random", 1, 0, 2, 1, 12, 2)
    assert games.summary_text() == "1 win, 0 draws, 2 losses (2 by a fault) in 3 games, 1 point to 12"
    assert games.verdict().endswith(" 9 wins in 10 games")
    games = BaselineResult("ada", "random", 2, 0, 1, None, None, 0)
    assert games.summary_text() == "2 wins, 0 draws, 1 loss in 3 games"


@pytest.mark.parametrize(
    ("wins", "losses", "words"),
    [
        (0, 0, "no game was played"),
        (9, 0, "too few games for a verdict: play at least 10"),
        (8, 1, "it does not win consistently, .*: it needs 9 wins in 10 games"),
        (17, 3, "it does not win consistently, .*: it needs 18 wins in 20 games"),
        (10, 11, "it does not win consistently, .*: it needs 19 wins in 21 games"),
    ],
)
def test_too_few_games_and_too_few_wins_have_different_verdicts(wins: int, losses: int, words: str) -> None:
    assert re.fullmatch(words, BaselineResult("ada", "random", wins, 0, losses, 0, 0, 0).verdict())


def test_nobody_is_asked_for_a_move() -> None:
    with pytest.raises(BadSetup, match="human: baseline games need"):
        baseline_games(DEPTH_1, parse_player("human"))


def test_the_limits_of_a_program_hold_in_its_games() -> None:
    setups = baseline_games(parse_player(command_line("spinner"), limits=replace(QUICK, seconds=0.15)), RANDOM, 2)
    assert [each.result.faults[0].kind for each in results_of(setups)] == ["time-out"] * 2
