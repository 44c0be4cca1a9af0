"""A match from Python: one call, from a plain script, with what came of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from maxconnect4.errors import BadSetup
from maxconnect4.referee.game import Rules
from maxconnect4.referee.match import match, match_between
from maxconnect4.referee.openings import random_openings


def test_a_plain_script_can_play_a_match(tmp_path: Path) -> None:
    """Without any `if __name__ == "__main__"`, which workers that run the script again would need."""
    script = tmp_path / "script.py"
    script.write_text(
        "from maxconnect4.referee.match import match\n"
        "print('once')\n"
        "played = match('depth:2', 'random', 4, seed=7)\n"
        "again = match('depth:2', 'random', 4, seed=7, processes=1)\n"
        "assert [each.result.moves for each in played.results] == [each.result.moves for each in again.results]\n"
        "print(played.score, played.elo.pairs, [each.name for each in played.standings])\n"
        "print(sorted({each.game.opening for each in played.results}))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert done.stderr == ""
    once, came_of_it, openings = done.stdout.splitlines()
    assert once == "once"
    assert came_of_it == "4.0 2 ['depth:2', 'random']"
    assert len(openings.split()) == 2


def test_a_match_takes_openings_in_place_of_a_number_of_games() -> None:
    played = match("random", "random", openings=["4", "", "31"], processes=1)
    assert played.tournament.names == ["random", "random 2"]
    assert [result.game.opening for result in played.results] == ["4", "4", "", "", "31", "31"]
    assert played.score == sum(result.score_of("random") or 0 for result in played.results)
    assert sum(each.score for each in played.standings) == 6


@pytest.mark.parametrize("games", [0, 1, 7, -2])
def test_a_match_has_two_games_of_each_opening(games: int) -> None:
    with pytest.raises(BadSetup, match=f"^{games} games: choose an even number"):
        match("random", "depth:1", games)


def test_the_default_is_forty_games_with_seed_one() -> None:
    played = match("random", "random", processes=1)
    assert len(played.results) == 40
    assert [result.game.opening for result in played.results[::2]] == random_openings(count=20, seed=1)


def test_the_strength_is_that_of_the_first_player() -> None:
    assert match("depth:2", "random", 4, processes=1).elo.score == 1
    assert match("random", "depth:2", 4, processes=1).elo.score == 0


def test_a_game_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="^'chess' is not a game"):
        match("random", "random", openings=["4"], game="chess")


def test_a_match_from_python_refuses_a_human_player() -> None:
    with pytest.raises(BadSetup, match="human: only 'maxconnect4 match'"):
        match("human", "random", 2)


def test_a_match_is_a_tournament_of_two() -> None:
    tournament = match_between("depth:2", "depth:2,eval=lines", ["4"], Rules(seed=3, game="classic"))
    assert tournament.title == "depth:2 against depth:2,eval=lines"
    assert (tournament.format, tournament.openings, tournament.rules.seed) == ("round-robin", ("4",), 3)
    assert tournament.players[0].built_in is not None
    assert tournament.players[0].built_in.evaluation == "windows"  # as the classic game has it
