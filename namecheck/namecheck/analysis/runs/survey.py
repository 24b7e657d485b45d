"""How much of a file was understood, and which unknown calls cost most; only on request.

`Survey` is the evaluator that keeps count. An unknown value remembers the call that it came from;
values computed from it have the same cause, the first one. Where paths meet, the cause of a value
may be forgotten: such expressions count as unknown, without a cause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from namecheck import frameworks
from namecheck.analysis.python import higher_order
from namecheck.analysis.python.calls import look_up
from namecheck.analysis.python.interpreter import Interpreter
from namecheck.analysis.reading import ir
from namecheck.analysis.state.values import (
    Anything,
    Library,
    List,
    Repeated,
    ShapeOf,
    Tensor,
    Tuple,
    Value,
)
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.layers import LAYERS
from namecheck_runtime.readers.decorators import TRANSPARENT


class Cause(NamedTuple):
    """The call that an unknown value came from."""

    name: str
    source: Any
    node: int


class Survey(Interpreter):
    """An evaluator that notes for every expression whether it was understood, and if not, why."""

    def __init__(self, source: Any, world: Mapping[Any, Any] | None = None) -> None:
        super().__init__(source, world)
        self.causes: dict[Value, Cause] = {}
        """Of unknown values, by identity."""
        self.cause: Cause | None = None
        """The first cause among the parts of the expression that is being evaluated."""
        self.meets_tensor = False
        """Whether a part of it is a tensor."""
        self.meets_unknown = False
        """Whether a part of it is unknown without a call as its cause: a parameter, mostly."""
        self.known_ranks: dict[tuple[Any, int], str] = {}
        """What is known about every tensor expression: "known", "partly" or "unknown" rank."""
        self.spoiled: dict[tuple[Any, int], Cause] = {}
        """The cause of every expression that is unknown because of a call before it."""

    def value(self, node: ir.Expression) -> Value:
        """As in every evaluator; an unknown value gets a cause."""
        outer = self.cause, self.meets_tensor, self.meets_unknown
        self._begin()
        result = super().value(node)
        value = self.resolve(result)
        key = (self.frame.source, node.id)
        cause = None
        is_own = hidden = False
        parts = self._parts(value)
        if parts:
            # The elements of a row are as unknown as before they were put there.
            cause = next(filter(None, map(self.causes.get, parts)), None) or self.cause
            hidden = cause is None
        elif is_unknown(value):
            cause = self.causes.get(value) or self.causes.get(result) or self.cause
            if cause is None and type(node) is ir.Call and self._takes_tensor(node):
                name = self._name(node.function)
                # The result of a known op is unknown because of its arguments.
                if not self.meets_unknown or not _is_followed(name):
                    cause, is_own = Cause(name, *key), True
            if cause is not None:
                self.causes.setdefault(value, cause)
        if self.frame.depth == 0:
            self._count(key, value, None if parts else cause, is_own)
        before, tensor, unknown = outer
        self.cause = before or cause
        self.meets_tensor = tensor or self.meets_tensor or type(value) is Tensor
        self.meets_unknown = unknown or hidden or (is_unknown(value) and cause is None)
        return result

    def _parts(self, value: Value) -> list[Value]:
        """The unknown values in a tuple or a list, or the unknown tensor whose shape it is."""
        contents: Any = None
        if isinstance(value, Tuple):
            contents = value.elements
        elif isinstance(value, List):
            contents = self.cells.get(value)
        elif isinstance(value, ShapeOf):
            contents = (value.tensor,)
        if isinstance(contents, Repeated):
            contents = (contents.element,)
        if not isinstance(contents, tuple):
            return []
        return [one for one in map(self.resolve, contents) if is_unknown(one)]

    def _begin(self) -> None:
        # A function of its own: else mypyc takes the cause for None after the parts as well.
        self.cause, self.meets_tensor, self.meets_unknown = None, False, False

    def _count(self, key: tuple[Any, int], value: Value, cause: Cause | None, is_own: bool) -> None:
        if type(value) is Tensor:
            shape = value.shape
            known = "unknown" if shape is UNKNOWN else "partly"
            self.known_ranks[key] = "known" if type(shape) is tuple else known
        elif cause is not None:
            self.known_ranks[key] = "unknown"
        else:
            self.known_ranks.pop(key, None)
        if cause is not None and not is_own:
            self.spoiled[key] = cause
        else:
            self.spoiled.pop(key, None)

    def _takes_tensor(self, node: ir.Call) -> bool:
        """Whether a call may return a tensor: one goes in, or a tensor library is called."""
        root = self._root(node.function)
        if isinstance(root, Library):
            first = root.path.partition(".")[0]
            return first in frameworks.LIBRARIES or (
                self.meets_tensor and first != frameworks.python.BUILTINS
            )
        return self.meets_tensor

    def _root(self, function: ir.Expression) -> Value | None:
        while isinstance(function, ir.Attribute):
            function = function.value
        if not isinstance(function, ir.Name):
            return None
        return self.resolve(look_up(self, function.name))

    def _name(self, function: ir.Expression) -> str:
        """What statistics call a function: its path, its method, or how it is written."""
        root = self._root(function)
        names = []
        part = function
        while isinstance(part, ir.Attribute):
            names.append(part.name)
            part = part.value
        if isinstance(root, Library):
            return frameworks.canonical(".".join([root.path, *reversed(names)]))
        if isinstance(root, Tensor) or (names and not isinstance(part, ir.Name)):
            return f"{frameworks.torch.TENSOR}.{names[0]}" if names else ir.describe(function)
        return ir.describe(function)

    def costs(self) -> Counter[Cause]:
        """How many expressions are unknown because of each call, itself left out."""
        return Counter(self.spoiled.values())


def _is_followed(path: str) -> bool:
    """Whether a call of this path is unknown only because of its arguments."""
    if path in REGISTRY or path in LAYERS or path in frameworks.TRANSFORMS:
        return True
    return path in higher_order.CALLS or path in TRANSPARENT


def is_unknown(value: Value) -> bool:
    """Whether nothing is known about a value, or that it is a tensor and no more."""
    return type(value) is Anything or (type(value) is Tensor and value.shape is UNKNOWN)
