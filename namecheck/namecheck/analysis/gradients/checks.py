"""What is wrong with writes, and with `backward`: NC503 and NC504.

A write is known by its place among the writes to its memory, as PyTorch's version counter has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from namecheck.analysis.reading import ir
from namecheck.analysis.state.values import (
    NONE,
    Gradient,
    GraphNode,
    List,
    Saved,
    Tensor,
    Tuple,
    Write,
)
from namecheck.analysis.state.values.grad_modes import Mode
from namecheck_runtime import declare
from namecheck_runtime.mistakes.base import Blame, verb
from namecheck_runtime.mistakes.gradients import InplaceOnLeaf, SavedTensorModified

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator


def check_leaf(
    ev: Evaluator,
    op: str,
    target: Tensor,
    gradient: Gradient,
    by_name: Mapping[str, Argument],
    node: ir.Node,
) -> None:
    """Report a write to a leaf that requires a gradient, or to a view of one (NC503)."""
    leaf = gradient.leaf
    if leaf is None or not _records(ev, leaf) or _may_be_frozen(ev, gradient, leaf):
        return
    mistake = InplaceOnLeaf(
        target=ev.current(target.shape),
        is_view=gradient.is_view,
        blame=(Blame(next(iter(by_name))),),
    )
    notes = [("it requires a gradient since here", leaf.source, leaf.line)] if leaf.line else []
    ev.blame(mistake.with_op(op), "error", node, by_name, notes=notes)


def _records(ev: Evaluator, leaf: GraphNode) -> bool:
    """Whether the program is known to record gradients here, of a leaf made elsewhere or here."""
    mode = ev.gradients.following.mode
    if mode is Mode.CALLERS:
        return leaf.frame is ev.frame and not ev.frame.source.file.turns_off
    return mode is Mode.ON


def _may_be_frozen(ev: Evaluator, gradient: Gradient, leaf: GraphNode) -> bool:
    """Whether other code may have turned off the gradient of a parameter of a model."""
    if gradient.memory is not None:
        return False
    file = ev.frame.source.file
    return file.freezes or (leaf.frame is not ev.frame and leaf.source.file is not file)


def check_backward(
    ev: Evaluator, spelling: declare.Spelling, by_name: Mapping[str, Argument], node: ir.Node
) -> None:
    """Report that a backward pass needs a tensor that was written since it was kept (NC504)."""
    if not by_name:
        return
    roots = [gradient.node for gradient in _gradients(ev, next(iter(by_name.values())))]
    ends = by_name.get("inputs")
    targets: set[GraphNode] | None = None
    if ends is not None and ev.resolve(ends.value) is not NONE:
        targets = {g.node for g in _gradients(ev, ends) if g.node is not None}
    for root in roots:
        for reached in _reached(root, targets) if root is not None else ():
            for saved in reached.saved:
                writes: tuple[Write, ...] = ev.cells.get(saved.memory, ())
                if len(writes) > saved.version:
                    _blame_saved(ev, spelling, reached, saved, writes[saved.version], node)
                    return


def _gradients(ev: Evaluator, argument: Argument) -> list[Gradient]:
    """What is known about the gradients of one tensor, or of several."""
    value = ev.resolve(argument.value)
    contents: object = (value,)
    if isinstance(value, (Tuple, List)):
        contents = value.elements if isinstance(value, Tuple) else ev.cells.get(value)
    found: list[Gradient] = []
    for one in contents if isinstance(contents, tuple) else ():
        tensor = ev.resolve(one)
        if isinstance(tensor, Tensor) and tensor.gradient is not None:
            found.append(tensor.gradient)
    return found


def _reached(root: GraphNode, targets: set[GraphNode] | None) -> Iterable[GraphNode]:
    """The nodes that a backward pass from a root runs, in its order as far as that matters.

    If only the gradients of targets are asked for, these are the nodes on the way to one.
    """
    order: list[GraphNode] = []
    seen: set[GraphNode] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            order.append(node)
            waiting += node.before
    if targets is None:
        return order
    leading = set(targets)
    count = -1
    while count != len(leading):
        count = len(leading)
        leading.update(one for one in order if any(b in leading for b in one.before))
    return [node for node in order if any(b in leading for b in node.before)]


def _blame_saved(
    ev: Evaluator,
    spelling: declare.Spelling,
    saver: GraphNode,
    saved: Saved,
    write: Write,
    node: ir.Node,
) -> None:
    mistake = SavedTensorModified(saver=saver.op, saved=saved.name, writer=write.op)
    part = "its result" if saved.name == "result" else f"'{saved.name}'"
    notes = [
        (f"{verb(saver.op)} keeps {part} for the gradient here", saver.source, saver.line),
        (f"{verb(write.op)} writes to it here", write.source, write.line),
    ]
    ev.blame(mistake.with_op(spelling.path), "error", node, {}, notes=notes)


__all__ = ["check_backward", "check_leaf"]
