"""Pooling of maps."""

from __future__ import annotations

from math import prod

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.shapes import along_dim, each_of
from namecheck_runtime.autograd.table import composite, derivative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_F = "torch.nn.functional."


# -- means -----------------------------------------------------------------------------------------


def _averaging(rank: int) -> None:
    def compute(
        input: Any,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        ceil_mode: Any,
        count_include_pad: Any,
        divisor_override: Any,
    ) -> Any:
        options = {"ceil_mode": ceil_mode, "count_include_pad": count_include_pad}
        if divisor_override is not None:
            options["divisor_override"] = divisor_override
        kernel, border = each_of(kernel_size, rank), each_of(padding, rank)
        has_stride = stride is not None and stride != ()
        steps = each_of(stride, rank) if has_stride else kernel
        sizes = tuple(input.shape[-rank:])
        ones = call("torch.ones", (1, 1, *sizes), dtype=input.dtype, device=input.device)
        means = call(f"{_F}avg_pool{rank}d", ones, kernel, steps, border, **options)
        out = tuple(means.shape[2:])

        def sums(value: Any) -> Any:
            pads: list[int] = []
            for size, k, s, p, n in zip(sizes, kernel, steps, border, out, strict=True):
                reach = (n - 1) * s + k
                pads = [p, max(reach - size - p, 0), *pads]
            value = call(f"{_F}pad", value, pads)
            for place, (k, s, n) in enumerate(zip(kernel, steps, out, strict=True)):
                at = (slice(None),) * (value.ndim - rank + place)
                total = value[(*at, slice(0, (n - 1) * s + 1, s))]
                for begin in range(1, k):
                    total = total + value[(*at, slice(begin, begin + (n - 1) * s + 1, s))]
                value = total
            return value

        divisors = (sums(ones) / means).reshape(out)
        return sums(input) / divisors

    composite(f"{_F}avg_pool{rank}d", function=compute)


def _power_averaging(rank: int) -> None:
    def compute(input: Any, norm_type: Any, kernel_size: Any, stride: Any, ceil_mode: Any) -> Any:
        number = prod(each_of(kernel_size, rank))
        steps = kernel_size if stride is None or stride == () else stride
        means = call(f"{_F}avg_pool{rank}d", input**norm_type, kernel_size, steps, 0, ceil_mode)
        return (means.sgn() * call(f"{_F}relu", means.abs()) * number) ** (1.0 / norm_type)

    composite(f"{_F}lp_pool{rank}d", function=compute)


def _adaptive_averaging(rank: int) -> None:
    def compute(input: Any, output_size: Any) -> Any:
        for place, asked in enumerate(each_of(output_size, rank)):
            dim = input.ndim - rank + place
            size = input.shape[dim]
            number = size if asked is None else asked
            matrix = call("torch.zeros", number, size, dtype=input.dtype, device=input.device)
            for row in range(number):
                begin, end = row * size // number, -(-(row + 1) * size // number)
                matrix[row, begin:end] = 1 / (end - begin)
            input = along_dim(input, matrix, dim)
        return input

    composite(f"{_F}adaptive_avg_pool{rank}d", function=compute)


# -- largest elements ------------------------------------------------------------------------------


def _at(input: Any, indices: Any, rank: int) -> Any:
    """The elements of each map at the places that the op has picked."""
    lead = tuple(indices.shape[: indices.ndim - rank])
    flat = input.reshape((*lead, prod(input.shape[input.ndim - rank :])))
    places = indices.reshape((*lead, prod(indices.shape[indices.ndim - rank :])))
    return flat.gather(-1, places).reshape(tuple(indices.shape))


def _largest(rank: int, indexed: bool) -> None:
    both = f"{_F}max_pool{rank}d_with_indices"

    def compute(
        input: Any,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        ceil_mode: Any,
        return_indices: Any,
    ) -> Any:
        steps = kernel_size if stride is None or stride == () else stride
        indices = call(both, input.detach(), kernel_size, steps, padding, dilation, ceil_mode)[1]
        values = _at(input, indices, rank)
        return (values, indices) if indexed or return_indices else values

    composite(both if indexed else f"{_F}max_pool{rank}d", function=compute)

    def adapt(input: Any, output_size: Any, return_indices: Any) -> Any:
        path = f"{_F}adaptive_max_pool{rank}d_with_indices"
        indices = call(path, input.detach(), output_size)[1]
        values = _at(input, indices, rank)
        return (values, indices) if indexed or return_indices else values

    end = "_with_indices" if indexed else ""
    composite(f"{_F}adaptive_max_pool{rank}d{end}", function=adapt)

    if rank == 1:
        return

    def fraction(
        input: Any,
        kernel_size: Any,
        output_size: Any,
        output_ratio: Any,
        return_indices: Any,
        _random_samples: Any,
    ) -> Any:
        path = f"{_F}fractional_max_pool{rank}d_with_indices"
        indices = call(
            path,
            input.detach(),
            kernel_size,
            output_size=output_size,
            output_ratio=output_ratio,
            _random_samples=None if _random_samples is None else _random_samples.detach(),
        )[1]
        values = _at(input, indices, rank)
        return (values, indices) if indexed or return_indices else values

    composite(f"{_F}fractional_max_pool{rank}d{end}", function=fraction)


for _rank in (1, 2, 3):
    _averaging(_rank)
    _power_averaging(_rank)
    _adaptive_averaging(_rank)
    _largest(_rank, False)
    _largest(_rank, True)
    derivative(
        f"{_F}max_unpool{_rank}d",
        input=lambda grad, indices, form, _rank=_rank: _at(grad, indices, _rank),
    )
