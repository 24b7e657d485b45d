"""Draws that two libraries share: each depends on a seed, its kind, its shape and its turn alone.

PyTorch and this package have different generators. `replace(torch)` puts these draws in the place
of theirs, so that a program gets the same initial parameters, batches and noise under both.
"""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


class Draws:
    """Numbers for a library; `wants_gradients` makes leaves of the numbers that a program draws."""

    def __init__(self, torch: Any, seed: int = 0) -> None:
        self._torch = torch
        self._seed = seed
        self._turns: Counter[tuple[str, tuple[int, ...]]] = Counter()
        self.wants_gradients = False
        self.leaves: list[Any] = []

    def generator(self, kind: str, sizes: Sequence[Any]) -> np.random.Generator:
        """The generator of the next draw of a kind with these sizes."""
        key = (kind, tuple(int(size) for size in sizes))
        self._turns[key] += 1
        text = repr((self._seed, key, self._turns[key]))
        return np.random.default_rng(zlib.crc32(text.encode()))

    def normal(self, sizes: Sequence[Any]) -> Any:
        """Numbers of the normal distribution, an array of float64."""
        return self.generator("normal", sizes).standard_normal(tuple(map(int, sizes)))

    def uniform(self, sizes: Sequence[Any]) -> Any:
        """Numbers between 0 and 1, an array of float64."""
        return self.generator("uniform", sizes).random(tuple(map(int, sizes)))

    def tensor(self, values: Any, dtype: Any = None, device: Any = None) -> Any:
        """A tensor of the default dtype, or of a given one.

        The numbers have the digits of float32: dtypes that are more exact see the same ones.
        """
        made = self._torch.from_numpy(np.asarray(values, dtype=np.float32).astype(np.float64))
        made = made.to(dtype or self._torch.get_default_dtype())
        return made if device is None else made.to(device)

    def leaf(self, values: Any, options: dict[str, Any]) -> Any:
        """The tensor of a factory that was called with these options."""
        made = self.tensor(values, options.get("dtype"), options.get("device"))
        wanted = self.wants_gradients and made.is_floating_point()
        if options.get("requires_grad") or wanted:
            made.requires_grad_()
            self.leaves.append(made)
        return made


def _sizes(arguments: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, ...]:
    """The sizes that a factory was called with: `(2, 3)`, `((2, 3),)` or `size=(2, 3)`."""
    if "size" in options:
        return tuple(options["size"])
    if len(arguments) == 1 and hasattr(arguments[0], "__iter__"):
        return tuple(arguments[0])
    return arguments


def replace(torch: Any, seed: int = 0) -> Draws:
    """Let a library, and the modules `random` and NumPy, draw what others draw under this seed."""
    draws = Draws(torch, seed)
    _replace_factories(torch, draws)
    _replace_methods(torch, draws)
    random.seed(seed)
    np.random.seed(seed)
    return draws


def _replace_factories(torch: Any, draws: Draws) -> None:
    def randn(*sizes: Any, **options: Any) -> Any:
        return draws.leaf(draws.normal(_sizes(sizes, options)), options)

    def rand(*sizes: Any, **options: Any) -> Any:
        return draws.leaf(draws.uniform(_sizes(sizes, options)), options)

    def randn_like(x: Any, *, dtype: Any = None, **_: Any) -> Any:
        return draws.tensor(draws.normal(x.shape), dtype or x.dtype, x.device)

    def rand_like(x: Any, *, dtype: Any = None, **_: Any) -> Any:
        return draws.tensor(draws.uniform(x.shape), dtype or x.dtype, x.device)

    def randint(*arguments: Any, low: Any = None, high: Any = None, **options: Any) -> Any:
        rest = list(arguments)
        sizes = options["size"] if "size" in options else rest.pop()
        if len(rest) == 2:
            low, high = rest
        elif rest:
            low, high = (0, rest[0]) if low is None else (low, rest[0])
        drawn = draws.generator("randint", sizes).integers(
            int(low or 0), int(high), tuple(map(int, sizes))
        )
        return torch.from_numpy(drawn.astype(np.int64)).to(options.get("dtype") or torch.int64)

    def randperm(count: int, **options: Any) -> Any:
        drawn = draws.generator("permutation", (count,)).permutation(count)
        return torch.from_numpy(drawn.astype(np.int64)).to(options.get("dtype") or torch.int64)

    def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, **options: Any) -> Any:
        if size is None:
            size = (torch.as_tensor(mean) + torch.as_tensor(std)).shape
        drawn = draws.tensor(draws.normal(size), options.get("dtype"), options.get("device"))
        return drawn * std + mean

    def bernoulli(x: Any, p: Any = None, **_: Any) -> Any:
        chances = x if p is None else p
        return (draws.tensor(draws.uniform(x.shape)) < chances).to(x.dtype)

    def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
        if not training or p == 0.0:
            return input
        kept = draws.tensor(draws.uniform(input.shape), input.dtype) >= p
        return input.mul_(kept / (1 - p)) if inplace else input * (kept / (1 - p))

    factories: tuple[Callable[..., Any], ...] = (
        *(randn, rand, randn_like, rand_like),
        *(randint, randperm, normal, bernoulli),
    )
    for factory in factories:
        if hasattr(torch, factory.__name__):
            setattr(torch, factory.__name__, factory)
    torch.nn.functional.dropout = dropout


def _replace_methods(torch: Any, draws: Draws) -> None:
    def fill(x: Any, values: Any) -> Any:
        with torch.no_grad():
            x.copy_(draws.tensor(values, x.dtype, x.device))
        return x

    def normal_(x: Any, mean: Any = 0.0, std: Any = 1.0, **_: Any) -> Any:
        return fill(x, draws.normal(x.shape) * std + mean)

    def uniform_(x: Any, *bounds: Any, to: Any = 1.0, **options: Any) -> Any:
        low, high = (*bounds, *(options.get("from", 0.0), to)[len(bounds) :])
        return fill(x, draws.uniform(x.shape) * (high - low) + low)

    def bernoulli_(x: Any, p: Any = 0.5, **_: Any) -> Any:
        return fill(x, draws.uniform(x.shape) < p)

    for method in (normal_, uniform_, bernoulli_):
        setattr(torch.Tensor, method.__name__, method)


def as_double(library: Any) -> None:
    """Let float32 mean float64 in the programs that follow."""
    library.set_default_dtype(library.float64)
    library.float = library.float32 = library.float64
    library.Tensor.float = library.Tensor.double
    library.nn.Module.float = library.nn.Module.double
    library.FloatTensor = library.DoubleTensor
