"""The page: its document in the languages of the catalogues, its script and its style sheet, and its files.

A catalogue, such as `static/languages/de.json`, has the translations of the English texts: of the document, of the
scripts, and of names and descriptions that the API sends. A text with a number has a form for each plural category of
the language.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from functools import cache
from html import escape
from pathlib import Path

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, PathLike, StaticFiles
from starlette.types import Scope

PAGE = Path(__file__).with_name("static")
LANGUAGES = ("en", *sorted(path.stem for path in PAGE.glob("languages/*.json")))
LANGUAGE_COOKIE = "language"
SCRIPT, STYLE = "bundle.js", "bundle.css"  # names of the script and the style sheet that are made from the files
STYLE_LINK = re.compile(r'<link rel="stylesheet" href="/page/(\w+\.css)">')
IMPORT = re.compile(r'^import \{ ([^}\n]+) \} from "\./(\w+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:class|function|const) )", re.MULTILINE)
PANEL = re.compile(r'id="tab-(\w+)"')
Catalogue = dict[str, str | dict[str, str]]
# Texts of the document: the content of elements, and attributes that users see or hear.
DOCUMENT_TEXTS = re.compile(r'(?<=>)[^<>]*[^\W\d][^<>]*(?=<)|(?<=label=")[^"]+|(?<=title=")[^"]+|(?<=content=")[^"]+')


class Page(StaticFiles):
    """The page's document and its files.

    The document names one script, made from all modules, and one style sheet. Their addresses contain a hash of the
    content, so that browsers load them once; they revalidate everything else at every request.

    Starlette's ETag is made from the size and the time of a file, but all installed files may have the time of the
    build, so the ETag is a hash of the content.

    Args:
        start: The data with which the scripts begin, instead of requests to the API.
    """

    def __init__(self, start: bytes = b"{}") -> None:
        super().__init__(directory=PAGE)
        self._start = start
        panels = PANEL.findall((PAGE / "index.html").read_text("utf-8"))
        #: The paths that lead to the document: one for each panel, and for what it shows.
        self.paths = ["/", *(f"/{panel}{item}" for panel in panels for item in ("", "/{item}"))]

    async def document(self, request: Request) -> Response:
        """The document, in the language of the cookie or of the browser."""
        return _document_response(document(_language(request), self._start, _latest_change()), request)

    async def embedded(self, request: Request) -> Response:
        """The embeddable view of one game."""
        return _document_response(embedded_document(_language(request), _latest_change()), request)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The script, the style sheet or a file."""
        if path in (SCRIPT, STYLE):
            script, style = bundles(_latest_change())
            content, media_type = (script, "text/javascript") if path == SCRIPT else (style, "text/css")
            return _response(content, media_type, Headers(scope=scope), _caching(scope))
        return await super().get_response(path, scope)

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """A file, or 304 if the browser has it."""
        headers = {"ETag": _etag(str(full_path), stat_result.st_mtime_ns), **_caching(scope)}
        response = FileResponse(full_path, status_code, headers, stat_result=stat_result)
        if self.is_not_modified(response.headers, Headers(scope=scope)):
            return NotModifiedResponse(response.headers)
        return response


def _response(content: bytes, media_type: str, asked: Headers, headers: dict[str, str]) -> Response:
    etag = f'"{_hash(content)}"'
    response = Response(content, headers={"Cache-Control": "no-cache", "ETag": etag} | headers, media_type=media_type)
    return NotModifiedResponse(response.headers) if asked.get("if-none-match") == etag else response


def _caching(scope: Scope) -> dict[str, str]:
    """Browsers keep a response to an address with the hash of its content."""
    hashed = scope.get("query_string", b"").startswith(b"v=")
    return {"Cache-Control": "private, max-age=31536000, immutable" if hashed else "no-cache"}


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


def _latest_change() -> int:
    """The time of the last change of a file of the page, so that a change needs no restart."""
    return max(path.stat().st_mtime_ns for path in PAGE.rglob("*"))


@cache
def _etag(path: str, _: int) -> str:
    return f'"{_hash(Path(path).read_bytes())}"'


@cache
def bundles(_: int = 0) -> tuple[bytes, bytes]:
    """The script and the style sheet of the page."""
    sheets = STYLE_LINK.findall((PAGE / "index.html").read_text("utf-8"))
    return bundle("app.js").encode(), b"".join((PAGE / sheet).read_bytes() for sheet in sheets)


