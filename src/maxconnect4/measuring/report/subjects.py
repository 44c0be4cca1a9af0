"""Whom a report is about: a built-in player, or a command and the language that it shows."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...errors import BadEntrant
from ...referee.entrants import BuiltIn, built_in_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..summary import Measured

#: How a built-in player is written down, such as depth,eval=lines or level:4,seed=7 (search only).
BUILT_IN = re.compile(r"(perfect|level|depth|time|random)(?:[:,](\S*))?(?: \(.*\))?")
#: Where the files of a command are, on the machine on which it was measured: nobody else's business.
FOLDER = re.compile(r"""\A(depth=[0-9]+ )?folder=(?:'[^']*'|"[^"]*"|[^\s'"])+ """)
#: What a word of a command tells of the language, the first that tells anything.
LANGUAGES = (
    (r".*\.py|python[0-9.]*|pypy[0-9.]*", "Python"),
    (r".*\.jar|java", "Java"),
    (r".*\.[cm]?js|node", "JavaScript"),
    (r".*\.ts|deno|ts-node", "TypeScript"),
    (r".*\.exe|mono|dotnet", "a language of .NET"),
    (r".*\.rb|ruby[0-9.]*", "Ruby"),
    (r".*\.pl|perl[0-9.]*", "Perl"),
    (r".*\.lua|lua[0-9.]*|luajit", "Lua"),
    (r".*\.php|php[0-9.]*", "PHP"),
    (r".*\.sh|sh|bash", "the shell"),
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Somebody who was measured."""

    name: str
    how: str  # its command, or the settings of a built-in player
    built_in: BuiltIn | None = None
    language: str = ""  # if the command shows it


def subjects_of(measured: Measured) -> list[Subject]:
    """All who were measured, in the order in which they come."""
    names = dict.fromkeys([*(each.player for each in measured.series), *(each.player for each in measured.games)])
    known = (measured.facts or {}).get("players", {})
    return [_subject(name, str(known.get(name, ""))) for name in names]


def _subject(name: str, how: str) -> Subject:
    built_in = _built_in(how)
    how = FOLDER.sub(r"\1", how)
    return Subject(name, how, built_in, "" if built_in else _language(how))


def _built_in(how: str) -> BuiltIn | None:
    """The settings of a built-in player; None if it is none, or none of those that there are now."""
    match = BUILT_IN.fullmatch(how)
    if match is None:
        return None
    kind = match[1]
    settings = {key: value for key, _, value in (part.rpartition("=") for part in (match[2] or "").split(","))}
    if kind == "depth":
        settings[""] = settings.get("", "") or "0"  # one that was measured at every depth
    try:
        return built_in_from(
            f"{kind}:{','.join(f'{key}={value}' if key else value for key, value in settings.items())}"
        )
    except BadEntrant:
        return None


def _language(command: str) -> str:
    words = [word.rpartition("/")[2].strip("'\"") for word in command.split() if "=" not in word]
    for pattern, language in LANGUAGES:
        if any(re.fullmatch(pattern, word) for word in words[:3]):
            return language
    return ""
