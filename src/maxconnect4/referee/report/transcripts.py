"""What a teacher hands to a student: a text of all the games of one player, with the evidence for each fault."""

from __future__ import annotations

import os
from textwrap import indent

from ...amounts import time_in_words
from ...board import NAMES, RED
from ...notation import board_from_moves
from ...saving import make_folder, save_whole
from ...writing.file_names import file_names
from ...writing.safe_text import lines, one_line
from .event import how_it_plays

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..games import Fault, Result
    from ..standings import Standing
    from .event import Event

PIECES = str.maketrans("12", "OX")


def save_transcripts(folder: str, event: Event, standings: Sequence[Standing], results: Sequence[Result]) -> list[str]:
    """Write a file for each player into a folder, which is made if it is not there. The paths of the files."""
    make_folder(folder)
    names = file_names([standing.name for standing in standings])
    paths = []
    for standing in standings:
        path = os.path.join(folder, names[standing.name])
        save_whole(path, transcript(event, standing, results).encode())
        paths.append(path)
    return paths


def transcript(event: Event, standing: Standing, results: Iterable[Result]) -> str:
    """The games of one player."""
    name = standing.name
    own = [result for result in results if name in (result.game.red, result.game.green)]
    head = [one_line(name), one_line(event.title)]
    head += [f"{one_line(label)}: {one_line(value, 1000)}" for label, value in event.words()]
    head += [f"Plays: {one_line(how_it_plays(each), 1000)}" for each in event.entrants if each.name == name]
    head.append("")
    head.append(
        f"Rank {standing.rank}{' by ' * bool(standing.merit)}{standing.merit}: "
        f"{standing.score:g} of {standing.games} games; "
        f"won {standing.wins}, drawn {standing.draws}, lost {standing.losses}"
        + ("." if standing.points_for is None else f"; points {standing.points_for} to {standing.points_against}.")
    )
    if standing.rating is not None:
        head.append(f"Elo {standing.rating.elo:+z.0f} ±{standing.rating.bar:.0f}.")
    head.append(f"CPU time a move: {time_in_words(standing.cpu)}.")
    if standing.regret is not None:
        unit = " points" if event.game == "max" else ""
        head.append(f"Regret: {standing.regret:.2f}{unit}.")
    head += [f"Faults: {count} × {one_line(kind)}." for kind, count in sorted(standing.faults.items())]
    return "\n".join(
        [*head, "", "In the drawings O is red and X is green.", "", *(_game(each, name, event.game) for each in own)]
    )


def _game(result: Result, name: str, variant: str) -> str:
    game, played = result.game, result.played
    colour = result.colour_of(name)
    side = colour - RED
    score = result.score_of(name)
    outcome = {None: "void", 1: "won", 0.5: "drawn", 0: "lost"}[score]
    points = f", points {played.points[side]} to {played.points[1 - side]}" if variant == "max" else ""
    title = f"Game {game.number}, round {game.round}: {NAMES[colour]} against {one_line(game.opponent(name))}"
    text = [title, "-" * len(title), f"{outcome.capitalize()}{points}; {played.ending}."]
    text.append(f"Opening: {game.opening or 'none'}. Moves: {played.moves}")
    if played.line:
        text.append(f"The solver played on: {played.line}")
    text.append(indent(str(board_from_moves(played.moves + played.line)).translate(PIECES), "    "))
    text += _own_moves(result, colour)
    for fault in played.faults:
        text += _fault(fault, name if fault.player == colour else "")
    text += _notes(result, colour)
    return "\n".join([*text, "", ""])


def _own_moves(result: Result, colour: int) -> list[str]:
    """The player's moves: ply, column, CPU time, and what it gave away, four to a line."""
    played, first, given_away = result.played, len(result.game.opening), result.given_away()
    cells = []
    for index, (mover, seconds) in enumerate(zip(result.movers(), played.cpu, strict=True)):
        if mover == colour and first + index < len(played.moves):  # the last may have been a fault instead
            lost = given_away[index] if given_away is not None else 0
            cell = f"{first + index + 1:>2}. {played.moves[first + index]} {time_in_words(seconds)}"
            cells.append(cell + (f" (gave {lost})" if lost else ""))
    rows = ["    " + "".join(f"{cell:<24}" for cell in cells[at : at + 4]).rstrip() for at in range(0, len(cells), 4)]
    return ["Moves, by ply: column and CPU time.", *rows] if rows else []


def _fault(fault: Fault, name: str) -> list[str]:
    whose = "Fault" if name else "Fault of the opponent"
    text = [f"{whose}, ply {fault.ply}: {one_line(fault.kind)}: {one_line(fault.detail, 1000)}"]
    named = (("It got", fault.input), ("It wrote", fault.output), ("It printed", fault.printed))
    if name:  # what an opponent's program printed is the opponent's
        for label, evidence in named:
            if evidence:
                text += [f"  {label}:", indent(lines(evidence, 20_000).rstrip("\n"), "    | ", lambda _: True)]
    return text


def _notes(result: Result, colour: int) -> list[str]:
    plies: dict[str, list[int]] = {}
    for note in result.played.notes:
        if note.player == colour:
            plies.setdefault(note.kind, []).append(note.ply)
    return [f"Note: {one_line(kind)}, ply {', '.join(map(str, at))}" for kind, at in plies.items()]
