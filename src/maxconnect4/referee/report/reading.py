"""What a report is made of, from a file of results."""

from __future__ import annotations

from ...errors import BadFile
from ..tournament import Tournament, counted, standings_of
from ..validation import validated_games
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
    with file.as_written():
        tournament = Tournament.from_facts(facts["tournament"])
        played = validated_games(file, tournament)
        results = counted(tournament, played)
        isolation = ", ".join(map(str, facts.get("isolation", ())))
        return (
            event_of(tournament, played, facts.get("began", ""), isolation),
            standings_of(tournament, results),
            results,
        )
