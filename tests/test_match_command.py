from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from external_programs import command_line
from terminal import Terminal, maxconnect4

from maxconnect4 import board_from_moves
from maxconnect4.cli.match import file_name
from maxconnect4.referee.game import Rules
from maxconnect4.referee.match import match_between
from maxconnect4.referee.store import ResultStore
from maxconnect4.referee.tournament import SprtHypotheses


def match(folder: Path, *words: str) -> dict[str, Any]:
    """Play a match to its end, with one worker unless the words say how many."""
    if "--processes" not in words:
        words += ("--processes", "1")
    done = maxconnect4("match", *words, "--json", cwd=folder)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


def test_a_match_is_stored_under_its_own_name_and_resumes(tmp_path: Path) -> None:
    first = match(tmp_path, "depth:1", "depth:2", "--openings", "random:count=1")
    (path,) = tmp_path.iterdir()
    assert path.name.startswith("depth-1-vs-depth-2-")
    assert path.suffix == ".sqlite"
    before = path.read_bytes()
    assert match(tmp_path, "depth:1", "depth:2", "--openings", "random:count=1") == first
    assert path.read_bytes() == before
    match(tmp_path, "depth:1", "depth:2", "--openings", "random:count=1", "--seed", "9")
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("players", "test", "name"),
    [
        (("depth:1", "depth:2"), None, "depth-1-vs-depth-2-5f4cd8ca.sqlite"),
        (("perfect", "random:seed=7"), SprtHypotheses(0.0, 10.0), "perfect-vs-random-seed-7-9b339dc9.sqlite"),
        (("name=x A=b /bin/true {in} {out}", "level:4"), None, "x-vs-level-4-a1e9aa9d.sqlite"),
    ],
)
def test_a_match_continues_in_the_results_file_of_an_older_version(
    players: tuple[str, str], test: SprtHypotheses | None, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The names come from the first version."""
    monkeypatch.chdir("/")
    assert file_name(match_between(*players, ["", "44"], Rules(seed=3), test=test)) == name


def test_the_text_of_a_match_names_the_stronger_player(tmp_path: Path) -> None:
    words = ("--openings", "random:count=5", "--processes", "1")
    done = maxconnect4("match", "name=strong depth:4", "random", *words, cwd=tmp_path)
    assert done.returncode == 0
    assert "1  strong     10   10      0     0" in done.stdout
    assert "strong against random, 5 pairs of games: score 100.0%" in done.stdout
    assert "stronger with a probability of" in done.stdout


def test_the_same_player_twice_gets_two_names(tmp_path: Path) -> None:
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
            del standing["cpu_seconds"], standing["max_cpu_seconds"]
    assert again == facts, "which games count must not depend on which ended first"
    with ResultStore(str(tmp_path / "b"), read_only=True) as results:
        assert len(results.all()) < 150, "it went on for long after the decision"
    worse = match(tmp_path, "random", "depth:3", *words[2:], "--results", "c")
    assert worse["sprt"]["decision"] == "H0"
    assert "SPRT of Elo 0 against 100: LLR" in maxconnect4("match", *words, "--results", "a", cwd=tmp_path).stdout


def test_the_solver_may_end_the_games(tmp_path: Path) -> None:
    match(tmp_path, "depth:2", "random", "--openings", "random:count=1", "--adjudicate", "--results", "a")
    match(tmp_path, "depth:2", "random", "--openings", "random:count=1", "--adjudicate-at", "20", "--results", "b")
    for name, cells in (("a", 14), ("b", 20)):
        with ResultStore(str(tmp_path / name), read_only=True) as results:
            for each in results.all():
                assert (len(each.result.moves), len(each.result.line)) == (42 - cells, cells)
                assert each.result.ending == "adjudicated"


@pytest.mark.parametrize(
    ("what", "wins", "games", "crashes"),
    [("lose", 2, 2, 2), ("void", 0, 0, 2), ("replace", None, 2, 4)],
    ids=["lose", "void", "replace"],
)
def test_the_effect_of_a_fault_can_be_chosen(
    tmp_path: Path, what: str, wins: int | None, games: int, crashes: int
) -> None:
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
    terminal.wait_for("'x' is not a column")
    for _ in range(6):
        terminal.type("7\n")
    terminal.wait_for("The results are in")
    assert terminal.close() == 0


def test_a_person_may_ask_for_help_and_a_hint_and_undo_moves(tmp_path: Path) -> None:
    (tmp_path / "openings").write_text("44444433333355555522222266666611\n")
    typed = "help\nhint\nundo\n7\nundo\n1\n7\n1\n7\n7\n7\n7\n" + "1\n7\n" * 10
    done = maxconnect4(
        "match", "human", "random", "--openings", "openings", "--results", "r", cwd=tmp_path, input=typed
    )
    assert done.returncode == 0
    assert "undo your last move" in done.stdout
    assert re.search(r"The computer would play column [17]\.", done.stdout)
    assert done.stdout.count("You have no move to undo.") == 1
    with ResultStore(str(tmp_path / "r"), read_only=True) as results:
        games = [each.result for each in results.all()]
    assert len(games) == 2
    for game in games:
        assert board_from_moves(game.moves).is_full()
        assert len(game.cpu) == 42 - 32
    assert games[0].moves[32] == "1"


def test_a_person_may_leave_and_come_back(tmp_path: Path) -> None:
    (tmp_path / "openings").write_text("444444333333555555222222666666111111\n")
    words = ("match", "human", "random", "--openings", "openings", "--results", "r")
    done = maxconnect4(*words, cwd=tmp_path, input="7\n7\n7\nq\n")
    assert done.returncode == 0
    assert "Bye. 1 game is stored in r; repeat the command to resume." in done.stdout
    done = maxconnect4(*words, cwd=tmp_path, input="7\n7\n7\n")
    assert "Game 2" in done.stdout
    assert "Game 1" not in done.stdout
    assert "The results are in r." in done.stdout
    with ResultStore(str(tmp_path / "r"), read_only=True) as results:
        assert all(board_from_moves(each.result.moves).is_full() for each in results.all())


# What is wrong


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["depth:2"], 2, "B is missing"),
        (["human", "random", "--scheduler", "tcp://a:1"], 2, "--scheduler"),
        (["depth:2", "nonsense:3"], 2, "program 'nonsense:3' not found"),
        (["depth:2", "random", "--openings", "random:plies=1,count=9"], 2, "9 openings of 1 ply"),
        (["depth:2", "random", "--openings", "missing.txt"], 3, "missing.txt: there is no such file of openings"),
        (["depth:2", "random", "--processes", "0"], 2, "is not a number of processes"),
        (["depth:2", "random", "--sprt", "elo0=5", "elo1=0"], 2, "such as elo0=0 elo1=10"),
        (["depth:2", "random", "--sprt", "elo0=5", "elo0=6"], 2, "such as elo0=0 elo1=10"),
        (["depth:2", "random", "--sprt", "5", "6"], 2, "is not a bound of the test"),
        (["depth:2", "random", "--processes", "2", "--scheduler", "tcp://a:1"], 2, "not both"),
        (["depth:2", "random", "--results", "/nowhere/r"], 1, "/nowhere/r cannot be written"),
        (["depth:2", "random", "--on-fault", "cry"], 2, "'cry' is not one of its values"),
    ],
)
def test_invalid_input_is_one_line_and_nothing_is_played(
    tmp_path: Path, words: list[str], code: int, message: str
) -> None:
    done = maxconnect4("match", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
