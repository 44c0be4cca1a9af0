"""The Play panel in a real browser."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest
from page_user import PageUser
from play_server import PlayServer
from playwright.sync_api import expect

from maxconnect4 import GREEN, RED, Board, board_from_moves

FULL_GAME = "444444333333555555222222666666111111777777"


def play_from(person: PageUser, moves: str) -> None:
    """Open the page with a game that has begun with these moves."""
    if not moves:
        return person.open()
    person.open(moves=moves)
    return person.button("Play from here").click()


@pytest.mark.parametrize("begun", [FULL_GAME[:36], pytest.param("", marks=pytest.mark.long)])
def test_a_game_against_the_computer_by_mouse_to_its_end(person: PageUser, begun: str) -> None:
    play_from(person, begun)
    person.choose(green="level:1")
    board, rng = board_from_moves(begun), random.Random(6)
    while not board.is_over():
        column = rng.choice(board.columns())
        board.drop(column)
        person.drop(column)
        person.sees_answer(board)
    points = sorted([board.points(RED), board.points(GREEN)])
    expect(person.page.locator(".game-result")).to_contain_text(f"{points[1]} to {points[0]}.")
    expect(person.status).to_have_class("result")
    for column in range(1, 8):
        expect(person.column(column)).to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize("begun", [36, pytest.param(0, marks=pytest.mark.long)])
def test_a_game_by_keyboard_to_its_end_announces_every_move(person: PageUser, begun: int) -> None:
    play_from(person, FULL_GAME[:begun])
    person.choose()
    person.page.locator("h1").click()  # nothing has the focus, as after opening the page
    board = board_from_moves(FULL_GAME[:begun])
    expect(person.status).to_contain_text("Red to move")
    for number, digit in enumerate(FULL_GAME[begun:]):
        column = int(digit)
        if number % 2:
            person.press(column)
        else:
            person.column(1).focus()
            person.press(*["ArrowRight"] * (column - 1), ("ArrowDown", "Enter", " ")[number // 2 % 3])
        colour = ("Red", "Green")[number % 2]
        expect(person.status).to_contain_text(f"{colour} plays column {column}")
        fours = sum(map(board.points, (RED, GREEN)))
        board.drop(column)
        if sum(map(board.points, (RED, GREEN))) > fours:
            expect(person.status).to_contain_text("scores")
    person.sees(board)
    expect(person.status).to_contain_text("The board is full: a draw")
    log = person.page.get_by_role("log")
    expect(log).to_have_attribute("aria-live", "polite")
    expect(log).to_contain_text("The board is full: a draw")


def test_undo_and_redo_stop_where_a_person_is_to_move(person: PageUser) -> None:
    person.open()
    person.choose(green="level:1")
    boards = [Board()]
    for column in (4, 4, 3):
        boards.append(boards[-1].copy())
        boards[-1].drop(column)
        person.drop(column)
        person.sees_answer(boards[-1])
    for board in (boards[2], boards[1]):
        person.button("Undo").click()
        person.sees(board)
    person.press("u")
    person.sees(boards[0])
    expect(person.button("Undo")).to_be_disabled()
    for board in boards[1:]:
        person.press("r")
        person.sees(board)
    expect(person.button("Redo")).to_be_disabled()
    person.press("u")
    person.sees(boards[2])
    person.drop(7)  # another game from here on
    person.sees_pieces(6)
    expect(person.button("Redo")).to_be_disabled()


def test_keys_faster_than_the_server_are_not_lost(person: PageUser) -> None:
    person.open()
    person.choose()
    for count, column in enumerate("4453", start=1):
        person.press(column)
        person.sees_pieces(count)
    person.press("u", "u", "u")
    person.sees(board_from_moves("4"))
    person.press("u", "u", "u", "r")
    person.sees(board_from_moves("4"))
    person.press("r", "r", "u", "r", "r", "r", "r")
    person.sees(board_from_moves("4453"))
    person.page.locator("#green-player").select_option("level:1")
    person.drop(1)
    person.choose(green="level:2")  # while the computer thinks
    person.sees_answer(board_from_moves("44531"))


def test_fours_are_drawn_as_they_score(person: PageUser) -> None:
    person.open()
    person.choose()
    board = Board()
    for column in (1, 7, 1, 7, 1, 7, 1, 7, 2, 6, 3, 6, 4):  # a four each, and red a second one across
        person.drop(column)
        board.drop(column)
        person.sees(board)
    assert [board.points(RED), board.points(GREEN)] == [2, 1]
    person.press("u")
    board.undo()
    person.sees(board)


def test_a_full_column_refuses_moves_and_a_new_game_starts_by_click_or_key(person: PageUser) -> None:
    person.open()
    person.choose()
    for count in range(1, 7):
        person.press(4)
        person.sees_pieces(count)
    expect(person.column(4)).to_have_attribute("aria-disabled", "true")
    expect(person.column(4)).to_have_attribute("aria-label", "Column 4, 6 pieces, green on top, full")
    person.column(4).click(force=True)
    person.press(4, 3)
    person.sees(board_from_moves("4444443"))
    person.press("n")
    person.sees_pieces(0)
    expect(person.status).to_contain_text("New game")
    person.press(3)
    person.sees_pieces(1)
    person.page.locator("input[name=game][value=classic]").check()
    expect(person.status).to_contain_text("New game")
    person.sees_pieces(1)
    person.button("New game").click()
    person.sees_pieces(0)


def test_levels_show_their_strength_and_move_first_as_red(person: PageUser, server: PlayServer) -> None:
    levels = server.ask("/")["levels"]["max"]
    person.open()
    for before, after in pairwise(levels):
        assert before["level"] < after["level"]
    for level in levels[::-1]:
        person.page.locator("#green-player").select_option(f"level:{level['level']}")
        expect(person.page.locator("#panel-play")).to_contain_text(f"(rating {level['rating']:,}).")
    expect(person.page.get_by_role("img", name="Red, You, 0 points, to move")).to_be_visible()
    expect(person.page.get_by_role("img", name="Green, Beginner, 0 points")).to_be_visible()
    person.choose(red="level:2")
    person.sees_pieces(1)
    expect(person.button("Undo")).to_be_disabled()  # there is no drop of ours
    person.drop(1)
    assert sum(row.count(1) for row in person.sees_pieces(3)) == 2


def test_a_hint_marks_a_column_and_gives_its_value(person: PageUser) -> None:
    person.open()
    person.choose()
    for count, column in enumerate((4, 1, 4, 1, 4, 1), start=1):  # three each
        person.press(column)
        person.sees_pieces(count)
    person.press("h")
    expect(person.page.locator(".column-values .hinted b")).to_have_text("4")
    ring, over = person.page.locator(".hint-marker circle").bounding_box(), person.column(4).bounding_box()
    assert ring is not None
    assert over is not None
    # It is where the piece would come to rest.
    assert abs(ring["x"] + ring["width"] / 2 - over["x"] - over["width"] / 2) < 1
    assert ring["y"] > over["y"] + over["height"] / 3
    expect(person.status).to_have_text(re.compile(r"^Hint: column 4\. With perfect play red wins by \d+\.$"))


@pytest.mark.own_context
@pytest.mark.parametrize("more", [2, pytest.param(42, marks=pytest.mark.long)])
def test_two_computers_play_to_the_end_and_can_be_paused(person: PageUser, more: int) -> None:
    person.page.clock.install()
    person.open()
    person.choose(red="level:1", green="level:1")
    person.button("New game").click()
    for _ in range(3):
        person.page.clock.run_for(1000)
    expect(person.page.locator("#board .piece").nth(1)).to_be_attached()
    person.button("Pause").click()
    person.page.clock.run_for(3000)
    expect(person.page.locator("body")).not_to_have_class("thinking")
    paused = person.page.locator("#board .piece").count()
    person.page.clock.run_for(3000)
    assert person.page.locator("#board .piece").count() == paused
    person.button("Resume").click()
    pieces = min(paused + more, 42)
    assert paused < pieces
    for _ in range(200):
        if person.page.locator("#board .piece").count() >= pieces:
            break
        person.page.clock.run_for(1000)
    expect(person.page.locator("#board .piece").nth(pieces - 1)).to_be_attached()
    if pieces == 42:
        person.sees_pieces(42)
        expect(person.status).to_have_class("result")


def test_the_classic_game_ends_with_the_first_four_and_has_no_points(person: PageUser) -> None:
    person.open()
    person.choose(game="classic")
    expect(person.page.get_by_role("img", name="Red, to move", exact=True)).to_be_visible()
    board = Board("classic")
    for column in (4, 1, 4, 1, 4, 1, 4):
        person.press(column)
        board.drop(column)
        person.sees(board)
    expect(person.status).to_contain_text("Red has four in a row and wins")
    expect(person.page.get_by_role("img", name="Red, wins", exact=True)).to_be_visible()
    expect(person.page.get_by_role("img", name="Green", exact=True)).to_be_visible()
    expect(person.page.locator("#points")).not_to_contain_text(re.compile(r"\d"))
    person.press(7)
    person.sees(board)
    person.button("New game").click()
    person.sees_pieces(0)
    person.choose(game="classic", green="level:3")
    board = Board("classic")
    for column in (4, 4, 4):
        board.drop(column)
        person.press(column)
        person.sees_answer(board)


def test_pieces_fall_unless_motion_is_reduced(person: PageUser) -> None:
    person.page.emulate_media(reduced_motion="no-preference")
    person.open()
    person.choose()
    begun = """() => {
        window.falls = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...words) { window.falls++; return animate.apply(this, words); };
    }"""
    person.page.evaluate(begun)
    person.drop(4)
    person.sees_pieces(1)
    assert person.value("window.falls + document.getAnimations().length") > 0
    person.page.emulate_media(reduced_motion="reduce")
    person.value("window.falls = 0")
    person.drop(4)
    person.sees_pieces(2)
    assert person.value("window.falls + document.getAnimations().length") == 0
