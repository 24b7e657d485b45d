"""Fuzzing: the whole pipeline on random cases, for any length of time.

    python3 -m tests.fuzz --minutes 30 --seed 7

Kinds of cases: calls of every op with huge numbers, random tensor programs, mutated programs and
texts, files of the packages that are installed (or of `--corpus`), projects, notebooks, settings,
baselines and caches.  A failing case is made small, printed, and its files are kept under `--keep`;
the exit code is then 1.  `--seed` repeats a run.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Final

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]

from trials import MEMORY, Failure, tried  # noqa: E402

from cases import KINDS, own_programs, real_programs  # noqa: E402

__all__ = ["main"]

PACKAGES: Final = ("numpy", "xarray", "einops", "jaxtyping", "namecheck", "namecheck_runtime")
"""Packages of the test environment: their files are the corpus if none is given."""


def main() -> int:
    """Fuzzes for a while; 1 if anything failed."""
    parser = argparse.ArgumentParser(
        prog="python3 -m tests.fuzz", description=(__doc__ or "").split("\n\n")[0]
    )
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--corpus", type=Path, help="a folder of Python files to begin with")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "namecheck-fuzz")
    parser.add_argument("--kinds", nargs="+", choices=sorted(KINDS), default=list(KINDS))
    parser.add_argument("--examples", type=int, default=40, help="cases of a kind in a round")
    options = parser.parse_args()
    folders = [options.corpus] if options.corpus is not None else _installed()
    if not any(any(folder.glob("**/*.py")) for folder in folders):
        parser.error(f"no Python files in {', '.join(map(str, folders))}")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    begun = time.monotonic()
    end = begun + 60 * options.minutes
    ours = own_programs()
    ran: Counter[str] = Counter()
    failures = 0
    number = options.seed * 1_000_000  # no two seeds share a round
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            chance = random.Random(number)
            texts = real_programs(folders, chance, 60) if number % 2 else ours
            for kind in options.kinds:
                examples = options.examples * KINDS[kind].times
                count, failure = tried(kind, texts, examples, number, Path(folder) / "case")
                ran[kind] += count
                if failure is not None:
                    failures += 1
                    _keep(options.keep / f"{kind}-{number}", failure)
                if time.monotonic() >= end:
                    break
            number += 1
    for kind in options.kinds:
        print(f"{ran[kind]:>9,} {KINDS[kind].noun}")
    minutes = (time.monotonic() - begun) / 60
    print(
        f"{ran.total():>9,} cases in {minutes:.1f} minutes, seed {options.seed}: {failures} failed"
    )
    return 1 if failures else 0


def _installed() -> list[Path]:
    """The folders of the installed packages."""
    folders = []
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            folders.append(Path(spec.origin).parent)
    return folders


def _keep(folder: Path, failure: Failure) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in failure.files.items():
        (folder / name).write_bytes(content)
    report = "".join(traceback.format_exception(failure.reason)[-12:])
    (folder / "failure.txt").write_text(report, "utf-8", "backslashreplace")
    print(f"== {folder}", flush=True)
    print(report.encode("ascii", "backslashreplace").decode()[:2500], flush=True)
    for name, content in failure.files.items():
        print(f"-- {name}\n{content.decode('utf-8', 'backslashreplace')[:2000]}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
