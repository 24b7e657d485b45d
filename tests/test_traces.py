"""What is left of the traces of two dims where they are lined up, or where two paths meet."""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import common
from namecheck_runtime.alignment import unify
from namecheck_runtime.lattice import Dim, Mark, Trace

N = sizes.symbol("N")
SCORED = Trace(marks=frozenset({Mark.KEYS}), since="here")
ELSEWHERE = SCORED._replace(since="there")
WRITTEN = Trace(marks=frozenset({Mark.INSERTED}))


def test_a_trace_survives_a_dim_that_has_none() -> None:
    marked, plain = Dim(None, N, SCORED), Dim(None, N)
    assert unify(marked, plain).trace == SCORED
    assert unify(plain, marked).trace == SCORED


def test_a_trace_survives_a_one() -> None:
    marked = Dim(None, N, SCORED)
    assert unify(marked, Dim(None, 1, WRITTEN)).trace == SCORED
    assert unify(Dim(None, 1, WRITTEN), marked).trace == SCORED


def test_of_two_traces_that_differ_none_survives() -> None:
    assert unify(Dim(None, N, SCORED), Dim(None, N, ELSEWHERE)).trace is None


def test_where_two_paths_meet_a_trace_is_left_that_both_have() -> None:
    (both,) = common((Dim(None, N, SCORED),), (Dim(None, N, SCORED),))
    assert both.trace == SCORED
    for other in (None, ELSEWHERE):
        for left, right in ((SCORED, other), (other, SCORED)):
            (met,) = common((Dim(None, N, left),), (Dim(None, N, right),))
            assert met == Dim(None, N)
            assert met.trace is None


def test_a_one_that_one_path_wrote_down_was_written() -> None:
    """To forget it would make us speak of a broadcast that is meant."""
    for left, right in ((WRITTEN, None), (None, WRITTEN)):
        (one,) = common((Dim(None, 1, left),), (Dim(None, 1, right),))
        assert one.trace == WRITTEN
