"""Hostile environments that need no root: an error is one line. endurance/environments.py has more of them."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from external_programs import PLAYERS, command_line
from terminal import PROGRAM, maxconnect4, maxconnect4_process

from maxconnect4.cli import os_error_message

NO_THREADS = "can't start new thread"
SHORT = ("--openings", "random:plies=40,count=1", "--processes", "1", "--json")  # two games of two moves


def without_threads() -> None:
    """Threads get a stack of the usual size, and here there is no room for one."""
    resource.setrlimit(resource.RLIMIT_STACK, (1 << 40, resource.getrlimit(resource.RLIMIT_STACK)[1]))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


def with_few_files() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (10, 10))


def with_children_ignored() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def ended(
    *words: str | Path, cwd: Path, before: Callable[[], None] | None = None, settings: dict[str, str] | None = None
) -> tuple[int, str]:
    """The exit code of a command, and what it complains of."""
    done = maxconnect4_process(*words, cwd=cwd, preexec_fn=before, env={**os.environ, **(settings or {})}, timeout=200)
    return done.returncode, done.stderr


# Homes and folders


def test_without_a_home_the_error_names_the_option_for_the_games_file(tmp_path: Path) -> None:
    nobody = "import pwd\ndef unknown(user): raise KeyError(user)\npwd.getpwuid = unknown"  # a user without a name
    command = [sys.executable, "-c", f"{nobody}\nfrom maxconnect4.cli import main\nexit(main())", "play"]
    environment = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_DATA_HOME")}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    words = "there is no home folder for the games: choose a file with --games"
    assert (done.returncode, done.stderr) == (1, f"maxconnect4: {words}\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "settings",
    [
        {"HOME": "/proc/nowhere", "MPLBACKEND": "x"},
        pytest.param({"HOME": "/proc/nowhere"}, marks=pytest.mark.long),
        pytest.param({"MPLCONFIGDIR": "/proc/nowhere"}, marks=pytest.mark.long),
        pytest.param({"MPLBACKEND": "x"}, marks=pytest.mark.long),
    ],
)
def test_pictures_need_no_home_and_no_settings(tmp_path: Path, settings: dict[str, str]) -> None:
    words = ("measure", "depth", "--depths", "1", "--runs", "1", "--search-only", "--plot", "times.svg")
    assert ended(*words, cwd=tmp_path, settings=settings) == (0, "")
    assert (tmp_path / "times.svg").read_text().endswith("</svg>\n")


@pytest.mark.parametrize(
    "words",
    [
        ["review", "44", "--plot", "x.svg"],
        pytest.param(["match", "depth:1", "true"], marks=pytest.mark.long),
        ["check", "true"],
    ],
)
def test_a_removed_folder_is_an_error(tmp_path: Path, words: list[str]) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    command = ["sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh", PROGRAM, *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (1, "maxconnect4: the working directory is gone\n")


def test_a_game_continues_in_a_removed_folder(tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    command = ["sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh", PROGRAM, "interactive", "44", "human-next", "2"]
    done = subprocess.run(command, cwd=folder, input="4\nq\n", capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert "human.txt cannot be written" in done.stderr
    assert "interactive 4444 human-next 2" in done.stdout


# What the system does not have


def test_a_page_that_may_open_no_files_is_not_served(tmp_path: Path) -> None:
    code, said = ended("play", "--no-browser", "--games", tmp_path / "g.sqlite", cwd=tmp_path, before=with_few_files)
    words = "the limit on open files is 10, less than 32: raise it with 'ulimit -n'"
    assert (code, said) == (1, f"maxconnect4: {words}\n")


def test_an_engine_without_threads_reports_an_error_and_answers(tmp_path: Path) -> None:
    talk = "uci\nsetoption name Threads value 1\nsetoption name Hash value 16\nposition startpos\ngo depth 2\nquit\n"
    done = maxconnect4_process("engine", input=talk, cwd=tmp_path, preexec_fn=without_threads)
    assert done.stdout.endswith(f"info string the search cannot be started: {NO_THREADS}\nbestmove (none)\n")
    assert (done.returncode, done.stderr) == (0, "")


def test_workers_without_threads_report_an_error(tmp_path: Path) -> None:
    words = ("positions", "--plies", "36", "--count", "1", "--memory", "16M", "--threads", "1", "-o", "set.tsv")
    code, said = ended(*words, cwd=tmp_path, before=without_threads, settings={"OPENBLAS_NUM_THREADS": "1"})
    assert (code, said) == (1, f"maxconnect4: no worker can be started: {NO_THREADS}\n")
    assert not list(tmp_path.iterdir())


def test_only_exhausted_resources_have_a_message() -> None:
    assert (
        os_error_message(OSError(errno.EMFILE, "Too many open files"))
        == "the system is out of resources: too many open files"
    )
    assert os_error_message(RuntimeError(NO_THREADS)) == f"the system is out of resources: {NO_THREADS}"
    assert os_error_message(OSError(errno.ENOENT, "No such file or directory")) is None
    assert os_error_message(OSError(errno.EISDIR, "Is a directory")) is None
    assert os_error_message(RuntimeError("dictionary changed size during iteration")) is None


# What others have left behind


def test_programs_run_where_the_parent_ignores_sigchld(tmp_path: Path) -> None:
    words = ("match", "depth:1", command_line("honest"), *SHORT)
    done = maxconnect4_process(*words, cwd=tmp_path, preexec_fn=with_children_ignored, timeout=200)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(not each["faults"] for each in json.loads(done.stdout)["standings"])


def test_help_without_docstrings_has_the_arguments() -> None:
    done = maxconnect4_process(
        "match", "--help", env={**os.environ, "PYTHONOPTIMIZE": "2", "PYTHONDONTWRITEBYTECODE": "1"}
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "--openings WHICH" in done.stdout


def test_files_named_like_modules_of_python_are_not_taken_for_them(tmp_path: Path) -> None:
    for name in ("random", "signal", "tempfile", "json", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')")
    words = ("match", "depth:1", "random", *SHORT)
    assert ended(*words, cwd=tmp_path) == (0, "")


def test_a_program_in_python_finds_its_own_modules(tmp_path: Path) -> None:
    text = (PLAYERS / "honest.py").read_text()
    (tmp_path / "mine.py").write_text(
        "from rules import *\nwrite(position_after_move())\nraise SystemExit(0 if SAFE is None else 9)"
    )
    (tmp_path / "rules.py").write_text(f"{text}\nimport os\nSAFE = os.environ.get('PYTHONSAFEPATH')")
    words = ("match", "random", f"folder=. {sys.executable} mine.py", *SHORT)
    done = maxconnect4(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(not each["faults"] and not each["notes"] for each in json.loads(done.stdout)["standings"])
