"""Blaming: whether something speaks against a mistake, and the outcome that the frame keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.asking.long_sizes import ShortNames
from namecheck.analysis.asking.results import claimed_of, rank_claimed
from namecheck.analysis.reading import ir
from namecheck.analysis.state import reasons, values
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.conversion import are_numbers
from namecheck.analysis.state.frames import Frame, Outcome
from namecheck.analysis.state.independence import is_batch, is_batch_of_number
from namecheck.analysis.state.places import Note
from namecheck.analysis.state.values import Claimed, List, Tensor
from namecheck.analysis.usage import roles
from namecheck_runtime import declare, layers, sizes
from namecheck_runtime.lattice import UNKNOWN, Shape, Size, known_dims, show
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.mistakes.broadcasts import (
    ExpandSize,
    MisalignedBroadcast,
    SizeMismatch,
    UnequalShapes,
)
from namecheck_runtime.mistakes.dims import BadPattern
from namecheck_runtime.mistakes.names import ContractedNames, NameMismatch
from namecheck_runtime.mistakes.sizes import ContractionSize, LayerSize
from namecheck_runtime.sizes import Fact, Rank

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def opposes(ev: Evaluator, left: Size, right: Size, mistake: Mistake | None = None) -> bool:
    """Whether two sizes are independent, or cannot be equal by their roles in the question.

    They are independent on every way through the running function.
    """
    frame = ev.frame
    if frame.quiet or frame.flow.unsure:
        return False
    # In a function that is called, or in a script, the batch may be a number in the code.
    alone = mistake is not None and frame.depth == 0 and frame.function is not None
    if alone and is_batch_of_number(left, right) and not _is_open(ev, left, right):
        return True
    if isinstance(mistake, (ContractionSize, SizeMismatch)) and roles.mix(ev, left, right, mistake):
        return True
    if ev.in_row:
        return ev.independence.opposes(left, right, in_row=True)
    if frame.flow.configured or frame.flow.left:
        return False
    if ev.by_defaults and not ev.independence.pinned(left, right):
        if not ev.roles.is_table(left, right):
            return False
    if mistake is not None and roles.oppose(ev, left, right, mistake):
        return True
    if isinstance(mistake, ExpandSize) and (is_batch(left) or is_batch(right)):
        if not mistake.is_last():
            return False  # code that expands the batch means a batch of 1
    if frame.builds and frame.depth and (is_batch(left) or is_batch(right)):
        return False  # the function that names it so gets what the constructor has computed
    return ev.independence.opposes(left, right)


def _is_open(ev: Evaluator, *pair: Size) -> bool:
    """Whether one of two sizes belongs to a value of which nothing else is known."""
    return any(atom in ev.roles.open for size in pair for atom in sizes.symbols(size))


def blame(
    ev: Evaluator,
    mistake: Mistake,
    level: str,
    node: ir.Node,
    by_name: Mapping[str, Argument],
    facts: tuple[Fact, ...] = (),
    question: Any = None,
    requires: tuple[Size, Size] | None = None,
    notes: Iterable[tuple[str, Any, int]] = (),
    call: declare.Spelling | layers.Instance | None = None,
    root: Claimed | None = None,
) -> None:
    """Keep a mistake at `node`; `by_name` are the arguments that it may blame.

    It is reported if it is made each time: each time that `node` is evaluated, or that `question`
    is asked (`Frame.look`). `requires` are two independent sizes that are right only if they are
    equal; `notes` explain more, each with a source and a line in it. `call` is the op or layer that
    was called, `root` an annotation that is contradicted.
    """
    frame = ev.frame
    is_plain = level == "error" and requires is None
    arm = frame.flow.arm() if is_plain and ev.may_be_skipped(frame) else None
    skipped = ev.may_never_come(frame) if is_plain else ev.may_be_skipped(frame)
    if frame.quiet or (skipped and arm is None) or _rests_on_open(ev, by_name.values()):
        return
    if _rests_on_other_file(ev, mistake, by_name.values()):
        return
    guilty = _guilty(ev, mistake, by_name)
    lost = _presumes(mistake, level, requires) and _lacks(ev, guilty)
    if lost or _is_excused(ev, mistake, guilty):
        return
    short = ShortNames()
    short.mistake(mistake)  # the message names its sizes first (`runs/findings_of.py`)
    operands = [(one, show(short.of(_shape_asked(ev, one)))) for one in guilty]
    facts = (*reasons.rewritten(ev, guilty, mistake), *facts)
    notes = tuple(notes)
    is_explained = bool(notes) and not by_name  # and shows no operand: it needs no other notes
    explanations = [] if is_explained else reasons.notes(ev, mistake, operands, facts, call)
    weak, claims = _weakest(ev, mistake, by_name.values(), facts)
    if weak and level == "error":
        level = "warning"
    here = _notes_here(short, requires)
    quoted = {(source, line) for text, source, line in explanations if "`" in text}
    explanations += [note for note in claims if note[1:] not in quoted]
    explanations += [(text, frame.source, frame.line) for text in here]
    key = (node.id, mistake.code)
    outcome = Outcome(
        frame.source,
        node.id,
        mistake,
        level,
        tuple([(one.node.id, shape) for one, shape in operands if one.node is not None]),
        tuple(dict.fromkeys([*explanations, *notes])),
        requires=requires,
        roots=_roots(ev, mistake, guilty, call) if root is None else (root,),
        is_claimed=bool(claims),
        names_labels=any(_has_label(ev, one) for one in guilty),
    )
    _keep(frame, arm, key, node.id if question is None else question, outcome)


def _notes_here(short: ShortNames, requires: tuple[Size, Size] | None) -> list[str]:
    """The notes on sizes that a message names, and on two that have to agree."""
    here = list(short.notes())
    if requires is not None:
        left, right = short.of(requires)
        here.append(f"{left} and {right} are independent: it fits only where they agree")
    return here


def _keep(
    frame: Frame,
    arm: list[tuple[object, object, Outcome]] | None,
    key: object,
    question: object,
    outcome: Outcome,
) -> None:
    """Keep a mistake: in its frame, or in the branch of a drive that is not decided.

    In a function that a drive calls, the numbers are the drive's. What a comment there says of the
    general case decides nothing.
    """
    claimed = outcome.is_claimed and outcome.mistake.about != "written"
    if claimed and frame.flow.driven and frame.depth:
        return
    if arm is None:
        frame.blame(key, question, outcome)
    elif outcome.level == "error":
        arm.append((key, question, outcome))


def _presumes(mistake: Mistake, level: str, requires: tuple[Size, Size] | None) -> bool:
    """Whether a mistake rests on a presumption about sizes, not on one size that meets itself."""
    if isinstance(mistake, MisalignedBroadcast):
        return False
    return level != "error" or requires is not None


def _lacks(ev: Evaluator, operands: Iterable[Argument]) -> bool:
    """Whether the evaluation of a drive has lost a size of an operand, which is a number there.

    What it presumes instead is not the program's.
    """
    if not ev.reach.driven or not ev.frame.depth:
        return False
    for operand in operands:
        value = ev.resolve(operand.value)
        if isinstance(value, Tensor) and not are_numbers(ev.current(value.shape)):
            return True
    return False


def _rests_on_open(ev: Evaluator, arguments: Iterable[Argument]) -> bool:
    """Whether one of these is what a class declares that another class may return otherwise."""
    return any(
        (claimed := claimed_of(ev, (argument,))) is not None and claimed.open
        for argument in arguments
    )


def _rests_on_other_file(ev: Evaluator, mistake: Mistake, arguments: Iterable[Argument]) -> bool:
    """Whether a mistake rests on a comment or docstring in another file than the code.

    It is about values of that file. If it is wrong, this code is right, and does not show why not.
    """
    if not ev.frame.depth:
        return False
    return any(
        (claimed := claimed_of(ev, (argument,))) is not None
        and claimed.source.file is not ev.frame.source.file
        and claimed.said.startswith(("the comment says", "the docstring says"))
        and (claimed.rank or mistake.about != "rank")
        for argument in arguments
    )


def _is_excused(ev: Evaluator, mistake: Mistake, guilty: Iterable[Argument]) -> bool:
    """Whether what is written about names or operands does not make a mistake one.

    The evaluation before one in hindsight has tried the ranks that comments give. And the docstring
    of a model describes the labels of its usual loss, while a branch may compute another one.
    """
    frame = ev.frame
    if isinstance(mistake, (NameMismatch, ContractedNames)):
        if frame.source.file.terms.may_meet(mistake.left_name, mistake.right_name):
            return True
    hindsight = ev.ranks.hindsight
    tried = hindsight is not None and hindsight.ranks
    if mistake.about == "rank" and any(ev.resolve(one.value) in frame.lent for one in guilty):
        return True
    other_loss = isinstance(mistake, UnequalShapes) and frame.flow.branches
    return bool(tried or other_loss) and rank_claimed(ev, guilty)


def _weakest(
    ev: Evaluator,
    mistake: Mistake,
    arguments: Iterable[Argument],
    facts: Iterable[Fact],
) -> tuple[bool, list[Note]]:
    """Whether a mistake rests on more than the program, and notes on the claims that it rests on.

    A comment or a docstring may be wrong, also that of an operand that is not blamed, and sizes
    that are presumed to differ or to be equal may not be so. An error rests on the program alone.
    """
    if mistake.about == "gradients":
        return False, []
    weak = any(fact.rank in (Rank.CLAIMED, Rank.PRESUMED) for fact in facts)
    claims = [one for argument in arguments if (one := claimed_of(ev, (argument,))) is not None]
    claimed = dict.fromkeys(claims)  # a set would have another order each time
    if mistake.about == "rank":
        claimed = {one: None for one in claimed if one.rank}
    notes = [(one.said, one.source, one.line) for one in sorted(claimed, key=_line)]
    return weak or bool(claimed), notes


def _line(claimed: Claimed) -> tuple[str, int]:
    return claimed.source.file.path, claimed.source.line + claimed.line


def _roots(
    ev: Evaluator,
    mistake: Mistake,
    operands: Iterable[Argument],
    call: declare.Spelling | layers.Instance | None,
) -> tuple[Claimed, ...]:
    """What was written about these operands themselves, or the layer, if it is contradicted.

    Legal but suspicious code contradicts nothing: it is to be changed at each place.
    """
    roots: list[Claimed] = []
    for operand in operands if mistake.level == "error" else ():
        tensor = _tensor(ev, operand)
        claimed = tensor.claimed
        # What was computed from it and has its shape, as `x * 2`, contradicts the same claim.
        if claimed is not None:
            if claimed.firm or ev.current(tensor.shape) == ev.current(claimed.shape):
                roots.append(claimed)
    return (*roots, *_built(ev, mistake, call))


def _built(
    ev: Evaluator, mistake: Mistake, call: declare.Spelling | layers.Instance | None
) -> tuple[Claimed, ...]:
    """The call that built a layer for another number than its input has.

    If no input fits that number, the number is wrong.
    """
    if not isinstance(mistake, LayerSize):
        return ()
    if not isinstance(mistake.wanted, int) or not isinstance(mistake.found, int):
        return ()
    built = reasons.of_layer(ev, call)
    return () if built is None or built.node == reasons.UNNUMBERED else (built,)


def _shape_asked(ev: Evaluator, operand: Argument) -> Shape:
    """The shape of an operand as the question had it."""
    shape = _tensor(ev, operand).shape
    if ev.before_duties is None:
        return ev.current(shape)
    now, ev.facts = ev.facts, ev.before_duties
    asked = ev.current(shape)
    ev.facts = now
    return asked


def _has_label(ev: Evaluator, operand: Argument) -> bool:
    """Whether a comment or a docstring named a size of an operand."""
    return any(
        atom.comments
        for dim in known_dims(_shape_asked(ev, operand))
        for atom in sizes.symbols(dim.size)
    )


def _tensor(ev: Evaluator, operand: Argument) -> Tensor:
    tensor = ev.resolve(operand.value)
    assert isinstance(tensor, Tensor)
    return tensor


def _guilty(ev: Evaluator, mistake: Mistake, by_name: Mapping[str, Argument]) -> list[Argument]:
    """The operands whose dims are shown: those that are blamed, else all of them."""
    guilty = blamed_arguments(mistake, by_name)
    blamed = [one for argument in guilty for one in _operands(ev, argument)]
    return blamed or [one for argument in by_name.values() for one in _operands(ev, argument)]


def blamed_arguments(mistake: Mistake, by_name: Mapping[str, Argument]) -> Sequence[Argument]:
    """The arguments that a mistake blames: of several operands the one that a pattern does not fit.

    They share the name of a parameter, `*operands`.
    """
    names = {blame.argument for blame in mistake.blame}
    if isinstance(mistake, BadPattern) and mistake.span is not None:
        for name in names:
            operands = _given_together(name, by_name)
            place = mistake.pattern.count(",", 0, mistake.span[0])
            if len(operands) > 1 and place < len(operands):
                return [operands[place]]
    return [argument for name, argument in by_name.items() if name in names]


def _given_together(name: str, by_name: Mapping[str, Argument]) -> list[Argument]:
    """The arguments of a starred parameter in their order: the last has its name alone."""
    if name not in by_name:
        return []
    places = sorted(int(key[len(name) + 1 : -1]) for key in by_name if key.startswith(f"{name}["))
    return [*(by_name[f"{name}[{place}]"] for place in places), by_name[name]]


def _operands(ev: Evaluator, argument: Argument) -> list[Argument]:
    """The tensors of known dims in an argument, as far as the source shows them."""
    value = ev.resolve(argument.value)
    node = argument.node
    if isinstance(node, (ir.List, ir.Tuple)) and isinstance(value, (List, values.Tuple)):
        contents = ev.cells.get(value) if isinstance(value, List) else value.elements
        if isinstance(contents, tuple) and len(contents) == len(node.elements):
            pairs = zip(contents, node.elements, strict=True)
            return [one for v, at in pairs for one in _operands(ev, type(argument)(v, at))]
    is_known = isinstance(value, Tensor) and value.shape is not UNKNOWN
    return [argument] if is_known and node is not None else []
