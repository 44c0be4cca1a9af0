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
from api_client import BASE_URL, ApiClient, api_client, json_of
from positions import digits

from maxconnect4 import Board, board_from_moves
from maxconnect4.errors import FileInUse
from maxconnect4.position_file import board_as_text
from maxconnect4.web import games as games_module
from maxconnect4.web.games import GameStore
from maxconnect4.web.security import network

NOBODYS = "0" * 32


def begun(client: ApiClient, red: str = "person", green: str = "person", moves: str = "", **more: Any) -> Any:
    return client.post("/games", players=[red, green], moves=moves, **more)


def test_a_game_is_stored_from_its_start(client: ApiClient) -> None:
    game = client.post("/games")
    assert (game["game"], game["players"], game["future"]) == ("max", ["person", "level:4"], "")
    assert len(game["id"]) == 32
    assert client.get(f"/games/{game['id']}") == game
    assert game["created"] == game["changed"]


def test_a_person_plays_a_whole_game_against_the_computer(client: ApiClient) -> None:
    game, rng = begun(client, "person", "level:4"), random.Random(3)
    board = Board()
    while not game["position"]["over"]:
        board.drop(rng.choice(game["position"]["columns"]))
        game = client.post(f"/games/{game['id']}/drop", column=board.drops[-1], at=len(board.drops) - 1)
        assert game["position"]["moves"] == board.moves
        game = client.post(f"/games/{game['id']}/computer", at=len(board.drops))
        board.drop(game["choice"]["column"])
        assert game["position"]["moves"] == board.moves
    assert board.is_full()
    assert game["position"]["result"]
    assert client.get("/games")["games"][0]["over"]


def test_two_computers_play_a_whole_classic_game(client: ApiClient) -> None:
    game = begun(client, "level:3", "level:2", game="classic")
    for at in range(42):
        if game["position"]["over"]:
            break
        game = client.post(f"/games/{game['id']}/computer", at=at)
    assert game["position"]["over"]


def test_a_drop_against_the_rules_is_refused_and_changes_nothing(client: ApiClient) -> None:
    game = begun(client, moves="444444")
    assert client.refused("POST", f"/games/{game['id']}/drop", json={"column": 4}) == "column 4 is full"
    words = "the parameter 'column' must be a whole number from 1 to 7, not 8"
    assert client.refused("POST", f"/games/{game['id']}/drop", json={"column": 8}) == words
    assert client.get(f"/games/{game['id']}") == game


def test_a_client_with_an_old_state_gets_the_current_game(client: ApiClient) -> None:
    game = begun(client, moves="44")
    answer = client.ask("POST", f"/api/v2/games/{game['id']}/drop", json={"column": 4, "at": 1})
    assert json_of(answer, 409) == {"error": "the game was changed elsewhere: it has 2 moves now, not 1", "game": game}


def test_a_move_out_of_turn_is_refused(client: ApiClient) -> None:
    game = begun(client, "level:1", "person")
    path = f"/games/{game['id']}"
    assert client.refused("POST", f"{path}/drop", 409, json={"column": 4}) == "it is the computer's turn"
    client.post(f"{path}/computer")
    assert client.refused("POST", f"{path}/computer", 409, json={}) == "it is a person's turn"
    over = begun(client, moves="1122334", game="classic", green="level:1")
    path = f"/games/{over['id']}"
    assert client.refused("POST", f"{path}/drop", 409, json={"column": 4}) == "the game is over"
    assert client.refused("POST", f"{path}/computer", 409, json={}) == "the game is over"


def test_undo_goes_back_to_where_a_person_is_to_move_and_redo_on(client: ApiClient) -> None:
    game = begun(client, "person", "level:3", moves="4453")
    path = f"/games/{game['id']}"
    back = client.post(f"{path}/undo", at=4)
    assert (back["position"]["moves"], back["future"]) == ("44", "53")
    back = client.post(f"{path}/undo", at=2)
    assert (back["position"]["moves"], back["future"]) == ("", "4453")
    assert client.refused("POST", f"{path}/undo", 409, json={"at": 0}) == "there is no move to undo"
    on = client.post(f"{path}/redo", at=0)
    assert (on["position"]["moves"], on["future"]) == ("44", "53")
    client.post(f"{path}/redo")
    assert client.refused("POST", f"{path}/redo", 409, json={}) == "there is no move to redo"


