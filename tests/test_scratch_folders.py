"""Folders that are thrown away with whatever a program has put there."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from maxconnect4.referee.program_files import has_disk_space, remove_folder, remove_folders_of, scratch_folder

NOBODY = 54321


def in_a_process_of_its_own(code: str, folder: Path) -> str:
    """What a script prints whose temporary folders are in this one; not as the superuser, who may do anything."""
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    head = "import os, tempfile\nfrom maxconnect4.referee.program_files import *\n"
    head += f"tempfile.tempdir = {str(folder)!r}\nos.chdir(tempfile.tempdir)\n"
    head += f"if os.geteuid() == 0: os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})\n"
    done = subprocess.run([sys.executable, "-c", head + code], capture_output=True, text=True, check=False, timeout=20)
    assert done.stderr == ""
    return done.stdout


@pytest.fixture
def reachable() -> Iterator[Path]:
    """A folder that others can get to."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        inner = Path(folder, "temporary")
        inner.mkdir()
        yield inner


def test_a_scratch_folder_is_gone_with_all_that_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "keep").mkdir()
    (tmp_path / "keep" / "file").write_text("stays")
    with scratch_folder() as folder:
        assert os.path.basename(folder).startswith(f"maxconnect4-{os.getpid()}-")
        os.symlink(tmp_path / "keep", f"{folder}/link")
        os.makedirs(f"{folder}/a/b/c")
        os.symlink(tmp_path / "keep", f"{folder}/a/b/link")
        os.mkfifo(f"{folder}/a/pipe")
    assert os.listdir(tmp_path) == ["keep"]
    assert (tmp_path / "keep" / "file").read_text() == "stays"


def test_unreadable_folders_are_also_removed(reachable: Path) -> None:
    code = """
with scratch_folder() as folder:
    os.makedirs(f"{folder}/a/b/c")
    open(f"{folder}/a/b/file", "w").close()
    for path in (f"{folder}/a/b", f"{folder}/a", folder):
        os.chmod(path, 0)
print(os.listdir("."))
"""
    assert in_a_process_of_its_own(code, reachable) == "[]\n"


def test_files_of_another_user_stay_without_a_wait(reachable: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only the superuser can make what others cannot remove")
    (reachable / "folder" / "theirs").mkdir(parents=True)
    (reachable / "folder" / "theirs" / "file").touch()
    (reachable / "folder" / "own").mkdir()
    for path in (reachable / "folder", reachable / "folder" / "own"):
        os.chown(path, NOBODY, NOBODY)
    code = "remove_folder('folder')\nprint(os.listdir('folder'))"
    assert in_a_process_of_its_own(code, reachable) == "['theirs']\n"


def test_folders_nested_too_deeply_to_be_removed_do_no_harm(tmp_path: Path) -> None:
    code = "import os\nfor _ in range(1500):\n    os.mkdir('deep')\n    os.chdir('deep')"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    try:
        remove_folder(str(tmp_path))
    finally:
        subprocess.run(["rm", "-r", tmp_path / "deep"], check=False, stderr=subprocess.DEVNULL)


def test_a_process_that_is_about_to_exit_throws_all_away_and_makes_no_more(reachable: Path) -> None:
    code = """
with scratch_folder(), scratch_folder() as second:
    os.makedirs(f"{second}/a")
    remove_all_folders()
    print(os.listdir("."))
try:
    with scratch_folder(): pass
except InterruptedError as error:
    print(error)
print(os.listdir("."))
"""
    assert in_a_process_of_its_own(code, reachable) == "[]\nthis process is about to exit\n[]\n"


def test_a_folder_that_cannot_be_put_aside_is_thrown_away_where_it_is(reachable: Path) -> None:
    code = """
with scratch_folder() as folder:
    os.makedirs(f"{folder}-removed/in the way")
    remove_all_folders()
    print(os.path.exists(folder))
"""
    assert in_a_process_of_its_own(code, reachable) == "False\n"


def test_a_folder_that_is_gone_is_forgotten(reachable: Path) -> None:
    code = """
with scratch_folder() as folder: pass
os.mkdir(folder)
remove_all_folders()
print(os.path.exists(folder))
"""
    assert in_a_process_of_its_own(code, reachable) == "True\n"


def test_the_folders_of_one_process_that_was_killed_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("maxconnect4-123-a", "maxconnect4-123-b", "maxconnect4-1234-a", "maxconnect4", "other-123-a"):
        (tmp_path / name / "inner").mkdir(parents=True)
    remove_folders_of(123)
    assert sorted(os.listdir(tmp_path)) == ["maxconnect4", "maxconnect4-1234-a", "other-123-a"]
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    remove_folders_of(1234)


@pytest.mark.parametrize(
    ("blocks", "files_left", "files", "room"),
    [
        (256, 10, 20, True),  # of 4 KiB each: a MiB
        (255, 10, 20, False),
        (256, 1, 20, True),
        (256, 0, 20, False),
        (256, 0, 1, False),
        (256, 0, 0, True),  # a disk that does not count its files
        (0, 0, 0, False),
    ],
)
def test_there_has_to_be_room_for_a_mebibyte_and_a_file(
    blocks: int, files_left: int, files: int, room: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SimpleNamespace(f_bavail=blocks, f_frsize=4096, f_favail=files_left, f_files=files)
    monkeypatch.setattr(os, "statvfs", lambda path: disk)
    assert has_disk_space() == room


def test_where_room_cannot_be_measured_there_is_some(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    assert has_disk_space()
