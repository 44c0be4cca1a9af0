"""Check a program that makes moves from a file to a file: are they legal, what do they cost, how good are they?

The command is one word, in quotes. A command without a place for a file gets the words of the assignment at its end,
one-move {in} {out} {depth}; one with places, such as {in}, {out}, {depth} and {player}, is run as it is. The program
runs in a fresh folder for every move, which is thrown away, with links to what the command names; --folder brings all
files of a folder. Words such as NAME=value before the command are variables of its environment.

ok is what should be; note is what a match puts up with, or what it does not bring about; FAIL is what loses games, or
hangs, or was not tried because of that, and the exit code then is 4. How a good move is written, such as its line ends,
does not count, and is told once at the end.

--against also plays whole games, each colour in turn, against a player that is known to be weak. To beat it
consistently is to win nine games of ten; a program that does not is told so, and fails only if it loses by a fault.

Examples:
  maxconnect4 check ./program
  maxconnect4 check 'java MaxConnect4' --folder ada --depth 8
  maxconnect4 check 'python3 player.py {in} {out} {depth}' --positions 100
  maxconnect4 check ./program --gradescope results/results.json --against random
"""

from __future__ import annotations

import re
import shlex

from ..errors import BadEntrant, shown
from ..referee import sandbox, scratch
from ..referee.checking import check
from ..referee.entrants import DEPTH, entrant_from
from ..referee.judging import COSMETIC, NOTES
from ..referee.limits import Limits
from ..referee.opposing import GAMES, SEED, games_against
from ..referee.trials import FAILED, MOVES, NOTED, PASSED, ROBUSTNESS
from ..saving import check_writable, save_whole
from . import NOT_CONFORMING, arguments, solving
from .display import Bar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import Any

    from ..referee.checking import Report
    from ..referee.opposing import Games
    from ..referee.trials import Check
    from .parsing import Arguments, PlainParser
    from .screen import Screen

MARKS = {PASSED: "ok", NOTED: "note", FAILED: "FAIL"}
LINES_SHOWN = 6  # the last of what a program printed when it failed
#: What differs from one failure to the next that is the same: the folder, an address, seconds.
VARYING = re.compile(rf"{scratch.PREFIX}[\w-]+|0x[0-9a-fA-F]+|\d+\.\d+")
DEEPEST, MOST_POSITIONS, MOST_GAMES = 42, 10_000, 10_000


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("program", metavar="command", help="the program and its words, in quotes")
    parser.add_argument(
        "--depth", type=_depth, default=DEPTH, metavar="N", help=f"what {{depth}} stands for (default: {DEPTH})"
    )
    parser.add_argument("--folder", metavar="FOLDER", help="where the program is: it finds all files of the folder")
    parser.add_argument(
        "--seconds",
        type=arguments.seconds_from,
        default=30.0,
        metavar="SECONDS",
        help="the most for a move, by the clock and of CPU time (default: 30)",
    )
    parser.add_argument(
        "--memory", type=solving.bytes_from, default=2 << 30, metavar="BYTES", help="the most for data (default: 2G)"
    )
    parser.add_argument(
        "--deepest",
        type=_depth,
        default=8,
        metavar="N",
        help="measure the CPU time at depths 1, 2, 4 and so on up to this one, as long as a move takes at most 5 s "
        "(default: 8)",
    )
    parser.add_argument(
        "--positions",
        type=_positions,
        default=40,
        metavar="N",
        help="how many positions in the middle of the game show what its moves give away (default: 40)",
    )
    parser.add_argument("--against", metavar="PLAYER", help="play games, too, with a player as in a match: random, say")
    parser.add_argument("--games", type=_games, metavar="N", help=f"how many (default: {GAMES})")
    parser.add_argument("--seed", type=_seed, metavar="N", help=f"of the chance in these games (default: {SEED})")
    parser.add_argument("--json", action="store_true", help="print one line of JSON instead of the report")
    parser.add_argument("--gradescope", metavar="FILE", help="write the results as Gradescope's autograder takes them")


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    for name in ("games", "seed"):
        if args.against is None and getattr(args, name) is not None:
            return f"--{name} is for games: say --against whom, too"
    return None


def run(args: Arguments, screen: Screen) -> int:
    """Try the program on everything, and say what came of it."""
    text = args.program if args.folder is None else f"folder={shlex.quote(args.folder)} {args.program}"
    limits = Limits(seconds=args.seconds, cpu_seconds=args.seconds, memory=args.memory)
    entrant = entrant_from(text, args.depth, limits)
    if entrant.built_in is not None:
        raise BadEntrant(f"{shown(args.program)} is a player of our own: only the command of a program can be checked")
    fixtures = []
    if args.against is not None:
        opponent = entrant_from(args.against, args.depth, limits)
        fixtures = games_against(entrant, opponent, args.games or GAMES, SEED if args.seed is None else args.seed)
    if args.gradescope is not None:
        check_writable(args.gradescope)
    sandbox.adopt_orphans()
    sandbox.end_with_signals()
    with Bar(None) as bar:
        report = check(
            entrant,
            deepest=args.deepest,
            positions=args.positions,
            fixtures=fixtures,
            progress=lambda done, total, what: bar.show(done, what, total),
        )
    if args.json:
        screen.say(_as_json(report))
    else:
        screen.say(_in_words(report))
    if args.gradescope is not None:
        save_whole(args.gradescope, _for_gradescope(report).encode())
    return 0 if report.passed else NOT_CONFORMING


