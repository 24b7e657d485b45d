"""NC2xx: mistakes about the sizes of one operand, and about sizes that must be equal."""

from __future__ import annotations

from namecheck_runtime.lattice import Shape, Size, show
from namecheck_runtime.mistakes.base import Mistake, size_list, verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from namecheck_runtime.mistakes.base import About, Belief


class ContractionSize(Mistake):
    """The dims that a product sums over differ in size.

    ## What it finds
    `a @ b` where the last dim of a does not have the size of the second to last of b; an einsum
    letter with two sizes.

    ## Why it is bad
    It raises when it runs.

    ## Example
    ```python
    import torch

    x = torch.zeros(32, 10)
    weight = torch.zeros(4, 10)
    y = x @ weight  # NC203
    ```

    ## Use instead
    One side transposed, or the operands the other way round:

    ```python
    import torch

    x = torch.zeros(32, 10)
    weight = torch.zeros(4, 10)
    y = x @ weight.T
    ```
    """

    code: ClassVar[str] = "NC203"
    name: ClassVar[str] = "contraction-size"
    mutual: ClassVar[tuple[str, ...]] = ("left", "right")
    about: ClassVar[About] = "sizes"
    by_docstring: ClassVar[Belief] = "certain"
    in_any_configuration: ClassVar[bool] = True

    left: Shape
    right: Shape
    left_size: Size
    right_size: Size
    text: str = ""
    """PyTorch's sentence where it is not the one of `mm`."""

    def sentence(self) -> str:
        if self.text:
            return self.text
        left, right = (size_list(s)[1:-1].replace(", ", "x") for s in (self.left, self.right))
        return f"mat1 and mat2 shapes cannot be multiplied ({left} and {right})"

    def message(self) -> str:
        return (
            f"cannot {verb(self.op)} {show(self.left)} and {show(self.right)}: {self.left_size} is "
            f"contracted with {self.right_size}"
        )

    def hint(self) -> str | None:
        return "transpose one side, or swap the operands"


class ReshapeSize(Mistake):
    """A reshape whose sizes do not multiply to the number of elements.

    ## What it finds
    `x.view(B, T, H, D)` of `[B, T, D]`, `reshape(2, 2)` of six elements, `unflatten` into the wrong
    sizes.

    ## Why it is bad
    It raises when it runs.

    ## Example
    ```python
    import torch

    x = torch.zeros(2, 3)
    y = x.view(4, 2)  # NC204
    ```

    ## Use instead
    Sizes that multiply to the same number, or one `-1`:

    ```python
    import torch

    x = torch.zeros(2, 3)
    y = x.view(3, -1)
    ```
    """

    code: ClassVar[str] = "NC204"
    name: ClassVar[str] = "reshape-size"
    about: ClassVar[About] = "sizes"
    by_docstring: ClassVar[Belief] = "certain"

    source: Shape
    target: tuple[Size, ...]
    count: Size
    text: str = ""

    def sentence(self) -> str:
        shape = "[" + ", ".join(map(str, self.target)) + "]"
        return self.text or f"shape '{shape}' is invalid for input of size {self.count}"

    def message(self) -> str:
        shape = "[" + ", ".join(map(str, self.target)) + "]"
        return (
            f"cannot {verb(self.op)} {show(self.source)} to {shape}: the number of elements differs"
        )

    def hint(self) -> str | None:
        return "let one size be -1, or check which dim was meant to be split or merged"


