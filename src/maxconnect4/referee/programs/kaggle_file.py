"""One move by an agent file for Kaggle's ConnectX: `python kaggle_file.py AGENT INPUT OUTPUT SECONDS`.

It is a program of its own, run like any foreign one, and knows nothing of this package. As on Kaggle, the file is
executed, the last thing in it that can be called is the agent, and it is called with an observation and a
configuration, or with as many of the two as it takes. Unlike there it starts anew for each move.
"""

from __future__ import annotations

import operator
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Agent = Callable[..., object]

ACT_TIMEOUT = 2  # seconds, as on Kaggle


class Struct(dict):  # type: ignore[type-arg]
    """A dictionary whose values are attributes too."""

    __setattr__ = dict.__setitem__

    def __getattr__(self, name: str) -> Any:
        """A value by its name; an AttributeError if there is none, as getattr, hasattr and copy expect."""
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def main(agent_file: str, input_file: str, output_file: str, seconds: float) -> None:
    """Read a position, have the agent choose, and write the position after its drop."""
    with open(input_file, encoding="ascii") as file:
        *lines, player = file.read().split()
    rows = [[int(cell) for cell in line] for line in lines]
    chosen = call(agent_in(agent_file), *told(rows, int(player), seconds))
    column = operator.index(chosen)  # type: ignore[arg-type]  # what is no whole number raises, and is seen to
    if column not in open_columns(rows):
        sys.exit(f"the agent chose {column}: the columns that have room are {open_columns(rows)}")
    lowest = [row for row in rows if not row[column]][-1]
    lowest[column] = int(player)
    with open(output_file, "w", encoding="ascii") as file:
        file.writelines("".join(map(str, row)) + "\n" for row in rows)
        file.write(f"{3 - int(player)}\n")


def agent_in(path: str) -> Agent:
    """The agent of a file, which finds modules beside it."""
    with open(path, encoding="utf-8") as file:
        code = compile(file.read(), path, "exec")
    sys.path.append(os.path.dirname(os.path.realpath(path)))
    names: dict[str, Any] = {}
    exec(code, names)
    agents: list[Agent] = [each for each in names.values() if callable(each)]
    if not agents:
        sys.exit(f"there is no function in {path}")
    return agents[-1]


def told(rows: list[list[int]], player: int, seconds: float) -> tuple[Struct, Struct]:
    """The observation and the configuration, of which the former has the cells in one list, the top row first."""
    cells = [cell for row in rows for cell in row]
    act = min(ACT_TIMEOUT, seconds)
    observation = Struct(
        board=cells, mark=player, step=len(cells) - cells.count(0), remainingOverageTime=max(0, seconds - act)
    )
    configuration = Struct(
        columns=len(rows[0]),
        rows=len(rows),
        inarow=4,
        actTimeout=act,
        timeout=act,
        agentTimeout=60,
        episodeSteps=1000,
        runTimeout=1200,
    )
    return observation, configuration


def call(agent: Agent, observation: Struct, configuration: Struct) -> object:
    """What the agent gives for as much as it wants to be told."""
    code = getattr(agent, "__code__", None)
    return agent(*(observation, configuration)[: None if code is None else code.co_argcount])


def open_columns(rows: list[list[int]]) -> list[int]:
    """The columns with room, from 0."""
    return [column for column, cell in enumerate(rows[0]) if not cell]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]))
