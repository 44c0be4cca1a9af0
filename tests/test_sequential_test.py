"""A match that ends as soon as a sequential test is decided."""

from __future__ import annotations

from maxconnect4.referee.game import FULL, VOID, GameResult, PlayedGame, ScheduledGame
from maxconnect4.referee.match_statistics import sprt
from maxconnect4.referee.tournament import SequentialTest, SprtHypotheses


def results(*pairs: tuple[float | None, float | None]) -> dict[int, PlayedGame]:
    """Games between a, who has red in the odd ones, and b, by a's scores in pairs."""
    found = {}
    for place, score in enumerate(score for pair in pairs for score in pair):
        number, is_odd = place + 1, place % 2 == 0
        red, green = ("a", "b") if is_odd else ("b", "a")
        reds = score if score is None or is_odd else 1 - score
        result = GameResult(number, "4", VOID if score is None else FULL, reds, (0, 0), (), 0.0)
        found[number] = PlayedGame(ScheduledGame(number, 1, place // 2 + 1, red, green, ""), result)
    return found


def begun(name: str = "a") -> SequentialTest:
    return SequentialTest(SprtHypotheses(0, 50), name)


def test_pairs_are_counted_for_the_first_player() -> None:
    test = begun()
    assert (test.pairs, test.games, test.is_decided) == ([], 0, False)
    test.take(results((1, 0.5), (0, 0), (1, 1)))
    assert (test.pairs, test.games) == ([1.5, 0, 2], 6)
    assert test.state == sprt((1, 0, 0, 1, 1), 0, 50, 0.05, 0.05)
    other = begun("b")
    other.take(results((1, 0.5), (0, 0), (1, 1)))
    assert other.pairs == [0.5, 2, 0]


def test_a_pair_waits_for_both_its_games_and_for_those_before() -> None:
    games = results((1, 1), (1, 0), (1, 1))
    for missing in (3, 4):
        test = begun()
        test.take({number: game for number, game in games.items() if number != missing})
        assert (test.pairs, test.games) == ([2], 2)
        test.take(games)
        assert (test.pairs, test.games) == ([2, 1, 2], 6)


def test_a_pair_with_a_void_game_is_passed_over() -> None:
    test = begun()
    test.take(results((1, None), (None, None), (0.5, 0.5)))
    assert (test.pairs, test.games) == ([1], 6)


def test_nothing_is_counted_after_the_decision() -> None:
    test = begun()
    test.take(results(*[(1, 0.5), (1, 1)] * 30))
    assert test.is_decided
    assert test.state.decision == "H1"
    assert test.games == 2 * len(test.pairs) < 120
    at_the_decision = test.games
    test.take(results(*[(1, 0.5), (1, 1)] * 30, (0, 0)))
    assert test.games == at_the_decision
    # One pair fewer had not decided it.
    counts = (0, 0, 0, test.pairs[:-1].count(1.5), test.pairs[:-1].count(2))
    assert sprt(counts, 0, 50).decision is None


def test_how_often_it_may_be_wrong_is_its_own_choice() -> None:
    careless, careful = SequentialTest(SprtHypotheses(0, 50, 0.2, 0.1), "a"), begun()
    for test in (careless, careful):
        test.take(results(*[(1, 0.5), (1, 1), (0, 0.5)] * 30))
    assert careless.games < careful.games
    assert SprtHypotheses(0, 50) == SprtHypotheses(0, 50, 0.05, 0.05)
    begins = sprt((0, 0, 0, 0, 0), 0, 50, 0.2, 0.1)
    assert (careless.state.lower, careless.state.upper) == (begins.lower, begins.upper)


def test_an_undecided_test_shows_its_progress() -> None:
    test = begun()
    assert str(test) == "Elo 0 against 50: LLR +0.00 (-2.94 to +2.94), undecided after 0 pairs"
    test.take(results((None, 1)))
    assert str(test) == "Elo 0 against 50: LLR +0.00 (-2.94 to +2.94), undecided after 1 pair"
    test.take(results((None, 1), *[(1, 0.5), (1, 1)] * 30))
    assert str(test).endswith(f", 50 is accepted after {test.games // 2} pairs")
    lost = begun()
    lost.take(results(*[(0, 0.5), (0, 0)] * 30))
    assert ", 0 is accepted after " in str(lost)
