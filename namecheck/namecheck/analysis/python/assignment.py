"""Assignment to names, attributes, elements and several targets; and the values that `show` prints.

`evidence.unpack` unpacks shapes.
"""

from __future__ import annotations

from typing import Any, Final

from namecheck.analysis.asking import elements
from namecheck.analysis.asking.layers import (
    layer_tensors,
    replace_parameter,
    set_layer_attribute,
    set_option,
)
from namecheck.analysis.evidence import moments, unpack
from namecheck.analysis.objects import given_away, own_objects, shared_names
from namecheck.analysis.python import attributes, classes
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import target_names
from namecheck.analysis.state import inlays
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.evaluate import Evaluator
from namecheck.analysis.state.lineage import LAYER, look_up
from namecheck.analysis.state.scalars import key_of
from namecheck.analysis.state.values import (
    CONSTRUCTORS,
    NONE,
    Anything,
    Constant,
    Container,
    Dict,
    Either,
    Entries,
    Function,
    Instance,
    Layer,
    List,
    Repeated,
    Tensor,
    Tuple,
    Value,
    holders,
    inherited,
    join,
    known,
    same,
    spoiled,
    without_element,
)
from namecheck.frameworks import torch
from namecheck_runtime.lattice import UNKNOWN


def assign(
    ev: Evaluator, target: ir.Expression, value: Value, origin: ir.Expression | None
) -> None:
    """Bind a target to a value; `origin` is the expression of the value."""
    if isinstance(target, ir.Name):
        name = target.name
        if name not in ev.frame.globals_:
            if type(value) is Anything and not value.label:
                value.label = name
            ev.frame.variables[name] = value
            ev.frame.bound_at[name] = (ev.frame.source, ev.frame.line)
            if origin is not None:
                moments.test_assigned(ev, origin, value)
        elif ev.frame.parent is None:
            shared_names.note(ev.frame, name, value)
        else:
            shared_names.assign(ev, name, value)
        return
    match target:
        case ir.Tuple(elements) | ir.List(elements):
            unpack.assign_several(ev, elements, value, target, origin)
        case ir.Attribute(owner, name):
            receiver = ev.resolve(ev.value(owner))
            if isinstance(receiver, Instance):
                set_attribute(ev, receiver, name, value, origin)
            elif isinstance(receiver, Anything) and receiver.config:
                classes.build_waiting(ev, receiver)
                ev.memory.assigned.setdefault(receiver, set()).add(name)
                ev.cells[receiver, name] = Anything() if ev.frame.flow.branches else value
            elif isinstance(receiver, Tensor) and name == torch.ELEMENTS:
                _assign_elements(ev, owner, receiver, value)
            elif isinstance(receiver, Tensor):
                attributes.set_tensor_attribute(ev, receiver, name, value, target, origin)
            elif isinstance(receiver, Anything) and name in torch.RESIZING_ATTRIBUTES:
                ev.forget_dims(receiver)
            elif isinstance(receiver, Layer):
                with ev.frame.quietly():
                    before = ev.value(target)
                set_layer_attribute(ev, receiver, name, before, value)
            else:
                forget_attribute_of_one(ev, receiver, name)
        case ir.Subscript(owner, index):
            holder = ev.resolve(ev.value(owner))
            if isinstance(holder, Instance):
                classes.forget_row(ev, holder)
                if ev.reach.driven:
                    _set_item(ev, holder, index, value)
                    return
            _assign_element(ev, holder, index, value, target, origin)
            if holder in ev.reach.dicts:
                own_objects.write_back(ev, holder)
        case ir.Starred(inner):
            assign(ev, inner, value, origin)


def forget_attribute_of_one(ev: Evaluator, receiver: Value, name: str) -> None:
    """Forget an attribute of each object that a value may be: one of them is given another."""
    if isinstance(receiver, (Anything, Either)):
        for held in holders(receiver):
            ev.cells[held, name] = Anything()


_WRITE: Final = "__setattr__"


def set_attribute(
    ev: Evaluator, receiver: Instance, name: str, value: Value, origin: ir.Expression | None
) -> None:
    """Set an attribute of an instance; in a drive as methods of the class do it."""
    if ev.reach.driven:
        writer = look_up(receiver.cls.lineage, _WRITE)
        if isinstance(writer, Function):
            given = (receiver, Constant(name), value)
            ev.call(writer, [Argument(one) for one in given], {}, None)
            return
    store_in(ev, receiver, name, value, origin)


