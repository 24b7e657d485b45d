"""The processes of a loader, as the program sees them: whom to ask, and whose turn it is."""

from __future__ import annotations

import multiprocessing
import pickle
import weakref
from collections import OrderedDict
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any

from namecheck_runtime.utils.data.worker import Ended, Failure, Task, Work, run_worker


class _Worker:
    """A process and the program's end of its pipe."""

    def __init__(self, process: Any, pipe: Connection) -> None:
        self.process, self.pipe = process, pipe
        self.open = True
        """Whether it takes more tasks in this round."""


class Workers:
    """Processes that load batches, asked in turns.  Batches come back in the order of asking."""

    def __init__(self, work: Work, context: Any, timeout: float) -> None:
        self._timeout = timeout
        self._round, self._asked = 0, 0
        self._turn = 0
        self._waiting: OrderedDict[int, _Worker] = OrderedDict()
        """The workers of the batches that were asked for and not handed on, by number."""
        self._answers: dict[int, Any] = {}
        """Batches that came before their turn."""
        self._workers: list[_Worker] = []
        self._stop = weakref.finalize(self, _stop, self._workers)
        try:
            for number in range(work.num_workers):
                self._start(number, work, context or multiprocessing.get_context())
        except BaseException:
            self._stop()
            raise

    def _start(self, number: int, work: Work, context: Any) -> None:
        mine, its = context.Pipe()
        forks = context.get_start_method() == "fork"
        others = [mine, *(worker.pipe for worker in self._workers)] if forks else []
        process = context.Process(target=run_worker, args=(number, work, its, others), daemon=True)
        process.start()
        its.close()  # so that the pipe ends with the process
        self._workers.append(_Worker(process, mine))

    def stop(self) -> None:
        """End the processes."""
        self._stop()

    def restart(self, base_seed: int) -> None:
        """Begin a new round, and forget what was asked for in the last one."""
        self._round += 1
        self._asked = self._turn = 0
        self._waiting.clear()
        self._answers.clear()
        for worker in self._workers:
            worker.open = True
            self._tell(worker, Task(self._round, None, base_seed))

    def can_ask(self) -> bool:
        """Whether a worker takes more tasks."""
        return any(worker.open for worker in self._workers)

    def ask(self, index: Any) -> None:
        """Let the next worker load the batch of some numbers."""
        count = len(self._workers)
        turns = (self._workers[(self._turn + k) % count] for k in range(count))
        worker = next(worker for worker in turns if worker.open)
        self._turn = (self._workers.index(worker) + 1) % count
        self._waiting[self._asked] = worker
        self._tell(worker, Task(self._round, self._asked, index))
        self._asked += 1

    def _tell(self, worker: _Worker, task: Task) -> None:
        try:
            worker.pipe.send(task)
        except (BrokenPipeError, ConnectionResetError):
            self._fail(worker)

    def expects(self) -> bool:
        """Whether a batch was asked for that was not handed on."""
        return bool(self._waiting)

    def answer(self, in_order: bool) -> tuple[bool, Any]:
        """Whether there is a batch, and the batch; there is none if a worker has no more samples.

        Raises the exception of a worker, and RuntimeError if one was killed or takes too long.
        """
        until = monotonic() + self._timeout if self._timeout > 0 else None
        number = next(iter(self._waiting))
        while number not in self._answers:
            self._receive(until)
            if not in_order and self._answers:
                number = next(iter(self._answers))
        worker = self._waiting.pop(number)
        answer = self._answers.pop(number)
        if isinstance(answer, Ended):
            worker.open = False
            return False, None
        if isinstance(answer, Failure):
            answer.raise_again()
        return True, answer

    def _receive(self, until: float | None) -> None:
        """Wait for answers, and keep those of this round."""
        busy = {worker.pipe: worker for worker in self._waiting.values()}
        left = None if until is None else max(until - monotonic(), 0.0)
        ready = wait(list(busy), left)
        if not ready:
            self.stop()
            raise RuntimeError(f"DataLoader timed out after {self._timeout} seconds")
        for pipe in ready:
            worker = busy[pipe]  # type: ignore[index]
            try:
                answered = worker.pipe.recv_bytes()
            except (EOFError, OSError):
                self._fail(worker)
            round_, number, answer = pickle.loads(answered)
            if round_ == self._round:
                self._answers[number] = answer

    def _fail(self, worker: _Worker) -> None:
        """Raise RuntimeError for a worker that is gone."""
        process = worker.process
        process.join(5)
        code, pid = process.exitcode, process.pid
        how = f"was killed by signal {-code}" if code and code < 0 else f"exited with code {code}"
        self.stop()
        raise RuntimeError(f"DataLoader worker (pid(s) {pid}) exited unexpectedly: it {how}")


def _stop(workers: list[_Worker]) -> None:
    """End processes: those that do not end by themselves are terminated."""
    for worker in workers:
        with suppress(OSError):
            worker.pipe.send(None)
        worker.pipe.close()
    for worker in workers:
        worker.process.join(2)
        if worker.process.is_alive():
            worker.process.terminate()
            worker.process.join(2)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
