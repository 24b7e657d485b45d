"""The modules of a network as `namecheck summary` shows them: plain values."""

from __future__ import annotations

from typing import NamedTuple

from namecheck.findings import Finding

__all__ = ["HeldTensor", "ModuleRow", "ModuleTree", "PassedTensor"]


class PassedTensor(NamedTuple):
    """A tensor that goes into a module or comes out of it.

    `dims` is None if the number of dims is not known, a dim is None if its size is not, and so is
    `dtype`.
    """

    dims: tuple[int | None, ...] | None
    dtype: str | None
    itemsize: int | None
    """The bytes of an element."""

    @property
    def is_known(self) -> bool:
        """Whether all its sizes are known."""
        return self.dims is not None and None not in self.dims

    @property
    def elements(self) -> int | None:
        """How many elements it has."""
        if self.dims is None:
            return None
        count = 1
        for size in self.dims:
            if size is None:
                return None
            count *= size
        return count

    @property
    def size(self) -> int | None:
        """How many bytes it takes."""
        count = self.elements
        return None if count is None or self.itemsize is None else count * self.itemsize


class HeldTensor(NamedTuple):
    """A parameter or a buffer that a module has itself.

    `number` is the same for a tensor that several modules share. It is `trainable` if it requires a
    gradient, None if that is not known.
    """

    name: str
    tensor: PassedTensor
    is_buffer: bool
    trainable: bool | None
    number: int


class ModuleRow(NamedTuple):
    """A call of a module, or a module that is not called."""

    path: str
    """Its name from the top: `layers.0.attention`."""
    name: str
    """The last part of that."""
    cls: str
    depth: int
    given: tuple[PassedTensor, ...]
    result: tuple[PassedTensor, ...] | None
    """What came out of it; None if it is not called."""
    tensors: tuple[HeldTensor, ...]
    """What the module has itself, without the modules in it."""
    multiply_adds: int | None
    """Those of its own code in this call, without the modules in it; None if they are not known."""
    is_repeated: bool
    """Whether the module has a row above."""
    is_open: bool
    """Whether it may hold modules or tensors that are not known."""


class ModuleTree(NamedTuple):
    """The rows of a network, each module before those in it."""

    rows: tuple[ModuleRow, ...] = ()
    has_input: bool = False
    """Whether it is called, so that what goes in and out is known."""
    findings: tuple[Finding, ...] = ()
    trouble: str = ""
    """Why there are no rows, or why the call came to no end."""
