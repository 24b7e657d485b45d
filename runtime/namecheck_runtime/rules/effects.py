"""What ops do to the elements of a tensor, for readers that follow how a value was computed.

One table over ops and layers that are declared elsewhere: `declare.Effect` says what the words
mean.  The dims of the result are the business of the rules.
"""

from __future__ import annotations

from namecheck_runtime.declare import REGISTRY, Effect, Summation
from namecheck_runtime.lattice import Shape, known_dims
from namecheck_runtime.layers import LAYERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

EFFECTS: Final[dict[Effect, str]] = {
    "moves": """
        torch.permute numpy.transpose jax.lax.transpose torch.transpose torch.swapaxes
        numpy.swapaxes torch.swapdims Tensor.T torch.t Tensor.mT numpy.matrix_transpose
        torch.movedim torch.moveaxis
        torch.reshape ndarray.reshape jax.lax.reshape Tensor.view Tensor.view_as Tensor.reshape_as
        torch.flatten torch.unflatten torch.squeeze numpy.squeeze jax.lax.squeeze torch.unsqueeze
        numpy.expand_dims jax.lax.expand_dims einops.rearrange
    """,
    "keeps": """
        Tensor.bfloat16 Tensor.double Tensor.float Tensor.half Tensor.cpu Tensor.cuda Tensor.xpu
        Tensor.contiguous Tensor.type_as Tensor.to Tensor.type torch.clone torch.detach Tensor.clone
        Tensor.detach ndarray.astype ndarray.copy numpy.copy numpy.astype numpy.asarray
        jax.lax.stop_gradient jax.lax.convert_element_type Tensor.data
        torch.nn.functional.dropout torch.nn.functional.dropout1d torch.nn.functional.dropout2d
        torch.nn.functional.dropout3d torch.nn.functional.alpha_dropout torch.dropout
        torch.masked_fill torch.tril torch.triu numpy.tril numpy.triu
        torch.nan_to_num numpy.nan_to_num
    """,
    "maps": """
        torch.abs torch.sqrt torch.rsqrt torch.reciprocal
        torch.maximum torch.minimum torch.fmax torch.clamp torch.clamp_min torch.clamp_max
        numpy.clip torch.tanh
    """,
    "powers": "torch.pow torch.square torch.float_power",
    "linear": """
        torch.add torch.neg torch.where Tensor.where jax.lax.select torch.true_divide
    """,
    "difference": "torch.sub numpy.subtract",
    "product": "torch.mul",
    "quotient": "torch.div",
    "exponential": "torch.exp",
    "softmax": "torch.softmax torch.nn.functional.softmax",
    "log_softmax": "torch.log_softmax torch.nn.functional.log_softmax",
    "unit": "torch.nn.functional.normalize",
    "mean": "torch.mean numpy.mean torch.nanmean numpy.nanmean",
    "spread": "torch.std torch.var numpy.std numpy.var numpy.nanstd numpy.nanvar",
    "sum": "torch.sum numpy.sum",
    "extent": """
        torch.norm torch.linalg.norm torch.linalg.vector_norm torch.logsumexp
        torch.amax torch.amin torch.max torch.min torch.median torch.prod torch.nansum
        numpy.max numpy.min numpy.amax numpy.amin numpy.median numpy.prod numpy.nansum
    """,
    "differentiates": "Tensor.backward torch.autograd.backward torch.autograd.grad",
    "counts": "torch.arange numpy.arange jax.lax.iota",
    "gathers": "torch.gather",
    "turns": "torch.rot90 numpy.rot90",
    "blank": """
        torch.empty torch.empty_like Tensor.new_empty torch.empty_permuted torch.empty_strided
        Tensor.new_empty_strided
    """,
}
"""The ops of each effect, by a spelling of each."""

PAIRED: Final = (("cos", "sin"), ("min", "max"), ("mean", "std"), ("mean", "var"))
"""Words for two values that are computed side by side and have one shape."""

LAYER_EFFECTS: Final[dict[Effect, str]] = {
    "keeps": "Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout Identity",
    "softmax": "Softmax",
}
"""The layers of each effect, by their names in torch.nn."""

