"""Mutants of the rules, the files and the referee: change a module in one place each, and see which test notices.

    python endurance/mutate_rules.py [--module files] [--part 1/4] [--output build/mutated_rules.tsv] [--counts FILE]
    python endurance/mutate_rules.py --again [--module files]
    python endurance/mutate_rules.py --list

`mutations.py` says what is changed. Every module has its test files, which are run once as they are, to learn which
tests call which functions; then each mutant is met by the tests that call its function, the quickest first, and then by
the others, as something may be kept from test to test, up to the first that fails. The fates:

    killed      a test fails
    run         the tests do not end
    explained   nobody notices, and endurance/survivors.tsv says why nobody can
    survives    nobody notices

It ends with 1 if one survives. It works in a copy of the tree, with processes that have all but this package loaded
already, so that most mutants take less than a second of CPU time. `--again` tries those anew that
nobody noticed the last time, and takes the others from the table.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "endurance")]

from mutations import Mutant, mutants_of
from survivors import explained, noticed_in, write_counts

PACKAGE = Path("src") / "maxconnect4"
#: The modules, and the tests that are to notice.
MODULES = {
    "board": ("board", "notation", "files"),
    "notation": ("notation",),
    "keys": ("keys",),
    "outcomes": ("outcomes",),
    "files": ("files",),
    "search": ("search", "players", "library", "one_move"),
    "solver": ("solver", "classic_solver", "analyse", "book"),
    "reading": ("reading",),
    "saving": ("saving",),
    "referee/playing": ("playing",),
    "referee/games": ("games",),
    "referee/programs/judging": ("judging",),
    "referee/schedule/encounters": ("pairings",),
    "referee/schedule/knockout": ("pairings",),
    "referee/schedule/matching": ("matching", "pairings"),
    "referee/schedule/pairings": ("pairings",),
    "referee/schedule/swiss": ("pairings",),
    "referee/statistics/bradley_terry": ("ratings",),
    "referee/statistics/elo": ("elo",),
    "referee/statistics/intervals": ("intervals",),
    "referee/statistics/pentanomial": ("elo", "sprt"),
    "referee/statistics/ratings": ("ratings",),
    "referee/statistics/sprt": ("sprt",),
    "referee/standings": ("standings",),
    "referee/sequential": ("sequential",),
    "referee/faults": ("judging", "program"),
    "referee/entrants": ("entrants", "kaggle_file"),
    "referee/matches": ("matches",),
    "referee/results": ("results",),
    "referee/programs/belongings": ("belongings", "entrants"),
    "referee/programs/program": ("program", "program_surroundings", "belongings"),
    "referee/programs/abridging": ("abridging",),
    "referee/programs/process_tree": ("process_tree",),
    "referee/programs/isolation": ("isolation",),
    "referee/programs/cgroup": ("isolation",),
    "referee/programs/kaggle_file": ("kaggle_file",),
    "referee/programs/sandbox": ("sandbox", "orphans", "process_tree", "isolation"),
    "referee/programs/scratch": ("scratch",),
    "referee/limits": ("isolation", "tournament_file"),
    "referee/openings": ("openings", "classic_games"),
    "referee/opposing": ("opposing",),
    "referee/reviewing": ("playing", "classic_games"),
    "referee/tournament": ("tournament_file", "running"),
    "referee/tournament_file": ("tournament_file", "classic_games"),
    "referee/trials": ("trials",),
    "referee/checking": ("checking", "check_games"),
    "referee/running": ("running",),
    "referee/report/event": ("report_event",),
    "referee/report/facts": ("report_tables", "report"),
    "referee/report/page": ("report",),
    "referee/report/pgn": ("report_texts",),
    "referee/report/plots": ("report_plots",),
    "referee/report/reading": ("report_command",),
    "referee/report/records": ("report_texts",),
    "referee/report/spreadsheets": ("report_texts",),
    "referee/report/tables": ("report_tables",),
    "referee/report/times": ("report_tables",),
    "referee/report/transcripts": ("report_texts",),
}
SEVERAL = 3  # times the CPU time that the tests take without a mutant is what they may take with one
LONGEST = 1200  # seconds by the clock, which is for tests that wait for ever: a busy machine is no news
OPTIONS = ["-x", "-p", "no:cacheprovider", "-p", "_hypothesis_pytestplugin", "-p", "pytest_timeout", "--noconftest"]
OPTIONS += ["--no-header", "--tb=no", "--timeout=300", "-W", "ignore::pytest.PytestAssertRewriteWarning"]


@dataclass
class Test:
    """What a test did with the module as it is."""

    name: str
    seconds: float = 0.0
    passed: bool = False
    called: set[int] = field(default_factory=set)  # the functions, by their first lines


class Watching:
    """Notes, as part of pytest, which functions of a file a test calls, how long it takes, and which fails first."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = str(path)
        self.tests: dict[str, Test] = {}
        self.called: set[int] = set()
        self.failed = ""
        if path is not None:
            threading.settrace(self._trace)
            sys.settrace(self._trace)

    def _trace(self, frame: FrameType, event: str, arg: object) -> None:
        if frame.f_code.co_filename == self.path:
            self.called.add(frame.f_code.co_firstlineno)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins."""
        self.tests[nodeid] = Test(nodeid)
        self.called = self.tests[nodeid].called

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A part of a test has ended."""
        test = self.tests[report.nodeid]
        test.seconds += report.duration
        test.passed |= report.when == "call" and report.passed
        if report.failed:
            test.passed = False
            self.failed = self.failed or report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        """A file of tests has been read."""
        if report.failed:
            self.failed = self.failed or str(report.nodeid)


