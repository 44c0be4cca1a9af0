from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import time
from pathlib import Path

import pytest
from disks import small_disk
from positions import CLASSIC_LATE, FULL, SAMPLE
from terminal import PROGRAM, RED_WINS, Terminal, interrupted, maxconnect4, maxconnect4_process, no_reader

from maxconnect4 import EVALUATIONS, RED, analyse, board_from_moves, choose, read_board
from maxconnect4.position_file import board_as_text

HARD = ("one-move", "12", "output.txt", "perfect", "--game=classic", "--book=none")  # takes the solver some seconds


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "input1.txt").write_text("0000000\n" * 6 + "1\n")
    (tmp_path / "input2.txt").write_text(SAMPLE)
    return tmp_path


def test_one_move_from_a_file_to_a_file(here: Path) -> None:
    done = maxconnect4("one-move", "input2.txt", "output.txt", "6")
    assert (done.returncode, done.stderr) == (0, "")
    board = read_board("input2.txt")
    column = choose(board, 6).column
    board.drop(column)
    assert read_board("output.txt") == board
    assert done.stdout.count("Points: red O ") == 2
    assert f"Red plays column {column}." in done.stdout
    assert re.search(r"CPU time of the search: \d+\.\d{3} s, depth 6, [\d,]+ nodes\.\n$", done.stdout)
    assert done.stdout.isascii()


def test_the_input_may_be_the_output(here: Path) -> None:
    for pieces in range(13, 43):
        assert maxconnect4("one-move", "input2.txt", "input2.txt", "2").returncode == 0
        assert read_board("input2.txt").pieces() == pieces
    done = maxconnect4("one-move", "input2.txt", "never.txt", "2")
    assert done.returncode == 0
    assert "The board is full: " in done.stdout
    assert not (here / "never.txt").exists()


