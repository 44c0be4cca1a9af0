"""`maxconnect4 book`, as a user types it. Building is in test_book_builder."""

from __future__ import annotations

import json
import random
import shutil
from functools import cache
from pathlib import Path
from zlib import crc32

import pytest
from book_states import quick_positions
from terminal import maxconnect4

from maxconnect4 import board_from_moves
from maxconnect4.book import Book, save_book, shipped_book
from maxconnect4.book_builder import BookState, SolvedPosition
from maxconnect4.position_file import board_as_text
from maxconnect4.position_keys import key_of, layers, moves_from_key, plies_from_key

SMALL = 5  # plies of a book that is made in no time


@cache
def small_book() -> dict[int, int]:
    """The values of all positions up to SMALL plies."""
    return {key: value for key, value in shipped_book() if plies_from_key(key) <= SMALL}


@cache
def deepest() -> dict[int, int]:
    """The values of the positions after SMALL plies."""
    return {key: value for key, value in small_book().items() if plies_from_key(key) == SMALL}


def test_help_lists_the_commands_and_each_has_its_own() -> None:
    done = maxconnect4("book", "--help")
    assert done.returncode == 0
    for name in ("lookup", "stats", "verify", "build", "merge", "export"):
        assert f"\n  {name} " in done.stdout
        assert maxconnect4("book", name, "--help").stdout.startswith(f"usage: maxconnect4 book {name} ")
    assert maxconnect4("book").returncode == 2
    done = maxconnect4("book", "burn")
    assert done.returncode == 2
    assert done.stderr == (
        "maxconnect4: there is no command 'book burn': the commands are lookup, stats, verify, build, merge, export "
        "(see maxconnect4 book --help)\n"
    )


# lookup


def test_lookup_gives_the_margin_of_each_column() -> None:
    done = maxconnect4("book", "lookup")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Red to move. With perfect play the game is a draw." in done.stdout
    assert "column     1     2     3     4     5     6     7\n" in done.stdout
    assert "margin    -1    -1     0     0     0    -1    -1\n" in done.stdout
    facts = json.loads(maxconnect4("book", "lookup", "4", "--json").stdout)
    assert facts == {
        "version": 1,
        "game": "max",
        "moves": "4",
        "to_move": 2,
        "value": 0,
        "scores": [0] * 7,
        "source": "book",
    }


def test_lookup_has_the_deepest_positions_and_an_error_beyond_them() -> None:
    moves = moves_from_key(next(key for key, _ in shipped_book() if plies_from_key(key) == shipped_book().plies))
    facts = json.loads(maxconnect4("book", "lookup", moves, "--json").stdout)
    assert (facts["value"], facts["scores"]) == (shipped_book().value(board_from_moves(moves)), None)
    done = maxconnect4("book", "lookup", "4444443333335")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"maxconnect4: the book ends after {shipped_book().plies} plies, and this position has 13 pieces: "
        "'maxconnect4 analyse' solves it\n"
    )
    upside_down = "0000000\n" * 4 + "1000000\n2000000\n1\n"
    done = maxconnect4("book", "lookup", "-", input=upside_down)
    assert done.returncode == 1
    assert done.stderr == "maxconnect4: the book does not have this position: no game leads to it\n"


# stats and export


def test_a_classic_game_that_is_won_is_not_looked_up(tmp_path: Path) -> None:
    save_book(str(tmp_path / "classic.book"), {key_of(board_from_moves("")): 1}, 7, {}, "classic")
    done = maxconnect4("book", "lookup", "1212121", "--book", tmp_path / "classic.book")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "maxconnect4: the book does not have this position: the game is over\n"


def test_a_book_of_the_other_game_is_refused_or_done_without(tmp_path: Path) -> None:
    path = str(tmp_path / "max.book")
    save_book(path, {key_of(board_from_moves("")): 7}, 0, {})
    assert json.loads(maxconnect4("book", "lookup", "--book", path, "--json").stdout)["value"] == 7
    done = maxconnect4("book", "lookup", "--book", path, "--game", "classic")
    wrong = f"maxconnect4: {path} is a book of the game max, not classic"
    assert (done.returncode, done.stdout, done.stderr) == (3, "", f"{wrong}\n")
    (tmp_path / "in.txt").write_text(board_as_text(board_from_moves("121212")))
    words = ("one-move", "in.txt", "out.txt", "perfect", "--book", path, "--game", "classic")
    done = maxconnect4(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, f"{wrong}; continuing without a book\n")


def test_a_book_of_the_other_game_is_not_overwritten(tmp_path: Path) -> None:
    shutil.copy(shipped_book().path, tmp_path / "opening.book")
    done = maxconnect4("book", "build", "--game", "classic", "--plies", "1", cwd=tmp_path)
    wrong = "maxconnect4: opening.book exists and is a book of the game max: use another file with --book\n"
    assert (done.returncode, done.stdout, done.stderr) == (3, "", wrong)
    assert [path.name for path in tmp_path.iterdir()] == ["opening.book"]


