"""Whole tournaments, by the real program: left alone, killed, taken up again, on processes and on a cluster."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from dask_cluster import DaskCluster
from external_programs import command_line, script
from terminal import PROGRAM, Terminal, maxconnect4, without_progress
from tournaments import EIGHT, games, rows, table, tournament_file
from waiting import until, workers_of

from maxconnect4 import GREEN, RED, board_from_moves
from maxconnect4.position_keys import key_of
from maxconnect4.referee.store import ResultStore

ENDINGS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]


@pytest.mark.parametrize(
    ("kills", "share", "players", "plies", "workers"),
    [
        (3, 0.2, ("honest", "crasher", "random", "depth:1"), 36, 1),
        pytest.param(20, 0.77, EIGHT, 20, 2, marks=pytest.mark.long),
    ],
    ids=["3 times", "20 times"],
)
def test_a_tournament_that_is_killed_again_and_again_ends_with_the_same_table(
    tmp_path: Path, kills: int, share: float, players: tuple[str, ...], plies: int, workers: int
) -> None:
    alone, killed = tmp_path / "alone", tmp_path / "killed"
    for folder in (alone, killed):
        folder.mkdir()
        tournament_file(folder, *players, openings=f"random:plies={plies},count=2")
    count = len(players) * (len(players) - 1) * 2
    undisturbed = table(alone / "t.toml")
    chance = random.Random(5)
    kept: dict[int, tuple[Any, ...]] = {}
    for kill in range(kills):
        _run_and_kill(killed, workers, int(share * count * kill / kills), chance)
        now = rows(killed / "t.sqlite")
        assert {number: now[number] for number in kept} == kept, "a game was lost, or played twice"
        kept = now
    assert 0 < len(kept) < count
    assert table(killed / "t.toml") == undisturbed
    assert {number: rows(killed / "t.sqlite")[number] for number in kept} == kept
    assert games(killed / "t.sqlite") == games(alone / "t.sqlite")
    assert len(games(alone / "t.sqlite")) == count
    assert not _processes_of(killed), "programs have outlived the referee"
    assert sorted(path.name for path in killed.iterdir()) == ["t.sqlite", "t.toml"], "something was left lying about"


def _run_and_kill(folder: Path, workers: int, at_games: int, chance: random.Random) -> None:
    run = subprocess.Popen(
        [PROGRAM, "tournament", "t.toml", "--processes", str(workers)],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(folder)},
    )
    until(lambda: run.poll() is not None or len(rows(folder / "t.sqlite")) >= at_games)
    time.sleep(chance.random() * 0.2)
    assert run.poll() is None, "it was over before it could be killed"
    run.send_signal(chance.choice(ENDINGS))
    run.wait(60)
    until(lambda: not _processes_of(folder))


def _processes_of(folder: Path) -> list[str]:
    """The processes of players of a tournament."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and entry.name != str(os.getpid()):
            try:
                words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            if str(folder) in words:
                found.append(" ".join(words))
    return found


def test_the_same_file_and_seed_give_the_same_games(tmp_path: Path) -> None:
    path = tournament_file(tmp_path, "honest", "random", "perfect", openings="random:plies=38,count=1")
    for name, words in {"one": ["--processes", "1"], "two": ["--processes", "2"], "other": ["--seed", "2"]}.items():
        table(path, "--results", str(tmp_path / name), *words)
    assert games(tmp_path / "one") == games(tmp_path / "two")
    assert {each[0].opening for each in games(tmp_path / "one")}.isdisjoint(
        {each[0].opening for each in games(tmp_path / "other")}
    )


@pytest.mark.parametrize(
    ("form", "count"), [("round-robin", 5 * 4), ("gauntlet", 2 * 4), ("swiss", 2 * 2 * 2), ("knock-out", 2 * 4)]
)
def test_each_format_plays_every_opening_with_both_colours(tmp_path: Path, form: str, count: int) -> None:
    players = ("random", "depth:1", "depth:2", "depth:3", "depth:4")
    rounds = {"rounds": 2} if form == "swiss" else {}
    path = tournament_file(tmp_path, *players, format=form, openings="random:plies=16,count=3", **rounds)
    standings = table(path)
    found = games(tmp_path / "t.sqlite")
    assert len(found) == 3 * count
    by_pair: dict[int, list[Any]] = {}
    for game, moves, *_ in found:
        assert moves.startswith(game.opening)
        by_pair.setdefault(game.pair, []).append(game)
    for one, other in by_pair.values():
        assert (one.red, one.green, one.opening) == (other.green, other.red, other.opening)
    assert len({key_of(board_from_moves(game.opening)) for game, *_ in found}) == 3
    assert sum(each["games"] for each in standings) == 2 * len(found)
    assert [each["rank"] for each in standings] == sorted(each["rank"] for each in standings)
    merits = [each["merit"] for each in standings]
    if form == "knock-out":
        assert merits[:3] == ["winner", "final", "round 2"]
    elif form == "swiss":
        points = [float(merit.split()[0]) for merit in merits]
        assert points == sorted(points, reverse=True)
        assert sum(points) == 2 * 3, "two encounters and a bye in each of two rounds"
    else:
        assert merits == [""] * 5


