"""The release: built from the commit, inspected, installed, and tested as installed.

- The files of HEAD, without git, become a source distribution, and that becomes a wheel.
- twine accepts both archives; each has exactly the files of the repository that belong there.
- The wheel is installed into an empty environment on a PATH without a compiler, the source distribution into another.
  Both search, solve, look up, and write a page. All extras can be installed.
- The tests pass against the installed wheel, in a copy of the tree from which src/ is gone.

An error is printed, and the exit status is 1. It takes about half an hour of CPU time, of which the tests are most:
    python endurance/release.py
    python endurance/release.py --keep /tmp/release --python python3.13
    python endurance/release.py --tests tests/test_board.py tests/test_docs.py
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path

from record import record

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NAME, EXTRAS = PROJECT["name"], ",".join(PROJECT["optional-dependencies"])
#: Tests that look at the source itself: what is in it, what its files import, and the site that is made of it.
OF_THE_SOURCE = ("test_architecture", "test_releasing", "test_links", "test_site")
OF_THE_SOURCE_TOO = (  # in files whose other tests are not
    "test_docs.py::test_help_texts_and_tables_are_those_of_the_program_and_of_the_results[docs/developer/architecture.md]",
    "test_solver.py::test_the_verifying_program_agrees_on_boards_of_all_sizes",
)
#: Tests with a browser, which one has to have first (`make browser`).
IN_THE_BROWSER = ("test_page_*", "test_report_in_browser")
LEFT_OUT_OF_THE_WHEEL = {"jsconfig.json"}
LEFT_OUT_OF_THE_SOURCES = (".ci/",)


class Wrong(Exception):
    """Something that may not be released."""


def run(*words: str | Path, cwd: Path | None = None, path: str | None = None) -> str:
    """What a command prints, if all is well with it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1"} | ({} if path is None else {"PATH": path})
    done = subprocess.run(
        [*map(str, words)], cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        raise Wrong(f"{' '.join(map(str, words))}\n{done.stdout}")
    return done.stdout


def environment(python: str, folder: Path) -> Path:
    """The Python of a new environment."""
    run(python, "-m", "venv", folder)
    found = folder / "bin" / "python"
    run(found, "-m", "pip", "install", "--quiet", "--upgrade", "pip")
    return found


def exported(folder: Path) -> Path:
    """The files of HEAD, without the git repository."""
    archive = folder / "head.tar"
    run("git", "archive", "--output", archive, "HEAD", cwd=ROOT)
    with tarfile.open(archive) as file:
        file.extractall(folder / "head", filter="data")
    return folder / "head"


def built(python: str, tree: Path, folder: Path) -> tuple[Path, Path]:
    """The source distribution, and the wheel that is made of it, checked by twine."""
    tools = environment(python, folder / "tools")
    run(tools, "-m", "pip", "install", "--quiet", "build", "twine")
    run(tools, "-m", "build", "--outdir", folder / "dist", tree)
    (sources,) = (folder / "dist").glob("*.tar.gz")
    (wheel,) = (folder / "dist").glob("*.whl")
    run(tools, "-m", "twine", "check", "--strict", sources, wheel)
    return sources, wheel


def compare(what: str, wanted: set[str], found: set[str]) -> None:
    """Complain of a file that is missing or is too much."""
    if wanted != found:
        raise Wrong(f"{what} lacks {sorted(wanted - found)}, and should not have {sorted(found - wanted)}")


def look_into(tree: Path, sources: Path, wheel: Path) -> None:
    """Compare what is in the archives with the files of the repository."""
    files = {str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file()}
    with tarfile.open(sources) as archive:
        found = {member.name.partition("/")[2] for member in archive if member.isfile()}
    wanted = {name for name in files if not name.startswith(LEFT_OUT_OF_THE_SOURCES)}
    compare(sources.name, wanted | {"PKG-INFO"}, found)
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if ".dist-info/" not in name}
    core = {name for name in inside if name.startswith(f"{NAME}/_core.") and name.endswith(".so")}
    if len(core) != 1:
        raise Wrong(f"{wheel.name} has {len(core)} cores")
    if "-abi3-" in wheel.name and not all(name.endswith(".abi3.so") for name in core):
        raise Wrong(f"{wheel.name} is tagged for all later Pythons, and {core} is for one")
    package = {name.removeprefix("src/") for name in files if name.startswith(f"src/{NAME}/")}
    wanted = {name for name in package if Path(name).name not in LEFT_OUT_OF_THE_WHEEL}
    compare(wheel.name, wanted | core, inside)


