"""A parameter that is returned, or assigned to what has an annotation, as it is."""

from __future__ import annotations

import shutil
from pathlib import Path

from checked import mypy, read_reports

PROGRAM = """\
import numpy as np
from jaxtyping import Float


def turned(x: Float[np.ndarray, "b t"]) -> Float[np.ndarray, "t b"]:
    print(x.T)
    return x  # NC401


def same(x: Float[np.ndarray, "b t"], y: Float[np.ndarray, "b c"]) -> Float[np.ndarray, "b t"]:
    z: Float[np.ndarray, "b t"] = x
    w: Float[np.ndarray, "b t"] = y  # NC401
    print(x.T)
    return z if w is None else x


def either(
    x: Float[np.ndarray, "b t"], flag: bool
) -> tuple[Float[np.ndarray, "b t"], Float[np.ndarray, "b"]]:
    print(x.T)
    if flag:
        return x, x  # NC401
    return x, x.sum(axis=1)


def rebound(x: Float[np.ndarray, "b t"]) -> Float[np.ndarray, "t b"]:
    x = x.T
    return x


def compared(x: Float[np.ndarray, "b t"]) -> Float[np.ndarray, "t b"]:
    assert x.shape[0] == x.shape[1]
    print(x.T)
    return x
"""


def test_a_parameter_is_held_against_annotations(tmp_path: Path, warm_cache: Path) -> None:
    shutil.copytree(warm_cache, tmp_path / ".mypy_cache")
    (tmp_path / "program.py").write_text(PROGRAM)
    reports = read_reports(mypy(tmp_path, "--output", "json", "program.py"))
    found = {(r.line, r.code.removeprefix("named-tensor-")) for r in reports if "NC" in r.code}
    lines = enumerate(PROGRAM.splitlines(), 1)
    assert found == {(number, "NC401") for number, line in lines if line.endswith("# NC401")}
