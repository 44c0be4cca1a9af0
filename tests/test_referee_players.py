from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxconnect4.errors import BadSetup
from maxconnect4.referee.limits import ResourceLimits
from maxconnect4.referee.players import (
    DEPTH,
    KAGGLE_RUNNER,
    BuiltInSpec,
    PlayerSpec,
    parse_built_in,
    parse_player,
    player_spec,
    unique_names,
)


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("perfect", BuiltInSpec("perfect")),
        ("depth:6", BuiltInSpec("depth", depth=6)),
        ("depth:8,eval=lines", BuiltInSpec("depth", depth=8, evaluation="lines")),
        ("time:0.5", BuiltInSpec("time", seconds=0.5)),
        ("time:2,eval=table", BuiltInSpec("time", seconds=2, evaluation="table")),
        ("random", BuiltInSpec("random")),
        ("random:seed=7", BuiltInSpec("random", seed=7)),
        ("level:1", BuiltInSpec("level", level=1)),
        ("level:8,seed=3", BuiltInSpec("level", level=8, seed=3)),
        ("human", BuiltInSpec("human")),
    ],
)
def test_built_in_players_are_named_after_their_settings(text: str, settings: BuiltInSpec) -> None:
    found = parse_player(text)
    assert (found.name, found.built_in) == (text, settings)
    assert parse_player(f"name='the other one' {text}").name == "the other one"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the player is missing"),
        ("depth", "'depth': '' is not a depth"),
        ("depth:x", "'depth:x': 'x' is not a depth"),
        ("depth:-1", "'-1' is not a depth"),
        ("depth:4,eval=no", "'no' is not an evaluation: choose best, lines"),
        ("depth:4,seed=1", "depth takes no setting 'seed'"),
        ("time:0", "'0' is not a time"),
        ("time:nan", "'nan' is not a time"),
        ("perfect:3", "perfect takes no"),
        ("random:seed=x", "'x' is not a seed"),
        ("level", "'level': '' is not a level"),
        ("time", "'time': '' is not a time"),
        ("level:0", "'level:0': there is no level '0': choose 1 to 8"),
        ("level:9", "there is no level '9'"),
        ("level:4,eval=best", "level takes no setting 'eval'"),
        ("no-such-program-anywhere", "program 'no-such-program-anywhere' not found"),
        ("depht:4", "program 'depht:4' not found: did you mean depth?"),
        ("Random", "program 'Random' not found: did you mean random?"),
        ("mine.py", "program 'mine.py' not found: put the program that runs it before it"),
        ("./not-there {in} {out}", "program './not-there' not found"),
        ("sh {in}", "has no {out}"),
        ("sh {player}", "has no {in}"),
        ("sh {depth}", "has no {in}"),
        ("sh {out} {depth}", "has no {in}"),
        ("sh 'x", "is not a command: no closing quotation"),
        ("folder=/not/there sh", "'/not/there' is not a folder"),
        ("folder=/ depth:6", "depth:6 is built in"),
        ("depth=many sh", "'many' is not a depth"),
        ("name=' ' sh", "' ' is not a name"),
        (f"name={'x' * 61} sh", "is not a name"),
        ("name='\x1b[31m' sh", "is not a name"),
    ],
)
def test_an_invalid_player_is_one_line(text: str, words: str) -> None:
    with pytest.raises(BadSetup) as refusal:
        parse_player(text)
    assert words in str(refusal.value)
    assert str(refusal.value).isprintable()


def test_settings_and_variables_stand_before_a_command(tmp_path: Path) -> None:
    (tmp_path / "main.sh").touch()
    found = parse_player(f"name=ada depth=3 folder={tmp_path} LANG=C X=1 sh main.sh {{in}} {{out}}")
    assert (found.name, found.depth, found.folder, found.whole_folder) == ("ada", 3, str(tmp_path), True)
    assert found.environment == (("LANG", "C"), ("X", "1"))
    assert found.command == ("sh", "main.sh", "{in}", "{out}")


def test_a_command_without_places_gets_the_words_of_the_assignment() -> None:
    words = ("sh", "mine", "one-move", "{in}", "{out}", "{depth}")
    assert parse_player("sh mine", depth=5).command == words
    assert parse_player("sh mine one-move").command == words
    assert parse_player("sh mine {game}").command == ("sh", "mine", "{game}", *words[2:])
    assert parse_player("sh mine").depth == DEPTH == 6


def test_the_command_is_shown_as_a_person_would_write_it() -> None:
    found = parse_player("sh 'my program' {in} {out} -d{depth} {player} {game}", depth=5)
    assert found.command_line == "sh 'my program' {in} {out} -d5 {player} {game}"


