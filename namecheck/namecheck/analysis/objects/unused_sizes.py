"""A layer as wide as its input, in a function that never reads the size of its output (NC208).

`nn.Linear(hidden, hidden)` in a class that is given `num_classes` and does nothing with it runs,
and gives `hidden` classes.  A constructor may well leave a size unused, and layers that keep the
width are common; both together, with the size named after what the layer gives, are a slip.

A table is hardly ever as wide as it has entries: `nn.Embedding(dim, dim)` is one, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.spelled_values import text_of
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.values import Layer
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.mistakes.sizes import SquareTable, UnusedSize
from namecheck_runtime.readers import parameters

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_CONSTRUCTOR: Final = "__init__"
_OF_RESULT: Final = frozenset(
    {"out", "output", "outputs", "class", "classes", "nclass", "vocab", "vocabulary", "labels"}
)
_OF_TABLE: Final = frozenset({"emb", "embed", "embedding", "embeddings"})
"""Words in the names of sizes that a layer gives, and that the entries of a table have."""
_OF_SIZE: Final = frozenset(
    {
        *(
            "dim",
            "dims",
            "size",
            "sizes",
            "width",
            "channels",
            "channel",
            "chans",
            "ch",
            "features",
        ),
        *("feats", "planes", "units", "num", "n", "c", "d", "nc", "dimension"),
        *("classes", "nclass", "labels", "outputs"),
    }
)
_READS_ALL: Final = frozenset({"locals", "vars"})


def check(ev: Evaluator, layer: Layer, node: ir.Call) -> None:
    """Check that the size of the output is not left unused where a layer keeps its input's."""
    frame = ev.frame
    function = frame.function
    if frame.depth:
        return
    if _is_square_table(layer, node):
        square = SquareTable(
            input=(),
            wanted=UNKNOWN,
            found=UNKNOWN,
            given=text_of(_first_two(layer, node)[0]),
            op=layer.instance.layer.name,
        )
        _report(ev, square, node)
    record = None if function is None else function.record
    if not isinstance(record, ir.FunctionDef) or not _keeps(layer, node):
        return
    unused = _unused(record, _wanted(layer))
    if len(unused) != 1 or _later(record, node):
        return
    mistake = UnusedSize(
        input=(),
        wanted=UNKNOWN,
        found=UNKNOWN,
        unused=unused[0],
        given=_text(node.positional[1]) or "",
        op=layer.instance.layer.name,
    )
    _report(ev, mistake, node)


def _report(ev: Evaluator, mistake: UnusedSize | SquareTable, node: ir.Call) -> None:
    """Report a mistake in how a layer is built, if it is made each time."""
    question = (node.id, type(mistake).__name__)
    ev.frame.look(question)
    ev.blame(mistake, "warning", node, {}, question=question)


def _is_square_table(layer: Layer, node: ir.Call) -> bool:
    """Whether a table is built with one expression for its entries and for their width."""
    if _wanted(layer) is not _OF_TABLE:
        return False
    sizes = _first_two(layer, node)
    if len(sizes) < 2 or isinstance(sizes[0], ir.Int):
        return False
    text = _text(sizes[0])
    if text is None or text != _text(sizes[1]):
        return False
    return _OF_RESULT.isdisjoint(re.split(r"\W+|_", text.lower()))  # one row of an identity each


def _first_two(layer: Layer, node: ir.Call) -> list[ir.Expression]:
    """The arguments for the first two parameters of a layer, by place or by name."""
    names = parameters.positional_names(layer.instance.layer.constructor)[:2]
    named = {one.name: one.value for one in node.keywords}
    given = [*node.positional[:2]]
    return [*given, *(named[name] for name in names[len(given) :] if name in named)]


