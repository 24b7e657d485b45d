"""The overhead of the runtime over NumPy: small ops, large ops, new sizes and the import.

`python tests/benchmarks/runtime.py` prints nanoseconds per call of the runtime and of NumPy, their
ratio by the minimum and by the median of all rounds, and the budget of design.md section 8 (rows
without one are for information).  Candidates alternate in one run, in CPU time; the
cost of an empty call is subtracted.  xarray is measured, too, if it is installed.

Then come calls whose sizes or numbers are new each time, beside the same call repeated, in
microseconds; and PyTorch's time for the same programs, if it is installed.  This takes about a
minute.
"""

from __future__ import annotations

import gc
import importlib.util
import subprocess
import sys
from collections.abc import Callable
from os import getloadavg
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter_ns, process_time_ns
from typing import Any, NamedTuple

sys.path[:0] = [str(Path(__file__).parents[2] / "runtime")]

import numpy as np  # noqa: E402

import namecheck_runtime as nt  # noqa: E402

ROUNDS = 61
CALLS = 1000
FEW = 200
"""For slower calls, and for xarray."""
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


def pair(size: int) -> tuple[Any, Any]:
    """Two square matrices of float32."""
    rng = np.random.default_rng(0)
    return rng.random((size, size), np.float32), rng.random((size, size), np.float32)


def small(size: int) -> list[Row]:
    """The ops that have a budget, on square matrices."""
    a, b = pair(size)
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
    budgets = (2.8, 1.5, 5.0, 1.2, 5.5) if size == 3 else (None,) * 5
    size_text = f"{size}x{size}"
    steps: list[tuple[str, str, Step, Step]] = [
        ("add", "add", lambda: x + y, lambda: a + b),
        ("sum by name", "sum", lambda: x.sum("C"), lambda: a.sum(1)),
        ("transpose", "transpose", lambda: x.transpose("N", "C"), lambda: a.transpose(1, 0)),
        ("matmul", "matmul", lambda: x @ z, lambda: a @ b),
        ("x[1]", "x[1]", lambda: x[1], lambda: a[1]),
    ]
    return [
        Row(f"{name} {size_text}", ours, numpy, budget, other[key])
        for (name, key, ours, numpy), budget in zip(steps, budgets, strict=True)
    ]


def everyday() -> list[Row]:
    """Other frequent calls, on 3x3 matrices: the rule answers once, then the plan is reused."""
    a, b = pair(3)
    x, y = nt.tensor(a, names=("N", "C")), nt.tensor(b, names=("N", "C"))
    mask = a > 0.5
    m = nt.tensor(mask)

    def softmax() -> Any:
        e = np.exp(a - a.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)

    return [
        Row("x * 2.0", lambda: x * 2.0, lambda: a * 2.0),
        Row("x > 0.5", lambda: x > 0.5, lambda: a > 0.5),
        Row("x[:, 1]", lambda: x[:, 1], lambda: a[:, 1]),
        Row("x[0, 1]", lambda: x[0, 1], lambda: a[0, 1]),
        Row("x[..., None]", lambda: x[..., None], lambda: a[..., None]),
        Row("x[mask]", lambda: x[m], lambda: a[mask], 13.0),
        Row("nt.add(x, y)", lambda: nt.add(x, y), lambda: np.add(a, b)),
        Row("exp", lambda: x.exp(), lambda: np.exp(a), 3.5),
        Row("where", lambda: nt.where(m, x, y), lambda: np.where(mask, a, b)),
        Row("mean(0)", lambda: x.mean(0), lambda: a.mean(0)),
        Row("softmax(-1)", lambda: x.softmax(-1), softmax),
        Row("max(1)", lambda: x.max(1), lambda: (a.max(1), a.argmax(1)), 3.1),
        Row("cat", lambda: nt.cat([x, y]), lambda: np.concatenate([a, b])),
        Row("stack", lambda: nt.stack([x, y]), lambda: np.stack([a, b])),
        Row("reshape", lambda: x.reshape(9), lambda: a.reshape(9)),
        Row("view", lambda: x.view(9), lambda: a.reshape(9)),
        Row("permute", lambda: x.permute("C", "N"), lambda: a.transpose(1, 0)),
        Row("unsqueeze", lambda: x.unsqueeze(0), lambda: a[None]),
        Row("rename", lambda: x.rename(N="M"), lambda: a.view()),
        Row("align_to", lambda: x.align_to("C", "N"), lambda: a.transpose(1, 0)),
        Row("split", lambda: x.split(1), lambda: np.split(a, 3)),
        Row("clone", lambda: x.clone(), lambda: a.copy()),
        Row("zeros", lambda: nt.zeros(3, 3), lambda: np.zeros((3, 3), np.float32)),
    ]


