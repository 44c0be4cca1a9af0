"""Validation of played games: compare their results with the replayed moves and with the schedule."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from ..board import GREEN, HEIGHT, RED, WIDTH, Board
from ..errors import BadFile, BadPosition, BadSetup, MaxConnect4Error, quote
from ..notation import board_from_moves
from .game import ADJUDICATED, FORFEIT, FOUR, FULL, LOSE, REPLACE, VOID, PlayedGame, Rules, points_of
from .move_validation import FAULTS, NOTES, Fault, Note
from .store import ResultStore
from .tournament import Tournament, stages

CELLS = WIDTH * HEIGHT
LARGEST_REGRET = 2 * 69  # from a margin of all windows to a margin of all windows for the opponent
KILLED = "killed the referee"  # the only fault that does not belong to a requested move


class InvalidGame(MaxConnect4Error, ValueError):
    """A played game contradicts itself or the rules."""


def validate(played: PlayedGame, rules: Rules) -> None:
    """Replay a game and compare its ending, score, points, faults, notes and times with the replayed board.

    The solver's moves after an adjudication must be legal and end the game; they are not solved again. For CPU times
    and regrets, which do not follow from the moves, only number and range are checked.

    Raises:
        InvalidGame: A value is wrong; the message has the number of the game, the value and the expected value.
    """
    problem = next(_problems(played, rules), None)
    if problem is not None:
        raise InvalidGame(f"game {played.game.number}: {problem}")


def validated_games(file: ResultStore, tournament: Tournament) -> dict[int, PlayedGame]:
    """Load all games of a results file, by number.

    Raises:
        BadFile: A game is not valid or not in the schedule of the tournament.
    """
    results = {played.game.number: played for played in file.all()}
    try:
        for played in results.values():
            validate(played, tournament.rules)
        _validate_schedule(results, tournament)
    except (BadSetup, InvalidGame) as error:
        raise BadFile(f"{file.name} has an invalid result: {error}") from None
    return results


def _validate_schedule(results: dict[int, PlayedGame], tournament: Tournament) -> None:
    """Compare games with the schedule, in which a stage may depend on the games of all stages before it."""
    numbers = sorted(results)
    checked = 0
    for stage in stages(tournament, results):
        first = checked
        while checked < len(numbers) and numbers[checked] in stage.numbers:
            game, scheduled = results[numbers[checked]].game, stage.game(numbers[checked])
            for field in game.__slots__:
                if (value := getattr(game, field)) != (expected := getattr(scheduled, field)):
                    raise InvalidGame(
                        f"game {game.number}: {field} {quote(str(value))} instead of {quote(str(expected))}"
                    )
            checked += 1
        if checked - first < len(stage.numbers):
            break
    if checked < len(numbers):
        raise InvalidGame(f"game {numbers[checked]}: it is not in the schedule")


def _problems(played: PlayedGame, rules: Rules) -> Iterator[str]:
    """All problems of a game. The later ones may be consequences of the first."""
    game, result = played.game, played.result
    opening, plies = len(game.opening), len(result.moves)
    if result.number != game.number:
        yield f"the result is that of game {result.number}"
    if not result.moves.startswith(game.opening):
        yield f"moves {quote(result.moves)} do not begin with the opening {quote(game.opening)}"
    try:
        board = _replay(result.moves + result.line, rules.game)
    except BadPosition as error:
        yield str(error)
        return

    winner = board.winner()
    ended_by_fault = result.ending in (FORFEIT, VOID)
    is_abandoned = ended_by_fault and not result.cpu  # see `game.abandoned_game`: there are no requested moves
    if ended_by_fault:
        yield from _problems_of_fault_end(played, rules, board, is_abandoned)
    else:
        yield from _problems_of_finished(played, rules, board, winner)
    if result.score != (expected := _score(played, winner)):
        yield f"score {result.score} instead of {expected}"
    if result.points != (points := points_of(board)):
        yield f"points {result.points} instead of {points}"

    attempts = 0 if is_abandoned else plies - opening + ended_by_fault
    if len(result.cpu) != attempts:
        yield f"{len(result.cpu)} CPU times for {attempts} attempts"
    if attempts and CELLS - (opening + attempts - 1) <= rules.adjudicate:
        yield f"move {opening + attempts} of a player after the adjudication"
    attempted = range(opening + 1, opening + attempts + 1)
    for fault in result.faults:
        yield from _fault_or_note_problems(fault, FAULTS, range(plies + 1, plies + 2) if ended_by_fault else attempted)
        if (fault.kind == KILLED) != is_abandoned:
            yield f"fault {quote(fault.kind)} after {len(result.cpu)} attempts"
    fault_plies = [fault.ply for fault in result.faults]
    if fault_plies != sorted(set(fault_plies)):
        yield f"faults at moves {fault_plies[:10]}, which is not in order"
    for note in result.notes:
        yield from _fault_or_note_problems(note, NOTES, attempted)

    for seconds in (*result.cpu, result.seconds):
        if not 0 <= seconds < inf:
            yield f"a time of {seconds} s"
    if result.regrets is not None:
        if len(result.regrets) != plies - opening:
            yield f"{len(result.regrets)} regrets for {plies - opening} moves"
        for regret in result.regrets:
            if not 0 <= regret <= LARGEST_REGRET:
                yield f"a regret of {regret}"


def _problems_of_fault_end(played: PlayedGame, rules: Rules, board: Board, is_abandoned: bool) -> Iterator[str]:
    result = played.result
    if result.line:
        yield f"ending {quote(result.ending)} with a line {quote(result.line)}"
    expected = FORFEIT if result.faults and rules.on_fault == LOSE else VOID
    if result.ending != expected:
        yield f"ending {quote(result.ending)} instead of {quote(expected)}"
    if len(result.faults) != 1 and not (is_abandoned and not result.faults):
        yield f"ending {quote(result.ending)} with {len(result.faults)} faults"
    if is_abandoned and result.moves != played.game.opening:
        yield f"moves {quote(result.moves)} after the opening, and no CPU times"
    if not is_abandoned and rules.on_fault == REPLACE:
        yield f"ending {quote(result.ending)}, but on_fault is {quote(REPLACE)}"
    if not is_abandoned and board.is_over():
        yield f"a fault after the last move of {quote(result.moves)}"


def _problems_of_finished(played: PlayedGame, rules: Rules, board: Board, winner: int | None) -> Iterator[str]:
    result = played.result
    is_four = rules.game == "classic" and winner is not None
    expected = ADJUDICATED if result.line else FOUR if is_four else FULL
    if result.ending != expected:
        yield f"ending {quote(result.ending)} instead of {quote(expected)}"
    if not board.is_over():
        yield f"ending {quote(result.ending)}, but the game continues after {quote(result.moves + result.line)}"
    if result.line and (empty := CELLS - len(result.moves)) > rules.adjudicate:
        yield f"adjudicated with {empty} empty cells instead of {rules.adjudicate}"
    if result.faults and rules.on_fault != REPLACE:
        yield f"ending {quote(result.ending)} with a fault"


def _fault_or_note_problems(remark: Fault | Note, kinds: dict[str, str], plies: range) -> Iterator[str]:
    """Problems of a fault or a note. `plies` are the valid ones."""
    if remark.kind not in kinds:
        yield f"unknown fault or note {quote(remark.kind)}"
    if remark.ply not in plies:
        yield f"{quote(remark.kind)} at move {remark.ply}, outside the moves of the players"
    if remark.player not in (RED, GREEN) or (remark.kind != KILLED and remark.player % 2 != remark.ply % 2):
        yield f"{quote(remark.kind)} of player {remark.player} at move {remark.ply}, which is the other player's"


def _score(played: PlayedGame, winner: int | None) -> float | None:
    if played.result.ending == VOID:
        return None
    if played.result.ending == FORFEIT:
        return 0.0 if played.result.faults[0].player == RED else 1.0
    return {RED: 1.0, GREEN: 0.0, None: 0.5}[winner]


def _replay(moves: str, game: str) -> Board:
    """The board after moves. As fours remain, the board before the last move shows whether a classic game was over."""
    board = board_from_moves(moves)
    if game == "classic" and moves:
        last = board.undo()
        if board.points(RED) or board.points(GREEN):
            raise BadPosition(f"moves {quote(moves)} continue after a four")
        board.drop(last)
    board.game = game
    return board
