"""A comment beside an unpacked shape that has the names in another order (NC402).

    B, C, H, W = x.shape  # (C, B, H, W)

The targets say what each dim is called, so the comment can only repeat them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.reading import ir
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.mistakes.claims import CommentSlip
from namecheck_runtime.notation.comments import read_comment
from namecheck_runtime.notation.syntax import render_term
from namecheck_runtime.notation.written import plain_name

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck_runtime.notation.syntax import WrittenDim, WrittenShape


def check(ev: Evaluator, statement: ir.Statement) -> None:
    """Blame a comment beside an unpacking that has two of its names in each other's places."""
    if not ev.alive or ev.by_defaults or ev.frame.depth or not isinstance(statement, ir.Assign):
        return
    owner = _owner(statement.value)
    match statement.targets:
        case (ir.Tuple(elements) | ir.List(elements),) if owner is not None:
            names = [_name(target) for target in elements]
        case _:
            return
    question = (statement.targets[0].id, "unpacked")
    for comment in ev.frame.source.comments.get(statement.id, ()):
        if comment.place != "trailing":
            continue
        claims = read_comment(comment.text)
        if len(claims) != 1 or claims[0].before or len(claims[0].alternatives) != 1:
            continue
        if claims[0].label not in (None, owner, "shape"):
            continue
        ev.frame.look(question)
        written = claims[0].alternatives[0]
        swapped = _swapped(names, written)
        if swapped is not None:
            mistake = CommentSlip(
                found=UNKNOWN,
                claimed=f"({', '.join(map(_text, written.dims))})",
                reason=f"dim {swapped[1]} is unpacked as '{swapped[0]}'",
            )
            ev.blame(mistake, mistake.level, statement.targets[0], {}, question=question)
            return


def _owner(value: ir.Expression) -> str | None:
    """The variable whose shape a value is; "" for that of another expression, None for no shape."""
    match value:
        case ir.Attribute(owner, "shape") | ir.Call(ir.Attribute(owner, "size"), (), ()):
            return str(owner.name) if isinstance(owner, ir.Name) else ""
    return None


def _name(target: ir.Expression) -> str:
    """The name of a target; "" if it has none or drops its part, `*` for any number of parts."""
    if isinstance(target, ir.Starred):
        return "*"
    name = target.name if isinstance(target, (ir.Name, ir.Attribute)) else ""
    return "" if name.startswith("_") else name


def _text(dim: WrittenDim) -> str:
    return "..." if dim.many else "_" if dim.term is None else render_term(dim.term)


def _swapped(names: Sequence[str], written: WrittenShape) -> tuple[str, int] | None:
    """A name and its place, if the comment has another of the names there, and it elsewhere."""
    labels = [(plain_name(dim) or "").lower() for dim in written.dims]
    if any(dim.many for dim in written.dims):
        return None
    if "*" in names:
        if len(labels) < len(names) - 1:
            return None
        names = names[: names.index("*")]
        labels = labels[: len(names)]
    elif len(names) != len(labels):
        return None
    words = [name.lower() for name in names]
    for place, (name, label) in enumerate(zip(names, labels, strict=True)):
        word = name.lower()
        if not word or not label or word == label:
            continue
        counts = [labels.count(word), words.count(word), labels.count(label), words.count(label)]
        if counts == [1, 1, 1, 1]:
            return name, place
    return None


__all__ = ["check"]
