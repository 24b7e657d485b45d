"""Asking the rulebook: abstract values become a rule's arguments, its answer becomes values again.

Here duties are settled with the path's facts, and mistakes and doubts are handed on to the frame.
Which op a spelling means is the registry's business; what a library calls its arguments stands in
`frameworks`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from namecheck import frameworks
from namecheck.analysis.asking import geometry, guesses, joins, migration, packed, tensor_pieces
from namecheck.analysis.reading import ir
from namecheck.analysis.state import hindsight, rank_back
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.conversion import convert, in_terms, rename_keywords, shape_or_size
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Constant,
    DType,
    Layer,
    Library,
    List,
    Number,
    Packed,
    Repeated,
    Tensor,
    Tuple,
    Value,
    kind_of_number,
)
from namecheck.analysis.usage import (
    einsum_patterns,
    histories,
    letters,
    masks,
    orders,
    roles,
    sequences,
    slices,
)
from namecheck.analysis.usage.different_sizes import presume_different_sizes
from namecheck.analysis.usage.layer_ranks import rank_of_input
from namecheck.analysis.usage.links import expects_one, fits_otherwise, has_twin, meant, symmetric
from namecheck_runtime import binding, declare, sizes
from namecheck_runtime.algebra import Duty
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dim, Size, Symbolic, Trailing
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.mistakes.dims import DimOutOfRange
from namecheck_runtime.mistakes.revealed import RevealedNames
from namecheck_runtime.mistakes.sizes import (
    ContractionSize,
    ForcedLiteral,
    JoinSize,
    MisalignedBroadcast,
    SizeMismatch,
)
from namecheck_runtime.readers.parameters import (
    SHAPES,
    has_company,
    name_at,
    parameter_names,
    positional_names,
    returned,
    takes,
)
from namecheck_runtime.readers.pieces import parts
from namecheck_runtime.sizes import Fact, Rank, Verdict

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def ask(
    ev: Evaluator,
    spelling: declare.Spelling,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument],
    node: ir.Node,
) -> Value:
    """The value of a call of an op; UNKNOWN where the rulebook cannot tell."""
    given = (*arguments, *keywords.values()) if keywords else arguments
    if _of_objects(ev, given):
        return Anything()
    rules = spelling.op.rules
    names = parameter_names(spelling, rules[0])
    if keywords:
        keywords = rename_keywords(spelling, keywords)
    reading = None
    if not einsum_patterns.PARAMETERS.isdisjoint(names):
        reading = einsum_patterns.teach(ev, names, arguments, keywords, node.id)
        if reading is not None:
            orders.keep_order(ev, reading, node)
            if not letters.fits(ev, reading, node):
                reading = None
    asked: list[Any] = []
    shapes: list[Any] = []
    by_name: dict[str, Argument] = {}
    many = -1
    for index, argument in enumerate(arguments):
        name = name_at(names, index)
        by_name[name] = argument
        plain = takes(rules, name)
        if plain.as_tensors:
            one = joins.one_of_many(ev, argument.value)
            if one is not None:
                many = index
                asked.append((ev.current(one.shape),) * 2)
                continue
        several = plain.as_several or (name in SHAPES and _may_be_shape(ev, argument))
        if several and not has_company(names, index, len(arguments)):
            asked.append(shape_or_size(ev, argument.value, plain))
        else:
            asked.append(convert(ev, argument.value, plain))
        if name in SHAPES:
            shapes.append(asked[-1])
    if shapes:
        for shape in shapes:
            sizes.make_positive(shape)
        together = _symbolic(shapes)
        ev.independence.add_sizes(together)
        if len(together) > 1 and names[0] in SHAPES:
            presume_different_sizes(ev, together)
    asked_keywords: dict[str, Any] = {}
    for name, argument in keywords.items():
        by_name[name] = argument
        read = shape_or_size if name in SHAPES and _may_be_shape(ev, argument) else convert
        asked_keywords[name] = read(ev, argument.value, takes(rules, name, True))
    if _sums_number(ev, rules[0], arguments, by_name):
        return Anything()
    terms = ev.frame.source.file.terms
    if terms.words:
        asked, asked_keywords = in_terms(terms, rules, names, asked, asked_keywords)
    whole = kind_of_result(ev, spelling.op.kind, given, by_name.get("dtype"))
    library = library_of(ev, spelling, arguments)
    if ev.migrates and library == "Tensor":
        migration.check(ev, spelling, asked, asked_keywords, by_name, node)
    result = put(ev, spelling, asked, asked_keywords, by_name, node)
    if spelling.op.itself and names[0] in by_name:
        return _itself(ev, by_name[names[0]].value, result)
    if result is None:
        return Anything()
    returns = returned(rules)
    if many >= 0 and returns == "Shape":
        result = joins.of_any_number(spelling, asked, asked_keywords, many, result)
    if result is UNKNOWN and returns == "Shapes":
        value = tensor_pieces.several(spelling, asked, asked_keywords, names, whole, library)
        cut = parts(asked, asked_keywords, names)
        if cut is not None:
            slices.check_chunks(ev, cut, by_name, node, spelling.op.name)
    else:
        value = to_value(ev, result, returns, whole, library)
        if type(value) is Tuple:
            ev.spend(len(value.elements) // 16)
    if reading is not None:
        letters.bind(ev, reading, value)
    # Who says all sizes of the result, or names its dims, says how many there are.
    if not (reading is not None or (shapes and "dim" not in names)):
        for argument in arguments:
            if is_claimed(ev, argument.value):
                value = _claimed(value)
                break
    if isinstance(value, Tuple) and returns not in ("Size", "Sizes"):
        fields = spelling.op.fields
        if library != "Tensor" or len(fields) != len(value.elements):
            fields = ()
        first, *others = value.elements or (NONE,)
        if fields:  # of the others it is not said what kind they have, unless they are places
            kinds = ("int" if field == "indices" else "unknown" for field in fields[1:])
            value = Tuple((first, *map(_of_kind, others, kinds)))
        elif spelling.op.kind == "same, then int":
            value = Tuple((first, *(_of_kind(one, "int") for one in others)))
        whole_shape = asked[0] if asked and is_shape(asked[0]) else UNKNOWN
        made = (spelling.path, whole_shape) if result is not UNKNOWN else None
        value = Tuple(value.elements, fields, of_op=made)
    if spelling.op.memory is not None:
        value = geometry.lay(ev, spelling, asked, asked_keywords, by_name, result, value, node)
    if returns == "Flag" and type(value) is Tensor:
        return Number(kind="bool")  # neither the rule nor the place in memory has told it
    given = (*arguments, *keywords.values())
    value = histories.follow(ev, spelling.op, given, by_name.get("dim"), value, node)
    if type(value) is Tensor and type(value.shape) is not tuple:
        rank_back.keep(ev, spelling, asked, asked_keywords, arguments, keywords, value)
    if spelling.inplace and arguments and isinstance(value, Tensor):
        ev.refine(arguments[0].value, value)
    return value


def _of_kind(value: Value, kind: str) -> Value:
    """The same tensor, of another dtype."""
    return Tensor(value.shape, kind, value.library) if isinstance(value, Tensor) else value


def _itself(ev: Evaluator, value: Value, result: Any) -> Value:
    """A tensor that an op has given back; from here on it has the dims that the op states."""
    value = ev.resolve(value)
    if result is None or result is UNKNOWN or not isinstance(value, (Anything, Tensor)):
        return value
    if isinstance(value, Anything):
        return ev.give_shape(value, result)
    if ev.current(value.shape) == result:
        return value
    known = value.with_shape(result)
    ev.refine(value, known)
    return known


def _symbolic(shapes: Sequence[Any]) -> list[Any]:
    """The symbolic sizes among what is given for shapes."""
    return [
        one
        for given in shapes
        for one in (given if isinstance(given, tuple) else (given,))
        if isinstance(one, Symbolic)
    ]


def ask_layer(
    ev: Evaluator,
    layer: Layer,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument],
    node: ir.Node,
) -> Value:
    """The value of calling a layer."""
    given = ev.resolve(arguments[0].value) if arguments else None
    if type(given) is Packed:
        first = Argument(packed.read(ev, layer, given), arguments[0].node)
        found = ask_layer(ev, layer, (first, *arguments[1:]), keywords, node)
        return packed.written(ev, layer, found)
    rule = layer.instance.layer.forward
    library = frameworks.owner_of(layer.path)
    names = positional_names(rule)
    if arguments:
        rank = rank_of_input(layer.instance, len(arguments) - 1, keywords)
        ev.prepare_operand(arguments[0].value, *rank)
    asked = [
        convert(ev, argument.value, takes((rule,), name_at(names, index)))
        for index, argument in enumerate(arguments)
    ]
    asked_keywords = {
        name: convert(ev, argument.value, takes((rule,), name, True))
        for name, argument in keywords.items()
    }
    by_name = {name_at(names, index): argument for index, argument in enumerate(arguments)}
    by_name.update(keywords)
    result = put(ev, layer.instance, asked, asked_keywords, by_name, node)
    sequences.check(ev, layer.instance, by_name, node)
    if result is None:
        return Tensor(UNKNOWN, "unknown", library)
    value = to_value(ev, result, rule.returns, "float", library)
    if layer.instance.layer.memory is not None:
        call = layer.instance
        value = geometry.lay(ev, call, asked, asked_keywords, by_name, result, value, node)
    if arguments:
        value = histories.follow_layer(ev, layer.instance, arguments[0], value, node)
        if type(value) is Tensor and type(value.shape) is not tuple:
            call = layer.instance
            rank_back.keep(ev, call, asked, asked_keywords, arguments, keywords, value)
    if arguments and is_claimed(ev, arguments[0].value):
        return _claimed(value)
    return value


def _claimed(value: Value) -> Value:
    """A result whose rank follows from one that is known from a comment."""
    if isinstance(value, Tensor) and isinstance(value.shape, tuple):
        return value.with_shape(value.shape, True)
    if isinstance(value, Tuple):
        return Tuple(map(_claimed, value.elements), value.fields, of_op=value.of_op)
    return value


def rests_on_claim(ev: Evaluator, by_name: Mapping[str, Argument]) -> bool:
    """Whether the rank of an argument is known from a comment only."""
    return any(is_claimed(ev, argument.value) for argument in by_name.values())


def is_placeholder(ev: Evaluator, by_name: Mapping[str, Argument]) -> bool:
    """Whether an argument is a tensor without elements: it holds the place of one that is put there
    where we do not see it.
    """
    tensors = [ev.resolve(argument.value) for argument in by_name.values()]
    return any(isinstance(tensor, Tensor) and tensor.empty for tensor in tensors)


def _may_be_shape(ev: Evaluator, argument: Argument) -> bool:
    """Whether what is given for a shape is unknown: it may be one size, or all of them."""
    return isinstance(ev.resolve(argument.value), Anything)


def _sums_number(
    ev: Evaluator,
    rule: binding.Rule,
    arguments: Sequence[Argument],
    by_name: Mapping[str, Argument],
) -> bool:
    """Whether what we took for a number is asked about one of its dims: then it is an array."""
    if not arguments or not isinstance(ev.resolve(arguments[0].value), Number):
        return False
    along = {p.name for p in rule.parameters if not {"DimRef", "DimRefs"}.isdisjoint(p.takes)}
    return any(name in along for name in list(by_name)[1:])


def _of_objects(ev: Evaluator, arguments: Iterable[Argument]) -> bool:
    """Whether an array of Python objects is asked for, each of which may be an array."""
    for argument in arguments:
        value = argument.value
        if type(value) is Library and value.path == "builtins.object":
            return True
    return False


def is_claimed(ev: Evaluator, value: Value) -> bool:
    """Whether a tensor's rank, or that of one of several, is known from a comment only."""
    value = ev.resolve(value)
    if type(value) is Tensor:
        return value.claimed
    if type(value) is Anything:
        return False
    contents = value.elements if isinstance(value, Tuple) else ()
    if isinstance(value, List):
        stored = ev.cells.get(value)
        many = (stored.element,) if isinstance(stored, Repeated) else ()
        contents = stored if isinstance(stored, tuple) else many
    return any(is_claimed(ev, one) for one in contents)


