from __future__ import annotations

from pathlib import Path

import pytest

from maxconnect4.errors import BadFile
from maxconnect4.referee.config import read_tournament
from maxconnect4.referee.limits import ResourceLimits
from maxconnect4.referee.openings import openings_from
from maxconnect4.referee.tournament import Tournament

ONE = '[[player]]\nbuilt_in = "depth:2"\n'
TWO = ONE + '[[player]]\nbuilt_in = "random"\n'


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
    bob, cem, slow = found.players
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
    with pytest.raises(BadFile, match="ada: file 'main.sh' not found in .* .and 1 more invalid players of 3"):
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
    assert Tournament.from_dict(json.loads(json.dumps(found.to_dict()))) == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "0 players: a tournament needs at least two, each in a [[player]] table"),
        ("colour = 1\n" + TWO, "'colour' is not a setting: choose title"),
        ('format = "league"\n' + TWO, "format: 'league' is not valid: choose round-robin"),
        ("format = 3\n" + TWO, "format: 3 is not a string in quotes"),
        ("depth = true\n" + TWO, "depth: True is not a whole number"),
        ("seed = -1\n" + TWO, "seed: -1 is not a whole number >= 0"),
        ("[limits]\nseconds = 0\n" + TWO, "seconds: '0.0' is not a time"),
        ('[limits]\nmemory = "lots"\n' + TWO, "memory: 'lots' is not an amount of memory"),
        (TWO + TWO, "two players have the name 'depth:2'"),
        ("[[player]]\n" + TWO, "a player needs exactly one of command and built_in"),
        (
            '[[player]]\nbuilt_in = "random"\ncommand = "sh"\n' + TWO,
            "a player needs exactly one of command and built_in",
        ),
        ('[[player]]\ncommand = ["sh", 3]\n' + TWO, "player 1: command: 2: 3 is not a string in quotes"),
        ('[[player]]\ncommand = "sh"\nfolders = "no/*"\n' + TWO, "folders: no folder matches 'no/*'"),
        ('[[player]]\ncommand = "sh"\nfolders = "*"\nname = "x"\n' + TWO, "give name or folders, not both"),
        ('openings = "no.txt"\n' + TWO, "no.txt"),
        ("player = 3\n", "player: 3 is not a list"),
        ("rounds = 0\n" + TWO, "rounds: 0 is not a whole number >= 1"),
        ("adjudicate = 99\n" + TWO, "adjudicate: 99 is not a whole number <= 42"),
        ("[limits]\nprinted = 0\n" + TWO, "printed: 0 is not a whole number >= 1000"),
        ("[limits]\nmemory = 0\n" + TWO, "memory: 0 bytes: choose"),
        ('[[player]]\nbuilt_in = ""\n' + TWO, "player 1: '' is not a built-in player"),
        ('[[player]]\nbuilt_in = "cat"\n' + TWO, "player 1: 'cat' is not a built-in player"),
        (
            '[[player]]\ncommand = "sh"\nenvironment = {"A=B" = "x"}\n' + TWO,
            "'A=B' is not a name of an environment variable",
        ),
    ],
)
def test_an_error_names_the_file(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(BadFile) as refusal:
        read_tournament(written(tmp_path, text))
    assert words in str(refusal.value)
    assert "class.toml" in str(refusal.value) or "no.txt" in words
    assert "\n" not in str(refusal.value)


def test_invalid_toml_is_refused(tmp_path: Path) -> None:
    for data in (b"[[player", b"\xff\xfe", b"x = " + b"1" * 2_000_000):
        (tmp_path / "t.toml").write_bytes(data)
        with pytest.raises(BadFile, match="t.toml"):
            read_tournament(str(tmp_path / "t.toml"))
    with pytest.raises(BadFile, match="there is no such tournament file$"):
        read_tournament(str(tmp_path / "missing.toml"))
    with pytest.raises(BadFile, match="not a regular file"):
        read_tournament(str(tmp_path))


def test_a_file_may_be_of_300_000_bytes(tmp_path: Path) -> None:
    largest = TWO + "#" * (300_000 - len(TWO))
    assert read_tournament(written(tmp_path, largest)).names == ["depth:2", "random"]
    with pytest.raises(BadFile, match="class.toml is too large for a tournament file: more than 300,000 bytes$"):
        read_tournament(written(tmp_path, largest + "#"))


def test_missing_keys_have_defaults(tmp_path: Path) -> None:
    found = read_tournament(written(tmp_path, TWO))
    assert (found.title, found.format, found.rounds, found.heads) == ("class", "round-robin", None, 1)
    assert (found.rules.seed, found.rules.adjudicate, found.rules.on_fault) == (1, 0, "lose")
    assert found.openings == tuple(openings_from("random:plies=4,count=2,seed=1"))
    assert [player.limits for player in found.players] == [ResourceLimits()] * 2


def test_every_limit_can_be_set_for_all_and_for_one(tmp_path: Path) -> None:
    all_limits = 'cpu_seconds = 2.5\nprocesses = 7\nmemory = "16M"\nprinted = 1000\nseconds = 3\n'
    one = '[[player]]\ncommand = "sh x"\n[[player]]\nname = "large"\ncommand = "sh x"\n'
    one += 'memory = "1024G"\nprocesses = 1_000_000\nprinted = 1_099_511_627_776\n'
    found = read_tournament(written(tmp_path, f"[limits]\n{all_limits}{one}"))
    assert found.players[0].limits == ResourceLimits(3, 2.5, 16 << 20, 1_000, 7)
    assert found.players[1].limits == ResourceLimits(3, 2.5, 1 << 40, 1 << 40, 1_000_000)


def test_every_number_may_be_the_largest(tmp_path: Path) -> None:
    three = f'{TWO}[[player]]\nbuilt_in = "perfect"\n'
    assert read_tournament(written(tmp_path, f'format = "gauntlet"\nheads = 2\n{three}')).heads == 2
    assert read_tournament(written(tmp_path, f'format = "swiss"\nrounds = 10_000\n{TWO}')).rounds == 10_000
    for cells in (42, 0):
        assert read_tournament(written(tmp_path, f"adjudicate = {cells}\n{TWO}")).rules.adjudicate == cells
    assert read_tournament(written(tmp_path, f"adjudicate = false\n{TWO}")).rules.adjudicate == 0
    assert read_tournament(written(tmp_path, f"adjudicate = 3\n{TWO}"), adjudicate=5).rules.adjudicate == 5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (ONE, "1 players: a tournament needs at least two, each in a [[player]] table"),
        ('[limits]\nseconds = "x"\n', "limits: seconds: 'x' is not a number"),
        ("[limits]\nmemory = 1.5\n", "limits: memory: 1.5 is not a whole number or a string in quotes"),
        ("[limits]\nmemory = true\n", "limits: memory: True is not a whole number or a string in quotes"),
        ("[limits]\nmemory = 16_777_215\n", "memory: 16,777,215 bytes: choose 16M to 1024G"),
        ("[limits]\nmemory = 1_099_511_627_777\n", "memory: 1,099,511,627,777 bytes: choose 16M to 1024G"),
        ("[limits]\nprinted = 999\n", "limits: printed: 999 is not a whole number >= 1000"),
        (
            "[limits]\nprinted = 1_099_511_627_777\n",
            "limits: printed: 1099511627777 is not a whole number <= 1099511627776",
        ),
        ("[limits]\nprocesses = 0\n", "limits: processes: 0 is not a whole number >= 1"),
        ("[limits]\nprocesses = 1_000_001\n", "limits: processes: 1000001 is not a whole number <= 1000000"),
        ("limits = 3\n", "limits: 3 is not a table"),
        ("player = 3\n", "player: 3 is not a list"),
        ("adjudicate = 1.5\n", "adjudicate: 1.5 is not true or false or a whole number"),
        ("adjudicate = 43\n", "adjudicate: 43 is not a whole number <= 42"),
        ("adjudicate = -1\n", "adjudicate: -1 is not a whole number >= 0"),
        ("rounds = 10_001\n", "rounds: 10001 is not a whole number <= 10000"),
        ("rounds = 1\n", "rounds: only swiss has a number of rounds, not 'round-robin'"),
        ("heads = 0\n", "heads: 0 is not a whole number >= 1"),
        ("depth = 1_000_000_001\n", "depth: 1000000001 is not a whole number <= 1000000000"),
        ("[[player]]\ncommand = 3\n", "player 1: command: 3 is not a string in quotes or a list"),
        ('[[player]]\ncommand = "sh \'x"\n', 'player 1: "sh \'x" is not a command: no closing quotation'),
        ('[[player]]\ncommand = "sh"\nfolders = "*"\nfolder = "x"\n', "player 1: give folder or folders, not both"),
        (
            '[[player]]\ncommand = "sh no.sh"\nfolders = "one"\n',
            "player 1: one: file 'no.sh' not found in {folder}/one",
        ),
        ('[[player]]\nfolder = "blank"\n', "player 1: {folder}/blank/command.txt has no command on its first line"),
    ],
)
def test_errors_have_the_exact_message(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "blank").mkdir()
    (tmp_path / "blank" / "command.txt").write_text(" \nsh x\n")
    with pytest.raises(BadFile) as refusal:
        read_tournament(written(tmp_path, text if text == ONE or text.startswith("player") else text + TWO))
    assert str(refusal.value) == f"{tmp_path}/class.toml: {words.format(folder=tmp_path)}"


@pytest.mark.parametrize("command", ["maxconnect4", "/opt/bin/maxconnect4 one-move", "python3 -m maxconnect4"])
def test_a_command_of_a_folder_does_not_run_this_program(command: str, tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "command.txt").write_text(command)
    with pytest.raises(BadFile, match="must not run maxconnect4 itself"):
        read_tournament(written(tmp_path, TWO + '[[player]]\nfolder = "ada"\ncommand = "sh main.sh"\n'))


@pytest.mark.parametrize("command", ["sh ../bob/main.sh", "sh main.sh --file=/home/me/secret", "java -cp .:~/x Main"])
def test_a_command_of_a_folder_names_nothing_outside_it(command: str, tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "command.txt").write_text(command)
    with pytest.raises(BadFile, match="outside its folder"):
        read_tournament(written(tmp_path, TWO + '[[player]]\nfolder = "ada"\ncommand = "sh main.sh"\n'))


def test_a_command_of_a_folder_may_have_any_letters(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "command.txt").write_bytes(b"\xef\xbb\xbfsh -c \xff\r\n")
    found = read_tournament(written(tmp_path, f'[[player]]\nfolder = "one"\n{TWO}'))
    assert found.players[0].command[:3] == ("sh", "-c", "\ufffd")
