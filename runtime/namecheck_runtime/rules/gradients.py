"""Where a gradient begins: `backward`, and `torch.autograd.grad`.

Which gradients there are, and their elements, is none of the rules' business.
"""

from __future__ import annotations

from namecheck_runtime.binding import Rule
from namecheck_runtime.declare import Shape, op, read_rule
from namecheck_runtime.lattice import UNKNOWN, Dim, Truth, known_dims
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.gradients import NonscalarBackward
from namecheck_runtime.sizes import compare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final


def backward(
    self: Shape,
    gradient: object = None,
    retain_graph: object = None,
    create_graph: object = False,
    inputs: object = None,
) -> object:
    """Runs the graph of a tensor backwards.  Raises NonscalarBackward.

    Source: torch.Tensor.backward.
    """
    if gradient is None:
        _require_scalar(self, "self")
    return UNKNOWN


_rule: Final = read_rule(backward)
op("Tensor.backward")(Rule(backward, _rule.parameters, "None", _rule.leading))


def backward_of(
    tensors: object,
    grad_tensors: object = None,
    retain_graph: object = None,
    create_graph: object = False,
    grad_variables: object = None,
    inputs: object = None,
) -> object:
    """As `backward`, of several tensors.  Raises NonscalarBackward.

    Source: torch.autograd.backward.
    """
    if grad_tensors is None and grad_variables is None:
        _require_scalars(tensors, "tensors")
    return UNKNOWN


_rule_of_several: Final = read_rule(backward_of)
op("torch.autograd.backward")(
    Rule(backward_of, _rule_of_several.parameters, "None", _rule_of_several.leading)
)


@op("torch.autograd.grad")
def grad(
    outputs: object,
    inputs: object,
    grad_outputs: object = None,
    retain_graph: object = None,
    create_graph: object = False,
    only_inputs: object = True,
    allow_unused: object = None,
    is_grads_batched: object = False,
    materialize_grads: object = False,
) -> object:
    """The gradients of outputs with respect to inputs.  Raises NonscalarBackward.

    Source: torch.autograd.grad.
    """
    if grad_outputs is None:
        _require_scalars(outputs, "outputs")
    is_plain = is_grads_batched is False and allow_unused in (None, False)
    return _like(inputs) if is_plain else UNKNOWN


def _like(inputs: Any) -> Any:
    """Gradients with the sizes of a tensor, or of several; UNKNOWN of an empty tuple."""
    if not isinstance(inputs, tuple) or not inputs:
        return UNKNOWN
    if all(isinstance(dim, Dim) for dim in inputs):
        inputs = (inputs,)
    if not all(isinstance(shape, tuple) for shape in inputs):
        return UNKNOWN
    return tuple(tuple(dim.rename(None) for dim in shape) for shape in inputs)


def _require_scalars(tensors: Any, argument: str) -> None:
    """As `_require_scalar`, for a tensor or a sequence of tensors."""
    if isinstance(tensors, tuple) and tensors and isinstance(tensors[0], tuple):
        for shape in tensors:
            _require_scalar(shape, argument)
    else:
        _require_scalar(tensors, argument)


def _require_scalar(shape: Any, argument: str) -> None:
    """Raises NonscalarBackward if a size is not 1; a size that is not known may be 1."""
    if isinstance(shape, tuple) and not all(isinstance(dim, Dim) for dim in shape):
        return
    if any(compare(dim.size, 1) is Truth.NO for dim in known_dims(shape)):
        raise NonscalarBackward(shape=shape, blame=(Blame(argument),))
