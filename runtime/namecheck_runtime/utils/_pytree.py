"""Nested tuples, lists and dicts as flat lists, and back.  Source: torch.utils._pytree."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, namedtuple
from collections.abc import Callable
from typing import Any, Final, NamedTuple


class _Node(NamedTuple):
    """How a container is taken apart and put together."""

    flatten: Callable[[Any], tuple[list[Any], Any]]
    unflatten: Callable[[Any, Any], Any]


class TreeSpec(NamedTuple):
    """The containers around the leaves of a tree; a leaf has no type."""

    type: Any
    context: Any
    children_specs: tuple[Any, ...]

    @property
    def num_leaves(self) -> int:
        """The number of leaves."""
        return 1 if self.type is None else sum(s.num_leaves for s in self.children_specs)


_LEAF: Final = TreeSpec(None, None, ())


def LeafSpec() -> TreeSpec:
    """The spec of a leaf."""
    return _LEAF


def _of_dict(tree: Any) -> tuple[list[Any], Any]:
    return list(tree.values()), list(tree)


class MappingKey(NamedTuple):
    """The key of a part of a dict.  Source: torch.utils._pytree.MappingKey."""

    key: Any


def _dict_flatten_with_keys(d: Any) -> tuple[list[tuple[MappingKey, Any]], Any]:
    """The parts of a dict with their keys, and all keys."""
    return [(MappingKey(key), value) for key, value in d.items()], list(d)


SUPPORTED_NODES: Final[dict[Any, _Node]] = {
    tuple: _Node(lambda tree: (list(tree), None), lambda leaves, _: tuple(leaves)),
    list: _Node(lambda tree: (list(tree), None), lambda leaves, _: list(leaves)),
    dict: _Node(_of_dict, lambda leaves, keys: dict(zip(keys, leaves, strict=True))),
    OrderedDict: _Node(_of_dict, lambda leaves, keys: OrderedDict(zip(keys, leaves, strict=True))),
    defaultdict: _Node(
        lambda tree: (list(tree.values()), (tree.default_factory, list(tree))),
        lambda leaves, context: defaultdict(context[0], zip(context[1], leaves, strict=True)),
    ),
    namedtuple: _Node(lambda tree: (list(tree), type(tree)), lambda leaves, kind: kind(*leaves)),
}
"""The containers, by type; `register_pytree_node` adds to it."""


def register_pytree_node(
    cls: type, flatten_fn: Callable[..., Any], unflatten_fn: Callable[..., Any], **options: Any
) -> None:
    """Take a class for a container."""
    SUPPORTED_NODES[cls] = _Node(flatten_fn, unflatten_fn)


_register_pytree_node = register_pytree_node


def _kind(tree: Any) -> Any:
    kind = type(tree)
    if isinstance(tree, tuple) and hasattr(kind, "_fields") and kind not in SUPPORTED_NODES:
        return namedtuple
    return kind if kind in SUPPORTED_NODES else None


def tree_flatten(
    tree: Any, is_leaf: Callable[[Any], bool] | None = None
) -> tuple[list[Any], TreeSpec]:
    """The leaves of a tree, and the containers around them."""
    kind = _kind(tree)
    if kind is None or (is_leaf is not None and is_leaf(tree)):
        return [tree], _LEAF
    children, context = SUPPORTED_NODES[kind].flatten(tree)
    leaves: list[Any] = []
    specs = []
    for child in children:
        inner, spec = tree_flatten(child, is_leaf)
        leaves += inner
        specs.append(spec)
    return leaves, TreeSpec(kind, context, tuple(specs))


def tree_unflatten(leaves: Any, treespec: TreeSpec) -> Any:
    """The tree of these leaves."""
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(
            f"tree_unflatten(leaves, treespec): `leaves` has length {len(leaves)} but the spec "
            f"refers to a pytree that holds {treespec.num_leaves} items ({treespec})."
        )
    if treespec.type is None:
        return leaves[0]
    parts = []
    for spec in treespec.children_specs:
        own, leaves = leaves[: spec.num_leaves], leaves[spec.num_leaves :]
        parts.append(tree_unflatten(own, spec))
    return SUPPORTED_NODES[treespec.type].unflatten(parts, treespec.context)


def tree_leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> list[Any]:
    """The leaves of a tree."""
    return tree_flatten(tree, is_leaf)[0]


def tree_map(
    func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: Callable[[Any], bool] | None = None
) -> Any:
    """The tree of what a function returns for the leaves of one or several trees."""
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [tree_leaves(rest, is_leaf) for rest in rests]
    return tree_unflatten([func(*row) for row in zip(leaves, *others, strict=True)], spec)


def tree_map_only(kind: Any, func: Callable[..., Any], tree: Any) -> Any:
    """The tree with what a function returns for the leaves of a type."""
    return tree_map(lambda leaf: func(leaf) if isinstance(leaf, kind) else leaf, tree)
