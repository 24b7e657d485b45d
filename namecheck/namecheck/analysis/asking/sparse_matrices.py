"""Where an unknown value may be a sparse matrix, which has the methods of an array and other rules.

Its sums keep both dims, as does a row of it, and `m * n` is a product of matrices. A file that
imports them and not PyTorch may compute with them everywhere. In any other file a function does if
it uses what no array has: `counts.sum(axis=0).getA1()`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.bindings import Same
from namecheck.analysis.reading.walking import walk_for
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.values import Constant, Tensor, Value
from namecheck.frameworks import python, scipy
from namecheck_runtime import declare

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_DIMS: Final = 2


def are_used(ev: Evaluator) -> bool:
    """Whether a value of which only the dims are known may be a sparse matrix here."""
    file = ev.frame.source.file
    if file.has_sparse:
        return True
    frame: Frame | None = ev.frame if file.speaks_of_sparse else None
    while frame is not None:
        if frame.function is not None and _uses(Same(frame.function.record), file.sparse_names):
            return True
        frame = frame.parent
    return False


def may_be_one(ev: Evaluator, value: Value) -> bool:
    """Whether a value may be a sparse matrix: nothing says which library its dims belong to."""
    return (
        type(value) is Tensor
        and not value.library
        and (not isinstance(value.shape, tuple) or len(value.shape) == _DIMS)
        and are_used(ev)
    )


def reads_otherwise(
    ev: Evaluator, spelling: declare.Spelling, arguments: Sequence[Argument]
) -> bool:
    """Whether an op means something else if an operand is a sparse matrix, as it may be.

    A reduction keeps the dim, and `*` is a product of matrices.
    """
    if spelling.op is _PRODUCT:
        return any(may_be_one(ev, ev.resolve(argument.value)) for argument in arguments)
    return (
        bool(arguments)
        and any(one.name == "keepdim" for one in spelling.op.rules[0].parameters)
        and may_be_one(ev, ev.resolve(arguments[0].value))
    )


def gives_one(ev: Evaluator, method: str, keywords: Keywords) -> bool:
    """Whether an unknown call gives a sparse matrix: `x.tocsr()`, `read(path, form="csr")`."""
    if method in scipy.GIVING:
        return True
    values = [ev.resolve(argument.value) for argument in keywords.values()]
    return any(_is_format(value) for value in values)


def _is_format(value: Value) -> bool:
    if not isinstance(value, Constant):
        return False
    return isinstance(value.value, str) and value.value in scipy.FORMATS


_PRODUCT: Final = declare.REGISTRY[python.OPERATORS["*"]].op


_SAYING: Final = frozenset({ir.Attribute, ir.Name, ir.Keyword})


@lru_cache(maxsize=64)
def _uses(function: Same, names: frozenset[str]) -> bool:
    """Whether a function uses what only sparse matrices have, or a name that makes them."""
    for record in walk_for(function.record, _SAYING):
        match record:
            case ir.Attribute(ir.Name(owner), name) if name in scipy.ONLY:
                if owner != "self":  # `self.A1` is an attribute of the project
                    return True
            case ir.Attribute(_, name) if name in scipy.ONLY:
                return True
            case ir.Attribute(ir.Name(scipy.PACKAGE), "sparse"):
                return True
            case ir.Name(name) if name in names:
                return True
            case ir.Keyword(_, ir.Str(value)) if value in scipy.FORMATS:
                return True
    return False
