"""A page in one file: the places in it are filled, and nothing may run in it but what is known by its hash."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def allowed(text: str) -> str:
    """A style or a script, as a content security policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def filled(body: str, parts: Mapping[str, str]) -> str:
    """A page with the usual head, whose places are policy, style and title, and with each {{place}} filled."""
    page = f"{file_of(__package__, 'head.html')}\n{body}"
    pieces = page.split("{{")  # not replace: a name may look like a place in the page
    whole = [pieces[0]]
    for piece in pieces[1:]:
        place, _, rest = piece.partition("}}")
        whole += [parts[place], rest]
    return "".join(whole)


def file_of(package: str, name: str) -> str:
    """A file that comes with a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8").strip()
