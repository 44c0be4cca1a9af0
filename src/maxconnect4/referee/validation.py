"""Validation of played games: replay the moves, compare all that is stored with the board and with the schedule."""

from __future__ import annotations

from math import inf

from ..board import GREEN, HEIGHT, RED, WIDTH
from ..errors import BadEntrant, BadFile, BadPosition, MaxConnect4Error, shown
from ..notation import board_from_moves
from .faults import FAULTS, NOTES
from .games import ADJUDICATED, FORFEIT, FOUR, FULL, VOID, points_of
from .playing import LOSE, REPLACE
from .tournament import stages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..board import Board
    from .games import Fault, Note, Result
    from .playing import Rules
    from .results import Results
    from .tournament import Tournament

CELLS = WIDTH * HEIGHT
LARGEST_REGRET = 2 * 69  # from a margin of all windows to a margin of all windows for the opponent
KILLED = "killed the referee"  # the only fault that is not an answer to a position


class InvalidGame(MaxConnect4Error, ValueError):
    """A played game that contradicts itself or the rules: tampered with, or invented."""


def validate(result: Result, rules: Rules) -> None:
    """Replay a game and compare its ending, score, points, faults, notes and times with the replayed board.

    The moves after an adjudication have to be legal and to end the game; they are not solved again. CPU times, texts
    of faults and regrets cannot be derived from the moves: only their number and range are checked.

    Args:
        result: A game of the types that it declares.
        rules: The rules of its tournament.

    Raises:
        InvalidGame: Something disagrees; the message has the number of the game, the value and the expected value.
    """
    problem = next(_problems(result, rules), None)
    if problem is not None:
        raise InvalidGame(f"game {result.game.number}: {problem}")


def validated_games(file: Results, tournament: Tournament) -> dict[int, Result]:
    """Load all games of a results file, by number.

    Raises:
        BadFile: A game is not valid, or not one of those that the tournament schedules.
    """
    results = {result.game.number: result for result in file.all()}
    try:
        for result in results.values():
            validate(result, tournament.rules)
        _validate_schedule(results, tournament)
    except (BadEntrant, InvalidGame) as error:
        raise BadFile(f"{file.name} cannot be trusted: {error}") from None
    return results


def _validate_schedule(results: dict[int, Result], tournament: Tournament) -> None:
    """Compare games with those of the schedule. The games of a stage are known once all before it are played."""
    numbers = sorted(results)
    checked = 0
    for stage in stages(tournament, results):
        first = checked
        while checked < len(numbers) and numbers[checked] in stage.numbers:
            game, scheduled = results[numbers[checked]].game, stage.game(numbers[checked])
            for field in game.__slots__:
                if (value := getattr(game, field)) != (expected := getattr(scheduled, field)):
                    raise InvalidGame(
                        f"game {game.number}: {field} {shown(str(value))} instead of {shown(str(expected))}"
                    )
            checked += 1
        if checked - first < len(stage.numbers):
            break
    if checked < len(numbers):
        raise InvalidGame(f"game {numbers[checked]}: it is not in the schedule")


