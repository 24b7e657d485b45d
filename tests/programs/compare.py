"""Compare model files under PyTorch and under this package: the same results and gradients?

    python tests/programs/compare.py --torch PYTHON --packages FOLDER [--write] [DRIVER ...]

PYTHON has PyTorch; FOLDER has the packages as `name-version/` (`drive.py`). What the packages
import besides is found through PYTHONPATH. Prints a line for each driver, and how many are equal.
`--write` keeps digests of PyTorch's arrays as data, with which `drive.py` compares.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from digests import SMALL, digests, measured, write
from driver_files import every_driver

HERE: Final = Path(__file__).parent
TOLERANCES: Final = {"float32": 1e-5, "float64": 1e-9}
"""By how much the elements of a tensor may differ, of the largest one in it."""


class Outcome(NamedTuple):
    """What a comparison showed; `rounded` counts tensors that float32 has fewer digits of."""

    results: int
    gradients: int
    worst_result: float
    worst_gradient: float
    rounded: int
    differs: str


def run(
    command: list[object], driver: str, packages: Path, dtype: str, target: Path, path: str
) -> str:
    """Run a driver in a process of its own; returns the last line of its error, or nothing."""
    options = ["--packages", packages, "--dtype", dtype, "--save", target]
    full = [str(part) for part in (*command, HERE / "drive.py", driver, *options)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": path}
    try:
        done = subprocess.run(
            full, capture_output=True, text=True, check=False, timeout=300, env=environment
        )
    except subprocess.TimeoutExpired:
        return "takes more than 300 s"
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    named = [line for line in lines if not line.startswith((" ", "hint:", "NC"))]
    return (named or lines or ["killed"])[-1]


def compared(mine: Any, theirs: Any, exact: Any, dtype: str) -> Outcome:
    """How two runs' results and gradients differ.

    In float32, a tensor may also be four times as far from PyTorch's as that is from PyTorch's
    own in float64: sums in another order do not get nearer.
    """
    tolerance, rounded = TOLERANCES[dtype], 0
    differs, worst = [], {"result": 0.0, "gradient": 0.0}
    most = max((_largest(theirs[key]) for key in theirs if key.startswith("gradient")), default=0)
    for key, wanted in theirs.items():
        kind = key.partition("|")[0]
        if key not in mine or mine[key].shape != wanted.shape:
            differs.append(f"{key} has other sizes" if key in mine else f"{key} is missing")
            continue
        scale = max(_largest(wanted), SMALL[dtype] * most if kind == "gradient" else 0.0) or 1.0
        difference = _farthest(mine[key], wanted) / scale
        worst[kind] = max(worst[kind], difference)
        if not difference <= tolerance:
            if dtype == "float32" and difference <= 4 * _farthest(exact[key], wanted) / scale:
                rounded += 1
            else:
                differs.append(f"{key} by {difference:.1e}")
    differs += [f"{key} is too much" for key in mine if key not in theirs]
    counts = [sum(key.startswith(kind) for key in theirs) for kind in ("result", "gradient")]
    return Outcome(*counts, worst["result"], worst["gradient"], rounded, ", ".join(differs[:4]))


def _farthest(array: Any, wanted: Any) -> float:
    """The largest difference of two elements; NaN is equal to NaN."""
    if array.shape != wanted.shape:
        return 0.0
    with np.errstate(invalid="ignore"):
        away = np.where(array == wanted, 0.0, np.abs(array - wanted))
    return float(np.max(away[~(np.isnan(array) & np.isnan(wanted))], initial=0.0))


def _largest(array: Any) -> float:
    finite = np.abs(array[np.isfinite(array)])
    return float(np.max(finite, initial=0.0))


def comparison(name: str, python: str, packages: Path, kept: Path, folder: Path) -> str:
    """What a line says of a driver, after its name."""
    shared = os.environ.get("PYTHONPATH", "")
    arrays = {}
    for dtype in TOLERANCES:
        target = kept / f"{name}_{dtype}.npz"
        if not target.exists():
            error = run([python], name, packages, dtype, target, shared)
            if error:
                return f"PyTorch: {error}"
        with np.load(target) as file:
            arrays[dtype] = dict(file)
    notes, is_equal = [], True
    for dtype, theirs in arrays.items():
        command = [sys.executable, "-m", "namecheck_runtime.as_torch"]
        error = run([*command], name, packages, dtype, folder / "mine.npz", shared)
        if error:
            return error
        with np.load(folder / "mine.npz") as file:
            outcome = compared(dict(file), theirs, arrays["float64"], dtype)
        notes.append(
            f"{dtype} {outcome.worst_result:.0e}, {outcome.worst_gradient:.0e}"
            + (f", {outcome.rounded} beyond float32" if outcome.rounded else "")
            + (f", {outcome.differs}" if outcome.differs else "")
        )
        is_equal = is_equal and not outcome.differs
    counts = f"{outcome.results} results, {outcome.gradients} gradients"
    return f"{'equal' if is_equal else 'differs'}: {counts}; {'; '.join(notes)}"


def main() -> None:
    """Read the command line and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--torch", required=True, help="an interpreter that has PyTorch")
    parser.add_argument("--packages", type=Path, default=HERE)
    parser.add_argument("--write", action="store_true", help="keep digests of PyTorch's arrays")
    parser.add_argument("--keep", type=Path, help="keeps PyTorch's arrays, to compare again")
    parser.add_argument("drivers", nargs="*")
    options = parser.parse_args()
    names = options.drivers or sorted(every_driver())
    known = measured()
    with tempfile.TemporaryDirectory() as folder:
        kept = options.keep or Path(folder)
        kept.mkdir(exist_ok=True)
        equal = 0
        for name in names:
            note = comparison(name, options.torch, options.packages, kept, Path(folder))
            equal += note.startswith("equal")
            print(f"{name:24} {note}", flush=True)
            target = kept / f"{name}_float64.npz"
            if options.write and target.exists():
                with np.load(target) as file:
                    known[name] = digests(dict(file))
    if options.write:
        write(known)
    print(f"{equal} of {len(names)} give the same results and gradients")


if __name__ == "__main__":
    main()
