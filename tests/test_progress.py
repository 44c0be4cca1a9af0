"""The lines that a long run prints on standard error where that is not a terminal."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from positions import exact_positions
from terminal import maxconnect4

from maxconnect4.cli import progress
from maxconnect4.cli.progress import ProgressLines

MIDDLE = "445342253517"
RUNS = {
    "analyse": (("analyse", "17", "--book", "none", "--threads", "1"), "of 7 columns solved"),
    "batch": (("analyse", "--batch", "batch.txt", "--threads", "1"), "position "),
    "review": (("review", MIDDLE, "--threads", "1"), " of 12 moves reviewed"),
    "match": (("match", "depth:6", "random", "--openings", "random:count=2"), " of 4 games"),
    "match with review": (
        ("match", "random:seed=1", "random:seed=2", "--openings", "random:count=2", "--review"),
        "games reviewed",
    ),
    "measure": (("measure", "depth", "--depths", "1-2"), "of 6 measurements"),
    "check": (("check", "false", "--positions", "3", "--deepest", "1"), " steps"),
    "positions": (("positions", "--plies", "16", "--count", "30", "--threads", "1"), " of 30 positions"),
    "book verify": (("book", "verify", "--sample", "1", "--threads", "1"), "of 1"),
    "solve-sizes": (("solve-sizes", "--sizes", "7x7", "--threads", "1", "--limit", "2"), "7x7: margin "),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_long_run_prints_lines_with_its_progress(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words, expected = RUNS[name]
    (tmp_path / "batch.txt").write_text("".join(f"{moves}\n" for moves, _, _ in exact_positions()[::4]))
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.01)
    done = maxconnect4(*words, cwd=tmp_path)
    lines = [line for line in done.stderr.splitlines() if expected in line]
    assert lines, done.stderr
    assert all(re.search(r", \d+ (s|min)$", line) for line in lines)
    assert "\x1b" not in done.stderr


def test_a_short_run_prints_no_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 60.0)
    assert maxconnect4("analyse", MIDDLE).stderr == ""
    assert maxconnect4("match", "random", "random:seed=2", "--openings", "random:count=2", cwd=tmp_path).stderr == ""


def test_a_line_comes_at_most_once_in_its_time_and_none_after_the_end(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.05)
    lines = ProgressLines()
    begun = time.monotonic()
    while time.monotonic() < begun + 0.5:
        lines.update("1 of 2")
        time.sleep(0.001)
    lines.close()
    printed = capfd.readouterr().err.splitlines()
    assert {line.partition(",")[0] for line in printed} == {"1 of 2"}
    assert len(printed) <= (time.monotonic() - begun) / 0.05 + 1
    time.sleep(0.1)
    assert capfd.readouterr().err == ""
