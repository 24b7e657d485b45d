"""Recurrent layers and their cells.

Their results nest: `(output, h)` for RNN and GRU, `(output, (h, c))` for LSTM.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import merge, require_equal
from namecheck_runtime.declare import Fields, Shape, Size
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Trailing, known_dims
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import LayerSize
from namecheck_runtime.rules.nn.spatial import is_true, nn, optional, tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def _require(
    shape: Shape, place: int, wanted: Size, role: str, argument: str, text: str = ""
) -> None:
    """Require the dim at `place` of an input to have the size that `role` says."""
    size = known_dims(shape)[place].size
    if size == wanted:
        return
    mistake = LayerSize(
        input=shape,
        wanted=wanted,
        found=size,
        role=role,
        text=text,
        blame=(Blame(argument, place),),
    )
    require_equal(wanted, size, mistake)


class _Sizes(NamedTuple):
    """The constructor arguments of a recurrent layer."""

    input: Size
    hidden: Size
    output: Size
    """The size of h: `proj_size`, or `hidden_size` without a projection."""
    directions: Size
    layers: Size

    @property
    def stacked(self) -> Dim:
        """As many states as there are layers and directions, the layers outermost."""
        return _by_direction(self.layers, self.directions)


def _by_direction(outer: Size, inner: Size) -> Dim:
    """A dim that has the directions of a layer side by side, or layers and their directions."""
    if 1 in (outer, inner):
        return Dim(None, sizes.multiply(outer, inner))
    return merge((Dim(None, outer), Dim(None, inner)))


def _sizes(fields: Fields) -> _Sizes:
    hidden, projected = fields["hidden_size"], fields.get("proj_size", 0)
    twice = is_true(fields["bidirectional"])
    return _Sizes(
        fields["input_size"],
        hidden,
        hidden if projected == 0 else projected,
        2 if twice.definite else 1 if not twice.possible else UNKNOWN,
        fields["num_layers"],
    )


class _Answer(NamedTuple):
    output: Shape
    states: tuple[Shape, Shape]
    """h and c."""


def _run(fields: Fields, input: Shape, states: tuple[Any, ...], layer: str) -> _Answer:
    """`[T, N, I]` to `[T, N, D * H]` and the states `[D * layers, N, H]`.

    With batch_first the input is `[N, T, I]`; without a batch it is `[T, I]`.  Source:
    torch.nn.LSTM, "Inputs" and "Outputs".
    """
    built = _sizes(fields)
    dims = known_dims(input)
    if (isinstance(input, tuple) and len(input) not in (2, 3)) or len(dims) > 3:
        text = f"{layer}: Expected input to be 2D or 3D, got {len(dims)}D instead"
        raise RankMismatch(shape=input, wanted="2 or 3", text=text, blame=(Blame("input"),))
    if dims:
        text = (
            f"input.size(-1) must be equal to input_size. Expected {built.input}, got "
            f"{dims[-1].size}"
        )
        _require(input, -1, built.input, "input_size", "input", text)
    width, stacked = _by_direction(built.directions, built.output), built.stacked
    if not isinstance(input, tuple) and len(dims) == 3:
        input = dims
    if not isinstance(input, tuple):
        states_of_any_rank = (
            Trailing((Dim(None, built.output),)),
            Trailing((Dim(None, built.hidden),)),
        )
        return _Answer(Trailing((*dims[:-1], width)), states_of_any_rank)
    first = is_true(fields["batch_first"])
    batch: Dims = ()
    if len(input) == 3:
        known = (input[0],) if first.definite else (input[1],)
        batch = known if first.definite or not first.possible else (Dim(UNKNOWN, UNKNOWN),)
    ends = (
        (stacked, *batch, Dim(None, built.output)),
        (stacked, *batch, Dim(None, built.hidden)),
    )
    for state, end, index in zip(states, ends, (0, 1), strict=False):
        _check_state(state, end, len(input), index if len(states) > 1 else None)
    return _Answer((*input[:-1], width), ends)


def _check_state(state: Any, wanted: Dims, rank: int, index: int | None) -> None:
    """Require a given state to have the shape that the layer makes."""
    if not isinstance(state, tuple) or not all(isinstance(dim, Dim) for dim in state):
        return
    if len(state) != len(wanted):
        which = "batched" if rank == 3 else "unbatched"
        names = "hx" if index is None else "hx and cx"
        text = (
            f"For {which} {rank}-D input, {names} should also be {rank}-D but got {len(state)}-D "
            "tensor"
        )
        raise RankMismatch(shape=state, wanted=str(len(wanted)), text=text, blame=(Blame("hx"),))
    roles = ("layers and directions", *("batch",) * (rank - 2), "hidden size")
    which = "hidden" if index is None else f"hidden[{index}]"
    text = f"Expected {which} size ({size_list(wanted)[1:-1]}), got {size_list(state)}"
    for place, (dim, role) in enumerate(zip(wanted, roles, strict=True)):
        _require(state, place, dim.size, role, "hx", text)


def _batch_first(fields: Fields) -> object:
    return fields["batch_first"]


def _layer_tensors(fields: Fields, gates: int) -> Mapping[str, Shape | None]:
    built = _sizes(fields)
    shapes: dict[str, Shape | None] = {}
    layers = fields["num_layers"]
    directions = built.directions
    if not isinstance(layers, int) or not isinstance(directions, int):
        return shapes
    rows = sizes.multiply(gates, built.hidden)
    for layer in range(min(layers, 64)):
        inner = sizes.multiply(directions, built.output) if layer else built.input
        for suffix in ("", "_reverse")[:directions]:
            end = f"l{layer}{suffix}"
            shapes[f"weight_ih_{end}"] = tensor(rows, inner)
            shapes[f"weight_hh_{end}"] = tensor(rows, built.output)
            optional(shapes, f"bias_ih_{end}", fields["bias"], tensor(rows))
            optional(shapes, f"bias_hh_{end}", fields["bias"], tensor(rows))
            if built.output != built.hidden:
                shapes[f"weight_hr_{end}"] = tensor(built.output, built.hidden)
    return shapes


def _layer_products(fields: Fields, input: Shape, gates: int) -> Size:
    """Those of the gates of every layer and direction, at every step; projections of the states."""
    built, layers = _sizes(fields), fields["num_layers"]
    if not isinstance(input, tuple) or not isinstance(layers, int):
        return UNKNOWN
    steps = sizes.product(dim.size for dim in input[:-1])
    later = sizes.multiply(built.directions, built.output)
    counts: list[Size] = []
    for inner in (built.input, *[later] * (layers - 1)):
        taken = sizes.add(inner, built.output)
        counts.append(sizes.product((gates, built.hidden, taken)))
        if built.output != built.hidden:
            counts.append(sizes.multiply(built.output, built.hidden))
    return sizes.product((steps, built.directions, sizes.total(counts)))


def _cell_products(fields: Fields, input: Shape, gates: int) -> Size:
    """Those of the gates of one step."""
    if not isinstance(input, tuple):
        return UNKNOWN
    rows = sizes.product(dim.size for dim in input[:-1])
    hidden = fields["hidden_size"]
    return sizes.product((gates, rows, hidden, sizes.add(fields["input_size"], hidden)))


@nn("rnn", "RNN")
class RNN:
    """A simple recurrence.  Source: torch.nn.RNN, "Inputs" and "Outputs"."""

    sequences = ("input",)
    batch_first = staticmethod(_batch_first)

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size,
        num_layers: Size = 1,
        nonlinearity: object = "tanh",
        bias: object = True,
        batch_first: object = False,
        dropout: object = 0.0,
        bidirectional: object = False,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight_ih_l0 `[H, I]`, weight_hh_l0 `[H, H]`, bias_ih_l0 and bias_hh_l0, and so on."""
        return _layer_tensors(fields, 1)

    @staticmethod
    def products(fields: Fields, arguments: Mapping[str, Any], result: Any) -> Size:
        """One gate at each step."""
        return _layer_products(fields, arguments["input"], 1)

    @staticmethod
    def forward(fields: Fields, input: Shape, hx: object = None) -> tuple[Shape, Shape]:
        """`(output, h)`."""
        answer = _run(fields, input, (hx,), "RNN")
        return answer.output, answer.states[0]


