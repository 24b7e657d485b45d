"""Claims in comments, form by form, and comments that only look like a claim.

A claim is written here as `confidence label: before ~> alternative | alternative`, shapes in
jaxtyping's spelling; several claims are separated by `;`.
"""

from __future__ import annotations

import pytest

from namecheck_runtime.notation import Claim, read_comment, render


def spell(claim: Claim) -> str:
    label = f"{claim.label}: " if claim.label else ""
    shapes = [*map(render, claim.before), " | ".join(map(render, claim.alternatives))]
    return f"{claim.confidence} {label}{' ~> '.join(shapes)}"


def claims(comment: str) -> str:
    return "; ".join(map(spell, read_comment(comment)))


BRACKETS = {
    "# (B, T, C)": "whole B T C",
    "#(B,T,C)": "whole B T C",
    "#: [batch, seq_len, dim]": "whole batch seq_len dim",
    "(B, T, C)": "whole B T C",
    "# <B, T, C>": "whole B T C",
    "# (B, T, C).": "whole B T C",
    "# (M, N)": "whole M N",
    "# (n1, n2)": "whole n1 n2",
    "# (num_windows, num_windows)": "whole num_windows num_windows",
    "# (N, N)": "whole N N",
    "# [L, S]": "whole L S",
    "# - [B, T]": "whole B T",
    "# `(B, T)`": "whole B T",
    "# (B,)": "whole B",
    "# (d,)": "whole d",
    "# (`B`, `T`)": "whole B T",
    "# [B]": "whole B",
    "# [B*L*k]": "whole B*L*k",
    "# (B, T, C,)": "whole B T C",
    "# torch.Size([B, 5, dim])": "whole B 5 dim",
    "# torch.Size([2, 3])": "whole 2 3",
    "# (B, 1, T, S)": "whole B 1 T S",
    "# (..., N, M)": "whole ... N M",
    "# (*, N)": "whole ... N",
    "# (*batch, N)": "whole *batch N",
    "# [B, #heads, #N]": "whole B #heads #N",
    "# (B, -1, C)": "whole B _ C",
    "# (B, H', W')": "whole B H' W'",
    "# (B=2, T=5)": "whole B=2 T=5",
    "# (B:2, T:5)": "whole B=2 T=5",
    "# (B, self.heads, ks[0])": "whole B self.heads ks[0]",
    "# (batch size, seq len, 3)": "whole batch_size seq_len 3",
    "# [4, bs, seq-len]": "whole 4 bs seq_len",
}

ARITHMETIC = {
    "# (B, H*W, 2*C)": "whole B H*W 2*C",
    "# (bs * num_choices, dim)": "whole bs*num_choices dim",
    "# [1, seqlen]": "whole 1 seqlen",
    "# (B, H * W, C//2)": "whole B H*W C//2",
    "# (B, T-1, C+2)": "whole B T-1 C+2",
    "# (B, T - 1)": "whole B T-1",
    "# (B, 2d, 3N)": "whole B 2*d 3*N",
    "# (B, 2·L)": "whole B 2*L",
    "# (N, C//r^2, H*r)": "whole N C//r**2 H*r",
    "# (B, (H W), C)": "whole B H*W C",
    "# (B, H'W', C)": "whole B H'*W' C",
    "# [b, n x n, h]": "whole b n*n h",
    "# [B, N, 3 x hidden_size]": "whole B N 3*hidden_size",
    "# B,H,N,kxk": "whole B H N k*k",
    "# (B, max_tokens, p²*3)": "whole B max_tokens _",
    "# (B, ceil(T / 2), C)": "whole B _ C",
    "# (B, max(T, S), C)": "whole B _ C",
    "# (B, (T+2*p)//s, C)": "whole B (T+2*p)//s C",
}

