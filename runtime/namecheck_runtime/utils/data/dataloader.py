"""Loaders of batches.  Source: torch.utils.data.dataloader."""

from __future__ import annotations

import math
import multiprocessing
import warnings
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any, Final, Generic, TypeVar

from namecheck_runtime.utils.data.collate import default_collate, default_convert
from namecheck_runtime.utils.data.dataset import IterableDataset
from namecheck_runtime.utils.data.fetch import Fetcher
from namecheck_runtime.utils.data.sampler import (
    BatchSampler,
    RandomSampler,
    SequentialSampler,
    drawn_seed,
)
from namecheck_runtime.utils.data.worker import Work
from namecheck_runtime.utils.data.worker_processes import Workers

_Sample = TypeVar("_Sample", covariant=True)

_FIXED: Final = frozenset(
    {"batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers"}
)
"""The attributes that a program must not change later."""


class DataLoader(Generic[_Sample]):
    """Batches of a data set, in this process or in others.  Source: torch.utils.data.DataLoader.

    A batch of tensors `[*]` is `[N, *]`: names stay, and the new dim has none; a `collate_fn` of
    your own may give it one.
    """

    _begun = False

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], Any] | None = None,
        multiprocessing_context: Any = None,
        generator: Any = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        self.dataset, self.num_workers = dataset, num_workers
        self.prefetch_factor = 2 if num_workers > 0 and prefetch_factor is None else prefetch_factor
        self.pin_memory, self.pin_memory_device = pin_memory, pin_memory_device
        self.timeout, self.worker_init_fn = timeout, worker_init_fn
        self.multiprocessing_context = _context(multiprocessing_context, num_workers)
        self.in_order, self.generator = in_order, generator
        is_iterable = isinstance(dataset, IterableDataset)
        if is_iterable:
            _check_iterable(shuffle, sampler, batch_sampler)
        _check_batches(batch_size, bool(shuffle), sampler, batch_sampler, drop_last)
        if batch_sampler is not None:
            batch_size = None
        if sampler is None:
            if is_iterable:
                sampler = _Endless()
            elif shuffle:
                sampler = RandomSampler(dataset, generator=generator)
            else:
                sampler = SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size, self.drop_last = batch_size, drop_last
        self.sampler, self.batch_sampler = sampler, batch_sampler
        default = default_convert if batch_sampler is None else default_collate
        self.collate_fn = default if collate_fn is None else collate_fn
        self.persistent_workers = persistent_workers
        self._iterator: _InWorkers[_Sample] | None = None
        self._announced: int | None = None
        self._begun = True

    def __setattr__(self, name: str, value: Any) -> None:
        if self._begun and name in _FIXED:
            raise ValueError(
                f"{name} attribute should not be set after {type(self).__name__} is initialized"
            )
        super().__setattr__(name, value)

    @property
    def _index_sampler(self) -> Any:
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def __iter__(self) -> Iterator[_Sample]:
        if self.num_workers == 0:
            return _InProcess(self)
        if not self.persistent_workers:
            return _InWorkers(self)
        if self._iterator is None:
            self._iterator = _InWorkers(self)
        else:
            self._iterator.restart()
        return self._iterator

    def __len__(self) -> int:
        if not isinstance(self.dataset, IterableDataset):
            return len(self._index_sampler)
        length = self._announced = len(self.dataset)  # type: ignore[arg-type]
        if self.batch_size is None:
            return length
        return length // self.batch_size if self.drop_last else math.ceil(length / self.batch_size)


class _Endless:
    """The sampler of an iterable data set, which chooses itself."""

    def __iter__(self) -> Iterator[None]:
        return repeat(None)


class _Batches(Iterator[_Sample]):
    """The batches of a loader, one after the other."""

    def __init__(self, loader: DataLoader[_Sample]) -> None:
        if loader.pin_memory:
            warnings.warn(
                "'pin_memory' argument is set as true but no accelerator is found, then device "
                "pinned memory won't be used.",
                stacklevel=3,
            )
        self._loader = loader
        self._begin()

    def _begin(self) -> None:
        self._indices = iter(self._loader._index_sampler)
        self._base_seed = drawn_seed(self._loader.generator)
        self._yielded = 0

    def _fetching(self) -> tuple[Any, bool, Callable[[Any], Any], bool]:
        loader = self._loader
        collates = loader.batch_sampler is not None
        return loader.dataset, collates, loader.collate_fn, loader.drop_last

    def _next_batch(self) -> _Sample:
        raise NotImplementedError

    def __next__(self) -> _Sample:
        batch = self._next_batch()
        self._yielded += 1
        announced = self._loader._announced
        if announced is not None and self._yielded > announced:
            self._warn_of_length(announced)
        return batch

    def _warn_of_length(self, announced: int) -> None:
        text = (
            f"Length of IterableDataset {self._loader.dataset} was reported to be {announced}(when "
            f"accessing len(dataloader)), but {self._yielded} samples have been fetched. "
        )
        if self._loader.num_workers > 0:
            text += (
                "For multiprocessing data-loading, this could be caused by not properly "
                "configuring the IterableDataset replica at each worker. Please see "
                "https://pytorch.org/docs/stable/data.html#torch.utils.data.IterableDataset for "
                "examples."
            )
        warnings.warn(text, stacklevel=3)

    def __len__(self) -> int:
        return len(self._loader._index_sampler)

    def __getstate__(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} cannot be pickled")


