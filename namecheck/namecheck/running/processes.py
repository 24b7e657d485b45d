"""Analysing files in this process, in several of this machine, or on a cluster.

Plain values come back, in any order: the findings, and what has to stay the same for them to hold.
A process evaluates the imports of its files for itself, so files of one folder go to one process as
far as their sizes allow (`crews`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from namecheck.codes.troubles import internal_error
from namecheck.findings import Analysis, Counts
from namecheck.running.cache import Remembered, Task
from namecheck.running.crews import Batch, Crew, Seat, answers, batches
from namecheck.running.workers import Result, Worker, local_worker

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from multiprocessing.context import BaseContext

    from namecheck.settings.config import Configuration

__all__ = ["Cluster", "analyse", "spread"]

Answer = TypeVar("Answer")

WORTHWHILE: Final = 120_000
"""Bytes of source for which a further process is worthwhile: some 3,000 lines."""


class Cluster(NamedTuple):
    """The address of a cluster's scheduler, and what is called with a message for the user."""

    address: str
    warn: Callable[[str], None]


def analyse(
    tasks: Sequence[Task],
    paths: Sequence[str],
    names: Mapping[str, str],
    given: Mapping[str, bytes],
    jobs: int,
    configuration: Configuration | None = None,
    keeps_results: bool = True,
    cluster: Cluster | None = None,
) -> Iterator[Result]:
    """The results of all tasks, as they come in; for `keeps_results` see `Worker`.

    Raises `Trouble` if there is no such cluster.
    """
    surroundings = tuple(paths), dict(names), dict(given), configuration, keeps_results
    if cluster is None or not tasks or given:
        yield from spread(tasks, surroundings, jobs, _analyse, _lost)
        return
    from namecheck.running.cluster import LARGEST, Workers

    assert configuration is not None
    sizes = {task: _size(task.real) for task in tasks}

    def here(reason: str) -> Crew:
        cluster.warn(f"{reason}; the rest is analysed on this machine")
        return _Pool(surroundings, jobs, _analyse)

    workers = Workers(cluster.address, paths, names, configuration, keeps_results)
    work = batches(sizes, workers.count(), LARGEST)
    yield from answers(workers, work, _lost, here)


def spread(
    tasks: Sequence[Task],
    surroundings: tuple[Any, ...],
    jobs: int,
    do: Callable[[Worker, Task], Answer],
    lost: Callable[[Task, Exception], Answer],
    effort: int = 1,
) -> Iterator[Answer]:
    """The answers of workers to all tasks, as they come in.

    `do` is called with a worker and a task, and must not raise. `surroundings` are the arguments of
    `local_worker`. `lost` gives the answer for a task whose process was ended by the system.
    `effort` is how many analyses a task takes.
    """
    jobs = min(jobs, len(tasks))
    if jobs > 1:
        sizes = {task: _size(task.real) for task in tasks}
        jobs = min(jobs, 1 + effort * sum(sizes.values()) // WORTHWHILE)
    if jobs > 1:
        yield from answers(_Pool(surroundings, jobs, do), batches(sizes, jobs), lost)
        return
    worker = local_worker(*surroundings) if tasks else None
    for task in tasks:
        assert worker is not None
        yield do(worker, task)


def _analyse(worker: Worker, task: Task) -> Result:
    return worker.analyse(task)


def _lost(task: Task, failure: Exception) -> Result:
    trouble = internal_error(task.path, failure)
    return Result(task, Remembered(Analysis((trouble,), counts=Counts(files=1)), ()))


def _size(path: str) -> int:
    """The size of a file in bytes; 0 if it cannot be read."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


_worker: Worker | None = None
"""The worker of a process of the pool."""


def _begin(*surroundings: Any) -> None:
    """Start a process of the pool. It leaves Ctrl-C to the process that will end it."""
    import signal

    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # so far it was blocked, if the system can do that
    _worker = local_worker(*surroundings)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Keep Ctrl-C waiting, also in processes that are started meanwhile, until these begin.

    An exception in the middle of a fork is lost, or leaves a half-made pool that is never ended;
    and a process that is still importing would print a traceback.
    """
    import signal

    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _do_batch(do: Callable[[Worker, Task], Answer], batch: Sequence[Task]) -> list[Answer]:
    assert _worker is not None
    return [do(_worker, task) for task in batch]


class _Pool(Crew):
    """Processes of this machine. Its arguments are those of `spread`."""

    def __init__(
        self, surroundings: tuple[Any, ...], jobs: int, do: Callable[[Worker, Task], Any]
    ) -> None:
        self.surroundings = surroundings
        self.jobs = jobs
        self.do = partial(_do_batch, do)
        self._seat: Seat | None = None
        self._is_alone = False
        _preload()

    def seats(self, alone: bool) -> Sequence[Seat]:
        """One seat: of several processes, or of one of its own for a task alone."""
        seat = self._seat
        if seat is None or (alone != self._is_alone and not seat.running):
            self.end()
            jobs = 1 if alone else self.jobs
            executor = self._executor(jobs)
            # A waiting batch cannot be told from a running one, so only one waits.
            seat = self._seat = _PoolSeat(executor, 1 if alone else jobs + 1, self.do)
            self._is_alone = alone
        return [seat]

    def is_loss(self, failure: Exception) -> bool:
        """Whether the system has ended a process of the pool, and so the pool."""
        from concurrent.futures.process import BrokenProcessPool

        return isinstance(failure, BrokenProcessPool)

    def drop(self, seat: Seat) -> None:
        """End what is left of a pool."""
        if seat is self._seat:
            self.end()

    def end(self) -> None:
        """End the processes now, whatever they are doing."""
        if self._seat is not None:
            _end(self._seat.executor)
            self._seat = None

    def _executor(self, jobs: int) -> Executor:
        from concurrent.futures import ProcessPoolExecutor

        return ProcessPoolExecutor(jobs, _context(), _begin, self.surroundings)


class _PoolSeat(Seat):
    """The seat of a pool that calls `do` with each batch."""

    def __init__(self, executor: Executor, slots: int, do: Callable[[Batch], Any]) -> None:
        super().__init__(executor, slots)
        self.do = do

    def submit(self, batch: Batch) -> Future[Any]:
        """Let a process do a batch."""
        with _undisturbed():  # this may start processes
            return self.executor.submit(self.do, batch)


def _preload() -> None:
    """Import the modules that every process needs before there are several."""
    import libcst as libcst

    from namecheck.analysis import analyze_text as analyze_text  # and all that it needs
    from namecheck_runtime.lazy_rules import read_all

    read_all()


def _context() -> BaseContext:
    """How processes are made: forks of this one if that is safe."""
    import multiprocessing
    import threading

    fork = sys.platform == "linux" and threading.active_count() == 1
    return multiprocessing.get_context("fork" if fork else "spawn")


def _end(executor: Executor) -> None:
    """End the processes now, whatever they are doing."""
    for process in list((getattr(executor, "_processes", None) or {}).values()):
        process.terminate()
    executor.shutdown(cancel_futures=True)