def test_undo_before_the_computer_has_answered_takes_back_one_drop(client: ApiClient) -> None:
    game = begun(client, "person", "level:3", moves="445")
    assert client.post(f"/games/{game['id']}/undo")["position"]["moves"] == "44"


def test_the_computers_first_drop_cannot_be_undone_by_the_person(client: ApiClient) -> None:
    game = begun(client, "level:3", "person", moves="4")
    words = "you have no move to undo"
    assert client.refused("POST", f"/games/{game['id']}/undo", 409, json={}) == words
    assert client.get(f"/games/{game['id']}") == game


@pytest.mark.parametrize("players", [("person", "person"), ("level:1", "level:2")])
def test_where_no_person_or_two_play_undo_takes_back_one_drop(client: ApiClient, players: tuple[str, str]) -> None:
    game = begun(client, *players, moves="445")
    back = client.post(f"/games/{game['id']}/undo")
    assert (back["position"]["moves"], back["future"]) == ("44", "5")
    assert client.post(f"/games/{game['id']}/redo")["position"]["moves"] == "445"


def test_a_drop_that_differs_from_what_was_undone_forgets_it(client: ApiClient) -> None:
    game = begun(client, moves="4453")
    path = f"/games/{game['id']}"
    client.post(f"{path}/undo")
    client.post(f"{path}/undo")
    assert client.post(f"{path}/drop", column=5)["future"] == "3"
    assert client.post(f"{path}/drop", column=6)["future"] == ""


def test_the_computer_plays_the_same_again_after_an_undo(client: ApiClient) -> None:
    game = begun(client, "person", "level:2", moves="4")
    path = f"/games/{game['id']}"
    first = client.post(f"{path}/computer")["position"]["moves"]
    for _ in range(3):
        client.post(f"{path}/undo")
        client.post(f"{path}/drop", column=4)
        assert client.post(f"{path}/computer")["position"]["moves"] == first


def test_a_position_that_was_set_up_is_where_undo_ends(client: ApiClient) -> None:
    start = digits(board_from_moves("4453"))
    game = begun(client, start=start, moves="4")
    assert game["position"]["start"] == start
    back = client.post(f"/games/{game['id']}/undo")
    assert back["position"]["history"] == []
    assert client.refused("POST", f"/games/{game['id']}/undo", 409, json={}) == "there is no move to undo"


def test_others_can_play_on(client: ApiClient) -> None:
    game = begun(client, moves="4")
    answer = client.ask("PATCH", f"/api/v2/games/{game['id']}", json={"players": ["person", "level:1"]})
    assert json_of(answer)["players"] == ["person", "level:1"]
    assert client.post(f"/games/{game['id']}/computer")["position"]["history"][1:]


@pytest.mark.parametrize("players", [["person"], ["person", "level:9"], "person", [1, 2], ["person", None]])
def test_players_that_there_are_not_are_refused(client: ApiClient, players: Any) -> None:
    words = client.refused("POST", "/games", json={"players": players})
    assert words.startswith("the parameter 'players' must be a list of 2, each one of level:1,")


def test_games_are_listed_with_the_last_changed_first(client: ApiClient) -> None:
    ids = [begun(client, moves="3")["id"] for _ in range(5)]
    client.post(f"/games/{ids[1]}/drop", column=4)
    order = [ids[1], ids[4], ids[3], ids[2], ids[0]]
    first = client.get("/games", limit=2)
    assert ([game["id"] for game in first["games"]], first["more"]) == (order[:2], True)
    second = client.get("/games", limit=3, before=order[1])
    assert ([game["id"] for game in second["games"]], second["more"]) == (order[2:], False)
    assert first["games"][0]["moves"] == "34"
    assert client.get("/games", before=order[-1]) == {"games": [], "more": False}


