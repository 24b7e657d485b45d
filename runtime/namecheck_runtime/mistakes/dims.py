"""NC3xx: mistakes about dims and arguments."""

from __future__ import annotations

from namecheck_runtime.lattice import UNKNOWN, Shape, Size, show
from namecheck_runtime.mistakes.base import Mistake, counted, in_one_line, verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from namecheck_runtime.mistakes.base import About


class DimOutOfRange(Mistake):
    """A dim index that the tensor does not have.

    ## What it finds
    `x.sum(2)` on a tensor with two dims, `x[3]` where the first dim has size 3.

    ## Why it is bad
    It raises when it runs.  JAX does not raise for an index past the end: it silently takes the
    nearest element, so such an index is a warning.

    ## Example
    ```python
    import torch

    x = torch.zeros(2, 3)
    total = x.sum(2)  # NC301
    ```

    ## Use instead
    A dim from -rank to rank - 1:

    ```python
    import torch

    x = torch.zeros(2, 3)
    total = x.sum(1)
    ```
    """

    code: ClassVar[str] = "NC301"
    name: ClassVar[str] = "dim-out-of-range"
    exception: ClassVar[type[Exception]] = IndexError
    about: ClassVar[About] = "rank"

    shape: Shape
    dim: int
    rank: int
    """How many dims can be chosen from (one more than there are, for an inserted dim)."""
    text: str = ""

    def sentence(self) -> str:
        low, high = (-self.rank, self.rank - 1) if self.rank else (-1, 0)
        return self.text or (
            f"Dimension out of range (expected to be in range of [{low}, {high}], but got "
            f"{self.dim})"
        )

    def message(self) -> str:
        return (
            f"cannot {verb(self.op)} over dim {self.dim} of {show(self.shape)}: it has no such dim"
        )


class RepeatedDim(Mistake):
    """One dim is listed twice.

    ## What it finds
    `x.sum((0, 0))`, `x.permute(0, 1, 1)`, also if one of the two is a negative index or a name.

    ## Why it is bad
    It raises when it runs.

    ## Example
    ```python
    import torch

    x = torch.zeros(2, 3, 4)
    y = x.permute(0, 2, -1)  # NC302
    ```

    ## Use instead
    Every dim once:

    ```python
    import torch

    x = torch.zeros(2, 3, 4)
    y = x.permute(0, 2, 1)
    ```
    """

    code: ClassVar[str] = "NC302"
    name: ClassVar[str] = "repeated-dim"

    shape: Shape
    dim: int
    text: str = ""

    def sentence(self) -> str:
        return self.text or f"dim {self.dim} appears multiple times in the list of dims"

    def message(self) -> str:
        return f"cannot {verb(self.op)} {show(self.shape)}: dim {self.dim} is listed twice"


class RankMismatch(Mistake):
    """An op, a layer or an unpacking needs a different number of dims.

    ## What it finds
    `B, T = x.shape` where x has three dims; `bmm` of matrices; `nn.Conv2d` given `[B, C]`; `t()`
    on a tensor with three dims; `memory_format=torch.channels_last` for anything but four.

    ## Why it is bad
    It raises when it runs.

    ## Example
    ```python
    import torch

    x = torch.zeros(32, 10, 512)
    B, T = x.shape  # NC303
    ```

    ## Use instead
    The number of dims that the tensor has; the message says both numbers.

    ```python
    import torch

    x = torch.zeros(32, 10, 512)
    B, T, C = x.shape
    ```
    """

    code: ClassVar[str] = "NC303"
    name: ClassVar[str] = "rank-mismatch"
    about: ClassVar[About] = "rank"

    shape: Shape
    wanted: str
    """The number of dims that is needed, in words: `3`, `at least 1`, `1 or 2`."""
    text: str = ""
    advice: str = ""
    """The hint, if the rule has one."""
    needing: str = ""
    """The argument that needs them, as it is written, if the op itself does not."""

    def sentence(self) -> str:
        return (
            self.text
            or f"{verb(self.op)}(): expected a tensor with {self.wanted} dimensions, got "
            f"{show(self.shape)}"
        )

    def message(self) -> str:
        rank = "a different number"
        if isinstance(self.shape, tuple):
            rank = counted(len(self.shape), "dim")
        dims = "dim" if self.wanted in ("1", "at least 1", "at most 1") else "dims"
        subject = self.needing or verb(self.op)
        return f"{subject} needs {self.wanted} {dims}, but {show(self.shape)} has {rank}"

    def hint(self) -> str | None:
        return self.advice or None


