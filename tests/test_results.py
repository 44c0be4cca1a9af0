from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from terminal import maxconnect4

from maxconnect4.errors import BadFile, CannotSave
from maxconnect4.referee.game import ADJUDICATED, FORFEIT, FULL, VOID, GameResult, PlayedGame, ScheduledGame
from maxconnect4.referee.move_validation import Fault, Note
from maxconnect4.referee.store import ResultStore

NASTY = "NUL \0, half a pair \ud800, \x1b[31m, ünïcode"
GAMES = [
    PlayedGame(
        ScheduledGame(1, 1, 1, "ada", "bob", "4433"), GameResult(1, "44334", FULL, 0.5, (2, 2), (0.25, 1e-06), 1.5)
    ),
    PlayedGame(
        ScheduledGame(2, 1, 1, "bob", "ada", "4433"),
        GameResult(
            2,
            "44331",
            FORFEIT,
            1.0,
            (0, 1),
            (0.0,),
            0.1,
            faults=(Fault("crash", 2, 6, "it fell", "in\n", "out\n", "printed\n"), Fault("time-out", 1, 7, "slow")),
            notes=(Note("exit code", 1, 5), Note("exit code", 1, 5)),
        ),
    ),
    PlayedGame(
        ScheduledGame(3, 2, 2, "ada", "cem", ""),
        GameResult(3, "123", ADJUDICATED, 0.0, (0, 3), (1.0, 2.0, 3.0), 9.0, line="444", regrets=(0, 1, 2)),
    ),
    PlayedGame(ScheduledGame(4, 2, 2, "cem", "ada", ""), GameResult(4, "", VOID, None, (0, 0), (), 0.0)),
]


def test_stored_results_are_read_back(tmp_path: Path) -> None:
    path = str(tmp_path / "r.sqlite")
    with ResultStore(path) as results:
        results.add([GAMES[2]])
        results.add(GAMES[:2])
        results.add(GAMES[3:])
        results.put_metadata({"name": "x", "list": [1, None]})
        assert results.all() == GAMES
    with ResultStore(path, read_only=True) as results:
        assert results.all() == GAMES
        assert results.metadata() == {"name": "x", "list": [1, None]}


def test_a_results_file_has_an_application_id(tmp_path: Path) -> None:
    with ResultStore(str(tmp_path / "r")):
        pass
    with closing(sqlite3.connect(tmp_path / "r")) as database:
        assert database.execute("PRAGMA application_id").fetchone() == (int.from_bytes(b"MC4R"),)


def test_a_game_is_stored_once(tmp_path: Path) -> None:
    with ResultStore(str(tmp_path / "r")) as results:
        results.add(GAMES[:1])
        with pytest.raises(CannotSave, match="constraint failed: games.number"):
            results.add(GAMES[:2])
        assert results.all() == GAMES[:1], "nothing of what could not be added whole is kept"


def test_a_review_is_added_to_a_game(tmp_path: Path) -> None:
    with ResultStore(str(tmp_path / "r")) as results:
        results.add(GAMES[:2])
        results.put_regrets([(1, (3,))])
        assert [each.result.regrets for each in results.all()] == [(3,), None]


def test_any_evidence_can_be_stored(tmp_path: Path) -> None:
    fault = Fault("crash", 1, 1, NASTY, NASTY, NASTY, NASTY)
    game = PlayedGame(
        ScheduledGame(1, 1, 1, "a", "b", ""), GameResult(1, "", FORFEIT, 0.0, (0, 0), (), 0.0, faults=(fault,))
    )
    with ResultStore(str(tmp_path / "r")) as results:
        results.add([game])
        assert results.all()[0].result.faults[0].printed == NASTY.replace("\ud800", "?")


