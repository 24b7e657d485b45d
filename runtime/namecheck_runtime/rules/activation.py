"""Activations, dropout and normalisations as functions: they keep the dims of their tensor.

The layers of the same names live in `nn.activation`, sums of exponentials in `reduce`.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import position, replace, require_rank
from namecheck_runtime.declare import DimRef, DimRefs, Dims, Memory, Shape, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Truth
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.sizes import BadExtent
from namecheck_runtime.rules.pointwise import keeps
from namecheck_runtime.rules.reduce import check_dim

_FUNCTIONAL = ("torch.nn.functional",)

keeps(
    "relu Tensor.relu torch.relu jax.nn.relu (inplace=)",
    "relu6 torch.relu6 jax.nn.relu6 (inplace=)",
    "elu jax.nn.elu (alpha=, inplace=)",
    "selu torch.selu jax.nn.selu (inplace=)",
    "celu torch.celu jax.nn.celu (alpha=, inplace=)",
    "gelu jax.nn.gelu (approximate=)",
    "silu jax.nn.silu jax.nn.swish (inplace=)",
    "mish jax.nn.mish (inplace=)",
    "softplus jax.nn.softplus (beta=, threshold=)",
    "softsign jax.nn.soft_sign",
    "hardsigmoid jax.nn.hard_sigmoid (inplace=)",
    "hardswish jax.nn.hard_swish jax.nn.hard_silu (inplace=)",
    "hardtanh jax.nn.hard_tanh (min_val=, max_val=, inplace=)",
    "leaky_relu jax.nn.leaky_relu (negative_slope=, inplace=)",
    "threshold torch.threshold (threshold, value, inplace=)",
    "tanhshrink",
    "softshrink (lambd=)",
    "hardshrink (lambd=)",
    "dropout (p=, training=, inplace=)",
    "dropout1d (p=, training=, inplace=)",
    "dropout2d (p=, training=, inplace=)",
    "dropout3d (p=, training=, inplace=)",
    "alpha_dropout (p=, training=False, inplace=)",
    "feature_alpha_dropout (p=, training=False, inplace=)",
    modules=_FUNCTIONAL,
    memory=Memory.SAME,
)
keeps(
    "logsigmoid jax.nn.log_sigmoid",
    "rrelu torch.rrelu (lower=, upper=, training=, inplace=)",
    "prelu torch.prelu Tensor.prelu (weight)",
    modules=_FUNCTIONAL,
    memory=Memory.FOLLOWS,
)
keeps(
    "dropout (p, train)",
    "alpha_dropout (p, train)",
    "feature_dropout (p, train)",
    "feature_alpha_dropout (p, train)",
    modules=("torch",),
    memory=Memory.SAME,
)
keeps("jax.nn.identity", "jax.nn.squareplus (b=)", inplace=False)


@op("torch.native_dropout")
def native_dropout(input: Shape, p: object, train: object) -> tuple[Shape, Shape]:
    """The elements, some of them dropped, and the mask."""
    return input, input


@op(
    "torch.softmax",
    "Tensor.softmax",
    "torch.special.softmax",
    out=True,
    memory=Memory.FOLLOWS,
    parsing=("dim by name",),
)
@op(
    *("torch.log_softmax", "Tensor.log_softmax", "torch.special.log_softmax"),
    out=True,
    memory=Memory.FOLLOWS,
    parsing=("dim by name",),
)
def softmax(input: Shape, dim: DimRef | None, dtype: object = None) -> Shape:
    """Normalises along a dim.  Source: name inference, "keeps input names"."""
    check_dim(input, dim)
    return input


@op(
    "torch.nn.functional.softmax",
    jax="jax.nn.softmax(input, dim, where)",
    memory=Memory.FOLLOWS,
    parsing=("dim by name",),
)
@op(
    "torch.nn.functional.log_softmax",
    jax="jax.nn.log_softmax(input, dim, where)",
    memory=Memory.FOLLOWS,
    parsing=("dim by name",),
)
@op("torch.nn.functional.softmin", parsing=("dim by name",))
def functional_softmax(
    input: Shape, dim: DimRef | None = None, _stacklevel: object = 3, dtype: object = None
) -> Shape:
    """Normalises along a dim, by default one that the rank decides (deprecated).

    Source: name inference, "keeps input names".
    """
    if dim is not None:
        check_dim(input, dim)
    return input


@op("torch.nn.functional.gumbel_softmax")
def gumbel_softmax(
    logits: Shape, tau: object = 1, hard: object = False, eps: object = 1e-10, dim: DimRef = -1
) -> Shape:
    """Samples along a dim.  Torch refused names; they are kept."""
    check_dim(logits, dim)
    return logits


@op("torch.nn.functional.normalize", out=True)
def normalize(input: Shape, p: object = 2.0, dim: DimRefs = 1, eps: object = 1e-12) -> Shape:
    """Divides by the norm along a dim.  Torch refused names; they are kept."""
    if isinstance(dim, (int, str)):
        check_dim(input, dim)
    return input


@op(jax="jax.nn.standardize(input, dim)")
def standardize(
    input: Shape, dim: object = -1, mean: object = None, variance: object = None
) -> Shape:
    """Subtracts the mean and divides by the deviation.  Source: jax.nn.standardize."""
    return input


@op("torch.nn.functional.glu", jax="jax.nn.glu(input, dim)", leading=True)
def glu(input: Dims, dim: DimRef = -1) -> Shape:
    """The first half of a dim gated by the second.  Torch refused names; they are kept.

    Raises RankMismatch, and BadExtent for an odd size.
    """
    text = "glu does not support scalars because halving size must be even"
    require_rank(input, lambda n: n > 0, "at least 1", "input", text)
    index = position(input, dim)
    if index is UNKNOWN:
        return tuple(Dim(d.name, UNKNOWN) for d in input)
    size = input[index].size
    if sizes.compare(sizes.modulo(size, 2), 1) is Truth.YES:
        text = f"Halving dimension must be even, but dimension {index} is size {size}"
        raise BadExtent(shape=input, reason=text, text=text, blame=(Blame("input", index),))
    return replace(input, index, input[index].resize(sizes.divide_exactly(size, 2)))
