from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from terminal import maxconnect4

from maxconnect4.referee.game import GameSetup, PlayedGame, Rules, play
from maxconnect4.referee.players import parse_player
from maxconnect4.referee.report import read_results
from maxconnect4.referee.store import ResultStore
from maxconnect4.referee.tournament import Tournament, stages

TOURNAMENT = Tournament(
    "Class of 2026",
    "round-robin",
    tuple(parse_player(f"name={name} depth:2") for name in ("ada", "bob", "cem")),
    ("123", "1234"),
    Rules(adjudicate=14),
)


def played_games() -> list[PlayedGame]:
    player = {spec.name: spec for spec in TOURNAMENT.players}
    stage = next(stages(TOURNAMENT, {}))
    return [
        PlayedGame(game, play(GameSetup(game, player[game.red], player[game.green], TOURNAMENT.rules)))
        for game in stage.games()
    ]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "class.sqlite"
    with ResultStore(str(path)) as file:
        file.put_metadata({"tournament": TOURNAMENT.to_dict(), "began": "2026-11-16 14:05 UTC"})
        file.add(played_games())
    return path


def test_the_page_is_written_next_to_the_results(results: Path) -> None:
    done = maxconnect4("report", "class.sqlite", cwd=results.parent)
    assert (done.returncode, done.stdout, done.stderr) == (0, "class.html is written.\n", "")
    page = results.with_suffix(".html").read_text()
    for words in (
        "Class of 2026",
        "round-robin",
        "2 openings of 3 to 4 plies",
        "at 14 empty cells",
        "2026-11-16 14:05 UTC",
        "bob</th>",
    ):
        assert words in page
    assert sorted(path.name for path in results.parent.iterdir()) == ["class.html", "class.sqlite"]


def test_only_what_is_asked_for_is_written(results: Path) -> None:
    words = ["--csv", "a.csv", "--games-csv", "b.csv", "--jsonl", "c.jsonl", "--pgn", "d.pgn", "--transcripts", "texts"]
    done = maxconnect4("report", "class.sqlite", *words, cwd=results.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "texts has a text file for each of 3 players."
    folder = results.parent
    assert not (folder / "class.html").exists()
    assert len(list(csv.DictReader((folder / "a.csv").read_text().splitlines()))) == 3
    assert len(list(csv.DictReader((folder / "b.csv").read_text().splitlines()))) == 12
    assert len([json.loads(line) for line in (folder / "c.jsonl").read_text().splitlines()]) == 12
    assert (folder / "d.pgn").read_text().count("[Event ") == 12
    assert sorted(path.name for path in (folder / "texts").iterdir()) == ["ada.txt", "bob.txt", "cem.txt"]


def test_a_file_that_is_still_written_to_can_be_reported(results: Path) -> None:
    with ResultStore(str(results)):
        assert maxconnect4("report", results).returncode == 0


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["missing.sqlite"], 3, "missing.sqlite: there is no such file"),
        (["other.txt"], 3, "other.txt is not a results file"),
        (["class.toml"], 3, "class.toml is not a results file"),
        (["."], 3, ". is a folder, not a results file"),
        (["empty.sqlite"], 3, "empty.sqlite has no tournament yet"),
        (["class.sqlite", "--html", "missing/a.html"], 1, "missing/a.html cannot be written: there is no folder"),
        (["class.sqlite", "--csv", "class.sqlite"], 2, "class.sqlite is given twice"),
        (["class.sqlite", "--csv", "a", "--pgn", "./a"], 2, "a is given twice"),
        ([], 2, "results"),
    ],
)
def test_invalid_files_are_one_line_and_an_exit_status(
    results: Path, words: list[str], code: int, message: str
) -> None:
    (results.parent / "other.txt").write_text("no database\n" * 100)
    (results.parent / "class.toml").touch()
    with ResultStore(str(results.parent / "empty.sqlite")):
        pass
    before = results.read_bytes()
    done = maxconnect4("report", *words, cwd=results.parent)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert results.read_bytes() == before


def test_results_without_a_start_date_are_read(tmp_path: Path) -> None:
    with ResultStore(str(tmp_path / "old.sqlite")) as file:
        file.put_metadata({"tournament": TOURNAMENT.to_dict()})
        event, table, games = read_results(file)
    assert (event.title, event.began, len(table), games) == ("Class of 2026", "", 3, [])


def test_a_text_may_go_to_standard_output(tmp_path: Path) -> None:
    maxconnect4("match", "random", "depth:1", "--openings", "random:count=1", "--results", "r", cwd=tmp_path)
    done = maxconnect4("report", "r", "--csv", "-", "--html", "r.html", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "r.html is written.\n")
    assert done.stdout.startswith("rank,by,name,games")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r", "r.html"]


def test_the_results_are_never_overwritten(tmp_path: Path) -> None:
    maxconnect4("match", "random", "depth:1", "--openings", "random:count=1", "--results", "r.html", cwd=tmp_path)
    before = (tmp_path / "r.html").read_bytes()
    done = maxconnect4("report", "r.html", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert (tmp_path / "r.html").read_bytes() == before
