"""The file of results: the facts of each size, a line for each."""

from __future__ import annotations

import json
from typing import Annotated

import msgspec

from ..errors import BadFile, NoSuchFile, shown_path
from ..reading import read_bytes
from ..saving import save_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Results = dict[str, dict[str, Any]]

Whole = Annotated[int, msgspec.Meta(ge=-(10**15), le=10**15)]
Facts = dict[str, bool | Whole | float | str | list[Whole | None] | None]
LARGEST = 1 << 20  # bytes; a size takes about 120


def save_results(path: str, results: Results) -> None:
    """Write them, whole or not at all."""
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(facts)}" for name, facts in results.items())
    save_whole(path, f"{{\n{lines}\n}}\n".encode())


def read_results(path: str) -> Results:
    """What a file holds, which need not exist."""
    try:
        results = msgspec.json.decode(read_bytes(path, "file of results", LARGEST), type=dict[str, Facts])
    except NoSuchFile:
        return {}
    except (msgspec.DecodeError, UnicodeDecodeError):
        results = None
    if results is None or not all(_is_result(*item) for item in results.items()):
        raise BadFile(f"{shown_path(path)} is there already and does not hold results of solve-sizes: name another one")
    return results


def _is_result(name: str, facts: dict[str, Any]) -> bool:
    if name != f"{facts.get('columns')}x{facts.get('rows')}":
        return False
    if facts.get("solved") is False:
        return "value" not in facts
    numbers = [facts.get(key) for key in ("nodes", "cpu_seconds")]
    return isinstance(facts.get("value"), int) and all(isinstance(n, int | float) and 0 <= n < 1e15 for n in numbers)
