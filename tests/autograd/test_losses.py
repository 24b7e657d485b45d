"""Losses whose measured calls leave a way through them out: recorded values are the plain ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import namecheck_runtime as nt

WAYS: list[dict[str, Any]] = [
    {},
    {"reduction": "sum"},
    {"reduction": "none"},
    {"label_smoothing": 0.25},
    {"weight": nt.tensor([1.0, 2.0, 0.5, 3.0], dtype=nt.float64)},
]


@pytest.mark.parametrize("options", WAYS, ids=lambda options: ",".join(options) or "mean")
@pytest.mark.parametrize("probabilities", [True, False])
def test_cross_entropy(probabilities: bool, options: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    logits = nt.tensor(rng.standard_normal((5, 4)), requires_grad=True)
    target = nt.tensor(rng.dirichlet(np.ones(4), 5) if probabilities else rng.integers(0, 4, 5))

    def loss(x: Any) -> Any:
        return nt.nn.functional.cross_entropy(x, target, **options)

    plain = loss(logits.detach())
    np.testing.assert_allclose(loss(logits).detach().numpy(), plain.numpy())
    assert nt.autograd.gradcheck(loss, (logits,))
