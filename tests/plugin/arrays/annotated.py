"""Values compared with annotations: operators, calls, fields, constructors, optional values."""

from dataclasses import dataclass
from typing import NamedTuple, Optional

import numpy as np
from jaxtyping import Float

Array = np.ndarray


def reflected(p: Float[Array, "n"]) -> Float[Array, "n 1"]:
    return 0.5 * p  # NC401


def of_what_may_be_a_number(p: Float[Array, "n k"], q: Float[Array, "n k"]) -> Float[Array, "n 1"]:
    return 1 - (p.sum(axis=1) + 0.5)  # NC401


def compared(p: Float[Array, "n"]) -> None:
    z: Float[Array, "n n"] = p > 2  # NC401


def of_an_overloaded_function() -> Float[Array, "a b q"]:
    return np.zeros((3, 4))  # NC401


def optional(x: Float[Array, "b d"], m: Optional[Float[Array, "d b"]] = None) -> Float[Array, "b"]:
    if m is not None:
        x + m  # NC202
        return x @ m  # NC401
    return x[:, 0]


def optional_argument(x: Float[Array, "b d"]) -> Float[Array, "b"]:
    optional(x, x[0])  # NC404
    optional(x, x)  # NC404
    optional(x, None)
    return optional(x, x.T)


def none_or(x: Float[Array, "b d"], flag: bool) -> Float[Array, "d b"] | None:
    if flag:
        return None
    return x  # NC401


@dataclass
class Camera:
    intrinsics: Float[Array, "3 3"]
    position: Float[Array, "3"]

    def projected(self, p: Float[Array, "n 3"]) -> Float[Array, "n 3"]:
        self.intrinsics @ p[:, :2].T  # NC203
        return p @ self.intrinsics.T + self.position


class Pair(NamedTuple):
    mean: Float[Array, "d"]
    cov: Float[Array, "d d"]


def used(camera: Camera, pair: Pair, p: Float[Array, "n 4"]) -> Float[Array, "4"]:
    p @ camera.intrinsics  # NC203
    Camera(np.eye(4), np.zeros(3))  # NC404
    Camera(np.eye(3), position=np.zeros(4))  # NC404
    Camera(np.eye(3), np.zeros(3))
    Pair(np.zeros(3), np.zeros((3, 4)))  # NC404
    Pair(np.zeros(3), np.zeros((3, 3)))
    pair.cov[0, 0, 0]  # NC301
    return camera.position  # NC401


class Filled:
    """A constructor of its own."""

    def __init__(self, rows: Float[Array, "n 3"], weights: Float[Array, "n"]) -> None:
        self.rows = rows
        self.weights = weights


Filled(np.zeros((4, 3)), np.zeros(4))
Filled(np.zeros((4, 3)), np.zeros(3))  # NC404


class Line:
    """A class of no array, whose fields are none."""

    width = 3

    def __init__(self, start: int) -> None:
        self.start = start


Line(3).start + Line.width
