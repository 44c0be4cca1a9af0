"""What a report of a program is made of: it is measured now, and kept in a file of measurements."""

from __future__ import annotations

from ...errors import BadFile, shown_path
from ...measuring.contenders import contenders_from
from ...measuring.positions.sets import set_from
from ...measuring.program_files import spare
from ...measuring.results import Measurements
from ...measuring.running import Plan
from ...measuring.summarising import measured
from ...referee.entrants import entrant_from
from ...referee.limits import Limits
from ...referee.opposing import GAMES
from ...referee.programs.isolation import AUTO
from ...referee.programs.sandbox import adopt_orphans, end_with_signals
from ..measuring import GIVE_UP, LIMIT, NOTHING_NEW, measure_showing
from ..terminal.screen import complain
from .files import command_to_do_it_again, files_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...measuring.summary import Measured
    from ..parsing import Arguments

EXACT = "exact"
DEEPEST_STRENGTH = 4  # the set has hundreds of positions


def measured_now(args: Arguments) -> Measured:
    """What is to be reported, by the arguments of `report`."""
    plans = plans_from(args)
    for contender in plans[0].contenders:
        spare(contender.entrant, [*files_of(args).written, files_of(args).measured])
    adopt_orphans()
    end_with_signals()
    with Measurements(files_of(args).measured) as file:
        if args.anew:
            file.forget()
        try:
            new = [measure_showing(plan, file) for plan in plans]
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"what was measured is kept in {file.name}, and the same command goes on") from None
        if not any(new):
            complain(NOTHING_NEW)
        file.put_facts({"command": command_to_do_it_again(args)})
        return measured(file)


def plans_from(args: Arguments) -> list[Plan]:
    """The CPU time from the empty board, then what moves give away, and games against random."""
    limit = LIMIT if args.limit is None else args.limit
    limits = Limits(GIVE_UP * limit, GIVE_UP * limit, isolation=args.isolation or AUTO)
    contenders = tuple(contenders_from([args.results], limits))
    positions = set_from(args.positions or EXACT)
    if not positions.has_scores:
        raise BadFile(f"{shown_path(args.positions)} has no exact scores: 'maxconnect4 positions' makes a set that has")
    deepest = DEEPEST_STRENGTH if args.deepest is None else min(args.deepest, DEEPEST_STRENGTH)
    games = GAMES if args.games is None else args.games
    opponent = entrant_from("random") if games else None
    return [
        Plan(contenders, (set_from("empty"),), last=args.deepest, limit=limit),
        Plan(contenders, (positions,), last=deepest, limit=limit, opponent=opponent, games=games),
    ]
