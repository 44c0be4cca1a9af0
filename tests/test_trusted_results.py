"""Results files that were changed by hand: nothing is reported from them, and no tournament is continued with them."""

from __future__ import annotations

import contextlib
import io
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from external_programs import PATIENT

from maxconnect4.cli import main
from maxconnect4.errors import BadFile
from maxconnect4.referee.game import GameSetup, PlayedGame, Rules, play
from maxconnect4.referee.match import TournamentRun
from maxconnect4.referee.players import parse_player, player_spec
from maxconnect4.referee.report import read_results
from maxconnect4.referee.store import ResultStore
from maxconnect4.referee.tournament import Tournament, stages

NAMES = ("ada", "bob", "cem", "dee")
CRASHER = player_spec(["sh", "-c", "kill -ABRT $$", "{in}", "{out}"], name="dee", limits=PATIENT)
PLAYERS = (*(parse_player(f"name={name} random") for name in NAMES[:3]), CRASHER)
OPENINGS = tuple("".join(column * 6 for column in columns) for columns in ("12345", "34567"))
FORMATS = ("round-robin", "gauntlet", "swiss", "knock-out")


def tournament(form: str) -> Tournament:
    return Tournament("Class", form, PLAYERS, OPENINGS, Rules("replace", adjudicate=6))


def result(tournament: Tournament, most: int = 1_000) -> dict[int, PlayedGame]:
    players = {player_spec.name: player_spec for player_spec in tournament.players}
    results: dict[int, PlayedGame] = {}
    for stage in stages(tournament, results):
        for game in stage.games():
            if len(results) == most:
                return results
            setup = GameSetup(game, players[game.red], players[game.green], tournament.rules)
            results[game.number] = PlayedGame(game, play(setup))
    return results


@pytest.fixture(scope="module")
def games() -> dict[str, dict[int, PlayedGame]]:
    """All games of a tournament of each format."""
    return {form: result(tournament(form)) for form in FORMATS}


def results_file(folder: Path, form: str, results: dict[int, PlayedGame]) -> str:
    path = str(folder / "r.sqlite")
    with ResultStore(path) as file:
        file.put_metadata({"tournament": tournament(form).to_dict(), "name": "x", "began": ""})
        file.add(results.values())
    return path


def report(path: str) -> tuple[int, str]:
    """The exit status and standard error of the command."""
    complaint = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(complaint):
        code = main(["report", path, "--csv", "-"])
    return code, complaint.getvalue()


