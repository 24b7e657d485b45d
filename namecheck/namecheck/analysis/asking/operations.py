"""Asking the rulebook: abstract values become a rule's arguments, its answer becomes values again.

A call is asked in four steps: its arguments as the rule takes them (`_asked`), the rule's answer
(`_answered`; see `rulings`), the value that the answer stands for (`_valued`; see `results`), and
what is remembered about it (`_remembered`). The registry knows which op a spelling means,
`frameworks` what a library calls its arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from namecheck import frameworks
from namecheck.analysis.asking import (
    geometry,
    joins,
    migration,
    own_tensors,
    packed,
    presumptions,
    sparse_matrices,
    tensor_pieces,
)
from namecheck.analysis.asking.layers import as_set
from namecheck.analysis.asking.results import (
    as_claimed,
    claimed_of,
    given_back,
    is_shape,
    kind_of_result,
    library_of,
    of_kind,
    to_value,
)
from namecheck.analysis.asking.rulings import put
from namecheck.analysis.gradients import following
from namecheck.analysis.measuring import call_notes
from namecheck.analysis.objects import pattern_families
from namecheck.analysis.reading import ir
from namecheck.analysis.state import rank_back
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.conversion import (
    convert,
    in_terms,
    rename_keywords,
    shape_or_size,
    with_numbers,
)
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Claimed,
    Constant,
    Layer,
    Library,
    List,
    Number,
    Packed,
    Repeated,
    ShapeOf,
    Tensor,
    Tuple,
    Value,
    known,
)
from namecheck.analysis.state.whole_numbers import is_shown_number
from namecheck.analysis.usage import (
    blank_tensors,
    einsum_patterns,
    histories,
    letters,
    orders,
    pairings,
    sequences,
    slices,
    undone_views,
)
from namecheck.analysis.usage.crossings import mark_symmetric
from namecheck.analysis.usage.different_sizes import presume_different_sizes
from namecheck.analysis.usage.layer_ranks import rank_of_input
from namecheck_runtime import binding, declare, sizes
from namecheck_runtime.algebra import fresh
from namecheck_runtime.lattice import UNKNOWN, Symbolic, known_dims
from namecheck_runtime.readers.parameters import (
    ANY,
    SHAPES,
    Plain,
    has_company,
    name_at,
    parameter_names,
    positional_names,
    returned,
    takes,
)
from namecheck_runtime.readers.pieces import parts
from namecheck_runtime.rules.factory import nested

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def ask(
    ev: Evaluator,
    spelling: declare.Spelling,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument],
    node: ir.Node,
) -> Value:
    """The value of a call of an op; unknown if the rulebook cannot tell."""
    everything = (*arguments, *keywords.values()) if keywords else arguments
    if _of_objects(ev, everything) or sparse_matrices.reads_otherwise(ev, spelling, arguments):
        return Anything()
    own = own_tensors.among(ev, spelling, arguments, keywords)
    if own is not None:
        return own
    presumed = presumptions.among(ev, everything)
    if presumed and presumptions.is_elementwise(spelling):
        arguments = [presumptions.as_number(ev, argument) for argument in arguments]
        keywords = {name: presumptions.as_number(ev, a) for name, a in keywords.items()}
    question = _asked(ev, spelling, arguments, keywords, node)
    if arguments and "dtype" in question.by_name and _of_records(ev, question):
        return Anything()
    if _sums_number(ev, spelling.op.rules[0], arguments, question.by_name):
        return Anything()
    deciding = everything
    if not frameworks.torch.NO_DTYPE.isdisjoint(keywords):
        of_dtype = [a for name, a in keywords.items() if name not in frameworks.torch.NO_DTYPE]
        deciding = (*arguments, *of_dtype)
    kind = kind_of_result(ev, spelling.op.kind, deciding, question.by_name.get("dtype"))
    library = library_of(ev, spelling, arguments)
    result = _answered(ev, question, library, node)
    names = question.names
    if spelling.op.itself and names[0] in question.by_name:
        return given_back(ev, question.by_name[names[0]].value, result)
    if result is None:
        return Anything()
    returns = returned(spelling.op.rules)
    asked, by_name = question.asked, question.by_name
    if question.many >= 0 and returns == "Shape":
        result = joins.of_any_number(spelling, asked, question.keywords, question.many, result)
    question.result = result
    value = _valued(ev, question, result, kind, library, node)
    if spelling.op.memory is not None:
        value = geometry.lay(ev, spelling, asked, question.keywords, by_name, result, value, node)
    if returns == "Flag" and type(value) is Tensor:
        return Number(kind="bool")  # neither the rule nor the layout in memory has answered
    if presumed and type(value) is Tensor and value.shape == ():
        return Anything.presumed_scalar()
    value = _remembered(ev, question, value, node)
    if ev.units.trace is not None:
        answered = asked, question.keywords, result
        call_notes.op_called(ev, spelling, answered, by_name, everything, value)
    return value


class _Question:
    """A call of an op, with its arguments as its rule takes them.

    `given` and `given_keywords` are the arguments of the program, `asked` and `keywords` the same
    as the rule takes them; `by_name` has all arguments by the rule's own names. `states_sizes`:
    some of them are the sizes of the result; `presumed` that they are one number, not several, only
    as long as nothing shows the contrary. `many` is the place of an argument that stands for an
    unknown number of tensors, -1 if there is none; `reading` is how the pattern among them is read;
    `result` is the rule's answer.
    """

    __slots__ = (
        "asked",
        "by_name",
        "given",
        "given_keywords",
        "keywords",
        "many",
        "names",
        "presumed",
        "reading",
        "result",
        "spelling",
        "states_sizes",
    )

    def __init__(
        self,
        spelling: declare.Spelling,
        names: Sequence[str],
        given: Sequence[Argument],
        keywords: Mapping[str, Argument],
    ) -> None:
        self.spelling = spelling
        self.names = names
        self.given = given
        self.given_keywords = keywords
        self.asked: list[Any] = []
        self.keywords: dict[str, Any] = {}
        self.by_name: dict[str, Argument] = {}
        self.states_sizes = False
        self.presumed: Claimed | None = None
        self.many = -1
        self.reading: letters.Reading | None = None
        self.result: Any = None


def _asked(
    ev: Evaluator,
    spelling: declare.Spelling,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument],
    node: ir.Node,
) -> _Question:
    """The question for the rule; the path learns what patterns and shapes in it say."""
    rules = spelling.op.rules
    names = parameter_names(spelling, rules[0])
    if keywords:
        keywords = rename_keywords(spelling, keywords)
    question = _Question(spelling, names, arguments, keywords)
    if not einsum_patterns.PARAMETERS.isdisjoint(names):
        question.reading = _read_pattern(ev, question, node)
    shapes = _convert_positional(ev, question, node)
    if shapes:
        question.states_sizes = True
        if question.presumed is None:
            for shape in shapes:
                sizes.make_positive(shape)
        together = _symbolic(shapes)
        place = (ev.frame.source, node.id)
        ev.independence.add_sizes(together, place)
        if len(together) > 1 and names[0] in SHAPES:
            ev.independence.add_tensor(together, place)
            presume_different_sizes(ev, together)
    for name, argument in keywords.items():
        question.by_name[name] = argument
        plain = takes(rules, name, True)
        if name in SHAPES and _may_be_shape(ev, argument):
            asked = question.keywords[name] = shape_or_size(ev, argument.value, plain)
            _presume(ev, question, argument, asked, node)
        else:
            question.keywords[name] = _converted(ev, spelling, argument.value, plain)
    return question


def _converted(ev: Evaluator, spelling: declare.Spelling, argument: Value, plain: Plain) -> Any:
    """An argument in the form that rules take; a list is an array where the library makes one."""
    converted = convert(ev, argument, plain)
    if spelling.path.startswith(frameworks.MAKES_ARRAYS) and isinstance(converted, (list, tuple)):
        is_sequence = isinstance(ev.resolve(argument), (List, Tuple))
        if is_sequence and plain.as_array:
            return nested(converted) if converted else (fresh(0),)  # `()` would be a scalar's dims
        if is_sequence and converted and plain.as_tensors:
            return tuple([nested(part) for part in converted])
    if plain.as_data and spelling.path in frameworks.OF_NUMBERS:
        return with_numbers(ev, argument, converted)
    return converted


def _read_pattern(ev: Evaluator, question: _Question, node: ir.Node) -> letters.Reading | None:
    """How the pattern of a call is read; None if there is none, or it does not fit."""
    given, keywords = question.given, question.given_keywords
    reading = einsum_patterns.teach(ev, question.names, given, keywords, node.id)
    if reading is None:
        return None
    orders.keep_order(ev, reading, node)
    pattern_families.check(ev, reading.pattern, node)
    return reading if letters.fits(ev, reading, node) else None


def _convert_positional(ev: Evaluator, question: _Question, node: ir.Node) -> list[Any]:
    """Convert the positional arguments of a question. Returns those that are shapes."""
    rules, names = question.spelling.op.rules, question.names
    shapes: list[Any] = []
    for index, argument in enumerate(question.given):
        name = name_at(names, index)
        if name in question.by_name:  # `*operands`: what is found may rest on each of them
            question.by_name[f"{name}[{index - 1}]"] = question.by_name[name]
        question.by_name[name] = argument
        plain = takes(rules, name)
        if plain.as_tensors:
            tensor = joins.one_of_many(ev, argument.value)
            if tensor is not None:
                question.many = index
                question.asked.append((ev.current(tensor.shape),) * 2)
                continue
            if isinstance(argument.value, Tensor) and has_company(
                names, index, len(question.given)
            ):
                plain = ANY  # one of several tensors, also if it has no dims
        several = plain.as_several or (name in SHAPES and _may_be_shape(ev, argument))
        if several and not has_company(names, index, len(question.given)):
            asked = shape_or_size(ev, argument.value, plain)
            _presume(ev, question, argument, asked, node)
        else:
            asked = _converted(ev, question.spelling, argument.value, plain)
        question.asked.append(asked)
        if name in SHAPES:
            shapes.append(asked)
    return shapes


def _presume(
    ev: Evaluator, question: _Question, argument: Argument, asked: Any, node: ir.Node
) -> None:
    """Note it if an unknown value was taken for one size and the program does not show that."""
    value = ev.resolve(argument.value)
    if asked is UNKNOWN or not isinstance(value, Anything) or is_shown_number(ev, value):
        return
    shown = value.label.replace(".[", "[")
    said = f"'{shown}' is taken for one size here, not for several"
    dims = tuple(map(fresh, asked)) if isinstance(asked, tuple) else UNKNOWN
    question.presumed = Claimed(True, said, ev.frame.source, ev.frame.line, node.id, dims)


def _answered(ev: Evaluator, question: _Question, library: str, node: ir.Node) -> Any:
    """The answer of the rulebook, in the words that the project has agreed on."""
    spelling = question.spelling
    terms = ev.frame.source.file.terms
    if terms.words:
        question.asked, question.keywords = in_terms(
            terms, spelling.op.rules, question.names, question.asked, question.keywords
        )
    asked, keywords, by_name = question.asked, question.keywords, question.by_name
    if ev.migrates and library == "Tensor":
        migration.check(ev, spelling, asked, keywords, by_name, node)
    return put(ev, spelling, asked, keywords, by_name, node)


def _valued(
    ev: Evaluator, question: _Question, result: Any, kind: str, library: str, node: ir.Node
) -> Value:
    """The value that an answer stands for."""
    spelling, names = question.spelling, question.names
    asked, keywords = question.asked, question.keywords
    returns = returned(spelling.op.rules)
    value: Value
    if result is UNKNOWN and returns == "Shapes":
        value = tensor_pieces.several(spelling, asked, keywords, names, kind, library)
        cut = parts(asked, keywords, names)
        if cut is not None:
            slices.check_chunks(ev, cut, question.by_name, node, spelling.op.name)
    else:
        value = to_value(ev, result, returns, kind, library)
        if type(value) is Tuple:
            ev.spend(len(value.elements) // 16)
    if question.reading is not None:
        letters.bind(ev, question.reading, value, node)
    # An op that takes all sizes of the result, or names for its dims, says how many there are.
    counts = question.reading is not None or (question.states_sizes and "dim" not in names)
    claimed = claimed_of(ev, question.given)
    if question.presumed is not None:
        value = as_claimed(value, question.presumed)
    elif claimed is not None:
        whole = any(isinstance(argument.value, ShapeOf) for argument in question.given)
        value = as_claimed(value, claimed._replace(rank=claimed.rank and (whole or not counts)))
    if isinstance(value, Tuple) and returns not in ("Size", "Sizes"):
        value = _several(question, value, result, library)
    return value


def _several(question: _Question, value: Tuple, result: Any, library: str) -> Tuple:
    """Several results of an op, with the names of their parts and the kinds of the later ones."""
    op = question.spelling.op
    fields = op.fields
    if library != "Tensor" or len(fields) != len(value.elements):
        fields = ()
    first, *others = value.elements or (NONE,)
    if fields:  # the kinds of the others are unknown, unless they are indices
        kinds = ("int" if field == "indices" else "unknown" for field in fields[1:])
        value = Tuple((first, *map(of_kind, others, kinds)))
    elif op.kind == "same, then int":
        value = Tuple((first, *(of_kind(one, "int") for one in others)))
    asked = question.asked
    shape = asked[0] if asked and is_shape(asked[0]) else UNKNOWN
    origin = (question.spelling.path, shape) if result is not UNKNOWN else None
    return Tuple(value.elements, fields, of_op=origin)


def _dim_of(question: _Question) -> Argument | None:
    """The argument for the dim that an op works along; None without one."""
    dim = question.by_name.get("dim")
    if dim is None and len(question.given) > 1:
        for rule in question.spelling.op.rules[1:]:  # `x.max(1)` beside `x.max()`
            names = parameter_names(question.spelling, rule)
            if "dim" in names[: len(question.given)]:
                return question.given[names.index("dim")]
    return dim


def _remembered(ev: Evaluator, question: _Question, value: Value, node: ir.Node) -> Value:
    """The value with how it was computed; the path remembers the operands.

    An operand that was changed in place is the value from here on.
    """
    spelling, arguments, keywords = question.spelling, question.given, question.given_keywords
    values = (*arguments, *keywords.values())
    value = histories.follow(ev, spelling.op, values, _dim_of(question), value, node)
    value = mark_symmetric(ev, spelling.op, values, value)
    value = pairings.begin(ev, spelling.op, question.by_name, value, node)
    _follow_views(ev, question, value, node)
    value = blank_tensors.fill_written(ev, spelling, question.by_name, value)
    if ev.gradients.is_needed:
        answered = question.asked, question.keywords, question.result
        following.follow(ev, spelling, arguments, question.by_name, answered, value, node)
    rank_back.pass_doubt_on(ev, values, value)
    if type(value) is Tensor:
        asked = question.asked, question.keywords
        if rank_back.says_little(value.shape):
            rank_back.keep(ev, spelling, *asked, arguments, keywords, value)
        elif ev.frame.watched is not None:
            rank_back.keep_beside(ev, spelling, *asked, arguments, value)
    if spelling.inplace and arguments and isinstance(value, Tensor):
        if spelling.op.reshapes:  # what it was made of has the rank that it had
            ev.ranks.made_of.pop(ev.resolve(arguments[0].value), None)
            ev.ranks.from_here.add(value)
            ev.change(arguments[0].value, value)
        else:
            ev.refine(arguments[0].value, value)
    return value


def _follow_views(ev: Evaluator, question: _Question, value: Value, node: ir.Node) -> None:
    """Remember the view that a result comes from."""
    spelling, given = question.spelling, question.given
    if spelling.op.effect == "moves" and question.states_sizes and given:
        if ev.frame.views:
            undone_views.check_order(ev, question.by_name, value, node, spelling.op.name)
        undone_views.note_view(ev, given[0].value, value, node.id)
    elif ev.frame.views:
        operands = [argument.value for argument in question.by_name.values()]
        undone_views.note_order(ev, spelling.op.effect, operands, value)
        pointwise = presumptions.is_elementwise(spelling)
        undone_views.carry(ev, spelling.op.effect, pointwise, operands, value)
        if spelling.op.effect == "" and given and _takes_parts(spelling):
            undone_views.join(ev, given[0].value, value)


def _takes_parts(spelling: declare.Spelling) -> bool:
    """Whether an op takes a sequence of tensors first, as one that joins them does."""
    parameters = spelling.op.rules[0].parameters
    return bool(parameters) and "Tensors" in parameters[0].takes


def _symbolic(shapes: Sequence[Any]) -> list[Any]:
    """The symbolic sizes among arguments for shapes."""
    return [
        one
        for given in shapes
        for one in (given if isinstance(given, tuple) else (given,))
        if isinstance(one, Symbolic)
    ]


def _may_be_shape(ev: Evaluator, argument: Argument) -> bool:
    """Whether an argument for a shape is unknown: it may be one size, or all of them."""
    return isinstance(ev.resolve(argument.value), Anything)


def _sums_number(
    ev: Evaluator,
    rule: binding.Rule,
    arguments: Sequence[Argument],
    by_name: Mapping[str, Argument],
) -> bool:
    """Whether the call names a dim of a value taken for a number: then it is an array."""
    if not arguments or not isinstance(ev.resolve(arguments[0].value), Number):
        return False
    along = {p.name for p in rule.parameters if not {"DimRef", "DimRefs"}.isdisjoint(p.takes)}
    return any(name in along for name in list(by_name)[1:])


def _of_objects(ev: Evaluator, arguments: Iterable[Argument]) -> bool:
    """Whether an array of Python objects is asked for, each of which may be an array."""
    for argument in arguments:
        value = argument.value
        if type(value) is Library:
            if value.path in (frameworks.python.OBJECT, frameworks.numpy.OBJECT_DTYPE):
                return True
        elif type(value) is Constant and isinstance(value.value, str):
            if value.value in frameworks.numpy.OBJECT_DTYPES:
                return True
    return False


def _of_records(ev: Evaluator, question: _Question) -> bool:
    """Whether the tuples in a list may be records: elements of the array, and not rows of it.

    They are rows if the dtype is certainly one of numbers.
    """
    dtype = ev.resolve(question.by_name["dtype"].value)
    if isinstance(dtype, Library):
        is_plain = dtype.path in frameworks.DTYPE_KINDS
        if is_plain or dtype.path.startswith(frameworks.python.BUILTIN):
            return False
    elif isinstance(dtype, Constant) and not _has_fields(known(dtype)):
        return False
    value = ev.resolve(question.given[0].value)
    while isinstance(value, List):
        contents = ev.cells.get(value)
        if isinstance(contents, Repeated):
            contents = (contents.element,)
        if not contents or not isinstance(contents, tuple):
            return False
        value = ev.resolve(contents[0])
        if isinstance(value, Tuple):
            return True
    return False


def _has_fields(dtype: Sequence[object] | None) -> bool:
    """Whether a known dtype is a text that lists the dtypes of fields."""
    return dtype is not None and isinstance(dtype[0], str) and "," in dtype[0]


def ask_layer(
    ev: Evaluator,
    layer: Layer,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument],
    node: ir.Node,
) -> Value:
    """The value of calling a layer."""
    if layer.replaced:
        return Anything()
    layer = as_set(ev, layer)
    operand = ev.resolve(arguments[0].value) if arguments else None
    if type(operand) is Packed:
        first = Argument(packed.read(ev, layer, operand), arguments[0].node)
        answer = ask_layer(ev, layer, (first, *arguments[1:]), keywords, node)
        return packed.written(ev, layer, answer)
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
    if type(operand) is Tensor and known_dims(operand.shape):
        built = ev.origins.layers.get(id(layer.instance.fields))
        if built is not None:
            ev.origins.fitting.add((built[1], built[3]))
    value = to_value(ev, result, rule.returns, "float", library)
    if layer.instance.layer.memory is not None:
        call = layer.instance
        value = geometry.lay(ev, call, asked, asked_keywords, by_name, result, value, node)
    if arguments and ev.frame.views:
        effect = layer.instance.layer.effect
        undone_views.carry(ev, effect, False, [arguments[0].value], value)
    if arguments:
        value = histories.follow_layer(ev, layer.instance, arguments[0], value, node)
        rank_back.pass_doubt_on(ev, arguments, value)
        if type(value) is Tensor and type(value.shape) is not tuple:
            call = layer.instance
            rank_back.keep(ev, call, asked, asked_keywords, arguments, keywords, value)
    claimed = claimed_of(ev, arguments[:1])
    value = value if claimed is None else as_claimed(value, claimed)
    if ev.units.trace is not None:
        call_notes.layer_called(ev, layer, (asked, asked_keywords, result), arguments, value)
    return value
