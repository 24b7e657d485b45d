"""Calls that are alike: the answers of the rule and of the checks are kept for the next one.

Two calls of a spelling are alike if their tensors have the same names, sizes, strides and dtypes
and their other arguments are equal (of numbers in place of tensors only the type counts).  Then all
that rules and checks look at is the same; they do not look at elements.

Two calls are of one kind if they differ in sizes, strides and numbers at most.  They have the same
signature, kernel and dtypes, but the rule has to be asked about the sizes of each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import EllipsisType
from typing import Any, Final

from namecheck_runtime.binding import REQUIRED, Rule, name_arguments
from namecheck_runtime.declare import Spelling
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.tensors.object import CLASSES, Size, Tensor
from namecheck_runtime.tensors.values.dtypes import device, dtype, layout, memory_format
from namecheck_runtime.tensors.values.history import MODE

# -- which calls are alike -------------------------------------------------------------------------

_BY_VALUE: Final = frozenset(
    {
        *(bool, int, float, complex, str, bytes, type(None), EllipsisType),
        *(dtype, device, layout, memory_format, type),
    }
)
_SEQUENCES: Final = frozenset({tuple, list, Size})
_NUMBERS: Final = frozenset({int, float, complex})
_NUMBER_OR_TENSOR: Final = (("Operand",), ("Operand", "None"))
"""What parameters take where a number stands for a tensor."""


class _Unlike(Exception):
    """An argument cannot be compared with that of another call."""


def key_of(
    arguments: Sequence[Any], keywords: Mapping[str, Any], loose: frozenset[int | str]
) -> tuple[Any, ...] | None:
    """A key that is equal for calls that are alike; None for a call that is like no other.

    `loose` are the places where only the type of a number counts.
    """
    key: list[Any] = []
    try:
        for place, value in enumerate(arguments):
            kind = value.__class__
            if kind in CLASSES:
                if value._rest is not None:
                    key.append(_part_in_graph(value))
                array = value._array
                key.append((value._names, array.shape, array.strides, array.dtype))
            elif kind in _BY_VALUE:
                key.append(kind)
                if kind not in _NUMBERS or place not in loose:
                    key.append(value)
            else:
                _add(key, value, True)
        if keywords:
            for name, value in keywords.items():
                key.append(name)
                kind = value.__class__
                if kind is Tensor and value._rest is None:
                    array = value._array
                    key.append((value._names, array.shape, array.strides, array.dtype))
                elif name in loose and kind in _NUMBERS:
                    key.append(kind)
                else:
                    _add(key, value, True)
    except _Unlike:
        return None
    return tuple(key)


def kind_of(arguments: Sequence[Any], keywords: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """A key that is equal for calls of one kind; None for a call that is like no other."""
    key: list[Any] = []
    try:
        for value in arguments:
            kind = value.__class__
            if kind is Tensor and value._rest is None:
                key += (value._names, value._array.dtype)
            elif kind in _NUMBERS:
                key.append(kind)
            else:
                _add(key, value, False)
        if keywords:
            for name, value in keywords.items():
                key.append(name)
                _add(key, value, False)
    except _Unlike:
        return None
    return tuple(key)


def _add(key: list[Any], value: Any, exact: bool) -> None:
    """Add an argument to a key: with its sizes, strides and numbers, or without them.

    Raises _Unlike for an argument that cannot be compared.
    """
    kind = value.__class__
    if kind in CLASSES:
        array = value._array
        if value._rest is not None:
            if not exact:
                raise _Unlike
            key.append(_part_in_graph(value))
        if exact:
            key.append((value._names, array.shape, array.strides, array.dtype))
        else:
            key += (value._names, array.dtype)
    elif kind in _BY_VALUE:
        key.append(kind)
        if exact or kind not in _NUMBERS:
            key.append(value)
    elif kind in _SEQUENCES:
        key += (kind, len(value))
        for entry in value:
            if entry is None or entry is Ellipsis:
                key.append(entry)
            else:
                _add(key, entry, exact)
    elif kind is slice:
        bounds = (value.start, value.stop, value.step)
        kinds = (bounds[0].__class__, bounds[1].__class__, bounds[2].__class__)
        if not _BY_VALUE.issuperset(kinds):
            raise _Unlike  # the elements of a tensor say where
        key.append((*kinds, *bounds) if exact else kinds)
    else:
        raise _Unlike


_WITHOUT: Final = "in a graph, without a gradient"
_WITH: Final = "in a graph, with a gradient"
"""The parts of a tensor in graphs, for keys: whether a gradient flows to it, and ops are recorded.

