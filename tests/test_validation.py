from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import pytest
from external_programs import player
from hypothesis import given, settings
from hypothesis import strategies as st

from maxconnect4.referee.game import (
    ADJUDICATED,
    FORFEIT,
    FOUR,
    FULL,
    VOID,
    GameSetup,
    PlayedGame,
    ReviewTask,
    Rules,
    ScheduledGame,
    abandoned_game,
    play,
    regrets,
)
from maxconnect4.referee.game_validation import InvalidGame, validate
from maxconnect4.referee.move_validation import Fault, Note
from maxconnect4.referee.openings import random_openings
from maxconnect4.referee.players import parse_player

BUILT_IN = ["random", "depth:1", "level:1"]
EXTERNAL = ["honest", "crasher", "unchanged", "garbage", "late_crasher", "floater", "silent"]
RULES = st.builds(
    Rules,
    on_fault=st.sampled_from(["lose", "replace", "void"]),
    adjudicate=st.sampled_from([0, 0, 1, 9, 14]),
    seed=st.integers(0, 10**6),
    game=st.sampled_from(["max", "classic"]),
)


def setup(red: str, green: str, rules: Rules, plies: int, number: int = 3) -> GameSetup:
    opening = random_openings(plies, 1, rules.seed, rules.game)[0]
    one, two = (player(name) if name in EXTERNAL else parse_player(name) for name in (red, green))
    return GameSetup(ScheduledGame(number, 1, 2, "one", "two", opening), one, two, rules)


def tampered(played: PlayedGame, rules: Rules) -> Iterator[tuple[str, PlayedGame]]:
    """The game with one field changed, each to something that the moves or the rules contradict."""
    game, result = played.game, played.result
    yield "number", replace(played, result=replace(result, number=result.number + 1))
    yield "opening", replace(played, game=replace(game, opening=game.opening + "8"))
    yield "more of an opening", replace(played, game=replace(game, opening=(result.moves + result.line + "1")))
    changes: dict[str, list[object]] = {
        "moves": [result.moves + "1111111", result.moves + "x", "9" + result.moves, result.moves[:-1] + "8"],
        "ending": [each for each in (FULL, FOUR, ADJUDICATED, FORFEIT, VOID, "", "won") if each != result.ending],
        "score": [each for each in (None, 0.0, 0.5, 1.0, 2.0, -1.0, math.nan) if each != result.score],
        "points": [(result.points[0] + 1, result.points[1]), (result.points[0], result.points[1] - 1), (0, 0, 0)],
        "seconds": [math.nan, math.inf, -0.5],
        "cpu": [(*result.cpu, 0.5)],
        "line": [result.line + "1", "8", "1111111" + result.line],
        "regrets": [(0,) * (len(result.moves) - len(game.opening) + 1)],
        "faults": [(*result.faults, Fault("crash", 2 - ply % 2, ply, "x")) for ply in (0, len(game.opening), 43)],
        "notes": [(*result.notes, Note("exit code", 2 - ply % 2, ply)) for ply in (-1, len(game.opening), 43)],
    }
    if result.cpu:
        changes["cpu"] += [result.cpu[1:], *((*result.cpu[:-1], bad) for bad in (math.nan, math.inf, -1.0))]
    if len(result.moves) > len(game.opening):
        changes["moves"] += [result.moves[:-1]]
        changes["regrets"] += [(-1, *(0,) * (len(result.moves) - len(game.opening) - 1))]
        mover = 2 - (len(game.opening) + 1) % 2
        good = Note("exit code", mover, len(game.opening) + 1)
        for note in (replace(good, kind="?"), replace(good, player=3 - mover), replace(good, player=0)):
            changes["notes"].append((*result.notes, note))
    if result.faults:
        *before, last = result.faults
        wrong = [replace(last, kind="?"), replace(last, player=3), replace(last, ply=last.ply + 1)]
        if last.kind == "killed the referee":
            wrong.append(replace(last, kind="crash"))
        else:
            wrong += [replace(last, player=3 - last.player), replace(last, kind="killed the referee")]
        changes["faults"] += [(*before, each) for each in wrong]
        changes["faults"] += [(*result.faults, last)]
        if rules.on_fault != "replace":
            changes["faults"] += [()] if result.cpu else []
    for name, values in changes.items():
        for value in values:
            yield f"{name} = {value}", replace(played, result=replace(result, **{name: value}))  # type: ignore[arg-type]


def validate_and_tamper(played: PlayedGame, rules: Rules) -> None:
    validate(played, rules)
    for what, other in tampered(played, rules):
        try:
            validate(other, rules)
        except InvalidGame as refusal:
            assert str(refusal).startswith(f"game {other.game.number}: ")
            assert str(refusal).isprintable()
        else:
            pytest.fail(f"{what} of {played} under {rules}")


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(BUILT_IN), st.sampled_from(BUILT_IN), RULES, st.integers(0, 8))
def test_games_of_built_in_players_validate_and_no_field_can_be_changed(
    red: str, green: str, rules: Rules, plies: int
) -> None:
    game = setup(red, green, rules, plies)
    validate_and_tamper(PlayedGame(game.game, play(game)), rules)


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
    fixed = setup("depth:1", name, rules, 29 if game == "max" else 25)
    played = PlayedGame(fixed.game, play(fixed))
    assert bool(played.result.faults) == (name not in ("honest", "late_crasher")), played
    validate_and_tamper(played, rules)


@pytest.mark.parametrize("players", [("honest", "depth:1"), ("random", "honest"), ("honest", "honest")])
@pytest.mark.parametrize("on_fault", ["lose", "replace", "void"])
def test_abandoned_games_validate(players: tuple[str, str], on_fault: str) -> None:
    rules = Rules(on_fault)
    fixed = setup(*players, rules, 7)
    validate_and_tamper(PlayedGame(fixed.game, abandoned_game(fixed, [])), rules)


@settings(max_examples=15, deadline=None)
@given(RULES)
def test_reviewed_games_validate(rules: Rules) -> None:
    fixed = setup("random", "random", rules, 24)
    result = play(fixed)
    reviewed = regrets(ReviewTask(3, result.moves, 24, rules.game))
    played = PlayedGame(fixed.game, replace(result, regrets=reviewed))
    validate(played, rules)
    if reviewed:
        for wrong in (reviewed[1:], (*reviewed[1:], -1), (*reviewed[1:], 10**30)):
            with pytest.raises(InvalidGame):
                validate(replace(played, result=replace(result, regrets=wrong)), rules)


def test_a_game_that_is_played_under_other_rules_is_refused() -> None:
    rules = Rules(adjudicate=10)
    fixed = setup("random", "random", rules, 4)
    played = PlayedGame(fixed.game, play(fixed))
    for other in (Rules(), Rules(adjudicate=9), Rules(adjudicate=11), Rules(adjudicate=10, game="classic")):
        with pytest.raises(InvalidGame):
            validate(played, other)


def test_a_classic_game_does_not_continue_after_a_four() -> None:
    rules = Rules(game="classic")
    fixed = GameSetup(
        ScheduledGame(1, 1, 1, "one", "two", "121212"), parse_player("depth:1"), parse_player("random"), rules
    )
    played = PlayedGame(fixed.game, play(fixed))
    assert (played.result.moves, played.result.ending) == ("1212121", FOUR)
    validate(played, rules)
    with pytest.raises(InvalidGame):
        validate(replace(played, result=replace(played.result, moves="12121213", cpu=(0.0, 0.0))), rules)
