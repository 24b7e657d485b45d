"""Layers of libraries: built from abstract arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.reading import ir
from namecheck.analysis.state import conversion
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.reasons import UNNUMBERED
from namecheck.analysis.state.values import Anything, Layer, Value
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Shape
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
    return Layer(path, built)


def layer_tensors(layer: Layer) -> Mapping[str, Shape | None]:
    """The shapes of a layer's tensors by attribute; empty if its arguments are not known."""
    return layer.instance.layer.parameters(layer.instance.fields)
