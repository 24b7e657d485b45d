"""mypy's types as dims, and dims as mypy's types.

A dim is one argument of `Tensor[...]`:

| written | the dim |
|---|---|
| `Literal["N"]` | named N |
| a class of the user's (a marker) | named as the class is |
| `int` or `None` | unnamed |
| `Literal[3]` | unnamed, of size 3 |
| `Any`, and anything else | nothing is known |

`*tuple[Any, ...]` among them stands for an unknown number of dims.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from mypy.maptype import map_instance_to_supertype
from mypy.nodes import TypeInfo
from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    NoneType,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarTupleType,
    TypeVarType,
    UnionType,
    UnpackType,
    get_proper_type,
)

from namecheck_runtime.lattice import UNKNOWN, Dim, Shape, Size, known_dims, trailing
from namecheck_runtime.light.records import NamedTuple

TENSOR: Final = "namecheck_runtime.tensors.object.Tensor"
"""The class whose arguments are dims."""


Named: TypeAlias = Callable[[str, list[Type]], Instance]
"""Returns mypy's own types, as `CheckerPluginInterface.named_generic_type` does."""


class Passed(NamedTuple):
    """Dims around a type variable that stands for any dims: `Tensor[*Ds, L["C"]]`."""

    before: tuple[Dim, ...]
    variable: UnpackType
    after: tuple[Dim, ...]


class Typed:
    """The shape that a type says, and the types that spell its named dims, so that a result spells
    them alike.
    """

    __slots__ = ("passed", "refined", "shape", "spelled", "variables")

    def __init__(
        self,
        shape: Shape,
        spelled: dict[str, Type],
        passed: Passed | None = None,
        variables: Mapping[int, TypeVarType] | None = None,
    ) -> None:
        self.shape: Final = shape
        self.spelled: Final = spelled
        self.passed: Final = passed
        """Its dims, if some of them are those of a type variable for several."""
        self.variables: Final = variables or {}
        """The type variables that stand for one dim each, by place, if the rank is known."""
        self.refined: Final[dict[int, tuple[Any, Typed]]] = {}
        """The same with the sizes of a known shape, by the `id` of that shape, which it keeps."""


NOTHING: Final = Typed(UNKNOWN, {})


def tensor_info(info: TypeInfo) -> TypeInfo | None:
    """The class of our tensors, if `info` is it or one of its subclasses."""
    for base in info.mro:
        if base.fullname == TENSOR:
            return base
    return None


def read(type_: Type | None) -> Typed | None:
    """The dims that a type says; None if it is not one of our tensors.

    A union of tensors says what all of them say.
    """
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        return _of_union(proper)
    if not isinstance(proper, Instance):
        return None
    info = tensor_info(proper.type)
    if info is None:
        return None
    if not info.type_vars:
        return NOTHING  # the class inside its own module, where it does not take dims
    spelled: dict[str, Type] = {}
    after: list[Dim] = []
    several = False
    before: tuple[Dim, ...] | None = None
    variable: UnpackType | None = None
    variables: dict[int, TypeVarType] = {}
    for argument in map_instance_to_supertype(proper, info).args:
        items = [argument]
        if isinstance(argument, UnpackType):
            inner = get_proper_type(argument.type)
            if isinstance(inner, TypeVarTupleType):
                before, variable = tuple(after), argument
            if isinstance(inner, TupleType):
                items = inner.items
            else:
                # Dims before an unknown number of others cannot be counted from the right.
                several, after, items = True, [], []
        for item in items:
            item_type = get_proper_type(item)
            if isinstance(item_type, TypeVarType):
                variables[len(after)] = item_type
            after.append(_keep(item, spelled))
    dims = tuple(after)
    if before is not None and variable is not None:
        return Typed(trailing(dims), spelled, Passed(before, variable, dims))
    if several:
        return Typed(trailing(dims), spelled)
    return Typed(dims, spelled, variables=variables)


