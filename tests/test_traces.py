"""Which traces of two dims remain if the dims are lined up, or if two paths meet."""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import common
from namecheck_runtime.alignment import unify
from namecheck_runtime.lattice import Dim, Mark, Trace

N = sizes.symbol("N")
SCORED = Trace(marks=frozenset({Mark.KEYS}), since="here")
ELSEWHERE = SCORED._replace(since="there")
WRITTEN = Trace(marks=frozenset({Mark.INSERTED}))


def test_a_trace_survives_a_dim_without_one() -> None:
    marked, plain = Dim(None, N, SCORED), Dim(None, N)
    assert unify(marked, plain).trace == SCORED
    assert unify(plain, marked).trace == SCORED


def test_a_trace_survives_a_one() -> None:
    marked = Dim(None, N, SCORED)
    assert unify(marked, Dim(None, 1, WRITTEN)).trace == SCORED
    assert unify(Dim(None, 1, WRITTEN), marked).trace == SCORED


def test_two_different_traces_do_not_survive() -> None:
    assert unify(Dim(None, N, SCORED), Dim(None, N, ELSEWHERE)).trace is None


def test_a_trace_of_both_paths_survives_where_they_meet() -> None:
    (both,) = common((Dim(None, N, SCORED),), (Dim(None, N, SCORED),))
    assert both.trace == SCORED
    for other in (None, ELSEWHERE):
        for left, right in ((SCORED, other), (other, SCORED)):
            (dim,) = common((Dim(None, N, left),), (Dim(None, N, right),))
            assert dim == Dim(None, N)
            assert dim.trace is None


def test_a_one_that_one_path_wrote_counts_as_written() -> None:
    """Without its trace, an intended broadcast would be reported."""
    for left, right in ((WRITTEN, None), (None, WRITTEN)):
        (dim,) = common((Dim(None, 1, left),), (Dim(None, 1, right),))
        assert dim.trace == WRITTEN
