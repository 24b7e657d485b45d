"""Shape annotations at parameters, calls, assignments and returns: `x: Float[Tensor, "b t c"]`.

Inside a function its names are free sizes, different ones different; at a call they are variables
that the arguments bind. An annotation is a declared fact; `annotation` reads it. Source: jaxtyping.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from namecheck.analysis.evidence.annotation import (
    Declaration,
    Declared,
    Each,
    OneOf,
    Several,
    read,
)
from namecheck.analysis.evidence.contradictions import Contradiction, contradiction
from namecheck.analysis.evidence.declared_results import (
    as_claim,
    calls_overridden,
    completed,
    is_believed,
    root_of,
)
from namecheck.analysis.reading import ir
from namecheck.analysis.state import reasons
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.conversion import are_numbers
from namecheck.analysis.state.independence import BATCH
from namecheck.analysis.state.values import (
    Anything,
    Claimed,
    Dict,
    List,
    Repeated,
    Tensor,
    Tuple,
    Value,
)
from namecheck.analysis.usage.different_sizes import presume_apart
from namecheck_runtime import sizes
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Dims,
    Shape,
    Size,
    Unknown,
    known_dims,
    trailing,
)
from namecheck_runtime.mistakes.claims import AnnotationMismatch, ArgumentMismatch
from namecheck_runtime.notation import matching
from namecheck_runtime.notation.matching import (
    Names,
    declared_shape,
    wrong_rank,
)
from namecheck_runtime.notation.syntax import WrittenShape
from namecheck_runtime.notation.written import many_name
from namecheck_runtime.sizes import Fact, Rank

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Frame

Note = tuple[str, Any, int]
"""Where something is declared: a text, a source and a line in it."""


# A function by itself


def declared_value(
    ev: Evaluator, names: Names, declaration: Declaration, optional: bool = False
) -> Value:
    """The value of something declared without a value: its dims are the names in the annotation.

    With `optional` it may be None although its annotation does not say so.
    """
    if ev.hearsay.undeclared:
        return Anything()
    ev.hearsay.has_declared = True
    match declaration:
        case Several(parts):
            return Tuple(
                Anything() if part is None else declared_value(ev, names, part) for part in parts
            )
        case Each(element):
            return Repeated(declared_value(ev, names, element))
        case OneOf(options, or_none, is_open):
            if is_open:
                return Anything()
            kinds = {one.kind for one in options}
            libraries = {one.library for one in options}
            tensor = Tensor(
                UNKNOWN,
                kinds.pop() if len(kinds) == 1 else "unknown",
                libraries.pop() if len(libraries) == 1 else "",
            )
            return Anything(maybe=tensor) if or_none or optional else tensor
    tensor = Tensor(_declared_shape(names, declaration), declaration.kind, declaration.library)
    return Anything(maybe=tensor) if declaration.optional or optional else tensor


def _declared_shape(names: Names, declared: Declared) -> Shape:
    if declared.written is None:
        return UNKNOWN
    if declared.named is not None:
        return tuple(Dim(name, UNKNOWN) for name in declared.named)
    return declared_shape(names, declared.written)


def of_parameter(ev: Evaluator, frame: Frame, parameter: ir.Parameter) -> Value | None:
    """The value of a parameter without an argument, by its annotation; None if it has none."""
    declaration = read(ev, parameter.annotation)
    if declaration is None or (frame.function is not None and frame.function.mapped):
        return None
    optional = isinstance(parameter.default, ir.NoneLiteral)
    value = declared_value(ev, frame.written.names, declaration, optional)
    if isinstance(value, Tensor) and isinstance(declaration, Declared) and declaration.text:
        said = f'{parameter.name} is annotated "{declaration.text}"'
        place = frame.source, frame.line, parameter.id
        value.claimed = Claimed(False, said, *place, value.shape, firm=True)
    match parameter.kind:
        case "variadic positional":
            return Repeated(value)
        case "variadic keyword":
            keywords = Dict()
            ev.cells[keywords] = Repeated(value)
            return keywords
    return value


def names_differ(ev: Evaluator, frame: Frame, documented: bool) -> None:
    """Presume that different names in one signature are different sizes inside the function.

    Names of one stem are left out: `num_samples_1` may well be made of `num_samples`. The dims that
    `*a` and `*b` stand for are not compared with each other: those of a mask are often 1. Nor are
    they compared with the batch, which they may begin with.
    """
    families: dict[str, list[tuple[str, Size]]] = {"": []}
    for name, size in frame.written.names.items():
        reasons.named(ev, size)
        if not isinstance(size, int):
            family = name.partition("[")[0] if name.startswith("*") else ""
            families.setdefault(family, []).append((name, size))
    plain = families.pop("")
    presume_apart(ev, plain, Rank.DECLARED)
    others = [(name, size) for name, size in plain if name.lower() not in BATCH]
    for some in families.values():
        presume_apart(ev, (*others, *some), Rank.DECLARED)


# Calls


def check_argument(
    ev: Evaluator,
    caller: Frame,
    names: Names,
    declaration: Declaration,
    name: str,
    value: Value,
    node: ir.Node | None,
    note: Note | None = None,
) -> Value:
    """An argument as the parameter's annotation allows it; the names bind to its sizes (NC404)."""
    if ev.hearsay.undeclared:
        return value
    ev.hearsay.has_declared = True
    known = ev.resolve(value)
    match declaration, known:
        case Several(parts), Tuple(elements=elements) if len(parts) == len(elements):
            nodes = _elements(node, len(parts))
            return Tuple(
                element
                if part is None
                else check_argument(ev, caller, names, part, name, element, part_node, note)
                for part, element, part_node in zip(parts, elements, nodes, strict=True)
            )
        case Each(element), Tuple(elements=elements):
            nodes = _elements(node, len(elements))
            return Tuple(
                check_argument(ev, caller, names, element, name, item, part_node, note)
                for item, part_node in zip(elements, nodes, strict=True)
            )
        case Declared(), Anything():
            return _unknown_argument(ev, names, declaration, value)
        case ((OneOf() | Declared()), Tensor()):
            if _check_tensor(ev, caller, names, declaration, name, known, node, note):
                return value
            return Tensor(UNKNOWN, known.kind, known.library)
    return value


