"""Shared mistakes: pairs of players with the same wrong moves, against the base rate."""

from __future__ import annotations

import random

import pytest
from played_games import four_games

from maxconnect4.referee.conformance import ConformanceReport
from maxconnect4.referee.players import parse_player, player_spec
from maxconnect4.referee.report import Event, page
from maxconnect4.referee.report.data import report_data
from maxconnect4.referee.search_checks import CheckedMove
from maxconnect4.referee.shared_mistakes import (
    HINT,
    LEAST_COMMON,
    Mistake,
    mistakes_of_games,
    mistakes_of_reports,
    probability_of_at_least,
    shared_mistakes,
)
from maxconnect4.referee.standings import standings

NAMES = [f"player {number}" for number in range(8)]


def random_mistakes(seed: int, positions: int = 40) -> list[Mistake]:
    """Mistakes of players who choose one of five wrong columns at random, each in two of three positions."""
    source = random.Random(seed)
    return [
        Mistake(name, str(position), source.randrange(1, 6))
        for position in range(positions)
        for name in NAMES
        if source.random() < 2 / 3
    ]


def test_a_copy_is_first_and_independent_players_are_not_in_the_table() -> None:
    mistakes = random_mistakes(1)
    copied = [each._replace(player="copy") for each in mistakes if each.player == NAMES[3]]
    first, *others = shared_mistakes([*mistakes, *copied])
    assert {first.first, first.second} == {NAMES[3], "copy"}
    assert first.same == first.positions >= LEAST_COMMON
    assert first.expected < first.positions / 2
    assert first.probability < 1e-5
    assert all(each.probability > 1e-4 for each in others)
    assert len(others) <= 4


def test_a_mistake_that_everybody_makes_is_no_evidence() -> None:
    everybody = [Mistake(name, str(position), 1) for position in range(20) for name in NAMES]
    assert shared_mistakes(everybody) == []


def test_few_common_positions_and_other_players_are_left_out() -> None:
    def same(count: int) -> list[Mistake]:
        columns = {"ada": 1, "bob": 1, **{name: place for place, name in enumerate(NAMES, start=2)}}
        return [Mistake(name, str(position), columns[name]) for position in range(count) for name in columns]

    assert shared_mistakes(same(LEAST_COMMON - 1)) == []
    assert len(shared_mistakes(same(LEAST_COMMON))) == 1
    assert shared_mistakes(same(LEAST_COMMON), {"ada"}) == []


def test_probabilities_are_those_of_independent_events() -> None:
    assert probability_of_at_least(0, []) == 1
    assert probability_of_at_least(2, [0.5, 0.5, 0.5]) == pytest.approx(0.5)
    assert probability_of_at_least(2, [1.0, 0.25]) == pytest.approx(0.25)


def test_wrong_moves_are_those_with_a_regret() -> None:
    games = four_games()
    count = sum(bool(regret) for played in games for regret in played.regrets() or [])
    found = list(mistakes_of_games(games))
    assert len(found) == count
    moves = (
        CheckedMove("in the endgame", "4444", 6, 3),
        CheckedMove("at depth 2", "4444", 2, 3, None, 0, True),
        CheckedMove("at depth 4", "444444", 4, 3, None, 2, False),
        CheckedMove("at depth 4", "44444", 4, None, "crash"),
    )
    report = ConformanceReport(parse_player("name=ada sh -c x"), (), (), None, 1.0, moves=moves)
    assert list(mistakes_of_reports([("ada", report)])) == [Mistake("ada", "at depth 4 444444", 3)]


def test_a_report_has_the_table_only_for_programs_and_as_a_hint() -> None:
    results = four_games()
    programs = tuple(player_spec(["sh", "-c", "x"], name=name) for name in ("ada", "bob"))
    table = standings(results, ["ada", "bob"])
    data = report_data(Event("Class", players=programs), table, results)
    assert (data.mistakes is not None) == any(played.result.regrets is not None for played in results)
    built_in = report_data(Event("Class", players=(parse_player("name=ada random"), programs[1])), table, results)
    assert built_in.mistakes is None
    assert page.shared_mistakes_section(built_in) == ""
    assert "not a proof" in HINT