def in_place() -> list[Row]:
    """Calls that write to a tensor, on 3x3 matrices."""
    a, b = pair(3)
    x, y = nt.tensor(a, names=("N", "C")), nt.tensor(b, names=("N", "C"))

    def assign() -> None:
        x[0] = 1.0

    def numpy_assign() -> None:
        a[0] = 1.0

    return [
        Row("x += y", lambda: x.__iadd__(y), lambda: np.add(a, b, out=a)),
        Row("x /= 2.0", lambda: x.__itruediv__(1.0), lambda: np.divide(a, 1.0, out=a)),
        Row("add_", lambda: x.add_(y), lambda: np.add(a, b, out=a)),
        Row("sub_", lambda: x.sub_(0.5), lambda: np.subtract(a, 0.5, out=a)),
        Row("mul_", lambda: x.mul_(1.0), lambda: np.multiply(a, 1.0, out=a)),
        Row("div_", lambda: x.div_(1.0), lambda: np.divide(a, 1.0, out=a)),
        Row("zero_", lambda: x.zero_(), lambda: a.fill(0)),
        Row("fill_", lambda: x.fill_(1.0), lambda: a.fill(1.0)),
        Row("copy_", lambda: x.copy_(y), lambda: np.copyto(a, b)),
        Row("out=", lambda: nt.add(x, y, out=x), lambda: np.add(a, b, out=a)),
        Row("x[0] = 1.0", assign, numpy_assign),
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
        Row("add_ 1e7", lambda: x.add_(y), lambda: np.add(a, b, out=a), 1.03),
    ]


NEW = 400
"""How many new sizes are measured."""