def test_a_full_board_leaves_an_old_output_untouched(here: Path) -> None:
    full = board_as_text(board_from_moves(FULL))
    (here / "full.txt").write_text(full)
    (here / "old.txt").write_text("old")
    done = maxconnect4("one-move", "full.txt", "old.txt", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The board is full: a draw, 12 to 12." in done.stdout
    assert (here / "old.txt").read_text() == "old"


def test_the_player_is_the_one_that_the_file_names(here: Path) -> None:
    (here / "green.txt").write_text(board_as_text(board_from_moves("4")))
    done = maxconnect4("one-move", "green.txt", "output.txt", "3")
    assert "Green plays column" in done.stdout
    assert read_board("output.txt").to_move == RED


def test_positions_come_from_files_move_strings_and_standard_input(here: Path) -> None:
    for word, typed in (("input2.txt", ""), ("-", SAMPLE), ("-", SAMPLE.replace("\n", "\r\n"))):
        assert maxconnect4("one-move", word, "a.txt", "4", input=typed).returncode == 0
        assert read_board("a.txt").pieces() == 13
    for word, typed in (("44535", ""), ("-", "44535\n")):
        assert maxconnect4("one-move", word, "b.txt", "4", input=typed).returncode == 0
        assert read_board("b.txt").pieces() == 6


def test_a_dash_as_output_makes_a_pipe_of_it(here: Path) -> None:
    done = maxconnect4("one-move", "-", "-", "4", input=SAMPLE)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 7
    assert done.stdout.endswith("\n2\n")
    assert "Red plays column" in done.stderr
    assert not (here / "-").exists()


def test_json_is_one_line(here: Path) -> None:
    done = maxconnect4("one-move", "input2.txt", "output.txt", "5", "--json")
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1
    facts = json.loads(done.stdout)
    choice = choose(read_board("input2.txt"), 5, scores=True)
    assert [facts[key] for key in ("move", "value", "depth", "nodes", "scores")] == [
        choice.column,
        choice.value,
        5,
        choice.nodes,
        choice.scores,
    ]
    assert 0 <= facts["cpu_seconds"] < 10
    assert read_board("output.txt").drops == ()
    assert json.loads(maxconnect4("one-move", FULL, "x", "5", "--json").stdout)["move"] is None
    assert not (here / "x").exists()


def test_stats_are_a_line_of_json_on_standard_error(here: Path) -> None:
    done = maxconnect4("one-move", "input2.txt", "output.txt", "5", "--stats")
    assert done.returncode == 0
    stats = json.loads(done.stderr)
    choice = choose(read_board("input2.txt"), 5)
    assert (stats["version"], stats["source"], stats["depth"], stats["nodes"]) == (1, "search", 5, choice.nodes)
    assert 0 <= stats["cpu_seconds"] < 10
    without = maxconnect4("one-move", "input2.txt", "again.txt", "5")
    assert (here / "again.txt").read_text() == (here / "output.txt").read_text()
    assert without.stderr == ""


def test_stats_of_a_book_move_name_the_book(here: Path) -> None:
    stats = json.loads(maxconnect4("one-move", "4453", "output.txt", "perfect", "--stats").stderr)
    assert (stats["source"], stats["nodes"]) == ("book", 0)


@pytest.mark.parametrize("evaluation", EVALUATIONS)
def test_each_evaluation_can_be_chosen(here: Path, evaluation: str) -> None:
    for game in ("max", "classic"):
        done = maxconnect4("one-move", "44535", "output.txt", "5", "--eval", evaluation, "--game", game)
        assert done.returncode == 0
        board = board_from_moves("44535", game)
        board.drop(choose(board, 5, evaluation=evaluation).column)
        assert read_board("output.txt", game) == board


def test_the_classic_game_takes_the_win_and_ends(here: Path) -> None:
    done = maxconnect4("one-move", "121212", "output.txt", "--game", "classic")
    assert "Red plays column 1." in done.stdout
    assert RED_WINS in done.stdout
    again = maxconnect4("one-move", "output.txt", "never.txt", "--game", "classic")
    assert again.returncode == 0
    assert RED_WINS in again.stdout
    assert not (here / "never.txt").exists()


def test_depth_0_takes_the_column_nearest_the_centre(here: Path) -> None:
    done = maxconnect4("one-move", "444444", "output.txt", "0")
    assert "Red plays column 3." in done.stdout
    assert re.search(r"CPU time of the search: \d\.\d{3} s\.\n$", done.stdout)
    facts = json.loads(maxconnect4("one-move", "444444", "output.txt", "0", "--json").stdout)
    assert (facts["move"], facts["value"], facts["scores"]) == (3, None, [None] * 7)


def test_time_instead_of_depth(here: Path) -> None:
    start = time.monotonic()
    done = maxconnect4("one-move", "input1.txt", "output.txt", "--time", "0.2")
    assert done.returncode == 0
    assert 0.15 < time.monotonic() - start < 10


def test_perfect_and_deep_enough_are_the_same(here: Path) -> None:
    late = "454672752411266535461732441315"
    for depth in ("perfect", "12", "99", "00000099", "1" * 500):
        done = maxconnect4("one-move", late, "output.txt", depth, "--json")
        facts = json.loads(done.stdout)
        assert (facts["move"], facts["value"], facts["exact"]) == (5, -3, True)
        assert facts["scores"] == [-4, -4, -4, None, -3, -4, -5]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["missing.txt", "out.txt", "3", "--strict"], 3, "missing.txt: there is no such file"),
        (["missing/in.txt", "out.txt", "3"], 3, "missing/in.txt: there is no folder missing\n"),
        (["empty.txt", "out.txt", "3"], 3, "empty.txt is empty"),
        ([".", "out.txt", "3"], 3, ". is a folder, not a position file"),
        (["/dev/zero", "out.txt", "3"], 3, "/dev/zero is too large"),
        (["/proc/self/mem", "out.txt", "3"], 3, "/proc/self/mem cannot be read"),
        (["-", "out.txt", "3"], 3, "standard input is empty"),
        (["", "out.txt", "3"], 3, "'': there is no such file"),
        (["a\nb\x1b", "out.txt", "3", "--strict"], 3, r"'a\nb\x1b': there is no such file"),
        (["448", "out.txt", "3"], 3, "move 3 of '448': there is no column 8"),
        (["12121213", "out.txt", "--game", "classic"], 3, "move 8 of '12121213': the game is over"),
        (["input1.txt", "out.txt", "-1"], 2, "'-1' is not a depth"),
        (["input1.txt", "out.txt", "x"], 2, "'x' is not a depth"),
        (["input1.txt", "out.txt", "1.5"], 2, "'1.5' is not a depth"),
        (["input1.txt", "out.txt", ""], 2, "'' is not a depth"),
        (["input1.txt", "out.txt", "٣"], 2, "is not a depth"),
        (["input1.txt", "out.txt", "3", "--time", "1"], 2, "give a depth or --time, not both"),
        (["input1.txt", "out.txt", "--time", "0"], 2, "'0' is not a time"),
        (["input1.txt", "out.txt", "--time", "nan"], 2, "'nan' is not a time"),
        (["input1.txt", "out.txt", "3", "--eval", "magic"], 2, "'magic' is not one of its values"),
        (["input1.txt", "out.txt", "3", "--game", "chess"], 2, "'chess' is not one of its values"),
        (["input1.txt", "out.txt", "3", "4"], 2, "unexpected argument '4'"),
        (["input1.txt", "out.txt", "3", "--what"], 2, "there is no option '--what'"),
        (["input1.txt"], 2, "output_file is missing"),
        ([], 2, "input_file and output_file are missing"),
        (["input1.txt", "-", "3", "--json"], 2, "both use standard output"),
        (["input1.txt", "", "3"], 1, "'' cannot be written"),
        (["--strict", "--", "-x", "out.txt", "3"], 3, "-x: there is no such file"),
        (["input1.txt", ".", "3"], 1, ". cannot be written: it is a folder"),
        (["input1.txt", "missing/out.txt", "3"], 1, "missing/out.txt cannot be written: there is no folder"),
        (["input1.txt", "/dev/full", "3"], 1, "/dev/full cannot be written: no space left on device"),
        (["input1.txt", "/proc/out.txt", "3"], 1, "/proc/out.txt cannot be written"),
    ],
)
def test_bad_input_is_one_line_and_an_exit_status(here: Path, words: list[str], code: int, message: str) -> None:
    (here / "empty.txt").write_text("")
    before = sorted(os.listdir(here))
    done = maxconnect4("one-move", *words)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert sorted(os.listdir(here)) == before


