"""The classic game from other libraries: the rules of Fairy-Stockfish (pyffish), behind the board of python-chess."""

from __future__ import annotations

from typing import Any

import chess
import chess.engine
import pyffish

VARIANT = "cfour"
pyffish.load_variant_config(
    """
    [cfour]
    maxFile = 7
    maxRank = 6
    immobile = p
    pieceDrops = true
    enclosingDrop = top
    immobilityIllegal = false
    doubleStep = false
    castling = false
    nMoveRule = 0
    connectN = 4
    stalemateValue = draw
    startFen = 7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1
    """.replace("\n    ", "\n")
)
START: str = pyffish.start_fen(VARIANT)


class FourBoard(chess.Board):
    """The interface that python-chess needs of a board to run an engine, with the rules of pyffish."""

    uci_variant = VARIANT

    def __init__(self, start: str = START) -> None:
        super().__init__(None)
        self.start = start
        self.turn = start.split()[1] == "w"

    def words(self) -> list[str]:
        return [move.uci() for move in self.move_stack]

    def fen(self, **_: Any) -> str:
        fen: str = pyffish.get_fen(VARIANT, self.start, self.words())
        return fen

    def parse_uci(self, uci: str) -> chess.Move:
        move = chess.Move.from_uci(uci)
        if move.uci() not in pyffish.legal_moves(VARIANT, self.start, self.words()):
            raise chess.IllegalMoveError(f"{uci} is illegal in {self.fen()}")
        return move

    def push(self, move: chess.Move) -> None:
        self.move_stack.append(move)
        self.turn = not self.turn

    def pop(self) -> chess.Move:
        self.turn = not self.turn
        return self.move_stack.pop()

    def root(self) -> FourBoard:
        return FourBoard(self.start)

    def copy(self, *, stack: bool | int = True) -> FourBoard:
        twin = FourBoard(self.start if stack else self.fen())
        for move in self.move_stack if stack else ():
            twin.push(move)
        return twin

    def result(self, **_: Any) -> str:
        """1-0, 0-1 or 1/2-1/2 if the game is over, and * if it is not."""
        words = self.words()
        if pyffish.legal_moves(VARIANT, self.start, words):
            return "*"
        value = pyffish.game_result(VARIANT, self.start, words)  # from the point of view of the side to move
        if value == 0:
            return "1/2-1/2"
        return "1-0" if (value > 0) == self.turn else "0-1"
