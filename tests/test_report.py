from __future__ import annotations

import csv
import io
import json
import random
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from elements import Elements
from played_games import EVIDENCE, HOSTILE, many_results, results_of, with_everything

from maxconnect4 import GREEN, RED, CannotSave, board_from_moves
from maxconnect4.referee.entrants import entrant_from
from maxconnect4.referee.games import Fault, Result
from maxconnect4.referee.report import (
    Event,
    games_csv,
    games_jsonl,
    games_pgn,
    html_report,
    save_transcripts,
    standings_csv,
)
from maxconnect4.referee.standings import standings
from maxconnect4.writing.file_names import file_names
from maxconnect4.writing.safe_text import lines, one_line

NAMES = ["ada", HOSTILE, '=1+"2"', "Zoë 漢字"]
EVENT = Event(
    f"Class of 2026 {HOSTILE}",
    format="round robin",
    openings="3 or 4 random drops",
    seed=7,
    when="2026-11-16 14:05",
    entrants=(entrant_from("name=ada depth:2"), entrant_from("name=weak random:seed=7")),
    settings={"Time": "30 s a move", HOSTILE: HOSTILE},
)


@pytest.fixture(scope="module")
def results() -> list[Result]:
    return with_everything(NAMES)


@pytest.fixture(scope="module")
def page(results: list[Result]) -> str:
    return html_report(EVENT, standings(results, NAMES), results)


def data_of(page: str) -> dict[str, list[object]]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, list[object]] = json.loads(found[1])
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
    assert "what it printed" in page
    assert ">exit code</th>" in tables[2]
    assert len(re.findall('class="plot times"', page)) == len(NAMES)
    assert 'class="plot ratings"' in page


def test_the_games_of_the_page_are_those_that_were_played(page: str, results: list[Result]) -> None:
    data = data_of(page)
    names = [one_line(standing.name) for standing in standings(results, NAMES)]
    assert data["names"] == names
    assert len(data["games"]) == len(results)
    for row, result in zip(data["games"], results, strict=True):
        game = dict(zip(data["fields"], row, strict=True))  # type: ignore[call-overload]
        assert (names[game["red"]], names[game["green"]]) == (one_line(result.game.red), one_line(result.game.green))
        assert (game["moves"], game["line"], game["score"]) == (
            result.played.moves,
            result.played.line,
            result.played.score,
        )
        assert [round(number, 3) for number in game["cpu"]] == pytest.approx(
            [1000 * seconds for seconds in result.played.cpu], rel=0.006, abs=0.001
        )
        assert game["regret"] == (result.played.given_away and list(result.played.given_away))


@pytest.mark.parametrize("games", [0, 1])
def test_a_tournament_that_has_hardly_begun_has_a_page(games: int) -> None:
    results = results_of(["ada", "bob"])[:games]
    page = html_report(Event("begun"), standings(results, ["ada", "bob", "cem"]), results)
    assert len(data_of(page)["games"]) == games
    assert "cem</th>" in page


def test_nine_thousand_games_take_seconds_and_a_few_megabytes() -> None:
    names = [f"player {number}" for number in range(100)]
    results = many_results(names, random.Random(5))
    assert len(results) == 9900
    table = standings(results, names)
    begin = time.process_time()
    page = html_report(EVENT, table, results)
    assert time.process_time() - begin < 30  # about a second on the machine it was written on
    assert len(page.encode()) < 8_000_000


def test_endless_evidence_is_cut() -> None:
    assert len(lines("x" * 10**6)) < 2100
    assert one_line("a\nb\r\tc\x7f\x85") == r"a\x0ab\x0d\x09c\x7f\x85"
    assert lines("a\r\nb\tc\r") == "a\nb\tc\\x0d"


def test_the_end_of_what_a_program_printed_is_on_the_page(results: list[Result]) -> None:
    fault = Fault("crash", RED, 1, "it fell", printed="x" * 4_000 + "\nMemoryError: the reason\n")
    faulty = [replace(results[0], played=replace(results[0].played, faults=(fault,)))]
    assert "MemoryError: the reason" in html_report(EVENT, standings(faulty, NAMES), faulty)


def test_a_page_with_hundreds_of_kinds_of_faults_stays_small(results: list[Result]) -> None:
    faulty = [
        replace(
            results[0], played=replace(results[0].played, faults=tuple(_long_fault(number) for number in range(500)))
        )
    ]
    page = html_report(EVENT, standings(faulty, NAMES), faulty)
    assert len(page) < 3_000_000
    assert "kind 499" in page


def _long_fault(number: int) -> Fault:
    return Fault(f"kind {number}", RED, number, "x" * 10_000, *["y" * 10_000] * 3)