def was_refused(ev: Evaluator, before: Value, after: Value) -> bool:
    """Whether an argument, or a part of it, did not fit what its parameter declares."""
    before = ev.resolve(before)
    if isinstance(before, Tensor):
        after = ev.resolve(after)
        return isinstance(after, Tensor) and after.shape is UNKNOWN is not before.shape
    if isinstance(before, Tuple) and isinstance(after, Tuple):
        pairs = zip(before.elements, after.elements, strict=True)
        return any(was_refused(ev, *pair) for pair in pairs)
    return False


def _check_tensor(
    ev: Evaluator,
    caller: Frame,
    names: Names,
    declaration: OneOf | Declared,
    name: str,
    tensor: Tensor,
    node: ir.Node | None,
    note: Note | None,
) -> bool:
    """Whether a tensor may be the argument that a parameter declares.

    What the declaration adds to the tensor is learned.
    """
    if isinstance(declaration, OneOf):
        reason, chosen = _fits_none(ev, names, declaration.options, ev.current(tensor.shape))
        if chosen is None:
            return True
        declared = chosen
    else:
        declared = declaration
        reason = mismatch(ev, names, declared, ev.current(tensor.shape))
    if declared.written is None:
        return True
    if node is not None:
        caller.look((node.id, name))
    shape = ev.current(tensor.shape)
    if reason is None:
        _fill_in(ev, tensor, shape, declared, names)
        return True
    if node is not None:
        mistake = ArgumentMismatch(
            parameter=name, found=shape, declared=declared.text, reason=reason
        )
        inner, ev.frame = ev.frame, caller
        ev.blame(
            mistake,
            _level_of(ev, names, declared, shape),
            node,
            {"value": Argument(tensor, node)},
            question=(node.id, name),
            notes=() if note is None else (note,),
        )
        ev.frame = inner
    return False


