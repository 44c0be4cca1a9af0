"""What is done with the repository elsewhere: the workflows, the source distribution, the citation."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from terminal import maxconnect4

from maxconnect4 import __version__
from maxconnect4.cli import book

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


def test_the_readme_of_a_release_has_absolute_links(tmp_path: Path) -> None:
    release = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())
    (command,) = (step["run"] for step in release["jobs"]["sdist"]["steps"] if "README.md" in step.get("run", ""))
    readme = (ROOT / "README.md").read_text()
    (tmp_path / "README.md").write_text(readme)
    environment = {
        "GITHUB_SERVER_URL": "https://forge.example",
        "GITHUB_REPOSITORY": "max/connect4",
        "GITHUB_REF_NAME": "v1.2.3",
    }
    subprocess.run(["bash", "-ec", command], cwd=tmp_path, env={**os.environ, **environment}, check=True)
    links = re.findall(r"\]\(([^)]+)\)", (tmp_path / "README.md").read_text())
    assert len(links) == len(re.findall(r"\]\(([^)]+)\)", readme))
    assert all(link.startswith("https://forge.example/max/connect4/") for link in links)
    assert "https://forge.example/max/connect4/raw/v1.2.3/docs/pictures/play.png" in links


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
    assert citation["version"] == __version__
    assert (citation["title"], citation["license"]) == (project["name"], project["license"])
    assert citation["authors"] == project["authors"]


def test_the_changes_begin_with_this_version_and_its_day() -> None:
    day = yaml.safe_load((ROOT / "CITATION.cff").read_text())["date-released"]
    versions = re.findall(r"^## (.*)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    newest = next(version for version in versions if version != "[Unreleased]")
    assert newest == f"[{__version__}] - {day}"


def test_the_changes_have_the_headings_of_keep_a_changelog() -> None:
    kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
    for section in re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)[1:]:
        headings = re.findall(r"^### (.*)", section, re.MULTILINE)
        assert headings == [kind for kind in kinds if kind in headings]
        assert headings or section.startswith("[Unreleased]")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a repository")
def test_the_default_files_of_commands_are_ignored(tmp_path: Path) -> None:
    """They may be run at the root of the repository."""
    for line, answer in {
        "match depth:1 depth:2 --openings random:count=1": "",
        "measure depth --depths 1": "",
        "report depth --deepest 1 --games 1": "",
        "interactive --level 1": "4\nq\n",
        "solve-sizes --sizes 4x4": "",
    }.items():
        assert maxconnect4(*line.split(), cwd=tmp_path, input=answer).returncode == 0
    written = [*sorted(path.name for path in tmp_path.iterdir()), book.STATE, book.BOOK]
    assert len(written) > 10
    checking = ["git", "check-ignore", "--no-index", *written]
    done = subprocess.run(checking, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.split("\n")[:-1] == written


def test_classifiers_are_those_of_the_wheels() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    versions = [name.rpartition(" ")[2] for name in settings["project"]["classifiers"] if ":: 3." in name]
    assert [f"cp{version.replace('.', '')}-*" for version in versions] == settings["tool"]["cibuildwheel"]["build"]
    matrices = [yaml.safe_load(path.read_text())["jobs"] for path in WORKFLOWS if path.stem in ("tests", "nightly")]
    for jobs in matrices:
        for job in jobs.values():
            assert job["strategy"]["matrix"]["python"] == [versions[0], versions[-1]]
