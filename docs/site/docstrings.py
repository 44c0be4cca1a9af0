"""How the library reference reads docstrings: as they are written here, plain text with doctests.

What is said of an attribute stands in the class's `__slots__`, where `help` also finds it, or in a `#:` comment above.
"""

from __future__ import annotations

import re
from ast import literal_eval
from pathlib import Path
from typing import Any

from griffe import Attribute, Class, Docstring, ExprDict, Extension, Object

DOCTEST = re.compile(r"^>>> .*(?:\n(?!\n).*)*", re.MULTILINE)


class PlainDocstrings(Extension):
    """Doctests become blocks of code, and what is said of attributes their docstrings."""

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

    def on_class_members(self, *, cls: Class, **_: Any) -> None:
        """Take the words in the slots for docstrings."""
        slots = cls.members.get("__slots__")
        if isinstance(slots, Attribute) and isinstance(slots.value, ExprDict):
            for name, words in literal_eval(str(slots.value)).items():
                member = cls.members[name]
                if isinstance(member, Object):
                    member.docstring = Docstring(words, parent=member)
