"""The overhead of gradients over hand-written NumPy, what graphs hold, and what plain tensors pay.

`python tests/benchmarks/autograd.py` prints three tables:

* A layer, `relu(x @ w.T + b).sum()`, forward and backward, at 3x3, 64 and 512, beside the same
  steps in NumPy.  The goals of issue 28 are at most 2.2, 1.5 and 1.05 times NumPy's CPU time (a
  prototype without names: 1.71, 1.30, 1.00).  PyTorch's ratio is beside it, if it is installed.
* The bytes that a graph holds, beside those that the derivatives need.
* Plain 3x3 tensors (add, sum, matmul, x[1]) before any gradient was asked for, and after modules of
  graphs were imported and used, in alternating processes.  The goal is within 3 %.

Everything is CPU time of one thread; candidates alternate, and medians are compared.  It takes
about a minute.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time_ns
from typing import Any

# Threads of BLAS count as CPU time: one, for all.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

RUNTIME = str(Path(__file__).parents[2] / "runtime")
sys.path[:0] = [RUNTIME]

import numpy as np  # noqa: E402

import namecheck_runtime as nt  # noqa: E402

GOALS = {3: 2.2, 64: 1.5, 512: 1.05}
"""The most times NumPy's CPU time, by size."""
CALLS = {3: 300, 64: 100, 512: 2}
ROUNDS = 31
RUNS = 7
"""Processes of each kind for plain tensors."""
WITHIN = 1.03

Step = Callable[[], Any]


def arrays(size: int) -> tuple[Any, Any, Any]:
    """The input, the weight and the bias of a layer, in float32."""
    rng = np.random.default_rng(0)
    x, w = (rng.standard_normal((size, size), np.float32) for _ in range(2))
    return x, w, rng.standard_normal(size, np.float32)


def by_hand(size: int) -> Step:
    """A layer and its gradients as a person writes them in NumPy."""
    x, w, b = arrays(size)

    def step() -> Any:
        y = x @ w.T + b
        z = np.maximum(y, 0)
        loss = z.sum()
        grad = np.ones_like(z) * (y > 0)
        return loss, grad.T @ x, grad.sum(0)

    return step


def by_graph(size: int, library: Any, named: bool) -> Step:
    """The same with `backward()` of a library, this one or PyTorch."""
    x, w, b = map(library.from_numpy, arrays(size))
    if named:
        x, w, b = x.rename("N", "C"), w.rename("D", "C"), b.rename("D")
    w.requires_grad_()
    b.requires_grad_()
    functional = library.nn.functional

    def step() -> Any:
        w.grad = b.grad = None
        loss = functional.relu(functional.linear(x, w, b)).sum()
        loss.backward()
        return loss, w.grad, b.grad

    return step


def measure(steps: list[Step], calls: int) -> list[float]:
    """The median nanoseconds of CPU per call of each, alternating."""
    spent: list[list[float]] = [[] for _ in steps]
    for step in steps:
        step()
    gc.disable()
    for _ in range(ROUNDS):
        for place, step in enumerate(steps):
            begin = process_time_ns()
            for _ in range(calls):
                step()
            spent[place].append((process_time_ns() - begin) / calls)
    gc.enable()
    return [median(times) for times in spent]


def torch_or_none() -> Any:
    """PyTorch on one thread, if it is installed."""
    if importlib.util.find_spec("torch") is None:
        return None
    import torch

    torch.set_num_threads(1)
    return torch


def show_layer() -> None:
    """Print a layer's ratios to NumPy."""
    torch = torch_or_none()
    print(
        f"{'linear + relu + sum':22s} {'ours us':>9s} {'NumPy us':>9s} {'ratio':>6s} goal", end=""
    )
    print("" if torch is None else f"   torch {torch.__version__}")
    for size, goal in GOALS.items():
        steps = [by_hand(size), by_graph(size, nt, named=True)]
        if torch is not None:
            steps.append(by_graph(size, torch, named=False))
        numpy, ours, *beside = measure(steps, CALLS[size])
        theirs = "".join(f"{time / numpy:8.2f}" for time in beside)
        print(
            f"{f'{size}x{size}':22s} {ours / 1000:9.1f} {numpy / 1000:9.1f} "
            f"{ours / numpy:6.2f} {goal:4.2f} {theirs}"
        )