def test_a_missing_input_file_means_the_empty_board_with_a_warning(here: Path) -> None:
    done = maxconnect4("one-move", "missing.txt", "output.txt", "3")
    assert done.returncode == 0
    assert done.stderr == "maxconnect4: missing.txt does not exist: starting from the empty board\n"
    assert read_board("output.txt").pieces() == 1
    done = maxconnect4("one-move", "a\nb\x1b", "output.txt", "3")
    assert done.returncode == 0
    assert done.stderr.removesuffix("\n").isprintable()


@pytest.mark.parametrize("level", ["1", "5", "8"])
def test_a_level_makes_a_move_without_reporting_a_search_that_it_does_not_do(here: Path, level: str) -> None:
    done = maxconnect4("one-move", "input2.txt", "output.txt", "--level", level)
    assert done.returncode == 0
    assert " 0 nodes" not in done.stdout
    assert " 0 plies" not in done.stdout
    assert read_board("output.txt").pieces() == 13


def test_a_small_full_disk_loses_nothing(here: Path) -> None:
    with small_disk(here / "disk", "4k") as disk:
        (disk / "out.txt").write_text(SAMPLE)
        done = maxconnect4("one-move", "input1.txt", disk / "out.txt", "3")
        assert done.returncode == 1
        assert "out.txt cannot be written: no space left on device" in done.stderr
        assert (disk / "out.txt").read_text() == SAMPLE
        assert os.listdir(disk) == ["out.txt"]
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        done = maxconnect4("one-move", "input1.txt", disk / "out.txt", "3")
        assert done.returncode == 1
        assert "out.txt cannot be written: read-only file system" in done.stderr
        assert (disk / "out.txt").read_text() == SAMPLE


def test_a_reader_who_leaves_does_not_cost_the_move(here: Path) -> None:
    with no_reader() as pipe:
        done = maxconnect4_process("one-move", "input1.txt", "output.txt", "3", stdout=pipe, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, "")
    assert read_board("output.txt").pieces() == 1


