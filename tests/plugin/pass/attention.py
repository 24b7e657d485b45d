"""Attention with named dims: every step names its dims."""

from __future__ import annotations

import math
from typing import Literal as L

import namecheck_runtime.nn.functional as F

import namecheck_runtime as nt
from namecheck_runtime import Tensor

Batch = L["N"]
Time = L["T"]
Source = L["S"]
Channel = L["C"]
Heads = L["H"]
Depth = L["D"]

Sequence = Tensor[Batch, Time, Channel]


def scores(
    query: Tensor[Batch, Heads, Time, Depth], key: Tensor[Batch, Heads, Source, Depth]
) -> Tensor[Batch, Heads, Time, Source]:
    turned = key.transpose("S", "D")
    return query @ turned / math.sqrt(8)


def attention(
    query: Tensor[Batch, Heads, Time, Depth],
    key: Tensor[Batch, Heads, Source, Depth],
    value: Tensor[Batch, Heads, Source, Depth],
    mask: Tensor[Time, Source] | None = None,
) -> Tensor[Batch, Heads, Time, Depth]:
    weights = scores(query, key)
    if mask is not None:
        weights = weights.masked_fill(mask == 0, -1e9)
    weights = F.softmax(weights, dim="S")
    return weights @ value


def split_heads(x: Sequence, heads: int = 2) -> Tensor[Batch, Heads, Time, Depth]:
    split = x.unflatten("C", [("H", heads), ("D", x.size("C") // heads)])
    return split.align_to("N", "H", "T", "D")


def merge_heads(x: Tensor[Batch, Heads, Time, Depth]) -> Sequence:
    return x.align_to("N", "T", "H", "D").flatten(["H", "D"], "C")


def causal(time: int) -> Tensor[Time, Source]:
    return nt.ones(time, time, names=("T", "S")).rename(None).tril().rename("T", "S")


class SelfAttention:
    def __init__(self, channels: int, heads: int) -> None:
        self.heads = heads
        self.query = nt.randn(channels, channels, names=("C", "E"))
        self.key = nt.randn(channels, channels, names=("C", "E"))
        self.value = nt.randn(channels, channels, names=("C", "E"))
        self.out: Tensor[L["E"], Channel] = nt.randn(channels, channels, names=("E", "C"))

    def project(self, x: Sequence, weight: Tensor[Channel, L["E"]]) -> Sequence:
        return (x @ weight).rename(E="C")

    def __call__(self, x: Sequence) -> Sequence:
        q = split_heads(self.project(x, self.query), self.heads)
        k = split_heads(self.project(x, self.key), self.heads).rename(T="S")
        v = split_heads(self.project(x, self.value), self.heads).rename(T="S")
        mixed = attention(q, k, v, causal(x.size("T")))
        return merge_heads(mixed).rename(C="E") @ self.out


class Block:
    def __init__(self, channels: int, heads: int) -> None:
        self.attention = SelfAttention(channels, heads)
        self.scale = nt.ones(channels, names=("C",))
        self.shift = nt.zeros(channels, names=("C",))
        self.up = nt.randn(channels, 4 * channels, names=("C", "F"))
        self.down = nt.randn(4 * channels, channels, names=("F", "C"))

    def norm(self, x: Sequence) -> Sequence:
        mean = x.mean("C", keepdim=True)
        variance = x.var("C", unbiased=False, keepdim=True)
        return (x - mean) / (variance + 1e-5).sqrt() * self.scale + self.shift

    def feed(self, x: Sequence) -> Sequence:
        return F.gelu(x @ self.up) @ self.down

    def __call__(self, x: Sequence) -> Sequence:
        x = x + self.attention(self.norm(x))
        return x + self.feed(self.norm(x))


class Model:
    def __init__(self, vocabulary: int, channels: int, heads: int, depth: int) -> None:
        self.table = nt.randn(vocabulary, channels, names=("V", "C"))
        self.blocks = [Block(channels, heads) for _ in range(depth)]

    def __call__(self, tokens: Tensor[Batch, Time]) -> Tensor[Batch, Time, L["V"]]:
        x: Sequence = F.embedding(tokens.rename(None), self.table.rename(None)).rename(
            "N", "T", "C"
        )
        for block in self.blocks:
            x = block(x)
        return x @ self.table.transpose("V", "C")


model = Model(vocabulary=11, channels=8, heads=2, depth=2)
tokens = nt.zeros(2, 5, names=("N", "T"), dtype=nt.int64)
logits = model(tokens)
assert logits.names == ("N", "T", "V")
best = logits.argmax("V")
assert best.names == ("N", "T")
loss = -logits.log_softmax("V").mean(("N", "T", "V"))
assert loss.names == ()