def test_one_run_at_a_time_writes_and_others_may_read(tmp_path: Path) -> None:
    path = str(tmp_path / "r")
    with ResultStore(path) as results:
        results.add(GAMES[:1])
        with pytest.raises(CannotSave, match="r is in use by another process"):
            ResultStore(path)
        with ResultStore(path, read_only=True) as reader:
            assert reader.all() == GAMES[:1]


def test_a_file_that_is_not_a_results_file_is_refused_and_unchanged(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a diary, long enough to be mistaken for something else\n" * 20)
    before = (tmp_path / "text").read_bytes()
    with pytest.raises(BadFile, match="text is not a results file"):
        ResultStore(str(tmp_path / "text"))
    assert (tmp_path / "text").read_bytes() == before
    with pytest.raises(BadFile, match="cannot be read"):
        ResultStore(str(tmp_path / "missing"), read_only=True)
    assert not (tmp_path / "missing").exists()


def test_a_damaged_file_is_an_error(tmp_path: Path) -> None:
    path = str(tmp_path / "r")
    with ResultStore(path) as results:
        results.add(GAMES[:1])
        results.put_metadata({"tournament": "of a class"})
    with sqlite3.connect(path) as database:
        database.execute("UPDATE games SET cpu = 'x'")
        database.execute("UPDATE facts SET value = '{'")
    database.close()
    with ResultStore(path, read_only=True) as results:
        for read in (results.all, results.metadata):
            with pytest.raises(BadFile, match="r is damaged: "):
                read()


def test_what_is_quoted_of_a_damaged_file_is_on_one_line_and_cannot_harm_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "r"
    with ResultStore(str(path)):
        pass
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE facts", b"CREATE TABLE \x1bacts", 1))
    with pytest.raises(BadFile, match=r'r is damaged: malformed database schema .*: "\\x1b"') as refusal:
        ResultStore(str(path), read_only=True)
    assert str(refusal.value).isprintable()


def test_a_reader_rolls_back_the_transaction_of_a_killed_writer(tmp_path: Path) -> None:
    path = tmp_path / "r"
    with ResultStore(str(path)) as results:
        results.add(GAMES[:1])
    program = (
        "import os, signal, sqlite3, sys\n"
        "database = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "database.execute('PRAGMA cache_size = 1')\n"  # so that pages are written before the end of the step
        "database.execute('BEGIN IMMEDIATE')\n"
        "database.execute('DELETE FROM games')\n"
        "database.executemany('INSERT INTO facts VALUES (?, ?)', ((str(n), 'x' * 4000) for n in range(50)))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", program, path])
    assert (tmp_path / "r-journal").stat().st_size > 0
    with ResultStore(str(path), read_only=True) as results:
        assert results.all() == GAMES[:1]
        assert results.metadata() == {}


MATCH = ["match", "random", "depth:1", "--openings", "random:plies=38,count=1", "--processes", "1", "--results", "r"]


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The results file of a match."""
    folder = tmp_path_factory.mktemp("match")
    assert maxconnect4(*MATCH, cwd=folder).returncode == 0
    return (folder / "r").read_bytes()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE games SET score = 'x'", "damaged: it has an invalid value ("),
        ("UPDATE games SET moves = x'ff'", "damaged: it has an invalid value ("),
        ("UPDATE games SET cpu = '5'", "damaged: it has an invalid value ("),
        ("UPDATE facts SET value = '[1, 2'", "damaged: it has an invalid value ("),
        ("UPDATE facts SET value = '{\"title\": 1}'", "damaged: it has an invalid value ("),
    ],
)
def test_a_report_of_a_damaged_file_is_one_line(tmp_path: Path, result: bytes, change: str, told: str) -> None:
    (tmp_path / "r").write_bytes(result)
    with closing(sqlite3.connect(tmp_path / "r")) as database:
        database.execute(change)
        database.commit()
    for words in (["report", "r"], MATCH):
        done = maxconnect4(*words, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr.startswith(f"maxconnect4: r is {told}"), done.stderr
        assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["r"]
