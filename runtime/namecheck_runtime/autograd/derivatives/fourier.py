"""Fourier transforms: linear, so each gradient is a transform again."""

from __future__ import annotations

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.shapes import conj, moved
from namecheck_runtime.autograd.table import composite, derivative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_P = "torch.fft."
_BACK = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}
"""The scale of the transposed transform."""


def _fitted(value: Any, dim: int, size: int) -> Any:
    """A tensor cut or filled with zeros along a dim."""
    now = value.shape[dim]
    if now >= size:
        return value.narrow(dim, 0, size)
    sizes = list(value.shape)
    sizes[dim] = size - now
    rest = call("torch.zeros", sizes, dtype=value.dtype, device=value.device)
    return call("torch.cat", [value, rest], dim)


def _complex(grad: Any, inverse: str, dim: int, norm: Any, form: Any) -> Any:
    return _fitted(call(_P + inverse, grad, dim=dim, norm=_BACK[norm]), dim, form.sizes[dim])


derivative(
    f"{_P}fft",
    name="FftC2C",
    input=lambda grad, dim, norm, form: _complex(grad, "ifft", dim, norm, form),
)
derivative(
    f"{_P}ifft",
    name="FftC2C",
    input=lambda grad, dim, norm, form: _complex(grad, "fft", dim, norm, form),
)


def _real_to_half(grad: Any, n: Any, dim: int, norm: Any, form: Any) -> Any:
    size = form.sizes[dim] if n is None else n
    whole = _fitted(grad, dim, size)
    back = call(f"{_P}ifft", whole, dim=dim, norm=_BACK[norm]).real
    return _fitted(back, dim, form.sizes[dim])


derivative(f"{_P}rfft", name="FftR2C", input=_real_to_half)


