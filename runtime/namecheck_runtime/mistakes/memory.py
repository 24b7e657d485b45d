"""NC5xx: mistakes about memory: impossible views, and writes to elements that share memory."""

from __future__ import annotations

from namecheck_runtime.lattice import Shape, Size, show
from namecheck_runtime.mistakes.base import Mistake, verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class NoncontiguousView(Mistake):
    """A view of a tensor whose elements do not lie in memory in the order that the view needs.

    ## What it finds
    `x.transpose(1, 2).view(...)`, also `x.T.view(-1)` and `x.expand(...).view(...)`: a view copies
    nothing, so it can merge two dims only if each step along the first one is as long as the whole
    second one.

    It is reported only where the strides are known: for the result of a factory, a matrix product,
    `contiguous()` or a reshape that copies, and for views of it. How a parameter, a convolution, a
    norm or an attention lies in memory is not guessed. A size may be a symbol, which counts as more
    than 1; if it is 1 by default, or has no name in the program, nothing is reported. A view of a
    part of each sample, `x[:, 1:].view(-1, d)`, is right for a batch of one: it is a warning, and
    nothing is reported where a caller passes that part.

    ## Why it is bad
    It raises when it runs. If the tensor happens to be contiguous in the tests and transposed in
    production, it raises only in production.

    ## Example
    ```python
    import torch


    def merge_heads(B, H, T, D):
        y = torch.zeros(B, H, T, D)
        return y.transpose(1, 2).view(B, T, H * D)  # NC501
    ```

    ## Use instead
    `reshape`, which copies where it must, or `.contiguous()` before the view:

    ```python
    import torch


    def merge_heads(B, H, T, D):
        y = torch.zeros(B, H, T, D)
        return y.transpose(1, 2).reshape(B, T, H * D)
    ```
    """

    code: ClassVar[str] = "NC501"
    name: ClassVar[str] = "noncontiguous-view"

    source: Shape
    strides: tuple[Size, ...]
    target: tuple[Size, ...]
    gap: int
    """The dim of the source that would have to merge with the one before it, but does not follow it
    in memory."""

    def sentence(self) -> str:
        return (
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )

    def message(self) -> str:
        return (
            f"cannot {verb(self.op)} {show(self.source)} as {_listed(self.target)}: dims "
            f"{self.gap - 1} and {self.gap} are not adjacent in memory (strides "
            f"{_listed(self.strides)})"
        )

    def hint(self) -> str | None:
        return "use `reshape`, which copies where it must, or call `contiguous()` first"


class WriteToExpanded(Mistake):
    """A write to a tensor in which several elements share one place in memory.

    ## What it finds
    An in-place op on the result of `expand`, `expand_as` or `broadcast_to`: the expanded dim has
    stride 0. Writing one value everywhere (`zero_`, `fill_`, `masked_fill_`) is fine.

    ## Why it is bad
    It raises when it runs: the result of such a write would depend on the order of the elements.

    ## Example
    ```python
    import torch

    bias = torch.zeros(3).expand(2, 3)
    bias.add_(torch.ones(2, 3))  # NC502
    ```

    ## Use instead
    A copy with memory of its own to write to, or an op that is not in place:

    ```python
    import torch

    bias = torch.zeros(3).expand(2, 3).clone()
    bias.add_(torch.ones(2, 3))
    ```
    """

    code: ClassVar[str] = "NC502"
    name: ClassVar[str] = "write-to-expanded"

    target: Shape
    dim: int
    """The first expanded dim."""

    def sentence(self) -> str:
        return (
            "unsupported operation: more than one element of the written-to tensor refers to a "
            "single memory location. Please clone() the tensor before performing the operation."
        )

    def message(self) -> str:
        return (
            f"cannot {verb(self.op)} into {show(self.target)}: dim {self.dim} is expanded, so its "
            f"elements share one place in memory"
        )

    def hint(self) -> str | None:
        return "`clone()` it first, or use the op that is not in place"


class OverlappingWrite(Mistake):
    """An op writes a tensor while it reads another that lies partly in the same memory.

    ## What it finds
    `x.add_(x.t())`, `x[1:].copy_(x[:-1])`: the elements written and the elements read share memory,
    but are not the same in the same order. (`x.add_(x)` is fine.)

    ## Why it is bad
    It raises when it runs: it would read what it has just written.

    ## Example
    ```python
    import namecheck_runtime as nt

    x = nt.ones(3, 3)
    x.add_(x.t())  # NC506
    ```

    ## Use instead
    A copy of the operand that is read (`x.t().clone()`), or an op that makes a new tensor:

    ```python
    import namecheck_runtime as nt

    x = nt.ones(3, 3)
    x = x + x.t()
    ```
    """

    code: ClassVar[str] = "NC506"
    name: ClassVar[str] = "overlapping-write"
    is_runtime_only: ClassVar[bool] = True

    written: Shape
    read: Shape

    def sentence(self) -> str:
        return (
            "unsupported operation: some elements of the input tensor and the written-to tensor "
            "refer to a single memory location. Please clone() the tensor before performing the "
            "operation."
        )

    def message(self) -> str:
        return (
            f"cannot {verb(self.op)} {show(self.read)} into {show(self.written)}: they overlap in "
            f"memory, but not element for element"
        )

    def hint(self) -> str | None:
        return "`clone()` the operand that is read, or use the op that is not in place"


class StorageBounds(Mistake):
    """Sizes, strides and an offset that no view of this storage can have.

    ## What it finds
    `as_strided` past the end of the storage, with negative strides or a negative offset, or with
    more or fewer strides than sizes.

    ## Why it is bad
    It raises when it runs.

    ## Example
    ```python
    import namecheck_runtime as nt

    x = nt.zeros(6).as_strided((2, 4), (4, 1))  # NC507
    ```

    ## Use instead
    Strides and an offset whose last element, `offset + sum((size - 1) * stride)`, lies in the
    storage; or the view op that computes them (`unfold`, `diagonal`, `narrow`, a slice):

    ```python
    import namecheck_runtime as nt

    x = nt.zeros(6).unfold(0, 4, 2)
    ```
    """

    code: ClassVar[str] = "NC507"
    name: ClassVar[str] = "storage-bounds"
    is_runtime_only: ClassVar[bool] = True

    target: tuple[Size, ...]
    strides: tuple[Size, ...]
    offset: Size
    storage: Size
    """How many elements the storage holds."""
    text: str

    def sentence(self) -> str:
        return self.text

    def message(self) -> str:
        return (
            f"cannot {verb(self.op)} {_listed(self.target)} with strides {_listed(self.strides)} "
            f"from offset {self.offset}: a storage of {self.storage} elements has no such view"
        )


def _listed(sizes: tuple[Size, ...]) -> str:
    return "[" + ", ".join(map(str, sizes)) + "]"
