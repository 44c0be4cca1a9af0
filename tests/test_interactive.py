from __future__ import annotations

import os
import random
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest
from positions import CLASSIC_LATE, SAMPLE
from terminal import GREEN_WINS, PROGRAM, RED_WINS, Terminal, maxconnect4, maxconnect4_process, no_reader

from maxconnect4 import board_from_moves, read_board
from maxconnect4.board import GAMES
from maxconnect4.position_file import board_from_text


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "input1.txt").write_text("0000000\n" * 6 + "1\n")
    (tmp_path / "input2.txt").write_text(SAMPLE)
    return tmp_path


def moves(seed: int, count: int = 2000) -> str:
    """Columns at random: some will be full, and are asked for again."""
    rng = random.Random(seed)
    return "".join(f"{rng.randrange(1, 8)}\n" for _ in range(count))


@pytest.mark.parametrize("start", ["input1.txt", "input2.txt", "44535"])
@pytest.mark.parametrize("following", ["computer-next", "human-next", "computer-first", "human-first"])
@pytest.mark.parametrize("game", ["max", "classic"])
def test_a_whole_game_is_played_to_its_end(start: str, following: str, game: str) -> None:
    done = maxconnect4("interactive", start, following, "3", "--game", game, input=moves(1))
    assert (done.returncode, done.stderr) == (0, "")
    ends = ["The board is full: a draw", "The board is full: red wins", "The board is full: green wins"]
    ends += [RED_WINS, GREEN_WINS]
    assert sum(done.stdout.count(end) for end in ends) == 1
    last = max(("computer.txt", "human.txt"), key=lambda name: read_board(name, game).pieces())
    assert read_board(last, game).is_over()


@pytest.mark.parametrize("game", ["max", "classic"])
def test_a_level_plays_and_prints_its_description(game: str) -> None:
    done = maxconnect4("interactive", "--level", "2", "--game", game, input=moves(1))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Level 2, novice: Sees most ")
    assert read_board("computer.txt", game).pieces() > 4


def test_a_resumed_game_keeps_its_level() -> None:
    done = maxconnect4("interactive", "--level", "3", input="4\nq\n")
    assert re.search(r"  maxconnect4 interactive 4\d human-next --level 3\n$", done.stdout)


@pytest.mark.parametrize("words", [["--level", "0"], ["--level", "9"], ["4", "human-next", "8", "--level", "4"]])
def test_a_level_is_one_of_eight_and_goes_without_a_depth(words: list[str]) -> None:
    done = maxconnect4("interactive", *words)
    assert done.returncode == 2
    assert "--level" in done.stderr


def test_the_files_hold_the_position_after_each_side_has_moved() -> None:
    done = maxconnect4("interactive", "input1.txt", "computer-next", "4", input="3\n")
    assert done.returncode == 0
    assert read_board("human.txt").pieces() == 2
    assert read_board("computer.txt").pieces() == 3
    assert read_board("human.txt").cell(3, 1) == 2


def test_the_next_player_takes_the_side_to_move() -> None:
    assert "You are green X." in maxconnect4("interactive", "input1.txt", "computer-next", "1").stdout
    assert "You are red O." in maxconnect4("interactive", "input1.txt", "human-next", "1").stdout
    assert "You are red O." in maxconnect4("interactive", "4", "computer-next", "1").stdout
    assert "You are green X." in maxconnect4("interactive", "4", "human-next", "1").stdout


