from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import pytest
from foreign import player
from hypothesis import given, settings
from hypothesis import strategies as st

from maxconnect4.referee.entrants import entrant_from
from maxconnect4.referee.games import ADJUDICATED, FORFEIT, FOUR, FULL, VOID, Fault, Game, Note, Result
from maxconnect4.referee.openings import random_openings
from maxconnect4.referee.playing import Fixture, Rules, abandoned, play
from maxconnect4.referee.reviewing import ToReview, given_away
from maxconnect4.referee.validation import InvalidGame, validate

BUILT_IN = ["random", "depth:1", "level:1"]
EXTERNAL = ["honest", "crasher", "unchanged", "garbage", "late_crasher", "floater", "silent"]
RULES = st.builds(
    Rules,
    on_fault=st.sampled_from(["lose", "replace", "void"]),
    adjudicate=st.sampled_from([0, 0, 1, 9, 14]),
    seed=st.integers(0, 10**6),
    game=st.sampled_from(["max", "classic"]),
)


def fixture(red: str, green: str, rules: Rules, plies: int, number: int = 3) -> Fixture:
    opening = random_openings(plies, 1, rules.seed, rules.game)[0]
    one, two = (player(name) if name in EXTERNAL else entrant_from(name) for name in (red, green))
    return Fixture(Game(number, 1, 2, "one", "two", opening), one, two, rules)


def tampered(result: Result, rules: Rules) -> Iterator[tuple[str, Result]]:
    """The game with one field changed, each to something that the moves or the rules contradict."""
    game, played = result.game, result.played
    yield "number", replace(result, played=replace(played, number=played.number + 1))
    yield "opening", replace(result, game=replace(game, opening=game.opening + "8"))
    yield "more of an opening", replace(result, game=replace(game, opening=(played.moves + played.line + "1")))
    changes: dict[str, list[object]] = {
        "moves": [played.moves + "1111111", played.moves + "x", "9" + played.moves, played.moves[:-1] + "8"],
        "ending": [each for each in (FULL, FOUR, ADJUDICATED, FORFEIT, VOID, "", "won") if each != played.ending],
        "score": [each for each in (None, 0.0, 0.5, 1.0, 2.0, -1.0, math.nan) if each != played.score],
        "points": [(played.points[0] + 1, played.points[1]), (played.points[0], played.points[1] - 1), (0, 0, 0)],
        "seconds": [math.nan, math.inf, -0.5],
        "cpu": [(*played.cpu, 0.5)],
        "line": [played.line + "1", "8", "1111111" + played.line],
        "given_away": [(0,) * (len(played.moves) - len(game.opening) + 1)],
        "faults": [(*played.faults, Fault("crash", 2 - ply % 2, ply, "x")) for ply in (0, len(game.opening), 43)],
        "notes": [(*played.notes, Note("exit code", 2 - ply % 2, ply)) for ply in (-1, len(game.opening), 43)],
    }
    if played.cpu:
        changes["cpu"] += [played.cpu[1:], *((*played.cpu[:-1], bad) for bad in (math.nan, math.inf, -1.0))]
    if len(played.moves) > len(game.opening):
        changes["moves"] += [played.moves[:-1]]
        changes["given_away"] += [(-1, *(0,) * (len(played.moves) - len(game.opening) - 1))]
        mover = 2 - (len(game.opening) + 1) % 2
        good = Note("exit code", mover, len(game.opening) + 1)
        for note in (replace(good, kind="?"), replace(good, player=3 - mover), replace(good, player=0)):
            changes["notes"].append((*played.notes, note))
    if played.faults:
        *before, last = played.faults
        wrong = [replace(last, kind="?"), replace(last, player=3), replace(last, ply=last.ply + 1)]
        if last.kind == "killed the referee":
            wrong.append(replace(last, kind="crash"))
        else:
            wrong += [replace(last, player=3 - last.player), replace(last, kind="killed the referee")]
        changes["faults"] += [(*before, each) for each in wrong]
        changes["faults"] += [(*played.faults, last)]
        if rules.on_fault != "replace":
            changes["faults"] += [()] if played.cpu else []
    for name, values in changes.items():
        for value in values:
            yield f"{name} = {value}", replace(result, played=replace(played, **{name: value}))  # type: ignore[arg-type]


