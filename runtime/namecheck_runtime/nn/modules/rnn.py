"""Recurrent layers and their cells.  Source: torch.nn.modules.rnn."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from namecheck_runtime.layers import LAYERS
from namecheck_runtime.nn import init
from namecheck_runtime.nn.parts.declared import DeclaredLayer, constructor_of
from namecheck_runtime.nn.recurrence import Stack, Weights, bare, step
from namecheck_runtime.tensors.computing.packing import PackedSequence
from namecheck_runtime.tensors.dispatch import call_path
from namecheck_runtime.tensors.object import Tensor

_PARTS: Final = ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")


class _Even(DeclaredLayer):
    """A layer whose parameters are all drawn evenly."""

    def reset_parameters(self) -> None:
        """Draw all parameters evenly, by the size of the state."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        init.reset_even(list(self.parameters()), bound)


class RNNBase(_Even):
    """A recurrent layer of several layers and one or two directions."""

    mode: str
    has_cell: bool = False
    """Whether its states are a pair."""

    def _bind(self, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> dict[str, Any]:
        if hasattr(type(self), "declaration"):
            return super()._bind(arguments, keywords)
        # A class of a program, derived from this one: the first argument is the mode.
        mode, *rest = arguments
        name, _, nonlinearity = mode.partition("_")
        self.mode, self.has_cell = mode, name == "LSTM"
        self.__dict__["declaration"] = LAYERS[f"torch.nn.{name}"]
        self.__dict__["checks"] = False
        given = dict(keywords)
        if name == "RNN":
            given["nonlinearity"] = nonlinearity.lower()
            order = list(constructor_of(self.declaration).parameters)
            order.remove("nonlinearity")
            given.update(zip(order, rest, strict=False))
            rest = []
        return super()._bind(tuple(rest), given)

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        _require_options(fields)
        result = super()._attributes(fields)
        result.setdefault("proj_size", 0)
        result["dropout"] = float(result["dropout"])
        if "nonlinearity" in result:
            chosen = result["nonlinearity"]
            if chosen not in ("tanh", "relu"):
                raise ValueError(f"Unknown nonlinearity '{chosen}'. Select from 'tanh' or 'relu'.")
            result["mode"] = f"RNN_{chosen.upper()}"
        return result

    def _make_tensors(self, fields: Any) -> None:
        super()._make_tensors(fields)
        for name in [name for name, tensor in self._parameters.items() if tensor is None]:
            del self._parameters[name]

    @property
    def _flat_weights_names(self) -> list[str]:
        return list(self._parameters)

    @property
    def _flat_weights(self) -> list[Any]:
        return list(self._parameters.values())

    @property
    def _all_weights(self) -> list[list[str]]:
        count = 2 if self.bidirectional else 1
        ends = [
            f"l{layer}{suffix}"
            for layer in range(self.num_layers)
            for suffix in ("", "_reverse")[:count]
        ]
        every = [[f"{part}_{end}" for part in _PARTS] for end in ends]
        return [[name for name in names if hasattr(self, name)] for names in every]

    @property
    def all_weights(self) -> list[list[Any]]:
        """The parameters of each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self) -> None:
        """Nothing: PyTorch puts the parameters into one block for a GPU."""

    def _stack(self) -> Stack:
        count = 2 if self.bidirectional else 1
        every = [
            [
                Weights(*(bare(getattr(self, f"{p}_l{k}{s}", None)) for p in _PARTS))
                for s in ("", "_reverse")[:count]
            ]
            for k in range(self.num_layers)
        ]
        return Stack(self.mode, every, self.dropout if self.training else 0.0)

    def forward(self, input: Any, hx: Any = None) -> tuple[Any, Any]:
        """The states at all steps, and the last ones of all layers.

        `[T, N, I]` to `[T, N, D * H]` and `[D * layers, N, H]`; with `batch_first` N comes first,
        and it may be missing.  A packed sequence gives a packed one.
        """
        if isinstance(input, PackedSequence):
            return self._of_packed(input, hx)
        names, rank = input.names, input.ndim
        batch = 0 if self.batch_first else 1
        batch_name = names[batch] if rank == 3 else None
        data = bare(input)
        if rank == 2:
            data = data.unsqueeze(1)
        elif self.batch_first:
            data = data.transpose(0, 1)
        steps, count = data.shape[0], data.shape[1]
        states = self._states(hx, count, data, rank == 2)
        rows = data.reshape(steps * count, data.shape[2])
        output, ends = self._stack().run(rows, [count] * steps, states)
        output = output.reshape(steps, count, output.shape[-1])
        if rank == 2:
            output, ends = output.squeeze(1), tuple(end.squeeze(1) for end in ends)
        elif self.batch_first:
            output = output.transpose(0, 1)
        if any(names):
            output = output.rename(*names[:-1], None)
            if rank == 3 and batch_name is not None:
                ends = tuple(end.rename(None, batch_name, None) for end in ends)
        return output, (ends if self.has_cell else ends[0])

    def _of_packed(self, input: PackedSequence, hx: Any) -> tuple[PackedSequence, Any]:
        counts = [int(count) for count in input.batch_sizes.tolist()]
        order, back = input.sorted_indices, input.unsorted_indices
        states = self._states(hx, counts[0], input.data, False)
        if hx is not None and order is not None:
            states = tuple(state.index_select(1, order) for state in states)
        output, ends = self._stack().run(bare(input.data), counts, states)
        if back is not None:
            ends = tuple(end.index_select(1, back) for end in ends)
        return input._replace(data=output), (ends if self.has_cell else ends[0])

    def _states(self, hx: Any, count: int, like: Tensor, unbatched: bool) -> tuple[Tensor, ...]:
        """The first states `[D * layers, N, H]`: those that are given, or zeros."""
        if hx is not None:
            given = tuple(map(bare, hx if self.has_cell else (hx,)))
            return tuple(state.unsqueeze(1) for state in given) if unbatched else given
        stacked = self.num_layers * (2 if self.bidirectional else 1)
        widths = (self.proj_size or self.hidden_size, self.hidden_size)
        options = {"dtype": like.dtype, "device": like.device}
        return tuple(
            call_path("torch.zeros", ((stacked, count, width),), options)
            for width in widths[: 2 if self.has_cell else 1]
        )

    def extra_repr(self) -> str:
        """The sizes, and the options that are not the default."""
        usual: dict[str, Any] = {
            "proj_size": 0,
            "num_layers": 1,
            "bias": True,
            "batch_first": False,
            "dropout": 0,
            "bidirectional": False,
        }
        texts = [f"{self.input_size}", f"{self.hidden_size}"]
        for name, value in usual.items():
            if getattr(self, name) != value:
                texts.append(f"{name}={getattr(self, name)}")
        return ", ".join(texts)


def _require_options(fields: dict[str, Any]) -> None:
    """Raise what PyTorch raises for options that no recurrent layer has."""
    dropout = fields["dropout"]
    if isinstance(dropout, bool) or not 0 <= dropout <= 1:
        raise ValueError(
            "dropout should be a number in range [0, 1] representing the probability of an element "
            "being zeroed"
        )
    if dropout > 0 and fields["num_layers"] == 1:
        warnings.warn(
            "dropout option adds dropout after all but last recurrent layer, so non-zero dropout "
            f"expects num_layers greater than 1, but got dropout={dropout} and num_layers=1",
            stacklevel=5,
        )
    for name in ("bias", "batch_first"):
        if not isinstance(fields[name], bool):
            kind = type(fields[name]).__name__
            raise TypeError(f"{name} should be of type bool, got: {kind}")
    for name in ("input_size", "hidden_size", "num_layers"):
        if fields[name] <= 0:
            raise ValueError(f"{name} must be greater than zero")
    projected = fields.get("proj_size", 0)
    if projected < 0:
        raise ValueError("proj_size should be a positive integer or zero to disable projections")
    if projected >= fields["hidden_size"]:
        raise ValueError("proj_size has to be smaller than hidden_size")


class RNN(RNNBase):
    """A simple recurrence.  Source: torch.nn.RNN."""


class LSTM(RNNBase):
    """Long short-term memory; its states are pairs `(h, c)`.  Source: torch.nn.LSTM."""

    mode = "LSTM"
    has_cell = True


class GRU(RNNBase):
    """A gated recurrence.  Source: torch.nn.GRU."""

    mode = "GRU"


class RNNCellBase(_Even):
    """One step of a recurrence."""

    mode: str
    has_cell: ClassVar[bool] = False

    def _step(self, input: Tensor, hx: Any) -> tuple[Tensor, ...]:
        names = input.names
        data, alone = bare(input), input.ndim == 1
        if alone:
            data = data.unsqueeze(0)
        if hx is None:
            zeros = call_path(
                "torch.zeros",
                ((data.shape[0], self.hidden_size),),
                {"dtype": data.dtype, "device": data.device},
            )
            states: tuple[Tensor, ...] = (zeros, zeros) if self.has_cell else (zeros,)
        else:
            states = tuple(map(bare, hx if self.has_cell else (hx,)))
            states = tuple(state.unsqueeze(0) if state.ndim == 1 else state for state in states)
        weights = Weights(*(bare(getattr(self, part)) for part in _PARTS[:4]))
        ends = step(self.mode, data, states, weights)
        if alone:
            return tuple(end.squeeze(0) for end in ends)
        return tuple(end.rename(names[0], None) for end in ends) if names[0] else ends

    def forward(self, input: Tensor, hx: Any = None) -> Any:
        """The next state: `[N, I] -> [N, H]` or `[I] -> [H]`."""
        return self._step(input, hx)[0]

    def extra_repr(self) -> str:
        """The sizes, and the options that are not the default."""
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            text += f", nonlinearity={self.nonlinearity}"
        return text


class RNNCell(RNNCellBase):
    """One step of a simple recurrence.  Source: torch.nn.RNNCell."""

    @property
    def mode(self) -> str:  # type: ignore[override]
        """The mode of the nonlinearity."""
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return f"RNN_{self.nonlinearity.upper()}"


class GRUCell(RNNCellBase):
    """One step of a gated recurrence.  Source: torch.nn.GRUCell."""

    mode = "GRU"


class LSTMCell(RNNCellBase):
    """One step of long short-term memory; its states are `(h, c)`.  Source: torch.nn.LSTMCell."""

    mode = "LSTM"
    has_cell = True

    def forward(self, input: Tensor, hx: Any = None) -> tuple[Tensor, Tensor]:
        """The next pair of states."""
        h, c = self._step(input, hx)
        return h, c
