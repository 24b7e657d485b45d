"""Subscripts and loops: elements, the sizes of dims, slices, iteration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.asking import (
    geometry,
    own_tensors,
    results,
    rulings,
    sparse_matrices,
)
from namecheck.analysis.gradients import following
from namecheck.analysis.objects import own_objects
from namecheck.analysis.reading import ir
from namecheck.analysis.state import conversion
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.joining import join_all, join_contents
from namecheck.analysis.state.lineage import ClassKey
from namecheck.analysis.state.scalars import (
    count_claimed,
    elements_by_key,
    is_of_shape,
    key_of,
    rests_on_claim,
    wrap,
)
from namecheck.analysis.state.unknown_ranks import Made, is_open
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Class,
    Constant,
    Container,
    Dict,
    Either,
    Entries,
    Instance,
    Iterator,
    Library,
    List,
    Number,
    OtherArray,
    Repeated,
    Set,
    ShapeOf,
    SliceObject,
    Tensor,
    Text,
    Tuple,
    Value,
    inherited,
    is_text,
    known,
    one_of_holders,
    read_off,
)
from namecheck.analysis.usage import blank_tensors, samples
from namecheck.frameworks import numpy, python, torch
from namecheck_runtime import sizes
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.lattice import MOST_DIMS, UNKNOWN, Dim, Shape, Size, Trailing, known_dims
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import DimOutOfRange
from namecheck_runtime.rules.index import IndexTensor

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def rank_of(ev: Evaluator, tensor: Value) -> Value:
    """The number of dims of a tensor, which rests on a comment if its rank does.

    A program that asks for the rank of what a function is declared to return expects others, too.
    """
    tensor = ev.resolve(tensor)
    if isinstance(tensor, Tensor) and tensor.claimed is not None:
        if tensor.claimed.result and tensor.claimed.rank:
            ev.refine(tensor, Tensor(UNKNOWN, tensor.kind, tensor.library))
            return Number(ev.some_int("ndim"))
    if isinstance(tensor, Tensor) and isinstance(tensor.shape, tuple):
        claimed = inherited(tensor.claimed) if tensor.rank_claimed else None
        return Number(len(tensor.shape), claimed=claimed)
    return Number(ev.some_int("ndim"))


def check_dim(
    ev: Evaluator,
    tensor: Value,
    index: int,
    node: ir.Expression,
    owner: ir.Expression | None,
) -> None:
    """Check that the dim whose size is read exists (NC301)."""
    tensor = ev.resolve(tensor)
    if not isinstance(tensor, Tensor) or not isinstance(tensor.shape, tuple) or tensor.rank_claimed:
        return
    if not tensor.shape:
        return  # computed from what was taken for a number: its reader knows better
    ev.frame.look(node.id)
    rank = len(tensor.shape)
    if not -rank <= index < rank:
        mistake = DimOutOfRange(
            shape=ev.current(tensor.shape),
            dim=index,
            rank=rank,
            op="size",
            blame=(Blame("input"),),
        )
        ev.blame(mistake, "error", node, {"input": Argument(tensor, owner)})


def owner_of_call(node: ir.Call) -> ir.Expression | None:
    """The receiver of a method call."""
    return node.function.value if isinstance(node.function, ir.Attribute) else None


def owner_of_shape(node: ir.Expression) -> ir.Expression | None:
    """The tensor that an expression is the shape of."""
    match node:
        case ir.Attribute(value) | ir.Call(_, (value,)) | ir.Call(ir.Attribute(value), ()):
            return value
    return None


def dim_size(ev: Evaluator, tensor: Value, index: int, label: str = "") -> Value:
    """The size of one dim, as `x.shape[index]` reads it; an unknown one becomes a symbol."""
    tensor = ev.resolve(tensor)
    shape = tensor.shape if isinstance(tensor, Tensor) else UNKNOWN
    dims = known_dims(shape)
    has_rank = isinstance(shape, tuple)
    place = index if index < 0 else index - len(dims)
    within = -len(dims) <= place < 0 if has_rank or index < 0 else False
    if within:
        size = dims[place].size
        if size is not UNKNOWN:
            return read_off(tensor, ev.facts.representative(size))
        symbol = sizes.symbol(label or "?")
        changed = list(dims)
        changed[place] = Dim(dims[place].name, symbol, dims[place].trace)
        ev.give_shape(tensor, tuple(changed) if has_rank else Trailing(tuple(changed)))
        return Number(symbol)
    if has_rank or not isinstance(tensor, (Anything, Tensor)) or index < -MOST_DIMS:
        return Number(ev.some_int(label or "?"))
    if index < 0:
        symbol = sizes.symbol(label or "?")
        missing = -index - len(dims) - 1
        front = (Dim(UNKNOWN, symbol), *(Dim(UNKNOWN, UNKNOWN),) * missing)
        ev.give_shape(tensor, Trailing((*front, *dims)))
        return Number(symbol)
    key = (tensor, index)
    stored = ev.cells.get(key)
    if isinstance(stored, Value):
        return stored
    number = ev.cells[key] = Number(sizes.symbol(label or "?"))
    ev.ranks.counted[tensor] = max(index + 1, ev.ranks.counted.get(tensor, 0))
    return number


def subscript(ev: Evaluator, value: Value, node: ir.Subscript) -> Value:
    """`value[index]`."""
    value = ev.resolve(value)
    if isinstance(value, Tensor) or (isinstance(value, Anything) and _indexes_tensor(node.index)):
        return _tensor_subscript(ev, value, node)
    if isinstance(value, OtherArray):
        ev.value(node.index)
        return value
    if own_tensors.computes_anew(value):
        ev.value(node.index)
        return OtherArray(is_tensor=True)
    if isinstance(value, Instance) and ev.reach.driven:
        return own_objects.subscript(ev, value, node.index)
    if isinstance(node.index, ir.Slice):
        return _slice(ev, value, node.index)
    index = ev.resolve(ev.value(node.index))
    if isinstance(index, SliceObject):
        return _sliced(ev, value, [known(ev.resolve(bound)) for bound in index.bounds])
    constant = known(index)
    if constant is None and isinstance(value, Dict) and isinstance(index, (Tuple, Tensor, Class)):
        constant = key_of(ev, index)
    match value:
        case ShapeOf():
            if constant is not None and isinstance(constant[0], int):
                check_dim(ev, value.tensor, constant[0], node, owner_of_shape(node.value))
                return dim_size(ev, value.tensor, constant[0])
            return Number(ev.some_int())
        case Tuple() | List() | Container() | Dict() | Repeated():
            return element_at(ev, value, constant)
        case Anything() if value.config and constant is not None:
            return value.attribute(f"[{constant[0]!r}]")
        case Constant(value=str() as text) if constant is not None:
            inside = type(constant[0]) is int and -len(text) <= constant[0] < len(text)
            return wrap(text[constant[0]]) if inside else Anything()
        case Library() | Class():
            return value
    return Anything()


def element_at(ev: Evaluator, value: Value, key: tuple[Any] | None) -> Value:
    """The element of a sequence or dict under a key that may not be known."""
    contents = value.elements if isinstance(value, Tuple) else ev.cells.get(value)
    if isinstance(value, Repeated):
        contents = value
    if isinstance(contents, dict):
        if key is None:
            return _one_held(ev, value, contents)
        return contents[key[0]] if key[0] in contents else _by_default(ev, value, contents, key[0])
    if isinstance(contents, Entries):
        if key is not None and key[0] in contents.certain:
            return contents.certain[key[0]]
        return one_of(contents.element)
    if isinstance(contents, Repeated):
        return one_of(contents.element)
    if isinstance(contents, tuple) and key is not None and isinstance(key[0], int):
        if -len(contents) <= key[0] < len(contents):
            return contents[key[0]]
        return Anything()
    if isinstance(contents, tuple) and contents:
        return join_all(contents)
    return Anything()


FACTORY: Final = "*default"
"""The name under which a dict has the function that makes what a missing key gets."""


def _by_default(ev: Evaluator, table: Value, contents: Mapping[Any, Value], key: object) -> Value:
    """What a dict has under a key that it does not have: what its factory makes."""
    factory = ev.cells.get((table, FACTORY))
    if not isinstance(factory, Value):
        return Anything()
    made = ev.resolve(ev.call(factory, (), {}, None))
    ev.cells[table] = {**contents, key: made}
    return made


def _one_held(ev: Evaluator, table: Value, contents: Mapping[Any, Value]) -> Value:
    """An entry of a dict under a key that is not known; its factory may make one."""
    held = [*map(ev.resolve, contents.values())]
    if not isinstance(ev.cells.get((table, FACTORY)), Value):
        return one_of_holders(held)
    ev.cells[table] = Repeated(Anything())
    return one_of_holders([*held, Anything()])


def entries_of(ev: Evaluator, pairs: object) -> Any:
    """The contents of a dict of these pairs of keys and values."""
    entries: dict[Any, Value] = {}
    for pair in pairs if isinstance(pairs, tuple) else ():
        parts = iterate(ev, pair)
        pair_of = parts if isinstance(parts, tuple) and len(parts) == 2 else None
        key = key_of(ev, ev.resolve(pair_of[0])) if pair_of is not None else None
        if not isinstance(parts, tuple) or key is None:
            return Repeated(Anything())
        entries[key[0]] = parts[1]
    return entries if isinstance(pairs, tuple) else Repeated(Anything())


def one_of(element: Value) -> Value:
    """One of several values, with what they have in common.

    What is learned about it is not learned about the others.
    """
    if isinstance(element, Tensor):
        return element.with_shape(element.shape, element.claimed)
    if isinstance(element, Anything) and not element.config:
        other = Anything(element.label)
        other.holders = element.holders
        return other
    return element


def as_set(ev: Evaluator, row: List) -> Set:
    """A row as a set has it: each element once, as far as they are known, or an unknown number."""
    contents = ev.cells.get(row)
    made = Set()
    made.count = row.count
    ev.cells[made] = contents
    if not isinstance(contents, tuple) or len(contents) < 2:
        return made
    once = elements_by_key(ev, contents)
    ev.cells[made] = Repeated(join_all(contents)) if once is None else tuple(once.values())
    return made


def _slice(ev: Evaluator, value: Value, node: ir.Slice) -> Value:
    parts = [
        known(ev.resolve(ev.value(part))) if part is not None else (None,)
        for part in (node.lower, node.upper, node.step)
    ]
    return _sliced(ev, value, parts)


def _sliced(ev: Evaluator, value: Value, parts: Sequence[tuple[Any] | None]) -> Value:
    if isinstance(value, Tuple) and not value.elements and ev.reach.driven:
        return value  # no part of it has anything
    if any(part is None for part in parts):
        contents: Any = None
        bounds = slice(None)
    else:
        bounds = slice(*[part[0] for part in parts if part is not None])
        contents = iterate(ev, value)
    if is_text(value):
        text = known(value)
        if text is None or None in parts or any(type(p[0]) not in _BOUNDS for p in parts if p):
            return Anything()
        return Anything() if bounds.step == 0 else wrap(text[0][bounds])
    if isinstance(value, ShapeOf) and not isinstance(contents, tuple) and None not in parts:
        return _end_of_shape(ev, value, bounds)
    if isinstance(contents, tuple):
        try:
            chosen = contents[bounds]
        except (TypeError, ValueError):
            return Anything()
        if isinstance(value, (Tuple, ShapeOf)):
            claimed = count_claimed(ev, value)
            return Tuple(chosen, of_shape=is_of_shape(value), claimed=claimed)
        part_value: Value = List() if isinstance(value, List) else Container("sequential")
        if isinstance(value, Container):
            part_value = Container(value.kind)
        ev.cells[part_value] = chosen
        return part_value
    if isinstance(value, Repeated):
        return value
    if isinstance(value, List) and isinstance(ev.cells.get(value), Repeated):
        part_value = List()
        ev.cells[part_value] = ev.cells[value]
        return part_value
    return Anything()


_BOUNDS: Final = (int, type(None))
"""The types of the bounds of a slice."""


def _end_of_shape(ev: Evaluator, value: ShapeOf, bounds: slice) -> Value:
    """`x.shape[-2:]` of a tensor whose rank is not known."""
    if isinstance(bounds.start, int) and -8 < bounds.start < 0 and bounds.stop is None:
        if bounds.step is None:
            ends = [dim_size(ev, value.tensor, index) for index in range(bounds.start, 0)]
            return Tuple(ends, of_shape=not value.plain)
    return Anything()


def _indexes_tensor(index: ir.Expression) -> bool:
    """Whether only a tensor takes such an index: `[:, 0]`, `[..., None]`."""
    return isinstance(index, ir.EllipsisLiteral) or (
        isinstance(index, ir.Tuple)
        and any(
            isinstance(e, (ir.Slice, ir.NoneLiteral, ir.EllipsisLiteral)) for e in index.elements
        )
    )


def _tensor_subscript(ev: Evaluator, value: Value, node: ir.Subscript) -> Value:
    if not _indexes_tensor(node.index) and not isinstance(node.index, ir.Slice):
        _treat_as_list(ev, value)
    library = _library(value)
    spelling = REGISTRY.get(f"{library}.__getitem__") or REGISTRY[python.GET_ITEM]
    index = index_value(ev, node.index)
    kind = value.kind if isinstance(value, Tensor) else "unknown"
    shape = ev.current(value.shape) if isinstance(value, Tensor) else UNKNOWN
    if shape == () and isinstance(value, Tensor) and _holds_anything(value):
        return Anything()
    first = spelling.op.rules[0].parameters[0].name
    by_name = {first: Argument(value, node.value)}
    result = rulings.put(ev, spelling, (shape, index), {}, by_name, node)
    if result is None or not results.is_shape(result):
        return Tensor(library=library)
    if _drops_dims(shape, result) and sparse_matrices.may_be_one(ev, value):
        return Anything()  # a row of a sparse matrix has two dims
    claimed = inherited(value.claimed) if isinstance(value, Tensor) else None
    part: Value = Tensor(result, kind, library, claimed)
    samples.take(ev, node, by_name[first])
    part = blank_tensors.blanked(part) if blank_tensors.is_blank(value) else part
    asked = (shape, index)
    part = geometry.lay(ev, spelling, asked, {}, by_name, result, part, node)
    if value in ev.ranks.doubted:
        ev.ranks.doubted.add(part)
    if is_open(value):
        ev.ranks.indexed[part] = Made(spelling, asked, {}, 0, value)
    if ev.gradients.is_needed:
        given = (by_name[first],)
        following.follow(ev, spelling, given, by_name, (asked, {}, result), part, node)
    return part


def _drops_dims(shape: Shape, result: Shape) -> bool:
    """Whether a part has fewer dims than the whole, as far as is known."""
    both = isinstance(shape, tuple) and isinstance(result, tuple)
    return not both or len(known_dims(result)) < len(known_dims(shape))


def set_tensor_item(
    ev: Evaluator, owner: Tensor, index: Any, value: Value, node: ir.Subscript, origin: Any
) -> None:
    """`x[index] = value`: check that the value fits; the tensor keeps its dims."""
    shape = ev.current(owner.shape)
    blank_tensors.fill_part(ev, owner, index, ev.resolve(value))
    picked = index if isinstance(index, tuple) else (index,)
    if _holds_anything(owner) and isinstance(shape, tuple) and len(shape) in (0, len(picked)):
        if not any(one is None or one is ... or isinstance(one, slice) for one in picked):
            return
    spelling = REGISTRY[python.SET_ITEM]
    names = [parameter.name for parameter in spelling.op.rules[0].parameters]
    converted = conversion.convert(ev, value)
    by_name = {names[0]: Argument(owner, node.value), names[-1]: Argument(value, origin)}
    rulings.put(ev, spelling, (shape, index, converted), {}, by_name, node)
    if ev.gradients.is_needed:
        following.write_part(ev, spelling, by_name, node)


def _holds_anything(array: Tensor) -> bool:
    """Whether the elements of an array may be text, records or arrays.

    Some dtypes of NumPy allow that. It may also be the array of a file, whose scalars can be
    sliced.
    """
    return array.library in (numpy.TENSOR, "") and array.kind == "unknown"


def _library(value: Value) -> str:
    return value.library if isinstance(value, Tensor) else ""


def index_value(ev: Evaluator, index: ir.Expression) -> Any:
    """An index as the rule of indexing takes it: ints and sizes, slices, None, `...`, shapes."""
    if isinstance(index, ir.Tuple):
        read: list[Any] = []
        for element in index.elements:
            row = None
            if isinstance(element, ir.Starred):
                row = iterate(ev, ev.value(element.value))
            if isinstance(row, tuple):
                read += [index_of(ev, ev.resolve(value)) for value in row]
            else:
                read.append(_one_index(ev, element))
        return tuple(read)
    return _one_index(ev, index)


def _one_index(ev: Evaluator, index: ir.Expression) -> Any:
    match index:
        case ir.Slice(lower, upper, step):
            return slice(_bound(ev, lower), _bound(ev, upper), _bound(ev, step))
        case ir.NoneLiteral():
            return None
        case ir.EllipsisLiteral():
            return Ellipsis
        case ir.Starred():
            return UNKNOWN
    return index_of(ev, ev.resolve(ev.value(index)))


def index_of(ev: Evaluator, value: Value) -> Any:
    """A value as the rule of indexing takes it."""
    match value:
        case Tensor():
            kind = value.kind if value.kind in ("bool", "int") else "unknown"
            return IndexTensor(ev.current(value.shape), kind)  # type: ignore[arg-type]
        case Number():
            return conversion.as_size(ev, value)
        case Constant() if (
            value.value is None or value.value is ... or isinstance(value.value, bool)
        ):
            return value.value
        case Tuple():
            return tuple([index_of(ev, ev.resolve(element)) for element in value.elements])
        case SliceObject():
            return slice(*[_bound_of(ev, bound) for bound in value.bounds])
        case List():
            converted = conversion.convert(ev, value)
            return list(converted) if isinstance(converted, tuple) else UNKNOWN
    return UNKNOWN


def _bound(ev: Evaluator, node: ir.Expression | None) -> Size | None:
    return None if node is None else _bound_of(ev, ev.value(node))


def _bound_of(ev: Evaluator, value: Value) -> Size | None:
    value = ev.resolve(value)
    if value is NONE or known(value) == (None,):
        return None
    return conversion.as_size(ev, value)


def text_of_shape(ev: Evaluator, shape: ShapeOf) -> Value:
    """`str(x.shape)`, the key of a table for each shape."""
    parts = iterate(ev, shape)
    sizes = [known(part) for part in parts] if isinstance(parts, tuple) else [None]
    owner = ev.resolve(shape.tensor)
    if None in sizes or rests_on_claim(ev, shape) or not isinstance(owner, Tensor):
        return Text()
    whole = tuple(size[0] for size in sizes if size is not None)
    if owner.library == torch.TENSOR:
        return wrap(torch.WRITTEN_SHAPE.format(list(whole)))
    return wrap(str(whole)) if owner.library else Text()


def iterate(ev: Evaluator, value: Value) -> tuple[Value, ...] | Repeated | None:
    """What iterating over a value gives: its elements, one for all of them, or None."""
    value = ev.resolve(value)
    match value:
        case Tuple():
            return value.elements
        case Repeated():
            return value
        case Iterator():
            contents = ev.cells.get(value)
            ev.cells[value] = ()
            return contents if isinstance(contents, (tuple, Repeated)) else None
        case List() | Container():
            contents = ev.cells.get(value)
            return contents if isinstance(contents, (tuple, Repeated)) else None
        case Either():
            return _iterate_any(ev, value)
        case Dict():
            contents = ev.cells.get(value)
            if isinstance(contents, dict):
                return tuple([wrap_key(key) for key in contents])
            return None
        case ShapeOf():
            return ev.numbers_of(value)
        case Constant(value=str() as text) if ev.reach.driven and len(text) <= _LONGEST_TEXT:
            return tuple([Constant(letter) for letter in text])
        case Tensor():
            return _slices(ev, value)
        case Instance() if ev.reach.driven:
            iterator = own_objects.iterator(ev, value)
            if iterator is not None:
                return None if isinstance(iterator, Instance) else iterate(ev, iterator)
            return own_objects.elements(ev, value)
    return None


_LONGEST_TEXT: Final = 64
"""The most letters of a text that are its elements one by one."""


def _iterate_any(ev: Evaluator, value: Either) -> tuple[Value, ...] | Repeated | None:
    """What iterating over any of several rows gives."""
    joined: tuple[Value, ...] | Repeated | None = None
    for option in value.options:
        contents = iterate(ev, option)
        if contents is None:
            return None
        joined = contents if joined is None else join_contents(joined, contents)
    return joined


def wrap_key(key: Any) -> Value:
    if isinstance(key, ClassKey):
        return key.cls
    if isinstance(key, tuple):
        return wrap(key)
    return Number(key) if type(key) is int else Constant(key)


def numbers_in(ev: Evaluator, tensor: Tensor, name: str) -> Value | None:
    """The numbers that `x.tolist()` and `x.item()` give: how many are known, they are not.

    None for more dims than the method is sure to take.
    """
    shape = ev.current(tensor.shape)
    kind = tensor.kind if tensor.kind in ("bool", "int", "float", "complex") else "number"
    count = shape[0].size if isinstance(shape, tuple) and len(shape) == 1 else -1
    if shape == ():
        return Number(ev.some_int() if kind == "int" else UNKNOWN, kind)
    if name == torch.ITEM or not isinstance(count, int) or not 0 <= count <= ev.reach.unrolled:
        return None
    row = List()
    ev.fill(row, [Number(ev.some_int() if kind == "int" else UNKNOWN, kind) for _ in range(count)])
    return row


def _treat_as_list(ev: Evaluator, tensor: Value) -> None:
    """A value that is iterated over, or of which one element is taken, may be a list of tensors."""
    if ev.trials.supposed:
        ev.trials.supposed = {
            one: name for one, name in ev.trials.supposed.items() if ev.resolve(one) is not tensor
        }


def _slices(ev: Evaluator, tensor: Tensor) -> tuple[Value, ...] | Repeated | None:
    """Iterating over a tensor gives its slices along the first dim."""
    _treat_as_list(ev, tensor)
    if not isinstance(tensor.shape, tuple) or not tensor.shape:
        return Repeated(tensor.derived(UNKNOWN))
    element = tensor.derived(tensor.shape[1:])
    element.strides = tensor.strides[1:] if isinstance(tensor.strides, tuple) else tensor.strides
    element.turned = tensor.turned
    count = ev.facts.representative(tensor.shape[0].size)
    if isinstance(count, int) and 0 < count <= 16:
        return (element,) * count
    return Repeated(element, (tensor.shape, 0))
