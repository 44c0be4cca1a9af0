"""Every command in hostile environments: full disks, no home, closed streams, tiny terminals, low limits, signals...

Each command runs with a small task in each environment of `fault_injection`. It has to end in time with a documented
exit status, and if it fails, with one line that gives the reason: no traceback. Its output files have to be complete,
its input files unchanged, and no process or temporary file may be left. Where the environment should make no
difference, the command has to succeed; after a full disk or a signal it has to succeed in the same folder. After a
signal a journal of SQLite may be left, from which the next run recovers.

The disks and users need root, and the clocks need faketime; without them those are left out, with a notice. It takes
about an hour and a half with two processors:
    python endurance/environments.py
    python endurance/environments.py --only "full disk here" --command match
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

from commands import Command, all_commands, lay_out
from fault_injection import CLOSED, FAKE_CLOCK, PIPE, Case, Environment, for_every_user, for_root, of_the_clock
from processes import command_lines, left_of
from record import record
from terminal import PROGRAM

LONGEST = 300  # seconds for a command, however busy the machine is
PATIENCE = 10  # seconds until nothing may be left of it
DOCUMENTED = {0, 1, 2, 3, 4, 130}
NOTES = ("maxconnect4: all of this was measured before: if the program has changed, --restart measures it again\n",)
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
    """The result of a command."""

    code: int | None  # None if it had to be killed
    out: bytes
    err: bytes
    seconds: float


class Failed(Exception):
    """A requirement that does not hold."""


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
    output = {"out": bytearray(), "err": bytearray()}
    readers = [
        threading.Thread(target=_listen, args=(descriptor, output[name], case.reads if name == "out" else None))
        for name, descriptor in ours.items()
    ]
    workers = [*readers, threading.Thread(target=_type, args=(typist, case))]
    if case.during is not None:
        workers.append(threading.Thread(target=case.during, args=(process,)))
    for worker in workers:
        worker.start()
    if case.command.is_server:
        _stop(process, output["out"], case)
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
    return Ended(code, bytes(output["out"]), bytes(output["err"]), seconds)


def _listen(descriptor: int, output: bytearray, most: int | None) -> None:
    with suppress(OSError):  # a terminal whose program has gone
        while (most is None or len(output) < most) and (data := os.read(descriptor, most or 65536)):
            output += data
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


def _stop(process: subprocess.Popen[bytes], output: bytearray, case: Case) -> None:
    """End a server, when it is ready or after a time limit."""
    end = time.monotonic() + 5
    while process.poll() is None and time.monotonic() < end and b"Ctrl-C" not in output:
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


# Required results


def judge(case: Case, ended: Ended, strict: bool) -> None:
    """Refuse an unexpected result; `strict` is for environments that should make no difference."""
    message = ended.err.decode(errors="replace") if case.columns is None else ended.out.decode(errors="replace")
    if ended.code is None:
        raise Failed(f"it has not ended in {LONGEST} s: {message!r}")
    if case.signal == signal.SIGINT and ended.code == -signal.SIGINT:
        return  # Python itself was still starting, and prints its own message
    for word in UNEXPECTED:
        if word in message:
            raise Failed(f"exit code {ended.code}, {message}")
    if case.signal is not None and ended.code in (-case.signal, 128 + case.signal):
        return
    if case.command.is_server and signal.SIGINT in case.ignored and ended.code == -signal.SIGTERM:
        return  # it could only be stopped so
    if ended.code not in DOCUMENTED:
        raise Failed(f"exit code {ended.code}, {message!r}")
    if strict and ended.code != 0:
        raise Failed(f"exit code {ended.code}, {message!r}")
    lines = [line for line in message.splitlines() if line.startswith("maxconnect4")]
    if message.startswith("OpenBLAS error: Memory allocation") and case.limits:
        return  # it ends the process itself
    if ended.code != 0 and case.columns is None and case.stderr == PIPE and len(lines) != 1:
        raise Failed(f"exit code {ended.code} and {len(lines)} lines: {message!r}")
    if ended.code == 0 and message and case.columns is None and strict and message not in NOTES:
        raise Failed(f"exit code 0, but {message!r}")


def check_files(case: Case, ended: Ended) -> None:
    """What is there has to be whole, and nothing else may be there; after a game without its end, some is not."""
    before = {path.name for path in case.pristine.iterdir()}
    for path in sorted(case.folder.iterdir()):
        if path.name in before and path.name not in case.command.writes:
            if path.read_bytes() != (case.pristine / path.name).read_bytes():
                raise Failed(f"{path.name} has changed")
        elif path.name not in (*case.command.writes, *case.command.keeps, *case.extra_files, ".filling"):
            if case.signal is None or not path.name.endswith("-journal"):  # from which the next run recovers
                raise Failed(f"left over: {path.name}")
        elif path.is_file() and path.name not in (*case.extra_files, ".filling"):
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


# Trials


def trial(command: Command, environment: Environment, pristine: Path) -> str:
    """Run one command in an environment and return its result, or raise `Failed`."""
    with tempfile.TemporaryDirectory() as place:
        case = Case(command, pristine / "here", pristine / "home", Path(place))
        with environment(case):
            ended = tried(case)
            judge(case, ended, strict=not case.may_fail)
            if case.folder.exists():
                check_files(case, ended)
                if case.works_afterwards:
                    _check_it_works_afterwards(case)
    message = ended.err.decode(errors="replace").strip().splitlines()
    return f"exit code {ended.code} in {ended.seconds:.1f} s" + (f": {message[-1]}" if message else "")


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
    parser.add_argument("--only", nargs="*", help="names of environments, or their beginnings")
    parser.add_argument("--command", nargs="*", help="names of commands")
    args = parser.parse_args()
    chosen = for_every_user()
    if os.geteuid() == 0:
        chosen |= for_root()
    else:
        print(f"left out without root: {', '.join(for_root())}")
    if FAKE_CLOCK:
        chosen |= of_the_clock()
    else:
        print("left out without faketime: wrong clocks")
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        pristine = Path(folder)
        (pristine / "here").mkdir()
        (pristine / "home").mkdir()
        lay_out(pristine / "here", pristine / "home")
        for name, environment in chosen.items():
            if args.only and not any(name.startswith(each) for each in args.only):
                continue
            for command in all_commands():
                if (args.command and command.name not in args.command) or (
                    command.runs_programs and name in of_the_clock()
                ):
                    continue
                counts["trials"] += 1
                try:
                    print(f"{name} | {command.name} | {trial(command, environment, pristine)}", flush=True)
                except Failed as failure:
                    counts["wrong"] += 1
                    print(f"{name} | {command.name} | WRONG: {failure}", flush=True)
    print(f"{counts['trials']} trials, {counts['wrong']} failed")
    if not counts["wrong"] and not args.only and not args.command:
        record(__file__, {"trials": counts["trials"], "environments": len(chosen), "commands": len(all_commands())})
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
