"""Losses: each calls the function of `nn.functional`.  Source: torch.nn.modules.loss."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn.modules.distance import PairwiseDistance
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.object import Tensor


class _Loss(DeclaredLayer, as_declared="MSELoss"):
    """A loss of one or several tensors, reduced as `reduction` says."""

    function: ClassVar[str]
    """Its name in `nn.functional`."""
    options: ClassVar[tuple[str, ...]] = ()
    """The attributes that the function takes, beside the reduction."""

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        result = {
            name: value
            for name, value in fields.items()
            if name not in ("weight", "pos_weight", "size_average", "reduce")
        }
        average, reduce = fields.get("size_average"), fields.get("reduce")
        if average is not None or reduce is not None:
            result["reduction"] = _of_flags(average is not False, reduce is not False)
        return result

    def _make_tensors(self, fields: Any) -> None:
        for name in ("weight", "pos_weight"):
            if name in fields:
                self.register_buffer(name, fields[name])

    def forward(self, *tensors: Any, **keywords: Any) -> Any:
        """The loss of the tensors: a number, or one for each element without a reduction."""
        options = {name: getattr(self, name) for name in (*self.options, "reduction")}
        return getattr(F, self.function)(*tensors, **keywords, **options)


class _WeightedLoss(_Loss, as_declared="BCELoss"):
    """A loss with a weight for each class or element."""


def _of_flags(size_average: bool, reduce: bool) -> str:
    """The reduction that the older flags mean."""
    reduction = "none" if not reduce else "mean" if size_average else "sum"
    warnings.warn(
        "size_average and reduce args will be deprecated, please use "
        f"reduction='{reduction}' instead.",
        stacklevel=6,
    )
    return reduction


class MSELoss(_Loss):
    """The square of the difference of `[*]` and `[*]`.  Source: torch.nn.MSELoss."""

    function = "mse_loss"


class L1Loss(_Loss):
    """The absolute difference of `[*]` and `[*]`.  Source: torch.nn.L1Loss."""

    function = "l1_loss"


class SmoothL1Loss(_Loss):
    """The absolute difference, squared near 0.  Source: torch.nn.SmoothL1Loss."""

    function, options = "smooth_l1_loss", ("beta",)


class HuberLoss(_Loss):
    """The square of the difference, straight far from 0.  Source: torch.nn.HuberLoss."""

    function, options = "huber_loss", ("delta",)


class BCELoss(_WeightedLoss):
    """The cross entropy of probabilities `[*]` and targets `[*]`.  Source: torch.nn.BCELoss."""

    function, options = "binary_cross_entropy", ("weight",)


class BCEWithLogitsLoss(_Loss):
    """The cross entropy of logits `[*]` and targets.  Source: torch.nn.BCEWithLogitsLoss."""

    function, options = "binary_cross_entropy_with_logits", ("weight", "pos_weight")


class KLDivLoss(_Loss):
    """The divergence of log probabilities `[*]` from targets.  Source: torch.nn.KLDivLoss."""

    function, options = "kl_div", ("log_target",)


class HingeEmbeddingLoss(_Loss):
    """Distances `[*]` for targets 1 and -1.  Source: torch.nn.HingeEmbeddingLoss."""

    function, options = "hinge_embedding_loss", ("margin",)


class PoissonNLLLoss(_Loss):
    """The likelihood of counts `[*]`.  Source: torch.nn.PoissonNLLLoss."""

    function, options = "poisson_nll_loss", ("log_input", "full", "eps")

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        """The loss of the tensors."""
        options = {name: getattr(self, name) for name in (*self.options, "reduction")}
        return F.poisson_nll_loss(log_input, target, **options)


class SoftMarginLoss(_Loss):
    """The logistic loss of `[*]` for targets 1 and -1.  Source: torch.nn.SoftMarginLoss."""

    function = "soft_margin_loss"


class GaussianNLLLoss(_Loss):
    """The likelihood of `[*]` with means and variances.  Source: torch.nn.GaussianNLLLoss."""

    function, options = "gaussian_nll_loss", ("full", "eps")


class CrossEntropyLoss(_WeightedLoss):
    """The cross entropy of logits `[N?, C, *]` and classes.  Source: torch.nn.CrossEntropyLoss."""

    function = "cross_entropy"
    options = ("weight", "ignore_index", "label_smoothing")


class NLLLoss(_WeightedLoss):
    """The likelihood of log probabilities `[N?, C, *]`.  Source: torch.nn.NLLLoss."""

    function, options = "nll_loss", ("weight", "ignore_index")


class MultiMarginLoss(_WeightedLoss):
    """The hinge loss of scores `[N?, C]` and a class.  Source: torch.nn.MultiMarginLoss."""

    function, options = "multi_margin_loss", ("p", "margin", "weight")

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        if fields["p"] not in (1, 2):
            raise ValueError("only p == 1 and p == 2 supported")
        return super()._attributes(fields)


class MultiLabelMarginLoss(_Loss):
    """The hinge loss of `[N?, C]` and several classes.  Source: torch.nn.MultiLabelMarginLoss."""

    function = "multilabel_margin_loss"


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """The logistic loss of `[N, C]` and classes.  Source: torch.nn.MultiLabelSoftMarginLoss."""

    function, options = "multilabel_soft_margin_loss", ("weight",)


class MarginRankingLoss(_Loss):
    """How far pairs `[N?]` are from their order.  Source: torch.nn.MarginRankingLoss."""

    function, options = "margin_ranking_loss", ("margin",)


class CosineEmbeddingLoss(_Loss):
    """The angle of pairs `[N?, D]` for targets 1 and -1.  Source: torch.nn.CosineEmbeddingLoss."""

    function, options = "cosine_embedding_loss", ("margin",)


class TripletMarginLoss(_Loss):
    """Which of two `[N?, D]` is nearer to an anchor.  Source: torch.nn.TripletMarginLoss."""

    function, options = "triplet_margin_loss", ("margin", "p", "eps", "swap")


class TripletMarginWithDistanceLoss(_Loss):
    """The same, with any distance.  Source: torch.nn.TripletMarginWithDistanceLoss."""

    function = "triplet_margin_with_distance_loss"
    options = ("distance_function", "margin", "swap")

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        if fields["margin"] <= 0:
            raise ValueError(
                "TripletMarginWithDistanceLoss: expected margin to be greater than 0, got "
                f"{fields['margin']} instead"
            )
        result = super()._attributes(fields)
        if result["distance_function"] is None:
            result["distance_function"] = PairwiseDistance()
        return result


class CTCLoss(_Loss):
    """The likelihood of sequences, from `[T, N?, C]`.  Source: torch.nn.CTCLoss."""

    function, options = "ctc_loss", ("blank", "zero_infinity")
