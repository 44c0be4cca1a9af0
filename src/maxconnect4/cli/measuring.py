"""What measure and report share: how far one goes, and how it is shown meanwhile."""

from __future__ import annotations

from ..measuring.running import measure
from .programs import report_isolation
from .terminal.display import Bar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..measuring.results import Measurements
    from ..measuring.running import Plan

LIMIT = 60.0  # seconds of CPU time, of the assignment
GIVE_UP = 10  # times the limit, after which a move is ended
NOTHING_NEW = "all of this was measured before: if the program has changed, --anew measures it again"


def measure_showing(plan: Plan, file: Measurements) -> bool:
    """Measure what the file does not have yet, and show how far that is. Says whether there was anything."""
    new = False

    def show(done: int, total: int | None, what: str) -> None:
        nonlocal new
        new = True
        bar.show(done, what, total)

    report_isolation([each.entrant for each in plan.contenders])
    with Bar(plan.total, ticking=True) as bar:
        measure(plan, file, show)
    return new
