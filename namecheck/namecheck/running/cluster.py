"""The workers of a Dask cluster as a crew (`crews`), for files that are not on their disks.

`distributed`'s executor is one of `concurrent.futures`. Each worker has one of its own, so that a
file is sent to it once (`sent_files`), and so that what it was doing is known when it is gone. Its
state is that of a session: a worker that has forgotten the session is a new one.

The scheduler only passes bytes on, and needs no namecheck. A worker needs the very sources of this
one: it says what it has before it reads anything else. Both sides believe each other, as with
everything that Dask runs.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, wait
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import uuid4

from namecheck.exit_codes import Trouble
from namecheck.running.cache import Task
from namecheck.running.crews import Batch, Crew, Gone, Reply, Seat
from namecheck.running.sent_files import Opening, Parcel, Question, Sender, Sent, SentTree
from namecheck.running.workers import Result, Worker
from namecheck_runtime import __version__

if TYPE_CHECKING:
    from namecheck.settings.config import Configuration

__all__ = ["LARGEST", "Workers"]

LARGEST: Final = 400_000
"""Bytes of source in one batch: some seconds of work, which is what an ended worker may cost."""

_CONNECTING: Final = 60.0
"""Seconds in which the scheduler has to answer."""

_WITHOUT_WORKERS: Final = 30.0
"""Seconds for which a cluster may be without workers: a nanny starts one again."""

_ENDING: Final = 2.0
"""Seconds in which the workers are asked to forget a run."""

_SLOTS: Final = 2
"""A worker has one batch to do next, so that it does not wait for the network."""

_SESSIONS: Final = 3
"""The most runs that a worker serves at once."""


class Identity(NamedTuple):
    """What has to be the same on both sides for their findings to be the same."""

    version: str
    sources: str
    python: str
    system: str


class _Call(NamedTuple):
    """What a worker is asked: to do some tasks, with what it lacks for them.

    The `opening` is left out once the worker has answered.
    """

    session: str
    number: int
    opening: Opening | None
    parcel: Parcel
    tasks: tuple[Task, ...]


class _Done(NamedTuple):
    """What a worker answers to the call of this number: results, and the tasks that it lacks
    something for.
    """

    number: int
    results: list[Result]
    again: list[Task]
    questions: list[Question]


class _Failed(NamedTuple):
    """A worker could not do a call: it has forgotten the session, or there is a bug of ours.

    It is passed on as a value: with the traceback of an exception more can go wrong.
    """

    reason: str


# The worker's side


class _Work:
    """A call as a pickle: to load it is to do it.

    So the function that the scheduler and the worker are handed is one of the standard library.
    """

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        self.call = function, arguments

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self.call


class _SentWorker(Worker):
    """Analyses files that were sent to it."""

    def __init__(self, opening: Opening) -> None:
        self.tree = SentTree(opening)
        project, terms_of = self.tree.project(), self.tree.terms_of
        super().__init__(project, terms_of, keeps_results=opening.keeps_results)

    def _read(self, task: Task) -> bytes:
        return self.tree.read(task.real)

    def do(self, call: _Call) -> _Done:
        """Do the tasks of a call, as far as everything that they need is here."""
        from namecheck.analysis import Unwanted

        self.tree.add(call.parcel)
        done = _Done(call.number, [], [], [])
        for task in call.tasks:
            try:
                done.results.append(self.analyse(task))
            except Unwanted:
                done.again.append(task)
                self._begin_again()
        done.questions.extend(dict.fromkeys(self.tree.questions))
        self.tree.questions.clear()
        return done

    def _begin_again(self) -> None:
        """Forget the modules: some were in the middle of their evaluation."""
        from namecheck.analysis import open_program

        before = self.program
        self.program = open_program(self.project, self.tree.terms_of)
        self.program.lowered = before.lowered
        self.program.keeps_results = before.keeps_results


_sessions: dict[str, _SentWorker] = {}
_lock = threading.Lock()
"""A worker of Dask's may have several threads; the analysis has one."""


