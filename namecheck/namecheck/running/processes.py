"""Files analysed one after another, or in several processes where there are enough of them.

Plain values come back: what was found, and what has to stay the same for it to be found again. The
order in which they come is nobody's business. A process evaluates the imports of its files for
itself, so files of one folder go to one process as far as the sizes allow.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from namecheck.codes.troubles import INTERNAL_ERROR, internal_error
from namecheck.files.documents import Document, read_document
from namecheck.findings import Analysis, Counts
from namecheck.running import suppressions
from namecheck.running.cache import Remembered, Task, digest_of
from namecheck.running.examination import examine

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.context import BaseContext

    from namecheck.files.import_lookups import Consulted
    from namecheck.settings.config import Configuration

__all__ = ["Result", "Worker", "analyse", "spread"]

Answer = TypeVar("Answer")

WORTHWHILE: Final = 120_000
"""Bytes of source that it takes for a second process: some 3,000 lines."""


class Result(NamedTuple):
    """What came of a task; `digest` is that of the bytes that were checked.

    `versions` are the digests of what was read, by real path, its own first; None where nothing was
    read, and no versions at all if it must not be remembered. `consulted` is what was asked for
    their imports; what an earlier result of the same process brought is not said again.
    """

    task: Task
    remembered: Remembered
    digest: bytes = b""
    versions: tuple[tuple[str, bytes], ...] = ()
    consulted: Mapping[str, Consulted] = {}  # a tuple's fields are its own


class Worker:
    """Analyses files in this process, following their imports in one program.

    `given` are bytes that stand in the place of what the disk has under a path.
    """

    def __init__(
        self,
        paths: Sequence[str],
        names: Mapping[str, str],
        given: Mapping[str, bytes],
        configuration: Configuration | None = None,
    ) -> None:
        from namecheck.analysis import open_program
        from namecheck.files.project import Project

        self.given = given
        terms_of = None if configuration is None else configuration.terms_of
        self.project = Project(paths, names)
        self.program = open_program(self.project, terms_of)
        self.project.unsaved = {
            os.path.realpath(path): read_document(path, source).text
            for path, source in given.items()
        }
        self._told: dict[str, int] = {}

    def analyse(self, task: Task) -> Result:
        """What one file gives.  Raises nothing: whatever goes wrong is a finding."""
        document = read_document(task.path, self.given.get(task.path))
        analysis = examine(document, self.program, statistics=task.statistics, fixes=True)
        remembered = Remembered(analysis, suppressions.of_document(document))
        own = digest_of(document.source)
        if not _is_lasting(document, analysis):
            return Result(task, remembered, own)
        return Result(task, remembered, own, *self._consulted(task.real, own, analysis))

    def _consulted(
        self, real: str, own: bytes, analysis: Analysis
    ) -> tuple[tuple[tuple[str, bytes], ...], Mapping[str, Consulted]]:
        versions = [(real, own)]
        new = {}
        for path in (real, *analysis.depends):
            asked = self.project.consulted(path)
            if path != real:
                versions.append((path, asked.digest or b""))
            elif asked.digest not in (None, own):
                return (), {}  # it was changed while we ran
            if self._told.get(path) != len(asked.asked):
                self._told[path] = len(asked.asked)
                new[path] = asked
        return tuple(versions), new


def _is_lasting(document: Document, analysis: Analysis) -> bool:
    """Whether the same bytes will give the same again."""
    if document.trouble is not None or any(f.code == INTERNAL_ERROR for f in analysis.findings):
        return False
    return os.path.isfile(document.path)


def analyse(
    tasks: Sequence[Task],
    paths: Sequence[str],
    names: Mapping[str, str],
    given: Mapping[str, bytes],
    jobs: int,
    configuration: Configuration | None = None,
) -> Iterator[Result]:
    """What all tasks give, as it comes in."""
    surroundings = tuple(paths), dict(names), dict(given), configuration
    return spread(tasks, surroundings, jobs, _analyse, _lost)


def spread(
    tasks: Sequence[Task],
    surroundings: tuple[Any, ...],
    jobs: int,
    do: Callable[[Worker, Task], Answer],
    lost: Callable[[Task, Exception], Answer],
    effort: int = 1,
) -> Iterator[Answer]:
    """What workers make of all tasks, as it comes in: `do` is done by one, with no exceptions.

    `surroundings` are what a `Worker` is made with. `lost` stands for what never came back: the
    process in which it was done was ended, by somebody else. `effort` is that of a task, in
    analyses.
    """
    jobs = min(jobs, len(tasks))
    if jobs > 1:
        sizes = {task: _size(task.real) for task in tasks}
        jobs = min(jobs, 1 + effort * sum(sizes.values()) // WORTHWHILE)
    if jobs > 1:
        yield from _Pool(surroundings, jobs, do, lost).work(batches(sizes, jobs))
        return
    worker = Worker(*surroundings) if tasks else None
    for task in tasks:
        assert worker is not None
        yield do(worker, task)


def _analyse(worker: Worker, task: Task) -> Result:
    return worker.analyse(task)


def _lost(task: Task, failure: Exception) -> Result:
    trouble = internal_error(task.path, failure)
    return Result(task, Remembered(Analysis((trouble,), counts=Counts(files=1)), ()))


def batches(sizes: Mapping[Task, int], jobs: int) -> list[tuple[Task, ...]]:
    """The tasks in pieces that one process does at a time, the largest first.

    Files of a folder stay together up to a share that leaves every process something to do until
    the end.
    """
    share = max(sum(sizes.values()) // (jobs * 8), 1)
    made: list[tuple[Task, ...]] = []
    batch: list[Task] = []
    size = 0
    for task in sorted(sizes, key=lambda task: (os.path.dirname(task.real), -sizes[task])):
        if batch and size + sizes[task] > share:
            made.append(tuple(batch))
            batch, size = [], 0
        batch.append(task)
        size += sizes[task]
    made.append(tuple(batch))
    return sorted(made, key=lambda batch: -sum(sizes[task] for task in batch))


def _size(path: str) -> int:
    """Bytes that stand in a file; none if nobody can tell."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


