"""The worker processes, and which of them a question goes to, so that no file blocks another.

One worker has all open files and tells of them together. A file at which it stays for long while
other files wait is taken from it, and looked at in another process from then on: what is found
there comes back as a value (`Looked`). A last one looks at files that are not open, for what is
wrong in open ones as they call them (`Called`).

Everything here runs in the event loop's thread, but for the conversations (`_converse`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from operator import methodcaller
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from pygls.exceptions import JsonRpcInternalError, JsonRpcRequestCancelled

from namecheck.codes.troubles import INTERNAL_ERROR, internal_error
from namecheck.findings import Analysis
from namecheck.lsp.answers import Called, Looked
from namecheck.lsp.starting import context
from namecheck.lsp.worker import Answered, At, Failed, Question, State, Taken, work

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
"""Seconds that the files wait for one of them."""

GRACE: Final = 0.5
"""Seconds that a worker may take to see that its work is unwanted, before its process is ended."""

MOST: Final = 3
"""Processes for files that take long; more such files than that share them."""

Answer = TypeVar("Answer")


class Moved(Exception):
    """The worker that was named for a question does not have its file any more."""


class Lost(NamedTuple):
    """The process is gone: `was_ended` by us, or by whoever ends processes for want of memory."""

    was_ended: bool


Reply = Answered | Taken | Failed | Lost


class Job:
    """A question that a worker has, or will have.

    `path` is the file that it is at, `is_moved`: and that is another worker's now. `changed` are
    the files that have changed since (None: anything may have). `is_named`: it is for this worker,
    whoever looks at the file that it is about.
    """

    _last = 0

    def __init__(self, question: Question[object], is_named: bool) -> None:
        Job._last += 1
        self.number = Job._last
        self.question = question
        self.is_named = is_named
        self.path: str | None = None
        self.changed: set[str | None] = set()
        self.is_interrupted = False
        self.is_moved = False
        self.timers: list[asyncio.TimerHandle] = []


class Worker:
    """A process with a desk, begun when there is something to do."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self.paths: set[str] = set()
        """The files that it looks at, of a worker for those that take long."""
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

    async def ask(self, job: Job) -> Reply:
        """What comes back; questions wait for their turn."""
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
                self._is_new = True  # it was ended while there was nothing to do
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
            self._sheets, self._looked, self._called, self._is_new = {}, {}, None, False
            self.begin.clear()
        sheets, own, looked, called = self._pool.state_of(self)
        news = {path: one for path, one in sheets.items() if self._sheets.get(path) is not one}
        found = [one for path, one in looked.items() if self._looked.get(path) is not one]
        heard = None if called is self._called else called
        state = State(tuple(sheets), news, own, found, heard, tuple(self.begin))
        self._sheets, self._looked, self._called = dict(sheets), dict(looked), called
        self.begin.clear()
        return state

    def _converse(self, loop: asyncio.AbstractEventLoop, job: Job, state: State) -> Reply:
        """Asks the process, in a thread, and hears it out."""
        try:
            if self._process is None:
                self._start()
            if job.is_interrupted:
                self._tell(job)
            assert self._questions is not None
            self._questions.send((job.number, state, job.question))
            while True:
                told = self._questions.recv()
                if not isinstance(told, At):
                    reply: Reply = told
                    return reply
                loop.call_soon_threadsafe(self._is_at, loop, job, told.path)
        except (EOFError, OSError) as failure:
            if not self._was_ended:
                log.error("a worker process is gone: %s", failure)
            self._close()
            return Lost(self._was_ended)

    def _start(self) -> None:
        made = context()
        here, there = made.Pipe()
        heard, interruptions = made.Pipe(duplex=False)
        process: BaseProcess = made.Process(  # type: ignore[attr-defined]
            target=work,
            args=(there, heard, *self._pool.surroundings, self is not self._pool.shared),
            daemon=True,
        )
        process.start()
        # The ends of the process have to be its own alone, or nobody hears that it is gone.
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

    def _is_at(self, loop: asyncio.AbstractEventLoop, job: Job, path: str) -> None:
        """The process looks at a file now."""
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
        """A file has changed (None: anything may have): what is being found is of what was before.

        Where all is told each change counts. A file that takes long goes on if it is another one
        that has changed: else it would never be done while somebody types.
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
        """Nobody waits for a question any more."""
        if job is self._job and not job.is_interrupted:
            self._tell(job)
        job.is_interrupted = True

    def _tell(self, job: Job) -> None:
        """Tells the process that it has been interrupted at a question."""
        told = self._interruptions
        try:
            if told is not None:
                told.send_bytes(b"%d" % job.number)
        except OSError:
            log.debug("a worker process is gone")

    def _give_up(self, loop: asyncio.AbstractEventLoop, job: Job) -> None:
        """What a process is at is not wanted: it has a little time to stop that by itself."""
        job.timers.append(loop.call_later(GRACE, self._end_at, job))

    def _end_at(self, job: Job) -> None:
        if job is self._job:
            self._kill()

    def _kill(self) -> None:
        """Ends the process; the conversation hears of it, and a next one begins another."""
        self._was_ended = True
        process = self._process
        if process is not None:
            process.kill()

    def end(self) -> None:
        """Nobody asks it any more."""
        if self.is_closed:
            return
        self.is_closed = True
        self._kill()
        self._talk.submit(self._close)
        self._talk.shutdown(wait=False)


class Pool:
    """The workers of a server.  `sheets` are the open files, the one that was edited last first."""

    def __init__(
        self,
        folders: Sequence[str],
        configuration: Configuration,
        reader: Reader,
        moved: Callable[[Worker], None],
    ) -> None:
        """`moved` hears of a worker that has another file to look at."""
        self.surroundings = folders, configuration, reader
        self.sheets: Mapping[str, Sheet] = {}
        self.shared = Worker(self)
        self.slow: list[Worker] = []
        self.background = Worker(self)
        """It looks at files that are not open, for what is wrong in open ones as they call them."""
        self.called: Sequence[Called] = ()
        """What it has found."""
        self.ended_at: set[str] = set()
        """The files at which its process was ended by others."""
        self._moved = moved
        self._looked: dict[str, Looked] = {}

    @property
    def _workers(self) -> tuple[Worker, ...]:
        return self.shared, self.background, *self.slow

    def worker_of(self, path: str | None) -> Worker:
        """The worker that looks at a file."""
        return next((worker for worker in self.slow if path in worker.paths), self.shared)

    async def ask(self, question: Question[Answer], worker: Worker | None = None) -> Answer:
        """The answer, of the texts as they are by then; a named worker's, or that of the file's.

        Raises `Moved` if the named worker has to leave it to another, and an error of the protocol
        if there is none to be had.
        """
        while True:
            asked = worker or self.worker_of(question.path)
            job = Job(question, worker is not None)
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
        """The process ended by itself: the file that it was at is not looked at as it is."""
        if worker is self.background and job.path is not None:
            self.ended_at.add(job.path)
        failure = MemoryError("its process was ended, perhaps for want of memory")
        if job.path is not None and job.path in self.sheets:
            trouble = internal_error(job.path, failure)
            self._looked[job.path] = Looked(self.sheets[job.path], Analysis((trouble,)))
        if job.path is None or job.question.path is not None or worker is self.background:
            raise JsonRpcInternalError(str(failure))

    def is_for(self, worker: Worker, job: Job) -> bool:
        """Whether a question is still for a worker once it is its turn."""
        return job.is_named or self.worker_of(job.question.path) is worker

    def has_to_move(self, worker: Worker, path: str) -> bool:
        """Whether other files wait for one that a worker is at."""
        if (
            worker is not self.shared
            or self.worker_of(path) is not worker
            or path not in self.sheets
        ):
            return False
        return any(other != path and self.worker_of(other) is worker for other in self.sheets)

    def move_to_another(self, path: str) -> None:
        """A file takes long: it gets a worker for such, that has the fewest others."""
        if len(self.slow) < MOST:
            self.slow.append(Worker(self))
        worker = min(self.slow, key=lambda worker: len(worker.paths))
        worker.paths.add(path)
        log.info("%s takes long, and is looked at in another process now", path)
        self._moved(worker)

    def state_of(
        self, worker: Worker
    ) -> tuple[Mapping[str, Sheet], frozenset[str], Mapping[str, Looked], Sequence[Called]]:
        """The open files, those of a worker, and what was found elsewhere that it has to know: in
        them, and in them as other files call them.
        """
        if worker is self.background:
            return self.sheets, frozenset(), {}, ()
        own = frozenset(path for path in self.sheets if self.worker_of(path) is worker)
        looked = self._looked
        if worker is not self.shared:  # it tells of nothing but its own
            looked = {path: one for path, one in looked.items() if path in own and _failed(one)}
            return self.sheets, own, looked, ()
        return self.sheets, own, looked, self.called

    def tokens(self) -> frozenset[str]:
        """Those of what was found where files take long."""
        return frozenset(looked.token for looked in self._looked.values())

    def adopt(self, looked: Looked) -> None:
        """A worker has found something in a file of its own."""
        self._looked[looked.sheet.path] = looked

    def take(self, sheets: Mapping[str, Sheet]) -> None:
        """These are open now."""
        self.sheets = sheets
        for path in self._looked.keys() - sheets.keys():
            del self._looked[path]
        for worker in list(self.slow):
            worker.paths &= sheets.keys()
            if not worker.paths:
                self.slow.remove(worker)
                worker.end()

    def forget(self) -> None:
        """Files have come or gone."""
        for worker in self._workers:
            worker.begin.append(methodcaller("forget"))

    def move(self, folders: Sequence[str]) -> None:
        """The editor works on other folders now."""
        self.surroundings = folders, *self.surroundings[1:]
        for worker in self._workers:
            worker.begin.append(methodcaller("move", folders))

    def changed(self, path: str | None) -> None:
        """A file has changed; None: anything may have."""
        for worker in self._workers:
            worker.changed(path)

    def end(self) -> None:
        """Nobody asks for anything any more."""
        for worker in self._workers:
            worker.end()


def _failed(looked: Looked) -> bool:
    return any(finding.code == INTERNAL_ERROR for finding in looked.analysis.findings)
