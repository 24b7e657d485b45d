"""The declaration of a loss, as layer and function at once, and losses of an input and a target.

Each loss has one function from its operands to the shape of its elements; `reduction` says what
remains of it.  Losses of classes live in `class_loss`, those of several vectors in `vector_loss`.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import doubt, require_equal
from namecheck_runtime.alignment import broadcast, check_names
from namecheck_runtime.binding import REQUIRED, Parameter, Rule
from namecheck_runtime.declare import Fields, Shape, Size, op
from namecheck_runtime.lattice import UNKNOWN, Dims, Truth, Unknown, known_dims, trailing
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.broadcasts import UnequalLoss, UnequalShapes
from namecheck_runtime.rules.nn.spatial import nn, value_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeAlias

Options: TypeAlias = "Mapping[str, Any]"
Elements: TypeAlias = "Callable[[Sequence[Shape], Options], Shape]"
"""The shape of a loss before it is reduced."""


def reduced(elements: Shape, options: Options) -> Shape:
    """The shape that `reduction` (or the older `size_average` and `reduce`) leaves.

    Source: torch.nn.L1Loss.
    """
    size_average, reduce = options.get("size_average"), options.get("reduce")
    reduction = options.get("reduction", "mean")
    if isinstance(size_average, Unknown) or isinstance(reduce, Unknown):
        return UNKNOWN
    if size_average is not None or reduce is not None:
        return elements if reduce is not None and not reduce else ()
    if not isinstance(reduction, str):
        return UNKNOWN
    return elements if reduction == "none" else ()


REDUCTION = "size_average= reduce= reduction=mean"


def _read(text: str) -> tuple[Parameter, ...]:
    """The parameters in a text: `input` is a tensor, `weight=` a tensor or None.

    Of the others, which have their defaults behind the `=`, the rule reads only `reduction`.
    """
    parameters: list[Parameter] = []
    kind = "positional"
    for word in text.split():
        if word == "*":
            kind = "keyword"
            continue
        name, optional, value = word.partition("=")
        takes: tuple[str, ...] = ("object",)
        if not optional:
            takes = ("Shape",)
        elif name in ("weight", "pos_weight"):
            takes = ("Shape", "None")
        default = value_of(value) if optional else REQUIRED
        parameters.append(Parameter(name, takes, default, kind))
    return tuple(parameters)


def declare_loss(
    function: str, layer: str, elements: Elements, tensors: str, call: str, build: str
) -> None:
    """Declare a loss as a function of `tensors` and then `call`, and as a layer.

    The layer is built with `build` and called with `tensors`.
    """
    operands = tensors.split()
    parameters = (*_read(tensors), *_read(call))
    names = [parameter.name for parameter in parameters]

    def ask(*values: Any, **options: Any) -> Shape:
        bound = {**dict(zip(names, values, strict=False)), **options}
        return reduced(elements([bound[name] for name in operands], bound), bound)

    def forward(fields: Fields, *values: Any) -> Shape:
        return reduced(elements(values, fields), fields)

    op(f"torch.nn.functional.{function}")(Rule(ask, parameters, "Shape", False))
    if layer:
        members = {
            "__init__": Rule(ask, _read(build), "None", False),
            "forward": Rule(forward, _read(tensors), "Shape", False),
            "parameters": staticmethod(_given_tensors),
            "__module__": __name__,
            "__doc__": f"The loss as a layer.  Source: torch.nn.{layer}.",
        }
        nn("loss", layer)(type(layer, (), members))


def _given_tensors(fields: Fields) -> Mapping[str, Shape | None]:
    """The weights that the loss was built with, which are its parameters."""
    names = [name for name in ("weight", "pos_weight") if name in fields]
    return {name: fields[name] for name in names if not isinstance(fields[name], Unknown)}


# Losses of two equal shapes.


def _compared(operands: Sequence[Shape], options: Options) -> Shape:
    """The broadcast of both, which is doubted unless the shapes are equal (NC202).

    Source: the policy of equal-shape losses: two ranks that differ, or a 1 against a size that
    cannot be 1.
    """
    input, target = operands
    names = ("input", "target")
    result = broadcast(input, target, arguments=names, suspicious=False)
    if isinstance(input, tuple) and isinstance(target, tuple):
        size = _unequal(input, target)
        if size is not None:
            blame = (Blame("input"), Blame("target"))
            doubt(UnequalLoss(left=input, right=target, result=result, size=size, blame=blame))
    return _weighted(result, options.get("weight"))


def _unequal(input: Dims, target: Dims) -> Size | None:
    """A size that is compared with a different one; None if the shapes are equal enough."""
    if any(all(dim.size == 1 for dim in shape) for shape in (input, target)):
        return None
    if len(input) != len(target):
        return max((input, target), key=len)[0].size
    for mine, other in zip(input, target, strict=True):
        for single, size in ((mine.size, other.size), (other.size, mine.size)):
            if single == 1 and sizes.possibly_one(size) is Truth.NO:
                return size
    return None


def _weighted(elements: Shape, weight: Shape | None, argument: str = "weight") -> Shape:
    if weight is None or weight is UNKNOWN:
        return elements
    return broadcast(elements, weight, arguments=("input", argument), suspicious=False)


declare_loss("mse_loss", "MSELoss", _compared, "input target", REDUCTION + " weight=", REDUCTION)
declare_loss("l1_loss", "L1Loss", _compared, "input target", REDUCTION + " weight=", REDUCTION)
declare_loss(
    "smooth_l1_loss",
    "SmoothL1Loss",
    _compared,
    "input target",
    REDUCTION + " beta=",
    REDUCTION + " beta=1.0",
)
declare_loss(
    "huber_loss",
    "HuberLoss",
    _compared,
    "input target",
    "reduction=mean delta= weight=",
    "reduction=mean delta=1.0",
)


def _binary(text: str) -> Elements:
    def elements(operands: Sequence[Shape], options: Options) -> Shape:
        """Requires equal shapes.  Source: torch.nn.BCELoss, "Shape"."""
        input, target = operands
        check_names(input, target, arguments=("input", "target"))
        if isinstance(input, tuple) and isinstance(target, tuple):
            _require_equal_shapes(input, target, text)
        both = broadcast(input, target, ("input", "target"), names=False, suspicious=False)
        known = both
        if not isinstance(both, tuple):
            known = named_by_another(input if isinstance(input, tuple) else target)
        known = _weighted(known, options.get("weight"))
        return _weighted(known, options.get("pos_weight"), "pos_weight")

    return elements


def named_by_another(shape: Shape) -> Shape:
    """The shape of a result whose names unify with those of an unknown tensor.

    Where this shape has no name, the other may have one: UNKNOWN.
    """
    if not isinstance(shape, tuple):
        return shape
    return tuple(dim if dim.name is not None else dim.rename(UNKNOWN) for dim in shape)


def _require_equal_shapes(input: Dims, target: Dims, text: str) -> None:
    sentence = text.format(target=size_list(target), input=size_list(input))
    blame = (Blame("input"), Blame("target"))
    if len(input) != len(target):
        shared = min(len(input), len(target))
        raise UnequalShapes(
            left=input,
            right=target,
            position=-shared - 1,
            left_size=UNKNOWN,
            right_size=UNKNOWN,
            text=sentence,
            blame=blame,
        )
    for back in range(1, len(input) + 1):
        mine, other = input[-back].size, target[-back].size
        if mine == other:
            continue
        mistake = UnequalShapes(
            left=input,
            right=target,
            position=-back,
            left_size=mine,
            right_size=other,
            text=sentence,
            blame=blame,
        )
        require_equal(mine, other, mistake)


declare_loss(
    "binary_cross_entropy",
    "BCELoss",
    _binary(
        "Using a target size (torch.Size({target})) that is different to the input size "
        "(torch.Size({input})) is deprecated. Please ensure they have the same size."
    ),
    "input target",
    f"weight= {REDUCTION}",
    f"weight= {REDUCTION}",
)
declare_loss(
    "binary_cross_entropy_with_logits",
    "BCEWithLogitsLoss",
    _binary(
        "Target size (torch.Size({target})) must be the same as input size (torch.Size({input}))"
    ),
    "input target",
    f"weight= {REDUCTION} pos_weight=",
    f"weight= {REDUCTION} pos_weight=",
)


# Losses that broadcast: no doubts, since their operands need not be equal.


def broadcast_all(operands: Sequence[Shape], options: Options) -> Shape:
    result = operands[0]
    for operand in operands[1:]:
        result = broadcast(result, operand, arguments=("input", "target"), suspicious=False)
    return result


declare_loss(
    "kl_div",
    "KLDivLoss",
    broadcast_all,
    "input target",
    REDUCTION + " log_target=",
    REDUCTION + " log_target=False",
)
declare_loss(
    "poisson_nll_loss",
    "",
    broadcast_all,
    "input target",
    "log_input= full= size_average= eps= reduce= reduction=mean",
    "",
)
declare_loss(
    "hinge_embedding_loss",
    "HingeEmbeddingLoss",
    broadcast_all,
    "input target",
    "margin= " + REDUCTION,
    "margin=1.0 " + REDUCTION,
)


@nn("loss", "PoissonNLLLoss")
class PoissonNLLLoss:
    """Likelihood of counts; the input of the call is named log_input."""

    def __init__(
        self,
        log_input: object = True,
        full: object = False,
        size_average: object = None,
        eps: object = 1e-8,
        reduce: object = None,
        reduction: object = "mean",
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, log_input: Shape, target: Shape) -> Shape:
        """The broadcast shape, reduced."""
        return reduced(broadcast_all((log_input, target), fields), fields)


def _soft_margin(operands: Sequence[Shape], options: Options) -> Shape:
    """The input's shape; the target may not make it larger."""
    input, target = operands
    result = broadcast_all(operands, options)
    if isinstance(input, tuple) and isinstance(result, tuple):
        larger = len(result) > len(input) or any(
            mine.size == 1 and isinstance(other.size, int) and other.size != 1
            for mine, other in zip(reversed(input), reversed(result), strict=False)
        )
        if larger:
            text = (
                f"output with shape {size_list(input)} doesn't match the broadcast shape "
                f"{size_list(result)}"
            )
            raise UnequalShapes(
                left=input,
                right=target,
                position=-1,
                left_size=UNKNOWN,
                right_size=UNKNOWN,
                text=text,
                blame=(Blame("input"), Blame("target")),
            )
    return input


declare_loss(
    "soft_margin_loss", "SoftMarginLoss", _soft_margin, "input target", REDUCTION, REDUCTION
)


def _gaussian(operands: Sequence[Shape], options: Options) -> Shape:
    """The input's and target's broadcast; the variance may lack the last dim.

    Source: torch.nn.GaussianNLLLoss, "Shape".
    """
    return broadcast_all(operands[:2], options)


declare_loss(
    "gaussian_nll_loss",
    "GaussianNLLLoss",
    _gaussian,
    "input target var",
    "full= eps= reduction=mean",
    "* full=False eps=1e-06 reduction=mean",
)


def without_last(input: Shape) -> Shape:
    dims = known_dims(input)
    if isinstance(input, tuple):
        return input[:-1]
    return trailing(dims[:-1])
