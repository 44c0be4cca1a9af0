"""The glossary: each term leads to a name that exists, and no term is defined twice."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GLOSSARY = (ROOT / "docs" / "developer" / "glossary.md").read_text(encoding="utf-8")
ROWS = [
    line.strip("| ").split(" | ") for line in GLOSSARY.splitlines() if line.startswith("| ") and "meaning" not in line
]


def test_no_term_is_defined_twice() -> None:
    terms = Counter(term for row in ROWS for term in row[0].split(", "))
    assert [term for term, count in terms.items() if count > 1] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_term_is_found_in_the_code(row: list[str]) -> None:
    _, meaning, places = row
    assert meaning
    for place in re.findall(r"`([^`]+)`", places):
        if place.startswith("core/"):
            assert (ROOT / place).is_file()
            continue
        module, _, name = place.rpartition(".")
        if module.rpartition(".")[2][0].isupper():  # an attribute of a class
            module, _, owner = module.rpartition(".")
            assert hasattr(getattr(importlib.import_module(module), owner), name)
        else:
            assert hasattr(importlib.import_module(module), name)
