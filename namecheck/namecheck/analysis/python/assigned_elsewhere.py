"""What other code may have made of the attributes that a constructor sets.

A method of any class of the hierarchy may assign an attribute, and so may code outside of the
class. It is known only if all of them spell the same value.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TYPE_CHECKING, Final

from namecheck.analysis.asking.layers import forget_option, layer_tensors
from namecheck.analysis.reading.assigned_attributes import spelled_in_body
from namecheck.analysis.reading.spelled_values import UNCLEAR, WITHOUT, agree
from namecheck.analysis.state.lineage import LAYER, is_module, look_up
from namecheck.analysis.state.size_roles import ROWS, WIDTHS
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Class,
    Constant,
    Container,
    Dict,
    Either,
    Instance,
    Layer,
    List,
    Number,
    Repeated,
    Tensor,
    Text,
    Tuple,
    Value,
)
from namecheck.frameworks import torch
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.sizes import Polynomial

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


_LAYERS: Final = (Layer, Container, Instance, Either)

_KNOWN: Final = (Number, Constant, Text, Tuple, List, Dict, Tensor)

_DATA: Final = (*_LAYERS, *_KNOWN)
"""The values of attributes that are no methods."""


def unknown_attribute(instance: Instance, name: str) -> Anything:
    """The value of an attribute of which only the name is known."""
    return Anything(f"{instance.label}.{name}", True)


def may_be_changed(ev: Evaluator, cls: Class) -> bool:
    """Whether some code assigns attributes of single instances of a class from outside."""
    outside = {name.partition(".")[0] for name in _assigned_outside(ev, cls)}
    return bool(outside) and any(
        not outside.isdisjoint(one.built) or not outside.isdisjoint(one.attributes)
        for one in cls.lineage
        if isinstance(one, Class)
    )


def _assigned_outside(ev: Evaluator, cls: Class) -> Mapping[str, Set[str]]:
    """The attributes that this file, or that of a class, assigns from outside of objects."""
    here: Mapping[str, Set[str]] = ev.source.file.assigned_outside()
    if cls.source.file is ev.source.file:
        return here
    return {**cls.source.file.assigned_outside(), **here}


def forget_rebound(ev: Evaluator, instance: Instance) -> None:
    """Forget attributes that other methods assign, and the contents of lists that begin empty.

    By the time that they are read, a method may have assigned them, or filled the lists.
    """
    extended = ev.cells.get((instance, LAYER))
    for ancestor in instance.cls.lineage:
        if isinstance(ancestor, Class):
            for name in ancestor.rebound:
                stored = ev.cells.get((instance, name))
                if isinstance(stored, _LAYERS):
                    if name not in ancestor.working:
                        if not _works_as_built(instance, stored):
                            _replace(ev, instance, name, stored, ancestor.rebound[name])
                        continue
                if isinstance(stored, Tensor) and name in ancestor.updated:
                    if isinstance(stored.shape, tuple) and stored.shape:
                        continue
                if (instance, name) in ev.cells:
                    ev.cells[instance, name] = unknown_attribute(instance, name)
                if isinstance(extended, Layer):
                    forget_option(ev, extended, name)
            for name, part in ancestor.assigned_parts:
                stored = ev.cells.get((instance, name))
                if isinstance(stored, Layer) and part in layer_tensors(stored):
                    ev.cells[instance, name] = unknown_attribute(instance, name)
                elif isinstance(stored, Container) and part in torch.PARAMETERS:
                    ev.cells[stored] = Repeated(Anything())
                elif isinstance(stored, (Layer, Container, Either)):
                    forget_option(ev, stored, part)
            for name in ancestor.changed:
                stored = ev.cells.get((instance, name))
                if isinstance(stored, (List, Dict, Container)):
                    ev.cells[stored] = Repeated(Anything())
            for name in ancestor.built.keys() - ancestor.rebound.keys():
                stored = ev.cells.get((instance, name))
                if isinstance(stored, (List, Dict, Container)) and ev.cells.get(stored) in ((), {}):
                    ev.cells[stored] = Repeated(Anything())
            if ancestor.set_by_name:
                forget_attributes(ev, instance)


def _works_as_built(instance: Instance, stored: Value) -> bool:
    """Whether a module of a module has to fit the others that the constructor built.

    A module is called as it was built, unless a method has replaced a part of it. A layer without
    parameters, as a loss, fits whatever it is given, and its results may be used otherwise.
    """
    return is_module(instance.cls) and not (isinstance(stored, Layer) and not layer_tensors(stored))


def forget_attributes(ev: Evaluator, instance: Instance) -> None:
    """Forget the attributes of an instance that code may set by name: all but layers."""
    for name, value in ev.cells.attributes(instance).items():
        if isinstance(ev.resolve(value), _KNOWN):
            ev.cells[instance, name] = unknown_attribute(instance, name)


def forget_replaced(ev: Evaluator, instance: Instance) -> None:
    """Forget what subclasses replace, and code outside the class.

    The instance may be of a subclass, or one that other code has changed. Code that gives a module
    another vocabulary leaves it the width of the table, which its other layers take.
    """
    outside = _assigned_outside(ev, instance.cls)
    for spelled in (instance.cls.replaced, outside):
        for name in sorted(spelled):
            attribute, _, option = name.partition(".")
            stored = ev.cells.get((instance, attribute))
            if option:
                if isinstance(stored, (Layer, Container, Either)):
                    forget_option(ev, stored, option)
                continue
            if stored is None:
                stored = look_up(instance.cls.lineage, name)
            table = _with_other_rows(ev, instance, stored) if spelled is outside else None
            if table is not None:
                ev.cells[instance, name] = table
            elif isinstance(stored, _DATA) and not _is_symbol(stored):
                _replace(ev, instance, name, stored, spelled[name])
    if UNCLEAR in outside:
        _forget_unnamed(ev, instance, outside[UNCLEAR])


def _with_other_rows(ev: Evaluator, instance: Instance, stored: Value | None) -> Layer | None:
    """The table of a module with any number of rows, if its constructor gets the width."""
    if not isinstance(stored, Layer) or not is_module(instance.cls):
        return None
    old = stored.instance.fields
    widths = [old[name] for name in WIDTHS if name in old]
    if ROWS not in old or not any(isinstance(width, Polynomial) for width in widths):
        return None
    fields = {**old, ROWS: UNKNOWN}
    table = Layer(stored.path, stored.instance._replace(fields=fields))
    table.label = stored.label
    built = ev.origins.layers.get(id(old))
    if built is not None:
        ev.origins.layers[id(fields)] = (fields, *built[1:])
    return table


def _forget_unnamed(ev: Evaluator, instance: Instance, texts: Set[str]) -> None:
    """Forget what code may set whose names are not known: `setattr(net, name, nn.Linear(8, 9))`."""
    callees = {text.partition("(")[0].rpartition(".")[2] for text in texts}
    made = {name for name in callees if name[:1].isupper()}
    for name, held in ev.cells.attributes(instance).items():
        stored = ev.resolve(held)
        is_made = isinstance(stored, Layer) and stored.path.rpartition(".")[2] in made
        is_known = isinstance(stored, _KNOWN) and callees != made
        if is_made or (is_known and not _is_symbol(stored)):
            ev.cells[instance, name] = unknown_attribute(instance, name)


def _is_symbol(value: Value) -> bool:
    """Whether a value is a size that its object is built with, as other sizes are."""
    return isinstance(value, Number) and not isinstance(value.size, int)


def _replace(ev: Evaluator, instance: Instance, name: str, stored: Value, later: Set[str]) -> None:
    """Let an attribute be what later assignments of these texts may have made of it."""
    first = _first_texts(instance.cls, name)
    if agree(first, later):
        return
    if isinstance(stored, _LAYERS) and agree(first, later - {WITHOUT}):
        options = stored.options if isinstance(stored, Either) else (stored,)
        ev.cells[instance, name] = Either((*options, NONE))
        return
    ev.cells[instance, name] = unknown_attribute(instance, name)


def _first_texts(cls: Class, name: str) -> Set[str]:
    """The texts of the values that the constructor of a class gives an attribute."""
    for ancestor in cls.lineage:
        if isinstance(ancestor, Class):
            if name in ancestor.built:
                return ancestor.built[name]
            if name in ancestor.attributes:
                return spelled_in_body(ancestor.record).get(name, frozenset())
    return frozenset()
