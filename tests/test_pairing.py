"""Pairings of all formats."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxconnect4 import GREEN, RED
from maxconnect4.errors import BadSetup
from maxconnect4.referee.game import FORFEIT, FULL, VOID, GameResult, PlayedGame, ScheduledGame
from maxconnect4.referee.move_validation import Fault
from maxconnect4.referee.pairing import Format, Matching, MatchScores, Pairing, Stage, format_from, seeds


def players(count: int) -> list[str]:
    return [f"player {number}" for number in range(1, count + 1)]


def played(
    game: ScheduledGame, score: float | None, points: tuple[int, int] = (0, 0), faults: tuple[int, ...] = ()
) -> PlayedGame:
    found = tuple(Fault("crash", player, 5, "it crashed") for player in faults)
    ending = VOID if score is None else FORFEIT if faults else FULL
    return PlayedGame(game, GameResult(game.number, game.opening, ending, score, points, (), 0.0, faults=found))


def at_random(pairings: list[Pairing], rng: random.Random) -> list[PlayedGame]:
    return [
        played(game, rng.choice((0, 0.5, 1, None)), (rng.randrange(9), rng.randrange(9)))
        for game in Stage(pairings, ["", "44"]).games()
    ]


def better_wins(pairings: list[Pairing]) -> list[PlayedGame]:
    """The smaller number wins."""
    number = {name: int(name.split()[1]) for each in pairings for name in (each.first, each.second)}
    return [played(game, float(number[game.red] < number[game.green])) for game in Stage(pairings, [""]).games()]


def all_rounds(form: Format, rng: random.Random) -> tuple[list[list[Pairing]], list[PlayedGame]]:
    rounds: list[list[Pairing]] = []
    results: list[PlayedGame] = []
    while pairings := form.next_pairings(results):
        assert pairings == form.next_pairings(list(results))  # nothing is kept in mind
        rounds.append(pairings)
        results += at_random(pairings, rng)
        assert len(rounds) < 100, "it never ends"
    return rounds, results


def nobody_plays_twice_in_a_round(pairings: list[Pairing]) -> bool:
    playing = Counter((each.round, name) for each in pairings for name in (each.first, each.second))
    return set(playing.values()) <= {1}


def met(pairings: list[Pairing]) -> Counter[frozenset[str]]:
    return Counter(frozenset((each.first, each.second)) for each in pairings)


# Round robin and gauntlet


@given(st.integers(2, 40))
def test_in_a_round_robin_all_players_meet_once(count: int) -> None:
    names = players(count)
    form = format_from("round-robin", names)
    pairings = form.next_pairings([])
    assert met(pairings) == Counter(frozenset(pair) for pair in combinations(names, 2))
    assert nobody_plays_twice_in_a_round(pairings)
    assert {each.round for each in pairings} == set(range(1, count + count % 2))
    assert form.next_pairings(better_wins(pairings)) == []
    first = Counter(each.first for each in pairings)
    assert all(abs(2 * first[name] - (count - 1)) <= 1 for name in names)


@given(st.data(), st.integers(2, 30))
def test_in_a_gauntlet_the_first_meet_all_others(data: st.DataObject, count: int) -> None:
    names, heads = players(count), data.draw(st.integers(1, count - 1))
    form = format_from("gauntlet", names, heads=heads)
    pairings = form.next_pairings([])
    assert met(pairings) == Counter(frozenset((one, other)) for one in names[:heads] for other in names[heads:])
    assert {each.round for each in pairings} == set(range(1, max(heads, count - heads) + 1))
    assert nobody_plays_twice_in_a_round(pairings)
    assert form.next_pairings(better_wins(pairings)) == []


def test_the_first_player_alternates_between_encounters() -> None:
    names = ["a", "b", "c", "d"]
    robin = [(each.first, each.second) for each in format_from("round-robin", names).next_pairings([])]
    assert robin == [("a", "d"), ("b", "c"), ("c", "a"), ("d", "b"), ("a", "b"), ("c", "d")]
    gauntlet = [(each.first, each.second) for each in format_from("gauntlet", names).next_pairings([])]
    assert gauntlet == [("a", "b"), ("c", "a"), ("a", "d")]
    swiss = [(each.first, each.second) for each in format_from("swiss", names).next_pairings([])]
    assert swiss == [("a", "c"), ("d", "b")]


def places(form: Format, results: list[PlayedGame]) -> list[str]:
    return [name for name, _ in form.ranking(results)]


# Swiss


@given(st.integers(2, 24), st.one_of(st.none(), st.integers(1, 26)), st.integers())
def test_a_swiss_tournament_avoids_repeated_pairings(count: int, rounds: int | None, seed: int) -> None:
    names = players(count)
    result, _ = all_rounds(format_from("swiss", names, rounds=rounds), random.Random(seed))
    assert len(result) == (rounds or min(count - 1 + count % 2, math.ceil(math.log2(count)) + 1))
    before: Counter[frozenset[str]] = Counter()
    for number, pairings in enumerate(result, start=1):
        assert {each.round for each in pairings} == {number}
        assert len(pairings) == count // 2
        assert nobody_plays_twice_in_a_round(pairings)
        again = sum(before[pair] > 0 for pair in met(pairings))
        playing = [name for each in pairings for name in (each.first, each.second)]
        assert again == least_rematches(playing, before)
        before += met(pairings)


def least_rematches(names: list[str], before: Counter[frozenset[str]]) -> int:
    fresh = [[other for other, b in enumerate(names) if a != b and not before[frozenset((a, b))]] for a in names]
    return len(Matching(fresh).unmatched) // 2


@given(st.integers(1, 9).map(lambda half: 2 * half + 1), st.integers())
def test_a_player_has_at_most_one_bye_and_it_is_a_point(count: int, seed: int) -> None:
    names = players(count)
    form = format_from("swiss", names, rounds=count)
    result, _ = all_rounds(form, random.Random(seed))
    free = [set(names) - {name for each in pairings for name in (each.first, each.second)} for pairings in result]
    assert all(len(each) == 1 for each in free)
    assert len(set.union(*free)) == count
    level = [played(game, 0.5) for game in Stage(form.next_pairings([]), [""]).games()]
    assert free[0] == {names[-1]}
    assert places(form, level)[0] == names[-1]


def test_the_upper_half_meets_the_lower_half_and_winners_meet_winners() -> None:
    form = format_from("swiss", players(8))
    first = form.next_pairings([])
    assert set(met(first)) == {frozenset((f"player {n}", f"player {n + 4}")) for n in range(1, 5)}
    results = better_wins(first)
    second = form.next_pairings(results)
    pairs = [(1, 3), (2, 4), (5, 7), (6, 8)]
    assert set(met(second)) == {frozenset((f"player {a}", f"player {b}")) for a, b in pairs}
    results += better_wins(second)
    assert places(form, results)[:2] == ["player 1", "player 2"]
    assert places(form, results)[-2:] == ["player 7", "player 8"]


def test_pairs_are_made_from_the_top() -> None:
    """Of three winners the first meets the third, and the second has to go down."""
    form = format_from("swiss", players(6))
    second = form.next_pairings(better_wins(form.next_pairings([])))
    assert set(met(second)) == {frozenset((f"player {a}", f"player {b}")) for a, b in [(1, 3), (2, 4), (5, 6)]}


def test_the_bye_avoids_repeated_pairings() -> None:
    """e is the last, but without e there would be nobody left for a."""
    results = [
        played(ScheduledGame(number, number, number, "a", other, ""), 1) for number, other in enumerate("bcd", start=1)
    ]
    pairings = format_from("swiss", list("abcde"), rounds=9).next_pairings(results)
    assert set(met(pairings)) == {frozenset("ae"), frozenset("bc")}


def test_equal_points_are_ranked_by_buchholz() -> None:
    """x and y have two points each; those whom y has beaten have won more."""
    pairs = [("x", "a"), ("y", "b"), ("b", "a"), ("c", "d")], [("x", "d"), ("y", "c"), ("c", "a"), ("b", "d")]
    games = [ScheduledGame(1, number, 1, *pair, "") for number, some in enumerate(pairs, start=1) for pair in some]
    form = format_from("swiss", ["x", "y", "a", "b", "c", "d"])
    assert places(form, [played(game, 1) for game in games]) == ["y", "b", "c", "x", "a", "d"]


def test_repeated_pairings_are_spread_evenly() -> None:
    for seed in range(10):
        for times in (2, 3):
            _, results = all_rounds(format_from("swiss", players(4), rounds=3 * times), random.Random(seed))
            assert set(MatchScores(results).meetings.values()) == {times}


def test_a_swiss_tournament_has_enough_rounds_for_one_to_be_ahead() -> None:
    """A round more than a knock-out has, as far as nobody has to meet twice."""
    rounds = [len(all_rounds(format_from("swiss", players(count)), random.Random(1))[0]) for count in range(2, 10)]
    assert rounds == [1, 3, 3, 4, 4, 4, 4, 5]


@pytest.mark.parametrize("count", [50, pytest.param(100, marks=pytest.mark.long)])
def test_many_players_are_paired_for_many_rounds(count: int) -> None:
    result, results = all_rounds(format_from("swiss", players(count), rounds=12), random.Random(1))
    assert [len(pairings) for pairings in result] == [count // 2] * 12
    assert set(MatchScores(results).meetings.values()) == {1}


# Knock-out


@given(st.integers(2, 70), st.integers())
def test_a_knock_out_halves_the_players_until_one_is_left(count: int, seed: int) -> None:
    names = players(count)
    form = format_from("knock-out", names)
    result, results = all_rounds(form, random.Random(seed))
    assert len(result) == math.ceil(math.log2(count))
    assert [len(pairings) for pairings in result[1:]] == [2**n for n in reversed(range(len(result) - 1))]
    assert sum(len(pairings) for pairings in result) == count - 1
    for before, after in pairwise(result):
        assert nobody_plays_twice_in_a_round(before)
        losers = {name for each in before for name in (each.first, each.second)} - {
            name for each in after for name in (each.first, each.second)
        }
        assert len(losers) == len(before)
    (final,) = result[-1]
    order = places(form, results)
    assert set(order[:2]) == {final.first, final.second}
    assert sorted(order) == sorted(names)
    # Byes are for the first seeds.
    free = 2 ** len(result) - count
    playing = {name for each in result[0] for name in (each.first, each.second)}
    assert playing == set(names[free:])


@given(st.integers(2, 70))
def test_if_the_better_seed_always_wins_the_best_meet_last(count: int) -> None:
    form, results = format_from("knock-out", players(count)), list[PlayedGame]()
    while pairings := form.next_pairings(results):
        results += better_wins(pairings)
        assert len(results) < 2 * count, "it never ends"
    assert (pairings, places(form, results)[:2]) == ([], players(2))
    last = max(played.game.round for played in results)
    assert {name for each in results if each.game.round == last for name in (each.game.red, each.game.green)} == set(
        players(2)
    )


def test_a_knock_out_ranks_players_with_their_last_round() -> None:
    form, results = format_from("knock-out", players(5)), list[PlayedGame]()
    assert form.ranking(results)[0] == ("player 1", "round 2")  # as it has a bye
    while pairings := form.next_pairings(results):
        results += better_wins(pairings)
    words = ["winner", "final", "round 2", "round 2", "round 1"]
    assert form.ranking(results) == list(zip(players(5), words, strict=True))
    four = format_from("knock-out", players(4))
    semifinals = better_wins(four.next_pairings([]))
    semifinals += better_wins(four.next_pairings(semifinals))
    assert [word for _, word in four.ranking(semifinals)] == ["winner", "final", "round 1", "round 1"]


def test_a_round_of_a_knock_out_is_played_to_its_end_first() -> None:
    form = format_from("knock-out", players(4))
    first = form.next_pairings([])
    assert form.next_pairings(better_wins(first[:1])) == first
    assert form.next_pairings(better_wins(first[1:])) == first


def test_a_swiss_tournament_shows_points_buchholz_and_byes() -> None:
    form = format_from("swiss", players(3))
    assert form.ranking([]) == [(name, "0 (0)") for name in players(3)]
    words = [("player 1", "1 (0)"), ("player 3", "1 (0, a bye)"), ("player 2", "0 (1)")]
    assert form.ranking(better_wins(form.next_pairings([]))) == words


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
    games = Stage(form.next_pairings([]), [""]).games()
    assert [game.red for game in games] == ["x", "y"]
    results = [played(game, *each) for game, each in zip(games, outcome, strict=True)]
    assert places(form, results)[0] == winner
    assert form.next_pairings(results) == []


def test_each_side_of_an_encounter_has_its_score_margin_and_faults() -> None:
    games = Stage([Pairing(2, "x", "y")], ["", "44"]).games()
    scores = [(1, (5, 2), ()), (0.5, (1, 1), (GREEN,)), (None, (9, 0), (RED,)), (0, (0, 4), (RED, RED))]
    outcomes = MatchScores(played(game, *each) for game, each in zip(games, scores, strict=True))
    assert [game.red for game in games] == ["x", "y", "y", "x"]
    assert outcomes.by_player == {(2, "x", "y"): (1.5, -1, 3), (2, "y", "x"): (1.5, 1, 0)}
    assert (outcomes.rounds, outcomes.meetings) == (2, {frozenset(("x", "y")): 1})
    assert (outcomes.points(2, "x", "y"), outcomes.points(2, "y", "x")) == (0.5, 0.5)
    assert outcomes.winner(2, "x", "y") == "y"
    assert outcomes.winner(1, "y", "x") is None
    assert MatchScores([]).rounds == 0


# All of them


@pytest.mark.parametrize(
    ("form", "names", "options", "words"),
    [
        ("league", ["a", "b"], {}, "'league' is not a format: choose round-robin, gauntlet, swiss, knock-out"),
        ("swiss", ["a"], {}, "1 players: a tournament needs at least 2"),
        ("swiss", [], {}, "0 players: a tournament needs at least 2"),
        ("swiss", ["a", "b", "a"], {}, "two players have the name 'a'"),
        ("swiss", ["a", "b"], {"rounds": 0}, "0 rounds: choose at least 1"),
        ("knock-out", ["a", "b"], {"rounds": 2}, "rounds: only swiss has a number of rounds, not 'knock-out'"),
        ("gauntlet", ["a", "b"], {"heads": 2}, "2 of 2 players cannot meet all others: choose 1"),
        ("gauntlet", ["a", "b", "c"], {"heads": 0}, "0 of 3 players cannot meet all others: choose 1 to 2"),
        ("swiss", ["a", "b"], {"heads": 2}, "heads: only gauntlet has heads, not 'swiss'"),
    ],
)
def test_a_format_that_is_none_is_refused(form: str, names: list[str], options: dict[str, int], words: str) -> None:
    with pytest.raises(BadSetup, match=words):
        format_from(form, names, rounds=options.get("rounds"), heads=options.get("heads", 1))


@given(st.integers(2, 12), st.integers(1, 5), st.integers(1, 1000), st.integers(1, 1000))
def test_each_opening_is_played_twice_with_colours_swapped(count: int, openings: int, number: int, pair: int) -> None:
    pairings = format_from("round-robin", players(count)).next_pairings([])
    chosen = [str(each + 1) for each in range(openings)]
    games = Stage(pairings, chosen, number, pair).games()
    assert [game.number for game in games] == list(range(number, number + 2 * openings * len(pairings)))
    for place, (one, other) in enumerate(zip(games[::2], games[1::2], strict=True)):
        assert one.pair == other.pair == pair + place
        assert (one.red, one.green, one.opening) == (other.green, other.red, other.opening)
        encounter = pairings[place // openings]
        assert one.opening == chosen[place % openings]
        assert one.round == other.round == encounter.round
        assert {one.red, one.green} == {encounter.first, encounter.second}
    for each in pairings:
        begins = Counter(game.red for game in games[::2] if {game.red, game.green} == {each.first, each.second})
        assert abs(begins[each.first] - begins[each.second]) <= 1


def test_games_and_pairs_are_counted_from_one() -> None:
    games = Stage([Pairing(1, "x", "y")], [""]).games()
    assert [(game.number, game.pair) for game in games] == [(1, 1), (2, 1)]
