from __future__ import annotations

import re
from dataclasses import replace

import pytest
from foreign import QUICK, command_line, player

from maxconnect4.errors import BadEntrant
from maxconnect4.referee.entrants import entrant_from
from maxconnect4.referee.games import FORFEIT, VOID, Game, Played, Result
from maxconnect4.referee.opposing import Games, games_against, games_of, tally
from maxconnect4.referee.playing import Fixture, play

DEPTH_1, DEPTH_2, RANDOM = map(entrant_from, ("depth:1", "depth:2", "random"))


def results_of(fixtures: list[Fixture]) -> list[Result]:
    return [Result(fixture.game, play(fixture)) for fixture in fixtures]


def moves_of(fixtures: list[Fixture]) -> list[str]:
    return [play(fixture).moves for fixture in fixtures]


def result(red: str, green: str, points: tuple[int, int], score: float | None) -> Result:
    ending = VOID if score is None else FORFEIT
    return Result(Game(1, 1, 1, red, green, ""), Played(1, "", ending, score, points, (), 0.0))


def test_there_are_twenty_games_of_both_colours_in_turn_from_the_empty_board() -> None:
    fixtures = games_against(DEPTH_1)
    assert [fixture.game.number for fixture in fixtures] == list(range(1, 21))
    assert [fixture.game.red for fixture in fixtures] == ["depth:1", "random"] * 10
    assert [fixture.green.name for fixture in fixtures] == ["random", "depth:1"] * 10
    assert {fixture.game.opening for fixture in fixtures} == {""}
    assert [(fixture.game.round, fixture.game.pair) for fixture in fixtures[:4]] == [(1, 1), (1, 1), (1, 2), (1, 2)]
    assert games_against(DEPTH_1, seed=1) == fixtures


def test_the_same_seed_makes_the_same_games_and_another_one_others() -> None:
    first, again, other = (moves_of(games_against(DEPTH_1, RANDOM, 10, seed)) for seed in (1, 1, 2))
    assert first == again
    assert len({*first, *other}) == 20


def test_a_player_meets_itself_under_two_names() -> None:
    fixtures = games_against(RANDOM, RANDOM, 30)
    games = tally("random", "random 2", results_of(fixtures))
    assert (games.player, games.opponent, games.played) == ("random", "random 2", 30)
    assert games.wins
    assert games.losses
    assert not games.consistent


def test_a_search_beats_chance_consistently_and_chance_does_not_beat_a_search() -> None:
    strong = tally("depth:2", "random", results_of(games_against(DEPTH_2)))
    assert strong.wins >= 18
    assert strong.consistent
    assert (strong.points or 0) > (strong.opponent_points or 0)
    assert strong.faults == 0
    weak = tally("random", "depth:2", results_of(games_against(RANDOM, DEPTH_2)))
    assert weak.losses >= 18
    assert not weak.consistent
    assert (weak.points or 0) < (weak.opponent_points or 0)


def test_a_fault_loses_the_game_for_whoever_commits_it() -> None:
    fixtures = games_against(player("crasher"), RANDOM, 2)
    mine = tally("crasher", "random", results_of(fixtures))
    assert (mine.wins, mine.losses, mine.faults) == (0, 2, 2)
    theirs = tally("random", "crasher", results_of(games_against(RANDOM, player("crasher"), 2)))
    assert (theirs.wins, theirs.losses, theirs.faults) == (2, 0, 0)


def test_points_are_added_up_by_player_whatever_the_colour() -> None:
    results = [
        result("ada", "bob", (3, 1), 1.0),
        result("bob", "ada", (5, 2), 1.0),
        result("ada", "bob", (4, 4), 0.5),
        result("bob", "ada", (9, 9), None),
    ]
    assert tally("ada", "bob", results) == Games("ada", "bob", 1, 1, 1, 9, 10, 0)
    assert tally("bob", "ada", results) == Games("bob", "ada", 1, 1, 1, 10, 9, 0)
    assert tally("ada", "bob", results, "classic") == Games("ada", "bob", 1, 1, 1, None, None, 0)
    assert games_of("ada", "bob", [(1.0, 3, 1, True)]) == Games("ada", "bob", 1, 0, 0, 3, 1, 1)


@pytest.mark.parametrize(
    ("wins", "draws", "losses", "consistent"),
    [(18, 2, 0, True), (17, 3, 0, False), (18, 0, 2, True), (9, 0, 1, True), (8, 1, 1, False), (0, 0, 0, False)],
)
def test_consistently_is_nine_games_of_ten(wins: int, draws: int, losses: int, consistent: bool) -> None:
    games = Games("ada", "random", wins, draws, losses, 0, 0, 0)
    assert games.consistent == consistent
    assert games.verdict().startswith("it beats it consistently, ") == consistent


def test_the_games_are_told_in_one_line() -> None:
    games = Games("ada", "random", 18, 1, 1, 61, 12, 0)
    assert games.in_words() == "18 wins, 1 draw, 1 loss in 20 games, 61 points to 12"
    games = Games("ada", "random", 1, 0, 2, 1, 12, 2)
    assert games.in_words() == "1 win, 0 draws, 2 losses (2 by a fault) in 3 games, 1 point to 12"
    assert games.verdict().endswith(": 9 wins of 10 would do")
    games = Games("ada", "random", 2, 0, 1, None, None, 0)
    assert games.in_words() == "2 wins, 0 draws, 1 loss in 3 games"


@pytest.mark.parametrize(
    ("wins", "losses", "words"),
    [
        (0, 0, "no game was played"),
        (9, 0, "too few games to tell whether it beats it consistently, as 10 would do"),
        (8, 1, "it does not beat it consistently, .*: 9 wins of 10 would do"),
        (17, 3, "it does not beat it consistently, .*: 18 wins of 20 would do"),
        (10, 11, "it does not beat it consistently, .*: 19 wins of 21 would do"),
    ],
)
def test_too_few_games_and_too_few_wins_are_told_apart(wins: int, losses: int, words: str) -> None:
    assert re.fullmatch(words, Games("ada", "random", wins, 0, losses, 0, 0, 0).verdict())


def test_nobody_is_asked_for_a_move() -> None:
    with pytest.raises(BadEntrant, match="human: nobody is asked for moves"):
        games_against(DEPTH_1, entrant_from("human"))


def test_the_limits_of_a_program_hold_in_its_games() -> None:
    fixtures = games_against(entrant_from(command_line("spinner"), limits=replace(QUICK, seconds=0.15)), RANDOM, 2)
    assert [each.played.faults[0].kind for each in results_of(fixtures)] == ["time-out"] * 2
