"""Convolutions: the gradients of one are others."""

from __future__ import annotations

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.shapes import conj, each_of, zeros
from namecheck_runtime.autograd.table import composite, derivative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_F = "torch.nn.functional."


def _borders(padding: Any, weight_sizes: Any, dilation: list[int], rank: int) -> list[Any]:
    """The zeros before and after each dim of the map."""
    if padding == "valid":
        return [(0, 0)] * rank
    if padding == "same":
        total = [d * (k - 1) for d, k in zip(dilation, weight_sizes[2:], strict=True)]
        return [(t // 2, t - t // 2) for t in total]
    return [(p, p) for p in each_of(padding, rank)]


def _padded(value: Any, borders: list[Any]) -> Any:
    flat = [n for pair in reversed(borders) for n in pair]
    return call(f"{_F}pad", value, flat) if any(flat) else value


def _of_input(
    grad: Any, weight: Any, stride: Any, padding: Any, dilation: Any, groups: Any, form: Any
) -> Any:
    rank = weight.ndim - 2
    single = len(form.sizes) == rank + 1
    grad = grad.unsqueeze(0) if single else grad
    sizes = form.sizes[-rank:]
    stride, dilation = each_of(stride, rank), each_of(dilation, rank)
    borders = _borders(padding, weight.shape, dilation, rank)
    more = [
        size + sum(border) - ((out - 1) * s + d * (k - 1) + 1)
        for size, border, out, s, d, k in zip(
            sizes, borders, grad.shape[2:], stride, dilation, weight.shape[2:], strict=True
        )
    ]
    whole = call(
        f"{_F}conv_transpose{rank}d", grad, conj(weight), None, stride, 0, 0, groups, dilation
    )
    whole = _padded(whole, [(0, m) for m in more])  # what no window reached
    for place, (border, size) in enumerate(zip(borders, sizes, strict=True)):
        whole = whole.narrow(2 + place, border[0], size)
    return whole.squeeze(0) if single else whole


def _of_weight(
    grad: Any, input: Any, stride: Any, padding: Any, dilation: Any, groups: Any, form: Any
) -> Any:
    if not (input.numel() and grad.numel()):
        return zeros(form, grad.dtype)
    rank = len(form.sizes) - 2
    if input.ndim == rank + 1:
        input, grad = input.unsqueeze(0), grad.unsqueeze(0)
    stride, dilation = each_of(stride, rank), each_of(dilation, rank)
    borders = _borders(padding, form.sizes, dilation, rank)
    input = _padded(conj(input), borders)
    parts = []
    width, height = input.shape[1] // groups, grad.shape[1] // groups
    for group in range(groups):
        signal = input.narrow(1, group * width, width).transpose(0, 1)
        kernel = grad.narrow(1, group * height, height).transpose(0, 1)
        part = call(f"{_F}conv{rank}d", signal, kernel, None, dilation, 0, stride)
        for place, size in enumerate(form.sizes[2:]):
            part = part.narrow(2 + place, 0, size)
        parts.append(part.transpose(0, 1))
    return call("torch.cat", parts, 0) if groups > 1 else parts[0]


def _of_bias(grad: Any, result_form: Any, weight_form: Any) -> Any:
    rank = len(weight_form.sizes) - 2
    dims = tuple(d for d in range(grad.ndim) if d != grad.ndim - rank - 1)
    return grad.sum(dims)


def _transposed_input(
    grad: Any, weight: Any, stride: Any, padding: Any, dilation: Any, groups: Any, form: Any
) -> Any:
    rank = weight.ndim - 2
    stride, dilation = each_of(stride, rank), each_of(dilation, rank)
    part = call(
        f"{_F}conv{rank}d",
        grad,
        conj(weight),
        None,
        stride,
        each_of(padding, rank),
        dilation,
        groups,
    )
    for place, size in enumerate(form.sizes[-rank:]):
        part = part.narrow(part.ndim - rank + place, 0, size)
    return part


for _rank in (1, 2, 3):
    derivative(
        f"{_F}conv{_rank}d", name="Convolution", input=_of_input, weight=_of_weight, bias=_of_bias
    )
    derivative(
        f"{_F}conv_transpose{_rank}d",
        name="Convolution",
        input=_transposed_input,
        weight=lambda grad, input, stride, padding, dilation, groups, form: conj(
            _of_weight(input, grad, stride, padding, dilation, groups, form)
        ),
        bias=_of_bias,
    )


@composite(f"{_F}conv_tbc")
def conv_tbc(input: Any, weight: Any, bias: Any, pad: Any) -> Any:
    """A convolution of sequences `[T, N, C]`."""
    signal, kernel = input.permute(1, 2, 0), weight.permute(2, 1, 0)
    return call(f"{_F}conv1d", signal, kernel, bias, 1, pad or 0).permute(2, 0, 1)


derivative(
    f"{_F}unfold",
    name="Im2Col",
    input=lambda grad, kernel_size, dilation, padding, stride, form: call(
        f"{_F}fold", grad, form.sizes[-2:], kernel_size, dilation, padding, stride
    ),
)
derivative(
    f"{_F}fold",
    name="Col2Im",
    input=lambda grad, kernel_size, dilation, padding, stride: call(
        f"{_F}unfold", grad, kernel_size, dilation, padding, stride
    ),
)
