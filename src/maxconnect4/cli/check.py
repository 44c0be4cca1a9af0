"""Check an external program: legal moves, correct minimax, strength, robustness and CPU time.

The command is one argument, in quotes. Its placeholders are {in} and {out} for the files, {depth}, {player} and {game};
'one-move {in} {out} {depth}' is appended to a command without placeholders. Each move runs in a new folder with the
files that the command names; --folder adds all files of a folder. The new folder is deleted after the move. Words such
as NAME=value before the command are environment variables.

ok: as required. note: accepted in a match, or not relevant there. FAIL: the program loses games or hangs, its search is
not minimax, or the check was skipped for such a reason; the exit status is then 4. Details of the output format, such
as line endings, are listed once, at the end.

Correct minimax: at a depth that reaches the end of the game, minimax makes no mistake. Imperfect moves are reported
with a counterexample. Points: legal moves 40, correct minimax 25, strength 20, robustness 15.

--against also plays whole games, with both colours, against a baseline player. A program that wins nine out of ten
games beats it consistently. A program that wins fewer games fails the check only if it loses a game by a fault.

Examples:
  maxconnect4 check ./program
  maxconnect4 check 'java MaxConnect4' --folder ada --depth 8
  maxconnect4 check 'python3 player.py --rules={game}' --game classic
  maxconnect4 check 'python3 player.py {in} {out} {depth}' --positions 100
  maxconnect4 check ./program --gradescope results/results.json --against random
"""

from __future__ import annotations

import json
import re
import shlex
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from typing import Any

from ..errors import BadSetup, quote
from ..files import check_writable
from ..referee import sandbox
from ..referee.conformance import (
    BASELINE_GAMES,
    BASELINE_SEED,
    FAILED,
    GROUPS,
    NOTED,
    PASSED,
    BaselineResult,
    CheckResult,
    ConformanceReport,
    baseline_games,
    check,
)
from ..referee.isolation import isolation_for
from ..referee.move_validation import COSMETIC, NOTES
from ..referee.players import parse_player
from ..referee.program_files import PREFIX
from ..referee.search_checks import MinimaxResult
from . import NOT_CONFORMING, UsageError, options
from .output import STANDARD_OUTPUT, Output
from .progress import ProgressBar
from .terminal import Screen

MARKS = {PASSED: "ok", NOTED: "note", FAILED: "FAIL"}
LINES_SHOWN = 6  # the last of what a program printed when it failed
#: What differs from one failure to the next that is the same: the folder, an address, seconds.
VARYING_TEXT = re.compile(rf"{PREFIX}[\w-]+|0x[0-9a-fA-F]+|\d+\.\d+")


def report_text(report: ConformanceReport) -> str:
    player = report.player
    game = "" if report.game == "max" else ", in the classic game"
    lines = [f"{player.name}: {_plain(player.command_line)}{game}", *map(_plain, report.remarks)]
    printed: dict[str, str] = {}
    for group in GROUPS:
        checks = [each for each in report.checks if each.group == group]
        lines += ["", group] if checks else []
        for each in checks:
            lines += _check_lines(each, printed)
    notes = report.notes()
    if notes:
        lines += ["", "Notes"]
        for kind, count in notes.items():
            lines.append(f"  {kind}, {'once' if count == 1 else f'{count} times'}: {NOTES[kind]}")
    if report.speeds:
        lines += ["", "CPU time of a move from the empty board"]
        for speed in report.speeds:
            lines.append(f"  depth {speed.depth:>2}  {speed.cpu_seconds:7.2f} s  {speed.fault or ''}".rstrip())
    if report.strength is not None:
        lines += ["", _strength_text(report)]
    if report.games is not None and report.games.played:
        lines += ["", games_text(report.games)]
    failed, noted = report.count(FAILED), report.count(NOTED)
    points = report.points()
    total = f"{sum(earned for _, earned, _ in points):.1f} of {sum(most for *_, most in points):g} points"
    lines += ["", f"{failed} of {len(report.checks)} checks failed, {noted} with a note: {total}."]
    return "\n".join(lines)