def test_a_full_disk_under_standard_output_is_an_error(here: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = maxconnect4_process("one-move", "input1.txt", "output.txt", "3", stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr == "maxconnect4: standard output cannot be written: no space left on device\n"
    assert read_board("output.txt").pieces() == 1


def test_the_output_may_be_a_pipe(here: Path) -> None:
    command = f"{shlex.quote(PROGRAM)} one-move input1.txt /dev/stdout 3 | cat"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.stderr == ""
    assert "\n2\nCPU time" in done.stdout


def test_an_error_does_not_go_to_standard_output(here: Path) -> None:
    command = f"{shlex.quote(PROGRAM)} one-move missing.txt out.txt 3 --strict 2>&-"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (3, "")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_standard_streams_do_no_harm(here: Path, closed: str) -> None:
    done = subprocess.run(
        f"{shlex.quote(PROGRAM)} one-move input1.txt output.txt 3 {closed}", shell=True, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert read_board("output.txt").pieces() == 1


def test_ctrl_c_ends_it_with_130_and_nothing_written(here: Path) -> None:
    done = interrupted(*HARD, after="1   2   3")
    assert done == (130, "maxconnect4: interrupted\n")
    assert not (here / "output.txt").exists()


def test_a_terminal_shows_how_far_perfect_is(here: Path) -> None:
    terminal = Terminal(*HARD, cwd=here)
    terminal.wait_for("million/s")
    terminal.type("\x03")
    assert terminal.close() == 130, terminal.screen
    assert not (here / "output.txt").exists()


@pytest.mark.parametrize("moves", ["121212", "4455", CLASSIC_LATE, "44444432"])
@pytest.mark.parametrize("depth", ["3", "7", "99"])
def test_exact_classic_values_are_the_scores_of_the_solver(here: Path, moves: str, depth: str) -> None:
    result = json.loads(maxconnect4("one-move", moves, "output.txt", depth, "--game", "classic", "--json").stdout)
    perfect = analyse(board_from_moves(moves, "classic"), line=False)
    assert perfect.scores is not None
    if result["exact"]:
        assert result["value"] == perfect.value
        pairs = zip(result["scores"], perfect.scores, strict=True)
        assert all(found in (None, score) for found, score in pairs)
    if depth == "99":
        assert result["scores"] == perfect.scores


def test_perfect_in_the_classic_game_takes_the_win(here: Path) -> None:
    done = maxconnect4("one-move", "121212", "output.txt", "perfect", "--game", "classic")
    assert RED_WINS in done.stdout
    done = maxconnect4("one-move", CLASSIC_LATE, "output.txt", "perfect", "--game", "classic", "--json")
    facts = json.loads(done.stdout)
    assert (facts["move"], facts["value"], facts["exact"]) == (5, -3, True)  # green's last piece but two
    assert facts["scores"] == [-4, -4, -4, None, -3, -4, -3]


def test_a_terminal_gets_shapes_and_colours_unless_no_color_is_set(here: Path) -> None:
    coloured = Terminal("one-move", "input2.txt", "output.txt", "3", cwd=here)
    assert coloured.close() == 0
    assert "\x1b[31m●\x1b[0m" in coloured.screen
    assert "✕" in coloured.screen
    plain = Terminal("one-move", "input2.txt", "output.txt", "3", cwd=here, NO_COLOR="1")
    assert plain.close() == 0
    assert plain.screen.isascii()
    assert "\x1b" not in plain.screen


@pytest.mark.parametrize(
    ("environment", "has_colour"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        ({"FORCE_COLOR": ""}, False),
        ({"CLICOLOR_FORCE": "0"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colours_can_be_forced_in_a_pipe(here: Path, environment: dict[str, str], has_colour: bool) -> None:
    done = maxconnect4("one-move", "input2.txt", "output.txt", "3", env=environment)
    assert ("\x1b[31m●\x1b[0m" in done.stdout) == has_colour
    assert done.stdout.isascii() != has_colour
    assert "\x1b" not in Path("output.txt").read_text()


def test_the_last_drop_is_in_brackets_and_fours_have_stars(here: Path) -> None:
    done = maxconnect4("one-move", "112233", "output.txt", "1")
    before, _, after = done.stdout.partition("Red plays column 4 and scores 1 point.")
    assert "| X   X  [X]  .   .   .   .  |" in before
    assert "| O * O * O *[O]* .   .   .  |" in after
    assert "[X]" not in after


def test_a_search_for_some_time_shows_no_depth_to_come(here: Path) -> None:
    terminal = Terminal("one-move", "44", "out.txt", "--time", "1.6", cwd=here)
    shown = terminal.wait_for(" so far, ")
    assert "plies ahead" in shown
    assert " of " not in shown
    terminal.wait_for("Red plays column")
    assert terminal.close() == 0
