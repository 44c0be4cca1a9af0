"""A real Dask cluster on this machine: a scheduler and workers, each a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

HERE = str(Path(__file__).parent)
DASK = str(Path(sys.executable).parent / "dask")
#: For sitecustomize.py: a process with it in its PYTHONPATH can import neither the program nor the jobs of the tests.
WITHOUT_PROGRAM = "import sys; sys.modules['maxconnect4'] = sys.modules['jobs'] = None"

#: What Dask measures many times in a second, which costs more CPU time than the tests themselves.
QUIET = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__TICK__LIMIT": "60s",
}


class DaskCluster:
    """Use it with `with`: whatever happens, nothing of it is left. The logs are files in `folder`."""

    def __init__(self, folder: Path, workers: int = 0, **environment: str) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.workers: list[subprocess.Popen[bytes]] = []
        try:
            self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", **environment)
            for _ in range(workers):
                self.add_worker()
            self.address = self._address()
        except BaseException:
            self.stop()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def stop(self) -> None:
        """End it all."""
        for process in self.processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(60)

    def add_worker(self, **environment: str) -> None:
        """Start a worker. Without a nanny, which would start a new one when it dies."""
        self.workers.append(self._start("worker", "--no-nanny", "--nthreads", "1", **environment))

    def client(self) -> Any:
        """Somebody who may ask the scheduler questions, once all workers are there."""
        from distributed import Client

        client = Client(self.address, timeout=60, set_as_default=False)
        try:
            client.wait_for_workers(len(self.workers), timeout=60)
        except BaseException:
            client.close()
            raise
        return client

    def _start(self, kind: str, *words: str, **environment: str) -> subprocess.Popen[bytes]:
        path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), HERE]))  # so that workers find `jobs`
        with (self.folder / f"{kind}{len(self.processes)}.log").open("wb") as log:
            process = subprocess.Popen(
                [DASK, kind, *words, "--scheduler-file", str(self.file), "--no-dashboard"],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={**os.environ, **QUIET, "PYTHONPATH": path, **environment},
                process_group=0,  # and not a session: a command that runs programs in this process would end it
            )
        self.processes.append(process)
        return process

    def _address(self, seconds: float = 60) -> str:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with suppress(OSError, ValueError):  # the file is not there yet, or not whole
                return str(json.loads(self.file.read_text())["address"])
            time.sleep(0.05)
        raise TimeoutError(f"the scheduler has not come up in {seconds} s")
