"""Recorded work of a GPU, by the names that programs look up.  Source: torch.cuda.graphs."""

from __future__ import annotations

from typing import Any


class CUDAGraph:
    """Work that a GPU repeats.  Raises AssertionError: there is no GPU."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        raise AssertionError("namecheck_runtime has no CUDA: ask torch.cuda.is_available()")


class StreamContext(CUDAGraph):
    """A block with another queue of work.  Raises AssertionError: there is no GPU."""


class graph(CUDAGraph):  # the public name is PyTorch's
    """A block whose work is recorded.  Raises AssertionError: there is no GPU."""
