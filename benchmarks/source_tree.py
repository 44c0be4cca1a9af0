"""The source tree for docs/developer/architecture.md: every module with the first sentence of its docstring."""

from __future__ import annotations

import ast
import re
import textwrap
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "maxconnect4"
WIDTH, INDENT, CORE_INDENT = 120, 24, 36


def source_tree() -> str:
    """The package in the order of its import layers, then the core."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    names = [name.strip() for layer in contracts[0]["layers"] for name in layer.split("|")]
    lines = ["src/maxconnect4/"]
    for name in names:
        lines += _module(PACKAGE / name, 1)
    lines += ["", "core/"]
    for path in sorted((ROOT / "core").glob("*.hpp")):
        lines += _line(f"  {path.name}", _first_comment(path.read_text()), CORE_INDENT)
    return "".join(f"{each}\n" for each in lines)


def _module(path: Path, depth: int) -> list[str]:
    """A module, or a package and all that is in it."""
    indent = "  " * depth
    if not path.is_dir():
        file = path.with_suffix(".py")
        return _line(f"{indent}{file.name}", _docstring(file))
    lines = _line(f"{indent}{path.name}/", _docstring(path / "__init__.py"))
    for inner in sorted(path.iterdir()):
        if inner.suffix == ".py" and inner.stem != "__init__":
            lines += _module(inner.with_suffix(""), depth + 1)
        elif (inner / "__init__.py").exists():
            lines += _module(inner, depth + 1)
    return lines + _scripts(path, indent) + _page(path / "static", indent)


def _page(folder: Path, indent: str) -> list[str]:
    scripts = _scripts(folder, f"{indent}  ")
    return _line(f"{indent}  {folder.name}/", "The page in the browser") + scripts if scripts else []


def _scripts(folder: Path, indent: str) -> list[str]:
    """The JavaScript modules of a folder, with their first comments."""
    lines = []
    for file in sorted(folder.glob("*.js")):
        lines += _line(f"{indent}  {file.name}", _first_comment(file.read_text()))
    return lines


def _line(name: str, text: str, indent: int = INDENT) -> list[str]:
    return textwrap.wrap(f"{name:<{indent - 1}} {text}", WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)


def _docstring(file: Path) -> str:
    return _sentence(ast.get_docstring(ast.parse(file.read_text())) or "")


def _first_comment(text: str) -> str:
    lines = re.split(r"\n(?://)?\n", text)[0].splitlines()
    return _sentence(" ".join(line.removeprefix("//").strip() for line in lines))


def _sentence(text: str) -> str:
    return re.split(r"[.](?:\s|$)", " ".join(text.split("\n\n")[0].split()), maxsplit=1)[0]
