"""Fuzzing: the whole pipeline on cases made at random, for as long as one likes.

    python tests/fuzz/run.py --seconds 600 --corpus FOLDER

Programs are those of the lessons, and with `--corpus` stretches of the files there. Whatever fails
is made small, printed, and kept under `--keep` as the files that it is; the exit code is 1 then.
Runs repeat with `--seed`.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

sys.path.insert(0, str(Path(__file__).parent))

from cases import KINDS, laid_out, own_programs, real_programs

__all__ = ["fails", "main"]


def fails(
    kind: str, texts: Sequence[str], examples: int, number: int, folder: Path, small: bool = True
) -> tuple[Mapping[str, bytes], BaseException] | None:
    """The smallest case of a kind that was found to fail, and how; None if none did."""
    last: list[Mapping[str, bytes]] = []
    phases = [Phase.generate, Phase.shrink] if small else [Phase.generate]

    @seed(number)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=phases,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(KINDS[kind].made(texts))
    def asked(files: Mapping[str, bytes]) -> None:
        with laid_out(files, folder):
            try:
                KINDS[kind].holds(files)
            except BaseException:
                last[:] = [files]
                raise

    try:
        asked()
    except KeyboardInterrupt:
        raise
    except BaseException as failure:
        return (last[0] if last else {}), failure
    return None


def main() -> int:
    """Fuzzes for a while; 1 if anything failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--corpus", type=Path, help="a folder of Python files to begin with")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "namecheck-fuzz")
    parser.add_argument("--kinds", nargs="+", choices=sorted(KINDS), default=list(KINDS))
    parser.add_argument("--examples", type=int, default=40, help="cases of a kind in a round")
    options = parser.parse_args()
    if options.corpus is not None and not any(options.corpus.glob("**/*.py")):
        parser.error(f"no Python files in {options.corpus}")
    begun = time.monotonic()
    own = own_programs()
    rounds: Counter[str] = Counter()
    failures = 0
    number = options.seed
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() - begun < options.seconds:
            chance = random.Random(number)
            texts = own
            if options.corpus is not None and number % 2:
                texts = real_programs(options.corpus, chance, 60)
            for kind in options.kinds:
                found = fails(kind, texts, options.examples, number, Path(folder) / "case")
                rounds[kind] += options.examples
                if found is not None:
                    failures += 1
                    _keep(options.keep / f"{kind}-{number}", *found)
                if time.monotonic() - begun >= options.seconds:
                    break
            number += 1
    spent = time.monotonic() - begun
    cases = ", ".join(f"{count:,} of {kind}" for kind, count in rounds.items())
    print(f"{spent:.0f} s, up to {cases}: {failures} failed")
    return 1 if failures else 0


def _keep(folder: Path, files: Mapping[str, bytes], failure: BaseException) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    told = "".join(traceback.format_exception(failure)[-12:])
    (folder / "failure.txt").write_text(told, "utf-8", "backslashreplace")
    print(f"== {folder}", flush=True)
    print(told.encode("ascii", "backslashreplace").decode()[:2500], flush=True)


if __name__ == "__main__":
    sys.exit(main())