def test_stats_count_every_position() -> None:
    done = maxconnect4("book", "stats")
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["plies", "positions", "wins", "draws", "losses", "least", "most"]
    assert lines[1].split() == ["0", "1", "0", "1", "0", "0", "0"]
    assert f"{len(shipped_book()):,} positions up to {shipped_book().plies} plies in " in done.stdout
    facts = json.loads(maxconnect4("book", "stats", "--json").stdout)
    assert facts["positions"] == len(shipped_book()) == sum(sum(layer.values()) for layer in facts["values"].values())
    assert facts["made"] == shipped_book().made
    assert facts["bytes"] == Path(shipped_book().path).stat().st_size


@pytest.mark.parametrize("plies", [3, pytest.param(6, marks=pytest.mark.long)])
def test_export_names_every_position_by_moves_that_lead_to_it(plies: int) -> None:
    lines = maxconnect4("book", "export", "--plies", str(plies)).stdout.splitlines()
    assert lines[0] == "plies\tmoves\tvalue"
    assert len(lines) == sum(map(len, layers(plies))) + 1
    for line in [*lines[1:50], *random.Random(1).sample(lines[50:], min(200, len(lines) - 50))]:
        length, moves, value = line.split("\t")
        assert len(moves) == int(length)
        assert shipped_book().value(board_from_moves(moves)) == int(value)
    assert maxconnect4("book", "export", "--plies", "1").stdout == "plies\tmoves\tvalue\n0\t\t0\n" + "".join(
        line + "\n" for line in lines if line.startswith("1\t")
    )


# verify


def seed_of_quick_sample(book: Book) -> int:
    """The seed of a sample of two positions of the classic game that are solved in milliseconds."""
    entries, quick = list(book), set(quick_positions())
    return next(seed for seed in range(10**6) if all(key in quick for key, _ in random.Random(seed).sample(entries, 2)))


@pytest.mark.parametrize(("game", "sample"), [("classic", 2), pytest.param("max", 3, marks=pytest.mark.long)])
def test_verify_solves_a_sample_again(game: str, sample: int) -> None:
    book = shipped_book(game)
    seed = seed_of_quick_sample(book) if game == "classic" else 5
    done = maxconnect4("book", "verify", "--game", game, "--sample", str(sample), "--seed", str(seed))
    assert (done.returncode, done.stderr) == (0, "")
    lines = [
        f"{len(book):,} positions up to {book.plies} plies: complete, and the values agree.",
        f"{sample} of them solved again: every value is correct.",
    ]
    if book.layer is not None:
        lines.append(f"{sample} random positions after {book.layer.plies} plies solved again: every value is correct.")
    assert done.stdout.splitlines() == lines


def changed(path: Path, plies: int, drop: bool = False) -> str:
    """A book in which one value is wrong, or missing."""
    values = dict(small_book())
    key = next(key for key in sorted(values, reverse=True) if plies_from_key(key) == plies)
    values[key] += 1
    if drop:
        del values[key]
    save_book(str(path), values, SMALL, {})
    return moves_from_key(key)


def test_verify_finds_a_value_that_is_not_the_best_of_what_follows(tmp_path: Path) -> None:
    moves = changed(tmp_path / "bad.book", SMALL - 1)
    done = maxconnect4("book", "verify", "--book", "bad.book", cwd=tmp_path)
    assert done.returncode == 1
    assert "faults.\n" in done.stdout or "1 fault.\n" in done.stdout
    assert f"'{moves}' has the value " in done.stdout
    assert "solved again" not in done.stdout


def test_verify_finds_a_position_that_is_missing(tmp_path: Path) -> None:
    moves = changed(tmp_path / "bad.book", SMALL, drop=True)
    done = maxconnect4("book", "verify", "--book", "bad.book", cwd=tmp_path)
    assert done.returncode == 1
    assert f"1 fault.\n  '{moves}' is missing\n" in done.stdout


def test_verify_finds_entries_that_are_out_of_order(tmp_path: Path) -> None:
    save_book(str(tmp_path / "bad.book"), small_book(), SMALL, {})
    title, _, rest = (tmp_path / "bad.book").read_bytes().split(b"\n", 2)
    line, _, entries = rest.partition(b"\n")
    body = line + b"\n" + entries[8 * 100 :] + entries[: 8 * 100]
    (tmp_path / "bad.book").write_bytes(title + b"\n%08x\n" % crc32(body) + body)
    done = maxconnect4("book", "verify", "--book", "bad.book", "--sample", "0", cwd=tmp_path)
    assert done.returncode == 1
    assert "' is missing\n" in done.stdout


