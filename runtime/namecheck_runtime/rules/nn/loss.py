"""Losses, as layers and functions: what shape the elements have, and what `reduction` leaves of it.

Each loss has one function from its operands to the shape of its elements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from namecheck_runtime import sizes
from namecheck_runtime.algebra import broadcast, doubt, drop, require_equal
from namecheck_runtime.declare import REQUIRED, Fields, Parameter, Rule, Shape, Size, op
from namecheck_runtime.lattice import UNKNOWN, Dims, Truth, Unknown, known_dims, trailing
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import (
    ContractionSize,
    TargetSize,
    UnequalLoss,
    UnequalShapes,
)
from namecheck_runtime.rules.nn.spatial import nn

Options: TypeAlias = Mapping[str, Any]
Elements: TypeAlias = Callable[[Sequence[Shape], Options], Shape]
"""The shape of a loss before it is reduced."""


def _reduced(elements: Shape, options: Options) -> Shape:
    """What `reduction` (or the older `size_average` and `reduce`) leaves.

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


_REDUCTION = "size_average= reduce= reduction=mean"


def _read(text: str) -> tuple[Parameter, ...]:
    """Parameters in words: `input` a tensor, `weight=` a tensor or None, the rest is not looked
    at but `reduction=mean`.
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
        default = (value or None) if optional else REQUIRED
        parameters.append(Parameter(name, takes, default, kind))
    return tuple(parameters)


def _loss(
    function: str, layer: str, elements: Elements, tensors: str, call: str, build: str
) -> None:
    """Declare a loss: the function takes `tensors` and then `call`; the layer is built with `build`
    and called with `tensors`.
    """
    operands = tensors.split()
    parameters = (*_read(tensors), *_read(call))
    names = [parameter.name for parameter in parameters]

    def ask(*values: Any, **options: Any) -> Shape:
        bound = {**dict(zip(names, values, strict=False)), **options}
        return _reduced(elements([bound[name] for name in operands], bound), bound)

    def forward(fields: Fields, *values: Any) -> Shape:
        return _reduced(elements(values, fields), fields)

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
    """The weights that the loss was built with, which it keeps as its own."""
    names = [name for name in ("weight", "pos_weight") if name in fields]
    return {name: fields[name] for name in names if not isinstance(fields[name], Unknown)}


# Losses of two equal shapes.


def _compared(operands: Sequence[Shape], options: Options) -> Shape:
    """Broadcasts, and doubts it unless the shapes are equal (NC202).  Source: the policy of
    equal-shape losses: two ranks that differ, or a 1 against a size that cannot be 1.
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
    """A size that is compared with something else; None when the shapes are equal enough."""
    if any(all(dim.size == 1 for dim in shape) for shape in (input, target)):
        return None
    if len(input) != len(target):
        return max((input, target), key=len)[0].size
    for mine, other in zip(input, target, strict=True):
        for one, size in ((mine.size, other.size), (other.size, mine.size)):
            if one == 1 and sizes.possibly_one(size) is Truth.NO:
                return size
    return None


def _weighted(elements: Shape, weight: Shape | None, argument: str = "weight") -> Shape:
    if weight is None or weight is UNKNOWN:
        return elements
    return broadcast(elements, weight, arguments=("input", argument), suspicious=False)


_loss("mse_loss", "MSELoss", _compared, "input target", _REDUCTION + " weight=", _REDUCTION)
_loss("l1_loss", "L1Loss", _compared, "input target", _REDUCTION + " weight=", _REDUCTION)
_loss(
    "smooth_l1_loss",
    "SmoothL1Loss",
    _compared,
    "input target",
    _REDUCTION + " beta=",
    _REDUCTION + " beta=",
)
_loss(
    "huber_loss",
    "HuberLoss",
    _compared,
    "input target",
    "reduction=mean delta= weight=",
    "reduction=mean delta=",
)


def _binary(text: str) -> Elements:
    def elements(operands: Sequence[Shape], options: Options) -> Shape:
        """Requires equal shapes.  Source: torch.nn.BCELoss, "Shape"."""
        input, target = operands
        if isinstance(input, tuple) and isinstance(target, tuple):
            _require_equal_shapes(input, target, text)
        else:
            broadcast(input, target, ("input", "target"), names=False, suspicious=False)
        known = input if isinstance(input, tuple) else target
        known = _weighted(known, options.get("weight"))
        return _weighted(known, options.get("pos_weight"), "pos_weight")

    return elements


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


