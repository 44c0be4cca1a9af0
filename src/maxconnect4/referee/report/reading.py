"""What a report is made of, from a file of results."""

from __future__ import annotations

from ...errors import BadFile
from ..tournament import Tournament, counted, standings_of
from .event import Event, event_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..games import Result
    from ..results import Results
    from ..standings import Standing


def read(file: Results) -> tuple[Event, list[Standing], list[Result]]:
    """What was played, how it stands, and the games that count."""
    facts = file.facts()
    if "tournament" not in facts:
        raise BadFile(f"{file.name} holds no tournament yet")
    played = {result.game.number: result for result in file.all()}
    with file.as_written():
        tournament = Tournament.from_facts(facts["tournament"])
        results = counted(tournament, played)
        return event_of(tournament, played, facts.get("began", "")), standings_of(tournament, results), results
