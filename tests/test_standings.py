from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxconnect4.board import GREEN, RED
from maxconnect4.referee.game import FORFEIT, FULL, VOID, GameResult, PlayedGame, ScheduledGame
from maxconnect4.referee.match_statistics import Interval, mean_interval
from maxconnect4.referee.move_validation import Fault, Note
from maxconnect4.referee.standings import HeadToHead, cross_table, pairs, standings


def game(
    pair: int,
    red: str,
    green: str,
    points: tuple[int, int],
    *,
    ending: str = FULL,
    score: float | None = None,
    opening: str = "",
    cpu: tuple[float, ...] = (),
    faults: tuple[Fault, ...] = (),
    notes: tuple[Note, ...] = (),
    regrets: tuple[int, ...] | None = None,
) -> PlayedGame:
    """A game; the score is that of the points, unless it is said or void."""
    if score is None and ending != VOID:
        score = 0.5 if points[0] == points[1] else float(points[0] > points[1])
    result = GameResult(1, opening, ending, score, points, cpu, 1.0, "", faults, notes, regrets)
    return PlayedGame(ScheduledGame(1, 1, pair, red, green, opening), result)


def random_results(chance: random.Random, names: list[str], times: int) -> list[PlayedGame]:
    results, pair = [], 0
    for _ in range(times):
        for i, one in enumerate(names):
            for other in names[:i]:
                pair += 1
                for red, green in ((one, other), (other, one)):
                    ending = chance.choice((FULL, FULL, FULL, FORFEIT, VOID))
                    points = chance.randrange(6), chance.randrange(6)
                    cpu = tuple(chance.randrange(8) / 4 for _ in range(6))
                    results.append(game(pair, red, green, points, ending=ending, cpu=cpu))
    return results


def test_games_and_points_are_counted() -> None:
    results = [game(1, "ada", "bob", (5, 2)), game(1, "bob", "ada", (3, 3)), game(2, "ada", "bob", (1, 4))]
    ada, bob = standings(results, ["bob", "ada"])
    assert (ada.rank, ada.name, ada.games, ada.wins, ada.draws, ada.losses, ada.score) == (1, "ada", 3, 1, 1, 1, 1.5)
    assert (ada.points_for, ada.points_against, ada.merit) == (9, 9, "")
    assert (bob.games, bob.wins, bob.draws, bob.losses, bob.score) == (3, 1, 1, 1, 1.5)
    assert (bob.points_for, bob.points_against) == (9, 9)
    assert ada.margin == Interval(1.5, None, None, 1)  # of the complete pair: 3 and 0
    assert bob.margin == Interval(-1.5, None, None, 1)


def test_points_are_for_one_and_against_the_other() -> None:
    ada, bob = standings([game(1, "ada", "bob", (5, 2)), game(1, "bob", "ada", (0, 1))], ["bob", "ada"])
    assert (ada.points_for, ada.points_against, bob.points_for, bob.points_against) == (6, 2, 2, 6)


def test_the_score_for_each_game_counts_before_the_number_of_games() -> None:
    results = [game(1, "ada", "cid", (5, 2)), *[game(2 + place, "bob", "cid", (5, 2)) for place in range(2)]]
    results += [game(4 + place, "bob", "cid", (2, 5)) for place in range(2)]
    table = standings(results, ["dan", "cid", "bob", "ada"])
    assert [each.name for each in table] == ["ada", "bob", "cid", "dan"]


def test_players_who_are_equal_otherwise_are_ordered_by_the_mean_margin() -> None:
    def pair(number: int, one: str, other: str, won: int = 0, lost: int = 0) -> list[PlayedGame]:
        """One win each: by so many points, or by forfeit."""
        ending = FULL if won else FORFEIT
        return [
            game(number, one, other, (won, 0), ending=ending, score=1.0),
            game(number, other, one, (lost, 0), ending=ending, score=1.0),
        ]

    results = [*pair(1, "ada", "bob", 2, 1), *pair(2, "ada", "bob", 2, 1)]
    results += [*pair(3, "eve", "fay", 3, 1), *pair(4, "eve", "fay")]
    results += [*pair(5, "cid", "dan"), *pair(6, "cid", "dan")]
    names = ["ada", "bob", "cid", "dan", "eve", "fay"]
    assert [each.name for each in standings(results, names)] == ["eve", "ada", "cid", "dan", "bob", "fay"]
    assert cross_table(results, names)["ada", "bob"].margin == 0.5


