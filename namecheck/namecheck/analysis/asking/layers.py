"""Layers of libraries: built from abstract arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.measuring import dtypes
from namecheck.analysis.objects import pattern_families, unused_sizes
from namecheck.analysis.reading import ir
from namecheck.analysis.state import conversion
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.reasons import UNNUMBERED
from namecheck.analysis.state.values import (
    CONSTANT,
    NONE,
    Anything,
    Constant,
    Container,
    Either,
    Layer,
    Number,
    Repeated,
    Tensor,
    Tuple,
    Value,
)
from namecheck.frameworks import torch
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Shape, known_dims
from namecheck_runtime.layers import LAYERS
from namecheck_runtime.readers import parameters

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def build_layer(
    ev: Evaluator,
    path: str,
    arguments: Sequence[Argument],
    keywords: Keywords,
    node: ir.Call | None = None,
) -> Value:
    """A layer of a library that `node` builds; unknown if it does not take the arguments."""
    layer = LAYERS[path]
    names = parameters.positional_names(layer.constructor)

    def asked(name: str, argument: Argument, keyword: bool) -> Any:
        plain = parameters.takes((layer.constructor,), name, keyword)
        value = conversion.convert(ev, argument.value, plain)
        if plain.as_size:
            sizes.make_positive(value)
        return value

    built = layer.build(
        [asked(parameters.name_at(names, k), a, False) for k, a in enumerate(arguments)],
        {name: asked(name, argument, True) for name, argument in keywords.items()},
    )
    if built is None:
        return Anything()
    if built.is_placeholder():
        ev.raises_in_constructor()
        return Anything()
    number = UNNUMBERED if node is None else node.id
    ev.independence.add_sizes(built.fields.values(), (ev.frame.source, number))
    ev.independence.add_layer(built.fields.values())
    ev.roles.add_layer(built.fields)
    ev.origins.layers[id(built.fields)] = (built.fields, ev.frame.source, ev.frame.line, number)
    if ev.units.trace is not None and torch.DTYPE in built.fields:
        dtype = dtypes.option_of(ev, keywords)
        built = built._replace(fields={**built.fields, torch.DTYPE: dtype})
    made = Layer(path, built)
    if node is not None:
        unused_sizes.check(ev, made, node)
        pattern_families.check(ev, built.fields.get(pattern_families.PATTERN), node)
    return made


def around_weight(
    ev: Evaluator,
    path: str,
    arguments: Sequence[Argument],
    keywords: Keywords,
    node: ir.Call | None = None,
) -> Value:
    """A layer that is built around its weight: `nn.Embedding.from_pretrained(vectors)`."""
    given = arguments[0] if arguments else keywords.get(torch.FIRST_OF_WEIGHTS)
    weight = ev.resolve(given.value) if given is not None else NONE
    if not isinstance(weight, Tensor) or weight.claimed is not None:
        return Anything()
    shape = ev.current(weight.shape)
    if not isinstance(shape, tuple) or len(shape) != 2:
        return Anything()
    sizes_of = [Argument(Number(dim.size)) for dim in shape]
    return build_layer(ev, torch.FROM_WEIGHTS[path], sizes_of, {}, node)


def as_set(ev: Evaluator, layer: Layer) -> Layer:
    """A layer with the options that the program has stored to its attributes on this path."""
    now = ev.cells.get(layer)
    return now if isinstance(now, Layer) else layer


def set_option(ev: Evaluator, layer: Layer, name: str, value: Value | None) -> None:
    """Store a value to an attribute of a layer; None for one that is not known.

    Calls read an option there. If one has decided the sizes of the layer's tensors, or was read by
    the constructor alone, it is unknown whether the call still has to do with it.
    """
    before = as_set(ev, layer).instance
    if name not in before.fields or name in before.layer.parameters(before.fields):
        return
    option: Any = UNKNOWN
    if isinstance(value, (Number, Constant, Tuple)):
        plain = parameters.takes((before.layer.constructor,), name, True)
        option = conversion.convert(ev, value, plain)
    after = before._replace(fields={**before.fields, name: option})
    changes_tensors = after.layer.parameters(after.fields) != before.layer.parameters(before.fields)
    if changes_tensors or not before.layer.reads(before.fields, name):
        after = before._replace(fields={**before.fields, name: UNKNOWN})
    if after == before:
        return
    built = ev.origins.layers.get(id(before.fields))
    if built is not None:
        ev.origins.layers[id(after.fields)] = (after.fields, *built[1:])
    now = Layer(layer.path, after)
    now.label = layer.label
    ev.cells[layer] = now
    ev.memory.options_set += 1


def forget_option(ev: Evaluator, value: Value, name: str) -> None:
    """Forget an option of a layer, or of the layers in a container or among several."""
    value = ev.resolve(value)
    if isinstance(value, Layer):
        set_option(ev, value, name, None)
    elif isinstance(value, Either):
        for option in value.options:
            forget_option(ev, option, name)
    elif isinstance(value, Container):
        contents = ev.cells.get(value)
        if isinstance(contents, Repeated):
            forget_option(ev, contents.element, name)
        elif isinstance(contents, dict):
            contents = tuple(contents.values())
        for part in contents if isinstance(contents, tuple) else ():
            forget_option(ev, part, name)


def layer_tensors(layer: Layer) -> Mapping[str, Shape | None]:
    """The shapes of a layer's tensors by attribute; empty if its arguments are not known."""
    return layer.instance.layer.parameters(layer.instance.fields)


def set_layer_attribute(
    ev: Evaluator, layer: Layer, name: str, before: Value, value: Value
) -> None:
    """Store a value to an attribute of a layer: one of its parameters or of its options."""
    if ev.units.trace is not None and name in layer_tensors(layer):
        ev.units.trace.replace(layer, name, ev.resolve(value))
    replace_parameter(ev, layer, before, value)
    set_option(ev, layer, name, ev.resolve(value))


def replace_parameter(ev: Evaluator, layer: Layer, before: Value, value: Value) -> None:
    """Forget what a layer computes if a parameter gets other sizes, or some that are not known."""
    before, now = ev.resolve(before), ev.resolve(value)
    if not isinstance(before, Tensor) or now is NONE:
        return
    layer.assigned = True
    if isinstance(now, Tensor) and isinstance(now.shape, tuple):
        had, has = known_dims(ev.current(before.shape)), known_dims(ev.current(now.shape))
        pairs = zip(had, has, strict=False)
        if len(had) == len(has) and all(ev.facts.known_equal(a.size, b.size) for a, b in pairs):
            return
    layer.replaced = True


def tensor_of_layer(ev: Evaluator, shape: Shape | None) -> Value:
    """A layer's tensor; None for one that the layer was built without."""
    return NONE if shape is None else Tensor(shape, "float", torch.TENSOR, history=CONSTANT)


def field_value(layer: Layer, name: str) -> Value:
    """A constructor argument that a layer keeps."""
    instance = layer.instance
    return _kept(instance.layer.attribute(instance.fields, name))


def _kept(value: object) -> Value:
    if isinstance(value, (int, sizes.Polynomial)) and not isinstance(value, bool):
        return Number(value)
    if isinstance(value, tuple) and value:
        return Tuple([_kept(element) for element in value])
    return Anything()
