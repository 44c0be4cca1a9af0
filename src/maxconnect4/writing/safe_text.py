"""Text from outside, such as a name or what a program printed, in a form that can do no harm where it is shown."""

from __future__ import annotations

import re
from html import escape

#: Control characters, lone surrogates, and those that turn the direction of what follows or cannot be seen.
HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\ud800-\udfff\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]")
KEPT = "\n\t"


def one_line(text: str, limit: int = 200) -> str:
    """A text on one line, every harmful character as its number, which any font can show."""
    return HARMFUL.sub(_number, _cut(text, limit))


def lines(text: str, limit: int = 2000) -> str:
    """The same, but newlines and tabs stay, and a newline may be written as \\r\\n."""
    text = _cut(text, limit).replace("\r\n", "\n")
    return HARMFUL.sub(lambda found: found[0] if found[0] in KEPT else _number(found), text)


def in_html(text: str, limit: int = 200) -> str:
    """A text on one line, to stand between tags or in quotes."""
    return escape(one_line(text, limit))


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit} more)"


def _number(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
