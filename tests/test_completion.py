"""Completion scripts for shells."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from terminal import maxconnect4

from maxconnect4.cli import COMMANDS, book


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("completion") / "maxconnect4.bash"
    path.write_text(maxconnect4("--print-completion", "bash").stdout)
    return path


def completed(script: Path, line: str) -> set[str]:
    """The words that bash offers for the last word of a line."""
    words = line.split(" ")
    commands = f"""source {shlex.quote(str(script))}
        COMP_WORDS=({shlex.join(words)}); COMP_CWORD={len(words) - 1}; COMP_LINE={shlex.quote(line)}
        $(complete -p maxconnect4 | sed 's/.*-F \\([^ ]*\\).*/\\1/') maxconnect4 {shlex.quote(words[-1])}
        printf '%s\\n' "${{COMPREPLY[@]}}" """
    done = subprocess.run(["bash", "-c", commands], capture_output=True, text=True, cwd=script.parent)
    return {word.strip() for word in done.stdout.splitlines()}


def test_bash_completes_every_command(script: Path) -> None:
    assert completed(script, "maxconnect4 ") >= set(COMMANDS)
    assert completed(script, "maxconnect4 book ") >= set(book.COMMANDS)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("maxconnect4 one-", "one-move"),
        ("maxconnect4 match --adj", "--adjudicate-at"),
        ("maxconnect4 analyse --game cl", "classic"),
        ("maxconnect4 book build --pl", "--plies"),
        ("maxconnect4 one-move maxc", "maxconnect4.bash"),
        ("maxconnect4 analyse --batch maxc", "maxconnect4.bash"),
        ("maxconnect4 interactive 44 com", "computer-next"),
    ],
)
def test_bash_completes_commands_options_values_and_files(script: Path, line: str, word: str) -> None:
    assert word in completed(script, line)


def test_the_script_for_zsh_is_valid(tmp_path: Path) -> None:
    done = maxconnect4("--print-completion", "zsh")
    assert done.returncode == 0
    assert done.stdout.startswith("#compdef maxconnect4")
    if (zsh := shutil.which("zsh")) is not None:
        (tmp_path / "_maxconnect4").write_text(done.stdout)
        subprocess.run([zsh, "-n", tmp_path / "_maxconnect4"], check=True)


@pytest.mark.parametrize(
    "words", [("--print-completion",), ("--print-completion", "cmd.exe"), ("--print-completion=",)]
)
def test_another_shell_is_a_usage_error(words: tuple[str, ...]) -> None:
    done = maxconnect4(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "bash or zsh" in done.stderr


def test_a_move_needs_no_module_of_the_completion(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom maxconnect4.cli import main\nmain(['one-move', '4', 'out.txt', '1'])\n"
        "assert not {'shtab', 'argparse', 'threading', 'textwrap', 'maxconnect4.cli.progress'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, cwd=tmp_path)
