"""Docstring shapes: `x (Tensor): ... of shape (B, T, C)` of a parameter, `Returns: (B, C)`.

A docstring makes claims as a comment does, but counts for less. A parameter adopts its claim only
if neither an annotation nor a comment says more; a returned value is compared with its claim.
`notation.docstrings` says which lines of a docstring are claims.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from namecheck.analysis.evidence.claims import ShapeClaim, meet, suppose
from namecheck.analysis.reading import ir
from namecheck.analysis.state.values import Anything, Tensor, Value
from namecheck_runtime.notation.comments import Claim
from namecheck_runtime.notation.docstrings import read_docstring

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Frame


def read(record: ir.FunctionDef) -> Mapping[str, ShapeClaim]:
    """What the docstring of a function says of its parameters and, under "return", its result."""
    match record.body[:1]:
        case (ir.ExpressionStatement(ir.Str(text)) as statement,):
            return _read(text, statement.line)
    return {}


@lru_cache(maxsize=64)
def _read(text: str, first: int) -> Mapping[str, ShapeClaim]:
    """The claims of a docstring that begins on line `first`; each `return` asks for them."""
    claims = read_docstring(text)
    lines: dict[int, int] = {}
    line, position = first, 0
    for start in sorted(claim.start for _, claim in claims):
        line += text.count("\n", position, start)
        position = start
        lines[start] = line
    return {
        name: ShapeClaim(
            claim.alternatives[0],
            "docstring",
            lines[claim.start],
            claim.start,
            evident=claim.evident,
        )
        for name, claim in claims
        if _is_plain(claim)
    }


def _is_plain(claim: Claim) -> bool:
    return len(claim.alternatives) == 1 and not claim.before


def of_parameters(ev: Evaluator, frame: Frame, documented: bool) -> None:
    """Apply the docstring to parameters about which nothing is known, if it is `documented`."""
    record = None if frame.function is None else frame.function.record
    if not documented or not isinstance(record, ir.FunctionDef):
        return
    parameters = {
        parameter.name: parameter
        for parameter in record.parameters
        if parameter.kind not in ("variadic positional", "variadic keyword")
    }
    for name, claim in read(record).items():
        if name in parameters:
            frame.written.documented |= suppose(ev, frame, parameters[name], claim)


def of_result(ev: Evaluator, node: ir.Return, value: Value) -> Value:
    """Compare a value that is returned with what the docstring says of it."""
    record = None if ev.frame.function is None else ev.frame.function.record
    if ev.trials.calls is not None or not isinstance(record, ir.FunctionDef) or node.value is None:
        return value
    claim = read(record).get("return")
    if claim is not None and isinstance(ev.resolve(value), (Tensor, Anything)):
        meet(ev, claim._replace(believed=False), value, None, node.value)
    return value
