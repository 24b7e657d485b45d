"""Functions of several signatures: mypy tries them in order, and reports little on failure."""

from __future__ import annotations

from pathlib import Path

from checked import mypy, read_reports

PROGRAM = """\
from typing import Any, overload

import numpy as np
from jaxtyping import Float

import namecheck_runtime as nt
from namecheck_runtime import Tensor


@overload
def pooled(x: Float[np.ndarray, "n c"], y: int) -> Float[np.ndarray, "c"]: ...
@overload
def pooled(x: Float[np.ndarray, "n c"], y: str) -> Float[np.ndarray, "n"]: ...
def pooled(x: Any, y: Any) -> Any:
    return x


class Pool:
    @overload
    def __init__(self, x: Float[np.ndarray, "n c"]) -> None: ...
    @overload
    def __init__(self, x: int, y: int) -> None: ...
    def __init__(self, x: Any, y: Any = 0) -> None: ...

    @overload
    def of(self, x: Float[np.ndarray, "n c"], y: Float[np.ndarray, "c"]) -> int: ...
    @overload
    def of(self, x: Float[np.ndarray, "n c"]) -> str: ...
    def of(self, x: Any, y: Any = None) -> Any: ...


@overload
def either(x: int) -> int: ...
@overload
def either(x: Tensor) -> str: ...
def either(x: Any) -> Any: ...


def used(
    q: Float[np.ndarray, "t d"], k: Float[np.ndarray, "s d"], v: Float[np.ndarray, "t"], pool: Pool
) -> None:
    pooled(q, 3) @ v  # NC203
    pooled(q, "") @ v
    pooled(v, 3)  # NC404
    pooled(v, "")  # NC404
    pool.of(q)
    pool.of(v)  # NC404
    pool.of(q, v)  # NC404
    pool.of(q, q[0])
    print(np.sum(q @ k))  # NC203
    np.concatenate([q @ k, k], axis=1)  # NC203
    np.concatenate([q, k], axis=1)  # NC207
    np.concatenate([q, k], axis=0)


def named() -> None:
    x = nt.randn(2, 3, names=("N", "C"))
    either(x.sum("Q"))  # NC103
    either((x + x.T).relu())  # NC101
    max([x.sum("Q")], key=len)  # NC103
    nt.cat((x.sum("Q"), x), "N")  # NC103
    sorted([x], key=lambda y: float(y.sum("Q").item()))  # NC103
    either([y.sum("Q") for y in [x]][0])  # NC103
"""


def test_a_mistake_in_an_argument_is_reported_with_its_code(warm: Path) -> None:
    (warm / "program.py").write_text(PROGRAM)
    reports = read_reports(mypy(warm, "--output", "json", "program.py"))
    errors = {(report.line, report.code) for report in reports if report.severity == "error"}
    assert errors == {
        (number, f"named-tensor-{line[-5:]}")
        for number, line in enumerate(PROGRAM.splitlines(), 1)
        if "# NC" in line
    }