def test_the_margin_has_the_interval_of_the_pairs() -> None:
    results = []
    for pair, (first, second) in enumerate([((3, 0), (1, 1)), ((2, 2), (0, 5)), ((4, 1), (2, 0))], 1):
        results += [game(pair, "ada", "bob", first), game(pair, "bob", "ada", second)]
    by_name = {line.name: line for line in standings(results, ["ada", "bob"])}
    assert by_name["ada"].margin == mean_interval([1.5, 2.5, 0.5])
    assert by_name["bob"].margin == mean_interval([-1.5, -2.5, -0.5])


def test_a_forfeit_counts_for_the_score_but_not_for_the_margin() -> None:
    lost = Fault("illegal move", RED, 3, "column 4 is full")
    results = [game(1, "ada", "bob", (0, 0), ending=FORFEIT, score=0.0, faults=(lost,)), game(1, "bob", "ada", (1, 2))]
    by_name = {line.name: line for line in standings(results, ["ada", "bob"])}
    assert by_name["ada"].score == by_name["bob"].score == 1
    assert by_name["ada"].faults == {"illegal move": 1}
    assert by_name["bob"].faults == {}
    assert by_name["ada"].margin.n == 0
    assert cross_table(results, ["ada", "bob"])["ada", "bob"] == HeadToHead(2, 1, 0, 1, 1.0, None)
    assert pairs(results, "ada") == [1]


def test_a_void_game_counts_for_nothing_but_faults() -> None:
    crash, note = Fault("crash", GREEN, 2, "exit code 1"), Note("exit code", RED, 1)
    results = [
        game(1, "ada", "bob", (7, 0), ending=VOID, cpu=(9.0, 9.0), regrets=(5, 5), faults=(crash,), notes=(note,)),
        game(1, "bob", "ada", (1, 2), cpu=(0.5, 0.25), regrets=(3, 0)),
    ]
    ada, bob = standings(results, ["ada", "bob"])
    assert (ada.games, ada.points_for, ada.cpu_seconds, ada.max_cpu_seconds, ada.regret) == (1, 2, 0.25, 0.25, 0)
    assert (bob.games, bob.points_for, bob.cpu_seconds, bob.max_cpu_seconds, bob.regret) == (1, 1, 0.5, 0.5, 3)
    assert (bob.faults, ada.faults, ada.notes) == ({"crash": 1}, {}, {})
    assert pairs(results, "ada") == []
    assert ada.margin.n == 0


def test_moves_belong_to_who_made_them() -> None:
    # Three moves are on the board, so green begins.
    played = game(1, "ada", "bob", (1, 0), opening="444", cpu=(1.0, 2.0, 3.0, 4.0, 8.0), regrets=(1, 0, 1, 0, 4))
    ada, bob = standings([played], ["ada", "bob"])
    assert (ada.cpu_seconds, ada.max_cpu_seconds, ada.regret) == (3, 4, 0)
    assert (bob.cpu_seconds, bob.max_cpu_seconds, bob.regret) == (4, 8, 2)


def test_faults_and_notes_are_counted_by_kind() -> None:
    notes = (
        Note("exit code", RED, 1),
        Note("exit code", RED, 3),
        Note("line ends", RED, 1),
        Note("exit code", GREEN, 2),
    )
    ada, bob = standings([game(1, "ada", "bob", (1, 0), notes=notes)], ["ada", "bob"])
    assert ada.notes == {"exit code": 2, "line ends": 1}
    assert bob.notes == {"exit code": 1}


def test_equal_shares_are_ordered_by_score_and_equals_have_one_rank() -> None:
    results = [
        game(1, "ada", "bob", (1, 0)),
        game(2, "cy", "bob", (1, 0)),
        game(2, "bob", "cy", (0, 1)),
        game(3, "dan", "eve", (3, 3)),
    ]
    lines = standings(results, ["eve", "ada", "bob", "cy", "dan", "fay"])
    assert [line.name for line in lines] == ["cy", "ada", "dan", "eve", "bob", "fay"]
    assert [line.rank for line in lines] == [1, 2, 3, 3, 5, 6]  # dan and eve are equal in everything


def test_a_player_without_games_has_no_numbers() -> None:
    (line,) = standings([], ["ada"])
    assert (line.rank, line.games, line.rating, line.cpu_seconds, line.max_cpu_seconds, line.regret) == (
        1,
        0,
        None,
        None,
        None,
        None,
    )
    assert line.margin == Interval(None, None, None, 0)


