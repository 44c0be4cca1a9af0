"""The catalogues of the page: every text in every language, with its placeholders and plural forms."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from maxconnect4.evaluation_descriptions import EVALUATION_DESCRIPTIONS
from maxconnect4.levels import LEVELS
from maxconnect4.web.page import DOCUMENT_TEXTS, LANGUAGES, PAGE, catalogue, document, preferred_language

STRING = r'"(?:[^"\\]|\\.)*"'
#: The plural categories of whole numbers up to a million.
PLURALS = {"de": {"one", "other"}, "es": {"one", "other"}, "hi": {"one", "other"}}
TRANSLATED = [language for language in LANGUAGES if language != "en"]


def calls(name: str, text: str) -> Iterator[list[str]]:
    """The arguments of the calls of a function in a script, as source text."""
    for match in re.finditer(rf"(?<![\w.]){name}\(", text):
        depth, start, arguments = 0, match.end(), []
        for token in re.finditer(rf"{STRING}|`[^`]*`|[(\[{{}}\])]|,", text[start:]):
            if token[0] in "([{":
                depth += 1
            elif (token[0] == "," and depth == 0) or (token[0] in ")]}" and depth == 0):
                arguments.append(text[start : match.end() + token.start()].strip())
                start = match.end() + token.end()
                if token[0] != ",":
                    break
            elif token[0] in ")]}":
                depth -= 1
        yield arguments


def texts_of_scripts() -> tuple[set[str], dict[str, str]]:
    """The texts of `t`, and the texts of `tn`: by the singular, the plural."""
    single: set[str] = set()
    plural: dict[str, str] = {}
    for path in sorted(PAGE.glob("*.js")):
        text = re.sub(r"^export function .*\n", "", path.read_text("utf-8"), flags=re.MULTILINE)
        for first, *_ in calls("t", text):
            if re.fullmatch(STRING, first):
                single.add(json.loads(first))
            else:  # a text that the API sends
                assert re.fullmatch(r"[\w.]+", first), f"{path.name}: t({first}) is not a literal string"
        for _, one, other, *_ in calls("tn", text):
            assert re.fullmatch(STRING, one), f"{path.name}: tn(..., {one}) is not a literal string"
            assert plural.setdefault(json.loads(one), json.loads(other)) == json.loads(other), one
    return single, plural


def texts_of_document() -> set[str]:
    html = re.sub(r"<(kbd|option|title)\b.*?</\1>", "", (PAGE / "index.html").read_text("utf-8"))
    texts = {" ".join(match[0].split()) for match in DOCUMENT_TEXTS.finditer(html)}
    return {text for text in texts if len(text) > 2 and not text.startswith("width=")}


def texts_of_api() -> set[str]:
    levels = [level for game in LEVELS.values() for level in game]
    texts = [*EVALUATION_DESCRIPTIONS.values()]
    return {*texts, *(level.name for level in levels), *(level.description for level in levels)}


SINGLE, PLURAL = texts_of_scripts()
SINGLE |= texts_of_document() | texts_of_api()


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_a_text_has_either_one_form_or_a_form_for_each_number() -> None:
    assert len(SINGLE) > 200
    assert len(PLURAL) > 20
    assert not SINGLE & set(PLURAL)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_has_every_text_and_no_other(language: str) -> None:
    found = catalogue(language)
    optional = {"Home", "End", "Enter", "Esc"}  # names of keys
    assert found.keys() - SINGLE - PLURAL.keys() - optional == set()
    assert (SINGLE | PLURAL.keys()) - found.keys() == set()


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_have_the_placeholders_and_plural_forms_of_their_texts(language: str) -> None:
    for text, found in catalogue(language).items():
        if isinstance(found, str):
            assert text not in PLURAL
            assert placeholders(found) == placeholders(text), text
        else:
            assert found.keys() == PLURALS[language], text
            for form in found.values():
                assert placeholders(form) <= placeholders(PLURAL[text]) | {"count"}, text
            assert placeholders(found["other"]) == placeholders(PLURAL[text]), text
        forms = [found] if isinstance(found, str) else found.values()
        assert all(form.strip() and (form[-1] == " ") == (text[-1] == " ") for form in forms), text


def test_the_document_is_in_the_language_of_the_user() -> None:
    assert '<html lang="en">' in document("en").decode()
    german = document("de").decode()
    assert '<html lang="de">' in german
    assert ">Spielen</button>" in german
    assert f'id="catalogue">{json.dumps(catalogue("de"), ensure_ascii=False)}<' in german


@pytest.mark.parametrize(
    ("chosen", "accepted", "language"),
    [
        (None, "de-AT,de;q=0.9,en;q=0.8", "de"),
        (None, "en;q=0.1, es-MX;q=0.5", "es"),
        (None, "fr-FR, hi;q=0.3", "hi"),
        (None, "es;q=0, de;q=x", "en"),
        (None, "", "en"),
        ("hi", "de", "hi"),
        ("../de", "de", "de"),
    ],
)
def test_the_language_is_the_chosen_one_or_the_first_known_one_of_the_browser(
    chosen: str | None, accepted: str, language: str
) -> None:
    assert preferred_language(chosen, accepted) == language
