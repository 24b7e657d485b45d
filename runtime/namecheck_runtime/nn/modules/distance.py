"""Distances of vectors.  Source: torch.nn.modules.distance."""

from __future__ import annotations

from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.object import Tensor


class PairwiseDistance(DeclaredLayer):
    """The distance of vectors: `[N?, D], [N?, D] -> [N?]`.  Source: torch.nn.PairwiseDistance."""

    def _attributes(self, fields: dict[str, object]) -> dict[str, object]:
        result = super()._attributes(fields)
        return {"norm": result.pop("p"), **result}

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """The norm of the difference."""
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


class CosineSimilarity(DeclaredLayer):
    """The cosine of the angle of vectors along a dim.  Source: torch.nn.CosineSimilarity."""

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """The cosine along the dim."""
        return F.cosine_similarity(x1, x2, self.dim, self.eps)
