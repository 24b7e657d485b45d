"""NC4xx: annotations and comments that contradict the code."""

from __future__ import annotations

from namecheck_runtime.lattice import UNKNOWN, Shape, show
from namecheck_runtime.mistakes.base import Mistake

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from namecheck_runtime.mistakes.base import About


class AnnotationMismatch(Mistake):
    """A value contradicts the annotation of what it is assigned to or returned as.

    ## What it finds
    `def f(x: Float[Tensor, "b c"]) -> Float[Tensor, "b c"]: return x.T`.

    ## Why it is bad
    Every caller relies on the annotation.

    ## Example
    ```python
    from jaxtyping import Float
    from torch import Tensor


    def pool(x: Float[Tensor, "b t c"]) -> Float[Tensor, "b c"]:
        return x.mean(-1)  # NC401
    ```

    ## Use instead
    Keep whichever of the two is right, and correct the other.

    ```python
    from jaxtyping import Float
    from torch import Tensor


    def pool(x: Float[Tensor, "b t c"]) -> Float[Tensor, "b c"]:
        return x.mean(1)
    ```
    """

    code: ClassVar[str] = "NC401"
    name: ClassVar[str] = "annotation-mismatch"
    about: ClassVar[About] = "written"

    found: Shape
    declared: str
    reason: str
    what: str = "value"

    def message(self) -> str:
        return (
            f'the {self.what} is {show(self.found)}, but it is annotated "{self.declared}": '
            f"{self.reason}"
        )


class AxesInTwoOrders(AnnotationMismatch):
    """Two annotations of one signature have the same axes in two orders."""

    level: ClassVar[str] = "warning"

    other: str
    whose: str

    def message(self) -> str:
        return (
            f'{self.what} is annotated "{self.declared}", but {self.whose} is annotated '
            f'"{self.other}": {self.reason}'
        )


class CommentMismatch(Mistake):
    """A shape comment contradicts the value beside it.

    ## What it finds
    `# (B, T, C)` beside a value that is `[B, C, T]`; a different number of dims; a literal in the
    wrong place.

    ## Why it is bad
    The next person believes the comment.

    ## Example
    ```python
    def to_channels_last(x):
        B, C, T = x.shape
        x = x.transpose(1, 2)  # (B, C, T)  # NC402
        return x
    ```

    ## Use instead
    The comment corrected, or the code if the comment is what was meant:

    ```python
    def to_channels_last(x):
        B, C, T = x.shape
        x = x.transpose(1, 2)  # (B, T, C)
        return x
    ```
    """

    code: ClassVar[str] = "NC402"
    name: ClassVar[str] = "comment-mismatch"
    level: ClassVar[str] = "warning"
    about: ClassVar[About] = "written"

    found: Shape
    claimed: str
    reason: str
    said: str = "comment"
    by: str = ""
    """What alone says what the dims are called, if the program does not: comment or docstring."""

    @property
    def disputed(self) -> bool:
        """Whether it is one of two comments, or of two shapes of a docstring, that disagree."""
        return self.by == self.said

    def message(self) -> str:
        if self.found is UNKNOWN:
            return f"the {self.said} says {self.claimed}, but {self.reason}"
        value = show(self.found)
        if self.disputed and self.by == "comment":
            return (
                f"two comments disagree: the {self.said} here says {self.claimed}, and by the one "
                f"above the value is {value}: {self.reason}"
            )
        if self.disputed:
            return (
                f"the {self.said} disagrees with itself: it says {self.claimed}, and by its other "
                f"shapes the value is {value}: {self.reason}"
            )
        by = f"by the {self.by} " if self.by else ""
        return f"the {self.said} says {self.claimed}, but {by}the value is {value}: {self.reason}"

    def hint(self) -> str | None:
        if self.disputed:
            return "correct the one that is wrong, here or above"
        other = f"the {self.by} or the code" if self.by else "the code"
        return f"correct the {self.said}, or {other} if the {self.said} is what was meant"


class CommentSlip(CommentMismatch):
    """A shape comment contradicts what is written beside it, whatever the value is."""

    def message(self) -> str:
        return f"the {self.said} says {self.claimed}: {self.reason}"