@nn("rnn", "GRU")
class GRU:
    """A gated recurrence.  Source: torch.nn.GRU, "Inputs" and "Outputs"."""

    sequences = ("input",)
    batch_first = staticmethod(_batch_first)

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size,
        num_layers: Size = 1,
        bias: object = True,
        batch_first: object = False,
        dropout: object = 0.0,
        bidirectional: object = False,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight_ih_l0 `[3 * H, I]`, weight_hh_l0 `[3 * H, H]`, and so on."""
        return _layer_tensors(fields, 3)

    @staticmethod
    def products(fields: Fields, arguments: Mapping[str, Any], result: Any) -> Size:
        """Three gates at each step."""
        return _layer_products(fields, arguments["input"], 3)

    @staticmethod
    def forward(fields: Fields, input: Shape, hx: object = None) -> tuple[Shape, Shape]:
        """`(output, h)`."""
        answer = _run(fields, input, (hx,), "GRU")
        return answer.output, answer.states[0]


@nn("rnn", "LSTM")
class LSTM:
    """Long short-term memory.  Source: torch.nn.LSTM, "Inputs" and "Outputs"."""

    sequences = ("input",)
    batch_first = staticmethod(_batch_first)

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size,
        num_layers: Size = 1,
        bias: object = True,
        batch_first: object = False,
        dropout: object = 0.0,
        bidirectional: object = False,
        proj_size: Size = 0,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight_ih_l0 `[4 * H, I]`, weight_hh_l0 `[4 * H, H]`, and so on."""
        return _layer_tensors(fields, 4)

    @staticmethod
    def products(fields: Fields, arguments: Mapping[str, Any], result: Any) -> Size:
        """Four gates at each step."""
        return _layer_products(fields, arguments["input"], 4)

    @staticmethod
    def forward(
        fields: Fields, input: Shape, hx: object = None
    ) -> tuple[Shape, tuple[Shape, Shape]]:
        """`(output, (h, c))`."""
        states = _pair(hx)
        answer = _run(fields, input, states, "LSTM")
        return answer.output, answer.states