def test_the_standings_as_csv_parse_back(results: list[Result]) -> None:
    table = standings(results, NAMES)
    rows = list(csv.DictReader(io.StringIO(standings_csv(table))))
    assert len(rows) == len(table)
    for row, standing in zip(rows, table, strict=True):
        assert row["name"].lstrip("'") == standing.name
        assert float(row["score"]) == standing.score
        assert int(row["points_for"]) == standing.points_for
        assert standing.rating is not None
        assert float(row["rating"]) == pytest.approx(standing.rating.elo, abs=0.01)
        assert int(row["faults: illegal move"]) == standing.faults.get("illegal move", 0)


def test_no_cell_of_the_csv_is_a_formula(results: list[Result]) -> None:
    for text in (standings_csv(standings(results, NAMES)), games_csv(results)):
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert '\'=1+"2"' in cells
        assert not any(re.match(r"[=@+]|-[^0-9]", cell) for cell in cells)


def test_the_games_as_csv_parse_back(results: list[Result]) -> None:
    rows = list(csv.DictReader(io.StringIO(games_csv(results))))
    for row, result in zip(rows, results, strict=True):
        played = result.played
        assert row["moves"].replace(" ", "") == played.moves
        assert row["score"] == ("" if played.score is None else str(played.score))
        assert (int(row["red_points"]), int(row["green_points"])) == played.points
        for colour, player in (("red", RED), ("green", GREEN)):
            own = [mover == player for mover in result.movers()]
            cpu = sum(seconds for mine, seconds in zip(own, played.cpu, strict=True) if mine)
            assert float(row[f"{colour}_cpu"]) == pytest.approx(cpu, abs=1e-6)
            if played.given_away is not None:
                lost = sum(points for mine, points in zip(own, played.given_away, strict=True) if mine)
                assert int(row[f"{colour}_regret"]) == lost


def test_json_lines_hold_everything_as_it_was(results: list[Result]) -> None:
    records = [json.loads(line) for line in games_jsonl(results).splitlines()]
    assert len(records) == len(results)
    for record, result in zip(records, results, strict=True):
        assert record["red"] == result.game.red
        assert record["cpu"] == list(result.played.cpu)
    assert records[0]["faults"][0]["output"] == EVIDENCE
    assert records[0]["faults"][0]["name"] == results[0].game.red
    assert records[1]["notes"][0] == {"kind": "exit code", "player": "green", "ply": 6, "name": results[1].game.green}


def test_the_moves_of_the_pgn_lead_to_the_same_points(results: list[Result]) -> None:
    texts = games_pgn(EVENT, results).split("\n\n[")
    assert len(texts) == len(results)
    for text, result in zip(texts, results, strict=True):
        head, _, moves = text.partition("\n\n")
        tags = dict(re.findall(r'^\[?(\w+) "(.*)"\]$', head, re.MULTILINE))
        assert tags["Points"] == f"{result.played.points[0]}-{result.played.points[1]}"
        assert tags["Red"].replace("\\", "") == result.game.red
        assert tags["Date"] == "2026.11.16"
        words = re.sub(r"\{[^}]*\}|\d+\.", " ", moves).split()
        board = board_from_moves("".join(words[:-1]))
        assert (board.points(RED), board.points(GREEN)) == result.played.points
        assert words[-1] == tags["Result"]
    assert "1. " in texts[0]
    assert "{red: illegal move: column 3 is full}" in texts[0].replace("\n", " ")


def test_a_student_gets_all_games_with_the_evidence_of_the_faults(tmp_path: Path, results: list[Result]) -> None:
    paths = save_transcripts(str(tmp_path / "new" / "texts"), EVENT, standings(results, NAMES), results)
    assert len(paths) == len(NAMES)
    assert {Path(path).parent for path in paths} == {tmp_path / "new" / "texts"}
    text = (tmp_path / "new" / "texts" / "ada.txt").read_text()
    own = [result for result in results if "ada" in (result.game.red, result.game.green)]
    assert len(re.findall(r"^Game \d+, round", text, re.MULTILINE)) == len(own)
    for result in own:
        assert f"Moves: {result.played.moves}\n" in text
    assert "Fault, ply 21: illegal move: column 3 is full" in text
    assert r"    | \x00\x1b[31mred" in text
    assert "\x1b" not in text
    opponent = Path(next(path for path in paths if "script" in path)).read_text()
    assert "Fault of the opponent, ply 21: illegal move" in opponent
    assert "[31m" not in opponent


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
        assert not re.match(r"(nul|con)\.", name, re.IGNORECASE)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotSave, match="cannot be made"):
        save_transcripts(str(tmp_path / "file"), EVENT, [], [])
