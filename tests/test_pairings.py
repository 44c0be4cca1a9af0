"""Who meets whom."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxconnect4 import GREEN, RED
from maxconnect4.errors import BadEntrant
from maxconnect4.referee.games import FORFEIT, FULL, VOID, Fault, Game, Played, Result
from maxconnect4.referee.schedule.encounters import Encounter, Outcomes, schedule
from maxconnect4.referee.schedule.knockout import seeds
from maxconnect4.referee.schedule.matching import Matching
from maxconnect4.referee.schedule.pairings import Format, format_from


def players(count: int) -> list[str]:
    return [f"player {number}" for number in range(1, count + 1)]


def result(game: Game, score: float | None, points: tuple[int, int] = (0, 0), faults: tuple[int, ...] = ()) -> Result:
    found = tuple(Fault("crash", player, 5, "it crashed") for player in faults)
    ending = VOID if score is None else FORFEIT if faults else FULL
    return Result(game, Played(game.number, game.opening, ending, score, points, (), 0.0, faults=found))


def at_random(encounters: list[Encounter], rng: random.Random) -> list[Result]:
    return [
        result(game, rng.choice((0, 0.5, 1, None)), (rng.randrange(9), rng.randrange(9)))
        for game in schedule(encounters, ["", "44"])
    ]


def better_wins(encounters: list[Encounter]) -> list[Result]:
    """The smaller number wins."""
    number = {name: int(name.split()[1]) for each in encounters for name in (each.first, each.second)}
    return [result(game, float(number[game.red] < number[game.green])) for game in schedule(encounters, [""])]


def all_rounds(form: Format, rng: random.Random) -> tuple[list[list[Encounter]], list[Result]]:
    rounds: list[list[Encounter]] = []
    results: list[Result] = []
    while encounters := form.next_encounters(results):
        assert encounters == form.next_encounters(list(results))  # nothing is kept in mind
        rounds.append(encounters)
        results += at_random(encounters, rng)
        assert len(rounds) < 100, "it never ends"
    return rounds, results


def nobody_plays_twice_in_a_round(encounters: list[Encounter]) -> bool:
    playing = Counter((each.round, name) for each in encounters for name in (each.first, each.second))
    return set(playing.values()) <= {1}


def met(encounters: list[Encounter]) -> Counter[frozenset[str]]:
    return Counter(frozenset((each.first, each.second)) for each in encounters)


# Round robin and gauntlet


@given(st.integers(2, 40))
def test_in_a_round_robin_everybody_meets_everybody_once(count: int) -> None:
    names = players(count)
    form = format_from("round-robin", names)
    encounters = form.next_encounters([])
    assert met(encounters) == Counter(frozenset(pair) for pair in combinations(names, 2))
    assert nobody_plays_twice_in_a_round(encounters)
    assert {each.round for each in encounters} == set(range(1, count + count % 2))
    assert form.next_encounters(better_wins(encounters)) == []
    first = Counter(each.first for each in encounters)
    assert all(abs(2 * first[name] - (count - 1)) <= 1 for name in names)


@given(st.data(), st.integers(2, 30))
def test_in_a_gauntlet_the_first_meet_all_others(data: st.DataObject, count: int) -> None:
    names, heads = players(count), data.draw(st.integers(1, count - 1))
    form = format_from("gauntlet", names, heads=heads)
    encounters = form.next_encounters([])
    assert met(encounters) == Counter(frozenset((one, other)) for one in names[:heads] for other in names[heads:])
    assert {each.round for each in encounters} == set(range(1, max(heads, count - heads) + 1))
    assert nobody_plays_twice_in_a_round(encounters)
    assert form.next_encounters(better_wins(encounters)) == []


def test_who_begins_changes_from_encounter_to_encounter() -> None:
    names = ["a", "b", "c", "d"]
    robin = [(each.first, each.second) for each in format_from("round-robin", names).next_encounters([])]
    assert robin == [("a", "d"), ("b", "c"), ("c", "a"), ("d", "b"), ("a", "b"), ("c", "d")]
    gauntlet = [(each.first, each.second) for each in format_from("gauntlet", names).next_encounters([])]
    assert gauntlet == [("a", "b"), ("c", "a"), ("a", "d")]
    swiss = [(each.first, each.second) for each in format_from("swiss", names).next_encounters([])]
    assert swiss == [("a", "c"), ("d", "b")]


def places(form: Format, results: list[Result]) -> list[str]:
    return [name for name, _ in form.ranking(results)]


# Swiss


@given(st.integers(2, 24), st.one_of(st.none(), st.integers(1, 26)), st.integers())
def test_in_a_swiss_tournament_nobody_meets_twice_if_that_can_be_avoided(
    count: int, rounds: int | None, seed: int
) -> None:
    names = players(count)
    played, _ = all_rounds(format_from("swiss", names, rounds=rounds), random.Random(seed))
    assert len(played) == (rounds or min(count - 1 + count % 2, math.ceil(math.log2(count)) + 1))
    before: Counter[frozenset[str]] = Counter()
    for number, encounters in enumerate(played, start=1):
        assert {each.round for each in encounters} == {number}
        assert len(encounters) == count // 2
        assert nobody_plays_twice_in_a_round(encounters)
        again = sum(before[pair] > 0 for pair in met(encounters))
        playing = [name for each in encounters for name in (each.first, each.second)]
        assert again == least_rematches(playing, before)
        before += met(encounters)


def least_rematches(names: list[str], before: Counter[frozenset[str]]) -> int:
    fresh = [[other for other, b in enumerate(names) if a != b and not before[frozenset((a, b))]] for a in names]
    return len(Matching(fresh).alone) // 2


@given(st.integers(1, 9).map(lambda half: 2 * half + 1), st.integers())
def test_everybody_has_one_bye_at_most_and_it_is_a_point(count: int, seed: int) -> None:
    names = players(count)
    form = format_from("swiss", names, rounds=count)
    played, _ = all_rounds(form, random.Random(seed))
    free = [set(names) - {name for each in encounters for name in (each.first, each.second)} for encounters in played]
    assert all(len(each) == 1 for each in free)
    assert len(set.union(*free)) == count
    level = [result(game, 0.5) for game in schedule(form.next_encounters([]), [""])]
    assert free[0] == {names[-1]}
    assert places(form, level)[0] == names[-1]


def test_the_upper_half_meets_the_lower_half_and_winners_meet_winners() -> None:
    form = format_from("swiss", players(8))
    first = form.next_encounters([])
    assert set(met(first)) == {frozenset((f"player {n}", f"player {n + 4}")) for n in range(1, 5)}
    results = better_wins(first)
    second = form.next_encounters(results)
    pairs = [(1, 3), (2, 4), (5, 7), (6, 8)]
    assert set(met(second)) == {frozenset((f"player {a}", f"player {b}")) for a, b in pairs}
    results += better_wins(second)
    assert places(form, results)[:2] == ["player 1", "player 2"]
    assert places(form, results)[-2:] == ["player 7", "player 8"]


def test_pairs_are_made_from_the_top() -> None:
    """Of three winners the first meets the third, and the second has to go down."""
    form = format_from("swiss", players(6))
    second = form.next_encounters(better_wins(form.next_encounters([])))
    assert set(met(second)) == {frozenset((f"player {a}", f"player {b}")) for a, b in [(1, 3), (2, 4), (5, 6)]}


def test_the_bye_goes_to_somebody_without_whom_nobody_has_to_meet_twice() -> None:
    """e is the last, but without e there would be nobody left for a."""
    results = [result(Game(number, number, number, "a", other, ""), 1) for number, other in enumerate("bcd", start=1)]
    encounters = format_from("swiss", list("abcde"), rounds=9).next_encounters(results)
    assert set(met(encounters)) == {frozenset("ae"), frozenset("bc")}


def test_equal_points_are_told_apart_by_those_of_the_opponents() -> None:
    """x and y have two points each; those whom y has beaten have won more."""
    pairs = [("x", "a"), ("y", "b"), ("b", "a"), ("c", "d")], [("x", "d"), ("y", "c"), ("c", "a"), ("b", "d")]
    games = [Game(1, number, 1, *pair, "") for number, some in enumerate(pairs, start=1) for pair in some]
    form = format_from("swiss", ["x", "y", "a", "b", "c", "d"])
    assert places(form, [result(game, 1) for game in games]) == ["y", "b", "c", "x", "a", "d"]


def test_who_has_to_meet_again_meets_those_first_whom_they_have_met_least() -> None:
    for seed in range(10):
        for times in (2, 3):
            _, results = all_rounds(format_from("swiss", players(4), rounds=3 * times), random.Random(seed))
            assert set(Outcomes(results).meetings.values()) == {times}


def test_a_swiss_tournament_has_enough_rounds_for_one_to_be_ahead() -> None:
    """A round more than a knock-out has, as far as nobody has to meet twice."""
    rounds = [len(all_rounds(format_from("swiss", players(count)), random.Random(1))[0]) for count in range(2, 10)]
    assert rounds == [1, 3, 3, 4, 4, 4, 4, 5]


@pytest.mark.parametrize("count", [50, pytest.param(100, marks=pytest.mark.long)])
def test_many_players_are_paired_for_many_rounds(count: int) -> None:
    played, results = all_rounds(format_from("swiss", players(count), rounds=12), random.Random(1))
    assert [len(encounters) for encounters in played] == [count // 2] * 12
    assert set(Outcomes(results).meetings.values()) == {1}


# Knock-out


@given(st.integers(2, 70), st.integers())
def test_a_knock_out_halves_the_players_until_one_is_left(count: int, seed: int) -> None:
    names = players(count)
    form = format_from("knock-out", names)
    played, results = all_rounds(form, random.Random(seed))
    assert len(played) == math.ceil(math.log2(count))
    assert [len(encounters) for encounters in played[1:]] == [2**n for n in reversed(range(len(played) - 1))]
    assert sum(len(encounters) for encounters in played) == count - 1
    for before, after in pairwise(played):
        assert nobody_plays_twice_in_a_round(before)
        losers = {name for each in before for name in (each.first, each.second)} - {
            name for each in after for name in (each.first, each.second)
        }
        assert len(losers) == len(before)
    (final,) = played[-1]
    order = places(form, results)
    assert set(order[:2]) == {final.first, final.second}
    assert sorted(order) == sorted(names)
    # Byes are for the first seeds.
    free = 2 ** len(played) - count
    playing = {name for each in played[0] for name in (each.first, each.second)}
    assert playing == set(names[free:])


@given(st.integers(2, 70))
def test_if_the_better_seed_always_wins_the_best_meet_last(count: int) -> None:
    form, results = format_from("knock-out", players(count)), list[Result]()
    while encounters := form.next_encounters(results):
        results += better_wins(encounters)
        assert len(results) < 2 * count, "it never ends"
    assert (encounters, places(form, results)[:2]) == ([], players(2))
    last = max(result.game.round for result in results)
    assert {name for each in results if each.game.round == last for name in (each.game.red, each.game.green)} == set(
        players(2)
    )


def test_a_knock_out_says_how_far_everybody_has_come() -> None:
    form, results = format_from("knock-out", players(5)), list[Result]()
    assert form.ranking(results)[0] == ("player 1", "round 2")  # as it has a bye
    while encounters := form.next_encounters(results):
        results += better_wins(encounters)
    words = ["winner", "final", "round 2", "round 2", "round 1"]
    assert form.ranking(results) == list(zip(players(5), words, strict=True))
    four = format_from("knock-out", players(4))
    semifinals = better_wins(four.next_encounters([]))
    semifinals += better_wins(four.next_encounters(semifinals))
    assert [word for _, word in four.ranking(semifinals)] == ["winner", "final", "round 1", "round 1"]


def test_a_round_of_a_knock_out_is_played_to_its_end_first() -> None:
    form = format_from("knock-out", players(4))
    first = form.next_encounters([])
    assert form.next_encounters(better_wins(first[:1])) == first
    assert form.next_encounters(better_wins(first[1:])) == first


def test_a_swiss_tournament_says_points_buchholz_and_byes() -> None:
    form = format_from("swiss", players(3))
    assert form.ranking([]) == [(name, "0 (0)") for name in players(3)]
    words = [("player 1", "1 (0)"), ("player 3", "1 (0, a bye)"), ("player 2", "0 (1)")]
    assert form.ranking(better_wins(form.next_encounters([]))) == words


def test_the_bracket_of_eight_is_the_usual_one() -> None:
    assert seeds(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    assert seeds(5) == seeds(8)


@pytest.mark.parametrize(
    ("outcome", "winner"),
    [
        ([(1, (0, 9), ()), (0.5, (0, 9), ())], "x"),  # the score comes first
        ([(1, (2, 1), ()), (1, (4, 1), ())], "y"),  # then the margin
        ([(0, (0, 0), (RED,)), (0, (0, 0), (RED, GREEN))], "y"),  # then fewer faults: x has two, and y one
        ([(1, (0, 0), (GREEN,)), (1, (0, 0), (RED, GREEN))], "x"),  # here x has one, and y two
        ([(0.5, (3, 3), ()), (0.5, (2, 2), ())], "x"),  # then the seed
        ([(None, (0, 9), ()), (None, (9, 0), (RED,))], "x"),  # void games do not count
    ],
)
def test_a_level_encounter_goes_to_margin_then_faults_then_the_seed(
    outcome: list[tuple[float | None, tuple[int, int], tuple[int, ...]]], winner: str
) -> None:
    form = format_from("knock-out", ["x", "y"])
    games = schedule(form.next_encounters([]), [""])
    assert [game.red for game in games] == ["x", "y"]
    results = [result(game, *each) for game, each in zip(games, outcome, strict=True)]
    assert places(form, results)[0] == winner
    assert form.next_encounters(results) == []


def test_each_side_of_an_encounter_has_its_score_margin_and_faults() -> None:
    games = schedule([Encounter(2, "x", "y")], ["", "44"])
    scores = [(1, (5, 2), ()), (0.5, (1, 1), (GREEN,)), (None, (9, 0), (RED,)), (0, (0, 4), (RED, RED))]
    outcomes = Outcomes(result(game, *each) for game, each in zip(games, scores, strict=True))
    assert [game.red for game in games] == ["x", "y", "y", "x"]
    assert outcomes.sides == {(2, "x", "y"): (1.5, -1, 3), (2, "y", "x"): (1.5, 1, 0)}
    assert (outcomes.rounds, outcomes.meetings) == (2, {frozenset(("x", "y")): 1})
    assert (outcomes.points(2, "x", "y"), outcomes.points(2, "y", "x")) == (0.5, 0.5)
    assert outcomes.winner(2, "x", "y") == "y"
    assert outcomes.winner(1, "y", "x") is None
    assert Outcomes([]).rounds == 0


# All of them


@pytest.mark.parametrize(
    ("form", "names", "options", "words"),
    [
        ("league", ["a", "b"], {}, "'league' is not a format: choose round-robin, gauntlet, swiss, knock-out"),
        ("swiss", ["a"], {}, "a tournament takes at least two players, and there is one"),
        ("swiss", [], {}, "a tournament takes at least two players, and there are none"),
        ("swiss", ["a", "b", "a"], {}, "there are two players of the name 'a'"),
        ("swiss", ["a", "b"], {"rounds": 0}, "a tournament of 0 rounds is none"),
        ("knock-out", ["a", "b"], {"rounds": 2}, "the number of rounds is given for swiss, not for 'knock-out'"),
        ("gauntlet", ["a", "b"], {"heads": 2}, "2 of 2 players cannot meet all others: only 1 can"),
        ("gauntlet", ["a", "b", "c"], {"heads": 0}, "0 of 3 players cannot meet all others: 1 to 2 can"),
        ("swiss", ["a", "b"], {"heads": 2}, "is given for a gauntlet, not for 'swiss'"),
    ],
)
def test_a_format_that_is_none_is_refused(form: str, names: list[str], options: dict[str, int], words: str) -> None:
    with pytest.raises(BadEntrant, match=words):
        format_from(form, names, rounds=options.get("rounds"), heads=options.get("heads", 1))


@given(st.integers(2, 12), st.integers(1, 5), st.integers(1, 1000), st.integers(1, 1000))
def test_each_opening_is_played_twice_with_colours_swapped(count: int, openings: int, number: int, pair: int) -> None:
    encounters = format_from("round-robin", players(count)).next_encounters([])
    chosen = [str(each + 1) for each in range(openings)]
    games = schedule(encounters, chosen, number, pair)
    assert [game.number for game in games] == list(range(number, number + 2 * openings * len(encounters)))
    for place, (one, other) in enumerate(zip(games[::2], games[1::2], strict=True)):
        assert one.pair == other.pair == pair + place
        assert (one.red, one.green, one.opening) == (other.green, other.red, other.opening)
        encounter = encounters[place // openings]
        assert one.opening == chosen[place % openings]
        assert one.round == other.round == encounter.round
        assert {one.red, one.green} == {encounter.first, encounter.second}
    for each in encounters:
        begins = Counter(game.red for game in games[::2] if {game.red, game.green} == {each.first, each.second})
        assert abs(begins[each.first] - begins[each.second]) <= 1


def test_games_and_pairs_are_counted_from_one() -> None:
    games = schedule([Encounter(1, "x", "y")], [""])
    assert [(game.number, game.pair) for game in games] == [(1, 1), (2, 1)]
