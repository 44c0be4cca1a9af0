"""A game between two players, and what came of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from maxconnect4 import GREEN, RED, board_from_moves
from maxconnect4.referee.game import (
    ADJUDICATED,
    FORFEIT,
    FOUR,
    FULL,
    VOID,
    GameResult,
    PlayedGame,
    ScheduledGame,
    points_of,
)
from maxconnect4.referee.move_validation import Fault

GAME = ScheduledGame(3, 1, 2, "a", "b", "44")
PLAYED = GameResult(3, "4453", FULL, 1.0, (5, 2), (0.1, 0.2), 1.0)


def test_each_colour_has_its_player() -> None:
    assert (GAME.name(RED), GAME.name(GREEN)) == ("a", "b")
    assert (GAME.opponent("a"), GAME.opponent("b")) == ("b", "a")
    found = PlayedGame(GAME, PLAYED)
    assert (found.colour_of("a"), found.colour_of("b")) == (RED, GREEN)


def test_the_scores_of_both_players_add_up_to_one() -> None:
    found = PlayedGame(GAME, PLAYED)
    assert (PLAYED.score_of(RED), PLAYED.score_of(GREEN)) == (found.score_of("a"), found.score_of("b")) == (1, 0)
    assert (PLAYED.margin_of(RED), PLAYED.margin_of(GREEN)) == (found.margin_of("a"), found.margin_of("b")) == (3, -3)
    void = replace(PLAYED, ending=VOID, score=None)
    assert void.score_of(RED) is void.score_of(GREEN) is None
    drawn = replace(PLAYED, score=0.5)
    assert drawn.score_of(RED) == drawn.score_of(GREEN) == 0.5


def test_a_played_game_has_its_last_position() -> None:
    assert PLAYED.board() == board_from_moves("4453")
    assert PLAYED.board("classic") == board_from_moves("4453", "classic")


def test_a_played_game_has_no_line_nor_faults_unless_they_are_given() -> None:
    assert (PLAYED.line, PLAYED.faults, PLAYED.notes, PLAYED.regrets) == ("", (), (), None)
    fault = Fault("crash", RED, 3, "it crashed")
    assert (fault.input, fault.output, fault.printed) == ("", "", "")


@pytest.mark.parametrize(
    ("moves", "game", "points"),
    [
        ("1122334", "max", (1, 0)),
        ("112233445", "max", (2, 1)),
        ("1212121", "classic", (18, 0)),
        ("71212121", "classic", (0, 18)),
        ("717212121", "classic", (0, 0)),
        ("44", "classic", (0, 0)),
    ],
)
def test_points_are_fours_or_how_soon_the_one_four_came(moves: str, game: str, points: tuple[int, int]) -> None:
    assert points_of(board_from_moves(moves, game)) == points


def test_moves_after_the_opening_are_shared_out_between_the_colours() -> None:
    for opening, red, green in (("", "ace", "bd"), ("4", "bd", "ace"), ("44", "ace", "bd")):
        found = PlayedGame(replace(GAME, opening=opening), replace(PLAYED, cpu=(0.1,) * 5))
        assert (found.of_player(RED, "abcde"), found.of_player(GREEN, "abcde")) == (red, green)
        asked = "".join(letter for letter, mover in zip("abcde", found.movers(), strict=True) if mover == RED)
        assert asked == red


def test_a_move_of_the_referee_has_no_regret() -> None:
    faults = (Fault("crash", RED, 3, "it crashed"), Fault("crash", GREEN, 6, "it crashed"))
    reviewed = PlayedGame(GAME, replace(PLAYED, faults=faults, regrets=(1, 2, 0, 4, 5)))
    assert reviewed.regrets() == [None, 2, 0, None, 5]
    assert PlayedGame(GAME, PLAYED).regrets() is None


def test_endings_are_called_as_they_are_in_the_files_of_all_tournaments() -> None:
    endings = (FULL, FOUR, ADJUDICATED, FORFEIT, VOID)
    assert endings == ("full", "four", "adjudicated", "forfeit", "void")
