from __future__ import annotations

import itertools
import math
import random
import subprocess
import sys

import numpy as np
import pytest
import scipy  # which imports its parts when they are used
from hypothesis import given
from hypothesis import strategies as st

from maxconnect4.referee.match_statistics import Rating, expected_score
from maxconnect4.referee.ratings import SCALE, VIRTUAL, Pairs, most_likely, ratings

Pair = tuple[str, str, list[float]]

# Games of 1987 between seven baseball teams, and their abilities: Alan Agresti, "Categorical Data Analysis" (2002),
# tables 10.10 and 10.11; R's package BradleyTerry2 has them, too. A row has what a team won against each one.
TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
WON = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]
ABILITIES = [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0]


def tournament(chance: random.Random, strengths: dict[str, float], times: int, openings: float = 0.8) -> list[Pair]:
    """Everybody plays everybody, `times` pairs; in each one an opening helps red, or green, by up to `openings`."""
    pairs: list[Pair] = []
    for one, other in itertools.combinations(strengths, 2):
        score = expected_score(strengths[one] - strengths[other])
        for _ in range(times):
            help_ = chance.choice((-1, 1)) * openings * min(score, 1 - score)
            pairs.append((one, other, [float(chance.random() < score + sign * help_) for sign in (1, -1)]))
    return pairs


def test_the_ratings_of_baseball_teams_are_the_published_ones() -> None:
    games = [(TEAMS[i], TEAMS[j], [1.0]) for i, row in enumerate(WON) for j, won in enumerate(row) for _ in range(won)]
    found = ratings(TEAMS, games)
    abilities = [(found[team].elo - found["Baltimore"].elo) / SCALE for team in TEAMS]
    assert abilities == pytest.approx(ABILITIES, abs=0.02)  # what everybody is given pulls them together a little


@pytest.mark.long  # two players are held against a formula in the fast tier
def test_ratings_and_bars_are_those_of_a_regression_with_clusters() -> None:
    import statsmodels.api as sm  # takes two seconds

    strengths = {"a": 0.0, "b": 60.0, "c": 150.0, "d": -100.0, "e": 30.0, "f": -40.0}
    names = list(strengths)
    pairs = tournament(random.Random(1), strengths, 80)
    found = ratings(names, pairs)

    design, scores, clusters = [], [], []
    for number, (one, other, games) in enumerate(pairs):
        for game in games:
            design.append([(name == one) - (name == other) for name in names[1:]])
            scores.append(game)
            clusters.append(number)
    model = sm.GLM(np.array(scores), np.array(design, dtype=float), family=sm.families.Binomial())
    fitted = model.fit(cov_type="cluster", cov_kwds={"groups": np.array(clusters), "use_correction": False})
    centre = (np.eye(6) - 1 / 6)[:, 1:]
    elo = SCALE * centre @ fitted.params
    errors = SCALE * np.sqrt(np.diag(centre @ fitted.cov_params() @ centre.T))
    plain = SCALE * np.sqrt(np.diag(centre @ model.fit().cov_params() @ centre.T))

    assert [found[name].elo for name in names] == pytest.approx(elo, abs=0.5)
    # 1.966 is Student's t for the 400 pairs of a player.
    assert [found[name].bar / 1.966 for name in names] == pytest.approx(errors, rel=0.01)
    # Openings that help one colour make pairs more even than two games: those who count games see too wide bars.
    assert all(plain > 1.1 * errors)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from([0, 0.5, 1, 1.5, 2])), max_size=30))
