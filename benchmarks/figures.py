"""Figures in the documents on the solvers, the book, the cluster, the referee, the levels and the page."""

from __future__ import annotations

from typing import Any

from classic_table import HEAD, classic_rows
from tables import measured, table

from maxconnect4 import board_from_moves
from maxconnect4.board import NAMES
from maxconnect4.board_sizes import solvable_sizes
from maxconnect4.scores import format_signed


def solver(results: dict[str, Any]) -> str:
    empty, two = results["empty"], results["empty"]["two_threads"]
    rows = [
        [
            f"after {row['plies']} plies, {row['positions']} positions",
            f"{row['median_nodes']:,}",
            f"{row['median_seconds']:.4f}",
            f"{row['mean_seconds']:.4f}",
            f"{row['most_seconds']:.3f}",
        ]
        for row in results["scores"]
    ]
    ratio = results["two_threads"]
    return (
        measured(results)
        + f"\nThe value of the empty 7x6 board, one thread, a table of 1 GiB: {empty['nodes']:,} nodes, "
        f"{empty['cpu_seconds']:.3f} s of CPU, median of five.\n"
        "\nThe score of every column and a best line, random positions, one thread, a new solver for each:\n\n"
        + table(["", "median nodes", "median CPU s", "mean CPU s", "most"], rows)
        + "\nTwo threads compared with one thread in the same run, by wall-clock time: for "
        f"{ratio['positions']} positions after {ratio['plies']} plies {ratio['value']:.2f} times as fast for the "
        f"value, and {ratio['scores']:.2f} times for every column; for the empty board {two['ratio']:.2f} times, "
        "because that search is too short to share.\n"
    )


def cluster(results: dict[str, Any]) -> str:
    one, two = results["one_worker"], results["two_workers"]
    rows = [
        [name, row["positions"], f"{row['seconds']:.1f}", f"{row['per_second']:.2f}", f"{row['cpu_seconds']:.1f}"]
        for name, row in (("one worker", one), ("two workers", two))
    ]
    return (
        measured(results)
        + "\nThe same batches of 8-ply positions, all on one machine:\n\n"
        + table(["", "positions", "seconds", "positions per second", "CPU s"], rows)
        + f"\nTwo workers are {results['ratio']:.2f} times as fast as one.\n"
    )


def ten_plies(results: dict[str, Any]) -> str:
    """What a book of ten plies would take: all its positions at what those of a sample have taken."""
    ten = results["ten_plies"]
    each = ten["cpu_seconds"] / ten["positions"]
    hours = ten["all"] * each / 3600
    rows = [
        [f"{cores:,}", f"{hours / cores:.2f}" if cores > 16 else f"{hours / cores:.1f}"] for cores in (1, 2, 16, 128)
    ]
    return (
        f"A book of ten plies has {ten['all']:,} positions to solve. A sample of {ten['positions']} positions, in "
        f"batches from all of them, took {each:.3f} s of CPU time each (measured on {results['date']}: "
        f"{results['machine']}). The whole book therefore takes about {hours:.0f} hours of CPU time.\n\n"
        + table(["cores", "hours"], rows)
    )


def book(results: dict[str, Any]) -> str:
    names = {"random": "random positions with 0 to 41 plies", "games": "positions of games of perfect play"}
    rows = [[f"{results[name]['positions']:,} {text}", *_seconds(results[name])] for name, text in names.items()]
    times = results["lookup"]
    return (
        measured(results)
        + f"\nA lookup takes {times['value']:.0f} microseconds for the value of a position, and {times['scores']:.0f} "
        f"for the score of every column. Opening the book, with its checksum, takes {times['open'] / 1000:.1f} ms.\n"
        "\nCPU seconds for the score of every column, with the book and one thread:\n\n"
        + table(["", "median", "mean", "99th percentile", "maximum"], rows)
    )


def classic_book(results: dict[str, Any]) -> str:
    rows = [
        [f"{found['positions']:,} random positions with {plies} plies", *_seconds(found)]
        for plies, found in results["classic"].items()
    ]
    return (
        measured(results)
        + "\nCPU seconds for the score of every column, with the book, one thread and a new solver each:\n\n"
        + table(["", "median", "mean", "99th percentile", "maximum"], rows)
    )