def _check_lines(each: CheckResult, printed: dict[str, str]) -> list[str]:
    """The lines of a check. Evidence that was `printed` before, by the name of its check, is not repeated."""
    marked = [kind for kind in dict.fromkeys(each.notes) if kind not in COSMETIC]
    detail = _plain(each.detail) + (f" ({', '.join(marked)})" if marked else "")
    evidence = [f"        {remark}" for remark in each.remarks]
    if each.counterexample is not None:
        evidence.append(f"        {each.counterexample}")
    if each.result == FAILED:
        lines = [line for line in each.printed.splitlines() if line.strip()]
        shown = [f"        | {_plain(line)}" for line in lines[-LINES_SHOWN:]]
        alike = VARYING_TEXT.sub("", "\n".join(shown))
        all_alike = VARYING_TEXT.sub("", "\n".join([detail, *shown]))
        kind, colon, _ = detail.partition(": ")
        if all_alike in printed and colon:
            name = printed[all_alike]
            detail = f"{kind}: the same" + ("" if name == next(reversed(printed.values())) else f" as {name}")
        if alike not in printed:
            evidence += shown
        printed.setdefault(alike, each.name)
        printed.setdefault(all_alike, each.name)
    return [f"  {MARKS[each.result]:<4}  {each.name}: {detail}", *evidence]


def _strength_text(report: ConformanceReport) -> str:
    assert report.strength is not None
    strength = report.strength
    where = f"over {len(strength.regrets)} positions, at most {strength.regret.worst}"
    text = f"{strength.regret.perfect_share:.0%} of the moves were perfect"
    if strength.kept_share is not None:
        text += f" and {strength.kept_share:.0%} kept the result"
    return f"Strength: {text}; mean regret {strength.regret.mean:.2f} {where}."


def games_text(games: BaselineResult) -> str:
    """The result of the games against a baseline player."""
    return f"Against {games.opponent}: {games.summary_text()}: {games.verdict()}."


def _plain(text: str) -> str:
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def report_dict(report: ConformanceReport) -> dict[str, Any]:
    points = report.points()
    return {
        "name": report.player.name,
        "game": report.game,
        "command": list(report.player.command),
        "depth": report.player.depth,
        "isolation": isolation_for(report.player.limits.isolation).name,
        "passed": report.passed,
        "points": round(sum(earned for _, earned, _ in points), 2),
        "max_points": round(sum(most for *_, most in points), 2),
        "remarks": report.remarks,
        "checks": [_check_dict(each) for each in report.checks],
        "notes": report.notes(),
        "speed": [
            {"depth": speed.depth, "cpu_seconds": round(speed.cpu_seconds, 4), "fault": speed.fault}
            for speed in report.speeds
        ],
        "pruning": None if report.pruning is None else asdict(report.pruning),
        "minimax": [_minimax_dict(each) for each in report.minimax],
        "strength": _strength_dict(report),
        "games": None if report.games is None else report.games.to_dict(),
        "seconds": round(report.seconds, 3),
    }


def _check_dict(each: CheckResult) -> dict[str, Any]:
    names = ("group", "name", "result", "detail", "fault", "printed", "remarks", "input", "depth")
    return {
        **{name: getattr(each, name) for name in names},
        "notes": list(dict.fromkeys(each.notes)),
        "weight": each.weight,
        "share": round(each.earned, 4),
        "counterexample": None if each.counterexample is None else asdict(each.counterexample),
    }


def _minimax_dict(each: MinimaxResult) -> dict[str, Any]:
    names = ("depth", "tried", "perfect", "kept", "faults", "is_one_ply_short")
    return {
        **{name: getattr(each, name) for name in names},
        "share": round(each.share, 4),
        "chance": round(each.chance, 4),
    }


def _strength_dict(report: ConformanceReport) -> dict[str, Any] | None:
    if report.strength is None:
        return None
    strength = report.strength
    return {
        "positions": len(strength.regrets),
        "regret": sum(strength.regrets),
        "mean": round(strength.regret.mean, 4),
        "worst": strength.regret.worst,
        "perfect_share": round(strength.regret.perfect_share, 4),
        "kept_share": None if strength.kept_share is None else round(strength.kept_share, 4),
        "chance": None if strength.chance is None else round(strength.chance, 4),
    }


