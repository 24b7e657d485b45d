"""What a claim does to a value: it is adopted, it names dims, or it is reported.

It is adopted where nothing is known about the value. Where something is, its labels name the dims,
unless it cannot be true: then it is NC402.

A claim overrides nothing inferred. Which value it is about, `comments` and `docstrings` decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from namecheck.analysis.asking.options_called import may_hold_for_some
from namecheck.analysis.evidence.computed_values import denied, is_certain, refused
from namecheck.analysis.evidence.contradictions import (
    Contradiction,
    against_pattern,
    contradiction,
    is_moot,
    may_be_told,
    written_text,
)
from namecheck.analysis.evidence.labels import (
    declared_name,
    is_declared_itself,
    labelled,
    of_any_round,
    said_by,
)
from namecheck.analysis.evidence.shape_or_list import is_known, is_used, leaves_dims_out
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.any_rank import variables_of_any_rank
from namecheck.analysis.state import reasons
from namecheck.analysis.state.conversion import as_size
from namecheck.analysis.state.independence import BATCH
from namecheck.analysis.state.values import (
    Anything,
    Claimed,
    Library,
    Number,
    Tensor,
    Tuple,
    Value,
)
from namecheck.analysis.usage.documented_labels import means_another
from namecheck.frameworks import LABELLED
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Shape, Size, known_dims, trailing
from namecheck_runtime.mistakes.claims import CommentMismatch
from namecheck_runtime.notation.syntax import WrittenDim, WrittenShape
from namecheck_runtime.notation.written import ending, plain_name, size_of_term
from namecheck_runtime.sizes import Fact, Rank, plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Frame


class ShapeClaim(NamedTuple):
    """A shape that a comment or docstring says that a value has."""

    written: WrittenShape
    source: str
    """comment or docstring"""
    line: int
    start: int
    plain: bool = True
    """Whether its labels may be assumed to be different sizes."""
    believed: bool = True
    """Whether it is adopted where nothing is known."""
    letters: tuple[str | None, ...] = ()
    """The names of its dims in the pattern that it was made with."""
    parameter: ir.Parameter | None = None
    """The parameter that it is about, if it says what comes into the function."""
    open: bool = False
    """Whether the value is computed for any number of dims in front: `x[..., 0]`."""
    shared: bool = False
    """Whether several targets share it."""
    spread: bool = False
    """Whether the value is computed from one that has a dim of size 1 on some path, so that
    `# (batch, length)` may mean a batch of 1, which broadcasts.
    """
    evident: bool = True
    """Whether its words alone show that it is a shape."""
    behind: bool = False
    """Whether it is all that the comment at the end of a statement says."""
    declares: bool = False
    """Whether it is about a parameter: such claims of one function use its labels as one."""


def meet(
    ev: Evaluator,
    claim: ShapeClaim,
    value: Value,
    name: str | None,
    node: ir.Node,
    check: bool = True,
) -> None:
    """Compare a claim with a value: adopt it, let it name dims, or report it (NC402).

    `name` is the variable that holds the value, `node` the place of a report. Nothing is reported
    if `check` is False.
    """
    value = ev.resolve(value)
    if isinstance(value, Tuple) or not isinstance(value, (Tensor, Anything)):
        return
    ev.hearsay.has_come = True
    if value in ev.ranks.doubted:
        claim = claim._replace(believed=False, behind=False)
    shape = ev.current(value.shape) if isinstance(value, Tensor) else UNKNOWN
    question = (node.id, name, claim.line, claim.start)
    reported = ev.frame.wrong.get((node.id, CommentMismatch.code))
    conflict = _conflict(ev, claim, value, shape)
    if conflict is None and not isinstance(shape, tuple):
        if _is_refused(ev, claim, value, node if check else None, question):
            return
    if conflict is not None and conflict.alias and is_declared_itself(ev, value):
        conflict = None
    if conflict is not None or reported is not None or not is_moot(ev, claim.written, shape):
        ev.frame.look(question)
    if reported is not None and reported[1] == question and not ev.frame.ways.again:
        # It was wrong in an earlier round of a loop: labels bound since then do not make it right.
        ev.frame.blame((node.id, CommentMismatch.code), question, reported[2])
        if isinstance(value, Tensor):
            _forget(ev, value)
        return
    listed = conflict is not None and not (claim.evident or conflict.shown)
    if listed and not is_known(ev, claim.written, shape):
        return  # it may list something else
    if conflict is not None:
        # If two comments disagree about the rank of one value, neither is more than a hint. If one
        # stands right below the other, each may be about another part of the statement.
        hinted = (conflict.rank or _is_below(ev, claim, value)) and _is_adopted(ev, value)
        sure = claim.believed or claim.behind or not conflict.rank
        if check and not hinted and sure and may_be_told(ev, claim.written, shape):
            _blame(ev, claim, shape, conflict, node, question)
        _doubt(ev, value, shape)
        return
    if name is not None and claim.source == "comment" and claim.plain and not claim.shared:
        ev.frame.written.stated[name] = claim
    if isinstance(shape, tuple):
        _bind(ev, value, claim, shape, node)
    elif (
        claim.believed
        and not _is_of_any_rank(ev.frame, name)
        and not may_hold_for_some(ev, value, len(claim.written.dims))
        and (claim.evident or is_used(ev, claim.written, shape))
    ):
        _believe(ev, claim, value, shape, name, node)


def _conflict(ev: Evaluator, claim: ShapeClaim, value: Value, shape: Shape) -> Contradiction | None:
    """Why a claim cannot be true of a value by what is known of its shape, or by its pattern."""
    conflict = against_pattern(claim.written, claim.letters) if claim.letters else None
    if conflict is None and shape is not UNKNOWN:
        conflict = contradiction(ev, claim.written, shape)
        if conflict is None and isinstance(value, Tensor) and _is_beside(claim):
            conflict = denied(ev, claim.written, value, shape, claim.behind)
    return conflict


def _is_refused(
    ev: Evaluator, claim: ShapeClaim, value: Value, node: ir.Node | None, question: object
) -> bool:
    """Whether no operands could make a claim true: it is not adopted.

    It is reported at the node, if there is one, and it is certainly about this value.
    """
    refusal = refused(ev, claim.written, value)
    if refusal is None:
        return False
    ev.frame.look(question)
    evident = claim.evident or bool(refusal.labels)
    if node is not None and claim.behind and evident and not ev.frame.depth:
        if _is_beside(claim) and (not refusal.rank or is_certain(ev, claim.written, value)):
            _blame(ev, claim, UNKNOWN, refusal, node, question)
    return True


def _is_beside(claim: ShapeClaim) -> bool:
    """Whether a comment is certainly about this one value, as the statement computes it."""
    if claim.source != "comment" or claim.open or claim.shared:
        return False
    return claim.believed or claim.behind


def _believe(
    ev: Evaluator,
    claim: ShapeClaim,
    value: Tensor | Anything,
    shape: Shape,
    name: str | None,
    node: ir.Node,
) -> None:
    """Give a value of unknown rank the shape that is claimed of it."""
    _bind_last(ev, claim, known_dims(shape))
    adopted = adopt(ev, ev.frame, claim, known_dims(shape))
    if claim.open and isinstance(adopted, tuple) and len(adopted) == len(known_dims(shape)) + 1:
        _forget_leading(ev, adopted[0].size)
    if isinstance(adopted, tuple) and adopted and adopted[0].size in ev.frame.written.leading:
        adopted = trailing(adopted[1:])  # the label stands for any number of dims
    if claim.spread and ev.trials.calls is not None:  # shown shapes must be certain
        adopted = _without_labels(adopted)
    if name is not None:
        adopted = of_any_round(ev.frame, adopted, claim.written, name, node)
    if len(known_dims(adopted)) >= len(known_dims(shape)):
        known = ev.give_shape(value, adopted, rests_on(ev, claim, node.id, adopted))
        ev.frame.written.given.add(known)
        if name is not None:
            ev.frame.written.adopted.add(name)


def _is_of_any_rank(frame: Frame, name: str | None) -> bool:
    """Whether a function is written for any number of dims of a variable: `[0] * x.ndim`."""
    if name is None or frame.function is None:
        return False
    if frame.written.any_rank is None:
        frame.written.any_rank = variables_of_any_rank(frame.function.record)
    return name in frame.written.any_rank


def _without_labels(shape: Shape) -> Shape:
    """A shape that a comment states, without the sizes that nothing but comments says."""
    dims = tuple(
        [
            Dim(dim.name, UNKNOWN) if any(a.comments for a in sizes.symbols(dim.size)) else dim
            for dim in known_dims(shape)
        ]
    )
    return dims if isinstance(shape, tuple) else trailing(dims)


def _doubt(ev: Evaluator, value: Value, shape: Shape) -> None:
    """Forget the dims of a value that a claim contradicts, unless they are numbers of a caller.

    Either may be right, so nothing that follows from either is reported. What a call with numbers
    computes is certain.
    """
    if isinstance(value, Tensor):
        driven = ev.frame.depth > 0 and (value.claimed is None or value.claimed.firm)
        if not (driven and all(isinstance(dim.size, int) for dim in known_dims(shape))):
            _forget(ev, value)


def _forget(ev: Evaluator, value: Tensor) -> None:
    """Forget the dims of a tensor that a claim contradicts.

    If the program shows its rank, later comments on what is computed from it are as doubtful.
    """
    known = value.with_shape(UNKNOWN)
    if isinstance(value.shape, tuple) and not value.rank_claimed:
        ev.ranks.doubted.add(known)
    ev.refine(value, known)


def _is_below(ev: Evaluator, claim: ShapeClaim, value: Value) -> bool:
    """Whether a claim stands on the line below the one that a value has its shape from."""
    earlier = value.claimed if isinstance(value, Tensor) else None
    if earlier is None or earlier.source is not ev.frame.source or claim.source != "comment":
        return False
    return claim.line == earlier.line + 1


def _is_adopted(ev: Evaluator, value: Value) -> bool:
    """Whether a comment gives this very value its rank, or may do so in a function called here."""
    if not isinstance(value, Tensor) or value.claimed is None or not value.claimed.rank:
        return False
    return (
        value.claimed.shared
        or ev.frame.written.borrowed
        or any(ev.resolve(given) is value for given in ev.frame.written.given)
    )


def _forget_leading(ev: Evaluator, size: Size) -> None:
    """Let a label stand for any number of leading dims in all comments of this function.

    Values that adopted it as their first dim lose that dim.
    """
    ev.frame.written.leading.add(size)
    for value in list(ev.frame.variables.values()):
        held = ev.resolve(value)
        if isinstance(held, Tensor) and held.rank_claimed and isinstance(held.shape, tuple):
            if held.shape and held.shape[0].size == size:
                ev.give_shape(held, trailing(held.shape[1:]), held.claimed)


def _blame(
    ev: Evaluator,
    claim: ShapeClaim,
    shape: Shape,
    conflict: Contradiction,
    node: ir.Node,
    question: object,
) -> None:
    mistake = CommentMismatch(
        found=labelled(ev, shape),
        claimed=written_text(claim.written),
        reason=conflict.reason,
        said=claim.source,
        by=said_by(ev, conflict.labels, claim.line),
    )
    frame = ev.frame
    notes = []
    if claim.line and claim.line != frame.line:
        notes.append((f"the {claim.source} says {written_text(claim.written)}", claim.line))
    for label in conflict.labels:
        bound = frame.bound_at.get(label)
        place = frame.written.label_lines.get(frame.label(label))
        line = place[0] if place is not None else None if bound is None else bound[1]
        if line is not None and line != frame.line:
            notes.append((f"'{label}' names that size", line))
        elif line is None and declared_name(ev, label) is not None and frame.function is not None:
            said = f"'{label}' is declared in the annotations of {frame.function.name}"
            notes.append((said, frame.function.line))
    ev.blame(
        mistake,
        mistake.level,
        node,
        {},
        question=question,
        notes=[(text, frame.source, line) for text, line in notes],
    )


def rests_on(
    ev: Evaluator, claim: ShapeClaim, node: int, shape: Shape, rank: bool = True
) -> Claimed:
    """The claim as that which the rank of a tensor, or else only sizes of it, are known from.

    `node` is the expression or parameter that it is about, `shape` what it says of that.
    """
    said = f"the {claim.source} says {written_text(claim.written)}"
    return Claimed(rank, said, ev.frame.source, claim.line, node, shape, shared=claim.shared)


def adopt(ev: Evaluator, frame: Frame, claim: ShapeClaim, known: Dims = ()) -> Shape:
    """The shape that a claim states, with a symbol for every new label.

    The last dims are those that are `known`, but a size that nothing has named yet is the one that
    the claim says.
    """
    dims, is_whole = ending(claim.written)
    missing = len(dims) - len(known)
    stated = [*(None,) * max(missing, 0), *known[max(-missing, 0) :]]
    named = _named_in(dims, stated)
    claimed = tuple(
        [_adopted(ev, frame, claim, dim, now, named) for dim, now in zip(dims, stated, strict=True)]
    )
    if claim.plain:
        _generic(
            ev,
            frame,
            [dim.size for dim, w in zip(claimed, dims, strict=True) if plain_name(w)],
            claim.parameter,
        )
    if is_whole and not leaves_dims_out(ev, claim.written):
        return claimed
    return trailing(claimed)


def _adopted(
    ev: Evaluator,
    frame: Frame,
    claim: ShapeClaim,
    written: WrittenDim,
    known: Dim | None,
    named: Mapping[str, Size],
) -> Dim:
    if known is not None and _is_stated(known.size):
        return known
    size = size_of_term(written.term, lambda name: label_size(ev, frame, name, claim, named))
    return Dim(UNKNOWN, size)


def _is_stated(size: Size) -> bool:
    atom = plain_symbol(size)
    return size is not UNKNOWN and (atom is None or atom.label != "?")


def suppose(ev: Evaluator, frame: Frame, parameter: ir.Parameter, claim: ShapeClaim) -> bool:
    """Give an unknown parameter the shape that is claimed of it; False if something is known."""
    if ev.hearsay.left_out or _is_labelled(ev, parameter):
        return False
    ev.hearsay.has_come = True
    claim = claim._replace(parameter=parameter, declares=True)
    name = parameter.name
    if _is_of_any_rank(frame, name):
        return False
    value = ev.resolve(frame.variables[name])
    if isinstance(value, Anything) and value.maybe is not None:
        unknown = value.maybe.shape is UNKNOWN
    else:
        unknown = not isinstance(value, Tensor) or value.shape is UNKNOWN
    if not unknown or not isinstance(value, (Anything, Tensor)):
        return False
    if not claim.evident and not is_used(ev, claim.written):
        return False
    shape = adopt(ev, frame, claim)
    claimed = rests_on(ev, claim, parameter.id, shape)
    if isinstance(value, Tensor):
        known = frame.variables[name] = value.with_shape(shape, claimed)
        frame.written.given.add(known)
    elif value.maybe is not None:
        value.maybe = value.maybe.with_shape(shape, claimed)
    elif not isinstance(parameter.default, ir.NoneLiteral):
        frame.written.given.add(ev.give_shape(value, shape, claimed))
    else:
        value.maybe = Tensor(shape, "unknown", ev.tensor_class, claimed)
    return True


def _is_labelled(ev: Evaluator, parameter: ir.Parameter) -> bool:
    """Whether a parameter is an array of a library that finds dims by name, not by place."""
    if isinstance(parameter.annotation, (ir.Name, ir.Attribute)):
        declared = ev.resolve(ev.value(parameter.annotation))
        return isinstance(declared, Library) and declared.path.startswith(LABELLED)
    return False


def _generic(
    ev: Evaluator, frame: Frame, claimed: Iterable[Size], parameter: ir.Parameter | None
) -> None:
    """Presume that the labels of one comment, about `parameter`, are different sizes.

    A symbol in the size of a label (`d` may be `D/h`) counts only if a label names it.
    """
    if frame.depth:
        return  # the sizes are those of the caller
    labelled = [ev.facts.representative(size) for size in claimed]
    labels = [ev.facts.representative(size) for size in frame.written.labels.values()]
    plain = {plain_symbol(size) for size in (*labelled, *labels)}
    symbols = {s for size in labelled for s in sizes.symbols(size) if s in plain}
    products = {size for size in labelled if size is not UNKNOWN and plain_symbol(size) is None}
    ev.facts.presume_distinct(
        [*(sizes.of_symbol(s) for s in symbols), *products],
        Fact(Rank.CLAIMED, ev.place(parameter)),
    )


def label_size(
    ev: Evaluator, frame: Frame, name: str, claim: ShapeClaim, named_here: Mapping[str, Size]
) -> Size:
    """The size that a label names in this function; a new label becomes a symbol.

    `named_here` are the sizes of the claim's own labels where the value shows them.

    People give a label to other sizes as a program goes on. So a label that was given to a size
    that the program has, or that an op has taught, does not mean that size again, unless a variable
    of the label's name is the size.
    """
    if name in named_here:
        return named_here[name]
    named = frame.written.labels.get(frame.label(name))
    for word in frame.source.file.terms.spellings(name):
        variable = frame.variables.get(word)
        if variable is not None:
            size = as_size(ev, variable)
            if size is UNKNOWN or _was_learned(ev, variable) or means_another(frame, name):
                continue
            if named is None or ev.facts.known_equal(named, size):
                return size
    if named is not None and (_is_still_open(ev, frame, name, named, claim) or claim.declares):
        return named
    if "." in name or "[" in name:
        return UNKNOWN
    if named is None and name.lower() in BATCH:
        # `B` means the variable `batch_size`, if that is the only one for a batch.
        batches = {
            as_size(ev, variable)
            for word, variable in frame.variables.items()
            if word.lower() in BATCH and isinstance(variable, Number)
        }
        if len(batches) == 1:
            return batches.pop()
    # The caller of a function gives its labels their sizes.
    origin = sizes.Origin.FRESH if frame.depth else sizes.Origin.DATA
    symbol = frame.written.labels[frame.label(name)] = sizes.symbol(name, origin)
    for atom in sizes.symbols(symbol):
        atom.comments = 1
    reasons.named(ev, symbol, line=claim.line)
    frame.written.label_lines[frame.label(name)] = claim.line, claim.source
    return symbol


def _was_learned(ev: Evaluator, variable: Value) -> bool:
    """Whether an op has taught that a size read from data is another one, such as a layer's 64.

    Comments go on to call other sizes by its name.
    """
    size = variable.size if isinstance(variable, Number) else UNKNOWN
    atom = plain_symbol(size)
    if atom is None or atom.origin is sizes.Origin.CONFIG:
        return False
    now = plain_symbol(ev.facts.representative(size))
    return now is None or now.origin is sizes.Origin.CONFIG


def _is_still_open(ev: Evaluator, frame: Frame, name: str, named: Size, claim: ShapeClaim) -> bool:
    """Whether the size that a label names is known from comments alone.

    Another comment may then mean the same size, and what an op requires of one of the two values
    says nothing of the other.
    """
    atom = plain_symbol(ev.facts.representative(named))
    if atom is None or not atom.comments:
        return False
    place = frame.written.label_lines.get(frame.label(name))
    if place is not None and place[0] != claim.line:
        atom.comments += 1
    return True


def _bind(
    ev: Evaluator, value: Tensor | Anything, claim: ShapeClaim, shape: Dims, node: ir.Node
) -> None:
    """Let the labels name the dims from here on, and fill in sizes that were not known."""
    dims, is_whole = ending(claim.written)
    if (is_whole and len(dims) != len(shape)) or len(dims) > len(shape):
        return
    bound_dims = list(shape)
    frame = ev.frame
    claimed: list[Size] = []
    bound: dict[str, Size] = {}
    if _moved(ev, dims, shape) > 1:
        return  # a claim that renames nearly everything is about something else
    named = _named_in(dims, shape[len(shape) - len(dims) :])
    for back in range(1, len(dims) + 1):
        name = plain_name(dims[-back])
        size = shape[-back].size
        if size is UNKNOWN:
            if not claim.believed or ev.trials.calls is not None:  # shown shapes must be certain
                continue
            size = size_of_term(dims[-back].term, lambda n: label_size(ev, frame, n, claim, named))
            bound_dims[-back] = Dim(shape[-back].name, size, shape[-back].trace)
        elif name is not None:
            before = bound.get(name)
            if before is not None and ev.trials.calls is None and not _configured(before, size):
                # `(r, r)` says that it is square; `(w, w)` of two widths of a window does not.
                ev.learn_equal(before, size, Rank.PRESUMED, ev.place())
            bound[name] = size
            if not _is_declared(ev, name, size):
                if frame.written.labels.get(frame.label(name)) != size:
                    frame.written.label_lines[frame.label(name)] = claim.line, claim.source
                frame.written.labels[frame.label(name)] = size
        if name is not None and size is not UNKNOWN:
            claimed.append(size)
    _generic(ev, frame, claimed, claim.parameter)
    if tuple(bound_dims) != shape:
        stated = tuple(bound_dims)
        ev.give_shape(value, stated, rests_on(ev, claim, node.id, stated, rank=False))


def _named_in(dims: Sequence[WrittenDim], shape: Sequence[Dim | None]) -> dict[str, Size]:
    """The sizes that the labels of one claim have in a shape: a label used twice is one size."""
    return {
        name: dim.size
        for written, dim in zip(dims, shape, strict=True)
        if dim is not None and _is_stated(dim.size) and (name := plain_name(written)) is not None
    }


def _bind_last(ev: Evaluator, claim: ShapeClaim, known: Dims) -> None:
    """Let new labels name the last dims of a tensor of unknown rank."""
    dims, is_whole = ending(claim.written)
    frame = ev.frame
    if is_whole and len(dims) < len(known):
        return
    for back in range(1, min(len(dims), len(known)) + 1):
        name, size = plain_name(dims[-back]), known[-back].size
        if name is None or size is UNKNOWN or frame.label(name) in frame.written.labels:
            continue
        if name not in frame.variables and not _is_declared(ev, name, size):
            frame.written.labels[frame.label(name)] = size
            frame.written.label_lines[frame.label(name)] = claim.line, claim.source


def _is_declared(ev: Evaluator, name: str, size: Size) -> bool:
    """Whether the annotations of the function say that a name is another size than this one."""
    declared = declared_name(ev, name)
    return declared is not None and not ev.facts.known_equal(declared, size)


def _configured(left: Size, right: Size) -> bool:
    """Whether all symbols in two sizes are configured."""
    atoms = sizes.symbols(left) | sizes.symbols(right)
    return bool(atoms) and all(atom.origin is sizes.Origin.CONFIG for atom in atoms)


def _moved(ev: Evaluator, dims: tuple[WrittenDim, ...], shape: Dims) -> int:
    """The number of labels that would name another size than before."""
    count = 0
    for back in range(1, len(dims) + 1):
        name = plain_name(dims[-back])
        named = ev.frame.written.labels.get(ev.frame.label(name)) if name is not None else None
        size = shape[-back].size
        if named is not None and size is not UNKNOWN:
            count += not ev.facts.known_equal(named, size)
    return count
