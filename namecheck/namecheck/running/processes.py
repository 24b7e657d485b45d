"""Analysing files one after another, or in several processes if there is enough to do.

Plain values come back, in any order: the findings, and what has to stay the same for them to hold.
A process evaluates the imports of its files for itself, so files of one folder go to one process as
far as their sizes allow.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from namecheck.codes.troubles import INTERNAL_ERROR, internal_error
from namecheck.files.disk import digest_of
from namecheck.files.documents import Document, read_document
from namecheck.findings import Analysis, Counts, EvaluatedCall
from namecheck.running import suppressions
from namecheck.running.cache import Remembered, Replayed, Task
from namecheck.running.examination import examine

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.context import BaseContext

    from namecheck.files.import_lookups import Consulted
    from namecheck.settings.config import Configuration
    from namecheck.text.file_parts import FileParts

__all__ = ["Result", "Worker", "analyse", "spread"]

Answer = TypeVar("Answer")

WORTHWHILE: Final = 120_000
"""Bytes of source for which a further process is worthwhile: some 3,000 lines."""


class Result(NamedTuple):
    """The result of a task; `digest` is that of the bytes that were checked.

    `versions` are the digests of the files that were read, by real path, its own first; there are
    none if the result must not be cached. `consulted` are the look-ups for their imports, without
    those that an earlier result of the same process has brought.
    """

    task: Task
    remembered: Remembered
    digest: bytes = b""
    versions: tuple[tuple[str, bytes], ...] = ()
    consulted: Mapping[str, Consulted] = {}  # a tuple's fields are its own


class Worker:
    """Analyses files in this process, following their imports in one program.

    `given` maps paths to bytes that replace those on the disk.
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
        environment = None if configuration is None else configuration.environment_of(os.getcwd())
        self.project = Project(paths, names, environment)
        self.program = open_program(self.project, terms_of)
        self.project.unsaved = {
            os.path.realpath(path): read_document(path, source).text
            for path, source in given.items()
        }
        self._passed_on: dict[str, tuple[int, bool]] = {}

    def analyse(self, task: Task) -> Result:
        """The result for one file. Raises nothing: any failure becomes a finding."""
        document = read_document(task.path, self.given.get(task.path))
        self.program.drives = task.drives
        analysis = examine(document, self.program, statistics=task.statistics, fixes=True)
        remembered = Remembered(analysis, suppressions.of_document(document))
        digest = digest_of(document.source)
        if not _is_lasting(document, analysis):
            return Result(task, remembered, digest)
        parts = None
        if document.is_module:
            from namecheck.analysis import file_parts

            parts = file_parts(document.text)
        consulted = self._consulted(task.real, digest, analysis, parts)
        return Result(task, remembered, digest, *consulted)

    def replay(self, call: EvaluatedCall) -> Replayed:
        """Whether a call gives what an earlier run has written down. Raises nothing."""
        from namecheck.analysis import replay

        self.program.drives = False
        is_same, used = replay(self.program, call)
        asked = {call.path: frozenset(self.project.consulted(call.path).asked)}
        return Replayed(is_same, used, asked)

    def _consulted(
        self, real: str, digest: bytes, analysis: Analysis, parts: FileParts | None
    ) -> tuple[tuple[tuple[str, bytes], ...], Mapping[str, Consulted]]:
        """The versions of the files that a result depends on, and the look-ups for their imports.

        `digest` and `parts` are those of the file itself.
        """
        versions = [(real, digest)]
        new = {}
        for path in (real, *analysis.depends):
            asked = self.project.consulted(path)
            module = self.program.modules.get(path)
            if path != real:
                versions.append((path, asked.digest or b""))
                asked = asked._replace(parts=None if module is None else module.parts)
            elif asked.digest not in (None, digest):
                return (), {}  # the file changed during the run
            else:
                asked = asked._replace(digest=digest, parts=parts)
            passed_on = len(asked.asked), asked.parts is not None
            if self._passed_on.get(path, (-1, False)) != passed_on:
                self._passed_on[path] = passed_on
                new[path] = asked
        return tuple(versions), new


def _is_lasting(document: Document, analysis: Analysis) -> bool:
    """Whether the same bytes will give the same result again."""
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
    """The results of all tasks, as they come in."""
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
    """The answers of workers to all tasks, as they come in.

    `do` is called with a worker and a task, and must not raise. `surroundings` are the arguments of
    `Worker`. `lost` gives the answer for a task whose process was ended by the system. `effort` is
    how many analyses a task takes.
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
    """The tasks in batches that one process does at a time, the largest first.

    Files of a folder stay together, up to a size that keeps all processes busy until the end.
    """
    share = max(sum(sizes.values()) // (jobs * 8), 1)
    done: list[tuple[Task, ...]] = []
    batch: list[Task] = []
    size = 0
    for task in sorted(sizes, key=lambda task: (os.path.dirname(task.real), -sizes[task])):
        if batch and size + sizes[task] > share:
            done.append(tuple(batch))
            batch, size = [], 0
        batch.append(task)
        size += sizes[task]
    done.append(tuple(batch))
    return sorted(done, key=lambda batch: -sum(sizes[task] for task in batch))


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
    _worker = Worker(*surroundings)


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


class _Pool(Generic[Answer]):
    """Processes that do batches; a batch whose process ends is done again file by file.

    Its arguments are those of `spread`.
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
            # At most one batch waits: a waiting batch cannot be told from a running one.
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
        """Do a task that may have ended its process, in a process of its own."""
        from concurrent.futures.process import BrokenProcessPool

        executor = self._executor(1)
        try:
            with _undisturbed():
                future = executor.submit(self.do, [task])
            (answer,) = future.result()
            return answer
        except BrokenProcessPool:
            failure = MemoryError("its process was ended, perhaps because memory ran out")
            return self.lost(task, failure)
        finally:
            _end(executor)

    def _executor(self, jobs: int) -> ProcessPoolExecutor:
        from concurrent.futures import ProcessPoolExecutor

        return ProcessPoolExecutor(jobs, _context(), _begin, self.surroundings)


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


def _end(executor: ProcessPoolExecutor) -> None:
    """End the processes now, whatever they are doing."""
    for process in list((getattr(executor, "_processes", None) or {}).values()):
        process.terminate()
    executor.shutdown(cancel_futures=True)
