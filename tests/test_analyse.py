from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from positions import FULL, exact_positions
from terminal import PROGRAM, RED_WINS, Terminal, interrupted, maxconnect4, maxconnect4_process, no_reader

from maxconnect4 import RED, board_from_moves
from maxconnect4.position_file import board_as_text

LATE = "454672752411266535461732441315"  # 30 plies
CLASSIC = "345172625527175777"  # 18 plies, red wins with piece 37
NEXT = "4615274452"  # red has three in a row
KEYS = ["version", "game", "size", "moves", "to_move", "over", "points", "value", "scores", "best", "pv"]
KEYS += ["nodes", "cpu_seconds", "seconds", "source"]
EXACT = [(moves, value, scores) for moves, value, scores in exact_positions() if 24 <= len(moves) < 42]


def test_the_board_the_margins_the_results_and_a_best_line_are_printed() -> None:
    done = maxconnect4("analyse", LATE)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Points: red O " in done.stdout
    assert "Red to move. With perfect play green wins by 3." in done.stdout
    assert "column     1     2     3     4     5     6     7\n" in done.stdout
    assert "margin    -4    -4    -4  full    -3    -4    -5\n" in done.stdout
    assert "result  loss  loss  loss        loss  loss  loss\n" in done.stdout
    assert "Best: column 5.\nBest line: 5" in done.stdout
    assert done.stdout.isascii()


def test_json_has_the_facts_and_the_line_leads_to_the_value() -> None:
    done = maxconnect4("analyze", LATE, "--json", "--memory", "64M", "--threads", "1")
    assert done.stdout.count("\n") == 1
    facts = json.loads(done.stdout)
    assert list(facts) == KEYS
    board = board_from_moves(LATE)
    assert (facts["game"], facts["moves"], facts["to_move"], facts["source"]) == ("max", LATE, 1, "search")
    assert facts["points"] == [board.points(1), board.points(2)]
    assert (facts["value"], facts["scores"], facts["best"]) == (-3, [-4, -4, -4, None, -3, -4, -5], [5])
    end = board_from_moves(LATE + facts["pv"])
    assert end.is_over()
    assert end.margin() == -3


def test_a_position_comes_from_a_file_or_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "late.txt"
    path.write_text(board_as_text(board_from_moves(LATE)))
    facts = json.loads(maxconnect4("analyse", path, "--json").stdout)
    assert (facts["moves"], facts["value"]) == (None, -3)
    assert json.loads(maxconnect4("analyse", "-", "--json", input=LATE + "\n").stdout)["value"] == -3


def test_the_classic_game_has_the_winner_and_the_ply_of_the_win() -> None:
    done = maxconnect4("analyse", CLASSIC, "--game", "classic")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Red to move. With perfect play red wins in 10 moves: score +3." in done.stdout
    assert "score       +2    +2    +2     0    +1    +3  full\n" in done.stdout
    assert "result     win   win   win  draw   win   win\n" in done.stdout
    assert "in moves    11    11    11          12    10\n" in done.stdout
    assert "Best: column 6." in done.stdout
    assert (
        "red wins with its next move: score +16" in maxconnect4("analyse", NEXT, "--game", "classic", "--value").stdout
    )
    lost = maxconnect4("analyse", NEXT + "1", "--game", "classic", "--value").stdout
    assert "Green to move. With perfect play red wins in 2 moves: score -14." in lost
    assert RED_WINS in maxconnect4("analyse", NEXT + "3", "--game", "classic").stdout