def _seconds(found: dict[str, Any]) -> list[str]:
    return [f"{found[key]:.4f}" for key in ("median_seconds", "mean_seconds", "p99_seconds", "most_seconds")]


def referee(results: dict[str, Any]) -> str:
    move, match, large = results["move"], results["match"], results["large"]
    return (
        measured(results)
        + f"\n- A move of an external program takes {move['referee_cpu_ms']:.2f} ms of CPU time of the referee, "
        f"including its folder and all checks ({move['moves']:,} moves of a shell script, {move['clock_ms']:.1f} ms "
        f"of wall-clock time each).\n"
        f"- A match of {match['games']:,} games at depth 2, two at a time, takes {match['seconds']:.1f} s: "
        f"{match['per_minute']:,} games per minute.\n"
        f"- In a round robin of {large['players']} players with {large['games']:,} games, scheduling and standings "
        f"take {large['schedule_seconds']:.1f} s in addition to the games. The report takes "
        f"{large['report_seconds']:.1f} s and is a page of {large['report_bytes'] / 1e6:.1f} MB.\n"
    )


def levels(results: dict[str, Any]) -> str:
    text = measured(results)
    for game, title in (("max", "Max-Connect4"), ("classic", "The classic game")):
        rows = [
            [each["level"], f"{each['name']}: {each['description']}", *strength(each, game)]
            for each in results[game]["levels"]
        ]
        given = ["regret"] if game == "max" else []
        searches = ", ".join(f"{each['elo']:,} at depth {each['depth']}" for each in results[game]["searches"])
        text += f"\n{title}, {results[game]['games']:,} games:\n\n"
        head = ["level", "", "score", "rating", *given, "CPU ms"]
        text += table(head, rows, "---", *["---:"] * (len(head) - 2))
        text += f"\nPlain searches are rated {searches}.\n"
    return text


def strength(level: dict[str, Any], game: str) -> list[str]:
    return [
        f"{100 * level['score_against_the_one_below']:.0f} % of {level['games_against_the_one_below']}",
        f"{level['elo']:,} ± {level['bar']}",
        *([f"{level['regret_per_game']:.1f}"] if game == "max" else []),
        f"{level['cpu_ms_per_move']:.1f}",
    ]


def page(results: dict[str, Any]) -> str:
    visit, choice = results["visit"], results["choice"]
    return (
        measured(results) + f"\n- First visit: first paint after {visit['first_paint_ms']} ms, board after "
        f"{visit['board_ms']} ms (medians of {visit['visits']} visits in Chromium with an empty cache). The page "
        f"transfers {visit['transferred_bytes'] / 1000:.0f} kB, {visit['bytes'] / 1000:.0f} kB uncompressed.\n"
        f"- A move of the computer at depth 8 takes {choice['median_ms']:.0f} ms (median), at most "
        f"{choice['most_ms']:.0f} ms, in {choice['positions']} positions of random games.\n" + crowd(results["people"])
    )


def page_slow(results: dict[str, Any]) -> str:
    return (
        measured(results)
        + f"\n- First visit over a link with a latency of {results['latency_ms']} ms: first paint after "
        f"{results['first_paint_ms']:,} ms, board after {results['board_ms']:,} ms (medians of {results['visits']} "
        f"visits in Chromium with an empty cache; the slowest board after {results['slowest_board_ms']:,} ms). "
        f"The board is shown after {results['requests']} requests.\n"
    )


def isolation(results: dict[str, Any]) -> str:
    in_games, single = results["in_games"], results["single"]

    def more(found: dict[str, float], method: str) -> str:
        return f"{found[method]:.1f} ms" if method == "none" else f"{found[method] - found['none']:+.1f} ms"

    rows = [[method, more(in_games, method), more(single, method)] for method in in_games]
    recovery = results["recovery"]
    return (
        measured(results)
        + "\n"
        + table(["isolation", "a move in a game", "a single move"], rows)
        + "\n"
        + f"A killed worker is replaced, and its game repeated, within {recovery['killed']:.1f} s; a worker that is "
        f"stopped with SIGSTOP, within {recovery['stopped']:.1f} s.\n"
    )


