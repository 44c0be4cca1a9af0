from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from positions import boards

from maxconnect4 import Board, board_from_moves
from maxconnect4.files import board_as_text
from maxconnect4.referee.faults import FAULTS, NOTES
from maxconnect4.referee.programs.judging import judge

BOARD = board_from_moves("44535")


@given(st.one_of(st.binary(), st.from_regex(rb"\A([0-2]{7}[ \t]*\r{0,2}\n?){5,8}.?\Z")))
def test_any_bytes_can_be_judged(output: bytes) -> None:
    verdict = judge(BOARD, output)
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
    assert judge(board, output.encode()).column == legal.get(output)
