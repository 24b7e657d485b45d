"""Calls of one kind on tensors in graphs: what the recorded call made, for the next one.

The first calls of a kind go the way of `recording`.  What they have in common is a `Recipe`: the
plan of the op, the derivatives, and where operands and what is saved are among the arguments.  The
next call computes and makes one node.  On the way back the node runs what its derivatives did for
the last node of its kind (`tracing`), unless the gradients are to be in a graph, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import copysign
from threading import local
from typing import TYPE_CHECKING, Any, ClassVar, Final
from weakref import ref

from namecheck_runtime.autograd.graph import (
    AccumulateGrad,
    OpNode,
    Saved,
    SavedSeveral,
    Task,
    named,
)
from namecheck_runtime.autograd.plain_operands import Barer, write_back
from namecheck_runtime.autograd.tracing import Replay, trace
from namecheck_runtime.tensors.computing.kernel_calls import KernelCall, Unfit
from namecheck_runtime.tensors.object import Rest, Tensor
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.history import (
    MODE,
    NUMBERS,
    Creation,
    Edge,
    Form,
    History,
    View,
)
from namecheck_runtime.tensors.values.name_tuples import unnamed
from namecheck_runtime.tensors.values.plan_caches import keep, new_cache

if TYPE_CHECKING:
    from typing import Protocol

    from namecheck_runtime.tensors.calls.call import Call
    from namecheck_runtime.tensors.calls.plans import Template

    class Plan(Protocol):
        """What is known about a call before it runs, see `call_plans.Plan`."""

        template: Template | None
        inplace: bool
        direct: Callable[[Sequence[Any], Mapping[str, Any]], Any] | None

        @property
        def kernel_call(self) -> KernelCall | None: ...
        @property
        def shows(self) -> bool: ...
        @property
        def is_settled(self) -> bool: ...
        def run(
            self,
            arguments: Sequence[Any],
            keywords: Mapping[str, Any],
            called: Call | None = None,
        ) -> Any: ...
        def repeated(
            self,
            kernel_call: KernelCall,
            arguments: Sequence[Any],
            keywords: Mapping[str, Any],
        ) -> Any: ...


_new: Final = object.__new__
_new_tuple: Final = tuple.__new__
_NUMBERS: Final = frozenset({int, float, complex, bool})


class Recipe:
    """What calls of one kind have in common, and the nodes that they make."""

    direct: ClassVar[None] = None
    """As for a plan: nothing is shorter than to `run` it."""

    __slots__ = (
        "constants",
        "count",
        "dtype",
        "forms",
        "is_single",
        "keeps",
        "kernel_call",
        "numbers",
        "operands",
        "places",
        "plan",
        "saved",
        "saved_result",
        "tasks",
        "text",
    )

    def __init__(self, plan: Plan, kernel_call: KernelCall | None, node: OpNode) -> None:
        self.plan = plan
        self.kernel_call = kernel_call
        self.text = node.name()
        self.tasks: Sequence[Task] = node.tasks
        self.forms: tuple[Form | None, ...] = node.forms
        self.count = len(node.forms)
        self.is_single: bool = kernel_call is not None and not kernel_call.several
        self.dtype: Any = None if node.forms[0] is None else node.forms[0].dtype
        """That of the first result."""
        self.keeps: bool = node.keeps
        self.operands: list[tuple[int, int]] = []
        """The operands with an edge: the argument, and the place in it; -1 for the argument."""
        self.places: tuple[int, ...] = ()
        """The results that lead to the node."""
        self.constants: dict[str, Any] = {}
        """What the derivatives need that is the same in every call."""
        self.saved: list[tuple[str, int]] = []
        """The tensors that they need, by the names of parameters, and the arguments."""
        self.saved_result = ""
        """The name under which they need the result; empty if they do not."""
        self.numbers: list[tuple[str, int]] = []
        """The numbers that they need."""

    def run(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """The result of a call, which leads to a new node."""
        plan = self.plan
        direct = plan.direct
        if direct is None:
            assert self.kernel_call is not None
            result = plan.repeated(self.kernel_call, arguments, keywords)
        else:
            result = direct(arguments, keywords)
        filled = (*arguments, *keywords.values()) if keywords else arguments
        node = self.node(filled, result if self.is_single else result[0])
        if self.is_single:
            history = History(False, node, 0)
            result._rest = Rest(dtypes.CPU, dtypes.strided, self.dtype, None, history)
            return result
        for place in self.places:
            part = result[place]
            history = History(False, node, place)
            part._rest = Rest(dtypes.CPU, dtypes.strided, part.dtype, None, history)
        return result

    def node(self, filled: Sequence[Any], first: Any) -> RecipeNode:
        """The node of a call with some arguments, whose first result is `first`."""
        node = _new(RecipeNode)
        edges: list[Edge] = []
        for at, place in self.operands:
            operand = filled[at] if place < 0 else filled[at][place]
            history = operand._rest.history
            to = history.node
            if to is None:
                edges.append(_edge_of_leaf(operand, history))
            else:
                edges.append(_new_tuple(Edge, (to, history.number)))
        node.edges = tuple(edges)
        node.sequence = next(NUMBERS)
        node.pre_hooks = node.keepers = node.hooks = None
        node.recipe = self
        node.released = False
        node.numbers = [filled[at] for _, at in self.numbers] if self.numbers else ()
        saved = self.saved
        tensors = [filled[at] for _, at in saved] if saved else []
        if self.saved_result:
            alias = _new(Tensor)
            alias._array, alias._names, alias._rest = first._array, first._names, None
            alias._storage = first._own()
            tensors.append(alias)
        node.tensors = tensors
        node.versions = [0 if t._storage is None else t._storage.version for t in tensors]
        return node


class PlanRecipe(Recipe):
    """What calls of one kind have in common for which more has to be done than to call a kernel.

    Their plan runs on plain tensors over the same memory; results may lie in that of the operand.
    """

    __slots__ = ("creation",)

    creation: Creation | None
    """How views are made; None if as the operand is, if that is a view."""

    def run(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """The result of a call, which leads to a new node."""
        filled = (*arguments, *keywords.values()) if keywords else arguments
        barer = Barer()
        given, words = barer.of_call(arguments, keywords)
        shows = self.plan.shows
        if shows:
            barer.share()
        result = self.plan.run(given, words)
        parts = result if isinstance(result, (tuple, list)) else (result,)
        node = self.node(filled, parts[0])
        operand = filled[self.operands[0][0]]
        for place in self.places:
            part = parts[place]
            history = History(False, node, place)
            if shows and part._storage is operand._storage:
                history.view = self._view(operand)
            part._rest = Rest(dtypes.CPU, dtypes.strided, part.dtype, None, history)
        return result

    def _view(self, operand: Tensor) -> View:
        """What a view of an operand knows about it."""
        rest, storage = operand._rest, operand._storage
        assert rest is not None
        assert rest.history is not None
        assert storage is not None
        view = rest.history.view
        if view is None:
            return View(operand, self.creation or Creation.DEFAULT, storage.version)
        return View(view.base, self.creation or view.creation, storage.version)


class WriteRecipe(Recipe):
    """What calls of one kind have in common that write to a tensor of a graph, which is no view."""

    __slots__ = ("usual",)

    usual: Callable[[Sequence[Any], Mapping[str, Any]], Any]
    """The usual way to call the op."""

    def run(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """The first argument, which leads to a new node."""
        filled = (*arguments, *keywords.values()) if keywords else arguments
        target = filled[0]
        history = target._rest.history
        if history.view is not None or history.node is None:
            return self.usual(arguments, keywords)
        storage = target._own()
        if not storage.is_root(target._array):
            return self.usual(arguments, keywords)
        for other in filled:
            if isinstance(other, Tensor) and other is not target and other._storage is storage:
                return self.usual(arguments, keywords)
        barer = Barer()
        given, words = barer.of_call(arguments, keywords)
        barer.share()
        saves_target = any(at == 0 for _, at in self.saved)
        # In the graph, for gradients of gradients.
        before = named(target, unnamed(target.ndim)).clone() if saves_target else target
        self.plan.run(given, words)
        write_back(target, barer)
        node = self.node(filled, target)
        if saves_target:
            for place, (_, at) in enumerate(self.saved):
                if at == 0:
                    node.tensors[place] = before
                    node.versions[place] = 0
        history.node, history.number = node, 0
        history.requires_grad = False
        return target


class Unrecorded:
    """What repeats a call that records nothing, such as a step of an optimizer: its plan."""

    direct: ClassVar[None] = None
    """See `Recipe`."""

    __slots__ = ("_plan",)

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def run(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """The result of a call: a plain tensor, or the one that it has written to."""
        plan = self._plan
        known = plan.kernel_call
        if known is not None:
            direct = plan.direct
            if direct is not None:
                return direct(arguments, keywords)
            return plan.repeated(known, arguments, keywords)
        barer = Barer()
        given, words = barer.of_call(arguments, keywords)
        if not plan.inplace:
            result = plan.run(given, words)
            return barer.originals.get(id(result), result)
        target = arguments[0]
        target._own()
        barer.share()
        plan.run(given, words)
        write_back(target, barer)
        return target


def _edge_of_leaf(leaf: Tensor, history: History) -> Edge:
    known = history.accumulator
    to = None if known is None else known()
    if to is None:
        to = AccumulateGrad(leaf)
        history.accumulator = ref(to)
    return _new_tuple(Edge, (to, 0))


class RecipeNode(OpNode):
    """The node of a call that followed a recipe."""

    __slots__ = ("numbers", "recipe", "tensors", "versions")

    recipe: Recipe
    tensors: list[Tensor]
    """Those that are saved, the result as the last."""
    versions: list[int]
    """How often the memory of each had been written to."""
    numbers: Sequence[Any]

    if not TYPE_CHECKING:

        @property
        def tasks(self) -> Sequence[Task]:
            """See `OpNode`."""
            return self.recipe.tasks

        @property
        def forms(self) -> tuple[Form | None, ...]:
            """See `OpNode`."""
            return self.recipe.forms

        @property
        def count(self) -> int:
            """See `Node`."""
            return self.recipe.count

        @property
        def target(self) -> int:
            """See `OpNode`."""
            return -1

        @property
        def keeps(self) -> bool:
            """See `OpNode`."""
            return self.recipe.keeps

        @property
        def saved(self) -> dict[str, Any]:
            """See `OpNode`."""
            return self._saved()

    def name(self) -> str:
        # The slot is empty unless a composite op has renamed its last node.
        return super().name() if hasattr(self, "_name") else self.recipe.text

    def form(self, number: int) -> Form | None:
        return self.recipe.forms[number]

    def _saved(self) -> dict[str, Any]:
        if self.released:
            return {}
        recipe = self.recipe
        saved: dict[str, Any] = dict(recipe.constants)
        names = [name for name, _ in recipe.saved]
        if recipe.saved_result:
            names.append(recipe.saved_result)
        for name, tensor, version in zip(names, self.tensors, self.versions, strict=True):
            kept = _new(Saved)
            kept.tensor, kept.version = tensor, version
            kept.number = 0 if name == recipe.saved_result else -1
            saved[name] = kept
        for (name, _), number in zip(recipe.numbers, self.numbers, strict=True):
            saved[name] = number
        return saved

    def apply(self, grads: list[Any]) -> list[Any]:
        if MODE.grad or self.released:
            return super().apply(grads)
        arrays: list[Any] = []
        for grad in grads:
            if grad is None or grad._rest is not None:
                return super().apply(grads)
            arrays.append(grad._array)
        recipe = self.recipe
        numbers = tuple(map(exactly, self.numbers)) if self.numbers else ()
        last = _LAST.get(recipe)
        if last is not None and last.numbers == numbers:
            results = self._repeated(last, arrays, grads)
            if results is not None:
                return results
        key = (recipe, *[array.strides for array in arrays], *numbers)
        known = _REPLAYS.get(key)
        if known.__class__ is Replay:
            results = self._repeated(known, arrays, grads)
            if results is not None:
                keep(_LAST, recipe, known)
                return results
        elif known is None:
            keep(_REPLAYS, key, _ONCE)
        elif known is _ONCE:
            return self._traced(key, grads, numbers)
        return super().apply(grads)

    def _repeated(self, replay: Replay, arrays: list[Any], grads: list[Any]) -> list[Any] | None:
        """The gradients that a replay computes; None if the derivatives have to be called."""
        given = arrays.copy()
        versions = self.versions
        for place, tensor in enumerate(self.tensors):
            storage = tensor._storage
            if versions[place] != (0 if storage is None else storage.version):
                return None  # they say what was written to
            given.append(tensor._array)
        try:
            results = replay.run(given, grads)
        except Unfit:
            return None
        if NOTES.replays is not None:
            NOTES.replays[self] = replay
        return results

    def _traced(
        self, key: tuple[Any, ...], grads: list[Any], numbers: tuple[Any, ...]
    ) -> list[Any]:
        """Note what the derivatives do, for the next node of the kind."""
        saved = self._saved()
        names = [name for name, value in saved.items() if value.__class__ is Saved]
        tensors = [saved[name].unpack(self) for name in names]
        count = len(grads)

        def derive(traced: Sequence[Any]) -> list[Any]:
            needs = {**saved, **dict(zip(names, traced[count:], strict=True))}
            return self.derive(needs, traced[:count])

        outcome = trace(derive, [*grads, *tensors], count)
        if outcome is None:
            keep(_REPLAYS, key, _NEVER)
            return super().apply(grads)
        replay, results = outcome
        replay.numbers = numbers
        keep(_REPLAYS, key, replay)
        return results

    def release(self) -> None:
        if self.recipe.keeps:
            self.tensors = []
            self.versions = []
            self.released = True


class Notes(local):
    """The replays by which nodes have run in a thread, while it notes them (`routes`)."""

    replays: dict[RecipeNode, Replay] | None = None


NOTES: Final = Notes()
_ONCE: Final = "seen once"
_NEVER: Final = "more than the kind decides"
_LAST: Final[dict[Recipe, Replay]] = new_cache()
"""The replay of the last node of a recipe."""
_REPLAYS: Final[dict[tuple[Any, ...], Any]] = new_cache()
"""By the recipe, the strides of the gradients and the numbers that the derivatives need."""


def exactly(number: Any) -> Any:
    """A number as a part of a key: zeros of both signs are two."""
    if number.__class__ is float:
        return number if number else copysign(1.0, number)
    return repr(number)


def recipe_of(
    plan: Plan,
    called: Call,
    node: OpNode,
    places: Sequence[int],
    count: int,
    wants: Mapping[str, Sequence[int]],
    several: bool,
    usual: Callable[[Sequence[Any], Mapping[str, Any]], Any] | None = None,
) -> Recipe | None:
    """The recipe for calls like one that has made a node; None if more has to be done.

    `places` are the results that lead to the node, `count` is the number of positional arguments.
    `wants` has for each parameter with a derivative the places in its argument that have an edge,
    -1 for the argument itself.  `several`: the op returns several views.  `usual` is how an op in
    place is called otherwise.
    """
    kernel_call, template = plan.kernel_call, plan.template
    if template is None:
        return None
    words = [word for _, word in template.words]
    at_of = dict(template.given)
    at_of |= {name: count + words.index(word) for name, word in template.named}
    recipe: Recipe
    if plan.inplace:
        if usual is None:
            return None
        recipe = WriteRecipe(plan, None, node)
        recipe.usual = usual
    elif kernel_call is not None:
        recipe = Recipe(plan, kernel_call, node)
    elif plan.shows and not (len(called.operands) == 1 and list(wants.values()) == [[-1]]):
        return None  # it is not known in which operand's memory the result lies
    elif not (plan.shows or plan.is_settled):
        return None  # the next call knows a kernel
    else:
        recipe = PlanRecipe(plan, None, node)
        recipe.creation = Creation.SEVERAL if several else None
    recipe.places = tuple(places)
    for name, entries in wants.items():
        if name not in at_of:
            return None
        recipe.operands += [(at_of[name], place) for place in entries]
    for name, value in node.saved.items():
        if value.__class__ is Saved:
            if value.number >= 0:
                recipe.saved_result = name
            elif name in at_of:
                recipe.saved.append((name, at_of[name]))
            else:
                return None
        elif value.__class__ is SavedSeveral or name == "again":
            return None
        elif value.__class__ in _NUMBERS and name in at_of:
            recipe.numbers.append((name, at_of[name]))
        elif isinstance(value, Tensor):
            return None
        else:
            recipe.constants[name] = list(value) if value.__class__ is list else value
    return recipe
