"""Reasons: why a move is a mistake, or what it achieves, from the rules and the principal variations.

The values of two variations differ only in their fours: the one after the move played, and the one after the best move.
A mistake therefore lets the opponent complete a four, or gives up an own one. The earliest such four is the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Literal

import msgspec

from .board import NAMES, Board, Window, opponent
from .solver import Solver

Cell = tuple[int, int]  # column and row, both from 1
Player = Annotated[int, msgspec.Meta(extra_json_schema={"enum": [1, 2]})]
#: Mistakes: the reply on top of the move scores; the reply scores where the move could have blocked; the opponent
#: scores later; the best move scores at once; the best move leads to an own four.
Mistake = Literal["opens", "ignores", "allows", "misses", "forgoes"]
#: Other moves: no other column is open; the move scores; it takes the last cell of a four of the opponent; it leaves
#: only one cell of an own four open.
Merit = Literal["forced", "scores", "blocks", "threatens"]


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why a move is a mistake, or what it achieves: a four, and the moves that lead to it."""

    kind: Mistake | Merit
    player: Player  # of the move
    column: int  # of the move
    better: int | None  # a best column, if the move is a mistake
    four: list[Cell]  # empty for a forced move
    scorer: Player | None  # the player of the four
    cell: Cell | None  # the last cell of the four
    line: list[int]  # the columns from the move, or the better one, to the end of the four
    move: int | None  # the number of the move that completes the four; None while it is a threat
    #: When three pieces of the four were on the board: before the move, after the next move of its player, or later.
    threat: Literal["standing", "made", "later"] | None

    @property
    def reply(self) -> int | None:
        """The column of the opponent's reply to a mistake; None if the four is one that the best move leads to."""
        return self.line[1] if self.kind in ("opens", "ignores", "allows") else None


class Four(msgspec.Struct, frozen=True):
    """A four that a variation completes."""

    index: int  # of the move in the variation, from 0
    player: int
    cells: Window
    cell: Cell  # the last one


def completed_fours(board: Board, line: Sequence[int]) -> Iterator[Four]:
    """The fours that the moves of a variation complete, in their order."""
    board = board.copy()
    for index, column in enumerate(line):
        player = board.to_move
        board.drop(column)
        cell = column, len(board.stack(column))
        own = board.cells_of(player)
        for window in board.windows():
            if cell in window and own.issuperset(window):
                yield Four(index, player, window, cell)


def points_along(board: Board, line: Sequence[int]) -> list[int]:
    """The number of points that each move of a variation scores."""
    points = [0] * len(line)
    for four in completed_fours(board, line):
        points[four.index] += 1
    return points


def variation(board: Board, column: int, solver: Solver, stop: Callable[[], bool] | None = None) -> list[int]:
    """The moves from a column to the end of the game with perfect play. A best move that scores comes before others."""
    board = board.copy()
    board.drop(column)
    line, rest = [column], solver.principal_variation(board, stop=stop)
    while rest:
        scoring = [each for each in board.columns() if board.makes_four(each, board.to_move)]
        if scoring and rest[0] not in scoring:
            best = solver.analyse(board, line=False, stop=stop).best or []
            found = next((each for each in best if each in scoring), None)
            if found is not None:
                board.drop(found)
                line.append(found)
                rest = solver.principal_variation(board, stop=stop)
                continue
        board.drop(rest[0])
        line.append(rest.pop(0))
    return line


def find_reason(
    board: Board, column: int, best: Sequence[int], solver: Solver, stop: Callable[[], bool] | None = None
) -> Reason | None:
    """Why a move is a mistake, or what it achieves; None for a best move that achieves nothing at once.

    >>> find_reason(board_from_moves("112233"), 7, [4], Solver()).kind
    'misses'

    Args:
        board: The position before the move.
        column: The column of the move.
        best: The best columns of the position.
        solver: The solver that finds the variations.
        stop: Called ten times a second; the search stops when it returns True.

    Raises:
        SearchStopped: If `stop` returned True.
    """
    if column in best:
        return _merit(board, column)
    player = board.to_move
    better = next((each for each in best if board.makes_four(each, player)), best[0])
    played, instead = variation(board, column, solver, stop), variation(board, better, solver, stop)
    after_played, after_better = list(completed_fours(board, played)), list(completed_fours(board, instead))
    if board.game == "classic":  # the last four decides
        suffered = [four for four in after_played if four.player != player]
        missed = [] if suffered else [four for four in after_better if four.player == player]
    else:
        suffered = _without(after_played, after_better, opponent(player))
        missed = _without(after_better, after_played, player)
    four = min(suffered + missed, key=lambda each: each.index, default=None)
    if four is None:
        return None
    line = (played if four in suffered else instead)[: four.index + 1]
    if four in missed:
        kind: Mistake = "forgoes" if four.index else "misses"
    elif four.index > 1:
        kind = "allows"
    else:
        kind = "opens" if four.cell[0] == column else "ignores"
    return Reason(
        kind=kind,
        player=player,
        column=column,
        better=better,
        four=list(four.cells),
        scorer=four.player,
        cell=four.cell,
        line=line,
        move=board.pieces() + four.index + 1,
        threat=_threat(board, four, line),
    )


