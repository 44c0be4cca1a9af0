"""Fill in what the documents say of the program itself: its help texts, and every figure that was measured.

The figures come from the results files beside this one, and those of trials that were made once from studies/.

A document marks such a place with `<!-- begin: NAME -->` and `<!-- end -->`; what stands between them is replaced.
Every benchmark runs this after measuring; run it by hand after a change of the help. A test checks that all is fresh.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from classic_table import HEAD, classic_rows

from maxconnect4 import board_from_moves
from maxconnect4.board import NAMES
from maxconnect4.cli.terminal.screen import Screen
from maxconnect4.measuring.published import published_tables
from maxconnect4.referee.programs.judging import FAULTS, NOTES

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"(<!-- begin: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def main() -> None:
    for path in DOCUMENTS:
        before = path.read_text()
        after = filled(before)
        if after != before:
            path.write_text(after)
            print(f"wrote {path.relative_to(ROOT)}")


def filled(text: str) -> str:
    """A document with its marked places up to date."""
    return BLOCK.sub(lambda match: match[1] + block(match[2]) + match[3], text)


def block(name: str) -> str:
    kind, _, rest = name.partition(" ")
    if kind == "board":
        return f"```text\n{drawing(rest)}```\n"
    if kind == "study":
        return study(rest)
    if kind == "help":
        return f"```text\n{help_text(*rest.split())}```\n"
    if kind == "solver":
        return solver(json.loads((Path(__file__).parent / "solver.json").read_text()))
    if kind in ("cluster", "ten-plies"):
        results = json.loads((Path(__file__).parent / "cluster.json").read_text())
        return cluster(results) if kind == "cluster" else ten_plies(results)
    if kind == "sizes":
        return sizes(json.loads((Path(__file__).parent / "solved.json").read_text()))
    if kind == "first-moves":
        return first_moves(json.loads((Path(__file__).parent / "solved.json").read_text())["7x6"]["scores"])
    if kind == "perfect-game":
        return perfect_game(json.loads((Path(__file__).parent / "perfect_game.json").read_text()))
    if kind == "book":
        return book(json.loads((Path(__file__).parent / "book.json").read_text()))
    if kind in ("faults", "notes"):
        kinds = FAULTS if kind == "faults" else NOTES
        return table([kind[:-1], "what happened"], [[f"`{name}`", words] for name, words in kinds.items()], "---")
    if kind == "referee":
        return referee(json.loads((Path(__file__).parent / "referee.json").read_text()))
    if kind == "levels":
        return levels(json.loads((Path(__file__).parent / "levels.json").read_text()))
    if kind == "page":
        return page(json.loads((Path(__file__).parent / "page.json").read_text()))
    if kind == "classic":
        return classic(json.loads((Path(__file__).parent / "classic.json").read_text()))
    if kind == "book-stats":
        return f"```text\n{output('book', 'stats', *rest.split())}```\n"
    results = json.loads((Path(__file__).parent / "results.json").read_text())
    makers = {
        "measured": measured,
        "startup": startup,
        "depths": depths,
        "nodes": nodes,
        "speed": speed,
        "regret": regret,
        "summary": summary,
    }
    return makers[kind](results)


def drawing(moves: str) -> str:
    """The board after some moves, as a pipe gets to see it."""
    board = board_from_moves(moves)
    screen = io.StringIO()
    Screen(screen).show(board)
    return screen.getvalue().rstrip("\n") + "\n"


def help_text(*words: str) -> str:
    return output(*words, "--help")


def output(*words: str) -> str:
    """What a command prints."""
    program = Path(sys.executable).parent / "maxconnect4"
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    return subprocess.run([program, *words], capture_output=True, text=True, check=True, env=environment).stdout


def measured(results: dict[str, Any]) -> str:
    return f"Measured on {results['date']} with `{results['command']}`: {results['machine']}.\n"


def startup(results: dict[str, Any]) -> str:
    times = results["startup"]
    return table(
        ["", "CPU ms"],
        [
            ["`python -c pass`", times["bare_ms"]],
            ["`maxconnect4 one-move` at depth 1", times["one_move_ms"]],
            ["more than bare Python", times["extra_ms"]],
        ],
    )


def depths(results: dict[str, Any]) -> str:
    """CPU time of every evaluation by depth, beside what was published for one of them."""
    by_name = results["depths"]
    published = published_tables()[0].by_depth
    rows = []
    for depth, row in enumerate(by_name["table"]):
        assert row["depth"] == depth
        cells = [f"{each[depth]['cpu_seconds']['median']:.3f}" for each in by_name.values()]
        theirs = published.get(depth)
        share = f"1/{theirs / row['cpu_seconds']['median']:.0f}" if theirs else ""
        rows.append([depth, *cells, theirs or "", share])
    return table(["depth", *(f"`{name}`" for name in by_name), "published, s", "share of it"], rows)


def nodes(results: dict[str, Any]) -> str:
    """Nodes and the branching factor of every evaluation."""
    by_name = results["depths"]
    rows: list[list[Any]] = []
    for depth in range(0, len(by_name["table"]), 4):
        rows.append([depth, *(f"{each[depth]['nodes']:,.0f}" for each in by_name.values())])
    last = [each[-1]["branching"] for each in by_name.values()]
    rows.append([f"branching factor at {len(by_name['table']) - 1}", *(f"{each:.2f}" for each in last)])
    return table(["depth", *(f"`{name}`" for name in by_name)], rows)


def speed(results: dict[str, Any]) -> str:
    rows = [[f"`{name}`", f"{rate / 1e6:.1f}"] for name, rate in results["speed"].items()]
    return table(["evaluation", "million nodes a second"], rows)


def regret(results: dict[str, Any]) -> str:
    text = ""
    for half, title in (("reported", "Reported half"), ("looked_at", "The other half")):
        chosen = results["regret"][half]
        names = [row["depth"] for row in chosen["best"]]
        rows = [[f"`{name}`", *(f"{row['regret']['mean']:.3f}" for row in each)] for name, each in chosen.items()]
        text += f"{title}, by depth:\n\n" + table(["evaluation", *names], rows) + "\n"
    return text.rstrip("\n") + "\n"


def summary(results: dict[str, Any]) -> str:
    published = published_tables()[0].by_depth
    seconds = {row["depth"]: row["cpu_seconds"]["median"] for row in results["depths"]["table"]}
    at_four = {name: rows[3]["regret"]["mean"] for name, rows in results["regret"]["reported"].items()}
    others = min(mean for name, mean in at_four.items() if name != "best")
    return (
        f"- Depth 12 from the empty board in {seconds[12]:.3f} s of CPU, depth 16 in {seconds[16]:.3f} s, start-up "
        f"included: the published table of a typical program has {published[12]:.1f} s and {published[16]:.0f} s.\n"
        f"- A move at depth 1 costs {results['startup']['extra_ms']:.0f} ms more than starting Python.\n"
        f"- At depth 4 it gives away {at_four['best']:.3f} points a move; "
        f"the best of the evaluations that such programs use gives away {others:.3f}.\n"
    )


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
        + "\nTwo threads, by the clock, each beside one thread in the same run: "
        f"{ratio['positions']} positions after {ratio['plies']} plies {ratio['value']:.2f} times as fast for the "
        f"value, {ratio['scores']:.2f} times for every column; the empty board {two['ratio']:.2f} times, "
        "too short a search to share.\n"
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
        + table(["", "positions", "seconds", "positions a second", "CPU s"], rows)
        + f"\nTwo workers do {results['ratio']:.2f} times as much as one.\n"
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
        f"A book of ten plies has {ten['all']:,} positions to solve. {ten['positions']} of them, in batches from all "
        f"over the layer, took {each:.3f} s of CPU each (measured on {results['date']}: {results['machine']}): "
        f"that makes {hours:.0f} hours of CPU in all.\n\n" + table(["cores", "hours"], rows)
    )


def book(results: dict[str, Any]) -> str:
    names = {"random": "random positions with 0 to 41 plies", "games": "positions of games of perfect play"}
    rows = [
        [
            f"{found['positions']:,} {names[name]}",
            *(f"{found[key]:.4f}" for key in ("median_seconds", "mean_seconds", "p99_seconds", "most_seconds")),
        ]
        for name in names
        for found in [results[name]]
    ]
    times = results["lookup"]
    return (
        measured(results)
        + f"\nThe value of a position is looked up in {times['value']:.0f} microseconds, the score of every column in "
        f"{times['scores']:.0f}; opening the book, with its checksum, takes {times['open'] / 1000:.1f} ms.\n"
        f"\nThe score of every column, book included, by the clock with {results['threads']} threads:\n\n"
        + table(["seconds", "median", "mean", "99th percentile", "most"], rows)
    )


def referee(results: dict[str, Any]) -> str:
    move, match, large = results["move"], results["match"], results["large"]
    return (
        measured(results)
        + f"\n- A move of a foreign program costs the referee {move['referee_cpu_ms']:.2f} ms of CPU, its fresh folder "
        f"and all checks included ({move['moves']:,} moves of a shell script, {move['clock_ms']:.1f} ms each by the "
        f"clock).\n"
        f"- A match of {match['games']:,} games at depth 2, two at a time, takes {match['seconds']:.1f} s: "
        f"{match['per_minute']:,} games a minute.\n"
        f"- A round robin of {large['players']} players, {large['games']:,} games: besides the play it takes "
        f"{large['schedule_seconds']:.1f} s to schedule them and to print the standings, and "
        f"{large['report_seconds']:.1f} s to make the report, a page of {large['report_bytes'] / 1e6:.1f} MB.\n"
    )


def levels(results: dict[str, Any]) -> str:
    text = measured(results)
    for game, title in (("max", "Max-Connect4"), ("classic", "The classic game")):
        rows = [
            [
                each["level"],
                f"{each['name']}: {each['description']}",
                *strength(each, game),
            ]
            for each in results[game]["levels"]
        ]
        given = ["given away"] if game == "max" else []
        searches = ", ".join(f"{each['elo']:,} at depth {each['depth']}" for each in results[game]["searches"])
        text += f"\n{title}, {results[game]['games']:,} games:\n\n"
        head = ["level", "", "score", "rating", *given, "CPU ms"]
        text += table(head, rows, "---", *["---:"] * (len(head) - 2))
        text += f"\nPlain searches are rated {searches}.\n"
    return text


def strength(level: dict[str, Any], game: str) -> list[str]:
    return [
        f"{100 * level['score_against_the_one_below']:.0f} % of {level['games_against_the_one_below']}",
        "not rated yet" if level["elo"] is None else f"{level['elo']:,} ± {level['bar']}",
        *([f"{level['given_away_per_game']:.1f}"] if game == "max" else []),
        f"{level['cpu_ms_per_move']:.1f}",
    ]


def page(results: dict[str, Any]) -> str:
    visit, choice, long = results["visit"], results["choice"], results["long"]
    return (
        measured(results) + f"\n- A first visit: the first paint after {visit['first_paint_ms']} ms, the board after "
        f"{visit['board_ms']} ms (medians of {visit['visits']} in Chromium with an empty cache). All that is loaded is "
        f"{visit['transferred_bytes'] / 1000:.0f} kB as it is sent, {visit['bytes'] / 1000:.0f} kB unpacked.\n"
        f"- The computer's move at depth 8 in {choice['positions']} positions of random games is answered in "
        f"{choice['median_ms']:.0f} ms (median), {choice['most_ms']:.0f} ms at the most.\n"
        + crowd(results["people"])
        + f"- An hour of the same: {long['moves']:,} moves, {long['games']:,} games; {memory(long)}.\n"
    )


def crowd(people: dict[str, Any]) -> str:
    return (
        f"- {people['people']} people who play against level {people['level']} for {people['minutes']:g} minutes, each "
        f"thinking one to two seconds, {people['moves']:,} moves: from a drop to the computer's answer "
        f"{people['median_ms']:.0f} ms (median), {people['p99_ms']:.0f} ms (99th percentile), "
        f"{people['most_ms']:.0f} ms at the most. The server uses {100 * people['server_cpu_share']:.0f} % of one "
        f"core; {memory(people)}.\n"
    )


def memory(people: dict[str, Any]) -> str:
    taken = people["memory_mb"]
    return (
        f"its memory is {taken['after_a_quarter']:.0f} MB after a quarter of the time, {taken['last']:.0f} MB at the "
        f"end and {taken['most']:.0f} MB at the most"
    )


def classic(results: dict[str, Any]) -> str:
    return measured(results) + f"\nBitBully is version {results['bitbully']}.\n\n" + table(HEAD, classic_rows(results))


def sizes(results: dict[str, Any]) -> str:
    rows = []
    for name, facts in results.items():
        cells = facts["columns"] * facts["rows"]
        if facts["solved"]:
            value = f"{facts['value']:+d}" if facts["value"] else "0"
            rows.append([name, cells, value, f"{facts['nodes']:,}", f"{facts['cpu_seconds']:.2f}"])
        else:
            rows.append([name, cells, "?", "not finished", f"> {facts['seconds']:.0f}"])
    return table(["columns x rows", "cells", "value", "nodes", "CPU s"], rows)


def first_moves(scores: list[int]) -> str:
    return table(
        ["column", *map(str, range(1, len(scores) + 1))],
        [["final margin of the first player", *(f"{score:+d}" if score else "0" for score in scores)]],
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


def study(name: str) -> str:
    """A trial that was made once: how, which is the comment of its file, and what came of it."""
    lines = (Path(__file__).parent / "studies" / f"{name}.tsv").read_text().splitlines()
    how = " ".join(line.removeprefix("#").strip() for line in lines if line.startswith("#"))
    head, *rows = [line.split("\t") for line in lines if not line.startswith("#")]
    columns = list(zip(*rows, strict=True))[1:]
    marks = ["---" if re.search("[a-z]", "".join(cells)) else "---:" for cells in columns]
    return f"{how}\n\n" + table(head, rows, *marks)


def table(head: list[str], rows: list[list[Any]], *others: str) -> str:
    """A table, whose columns but the first are numbers, unless told otherwise, for all of them or for each."""
    marks = list(others or ["---:"])
    lines = [head, ["---", *(marks * (len(head) - 1))[: len(head) - 1]], *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


if __name__ == "__main__":
    main()
