"""Pairs among those who may be paired: as many as possible, and settled one by one without spoiling the rest.

The search for an alternating path is that of Jack Edmonds, "Paths, trees, and flowers" (1965).
"""

from __future__ import annotations

NOBODY = -1


class Matching:
    """As many pairs as possible. `may_meet` has for each player, from 0, those whom they may be paired with."""

    def __init__(self, may_meet: list[list[int]]) -> None:
        players = range(len(may_meet))
        self._may_meet = [list(others) for others in may_meet]
        self._partner = [NOBODY] * len(players)
        self._settled = [False] * len(players)
        for one in players:
            if self._partner[one] == NOBODY:
                self._find_partner(one)
        #: Those who have no partner.
        self.alone = [one for one in players if self._partner[one] == NOBODY]
        # Each of these is put beside an empty seat, which everybody may sit beside: then all have a partner, and it
        # does not matter who in the end is alone.
        for seat, one in enumerate(self.alone, start=len(players)):
            for each in players:
                self._may_meet[each].append(seat)
            self._may_meet.append([*players])
            self._settled.append(False)
            self._partner.append(one)
            self._partner[one] = seat

    def settle(self, one: int, other: int) -> bool:
        """Fix a pair. False, and nothing is changed, if that would cost another one."""
        if other not in self._may_meet[one] or self._settled[one] or self._settled[other]:
            return False
        self._settled[one] = self._settled[other] = True
        left, right = self._partner[one], self._partner[other]
        if left == other:
            return True
        self._partner[left] = self._partner[right] = NOBODY
        if self._find_partner(left):
            self._partner[one], self._partner[other] = other, one
            return True
        self._partner[left], self._partner[right] = one, other
        self._settled[one] = self._settled[other] = False
        return False

    def _find_partner(self, alone: int) -> bool:
        """Look for a path from one who is alone to another, over a pair at every second step, and swap along it.

        The steps from the start are even and odd by turns. Who is at an even step may go to anybody; two at even steps
        who may meet close an odd cycle, a blossom, everybody on which can then be had at an even step.
        """
        partner = self._partner
        came_from = [NOBODY] * len(partner)
        base = list(range(len(partner)))  # of the blossom that somebody is in
        is_even = [False] * len(partner)
        is_even[alone] = True
        queue = [alone]
        for one in queue:
            for other in self._may_meet[one]:
                if self._settled[other] or base[one] == base[other] or partner[one] == other:
                    continue
                if is_even[other]:
                    self._close_blossom(one, other, came_from, base, is_even, queue)
                elif came_from[other] == NOBODY:
                    came_from[other] = one
                    if partner[other] == NOBODY:
                        self._swap_along(other, came_from)
                        return True
                    is_even[partner[other]] = True
                    queue.append(partner[other])
        return False

    def _close_blossom(
        self, one: int, other: int, came_from: list[int], base: list[int], is_even: list[bool], queue: list[int]
    ) -> None:
        stem = self._common_base(one, other, came_from, base)
        inside = set()
        for here, there in ((one, other), (other, one)):
            while base[here] != stem:
                between = self._partner[here]
                inside |= {base[here], base[between]}
                came_from[here] = there
                here, there = came_from[between], between
        for each in range(len(base)):
            if base[each] in inside:
                base[each] = stem
                if not is_even[each]:
                    is_even[each] = True
                    queue.append(each)

    def _common_base(self, one: int, other: int, came_from: list[int], base: list[int]) -> int:
        """Where the ways back from two at even steps meet."""
        seen = set()
        here = base[one]
        while True:
            seen.add(here)
            if self._partner[here] == NOBODY:
                break
            here = base[came_from[self._partner[here]]]
        here = base[other]
        while here not in seen:
            here = base[came_from[self._partner[here]]]
        return here

    def _swap_along(self, end: int, came_from: list[int]) -> None:
        while end != NOBODY:
            before = came_from[end]
            following = self._partner[before]
            self._partner[end], self._partner[before] = before, end
            end = following