def _keeps(layer: Layer, node: ir.Call) -> bool:
    """Whether a layer is built with the same expression for what it reads and what it gives.

    With groups, each channel is its own.
    """
    constructor = layer.instance.layer.constructor
    given = {one.name for one in node.keywords}
    if len(node.positional) < 2 or "groups" in given:
        return False
    if None in given and any(one.name == "groups" for one in constructor.parameters):
        return False
    first, second = node.positional[:2]
    if isinstance(first, ir.Int):
        return False  # layers of a published net, which is used for its features
    if _text(first) is None or _text(first) != _text(second):
        return False
    return _wanted(layer) is not None


def _wanted(layer: Layer) -> frozenset[str] | None:
    """The words for the second size of a layer: what it gives, or how wide its entries are."""
    constructor = layer.instance.layer.constructor
    names = parameters.positional_names(constructor)[:2]
    if len(names) < 2:
        return None
    words = set(names[1].split("_"))
    if "out" in words:
        return _OF_RESULT
    return _OF_TABLE if "embedding" in words else None


def _unused(record: ir.FunctionDef, words: frozenset[str] | None) -> list[str]:
    """The parameters of a function that are sizes of what it gives, and that nothing reads.

    So are its variables, unless it is a constructor.
    """
    if words is None:
        return []
    read = {one.name for one in walk(record) if isinstance(one, ir.Name)}
    if not read.isdisjoint(_READS_ALL):
        return []
    unused = [
        parameter.name
        for parameter in record.parameters
        if parameter.name not in read and _is_size(parameter, words)
    ]
    if record.name != _CONSTRUCTOR:
        uses = [one.name for one in walk(record) if isinstance(one, ir.Name)]
        assigned = list(_assigned(record))
        for name in assigned:
            if _names(name, words) and uses.count(name) == assigned.count(name):
                unused.append(name)
    return list(dict.fromkeys(unused))


def _assigned(record: ir.FunctionDef) -> Iterator[str]:
    """The variables that statements of a function's own block assign."""
    for statement in record.body:
        if isinstance(statement, ir.Assign):
            for target in statement.targets:
                if isinstance(target, ir.Name):
                    yield target.name


def _is_size(parameter: ir.Parameter, words: frozenset[str]) -> bool:
    if parameter.kind.startswith("variadic") or parameter.name.startswith("_"):
        return False
    if parameter.default is not None and not isinstance(parameter.default, ir.Int):
        return False  # `out_dim=None` is left to the layer
    match parameter.annotation:
        case None | ir.Name("int"):
            pass
        case _:
            return False
    return _names(parameter.name, words)


def _names(name: str, words: frozenset[str]) -> bool:
    """Whether a name is that of a size of what a layer gives."""
    parts = set(re.split(r"[_\d]+", name.lower()))
    return bool(parts & words) and bool(parts & _OF_SIZE)


def _later(record: ir.FunctionDef, node: ir.Call) -> bool:
    """Whether a later call of the constructor builds such a layer as well: that is the last one."""
    behind = False
    for one in walk(record):
        if one is node:
            behind = True
        elif behind and isinstance(one, ir.Call) and len(one.positional) > 1:
            first, second = map(_text, one.positional[:2])
            if first is not None and first == second:
                if _text(one.function) == _text(node.function):
                    return True
    return False


def _text(expression: ir.Node) -> str | None:
    """Names, attributes, elements and their arithmetic, as written; None for anything else."""
    match expression:
        case ir.Name(name):
            return name
        case ir.Int(value):
            return str(value)
        case ir.Unary("-", ir.Int(value)):
            return f"-{value}"
        case ir.Attribute(owner, name):
            before = _text(owner)
            return None if before is None else f"{before}.{name}"
        case ir.Binary(left, operator, right):
            first, second = _text(left), _text(right)
            return None if first is None or second is None else f"({first} {operator} {second})"
        case ir.Subscript(owner, index):
            before, inside = _text(owner), _text(index)
            return None if before is None or inside is None else f"{before}[{inside}]"
    return None


__all__ = ["check"]