def test_verify_finds_what_only_the_solver_can_find(tmp_path: Path) -> None:
    """A book whose values fit together, and are all wrong: one point less for red."""
    book = shipped_book("classic")
    shifted = {key: value + (1 if plies_from_key(key) % 2 else -1) for key, value in book}
    save_book(str(tmp_path / "bad.book"), shifted, book.plies, {}, "classic")
    words = ("--book", "bad.book", "--sample", "2", "--seed", str(seed_of_quick_sample(book)))
    done = maxconnect4("book", "verify", *words, cwd=tmp_path)
    assert done.returncode == 1
    assert "complete, and the values agree.\n2 of them solved again: 2 faults.\n" in done.stdout
    assert "but the solver finds" in done.stdout


# merge


def state_with(path: Path, keys: list[int]) -> None:
    with BookState(str(path)) as state:
        state.add(SolvedPosition(key, deepest()[key], 10, 0.5) for key in keys)


def test_parts_come_together_and_make_a_book(tmp_path: Path) -> None:
    keys = sorted(deepest())
    middle = len(keys) // 2
    state_with(tmp_path / "one", keys[:middle])
    state_with(tmp_path / "two", keys[middle - 10 :])
    done = maxconnect4("book", "merge", "book.sqlite", "one", "two", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{len(keys):,} of {len(keys) + 10:,} positions were added to book.sqlite.\n"
    again = maxconnect4("book", "merge", "book.sqlite", "one", cwd=tmp_path)
    assert again.stdout == f"0 of {middle:,} positions were added to book.sqlite.\n"
    done = maxconnect4("book", "build", "--plies", str(SMALL), cwd=tmp_path)
    assert done.stdout == f"opening.book has all {len(small_book()):,} positions up to {SMALL} plies.\n"
    book = Book(str(tmp_path / "opening.book"))
    assert dict(book) == small_book()
    assert book.made["nodes"] == 10 * len(keys)


def test_a_book_can_be_merged_too(tmp_path: Path) -> None:
    save_book(str(tmp_path / "old.book"), small_book(), SMALL, {})
    done = maxconnect4("book", "merge", "new", "old.book", cwd=tmp_path)
    assert done.stdout == f"{len(small_book()):,} of {len(small_book()):,} positions were added to new.\n"


def test_files_that_disagree_are_not_merged(tmp_path: Path) -> None:
    key = next(iter(deepest()))
    state_with(tmp_path / "one", [key])
    with BookState(str(tmp_path / "two")) as state:
        state.add(
            [SolvedPosition(key, deepest()[key] + 1, 1, 0.0), SolvedPosition(key_of(board_from_moves("12")), 0, 1, 0.0)]
        )
    done = maxconnect4("book", "merge", "one", "two", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    value = deepest()[key]
    words = f"maxconnect4: one has the value {value} for '{moves_from_key(key)}': the new value is {value + 1}\n"
    assert done.stderr == words
    with BookState(str(tmp_path / "one")) as state:
        assert state.values() == {key: value}


# What is refused


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["build", "--plies", "15"], 2, "--plies: '15' is not a number of plies from 1 to 14"),
        (["build", "--part", "3/2"], 2, "--part: '3/2' is not a part"),
        (["build", "--processes", "0"], 2, "--processes: '0' is not a number of processes from 1 to 1,024"),
        (["build", "--processes", "1", "--scheduler", "tcp://a:1"], 2, "give --processes or --scheduler, not both"),
        (["build", "--state", "a", "--book", "./a"], 2, "is given twice"),
        (["build", "--book", "diary"], 3, "diary exists and is not a book: use another file with --book"),
        (["build", "--state", "diary"], 3, "diary is not the state of a book"),
        (["merge", "a"], 2, "FILE is missing"),
        (["merge", "a", "a"], 2, "cannot be merged with itself"),
        (["merge", "a", "missing"], 3, "missing: there is no such file"),
        (["merge", "a", "diary"], 3, "diary is not the state of a book"),
        (["verify", "--book", "diary"], 3, "diary is not an opening book"),
        (["stats", "--book", "missing"], 3, "missing: there is no such book"),
        (["lookup", "48"], 3, "move 2 of '48': there is no column 8: choose 1 to 7"),
        (["export", "--plies", "x"], 2, "--plies: 'x' is not a number of plies"),
    ],
)
def test_invalid_arguments_are_one_line_and_an_exit_status(
    tmp_path: Path, words: list[str], code: int, message: str
) -> None:
    diary = "Dear diary, this is no book and no state of one.\n" * 50
    (tmp_path / "diary").write_text(diary)
    done = maxconnect4("book", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
    assert (tmp_path / "diary").read_text() == diary
    assert [file.name for file in tmp_path.iterdir()] == ["diary"]