@pytest.mark.parametrize(
    ("words", "you", "plies"),
    [
        ("computer-next", "green X", 8),
        ("computer-first 3", "green X", 3),
        ("human-next 3", "red O", 3),
        ("4 3", "green X", 3),
        ("--game classic computer-next", "green X", 5),
    ],
)
def test_the_position_and_who_is_next_can_be_left_out(words: str, you: str, plies: int) -> None:
    done = maxconnect4("interactive", *words.split(), input="4\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"You are {you}.")
    assert f" s, depth {plies}, " in done.stdout


def test_a_file_with_the_name_of_who_is_next_is_a_file(here: Path) -> None:
    (here / "human-next").write_text(SAMPLE)
    maxconnect4("interactive", "human-next", input="4\n")
    assert read_board("human.txt").pieces() == 13


def test_a_game_with_an_unknown_beginning_cannot_be_reviewed() -> None:
    assert "review" not in maxconnect4("interactive", "input2.txt", "human-next", "2", input=moves(1)).stdout


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_is_over_can_be_reviewed_if_its_moves_are_known(game: str) -> None:
    start = "44535"
    done = maxconnect4("interactive", start, "human-next", "2", "--game", game, input=moves(1))
    command = done.stdout.splitlines()[-1].split()
    assert command[:2] == ["maxconnect4", "review"]
    assert command[3:] == ([] if game == "max" else ["--game", "classic"])
    assert command[2].startswith(start)
    assert board_from_moves(command[2], game).is_over()


def test_a_missing_file_means_the_empty_board_with_a_message() -> None:
    done = maxconnect4("interactive", "missing.txt", "human-next", "2", input="4\nq\n")
    assert done.returncode == 0
    assert done.stderr == "maxconnect4: missing.txt does not exist: starting from the empty board\n"
    assert read_board("computer.txt").pieces() == 2


def test_a_wrong_file_is_refused_and_nothing_is_written(here: Path) -> None:
    (here / "wrong.txt").write_text("0000000\n")
    done = maxconnect4("interactive", "wrong.txt", "human-next", "2")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "maxconnect4: wrong.txt, line 2: the file has 1 line instead of 7\n"
    assert not (here / "computer.txt").exists()


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("8", "There is no column 8: choose 1 to 7."),
        ("0", "There is no column 0: choose 1 to 7."),
        ("99999999999999999999", "'99999999999999999999' is not a column from 1 to 7: help lists the commands."),
        ("00000000000", "There is no column 0: choose 1 to 7."),
        ("abc", "'abc' is not a column from 1 to 7: help lists the commands."),
        ("", "Enter a column, or help."),
        ("-1", "'-1' is not a column"),
        ("4 4", "'4 4' is not a column"),
        ("x" * 10_000, "xxx...' is not a column"),
        ("\0\0", r"'\x00\x00' is not a column"),
        ("\u202e4", r"'\u202e4' is not a column"),
        ("é", "'é' is not a column"),
        ("٤", r"'\u0664' is not a column"),
        ("hlep", "'hlep' is not a column from 1 to 7: did you mean help?"),
        ("Undoo", "did you mean undo?"),
        ("save", "Enter the name of a file: save FILE."),
        ("save -", "Enter the name of a file: save FILE."),
        ("save\tmine.txt", "Saved in mine.txt."),
        ("save .", ". cannot be written: it is a folder."),
        ("save missing/x.txt", "missing/x.txt cannot be written: there is no folder "),
        ("save mine.txt", "Saved in mine.txt."),
        ("save 'two words.txt'", "Saved in two words.txt."),
        ('save "', 'Saved in ".'),
        ("save notes.txt", "notes.txt exists and is not a position file: choose another name."),
        ("undo", "You have no move to undo."),
        ("hint", "The computer would play column "),
        ("HELP", "save FILE   write the position to a file"),
        ("\x1b[A", "is not a column"),
    ],
)
def test_any_invalid_answer_gets_a_message_and_a_new_prompt(here: Path, typed: str, answer: str) -> None:
    (here / "notes.txt").write_text("precious")
    done = maxconnect4("interactive", "input1.txt", "human-next", "2", input=f"{typed}\n4\nq\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert answer in done.stdout
    assert done.stdout.count("Your move, red: ") == 3
    assert read_board("computer.txt").pieces() == 2
    assert (here / "notes.txt").read_text() == "precious"


def test_a_full_column_is_refused_and_asked_again() -> None:
    done = maxconnect4("interactive", "444444", "human-next", "2", input="4\n3\n")
    assert "Column 4 is full." in done.stdout
    assert read_board("human.txt").cell(3, 1) == 1


def test_bytes_that_are_no_text_do_no_harm() -> None:
    done = subprocess.run(
        [PROGRAM, "interactive", "input1.txt", "human-next", "2"], input=b"\xff\xfe\x80\n\xc3\n4\n", capture_output=True
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert read_board("computer.txt").pieces() == 2


def test_undo_takes_back_a_move_and_its_answer() -> None:
    done = maxconnect4("interactive", "input1.txt", "human-next", "3", input="1\nundo\nq\n")
    assert done.returncode == 0
    assert resumed_game(done.stdout) == ""
    done = maxconnect4("interactive", "input1.txt", "computer-next", "3", input="1\n2\nundo\nundo\nundo\nq\n")
    assert "You have no move to undo." in done.stdout
    assert len(resumed_game(done.stdout)) == 1
    done = maxconnect4("interactive", "44535", "human-next", "3", input="1\nundo\nundo\n1\nundo\n2\nq\n")
    assert "You have no move to undo." in done.stdout
    assert re.fullmatch(r"445352\d", resumed_game(done.stdout))


def resumed_game(output: str) -> str:
    """The moves in the command that resumes a game; "" without one."""
    found = re.search(r"^To resume it:\n  maxconnect4 interactive (\d+) (?:human|computer)-next", output, re.MULTILINE)
    return found[1] if found else ""


@pytest.mark.parametrize("typed", ["q\n", "", "undo\nhint\nq\n"])
@pytest.mark.parametrize("start", [["missing.txt"], ["computer.txt"], ["44"], []])
def test_quitting_before_a_move_writes_nothing(here: Path, start: list[str], typed: str) -> None:
    (here / "computer.txt").write_text(SAMPLE)
    done = maxconnect4("interactive", *start, "human-next", "3", input=typed)
    assert done.returncode == 0
    assert (here / "computer.txt").read_text() == SAMPLE
    assert not (here / "human.txt").exists()


def test_each_file_is_written_after_a_move_of_its_side_only(here: Path) -> None:
    (here / "computer.txt").write_text(SAMPLE)
    maxconnect4("interactive", "444444" * 6 + "33333", "human-next", "3", input="1\n")
    assert (here / "computer.txt").read_text() == SAMPLE
    maxconnect4("interactive", "44", "human-next", "0", input="1\nq\n")
    assert (read_board("human.txt").pieces(), read_board("computer.txt").pieces()) == (3, 4)


def test_ctrl_c_in_the_first_search_writes_nothing(here: Path) -> None:
    terminal = Terminal("interactive", "computer-next", "41", cwd=here)
    terminal.wait_for(" so far")
    terminal.type("\x03")
    assert terminal.close() == 130
    assert not {"computer.txt", "human.txt"} & set(os.listdir(here))


def test_a_game_from_a_file_is_resumed_from_a_file() -> None:
    for typed, source in (("q\n", "input2.txt"), ("4\nq\n", "computer.txt")):
        done = maxconnect4("interactive", "input2.txt", "human-next", "2", input=typed)
        assert done.stdout.endswith(f"  maxconnect4 interactive {source} human-next 2\n")
    done = maxconnect4("interactive", "input2.txt", "human-next", "2", input="4\n4\nundo\nq\n")
    tail = done.stdout.partition("The position in the format of a file:\n")[2]
    assert board_from_text(tail, "the screen").pieces() == 14


def test_a_resumed_game_can_be_reviewed_at_its_end() -> None:
    done = maxconnect4("interactive", "44535", "human-next", "1", input="1\n2\nq\n")
    command = done.stdout.splitlines()[-1].split()[1:]
    done = maxconnect4(*command, input=moves(1))
    assert re.search(rf"  maxconnect4 review {command[1]}\d+\n$", done.stdout)


def test_a_missing_folder_is_refused(here: Path) -> None:
    done = maxconnect4("interactive", "missing/input.txt", "human-next", "2", input="4\n")
    assert (done.returncode, done.stdout) == (3, "")
    assert not (here / "human.txt").exists()


def test_a_single_number_is_taken_as_a_move_string_with_a_warning() -> None:
    done = maxconnect4("interactive", "7", input="q\n")
    assert "maxconnect4 interactive human-next 7" in done.stderr
    assert resumed_game(done.stdout) == "7"
    assert maxconnect4("interactive", "7", "human-next", input="q\n").stderr == ""


@pytest.mark.parametrize("end", ["", "q\n", "quit\n", "Q\n"])
def test_the_end_of_input_and_q_end_the_game_politely(end: str) -> None:
    done = maxconnect4("interactive", "input1.txt", "human-next", "3", input="4\n" + end)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"Moves of the game: (4\d)\n.*\n  maxconnect4 interactive \1 human-next 3\n$", done.stdout)
    assert read_board("computer.txt").pieces() == 2


def test_ctrl_c_at_the_question_ends_the_game_politely(here: Path) -> None:
    terminal = Terminal("interactive", "input1.txt", "human-next", "3", cwd=here)
    terminal.wait_for("Your move, red: ")
    terminal.type("4\n")
    terminal.wait_for("Your move, red: ")
    terminal.type("\x03")
    assert terminal.close() == 130
    assert re.search(r"interactive 4\d human-next 3", terminal.screen)
    assert read_board("computer.txt").pieces() == 2


def test_ctrl_c_while_the_computer_thinks_keeps_the_persons_move(here: Path) -> None:
    with subprocess.Popen(
        [PROGRAM, "interactive", "1", "human-next", "perfect", "--game=classic", "--book=none"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("2\n")
        process.stdin.flush()
        while "human.txt" not in os.listdir(here):
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stdout.read().endswith(" interactive 12 computer-next perfect --game classic --book none\n")
    assert read_board("human.txt", "classic").moves is None
    assert read_board("human.txt", "classic").pieces() == 2


def test_a_folder_that_cannot_be_written_does_not_end_the_game(here: Path) -> None:
    (here / "computer.txt").mkdir()
    (here / "human.txt").mkdir()
    done = maxconnect4("interactive", "input1.txt", "human-next", "3", input="4\n3\nq\n")
    assert done.returncode == 0
    assert done.stderr == "maxconnect4: human.txt cannot be written: it is a folder\n"
    assert len(resumed_game(done.stdout)) == 4


def test_a_file_of_another_format_is_not_overwritten(here: Path) -> None:
    (here / "human.txt").write_text("About the human condition")
    done = maxconnect4("interactive", "input1.txt", "human-next", "3", input="4\n")
    assert done.returncode == 3
    assert done.stderr == (
        "maxconnect4: human.txt exists and is not a position file: choose another folder with --save-in\n"
    )
    assert (here / "human.txt").read_text() == "About the human condition"
    (here / "games").mkdir()
    done = maxconnect4("interactive", "input1.txt", "human-next", "3", "--save-in", "games", input="4\n")
    assert done.returncode == 0
    assert read_board("games/computer.txt").pieces() == 2
    assert maxconnect4("interactive", "--save-in", "missing").returncode == 2


@pytest.mark.parametrize("endless", ["yes abc", "yes ''", "cat /dev/zero", "yes 4", "yes save", "cat /dev/urandom"])
def test_endless_invalid_input_ends_the_game(endless: str) -> None:
    command = f"{endless} 2>/dev/null | {shlex.quote(PROGRAM)} interactive input1.txt human-next 1"
    done = subprocess.run(command, shell=True, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    ends = (b"No valid move in 1,000 lines.", b"The line is too long.", b"human-next 1")
    assert done.stdout.rstrip().endswith(ends)


def test_a_reader_who_leaves_ends_the_game() -> None:
    command = f"yes 4 2>/dev/null | {shlex.quote(PROGRAM)} interactive input1.txt human-next 1 | true"
    assert subprocess.run(command, shell=True, capture_output=True, timeout=60).stderr == b""
    with no_reader() as pipe:
        done = maxconnect4_process(
            "interactive", "44", "human-next", "1", input="4\n", stdout=pipe, stderr=subprocess.PIPE
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert not os.path.exists("computer.txt")


def test_closed_standard_input_is_the_end_of_input() -> None:
    done = subprocess.run(
        f"{shlex.quote(PROGRAM)} interactive 44 human-next 1 <&-", shell=True, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "End of input." in done.stdout


def test_a_position_from_standard_input_is_followed_by_the_moves() -> None:
    done = maxconnect4("interactive", "-", "human-next", "2", input=SAMPLE + "4\nq\n")
    assert done.returncode == 0
    assert read_board("computer.txt").pieces() == 14
    done = maxconnect4("interactive", "-", "human-next", "2", input="44535\n4\nq\n")
    assert done.returncode == 0
    assert read_board("computer.txt").pieces() == 7
    for text, pieces in (("1212122\n4\nq\n", 9), ("\ufeff" + SAMPLE + "4\nq\n", 14)):
        done = maxconnect4("interactive", "-", "human-next", "2", input=text)
        assert (done.returncode, done.stderr) == (0, "")
        assert read_board("computer.txt").pieces() == pieces
    assert resumed_game(maxconnect4("interactive", "-", "human-next", "2", input="1212122\n").stdout) == "1212122"
    assert maxconnect4("interactive", "-", "human-next", "2").stderr == "maxconnect4: standard input is empty\n"
    done = maxconnect4("interactive", "-", "human-next", "2", input="0000000\n" * 2)
    assert done.returncode == 3
    assert done.stderr == "maxconnect4: standard input, line 3: the file has 2 lines instead of 7\n"


def test_in_the_classic_game_the_person_is_o_and_moves_first() -> None:
    done = maxconnect4("interactive", "--game", "classic", input="1\nq\n")
    assert "You are red O." in done.stdout
    assert "depth 5" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["input1.txt", "nobody-next", "3"], "'nobody-next' is not a next player"),
        (["computer-next", "human-next"], "give the position first"),
        (["computer-next", "4", "8"], "give the position first"),
        (["44", "4", "human-next"], "'human-next' is not a depth"),
        (["input1.txt", "human-next", "x"], "'x' is not a depth"),
        (["a", "b", "3", "4"], "'b' is not a next player"),
    ],
)
def test_wrong_usage_is_one_line_and_code_2(words: list[str], message: str) -> None:
    done = maxconnect4("interactive", *words)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


@pytest.mark.parametrize(("late", "game"), [("454672752411266535461732", "max"), (CLASSIC_LATE, "classic")])
def test_perfect_plays_a_late_game_to_its_end_as_a_search_to_the_end_does(late: str, game: str) -> None:
    games = []
    for depth in ("perfect", "42"):
        words = ("interactive", late, "computer-next", depth, "--game", game)
        done = maxconnect4(*words, input="hint\n" + moves(3))
        assert (done.returncode, done.stderr) == (0, "")
        assert "The board is full: " in done.stdout or "has four in a row and wins." in done.stdout
        games.append([line for line in done.stdout.splitlines() if "drop" in line])
    assert games[0] == games[1]


def test_a_game_in_a_terminal(here: Path) -> None:
    terminal = Terminal("interactive", cwd=here)
    assert "You are red" in terminal.wait_for("Your move, red: ")
    terminal.type("help\n")
    terminal.wait_for("undo your last move")
    terminal.wait_for("Your move, red: ")
    terminal.type("4\n")
    assert "✕" in terminal.wait_for("Your move, red: ")
    terminal.type("\x04")
    assert terminal.close() == 0
    assert "End of input." in terminal.screen


def test_a_long_search_shows_in_a_terminal_how_far_it_is(here: Path) -> None:
    terminal = Terminal("interactive", "input1.txt", "computer-next", "41", cwd=here, COLUMNS="100")
    assert re.search(r"\d+ of 41 plies ahead, column \d so far", terminal.wait_for(" so far"))
    terminal.type("\x03")
    assert terminal.close() == 130
    assert "computer-next 41" not in terminal.screen  # there are no moves to resume


def test_a_terminal_edits_lines_and_has_a_history(here: Path) -> None:
    terminal = Terminal("interactive", "2", cwd=here)
    terminal.wait_for("Your move, ")
    terminal.type("33\x1b[D\x7f\n")  # left, backspace: the first 3 goes
    terminal.wait_for("Green plays column 3.")
    terminal.wait_for("Your move, ")
    terminal.type("\x1b[A\n")  # up: the 3 again
    terminal.wait_for("Green plays column 3.")
    terminal.type("q\n")
    assert terminal.close() == 0


def test_a_board_fits_20_columns(here: Path) -> None:
    terminal = Terminal("interactive", "112233", cwd=here, COLUMNS="20", NO_COLOR="1")
    board = terminal.wait_for("Your move, ")
    assert "| O O O . . . . |" in board
    assert "| X X[X]. . . . |" in board
    assert max(map(len, board.splitlines()[2:])) <= 20
    terminal.type("4\n")
    assert "| O*O*O[O]. . . |" in terminal.wait_for("Points: red O 1,")
    terminal.type("q\n")
    terminal.close()


def test_a_narrow_terminal_breaks_sentences_between_words(here: Path) -> None:
    terminal = Terminal("interactive", "--level", "2", cwd=here, COLUMNS="40")
    lines = terminal.wait_for("You are red").splitlines()[:-1]
    assert lines[0] == "Level 2, novice: Sees most of its fours"
    assert max(map(len, lines)) <= 40
    terminal.type("q\n")
    assert terminal.close() == 0
