"""Tensors in shared memory, and sent to other processes."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import namecheck_runtime as nt
import namecheck_runtime.multiprocessing as mp
from namecheck_runtime.sharing.processes import SpawnContext

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs file descriptors")
METHODS = [method for method in ("spawn", "fork") if method in mp.get_all_start_methods()]


def files() -> list[str]:
    """The files without names that this process holds."""
    folder = "/proc/self/fd"
    if not os.path.isdir(folder):
        pytest.skip("needs /proc")
    links = []
    for entry in os.listdir(folder):
        try:
            links.append(os.readlink(f"{folder}/{entry}"))
        except OSError:
            continue
    return [link for link in links if "memfd:namecheck" in link]


# -- in one process --------------------------------------------------------------------------------


def test_views_move_with_their_memory() -> None:
    x = nt.arange(6.0).reshape(2, 3).rename("N", "C")
    row, turned, bits, detached = x[1], x.T, x.view(nt.int32), x.detach()
    assert not x.is_shared()
    assert row.share_memory_() is row
    for view in (x, row, turned, bits, detached):
        assert view.is_shared()
    x[1, 2] = 9
    assert row[2] == turned[2, 1] == detached[1, 2] == 9
    assert bits[1, 2] == nt.tensor(9.0).view(nt.int32)
    assert x.names == ("N", "C")
    assert x.untyped_storage() is row.untyped_storage()


@pytest.mark.parametrize(
    "make",
    [
        lambda: nt.zeros(3),
        lambda: nt.tensor(1.5),
        lambda: nt.zeros(0, 3),
        lambda: nt.ones(2, 3).T,
        lambda: nt.ones(2, dtype=nt.complex128),
        lambda: nt.ones(2, dtype=nt.bfloat16),
        lambda: nt.tensor([True, False]),
        lambda: nt.ones(3, requires_grad=True),
        lambda: nt.from_numpy(np.arange(6.0)[::2]),
    ],
)
def test_all_kinds_are_shared(make: Any) -> None:
    x = make()
    before = (x.tolist(), x.stride(), x.dtype, x.requires_grad, x.is_leaf)
    assert x.share_memory_().is_shared()
    assert (x.tolist(), x.stride(), x.dtype, x.requires_grad, x.is_leaf) == before
    address = x.untyped_storage().data_ptr()
    assert x.share_memory_().untyped_storage().data_ptr() == address


def test_what_is_not_shared() -> None:
    x = nt.ones(2).share_memory_()
    assert not (x + 1).is_shared()
    assert not x.clone().is_shared()
    assert not nt.zeros(2, device="meta").share_memory_().is_shared()
    with pytest.raises(RuntimeError, match="not resizable"):
        x.resize_(5)


def test_a_gradient_flows_through_shared_memory() -> None:
    x = nt.ones(3, names=("N",), requires_grad=True).share_memory_()
    (x * 2).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [2, 2, 2]


def test_memory_goes_with_its_last_tensor() -> None:
    gc.collect()
    before = len(files())
    x = nt.zeros(1000).share_memory_()
    view = x[3:]
    assert len(files()) > before
    del x
    assert len(files()) > before
    del view
    assert len(files()) == before


def test_ordinary_pickles_are_copies() -> None:
    x = nt.ones(2, names=("N",)).share_memory_()
    copy = pickle.loads(pickle.dumps(x))
    copy += 1
    assert x.tolist() == [1, 1]
    assert not copy.is_shared()


# -- with others -----------------------------------------------------------------------------------


def answer(x: Any, queue: Any, answers: Any) -> None:
    """Write to the argument and to what comes, and send tensors back until None comes."""
    assert x.is_shared()
    x[0] = 42
    while (received := queue.get()) is not None:
        received += 1
        answers.put((received.names, received, nt.full((2,), 7.0, names=("Z",))))


@pytest.fixture(params=METHODS)
def context(request: pytest.FixtureRequest) -> Any:
    return mp.get_context(request.param)


def test_arguments_and_queues(context: Any) -> None:
    x = nt.zeros(3, names=("N",))
    x.share_memory_()
    queue, answers = context.Queue(), context.Queue()
    process = context.Process(target=answer, args=(x, queue, answers))
    process.start()
    sent = nt.zeros(2, 3, names=("A", "B"))
    view = sent[1]
    for count in (1, 2):
        queue.put(sent)
        names, back, new = answers.get(timeout=60)
        assert names == back.names == ("A", "B")
        assert back.untyped_storage() is sent.untyped_storage()
        assert new.names == ("Z",)
        assert new.tolist() == [7, 7]
        assert view.tolist() == [count] * 3
    queue.put(None)
    process.join()
    assert process.exitcode == 0
    assert x.tolist() == [42, 0, 0]


def double(x: Any) -> Any:
    return x.mul_(2)


def test_pools(context: Any) -> None:
    tensors = [nt.full((2,), float(n), names=("N",)) for n in range(5)]
    with context.Pool(2) as pool:
        results = pool.map(double, tensors)
    assert [x.tolist() for x in tensors] == [[2.0 * n] * 2 for n in range(5)]
    assert all(result.names == ("N",) for result in results)


def test_elements_of_third_parties_are_sent(context: Any) -> None:
    x = nt.tensor([1.0, 2.5], dtype=nt.bfloat16, names=("N",))
    with context.Pool(1) as pool:
        assert pool.map(double, [x])[0].tolist() == [2.0, 5.0]
    assert (x.dtype, x.tolist()) == (nt.bfloat16, [2.0, 5.0])


def refuse_graph(connection: Any) -> None:
    connection.send(nt.ones(2, requires_grad=True) * 2)


def test_results_of_graphs_are_refused() -> None:
    first, second = mp.Pipe()
    with pytest.raises(RuntimeError, match="Cowardly refusing to serialize non-leaf tensor"):
        refuse_graph(second)
    second.send(nt.ones(2, names=("N",), requires_grad=True))
    received = first.recv()
    assert received.requires_grad
    assert received.names == ("N",)


class Special(nt.Tensor):
    """A class of tensors, as `nn.Parameter` is one."""


def test_tensors_of_subclasses_are_sent_without_a_copy() -> None:
    first, second = mp.Pipe()
    x = object.__new__(Special)
    plain = nt.zeros(3, names=("N",))
    x._array, x._names, x._storage, x._rest = plain._array, plain._names, plain._own(), None
    second.send(x)
    first.recv().add_(1)
    assert x.is_shared()
    assert plain.tolist() == x.tolist() == [1, 1, 1]


def test_meta_tensors_are_sent() -> None:
    first, second = mp.Pipe()
    second.send(nt.zeros(2, 3, device="meta", names=("N", "C")))
    received = first.recv()
    assert received.device.type == "meta"
    assert received.names == ("N", "C")


def fail(index: int, x: Any) -> None:
    x[index] = 1
    if index == 1:
        raise KeyError("no such thing")
    time.sleep(60)


def die(index: int, x: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def count(index: int, x: Any) -> None:
    x[index] = index + 1


def test_spawn(context: Any) -> None:
    method = context.get_start_method()
    x = nt.zeros(2, names=("N",)).share_memory_()
    mp.spawn(count, (x,), nprocs=2, start_method=method)
    assert x.tolist() == [1, 2]
    with pytest.raises(mp.ProcessRaisedException, match="no such thing"):
        mp.spawn(fail, (x,), nprocs=2, start_method=method)
    with pytest.raises(mp.ProcessExitedException, match="signal 9") as caught:
        mp.spawn(die, (x,), nprocs=1, start_method=method)
    assert caught.value.exit_code == -9
    started = mp.spawn(count, (x,), nprocs=2, join=False, start_method=method)
    assert len(started.pids()) == 2
    while not started.join():
        pass


class Dying:
    """A process that closed its files and has no exit code yet; the next look at it finds one."""

    pid = 1
    sentinel: int
    looks = 0

    def is_alive(self) -> bool:
        self.looks += 1
        return self.looks == 1

    def join(self) -> None:
        self.looks += 1

    @property
    def exitcode(self) -> int | None:
        return None if self.looks <= 1 else -9


def test_a_process_that_dies_while_it_is_waited_for() -> None:
    process = Dying()
    process.sentinel, end = os.pipe()
    os.close(end)
    errors, sender = mp.Pipe(duplex=False)
    sender.close()
    with pytest.raises(mp.ProcessExitedException, match="signal 9"):
        SpawnContext([process], [errors]).join()
    os.close(process.sentinel)


def increment(x: Any, lock: Any, ready: Any) -> None:
    ready.put(os.getpid())
    while True:
        with lock:
            x += 1


def test_a_killed_process_leaves_nothing_behind() -> None:
    names = set(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else set()
    gc.collect()
    before = len(files())
    context = mp.get_context("fork")
    x = nt.zeros(1000, names=("N",)).share_memory_()
    locks = [context.Lock() for _ in range(3)]
    ready = context.SimpleQueue()
    workers = [context.Process(target=increment, args=(x, lock, ready)) for lock in locks]
    for worker in workers:
        worker.start()
    for _ in workers:
        ready.get()
    for worker in workers[:2]:
        worker.kill()
        worker.join()
    last = x[0].item()
    time.sleep(0.05)
    assert x[0] > last  # the third goes on
    workers[2].kill()
    workers[2].join()
    assert x.is_shared()
    del x, locks, ready, workers, worker
    gc.collect()
    assert len(files()) == before
    if names:
        assert {name for name in os.listdir("/dev/shm") if "namecheck" in name} <= names


def train(seed: int, weight: Any, ready: Any) -> None:
    """Hogwild: update shared parameters without locks, for ever."""
    nt.manual_seed(seed)
    goal = nt.tensor([1.0, -2.0, 3.0], names=("C",))
    step = 0
    while True:
        x = nt.randn(8, 3, names=("N", "C"))
        weight.grad = None
        ((x * (weight - goal)).sum("C") ** 2).mean("N").backward()
        with nt.no_grad():
            weight -= 0.02 * weight.grad
        step += 1
        if step in (5, 300):
            ready.put(step)


@pytest.mark.parametrize("killed", [0, 1])
def test_a_worker_killed_in_hogwild_does_not_stop_the_others(killed: int) -> None:
    context = mp.get_context("fork")
    weight = nt.zeros(3, names=("C",), requires_grad=True).share_memory_()
    queues = [context.SimpleQueue() for _ in range(2)]
    workers = [
        context.Process(target=train, args=(seed, weight, queue))
        for seed, queue in enumerate(queues)
    ]
    for worker in workers:
        worker.start()
    try:
        assert queues[killed].get() == 5
        workers[killed].kill()
        workers[killed].join()
        other = queues[1 - killed]
        while other.get() != 300:
            pass
    finally:
        for worker in workers:
            worker.kill()
            worker.join()
    assert weight.isfinite().all()
    assert (weight - nt.tensor([1.0, -2.0, 3.0], names=("C",))).abs().max() < 0.05


CRASHES = """
import os, signal
import namecheck_runtime as nt
import namecheck_runtime.multiprocessing as mp
context = mp.get_context("fork")
x = nt.zeros(1 << 20).share_memory_()
queue = context.Queue()
queue.put(nt.ones(1 << 20))
if os.fork():
    print(os.listdir("/dev/shm"), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
x[0] = 1
assert x[0] == 1
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not Path("/dev/shm").exists(), reason="needs /dev/shm")
def test_a_killed_program_leaves_nothing_behind() -> None:
    before = {name for name in os.listdir("/dev/shm") if "namecheck" in name}
    done = subprocess.run(
        [sys.executable, "-c", CRASHES],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert {name for name in os.listdir("/dev/shm") if "namecheck" in name} == before


# -- the module ------------------------------------------------------------------------------------


@pytest.fixture
def method() -> Iterator[None]:
    yield
    mp.set_start_method("spawn", force=True)


def test_spawn_is_the_default(method: None) -> None:
    own = multiprocessing.get_start_method(allow_none=True)
    assert mp.get_start_method() == "spawn"
    assert mp.Process is multiprocessing.get_context("spawn").Process
    mp.set_start_method("fork", force=True)
    assert mp.Process is multiprocessing.get_context("fork").Process
    assert multiprocessing.get_start_method(allow_none=True) == own


def test_all_names_of_python_are_there() -> None:
    for name in multiprocessing.__all__:
        if name != "reducer":
            assert getattr(mp, name) is not None
    assert set(multiprocessing.__all__) <= set(dir(mp))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = mp.nothing


def test_sharing_strategies() -> None:
    assert mp.get_sharing_strategy() in mp.get_all_sharing_strategies()
    mp.set_sharing_strategy("file_descriptor")
    with pytest.raises(ValueError, match="not by 'file_system'"):
        mp.set_sharing_strategy("file_system")
