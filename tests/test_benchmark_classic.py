"""Benchmarks of the classic game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from external_programs import PATIENT, command_line
from terminal import maxconnect4

from maxconnect4 import BadFile, BadPosition
from maxconnect4.benchmark.players import parse_players
from maxconnect4.benchmark.positions import format_position_set, parse_position_set, parse_position_sets, read_positions

#: Red has three upright, and green beside it: red wins at once, or stops green, or loses.
SET = format_position_set([], [("121212", (18, -3, -18, -18, -18, -18, -18))], "classic")
ALONE = "121212\n4\n"


def written(folder: Path, text: str) -> str:
    (folder / "set.tsv").write_text(text)
    return str(folder / "set.tsv")


def test_positions_are_those_of_the_game(tmp_path: Path) -> None:
    for name in ("empty", "samples", "44", written(tmp_path, ALONE)):
        for game in ("max", "classic"):
            assert {each.board.game for each in parse_position_set(name, game).positions} == {game}
    assert len(parse_position_sets("samples,empty", "classic")) == 3
    with pytest.raises(BadPosition, match="'1212121' is a finished game"):
        parse_position_set("1212121", "classic")
    path = tmp_path / "won.txt"
    path.write_text("0000000\n0000000\n1000000\n1200000\n1200000\n1200000\n2\n")
    assert len(parse_position_set(str(path)).positions) == 1
    with pytest.raises(BadPosition, match="the game is won: choose"):
        parse_position_set(str(path), "classic")


def test_scores_of_one_game_are_not_taken_for_those_of_the_other(tmp_path: Path) -> None:
    path = written(tmp_path, SET)
    ((board, scores),) = read_positions(path, "classic")
    assert (board.game, scores) == ("classic", (18, -3, -18, -18, -18, -18, -18))
    with pytest.raises(BadPosition, match="set.tsv, line 1: the set is for the classic game, not for Max-Connect4"):
        read_positions(path)
    for text in (SET.replace("classic", "moves"), SET.partition("\n")[2]):
        written(tmp_path, text)
        assert len(read_positions(path)) == 1
        with pytest.raises(BadPosition, match="line 1: the scores are for Max-Connect4, not for the classic game"):
            read_positions(path, "classic")
    written(tmp_path, SET.replace("value", "worth"))
    with pytest.raises(BadPosition, match="the fields must be classic value c1"):
        read_positions(path, "classic")
    with pytest.raises(BadFile, match="exact has scores of Max-Connect4: .*'maxconnect4 positions --game classic'"):
        parse_position_set("exact", "classic")


def test_built_in_players_are_started_with_the_game() -> None:
    depth, perfect, max_depth = (
        *parse_players(["depth", "perfect"], PATIENT, game="classic"),
        *parse_players(["depth"], PATIENT),
    )
    assert depth.program().command[-4:] == ("--eval", "windows", "--game", "classic")
    assert perfect.program().command[-4:] == ("perfect", "--stats", "--game", "classic")
    assert max_depth.program().command[-2:] == ("--eval", "best")


def test_times_and_regret_of_the_classic_game_are_measured_and_reported(tmp_path: Path) -> None:
    path = written(tmp_path, SET)
    words = ("measure", "depth", command_line("honest"), "--game", "classic", "--positions", f"empty,{path}")
    more = ("--depths", "1", "--runs", "1", "--against", "random", "--games", "1", "--results", "file", "--json")
    done = maxconnect4(*words, *more, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["game"] == "classic"
    by_name = {(each["player"], each["positions"]): each["rows"][0] for each in found["series"]}
    assert by_name["depth", "empty"]["cpu_seconds"]["median"] > 0
    assert by_name["depth", "set"]["regret"]["mean"] == 0
    assert by_name["honest", "set"]["regret"]["mean"] == 36
    assert [each["points"] for each in found["games"]] == [None, None]
    done = maxconnect4("report", "file", "--markdown", "-", cwd=tmp_path)
    assert "# Classic four in a row: depth and honest" in done.stdout
    assert "its mean regret is 36.000 units of the score" in done.stdout
    assert "Opponent's points" not in done.stdout
    refused = maxconnect4("measure", "depth", command_line("honest"), "--results", "file", cwd=tmp_path)
    assert refused.returncode == 3
    assert "has measurements of the game classic" in refused.stderr
