"""The files of the page as the server sends them: one document, one script and one style sheet, which browsers keep."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from api_client import ApiClient
from browser import Visitor
from page_user import PageUser
from playwright.sync_api import expect

from maxconnect4.web import page
from maxconnect4.web.page import PAGE, bundle


def test_the_document_names_its_script_and_style_sheet_which_browsers_keep(client: ApiClient) -> None:
    html = client.ask("GET", "/").text
    (script,), (style,) = (
        re.findall(r'src="(/page/\w+\.js\?v=\w+)"', html),
        re.findall(r'href="(/page/\w+\.css\?v=\w+)"', html),
    )
    for address, parts in ((script, PAGE.glob("*_panel.js")), (style, PAGE.glob("*.css"))):
        answer = client.ask("GET", address)
        assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
        assert all(part.read_text()[:40].splitlines()[0] in answer.text for part in parts)
        again = client.ask("GET", address.partition("?")[0], headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.headers["cache-control"]) == (304, "no-cache")


def test_the_first_board_is_shown_after_four_requests(person: PageUser, visitor: Visitor) -> None:
    asked: list[str] = []
    person.page.on("request", lambda request: asked.append(request.url))
    person.page.goto(person.address)
    expect(person.page.locator("#points .player")).to_have_count(2)
    assert len(asked) <= 6
    assert not [each for each in asked if "/api/" in each]


@pytest.mark.parametrize(
    ("modules", "error"),
    [
        ({"app.js": 'import { a } from "./b.js";\n', "b.js": 'import { c } from "./app.js";\n'}, "import each other"),
        ({"app.js": "export let a = 1;\n"}, "cannot be bundled"),
        ({"app.js": 'import * as b from "./b.js";\n', "b.js": ""}, "cannot be bundled"),
    ],
)
def test_modules_that_cannot_be_bundled_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, modules: dict[str, str], error: str
) -> None:
    for name, text in modules.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(page, "PAGE", tmp_path)
    with pytest.raises(ValueError, match=error):
        bundle("app.js")


def test_a_bundle_has_each_module_once_after_those_that_it_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "app.js").write_text('import { x } from "./b.js";\nimport { y, z } from "./c.js";\nx(y, z);\n')
    (tmp_path / "b.js").write_text('import { y } from "./c.js";\nexport const x = () => y;\n')
    (tmp_path / "c.js").write_text("export const y = 1, z = 2;\n")
    monkeypatch.setattr(page, "PAGE", tmp_path)
    assert re.findall(r"^const module_(\w+)|return (.*);$", bundle("app.js"), re.MULTILINE) == [
        *(("c", ""), ("", "{ y, z }"), ("b", ""), ("", "{ x }"), ("app", ""), ("", "{  }"))
    ]
