from __future__ import annotations

import json
import random
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from html_elements import Elements
from played_games import HOSTILE, four_games, many_results, results_of, with_everything

from maxconnect4 import RED
from maxconnect4.referee.game import PlayedGame
from maxconnect4.referee.match_statistics import Rating
from maxconnect4.referee.move_validation import Fault
from maxconnect4.referee.players import parse_player
from maxconnect4.referee.report import Event, html_report
from maxconnect4.referee.report import page as report_page
from maxconnect4.referee.standings import standings
from maxconnect4.safe_text import file_names, lines, one_line

NAMES = ["ada", HOSTILE, '=1+"2"', "Zoë 漢字"]
EVENT = Event(
    f"Class of 2026 {HOSTILE}",
    format="round robin",
    openings="3 or 4 random drops",
    seed=7,
    began="2026-11-16 14:05",
    players=(parse_player("name=ada depth:2"), parse_player("name=weak random:seed=7")),
    settings={"Time": "30 s a move", HOSTILE: HOSTILE},
)


@pytest.fixture(scope="module")
def results() -> list[PlayedGame]:
    return with_everything(NAMES)


@pytest.fixture(scope="module")
def page(results: list[PlayedGame]) -> str:
    return html_report(EVENT, standings(results, NAMES), results)


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_nothing_that_comes_from_outside_becomes_markup(page: str) -> None:
    elements = Elements(page)
    tags = [tag for tag, _ in elements.found]
    assert "img" not in tags
    assert tags.count("script") == 2
    assert not any(name.startswith("on") or name == "style" for _, attrs in elements.found for name in attrs)
    assert "onerror=alert(1)" in "".join(elements.text["th"])
    assert "<img" not in page
    assert page.count("</script>") == 2


def test_the_page_asks_for_nothing_and_runs_only_its_own_script(page: str) -> None:
    elements = Elements(page)
    policy = next(attrs["content"] for tag, attrs in elements.found if attrs.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    addresses = [attrs[name] for _, attrs in elements.found for name in ("src", "href") if name in attrs]
    assert all(address is not None and address.startswith("#") for address in addresses)
    assert set(re.findall(r"https?://[^\s\"']*", page)) <= {"http://www.w3.org/2000/svg"}


def test_the_page_can_be_encoded_and_has_no_character_that_does_harm(page: str) -> None:
    page.encode()
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e\u061c]", page)
    assert "\\x00\\x1b[31mred\\x1b[0m &lt;b&gt;&amp;amp; \\ud800 \\u202e\\u061c }} {{data}} &lt;/pre&gt;" in page


def test_without_the_script_standings_cross_table_faults_and_notes_can_be_read(page: str) -> None:
    tables = re.findall(r"<table .*?</table>", page, re.DOTALL)
    assert len(tables) == 3
    for table in tables[:2]:
        for name in ("ada", "Zoë 漢字"):
            assert f"{name}</th>" in table
    assert "column 3 is full" in page
    assert "printed" in page
    assert ">exit code</th>" in tables[2]
    assert len(re.findall('class="plot times"', page)) == len(NAMES)
    assert 'class="plot ratings"' in page


def test_the_games_of_the_page_are_those_that_were_played(page: str, results: list[PlayedGame]) -> None:
    data = data_of(page)
    names = [one_line(standing.name) for standing in standings(results, NAMES)]
    assert data["names"] == names
    assert len(data["games"]) == len(results)
    for row, played in zip(data["games"], results, strict=True):
        game = dict(zip(data["fields"], row, strict=True))
        assert (names[game["red"]], names[game["green"]]) == (one_line(played.game.red), one_line(played.game.green))
        assert (game["moves"], game["line"], game["score"]) == (
            played.result.moves,
            played.result.line,
            played.result.score,
        )
        assert [round(number, 3) for number in game["cpu"]] == pytest.approx(
            [1000 * seconds for seconds in played.result.cpu], rel=0.006, abs=0.001
        )
        assert game["regret"] == (played.result.regrets and list(played.result.regrets))


