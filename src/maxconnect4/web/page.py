"""The page: its document in the languages of the catalogues, and its files, which browsers cache.

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
PANEL = re.compile(r'id="tab-(\w+)"')
Catalogue = dict[str, str | dict[str, str]]
# Texts of the document: the content of elements, and attributes that users see or hear.
DOCUMENT_TEXTS = re.compile(r'(?<=>)[^<>]*[^\W\d][^<>]*(?=<)|(?<=label=")[^"]+|(?<=title=")[^"]+|(?<=content=")[^"]+')


class Page(StaticFiles):
    """The page's document and its files, which browsers cache and revalidate at every request.

    The ETag is a hash of the content. Starlette's ETag is made from the size and the time of a file, but all installed
    files may have the time of the build.
    """

    def __init__(self) -> None:
        super().__init__(directory=PAGE)
        panels = PANEL.findall((PAGE / "index.html").read_text("utf-8"))
        #: The paths that lead to the document: one for each panel, and for what it shows.
        self.paths = ["/", *(f"/{panel}{item}" for panel in panels for item in ("", "/{item}"))]

    async def document(self, request: Request) -> Response:
        """The document, in the language of the cookie or of the browser."""
        language = preferred_language(request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", ""))
        body = document(language, os.stat(PAGE / "index.html").st_mtime_ns)
        headers = {"Cache-Control": "no-cache", "ETag": _etag_of(body), "Vary": "Accept-Language, Cookie"}
        response = Response(body, headers=headers, media_type="text/html")
        if self.is_not_modified(response.headers, request.headers):
            return NotModifiedResponse(response.headers)
        return response

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """A file, or 304 if the browser has it."""
        headers = {"Cache-Control": "no-cache", "ETag": _etag(str(full_path), stat_result.st_mtime_ns)}
        response = FileResponse(full_path, status_code, headers, stat_result=stat_result)
        if self.is_not_modified(response.headers, Headers(scope=scope)):
            return NotModifiedResponse(response.headers)
        return response


@cache
def _etag(path: str, _: int) -> str:
    return _etag_of(Path(path).read_bytes())


def _etag_of(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


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
def document(language: str, _: int = 0) -> bytes:
    """The document in a language, with the catalogue for its scripts."""
    texts = catalogue(language)

    def translate(match: re.Match[str]) -> str:
        found = texts.get(" ".join(match[0].split()))
        return escape(found) if isinstance(found, str) else match[0]

    html = DOCUMENT_TEXTS.sub(translate, (PAGE / "index.html").read_text("utf-8"))
    data = json.dumps(texts, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    html = html.replace('<html lang="en">', f'<html lang="{language}">', 1)
    return html.replace('id="catalogue">{}<', f'id="catalogue">{data}<', 1).encode()