class BadPattern(Mistake):
    """An einsum or einops pattern that cannot fit its operands.

    ## What it finds
    A pattern with a different number of dims than the tensor, a letter on the right that is not on
    the left, a parenthesis whose sizes cannot be solved, a pattern that does not parse.  Letters
    that stand for other dims of a value than before in the same function are a warning.

    ## Why it is bad
    It raises when it runs, or it computes along other dims than the pattern says.

    ## Example
    ```python
    from einops import rearrange


    def widen(x):
        return rearrange(x, "b c -> b c 1 w")  # NC304
    ```

    ## Use instead
    A pattern with one letter per dim:

    ```python
    from einops import rearrange


    def widen(x):
        return rearrange(x, "b c -> b c 1 1")
    ```
    """

    code: ClassVar[str] = "NC304"
    name: ClassVar[str] = "bad-pattern"
    about: ClassVar[About] = "rank"

    pattern: str
    reason: str
    span: tuple[int, int] | None = None
    """The part of the pattern that is at fault, for a caret under it."""

    def message(self) -> str:
        return f"pattern {self.pattern!r} does not fit: {self.reason}"


class NormalisedAxis(Mistake):
    """A softmax over one axis, and then a contraction over another.

    ## What it finds
    Attention weights normalised over the queries or the heads, and then multiplied with the values
    over the keys.  Whatever made the scores, the dim of a softmax that the next product only
    carries, as a batch of both its tensors, is the wrong one.  So is the dim of weights whose
    weighted sum, `(weights * x).sum(1)`, is over another one.  A softmax over the batch, or over a
    dim with one element, is reported as well.

    ## Why it is bad
    It runs, and the weights of a sum do not add up to 1.

    ## Example
    ```python
    def attend(q, k, v):
        B, H, N, D = q.shape
        B, H, M, D = k.shape
        B, H, M, D = v.shape
        scores = q @ k.transpose(-2, -1)
        weights = scores.softmax(dim=-2)
        return weights @ v  # NC305
    ```

    ## Use instead
    The softmax over the dim that is contracted:

    ```python
    def attend(q, k, v):
        B, H, N, D = q.shape
        B, H, M, D = k.shape
        B, H, M, D = v.shape
        scores = q @ k.transpose(-2, -1)
        weights = scores.softmax(dim=-1)
        return weights @ v
    ```
    """

    code: ClassVar[str] = "NC305"
    name: ClassVar[str] = "normalised-axis"
    level: ClassVar[str] = "warning"

    weights: Shape
    normalised: int
    contracted: int

    def message(self) -> str:
        return (
            f"{show(self.weights)} was normalised over dim {self.normalised}, but {verb(self.op)} "
            f"sums over dim {self.contracted}"
        )

    def hint(self) -> str | None:
        return "normalise over the dim that is summed over, usually `softmax(dim=-1)`"


class NormalisedBatch(NormalisedAxis):
    """A softmax over the batch; the code is NC305."""

    contracted: int = 0

    def message(self) -> str:
        return (
            f"{verb(self.op)} over dim {self.normalised} of {show(self.weights)} normalises over "
            "the batch: samples compete with each other"
        )

    def hint(self) -> str | None:
        return "normalise over a dim of one sample, usually `softmax(dim=-1)`"


class NormalisedOne(NormalisedAxis):
    """A softmax over a dim with one element; the code is NC305."""

    contracted: int = 0

    def message(self) -> str:
        return (
            f"{verb(self.op)} over dim {self.normalised} of {show(self.weights)}, which has one "
            "element: the result is the same whatever that is"
        )

    def hint(self) -> str | None:
        return "normalise over a dim with several elements"


class LayoutRole(Mistake):
    """Batch-first data is passed to a layer that reads time first, or the other way round.

    ## What it finds
    An `nn.LSTM` without `batch_first=True` given `[B, T, C]`; `batch, steps = x.shape[1],
    x.shape[1]`, where one dim gets two names; `R[:, 0], R[:, 1], R[2, :]`, where one of several
    expressions that are alike reads another dim; `x[:, None] - x[:, None]`, where one of the two
    new dims has to stand elsewhere.

    ## Why it is bad
    It runs, and the layer reads every sample as a time step.

    ## Example
    ```python
    from torch import nn


    class Tagger(nn.Module):
        def __init__(self, words, width):
            super().__init__()
            self.embed = nn.Embedding(words, width)
            self.rnn = nn.LSTM(width, width)

        def forward(self, ids):
            B, T = ids.shape
            return self.rnn(self.embed(ids))  # NC306
    ```

    ## Use instead
    `batch_first=True`:

    ```python
    from torch import nn


    class Tagger(nn.Module):
        def __init__(self, words, width):
            super().__init__()
            self.embed = nn.Embedding(words, width)
            self.rnn = nn.LSTM(width, width, batch_first=True)

        def forward(self, ids):
            B, T = ids.shape
            return self.rnn(self.embed(ids))
    ```
    """

    code: ClassVar[str] = "NC306"
    name: ClassVar[str] = "layout-role"
    level: ClassVar[str] = "warning"

    input: Shape
    batch_first: bool = False
    """How the layer reads it."""

    def message(self) -> str:
        reads, is_ = ("batch", "time") if self.batch_first else ("time", "batch")
        return (
            f"{verb(self.op)} reads {reads} first, but its input {show(self.input)} is {is_} first"
        )

    def hint(self) -> str | None:
        if self.batch_first:
            return "transpose the input, or build the layer without `batch_first=True`"
        return "pass `batch_first=True`, or transpose the input"