def validate_and_tamper(result: Result, rules: Rules) -> None:
    validate(result, rules)
    for what, other in tampered(result, rules):
        try:
            validate(other, rules)
        except InvalidGame as refusal:
            assert str(refusal).startswith(f"game {other.game.number}: ")
            assert str(refusal).isprintable()
        else:
            pytest.fail(f"{what} of {result} under {rules}")


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(BUILT_IN), st.sampled_from(BUILT_IN), RULES, st.integers(0, 8))
def test_games_of_built_in_players_validate_and_no_field_can_be_changed(
    red: str, green: str, rules: Rules, plies: int
) -> None:
    game = fixture(red, green, rules, plies)
    validate_and_tamper(Result(game.game, play(game)), rules)


@pytest.mark.parametrize("name", EXTERNAL)
@pytest.mark.parametrize(
    ("on_fault", "game"),
    [
        ("lose", "max"),
        ("replace", "classic"),
        ("void", "max"),
        *(
            pytest.param(on_fault, game, marks=pytest.mark.long)
            for on_fault, game in (("lose", "classic"), ("replace", "max"), ("void", "classic"))
        ),
    ],
)
def test_games_of_external_programs_validate_whatever_they_do(name: str, on_fault: str, game: str) -> None:
    rules = Rules(on_fault, 0 if game == "max" else 10, 5, game)
    fixed = fixture("depth:1", name, rules, 29 if game == "max" else 25)
    result = Result(fixed.game, play(fixed))
    assert bool(result.played.faults) == (name not in ("honest", "late_crasher")), result
    validate_and_tamper(result, rules)


@pytest.mark.parametrize("players", [("honest", "depth:1"), ("random", "honest"), ("honest", "honest")])
@pytest.mark.parametrize("on_fault", ["lose", "replace", "void"])
def test_abandoned_games_validate(players: tuple[str, str], on_fault: str) -> None:
    rules = Rules(on_fault)
    fixed = fixture(*players, rules, 7)
    validate_and_tamper(Result(fixed.game, abandoned(fixed, [])), rules)


@settings(max_examples=15, deadline=None)
@given(RULES)
def test_reviewed_games_validate(rules: Rules) -> None:
    fixed = fixture("random", "random", rules, 24)
    played = play(fixed)
    reviewed = given_away(ToReview(3, played.moves, 24, rules.game))
    result = Result(fixed.game, replace(played, given_away=reviewed))
    validate(result, rules)
    if reviewed:
        for wrong in (reviewed[1:], (*reviewed[1:], -1), (*reviewed[1:], 10**30)):
            with pytest.raises(InvalidGame):
                validate(replace(result, played=replace(played, given_away=wrong)), rules)


def test_a_game_that_is_played_under_other_rules_is_refused() -> None:
    rules = Rules(adjudicate=10)
    fixed = fixture("random", "random", rules, 4)
    result = Result(fixed.game, play(fixed))
    for other in (Rules(), Rules(adjudicate=9), Rules(adjudicate=11), Rules(adjudicate=10, game="classic")):
        with pytest.raises(InvalidGame):
            validate(result, other)


def test_a_classic_game_does_not_continue_after_a_four() -> None:
    rules = Rules(game="classic")
    fixed = Fixture(Game(1, 1, 1, "one", "two", "121212"), entrant_from("depth:1"), entrant_from("random"), rules)
    result = Result(fixed.game, play(fixed))
    assert (result.played.moves, result.played.ending) == ("1212121", FOUR)
    validate(result, rules)
    with pytest.raises(InvalidGame):
        validate(replace(result, played=replace(result.played, moves="12121213", cpu=(0.0, 0.0))), rules)