def put(
    ev: Evaluator,
    call: declare.Spelling | declare.Instance,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    by_name: Mapping[str, Argument],
    node: ir.Node,
) -> Any:
    """What the rulebook answers, with duties settled; None when it was wrong or does not bind."""
    frame = ev.frame
    frame.seen[node.id] = frame.seen.get(node.id, 0) + 1
    try:
        answer = infer(call, arguments, keywords)
    except Mistake as mistake:
        if _is_empty(mistake):
            return None
        if _fits_an_array(ev, call, arguments, keywords, by_name):
            return None
        hinted = mistake.about == "rank" and rests_on_claim(ev, by_name)
        ev.hinted = ev.hinted or hinted
        if not hinted and not (isinstance(mistake, DimOutOfRange) and is_placeholder(ev, by_name)):
            ev.blame(mistake, "error", node, by_name, call=call)
        return None
    except declare.Unbindable:
        return None
    if answer.limit:
        ev.leave(answer.limit)
    doubts = [
        doubt
        for doubt in answer.doubts
        if (doubt.is_suspicion or doubt.code in frame.source.file.terms.strict)
        and not _made_symmetric(ev, doubt, by_name)
        and not meant(ev, doubt, node, by_name)
    ]
    # That names stand at different places says more than that two sizes differ there, if it was not
    # meant that way.
    misaligned = any(isinstance(doubt, MisalignedBroadcast) for doubt in answer.doubts)
    for duty in answer.duties:
        if not settle(ev, duty, node, by_name, call, misaligned):
            return None
    for doubt in doubts:
        ev.blame(doubt, doubt.level, node, by_name, call=call)
    for doubt in answer.doubts:
        if isinstance(doubt, RevealedNames):
            ev.reveal(doubt, node)
    if ev.calls is not None:
        return guesses.complete(ev, call, arguments, keywords, answer)
    if ev.hindsight is not None:
        hindsight.miss(ev, by_name, answer.result)
    return masks.under(call, arguments, keywords, by_name, answer.result)


