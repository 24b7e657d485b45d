"""Fourier transforms, and complex numbers seen as pairs of real ones.

Torch refused names throughout; they are kept, since a frequency belongs to the dim of its signal.
"""

from __future__ import annotations

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
from namecheck_runtime.lattice import UNKNOWN, Truth, Unknown
from namecheck_runtime.mistakes.base import Blame, counted, size_list
from namecheck_runtime.mistakes.dims import DimOutOfRange
from namecheck_runtime.mistakes.sizes import BadExtent, LayerSize
from namecheck_runtime.rules.factory import dims_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def _same(size: Size) -> Size:
    return size


def _half(size: Size) -> Size:
    """The number of frequencies of a real signal that do not repeat others."""
    return sizes.add(sizes.floor_divide(size, 2), 1)


def _double(size: Size) -> Size:
    """The length that a real signal of `size` frequencies is taken to have."""
    return sizes.multiply(2, sizes.subtract(size, 1))


def _transformed(
    input: Dims, n: Size | None, dim: DimRef | None, size: Callable[[Size], Size], back: bool
) -> Dims:
    if not input and isinstance(dim, int):
        text = f"Dimension specified as {dim} but tensor has no dimensions"
        raise DimOutOfRange(shape=input, dim=dim, rank=0, text=text, blame=(Blame("dim"),))
    if n == 0:
        text = "Invalid number of data points (0) specified"
        reason = "it needs at least 1 data point"
        raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame("n"),))
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
        text = "When given, dim and shape arguments must have the same length"
        reason = f"{counted(len(s), 'size')} for {counted(len(places), 'dim')}"
        raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame("s"), Blame("dim")))
    result = input
    for order, place in enumerate(places):
        wanted = None if s is None or s[order] == -1 else s[order]
        if order == len(places) - 1:
            result = _transformed(result, wanted, place, last, back)
        elif wanted is not None:
            result = replace(result, place, result[place].resize(wanted))
    return result


def _declare_several(
    name: str, last: Callable[[Size], Size], back: bool = False, shared: bool = True
) -> None:
    """Declare a transform along two and along n dims; `shared`: NumPy has it too."""
    kind = "float" if name.startswith(("irfft", "hfft")) else "complex"

    @op(
        f"torch.fft.{name}2",
        numpy=f"fft.{name}2(input, s, dim, norm, out)" if shared else (),
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
        numpy=f"fft.{name}n(input, s, dim, norm, out)" if shared else (),
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
_declare_several("hfft", _double, back=True, shared=False)
_declare_several("ihfft", _half, shared=False)


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


@op(numpy="polyval(p, x)")
def polyval(p: object, x: Shape) -> Shape:
    """A polynomial at each element of `x`.  Source: numpy.polyval."""
    return x


# Over short times.


@op("torch.stft", "Tensor.stft", kind="complex")
def stft(
    input: Dims,
    n_fft: Size,
    hop_length: Size | None = None,
    win_length: Size | None = None,
    window: Shape | None = None,
    center: bool = True,
    pad_mode: object = "reflect",
    normalized: object = False,
    onesided: object = None,
    return_complex: object = None,
    align_to_window: object = None,
) -> Shape:
    """`[B?, T]` to `[B?, frequencies, frames]`, and a last dim of 2 unless complex.

    Source: torch.stft.  Raises RankMismatch, BadExtent.
    """
    require_rank(input, lambda n: n in (1, 2), "1 or 2", "input", "expected a 1D or 2D tensor")
    hop = sizes.floor_divide(n_fft, 4) if hop_length is None else hop_length
    half = sizes.floor_divide(n_fft, 2)
    length = input[-1].size
    if center and sizes.at_most(length, half) is Truth.YES:
        text = (
            "Argument #4: Padding size should be less than the corresponding input dimension, but "
            f"got: padding ({half}, {half}) at dimension 2 of input {size_list(input)}"
        )
        reason = f"half a window of {n_fft} is longer than the signal"
        raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame("input", -1),))
    padded = sizes.add(length, sizes.multiply(2, half)) if center else length
    room = sizes.subtract(padded, n_fft)
    if isinstance(room, int) and room < 0:
        text = f"expected 0 < n_fft < {length}, but got n_fft={n_fft}"
        reason = f"a window of {n_fft} is longer than the signal"
        raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame("input", -1),))
    width = n_fft if win_length is None else win_length
    if isinstance(window, tuple):
        text = f"expected a 1D window tensor of size equal to win_length={width}"
        require_rank(window, lambda n: n == 1, "1", "window", text)
        mistake = LayerSize(
            input=window,
            wanted=width,
            found=window[0].size,
            role="win_length",
            text=text,
            blame=(Blame("window", 0),),
        )
        require_equal(width, window[0].size, mistake)
    frames = sizes.add(sizes.floor_divide(room, hop), 1)
    rows = n_fft if onesided is False else sizes.add(half, 1)
    if onesided is None or isinstance(onesided, Unknown):
        rows = UNKNOWN if isinstance(onesided, Unknown) else rows
    spectrum = (*input[:-1], fresh(rows), fresh(frames))
    if return_complex is True:
        return spectrum
    return (*spectrum, fresh(2)) if return_complex is False else UNKNOWN


@op("torch.istft", "Tensor.istft", kind="float")
def istft(
    input: Dims,
    n_fft: Size,
    hop_length: Size | None = None,
    win_length: object = None,
    window: object = None,
    center: bool = True,
    normalized: object = False,
    onesided: object = None,
    length: Size | None = None,
    return_complex: object = False,
) -> Shape:
    """`[B?, frequencies, frames]` to `[B?, T]`.

    Source: torch.istft.  Raises RankMismatch, LayerSize.
    """
    text = "istft expects a tensor with 2 or 3 dims"
    require_rank(input, lambda n: n in (2, 3), "2 or 3", "input", text)
    half = sizes.floor_divide(n_fft, 2)
    wanted = n_fft if onesided is False else UNKNOWN if onesided is UNKNOWN else sizes.add(half, 1)
    mistake = LayerSize(
        input=input,
        wanted=wanted,
        found=input[-2].size,
        role="frequencies of n_fft",
        blame=(Blame("input", -2),),
    )
    require_equal(wanted, input[-2].size, mistake)
    if length is not None:
        return (*input[:-2], fresh(length))
    hop = sizes.floor_divide(n_fft, 4) if hop_length is None else hop_length
    time = sizes.add(n_fft, sizes.multiply(hop, sizes.subtract(input[-1].size, 1)))
    if center:
        time = sizes.subtract(time, sizes.multiply(2, half))
    return (*input[:-2], fresh(time))
