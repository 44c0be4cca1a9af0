"""The files that the documents show: each is read by what reads such files, and the values in them are true."""

from __future__ import annotations

from pathlib import Path

import yaml
from test_docs import blocks

from maxconnect4 import Solver, board_from_moves, read_board
from maxconnect4.benchmark.positions import read_positions
from maxconnect4.referee.config import read_tournament
from maxconnect4.referee.openings import openings_from


def test_the_position_file_of_the_rules_is_one(tmp_path: Path) -> None:
    path = tmp_path / "input.txt"
    path.write_text(blocks("docs/explanation/rules.md", "text")[0])
    assert read_board(path).pieces() == 12


def test_the_tournament_file_of_the_reference_is_one(tmp_path: Path) -> None:
    """With two students, and the programs that its commands name."""
    for name in ("students/ada/main.py", "students/bob/main.py", "others/jacob/maxconnect4.class"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    (tmp_path / "class.toml").write_text(blocks("docs/reference/tournament-file.md", "toml")[0])
    tournament = read_tournament(str(tmp_path / "class.toml"))
    assert tournament.names == ["ada", "bob", "jacob", "random", "search, depth 4", "level:3"]
    assert len(tournament.openings) == 2


def test_the_openings_and_the_set_of_positions_are_such(tmp_path: Path) -> None:
    openings, positions = blocks("docs/reference/formats.md", "text")
    (tmp_path / "openings.txt").write_text(openings)
    (tmp_path / "positions.tsv").write_text(positions)
    assert openings_from(str(tmp_path / "openings.txt")) == ["", "44535", "1271"]
    assert len(read_positions(str(tmp_path / "positions.tsv"))) == 2
    solver = Solver()
    for line in positions.splitlines()[2:]:
        moves, value, *scores = line.split("\t")
        found = solver.analyse(board_from_moves(moves))
        assert [found.value, *(found.scores or [])] == [int(value), *(None if it == "." else int(it) for it in scores)]


def test_the_files_for_a_cluster_can_be_read() -> None:
    (manifest,) = blocks("docs/how-to/cluster.md", "yaml")
    kinds = [part["kind"] for part in yaml.safe_load_all(manifest)]
    assert kinds.count("Deployment") == 2
    (script,) = blocks("docs/how-to/cluster.md", "py")
    compile(script, "cluster.md", "exec")
