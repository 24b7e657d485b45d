"""Handing batches of files out to executors, and taking the answers as they come in.

An executor is one of `concurrent.futures`: a pool of processes of this machine, or a worker of a
cluster. A crew has the executors, each in a seat. A seat may be lost at any time, with the process
behind it: the files of its batches are done again one by one, so that a file that ends its process
is found out, and costs only itself.
"""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar

from namecheck.running.cache import Task

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

__all__ = ["Batch", "Crew", "Gone", "Reply", "Seat", "answers", "batches"]

Answer = TypeVar("Answer")

Batch: TypeAlias = Sequence[Task]


class Gone(Exception):
    """A crew cannot go on, with the reason: others have to do what is left."""


class Reply(NamedTuple):
    """What a seat has to say of a batch: the answers, and the tasks that it has to be asked again,
    now that it may get what they lacked.
    """

    answers: Sequence[Any]
    again: Batch = ()


class Seat:
    """An executor that does batches, so many of them at a time; one more than it has processes, so
    that none has to wait for the next one.
    """

    def __init__(self, executor: Executor, slots: int) -> None:
        self.executor = executor
        self.slots = slots
        self.running: dict[Future[Any], Batch] = {}
        self.again: list[Batch] = []
        """Batches that only this seat may be handed, first of all."""

    def is_busy(self) -> bool:
        """Whether there is work that only this seat does."""
        return bool(self.running or self.again)

    def submit(self, batch: Batch) -> Future[Any]:
        """Let the executor do a batch."""
        raise NotImplementedError

    def reply(self, batch: Batch, result: Any) -> Reply:
        """What the result of the call for a batch says."""
        return Reply(result)


class Crew(ABC):
    """The executors of a run.

    `chances` is how many processes a task may take with it, the first one among other tasks, before
    it is to blame. `patience` is the number of seconds after which the crew is asked for its seats
    again; None: only when an answer came in.
    """

    chances = 1
    patience: float | None = None

    @abstractmethod
    def seats(self, alone: bool) -> Sequence[Seat]:
        """The seats that are there now. Raises `Gone`.

        With `alone`, a task that may have ended its process is next: nothing else is in its one.
        """

    @abstractmethod
    def is_loss(self, failure: Exception) -> bool:
        """Whether a failed batch means that its process has ended. Raises what is worse."""

    @abstractmethod
    def drop(self, seat: Seat) -> None:
        """Forget a seat that is lost."""

    @abstractmethod
    def end(self) -> None:
        """End all work now, whatever is being done."""


def answers(
    crew: Crew,
    work: Sequence[Batch],
    lost: Callable[[Task, Exception], Answer],
    instead: Callable[[str], Crew] | None = None,
) -> Iterator[Answer]:
    """The answers to all tasks, as they come in.

    `lost` gives the answer for a task that ended its process. `instead` gives the crew that goes on
    if the first is gone, by the reason.
    """
    run = _Run(crew, work, lost)
    try:
        while run.is_unfinished():
            try:
                yield from run.step()
            except Gone as reason:
                if instead is None:
                    raise
                run.give_back()
                run.crew.end()
                run.crew = instead(str(reason))
    finally:
        run.crew.end()


class _Run(Generic[Answer]):
    """The batches that wait and those that are being done."""

    def __init__(
        self, crew: Crew, work: Sequence[Batch], lost: Callable[[Task, Exception], Answer]
    ) -> None:
        self.crew = crew
        self.lost = lost
        self.waiting = list(reversed(work))
        self.suspects: list[Batch] = []
        """Tasks that may have ended their process, each by itself."""
        self.losses: Counter[Task] = Counter()
        """How many processes ended with each task."""
        self.seats: list[Seat] = []
        """Those that are there."""
        self.came: list[Answer] = []
        """Answers that are not passed on yet."""

    def is_unfinished(self) -> bool:
        is_busy = any(seat.is_busy() for seat in self.seats)
        return is_busy or bool(self.waiting or self.suspects or self.came)

    def step(self) -> Iterator[Answer]:
        """Hand out what can be handed out, and wait for answers."""
        from concurrent.futures import FIRST_COMPLETED, wait

        self._hand_out()
        futures = {future: seat for seat in self.seats for future in seat.running}
        if futures:
            done, _ = wait(futures, self.crew.patience, FIRST_COMPLETED)
        else:  # no seat is there just now
            done = set()
            time.sleep(self.crew.patience or 0)
        for future in done:
            if future in futures[future].running:  # else its seat was lost with another one
                self._take(futures[future], future)
        self._hand_out()  # so that no process waits while the caller uses the answers
        came, self.came = self.came, []
        yield from came

    def _hand_out(self) -> None:
        alone = bool(self.suspects)
        seats = self.crew.seats(alone)
        for seat in [seat for seat in self.seats if seat not in seats and seat.is_busy()]:
            self._lose(seat)
        self.seats = list(seats)
        for seat in seats:
            while len(seat.running) < (1 if alone else seat.slots):
                queue = seat.again or self.suspects or self.waiting
                if not queue:
                    break
                batch = queue.pop()
                try:
                    seat.running[seat.submit(batch)] = batch
                except Exception as failure:
                    queue.append(batch)
                    if not self.crew.is_loss(failure):
                        raise
                    self._lose(seat, failure)
                    break

    def _take(self, seat: Seat, future: Future[Any]) -> None:
        """Take the answers of a batch that is done, or failed."""
        batch = seat.running[future]
        try:
            reply = seat.reply(batch, future.result())
        except Exception as failure:
            if not self.crew.is_loss(failure):
                raise
            self._lose(seat, failure)
            return
        del seat.running[future]
        if reply.again:
            seat.again.append(reply.again)
        self.came += reply.answers

    def _lose(self, seat: Seat, failure: Exception | None = None) -> None:
        """Do what a lost seat was doing again, but for tasks that ended too many processes."""
        from concurrent.futures import BrokenExecutor, CancelledError

        if failure is None or isinstance(failure, (BrokenExecutor, CancelledError)):
            failure = MemoryError("its process was ended, perhaps because memory ran out")
        self.seats = [other for other in self.seats if other is not seat]
        for task in [task for batch in self._given_back(seat) for task in batch]:
            self.losses[task] += 1
            if self.losses[task] > self.crew.chances:
                self.came.append(self.lost(task, failure))
            else:
                self.suspects.append([task])
        self.crew.drop(seat)

    def give_back(self) -> None:
        """Let everything that is being done wait again."""
        for seat in self.seats:
            self.waiting += self._given_back(seat)
        self.seats = []

    def _given_back(self, seat: Seat) -> list[Batch]:
        given_back = [*seat.running.values(), *seat.again]
        seat.running.clear()
        seat.again.clear()
        return given_back


def batches(sizes: Mapping[Task, int], jobs: int, most: int | None = None) -> list[Batch]:
    """The tasks in batches that one process does at a time.

    Files of a folder stay together, up to a size that keeps all processes busy until the end, and
    up to `most` bytes. A file that is larger comes first; the others in the order of their folders,
    since files that are near each other import the same modules.
    """
    share = max(sum(sizes.values()) // (jobs * 8), 1)
    if most is not None:
        share = min(share, most)
    done: list[Batch] = []
    batch: list[Task] = []
    size = 0
    for task in sorted(sizes, key=lambda task: (os.path.dirname(task.real), -sizes[task])):
        if batch and size + sizes[task] > share:
            done.append(tuple(batch))
            batch, size = [], 0
        batch.append(task)
        size += sizes[task]
    done.append(tuple(batch))
    return sorted(done, key=lambda batch: min(share - sum(sizes[task] for task in batch), 0))
