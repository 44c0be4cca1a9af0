from __future__ import annotations

from maxconnect4 import GREEN, RED, Solver, board_from_moves
from maxconnect4.review import review

GAME = "12345123453344552"  # on a board of 5x5
CLASSIC = "2342211233515553414"  # on a board of 5x4


def test_the_regret_of_each_move_is_that_of_the_solver() -> None:
    solver = Solver(threads=1)
    board = board_from_moves(GAME, size=(5, 5))
    found = review(board, solver)
    assert board.moves == GAME
    assert [move.column for move in found.moves] == list(map(int, GAME))
    for move in found.moves:
        before = board_from_moves(GAME[: move.number - 1], size=(5, 5))
        view = 1 if move.player == RED else -1
        analysis = solver.analyse(before)
        assert analysis.scores is not None
        assert (move.player, move.before * view, move.best) == (before.to_move, analysis.value, analysis.best)
        assert move.after * view == analysis.scores[move.column - 1]
        assert (move.column in move.best) == (move.regret == 0)
    assert [move.before for move in found.moves[1:]] == [move.after for move in found.moves[:-1]]
    assert len(found.values()) == len(found.margins) == len(GAME) + 1
    assert found.margins[-1] == board.margin()


def test_the_summary_of_a_player_counts_only_its_own_moves() -> None:
    found = review(board_from_moves(GAME, size=(5, 5)))
    for player in (RED, GREEN):
        lost = [move.regret for move in found.moves if move.player == player]
        summary = found.summary(player)
        assert (summary.moves, summary.regret) == (len(lost), sum(lost))
        assert summary.mistakes == sum(points > 0 for points in lost)
        assert summary.worst is not None
        assert summary.worst.regret == max(lost)
        assert summary.perfect_share == 1 - summary.mistakes / len(lost)


def test_moves_after_a_position_are_reviewed_from_there() -> None:
    board = board_from_moves("454672752411266535461732441315")
    start = type(board).from_rows(board.rows())
    start.drop(1)
    found = review(start)
    assert [(move.number, move.regret, move.best) for move in found.moves] == [(31, 1, [5])]
    assert review("").moves == []
    assert review("").summary(RED).perfect_share is None


def test_in_the_classic_game_a_mistake_is_what_changes_who_wins() -> None:
    board = board_from_moves(CLASSIC, "classic", (5, 4))
    found = review(board, Solver(threads=1))
    for move in found.moves:
        signs = [(value > 0) - (value < 0) for value in (move.before, move.after)]
        assert (move.severity, move.mistake) == (abs(signs[0] - signs[1]), signs[0] != signs[1])
        assert move.regret == abs(move.before - move.after)
        assert (move.column in move.best) == (not move.regret)
    assert [move.number for move in found.moves if move.severity == 2] == [12, 13, 14]
    assert [(move.number, move.moves_lost) for move in found.moves if move.moves_lost] == [(15, 2), (16, 1), (17, 1)]
    red, green = found.summary(RED), found.summary(GREEN)
    assert (red.mistakes, red.regret, red.detours, green.mistakes, green.detours) == (4, 11, 2, 4, 1)
    assert red.worst is not None
    assert red.worst.number == 13
    assert found.values()[-1] == 1, "red has won with the last piece but one"