RESAMPLING: Final[dict[str, tuple[str, str]]] = {
    "resize": (
        "interpolate upsample upsample_bilinear upsample_nearest",
        "Upsample UpsamplingBilinear2d UpsamplingNearest2d",
    ),
    "pool": (
        """
        adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d
        adaptive_max_pool2d adaptive_max_pool3d avg_pool1d avg_pool2d avg_pool3d max_pool1d
        max_pool2d max_pool3d
        """,
        """
        AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d
        AdaptiveMaxPool3d AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d MaxPool3d
        """,
    ),
}
"""The functions and layers of torch.nn that resample maps, by the module that declares them."""


def _matrices(left: Shape, right: Shape, equation: str) -> Summation | None:
    """A matrix product: over the last dim of the first and the second last of the second."""
    known = min(len(known_dims(left)), len(known_dims(right))) >= 2
    if not known and (_is_short(left) or _is_short(right)):
        return None
    return Summation(((-1, -2),), ((-2, -2),), ((-1, -1),), presumed=not known)


def _is_short(shape: Shape) -> bool:
    return isinstance(shape, tuple) and len(shape) < 2


def _dot(left: Shape, right: Shape, equation: str) -> Summation | None:
    """NumPy's dot, which is a matrix product of two matrices only."""
    if isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right) == 2:
        return _matrices(left, right, equation)
    return None


def _einsum(left: Shape, right: Shape, equation: str) -> Summation | None:
    return _by_letters(equation, "read_einsum")


def _einops_einsum(left: Shape, right: Shape, equation: str) -> Summation | None:
    return _by_letters(equation, "read_einops_einsum")


def _by_letters(equation: str, reader: str) -> Summation | None:
    """A sum of products over letters.

    None if a letter is summed in one tensor only, which is not a pair, or if a letter is before a
    `...`, so that its place from the right is not known.
    """
    from namecheck_runtime.notation import patterns
    from namecheck_runtime.notation.syntax import NotationError, WrittenShape

    try:
        written = getattr(patterns, reader)(equation)
    except NotationError:
        return None

    def places(shape: WrittenShape) -> dict[str, int] | None:
        by_letter: dict[str, int] = {}
        for place, dim in enumerate(shape.dims, -len(shape.dims)):
            if dim.many and not by_letter and place == -len(shape.dims):
                continue
            if dim.many or not isinstance(dim.term, str) or dim.term in by_letter:
                return None
            by_letter[dim.term] = place
        return by_letter

    if len(written.operands) != 2:
        return None
    first, second = (places(operand) for operand in written.operands)
    result = places(written.result)
    if first is None or second is None or result is None:
        return None
    if any(
        letter not in result and not (letter in first and letter in second)
        for letter in (*first, *second)
    ):
        return None
    return Summation(
        tuple(
            (first[letter], second[letter])
            for letter in first
            if letter in second and letter not in result
        ),
        tuple((first[letter], result[letter]) for letter in first if letter not in second),
        tuple((second[letter], result[letter]) for letter in second if letter not in first),
        (tuple(first), tuple(second), tuple(result)),
    )


SUMMATIONS: Final = (
    (_matrices, "torch.matmul torch.mm torch.bmm"),
    (_dot, "numpy.dot"),
    (_einsum, "torch.einsum"),
    (_einops_einsum, "einops.einsum"),
)
"""The contractions, and what each sums over."""


def declare_resampling(family: str) -> None:
    """Set the effect of what a module declares, which is imported when a program asks for it."""
    functions, names = RESAMPLING[family]
    for function in functions.split():
        REGISTRY[f"torch.nn.functional.{function}"].op.effect = "resamples"
    for name in names.split():
        LAYERS[f"torch.nn.{name}"].effect = "resamples"


def declare_effects() -> None:
    """Set the effect of each op and layer that is always declared."""
    for effect, paths in EFFECTS.items():
        for path in paths.split():
            REGISTRY[path].op.effect = effect
    for effect, names in LAYER_EFFECTS.items():
        for name in names.split():
            LAYERS[f"torch.nn.{name}"].effect = effect
    for summation, paths in SUMMATIONS:
        for path in paths.split():
            REGISTRY[path].op.effect = "contraction"
            REGISTRY[path].op.summation = summation
