"""When each kind of evidence is asked: a table with a tuple of functions for each moment.

A new kind of evidence is a module beside this one, and a row here: its function in the tuple of the
moment at which it is asked. The evaluator walks that tuple. Evidence that needs another moment
needs a tuple here, and a call where the evaluator comes to it. `ASKED_DIRECTLY` lists the functions
that belong to no moment: one caller calls each, for one form of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from namecheck.analysis.evidence import (
    annotation,
    axis_orders,
    batches,
    comment_runs,
    comment_slips,
    comments,
    configured_tests,
    declarations,
    docstrings,
    fields,
    guards,
    unpack,
    unpacked_shapes,
)
from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.paths import Path
from namecheck.analysis.state.values import Class, Function, Instance, Number, Value
from namecheck_runtime.lattice import Size
from namecheck_runtime.notation.matching import Names

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

Run: TypeAlias = "Callable[[Evaluator, Function, Mapping[str, Size]], Frame | None]"
"""Runs a function by itself, with the sizes that some names of its annotations have."""

# A function by itself

PARAMETER: Final[tuple[Callable[[Evaluator, Frame, ir.Parameter], Value | None], ...]] = (
    declarations.of_parameter,
)
"""A parameter has no argument: the value that it has by what is written; None if nothing is."""

PARAMETERS_BOUND: Final[tuple[Callable[[Evaluator, Frame, Sequence[ir.Parameter]], None], ...]] = (
    unpacked_shapes.presume_different_parameters,
)
"""All parameters of a function but its receiver have such values."""

FUNCTION_BEGINS: Final[tuple[Callable[[Evaluator, Frame, bool], None], ...]] = (
    annotation.of_result,
    axis_orders.of_parameters,
    comments.of_parameters,
    docstrings.of_parameters,
    declarations.names_differ,
)
"""The body of the function is about to be run; the flag says whether its docstring is believed."""

FUNCTION_DONE: Final[tuple[Callable[[Evaluator, Function, Run], None], ...]] = (
    batches.evaluate_batches,
)
"""The function was run; a kind of evidence may want to run it again."""

# A statement

STATEMENT_BEGINS: Final[
    tuple[Callable[[Evaluator, ir.Statement, ir.Statement | None], None], ...]
] = (comments.before, comment_slips.before)
"""A statement with comments is about to be run; the last argument is the statement before it."""

STATEMENT_DONE: Final[
    tuple[
        Callable[[Evaluator, ir.Statement, Value | None, ir.Statement | None], None],
        ...,
    ]
] = (comment_slips.after, comments.after, comment_runs.after)
"""A statement with comments was run, or the header of a branch or loop; the value is that of a
`return`, and the last argument is the statement behind it.
"""

STATEMENT_GOES_ON: Final[
    tuple[Callable[[Evaluator, ir.Statement, ir.Statement | None], None], ...]
] = (comment_runs.go_on,)
"""A statement without comments was run, and a comment further above may be about its value; the
last argument is the statement behind it.
"""

TUPLE_ASSIGNED: Final[tuple[Callable[[Evaluator, ir.Assign], None], ...]] = (unpack.expect_rank,)
"""A tuple display is about to be evaluated and assigned."""

SIZE_ASSIGNED: Final[tuple[Callable[[Evaluator, ir.Assign, Number], None], ...]] = (unpack.label,)
"""A size is about to be assigned."""

TEST_ASSIGNED: Final[tuple[Callable[[Evaluator, ir.Expression, Value], None], ...]] = (guards.hold,)
"""The result of a comparison, or of several, was assigned to a variable or an attribute."""

DECLARED: Final[tuple[Callable[[Evaluator, ir.AnnotatedAssign], None], ...]] = (fields.declare,)
"""A variable is annotated and not assigned."""

ANNOTATED: Final[tuple[Callable[[Evaluator, ir.AnnotatedAssign, Value], Value], ...]] = (
    declarations.check_annotated,
)
"""A value is about to be assigned to an annotated variable: the value with what that adds."""

RETURNED: Final[tuple[Callable[[Evaluator, ir.Return, Value], Value], ...]] = (
    axis_orders.of_result,
    declarations.check_returned,
    docstrings.of_result,
)
"""A value is about to be returned: the value with what is written about the result."""

# A branch

DECIDED: Final[tuple[Callable[[Evaluator, ir.Expression, bool, bool], None], ...]] = (
    guards.assume,
    docstrings.of_guard,
)
"""A test holds on this path, or does not; the second flag says whether the program insists on it,
as an assert does.
"""

CONFIGURED: Final[tuple[Callable[[Evaluator, ir.Expression], bool], ...]] = (
    configured_tests.by_configuration,
)
"""A test chooses a branch: whether the configuration of a model may decide it."""

LEFT_OUT: Final[tuple[Callable[[Evaluator, ir.Expression], bool], ...]] = (
    configured_tests.asks_for_left_out,
)
"""A test chooses a branch as defaults have it: whether it asks for an argument left out."""

MET: Final[tuple[Callable[[Evaluator, Path, Path], None], ...]] = (batches.presume_alike,)
"""Two ways through a branch are about to be joined."""

# An attribute

ATTRIBUTE_UNSET: Final[tuple[Callable[[Evaluator, Instance, str], Value | None], ...]] = (
    fields.attribute_value,
)
"""An attribute is read that the program was not seen to set: its value, or None."""

ATTRIBUTE_SET: Final[
    tuple[Callable[[Evaluator, Instance, str, Value, ir.Expression | None], Value], ...]
] = (fields.check_assigned,)
"""A value is about to be assigned to an attribute: the value with what is written about it."""

FIELD_GIVEN: Final[tuple[Callable[[Evaluator, Class, Names, str, Argument], Value], ...]] = (
    fields.check_given,
)
"""An argument is about to become a field of a dataclass or named tuple: its value, likewise."""

FIELDS_STACKED: Final[
    tuple[Callable[[Evaluator, Class, Mapping[str, Argument]], Mapping[str, Value]], ...]
] = (fields.stacked,)
"""All arguments are about to become fields: the values of those that several instances share."""


class Direct(NamedTuple):
    """A function of a kind of evidence that one module calls, outside any moment."""

    ask: Callable[..., Any]
    by: str
    """The module that calls it, below `namecheck.analysis`."""
    why: str


ASKED_DIRECTLY: Final = (
    Direct(annotation.is_alias, "python.statements", "`Image: TypeAlias = ...`"),
    Direct(annotation.read, "python.statements", "a name for a type"),
    Direct(annotation.read, "python.functions", "read once for all steps of binding a parameter"),
    Direct(declarations.check_argument, "python.functions", "as above"),
    Direct(declarations.was_refused, "python.functions", "as above"),
    Direct(unpack.assign_several, "python.assignment", "it is the assignment itself"),
    Direct(guards.shape_equals, "python.matching", "`case (b, 3):` of a shape"),
    Direct(fields.declared_fields, "runs.standalone", "which fields are not for configuration"),
)


# The walks


def parameter(ev: Evaluator, frame: Frame, record: ir.Parameter) -> Value | None:
    for ask in PARAMETER:
        value = ask(ev, frame, record)
        if value is not None:
            return value
    return None


def parameters_bound(ev: Evaluator, frame: Frame, records: Sequence[ir.Parameter]) -> None:
    for ask in PARAMETERS_BOUND:
        ask(ev, frame, records)


def function_begins(ev: Evaluator, frame: Frame, documented: bool) -> None:
    for ask in FUNCTION_BEGINS:
        ask(ev, frame, documented)


def statement_begins(ev: Evaluator, statement: ir.Statement, previous: ir.Statement | None) -> None:
    for ask in STATEMENT_BEGINS:
        ask(ev, statement, previous)


def statement_done(
    ev: Evaluator,
    statement: ir.Statement,
    value: Value | None = None,
    following: ir.Statement | None = None,
) -> None:
    for ask in STATEMENT_DONE:
        ask(ev, statement, value, following)


def statement_goes_on(
    ev: Evaluator, statement: ir.Statement, following: ir.Statement | None
) -> None:
    for ask in STATEMENT_GOES_ON:
        ask(ev, statement, following)


def tuple_assigned(ev: Evaluator, node: ir.Assign) -> None:
    for ask in TUPLE_ASSIGNED:
        ask(ev, node)


def size_assigned(ev: Evaluator, node: ir.Assign, value: Number) -> None:
    for ask in SIZE_ASSIGNED:
        ask(ev, node, value)


def test_assigned(ev: Evaluator, test: ir.Expression, value: Value) -> None:
    for ask in TEST_ASSIGNED:
        ask(ev, test, value)


def declared(ev: Evaluator, node: ir.AnnotatedAssign) -> None:
    for ask in DECLARED:
        ask(ev, node)


def annotated(ev: Evaluator, node: ir.AnnotatedAssign, value: Value) -> Value:
    for ask in ANNOTATED:
        value = ask(ev, node, value)
    return value


def returned(ev: Evaluator, node: ir.Return, value: Value) -> Value:
    for ask in RETURNED:
        value = ask(ev, node, value)
    return value


def decided(ev: Evaluator, test: ir.Expression, holds: bool, stated: bool = False) -> None:
    for ask in DECIDED:
        ask(ev, test, holds, stated)


def is_configured(ev: Evaluator, test: ir.Expression) -> bool:
    return any(ask(ev, test) for ask in CONFIGURED)


def is_left_out(ev: Evaluator, test: ir.Expression) -> bool:
    return any(ask(ev, test) for ask in LEFT_OUT)


def met(ev: Evaluator, left: Path, right: Path) -> None:
    for ask in MET:
        ask(ev, left, right)


def attribute_unset(ev: Evaluator, instance: Instance, name: str) -> Value | None:
    for ask in ATTRIBUTE_UNSET:
        value = ask(ev, instance, name)
        if value is not None:
            return value
    return None


def attribute_set(
    ev: Evaluator, instance: Instance, name: str, value: Value, origin: ir.Expression | None
) -> Value:
    for ask in ATTRIBUTE_SET:
        value = ask(ev, instance, name, value, origin)
    return value


def field_given(ev: Evaluator, cls: Class, names: Names, name: str, argument: Argument) -> Value:
    value = argument.value
    for ask in FIELD_GIVEN:
        value = ask(ev, cls, names, name, Argument(value, argument.node))
    return value


def fields_stacked(
    ev: Evaluator, cls: Class, arguments: Mapping[str, Argument]
) -> Mapping[str, Value]:
    values: dict[str, Value] = {}
    for ask in FIELDS_STACKED:
        values.update(ask(ev, cls, arguments))
    return values