# -- what a graph holds ----------------------------------------------------------------------------

COUNT = 250_000
"""The elements of a tensor whose graph is weighed: 1 MB of float32."""


def programs() -> dict[str, tuple[Callable[[Any], Any], int]]:
    """Programs of a leaf, and how many results as large as it their graphs have to hold."""
    functional = nt.nn.functional
    return {
        "x + 1": (lambda x: x + 1, 0),
        "x * 2": (lambda x: x * 2, 0),
        "x.sin(), of the leaf": (lambda x: x.sin(), 0),
        "x.exp()": (lambda x: x.exp(), 1),
        "(x + 1).sin()": (lambda x: (x + 1).sin(), 1),
        "(x + 1).exp()": (lambda x: (x + 1).exp(), 1),
        "relu(x + 1).sum()": (lambda x: functional.relu(x + 1).sum(), 1),
        "((x + 1) * (x + 2)).sum()": (lambda x: ((x + 1) * (x + 2)).sum(), 2),
        "(x + 1).exp().sin().sum()": (lambda x: (x + 1).exp().sin().sum(), 1),
    }


def held(program: Callable[[Any], Any]) -> tuple[float, float]:
    """Megabytes that the graph of a program holds, and those left after the way back."""
    x = nt.ones(COUNT, requires_grad=True)
    program(x)  # plans and imports
    gc.collect()
    tracemalloc.start()
    result = program(x)
    weight = nt.ones(result.shape)
    own = weight.numel() * 4
    loss = (result * weight).sum() if result.ndim else result
    del result
    graph = tracemalloc.get_traced_memory()[0] - own
    loss.backward()
    x.grad = None
    del loss, weight
    gc.collect()
    left = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return graph / 1e6, left / 1e6


def show_memory() -> None:
    """Print what graphs hold, and what is left of them."""
    print(f"\n{'held by a graph, MB':28s} {'held':>6s} {'needed':>6s} {'after backward':>15s}")
    for name, (program, count) in programs().items():
        graph, left = held(program)
        print(f"{name:28s} {graph:6.2f} {count * COUNT * 4 / 1e6:6.2f} {left:15.2f}")


# -- plain tensors ---------------------------------------------------------------------------------

PLAIN = f"""
import sys, gc
from time import process_time_ns
sys.path.insert(0, {RUNTIME!r})
import namecheck_runtime as nt
if sys.argv[1] == "after":
    w = nt.ones(3, 3, requires_grad=True)
    ((w @ w).exp().sum() * w[1].sum()).backward()
x, y = nt.ones(3, 3), nt.ones(3, 3)
gc.disable()
for step in (lambda: x + y, lambda: x.sum(1), lambda: x @ y, lambda: x[1]):
    least = 1e9
    for _ in range(30):
        begin = process_time_ns()
        for _ in range(2000):
            step()
        least = min(least, (process_time_ns() - begin) / 2000)
    print(least)
"""


def plain(when: str) -> list[float]:
    """Nanoseconds of four calls on plain tensors, in a fresh process."""
    command = [sys.executable, "-I", "-c", PLAIN, when]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return list(map(float, done.stdout.split()))


def show_plain() -> None:
    """Print what plain tensors pay for the graphs of others."""
    pairs = [(plain("before"), plain("after")) for _ in range(RUNS)]
    print(f"\n{'plain tensors, 3x3':22s} {'before ns':>10s} {'after ns':>10s} {'ratio':>6s} goal")
    for place, name in enumerate(("add", "sum(1)", "matmul", "x[1]")):
        before = median(pair[0][place] for pair in pairs)
        after = median(pair[1][place] for pair in pairs)
        ratio = median(pair[1][place] / pair[0][place] for pair in pairs)
        print(f"{name:22s} {before:10,.0f} {after:10,.0f} {ratio:6.2f} {WITHIN:4.2f}")


def main() -> None:
    """Print the tables."""
    print(f"load {os.getloadavg()[0]:.1f}")
    show_layer()
    show_memory()
    show_plain()


if __name__ == "__main__":
    main()