def _problems(result: Result, rules: Rules) -> Iterator[str]:
    """Everything that disagrees. What follows the first problem may be nonsense."""
    game, played = result.game, result.played
    opening, plies = len(game.opening), len(played.moves)
    if played.number != game.number:
        yield f"the result is that of game {played.number}"
    if not played.moves.startswith(game.opening):
        yield f"moves {shown(played.moves)} do not begin with the opening {shown(game.opening)}"
    try:
        board = _replay(played.moves + played.line, rules.game)
    except BadPosition as error:
        yield str(error)
        return

    winner = board.winner()
    broken_off = played.ending in (FORFEIT, VOID)
    abandoned = broken_off and not played.cpu  # see `playing.abandoned`: nobody was asked for a move
    if broken_off:
        yield from _problems_of_broken_off(result, rules, board, abandoned)
    else:
        yield from _problems_of_finished(result, rules, board, winner)
    if played.score != (expected := _score(result, winner)):
        yield f"score {played.score} instead of {expected}"
    if played.points != (points := points_of(board)):
        yield f"points {played.points} instead of {points}"

    answers = 0 if abandoned else plies - opening + broken_off
    if len(played.cpu) != answers:
        yield f"{len(played.cpu)} CPU times for {answers} answers"
    if answers and CELLS - (opening + answers - 1) <= rules.adjudicate:
        yield f"a player was asked for move {opening + answers}, after the adjudication"
    asked = range(opening + 1, opening + answers + 1)
    for fault in played.faults:
        yield from _problems_of_remark(fault, FAULTS, range(plies + 1, plies + 2) if broken_off else asked)
        if (fault.kind == KILLED) != abandoned:
            yield f"fault {shown(fault.kind)} after {len(played.cpu)} answers"
    fault_plies = [fault.ply for fault in played.faults]
    if fault_plies != sorted(set(fault_plies)):
        yield f"faults at moves {fault_plies[:10]}, which are not in order"
    for note in played.notes:
        yield from _problems_of_remark(note, NOTES, asked)

    for seconds in (*played.cpu, played.seconds):
        if not 0 <= seconds < inf:
            yield f"a time of {seconds} s"
    if played.given_away is not None:
        if len(played.given_away) != plies - opening:
            yield f"{len(played.given_away)} regrets for {plies - opening} moves"
        for regret in played.given_away:
            if not 0 <= regret <= LARGEST_REGRET:
                yield f"a regret of {regret}"


def _problems_of_broken_off(result: Result, rules: Rules, board: Board, abandoned: bool) -> Iterator[str]:
    played = result.played
    if played.line:
        yield f"ending {shown(played.ending)} with a line {shown(played.line)}"
    expected = FORFEIT if played.faults and rules.on_fault == LOSE else VOID
    if played.ending != expected:
        yield f"ending {shown(played.ending)} instead of {shown(expected)}"
    if len(played.faults) != 1 and not (abandoned and not played.faults):
        yield f"ending {shown(played.ending)} with {len(played.faults)} faults"
    if abandoned and played.moves != result.game.opening:
        yield f"moves {shown(played.moves)} after the opening, and no CPU times"
    if not abandoned and rules.on_fault == REPLACE:
        yield f"ending {shown(played.ending)}, but a fault only replaces a move"
    if not abandoned and board.is_over():
        yield f"a fault after the last move of {shown(played.moves)}"


def _problems_of_finished(result: Result, rules: Rules, board: Board, winner: int | None) -> Iterator[str]:
    played = result.played
    is_four = rules.game == "classic" and winner is not None
    expected = ADJUDICATED if played.line else FOUR if is_four else FULL
    if played.ending != expected:
        yield f"ending {shown(played.ending)} instead of {shown(expected)}"
    if not board.is_over():
        yield f"ending {shown(played.ending)}, but the game continues after {shown(played.moves + played.line)}"
    if played.line and (empty := CELLS - len(played.moves)) > rules.adjudicate:
        yield f"adjudicated with {empty} empty cells, over {rules.adjudicate}"
    if played.faults and rules.on_fault != REPLACE:
        yield f"ending {shown(played.ending)} with a fault"


def _problems_of_remark(remark: Fault | Note, kinds: dict[str, str], plies: range) -> Iterator[str]:
    """What is wrong with a fault or a note on one of some moves."""
    if remark.kind not in kinds:
        yield f"unknown fault or note {shown(remark.kind)}"
    if remark.ply not in plies:
        yield f"{shown(remark.kind)} at move {remark.ply}, for which no player was asked"
    if remark.player not in (RED, GREEN) or (remark.kind != KILLED and remark.player % 2 != remark.ply % 2):
        yield f"{shown(remark.kind)} of player {remark.player} at move {remark.ply}, when it was not to move"


def _score(result: Result, winner: int | None) -> float | None:
    if result.played.ending == VOID:
        return None
    if result.played.ending == FORFEIT:
        return 0.0 if result.played.faults[0].player == RED else 1.0
    return {RED: 1.0, GREEN: 0.0, None: 0.5}[winner]


def _replay(moves: str, game: str) -> Board:
    """The board after moves. Fours never vanish, so a look before the last move shows if a classic game was over."""
    board = board_from_moves(moves)
    if game == "classic" and moves:
        last = board.undo()
        if board.points(RED) or board.points(GREEN):
            raise BadPosition(f"moves {shown(moves)} continue after a four")
        board.drop(last)
    board.game = game
    return board
