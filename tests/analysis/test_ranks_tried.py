"""Ranks of parameters with defaults are tried together: most fit with any."""

from __future__ import annotations

from collections import Counter

import pytest

from namecheck.analysis import analyze
from namecheck.analysis.state import suppositions

OPTIONS = ", ".join(f"{letter}=None" for letter in "abcdefghijkl")
PROGRAM = f"""
import torch
from einops import rearrange
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.to_qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x, {OPTIONS}):
        y = self.norm(x) if a is None else a
        q = self.to_qkv(self.norm(x)).chunk(3, dim=-1)[0]
        return rearrange(q, "b n (h d) -> b h n d", h=8)


def listed(x, {OPTIONS}):
    first, second = b
    return x + first


def scaled(x, {OPTIONS}):
    y = torch.relu(x)
    return y


def calls(u):
    B, T, C = u.shape
    return scaled(u, k=u[0])
"""


@pytest.fixture
def trials(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each function is run on trial."""
    count: Counter[str] = Counter()
    run = suppositions._Trials._run

    def counted(self, function, supposed):  # type: ignore[no-untyped-def]
        count[function.name] += self.ev.trials.is_on
        return run(self, function, supposed)

    monkeypatch.setattr(suppositions._Trials, "_run", counted)
    return count


def test_parameters_that_fit_with_any_rank_take_one_trial(trials: Counter[str]) -> None:
    analysis = analyze("program.py", PROGRAM.encode(), thorough=True)
    # One by one, 12 parameters take two trials each.
    assert trials["forward"] <= 12
    assert trials["listed"] <= 8
    assert trials["scaled"] <= 12
    shown = {(one.target, one.kind): one.dims_text for one in analysis.shapes}
    assert shown["x", "parameter"].count(",") == 2
    assert shown["y", "assign"].count(",") == 2
    assert ("b", "parameter") not in shown