No call has an argument of such a text.
"""


def _part_in_graph(tensor: Tensor) -> str:
    """The part of a tensor in graphs.

    Raises _Unlike for one of which more has to be known: on another device, or a view that was
    written to.
    """
    rest: Any = tensor._rest
    history = rest.history
    if rest.geometry is not None or history is None or history.inference:
        raise _Unlike
    mode = MODE
    if mode.inference:
        raise _Unlike
    view = history.view
    if view is not None:
        storage = tensor._storage
        if history.node is None or storage is None or storage.version != view.version:
            raise _Unlike
    if mode.grad and (history.requires_grad or history.node is not None):
        return _WITH
    return _WITHOUT


def is_by_value(kind: type) -> bool:
    """Whether arguments of a class are equal for a call if they are equal."""
    return kind in _BY_VALUE


def is_in_graph(key: tuple[Any, ...]) -> bool:
    """Whether a key is of a call on tensors of which some are in a graph."""
    return _WITHOUT in key or _WITH in key


def loose_of(spelling: Spelling) -> frozenset[int | str]:
    """The places of a spelling, by position and by name, where a number stands for a tensor.

    No signature looks at its value there.
    """
    loose: set[int | str] = set()
    strict: set[int | str] = set()
    for rule in spelling.op.rules:
        takes = {parameter.name: parameter.takes for parameter in rule.parameters}
        ordered = [p.name for p in rule.parameters if p.kind == "positional"]
        for name in takes:
            (loose if takes[name] in _NUMBER_OR_TENSOR else strict).add(name)
        for place, name in enumerate(spelling.order or ordered):
            (loose if takes.get(name) in _NUMBER_OR_TENSOR else strict).add(place)
    return frozenset(loose - strict)


# -- the arguments of another call -----------------------------------------------------------------


class _Place:
    """Stands for an argument of a later call: by position, or by keyword."""

    __slots__ = ("at",)

    def __init__(self, at: int | str) -> None:
        self.at = at


class Template(NamedTuple):
    """The arguments of a call by parameter name, with room for the arguments of calls like it."""

    values: dict[str, Any]
    """The values that all these calls share: dims by position, not by name, and defaults."""
    given: tuple[tuple[str, int], ...]
    """The parameters that take a positional argument as it is, and its position."""
    named: tuple[tuple[str, str], ...]
    """The same for arguments by keyword."""
    gathered: tuple[tuple[str, int], ...]
    """The parameters that take all positional arguments from a position on."""
    words: tuple[tuple[str, str], ...]
    """The name in PyTorch of each keyword, and the caller's word for it."""
    fits_kind: bool
    """Whether the arguments of every call of the same kind fit in: no number is among `values`."""

    def filled(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
        """The values with the arguments of a call."""
        values = self.values.copy()
        for name, at in self.given:
            values[name] = arguments[at]
        for name, word in self.named:
            values[name] = keywords[word]
        for name, begin in self.gathered:
            values[name] = tuple(arguments[begin:])
        return values


def template_of(
    spelling: Spelling,
    rule: Rule,
    arguments: Sequence[Any],
    keywords: Mapping[str, tuple[str, Any]],
    values: dict[str, Any],
    options: Mapping[str, Any],
) -> Template | None:
    """The template of a call whose arguments have become `values` and `options`.

    `keywords` have the caller's word for each, and the value.  None if another call's arguments
    would not fit in.
    """
    if not all(value.__class__ in _BY_VALUE for value in options.values()):
        return None
    fits_kind = not _has_numbers(tuple(options.values()))
    places = [_Place(at) for at in range(len(arguments))]
    words = {name: _Place(word) for name, (word, _) in keywords.items()}
    source: dict[int | str, Any] = dict(keywords.values())
    source.update(enumerate(arguments))
    places_of, _ = name_arguments(rule, places, words, spelling.order)
    positional: list[tuple[str, int]] = []
    named: list[tuple[str, str]] = []
    gathered: list[tuple[str, int]] = []
    for name, value in values.items():
        place = places_of[name]
        first = place[0] if isinstance(place, tuple) and place else place
        if isinstance(first, _Place):
            at = first.at
            if value is source[at]:
                if isinstance(at, int):
                    positional.append((name, at))
                else:
                    named.append((name, at))
                continue
            if isinstance(at, int) and place is not first and _are_those(value, arguments[at:]):
                gathered.append((name, at))
                continue
        if not _is_fixed(value):
            return None
        if any(_has_numbers(source[at]) for at in _places_in(place)):
            fits_kind = False
    # The template keeps no tensor, only room for it, in the order of the parameters.
    open_ = {name for name, _ in (*positional, *named, *gathered)}
    fixed = {name: None if name in open_ else value for name, value in values.items()}
    words_of = tuple((name, word) for name, (word, _) in keywords.items())
    return Template(fixed, tuple(positional), tuple(named), tuple(gathered), words_of, fits_kind)


def _places_in(place: Any) -> list[int | str]:
    """The arguments that a value is made of."""
    if isinstance(place, dict):
        place = tuple(place.values())
    parts = place if isinstance(place, tuple) else (place,)
    return [part.at for part in parts if isinstance(part, _Place)]


def _are_those(value: Any, arguments: Sequence[Any]) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == len(arguments)
        and all(entry is argument for entry, argument in zip(value, arguments, strict=True))
    )


def _has_numbers(value: Any) -> bool:
    """Whether a value is or contains a number, which may be another in a call of the same kind."""
    if value.__class__ in _SEQUENCES:
        return any(map(_has_numbers, value))
    return value.__class__ in _NUMBERS or value.__class__ is slice


def _is_fixed(value: Any) -> bool:
    """Whether a value is the same in every call like this one."""
    if value.__class__ is tuple:
        return all(map(_is_fixed, value))
    if value.__class__ is dict:  # the keywords that bind to no parameter
        return all(map(_is_fixed, value.values()))
    return value.__class__ in _BY_VALUE or value is REQUIRED