def _in_words(report: Report) -> str:
    entrant = report.entrant
    lines = [f"{entrant.name}: {_plain(entrant.command_line)}"]
    told: dict[str, str] = {}
    for group in (MOVES, ROBUSTNESS):
        lines += ["", group]
        for each in report.checks:
            if each.group == group:
                lines += _check_in_words(each, told)
    notes = report.notes()
    if notes:
        lines += ["", "Notes", *(f"  {kind}, {_times(count)}: {NOTES[kind]}" for kind, count in notes.items())]
    if report.speeds:
        lines += ["", "CPU time of a move from the empty board"]
        for speed in report.speeds:
            lines.append(f"  depth {speed.depth:>2}  {speed.cpu_seconds:7.2f} s  {speed.fault or ''}".rstrip())
    if report.strength is not None:
        lines += ["", _strength_in_words(report)]
    if report.games is not None and report.games.played:
        lines += ["", _games_in_words(report.games)]
    failed, noted = report.count(FAILED), report.count(NOTED)
    lines += ["", f"{failed} of {len(report.checks)} checks failed, {noted} marked note."]
    return "\n".join(lines)


def _check_in_words(each: Check, told: dict[str, str]) -> list[str]:
    """The lines on a check; what has been `told` of a failure, with the name of its check, is not told again."""
    marked = [kind for kind in dict.fromkeys(each.notes) if kind not in COSMETIC]
    detail = _plain(each.detail) + (f" ({', '.join(marked)})" if marked else "")
    evidence: list[str] = []
    if each.result == FAILED:
        printed = [line for line in each.printed.splitlines() if line.strip()]
        evidence = [f"        | {_plain(line)}" for line in printed[-LINES_SHOWN:]]
        alike = VARYING.sub("", "\n".join(evidence))
        all_alike = VARYING.sub("", "\n".join([detail, *evidence]))
        kind, colon, _ = detail.partition(": ")
        if all_alike in told and colon:
            name = told[all_alike]
            detail = f"{kind}: the same" + ("" if name == next(reversed(told.values())) else f" as {name}")
        if alike in told:
            evidence = []
        told.setdefault(alike, each.name)
        told.setdefault(all_alike, each.name)
    return [f"  {MARKS[each.result]:<4}  {each.name}: {detail}", *evidence]


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _strength_in_words(report: Report) -> str:
    assert report.strength is not None
    strength = report.strength
    where = f"over {len(strength.given_away)} positions, {max(strength.given_away)} at the most"
    share = f"{strength.perfect_share:.0%} of the moves were perfect"
    return f"Against perfect play it gave away {strength.mean:.2f} points a move {where}; {share}."


def _games_in_words(games: Games) -> str:
    return f"Against {games.opponent}: {games.in_words()}: {games.verdict()}."


def _plain(text: str) -> str:
    """A text without anything that a terminal might act on."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def _as_json(report: Report) -> str:
    import json

    return json.dumps(
        {
            "name": report.entrant.name,
            "command": list(report.entrant.command),
            "depth": report.entrant.depth,
            "passed": report.passed,
            "checks": [_check_facts(each) for each in report.checks],
            "notes": report.notes(),
            "speed": [
                {"depth": speed.depth, "cpu_seconds": round(speed.cpu_seconds, 4), "fault": speed.fault}
                for speed in report.speeds
            ],
            "strength": _strength_facts(report),
            "games": _games_facts(report.games),
            "seconds": round(report.seconds, 3),
        }
    )


def _check_facts(each: Check) -> dict[str, Any]:
    names = ("group", "name", "result", "detail", "fault", "printed")
    return {**{name: getattr(each, name) for name in names}, "notes": list(dict.fromkeys(each.notes))}


def _strength_facts(report: Report) -> dict[str, Any] | None:
    if report.strength is None:
        return None
    strength = report.strength
    return {
        "positions": len(strength.given_away),
        "given_away": sum(strength.given_away),
        "mean": round(strength.mean, 4),
        "worst": max(strength.given_away),
        "perfect_share": round(strength.perfect_share, 4),
    }


def _games_facts(games: Games | None) -> dict[str, Any] | None:
    from dataclasses import asdict

    return None if games is None else {**asdict(games), "played": games.played, "consistent": games.consistent}


def _for_gradescope(report: Report) -> str:
    """The results.json of its autograder: a point for each check, a note counting as a pass, and one for strength."""
    import json

    tests = []
    for each in report.checks:
        notes = [f"{kind}: {NOTES[kind]}" for kind in dict.fromkeys(each.notes)]
        output = "\n".join([f"{MARKS[each.result]}: {each.detail}", *notes, each.printed]).strip()
        tests.append(_gradescope_test(f"{each.group}: {each.name}", each.result != FAILED, output))
    if report.games is not None:
        name = f"Strength: beats {report.games.opponent} consistently"
        tests.append(_gradescope_test(name, report.games.consistent, _games_in_words(report.games)))
    results = {
        "score": sum(test["score"] for test in tests),
        "execution_time": round(report.seconds),
        "output": _in_words(report),
        "output_format": "text",
        "tests": tests,
    }
    return json.dumps(results, indent=1) + "\n"


def _gradescope_test(name: str, passed: bool, output: str) -> dict[str, Any]:
    return {
        "name": name,
        "score": 1.0 if passed else 0.0,
        "max_score": 1.0,
        "status": PASSED if passed else FAILED,
        "output": output,
        "output_format": "text",
    }


def _depth(text: str) -> int:
    return arguments.whole_number(text, 0, DEEPEST, "plies")


def _positions(text: str) -> int:
    return arguments.whole_number(text, 0, MOST_POSITIONS, "positions")


def _games(text: str) -> int:
    return arguments.whole_number(text, 1, MOST_GAMES, "games")


def _seed(text: str) -> int:
    return arguments.whole_number(text, 0, 10**9 - 1, "a seed")
