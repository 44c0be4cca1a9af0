"""One move by an agent file for Kaggle's ConnectX: `python kaggle_runner.py AGENT INPUT OUTPUT SECONDS`.

The referee runs this file like any external program, so it does not import this package. As on Kaggle, the agent is the
last callable that the executed file defines, and its arguments are an observation and a configuration, or the first of
them. Unlike on Kaggle, each move starts a new process.
"""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Callable
from typing import Any

Agent = Callable[..., object]

ACT_TIMEOUT = 2  # seconds, as on Kaggle


class Struct(dict):  # type: ignore[type-arg]
    """A dictionary whose values are also attributes."""

    __setattr__ = dict.__setitem__

    def __getattr__(self, name: str) -> Any:
        """A value by its name. Raises AttributeError for an unknown name, as getattr, hasattr and copy require."""
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def main(agent_file: str, input_file: str, output_file: str, seconds: float) -> None:
    """Read a position, call the agent, and write the position after its move."""
    with open(input_file, encoding="ascii") as file:
        *lines, player = file.read().split()
    rows = [[int(cell) for cell in line] for line in lines]
    chosen = call(agent_in(agent_file), *agent_arguments(rows, int(player), seconds))
    column = operator.index(chosen)  # type: ignore[arg-type]  # raises TypeError unless it is an integer
    if column not in open_columns(rows):
        sys.exit(f"the agent returned {column}: the open columns, from 0, are {open_columns(rows)}")
    lowest = [row for row in rows if not row[column]][-1]
    lowest[column] = int(player)
    with open(output_file, "w", encoding="ascii") as file:
        file.writelines("".join(map(str, row)) + "\n" for row in rows)
        file.write(f"{3 - int(player)}\n")


def agent_in(path: str) -> Agent:
    """Load the agent of a file, which can import modules from its folder."""
    with open(path, encoding="utf-8") as file:
        code = compile(file.read(), path, "exec")
    sys.path.append(os.path.dirname(os.path.realpath(path)))
    names: dict[str, Any] = {}
    exec(code, names)
    agents: list[Agent] = [each for each in names.values() if callable(each)]
    if not agents:
        sys.exit(f"{path} defines no function: the last one is the agent")
    return agents[-1]


def agent_arguments(rows: list[list[int]], player: int, seconds: float) -> tuple[Struct, Struct]:
    """The observation, with the cells of all rows in one list from the top row, and the configuration."""
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
    """Call the agent with the observation, the configuration or both, depending on its number of parameters."""
    code = getattr(agent, "__code__", None)
    return agent(*(observation, configuration)[: None if code is None else code.co_argcount])


def open_columns(rows: list[list[int]]) -> list[int]:
    """The columns that are not full, from 0."""
    return [column for column, cell in enumerate(rows[0]) if not cell]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]))
