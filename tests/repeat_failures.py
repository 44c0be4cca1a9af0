"""Repeat the few failed tests of a parallel run one at a time, as CPython's regrtest does with --rerun.

A test that fails twice fails the run. One that then passes is flaky, and is listed: fix it, or report it.
"""

import json
import subprocess
import sys
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
TESTS_FAILED = 1  # exit status of pytest; others are interrupts, crashes and errors of usage
MOST = 5  # more failures are hardly due to the load of the machine


def main(status: int, *selection: str) -> int:
    failed = list(json.loads(FAILED.read_text())) if status == TESTS_FAILED else []
    if not 0 < len(failed) <= MOST:
        return status
    print("\nRepeating the failed tests, one at a time.", flush=True)
    repeated = [sys.executable, "-m", "pytest", "-p", "no:xdist", *selection, *failed]
    if subprocess.run(repeated, check=False).returncode:
        return status
    print("Flaky: these tests failed beside others and passed alone:", *failed, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), *sys.argv[2:]))