def _fits_an_array(
    ev: Evaluator,
    call: declare.Spelling | declare.Instance,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    by_name: Mapping[str, Argument],
) -> bool:
    """Whether a method that is refused is called on something that may be an array as well, and
    arrays have another one of that name which takes the call: `sigma.dot(other)`.
    """
    if not ev.frame.source.file.has_arrays or not isinstance(call, declare.Spelling):
        return False
    library, _, name = call.path.partition(".")
    other = declare.REGISTRY.get(f"ndarray.{name}") if library == "Tensor" else None
    if other is None or other.op is call.op or not by_name:
        return False
    owner = ev.resolve(next(iter(by_name.values())).value)
    if isinstance(owner, Tensor) and owner.library:
        return False
    try:
        infer(other, arguments, keywords)
    except (Mistake, declare.Unbindable):
        return False
    return True


def settle(
    ev: Evaluator,
    duty: Duty,
    node: ir.Node,
    by_name: Mapping[str, Argument],
    call: declare.Spelling | declare.Instance | None = None,
    misaligned: bool = False,
) -> bool:
    """Hold a requirement against the path's facts; False when it cannot hold.

    Of dims that are known to be `misaligned`, that they are independent need not be asked.
    """
    if not duty.or_one and roles.forces_one(ev, duty.left, duty.right, duty.mistake):
        _blame_literal(ev, duty, node, by_name, (), call)
        return False
    if isinstance(duty.mistake, JoinSize) and fits_otherwise(ev, duty.mistake):
        _blame_literal(ev, duty, node, by_name, (), call)
        return False
    opposes: Callable[[Size, Size], bool] = partial(ev.opposes, mistake=duty.mistake)
    if misaligned and not isinstance(duty.mistake, ContractionSize):
        opposes = _nothing_opposes
    place = ev.place(node, duty.mistake, (duty.left, duty.right))
    settlement = ev.facts.settle(duty.left, duty.right, place, duty.or_one, opposes)
    verdict = settlement.verdict
    if duty.or_one and verdict in (Verdict.LEFT_OPEN, Verdict.CONTRADICTS_PRESUMED):
        if _never_meet(ev, duty.left, duty.right):
            ev.blame(duty.mistake, "error", node, by_name, settlement.facts, call=call)
            return False
        if _adds_transposed(ev, by_name):
            ev.facts.learn_equal(duty.left, duty.right, Fact(Rank.STATED, place))
            return True
        if misaligned:
            return True
    match verdict:
        case Verdict.CONTRADICTS_CLAIMED:
            # Labels belong to the function: what a caller gives may be turned on purpose.
            if misaligned or ev.frame.depth or not has_twin(duty.mistake):
                return True
            if ev.links(duty.left, duty.right):
                return True
            ev.blame(duty.mistake, "warning", node, by_name, settlement.facts, call=call)
            return False
        case Verdict.COINCIDES:
            ev.blame(
                duty.mistake,
                "warning",
                node,
                by_name,
                settlement.facts,
                requires=settlement.equation,
                call=call,
            )
            return False
        case Verdict.CONTRADICTED:
            ev.blame(duty.mistake, "error", node, by_name, settlement.facts, call=call)
            return False
        case Verdict.CONTRADICTS_PRESUMED:
            if _of_one_operand(duty.mistake):
                ev.facts.learn_equal(duty.left, duty.right, Fact(Rank.STATED, place))
                return True
            if ev.links(duty.left, duty.right):
                return True
            ev.blame(duty.mistake, "warning", node, by_name, settlement.facts, call=call)
            return False
        case Verdict.FORCES_LITERAL:
            if duty.or_one or expects_one(ev, duty.left, duty.right):
                return True
            _blame_literal(ev, duty, node, by_name, settlement.facts, call)
            return False
    return True


