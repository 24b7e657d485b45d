"""Shape comments: `# (B, T, C)` beside a value, `# x: (B, T, C)` at a `def`.

A claim never overrides what was inferred: it is adopted where nothing is known, binds its labels to
the dims where something is, and is contradicted only when that is certain (NC402): two labels that
already name dims of this value stand swapped, the number of dims is another, or a literal is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from namecheck.analysis import ir
from namecheck.analysis.evidence.written import ending, plain_name, size_of_term
from namecheck.analysis.values import Anything, Tensor, Tuple, Value
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Shape, Size, known_dims, trailing
from namecheck_runtime.mistakes.claims import CommentMismatch
from namecheck_runtime.notation.comments import Claim, read_comment
from namecheck_runtime.notation.syntax import WrittenDim, WrittenShape
from namecheck_runtime.sizes import Fact, Rank, Relation, plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.evaluate import Evaluator
    from namecheck.analysis.path import Frame


def after(ev: Evaluator, statement: ir.Statement, value: Value | None = None) -> None:
    """What the comments of a statement that was just run say of its value."""
    found = ev.frame.source.comments.get(statement.id)
    if not found or not ev.alive:
        return
    for comment in found:
        if comment.place == "trailing" or comment.place == "above":
            for claim in read_comment(comment.text):
                if comment.place == "above" and not _gives(statement, claim.label):
                    continue
                _apply(ev, statement, comment, claim, value)


def before(ev: Evaluator, statement: ir.Statement) -> None:
    """What comments above a statement say of variables that are there already."""
    found = ev.frame.source.comments.get(statement.id)
    if not found:
        return
    for comment in found:
        if comment.place == "above":
            for claim in read_comment(comment.text):
                if (
                    claim.label in ev.frame.variables
                    and not _gives(statement, claim.label)
                    and _leads(comment.text, claim)
                ):
                    _apply(ev, statement, comment, claim, None)


def _gives(statement: ir.Statement, label: str | None) -> bool:
    """Whether what a comment above says of a variable is said of its value after the statement.

    Of `x = f(x)` it is said of what goes in.
    """
    if label is None or label not in _targets(statement):
        return False
    match statement:
        case ir.Assign(_, value):
            return not any(isinstance(r, ir.Name) and r.name == label for r in ir.walk(value))
    return False


def _leads(text: str, claim: Claim) -> bool:
    """Whether a comment begins with what its claim speaks of: a word further on in a sentence is
    no variable, even if one is called so.
    """
    return claim.confidence == "whole" or text.lstrip("#: `*").startswith(claim.label or "")


def of_parameters(ev: Evaluator, frame: Frame, record: ir.FunctionDef) -> None:
    """What the comments of a `def` say of its parameters: `# x: (B, T)`, or one beside each."""
    names = {parameter.name for parameter in record.parameters}
    by_id = {parameter.id: parameter.name for parameter in record.parameters}
    for comment in frame.source.comments.get(record.id, ()):
        claims = read_comment(comment.text)
        beside = by_id.get(comment.target) if comment.target is not None else None
        for claim in claims:
            name = claim.label if claim.label in names else None
            if name is None and claim.label is None and comment.place == "inside":
                name = beside if len(claims) == 1 else None
            if name is not None and len(claim.alternatives) == 1 and not claim.before:
                value = ev.resolve(frame.variables[name])
                if isinstance(value, Tensor) and value.shape is UNKNOWN:
                    shape = adopt(ev, frame, claim.alternatives[0])
                    frame.variables[name] = Tensor(shape, value.kind, value.library, claimed=True)
                elif isinstance(value, Anything) and value.maybe is None:
                    shape = adopt(ev, frame, claim.alternatives[0])
                    if not _may_be_none(record, name):
                        ev.give_shape(value, shape, claimed=True)
                    else:
                        value.maybe = Tensor(shape, "unknown", ev.tensor_class, True)


def _may_be_none(record: ir.FunctionDef, name: str) -> bool:
    return any(
        parameter.name == name and isinstance(parameter.default, ir.NoneLiteral)
        for parameter in record.parameters
    )


def _apply(
    ev: Evaluator, statement: ir.Statement, comment: ir.Comment, claim: Claim, value: Value | None
) -> None:
    # Of what stands in prose only a shape at the beginning of its line is taken at its word.
    if not claim.alternatives or (claim.confidence == "prose" and claim.start > 2):
        return
    targets = _targets(statement)
    labelled = claim.label
    if labelled is not None and labelled in ev.frame.variables:
        if labelled not in targets and not _leads(comment.text, claim):
            return
        if claim.before and labelled not in targets:
            claim = claim._replace(alternatives=claim.before[:1], before=())
        labelled_value = ev.frame.variables[labelled]
        # A comment above may speak of what a block comes to: it is taken where nothing is known.
        if comment.place != "above" or _is_bare(ev, labelled_value):
            above = comment.place == "above"
            _meet(ev, statement, claim, labelled_value, labelled, above=above)
        return
    if comment.place == "above" or labelled is not None:
        return  # whose value it speaks of is not certain
    if value is not None:
        _meet(ev, statement, claim, value, None)
        return
    if isinstance(statement, ir.Assign) and _is_of_shape(statement.value):
        return  # what is assigned are sizes
    values = [ev.frame.variables.get(target) for target in targets]
    alike = len(values) < 2 or _all_alike(ev, values)
    for target, current in zip(targets, values, strict=True):
        if current is not None:
            _meet(ev, statement, claim, current, target, check=alike)


def _is_of_shape(value: ir.Expression) -> bool:
    """`x.shape`, `x.size()`, or a part of one."""
    while isinstance(value, ir.Subscript):
        value = value.value
    if isinstance(value, ir.Call):
        value = value.function
    return isinstance(value, ir.Attribute) and value.name in ("shape", "size")


def _speaks_of_tensor(claim: Claim, above: bool) -> bool:
    """Whether nothing but a shape is written beside a value, and the shape of a tensor for sure.

    `(H, W)` may be the value itself, a pair of sizes.
    """
    dims = claim.alternatives[0].dims
    if above or claim.confidence != "whole" or claim.before or len(dims) < 2:
        return False
    first = plain_name(dims[0])
    return len(dims) > 2 or (first is not None and first.lower() in _BATCH)


_BATCH = frozenset({"b", "n", "bs", "bsz", "batch", "batch_size"})


def _is_bare(ev: Evaluator, value: Value) -> bool:
    """Whether nothing is known of a value's shape."""
    value = ev.resolve(value)
    return isinstance(value, Anything) or (isinstance(value, Tensor) and value.shape is UNKNOWN)


