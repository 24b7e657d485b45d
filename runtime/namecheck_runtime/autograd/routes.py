"""Whole runs backwards that are like an earlier one: its kernels at once, on arrays alone.

A training loop runs the same small graph again and again.  Its nodes follow recipes (`recipes`),
and each has a replay of what its derivatives do (`tracing`).  A `Route` has the replays of all
nodes in order, and the places where gradients go from one to the next.  So a run like the one that
it was made from makes no tensors but those that the leaves take.

A route serves graphs of the same recipes, numbers, edges and order of nodes.  Whatever else a run
has to do is done by `engine`: hooks, kept gradients, nodes without a recipe, and complaints.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import attrgetter
from typing import Any, Final, NamedTuple

import numpy as np

from namecheck_runtime.autograd.graph import AccumulateGrad, accumulate
from namecheck_runtime.autograd.recipes import NOTES, RecipeNode, exactly
from namecheck_runtime.autograd.tracing import ArrayForm, Replay, Step, form_of_array, tensor_of
from namecheck_runtime.tensors.computing.kernel_calls import Unfit
from namecheck_runtime.tensors.object import fresh
from namecheck_runtime.tensors.values.errstate import QUIET, REFUSALS
from namecheck_runtime.tensors.values.history import MODE, Edge, Node
from namecheck_runtime.tensors.values.plan_caches import keep, new_cache

LARGEST: Final = 1 << 20
"""The most bytes that the nodes of a route save.

