"""`class intake`: exports of learning platforms, safe unpacking, languages, builds, and later exports."""

from __future__ import annotations

import io
import shutil
import stat
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from class_archives import HONEST, fast_settings, write_zip, zipped
from terminal import maxconnect4

from maxconnect4.classroom import archives, building
from maxconnect4.classroom.archives import BadArchive, Unpacked, UnpackLimits, unpack, unpack_nested
from maxconnect4.classroom.building import BuildTask, build
from maxconnect4.classroom.class_file import CLASS_FILE
from maxconnect4.classroom.languages import detect, source_folder
from maxconnect4.classroom.submissions import collect, days_late, find_submissions, parse_time
from maxconnect4.referee import isolation
from maxconnect4.referee.isolation import isolation_for

EXAMPLE = Path(__file__).parent.parent / "examples" / "class"
PYTHON = "import sys\nprint(sys.argv)\n"
JAVA_MAIN = "public class Main { public static void main(String[] args) {} }\n"
C_MAIN = "int main(int argc, char **argv) { return 0; }\n"


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def students(folder: Path) -> dict[str, dict[str, Any]]:
    """The students of a class file by ID."""
    return {each["id"]: each for each in tomllib.loads((folder / CLASS_FILE).read_text())["student"]}


# Unpacking


@pytest.mark.parametrize("name", ["../out.py", "/out.py", "a/../../out.py", "C:\\out.py", "..\\out.py", "a\x1bb.py"])
def test_no_file_is_unpacked_outside_the_folder(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    result = Unpacked()
    unpack(str(write_zip(tmp_path / "a.zip", {name: PYTHON, "main.py": PYTHON})), str(folder), UnpackLimits(), result)
    assert [path.name for path in folder.rglob("*") if path.is_file()] == ["main.py"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.zip", "folder"]
    assert len(result.problems) == 1


def test_links_devices_and_repeated_names_are_left_out(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.py")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("main.py", "1\n")
        archive.writestr("./main.py", "2\n")
        archive.writestr("main.py/x", "3\n")
    with tarfile.open(tmp_path / "b.tar.gz", "w:gz") as tar:
        for name, kind in (("hard", tarfile.LNKTYPE), ("soft", tarfile.SYMTYPE), ("fifo", tarfile.FIFOTYPE)):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            tar.addfile(member)
    for name, left, problems in (("a.zip", ["main.py"], 3), ("b.tar.gz", [], 3)):
        folder, result = tmp_path / f"{name}-folder", Unpacked()
        folder.mkdir()
        unpack(str(tmp_path / name), str(folder), UnpackLimits(), result)
        assert [path.name for path in folder.iterdir()] == left
        assert len(result.problems) == problems
    assert (tmp_path / "a.zip-folder" / "main.py").read_text() == "1\n"


def test_archives_beyond_the_limits_damaged_and_encrypted_ones_are_refused(tmp_path: Path) -> None:
    bomb = write_zip(tmp_path / "bomb.zip", {"zeros": bytes(3 << 20)})
    many = write_zip(tmp_path / "many.zip", {f"{number}.py": "" for number in range(30)})
    damaged = tmp_path / "damaged.zip"
    damaged.write_bytes(bytes(archive_of("main.py", PYTHON * 50, flip=60)))
    encrypted = tmp_path / "encrypted.zip"
    encrypted.write_bytes(bytes(archive_of("main.py", PYTHON, encrypted=True)))
    text = tmp_path / "text.zip"
    text.write_text("not an archive")
    cut = tmp_path / "cut.tar.gz"
    with tarfile.open(cut, "w:gz") as tar:
        member = tarfile.TarInfo("main.py")
        member.size = 100_000
        tar.addfile(member, io.BytesIO(bytes(range(250)) * 400))
    cut.write_bytes(cut.read_bytes()[:-200])
    for number, path in enumerate((bomb, many, damaged, encrypted, text, cut)):
        folder = tmp_path / str(number)
        folder.mkdir()
        with pytest.raises(BadArchive, match=path.name):
            unpack(str(path), str(folder), UnpackLimits(1 << 20, 20), Unpacked())


def archive_of(name: str, content: str, *, flip: int = 0, encrypted: bool = False) -> bytearray:
    """A zip archive with one compressed file, with a damaged byte or marked as encrypted."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    data = bytearray(target.getvalue())
    if flip:
        data[flip] ^= 0xFF
    if encrypted:
        data[data.index(b"PK\1\2") + 8] |= 1
    return data


def test_archives_inside_archives_are_unpacked_to_a_depth(tmp_path: Path) -> None:
    content = zipped({"main.py": PYTHON})
    for _ in range(archives.MAX_NESTED + 1):
        content = zipped({"inner.zip": content})
    write(tmp_path, {"outer.zip": content, "other.rar": "Rar!", "good.zip": zipped({"a/main.py": PYTHON})})
    result = Unpacked()
    unpack_nested(str(tmp_path), UnpackLimits(), result)
    assert (tmp_path / "good" / "a" / "main.py").read_text() == PYTHON
    assert len(result.problems) == 2
    assert any("other.rar" in problem for problem in result.problems)


# Students


def test_the_names_of_canvas_have_the_student_and_the_file(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "lovelaceada_LATE_123_9001_main-1.py": PYTHON,
            "lovelaceada_LATE_123_9002_board.py": "",
            "turingalan_77_9003_homework_1.zip": zipped({"main.py": PYTHON}),
            "hopper_88_text.html": "see my page",
            "notes.pdf": "",
        },
    )
    found, others = find_submissions(str(tmp_path))
    assert [(each.id, each.name, each.late) for each in found] == [
        ("88", "hopper", False),
        ("123", "lovelaceada", True),
        ("77", "turingalan", False),
    ]
    assert [name for _, name in found[1].items] == ["main.py", "board.py"]
    assert len(others) == 1
    assert "notes.pdf" in others[0]
    for each, names in ((found[1], {"main.py", "board.py"}), (found[2], {"main.py"})):
        folder = tmp_path / each.id
        folder.mkdir()
        collect(each, str(folder), UnpackLimits(), Unpacked())
        assert {path.name for path in folder.iterdir()} == names


def test_the_names_of_moodle_have_the_student_in_folders_and_files(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "Ada Lovelace_4001_assignsubmission_file_/main.py": PYTHON,
            "Alan Turing_4002_assignsubmission_file_homework.zip": zipped({"main.py": PYTHON}),
            "Alan Turing_4002_assignsubmission_onlinetext_onlinetext.html": "",
            "Participant_4003_assignsubmission_file/a.py": PYTHON,
        },
    )
    found, others = find_submissions(str(tmp_path))
    assert [(each.id, each.name, len(each.items)) for each in found] == [
        ("4001", "Ada Lovelace", 1),
        ("4002", "Alan Turing", 2),
        ("4003", "Participant", 1),
    ]
    assert others == []


def test_the_metadata_of_gradescope_has_students_groups_and_times(tmp_path: Path) -> None:
    metadata = """---
submission_501:
  :submitters:
  - :name: Ada Lovelace
    :sid: '0815'
    :email: ada@example.edu
  - :name: "Alan Turing"
    :sid: "0816"
    :email: alan@example.edu
  :created_at: 2026-11-02 01:30:00.123456789 Z
  :score: 3.0
  :history: []
submission_502:
  :submitters:
  - :name: Grace Hopper
    :sid:
    :email: grace@example.edu
  :created_at: 2026-11-01 20:00:00 -05:00
submission_503:
  :submitters:
  - :name: Nobody
    :sid: '0817'
"""
    files: dict[str, str | bytes] = {"submission_501/main.py": PYTHON, "submission_502/main.py": PYTHON}
    write(tmp_path / "assignment_1_export", {"submission_metadata.yml": metadata, **files})
    found, others = find_submissions(str(tmp_path))
    due = parse_time("2026-11-01 23:59")
    assert [(each.id, each.name, days_late(each.submitted, due)) for each in found] == [
        ("0815", "Ada Lovelace", 1),
        ("0816", "Alan Turing", 1),
        ("502", "Grace Hopper", 1),
    ]
    assert found[0].items == found[1].items
    assert len(others) == 1
    assert "Nobody" in others[0]


def test_a_folder_has_an_entry_for_each_student(tmp_path: Path) -> None:
    write(
        tmp_path / "wrapper",
        {
            "ada-12345/main.py": PYTHON,
            "67890_Alan Turing.zip": zipped({"main.py": PYTHON}),
            "grace.py": PYTHON,
            "grace.zip": zipped({"main.py": PYTHON}),
            "roster.csv": "",
            "__MACOSX/x": "",
        },
    )
    found, others = find_submissions(str(tmp_path))
    assert [(each.id, each.name) for each in found] == [("12345", "ada"), ("67890", "Alan Turing"), ("grace", "grace")]
    assert len(found[2].problems) == len(others) == 1


# Languages


@pytest.mark.parametrize(
    ("files", "language", "command"),
    [
        ({"a/b/main.py": PYTHON, "a/b/board.py": "x = 1\n"}, "Python 3", "python3 main.py"),
        ({"agent.py": "import sys\nprint 'x', sys.argv\n"}, "Python 2", "python2 agent.py"),
        ({"agent.py": '"""\nprint x\n"""\nimport sys\n'}, "Python 3", "python3 agent.py"),
        ({"Main.java": JAVA_MAIN, "Board.java": "class Board {}\n"}, "Java", "java -XX:+UseSerialGC -cp . Main"),
        (
            {
                "pom.xml": "",
                "src/main/java/a/b/Main.java": f"package a.b;\n{JAVA_MAIN}",
                "src/test/java/T.java": JAVA_MAIN,
            },
            "Java (Maven)",
            "java -XX:+UseSerialGC -cp . a.b.Main",
        ),
        ({"main.c": C_MAIN, "board.c": "int x;\n"}, "C", "./maxconnect4.out"),
        ({"main.cpp": C_MAIN, "test.cpp": C_MAIN}, "C++", "./maxconnect4.out"),
        ({"Makefile": "all:\n", "main.cpp": C_MAIN}, "C++ (Make)", ""),
        ({"Makefile": "run:\n", "main.py": PYTHON}, "Python 3", "python3 main.py"),
        ({"CMakeLists.txt": "", "src/main.cpp": C_MAIN}, "C++ (CMake)", ""),
        ({"x/Cargo.toml": "", "x/src/main.rs": "fn main() {}\n"}, "Rust (Cargo)", ""),
        ({"main.rs": "fn main() {}\n"}, "Rust", "./maxconnect4.out"),
        ({"index.js": "", "main.js": "process.argv; 'one-move'\n"}, "JavaScript", "node main.js"),
        ({"Program.cs": "class P {}\n"}, "C#", ""),
        ({"game.class": b"\xca\xfe\xba\xbe", "report.pdf": ""}, "", ""),
        ({}, "", ""),
    ],
)
def test_the_language_and_the_entry_point_are_found(
    files: dict[str, str | bytes], language: str, command: str, tmp_path: Path
) -> None:
    plan = detect(source_folder(str(write(tmp_path, files))))
    assert plan.language == language
    assert plan.command == (f"{command} one-move {{in}} {{out}} {{depth}}" if command else "")
    assert bool(plan.problems) == (not plan.command and not plan.builds)


def test_an_ambiguous_entry_point_is_a_problem(tmp_path: Path) -> None:
    plan = detect(str(write(tmp_path, {"first.py": PYTHON, "second.py": PYTHON, "main.js": "", "readme.md": ""})))
    assert plan.command.startswith("python3 first.py")
    assert any("second.py" in problem for problem in plan.problems)
    assert any("JavaScript" in problem for problem in plan.problems)


# Intake


def test_a_class_is_taken_in_and_problems_are_listed_together(tmp_path: Path) -> None:
    archive: dict[str, str | bytes] = {
        "ada_1_101_homework.zip": zipped({"ada/run.sh": HONEST, "ada/a.out": b"\x7fELF"}),
        "bob_LATE_2_102_main.py": "def broken(:\n",
        "cem_3_103_report.pdf": "",
        "dana_4_104_x.zip": "not an archive",
        "eve_5_105_deep.zip": zipped({"/".join(["d" * 190] * 29) + "/main.py": PYTHON}),
    }
    source = write_zip(tmp_path / "submissions.zip", archive)
    done = maxconnect4("class", "intake", source, "--processes", "1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for name in ("ada: ", "bob: ", "cem: ", "dana: ", "eve: ", "a.out", "report.pdf", "x.zip", "deep.zip"):
        assert name in done.stdout
    found = students(tmp_path / "class")
    assert [found[key]["command"] != "" for key in "12345"] == [True, False, False, False, False]
    assert found["2"]["days_late"] == 1
    place = tmp_path / "class" / found["1"]["folder"]
    assert sorted(path.name for path in (place / "program").iterdir()) == ["run.sh"]
    assert (place / "source" / "ada" / "a.out").exists()
    log = (tmp_path / "class" / found["2"]["folder"] / "log.txt").read_text()
    assert "SyntaxError" in log
    assert stat.S_IMODE((tmp_path / "class").stat().st_mode) == 0o700


def test_a_later_export_replaces_only_changed_submissions(tmp_path: Path) -> None:
    files = {"ada.sh": HONEST, "bob.sh": HONEST, "cem.sh": HONEST}
    source = write(tmp_path / "export", dict(files))
    maxconnect4("class", "intake", source, cwd=tmp_path)
    path = tmp_path / "class" / CLASS_FILE
    edited = path.read_text().replace("games = 10 ", "games = 4 ").replace("sh bob.sh", "env -i sh bob.sh")
    path.write_text(f"{edited}# my notes on cem\n")
    write(source, {"bob.sh": f"{HONEST}# again\n", "ada.sh": f"{HONEST}# again\n", "dana.sh": HONEST})
    done = maxconnect4("class", "intake", source, cwd=tmp_path)
    assert "1 new submission, 2 changed, 1 unchanged" in done.stdout
    found, text = students(tmp_path / "class"), path.read_text()
    assert list(found) == ["ada", "bob", "cem", "dana"]
    assert found["bob"]["command"].startswith("env -i sh bob.sh")
    assert "games = 4 " in text
    assert "# my notes on cem\n" in text
    for name in ("ada", "bob"):
        assert (tmp_path / "class" / "students" / name / "program" / f"{name}.sh").read_text().endswith("# again\n")


def test_changes_of_the_teacher_remain_until_there_is_another_submission(tmp_path: Path) -> None:
    source = write(tmp_path / "export", {"ada.sh": "exit 1\n"})
    maxconnect4("class", "intake", source, cwd=tmp_path)
    fast_settings(tmp_path / "class")
    path = tmp_path / "class" / "students" / "ada" / "source" / "ada.sh"
    path.write_text(HONEST)
    assert "1 program checked" in maxconnect4("class", "check", cwd=tmp_path).stdout
    assert "1 unchanged" in maxconnect4("class", "intake", source, cwd=tmp_path).stdout
    assert path.read_text() == HONEST
    write(source, {"ada.sh": "exit 2\n"})
    assert "1 changed" in maxconnect4("class", "intake", source, cwd=tmp_path).stdout
    assert path.read_text() == "exit 2\n"


def test_sources_that_are_not_an_export_are_refused(tmp_path: Path) -> None:
    write(tmp_path, {"empty/readme.txt": "", "text.zip": "text"})
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / CLASS_FILE).write_text("")
    for source, status in (("nowhere.zip", 3), ("empty", 3), ("text.zip", 3), ("class", 3)):
        done = maxconnect4("class", "intake", source, "--folder", "other", cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (status, "", 1)
    done = maxconnect4("class", "intake", "empty", "--folder", "/opt/class-of-a-test", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert not Path("/opt/class-of-a-test").exists()
    done = maxconnect4("class", "intake", "empty", "--due", "tomorrow", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_compilers_run_in_isolation_and_committed_binaries_are_not_used(tmp_path: Path) -> None:
    """The build of a Makefile: it cannot read the folder of the class, change the sources, or use the network."""
    if not shutil.which("make") or not shutil.which("gcc"):
        pytest.skip("needs make and gcc")
    folder = tmp_path / "class"
    makefile = f"game: main.c\n\tgcc -o game main.c\n\tls {folder} {folder}/students > seen 2>/dev/null; true\n"
    source = write_zip(tmp_path / "ada.zip", {"Makefile": makefile, "main.c": C_MAIN, "game": b"\x7fELF committed"})
    (tmp_path / "export").mkdir()
    shutil.move(source, tmp_path / "export")
    write(tmp_path / "export", {"bob.sh": HONEST})
    done = maxconnect4("class", "intake", "export", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    program = folder / "students" / "ada" / "program"
    assert students(folder)["ada"]["command"].startswith("./game ")
    assert b"committed" not in (program / "game").read_bytes()
    if isolation_for("auto").method != "none":
        assert (program / "seen").read_text() == ""


@pytest.mark.parametrize("method", ["bubblewrap", "landlock", "none"])
def test_a_program_is_built_with_each_isolation(method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not shutil.which("gcc"):
        pytest.skip("needs gcc")
    if method == "landlock":
        if not isolation._has_landlock():
            pytest.skip("Landlock does not work here")
        monkeypatch.setattr(building, "isolation_for", lambda _: isolation.Isolation("landlock"))
    elif method == "bubblewrap" and isolation._problem_with_bubblewrap() is not None:
        pytest.skip("bubblewrap does not work here")
    source, program = write(tmp_path / "source", {"main.c": C_MAIN, "a.out": b"\x7fELF"}), tmp_path / "program"
    built = build(BuildTask("ada", str(source), str(program), method))
    assert built.command.startswith("./maxconnect4.out "), built.log
    assert sorted(path.name for path in program.iterdir()) == ["main.c", "maxconnect4.out"]
    assert len(built.problems) == 1


def test_the_sample_archive_is_the_one_that_its_script_packs(tmp_path: Path) -> None:
    namespace: dict[str, Any] = {"__file__": str(EXAMPLE / "pack.py"), "__name__": "pack"}
    exec(compile((EXAMPLE / "pack.py").read_text(), "pack.py", "exec"), namespace)
    namespace["main"](tmp_path / "submissions.zip")
    assert (tmp_path / "submissions.zip").read_bytes() == (EXAMPLE / "submissions.zip").read_bytes()