def varying(library: Any, array: Callable[[Any], Any]) -> dict[str, Callable[[int], Any]]:
    """Programs of a number that is another at each call: a size, a place or a value.

    `array` makes a tensor of `library`, this package or PyTorch.
    """
    sizes = [(2 + k % 20, 2 + k // 20) for k in range(NEW)]  # small, so that little is computed
    xs = [array(np.ones(size, np.float32)) for size in sizes]
    w = [array(np.ones((size[1], 2), np.float32)) for size in sizes]
    ones = [array(np.ones((1, 3), np.float32)) for _ in sizes]
    rows = array(np.ones((NEW + 4, 3), np.float32))
    fixed = array(np.ones((3, 3), np.float32))

    def assign(k: int) -> None:
        rows[k] = 1.0

    return {
        "exp": lambda k: xs[k].exp(),
        "add": lambda k: library.add(xs[k], xs[k]),
        "clamp(0, i)": lambda k: fixed.clamp(0, k + 1),
        "x[i] = v": assign,
        "x[i:j]": lambda k: rows[k : k + 2],
        "narrow": lambda k: rows.narrow(0, k, 2),
        "zeros(n)": lambda k: library.zeros(*sizes[k]),
        "cat": lambda k: library.cat([xs[k], xs[k]]),
        "softmax": lambda k: xs[k].softmax(-1),
        "sum(1)": lambda k: xs[k].sum((0, 1)),
        "max(1)": lambda k: xs[k].max(1),
        "matmul": lambda k: library.matmul(xs[k], w[k]),
        "reshape(n, -1)": lambda k: xs[k].reshape(sizes[k][1], -1),
        "expand": lambda k: ones[k].expand(k + 1, 3),
        "add_": lambda k: xs[k].add_(1.0),
    }


def show_new() -> None:
    """Print what a new size or number costs more than a call that is repeated (aim: 15 us)."""
    print(f"\n{'new each time':18s} {'repeated':>9s} {'new':>9s} {'more':>6s}    us", end="")
    theirs: dict[str, Callable[[int], Any]] = {}
    if importlib.util.find_spec("torch") is not None:
        import torch

        torch.set_num_threads(1)
        theirs = varying(torch, torch.from_numpy)
        print(f"    torch {torch.__version__}, new", end="")
    print()
    for name, program in varying(nt, nt.from_numpy).items():
        first, again = timed(program)
        beside = f"{timed(theirs[name])[0]:12.1f}" if theirs else ""
        print(f"{name:18s} {again:9.1f} {first:9.1f} {first - again:6.1f} {beside}")


def timed(program: Callable[[int], Any]) -> tuple[float, float]:
    """Median microseconds of a call with a new number, and of the same call when repeated."""
    first: list[int] = []
    again: list[int] = []
    program(0)
    gc.disable()
    for k in range(1, NEW):
        begin = perf_counter_ns()
        program(k)
        middle = perf_counter_ns()
        program(k)
        last = perf_counter_ns()
        program(k)
        first.append(middle - begin)
        again.append(perf_counter_ns() - last)
    gc.enable()
    return median(first) / 1000, median(again) / 1000


def show_torch() -> None:
    """Print PyTorch's time for calls on 3x3 matrices beside ours, if it is installed."""
    if importlib.util.find_spec("torch") is None:
        return
    import torch

    a, b = pair(3)
    programs: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
        "exp": lambda library, x, y, m: x.exp(),
        "max(1)": lambda library, x, y, m: x.max(1),
        "x[mask]": lambda library, x, y, m: x[m],
        "x[:, None]": lambda library, x, y, m: x[:, None],
        "x[..., None]": lambda library, x, y, m: x[..., None],
        "permute(1, 0)": lambda library, x, y, m: x.permute(1, 0),
        "softmax(-1)": lambda library, x, y, m: x.softmax(-1),
        "out=": lambda library, x, y, m: library.add(x, x, out=y),
        "x[1]": lambda library, x, y, m: x[1],
    }
    print(f"\n{'3x3':18s} {'ours ns':>12s} {'torch ns':>12s} {'ratio':>6s}")
    ours = (nt, nt.tensor(a), nt.tensor(b), nt.tensor(a > 0.5))
    theirs = (torch, torch.tensor(a), torch.tensor(b), torch.tensor(a > 0.5))
    for name, program in programs.items():
        steps = [nothing, lambda p=program: p(*ours), lambda p=program: p(*theirs)]  # type: ignore[misc]
        empty, here, there = map(min, measure(steps, ROUNDS, FEW))
        print(f"{name:18s} {here - empty:12,.0f} {there - empty:12,.0f} {here / there:6.2f}")


def measure(steps: list[Step], rounds: int, calls: int) -> list[list[float]]:
    """Nanoseconds of CPU per call of each, alternating, in every round."""
    spent: list[list[float]] = [[] for _ in steps]
    each = range(calls)
    gc.disable()
    for _ in range(rounds):
        for place, step in enumerate(steps):
            begin = process_time_ns()
            for _ in each:
                step()
            spent[place].append((process_time_ns() - begin) / calls)
    gc.enable()
    return spent


def nothing() -> None:
    """A function that does nothing, to measure the cost of a call."""


def show(rows: list[Row], rounds: int, calls: int) -> None:
    """Print one line per row."""
    for row in rows:
        spent = measure([nothing, row.ours, row.numpy], rounds, calls)
        empty, ours, numpy = map(min, spent)
        middle, our_middle, numpy_middle = map(median, spent)
        ratio = (ours - empty) / (numpy - empty)
        usual = (our_middle - middle) / (numpy_middle - middle)
        budget = "" if row.budget is None else f"{row.budget:6.2f}"
        beside = ""
        if row.xarray is not None:
            [xarray] = measure([row.xarray], 5, FEW)
            beside = f"{min(xarray) - empty:12,.0f}"
        print(
            f"{row.name:18s} {ours - empty:12,.0f} {numpy - empty:12,.0f} {ratio:6.2f} "
            f"{usual:6.2f} {budget:>6s} {beside}"
        )


def import_times(*codes: str) -> list[float]:
    """CPU milliseconds of a fresh Python for each program, minus those of a bare one.

    Each is the minimum of several runs, without the time to free objects at exit.
    """
    path = str(Path(__file__).parents[2] / "runtime")
    least = [float("inf")] * (len(codes) + 1)
    for _ in range(RUNS):
        for place, code in enumerate(("pass", *codes)):
            program = f"import os, sys; sys.path.insert(0, {path!r}); {code}; os._exit(0)"
            before = getrusage(RUSAGE_CHILDREN)
            subprocess.run([sys.executable, "-I", "-c", program], check=True)
            after = getrusage(RUSAGE_CHILDREN)
            spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            least[place] = min(least[place], spent * 1000)
    return [spent - least[0] for spent in least[1:]]


def main() -> None:
    """Print the table."""
    load = getloadavg()[0]
    print(f"load {load:.1f}")
    print(
        f"{'':18s} {'ours ns':>12s} {'NumPy ns':>12s} {'least':>6s} {'median':>6s} {'budget':>6s}",
        end="",
    )
    print("    xarray ns")
    show(small(3), ROUNDS, CALLS)
    show(small(64), ROUNDS // 2, FEW)
    show(everyday(), ROUNDS, FEW)
    show(in_place(), ROUNDS, FEW)
    show(large(), 9, 2)
    show_new()
    show_torch()
    import_ours = "import namecheck_runtime"
    rules, numpy, package, tensors, first = import_times(
        f"{import_ours}.rules",
        "import numpy",
        import_ours,
        f"{import_ours} as nt; nt.Tensor",
        f"{import_ours} as nt; nt.ones(2)",
    )
    print(f"import of the rules {rules:.0f} ms (budget 30), of numpy {numpy:.0f} ms, of", end=" ")
    print(f"namecheck_runtime {package:.0f} ms, with its Tensor {tensors:.0f} ms", end=" ")
    print(f"(budget {numpy + 20:.0f}), with the first tensor {first:.0f} ms")


if __name__ == "__main__":
    main()
