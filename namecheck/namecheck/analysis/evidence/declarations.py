"""Shape annotations: `Float[Tensor, "b t c"]` on parameters, returns and locals.

Inside a function its names are free sizes, different ones different; at a call they are variables
that the arguments bind. What an annotation says is a declared fact. Source: jaxtyping.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from namecheck.analysis import ir
from namecheck.analysis.evidence.written import ending, size_of_term
from namecheck.analysis.values import Anything, Library, Tensor, Tuple, Value
from namecheck.frameworks import LIBRARIES
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Shape, Size, known_dims, trailing
from namecheck_runtime.mistakes.claims import AnnotationMismatch, ArgumentMismatch, BadAnnotation
from namecheck_runtime.notation.jaxtyping import read_jaxtyping
from namecheck_runtime.notation.syntax import NotationError, WrittenShape
from namecheck_runtime.sizes import Fact, Rank, Relation

if TYPE_CHECKING:
    from namecheck.analysis.evaluate import Evaluator
    from namecheck.analysis.path import Frame

KINDS = {
    "Float": "float",
    "Float16": "float",
    "Float32": "float",
    "Float64": "float",
    "BFloat16": "float",
    "Int": "int",
    "Int8": "int",
    "Int16": "int",
    "Int32": "int",
    "Int64": "int",
    "UInt": "int",
    "UInt8": "int",
    "Integer": "int",
    "Bool": "bool",
    "Complex": "complex",
}
"""The kinds of jaxtyping's dtypes; the others say nothing."""

_JAXTYPING = frozenset({*KINDS, "Shaped", "Num", "Real", "Inexact", "Key", "PRNGKeyArray"})


class Declared(NamedTuple):
    """What an annotation declares of a value."""

    written: WrittenShape | None
    """None: a tensor of any shape."""
    text: str
    node: ir.Expression
    kind: str
    library: str
    optional: bool


def read(ev: Evaluator, annotation: ir.Expression | None) -> Declared | None:
    """What an annotation declares, None if it is none of a tensor; NC403 if it does not parse."""
    match annotation:
        case None:
            return None
        case ir.Binary(left, "|", right):
            for one, other in ((left, right), (right, left)):
                if isinstance(other, ir.NoneLiteral):
                    declared = read(ev, one)
                    return None if declared is None else declared._replace(optional=True)
            return None
        case ir.Subscript(base, index):
            return _read_subscript(ev, base, index)
        case ir.Name() | ir.Attribute():
            library = _tensor_type(ev, annotation)
            if library is not None:
                return Declared(None, "", annotation, "unknown", library, False)
    return None


def _path(ev: Evaluator, node: ir.Expression) -> str:
    match node:
        case ir.Name() | ir.Attribute():
            value = ev.resolve(ev.value(node))
            return value.path if isinstance(value, Library) else ""
    return ""


def _tensor_type(ev: Evaluator, node: ir.Expression) -> str | None:
    """The library whose tensor type this is; None if it is none."""
    path = _path(ev, node)
    library = LIBRARIES.get(path.partition(".")[0])
    if library is not None and path in library.TENSOR_TYPES:
        return str(library.TENSOR)
    return None


def _read_subscript(ev: Evaluator, base: ir.Expression, index: ir.Expression) -> Declared | None:
    path = _path(ev, base)
    name = path.rpartition(".")[2]
    if name == "Optional":
        declared = read(ev, index)
        return None if declared is None else declared._replace(optional=True)
    if name == "Annotated" and isinstance(index, ir.Tuple) and len(index.elements) >= 2:
        kind, of, text = "unknown", index.elements[0], index.elements[1]
        if _tensor_type(ev, of) is None:
            return None
    elif path.startswith("jaxtyping.") and name in _JAXTYPING:
        kind = KINDS.get(name, "unknown")
        match index:
            case ir.Tuple((of, text)):
                pass
            case _:
                return None
    else:
        return None
    if not isinstance(text, ir.Str):
        return None
    library = _tensor_type(ev, of)
    try:
        written = read_jaxtyping(text.value)
    except NotationError as error:
        _blame(
            ev,
            BadAnnotation(
                annotation=text.value, reason=error.reason, span=(error.start, error.end)
            ),
            text,
        )
        return Declared(None, "", text, kind, library or "", False)
    return Declared(written, text.value, text, kind, library or "", False)


