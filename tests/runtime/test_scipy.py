"""The extra `fast`: where SciPy is installed its ufuncs compute what our own functions do.

The other tests run without SciPy.  `.ci/run` installs it for the tests of this file alone.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import namecheck_runtime as nt
from namecheck_runtime.tensors.kernels import pointwise

OPS = {
    "erf": nt.erf,
    "gelu": nt.nn.functional.gelu,
    "digamma": nt.digamma,
    "lgamma": nt.lgamma,
}
VALUES = [
    -np.inf,
    -3.5,
    -2.0,
    -1.0,
    -0.25,
    -0.0,
    0.0,
    1e-8,
    0.5,
    1.0,
    2.5,
    7.0,
    60.0,
    np.inf,
    np.nan,
]
HERE = Path(__file__)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("op", OPS)
def test_scipy_computes_what_we_do(op: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scipy.special")
    x = nt.tensor(VALUES, dtype=getattr(nt, dtype), names=("N",))
    asked: list[Any] = []
    scipy = pointwise._scipy
    monkeypatch.setattr(pointwise, "_scipy", lambda name: asked.append(name) or scipy(name))
    fast = OPS[op](x)
    assert asked
    monkeypatch.setattr(pointwise, "_scipy", lambda name: None)
    slow = OPS[op](x)
    assert (fast.dtype, fast.names) == (slow.dtype, slow.names)
    tolerance = {"float16": 2e-3, "float32": 1e-6, "float64": 1e-12}[dtype]
    np.testing.assert_allclose(fast.numpy(), slow.numpy(), tolerance, tolerance)


@pytest.mark.registry
def test_with_scipy_from_the_registry(tmp_path: Path) -> None:
    if importlib.util.find_spec("scipy") is not None:
        pytest.skip("the test above has run")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
    subprocess.run([*install, str(tmp_path), "scipy>=1.10"], check=True)
    paths = [*filter(None, [os.environ.get("PYTHONPATH")]), str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", str(HERE)],
        cwd=HERE.parents[2],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "12 passed" in done.stdout