class SampleTaken(LayoutRole):
    """A function takes one element of the batch and returns nothing of the others.

    The code is NC306.
    """

    size: Size = 1

    def message(self) -> str:
        return (
            f"this takes one sample of the batch '{self.size}' of {show(self.input)}, and nothing "
            "of the others is returned"
        )

    def hint(self) -> str | None:
        return "`x[:, 0]` takes the first of each sample"


class DimReadTwice(LayoutRole):
    """Two names of one assignment are bound to the size of one and the same dim.

    The code is NC306.
    """

    names: tuple[str, str] = ("", "")
    place: int = 0

    def message(self) -> str:
        first, second = self.names
        return f"'{first}' and '{second}' are both dim {self.place}"

    def hint(self) -> str | None:
        return "read another dim for one of them"


class OtherDim(LayoutRole):
    """One of several expressions side by side that are alike reads another dim.

    The code is NC306.
    """

    dims: tuple[str, str] = ("", "")

    def message(self) -> str:
        first, second = self.dims
        return f"this reads {second}, where its twin beside it reads {first}"

    def hint(self) -> str | None:
        return "read the same dim in both"


class MeetsItself(LayoutRole):
    """A tensor is compared with itself along one new dim, and not along two.

    The code is NC306.
    """

    text: str = ""

    def message(self) -> str:
        return f"both sides are '{self.text}': each element meets only itself"

    def hint(self) -> str | None:
        return "insert the dim at another place in one of them: `x[:, None] - x[None, :]`"


class StatisticsAxis(Mistake):
    """A normalisation takes the mean over one axis and the variance over another.

    ## What it finds
    `(x - x.mean(-1, keepdim=True)) / x.std(1, keepdim=True)`.

    ## Why it is bad
    It runs, and the result is normalised over neither axis.

    ## Example
    ```python
    def normalise(x):
        B, T, C = x.shape
        centred = x - x.mean(dim=-1, keepdim=True)
        return centred / x.std(dim=1, keepdim=True)  # NC307
    ```

    ## Use instead
    The same axis for both:

    ```python
    def normalise(x):
        B, T, C = x.shape
        centred = x - x.mean(dim=-1, keepdim=True)
        return centred / x.std(dim=-1, keepdim=True)
    ```
    """

    code: ClassVar[str] = "NC307"
    name: ClassVar[str] = "statistics-axis"
    level: ClassVar[str] = "warning"

    shape: Shape
    mean_dims: tuple[int, ...]
    spread_dims: tuple[int, ...]

    def message(self) -> str:
        return (
            f"{show(self.shape)} is centred over {_dims(self.mean_dims)}, but scaled by a spread "
            f"over {_dims(self.spread_dims)}"
        )

    def hint(self) -> str | None:
        return "take the mean and the spread over the same dims"


class ScaleAxis(StatisticsAxis):
    """A tensor is scaled by another axis than it was summed or normalised over.

    The scale is the root of the size of that axis. The code is NC307.
    """

    scale: Size = UNKNOWN
    over: str = ""

    def message(self) -> str:
        known = str(self.scale) != "?"
        scale = str(self.scale) if known else "another dim's size"
        return f"{show(self.shape)} was {self.over}, but is scaled by the root of {scale}"

    def hint(self) -> str | None:
        return "scale by the size of the dim that was summed or normalised over"


class WeightAxis(StatisticsAxis):
    """A tensor is normalised over another axis than the one that its weight lies along.

    The code is NC307.
    """

    def message(self) -> str:
        return (
            f"{show(self.shape)} is normalised over {_dims(self.mean_dims)}, but its weight lies "
            f"along {_dims(self.spread_dims)}"
        )

    def hint(self) -> str | None:
        return "take the mean over the dim that has the weight"


def _dims(dims: tuple[int, ...]) -> str:
    return ("dim " if len(dims) == 1 else "dims ") + " and ".join(map(str, dims))


class IndexOutOfRange(DimOutOfRange):
    """An index that a dim does not have, or more indices than dims; the code is NC301."""

    size: Size = 0
    index: int | None = None
    """The index of one element; None if there are too many indices, or an index is a tensor."""

    def message(self) -> str:
        reason = in_one_line(self.text) or f"index {self.dim} is out of range"
        return f"cannot index {show(self.shape)}: {reason}"


class IndexClamped(IndexOutOfRange):
    """An index that a dim does not have, where the library takes another one; the code is NC301."""

    def message(self) -> str:
        return f"{show(self.shape)} is indexed past its end: {in_one_line(self.text)}"


class ResultDim(DimOutOfRange):
    """A result of a mapped function has no such place for the mapped dim; the code is NC301."""

    def message(self) -> str:
        return (
            f"{verb(self.op)} cannot put the mapped dim at {self.dim} of a result "
            f"{show(self.shape)}: with it there are {self.rank} dims"
        )
