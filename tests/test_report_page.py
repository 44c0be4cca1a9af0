"""The tables and lists of a report's page."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from played_games import four_games

from maxconnect4 import GREEN, RED
from maxconnect4.referee.game import FULL, GameResult, PlayedGame, ScheduledGame
from maxconnect4.referee.match_statistics import Interval
from maxconnect4.referee.move_validation import Fault, Note
from maxconnect4.referee.players import parse_player
from maxconnect4.referee.report import Event, page
from maxconnect4.referee.report.data import FIELDS, CpuTimes, ReportData, cpu_times_by_ply, report_data
from maxconnect4.referee.standings import Standing, standings

EVENT = Event("Class <1>", seed=7, players=(parse_player("name=ada depth:2"), parse_player("name=b&b random")))
RESULTS = four_games()
NAMES = ["ada", "bob"]
TWO = standings(RESULTS, NAMES)


def data_of(
    results: list[PlayedGame] | None = None, names: list[str] | None = None, event: Event = EVENT
) -> ReportData:
    results, names = RESULTS if results is None else results, names or NAMES
    return report_data(event, standings(results, names, event.game), results)


def data_with(*table: Standing) -> ReportData:
    return report_data(EVENT, table, RESULTS)


def rows(table: str) -> list[list[str]]:
    """The cells of a table with their tags."""
    found = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    cells = [re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL) for row in found]
    assert ["".join(row) for row in cells] == found
    return cells


def words(cells: list[str]) -> list[str]:
    """What can be read in cells."""
    return [re.sub("<[^>]*>", "", cell) for cell in cells]


def faulty(*faults: Fault, number: int = 1, red: str = "ada", green: str = "bob") -> PlayedGame:
    """A game with faults."""
    return PlayedGame(
        ScheduledGame(number, 1, 1, red, green, ""), GameResult(number, "", "void", None, (0, 0), (), 0.0, "", faults)
    )


# Standings


def test_a_player_has_a_row_with_every_number_to_sort_by() -> None:
    heads, ada, bob = rows(page.standings_table(data_of()))
    assert words(heads) == [
        *("Rank", "Player", "Score", "Games", "Won", "Drawn", "Lost", "Points", "Margin", "Elo", "CPU", "Regret"),
        *("Faults", "Notes"),
    ]
    assert set(heads) == {f'<th scope="col">{head}</th>' for head in words(heads)}
    assert ada == [
        '<td data-v="1">1</td>',
        '<th scope="row">ada</th>',
        '<td data-v="2.5"><strong>2.5</strong></td>',
        *('<td data-v="3">3</td>', '<td data-v="2">2</td>', '<td data-v="1">1</td>', '<td data-v="0">0</td>'),
        '<td data-v="2">25–23</td>',
        '<td data-v="1">+1.00</td>',
        '<td data-v="130.743">+131 <small>±284</small></td>',
        '<td data-v="0.00316667">3.17 ms</td>',
        '<td data-v="1.33333">1.33</td>',
        '<td data-v="0">0</td>',
        '<td data-v="3"><span title="3 × exit code">3</span></td>',
    ]
    assert words(bob)[7:] == ["23–25", "−1.00", "−131 ±284", "252 ms", "1.00", "2", "1"]
    assert bob[-2] == '<td data-v="2"><span title="1 × illegal move, 1 × no output">2</span></td>'


def test_an_empty_column_is_left_out() -> None:
    plain = [replace(each, rating=None, regret=None, points_for=None, points_against=None) for each in TWO]
    heads, ada, _ = map(words, rows(page.standings_table(data_with(*plain))))
    assert heads == ["Rank", "Player", "Score", "Games", "Won", "Drawn", "Lost", "Margin", "CPU", "Faults", "Notes"]
    assert len(ada) == len(heads)


def test_a_missing_value_is_a_dash() -> None:
    one = replace(TWO[0], rating=None, regret=None, cpu_seconds=None, margin=Interval(None, None, None, 0))
    heads, ada, _ = rows(page.standings_table(data_with(one, TWO[1])))
    cells = dict(zip(words(heads), ada, strict=True))
    for head in ("Margin", "Elo", "CPU", "Regret"):
        assert cells[head] == '<td data-v="">–</td>'
    points = [replace(TWO[0], points_for=None, points_against=None), TWO[1]]
    heads, ada, _ = rows(page.standings_table(data_with(*points)))
    assert dict(zip(words(heads), ada, strict=True))["Points"] == '<td data-v="0">0–0</td>'


def test_the_ranking_criterion_is_shown_if_it_is_not_the_score() -> None:
    heads, ada, bob = map(words, rows(page.standings_table(data_with(replace(TWO[0], merit="<2>"), TWO[1]))))
    assert heads[:4] == ["Rank", "Player", "By", "Score"]
    assert (ada[2], bob[2]) == ("&lt;2&gt;", "")


def test_a_margin_has_its_error() -> None:
    wide = replace(TWO[0], margin=Interval(-0.5, -1.75, 0.75, 9))
    _, ada, _ = rows(page.standings_table(data_with(wide, TWO[1])))
    assert '<td data-v="-0.5">−0.50 <small>±1.25</small></td>' in ada
    even = replace(TWO[0], margin=Interval(0.0, -1.0, 1.0, 9))
    _, ada, _ = rows(page.standings_table(data_with(even, TWO[1])))
    assert '<td data-v="0">0.00 <small>±1.00</small></td>' in ada  # nothing has no sign


# The cross table


def test_the_cross_table_has_the_score_of_each_against_each() -> None:
    more = [*RESULTS]
    others = [("bob", "cem", 0.5), ("cem", "bob", 0.5), ("dee", "cem", 0.5), ("dee", "bob", 0.5), ("dee", "bob", 0.5)]
    for number, (red, green, score) in enumerate([*others, ("bob", "dee", 0.0)], start=5):
        game = ScheduledGame(number, 3, number, red, green, "")
        more.append(PlayedGame(game, GameResult(number, "", FULL, score, (0, 0), (), 0.0)))
    heads, *table = rows(page.cross_table_html(data_of(more, ["ada", "bob", "cem", "dee"])))
    assert words(heads) == ["Player", "1", "2", "3", "4", "Sum"]
    assert heads[1] == '<th scope="col" title="ada">1</th>'
    by_name = {words(row)[0]: row for row in table}
    ada, bob = by_name["1 ada"], next(row for name, row in by_name.items() if name.endswith(" bob"))
    assert ada[0] == '<th scope="row"><span class="place">1</span> ada</th>'
    assert ada[1] == "<td class=self>×</td>"
    assert "<td class=above>2.5<small>/3</small></td>" in ada
    assert ada.count("<td></td>") == 2
    assert ada[-1] == "<td class=sum>2.5</td>"
    assert "<td class=below>0.5<small>/3</small></td>" in bob
    assert "<td>1<small>/2</small></td>" in bob
    assert "<td class=below>1<small>/3</small></td>" in bob
    assert "<td></td>" not in bob


# Faults and notes


def test_a_fault_is_shown_with_its_evidence() -> None:
    text = page.faults_list(data_of())
    assert text.startswith(
        '<details class="faulty"><summary><b>bob</b>: 1 × illegal move, 1 × no output</summary>'
        '<h3>illegal move <small>× 1</small></h3><div class="fault" id="fault-1-6"><p>column {3} is full '
        '<small>(<a href="#game-1">game 1</a>, ply 6, as green against ada)</small></p>'
        "<details><summary>Evidence</summary><div class=evidence><figure><figcaption>input file</figcaption>"
        "<pre>0000000\n</pre></figure><figure><figcaption>output file</figcaption><pre>(blank)</pre></figure>"
        "<figure><figcaption>printed</figcaption><pre>first\n\nlast\n</pre></figure></div></details></div>"
    )
    assert text.endswith(
        '<h3>no output <small>× 1</small></h3><div class="fault" id="fault-2-5"><p>no file '
        '<small>(<a href="#game-2">game 2</a>, ply 5, as red against ada)</small></p></div></details>'
    )
    assert page.faults_list(data_of([])) == "<p>No faults.</p>"


def test_the_first_three_of_a_kind_are_shown_and_the_others_are_links() -> None:
    games = [faulty(*[Fault("crash", RED, 1, "oh", printed="x")] * 2, number=number) for number in range(1, 5)]
    games.append(faulty(Fault("crash", GREEN, 1, "oh"), Fault("a < b", GREEN, 1, "oh"), number=9))
    text = page.faults_list(data_of(games))
    ada, bob = text.split('</details><details class="faulty">')
    assert ada.count('<div class="fault"') == 3
    assert '<p>Also in game <a href="#game-2">2</a> <a href="#game-3">3</a> <a href="#game-4">4</a>.</p>' in ada
    assert "crash <small>× 8</small>" in ada
    assert bob.count('<div class="fault"') == 2
    assert "<b>bob</b>: 1 × a &lt; b, 1 × crash</summary><h3>a &lt; b <small>" in bob


@pytest.mark.parametrize(("count", "more"), [(203, ""), (204, " and 1 more")])
def test_a_list_of_faults_has_at_most_two_hundred_links(count: int, more: str) -> None:
    games = [faulty(Fault("crash", RED, 1, "oh"), number=number) for number in range(1, count + 1)]
    text = page.faults_list(data_of(games))
    assert text.count('<a href="#game-') == 3 + 200
    assert f'<a href="#game-203">203</a>{more}.</p>' in text


def test_notes_are_counted_by_player_and_kind() -> None:
    heads, ada, bob = rows(page.notes_table(data_of()))
    assert words(heads) == ["Player", "exit code", "line ends"]
    assert ada == ['<th scope="row">ada</th>', '<td data-v="3">3</td>', '<td data-v="0"></td>']
    assert words(bob) == ["bob", "", "1"]
    assert len(rows(page.notes_table(data_of(names=["ada", "bob", "cem"])))) == 3
    assert page.notes_table(data_of([])) == "<p>No notes.</p>"


def test_the_tables_can_be_sorted_by_the_script() -> None:
    assert page.standings_table(data_of()).startswith('<table class="sortable" id="standings-table"><thead>')
    assert page.notes_table(data_of()).startswith('<table class="sortable"><thead>')
    assert page.cross_table_html(data_of()).startswith('<table id="cross-table" class="cross"><thead>')


def test_what_was_played_and_how_each_plays_are_lists() -> None:
    assert page.about_list(data_of()) == '<dl class="about"><div><dt>Seed</dt><dd>7</dd></div></dl>'
    assert page.players_list(data_of()) == (
        '<dl class="players"><dt>ada</dt><dd><code>built in: depth 2, evaluation best</code></dd>'
        "<dt>b&amp;b</dt><dd><code>built in: random</code></dd></dl>"
    )


# The data


def row(played: PlayedGame) -> dict[str, Any]:
    return dict(zip(FIELDS, data_of([played]).games[0], strict=True))


def test_a_game_is_a_row_of_everything() -> None:
    found = data_of()
    assert (found.title, found.game, found.names) == ("Class <1>", "max", NAMES)
    assert dict(zip(FIELDS, found.games[0], strict=True)) == {
        "number": 1, "round": 1, "pair": 1, "red": 0, "green": 1, "opening": 3, "moves": "44351", "line": "",
        "ending": "forfeit", "score": 1.0, "points": (0, 0), "cpu": [250, 3.0, 1500], "regret": [2, 1],
        "faults": [("illegal move", GREEN, [6], "column {3} is full")], "notes": [("exit code", RED, [5], "")],
    }  # fmt: skip
    third = dict(zip(FIELDS, found.games[2], strict=True))
    assert (third["round"], third["pair"], third["line"], third["points"]) == (2, 2, "77", (13, 11))


def test_notes_of_one_kind_by_one_player_are_grouped() -> None:
    notes = (Note("exit code", RED, 1), Note("exit code", GREEN, 2), Note("late", RED, 3), Note("exit code", RED, 5))
    told = row(replace(RESULTS[0], result=replace(RESULTS[0].result, notes=notes)))["notes"]
    assert told == [("exit code", RED, [1, 5], ""), ("exit code", GREEN, [2], ""), ("late", RED, [3], "")]


@pytest.mark.parametrize(
    ("seconds", "milliseconds"),
    [
        (0.0, 0),
        (float("nan"), 0),
        (1.2345, 1230),
        (0.12345, 123),
        (0.012345, 12.3),
        (0.00012345, 0.123),
        (-1.0, 0),
        (0.1, 100),
        (0.0995, 99.5),
    ],
)
def test_times_have_three_digits(seconds: float, milliseconds: float) -> None:
    result = replace(RESULTS[0].result, cpu=(seconds,))
    (found,) = row(replace(RESULTS[0], result=result))["cpu"]
    assert found == milliseconds
    assert isinstance(found, int) == (milliseconds >= 100 or milliseconds == 0)


def test_texts_of_others_are_cut() -> None:
    event = Event(
        "t" * 201, settings={"l" * 201: "v" * 1_001}, players=(parse_player(f"name={'n' * 20} sh {'w' * 1_001}"),)
    )
    found = data_of([faulty(Fault("k" * 201, RED, 1, "d" * 201, printed="p" * 5_001))], event=event)
    assert found.title == "t" * 200 + "… (1 more)"
    assert found.about == [("l" * 200 + "… (1 more)", "v" * 1_000 + "… (1 more)")]
    ((name, how),) = found.players
    assert (name, len(how.partition("…")[0])) == ("n" * 20, 1_000)
    (fault,) = found.faults
    assert (fault.kind, fault.detail) == ("k" * 200 + "… (1 more)", "d" * 200 + "… (1 more)")
    assert fault.evidence == [("printed", "p" * 5_000 + "… (1 more)")]


def test_faults_are_in_the_order_of_player_kind_and_game() -> None:
    games = [
        faulty(Fault("late", RED, 1, ""), Fault("crash", GREEN, 2, ""), number=1),
        faulty(Fault("crash", GREEN, 3, ""), number=2, red="bob", green="ada"),
        faulty(Fault("crash", RED, 4, "", input="got"), number=3),
    ]
    found = data_of(games).faults
    assert [(fault.player, fault.kind, fault.game, fault.ply) for fault in found] == [
        (0, "crash", 2, 3), (0, "crash", 3, 4), (0, "late", 1, 1), (1, "crash", 1, 2)
    ]  # fmt: skip
    assert [(fault.colour, fault.opponent) for fault in found] == [
        ("green", 1), ("red", 1), ("red", 1), ("green", 0)
    ]  # fmt: skip
    assert all(fault.shown for fault in found)
    assert [fault.evidence for fault in found] == [[], [("input file", "got")], [], []]


def test_there_is_room_for_so_much_evidence_and_no_more() -> None:
    full = [Fault(f"kind {number:03}", RED, 1, "", "x" * 5_000) for number in range(301)]
    shown = [fault.shown for fault in data_of([faulty(*full)]).faults]
    assert shown == [True] * 300 + [False]
    nearly = [replace(full[0], input="x" * 4_999), *full[1:]]
    assert all(fault.shown for fault in data_of([faulty(*nearly)]).faults)


def test_times_are_spread_by_ply() -> None:
    results = [
        PlayedGame(
            ScheduledGame(number, 1, number, "ada", "bob", "4"),
            GameResult(number, "456", "void", None, (0, 0), (10.0, number), 0.0),
        )
        for number in range(1, 21)
    ]
    ada, bob = cpu_times_by_ply({"ada": 0, "bob": 1}, results)
    assert ada == CpuTimes([3], [3.0], [11.0], [19.0])
    assert bob == CpuTimes([2], [10.0], [10.0], [10.0])
    few, _ = cpu_times_by_ply({"ada": 0, "bob": 1}, results[:1])
    assert few == CpuTimes([3], [1.0], [1.0], [1.0])
