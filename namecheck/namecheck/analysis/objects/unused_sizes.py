"""A layer as wide as its input, in a constructor that never reads the size of its output (NC208).

`nn.Linear(hidden, hidden)` in a class that is given `num_classes` and does nothing with it runs,
and gives `hidden` classes.  A constructor may well leave a size unused, and layers that keep the
width are common; both together, with the size named after what the layer gives, are a slip.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.values import Layer
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.mistakes.sizes import UnusedSize
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
    if frame.depth or function is None or function.name != _CONSTRUCTOR:
        return
    record = function.record
    if not isinstance(record, ir.FunctionDef) or not _keeps(layer, node):
        return
    unused = _unused(record, _wanted(layer))
    if len(unused) != 1 or _later(record, node):
        return
    question = (node.id, "unused")
    frame.look(question)
    mistake = UnusedSize(
        input=(),
        wanted=UNKNOWN,
        found=UNKNOWN,
        unused=unused[0],
        given=_text(node.positional[1]) or "",
        op=layer.instance.layer.name,
    )
    ev.blame(mistake, "warning", node, {}, question=question)


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
    """The parameters of a constructor that are sizes of what it gives, and that nothing reads."""
    if words is None:
        return []
    read = {one.name for one in walk(record) if isinstance(one, ir.Name)}
    if not read.isdisjoint(_READS_ALL):
        return []
    return [
        parameter.name
        for parameter in record.parameters
        if parameter.name not in read and _is_size(parameter, words)
    ]


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
    parts = set(re.split(r"[_\d]+", parameter.name.lower()))
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
    """A name, or attributes and elements of one, as it is written; None for anything else."""
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
        case ir.Subscript(owner, index):
            before, inside = _text(owner), _text(index)
            return None if before is None or inside is None else f"{before}[{inside}]"
    return None


__all__ = ["check"]
