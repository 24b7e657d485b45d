"""Sizes that a program computes: they shape arrays, and annotations are compared with those."""

import numpy as np
from jaxtyping import Float

Array = np.ndarray


def unpacked(x: Float[Array, "b t c"]) -> Float[Array, "b c t"]:
    b, t, c = x.shape
    return x.reshape(b, t, c)  # NC401


def merged(x: Float[Array, "b t c"]) -> Float[Array, "b t*c"]:
    b, t, c = x.shape
    return x.reshape(b, t * c)


def merged_and_split(x: Float[Array, "b t c"], heads: int) -> Float[Array, "b t c"]:
    b, t, c = x.shape
    y = x.reshape(b, t, heads, c // heads)
    y = y.transpose(0, 2, 1, 3)
    return y.transpose(0, 2, 1, 3).reshape(b, t, c)


def by_place(x: Float[Array, "b t c"]) -> Float[Array, "b c"]:
    return np.zeros((x.shape[0], x.shape[1]))  # NC401


def from_the_right(x: Float[Array, "b t c"]) -> Float[Array, "b c"]:
    return np.zeros((x.shape[0], x.shape[-1]))


def with_stars(x: Float[Array, "b t c"]) -> Float[Array, "b t 2 c"]:
    np.zeros((*x.shape[:-1], 5)) + np.zeros(4)  # NC201
    return np.zeros((*x.shape[:-1], 2, x.shape[2]))


def added(x: Float[Array, "b t c"]) -> Float[Array, "b t c"]:
    return np.zeros(x.shape[:1] + x.shape[1:])


def multiplied(x: Float[Array, "b t c"], w: Float[Array, "c d"]) -> Float[Array, "b*t d"]:
    n = x.shape[0] * x.shape[1]
    flat = x.reshape(n, -1)
    x.reshape(n, x.shape[1])  # NC204
    return flat @ w


def rank(x: Float[Array, "b t c"]) -> Float[Array, "b c"]:
    return x.sum(axis=x.ndim - 1)  # NC401


def asserted(x: Float[Array, "b t"], y: Float[Array, "b s"]) -> None:
    _, t = x.shape
    s = y.shape[1]
    assert t == s
    x + y


def not_compared(x: Float[Array, "b t"], y: Float[Array, "b s"]) -> None:
    n = len("ab")
    if n == 2:
        x + y  # NC201


def counted(x: Float[Array, "b t"], y: Float[Array, "b s"], n: int) -> None:
    for k in range(n):
        np.zeros((k, n)) + np.zeros((n, k))
    total = 0
    total += x.shape[0]
    np.zeros((total, 3)) @ np.zeros((3, total)) @ x


def mean_of(x: Float[Array, "n d"]) -> Float[Array, "n d"]:
    x - x.mean(axis=1)  # NC202
    return x - x.mean(axis=1, keepdims=True)


def a_number(x: Float[Array, "b 64"], d: Float[Array, "b d"]) -> Float[Array, "64 b"]:
    return x  # NC401


def a_number_for_a_name(x: Float[Array, "b d"]) -> Float[Array, "b 3"]:
    return x  # NC401


def a_number_that_was_asked_for(x: Float[Array, "b d"]) -> Float[Array, "b 3"]:
    assert x.shape[1] == 3
    return x
