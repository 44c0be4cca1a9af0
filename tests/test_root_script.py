"""The script at the root of the repository, which the assignment's command lines call."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from maxconnect4 import read_board

SCRIPT = Path(__file__).parent.parent / "maxconnect4.py"
EMPTY = "0000000\n" * 6 + "1\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "input1.txt").write_text(EMPTY)
    return tmp_path


def run(script: Path, *words: str, options: tuple[str, ...] = (), typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *options, script, *words], input=typed, capture_output=True, text=True)


def test_the_two_modes_run_as_the_assignment_calls_them(here: Path) -> None:
    done = run(SCRIPT, "one-move", "input1.txt", "output.txt", "8")
    assert (done.returncode, done.stderr) == (0, "")
    assert read_board("output.txt").pieces() == 1
    done = run(SCRIPT, "interactive", "input1.txt", "computer-next", "7", typed="3\nq\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.rstrip().splitlines()[-1].startswith(f"  python3 {SCRIPT} interactive ")
    assert read_board("computer.txt").pieces() == 3


def test_hints_name_the_script(here: Path) -> None:
    done = run(SCRIPT, "one-move", "input1.txt")
    assert done.returncode == 2
    assert done.stderr.endswith(f"(see python3 {SCRIPT} one-move --help)\n")


def test_without_an_installation_it_says_what_to_do(here: Path) -> None:
    shutil.copy(SCRIPT, here)
    done = run(here / SCRIPT.name, "one-move", "input1.txt", "output.txt", "8", options=("-S",))  # no site-packages
    assert done.returncode == 1
    assert "make play" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (here / "output.txt").exists()


def test_an_import_beside_it_finds_the_installed_package() -> None:
    program = "import maxconnect4.board, maxconnect4; print(maxconnect4.__file__, maxconnect4.Board().to_move)"
    done = subprocess.run([sys.executable, "-c", program], cwd=SCRIPT.parent, capture_output=True, text=True)
    assert done.stderr == ""
    assert "site-packages" in done.stdout
