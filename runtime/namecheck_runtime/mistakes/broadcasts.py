"""NC2xx: mistakes about shapes that are broadcast, or mapped over together."""

from __future__ import annotations

from namecheck_runtime.lattice import Shape, Size, show
from namecheck_runtime.mistakes.base import Mistake, in_one_line, size_list, verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from namecheck_runtime.mistakes.base import About, Belief


class SizeMismatch(Mistake):
    """Two sizes meet that are neither equal nor 1.

    ## What it finds
    Operands are lined up from the right; at some position the sizes differ and neither is 1.

    ## Why it is bad
    It raises when it runs.

    ## Example
    ```python
    import torch

    rows = torch.zeros(32)
    x = torch.zeros(32, 10) + rows  # NC201
    ```

    ## Use instead
    The dim that is missing, inserted by hand:

    ```python
    import torch

    rows = torch.zeros(32)
    x = torch.zeros(32, 10) + rows[:, None]
    ```
    """

    code: ClassVar[str] = "NC201"
    name: ClassVar[str] = "size-mismatch"
    lines_up: ClassVar[bool] = True
    mutual: ClassVar[tuple[str, ...]] = ("left", "right")
    about: ClassVar[About] = "sizes"
    by_docstring: ClassVar[Belief] = "certain"
    in_any_configuration: ClassVar[bool] = True

    left: Shape
    right: Shape
    position: int
    """Counted from the right: -1 is the last dim."""
    left_size: Size
    right_size: Size

    def sentence(self) -> str:
        rank = max(len(s) if isinstance(s, tuple) else 0 for s in (self.left, self.right))
        return (
            f"The size of tensor a ({self.left_size}) must match the size of tensor b "
            f"({self.right_size}) at non-singleton dimension {rank + self.position}"
        )

    def message(self) -> str:
        return (
            f"cannot {verb(self.op)} {show(self.left)} and {show(self.right)}: sizes "
            f"{self.left_size} and {self.right_size} meet at position {self.position}"
        )

    def hint(self) -> str | None:
        return (
            "sizes are lined up from the right; a missing dim is inserted with `None` or "
            "`unsqueeze`"
        )


class UnequalShapes(SizeMismatch):
    """Two shapes that must be the same (a binary cross entropy); the code is NC201."""

    text: str
    """PyTorch's sentence."""

    exception: ClassVar[type[Exception]] = ValueError

    def sentence(self) -> str:
        return self.text

    def message(self) -> str:
        return (
            f"{verb(self.op)} needs two equal shapes, but they are {show(self.left)} and "
            f"{show(self.right)}"
        )

    def hint(self) -> str | None:
        return "drop the extra dim with `squeeze(-1)`, or insert the missing one with `[:, None]`"


class IndexShapes(SizeMismatch):
    """Index tensors that do not broadcast with each other; the code is NC201."""

    exception: ClassVar[type[Exception]] = IndexError

    listed: str
    """The shapes of all of them, as PyTorch writes them."""

    def sentence(self) -> str:
        return (
            "shape mismatch: indexing tensors could not be broadcast together with shapes "
            f"{self.listed}"
        )


class TargetSize(SizeMismatch):
    """The target of a classification loss does not have the shape of the input without classes.

    The code is NC201.
    """

    lines_up: ClassVar[bool] = False
    mutual: ClassVar[tuple[str, ...]] = ()

    wanted: Shape
    """The shape that the target should have."""
    text: str
    """PyTorch's sentence."""

    exception: ClassVar[type[Exception]] = ValueError

    def sentence(self) -> str:
        return self.text

    def message(self) -> str:
        return (
            f"{verb(self.op)} of {show(self.left)} needs a target of shape {show(self.wanted)}, "
            f"but it is {show(self.right)}"
        )

    def hint(self) -> str | None:
        return "the classes are dim 1 of the input: move them there with `transpose`, or flatten"


class MaskSize(SizeMismatch):
    """A mask does not have the sizes of the dims that it masks; the code is NC201."""

    lines_up: ClassVar[bool] = False
    mutual: ClassVar[tuple[str, ...]] = ()

    exception: ClassVar[type[Exception]] = IndexError

    place: int = 0
    """Which entry of the subscript the mask is."""

    def sentence(self) -> str:
        return (
            f"The shape of the mask {size_list(self.right)} at index {self.place} does not match "
            f"the shape of the indexed tensor {size_list(self.left)} at index {self.place}"
        )

    def message(self) -> str:
        return (
            f"cannot index {show(self.left)} with a mask of shape {show(self.right)}: "
            f"{self.right_size} meets {self.left_size}"
        )

    def hint(self) -> str | None:
        return "a mask needs the sizes of the dims that it masks, counted from the left"


