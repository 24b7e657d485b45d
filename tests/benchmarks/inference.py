"""The cost of one inference and of importing the rules, and the size of the rulebook.

`python tests/benchmarks/inference.py` prints microseconds per call of `infer` for typical calls
(CPU time, the minimum of several rounds), milliseconds of importing the rules over a bare
Python, and the number of ops, spellings and layers.
"""

from __future__ import annotations

import subprocess
import sys
import timeit
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "runtime")]

import namecheck_runtime.rules  # noqa: E402, F401  (fills the registry)
from namecheck_runtime.declare import OPS, REGISTRY  # noqa: E402
from namecheck_runtime.infer import infer  # noqa: E402
from namecheck_runtime.layers import LAYERS  # noqa: E402
from shapes import shape, sym  # noqa: E402

ROUNDS = 7
CALLS = 2000
RUNS = 15

Question = Callable[[], Any]


def questions() -> dict[str, Question]:
    """Typical calls, by their names in the table."""
    ints, more = shape("N:32 T:128 C:64"), shape("N:32 T:128 C:64")
    symbols, row = shape("b t c"), shape("c")
    left, right = shape("b h t d"), shape("b h d s")
    image = shape("8 3 32 32")
    linear = LAYERS["torch.nn.Linear"].build((64, 128), {})
    conv = LAYERS["torch.nn.Conv2d"].build((3, 16, 3), {"padding": 1})
    assert linear is not None
    assert conv is not None
    add, total = REGISTRY["torch.add"], REGISTRY["torch.sum"]
    return {
        "add, names and ints": lambda: infer(add, (ints, more)),
        "add, symbols, a row": lambda: infer(add, (symbols, row)),
        "add, a number": lambda: infer(add, (symbols, 1.0)),
        "relu": lambda: infer("torch.relu", (symbols,)),
        "sum over -1": lambda: infer(total, (ints, -1)),
        "mean over two, keepdim": lambda: infer(
            "Tensor.mean", (symbols, (1, 2)), {"keepdim": True}
        ),
        "matmul, four dims": lambda: infer("torch.matmul", (left, right)),
        "view, heads apart": lambda: infer("Tensor.view", (symbols, sym("b"), sym("t"), 8, -1)),
        "transpose": lambda: infer("Tensor.transpose", (left, 1, 2)),
        "permute": lambda: infer("Tensor.permute", (left, 0, 2, 1, 3)),
        "cat of two": lambda: infer("torch.cat", ((symbols, symbols), -1)),
        "x[:, 0]": lambda: infer("operator.getitem", (symbols, (slice(None), 0))),
        "softmax": lambda: infer("torch.nn.functional.softmax", (left,), {"dim": -1}),
        "einsum": lambda: infer("torch.einsum", ("bhid,bhds->bhis", left, right)),
        "rearrange": lambda: infer("einops.rearrange", (symbols, "b t (h d) -> b h t d"), {"h": 8}),
        "Linear": lambda: infer(linear, (ints,)),
        "Conv2d": lambda: infer(conv, (image,)),
    }


def microseconds(question: Question) -> float:
    question()
    rounds = timeit.repeat(question, number=CALLS, repeat=ROUNDS, timer=process_time)
    return min(rounds) / CALLS * 1e6


def import_milliseconds() -> tuple[float, float, float]:
    """Times of a bare Python, of one that imports the rules, and of one that frees them at exit.

    Each is the minimum of several runs.
    """
    runtime = str(Path(__file__).parents[2] / "runtime")
    prefix = f"import sys; sys.path.insert(0, {runtime!r}); "

    def least(statement: str) -> float:
        command = [sys.executable, "-I", "-S", "-c", prefix + statement]
        times = []
        for _ in range(RUNS):
            before = getrusage(RUSAGE_CHILDREN)
            subprocess.run(command, check=True)
            after = getrusage(RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return min(times) * 1e3

    rules = "import namecheck_runtime.rules"
    ended = "; import os; os._exit(0)"
    return least("pass" + ended), least(rules + ended), least(rules) - least("pass")


def main() -> None:
    for name, question in questions().items():
        print(f"{microseconds(question):8.1f} us  {name}")
    bare, rules, rules_and_exit = import_milliseconds()
    print(f"{rules - bare:8.1f} ms  import of the rules, over {bare:.1f} ms of a bare Python")
    print(f"{rules_and_exit - rules + bare:8.1f} ms  that they add to the exit of Python")
    print(f"{len(OPS)} ops in {len(REGISTRY)} spellings, {len(set(LAYERS.values()))} layers")


if __name__ == "__main__":
    main()
