"""Players of a benchmark, and their depths."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from external_programs import command_line

from maxconnect4.benchmark.players import BenchmarkPlayer, parse_players
from maxconnect4.errors import BadSetup
from maxconnect4.referee.limits import ResourceLimits

LIMITS = ResourceLimits(seconds=7)


def player(text: str) -> BenchmarkPlayer:
    return parse_players([text], LIMITS)[0]


@pytest.mark.parametrize(
    ("text", "name", "description"),
    [
        ("depth", "depth", "depth,eval=best"),
        ("depth:eval=lines", "depth:eval=lines", "depth,eval=lines"),
        ("depth,eval=lines", "depth,eval=lines", "depth,eval=lines"),
        ("name=ours depth:eval=table", "ours", "depth,eval=table"),
    ],
)
def test_the_built_in_search_is_measured_at_every_depth(text: str, name: str, description: str) -> None:
    found = player(text)
    assert (found.name, found.every_depth, found.description) == (name, True, description)
    assert found.spec.limits == LIMITS


@pytest.mark.parametrize("text", ["depth:6", "depth:8,eval=lines", "perfect", "level:4", "time:0.5", "random:seed=7"])
def test_a_player_with_a_depth_of_its_own_is_measured_as_it_is(text: str) -> None:
    assert not player(text).every_depth
    assert player(text).description.startswith(text.partition(",")[0].partition(":seed")[0])


def test_a_command_is_measured_at_every_depth_if_it_takes_one() -> None:
    assert player(command_line("honest")).every_depth
    assert player(f"{command_line('honest')} {{in}} {{out}} {{depth}}").every_depth
    assert not player(f"{command_line('honest')} {{in}} {{out}} 4").every_depth
    assert not player(f"depth=4 {command_line('honest')}").every_depth


def test_programs_that_differ_in_anything_have_different_descriptions(tmp_path: Path) -> None:
    for name in ("ada", "b c", "ada/same", "b c/same"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "main.py").touch()
    texts = [f"name=x folder={shlex.quote(str(tmp_path / name))} python3 main.py" for name in ("ada", "b c")]
    texts += [f"folder={shlex.quote(str(tmp_path / name))} python3 main.py" for name in ("ada/same", "b c/same")]
    texts += ["sh -c x y", "sh -c 'x y'", "A='1 B=2' sh -c x", "A=1 B=2 sh -c x", "depth=3 sh -c x", "sh -c x"]
    descriptions = [player(text).description for text in texts]
    assert len(set(descriptions)) == len(texts)
    assert descriptions[5] == "sh -c 'x y' one-move {in} {out} {depth}"


def test_searching_players_run_as_programs_and_the_others_think_here() -> None:
    assert [player(text).runs_in_process for text in ("depth", "depth:3", "perfect")] == [False, False, False]
    assert [player(text).runs_in_process for text in ("level:2", "time:1", "random")] == [True, True, True]
    assert parse_players(["depth"], LIMITS, search_only=True)[0].runs_in_process
    assert not parse_players([command_line("honest")], LIMITS, search_only=True)[0].runs_in_process


def test_the_same_player_twice_has_two_names() -> None:
    assert [each.name for each in parse_players(["depth", "depth"], LIMITS)] == ["depth", "depth 2"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("human", "a human cannot be measured"),
        ("depth:eval=good", "'good' is not an evaluation: choose best"),
        ("depth:-1", "is not a depth"),
        ("no-such-program", "not found"),
        ("'unended", "is not a command"),
        ("", "the player is missing"),
    ],
)
def test_an_invalid_player_is_refused(text: str, problem: str) -> None:
    with pytest.raises(BadSetup, match=problem):
        player(text)


def test_a_player_gets_the_given_depth_unless_it_has_its_own() -> None:
    built_in = player("depth:eval=lines").spec_at_depth(3).built_in
    assert built_in is not None
    assert (built_in.depth, built_in.evaluation) == (3, "lines")
    assert player(command_line("honest")).spec_at_depth(3).depth == 3
    own = player(f"depth=5 {shlex.quote(sys.executable)} -c pass")
    assert own.spec_at_depth(3).depth == 5