LABELS = {
    "# x: (B, T, C)": "whole x: B T C",
    "# q [B,H,N]": "whole q: B H N",
    "# x (B, N)": "whole x: B N",
    "# x is (B, N, C)": "whole x: B N C",
    "# x = (B, N, C)": "whole x: B N C",
    "# x - (B, N, C)": "whole x: B N C",
    "# `pos` (B, N, C)": "whole pos: B N C",
    "# self.freqs: (h, f, 2)": "whole self.freqs: h f 2",
    "# x.shape = [b, s]": "whole x: b s",
    "# x.shape == (B, N)": "whole x: B N",
    "# Output -> B x M x K": "whole Output: B M K",
    "# q, k: (B, T)": "whole q: B T; whole k: B T",
    "# key and value: [B, N, d]": "whole key: B N d; whole value: B N d",
    "# value, key --> [B, d, P, N]": "whole value: B d P N; whole key: B d P N",
    "# q and k: (B, T), (B, S)": "whole q: B T; whole k: B S",
    "# q: (B, T), k: (B, S)": "whole q: B T; whole k: B S",
    "# coords: (HW, 2); periods: (dim)": "whole coords: HW 2; whole periods: dim",
    "# past: tensor [bs x context_length x n]": "whole past: bs context_length n",
    "# s: [b, k, p], p = m x m": "prose s: b k p",
    # not labels, but words
    "# each (B, N)": "whole B N",
    "# each (..., num_feats)": "whole ... num_feats",
    "# expand (B, N, C)": "prose B N C",
}

KEYWORDS = {
    "# forces are in the shape of (B, N, 3)": "whole forces: B N 3",
    "# shape: (*batch, N, N)": "whole *batch N N",
    "# Shape [b, n, d]": "whole b n d",
    "# shape = [batch, n_points]": "whole batch n_points",
    "# shape(batch_size, 64*32)": "whole batch_size 64*32",
    "# shape b x n x c": "whole b n c",
    "# shape: (3, 4)": "whole 3 4",
    "# shape (h, w)": "whole h w",
    "# torch.Tensor[B, N, 4]": "whole B N 4",
    "# x has shape [b, s]": "whole x: b s",
    "# x with shape (b, s)": "whole x: b s",
    "# x is a Tensor of shape (b, s*t)": "whole x: b s*t",
    "# x should be of shape (b, s)": "whole x: b s",
    "# shape of x is (b, s)": "whole x: b s",
    "# q, k have shape (b, s)": "whole q: b s; whole k: b s",
    "# grid shape is (h, w, 3) and theta shape is (n, 2, 3)": "whole grid: h w 3; "
    "whole theta: n 2 3",
    "# mask of shape (b, n) for the encoder": "keyword mask: b n",
    "# gives a tensor of shape (old_total, new_total) at last": "keyword old_total new_total",
    "# a tensor of shape (B, T)": "keyword B T",
    "# (num_pos, num_heads)-shaped mask": "keyword num_pos num_heads",
    "# (num_pos, num_heads) tensor": "keyword num_pos num_heads",
}

CROSSES = {
    "# B x T x C": "whole B T C",
    "# N x 768 x 17 x 17": "whole N 768 17 17",
    "# BxTxC": "whole B T C",
    "# 3xHxW": "whole 3 H W",
    "# B×T": "whole B T",
    "# B × T": "whole B T",
    "# N x 1000": "whole N 1000",
    "# [B x T x C]": "whole B T C",
    "# B x N (num_patches) x C": "whole B N C",
    "# N (batch) x C (= channels) x T": "whole N C T",
    "# B x (H W) (tokens) x C": "whole B H*W C",
    "# bs x num_heads x h*w": "whole bs num_heads h*w",
    "# B x N x (H*Q)": "whole B N H*Q",
    "# flatten NxCxHxW to NxCxHW": "prose N C H W ~> N C HW",
    "# B x T x C -> T x B x C": "whole B T C ~> T B C",
    "# [BxC]": "whole B C",
    "# (BxTxC)": "whole B T C",
    "# (BxT)": "",  # as one dim: `(BxT, C)`
}

