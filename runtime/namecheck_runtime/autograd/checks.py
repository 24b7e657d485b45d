"""Gradients compared with differences: `gradcheck`, and `gradgradcheck` for those of second order.

Source: torch.autograd.gradcheck, without its fast mode.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.engine import grad
from namecheck_runtime.autograd.graph import bare, requires_grad
from namecheck_runtime.autograd.modes import grad_mode
from namecheck_runtime.tensors.object import Tensor, fresh
from namecheck_runtime.tensors.values.name_tuples import unnamed


class GradcheckError(RuntimeError):
    """A gradient is not what differences of results say."""


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = False,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Whether the gradients of a function are those that differences of its results say.

    `inputs` are its arguments; those in double precision that require a gradient are checked.
    Raises GradcheckError if they are not, unless `raise_exception` is False; ValueError if there is
    nothing to check.
    """
    if check_batched_grad or masked:
        raise NotImplementedError("gradcheck() has no check_batched_grad and no masked here")
    arguments = [inputs] if isinstance(inputs, Tensor) else list(inputs)
    checked = [t for t in arguments if isinstance(t, Tensor) and requires_grad(t)]
    if not checked:
        raise ValueError("gradcheck expects at least one input that requires a gradient")
    try:
        _compare(func, arguments, checked, eps, atol, rtol)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _results(func: Callable[..., Any], arguments: Sequence[Any]) -> list[Tensor]:
    output = func(*arguments)
    parts = output if isinstance(output, (tuple, list)) else (output,)
    return [
        part
        for part in parts
        if isinstance(part, Tensor) and part.dtype.kind in ("float", "complex")
    ]


def _compare(
    func: Callable[..., Any],
    arguments: list[Any],
    checked: Sequence[Tensor],
    eps: float,
    atol: float,
    rtol: float,
) -> None:
    outputs = _results(func, arguments)
    for number, output in enumerate(outputs):
        if not requires_grad(output):
            continue
        analytic = _jacobians(output, checked)
        for place, tensor in enumerate(checked):
            differences = _differences(func, arguments, tensor, number, eps)
            if not np.allclose(analytic[place], differences, rtol, atol, equal_nan=True):
                raise GradcheckError(
                    f"Jacobian mismatch for output {number} with respect to input {place},\n"
                    f"numerical:{differences}\nanalytical:{analytic[place]}\n"
                )


def _basis(output: Tensor) -> list[Any]:
    """A gradient for each number in a tensor: real and imaginary parts count apart."""
    flat = np.eye(max(int(output.shape.numel()), 1))[: output.shape.numel()]
    units: list[Any] = [row.reshape(tuple(output.shape)) for row in flat]
    if output.dtype.kind == "complex":
        units = [unit * part for unit in units for part in (1, 1j)]
    return [fresh(np.asarray(u, output.dtype.numpy), unnamed(output.ndim)) for u in units]


def _numbers(array: Any) -> Any:
    """The real numbers in an array, in one vector."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat


def _jacobians(output: Tensor, checked: Sequence[Tensor]) -> list[Any]:
    rows: list[list[Any]] = [[] for _ in checked]
    for unit in _basis(output):
        grads = grad(output, checked, unit, retain_graph=True, allow_unused=True)
        for place, (tensor, part) in enumerate(zip(checked, grads, strict=True)):
            array = (
                np.zeros(tuple(tensor.shape), tensor.dtype.numpy)
                if part is None
                else (bare(part)._elements())
            )
            if tuple(array.shape) != tuple(tensor.shape):
                raise GradcheckError(f"a gradient has sizes {array.shape}, not {tensor.shape}")
            rows[place].append(_numbers(array).copy())
    sizes = [_numbers(bare(t)._elements()).size for t in checked]
    return [
        np.array(row, float).reshape(len(row), size) for row, size in zip(rows, sizes, strict=True)
    ]


def _differences(
    func: Callable[..., Any], arguments: list[Any], tensor: Tensor, number: int, eps: float
) -> Any:
    """The Jacobian of one result by one input, from results at points on both sides."""
    places = [k for k, argument in enumerate(arguments) if argument is tensor]
    array = bare(tensor)._elements()
    columns = []
    with grad_mode(True):
        for index in np.ndindex(*array.shape):
            for step in (eps, eps * 1j) if array.dtype.kind == "c" else (eps,):
                sides = []
                for sign in (1, -1):
                    moved = array.copy()
                    moved[index] += sign * step
                    filled = list(arguments)
                    for place in places:
                        point = fresh(moved, tensor._names)
                        point.requires_grad_()
                        filled[place] = point * 1 if tensor.grad_fn is not None else point
                    sides.append(_numbers(bare(_results(func, filled)[number])._elements()).copy())
                columns.append((sides[0] - sides[1]) / (2 * eps))
    count = _numbers(bare(_results(func, arguments)[number])._elements()).size
    return np.array(columns, float).reshape(len(columns), count).T


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    **options: Any,
) -> bool:
    """`gradcheck` of the gradients of a function, as a function of inputs and `grad_outputs`.

    Without `grad_outputs` they are random, of a fixed seed.
    """
    arguments = [inputs] if isinstance(inputs, Tensor) else list(inputs)
    outputs = [o for o in _results(func, arguments) if requires_grad(o)]
    if grad_outputs is None:
        random = np.random.default_rng(0)
        firsts = []
        for output in outputs:
            noise = random.normal(size=tuple(output.shape))
            if output.dtype.kind == "complex":
                noise = noise + 1j * random.normal(size=noise.shape)
            first = fresh(np.asarray(noise, output.dtype.numpy), unnamed(output.ndim))
            firsts.append(first.requires_grad_())
    else:
        firsts = [grad_outputs] if isinstance(grad_outputs, Tensor) else list(grad_outputs)
    count = len(arguments)

    def gradients(*values: Any) -> tuple[Any, ...]:
        points, weights = values[:count], values[count:]
        wanted = [p for p in points if isinstance(p, Tensor) and requires_grad(p)]
        results = [o for o in _results(func, points) if requires_grad(o)]
        parts = grad(results, wanted, weights, create_graph=True, allow_unused=True)
        return tuple(
            call("torch.zeros_like", bare(p)) if part is None else part
            for part, p in zip(parts, wanted, strict=True)
        )

    return gradcheck(
        gradients,
        (*arguments, *firsts),
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
    )