def _is_empty(mistake: Mistake) -> bool:
    """Whether a dim without elements meets a size that is not a number, which may be 0 as well
    though a symbol counts as 1 or more; or any, in a broadcast: it is a placeholder, or what we
    took for a count is an axis (`x.repeat(3, 0)` of an array).
    """
    if not isinstance(mistake, (ContractionSize, SizeMismatch)):
        return False
    left, right = mistake.left_size, mistake.right_size
    numbers = isinstance(left, int) and isinstance(right, int)
    return 0 in (left, right) and not (numbers and isinstance(mistake, ContractionSize))


def _nothing_opposes(left: Size, right: Size) -> bool:
    return False


def _blame_literal(
    ev: Evaluator,
    duty: Duty,
    node: ir.Node,
    by_name: Mapping[str, Argument],
    facts: tuple[Fact, ...],
    call: declare.Spelling | declare.Instance | None,
) -> None:
    forced = ForcedLiteral(
        left_size=duty.left,
        right_size=duty.right,
        cause=duty.mistake,
        op=duty.mistake.op,
        blame=duty.mistake.blame,
    )
    ev.blame(forced, forced.level, node, by_name, facts, call=call)


def _of_one_operand(mistake: Mistake) -> bool:
    """Whether two dims of one operand must be equal: who asks for an inverse means a square."""
    return len(mistake.blame) == 2 and len({blame.argument for blame in mistake.blame}) == 1


