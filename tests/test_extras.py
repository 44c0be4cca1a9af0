"""Extras: without its packages a command names the extra to install, and the others work."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from maxconnect4.cli import COMMANDS
from maxconnect4.errors import PackageMissing, requires_extra

ROOT = Path(__file__).parent.parent
PACKAGES = (
    "distributed",
    "gymnasium",
    "matplotlib",
    "open_spiel",
    "pettingzoo",
    "pyarrow",
    "pyspiel",
    "starlette",
    "uvicorn",
)
WITHOUT = "import sys; sys.modules.update(dict.fromkeys(sys.argv.pop(1).split(','))); "


def without(modules: str, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a process in which these modules cannot be imported."""
    program = WITHOUT + "from maxconnect4.cli import main; sys.exit(main())"
    return subprocess.run([sys.executable, "-c", program, modules, *words], capture_output=True, text=True, cwd=cwd)


@pytest.mark.parametrize(
    ("module", "extra", "line"),
    [
        ("starlette", "web", "play --no-browser --port 0"),
        ("uvicorn", "web", "play --no-browser --port 0"),
        ("matplotlib", "plot", "review 44535 --plot game.png"),
        ("matplotlib", "plot", "measure depth --depths 1 --plot times.svg"),
        ("matplotlib", "plot", "measure depth --depths 1 --positions exact --regret-plot regret.svg"),
        ("matplotlib", "plot", "report depth --deepest 1"),
        ("matplotlib", "plot", "solve-sizes --limit 1 --plot map.svg"),
        ("pyarrow", "datasets", "positions --plies 38 --count 1 -o set.parquet"),
        ("distributed", "cluster", "match depth:1 depth:2 --scheduler tcp://127.0.0.1:1"),
    ],
)
def test_a_missing_package_is_one_line_that_names_its_extra_before_any_work(
    module: str, extra: str, line: str, tmp_path: Path
) -> None:
    done = without(module, *line.split(), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith(f"{module} is not installed: pip install 'maxconnect4[{extra}]'\n")
    assert done.stderr.count("\n") == 1
    assert not [path for path in tmp_path.iterdir() if path.suffix != ".sqlite"]


def test_the_library_raises_what_the_command_line_prints() -> None:
    program = WITHOUT + (
        "from maxconnect4.errors import PackageMissing\n"
        "from maxconnect4.review import plot_review, review\n"
        "for use in (lambda: __import__('maxconnect4.web.app'), lambda: plot_review(review('44535'), 'svg')):\n"
        "    try: use()\n"
        "    except PackageMissing as error: print(error.package, error.extra)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, "uvicorn,matplotlib"], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("uvicorn web\nmatplotlib plot\n", "")


def test_the_core_needs_no_extra(tmp_path: Path) -> None:
    every = ",".join(PACKAGES)
    for line in (
        "one-move 44535 output.txt 4",
        "analyse 4546727524112665354617",
        "review 454672752411266535461732",
        "match depth:1 depth:2 --openings random:count=1 --results match.sqlite",
        "report match.sqlite",
        "measure depth --depths 1 --results measured.sqlite",
        "report measured.sqlite --markdown -",
        "positions --plies 38 --count 1 -o set.npz",
    ):
        done = without(every, *line.split(), cwd=tmp_path)
        assert done.returncode == 0, (line, done.stderr)


def test_every_command_but_play_explains_itself_without_extras() -> None:
    program = WITHOUT + f"from maxconnect4.cli import main; print([main([name, '--help']) for name in {[*COMMANDS]}])"
    done = subprocess.run([sys.executable, "-c", program, ",".join(PACKAGES)], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == str([int(name == "play") for name in COMMANDS])


def test_every_extra_that_an_error_names_can_be_installed() -> None:
    source = "".join(path.read_text() for path in (ROOT / "src").rglob("*.py"))
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(re.findall(r'requires_extra\("(\w+)"\)', source)) == set(extras)


def test_an_import_error_of_a_module_of_this_package_stays_one() -> None:
    with pytest.raises(ModuleNotFoundError) as caught, requires_extra("web"):
        import maxconnect4.no_such_module  # type: ignore[import-not-found]  # noqa: F401
    assert not isinstance(caught.value, PackageMissing)