def test_a_game_without_a_drop_is_not_listed_unless_there_was_one(client: ApiClient) -> None:
    name = begun(client)["id"]
    assert client.get("/games")["games"] == []
    client.post(f"/games/{name}/drop", column=4)
    client.post(f"/games/{name}/undo")
    assert [(game["id"], game["moves"]) for game in client.get("/games")["games"]] == [(name, "")]


def test_a_game_that_is_deleted_is_gone(client: ApiClient) -> None:
    game = begun(client, moves="4")
    assert json_of(client.ask("DELETE", f"/api/v2/games/{game['id']}")) == {"deleted": game["id"]}
    assert client.refused("GET", f"/games/{game['id']}", 404) == "this game does not exist: it may have been deleted"
    assert client.get("/games")["games"] == []


@pytest.mark.parametrize("path", ["", "/export?as=text"])
@pytest.mark.parametrize("name", [NOBODYS, "x", "", "%00", "%ff", "'; DROP TABLE games"])
def test_a_game_that_there_is_not_is_not_found(client: ApiClient, name: str, path: str) -> None:
    assert client.refused("GET", f"/games/{name}{path}", 404)


def test_a_game_is_exported_as_text(client: ApiClient) -> None:
    game = begun(client, "person", "level:4", moves="1122334")
    answer = client.ask("GET", f"/api/v2/games/{game['id']}/export?as=text")
    assert answer.headers["content-disposition"].startswith('attachment; filename="max-')
    lines = answer.text.splitlines()
    assert lines[0].startswith("Max-Connect4, 20")
    assert lines[1] == "Red: person. Green: computer, level 4."
    assert lines[2] == "Moves: 1122334"
    assert " 7. Red plays column 4 and scores 1 point: red 1, green 0." in lines
    assert lines[-1] == "1111..."


def test_a_game_is_exported_as_json_and_as_a_position_file(client: ApiClient) -> None:
    game = begun(client, moves="4453")
    answer = client.ask("GET", f"/api/v2/games/{game['id']}/export?as=json")
    assert answer.json() == game
    answer = client.ask("GET", f"/api/v2/games/{game['id']}/export?as=position")
    assert answer.text == board_as_text(board_from_moves("4453"))
    words = "the parameter 'as' must be one of json, position, text, not 'pdf'"
    assert client.refused("GET", f"/games/{game['id']}/export?as=pdf") == words


def test_games_are_still_there_after_the_server_has_ended(tmp_path: Path) -> None:
    with api_client(tmp_path) as client:
        game = begun(client, moves="4453")
        game = client.post(f"/games/{game['id']}/undo")
    with api_client(tmp_path) as client:
        assert client.get(f"/games/{game['id']}") == game
        assert len(client.get("/games")["games"]) == 1


def test_where_many_share_a_server_each_sees_the_games_that_they_began(tmp_path: Path) -> None:
    with api_client(tmp_path, shared=True, base="http://192.0.2.7:8044") as client:
        answer = client.ask("POST", "/api/v2/games", json={"moves": "4"})
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        mine = answer.json()
        assert [game["id"] for game in client.get("/games")["games"]] == [mine["id"]]
        client.http.cookies.clear()  # client else
        assert client.get("/games")["games"] == []
        assert client.get(f"/games/{mine['id']}") == mine, "who has the link may see the game"
        words = "only the browser that created a game can delete it"
        assert client.refused("DELETE", f"/games/{mine['id']}", 403) == words
    with api_client(tmp_path) as client:
        assert [game["id"] for game in client.get("/games")["games"]] == [mine["id"]], "at home all are seen"
        assert "set-cookie" not in client.ask("GET", "/api/v2/games").headers


OVER = "1122334"  # a classic game that red has won