def store_in(
    ev: Evaluator, receiver: Instance, name: str, value: Value, origin: ir.Expression | None
) -> None:
    """Set an attribute of an instance under its own name."""
    if ev.reach.driven:
        held = look_up(receiver.cls.lineage, name)
        if isinstance(held, Function) and held.kind == "property" and held.setter is not None:
            ev.call(held.setter, (Argument(receiver), Argument(value, origin)), {}, None)
            return
        own_objects.note_set(ev, receiver, name)
    if type(value) is Anything and value.config and not value.label:
        value.label = name
    classes.look_into(ev, receiver)
    value = _without_placeholder(ev, value)
    if _is_state(ev, receiver) and given_away.is_called_back(ev, receiver, name):
        value = Anything()
    value = moments.attribute_set(ev, receiver, name, value, origin)
    before = ev.cells.get((receiver, name), _UNSEEN)
    if before is not _UNSEEN:
        classes.build_waiting(ev, receiver)
    classes.hold_module(ev, receiver, name, ev.resolve(value))
    ev.cells[receiver, name] = value
    extended = ev.cells.get((receiver, LAYER))
    if isinstance(extended, Layer):
        set_option(ev, extended, name, ev.resolve(value))
    if _is_state(ev, receiver):
        receiver.left.add(name)
    else:
        receiver.left.discard(name)
    ev.origins.attributes[receiver, name] = (ev.frame.source, ev.frame.line)
    if not _says_the_same(ev, before, value):
        receiver.version += 1
    if origin is not None:
        moments.test_assigned(ev, origin, value)


def _set_item(ev: Evaluator, holder: Instance, index: ir.Expression, value: Value) -> None:
    """`holder[index] = value`, as the class of an object does it."""
    method = look_up(holder.cls.lineage, "__setitem__")
    if own_objects.is_dict_with_attributes(holder):
        key = known(ev.resolve(ev.value(index)))
        name = str(key[0]) if key is not None else own_objects.ANY_ATTRIBUTE
        ev.cells[holder, name] = value
        return
    if isinstance(method, Function) and not isinstance(index, ir.Slice):
        given = (holder, ev.value(index), value)
        ev.call(method, [Argument(one) for one in given], {}, None)


def _is_state(ev: Evaluator, receiver: Instance) -> bool:
    """Whether an instance assigns its own attribute, after the construction."""
    function = ev.frame.function
    if ev.frame.receiver is not receiver or function is None:
        return False
    return function.name not in CONSTRUCTORS


def _assign_elements(ev: Evaluator, node: ir.Expression, tensor: Tensor, value: Value) -> None:
    """`x.data = value`: the tensor has the dims of the value from then on."""
    now = ev.resolve(value)
    if isinstance(node, ir.Attribute):
        owner = ev.resolve(ev.value(node.value))
        if isinstance(owner, Layer):
            replace_parameter(ev, owner, tensor, now)
            return
    if isinstance(now, Tensor):
        ev.change(tensor, tensor.with_shape(now.shape, inherited(now.claimed)))
    else:
        ev.change(tensor, tensor.with_shape(UNKNOWN))


_UNSEEN: Final = Anything()


def _without_placeholder(ev: Evaluator, value: Value) -> Value:
    """A value for an attribute: an empty tensor without its shape, since a call may replace it.

    A drive sees these calls.
    """
    if ev.reach.driven:
        return value
    held = ev.resolve(value)
    return held.with_shape(UNKNOWN) if isinstance(held, Tensor) and held.empty else value


def _says_the_same(ev: Evaluator, before: Value, value: Value) -> bool:
    """Whether results that were computed from an attribute still hold after an assignment."""
    before, value = ev.resolve(before), ev.resolve(value)
    return (type(before) is Anything and type(value) is Anything) or same(before, value)


def _assign_element(
    ev: Evaluator,
    owner: Value,
    index: ir.Expression,
    value: Value,
    target: ir.Subscript,
    origin: ir.Expression | None,
) -> None:
    if isinstance(owner, (Tensor, Anything)):
        read = elements.index_value(ev, index)
        if isinstance(owner, Tensor):
            elements.set_tensor_item(ev, owner, read, value, target, origin)
        else:
            given_away.forget_one_of(ev, owner)
            ev.frame.look(target.id)
        return
    if isinstance(owner, Tuple):
        # Python refuses this for a tuple: the function that gave it returns a list.
        owner = _as_list(ev, owner, target)
    if isinstance(index, ir.Slice) and isinstance(owner, List):
        _assign_slice(ev, owner, index, value)
        return
    key = None if isinstance(index, ir.Slice) else key_of(ev, ev.resolve(ev.value(index)))
    contents = ev.cells.get(owner)
    if isinstance(owner, (Dict, Container)) and isinstance(contents, dict) and key is not None:
        ev.cells[owner] = {**contents, key[0]: value}
    elif isinstance(contents, Entries) and key is not None:
        element = join(ev.resolve(contents.element), ev.resolve(value))
        ev.cells[owner] = contents.put(key[0], value, element)
    elif isinstance(owner, Dict) and isinstance(contents, (dict, Entries)):
        ev.cells[owner] = spoiled(contents, Anything())
    elif isinstance(owner, (List, Container)) and isinstance(contents, tuple) and key is not None:
        if isinstance(key[0], int) and -len(contents) <= key[0] < len(contents):
            changed = list(contents)
            changed[key[0]] = value
            ev.cells[owner] = tuple(changed)
    elif isinstance(owner, Dict) and isinstance(contents, Repeated):
        ev.cells[owner] = Repeated(join(ev.resolve(contents.element), ev.resolve(value)))
    elif isinstance(owner, (List, Dict, Container)):
        ev.cells[owner] = Repeated(Anything())


