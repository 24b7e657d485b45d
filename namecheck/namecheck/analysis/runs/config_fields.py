"""What the class of a configuration computes its fields from.

`self.width = dim` and `self.hidden = 2 * dim` make two fields of one size: code that needs
`hidden == 2 * width` is right for each configuration. A default that a class computes from another
field, `hidden or 4 * width`, is the configuration that the program is written for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.assigned_attributes import BUILDERS
from namecheck.analysis.reading.walking import walk_for
from namecheck.analysis.state.values import Class
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Size
from namecheck_runtime.sizes import Polynomial, Relation, Symbol

_MOST: Final = 4
"""Values that a field may have which are compared; a class that chooses from more is not followed.
"""


FieldsOf = Callable[[Class], Mapping[str, tuple[Size, ...]]]
"""As `fields_of`: a caller that asks about many outcomes reads each class once."""


def fields_of(cls: Class) -> Mapping[str, tuple[Size, ...]]:
    """The fields of a class, each with the sizes that it may have."""
    return _Fields(cls).values


def tie(left: Size, right: Size, classes: Sequence[Class], fields_of: FieldsOf) -> bool:
    """Whether a class computes the fields in two sizes so that the sizes are equal.

    Also if it computes one of two fields from the other in a way that is not followed. And a class
    that is not seen may well compute one as a multiple of the other.
    """
    fields: dict[str, dict[str, Symbol]] = {}
    for atom in sizes.symbols(left) | sizes.symbols(right):
        root, _, name = atom.label.rpartition(".")
        if root:
            fields.setdefault(root, {})[name] = atom
    for named in fields.values():
        if len(named) > 1:
            one = dict.fromkeys(named.values(), sizes.symbol("?"))
            same = (sizes.substitute(size, one) for size in (left, right))
            plain = sizes.relate(*same) is Relation.YES
            known = [c for cls in classes if named.keys() <= (c := fields_of(cls)).keys()]
            if any(_makes_equal(left, right, named, computed) for computed in known):
                return True
            if not known and not plain and not any(map(_is_free, named.values())):
                return True
    return False


def _is_free(atom: Symbol) -> bool:
    """Whether a program shows that a field is chosen by itself.

    A constructor tests it for None, or it is an entry of a dict, which computes nothing.
    """
    return bool(atom.choices) or "[" in atom.label


def _makes_equal(
    left: Size,
    right: Size,
    named: Mapping[str, Symbol],
    computed: Mapping[str, tuple[Size, ...]],
) -> bool:
    for choice in product(*[computed[name] for name in named]):
        values = dict(zip(named.values(), choice, strict=True))
        ours, theirs = (sizes.substitute(size, values) for size in (left, right))
        if sizes.relate(ours, theirs) is Relation.YES:
            return True
        if any(_is_computed_from(one, other) for one in choice for other in choice):
            return True
    return False


def _is_computed_from(size: Size, other: Size) -> bool:
    """Whether an unknown function computes a size from what another one consists of."""
    if size is other or not isinstance(size, Polynomial):
        return False
    atoms = [atom for monomial, _ in size.terms for atom, _ in monomial]
    return any(
        isinstance(atom, sizes.Opaque)
        and atom.function == _UNKNOWN
        and any(sizes.symbols(part) & sizes.symbols(other) for part in atom.operands)
        for atom in atoms
    )


_UNKNOWN: Final = "computed"

_ARITHMETIC: Final[Mapping[str, Callable[[Size, Size], Size]]] = {
    "+": sizes.add,
    "-": sizes.subtract,
    "*": sizes.multiply,
    "/": sizes.divide_exactly,
    "//": sizes.floor_divide,
}


_HOLDING: Final = frozenset({ir.Call, ir.Subscript})
_NAMING: Final = frozenset({ir.Name, ir.Attribute})


class _Fields:
    """The fields of a class, each with the sizes that it may have."""

    def __init__(self, cls: Class) -> None:
        self.values: dict[str, tuple[Size, ...]] = {}
        self._symbols: dict[str, Size] = {}
        self._locals: dict[str, tuple[Size, ...]] = {}
        self._receiver = ""
        for base in reversed(cls.lineage):
            if isinstance(base, Class):
                self._read(base.record)

    def _read(self, record: ir.ClassDef) -> None:
        functions = [one for one in record.body if isinstance(one, ir.FunctionDef)]
        for statement in record.body:
            match statement:
                case ir.AnnotatedAssign(ir.Name(name)) | ir.Assign((ir.Name(name),)):
                    self.values.setdefault(name, (self._symbol(name),))
        for function in functions:
            if function.name in BUILDERS and function.parameters:
                self._receiver = function.parameters[0].name
                self._locals = {}
                self._run(function.body, certain=True)
        for function in functions:
            match function.decorators, function.body[-1:]:
                case (ir.Name("property"),), (ir.Return(ir.Expression() as value),):
                    self._receiver = function.parameters[0].name if function.parameters else ""
                    self._locals = {}
                    self.values[function.name] = tuple(self._value(value))

    def _run(self, body: Iterable[ir.Statement], certain: bool) -> None:
        for statement in body:
            match statement:
                case ir.Assign(targets, value):
                    for target in targets:
                        self._assign(target, value, certain)
                case ir.AnnotatedAssign(target, _, ir.Expression() as value):
                    self._assign(target, value, certain)
                case ir.If(_, chosen, otherwise):
                    self._run(chosen, certain=False)
                    self._run(otherwise, certain=False)
                case ir.With(_, inner):
                    self._run(inner, certain)

    def _assign(self, target: ir.Expression, value: ir.Expression, certain: bool) -> None:
        earlier: tuple[Size, ...] = ()
        match target:
            case ir.Name(name):
                kept = self._locals
                if not certain:
                    earlier = kept.get(name, (self._symbol(name),))
            case ir.Attribute(ir.Name(owner), name) if owner == self._receiver:
                kept = self.values
                if not certain:
                    earlier = kept.get(name, ())
            case _:
                return
        given = self._value(value)
        kept[name] = (*earlier, *[size for size in given if size not in earlier])

    def _symbol(self, name: str) -> Size:
        """The size of a parameter of the constructor, or of a field that is given."""
        return self._symbols.setdefault(name, sizes.symbol(name, sizes.Origin.CONFIG))

    def _value(self, expression: ir.Expression) -> list[Size]:
        """The sizes that an expression may have."""
        options = list(self._options(expression))
        return options if len(options) <= _MOST else [self._unknown(expression)]

    def _options(self, expression: ir.Expression) -> Iterator[Size]:
        match expression:
            case ir.Name(name):
                yield from self._locals.get(name, (self._symbol(name),))
            case ir.Attribute(ir.Name(owner), name) if owner == self._receiver:
                yield from self.values.get(name, (self._symbol(name),))
            case ir.Int(number):
                yield number
            case ir.Binary(left, operator, right) if operator in _ARITHMETIC:
                for one, other in product(self._value(left), self._value(right)):
                    yield _ARITHMETIC[operator](one, other)
            case ir.Call(ir.Name("int"), (argument,), ()):
                yield from self._value(argument)
            case ir.Boolean(left, "or", right) | ir.Conditional(_, left, right):
                yield from self._value(left)
                yield from self._value(right)
            case ir.NoneLiteral():
                return
            case _:
                yield self._unknown(expression)

    def _unknown(self, expression: ir.Expression) -> Size:
        """What is computed from the sizes in an expression in a way that is not followed."""
        read: dict[Size, None] = {}
        holders = {self._receiver}  # `kwargs.get("a")`, `math.ceil(a)`
        for part in walk_for(expression, _HOLDING):
            match part:
                case ir.Call(ir.Name(name) | ir.Attribute(ir.Name(name))):
                    holders.add(name)
                case ir.Subscript(ir.Name(name)):
                    holders.add(name)
        for part in walk_for(expression, _NAMING):
            match part:
                case ir.Name(name) if name not in holders:
                    read.update(dict.fromkeys(self._locals.get(name, (self._symbol(name),))))
                case ir.Attribute(ir.Name(owner), name) if owner == self._receiver:
                    read.update(dict.fromkeys(self.values.get(name, (self._symbol(name),))))
        if not read:
            return sizes.symbol("?", sizes.Origin.CONFIG)
        return sizes.opaque(_UNKNOWN, *read)


__all__ = ["FieldsOf", "fields_of", "tie"]
