"""The tables of docs/reference/api.md, from the OpenAPI document of the server."""

from __future__ import annotations

from typing import Any

import msgspec
from tables import table

from maxconnect4.web.api import ENDPOINTS
from maxconnect4.web.app import openapi

POSITION = ("game", "start", "moves")  # parameters that name a position: api.md describes them together


def _operations() -> list[tuple[str, str, dict[str, Any]]]:
    paths = openapi(ENDPOINTS)["paths"]
    return [(method.upper(), path, each) for path, methods in paths.items() for method, each in methods.items()]


def requests() -> str:
    rows = []
    for method, path, operation in _operations():
        names = [each["name"] for each in operation.get("parameters", []) if each["in"] == "query"]
        accepted = ["a position"] * (names[:3] == [*POSITION]) + [f"`{name}`" for name in names if name not in POSITION]
        for content in operation.get("requestBody", {}).get("content", {}).values():
            accepted = [f"body {_type(content['schema'])}"]
        responses = next(each for status, each in operation["responses"].items() if status.startswith("2"))
        answers = [
            _type(content["schema"]) if "$ref" in content["schema"] else f"`{kind}`"
            for kind, content in responses["content"].items()
        ]
        rows.append([f"`{method} {path}`", operation["summary"], ", ".join(accepted) or "–", ", ".join(answers)])
    return table(["request", "what it does", "parameters", "response"], rows, "---")


def parameters() -> str:
    rows: dict[tuple[str, ...], list[str]] = {}
    for _, path, operation in _operations():
        for each in operation.get("parameters", []):
            if each["in"] == "query":
                key = each["name"], _type(each["schema"]), each["schema"]["description"]
                rows.setdefault(key, []).append(f"`{path}`")
    lines = [
        [f"`{name}`", kind, meaning, "all with a position" if name in POSITION else ", ".join(paths)]
        for (name, kind, meaning), paths in rows.items()
    ]
    return table(["parameter", "type", "meaning", "paths"], lines, "---")


def types() -> str:
    parts = []
    for name, schema in sorted(openapi(ENDPOINTS)["components"]["schemas"].items()):
        rows = [
            [f"`{key}`", _type(value) + ("" if key in schema.get("required", []) else ", optional")]
            for key, value in schema["properties"].items()
        ]
        about = " ".join(schema.get("description", "").split("\n\n")[0].split())
        parts.append(f"### {name}\n\n" + f"{about}\n\n" * bool(about) + table(["key", "type"], rows, "---"))
    return "\n".join(parts)


def _type(schema: dict[str, Any]) -> str:
    match schema:
        case {"$ref": ref}:
            name = ref.rpartition("/")[2]
            return f"[{name}](#{name.lower()})"
        case {"anyOf": kinds}:
            return " or ".join(map(_type, kinds))
        case {"enum": values}:
            return ", ".join(f"`{msgspec.json.encode(value).decode()}`" for value in values)
        case {"prefixItems": items}:
            return f"[{', '.join(map(_type, items))}]"
        case {"items": items}:
            return f"array of {_type(items)}"
        case {"type": "integer", "minimum": low, "maximum": high}:
            return f"integer, {low} to {high}"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"object of {_type(values)}"
        case {"type": kind}:
            return str(kind)
    return "any"
