"""The worker processes, and which of them a question goes to, so that no file blocks another.

The shared worker has all open files and reports them together. If it stays at one file for long
while others wait, the pool gives that file to another process for good, whose results come back as
a value (`Looked`). The background worker looks at closed files, for mistakes in open ones as these
call them (`Called`).

Everything here runs in the event loop's thread, except the conversations (`_converse`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from operator import methodcaller
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from pygls.exceptions import JsonRpcInternalError, JsonRpcRequestCancelled

from namecheck.codes.troubles import INTERNAL_ERROR, internal_error
from namecheck.findings import Analysis
from namecheck.lsp.answers import Called, Driven, Looked
from namecheck.lsp.starting import context
from namecheck.lsp.worker import Answered, At, Failed, Partly, Question, State, Taken, work

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from namecheck.lsp.answers import Reader
    from namecheck.lsp.desk import Desk
    from namecheck.lsp.texts import Sheet
    from namecheck.settings.config import Configuration

__all__ = ["Moved", "Pool", "Worker"]

log = logging.getLogger(__name__)

PATIENCE: Final = 1.0
"""Seconds that other files wait for a slow one."""

GRACE: Final = 0.5
"""Seconds that a worker has to notice that its work is unwanted, before its process is ended."""

MOST: Final = 3
"""The most processes for slow files; if there are more files, they share them."""

Answer = TypeVar("Answer")


class Moved(Exception):
    """The worker that a question names no longer has the file that it is about."""


class Lost(NamedTuple):
    """The process is gone: `was_ended` by us, or by the system, perhaps because memory ran out."""

    was_ended: bool


Reply = Answered | Taken | Failed | Lost


class Job:
    """A question that a worker has, or will have.

    `path` is the file that the worker is looking at for it; `is_moved`: the file has gone to
    another worker. `changed` are the files that have changed since (None: any file may have).
    `is_named`: the question is for this worker, whichever has the file that it is about.
    `gives_way`: it is interrupted, and put again, when another one comes. `hear` is called with the
    parts of the answer that come before it.
    """

    _last = 0

    def __init__(
        self,
        question: Question[object],
        is_named: bool,
        gives_way: bool,
        hear: Callable[[Any], None] | None,
    ) -> None:
        Job._last += 1
        self.number = Job._last
        self.question = question
        self.is_named = is_named
        self.gives_way = gives_way
        self.hear = hear
        self.path: str | None = None
        self.changed: set[str | None] = set()
        self.is_interrupted = False
        self.is_moved = False
        self.timers: list[asyncio.TimerHandle] = []


class Worker:
    """A process with a desk, started when there is something to do."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self.paths: set[str] = set()
        """The files of a worker for slow files."""
        self.begin: list[Callable[[Desk], None]] = []
        self._job: Job | None = None
        self._turn = asyncio.Lock()
        self._talk = ThreadPoolExecutor(1, "conversation")
        self._process: BaseProcess | None = None
        self._questions: Connection | None = None
        self._interruptions: Connection | None = None
        self._is_new = True
        self._was_ended = False
        self.is_closed = False
        self._sheets: Mapping[str, Sheet] = {}
        self._looked: Mapping[str, Looked] = {}
        self._called: Sequence[Called] | None = None
        self._driven: Sequence[Driven] | None = None

    async def ask(self, job: Job) -> Reply:
        """Ask the process, after the questions before this one. Returns its reply."""
        if self._job is not None and self._job.gives_way:
            self.interrupt(self._job)
        turn = asyncio.ensure_future(self._have(job))
        try:
            return await asyncio.shield(turn)
        except asyncio.CancelledError:
            self.interrupt(job)
            raise

    async def _have(self, job: Job) -> Reply:
        async with self._turn:
            if job.is_interrupted or self.is_closed or not self._pool.is_for(self, job):
                return Taken()
            self._job = job
            loop = asyncio.get_running_loop()
            self._was_ended = False
            if self._process is not None and not self._process.is_alive():
                self._is_new = True  # the process ended while it was idle
                self._close()
            try:
                state = self._state()
                reply = await loop.run_in_executor(self._talk, self._converse, loop, job, state)
            finally:
                self._job = None
                for timer in job.timers:
                    timer.cancel()
            if isinstance(reply, Lost):
                self._is_new = True
            return reply

    def _state(self) -> State:
        if self._is_new:
            self._sheets, self._looked, self._called, self._driven = {}, {}, None, None
            self._is_new = False
            self.begin.clear()
        sheets, paths, looked, called, driven = self._pool.state_of(self)
        new_sheets = {p: sheet for p, sheet in sheets.items() if self._sheets.get(p) is not sheet}
        new_results = [result for p, result in looked.items() if self._looked.get(p) is not result]
        new_called = None if called is self._called else called
        new_driven = None if driven is self._driven else driven
        begin = tuple(self.begin)
        state = State(tuple(sheets), new_sheets, paths, new_results, new_called, new_driven, begin)
        self._sheets, self._looked = dict(sheets), dict(looked)
        self._called, self._driven = called, driven
        self.begin.clear()
        return state

    def _converse(self, loop: asyncio.AbstractEventLoop, job: Job, state: State) -> Reply:
        """Ask the process, in a thread, and wait for its reply."""
        try:
            if self._process is None:
                self._start()
            if job.is_interrupted:
                self._send_interruption(job)
            assert self._questions is not None
            self._questions.send((job.number, state, job.question))
            while True:
                message = self._questions.recv()
                if isinstance(message, At):
                    loop.call_soon_threadsafe(self._is_at, loop, job, message.path)
                elif isinstance(message, Partly):
                    loop.call_soon_threadsafe(self._hears, job, message.answer)
                else:
                    reply: Reply = message
                    return reply
        except (EOFError, OSError) as failure:
            if not self._was_ended:
                log.error("a worker process has ended: %s", failure)
            self._close()
            return Lost(self._was_ended)

    def _start(self) -> None:
        processes = context()
        here, there = processes.Pipe()
        heard, interruptions = processes.Pipe(duplex=False)
        process: BaseProcess = processes.Process(  # type: ignore[attr-defined]
            target=work,
            args=(there, heard, *self._pool.surroundings, self is not self._pool.shared),
            daemon=True,
        )
        process.start()
        # Only the process may hold its ends, or we would not notice when it is gone.
        there.close()
        heard.close()
        self._process, self._questions, self._interruptions = process, here, interruptions
        if self.is_closed:
            self._kill()

    def _close(self) -> None:
        for end in (self._questions, self._interruptions):
            if end is not None:
                end.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = self._questions = self._interruptions = None

    def _hears(self, job: Job, part: object) -> None:
        """Pass on a part of an answer that is still wanted."""
        if job is self._job and job.hear is not None and not job.is_interrupted:
            job.hear(part)

    def _is_at(self, loop: asyncio.AbstractEventLoop, job: Job, path: str) -> None:
        """Note that the process has begun to look at a file."""
        if job is self._job:
            job.path = path
            job.timers.append(loop.call_later(PATIENCE, self._is_late, loop, job, path))
            if not job.changed.isdisjoint((path, None)):
                self._give_up(loop, job)

    def _is_late(self, loop: asyncio.AbstractEventLoop, job: Job, path: str) -> None:
        if job is not self._job or job.path != path or job.is_moved:
            return
        if self._pool.has_to_move(self, path):
            job.is_moved = True
            self.interrupt(job)
            self._give_up(loop, job)
            self._pool.move_to_another(path)
        else:
            job.timers.append(loop.call_later(PATIENCE / 4, self._is_late, loop, job, path))

    def changed(self, path: str | None) -> None:
        """Interrupt the question of this worker if a changed file (None: any) makes it stale.

        Each change interrupts the shared worker. A worker for a slow file goes on if another file
        has changed: else it would never finish while the user types.
        """
        job = self._job
        if job is None:
            return
        job.changed.add(path)
        concerned = path is None or job.path in (path, None)
        if concerned or self is self._pool.shared:
            self.interrupt(job)
        if concerned and job.path is not None:
            self._give_up(asyncio.get_running_loop(), job)

    def interrupt(self, job: Job) -> None:
        """Interrupt a question whose answer is no longer wanted."""
        if job is self._job and not job.is_interrupted:
            self._send_interruption(job)
        job.is_interrupted = True

    def _send_interruption(self, job: Job) -> None:
        """Tell the process to end its work at a question."""
        interruptions = self._interruptions
        try:
            if interruptions is not None:
                interruptions.send_bytes(b"%d" % job.number)
        except OSError:
            log.debug("a worker process has ended")

    def _give_up(self, loop: asyncio.AbstractEventLoop, job: Job) -> None:
        """End the process soon, unless it stops its unwanted work by itself."""
        job.timers.append(loop.call_later(GRACE, self._end_at, job))

    def _end_at(self, job: Job) -> None:
        if job is self._job:
            self._kill()

    def _kill(self) -> None:
        """End the process. The conversation ends with it, and the next one starts another."""
        self._was_ended = True
        process = self._process
        if process is not None:
            process.kill()

    def rest(self) -> None:
        """End the process, and its memory with it, until there is something to do again."""
        if not self.is_closed and self._job is None and not self._turn.locked():
            self._is_new = True
            self._talk.submit(self._close)

    def end(self) -> None:
        """End the worker for good."""
        if self.is_closed:
            return
        self.is_closed = True
        self._kill()
        self._talk.submit(self._close)
        self._talk.shutdown(wait=False)


