"""A decorator may replace a function: the annotations hold if it does not."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import torch
from jaxtyping import Float, jaxtyped
from torch import Tensor

F = TypeVar("F", bound=Callable[..., Any])
Array = np.ndarray


def batched(function: F) -> F:
    return function


@batched
def turned(x: Float[Array, "d"]) -> Float[Array, ""]:
    return x.sum()


@functools.cache
def cached(n: int) -> Float[Array, "n 3"]:
    return np.zeros((n, 3))


@torch.no_grad()
def without_gradient(x: Float[Tensor, "n d"]) -> Float[Tensor, "d n"]:
    return x  # NC401


@jaxtyped(typechecker=None)
def checked(x: Float[Tensor, "n d"]) -> Float[Tensor, "n"]:
    return x.sum(1)


def calls(x: Float[Array, "b d"], y: Float[Tensor, "n d"]) -> Float[Tensor, "n"]:
    turned(x)
    cached(3) @ np.zeros((4, 1))  # NC203
    without_gradient(y[0])  # NC404
    without_gradient(y)
    checked(y[0])  # NC404
    return checked(y)


class Net(torch.nn.Module):
    def forward(self, x: Float[Tensor, "d"]) -> Float[Tensor, ""]:
        return x.sum()


class Direct:
    def __call__(self, x: Float[Array, "d"]) -> Float[Array, ""]:
        return x.sum()

    @batched
    def turned(self, x: Float[Array, "d"]) -> Float[Array, ""]:
        return x.sum()


def instances(net: Net, direct: Direct, x: Float[Tensor, "b d"], a: Float[Array, "b d"]) -> None:
    net(x)  # NC404
    batched(net)(x)
    many = batched(net)
    many(x)
    made = Net()
    made(x)  # NC404
    Net()(x)  # NC404
    direct(a)  # NC404
    batched(direct)(a)
    direct.turned(a)
    again = direct
    again(a)  # NC404


class Holder(torch.nn.Module):
    named: Net

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = Net()
        self.given = net
        self.many = batched(Net())
        self.twice = Net()
        self.twice = batched(Net())

    def forward(self, x: Float[Tensor, "b d"]) -> None:
        self.net(x)  # NC404
        self.named(x)  # NC404
        self.given(x)  # NC404
        self.many(x)
        self.twice(x)
