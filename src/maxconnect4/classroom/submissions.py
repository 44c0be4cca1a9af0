"""Submissions of a class, from the names in an export of Canvas, Moodle or Gradescope, or in a folder."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from ..errors import quote
from ..safe_text import one_line
from .archives import (
    JUNK,
    UNREADABLE,
    BadArchive,
    Unpacked,
    UnpackLimits,
    copy_file,
    copy_tree,
    is_archive,
    unpack,
    without_suffix,
)

CANVAS = re.compile(
    r"(?P<name>[^_]+)_(?P<late>LATE_)?(?P<id>\d+)_(?:\d+_(?P<file>.+)|(?P<text>text\.html?))", re.DOTALL
)
MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<file>.*))?", re.DOTALL)
GRADESCOPE = re.compile(r"submission_(?P<id>\d+)")
GRADESCOPE_FILE = "submission_metadata.yml"
NUMBER_LAST, NUMBER_FIRST = re.compile(r"(.*?)[ _-]+(\d{3,})"), re.compile(r"(\d{3,})[ _-]+(.*)")
COPY_NUMBER = re.compile(r"-\d+(?=\.\w+$)")  # which Canvas adds to a file that is uploaded again
LARGEST_METADATA = 100 << 20  # bytes: Gradescope repeats the results of each submission

#: Suffixes of single files that are a submission.
PROGRAMS = (".py", ".java", ".c", ".cc", ".cpp", ".cxx", ".rs", ".js", ".mjs", ".rb", ".pl", ".lua", ".php", ".sh")


@dataclass(slots=True)
class Submission:
    """The files of a student, as they were submitted."""

    id: str  # of the learning platform, or the name
    name: str
    platform: str  # Canvas, Moodle, Gradescope or folder
    items: list[tuple[str, str]] = field(default_factory=list)  # paths, and their names in the submission
    late: bool = False  # according to the platform
    submitted: datetime | None = None
    problems: list[str] = field(default_factory=list)


def find_submissions(folder: str) -> tuple[list[Submission], list[str]]:
    """Find the submissions in an unpacked export. Returns them, and the entries that belong to no student."""
    folder = _unwrapped(folder)
    students: dict[str, Submission] = {}
    others: list[str] = []
    metadata = _gradescope_students(os.path.join(folder, GRADESCOPE_FILE))
    for name in sorted(set(os.listdir(folder)) - JUNK - {GRADESCOPE_FILE}):
        found = _submissions(name, os.path.join(folder, name), metadata)
        if not found:
            others.append(f"{quote(name)} is not a submission: it is left out")
        for each in found:
            earlier = students.setdefault(each.id, each)
            if earlier is not each and each.platform in ("Canvas", "Moodle"):
                earlier.items += each.items
                earlier.late |= each.late
            elif earlier is not each:
                earlier.problems.append(f"{quote(name)} is a second submission of this student: it is left out")
    for name, submitters in metadata.items():
        if not submitters[0].items:
            others.append(f"{quote(name)} of {quote(submitters[0].name)} has no folder")
    return sorted(students.values(), key=lambda each: (each.name.casefold(), each.id)), others


def _unwrapped(folder: str) -> str:
    """The folder with the submissions, without wrapper folders around all of them."""
    while True:
        names = set(os.listdir(folder)) - JUNK
        if len(names) != 1:
            return folder
        (name,) = names
        path = os.path.join(folder, name)
        if not os.path.isdir(path) or os.path.islink(path) or MOODLE.fullmatch(name) or GRADESCOPE.fullmatch(name):
            return folder
        inside = set(os.listdir(path)) - JUNK
        several = sum(is_archive(each) or os.path.isdir(os.path.join(path, each)) for each in inside)
        if GRADESCOPE_FILE not in inside and several < 2 and not any(map(CANVAS.fullmatch, inside)):
            return folder
        folder = path


def _submissions(name: str, path: str, metadata: dict[str, list[Submission]]) -> list[Submission]:
    """The submissions to which an entry belongs: several for a group on Gradescope."""
    if os.path.islink(path):
        return []
    if match := MOODLE.fullmatch(name):
        inner = (match["file"] or "") if match["kind"] == "file" else f"{match['kind']}.html"
        return [Submission(match["id"], _name(match["name"]), "Moodle", [(path, inner)])]
    if match := GRADESCOPE.fullmatch(name):
        known = metadata.setdefault(name, [Submission(match["id"], name, "Gradescope")])
        for each in known:
            each.items.append((path, ""))
        return known
    is_folder = os.path.isdir(path)
    if not is_folder and (match := CANVAS.fullmatch(name)):
        inner = COPY_NUMBER.sub("", match["file"] or match["text"])
        return [Submission(match["id"], _name(match["name"]), "Canvas", [(path, inner)], late=bool(match["late"]))]
    if not is_folder and not is_archive(name) and not name.lower().endswith((*PROGRAMS, *UNREADABLE)):
        return []
    student = number = name if is_folder else without_suffix(name)
    if match := NUMBER_LAST.fullmatch(student):
        student, number = match[1], match[2]
    elif match := NUMBER_FIRST.fullmatch(student):
        number, student = match[1], match[2]
    return [Submission(one_line(number), _name(student), "folder", [(path, "" if is_folder else name)])]


def _name(text: str) -> str:
    return one_line(text.replace("_", " ").strip(), 60) or "student"


def _gradescope_students(path: str) -> dict[str, list[Submission]]:
    """The submitters of each submission in Gradescope's metadata, by the name of its folder.

    The file is YAML in a fixed form: this reads the few lines of each submission that are needed.
    """
    found: dict[str, list[Submission]] = {}
    if not os.path.isfile(path) or os.path.islink(path):
        return found
    current: list[Submission] = []
    for line in _lines(path):
        if match := re.match(r"(submission_\d+):", line):
            current = found.setdefault(match[1], [])
        elif match := re.match(r"  (?:- |  ):(name|sid): *(.*)", line):
            value = _scalar(match[2])
            if match[1] == "name" or not current:
                number = f"{next(reversed(found), 'submission')}".removeprefix("submission_")
                suffix = f"-{len(current) + 1}" if current else ""
                current.append(Submission(f"{number}{suffix}", _name(value), "Gradescope"))
            elif value:
                current[-1].id = one_line(value)
        elif match := re.match(r"  :created_at: *(.*)", line):
            for each in current:
                each.submitted = parse_time(_scalar(match[1]))
    return {name: submitters for name, submitters in found.items() if submitters}


def _lines(path: str) -> Iterator[str]:
    size = 0
    with open(path, encoding="utf-8", errors="replace") as file:
        while (line := file.readline(1000)) and (size := size + len(line)) < LARGEST_METADATA:
            yield line.rstrip("\n")


def _scalar(text: str) -> str:
    """A plain or quoted value of YAML."""
    text = text.strip()
    if text[:1] == text[-1:] == '"' and len(text) > 1:
        try:
            return str(json.loads(text))
        except ValueError:
            return text[1:-1]
    if text[:1] == text[-1:] == "'" and len(text) > 1:
        return text[1:-1].replace("''", "'")
    return "" if text in ("~", "null") else text


def parse_time(text: str) -> datetime | None:
    """A time such as 2026-11-01 23:59 or 2026-11-01T23:59:00.123Z; without a time zone it is that of UTC."""
    text = re.sub(r"(\.\d{1,6})\d*", r"\1", text.strip()).replace(" Z", "Z").replace(" UTC", "Z")
    text = re.sub(r" ([+-]\d\d:?\d\d)$", r"\1", text)
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time


def days_late(submitted: datetime | None, due: datetime | None) -> int:
    """The number of started days after the due time."""
    if submitted is None or due is None or submitted <= due:
        return 0
    return math.ceil((submitted - due).total_seconds() / 86_400)


def collect(submission: Submission, folder: str, limits: UnpackLimits, result: Unpacked) -> None:
    """Copy or unpack the files of a submission into an existing folder."""
    for path, name in submission.items:
        try:
            if os.path.isdir(path):
                copy_tree(path, folder, limits, result)
            elif is_archive(name):
                with_folder = len(submission.items) > 1
                place = os.path.join(folder, without_suffix(name)) if with_folder else folder
                os.makedirs(place, 0o755, exist_ok=True)
                unpack(path, place, limits, result)
            else:
                limits.take(os.path.getsize(path), 1)
                copy_file(path, os.path.join(folder, Path(name).name or "file"))
        except BadArchive as error:
            text = str(error)
            result.problems.append(text if "cannot be unpacked" in text else f"{quote(name)} is left out: {text}")
        except FileExistsError:
            result.problems.append(f"{quote(name)} is left out: there are two files with this name")


def distinct_names(submissions: Iterable[Submission], taken: Iterable[str]) -> dict[str, str]:
    """A folder name for each student by ID, distinct also where case is ignored."""
    used, found = {name.casefold() for name in taken}, {}
    for each in submissions:
        text = each.name if each.name == each.id else f"{each.name}-{each.id}"
        stem = re.sub(r"[^\w.]+", "-", text).strip("-._")[:60].strip("-.") or "student"
        name, number = stem, 1
        while name.casefold() in used:
            number += 1
            name = f"{stem}-{number}"
        used.add(name.casefold())
        found[each.id] = name
    return found
