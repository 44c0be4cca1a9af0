"""Results of a class: an SQLite file with the submissions and the checks of all students."""

from __future__ import annotations

import time
from typing import NamedTuple

import msgspec

from ..database import Database
from ..referee.conformance import ConformanceReport
from ..workers import InvalidMessage, decode, encode


class StoredSubmission(NamedTuple):
    """A submission at its last build."""

    student: str  # the ID
    submitted: str  # fingerprint of the submission
    fingerprint: str  # of the sources at the last build, which the teacher may have changed
    language: str
    build: str
    command: str
    problems: tuple[str, ...]


class CheckOutcome(NamedTuple):
    """The result of checking a student: a report, or the problem that prevented it."""

    report: ConformanceReport | None
    problem: str = ""
    isolation: str = ""


TABLES = (
    """
CREATE TABLE submissions (
    student TEXT PRIMARY KEY,    -- the ID
    submitted TEXT NOT NULL,     -- fingerprint of the submission
    fingerprint TEXT NOT NULL,   -- of the sources
    language TEXT NOT NULL,
    build TEXT NOT NULL,
    command TEXT NOT NULL,       -- '' if there is no program
    problems TEXT NOT NULL       -- JSON
)""",
    """
CREATE TABLE checks (
    student TEXT PRIMARY KEY,    -- the ID
    fingerprint TEXT NOT NULL,   -- of the program, its command and the settings
    checked TEXT NOT NULL,       -- the time
    outcome TEXT NOT NULL        -- JSON
)""",
)


class ClassResults(Database):
    """The results of a class."""

    KIND = "a file of results of a class"
    FORMAT = 0x4D433443  # "MC4C"
    TABLES = TABLES
    MODE = 0o600

    def submissions(self) -> dict[str, StoredSubmission]:
        """The submissions by student."""
        rows = self._rows(tuple[str, str, str, str, str, str, str], "SELECT * FROM submissions")
        with self.stored_values():
            return {
                row[0]: StoredSubmission._make((*row[:6], msgspec.json.decode(row[6], type=tuple[str, ...])))
                for row in rows
            }

    def put_submission(self, submission: StoredSubmission) -> None:
        """Store a submission after its build."""
        problems = msgspec.json.encode(submission.problems).decode()
        with self._domain_errors(), self._transaction():
            self._insert("OR REPLACE INTO submissions", *submission[:6], problems)

    def checks(self) -> dict[str, tuple[str, CheckOutcome]]:
        """The fingerprint and the outcome of the last check by student; those of other versions are left out."""
        rows = self._rows(tuple[str, str, str], "SELECT student, fingerprint, outcome FROM checks")
        found = {}
        for student, fingerprint, outcome in rows:
            try:
                found[student] = fingerprint, decode(outcome.encode(), CheckOutcome)
            except InvalidMessage:  # it is checked again
                continue
        return found

    def put_check(self, student: str, fingerprint: str, outcome: CheckOutcome) -> None:
        """Store the outcome of a check durably."""
        checked = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
        text = encode(outcome).decode("ascii")
        with self._domain_errors(), self._transaction():
            self._insert("OR REPLACE INTO checks", student, fingerprint, checked, text)

    def clear_checks(self, students: list[str]) -> None:
        """Delete the checks of students."""
        with self._domain_errors(), self._transaction():
            for student in students:
                self._database.execute("DELETE FROM checks WHERE student = ?", (student,))
