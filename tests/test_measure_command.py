"""`maxconnect4 measure`, as one types it."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
from pathlib import Path

import pytest
from external_programs import PLAYERS, command_line, script
from terminal import PROGRAM, maxconnect4
from waiting import until

MOODY = f"name=moody FAILS=2 {command_line('moody')}"
SET = """moves	value	c1	c2	c3	c4	c5	c6	c7
2756123436524411664737177634534612325152	1	.	.	.	.	1	.	0
"""
QUICK = ("--depths", "0-3", "--runs", "1")


def test_the_table_has_every_depth_and_the_reason_of_a_gap(tmp_path: Path) -> None:
    done = maxconnect4("measure", MOODY, "depth", "--search-only", *QUICK, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "On the empty board:" in done.stdout
    assert "Depth 2: crash: it ended with exit status 1; it printed: depth 2 is too deep for me." in done.stdout
    (kept,) = tmp_path.glob("measured-moody-depth-*.sqlite")
    assert f"maxconnect4 report {kept.name}" in done.stdout


def test_json_has_what_was_measured(tmp_path: Path) -> None:
    done = maxconnect4("measure", MOODY, "depth:eval=table", *QUICK, "--json", cwd=tmp_path)
    facts = json.loads(done.stdout)
    moody, ours = facts["series"]
    assert [row["faults"] for row in moody["rows"]] == [0, 0, 1, 0]
    assert [row["nodes"] for row in ours["rows"]] == [0, 7, 45, 113]
    assert facts["players"]["depth:eval=table"] == "depth,eval=table"


def test_output_files_are_written_in_addition_to_the_table(tmp_path: Path) -> None:
    files = ("--markdown", "table.md", "--csv", "table.csv", "--plot", "times.svg", "--regret-plot", "regret.png")
    (tmp_path / "few.tsv").write_text(SET)
    sets = ("--positions", "few.tsv", "--search-only", "--depths", "1-2")
    done = maxconnect4("measure", "depth", *sets, *files, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "table.md").read_text().count("\n|") > 3
    rows = list(csv.DictReader((tmp_path / "table.csv").read_text().splitlines()))
    assert [row["depth"] for row in rows] == ["1", "2"]
    assert b"<svg" in (tmp_path / "times.svg").read_bytes()
    assert (tmp_path / "regret.png").read_bytes().startswith(b"\x89PNG")


def test_each_of_several_sets_has_a_picture_of_its_own(tmp_path: Path) -> None:
    words = ("measure", "random", "--positions", "samples", "--runs", "1", "--plot", "times.svg")
    assert maxconnect4(*words, cwd=tmp_path).returncode == 0
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == ["times-sample-1.svg", "times-sample-2.svg"]


def test_a_player_that_makes_no_move_at_all_is_at_fault(tmp_path: Path) -> None:
    done = maxconnect4("measure", "true", "random", *QUICK, cwd=tmp_path)
    assert done.returncode == 4
    assert "The measurement ended, as no move at depths 0 to 2." in done.stdout


def test_standard_output_can_be_a_table_for_programs(tmp_path: Path) -> None:
    done = maxconnect4("measure", "random", "--csv", "-", cwd=tmp_path)
    assert next(csv.DictReader(done.stdout.splitlines()))["player"] == "random"
    assert ".sqlite" in done.stderr


def test_the_same_command_prints_again_and_restart_measures(tmp_path: Path) -> None:
    history = tmp_path / "history"
    words = ("measure", f"HISTORY={history} {command_line('moody')}", "--isolation", "none", *QUICK)
    first, again = (maxconnect4(*words, cwd=tmp_path) for _ in range(2))
    assert first.stdout == again.stdout
    assert (first.stderr, again.stderr.count("\n")) == ("", 1)
    assert "is already measured: if the program has changed, use --restart" in again.stderr
    assert len(history.read_text().split()) == 4
    maxconnect4(*words, "--restart", cwd=tmp_path)
    assert len(history.read_text().split()) == 8


def test_an_interrupted_run_resumes(tmp_path: Path) -> None:
    history = tmp_path / "history"
    hanging = f"""
