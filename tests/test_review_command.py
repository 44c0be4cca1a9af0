"""The command that reviews a game: its table, its JSON and its plot."""

from __future__ import annotations

import json
import re
import struct
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from terminal import Terminal, maxconnect4

GAME = "12345123453344552"  # on a board of 5x5
SIZE = ("--size", "5x5")
CLASSIC = "2342211233515553414"  # on a board of 5x4
CLASSIC_SIZE = ("--size", "5x4", "--game", "classic")


def test_the_table_and_a_line_for_each_player_are_printed() -> None:
    done = maxconnect4("review", GAME, *SIZE)
    assert (done.returncode, done.stderr) == (0, "")
    assert "from red's point of view" in done.stdout
    assert len(re.findall(r"^ +\d+  (red|green) ", done.stdout, re.MULTILINE)) == len(GAME)
    assert "Red made 3 mistakes in 9 moves, with a regret of 3 points. The worst was move 5. " in done.stdout
    assert "Green made " in done.stdout
    mistakes = re.findall(r"^Move (\d+), (?:red|green): ", done.stdout, re.MULTILINE)
    facts = json.loads(maxconnect4("review", GAME, *SIZE, "--json").stdout)
    assert list(map(int, mistakes)) == [move["number"] for move in facts["review"] if move["regret"]]


def test_the_table_of_a_classic_game_has_the_effect_of_each_move(tmp_path: Path) -> None:
    done = maxconnect4("review", CLASSIC, *CLASSIC_SIZE, "--plot", "game.svg", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split() for line in done.stdout.splitlines()]
    for line in (
        "5 red 2 0 -1 4 mistake: a draw becomes a loss",
        "14 green 5 -1 +3 1 mistake: a win becomes a loss",
        "15 red 5 +3 +1 1 wins 2 moves later",
        "16 green 3 +1 +2 1 loses 1 move sooner",
        "19 red 4 +1 +1 4",
    ):
        assert line.split() in lines
    assert "Red made 4 mistakes in 10 moves: the worst was move 13. 2 other moves only " in done.stdout
    assert "score with perfect play" in (tmp_path / "game.svg").read_text()
    facts = json.loads(maxconnect4("review", CLASSIC, *CLASSIC_SIZE, "--json").stdout)
    assert (facts["game"], facts["red"]["detours"]) == ("classic", 2)
    assert [(move["mistake"], move["regret"]) for move in facts["review"][13:16]] == [(True, 4), (False, 2), (False, 1)]
    perfect = maxconnect4("review", "3", *CLASSIC_SIZE)
    assert "Red made no mistakes in 1 move.\nGreen made no move.\n" in perfect.stdout


def test_json_and_the_sources_of_a_game(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(GAME + "\n")
    texts = [
        maxconnect4("review", *words, *SIZE, "--json", input=GAME).stdout
        for words in ([GAME], [tmp_path / "game.txt"], ["-"])
    ]
    assert texts[0] == texts[1] == texts[2]
    facts = json.loads(texts[0])
    assert list(facts) == ["version", "game", "size", "moves", "to_move", "points", "over", "review", "red", "green"]
    assert len(facts["review"]) == len(GAME)
    assert facts["red"] == {"moves": 9, "regret": 3, "forced": 0, "mistakes": 3, "perfect_share": 1 - 3 / 9, "worst": 5}
    names = {"number", "player", "column", "before", "after", "regret", "best", "source", "choices", "reason"}
    assert set(facts["review"][0]) == names


def test_the_plot_is_a_real_picture(tmp_path: Path) -> None:
    png, svg = tmp_path / "game.PNG", tmp_path / "game.svg"
    for path in (png, svg):
        assert maxconnect4("review", GAME, *SIZE, "--plot", path).returncode == 0
    data = png.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    assert width > 800
    assert height > 400
    root = ElementTree.parse(svg).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    before = svg.read_bytes()
    assert maxconnect4("review", GAME, *SIZE, "--plot", svg).returncode == 0
    assert svg.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.PNG", "game.svg"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ([GAME, "--plot", "game.pdf"], 2, "--plot: 'game.pdf' is not the name of a plot"),
        ([GAME, "--plot", ""], 2, "--plot: '' is not the name of a plot"),
        ([GAME, "--plot", "missing/game.png"], 1, "missing/game.png cannot be written: there is no folder"),
        (["missing.txt"], 3, "missing.txt: there is no such file"),
        (["position.txt"], 3, "position.txt does not contain a move string such as 44535, but '00000"),
        (["start.txt"], 3, "does not contain a move string such as 44535, but a position"),
        (["."], 3, ". is a folder"),
        (["-"], 3, "standard input does not contain a move string"),
        (["111111"], 3, "move 6 of '111111': column 1 is full"),
        ([], 2, "game"),
    ],
)
def test_bad_input_is_one_line_and_an_exit_status(tmp_path: Path, words: list[str], code: int, message: str) -> None:
    (tmp_path / "position.txt").write_text("00000\n" * 5 + "1\n")
    (tmp_path / "start.txt").write_text("0000000\n" * 6 + "1\n")
    done = maxconnect4("review", *words, *SIZE, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == {"position.txt", "start.txt"}


def test_a_terminal_shows_a_bar_and_ctrl_c_leaves_no_plot(tmp_path: Path) -> None:
    terminal = Terminal(
        "review", "4444", "--game", "classic", "--book", "none", "--threads", "1", "--plot", "game.png", cwd=tmp_path
    )
    terminal.wait_for("of 4 moves reviewed")
    terminal.type("\x03")
    assert terminal.close() == 130
    assert terminal.screen.count("maxconnect4: interrupted") == 1
    assert list(tmp_path.iterdir()) == []
