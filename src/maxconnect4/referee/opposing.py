"""Games against an opponent that is known to be weak, which a player that sees anything at all should beat."""

from __future__ import annotations

from dataclasses import dataclass

from ..amounts import how_many
from ..board import RED
from ..errors import BadEntrant
from .entrants import entrant_from, with_names_apart
from .games import Game
from .playing import LOSE, Fixture, Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .entrants import Entrant
    from .games import Result

    #: A game of a player: its score, its points and the opponent's, and whether it committed a fault.
    Outcome = tuple[float, int, int, bool]

OPPONENT = "random"
GAMES = 20
FEWEST = 10  # games that show anything: chance alone wins two of two often enough
SEED = 1


@dataclass(frozen=True, slots=True)
class Games:
    """What came of games against an opponent that is known to be weak."""

    player: str
    opponent: str
    wins: int
    draws: int
    losses: int
    points: int | None  # the player's, of all games; the classic game has none
    opponent_points: int | None
    faults: int  # games that it lost by a fault
    depth: int | None = None  # at which the player was asked, if it has none of its own

    @property
    def played(self) -> int:
        """How many games there were."""
        return self.wins + self.draws + self.losses

    @property
    def consistent(self) -> bool:
        """Whether it beats the opponent consistently: it wins at least nine games of ten, and a draw is no win.

        Somebody who wins only three games of four in the long run wins 18 of 20 less than once in ten tries. Of fewer
        than ten games nothing is said.
        """
        return self.played >= FEWEST and self._nearly_all_won()

    def _nearly_all_won(self) -> bool:
        return 10 * self.wins >= 9 * self.played

    def in_words(self) -> str:
        """The numbers in one line, such as: 18 wins, 1 draw, 1 loss in 20 games, 61 points to 12."""
        won = how_many(self.wins, "win")
        drawn = how_many(self.draws, "draw")
        lost = how_many(self.losses, "loss", "losses")
        faults = f" ({self.faults} by a fault)" if self.faults else ""
        games = how_many(self.played, "game")
        points = "" if self.points is None else f", {how_many(self.points, 'point')} to {self.opponent_points}"
        return f"{won}, {drawn}, {lost}{faults} in {games}{points}"

    def verdict(self) -> str:
        """Whether that is enough, in words."""
        if not self.played:
            return "no game was played"
        if self.consistent:
            return "it beats it consistently, as the assignment asks of a reasonable evaluation"
        if self._nearly_all_won():
            return f"too few games to tell whether it beats it consistently, as {FEWEST} would do"
        enough = -(-9 * max(self.played, FEWEST) // 10)
        return (
            "it does not beat it consistently, which the assignment asks of a reasonable evaluation: "
            f"{enough} wins of {max(self.played, FEWEST)} would do"
        )


def games_against(
    entrant: Entrant, opponent: Entrant | None = None, games: int = GAMES, seed: int = SEED, game: str = "max"
) -> list[Fixture]:
    """Games from the empty board against an opponent, `random` if it is None, red in the first and green in the next.

    Each game has chance of its own, which comes from the seed: the same seed makes the same games, unless a program
    throws dice itself. Two players without any chance play the same two games again and again. A fault loses the game.
    """
    player, other = with_names_apart([entrant, opponent or entrant_from(OPPONENT)])
    for each in (player, other):
        if each.is_human:
            raise BadEntrant("human: nobody is asked for moves in games against a weak opponent")
    rules = Rules(LOSE, seed=seed, game=game)
    fixtures = []
    for number in range(1, games + 1):
        red, green = (player, other) if number % 2 else (other, player)
        fixtures.append(Fixture(Game(number, 1, (number + 1) // 2, red.name, green.name, ""), red, green, rules))
    return fixtures


def tally(player: str, opponent: str, results: Iterable[Result], game: str = "max") -> Games:
    """Add up the games of two players, who go by these names there. A void game, as of two programs of which one has
    killed the referee, is nobody's and does not count.
    """
    outcomes: list[Outcome] = []
    for each in results:
        score, colour = each.score_of(player), each.colour_of(player)
        if score is not None:
            own, other = each.played.points if colour == RED else each.played.points[::-1]
            outcomes.append((score, own, other, any(fault.player == colour for fault in each.played.faults)))
    return games_of(player, opponent, outcomes, game)


def games_of(
    player: str, opponent: str, outcomes: Sequence[Outcome], game: str = "max", depth: int | None = None
) -> Games:
    """Add up what games brought."""
    scores = [score for score, *_ in outcomes]
    own, others = None, None
    if game == "max":
        own, others = sum(points for _, points, _, _ in outcomes), sum(points for _, _, points, _ in outcomes)
    faults = sum(fault for *_, fault in outcomes)
    return Games(player, opponent, scores.count(1), scores.count(0.5), scores.count(0), own, others, faults, depth)
