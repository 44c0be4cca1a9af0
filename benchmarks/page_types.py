"""JSDoc types of the page, src/maxconnect4/web/static/types.js, from the types of the API's responses."""

from __future__ import annotations

from typing import Any

import msgspec

from maxconnect4.web import schemas
from maxconnect4.web.api import ENDPOINTS

HEAD = "// Types of the API's responses, written by benchmarks/write_docs.py. Nothing here runs.\n\n"
ALIASES = {"Cell": schemas.Cell, "GameName": schemas.GameName, "Player": schemas.Player}
REF = "#/"


def page_types() -> str:
    """The text of types.js."""
    types = [endpoint.response for endpoint in ENDPOINTS if "application/json" in endpoint.media_types]
    types += [schemas.TreeWindow, schemas.ReviewProgress, schemas.SharedGameResponse]
    _, components = msgspec.json.schema_components(types, ref_template=REF + "{name}")
    comments = [f" * @typedef {{{_type(msgspec.json.schema(kind))}}} {name}" for name, kind in ALIASES.items()]
    for name, schema in sorted(components.items()):
        comments += [" *", *_typedef(name, schema)]
    return HEAD + "\n".join(["/**", *comments, " */"]) + "\n\nexport {};\n"


def _typedef(name: str, schema: dict[str, Any]) -> list[str]:
    lines = [f" * {schema['description'].splitlines()[0]}"] if "description" in schema else []
    lines.append(f" * @typedef {{object}} {_name(name)}")
    for key, value in schema["properties"].items():
        lines.append(f" * @property {{{_type(value)}}} {key if key in schema['required'] else f'[{key}]'}")
    return lines


def _name(name: str) -> str:
    return name.removesuffix("Response")


def _type(schema: dict[str, Any]) -> str:
    match schema:
        case {"$ref": ref}:
            return _name(ref.removeprefix(REF))
        case {"anyOf": kinds}:
            return " | ".join(map(_type, kinds))
        case {"enum": values}:
            return " | ".join(msgspec.json.encode(value).decode() for value in values)
        case {"prefixItems": items}:
            return f"[{', '.join(map(_type, items))}]"
        case {"items": items}:
            return f"({_type(items)})[]" if " | " in _type(items) else f"{_type(items)}[]"
        case {"type": "object", "additionalProperties": values}:
            return f"Record<string, {_type(values)}>"
    names = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}
    return names[schema["type"]]