_loss(
    "binary_cross_entropy",
    "BCELoss",
    _binary(
        "Using a target size (torch.Size({target})) that is different to the input size "
        "(torch.Size({input})) is deprecated. Please ensure they have the same size."
    ),
    "input target",
    f"weight= {_REDUCTION}",
    f"weight= {_REDUCTION}",
)
_loss(
    "binary_cross_entropy_with_logits",
    "BCEWithLogitsLoss",
    _binary(
        "Target size (torch.Size({target})) must be the same as input size (torch.Size({input}))"
    ),
    "input target",
    f"weight= {_REDUCTION} pos_weight=",
    f"weight= {_REDUCTION} pos_weight=",
)


# Losses that broadcast: nothing is doubted, since their operands need not be equal.


def _broadcast(operands: Sequence[Shape], options: Options) -> Shape:
    result = operands[0]
    for operand in operands[1:]:
        result = broadcast(result, operand, arguments=("input", "target"), suspicious=False)
    return result


_loss(
    "kl_div",
    "KLDivLoss",
    _broadcast,
    "input target",
    _REDUCTION + " log_target=",
    _REDUCTION + " log_target=",
)
_loss(
    "poisson_nll_loss",
    "",
    _broadcast,
    "input target",
    "log_input= full= size_average= eps= reduce= reduction=mean",
    "",
)
_loss(
    "hinge_embedding_loss",
    "HingeEmbeddingLoss",
    _broadcast,
    "input target",
    "margin= " + _REDUCTION,
    "margin= " + _REDUCTION,
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
        return _reduced(_broadcast((log_input, target), fields), fields)


def _soft_margin(operands: Sequence[Shape], options: Options) -> Shape:
    """The input's shape; the target may not make it larger."""
    input, target = operands
    result = _broadcast(operands, options)
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


_loss("soft_margin_loss", "SoftMarginLoss", _soft_margin, "input target", _REDUCTION, _REDUCTION)


# Classification.


def _classified(probabilities: bool) -> Elements:
    """`[C]` with `[]`, or `[N, C, *d]` with `[N, *d]`; where it is allowed, probabilities of the
    input's own shape.  Source: torch.nn.CrossEntropyLoss, "Shape".
    """

    def elements(operands: Sequence[Shape], options: Options) -> Shape:
        input, target = operands
        _check_class_weight(input, options.get("weight"))
        if not isinstance(input, tuple):
            return UNKNOWN if probabilities else _without_batch_of_one(target)
        if not input:
            raise RankMismatch(shape=input, wanted="at least 1", blame=(Blame("input"),))
        left = drop(input, (0,) if len(input) == 1 else (1,))
        if isinstance(target, tuple):
            same = len(target) == len(input)
            if len(input) == 1 and same and sizes.possibly_one(target[0].size).possible:
                return ()  # a batch of one is taken for none
            wanted = input if same and probabilities else left
            _require_target(input, target, wanted)
        return left

    return elements


def _without_batch_of_one(target: Shape) -> Shape:
    """The target of an input of unknown rank: `[1]` may be what belongs to `[C]`."""
    if isinstance(target, tuple) and len(target) == 1:
        return UNKNOWN if sizes.possibly_one(target[0].size).possible else target
    return target


def _require_target(input: Dims, target: Dims, wanted: Dims) -> None:
    def mistake(mine: Size, other: Size, position: int) -> TargetSize:
        # A target of the input's rank that does not fit was rather meant to be one of classes.
        shown = drop(input, (0,) if len(input) == 1 else (1,))
        if len(input) <= 2 and len(target) > 1:
            text = "0D or 1D target tensor expected, multi-target not supported"
        elif len(input) <= 2:
            text = (
                f"Expected input batch_size ({input[0].size}) to match target batch_size "
                f"({target[0].size if target else 1})."
            )
        else:
            text = f"Expected target size {size_list(shown)}, got {size_list(target)}"
        return TargetSize(
            left=input,
            right=target,
            wanted=shown,
            position=position,
            left_size=mine,
            right_size=other,
            text=text,
            blame=(Blame("input"), Blame("target")),
        )

    if len(wanted) != len(target):
        raise mistake(UNKNOWN, UNKNOWN, -1)
    for back in range(1, len(wanted) + 1):
        mine, other = wanted[-back].size, target[-back].size
        if mine != other:
            require_equal(mine, other, mistake(mine, other, -back))


def _check_class_weight(input: Shape, weight: Shape | None) -> None:
    if not isinstance(weight, tuple) or not isinstance(input, tuple) or not input:
        return
    place = 0 if len(input) == 1 else 1
    if len(weight) != 1:
        raise RankMismatch(shape=weight, wanted="1", blame=(Blame("weight"),))
    classes = input[place].size
    text = (
        f"weight tensor should be defined either for all {classes} classes or no classes but got "
        f"weight tensor of shape: {size_list(weight)}"
    )
    mistake = ContractionSize(
        left=input,
        right=weight,
        left_size=classes,
        right_size=weight[0].size,
        text=text,
        blame=(Blame("input", place), Blame("weight", 0)),
    )
    require_equal(classes, weight[0].size, mistake)


_CLASSES = "weight= size_average= ignore_index= reduce= reduction=mean"
_loss(
    "cross_entropy",
    "CrossEntropyLoss",
    _classified(True),
    "input target",
    _CLASSES + " label_smoothing=",
    _CLASSES + " label_smoothing=",
)
_loss("nll_loss", "NLLLoss", _classified(False), "input target", _CLASSES, _CLASSES)


def _per_row(operands: Sequence[Shape], options: Options) -> Shape:
    """`[N, C] -> [N]`, `[C] -> []`.  Source: torch.nn.MultiMarginLoss, "Shape"."""
    input = operands[0]
    if isinstance(input, tuple) and len(input) > 2:
        text = (
            f"Expected non-empty vector or matrix with optional 0-dim batch size, got {len(input)}D"
        )
        raise RankMismatch(shape=input, wanted="1 or 2", text=text, blame=(Blame("input"),))
    return _without_last(input)


def _per_sample(operands: Sequence[Shape], options: Options) -> Shape:
    """`[*, C] -> [*]`.  Source: torch.nn.MultiLabelSoftMarginLoss, "Shape"."""
    return _without_last(_broadcast(operands, options))


def _without_last(input: Shape) -> Shape:
    dims = known_dims(input)
    if isinstance(input, tuple):
        return input[:-1]
    return trailing(dims[:-1])


_loss(
    "multi_margin_loss",
    "MultiMarginLoss",
    _per_row,
    "input target",
    f"p= margin= weight= {_REDUCTION}",
    f"p= margin= weight= {_REDUCTION}",
)
_loss(
    "multilabel_margin_loss",
    "MultiLabelMarginLoss",
    _per_row,
    "input target",
    _REDUCTION,
    _REDUCTION,
)
_loss(
    "multilabel_soft_margin_loss",
    "MultiLabelSoftMarginLoss",
    _per_sample,
    "input target",
    f"weight= {_REDUCTION}",
    f"weight= {_REDUCTION}",
)


def _gaussian(operands: Sequence[Shape], options: Options) -> Shape:
    """The input's and target's broadcast; the variance may lack the last dim.

    Source: torch.nn.GaussianNLLLoss, "Shape".
    """
    return _broadcast(operands[:2], options)


_loss(
    "gaussian_nll_loss",
    "GaussianNLLLoss",
    _gaussian,
    "input target var",
    "full= eps= reduction=mean",
    "* full= eps= reduction=mean",
)


# Losses of several vectors.


def _same_rank(operands: Sequence[Shape], names: Sequence[str], text: str) -> None:
    ranks = {len(shape) for shape in operands if isinstance(shape, tuple)}
    if len(ranks) > 1 and all(isinstance(shape, tuple) for shape in operands):
        blame = tuple(map(Blame, names))
        first = operands[0]
        wanted = str(len(known_dims(first)))
        other = next(s for s in operands if len(known_dims(s)) != len(known_dims(first)))
        raise RankMismatch(shape=other, wanted=wanted, text=text, blame=blame)


def _ranked(operands: Sequence[Shape], options: Options) -> Shape:
    """The broadcast of three tensors of one rank.  Source: torch.nn.MarginRankingLoss."""
    text = "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
    listed = ", ".join(
        f"{name}: torch.Size({size_list(shape)})"
        for name, shape in zip(("input1", "input2", "target"), operands, strict=True)
    )
    _same_rank(operands, ("input1", "input2", "target"), text + listed)
    return _broadcast(operands, options)


_loss(
    "margin_ranking_loss",
    "MarginRankingLoss",
    _ranked,
    "input1 input2 target",
    f"margin= {_REDUCTION}",
    f"margin= {_REDUCTION}",
)


def _cosine(operands: Sequence[Shape], options: Options) -> Shape:
    """`[N, D], [N, D], [N] -> [N]`, or without N.  Source: torch.nn.CosineEmbeddingLoss."""
    first, second, target = operands
    if isinstance(target, tuple):
        if len(target) > 1:
            text = "0D or 1D target tensor expected, multi-target not supported"
            raise RankMismatch(shape=target, wanted="0 or 1", text=text, blame=(Blame("target"),))
        wanted = len(target) + 1
        for shape, name in ((first, "input1"), (second, "input2")):
            if isinstance(shape, tuple) and len(shape) != wanted:
                text = (
                    f"{len(target)}D target tensor expects {wanted}D input tensors, but found "
                    f"inputs with sizes {size_list(first)} and {size_list(second)}."
                )
                blame = (Blame(name), Blame("target"))
                raise RankMismatch(shape=shape, wanted=str(wanted), text=text, blame=blame)
    vectors = broadcast(first, second, arguments=("input1", "input2"), suspicious=False)
    lead = _without_last(vectors)
    return broadcast(lead, target, arguments=("input1", "target"), suspicious=False)


_loss(
    "cosine_embedding_loss",
    "CosineEmbeddingLoss",
    _cosine,
    "input1 input2 target",
    f"margin= {_REDUCTION}",
    f"margin= {_REDUCTION}",
)


def _triplet(operands: Sequence[Shape], options: Options) -> Shape:
    """`[*, D]` three times: `[*]`.  Source: torch.nn.TripletMarginLoss, "Shape"."""
    ranks = [len(known_dims(shape)) for shape in operands]
    text = (
        "The anchor, positive, and negative tensors are expected to have the same number of "
        f"dimensions, but got: anchor {ranks[0]}D, positive {ranks[1]}D, and negative {ranks[2]}D "
        "inputs"
    )
    _same_rank(operands, ("anchor", "positive", "negative"), text)
    return _without_last(_broadcast(operands, options))


_loss(
    "triplet_margin_loss",
    "TripletMarginLoss",
    _triplet,
    "anchor positive negative",
    f"margin= p= eps= swap= {_REDUCTION}",
    f"margin= p= eps= swap= {_REDUCTION}",
)
_loss(
    "triplet_margin_with_distance_loss",
    "TripletMarginWithDistanceLoss",
    lambda operands, options: UNKNOWN,
    "anchor positive negative",
    "* distance_function= margin= swap= reduction=mean",
    "* distance_function= margin= swap= reduction=mean",
)


def _aligned(operands: Sequence[Shape], options: Options) -> Shape:
    """`[T, N, C] -> [N]`, `[T, C] -> []`.  Source: torch.nn.CTCLoss, "Shape"."""
    scores = operands[0]
    if not isinstance(scores, tuple):
        return UNKNOWN
    if len(scores) not in (2, 3):
        raise RankMismatch(shape=scores, wanted="2 or 3", blame=(Blame("log_probs"),))
    return scores[1:-1]


@op("torch.nn.functional.ctc_loss")
def ctc_loss(
    log_probs: Shape,
    targets: Shape,
    input_lengths: object,
    target_lengths: object,
    blank: object = 0,
    reduction: object = "mean",
    zero_infinity: object = False,
) -> Shape:
    """Likelihood over alignments.  Source: torch.nn.CTCLoss, "Shape"."""
    return _reduced(_aligned((log_probs,), {}), {"reduction": reduction})


@nn("loss", "CTCLoss")
class CTCLoss:
    """Likelihood over alignments.  Source: torch.nn.CTCLoss, "Shape"."""

    def __init__(
        self, blank: object = 0, reduction: object = "mean", zero_infinity: object = False
    ) -> None: ...

    @staticmethod
    def forward(
        fields: Fields,
        log_probs: Shape,
        targets: Shape,
        input_lengths: object,
        target_lengths: object,
    ) -> Shape:
        """One number per sample, reduced."""
        return _reduced(_aligned((log_probs,), fields), fields)