def test_the_page_data_have_the_game_and_any_characters(page: str) -> None:
    assert data_of(page)["game"] == "max"
    assert re.search(r',"names":\["[^\]]*Zoë 漢字', page)
    folder = Path(report_page.__file__).parent
    shared = [folder.parents[1] / name for name in report_page.BOARD]
    for module in (*shared, *(folder / name for name in report_page.SCRIPTS)):
        for line in module.read_text().splitlines():
            assert line.startswith("import ") or line.removeprefix("export ") in page
    assert not re.search(r"^(im|ex)port ", page, re.MULTILINE)  # there is only one module


def test_the_columns_are_explained() -> None:
    results = four_games()
    table = standings(results, ["ada", "bob"])
    page = html_report(Event("Class"), table, results)
    assert "CPU time and regret are means per move.</p>" in page
    assert "The margin of a win" not in page
    assert "Error bars without end marks are truncated." not in page
    assert "The margin of a win" in html_report(Event("Class", "classic"), table, results)
    ranked = [replace(table[0], merit="2"), table[1]]
    assert ' per move. "By" is the criterion of the ranking' in html_report(Event("Class"), ranked, results)
    for bar, cut in ((1000.0, False), (1000.5, True)):
        rated = [replace(table[0], rating=Rating(0.0, bar)), table[1]]
        assert ("Error bars without end marks are truncated." in html_report(Event("Class"), rated, results)) == cut
    unrated = [replace(each, rating=None) for each in table]
    assert "</p>\n\n</section>" in html_report(Event("Class"), unrated, results)


@pytest.mark.parametrize("games", [0, 1])
def test_a_tournament_that_has_hardly_begun_has_a_page(games: int) -> None:
    results = results_of(["ada", "bob"])[:games]
    page = html_report(Event("begun"), standings(results, ["ada", "bob", "cem"]), results)
    assert len(data_of(page)["games"]) == games
    assert "cem</th>" in page


@pytest.mark.parametrize("players", [30, pytest.param(100, marks=pytest.mark.long)])
def test_thousands_of_games_take_seconds_and_a_few_megabytes(players: int) -> None:
    names = [f"player {number}" for number in range(players)]
    results = many_results(names, random.Random(5))
    assert len(results) == players * (players - 1)
    table = standings(results, names)
    begin = time.process_time()
    page = html_report(EVENT, table, results)
    assert time.process_time() - begin < 30  # about a second on the machine it was written on
    assert len(page.encode()) < 200_000 + 780 * len(results)


def test_endless_evidence_is_cut() -> None:
    assert len(lines("x" * 10**6)) < 2100
    assert one_line("a\nb\r\tc\x7f\x85") == r"a\x0ab\x0d\x09c\x7f\x85"
    assert lines("a\r\nb\tc\r") == "a\nb\tc\\x0d"


def test_the_end_of_what_a_program_printed_is_on_the_page(results: list[PlayedGame]) -> None:
    fault = Fault("crash", RED, 1, "it fell", printed="x" * 4_000 + "\nMemoryError: the reason\n")
    faulty = [replace(results[0], result=replace(results[0].result, faults=(fault,)))]
    assert "MemoryError: the reason" in html_report(EVENT, standings(faulty, NAMES), faulty)


def test_a_page_with_hundreds_of_kinds_of_faults_stays_small(results: list[PlayedGame]) -> None:
    faulty = [
        replace(
            results[0], result=replace(results[0].result, faults=tuple(_long_fault(number) for number in range(500)))
        )
    ]
    page = html_report(EVENT, standings(faulty, NAMES), faulty)
    assert len(page) < 3_000_000
    assert "kind 499" in page


def _long_fault(number: int) -> Fault:
    return Fault(f"kind {number}", RED, number, "x" * 10_000, *["y" * 10_000] * 3)


def test_any_name_gives_a_safe_name_for_a_file_and_none_twice() -> None:
    players = [
        "../../etc/passwd",
        "..",
        "",
        "a/b",
        "a b",
        "A B",
        "a_b",
        "a_b-2",
        "nul",
        "CON.txt",
        "x" * 500,
        "\x00\ud800",
    ]
    players += ["漢" * 200, "-rf", ".hidden", "é", "e\u0301", "ﬁ", "fi", "ß", "ss"]
    names = file_names(players)
    assert list(names) == players
    assert len({name.casefold() for name in names.values()}) == len(players)
    for name in names.values():
        assert re.fullmatch(r"\w[\w.-]*\.txt", name)
        assert len(name.encode()) < 255
