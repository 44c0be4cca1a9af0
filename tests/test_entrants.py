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
        ("level:4", BuiltIn("level", level=4)),
        ("level:8,seed=3", BuiltIn("level", level=8, seed=3)),
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
        ("level", "'level': '' is not a level"),
        ("level:0", "'level:0': there is no level '0': they are 1 to 8"),
        ("level:9", "there is no level '9'"),
        ("level:4,eval=best", "level takes no 'eval'"),
        ("no-such-program-anywhere", "there is no program 'no-such-program-anywhere'"),
        ("depht:4", "there is no program 'depht:4': did you mean depth?"),
        ("Random", "there is no program 'Random': did you mean random?"),
        ("mine.py", "no program 'mine.py': what starts it stands before it, all in quotes, as in 'python3 mine.py'"),
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
    (tmp_path / "main.sh").touch()
    found = entrant_from(f"name=ada depth=3 folder={tmp_path} LANG=C X=1 sh main.sh {{in}} {{out}}")
    assert (found.name, found.depth, found.folder, found.whole_folder) == ("ada", 3, str(tmp_path), True)
    assert found.environment == (("LANG", "C"), ("X", "1"))
    assert found.command == ("sh", "main.sh", "{in}", "{out}")


def test_a_command_without_places_gets_the_words_of_the_assignment() -> None:
    words = ("sh", "mine", "one-move", "{in}", "{out}", "{depth}")
    assert entrant_from("sh mine", depth=5).command == words
    assert entrant_from("sh mine one-move").command == words


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("java -cp jacob maxconnect4 one-move {in} {out} {depth}", "jacob"),
        ("python3 students/ada/main", "ada"),
        ("python3 students/ada/perfect_player", "perfect_player"),
        ("python3 ./main", "main"),
        ("sh -c {in} {out}", "sh"),
    ],
)
def test_a_command_is_named_after_its_program(text: str, name: str) -> None:
    assert entrant_from(text.replace("java", "env").replace("python3", "sh")).name == name


def test_a_program_of_the_folder_comes_before_others_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "maxconnect4").touch()
    with pytest.raises(BadEntrant, match="'./maxconnect4' is not executable: 'chmod [+]x' makes it so"):
        entrant_from(f"folder={tmp_path} maxconnect4")
    (tmp_path / "maxconnect4").chmod(0o755)
    assert entrant_from(f"folder={tmp_path} maxconnect4").command[0] == "./maxconnect4"
    assert entrant_from(f"folder={tmp_path} sh").command[0] == "sh"


def test_a_script_that_is_not_there_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(BadEntrant, match=f"ada: there is no file 'main.py' in {tmp_path}"):
        entrant_from(f"name=ada folder={tmp_path} sh -x main.py {{in}} {{out}}")
    (tmp_path / "main.py").touch()
    assert entrant_from(f"folder={tmp_path} sh -x main.py").command[1:3] == ("-x", "main.py")


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