class BadAnnotation(Mistake):
    """A shape annotation that does not parse.

    ## What it finds
    `Float[Tensor, "b, t"]` (dims are separated by spaces), two variadic dims, an expression that is
    not a size.  Also `Float[Tensor]`, `Float[Tensor, "b", "t"]` and `Float[Tensor, 3]`: jaxtyping
    takes the array's type and one string.

    ## Why it is bad
    It raises at import time, or is silently ignored until it raises where an array is checked.

    ## Example
    ```python
    from jaxtyping import Float
    from torch import Tensor


    def pool(x: Float[Tensor, "b, t, c"]):  # NC403
        return x.mean(1)
    ```

    ## Use instead
    Dims separated by spaces:

    ```python
    from jaxtyping import Float
    from torch import Tensor


    def pool(x: Float[Tensor, "b t c"]):
        return x.mean(1)
    ```
    """

    code: ClassVar[str] = "NC403"
    name: ClassVar[str] = "bad-annotation"
    about: ClassVar[About] = "written"

    annotation: str
    reason: str
    span: tuple[int, int] | None = None

    def message(self) -> str:
        return f'shape annotation "{self.annotation}" does not parse: {self.reason}'


class ArgumentMismatch(Mistake):
    """A call argument contradicts the annotation of its parameter.

    ## What it finds
    `f(x.T)` where f declares `x: Float[Tensor, "b c"]` and the sizes bound so far rule it out.

    ## Why it is bad
    The function was written for the declared dims.

    ## Example
    ```python
    import torch
    from jaxtyping import Float
    from torch import Tensor, nn


    def loss(pred: Float[Tensor, "b"], target: Float[Tensor, "b"]):
        return ((pred - target) ** 2).mean()


    pred = nn.Linear(10, 1)(torch.zeros(32, 10))
    value = loss(pred, torch.zeros(32))  # NC404
    ```

    ## Use instead
    An argument with the declared dims:

    ```python
    import torch
    from jaxtyping import Float
    from torch import Tensor, nn


    def loss(pred: Float[Tensor, "b"], target: Float[Tensor, "b"]):
        return ((pred - target) ** 2).mean()


    pred = nn.Linear(10, 1)(torch.zeros(32, 10))
    value = loss(pred.squeeze(-1), torch.zeros(32))
    ```
    """

    code: ClassVar[str] = "NC404"
    name: ClassVar[str] = "argument-mismatch"
    about: ClassVar[About] = "written"

    parameter: str
    found: Shape
    declared: str
    reason: str

    def message(self) -> str:
        return (
            f"argument {show(self.found)} does not fit parameter '{self.parameter}', annotated "
            f'"{self.declared}": {self.reason}'
        )


class FalseAssertion(Mistake):
    """An assertion about sizes is false for the numbers of the program.

    ## What it finds
    `assert x.shape[0] == n` where a test, a script or an example calls the function with tensors of
    another size, and `if x.shape[0] != n: raise ValueError(...)`. Both sides have to be numbers:
    names of sizes are never compared.

    ## Why it is bad
    It raises when it runs.

    ## Example
    ```python
    import torch


    def tiled(patches):
        side = int(patches.shape[1] ** 0.5)
        assert side * side == patches.shape[1]  # NC405
        return patches.reshape(-1, side, side)


    def test_tiled():
        return tiled(torch.zeros(4, 24))
    ```

    ## Use instead
    Sizes for which the assertion holds:

    ```python
    import torch


    def tiled(patches):
        side = int(patches.shape[1] ** 0.5)
        assert side * side == patches.shape[1]
        return patches.reshape(-1, side, side)


    def test_tiled():
        return tiled(torch.zeros(4, 25))
    ```
    """

    code: ClassVar[str] = "NC405"
    name: ClassVar[str] = "false-assertion"
    about: ClassVar[About] = "written"
    exception: ClassVar[type[Exception]] = AssertionError

    left: str
    operator: str
    right: str
    raised: str = ""

    def message(self) -> str:
        numbers = f"{self.left} {self.operator} {self.right}"
        if self.raised:
            return f"this raises {self.raised}: {numbers}"
        return f"the assertion is false: {numbers}"

    def hint(self) -> str | None:
        return (
            f"check the sizes that the call gives, or the {'test' if self.raised else 'assertion'}"
        )
