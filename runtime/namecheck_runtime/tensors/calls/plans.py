"""Calls that are alike: what a rule and the checks of a call said is kept for the next one.

Two calls of a spelling are alike if their tensors have the same names, sizes, strides and dtypes
and their other arguments are equal (numbers that stand where a tensor may: of one type).  All that
rules and checks look at is the same then; elements are not among it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import EllipsisType
from typing import Any, Final

from namecheck_runtime.binding import REQUIRED, Rule, name_arguments
from namecheck_runtime.declare import Spelling
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.tensors.object import Size, Tensor
from namecheck_runtime.tensors.values.dtypes import device, dtype, layout, memory_format

# -- which calls are alike -------------------------------------------------------------------------

_BY_VALUE: Final = frozenset(
    {
        *(bool, int, float, complex, str, bytes, type(None), EllipsisType),
        *(dtype, device, layout, memory_format, type),
    }
)
_SEQUENCES: Final = frozenset({tuple, list, Size})
_NUMBERS: Final = frozenset({int, float, complex})
_NUMBER_OR_TENSOR: Final = ("Operand",)


class _Unlike(Exception):
    """There is an argument of which one cannot tell whether another one is like it."""


def key_of(
    arguments: Sequence[Any], keywords: Mapping[str, Any], loose: frozenset[int | str]
) -> tuple[Any, ...] | None:
    """What two calls have in common if they are alike; None for one that is like no other.

    `loose` are the places where the type of a number is all that counts.
    """
    key: list[Any] = []
    try:
        for place, value in enumerate(arguments):
            kind = value.__class__
            if kind is Tensor:
                if value._rest is not None:
                    return None
                array = value._array
                key += (value._names, array.shape, array.strides, array.dtype)
            elif kind in _BY_VALUE:
                key.append(kind)
                if not (place in loose and kind in _NUMBERS):
                    key.append(value)
            else:
                _add(key, value)
        for name, value in keywords.items():
            key.append(name)
            if name in loose and value.__class__ in _NUMBERS:
                key.append(value.__class__)
            else:
                _add(key, value)
    except _Unlike:
        return None
    return tuple(key)


def _add(key: list[Any], value: Any) -> None:
    kind = value.__class__
    if kind is Tensor:
        if value._rest is not None:
            raise _Unlike
        array = value._array
        key += (value._names, array.shape, array.strides, array.dtype)
    elif kind in _BY_VALUE:
        key += (kind, value)
    elif kind in _SEQUENCES:
        key += (kind, len(value))
        for one in value:
            _add(key, one)
    elif kind is slice:
        bounds = (value.start, value.stop, value.step)
        if not all(one.__class__ in _BY_VALUE for one in bounds):
            raise _Unlike  # a tensor says where by its elements
        key += (kind, *bounds)
    else:
        raise _Unlike


def loose_of(spelling: Spelling) -> frozenset[int | str]:
    """The places of a spelling, by position and by name, where no signature looks at the value of a
    number: it stands for a tensor.
    """
    loose: set[int | str] = set()
    strict: set[int | str] = set()
    for rule in spelling.op.rules:
        takes = {parameter.name: parameter.takes for parameter in rule.parameters}
        ordered = [p.name for p in rule.parameters if p.kind == "positional"]
        for name in takes:
            (loose if takes[name] == _NUMBER_OR_TENSOR else strict).add(name)
        for place, name in enumerate(spelling.order or ordered):
            (loose if takes.get(name) == _NUMBER_OR_TENSOR else strict).add(place)
    return frozenset(loose - strict)


# -- the arguments of another call -----------------------------------------------------------------


class _Place:
    """Stands for an argument that has yet to come: by position, or by keyword."""

    __slots__ = ("at",)

    def __init__(self, at: int | str) -> None:
        self.at = at


class Template(NamedTuple):
    """The arguments of a call by parameter name, with room for those of calls like it."""

    values: dict[str, Any]
    """What is the same in all: dims by position, not by name, and what was left out."""
    given: tuple[tuple[str, int], ...]
    """The parameters that are passed on as they are given, and the position of each."""
    named: tuple[tuple[str, str], ...]
    """The same of those given by keyword."""
    gathered: tuple[tuple[str, int], ...]
    """Those that are given several arguments, and where these begin."""

    def filled(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
        """With the arguments of a call."""
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
    """The template of a call whose arguments have become `values` and `options`; None if there is
    none.  `keywords` have the caller's word for each, and the value.
    """
    if not all(value.__class__ in _BY_VALUE for value in options.values()):
        return None
    places = [_Place(at) for at in range(len(arguments))]
    words = {name: _Place(word) for name, (word, _) in keywords.items()}
    source: dict[int | str, Any] = dict(keywords.values())
    source.update(enumerate(arguments))
    found, _ = name_arguments(rule, places, words, spelling.order)
    given: list[tuple[str, int]] = []
    named: list[tuple[str, str]] = []
    gathered: list[tuple[str, int]] = []
    for name, value in values.items():
        place = found[name]
        first = place[0] if isinstance(place, tuple) and place else place
        if isinstance(first, _Place):
            at = first.at
            if value is source[at]:
                if isinstance(at, int):
                    given.append((name, at))
                else:
                    named.append((name, at))
                continue
            if isinstance(at, int) and place is not first and _are(value, arguments[at:]):
                gathered.append((name, at))
                continue
        if not _is_fixed(value):
            return None
    # No tensor is kept: only room for it, in the order of the parameters.
    open_ = {name for name, _ in (*given, *named, *gathered)}
    fixed = {name: None if name in open_ else value for name, value in values.items()}
    return Template(fixed, tuple(given), tuple(named), tuple(gathered))


def _are(value: Any, arguments: Sequence[Any]) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == len(arguments)
        and all(one is other for one, other in zip(value, arguments, strict=True))
    )


def _is_fixed(value: Any) -> bool:
    """Whether a value is the same in every call like this one."""
    if value.__class__ is tuple:
        return all(map(_is_fixed, value))
    if value.__class__ is dict:  # what is left of the keywords
        return all(map(_is_fixed, value.values()))
    return value.__class__ in _BY_VALUE or value is REQUIRED
