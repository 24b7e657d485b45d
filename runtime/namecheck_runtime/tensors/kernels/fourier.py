"""Kernels of Fourier transforms and of their windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Call, Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.values import promotion

Array = Any


def _one(function: Callable[..., Array]) -> Callable[..., Array]:
    def compute(input: Array, n: Any = None, dim: Any = -1, norm: Any = None) -> Array:
        axis = -1 if dim is None else dim
        return function(_at_least_one(input, (axis,), (n,)), n, axis, norm)

    return compute


def _at_least_one(x: Array, axes: Sequence[int], sizes: Sequence[Any]) -> Array:
    """An array with one zero along each dim of size 0 that the transform pads: NumPy would read
    uninitialised memory there.
    """
    for axis, n in zip(axes, sizes, strict=True):
        if n and not x.shape[axis]:
            shape = list(x.shape)
            shape[axis] = 1
            x = np.zeros(shape, x.dtype)
    return x


def _axes(x: Array, s: Any, dim: Any) -> tuple[int, ...]:
    if dim is not None:
        return tuple(dim) if isinstance(dim, (tuple, list)) else (dim,)
    return tuple(range(x.ndim)) if s is None else tuple(range(-len(s), 0))


def _several(function: Callable[..., Array], last: tuple[int, ...] | None) -> Callable[..., Array]:
    def compute(input: Array, s: Any = None, dim: Any = None, norm: Any = None) -> Array:
        axes = _axes(input, s, last if dim is None and s is None else dim)
        sizes = None
        if s is not None:
            sizes = [input.shape[a] if n == -1 else n for n, a in zip(s, axes, strict=True)]
            input = _at_least_one(input, axes, sizes)
        return function(input, sizes, axes, norm)

    return compute


def _hermitian(x: Array, s: Any, axes: tuple[int, ...], norm: Any) -> Array:
    """Complex along all dims but the last, then real along it."""
    output = np.fft.fftn(x, None if s is None else s[:-1], axes[:-1], norm) if axes[:-1] else x
    return np.fft.hfft(output, None if s is None else s[-1], axes[-1], norm)


def _hermitian_back(x: Array, s: Any, axes: tuple[int, ...], norm: Any) -> Array:
    output = np.fft.ihfft(x, None if s is None else s[-1], axes[-1], norm)
    return (
        np.fft.ifftn(output, None if s is None else s[:-1], axes[:-1], norm)
        if axes[:-1]
        else output
    )


def _shifted(function: Callable[..., Array]) -> Callable[..., Array]:
    def compute(input: Array, dim: Any = None) -> Array:
        return function(input, tuple(dim) if isinstance(dim, (tuple, list)) else dim)

    return compute


# -- windows ---------------------------------------------------------------------------------------


def _window(shape: Callable[..., Array]) -> Callable[..., Array]:
    """A window; a periodic one is the beginning of a window that is longer by one."""

    def compute(window_length: int, periodic: Any = True, **form: Any) -> Array:
        periodic = True if periodic is None else periodic
        if window_length == 1:
            return np.ones(1)
        options = {name: value for name, value in form.items() if value is not None}
        return shape(window_length + bool(periodic), **options)[:window_length]

    return compute


def _hamming(n: int, alpha: Any = 0.54, beta: Any = 0.46) -> Array:
    return alpha - beta * np.cos(2 * np.pi * np.arange(n) / (n - 1))


# -- over time -------------------------------------------------------------------------------------


def _centred(window: Any, win_length: int, n_fft: int) -> Array:
    output = np.ones(win_length) if window is None else window
    left = (n_fft - win_length) // 2
    return np.pad(output, (left, n_fft - win_length - left))


def _stft(
    input: Array,
    n_fft: int,
    hop_length: Any = None,
    win_length: Any = None,
    window: Any = None,
    center: Any = True,
    pad_mode: Any = "reflect",
    normalized: Any = False,
    onesided: Any = None,
    return_complex: Any = None,
) -> Array:
    """[*batch, time] to [*batch, frequencies, frames], or real with the two parts as a last dim."""
    hop = n_fft // 4 if hop_length is None else hop_length
    win = n_fft if win_length is None else win_length
    x = input
    if center is None or center:
        pads: Any = [(0, 0)] * (x.ndim - 1) + [(n_fft // 2, n_fft // 2)]
        mode: Any = {"replicate": "edge", "circular": "wrap"}.get(pad_mode, pad_mode or "reflect")
        x = np.pad(x, pads, mode=mode)
    frames = np.lib.stride_tricks.sliding_window_view(x, n_fft, -1)[..., ::hop, :]
    parts = frames * _centred(window, win, n_fft)
    two_sided = np.iscomplexobj(parts) or onesided is False
    if two_sided and onesided is not False:
        raise RuntimeError("stft of complex numbers is not one-sided: pass onesided=False")
    output = np.fft.fft(parts) if two_sided else np.fft.rfft(parts)
    spectrum = output.swapaxes(-1, -2) / (np.sqrt(n_fft) if normalized else 1)
    return spectrum if return_complex or return_complex is None else _parts(spectrum)


def _parts(x: Array) -> Array:
    return np.stack([x.real, x.imag], -1)


def _stft_dtype(call: Call) -> Any:
    requested = call.values.get("return_complex")
    dtype = result.complex_(call)
    return dtype if requested or requested is None else promotion.real(dtype)


def _istft(
    input: Array,
    n_fft: int,
    hop_length: Any = None,
    win_length: Any = None,
    window: Any = None,
    center: Any = True,
    normalized: Any = False,
    onesided: Any = None,
    length: Any = None,
    return_complex: Any = False,
) -> Array:
    """[*batch, frequencies, frames] to [*batch, time], by overlapping and adding."""
    hop = n_fft // 4 if hop_length is None else hop_length
    win = _centred(window, n_fft if win_length is None else win_length, n_fft)
    spectrum = input.swapaxes(-1, -2) * (np.sqrt(n_fft) if normalized else 1)
    frames: Any
    if return_complex:
        frames = np.fft.ifft(spectrum)
    else:  # the first half of the frequencies determines a real signal
        frames = np.fft.irfft(spectrum[..., : n_fft // 2 + 1], n_fft)
    count = frames.shape[-2]
    signal = np.zeros((*frames.shape[:-2], n_fft + hop * (count - 1)), frames.dtype)
    weight = np.zeros(signal.shape[-1])
    for k in range(count):
        signal[..., k * hop : k * hop + n_fft] += frames[..., k, :] * win
        weight[k * hop : k * hop + n_fft] += win * win
    begin = n_fft // 2 if center is None or center else 0
    end = signal.shape[-1] - begin if length is None else begin + length
    output = signal[..., begin:end] / np.where(weight[begin:end] > 1e-11, weight[begin:end], 1)
    missing = 0 if length is None else length - output.shape[-1]
    return np.pad(output, [*[(0, 0)] * (output.ndim - 1), (0, missing)]) if missing > 0 else output


_ONE = ("input", "n", "dim", "norm")
_SEVERAL = ("input", "s", "dim", "norm")
_SHORT = ("input", "n_fft", "hop_length", "win_length", "window", "center")
_WINDOWS: Final[dict[str, Any]] = {
    "bartlett": np.bartlett,
    "blackman": np.blackman,
    "hamming": _hamming,
    "hann": np.hanning,
    "kaiser": lambda n, beta=12.0: np.kaiser(n, beta),
}

KERNELS: Final[dict[str, Kernel]] = {
    **{
        f"torch.fft.{name}": Kernel(
            _one(getattr(np.fft, name)), _ONE, result.real if real else result.complex_
        )
        for name, real in (
            *(("fft", 0), ("ifft", 0), ("rfft", 0), ("irfft", 1), ("hfft", 1), ("ihfft", 0)),
        )
    },
    **{
        f"torch.fft.{name}{end}": Kernel(
            _several(getattr(np.fft, f"{name}n"), last),
            _SEVERAL,
            result.real if name == "irfft" else result.complex_,
        )
        for name in ("fft", "ifft", "rfft", "irfft")
        for end, last in (("n", None), ("2", (-2, -1)))
    },
    **{
        f"torch.fft.{name}{end}": Kernel(
            _several(function, last), _SEVERAL, result.real if name == "hfft" else result.complex_
        )
        for name, function in (("hfft", _hermitian), ("ihfft", _hermitian_back))
        for end, last in (("n", None), ("2", (-2, -1)))
    },
    "torch.fft.fftshift": Kernel(_shifted(np.fft.fftshift), ("input", "dim"), result.first, False),
    "torch.fft.ifftshift": Kernel(
        _shifted(np.fft.ifftshift), ("input", "dim"), result.first, False
    ),
    "torch.fft.fftfreq": Kernel(
        lambda n, d=1.0: np.fft.fftfreq(n, d), ("n", "d"), result.default_asked
    ),
    "torch.fft.rfftfreq": Kernel(
        lambda n, d=1.0: np.fft.rfftfreq(n, d), ("n", "d"), result.default_asked
    ),
    **{
        f"torch.{name}_window": Kernel(
            _window(shape),
            (
                *("window_length", "periodic"),
                *{"hamming": ("alpha", "beta"), "kaiser": ("beta",)}.get(name, ()),
            ),
            result.default_asked,
        )
        for name, shape in _WINDOWS.items()
    },
    "torch.stft": Kernel(
        _stft,
        (*_SHORT, "pad_mode", "normalized", "onesided", "return_complex"),
        _stft_dtype,
    ),
    "torch.istft": Kernel(
        _istft,
        (*_SHORT, "normalized", "onesided", "length", "return_complex"),
        lambda call: (
            result.complex_(call) if call.values.get("return_complex") else result.real_common(call)
        ),
        False,
    ),
}
"""By the op's name."""