class _InProcess(_Batches[_Sample]):
    """Batches that this process loads."""

    def __init__(self, loader: DataLoader[_Sample]) -> None:
        super().__init__(loader)
        self._fetcher = Fetcher(*self._fetching())

    def _next_batch(self) -> _Sample:
        return self._fetcher.batch(next(self._indices))  # type: ignore[no-any-return]


class _InWorkers(_Batches[_Sample]):
    """Batches that other processes load."""

    def __init__(self, loader: DataLoader[_Sample]) -> None:
        super().__init__(loader)
        work = Work(*self._fetching(), loader.worker_init_fn, loader.num_workers, self._base_seed)
        self._workers = Workers(work, loader.multiprocessing_context, loader.timeout)
        self._fill()

    def restart(self) -> None:
        """Begin a new round with the same processes."""
        self._begin()
        self._workers.restart(self._base_seed)
        self._fill()

    def _fill(self) -> None:
        for _ in range((self._loader.prefetch_factor or 1) * self._loader.num_workers):
            self._ask()

    def _ask(self) -> None:
        """Let a worker load the next batch, if there is one."""
        if self._workers.can_ask():
            index = next(self._indices, _NONE)
            if index is not _NONE:
                self._workers.ask(index)

    def _next_batch(self) -> _Sample:
        while self._workers.expects():
            answered, batch = self._workers.answer(self._loader.in_order)
            self._ask()
            if answered:
                return batch  # type: ignore[no-any-return]
        if not self._loader.persistent_workers:
            self._workers.stop()
        raise StopIteration


_NONE: Final = object()


# -- checks of arguments ---------------------------------------------------------------------------


def _check_workers(
    num_workers: int, timeout: float, prefetch_factor: int | None, persistent_workers: bool
) -> None:
    if num_workers < 0:
        raise ValueError(
            "num_workers option should be non-negative; use num_workers=0 to disable "
            "multiprocessing."
        )
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if num_workers == 0 and prefetch_factor is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 "
            "to enable multiprocessing, otherwise set prefetch_factor to None."
        )
    if prefetch_factor is not None and prefetch_factor < 0:
        raise ValueError("prefetch_factor option should be non-negative")
    if persistent_workers and num_workers == 0:
        raise ValueError("persistent_workers option needs num_workers > 0")


def _context(context: Any, num_workers: int) -> Any:
    """The context of processes: of a start method's name, or as it is given."""
    if context is None:
        return None
    if num_workers == 0:
        raise ValueError(
            "multiprocessing_context can only be used with multi-process loading (num_workers > "
            f"0), but got num_workers={num_workers}"
        )
    if isinstance(context, str):
        methods = multiprocessing.get_all_start_methods()
        if context not in methods:
            raise ValueError(
                "multiprocessing_context option should specify a valid start method in "
                f"{methods!r}, but got multiprocessing_context={context!r}"
            )
        return multiprocessing.get_context(context)
    if not isinstance(context, multiprocessing.context.BaseContext):
        raise TypeError(
            "multiprocessing_context option should be a valid context object or a string "
            f"specifying the start method, but got multiprocessing_context={context}"
        )
    return context


def _check_iterable(shuffle: Any, sampler: Any, batch_sampler: Any) -> None:
    options = {"shuffle": shuffle or None, "sampler": sampler, "batch_sampler": batch_sampler}
    for name, value in options.items():
        if value is not None:
            raise ValueError(
                f"DataLoader with IterableDataset: expected unspecified {name} option, but got "
                f"{name}={value}"
            )


def _check_batches(
    batch_size: int | None, shuffle: bool, sampler: Any, batch_sampler: Any, drop_last: bool
) -> None:
    if sampler is not None and shuffle:
        raise ValueError("sampler option is mutually exclusive with shuffle")
    if batch_sampler is not None:
        if batch_size != 1 or shuffle or sampler is not None or drop_last:
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and "
                "drop_last"
            )
    elif batch_size is None and drop_last:
        raise ValueError(
            "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
        )
