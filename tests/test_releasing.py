"""What is done with the repository elsewhere: the workflows, the source distribution, the citation."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

import maxconnect4

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_the_steps_of_a_workflow_make_what_there_is(path: Path) -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    workflow = yaml.safe_load(path.read_text())
    assert workflow[True]  # `on`, which YAML takes for a truth value
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            for name in re.findall(r"\bmake ([a-z-]+)", step.get("run", "")):
                assert name in targets


def test_wheels_are_tested_with_files_that_there_are() -> None:
    commands = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["cibuildwheel"]["test-command"]
    files = re.findall(r"\{project\}/([\w./-]+)", " ".join(commands))
    assert len(files) > 1
    assert [name for name in files if not (ROOT / name).exists()] == []


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a repository")
def test_no_file_of_the_repository_is_ignored() -> None:
    """What is ignored does not get into the source distribution, which then cannot be built."""
    listing = ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"]
    assert subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout == ""


def test_the_citation_is_of_this_version_licence_and_authors() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert citation["version"] == maxconnect4.__version__
    assert (citation["title"], citation["license"]) == (project["name"], project["license"])
    assert citation["authors"] == project["authors"]


def test_the_changes_begin_with_this_version_and_its_day() -> None:
    day = yaml.safe_load((ROOT / "CITATION.cff").read_text())["date-released"]
    changes = (ROOT / "CHANGELOG.md").read_text().splitlines()
    newest = next(line for line in changes if line.startswith("## ") and line != "## Unreleased")
    assert newest == f"## {maxconnect4.__version__}, {day}"
