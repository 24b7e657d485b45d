"""What a program that computes gradients knows of a tensor: its memory, and its node of the graph.

A `Gradient` travels with the abstract tensor. The nodes are those of PyTorch's graph, as far as the
checker is sure of them: each says which ops kept which tensors for the way back.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from namecheck.analysis.state.values.value import Held


class Memory(Held):
    """The memory that a tensor and its views share.

    A path holds the writes to it in its cells: their number is PyTorch's version counter.
    """

    __slots__ = ()


class Write(NamedTuple):
    """A write to memory: the op, and where."""

    op: str
    source: Any
    line: int


class Saved(NamedTuple):
    """A tensor that an op keeps for its derivative: the parameter, or `result`.

    `version` is how many writes there were to its memory before.
    """

    name: str
    memory: Memory
    version: int


class GraphNode:
    """A node of the graph: an op whose result requires a gradient, or a leaf that does.

    `op` is "" for a leaf. `before` are the nodes that a backward pass reaches from it.
    """

    __slots__ = ("before", "frame", "line", "op", "saved", "source")

    def __init__(
        self,
        op: str,
        source: Any,
        line: int,
        frame: Any,
        saved: tuple[Saved, ...] = (),
        before: tuple[GraphNode, ...] = (),
    ) -> None:
        self.op = op
        self.source = source
        self.line = line
        self.frame = frame
        """The evaluation that made it."""
        self.saved = saved
        self.before = before


class Gradient(NamedTuple):
    """What is known about the gradient of a tensor.

    `memory` is where it lies, None if writes to it are not followed. `node` is how a gradient
    reaches it, None if it does not require one as far as the checker knows. `leaf` is the leaf that
    requires a gradient and that it is or shows, `is_view` that it shows it.
    """

    memory: Memory | None = None
    node: GraphNode | None = None
    leaf: GraphNode | None = None
    is_view: bool = False

    @property
    def is_of_parameter(self) -> bool:
        """Whether it is that of a model's parameter, or of a view of one: a leaf without memory."""
        return self.memory is None and self.leaf is not None


def same_gradient(left: Gradient | None, right: Gradient | None) -> bool:
    """Whether two tensors have the same gradient, or are parameters of models built alike."""
    if left is right:
        return True
    if left is None or right is None or left.is_view is not right.is_view:
        return False
    return left.is_of_parameter and right.is_of_parameter