def try_out(python: Path, folder: Path) -> None:
    """Use what is installed, as a stranger would, where nothing else is."""
    program = python.parent / NAME
    folder.mkdir()
    version = run(program, "--version", cwd=folder).split()[-1]
    installed = run(python, "-c", "import maxconnect4; print(maxconnect4.__file__)", cwd=folder).strip()
    if "site-packages" not in installed:
        raise Wrong(f"{installed} is not the installed one")
    signature = (ROOT / "tests" / "data" / "bench.txt").read_text().strip()
    if (found := run(program, "bench", cwd=folder).splitlines()[-1]) != signature:
        raise Wrong(f"{found} instead of {signature}")
    run(program, "one-move", "44535", "output.txt", "8", cwd=folder)
    run(program, "analyse", "4546727524112665354617", cwd=folder)
    for game in ("max", "classic"):
        run(program, "book", "stats", "--game", game, cwd=folder)
    run(program, "match", "depth:1", "random", "--openings", "random:count=1", "--results", "m.sqlite", cwd=folder)
    run(program, "report", "m.sqlite", "--html", "report.html", cwd=folder)
    run(program, "measure", "depth", "--depths", "0-1", "--plot", "times.png", cwd=folder)
    run(program, "tree", "4453", "-o", "tree.svg", cwd=folder)
    print(f"    {version} at {installed}")


def test(python: Path, wheel: Path, tree: Path, chosen: list[str]) -> int:
    """Run the tests where only the installed package can be imported: how many have passed."""
    shutil.rmtree(tree / "src")
    run(python, "-m", "pip", "install", "--quiet", "--group", f"{tree / 'pyproject.toml'}:dev")
    ignored = [f"--ignore-glob=tests/{name}.py" for name in (*OF_THE_SOURCE, *IN_THE_BROWSER)]
    ignored += [f"--deselect=tests/{name}" for name in OF_THE_SOURCE_TOO]
    words: list[str | Path] = [python, "-m", "pytest", "-p", "no:cacheprovider", "-n", "3", *(chosen or ignored)]
    summary = run(*words, cwd=tree, path=f"{python.parent}:{os.environ['PATH']}").splitlines()[-1]
    print("   ", summary)
    passed = re.search(r"(\d+) passed", summary)
    return int(passed[1]) if passed else 0


def tried(python: str, folder: Path, chosen: list[str]) -> dict[str, str | int]:
    """Run all steps with their times; return the results."""

    def step(words: str) -> None:
        print(f"{time.perf_counter() - start:6.0f} s  {words}", flush=True)

    start = time.perf_counter()
    tree = exported(folder)
    sources, wheel = built(python, tree, folder)
    step(f"{sources.name} ({sources.stat().st_size:,} bytes) and {wheel.name} ({wheel.stat().st_size:,} bytes)")
    look_into(tree, sources, wheel)
    step("every file is there, and no other")
    clean = environment(python, folder / "clean")
    without_compiler = str(clean.parent)
    run(clean, "-m", "pip", "install", "--quiet", wheel, path=without_compiler)
    try_out(clean, folder / "from-the-wheel")
    step("the wheel works, without a compiler")
    run(clean, "-m", "pip", "install", "--quiet", "--dry-run", f"{wheel}[{EXTRAS}]", path=without_compiler)
    step(f"the extras {EXTRAS} are to be had")
    compiled = environment(python, folder / "compiled")
    run(compiled, "-m", "pip", "install", "--quiet", "--no-binary", NAME, sources)
    try_out(compiled, folder / "from-the-sources")
    step("the source distribution works")
    passed = test(clean, wheel, tree, chosen)
    step("the tests pass where the wheel is installed")
    version = run(python, "--version").split()[-1]
    return {
        "python": version,
        "sources": sources.name,
        "wheel": wheel.name,
        "bytes": wheel.stat().st_size,
        "tests": passed,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="the Python to try it with")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="a new folder for all that is made")
    parser.add_argument("--tests", nargs="*", default=[], metavar="FILE", help="only these")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        folder = args.keep or Path(passing) / "release"
        folder.mkdir(parents=True)
        try:
            facts = tried(args.python, folder.resolve(), args.tests)
        except Wrong as wrong:
            raise SystemExit(f"This may not be released: {wrong}") from None
    if not args.tests:
        record(__file__, facts)


if __name__ == "__main__":
    main()
