"""Who is measured: a player as in a match, at every depth if it has none of its own."""

from __future__ import annotations

import os
import re
import shlex
import sys
from dataclasses import dataclass, replace

from ..errors import BadEntrant, shown
from ..referee.entrants import DEPTH, PLACES, entrant_from, with_names_apart
from ..referee.programs.isolation import NONE
from ..search import DEFAULT_EVALUATION, EVALUATIONS
from .program_files import state_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..referee.entrants import Entrant
    from ..referee.limits import Limits

ANY_DEPTH = -1  # of an entrant that was given none
BARE = re.compile(r"depth(?:[:,](eval=.*))?")  # our search without a depth
START = "from maxconnect4.cli import main; raise SystemExit(main())"  # what the installed program does


@dataclass(frozen=True, slots=True)
class Contender:
    """Somebody who is measured."""

    entrant: Entrant
    every_depth: bool  # whether it is asked at one depth after another; if not, its depth is its own
    search_only: bool = False  # whether a built-in player thinks in this process, so that its start is left out
    game: str = "max"

    @property
    def name(self) -> str:
        """What tables call it."""
        return self.entrant.name

    @property
    def thinks_here(self) -> bool:
        """Whether it thinks in this process."""
        built_in = self.entrant.built_in
        return built_in is not None and (self.search_only or built_in.kind not in ("depth", "perfect"))

    @property
    def description(self) -> str:
        """Who it is, so that results of another one are not taken for its own."""
        built_in = self.entrant.built_in
        if built_in is None:
            depth = "" if self.every_depth else f"depth={self.entrant.depth} "
            settings = "".join(f"{name}={shlex.quote(value)} " for name, value in self.entrant.environment)
            command = " ".join(word if word in PLACES else shlex.quote(word) for word in self.entrant.command)
            folder = f"folder={shlex.quote(self.entrant.folder)} " if self.entrant.whole_folder else ""
            return depth + folder + settings + command
        eval_ = f",eval={built_in.evaluation}" if built_in.kind in ("depth", "time") else ""
        own = {
            "depth": "" if self.every_depth else f":{built_in.depth}",
            "time": f":{built_in.seconds:g}",
            "level": f":{built_in.level}",
        }.get(built_in.kind, "")
        seed = "" if built_in.seed is None else f",seed={built_in.seed}"
        return f"{built_in.kind}{own}{eval_}{seed}{' (search only)' if self.search_only else ''}"

    @property
    def state(self) -> str:
        """What changes when the files of its program do."""
        return state_of(self.entrant)

    def program(self) -> Entrant:
        """The command that makes a move: of a built-in player, that of this program itself."""
        built_in = self.entrant.built_in
        if built_in is None:
            return self.entrant
        depth = "perfect" if built_in.kind == "perfect" else "{depth}"
        words = (sys.executable, "-c", START, "one-move", "{in}", "{out}", depth)
        more = () if built_in.kind == "perfect" else ("--eval", built_in.evaluation)
        if self.game == "classic":
            more = (*more, "--game", "classic")
        return replace(
            self.entrant,
            built_in=None,
            command=(*words, *more),
            depth=built_in.depth,
            environment=tuple((name, os.environ[name]) for name in ("PYTHONPATH",) if name in os.environ),
            limits=replace(self.entrant.limits, isolation=NONE),  # it is this program itself
        )

    def playing(self, depth: int) -> Entrant:
        """Who plays its games: at this depth, unless its depth is its own."""
        built_in = self.entrant.built_in
        if not self.every_depth:
            return self.entrant
        return replace(self.entrant, depth=depth, built_in=built_in and replace(built_in, depth=depth))


def contenders_from(
    texts: Iterable[str], limits: Limits, search_only: bool = False, game: str = "max"
) -> list[Contender]:
    """Players by lines such as `depth`, `depth:eval=lines`, `depth:6`, `perfect` or `name=ada python3 main.py`."""
    found = [_contender(text, limits, search_only, game) for text in texts]
    names = with_names_apart(each.entrant for each in found)
    return [replace(each, entrant=entrant, game=game) for each, entrant in zip(found, names, strict=True)]


def _contender(text: str, limits: Limits, search_only: bool, game: str) -> Contender:
    try:
        words = shlex.split(text)
    except ValueError:
        words = []  # entrant_from says what is wrong
    if words and (bare := BARE.fullmatch(words[-1])) and all("=" in word for word in words[:-1]):
        evaluation = bare[1] or f"eval={DEFAULT_EVALUATION[game]}"
        if evaluation.removeprefix("eval=") not in EVALUATIONS:
            raise BadEntrant(f"{shown(text)} has no evaluation that is one of {', '.join(EVALUATIONS)}")
        named = [] if any(word.startswith("name=") for word in words) else [f"name={words[-1]}"]
        entrant = entrant_from(shlex.join([*words[:-1], *named, f"depth:0,{evaluation}"]), limits=limits)
        return Contender(replace(entrant, limits=limits), True, search_only)
    entrant = entrant_from(text, ANY_DEPTH, limits, game)
    if entrant.is_human:
        raise BadEntrant("a human cannot be measured: nobody plays the same position again and again")
    if entrant.built_in is not None:
        return Contender(replace(entrant, limits=limits), False, search_only)
    if entrant.depth != ANY_DEPTH:
        return Contender(entrant, False)
    return Contender(replace(entrant, depth=DEPTH), any(PLACES[2] in word for word in entrant.command))
