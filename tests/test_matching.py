"""As many pairs as possible."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from maxconnect4.referee.pairing import Matching


@given(st.integers(1, 9), st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8))))
def test_a_matching_is_maximum(count: int, pairs: set[tuple[int, int]]) -> None:
    edges = {(a, b) for a, b in pairs if a < b < count}
    may_meet = [[b for b in range(count) if (a, b) in edges or (b, a) in edges] for a in range(count)]
    assert count - len(Matching(may_meet).unmatched) == 2 * most_pairs(frozenset(range(count)), edges)


def test_a_blossom_within_a_blossom_is_seen() -> None:
    """Found by chance: of 700,000 tables the only one in which it makes a difference who counts as even in one."""
    rows = "6 1, 6 3 0, 4 12, 10 12 9 7 1, 2 10 12, 6 9 7, 0 1 5, 10 5 3 9, 10, 7 5 3, 3 12 7 8 4, , 3 2 4 10"
    assert Matching([[int(other) for other in row.split()] for row in rows.split(",")]).unmatched == [11]


def test_a_matching_of_five_is_maximum_for_every_graph() -> None:
    everybody = list(combinations(range(5), 2))
    for number in range(1 << len(everybody)):
        edges = {pair for place, pair in enumerate(everybody) if number >> place & 1}
        may_meet = [[b for b in range(5) if (a, b) in edges or (b, a) in edges] for a in range(5)]
        matching = Matching(may_meet)
        assert 5 - len(matching.unmatched) == 2 * most_pairs(frozenset(range(5)), edges), edges
        # Each can be settled with somebody, but for those who are alone in the end.
        left, alone = set(range(5)), 0
        while left:
            one = left.pop()
            other = next((each for each in sorted(left) if matching.fix(one, each)), None)
            assert other is None or (min(one, other), max(one, other)) in edges
            alone += other is None
            left -= {other}
        assert alone == len(matching.unmatched), edges


def most_pairs(players: frozenset[int], edges: set[tuple[int, int]]) -> int:
    """By trying everything."""
    if not players:
        return 0
    one, rest = min(players), players - {min(players)}
    paired = [1 + most_pairs(rest - {other}, edges) for other in rest if (one, other) in edges]
    return max([most_pairs(rest, edges), *paired])


def test_a_settled_pair_leaves_no_partner_for_the_third_player() -> None:
    """Three in a row, of whom the one in the middle may meet either."""
    matching = Matching([[1], [0, 2], [1]])
    assert len(matching.unmatched) == 1
    assert not matching.fix(0, 2)
    assert matching.fix(1, 2)
    assert not matching.fix(1, 0)
    assert not matching.fix(0, 1)


def test_a_settled_pair_stays_settled() -> None:
    """Four around a table, who may meet their neighbours."""
    matching = Matching([[1, 3], [0, 2], [1, 3], [2, 0]])
    assert matching.fix(0, 1)
    assert not matching.fix(1, 2)
    assert not matching.fix(2, 1)
    assert matching.fix(2, 3)
