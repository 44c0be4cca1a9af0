from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import FULL, boards, known_counts

from maxconnect4 import GREEN, RED, BadPosition, Board, IllegalMove, board_from_moves


def test_there_are_69_lines_of_four() -> None:
    assert len(Board().windows()) == len(set(Board().windows())) == 69


def test_red_moves_first_and_they_take_turns() -> None:
    board = Board()
    players = []
    for column in (4, 4, 3):
        players.append(board.to_move)
        board.drop(column)
    assert players == [RED, GREEN, RED]


def test_a_piece_falls_to_the_lowest_empty_cell() -> None:
    assert str(board_from_moves("443")) == "\n".join([".......", ".......", ".......", ".......", "...2...", "..11..."])


def test_a_full_column_is_refused() -> None:
    board = board_from_moves("444444")
    assert board.columns() == [1, 2, 3, 5, 6, 7]
    with pytest.raises(IllegalMove, match="^column 4 is full$"):
        board.drop(4)
    assert board.pieces() == 6


@pytest.mark.parametrize("column", [0, 8, -1, 100])
def test_a_column_off_the_board_is_refused(column: int) -> None:
    with pytest.raises(IllegalMove, match=f"^there is no column {column}: choose 1 to 7$"):
        Board().drop(column)


def test_four_in_a_row_is_a_point_and_five_are_two() -> None:
    four = board_from_moves("1122334")
    assert (four.points(RED), four.points(GREEN)) == (1, 0)
    assert four.fours(RED) == [((1, 1), (2, 1), (3, 1), (4, 1))]
    four.drop(4)
    assert four.points(GREEN) == 1
    four.drop(5)
    assert (four.points(RED), four.margin(RED), four.margin(GREEN)) == (2, 1, -1)


def test_columns_and_both_diagonals_count() -> None:
    column = board_from_moves("1212121")
    assert column.fours(RED) == [((1, 1), (1, 2), (1, 3), (1, 4))]
    rising = board_from_moves("12233434454")
    assert rising.fours(RED) == [((1, 1), (2, 2), (3, 3), (4, 4))]
    falling = board_from_moves("76655454434")
    assert falling.fours(RED) == [((4, 4), (5, 3), (6, 2), (7, 1))]


def test_max_continues_after_a_four_and_the_classic_game_ends() -> None:
    assert not board_from_moves("1212121").is_over()
    classic = board_from_moves("1212121", "classic")
    assert classic.is_over()
    assert classic.winner() == RED
    assert classic.columns() == []
    with pytest.raises(IllegalMove, match="^the game is over$"):
        classic.drop(3)


def test_the_game_ends_after_42_drops_and_equal_points_are_a_draw() -> None:
    board = board_from_moves(FULL[:-1])
    assert not board.is_over()
    board.drop(7)
    assert board.is_over()
    assert board.is_full()
    assert board.count(RED) == board.count(GREEN) == 21
    assert (board.points(RED), board.points(GREEN), board.winner()) == (12, 12, None)


def test_more_points_win() -> None:
    red_wins = board_from_moves("747413544773435252327157356523114261266166")
    assert (red_wins.points(RED), red_wins.points(GREEN), red_wins.winner()) == (8, 2, RED)
    green_wins = board_from_moves("257771314744647214174561532615222663563533")
    assert (green_wins.points(RED), green_wins.points(GREEN), green_wins.winner()) == (1, 4, GREEN)


@given(boards(), st.integers(1, 42))
def test_undo_reverts_a_drop(board: Board, times: int) -> None:
    twin = board.copy()
    dropped = []
    for _ in range(times):
        if twin.columns():
            dropped.append(twin.columns()[-1])
            twin.drop(dropped[-1])
    assert [twin.undo() for _ in dropped] == dropped[::-1]
    assert twin == board
    assert twin.drops == board.drops


def test_there_is_no_stack_and_no_cell_beside_the_board() -> None:
    board = board_from_moves("7")
    for column in (0, 8):
        with pytest.raises(IndexError, match=f"^there is no column {column}: choose 1 to 7$"):
            board.stack(column)
    for column, row in ((0, 1), (8, 1), (1, 0), (1, 7)):
        with pytest.raises(IndexError, match=f"^there is no cell in column {column}, row {row}$"):
            board.cell(column, row)


def test_the_only_players_are_red_and_green() -> None:
    for ask in (Board().points, Board().count, Board().margin, Board().fours, Board().cells_of):
        with pytest.raises(ValueError, match="^3 is not a player: RED is 1, GREEN is 2$"):
            ask(3)


def test_there_is_nothing_to_choose_once_the_game_is_over() -> None:
    Board().check_not_over()
    with pytest.raises(IllegalMove, match="^the game is over: there is no column to choose$"):
        board_from_moves("1212121", "classic").check_not_over()


def test_there_is_nothing_to_undo_on_a_new_board() -> None:
    with pytest.raises(IllegalMove, match="no move to undo"):
        Board().undo()


@given(boards())
def test_a_board_can_be_rebuilt_from_its_rows(board: Board) -> None:
    again = Board.from_rows(board.rows())
    assert again == board
    assert again.to_move == board.to_move
    assert again.moves is None if board.pieces() else again.moves == ""