def test_classic_json_has_the_pieces_at_the_end_and_the_pv_ends_there(tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text(board_as_text(board_from_moves(CLASSIC)))
    facts = json.loads(maxconnect4("analyse", path, "--json", "--game", "classic").stdout)
    assert list(facts) == [*KEYS, "pieces_at_end"]
    assert (facts["game"], facts["value"], facts["best"]) == ("classic", 3, [6])
    end = board_from_moves(CLASSIC + facts["pv"], "classic")
    assert (end.is_over(), end.winner()) == (True, RED)
    assert facts["pieces_at_end"] == end.pieces() == 37
    over, drawn = (
        json.loads(maxconnect4("analyse", moves, "--json", "--value", "--game", "classic").stdout)
        for moves in (NEXT + "3", CLASSIC + "4")
    )
    assert (over["value"], over["pieces_at_end"]) == (-16, 11)
    assert (drawn["value"], drawn["pieces_at_end"]) == (0, 42)


def test_a_batch_of_classic_games_gives_a_line_for_each() -> None:
    lines = f"{CLASSIC}\n12121213\n{NEXT}\n"
    done = maxconnect4("analyse", "--batch", "-", "--game", "classic", "--value", input=lines)
    assert done.returncode == 3
    first, second, third = map(json.loads, done.stdout.splitlines())
    assert (first["value"], second["line_number"], third["value"]) == (3, 2, 16)


def test_value_leaves_the_rest_out() -> None:
    facts = json.loads(maxconnect4("analyse", LATE, "--value", "--json").stdout)
    assert (facts["value"], facts["scores"], facts["best"], facts["pv"]) == (-3, None, None, None)
    assert "column" not in maxconnect4("analyse", LATE, "--value").stdout


def test_a_full_board_has_a_value_and_no_columns() -> None:
    facts = json.loads(maxconnect4("analyse", FULL, "--json").stdout)
    assert (facts["value"], facts["scores"], facts["best"], facts["pv"]) == (0, [None] * 7, [], "")
    assert "The board is full: a draw, 12 to 12." in maxconnect4("analyse", FULL).stdout


def test_other_sizes_and_the_empty_board() -> None:
    facts = json.loads(maxconnect4("analyse", "--size", "5x4", "--json").stdout)
    assert (facts["moves"], facts["value"], len(facts["scores"]), len(facts["pv"])) == ("", 0, 5, 20)
    assert json.loads(maxconnect4("analyse", "5555", "--size=5x4", "--json").stdout)["scores"][4] is None


def test_a_batch_keeps_the_order_and_loses_nothing_to_a_bad_line(tmp_path: Path) -> None:
    lines = [moves for moves, _, _ in EXACT[:6]]
    lines.insert(2, "44x")
    lines.insert(4, "9" * 3000)
    (tmp_path / "batch.txt").write_text("\r\n".join(lines))
    done = maxconnect4("analyse", "--batch", tmp_path / "batch.txt")
    assert done.returncode == 3
    assert "2 of 8 lines" in done.stderr
    assert done.stderr.count("\n") == 1
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [facts.get("line_number") for facts in found] == [None, None, 3, None, 5, None, None, None]
    assert "'44x' is not a move string" in found[2]["error"]
    good = [facts for facts in found if "error" not in facts]
    assert [(facts["moves"], facts["value"], facts["scores"]) for facts in good] == EXACT[:6]


def test_an_empty_line_of_a_batch_is_the_empty_board() -> None:
    done = maxconnect4("analyse", "--batch", "-", "--value", "--size", "4x4", input="\n4\n")
    assert done.returncode == 0
    assert [json.loads(line)["moves"] for line in done.stdout.splitlines()] == ["", "4"]


def test_a_batch_answers_each_line_at_once() -> None:
    command = [PROGRAM, "analyse", "--batch", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for moves, value, _ in EXACT[:3]:
            process.stdin.write(moves + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["value"] == value
        process.stdin.close()
        assert process.wait(60) == 0


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ([LATE, "--memory", "nonsense"], 2, "'nonsense' is not an amount of memory"),
        ([LATE, "--memory", "-1"], 2, "'-1' is not an amount of memory"),
        ([LATE, "--memory", "G"], 2, "'G' is not an amount of memory"),
        ([LATE, "--memory", "5T"], 2, "'5T' is not an amount of memory"),
        ([LATE, "--memory", "900000G"], 2, "'900000G' is more than the memory of this machine"),
        ([LATE, "--memory", "1K", "--json"], 1, "a table of 1K is too small for a board of 7x6: it takes at least 4K"),
        ([LATE, "--threads", "0"], 2, "'0' is not a number of threads"),
        ([LATE, "--threads", "many"], 2, "'many' is not a number of threads"),
        ([LATE, "--size", "3x4"], 2, "'3x4' is not a size that can be solved"),
        ([LATE, "--size", "8x8"], 2, "'8x8' is not a size that can be solved"),
        ([LATE, "--size", "10x4"], 2, "'10x4' has more than the 9 columns that a move string can name"),
        ([LATE, "--batch", "x"], 2, "give a position or --batch, not both"),
        (["12121213", "--game", "classic"], 3, "move 8 of '12121213': the game is over"),
        (["--batch", "missing.txt"], 3, "missing.txt: there is no such file"),
        (["--batch", "."], 3, ". cannot be read: is a directory"),
        (["--batch", "/proc/self/mem"], 3, "cannot be read"),
        (["--batch", "/dev/zero"], 3, "/dev/zero has a line of more than 16,777,216 bytes"),
        (["missing.txt"], 3, "missing.txt: there is no such file"),
        (["448"], 3, "move 3 of '448': there is no column 8"),
    ],
)
def test_bad_input_is_one_line_and_an_exit_status(words: list[str], code: int, message: str) -> None:
    done = maxconnect4("analyse", *words)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_ctrl_c_ends_it_with_130_and_one_line() -> None:
    done = interrupted("analyse", "--game", "classic", "--threads", "1", "--book", "none", after="1   2   3")
    assert done == (130, "maxconnect4: interrupted\n")


@pytest.mark.parametrize(("game", "word"), [("max", "margin"), ("classic", "score")])
def test_a_terminal_shows_the_bounds_closing_in_and_they_go_away_on_ctrl_c(game: str, word: str) -> None:
    terminal = Terminal("analyse", "17", "--game", game, "--threads", "1", "--book", "none", COLUMNS="100")
    terminal.wait_for(word)
    terminal.wait_for("nodes, ")
    terminal.wait_for("million/s")
    terminal.type("\x03")
    assert terminal.close() == 130
    assert "\x1b[2K" in terminal.screen, "the lines are erased"
    assert "\x1b[?25h" in terminal.screen, "the cursor is back"
    assert terminal.screen.count("maxconnect4: interrupted") == 1


def test_a_batch_in_a_terminal_has_a_bar_and_whole_lines(tmp_path: Path) -> None:
    (tmp_path / "batch.txt").write_text("".join(moves + "\n" for moves, _, _ in EXACT[:3]))
    terminal = Terminal("analyse", "--batch", tmp_path / "batch.txt")
    assert terminal.close() == 0
    assert "position 1" in terminal.screen
    assert terminal.screen.count('"source": "search"}\r\n') == 3
    quiet = maxconnect4("analyse", "--batch", tmp_path / "batch.txt")
    assert quiet.stderr == ""


def test_a_reader_who_leaves_ends_a_batch() -> None:
    lines = "".join(moves + "\n" for moves, _, _ in EXACT)
    with no_reader() as pipe:
        done = maxconnect4_process("analyse", "--batch", "-", input=lines, stdout=pipe, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_reason_of_every_column_is_printed() -> None:
    moves = "747413544773435252"
    done = maxconnect4("analyse", moves, "--reasons")
    assert done.returncode == 0, done.stderr
    facts = json.loads(maxconnect4("analyse", moves, "--reasons", "--json").stdout)
    assert [reason and reason["column"] for reason in facts["reasons"]] == [
        None if score is None else column for column, score in enumerate(facts["scores"], start=1)
    ]
    assert {
        reason["better"] is None for reason in facts["reasons"] if reason and reason["column"] in facts["best"]
    } == {True}
    assert "\n1, 2, 3, 4, 6, 7: Column 5 " in done.stdout
    assert maxconnect4("analyse", moves, "--reasons", "--value").returncode == 2
