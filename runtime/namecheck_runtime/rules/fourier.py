"""Fourier transforms, and complex numbers seen as pairs of real ones.

Torch refused names throughout; they are kept, since a frequency is asked for by the dim it is of.
"""

from __future__ import annotations

from collections.abc import Callable

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    fresh,
    position,
    positions,
    replace,
    require_equal,
    require_rank,
)
from namecheck_runtime.declare import DimRef, DimRefs, Dims, Shape, Size, Sizes, op
from namecheck_runtime.lattice import UNKNOWN, Unknown
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.sizes import BadExtent
from namecheck_runtime.rules.factory import dims_of


def _same(size: Size) -> Size:
    return size


def _half(size: Size) -> Size:
    """How many frequencies of a real signal are worth keeping."""
    return sizes.add(sizes.floor_divide(size, 2), 1)


def _double(size: Size) -> Size:
    """How long a real signal of so many frequencies is taken to be."""
    return sizes.multiply(2, sizes.subtract(size, 1))


def _transformed(
    input: Dims, n: Size | None, dim: DimRef | None, size: Callable[[Size], Size], back: bool
) -> Dims:
    index = position(input, dim)
    if isinstance(index, Unknown) or not input:
        return tuple(d.resize(UNKNOWN) for d in input)
    old = input[index].size
    if n is None:
        new = size(old)
    else:
        new = n if back else size(n)
    return replace(input, index, input[index] if new is old else input[index].resize(new))


def _declare_one(name: str, size: Callable[[Size], Size], back: bool = False) -> None:
    @op(
        f"torch.fft.{name}",
        numpy=f"fft.{name}(input, n, dim, norm, out)",
        out=True,
        leading=True,
        kind="float" if name in ("irfft", "hfft") else "complex",
    )
    def rule(input: Dims, n: Size | None = None, dim: DimRef = -1, norm: object = None) -> Shape:
        """Transforms along a dim, cut or padded to `n`."""
        return _transformed(input, n, dim, size, back)


_declare_one("fft", _same)
_declare_one("ifft", _same)
_declare_one("rfft", _half)
_declare_one("ihfft", _half)
_declare_one("irfft", _double, back=True)
_declare_one("hfft", _double, back=True)


def _transformed_all(
    input: Dims, s: Sizes | None, dim: DimRefs | None, last: Callable[[Size], Size], back: bool
) -> Shape:
    """Transforms along several dims; a real one changes the size of the last of them."""
    if dim is None:
        places: tuple[int, ...] | Unknown = tuple(range(len(input)))
        if s is not None and isinstance(places, tuple):
            places = places[len(places) - len(s) :]
    else:
        places = positions(input, dim if isinstance(dim, tuple) else (dim,))
    if isinstance(places, Unknown):
        return tuple(d.resize(UNKNOWN) for d in input)
    if s is not None and len(s) != len(places):
        return UNKNOWN
    result = input
    for order, place in enumerate(places):
        wanted = None if s is None or s[order] == -1 else s[order]
        if order == len(places) - 1:
            result = _transformed(result, wanted, place, last, back)
        elif wanted is not None:
            result = replace(result, place, result[place].resize(wanted))
    return result


def _declare_several(name: str, last: Callable[[Size], Size], back: bool = False) -> None:
    kind = "float" if name.startswith(("irfft", "hfft")) else "complex"

    @op(
        f"torch.fft.{name}2",
        numpy=f"fft.{name}2(input, s, dim, norm, out)",
        out=True,
        leading=True,
        kind=kind,
    )
    def over_two(
        input: Dims, s: Sizes | None = None, dim: DimRefs = (-2, -1), norm: object = None
    ) -> Shape:
        """Transforms along two dims."""
        return _transformed_all(input, s, dim, last, back)

    @op(
        f"torch.fft.{name}n",
        numpy=f"fft.{name}n(input, s, dim, norm, out)",
        out=True,
        kind=kind,
    )
    def over_several(
        input: Dims, s: Sizes | None = None, dim: DimRefs | None = None, norm: object = None
    ) -> Shape:
        """Transforms along several dims, or all."""
        return _transformed_all(input, s, dim, last, back)


_declare_several("fft", _same)
_declare_several("ifft", _same)
_declare_several("rfft", _half)
_declare_several("irfft", _double, back=True)


@op("torch.fft.fftshift", numpy="fft.fftshift(input, dim)")
@op("torch.fft.ifftshift", numpy="fft.ifftshift(input, dim)")
def fftshift(input: Shape, dim: object = None) -> Shape:
    """Moves the lowest frequency to the middle, or back."""
    return input


@op("torch.fft.fftfreq", numpy="fft.fftfreq(n, d)", out=True)
def fftfreq(n: Size, d: object = 1.0) -> Shape:
    """The frequencies of a transform of `n` samples."""
    return dims_of((n,), "n")


@op("torch.fft.rfftfreq", numpy="fft.rfftfreq(n, d)", out=True)
def rfftfreq(n: Size, d: object = 1.0) -> Shape:
    """The frequencies of a real transform of `n` samples."""
    return dims_of((_half(n),), "n")


@op("torch.view_as_real")
def view_as_real(input: Dims) -> Shape:
    """Real and imaginary parts along a new last dim of size 2."""
    return (*input, fresh(2))


@op("torch.view_as_complex")
def view_as_complex(input: Dims) -> Shape:
    """Complex numbers of the pairs along the last dim.  Raises RankMismatch, BadExtent."""
    text = "Input tensor must have one or more dimensions"
    require_rank(input, lambda n: n > 0, "at least 1", "input", text)
    text = "Tensor must have a last dimension of size 2"
    reason = f"its last dim has {input[-1].size} elements, not 2"
    blame = (Blame("input", -1),)
    mistake = BadExtent(shape=input, reason=reason, text=text, blame=blame)
    require_equal(input[-1].size, 2, mistake)
    return input[:-1]


@op(numpy="polyval(p, x)")
def polyval(p: object, x: Shape) -> Shape:
    """A polynomial at each element of `x`.  Source: numpy.polyval."""
    return x
