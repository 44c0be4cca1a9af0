"""Solve classic positions with BitBully, for measure_classic.py; run by a Python that has it, without this package.

Each line of standard input is a JSON list of move strings; the answer is one of values, CPU seconds and nodes.
"""

import json
import sys
import time

from bitbully import bitbully_core


def main() -> None:
    solver = bitbully_core.BitBullyCore()
    for line in sys.stdin:
        rows = [solved(solver, moves) for moves in json.loads(line)]
        print(json.dumps(rows), flush=True)


def solved(solver: "bitbully_core.BitBullyCore", moves: str) -> tuple[int, float, int]:
    board = bitbully_core.BoardCore()
    for column in moves:
        assert board.play(int(column) - 1)
    solver.resetTranspositionTable()
    solver.resetNodeCounter()
    start = time.process_time()
    value = solver.mtdf(board, 0)
    return value, time.process_time() - start, solver.getNodeCounter()


if __name__ == "__main__":
    main()
