"""What a loader does for one batch: it gets the samples and collates them.

Source: torch.utils.data._utils.fetch.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from namecheck_runtime.utils.data.dataset import IterableDataset


class Fetcher:
    """Gets the batches of a data set by the numbers of their samples.

    An iterable data set ignores the numbers, and only counts them.  `collates` is whether samples
    are put together in batches.
    """

    def __init__(
        self, dataset: Any, collates: bool, collate_fn: Callable[[Any], Any], drop_last: bool
    ) -> None:
        self._dataset, self._collates = dataset, collates
        self._collate, self._drops_last = collate_fn, drop_last
        self.is_iterable = isinstance(dataset, IterableDataset)
        self._samples = iter(dataset) if self.is_iterable else None
        self._ended = False

    def batch(self, index: Any) -> Any:
        """The batch of some numbers, or the sample of one.

        Raises StopIteration if an iterable data set has no more.
        """
        if self._samples is None:
            return self._collate(self._at(index))
        if self._ended:
            raise StopIteration
        if not self._collates:
            return self._collate(next(self._samples))
        samples = list(islice(self._samples, len(index)))
        self._ended = len(samples) < len(index)
        if not samples or (self._drops_last and self._ended):
            raise StopIteration
        return self._collate(samples)

    def _at(self, index: Any) -> Any:
        if not self._collates:
            return self._dataset[index]
        together = getattr(self._dataset, "__getitems__", None)
        return together(index) if together else [self._dataset[number] for number in index]
