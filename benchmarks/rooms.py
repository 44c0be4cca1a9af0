"""The tree of docs/architecture.md: each room with the first words that it says of itself."""

from __future__ import annotations

import ast
import re
import textwrap
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "maxconnect4"
CORE = ROOT / "core"
WIDTH, INDENT = 120, 24


def rooms() -> str:
    """The package from the commands down to the errors, as its layers say, and then the core."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    names = [name.strip().removeprefix("maxconnect4.") for layer in contracts[0]["layers"] for name in layer.split("|")]
    missing = {path.stem for path in PACKAGE.iterdir() if is_room(path)} - set(names)
    if missing:
        raise SystemExit(f"in no layer: {', '.join(sorted(missing))}")
    lines = ["src/maxconnect4/"]
    for name in names:
        path = PACKAGE / name
        lines += line(f"  {name}/" if path.is_dir() else f"  {name}.py", first_words(path))
        if path.is_dir():
            for inner in sorted(each for each in path.iterdir() if (each / "__init__.py").exists()):
                lines += line(f"    {inner.name}/", first_words(inner))
    lines += ["", "core/"]
    for path in sorted(CORE.glob("*.hpp")):
        lines += line(f"  {path.name}", first_comment(path.read_text()))
    return "".join(f"{each}\n" for each in lines)


def is_room(path: Path) -> bool:
    return (path / "__init__.py").exists() or (path.suffix == ".py" and not path.stem.startswith("__"))


def line(name: str, words: str) -> list[str]:
    return textwrap.wrap(f"{name:<{INDENT}}{words}", WIDTH, subsequent_indent=" " * INDENT, break_on_hyphens=False)


def first_words(path: Path) -> str:
    """The first sentence of a module or a package, without its end."""
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return sentence(ast.get_docstring(ast.parse(file.read_text())) or "")


def first_comment(text: str) -> str:
    return sentence(
        " ".join(each.removeprefix("//").strip() for each in re.split(r"\n(?://)?\n", text)[0].splitlines())
    )


def sentence(text: str) -> str:
    return re.split(r"[.](?:\s|$)", " ".join(text.split("\n\n")[0].split()), maxsplit=1)[0]