class MappedSizes(SizeMismatch):
    """Two dims of different sizes that a function is mapped over together; the code is NC201."""

    lines_up: ClassVar[bool] = False

    left_dim: int
    right_dim: int

    exception: ClassVar[type[Exception]] = ValueError

    def sentence(self) -> str:
        return "vmap got inconsistent sizes for array axes to be mapped"

    def message(self) -> str:
        return (
            f"{verb(self.op)} maps dims of different sizes: {self.left_size} is dim "
            f"{self.left_dim} of {show(self.left)}, {self.right_size} is dim {self.right_dim} of "
            f"{show(self.right)}"
        )

    def hint(self) -> str | None:
        return "an argument that is the same in every call has None in `in_axes`"


class MisalignedBroadcast(Mistake):
    """Broadcasting silently combines every element of one dim with every element of the same dim.

    ## What it finds
    `(B, 1) - (B,)`: lined up from the right, the 1 meets B and B meets nothing, so the result is
    `(B, B)`: every prediction minus every target.  Also `(N,)` meeting `(N, M)`, where N is lined
    up with M.  It is reported only if no person wrote the 1 down (it comes from a `Linear(.., 1)`
    or from `keepdim=True`), or if the other operand has the same size elsewhere.  `x / x.sum(-1)`
    divides by sums that lie along another dim, also where the sizes are equal, unless x is
    symmetric.

    ## Why it is bad
    It runs.  A model trained with such a loss learns nothing, and no error says why.

    ## Example
    ```python
    import torch
    from torch import nn


    class Regression(nn.Module):
        def __init__(self, features):
            super().__init__()
            self.head = nn.Linear(features, 1)

        def loss(self, x, target):
            B, F = x.shape
            assert target.shape == (B,)
            return ((self.head(x) - target) ** 2).mean()  # NC202
    ```

    ## Use instead
    Give one of the two the shape of the other: `pred.squeeze(-1)`, or `target[:, None]`.

    ```python
    import torch
    from torch import nn


    class Regression(nn.Module):
        def __init__(self, features):
            super().__init__()
            self.head = nn.Linear(features, 1)

        def loss(self, x, target):
            B, F = x.shape
            assert target.shape == (B,)
            return ((self.head(x).squeeze(-1) - target) ** 2).mean()
    ```
    """

    code: ClassVar[str] = "NC202"
    name: ClassVar[str] = "misaligned-broadcast"
    lines_up: ClassVar[bool] = True
    mutual: ClassVar[tuple[str, ...]] = ("left", "right")
    level: ClassVar[str] = "warning"
    about: ClassVar[About] = "sizes"
    by_docstring: ClassVar[Belief] = "certain"
    in_any_configuration: ClassVar[bool] = True
    is_suspicion: ClassVar[bool] = True

    left: Shape
    right: Shape
    result: Shape
    size: Size
    """The size that is at two positions."""

    def message(self) -> str:
        return (
            f"{verb(self.op)} of {show(self.left)} and {show(self.right)} gives "
            f"{show(self.result)}: '{self.size}' appears at different positions from the right"
        )

    def hint(self) -> str | None:
        if _lacks_the_last(self.left, self.right) or _lacks_the_last(self.right, self.left):
            return (
                "insert the missing last dim with `[..., None]`; a reduction keeps it with "
                "`keepdim=True`"
            )
        return "drop the extra dim with `squeeze(-1)`, or insert the missing one with `[:, None]`"


def _lacks_the_last(shape: Shape, longer: Shape) -> bool:
    """Whether a shape is the longer one without its last dim, which is not a 1 to be dropped."""
    if not isinstance(shape, tuple) or not isinstance(longer, tuple):
        return False
    if len(shape) + 1 != len(longer) or longer[-1].size == 1:
        return False
    return all(a.size == b.size for a, b in zip(shape, longer, strict=False))


class CrossedBroadcast(MisalignedBroadcast):
    """A tensor and its own mean or sum, lined up along another dim; the code is NC202."""

    place: int
    """The dim that the mean or sum still has."""
    met: int
    """The dim of the tensor that it meets."""

    def message(self) -> str:
        return (
            f"{verb(self.op)} of {show(self.left)} and {show(self.right)}: one is a reduction of "
            f"the other, and its dim {self.place} meets dim {self.met} there"
        )

    def hint(self) -> str | None:
        return "a reduction keeps its dim with `keepdim=True`, or the dim is inserted with `None`"


class UnequalLoss(MisalignedBroadcast):
    """A loss of two different shapes, which broadcast; the code is NC202."""

    def message(self) -> str:
        return (
            f"{verb(self.op)} compares equal shapes, but {show(self.left)} and {show(self.right)} "
            f"broadcast to {show(self.result)}"
        )