def _all_alike(ev: Evaluator, values: list[Value | None]) -> bool:
    """Whether several targets are tensors of one shape, so that one claim speaks of each."""
    shapes = {
        ev.current(found.shape)
        for value in values
        if value is not None and isinstance(found := ev.resolve(value), Tensor)
    }
    return len(shapes) == 1 and None not in values


def _targets(statement: ir.Statement) -> list[str]:
    """The variables that a statement assigns."""
    from namecheck.analysis.expressions import target_names

    match statement:
        case ir.Assign(targets):
            return [name for target in targets for name in target_names(target)]
        case ir.AnnotatedAssign(target) | ir.AugmentedAssign(target):
            return target_names(target)
    return []


def _meet(
    ev: Evaluator,
    statement: ir.Statement,
    claim: Claim,
    value: Value,
    name: str | None,
    check: bool = True,
    above: bool = False,
) -> None:
    """Bring a claim and a value together: adopt, bind, or contradict."""
    value = ev.resolve(value)
    if isinstance(value, Tuple) or not isinstance(value, Tensor | Anything):
        return
    if len(claim.alternatives) != 1:
        return
    written = claim.alternatives[0]
    shape = ev.current(value.shape) if isinstance(value, Tensor) else UNKNOWN
    if not isinstance(shape, tuple):
        # Only what is a tensor for certain, or stands alone on its line, is taken at its word.
        said = claim.label is not None and claim.label == name
        if isinstance(value, Tensor) or said or _speaks_of_tensor(claim, above):
            adopted = adopt(ev, ev.frame, written, generic=not above)
            if len(known_dims(adopted)) >= len(known_dims(shape)):
                ev.give_shape(value, _merged(adopted, shape), claimed=True)
        return
    reason = _contradiction(ev, written, shape)
    node = _node(statement)
    question = (node.id, name, claim.start)
    ev.frame.look(question)
    if reason is not None:
        # Where one comment says another number of dims than the next, neither is more than a hint.
        hinted = isinstance(value, Tensor) and value.claimed and len(written.dims) != len(shape)
        if check and not hinted:
            claimed = "(" + ", ".join(_text(dim) for dim in written.dims) + ")"
            ev.blame(
                CommentMismatch(found=shape, claimed=claimed, reason=reason),
                "warning",
                node,
                {},
                question=question,
            )
        # Which of the two is right is not known, and what follows from either is not said again.
        if isinstance(value, Tensor):
            ev.refine(value, Tensor(UNKNOWN, value.kind, value.library))
        return
    _bind(ev, value, written, shape)


