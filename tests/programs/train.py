"""Run training programs with the draws of `draws.py`; show their losses and accuracies as JSON.

    python tests/programs/train.py PROGRAM [--dtype float64] [--seed 0] [--steps 200]
    python -m namecheck_runtime.as_torch tests/programs/train.py ...

The first needs PyTorch. PROGRAM is a file of `training/`, by its name; several share a process.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import runpy
import sys
from pathlib import Path
from typing import Any, Final

import torch

from draws import as_double, replace

TRAINING: Final = Path(__file__).parent / "training"


def curve(printed: str) -> dict[str, Any]:
    """The losses and the accuracy that a program printed."""
    rows = [line.split() for line in printed.splitlines()]
    return {
        "losses": [float(row[3]) for row in rows if row[:1] == ["step"]],
        "accuracy": next(float(row[1]) for row in rows if row[:1] == ["accuracy"]),
    }


def trained(program: str, seed: int, steps: int) -> dict[str, Any]:
    """What a program prints when it is run for some steps."""
    replace(torch, seed)
    sys.argv = [f"{program}.py", "--steps", str(steps)]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(TRAINING / f"{program}.py"), run_name="__main__")
    return curve(printed.getvalue())


def main() -> None:
    """Read the command line, and run each program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    parser.add_argument("--dtype", default="float64", choices=("float32", "float64"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=200)
    options = parser.parse_args()
    sys.path.insert(0, str(TRAINING))
    if options.dtype == "float64":
        as_double(torch)
    for program in options.programs:
        print(json.dumps({"program": program, **trained(program, options.seed, options.steps)}))


if __name__ == "__main__":
    main()
