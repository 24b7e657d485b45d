"""Random trials of a kind of cases, within limits of time and memory that no case needs."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple

from hypothesis import HealthCheck, Phase, given, seed, settings

from cases import KINDS, laid_out

__all__ = ["MEMORY", "Failure", "Stuck", "limited", "tried"]

MEMORY: Final = 3 * 2**30
"""Bytes of address space of the whole fuzzer: 2 GiB for a case, the rest for Python and NumPy."""

STUCK: Final = 120
"""Seconds after which a case is given up (a case that is only slow fails by its CPU time)."""


class Stuck(BaseException):
    """A case has not ended."""


class Failure(NamedTuple):
    """The smallest failing case of a kind, and the exception."""

    files: Mapping[str, bytes]
    reason: BaseException


def tried(
    kind: str, texts: Sequence[str], examples: int, number: int, folder: Path, small: bool = True
) -> tuple[int, Failure | None]:
    """The number of cases of a kind that ran, and the failing one; `number` is the seed."""
    last: list[Mapping[str, bytes]] = []
    phases = [Phase.generate, Phase.shrink] if small else [Phase.generate]
    ran = 0

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
    @given(KINDS[kind].made(texts, number))
    def asked(files: Mapping[str, bytes]) -> None:
        nonlocal ran
        ran += 1
        with laid_out(files, folder), limited():
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
        return ran, Failure(last[0] if last else {}, failure)
    return ran, None


@contextlib.contextmanager
def limited(seconds: int = STUCK) -> Iterator[None]:
    """Limit the time of a case: one that does not end raises `Stuck`, wherever it is."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Stuck(f"it has not ended after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