def _half_to_real(grad: Any, dim: int, norm: Any, form: Any) -> Any:
    size = grad.shape[dim]
    half = call(f"{_P}rfft", grad, dim=dim, norm=_BACK[norm])
    count = half.shape[dim]
    # All but the first, and the last of an even number, stand for two.
    doubled = half.narrow(dim, 1, (size - 1) // 2) * 2
    parts = [half.narrow(dim, 0, 1), doubled]
    rest = count - 1 - (size - 1) // 2
    if rest:
        parts.append(half.narrow(dim, count - rest, rest))
    return _fitted(call("torch.cat", parts, dim), dim, form.sizes[dim])


derivative(f"{_P}irfft", name="FftC2R", input=_half_to_real)


@composite(f"{_P}hfft")
def hfft(input: Any, n: Any, dim: Any, norm: Any) -> Any:
    """Of a signal that is half of a symmetric one."""
    return call(f"{_P}irfft", conj(input), n, dim, _BACK[norm])


@composite(f"{_P}ihfft")
def ihfft(input: Any, n: Any, dim: Any, norm: Any) -> Any:
    """The inverse of `hfft`."""
    return conj(call(f"{_P}rfft", input, n, dim, _BACK[norm]))


def _axes(input: Any, s: Any, dim: Any, two: bool) -> list[tuple[int, Any]]:
    """The dims of a transform over several, each with its size."""
    if dim is None or dim == ():
        if two:
            dims = [-2, -1]
        elif s is not None:
            dims = list(range(input.ndim - len(s), input.ndim))
        else:
            dims = list(range(input.ndim))
    else:
        dims = [dim] if isinstance(dim, int) else list(dim)
    sizes = [None] * len(dims) if s is None else [None if n == -1 else n for n in s]
    return list(zip(dims, sizes, strict=True))


def _several(name: str, first: str, last: str, two: bool) -> None:
    """Declare a transform over several dims: one dim after the other."""

    def compute(input: Any, s: Any, dim: Any, norm: Any) -> Any:
        axes = _axes(input, s, dim, two)
        if not axes:
            return input if input.is_complex() else call("torch.complex", input, input * 0)
        inverse = last in ("irfft", "hfft")
        mapped = _BACK[norm] if last in ("hfft", "ihfft") else norm
        if not inverse:
            place, size = axes[-1]
            value = call(_P + last, input, size, place, norm)
            value = conj(value) if last == "ihfft" else value
            for place, size in axes[:-1]:
                value = call(_P + first, value, size, place, mapped)
            return conj(value) if last == "ihfft" else value
        value = conj(input) if last == "hfft" else input
        for place, size in axes[:-1]:
            value = call(_P + first, value, size, place, mapped)
        value = conj(value) if last == "hfft" else value
        place, size = axes[-1]
        return call(_P + last, value, size, place, norm)

    composite(_P + name, function=compute)


for _suffix in ("2", "n"):
    _is_two = _suffix == "2"
    _several(f"fft{_suffix}", "fft", "fft", _is_two)
    _several(f"ifft{_suffix}", "ifft", "ifft", _is_two)
    _several(f"rfft{_suffix}", "fft", "rfft", _is_two)
    _several(f"irfft{_suffix}", "ifft", "irfft", _is_two)
    _several(f"hfft{_suffix}", "ifft", "hfft", _is_two)
    _several(f"ihfft{_suffix}", "fft", "ihfft", _is_two)

derivative(f"{_P}fftshift", f"{_P}ifftshift", input=moved)

# -- over time -------------------------------------------------------------------------------------


def _window(window: Any, win_length: Any, n_fft: int, like: Any) -> Any:
    """A window in the middle of a frame; ones if there is none."""
    from namecheck_runtime.tensors.values.promotion import real

    size = n_fft if win_length is None else win_length
    if window is None:
        window = call("torch.ones", size, dtype=real(like.dtype), device=like.device)
    left = (n_fft - size) // 2
    return call("torch.constant_pad_nd", window, [left, n_fft - size - left])


def _scale(normalized: Any) -> str:
    return "ortho" if normalized else "backward"


@composite("torch.stft")
def stft(
    input: Any,
    n_fft: Any,
    hop_length: Any,
    win_length: Any,
    window: Any,
    center: Any,
    pad_mode: Any,
    normalized: Any,
    onesided: Any,
    return_complex: Any,
) -> Any:
    """The transforms of frames that overlap, times a window."""
    signal = input
    if center is not False:
        border = n_fft // 2
        rows = signal.reshape(1, -1, signal.shape[-1])
        padded = call("torch.nn.functional.pad", rows, [border, border], pad_mode or "reflect")
        signal = padded.reshape((*signal.shape[:-1], padded.shape[-1]))
    frames = signal.unfold(-1, n_fft, n_fft // 4 if hop_length is None else hop_length)
    frames = frames * _window(window, win_length, n_fft, signal)
    is_half = onesided is not False
    if is_half and frames.is_complex():
        raise RuntimeError("stft of complex numbers is not one-sided: pass onesided=False")
    transform = f"{_P}rfft" if is_half else f"{_P}fft"
    spectrum = call(transform, frames, norm=_scale(normalized)).transpose(-1, -2)
    if return_complex is False:
        return call("torch.view_as_real", spectrum.contiguous())
    return spectrum


def _overlapped(frames: Any, hop: int) -> Any:
    """Frames `[*batch, frames, size]` added where they overlap."""
    count, size = frames.shape[-2:]
    lead = tuple(frames.shape[:-2])
    device = frames.device
    begins = call("torch.arange", count, device=device) * hop
    places = begins.unsqueeze(1) + call("torch.arange", size, device=device)
    signal = call(
        "torch.zeros", (*lead, size + hop * (count - 1)), dtype=frames.dtype, device=frames.device
    )
    return signal.index_add(-1, places.reshape(-1), frames.reshape((*lead, count * size)))


@composite("torch.istft")
def istft(
    input: Any,
    n_fft: Any,
    hop_length: Any,
    win_length: Any,
    window: Any,
    center: Any,
    normalized: Any,
    length: Any,
    return_complex: Any,
) -> Any:
    """Frames added where they overlap, over the sum of the squares of their windows."""
    hop = n_fft // 4 if hop_length is None else hop_length
    weights = _window(window, win_length, n_fft, input)
    signals = input.unsqueeze(0) if input.ndim == 2 else input
    spectrum, norm = signals.transpose(-1, -2), _scale(normalized)
    if return_complex:
        frames = call(f"{_P}ifft", spectrum, norm=norm)
    else:
        # The first half of the frequencies determines a real signal.
        frames = call(f"{_P}irfft", spectrum[..., : n_fft // 2 + 1], n_fft, norm=norm)
    signal = _overlapped(frames * weights, hop)
    envelope = _overlapped((weights * weights).expand((frames.shape[-2], n_fft)), hop)
    begin = n_fft // 2 if center is not False else 0
    end = signal.shape[-1] - begin if length is None else begin + length
    envelope = envelope[begin:end]
    result = signal[..., begin:end] / envelope.masked_fill(envelope <= 1e-11, 1)
    result = result.squeeze(0) if input.ndim == 2 else result
    missing = 0 if length is None else length - result.shape[-1]
    return call("torch.constant_pad_nd", result, [0, missing]) if missing > 0 else result