def _elements(node: ir.Node | None, count: int) -> tuple[ir.Node | None, ...]:
    if isinstance(node, (ir.Tuple, ir.List)) and len(node.elements) == count:
        return node.elements
    return (node,) * count


def _unknown_argument(ev: Evaluator, names: Names, declared: Declared, value: Value) -> Value:
    """An unknown argument is what its parameter declares."""
    if declared.optional or declared.written is None or ev.resolve(value) is not value:
        return value
    if ev.hearsay.as_passed:
        return value
    ev.hearsay.has_lent = True
    return declared_value(ev, names, declared)


def _fits_none(
    ev: Evaluator, names: Names, options: tuple[Declared, ...], shape: Shape
) -> tuple[str | None, Declared | None]:
    """Why a shape fits none of several annotations, with the last of them.

    If it fits, None with the only one that it fits, None if there are several. The names of that
    one are bound.
    """
    reasons: list[str] = []
    fitting: list[Declared] = []
    for option in options:
        reason = mismatch(ev, dict(names), option, shape, learn=False)
        if reason is None:
            fitting.append(option)
        else:
            reasons.append(reason)
    if len(fitting) == 1:
        return mismatch(ev, names, fitting[0], shape), fitting[0]
    if fitting:
        return None, None
    return reasons[-1], options[-1]


def mismatch(
    ev: Evaluator, names: Names, declared: Declared, shape: Shape, learn: bool = True
) -> str | None:
    """Why a shape does not fit what is declared, None if it may; new names take its sizes."""
    if declared.written is None:
        return None
    if declared.named is not None and isinstance(shape, tuple):
        return wrong_rank(declared.written, shape) or _other_name(declared.named, shape)
    if not learn:
        return matching.mismatch(ev.facts, names, declared.written, shape, None)
    # A shape that does not fit says nothing of what the names mean.
    reason = matching.mismatch(ev.facts, dict(names), declared.written, shape, None)
    if reason is not None:
        return reason
    before = dict(names)
    fact = Fact(Rank.DECLARED, ev.place())
    reason = matching.mismatch(ev.facts, names, declared.written, shape, fact)
    if reason is not None:
        names.clear()
        names.update(before)
    return reason


def _forced(
    ev: Evaluator, names: Names, written: WrittenShape, shape: Shape
) -> Contradiction | None:
    """Where a returned value has another size than declared.

    A caller may happen to give that very number; that does not count.
    """
    dims, has_rank = known_dims(shape), isinstance(shape, tuple)
    if has_rank and len(dims) < len(written.dims) - 1:
        return None
    reason = matching.forced(ev.facts, names, written, shape)
    if reason is not None:
        return Contradiction(reason)
    return _configured_batch(ev, names, written, dims) if has_rank else None


def _configured_batch(
    ev: Evaluator, names: Names, written: WrittenShape, dims: Dims
) -> Contradiction | None:
    """Where a configured size is returned for a leading dim."""
    variadic = next((index for index, dim in enumerate(written.dims) if dim.many), None)
    name = None if variadic is None else many_name(written.dims[variadic])
    if variadic is None or name is None:
        return None
    for index in range(variadic, len(dims) - (len(written.dims) - variadic - 1)):
        declared_size = ev.facts.representative(names.get(f"*{name}[{index - variadic}]", UNKNOWN))
        size = ev.facts.representative(dims[index].size)
        atoms = sizes.symbols(size)
        configured = atoms and all(atom.origin is sizes.Origin.CONFIG for atom in atoms)
        if sizes.plain_symbol(declared_size) is not None and (configured or isinstance(size, int)):
            return Contradiction(f"dim {index} is {size}, not {declared_size}")
    return None


def _other_name(names: tuple[str | None, ...], shape: Dims) -> str | None:
    for index, (name, dim) in enumerate(zip(names, shape, strict=True)):
        if name is not None and isinstance(dim.name, str) and dim.name != name:
            return f"dim {index} is '{dim.name}', not '{name}'"
    return None


# Assignments and returns


