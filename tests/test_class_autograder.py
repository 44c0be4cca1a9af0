"""`class autograder`, `class tournament` and `class run`: the same points on Gradescope, and a tournament."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from class_archives import HONEST, fast_settings, write_zip, zipped
from terminal import PROGRAM, maxconnect4

from maxconnect4.referee.config import read_tournament

EXAMPLE = Path(__file__).parent.parent / "examples" / "class"
SUBMISSIONS = {"ada": HONEST, "bob": "exit 1\n", "cem": HONEST, "dana": HONEST}


@pytest.fixture(scope="module")
def taken_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class with a short check."""
    tmp_path = tmp_path_factory.mktemp("taken-in")
    source = write_zip(tmp_path / "all.zip", {f"{name}/run.sh": text for name, text in SUBMISSIONS.items()})
    done = maxconnect4("class", "intake", source, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    fast_settings(tmp_path / "class")
    return tmp_path


@pytest.fixture
def folder(taken_in: Path, tmp_path: Path) -> Path:
    """A copy of the class."""
    shutil.copytree(taken_in, tmp_path, dirs_exist_ok=True)
    return tmp_path


def gradebook(folder: Path) -> dict[str, dict[str, str]]:
    with (folder / "class" / "gradebook.csv").open() as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def graded(root: Path, archive: Path, files: dict[str, str | bytes]) -> dict[str, Any]:
    """The results of the autograder for a submission, in a clean tree of folders."""
    for name in ("source", "submission", "results"):
        (root / name).mkdir(parents=True)
    with zipfile.ZipFile(archive) as zip_file:
        zip_file.extractall(root / "source")
    for name, content in files.items():
        (root / "submission" / name).write_bytes(content.encode() if isinstance(content, str) else content)
    environment = {**os.environ, "AUTOGRADER": str(root), "MAXCONNECT4": PROGRAM}
    words = ["bash", str(root / "source" / "run_autograder")]
    subprocess.run(words, cwd="/", env=environment, check=True, capture_output=True, timeout=250)
    found: dict[str, Any] = json.loads((root / "results" / "results.json").read_text())
    return found


def test_the_autograder_gives_the_points_of_the_class(folder: Path) -> None:
    assert maxconnect4("class", "grade", cwd=folder).returncode == 0
    done = maxconnect4("class", "autograder", "-o", "grader.zip", cwd=folder)
    assert done.returncode == 0, done.stderr
    expected = gradebook(folder)
    for name in ("ada", "bob"):
        files: dict[str, str | bytes] = {"homework.zip": zipped({"wrapper/run.sh": SUBMISSIONS[name]})}
        found = graded(folder / "root" / name, folder / "grader.zip", files)
        assert found["score"] == float(expected[name]["grade"])
        assert sum(test["max_score"] for test in found["tests"]) == pytest.approx(
            float(expected[name]["out of"]), abs=0.01
        )
        assert sum(test["score"] for test in found["tests"]) == pytest.approx(found["score"], abs=0.1)
        assert all(test["name"] and test["status"] in ("passed", "failed") for test in found["tests"])


def test_a_submission_without_a_program_has_no_points_and_the_log(folder: Path) -> None:
    maxconnect4("class", "autograder", cwd=folder)
    found = graded(folder / "root", folder / "autograder.zip", {"main.py": "def broken(:\n", "x.zip": "no archive"})
    assert found["score"] == 0
    assert "SyntaxError" in found["output"]
    assert "x.zip" in found["output"]


def test_gradescope_says_how_late_a_submission_is(folder: Path) -> None:
    maxconnect4("class", "autograder", cwd=folder)
    root = folder / "root"
    graded(root, folder / "autograder.zip", {"run.sh": HONEST})
    on_time = json.loads((root / "results" / "results.json").read_text())["score"]
    times = {"created_at": "2026-11-03T10:00:00.123456-05:00", "assignment": {"due_date": "2026-11-01T23:59:00-05:00"}}
    (root / "submission_metadata.json").write_text(json.dumps({"users": [{"name": "Ada"}], **times}))
    done = maxconnect4("class", "autograde", root)
    assert done.returncode == 0, done.stderr
    late = json.loads((root / "results" / "results.json").read_text())["score"]
    assert late == pytest.approx(0.8 * on_time, abs=0.1)
    (root / "results" / "results.json").unlink()
    for name, text in (("submission_metadata.json", "[]"), ("source/rubric.toml", "")):
        (root / name).write_text(text)
        assert maxconnect4("class", "autograde", root).returncode == 3
    assert not (root / "results" / "results.json").exists()


def test_the_autograder_archive_has_scripts_settings_and_no_students(folder: Path) -> None:
    (folder / "maxconnect4-1-any.whl").write_bytes(b"wheel")
    words = ("class", "autograder", "--wheel", "maxconnect4-1-any.whl")
    assert maxconnect4(*words, cwd=folder).returncode == 0
    with zipfile.ZipFile(folder / "autograder.zip") as archive:
        names = set(archive.namelist())
        texts = {name: archive.read(name).decode() for name in names}
        modes = {each.filename: each.external_attr >> 16 & 0o777 for each in archive.infolist()}
    expected = {"setup.sh", "run_autograder", "Containerfile", "class.toml", "rubric.toml", "maxconnect4-1-any.whl"}
    assert names == expected
    assert {name for name, mode in modes.items() if mode == 0o755} == {"setup.sh", "run_autograder"}
    settings = tomllib.loads(texts["class.toml"])
    assert settings["check"]["depth"] == 1
    assert "student" not in settings
    assert "*.whl" in texts["setup.sh"]
    for name in ("setup.sh", "run_autograder"):
        subprocess.run(["bash", "-n"], input=texts[name].encode(), check=True)
    (folder / "empty").mkdir()
    assert maxconnect4("class", "autograder", cwd=folder / "empty").returncode == 0
    with zipfile.ZipFile(folder / "empty" / "autograder.zip") as archive:
        assert "maxconnect4==" in archive.read("setup.sh").decode()


def test_a_tournament_is_played_by_the_programs_with_legal_moves(folder: Path) -> None:
    path = folder / "class" / "class.toml"
    text = path.read_text().replace("plies=4,count=1", "plies=36,count=1")
    path.write_text(text.replace("sh run.sh one-move", "sh ./run.sh one-move", 1))
    (folder / "class" / "students" / "ada" / "source" / "command.txt").write_text("sh other.sh\n")
    done = maxconnect4("class", "tournament", cwd=folder)
    assert done.returncode == 0, done.stderr
    tournament = read_tournament(str(folder / "class" / "tournament.toml"))
    assert tournament.names == ["ada", "cem", "dana"]
    assert tournament.players[0].command[:2] == ("sh", "./run.sh")
    assert "<html" in (folder / "class" / "tournament.html").read_text()
    again = maxconnect4("class", "tournament", "--json", cwd=folder)
    assert len(json.loads(again.stdout)["standings"]) == 3
    (folder / "all" / "dana").mkdir(parents=True)
    (folder / "all" / "dana" / "run.sh").write_text(f"{HONEST}# a second submission\n")
    (folder / "all" / "eve").mkdir()
    (folder / "all" / "eve" / "run.sh").write_text(HONEST)
    assert "1 new submission, 1 changed" in maxconnect4("class", "intake", "all", cwd=folder).stdout
    later = maxconnect4("class", "tournament", cwd=folder)
    assert "2 stored games kept" in later.stdout + later.stderr  # of ada against cem
    assert read_tournament(str(folder / "class" / "tournament.toml")).names == ["ada", "cem", "dana", "eve"]


def test_one_command_does_all(tmp_path: Path) -> None:
    export = tmp_path / "export"
    export.mkdir()
    for name in ("ada", "bob"):
        (export / f"{name}.sh").write_text(HONEST if name == "ada" else "exit 1\n")
    maxconnect4("class", "intake", "export", cwd=tmp_path)
    fast_settings(tmp_path / "class")
    done = maxconnect4("class", "run", "export", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "tournament" in done.stderr
    assert set(gradebook(tmp_path)) == {"ada", "bob"}
    (export / "bob.sh").write_text(HONEST)
    path = tmp_path / "class" / "class.toml"
    path.write_text(path.read_text().replace("plies=4,count=1", "plies=38,count=1"))
    assert maxconnect4("class", "run", "export", cwd=tmp_path).returncode == 0
    assert (tmp_path / "class" / "tournament.html").exists()
    assert gradebook(tmp_path)["ada"]["Legal moves"] == gradebook(tmp_path)["bob"]["Legal moves"]


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_the_sample_class_has_the_expected_gradebook_also_on_gradescope(tmp_path: Path) -> None:
    """All 12 programs, whose points do not depend on the machine."""
    if any(shutil.which(name) is None for name in ("cargo", "cmake", "g++", "javac", "make", "node")):
        pytest.skip("needs all compilers of the sample class")
    assert maxconnect4("class", "intake", EXAMPLE / "submissions.zip", cwd=tmp_path).returncode == 0
    assert maxconnect4("class", "grade", cwd=tmp_path).returncode == 0
    found = gradebook(tmp_path)
    with (EXAMPLE / "gradebook.csv").open() as file:
        for expected in csv.DictReader(file):
            row = found[expected["student"]]
            assert {**row, "remarks": ""} == {**expected, "remarks": ""}
    assert maxconnect4("class", "autograder", cwd=tmp_path).returncode == 0
    for name in ("ada", "cem", "kim"):
        files: dict[str, str | bytes] = {}
        with zipfile.ZipFile(EXAMPLE / "submissions.zip") as archive:
            for member in archive.namelist():
                if member.startswith(f"{name}_"):
                    files[member.rpartition("_")[2]] = archive.read(member)
        root = tmp_path / "root" / name
        assert graded(root, tmp_path / "autograder.zip", files)["score"] == float(found[name]["grade"])
