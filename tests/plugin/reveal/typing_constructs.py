# mypy: allow-redefinition
"""The constructs of Python's typing, with tensors in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeAlias, TypedDict, TypeVar, overload
from typing import Literal as L

import numpy as np
from typing_extensions import TypeVarTuple

import namecheck_runtime as nt
from namecheck_runtime import Tensor

Ds = TypeVarTuple("Ds")
D = TypeVar("D")
E = TypeVar("E")
Es = TypeVarTuple("Es")
T = TypeVar("T")


# Generic pass-through.
def same(t: Tensor[*Ds]) -> Tensor[*Ds]:
    reveal_type(t)  # Tensor[*Ds]
    reveal_type(t + 1)  # Tensor[*Ds]
    reveal_type(t.relu())  # Tensor[*Ds]
    return t.relu()


def alike(t: Tensor[*Ds], u: Tensor[*Ds], other: Tensor[*Es]) -> Tensor[*Ds]:
    reveal_type(2 * t)  # Tensor[*Ds]
    reveal_type(t + u)  # Tensor[*Ds]
    reveal_type((t + 1).relu() * t - nt.zeros(()))  # Tensor[*Ds]
    reveal_type(t / t.sum())  # Tensor[*Ds]
    reveal_type(t.sum(-1))  # Tensor[...]
    reveal_type(t + other)  # Tensor[...]
    reveal_type(t + nt.zeros(3))  # Tensor[..., Any]
    reveal_type(t[..., None])  # Tensor[*Ds, 1]
    reveal_type(t[0])  # Tensor[...]
    return t.where(t > 0, u)


def pooled(t: Tensor[L["B"], *Ds, L["C"]]) -> Tensor[L["B"], *Ds]:
    reveal_type(t + 1)  # Tensor[B, *Ds, C]
    reveal_type(t[:, 0])  # Tensor[...]
    reveal_type(t.sum("C", keepdim=True))  # Tensor[B, *Ds, C]
    reveal_type(t.sum("N"))  # Tensor[...]
    reveal_type(t.mean(dim=("B", "C")))  # Tensor[*Ds]
    return t.sum("C")


def swapped(t: Tensor[D, E]) -> Tensor[E, D]:
    reveal_type(t.T)  # Tensor[E, D]
    return t.T


def one_by_one(t: Tensor[D], u: Tensor[D], rows: Tensor[D, L["C"]], other: Tensor[int]) -> None:
    """The dim of a type variable may have a name or none, and any size."""
    reveal_type(t * 2 + u)  # Tensor[D]
    reveal_type(t.relu() > 0)  # Tensor[D]
    reveal_type(t[None])  # Tensor[1, D]
    reveal_type(t.sum(0))  # Tensor[()]
    reveal_type(rows.sum("C"))  # Tensor[D]
    reveal_type(rows.T / t)  # Tensor[C, D]
    reveal_type(rows + nt.zeros(4, names=("C",)))  # Tensor[D, C]
    reveal_type(t.sum(0, keepdim=True))  # Tensor[Any]
    reveal_type(t + other)  # Tensor[Any]
    reveal_type(t[1:])  # Tensor[Any]
    reveal_type(rows @ rows.T)  # Tensor[Any, Any]
    reveal_type(t.rename("C"))  # Tensor[C]
    reveal_type(np.exp(t))  # Tensor[D]


def without_last(t: Tensor[*Ds, D]) -> Tensor[*Ds]:
    return t.sum(-1)


def batched(t: Tensor[*Ds]) -> Tensor[L["B"], *Ds]:
    made: Tensor[L["B"], *Ds] = t.rename(None).unsqueeze(0).rename("B", *t.names)
    return made


def identity(t: T) -> T:
    return t


x = nt.randn(2, 3, names=("N", "C"))
reveal_type(alike(nt.ones(3), nt.ones(3), nt.ones(3)))  # Tensor[int]
reveal_type(pooled(nt.ones(2, 3, 4, names=("B", "N", "C"))))  # Tensor[B, N]
reveal_type(same(x))  # Tensor[N, C]
one_by_one(nt.ones(2), nt.ones(2), nt.ones(2, 4, names=(None, "C")), nt.ones(2))
reveal_type(swapped(x))  # Tensor[C, N]
reveal_type(without_last(x))  # Tensor[N]
reveal_type(batched(x))  # Tensor[B, N, C]
reveal_type(identity(x))  # Tensor[N, C]
reveal_type(same(nt.zeros(2, 3)))  # Tensor[2, 3]

# Aliases and marker classes.
Rows: TypeAlias = Tensor[L["N"], L["C"]]
Batched = Tensor[L["B"], *Ds]


class Time: ...


class Channel: ...


Spectrum: TypeAlias = Tensor[Time, Channel]


def alias(t: Rows) -> Rows:
    reveal_type(t.sum("C"))  # Tensor[N]
    return t


def markers(t: Spectrum, u: Tensor[Channel]) -> Tensor[Time]:
    reveal_type(t.T)  # Tensor[Channel, Time]
    reveal_type(t + u)  # Tensor[Time, Channel]
    reveal_type(t.sum("Channel"))  # Tensor[Time]
    return t.sum("Channel")


def generic_alias(t: Batched[L["N"], L["C"]]) -> None:
    reveal_type(t)  # Tensor[B, N, C]
    reveal_type(t.sum("B"))  # Tensor[N, C]


reveal_type(alias(x))  # Tensor[N, C]
generic_alias(nt.randn(1, 2, 3, names=("B", "N", "C")))
spectrum: Spectrum = nt.randn(5, 6).refine_names("Time", "Channel")  # type: ignore[assignment]
markers(spectrum, spectrum[0])


# Optional and unions.
def optional(t: Rows | None, u: Rows | Tensor[L["N"]], v: Rows | float) -> None:
    if t is not None:
        reveal_type(t.sum("N"))  # Tensor[C]
    s = t if t is not None else x
    reveal_type(s)  # Tensor[N, C]
    reveal_type(u.sum("N"))  # Tensor[C] | Tensor[()]
    reveal_type(u.relu())  # Tensor[N, C] | Tensor[N]
    reveal_type(u + 1)  # Tensor[N, C] | Tensor[N]
    reveal_type(x + v)  # Tensor[..., N, C]
    reveal_type(v * x)  # Tensor[N, C]
    if isinstance(v, Tensor):
        reveal_type(v.T)  # Tensor[C, N]
    else:
        reveal_type(v)  # float


optional(x, x, x)
optional(None, x, 2.0)

# Comprehensions and lambdas.
reveal_type([row.sum("N") for row in [x, x]])  # list[Tensor[C]]
reveal_type({str(k): t.T for k, t in enumerate([x])})  # dict[str, Tensor[C, N]]
reveal_type((lambda t: t.sum("C"))(x))  # Tensor[N]
reveal_type(list(map(lambda t: t.mean("N"), [x, x])))  # list[Tensor[C]]
reveal_type([t for t in (x, x.T) if t.ndim][0])  # Tensor[N, C] | Tensor[C, N]
reveal_type(sum([x, x], start=x))  # Tensor[N, C]
reveal_type(max([x.sum(), x.sum()], key=float))  # Tensor[()]
reveal_type(next(iter([x])))  # Tensor[N, C]


# Attributes.
class Layer:
    shared = nt.zeros(3, names=("C",))

    def __init__(self, channels: int) -> None:
        self.weight = nt.randn(channels, 7, names=("C", "E"))
        self.bias: Tensor[L["E"]] = nt.zeros(7, names=("E",))
        self.cache: Rows | None = None

    @property
    def turned(self) -> Tensor[L["E"], L["C"]]:
        return self.weight.T

    def __call__(self, t: Rows) -> Tensor[L["N"], L["E"]]:
        self.cache = t
        reveal_type(self.cache)  # Tensor[N, C]
        reveal_type(self.weight)  # Tensor[C, E]
        reveal_type(t @ self.weight)  # Tensor[N, E]
        return t @ self.weight + self.bias

    def me(self) -> Self:
        return self


layer = Layer(3)
reveal_type(layer(x))  # Tensor[N, E]
reveal_type(layer.weight.sum("C"))  # Tensor[E]
reveal_type(layer.turned)  # Tensor[E, C]
reveal_type(layer.shared)  # Tensor[C]
reveal_type(layer.me().bias)  # Tensor[E]
reveal_type(Layer.shared + x)  # Tensor[N, C]


class Pair(NamedTuple):
    left: Rows
    right: Tensor[L["C"]]


@dataclass
class Record:
    rows: Rows
    many: list[Tensor[L["C"]]]


class Config(TypedDict):
    rows: Rows


pair = Pair(x, x.sum("N"))
reveal_type(pair.left + pair.right)  # Tensor[N, C]
reveal_type(pair[1])  # Tensor[C]
left, right = pair
reveal_type(left * right)  # Tensor[N, C]
record = Record(x, [x.sum("N")])
reveal_type(record.many[0] + record.rows)  # Tensor[N, C]
config: Config = {"rows": x}
reveal_type(config["rows"].sum("N"))  # Tensor[C]


class Box(Generic[T]):
    def __init__(self, value: T) -> None:
        self.value = value


reveal_type(Box(x).value.sum("C"))  # Tensor[N]


# Overloads and Protocols.
@overload
def reduced(t: Rows, all: L[True]) -> Tensor[()]: ...
@overload
def reduced(t: Rows, all: L[False] = False) -> Tensor[L["C"]]: ...
def reduced(t: Rows, all: bool = False) -> Tensor:
    return t.sum() if all else t.sum("N")


reveal_type(reduced(x))  # Tensor[C]
reveal_type(reduced(x, True))  # Tensor[()]


class Reducer(Protocol):
    def __call__(self, t: Rows) -> Tensor[L["N"]]: ...


class Summed(Protocol):
    def sum(self, dim: str) -> Any: ...


def use(reducer: Reducer, t: Rows) -> Tensor[L["N"]]:
    return reducer(t)


def summed(t: Summed) -> Any:
    return t.sum("N")


reveal_type(use(lambda t: t.sum("C"), x))  # Tensor[N]


def over_channels(t: Rows) -> Tensor[L["N"]]:
    return t.mean("C")


reveal_type(use(over_channels, x))  # Tensor[N]
reveal_type(summed(x))  # Any


def called(
    function: Callable[[Rows], Tensor[L["C"]]], ts: Iterable[Rows], *more: Rows, **named: Rows
) -> None:
    for t in ts:
        reveal_type(function(t))  # Tensor[C]
    reveal_type(more[0].sum("N"))  # Tensor[C]
    reveal_type(named["a"].sum("C"))  # Tensor[N]


called(lambda t: t.sum("N"), [x], x, a=x)


# A variable that is bound again.
y = x
y = y.sum("C")
reveal_type(y)  # Tensor[N]
for _ in range(2):
    y = y.exp()
reveal_type(y)  # Tensor[N]

# Walrus, conditional, chained.
if (s := x.sum("N")).ndim:
    reveal_type(s)  # Tensor[C]
reveal_type(x if s.ndim else x * 2)  # Tensor[N, C]
assert isinstance(x, Tensor)
reveal_type(x)  # Tensor[N, C]
with nt.strict_broadcasting() as _:
    reveal_type(x.T)  # Tensor[C, N]
match pair:
    case Pair(left=rows):
        reveal_type(rows)  # Tensor[N, C]


async def later(t: Rows) -> Tensor[L["N"]]:
    return t.sum("C")


async def awaited() -> None:
    reveal_type(await later(x))  # Tensor[N]


def generator(t: Rows) -> Iterable[Tensor[L["C"]]]:
    yield t[0]
    yield from [t[1]]


reveal_type([t.exp() for t in generator(x)])  # list[Tensor[C]]
