"""The rows of a summary: the modules of a network in the order in which they are called.

A call has a row below the call that makes it. Lists of modules between the two have one as well,
which is not called, and so have the modules that no call has reached. The second call of a module
repeats its row.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.objects.held_tensors import held_by
from namecheck.analysis.objects.own_objects import ANY_ATTRIBUTE
from namecheck.analysis.python.changed_modules import attributes_by_owner, modules_held
from namecheck.analysis.state.lineage import LAYER, is_row, layer_of
from namecheck.analysis.state.values import Anything, Container, Instance, Layer, Value
from namecheck.analysis.state.values.module_calls import CallTrace, ModuleCall, Passed
from namecheck.frameworks import torch
from namecheck.module_tree import HeldTensor, ModuleRow, PassedTensor

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

__all__ = ["rows_of"]

_CONTAINERS: Final = {"sequential": "Sequential", "list": "{}List", "dict": "{}Dict"}
"""The classes of each kind of container, by what it holds."""


def rows_of(ev: Evaluator, trace: CallTrace, network: Value) -> Iterator[ModuleRow]:
    """The rows of a network that was built, and called if the trace has a call of it."""
    tree = _Tree(ev, trace)
    tree.name_all(network, "")
    calls = [call for call in trace.top.parts if call.module is network]
    if not calls:
        yield from tree.rows(network, None, "", "", 0)
    for call in calls:
        yield from tree.rows(network, call, "", "", 0)


class _Tree:
    """The modules of a network, and which of them have a row already."""

    def __init__(self, ev: Evaluator, trace: CallTrace) -> None:
        self.ev = ev
        self.trace = trace
        self.held = attributes_by_owner(ev)
        self.shown: set[Value] = set()
        self.numbers: dict[Value, int] = {}
        self.called: set[Value] = set()
        self.paths: dict[Value, str] = {}
        waiting = [trace.top]
        while waiting:
            call = waiting.pop()
            waiting.extend(call.parts)
            if call.module is not None:
                self.called.add(call.module)

    def rows(
        self, module: Value, call: ModuleCall | None, path: str, name: str, depth: int
    ) -> Iterator[ModuleRow]:
        """The row of a module, or of a call of it, and the rows below."""
        is_repeated = module in self.shown
        self.shown.add(module)
        yield self.row(module, call, (path, name), depth, is_repeated)
        places = self.places(module)
        listed: set[str] = set()
        for part in [] if call is None else call.parts:
            assert part.module is not None
            place = places.get(part.module, ())
            yield from self.lists(module, place, path, depth, listed)
            inner = ".".join((*([path] if path else []), *place))
            if not place:  # the caller was given a module, or a function that calls it
                inner = self.paths.get(part.module, "")
            name = place[-1] if place else inner
            yield from self.rows(part.module, part, inner, name, depth + max(len(place), 1))
        if not is_repeated:
            yield from self.uncalled(module, path, depth, listed)

    def name_all(self, module: Value, path: str) -> None:
        """Find the first path of each module in another."""
        self.paths[module] = path
        for name, part in self.parts(module):
            if part not in self.paths:
                self.name_all(part, f"{path}.{name}" if path else name)

    def lists(
        self, module: Value, place: tuple[str, ...], path: str, depth: int, listed: set[str]
    ) -> Iterator[ModuleRow]:
        """The rows of the lists between a module and a part of it, unless they are there."""
        holder = module
        for step, name in enumerate(place[:-1], 1):
            holder = dict(self.parts(holder))[name]
            inner = ".".join((*([path] if path else []), *place[:step]))
            if inner not in listed:
                listed.add(inner)
                is_repeated = holder in self.shown
                self.shown.add(holder)
                yield self.row(holder, None, (inner, name), depth + step, is_repeated)

    def uncalled(
        self, module: Value, path: str, depth: int, listed: set[str]
    ) -> Iterator[ModuleRow]:
        """The rows of the modules inside that nothing calls."""
        for name, part in self.parts(module):
            inner = f"{path}.{name}" if path else name
            if inner in listed:
                yield from self.uncalled(part, inner, depth + 1, listed)
            elif part not in self.called and part not in self.shown:
                yield from self.rows(part, None, inner, name, depth + 1)

    def places(self, module: Value) -> dict[Value, tuple[str, ...]]:
        """Where a module has the modules in it, by the names on the way."""
        found: dict[Value, tuple[str, ...]] = {}
        waiting: list[tuple[tuple[str, ...], Value]] = [((), module)]
        for place, value in waiting:
            for name, part in self.parts(value):
                if part not in found and part is not module:
                    found[part] = (*place, name)
                    waiting.append(((*place, name), part))
        return found

    def parts(self, module: Value) -> list[tuple[str, Value]]:
        """The modules that a module has itself, by name."""
        if isinstance(module, Layer):
            return list(self.trace.inside(module).items())
        held = modules_held(self.ev, module, self.held) or ()
        return [(name, part) for name, part in held if type(part) is not Anything]

    def row(
        self,
        module: Value,
        call: ModuleCall | None,
        names: tuple[str, str],
        depth: int,
        is_repeated: bool,
    ) -> ModuleRow:
        """A row; `names` are its path from the top, and its name in what is above."""
        given = () if call is None else tuple(map(self.passed, call.given))
        result = None
        products: Any = 0
        if call is not None:
            result = () if call.result is None else tuple(map(self.passed, call.result))
            products = call.products
        return ModuleRow(
            *names,
            self.class_of(module),
            depth,
            given,
            result,
            tuple(self.tensors(module)),
            products if isinstance(products, int) else None,
            is_repeated,
            self.is_open(module),
        )

    def class_of(self, module: Value) -> str:
        """The name of a module's class."""
        if isinstance(module, Instance):
            return str(module.cls.name)
        if isinstance(module, Layer):
            return module.path.rpartition(".")[2]
        assert isinstance(module, Container)
        holds = "Parameter" if held_by(self.ev, self.trace, module) else "Module"
        return _CONTAINERS[module.kind].format(holds)

    def tensors(self, module: Value) -> Iterator[HeldTensor]:
        """The parameters and buffers that a module has itself."""
        for held in held_by(self.ev, self.trace, module):
            tensor = held.tensor
            frozen = self.trace.frozen.get(tensor, False)
            trainable = None if frozen is None else not frozen
            number = self.numbers.setdefault(tensor, len(self.numbers))
            shown = self.passed(Passed(self.ev.current(tensor.shape), tensor.kind, tensor.dtype))
            is_trainable = False if held.is_buffer else trainable
            yield HeldTensor(held.name, shown, held.is_buffer, is_trainable, number)

    def is_open(self, module: Value) -> bool:
        """Whether a module may hold modules or tensors that are not known."""
        if isinstance(module, Layer):
            kind = module.instance.layer
            composite = module.path.startswith(torch.COMPOSITES)
            return composite and not kind.parts(module.instance.fields)
        held = modules_held(self.ev, module, self.held)
        stored = self.ev.cells.get((module, LAYER))
        options = stored.instance.fields if isinstance(stored, Layer) else {}
        if held is None or (isinstance(module, Instance) and self.lacks_row(module)):
            return True
        if any(type(part) is Anything and name not in options for name, part in held):
            return True
        return isinstance(module, Instance) and (module, ANY_ATTRIBUTE) in self.ev.cells

    def lacks_row(self, module: Instance) -> bool:
        """Whether a module is of a subclass of a library's layer or row that was not followed."""
        of_library = layer_of(module.cls.lineage) is not None or is_row(module.cls)
        return of_library and (module, LAYER) not in self.ev.cells

    def passed(self, one: Passed) -> PassedTensor:
        """A tensor with its sizes as numbers."""
        dims = None
        if isinstance(one.shape, tuple):
            facts = self.ev.facts
            settled = [facts.representative(dim.size) for dim in one.shape]
            dims = tuple([size if isinstance(size, int) else None for size in settled])
        dtype: str | None = one.dtype or torch.DEFAULT_DTYPES.get(one.kind)
        if dtype == "?":
            dtype = None
        return PassedTensor(dims, dtype, None if dtype is None else torch.bytes_of(dtype))