def names(client: ApiClient) -> list[str]:
    """The games that are listed, the oldest first."""
    return [game["id"] for game in reversed(client.get("/games")["games"])]


def test_the_oldest_unfinished_game_makes_room(client: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_module, "MAX_GAMES", 4)
    finished = [begun(client, moves=OVER, game="classic")["id"] for _ in range(2)]
    first, _ = (begun(client, moves="4")["id"] for _ in range(2))
    client.post(f"/games/{first}/drop", column=4)  # now it is the younger one
    third = begun(client, moves="4")["id"]
    assert names(client) == [*finished, first, third]
    for _ in range(2):
        begun(client, moves=OVER, game="classic")
    assert finished == names(client)[:2]
    last = begun(client, moves=OVER, game="classic")["id"]
    assert names(client)[0] == finished[1], "only then finished ones go"
    assert names(client)[-1] == last


def test_an_owner_makes_room_only_in_their_own_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_module, "MAX_GAMES_OF_OWNER", 2)
    with api_client(tmp_path, shared=True) as client:
        mine = [begun(client, moves="4")["id"] for _ in range(3)]
        assert names(client) == mine[1:]
        client.http.cookies.clear()  # client else
        begun(client, moves="4")
        assert [client.ask("GET", f"/api/v2/games/{each}").status_code for each in mine] == [404, 200, 200]
    with api_client(tmp_path) as client:
        for _ in range(3):
            begun(client, moves="4")
        assert len(names(client)) == 6, "at home there is one owner, and no limit but that of all games"


def test_an_address_makes_room_only_in_its_own_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_module, "MAX_GAMES_OF_ADDRESS", 3)
    with api_client(tmp_path, shared=True) as client:
        other = ApiClient(client.service, client.runner, BASE_URL, ip="192.0.2.9")
        others = begun(other, moves="4")["id"]
        mine = []
        for _ in range(5):
            mine.append(begun(client, moves="4")["id"])
            client.http.cookies.clear()  # which does not make anybody another one
        assert [client.ask("GET", f"/api/v2/games/{each}").status_code for each in mine] == [404, 404, 200, 200, 200]
        assert client.get(f"/games/{others}")["id"] == others
        client.runner.run(other.http.aclose())


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
    class First(GameStore):
        TABLES = games_module.TABLES[:-2]  # type: ignore[assignment]

    path = tmp_path / "games.sqlite"
    with First(str(path)) as first:
        game = first.create(Board(), None, ("person", "person"))
        path.chmod(0o644)
    with api_client(tmp_path, shared=True) as client:
        assert client.get(f"/games/{game.id}")["id"] == game.id
        begun(client)
    with GameStore(str(path)) as second:
        assert second.find(game.id) == game


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.glob("games.sqlite*")}


def test_only_the_owner_can_read_the_games_file_and_its_journal(tmp_path: Path) -> None:
    private = dict.fromkeys(("games.sqlite", "games.sqlite-wal", "games.sqlite-shm"), 0o600)
    old = os.umask(0)
    try:
        with api_client(tmp_path) as client:
            begun(client)
            assert modes(tmp_path) == private
            for path in tmp_path.glob("games.sqlite*"):  # as a server of version 0.1.0 that was killed leaves them
                path.chmod(0o644)
                shutil.copy(path, tmp_path / f"old-{path.name}")
        for path in tmp_path.glob("old-*"):
            path.rename(tmp_path / path.name.removeprefix("old-"))
            (tmp_path / path.name.removeprefix("old-")).chmod(0o644)
        with api_client(tmp_path) as client:
            assert modes(tmp_path) == private
            begun(client)
            assert modes(tmp_path) == private
    finally:
        os.umask(old)


