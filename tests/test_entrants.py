from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxconnect4.errors import BadEntrant
from maxconnect4.referee.entrants import BuiltIn, entrant_from, with_names_apart


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("perfect", BuiltIn("perfect")),
        ("depth:6", BuiltIn("depth", depth=6)),
        ("depth:8,eval=lines", BuiltIn("depth", depth=8, evaluation="lines")),
        ("time:0.5", BuiltIn("time", seconds=0.5)),
        ("time:2,eval=table", BuiltIn("time", seconds=2, evaluation="table")),
        ("random", BuiltIn("random")),
        ("random:seed=7", BuiltIn("random", seed=7)),
        ("human", BuiltIn("human")),
    ],
)
def test_built_in_players_are_named_after_their_settings(text: str, settings: BuiltIn) -> None:
    found = entrant_from(text)
    assert (found.name, found.built_in) == (text, settings)
    assert entrant_from(f"name='the other one' {text}").name == "the other one"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is none"),
        ("depth", "'depth': '' is not a depth"),
        ("depth:x", "'depth:x': 'x' is not a depth"),
        ("depth:-1", "'-1' is not a depth"),
        ("depth:4,eval=no", "'no' is not an evaluation: choose best, lines"),
        ("depth:4,seed=1", "depth takes no 'seed'"),
        ("time:0", "'0' is not a number of seconds"),
        ("time:nan", "'nan' is not a number of seconds"),
        ("perfect:3", "perfect takes no"),
        ("random:seed=x", "'x' is not a seed"),
        ("no-such-program-anywhere", "there is no program 'no-such-program-anywhere'"),
        ("./not-there {in} {out}", "there is no program './not-there'"),
        ("sh {in}", "has no {out}"),
        ("sh {out} {depth}", "has no {in}"),
        ("sh 'x", "is no command: no closing quotation"),
        ("folder=/not/there sh", "'/not/there' is no folder"),
        ("folder=/ depth:6", "depth:6 is built in"),
        ("depth=many sh", "'many' is not a depth"),
        ("name=' ' sh", "' ' is no name"),
        ("name='\x1b[31m' sh", "is no name"),
    ],
)
def test_what_is_no_player_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(BadEntrant) as refusal:
        entrant_from(text)
    assert words in str(refusal.value)
    assert str(refusal.value).isprintable()


def test_settings_and_variables_stand_before_a_command(tmp_path: Path) -> None:
    found = entrant_from(f"name=ada depth=3 folder={tmp_path} LANG=C X=1 sh main.sh {{in}} {{out}}")
    assert (found.name, found.depth, found.folder, found.whole_folder) == ("ada", 3, str(tmp_path), True)
    assert found.environment == (("LANG", "C"), ("X", "1"))
    assert found.command == ("sh", "main.sh", "{in}", "{out}")


def test_a_command_without_places_gets_the_words_of_the_assignment() -> None:
    assert entrant_from("sh main.sh", depth=5).command == ("sh", "main.sh", "one-move", "{in}", "{out}", "{depth}")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("java -cp jacob maxconnect4 one-move {in} {out} {depth}", "jacob"),
        ("python3 students/ada/main.py", "main"),
        ("sh -c {in} {out}", "sh"),
    ],
)
def test_a_command_is_named_after_its_program(text: str, name: str) -> None:
    assert entrant_from(text.replace("java", "env").replace("python3", "sh")).name == name


def test_a_player_with_a_folder_is_named_after_it(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    assert entrant_from(f"folder={tmp_path}/ada/ sh x").name == "ada"


def test_players_with_the_same_name_are_told_apart() -> None:
    same = [entrant_from("depth:2") for _ in range(3)]
    assert [each.name for each in with_names_apart(same)] == ["depth:2", "depth:2 2", "depth:2 3"]


@given(st.text(max_size=30))
def test_any_text_is_a_player_or_is_refused(text: str) -> None:
    try:
        entrant_from(text)
    except BadEntrant as refusal:
        assert "\n" not in str(refusal)
