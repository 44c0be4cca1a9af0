"""Pack the sources of the sample class as an export of Canvas: python3 pack.py [submissions.zip].

The archive is the same at each run. Each student has another form of submission.
"""

import io
import sys
import tarfile
import zipfile
from pathlib import Path

SOURCES = Path(__file__).parent / "sources"
TIME = (2026, 10, 1, 12, 0, 0)
#: Student, "LATE_" or "", Canvas ID, and the form: a zip archive with its files or with a wrapper folder, and so on.
STUDENTS = [
    ("ada", "", 41001, "wrapped"),
    ("bob", "", 41002, "wrapped"),
    ("cem", "", 41003, "binary"),
    ("dana", "", 41004, "files"),
    ("eve", "LATE_", 41005, "zip"),
    ("finn", "", 41006, "mac"),
    ("gus", "", 41007, "files"),
    ("hana", "", 41008, "files"),
    ("ivan", "LATE_", 41009, "again"),
    ("jo", "", 41010, "nested"),
    ("kim", "", 41011, "zip"),
    ("lee", "", 41012, "tar"),
]


def main(target="submissions.zip"):
    Path(target).write_bytes(archive(dict(submitted())))


def submitted():
    """The names and contents of the files in the export."""
    number = 90000
    for student, late, id_of_student, form in STUDENTS:
        for name, content in packed(student, form):
            number += 1
            yield f"{student}_{late}{id_of_student}_{number}_{name}", content


def packed(student, form):
    """The files that a student uploads."""
    folder = SOURCES / student
    files = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    if form == "files":
        return list(files.items())
    if form == "again":  # uploaded twice: Canvas adds a number
        return [(name.replace(".", "-1."), content) for name, content in files.items()]
    if form == "mac":
        files["__MACOSX/._main.rs"] = b"\0\5\26\7"
    if form == "binary":
        files["max-connect4/maxconnect4"] = b"\x7fELF, a program that was compiled elsewhere"
    if form == "wrapped":
        files = {f"{student} - final/{name}": content for name, content in files.items()}
    if form == "tar":
        return [("homework.tar", tar(files))]
    if form == "nested":
        return [("submission.zip", archive({"read me.txt": b"The program is in hw.zip.\n", "hw.zip": archive(files)}))]
    return [("homework.zip", archive(files))]


def archive(files):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as file:
        for name, content in files.items():
            file.writestr(zipfile.ZipInfo(name, TIME), content)
    return target.getvalue()


def tar(files):
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as file:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))
    return target.getvalue()


if __name__ == "__main__":
    main(*sys.argv[1:])
