"""The data of a report: the event, its standings, and the games with their CPU times and faults."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...board import NAMES
from ...errors import BadFile
from ...formatting import plural
from ...safe_text import lines, one_line
from ..game import PlayedGame
from ..game_validation import validated_games
from ..move_validation import Fault, Note
from ..players import PlayerSpec
from ..shared_mistakes import SharedMistakes, mistakes_of_games, shared_mistakes
from ..standings import Standing, cross_table
from ..store import ResultStore, RunMetadata
from ..tournament import Tournament, TournamentResult, sequential_test

ON_FAULT = {"lose": "loses the game", "replace": "is replaced by a random move", "void": "makes the game void"}


@dataclass(frozen=True, slots=True)
class Event:
    """A match or a tournament: its title, format and settings."""

    title: str
    game: str = "max"
    format: str = ""  # such as "round robin, 2 rounds"
    openings: str = ""  # their source, such as "4 random drops"
    seed: int | None = None
    began: str = ""  # the start, such as "2026-11-16 14:05"
    players: tuple[PlayerSpec, ...] = ()
    settings: dict[str, str] = field(default_factory=dict)  # other settings by their labels

    def labels(self) -> list[tuple[str, str]]:
        """All settings except the players, as pairs of a label and a value."""
        known = [
            ("Game", "classic: the first four wins" if self.game == "classic" else ""),
            ("Format", self.format),
            ("Openings", self.openings),
            ("Seed", "" if self.seed is None else str(self.seed)),
            ("Began", self.began),
            *self.settings.items(),
        ]
        return [(label, value) for label, value in known if value]


def event_of(tournament: Tournament, results: Mapping[int, PlayedGame], began: str = "", isolation: str = "") -> Event:
    """The event of a tournament, described for a report."""
    rules = tournament.rules
    settings = {"A fault": ON_FAULT.get(rules.on_fault, rules.on_fault)}
    if rules.adjudicate:
        settings["Adjudicated"] = f"at {rules.adjudicate} empty cells"
    all_limits = {player.limits for player in tournament.players if player.command}
    if len(all_limits) == 1:
        (limits,) = all_limits
        memory = f"{limits.memory >> 20:,} MiB"
        settings["Limits of a move"] = (
            f"{limits.cpu_seconds:g} s of CPU time, {limits.seconds:g} s of wall-clock time, {memory}"
        )
    if isolation:
        settings["Isolation"] = isolation
    test = sequential_test(tournament, results)
    if test is not None:
        settings["Sequential test"] = str(test)
    rounds = f", {plural(tournament.rounds, 'round')}" if tournament.rounds else ""
    return Event(
        tournament.title,
        rules.game,
        format=tournament.format + rounds,
        openings=_openings(tournament.openings),
        seed=rules.seed,
        began=began,
        players=tournament.players,
        settings=settings,
    )


def _openings(openings: tuple[str, ...]) -> str:
    plies = sorted({len(opening) for opening in openings})
    if plies in ([], [0]):
        return "the empty board"
    count = plural(len(openings), "opening")
    if plies == [1]:
        return f"{count} of one ply"
    return f"{count} of {plies[0]} plies" if len(plies) == 1 else f"{count} of {plies[0]} to {plies[-1]} plies"


def player_text(player: PlayerSpec) -> str:
    """A player's settings or command on one line, without its environment, which may be private."""
    built_in = player.built_in
    if built_in is None:
        return player.command_line
    if built_in.kind == "depth":
        return f"built in: depth {built_in.depth}, evaluation {built_in.evaluation}"
    if built_in.kind == "time":
        return f"built in: {built_in.seconds:g} s per move, evaluation {built_in.evaluation}"
    kind = f"level {built_in.level}" if built_in.kind == "level" else built_in.kind
    return f"built in: {kind}" if built_in.seed is None else f"built in: {kind}, seed {built_in.seed}"


def read_results(file: ResultStore) -> tuple[Event, list[Standing], list[PlayedGame]]:
    """Read the event, its standings and the games that count from a results file."""
    metadata = file.metadata_as(RunMetadata)
    if metadata.tournament is None:
        raise BadFile(f"{file.name} has no tournament yet: play its games first")
    with file.stored_values():
        tournament = Tournament.from_dict(metadata.tournament)
        games = validated_games(file, tournament)
        result = TournamentResult.of(tournament, games)
        event = event_of(tournament, games, metadata.began, ", ".join(metadata.isolation))
        return event, result.standings, list(result.results)


@dataclass(frozen=True, slots=True)
class CpuTimes:
    """A player's CPU time in seconds by ply, counted from 1."""

    plies: list[int]
    low: list[float]  # 10th percentile
    middle: list[float]  # median
    high: list[float]  # 90th percentile


def cpu_times_by_ply(places: dict[str, int], results: Iterable[PlayedGame]) -> list[CpuTimes]:
    """The CPU times of each player, in the order of the standings."""
    taken: list[defaultdict[int, list[float]]] = [defaultdict(list) for _ in places]
    for played in results:
        opening = len(played.game.opening)
        movers = places[played.game.red], places[played.game.green]
        for ply, seconds in enumerate(played.result.cpu, start=opening):
            taken[movers[ply % 2]][ply + 1].append(seconds)
    return [_spread(by_ply) for by_ply in taken]


def _spread(by_ply: dict[int, list[float]]) -> CpuTimes:
    plies = sorted(by_ply)
    ordered = [sorted(by_ply[ply]) for ply in plies]
    low, middle, high = ([taken[int(len(taken) * share)] for taken in ordered] for share in (0.1, 0.5, 0.9))
    return CpuTimes(plies=plies, low=low, middle=middle, high=high)