def _of_union(union: UnionType) -> Typed | None:
    parts = [read(item) for item in union.items]
    first = parts[0]
    if first is None or any(part is None for part in parts):
        return None
    return (
        first if all(part is not None and part.shape == first.shape for part in parts) else NOTHING
    )


def _keep(argument: Type, spelled: dict[str, Type]) -> Dim:
    dim = read_dim(argument)
    if isinstance(dim.name, str):
        spelled[dim.name] = argument
    return dim


def read_dim(argument: Type) -> Dim:
    """The dim that one argument of `Tensor[...]` stands for."""
    proper = get_proper_type(argument)
    if isinstance(proper, Instance) and proper.last_known_value is not None:
        proper = proper.last_known_value
    if isinstance(proper, LiteralType):
        value = proper.value
        if isinstance(value, str):
            return Dim(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return Dim(None, value)
        return Dim(UNKNOWN)
    if isinstance(proper, NoneType):
        return Dim(None)
    if isinstance(proper, Instance):
        if proper.type.fullname == "builtins.int":
            return Dim(None)
        if not proper.type.fullname.startswith(("builtins.", "typing.")):
            return Dim(proper.type.name)
    return Dim(UNKNOWN)


def write(shape: Any, spelled: Mapping[str, Type], like: Instance, named: Named) -> Instance:
    """`like`, a tensor of any dims, with those of `shape`, spelled as the operands spelled them."""
    arguments = [write_dim(dim, spelled, named) for dim in known_dims(shape)]
    if not isinstance(shape, tuple):
        many = named("builtins.tuple", [AnyType(TypeOfAny.special_form)])
        arguments.insert(0, UnpackType(many))
    return like.copy_modified(args=arguments)


def write_passed(
    passed: Passed, spelled: Mapping[str, Type], like: Instance, named: Named
) -> Instance:
    """The same for dims around a type variable."""
    before = (write_dim(dim, spelled, named) for dim in passed.before)
    after = (write_dim(dim, spelled, named) for dim in passed.after)
    return like.copy_modified(args=[*before, passed.variable, *after])


def plain(type_: Type | None) -> Instance | None:
    """A type as our class of tensors, if it is one of its subclasses; else None."""
    proper = get_proper_type(type_)
    info = tensor_info(proper.type) if isinstance(proper, Instance) else None
    if info is None or not isinstance(proper, Instance) or not info.type_vars:
        return None
    return map_instance_to_supertype(proper, info)


def of_any_dims(tensor: Instance) -> Instance:
    """The same class of tensors, with unknown dims."""
    fallback = tensor.type.type_vars and tensor.type.defn.type_vars[0]
    assert isinstance(fallback, TypeVarTupleType)
    anything = AnyType(TypeOfAny.special_form)
    many = fallback.tuple_fallback.copy_modified(args=[anything])
    return tensor.copy_modified(args=[UnpackType(many)])


def write_dim(dim: Dim, spelled: Mapping[str, Type], named: Named) -> Type:
    """One argument of `Tensor[...]`; a computed size is a literal until it is assigned, as mypy's
    own `3` is.
    """
    if isinstance(dim.name, str):
        return spelled.get(dim.name) or LiteralType(dim.name, named("builtins.str", []))
    if dim.name is UNKNOWN:
        return AnyType(TypeOfAny.special_form)
    return literal_int(dim.size, named)


def literal_int(size: Size, named: Named) -> Instance:
    """mypy's `int`, with its value if that is known."""
    number = named("builtins.int", [])
    if isinstance(size, int):
        return number.copy_modified(last_known_value=LiteralType(size, number))
    return number


def plain_literal(type_: Type | None) -> ProperType | None:
    """The literal that a type is or is known to hold: `Literal["N"]`, a `Final` string, `3`."""
    proper = get_proper_type(type_)
    if isinstance(proper, Instance) and proper.last_known_value is not None:
        return proper.last_known_value
    return proper if isinstance(proper, (LiteralType, NoneType)) else None
