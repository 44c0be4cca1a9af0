"""Games that the server keeps: playing them, taking back, listing them, and losing none."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from asking import HERE, Asking, asking, said
from positions import digits

from maxconnect4 import Board, board_from_moves
from maxconnect4.errors import InUse
from maxconnect4.files import board_as_text
from maxconnect4.web.games import kept as games_module
from maxconnect4.web.games.kept import Games
from maxconnect4.web.http.security import network

NOBODYS = "0" * 32


def begun(somebody: Asking, red: str = "person", green: str = "person", moves: str = "", **more: Any) -> Any:
    return somebody.post("/games", players=[red, green], moves=moves, **more)


def test_a_game_is_kept_from_its_first_moment(somebody: Asking) -> None:
    game = somebody.post("/games")
    assert (game["game"], game["players"], game["future"]) == ("max", ["person", "level:4"], "")
    assert len(game["id"]) == 32
    assert somebody.get(f"/games/{game['id']}") == game
    assert game["created"] == game["changed"]


def test_a_person_plays_a_whole_game_against_the_computer(somebody: Asking) -> None:
    game, rng = begun(somebody, "person", "level:4"), random.Random(3)
    board = Board()
    while not game["position"]["over"]:
        board.drop(rng.choice(game["position"]["columns"]))
        game = somebody.post(f"/games/{game['id']}/drop", column=board.drops[-1], at=len(board.drops) - 1)
        assert game["position"]["moves"] == board.moves
        game = somebody.post(f"/games/{game['id']}/computer", at=len(board.drops))
        board.drop(game["choice"]["column"])
        assert game["position"]["moves"] == board.moves
    assert board.is_full()
    assert game["position"]["result"]
    assert somebody.get("/games")["games"][0]["over"]


def test_two_computers_play_a_whole_classic_game(somebody: Asking) -> None:
    game = begun(somebody, "level:3", "level:2", game="classic")
    for at in range(42):
        if game["position"]["over"]:
            break
        game = somebody.post(f"/games/{game['id']}/computer", at=at)
    assert game["position"]["over"]


def test_a_drop_against_the_rules_is_refused_and_changes_nothing(somebody: Asking) -> None:
    game = begun(somebody, moves="444444")
    assert somebody.refused("POST", f"/games/{game['id']}/drop", json={"column": 4}) == "column 4 is full"
    words = "column has to be a whole number from 1 to 7, not 8"
    assert somebody.refused("POST", f"/games/{game['id']}/drop", json={"column": 8}) == words
    assert somebody.get(f"/games/{game['id']}") == game


def test_who_does_not_know_of_the_last_drop_is_told_the_game_as_it_is(somebody: Asking) -> None:
    game = begun(somebody, moves="44")
    answer = somebody.ask("POST", f"/api/v1/games/{game['id']}/drop", json={"column": 4, "at": 1})
    assert said(answer, 409) == {"error": "the game has gone on elsewhere: it has 2 drops now, not 1", "game": game}


def test_nobody_drops_out_of_turn(somebody: Asking) -> None:
    game = begun(somebody, "level:1", "person")
    path = f"/games/{game['id']}"
    assert somebody.refused("POST", f"{path}/drop", 409, json={"column": 4}) == "it is the computer's turn"
    somebody.post(f"{path}/computer")
    assert somebody.refused("POST", f"{path}/computer", 409, json={}) == "it is a person's turn"
    over = begun(somebody, moves="1122334", game="classic", green="level:1")
    path = f"/games/{over['id']}"
    assert somebody.refused("POST", f"{path}/drop", 409, json={"column": 4}) == "the game is over"
    assert somebody.refused("POST", f"{path}/computer", 409, json={}) == "the game is over"


def test_undo_goes_back_to_where_a_person_is_to_move_and_redo_on(somebody: Asking) -> None:
    game = begun(somebody, "person", "level:3", moves="4453")
    path = f"/games/{game['id']}"
    back = somebody.post(f"{path}/undo", at=4)
    assert (back["position"]["moves"], back["future"]) == ("44", "53")
    back = somebody.post(f"{path}/undo", at=2)
    assert (back["position"]["moves"], back["future"]) == ("", "4453")
    assert somebody.refused("POST", f"{path}/undo", 409, json={"at": 0}) == "there is no drop to undo"
    on = somebody.post(f"{path}/redo", at=0)
    assert (on["position"]["moves"], on["future"]) == ("44", "53")
    somebody.post(f"{path}/redo")
    assert somebody.refused("POST", f"{path}/redo", 409, json={}) == "there is no drop to redo"


def test_undo_before_the_computer_has_answered_takes_back_one_drop(somebody: Asking) -> None:
    game = begun(somebody, "person", "level:3", moves="445")
    assert somebody.post(f"/games/{game['id']}/undo")["position"]["moves"] == "44"


def test_the_computers_first_drop_cannot_be_undone_by_the_person(somebody: Asking) -> None:
    game = begun(somebody, "level:3", "person", moves="4")
    words = "there is no drop of yours to undo"
    assert somebody.refused("POST", f"/games/{game['id']}/undo", 409, json={}) == words
    assert somebody.get(f"/games/{game['id']}") == game


@pytest.mark.parametrize("players", [("person", "person"), ("level:1", "level:2")])
def test_where_no_person_or_two_play_undo_takes_back_one_drop(somebody: Asking, players: tuple[str, str]) -> None:
    game = begun(somebody, *players, moves="445")
    back = somebody.post(f"/games/{game['id']}/undo")
    assert (back["position"]["moves"], back["future"]) == ("44", "5")
    assert somebody.post(f"/games/{game['id']}/redo")["position"]["moves"] == "445"


def test_a_drop_that_differs_from_what_was_undone_forgets_it(somebody: Asking) -> None:
    game = begun(somebody, moves="4453")
    path = f"/games/{game['id']}"
    somebody.post(f"{path}/undo")
    somebody.post(f"{path}/undo")
    assert somebody.post(f"{path}/drop", column=5)["future"] == "3"
    assert somebody.post(f"{path}/drop", column=6)["future"] == ""


def test_the_computer_plays_the_same_again_after_an_undo(somebody: Asking) -> None:
    game = begun(somebody, "person", "level:2", moves="4")
    path = f"/games/{game['id']}"
    first = somebody.post(f"{path}/computer")["position"]["moves"]
    for _ in range(3):
        somebody.post(f"{path}/undo")
        somebody.post(f"{path}/drop", column=4)
        assert somebody.post(f"{path}/computer")["position"]["moves"] == first


def test_a_position_that_was_set_up_is_where_undo_ends(somebody: Asking) -> None:
    start = digits(board_from_moves("4453"))
    game = begun(somebody, start=start, moves="4")
    assert game["position"]["start"] == start
    back = somebody.post(f"/games/{game['id']}/undo")
    assert back["position"]["drops"] == []
    assert somebody.refused("POST", f"/games/{game['id']}/undo", 409, json={}) == "there is no drop to undo"


def test_others_can_play_on(somebody: Asking) -> None:
    game = begun(somebody, moves="4")
    answer = somebody.ask("PATCH", f"/api/v1/games/{game['id']}", json={"players": ["person", "level:1"]})
    assert said(answer)["players"] == ["person", "level:1"]
    assert somebody.post(f"/games/{game['id']}/computer")["position"]["drops"][1:]


@pytest.mark.parametrize("players", [["person"], ["person", "level:9"], "person", [1, 2], ["person", None]])
def test_players_that_there_are_not_are_refused(somebody: Asking, players: Any) -> None:
    words = somebody.refused("POST", "/games", json={"players": players})
    assert words.startswith("players has to be a list of two, red's and green's, each one of person, level:1")


def test_games_are_listed_with_the_last_changed_first(somebody: Asking) -> None:
    ids = [begun(somebody, moves="3")["id"] for _ in range(5)]
    somebody.post(f"/games/{ids[1]}/drop", column=4)
    order = [ids[1], ids[4], ids[3], ids[2], ids[0]]
    first = somebody.get("/games", limit=2)
    assert ([game["id"] for game in first["games"]], first["more"]) == (order[:2], True)
    second = somebody.get("/games", limit=3, before=order[1])
    assert ([game["id"] for game in second["games"]], second["more"]) == (order[2:], False)
    assert first["games"][0]["moves"] == "34"
    assert somebody.get("/games", before=order[-1]) == {"games": [], "more": False}


def test_a_game_without_a_drop_is_not_listed_unless_there_was_one(somebody: Asking) -> None:
    name = begun(somebody)["id"]
    assert somebody.get("/games")["games"] == []
    somebody.post(f"/games/{name}/drop", column=4)
    somebody.post(f"/games/{name}/undo")
    assert [(game["id"], game["moves"]) for game in somebody.get("/games")["games"]] == [(name, "")]


def test_a_game_that_is_deleted_is_gone(somebody: Asking) -> None:
    game = begun(somebody, moves="4")
    assert said(somebody.ask("DELETE", f"/api/v1/games/{game['id']}")) == {"deleted": game["id"]}
    assert somebody.refused("GET", f"/games/{game['id']}", 404) == "there is no such game"
    assert somebody.get("/games")["games"] == []


@pytest.mark.parametrize("path", ["", "/export?as=text"])
@pytest.mark.parametrize("name", [NOBODYS, "x", "", "%00", "%ff", "'; DROP TABLE games"])
def test_a_game_that_there_is_not_is_not_found(somebody: Asking, name: str, path: str) -> None:
    assert somebody.refused("GET", f"/games/{name}{path}", 404)


def test_a_game_can_be_kept_as_text_for_people(somebody: Asking) -> None:
    game = begun(somebody, "person", "level:4", moves="1122334")
    answer = somebody.ask("GET", f"/api/v1/games/{game['id']}/export?as=text")
    assert answer.headers["content-disposition"].startswith('attachment; filename="max-')
    lines = answer.text.splitlines()
    assert lines[0].startswith("Max-Connect4, 20")
    assert lines[1] == "Red: a person. Green: the computer, level 4."
    assert lines[2] == "Moves: 1122334"
    assert " 7. Red drops in column 4 and scores 1 point: red 1, green 0." in lines
    assert lines[-1] == "1111..."


def test_a_game_can_be_kept_for_programs_and_as_the_assignments_file(somebody: Asking) -> None:
    game = begun(somebody, moves="4453")
    answer = somebody.ask("GET", f"/api/v1/games/{game['id']}/export?as=json")
    assert answer.json() == game
    answer = somebody.ask("GET", f"/api/v1/games/{game['id']}/export?as=position")
    assert answer.text == board_as_text(board_from_moves("4453"))
    words = "as has to be one of text, json, position, not 'pdf'"
    assert somebody.refused("GET", f"/games/{game['id']}/export?as=pdf") == words


def test_games_are_still_there_after_the_server_has_ended(tmp_path: Path) -> None:
    with asking(tmp_path) as somebody:
        game = begun(somebody, moves="4453")
        game = somebody.post(f"/games/{game['id']}/undo")
    with asking(tmp_path) as somebody:
        assert somebody.get(f"/games/{game['id']}") == game
        assert len(somebody.get("/games")["games"]) == 1


def test_where_many_share_a_server_each_sees_the_games_that_they_began(tmp_path: Path) -> None:
    with asking(tmp_path, shared=True, base="http://192.0.2.7:8044") as somebody:
        answer = somebody.ask("POST", "/api/v1/games", json={"moves": "4"})
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        mine = answer.json()
        assert [game["id"] for game in somebody.get("/games")["games"]] == [mine["id"]]
        somebody.client.cookies.clear()  # somebody else
        assert somebody.get("/games")["games"] == []
        assert somebody.get(f"/games/{mine['id']}") == mine, "who has the link may see the game"
        words = "only who began a game can delete it"
        assert somebody.refused("DELETE", f"/games/{mine['id']}", 403) == words
    with asking(tmp_path) as somebody:
        assert [game["id"] for game in somebody.get("/games")["games"]] == [mine["id"]], "at home all are seen"
        assert "set-cookie" not in somebody.ask("GET", "/api/v1/games").headers


OVER = "1122334"  # a classic game that red has won


def names(somebody: Asking) -> list[str]:
    """The games that are listed, the oldest first."""
    return [game["id"] for game in reversed(somebody.get("/games")["games"])]


def test_the_oldest_unfinished_game_makes_room_for_a_new_one(somebody: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_module, "MOST_GAMES", 4)
    finished = [begun(somebody, moves=OVER, game="classic")["id"] for _ in range(2)]
    first, _ = (begun(somebody, moves="4")["id"] for _ in range(2))
    somebody.post(f"/games/{first}/drop", column=4)  # now it is the younger one
    third = begun(somebody, moves="4")["id"]
    assert names(somebody) == [*finished, first, third]
    for _ in range(2):
        begun(somebody, moves=OVER, game="classic")
    assert finished == names(somebody)[:2]
    last = begun(somebody, moves=OVER, game="classic")["id"]
    assert names(somebody)[0] == finished[1], "only then finished ones go"
    assert names(somebody)[-1] == last


def test_an_owner_makes_room_only_in_their_own_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_module, "MOST_OF_OWNER", 2)
    with asking(tmp_path, shared=True) as somebody:
        mine = [begun(somebody, moves="4")["id"] for _ in range(3)]
        assert names(somebody) == mine[1:]
        somebody.client.cookies.clear()  # somebody else
        begun(somebody, moves="4")
        assert [somebody.ask("GET", f"/api/v1/games/{each}").status_code for each in mine] == [404, 200, 200]
    with asking(tmp_path) as somebody:
        for _ in range(3):
            begun(somebody, moves="4")
        assert len(names(somebody)) == 6, "at home there is one owner, and no limit but that of all games"


def test_an_address_makes_room_only_in_its_own_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_module, "MOST_OF_ADDRESS", 3)
    with asking(tmp_path, shared=True) as somebody:
        other = Asking(somebody.service, somebody.runner, HERE, ip="192.0.2.9")
        others = begun(other, moves="4")["id"]
        mine = []
        for _ in range(5):
            mine.append(begun(somebody, moves="4")["id"])
            somebody.client.cookies.clear()  # which does not make anybody another one
        assert [somebody.ask("GET", f"/api/v1/games/{each}").status_code for each in mine] == [404, 404, 200, 200, 200]
        assert somebody.get(f"/games/{others}")["id"] == others
        somebody.runner.run(other.client.aclose())


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_an_address_counts_with_what_its_client_cannot_choose(address: str, counted: str) -> None:
    assert network(address) == counted


def test_a_file_of_the_first_version_is_opened_and_extended(tmp_path: Path) -> None:
    class First(Games):
        TABLES = games_module.TABLES[:-2]  # type: ignore[assignment]

    path = tmp_path / "games.sqlite"
    with First(str(path)) as first:
        game = first.make(Board(), None, ("person", "person"))
        path.chmod(0o644)
    with asking(tmp_path, shared=True) as somebody:
        assert somebody.get(f"/games/{game.id}")["id"] == game.id
        begun(somebody)
    with Games(str(path)) as second:
        assert second.find(game.id) == game


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.glob("games.sqlite*")}


def test_nobody_else_can_read_the_games_and_their_journal(tmp_path: Path) -> None:
    private = dict.fromkeys(("games.sqlite", "games.sqlite-wal", "games.sqlite-shm"), 0o600)
    old = os.umask(0)
    try:
        with asking(tmp_path) as somebody:
            begun(somebody)
            assert modes(tmp_path) == private
            for path in tmp_path.glob("games.sqlite*"):  # as a server of version 0.1.0 that was killed leaves them
                path.chmod(0o644)
                shutil.copy(path, tmp_path / f"old-{path.name}")
        for path in tmp_path.glob("old-*"):
            path.rename(tmp_path / path.name.removeprefix("old-"))
            (tmp_path / path.name.removeprefix("old-")).chmod(0o644)
        with asking(tmp_path) as somebody:
            assert modes(tmp_path) == private
            begun(somebody)
            assert modes(tmp_path) == private
    finally:
        os.umask(old)


@pytest.mark.parametrize("journal", ["kept", "deleted"])
@pytest.mark.parametrize("change", ["make", "drop"])
def test_a_file_that_was_deleted_is_noticed(tmp_path: Path, change: str, journal: str) -> None:
    path = tmp_path / "games.sqlite"
    with asking(tmp_path) as somebody:
        somebody.service.games.put_facts({"address": "http://127.0.0.1:1/"})
        game = begun(somebody, moves="4")
        for each in tmp_path.glob("games.sqlite*") if journal == "deleted" else [path]:
            each.unlink()
        if change == "make":
            somebody.refused("POST", "/games", 503, json={})
        else:
            somebody.refused("POST", f"/games/{game['id']}/drop", 503, json={"column": 4})
        new = begun(somebody, moves="44")["id"]
        assert names(somebody) == [new]
        somebody.refused("GET", f"/games/{game['id']}", 404)
    with asking(tmp_path) as somebody:
        assert names(somebody) == [new]
        assert somebody.service.games.facts() == {"address": "http://127.0.0.1:1/"}
    assert modes(tmp_path) == {"games.sqlite": 0o600}


def test_a_file_that_was_replaced_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with asking(tmp_path) as somebody:
        kept = begun(somebody, moves="4")["id"]
    shutil.copy(path, tmp_path / "backup")
    with asking(tmp_path) as somebody:
        for _ in range(20):
            begun(somebody, moves="44")
        (tmp_path / "backup").rename(path)
        somebody.refused("POST", "/games", 503, json={})
        new = begun(somebody, moves="44")["id"]
        assert names(somebody) == [kept, new]
    with asking(tmp_path) as somebody:
        assert names(somebody) == [kept, new]
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_while_there_is_no_folder_for_the_file_nothing_is_stored(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with asking(folder) as somebody:
        begun(somebody)
        folder.rename(tmp_path / "away")
        for _ in range(2):
            somebody.refused("POST", "/games", 507, json={})
        somebody.refused("GET", "/games", 507)
        assert somebody.get("/position")["moves"] == ""
        folder.mkdir()
        somebody.refused("POST", "/games", 503, json={})
        begun(somebody)


def test_a_slow_disk_holds_up_no_other_request(somebody: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    begun_waiting, goes_on = threading.Event(), threading.Event()
    make = somebody.service.games.make

    def slowly(*arguments: Any) -> Any:
        begun_waiting.set()
        assert goes_on.wait(20)
        return make(*arguments)

    monkeypatch.setattr(somebody.service.games, "make", slowly)

    async def both() -> tuple[int, int]:
        slow = asyncio.create_task(somebody.client.post("/api/v1/games", json={}))
        while not begun_waiting.is_set():
            await asyncio.sleep(0.01)
        quick = await somebody.client.get("/api/v1/position")
        assert not slow.done()
        goes_on.set()
        return quick.status_code, (await slow).status_code

    assert somebody.runner.run(both()) == (200, 201)


def test_a_disk_that_fails_is_told_in_words(somebody: Asking, caplog: pytest.LogCaptureFixture) -> None:
    games = somebody.service.games
    games._database.execute("PRAGMA query_only = ON")
    words = "cannot be written: attempt to write a readonly database"
    assert somebody.refused("POST", "/games", 507, json={}) == f"the file of games {words}"
    assert caplog.messages == [f"maxconnect4: {games.name} {words}"], "where it is, only who started it is told"


def test_a_file_that_is_locked_holds_nobody_up(somebody: Asking, tmp_path: Path) -> None:
    game = begun(somebody)
    with closing(sqlite3.connect(tmp_path / "games.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        start = time.monotonic()
        words = somebody.refused("POST", f"/games/{game['id']}/drop", 503, json={"column": 4})
        assert time.monotonic() - start < 4
        assert words == "the file of games is in use by another process: try again"
        assert somebody.get(f"/games/{game['id']}") == game
    assert somebody.post(f"/games/{game['id']}/drop", column=4)["position"]["moves"] == "4"


def test_one_server_at_a_time_keeps_games_in_a_file(tmp_path: Path) -> None:
    path = str(tmp_path / "games.sqlite")
    with Games(path) as games:
        games.put_facts({"address": "http://127.0.0.1:1/"})
        with pytest.raises(InUse, match="is in use by another process"):
            Games(path)
        with Games(path, read_only=True) as reader:
            assert reader.facts() == {"address": "http://127.0.0.1:1/"}