def _blame(ev: Evaluator, mistake: object, node: ir.Expression) -> None:
    ev.frame.look((node.id, "annotation"))
    ev.blame(mistake, "error", node, {}, question=(node.id, "annotation"))  # type: ignore[arg-type]


# A function by itself


def declared_value(ev: Evaluator, frame: Frame, declared: Declared) -> Value:
    """A parameter that nobody has given yet: its dims are the names in the annotation."""
    shape: Shape = UNKNOWN
    if declared.written is not None:
        dims, whole = ending(declared.written)
        made = tuple(
            Dim(
                UNKNOWN,
                UNKNOWN
                if dim.broadcastable or dim.tree
                else size_of_term(dim.term, lambda name: name_size(frame, name)),
            )
            for dim in dims
        )
        shape = made if whole else trailing(made)
    tensor = Tensor(shape, declared.kind, declared.library)
    if not declared.optional:
        return tensor
    return Anything(maybe=tensor)


def name_size(frame: Frame, name: str) -> Size:
    """What a name of the function's annotations stands for, a new symbol if nothing yet."""
    found = frame.names.get(name)
    if found is None:
        found = frame.names[name] = sizes.symbol(name)
    return found


def names_differ(ev: Evaluator, frame: Frame) -> None:
    """Two different names in one signature are different sizes inside the function."""
    if len(frame.names) > 1:
        ev.facts.presume_distinct(frame.names.values(), Fact(Rank.DECLARED, ev.place()))


# Calls


def check_argument(
    ev: Evaluator,
    caller: Frame,
    frame: Frame,
    declared: Declared,
    name: str,
    value: Value,
    node: ir.Expression | None,
) -> Value:
    """An argument as the parameter's annotation allows it; the names bind to its sizes (NC404)."""
    found = ev.resolve(value)
    if declared.written is None or not isinstance(found, Tensor):
        return value
    reason = _mismatch(ev, frame.names, declared.written, ev.current(found.shape))
    if node is not None:
        caller.look((node.id, name))
    if reason is None:
        return value
    if node is not None:
        inner, ev.frame = ev.frame, caller
        ev.blame(
            ArgumentMismatch(
                parameter=name,
                found=ev.current(found.shape),
                declared=declared.text,
                reason=reason,
            ),
            "error",
            node,
            {},
            question=(node.id, name),
        )
        ev.frame = inner
    return Tensor(UNKNOWN, found.kind, found.library)


def _mismatch(
    ev: Evaluator, names: dict[str, Size], written: WrittenShape, shape: Shape
) -> str | None:
    """Why a shape does not fit what is written, None if it may; new names take its sizes."""
    dims, whole = ending(written)
    found = known_dims(shape)
    if isinstance(shape, tuple):
        fixed = len(written.dims) - (not whole)
        if whole and len(shape) != fixed:
            return f"it has {_counted(len(shape))} instead of {fixed}"
        if not whole and len(shape) < fixed:
            return f"it has {_counted(len(shape))}, fewer than {fixed}"
    for back in range(1, min(len(dims), len(found)) + 1):
        dim, size = dims[-back], found[-back].size
        if size is UNKNOWN or dim.tree:
            continue
        if isinstance(dim.term, str) and dim.term not in names:
            if not dim.broadcastable:
                names[dim.term] = size
            continue
        wanted = size_of_term(dim.term, lambda name: names.get(name, UNKNOWN))
        if wanted is UNKNOWN or (dim.broadcastable and sizes.possibly_one(size).possible):
            continue
        relation = ev.facts.relate(wanted, size)
        if relation is Relation.NO or _declared_apart(ev, wanted, size, relation):
            said = dim.term if isinstance(dim.term, str | int) else "it"
            said = f"'{said}' is {wanted}" if str(said) != str(wanted) else f"'{said}'"
            return f"dim {-back} has size {ev.facts.representative(size)}, but {said}" + (
                " is declared there" if said.startswith("'") and " is " not in said else ""
            )
        if relation is Relation.MAYBE:
            ev.facts.learn_equal(wanted, size, Fact(Rank.DECLARED, ev.place()))
    return None


