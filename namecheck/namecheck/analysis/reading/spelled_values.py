"""What the assignments to attributes spell, so that two of them can be compared by their text.

`self.head = nn.Linear(dim, n)` in a constructor and in a later method build the same layer. Where
the texts differ, the object may hold either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Final

from namecheck import frameworks
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk_for
from namecheck_runtime.declare import REGISTRY

Spelled = dict[str, set[str]]
"""The texts of the values that are assigned to attributes, by the name of the attribute."""

UNCLEAR: Final = ""
"""The text of a value that cannot be compared: a part of another one, or an old one changed."""

WITHOUT: Final = "None"

OWN: Final = "self"
"""The name of the receiver of methods."""


def agree(first: Iterable[str], later: Iterable[str]) -> bool:
    """Whether each of the later texts of an attribute is one of the first."""
    return set(later) <= set(first) - {UNCLEAR}


def spelling(target: ir.Expression, value: ir.Expression) -> str | None:
    """The text of a value; None if it leaves its attribute the dims that it has.

    `self.bank = self.bank.to(device)`, `self.net = torch.compile(self.net)`.
    """
    match value:
        case ir.Call(ir.Attribute(inner, method)) if _is(inner, target):
            spelled = REGISTRY.get(f"{frameworks.torch.TENSOR}.{method}")
            if spelled is not None and spelled.op.effect == "keeps":
                return None
            if method in frameworks.torch.SELF:
                return None
        case ir.Call(function, (inner, *_)) if _is(inner, target):
            if ir.describe(function).rpartition(".")[2] in _DRESSES:
                return None
    return text_of(value)


def text_of(value: ir.Expression) -> str:
    """The whole text of a value."""
    return ir.describe(value, _WHOLE)


_WHOLE: Final = 100_000

_DRESSES: Final = frozenset(path.rpartition(".")[2] for path in frameworks.torch.DRESSES)


def _is(expression: ir.Expression, target: ir.Expression) -> bool:
    """Whether an expression reads what a target assigns."""
    return isinstance(target, ir.Attribute) and ir.describe(expression) == ir.describe(target)


def set_by_call(statement: ir.Record) -> tuple[ir.Expression, str, str] | None:
    """The object, the attribute and the text of its value that a call as a statement assigns.

    `setattr(self, "net", net)`; and `self.w.t_()`, which gives a tensor other dims. The attribute
    is "" if its name is not known.
    """
    match statement:
        case ir.ExpressionStatement(ir.Call(function, arguments)):
            pass
        case _:
            return None
    match function:
        case ir.Name("setattr") | ir.Attribute(ir.Name("object"), "__setattr__"):
            if len(arguments) == 3 and not isinstance(arguments[1], ir.FString):
                owner, name, value = arguments
                return owner, name.value if isinstance(name, ir.Str) else UNCLEAR, text_of(value)
        case ir.Attribute(ir.Attribute(owner, "__dict__"), "update"):
            return owner, UNCLEAR, UNCLEAR
        case ir.Attribute(ir.Call(ir.Name("vars"), (owner,)), "update"):
            return owner, UNCLEAR, UNCLEAR
        case ir.Attribute(ir.Attribute(owner, attribute), method):
            spelled = REGISTRY.get(f"{frameworks.torch.TENSOR}.{method}")
            if spelled is not None and spelled.inplace and spelled.op.reshapes:
                return owner, attribute, UNCLEAR
    return None


_ASSIGNING: Final = frozenset(
    {ir.Assign, ir.AnnotatedAssign, ir.AugmentedAssign, ir.For, ir.ExpressionStatement}
)


def assigned_outside(records: Iterable[ir.Remembering]) -> Mapping[str, Set[str]]:
    """The attributes that code assigns to other objects than `self`, with the texts of the values.

    Only their names say which objects these may be. An attribute that may be any has the name "".
    """
    spelled: Spelled = {}
    for record in records:
        for name, texts in _assigned_outside(record).items():
            spelled.setdefault(name, set()).update(texts)
    return spelled


@ir.read_once
def _assigned_outside(record: ir.Remembering) -> Spelled:
    spelled: Spelled = {}
    for inner in walk_for(record, _ASSIGNING):
        for owner, name, text in _assignments(inner):
            if not _is_own(owner):
                spelled.setdefault(name, set()).add(text)
    return spelled


def _is_own(owner: ir.Expression) -> bool:
    return isinstance(owner, ir.Name) and owner.name == OWN


def _changed_part(target: ir.Attribute, value: ir.Expression) -> str | None:
    """The attribute whose parameter an assignment replaces: `model.out.weight = ...`.

    None if the parameter may well keep its dims.
    """
    parameter = target
    if target.name == frameworks.torch.ELEMENTS and isinstance(target.value, ir.Attribute):
        parameter = target.value
    if parameter.name not in frameworks.torch.PARAMETERS:
        return None
    text = text_of(value)
    if text_of(parameter) in text:
        return None
    if text == WITHOUT or (isinstance(value, ir.Attribute) and value.name == parameter.name):
        return None
    match parameter.value:
        case ir.Attribute(owner, name) if not _is_own(owner):
            return name
    return None


def _option(owner: ir.Expression, name: str) -> str | None:
    """The attribute of another object and that of its module: `loss.reduction` of `net`."""
    while isinstance(owner, ir.Subscript):
        owner = owner.value
    match owner:
        case ir.Attribute(outer, held) if not _is_own(outer):
            return f"{held}.{name}" if name not in ("", frameworks.torch.ELEMENTS) else None
    return None


def _assignments(record: ir.Record) -> Iterator[tuple[ir.Expression, str, str]]:
    """The objects and their attributes that a record assigns, with the texts of the values.

    What is assigned to `self` need not be among them.
    """
    match record:
        case ir.Assign(targets, value):
            for target in targets:
                for inner in _targets(target):
                    if not _is_own(inner.value):
                        text = UNCLEAR if inner is not target else spelling(target, value)
                        if text is not None:
                            yield inner.value, inner.name, text
                    part = _changed_part(inner, value)
                    if part is not None:
                        yield inner.value, part, UNCLEAR
                    option = _option(inner.value, inner.name)
                    if option is not None:
                        yield inner.value, option, text_of(value)
        case ir.AnnotatedAssign(ir.Attribute(owner, name), _, value) if value is not None:
            yield owner, name, text_of(value)
        case ir.AugmentedAssign(ir.Attribute(owner, name)):
            yield owner, name, UNCLEAR
        case ir.For(target):
            for inner in _targets(target):
                yield inner.value, inner.name, UNCLEAR
        case ir.ExpressionStatement():
            found = set_by_call(record)
            if found is not None:
                yield found
                option = _option(found[0], found[1])
                if option is not None:
                    yield found[0], option, found[2]


def _targets(target: ir.Expression) -> Iterator[ir.Attribute]:
    """The attributes that a target assigns."""
    match target:
        case ir.Attribute():
            yield target
        case ir.Tuple(elements) | ir.List(elements):
            for element in elements:
                yield from _targets(element)
        case ir.Starred(value):
            yield from _targets(value)
