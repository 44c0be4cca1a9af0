"""Whole games of a program that is being checked, against somebody who is known to be weak."""

from __future__ import annotations

import json
from pathlib import Path

from external_programs import PATIENT, QUICK, command_line, script
from terminal import maxconnect4

from maxconnect4.referee.conformance import FAILED, MOVES, PASSED, baseline_games, check
from maxconnect4.referee.players import player_spec

SHORT = ("--positions", "3", "--deepest", "2")


def test_baseline_games_are_played_with_the_option_against(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    words = ("check", command_line("honest"), "--positions", "0", "--deepest", "1", "--against", "random")
    more = ("--games", "1", "--isolation", "none", "--json")
    other, again, found = (
        json.loads(maxconnect4(*words, *more, "--seed", seed, "--gradescope", path).stdout) for seed in ("2", "3", "3")
    )
    assert found["games"] == again["games"] != other["games"]
    assert (found["games"]["opponent"], found["games"]["played"], found["games"]["faults"]) == ("random", 1, 0)
    assert [(each["name"], each["result"]) for each in found["checks"] if "against" in each["name"]] == [
        ("games against random", PASSED)
    ]
    tests = {each["name"]: each for each in json.loads(path.read_text())["tests"]}
    assert tests["Legal moves: games against random"]["score"] > 0
    strength = tests["Strength: beats random consistently"]
    assert (strength["score"] > 0) == found["games"]["consistent"]
    assert f": {found['games']['wins']} win" in strength["output"]


def test_a_program_that_does_not_beat_its_opponent_still_passes(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    words = ("--positions", "0", "--deepest", "1", "--against", "depth:4", "--games", "1", "--gradescope", path)
    ran = maxconnect4("check", command_line("honest"), *words)
    assert ran.returncode == 0
    assert "\n\nAgainst depth:4: " in ran.stdout
    assert ": it does not win consistently, which the assignment requires of a reasonable evaluation: " in ran.stdout
    found = json.loads(path.read_text())
    strength = next(each for each in found["tests"] if each["name"] == "Strength: beats depth:4 consistently")
    assert (strength["score"], strength["max_score"]) == (0, 20)


def test_a_game_lost_by_a_fault_fails(tmp_path: Path) -> None:
    early = f"""case $(tr -dc 0 <"$2" | wc -c) in 39|40) exit 1; esac; exec {command_line("honest")} "$@" """
    entered = player_spec([str(script(tmp_path, early))], limits=PATIENT)
    report = check(entered, deepest=0, positions=0, setups=baseline_games(entered, games=2))
    last = next(each for each in report.checks if each.name == "games against random")
    assert (last.group, last.result, last.fault) == (MOVES, FAILED, "crash")
    assert last.detail == "2 of 2 games lost by a fault; first fault: crash: it ended with exit status 1"
    assert report.games is not None
    assert (report.games.losses, report.games.faults) == (2, 2)


def test_a_program_that_is_found_broken_is_not_played(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    ran = maxconnect4("check", command_line("crasher"), *SHORT, "--against", "random", "--gradescope", path)
    assert ran.returncode == 4
    assert "  FAIL  games against random: skipped, because the program made no move\n" in ran.stdout
    assert "\nAgainst random" not in ran.stdout
    assert json.loads(path.read_text())["score"] == 0


def test_after_three_time_outs_no_more_games_are_played(tmp_path: Path) -> None:
    slow = f"""case $(tr -dc 0 <"$2" | wc -c) in 39|40) sleep 1000; esac; exec {command_line("honest")} "$@" """
    entered = player_spec([str(script(tmp_path, slow))], limits=QUICK)
    report = check(entered, deepest=0, positions=0, setups=baseline_games(entered))
    assert report.games is not None
    assert (report.games.played, report.games.faults) == (3, 3)
    last = next(each for each in report.checks if each.name == "games against random")
    assert last.detail.startswith(
        "3 of the first 3 games lost by a fault, the others are skipped; first fault: time-out"
    )


def test_invalid_options_of_the_games_are_refused_before_any_check() -> None:
    for words, message in (
        (["--games", "3"], "add --against PLAYER"),
        (["--seed", "0"], "--seed is for games against a player"),
        (["--against", "random", "--games", "0"], "'0' is not a number of games from 1 to 10,000"),
        (["--against", "nobody-at-all"], "program 'nobody-at-all' not found"),
        (["--against", "human"], "baseline games need two computer players"),
    ):
        ran = maxconnect4("check", command_line("honest"), *words)
        assert (ran.returncode, ran.stdout) == (2, "")
        assert message in ran.stderr