def run_tests(arguments: list[str], watched: Path | None, cpu: float, answer: Connection) -> None:
    """What a process of its own does: run tests, and send what came of it."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.setsid()
    spent = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (int(spent + cpu), int(spent + cpu) + 5))
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    import hypothesis
    import pytest

    phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]  # nobody reads the smallest example
    checks = list(hypothesis.HealthCheck)
    hypothesis.settings.register_profile(
        "mutants",
        max_examples=25,
        deadline=None,
        database=None,
        derandomize=True,
        phases=phases,
        suppress_health_check=checks,
    )
    hypothesis.settings.load_profile("mutants")
    watching = Watching(watched)
    code = pytest.main([*OPTIONS, *arguments], plugins=[watching])
    sys.settrace(None)
    loaded = [name for name, module in sys.modules.items() if "site-packages" in str(getattr(module, "__file__", ""))]
    answer.send((int(code), watching.failed, list(watching.tests.values()), loaded, time.process_time() - spent))
    answer.close()
    os._exit(0)


class Workshop:
    """A copy of the tree in which one module at a time is changed."""

    def __init__(self, place: Path) -> None:
        self.tree = place / "tree"
        left_out = shutil.ignore_patterns(".*", "build", "node_modules", "__pycache__", "*.png", "*.ipynb")
        shutil.copytree(ROOT, self.tree, ignore=left_out)
        package = importlib.util.find_spec("maxconnect4")  # which must not be loaded before it is changed
        assert package is not None
        for folder in package.submodule_search_locations or []:
            for built in (*Path(folder).glob("_core.*.so"), Path(folder) / "_launch"):
                shutil.copy(built, self.tree / PACKAGE)
        os.environ["PYTHONPATH"] = str(self.tree / "src")
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # looking for plugins takes as long as many tests
        sys.path.insert(0, str(self.tree / "src"))
        sys.path.insert(0, str(self.tree / "tests"))
        os.chdir(self.tree)
        self.cpu = 0.0  # that the tests of a module take

    def files(self, module: str) -> list[str]:
        """The test files that are to notice a change of a module."""
        names = [f"tests/test_{name}.py" for name in MODULES[module]]
        return [name for name in names if (self.tree / name).exists()]

    def learn(self, module: str) -> list[Test]:
        """Which tests call which functions of a module. Those that do not pass anyway are left out."""
        told = self._ask(["--maxfail=1000", *self.files(module)], self.tree / PACKAGE / f"{module}.py", LONGEST)
        if told is None:
            raise SystemExit(f"the tests of {module} do not end")
        _, _, tests, loaded, self.cpu = told
        for name in loaded:  # what every process would have to load again
            with suppress(Exception), warnings.catch_warnings(action="ignore"):
                importlib.import_module(name)
        for test in tests:
            if not test.passed:
                print(f"  {test.name} is left out: it does not pass as it is")
        return sorted((test for test in tests if test.passed), key=lambda test: test.seconds)

    def fate(self, mutant: Mutant, module: str, tests: list[Test]) -> tuple[str, str]:
        """What becomes of a mutant, and who noticed."""
        function = mutant.function()
        chosen = sorted(tests, key=lambda test: function not in test.called)
        changed = self.tree / PACKAGE / f"{module}.py"
        was = changed.read_bytes()
        for compiled in changed.parent.glob(f"__pycache__/{changed.stem}.*"):
            compiled.unlink()
        changed.write_bytes(mutant.mutated())
        try:
            told = self._ask([test.name for test in chosen], None, 5 + SEVERAL * self.cpu)
        finally:
            changed.write_bytes(was)
        if told is None:
            return "run", ""
        code, failed, *_ = told
        return ("survives", "") if code == 0 else ("killed", failed or f"pytest ends with {code}")

    def _ask(self, arguments: list[str], watched: Path | None, cpu: float) -> Any:
        """What a forked process says; nothing if it takes more CPU time, or never ends."""
        ours, theirs = multiprocessing.Pipe()
        process = multiprocessing.get_context("fork").Process(target=run_tests, args=(arguments, watched, cpu, theirs))
        sys.dont_write_bytecode = watched is None
        os.environ["PYTHONDONTWRITEBYTECODE"] = "x"
        process.start()
        theirs.close()
        try:
            with suppress(EOFError):
                if ours.poll(LONGEST):
                    return ours.recv()
            return None
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid or 0, signal.SIGKILL)
            process.join()
            ours.close()


def parsed() -> argparse.Namespace:
    """The words of the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="list the mutants and do nothing")
    parser.add_argument("--module", action="append", choices=MODULES, help="only this one; may be given again")
    parser.add_argument("--again", action="store_true", help="only those that nobody noticed the last time")
    parser.add_argument("--part", default="1/1", help="which part of them, such as 2/4")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "mutated_rules.tsv")
    parser.add_argument("--counts", type=Path, help="put the counts of these modules into a JSON file")
    return parser.parse_args()


