"""Review a game: what each move gave away, against perfect play.

The game is a move string such as 44535, a file that holds one, or - for standard input; it need not be over. For each
move: the value before and after it, the points that it gave away, and the columns that were best, the one nearest the
centre first. Values are final margins with perfect play, always in red's view: what is good for red is above zero.

In the classic game they are scores, as 'analyse' has them, and what counts is who wins: a mistake turns a win into a
draw or a loss, or a draw into a loss. What makes a win come later, or a loss sooner, is shown, but is no mistake.

Examples:
  maxconnect4 review 334433442211 --size 5x4
  maxconnect4 review game.txt --plot game.png
  maxconnect4 review game.txt --json
  maxconnect4 review 2342211233515553414 --size 5x4 --game classic
"""

from __future__ import annotations

from ..amounts import how_many
from ..board import GREEN, NAMES, RED, SIZE
from ..notation import board_from_moves
from ..outcomes import signed, win_draw_or_loss
from ..review import review
from ..saving import check_writable
from . import arguments, solving
from .output import STANDARD_OUTPUT, Output, add_plot, clash, kind_of_picture, plot_contradiction
from .terminal.display import Bar
from .terminal.screen import folded, result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import Any

    from ..board import Board
    from ..review import Review, ReviewedMove, Summary
    from .parsing import Arguments, PlainParser
    from .terminal.screen import Screen

# What JSON says of a move, and of a player.
MOVE = ("number", "player", "column", "before", "after", "given_away", "best", "source")
PLAYER = ("moves", "given_away", "mistakes", "perfect_share")


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("moves", metavar="game", help="a move string, a file that holds one, or - for standard input")
    parser.add_argument("--json", action="store_true", help="print one line of JSON instead of the table")
    arguments.add_game(parser)
    add_plot(parser, "the value over the game")
    solving.add_size(parser)
    solving.add_solver(parser)
    arguments.add_book(parser)


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    return plot_contradiction(args) or clash([args.plot], [args.moves])


def run(args: Arguments, screen: Screen) -> int:
    """Solve each position of the game, and say what the moves were worth."""
    moves = arguments.read_game(args.moves)
    board = board_from_moves(moves, args.game, args.size or SIZE)
    if args.plot is not None:
        check_writable(args.plot)
    with Bar(len(moves)) as bar:
        found = review(
            board,
            solving.solver_as_told(args),
            progress=lambda done, total: bar.show(done, f"move {total - done} of {total}"),
        )
    if args.json:
        screen.say(_as_json(board, found))
    else:
        table, in_words = (_classic_table, _classic_in_words) if args.game == "classic" else (_table, _in_words)
        screen.say(table(found))
        if board.is_over():
            screen.say(result(board))
        for player in (RED, GREEN):
            screen.say(folded(in_words(player, found.summary(player))))
        from_book = sum(move.source == "book" for move in found.moves)
        if from_book:
            screen.say(f"The values of the first {how_many(from_book, 'move')} are from the book.")
    if args.plot is not None:
        from ..curve import curve_of_game

        output = Output(screen, [STANDARD_OUTPUT] if args.json else [])
        output.put(args.plot, curve_of_game(found, kind_of_picture(args.plot)))
    return 0


def _table(found: Review) -> str:
    lines = ["Values are final margins with perfect play, in red's view.\n"]
    lines.append("move  player  column  before  after  given away  best")
    for move in found.moves:
        values = f"{signed(move.before):>6}  {signed(move.after):>5}  {move.given_away or '':>10}"
        best = " ".join(map(str, move.best))
        lines.append(f"{move.number:>4}  {NAMES[move.player]:<6}  {move.column:>6}  {values}  {best}")
    return "\n".join(lines) + "\n"


def _in_words(player: int, summary: Summary) -> str:
    name = NAMES[player].capitalize()
    if summary.perfect_share is None:
        return f"{name} made no move."
    text = f"{name} gave away {how_many(summary.given_away, 'point')} in {how_many(summary.mistakes, 'mistake')}"
    if summary.worst is not None:
        text += f", most with move {summary.worst.number}: {how_many(summary.worst.given_away, 'point')}"
    return f"{text}. Perfect: {summary.perfect_share:.0%} of {how_many(summary.moves, 'move')}."


def _classic_table(found: Review) -> str:
    lines = ["Values are scores with perfect play, in red's view: above 0 red wins, and the higher the sooner.", ""]
    lines.append("move  player  column  before  after  best")
    for move in found.moves:
        values = f"{signed(move.before):>6}  {signed(move.after):>5}"
        best = " ".join(map(str, move.best))
        lines.append(
            f"{move.number:>4}  {NAMES[move.player]:<6}  {move.column:>6}  {values}  {best:<13}  {_comment(move)}"
        )
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _comment(move: ReviewedMove) -> str:
    view = 1 if move.player == RED else -1
    before, after = (win_draw_or_loss(view * value) for value in (move.before, move.after))
    if move.mistake:
        return f"mistake: a {before} becomes a {after}"
    if move.moves_lost:
        moves = how_many(move.moves_lost, "move")
        return f"wins {moves} later" if after == "win" else f"loses {moves} sooner"
    return ""


def _classic_in_words(player: int, summary: Summary) -> str:
    name = NAMES[player].capitalize()
    if summary.perfect_share is None:
        return f"{name} made no move."
    mistakes = how_many(summary.mistakes, "mistake") if summary.mistakes else "no mistake"
    text = f"{name} made {mistakes} in {how_many(summary.moves, 'move')}"
    if summary.worst is not None:
        text += f", {'the worst' if summary.mistakes > 1 else 'which was'} move {summary.worst.number}"
    if summary.detours:
        text += f"; {summary.detours} took longer to win than needed, or lost sooner"
    return text + "."


def _as_json(board: Board, found: Review) -> str:
    import json

    of_move, of_player = (MOVE, PLAYER) if found.game == "max" else ((*MOVE, "mistake"), (*PLAYER, "detours"))
    summaries = {NAMES[player]: _summary_facts(found.summary(player), of_player) for player in (RED, GREEN)}
    reviewed = [{name: getattr(move, name) for name in of_move} for move in found.moves]
    facts = {
        "game": found.game,
        "size": [board.width, board.height],
        "moves": board.moves,
        "points": [board.points(RED), board.points(GREEN)],
        "over": board.is_over(),
        "review": reviewed,
    }
    return json.dumps(facts | summaries)


def _summary_facts(summary: Summary, names: tuple[str, ...]) -> dict[str, Any]:
    facts = {name: getattr(summary, name) for name in names}
    return {**facts, "worst": summary.worst and summary.worst.number}
