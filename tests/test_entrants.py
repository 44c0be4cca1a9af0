from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxconnect4.errors import BadEntrant
from maxconnect4.referee.entrants import (
    DEPTH,
    KAGGLE_RUNNER,
    BuiltIn,
    Entrant,
    built_in_from,
    entrant,
    entrant_from,
    with_names_apart,
)
from maxconnect4.referee.limits import Limits


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
        ("level:1", BuiltIn("level", level=1)),
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
        ("depth:-1", "'-1' is not a depth, which is a number from 0 up"),
        ("depth:4,eval=no", "'no' is not an evaluation: choose best, lines"),
        ("depth:4,seed=1", "depth takes no 'seed'"),
        ("time:0", "'0' is not a number of seconds"),
        ("time:nan", "'nan' is not a number of seconds"),
        ("perfect:3", "perfect takes no"),
        ("random:seed=x", "'x' is not a seed, which is a number from 0 up"),
        ("level", "'level': '' is not a level, which is a number from 0 up"),
        ("time", "'time': '' is not a number of seconds"),
        ("level:0", "'level:0': there is no level '0': they are 1 to 8"),
        ("level:9", "there is no level '9'"),
        ("level:4,eval=best", "level takes no 'eval'"),
        ("no-such-program-anywhere", "there is no program 'no-such-program-anywhere'"),
        ("depht:4", "there is no program 'depht:4': did you mean depth?"),
        ("Random", "there is no program 'Random': did you mean random?"),
        ("mine.py", "no program 'mine.py': what starts it stands before it, all in quotes, as in 'python3 mine.py'"),
        ("./not-there {in} {out}", "there is no program './not-there'"),
        ("sh {in}", "has no {out}"),
        ("sh {player}", "has no {in}"),
        ("sh {depth}", "has no {in}"),
        ("sh {out} {depth}", "has no {in}"),
        ("sh 'x", "is no command: no closing quotation"),
        ("folder=/not/there sh", "'/not/there' is no folder"),
        ("folder=/ depth:6", "depth:6 is built in"),
        ("depth=many sh", "'many' is not a depth"),
        ("name=' ' sh", "' ' is no name"),
        (f"name={'x' * 61} sh", "is no name: it has to be one line of at most 60 letters"),
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
    assert entrant_from("sh mine {game}").command == ("sh", "mine", "{game}", *words[2:])
    assert entrant_from("sh mine").depth == DEPTH == 6


def test_the_command_is_shown_as_a_person_would_write_it() -> None:
    found = entrant_from("sh 'my program' {in} {out} -d{depth} {player} {game}", depth=5)
    assert found.command_line == "sh 'my program' {in} {out} -d5 {player} {game}"


def test_what_is_not_said_of_a_player_is_as_usual(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert BuiltIn("random") == BuiltIn("random", depth=0, seconds=0.0, evaluation="best", seed=None, level=0)
    assert Entrant("ada") == Entrant("ada", None, (), 6, "", False, (), Limits())
    for found in (entrant(["sh", "mine"]), entrant_from("sh mine")):
        assert (found.folder, found.whole_folder, found.environment) == (str(tmp_path), False, ())
        assert found.limits == Limits()
    few = Limits(seconds=2.5)
    assert entrant(["sh", "mine"], limits=few).limits == entrant_from("sh mine", limits=few).limits == few
    assert built_in_from("depth:2") == entrant(["depth:2"]).built_in == BuiltIn("depth", depth=2, evaluation="best")


def test_only_a_human_is_asked() -> None:
    assert [entrant_from(text).is_human for text in ("human", "random", "sh mine")] == [True, False, False]


def test_an_agent_file_is_looked_for_where_the_player_is(tmp_path: Path) -> None:
    (tmp_path / "ada.py").touch()
    for where in ({"folder": str(tmp_path)}, {"base": str(tmp_path)}):
        found = entrant(["kaggle:ada.py"], name="ada", limits=Limits(seconds=2.5), **where)  # type: ignore[arg-type]
        assert found.command[1:] == ("-P", "-B", KAGGLE_RUNNER, "ada.py", "{in}", "{out}", "2.5")
        assert os.path.isfile(KAGGLE_RUNNER)
    assert entrant(["kaggle:ada.py"], base=str(tmp_path)).command[-1] == f"{Limits().seconds:g}"


@pytest.mark.parametrize(
    ("words", "environment", "complaint"),
    [
        (["sh"], {"": "x"}, "'' is not the name of a variable"),
        (["sh"], {"A=B": "x"}, "'A=B' is not the name of a variable"),
        (["sh"], {"A\0": "x"}, r"'A\\x00' is not the name of a variable"),
        (["sh", "a\0b"], None, "have no NUL in them"),
        (["sh"], {"A": "a\0b"}, "have no NUL in them"),
        (["kaggle:ada.py", "fast"], None, "'kaggle:ada.py' is an agent file, after which there is nothing: not 'fast'"),
        (["kaggle:ada.py"], None, "'kaggle:ada.py': there is no file 'ada.py'"),
    ],
)
def test_what_no_program_can_be_given_is_refused(
    words: list[str], environment: dict[str, str] | None, complaint: str
) -> None:
    with pytest.raises(BadEntrant, match=complaint):
        entrant(words, environment=environment)


def test_a_program_is_looked_for_where_its_own_environment_says(tmp_path: Path) -> None:
    with pytest.raises(BadEntrant, match="^mine: there is no program 'mine'$"):
        entrant(["mine"])
    (tmp_path / "mine").touch(0o755)
    assert entrant(["mine"], environment={"PATH": str(tmp_path)}).command[0] == "mine"


def test_a_command_that_names_nothing_but_what_starts_programs_is_named_after_that(tmp_path: Path) -> None:
    long = "python" + "3" * 60
    (tmp_path / long).touch(0o755)
    assert entrant([long, "{in}", "{out}"], environment={"PATH": str(tmp_path)}).name == long[:60]


def test_a_kind_that_there_is_not_is_refused() -> None:
    with pytest.raises(BadEntrant, match="'nobody:3' is no built-in player: such are perfect"):
        built_in_from("nobody:3")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("java -cp jacob maxconnect4 one-move {in} {out} {depth}", "jacob"),
        ("python3 students/ada/main", "ada"),
        ("python3 students/ada/perfect_player", "perfect_player"),
        ("python3 ./main", "main"),
        ("python3 x/Run", "x"),
        ("python3 students/ada/Connect4.exe", "ada"),
        ("python3 students/ada/maxconnect4.exe", "ada"),
        ("python3 players/best.exe", "best"),
        (f"python3 {'y' * 61}", "y" * 60),
        (f"name={'y' * 60} python3", "y" * 60),
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
    for option in ("", "-x", "-u"):
        with pytest.raises(BadEntrant, match=f"ada: there is no file 'main.py' in {tmp_path}"):
            entrant_from(f"name=ada folder={tmp_path} sh {option} main.py {{in}} {{out}}")
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
