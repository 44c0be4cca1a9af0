"""Figures in the documents on the search, from results.json."""

from __future__ import annotations

from typing import Any

from tables import table

from maxconnect4.benchmark.tables import published_tables


def startup(results: dict[str, Any]) -> str:
    times = results["startup"]
    return table(
        ["", "CPU ms"],
        [
            ["`python -c pass`", times["bare_ms"]],
            ["`maxconnect4 one-move` at depth 1", times["one_move_ms"]],
            ["difference", times["extra_ms"]],
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
    return table(["depth", *(f"`{name}`" for name in by_name), "published", "ratio"], rows)


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
    return table(["evaluation", "million nodes per second"], rows)


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
        f"- At depth 4 the mean regret of a move is {at_four['best']:.3f} points; "
        f"the best evaluation of such programs has {others:.3f}.\n"
    )
