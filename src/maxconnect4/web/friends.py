"""Games between two people in two browsers: their seats, the streams that tell both of every change, and rematches.

A *seat* is the right to move for a colour. It belongs to the client that has sent its secret.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager

from starlette.exceptions import HTTPException

from ..board import GREEN, RED, opponent
from .games import PERSON, GameConflict, GameStore, StoredGame
from .jobs import QueueFull

HEARTBEAT = 15  # seconds between comments in a stream without changes, which keep its connection open
MAX_STREAMS = 300  # of all clients; each holds one of the connections of the server
MAX_STREAMS_OF_CLIENT = 60  # a class may have one address


def take_seat(games: GameStore, game: StoredGame, secret: str, player: int | None) -> int:
    """Take a free seat of a game, or find the seat of this secret.

    Args:
        games: The stored games.
        game: A game of two persons.
        secret: The secret of the client.
        player: RED or GREEN; None for a free one at random.

    Returns:
        The player of the seat.

    Raises:
        GameConflict: If there is no such free seat.
    """
    seats = games.seats(game.id)
    for seated, known in seats.items():
        if secrets.compare_digest(known.encode(), secret.encode()):
            return seated
    if game.players != (PERSON, PERSON):
        raise GameConflict(game, "one of the players is a computer")
    free = [each for each in (RED, GREEN) if each not in seats and player in (None, each)]
    if not free:
        raise GameConflict(game, "another person already plays this colour" if player else "both colours are taken")
    chosen = secrets.choice(free)
    games.add_seat(game.id, chosen, secret)
    return chosen


def seat_of(games: GameStore, game: StoredGame, secret: str) -> int | None:
    """The player whose seat has this secret; None for a spectator."""
    seats = games.seats(game.id).items()
    return next((player for player, known in seats if secrets.compare_digest(known.encode(), secret.encode())), None)


def check_turn(games: GameStore, game: StoredGame, secret: str, to_move: int) -> None:
    """Raise an error unless the client with this secret may move. In a game without seats every client may."""
    seats = games.seats(game.id)
    if seats and not secrets.compare_digest(seats.get(to_move, "").encode(), secret.encode()):
        raise HTTPException(403, "it is the turn of the other player")


def check_without_seats(games: GameStore, game: StoredGame) -> None:
    """Raise an error if two people play the game in two browsers: neither may change it except by a move."""
    if games.seats(game.id):
        raise GameConflict(game, "a game between two people can only be changed by moves")


def start_rematch(games: GameStore, game: StoredGame, address: str) -> StoredGame:
    """Start the next game of the same people, with the colours swapped."""
    board = game.board()
    while board.drops:
        board.undo()
    rematch = games.create(board, game.start, (PERSON, PERSON), game.owner, address)
    for player, secret in games.seats(game.id).items():
        games.add_seat(rematch.id, opponent(player), secret)
    return rematch


class Streams:
    """The open streams by game, with the players who read them."""

    def __init__(self) -> None:
        self._open: dict[str, dict[asyncio.Event, tuple[int, str]]] = {}
        self._closed = False
        #: The rematch of a game.
        self.rematches: dict[str, str] = {}

    def present(self, game: str) -> tuple[bool, bool]:
        """Whether red and green are connected."""
        players = {player for player, _ in self._open.get(game, {}).values()}
        return RED in players, GREEN in players

    def changed(self, game: str) -> None:
        """Wake the streams of a game."""
        for event in self._open.get(game, ()):
            event.set()

    def check_capacity(self, client: str) -> None:
        """Raise QueueFull if there are too many streams, in all or of this client."""
        clients = [each for readers in self._open.values() for _, each in readers.values()]
        if len(clients) >= MAX_STREAMS or (client and clients.count(client) >= MAX_STREAMS_OF_CLIENT):
            raise QueueFull("too many games are being watched: try again in a moment")

    async def changes(self, game: str, player: int, client: str) -> AsyncGenerator[bool, None]:
        """Yield True now and after every change of the game or its readers, and False if there was none for a while."""
        with self._registered(game, player, client) as event:
            event.set()
            while not self._closed:
                try:
                    await asyncio.wait_for(event.wait(), HEARTBEAT)
                except TimeoutError:
                    yield False
                    continue
                event.clear()
                yield True

    @contextmanager
    def _registered(self, game: str, player: int, client: str) -> Iterator[asyncio.Event]:
        event = asyncio.Event()
        self._open.setdefault(game, {})[event] = player, client
        self.changed(game)
        try:
            yield event
        finally:
            self._open[game].pop(event)
            if not self._open[game]:
                self._open.pop(game)
            self.changed(game)

    def close(self) -> None:
        """End all streams."""
        self._closed = True
        for game in list(self._open):
            self.changed(game)
