"""Building submissions: compilers run in the sandbox of the referee, with a log, and never use committed binaries."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from typing import NamedTuple

from ..errors import error_reason
from ..formatting import plural
from ..referee import sandbox
from ..referee.config import OWN_COMMAND
from ..referee.isolation import BUBBLEWRAP, isolation_for
from ..referee.limits import ResourceLimits
from ..referee.players import PlayerSpec
from ..referee.program import INHERITED_VARIABLES
from ..referee.program_files import file_access, scratch_folder
from .archives import Unpacked, UnpackLimits, copy_tree
from .languages import SCRATCH, detect, find_executable, is_compiled, rust_toolchain, source_files, tool_of

#: Limits of a compiler with all its processes.
LIMITS = ResourceLimits(
    seconds=600.0, cpu_seconds=300.0, memory=4 << 30, printed=256 << 20, processes=512, disk=2 << 30
)
MAX_BUILT = UnpackLimits(400 << 20, 8_000)  # of the files after a build


class BuildTask(NamedTuple):
    """The sources of a student, and the folder for the program. An empty text is detected."""

    student: str  # the ID
    source: str
    program: str
    isolation: str
    build: str = ""
    command: str = ""


class Build(NamedTuple):
    """A built program, or the reasons why there is none."""

    language: str
    build: str
    command: str  # "" if there is no program
    log: str
    problems: tuple[str, ...]


def build(task: BuildTask) -> Build:
    """Build the program of a student into a new folder, which replaces an older one.

    Without `build` and `command`, both are detected.
    """
    plan = detect(task.source)
    if task.build or task.command:
        plan.builds, plan.command, plan.problems = [task.build], task.command, []
    problems = list(plan.problems)
    used, command, log = "", "", ""
    missing = ""
    for script in plan.builds or [""] * bool(plan.command):
        used, command = script, plan.command
        missing = tool_of(script, command) or ""
        if missing:
            command = ""
            continue
        try:
            more, ok = _run(task, script)
        except OSError as error:  # the sandbox could not be started, or the sources could not be copied
            more, ok = f"$ {script}\n(it could not be built: {error_reason(error)})\n", False
        log += more
        if ok and not command:
            command, several = find_executable(task.program)
            problems += [several] if several else []
        command = command if ok else ""
        if command:
            break
    if not command and missing:
        problems.append(f"it is a program in {plan.language}, and {missing} is not installed")
    elif not command and (plan.builds or plan.command):
        problems.append("it could not be built: see the log")
    if compiled := _compiled(task.source):
        names = ", ".join(compiled[:3]) + (", ..." if compiled[3:] else "")
        problems.append(f"{plural(len(compiled), 'compiled file')} not used: {names}")
    return Build(plan.language, used, command, log, tuple(dict.fromkeys(problems)))


def _left_out(folder: str) -> list[str]:
    """The files that a program does not get: compiled ones, and a command that a tournament would read."""
    own_command = [OWN_COMMAND] if os.path.isfile(os.path.join(folder, OWN_COMMAND)) else []
    return _compiled(folder) + own_command


def _compiled(folder: str) -> list[str]:
    return [path for path in source_files(folder) if is_compiled(os.path.join(folder, path))]


def _run(task: BuildTask, script: str) -> tuple[str, bool]:
    """Copy the sources, run the script of a build in the sandbox, and store its folder. Returns the log and success."""
    shutil.rmtree(task.program, ignore_errors=True)
    if not script:
        _store(task.source, task.program, _left_out(task.source))
        return "", True
    isolation = isolation_for(task.isolation)
    environment = {
        name: value for name, value in os.environ.items() if name in INHERITED_VARIABLES or name.startswith("LC_")
    }
    words = ("sh", "-c", script)
    spec = PlayerSpec(task.student, command=words, folder=task.source, whole_folder=True)
    access = file_access(spec, ("sh",), [], ())
    toolchain = rust_toolchain() if "cargo " in script or "rustc " in script else None
    if toolchain is not None:
        access = replace(access, readable=(*access.readable, toolchain))
        environment["PATH"] = f"{toolchain}/bin:{environment.get('PATH', '')}"
        environment["CARGO_HOME"] = f"{SCRATCH}/cargo"
    with ExitStack() as stack:
        folder = "" if isolation.method == BUBBLEWRAP else stack.enter_context(scratch_folder())
        box = stack.enter_context(sandbox.Sandbox(words, folder, environment, LIMITS, isolation, access))
        _store(task.source, box.folder, _left_out(task.source))
        ran = box.run()
        log = f"$ {script}\n{sandbox.truncate(ran.printed, ran.printed_last, ran.printed_bytes)}"
        if ran.start_error is not None:
            return f"$ {script}\n(it could not be started: {ran.start_error})\n", False
        if ran.exceeded is not None:
            log += f"(ended: it exceeded the limit on {ran.exceeded})\n"
        elif ran.exit_code != 0:
            log += f"(ended with {'exit status' if ran.signal is None else 'signal'} {ran.exit_code or ran.signal})\n"
        try:
            _store(box.folder, task.program)
        except (OSError, RecursionError) as error:  # such as a limit, or a file without read permission
            return f"{log}(the files of the build cannot be stored: {error_reason(error)})\n", False
        return log, ran.exceeded is None and ran.exit_code == 0


def _store(source: str, target: str, left_out: Iterable[str] = ()) -> None:
    """Copy the sources without the named files; or the files of a build, without intermediate ones."""
    copy_tree(source, target, replace(MAX_BUILT), Unpacked(), frozenset({SCRATCH}))
    for path in left_out:
        os.unlink(os.path.join(target, path))
