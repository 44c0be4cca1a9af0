"""How the library reference reads docstrings: as they are written here, plain text with doctests and `#:` comments."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from griffe import Attribute, Docstring, Extension, Object

DOCTEST = re.compile(r"^>>> .*(?:\n(?!\n).*)*", re.MULTILINE)


class PlainDocstrings(Extension):
    """Doctests become blocks of code, and `#:` comments above an attribute what is said of it."""

    def on_instance(self, *, obj: Object, **_: Any) -> None:
        """Mark doctests as code."""
        if obj.docstring is not None:
            obj.docstring.value = DOCTEST.sub(lambda example: f"```pycon\n{example[0]}\n```", obj.docstring.value)

    def on_attribute_instance(self, *, attr: Attribute, **_: Any) -> None:
        """Take the comment above for the docstring."""
        file = attr.filepath
        if attr.docstring is not None or attr.lineno is None or not isinstance(file, Path):
            return
        comment: list[str] = []
        for line in reversed(attr.lines_collection[file][: attr.lineno - 1]):
            if not line.lstrip().startswith("#:"):
                break
            comment.insert(0, line.lstrip().removeprefix("#:").strip())
        if comment:
            attr.docstring = Docstring(" ".join(comment), parent=attr)
