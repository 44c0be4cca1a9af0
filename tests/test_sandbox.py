from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from external_programs import PATIENT, pids_in, run
from waiting import have_ended

from maxconnect4.referee import limits, sandbox
from maxconnect4.referee.isolation import FileAccess, Isolation
from maxconnect4.referee.limits import ResourceLimits

pytest_plugins = ["sandbox_fixtures"]
pytestmark = pytest.mark.usefixtures("orphans_are_adopted")

PYTHON = [sys.executable, "-S", "-E", "-c"]


def test_a_command_runs_in_its_folder_with_an_environment_and_no_input(folder: str) -> None:
    ran = run(["sh", "-c", 'pwd; echo "$WORD" >&2; cat; exit 7'], folder, environment={"WORD": "hello"})
    assert ran.printed == f"{folder}\nhello\n".encode()
    assert ran.printed_bytes == len(ran.printed)
    assert (ran.exit_code, ran.signal, ran.exceeded) == (7, None, None)
    assert 0 < ran.seconds < 60
    ran = run(["true"], folder)
    assert (ran.exit_code, ran.signal, ran.printed, ran.printed_bytes) == (0, None, b"", 0)


def test_a_program_begins_with_no_signal_ignored_or_blocked(folder: str) -> None:
    numbers = (signal.SIGINT, signal.SIGQUIT)
    before = [signal.signal(number, signal.SIG_IGN) for number in numbers]
    try:
        ran = run(["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"], folder)
    finally:
        for number, action in zip(numbers, before, strict=True):
            signal.signal(number, action)
    blocked, ignored = (int(line.split()[1], 16) for line in ran.printed.splitlines())
    assert blocked == 0
    assert ignored % (1 << 31) == 0  # signal 31 and those before it; the others belong to the C library


def test_a_command_with_a_null_byte_leaves_signals_unblocked(folder: str) -> None:
    with pytest.raises(ValueError, match="null"):
        run(["a\0b"], folder)
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert run(["true"], folder).exit_code == 0


def test_the_cpu_time_of_children_counts(folder: str) -> None:
    ran = run(["sh", "-c", f"{sys.executable} -S -c 'sum(range(10**7))'; true"], folder)
    assert ran.cpu_seconds > 0.05


def test_a_word_is_passed_on_as_it_is(folder: str) -> None:
    word = "a 'b' \"c\" $HOME `id` \\n *"
    assert run(["printf", "%s", word], folder).printed == word.encode()


@pytest.mark.parametrize("words", [["no-such-program"], ["./missing"], ["./folder"], ["./not-executable"]])
def test_a_command_that_cannot_be_run_could_not_start(words: list[str], folder: str) -> None:
    os.mkdir(f"{folder}/folder")
    Path(folder, "not-executable").write_text("hello")
    ran = run(words, folder)
    assert ran.start_error is not None
    assert ran.start_error.startswith(f"{words[0]}: ")


def test_a_program_that_ends_with_127_did_start(folder: str) -> None:
    assert not run(["sh", "-c", "echo oh; exit 127"], folder).start_error


def test_wall_clock_time_is_limited(folder: str) -> None:
    ran = run(["sleep", "1000"], folder, replace(PATIENT, seconds=0.3))
    assert (ran.exceeded, ran.signal, ran.exit_code) == ("time", signal.SIGKILL, None)
    assert 0.3 <= ran.seconds < 20
    assert ran.left_running == 0  # it did not end by itself


def test_cpu_time_is_limited(folder: str) -> None:
    ran = run(["sh", "-c", "while :; do :; done"], folder, ResourceLimits(seconds=60, cpu_seconds=1))
    assert (ran.exceeded, ran.signal) == ("cpu", signal.SIGXCPU)


@pytest.mark.long  # test_limits has processes that are killed a second after the limit in the fast tier
def test_a_program_that_ignores_the_signal_of_the_limit_is_killed(folder: str) -> None:
    ran = run(
        [*PYTHON, "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"],
        folder,
        ResourceLimits(seconds=60, cpu_seconds=1),
    )
    assert (ran.exceeded, ran.signal) == ("cpu", signal.SIGKILL)


def test_printed_output_is_limited_and_both_ends_are_stored(folder: str) -> None:
    ran = run(["yes"], folder)
    assert ran.exceeded == "printed"
    assert ran.printed_bytes == PATIENT.printed
    assert (ran.printed, ran.printed_last) == (b"y\n" * 1250, b"y\n" * 750)
    ran = run(["seq", "100000", "200000"], folder)
    assert ran.printed.startswith(b"100000\n")
    assert ran.printed_last.endswith(b"\n200000\n")
    assert ran.printed_bytes == 7 * 100_001


