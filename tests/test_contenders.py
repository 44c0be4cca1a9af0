"""Who is measured, and at which depths."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from foreign import command_line

from maxconnect4.errors import BadEntrant
from maxconnect4.measuring.contenders import Contender, contenders_from
from maxconnect4.referee.limits import Limits

LIMITS = Limits(seconds=7)


def contender(text: str) -> Contender:
    return contenders_from([text], LIMITS)[0]


@pytest.mark.parametrize(
    ("text", "name", "description"),
    [
        ("depth", "depth", "depth,eval=best"),
        ("depth:eval=lines", "depth:eval=lines", "depth,eval=lines"),
        ("depth,eval=lines", "depth,eval=lines", "depth,eval=lines"),
        ("name=ours depth:eval=table", "ours", "depth,eval=table"),
    ],
)
def test_our_search_without_a_depth_is_measured_at_every_depth(text: str, name: str, description: str) -> None:
    found = contender(text)
    assert (found.name, found.every_depth, found.description) == (name, True, description)
    assert found.entrant.limits == LIMITS


@pytest.mark.parametrize("text", ["depth:6", "depth:8,eval=lines", "perfect", "level:4", "time:0.5", "random:seed=7"])
def test_a_player_with_a_depth_of_its_own_is_measured_as_it_is(text: str) -> None:
    assert not contender(text).every_depth
    assert contender(text).description.startswith(text.partition(",")[0].partition(":seed")[0])


def test_a_command_is_measured_at_every_depth_if_it_takes_one() -> None:
    assert contender(command_line("honest")).every_depth
    assert contender(f"{command_line('honest')} {{in}} {{out}} {{depth}}").every_depth
    assert not contender(f"{command_line('honest')} {{in}} {{out}} 4").every_depth
    assert not contender(f"depth=4 {command_line('honest')}").every_depth


def test_programs_that_differ_in_anything_have_different_descriptions(tmp_path: Path) -> None:
    for name in ("ada", "b c", "ada/same", "b c/same"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "main.py").touch()
    texts = [f"name=x folder={shlex.quote(str(tmp_path / name))} python3 main.py" for name in ("ada", "b c")]
    texts += [f"folder={shlex.quote(str(tmp_path / name))} python3 main.py" for name in ("ada/same", "b c/same")]
    texts += ["sh -c x y", "sh -c 'x y'", "A='1 B=2' sh -c x", "A=1 B=2 sh -c x", "depth=3 sh -c x", "sh -c x"]
    descriptions = [contender(text).description for text in texts]
    assert len(set(descriptions)) == len(texts)
    assert descriptions[5] == "sh -c 'x y' one-move {in} {out} {depth}"


def test_searching_players_run_as_programs_and_the_others_think_here() -> None:
    assert [contender(text).thinks_here for text in ("depth", "depth:3", "perfect")] == [False, False, False]
    assert [contender(text).thinks_here for text in ("level:2", "time:1", "random")] == [True, True, True]
    assert contenders_from(["depth"], LIMITS, search_only=True)[0].thinks_here
    assert not contenders_from([command_line("honest")], LIMITS, search_only=True)[0].thinks_here


def test_the_same_player_twice_has_two_names() -> None:
    assert [each.name for each in contenders_from(["depth", "depth"], LIMITS)] == ["depth", "depth 2"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("human", "a human cannot be measured"),
        ("depth:eval=good", "'depth:eval=good' has no evaluation that is one of best"),
        ("depth:-1", "is not a depth"),
        ("no-such-program", "there is no program"),
        ("'unended", "is no command"),
        ("", "there is none"),
    ],
)
def test_what_is_no_player_is_refused(text: str, problem: str) -> None:
    with pytest.raises(BadEntrant, match=problem):
        contender(text)


def test_who_plays_games_looks_so_many_plies_ahead() -> None:
    built_in = contender("depth:eval=lines").playing(3).built_in
    assert built_in is not None
    assert (built_in.depth, built_in.evaluation) == (3, "lines")
    assert contender(command_line("honest")).playing(3).depth == 3
    own = contender(f"depth=5 {shlex.quote(sys.executable)} -c pass")
    assert own.playing(3).depth == 5
