from __future__ import annotations

import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_minimax import column_values
from positions import LEVEL, SLANTING, UPRIGHT, boards, drawn, exact_positions, random_board

from maxconnect4 import Board, IllegalMove, SearchStopped, Solver, board_from_moves
from maxconnect4.levels import LEVELS, LevelPlayer
from maxconnect4.players import RandomPlayer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from maxconnect4.players import Player

GAMES = ("max", "classic")
LAST = 8


def played(red: Player, green: Player, game: str) -> Board:
    board = Board(game)
    while not board.is_over():
        board.drop((red if board.to_move == 1 else green).choose(board).column)
    return board


def score(first: int, second: int | None, game: str, games: int) -> float:
    """The share of a level's points against another level, or against chance, with both colours in turn."""
    total = 0.0
    for seed in range(games):
        player = LevelPlayer(first, game, f"{seed} first")
        other: Player = RandomPlayer(seed) if second is None else LevelPlayer(second, game, f"{seed} second")
        red, green = (player, other) if seed % 2 == 0 else (other, player)
        winner = played(red, green, game).winner()
        total += 0.5 if winner is None else float((red, green)[winner - 1] is player)
    return total / games


@pytest.mark.parametrize("game", GAMES)
def test_there_are_eight_levels_with_descriptions(game: str) -> None:
    levels = LEVELS[game]
    assert [level.number for level in levels] == list(range(1, LAST + 1))
    assert len({level.name for level in levels}) == LAST
    for level in levels:
        assert level.game == game
        for sentence in (level.description, str(level.strength)):
            assert sentence.endswith(".")
            assert "\n" not in sentence
            assert len(sentence) < 160
    ratings = [level.strength.rating for level in levels]
    assert ratings == sorted(ratings)
    assert levels[-1].name == "Perfect"


@given(st.data(), st.sampled_from(GAMES), st.integers(1, LAST - 1), st.integers(0, 99))
def test_every_level_plays_by_the_rules(data: st.DataObject, game: str, number: int, seed: int) -> None:
    board = data.draw(boards(game))
    player = LevelPlayer(number, game, seed)
    if board.is_over():
        with pytest.raises(IllegalMove, match="the game is over"):
            player.choose(board)
    else:
        before = board.copy()
        choice = player.choose(board, scores=True)
        assert board == before
        assert choice.column in board.columns()
        assert choice.scores is not None
        open_ones = [column for column, worth in enumerate(choice.scores, start=1) if worth is not None]
        assert open_ones == board.columns()


@pytest.mark.parametrize(("width", "height"), [(4, 4), (5, 6), (8, 7), (8, 8)])
def test_levels_without_a_search_play_on_boards_of_any_size(width: int, height: int) -> None:
    board = Board(width=width, height=height)
    while not board.is_over():
        board.drop(LevelPlayer(board.pieces() % 4 + 1, seed=1).choose(board).column)
    assert board.is_full()


@pytest.mark.parametrize("number", [0, LAST + 1, -1])
def test_other_levels_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"there is no level {number}: choose 1 to 8"):
        LevelPlayer(number)


def test_a_player_of_one_game_does_not_play_the_other() -> None:
    with pytest.raises(ValueError, match="the game is 'classic'"):
        LevelPlayer(3).choose(Board("classic"))
    with pytest.raises(ValueError, match="'chess' is not a game"):
        LevelPlayer(3, "chess")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("number", [1, 3, 5])
def test_the_same_seed_plays_the_same_game_and_another_one_another(game: str, number: int) -> None:
    games = [
        played(LevelPlayer(number, game, f"{seed} red"), LevelPlayer(number, game, f"{seed} green"), game).moves
        for seed in (1, 1, 2, 3)
    ]
    assert games[0] == games[1]
    assert len(set(games)) == 3
    assert LevelPlayer(number, game).seed != LevelPlayer(number, game).seed


def test_an_undone_drop_is_answered_the_same() -> None:
    board, player = board_from_moves("4453"), LevelPlayer(2, seed=7)
    first = player.choose(board).column
    board.drop(first)
    player.choose(board)
    board.undo()
    assert player.choose(board).column == first


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("games", [20, pytest.param(100, marks=pytest.mark.long)])
def test_a_beginner_beats_a_random_player(game: str, games: int) -> None:
    assert score(1, None, game, games) > 0.85  # about 0.95


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("number", range(3, 8))
@pytest.mark.parametrize("games", [4, pytest.param(24, marks=pytest.mark.long)])
def test_each_level_beats_the_one_two_below(game: str, number: int, games: int) -> None:
    assert score(number, number - 2, game, games) > 0.55  # about 0.8


def share(number: int, board: Board, column: int, seeds: int = 80) -> float:
    """How often a level drops into a column."""
    return sum(LevelPlayer(number, board.game, seed).choose(board).column == column for seed in range(seeds)) / seeds


@pytest.mark.parametrize("game", GAMES)
def test_a_weak_level_mostly_takes_a_plain_four_and_a_strong_one_always(game: str) -> None:
    for position in (UPRIGHT, LEVEL):
        board = drawn(position, game)
        assert 0.6 < share(1, board, 4) < 1
        assert share(4, board, 4) > 0.9
        assert [share(number, board, 4, seeds=10) for number in (6, 7)] == [1, 1]


@pytest.mark.parametrize("game", GAMES)
def test_a_weak_level_overlooks_diagonal_fours_more_often(game: str) -> None:
    assert share(2, drawn(UPRIGHT, game), 4) > share(2, drawn(SLANTING, game), 4) + 0.2
    assert share(7, drawn(SLANTING, game), 4, seeds=10) == 1


def test_perfect_is_perfect() -> None:
    player = LevelPlayer(LAST, solver=Solver(threads=1))
    for moves, value, scores in exact_positions()[::4]:
        choice = player.choose(board_from_moves(moves))
        assert (choice.value, scores[choice.column - 1]) == (value, value)


@pytest.mark.parametrize("game", GAMES)
def test_a_level_takes_little_time(game: str) -> None:
    rng = random.Random(3)
    positions = [random_board(rng, plies, game) for plies in range(0, 30, 2)]
    for number, most in ((1, 0.02), (4, 0.02), (5, 0.1), (6, 0.25), (7, 0.25)):
        player = LevelPlayer(number, game, 1)
        times = [player.choose(board).cpu_seconds for board in positions]
        assert statistics.median(times) < most


def test_the_last_level_of_the_classic_game_wins_as_soon_as_it_can() -> None:
    player = LevelPlayer(LAST, "classic", solver=Solver(threads=1))
    for seed in range(10):
        board = random_board(random.Random(seed), 33, "classic")
        expected = column_values(board, 9, "margin")
        choice = player.choose(board)
        assert choice.exact
        assert expected[choice.column] == max(expected.values())


@pytest.mark.parametrize(("number", "game"), [(LAST, "classic"), (LAST, "max")])
def test_a_level_can_be_stopped_as_it_thinks(number: int, game: str) -> None:
    board = board_from_moves("675", game)
    solver = Solver(1 << 12, threads=1, book=False)  # with this table it takes long
    with pytest.raises(SearchStopped):
        LevelPlayer(number, game, solver=solver, stop=lambda: True).choose(board)