def _moved(ev: Evaluator, dims: tuple[WrittenDim, ...], shape: Dims) -> int:
    """How many labels would name another size than they did."""
    count = 0
    for back in range(1, len(dims) + 1):
        name = plain_name(dims[-back])
        known = ev.frame.labels.get(folded(name)) if name is not None else None
        size = shape[-back].size
        if known is not None and size is not UNKNOWN:
            count += ev.facts.relate(known, size) is not Relation.YES
    return count


def _text(dim: WrittenDim) -> str:
    from namecheck_runtime.notation.syntax import render_term

    if dim.term is None:
        return "..." if dim.many else "_"
    return ("*" if dim.many else "") + render_term(dim.term)


def _node(statement: ir.Statement) -> ir.Expression:
    match statement:
        case ir.Assign(targets):
            return targets[0]
        case ir.AnnotatedAssign(target) | ir.AugmentedAssign(target):
            return target
        case ir.Return(value) if value is not None:
            return value
    return statement  # type: ignore[return-value]


def _merged(adopted: Shape, shape: Shape) -> Shape:
    """The adopted shape, with what was known of the last dims."""
    dims, have = list(known_dims(adopted)), known_dims(shape)
    for back in range(1, len(have) + 1):
        if have[-back].size is not UNKNOWN:
            dims[-back] = have[-back]
    return tuple(dims) if isinstance(adopted, tuple) else trailing(tuple(dims))


def adopt(ev: Evaluator, frame: Frame, written: WrittenShape, generic: bool = True) -> Shape:
    """The shape that a claim says, with a symbol for every label that is new.

    `generic` says that the claim is plain enough for its labels to be taken for different sizes.
    """
    dims, whole = ending(written)
    made = tuple(
        Dim(UNKNOWN, size_of_term(dim.term, lambda name: label_size(ev, frame, name)))
        for dim in dims
    )
    if generic:
        _generic(ev, [dim.size for dim, w in zip(made, dims, strict=True) if plain_name(w)])
    return made if whole else trailing(made)


def _generic(ev: Evaluator, claimed: Iterable[Size]) -> None:
    """The labels of one comment are presumed to be different sizes.

    What a label's size is made of (`d` may be `D/h`) belongs to them only if it has a label itself.
    """
    found = [ev.facts.representative(size) for size in claimed]
    labels = [ev.facts.representative(size) for size in ev.frame.labels.values()]
    plain = {plain_symbol(size) for size in (*found, *labels)}
    symbols = {s for size in found for s in sizes.symbols(size) if s in plain}
    made = {size for size in found if size is not UNKNOWN and plain_symbol(size) is None}
    ev.facts.presume_distinct(
        [*(sizes.of_symbol(s) for s in symbols), *made], Fact(Rank.PRESUMED, ev.place())
    )


def folded(label: str) -> str:
    """A label as it is compared: without case, if it is a word; `n` and `N` are two letters."""
    return label if len(label) == 1 else label.lower()


def label_size(ev: Evaluator, frame: Frame, name: str) -> Size:
    """What a label stands for in this function; a new one becomes a symbol."""
    from namecheck.analysis.conversion import as_size

    found = frame.labels.get(folded(name))
    if found is not None:
        return found
    variable = frame.variables.get(name)
    if variable is not None:
        size = as_size(ev, variable)
        if size is not UNKNOWN:
            return size
    if "." in name or "[" in name:
        return UNKNOWN
    made = frame.labels[folded(name)] = sizes.symbol(name)
    return made


def _configured(left: Size, right: Size) -> bool:
    """Whether two sizes are those that something is built with."""
    atoms = sizes.symbols(left) | sizes.symbols(right)
    return bool(atoms) and all(atom.origin is sizes.Origin.CONFIG for atom in atoms)


