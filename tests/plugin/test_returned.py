"""A parameter that is returned unchanged, or assigned unchanged to an annotated variable.

No rule applies to it, and mypy does not ask a plugin.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import checked
from checked import Report, mypy, read_reports

PROGRAM = """\
from collections.abc import Callable
from functools import wraps
from typing import Literal as L, TypeVar, overload

import numpy as np
from jaxtyping import Float

from namecheck_runtime import Tensor

F = TypeVar("F", bound=Callable[..., object])


def turned(x: Float[np.ndarray, "b t"]) -> Float[np.ndarray, "t b"]:
    return x  # NC401


def same(x: Float[np.ndarray, "b t"], y: Float[np.ndarray, "b c"]) -> Float[np.ndarray, "b t"]:
    z: Float[np.ndarray, "b t"] = x
    w: Float[np.ndarray, "b t"] = y  # NC401
    return z if w is None else x


def either(
    x: Float[np.ndarray, "b t"], flag: bool
) -> tuple[Float[np.ndarray, "b t"], Float[np.ndarray, "b"]]:
    if flag:
        return x, x  # NC401
    return x, x.sum(axis=1)


def chosen(
    x: Float[np.ndarray, "b t"], y: Float[np.ndarray, "t b"] | None
) -> Float[np.ndarray, "t b"]:
    return x if y is None else y  # NC401


def rebound(x: Float[np.ndarray, "b t"]) -> Float[np.ndarray, "t b"]:
    x = x.T
    return x


def compared(x: Float[np.ndarray, "b t"]) -> Float[np.ndarray, "t b"]:
    assert x.shape[0] == x.shape[1]
    return x


def unwritten(x: Float[np.ndarray, "b t"]) -> np.ndarray:
    return x


def generated(x: Float[np.ndarray, "b t"]) -> Float[np.ndarray, "t b"]:
    for _ in range(3):
        def inner(y: Float[np.ndarray, "b t"]) -> Float[np.ndarray, "b"]:
            return y  # NC401
        inner(x)
    return x.T


def three(x: Tensor[L["N"], L[3]]) -> Tensor[L["N"], L[4]]:
    return x  # NC401


def logged(function: F) -> F:
    return function


class Module:
    rows: Float[np.ndarray, "n c"]

    @staticmethod
    def of(x: Float[np.ndarray, "n c"]) -> Float[np.ndarray, "n"]:
        return x  # NC401

    @property
    def first(self) -> Float[np.ndarray, "c"]:
        return np.zeros(3)

    @logged
    def method(self, x: Float[np.ndarray, "n c"]) -> Float[np.ndarray, "c n"]:
        return x  # NC401

    @overload
    def many(self, x: Float[np.ndarray, "n c"], y: str) -> Float[np.ndarray, "c"]: ...
    @overload
    def many(self, x: Float[np.ndarray, "n c"], y: int) -> Float[np.ndarray, "c"]: ...
    def many(self, x: Float[np.ndarray, "n c"], y: object) -> Float[np.ndarray, "c"]:
        return x  # NC401

    async def later(self, x: Float[np.ndarray, "n c"]) -> Float[np.ndarray, "c n"]:
        return x  # NC401


top: Float[np.ndarray, "a b"] = np.zeros((3, 4))
other: Float[np.ndarray, "a b"] = top


def ignored(x: Float[np.ndarray, "b t"]) -> Float[np.ndarray, "t b"]:
    return x  # type: ignore[named-tensor-NC401]
"""
WRONG = {number for number, line in enumerate(PROGRAM.splitlines(), 1) if line.endswith("# NC401")}


@pytest.fixture
def folder(warm: Path) -> Path:
    (warm / "program.py").write_text(PROGRAM)
    return warm


@pytest.fixture
def daemon(folder: Path) -> Iterator[checked.Daemon]:
    with checked.Daemon(folder) as started:
        yield started


def errors(folder: Path, *arguments: str) -> list[Report]:
    reports = read_reports(mypy(folder, "--output", "json", *arguments, "program.py"))
    return [report for report in reports if report.code.startswith("named-tensor")]


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
def test_a_parameter_is_compared_with_annotations(folder: Path, workers: tuple[str, ...]) -> None:
    reports = errors(folder, *workers)
    assert {(report.line, report.code) for report in reports} == {
        (line, "named-tensor-NC401") for line in WRONG
    }
    assert len(reports) == len(WRONG)  # each once
    assert errors(folder, *workers) == reports  # from the cache


def test_the_error_is_at_the_name(folder: Path) -> None:
    lines = PROGRAM.splitlines()
    for report in errors(folder):
        assert lines[report.line - 1][report.column] in "xy"


def test_the_daemon_drops_a_corrected_error(folder: Path, daemon: checked.Daemon) -> None:
    def lines() -> list[int]:
        printed = daemon("run", "--", "program.py").splitlines()
        return [int(line.split(":")[1]) for line in printed if "NC401" in line and "error" in line]

    assert sorted(lines()) == sorted(WRONG)
    lines_ = PROGRAM.splitlines()
    wrong = min(WRONG)
    lines_[wrong - 1] = "    return x.T"
    (folder / "program.py").write_text("\n".join(lines_) + "\n")
    assert sorted(lines()) == sorted(WRONG - {wrong})
    (folder / "program.py").write_text(PROGRAM)
    assert sorted(lines()) == sorted(WRONG)
