"""The runtime's kernels agree: they compute the results that were measured on PyTorch.

For every op that the runtime computes or shows: measured calls, unchanged and changed (sizes of 0
and 1, no dims, other dtypes, other places in memory).  Sizes, dtype, sharing and elements are those
of torch; strides and offset are those of the view, or those that the rulebook promises.  Deliberate
differences and ops without measurements are listed as data.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from calls import read_listed
from measured_results import DATA, Measured, by_op, differences, module_of, run

from namecheck_runtime.declare import OPS, REGISTRY, Memory, Op
from namecheck_runtime.tensors.computing import composed, in_place
from namecheck_runtime.tensors.computing.answers import ANSWERS
from namecheck_runtime.tensors.kernels import kernel_of
from namecheck_runtime.tensors.views import view_ops
from oracle import GONE

DIFFERENCES: Path = DATA / "results_differences.txt"
"""Deliberate differences of the runtime, `reason: entry entry`: a spelling (`torch.topk`), a call
of it (`torch.topk#1234abcd`), or either with an aspect (`torch.topk[elements]`).  An entry that
ends in `?` differs only on some machines, where another kernel of BLAS rounds.
"""
NOT_MEASURED: Path = DATA / "results_not_measured.txt"
"""Computed ops without a compared call, `reason: op op`."""


def computed(op: Op) -> bool:
    """Whether the runtime computes or shows the tensors of an op."""
    return (
        op.name in view_ops.VIEWS
        or op.name in in_place.IN_PLACE
        or op.name in composed.COMPOSED
        or op.name in ANSWERS
        or op.memory is Memory.VIEW
        or any(view_ops.copied_by(rule, op) for rule in op.rules)
        or kernel_of(op) is not None
    )


def entries_of(call: Measured, aspect: str) -> set[str]:
    """The entries of the list that may name a difference."""
    names = (call.path, call.id)
    return {*names, *(f"{name}[{aspect}]" for name in names)}


def path_of(entry: str) -> str:
    return entry.partition("#")[0].partition("[")[0]


GROUPS: dict[str, list[str]] = defaultdict(list)
"""The measured ops, by the module of the rulebook."""
for _name in by_op():
    GROUPS[module_of(OPS[_name])].append(_name)


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_results_agree(group: str) -> None:
    listed = read_listed(DIFFERENCES)
    open_ = {entry.removesuffix("?") for entry in listed if entry.endswith("?")}
    needed: set[str] = set()
    wrong: list[str] = []
    for name in GROUPS[group]:
        for call in by_op()[name]:
            try:
                got = run(call)
                aspects = differences(call, got)
            except Exception as error:  # the runtime refuses a call that torch computes
                got, aspects = f"{type(error).__name__}: {error}", {"refused"}
            for aspect in aspects:
                entries = entries_of(call, aspect) & (listed.keys() | open_)
                needed |= entries
                if not entries:
                    wrong.append(f"{aspect}: {call}\n  torch {call.wanted}\n  here  {got}")
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong[:20])
    of_group = {
        entry
        for entry in listed
        if path_of(entry) in REGISTRY and REGISTRY[path_of(entry)].op.name in GROUPS[group]
    }
    assert not {entry for entry in of_group if entry[-1] != "?"} - needed, (
        "listed as different, but equal"
    )


def test_differences_are_of_measured_ops() -> None:
    paths = set(map(path_of, read_listed(DIFFERENCES)))
    assert not {path for path in paths if path not in REGISTRY}
    assert not {path for path in paths if REGISTRY[path].op.name not in by_op()}


def test_every_computed_op_is_measured_or_listed() -> None:
    listed = read_listed(NOT_MEASURED)
    without = {name for name, op in OPS.items() if computed(op) and name not in by_op()}
    assert not without - listed.keys(), "no measured call, and not in results_not_measured.txt"
    # A function that the installed NumPy does not have is not computed (`row_stack` since 2.5).
    gone = {f"numpy.{name}" for name in GONE}
    assert not listed.keys() - without - gone, "listed, and measured or not computed"
    calls = sum(map(len, by_op().values()))
    assert calls > 15_000
