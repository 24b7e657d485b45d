"""The tensors that modules have, as `parameters()`, `buffers()` and `state_dict()` give them.

Parameters are the tensors that `nn.Parameter` made and those of the library's layers; the names of
buffers are noted where they are registered.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from namecheck.analysis.gradients import following
from namecheck.analysis.measuring.call_notes import tensors_of_layer
from namecheck.analysis.objects.own_objects import ANY_ATTRIBUTE
from namecheck.analysis.state.argument import Argument, Keywords, given_as
from namecheck.analysis.state.lineage import LAYER
from namecheck.analysis.state.values import (
    CONSTANT,
    PARAMETER,
    TRUE,
    Constant,
    Container,
    Dict,
    Instance,
    Layer,
    Tensor,
    Tuple,
    Value,
    known,
)
from namecheck.analysis.state.values.module_calls import CallTrace
from namecheck.frameworks import torch

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def tensors_inside(ev: Evaluator, modules: Value | None, name: str) -> Value | None:
    """What `net.named_parameters()`, and the other methods that give tensors, do in a drive.

    `modules` are what `net.named_modules()` gives. None if the tensors are not known: something
    may be a module, or some have got other names.
    """
    if not isinstance(modules, Tuple):
        return None
    named = name.startswith("named") or name == torch.STATE
    rows: dict[str, Value] = {}
    seen: set[Value] = set()
    for row in modules.elements:
        assert isinstance(row, Tuple)
        path, inside = row.elements
        held = _tensors_of(ev, inside, name, named)
        if held is None:
            return None
        assert isinstance(path, Constant)
        for key, tensor in held.items():
            if tensor not in seen or name == torch.STATE:
                seen.add(tensor)
                rows[f"{path.value}.{key}" if path.value else key] = tensor
    if name == torch.STATE:
        table = Dict()
        ev.cells[table] = dict(rows)
        return table
    if not named:
        return Tuple(tuple(rows.values()))
    return Tuple([Tuple((Constant(key), tensor)) for key, tensor in rows.items()])


def _tensors_of(ev: Evaluator, module: Value, name: str, named: bool) -> dict[str, Value] | None:
    """The tensors that a module has itself, by name, of those that a method gives."""
    buffers, parameters = "buffers" in name, "parameters" in name
    if name == torch.STATE:
        buffers = parameters = True
    tensors: dict[str, Value] = {}
    if isinstance(module, Layer):
        is_open = module.assigned or module.replaced or (module, DRESSED) in ev.cells
        if is_open or module.path.startswith(torch.COMPOSITES):
            return None
        trace = ev.units.trace
        if trace is not None:
            held = tensors_of_layer(trace, module).items()
            return {k: one for k, one in held if (buffers if k in torch.STATISTICS else parameters)}
        shapes = module.instance.layer.parameters(module.instance.fields)
        for key, shape in shapes.items():
            if shape is not None and (buffers if key in torch.STATISTICS else parameters):
                tensor = Tensor(shape, "float", torch.TENSOR, history=CONSTANT)
                if ev.gradients.is_needed and key not in torch.STATISTICS:
                    following.of_layer(ev, tensor)
                tensors[key] = tensor
        return tensors
    if isinstance(module, Container):
        contents: Any = ev.cells.get(module)
        if isinstance(contents, tuple):
            contents = {str(place): value for place, value in enumerate(contents)}
        return {key: v for key, v in contents.items() if isinstance(v, Tensor) and parameters}
    assert isinstance(module, Instance)
    if (named and (module, DRESSED) in ev.cells) or (module, ANY_ATTRIBUTE) in ev.cells:
        return None
    kept, passing = (_noted(ev, module, key) for key in (_KEPT, _PASSING))
    for key, held in ev.cells.attributes(module).items():
        value = ev.resolve(held)
        if isinstance(value, Tensor):
            is_buffer = key in kept or (key in passing and name != torch.STATE)
            if (buffers and is_buffer) or (parameters and value.history is PARAMETER):
                tensors[key] = value
    return tensors


class HeldTensor(NamedTuple):
    """A tensor that a module has itself."""

    name: str
    tensor: Tensor
    is_buffer: bool


def held_by(ev: Evaluator, trace: CallTrace, module: Value) -> list[HeldTensor]:
    """The parameters and buffers that a module has itself, as a summary lists them."""
    if isinstance(module, Layer):
        rows: Mapping[str, Value] = tensors_of_layer(trace, module)
        statistics: Collection[str] = torch.STATISTICS
    elif isinstance(module, Container):
        contents: Any = ev.cells.get(module)
        if isinstance(contents, tuple):
            contents = {str(place): value for place, value in enumerate(contents)}
        rows = contents if isinstance(contents, dict) else {}
        statistics = ()
    elif isinstance(module, Instance):
        attributes = ev.cells.attributes(module)
        stored = attributes.get(LAYER)
        built = stored.instance if isinstance(stored, Layer) else None
        of_layer = {} if built is None else built.layer.parameters(built.fields)
        buffers = {name for key in (_KEPT, _PASSING) for name in _noted(ev, module, key)}
        statistics = buffers | (torch.STATISTICS & of_layer.keys())
        rows = {
            name: value
            for name, held in attributes.items()
            if isinstance(value := ev.resolve(held), Tensor)
            and (value.history is PARAMETER or name in of_layer or name in statistics)
        }
    else:
        return []
    return [
        HeldTensor(str(name), tensor, name in statistics)
        for name, held in rows.items()
        if isinstance(tensor := ev.resolve(held), Tensor)
    ]


_KEPT: Final = "*buffers"
_PASSING: Final = "*passing"
DRESSED: Final = "*dressed"
"""The names under which an instance has the names of its buffers, those of them that no file of
weights has, and that its tensors may have other names, as those of a layer may.
"""


def note_buffer(
    ev: Evaluator, instance: Instance, arguments: Sequence[Argument], keywords: Keywords
) -> None:
    """Note the name of a buffer of an instance."""
    first = given_as(arguments, keywords, 0, "name")
    kept = given_as(arguments, keywords, 2, torch.KEPT)
    says = (True,) if kept is None else known(ev.resolve(kept.value))
    key = _KEPT if says == (True,) else _PASSING
    if first is not None:
        names = [Constant(name) for name in sorted(_noted(ev, instance, key))]
        ev.cells[instance, key] = Tuple((*names, ev.resolve(first.value)))


def _noted(ev: Evaluator, instance: Instance, key: str) -> set[str]:
    noted = ev.cells.get((instance, key))
    names = noted.elements if isinstance(noted, Tuple) else ()
    return {str(name.value) for name in names if isinstance(name, Constant)}


def note_dressed(ev: Evaluator, module: Value) -> None:
    """Note that the tensors of a module may have other names, or other sizes, from now on."""
    if isinstance(module, (Layer, Instance)):
        ev.cells[module, DRESSED] = TRUE
