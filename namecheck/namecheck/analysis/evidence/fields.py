"""Annotated attributes of classes: `weight: Float[Array, "out in"]` in the body of a class.

An attribute that the program is not seen to set is what its annotation declares; a value that a
construction or an assignment gives it has to fit. The names belong to one instance: in two
instances they may be two sizes. Source: jaxtyping, "dataclasses".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from namecheck.analysis.evidence.annotation import Declaration, Declared, read
from namecheck.analysis.evidence.declarations import (
    check_argument,
    check_declared,
    declared_value,
    mismatch,
)
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.assigned_attributes import BUILDERS
from namecheck.analysis.state import reasons
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.lineage import is_pytree
from namecheck.analysis.state.values import Class, Instance, Number, Tensor, Value
from namecheck_runtime.lattice import UNKNOWN, Dims, trailing
from namecheck_runtime.notation.matching import Names, groups_apart
from namecheck_runtime.sizes import Fact, Rank

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator


def declare(ev: Evaluator, node: ir.AnnotatedAssign) -> None:
    """`x: Float[Tensor, "b t"]` without a value: it has to parse (NC403)."""
    read(ev, node.annotation)


def declared_fields(ev: Evaluator, cls: Class) -> Mapping[str, Declaration]:
    """The attributes that are declared in the bodies of a class and of its bases in the project."""
    if cls.declared is None:
        cls.declared = {}
        outer = ev.frame
        for base in reversed(cls.lineage):
            if isinstance(base, Class):
                ev.frame = Frame(base.source, base.scope)
                ev.frame.quiet = 1
                for statement in base.record.body:
                    match statement:
                        case ir.AnnotatedAssign(ir.Name(name), annotation, default):
                            declaration = read(ev, annotation)
                            if declaration is None:
                                cls.declared.pop(name, None)
                            elif not isinstance(default, ir.NoneLiteral) or _or_none(declaration):
                                cls.declared[name] = declaration
        ev.frame = outer
    return cls.declared


def _or_none(declaration: Declaration) -> bool:
    return bool(getattr(declaration, "optional", False))


def attribute_value(ev: Evaluator, instance: Instance, name: str) -> Value | None:
    """The value of a declared attribute that was not seen to be set; None without a declaration.

    Also None if the instance may be of a subclass that declares the attribute otherwise.
    """
    declaration = declared_fields(ev, instance.cls).get(name)
    if declaration is None:
        return None
    if name in instance.cls.redeclared and ev.units.is_any(instance):
        return None
    value = instance.unseen.get(name)
    if value is None:
        value = declared_value(ev, instance.names, declaration)
        if instance is not ev.frame.receiver and is_pytree(instance.cls):
            value = _maybe_several(value)
        instance.unseen[name] = value
    ev.ranks.declared.add(value)
    reasons.fields_named(ev, instance.names, instance.cls)
    for group in groups_apart(instance.names.items()):
        ev.facts.presume_distinct(group, Fact(Rank.DECLARED, ev.place()))
    return value


def _maybe_several(value: Value) -> Value:
    """A field of an instance that a function is given: it may hold several, stacked in front.

    JAX maps over it, and the annotations hold for one of the several.
    """
    if not isinstance(value, Tensor) or not isinstance(value.shape, tuple):
        return value
    return Tensor(trailing(value.shape), value.kind, value.library, value.claimed)


def check_given(ev: Evaluator, cls: Class, names: Names, name: str, argument: Argument) -> Value:
    """An argument for a field of a new instance, as its annotation allows it (NC404)."""
    declaration = declared_fields(ev, cls).get(name)
    if declaration is None:
        return argument.value
    note = (f"'{name}' is declared in {cls.name}", cls.source, cls.line)
    return check_argument(
        ev, ev.frame, names, declaration, name, argument.value, argument.node, note
    )


def stacked(ev: Evaluator, cls: Class, arguments: Mapping[str, Argument]) -> Mapping[str, Value]:
    """The fields of an instance that holds several, stacked along leading dims; {} of one instance.

    JAX maps over such an instance, and the annotations hold for one of the several:
    `jax.lax.scan(step, x, Cache(keys=jnp.zeros((layers, b, d))))` with `keys: Float[Array, "b d"]`.
    All its arrays have the leading dims then; one that fits without them says that there are none.
    """
    if not is_pytree(cls):
        return {}
    values: dict[str, Value] = {}
    names: Names = {}
    leading: list[Dims] = []
    for name, declaration in declared_fields(ev, cls).items():
        argument = arguments.get(name)
        value = ev.resolve(argument.value) if argument is not None else None
        if isinstance(value, Number):
            return {}
        if not isinstance(value, Tensor):
            continue
        shape = ev.current(value.shape)
        if not isinstance(declaration, Declared) or declaration.written is None:
            continue
        if not isinstance(shape, tuple) or any(dim.many for dim in declaration.written.dims):
            continue
        more = len(shape) - len(declaration.written.dims)
        if more < 1 or mismatch(ev, names, declaration, shape[more:], learn=False) is not None:
            return {}
        leading.append(shape[:more])
        values[name] = Tensor(UNKNOWN, value.kind, value.library)
    return values if all(_may_be_equal(ev, leading[0], dims) for dims in leading[1:]) else {}


def _may_be_equal(ev: Evaluator, left: Dims, right: Dims) -> bool:
    """Whether two shapes have as many dims, and each two sizes are equal if both are known."""
    return len(left) == len(right) and all(
        UNKNOWN in (a.size, b.size) or ev.facts.known_equal(a.size, b.size)
        for a, b in zip(left, right, strict=True)
    )


def check_assigned(
    ev: Evaluator,
    instance: Instance,
    name: str,
    value: Value,
    node: ir.Node | None,
) -> Value:
    """A value that is assigned to a declared attribute, as its annotation allows it (NC401).

    What a method assigns later may have other sizes: a cache grows.
    """
    declaration = declared_fields(ev, instance.cls).get(name)
    if declaration is None or node is None:
        return value
    cls = instance.cls
    note = (f"'{name}' is declared in {cls.name}", cls.source, cls.line)
    function = ev.frame.function
    built = function is not None and function.name in BUILDERS
    names = instance.names if built else {}
    return check_declared(ev, declaration, value, node, names, note=note)
