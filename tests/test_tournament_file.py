from __future__ import annotations

from pathlib import Path

import pytest

from maxconnect4.errors import BadFile
from maxconnect4.referee.tournament import Tournament
from maxconnect4.referee.tournament_file import read_tournament

TWO = '[[player]]\nbuilt_in = "depth:2"\n[[player]]\nbuilt_in = "random"\n'


def written(folder: Path, text: str) -> str:
    (folder / "class.toml").write_text(text)
    return str(folder / "class.toml")


def test_a_whole_class_is_one_table(tmp_path: Path) -> None:
    for name in ("cem", "ada", "bob"):
        (tmp_path / "students" / name).mkdir(parents=True)
        (tmp_path / "students" / name / "main.sh").touch()
    (tmp_path / "students" / "cem" / "command.txt").write_text("sh other {in} {out}\nthe second line is nothing\n")
    (tmp_path / "students" / "notes.txt").write_text("not a folder")
    text = """
        title = "Autumn"
        depth = 4
        [limits]
        seconds = 5
        memory = "512M"
        [[player]]
        folders = "students/*"
        command = "sh main.sh"
        [[player]]
        name = "slow one"
        folder = "students/ada"
        command = ["sh", "main.sh", "{in}", "{out}"]
        environment = {LANG = "C"}
        seconds = 60
        depth = 2
    """
    found = read_tournament(written(tmp_path, text))
    assert found.names == ["bob", "cem", "slow one"]
    bob, cem, slow = found.entrants
    assert cem.command == ("sh", "other", "{in}", "{out}")
    assert bob.folder == str(tmp_path / "students" / "bob")
    assert bob.whole_folder
    assert (bob.depth, bob.limits.seconds, bob.limits.memory) == (4, 5, 512 << 20)
    assert bob.command[-4:] == ("one-move", "{in}", "{out}", "{depth}")
    assert (slow.depth, slow.limits.seconds, slow.environment) == (2, 60, (("LANG", "C"),))
    assert (found.title, found.format, len(found.openings)) == ("Autumn", "round-robin", 2)


def test_all_students_whose_program_is_not_there_are_counted(tmp_path: Path) -> None:
    for name in ("ada", "bob", "cem"):
        (tmp_path / "students" / name).mkdir(parents=True)
    (tmp_path / "students" / "bob" / "main.sh").touch()
    path = written(tmp_path, '[[player]]\nfolders = "students/*"\ncommand = "sh main.sh"\n')
    with pytest.raises(BadFile, match="ada: there is no file 'main.sh' in .* .and 1 more of 3 players cannot be used"):
        read_tournament(path)


def test_paths_count_from_the_folder_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "openings.txt").write_text("44\n45\n")
    monkeypatch.chdir("/")
    found = read_tournament(written(tmp_path, f'openings = "openings.txt"\n{TWO}'))
    assert found.openings == ("44", "45")


def test_the_command_line_comes_before_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, f'openings = "random:plies=2,count=3"\nseed = 5\n{TWO}')
    assert len(read_tournament(path).openings) == 3
    other = read_tournament(path, "random:plies=6,count=7", 6)
    assert (len(other.openings), len(other.openings[0]), other.rules.seed) == (7, 6, 6)
    assert read_tournament(path, seed=6).openings != read_tournament(path).openings


def test_a_tournament_survives_being_written_down(tmp_path: Path) -> None:
    import json

    text = f'format = "swiss"\nrounds = 4\nadjudicate = true\non_fault = "void"\n{TWO}[[player]]\ncommand = "sh x"\n'
    found = read_tournament(written(tmp_path, text))
    assert (found.rounds, found.rules.adjudicate, found.rules.on_fault) == (4, 14, "void")
    assert Tournament.from_facts(json.loads(json.dumps(found.facts()))) == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "needs two players or more, each under [[player]]: it has none"),
        ("colour = 1\n" + TWO, "there is no setting 'colour' here: choose from adjudicate"),
        ('format = "league"\n' + TWO, "format: 'league' is none of round-robin"),
        ("format = 3\n" + TWO, "format: 3 is not a text, in quotes"),
        ("depth = true\n" + TWO, "depth: True is not a whole number"),
        ("seed = -1\n" + TWO, "seed: -1 is not from 0 to"),
        ("[limits]\nseconds = 0\n" + TWO, "seconds: '0' is not a number of seconds"),
        ('[limits]\nmemory = "lots"\n' + TWO, "memory: 'lots' is not an amount of memory"),
        (TWO + TWO, "two players are called 'depth:2'"),
        ("[[player]]\n" + TWO, "a player has a command or built_in"),
        ('[[player]]\nbuilt_in = "random"\ncommand = "sh"\n' + TWO, "a player has a command or built_in"),
        ('[[player]]\ncommand = ["sh", 3]\n' + TWO, "player 1: 3, in its command or environment, is not a text"),
        ('[[player]]\ncommand = "sh"\nfolders = "no/*"\n' + TWO, "there is no folder 'no/*'"),
        ('[[player]]\ncommand = "sh"\nfolders = "*"\nname = "x"\n' + TWO, "name or folders, not both"),
        ('openings = "no.txt"\n' + TWO, "no.txt"),
        ("player = 3\n", "player: 3 is not a list"),
        ("rounds = 0\n" + TWO, "rounds: 0 is not from 1 to"),
        ("adjudicate = 99\n" + TWO, "adjudicate: 99 is not a number of cells"),
        ("[limits]\nprinted = 0\n" + TWO, "printed: 0 is not from 1,000 to"),
        ("[limits]\nmemory = 0\n" + TWO, "memory: 0 bytes is no memory for a program"),
        ('[[player]]\nbuilt_in = ""\n' + TWO, "player 1: '' is no built-in player"),
        ('[[player]]\nbuilt_in = "cat"\n' + TWO, "player 1: 'cat' is no built-in player"),
        ('[[player]]\ncommand = "sh"\nenvironment = {"A=B" = "x"}\n' + TWO, "'A=B' is not the name of a variable"),
    ],
)
def test_what_is_wrong_is_said_with_the_name_of_the_file(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(BadFile) as refusal:
        read_tournament(written(tmp_path, text))
    assert words in str(refusal.value)
    assert "class.toml" in str(refusal.value) or "no.txt" in words
    assert "\n" not in str(refusal.value)


def test_what_is_no_toml_is_refused(tmp_path: Path) -> None:
    for data in (b"[[player", b"\xff\xfe", b"x = " + b"1" * 2_000_000):
        (tmp_path / "t.toml").write_bytes(data)
        with pytest.raises(BadFile, match="t.toml"):
            read_tournament(str(tmp_path / "t.toml"))
    with pytest.raises(BadFile, match="there is no such tournament file"):
        read_tournament(str(tmp_path / "missing.toml"))
    with pytest.raises(BadFile, match="not a regular file"):
        read_tournament(str(tmp_path))
