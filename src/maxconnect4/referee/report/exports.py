"""Exports of games: a format like PGN (Portable Game Notation), JSON Lines, CSV and transcripts."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from textwrap import indent, wrap
from typing import Any

from ...board import GREEN, NAMES, RED
from ...files import make_folder, write_atomic
from ...formatting import format_cpu_time
from ...notation import board_from_moves
from ...safe_text import csv_table, file_names, lines, one_line
from ..game import PlayedGame, ScheduledGame
from ..move_validation import Fault, Note
from ..standings import Standing
from .data import Event, player_text

WIDTH = 80
RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1", None: "*"}


def games_pgn(event: Event, results: Iterable[PlayedGame]) -> str:
    """All games, separated by blank lines. The solver's moves follow those of the players after a comment."""
    return "\n".join(_pgn_game(event, played) for played in results)


def _pgn_game(event: Event, played: PlayedGame) -> str:
    game, result = played.game, played.result
    red_cpu, green_cpu = (sum(played.of_player(player, result.cpu)) for player in (RED, GREEN))
    tags = {
        "Event": event.title,
        "Date": _date(event.began),
        "Round": f"{game.round}",
        "Game": f"{game.number}",
        "Red": game.red,
        "Green": game.green,
        "Variant": event.game,
        "Result": RESULTS[result.score],
        "Points": f"{result.points[0]}-{result.points[1]}",
        "Opening": game.opening,
        "Termination": result.ending,
        "RedCPU": f"{red_cpu:.3f}",
        "GreenCPU": f"{green_cpu:.3f}",
    }
    if event.game == "classic":
        del tags["Points"]
    head = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in tags.items())
    return (
        head + "\n" + "\n".join(wrap(_movetext(played), WIDTH, break_long_words=False, break_on_hyphens=False)) + "\n"
    )


def _movetext(played: PlayedGame) -> str:
    result = played.result
    words = []
    for index, column in enumerate(result.moves + result.line):
        if index == len(result.moves):
            words.append("{adjudicated: moves of the solver}")
        if index % 2 == 0:
            words.append(f"{index // 2 + 1}.")
        words.append(column)
    for fault in result.faults:
        words.append(f"{{{NAMES[fault.player]}: {_comment(fault.kind)}: {_comment(fault.detail)}}}")
    return " ".join([*words, RESULTS[result.score]])


def _date(began: str) -> str:
    found = re.match(r"(\d{4})-(\d\d)-(\d\d)", began)
    return ".".join(found.groups()) if found else "????.??.??"


def _quoted(text: str) -> str:
    return one_line(text).replace("\\", "\\\\").replace('"', '\\"')


def _comment(text: str) -> str:
    return one_line(text).replace("{", "(").replace("}", ")")


def games_jsonl(results: Iterable[PlayedGame], variant: str = "max") -> str:
    """One JSON object per line for each game, in ASCII, which preserves the output of programs exactly."""
    return "".join(json.dumps(record(played, variant)) + "\n" for played in results)


def record(played: PlayedGame, variant: str) -> dict[str, Any]:
    """A game with its result, CPU times, regrets, faults and notes, as JSON."""
    game, result = played.game, played.result
    return {
        **asdict(game),
        "game": variant,
        "moves": result.moves,
        "line": result.line,
        "ending": result.ending,
        "score": result.score,
        "points": result.points if variant == "max" else None,
        "cpu": result.cpu,
        "seconds": result.seconds,
        "regrets": result.regrets,
        "faults": [_of_player(game, fault) for fault in result.faults],
        "notes": [_of_player(game, note) for note in result.notes],
    }


def _of_player(game: ScheduledGame, remark: Fault | Note) -> dict[str, Any]:
    return {**asdict(remark), "player": NAMES[remark.player], "name": game.name(remark.player)}


STANDINGS = (
    *("rank", "by", "name", "games", "wins", "draws", "losses", "score", "points_for", "points_against"),
    *("rating", "rating_bar", "margin", "margin_low", "margin_high", "cpu", "most_cpu", "regret", "notes"),
)
GAMES = (
    *("number", "round", "pair", "red", "green", "result", "score", "red_points", "green_points", "ending"),
    *("opening", "moves", "line", "red_cpu", "green_cpu", "seconds", "red_regret", "green_regret", "faults", "notes"),
)


def standings_csv(standings: Iterable[Standing]) -> str:
    """The standings as CSV: a row for each player, with a column for each kind of fault."""
    standings = list(standings)
    kinds = sorted({kind for standing in standings for kind in standing.faults})
    rows = ([*_standing(standing), *(standing.faults.get(kind, 0) for kind in kinds)] for standing in standings)
    return csv_table([*STANDINGS, *(f"faults: {kind}" for kind in kinds)], rows)


def games_csv(results: Iterable[PlayedGame], variant: str = "max") -> str:
    """The games as CSV. Moves are separated by blanks, as a spreadsheet would round a number with 42 digits."""
    return csv_table(GAMES, (_csv_game(played, variant) for played in results))


def _standing(standing: Standing) -> list[object]:
    rating, margin = standing.rating, standing.margin
    return [
        *(standing.rank, standing.merit, standing.name, standing.games, standing.wins, standing.draws, standing.losses),
        *(standing.score, standing.points_for, standing.points_against),
        *((None, None) if rating is None else (round(rating.elo, 2), round(rating.bar, 2))),
        *(_rounded(number) for number in (margin.mean, margin.low, margin.high)),
        *(_rounded(number) for number in (standing.cpu_seconds, standing.max_cpu_seconds, standing.regret)),
        sum(standing.notes.values()),
    ]


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 6)