def bundle(entry: str) -> str:
    """Put a module and the modules that it imports into one script: each becomes a function that returns its exports.

    The modules of the page import only names, of modules in the same folder, and export only what never changes.
    """
    exports: dict[str, set[str]] = {}
    codes: dict[str, str] = {}
    waiting: list[str] = []

    def add(name: str) -> None:
        if name in waiting:
            raise ValueError(f"the modules import each other: {' -> '.join([*waiting, name])}")
        if name in codes:
            return
        waiting.append(name)
        text = (PAGE / name).read_text("utf-8")
        for names, imported in IMPORT.findall(text):
            add(imported)
            exports.setdefault(imported, set()).update(names.split(", "))
        code = EXPORT.sub("", IMPORT.sub(lambda match: f"const {{ {match[1]} }} = {_variable(match[2])};\n", text))
        if unknown := re.search(r"^(import|export)\b.*", code, re.MULTILINE):
            raise ValueError(f"{name}: this form cannot be bundled: {unknown[0]}")
        codes[name] = code
        waiting.pop()

    add(entry)
    return "".join(
        f"// {name}\nconst {_variable(name)} = (() => {{\n{code}"
        f"return {{ {', '.join(sorted(exports.get(name, ())))} }};\n}})();\n"
        for name, code in codes.items()
    )


def _variable(module: str) -> str:
    return f"module_{module.removesuffix('.js')}"


def _language(request: Request) -> str:
    return preferred_language(request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", ""))


def _document_response(body: bytes, request: Request) -> Response:
    return _response(body, "text/html", request.headers, {"Vary": "Accept-Language, Cookie"})


def preferred_language(chosen: str | None, accepted: str) -> str:
    """The language that the user has chosen, or the first one of the browser that has a catalogue.

    Args:
        chosen: The value of the cookie.
        accepted: The header Accept-Language, such as "de-AT,de;q=0.9,en;q=0.8".
    """
    if chosen in LANGUAGES:
        return chosen
    weighted = []
    for part in accepted.split(","):
        tag, _, weight = part.partition(";q=")
        try:
            weighted.append((-float(weight or 1), tag.strip().partition("-")[0].lower()))
        except ValueError:
            continue
    languages = [language for weight, language in sorted(weighted, key=lambda each: each[0]) if weight < 0]
    return next((language for language in languages if language in LANGUAGES), LANGUAGES[0])


def catalogue(language: str) -> Catalogue:
    """The translations of a language; empty for English, the language of the texts."""
    if language == LANGUAGES[0]:
        return {}
    found: Catalogue = json.loads((PAGE / "languages" / f"{language}.json").read_bytes())
    return found


@cache
def document(language: str, start: bytes = b"{}", change: int = 0) -> bytes:
    """The document in a language, with the catalogue and the first data for its scripts."""
    html = _translated("index.html", language)
    script, style = bundles(change)
    first, *others = STYLE_LINK.finditer(html)
    for link in others:
        html = html.replace(f"  {link[0]}\n", "")
    versions = {
        first[0]: f'<link rel="stylesheet" href="/page/{STYLE}?v={_hash(style)}">',
        'src="/page/app.js"': f'src="/page/{SCRIPT}?v={_hash(script)}"',
        "/page/icon.svg": f"/page/icon.svg?v={_hash((PAGE / 'icon.svg').read_bytes())}",
        'id="start">{}<': f'id="start">{_script_data(start.decode())}<',
    }
    for plain, version in versions.items():
        html = html.replace(plain, version)
    return html.encode()


@cache
def embedded_document(language: str, change: int = 0) -> bytes:
    """The document of the embeddable view in a language."""
    return _translated("embed.html", language).encode()


def _translated(name: str, language: str) -> str:
    """A document in a language, with the catalogue for its scripts."""
    texts = catalogue(language)

    def translate(match: re.Match[str]) -> str:
        text = match[0].strip()
        found = texts.get(" ".join(text.split()))
        return match[0].replace(text, escape(found)) if isinstance(found, str) else match[0]

    html = DOCUMENT_TEXTS.sub(translate, (PAGE / name).read_text("utf-8"))
    html = html.replace('<html lang="en">', f'<html lang="{language}">')
    data = _script_data(json.dumps(texts, ensure_ascii=False))
    return html.replace('id="catalogue">{}<', f'id="catalogue">{data}<')


def _script_data(data: str) -> str:
    """JSON that cannot close its script element."""
    return data.replace("<", "\\u003c")
