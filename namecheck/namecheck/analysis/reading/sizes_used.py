"""Which names of a file stand for several sizes, and which for one, by the text alone.

`np.zeros(k)` makes a vector if `k` is a number, and a tensor of any rank if `k` is a shape. What
the file does with a name anywhere shows which it is: `k[-1]` needs several sizes, `k // 2` one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk, walk_for
from namecheck_runtime.layers import LAYERS
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.readers import parameters

_OF_SEVERAL: Final = frozenset(
    {
        "all",
        "any",
        "enumerate",
        "frozenset",
        "iter",
        "len",
        "list",
        "prod",
        "reversed",
        "set",
        "Size",
        "sorted",
        "sum",
        "tuple",
        "zip",
    }
)
"""Functions that take a sequence first."""

_SEVERAL: Final = regex(
    r"\b(?:tuple|list|sequence|size|iterable|collection|shape|array|ndarray|tensor)\b",
    re.IGNORECASE,
)
"""Words in the annotation of what may be several sizes."""

_OF_ONE: Final = frozenset({"range", "int", "float", "sqrt", "log", "log2"})
"""Functions that take one number."""

_BETWEEN_NUMBERS: Final = frozenset({"-", "/", "//", "%", "**", "*", "<<", ">>"})
_COMPARING: Final = frozenset({"<", ">", "<=", ">="})


class SizesUsed:
    """The names that a file uses for several sizes, and those for one; by the last word of a path.

    A name may be in both: `dim if isinstance(dim, int) else dim[0]`.
    """

    __slots__ = ("numbers", "sequences")

    def __init__(self, numbers: frozenset[str], sequences: frozenset[str]) -> None:
        self.numbers = numbers
        self.sequences = sequences


_TELLING: Final = frozenset(
    {
        *(ir.Binary, ir.Unary, ir.Comparison, ir.Call, ir.For, ir.Clause, ir.Starred),
        *(ir.Subscript, ir.Assign, ir.AnnotatedAssign, ir.Parameter, ir.Keyword),
    }
)


_TELLING_OF_ONE: Final = frozenset({ir.Binary, ir.Unary, ir.Comparison, ir.Call})
_TELLING_OF_SEVERAL: Final = _TELLING - {ir.Unary, ir.Keyword}


def sizes_used(chunks: Iterable[ir.Chunk]) -> SizesUsed:
    """What the records of a file say about its names."""
    numbers: set[str] = set()
    sequences: set[str] = set()
    same: list[tuple[str, str]] = []
    for chunk in chunks:
        said = _said(chunk)
        numbers |= said.numbers
        sequences |= said.sequences
        same += said.same
    # What the file does with a name itself says more than what it does with the value's others.
    sequences |= _spread(same, sequences) - numbers
    numbers |= _spread(same, numbers)
    return SizesUsed(frozenset(numbers), frozenset(sequences))


class _Said(NamedTuple):
    """The names that a chunk uses for one size and for several, and pairs for one value."""

    numbers: set[str]
    sequences: set[str]
    same: list[tuple[str, str]]


@ir.read_once
def _said(chunk: ir.Chunk) -> _Said:
    said = _Said(set(), set(), [])
    for record in walk_for(chunk, _TELLING):
        kind = type(record)
        if kind in _TELLING_OF_ONE:
            _of_one(record, said.numbers)
        if kind in _TELLING_OF_SEVERAL:
            _of_several(record, said.sequences)
        if kind is ir.Assign or kind is ir.Keyword:
            said.same.extend(_names_of_one_value(record))
    return said


def _names_of_one_value(record: ir.Record) -> list[tuple[str, str]]:
    """Pairs of names for one value: `self.width = width`, `Layer(width=self.width)`."""
    pairs: list[tuple[str, str]] = []
    match record:
        case ir.Assign(targets, value):
            pairs += [(_last_name(target), _last_name(value)) for target in targets]
        case ir.Keyword(name, value) if name is not None and name not in parameters.SHAPES:
            pairs.append((str(name), _last_name(value)))
    # A letter is the name of many values: `rearrange(x, "b (h d) -> b h d", h=heads)`.
    return [pair for pair in pairs if min(map(len, pair)) > 1 and pair[0] != pair[1]]


def _spread(same: list[tuple[str, str]], names: set[str]) -> set[str]:
    """Some names, and the others of the same values."""
    names = set(names)
    before = -1
    while len(names) != before:
        before = len(names)
        for one, other in same:
            if one in names or other in names:
                names.update((one, other))
    return names


def _add(names: set[str], expressions: Iterable[ir.Expression | None]) -> None:
    names.update(filter(None, map(_last_name, expressions)))


def _last_name(expression: ir.Expression | None) -> str:
    """`width` of `width`, `self.width` and `cfg["width"]`; "" of other expressions."""
    match expression:
        case ir.Name(name) | ir.Attribute(_, name) | ir.Subscript(_, ir.Str(name)):
            return str(name)
    return ""


def _function_name(call: ir.Call) -> str:
    match call.function:
        case ir.Name(name) | ir.Attribute(_, name):
            return str(name)
    return ""


# One size


def _of_one(record: ir.Record, names: set[str]) -> None:
    match record:
        case ir.Binary(left, operator, right) if operator in _BETWEEN_NUMBERS:
            _add(names, (left, right))
        case ir.Unary("-", operand):
            _add(names, (operand,))
        case ir.Comparison(left, (operator,), (right,)) if operator in _COMPARING:
            _add(names, (left, right))
        case ir.Call(function, positional, keywords):
            if _function_name(record) in _OF_ONE:
                _add(names, positional)
            for argument in positional:
                if isinstance(argument, ir.Tuple) and not _is_name(function, "isinstance"):
                    _add(names, argument.elements)
            _of_layer(_function_name(record), positional, keywords, names)


def _is_name(expression: ir.Expression, name: str) -> bool:
    return isinstance(expression, ir.Name) and expression.name == name


def _of_layer(
    function: str,
    positional: tuple[ir.Expression, ...],
    keywords: tuple[ir.Keyword, ...],
    names: set[str],
) -> None:
    """The arguments of a layer that are one size: the widths of a Linear."""
    order, sizes = _size_parameters().get(function, ((), frozenset()))
    for parameter, argument in zip(order, positional, strict=False):
        if parameter in sizes:
            _add(names, (argument,))
    _add(names, (keyword.value for keyword in keywords if keyword.name in sizes))


@cache
def _size_parameters() -> dict[str, tuple[tuple[str, ...], frozenset[str]]]:
    """By the name of a layer: its positional parameters, and those that take one size."""
    found: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {}
    for path, layer in LAYERS.items():
        order = tuple(parameters.positional_names(layer.constructor))
        one = []
        for name in order:
            plain = parameters.takes((layer.constructor,), name)
            if plain.as_size and not plain.as_several and not plain.as_either:
                one.append(name)
        found[path.rpartition(".")[2]] = (order, frozenset(one))
    return found


# Several sizes


def _of_several(record: ir.Record, names: set[str]) -> None:
    match record:
        case ir.For(_, iterable) | ir.Clause(_, iterable) | ir.Starred(iterable):
            _add(names, (iterable,))
        case ir.Subscript(value, index) if not isinstance(index, ir.Str):
            _add(names, (value,))
        case ir.Binary(left, "+", right):
            if isinstance(left, (ir.Tuple, ir.List)):
                _add(names, (right,))
            elif isinstance(right, (ir.Tuple, ir.List)):
                _add(names, (left,))
        case ir.Comparison(_, (("in" | "not in"),), (right,)):
            _add(names, (right,))
        case ir.Call(_, positional, keywords):
            _of_call(_function_name(record), positional, keywords, names)
        case ir.Assign(targets, value):
            if any(isinstance(target, (ir.Tuple, ir.List)) for target in targets):
                _add(names, (value,))
            if _is_several(value):
                _add(names, targets)
        case ir.AnnotatedAssign(target, annotation, given):
            if _is_several(given) or _declares_several(annotation):
                _add(names, (target,))
        case ir.Parameter(name, _, note, default):
            if _is_several(default) or (note is not None and _declares_several(note)):
                names.add(str(name))


def _of_call(
    function: str,
    positional: tuple[ir.Expression, ...],
    keywords: tuple[ir.Keyword, ...],
    names: set[str],
) -> None:
    if function in _OF_SEVERAL:
        _add(names, positional)
    elif function == "map":
        _add(names, positional[1:])
    elif function == "isinstance" and len(positional) == 2:
        if not _is_name(positional[1], "int"):
            _add(names, positional[:1])
    names.update(str(k.name) for k in keywords if k.name is not None and _is_several(k.value))


def _is_several(value: ir.Expression | None) -> bool:
    """Whether an expression is a sequence: a display, a shape, a part or a sum of one."""
    match value:
        case ir.Tuple() | ir.List() | ir.Attribute(_, "shape"):
            return True
        case ir.Call(ir.Attribute(_, "size"), (), ()):
            return True
        case ir.Call(ir.Name("tuple" | "list") | ir.Attribute(_, "Size")):
            return True
        case ir.Subscript(inner, ir.Slice()):
            return _is_several(inner)
        case ir.Binary(left, ("+" | "*"), right):
            return _is_several(left) or _is_several(right)
        case ir.Conditional(_, body, orelse):
            return _is_several(body) or _is_several(orelse)
    return False


def _declares_several(annotation: ir.Expression) -> bool:
    """Whether an annotation speaks of a sequence."""
    for inner in walk(annotation):
        match inner:
            case ir.Name(word) | ir.Attribute(_, word) | ir.Str(word):
                if _SEVERAL.search(str(word)) is not None:
                    return True
    return False
