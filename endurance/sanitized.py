"""The tests with an instrumented core, under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer.

The core is compiled twice, once for the first two and once for the third, beside a copy of the package, and every test
that searches or solves runs with each. Then `tests/verify.cpp`, compiled in the same ways, compares the solvers with
brute force, several threads on one table among it. A finding of a sanitizer fails the test, and the exit status is 1.

It takes about half an hour of CPU time, and needs g++ or clang++ with their sanitizers:
    python endurance/sanitized.py
    python endurance/sanitized.py --only thread --tests tests/test_solver.py
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from record import record

ROOT = Path(__file__).parent.parent
FLAGS = {"address": "-fsanitize=address,undefined -fno-sanitize-recover=all", "thread": "-fsanitize=thread"}
LIBRARIES = {"address": ("libasan.so", "libubsan.so"), "thread": ("libtsan.so",)}
#: Python never gives back what it was lent, and its own memory is no news; what is too large the core refuses itself.
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1:allocator_may_return_null=1",
    "TSAN_OPTIONS": "halt_on_error=1:exitcode=66:allocator_may_return_null=1",
}
TESTS = [
    f"tests/test_{name}.py"
    for name in (
        "core", "search", "bounds", "solver", "classic_solver", "players", "levels", "review", "search_tree", "book",
        "book_layer",
        "engine_search", "web_jobs", "analyse",
    )
]  # fmt: skip
#: One runs a program that is compiled otherwise; the other looks at the clock, and what is watched is slow.
LEFT_OUT = [
    f"--deselect=tests/test_solver.py::test_{name}"
    for name in ("the_verifying_program_agrees_on_boards_of_all_sizes", "ctrl_c_stops_the_solver_at_once")
]
VERIFY = {"late": 2000, "bounds": 4000, "threads": 10}  # positions, of each game


def run(*words: str | Path, kind: str = "", capture: bool = False) -> str:
    """Run a command, with the libraries of a sanitizer in it if one is named; what it printed, if that is wanted."""
    environment = {**os.environ, **OPTIONS}
    if kind:
        found = [subprocess.check_output(["g++", f"-print-file-name={name}"], text=True) for name in LIBRARIES[kind]]
        environment |= {"LD_PRELOAD": " ".join(name.strip() for name in found), "PYTHONPATH": str(folder_of(kind))}
        words = ("setarch", "-R", *words)  # the thread sanitizer fails with random addresses
    done = subprocess.run(
        [*map(str, words)], cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE if capture else None
    )
    if done.returncode:
        raise SystemExit(f"{done.stdout or ''}\n{' '.join(map(str, words))} ended with {done.returncode}")
    return done.stdout or ""


def folder_of(kind: str) -> Path:
    return ROOT / "build" / f"sanitized-{kind}"


def build(kind: str) -> None:
    """A copy of the package with an instrumented core, and such a `verify`."""
    folder, flags = folder_of(kind), f"-O1 -g {FLAGS[kind]}"
    shutil.rmtree(folder / "maxconnect4", ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    shutil.copytree(ROOT / "src" / "maxconnect4", folder / "maxconnect4", ignore=ignored)
    nanobind = run(sys.executable, "-m", "nanobind", "--cmake_dir", capture=True).strip()
    settings = {"Python_EXECUTABLE": sys.executable, "nanobind_DIR": nanobind, "CMAKE_BUILD_TYPE": "None"}
    settings["CMAKE_CXX_FLAGS"] = flags
    run("cmake", "-S", ROOT, "-B", folder / "cmake", *(f"-D{name}={value}" for name, value in settings.items()))
    run("cmake", "--build", folder / "cmake", "--parallel", str(os.cpu_count()))
    (core,) = (folder / "cmake").glob("_core*.so")
    shutil.copy(core, folder / "maxconnect4")
    sources = [ROOT / "tests" / "verify.cpp", ROOT / "core" / "solver.cpp", *(ROOT / "core").glob("*rows_*.cpp")]
    run("g++", "-std=c++20", *flags.split(), "-Icore", *sources, "-pthread", "-o", folder / "verify")


def tried(kind: str, tests: list[str]) -> dict[str, int]:
    """How many tests and positions have passed."""
    where = "import maxconnect4._core as core; print(core.__file__)"
    if str(folder_of(kind)) not in (found := run(sys.executable, "-c", where, kind=kind, capture=True)):
        raise SystemExit(f"the core is {found}")
    words = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", str(os.cpu_count()), "-o", "timeout=1800")
    summary = run(*words, *LEFT_OUT, *tests, kind=kind, capture=True)
    print(summary.splitlines()[-1], flush=True)
    passed = re.search(r"(\d+) passed", summary)
    for game in ("", "classic-"):
        for what, count in VERIFY.items():
            run("setarch", "-R", folder_of(kind) / "verify", f"{game}{what}", str(count), "1")
    return {"tests": int(passed[1]) if passed else 0, "positions": 2 * sum(VERIFY.values())}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=FLAGS)
    parser.add_argument("--tests", nargs="*", default=TESTS, metavar="FILE")
    args = parser.parse_args()
    kinds = [args.only] if args.only else list(FLAGS)
    for kind in kinds:
        build(kind)
        facts = tried(kind, args.tests)
        if args.tests == TESTS:
            record(__file__, facts, kind)
    return 0


if __name__ == "__main__":
    sys.exit(main())
