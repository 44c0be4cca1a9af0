from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from foreign import command_line
from terminal import Terminal, maxconnect4

from maxconnect4 import board_from_moves
from maxconnect4.referee.results import Results


def match(folder: Path, *words: str) -> dict[str, Any]:
    """Play a match to its end, with one worker unless the words say how many."""
    if "--processes" not in words:
        words += ("--processes", "1")
    done = maxconnect4("match", *words, "--json", cwd=folder)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


def test_a_match_is_kept_under_a_name_of_its_own_and_goes_on(tmp_path: Path) -> None:
    first = match(tmp_path, "depth:1", "depth:2", "--openings", "random:count=1")
    (path,) = tmp_path.iterdir()
    assert path.name.startswith("depth-1-vs-depth-2-")
    assert path.suffix == ".sqlite"
    before = path.read_bytes()
    assert match(tmp_path, "depth:1", "depth:2", "--openings", "random:count=1") == first
    assert path.read_bytes() == before
    match(tmp_path, "depth:1", "depth:2", "--openings", "random:count=1", "--seed", "9")
    assert len(list(tmp_path.iterdir())) == 2


def test_the_words_say_who_is_stronger(tmp_path: Path) -> None:
    words = ("--openings", "random:count=5", "--processes", "1")
    done = maxconnect4("match", "name=strong depth:4", "random", *words, cwd=tmp_path)
    assert done.returncode == 0
    assert "1  strong     10   10      0     0" in done.stdout
    assert "strong against random, 5 pairs of games: score 100.0%" in done.stdout
    assert "stronger with a probability of" in done.stdout


def test_the_same_player_twice_is_told_apart(tmp_path: Path) -> None:
    facts = match(tmp_path, "random", "random", "--openings", "random:count=2")
    assert {each["name"] for each in facts["standings"]} == {"random", "random 2"}


def test_a_sequential_test_ends_the_match_as_soon_as_it_is_decided(tmp_path: Path) -> None:
    words = ["depth:3", "random", "--openings", "random:count=100", "--sprt", "elo0=0", "elo1=100"]
    facts = match(tmp_path, *words, "--results", "a", "--processes", "1")
    assert facts["sprt"]["decision"] == "H1"
    assert facts["games"] == 2 * facts["sprt"]["pairs"] < 100
    again = match(tmp_path, *words, "--results", "b", "--processes", "2")
    for each in (facts, again):
        for standing in each["standings"]:
            del standing["cpu"], standing["most_cpu"]
    assert again == facts, "which games count must not depend on which ended first"
    with Results(str(tmp_path / "b"), read_only=True) as results:
        assert len(results.all()) < 150, "it went on for long after the decision"
    worse = match(tmp_path, "random", "depth:3", *words[2:], "--results", "c")
    assert worse["sprt"]["decision"] == "H0"
    assert "SPRT of Elo 0 against 100: LLR" in maxconnect4("match", *words, "--results", "a", cwd=tmp_path).stdout


def test_the_solver_may_end_the_games(tmp_path: Path) -> None:
    match(tmp_path, "depth:2", "random", "--openings", "random:count=1", "--adjudicate", "--results", "a")
    match(tmp_path, "depth:2", "random", "--openings", "random:count=1", "--adjudicate-at", "20", "--results", "b")
    for name, cells in (("a", 14), ("b", 20)):
        with Results(str(tmp_path / name), read_only=True) as results:
            for each in results.all():
                assert (len(each.played.moves), len(each.played.line)) == (42 - cells, cells)
                assert each.played.ending == "adjudicated"


@pytest.mark.parametrize(
    ("what", "wins", "games", "crashes"),
    [("lose", 2, 2, 2), ("void", 0, 0, 2), ("replace", None, 2, 4)],
    ids=["lose", "void", "replace"],
)
def test_what_a_fault_does_can_be_chosen(tmp_path: Path, what: str, wins: int | None, games: int, crashes: int) -> None:
    facts = match(
        tmp_path, "depth:1", command_line("crasher"), "--openings", "random:plies=38,count=1", "--on-fault", what
    )
    by_name = {each["name"]: each for each in facts["standings"]}
    assert by_name["depth:1"]["games"] == games
    assert wins is None or by_name["depth:1"]["wins"] == wins
    assert by_name["crasher"]["faults"] == {"crash": crashes}