def test_the_standings_are_those_of_the_games(tmp_path: Path) -> None:
    path = tournament_file(tmp_path, "random", "depth:1", "depth:3", "crasher", openings="random:plies=6,count=1")
    standings = {each["name"]: each for each in table(path)}
    for each in standings.values():
        won = drawn = lost = made = against = 0
        for game, moves, ending, _, points in games(tmp_path / "t.sqlite"):
            if each["name"] in (game.red, game.green):
                board = board_from_moves(moves)
                mine, theirs = (RED, GREEN) if game.red == each["name"] else (GREEN, RED)
                made += board.points(mine)
                against += board.points(theirs)
                assert points == (board.points(RED), board.points(GREEN))
                loser = board.to_move if ending == "forfeit" else None
                margin = board.margin(mine)
                won += theirs == loser if loser else margin > 0
                lost += mine == loser if loser else margin < 0
                drawn += not loser and margin == 0
        assert (each["wins"], each["draws"], each["losses"], each["games"]) == (won, drawn, lost, 6)
        assert (each["points_for"], each["points_against"]) == (made, against)
        assert each["score"] == won + drawn / 2
    assert standings["crasher"]["faults"] == {"crash": 6}
    assert standings["crasher"]["wins"] == 0
    assert not standings["depth:3"]["faults"]


# One file, one run, one tournament


