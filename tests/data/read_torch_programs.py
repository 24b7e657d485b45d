"""Writes `training_torch.jsonl`: how the programs of `tests/programs/training` learn under PyTorch.

`python tests/data/read_torch_programs.py`, with PyTorch installed.  A line for each program: its
losses in float64, and its accuracies in float32, one for each seed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import torch

TESTS = Path(__file__).parents[1]
OUT = Path(__file__).parent / "training_torch.jsonl"
SEEDS = (0, 1, 2)


def measured(*options: str) -> list[dict[str, Any]]:
    """What each program showed."""
    programs = sorted(path.stem for path in (TESTS / "programs/training").glob("*_*.py"))
    command = [sys.executable, TESTS / "programs/train.py", *programs, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> None:
    """Train each program once in float64, and under three seeds in float32."""
    exact = measured("--dtype", "float64")
    runs = [measured("--dtype", "float32", "--seed", str(seed)) for seed in SEEDS]
    lines = [json.dumps({"torch": torch.__version__, "seeds": SEEDS})]
    for facts, *rest in zip(exact, *runs, strict=True):
        facts["losses"] = [float(f"{loss:.10g}") for loss in facts["losses"]]
        facts["float32 accuracies"] = [round(other["accuracy"], 6) for other in rest]
        lines.append(json.dumps(facts))
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
