from __future__ import annotations

import time

import pytest
from external_programs import PATIENT, command_line
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import FULL as FILLED

from maxconnect4 import GREEN, RED, Board, Solver, board_from_moves
from maxconnect4.players import SearchingPlayer
from maxconnect4.position_file import board_as_text
from maxconnect4.referee.game import (
    ADJUDICATED,
    FORFEIT,
    FOUR,
    FULL,
    VOID,
    GameResult,
    GameSetup,
    ReviewTask,
    Rules,
    ScheduledGame,
    abandoned_game,
    create_player,
    play,
    regrets,
    solver,
)
from maxconnect4.referee.move_validation import MoveResult, Note
from maxconnect4.referee.players import parse_player
from maxconnect4.review import review
from maxconnect4.solver import default_memory


def played(red: str, green: str, opening: str = "4433", number: int = 1, **rules: object) -> GameResult:
    game = ScheduledGame(number, 1, 1, "one", "two", opening)
    return play(GameSetup(game, parse_player(red), parse_player(green), Rules(**rules)))  # type: ignore[arg-type]


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from(["random", "depth:1", "depth:2,eval=lines"]))
def test_a_game_is_played_by_the_rules_to_its_end(seed: int, other: str) -> None:
    found = played("random", other, seed=seed)
    board = board_from_moves(found.moves)
    assert board.is_full()
    assert found.moves.startswith("4433")
    assert len(found.cpu) == 38
    assert found.ending == FULL
    assert found.points == (board.points(RED), board.points(GREEN))
    assert found.score == {RED: 1, GREEN: 0, None: 0.5}[board.winner()]
    assert found.score_of(GREEN) == 1 - (found.score or 0)
    assert found.margin_of(GREEN) == board.margin(GREEN)


def test_the_same_game_is_played_the_same_and_another_is_not() -> None:
    assert played("random", "depth:3").moves == played("random", "depth:3").moves
    assert played("random", "random").moves != played("random", "random", number=2).moves
    assert played("random", "random").moves != played("random", "random", seed=2).moves
    assert played("random:seed=7", "depth:2").moves == played("random:seed=7", "depth:2", seed=2).moves
    assert played("random:seed=7", "depth:2").moves != played("random:seed=8", "depth:2").moves


def test_a_level_plays_another_game_each_time_and_the_same_one_again() -> None:
    assert played("level:3", "level:2").moves == played("level:3", "level:2").moves
    assert played("level:3", "level:2").moves != played("level:3", "level:2", number=2).moves
    assert played("level:3", "level:2").moves != played("level:3", "level:2", seed=2).moves
    assert played("level:3,seed=7", "depth:2").moves == played("level:3,seed=7", "depth:2", seed=2).moves
    assert played("level:8", "depth:1").ending == FULL


def test_a_program_plays_a_whole_game() -> None:
    found = played(command_line("honest"), "depth:1")
    assert found.ending == FULL
    assert found.faults == ()
    assert found.notes == ()
    assert all(seconds > 0 for seconds in found.cpu[::2])


@pytest.mark.parametrize(("opening", "score"), [("4433", 0.0), ("443", 1.0)])
def test_a_fault_loses_the_game_and_its_evidence_is_stored(opening: str, score: float) -> None:
    bad, good = command_line("crasher"), "depth:1"
    found = played(*((bad, good) if score == 0 else (good, bad)), opening)
    assert (found.ending, found.score, found.moves) == (FORFEIT, score, opening)
    (fault,) = found.faults
    assert (fault.kind, fault.player, fault.ply) == ("crash", RED if score == 0 else GREEN, len(opening) + 1)
    assert fault.printed == "I am about to fall over\n"
    assert found.line == ""
    assert fault.input.splitlines()[-1] == ("1" if score == 0 else "2")
    assert len(found.cpu) == 1


def test_a_fault_may_make_a_game_void() -> None:
    found = played("depth:1", command_line("crasher"), on_fault="void")
    assert (found.ending, found.score, found.score_of(GREEN), len(found.moves)) == (VOID, None, None, 5)


def test_the_referee_may_drop_in_place_of_a_faulty_command_line() -> None:
    found = played(
        "depth:1",
        command_line("unchanged"),
        opening="44" * 3 + "33" * 3 + "55" * 3 + "66" * 3 + "22" * 3 + "1111",
        on_fault="replace",
    )
    assert found.ending == FULL
    assert len(found.faults) == 4
    assert {fault.player for fault in found.faults} == {GREEN}
    assert board_from_moves(found.moves).is_full()


@pytest.mark.parametrize("cells", [1, 6, 14])
def test_the_solver_may_play_the_last_cells(cells: int) -> None:
    found = played("random", "depth:1", adjudicate=cells)
    assert (found.ending, len(found.moves), len(found.line)) == (ADJUDICATED, 42 - cells, cells)
    board = board_from_moves(found.moves)
    value = Solver(threads=1).analyse(board, only_value=True).value
    assert found.margin_of(board.to_move) == value
    end = board_from_moves(found.moves + found.line)
    assert found.points == (end.points(RED), end.points(GREEN))


