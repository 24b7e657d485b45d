"""One step of each recurrence, and the run of a layer over all steps.

Everything here is without names: the layers put them on their results.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from namecheck_runtime.nn import functional as F
from namecheck_runtime.tensors.dispatch import call_path
from namecheck_runtime.tensors.object import Tensor

States: TypeAlias = "tuple[Tensor, ...]"
"""`(h,)` or `(h, c)`, each `[N, H]`."""


class Weights(NamedTuple):
    """The tensors of one layer in one direction."""

    ih: Any
    hh: Any
    bias_ih: Any = None
    bias_hh: Any = None
    hr: Any = None
    """The projection of an LSTM."""


def bare(tensor: Any) -> Any:
    """A tensor without names; None as it is."""
    return tensor if tensor is None or not any(tensor.names) else tensor.rename(None)


def _tanh(gates: Tensor, states: States, weights: Weights) -> States:
    return ((gates + F.linear(states[0], weights.hh, weights.bias_hh)).tanh(),)


def _relu(gates: Tensor, states: States, weights: Weights) -> States:
    return ((gates + F.linear(states[0], weights.hh, weights.bias_hh)).relu(),)


def _lstm(gates: Tensor, states: States, weights: Weights) -> States:
    h, c = states
    gates = gates + F.linear(h, weights.hh, weights.bias_hh)
    into, forget, new, out = gates.chunk(4, -1)
    c = forget.sigmoid() * c + into.sigmoid() * new.tanh()
    h = out.sigmoid() * c.tanh()
    return (h if weights.hr is None else F.linear(h, weights.hr)), c


def _gru(gates: Tensor, states: States, weights: Weights) -> States:
    (h,) = states
    reset, update, new = gates.chunk(3, -1)
    of_h = F.linear(h, weights.hh, weights.bias_hh).chunk(3, -1)
    reset = (reset + of_h[0]).sigmoid()
    update = (update + of_h[1]).sigmoid()
    new = (new + reset * of_h[2]).tanh()
    return (new + update * (h - new),)


STEPS: Final = {"RNN_TANH": _tanh, "RNN_RELU": _relu, "LSTM": _lstm, "GRU": _gru}
"""By mode the function from the gates of an input, the states and the weights to the new states."""


def step(mode: str, input: Tensor, states: States, weights: Weights) -> States:
    """The states after one input `[N, I]`."""
    return STEPS[mode](F.linear(input, weights.ih, weights.bias_ih), states, weights)


def run(
    mode: str, data: Tensor, counts: Sequence[int], states: States, weights: Weights, reverse: bool
) -> tuple[Tensor, States]:
    """The states h at all steps, and all states after the last one.

    `data` is `[sum of counts, I]`: the rows of each step, of which there are `counts`, one after
    the other; the first sequence is the longest.
    """
    advance = STEPS[mode]
    gates = F.linear(data, weights.ih, weights.bias_ih).split(list(counts))
    outputs: list[Any] = [None] * len(counts)
    places = range(len(counts))
    for place in reversed(places) if reverse else places:
        count = counts[place]
        if count == states[0].shape[0]:
            states = advance(gates[place], states, weights)
            outputs[place] = states[0]
            continue
        part = advance(gates[place], tuple(state[:count] for state in states), weights)
        outputs[place] = part[0]
        states = tuple(
            call_path("torch.cat", ((new, old[count:]),), {})
            for new, old in zip(part, states, strict=True)
        )
    return call_path("torch.cat", (outputs,), {}), states


class Stack(NamedTuple):
    """A recurrent layer: its mode, and the weights of each layer and direction."""

    mode: str
    weights: Sequence[Sequence[Weights]]
    dropout: float
    """Between layers; 0 outside training."""

    def run(
        self, data: Tensor, counts: Sequence[int], states: States
    ) -> tuple[Tensor, tuple[Tensor, ...]]:
        """The output `[sum of counts, D * H]`, and the states `[layers * D, N, H]`."""
        ends: list[States] = []
        for number, directions in enumerate(self.weights):
            outputs = []
            for direction, weights in enumerate(directions):
                own = tuple(state[len(ends)] for state in states)
                output, end = run(self.mode, data, counts, own, weights, direction == 1)
                outputs.append(output)
                ends.append(end)
            data = outputs[0]
            if len(outputs) > 1:
                data = call_path("torch.cat", (outputs, -1), {})
            if self.dropout and number < len(self.weights) - 1:
                data = F.dropout(data, self.dropout, True)
        stacked = [call_path("torch.stack", (part,), {}) for part in zip(*ends, strict=True)]
        return data, tuple(stacked)
