from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from terminal import maxconnect4

from maxconnect4 import board_from_moves
from maxconnect4.search_tree import search_tree, tree_to_dict
from maxconnect4.search_tree_svg import tree_svg

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
TOLD = """\
MAX red: -66 (alpha -inf, beta inf) *
    4: MIN green: -66 (alpha -inf, beta inf) *
        leaves 4: -66 *, 3: -37, 5: -24, 2: 86, 6: 52, 1: 70, 7: 36
    3: MIN green: at most -115 (alpha -66, beta inf)
        leaves 4: -115
        cut off 3 5 2 6 1 7: value -115 is at most alpha -66, known from 4: red would avoid this position
"""


def test_the_tree_is_printed_with_its_cut_offs() -> None:
    done = maxconnect4("tree", "4453")
    assert (done.returncode, done.stderr) == (0, "")
    assert TOLD in done.stdout
    assert done.stdout.endswith("\nRed plays column 4, value -66: 21 of 57 nodes visited, 63 % pruned.\n")
    assert "Points: red O 0, green X 0" in done.stdout


def test_plain_minimax_has_neither_alpha_nor_cuts() -> None:
    done = maxconnect4("tree", "4453", "--no-pruning", "--eval", "margin")
    assert "alpha" not in done.stdout
    assert "cut off" not in done.stdout
    assert done.stdout.endswith("value 0: 57 of 57 nodes visited, 21 with pruning.\n")


def test_a_tree_with_finished_games_is_printed_in_the_order_of_visits() -> None:
    lines = maxconnect4("tree", "121212", "--game", "classic", "--order", "left").stdout.splitlines()
    start = lines.index("MAX red: win in 1 (alpha -inf, beta inf) *")
    assert lines[start + 1] == "    leaves 1: win in 1 *"
    assert lines[start + 2] == "    2: MIN green: at most 200 (alpha win in 1, beta inf)"


def test_the_picture_goes_to_a_file_or_to_standard_output(tmp_path: Path) -> None:
    expected = tree_svg(search_tree(board_from_moves("4453"), 3, "lines"))
    done = maxconnect4("tree", "4453", "--depth", "3", "--eval", "lines", "-o", tmp_path / "tree.svg")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"\n{tmp_path / 'tree.svg'} is drawn.\n")
    assert (tmp_path / "tree.svg").read_text() == expected
    assert maxconnect4("tree", "4453", "--depth", "3", "--eval", "lines", "--output", "-").stdout == expected
    assert ElementTree.fromstring(expected).tag.endswith("svg")


def test_the_picture_in_the_documents_is_the_one_that_the_command_draws() -> None:
    assert (PICTURES / "tree.svg").read_text() == maxconnect4("tree", "4453", "-o", "-").stdout


def test_json_has_every_node() -> None:
    done = maxconnect4("tree", "4453", "--json", "--order=left")
    assert done.stdout.count("\n") == 1
    expected = tree_to_dict(search_tree(board_from_moves("4453"), 2, order="left"))
    assert json.loads(done.stdout) == {"version": 1, **json.loads(json.dumps(expected))}


def test_the_empty_board_is_the_default_and_a_file_is_read(tmp_path: Path) -> None:
    assert "value -38" in maxconnect4("tree").stdout
    (tmp_path / "position.txt").write_text("0000000\n" * 6 + "1\n")
    assert maxconnect4("tree", tmp_path / "position.txt").stdout == maxconnect4("tree").stdout


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (["4453", "--depth", "5"], 2, "'5' is not a number of plies from 1 to 4"),
        (["4453", "--depth", "0"], 2, "'0' is not a number of plies from 1 to 4"),
        (["4453", "--json", "-o", "x.svg"], 2, "give --json or -o, not both"),
        (["4453", "-o", "x.png"], 2, "-o draws SVG, not PNG: give it the name of an .svg file"),
        (["448"], 3, "there is no column 8"),
        (["1212121", "--game", "classic"], 3, "the game is over: there is nothing to search"),
        (["4453", "-o", "nowhere/tree.svg"], 1, "there is no folder"),
    ],
)
def test_invalid_input_is_one_line(words: list[str], code: int, complaint: str, tmp_path: Path) -> None:
    done = maxconnect4("tree", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (code, "")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