def test_a_program_of_a_folder_finds_its_files_and_its_environment(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "main.sh").write_text(
        '[ "$GREETING" = hello ] && [ "$3" = 7 ] && cat helper.txt > seen.txt && '
        f'exec {command_line("honest")} one-move "$1" "$2" "$3"\n'
    )
    (tmp_path / "ada" / "helper.txt").write_text("help")
    player = "folder=ada GREETING=hello depth=7 sh main.sh {in} {out} {depth}"
    words = ("--openings", "random:plies=30,count=1", "--results", "r", "--isolation", "none")
    facts = match(tmp_path, player, "random", *words)
    assert {each["name"]: each["faults"] for each in facts["standings"]} == {"ada": {}, "random": {}}
    assert sorted(each.name for each in (tmp_path / "ada").iterdir()) == ["helper.txt", "main.sh"]


# People


def test_a_person_plays_in_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "openings").write_text("444444333333555555222222666666111111\n")
    terminal = Terminal("match", "human", "random", "--openings", "openings", cwd=tmp_path)
    terminal.wait_for("human is red")
    terminal.wait_for("Your move, red: ")
    terminal.type("x\n")
    terminal.wait_for("'x' is not a column with room: choose 7, or q to leave.")
    for _ in range(6):
        terminal.type("7\n")
    terminal.wait_for("The results are in")
    assert terminal.close() == 0


def test_a_person_may_leave_and_come_back(tmp_path: Path) -> None:
    (tmp_path / "openings").write_text("444444333333555555222222666666111111\n")
    words = ("match", "human", "random", "--openings", "openings", "--results", "r")
    done = maxconnect4(*words, cwd=tmp_path, input="7\n7\n7\nq\n")
    assert done.returncode == 0
    assert "Bye. 1 game is kept in r, and the same command goes on." in done.stdout
    done = maxconnect4(*words, cwd=tmp_path, input="7\n7\n7\n")
    assert "Game 2" in done.stdout
    assert "Game 1" not in done.stdout
    assert "The results are in r." in done.stdout
    with Results(str(tmp_path / "r"), read_only=True) as results:
        assert all(board_from_moves(each.played.moves).is_full() for each in results.all())


# What is wrong


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["depth:2"], 2, "B is missing"),
        (["human", "random", "--scheduler", "tcp://a:1"], 2, "a human plays on this machine: do without --scheduler"),
        (["depth:2", "nonsense:3"], 2, "there is no program 'nonsense:3'"),
        (["depth:2", "random", "--openings", "random:plies=1,count=9"], 2, "9 different openings of 1 ply are"),
        (["depth:2", "random", "--openings", "missing.txt"], 3, "missing.txt: there is no such file of openings"),
        (["depth:2", "random", "--processes", "0"], 2, "is not a number of processes"),
        (["depth:2", "random", "--sprt", "elo0=5", "elo1=0"], 2, "the first below the second"),
        (["depth:2", "random", "--sprt", "elo0=5", "elo0=6"], 2, "the first below the second"),
        (["depth:2", "random", "--sprt", "5", "6"], 2, "is not elo0=... or elo1=..."),
        (["depth:2", "random", "--processes", "2", "--scheduler", "tcp://a:1"], 2, "not both"),
        (["depth:2", "random", "--results", "/nowhere/r"], 1, "/nowhere/r cannot be written"),
        (["depth:2", "random", "--on-fault", "cry"], 2, "there is no 'cry'"),
    ],
)
def test_what_is_wrong_is_one_line_and_nothing_is_played(
    tmp_path: Path, words: list[str], code: int, message: str
) -> None:
    done = maxconnect4("match", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