@pytest.mark.parametrize("journal", ["kept", "deleted"])
@pytest.mark.parametrize("change", ["make", "drop"])
def test_a_file_that_was_deleted_is_noticed(tmp_path: Path, change: str, journal: str) -> None:
    path = tmp_path / "games.sqlite"
    with api_client(tmp_path) as client:
        client.service.games.put_metadata({"address": "http://127.0.0.1:1/"})
        game = begun(client, moves="4")
        for each in tmp_path.glob("games.sqlite*") if journal == "deleted" else [path]:
            each.unlink()
        if change == "make":
            client.refused("POST", "/games", 503, json={})
        else:
            client.refused("POST", f"/games/{game['id']}/drop", 503, json={"column": 4})
        new = begun(client, moves="44")["id"]
        assert names(client) == [new]
        client.refused("GET", f"/games/{game['id']}", 404)
    with api_client(tmp_path) as client:
        assert names(client) == [new]
        assert client.service.games.metadata() == {"address": "http://127.0.0.1:1/"}
    assert modes(tmp_path) == {"games.sqlite": 0o600}


def test_a_file_that_was_replaced_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with api_client(tmp_path) as client:
        kept = begun(client, moves="4")["id"]
    shutil.copy(path, tmp_path / "backup")
    with api_client(tmp_path) as client:
        for _ in range(20):
            begun(client, moves="44")
        (tmp_path / "backup").rename(path)
        client.refused("POST", "/games", 503, json={})
        new = begun(client, moves="44")["id"]
        assert names(client) == [kept, new]
    with api_client(tmp_path) as client:
        assert names(client) == [kept, new]
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_without_the_folder_of_the_games_file_nothing_is_stored(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with api_client(folder) as client:
        begun(client)
        folder.rename(tmp_path / "away")
        for _ in range(2):
            client.refused("POST", "/games", 507, json={})
        client.refused("GET", "/games", 507)
        assert client.get("/position")["moves"] == ""
        folder.mkdir()
        client.refused("POST", "/games", 503, json={})
        begun(client)


def test_a_slow_disk_holds_up_no_other_request(client: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    begun_waiting, goes_on = threading.Event(), threading.Event()
    make = client.service.games.create

    def slowly(*arguments: Any) -> Any:
        begun_waiting.set()
        assert goes_on.wait(20)
        return make(*arguments)

    monkeypatch.setattr(client.service.games, "create", slowly)

    async def both() -> tuple[int, int]:
        slow = asyncio.create_task(client.http.post("/api/v2/games", json={}))
        while not begun_waiting.is_set():
            await asyncio.sleep(0.01)
        quick = await client.http.get("/api/v2/position")
        assert not slow.done()
        goes_on.set()
        return quick.status_code, (await slow).status_code

    assert client.runner.run(both()) == (200, 201)


def test_a_disk_error_is_reported_with_a_message(client: ApiClient, caplog: pytest.LogCaptureFixture) -> None:
    games = client.service.games
    games._database.execute("PRAGMA query_only = ON")
    words = "cannot be written: attempt to write a readonly database"
    assert client.refused("POST", "/games", 507, json={}) == f"the file of games {words}"
    assert caplog.messages == [f"maxconnect4: {games.name} {words}"], "where it is, only who started it is told"


def test_a_locked_file_does_not_block_other_requests(client: ApiClient, tmp_path: Path) -> None:
    game = begun(client)
    with closing(sqlite3.connect(tmp_path / "games.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        start = time.monotonic()
        words = client.refused("POST", f"/games/{game['id']}/drop", 503, json={"column": 4})
        assert time.monotonic() - start < 4
        assert words == "the file of games is in use by another process: try again"
        assert client.get(f"/games/{game['id']}") == game
    assert client.post(f"/games/{game['id']}/drop", column=4)["position"]["moves"] == "4"


def test_one_server_at_a_time_keeps_games_in_a_file(tmp_path: Path) -> None:
    path = str(tmp_path / "games.sqlite")
    with GameStore(path) as games:
        games.put_metadata({"address": "http://127.0.0.1:1/"})
        with pytest.raises(FileInUse, match="is in use by another process"):
            GameStore(path)
        with GameStore(path, read_only=True) as reader:
            assert reader.metadata() == {"address": "http://127.0.0.1:1/"}
