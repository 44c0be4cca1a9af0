"""Review a game: the regret of every move, from exact values, and the reason for every mistake.

The game is a move string such as 44535, a file with one, or - for standard input. It need not be finished. For each
move, the table shows the value before and after it, its regret (the value of the best move minus its own), and the best
columns, nearest the centre first. Values are final margins with perfect play from red's point of view: positive values
are good for red. The reason for a mistake is a four that the opponent gets with perfect play, or one that the best move
leads to.

In the classic game the values are scores, as in 'analyse', and only the result counts: a mistake turns a win into a
draw or a loss, or a draw into a loss. A move that only delays a win or hastens a loss is reported, but is not a
mistake.

Examples:
  maxconnect4 review 334433442211 --size 5x4
  maxconnect4 review game.txt --plot game.png
  maxconnect4 review game.txt --json
  maxconnect4 review 2342211233515553414 --size 5x4 --game classic
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

import msgspec

from ..board import GREEN, NAMES, RED, SIZE, Board, result_text
from ..files import check_writable
from ..formatting import plural
from ..notation import board_from_moves
from ..reasons import reason_text
from ..review import Review, ReviewedMove, plot_review, review, summary_text
from ..scores import format_signed, result_name
from . import options
from .output import STANDARD_OUTPUT, Output, add_plot, check_distinct, check_plot, plot_format, table_text
from .progress import ProgressBar
from .terminal import Screen, wrap

MOVE_KEYS = ("number", "player", "column", "before", "after", "regret", "best", "source", "choices")
PLAYER_KEYS = ("moves", "forced", "regret", "mistakes", "perfect_share")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("moves", metavar="game", help="a move string, a file with one, or - for standard input")
    options.add_json(parser, "table")
    options.add_game(parser)
    add_plot(parser, "the value after each move")
    options.add_size(parser)
    options.add_solver(parser)
    options.add_book(parser)


def check_arguments(args: Namespace) -> None:
    check_plot(args)
    check_distinct([args.plot], [args.moves])


def run(args: Namespace, screen: Screen) -> int:
    """Solve every position of the game and print the regret of the moves."""
    moves = options.read_game(args.moves)
    board = board_from_moves(moves, args.game, args.size or SIZE)
    if args.plot is not None:
        check_writable(args.plot)
    with ProgressBar(len(moves)) as bar:
        reviewed = review(
            board,
            options.solver_from_args(args),
            reasons=True,
            progress=lambda done, total: bar.update(done, f"{done} of {total} moves reviewed"),
        )
    if args.json:
        screen.print_json(review_dict(board, reviewed))
    else:
        screen.print(_moves_text(reviewed))
        for move in reviewed.moves:
            if move.regret and move.reason:
                screen.print(wrap(f"Move {move.number}, {NAMES[move.player]}: {reason_text(move.reason)}"))
        if board.is_over():
            screen.print(result_text(board))
        for player in (RED, GREEN):
            screen.print(wrap(summary_text(reviewed, player)))
        from_book = sum(move.source == "book" for move in reviewed.moves)
        if from_book:
            screen.print(f"The values of the first {plural(from_book, 'move')} are from the book.")
    if args.plot is not None:
        output = Output(screen, [STANDARD_OUTPUT] if args.json else [])
        output.write(args.plot, plot_review(reviewed, plot_format(args.plot)))
    return 0


def review_dict(board: Board, reviewed: Review) -> dict[str, Any]:
    """A game and its review as JSON."""
    move_keys = MOVE_KEYS if reviewed.game == "max" else (*MOVE_KEYS, "mistake")
    player_keys = PLAYER_KEYS if reviewed.game == "max" else (*PLAYER_KEYS, "detours")
    summaries = {}
    for player in (RED, GREEN):
        summary = reviewed.summary(player)
        worst = summary.worst and summary.worst.number
        summaries[NAMES[player]] = {**{key: getattr(summary, key) for key in player_keys}, "worst": worst}
    return {
        "game": reviewed.game,
        "size": [board.width, board.height],
        "moves": board.moves,
        "to_move": board.to_move,
        "points": [board.points(RED), board.points(GREEN)],
        "over": board.is_over(),
        "review": [
            {**{key: getattr(move, key) for key in move_keys}, "reason": msgspec.to_builtins(move.reason)}
            for move in reviewed.moves
        ],
        **summaries,
    }


def _moves_text(reviewed: Review) -> str:
    head = ["move", "player", "column", "before", "after"]
    rows = [
        [str(move.number), NAMES[move.player], str(move.column), format_signed(move.before), format_signed(move.after)]
        for move in reviewed.moves
    ]
    if reviewed.game == "classic":
        title = "Values are scores with perfect play for red: above 0 red wins, and a higher score is an earlier win."
        head += ["best", ""]
        details = [[" ".join(map(str, move.best)), _comment(move)] for move in reviewed.moves]
        left = [1, 5, 6]
    else:
        title = "Values are final margins with perfect play, from red's point of view."
        head += ["regret", "best"]
        details = [[str(move.regret or ""), " ".join(map(str, move.best))] for move in reviewed.moves]
        left = [1, 6]
    rows = [row + more for row, more in zip(rows, details, strict=True)]
    return f"{title}\n\n{table_text(head, rows, left)}\n"


def _comment(move: ReviewedMove) -> str:
    view = 1 if move.player == RED else -1
    before, after = (result_name(view * value) for value in (move.before, move.after))
    if move.mistake:
        return f"mistake: a {before} becomes a {after}"
    if move.moves_lost:
        moves = plural(move.moves_lost, "move")
        return f"wins {moves} later" if after == "win" else f"loses {moves} sooner"
    return ""
