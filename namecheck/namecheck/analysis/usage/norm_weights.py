"""Whether the weight of a hand-written RMS norm lies along the axis that it normalises (NC307).

    scale = torch.rsqrt(x.square().mean(-2, keepdim=True) + eps)
    return x * scale * self.weight

A norm of batches, or of maps, has a weight for each channel, and takes its means over all other
dims. One that takes the mean over a single dim, and no mean away, has a weight for each element.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import Statistic, Tensor, Value
from namecheck.analysis.usage.marks import statistic_of
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import WeightAxis
from namecheck_runtime.sizes import Origin, plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def scaled(ev: Evaluator, is_product: bool, left: Value, right: Value) -> Statistic | None:
    """What a value is that is divided by the root of the mean of its squares."""
    pairs = ((left, right), (right, left)) if is_product else ((left, right),)
    for value, scale in pairs:
        statistic = statistic_of(scale)
        if statistic is not None and statistic.kind == "scale":
            if ev.resolve(statistic.of) is ev.resolve(value):
                return Statistic("scaled", value, statistic.dims)
    return None


def check(
    ev: Evaluator,
    value: Value,
    weight: Value,
    node: ir.Node,
    name: str,
    arguments: Sequence[Argument],
) -> None:
    """Compare the dim that a value was normalised over with that of the weight (NC307)."""
    statistic = statistic_of(value)
    if statistic is None or statistic.kind != "scaled" or len(statistic.dims) != 1:
        return
    if not isinstance(value, Tensor) or not _is_weight(weight):
        return
    (dim,) = statistic.dims
    rank = len(value.shape) if isinstance(value.shape, tuple) else 0
    if dim >= 0 and not rank:
        return  # it may be the last
    place = dim - rank if dim >= 0 else dim
    if place == -1 or place == -rank:
        return  # the first dim is that of a batch, of which a norm may take the mean
    mistake = WeightAxis(
        shape=ev.current(value.shape),
        mean_dims=(dim,),
        spread_dims=(rank - 1 if dim >= 0 else -1,),
        op=name,
        blame=(Blame("input"), Blame("other")),
    )
    named = dict(zip(("input", "other"), arguments, strict=False))
    ev.blame(mistake, mistake.level, node, named)


def _is_weight(value: Value) -> bool:
    """Whether a value has one dim of a configured size, as the weight of a norm has."""
    if not isinstance(value, Tensor) or not isinstance(value.shape, tuple):
        return False
    if len(value.shape) != 1:
        return False
    (dim,) = value.shape
    atom = plain_symbol(dim.size)
    return isinstance(dim.size, int) or (atom is not None and atom.origin is Origin.CONFIG)


__all__ = ["check", "scaled"]
