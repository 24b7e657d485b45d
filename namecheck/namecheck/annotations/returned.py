"""The return type of a function: a tensor, tuples and lists of tensors, and None.

Every `return` has a form (`analysis.state.inlays`); here the forms of one function are combined.
`signatures` writes the type of a tensor.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from namecheck.analysis import Form, Group
from namecheck.annotations.arrays import PLAIN, Imports
from namecheck.frameworks import python

__all__ = ["Result", "laid_over", "refined", "written"]

Place = tuple[int, int]
"""The line of a returned tensor, and its number there."""

Write = Callable[[Place, ast.expr | None], str | None]
"""Writes the type of a tensor, in the place of a plain annotation or of none."""


class Result(NamedTuple):
    """The values at one place of the result: `tensors` by their places, None, values of other
    types, and tuples or lists of `parts`. A list has one part.
    """

    tensors: tuple[Place, ...] = ()
    none: bool = False
    others: frozenset[str] = frozenset()
    kind: str = ""
    parts: tuple[Result, ...] = ()


def laid_over(forms: Iterable[tuple[int, Form]]) -> Result | None:
    """The forms of several returns combined into one; None if they are of different kinds."""
    tensors: list[Place] = []
    none = False
    others: set[str] = set()
    groups: list[tuple[int, Group]] = []
    for line, form in forms:
        if isinstance(form, int):
            tensors.append((line, form))
        elif isinstance(form, Group):
            groups.append((line, form))
        elif form == "None":
            none = True
        else:
            others.add(form)
    if bool(tensors) + len(others) + len({group.kind for _, group in groups}) > 1:
        return None
    if not groups:
        return Result(tuple(tensors), none, frozenset(others))
    (kind,) = {group.kind for _, group in groups}
    below: Iterable[Sequence[tuple[int, Form]]]
    if kind == "list":
        below = [[(line, part) for line, group in groups for part in group.parts]]
    elif len({len(group.parts) for _, group in groups}) == 1:
        below = zip(
            *([(line, part) for part in group.parts] for line, group in groups), strict=True
        )
    else:
        return None
    parts = [laid_over(column) for column in below]
    if any(part is None for part in parts):
        return None
    return Result((), none, frozenset(), kind, tuple(part for part in parts if part is not None))


def written(result: Result, write: Write, imports: Imports) -> str | None:
    """The text of the return type; None if a part of it is not certain."""
    text: str | None
    if result.tensors:
        text = _same(write(key, None) for key in result.tensors)
    elif result.kind:
        parts = [written(part, write, imports) for part in result.parts]
        known = [part for part in parts if part is not None]
        free = imports.is_free(result.kind, f"{python.BUILTIN}{result.kind}")
        text = f"{result.kind}[{', '.join(known)}]" if free and len(known) == len(parts) else None
    elif result.others:
        (text,) = result.others
        text = text if imports.is_free(text, f"{python.BUILTIN}{text}") else None
    else:
        return "None" if result.none else None
    return text if text is None or not result.none else f"{text} | None"


def refined(
    result: Result, annotation: ast.expr, write: Write, imports: Imports
) -> Iterator[tuple[ast.expr, str]]:
    """The plain arrays in an existing annotation, and the types to write in their places.

    There are none if the annotation differs from the result in another way.
    """
    options = list(_options(annotation, imports))
    arrays = [option for option in options if not _is_none(option)]
    if len(arrays) != 1 or (result.none and len(options) == 1):
        return
    (array,) = arrays
    if result.tensors:
        text = _same(write(key, array) for key in result.tensors)
        if imports.path(array) in PLAIN and text is not None:
            yield array, text
    elif isinstance(array, ast.Subscript) and result.kind:
        if _name(array.value, imports) not in _GENERIC[result.kind]:
            return
        within = array.slice
        parts = within.elts if isinstance(within, ast.Tuple) else [within]
        if len(parts) == len(result.parts):
            for part, inner in zip(result.parts, parts, strict=True):
                yield from refined(part, inner, write, imports)


_GENERIC: Final = {
    "tuple": ("tuple", "Tuple"),
    "list": ("list", "List", "Sequence", "Iterable", "Collection"),
}


def _options(node: ast.expr, imports: Imports) -> Iterator[ast.expr]:
    """The types of a union."""
    match node:
        case ast.BinOp(left, ast.BitOr(), right):
            yield from _options(left, imports)
            yield from _options(right, imports)
        case ast.Subscript(base, inner) if _name(base, imports) == "Optional":
            yield from _options(inner, imports)
            yield ast.Constant(None)
        case ast.Subscript(base, ast.Tuple(elements)) if _name(base, imports) == "Union":
            for element in elements:
                yield from _options(element, imports)
        case _:
            yield node


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _name(node: ast.expr, imports: Imports) -> str:
    """The name of a generic type in the standard library; "" if it is not one."""
    if isinstance(node, ast.Name) and imports.is_free(node.id, ""):
        return node.id if node.id in ("tuple", "list") else ""
    module, _, name = imports.path(node).rpartition(".")
    return name if module in python.GENERIC else ""


def _same(texts: Iterable[str | None]) -> str | None:
    """The text that all are equal to; None if they differ."""
    different = set(texts)
    return different.pop() if len(different) == 1 else None
