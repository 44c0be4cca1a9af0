from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from terminal import maxconnect4

from maxconnect4.referee.entrants import entrant_from
from maxconnect4.referee.games import Result
from maxconnect4.referee.playing import Fixture, Rules, play
from maxconnect4.referee.report import read
from maxconnect4.referee.results import Results
from maxconnect4.referee.tournament import Tournament, stages

TOURNAMENT = Tournament(
    "Class of 2026",
    "round-robin",
    tuple(entrant_from(f"name={name} depth:2") for name in ("ada", "bob", "cem")),
    ("123", "1234"),
    Rules(adjudicate=14),
)


def played_games() -> list[Result]:
    player = {entrant.name: entrant for entrant in TOURNAMENT.entrants}
    stage = next(stages(TOURNAMENT, {}))
    return [
        Result(game, play(Fixture(game, player[game.red], player[game.green], TOURNAMENT.rules)))
        for game in stage.games()
    ]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "class.sqlite"
    with Results(str(path)) as file:
        file.put_facts({"tournament": TOURNAMENT.facts(), "began": "2026-11-16 14:05 UTC"})
        file.add(played_games())
    return path


def test_a_page_is_written_beside_the_results(results: Path) -> None:
    done = maxconnect4("report", "class.sqlite", cwd=results.parent)
    assert (done.returncode, done.stdout, done.stderr) == (0, "class.html is written.\n", "")
    page = results.with_suffix(".html").read_text()
    for words in (
        "Class of 2026",
        "round-robin",
        "2 openings of 3 to 4 plies",
        "with 14 empty cells",
        "2026-11-16 14:05 UTC",
        "bob</th>",
    ):
        assert words in page
    assert sorted(path.name for path in results.parent.iterdir()) == ["class.html", "class.sqlite"]


def test_only_what_is_asked_for_is_written(results: Path) -> None:
    words = ["--csv", "a.csv", "--games-csv", "b.csv", "--jsonl", "c.jsonl", "--pgn", "d.pgn", "--transcripts", "texts"]
    done = maxconnect4("report", "class.sqlite", *words, cwd=results.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "texts has a text for each of 3 players."
    folder = results.parent
    assert not (folder / "class.html").exists()
    assert len(list(csv.DictReader((folder / "a.csv").read_text().splitlines()))) == 3
    assert len(list(csv.DictReader((folder / "b.csv").read_text().splitlines()))) == 12
    assert len([json.loads(line) for line in (folder / "c.jsonl").read_text().splitlines()]) == 12
    assert (folder / "d.pgn").read_text().count("[Event ") == 12
    assert sorted(path.name for path in (folder / "texts").iterdir()) == ["ada.txt", "bob.txt", "cem.txt"]


def test_a_file_that_is_still_written_to_can_be_reported(results: Path) -> None:
    with Results(str(results)):
        assert maxconnect4("report", results).returncode == 0


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["missing.sqlite"], 3, "missing.sqlite: there is no such file"),
        (["other.txt"], 3, "other.txt is not a file of results"),
        (["class.toml"], 3, "class.toml is not a file of results: 'tournament' keeps them in class.sqlite"),
        (["."], 3, ". is a folder, not a file of results"),
        (["empty.sqlite"], 3, "empty.sqlite holds no tournament yet"),
        (["class.sqlite", "--html", "missing/a.html"], 1, "missing/a.html cannot be written: there is no folder"),
        (["class.sqlite", "--csv", "class.sqlite"], 2, "class.sqlite cannot be two things at once"),
        (["class.sqlite", "--csv", "a", "--pgn", "./a"], 2, "a cannot be two things at once"),
        ([], 2, "results"),
    ],
)
def test_wrong_files_get_one_clear_line_and_an_exit_code(
    results: Path, words: list[str], code: int, message: str
) -> None:
    (results.parent / "other.txt").write_text("no database\n" * 100)
    (results.parent / "class.toml").touch()
    with Results(str(results.parent / "empty.sqlite")):
        pass
    before = results.read_bytes()
    done = maxconnect4("report", *words, cwd=results.parent)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert results.read_bytes() == before


def test_results_that_do_not_say_when_they_began_are_read(tmp_path: Path) -> None:
    with Results(str(tmp_path / "old.sqlite")) as file:
        file.put_facts({"tournament": TOURNAMENT.facts()})
        event, table, games = read(file)
    assert (event.title, event.when, len(table), games) == ("Class of 2026", "", 3, [])


def test_a_text_may_go_to_standard_output(tmp_path: Path) -> None:
    maxconnect4("match", "random", "depth:1", "--openings", "random:count=1", "--results", "r", cwd=tmp_path)
    done = maxconnect4("report", "r", "--csv", "-", "--html", "r.html", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "r.html is written.\n")
    assert done.stdout.startswith("rank,by,name,games")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r", "r.html"]


def test_the_results_are_never_written_over(tmp_path: Path) -> None:
    maxconnect4("match", "random", "depth:1", "--openings", "random:count=1", "--results", "r.html", cwd=tmp_path)
    before = (tmp_path / "r.html").read_bytes()
    done = maxconnect4("report", "r.html", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert (tmp_path / "r.html").read_bytes() == before