class ScrambledReshape(Mistake):
    """A reshape that puts elements into dims other than their own: a transpose was meant.

    ## What it finds
    A reshape keeps the row-major order of elements.  `[B, H, T, D].reshape(B, T, H * D)` and `[B,
    T, V].reshape(B, V, T)` have the right sizes, but only a transpose before them keeps the
    elements of a dim in that dim.

    ## Why it is bad
    It runs, and mixes positions, heads or samples.

    ## Example
    ```python
    def merge_heads(y):
        B, H, T, D = y.shape
        return y.reshape(B, T, H * D)  # NC205
    ```

    ## Use instead
    A transpose moves the dim; then a reshape can merge the dims that are now neighbours.

    ```python
    def merge_heads(y):
        B, H, T, D = y.shape
        return y.transpose(1, 2).reshape(B, T, H * D)
    ```
    """

    code: ClassVar[str] = "NC205"
    name: ClassVar[str] = "scrambled-reshape"
    level: ClassVar[str] = "warning"
    is_suspicion: ClassVar[bool] = True

    source: Shape
    target: Shape
    moved: Size
    """The size that does not stay where it was."""
    order: tuple[Size, ...] = ()
    """The two sizes in the order that they have everywhere else, if that is all that is known."""

    def message(self) -> str:
        if self.order:
            first, second = self.order
            return (
                f"{verb(self.op)} of {show(self.source)} to {show(self.target)} has '{second}' "
                f"before '{first}', but elsewhere '{first}' comes first"
            )
        moved = "a dim" if "?" in str(self.moved) else f"'{self.moved}'"
        return (
            f"{verb(self.op)} of {show(self.source)} to {show(self.target)} keeps the order of "
            f"elements, so {moved} is scrambled: only a transpose moves a dim"
        )

    def hint(self) -> str | None:
        return "transpose or permute first, then reshape"


class JoinSize(Mistake):
    """Tensors that are joined differ in a dim that is not the joined one.

    ## What it finds
    `cat([[2, 3], [2, 4]], dim=0)`; `stack` of different shapes.

    ## Why it is bad
    It raises when it runs.

    ## Example
    ```python
    import torch

    left, right = torch.zeros(2, 3), torch.zeros(2, 4)
    both = torch.cat([left, right])  # NC207
    ```

    ## Use instead
    The dim in which they differ:

    ```python
    import torch

    left, right = torch.zeros(2, 3), torch.zeros(2, 4)
    both = torch.cat([left, right], dim=1)
    ```
    """

    code: ClassVar[str] = "NC207"
    name: ClassVar[str] = "join-size"
    mutual: ClassVar[tuple[str, ...]] = ("left", "right")
    about: ClassVar[About] = "sizes"
    by_docstring: ClassVar[Belief] = "data"

    left: Shape
    right: Shape
    dim: int
    """Where they differ (stack: the first dim that does)."""
    text: str = ""

    def sentence(self) -> str:
        return self.text or self.message()

    def message(self) -> str:
        return (
            f"cannot {verb(self.op)} {show(self.left)} and {show(self.right)}: they differ in dim "
            f"{self.dim}"
        )

    def hint(self) -> str | None:
        return "only the joined dim may differ; check `dim=`"


class LayerSize(Mistake):
    """The input of a layer does not have the size that the layer was built for.

    ## What it finds
    `nn.Linear(256, 10)` given `[B, 128]`; a convolution given the wrong number of channels; a norm
    over a dim of another size.  As a warning, `nn.Linear(dim, dim)` in a constructor that is given
    `num_classes` and never reads it.

    ## Why it is bad
    It raises when it runs, often far from the line that built the layer.

    ## Example
    ```python
    import torch
    from torch import nn

    head = nn.Linear(256, 10)
    scores = head(torch.zeros(32, 128))  # NC208
    ```

    ## Use instead
    A layer of the size that the input has, or the input that was meant:

    ```python
    import torch
    from torch import nn

    head = nn.Linear(128, 10)
    scores = head(torch.zeros(32, 128))
    ```
    """

    code: ClassVar[str] = "NC208"
    name: ClassVar[str] = "layer-size"
    about: ClassVar[About] = "sizes"
    by_docstring: ClassVar[Belief] = "certain"

    input: Shape
    wanted: Size
    found: Size
    role: str = "in_features"
    """The constructor argument that set the size."""
    text: str = ""
    """PyTorch's sentence, where it has one for it."""

    def sentence(self) -> str:
        return self.text or self.message()

    def message(self) -> str:
        return (
            f"{verb(self.op)} takes {self.role} = {self.wanted}, but its input {show(self.input)} "
            f"has {self.found}"
        )

    def hint(self) -> str | None:
        return "check the sizes that the layer was built with, or the order of the input's dims"


