"""The classic game before the referee: from its openings to its reports."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from external_programs import PATIENT, command_line, player, script
from hypothesis import given
from hypothesis import strategies as st
from terminal import GREEN_WINS, RED_WINS, maxconnect4

from maxconnect4 import GREEN, RED, BadPosition, Board, Solver, board_from_moves
from maxconnect4.errors import BadFile, BadSetup
from maxconnect4.position_keys import board_from_key, layers
from maxconnect4.referee import report
from maxconnect4.referee.config import read_tournament
from maxconnect4.referee.game import (
    ADJUDICATED,
    FORFEIT,
    FOUR,
    FULL,
    GameResult,
    GameSetup,
    PlayedGame,
    ReviewTask,
    Rules,
    ScheduledGame,
    play,
    points_of,
    regrets,
)
from maxconnect4.referee.match import TournamentRun
from maxconnect4.referee.move_validation import MoveResult
from maxconnect4.referee.openings import DECIDED, openings_from
from maxconnect4.referee.players import parse_player
from maxconnect4.referee.program import Program
from maxconnect4.referee.standings import standings
from maxconnect4.referee.store import ResultStore
from maxconnect4.referee.tournament import Tournament
from maxconnect4.sample_positions import is_decided

TWO = '[[player]]\nbuilt_in = "depth:2"\n[[player]]\nbuilt_in = "random"\n'
DRAWN = "373325357442245224577733645667452666111111"  # a full board without four


def result(red: str, green: str, opening: str = "", number: int = 1, **rules: object) -> GameResult:
    one, two = (parse_player(each, limits=PATIENT, game="classic") for each in (red, green))
    game = ScheduledGame(number, 1, 1, "one", "two", opening)
    return play(GameSetup(game, one, two, Rules(game="classic", **rules)))  # type: ignore[arg-type]


# Playing


@given(st.integers(0, 10**6), st.sampled_from(["random", "depth:2", "depth:1,eval=lines", "level:2"]))
def test_a_game_ends_with_the_first_four(seed: int, other: str) -> None:
    found = result("random", other, "4433", seed=seed)
    board = board_from_moves(found.moves, "classic")
    assert board.is_over()
    assert found.board("classic") == board
    assert found.ending == (FOUR if board.winner() else FULL)
    assert found.score == {RED: 1, GREEN: 0, None: 0.5}[board.winner()]
    assert len(found.cpu) == len(found.moves) - 4


@pytest.mark.parametrize(
    ("moves", "points"),
    [
        ("1212121", (18, 0)),  # with the fourth piece of 21
        ("12121232", (0, 18)),
        (DRAWN, (0, 0)),
        ("4444", (0, 0)),
    ],
)
def test_a_win_is_worth_the_drops_that_the_winner_had_left(moves: str, points: tuple[int, int]) -> None:
    assert points_of(board_from_moves(moves, "classic")) == points


def test_the_default_evaluation_is_that_of_the_game() -> None:
    settings = {game: parse_player("depth:4", game=game).built_in for game in ("max", "classic")}
    assert [each and each.evaluation for each in settings.values()] == ["best", "windows"]
    chosen = parse_player("time:1,eval=best", game="classic").built_in
    assert chosen is not None
    assert chosen.evaluation == "best"


def test_an_external_program_plays_with_the_same_files() -> None:
    found = result(command_line("honest"), "depth:2", "12", number=2)
    assert (found.ending, found.score, found.faults) == (FOUR, 0, ())
    assert board_from_moves(found.moves, "classic").winner() == GREEN
    wrong = result(command_line("floater"), "depth:2")
    assert (wrong.ending, wrong.score, wrong.points) == (FORFEIT, 0, (0, 0))
    instead = result(command_line("garbage"), "depth:3", on_fault="replace")
    assert board_from_moves(instead.moves, "classic").winner() == GREEN
    assert len(instead.faults) == -(-len(instead.moves) // 2)


@pytest.mark.parametrize("game", ["max", "classic"])
def test_a_command_gets_the_game_in_place_of_its_placeholder(game: str, tmp_path: Path) -> None:
    path = script(tmp_path, 'echo "$*"')
    asks = parse_player(f"{path} --game={{game}}", limits=PATIENT, game=game)
    assert Program(asks, game).run(b"", RED, 5).printed().split() == [
        f"--game={game}",
        *("one-move", "input.txt", "output.txt", "5"),
    ]
    plain = parse_player(str(path), limits=PATIENT, game=game)
    assert game not in Program(plain, game).run(b"", RED).printed()


def test_a_person_wins_with_four() -> None:
    def ask(board: Board) -> MoveResult:
        assert board.game == "classic"
        return MoveResult(1, None, (), 0.0)

    ends = parse_player("human"), player("honest")
    found = play(GameSetup(ScheduledGame(1, 1, 1, "you", "honest", ""), *ends, Rules(game="classic")), ask)
    assert (found.moves, found.ending, found.score) == ("1414141", FOUR, 1)


LATE = "641253234346172544314226"  # red is to move, and loses with the best play to green's last piece but two


def test_perfect_play_keeps_the_value_of_the_position() -> None:
    found = result("perfect", "perfect", LATE)
    assert (found.ending, found.score, found.points) == (FOUR, 0, (0, 3))
    assert result("depth:1", "perfect", LATE).score == 0


def test_the_solver_plays_on_where_a_game_is_adjudicated() -> None:
    found = result("random", "random", LATE, adjudicate=18)
    assert (found.moves, found.ending, found.score, found.points) == (LATE, ADJUDICATED, 0, (0, 3))
    board = board_from_moves(found.moves + found.line, "classic")
    assert (board.is_over(), points_of(board)) == (True, found.points)
    assert len(result("random", "random", LATE, adjudicate=16).moves) == 26


def test_the_regret_of_a_review_is_the_best_value_minus_the_value() -> None:
    solver = Solver(threads=1)
    for number in range(1, 6):
        moves = result("random", "level:4", LATE, number).moves
        lost = regrets(ReviewTask(number, moves, len(LATE), "classic"))
        board = board_from_moves(LATE, "classic")
        assert len(lost) == len(moves) - len(LATE)
        for column, less in zip(map(int, moves[len(LATE) :]), lost, strict=True):
            scores = solver.analyse(board, line=False).scores
            assert scores is not None
            assert less == max(each for each in scores if each is not None) - (scores[column - 1] or 0)
            board.drop(column)


# What games begin with


def test_openings_are_not_decided_and_stay_the_same() -> None:
    openings = openings_from("random:plies=9,count=60,seed=3", game="classic")
    assert len(set(openings)) == 60
    assert not any(is_decided(board_from_moves(each, "classic")) for each in openings)
    assert any(is_decided(board_from_moves(each)) for each in openings_from("random:plies=9,count=60,seed=3"))
    assert openings_from("random:plies=8,count=3", game="classic") == ["16624456", "11646146", "27711473"]
    assert openings_from("random", game="classic") == openings_from("random")  # four drops decide nothing


@pytest.mark.parametrize("deepest", [4, pytest.param(6, marks=pytest.mark.long)])
def test_as_many_openings_as_there_are(deepest: int) -> None:
    for plies, layer in enumerate(layers(deepest)):
        boards = [board_from_key(key, "classic") for key in layer]
        assert sum(map(is_decided, boards)) == DECIDED.get(plies, 0)
    assert len(openings_from("random:plies=2,count=25", game="classic")) == 25
    for plies, most in ((5, 2120), (6, 7603)):
        words = f"{most + 1:,} openings of {plies} plies: there are only {most:,}"
        with pytest.raises(BadSetup, match=words):
            openings_from(f"random:plies={plies},count={most + 1}", game="classic")
    with pytest.raises(BadSetup, match="31 plies"):
        openings_from("random:plies=31", game="classic")


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ("1212121", "'1212121' is a finished game"),
        ("12121212", "move 8 of '12121212': the game is over"),
        ("121212", "'121212' is decided: a four cannot be prevented"),
        ("31415", "'31415' is decided"),
    ],
)
def test_a_file_with_a_decided_opening_is_refused(moves: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "openings").write_text(f"44\n{moves}\n")
    assert openings_from(str(tmp_path / "openings")) == ["44", moves]
    with pytest.raises(BadPosition, match=f"openings, line 2: {why}"):
        openings_from(str(tmp_path / "openings"), game="classic")


# Tournaments


def test_a_tournament_file_names_the_game_and_the_command_line_may_change_it(tmp_path: Path) -> None:
    path = tmp_path / "class.toml"
    path.write_text(f'game = "classic"\n{TWO}')
    found = read_tournament(str(path))
    assert found.rules.game == "classic"
    assert found.players[0] == parse_player("depth:2", game="classic")
    assert read_tournament(str(path), game="max").rules.game == "max"
    path.write_text(TWO)
    assert read_tournament(str(path)).rules.game == "max"
    path.write_text(f'game = "chess"\n{TWO}')
    with pytest.raises(BadFile, match="game: 'chess' is not valid: choose max, classic"):
        read_tournament(str(path))


def test_results_of_one_game_are_not_resumed_with_the_other(tmp_path: Path) -> None:
    players = tuple(parse_player(text, game="classic") for text in ("depth:1", "depth:2,eval=lines"))
    classic = Tournament("two games", "round-robin", players, ("44",), Rules(game="classic"))
    with ResultStore(str(tmp_path / "file")) as file:
        TournamentRun(classic, file)
        assert Tournament.from_dict(file.metadata()["tournament"]) == classic
        facts = file.metadata()["tournament"]
        with pytest.raises(BadFile, match="file has results of the classic game"):
            TournamentRun(Tournament("two games", "round-robin", players, ("44",), Rules()), file)
    del facts["rules"]["game"]  # as it was before there were two
    assert Tournament.from_dict(facts).rules == Rules()


def test_a_match_is_of_the_classic_game_if_asked(tmp_path: Path) -> None:
    words = ("match", "depth:3", command_line("honest"), *["--game", "classic", "--openings", "random:count=2"])
    words += ("--processes", "1")
    done = maxconnect4(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    head, first, *_ = done.stdout.splitlines()
    assert head.split() == ["player", "games", "won", "drawn", "lost", "score", "Elo", "margin", "CPU"]
    assert first.split()[:7] == ["1", "depth:3", "4", "4", "0", "0", "4"]
    (path,) = tmp_path.iterdir()
    assert path.name.startswith("depth-3-vs-honest-classic-")
    facts = json.loads(maxconnect4(*words, "--json", cwd=tmp_path).stdout)
    assert (facts["game"], facts["games"], facts["standings"][0]["points_for"]) == ("classic", 4, None)
    refused = maxconnect4("match", *words[1:3], "--openings", "random:count=2", "--results", path, cwd=tmp_path)
    assert refused.returncode == 3
    assert "has results of the classic game" in refused.stderr


def test_a_person_plays_the_classic_game_in_a_match(tmp_path: Path) -> None:
    (tmp_path / "openings").write_text("-\n")
    words = ("match", "human", command_line("honest"), "--game", "classic", "--openings", "openings")
    done = maxconnect4(*words, cwd=tmp_path, input="1\n" * 8)
    assert (done.returncode, done.stderr) == (0, "")
    assert RED_WINS in done.stdout
    assert GREEN_WINS not in done.stdout  # who moves second is a drop behind
    assert "human against honest, 1 pair of games: score 50.0%" in done.stdout


# Reports

GAMES = [
    PlayedGame(
        ScheduledGame(1, 1, 1, "ada", "bob", "12"), GameResult(1, "1212121", FOUR, 1.0, (18, 0), (0.01,) * 5, 1.0)
    ),
    PlayedGame(
        ScheduledGame(2, 1, 1, "bob", "ada", "12"), GameResult(2, "12121232", FOUR, 0.0, (0, 18), (0.01,) * 6, 1.0)
    ),
    PlayedGame(
        ScheduledGame(3, 1, 2, "ada", "bob", ""),
        GameResult(3, DRAWN[:36], ADJUDICATED, 0.5, (0, 0), (0.01,) * 36, 1.0, "111111"),
    ),
]
EVENT = report.Event("Class", "classic")


def test_standings_have_no_points_and_margins_by_how_soon_a_win_came() -> None:
    ada, bob = standings(GAMES, ["ada", "bob"], "classic")
    assert (ada.wins, ada.draws, ada.score, ada.points_for, ada.points_against) == (2, 1, 2.5, None, None)
    assert (ada.margin.mean, bob.margin.mean) == (18, -18)


def test_tables_and_texts_leave_points_out() -> None:
    table = standings(GAMES, ["ada", "bob"], "classic")
    first = next(csv.DictReader(io.StringIO(report.standings_csv(table))))
    assert (first["points_for"], first["margin"]) == ("", "18.0")
    row = next(csv.DictReader(io.StringIO(report.games_csv(GAMES, "classic"))))
    assert (row["result"], row["red_points"], row["ending"]) == ("1-0", "", "four")
    record = json.loads(report.games_jsonl(GAMES, "classic").splitlines()[0])
    assert (record["game"], record["points"], record["moves"]) == ("classic", None, "1212121")
    pgn = report.games_pgn(EVENT, GAMES)
    assert '[Variant "classic"]' in pgn
    assert "Points" not in pgn


def test_a_transcript_names_the_game(tmp_path: Path) -> None:
    report.save_transcripts(str(tmp_path), EVENT, standings(GAMES, ["ada", "bob"], "classic"), GAMES)
    text = (tmp_path / "ada.txt").read_text()
    assert "Game: classic: the first four wins" in text
    assert "won 2, drawn 1, lost 0." in text
    assert "Won; four." in text
    assert "points" not in text


def test_a_match_with_perfect_play_is_reviewed(tmp_path: Path) -> None:
    (tmp_path / "openings").write_text(f"{LATE}\n")
    words = [
        "match",
        "perfect",
        "random",
        "--game",
        "classic",
        "--openings",
        "openings",
        "--review",
        "--json",
        "--processes",
        "1",
    ]
    done = maxconnect4(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    perfect, chance = json.loads(done.stdout)["standings"]
    assert (perfect["name"], perfect["regret"]) == ("perfect", 0)
    assert chance["regret"] > 0
