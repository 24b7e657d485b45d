"""Data sets, samplers, batches, and loaders with processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

import namecheck_runtime as nt
from namecheck_runtime.utils.data import (
    BatchSampler,
    ChainDataset,
    ConcatDataset,
    DataLoader,
    Dataset,
    IterableDataset,
    RandomSampler,
    SequentialSampler,
    StackDataset,
    Subset,
    SubsetRandomSampler,
    TensorDataset,
    WeightedRandomSampler,
    default_collate,
    default_convert,
    get_worker_info,
    random_split,
)

STARTS = ("fork", "spawn")


class Squares(Dataset[Any]):
    """Named samples with their numbers."""

    def __init__(self, length: int) -> None:
        self.length = length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> Any:
        if index >= self.length:
            raise IndexError(index)
        return nt.full((2,), float(index**2), names=("C",)), index


class Broken(Squares):
    """Sample 5 does not fit, 6 is missing, 7 kills its process, 8 takes long."""

    def __getitem__(self, index: int) -> Any:
        if index == 5:
            return nt.zeros(2, names=("C",)) + nt.zeros(2, names=("D",))
        if index == 6:
            raise KeyError("six")
        if index == 7:
            os.kill(os.getpid(), signal.SIGKILL)
        if index == 8:
            time.sleep(60)
        return super().__getitem__(index)


class Counting(IterableDataset[int]):
    """The numbers up to a limit, of which each worker has its part."""

    def __init__(self, limit: int) -> None:
        self.limit = limit

    def __iter__(self) -> Iterator[int]:
        worker = get_worker_info()
        start, step = (0, 1) if worker is None else (worker.id, worker.num_workers)
        return iter(range(start, self.limit, step))


class Draws(Dataset[Any]):
    """A drawn number of each generator, and the process."""

    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> Any:
        import random

        worker = get_worker_info()
        seed = -1 if worker is None else worker.seed
        return nt.rand(()).item(), np.random.rand(), random.random(), seed, os.getpid()


class Point(NamedTuple):
    x: Any
    y: Any


# -- data sets -------------------------------------------------------------------------------------


def test_tensors_go_together() -> None:
    x = nt.arange(6.0).reshape(3, 2).rename("N", "C")
    dataset = TensorDataset(x, nt.arange(3))
    assert len(dataset) == 3
    row, label = dataset[1]
    assert (row.tolist(), row.names, label.item()) == ([2, 3], ("C",), 1)
    with pytest.raises(AssertionError, match="Size mismatch between tensors"):
        TensorDataset(x, nt.arange(4))


def test_data_sets_are_put_together() -> None:
    both = Squares(3) + Squares(2)
    assert isinstance(both, ConcatDataset)
    assert len(both) == 5
    assert [both[i][1] for i in (0, 2, 3, 4, -1)] == [0, 2, 0, 1, 1]
    with pytest.raises(ValueError, match="should not exceed dataset length"):
        both[-6]
    chain = Counting(2) + Counting(3)
    assert isinstance(chain, ChainDataset)
    assert list(chain) == [0, 1, 0, 1, 2]
    with pytest.raises(AssertionError):
        ConcatDataset([Counting(2)])
    stack = StackDataset(a=Squares(3), b=[7, 8, 9])
    assert stack[1]["b"] == 8
    assert [row["b"] for row in stack.__getitems__([2, 0])] == [9, 7]
    assert StackDataset([1, 2], [3, 4])[0] == (1, 3)
    with pytest.raises(ValueError, match="Size mismatch"):
        StackDataset([1], [1, 2])
    subset = Subset(Squares(9), [8, 3])
    assert (len(subset), subset[1][1], subset.__getitems__([0])[0][1]) == (2, 3, 8)


def test_a_data_set_is_split_by_chance() -> None:
    generator = nt.Generator().manual_seed(3)
    parts = random_split(range(10), [7, 3], generator)
    again = random_split(range(10), [0.7, 0.3], nt.Generator().manual_seed(3))
    assert [list(part) for part in parts] == [list(part) for part in again]
    assert sorted([*parts[0], *parts[1]]) == list(range(10))
    assert [len(part) for part in random_split(range(10), [0.33, 0.33, 0.34])] == [4, 3, 3]
    with pytest.raises(ValueError, match="Sum of input lengths"):
        random_split(range(10), [7, 2])
    with pytest.raises(ValueError, match="index 0 is not between 0 and 1"):
        random_split(range(10), [1.5, -0.5])
    with pytest.warns(UserWarning, match="index 1 is 0"):
        random_split(range(2), [0.99, 0.01])


# -- samplers --------------------------------------------------------------------------------------


def test_samplers_give_numbers() -> None:
    assert list(SequentialSampler("abc")) == [0, 1, 2]
    nt.manual_seed(0)
    first = list(RandomSampler(range(20)))
    nt.manual_seed(0)
    assert list(RandomSampler(range(20))) == first
    assert sorted(first) == list(range(20)) != first
    many = list(RandomSampler(range(3), replacement=True, num_samples=70))
    assert len(many) == 70
    assert set(many) == {0, 1, 2}
    assert len(list(RandomSampler(range(3), num_samples=7))) == 7
    assert sorted(SubsetRandomSampler([5, 7, 9])) == [5, 7, 9]
    assert set(WeightedRandomSampler([0.0, 1.0, 0.0], 5)) == {1}
    assert list(BatchSampler(range(5), 2, False)) == [[0, 1], [2, 3], [4]]
    dropping = BatchSampler(range(5), 2, True)
    assert (list(dropping), len(dropping)) == ([[0, 1], [2, 3]], 2)


@pytest.mark.parametrize(
    ("build", "sentence"),
    [
        (lambda: RandomSampler(range(3), num_samples=0), "num_samples should be a positive"),
        (lambda: RandomSampler([]), "num_samples should be a positive integer value"),
        (lambda: WeightedRandomSampler([[0.1]], 1), "weights should be a 1d sequence"),
        (lambda: BatchSampler(range(3), 0, False), "batch_size should be a positive"),
        (lambda: BatchSampler(range(3), 1, 1), "drop_last should be a boolean"),  # type: ignore[arg-type]
        (lambda: DataLoader([1], num_workers=-1), "num_workers option should be non-negative"),
        (lambda: DataLoader([1], timeout=-1), "timeout option should be non-negative"),
        (lambda: DataLoader([1], prefetch_factor=2), "prefetch_factor option could only"),
        (lambda: DataLoader([1], persistent_workers=True), "needs num_workers > 0"),
        (lambda: DataLoader([1], shuffle=True, sampler=[0]), "mutually exclusive with shuffle"),
        (lambda: DataLoader([1], batch_size=None, drop_last=True), "disables auto-batching"),
        (lambda: DataLoader([1], batch_size=2, batch_sampler=[[0]]), "batch_sampler option is"),
        (lambda: DataLoader(Counting(3), shuffle=True), "unspecified shuffle option"),
        (lambda: DataLoader(Counting(3), sampler=[1]), "unspecified sampler option"),
        (lambda: DataLoader([1], multiprocessing_context="fork"), "multi-process loading"),
    ],
)
def test_what_pytorch_refuses_is_refused(build: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        build()


# -- batches ---------------------------------------------------------------------------------------


def test_a_batch_keeps_names() -> None:
    sample = nt.zeros(2, 3, names=("C", "W"))
    assert default_collate([sample, sample]).names == (None, "C", "W")
    with pytest.raises(RuntimeError, match="dims"):
        default_collate([sample, nt.zeros(2, 3, names=("C", "H"))])


def test_samples_of_all_kinds_become_batches() -> None:
    samples = [
        {"a": 1, "b": 2.5, "c": "x", "d": (np.float32(1), np.ones(2)), "e": Point(1, [2, 3])}
        for _ in range(2)
    ]
    batch = default_collate(samples)
    assert (batch["a"].dtype, batch["a"].tolist()) == (nt.int64, [1, 1])
    assert batch["b"].dtype is nt.float64
    assert batch["c"] == ["x", "x"]
    assert isinstance(batch["d"], list)
    assert batch["d"][0].dtype is nt.float32
    assert batch["d"][1].tolist() == [[1, 1], [1, 1]]
    assert isinstance(batch["e"], Point)
    assert [part.tolist() for part in batch["e"].y] == [[2, 2], [3, 3]]
    assert isinstance(default_collate([OrderedDict(a=1)]), OrderedDict)
    assert default_collate([True, False]).dtype is nt.bool
    with pytest.raises(TypeError, match="found <class 'object'>"):
        default_collate([object()])
    with pytest.raises(TypeError, match="found <U1"):
        default_collate([np.array("a")])
    with pytest.raises(RuntimeError, match="equal size"):
        default_collate([[1], [1, 2]])


def test_a_sample_is_converted() -> None:
    made = default_convert({"a": np.ones(2), "b": (np.int64(3), "x"), "c": Point(np.ones(1), 2)})
    assert made["a"].tolist() == [1, 1]
    assert made["b"][0].item() == 3
    assert made["b"][1] == "x"
    assert isinstance(made["c"], Point)


# -- loaders ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [0, 2])
def test_batches_come_in_order(workers: int) -> None:
    loader = DataLoader(Squares(10), batch_size=4, num_workers=workers)
    assert len(loader) == 3
    batches = list(loader)
    assert [labels.tolist() for _, labels in batches] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert batches[0][0].names == (None, "C")
    assert batches[2][0].tolist() == [[64, 64], [81, 81]]
    assert len(DataLoader(Squares(10), batch_size=4, drop_last=True)) == 2
    shuffled = DataLoader(
        Squares(10), 3, shuffle=True, generator=nt.Generator().manual_seed(1), num_workers=workers
    )
    first, second = ([i for _, row in shuffled for i in row.tolist()] for _ in range(2))
    assert sorted(first) == sorted(second) == list(range(10))
    assert first != second
    alone = DataLoader(Squares(3), batch_size=None, num_workers=workers)
    assert [label for _, label in alone] == [0, 1, 2]
    own = DataLoader(Squares(4), 2, collate_fn=len, num_workers=workers)
    assert list(own) == [2, 2]
    chosen = DataLoader(Squares(4), batch_sampler=[[3], [0, 1]], num_workers=workers)
    assert [row.tolist() for _, row in chosen] == [[3], [0, 1]]


@pytest.mark.parametrize("start", STARTS)
def test_processes_are_forked_or_spawned(start: str) -> None:
    loader = DataLoader(Squares(5), 2, num_workers=2, multiprocessing_context=start)
    assert [row.tolist() for _, row in loader] == [[0, 1], [2, 3], [4]]
    error = DataLoader(Broken(6), 2, num_workers=1, multiprocessing_context=start)
    with pytest.raises(RuntimeError, match="Original Traceback"):
        list(error)


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_iterable_data_sets_are_loaded(workers: int) -> None:
    loader = DataLoader(Counting(10), batch_size=2, num_workers=workers)
    assert sorted(i for row in loader for i in row.tolist()) == list(range(10))
    dropping = DataLoader(Counting(9), batch_size=2, drop_last=True, num_workers=min(workers, 1))
    assert [len(row) for row in dropping] == [2, 2, 2, 2]
    assert sorted(DataLoader(Counting(4), batch_size=None, num_workers=workers)) == [0, 1, 2, 3]


def test_workers_have_seeds_of_their_own() -> None:
    nt.manual_seed(5)
    loader = DataLoader(Draws(), batch_size=None, num_workers=2)
    first = list(loader)
    nt.manual_seed(5)
    second = list(loader)
    assert [row[:4] for row in first] == [row[:4] for row in second]
    assert len({row[4] for row in first}) == 2
    for place in range(4):
        assert first[0][place] != first[1][place]
    assert next(iter(loader))[0] != first[0][0]
    assert get_worker_info() is None


def test_persistent_workers_stay() -> None:
    loader = DataLoader(
        Draws(), batch_size=None, num_workers=2, persistent_workers=True, prefetch_factor=1
    )
    first, second = list(loader), list(loader)
    assert {row[4] for row in first} == {row[4] for row in second}
    assert first[0][0] != second[0][0]
    next(iter(loader))  # a round that is left, and another
    assert len(list(loader)) == 4
    left = DataLoader(Counting(6), 2, num_workers=1, persistent_workers=True)
    assert [[row.tolist() for row in left] for _ in range(2)] == [[[0, 1], [2, 3], [4, 5]]] * 2


def marked(number: int) -> None:
    os.environ["NAMECHECK_TEST_WORKER"] = str(number)


class Marks(Dataset[str]):
    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: int) -> str:
        return os.environ.get("NAMECHECK_TEST_WORKER", "none")


def failing(number: int) -> None:
    raise ValueError(f"worker {number} does not want to")


def test_workers_are_prepared() -> None:
    loader = DataLoader(Marks(), batch_size=None, num_workers=2, worker_init_fn=marked)
    assert list(loader) == ["0", "1"]
    refused = DataLoader(Marks(), batch_size=None, num_workers=1, worker_init_fn=failing)
    with pytest.raises(ValueError, match="worker 0 does not want to"):
        list(refused)


def test_an_exception_of_a_worker_reaches_the_program() -> None:
    loader = DataLoader(Broken(7), batch_size=1, sampler=[0, 6, 1, 5], num_workers=2)
    batches = iter(loader)
    next(batches)
    with pytest.raises(KeyError, match="Caught KeyError in DataLoader worker process 1") as error:
        next(batches)
    assert 'raise KeyError("six")' in str(error.value)
    assert next(batches)[1].tolist() == [1]
    with pytest.raises(RuntimeError, match="dim 'C' and dim 'D'"):
        next(batches)


def test_a_batch_that_cannot_be_sent_is_an_error() -> None:
    loader = DataLoader(Squares(2), num_workers=1, collate_fn=lambda batch: lambda: batch)
    with pytest.raises(Exception, match=r"[Cc]an't (get local object|pickle)"):
        list(loader)


@pytest.mark.parametrize("start", STARTS)
def test_a_killed_worker_is_an_error(start: str) -> None:
    loader = DataLoader(
        Broken(8), sampler=[0, 1, 7, 2, 3], num_workers=2, multiprocessing_context=start
    )
    begin = time.monotonic()
    with pytest.raises(RuntimeError, match=r"exited unexpectedly: it was killed by signal 9"):
        list(loader)
    assert time.monotonic() - begin < 30


def test_a_slow_worker_is_an_error() -> None:
    loader = DataLoader(Broken(9), sampler=[8], num_workers=1, timeout=0.2)
    with pytest.raises(RuntimeError, match=r"timed out after 0\.2 seconds"):
        list(loader)


class Large(Dataset[Any]):
    def __len__(self) -> int:
        return 200_000

    def __getitem__(self, index: int) -> Any:
        return index

    def __getitems__(self, indices: list[int]) -> Any:
        return [nt.zeros(300_000)]


def test_large_batches_and_long_lists_of_numbers_do_not_block() -> None:
    loader = DataLoader(Large(), batch_size=50_000, num_workers=1, prefetch_factor=4)
    assert [len(batch[0]) for batch in loader] == [300_000] * 4


LEFT = """
import namecheck_runtime as nt
from multiprocessing import active_children
data = nt.utils.data.TensorDataset(nt.zeros(1000, 1000))
batches = iter(nt.utils.data.DataLoader(data, 100, num_workers=2))
next(batches)
print(len(active_children()))
{ending}
"""


@pytest.mark.parametrize(
    ("ending", "printed"),
    [
        ("", "2"),
        ("del batches; print(len(active_children()))", "2 0"),
        ("import os; print(*(c.pid for c in active_children()), flush=True); os._exit(0)", None),
    ],
)
def test_a_program_that_ends_early_leaves_no_process(ending: str, printed: str | None) -> None:
    program = LEFT.format(ending=ending)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    words = done.stdout.split()
    if printed is not None:
        assert (words, done.stderr) == (printed.split(), "")
        return
    until = time.monotonic() + 20
    while any(os.path.exists(f"/proc/{pid}") for pid in words[1:]):
        assert time.monotonic() < until
        time.sleep(0.1)


def test_pinned_memory_is_accepted() -> None:
    with pytest.warns(UserWarning, match="no accelerator is found"):
        assert len(list(DataLoader([1, 2], pin_memory=True))) == 2


def test_a_loader_does_not_change() -> None:
    loader = DataLoader([1, 2])
    with pytest.raises(ValueError, match="batch_size attribute should not be set"):
        loader.batch_size = 3
    loader.collate_fn = len
    assert list(loader) == [1, 1]


def test_a_wrong_length_is_reported() -> None:
    class Wrong(Counting):
        def __len__(self) -> int:
            return 1

    loader = DataLoader(Wrong(2), batch_size=None)
    assert len(loader) == 1
    with pytest.warns(UserWarning, match="was reported to be 1"):
        list(loader)