def _bind(ev: Evaluator, value: Tensor | Anything, written: WrittenShape, shape: Dims) -> None:
    """Let the labels name the dims from here on, and fill in sizes that were not known."""
    dims, whole = ending(written)
    if (whole and len(dims) != len(shape)) or len(dims) > len(shape):
        return
    made = list(shape)
    frame = ev.frame
    claimed: list[Size] = []
    said: dict[str, Size] = {}
    if _moved(ev, dims, shape) > 1:
        return  # a claim that renames nearly everything is about something else
    for back in range(1, len(dims) + 1):
        name = plain_name(dims[-back])
        size = shape[-back].size
        if size is UNKNOWN:
            size = size_of_term(dims[-back].term, lambda n: label_size(ev, frame, n))
            made[-back] = Dim(shape[-back].name, size, shape[-back].trace)
        elif name is not None:
            before = said.get(name)
            if before is not None and not _configured(before, size):
                # `(r, r)` says that it is square; `(w, w)` of two widths of a window does not.
                ev.learn_equal(before, size, Rank.PRESUMED, ev.place())
            frame.labels[folded(name)] = said[name] = size
        if name is not None and size is not UNKNOWN:
            claimed.append(size)
    _generic(ev, claimed)
    if tuple(made) != shape:
        ev.give_shape(value, tuple(made))


# Contradictions


def _contradiction(ev: Evaluator, written: WrittenShape, shape: Dims) -> str | None:
    """Why a claim cannot be true of a shape; None when it may be."""
    if any(dim.many or dim.term is None for dim in written.dims):
        return None
    named = _named_dims(ev, written, shape)
    if len(written.dims) != len(shape):
        return _other_rank(written, shape, named)
    swapped = _swapped(ev, written, shape, named)
    if swapped is not None:
        return swapped
    for index, (dim, found) in enumerate(zip(written.dims, shape, strict=True)):
        if isinstance(dim.term, int) and isinstance(found.size, int) and dim.term > 1:
            if found.size != dim.term and named:
                return f"dim {index} is {found.size}"
    return _misplaced(ev, written, shape)


def _misplaced(ev: Evaluator, written: WrittenShape, shape: Dims) -> str | None:
    """A number above 1, or arithmetic of labels that are bound, that is the size of another dim."""
    wanted = [
        UNKNOWN
        if isinstance(dim.term, str)
        else size_of_term(dim.term, lambda name: ev.frame.labels.get(folded(name), UNKNOWN))
        for dim in written.dims
    ]
    held = [
        size is not UNKNOWN and ev.facts.relate(size, dim.size) is Relation.YES
        for size, dim in zip(wanted, shape, strict=True)
    ]
    for index, size in enumerate(wanted):
        if size is UNKNOWN or size == 1 or held[index] or shape[index].size is UNKNOWN:
            continue
        for place, dim in enumerate(shape):
            if not held[place] and ev.facts.relate(size, dim.size) is Relation.YES:
                return f"dim {index} is {shape[index].size}, and {size} is dim {place}"
    return None


def _named_dims(ev: Evaluator, written: WrittenShape, shape: Dims) -> dict[str, int]:
    """Which dim of the value each label already names, for labels that name exactly one."""
    found: dict[str, int] = {}
    for dim in written.dims:
        name = plain_name(dim)
        if name is None:
            continue
        places = [k for k, d in enumerate(shape) if _names(ev, name, d.size)]
        if len(places) == 1:
            found[name] = places[0]
    return found


def _names(ev: Evaluator, label: str, size: Size) -> bool:
    if size is UNKNOWN or size == 1:
        return False
    known = ev.frame.labels.get(folded(label))
    if known is not None:
        return ev.facts.relate(known, size) is Relation.YES
    atom = plain_symbol(size)
    if atom is None:
        return False
    # `h` is what people write for `self.heads`.
    word = atom.label.rpartition(".")[2]
    return label in (atom.label, word) or (
        len(label) == 1 and atom.origin is sizes.Origin.CONFIG and word.startswith(label)
    )


def _swapped(
    ev: Evaluator, written: WrittenShape, shape: Dims, named: dict[str, int]
) -> str | None:
    for index, dim in enumerate(written.dims):
        name = plain_name(dim)
        place = named.get(name) if name is not None else None
        if place is None or place == index:
            continue
        other = plain_name(written.dims[place])
        if other is not None and named.get(other) == index:
            if ev.facts.relate(shape[index].size, shape[place].size) is not Relation.YES:
                return f"'{name}' is dim {place}, '{other}' is dim {index}"
    return None


def _other_rank(written: WrittenShape, shape: Dims, named: dict[str, int]) -> str | None:
    """Another number of dims, 1s aside; only where the claim is clearly about this value."""
    claimed = sum(dim.term != 1 for dim in written.dims)
    least = sum(dim.size != 1 and dim.size is not UNKNOWN for dim in shape)
    if least <= claimed <= len(shape) or len(named) < 2:
        return None
    return f"it has {len(shape)} dims, the comment {len(written.dims)}"
