"""What the named values of a request have to be. The same words check them and describe them to programs."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from ...errors import shown
from .refusals import BAD_REQUEST, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    Fields = dict[str, "Field"]

WHOLE_NUMBER = re.compile("-?[0-9]{1,9}")


@dataclass(frozen=True)
class Field:
    """A value: what it is in the words of a message and in those of JSON Schema."""

    words: str
    schema: dict[str, Any]
    description: str = ""
    required: bool = field(default=False, kw_only=True)

    def needed(self) -> Field:
        """The same, where it may not be left out."""
        return Field(self.words, self.schema, self.description, required=True)


def text(longest: int, description: str, pattern: str = "") -> Field:
    """Some text. What it says is read elsewhere, where there are better words for what is wrong than a pattern."""
    schema = {"type": "string", "maxLength": longest} | ({"pattern": pattern} if pattern else {})
    return Field(f"a text of at most {longest:,} characters", schema, description)


def number(least: int, most: int, description: str) -> Field:
    """A whole number."""
    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Field(f"a whole number from {least} to {most:,}", schema, description)


def one_of(values: Collection[str], description: str) -> Field:
    """One of some words."""
    return Field(f"one of {', '.join(values)}", {"type": "string", "enum": list(values)}, description)


def pair(item: Field, description: str) -> Field:
    """Two values, red's and green's."""
    schema = {"type": "array", "items": item.schema, "minItems": 2, "maxItems": 2}
    return Field(f"a list of two, red's and green's, each {item.words}", schema, description)


def checked(given: Mapping[str, Any], fields: Fields) -> dict[str, Any]:
    """The values, each as its field has it; those that are left out, or null, are None."""
    for name in given:
        if name not in fields:
            known = f"there is {', '.join(fields)}" if fields else "there is none"
            raise Refused(BAD_REQUEST, f"{shown(name)} is not known here: {known}")
    for name, its in fields.items():
        value = given.get(name)
        if value is None:
            if its.required:
                raise Refused(BAD_REQUEST, f"{name} is missing: it has to be {its.words}")
        elif not _fits(value, its.schema):
            raise Refused(BAD_REQUEST, f"{name} has to be {its.words}, not {_in_words(value)}")
    return {name: given.get(name) for name in fields}


def checked_texts(given: Collection[tuple[str, str]], fields: Fields) -> dict[str, Any]:
    """The values of a query, where everything is text."""
    values: dict[str, Any] = {}
    for name, value in given:
        if name in values:
            raise Refused(BAD_REQUEST, f"{shown(name)} is given twice")
        values[name] = _from_text(value, fields[name].schema) if name in fields else value
    return checked(values, fields)


def _fits(value: Any, schema: dict[str, Any]) -> bool:
    match schema["type"]:
        case "integer":
            return type(value) is int and schema["minimum"] <= value <= schema["maximum"]
        case "boolean":
            return isinstance(value, bool)
        case "array":
            fitting = isinstance(value, list) and schema["minItems"] <= len(value) <= schema["maxItems"]
            return fitting and all(_fits(item, schema["items"]) for item in value)
    if not isinstance(value, str):
        return False
    return value in schema["enum"] if "enum" in schema else len(value) <= schema["maxLength"]


def _from_text(value: str, schema: dict[str, Any]) -> Any:
    match schema["type"]:
        case "integer" if WHOLE_NUMBER.fullmatch(value):
            return int(value)
        case "boolean" if value in ("true", "false"):
            return value == "true"
    return value


def _in_words(value: Any) -> str:
    match value:
        case str():
            return shown(value)
        case list():
            return "a list"  # which may nest more deeply than can be written
        case dict():
            return "an object"
    return shown(json.dumps(value)).strip("'")
