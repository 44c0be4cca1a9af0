"""The event of a report."""

from __future__ import annotations

from dataclasses import replace

import pytest
from played_games import four_games

from maxconnect4.referee.game import Rules
from maxconnect4.referee.limits import ResourceLimits
from maxconnect4.referee.players import parse_player, player_spec
from maxconnect4.referee.report.data import Event, event_of, player_text
from maxconnect4.referee.tournament import SprtHypotheses, Tournament

ADA, BOB = parse_player("name=ada depth:2"), parse_player("name=bob random")
CLASS = Tournament("Class", "round-robin", (ADA, BOB), ("123", "4"), Rules("lose", seed=7))
RESULTS = {result.game.number: result for result in four_games()}


def settings(tournament: Tournament) -> dict[str, str]:
    return event_of(tournament, {}).settings


def test_the_settings_are_listed_and_missing_ones_left_out() -> None:
    event = Event("Class", "classic", "match", "the empty board", 0, "2026-11-16", settings={"Time": "1 s", "Room": ""})
    assert event.labels() == [
        ("Game", "classic: the first four wins"),
        ("Format", "match"),
        ("Openings", "the empty board"),
        ("Seed", "0"),
        ("Began", "2026-11-16"),
        ("Time", "1 s"),
    ]
    assert Event("Class").labels() == []
    assert Event("Class").game == "max"


def test_an_event_has_what_its_tournament_has() -> None:
    event = event_of(CLASS, {}, "2026-11-16 14:05")
    fault = {"A fault": "loses the game"}
    assert event == Event(
        "Class", "max", "round-robin", "2 openings of 1 to 3 plies", 7, "2026-11-16 14:05", (ADA, BOB), fault
    )
    assert event_of(replace(CLASS, rounds=2), {}).format == "round-robin, 2 rounds"
    assert event_of(replace(CLASS, rounds=1), {}).format == "round-robin, 1 round"
    assert event_of(replace(CLASS, rules=Rules(game="classic")), {}).game == "classic"
    assert event_of(CLASS, {}).began == ""


@pytest.mark.parametrize(
    ("openings", "words"),
    [
        ((), "the empty board"),
        (("",), "the empty board"),
        (("4",), "1 opening of one ply"),
        (("4", "5"), "2 openings of one ply"),
        (("44", "45"), "2 openings of 2 plies"),
        (("4", "", "123"), "3 openings of 0 to 3 plies"),
    ],
)
def test_openings_are_described_by_their_number_and_length(openings: tuple[str, ...], words: str) -> None:
    assert event_of(replace(CLASS, openings=openings), {}).openings == words


@pytest.mark.parametrize(
    ("on_fault", "words"),
    [("lose", "loses the game"), ("replace", "is replaced by a random move"), ("void", "makes the game void")],
)
def test_the_effect_of_a_fault_is_described(on_fault: str, words: str) -> None:
    assert settings(replace(CLASS, rules=Rules(on_fault))) == {"A fault": words}


def test_adjudication_is_described() -> None:
    assert settings(replace(CLASS, rules=Rules(adjudicate=14)))["Adjudicated"] == "at 14 empty cells"


def test_limits_are_described_if_all_programs_have_the_same() -> None:
    some = ResourceLimits(seconds=2.5, cpu_seconds=30, memory=2 << 30)
    one, two = (player_spec(["sh", word], name=word, limits=some) for word in ("one", "two"))
    words = "30 s of CPU time, 2.5 s of wall-clock time, 2,048 MiB"
    assert settings(replace(CLASS, players=(one, ADA, two)))["Limits of a move"] == words
    other = replace(two, limits=replace(some, seconds=3))
    assert "Limits of a move" not in settings(replace(CLASS, players=(one, other)))
    assert "Limits of a move" not in settings(CLASS)


def test_a_sequential_test_is_described_with_its_result() -> None:
    tournament = replace(CLASS, format="match", test=SprtHypotheses(elo0=0, elo1=10))
    before, after = (event_of(tournament, results).settings["Sequential test"] for results in ({}, RESULTS))
    assert "10" in before
    assert before != after


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("depth:2", "built in: depth 2, evaluation best"),
        ("depth:3,eval=lines", "built in: depth 3, evaluation lines"),
        ("time:0.5", "built in: 0.5 s per move, evaluation best"),
        ("random", "built in: random"),
        ("random:seed=7", "built in: random, seed 7"),
        ("random:seed=0", "built in: random, seed 0"),
        ("perfect", "built in: perfect"),
        ("level:3", "built in: level 3"),
    ],
)
def test_a_player_is_described_by_its_settings(text: str, words: str) -> None:
    assert player_text(parse_player(text)) == words


def test_a_program_is_described_by_its_command_without_its_environment() -> None:
    program = player_spec(["sh", "a b", "{in}", "{out}"], environment={"PASSWORD": "secret"})
    assert player_text(program) == "sh 'a b' {in} {out}"
