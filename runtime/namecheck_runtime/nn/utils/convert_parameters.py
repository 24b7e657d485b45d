"""All parameters as one vector, and back.  Source: torch.nn.utils.convert_parameters."""

from __future__ import annotations

from collections.abc import Iterable

from namecheck_runtime.autograd.modes import no_grad
from namecheck_runtime.tensors.dispatch import call_path
from namecheck_runtime.tensors.object import Tensor


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """The elements of all parameters one after the other: `[number of elements]`."""
    vectors = [parameter.rename(None).reshape(-1) for parameter in parameters]
    return call_path("torch.cat", (vectors,), {})  # type: ignore[no-any-return]


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Give the parameters the elements of a vector, in the order of `parameters_to_vector`."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    first = 0
    bare = vec.detach().rename(None)
    for parameter in parameters:
        count = parameter.shape.numel()
        part = bare[first : first + count].reshape(tuple(parameter.shape))
        with no_grad():
            names = parameter.names
            parameter.data = part.rename(*names) if any(names) else part
        first += count
