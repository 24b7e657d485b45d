"""Random ops draw from the distribution that they are named after, and a seed repeats a draw."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest

import namecheck_runtime as nt
from namecheck_runtime.tensors.kernels import random
from namecheck_runtime.tensors.kernels.activation import KERNELS as ACTIVATIONS

COUNT = 20_000
"""The number of draws."""


class Law(NamedTuple):
    """The known properties of drawn numbers: median or mean, variance, and bounds."""

    centre: float
    variance: float | None
    """None if the law has none; then `centre` is the median."""
    low: float = -math.inf
    high: float = math.inf
    whole: bool = False


N = COUNT
LAWS: dict[str, tuple[str, Law]] = {
    "Tensor.bernoulli_": ("nt.zeros(N).bernoulli_(0.3)", Law(0.3, 0.21, 0, 1, True)),
    "Tensor.cauchy_": ("nt.zeros(N).cauchy_(2, 3)", Law(2, None)),
    "Tensor.exponential_": ("nt.zeros(N).exponential_(2)", Law(0.5, 0.25, 0)),
    "Tensor.geometric_": ("nt.zeros(N).geometric_(0.4)", Law(2.5, 3.75, 1, whole=True)),
    "Tensor.log_normal_": (
        "nt.zeros(N).log_normal_(0.1, 0.5)",
        Law(math.exp(0.225), math.expm1(0.25) * math.exp(0.45), 0),
    ),
    "Tensor.normal_": ("nt.zeros(N).normal_(1, 2)", Law(1, 4)),
    "Tensor.random_": ("nt.zeros(N).random_(3, 8)", Law(5, 2, 3, 7, True)),
    "Tensor.uniform_": ("nt.zeros(N).uniform_(-1, 3)", Law(1, 16 / 12, -1, 3)),
    "torch.bernoulli": ("nt.bernoulli(nt.full((N,), 0.3))", Law(0.3, 0.21, 0, 1, True)),
    "torch.binomial": (
        "nt.binomial(nt.full((N,), 10.0), nt.full((N,), 0.3))",
        Law(3, 2.1, 0, 10, True),
    ),
    "torch.multinomial": (
        "nt.multinomial(nt.tensor([1.0, 0.0, 3.0]), N, True)",
        Law(1.5, 0.75, 0, 2, True),
    ),
    "torch.normal": ("nt.normal(1.0, 2.0, (N,))", Law(1, 4)),
    "torch.poisson": ("nt.poisson(nt.full((N,), 4.0))", Law(4, 4, 0, whole=True)),
    "torch.rand": ("nt.rand(N)", Law(0.5, 1 / 12, 0, 1)),
    "torch.rand_like": ("nt.rand_like(nt.zeros(N))", Law(0.5, 1 / 12, 0, 1)),
    "torch.randint": ("nt.randint(3, 8, (N,))", Law(5, 2, 3, 7, True)),
    "torch.randint_like": ("nt.randint_like(nt.zeros(N), 3, 8)", Law(5, 2, 3, 7, True)),
    "torch.randn": ("nt.randn(N)", Law(0, 1)),
    "torch.randn_like": ("nt.randn_like(nt.zeros(N))", Law(0, 1)),
    "torch.randperm": ("nt.randperm(N)", Law((N - 1) / 2, (N * N - 1) / 12, 0, N - 1, True)),
}
"""A program for each op that draws, and the law of its numbers."""


def drawn(program: str) -> Any:
    return np.asarray(eval(program, {"nt": nt, "N": N}).double().numpy())


@pytest.mark.parametrize("op", sorted(LAWS))
def test_the_distribution(op: str) -> None:
    program, law = LAWS[op]
    nt.manual_seed(7)
    x = drawn(program)
    assert x.shape == (N,)
    assert x.min() >= law.low
    assert x.max() <= law.high
    assert not law.whole or (x == np.rint(x)).all()
    if law.variance is None:
        assert abs(np.median(x) - law.centre) < 0.15
        return
    assert abs(x.mean() - law.centre) < 5 * math.sqrt(law.variance / N)
    assert x.var() == pytest.approx(law.variance, rel=0.12)


@pytest.mark.parametrize("op", sorted(LAWS))
def test_a_seed_repeats_it(op: str) -> None:
    program, _ = LAWS[op]
    nt.manual_seed(3)
    first, second = drawn(program), drawn(program)
    nt.manual_seed(3)
    assert (drawn(program) == first).all()
    assert (first != second).any()


def test_every_op_that_draws_has_a_law() -> None:
    assert random.KERNELS.keys() == LAWS.keys()


F = nt.nn.functional
DROPOUTS = [name.rpartition(".")[2] for name in ACTIVATIONS if "functional" in name]


@pytest.mark.parametrize("name", sorted({n for n in DROPOUTS if "dropout" in n}))
def test_dropouts(name: str) -> None:
    """Elements are dropped only in training; the others are scaled so that the mean stays."""
    x = nt.ones(50, 40, 3, 3, 3)
    if name[-2:] in ("1d", "2d"):
        x = nt.ones(50, 40, *[10] * int(name[-2]))
    nt.manual_seed(1)
    drop = getattr(F, name)
    assert (drop(x, 0.25, False) == 1).all()
    result = drop(x, 0.25, True).numpy()
    values, counts = np.unique(result, return_counts=True)
    assert len(values) == 2
    dropped = counts[values.argmin()] / result.size
    assert abs(dropped - 0.25) < 0.06
    if "alpha" not in name:
        assert values.tolist() == pytest.approx([0, 1 / 0.75])
        assert abs(result.mean() - 1) < 0.08


def test_gumbel_softmax() -> None:
    nt.manual_seed(5)
    logits = nt.tensor([[0.0, math.log(3.0)]]).expand(4000, 2)
    soft, hard = F.gumbel_softmax(logits), F.gumbel_softmax(logits, hard=True)
    assert soft.sum(1).numpy() == pytest.approx(1)
    assert set(np.unique(hard.numpy())) == {0, 1}
    assert hard.mean(0)[1].item() == pytest.approx(0.75, abs=0.04)
