"""Results for the tests of reports: real games from random openings, with everything that can happen in them."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from itertools import combinations

from positions import FULL as FULL_BOARD

from maxconnect4 import GREEN, RED, Board, board_from_moves, choose
from maxconnect4.position_file import board_as_text
from maxconnect4.referee.game import ADJUDICATED, FORFEIT, FULL, VOID, GameResult, PlayedGame, ScheduledGame
from maxconnect4.referee.move_validation import Fault, Note

HOSTILE = "</script><img src=x onerror=alert(1)>"
EVIDENCE = "\x00\x1b[31mred\x1b[0m <b>&amp; \ud800 \u202e\u061c }} {{data}} </pre></script>\n"


def four_games() -> list[PlayedGame]:
    """Two pairs of ada and bob with numbers to check by hand: a forfeit, a void game, an adjudicated and a full one."""
    wall = "column {3} is full"
    fault = Fault("illegal move", GREEN, 6, wall, input="0000000\n", output=" \n", printed="first\n\nlast\n")
    columns, early = FULL_BOARD, FULL_BOARD[:36]
    return [
        PlayedGame(
            ScheduledGame(1, 1, 1, "ada", "bob", "443"),
            GameResult(
                1, "44351", FORFEIT, 1.0, (0, 0), (0.25, 0.003, 1.5), 2.0,
                faults=(fault,), notes=(Note("exit code", RED, 5),), regrets=(2, 1),
            ),
        ),
        PlayedGame(
            ScheduledGame(2, 1, 1, "bob", "ada", "443"),
            GameResult(2, "4435", VOID, None, (0, 0), (0.5, 0.1), 1.0, faults=(Fault("no output", RED, 5, "no file"),)),
        ),
        PlayedGame(
            ScheduledGame(3, 2, 2, "ada", "bob", early),
            GameResult(
                3, columns[:40], ADJUDICATED, 1.0, (13, 11), (0.001, 0.002, 0.003, 0.004), 1.2346,
                line=columns[40:], regrets=(0, 1, 3, 0),
            ),
        ),
        PlayedGame(
            ScheduledGame(4, 2, 2, "bob", "ada", early),
            GameResult(
                4, columns, FULL, 0.5, (12, 12), (0.001, 0.002, 0.003, 0.004, 0.005, 0.006), 0.5,
                notes=(Note("exit code", GREEN, 38), Note("exit code", GREEN, 40), Note("line ends", RED, 41)),
            ),
        ),
    ]  # fmt: skip


def results_of(names: list[str], seed: int = 1, pairs: int = 1) -> list[PlayedGame]:
    """Everybody meets everybody in so many pairs of games; players look 0 to 2 plies ahead, by their place."""
    rng = random.Random(seed)
    depths = {name: place % 3 for place, name in enumerate(names)}
    results: list[PlayedGame] = []
    for round_ in range(1, pairs + 1):
        for one, other in combinations(names, 2):
            opening = _random_moves(rng, 3 + round_ % 2)
            for red, green in ((one, other), (other, one)):
                number = len(results) + 1
                game = ScheduledGame(number, round_, (number + 1) // 2, red, green, opening)
                results.append(PlayedGame(game, _played(game, depths, rng)))
    return results


def with_everything(names: list[str]) -> list[PlayedGame]:
    """Games of all endings, with faults, notes and reviews among them."""
    results = results_of(names, pairs=2)
    for index, change in enumerate((_forfeited, _noted, _void, _adjudicated, _reviewed)):
        results[index] = PlayedGame(results[index].game, change(results[index].result))
    return results


def many_results(names: list[str], rng: random.Random) -> list[PlayedGame]:
    """A pair for each two players, all with random moves."""
    results: list[PlayedGame] = []
    for one, other in combinations(names, 2):
        for red, green in ((one, other), (other, one)):
            number = len(results) + 1
            moves = _random_moves(rng, 42)
            cpu = tuple(rng.lognormvariate(-4, 1) for _ in range(38))
            points = rng.randrange(8), rng.randrange(8)
            score = 0.5 if points[0] == points[1] else float(points[0] > points[1])
            regrets = tuple(rng.choice((0, 0, 1)) for _ in range(38))
            result = GameResult(number, moves, FULL, score, points, cpu, sum(cpu), regrets=regrets)
            results.append(PlayedGame(ScheduledGame(number, 1, (number + 1) // 2, red, green, moves[:4]), result))
    return results


def _random_moves(rng: random.Random, plies: int) -> str:
    board = Board()
    while board.pieces() < plies:
        board.drop(rng.choice(board.columns()))
    return board.moves or ""


def _played(game: ScheduledGame, depths: dict[str, int], rng: random.Random) -> GameResult:
    board = board_from_moves(game.opening)
    cpu = []
    begin = time.perf_counter()
    while not board.is_over():
        depth = depths[game.name(board.to_move)]
        before = time.process_time()
        board.drop(choose(board, depth=depth).column if depth else rng.choice(board.columns()))
        cpu.append(time.process_time() - before)
    score = {None: 0.5, RED: 1.0, GREEN: 0.0}[board.winner()]
    points = board.points(RED), board.points(GREEN)
    return GameResult(game.number, board.moves or "", FULL, score, points, tuple(cpu), time.perf_counter() - begin)


def _cut(result: GameResult, plies: int) -> GameResult:
    board = board_from_moves(result.moves[:plies])
    points = board.points(RED), board.points(GREEN)
    return replace(result, moves=result.moves[:plies], points=points, cpu=result.cpu[: plies - len(result.moves)])


def _forfeited(result: GameResult) -> GameResult:
    cut = _cut(result, 20)
    text = board_as_text(cut.board())
    fault = Fault("illegal move", RED, 21, "column 3 is full", text, EVIDENCE, EVIDENCE)
    return replace(cut, ending=FORFEIT, score=0.0, faults=(fault,), cpu=(*cut.cpu, 0.5))


def _noted(result: GameResult) -> GameResult:
    return replace(result, notes=tuple(Note("exit code", GREEN, ply) for ply in range(6, 42, 2)))


def _void(result: GameResult) -> GameResult:
    return replace(_cut(result, 11), ending=VOID, score=None, faults=(Fault("no output", GREEN, 12, "no file"),))


def _adjudicated(result: GameResult) -> GameResult:
    cut = _cut(result, 30)
    return replace(cut, ending=ADJUDICATED, line=result.moves[30:], points=result.points)


def _reviewed(result: GameResult) -> GameResult:
    return replace(result, regrets=tuple(index % 4 // 3 for index in range(len(result.cpu))))