def _pair(hx: Any) -> tuple[Any, ...]:
    """The two states of an LSTM; raises RankMismatch for one tensor, which would be unpacked."""
    if isinstance(hx, (tuple, list)) and len(hx) == 2 and not isinstance(hx[0], Dim):
        return tuple(hx)
    if isinstance(hx, tuple) and hx and isinstance(hx[0], Dim) and hx[0].size == 1:
        text = "index 1 is out of bounds for dimension 0 with size 1"
        raise RankMismatch(shape=hx, wanted="a pair (h, c) of 3", text=text, blame=(Blame("hx"),))
    return ()


# Cells: one step.


def _step(fields: Fields, input: Shape, states: tuple[Any, ...], layer: str) -> Shape:
    """`[N, I] -> [N, H]` or `[I] -> [H]`.  Source: torch.nn.LSTMCell, "Inputs" and "Outputs"."""
    dims = known_dims(input)
    if (isinstance(input, tuple) and len(input) not in (1, 2)) or len(dims) > 2:
        text = f"{layer}: Expected input to be 1D or 2D, got {len(dims)}D instead"
        raise RankMismatch(shape=input, wanted="1 or 2", text=text, blame=(Blame("input"),))
    if dims:
        wanted = fields["input_size"]
        text = f"input has inconsistent input_size: got {dims[-1].size} expected {wanted}"
        _require(input, -1, wanted, "input_size", "input", text)
    width = Dim(None, fields["hidden_size"])
    for state in states:
        if not isinstance(state, tuple) or not all(isinstance(dim, Dim) for dim in state):
            continue
        if len(state) not in (1, 2):
            text = f"{layer}: Expected hidden to be 1D or 2D, got {len(state)}D instead"
            raise RankMismatch(shape=state, wanted="1 or 2", text=text, blame=(Blame("hx"),))
        _require(state, -1, width.size, "hidden_size", "hx")
        if len(state) == 2 and isinstance(input, tuple) and len(input) == 2:
            _require(state, 0, input[0].size, "batch", "hx")
    if isinstance(input, tuple):
        return (*input[:-1], width)
    return Trailing((*dims[:-1], width))


def _cell_tensors(fields: Fields, gates: int) -> Mapping[str, Shape | None]:
    rows = sizes.multiply(gates, fields["hidden_size"])
    shapes: dict[str, Shape | None] = {
        "weight_ih": tensor(rows, fields["input_size"]),
        "weight_hh": tensor(rows, fields["hidden_size"]),
    }
    optional(shapes, "bias_ih", fields["bias"], tensor(rows))
    optional(shapes, "bias_hh", fields["bias"], tensor(rows))
    return shapes


@nn("rnn", "RNNCell")
class RNNCell:
    """One step of a simple recurrence.  Source: torch.nn.RNNCell."""

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size,
        bias: object = True,
        nonlinearity: object = "tanh",
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight_ih `[H, I]`, weight_hh `[H, H]`, bias_ih and bias_hh `[H]`."""
        return _cell_tensors(fields, 1)

    @staticmethod
    def products(fields: Fields, arguments: Mapping[str, Any], result: Any) -> Size:
        """One gate at each step."""
        return _cell_products(fields, arguments["input"], 1)

    @staticmethod
    def forward(fields: Fields, input: Shape, hx: object = None) -> Shape:
        """The next state."""
        return _step(fields, input, (hx,), "RNNCell")


@nn("rnn", "GRUCell")
class GRUCell:
    """One step of a gated recurrence.  Source: torch.nn.GRUCell."""

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size,
        bias: object = True,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight_ih `[3 * H, I]`, weight_hh `[3 * H, H]`, bias_ih and bias_hh."""
        return _cell_tensors(fields, 3)

    @staticmethod
    def products(fields: Fields, arguments: Mapping[str, Any], result: Any) -> Size:
        """Three gates at each step."""
        return _cell_products(fields, arguments["input"], 3)

    @staticmethod
    def forward(fields: Fields, input: Shape, hx: object = None) -> Shape:
        """The next state."""
        return _step(fields, input, (hx,), "GRUCell")


@nn("rnn", "LSTMCell")
class LSTMCell:
    """One step of long short-term memory.  Source: torch.nn.LSTMCell."""

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size,
        bias: object = True,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight_ih `[4 * H, I]`, weight_hh `[4 * H, H]`, bias_ih and bias_hh."""
        return _cell_tensors(fields, 4)

    @staticmethod
    def products(fields: Fields, arguments: Mapping[str, Any], result: Any) -> Size:
        """Four gates at each step."""
        return _cell_products(fields, arguments["input"], 4)

    @staticmethod
    def forward(fields: Fields, input: Shape, hx: object = None) -> tuple[Shape, Shape]:
        """The next `(h, c)`."""
        states = tuple(hx) if isinstance(hx, (tuple, list)) and len(hx) == 2 else ()
        result = _step(fields, input, states, "LSTMCell")
        return result, result