def test_ratings_make_the_results_most_likely(played: list[tuple[int, int, float]]) -> None:
    names = ["a", "b", "c", "d", "e"]
    pairs = [(names[i], names[j], [score / 2, score / 2]) for i, j, score in played if i != j]
    found = ratings(names, pairs)

    def unlikely(strengths: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        total = VIRTUAL * (np.logaddexp(0, strengths) + np.logaddexp(0, -strengths)).sum() / 2
        for one, other, scores in pairs:
            ahead = strengths[names.index(one)] - strengths[names.index(other)]
            total += sum(score * np.logaddexp(0, -ahead) + (1 - score) * np.logaddexp(0, ahead) for score in scores)
        return float(total)

    best = scipy.optimize.minimize(unlikely, np.zeros(5), tol=1e-9)
    elo = SCALE * (best.x - best.x.mean())
    for name, rating in found.items():
        assert rating.elo == pytest.approx(elo[names.index(name)], abs=0.1)
    assert set(found) == {name for pair in pairs for name in pair[:2]}


def test_a_perfect_score_has_a_finite_rating_and_a_wide_interval() -> None:
    found = ratings(["best", "middle", "worst"], [("best", "middle", [1, 1]), ("middle", "worst", [1, 1])] * 10)
    assert found["best"].elo == pytest.approx(-found["worst"].elo)
    assert 300 < found["best"].elo < 2000
    assert found["middle"].elo == pytest.approx(0, abs=1e-6)
    assert 200 < found["best"].bar < 2000


def test_groups_that_never_met_are_rated_each_around_the_average() -> None:
    won: list[float] = [1, 0.5]
    found = ratings(["a", "b", "c", "d", "e"], [("a", "b", won), ("c", "d", won)] * 5)
    assert found["a"].elo == pytest.approx(found["c"].elo)
    assert found["a"].elo == pytest.approx(-found["b"].elo)
    assert "e" not in found


def test_statistics_do_not_wait_for_numpy_until_there_is_something_to_rate() -> None:
    code = "import sys; from maxconnect4.referee import standings; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_games_there_are_no_ratings() -> None:
    assert ratings(["a", "b"], []) == {}
    assert ratings([], []) == {}


def test_even_pairs_give_narrow_bars_but_not_none() -> None:
    uneven = ratings(["a", "b"], [("a", "b", [1, 1]), ("a", "b", [0, 0])] * 10)["a"]
    even = ratings(["a", "b"], [("a", "b", [1, 0]), ("a", "b", [0.5, 0.5])] * 10)["a"]
    assert 1 < even.bar < uneven.bar / 3


@pytest.mark.parametrize("scores", [[1.0] * 3, [2.0, 2.0, 0.0], [1.5, 0.0], [2.0] * 4, [0.5, 1.0, 1.0, 1.5]])
def test_the_bars_of_two_players_are_those_of_a_formula(scores: list[float]) -> None:
    """With two players all matrices are sums of the identity and of (1, -1)(1, -1)ᵀ, which leaves single numbers."""
    found = ratings(["a", "b"], [("a", "b", [score / 2] * 2) for score in scores])
    strength = found["a"].elo / SCALE
    expected, virtual = 1 / (1 + math.exp(-2 * strength)), 1 / (1 + math.exp(-strength))
    told = 2 * expected * (1 - expected)  # by a pair
    information = 2 * len(scores) * told + VIRTUAL * virtual * (1 - virtual)
    varied = sum((score - 2 * expected) ** 2 for score in scores) / (1 - 2 * told / information) + VIRTUAL / 8
    bar = SCALE * math.sqrt(varied) / information * scipy.special.stdtrit(len(scores), 0.975)
    assert found["a"].bar == pytest.approx(bar)
    assert found["b"].bar == pytest.approx(bar)


@given(st.randoms(use_true_random=False))
def test_the_order_and_the_view_do_not_matter(chance: random.Random) -> None:
    pairs = tournament(chance, {"a": 0, "b": 100, "c": -200, "d": 50}, 3)
    found = ratings(["a", "b", "c", "d"], pairs)
    turned = [(other, one, [1 - score for score in scores]) for one, other, scores in pairs]
    chance.shuffle(turned)
    again = ratings(["d", "b", "a", "c"], turned)
    for name, rating in found.items():
        assert (again[name].elo, again[name].bar) == pytest.approx((rating.elo, rating.bar), abs=1e-6)
    assert math.fsum(rating.elo for rating in found.values()) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("spread", [0, 200, 500])
def test_rating_intervals_have_the_stated_coverage(spread: float) -> None:
    chance = random.Random(11)
    hits = 0
    for _ in range(100):
        strengths = {name: chance.gauss(0, spread) for name in "abcdef"}
        average = sum(strengths.values()) / 6
        found = ratings(list(strengths), tournament(chance, strengths, 2, openings=0.5))
        hits += sum(abs(found[name].elo - strengths[name] + average) <= found[name].bar for name in strengths)
    assert hits / 600 > 0.93


def test_a_rating_is_a_plain_value() -> None:
    found = ratings(["a", "b"], [("a", "b", [1, 0])])["a"]
    assert found == Rating(found.elo, found.bar)
    assert type(found.elo) is type(found.bar) is float


def test_a_score_of_75_percent_is_191_elo() -> None:
    found = ratings(["a", "b"], [("a", "b", [1.0, 0.5])] * 10_000)
    assert found["a"].elo - found["b"].elo == pytest.approx(190.85, abs=0.05)


def test_every_player_gets_a_prior_of_a_quarter_of_a_draw() -> None:
    """So one won game makes a difference that can be told: where the surprise of it and of the quarter are level."""

    def logistic(x: float) -> float:
        return 1 / (1 + math.exp(-x))

    ahead = scipy.optimize.brentq(lambda s: 1 - logistic(2 * s) - 0.25 * (logistic(s) - 0.5), 0, 10)
    found = ratings(["a", "b"], [("a", "b", [1.0])])
    assert found["a"].elo == pytest.approx(SCALE * ahead)
    assert found["b"].elo == pytest.approx(-SCALE * ahead)


def test_the_summit_is_found_where_whole_steps_lead_astray() -> None:
    """Of ten thousand pairs each, all end alike: some of Newton's steps go too far, and down again."""
    wins = [(1, 5), (4, 1), (7, 3), (0, 2), (0, 4), (5, 3), (6, 3), (1, 5)]
    one, other = np.array(wins).T
    games = np.full(len(wins), 20_000.0)
    table = Pairs(8, one, other, games, games)
    assert np.abs(table.gradient(most_likely(table))).max() < 1e-6
