"""Data sets, read back by NumPy and PyArrow."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from plain_minimax import as_score, column_values
from positions import WorkersInProcess
from pyarrow import parquet
from terminal import maxconnect4

from maxconnect4 import Board, Solver, board_from_moves
from maxconnect4.benchmark.datasets import FULL_COLUMN, Recipe, build_positions, check_dataset_support, format_dataset
from maxconnect4.errors import PackageMissing
from maxconnect4.position_keys import key_of

GAMES = ("max", "classic")
Scores = tuple[int | None, ...]


@pytest.fixture(scope="module", params=GAMES)
def made(request: pytest.FixtureRequest) -> tuple[Recipe, list[tuple[str, Scores]]]:
    recipe = Recipe(24, 34, 44, 3, game=request.param, every=True)
    return recipe, build_positions(recipe, WorkersInProcess(recipe.game))


def test_the_scores_are_those_of_the_solver_and_some_show_no_strength(
    made: tuple[Recipe, list[tuple[str, Scores]]],
) -> None:
    recipe, entries = made
    solver = Solver(16 << 20, 1)
    boards = [board_from_moves(moves, recipe.game) for moves, _ in entries]
    assert [list(scores) for _, scores in entries] == [solver.analyse(board, line=False).scores for board in boards]
    assert any(len(set(scores) - {None}) == 1 for _, scores in entries)
    assert not any(board.is_over() for board in boards)
    assert any(None in scores for _, scores in entries)


@pytest.mark.parametrize(("earliest", "count"), [(34, 6), pytest.param(36, 16, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", GAMES)
def test_the_scores_of_late_positions_are_those_of_a_search_to_the_end(game: str, earliest: int, count: int) -> None:
    recipe = Recipe(earliest, earliest + 3, count, 5, game=game)
    for moves, scores in build_positions(recipe, WorkersInProcess(game)):
        board = board_from_moves(moves, game)
        values = column_values(board, 42, "margin")
        worth = values if game == "max" else {column: as_score(board, value) for column, value in values.items()}
        assert list(scores) == [worth.get(column) for column in board.all_columns()]


def test_parquet_has_a_row_for_each_position(made: tuple[Recipe, list[tuple[str, Scores]]], tmp_path: Path) -> None:
    recipe, entries = made
    (tmp_path / "set.parquet").write_bytes(format_dataset("set.parquet", recipe, entries))
    table = parquet.read_table(tmp_path / "set.parquet")
    assert table.schema.field("board").type == pyarrow.list_(pyarrow.int8(), 42)
    assert table.schema.metadata[b"command"].decode() == recipe.command
    rows = table.to_pylist()
    assert [(row["moves"], tuple(row["scores"])) for row in rows] == entries
    for row in rows:
        board = Board.from_rows([row["board"][at : at + 7] for at in range(0, 42, 7)], row["game"])
        assert board == board_from_moves(row["moves"], recipe.game)
        assert (row["to_move"], row["key"]) == (board.to_move, key_of(board))
        assert row["value"] == max(score for score in row["scores"] if score is not None)
        assert [score is None for score in row["scores"]] == [len(board.stack(each)) == 6 for each in range(1, 8)]


def test_numpy_has_an_array_for_each_property(made: tuple[Recipe, list[tuple[str, Scores]]], tmp_path: Path) -> None:
    recipe, entries = made
    (tmp_path / "set.npz").write_bytes(format_dataset("set.npz", recipe, entries))
    with np.load(tmp_path / "set.npz", allow_pickle=False) as arrays:
        found = dict(arrays)
    assert (str(found["game"]), str(found["command"])) == (recipe.game, recipe.command)
    assert found["boards"].shape == (len(entries), 6, 7)
    assert found["boards"].dtype == found["scores"].dtype == np.int8
    assert found["moves"].tolist() == [moves for moves, _ in entries]
    boards = [Board.from_rows(rows, recipe.game) for rows in found["boards"].tolist()]
    assert boards == [board_from_moves(moves, recipe.game) for moves, _ in entries]
    assert found["to_move"].tolist() == [board.to_move for board in boards]
    assert found["keys"].tolist() == [key_of(board) for board in boards]
    scores = np.ma.array(found["scores"], mask=~found["has_room"])
    assert [tuple(each) for each in scores.tolist()] == [scores for _, scores in entries]
    assert (found["scores"][~found["has_room"]] == FULL_COLUMN).all()
    assert found["values"].tolist() == scores.max(axis=1).tolist()


@pytest.mark.parametrize("name", ["set.parquet", "set.npz"])
def test_the_same_set_gives_the_same_bytes(made: tuple[Recipe, list[tuple[str, Scores]]], name: str) -> None:
    assert format_dataset(name, *made) == format_dataset(name, *made)


def test_the_suffix_of_the_file_selects_the_format(tmp_path: Path) -> None:
    words = ("positions", "--plies", "28-30", "--count", "9", "--seed", "4", "--threads", "1")
    for name in ("set.tsv", "set.npz", "SET.PARQUET"):
        done = maxconnect4(*words, "-o", name, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
    lines = (tmp_path / "set.tsv").read_text().splitlines()
    moves = [line.split("\t")[0] for line in lines if not line.startswith("#")][1:]
    assert np.load(tmp_path / "set.npz")["moves"].tolist() == moves
    assert parquet.read_table(tmp_path / "SET.PARQUET")["moves"].to_pylist() == moves


def test_all_positions_may_be_written_and_the_header_has_the_command() -> None:
    words = ("positions", "--plies", "38", "--count", "12", "--threads", "1")
    some, every = maxconnect4(*words).stdout, maxconnect4(*words, "--all").stdout
    positions = [{line for line in text.splitlines() if line[0].isdigit()} for text in (some, every)]
    assert [len(lines) for lines in positions] == [12, 12]
    assert positions[0] != positions[1]
    command = next(line for line in every.splitlines() if line.startswith("# maxconnect4 positions "))
    assert maxconnect4(*command.split()[2:], "--threads", "1").stdout == every
    assert "are omitted" in some
    assert "are omitted" not in every


def test_parquet_without_pyarrow_is_refused_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    check_dataset_support("set.npz")
    with pytest.raises(PackageMissing) as refusal:
        check_dataset_support("set.parquet")
    assert str(refusal.value) == "pyarrow is not installed: pip install 'maxconnect4[datasets]'"
