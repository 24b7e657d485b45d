"""Starting processes: by `spawn` as the default, and several at once by `spawn(function)`."""

from __future__ import annotations

import multiprocessing
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import wait
from multiprocessing.context import DefaultContext
from typing import Any


class Context(DefaultContext):
    """Python's default context with `spawn` in place of the system's own default.

    `set_start_method` changes it, and changes nothing outside of this package.
    """

    def __init__(self) -> None:
        super().__init__(multiprocessing.get_context("spawn"))

    @property
    def Process(self) -> Any:  # type: ignore[override]  # Python's asks its own default
        """The class of processes that the method of this context starts."""
        return self.get_context().Process


CONTEXT = Context()


class ProcessRaisedException(Exception):
    """A process of `spawn` raised; the text is its traceback."""

    def __init__(self, msg: str, error_index: int, error_pid: int | None) -> None:
        super().__init__(msg)
        self.msg = msg
        self.error_index = error_index
        self.pid = error_pid


class ProcessExitedException(Exception):
    """A process of `spawn` was killed, or ended with another code than 0."""

    def __init__(
        self, msg: str, error_index: int, error_pid: int | None, exit_code: int | None
    ) -> None:
        super().__init__(msg)
        self.msg = msg
        self.error_index = error_index
        self.pid = error_pid
        self.exit_code = exit_code


_LONGEST = 16_000
"""The longest text of a process that failed, in characters: a pipe takes it without a reader."""


def _run(function: Callable[..., Any], index: int, args: Sequence[Any], errors: Any) -> None:
    try:
        function(index, *args)
    except KeyboardInterrupt:
        pass  # the parent has it, too
    except Exception:
        errors.send(traceback.format_exc()[-_LONGEST:])
        raise SystemExit(1) from None


class SpawnContext:
    """The processes of a call of `spawn`."""

    def __init__(self, processes: list[Any], errors: list[Any]) -> None:
        self.processes = processes
        self._errors = errors

    def pids(self) -> list[int | None]:
        """The numbers of the processes."""
        return [process.pid for process in self.processes]

    def join(self, timeout: float | None = None) -> bool:
        """Wait for a process to end; True if all have.

        Raises ProcessRaisedException or ProcessExitedException for the first that failed, after
        the others were ended.
        """
        running = {p.sentinel: p for p in self.processes if p.is_alive()}
        self._require_none_failed()  # one that failed by now would not end the wait
        for sentinel in wait(running, timeout) if running else []:
            running.pop(sentinel).join()  # it closes its pipe a moment before its code is there
        self._require_none_failed()
        return not running

    def _require_none_failed(self) -> None:
        for index, process in enumerate(self.processes):
            if process.exitcode:
                self._fail(index, process)

    def _fail(self, index: int, process: Any) -> None:
        for other in self.processes:
            if other.is_alive():
                other.terminate()
            other.join()
        code = process.exitcode
        try:
            text = self._errors[index].recv()
        except EOFError:
            pass  # it was killed, or ended by itself
        else:
            message = f"\n\n-- Process {index} terminated with the following error:\n{text}"
            raise ProcessRaisedException(message, index, process.pid)
        how = f"with signal {-code}" if code < 0 else f"with exit code {code}"
        raise ProcessExitedException(f"process {index} terminated {how}", index, process.pid, code)


def spawn(
    fn: Callable[..., Any],
    args: Sequence[Any] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> SpawnContext | None:
    """Call `fn(index, *args)` in `nprocs` processes at once.

    Waits for them if `join`, else returns them.  Raises ProcessRaisedException if one of them
    raised, and ProcessExitedException if one was killed; the others are ended then.

    As `torch.multiprocessing.spawn`.
    """
    context: Any = multiprocessing.get_context(start_method)
    processes, errors = [], []
    for index in range(nprocs):
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_run, args=(fn, index, args, sender), daemon=daemon)
        process.start()
        sender.close()
        processes.append(process)
        errors.append(receiver)
    started = SpawnContext(processes, errors)
    if not join:
        return started
    while not started.join():
        pass
    return None