SPACES = {
    "# (b h n d)": "whole b h n d",
    "# [H N]": "whole H N",
    "# (b (h d) n)": "whole b h*d n",
    "# B H W C": "whole B H W C",
    "# b t h w c": "whole b t h w c",
    "# B H' W' C": "whole B H' W' C",
    "# B C H W -> B HW C": "whole B C H W ~> B HW C",
    "# b c h w -> b (h w) c": "whole b c h w ~> b h*w c",
    "# b c h w -> b c 1 1": "whole b c h w ~> b c 1 1",
    "# x: g b n d -> b n (g e)": "whole x: g b n d ~> b n g*e",
}

COMMAS = {
    "# B, num_heads, H * W": "whole B num_heads H*W",
    "# nW*B, window_size, window_size, C": "whole nW*B window_size window_size C",
    "# 2, Wh*Ww, Wh*Ww": "whole 2 Wh*Ww Wh*Ww",
    "# B, C, *spatial_shape": "whole B C *spatial_shape",
    "# B, C, *spatial": "whole B C *spatial",
    "# -> batch_size, num_queries, 2": "whole batch_size num_queries 2",
    "# B, C, H, W -> B, H, W, C": "whole B C H W ~> B H W C",
}

LETTERS = {
    "# NCHW -> NLC": "whole N C H W ~> N L C",
    "# BNC -> BNH(C/H) -> BHN(C/H)": "whole B N C ~> B N H C/H ~> B H N C/H",
    "# B1C -> BC": "whole B 1 C ~> B C",
    "# BHWC": "whole B H W C",
    "# nchw -> nhwc": "whole n c h w ~> n h w c",
    "# NCHW to NHWC": "whole N C H W ~> N H W C",
}

CHAINS = {
    "# (B,T,C) -> (B,C,T)": "whole B T C ~> B C T",
    "# (B,T,C) --> (B,C,T)": "whole B T C ~> B C T",
    "# (B,T,C) → (B,C,T)": "whole B T C ~> B C T",
    "# (B,T,C) => (B,C,T) => (B*C,T)": "whole B T C ~> B C T ~> B*C T",
    "# -> (B, H, N)": "whole B H N",
    "# (V,) -> (B, V)": "whole V ~> B V",
    "# B x O > B x O x 1 > B x O x E": "whole B O ~> B O 1 ~> B O E",
    "# (B, T) >> (T, B)": "whole B T ~> T B",
    "# (B, C, H, W), permute -> (B, H, W, C)": "whole B C H W ~> B H W C",
    "# (B, N, C) -> strided conv -> (B, M, C)": "whole B N C ~> B M C",
    "# Reshape from (1, N, C) to (1, H, W, C)": "prose 1 N C ~> 1 H W C",
    "# [B, d, N] * [B, d, 1] --> [B, d, N]": "whole B d N",
    "# (B, N, d) @ (B, d, M) -> (B, N, M)": "whole B N M",
    "# [N, C] [N, C] --> [N]": "whole N",
    "# (N, C) (C, D) -> (N, D)": "whole N D",
    "# (B,L,14) @ (B,L,16) => (B,L,16) => (B,L,4,4) => (B,L,4)": (
        "whole B L 16 ~> B L 4 4 ~> B L 4"
    ),
    "# (B, Nxy, C)": "whole B Nxy C",
    "# (b, hxw, c)": "whole b h*w c",
    "# (sxx, syy, szz, sxy, sxz, syz)": "",
    "# Dimension: (B, T)": "whole B T",
    "# Dim: (B, T)": "whole B T",
    "# BNd @ BdM -> BNM": "",
    "# (B, N) -> (B, N, 1) or (B, 1, N)": "whole B N ~> B N 1 | B 1 N",
}

