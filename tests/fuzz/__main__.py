"""Fuzzing: the whole pipeline on cases made at random, for as long as one likes.

    python3 -m tests.fuzz --minutes 30 --seed 7

Kinds of cases: calls of every op with huge numbers, random tensor programs, mutated programs and
texts, files of the packages that are installed (or of `--corpus`), projects, notebooks, settings,
baselines and caches.  Whatever fails is made small, printed, and kept under `--keep` as the files
that it is; the exit code is 1 then.  Runs repeat with `--seed`.
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
"""Whose files are taken where no corpus is given: what the tests' environment has."""


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
    own = own_programs()
    ran: Counter[str] = Counter()
    failures = 0
    number = options.seed * 1_000_000  # so that no two seeds have a round in common
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            chance = random.Random(number)
            texts = real_programs(folders, chance, 60) if number % 2 else own
            for kind in options.kinds:
                examples = options.examples * KINDS[kind].times
                count, found = tried(kind, texts, examples, number, Path(folder) / "case")
                ran[kind] += count
                if found is not None:
                    failures += 1
                    _keep(options.keep / f"{kind}-{number}", found)
                if time.monotonic() >= end:
                    break
            number += 1
    for kind in options.kinds:
        print(f"{ran[kind]:>9,} {KINDS[kind].noun}")
    spent = (time.monotonic() - begun) / 60
    print(f"{ran.total():>9,} cases in {spent:.1f} minutes, seed {options.seed}: {failures} failed")
    return 1 if failures else 0


def _installed() -> list[Path]:
    """The folders of packages that are installed."""
    found = []
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            found.append(Path(spec.origin).parent)
    return found


def _keep(folder: Path, failure: Failure) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in failure.files.items():
        (folder / name).write_bytes(content)
    told = "".join(traceback.format_exception(failure.reason)[-12:])
    (folder / "failure.txt").write_text(told, "utf-8", "backslashreplace")
    print(f"== {folder}", flush=True)
    print(told.encode("ascii", "backslashreplace").decode()[:2500], flush=True)
    for name, content in failure.files.items():
        print(f"-- {name}\n{content.decode('utf-8', 'backslashreplace')[:2000]}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
