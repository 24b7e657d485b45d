"""NC5xx: mistakes about gradients: writes that they do not allow, and where none can begin."""

from __future__ import annotations

from namecheck_runtime.lattice import Shape, show
from namecheck_runtime.mistakes.base import Mistake, verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from namecheck_runtime.mistakes.base import About


class InplaceOnLeaf(Mistake):
    """An in-place op on a leaf that requires a gradient, or on a view of one, in grad mode.

    ## What it finds
    `w -= lr * w.grad`, `w.clamp_(0)`, `w[0] = 0.0`, `w.t().zero_()` outside `no_grad`, where `w` is
    a parameter, or was made with `requires_grad=True`.

    It is reported only where the program shows both: that the tensor requires a gradient, and that
    gradients are recorded. A function may be called under `no_grad`. So in a function the tensor
    has to be made there, or the function has to call `backward` itself; and if the file turns
    gradients off anywhere, only the second counts. What may have been frozen is not reported.

    ## Why it is bad
    It raises when it runs: the gradient of the values before the write would be lost.

    ## Example
    ```python
    import torch

    w = torch.zeros(3, requires_grad=True)
    (w * 2).sum().backward()
    w -= 0.1 * w.grad  # NC503
    ```

    ## Use instead
    The same write under `no_grad`, as optimisers do it:

    ```python
    import torch

    w = torch.zeros(3, requires_grad=True)
    (w * 2).sum().backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    ```
    """

    code: ClassVar[str] = "NC503"
    name: ClassVar[str] = "inplace-on-leaf"
    about: ClassVar[About] = "gradients"

    target: Shape
    is_view: bool = False
    """Whether the op writes to a view of the leaf."""

    def sentence(self) -> str:
        view = "view of a " if self.is_view else ""
        return f"a {view}leaf Variable that requires grad is being used in an in-place operation."

    def message(self) -> str:
        leaf = "a view of a leaf" if self.is_view else "a leaf"
        return (
            f"cannot {verb(self.op)} into {show(self.target)}: it is {leaf} that requires a "
            f"gradient, and gradients are recorded here"
        )

    def hint(self) -> str | None:
        return "write under `torch.no_grad()`, or compute a new tensor"


class SavedTensorModified(Mistake):
    """An in-place op on a tensor that a `backward` after it needs as it was.

    ## What it finds
    `y = x.exp()` keeps its result for the gradient, `y = a * b` the factors whose gradients are
    wanted. If the program writes to one of them and then calls `backward`, both the write and the
    op that kept the tensor are cited. What an op keeps is what the table of derivatives says, from
    which the runtime computes. A write through a view or through `detach()` counts, one through
    `.data` does not.

    ## Why it is bad
    It raises in `backward`, perhaps far from the write.

    ## Example
    ```python
    import torch

    x = torch.ones(3, requires_grad=True)
    y = x.exp()
    y.add_(1)
    y.sum().backward()  # NC504
    ```

    ## Use instead
    An op that makes a new tensor:

    ```python
    import torch

    x = torch.ones(3, requires_grad=True)
    y = x.exp()
    y = y + 1
    y.sum().backward()
    ```
    """

    code: ClassVar[str] = "NC504"
    name: ClassVar[str] = "saved-tensor-modified"
    about: ClassVar[About] = "gradients"

    saver: str
    """The op that saved the tensor, as people write it."""
    saved: str
    """What it saved: `result`, or the operand's parameter."""
    writer: str
    """The op that wrote to it."""

    def message(self) -> str:
        part = "its result" if self.saved == "result" else f"its operand '{self.saved}'"
        return (
            f"the gradient of {verb(self.saver)} needs {part}, and {verb(self.writer)} has "
            f"written to that"
        )

    def hint(self) -> str | None:
        return "compute a new tensor instead of writing in place, or write to a `clone()`"


class NonscalarBackward(Mistake):
    """A gradient that begins at a tensor of several elements without one to begin with.

    ## What it finds
    `loss.backward()` and `torch.autograd.grad(loss, w)` where `loss` has a size other than 1: a
    loss with `reduction="none"`, or a mean over some of its dims only.

    ## Why it is bad
    It raises when it runs: only for a tensor of one element the gradient is 1 by itself.

    ## Example
    ```python
    import torch

    x = torch.ones(2, 3, requires_grad=True)
    (x * x).backward()  # NC505
    ```

    ## Use instead
    A scalar, or the gradient of what follows in place of 1:

    ```python
    import torch

    x = torch.ones(2, 3, requires_grad=True)
    (x * x).sum().backward()
    ```
    """

    code: ClassVar[str] = "NC505"
    name: ClassVar[str] = "nonscalar-backward"

    shape: Shape

    def sentence(self) -> str:
        return "grad can be implicitly created only for scalar outputs"

    def message(self) -> str:
        return (
            f"{verb(self.op)} needs a scalar, or the gradient to begin with, and gets "
            f"{show(self.shape)}"
        )

    def hint(self) -> str | None:
        return "reduce it first, with `sum()` or `mean()`, or pass the gradient"
