"""Mutates the correct programs of docs/examples, and lists the mutants that namecheck misses.

Needs torch (see the README beside this file); `--python` names the interpreter that has it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PROGRAMS = HERE.parents[2] / "docs" / "examples" / "correct"


def main() -> None:
    """Classify every mutant, score namecheck, and print the missed mutants."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has torch")
    options = parser.parse_args()
    link = HERE / "repos" / "examples"
    link.parent.mkdir(exist_ok=True)
    if not link.exists():
        link.symlink_to(PROGRAMS)
    with tempfile.TemporaryDirectory() as folder:
        mutants, score = Path(folder, "mutants.jsonl"), Path(folder, "score.json")
        drivers = sorted(path.stem for path in (HERE / "drivers").glob("example_*.py"))
        harness = [options.python, HERE / "harness.py", "classify", "--max", "500"]
        subprocess.run([*harness, "--out", mutants, *drivers], check=True)
        command = (
            f"{sys.executable} -m namecheck check --exit-zero --output-format concise {{files}}"
        )
        scored = [sys.executable, HERE / "score.py", "--cmd", command, "--name", "namecheck"]
        subprocess.run([*scored, "--mutants", mutants, "--out", score], check=True)
        caught = {row["id"] for row in json.loads(score.read_text())["caught"]}
        for line in mutants.read_text().splitlines():
            mutant = json.loads(line)
            if mutant["class"] != "EQUIVALENT" and mutant["id"] not in caught:
                print(
                    f"missed {mutant['class']:10s} {mutant['file']}:{mutant['line']} {mutant['op']}"
                )
                print(f"    - {mutant['before'].strip()}\n    + {mutant['after'].strip()}")


if __name__ == "__main__":
    main()