@cache
def _identity() -> Identity:
    from namecheck_runtime.readers import fingerprint

    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sources = fingerprint.digest([*fingerprint.sources(package), *fingerprint.sources_of_rules()])
    python = ".".join(map(str, sys.version_info[:2]))
    return Identity(__version__, sources, python, os.name)


def _work(theirs: tuple[str, ...], call: bytes) -> bytes:
    """Do a call in a worker, if it is from the same namecheck."""
    mine = _identity()
    if theirs != tuple(mine):
        return pickle.dumps(mine._asdict())
    try:
        with _lock:
            return pickle.dumps(_done(pickle.loads(call)))
    except Exception as failure:
        return pickle.dumps(_Failed(f"{type(failure).__name__}: {failure}"))


def _done(call: _Call) -> _Done | _Failed:
    """Do a call with what its session has brought before."""
    worker = _sessions.pop(call.session, None)
    if worker is None:
        if call.opening is None:
            return _Failed("the session is over")
        worker = _SentWorker(call.opening)
        while len(_sessions) >= _SESSIONS:
            del _sessions[next(iter(_sessions))]
    _sessions[call.session] = worker  # the last one
    return worker.do(call)


def _forget(session: str) -> None:
    with _lock:
        _sessions.pop(session, None)


# This side


class _WorkerSeat(Seat):
    """The seat of one worker."""

    def __init__(self, executor: Executor, address: str, sender: Sender) -> None:
        super().__init__(executor, _SLOTS)
        self.address = address
        self.session = uuid4().hex
        self._sender = sender
        self._sent = Sent()
        self._questions: list[Question] = []
        self._has_answered = False
        self.bytes_sent = 0

    def submit(self, batch: Batch) -> Future[Any]:
        """Send a worker a batch, and what it lacks for it."""
        self._sent.number += 1
        parcel = self._sender.parcel(batch, self._questions, self._sent)
        self._questions = []
        opening = None if self._has_answered else self._sender.opening
        call = pickle.dumps(_Call(self.session, self._sent.number, opening, parcel, tuple(batch)))
        work = pickle.dumps(_Work(_work, tuple(_identity()), call))
        self.bytes_sent += len(work)
        return self.executor.submit(pickle.loads, work)

    def reply(self, batch: Batch, result: Any) -> Reply:
        """What a worker answers. Raises `Trouble` if it has another namecheck."""
        done = pickle.loads(result)
        if isinstance(done, dict):
            raise Trouble(_difference(self.address, Identity(**done)))
        if isinstance(done, _Failed):
            raise RuntimeError(f"the worker {self.address} has failed: {done.reason}")
        self._has_answered = True
        self._questions += [q for q in done.questions if self._sent.lacks(q, done.number)]
        return Reply(done.results, done.again)

    def forget(self) -> Future[Any]:
        """Let the worker forget the run."""
        return self.executor.submit(pickle.loads, pickle.dumps(_Work(_forget, self.session)))


def _difference(address: str, theirs: Identity) -> str:
    """What is wrong with a worker that has another namecheck, or another Python."""
    mine = _identity()
    if theirs.version != mine.version:
        has, here = f"namecheck {theirs.version}", mine.version
    elif theirs.sources != mine.sources:
        has, here = f"other sources of namecheck {theirs.version}", "different ones"
    elif theirs.python != mine.python:
        has, here = f"Python {theirs.python}", mine.python
    else:
        has, here = f"a system of the kind {theirs.system!r}", repr(mine.system)
    return f"the worker {address} has {has}, and this machine has {here}; install the same on both"