def test_a_tournament_without_players_is_refused() -> None:
    assert standings([], []) == []
    assert cross_table([], []) == {}


def test_the_rating_orders_equal_scores() -> None:
    # Both have won one game of two; cy beat the stronger opponent.
    results = [
        game(1, "ada", "weak", (1, 0)),
        game(2, "ada", "strong", (0, 1)),
        game(3, "cy", "strong", (1, 0)),
        game(4, "cy", "middle", (0, 1)),
        *(game(5 + i, "strong", "weak", (1, 0)) for i in range(6)),
    ]
    names = [line.name for line in standings(results, ["ada", "cy", "strong", "weak", "middle"])]
    assert names.index("cy") < names.index("ada")


def test_the_cross_table_has_both_views() -> None:
    results = [game(1, "ada", "bob", (5, 2)), game(1, "bob", "ada", (3, 3)), game(2, "ada", "bob", (1, 4))]
    table = cross_table(results, ["ada", "bob", "cy"])
    assert table["ada", "bob"] == HeadToHead(games=3, wins=1, draws=1, losses=1, score=1.5, margin=1.5)
    assert table["bob", "ada"] == HeadToHead(games=3, wins=1, draws=1, losses=1, score=1.5, margin=-1.5)
    assert table["ada", "cy"] == HeadToHead(0, 0, 0, 0, 0.0, None)
    assert len(table) == 6


def test_pairs_are_in_the_order_in_which_they_became_complete() -> None:
    results = [
        game(1, "ada", "bob", (5, 2)),
        game(2, "bob", "ada", (1, 2)),
        game(3, "ada", "cy", (1, 0)),
        game(2, "ada", "bob", (1, 0)),
        game(1, "bob", "ada", (2, 2)),
        game(3, "cy", "ada", (1, 0)),
        game(4, "ada", "bob", (1, 0)),
        game(5, "bob", "cy", (1, 0)),
        game(5, "cy", "bob", (1, 0)),
    ]
    assert pairs(results, "ada") == [2, 1.5, 1]
    assert pairs(results, "ada", "bob") == [2, 1.5]
    assert pairs(results, "bob", "ada") == [0, 0.5]
    assert pairs(results, "cy") == [1, 1]


@given(st.randoms(use_true_random=False))
def test_the_order_of_the_games_does_not_matter(chance: random.Random) -> None:
    names = ["a", "b", "c", "d"]
    results = random_results(chance, names, 2)
    shuffled = chance.sample(results, len(results))
    for here, there in zip(standings(results, names), standings(shuffled, names[::-1]), strict=True):
        assert replace(here, rating=None) == replace(there, rating=None)
        assert (here.rating is None) == (there.rating is None)
        if here.rating and there.rating:
            assert here.rating.elo == pytest.approx(there.rating.elo, abs=1e-6)
            assert here.rating.bar == pytest.approx(there.rating.bar, abs=1e-6)
    assert cross_table(results, names) == cross_table(shuffled, names)
    assert sorted(pairs(results, "a")) == sorted(pairs(shuffled, "a"))


@given(st.randoms(use_true_random=False))
def test_everything_adds_up(chance: random.Random) -> None:
    names = ["a", "b", "c", "d"]
    results = random_results(chance, names, 1)
    lines = standings(results, names)
    table = cross_table(results, names)
    count = sum(played.result.ending != VOID for played in results)
    assert sum(line.games for line in lines) == 2 * count
    assert sum(line.score for line in lines) == count
    assert sum(line.points_for or 0 for line in lines) == sum(line.points_against or 0 for line in lines)
    for line in lines:
        assert line.games == line.wins + line.draws + line.losses
        row = [meeting for (one, _), meeting in table.items() if one == line.name]
        assert (line.games, line.score) == (sum(each.games for each in row), sum(each.score for each in row))


@pytest.mark.parametrize("count", [40, pytest.param(100, marks=pytest.mark.long)])
def test_a_large_tournament_is_complete(count: int) -> None:
    names = [f"player {number}" for number in range(count)]
    results = random_results(random.Random(2), names, 1)
    lines = standings(results, names)
    assert len(results) == count * (count - 1)
    assert [line.rank for line in lines] == list(range(1, count + 1))
    assert all(line.rating is not None and 0 < line.rating.bar < 150 for line in lines)