SEVERAL = {
    "# (..., M, C) or (..., M)": "whole ... M C | ... M",
    "# [B, N] / [B, N, 1]": "whole B N | B N 1",
    "# (B, N), or (B, M)": "whole B N | B M",
    "# (B, N), (B, M)": "whole B N; whole B M",
    "# [B, 1, C] and [B, N, C]": "whole B 1 C; whole B N C",
    "# 2 * (HW, dim)": "whole HW dim; whole HW dim",
    "# 3 x [b, n, d]": "whole b n d; whole b n d; whole b n d",
}

PROSE = {
    "# reshape to [B, T, C]": "prose B T C",
    "# gives attn [batch_size, ngram, num_heads, len]": "prose batch_size ngram num_heads len",
    "# [B, T] (True = keep)": "prose B T",
    "# back to (batch_size, num_channels, h) for the head": "prose batch_size num_channels h",
    "# coords: [b, n, 3] normalized to [-1, 1]": "prose coords: b n 3",
}

TABLES = [
    BRACKETS, ARITHMETIC, LABELS, KEYWORDS, CROSSES, SPACES, COMMAS, LETTERS, CHAINS, SEVERAL,
    PROSE,
]  # fmt: skip


@pytest.mark.parametrize(
    ("comment", "expected"), [case for table in TABLES for case in table.items()]
)
def test_reads(comment: str, expected: str) -> None:
    assert claims(comment) == expected


# Each line is reworded from a comment that was once read as a shape, or could easily be.
NOTHING = """
# the usual way
# (cosine, tanh, poly)
# (deprecated, use the other one)
# (main_logits, aux_logits)
# (source_path, target_path)
# (sin, cos) of each position
# (x, y)
# (i, j)
# turn (y, x) into (x, y)
# order: [B A D C]
# B x N (+1) x C
# points: [x, y]
# (image0, image1) -> (image1, image0)
# n-1, n, n+1
# [x0, y0, x1, y1, ...] and so on
# q, k, v
# in_chs, mid_chs, blocks, downsample, kernel_size
# loss, logits, labels
# sent through the backbone, neck, and head
# k, t, c, SE, s
# [1, 2, 3]
# (64, 128, 256)
# (2, 1000)
# e.g. (7, 8) -> (2, 3)
# [0, 1] -> [-1, 1]
# in (0, N)
# in the range [0, T]
# between [a, b]
# (0.9, 0.999)
# [2l-1, 2u-1].
# (True, False, None)
# ('a', 'b')
# ["B", "T"]
# (Tensor, int) -> Tensor
# type: (Tensor, Tensor) -> Tensor
# type: ignore[B, T]
# noqa: E501, F401
# x = x.view(B, T, C)
# x = x.transpose(1, 2)  # (B, C, T)
# x, y = f(a, b)
# for b in (B, T):
# return (B, T)
# assert x.shape == (B, T)
# print(x.shape)  # (B, T)
# foo(B, T)
# foo(x)[B, T]
# x[B, T]
# (B, T)[0]
# (a, b).view
# f((B, T, C)) is slow
# flatten the pattern (c, (b, a))
# see https://example.org/(B,T,C)
# $x \\in (B, T)$
# \\mathbb{R}^{B}, (B, T, C)
# p(x_{t-1} | x_t, x_0)
# over dims (H, W)
# sum over the axes (B, H, W)
# axes (H, W)
# position (H, W) in the grid
# kernel (kh, kw) and stride (sh, sw)
# (s, t)-path
# the edge (N, v) is gone
# list of (B, T, C)
# a tuple of [B, T, C]
# input_size=(C, H, W)
# A @ B
# (B, N, d) @ (B, d, M)
# (B, T) * (B, T)
# mean of (B, T, C) + something
# feature map 28x28
# a 3x3 conv, then 1x1
# 8xA100
# q and k are compared -> C x C map of it
# shifted by p, where p = m x m
# d_1 x ... x d_n x channel
# fixed, mixed and relaxed axis
# norm -> pool -> fc
# RGB -> BGR
# 1 -> 4 -> 1
# Copied from a.b.C with Old->New
# NEW
# FFN
# TODO, FIXME
# I / O
# shape (sample_shape, batch_shape)
# [(T-1, T-2), (T-2, T-3)]
# [  C     A  ]
# (B, C) or a scalar
# either (L, S) or (N*h, L, S, whatever they say)
# (N, S, E) if batch_first
# Mask is (bs, klen) (causal) or (bs, klen, klen)
# from (B, T, C)
# before: (B, T, C)
# originally (B, T, C)
# expects [B, T, C] here
# if masked, we return [B, T, C]
# When True, gives a tensor with shape (n, m)
# first [B, T, C], and much later it is [B, C, T]
# [B, C, (T), H]
# (B, 0, C)
# (d)
# (some_thing*B, other_thing*B)
# 2 B C
# heads dim depth
# some_thing, num_heads, 2
# (..., N, ...)
# of size (height, width)
# of size (ph, pw)
# (B=n, T=5, C=other)
# (first_thing, some_thing*B, other)
# (B, first_thing, other_thing) are kept
# one of several or raw (B, T, C)
# a stack of (B, T, C)
# foo x bar x baz
# goes to (d, e) now
# (B, (T), C)
# (dim=1, B)
# (B, T, C) in order
# (B, T, C) == (8, 16, 32)
# (B, T, C) = (8, 16, 32)
# reshape(b, n, -1) of x
# strided like [H, 1, 1, 1] strides
# (B
# B, T)
# ()
# []
# ((((((((((((((((((((B, T
# which can be reshaped to (B, T, C)
# has to be viewed as shape (B, T, C), to be flattened into shape (B, T*C)
# after reshape to (B, T, C)
# before being flattened to (B, T, C)
# broadcastable to (B, T, C)
# no longer of shape (B, T, C)
# not a tensor of shape (B, T, C)
# used to be (B, T, C)
#
# #
"""