def test_short_printed_output_is_stored_completely(folder: str) -> None:
    for size in (0, 4000):
        ran = run(["sh", "-c", f"yes | head -c {size}"], folder)
        assert (ran.printed, ran.printed_last) == (b"y\n" * (size // 2), b"")


def test_a_program_that_prints_too_much_is_killed(folder: str) -> None:
    ran = run(["sh", "-c", "trap '' XFSZ; head -c 5000 /dev/zero; sleep 1000"], folder, replace(PATIENT, printed=4096))
    assert (ran.exceeded, ran.signal, ran.printed_bytes) == ("printed", signal.SIGKILL, 4096)
    ran = run(["sh", "-c", "head -c 4095 /dev/zero; sleep 0.1"], folder, replace(PATIENT, printed=4096))
    assert (ran.exceeded, ran.exit_code) == (None, 0)


def test_a_program_that_opens_its_output_anew_writes_over_nothing_after_that(folder: str) -> None:
    assert run(["sh", "-c", "echo first; echo two >/dev/stderr; echo three"], folder).printed == b"two\nthree\n"


def test_memory_is_limited(folder: str) -> None:
    hungry = [*PYTHON, "bytearray(300 << 20)"]
    assert run(hungry, folder).exit_code == 0
    assert b"MemoryError" in run(hungry, folder, replace(PATIENT, memory=200 << 20)).printed


@pytest.mark.parametrize("killed", [0, 1])
def test_the_figures_of_a_cgroup_count(
    killed: int, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a folder in place of the cgroup file system, which tests can rarely write to."""
    monkeypatch.setattr(limits, "REMOVAL_TIMEOUT", 0)
    groups = tmp_path / "groups"
    groups.mkdir()
    orders = f"cd {groups}/* && echo usage_usec 5000000 >cpu.stat && echo oom_kill {killed} >memory.events"
    kind = Isolation("none", cgroup=str(groups))
    with sandbox.Sandbox(["sh", "-c", orders], folder, dict(os.environ), PATIENT, kind, FileAccess()) as box:
        ran = box.run()
    assert (ran.exit_code, ran.cpu_seconds, ran.exceeded) == (0, 5, "memory" if killed else None)


def test_a_folder_may_hold_as_much_as_the_limit_and_no_more(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(folder, "inner").mkdir()
    for name in ("one", "inner/two"):
        with open(f"{folder}/{name}", "wb") as file:
            file.write(bytes(5000))
            file.flush()
            os.fsync(file.fileno())  # or its blocks may be counted later
    size = sum(512 * path.stat().st_blocks for path in Path(folder).rglob("*"))
    assert not sandbox._is_larger(folder, size)
    assert sandbox._is_larger(folder, size - 1)
    monkeypatch.setattr(sandbox, "MAX_FILES", 3)
    assert not sandbox._is_larger(folder, size)
    monkeypatch.setattr(sandbox, "MAX_FILES", 2)
    assert sandbox._is_larger(folder, size)


def test_no_program_leaves_a_core_file(folder: str) -> None:
    ran = run(["sh", "-c", "ulimit -c; kill -SEGV $$"], folder)
    assert ran.printed.startswith(b"0\n")
    assert ran.signal == signal.SIGSEGV


def test_memory_that_is_only_reserved_does_not_count(folder: str) -> None:
    """As Java reserves a quarter of the machine's memory."""
    no_reserve = 0x4000  # MAP_NORESERVE, which Python has no name for
    reserve = f"mmap.mmap(-1, 64 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | {no_reserve}, 0)"
    ran = run([*PYTHON, f"import mmap; print(len({reserve}))"], folder, replace(ResourceLimits(), seconds=60))
    assert (ran.exit_code, ran.printed) == (0, b"%d\n" % (64 << 30))


@pytest.mark.long
def test_java_runs_within_the_usual_limits(folder: str) -> None:
    if shutil.which("javac") is None:
        pytest.skip("there is no Java")
    Path(folder, "Main.java").write_text(
        "class Main { public static void main(String[] a) throws Exception {"
        " Thread t = new Thread(() -> System.out.println(new byte[64 << 20].length)); t.start(); t.join(); } }"
    )
    subprocess.run(["javac", "Main.java"], cwd=folder, check=True)
    ran = run(["java", "Main"], folder, replace(ResourceLimits(), seconds=60))
    assert (ran.exit_code, ran.printed) == (0, b"67108864\n")


def test_a_system_without_process_descriptors_will_do(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pid: int) -> int:
        raise OSError("an old kernel")

    pauses: list[float] = []
    sleep = time.sleep

    def noted(seconds: float) -> None:
        pauses.append(seconds)
        sleep(seconds)

    monkeypatch.setattr(time, "sleep", noted)
    monkeypatch.setattr(os, "pidfd_open", refuse, raising=False)
    ran = run(["sh", "-c", "sleep 1000 & echo $! >pids; exit 3"], folder)
    assert (ran.exit_code, ran.exceeded) == (3, None)
    assert have_ended(pids_in(Path(folder, "pids")))
    pauses.clear()
    assert run(["sleep", "1000"], folder, replace(PATIENT, seconds=0.3)).exceeded == "time"
    assert pauses[:7] == [0.001, 0.002, 0.004, 0.008, 0.016, 0.02, 0.02]


def test_no_file_stays_open(folder: str) -> None:
    before = os.listdir("/proc/self/fd")
    for _ in range(3):
        run(["sleep", "0.05"], folder)
    assert os.listdir("/proc/self/fd") == before