def _assign_slice(ev: Evaluator, row: List, index: ir.Slice, value: Value) -> None:
    """Assign a part of a list: `sizes[1:] = [1] * (len(sizes) - 1)`."""
    bounds = [
        (None,) if bound is None else known(ev.resolve(ev.value(bound)))
        for bound in (index.lower, index.upper, index.step)
    ]
    places = [bound[0] for bound in bounds if bound is not None]
    contents, more = ev.cells.get(row), elements.iterate(ev, value)
    if isinstance(contents, tuple) and isinstance(more, tuple) and len(places) == len(bounds):
        changed = list(contents)
        try:
            changed[slice(*places)] = more
        except (TypeError, ValueError):
            pass  # the program fails here, too
        else:
            ev.fill(row, tuple(changed))
            return
    ev.cells[row] = Repeated(Anything())


def _as_list(ev: Evaluator, values: Tuple, target: ir.Subscript) -> List:
    """A list of the values of a tuple, which takes its place in the variable of a target."""
    changed = List()
    ev.fill(changed, tuple(values.elements))
    assign(ev, target.value, changed, None)
    return changed


def delete(ev: Evaluator, target: ir.Expression) -> None:
    """Delete a variable, an attribute, or an element of a list or a dict."""
    match target:
        case ir.Name(name):
            ev.frame.variables.pop(name, None)
        case ir.Attribute(owner, name):
            receiver = ev.resolve(ev.value(owner))
            if isinstance(receiver, Instance):
                classes.forget_row(ev, receiver)
                ev.cells[receiver, name] = Anything()
                receiver.version += 1
            elif isinstance(receiver, Layer) and name in layer_tensors(receiver):
                receiver.replaced = True
        case ir.Subscript(owner, index):
            _delete_element(ev, ev.resolve(ev.value(owner)), index, target)
        case ir.Tuple(elements) | ir.List(elements):
            for element in elements:
                delete(ev, element)


def _delete_element(
    ev: Evaluator, owner: Value, index: ir.Expression, target: ir.Subscript
) -> None:
    if isinstance(owner, Tuple):
        owner = _as_list(ev, owner, target)
    if isinstance(owner, Instance):
        classes.forget_row(ev, owner)
    if not isinstance(owner, (List, Dict, Container)):
        given_away.forget_one_of(ev, owner)
        return
    key = None if isinstance(index, ir.Slice) else key_of(ev, ev.resolve(ev.value(index)))
    contents = ev.cells.get(owner)
    left: Any = None
    if isinstance(contents, dict) and key is not None and key[0] in contents:
        left = {k: value for k, value in contents.items() if k != key[0]}
    elif isinstance(contents, tuple) and key is not None:
        left = without_element(contents, key[0])
    elif isinstance(contents, Entries) and key is not None:
        left = contents.without(key[0])
    elif isinstance(contents, (dict, Entries)):
        left = spoiled(contents, Anything())
    if left is not None:
        ev.cells[owner] = left
    elif not isinstance(contents, Repeated):
        ev.cells[owner] = Repeated(Anything())


def show_value(ev: Evaluator, target: ir.Expression, value: Value, kind: str = "assign") -> None:
    """Note the value that `show` prints beside a line."""
    if ev.inlays.driven is not None and not isinstance(target, (ir.Tuple, ir.List)):
        inlays.note_driven(ev, ir.describe(target), value, kind, ev.frame)
    if ev.frame.depth or (ev.frame.flow.loops and kind == "parameter"):
        return
    if isinstance(target, (ir.Tuple, ir.List)):
        return
    value = ev.resolve(value)
    if not isinstance(value, Tensor):
        if ev.inlays.wanted and value is not NONE:  # on another path it may be a tensor
            unknown = value if isinstance(value, Anything) else Anything()
            inlays.note(ev, ir.describe(target), unknown, kind)
        return
    if kind == "assign":
        ev.assigned[ev.frame.source, target.id] = isinstance(value.shape, tuple)
    if ev.inlays.wanted:
        inlays.note(ev, ir.describe(target), value, kind)


def assign_in_loop(ev: Evaluator, target: ir.Expression, element: Value) -> None:
    """Bind the target of a loop to the value that stands for the elements of all its rounds."""
    assign(ev, target, element, None)
    for name in target_names(target):
        value = ev.frame.variables.get(name)
        if type(value) is Anything and value.label == name and value.unused:
            value.varies = True


def show_targets(ev: Evaluator, target: ir.Expression) -> None:
    """Note the values of all variables in a target."""
    if isinstance(target, (ir.Tuple, ir.List)):
        for element in target.elements:
            show_targets(ev, element)
    elif isinstance(target, ir.Name):
        value = ev.frame.variables.get(target.name)
        if value is not None:
            show_value(ev, target, value)
    elif isinstance(target, ir.Attribute) and isinstance(target.value, ir.Name):
        receiver = ev.frame.variables.get(target.value.name)
        if isinstance(receiver, Instance):
            stored = ev.cells.get((receiver, target.name))
            if isinstance(stored, Value):
                show_value(ev, target, stored)
