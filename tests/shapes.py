"""Shapes from compact strings, for tests: `shape("... N:2 T:? C:t*3 h*d")`.

A part is `name:size` or only a size.  The name is an identifier, `_` for a dim known to be unnamed
(or left out) or `?` for an unknown name; the size is an int, `?`, or arithmetic over letters, each
of which is the same symbol for the whole run of the tests.  A leading `...` is an unknown number of
dims; alone it is UNKNOWN, and "" is a scalar.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Name, Shape, Size, Trailing
from namecheck_runtime.sizes import Origin

_symbols: dict[str, Size] = {}

_ARITHMETIC: dict[type[ast.operator], Callable[[Size, Size], Size]] = {
    ast.Add: sizes.add,
    ast.Sub: sizes.subtract,
    ast.Mult: sizes.multiply,
    ast.Div: sizes.divide_exactly,
    ast.FloorDiv: sizes.floor_divide,
    ast.Mod: sizes.modulo,
}
_FUNCTIONS: dict[str, Callable[[Size, Size], Size]] = {
    "min": sizes.minimum,
    "max": sizes.maximum,
    "ceil": sizes.ceil_divide,
}


def sym(name: str) -> Size:
    """The symbol of this name, the same at every call.

    A name with a capital letter first comes from a constructor or a config, any other from data.
    """
    if name not in _symbols:
        origin = Origin.CONFIG if name[0].isupper() else Origin.DATA
        _symbols[name] = sizes.symbol(name, origin)
    return _symbols[name]


def size(text: str) -> Size:
    """The size that `text` denotes: `3`, `?`, `t`, `3*c`, `(t+1)*d`, `c/h` (exact), `t//2`,
    `min(a,b)`.
    """
    return UNKNOWN if text == "?" else _read(ast.parse(text, mode="eval").body)


def _read(node: ast.expr) -> Size:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            return sym(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return sizes.multiply(-1, _read(operand))
        case ast.BinOp(left=left, op=operator, right=right):
            return _ARITHMETIC[type(operator)](_read(left), _read(right))
        case ast.Call(func=ast.Name(id=function), args=[left, right]):
            return _FUNCTIONS[function](_read(left), _read(right))
        case _:
            raise ValueError(f"not a size: {ast.unparse(node)}")


def dim(text: str) -> Dim:
    """The dim that `text` denotes: `N:2`, `?:t`, `_:3`, `3*c`, `?`."""
    name, colon, written = text.rpartition(":")
    dim_name: Name = UNKNOWN if name == "?" else None if not colon or name == "_" else name
    return Dim(dim_name, size(written))


def dims(text: str) -> Dims:
    """The dims that `text` denotes, whose number is known."""
    return tuple(dim(part) for part in text.split())


def shape(text: str) -> Shape:
    """The shape that `text` denotes; see the module."""
    words = text.split()
    if words and words[0] == "...":
        return Trailing(dims(" ".join(words[1:]))) if words[1:] else UNKNOWN
    return dims(text)