class ExpandSize(Mistake):
    """A dim whose size is not 1 is expanded.

    ## What it finds
    `x.expand(4, 3)` where x is `[2, 3]`; a target with fewer dims than the tensor; a tensor
    broadcast to a shape that it does not fit.

    ## Why it is bad
    It raises when it runs.

    ## Example
    ```python
    import torch

    row = torch.zeros(2, 3)
    rows = row.expand(4, 3)  # NC206
    ```

    ## Use instead
    `unsqueeze` for the dim that is to be expanded, or `repeat` to copy one:

    ```python
    import torch

    row = torch.zeros(2, 3)
    rows = row.unsqueeze(0).expand(4, 2, 3)
    ```
    """

    code: ClassVar[str] = "NC206"
    name: ClassVar[str] = "expand-size"
    lines_up: ClassVar[bool] = True
    about: ClassVar[About] = "sizes"
    by_docstring: ClassVar[Belief] = "data"

    source: Shape
    target: tuple[Size, ...]
    dim: int | None = None
    """The dim of the target where it fails."""
    text: str = ""

    def is_last(self) -> bool:
        """Whether the dim that does not expand is the last of several of a tensor."""
        several = isinstance(self.source, tuple) and len(self.source) > 1
        return several and self.dim == len(self.target) - 1

    def sentence(self) -> str:
        if self.text or self.dim is None or not isinstance(self.source, tuple):
            return self.text or self.message()
        mine = self.source[self.dim - len(self.target) + len(self.source)].size
        return (
            f"The expanded size of the tensor ({self.target[self.dim]}) must match the existing "
            f"size ({mine}) at non-singleton dimension {self.dim}.  Target sizes: "
            f"[{', '.join(map(str, self.target))}].  Tensor sizes: {size_list(self.source)}"
        )

    def message(self) -> str:
        shape = "[" + ", ".join(map(str, self.target)) + "]"
        return (
            f"cannot {verb(self.op)} {show(self.source)} to {shape}: only a dim of size 1 expands"
        )

    def hint(self) -> str | None:
        return "use `repeat` to copy a dim, or `unsqueeze` the one to expand"


class RankPromotion(Mistake):
    """Operands of different rank are lined up by NumPy's implicit rule (opt-in).

    ## What it finds
    Any broadcast of two operands of different rank, neither of them a scalar.  XLA has no such
    rule: there the dims are named explicitly.  On in strict mode only.

    ## Why it is bad
    Which dims meet is decided by counting from the right, which the code does not show.

    ## Example
    ```python
    import jax.numpy as jnp

    x = jnp.zeros((32, 10))
    bias = jnp.zeros(10)
    y = x + bias  # NC209
    ```

    ## Use instead
    The dim written down, here or by `jax.lax.broadcast_in_dim`:

    ```python
    import jax.numpy as jnp

    x = jnp.zeros((32, 10))
    bias = jnp.zeros(10)
    y = x + bias[None, :]
    ```
    """

    code: ClassVar[str] = "NC209"
    name: ClassVar[str] = "rank-promotion"
    lines_up: ClassVar[bool] = True
    mutual: ClassVar[tuple[str, ...]] = ("left", "right")
    level: ClassVar[str] = "warning"
    is_strict: ClassVar[bool] = True

    left: Shape
    right: Shape

    def message(self) -> str:
        return (
            f"{verb(self.op)} of {show(self.left)} and {show(self.right)} promotes the rank of one "
            "operand"
        )

    def hint(self) -> str | None:
        return "insert the missing dims with `None`"


class ExplicitBroadcast(Mistake):
    """An explicit broadcast (XLA's `broadcast_in_dim`) that is not valid.

    ## What it finds
    `broadcast_dimensions` of the wrong number, out of range, twice the same, or mapping a dim onto
    one of another size.

    ## Why it is bad
    It raises when it is traced.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp

    x = jnp.zeros((3, 2))
    y = jax.lax.broadcast_in_dim(x, (2, 3), (0, 1))  # NC210
    ```

    ## Use instead
    One entry per dim of the operand, each onto a dim of the same size (or from size 1):

    ```python
    import jax
    import jax.numpy as jnp

    x = jnp.zeros((3, 2))
    y = jax.lax.broadcast_in_dim(x.T, (2, 3), (0, 1))
    ```
    """

    code: ClassVar[str] = "NC210"
    name: ClassVar[str] = "explicit-broadcast"
    lines_up: ClassVar[bool] = True

    text: str
    left: Shape
    right: Shape
    is_lifted: bool = False
    """Whether newer versions of the library take the call."""

    def sentence(self) -> str:
        return self.text

    def message(self) -> str:
        return (
            f"cannot {verb(self.op)} {show(self.left)} and {show(self.right)}: "
            f"{in_one_line(self.text)}"
        )