@pytest.mark.parametrize("comment", [line for line in NOTHING.splitlines() if line])
def test_reads_nothing(comment: str) -> None:
    assert claims(comment) == ""


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("# shape (B, C) rather than shape (B, T, C)", "keyword B C"),
        ("# shape (B, C) instead of (B, T, C)", "keyword B C"),
        ("# reshaped to (B, T, C)", "prose B T C"),
        ("# expand to shape (B, T, C)", "keyword B T C"),
        ("# not scaled; shape (B, T, C)", "keyword B T C"),
    ],
)
def test_words_in_front_say_that_the_value_has_not_that_shape(comment: str, expected: str) -> None:
    assert claims(comment) == expected


def test_directives_are_not_part_of_the_comment() -> None:
    assert claims("# (B, T)  # noqa: E501") == "whole B T"
    assert claims("# noqa: E501  # (B, T)") == "whole B T"
    assert claims("# (B, T)  # namecheck: ignore[NC402] y: (B, C) is wanted") == "whole B T"
    assert claims("# namecheck: ignore[NC202] y: (B, C)") == ""
    assert claims("# type: ignore # x: [B, T]") == "whole x: B T"


def test_a_claim_knows_its_place() -> None:
    comment = "# q: (B, 2 * T) -> [B, T]  # noqa"
    (claim,) = read_comment(comment)
    assert comment[claim.start : claim.end] == "(B, 2 * T) -> [B, T]"
    (before,), (after,) = claim.before, claim.alternatives
    assert comment[before.start : before.end] == "(B, 2 * T)"
    assert [comment[dim.start : dim.end] for dim in before.dims] == ["B", "2 * T"]
    assert comment[after.start : after.end] == "[B, T]"


def test_letters_of_a_run_know_their_place() -> None:
    comment = "# x: BNC -> B1(C/H)N"
    (claim,) = read_comment(comment)
    dims = claim.alternatives[0].dims
    assert [comment[dim.start : dim.end] for dim in dims] == ["B", "1", "(C/H)", "N"]
    (compact,) = read_comment("# BxHx3")
    assert [(dim.start, dim.end) for dim in compact.alternatives[0].dims] == [
        (2, 3),
        (4, 5),
        (6, 7),
    ]