def _counted(rank: int) -> str:
    return "1 dim" if rank == 1 else f"{rank} dims"


def _declared_apart(ev: Evaluator, wanted: Size, size: Size, relation: Relation) -> bool:
    """Whether two sizes are different names of one signature."""
    if relation is not Relation.COINCIDENT:
        return False
    settlement = ev.facts.copy().settle(wanted, size, None)
    return settlement.verdict is sizes.Verdict.CONTRADICTED


# Assignments and returns


def check_value(
    ev: Evaluator,
    annotation: ir.Expression,
    value: Value,
    node: ir.Expression,
    code: str,
    returned: bool = False,
) -> Value:
    """A value as its annotation allows it (NC401), with what the annotation adds to it."""
    match annotation, ev.resolve(value):
        case ir.Subscript(ir.Name(), ir.Tuple(parts)), Tuple(elements=elements) if _is_tuple(
            annotation
        ) and len(parts) == len(elements):
            shown = node.elements if isinstance(node, ir.Tuple) else (node,) * len(parts)
            if len(shown) != len(parts):
                shown = (node,) * len(parts)
            checked = [
                check_value(ev, part, element, at, code, returned)
                for part, element, at in zip(parts, elements, shown, strict=True)
            ]
            return Tuple(checked)
    declared = read(ev, annotation)
    if declared is None:
        return value
    found = ev.resolve(value)
    names = ev.frame.names
    if declared.written is None or not isinstance(found, Tensor | Anything):
        return value
    if isinstance(found, Anything) or found.shape is UNKNOWN:
        if declared.optional:
            return value
        return declared_value(ev, ev.frame, declared)
    shape = ev.current(found.shape)
    # A return that only one path takes may be of another kind; the names of the signature are not
    # bound by what is returned.
    reason = _mismatch(ev, dict(names) if returned else names, declared.written, shape)
    ev.frame.look((node.id, code))
    if reason is not None:
        what = "returned value" if returned else "value"
        ev.blame(
            AnnotationMismatch(found=shape, declared=declared.text, reason=reason, what=what),
            "error",
            node,
            {},
            question=(node.id, code),
        )
        return Tensor(UNKNOWN, found.kind, found.library)
    return _filled(ev, found, shape, declared, names)


def _is_tuple(annotation: ir.Expression) -> bool:
    match annotation:
        case ir.Subscript(ir.Name("tuple" | "Tuple"), _):
            return True
    return False


def _filled(
    ev: Evaluator, found: Tensor, shape: Shape, declared: Declared, names: Mapping[str, Size]
) -> Value:
    """The value with the sizes that the annotation adds."""
    assert declared.written is not None
    dims, whole = ending(declared.written)
    have = known_dims(shape)
    made: list[Dim] = []
    for back in range(1, len(dims) + 1):
        dim = have[-back] if back <= len(have) else Dim(UNKNOWN, UNKNOWN)
        written = dims[-back]
        if dim.size is UNKNOWN and not written.broadcastable and not written.tree:
            size = size_of_term(written.term, lambda name: name_size(ev.frame, name))
            dim = Dim(dim.name, size, dim.trace)
        made.append(dim)
    made.reverse()
    if isinstance(shape, tuple):
        result: Dims = (*shape[: len(shape) - len(made)], *made)
        filled: Shape = result
    else:
        filled = tuple(made) if whole else trailing((*have[: len(have) - len(made)], *made))
    if filled == shape:
        return found
    return Tensor(filled, found.kind, found.library)