def _adds_transposed(ev: Evaluator, by_name: Mapping[str, Argument]) -> bool:
    """`x + x.T` says that x is square."""
    return len(by_name) == 2 and symmetric(ev, *(argument.node for argument in by_name.values()))


def _made_symmetric(ev: Evaluator, doubt: Mistake, by_name: Mapping[str, Argument]) -> bool:
    """Whether dims are lined up with themselves transposed: `x + x.T` says that x is square."""
    if not isinstance(doubt, MisalignedBroadcast):
        return False
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
    return _adds_transposed(ev, by_name)


def _never_meet(ev: Evaluator, left: Size, right: Size) -> bool:
    """Whether two sizes that a model is configured with can only differ: `dim` and `3*dim`.

    A size read from data may be 1, and then broadcasts; nobody configures a width of 1 in order
    to broadcast it.
    """
    if isinstance(left, int) or isinstance(right, int):
        return False
    involved = sizes.symbols(left) | sizes.symbols(right)
    configured = all(atom.origin is sizes.Origin.CONFIG and atom.least > 0 for atom in involved)
    return configured and ev.facts.relate(left, right) is sizes.Relation.NO


# From an answer to values


def to_value(ev: Evaluator, result: Any, returns: str, kind: str, library: str) -> Value:
    """The value that a rule's result stands for; `returns` is its annotation, "" when unclear."""
    if returns == "DType":
        return DType()
    if result is UNKNOWN and returns == "Shapes":
        return Repeated(Tensor(UNKNOWN, kind, library))
    if returns == "Shape" or is_shape(result):
        if returns == "Size" or returns == "Sizes":
            return sizes_value(ev, result, returns)
        if returns != "" or result is not UNKNOWN:
            if not is_shape(result):
                return Anything()
            return Tensor(result, kind, library)
        return Anything()
    if returns == "Size" or returns == "Sizes":
        return sizes_value(ev, result, returns)
    if isinstance(result, bool) or result is None or isinstance(result, (str, float)):
        return Constant(result)
    if isinstance(result, (int, Symbolic)):
        return Number(result)
    if isinstance(result, (tuple, list)):
        return Tuple(
            [
                to_value(ev, part, "", kind, library)
                if part is not UNKNOWN
                else Tensor(UNKNOWN, kind, library)
                for part in result
            ]
        )
    return Anything()


