"""Samplers: the order of samples, and their batches.  Source: torch.utils.data.sampler.

Drawn orders come from the same calls as PyTorch's (`randperm`, `randint`, `multinomial`), of our
generators: a seed repeats them here, but gives other numbers than PyTorch's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar

import namecheck_runtime as nt

_Index = TypeVar("_Index", covariant=True)


class Sampler(Generic[_Index]):
    """Numbers of samples, one after the other: a subclass has `__iter__`.

    Source: torch.utils.data.Sampler.
    """

    def __init__(self, data_source: Any = None) -> None: ...

    def __iter__(self) -> Iterator[_Index]:
        raise NotImplementedError


class SequentialSampler(Sampler[int]):
    """All numbers in order.  Source: torch.utils.data.SequentialSampler."""

    def __init__(self, data_source: Any) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """Numbers in a drawn order, or drawn again and again with `replacement`.

    Source: torch.utils.data.RandomSampler.
    """

    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Any = None,
    ) -> None:
        self.data_source, self.replacement = data_source, replacement
        self._num_samples, self.generator = num_samples, generator
        if not isinstance(replacement, bool):
            raise TypeError(
                f"replacement should be a boolean value, but got replacement={replacement}"
            )
        _require_positive("num_samples", self.num_samples)

    @property
    def num_samples(self) -> int:
        """How many numbers there are."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        count = len(self.data_source)
        generator = self.generator
        if generator is None:
            generator = nt.Generator()
            generator.manual_seed(drawn_seed(None))
        if self.replacement:
            for start in range(0, self.num_samples, 32):
                size = min(32, self.num_samples - start)
                drawn = nt.randint(high=count, size=(size,), dtype=nt.int64, generator=generator)
                yield from drawn.tolist()
            return
        for _ in range(self.num_samples // count):
            yield from nt.randperm(count, generator=generator).tolist()
        rest = nt.randperm(count, generator=generator).tolist()
        yield from rest[: self.num_samples % count]

    def __len__(self) -> int:
        return self.num_samples


def drawn_seed(generator: Any) -> int:
    """A drawn seed, of the default generator or of another one."""
    return int(nt.empty((), dtype=nt.int64).random_(generator=generator).item())


class SubsetRandomSampler(Sampler[int]):
    """The given numbers in a drawn order.  Source: torch.utils.data.SubsetRandomSampler."""

    def __init__(self, indices: Sequence[int], generator: Any = None) -> None:
        self.indices, self.generator = indices, generator

    def __iter__(self) -> Iterator[int]:
        for place in nt.randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[place]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Numbers drawn by their weights `[N]`.  Source: torch.utils.data.WeightedRandomSampler."""

    def __init__(
        self,
        weights: Any,
        num_samples: int,
        replacement: bool = True,
        generator: Any = None,
    ) -> None:
        _require_positive("num_samples", num_samples)
        if not isinstance(replacement, bool):
            raise ValueError(
                f"replacement should be a boolean value, but got replacement={replacement}"
            )
        self.weights = nt.as_tensor(weights, dtype=nt.float64)
        if self.weights.ndim != 1:
            raise ValueError(
                "weights should be a 1d sequence but given weights have shape "
                f"{tuple(self.weights.shape)}"
            )
        self.num_samples, self.replacement = num_samples, replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        drawn = nt.multinomial(
            self.weights, self.num_samples, self.replacement, generator=self.generator
        )
        yield from drawn.tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """The numbers of a sampler in lists of `batch_size`.  Source: torch.utils.data.BatchSampler."""

    def __init__(self, sampler: Iterable[Any], batch_size: int, drop_last: bool) -> None:
        _require_positive("batch_size", batch_size)
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        numbers = iter(self.sampler)
        while batch := list(islice(numbers, self.batch_size)):
            if self.drop_last and len(batch) < self.batch_size:
                return
            yield batch

    def __len__(self) -> int:
        count = len(self.sampler)  # type: ignore[arg-type]
        return (count if self.drop_last else count + self.batch_size - 1) // self.batch_size


def _require_positive(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ValueError(f"{name} should be a positive integer value, but got {name}={value}")
