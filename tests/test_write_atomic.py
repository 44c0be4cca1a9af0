from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from maxconnect4 import Board, CannotSave, board_from_moves, read_board, write_board
from maxconnect4.files import check_writable, make_folder, write_atomic
from maxconnect4.position_file import board_as_text


@pytest.mark.parametrize("nameless", [True, False])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nameless: bool
) -> None:
    if not nameless:
        monkeypatch.delattr(os, "O_TMPFILE")
    path = tmp_path / "out.txt"
    path.write_text("precious")

    def no_space(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(CannotSave, match=r"out.txt cannot be written: no space left on device$"):
        write_board(Board(), str(path))
    assert path.read_text() == "precious"
    assert os.listdir(tmp_path) == ["out.txt"]


def test_a_process_that_is_killed_while_it_writes_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text("precious")
    killed = "import os\nfrom maxconnect4.files import write_atomic\nos.fsync = lambda _: os.kill(os.getpid(), 9)"
    command = [sys.executable, "-c", f"{killed}\nwrite_atomic('out.txt', b'new')"]
    assert subprocess.run(command, cwd=tmp_path, timeout=60).returncode == -signal.SIGKILL
    assert (tmp_path / "out.txt").read_text() == "precious"
    assert os.listdir(tmp_path) == ["out.txt"]


def test_a_disk_without_nameless_files_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "O_TMPFILE")
    for text in (b"first", b"second"):
        write_atomic(str(tmp_path / "out.txt"), text)
        assert (tmp_path / "out.txt").read_bytes() == text
    assert os.listdir(tmp_path) == ["out.txt"]


def test_an_unwritable_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out.txt").touch()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere" / "out.txt")
    for path, reason in [
        (tmp_path, "it is a folder"),
        (tmp_path / "missing" / "out.txt", f"there is no folder {tmp_path}/missing"),
        (tmp_path / "out.txt" / "inside", f"there is no folder {tmp_path}/out.txt"),
        (tmp_path / "link", "no such file or directory"),
        ("/dev/full", "no space left on device"),
        ("/proc/nothing.txt", ""),
        ("a\0b", "embedded null"),
    ]:
        with pytest.raises(CannotSave, match=f"cannot be written: .*{reason}"):
            write_board(Board(), str(path))
    assert sorted(os.listdir(tmp_path)) == ["link", "out.txt"]


def test_a_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path: Path) -> None:
    target = tmp_path / "target.txt"
    target.write_text("old")
    target.chmod(0o640)
    link = tmp_path / "link.txt"
    link.symlink_to(target)
    write_board(Board(), str(link))
    assert link.is_symlink()
    assert target.read_text() == board_as_text(Board())
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_devices_are_written_to_and_not_replaced() -> None:
    write_board(Board(), "/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_several_writers_in_one_folder_do_not_disturb_each_other(tmp_path: Path) -> None:
    boards = {str(tmp_path / f"{column}.txt"): board_from_moves(str(column)) for column in range(1, 5)}

    def keep_writing(path: str, board: Board) -> None:
        for _ in range(100):
            write_board(board, path)
            assert read_board(path) == board

    with ThreadPoolExecutor() as pool:
        for written in [pool.submit(keep_writing, path, board) for path, board in boards.items()]:
            written.result()
    assert sorted(os.listdir(tmp_path)) == ["1.txt", "2.txt", "3.txt", "4.txt"]


def test_a_file_without_write_permission_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "locked.txt"
    path.write_text("locked")
    path.chmod(0o444)
    if os.access(path, os.W_OK):
        pytest.skip("root may write everything")
    with pytest.raises(CannotSave, match=r"permission denied$"):
        write_board(Board(), str(path))
    assert path.read_text() == "locked"


def test_a_reader_never_sees_half_a_file(tmp_path: Path) -> None:
    path = str(tmp_path / "shared.txt")
    one, two = board_from_moves("44535"), board_from_moves("1")
    write_board(one, path)
    done = threading.Event()

    def keep_writing() -> None:
        while not done.is_set():
            write_board(two, path)
            write_board(one, path)

    writer = threading.Thread(target=keep_writing)
    writer.start()
    try:
        for _ in range(500):
            assert read_board(path) in (one, two)
    finally:
        done.set()
        writer.join()


def test_a_program_that_runs_is_not_replaced(tmp_path: Path) -> None:
    """Nobody may write it while it runs, not even root."""
    program = tmp_path / "program"
    shutil.copy(shutil.which("sleep") or "", program)
    with subprocess.Popen([program, "60"]) as running:
        try:
            with pytest.raises(CannotSave, match=r"program cannot be written: text file busy$"):
                write_board(Board(), str(program))
        finally:
            running.kill()
    assert program.stat().st_size > 1000


def test_the_path_of_an_open_descriptor_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """As with /dev/stdout, whoever has the file open goes on with the same one."""
    with (tmp_path / "out.txt").open("w+b") as file:
        write_atomic(f"/dev/fd/{file.fileno()}", b"44535")
        assert file.read() == b"44535"


def test_all_is_on_the_disk_before_the_old_file_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out.txt"
    path.write_bytes(b"old")
    seen = []
    monkeypatch.setattr(os, "fsync", lambda file: seen.append((os.fstat(file).st_size, path.read_bytes())))
    write_atomic(str(path), b"44535")
    assert seen == [(5, b"old")]


@pytest.mark.parametrize("nameless", [True, False])
def test_new_files_and_folders_are_for_whom_the_mask_lets_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nameless: bool
) -> None:
    if not nameless:
        monkeypatch.delattr(os, "O_TMPFILE")
    mask = os.umask(0)
    try:
        write_atomic(str(tmp_path / "out.txt"), b"44535")
        make_folder(str(tmp_path / "games"))
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "out.txt").stat().st_mode) == 0o666
    assert stat.S_IMODE((tmp_path / "games").stat().st_mode) == 0o777


def test_the_check_of_a_writable_file_changes_nothing(tmp_path: Path) -> None:
    old = tmp_path / "old.txt"
    old.write_text("precious")
    reading, writing = os.pipe()
    before = len(os.listdir("/proc/self/fd"))
    for path in (tmp_path / "new.txt", old, "/dev/null", f"/proc/self/fd/{writing}"):
        check_writable(str(path))
    assert len(os.listdir("/proc/self/fd")) == before
    os.close(reading)
    os.close(writing)
    assert os.listdir(tmp_path) == ["old.txt"]
    assert old.read_text() == "precious"


def test_an_unwritable_file_is_detected_before_the_work(tmp_path: Path) -> None:
    for path, problem in [
        (str(tmp_path), f"{tmp_path} cannot be written: it is a folder"),
        ("", "'' cannot be written: its name is empty"),
        (f"{tmp_path}/a/b.txt", f"{tmp_path}/a/b.txt cannot be written: there is no folder {tmp_path}/a"),
        ("a\0b", "embedded null"),
        ("/proc/new.txt", "/proc/new.txt cannot be written: "),
        ("/proc/version", "/proc/version cannot be written: "),
    ]:
        with pytest.raises(CannotSave) as refusal:
            check_writable(path)
        assert problem in str(refusal.value)


def test_a_folder_is_made_unless_it_is_there(tmp_path: Path) -> None:
    for _ in range(2):
        make_folder(str(tmp_path / "games" / "today"))
        assert (tmp_path / "games" / "today").is_dir()
    (tmp_path / "file").write_text("")
    for folder, problem in (
        (tmp_path / "file" / "games", "file/games cannot be created: not a"),
        ("a\0b", "embedded null"),
    ):
        with pytest.raises(CannotSave, match=problem):
            make_folder(str(folder))