def test_missing_settings_of_a_player_have_defaults(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert BuiltInSpec("random") == BuiltInSpec("random", depth=0, seconds=0.0, evaluation="best", seed=None, level=0)
    assert PlayerSpec("ada") == PlayerSpec("ada", None, (), 6, "", False, (), ResourceLimits())
    for found in (player_spec(["sh", "mine"]), parse_player("sh mine")):
        assert (found.folder, found.whole_folder, found.environment) == (str(tmp_path), False, ())
        assert found.limits == ResourceLimits()
    few = ResourceLimits(seconds=2.5)
    assert player_spec(["sh", "mine"], limits=few).limits == parse_player("sh mine", limits=few).limits == few
    assert (
        parse_built_in("depth:2")
        == player_spec(["depth:2"]).built_in
        == BuiltInSpec("depth", depth=2, evaluation="best")
    )


def test_only_a_human_is_asked() -> None:
    assert [parse_player(text).is_human for text in ("human", "random", "sh mine")] == [True, False, False]


def test_an_agent_file_is_looked_for_where_the_player_is(tmp_path: Path) -> None:
    (tmp_path / "ada.py").touch()
    for where in ({"folder": str(tmp_path)}, {"base": str(tmp_path)}):
        found = player_spec(["kaggle:ada.py"], name="ada", limits=ResourceLimits(seconds=2.5), **where)  # type: ignore[arg-type]
        assert found.command[1:] == ("-P", "-B", KAGGLE_RUNNER, "ada.py", "{in}", "{out}", "2.5")
        assert os.path.isfile(KAGGLE_RUNNER)
    assert player_spec(["kaggle:ada.py"], base=str(tmp_path)).command[-1] == f"{ResourceLimits().cpu_seconds:g}"


@pytest.mark.parametrize(
    ("words", "environment", "complaint"),
    [
        (["sh"], {"": "x"}, "'' is not a name of an environment variable"),
        (["sh"], {"A=B": "x"}, "'A=B' is not a name of an environment variable"),
        (["sh"], {"A\0": "x"}, r"'A\\x00' is not a name of an environment variable"),
        (["sh", "a\0b"], None, "must not contain NUL"),
        (["sh"], {"A": "a\0b"}, "must not contain NUL"),
        (["kaggle:ada.py", "fast"], None, "'kaggle:ada.py' is an agent file and takes no argument"),
        (["kaggle:ada.py"], None, "'kaggle:ada.py': file 'ada.py' not found"),
    ],
)
def test_arguments_that_no_process_can_have_are_refused(
    words: list[str], environment: dict[str, str] | None, complaint: str
) -> None:
    with pytest.raises(BadSetup, match=complaint):
        player_spec(words, environment=environment)


def test_a_program_is_found_in_the_path_of_its_environment(tmp_path: Path) -> None:
    with pytest.raises(BadSetup, match="^mine: program 'mine' not found on PATH"):
        player_spec(["mine"])
    (tmp_path / "mine").touch(0o755)
    assert player_spec(["mine"], environment={"PATH": str(tmp_path)}).command[0] == "mine"


def test_a_command_that_names_nothing_but_what_starts_programs_is_named_after_that(tmp_path: Path) -> None:
    long = "python" + "3" * 60
    (tmp_path / long).touch(0o755)
    assert player_spec([long, "{in}", "{out}"], environment={"PATH": str(tmp_path)}).name == long[:60]


def test_a_kind_that_there_is_not_is_refused() -> None:
    with pytest.raises(BadSetup, match="'nobody:3' is not a built-in player: use one such as perfect"):
        parse_built_in("nobody:3")


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
    assert parse_player(text.replace("java", "env").replace("python3", "sh")).name == name


def test_a_program_of_the_folder_comes_before_others_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "maxconnect4").touch()
    with pytest.raises(BadSetup, match="'./maxconnect4' is not executable: run 'chmod [+]x' on it"):
        parse_player(f"folder={tmp_path} maxconnect4")
    (tmp_path / "maxconnect4").chmod(0o755)
    assert parse_player(f"folder={tmp_path} maxconnect4").command[0] == "./maxconnect4"
    assert parse_player(f"folder={tmp_path} sh").command[0] == "sh"


def test_a_script_that_is_not_there_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    for option in ("", "-x", "-u"):
        with pytest.raises(BadSetup, match=f"ada: file 'main.py' not found in {tmp_path}"):
            parse_player(f"name=ada folder={tmp_path} sh {option} main.py {{in}} {{out}}")
    (tmp_path / "main.py").touch()
    assert parse_player(f"folder={tmp_path} sh -x main.py").command[1:3] == ("-x", "main.py")


def test_a_player_with_a_folder_is_named_after_it(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    assert parse_player(f"folder={tmp_path}/ada/ sh x").name == "ada"


def test_players_with_the_same_name_get_numbers() -> None:
    same = [parse_player("depth:2") for _ in range(3)]
    assert [each.name for each in unique_names(same)] == ["depth:2", "depth:2 2", "depth:2 3"]


@given(st.text(max_size=30))
def test_any_text_is_a_player_or_is_refused(text: str) -> None:
    try:
        parse_player(text)
    except BadSetup as refusal:
        assert "\n" not in str(refusal)