def check_annotated(ev: Evaluator, node: ir.AnnotatedAssign, value: Value) -> Value:
    """A value that is assigned to an annotated variable."""
    return value if node.value is None else _check_value(ev, node.annotation, value, node.value)


def check_returned(ev: Evaluator, node: ir.Return, value: Value) -> Value:
    """A value that is returned by an annotated function."""
    function = ev.frame.function
    if node.value is None or function is None or not isinstance(function.record, ir.FunctionDef):
        return value
    if ev.frame.written.misfit or function.mapped:
        return value  # the names of the signature may not be those of this call
    returns = function.record.returns
    return value if returns is None else _check_value(ev, returns, value, node.value, True)


def contradicts(ev: Evaluator, declared: Declared, value: Value) -> bool:
    """Whether a value that is about to be returned does not fit what is declared (NC401)."""
    known = ev.resolve(value)
    if declared.written is None or not isinstance(known, Tensor) or known.shape is UNKNOWN:
        return False
    names = ev.frame.written.names
    return _compared(ev, declared, declared.written, known, names, True)[0] is not None


def _check_value(
    ev: Evaluator,
    annotation: ir.Expression,
    value: Value,
    node: ir.Node,
    returned: bool = False,
) -> Value:
    """A value as its annotation allows it (NC401), with what the annotation adds to it."""
    declaration = read(ev, annotation)
    if declaration is None:
        return value
    # A name that stands only in the annotation of the result has one size at each `return`.
    names = dict(ev.frame.written.names) if returned else ev.frame.written.names
    return check_declared(ev, declaration, value, node, names, returned)


def check_declared(
    ev: Evaluator,
    declaration: Declaration,
    value: Value,
    node: ir.Node,
    names: Names,
    returned: bool = False,
    note: Note | None = None,
) -> Value:
    """A value as a declaration allows it (NC401), with what that adds to it."""
    known = ev.resolve(value)
    match declaration, known:
        case Several(parts), Tuple(elements=elements) if len(parts) == len(elements):
            nodes = _elements(node, len(parts))
            return Tuple(
                [
                    element
                    if part is None
                    else check_declared(ev, part, element, part_node or node, names, returned, note)
                    for part, element, part_node in zip(parts, elements, nodes, strict=True)
                ],
                known.fields,
            )
        case ((Several() | Each()), Anything(maybe=None)):
            if not returned:
                return declared_value(ev, names, declaration)
            if not is_believed(ev):
                return value
            return as_claim(ev, declaration, declared_value(ev, names, declaration))
        case Each(element), Tuple(elements=elements):
            nodes = _elements(node, len(elements))
            return Tuple(
                check_declared(ev, element, item, part_node or node, names, returned, note)
                for item, part_node in zip(elements, nodes, strict=True)
            )
        case Each(element), List():
            contents = ev.cells.get(known)
            if isinstance(contents, tuple):
                for item in contents:
                    check_declared(ev, element, item, node, names, returned, note)
            return value
        case Declared(), (Anything() | Tensor(shape=Unknown.UNKNOWN)):
            if not returned:
                return _unknown_value(ev, names, declaration, known, value)
            if not is_believed(ev):
                return value
            result = _unknown_value(ev, names, declaration, known, value)
            return value if result is value else as_claim(ev, declaration, result)
        case OneOf(options), Tensor():
            reason, chosen = _fits_none(ev, names, options, ev.current(known.shape))
            if chosen is None or reason is None:
                return value
            level = _level_of(ev, names, chosen, ev.current(known.shape))
            return _concluded(ev, chosen, known, names, node, (reason, level), returned, note)
        case Declared(), Tensor():
            if declaration.written is None:
                return value
            verdict = _compared(ev, declaration, declaration.written, known, names, returned)
            return _concluded(ev, declaration, known, names, node, verdict, returned, note)
    return value


def _unknown_value(
    ev: Evaluator, names: Names, declared: Declared, known: Value, value: Value
) -> Value:
    """A value about which nothing is known, with what its annotation declares."""
    if declared.written is None:
        return value
    if isinstance(known, Anything) and (declared.optional or known.maybe is not None):
        return value  # what may be None may still be None
    return declared_value(ev, names, declared._replace(optional=False))


