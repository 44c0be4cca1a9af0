"""`maxconnect4 report` of a program."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from external_programs import PLAYERS, command_line, script
from terminal import PROGRAM, maxconnect4
from waiting import until

from maxconnect4.benchmark.players import TimedMove
from maxconnect4.benchmark.store import GameKey, MeasuredGame, Measurements
from maxconnect4.cli.report import GAMES, MEASURED, PLAYER, report_kind
from maxconnect4.referee.store import ResultStore

MOODY = f"name=moody FAILS=2 {command_line('moody')}"
POSITIONS = """moves	value	c1	c2	c3	c4	c5	c6	c7
2756123436524411664737177634534612325152	1	.	.	.	.	1	.	0
"""
QUICK = ("-o", "report", "--deepest", "3", "--positions", "few.tsv", "--games", "1")
FEW = ("-o", "report", "--deepest", "2", "--positions", "few.tsv", "--games", "0")
PICTURES = ["report-cpu.svg", "report-regret-by-cpu.svg", "report-regret-by-depth.svg"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "few.tsv").write_text(POSITIONS)
    (tmp_path / "evaluation.md").write_text("It plays **near the centre**, and counts nothing.\n")
    return tmp_path


@pytest.fixture
def kept(folder: Path) -> Path:
    """A file of measurements, made by hand."""
    path = folder / "kept.sqlite"
    with Measurements(str(path)) as file:
        file.put_metadata(
            {
                "machine": "Some Processor, 2 cores",
                "version": "1.2.3",
                "date": "2026-11-16",
                "limit": 60.0,
                "players": {"ada": "python3 ada.py one-move {in} {out} {depth}"},
                "sets": {"empty": "0123"},
                "counts": {"empty": 1},
            }
        )
        file.add(("ada", "empty", 1, 1, 1), TimedMove(4, 0.123, 0.234))
        file.add(
            ("ada", "empty", 1, 2, 1), TimedMove(None, 0.1, 0.2, fault="crash", detail="it ended with exit status 9")
        )
        file.add_game(GameKey("ada", "random", 4, 1, 1), MeasuredGame("4" * 6, 1.0, 7, 1, ""))
    return path


def test_a_program_is_measured_and_reported(folder: Path) -> None:
    done = maxconnect4("report", MOODY, "--about", "evaluation.md", "--author", "Ada", *QUICK, cwd=folder)
    assert done.returncode == 0, done.stderr
    draw_plots = [f"{name} is drawn." for name in PICTURES]
    kept = "The measurements are in report.sqlite."
    assert done.stdout.splitlines() == [*draw_plots, "report.html is written.", "report.md is written.", kept]
    text, page = (folder / "report.md").read_text(), (folder / "report.html").read_text()
    for said in (text, page):
        for fact in ("Max-Connect4: moody", "near the centre", "crash: it ended with exit status 1", "--deepest 3"):
            assert fact in said
        assert "--about evaluation.md --author Ada --output report" in said
        assert "in 1 game" in said
    assert all(f"]({name})" in text for name in PICTURES)
    assert (folder / "report-cpu.svg").read_text().startswith("<?xml")
    before = (folder / "report.md").read_text()
    again = maxconnect4("report", "report.sqlite", "--about", "evaluation.md", "--author", "Ada", cwd=folder)
    assert again.returncode == 0, again.stderr
    assert (folder / "report.md").read_text() == before


@pytest.mark.long
def test_an_interrupted_report_resumes(folder: Path) -> None:
    spinning = [sys.executable, "-S", "-E", "-B", str(PLAYERS / "moody.py")]
    slow = f"name=slow SPIN=0.05 {shlex.join(spinning)}"
    words = [PROGRAM, "report", slow, *FEW]
    with subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        until(lambda: _moves(folder / "report.sqlite"))
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr is not None
        assert "the measurements are in report.sqlite; repeat the command to resume" in process.stderr.read()
    before = _moves(folder / "report.sqlite")
    assert not (folder / "report.html").exists()
    assert maxconnect4(*words[1:], cwd=folder).returncode == 0
    after = _moves(folder / "report.sqlite")
    assert len(after) > len(before)
    assert before.items() <= after.items()
    assert (folder / "report.html").exists()


def test_restart_measures_again(folder: Path) -> None:
    program = f"HISTORY={folder / 'history'} {command_line('moody')}"
    words = ("report", program, "--isolation", "none", *FEW[2:], "--markdown", "-")  # without pictures
    counts: list[int] = []
    for more in ((), (), ("--restart",)):
        done = maxconnect4(*words, *more, cwd=folder)
        assert done.returncode == 0, done.stderr
        assert ("--restart" in done.stderr) == (len(counts) == 1)
        counts.append(len((folder / "history").read_text().split()))
    assert counts[0] == counts[1] > 0
    assert counts[2] == 2 * counts[0]


def _moves(path: Path) -> dict[tuple[str, str, int, int, int], TimedMove]:
    if not path.exists() or path.stat().st_size < 100:
        return {}
    with Measurements(str(path), read_only=True) as file:
        return file.moves()


def test_the_report_of_a_database_is_written_next_to_it(kept: Path) -> None:
    done = maxconnect4("report", "kept.sqlite", cwd=kept.parent)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["kept-cpu.svg is drawn.", "kept.html is written.", "kept.md is written."]
    text = (kept.parent / "kept.md").read_text()
    assert "| 1 | 0.123 | 0.234 | 4 |  |" in text
    assert "crash: it ended with exit status 9" in text
    assert "![" in text
    assert "Dashed, for comparison: Jacob Wilkins, Java" in text


def test_only_what_is_asked_for_is_written(kept: Path) -> None:
    before = {path.name for path in kept.parent.iterdir()}
    done = maxconnect4("report", "kept.sqlite", "--markdown", "-", "--html", "a.html", cwd=kept.parent)
    assert (done.returncode, done.stderr) == (0, "a.html is written.\n")
    assert done.stdout.startswith("# Max-Connect4: ada\n")
    assert "![" not in done.stdout
    assert {path.name for path in kept.parent.iterdir()} - before == {"a.html"}


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["kept.sqlite", "--about", "missing.md"], 3, "missing.md: there is no such description"),
        (["kept.sqlite", "--about", "binary"], 3, "binary is not UTF-8 text"),
        (["kept.sqlite", "--restart"], 2, "--restart is for a report of a player to measure"),
        (["kept.sqlite", "--about", "long"], 3, "long is too large for a description: more than 100,000 bytes"),
        (["kept.sqlite", "--about", "blank"], 3, "blank is empty"),
        (["kept.sqlite", "--html", "evaluation.md", "--about", "evaluation.md"], 2, "is given twice"),
        (["kept.sqlite", "--markdown", "kept.sqlite"], 2, "kept.sqlite is given twice"),
        (["kept.sqlite", "-o", "evaluation", "--about", "evaluation.md"], 2, "is given twice"),
        (["kept.sqlite", "-o", "a", "--html", "b"], 2, "give --output, or --html and --markdown, not both"),
        (["kept.sqlite", "--html", "-", "--markdown", "-"], 2, "both use standard output"),
        (["kept.sqlite", "-o", "missing/a"], 1, "missing/a.html cannot be written: there is no folder"),
        (["kept.sqlite", "--csv", "a.csv"], 2, "--csv is for a report of games"),
        (["kept.sqlite", "--limit", "3"], 2, "--limit is for a report of a player to measure"),
        (["games.sqlite", "--about", "evaluation.md"], 2, "--about is for a report of a program"),
        (["empty.sqlite"], 3, "empty.sqlite: nothing is measured yet"),
        (["missing program"], 2, "program 'missing' not found"),
        (["human"], 2, "a human cannot be measured"),
        (["random", "--positions", "empty"], 3, "empty has no exact scores"),
        (["random", "--deepest", "x"], 2, "'x' is not a number of plies"),
    ],
)
def test_invalid_input_is_one_line_and_an_exit_status(kept: Path, words: list[str], code: int, message: str) -> None:
    folder = kept.parent
    (folder / "binary").write_bytes(b"\xff\xfe\x00")
    (folder / "long").write_text("a" * 100_001)
    (folder / "blank").write_text(" \n")
    with Measurements(str(folder / "empty.sqlite")), ResultStore(str(folder / "games.sqlite")):
        pass
    before = {path: path.read_bytes() for path in folder.iterdir()}
    done = maxconnect4("report", *words, cwd=folder)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_the_kind_of_report_follows_from_the_argument(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(kept.parent)
    script(kept.parent, "exit 0", "mine")
    (kept.parent / "text").write_text("no program")
    with ResultStore("games.sqlite"):
        pass
    (kept.parent / "random").write_bytes(kept.read_bytes())
    assert report_kind("kept.sqlite") == MEASURED
    assert report_kind("random") == MEASURED
    for word in ("games.sqlite", "text", ".", "missing.sqlite"):
        assert report_kind(word) == GAMES
    for word in ("./mine", "depth", "depth:eval=lines", "perfect", "python3 mine.py", sys.executable, "'", "name=a x"):
        assert report_kind(word) == PLAYER