class Workers(Crew):
    """The workers of the cluster whose scheduler has an address.

    Raises `Trouble` if there is none, or if it has no workers.
    """

    chances = 3  # a worker may be taken away for reasons of its own
    patience = 0.5

    def __init__(
        self,
        address: str,
        paths: Iterable[str],
        names: Mapping[str, str],
        configuration: Configuration,
        keeps_results: bool = True,
    ) -> None:
        self.address = address
        self._client = _connected(address)
        self._seats: dict[str, _WorkerSeat] = {}
        self._asked = self._last_seen = time.monotonic()
        self._sender = Sender(paths, names, configuration, keeps_results)
        try:
            self._look()
            while not self._seats:
                time.sleep(self.patience)
                self._look()
        except Gone as reason:
            self.end()
            raise Trouble(str(reason)) from None

    def count(self) -> int:
        """How many workers there are."""
        return len(self._seats)

    def seats(self, alone: bool) -> Sequence[Seat]:
        """One seat for each worker that is there."""
        if time.monotonic() - self._asked > self.patience:
            self._look()
        return list(self._seats.values())

    def _look(self) -> None:
        """Ask the scheduler which workers there are. Raises `Gone`."""
        try:
            known = self._client.scheduler_info(n_workers=-1)["workers"]
        except Exception:  # of many kinds
            known = None
        self._asked = time.monotonic()
        if known is None or self._client.status != "running":
            raise Gone(f"the scheduler at {self.address} no longer answers")
        for address in self._seats.keys() - known:
            del self._seats[address]
        for address in known:
            if address not in self._seats:
                executor = self._client.get_executor(workers=[address], pure=False)
                self._seats[address] = _WorkerSeat(executor, address, self._sender)
        if self._seats:
            self._last_seen = self._asked
        elif self._asked - self._last_seen > _WITHOUT_WORKERS:
            raise Gone(f"the cluster at {self.address} has no workers")

    def is_loss(self, failure: Exception) -> bool:
        """Whether a worker is gone. Raises `Trouble` if it has no namecheck."""
        if isinstance(failure, Trouble):
            return False
        if isinstance(failure, ImportError):
            raise Trouble(
                f"a worker of {self.address} cannot import namecheck ({failure}); install"
                f" namecheck-tensors {__version__} on all workers"
            ) from failure
        if self._client.status != "running":
            raise Gone(f"the scheduler at {self.address} no longer answers") from failure
        return True

    def drop(self, seat: Seat) -> None:
        """Forget a worker. If it is there after all, it gets a new session."""
        assert isinstance(seat, _WorkerSeat)
        if self._seats.get(seat.address) is seat:
            del self._seats[seat.address]

    def end(self) -> None:
        """Take back what is not done yet; a worker ends the batch that it has begun."""
        seats, self._seats = list(self._seats.values()), {}
        with suppress(Exception):
            if self._client.status == "running":
                if not any(seat.running for seat in seats):
                    wait([seat.forget() for seat in seats], _ENDING)
                for seat in seats:
                    for future in seat.running:
                        future.cancel()
        with suppress(Exception), _uncollected():
            self._client.close(timeout=_ENDING)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep Python from collecting garbage.

    A client that could not be closed closes itself when it is collected, for which it needs a lock
    that `distributed` holds while it starts or ends another: in the same thread it waits forever.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _connected(address: str) -> Any:
    """A client of a cluster. Raises `Trouble`."""
    import logging
    import warnings

    try:
        distributed: Any = import_module("distributed")
    except ImportError as missing:
        raise Trouble(
            f"--cluster needs the package `distributed` ({missing}):"
            " python3 -m pip install 'namecheck-tensors[cluster]'"
        ) from None
    # What it logs is said in one line of ours, or is no concern of the user's.
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings(), _uncollected():
            warnings.simplefilter("ignore")  # other versions of packages that we do not use there
            return distributed.Client(
                address, timeout=_CONNECTING, set_as_default=False, name="namecheck"
            )
    except Exception as refusal:
        reason = str(refusal) or f"no answer in {_CONNECTING:g} s"
        raise Trouble(f"no scheduler of a cluster at {address}: {reason}") from None
