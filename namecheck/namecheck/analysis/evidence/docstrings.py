"""Docstring shapes: `x (Tensor): ... of shape (B, T, C)` of a parameter, `Returns: (B, C)`.

A docstring claims as a comment does, and less: what a parameter is said to be is adopted where
neither its annotation nor a comment says more, and what is said to be returned is compared with
what is. Which lines of a docstring claim anything is for `notation.docstrings` to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from namecheck.analysis import ir
from namecheck.analysis.evidence.claims import Said, meet
from namecheck.analysis.evidence.comments import suppose
from namecheck.analysis.values import Anything, Tensor, Value
from namecheck_runtime.notation.comments import Claim
from namecheck_runtime.notation.docstrings import read_docstring

if TYPE_CHECKING:
    from namecheck.analysis.evaluate import Evaluator
    from namecheck.analysis.path import Frame


def read(record: ir.FunctionDef) -> dict[str, Said]:
    """What the docstring of a function says of its parameters and, under "return", its result."""
    match record.body[:1]:
        case (ir.ExpressionStatement(ir.Str(text)) as statement,):
            found: dict[str, Said] = {}
            for name, claim in read_docstring(text):
                if _is_plain(claim):
                    line = statement.line + text.count("\n", 0, claim.start)
                    found[name] = Said(claim.alternatives[0], "docstring", line, claim.start)
            return found
    return {}


def _is_plain(claim: Claim) -> bool:
    return len(claim.alternatives) == 1 and not claim.before


def of_parameters(ev: Evaluator, frame: Frame, record: ir.FunctionDef) -> None:
    """What the docstring says of parameters of which nothing else does."""
    names = {
        parameter.name
        for parameter in record.parameters
        if parameter.kind not in ("variadic positional", "variadic keyword")
    }
    for name, said in read(record).items():
        if name in names:
            frame.documented |= suppose(ev, frame, record, name, said)


def of_result(ev: Evaluator, record: ir.FunctionDef, value: Value, node: ir.Node) -> None:
    """What the docstring says of what is returned."""
    said = read(record).get("return")
    if said is not None and isinstance(ev.resolve(value), (Tensor, Anything)):
        meet(ev, said._replace(believed=False), value, None, node)
