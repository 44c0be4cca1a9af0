"""Benchmark tables as Markdown, CSV, JSON and text."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from example_measurements import by_depth, failed, timed

from maxconnect4.benchmark.store import Metadata
from maxconnect4.benchmark.summary import DepthResult, DepthSeries, MeasurementSummary, Timing
from maxconnect4.benchmark.tables import (
    CSV_HEAD,
    depth_columns,
    describe_games,
    format_seconds,
    notes,
    to_csv,
    to_dict,
    to_markdown,
)
from maxconnect4.cli.measure import measured_text
from maxconnect4.referee.conformance import BaselineResult
from maxconnect4.sample_positions import Regret

BUILT_IN = DepthSeries(
    "depth:6",
    "empty",
    1,
    (
        DepthResult(1, 3, Timing(0.03124, 0.03, 0.04), Timing(0.05, 0.04, 0.06), (4,), 7, 1e6, 7.0),
        DepthResult(2, 3, Timing(1.9634, 1.9, 2.0), Timing(2.0, 1.9, 2.1), (4, 3), 51.0, 1_234_567.0, 6.66),
    ),
    ended="depth 2 took 1.96 s, more than the limit of 1 s",
)
FOREIGN = by_depth("java mine", {1: 0.2, 2: None, 3: 183.295})
STRONG = DepthSeries(
    "table",
    "exact",
    200,
    (
        DepthResult(
            4, 1, Timing(0.1, 0.1, 0.1), None, regret=Regret(0.3125, 0.0411, 0.875, 6, 200), faults=2, reason="slow: no"
        ),
    ),
)
GAMES = BaselineResult("java mine", "random", 18, 1, 1, 61, 12, 0)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0"),
        (0.03124, "0.0312"),
        (1.963, "1.96"),
        (9.996, "10.0"),
        (53.064, "53.1"),
        (99.96, "100"),
        (183.295, "183"),
        (1234.5, "1,234"),
        (0.00000512, "0.00000512"),
    ],
)
def test_a_time_has_three_digits_that_count(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text


def test_the_table_of_one_player_has_the_columns_that_there_is_something_in() -> None:
    text = to_markdown(MeasurementSummary((BUILT_IN,)))
    assert text == (
        "## On the empty board\n\n### depth:6\n\n"
        "| depth | CPU s | range | wall s | column | nodes | nodes/s | branching |\n"
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
        "| 1 | 0.0312 | 0.0300 to 0.0400 | 0.0500 | 4 | 7 | 1,000,000 | 7.00 |\n"
        "| 2 | 1.96 | 1.90 to 2.00 | 2.00 | 4, 3 | 51 | 1,230,000 | 6.66 |\n\n"
        "- The measurement ended, as depth 2 took 1.96 s, more than the limit of 1 s.\n"
    )


def test_several_players_stand_side_by_side_before_each_on_its_own() -> None:
    text = to_markdown(MeasurementSummary((BUILT_IN, FOREIGN)))
    together, _, alone = text.partition("### depth:6")
    assert together == (
        "## On the empty board\n\nCPU seconds per move, by depth:\n\n"
        "| depth | depth:6 | java mine |\n| ---: | ---: | ---: |\n"
        "| 1 | 0.0312 | 0.200 |\n| 2 | 1.96 | - |\n| 3 |  | 183 |\n\n"
    )
    assert "### java mine" in alone


def test_the_regrets_of_players_are_columns_of_one_table() -> None:
    other = DepthSeries("other", "exact", 200, (timed(2, 0.2, 1.5), failed(4)))
    text = to_markdown(MeasurementSummary((STRONG, other)))
    assert (
        "Mean regret of a move in points, by depth:\n\n"
        "| depth | table | other |\n| ---: | ---: | ---: |\n"
        "| 2 |  | 1.500 ± 0.030 |\n| 4 | 0.312 ± 0.041 | - |\n"
    ) in text
    assert "regret" not in to_markdown(MeasurementSummary((BUILT_IN, FOREIGN)))


def test_a_gap_has_its_reason_under_the_table() -> None:
    text = to_markdown(MeasurementSummary((FOREIGN,)))
    assert "| 2 | - |  |" in text
    assert "\n- Depth 2: crash: it ended with exit status 1.\n" in text


def test_a_move_that_was_given_up_took_longer_than_it_was_given() -> None:
    given_up = DepthResult(9, 1, faults=1, reason="time-out: it had not ended after 600 s", given_up_after=599.4)
    series = DepthSeries("slow", "empty", 1, (timed(8, 75.0), given_up), "depth 8 took more than 60 s")
    assert depth_columns(series)["CPU s"] == ["75.0", "> 599"]
    assert "Depth 9: time-out: it had not ended after 600 s." in notes(series)
    other = by_depth("quick", {8: 1.0, 9: 2.0})
    assert "| 9 | \\> 599 | 2.00 |" in to_markdown(MeasurementSummary((series, other)))


def test_a_program_that_seems_not_to_look_at_its_depth_is_remarked_upon() -> None:
    same = by_depth("heedless", dict.fromkeys(range(1, 43), 0.08))
    question = "CPU time is almost constant from depth 1 to depth 42: check that the program uses its depth argument."
    assert notes(same) == [question]
    assert question in measured_text(MeasurementSummary((same,)))
    times = {depth: 0.003 if depth % 4 else 0.006 for depth in range(1, 43)}  # on a busy machine
    assert notes(by_depth("noisy", times)) == [question]
    three_plies = {depth: 0.04 if depth > 2 else 0.015 for depth in range(1, 43)}
    assert notes(by_depth("no deeper than 3", three_plies)) == [question.replace("depth 1 ", "depth 3 ")]
    starting = {depth: 0.03 + 0.0001 * 1.6**depth for depth in range(1, 21)}  # fast, but for the start of the program
    assert notes(by_depth("fast", starting)) == []
    assert notes(by_depth("late", dict.fromkeys(range(1, 20), 0.08))) == []  # so late in a game it may be so
    assert notes(by_depth("growing", {depth: 0.08 * 1.05**depth for depth in range(1, 31)})) == []


def test_each_set_of_positions_has_a_heading_with_their_number() -> None:
    text = to_markdown(MeasurementSummary((FOREIGN, STRONG)))
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "## On the empty board",
        "### java mine",
        "## On the 200 positions of the set exact",
        "### table",
    ]
    assert "means per move over 200 positions." in text
    assert "| depth | CPU s | regret | perfect | worst | faults |" in text
    assert "| 4 | 0.100 | 0.312 ± 0.041 | 87.5 % | 6 | 2 |" in text
    assert "- Depth 4: 2 moves failed; first fault: slow: no." in text


def test_a_player_that_chooses_its_own_depth_stands_last() -> None:
    perfect = DepthSeries("perfect", "empty", 1, (timed(None, 0.5),))
    text = to_markdown(MeasurementSummary((perfect, by_depth("depth", {1: 0.1, 2: 0.2}))))
    assert "| depth | perfect | depth |" in text
    assert "| 1 |  | 0.100 |\n| 2 |  | 0.200 |\n| own | 0.500 |  |\n" in text
    gone = DepthSeries("own", "empty", 1, (failed(None),))
    assert "- Own depth: crash: it ended with exit status 1." in to_markdown(MeasurementSummary((gone,)))


def test_the_games_are_summarised_in_a_sentence() -> None:
    assert describe_games(GAMES) == (
        "java mine against random: 18 wins, 1 draw, 1 loss in 20 games, 61 points to 12: "
        "it wins consistently, as the assignment requires of a reasonable evaluation."
    )
    weak = BaselineResult("weak", "random", 1, 0, 2, 3, 5, 2, depth=4)
    assert describe_games(weak).startswith(
        "weak at depth 4 against random: 1 win, 0 draws, 2 losses (2 by a fault) in 3 games, 3 points to 5: it does not"
    )
    assert describe_games(BaselineResult("none", "random", 0, 0, 0, 0, 0, 0)).endswith("no game was played.")


def test_the_machine_is_shown_if_it_is_recorded() -> None:
    metadata = Metadata(machine="A_B, 2 cores", date="2026-11-16", version="0.1")
    assert to_markdown(MeasurementSummary((BUILT_IN,), metadata=metadata)).endswith(
        "\nMeasured on A\\_B, 2 cores, 2026-11-16, maxconnect4 0.1.\n"
    )


@pytest.mark.parametrize("name", ["a|b", "<b>&amp;", "*_x_*", "`$1$`", "[a](b)", "back\\slash", "two\nlines", "名 前"])
def test_a_name_is_rendered_literally_in_markdown(name: str) -> None:
    text = to_markdown(MeasurementSummary((by_depth(name, {1: 0.1}), by_depth("other", {1: None}))))
    head = next(line for line in text.splitlines() if line.startswith("| depth"))
    cells = re.split(r"(?<!\\)(?:\\\\)*\|", head)[1:-1]
    assert len(cells) == 3
    assert re.sub(r"\\([^\w]|_)", r"\1", cells[1].strip()) == name.replace("\n", "\\x0a")
    assert not re.search(r"(?<!\\)[<*`$\[|_]", cells[1].replace("\\\\", ""))


def test_csv_has_a_row_for_each_depth_in_plain_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(MeasurementSummary((BUILT_IN, FOREIGN, STRONG), (GAMES,))))))
    assert len(rows) == 6
    assert tuple(rows[0]) == CSV_HEAD
    assert [float(rows[0][name]) for name in ("cpu_seconds", "cpu_low", "cpu_high")] == [0.03124, 0.03, 0.04]
    assert [rows[1][name] for name in ("depth", "columns", "nodes", "branching")] == ["2", "4 3", "51.0", "6.66"]
    assert [rows[3][name] for name in ("cpu_seconds", "faults", "reason")] == [
        "",
        "1",
        "crash: it ended with exit status 1",
    ]
    assert [rows[5][name] for name in ("positions", "regret", "worst")] == ["exact", "0.3125", "6"]


def test_no_name_is_a_formula_in_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(MeasurementSummary((by_depth('=cmd|"x"!A1\n,', {1: 0.1}),))))))
    assert len(rows) == 1
    assert rows[0]["player"] == '\'=cmd|"x"!A1\\x0a,'


def test_facts_are_json_with_all_that_was_measured() -> None:
    measured = MeasurementSummary((BUILT_IN, FOREIGN, STRONG), (GAMES,), Metadata(machine="this"))
    facts = json.loads(json.dumps(to_dict(measured)))
    assert facts["machine"] == "this"
    assert facts["series"][0]["rows"][0]["cpu_seconds"] == {"median": 0.03124, "low": 0.03, "high": 0.04}
    assert facts["series"][1]["rows"][1]["cpu_seconds"] is None
    assert facts["series"][2]["rows"][0]["regret"]["mean"] == 0.3125
    assert (facts["games"][0]["played"], facts["games"][0]["consistent"]) == (20, True)


def test_the_terminal_shows_the_same() -> None:
    text = measured_text(MeasurementSummary((BUILT_IN, FOREIGN), (GAMES,)))
    assert text.splitlines()[:7] == [
        "On the empty board:",
        "",
        "CPU seconds per move, by depth:",
        "",
        "depth  depth:6  java mine",
        "    1   0.0312      0.200",
        "    2     1.96          -",
    ]
    assert "The measurement ended, as depth 2 took 1.96 s" in text
    assert "Depth 2: crash: it ended with exit status 1." in text
    assert text.endswith("as the assignment requires of a reasonable evaluation.")


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_tables_fit_into_the_terminal(width: int) -> None:
    many = tuple(by_depth(f"a player with a long name, number {number}", {1: 0.1, 2: 123.4}) for number in range(9))
    text = measured_text(MeasurementSummary((*many, BUILT_IN, STRONG)), width)
    tables = [line for line in text.splitlines() if re.match(r" *(depth|[0-9]+)  ", line)]
    assert len(tables) > 30
    assert max(map(len, tables)) <= width
    assert sum(line.count("a player with a long ") for line in tables) == 9


def test_control_characters_do_not_reach_the_terminal() -> None:
    text = measured_text(MeasurementSummary((by_depth("a\x1b[31m\nb", {1: 0.1}), by_depth("c", {1: 0.1}))))
    assert "\x1b" not in text
    assert text.count("a\\x1b[31m\\x0ab") == 2


def test_nothing_is_also_shown() -> None:
    empty = DepthSeries("player", "empty", 1, ())
    for measured in (MeasurementSummary(()), MeasurementSummary((empty,))):
        assert "There are no measurements." in to_markdown(measured)
        assert "There are no measurements." in measured_text(measured)
        assert to_csv(measured) == ",".join(CSV_HEAD) + "\n"
    assert depth_columns(empty) == {"depth": [], "CPU s": []}
    assert "## On the empty board\n\nCPU seconds" in to_markdown(MeasurementSummary((empty, empty)))
