"""Pages of the site that are not in docs/ as Markdown: the notebook, and some files of the repository.

MkDocs calls these functions (`hooks` in mkdocs.yml). Documents link to the files, as is right in the repository; here
such links lead to the pages that are made of them.
"""

from __future__ import annotations

import base64
import json
import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

ROOT = Path(__file__).parent.parent.parent
NOTEBOOK = "docs/tutorials/notebook.ipynb"
ICON = "src/maxconnect4/web/static/icon.svg"
PAGES = {
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    NOTEBOOK: "tutorials/notebook.md",
}
LINK = re.compile(r"(\]\()([^)#:]+)((?:#[^)]*)?\))")
CODE = re.compile(r"(^```.*?^```$|`[^`\n]*`)", re.DOTALL | re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages, and the icon of the game."""
    for source, name in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        if source == NOTEBOOK:
            text, pictures = notebook_page(json.loads(text))
            for picture, content in pictures.items():
                files.append(File.generated(config, f"tutorials/{picture}", content=content))
        files.append(File.generated(config, name, content=linked(text, source)))
    files.append(File.generated(config, "icon.svg", abs_src_path=str(ROOT / ICON)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Have the links of a document lead to these pages."""
    return markdown if page.file.src_uri in PAGES.values() else linked(markdown, f"docs/{page.file.src_uri}")


def linked(text: str, source: str) -> str:
    """A document with its links as the site has them. Those in code are none."""

    def link(match: re.Match[str]) -> str:
        before, target, after = match.groups()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        return before + posixpath.relpath(page_of(path), posixpath.dirname(page_of(source)) or ".") + after

    parts = CODE.split(text)
    return "".join(part if CODE.fullmatch(part) else LINK.sub(link, part) for part in parts)


def page_of(path: str) -> str:
    """The place in the site of a file of the repository."""
    return PAGES.get(path, path.removeprefix("docs/"))


def notebook_page(notebook: dict[str, Any]) -> tuple[str, dict[str, bytes]]:
    """A notebook with its outputs as Markdown, and its pictures by the name that it gives them."""
    parts: list[str] = []
    pictures: dict[str, bytes] = {}
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            if output["output_type"] == "stream":
                parts.append(f"```{{.text .output}}\n{''.join(output['text']).rstrip()}\n```")
            else:
                name = f"pictures/notebook-{len(pictures) + 1}.png"
                pictures[name] = base64.b64decode(output["data"]["image/png"])
                parts.append(f"![{cell['metadata']['alt']}]({name})")
    return "\n\n".join(parts) + "\n", pictures
