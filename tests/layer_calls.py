"""Calls of layers that PyTorch and the runtime both run, with the same numbers.

`tests/data/read_torch_layers.py` runs them under PyTorch, `tests/modules/test_layers_as_torch.py`
under the runtime.  Nothing here imports either: both pass their module.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

CALLS: Final = Path(__file__).parent / "data/layers_calls.txt"
"""A line for each: the layer, the arguments of its constructor, those of its call."""


class Call(NamedTuple):
    """A layer, how it is built, and what it is called with."""

    layer: str
    build: str
    inputs: str
    evaluates: bool

    def __str__(self) -> str:
        mode = " | eval" if self.evaluates else ""
        return f"{self.layer} | {self.build} | {self.inputs}{mode}"


def calls() -> list[Call]:
    """All calls, in order."""
    result = []
    for line in CALLS.read_text(encoding="utf-8").splitlines()[1:]:
        layer, build, inputs, *mode = (part.strip() for part in line.split("|"))
        result.append(Call(layer, build, inputs, mode == ["eval"]))
    return result


# -- numbers ---------------------------------------------------------------------------------------


def drawn(sizes: tuple[int, ...], start: float) -> list[float]:
    """Numbers between -1.2 and 1.2, all different, none near 0."""
    found = []
    for k in range(math.prod(sizes)):
        value = math.sin(1.7 * k * k + 0.9 * k + start) * 1.2
        found.append(value + math.copysign(0.05, value))
    return found


class Numbers:
    """Makes tensors of a library from the texts of a call."""

    def __init__(self, library: Any) -> None:
        self.library = library
        self._starts = count(1)
        self.leaves: list[Any] = []
        """The inputs that want gradients."""

    def floats(self, *sizes: int) -> Any:
        """A tensor of drawn numbers in float64."""
        values = drawn(sizes, 0.37 * next(self._starts))
        return self._shaped(values, sizes, self.library.float64)

    def _shaped(self, values: list[Any], sizes: tuple[int, ...], dtype: Any) -> Any:
        return self.library.tensor(values, dtype=dtype).reshape(sizes)

    def leaf(self, *sizes: int) -> Any:
        """The same, which wants a gradient; layers get a copy of it, and may write to that."""
        return self._wanting(self.floats(*sizes))

    def _wanting(self, leaf: Any) -> Any:
        leaf.requires_grad_()
        self.leaves.append(leaf)
        return leaf.clone()

    def words(self) -> dict[str, Any]:
        """The names that the texts of calls use."""
        library = self.library

        def tensor(values: Any) -> Any:
            made = library.tensor(values)
            return made.double() if made.is_floating_point() else made

        def causal(steps: int) -> Any:
            rows = [[0.0 if k <= row else -math.inf for k in range(steps)] for row in range(steps)]
            return tensor(rows)

        return {
            "nn": library.nn,
            "F": library.nn.functional,
            "T": tensor,
            "A": self.leaf,
            "causal": causal,
            "packed": library.nn.utils.rnn.pack_padded_sequence,
        }

    def value(self, text: str) -> Any:
        """The value of a text: `f:2,3`, `c:4<5`, `v:[5, 4]`."""
        kind, _, rest = text.partition(":")
        if kind == "v":
            return eval(rest, self.words())
        sizes_text, _, most = rest.partition("<")
        sizes = tuple(int(size) for size in sizes_text.split(","))
        if kind == "c":
            found = [(7 * k + 3 * k * k + 2) % int(most) for k in range(math.prod(sizes))]
            return self._shaped(found, sizes, self.library.int64)
        values = drawn(sizes, 0.37 * next(self._starts))
        if kind in ("p", "q"):  # probabilities
            values = [1 / (1 + math.exp(-2 * value)) for value in values]
        elif kind == "s":  # 1 and -1
            values = [math.copysign(1.0, value) for value in values]
        made = self._shaped(values, sizes, self.library.float64)
        made = self._wanting(made) if kind in ("f", "p", "l") else made
        # PyTorch's gradient of CTC is right for normalised logarithms only.
        return self.library.log_softmax(made, -1) if kind == "l" else made


def arguments_of(call: Call, numbers: Numbers) -> tuple[list[Any], dict[str, Any]]:
    """The arguments and keywords of a call."""
    arguments, keywords = [], {}
    for text in call.inputs.split():
        name, equals, value = text.partition("=")
        if equals and name.isidentifier():
            keywords[name] = numbers.value(value)
        else:
            arguments.append(numbers.value(text))
    return arguments, keywords


def built(call: Call, numbers: Numbers) -> Any:
    """The layer, in float64."""
    home = "nn.modules.linear" if call.layer in NOT_IN_NN else "nn"
    return eval(f"{home}.{call.layer}({call.build})", numbers.words()).double()


NOT_IN_NN: Final = ("NonDynamicallyQuantizableLinear",)
"""The layers that PyTorch has in their module only."""


# -- what is compared ------------------------------------------------------------------------------


def tensors_in(value: Any) -> Iterator[Any]:
    """The tensors in a result, in order."""
    if hasattr(value, "shape"):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from tensors_in(part)


MOST: Final = 16
"""How many elements of a tensor are kept; of more only sums."""


def digest(tensor: Any) -> Any:
    """The sizes and the elements of a tensor, or the first ones and three sums of all."""
    values = [float(value) for value in tensor.detach().reshape(-1).tolist()]
    sums = []
    if len(values) > MOST:
        for step in (0.0, 0.7, 1.9):
            sums.append(sum(value * math.cos(step * k + step) for k, value in enumerate(values)))
        values = values[:4]
    return [list(tensor.shape), [*values, *sums]]


def _loss(results: list[Any], numbers: Numbers) -> Any:
    """A number that depends on all elements of all results of floats."""
    total = None
    for place, result in enumerate(results):
        if not result.is_floating_point() or not result.requires_grad:
            continue
        weights = drawn(tuple(result.shape), 0.11 * (place + 1))
        weighted = (result * numbers._shaped(weights, tuple(result.shape), result.dtype)).sum()
        total = weighted if total is None else total + weighted
    return total


def observed(call: Call, library: Any) -> Mapping[str, Any]:
    """What a call shows: text, keys, results, gradients, and the state after two steps."""
    numbers = Numbers(library)
    layer = built(call, numbers)
    facts: dict[str, Any] = {"text": repr(layer)}
    if call.layer.startswith("Lazy"):
        layer(*arguments_of(call, Numbers(library))[0])
        facts["text_after"] = repr(layer)
        layer.zero_grad()
        if hasattr(layer, "reset_running_stats"):
            layer.reset_running_stats()
    if call.evaluates:
        layer.eval()
    with library.no_grad():
        for place, parameter in enumerate(layer.parameters()):
            sizes = tuple(parameter.shape)
            values = [0.4 * value for value in drawn(sizes, 2.0 + 0.61 * place)]
            parameter.copy_(numbers._shaped(values, sizes, library.float64))
    facts["keys"] = list(layer.state_dict())
    facts["parameters"] = [name for name, _ in layer.named_parameters()]
    for step in range(2):
        numbers = Numbers(library)
        arguments, keywords = arguments_of(call, numbers)
        results = list(tensors_in(layer(*arguments, **keywords)))
        loss = _loss(results, numbers)
        loss.backward()
        if step == 0:
            facts["results"] = [digest(result) for result in results]
            facts["inputs"] = [None if t.grad is None else digest(t.grad) for t in numbers.leaves]
            facts["gradients"] = [
                None if parameter.grad is None else digest(parameter.grad)
                for parameter in layer.parameters()
            ]
        with library.no_grad():
            for parameter in layer.parameters():
                if parameter.grad is not None:
                    parameter -= 0.05 * parameter.grad
        layer.zero_grad()
    facts["state"] = [digest(tensor) for tensor in layer.state_dict().values()]
    return facts
