"""The interpreter: the state of a walk, with the module that makes each of its moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from namecheck.analysis.asking import blaming
from namecheck.analysis.python import assignment, calls, statements
from namecheck.analysis.python.expressions import TABLE
from namecheck.analysis.reading import ir
from namecheck.analysis.state import rank_back
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.evaluate import Evaluator
from namecheck.analysis.state.values import Claimed, Tensor, Value
from namecheck_runtime import declare, layers
from namecheck_runtime.lattice import Size
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.sizes import Fact


class Interpreter(Evaluator):
    """An evaluator whose moves are functions of the modules above the state."""

    def __init__(self, source: Any, world: Mapping[Any, Any] | None = None) -> None:
        super().__init__(source, world)
        self.on_expression = TABLE

    def run(self, body: Sequence[ir.Statement], first: int = 0) -> None:
        statements.run(self, body, first)

    def call(
        self,
        callee: Value,
        arguments: Sequence[Argument] | None,
        keywords: Mapping[str, Argument] | None,
        node: ir.Call | None,
    ) -> Value:
        return calls.call_value(self, callee, arguments, keywords, node)

    def assign(self, target: ir.Expression, value: Value, origin: ir.Expression | None) -> None:
        assignment.assign(self, target, value, origin)

    def opposes(self, left: Size, right: Size, mistake: Mistake | None = None) -> bool:
        return blaming.opposes(self, left, right, mistake)

    def blame(
        self,
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
        blaming.blame(
            self, mistake, level, node, by_name, facts, question, requires, notes, call, root
        )

    def teach(self, result: Value, known: Tensor) -> None:
        rank_back.teach(self, result, known)

    def another(self, source: Any, world: Mapping[Any, Any] | None = None) -> Evaluator:
        return Interpreter(source, world)