def test_a_second_run_on_the_same_file_is_refused(tmp_path: Path) -> None:
    path = tournament_file(tmp_path, "depth:1", "sleeper")
    path.write_text(f'{path.read_text()}environment = {{ PIDS = "{tmp_path}/pids" }}\n')
    command_line = [PROGRAM, "tournament", "t.toml", "--isolation", "none", "--processes", "1"]
    with subprocess.Popen(command_line, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as first:
        until((tmp_path / "pids").exists)
        second = maxconnect4("tournament", "t.toml", cwd=tmp_path)
        assert (second.returncode, second.stdout) == (1, "")
        assert second.stderr == "maxconnect4: t.sqlite is in use by another process\n"
        assert first.poll() is None
        first.send_signal(signal.SIGINT)
        _, errors = first.communicate(timeout=60)
    assert first.returncode == 130
    words = "interrupted; 0 games are stored in t.sqlite; repeat the command to resume"
    assert errors.decode() == f"maxconnect4: {words}\n"
    until(lambda: not _processes_of(tmp_path))


def test_results_of_another_tournament_are_not_mixed_with_it(tmp_path: Path) -> None:
    path = tournament_file(tmp_path, "random", "depth:1", openings="random:count=1")
    table(path)
    before = rows(tmp_path / "t.sqlite")
    done = maxconnect4("tournament", path, "--seed", "3", cwd=tmp_path)
    assert done.returncode == 3
    assert "t.sqlite has results of another tournament, with different openings and rules" in done.stderr
    assert rows(tmp_path / "t.sqlite") == before
    path.write_text('title = "A better one"\n' + path.read_text())
    done = maxconnect4("tournament", path, "--json")
    assert json.loads(done.stdout)["title"] == "A better one", "a title may change"
    assert rows(tmp_path / "t.sqlite") == before
    with ResultStore(str(tmp_path / "t.sqlite"), read_only=True) as results:
        assert results.metadata()["tournament"]["title"] == "A better one"


def test_a_worker_that_is_killed_loses_no_game(tmp_path: Path) -> None:
    path = tournament_file(tmp_path, "honest", "depth:1", "random", openings="random:plies=36,count=3")
    command_line = [PROGRAM, "tournament", str(path), "--processes", "2", "--isolation", "none"]
    with subprocess.Popen(command_line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        until(lambda: rows(tmp_path / "t.sqlite"))
        os.kill(workers_of(run.pid)[0], signal.SIGKILL)
        _, errors = run.communicate(timeout=60)
    assert (run.returncode, without_progress(errors.decode())) == (0, "")
    assert len(rows(tmp_path / "t.sqlite")) == 18
    assert not _processes_of(tmp_path)


# On a cluster


def test_a_cluster_plays_the_same_games_though_the_coordinator_is_killed(tmp_path: Path, cluster: DaskCluster) -> None:
    path = tournament_file(tmp_path, "honest", "depth:1", openings="random:plies=36,count=4")
    table(path, "--results", str(tmp_path / "here"))
    command_line = [PROGRAM, "tournament", str(path), "--scheduler", cluster.address]
    with subprocess.Popen(command_line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        until(lambda: len(rows(tmp_path / "t.sqlite")) > 1)
        run.kill()
    kept = rows(tmp_path / "t.sqlite")
    assert 1 < len(kept) < 8
    table(path, "--scheduler", cluster.address)
    assert {number: rows(tmp_path / "t.sqlite")[number] for number in kept} == kept
    assert games(tmp_path / "t.sqlite") == games(tmp_path / "here")


@pytest.mark.long
def test_a_cluster_plays_the_same_games_though_a_worker_and_the_coordinator_are_killed(tmp_path: Path) -> None:
    path = tournament_file(tmp_path, "honest", "untidy", "random", "depth:2", openings="random:plies=20,count=4")
    table(path, "--results", str(tmp_path / "here"))
    with DaskCluster(tmp_path, workers=2) as cluster:
        cluster.client().close()  # both workers are there
        command_line = [PROGRAM, "tournament", str(path), "--scheduler", cluster.address]
        with subprocess.Popen(command_line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as run:
            until(lambda: len(rows(tmp_path / "t.sqlite")) > 3)
            cluster.workers[0].kill()
            seen = len(rows(tmp_path / "t.sqlite"))
            until(lambda: len(rows(tmp_path / "t.sqlite")) > seen + 3)
            run.kill()
        kept = rows(tmp_path / "t.sqlite")
        assert 4 < len(kept) < 48
        cluster.add_worker()
        table(path, "--scheduler", cluster.address)
    assert {number: rows(tmp_path / "t.sqlite")[number] for number in kept} == kept
    assert games(tmp_path / "t.sqlite") == games(tmp_path / "here")


def test_a_scheduler_out_of_reach_is_one_line(tmp_path: Path) -> None:
    path = tournament_file(tmp_path, "random", "depth:1")
    done = maxconnect4("tournament", path, "--scheduler", "tcp://127.0.0.1:1")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "maxconnect4: the scheduler at tcp://127.0.0.1:1 cannot be reached: connection refused\n"


# What is shown


def test_a_terminal_shows_the_table_and_a_bar(tmp_path: Path) -> None:
    # It is drawn every two seconds or more often, and the games take that long.
    slow = script(tmp_path, f'sleep 0.2; exec {command_line("honest")} "$@"')
    path = tournament_file(tmp_path, "honest", "random", openings="random:plies=38,count=3")
    path.write_text(path.read_text().replace(command_line("honest"), str(slow)))
    terminal = Terminal("tournament", path, "--processes", "1", "--isolation", "none", cwd=tmp_path)
    terminal.wait_for("of 6 games")
    terminal.wait_for("honest")
    terminal.wait_for("about ")  # the estimate, which takes some games
    terminal.wait_for("The results are in")
    assert terminal.close() == 0


def test_the_cross_table_adds_up(tmp_path: Path) -> None:
    path = tournament_file(tmp_path, "random", "depth:1", "depth:2", openings="random:count=2")
    done = maxconnect4("tournament", path, "--json", "--processes", "1")
    facts = json.loads(done.stdout)
    for each in facts["standings"]:
        met = [cell for cell in facts["cross_table"] if cell["player"] == each["name"]]
        assert sum(cell["score"] for cell in met) == each["score"]
        assert sum(cell["games"] for cell in met) == each["games"] == 8
    done = maxconnect4("tournament", path)
    assert "player   games  won  drawn  lost  score" in done.stdout
    assert "against" in done.stdout


def test_a_review_is_added_to_games_that_were_played_before(tmp_path: Path) -> None:
    path = tournament_file(tmp_path, "perfect", "random", openings="random:plies=22,count=2")
    assert all(each["regret"] is None for each in table(path))
    by_name = {each["name"]: each for each in table(path, "--review")}
    assert by_name["perfect"]["regret"] == 0
    assert by_name["random"]["regret"] > 0.2
    before = rows(tmp_path / "t.sqlite")
    table(path, "--review")
    assert rows(tmp_path / "t.sqlite") == before


def test_each_player_gets_a_transcript(tmp_path: Path) -> None:
    path = tournament_file(tmp_path, "crasher", "random", openings="random:count=1")
    table(path, "--transcripts", str(tmp_path / "out"))
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == ["crasher.txt", "random.txt"]
    assert "I am about to fall over" in (tmp_path / "out" / "crasher.txt").read_text()


def test_a_program_that_kills_the_referee_loses_and_the_others_continue(tmp_path: Path) -> None:
    players = ("random", "killer", "honest")
    path = tournament_file(tmp_path, *players, format="gauntlet", openings="random:plies=40,count=1")
    standings = {each["name"]: each for each in table(path, "--processes", "2", "--isolation", "none")}
    assert standings["killer"]["faults"] == {"killed the referee": 2}
    assert standings["honest"]["faults"] == {}
    assert standings["killer"]["losses"] == 2
    assert [standings[name]["games"] for name in players] == [4, 2, 2]
    assert not _processes_of(tmp_path)
    with ResultStore(str(tmp_path / "t.sqlite"), read_only=True) as results:
        assert results.metadata()["isolation"][0].startswith("none")
