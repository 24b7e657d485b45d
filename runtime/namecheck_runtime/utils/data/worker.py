"""The processes that load batches, and what one is told and answers.

Source: torch.utils.data._utils.worker.  Each worker has a pipe of its own, so that one that is
killed holds no lock that another needs, and the pipe's end tells the program at once.
"""

from __future__ import annotations

import pickle
import queue
import random
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Final, NamedTuple

import numpy as np

import namecheck_runtime as nt
from namecheck_runtime.errors import TensorError, class_of
from namecheck_runtime.utils.data.fetch import Fetcher


class WorkerInfo(NamedTuple):
    """What a worker knows of itself.  Source: torch.utils.data.get_worker_info."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


class Work(NamedTuple):
    """All that a worker needs to begin; it is pickled for a process that is not forked."""

    dataset: Any
    collates: bool
    collate_fn: Callable[[Any], Any]
    drop_last: bool
    worker_init_fn: Callable[[int], Any] | None
    num_workers: int
    base_seed: int


class Task(NamedTuple):
    """A batch to load: its round, its number in the round, and the numbers of its samples.

    A task without number begins a new round, whose seed is `index`.
    """

    round: int
    number: int | None
    index: Any


class Failure(NamedTuple):
    """An exception of a worker, as the program raises it."""

    kind: bytes
    """The class, pickled; that of a broken rule of dims is made anew from the mistake."""
    text: str
    mistake: bytes = b""
    """The class of a mistake and its fields, pickled."""

    def raise_again(self) -> None:
        """Raise the exception in the program, with the worker's traceback in its sentence."""
        if self.mistake:
            kind, fields = pickle.loads(self.mistake)
            mistake = kind.__new__(kind)
            mistake.__dict__.update(fields)
            broken = class_of(mistake)(self.text)
            broken.mistake = mistake
            raise broken
        kind = pickle.loads(self.kind)
        message: Any = _KeyText(self.text) if kind is KeyError else self.text
        try:
            error = kind(message)
        except Exception:  # a class that takes other arguments
            error = RuntimeError(self.text)
        raise error


class _KeyText(str):
    """A sentence that a KeyError shows as it is."""

    def __repr__(self) -> str:
        return str(self)


class Ended(NamedTuple):
    """The answer of a worker whose iterable data set has no more samples."""


_ours: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """The worker that this process is; None in a program's own process.

    Source: torch.utils.data.get_worker_info.
    """
    return _ours


_NO_MORE: Final = None


def run_worker(number: int, work: Work, pipe: Connection, others: list[Connection]) -> None:
    """Load batches until the pipe ends.  It is what the process of a worker runs."""
    for other in others:
        other.close()  # of the program, which a forked process has, too
    # The program may end, or want no more.
    with suppress(BrokenPipeError, ConnectionResetError, EOFError, KeyboardInterrupt):
        _answer_tasks(number, work, pipe)


def _answer_tasks(number: int, work: Work, pipe: Connection) -> None:
    tasks: queue.Queue[Task | None] = queue.Queue()
    # Tasks are read while a batch is sent: otherwise both sides might wait for the other to read.
    threading.Thread(target=_read_tasks, args=(pipe, tasks), daemon=True).start()
    _begin(number, work, work.base_seed)
    failure, fetcher = _prepared(number, work)
    while (task := tasks.get()) is not _NO_MORE:
        if task.number is None:
            _begin(number, work, task.index)
            fetcher = None
            continue
        answer: Any
        if failure is not None:
            answer = failure
        else:
            try:
                if fetcher is None:
                    fetcher = Fetcher(*work[:4])
                answer = fetcher.batch(task.index)
            except StopIteration:
                answer = Ended()
            except Exception as error:
                answer = _failure(error, number)
        _send(pipe, task, answer, number)


def _read_tasks(pipe: Connection, tasks: queue.Queue[Task | None]) -> None:
    try:
        while True:
            task = pipe.recv()
            tasks.put(task)
            if task is _NO_MORE:
                return
    except (EOFError, OSError):
        tasks.put(_NO_MORE)


def _prepared(number: int, work: Work) -> tuple[Failure | None, Fetcher | None]:
    """Run the program's own function; the failure of it or of the data set's iterator."""
    try:
        if work.worker_init_fn is not None:
            work.worker_init_fn(number)
        return None, Fetcher(*work[:4])
    except Exception as error:
        return _failure(error, number), None


def _begin(number: int, work: Work, base_seed: int) -> None:
    """Seed all generators of a worker for a round."""
    global _ours
    seed = base_seed + number
    random.seed(seed)
    nt.manual_seed(seed)
    np.random.seed(np.random.SeedSequence([base_seed, number]).generate_state(4))
    _ours = WorkerInfo(number, work.num_workers, seed, work.dataset)


def _send(pipe: Connection, task: Task, answer: Any, number: int) -> None:
    try:
        answered = pickle.dumps((task.round, task.number, answer), pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # a batch that cannot be pickled
        failure = _failure(error, number)
        answered = pickle.dumps((task.round, task.number, failure), pickle.HIGHEST_PROTOCOL)
    pipe.send_bytes(answered)


def _failure(error: Exception, number: int) -> Failure:
    """An exception with its traceback, as the program can raise it.

    A class that cannot be pickled gives way to the first base that can.
    """
    kind = type(error)
    lines = "".join(traceback.format_exception(error))
    text = f"Caught {kind.__name__} in DataLoader worker process {number}.\nOriginal {lines}"
    if isinstance(error, TensorError):
        mistake = _pickled((type(error.mistake), error.mistake.__dict__))
        if mistake is not None:
            return Failure(b"", text, mistake)
    classes = (pickled for base in kind.__mro__ if (pickled := _pickled(base)) is not None)
    return Failure(next(classes), text)


def _pickled(value: object) -> bytes | None:
    """The value as bytes; None if it cannot be pickled."""
    try:
        return pickle.dumps(value)
    except Exception:
        return None
