"""The staging of a move: the piece falls, its fours are drawn and counted, and then the computer answers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from browser import Held, Visitor
from page_user import PageUser
from playwright.sync_api import Route, expect

from maxconnect4 import board_from_moves

BEFORE_A_FOUR = "414243"  # column 4 scores a point for red
RECORD = """() => {
    window.stages = [];
    const look = () => {
        const [pieces, fours, gains] = ['svg > g:not(.pointer, .preview) .piece', '.four', '.gains text']
            .map((each) => document.querySelectorAll(`#board ${each}`).length);
        const points = document.querySelector('#points b').textContent;
        const stage = JSON.stringify({ pieces, fours, gains, points });
        if (stage !== window.stages.at(-1)) window.stages.push(stage);
        requestAnimationFrame(look);
    };
    look();
}"""


def play_from(person: PageUser, moves: str, game: str = "max") -> None:
    person.open(moves=moves, game=game)
    person.button("Play from here").click()
    expect(person.page.get_by_role("tab", name="Play")).to_have_attribute("aria-selected", "true")


def test_a_four_is_drawn_and_counted_before_the_computer_answers(person: PageUser) -> None:
    person.page.emulate_media(reduced_motion="no-preference")
    play_from(person, BEFORE_A_FOUR)
    person.value(RECORD)
    person.press(4)
    person.sees_pieces(8)
    stages: list[dict[str, Any]] = [json.loads(stage) for stage in person.value("window.stages")]
    falling = [stage for stage in stages if stage["pieces"] == 7 and not stage["gains"]]
    counted = [stage for stage in stages if stage["pieces"] == 7 and stage["gains"]]
    assert {stage["points"] for stage in falling} == {"0"}
    assert {stage["points"] for stage in counted} == {"1"}
    assert [stage["pieces"] for stage in stages] == sorted(stage["pieces"] for stage in stages)


def test_a_screen_reader_has_time_to_read_a_score(person: PageUser) -> None:
    play_from(person, BEFORE_A_FOUR)
    person.press(4)
    person.sees_pieces(8)
    expect(person.status).to_contain_text("Green plays")
    expect(person.status).not_to_contain_text("scores")
    expect(person.page.get_by_role("log")).to_contain_text("scores 1 point")


@pytest.mark.own_context
def test_a_move_is_shown_before_the_server_answers_and_taken_back_if_it_refuses(
    person: PageUser, visitor: Visitor
) -> None:
    play_from(person, BEFORE_A_FOUR)
    person.choose()
    drops = Held(person.page, "**/drop")
    person.press(4)
    person.sees(board_from_moves(BEFORE_A_FOUR + "4"))
    person.press(1)  # the next player does not wait either
    person.sees(board_from_moves(BEFORE_A_FOUR + "41"))
    drops.let_go()
    expect(person.status).to_contain_text("Green plays column 1")
    person.sees(board_from_moves(BEFORE_A_FOUR + "41"))

    def refuse(route: Route) -> None:
        route.fulfill(status=400, content_type="application/json", body='{"error": "not now"}')

    person.page.route("**/drop", refuse)
    person.press(2)
    expect(person.status).to_have_text("Not now.")
    person.sees(board_from_moves(BEFORE_A_FOUR + "41"))
    visitor.forgive("400")


def test_sounds_are_off_until_the_user_turns_them_on(person: PageUser) -> None:
    person.page.add_init_script("""window.notes = 0;
        window.OscillatorNode = class extends OscillatorNode {
            constructor(...values) { super(...values); window.notes++; }
        };""")
    play_from(person, BEFORE_A_FOUR)
    person.choose()
    switch = person.page.locator("#sound")
    expect(switch).to_have_attribute("aria-pressed", "false")
    person.press(4)
    person.sees_pieces(7)
    assert person.value("window.notes") == 0
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    notes = person.value("window.notes")
    person.press(1)
    person.sees_pieces(8)
    assert person.value("window.notes") > notes


def test_overlapping_fours_have_ticks_that_can_be_counted(person: PageUser) -> None:
    rows_of_seven = "444444333333555555222222666666111111777777"  # 12 fours each
    person.open(moves=rows_of_seven)
    person.sees(board_from_moves(rows_of_seven))
    centres = """() => [...document.querySelectorAll('#board .four .tick:not(.edge)')].map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return [Math.round(x + width / 2), Math.round(y + height / 2)].join();
    })"""
    assert len(set(person.value(centres))) == 24
