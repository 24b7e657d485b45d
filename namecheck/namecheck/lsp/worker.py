"""The work of a worker process: it keeps a desk, and answers questions about it one by one.

    server's process: `pool`  -- State, Question -->  here
                              <-- At or Partly ..., then Answered, Taken or Failed --

It ends with the pipe to the server, and when the server's process is gone.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import connection, parent_process
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar

from namecheck.lsp.answers import Called, Driven, Looked, Reader
from namecheck.lsp.texts import Sheet

if TYPE_CHECKING:
    from namecheck.lsp.desk import Desk
    from namecheck.settings.config import Configuration

__all__ = ["Answered", "At", "Failed", "Partly", "Question", "State", "Taken", "work"]

log = logging.getLogger(__name__)

STACK: Final = 64 * 2**20
"""Bytes of the stack, for deep programs; the default is half a megabyte on some systems."""

Answer = TypeVar("Answer", covariant=True)


class Question(Protocol[Answer]):
    """A question to a desk. `path` is the open file that it is about, if it is about one."""

    @property
    def path(self) -> str | None: ...

    def answer(self, desk: Desk, reader: Reader) -> Answer:
        """The answer.  Raises `Unwanted`."""
        ...


class State(NamedTuple):
    """What has changed for a worker since its last question.

    `order` are the open paths, the one edited last first; `sheets` are those that the worker does
    not have yet, `own` those that it looks at, and `looked` the results of other workers. `called`
    are the mistakes in open files as closed ones call them, `driven` is what drives have shown;
    None: as before. The functions `begin` are called with the desk before anything else.
    """

    order: tuple[str, ...]
    sheets: Mapping[str, Sheet]
    own: frozenset[str]
    looked: Sequence[Looked]
    called: Sequence[Called] | None
    driven: Sequence[Driven] | None
    begin: Sequence[Callable[[Desk], None]]


class At(NamedTuple):
    """The worker has begun to look at a file, which may take long."""

    path: str


class Partly(NamedTuple):
    """A part of the answer to a question; all of it follows later."""

    answer: Any


class Answered(NamedTuple):
    """The answer to a question."""

    answer: Any


class Taken(NamedTuple):
    """The question was withdrawn, or its texts changed, before there was an answer."""


class Failed(NamedTuple):
    """A bug of ours: the exception that was raised instead of an answer."""

    failure: str


def work(
    questions: Connection,
    interruptions: Connection,
    folders: Sequence[str],
    configuration: Configuration,
    reader: Reader,
    is_patient: bool,
) -> None:
    """Serve until the other end of `questions` is closed; if `is_patient`, at low priority.

    A message in `interruptions` is the number of a question whose work is to end.
    """
    from namecheck.lsp.desk import Desk

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends us
    if is_patient and sys.platform != "win32":
        os.nice(5)
    threading.Thread(target=_end_with_server, daemon=True).start()
    threading.stack_size(STACK)
    desk = Desk(folders, configuration)
    serving = threading.Thread(target=_serve, args=(questions, interruptions, desk, reader))
    serving.start()
    serving.join()


def _end_with_server() -> None:
    server = parent_process()
    if server is not None:
        connection.wait([server.sentinel])
        os._exit(1)


def _serve(questions: Connection, interruptions: Connection, desk: Desk, reader: Reader) -> None:
    sheets: dict[str, Sheet] = {}
    number, interrupted = 0, 0

    def is_unwanted() -> bool:
        nonlocal interrupted
        while interrupted < number and interruptions.poll():
            interrupted = int(interruptions.recv_bytes())
        return interrupted >= number

    desk.unwanted = is_unwanted
    desk.at = lambda path: questions.send(At(path))
    desk.tell = lambda partial: questions.send(Partly(partial))
    while True:
        try:
            number, state, question = questions.recv()
        except (EOFError, OSError):
            return
        sheets = {path: state.sheets.get(path) or sheets[path] for path in state.order}
        questions.send(_answered(desk, state, sheets, question, reader))


def _answered(
    desk: Desk,
    state: State,
    sheets: Mapping[str, Sheet],
    question: Question[object],
    reader: Reader,
) -> Answered | Taken | Failed:
    from namecheck.analysis import Unwanted

    try:
        for begin in state.begin:
            begin(desk)
        desk.take(sheets, state.own)
        for looked in state.looked:
            desk.adopt(looked)
        if state.called is not None:
            desk.called = state.called
        if state.driven is not None:
            desk.driven.take(state.driven, desk.sheets)
        if question.path is not None:
            desk.at(question.path)
        return Answered(question.answer(desk, reader))
    except Unwanted:
        return Taken()
    except Exception as failure:  # a bug of ours must not keep the server from serving
        log.exception("namecheck failed")
        return Failed(f"{type(failure).__name__}: {failure}")
