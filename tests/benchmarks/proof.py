"""The cost of proving fixes, as the ratio of CPU time of the proofs to that of the analysis.

    python tests/benchmarks/proof.py [PATH...]

Each PATH is a file or a folder. Without any, programs are generated: many functions, of which many,
some or one can be fixed, functions that all call each other, and the attacks in
`tests/faults`. A row gives lines, findings, fixes, seconds of the analysis, seconds of the
proofs, their ratio, and the work of the proofs, counted in lines, over the lines of the file:
this is at most 1, except for files of less than a hundred lines (`proof.FEW_LINES`).

Each program is analysed twice, each time from scratch, and only the second analysis is measured. So
imports cost neither side anything, and the proofs reuse what the analysis has read, as in `check`.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from time import process_time

from processes import ours

ours()  # from here on our packages can be imported

from namecheck.analysis.runs import file_analysis as analysis  # noqa: E402
from namecheck.analysis.runs.findings_of import Mistakes  # noqa: E402
from namecheck.findings import Finding  # noqa: E402
from namecheck.fixes.proof import Budget, fixable, with_fixes  # noqa: E402
from namecheck.running.examination import program_of  # noqa: E402

FAULTS = Path(__file__).parent.parent / "faults"

RIGHT = """

def right_{0}(x):
    B, T, C = x.shape
    y = x.transpose(1, 2)
    z = y.reshape(B, C * T)
    for _ in range(3):
        z = z + z.sum(-1, keepdim=True)
    return z.sum(-1)
"""

WRONG = """

def wrong_{0}(x):
    B, T, C = x.shape
    mean = x.mean(-1)
    y = (x - mean) / x.std(-1)
    return y.transpose(1, 2).view(-1)
"""

KNOTTED = """

def knotted_{0}(x):
    B, T, C = x.shape
    mean = x.mean(-1)
    return knotted_{1}(x - mean) if T > {0} else x
"""


def programs() -> Iterator[tuple[str, str]]:
    """Programs, by short descriptions."""
    for number in (1, 10, 50, 200):
        right = "".join(RIGHT.format(k) for k in range(200 - number))
        wrong = "".join(WRONG.format(k) for k in range(number))
        yield f"{number} of 200 functions", "import torch\n" + right + wrong
    knotted = "".join(KNOTTED.format(k, (k + 1) % 40) for k in range(40))
    yield "40 functions in a circle", "import torch\n" + knotted
    for path in sorted(FAULTS.glob("gen_*.py")):
        yield path.stem, path.read_text()


def files(paths: list[str]) -> Iterator[tuple[str, str]]:
    for path in map(Path, paths):
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            yield str(file), file.read_text(errors="replace")


def row(name: str, text: str) -> str | None:
    """The measurements of one program; None if there is nothing to prove."""
    for _ in range(2):
        mistakes: Mistakes = {}
        program = program_of((), ())
        begun = process_time()
        findings = analysis.analyze_text("a.py", text, program=program, mistakes=mistakes).findings
        analysing = process_time() - begun
    if not fixable(findings, "a.py"):
        return None
    taken = 0
    take = Budget.take

    def counted(self: Budget, lines: int) -> bool:
        nonlocal taken
        taken += lines if lines <= self.left else 0
        return take(self, lines)

    def again(changed: str, only: Collection[int] | None) -> Collection[Finding]:
        options = {"program": program, "shapes": False, "only": only}
        return analysis.analyze_text("a.py", changed, **options).findings  # type: ignore[arg-type]

    Budget.take = counted  # type: ignore[method-assign]
    begun = process_time()
    fixed = with_fixes("a.py", text, findings, mistakes, again)
    proving = process_time() - begun
    Budget.take = take  # type: ignore[method-assign]
    fixes = sum(finding.fix is not None for finding in fixed)
    lines = text.count("\n")
    return (
        f"{name[-32:]:32} {lines:6,} {len(findings):5} {fixes:5} {analysing:8.2f} {proving:8.2f}"
        f" {proving / analysing:6.2f} {taken / lines:6.2f}"
    )


def main() -> None:
    print(f"{'program':32}  lines found fixes analysis   proofs  ratio  lines")
    for name, text in files(sys.argv[1:]) if sys.argv[1:] else programs():
        line = row(name, text)
        if line is not None:
            print(line, flush=True)


if __name__ == "__main__":
    main()
