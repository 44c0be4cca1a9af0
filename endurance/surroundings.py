"""Every command in hostile surroundings: full disks, no home, closed streams, tiny terminals, low limits, signals...

Each command is run, small, in each of the surroundings of `bad_luck`. Whatever they are, it has to end in time with an
exit code that is in the documents, and if it fails, with one line that says why: no traceback. What it has written has
to be whole, what it has read the same as before, and nothing may be left: no process, no temporary file. Where the
surroundings should make no difference, it has to do its work as usual; after a full disk or a signal the same command
has to do it in the same folder. After a signal SQLite's journal may be there, with which the next run goes on.

The disks and users need root, and the clocks need faketime; without them those are left out, and that is said. It takes
about an hour and a half with two processors:
    python endurance/surroundings.py
    python endurance/surroundings.py --only "full disk here" --command match
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import resource
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from bad_luck import CLOSED, FAKE_CLOCK, PIPE, Case, Surroundings, for_anybody, for_root, of_the_clock
from every_command import Command, every_command, lay_out
from processes import command_lines, left_of
from record import record
from terminal import PROGRAM

LONGEST = 300  # seconds for a command, however busy the machine is
PATIENCE = 10  # seconds until nothing may be left of it
DOCUMENTED = {0, 1, 2, 3, 4, 130}
NOTES = ("maxconnect4: all of this was measured before: if the program has changed, --anew measures it again\n",)
UNEXPECTED = (
    "Traceback",
    "RuntimeError",
    "Exception ignored",
    "Fatal Python",
    "Warning:",
    "core dumped",
    "terminate called",
)


@dataclass
class Ended:
    """What came of a command."""

    code: int | None  # None if it had to be killed
    out: bytes
    err: bytes
    seconds: float


class Failed(Exception):
    """What is wrong."""


def tried(case: Case) -> Ended:
    """Run the command of a case, to its end."""
    start = time.monotonic()
    theirs: list[int] = []
    ours: dict[str, int] = {}
    if case.columns is not None:
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, case.columns, 0, 0))
        theirs, ours = [slave] * 3, {"out": master}
        typist = master
    else:
        typist = -1
        for number, how in enumerate((case.stdin, case.stdout, case.stderr)):
            if how == PIPE:
                reading, writing = os.pipe()
                theirs.append(writing if number else reading)
                if number:
                    ours["out" if number == 1 else "err"] = reading
                else:
                    typist = writing
            else:
                theirs.append(os.open(os.devnull if how == CLOSED else how, os.O_WRONLY if number else os.O_RDONLY))

    def become() -> None:
        os.setsid()
        if case.columns is not None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        else:
            for number, how in enumerate((case.stdin, case.stdout, case.stderr)):
                if how == CLOSED:
                    os.close(number)
        # A shell has what it starts in the background ignore some, and that is handed on.
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(each, signal.SIG_IGN if each in case.ignored else signal.SIG_DFL)
        for limit, most in case.limits.items():
            resource.setrlimit(limit, (most, most))

    process = subprocess.Popen(
        [*case.before, PROGRAM, *case.words],
        cwd=case.folder,
        env=case.environment,
        stdin=theirs[0],
        stdout=theirs[1],
        stderr=theirs[2],
        preexec_fn=become,
    )
    for descriptor in set(theirs):
        os.close(descriptor)
    heard = {"out": bytearray(), "err": bytearray()}
    readers = [
        threading.Thread(target=_listen, args=(descriptor, heard[name], case.reads if name == "out" else None))
        for name, descriptor in ours.items()
    ]
    workers = [*readers, threading.Thread(target=_type, args=(typist, case))]
    if case.during is not None:
        workers.append(threading.Thread(target=case.during, args=(process,)))
    for worker in workers:
        worker.start()
    if case.command.is_server:
        _stop(process, heard["out"], case)
    try:
        code: int | None = process.wait(LONGEST)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        code = None
    seconds = time.monotonic() - start
    _check_nothing_runs(case)
    for worker in workers:
        worker.join()
    if case.columns is not None:
        os.close(master)
    return Ended(code, bytes(heard["out"]), bytes(heard["err"]), seconds)


def _listen(descriptor: int, heard: bytearray, most: int | None) -> None:
    with suppress(OSError):  # a terminal whose program has gone
        while (most is None or len(heard) < most) and (data := os.read(descriptor, most or 65536)):
            heard += data
    if not os.isatty(descriptor):
        os.close(descriptor)


def _type(descriptor: int, case: Case) -> None:
    if descriptor < 0:
        return
    with suppress(OSError):
        os.write(descriptor, case.command.typed)
        if case.columns is not None:
            time.sleep(0.5)
            os.write(descriptor, b"\x04")
    if case.columns is None:
        os.close(descriptor)


def _stop(process: subprocess.Popen[bytes], heard: bytearray, case: Case) -> None:
    """End a server, when it is there or when that cannot be seen."""
    end = time.monotonic() + 5
    while process.poll() is None and time.monotonic() < end and b"Ctrl-C" not in heard:
        time.sleep(0.05)
    time.sleep(0.3)
    if process.poll() is None:
        process.send_signal(signal.SIGTERM if signal.SIGINT in case.ignored else signal.SIGINT)


def _check_nothing_runs(case: Case) -> None:
    if left := left_of(os.fsencode(case.place), PATIENCE):
        words = command_lines(left)
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        raise Failed(f"still running: {words}")


# What has to hold


def judge(case: Case, ended: Ended, strict: bool) -> None:
    """Refuse what should not have happened; `strict` is for surroundings that should make no difference."""
    said = ended.err.decode(errors="replace") if case.columns is None else ended.out.decode(errors="replace")
    if ended.code is None:
        raise Failed(f"it has not ended in {LONGEST} s: {said!r}")
    if case.signal == signal.SIGINT and ended.code == -signal.SIGINT:
        return  # Python itself was still starting, and tells of it in its own way
    for word in UNEXPECTED:
        if word in said:
            raise Failed(f"exit code {ended.code}, {said}")
    if case.signal is not None and ended.code in (-case.signal, 128 + case.signal):
        return
    if case.command.is_server and signal.SIGINT in case.ignored and ended.code == -signal.SIGTERM:
        return  # it could only be stopped so
    if ended.code not in DOCUMENTED:
        raise Failed(f"exit code {ended.code}, {said!r}")
    if strict and ended.code != 0:
        raise Failed(f"exit code {ended.code}, {said!r}")
    lines = [line for line in said.splitlines() if line.startswith("maxconnect4")]
    if said.startswith("OpenBLAS error: Memory allocation") and case.limits:
        return  # it ends the process itself
    if ended.code != 0 and case.columns is None and case.stderr == PIPE and len(lines) != 1:
        raise Failed(f"exit code {ended.code} and {len(lines)} lines: {said!r}")
    if ended.code == 0 and said and case.columns is None and strict and said not in NOTES:
        raise Failed(f"exit code 0, but {said!r}")


def check_files(case: Case, ended: Ended) -> None:
    """What is there has to be whole, and nothing else may be there; after a game without its end, some is not."""
    before = {path.name for path in case.pristine.iterdir()}
    for path in sorted(case.folder.iterdir()):
        if path.name in before and path.name not in case.command.writes:
            if path.read_bytes() != (case.pristine / path.name).read_bytes():
                raise Failed(f"{path.name} has changed")
        elif path.name not in (*case.command.writes, *case.command.keeps, *case.beside, ".filling"):
            if case.signal is None or not path.name.endswith("-journal"):  # with which the next run goes on
                raise Failed(f"left lying about: {path.name}")
        elif path.is_file() and path.name not in (*case.beside, ".filling"):
            _check_whole(path)
    if ended.code == 0 and (not case.may_fail or case.command.name != "interactive"):
        for name in case.command.writes:
            if not (case.folder / name).exists():
                raise Failed(f"exit code 0, but {name} is not there")
    if left := [path.name for path in case.scratch.iterdir() if path.name != ".filling"]:
        raise Failed(f"left in TMPDIR: {left}")


def _check_whole(path: Path) -> None:
    if path.suffix in (".sqlite", ".unfinished"):
        if path.stat().st_size:
            with closing(sqlite3.connect(path, timeout=5)) as database:
                if (found := database.execute("PRAGMA integrity_check").fetchone()) != ("ok",):
                    raise Failed(f"{path.name}: {found}")
        return
    data = path.read_bytes()
    end = {".svg": b"</svg>\n", ".html": b"</html>"}.get(path.suffix, b"\n")
    if path.suffix != ".book" and not data.endswith(end):
        raise Failed(f"{path.name} is not whole: {len(data)} bytes, at the end {data[-20:]!r}")


# All of it


def trial(command: Command, surroundings: Surroundings, pristine: Path) -> str:
    """Try one command in some surroundings: what came of it, or `Failed`."""
    with tempfile.TemporaryDirectory() as place:
        case = Case(command, pristine / "here", pristine / "home", Path(place))
        with surroundings(case):
            ended = tried(case)
            judge(case, ended, strict=not case.may_fail)
            if case.folder.exists():
                check_files(case, ended)
                if case.works_afterwards:
                    _check_it_works_afterwards(case)
    said = ended.err.decode(errors="replace").strip().splitlines()
    return f"exit code {ended.code} in {ended.seconds:.1f} s" + (f": {said[-1]}" if said else "")


def _check_it_works_afterwards(case: Case) -> None:
    for folder in (case.folder, case.home, case.scratch):
        with suppress(FileNotFoundError):
            (folder / ".filling").unlink()
    case.signal = case.during = None
    case.limits = {}
    case.columns = None
    case.stdin = case.stdout = case.stderr = PIPE
    again = tried(case)
    try:
        judge(case, again, strict=True)
        check_files(case, again)
    except Failed as failure:
        raise Failed(f"afterwards: {failure}") from None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", help="names of surroundings, or their beginnings")
    parser.add_argument("--command", nargs="*", help="names of commands")
    args = parser.parse_args()
    chosen = for_anybody()
    if os.geteuid() == 0:
        chosen |= for_root()
    else:
        print(f"left out, as only root can do it: {', '.join(for_root())}")
    if FAKE_CLOCK:
        chosen |= of_the_clock()
    else:
        print("left out, as there is no faketime: clocks that go wrong")
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        pristine = Path(folder)
        (pristine / "here").mkdir()
        (pristine / "home").mkdir()
        lay_out(pristine / "here", pristine / "home")
        for name, surroundings in chosen.items():
            if args.only and not any(name.startswith(each) for each in args.only):
                continue
            for command in every_command():
                if (args.command and command.name not in args.command) or (
                    command.runs_programs and name in of_the_clock()
                ):
                    continue
                counts["trials"] += 1
                try:
                    print(f"{name} | {command.name} | {trial(command, surroundings, pristine)}", flush=True)
                except Failed as failure:
                    counts["wrong"] += 1
                    print(f"{name} | {command.name} | WRONG: {failure}", flush=True)
    print(f"{counts['trials']} trials, {counts['wrong']} went wrong")
    if not counts["wrong"] and not args.only and not args.command:
        record(__file__, {"trials": counts["trials"], "surroundings": len(chosen), "commands": len(every_command())})
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
