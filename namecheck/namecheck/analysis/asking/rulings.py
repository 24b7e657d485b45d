"""The rulebook's ruling on a call: its rule is asked, and its duties are settled.

Duties are settled with what the path knows; mistakes and doubts are blamed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.asking import guesses, presumed_batches, stated_squares
from namecheck.analysis.asking.refuted_claims import doubt_claim
from namecheck.analysis.asking.results import claimed_of
from namecheck.analysis.reading import ir
from namecheck.analysis.state import hindsight
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.independence import is_batch
from namecheck.analysis.state.values import Tensor
from namecheck.analysis.usage import masks, roles
from namecheck.analysis.usage.crossings import crossing
from namecheck.analysis.usage.different_sizes import are_names_of_one
from namecheck.analysis.usage.exclusive_calls import has_other_form
from namecheck.analysis.usage.forced_sizes import may_be_forced, treated_as_larger
from namecheck.analysis.usage.links import (
    fits_otherwise,
    has_twin,
    joins_turned,
    meant,
    symmetric,
    takes_own_transpose,
)
from namecheck.frameworks import jax, numpy, torch
from namecheck_runtime import declare, layers, sizes
from namecheck_runtime.algebra import Duty
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Size, known_dims
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.mistakes.broadcasts import (
    ExpandSize,
    ExplicitBroadcast,
    MisalignedBroadcast,
    SizeMismatch,
)
from namecheck_runtime.mistakes.dims import DimOutOfRange, IndexClamped, IndexOutOfRange
from namecheck_runtime.mistakes.revealed import RevealedNames
from namecheck_runtime.mistakes.sizes import (
    ContractionSize,
    ForcedLiteral,
    JoinSize,
    ReshapeSize,
)
from namecheck_runtime.sizes import Fact, Origin, Rank, Settlement, Verdict, plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.places import Place


def put(
    ev: Evaluator,
    call: declare.Spelling | layers.Instance,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    by_name: Mapping[str, Argument],
    node: ir.Node,
) -> Any:
    """The answer of the rulebook, with duties settled; None if the call is wrong or unbindable."""
    ev.frame.look(node.id)
    try:
        answer = infer(call, arguments, keywords)
    except Mistake as mistake:
        if _fits_after_all(ev, mistake, node, by_name):
            return None
        if _fits_another_class(ev, call, arguments, keywords, by_name):
            return None
        if presumed_batches.fits_without(ev, mistake, call, arguments, keywords):
            return None
        if mistake.about == "rank" and _is_hinted(ev, by_name):
            doubt_claim(ev, mistake, by_name, node)
        elif not (isinstance(mistake, DimOutOfRange) and is_placeholder(ev, by_name)):
            ev.blame(mistake, "error", node, by_name, call=call)
        return None
    except declare.Unbindable:
        return None
    if answer.limit:
        ev.leave(answer.limit)
    doubts = _justified(ev, answer.doubts, node, by_name)
    if isinstance(call, declare.Spelling) and not any(map(_is_misaligned, doubts)):
        crossed = crossing(ev, call.op, by_name, answer.result)
        if crossed is not None:
            doubts.append(crossed.with_op(call.op.name))
    # Names at different places say more than different sizes there, unless it was meant that way.
    misaligned = any(map(_is_misaligned, (*answer.doubts, *doubts)))
    # What the first duty teaches must not rename the operands that a later one blames.
    ev.before_duties = ev.facts.copy() if len(answer.duties) > 1 else None
    try:
        for duty in answer.duties:
            if not settle(ev, duty, node, by_name, call, misaligned):
                return None
    finally:
        ev.before_duties = None
    for doubt in doubts:
        ev.blame(doubt, doubt.level, node, by_name, call=call)
    for doubt in answer.doubts:
        if isinstance(doubt, RevealedNames):
            ev.reveal(doubt, node)
    if ev.trials.calls is not None:
        return guesses.complete(ev, call, arguments, keywords, answer)
    if ev.ranks.hindsight is not None:
        hindsight.miss(ev, by_name, answer.result)
    return masks.under(call, arguments, keywords, by_name, answer.result)


def _justified(
    ev: Evaluator, doubts: Sequence[Mistake], node: ir.Node, by_name: Mapping[str, Argument]
) -> list[Mistake]:
    """The doubts that the program itself does not remove, of those that are asked for."""
    return [
        doubt
        for doubt in doubts
        if (doubt.is_suspicion or doubt.code in ev.frame.source.file.terms.strict)
        and not _made_symmetric(ev, doubt, by_name)
        and not meant(ev, doubt, node, by_name)
        and not (_is_misaligned(doubt) and _is_of_either_rank(ev, node, by_name))
    ]


def _is_misaligned(doubt: Mistake) -> bool:
    return isinstance(doubt, MisalignedBroadcast)


_CONTRADICTED: Final = frozenset(
    {
        Verdict.CONTRADICTS_CLAIMED,
        Verdict.CONTRADICTS_PRESUMED,
        Verdict.CONTRADICTS_DECLARED,
        Verdict.CONTRADICTED,
        Verdict.COINCIDES,
        Verdict.FORCES_LITERAL,
    }
)

_OTHER: Final = {torch.TENSOR: numpy.TENSOR, numpy.TENSOR: torch.TENSOR}
"""The class that a value of unknown class may have instead."""


def _fits_after_all(
    ev: Evaluator, mistake: Mistake, node: ir.Node, by_name: Mapping[str, Argument]
) -> bool:
    """Whether the library takes the operands all the same, or takes those that may come here."""
    if _is_empty(mistake) or (isinstance(mistake, ExplicitBroadcast) and mistake.is_lifted):
        return True
    if ev.frame.flow.branches and _fits_without_elements(mistake):
        return True
    return isinstance(mistake, IndexOutOfRange) and _is_clamped(ev, mistake, node, by_name)


def _fits_another_class(
    ev: Evaluator,
    call: declare.Spelling | layers.Instance,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    by_name: Mapping[str, Argument],
) -> bool:
    """Whether a call that is wrong on a tensor is right on an array, or the other way round.

    Its owner may be either: `sigma.dot(other)`, `x.transpose(0, 1)`.
    """
    if ev.sure_class or not isinstance(call, declare.Spelling):
        return False
    library, _, name = call.path.partition(".")
    if library not in _OTHER:
        return False
    other = declare.REGISTRY.get(f"{_OTHER[library]}.{name}")
    if other is None or other.op is call.op or not by_name:
        return False
    owner = ev.resolve(next(iter(by_name.values())).value)
    if isinstance(owner, Tensor) and owner.library:
        return False
    return guesses.is_accepted(other, arguments, keywords)


def _is_clamped(
    ev: Evaluator, mistake: IndexOutOfRange, node: ir.Node, by_name: Mapping[str, Argument]
) -> bool:
    """Whether an index may be one of JAX's, which takes the nearest element: a warning.

    A dim of at most one element is the placeholder of an array that is set elsewhere.
    """
    # Writing to such an index, which has one more operand, raises in every library.
    if mistake.index is None or not isinstance(mistake.size, int) or len(by_name) > 1:
        return False
    if not ev.frame.source.file.has_constant_arrays:
        return False
    owner = ev.resolve(next(iter(by_name.values())).value)
    if isinstance(owner, Tensor) and owner.library == torch.TENSOR:
        return False
    if mistake.size > 1:
        nearest = jax.CLAMPS.format(index=0 if mistake.index < 0 else mistake.size - 1)
        clamped = IndexClamped(
            shape=mistake.shape,
            dim=mistake.dim,
            rank=mistake.rank,
            text=f"{mistake.text}; {nearest}",
            size=mistake.size,
            index=mistake.index,
            op=mistake.op,
            blame=mistake.blame,
        )
        ev.blame(clamped, "warning", node, by_name)
    return True


def settle(
    ev: Evaluator,
    duty: Duty,
    node: ir.Node,
    by_name: Mapping[str, Argument],
    call: declare.Spelling | layers.Instance | None = None,
    misaligned: bool = False,
) -> bool:
    """Settle a requirement with the path's facts; False if it cannot hold.

    Dims that are known to be `misaligned` need not be independent to be wrong.
    """
    forced = not duty.or_one and roles.forces_one(ev, duty.left, duty.right, duty.mistake)
    if forced or (isinstance(duty.mistake, JoinSize) and fits_otherwise(ev, duty.mistake)):
        # In a drive a size without a name is some number of the program, which is not known.
        if not (ev.reach.driven and any(map(_is_nameless, _current(ev, duty)))):
            _blame_literal(ev, duty, node, by_name, (), call)
            return False
    opposes: Callable[[Size, Size], bool] = partial(ev.opposes, mistake=duty.mistake)
    if misaligned and not isinstance(duty.mistake, ContractionSize):
        opposes = _nothing_opposes
    place = ev.place(node, duty.mistake, (duty.left, duty.right))
    before = ev.facts.copy() if _is_hearsay(ev, duty, by_name) else None
    settlement = ev.facts.settle(duty.left, duty.right, place, duty.or_one, opposes)
    if before is not None and settlement.verdict is Verdict.ASSUMED:
        ev.facts = before
    if duty.or_one and settlement.verdict in (Verdict.LEFT_OPEN, Verdict.CONTRADICTS_PRESUMED):
        if _never_meet(ev, duty.left, duty.right):
            ev.blame(duty.mistake, "error", node, by_name, settlement.facts, call=call)
            return False
        if _adds_transposed(ev, by_name):
            ev.frame.withdraw((_current(ev, duty),))
            ev.facts.learn_equal(duty.left, duty.right, Fact(Rank.STATED, place))
            return True
        if misaligned:
            return True
    if settlement.verdict in _CONTRADICTED and _is_of_either_rank(ev, node, by_name):
        return True
    return _holds(ev, duty, settlement, place, node, by_name, call, misaligned)


def _is_hearsay(ev: Evaluator, duty: Duty, by_name: Mapping[str, Argument]) -> bool:
    """Whether a comment alone says that an operand has a size that the program read elsewhere.

    What an op requires of that operand teaches nothing of the size: the comment may mean another
    one by the same name.
    """
    atoms = {
        atom
        for size in (duty.left, duty.right)
        for atom in sizes.symbols(ev.facts.representative(size))
    }
    if not any(atom.origin is sizes.Origin.DATA and not atom.comments for atom in atoms):
        return False
    return claimed_of(ev, by_name.values()) is not None


def _holds(
    ev: Evaluator,
    duty: Duty,
    settlement: Settlement,
    place: Place,
    node: ir.Node,
    by_name: Mapping[str, Argument],
    call: declare.Spelling | layers.Instance | None,
    misaligned: bool,
) -> bool:
    """Whether a requirement holds as its two sizes were settled; it is blamed if it does not."""
    facts = settlement.facts
    if _may_agree(ev, duty, settlement, node):
        ev.facts.learn_equal(duty.left, duty.right, Fact(Rank.STATED, place))
        return True
    match settlement.verdict:
        case Verdict.CONTRADICTS_CLAIMED:
            # Labels belong to the function: a caller may swap dims on purpose.
            if misaligned or ev.frame.depth or not has_twin(duty.mistake):
                return True
            if ev.links(duty.left, duty.right):
                return True
            ev.blame(duty.mistake, "warning", node, by_name, facts, call=call)
        case Verdict.COINCIDES:
            both = settlement.equation
            ev.blame(duty.mistake, "warning", node, by_name, facts, requires=both, call=call)
        case Verdict.CONTRADICTED | Verdict.CONTRADICTS_DECLARED:
            if duty.mistake.is_of_one_operand and not _never_equal(ev, duty):
                ev.facts.learn_equal(duty.left, duty.right, Fact(Rank.STATED, place))
                return True
            # That two names of one signature are two sizes is presumed, whatever asks for one.
            level = "error" if settlement.verdict is Verdict.CONTRADICTED else "warning"
            ev.blame(duty.mistake, level, node, by_name, facts, call=call)
        case Verdict.CONTRADICTS_PRESUMED:
            if duty.mistake.is_of_one_operand:
                ev.facts.learn_equal(duty.left, duty.right, Fact(Rank.STATED, place))
                return True
            if ev.links(duty.left, duty.right) or _meets_square(ev, duty):
                return True
            if _is_expanded_on_purpose(ev, duty, node, facts):
                ev.facts.learn_equal(duty.left, duty.right, Fact(Rank.STATED, place))
                return True
            operands = [ev.resolve(argument.value) for argument in by_name.values()]
            if are_names_of_one(ev, duty.mistake, duty.left, duty.right, operands):
                return True
            if takes_own_transpose(duty.mistake, node, by_name):
                _make_square(ev, duty)
                return True
            ev.frame.presumptions[node.id, duty.mistake.code] = _current(ev, duty)
            ev.blame(duty.mistake, "warning", node, by_name, facts, call=call)
        case Verdict.FORCES_LITERAL:
            if duty.or_one or may_be_forced(ev, duty.left, duty.right, place):
                return True
            if ev.independence.fit_by_default(*_current(ev, duty)):
                return True
            _blame_literal(ev, duty, node, by_name, facts, call)
        case _:
            return True
    return False


def _may_agree(ev: Evaluator, duty: Duty, settlement: Settlement, node: ir.Node) -> bool:
    """Whether the program shows that two sizes with different names may be one."""
    if settlement.verdict not in (Verdict.CONTRADICTS_DECLARED, Verdict.CONTRADICTS_PRESUMED):
        return False
    current = frozenset(_current(ev, duty))
    for pair in ev.frame.may_agree:
        if frozenset(map(ev.facts.representative, pair)) == current:
            return True
    return joins_turned(ev, duty.mistake, node)


def _is_empty(mistake: Mistake) -> bool:
    """Whether a dim of size 0 meets a size that may be 0 as well.

    A symbol may be 0 although symbols count as 1 or more. In a broadcast it may meet any size: it
    is a placeholder, or an axis that was taken for a count (`x.repeat(3, 0)` of an array).
    """
    if not isinstance(mistake, (ContractionSize, SizeMismatch)):
        return False
    left, right = mistake.left_size, mistake.right_size
    numbers = isinstance(left, int) and isinstance(right, int)
    return 0 in (left, right) and not (numbers and isinstance(mistake, ContractionSize))


def _is_hinted(ev: Evaluator, by_name: Mapping[str, Argument]) -> bool:
    """Whether the rank of one of these is known only from a comment."""
    claimed = claimed_of(ev, by_name.values())
    return claimed is not None and claimed.rank and not claimed.result


def _is_of_either_rank(ev: Evaluator, node: ir.Node, by_name: Mapping[str, Argument]) -> bool:
    """Whether an operand has its rank from a comment alone, and branches treat it as two ranks."""
    for argument in by_name.values():
        if len(by_name) > 1 and isinstance(argument.node, ir.Name):
            claimed = claimed_of(ev, (argument,))
            if claimed is None or not claimed.rank or claimed.source is not ev.frame.source:
                continue
            if has_other_form(ev.frame, node, argument.node.name, claimed.node):
                return True
    return False


def _fits_without_elements(mistake: Mistake) -> bool:
    """Whether a reshape of a tensor of which no size is known keeps its dims and adds another.

    `[?, ?]` is `[?, ?, 3]` if one of the sizes is 0. In a branch that is what the branch is for.
    """
    if not isinstance(mistake, ReshapeSize) or not isinstance(mistake.source, tuple):
        return False
    before = tuple([dim.size for dim in mistake.source])
    if not before or not all(map(_is_nameless, before)):
        return False
    count = len(before)
    return len(mistake.target) > count and before in (
        mistake.target[:count],
        mistake.target[-count:],
    )


def _is_nameless(size: Size) -> bool:
    atom = plain_symbol(size)
    return size is UNKNOWN or (atom is not None and atom.label == "?")


def _nothing_opposes(left: Size, right: Size) -> bool:
    return False


def _blame_literal(
    ev: Evaluator,
    duty: Duty,
    node: ir.Node,
    by_name: Mapping[str, Argument],
    facts: tuple[Fact, ...],
    call: declare.Spelling | layers.Instance | None,
) -> None:
    forced = ForcedLiteral(
        left_size=duty.left,
        right_size=duty.right,
        cause=duty.mistake,
        op=duty.mistake.op,
        blame=duty.mistake.blame,
    )
    notes = treated_as_larger(ev, duty.left, duty.right)
    ev.blame(forced, forced.level, node, by_name, facts, notes=notes, call=call)


def _never_equal(ev: Evaluator, duty: Duty) -> bool:
    """Whether no sizes make two dims equal: two names that an annotation declares may be."""
    return ev.facts.relate(duty.left, duty.right) is sizes.Relation.NO


def _adds_transposed(ev: Evaluator, by_name: Mapping[str, Argument]) -> bool:
    """`x + x.T` says that x is square."""
    return len(by_name) == 2 and symmetric(ev, *(argument.node for argument in by_name.values()))


def _make_square(ev: Evaluator, duty: Duty) -> None:
    """Withdraw the presumption that two sizes differ, also for what came before in the function."""
    pair = _current(ev, duty)
    one, other = (plain_symbol(size) for size in pair)
    if one is not None and other is not None:
        ev.facts.allow_equal(one, other)
    ev.frame.withdraw((pair,))


def _current(ev: Evaluator, duty: Duty) -> tuple[Size, Size]:
    return ev.facts.representative(duty.left), ev.facts.representative(duty.right)


def _is_expanded_on_purpose(
    ev: Evaluator, duty: Duty, node: ir.Node, facts: tuple[Fact, ...]
) -> bool:
    """Whether a call expands one tensor to the shape of another, of which it may have the sizes.

    `k.expand_as(q)` says that there are as many keys as queries, whatever both are called. An
    annotation that names them apart says otherwise. A size of the last dim that a constructor got
    is a width, and no other tensor's number of positions.
    """
    mistake = duty.mistake
    if not isinstance(mistake, ExpandSize) or not isinstance(node, ir.Call):
        return False
    if any(fact.rank is Rank.DECLARED for fact in facts):
        return False
    one, other = (plain_symbol(size) for size in _current(ev, duty))
    if one is None or other is None or ev.roles.of_one_map(one, other):
        return False
    both_read = one.origin is Origin.DATA and other.origin is Origin.DATA
    return both_read or not mistake.is_last()


def _meets_square(ev: Evaluator, duty: Duty) -> bool:
    """Whether two dims with two names meet two dims with one of them: `[w, w]` beside `[h, w]`.

    What is square by construction is computed with what may be square: the two names are dims of
    one map. From here on they may be equal.
    """
    mistake = duty.mistake
    if not isinstance(mistake, SizeMismatch):
        return False
    left, right = (ev.facts.representative(size) for size in (duty.left, duty.right))
    one, other = plain_symbol(left), plain_symbol(right)
    if one is None or other is None or not ev.roles.of_one_map(one, other):
        return False
    if is_batch(left) or is_batch(right):
        return False
    pairs = list(
        zip(*(reversed(known_dims(s)) for s in (mistake.left, mistake.right)), strict=False)
    )
    met = [(ev.facts.representative(a.size), ev.facts.representative(b.size)) for a, b in pairs]
    for size in (left, right):
        # One more dim of the same size in both operands: the square and the map have it in common.
        if (size, size) in met:
            ev.facts.allow_equal(one, other)
            return True
    return False


def _made_symmetric(ev: Evaluator, doubt: Mistake, by_name: Mapping[str, Argument]) -> bool:
    """Whether dims are lined up with themselves transposed: `x + x.T` says that x is square.

    Or dims that may be equal, since an earlier statement says so of a tensor of unknown rank.
    """
    if not isinstance(doubt, MisalignedBroadcast):
        return False
    if stated_squares.meet(ev, doubt):
        return True
    left, right = doubt.left, doubt.right
    if not isinstance(left, tuple) or not isinstance(right, tuple) or len(left) != len(right):
        return False
    swapped = [
        k
        for k, (ours, theirs) in enumerate(zip(left, right, strict=True))
        if ours.size != theirs.size
    ]
    if len(swapped) != 2 or left[swapped[0]].size != right[swapped[1]].size:
        return False
    atoms = [plain_symbol(left[k].size) for k in swapped]
    return _adds_transposed(ev, by_name) or all(atom in ev.roles.letters for atom in atoms)


def _never_meet(ev: Evaluator, left: Size, right: Size) -> bool:
    """Whether two sizes that a model is configured with can only differ: `dim` and `3*dim`.

    A size read from data may be 1, and then it broadcasts. A configured width of 1 that is meant to
    broadcast is rare.
    """
    if isinstance(left, int) or isinstance(right, int):
        return False
    involved = sizes.symbols(left) | sizes.symbols(right)
    configured = all(atom.origin is sizes.Origin.CONFIG and atom.least > 0 for atom in involved)
    return configured and ev.facts.relate(left, right) is sizes.Relation.NO


def is_placeholder(ev: Evaluator, by_name: Mapping[str, Argument]) -> bool:
    """Whether an argument is a tensor without elements.

    It is a placeholder for one that is set elsewhere.
    """
    tensors = [ev.resolve(argument.value) for argument in by_name.values()]
    return any(isinstance(tensor, Tensor) and tensor.empty for tensor in tensors)
