"""NC601: code for PyTorch's named tensors, with positions in the place of names.

Names become positions, and methods that only change names are removed. Moving to the tensors of
`namecheck_runtime` depends on the rest of the program, so that fix is shown and never applied.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from namecheck.findings import Applicability, Edit, Finding, Fix
from namecheck.fixes.code import Code
from namecheck.frameworks import torch
from namecheck_runtime import rules as rules
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.lattice import Shape
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.mistakes.migration import RemovedNamedTensors

__all__ = ["candidates"]


def candidates(finding: Finding, mistake: Mistake | None, code: Code) -> Iterator[Fix]:
    """Positions for names, or the tensors that still have names."""
    if not isinstance(mistake, RemovedNamedTensors):
        return
    for call in code.at(finding.span, ast.Call):
        yield from _of_call(call, mistake, code)
    for attribute in code.at(finding.span, ast.Attribute):
        if attribute.attr == "names" and isinstance(attribute.ctx, ast.Store):
            yield from _without_statement(attribute, code)
    yield from _moved_to_runtime(code)


def _of_call(call: ast.Call, mistake: RemovedNamedTensors, code: Code) -> Iterator[Fix]:
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if mistake.names:
        yield from _by_position(call, method, mistake, code)
    elif mistake.argument:
        yield from _without_names(call, mistake.argument, code)
    elif method == "align_to":
        yield from _permuted(call, mistake.shape, code)
    elif is_renaming(method):
        yield from _without_renaming(call, code)


def is_renaming(method: str) -> bool:
    """Whether PyTorch has removed a method that gives a tensor other names.

    `align_to` is one as well, but it also moves the dims.
    """
    spelling = REGISTRY.get(f"Tensor.{method}")
    if spelling is None or spelling.op.removed is None:
        return False
    return "names" in spelling.op.parameters


def _by_position(
    call: ast.Call, method: str, mistake: RemovedNamedTensors, code: Code
) -> Iterator[Fix]:
    """`x.sum("C")` as `x.sum(1)`."""
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    places = [place for place in mistake.positions if place is not None]
    if len(places) != len(mistake.names):
        return
    listed = ", ".join(map(str, places))
    if method == "flatten":
        first = call.args[1:] if _is_torch(call) else call.args
        if places != list(range(places[0], places[0] + len(places))) or len(first) != 2:
            return
        begin, end = code.stretch_of(first[0])[0], code.stretch_of(first[1])[1]
        edit = Edit(code.span(begin, end), f"{places[0]}, {places[-1]}")
        yield Fix(Applicability.UNSAFE, f"Flatten dims {places[0]} to {places[-1]}", (edit,))
        return
    for argument in arguments:
        edits = list(_numbers(argument, mistake.names, places, code))
        if len(edits) != len(places):
            continue
        if method == "unflatten":
            sizes = _sizes(call, code)
            if sizes is None:
                return
            edits.append(sizes)
        what = "the position" if len(places) == 1 else "the positions"
        yield Fix(Applicability.UNSAFE, f"Write {what} {listed}", tuple(edits))
        return


def _is_torch(call: ast.Call) -> bool:
    """Whether a call is one of a function of torch, with the tensor as its first argument."""
    return isinstance(call.func, ast.Attribute) and (
        isinstance(call.func.value, ast.Name) and call.func.value.id == torch.PACKAGE
    )


def _numbers(
    argument: ast.expr, names: Sequence[str], places: Sequence[int], code: Code
) -> Iterator[Edit]:
    """An edit for every name in an argument, which is a name or a tuple of names."""
    elements = argument.elts if isinstance(argument, (ast.Tuple, ast.List)) else [argument]
    written = [e.value for e in elements if isinstance(e, ast.Constant) and type(e.value) is str]
    if written != list(names):
        return
    strings = (e for e in elements if isinstance(e, ast.Constant) and type(e.value) is str)
    for element, place in zip(strings, places, strict=True):
        yield Edit(code.span(*code.stretch_of(element)), str(place))


def _sizes(call: ast.Call, code: Code) -> Edit | None:
    """`(("a", 1), ("b", 3))` as `(1, 3)`."""
    pairs = call.args[-1]
    if not isinstance(pairs, (ast.Tuple, ast.List)):
        return None
    sizes = []
    for pair in pairs.elts:
        if not isinstance(pair, (ast.Tuple, ast.List)) or len(pair.elts) != 2:
            return None
        sizes.append(code.written(pair.elts[1]))
    return Edit(code.span(*code.stretch_of(pairs)), f"({', '.join(sizes)})")


_COMMA = regex(r"\s*,\s*$")
_LAST_COMMA = regex(r"\s*,")


def _without_names(call: ast.Call, argument: str, code: Code) -> Iterator[Fix]:
    """A factory without `names=`; the names go into a comment if there is room for one."""
    for keyword in call.keywords:
        if keyword.arg != argument:
            continue
        start, end = code.stretch_of(keyword)
        before = _COMMA.search(code.text, code.stretch_of(call.func)[1], start)
        if before is not None:
            start = before.start()
        elif (after := _LAST_COMMA.match(code.text, end)) is not None:
            end = after.end()
        edit = Edit(code.span(start, end), "")
        title = f"Remove `{argument}=`"
        comment = _comment(call, keyword.value, code)
        if comment is not None:
            kept = f"{title} and keep the names in a comment"
            yield Fix(Applicability.UNSAFE, kept, (edit, comment))
        yield Fix(Applicability.UNSAFE, title, (edit,))


def _comment(call: ast.Call, names: ast.expr, code: Code) -> Edit | None:
    """`  # (N, C)` after an assignment, if the rest of the line is empty."""
    words = names.elts if isinstance(names, (ast.Tuple, ast.List)) else []
    texts = [w.value for w in words if isinstance(w, ast.Constant) and isinstance(w.value, str)]
    if not texts or len(texts) != len(words):
        return None
    for node in code.around(call.lineno):
        if isinstance(node, ast.Assign) and node.value is call:
            _, end = code.stretch_of(node)
            line = code.lines[node.end_lineno - 1].rstrip("\r\n")  # type: ignore[operator]
            if end == code.offset(node.end_lineno or 1, len(line) + 1):
                last = "," if len(texts) == 1 else ""
                return Edit(code.span(end, end), f"  # ({', '.join(texts)}{last})")
    return None


def _without_renaming(call: ast.Call, code: Code) -> Iterator[Fix]:
    """`x.refine_names("N", "C")` as `x`."""
    assert isinstance(call.func, ast.Attribute)
    title = f"Remove `{call.func.attr}`"
    receiver = call.func.value
    for node in code.around(call.lineno):
        match node:
            case ast.Expr(value) if value is call and isinstance(receiver, ast.Name):
                yield from _without_statement(call, code)
                return
            case ast.Assign([ast.Name(target)], value) if value is call:
                if isinstance(receiver, ast.Name) and receiver.id == target:
                    yield from _without_statement(call, code)
                    return
    _, end = code.stretch_of(call.func)
    dot = code.text.rindex(".", 0, end - len(call.func.attr) + 1)
    before = len(code.text[:dot].rstrip()) if code.text[:dot].rstrip()[-1:] not in "\\" else dot
    edit = Edit(code.span(before, code.stretch_of(call)[1]), "")
    yield Fix(Applicability.UNSAFE, title, (edit,))


def _permuted(call: ast.Call, shape: Shape, code: Code) -> Iterator[Fix]:
    """`x.align_to("C", "N")` as `x.permute(1, 0)`, if no dim is new."""
    assert isinstance(call.func, ast.Attribute)
    names = [dim.name for dim in shape] if isinstance(shape, tuple) else []
    order: list[object] = [a.value for a in call.args if isinstance(a, ast.Constant)]
    if len(order) != len(call.args) or call.keywords or not names:
        return
    if ... in order:
        rest = [name for name in names if name not in order]
        place = order.index(...)
        order[place : place + 1] = rest
    if None in names or set(order) != set(names) or len(order) != len(names):
        return
    places = ", ".join(str(names.index(name)) for name in order)  # type: ignore[arg-type]
    _, end = code.stretch_of(call.func)
    edit = Edit(code.span(end - len("align_to"), code.stretch_of(call)[1]), f"permute({places})")
    yield Fix(Applicability.UNSAFE, f"Permute the dims to {places}", (edit,))


def _without_statement(node: ast.expr, code: Code) -> Iterator[Fix]:
    """The fix that removes the statement around a node, with its line if it is alone there."""
    start, end = code.stretch_of(node)
    for outer in code.around(node.lineno):
        for block in ("body", "orelse", "finalbody"):
            statements = getattr(outer, block, ())
            yield from _removals(
                statements if isinstance(statements, list) else (), start, end, code
            )
    if code.tree is not None:
        yield from _removals(code.tree.body, start, end, code)


def _removals(block: Sequence[ast.stmt], start: int, end: int, code: Code) -> Iterator[Fix]:
    line = code.place(start)[0]
    for statement in block:
        if not statement.lineno <= line <= (statement.end_lineno or 0):
            continue
        first, last = code.stretch_of(statement)
        if not (first <= start and end <= last) or isinstance(
            getattr(statement, "body", None), list
        ):
            continue
        begin = code.offset(statement.lineno, 1)
        after = code.offset((statement.end_lineno or 1) + 1, 1)
        alone = not code.text[begin:first].strip() and not code.text[last:after].strip()
        title = "Remove the statement"
        if alone and len(block) > 1:
            yield Fix(Applicability.UNSAFE, title, (Edit(code.span(begin, after), ""),))
        else:
            yield Fix(Applicability.UNSAFE, title, (Edit(code.span(first, last), "pass"),))


def _moved_to_runtime(code: Code) -> Iterator[Fix]:
    """`import namecheck_runtime as torch`; whether the rest of the file allows it is not known."""
    for node in code.imports:
        match node:
            case ast.Import([ast.alias(torch.PACKAGE, None) as alias]):
                edit = Edit(code.span(*code.stretch_of(alias)), "namecheck_runtime as torch")
                title = "Import `namecheck_runtime` as `torch`: its tensors have names"
                yield Fix(Applicability.DISPLAY, title, (edit,))
                return