_worker: Worker | None = None
"""That of a process of the pool."""


def _begin(*surroundings: Any) -> None:
    """A process of the pool starts: it leaves Ctrl-C to the one that will end it."""
    import signal

    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # so far it was blocked, where that can be
    _worker = Worker(*surroundings)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C has to wait, and what is started meanwhile does not hear of it until it begins.

    What is raised in the middle of a fork is lost, or leaves a half-made pool that nobody ends; and
    a process that is still importing would print where it was.
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


class _Pool(Generic[Answer]):
    """Processes that do batches; a batch that ends its process is done again file by file.

    What it is made with is what `spread` is given.
    """

    def __init__(
        self,
        surroundings: tuple[Any, ...],
        jobs: int,
        do: Callable[[Worker, Task], Answer],
        lost: Callable[[Task, Exception], Answer],
    ) -> None:
        self.surroundings = surroundings
        self.jobs = jobs
        self.do = partial(_do_batch, do)
        self.lost = lost

    def work(self, work: Sequence[Sequence[Task]]) -> Iterator[Answer]:
        from concurrent.futures.process import BrokenProcessPool

        _preload()
        waiting = list(reversed(work))
        while waiting:
            running: dict[Future[list[Answer]], Sequence[Task]] = {}
            executor = self._executor(self.jobs)
            try:
                yield from self._drain(executor, running, waiting)
            except BrokenProcessPool:
                suspects = [task for batch in running.values() for task in batch]
            else:
                suspects = []
            finally:
                _end(executor)
            for task in suspects:
                yield self._alone(task)

    def _drain(
        self,
        executor: ProcessPoolExecutor,
        running: dict[Future[list[Answer]], Sequence[Task]],
        waiting: list[Sequence[Task]],
    ) -> Iterator[Answer]:
        from concurrent.futures import FIRST_COMPLETED, wait

        while waiting or running:
            # No more than there are hands: what is in a queue cannot be told from what is running.
            while waiting and len(running) <= self.jobs:
                with _undisturbed():  # this may start processes
                    running[executor.submit(self.do, waiting[-1])] = waiting[-1]
                waiting.pop()
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                answers = future.result()
                del running[future]
                yield from answers

    def _alone(self, task: Task) -> Answer:
        """A task that may have ended its process: in one of its own."""
        from concurrent.futures.process import BrokenProcessPool

        executor = self._executor(1)
        try:
            with _undisturbed():
                future = executor.submit(self.do, [task])
            (answer,) = future.result()
            return answer
        except BrokenProcessPool:
            failure = MemoryError("its process was ended, perhaps for want of memory")
            return self.lost(task, failure)
        finally:
            _end(executor)

    def _executor(self, jobs: int) -> ProcessPoolExecutor:
        from concurrent.futures import ProcessPoolExecutor

        return ProcessPoolExecutor(jobs, _context(), _begin, self.surroundings)


def _preload() -> None:
    """Import what every process needs before there are several."""
    import libcst as libcst

    from namecheck.analysis import analyze_text as analyze_text  # and all that it needs
    from namecheck_runtime.lazy_rules import read_all

    read_all()


def _context() -> BaseContext:
    """How processes are made: copies of this one where that is safe."""
    import multiprocessing
    import threading

    fork = sys.platform == "linux" and threading.active_count() == 1
    return multiprocessing.get_context("fork" if fork else "spawn")


def _end(executor: ProcessPoolExecutor) -> None:
    """End the processes now, whatever they are at."""
    for process in list((getattr(executor, "_processes", None) or {}).values()):
        process.terminate()
    executor.shutdown(cancel_futures=True)