#: The budget in seconds of every phase, on two idle cores.
FEEDBACK = {
    "browser": ("install Chromium and bubblewrap", 45),
    "venv": ("create `.venv`, install uv and the build tools", 15),
    "core": ("compile the core, build the wheel", 45),
    "packages": ("download and install the packages", 60),
    "install": ("install the wheel", 5),
    "page_tools": ("install TypeScript and axe-core", 15),
    "verify": ("link `build/verify`", 10),
    "lint": ("ruff, import-linter, mypy, TypeScript, without caches", 45),
    "tests": ("`make test` after all of these", 180),
}


def feedback(results: dict[str, Any]) -> str:
    def seconds(row: dict[str, float]) -> list[str]:
        return [f"{row['seconds']:.0f} s", f"{row['cpu_seconds']:.0f} s"]

    rows = [[words, f"{limit} s", *seconds(results["phases"][name])] for name, (words, limit) in FEEDBACK.items()]
    rows += [
        ["**`make test` in a fresh clone** with Chromium, in parallel", "300 s", *seconds(results["test_fresh"])],
        ["**`make play` in a fresh clone**, up to the address", "60 s", *seconds(results["play"])],
        ["**installation after a change in one Python file**", "5 s", *seconds(results["python_change"])],
    ]
    return measured(results) + "\n" + table(["phase", "budget", "measured", "CPU time"], rows)


def crowd(people: dict[str, Any]) -> str:
    return (
        f"- {people['people']} simulated users play against level {people['level']} for {people['minutes']:g} minutes "
        f"and think for one to two seconds per move, {people['moves']:,} moves in total. The computer's answer to "
        f"a move takes {people['median_ms']:.0f} ms (median), {people['p99_ms']:.0f} ms (99th percentile), and at most "
        f"{people['most_ms']:.0f} ms. The server uses {100 * people['server_cpu_share']:.0f} % of one core; "
        f"{memory(people)}.\n"
    )


def memory(people: dict[str, Any]) -> str:
    taken = people["memory_mb"]
    return (
        f"its memory is {taken['after_a_quarter']:.0f} MB after a quarter of the time, {taken['last']:.0f} MB at the "
        f"end, and at most {taken['most']:.0f} MB"
    )


def classic(results: dict[str, Any]) -> str:
    return measured(results) + f"\nBitBully is version {results['bitbully']}.\n\n" + table(HEAD, classic_rows(results))


def sizes(results: dict[str, Any]) -> str:
    rows = []
    for name, facts in results.items():
        cells = facts["columns"] * facts["rows"]
        if facts["solved"]:
            rows.append(
                [name, cells, format_signed(facts["value"]), f"{facts['nodes']:,}", f"{facts['cpu_seconds']:.2f}"]
            )
        else:
            rows.append([name, cells, "?", "not finished", f"> {facts['seconds']:.0f}"])
    names = [f"{wide}x{high}" for wide, high in solvable_sizes()]
    left = ", ".join(name for name in names if name not in results)
    return table(["columns x rows", "cells", "value", "nodes", "CPU s"], rows) + f"\nNot solved yet: {left}.\n"


def first_moves(scores: list[int]) -> str:
    return table(
        ["column", *map(str, range(1, len(scores) + 1))],
        [["final margin of the first player", *map(format_signed, scores)]],
    )


def perfect_game(review: dict[str, Any]) -> str:
    """A reviewed game: of each move what it scored, and which columns keep the value."""
    rows = []
    board = board_from_moves("")
    for move in review["review"]:
        before = board.points(move["player"])
        board.drop(move["column"])
        scored = board.points(move["player"]) - before
        player = NAMES[move["player"]]
        rows.append([move["number"], player, move["column"], scored or "", " ".join(map(str, sorted(move["best"])))])
    return table(["move", "player", "column", "points", "columns that keep the draw"], rows)