def _csv_game(played: PlayedGame, variant: str) -> list[object]:
    game, result = played.game, played.result
    points = result.points if variant == "max" else (None, None)
    regrets = played.regrets()
    known = None if regrets is None else [each or 0 for each in regrets]
    regret = [None if known is None else sum(played.of_player(player, known)) for player in (RED, GREEN)]
    faults = "; ".join(f"{game.name(fault.player)}: {fault.kind}" for fault in result.faults)
    return [
        *(game.number, game.round, game.pair, game.red, game.green),
        *(RESULTS[result.score], result.score, *points, result.ending),
        *(" ".join(game.opening), " ".join(result.moves), " ".join(result.line)),
        *(f"{sum(played.of_player(player, result.cpu)):.6f}" for player in (RED, GREEN)),
        f"{result.seconds:.3f}",
        *regret,
        *(faults, len(result.notes)),
    ]


PIECES = str.maketrans("12", "OX")


def save_transcripts(
    folder: str, event: Event, standings: Sequence[Standing], results: Sequence[PlayedGame]
) -> list[str]:
    """Write a transcript for each player to a folder, which is created if missing. Returns the paths of the files."""
    make_folder(folder)
    names = file_names([standing.name for standing in standings])
    paths = []
    for standing in standings:
        path = os.path.join(folder, names[standing.name])
        write_atomic(path, transcript(event, standing, results).encode())
        paths.append(path)
    return paths


def transcript(event: Event, standing: Standing, results: Iterable[PlayedGame]) -> str:
    """The games of one player as text, with board diagrams."""
    name = standing.name
    own = [played for played in results if name in (played.game.red, played.game.green)]
    head = [one_line(name), one_line(event.title)]
    head += [f"{one_line(label)}: {one_line(value, 1000)}" for label, value in event.labels()]
    head += [f"Plays: {one_line(player_text(each), 1000)}" for each in event.players if each.name == name]
    head.append("")
    head.append(
        f"Rank {standing.rank}{' by ' * bool(standing.merit)}{standing.merit}: "
        f"{standing.score:g} of {standing.games} games; "
        f"won {standing.wins}, drawn {standing.draws}, lost {standing.losses}"
        + ("." if standing.points_for is None else f"; points {standing.points_for} to {standing.points_against}.")
    )
    if standing.rating is not None:
        head.append(f"Elo {standing.rating.elo:+z.0f} ±{standing.rating.bar:.0f}.")
    head.append(f"CPU time per move: {format_cpu_time(standing.cpu_seconds)}.")
    if standing.regret is not None:
        unit = " points" if event.game == "max" else ""
        head.append(f"Regret: {standing.regret:.2f}{unit}.")
    head += [f"Faults: {count} × {one_line(kind)}." for kind, count in sorted(standing.faults.items())]
    return "\n".join(
        [
            *head,
            "",
            "In the diagrams O is red and X is green.",
            "",
            *(_transcript_of_game(each, name, event.game) for each in own),
        ]
    )


def _transcript_of_game(played: PlayedGame, name: str, variant: str) -> str:
    game, result = played.game, played.result
    colour = played.colour_of(name)
    side = colour - RED
    score = played.score_of(name)
    result_word = {None: "void", 1: "won", 0.5: "drawn", 0: "lost"}[score]
    points = f", points {result.points[side]} to {result.points[1 - side]}" if variant == "max" else ""
    title = f"Game {game.number}, round {game.round}: {NAMES[colour]} against {one_line(game.opponent(name))}"
    text = [title, "-" * len(title), f"{result_word.capitalize()}{points}; {result.ending}."]
    text.append(f"Opening: {game.opening or 'none'}. Moves: {result.moves}")
    if result.line:
        text.append(f"Moves of the solver: {result.line}")
    text.append(indent(str(board_from_moves(result.moves + result.line)).translate(PIECES), "    "))
    text += _own_moves(played, colour)
    for fault in result.faults:
        text += _fault(fault, name if fault.player == colour else "")
    text += _notes(played, colour)
    return "\n".join([*text, "", ""])


def _own_moves(played: PlayedGame, colour: int) -> list[str]:
    """The player's moves with ply, column, CPU time and regret, four per line."""
    result, first, regrets = played.result, len(played.game.opening), played.regrets()
    cells = []
    for index, (mover, seconds) in enumerate(zip(played.movers(), result.cpu, strict=True)):
        if mover == colour and first + index < len(result.moves):  # the last entry may belong to a fault
            regret = regrets[index] if regrets is not None else 0
            cell = f"{first + index + 1:>2}. {result.moves[first + index]} {format_cpu_time(seconds)}"
            cells.append(cell + (f" ({regret})" if regret else ""))
    rows = ["    " + "".join(f"{cell:<24}" for cell in cells[at : at + 4]).rstrip() for at in range(0, len(cells), 4)]
    return [f"Moves by ply: column, CPU time{', (regret)' if regrets is not None else ''}.", *rows] if rows else []


def _fault(fault: Fault, name: str) -> list[str]:
    whose = "Fault" if name else "Fault of the opponent"
    text = [f"{whose}, ply {fault.ply}: {one_line(fault.kind)}: {one_line(fault.detail, 1000)}"]
    named = (("Input file", fault.input), ("Output file", fault.output), ("Printed", fault.printed))
    if name:  # the output of the opponent's program is private
        for label, evidence in named:
            if evidence:
                text += [f"  {label}:", indent(lines(evidence, 20_000).rstrip("\n"), "    | ", lambda _: True)]
    return text


def _notes(played: PlayedGame, colour: int) -> list[str]:
    plies: dict[str, list[int]] = {}
    for note in played.result.notes:
        if note.player == colour:
            plies.setdefault(note.kind, []).append(note.ply)
    return [f"Note: {one_line(kind)}, ply {', '.join(map(str, at))}" for kind, at in plies.items()]
