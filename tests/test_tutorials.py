"""The examples of the tutorials and guides: the agent searches like plain minimax, passes `check` and beats `random`.

tests/test_docs.py runs the commands of the page.
"""

from __future__ import annotations

import ast
import json
import random
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from plain_minimax import minimax_choice
from positions import exact_positions, random_board
from terminal import maxconnect4

from maxconnect4 import Board, board_from_moves, read_board, write_board
from maxconnect4.benchmark.positions import EXACT

STEPS = sorted((Path(__file__).parent.parent / "examples" / "agent").glob("step*.py"))
SEARCHING = ("step3", "step4")  # with the margin as evaluation


@pytest.fixture
def step(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, ModuleType]]:
    """The steps as modules."""
    monkeypatch.syspath_prepend(str(STEPS[0].parent))
    yield {path.stem: import_module(path.stem) for path in STEPS}
    for path in STEPS:
        sys.modules.pop(path.stem)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the agent."""
    shutil.copy(STEPS[-1], tmp_path)
    return tmp_path


def chosen(module: ModuleType, board: Board, depth: int) -> int:
    column: int = module.choose({c: list(board.stack(c)) for c in board.all_columns()}, board.to_move, depth)
    return column


def mean_regret(module: ModuleType, depth: int) -> float:
    positions = exact_positions()
    regrets = []
    for moves, value, scores in positions:
        score = scores[chosen(module, board_from_moves(moves), depth) - 1]
        assert score is not None
        regrets.append(value - score)
    return sum(regrets) / len(regrets)


def test_there_are_six_steps_which_import_nothing_but_sys() -> None:
    assert [path.name for path in STEPS] == [f"step{number}.py" for number in range(1, 7)]
    for path in STEPS:
        tree = ast.parse(path.read_text())
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        assert [ast.unparse(node) for node in imports] == ["import sys"]


@pytest.mark.parametrize("positions", [15, pytest.param(200, marks=pytest.mark.long)])
def test_both_searches_choose_the_column_of_plain_minimax(step: dict[str, ModuleType], positions: int) -> None:
    rng = random.Random(positions)
    for _ in range(positions):
        board, depth = random_board(rng, rng.randrange(42)), rng.randrange(1, 4)
        column, _ = minimax_choice(board, depth, "margin")
        assert [chosen(step[name], board, depth) for name in SEARCHING] == [column, column], board


def test_the_evaluation_has_less_regret_than_the_margin(step: dict[str, ModuleType]) -> None:
    assert mean_regret(step["step5"], 2) < mean_regret(step["step4"], 2)


def test_every_step_reads_and_writes_positions(step: dict[str, ModuleType], tmp_path: Path) -> None:
    rng = random.Random(1)
    before, after = tmp_path / "before.txt", tmp_path / "after.txt"
    for plies in (0, 1, 20, 41):
        board = random_board(rng, plies)
        write_board(board, before)
        for module in step.values():
            module.write_position(after, *module.read_position(before))
            assert read_board(after) == read_board(before)


@pytest.mark.parametrize(
    "options",
    [("--depth", "2", "--deepest", "2", "--positions", "3"), pytest.param((), marks=pytest.mark.long)],
    ids=["small", "default"],
)
def test_the_agent_passes_the_check(folder: Path, options: tuple[str, ...]) -> None:
    done = maxconnect4("check", "python3 step6.py", *options, "--json", cwd=folder)
    assert done.returncode == 0, done.stdout
    report = json.loads(done.stdout)
    assert report["passed"]
    assert report["strength"]["positions"] == (3 if options else 40)


@pytest.mark.parametrize(("games", "depth"), [(2, 2), pytest.param(20, 4, marks=pytest.mark.long)])
def test_the_agent_beats_a_random_player(folder: Path, games: int, depth: int) -> None:
    openings = f"random:plies=4,count={games // 2}"
    words = ("match", "python3 step6.py", "random", "--depth", str(depth), "--openings", openings, "--json")
    done = maxconnect4(*words, cwd=folder)
    assert done.returncode == 0, done.stderr
    first, second = json.loads(done.stdout)["standings"]
    assert (first["name"], second["name"]) == ("step6", "random")
    assert first["score"] >= 0.9 * games
    assert not first["faults"]


@pytest.mark.long
def test_the_report_of_the_agent_is_made(folder: Path) -> None:
    (folder / "evaluation.md").write_text("My evaluation counts windows.\n")
    (folder / "few.tsv").write_text("".join(Path(EXACT).read_text().splitlines(keepends=True)[-3:]))
    words = ("--about", "evaluation.md", "--author", "Ada Lovelace", "-o", "report")
    less = ("--deepest", "2", "--games", "2", "--positions", "few.tsv")
    done = maxconnect4("report", "python3 step6.py", *words, *less, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "My evaluation counts windows." in (folder / "report.html").read_text()
