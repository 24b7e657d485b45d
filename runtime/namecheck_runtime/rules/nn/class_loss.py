"""Losses of scores for classes: the target has the input's dims without that of the classes."""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import drop, require_equal
from namecheck_runtime.alignment import broadcast, check_names
from namecheck_runtime.declare import Dims, Fields, Shape, Size, op
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.broadcasts import TargetSize
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import ContractionSize
from namecheck_runtime.rules.nn.loss import (
    REDUCTION,
    Elements,
    Options,
    broadcast_all,
    declare_loss,
    named_by_another,
    reduced,
    without_last,
)
from namecheck_runtime.rules.nn.spatial import nn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def _classified(probabilities: bool) -> Elements:
    """`[C]` with `[]`, or `[N, C, *d]` with `[N, *d]`, or probabilities of the input's own shape.

    Source: torch.nn.CrossEntropyLoss, "Shape".
    """

    def elements(operands: Sequence[Shape], options: Options) -> Shape:
        input, target = operands
        _check_class_weight(input, options.get("weight"))
        if not isinstance(input, tuple):
            return UNKNOWN if probabilities else named_by_another(_without_batch_of_one(target))
        if not input:
            raise RankMismatch(shape=input, wanted="at least 1", blame=(Blame("input"),))
        left = drop(input, (0,) if len(input) == 1 else (1,))
        if isinstance(target, tuple):
            same = len(target) == len(input)
            if len(input) == 1 and same and sizes.possibly_one(target[0].size).possible:
                return ()  # a batch of one counts as no batch
            wanted = input if same and probabilities else left
            _require_target(input, target, wanted)
            if wanted is left:
                return broadcast(left, target, names=False, suspicious=False)
            return left  # the names of probabilities do not count
        return named_by_another(left)

    return elements


def _without_batch_of_one(target: Shape) -> Shape:
    """The target of an input of unknown rank: `[1]` may belong to `[C]`."""
    if isinstance(target, tuple) and len(target) == 1:
        return UNKNOWN if sizes.possibly_one(target[0].size).possible else target
    return target


def _require_target(input: Dims, target: Dims, wanted: Dims) -> None:
    def mistake(mine: Size, other: Size, position: int) -> TargetSize:
        # A target of the input's rank that does not fit was probably meant to be one of classes.
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
    check_names(wanted, target, arguments=("input", "target"))
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
_BUILT = _CLASSES.replace("ignore_index=", "ignore_index=-100")
declare_loss(
    "cross_entropy",
    "CrossEntropyLoss",
    _classified(True),
    "input target",
    _CLASSES + " label_smoothing=",
    _BUILT + " label_smoothing=0.0",
)
declare_loss("nll_loss", "NLLLoss", _classified(False), "input target", _CLASSES, _BUILT)


def _per_row(operands: Sequence[Shape], options: Options) -> Shape:
    """`[N, C] -> [N]`, `[C] -> []`.  Source: torch.nn.MultiMarginLoss, "Shape"."""
    input = operands[0]
    if isinstance(input, tuple) and len(input) > 2:
        text = (
            f"Expected non-empty vector or matrix with optional 0-dim batch size, got {len(input)}D"
        )
        raise RankMismatch(shape=input, wanted="1 or 2", text=text, blame=(Blame("input"),))
    return without_last(input)


def _per_sample(operands: Sequence[Shape], options: Options) -> Shape:
    """`[*, C] -> [*]`.  Source: torch.nn.MultiLabelSoftMarginLoss, "Shape"."""
    return without_last(broadcast_all(operands, options))


declare_loss(
    "multi_margin_loss",
    "MultiMarginLoss",
    _per_row,
    "input target",
    f"p= margin= weight= {REDUCTION}",
    f"p=1 margin=1.0 weight= {REDUCTION}",
)
declare_loss(
    "multilabel_margin_loss",
    "MultiLabelMarginLoss",
    _per_row,
    "input target",
    REDUCTION,
    REDUCTION,
)
declare_loss(
    "multilabel_soft_margin_loss",
    "MultiLabelSoftMarginLoss",
    _per_sample,
    "input target",
    f"weight= {REDUCTION}",
    f"weight= {REDUCTION}",
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
    return reduced(_aligned((log_probs,), {}), {"reduction": reduction})


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
        return reduced(_aligned((log_probs,), fields), fields)
