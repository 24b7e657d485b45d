"""The value of every kind of expression.

`calls` evaluates calls, and `operations` asks the rulebook about each tensor operation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from namecheck.analysis.asking import elements, operations, own_tensors
from namecheck.analysis.evidence import moments
from namecheck.analysis.objects import (
    context_managers,
    files_read,
    generators,
    own_operators,
    shared_names,
    twin_code,
)
from namecheck.analysis.python import alternatives, attributes, calls
from namecheck.analysis.python.assignment import show_targets
from namecheck.analysis.python.loops import run_clauses
from namecheck.analysis.reading import decisions, ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.evaluate import Evaluator
from namecheck.analysis.state.lineage import ClassKey, builds_layers
from namecheck.analysis.state.scalars import (
    arithmetic,
    compare_constants,
    key_of,
    rests_on_claim,
    truth_of,
    wrap,
)
from namecheck.analysis.state.values import (
    FALSE,
    NONE,
    TRUE,
    Anything,
    Class,
    Constant,
    Deferred,
    Dict,
    Either,
    Entries,
    Function,
    Instance,
    Library,
    List,
    Number,
    OtherArray,
    Repeated,
    ShapeOf,
    Tensor,
    Text,
    Tuple,
    Value,
    counts_of,
    join,
    known,
)
from namecheck.frameworks import python
from namecheck_runtime.declare import REGISTRY


def evaluate_name(ev: Evaluator, node: ir.Name) -> Value:
    value = ev.frame.variables.get(node.name)
    if value is None or isinstance(value, Deferred):
        return calls.look_up(ev, node.name)
    if ev.frame.shared:
        value = shared_names.find(ev, ev.frame, node.name, value)
    if ev.units.uses is not None and ev.frame.parent is None:
        ev.units.uses.note_name(value)
    if node.name in ev.frame.ways.bound:
        alternatives.name_is_read(ev, node.name, value)
    return value


def evaluate_attribute(ev: Evaluator, node: ir.Attribute) -> Value:
    return attributes.attribute(ev, ev.value(node.value), node.name, node)


def evaluate_subscript(ev: Evaluator, node: ir.Subscript) -> Value:
    match node:
        case ir.Subscript(ir.Call(ir.Name("globals"), (), ()), ir.Str(name)):
            return ev.module_frame().variables.get(name, Anything())  # it is only read
    owner = ev.value(node.value)
    if isinstance(owner, ShapeOf) and isinstance(ev.resolve(owner.tensor), Tensor):
        # A tensor of unknown rank is one that the path has lost, seldom one of another rank.
        return elements.subscript(ev, owner, node)
    counted = ev.frame.count(node.id)
    value = elements.subscript(ev, owner, node)
    ev.frame.look_once(node.id, counted)
    return value


def evaluate_binary(ev: Evaluator, node: ir.Binary) -> Value:
    # A long chain of operators is a tree that is deep on its left.
    spine = [node]
    while isinstance(spine[-1].left, ir.Binary):
        spine.append(spine[-1].left)
    vanishes = any(map(_is_multiplied_by_zero, spine))
    before = dict(ev.frame.wrong) if vanishes else {}
    left = ev.value(spine[-1].left)
    for binary in reversed(spine):
        right = ev.value(binary.right)
        left = combine(ev, left, binary.operator, right, binary, binary.left, binary.right)
        watched = ev.frame.watched
        if watched is not None:
            watched[binary.id] = left
        if vanishes and _is_multiplied_by_zero(binary) and _is_number(ev, left):
            _drop_suspicions(ev, before)
        if type(left) is Tensor and ev.frame.depth == 0:
            ev.expressions[ev.frame.source, binary.id] = type(left.shape) is tuple
    return left


def _is_multiplied_by_zero(node: ir.Binary) -> bool:
    return node.operator == "*" and any(
        isinstance(side, (ir.Int, ir.Float)) and side.value == 0 for side in (node.left, node.right)
    )


def _is_number(ev: Evaluator, value: Value) -> bool:
    value = ev.resolve(value)
    return isinstance(value, Tensor) and value.shape == ()


def _drop_suspicions(ev: Evaluator, before: Mapping[Any, Any]) -> None:
    """Drop the suspicions of a number that is multiplied by 0: it is wrong only if it raises.

    `outputs.sum() * 0.0` is a loss that only keeps the graph.
    """
    wrong = ev.frame.wrong
    for key in wrong.keys() - before.keys():
        if wrong[key][2].level != "error":
            del wrong[key]


def _classes(value: Value) -> tuple[Value, ...]:
    """The classes that a value is the union of, `list | tuple`; () if it is not a class."""
    if isinstance(value, (Class, Library)) or value is NONE:
        return (value,)
    if isinstance(value, Tuple) and all(map(_classes, value.elements)):
        return value.elements
    return ()


def combine(
    ev: Evaluator,
    left: Value,
    symbol: str,
    right: Value,
    node: ir.Node,
    left_node: ir.Expression | None,
    right_node: ir.Expression | None,
    inplace: bool = False,
) -> Value:
    """`left symbol right`."""
    left, right = ev.resolve(left), ev.resolve(right)
    if symbol == "|":
        left_classes, right_classes = _classes(left), _classes(right)
        if left_classes and right_classes:
            return Tuple([*left_classes, *right_classes])  # as `isinstance` takes them
    if isinstance(left, Instance) or isinstance(right, Instance):
        computed = own_operators.binary(ev, left, symbol, right, inplace)
        if computed is not None:
            return computed
    if symbol == "/" and (files_read.is_path(left) or files_read.is_path(right)):
        return files_read.joined(ev, left, right)
    for value in (left, right):
        if isinstance(value, OtherArray):
            return value
        if isinstance(value, Instance) and own_tensors.computes_anew(value):
            return OtherArray(is_tensor=True)
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        if isinstance(left, (Tuple, List, Dict, Text)) or isinstance(right, (Dict, Text)):
            return Anything()
        spelling = None
        if inplace and isinstance(left, Tensor):
            spelling = REGISTRY.get(python.AUGMENTED[symbol])
        spelling = spelling or REGISTRY.get(python.OPERATORS[symbol])
        if spelling is None:
            return Tensor(library=_library(left, right))
        arguments = (Argument(left, left_node), Argument(right, right_node))
        return operations.ask(ev, spelling, arguments, {}, node)
    ev.frame.look(node.id)  # of tensors that are not known, it may be right
    return arithmetic(ev, left, symbol, right)


def _library(left: Value, right: Value) -> str:
    for value in (left, right):
        if isinstance(value, Tensor):
            return value.library
    return ""


def evaluate_unary(ev: Evaluator, node: ir.Unary) -> Value:
    value = ev.resolve(ev.value(node.operand))
    if node.operator == "not":
        truth = truth_of(ev, value)
        return Number(kind="bool") if truth is None else FALSE if truth else TRUE
    computed = own_operators.unary(ev, node.operator, value)
    if computed is not None:
        return computed
    if isinstance(value, Tensor):
        spelling = REGISTRY.get(python.UNARY[node.operator])
        if spelling is None:
            return value
        return operations.ask(ev, spelling, (Argument(value, node.operand),), {}, node)
    if isinstance(value, OtherArray):
        return value
    if node.operator == "-":
        return arithmetic(ev, Number(0), "-", value)
    if node.operator == "+":
        return value
    constant = known(value)
    if constant is not None and isinstance(constant[0], int):
        return Number(~constant[0])
    return Anything()


def evaluate_boolean(ev: Evaluator, node: ir.Boolean) -> Value:
    left = ev.resolve(ev.value(node.left))
    truth = truth_of(ev, left)
    if truth is not None:
        if truth == (node.operator == "or"):
            return left
        asked = ev.by_defaults and moments.is_left_out(ev, node.left)
        with ev.frame.branch(asked):
            right = ev.value(node.right)
        return alternatives.stand_in(ev, right) if asked and node.operator == "or" else right
    before = ev.fork()
    moments.decided(ev, node.left, node.operator == "and")
    tests = ev.frame.ways.tests
    with ev.frame.branch(configured=moments.is_configured(ev, node.left)):
        right = ev.value(node.right) if ev.alive else Anything()
    ev.frame.ways.tests = tests
    ev.alive = True
    ev.go(before)
    if node.operator == "or" and isinstance(left, Anything) and left.config:
        right = ev.resolve(right)
        if builds_layers(right):
            return right  # `norm = norm or nn.LayerNorm`
    right = ev.resolve(right)
    if right is (TRUE if node.operator == "or" else FALSE):
        return right  # whatever the left value is: `self.training and 0.0 > 0`
    return join(left, right)


def evaluate_comparison(ev: Evaluator, node: ir.Comparison) -> Value:
    left = ev.resolve(ev.value(node.left))
    left_node = node.left
    result: Value | None = None
    truths: list[bool | None] = []
    for symbol, comparator in zip(node.operators, node.comparators, strict=True):
        right = ev.resolve(ev.value(comparator))
        if symbol in python.OPERATORS and (isinstance(left, Tensor) or isinstance(right, Tensor)):
            if not (isinstance(right, (Constant, Text)) and not isinstance(right, Number)):
                answer = combine(ev, left, symbol, right, node, left_node, comparator)
            elif isinstance(left, Tensor) and isinstance(right, Constant):
                answer = Tensor(left.shape, "bool", left.library)
            else:
                answer = Number(kind="bool")
        else:
            truth = compare_constants(ev, left, symbol, right)
            if truth is None and symbol in ("==", "!=") and ev.reach.driven:
                equal = _rows_are_equal(ev, left, right)
                truth = None if equal is None else equal == (symbol == "==")
            answer = _truth(truth)
            if truth is None and symbol in python.OPERATORS:
                if any(isinstance(side, (Anything, OtherArray)) for side in (left, right)):
                    answer = Anything()  # the comparison of a tensor is a tensor
        truths.append(truth_of(ev, answer))
        result = answer if result is None else Number(kind="bool")
        left, left_node = right, comparator
    assert result is not None
    if len(truths) > 1 and False in truths:
        return FALSE  # `1 < x.ndim < 4` fails with either part
    return result


def _rows_are_equal(ev: Evaluator, left: Value, right: Value) -> bool | None:
    """Whether two lists, or two tuples or shapes, have equal elements; None if not known."""
    are_lists = isinstance(left, List) and isinstance(right, List)
    if not are_lists and not all(isinstance(one, (Tuple, ShapeOf)) for one in (left, right)):
        return None
    mine, other = elements.iterate(ev, left), elements.iterate(ev, right)
    if not isinstance(mine, tuple) or not isinstance(other, tuple):
        return None
    if rests_on_claim(ev, left) or rests_on_claim(ev, right):
        return None
    if len(mine) != len(other):
        return False
    pairs = zip(map(ev.resolve, mine), map(ev.resolve, other), strict=True)
    truths = [compare_constants(ev, one, "==", two) for one, two in pairs]
    return False if False in truths else None if None in truths else True


def _truth(value: bool | None) -> Value:
    return Number(kind="bool") if value is None else TRUE if value else FALSE


def evaluate_conditional(ev: Evaluator, node: ir.Conditional) -> Value:
    twin_code.check_arms(ev, node)
    truth = truth_of(ev, ev.resolve(ev.value(node.test)))
    if truth is None:
        truth = decisions.truth(node.test, ev.frame.ways.decided)
    if truth is not None:
        asked = ev.by_defaults and moments.is_left_out(ev, node.test)
        with ev.frame.branch(asked):
            value = ev.value(node.body if truth else node.orelse)
        return alternatives.stand_in(ev, value) if asked else value
    before = ev.fork()
    results: list[Value] = []
    paths = []
    arms = []

    def take(branch: ir.Expression) -> None:
        results.append(ev.resolve(ev.value(branch)))

    chosen = moments.is_configured(ev, node.test)
    tests = ev.frame.ways.tests
    for branch, holds in ((node.body, True), (node.orelse, False)):
        if not holds:
            ev.go(before)
        ev.frame.ways.tests = {**tests, **alternatives.outcomes(ev, node.test, holds)}
        moments.decided(ev, node.test, holds)
        if ev.alive:
            with ev.frame.branch(configured=chosen):
                arms.append(alternatives.as_arm(ev, partial(take, branch)))
        paths.append(ev.here())
        ev.alive = True
    ev.frame.ways.tests = tests
    alternatives.tell_arms(ev, arms)
    ev.meet(paths)
    if len(results) == 2:
        return _either(ev, node.test, results[0], results[1])
    return results[0] if results else Anything()


def _either(ev: Evaluator, test: ir.Expression, left: Value, right: Value) -> Value:
    """The value of a ternary: the same size each time that a test chooses from the same two sizes.

    `width if last else hidden` may stand for a convolution and for the norm behind it.
    """
    joined = join(left, right)
    if isinstance(joined, Either):
        held, failed = (alternatives.outcomes(ev, test, holds) for holds in (True, False))
        return alternatives.either(ev, joined, (left, held), (right, failed))
    if type(joined) is not Anything or not joined.choices:
        return joined
    tested = decisions.key(test)
    if tested is None:
        return joined
    key = (tested, ev.frame.flow.turn, *map(id, joined.choices))
    value, _ = ev.frame.flow.ternaries.setdefault(key, (joined, joined.choices))
    return value


def evaluate_walrus(ev: Evaluator, node: ir.Walrus) -> Value:
    value = ev.value(node.value)
    ev.assign(node.target, value, node.value)
    show_targets(ev, node.target)
    return value


def evaluate_tuple(ev: Evaluator, node: ir.Tuple) -> Value:
    elements = elements_of_display(ev, node.elements)
    twin_code.check_row(ev, node.elements)
    contents = Repeated(Anything()) if elements is None else ev.contents(elements)
    return Tuple(contents) if isinstance(contents, tuple) else contents


def evaluate_list(ev: Evaluator, node: ir.List | ir.Set) -> List:
    row = List()
    elements = elements_of_display(ev, node.elements)
    if elements is None:
        ev.cells[row] = Repeated(Anything())
    else:
        ev.fill(row, elements)
    return row


def evaluate_set(ev: Evaluator, node: ir.Set) -> Value:
    return elements.as_set(ev, evaluate_list(ev, node))


def elements_of_display(ev: Evaluator, nodes: tuple[ir.Expression, ...]) -> list[Value] | None:
    """The elements of a display; None if a starred one has an unknown length."""
    row: list[Value] | None = []
    for node in nodes:
        if isinstance(node, ir.Starred):
            inside = elements.iterate(ev, ev.value(node.value))
            if not isinstance(inside, tuple) or row is None:
                row = None
            else:
                row.extend(inside)
        else:
            value = ev.value(node)
            if row is not None:
                row.append(value)
    return row


def evaluate_dict(ev: Evaluator, node: ir.Dict) -> Value:
    table = Dict()
    items: dict[Any, Value] | None = {}
    partly: Entries | None = None
    for key_node, value_node in node.items:
        value = ev.value(value_node)
        if key_node is None and items is not None:
            # `{**others}`
            others = ev.resolve(value)
            inside = ev.cells.get(others) if isinstance(others, Dict) else None
            if isinstance(inside, Entries) and not items and inside.possible is not None:
                partly, items = inside, dict(inside.certain)
            else:
                items = {**items, **inside} if isinstance(inside, dict) else None
            continue
        key = key_of(ev, ev.resolve(ev.value(key_node))) if key_node is not None else None
        if key is None or items is None or not _hashable(key[0]):
            items = None
        else:
            items[key[0]] = value
    if items is not None and isinstance(ev.contents(list(items.values())), tuple):
        table.count = 1 + counts_of(items.values())
        ev.cells[table] = items
        if partly is not None and partly.possible is not None:
            possible = partly.possible.difference(items)
            ev.cells[table] = Entries(Anything(), items, possible, partly.before)
    else:
        ev.cells[table] = Repeated(Anything())
    return table


def _hashable(value: object) -> bool:
    return isinstance(value, str | int | float | bool | bytes | tuple | ClassKey | None)


def evaluate_comprehension(ev: Evaluator, node: ir.Comprehension) -> Value:
    results = run_clauses(ev, node.clauses, lambda: ev.resolve(ev.value(node.element)))
    contents: Any = results if isinstance(results, tuple) else Repeated(results)
    if node.kind == "generator":
        return Tuple(results, is_generator=True) if isinstance(results, tuple) else contents
    row = List()
    row.count = 1 + counts_of(results) if isinstance(results, tuple) else 1
    ev.cells[row] = contents
    return elements.as_set(ev, row) if node.kind == "set" else row


def evaluate_dict_comprehension(ev: Evaluator, node: ir.DictComprehension) -> Value:
    def entry() -> Value:
        key = Anything() if node.key is None else ev.resolve(ev.value(node.key))
        return Tuple((key, ev.resolve(ev.value(node.value))))

    table = Dict()
    entries = run_clauses(ev, node.clauses, entry)
    ev.cells[table] = elements.entries_of(ev, entries)
    return table


def evaluate_lambda(ev: Evaluator, node: ir.Lambda) -> Value:
    return Function(node, ev.frame, ev.frame.source)


def evaluate_starred(ev: Evaluator, node: ir.Starred) -> Value:
    ev.value(node.value)
    return Anything()


def evaluate_slice(ev: Evaluator, node: ir.Slice) -> Value:
    for part in (node.lower, node.upper, node.step):
        if part is not None:
            ev.value(part)
    return Anything()


def evaluate_string(ev: Evaluator, node: ir.FString | ir.TString) -> Value:
    text: str | None = "" if isinstance(node, ir.FString) else None
    for part in node.parts:
        piece: object = part
        if isinstance(part, ir.Interpolation):
            constant = known(ev.resolve(ev.value(part.value)))
            plain = part.conversion is None and not part.format and not part.debug
            piece = constant[0] if constant is not None and plain else None
            piece = str(piece) if type(piece) is int and ev.reach.driven else piece
        text = text + piece if text is not None and isinstance(piece, str) else None
    return Text() if text is None else wrap(text)


def evaluate_yield(ev: Evaluator, node: ir.Yield | ir.YieldFrom | ir.Await) -> Value:
    if not isinstance(node, ir.Await):
        ev.frame.generator = True
    value = NONE if node.value is None else ev.value(node.value)
    if isinstance(node, ir.Await):
        return Anything()
    context_managers.at_yield(ev, value)
    if node.value is not None:
        is_row = isinstance(node, ir.YieldFrom)
        generators.note(ev, elements.iterate(ev, value) if is_row else (ev.resolve(value),))
    return Anything()


def _constant(make: Callable[[Any], Value]) -> Callable[[Evaluator, Any], Value]:
    return lambda ev, node: make(node)


TABLE: Final[dict[type, Callable[[Evaluator, Any], Value]]] = {
    ir.Int: _constant(lambda node: Number(node.value)),
    ir.BigInt: _constant(lambda node: Number()),
    ir.Omitted: _constant(lambda node: Anything()),
    ir.Float: _constant(lambda node: Constant(node.value)),
    ir.Imaginary: _constant(lambda node: Constant(complex(0, node.value))),
    ir.Str: _constant(lambda node: Constant(node.value)),
    ir.Bytes: _constant(lambda node: Constant(node.value)),
    ir.Bool: _constant(lambda node: TRUE if node.value else FALSE),
    ir.NoneLiteral: _constant(lambda node: NONE),
    ir.EllipsisLiteral: _constant(lambda node: Constant(...)),
    ir.FString: evaluate_string,
    ir.TString: evaluate_string,
    ir.Name: evaluate_name,
    ir.Attribute: evaluate_attribute,
    ir.Subscript: evaluate_subscript,
    ir.Slice: evaluate_slice,
    ir.Call: calls.evaluate_call,
    ir.Starred: evaluate_starred,
    ir.Unary: evaluate_unary,
    ir.Binary: evaluate_binary,
    ir.Boolean: evaluate_boolean,
    ir.Comparison: evaluate_comparison,
    ir.Conditional: evaluate_conditional,
    ir.Walrus: evaluate_walrus,
    ir.Await: evaluate_yield,
    ir.Yield: evaluate_yield,
    ir.YieldFrom: evaluate_yield,
    ir.Tuple: evaluate_tuple,
    ir.List: evaluate_list,
    ir.Set: evaluate_set,
    ir.Dict: evaluate_dict,
    ir.Comprehension: evaluate_comprehension,
    ir.DictComprehension: evaluate_dict_comprehension,
    ir.Lambda: evaluate_lambda,
}