def sizes_value(ev: Evaluator, result: Any, returns: str) -> Value:
    """The int, or tuple of ints, that a rule answered."""
    if returns == "Size":
        return Number(ev.some_int() if result is UNKNOWN else result)
    if isinstance(result, tuple):
        return Tuple([Number(ev.some_int() if size is UNKNOWN else size) for size in result])
    return Anything()


def is_shape(result: Any) -> bool:
    """Whether a rule's result is one shape, and not several."""
    if result is UNKNOWN or isinstance(result, Trailing):
        return True
    return isinstance(result, tuple) and all(type(dim) is Dim for dim in result)


_RANKED_KINDS = {"bool": 0, "int": 1, "float": 2, "complex": 3}
_LEAST_KINDS = {"counted": "int", "inexact": "float"}
_WITH_NUMBERS = frozenset({"arithmetic", "counted"})


def kind_of_result(
    ev: Evaluator, kind: str, arguments: Sequence[Argument], dtype: Argument | None
) -> str:
    """The kind of an op's result: its own, or what its operands promote to; a dtype overrules, also
    one that is not known.
    """
    given = NONE if dtype is None else ev.resolve(dtype.value)
    if given is not NONE:
        path = given.path if isinstance(given, Library) else ""
        return frameworks.DTYPE_KINDS.get(path, "unknown")
    found: list[str] = []
    for argument in arguments:
        value = ev.resolve(argument.value)
        if type(value) is Tensor:
            found.append(value.kind)
        elif type(value) is Anything:
            found.append("unknown")
        elif isinstance(value, Library) and value.path in frameworks.DTYPE_KINDS:
            return frameworks.DTYPE_KINDS[value.path]
        elif type(value) is DType:
            return "unknown"
        elif isinstance(value, Library) and value.path not in frameworks.torch.MEMORY_ORDERS:
            found.append("unknown")  # `torch.LongTensor`
        elif isinstance(value, (Tuple, List)):
            contents = value.elements if isinstance(value, Tuple) else ev.cells.get(value)
            if isinstance(contents, tuple):
                found += [v.kind for v in map(ev.resolve, contents) if isinstance(v, Tensor)]
        elif (number := kind_of_number(value)) == "float" or (number and kind in _WITH_NUMBERS):
            found.append(number)
    if kind == "chosen":
        found = found[1:] or ["int"]
    elif not found and arguments and kind not in _RANKED_KINDS:
        return _kind_of_elements(ev, arguments[0].value)
    return promoted(kind, found)


def promoted(kind: str, operands: Sequence[str]) -> str:
    """The kind of the result of an op of this kind (see `Op.kind`), of operands of these kinds."""
    if kind in _RANKED_KINDS:
        return kind
    if kind == "unknown" or not operands or not _RANKED_KINDS.keys() >= set(operands):
        return "unknown"
    return max((*operands, _LEAST_KINDS.get(kind, "bool")), key=_RANKED_KINDS.__getitem__)


def _kind_of_elements(ev: Evaluator, value: Value) -> str:
    """The kind of a tensor that is made of a list of numbers."""
    value = ev.resolve(value)
    contents = ev.cells.get(value) if isinstance(value, List) else None
    if isinstance(value, Tuple):
        contents = value.elements
    if isinstance(contents, tuple) and contents:
        kinds = {_kind_of_elements(ev, one) for one in contents}
        return "unknown" if "unknown" in kinds else max(kinds, key=_RANKED_KINDS.__getitem__)
    kind = kind_of_number(value)
    return kind if kind in _RANKED_KINDS else "unknown"


def library_of(ev: Evaluator, spelling: declare.Spelling, arguments: Sequence[Argument]) -> str:
    """The class whose methods the result has."""
    first, _, rest = spelling.path.partition(".")
    if first in ("Tensor", "ndarray"):
        shared = not spelling.op.fields and f"ndarray.{rest}" in declare.REGISTRY
        if shared and arguments and not ev.tensor_class:
            receiver = ev.resolve(arguments[0].value)
            if isinstance(receiver, Tensor) and not receiver.library:
                return ""  # it may be the other's as well
        return frameworks.torch.LEAVING.get(spelling.path, first)
    owner = frameworks.owner_of(spelling.path)
    if owner:
        return owner
    for argument in arguments:
        value = ev.resolve(argument.value)
        if isinstance(value, Tensor) and value.library:
            return value.library
    return ""