@pytest.mark.parametrize("form", FORMATS)
def test_results_are_reported_whole_and_as_far_as_they_go(
    form: str, games: dict[str, dict[int, PlayedGame]], tmp_path: Path
) -> None:
    whole = games[form]
    assert any(played.result.faults for played in whole.values())
    for count in (len(whole), len(whole) - 1, len(whole) // 2, 1, 0):
        (tmp_path / str(count)).mkdir()
        some = {number: whole[number] for number in sorted(whole)[:count]}
        path = results_file(tmp_path / str(count), form, some)
        with ResultStore(path, read_only=True) as file:
            _, table, results = read_results(file)
            assert {played.game.number: played for played in results} == some
            assert {each.name for each in table} == set(NAMES)
        with ResultStore(path) as file:
            assert TournamentRun(tournament(form), file).now.results == some


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE games SET score = 0.25 WHERE number = 3",
        "UPDATE games SET score = NULL WHERE number = 3",
        "UPDATE games SET red_points = red_points + 1 WHERE number = 3",
        "UPDATE games SET green_points = -1 WHERE number = 3",
        "UPDATE games SET moves = opening || '8' WHERE number = 3",
        "UPDATE games SET moves = substr(moves, 2) WHERE number = 3",
        "UPDATE games SET moves = substr(moves, 1, length(moves) - 1) WHERE number = 3",
        "UPDATE games SET moves = '' WHERE number = 3",
        "UPDATE games SET line = '' WHERE number = 3",
        "UPDATE games SET ending = 'full' WHERE number = 3",
        "UPDATE games SET ending = 'void', score = NULL WHERE number = 3",
        "UPDATE games SET ending = 'x' WHERE number = 3",
        "UPDATE games SET cpu = '[]' WHERE number = 3",
        "UPDATE games SET seconds = 9e999 WHERE number = 3",
        "UPDATE games SET seconds = -1 WHERE number = 3",
        "UPDATE games SET given_away = '[-1]' WHERE number = 3",
        "UPDATE games SET red = 'mallory' WHERE number = 3",
        "UPDATE games SET red = green WHERE number = 3",
        "UPDATE games SET red = green, green = red WHERE number = 3",
        "UPDATE games SET opening = substr(opening, 1, 17) WHERE number = 3",
        "UPDATE games SET opening = '' WHERE number = 3",
        "UPDATE games SET round = 7 WHERE number = 3",
        "UPDATE games SET pair = 7 WHERE number = 3",
        "INSERT INTO faults VALUES (3, 1, 1, 'crash', '', '', '', '')",
        "INSERT INTO faults VALUES (3, 1, 43, 'crash', '', '', '', '')",
        "INSERT INTO notes VALUES (3, 1, 43, 'exit code')",
        "INSERT INTO notes VALUES (3, 1, 19, 'a note of my own')",
        "UPDATE faults SET player = 3 - player",
        "UPDATE games SET number = 1000 WHERE number = 3",
        "UPDATE games SET number = -3 WHERE number = 3",
        "INSERT INTO notes VALUES (1000, 1, 19, 'exit code')",
    ],
)
def test_a_game_that_was_changed_is_refused_by_name(
    change: str, games: dict[str, dict[int, PlayedGame]], tmp_path: Path
) -> None:
    path = results_file(tmp_path, "round-robin", games["round-robin"])
    assert report(path) == (0, "")
    with closing(sqlite3.connect(path)) as database:
        assert database.execute(change).rowcount > 0
        database.commit()
    code, complaint = report(path)
    assert (code, complaint.count("\n")) == (3, 1)
    assert complaint.startswith(f"maxconnect4: {path} ")
    assert "game " in complaint
    with ResultStore(path) as file, pytest.raises(BadFile):
        TournamentRun(tournament("round-robin"), file)


def test_a_round_that_the_rounds_before_do_not_lead_to_is_refused(
    games: dict[str, dict[int, PlayedGame]], tmp_path: Path
) -> None:
    final = max(games["knock-out"])
    path = results_file(tmp_path, "knock-out", {number: games["knock-out"][number] for number in (2, 3, final)})
    code, complaint = report(path)
    assert code == 3
    assert f"game {final}" in complaint


@pytest.mark.parametrize(
    "change",
    [
        {"entrants": [], "openings": ["44"]},
        {"openings": []},
        {"rules": {"on_fault": "laugh"}},
        {"rules": {"game": "chess"}},
        {"rules": {"adjudicate": "many"}},
        {"format": "league"},
        {"title": 7},
        {"test": [1]},
    ],
)
def test_a_tournament_that_makes_no_sense_is_refused(
    change: dict[str, object], games: dict[str, dict[int, PlayedGame]], tmp_path: Path
) -> None:
    path = results_file(tmp_path, "swiss", games["swiss"])
    with ResultStore(path) as file:
        file.put_metadata({"tournament": tournament("swiss").to_dict() | change})
    code, complaint = report(path)
    assert (code, complaint.count("\n")) == (3, 1)
    assert complaint.startswith(f"maxconnect4: {path} ")


def test_a_tournament_of_too_many_players_is_refused_before_its_schedule_is_made(tmp_path: Path) -> None:
    path = results_file(tmp_path, "round-robin", {})
    facts = tournament("round-robin").to_dict()
    many = [facts["entrants"][0] | {"name": f"player {number}"} for number in range(3_000)]
    with ResultStore(path) as file:
        file.put_metadata({"tournament": facts | {"entrants": many}})
    code, complaint = report(path)
    assert (code, complaint.count("\n")) == (3, 1)