def gradescope_results(report: ConformanceReport) -> str:
    """The results.json of Gradescope's autograder: the points of each check."""
    tests = []
    for each, earned, most in report.points():
        notes = [f"{kind}: {NOTES[kind]}" for kind in dict.fromkeys(each.notes)]
        example = () if each.counterexample is None else (str(each.counterexample),)
        output = [f"{MARKS[each.result]}: {each.detail}", *notes, *each.remarks, *example, each.printed]
        tests.append(
            {
                "name": f"{each.group}: {each.name}",
                "score": round(earned, 2),
                "max_score": round(most, 2),
                "status": FAILED if each.result == FAILED else PASSED,
                "output": "\n".join(output).strip(),
                "output_format": "text",
            }
        )
    results = {
        "score": round(sum(earned for _, earned, _ in report.points()), 2),
        "execution_time": round(report.seconds),
        "output": report_text(report),
        "output_format": "text",
        "tests": tests,
    }
    return json.dumps(results, indent=1) + "\n"


MAX_DEPTH, MAX_POSITIONS, MAX_GAMES = 42, 10_000, 10_000


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("program", metavar="command", help="command of the program, in quotes")
    options.add_depth(parser)
    options.add_game(parser)
    parser.add_argument(
        "--folder", metavar="FOLDER", help="folder of the program, whose files appear in its working folder"
    )
    options.add_seconds(parser)
    options.add_program_memory(parser)
    options.add_isolation(parser)
    options.add_number(
        parser,
        "--deepest",
        options.number("a number of plies", 0, MAX_DEPTH),
        "largest depth at which to measure the CPU time: 1, 2, 4 and so on, as long as a move takes at most 5 s "
        "(default: 8)",
        8,
    )
    options.add_number(
        parser,
        "--positions",
        options.number("a number of positions", 0, MAX_POSITIONS),
        "number of middle-game positions to measure the regret on; the opening, the endgame and minimax use at most "
        "14, 22 and 20 (default: 40)",
        40,
    )
    parser.add_argument("--against", metavar="PLAYER", help="also play games against this player, such as random")
    options.add_number(
        parser,
        "--games",
        options.number("a number of games", 1, MAX_GAMES),
        f"number of these games, with alternating colours (default: {BASELINE_GAMES})",
    )
    options.add_number(parser, "--seed", options.seed_from, f"random seed of these games (default: {BASELINE_SEED})")
    parser.add_argument("--json", action="store_true", help="print one line of JSON instead of the report")
    parser.add_argument("--gradescope", metavar="FILE", help="write the results for Gradescope's autograder")


def check_arguments(args: Namespace) -> None:
    for name in ("games", "seed"):
        if args.against is None and getattr(args, name) is not None:
            raise UsageError(f"--{name} is for games against a player: add --against PLAYER")


def run(args: Namespace, screen: Screen) -> int:
    text = args.program if args.folder is None else f"folder={shlex.quote(args.folder)} {args.program}"
    limits = options.limits_from_args(args)
    player = parse_player(text, args.depth, limits, args.game)
    if player.built_in is not None:
        raise BadSetup(f"{quote(args.program)} is a built-in player: check takes the command of a program")
    setups = []
    if args.against is not None:
        opponent = parse_player(args.against, args.depth, limits, args.game)
        seed = BASELINE_SEED if args.seed is None else args.seed
        setups = baseline_games(player, opponent, args.games or BASELINE_GAMES, seed, args.game)
    if args.gradescope is not None:
        check_writable(args.gradescope)
    options.report_isolation([player])
    sandbox.become_subreaper()
    sandbox.exit_on_signals()
    with ProgressBar(None, "steps") as bar:
        report = check(
            player,
            deepest=args.deepest,
            positions=args.positions,
            setups=setups,
            progress=lambda done, total, what: bar.update(done, what, total),
            game=args.game,
        )
    if args.json:
        screen.print_json(report_dict(report))
    else:
        screen.print(report_text(report))
    if args.gradescope is not None:
        output = Output(screen, [STANDARD_OUTPUT] if args.json else [])
        output.write(args.gradescope, gradescope_results(report))
    return 0 if report.passed else NOT_CONFORMING
