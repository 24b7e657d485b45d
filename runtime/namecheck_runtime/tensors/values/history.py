"""What a tensor knows about gradients: whether it wants one, and the node that computed it.

A tensor without a history is plain: it is no part of a graph.  `autograd` makes nodes and runs
them; the tensor in `object` holds its history in `Rest`.
"""

from __future__ import annotations

from enum import Enum
from itertools import count
from threading import local
from typing import Any, Final, NamedTuple


class Mode(local):
    """The modes of one thread: whether ops are recorded, and whether inference mode is on."""

    def __init__(self) -> None:
        self.grad = True
        self.inference = False


MODE: Final = Mode()

NUMBERS: Final = count(1)
"""The numbers of nodes, in the order in which they are made."""


class Node:
    """A step of the way back: from the gradients of results to those of operands."""

    __slots__ = ("__weakref__", "edges", "hooks", "keepers", "pre_hooks", "sequence")

    def __init__(self, edges: tuple[Edge | None, ...]) -> None:
        self.edges = edges
        """For each gradient that it computes the node that takes it; None if none does."""
        self.sequence: int = next(NUMBERS)
        """Higher than that of all nodes that it leads to."""
        self.pre_hooks: list[tuple[int, Any]] | None = None
        """Functions of the gradients of results, each with the number of the result; -1: all."""
        self.keepers: list[tuple[int, Any]] | None = None
        """The same for tensors that keep their gradients: they get what the hooks have left."""
        self.hooks: dict[int, Any] | None = None
        """Functions of the gradients that it computed and those that it took."""

    def name(self) -> str:
        """PyTorch's name of the step: `MulBackward0`."""
        return type(self).__name__

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """The nodes that take its gradients, and the number of their result."""
        return tuple([(None, 0) if edge is None else tuple(edge) for edge in self.edges])  # type: ignore[misc]

    def apply(self, grads: list[Any]) -> list[Any]:
        """The gradient for each edge from those of the results; None stands for zeros."""
        raise NotImplementedError

    def release(self) -> None:
        """Drop what it has saved."""

    @property
    def count(self) -> int:
        """How many results it takes the gradients of."""
        return 1

    def form(self, number: int) -> Form | None:
        """The form of one of the results whose gradients it takes."""
        return None

    def __repr__(self) -> str:
        return f"<{self.name()} at {id(self):#x}>"


class Edge(NamedTuple):
    """Where a gradient goes: a node, and the number of the result that it is the gradient of."""

    node: Node
    number: int


class Form(NamedTuple):
    """What a gradient has to look like: that of a tensor of these sizes."""

    sizes: tuple[int, ...]
    names: Any
    dtype: Any
    device: Any


class Creation(Enum):
    """How a view was made, which says whether its memory may be written to."""

    DEFAULT = "default"
    NO_GRAD = "no_grad"
    INFERENCE = "inference"
    SEVERAL = "several"
    """By an op that returns several views."""
    CUSTOM = "custom"
    """By an `autograd.Function`."""


class View:
    """The tensor whose memory another one shows, and what was known when that was made."""

    __slots__ = ("base", "creation", "version")

    def __init__(self, base: Any, creation: Creation, version: int) -> None:
        self.base = base
        self.creation = creation
        self.version = version
        """The version of the memory for which the node of the view is right."""


class History:
    """The part of a tensor in graphs."""

    __slots__ = (
        "accumulator",
        "accumulator_hooks",
        "grad",
        "hooks",
        "inference",
        "node",
        "number",
        "requires_grad",
        "retains_grad",
        "view",
    )

    def __init__(self, requires_grad: bool = False, node: Node | None = None, number: int = 0):
        self.requires_grad = requires_grad
        """Whether the caller wants a gradient; a tensor with a node has one without that."""
        self.node = node
        """The node that leads back to its operands; None for a leaf."""
        self.number = number
        """Which of the results of the node it is."""
        self.grad: Any = None
        self.accumulator: Any = None
        """For a leaf: a reference to the node that adds to `grad`."""
        self.view: View | None = None
        self.hooks: dict[int, Any] | None = None
        """Functions of its gradient."""
        self.accumulator_hooks: dict[int, Any] | None = None
        """Functions of the tensor after its gradient has been added to `grad`."""
        self.retains_grad = False
        self.inference = False
        """Whether it was made in inference mode."""
