"""How a layer is declared: `@layer(...)` on a class, and the registry that this fills."""

from __future__ import annotations

from namecheck_runtime.binding import REQUIRED, Rule, bind_rule
from namecheck_runtime.declare import Effect, Fields, Memory, Shape, Size, read_rule
from namecheck_runtime.lazy_rules import Declared, so_far
from namecheck_runtime.light.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping, Sequence
    from typing import Any, Final


class Layer:
    """A layer of a library: its constructor, its parameters, and the rule for calling it."""

    __slots__ = ("_class", "_constructor", "_forward", "effect", "name", "paths")

    def __init__(self, paths: tuple[str, ...], declared: type) -> None:
        self.name: str = paths[0]
        self.paths: tuple[str, ...] = paths
        """All its paths; a layer of torch.nn has its public one and that in its module."""
        self.effect: Effect = ""
        self._class: Any = declared
        self._constructor: Rule | None = None
        self._forward: Rule | None = None

    @property
    def constructor(self) -> Rule:
        """The signature of the constructor; read on first use."""
        if self._constructor is None:
            constructor = self._class.__init__
            if not isinstance(constructor, Rule):
                constructor = read_rule(constructor)
                constructor = constructor.without_first()
            self._constructor = constructor
        return self._constructor

    @property
    def forward(self) -> Rule:
        """The rule for calling an instance; read on first use."""
        if self._forward is None:
            forward = self._class.forward
            if not isinstance(forward, Rule):
                forward = read_rule(forward)
                forward = forward.without_first()
            self._forward = forward
        return self._forward

    def parameters(self, fields: Fields) -> Mapping[str, Shape | None]:
        """The shapes of the layer's tensors by attribute: `weight`, `bias`, `running_mean`, ...

        None for a tensor that these constructor arguments leave out (`bias=False`); a tensor that
        may or may not be there is not listed.
        """
        parameters = getattr(self._class, "parameters", None)
        shapes: Mapping[str, Shape | None] = {} if parameters is None else parameters(fields)
        return shapes

    @property
    def memory(self) -> Memory | None:
        """Where the result of calling it lies; None if that is not declared."""
        memory: Memory | None = getattr(self._class, "memory", None)
        return memory

    def products(self, fields: Fields, arguments: Mapping[str, Any], result: Any) -> Size:
        """The multiply-adds of calling it with arguments by name; 0 if it sums no products."""
        count: Callable[[Fields, Mapping[str, Any], Any], Size] | None = getattr(
            self._class, "products", None
        )
        return 0 if count is None else count(fields, arguments, result)

    def parts(self, fields: Fields) -> Mapping[str, Instance]:
        """The layers that a layer is made of, by the names of its attributes; most have none."""
        made_of: Callable[[Fields], Mapping[str, Instance]] | None = getattr(
            self._class, "parts", None
        )
        return {} if made_of is None else made_of(fields)

    def steps(
        self, fields: Fields, arguments: Mapping[str, Any]
    ) -> Sequence[tuple[str, tuple[Any, ...]]]:
        """The calls of its `parts` in one call of it: the name of each, and what it is given."""
        steps: Callable[..., Sequence[tuple[str, tuple[Any, ...]]]] | None = getattr(
            self._class, "steps", None
        )
        return () if steps is None else steps(fields, arguments)

    def reads(self, fields: Fields, option: str) -> bool:
        """Whether a call reads an option from the attribute to which a program may have stored it.

        A layer that is made of others passes its options on when it is built.
        """
        reads: Callable[[Fields, str], bool] | None = getattr(self._class, "reads", None)
        return reads is None or reads(fields, option)

    def attribute(self, fields: Fields, option: str) -> object:
        """An option as an instance keeps it: a convolution has a size for each spatial dim."""
        kept: Callable[[Fields, str], object] | None = getattr(self._class, "attribute", None)
        return fields[option] if kept is None else kept(fields, option)

    @property
    def sequences(self) -> tuple[str, ...]:
        """The arguments of a call that are sequences: `[time, batch, ..]`, or batch first."""
        names: tuple[str, ...] = getattr(self._class, "sequences", ())
        return names

    def batch_first(self, fields: Fields) -> object:
        """Whether its sequences are `[batch, time, ..]`: the flag passed to the constructor."""
        declared: Callable[[Fields], object] = self._class.batch_first
        return declared(fields)

    def build(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Instance | None:
        """The instance that a constructor call makes; None if the call cannot be bound."""
        bound = bind_rule(self.constructor, arguments, keywords)
        return None if bound is None else Instance(self, bound.values)

    def __repr__(self) -> str:
        return f"<layer {self.name}>"


class Instance(NamedTuple):
    """A layer with the arguments of its constructor, which its forward rule reads."""

    layer: Layer
    fields: Fields

    def is_placeholder(self) -> bool:
        """Whether a required size is 0: a placeholder until the program sets the size."""
        for parameter in self.layer.constructor.parameters:
            if parameter.default is REQUIRED and "Size" in parameter.takes:
                size = self.fields.get(parameter.name)
                if isinstance(size, int) and size == 0:
                    return True
        return False


LAYERS: Final[MutableMapping[str, Layer]] = Declared()
"""Every layer, by each of its paths: `torch.nn.Linear`, `torch.nn.modules.linear.Linear`."""


def layer(*paths: str) -> Callable[[type], type]:
    """Declare the decorated class as a layer.

    `__init__` has the user's signature (or is a `Rule` that has it), `forward` is the rule for
    calling it: a static method `(fields, input, ...)` whose first parameter is the record of the
    constructor's arguments, or a result of `signature(...)`.

    `reads` says of an option whether a call reads the attribute of its name, see `Layer.reads`.
    `parameters` is a static method from that record to the layer's tensors, see `Layer.parameters`.
    `products` counts the multiply-adds of a call, `parts` and `steps` are about a layer that is
    made of others: see there.
    A layer of sequences says which of its arguments are sequences (`sequences`), and by the record
    whether they are batch first (`batch_first`).
    """

    def declare(cls: type) -> type:
        declared = Layer(paths, cls)
        for path in paths:
            if so_far(LAYERS, path) is not None:
                raise ValueError(f"{path} is declared twice")
            LAYERS[path] = declared
        return cls

    return declare


__all__ = ["LAYERS", "Instance", "Layer", "layer"]
