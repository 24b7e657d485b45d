"""The thread in which analyses run, one after the other, while the server goes on listening.

What runs there ends early when nobody waits for it any longer: a request that was taken back, or
any work at all once a text has changed.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Generic, TypeVar

from namecheck.analysis.imports import Unwanted
from namecheck.lsp.desk import Desk

__all__ = ["Worker"]

STACK: Final = 64 * 2**20
"""Bytes for deep programs; what a thread has by default is half a megabyte on some systems."""

Answer = TypeVar("Answer")


class Job(Generic[Answer]):
    """Something to do at a desk."""

    def __init__(self, worker: Worker, do: Callable[[Desk], Answer]) -> None:
        self.worker = worker
        self.do = do
        self.generation = worker.generation
        self.unwanted = False

    def is_unwanted(self) -> bool:
        """Whether nobody waits for it, or what it is about has changed."""
        return self.unwanted or self.generation != self.worker.generation

    def run(self) -> Answer | Job[Answer]:
        """Does it. The job itself stands for no answer."""
        desk = self.worker.desk
        desk.program.unwanted = self.is_unwanted
        if self.is_unwanted():
            return self
        try:
            return self.do(desk)
        except Unwanted:
            return self
        finally:
            desk.program.unwanted = None


class Worker:
    """One thread with one desk.  Its methods are called from the event loop's thread."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.generation = 0
        before = threading.stack_size(STACK)
        self._executor = ThreadPoolExecutor(1, "analysis")
        self._executor.submit(int).result()  # threads are made when there is work
        threading.stack_size(before)

    async def ask(self, do: Callable[[Desk], Answer]) -> Answer:
        """What `do` gives; it is done again when texts have changed meanwhile."""
        while True:
            job = Job(self, do)
            try:
                answer = await asyncio.get_running_loop().run_in_executor(self._executor, job.run)
            except asyncio.CancelledError:
                job.unwanted = True
                raise
            if not isinstance(answer, Job):
                return answer

    def interrupt(self) -> None:
        """Something has changed: what is being done is about what was before."""
        self.generation += 1

    def end(self) -> None:
        """Nobody waits for anything any more."""
        self.interrupt()
        self._executor.shutdown(wait=False, cancel_futures=True)