Nodes of a route let go of what they have saved at its end, those of the engine one by one.
"""


class Stop(NamedTuple):
    """A node of a route: where its arrays come from, and where its gradients go."""

    place: int
    """Its place among the nodes."""
    sums: tuple[tuple[int, int, int], ...]
    """Values that are added before: the two of them, and the sum."""
    takes: tuple[int, ...]
    """The values that are the gradients of its results."""
    saved: tuple[ArrayForm, ...]
    """What the saved arrays have to look like."""
    steps: tuple[Step, ...]
    gives: tuple[tuple[int, int], ...]
    """The arrays of the replay that become values."""


class Leaf(NamedTuple):
    """The end of a way: a value is added to the `grad` of a leaf."""

    place: int
    sums: tuple[tuple[int, int, int], ...]
    value: int
    owns: bool
    """Whether nothing else holds the memory of the value."""


class Route:
    """What a run backwards computes, by the places of its nodes."""

    __slots__ = ("_count", "_first", "_leaves", "_stops")

    def __init__(self, first: Any, count: int, stops: list[Stop], leaves: list[Leaf]) -> None:
        self._first = first
        """The gradient that it begins with."""
        self._count = count
        """How many values there are: arrays of gradients."""
        self._stops = stops
        self._leaves = leaves

    def run(self, nodes: Sequence[Any], keeps: bool) -> bool:
        """Add to the gradients of all leaves; False if the engine has to, and nothing is done.

        Unless the caller `keeps` the graph, its nodes let go of what they have saved.
        """
        mode = MODE
        if mode.inference:
            return False
        for stop in self._stops:
            if not _is_as_saved(nodes[stop.place], stop.saved):
                return False
        values: list[Any] = [None] * self._count
        try:
            QUIET.run(self._compute, nodes, values)
        except (*REFUSALS, Unfit):
            return False
        if not keeps:
            for stop in self._stops:
                nodes[stop.place].release()
        before, mode.grad = mode.grad, False
        try:
            for leaf in self._leaves:
                _accumulate(nodes[leaf.place].variable, values[leaf.value], leaf.owns)
        finally:
            mode.grad = before
        return True

    def _compute(self, nodes: Sequence[Any], values: list[Any]) -> None:
        values[0] = self._first
        for place, sums, takes, _, steps, gives in self._stops:
            if sums:
                _add(values, sums)
            arrays = [values[take] for take in takes]
            for tensor in nodes[place].tensors:
                arrays.append(tensor._array)
            for step in steps:
                step(arrays)
            for slot, value in gives:
                values[value] = arrays[slot]
        for leaf in self._leaves:
            if leaf.sums:
                _add(values, leaf.sums)


def _is_as_saved(node: RecipeNode, forms: Sequence[ArrayForm]) -> bool:
    """Whether what a node has saved is unchanged, and looks as a route expects it."""
    versions = node.versions
    for place, tensor in enumerate(node.tensors):
        storage = tensor._storage
        if versions[place] != (0 if storage is None else storage.version):
            return False  # the engine says what was written to
        array = tensor._array
        sizes, strides, dtype = forms[place]
        if array.strides != strides or array.shape != sizes or array.dtype is not dtype:
            return False
    return True


def _add(values: list[Any], sums: Sequence[tuple[int, int, int]]) -> None:
    for left, right, total in sums:
        values[total] = np.asarray(np.add(values[left], values[right]))


def _accumulate(variable: Any, array: Any, owns: bool) -> None:
    """Add an array to the gradient of a leaf; see `graph.accumulate`."""
    rest = variable._rest
    if owns and rest is not None and rest.geometry is None:
        history = rest.history
        like = variable._array
        if history.grad is None and not history.accumulator_hooks:
            if array.shape == like.shape and array.dtype is like.dtype:
                history.grad = fresh(array, variable._names)
                return
    accumulate(variable, [tensor_of(array)])


# -- which runs are alike --------------------------------------------------------------------------

TRIES: Final = 6
"""The runs of a kind until its nodes have replays; if they have none then, no route is made."""
_ROUTES: Final[dict[tuple[Any, ...], Route | int]] = new_cache()
"""Routes, and the number of runs that were made without one."""
_sequence: Final = attrgetter("sequence")


class Run:
    """A run backwards from one tensor, whose nodes all follow recipes."""

    __slots__ = ("_edge", "_key", "_known", "_nodes")

    def __init__(self, edge: Edge, nodes: list[Any], key: tuple[Any, ...]) -> None:
        self._edge = edge
        self._nodes = nodes
        self._key = key
        self._known: Any = _ROUTES.get(key, 0)

    def follow(self, keeps: bool) -> bool:
        """Run at once, as runs like it did; False if the engine has to, and nothing is done yet."""
        known = self._known
        return known.__class__ is Route and known.run(self._nodes, keeps)

    def __enter__(self) -> None:
        """Note what the nodes do while the engine runs them, unless it is the first such run."""
        if self._known.__class__ is int and 0 < self._known < TRIES:
            NOTES.replays = {}

    def __exit__(self, *error: object) -> None:
        """Make a route if there can be one."""
        noted, NOTES.replays = NOTES.replays, None
        known = self._known
        if known.__class__ is int and error[0] is None:
            route = None if noted is None else _route(self._edge, self._nodes, noted)
            keep(_ROUTES, self._key, known + 1 if route is None else route)


def run_from(edge: Edge) -> Run | None:
    """The run backwards from an edge; None if it does more than a route can do."""
    first: Any = edge.node
    if first.__class__ is not RecipeNode:
        return None
    nodes: list[Any] = [first]
    seen: set[Node] = {first}
    for node in nodes:
        if node.pre_hooks is not None or node.keepers is not None or node.hooks is not None:
            return None
        kind = node.__class__
        if kind is RecipeNode:
            if node.released:
                return None
            for to in node.edges:
                if to is not None and to[0] not in seen:
                    seen.add(to[0])
                    nodes.append(to[0])
        elif kind is not AccumulateGrad:
            return None
    nodes.sort(key=_sequence, reverse=True)
    places = {node: place for place, node in enumerate(nodes)}
    key: list[Any] = [edge.number]
    for node in nodes:
        if node.__class__ is RecipeNode:
            key.append(node.recipe)
            for to in node.edges:
                if to is None:
                    key.append(None)
                else:
                    key += (places[to[0]], to[1])
            if node.numbers:
                key += map(exactly, node.numbers)
    return Run(edge, nodes, tuple(key))


# -- the route of a run ----------------------------------------------------------------------------


class _Values:
    """The values of a route that is being made: the gradients that go to each node."""

    def __init__(self, form: ArrayForm) -> None:
        self.forms = [form]
        self.owned = [False]
        self.given: dict[tuple[int, int], list[int]] = {}
        """By the place of a node and the number of its result, in the order of the engine."""

    def new(self, form: ArrayForm, owned: bool) -> int:
        """Another value."""
        self.forms.append(form)
        self.owned.append(owned)
        return len(self.forms) - 1

    def sums(self, place: int, number: int) -> tuple[int, list[tuple[int, int, int]]] | None:
        """The value that a node takes, and what has to be added for it; None if that is unclear."""
        total, *others = self.given.get((place, number), (-1,))
        sums: list[tuple[int, int, int]] = []
        for other in others:
            left, right = self.forms[total], self.forms[other]
            if left[0] != right[0] or left[2] is not right[2] or min((0, *left[1], *right[1])) < 0:
                return None
            form = form_of_array(np.asarray(np.add(_like(left), _like(right))))
            sums.append((total, other, self.new(form, owned=True)))
            total = sums[-1][2]
        return None if total < 0 else (total, sums)


def _like(form: ArrayForm) -> Any:
    """An array of a form."""
    sizes, strides, dtype = form
    reach = dtype.itemsize + sum((n - 1) * s for n, s in zip(sizes, strides, strict=True))
    return np.ndarray(sizes, dtype, np.zeros(reach, np.uint8), 0, strides)


def _route(edge: Edge, nodes: Sequence[Any], noted: dict[Any, Replay]) -> Route | None:
    """The route of a run from what its nodes have done; None if the engine has to run such ones."""
    places = {node: place for place, node in enumerate(nodes)}
    form = nodes[0].form(edge.number)
    if nodes[0] is not edge.node or form is None or prod(form.sizes) != 1:
        return None
    first = np.ones(form.sizes, form.dtype.numpy)
    values = _Values((first.shape, first.strides, first.dtype))
    values.given[0, edge.number] = [0]
    stops: list[Stop] = []
    leaves: list[Leaf] = []
    taken: set[int] = set()
    for place, node in enumerate(nodes):
        replay = noted.get(node)
        if node.__class__ is AccumulateGrad:
            found = values.sums(place, 0)
            if found is None:
                return None
            value, sums = found
            owns = values.owned[value] and value not in taken
            leaves.append(Leaf(place, tuple(sums), value, owns))
            taken.add(value)
        elif replay is None:
            return None
        else:
            stop = _stop(place, node, replay, values, places)
            if stop is None:
                return None
            stops.append(stop)
    saved = sum(prod(sizes) * dtype.itemsize for stop in stops for sizes, _, dtype in stop.saved)
    return Route(first, len(values.forms), stops, leaves) if saved <= LARGEST else None


def _stop(
    place: int, node: Any, replay: Replay, values: _Values, places: dict[Node, int]
) -> Stop | None:
    """What a route does at a node; None if that is unclear."""
    takes: list[int] = []
    sums: list[tuple[int, int, int]] = []
    for number in range(node.count):
        found = values.sums(place, number)
        if found is None or values.forms[found[0]] != replay.inputs[number]:
            return None
        takes.append(found[0])
        sums += found[1]
    gives: dict[int, int] = {}
    for to, output in zip(node.edges, replay.outputs, strict=True):
        if to is None or output is None:
            continue
        if output.slot < node.count:
            value = takes[output.slot]
        elif output.slot in gives:
            value = gives[output.slot]
        else:
            value = gives[output.slot] = values.new(output.form, output.owns)
        values.given.setdefault((places[to.node], to.number), []).append(value)
    saved = replay.inputs[node.count :]
    return Stop(place, tuple(sums), tuple(takes), saved, replay.steps, tuple(gives.items()))
