"""What the runtime costs over NumPy: small ops, large ones and the import.

`python tests/benchmarks/runtime.py` prints nanoseconds per call of the runtime and of NumPy, the
ratio, and the budget of design.md section 8.  Candidates alternate in one run, in CPU time; the
least of all rounds counts, and what an empty call costs is taken off.  xarray stands beside them
where it is installed.
"""

from __future__ import annotations

import gc
import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time_ns
from typing import Any, NamedTuple

sys.path[:0] = [str(Path(__file__).parents[2] / "runtime")]

import numpy as np  # noqa: E402

import namecheck_runtime as nt  # noqa: E402

ROUNDS = 31
CALLS = 4000
LARGE = 10_000_000
RUNS = 11

Step = Callable[[], Any]


class Row(NamedTuple):
    """One line of the table."""

    name: str
    ours: Step
    numpy: Step
    budget: float | None = None
    xarray: Step | None = None


def small(size: int) -> list[Row]:
    """Ops on square matrices of float32."""
    rng = np.random.default_rng(0)
    a, b = (rng.random((size, size), np.float32) for _ in range(2))
    x = nt.tensor(a, names=("N", "C"))
    y = nt.tensor(b, names=("N", "C"))
    z = nt.tensor(b, names=("C", "D"))
    other: dict[str, Step | None] = dict.fromkeys(("add", "sum", "transpose", "matmul", "x[1]"))
    if importlib.util.find_spec("xarray") is not None:
        import xarray as xr

        p, q = xr.DataArray(a, dims=("N", "C")), xr.DataArray(b, dims=("N", "C"))
        r = xr.DataArray(b, dims=("C", "D"))
        other = {
            "add": lambda: p + q,
            "sum": lambda: p.sum("C"),
            "transpose": lambda: p.transpose("C", "N"),
            "matmul": lambda: p.dot(r),
            "x[1]": lambda: p[1],
        }
    strict = size == 3
    of = f"{size}x{size}"
    return [
        Row(f"add {of}", lambda: x + y, lambda: a + b, 2.8 if strict else None, other["add"]),
        Row(
            f"sum by name {of}",
            lambda: x.sum("C"),
            lambda: a.sum(1),
            1.5 if strict else None,
            other["sum"],
        ),
        Row(
            f"transpose {of}",
            lambda: x.transpose("N", "C"),
            lambda: a.transpose(1, 0),
            5.0 if strict else None,
            other["transpose"],
        ),
        Row(f"matmul {of}", lambda: x @ z, lambda: a @ b, 1.2 if strict else None, other["matmul"]),
        Row(f"x[1] {of}", lambda: x[1], lambda: a[1], 5.5 if strict else None, other["x[1]"]),
        Row(f"x[:, 1:] {of}", lambda: x[:, 1:], lambda: a[:, 1:]),
        Row(f"x * 2.0 {of}", lambda: x * 2.0, lambda: a * 2.0),
        Row(f"exp {of}", lambda: x.exp(), lambda: np.exp(a)),
        Row(f"add_ {of}", lambda: x.add_(0.0), lambda: np.add(a, 0.0, out=a)),
    ]


def large() -> list[Row]:
    """Ops on ten million elements of float32."""
    a = np.ones((LARGE // 1000, 1000), np.float32)
    x = nt.from_numpy(a).rename("N", "C")
    y = nt.ones(LARGE // 1000, 1000, names=("N", "C"))
    b = y.numpy()
    return [
        Row("add 1e7", lambda: x + y, lambda: a + b, 1.03),
        Row("sum 1e7", lambda: x.sum("C"), lambda: a.sum(1), 1.03),
        Row("exp 1e7", lambda: x.exp(), lambda: np.exp(a), 1.03),
        Row("x * 2.0 1e7", lambda: x * 2.0, lambda: a * 2.0, 1.03),
    ]


def measure(steps: list[Step], rounds: int, calls: int) -> list[float]:
    """Nanoseconds of CPU per call of each, alternating; the least of all rounds."""
    least = [float("inf")] * len(steps)
    each = range(calls)
    gc.disable()
    for _ in range(rounds):
        for place, step in enumerate(steps):
            begin = process_time_ns()
            for _ in each:
                step()
            least[place] = min(least[place], (process_time_ns() - begin) / calls)
    gc.enable()
    return least


def show(rows: list[Row], rounds: int, calls: int) -> None:
    """Print one line per row."""
    for row in rows:
        steps = [lambda: None, row.ours, row.numpy]
        if row.xarray is not None:
            steps.append(row.xarray)
        empty, ours, numpy, *rest = measure(steps, rounds, calls)
        ratio = (ours - empty) / (numpy - empty)
        budget = "" if row.budget is None else f"{row.budget:6.2f}"
        beside = f"{rest[0] - empty:12,.0f}" if rest else ""
        print(
            f"{row.name:20s} {ours - empty:14,.0f} {numpy - empty:14,.0f} {ratio:6.2f} "
            f"{budget:>6s} {beside}"
        )


def import_time(code: str) -> float:
    """Milliseconds of CPU that a fresh Python takes for some code; the least of several runs."""
    least = float("inf")
    for _ in range(RUNS):
        before = getrusage(RUSAGE_CHILDREN)
        path = str(Path(__file__).parents[2] / "runtime")
        subprocess.run(
            [sys.executable, "-c", f"import sys; sys.path.insert(0, {path!r}); {code}"], check=True
        )
        after = getrusage(RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        least = min(least, spent * 1000)
    return least


def main() -> None:
    """Print the table."""
    print(f"{'':20s} {'ours ns':>14s} {'NumPy ns':>14s} {'ratio':>6s} {'budget':>6s} xarray ns")
    for size in (3, 64):
        show(small(size), ROUNDS, CALLS if size == 3 else CALLS // 4)
    show(large(), 9, 3)
    numpy = import_time("import numpy")
    package = import_time("import namecheck_runtime")
    tensors = import_time("import namecheck_runtime; namecheck_runtime.Tensor")
    first = import_time("import namecheck_runtime as nt; nt.ones(2, names=('N',))")
    print(f"import numpy {numpy:.0f} ms; namecheck_runtime {package:.0f} ms; its Tensor", end=" ")
    print(f"{tensors:.0f} ms (budget {numpy + 20:.0f}); with the first tensor {first:.0f} ms")


if __name__ == "__main__":
    main()
