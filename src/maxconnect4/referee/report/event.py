"""What was played: the words at the head of every report."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...amounts import how_many
from ..tournament import sequential_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..entrants import Entrant
    from ..games import Result
    from ..limits import Limits
    from ..tournament import Tournament

ON_FAULT = {
    "lose": "loses the game",
    "replace": "is replaced by a random move",
    "void": "makes the game void",
}


@dataclass(frozen=True, slots=True)
class Event:
    """A match or a tournament, as its report tells of it."""

    title: str
    game: str = "max"
    format: str = ""  # such as "round robin, 2 rounds"
    openings: str = ""  # where they come from, such as "4 random drops"
    seed: int | None = None
    when: str = ""  # when it began, such as "2026-11-16 14:05"
    entrants: tuple[Entrant, ...] = ()
    settings: dict[str, str] = field(default_factory=dict)  # whatever else there is to know

    def words(self) -> list[tuple[str, str]]:
        """All that is known of it but the players, as pairs of a label and its value."""
        known = [
            ("Game", "classic: the first four wins" if self.game == "classic" else ""),
            ("Format", self.format),
            ("Openings", self.openings),
            ("Seed", "" if self.seed is None else str(self.seed)),
            ("Began", self.when),
            *self.settings.items(),
        ]
        return [(label, value) for label, value in known if value]


def event_of(tournament: Tournament, results: Mapping[int, Result], when: str = "", isolation: str = "") -> Event:
    """What a report says of a tournament."""
    rules = tournament.rules
    settings = {"A fault": ON_FAULT.get(rules.on_fault, rules.on_fault)}
    if rules.adjudicate:
        settings["Adjudicated"] = f"with {rules.adjudicate} empty cells"
    limits = {entrant.limits for entrant in tournament.entrants if entrant.command}
    if len(limits) == 1:
        settings["Limits of a move"] = _in_words(*limits)
    if isolation:
        settings["Isolation"] = isolation
    test = sequential_test(tournament, results)
    if test is not None:
        settings["Sequential test"] = str(test)
    rounds = f", {how_many(tournament.rounds, 'round')}" if tournament.rounds else ""
    return Event(
        tournament.title,
        rules.game,
        format=tournament.format + rounds,
        openings=_openings(tournament.openings),
        seed=rules.seed,
        when=when,
        entrants=tournament.entrants,
        settings=settings,
    )


def _openings(openings: tuple[str, ...]) -> str:
    plies = sorted({len(opening) for opening in openings})
    if plies in ([], [0]):
        return "the empty board"
    count = how_many(len(openings), "opening")
    if plies == [1]:
        return f"{count} of one ply"
    return f"{count} of {plies[0]} plies" if len(plies) == 1 else f"{count} of {plies[0]} to {plies[-1]} plies"


def _in_words(limits: Limits) -> str:
    return f"{limits.seconds:g} s, {limits.cpu_seconds:g} s of CPU time, {limits.memory >> 20:,} MiB"


def how_it_plays(entrant: Entrant) -> str:
    """A player's settings or command on one line; not its environment, which may hold what is nobody's business."""
    built_in = entrant.built_in
    if built_in is None:
        return entrant.command_line
    if built_in.kind == "depth":
        return f"built in: {built_in.depth} plies ahead, evaluation {built_in.evaluation}"
    if built_in.kind == "time":
        return f"built in: {built_in.seconds:g} s a move, evaluation {built_in.evaluation}"
    kind = f"level {built_in.level}" if built_in.kind == "level" else built_in.kind
    return f"built in: {kind}" if built_in.seed is None else f"built in: {kind}, seed {built_in.seed}"