[ "$4" != 3 ] || ! mkdir '{tmp_path}/hung' 2>/dev/null || hangs=once
echo "$4" >>'{history}'
[ -z "${{hangs:-}}" ] || exec sleep 600
. '{PLAYERS}/honest.sh'"""
    words = ["measure", str(script(tmp_path, hanging, "moody")), "--depths", "0-4", "--runs", "1"]
    words += ["--isolation", "none"]
    process = subprocess.Popen(
        [PROGRAM, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    until(lambda: history.exists() and "3" in history.read_text())
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.startswith("maxconnect4: interrupted; the measurements are in measured-moody-")
    assert err.count("\n") == 1
    done = maxconnect4(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert history.read_text().split() == ["0", "1", "2", "3", "3", "4"]  # the one that was interrupted is made again
    kept, shown = ([line.split() for line in text.splitlines()] for text in (out, done.stdout))
    kept = [words for words in kept if words[:1] in (["0"], ["1"], ["2"])]
    assert kept
    assert all(words in shown for words in kept)


@pytest.mark.parametrize("words", [["measure", "{}", "--depths", "1", "--csv"], ["report", "{}", "--html"]])
def test_a_program_is_not_overwritten(words: list[str], tmp_path: Path) -> None:
    program = tmp_path / "mine.py"
    program.write_text("print('mine')\n")
    done = maxconnect4(*(word.replace("{}", "python3 mine.py") for word in words), "mine.py", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "maxconnect4: mine.py is a file of 'mine': use another output file\n")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]
    assert program.read_text() == "print('mine')\n"


def test_a_set_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "set.tsv").write_text("44\n")
    done = maxconnect4("measure", "random", "--positions", "empty,set.tsv", "--csv", "set.tsv", cwd=tmp_path)
    assert done.returncode == 2
    assert "set.tsv is given twice" in done.stderr
    assert (tmp_path / "set.tsv").read_text() == "44\n"


def test_the_two_samples_are_measured_apart(tmp_path: Path) -> None:
    done = maxconnect4("measure", "random", "--positions", "samples,4453", "--json", cwd=tmp_path)
    assert [each["positions"] for each in json.loads(done.stdout)["series"]] == ["sample 1", "sample 2", "4453"]


def test_games_against_random_are_printed(tmp_path: Path) -> None:
    words = ("measure", "depth", "--search-only", "--depths", "1", "--against", "random", "--games", "4")
    done = maxconnect4(*words, cwd=tmp_path)
    assert "4 wins" in done.stdout
    assert "against random" in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "problem"),
    [
        (["no-such-program"], 2, "program 'no-such-program' not found"),
        (["human"], 2, "a human cannot be measured"),
        (["--depths", "5-3"], 2, "the first is larger than the last"),
        (["--depths", "x"], 2, "range of depths"),
        (["--limit", "0"], 2, "--limit: '0' is not"),
        (["--runs", "0"], 2, "--runs: '0' is not"),
        (["--plot", "plot.pdf"], 2, "is not the name of a plot"),
        (["--json", "--csv", "-"], 2, "choose one"),
        (["--csv", "one", "--results", "./one"], 2, "one is given twice"),
        (["--plot", "one.svg", "--regret-plot", "one.svg"], 2, "one.svg is given twice"),
        (["--positions", "text", "--markdown", "text"], 2, "text is given twice"),
        (["--regret-plot", "plot.png"], 2, "--regret-plot needs positions with exact scores"),
        (["--games", "4"], 2, "--games is for games"),
        (["--positions", "nowhere"], 3, "there is no such file"),
        (["--published", "nowhere"], 3, "nowhere: there is no such"),
        (["--against", "human"], 2, "cannot be the opponent"),
        (["--against", "nobody"], 2, "program 'nobody' not found"),
        (["--markdown", "no/such/folder/table.md"], 1, "cannot be written"),
        (["--results", "text"], 3, "is not a file of measurements"),
    ],
)
def test_invalid_input_is_one_line(words: list[str], code: int, problem: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("This is a text, and no database at all. " * 20)
    done = maxconnect4("measure", *words, *(() if "--depths" in words else ("--depths", "1")), cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (code, 1), done.stderr
    assert problem in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["text"]
