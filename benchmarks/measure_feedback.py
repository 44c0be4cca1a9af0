"""Measure how long contributors wait: every phase of `make test` and of `make play` in a fresh clone, without caches.

The phases run one after another, so that each has its own time; `make test` runs them in parallel. Packages are
downloaded. The first phase installs Chromium and bubblewrap where they are missing: remove them first to measure it.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from measurement import HERE, begin, keep, progress

PHASES = {
    "browser": "browser",
    "venv": ".venv/.build-tools",
    "core": "build/.built",
    "packages": ".venv/.tools",
    "install": ".venv/.installed",
    "page_tools": ".venv/.page-tools",
    "verify": "build/verify",
    "lint": "lint",
}


def main() -> None:
    begin()
    with tempfile.TemporaryDirectory() as folder:
        phases = Clone(Path(folder) / "phases")
        facts: dict[str, Any] = {"phases": {name: phases.make(target) for name, target in PHASES.items()}}
        facts["phases"]["tests"] = phases.make("test")
        (phases.path / "src" / "maxconnect4" / "board.py").touch()
        facts["python_change"] = phases.make(".venv/.installed")
        facts["test_fresh"] = Clone(Path(folder) / "test").make("test")
        facts["play"] = Clone(Path(folder) / "play").play()
    keep("feedback", "bench-feedback", facts)


class Clone:
    """A fresh clone with caches of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        subprocess.run(["git", "clone", "--quiet", HERE.parent, path], check=True)
        left_out = ("MAKEFLAGS", "MAKELEVEL", "PYTHONPATH", "VIRTUAL_ENV")
        self.environment = {name: value for name, value in os.environ.items() if name not in left_out}
        self.environment |= {
            "UV_CACHE_DIR": f"{path}.uv",
            "PIP_CACHE_DIR": f"{path}.pip",
            "npm_config_cache": f"{path}.npm",
        }

    def make(self, target: str) -> dict[str, float]:
        """Wall-clock and CPU seconds of one target."""
        progress(f"make {target}")
        before, start = cpu(), time.monotonic()
        subprocess.run(["make", target], cwd=self.path, env=self.environment, check=True, stdout=subprocess.DEVNULL)
        return {"seconds": round(time.monotonic() - start, 1), "cpu_seconds": round(cpu() - before, 1)}

    def play(self) -> dict[str, float]:
        """Seconds from `make play` to the address."""
        progress("make play")
        before, start = cpu(), time.monotonic()
        with subprocess.Popen(
            ["make", "play"],
            cwd=self.path,
            env=self.environment | {"BROWSER": "true"},
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if "http://" in line:
                    break
            seconds = time.monotonic() - start
            os.killpg(process.pid, signal.SIGTERM)
        return {"seconds": round(seconds, 1), "cpu_seconds": round(cpu() - before, 1)}


def cpu() -> float:
    """CPU seconds of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