def main() -> int:
    """Try them one by one, and write each down at once."""
    args = parsed()
    part, parts = (int(number) for number in args.part.split("/"))
    names = args.module or list(MODULES)
    mutants = {name: mutants_of(ROOT / PACKAGE / f"{name}.py")[part - 1 :: parts] for name in names}
    if args.list:
        for name in names:
            for mutant in mutants[name]:
                print(name, mutant.line(), mutant.shown(), sep="\t")
        return 0
    output, args.counts = args.output.resolve(), args.counts and args.counts.resolve()  # the tests run elsewhere
    output.parent.mkdir(parents=True, exist_ok=True)
    noticed = noticed_in(output) if args.again else {}
    os.nice(10)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that nothing is left running
    counts: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as folder, output.open("w") as table:
        workshop = Workshop(Path(folder))
        for name in names:
            known, tests, start = explained(f"{name}.py"), workshop.learn(name), time.monotonic()
            counts[name] = Counter()
            for mutant in mutants[name]:
                fate, who = noticed.get((f"{name}.py", mutant.shown())) or workshop.fate(mutant, name, tests)
                if fate == "survives" and mutant.shown() in known:
                    fate = "explained"
                counts[name][fate] += 1
                print(f"{name}.py", mutant.line(), mutant.shown(), fate, who, sep="\t", file=table, flush=True)
            made, seconds = len(mutants[name]), time.monotonic() - start
            fates = ", ".join(f"{count} {fate}" for fate, count in counts[name].most_common())
            print(f"{name}: {made} mutants, {fates}; {seconds:.0f} s", flush=True)
    if args.counts:
        command = f"python endurance/mutate_rules.py --part {args.part}"
        write_counts(args.counts, command, {f"{name}.py": count for name, count in counts.items()})
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{sum(map(len, mutants.values()))} mutants, {used.ru_utime + used.ru_stime:.0f} s of CPU")
    return int(any(count["survives"] for count in counts.values()))


if __name__ == "__main__":
    sys.exit(main())
