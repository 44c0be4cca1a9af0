"""Positions of the API: parsed from parameters or pasted text, and described for clients without the rules."""

from __future__ import annotations

from functools import cache

from ..board import GAMES, GREEN, NAMES, RED, WIDTH, Board, Window, drop_text, opponent, result_text
from ..errors import BadPosition, quote
from ..notation import is_move_string, play
from ..position_file import board_as_text, board_from_text
from .schemas import CELLS, Cell, InitialPosition, PlayedMove, PositionResponse


def position_from(game: str = "max", start: str | None = None, moves: str = "") -> Board:
    """The board after a starting position (42 digits, top row first) and moves."""
    if game not in GAMES:
        raise BadPosition(f"{quote(game)} is not a game: choose {' or '.join(GAMES)}")
    board = Board(game)
    if start:
        if len(start) != CELLS or set(start) - set("012"):
            raise BadPosition(f"{quote(start)} is not a starting position: it must be {CELLS} digits, each 0, 1 or 2")
        rows = [[int(digit) for digit in start[at : at + WIDTH]] for at in range(0, CELLS, WIDTH)]
        board = Board.from_rows(rows, game)
    play(board, moves)
    return board


def position_from_text(text: str, game: str = "max") -> Board:
    """The board of a pasted or loaded text: a position file or a move string."""
    words = text.split()
    digits = "".join(words)
    # Either may be incomplete or have a wrong digit, so two of these three features are required for a file.
    file_features = ["0" in digits, len(words) > 1, not set(digits) - set("012")]
    if (is_move_string(digits) or len(words) == 1) and sum(file_features) < 2:
        return position_from(game, None, digits)
    return board_from_text(text, "the position", game)


def start_of(board: Board) -> str | None:
    """The digits of a board's starting position; None for the empty board."""
    return _start_digits(initial_board(board))


def _start_digits(initial: Board) -> str | None:
    return "".join(_cells(initial)) if initial.pieces() else None


def position_query(game: str, board: Board | None) -> str:
    """The query of the page's address for a position."""
    values = {"game": game} if board is not None or game != GAMES[0] else {}
    if board is not None:
        values |= {"start": start_of(board) or "", "moves": "".join(map(str, board.drops))}
    pairs = "&".join(f"{name}={value}" for name, value in values.items() if value)
    return f"?{pairs}" if pairs else ""


def initial_board(board: Board) -> Board:
    """The board before its first drop."""
    initial = board.copy()
    while initial.drops:
        initial.undo()
    return initial


def describe(board: Board) -> PositionResponse:
    """Describe a position with its history, for clients that do not implement the rules."""
    initial = initial_board(board)
    initial_fours = _fours(initial)
    history = _history(initial, board)
    fours = [initial_fours[player - 1] + _fours_made(player, history) for player in (RED, GREEN)]
    description = f"{history[-1].description} {history[-1].status}" if history else _status(board)
    return PositionResponse(
        game=board.game,
        start=_start_digits(initial),
        moves="".join(map(str, board.drops)),
        size=(board.width, board.height),
        cells=_cells(board),
        to_move=board.to_move,
        columns=board.columns(),
        points=(len(fours[0]), len(fours[1])),
        fours=(fours[0], fours[1]),
        over=board.is_over(),
        winner=board.winner(),
        result=result(board),
        status=_status(board),
        description=description,
        text=board_as_text(board),
        initial=InitialPosition(
            cells=_cells(initial),
            points=(len(initial_fours[0]), len(initial_fours[1])),
            fours=initial_fours,
            to_move=initial.to_move,
            columns=initial.columns(),
            status=_status(initial),
        ),
        history=history,
    )


def result(board: Board) -> str | None:
    """The result of a game as a sentence; None if it is not over."""
    return result_text(board) if board.is_over() else None


def points(board: Board) -> tuple[int, int]:
    """The points of red and of green."""
    return board.points(RED), board.points(GREEN)


def _status(board: Board) -> str:
    return result(board) or _to_move_text(board.to_move)


def _to_move_text(player: int) -> str:
    return f"{NAMES[player].capitalize()} to move."


def _history(initial: Board, board: Board) -> list[PlayedMove]:
    """The moves of a board and their fours, ten times as fast as calling `Board.fours` after every move."""
    cells = {cell: player for player in (RED, GREEN) for cell in initial.cells_of(player)}
    heights = [len(initial.stack(column)) for column in initial.all_columns()]
    score, player = points(initial), initial.to_move
    history: list[PlayedMove] = []
    for number, column in enumerate(board.drops, start=initial.pieces() + 1):
        heights[column - 1] += 1
        cell = column, heights[column - 1]
        cells[cell] = player
        fours = [list(window) for window in _windows_through(cell) if all(cells.get(each) == player for each in window)]
        score = score[0] + len(fours) * (player == RED), score[1] + len(fours) * (player == GREEN)
        won = bool(fours) and board.game == "classic"
        open_columns = [each for each, height in enumerate(heights, start=1) if height < board.height]
        history.append(
            PlayedMove(
                number=number,
                player=player,
                column=column,
                row=cell[1],
                fours=fours,
                points=score,
                columns=[] if won else open_columns,
                description=_move_text(board.game, player, column, len(fours), score),
                status=_to_move_text(opponent(player)),
            )
        )
        player = opponent(player)
    if history:
        history[-1].status = _status(board)
    return history


@cache
def _windows_through(cell: tuple[int, int]) -> list[Window]:
    return [window for window in Board().windows() if cell in window]


def _fours_made(player: int, history: list[PlayedMove]) -> list[list[Cell]]:
    return [four for move in history if move.player == player for four in move.fours]


def _move_text(game: str, player: int, column: int, fours: int, score: tuple[int, int]) -> str:
    if fours and game == "max":
        return f"{drop_text(player, column, fours)}: red {score[0]}, green {score[1]}."
    return f"{drop_text(player, column)}."


def _cells(board: Board) -> list[str]:
    return ["".join(map(str, row)) for row in board.rows()]


def _fours(board: Board) -> tuple[list[list[Cell]], list[list[Cell]]]:
    red, green = ([list(four) for four in board.fours(player)] for player in (RED, GREEN))
    return red, green