#: The names of the values of a game in the data of the page, which its script uses.
FIELDS = (
    *("number", "round", "pair", "red", "green", "opening", "moves", "line", "ending", "score", "points"),
    *("cpu", "regret", "faults", "notes"),
)
FAULTS_SHOWN = 3  # of one kind by one player, with their evidence
MAX_EVIDENCE_OF_FAULT = 5_000  # characters, more than the stored output of a program
MAX_EVIDENCE = 1_500_000  # characters in total, which limits the size of the page


@dataclass(frozen=True, slots=True)
class FaultEntry:
    """A fault, with its evidence unless earlier faults have reached the size limit."""

    game: int
    player: int  # in the order of the standings
    colour: str
    opponent: int
    kind: str
    ply: int
    detail: str
    evidence: list[tuple[str, str]]  # labels and texts
    shown: bool


@dataclass(frozen=True, slots=True)
class ReportData:
    """The data of the page. Players are given as their places in the standings, from 0."""

    title: str
    game: str  # "max" or "classic"
    about: list[tuple[str, str]]
    names: list[str]
    players: list[tuple[str, str]]  # names, and settings or commands
    standings: list[Standing]
    cross: list[dict[int, tuple[float, int]]]  # score and games of each player against each other
    times: list[CpuTimes]
    games: list[list[Any]]  # rows of FIELDS
    faults: list[FaultEntry]
    mistakes: list[SharedMistakes] | None = None  # of pairs of programs; None without two programs or a review


def report_data(event: Event, standings: Sequence[Standing], results: Sequence[PlayedGame]) -> ReportData:
    """Collect the data of the page from an event, its standings and its games."""
    places = {standing.name: place for place, standing in enumerate(standings)}
    return ReportData(
        title=one_line(event.title),
        game=event.game,
        about=[(one_line(label), one_line(value, 1000)) for label, value in event.labels()],
        names=[one_line(standing.name) for standing in standings],
        players=[(one_line(spec.name), one_line(player_text(spec), 1000)) for spec in event.players],
        standings=list(standings),
        cross=_cross(places, results),
        times=cpu_times_by_ply(places, results),
        games=[_row(places, played) for played in results],
        faults=_faults(places, results),
        mistakes=_shared_mistakes(event, results),
    )


def _shared_mistakes(event: Event, results: Sequence[PlayedGame]) -> list[SharedMistakes] | None:
    programs = {player.name for player in event.players if player.command}
    is_reviewed = any(played.result.regrets is not None for played in results)
    if len(programs) < 2 or not is_reviewed:
        return None
    return [
        replace(pair, first=one_line(pair.first), second=one_line(pair.second))
        for pair in shared_mistakes(mistakes_of_games(results, event.game), programs)
    ]


def _row(places: dict[str, int], played: PlayedGame) -> list[Any]:
    game, result = played.game, played.result
    return [
        *(game.number, game.round, game.pair, places[game.red], places[game.green]),
        *(len(game.opening), result.moves, result.line, result.ending, result.score, result.points),
        [_three_digits(1000 * seconds) for seconds in result.cpu],  # milliseconds are the shortest in JSON
        played.regrets(),
        _grouped(result.faults),
        _grouped(result.notes),
    ]


def _grouped(remarks: Iterable[Fault | Note]) -> list[tuple[str, int, list[int], str]]:
    """Group faults or notes by kind and player, with all plies and the first detail."""
    groups: dict[tuple[str, int], list[Fault | Note]] = {}
    for remark in remarks:
        groups.setdefault((remark.kind, remark.player), []).append(remark)
    return [
        (one_line(kind), player, [remark.ply for remark in alike], one_line(getattr(alike[0], "detail", "")))
        for (kind, player), alike in groups.items()
    ]


def _three_digits(number: float) -> float:
    if number <= 0 or not math.isfinite(number):
        return 0
    rounded = round(number, 2 - math.floor(math.log10(number)))
    return int(rounded) if rounded >= 100 else rounded


def _cross(places: dict[str, int], results: Sequence[PlayedGame]) -> list[dict[int, tuple[float, int]]]:
    table: list[dict[int, tuple[float, int]]] = [{} for _ in places]
    for (one, other), meeting in cross_table(results, list(places)).items():
        if meeting.games:
            table[places[one]][places[other]] = meeting.score, meeting.games
    return table


def _faults(places: dict[str, int], results: Iterable[PlayedGame]) -> list[FaultEntry]:
    alike: Counter[tuple[str, str]] = Counter()
    left = MAX_EVIDENCE
    found = []
    for played in results:
        for fault in played.result.faults:
            name = played.game.name(fault.player)
            alike[name, fault.kind] += 1
            evidence = _evidence(fault) if left > 0 and alike[name, fault.kind] <= FAULTS_SHOWN else None
            left -= sum(len(text) for _, text in evidence or ())
            found.append(
                FaultEntry(
                    game=played.game.number,
                    player=places[name],
                    colour=NAMES[fault.player],
                    opponent=places[played.game.opponent(name)],
                    kind=one_line(fault.kind),
                    ply=fault.ply,
                    detail=one_line(fault.detail),
                    evidence=evidence or [],
                    shown=evidence is not None,
                )
            )
    return sorted(found, key=lambda fault: (fault.player, fault.kind, fault.game))


def _evidence(fault: Fault) -> list[tuple[str, str]]:
    named = (("input file", fault.input), ("output file", fault.output), ("printed", fault.printed))
    return [(label, lines(text, MAX_EVIDENCE_OF_FAULT)) for label, text in named if text]