class Pool:
    """The workers of a server. `sheets` are the open files, the one edited last first."""

    def __init__(
        self,
        folders: Sequence[str],
        configuration: Configuration,
        reader: Reader,
        moved: Callable[[Worker], None],
    ) -> None:
        """`moved` is called with a worker that has been given a file."""
        self.surroundings = folders, configuration, reader
        self.sheets: Mapping[str, Sheet] = {}
        self.shared = Worker(self)
        self.slow: list[Worker] = []
        self.background = Worker(self)
        """Looks at closed files, for mistakes in open ones as these call them."""
        self.workspace = Worker(self)
        """Checks all files of the folders."""
        self.called: Sequence[Called] = ()
        """What the background worker has found."""
        self.driven: Sequence[Driven] = ()
        """What drives of open files have shown there."""
        self.ended_at: set[str] = set()
        """The files at which its process was ended by the system."""
        self._moved = moved
        self._looked: dict[str, Looked] = {}

    @property
    def _workers(self) -> tuple[Worker, ...]:
        return self.shared, self.background, self.workspace, *self.slow

    def worker_of(self, path: str | None) -> Worker:
        """The worker that has a file."""
        return next((worker for worker in self.slow if path in worker.paths), self.shared)

    async def ask(
        self,
        question: Question[Answer],
        worker: Worker | None = None,
        gives_way: bool = False,
        hear: Callable[[Answer], None] | None = None,
    ) -> Answer:
        """The answer for the texts as they are by then, from this worker or the one with the file.

        A question that `gives_way` waits for all others, also if they come later. `hear` is called
        with partial answers, if the question has any.

        Raises `Moved` if the worker given no longer has the file, and an error of the protocol if
        no answer can be had.
        """
        while True:
            asked = worker or self.worker_of(question.path)
            job = Job(question, worker is not None, gives_way, hear)
            reply = await asked.ask(job)
            if isinstance(reply, Answered):
                answer: Answer = reply.answer
                return answer
            if isinstance(reply, Failed):
                raise JsonRpcInternalError(reply.failure)
            if self.shared.is_closed:
                raise JsonRpcRequestCancelled("the server was shut down")
            if isinstance(reply, Lost) and not reply.was_ended:
                self._lose(asked, job)
            if worker is not None and worker.is_closed:
                raise Moved
            if worker is not None and job.is_moved and question.path is not None:
                raise Moved

    def _lose(self, worker: Worker, job: Job) -> None:
        """Note that a process ended by itself: its file, as it is now, is not looked at again."""
        if worker is self.background and job.path is not None:
            self.ended_at.add(job.path)
        failure = MemoryError("its process was ended, perhaps because memory ran out")
        if job.path is not None and job.path in self.sheets:
            trouble = internal_error(job.path, failure)
            self._looked[job.path] = Looked(self.sheets[job.path], Analysis((trouble,)))
        if job.path is None or job.question.path is not None or worker is self.background:
            raise JsonRpcInternalError(str(failure))

    def is_for(self, worker: Worker, job: Job) -> bool:
        """Whether a question is still for a worker when its turn comes."""
        return job.is_named or self.worker_of(job.question.path) is worker

    def has_to_move(self, worker: Worker, path: str) -> bool:
        """Whether other files wait for the one that a worker is looking at."""
        if (
            worker is not self.shared
            or self.worker_of(path) is not worker
            or path not in self.sheets
        ):
            return False
        return any(other != path and self.worker_of(other) is worker for other in self.sheets)

    def move_to_another(self, path: str) -> None:
        """Give a slow file to the worker for slow files that has the fewest."""
        if len(self.slow) < MOST:
            self.slow.append(Worker(self))
        worker = min(self.slow, key=lambda worker: len(worker.paths))
        worker.paths.add(path)
        log.info("%s takes long: another process analyses it from now on", path)
        self._moved(worker)

    def state_of(
        self, worker: Worker
    ) -> tuple[
        Mapping[str, Sheet],
        frozenset[str],
        Mapping[str, Looked],
        Sequence[Called],
        Sequence[Driven],
    ]:
        """The state for a worker: the open files, its own paths, the results of other workers, the
        mistakes found in open files as closed ones call them, and what drives have shown.
        """
        if worker in (self.background, self.workspace):
            return self.sheets, frozenset(), {}, (), ()
        paths = frozenset(path for path in self.sheets if self.worker_of(path) is worker)
        looked = self._looked
        if worker is not self.shared:  # it reports only its own files
            looked = {
                path: result for path, result in looked.items() if path in paths and _failed(result)
            }
            return self.sheets, paths, looked, (), ()
        return self.sheets, paths, looked, self.called, self.driven

    def tokens(self) -> frozenset[str]:
        """The tokens of the results for slow files."""
        return frozenset(looked.token for looked in self._looked.values())

    def adopt(self, looked: Looked) -> None:
        """Take the result of a worker for a slow file."""
        self._looked[looked.sheet.path] = looked

    def take(self, sheets: Mapping[str, Sheet]) -> None:
        """Take the files that are open now."""
        self.sheets = sheets
        for path in self._looked.keys() - sheets.keys():
            del self._looked[path]
        for worker in list(self.slow):
            worker.paths &= sheets.keys()
            if not worker.paths:
                self.slow.remove(worker)
                worker.end()

    def forget(self) -> None:
        """Have all workers look imports up again: files have been added or removed."""
        for worker in self._workers:
            worker.begin.append(methodcaller("forget"))

    def move(self, folders: Sequence[str]) -> None:
        """Have all workers take the folders that the editor has open now."""
        self.surroundings = folders, *self.surroundings[1:]
        for worker in self._workers:
            worker.begin.append(methodcaller("move", folders))

    def changed(self, path: str | None) -> None:
        """Interrupt work that a changed file makes stale; None: any file may have changed.

        A check of all files goes on: else none would end while the user types.
        """
        for worker in (self.shared, self.background, *self.slow):
            worker.changed(path)

    def end(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.end()


def _failed(looked: Looked) -> bool:
    return any(finding.code == INTERNAL_ERROR for finding in looked.analysis.findings)
