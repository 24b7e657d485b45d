"""NC1xx and NC2xx where a reduction took a dim away that a broadcast needs: `keepdim=True`.

`x - x.mean(-1)` lines up wrongly, `x - x.mean(-1, keepdim=True)` does not. The reduction may stand
in an operand, or in the assignment that gave the operand its value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from namecheck.findings import Applicability, Edit, Finding, Fix
from namecheck.fixes.code import Code
from namecheck_runtime import rules as rules  # fills the registry
from namecheck_runtime.binding import REQUIRED
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.mistakes.base import Mistake

__all__ = ["candidates"]

NOT_FIXED: Final = frozenset(("count_nonzero", "nanargmax", "nanargmin", "ptp"))
"""Reductions that could be fixed likewise, and are not yet."""

MOST: Final = 6
"""The most reductions that are tried for one finding."""

_CLOSED = regex(r"\s*\)")


def candidates(finding: Finding, mistake: Mistake | None, code: Code) -> Iterator[Fix]:
    """`keepdim=True` for each reduction that an operand may come from. Unsafe: what it gives has
    other dims from there on.
    """
    tried: list[tuple[str, Edit]] = []
    ranks = _rank(mistake, "left"), _rank(mistake, "right")
    if ranks[0] is not None and ranks[0] == ranks[1]:
        return  # both came out alike: one more dim would only broadcast them into a table
    for call in _reductions(_operands(finding, code, ranks), finding, code):
        found = _kept(call, code)
        if found is not None and found not in tried and len(tried) < MOST:
            tried.append(found)
            keyword, edit = found
            yield Fix(Applicability.UNSAFE, f"Add `{keyword}=True`", (edit,))
    # `(x - mean) / std` comes right only with both of them.
    both = {
        edit: keyword
        for call in _reductions(_statement(finding, code), finding, code)
        for keyword, edit in filter(None, [_kept(call, code)])
    }
    if 1 < len(both) <= MOST:
        keyword = next(iter(both.values()))
        title = f"Add `{keyword}=True` to {len(both)} reductions"
        yield Fix(Applicability.UNSAFE, title, tuple(both))


def _rank(mistake: Mistake | None, operand: str) -> int | None:
    """How many dims an operand has, as far as the mistake tells."""
    shape = getattr(mistake, operand, None)
    return len(shape) if isinstance(shape, tuple) else None


Ranks = tuple[int | None, int | None]


def _operands(finding: Finding, code: Code, ranks: Ranks) -> Iterator[ast.expr]:
    """What may have lost a dim: of two operands the one that has fewer."""
    first, second = ranks
    for statement in code.at(finding.span, ast.AugAssign):
        yield statement.value
    spans = {label.span for label in finding.labels}
    for node in code.at(finding.span, ast.expr):
        match node:
            case ast.BinOp(left, _, right) | ast.Compare(left, _, [right]):
                if first is None or second is None or first > second:
                    yield right
                if first is None or second is None or first < second:
                    yield left
            case ast.Call():
                of_method = [node.func.value] if isinstance(node.func, ast.Attribute) else []
                for argument in (*node.args, *of_method):
                    if code.span(*code.stretch_of(argument)) in spans:
                        yield argument


def _statement(finding: Finding, code: Code) -> Iterator[ast.expr]:
    """The expression that a finding is a part of, as large as it is."""
    start, end = code.stretch(finding.span)
    for node in code.around(finding.span.line):  # the outermost one comes first
        if isinstance(node, ast.expr):
            first, last = code.stretch_of(node)
            if first <= start and end <= last:
                yield node
                return


def _reductions(operands: Iterable[ast.expr], finding: Finding, code: Code) -> Iterator[ast.Call]:
    """The reductions in operands, and in what their variables were last assigned."""
    names = []
    for operand in operands:
        for node in ast.walk(operand):
            if isinstance(node, ast.Call) and _takes_dims_away(node):
                yield node
            elif isinstance(node, ast.Name):
                names.append(node.id)
    for name in dict.fromkeys(names):
        value = _assigned(name, finding, code)
        for node in ast.walk(value) if value is not None else ():
            if isinstance(node, ast.Call) and _takes_dims_away(node):
                yield node


def _assigned(name: str, finding: Finding, code: Code) -> ast.expr | None:
    """What a variable was last assigned before a finding, in the function of the finding."""
    inside: ast.AST | None = code.tree
    for node in code.around(finding.span.line):  # the innermost one comes last
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert node.end_lineno is not None
            if node.lineno <= finding.span.line <= node.end_lineno:
                inside = node
    return None if inside is None else code.assigned(name, inside, finding.span.line)


def _takes_dims_away(call: ast.Call) -> bool:
    """Whether a call reduces some dims, which it says itself."""
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name) if is_reduction(name):
            pass
        case _:
            return False
    given = {keyword.arg for keyword in call.keywords}
    if None in given or any(isinstance(argument, ast.Starred) for argument in call.args):
        return False
    return bool(given & {"dim", "axis", "dims"}) or bool(call.args)


def is_reduction(name: str) -> bool:
    """Whether PyTorch or NumPy has a function of this name that takes dims away, and keeps each of
    them as 1 if it is given `keepdim`.
    """
    return name not in NOT_FIXED and any(map(_reduces, (f"torch.{name}", f"numpy.{name}")))


def _reduces(path: str) -> bool:
    """Whether a function takes `keepdim`, needs only a tensor and dims, and returns one tensor."""
    spelling = REGISTRY.get(path)
    for rule in () if spelling is None else spelling.op.rules:
        required = {p.name for p in rule.parameters if p.default is REQUIRED}
        takes_keepdim = any(p.name == "keepdim" for p in rule.parameters)
        if takes_keepdim and required <= {"input", "dim"} and rule.returns == "Shape":
            return True
    return False


def is_method(name: str) -> bool:
    """Whether PyTorch's tensors and NumPy's arrays both have a reduction as a method."""
    return f"Tensor.{name}" in REGISTRY and _reduces(f"ndarray.{name}")


def _keyword(call: ast.Call, code: Code) -> str:
    """`keepdim` as PyTorch spells it, or `keepdims` as NumPy and JAX do."""
    given = {keyword.arg for keyword in call.keywords}
    for spelled in ("keepdim", "keepdims"):
        if spelled in given:
            return spelled
    modules = _imported(code)
    root: ast.expr = call.func
    while isinstance(root, ast.Attribute):
        root = root.value
    if isinstance(root, ast.Name) and root.id in modules:
        return "keepdim" if modules[root.id] == "torch" else "keepdims"
    libraries = set(modules.values())
    if "dim" in given or not libraries or libraries == {"torch"}:
        return "keepdim"
    # Where both are used, what PyTorch takes too: `x.mean(1, keepdims=True)`.
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return "keepdims" if "torch" not in libraries or is_method(method) else "keepdim"


def _imported(code: Code) -> dict[str, str]:
    """The names that a file gives to libraries of arrays, with the library."""
    found = {}
    for node in code.imports:
        if isinstance(node, ast.Import):
            for alias in node.names:
                library = alias.name.partition(".")[0]
                if library in ("torch", "numpy", "jax"):
                    found[alias.asname or library] = library
        elif node.module and not node.level:
            library = node.module.partition(".")[0]
            if library in ("torch", "numpy", "jax"):
                found.update({alias.asname or alias.name: library for alias in node.names})
    return found


def _kept(call: ast.Call, code: Code) -> tuple[str, Edit] | None:
    """The keyword and the edit that make a call keep its dims; None if it does."""
    keyword = _keyword(call, code)
    for given in call.keywords:
        if given.arg == keyword:
            if isinstance(given.value, ast.Constant) and given.value.value is False:
                return keyword, Edit(code.span(*code.stretch_of(given.value)), "True")
            return None
    _, end = code.stretch_of(call)
    place = max(code.stretch_of(given)[1] for given in (*call.args, *call.keywords))
    while (closed := _CLOSED.match(code.text, place, end - 1)) is not None:
        place = closed.end()
    return keyword, Edit(code.span(place, place), f", {keyword}=True")
