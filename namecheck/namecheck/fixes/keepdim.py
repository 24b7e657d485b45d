"""NC1xx and NC2xx if a reduction removed a dim that a broadcast needs: `keepdim=True`.

`x - x.mean(-1)` is aligned wrongly, `x - x.mean(-1, keepdim=True)` is not. The reduction may be in
an operand, or in the assignment that gave the operand its value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from namecheck.findings import Applicability, Edit, Finding, Fix
from namecheck.fixes.code import Code
from namecheck.frameworks import ARRAY_PACKAGES, numpy, torch
from namecheck_runtime import rules as rules  # fills the registry
from namecheck_runtime.binding import REQUIRED, Rule
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.mistakes.base import Mistake

__all__ = ["candidates"]

MOST: Final = 6
"""The most reductions that are tried for one finding."""

_SAID: Final = "the docstring says "
"""How a note begins that quotes a docstring."""

_CLOSED = regex(r"\s*\)")


def candidates(finding: Finding, mistake: Mistake | None, code: Code) -> Iterator[Fix]:
    """`keepdim=True` for each reduction that an operand may come from.

    Unsafe: its result has other dims from there on. If the finding rests on a docstring, only what
    was reduced may keep its dims for itself: the docstring may be wrong about another operand.
    """
    tried: list[tuple[str, Edit]] = []
    ranks = _rank(mistake, "left"), _rank(mistake, "right")
    if ranks[0] is not None and ranks[0] == ranks[1]:
        return  # of the same rank: one more dim would only broadcast them into a table
    for call in _reductions(_operands(finding, code, ranks), finding, code):
        kept = None if _may_be_misdescribed(call, finding, code) else _kept(call, code)
        if kept is not None and kept not in tried and len(tried) < MOST:
            tried.append(kept)
            keyword, edit = kept
            yield Fix(Applicability.UNSAFE, f"Add `{keyword}=True`", (edit,))
    # `(x - mean) / std` needs both of them.
    together = {
        edit: keyword
        for call in _reductions(_statement(finding, code), finding, code)
        if not _may_be_misdescribed(call, finding, code)
        for keyword, edit in filter(None, [_kept(call, code)])
    }
    if 1 < len(together) <= MOST:
        keyword = next(iter(together.values()))
        title = f"Add `{keyword}=True` to {len(together)} reductions"
        yield Fix(Applicability.UNSAFE, title, tuple(together))


def _may_be_misdescribed(call: ast.Call, finding: Finding, code: Code) -> bool:
    """Whether a docstring gives the shape of another operand than of the tensor that is reduced."""
    if not any(note.text.startswith(_SAID) for note in finding.notes):
        return False
    reduced = {node.id for node in ast.walk(call) if isinstance(node, ast.Name)}
    inside = set(map(id, ast.walk(call)))
    return not any(
        isinstance(node, ast.Name) and node.id in reduced and id(node) not in inside
        for expression in _statement(finding, code)
        for node in ast.walk(expression)
    )


def _rank(mistake: Mistake | None, operand: str) -> int | None:
    """The rank of an operand, if the mistake has its shape."""
    shape = getattr(mistake, operand, None)
    return len(shape) if isinstance(shape, tuple) else None


Ranks = tuple[int | None, int | None]


def _operands(finding: Finding, code: Code, ranks: Ranks) -> Iterator[ast.expr]:
    """The operands that may have lost a dim: of two, the one with fewer dims."""
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
    """The largest expression around a finding."""
    start, end = code.stretch(finding.span)
    for node in code.around(finding.span.line):  # the outermost one comes first
        if isinstance(node, ast.expr):
            first, last = code.stretch_of(node)
            if first <= start and end <= last:
                yield node
                return


def _reductions(operands: Iterable[ast.expr], finding: Finding, code: Code) -> Iterator[ast.Call]:
    """The reductions in operands, and in the values last assigned to their variables."""
    names = []
    for operand in operands:
        for node in ast.walk(operand):
            if isinstance(node, ast.Call) and _reduces_dims(node):
                yield node
            elif isinstance(node, ast.Name):
                names.append(node.id)
    for name in dict.fromkeys(names):
        value = _assigned(name, finding, code)
        for node in ast.walk(value) if value is not None else ():
            if isinstance(node, ast.Call) and _reduces_dims(node):
                yield node


def _assigned(name: str, finding: Finding, code: Code) -> ast.expr | None:
    """The value last assigned to a variable before a finding, in the same function."""
    inside: ast.AST | None = code.tree
    for node in code.around(finding.span.line):  # the innermost one comes last
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert node.end_lineno is not None
            if node.lineno <= finding.span.line <= node.end_lineno:
                inside = node
    return None if inside is None else code.assigned(name, inside, finding.span.line)


def _reduces_dims(call: ast.Call) -> bool:
    """Whether a call is a reduction of some dims that it names."""
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name) if is_reduction(name):
            pass
        case _:
            return False
    keywords = {keyword.arg for keyword in call.keywords}
    if None in keywords or any(isinstance(argument, ast.Starred) for argument in call.args):
        return False
    return bool(keywords & {"dim", "axis", "dims"}) or bool(call.args)


def is_reduction(name: str) -> bool:
    """Whether PyTorch or NumPy has a function of this name that removes dims, or keeps them as 1.

    If both have one, both must take `keepdim`: the name does not say which of them is called.
    """
    paths = [f"{library}.{name}" for library in (torch.PACKAGE, numpy.PACKAGE)]
    rules_of_all = [REGISTRY[path].op.rules for path in paths if path in REGISTRY]
    return any(map(_reduces, paths)) and all(any(map(_keeps, r)) for r in rules_of_all)


def _keeps(rule: Rule) -> bool:
    """Whether a rule takes `keepdim`."""
    return any(parameter.name == "keepdim" for parameter in rule.parameters)


def _reduces(path: str) -> bool:
    """Whether a function takes `keepdim`, needs only a tensor and dims, and returns one tensor."""
    for rule in REGISTRY[path].op.rules if path in REGISTRY else ():
        required = {p.name for p in rule.parameters if p.default is REQUIRED}
        if _keeps(rule) and required <= {"input", "dim"} and rule.returns == "Shape":
            return True
    return False


def is_method(name: str) -> bool:
    """Whether PyTorch's tensors and NumPy's arrays both have a reduction as a method."""
    return f"Tensor.{name}" in REGISTRY and _reduces(f"ndarray.{name}")


def _keyword(call: ast.Call, code: Code) -> str:
    """`keepdim` as PyTorch spells it, or `keepdims` as NumPy and JAX do."""
    keywords = {keyword.arg for keyword in call.keywords}
    for spelled in ("keepdim", "keepdims"):
        if spelled in keywords:
            return spelled
    modules = _imported(code)
    root: ast.expr = call.func
    while isinstance(root, ast.Attribute):
        root = root.value
    if isinstance(root, ast.Name) and root.id in modules:
        return "keepdim" if modules[root.id] == torch.PACKAGE else "keepdims"
    libraries = set(modules.values())
    if "dim" in keywords or not libraries or libraries == {torch.PACKAGE}:
        return "keepdim"
    # If both are used, the word that PyTorch takes, too: `x.mean(1, keepdims=True)`.
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return "keepdims" if torch.PACKAGE not in libraries or is_method(method) else "keepdim"


def _imported(code: Code) -> dict[str, str]:
    """The names under which a file imports array libraries, with the library."""
    libraries = {}
    for node in code.imports:
        if isinstance(node, ast.Import):
            for alias in node.names:
                library = alias.name.partition(".")[0]
                if library in ARRAY_PACKAGES:
                    libraries[alias.asname or library] = library
        elif node.module and not node.level:
            library = node.module.partition(".")[0]
            if library in ARRAY_PACKAGES:
                libraries.update({alias.asname or alias.name: library for alias in node.names})
    return libraries


def _kept(call: ast.Call, code: Code) -> tuple[str, Edit] | None:
    """The keyword, and the edit that adds it, for a call to keep its dims; None if it does."""
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
