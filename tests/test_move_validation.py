from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import boards

from maxconnect4 import Board, board_from_moves
from maxconnect4.position_file import board_as_text
from maxconnect4.referee.move_validation import COSMETIC, FAULTS, NOTES, TIME_OUTS, validate_move

BOARD = board_from_moves("44535")


@given(st.one_of(st.binary(), st.from_regex(rb"\A([0-2]{7}[ \t]*\r{0,2}\n?){5,8}.?\Z")))
def test_any_bytes_can_be_judged(output: bytes) -> None:
    verdict = validate_move(BOARD, output)
    assert (verdict.column is None) == (verdict.fault in FAULTS)
    assert set(verdict.notes) <= set(NOTES)


@given(boards(), st.integers(0, 41), st.sampled_from("012"), st.integers(1, 7))
def test_only_the_position_after_a_legal_drop_is_a_move(board: Board, cell: int, digit: str, column: int) -> None:
    after = board.copy()
    if column in board.columns():
        after.drop(column)
    rows = "".join(board_as_text(after).split()[:6])
    rows = rows[:cell] + digit + rows[cell + 1 :]
    output = "".join(rows[start : start + 7] + "\n" for start in range(0, 42, 7))
    legal = {}
    for each in board.columns():
        legal_after = board.copy()
        legal_after.drop(each)
        legal["\n".join(board_as_text(legal_after).split()[:6]) + "\n"] = each
    assert validate_move(board, output.encode()).column == legal.get(output)


AFTER = """\
0000000
0000000
0000000
0000000
0002100
0021120
1
"""  # BOARD is 44535, and green has dropped into column 6


@pytest.mark.parametrize(
    ("output", "notes"),
    [
        (AFTER, []),
        (AFTER.replace("\n", "\r\n"), ["line ends"]),
        (AFTER.replace("\n", "\r\r\n"), ["line ends"]),
        (AFTER.replace("\n", "\r"), ["line ends"]),
        (AFTER.removesuffix("\n"), ["no last newline"]),
        (AFTER.removesuffix("1\n"), ["next player"]),
        (AFTER.removesuffix("\n1\n"), ["no last newline", "next player"]),
        (AFTER.replace("\n1\n", "\n2\n"), ["next player"]),
        (AFTER.replace("\n1\n", "\n1x\n"), ["next player"]),
        (AFTER.replace("\n1\n", "\n 1\n"), []),
        (AFTER + "2 points\n", ["extra lines"]),
        (AFTER + "\n2 points\n", ["extra lines"]),
        (AFTER + "\n", ["blanks"]),
        (AFTER + " ", ["no last newline", "blanks"]),
        (AFTER.replace("0\n", "0 \n"), ["blanks"]),
        (AFTER.replace("1\n", "1\t\n"), ["blanks"]),
        ("\ufeff" + AFTER, ["byte order mark"]),
    ],
)
def test_the_move_is_found_however_the_output_is_written(output: str, notes: list[str]) -> None:
    verdict = validate_move(BOARD, output.encode())
    assert (verdict.column, verdict.fault, verdict.detail, list(verdict.notes)) == (6, None, "", notes)


BEFORE = board_as_text(BOARD)


@pytest.mark.parametrize(
    ("output", "fault", "detail"),
    [
        (BEFORE, "unchanged board", "the output is the input position, without a move"),
        ("", "malformed output", "the output is empty"),
        (AFTER[:32], "malformed output", "the output, line 5: the file has 4 lines instead of 7"),
        ("x" + AFTER, "malformed output", "the output, line 1: 'x' is not 0, 1 or 2"),
        (AFTER.replace("0002100", "0002100x"), "malformed output", "the output, line 5: 'x' is not 0, 1 or 2"),
        (AFTER.replace("0002100", "00021000"), "malformed output", "the output, line 5: 8 digits instead of 7"),
        (AFTER.replace("0021120", "1021220"), "changed board", "the red piece in column 5, row 1 became green"),
        (BEFORE.replace("0002", "0000"), "changed board", "the green piece in column 4, row 2 was removed"),
        (
            BEFORE.replace("00211", "22211"),
            "illegal move",
            "2 pieces were added instead of one: green in column 1, row 1, green in column 2, row 1",
        ),
        (
            BEFORE.replace("0021100", "1221122"),
            "illegal move",
            "4 pieces were added instead of one: red in column 1, row 1, green in column 2, row 1, "
            "green in column 6, row 1, green in column 7, row 1",
        ),
        (
            AFTER.replace("0021120", "1221122").replace("0002100", "1002100"),
            "illegal move",
            "5 pieces were added instead of one: red in column 1, row 1, red in column 1, row 2, "
            "green in column 2, row 1, green in column 6, row 1, ...",
        ),
        (
            AFTER.replace("120", "110"),
            "illegal move",
            "a red piece was added in column 6, row 1, but green was to move",
        ),
        (
            BEFORE.replace("0002", "2002"),
            "illegal move",
            "the piece in column 1 is in row 2: the lowest empty cell of that column is row 1",
        ),
    ],
)
def test_a_fault_is_named_with_what_is_wrong(output: str, fault: str, detail: str) -> None:
    verdict = validate_move(BOARD, output.encode())
    assert (verdict.column, verdict.fault, verdict.detail, verdict.notes) == (None, fault, detail, ())


def test_another_size_of_board_is_judged_by_its_own() -> None:
    board = board_from_moves("1", size=(4, 5))
    assert validate_move(board, b"0000\n0000\n0000\n0000\n1002\n1\n").column == 4
    malformed = validate_move(board, AFTER.encode())
    assert malformed.detail == "the output, line 7: the file has 7 lines instead of 6"


def test_faults_and_notes_that_have_something_in_common_are_such() -> None:
    assert set(TIME_OUTS) <= set(FAULTS)
    assert set(NOTES) >= COSMETIC
