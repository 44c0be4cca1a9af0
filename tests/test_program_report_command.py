"""`maxconnect4 report` of a program, as one types it."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from foreign import PLAYERS, command_line, script
from terminal import PROGRAM, maxconnect4
from waiting import until

from maxconnect4.cli.report.subjects import GAMES, MEASURED, PLAYER, kind_of
from maxconnect4.measuring.moves import Moved
from maxconnect4.measuring.results import Measurements
from maxconnect4.referee.results import Results

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
        file.put_facts(
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
        file.add(("ada", "empty", 1, 1, 1), Moved(4, 0.123, 0.234))
        file.add(("ada", "empty", 1, 2, 1), Moved(None, 0.1, 0.2, fault="crash", detail="it ended with exit code 9"))
        file.add_game("ada", "random", 4, 1, 1, "4" * 6, 1.0, 7, 1, "")
    return path


def test_a_program_is_measured_and_reported(folder: Path) -> None:
    done = maxconnect4("report", MOODY, "--about", "evaluation.md", "--author", "Ada", *QUICK, cwd=folder)
    assert done.returncode == 0, done.stderr
    drawn = [f"{name} is drawn." for name in PICTURES]
    kept = "What was measured is kept in report.sqlite."
    assert done.stdout.splitlines() == [*drawn, "report.html is written.", "report.md is written.", kept]
    text, page = (folder / "report.md").read_text(), (folder / "report.html").read_text()
    for said in (text, page):
        for fact in ("Max-Connect4: moody", "near the centre", "crash: it ended with exit code 1", "--deepest 3"):
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
def test_an_interrupted_report_goes_on(folder: Path) -> None:
    spinning = [sys.executable, "-S", "-E", "-B", str(PLAYERS / "moody.py")]
    slow = f"name=slow SPIN=0.05 {shlex.join(spinning)}"
    words = [PROGRAM, "report", slow, *FEW]
    with subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        until(lambda: _moves(folder / "report.sqlite"))
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr is not None
        assert "what was measured is kept in report.sqlite, and the same command goes on" in process.stderr.read()
    before = _moves(folder / "report.sqlite")
    assert not (folder / "report.html").exists()
    assert maxconnect4(*words[1:], cwd=folder).returncode == 0
    after = _moves(folder / "report.sqlite")
    assert len(after) > len(before)
    assert before.items() <= after.items()
    assert (folder / "report.html").exists()


def test_anew_measures_again_what_is_kept(folder: Path) -> None:
    program = f"HISTORY={folder / 'history'} {command_line('moody')}"
    words = ("report", program, "--isolation", "none", *FEW[2:], "--markdown", "-")  # without pictures
    counts: list[int] = []
    for more in ((), (), ("--anew",)):
        done = maxconnect4(*words, *more, cwd=folder)
        assert done.returncode == 0, done.stderr
        assert ("--anew measures it again" in done.stderr) == (len(counts) == 1)
        counts.append(len((folder / "history").read_text().split()))
    assert counts[0] == counts[1] > 0
    assert counts[2] == 2 * counts[0]


def _moves(path: Path) -> dict[tuple[str, str, int, int, int], Moved]:
    if not path.exists() or path.stat().st_size < 100:
        return {}
    with Measurements(str(path), read_only=True) as file:
        return file.moves()


def test_what_was_measured_is_reported_beside_it(kept: Path) -> None:
    done = maxconnect4("report", "kept.sqlite", cwd=kept.parent)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["kept-cpu.svg is drawn.", "kept.html is written.", "kept.md is written."]
    text = (kept.parent / "kept.md").read_text()
    assert "| 1 | 0.123 | 0.234 | 4 |  |" in text
    assert "crash: it ended with exit code 9" in text
    assert "![" in text
    assert "Dashed, to compare: Jacob Wilkins, Java" in text


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
        (["kept.sqlite", "--about", "binary"], 3, "binary is no text in UTF-8"),
        (["kept.sqlite", "--anew"], 2, "--anew is for a report of a player to measure"),
        (["kept.sqlite", "--about", "long"], 3, "long is too large for a description: over 100,000 bytes"),
        (["kept.sqlite", "--about", "blank"], 3, "blank is empty"),
        (["kept.sqlite", "--html", "evaluation.md", "--about", "evaluation.md"], 2, "cannot be two things at once"),
        (["kept.sqlite", "--markdown", "kept.sqlite"], 2, "kept.sqlite cannot be two things at once"),
        (["kept.sqlite", "-o", "evaluation", "--about", "evaluation.md"], 2, "cannot be two things at once"),
        (["kept.sqlite", "-o", "a", "--html", "b"], 2, "give --output, or --html and --markdown, not both"),
        (["kept.sqlite", "--html", "-", "--markdown", "-"], 2, "both want standard output"),
        (["kept.sqlite", "-o", "missing/a"], 1, "missing/a.html cannot be written: there is no folder"),
        (["kept.sqlite", "--csv", "a.csv"], 2, "--csv is for a report of games"),
        (["kept.sqlite", "--limit", "3"], 2, "--limit is for a report of a player to measure"),
        (["games.sqlite", "--about", "evaluation.md"], 2, "--about is for a report of a program"),
        (["empty.sqlite"], 3, "empty.sqlite: nothing is measured yet"),
        (["missing program"], 2, "there is no program 'missing'"),
        (["human"], 2, "a human cannot be measured"),
        (["random", "--positions", "empty"], 3, "empty has no exact scores"),
        (["random", "--deepest", "x"], 2, "'x' is not a number of plies"),
    ],
)
def test_what_is_wrong_gets_one_clear_line_and_an_exit_code(
    kept: Path, words: list[str], code: int, message: str
) -> None:
    folder = kept.parent
    (folder / "binary").write_bytes(b"\xff\xfe\x00")
    (folder / "long").write_text("a" * 100_001)
    (folder / "blank").write_text(" \n")
    with Measurements(str(folder / "empty.sqlite")), Results(str(folder / "games.sqlite")):
        pass
    before = {path: path.read_bytes() for path in folder.iterdir()}
    done = maxconnect4("report", *words, cwd=folder)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_word_tells_what_is_to_be_reported(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(kept.parent)
    script(kept.parent, "exit 0", "mine")
    (kept.parent / "text").write_text("no program")
    with Results("games.sqlite"):
        pass
    (kept.parent / "random").write_bytes(kept.read_bytes())
    assert kind_of("kept.sqlite") == MEASURED
    assert kind_of("random") == MEASURED
    for word in ("games.sqlite", "text", ".", "missing.sqlite"):
        assert kind_of(word) == GAMES
    for word in ("./mine", "depth", "depth:eval=lines", "perfect", "python3 mine.py", sys.executable, "'", "name=a x"):
        assert kind_of(word) == PLAYER