def _without(fours: list[Four], others: list[Four], player: int) -> list[Four]:
    """The fours of a player that another variation does not complete."""
    known = {four.cells for four in others}
    return [four for four in fours if four.player == player and four.cells not in known]


def _threat(board: Board, four: Four, line: list[int]) -> Literal["standing", "made", "later"]:
    """When three pieces of a four were on the board: before the line, after the first move of its player, or later."""
    rest = set(four.cells) - {four.cell}
    board = board.copy()
    if rest <= board.cells_of(four.player):
        return "standing"
    for column in line[: 1 if board.to_move == four.player else 2]:
        board.drop(column)
    return "made" if rest <= board.cells_of(four.player) else "later"


def _merit(board: Board, column: int) -> Reason | None:
    player, other = board.to_move, opponent(board.to_move)
    cell = column, len(board.stack(column)) + 1
    if len(board.columns()) == 1:
        return _reason_now(board, "forced", column, (), None, cell)
    own, others = board.cells_of(player) | {cell}, board.cells_of(other) | {cell}
    threats: list[tuple[Cell, Window]] = []
    for window in board.windows():
        if cell not in window:
            continue
        if own.issuperset(window):
            return _reason_now(board, "scores", column, window, player, cell)
        missing = set(window) - own
        if len(missing) == 1 and not missing & others:
            threats.append((missing.pop(), window))
    for window in board.windows():
        if cell in window and others.issuperset(window):
            return _reason_now(board, "blocks", column, window, other, cell)
    if not threats:
        return None
    last, four = min(threats, key=lambda each: each[0][1])  # the lowest cell
    return _reason_now(board, "threatens", column, four, player, last)


def _reason_now(board: Board, kind: Merit, column: int, four: Window, scorer: int | None, cell: Cell) -> Reason:
    return Reason(
        kind=kind,
        player=board.to_move,
        column=column,
        better=None,
        four=list(four),
        scorer=scorer,
        cell=cell,
        line=[column],
        move=board.pieces() + 1 if kind == "scores" else None,
        threat=None,
    )


def four_text(four: Sequence[Cell]) -> str:
    """Name a four by its direction and its columns, such as "the diagonal 2–5"."""
    columns, rows = {column for column, _ in four}, {row for _, row in four}
    if len(columns) == 1:
        return "the vertical four"
    return f"the {'row' if len(rows) == 1 else 'diagonal'} {min(columns)}–{max(columns)}"


def reason_text(reason: Reason) -> str:
    """Describe a reason in a sentence."""
    column, other = reason.column, NAMES[opponent(reason.player)]
    own, four = NAMES[reason.player], four_text(reason.four) if reason.four else ""
    match reason.kind:
        case "forced":
            return f"Column {column} is the only legal move."
        case "scores":
            return f"Column {column} completes {four}."
        case "blocks":
            return f"Column {column} blocks {other}'s {four.removeprefix('the ')}."
        case "threatens":
            return f"Column {column} threatens {four}."
        case "opens":
            return f"Column {column} lets {other} play on top of it and complete {four}."
        case "ignores":
            return f"Column {column} does not stop {other}, who completes {four} in column {reason.reply}."
        case "misses":
            return f"Column {reason.better} would complete {four}."
        case "forgoes":
            return _later_text(f"Column {reason.better}", own, reason, f"; column {column} does not")
        case "allows":
            return _later_text(f"After column {column}, {other}'s reply in column {reason.reply}", other, reason, "")


def _later_text(first: str, scorer: str, reason: Reason, end: str) -> str:
    four = four_text(reason.four)
    if reason.threat == "made":
        return f"{first} threatens {four}, which {scorer} completes with move {reason.move}{end}."
    verb = "keeps the threat of" if reason.threat == "standing" else "leads to"
    return f"{first} {verb} {four}, which {scorer} completes with move {reason.move}{end}."