def test_rows_that_no_game_leads_to_are_refused() -> None:
    empty = [[0] * 7 for _ in range(6)]
    floating = [row.copy() for row in empty]
    floating[4][2] = 1
    with pytest.raises(BadPosition, match="^the piece in column 3, row 2 floats above an empty cell$"):
        Board.from_rows(floating)
    top = [[0, 0, 1, 0, 0, 0, 0], *empty[:5]]
    with pytest.raises(BadPosition, match="^the piece in column 3, row 6 floats above an empty cell$"):
        Board.from_rows(top)
    for rows in ([], [[0, 0], [0]], [[3]]):
        with pytest.raises(BadPosition, match="equal lengths"):
            Board.from_rows(rows)
    with pytest.raises(BadPosition, match="^2 red and 0 green pieces"):
        Board.from_rows([*empty[:5], [1, 1, 0, 0, 0, 0, 0]])
    with pytest.raises(BadPosition, match="^red has four in a row"):
        Board.from_rows([*empty[:4], [2, 2, 2, 0, 0, 0, 0], [1, 1, 1, 1, 2, 0, 0]], "classic")


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(ValueError, match="'chess' is not a game: choose max or classic"):
        Board("chess")


def test_the_repr_of_a_board_describes_it() -> None:
    assert repr(board_from_moves("445")) == "<Board 445, max, green to move>"
    assert repr(board_from_moves("1212121", "classic")) == "<Board 1212121, classic, red has won>"
    assert repr(Board.from_rows([[1, 2]])) == "<Board of 2 pieces, max, drawn>"
    assert Board() != "a board"


def test_columns_are_looked_at_from_the_centre_the_left_one_of_two_first() -> None:
    assert Board().from_the_centre() == [4, 3, 5, 2, 6, 1, 7]
    assert Board(width=4).from_the_centre() == [2, 3, 1, 4]


@given(boards())
def test_a_drop_makes_a_four_if_there_are_more_of_them_after_it(board: Board) -> None:
    for column in board.columns():
        before, player = board.points(board.to_move), board.to_move
        foreseen = board.makes_four(column, player)
        board.drop(column)
        assert foreseen == (board.points(player) > before)
        board.undo()


def test_a_full_column_cannot_make_a_four() -> None:
    board = Board.from_rows([[1, 1, 1, 0], [2, 2, 2, 1], [1, 1, 1, 2], [2, 2, 2, 1]])
    assert not board.makes_four(1, RED)
    assert board.makes_four(4, RED)


def test_the_smallest_board_is_one_cell() -> None:
    board = Board(width=1, height=1)
    assert board.windows() == []
    board.drop(1)
    assert board.is_over()
    for width, height in ((0, 6), (7, 0), (-1, -1)):
        with pytest.raises(ValueError, match=f"^a board of {width} columns and {height} rows has no cells$"):
            Board(width=width, height=height)


def test_a_board_of_one_column_has_lines_and_one_of_three_by_three_has_none() -> None:
    assert Board(width=1, height=5).windows() == [((1, 1), (1, 2), (1, 3), (1, 4)), ((1, 2), (1, 3), (1, 4), (1, 5))]
    assert Board(width=4, height=1).windows() == [((1, 1), (2, 1), (3, 1), (4, 1))]
    assert Board(width=3, height=3).windows() == []


def test_a_position_may_have_a_single_row() -> None:
    board = Board.from_rows([[1, 2, 0]])
    assert (board.width, board.height, board.columns(), board.to_move) == (3, 1, [3], RED)


def test_a_copy_of_a_position_from_a_file_behaves_as_the_original() -> None:
    board = Board.from_rows([[0, 0, 0], [1, 0, 0]])
    twin = board.copy()
    assert (twin.pieces(), twin.to_move, twin.moves) == (1, GREEN, None)


def test_numbers_of_columns_and_rows_are_whole() -> None:
    half: int = 1.5  # type: ignore[assignment]
    for ask, what in (
        (lambda: Board(width=half), "width"),
        (lambda: Board(height=half), "height"),
        (lambda: Board().cell(half, 1), "column"),
        (lambda: Board().cell(1, half), "row"),
        (lambda: Board().stack(half), "column"),
        (lambda: Board().drop(half), "column"),
    ):
        with pytest.raises(TypeError, match=f"^a {what} must be a whole number, not 1.5$"):
            ask()


def test_a_game_is_a_move_string_as_long_as_its_columns_have_one_digit() -> None:
    board = Board(width=10, height=4)
    assert (board.moves, repr(board)) == ("", "<Board empty, max, red to move>")
    for column in (9, 1):
        board.drop(column)
    assert (board.moves, repr(board)) == ("91", "<Board 9 1, max, red to move>")
    board.drop(10)
    assert (board.moves, repr(board)) == (None, "<Board 9 1 10, max, green to move>")
    narrow = Board(width=9, height=4)
    for column in (9, 1):
        narrow.drop(column)
    assert repr(narrow) == "<Board 91, max, red to move>"


@pytest.mark.parametrize("plies", [4, pytest.param(6, marks=pytest.mark.long)])
def test_the_number_of_different_positions_after_each_ply(plies: int) -> None:
    layer = {str(Board()): Board()}
    for expected in known_counts()[: plies + 1]:
        assert len(layer) == expected
        following = {}
        for board in layer.values():
            for column in board.columns():
                board.drop(column)
                if (text := str(board)) not in following:
                    following[text] = board.copy()
                board.undo()
        layer = following