def test_perfect_play_does_not_lose_from_the_empty_board() -> None:
    assert played("perfect", "depth:2", opening="").score in (0.5, 1.0)
    assert played("depth:2", "perfect", opening="").score in (0.0, 0.5)


def test_a_person_is_asked() -> None:
    asked = []

    def ask(board: Board) -> MoveResult:
        asked.append(board.pieces())
        return MoveResult(board.columns()[0], None, (), 0.0)

    game = ScheduledGame(1, 1, 1, "one", "two", "")
    found = play(GameSetup(game, parse_player("human"), parse_player("depth:1"), Rules()), ask)
    assert asked == list(range(0, 42, 2))
    assert found.ending == FULL


def test_a_review_leaves_the_opening_out() -> None:
    moves = played("random", "depth:2", "111111222222333333").moves
    whole = [move.regret for move in review(moves).moves]
    assert list(regrets(ReviewTask(1, moves, 18))) == whole[18:]
    assert sum(whole[18:]) > 0


@pytest.mark.parametrize(
    ("red", "green", "asked", "on_fault", "ending", "score", "at_fault"),
    [
        ("honest", "depth:1", "", "lose", FORFEIT, 0.0, RED),
        ("depth:1", "honest", "", "lose", FORFEIT, 1.0, GREEN),
        ("honest", "depth:1", "11", "replace", VOID, None, RED),
        ("depth:1", "honest", "22", "void", VOID, None, GREEN),
        ("honest", "honest", "", "lose", VOID, None, None),
        ("honest", "honest", "12", "lose", VOID, None, None),
        ("honest", "honest", "11", "lose", FORFEIT, 0.0, RED),
        ("honest", "honest", "22", "lose", FORFEIT, 1.0, GREEN),
        ("depth:1", "random", "", "lose", VOID, None, None),
    ],
)
def test_a_referee_that_is_killed_is_a_fault_of_the_program_that_was_asked(
    red: str, green: str, asked: str, on_fault: str, ending: str, score: float | None, at_fault: int | None
) -> None:
    one, other = (
        parse_player(command_line(name) if name == "honest" else name, limits=PATIENT) for name in (red, green)
    )
    setup = GameSetup(ScheduledGame(7, 1, 1, "one", "two", "1122334"), one, other, Rules(on_fault=on_fault))
    found = abandoned_game(setup, list(asked))
    assert (found.number, found.moves, found.ending, found.score, found.points) == (7, "1122334", ending, score, (1, 0))
    assert (found.cpu, found.seconds) == ((), 0)
    assert [(fault.kind, fault.player, fault.ply) for fault in found.faults] == (
        [] if at_fault is None else [("killed the referee", at_fault, 8)]
    )
    assert all(fault.input == board_as_text(board_from_moves("1122334")) for fault in found.faults)


def test_a_classic_game_ends_with_the_first_four() -> None:
    found = played("depth:2", "depth:1", opening="121212", game="classic")
    assert (found.ending, found.score, found.moves, found.points) == (FOUR, 1.0, "1212121", (18, 0))
    found = played("depth:1", "depth:2", opening="7121212", game="classic")
    assert (found.ending, found.score, len(found.moves), found.points) == (FOUR, 0.0, 8, (0, 18))


def test_rules_are_those_of_the_usual_game_unless_they_are_given() -> None:
    assert Rules() == Rules(on_fault="lose", adjudicate=0, seed=1, game="max")


def test_the_solver_of_a_referee_is_modest_as_several_games_are_played_at_once() -> None:
    assert repr(solver()) == f"<Solver with {min(default_memory(), 256 << 20):,} bytes and 1 thread>"
    assert solver() is solver()


def test_times_and_notes_are_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([100.0, 101.123456789])
    monkeypatch.setattr("maxconnect4.referee.game.time.monotonic", lambda: next(clock))
    note = Note("blanks", RED, 42)
    human = parse_player("human")
    found = play(
        GameSetup(ScheduledGame(1, 1, 1, "one", "two", FILLED[:-1]), human, human, Rules()),
        lambda board: MoveResult(7, None, (note,), 0.123456789),
    )
    assert (found.cpu, found.seconds, found.notes, found.line) == ((0.123457,), 1.123457, (note,), "")


def test_a_built_in_player_is_timed_in_this_process() -> None:
    assert sum(played("depth:1", "random").cpu) < time.process_time()


def test_a_person_who_is_not_there_cannot_be_asked() -> None:
    with pytest.raises(ValueError, match="a human player needs a function"):
        played("human", "depth:1")


def test_a_player_may_have_so_much_time_for_a_move() -> None:
    timed = parse_player("time:0.05").built_in
    assert timed is not None
    player = create_player(timed, "1 1 red", "max")
    assert isinstance(player, SearchingPlayer)
    assert (player.depth, player.seconds) == (None, 0.05)