class UnusedSize(LayerSize):
    """A layer gives as much as it takes, and the size of the output is never used.

    The code is NC208.
    """

    level: ClassVar[str] = "warning"

    unused: str = ""
    given: str = ""

    def message(self) -> str:
        return (
            f"{verb(self.op)} gives {self.given}, as many as it takes, and '{self.unused}' is "
            "never used"
        )

    def hint(self) -> str | None:
        return f"pass '{self.unused}' for what the layer gives, or drop the parameter"


class SquareTable(LayerSize):
    """A table has as many entries as each of them is wide; the code is NC208."""

    given: str = ""

    def message(self) -> str:
        return f"{verb(self.op)} has '{self.given}' entries, and each is '{self.given}' wide"

    def hint(self) -> str | None:
        return "the first size is the number of different inputs, the second the width of an entry"


class ForcedLiteral(Mistake):
    """This fits only if a size that comes from data or a constructor is one particular number.

    ## What it finds
    `x.view(B, T, H, D)` of `[B, T, D]` needs `H` to be 1; an addition of `[B, h*D]` and `[B, D]`
    needs `h` to be 1.

    ## Why it is bad
    The names in the code say that the size is free, yet every other value raises.

    ## Example
    ```python
    def split_heads(x, heads):
        B, T, C = x.shape
        return x.view(B, T, heads, C)  # NC211
    ```

    ## Use instead
    The factor that is missing:

    ```python
    def split_heads(x, heads):
        B, T, C = x.shape
        return x.view(B, T, heads, C // heads)
    ```
    """

    code: ClassVar[str] = "NC211"
    name: ClassVar[str] = "forced-literal"
    level: ClassVar[str] = "warning"
    about: ClassVar[About] = "sizes"
    by_docstring: ClassVar[Belief] = "data"

    left_size: Size
    right_size: Size
    cause: Mistake

    def message(self) -> str:
        return f"{self.cause.message()}; that fits only for one particular size"

    def hint(self) -> str | None:
        return self.cause.hint()


class BadExtent(Mistake):
    """An impossible size, length, step or number of pieces.

    ## What it finds
    `x.narrow(0, 2, 5)` on a dim of size 3, `x.unfold(0, 7, 1)` with a window longer than the dim,
    `x.split([1, 1])` of 3, `x.chunk(0)`, a negative length, `x[::-1]` (PyTorch has no negative
    steps).  As a warning, a `gather` along another dim
    than the one that its indices have one of: it reads the first of that dim alone.

    ## Why it is bad
    It raises when it runs.

    ## Example
    ```python
    import torch

    x = torch.zeros(3)
    part = x.narrow(0, 2, 5)  # NC212
    ```

    ## Use instead
    A part that lies within the dim:

    ```python
    import torch

    x = torch.zeros(3)
    part = x.narrow(0, 1, 2)
    ```
    """

    code: ClassVar[str] = "NC212"
    name: ClassVar[str] = "bad-extent"

    shape: Shape
    reason: str
    """Our words: which extent, and what it does not fit."""
    text: str
    """PyTorch's sentence."""

    def sentence(self) -> str:
        return self.text

    def message(self) -> str:
        return f"{verb(self.op)} of {show(self.shape)}: {self.reason.rstrip('.')}"


class BadStep(BadExtent):
    """A slice whose step is not positive; the code is NC212."""

    exception: ClassVar[type[Exception]] = ValueError

    def message(self) -> str:
        return f"slice of {show(self.shape)}: {self.reason}"

    def hint(self) -> str | None:
        return "use `flip` to reverse a dim"
