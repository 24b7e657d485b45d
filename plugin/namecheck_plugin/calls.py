"""Questions to the rulebook about calls, and its answers as mypy's types and errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from mypy.checker import TypeChecker
from mypy.messages import MessageBuilder
from mypy.nodes import (
    CallExpr,
    Context,
    Expression,
    IndexExpr,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    Var,
)
from mypy.semanal import SemanticAnalyzer
from mypy.types import TupleType, Type, TypeVarType, UnionType, get_proper_type

from namecheck_plugin import codes, passing
from namecheck_plugin.expressions.construction import Built, Row
from namecheck_plugin.expressions.knowledge import Expected, Knowledge
from namecheck_plugin.keys import Key, Keys
from namecheck_plugin.types import annotated, dims, surface
from namecheck_plugin.types.arguments import Operand, read
from namecheck_plugin.types.callees import Callee
from namecheck_plugin.types.readings import is_shape
from namecheck_plugin.types.result_types import as_array, default_of, of_pieces, sharpened
from namecheck_plugin.types.written import Call, Read, arguments_of, by_name, indexed, values
from namecheck_plugin.unasked import Place
from namecheck_runtime.declare import Unbindable
from namecheck_runtime.infer import Answer, infer
from namecheck_runtime.lattice import UNKNOWN, show
from namecheck_runtime.layers import Instance as Layer
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.mistakes import Blame, Mistake
from namecheck_runtime.mistakes.broadcasts import ExpandSize
from namecheck_runtime.mistakes.claims import AnnotationMismatch, ArgumentMismatch
from namecheck_runtime.mistakes.revealed import RevealedNames
from namecheck_runtime.notation.matching import Names, declared_shape, forced, mismatch
from namecheck_runtime.readers.parameters import name_at, positional_names, takes
from namecheck_runtime.readers.pieces import pieces_of
from namecheck_runtime.sizes import Fact, Rank, Verdict


class Formal(NamedTuple):
    """A parameter with an annotation, and its argument."""

    name: str
    type: Type
    operand: Operand


class Outcome(NamedTuple):
    """The outcome of a question, the same for all calls that ask it."""

    answer: Answer | Mistake | None
    """None if no rule takes the call."""
    type: Type | None = None
    """None if it is the type that mypy gives the call without us."""
    result: Any = UNKNOWN
    quiet: bool = False
    """Whether there is nothing to report, and no duty to settle by what is known at the place."""


class Asker:
    """Asks the rulebook for one place in the program after another."""

    checker: TypeChecker
    _messages: MessageBuilder
    is_unheard: bool
    """Whether mypy ignores errors in the file, as in a library, and no type can have dims."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge: Final = knowledge
        self._keys: Final = Keys(knowledge)
        self._outcomes: Final[dict[Key | None, Outcome]] = {}
        self._suspects: Final = knowledge.settings.suspicions

    def forget(self) -> None:
        """Forget everything: a file has changed."""
        self.knowledge.forget()
        self._outcomes.clear()

    def at(self, checker: Any) -> Asker:
        """Move to the place that mypy's `TypeChecker` is at."""
        knowledge = self.knowledge
        scope = checker.scope.top_level_function() or checker.tree
        if scope is not knowledge.scope or checker is not knowledge.checker:
            knowledge.come(scope, checker)
            self.checker = checker
            self._messages = checker.msg
            self.is_unheard = (
                checker.path in checker.msg.errors.ignored_files
                and surface.OURS not in checker.modules
            )
        return self

    def look(self, place: Place, analyzer: SemanticAnalyzer) -> None:
        """Check the values in a function or at the top of a module that mypy asks nothing about."""
        self._messages = analyzer.msg
        self.knowledge.come(place, None)
        for expected, shape in self.knowledge.unasked():
            self._check(expected, shape)

    def type_of_call(
        self,
        callee: Callee,
        default: Type,
        node: CallExpr,
        receiver: tuple[Expression, Type] | None = None,
    ) -> Type:
        """The type of a call that the program writes as one.  Reports the mistakes in it."""
        key = self._keys.of_call(callee, default, node, receiver)
        outcome = self._outcomes.get(key)
        if outcome is not None and outcome.quiet:
            self.keep(node, outcome.result)
            return outcome.type or default
        arguments = arguments_of(node, self.knowledge.reader)
        if arguments is None:
            return default
        operands, keywords = arguments
        if receiver is not None:
            operands.insert(0, Operand(*receiver))
        call = Call(callee, operands, keywords, node, default)
        if outcome is None:
            outcome = self._remember(key, self._ask(call, values))
        return self._settle(call, outcome)

    def type_of(
        self,
        callee: Callee,
        default: Type,
        node: Context,
        operands: tuple[tuple[Expression | None, Type], ...],
        implicit: bool = False,
    ) -> Type:
        """The type of an operator, an attribute, or a method that Python calls implicitly."""
        key = self._keys.of_operands(callee, default, operands)
        outcome = self._outcomes.get(key)
        if outcome is not None and outcome.quiet and not implicit:
            if isinstance(node, Expression):
                self.keep(node, outcome.result)
            return outcome.type or default
        call = Call(
            callee, [Operand(*operand) for operand in operands], {}, node, default, implicit
        )
        if outcome is None:
            outcome = self._remember(key, self._ask(call, values))
        return self._settle(call, outcome)

    def type_of_subscript(
        self,
        callee: Callee,
        default: Type,
        node: IndexExpr,
        operands: tuple[tuple[Expression, Type], ...],
    ) -> Type:
        """The type of `x[...]`, also as the target of `x[...] = value`."""
        key = self._keys.of_operands(callee, default, operands)
        outcome = self._outcomes.get(key)
        if outcome is not None and outcome.quiet and outcome.result != ():
            self.keep(node, outcome.result)
            return outcome.type or default
        arguments = [Operand(*operand) for operand in operands]
        call = Call(callee, arguments, {}, node, default)
        if outcome is None:
            if any(self.knowledge.reader.shape_of(value) is None for value in arguments[2:]):
                return default
            outcome = self._remember(key, self._ask(call, indexed))
        if _is_of_element(outcome) and surface.may_hold_anything(operands[0][1]):
            return default
        return self._settle(call, outcome)

    def type_of_layer(self, built: Built, default: Type, node: CallExpr) -> Type:
        """The type of a call of a library's layer, or of a row of layers."""
        arguments = arguments_of(node, self.knowledge.reader)
        if arguments is None:
            return default
        operands, keywords = arguments
        if isinstance(built, Row):
            if len(operands) != 1 or keywords:
                return default
            result: Any = self.knowledge.reader.shape_of(operands[0])
            by_name = {"input": operands[0]}
            for layer in built.layers:
                if result is None or not isinstance(layer, Layer):
                    return default
                result = self._ask_layer(layer, [result], {}, by_name, node)
        else:
            rule = built.layer.forward
            names = positional_names(rule)
            places = [name_at(names, place) for place in range(len(operands))]
            by_name = {**dict(zip(places, operands, strict=True)), **keywords}
            reader = self.knowledge.reader
            positional = [
                read(operand, reader, takes((rule,), name))
                for name, operand in zip(places, operands, strict=True)
            ]
            named = {
                name: read(operand, reader, takes((rule,), name, True))
                for name, operand in keywords.items()
            }
            result = self._ask_layer(built, positional, named, by_name, node)
        if result is None:
            return default
        self.keep(node, result)
        return as_array(operands, default) if is_shape(result) else default

    def _ask_layer(
        self,
        layer: Layer,
        positional: Sequence[Any],
        keywords: Mapping[str, Any],
        by_name: Mapping[str, Operand],
        node: CallExpr,
    ) -> Any:
        """The result of a layer; None if the call is wrong or cannot be bound."""
        try:
            answer = infer(layer, positional, keywords)
        except Mistake as mistake:
            self.report(mistake.with_traceback(None), by_name, node)
            return None
        except Unbindable:
            return None
        return answer.result if self._report_answer(node, answer, by_name) else None

    def _remember(self, key: Key | None, outcome: Outcome) -> Outcome:
        if key is not None:
            self._outcomes[key] = outcome
        return outcome

    def _ask(self, call: Call, read: Read) -> Outcome:
        """Ask the rulebook: its answer, and the type that mypy is to use."""
        callee = call.callee
        positional, keywords = read(call, self.knowledge.reader)
        try:
            answer = infer(callee.spelling, positional, keywords)
        except Mistake as mistake:
            return Outcome(mistake.with_traceback(None))
        except Unbindable:
            return Outcome(None)
        quiet = not answer.duties and not answer.doubts
        if callee.spelling.inplace:
            return Outcome(answer, None, answer.result)
        result = self.knowledge.readings.one(answer.result)
        named = self.checker.named_generic_type
        spelled: dict[str, Type] = {}
        passed: list[dims.Passed] = []
        variables: list[TypeVarType] = []
        for operand in (*call.operands, *call.keywords.values()):
            typed = self.knowledge.readings.of(operand.type).typed
            if typed is not None:
                spelled.update(typed.spelled)
                variables.extend(typed.variables.values())
                if typed.passed is not None:
                    passed.append(typed.passed)
        if result is UNKNOWN and callee.gives_several:
            pieces = pieces_of(callee.spelling, positional, keywords, callee.names)
            if pieces is not None and pieces.all is None:
                type_: Type = of_pieces(call.default, [pieces.each], spelled, named)
                return Outcome(answer, type_, UNKNOWN, quiet)
            if pieces is not None:
                result = self.knowledge.readings.one(pieces.all)
        default = default_of(call)
        if passed and not isinstance(result, tuple):
            through = passing.through(call, read, self.knowledge, passed[0].variable)
            tensor = dims.plain(default)
            if through is not None and tensor is not None:
                type_ = dims.write_passed(through, spelled, tensor, named)
                return Outcome(answer, type_, result, quiet)
        shown = result
        if variables:
            by_variable = passing.singly(call, read, self.knowledge, variables)
            if by_variable is not None:
                shown = by_variable[0]
                spelled |= by_variable[1]
        ranked = isinstance(result, tuple) and is_shape(result) and result
        if ranked and not any(map(self._is_union, call.operands)):
            default = as_array(call.operands, default)
        type_ = sharpened(default, shown, spelled, named)
        return Outcome(answer, None if type_ is call.default else type_, result, quiet)

    def _settle(self, call: Call, outcome: Outcome) -> Type:
        """The type of a call at this place, once its duties are settled by what is known here."""
        if not outcome.quiet:
            operands = by_name(call)
            if not self._report_answer(call.context, outcome.answer, operands):
                return call.default
            if call.callee.spelling.inplace:
                # The tensor and its type stay the same, but the op may have added names.
                changed = next(iter(operands.values()), None)
                self.knowledge.see_renamed(changed, outcome.result)
                return call.default
        if not call.implicit and isinstance(call.context, Expression):
            self.keep(call.context, outcome.result)
        return outcome.type or call.default

    def _report_answer(
        self, context: Context, answer: Answer | Mistake | None, by_name: Mapping[str, Operand]
    ) -> bool:
        """Report mistakes and suspicions at this place; whether the call is right."""
        if isinstance(answer, Mistake):
            self.report(answer, by_name, context)
            return False
        if answer is None:
            return False
        misaligned = any(doubt.is_suspicion for doubt in answer.doubts)
        for duty in answer.duties:
            verdict = self.knowledge.settle(duty)
            # In a broadcast one of two declared names may have size 1.
            suspicious = verdict is Verdict.CONTRADICTS_PRESUMED and not misaligned
            if verdict is Verdict.CONTRADICTED or (suspicious and self._suspects):
                self.report(duty.mistake, by_name, context)
                return False
        for doubt in answer.doubts:
            if doubt.is_suspicion and self._suspects:
                self.report(doubt, by_name, context)
            elif isinstance(doubt, RevealedNames):
                code = codes.of_rule(doubt.code)
                self._messages.note(doubt.message(), context, code=code)
        return True

    def keep(self, expression: Expression, result: Any) -> None:
        """Record what is known about an expression, and compare it with the annotations."""
        knowledge = self.knowledge
        knowledge.results[expression] = result
        expected = knowledge.expected
        if expected:
            for expectation in expected.get(expression, ()):
                shape = expectation.of(result)
                if is_shape(shape):
                    self._check(expectation, shape)

    def _check(self, expected: Expected, shape: Any) -> None:
        """Compare a returned or assigned value with its annotation (NC401)."""
        written, text = annotated.written_in(expected.type), annotated.text_of(expected.type)
        if written is None or text is None:
            return
        names = expected.scope.names
        # One return statement must not bind the names of the signature for the others.
        bound = dict(names) if expected.returned else names
        facts = self.knowledge.facts.copy()
        reason = mismatch(facts, bound, written, shape, None)
        if reason is None and expected.returned and self._suspects:
            if not self.knowledge.bindings.compares_sizes:
                reason = forced(facts, names, written, shape)
        if reason is None:
            return
        what = "returned value" if expected.returned else "value"
        mistake = AnnotationMismatch(found=shape, declared=text, reason=reason, what=what)
        self.report(mistake, {}, expected.expression)

    def of_declared(
        self, formals: Sequence[Formal], result: Type, context: Context, default: Type
    ) -> Type:
        """The type of a call of a function with annotated dims: the arguments bind the names."""
        names: Names = {}
        facts = self.knowledge.facts.copy()
        fact = Fact(Rank.DECLARED)
        for name, type_, operand in formals:
            written, text = annotated.written_in(type_), annotated.text_of(type_)
            shape = self.knowledge.reader.shape_of(operand)
            if written is None or text is None or shape is None or shape is UNKNOWN:
                continue
            reason = mismatch(facts, names, written, shape, fact)
            if reason is not None:
                mistake = ArgumentMismatch(
                    parameter=name, found=shape, declared=text, reason=reason, blame=(Blame(name),)
                )
                self.report(mistake, {name: operand}, context)
                return default
        if isinstance(context, Expression):
            shape = _declared(result, names)
            if shape is not UNKNOWN:
                self.keep(context, shape)
        return default

    def _is_union(self, operand: Operand) -> bool:
        expression = operand.expression
        type_ = None if expression is None else self.knowledge.type_of(expression)
        return isinstance(get_proper_type(type_), UnionType)

    def report(self, mistake: Mistake, by_name: Mapping[str, Operand], context: Context) -> None:
        """Report a mistake at the argument to blame, with notes on where the operands come from."""
        settings = self.knowledge.settings
        if mistake.code.startswith(settings.ignore):
            return
        blamed = [
            operand
            for blame in mistake.blame
            if (operand := by_name.get(blame.argument)) is not None and operand.expression
        ]
        place = blamed[-1].expression if blamed else None
        with self._unwatched():
            self._report_with_notes(mistake, blamed, place or context)

    def _report_with_notes(
        self, mistake: Mistake, blamed: Sequence[Operand], place: Context
    ) -> None:
        code = codes.of_rule(mistake.code)
        error = self._messages.fail(self._in_order(mistake, blamed).message(), place, code=code)
        if not self.knowledge.settings.notes:
            return
        origins = dict.fromkeys(map(self._origin, blamed))
        for text in origins:
            if text is not None:
                self._messages.note(text, place, code=code, parent_error=error)
        hint = mistake.hint()
        if hint is not None:
            self._messages.note(hint, place, code=code, parent_error=error)

    def _in_order(self, mistake: Mistake, blamed: Sequence[Operand]) -> Mistake:
        """The mistake with its operands in the order of the program."""
        operands = []
        for operand in blamed:
            typed, expression = self.knowledge.typed(operand), operand.expression
            if typed is not None and expression is not None:
                operands.append((expression.line, expression.column, show(typed.shape)))
        return mistake.in_order([shown for _, _, shown in sorted(operands)])

    @contextmanager
    def _unwatched(self) -> Iterator[None]:
        """Report errors even while mypy tries alternatives.

        mypy tries the methods of both sides of an operator, and the signatures of an overloaded
        function one after another, and takes an error as a sign that the alternative does not fit.
        It also tries out the parameter types of a lambda; there its watchers have to see errors.
        """
        errors = self._messages.errors
        watchers = errors._watchers
        tried = isinstance(self.knowledge.function, LambdaExpr)
        errors._watchers = watchers if tried else []
        try:
            yield
        finally:
            errors._watchers = watchers

    def _origin(self, operand: Operand) -> str | None:
        """A note on an operand's dims and where they come from; None if nothing is known."""
        typed = self.knowledge.typed(operand)
        if typed is None or typed.shape is UNKNOWN:
            return None
        expression = operand.expression
        if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
            line = expression.node.line
            since = f", from line {line}" if line > 0 else ""
            return f'"{expression.name}" is {show(typed.shape)}{since}'
        if isinstance(expression, MemberExpr) and isinstance(expression.expr, NameExpr):
            return f'"{expression.expr.name}.{expression.name}" is {show(typed.shape)}'
        return None


def _declared(returned: Type, names: Names) -> Any:
    """The result that a function's annotation declares, once its names are bound."""
    proper = get_proper_type(returned)
    if isinstance(proper, TupleType):
        parts = tuple(_declared(item, names) for item in proper.items)
        return UNKNOWN if all(part is UNKNOWN for part in parts) else parts
    written = annotated.written_in(returned)
    return UNKNOWN if written is None else declared_shape(names, written)


def _is_of_element(outcome: Outcome) -> bool:
    """Whether an element of an array is read, or a value with dims is assigned to one."""
    answer = outcome.answer
    return outcome.result == () or (isinstance(answer, ExpandSize) and answer.target == ())
