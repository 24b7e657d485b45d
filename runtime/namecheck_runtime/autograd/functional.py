"""Derivatives of functions: `jacobian`, `hessian`, and products with them.

Source: torch.autograd.functional.  Gradients have the names of inputs; a Jacobian has the names of
the output before them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.engine import grad
from namecheck_runtime.autograd.graph import bare, named, requires_grad
from namecheck_runtime.autograd.modes import grad_mode
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.name_tuples import intern, unnamed


def _tuple(value: Any, what: str, function: str) -> tuple[bool, tuple[Any, ...]]:
    """Whether there are several tensors, and the tensors.  Raises TypeError for others."""
    several = isinstance(value, (tuple, list))
    tensors = tuple(value) if several else (value,)
    for number, tensor in enumerate(tensors):
        if not isinstance(tensor, Tensor):
            raise TypeError(
                f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but "
                f"the value at index {number} has type {type(tensor)}."
            )
    return several, tensors


def _outputs(
    func: Callable[..., Any], points: tuple[Any, ...], function: str
) -> tuple[bool, tuple[Any, ...]]:
    """Whether a function returns several tensors, and the tensors."""
    return _tuple(func(*points), "outputs of the user-provided function", function)


def _points(inputs: tuple[Any, ...], in_graph: bool) -> tuple[Any, ...]:
    """The inputs as tensors whose gradients can be asked for."""
    if in_graph:
        return tuple([t.view_as(t) if requires_grad(t) else _leaf(t) for t in inputs])
    return tuple([_leaf(t) for t in inputs])


def _leaf(tensor: Tensor) -> Tensor:
    leaf = bare(tensor, tensor._names)
    leaf.requires_grad_()
    return leaf


def _end(values: tuple[Any, ...], several: bool, in_graph: bool) -> Any:
    results = values if in_graph else tuple([t.detach() for t in values])
    return results if several else results[0]


def _gradients(
    outputs: Any, points: tuple[Any, ...], weights: Any, in_graph: bool, strict: bool
) -> tuple[Any, ...]:
    """The gradients of the outputs that depend on something; zeros where nothing does."""
    pairs = [(o, w) for o, w in zip(outputs, weights, strict=True) if requires_grad(o)]
    if strict and len(pairs) < len(outputs):
        raise RuntimeError(
            "The output of the user-provided function is independent of the input. This is not "
            "allowed in strict mode."
        )
    if not pairs:
        return tuple([_zeros(p) for p in points])
    parts = grad(
        [o for o, _ in pairs],
        points,
        [w for _, w in pairs],
        retain_graph=True,
        create_graph=in_graph,
        allow_unused=True,
    )
    if strict and any(part is None for part in parts):
        raise RuntimeError(
            "The output of the user-provided function is independent of an input. This is not "
            "allowed in strict mode."
        )
    return tuple([_zeros(p) if g is None else g for p, g in zip(points, parts, strict=True)])


def _zeros(tensor: Tensor) -> Tensor:
    return call("torch.zeros_like", bare(tensor, tensor._names))  # type: ignore[no-any-return]


def vjp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The outputs, and the product of a vector (of the outputs' form) with the Jacobian.

    Raises RuntimeError if `v` is left out and the output has more than one element.
    """
    several, tensors = _tuple(inputs, "inputs", "vjp")
    with grad_mode(True):
        points = _points(tensors, create_graph)
        many, outputs = _outputs(func, points, "vjp")
        weights = _weights(v, outputs, "vjp")
        parts = _gradients(outputs, points, weights, create_graph, strict)
    return _end(outputs, many, create_graph), _end(parts, several, create_graph)


def _weights(v: Any, outputs: tuple[Any, ...], function: str) -> tuple[Any, ...]:
    if v is None:
        if len(outputs) != 1 or outputs[0].shape.numel() != 1:
            raise RuntimeError(
                f"The vector v can only be None if the user-provided function returns a single "
                f"Tensor with a single element ({function})."
            )
        return (call("torch.ones_like", bare(outputs[0])),)
    weights = tuple(v) if isinstance(v, (tuple, list)) else (v,)
    if len(weights) != len(outputs):
        raise RuntimeError(f"The number of vectors of {function} is not that of the tensors.")
    return weights


def jvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The outputs, and the product of the Jacobian with a vector (of the inputs' form).

    By differentiating `vjp`, which is linear in its vector.
    """
    _, tensors = _tuple(inputs, "inputs", "jvp")
    with grad_mode(True):
        points = _points(tensors, create_graph)
        weights = _weights(v, points, "jvp")
        many, outputs = _outputs(func, points, "jvp")
        duals = tuple([_leaf(_zeros(o)) for o in outputs])
        first = _gradients(outputs, points, duals, True, strict)
        parts = _gradients(first, duals, weights, create_graph, False)
        parts = tuple([named(p, o._names) for p, o in zip(parts, outputs, strict=True)])
    return _end(outputs, many, create_graph), _end(parts, many, create_graph)


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """For each output, and each input, the tensor `[*output sizes, *input sizes]`.

    Names of the input that the output has, too, are dropped: a tensor has each name once.
    """
    if vectorize or strategy != "reverse-mode":
        raise NotImplementedError("jacobian() has no vectorize and only the reverse mode here")
    several, tensors = _tuple(inputs, "inputs", "jacobian")
    with grad_mode(True):
        points = _points(tensors, create_graph)
        many, outputs = _outputs(func, points, "jacobian")
        rows = []
        for output in outputs:
            parts = _rows(output, points, create_graph, strict)
            rows.append(tuple(parts) if several else parts[0])
    return tuple(rows) if many else rows[0]


def _rows(output: Tensor, points: tuple[Any, ...], in_graph: bool, strict: bool) -> list[Any]:
    """The Jacobians of one output: a gradient for each of its elements, stacked."""
    count = output.shape.numel()
    flat = named(output, unnamed(output.ndim)).reshape(-1)
    collected: list[list[Any]] = [[] for _ in points]
    for place in range(count):
        one = call("torch.ones", (), dtype=output.dtype, device=output.device)
        parts = _gradients((flat[place],), points, (one,), in_graph, strict)
        for rows, part in zip(collected, parts, strict=True):
            rows.append(named(part, unnamed(part.ndim)))
    results = []
    for rows, point in zip(collected, points, strict=True):
        sizes = (*output.shape, *point.shape)
        if rows:
            whole = call("torch.stack", rows).reshape(sizes)
        else:
            whole = call("torch.zeros", sizes, dtype=point.dtype, device=point.device)
        taken = set(output._names) - {None}
        rest = [None if name in taken else name for name in point._names]
        whole = named(whole, intern((*output._names, *rest)))
        results.append(whole if in_graph else whole.detach())
    return results


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
) -> Any:
    """The second derivatives of a function with one element.

    Raises RuntimeError for a function of more.
    """
    several, _ = _tuple(inputs, "inputs", "hessian")

    def gradients(*points: Any) -> Any:
        parts = _of_scalar(func(*points), points, "hessian", strict)
        return parts if several else parts[0]

    return jacobian(gradients, inputs, create_graph, strict, vectorize)


def _of_scalar(output: Any, points: tuple[Any, ...], function: str, strict: bool) -> Any:
    """The gradients of a tensor of one element, in the graph.  Raises RuntimeError for others."""
    if not isinstance(output, Tensor):
        raise RuntimeError(f"The function given to {function} should return a single Tensor")
    if output.shape.numel() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {function} should contain a single "
            "element"
        )
    one = call("torch.ones_like", bare(output))
    return _gradients((output,), points, (one,), True, strict)


def vhp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The output, and the product of a vector (of the inputs' form) with the Hessian."""
    several, tensors = _tuple(inputs, "inputs", "vhp")
    with grad_mode(True):
        points = _points(tensors, create_graph)
        weights = _weights(v, points, "vhp")
        output = func(*points)
        first = _of_scalar(output, points, "vhp", strict)
        parts = _gradients(first, points, weights, create_graph, strict)
    return _end((output,), False, create_graph), _end(parts, several, create_graph)


hvp = vhp
"""The Hessian is symmetric."""
