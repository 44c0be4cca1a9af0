"""JSON output: one version, and every key in the table of its command in docs/reference/json.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from terminal import maxconnect4

DOCUMENT = (Path(__file__).parent.parent / "docs" / "reference" / "json.md").read_text()
LATE = "454672752411266535461732"
AGENT = Path(__file__).parent.parent / "examples" / "agent" / "step6.py"
COMMANDS = [
    ("one-move", ("one-move", LATE, "out.txt", "2", "--json")),
    ("analyse", ("analyse", LATE, "--json")),
    ("analyse", ("analyse", "23422112335155534", "--game", "classic", "--json")),
    ("analyse", ("analyse", "--batch", "-")),
    ("review", ("review", "334433442211", "--size", "5x4", "--json")),
    ("review", ("review", "2342211233515553414", "--size", "5x4", "--game", "classic", "--json")),
    ("tree", ("tree", "4453", "--json")),
    ("check", ("check", f"python3 {AGENT}", "--deepest", "0", "--depth", "1", "--positions", "1", "--json")),
    (
        "match and tournament",
        ("match", "depth:1", "random", "--openings", "random:plies=38,count=1", "--processes", "1", "--json"),
    ),
    (
        "match and tournament",
        ("match", "depth:1", "random", "--openings", "random:plies=38,count=1", "--sprt", "elo0=0", "elo1=9", "--json"),
    ),
    ("measure", ("measure", "depth:1", "--positions", LATE, "--search-only", "--runs", "1", "--json")),
    (
        "measure",
        ("measure", "random", "--positions", "exact", "--search-only", "--against", "random", "--games", "2", "--json"),
    ),
    ("levels", ("levels", "--json")),
    ("book lookup", ("book", "lookup", "4453", "--json")),
    ("book stats", ("book", "stats", "--json")),
]


def documented(command: str) -> dict[str, str]:
    """The meaning of every key in the table of a command, by its path."""
    section = re.search(rf"^## {command}\n(.*?)(?=^## |\Z)", DOCUMENT, re.DOTALL | re.MULTILINE)
    assert section, command
    rows = re.findall(r"^\| (`.*?`) \| (.*) \|$", section[1], re.MULTILINE)
    return {path: meaning for keys, meaning in rows for path in re.findall(r"`([^`]+)`", keys)}


def paths(value: Any, path: str, maps: set[str]) -> Iterator[str]:
    """The paths of all values that have no keys; objects whose keys are names or numbers count as one value."""
    if isinstance(value, dict) and path not in maps:
        for key, child in value.items():
            yield from paths(child, f"{path}.{key}" if path else key, maps)
    elif isinstance(value, list) and any(isinstance(child, dict) for child in value):
        for child in value:
            yield from paths(child, f"{path}[]", maps)
    else:
        yield path


def known(path: str, table: dict[str, str]) -> bool:
    """Whether the table has the path, or keys of an object or of a list that is null or empty here."""
    return path in table or any(it.startswith((f"{path}.", f"{path}[]")) for it in table)


@pytest.mark.parametrize(("command", "words"), COMMANDS, ids=[" ".join(words) for _, words in COMMANDS])
def test_every_key_is_documented(command: str, words: tuple[str, ...], tmp_path: Path) -> None:
    done = maxconnect4(*words, cwd=tmp_path, input=LATE)
    assert done.returncode in (0, 4), done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    assert next(iter(result)) == "version"
    assert result["version"] == 1
    table = documented(command)
    maps = {path for path, meaning in table.items() if meaning.startswith("object by")}
    assert [path for path in paths(result, "", maps) if not known(path, table)] == []
    assert [key for key in {re.split(r"[.\[]", path)[0] for path in table} - set(result) if key not in OPTIONAL] == []


#: Documented keys that only some objects of a command have.
OPTIONAL = {"pieces_at_end", "error", "line_number", "reasons"}


def test_an_invalid_line_of_a_batch_has_documented_keys(tmp_path: Path) -> None:
    done = maxconnect4("analyse", "--batch", "-", cwd=tmp_path, input="44x")
    assert set(json.loads(done.stdout)) == {"version", "error", "line_number"}
    assert set(json.loads(done.stdout)) <= set(documented("analyse"))


def test_stats_have_documented_keys(tmp_path: Path) -> None:
    done = maxconnect4("one-move", LATE, "out.txt", "2", "--stats", cwd=tmp_path)
    assert set(json.loads(done.stderr)) <= set(documented("one-move"))