def _compared(
    ev: Evaluator,
    declared: Declared,
    written: WrittenShape,
    tensor: Tensor,
    names: Names,
    returned: bool,
) -> tuple[str | None, str]:
    """Why a tensor does not fit what is declared, None if it may, and the level of saying so."""
    # The value of one `return` does not bind the names of the signature.
    bound = dict(names) if returned else names
    shape = ev.current(tensor.shape)
    used: Contradiction | None = None
    if not ev.frame.depth:
        # What the function itself calls a size says which dim is meant by the name. What a comment
        # calls it does not, unless it is all that is known of the value: then the finding cites it.
        labels = ev.frame.written.labels
        if tensor.claimed is None or tensor.claimed.firm:
            ev.frame.written.labels = {}
        used = contradiction(ev, written, shape, labels_only=True)
        ev.frame.written.labels = labels
        if used is None and returned:
            used = _forced(ev, bound, written, shape)
    if used is None:
        reason = mismatch(ev, bound, declared, shape)
    else:
        reason = mismatch(ev, dict(bound), declared, shape, learn=False)
        if reason is None:
            return used.reason, "warning"
    return reason, "error" if reason is None else _level_of(ev, bound, declared, shape)


def _level_of(ev: Evaluator, names: Names, declared: Declared, shape: Shape) -> str:
    """The level at which to say that a shape does not fit what is written.

    It is a warning if it would fit if names of one signature could be of one size.
    """
    if declared.written is None:
        return "error"
    lenient = ev.facts.copy()
    lenient.withdraw_all()
    reason = matching.mismatch(lenient, dict(names), declared.written, shape, None)
    return "warning" if reason is None else "error"


def _concluded(
    ev: Evaluator,
    declared: Declared,
    tensor: Tensor,
    names: Names,
    node: ir.Node,
    verdict: tuple[str | None, str],
    returned: bool,
    note: Note | None,
) -> Value:
    """A tensor with what its annotation adds; one that does not fit is blamed, and unknown."""
    reason, level = verdict
    shape = ev.current(tensor.shape)
    code = (node.id, AnnotationMismatch.code)
    ev.frame.look(code)
    if reason is None:
        filled = _filled(ev, tensor, shape, declared, names)
        return completed(ev, declared, tensor, filled) if returned else filled
    if returned and calls_overridden(ev):
        return tensor
    if level == "error" and tensor.rank_claimed and isinstance(shape, tuple):
        # A comment may leave dims out.
        if mismatch(ev, dict(names), declared, trailing(shape), learn=False) is None:
            instead = declared_value(ev, names, declared._replace(optional=False))
            return as_claim(ev, declared, instead) if returned else instead
    what = "returned value" if returned else "value"
    root = None
    if returned and note is None:
        root = root_of(ev, declared, False, UNKNOWN)
    ev.blame(
        AnnotationMismatch(found=shape, declared=declared.text, reason=reason, what=what),
        level,
        node,
        {"value": Argument(tensor, node)},
        question=code,
        notes=() if note is None else (note,),
        root=root,
    )
    if ev.reach.driven and are_numbers(shape):
        return tensor
    return Tensor(UNKNOWN, tensor.kind, tensor.library)


def _fill_in(ev: Evaluator, tensor: Tensor, shape: Shape, declared: Declared, names: Names) -> None:
    """Learn of an argument what the annotation of its parameter adds to it."""
    filled = _filled(ev, tensor, shape, declared, names)
    if filled is not tensor and not ev.hearsay.as_passed:
        ev.hearsay.has_lent = True
        ev.refine(tensor, filled)


def _filled(
    ev: Evaluator, tensor: Tensor, shape: Shape, declared: Declared, names: Names
) -> Tensor:
    """The value with the sizes that the annotation adds."""
    if declared.written is None or declared.named is not None:
        return tensor
    filled = matching.filled(names, declared.written, shape)
    if filled == shape:
        return tensor
    return Tensor(filled, tensor.kind, tensor.library, tensor.claimed)
