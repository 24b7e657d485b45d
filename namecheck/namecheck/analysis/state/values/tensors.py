"""Tensors, how they were computed, and what a program reads off them."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, NamedTuple

from namecheck.analysis.state.values.graphs import Gradient
from namecheck.analysis.state.values.value import Value
from namecheck_runtime.lattice import UNKNOWN, Shape, Size, known_dims
from namecheck_runtime.strides import Strides


class Role(Enum):
    """The part that a tensor plays in the computations that use it."""

    CONSTANT = "constant"
    """A parameter or a buffer, or a tensor that is not known to depend on the input."""
    SCORES = "scores"
    """A product of two activations, of every query with every key."""
    WEIGHTS = "weights"
    """Normalised scores."""
    SHARES = "shares"
    """Something else that was normalised along one dim."""
    CARRYING = "carrying"
    """A product of shares that kept the dim along which these were normalised."""
    BLANK = "blank"
    """A buffer that nothing which the program shows has filled: the order of its elements is what
    whoever fills it makes it.
    """


class Pairing(Value):
    """Where every element of `[N, 1]` meets every element of `[N]`, in place of a value.

    `mistake` is reported if only all pairs together are used; None if it was reported there.
    """

    __slots__ = ("by_name", "frame", "mistake", "node")

    def __init__(self, frame: Any, node: Any, mistake: Any, by_name: dict[str, Any]) -> None:
        self.frame = frame
        self.node = node
        self.mistake = mistake
        self.by_name = by_name


class Statistic(NamedTuple):
    """How a tensor relates to another value that it was computed from.

    `kind` is "mean", "spread", "sum", "extent" (a norm, the largest) over `dims` of it, "centred"
    (less its mean over `dims`), "deviation" (something of each centred element), "exponential",
    "power" (each element squared), "scale" (the mean of that over `dims`), "scaled" (divided by the
    root of that), "share" (of the sum over `dims`), "unit" (of length 1 over `dims`), or "paired"
    (each with each; `of` is the pairing).
    """

    kind: str
    of: Value
    dims: tuple[int, ...] = ()


class History(NamedTuple):
    """How a tensor was computed.

    `place` is where the program computed the scores that the tensor is or was made of, `over` the
    size that their contraction summed over. `letters` are the equation's letters for their dims,
    while these keep their places. `named` says that the factors of the scores are called queries
    and keys. `axis` is the dim along which the scores were normalised, counted from the right among
    the dims that are last; 0 if they were not normalised.
    """

    role: Role | None = None
    place: Any = None
    statistic: Statistic | None = None
    over: Size = UNKNOWN
    letters: tuple[str, ...] = ()
    named: bool = False
    axis: int = 0


CONSTANT: Final = History(Role.CONSTANT)
PARAMETER: Final = History(Role.CONSTANT)
"""That of the parameters that a program makes itself, and of nothing else."""
BLANK: Final = History(Role.BLANK)


class Claimed(NamedTuple):
    """An annotation, a comment or a docstring that something known about a tensor rests on.

    `rank` says that even its number of dims rests on a comment or docstring, otherwise only sizes
    do. `said` is what a note says of it, `source` and `line` are its place, and `node` is the
    expression or parameter that it is about. An annotation is `firm`: it is part of the program.
    `shape` is what it says of that expression; tensors that were computed from it may have another.
    A comment that several targets share may be about only one of them. A `result` is what a
    function is declared to return where nothing computes it. It is `open` if the object may be of a
    class that returns something else: then nothing that rests on it is reported.
    """

    rank: bool
    said: str
    source: Any
    line: int
    node: int
    shape: Shape
    firm: bool = False
    shared: bool = False
    result: bool = False
    open: bool = False


def sizes_claimed(claimed: Claimed | None) -> Claimed | None:
    """The same claim about a tensor of which the program itself shows the rank."""
    return None if claimed is None else claimed._replace(rank=False)


def inherited(claimed: Claimed | None) -> Claimed | None:
    """What a tensor that was computed from another rests on, where the other rests on a claim."""
    return None if claimed is None or claimed.firm else claimed


def weaker(left: Claimed | None, right: Claimed | None) -> Claimed | None:
    """What one of two tensors rests on: a comment about a rank, any other, or an annotation."""
    if left is None or right is None:
        return left or right
    return right if (right.rank, not right.firm) > (left.rank, not left.firm) else left


class Tensor(Value):
    """A tensor: its shape, the kind of its dtype, and the library that it belongs to.

    `library` is the class whose methods it has ("Tensor" or "ndarray"), "" if that is not known.
    `claimed` is the comment that its rank or some of its sizes are known from, or the annotation of
    the parameter that it is; None if the code itself shows them. `strides` is its memory layout,
    `turned` the op and the place since which that is not row-major. `history` is how it was
    computed, None if that does not matter. `spread` says that its rank is not known since paths
    have met, and that a dim is 1 on one of them. `gradient` is what a program that computes
    gradients has of it, None if it computes none, or if nothing is known. `dtype` is its exact
    dtype where `namecheck summary` asks for it, see `measuring/dtypes.py`.
    """

    __slots__ = (
        "claimed",
        "dtype",
        "gradient",
        "history",
        "kind",
        "library",
        "shape",
        "spread",
        "strides",
        "turned",
    )

    def __init__(
        self,
        shape: Shape = UNKNOWN,
        kind: str = "unknown",
        library: str = "",
        claimed: Claimed | None = None,
        strides: Strides = UNKNOWN,
        turned: Any = None,
        history: History | None = None,
        gradient: Gradient | None = None,
    ) -> None:
        self.dtype = ""
        self.gradient = gradient
        self.history = history
        self.spread = False
        self.claimed = claimed
        self.shape = shape
        self.kind = kind
        self.library = library
        self.strides = strides
        self.turned = turned

    @property
    def rank_claimed(self) -> bool:
        """Whether its rank is known only from a comment or docstring."""
        return self.claimed is not None and self.claimed.rank

    @property
    def empty(self) -> bool:
        """Whether a dim has size 0: such a tensor is a start to which others are concatenated."""
        return any(dim.size == 0 for dim in known_dims(self.shape))

    def anywhere(self) -> Tensor:
        """The same tensor, its memory layout and history forgotten."""
        return self._typed(Tensor(self.shape, self.kind, self.library, self.claimed))

    def _typed(self, tensor: Tensor) -> Tensor:
        """A tensor that was just made of this one, with its dtype."""
        tensor.dtype = self.dtype
        return tensor

    def with_shape(self, shape: Shape, claimed: Claimed | None = None) -> Tensor:
        """The same tensor with another shape, about which more or less is known.

        What was known of its strides is forgotten if they are those of another number of dims: a
        test of its shape has shown that what a comment said is wrong.
        """
        strides, turned, history = self.strides, self.turned, self.history
        if isinstance(strides, tuple) and isinstance(shape, tuple) and len(strides) != len(shape):
            strides, turned = UNKNOWN, None
        kind, library, gradient = self.kind, self.library, self.gradient
        made = Tensor(shape, kind, library, claimed, strides, turned, history, gradient)
        return self._typed(made)

    def untraced(self) -> Tensor:
        """The same tensor, with nothing known about its gradient."""
        return self if self.gradient is None else self.with_gradient(None)

    def with_gradient(self, gradient: Gradient | None) -> Tensor:
        """The same tensor, about whose gradient more or less is known."""
        strides, turned, history = self.strides, self.turned, self.history
        kind, library, claimed = self.kind, self.library, self.claimed
        made = Tensor(self.shape, kind, library, claimed, strides, turned, history, gradient)
        return self._typed(made)

    def derived(self, shape: Shape) -> Tensor:
        """A tensor that was computed from this one, and rests on the same comment."""
        return self._typed(Tensor(shape, self.kind, self.library, inherited(self.claimed)))

    def remember(self, history: History | None, shape: Shape) -> Tensor:
        """The same tensor with a history, and the traces of a shape that equals its own."""
        strides, turned, kind, library = self.strides, self.turned, self.kind, self.library
        gradient = self.gradient
        claimed = self.claimed
        made = Tensor(shape, kind, library, claimed, strides, turned, history, gradient)
        return self._typed(made)

    @property
    def lasting(self) -> History | None:
        """The part of its history that holds in any call: the role, and no relation to a value."""
        history: History | None = self.history
        return history if history is None else history._replace(statistic=None)


def constant(value: Value) -> Value:
    """A value that a model keeps: if it is a tensor, it depends on no input."""
    if not isinstance(value, Tensor) or value.history is PARAMETER:
        return value
    return value.remember(CONSTANT, value.shape)


class ShapeOf(Value):
    """`x.shape`: kept together with its tensor, so that unpacking it can teach us the rank.

    `plain` says that it is a tuple like any other: `tuple(x.shape)`.
    """

    __slots__ = ("plain", "tensor")

    def __init__(self, tensor: Value, plain: bool = False) -> None:
        self.tensor = tensor
        self.plain = plain


class DType(Value):
    """A dtype that is not known, or the limits of one (`finfo`).

    `kind` and `dtype` are those of the tensor that has it, where `namecheck summary` asks.
    """

    __slots__ = ("dtype", "kind")

    def __init__(self) -> None:
        self.kind = ""
        self.dtype = ""


class Device(Value):
    """A device, wherever it is: what is moved to it keeps its dtype.

    `on_cpu` says that it is that of a tensor of a drive that names no other device than the CPU.
    """

    __slots__ = ("on_cpu",)

    def __init__(self, on_cpu: bool = False) -> None:
        self.on_cpu = on_cpu


class Packed(Value):
    """Packed sequences of several lengths: `padded` is the padded tensor, batch first."""

    __slots__ = ("padded",)

    def __init__(self, padded: Value) -> None:
        self.padded = padded
