"""Meta equals cpu: measured calls give the same sizes, dtypes, strides and sharing, and call no
kernel.
"""

from __future__ import annotations

from typing import Any

import pytest
from calls import read_listed
from measured_results import DATA, Measured, by_op, run
from test_results import GROUPS, computed

from namecheck_runtime.declare import OPS, Op
from namecheck_runtime.tensors import kernels
from namecheck_runtime.tensors.calls.call import Kernel
from namecheck_runtime.tensors.values.plan_caches import forget

NEEDS_ELEMENTS = read_listed(DATA / "needs_elements.txt")
"""Ops with calls that meta refuses or answers differently, `reason: op op`."""


def without_elements(result: Any) -> Any:
    if isinstance(result, dict):
        return {key: without_elements(value) for key, value in result.items() if key != "e"}
    return list(map(without_elements, result)) if isinstance(result, list) else result


def results(calls: tuple[Measured, ...], device: str) -> list[Any]:
    """The results of calls; None for a refused call."""
    outcomes: list[Any] = []
    for call in calls:
        try:
            outcomes.append(without_elements(run(call, device)))
        except AssertionError:
            raise
        except Exception:
            outcomes.append(None)
    return outcomes


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_meta_equals_cpu(group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [name for name in GROUPS[group] if computed(OPS[name])]
    on_cpu = {name: results(by_op()[name], "cpu") for name in names}
    real_kernel_of = kernels.kernel_of

    def refuse(*arguments: Any, **options: Any) -> Any:
        raise AssertionError("something was computed")

    def broken(op: Op) -> Kernel | None:
        kernel = real_kernel_of(op)
        return None if kernel is None else kernel._replace(function=refuse)

    forget()
    monkeypatch.setattr(kernels, "kernel_of", broken)
    try:
        on_meta = {name: results(by_op()[name], "meta") for name in names}
    finally:
        forget()
    wrong = {
        name
        for name in names
        if any(
            cpu is not None and cpu != meta
            for cpu, meta in zip(on_cpu[name], on_meta[name], strict=True)
        )
    }
    assert wrong == {name for name in names if name in NEEDS_ELEMENTS}
