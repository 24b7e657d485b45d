"""Variables that are bound more than once have a known value at each read."""

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from jaxtyping import Float

Array = np.ndarray


def bound_anew(x: Float[Array, "b t c"]) -> Float[Array, "b c"]:
    x = x.sum(axis=2)
    return x  # NC401


def bound_anew_twice(x: Float[Array, "b t c"]) -> Float[Array, "b"]:
    x = x.sum(axis=2)
    x = x.sum(axis=1)
    return x


def left_alone_in_one_way(x: Float[Array, "b t c"], flag: bool) -> Float[Array, "b c"]:
    if flag:
        x = x.sum(axis=1)
        return x
    x = x.mean(axis=2)
    return x  # NC401


def bound_in_both_ways(x: Float[Array, "b t c"], flag: bool) -> Float[Array, "b c"]:
    if flag:
        x = x.sum(axis=1)
    else:
        x = x.mean(axis=1)
    return x


def bound_in_one_way(x: Float[Array, "b t c"], flag: bool) -> Float[Array, "b c"]:
    if flag:
        x = x.sum(axis=2)
    return x


def in_a_loop(x: Float[Array, "b t c"], y: Float[Array, "b t"]) -> Float[Array, "b c"]:
    for _ in range(2):
        z = x.sum(axis=1)
        z + y  # NC201
        z = x.sum(axis=2)
        z + y
    return x  # NC401


def bound_in_a_loop(x: Float[Array, "b t c"]) -> Float[Array, "b c"]:
    for _ in range(2):
        x = x.sum(axis=0)
        x[0, 0, 0, 0]
    return x


def until(x: Float[Array, "b t c"]) -> Float[Array, "b c"]:
    while x.ndim > 2:
        x = x.sum(axis=0)
    else:
        x + x.T
    return x


def swapped(x: Float[Array, "b t c"]) -> Float[Array, "b c"]:
    a, b = x.sum(axis=1), x.sum(axis=2)
    a, b = b, a
    a = a + 0
    return a  # NC401


def unpacked(x: Float[Array, "b t c"]) -> Float[Array, "b c"]:
    first, second = split(x)
    return first  # NC401


def split(x: Float[Array, "b t c"]) -> tuple[Float[Array, "b t"], Float[Array, "b c"]]:
    return x.sum(axis=2), x.sum(axis=1)


def suppressed(x: Float[Array, "b t c"]) -> Float[Array, "b c"]:
    with contextlib.suppress(ValueError):
        x = x.sum(axis=2)
    return x


def within(x: Float[Array, "b t c"]) -> Float[Array, "b c"]:
    with contextlib.nullcontext() as nothing:
        x = x.sum(axis=2)
    return x  # NC401


def tried(x: Float[Array, "b t c"]) -> Float[Array, "b c"]:
    try:
        x = x.sum(axis=2)
    except ValueError:
        x = x.sum(axis=2)
    return x


def tried_and_left(x: Float[Array, "b t c"]) -> Float[Array, "b c"]:
    try:
        x = x.sum(axis=1)
        y = x.T
    except ValueError:
        raise
    finally:
        x + x.T
    return y  # NC401


def caught(x: Float[Array, "b t c"]) -> Float[Array, "b c"]:
    y = x
    try:
        y = x.sum(axis=1)
        y = y.T
    except ValueError:
        return y
    return y  # NC401


def shared(x: Float[Array, "b t c"]) -> Float[Array, "b c"]:
    x = x.sum(axis=2)

    def later() -> None:
        nonlocal x
        x = x.sum(axis=0)

    later()
    return x


def read_later(x: Float[Array, "b t c"], y: Float[Array, "b t"]) -> Any:
    x = x.sum(axis=1)
    def read() -> Any:
        return x + y

    x = y
    return read


def in_place(x: Float[Array, "b t c"], n: int) -> Float[Array, "b c"]:
    x = x.sum(axis=2)
    x += 1
    n += 1
    return x  # NC401


def matched(x: Float[Array, "b t c"], kind: int) -> Float[Array, "b c"]:
    match kind:
        case 1:
            x = x.sum(axis=1)
        case 2:
            return x.sum(axis=2)  # NC401
    return x


def declared(x: Float[Array, "b t c"]) -> Float[Array, "b c"]:
    y: Float[Array, "b t"] = x.sum(axis=2)
    y = y.sum(axis=1)
    return y  # NC401


def walrus(x: Float[Array, "b t c"]) -> Float[Array, "b c"]:
    if x.size and (x := x.sum(axis=2)).size:
        pass
    return x


def generated(xs: list[Float[Array, "b c"]]) -> Iterator[Float[Array, "b c"]]:
    x = xs[0]
    for x in xs:
        yield x.T
    del x


def filled(xs: list[Float[Array, "n 3"]]) -> Float[Array, "m n 3"]:
    out = []
    for x in xs:
        out.append(x)
    sizes = [3, 3]
    sizes[0] = 4
    np.zeros(sizes) @ np.zeros((4, 3))
    sizes = [3, 4]
    np.zeros(sizes) @ np.zeros((4, 3))
    rows = np.array(out)
    rows[:, :, 0]
    return rows
