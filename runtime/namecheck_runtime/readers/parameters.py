"""What the parameters of an op take, for readers that must convert their arguments for rules.

A reader has values of its own (abstract values, types); before it can ask a rule, it must know
whether a parameter takes dims, a size, or several of them.
"""

from __future__ import annotations

from functools import cache

from namecheck_runtime.binding import Rule
from namecheck_runtime.declare import Spelling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

_AS_SIZE: Final = frozenset({"Size", "Sizes"})
_AS_TENSOR: Final = frozenset({"Shape", "Dims", "Operand", "Tensors"})
_AS_ARRAY: Final = frozenset({"Shape", "Dims", "Operand", "None"})
_AS_INT: Final = frozenset({"Size", "Sizes", "DimRef", "DimRefs", "int", "bool", "Flag", "None"})


SHAPES: Final = frozenset({"size", "sizes", "shape"})
"""Parameters whose ints are the sizes of a result, and so are at least 1."""


class Plain:
    """How one parameter takes values: as sizes, as tensors, as a sequence of sizes or of tensors.

    `as_int` says that a tensor passed to it means its elements, not its dims. `as_data` says that
    it is none of these: an empty tuple is an empty sequence, and not the dims of a scalar.
    `as_array` says that it is one tensor and nothing else: NumPy makes one of a list.
    """

    __slots__ = (
        "as_array",
        "as_data",
        "as_either",
        "as_int",
        "as_several",
        "as_size",
        "as_tensor",
        "as_tensors",
    )

    def __init__(
        self,
        as_size: bool,
        as_tensor: bool,
        as_several: bool = False,
        as_int: bool = False,
        as_tensors: bool = False,
        as_either: bool = False,
        as_data: bool = False,
        as_array: bool = False,
    ) -> None:
        self.as_size: Final = as_size
        self.as_tensor: Final = as_tensor
        self.as_several: Final = as_several
        self.as_int: Final = as_int
        self.as_tensors: Final = as_tensors
        self.as_either: Final = as_either
        """Whether it takes both one size and a sequence of sizes, with different meanings."""
        self.as_data: Final = as_data
        self.as_array: Final = as_array


ANY: Final = Plain(False, True)


def parameter_names(spelling: Spelling, rule: Rule) -> Sequence[str]:
    """The parameters of the positional arguments of this spelling."""
    if spelling.order is not None:
        return spelling.order
    return positional_names(rule)


@cache
def positional_names(rule: Rule) -> tuple[str, ...]:
    """The parameters that take positional arguments; a variadic one is the last."""
    return tuple(p.name for p in rule.parameters if p.kind in ("positional", "variadic"))


@cache
def returned(rules: tuple[Rule, ...]) -> str:
    """The annotation of the result of all signatures of an op; "" if they differ."""
    kinds = {rule.returns for rule in rules}
    return kinds.pop() if len(kinds) == 1 else ""


@cache
def asks_sizes(rules: tuple[Rule, ...]) -> bool:
    """Whether an op returns all sizes of the tensor that it is passed."""
    rule = rules[0]
    return rule.returns == "Sizes" and rule.parameters[0].takes == ("Dims",)


def name_at(names: Sequence[str], index: int) -> str:
    """The parameter of an argument; extra arguments belong to the last (variadic) one."""
    return names[index] if index < len(names) else names[-1] if names else ""


@cache
def takes(rules: tuple[Rule, ...], name: str, keyword: bool = False) -> Plain:
    """How the parameter `name` takes values, in any of the signatures."""
    as_size = as_tensor = as_several = as_tensors = as_either = exists = False
    as_int = as_data = as_array = True
    for rule in rules:
        for parameter in rule.parameters:
            if parameter.name == name or (keyword and parameter.kind == "keywords"):
                exists = True
                as_size = as_size or not _AS_SIZE.isdisjoint(parameter.takes)
                as_several = as_several or (
                    "Sizes" in parameter.takes and "Size" not in parameter.takes
                )
                as_size = as_size or (keyword and parameter.kind == "keywords")
                as_tensor = as_tensor or not _AS_TENSOR.isdisjoint(parameter.takes)
                as_tensors = as_tensors or "Tensors" in parameter.takes
                as_either = as_either or _AS_SIZE.issubset(parameter.takes)
                as_int = as_int and _AS_INT.issuperset(parameter.takes)
                as_data = as_data and parameter.takes == ("object",)
                as_array = as_array and _AS_ARRAY.issuperset(parameter.takes)
    if not exists:
        return ANY
    as_size = as_size and not as_tensor
    as_array = as_array and as_tensor
    return Plain(as_size, as_tensor, as_several, as_int, as_tensors, as_either, as_data, as_array)


def has_company(names: Sequence[str], index: int, count: int) -> bool:
    """Whether the parameter of an argument takes several arguments of this call."""
    name = name_at(names, index)
    return sum(name_at(names, other) == name for other in range(count)) > 1
