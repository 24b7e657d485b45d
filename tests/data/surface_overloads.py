"""The overloads that give dims to type checkers without our plugin, from the registry.

mypy does not read them: it has the plugin, it considers overloads ambiguous for an argument of
unknown dims, and trying overloads takes time at every call.  An overload states the rule's answer
for all of `PROBES`.  For any other call all checkers only learn that the result is a tensor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final

from surface_signatures import PROBES, Signature, Written

from namecheck_runtime.binding import REQUIRED, Parameter, Rule
from namecheck_runtime.declare import Spelling, Unbindable
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dims
from namecheck_runtime.mistakes.base import Mistake

DECLARED: Final = """\
Rest = TypeVarTuple("Rest")
Known = TypeVar("Known", bound=_int | _str)
Removed = TypeVar("Removed")
Own = TypeVar("Own")
Named = TypeVar("Named", bound=_str)

# mypy takes it for true; other checkers, to which it is a variable, read the other branch.
MYPY: _bool

# No program has a dim of this class: only a dim that is not known can match it.
@final
class NoDim: ...

Open: TypeAlias = (
    Tensor[NoDim, *tuple[Any, ...]]
    | Tensor[Any, NoDim, *tuple[Any, ...]]
    | Tensor[Any, Any, NoDim, *tuple[Any, ...]]
    | Tensor[*tuple[Any, ...], NoDim]
)
Alike: TypeAlias = Tensor[*Dims] | Tensor[*tuple[()]] | Number
"""
"""The names in overloads."""


def overloads_of(spelling: Spelling, signature: Signature) -> list[Signature]:
    """A signature after its more precise overloads, the more certain first; none without any."""
    if signature.result != "Tensor" or spelling.inplace or spelling.attribute:
        return []
    for rule in spelling.op.rules:
        finer = [*_alike(spelling, rule, signature)] or [*_fewer(spelling, rule, signature)]
        if finer:
            return [*finer, signature]
    return []


# -- operands of the same dims ---------------------------------------------------------------------


def _alike(spelling: Spelling, rule: Rule, signature: Signature) -> Iterator[Signature]:
    """If all operands have the same dims, or none, the result has them."""
    operands = [p for p in rule.parameters if p.default is REQUIRED]
    if len(operands) < 2 or not all("Operand" in p.takes for p in operands):
        return

    def holds(keywords: Mapping[str, Any]) -> bool:
        agreed = 0
        for dims, scalar in product(PROBES, product((False, True), repeat=len(operands))):
            if not all(scalar):
                answer = _answer(
                    spelling, [() if is_scalar else dims for is_scalar in scalar], keywords
                )
                if answer not in (dims, None):
                    return False
                agreed += answer == dims
        return agreed > len(PROBES)

    passed = [p.name for p in operands if p.name in {w.name for w in signature.parameters}]
    if len(passed) < len(operands) - _is_method(spelling) or not holds({}):
        return
    for name in passed:
        yield _retyped(signature, {name: "Open"})
    free = {p.name for p in rule.parameters if _is_free(p) and holds({p.name: UNKNOWN})}
    same = _only(signature, {*passed, *free})._replace(result="Tensor[*Dims]")
    yield _retyped(same, dict.fromkeys(passed, "Alike[*Dims]"))


# -- one dim less ----------------------------------------------------------------------------------

_BY_NAME: Final = "Tensor[*Rest, Named]"
_ENDS: Final[tuple[tuple[str, str, int, bool], ...]] = (
    ("Tensor[*Rest, Known]", "Literal[-1]", -1, False),
    ("Tensor[Known, *Rest]", "Literal[0]", 0, False),
    (_BY_NAME, "Named", -1, True),
    ("Tensor[Named, *Rest]", "Named", 0, True),
)
"""The dims that may be removed: the tensor's type, the dim's type, its place, whether by name."""

_VARIABLE_ENDS: Final = (
    ("Tensor[Known, *Rest]", "Literal[-1]", "Tensor"),
    ("Tensor[*Rest, Removed]", "Literal[-1]", "Tensor[*Rest]"),
    ("Tensor[*Rest, Known]", "Literal[0]", "Tensor"),
    ("Tensor[Removed, *Rest]", "Literal[0]", "Tensor[*Rest]"),
)
"""The dims at the ends of a generic function's tensor: its type, the dim's type, and the remaining
dims.

To pyright a type variable takes all of `*Ds`, unless it has a bound: the last dim of
`Tensor[L["B"], *Ds]` is unknown, and must not become the last but one.
"""


def _fewer(spelling: Spelling, rule: Rule, signature: Signature) -> Iterator[Signature]:
    """The first or the last dim is removed and the others stay, or all dims are removed."""
    written = {p.name: p for p in signature.parameters}
    if not rule.parameters or "dim" not in written:
        return
    tensor, *others = rule.parameters
    takes = {p.name: {*p.takes} for p in rule.parameters}
    needed = [p.name for p in others if p.default is REQUIRED and p.name != "dim"]
    if not _TENSOR & takes[tensor.name] or not {"DimRef", "DimRefs"} & takes.get("dim", set()):
        return
    if any(name not in written or _TENSOR & takes[name] for name in needed):
        return
    beside = dict.fromkeys(needed, UNKNOWN)

    def holds(place: int | None, by_name: bool, keywords: Mapping[str, Any]) -> bool:
        agreed = 0
        for dims in PROBES:
            if place is None:
                answer, left = _answer(spelling, [dims], {**beside, **keywords}), ()
            elif not dims or (by_name and dims[place].name is None):
                continue
            else:
                dim = dims[place].name if by_name else place
                answer = _answer(spelling, [dims], {**beside, **keywords, "dim": dim})
                left = dims[1:] if place == 0 else dims[:-1]
            if answer not in (left, None):
                return False
            agreed += answer == left
        return agreed > 1

    def with_rest(place: int | None, by_name: bool) -> Signature:
        free = [p.name for p in others if _is_free(p) and p.name not in ("dim", "keepdim")]
        free = [name for name in free if holds(place, by_name, {name: UNKNOWN})]
        names = {called, *needed, *free, "keepdim", *(() if place is None else ("dim",))}
        return _retyped(_only(signature, names), {"keepdim": "Literal[False]"})

    def variable_ends() -> Iterator[Signature]:
        for type_, dim, result in _VARIABLE_ENDS:
            overload = _only(signature, {called, *needed, "dim"})._replace(result=result)
            yield _retyped(overload, {called: type_, "dim": dim})

    called = "self" if _is_method(spelling) else signature.parameters[0].name
    optional = next(p for p in others if p.name == "dim").default is not REQUIRED
    if optional and holds(None, False, {}):
        yield with_rest(None, False)._replace(result="Tensor[*tuple[()]]")
    for type_, dim, place, by_name in _ENDS:
        if holds(place, by_name, {}):
            if type_ == _BY_NAME:
                yield from variable_ends()
                yield _retyped(signature, {called: "Open"})
            overload = _retyped(with_rest(place, by_name), {called: type_, "dim": dim})
            yield overload._replace(result="Tensor[*Rest]")


# -- shared ----------------------------------------------------------------------------------------

_TENSOR: Final = frozenset({"Dims", "Shape", "Operand"})


def _is_method(spelling: Spelling) -> bool:
    return spelling.path.startswith(("Tensor.", "operator."))


def _is_free(parameter: Parameter) -> bool:
    """Whether a parameter is optional, and not a tensor for the result."""
    return parameter.default is not REQUIRED and parameter.name != "out"


def _answer(spelling: Spelling, arguments: Sequence[Dims], keywords: Mapping[str, Any]) -> Any:
    """The answer of the rules, or None if they refuse the call."""
    try:
        return infer(spelling, arguments, keywords).result
    except (Mistake, Unbindable):
        return None


def _only(signature: Signature, names: set[str]) -> Signature:
    """A signature with these parameters; those after an omitted one are passed by name."""
    parameters: list[Written] = []
    left_out = False
    for parameter in signature.parameters:
        if parameter.name not in names:
            left_out = True
        elif left_out and parameter.kind == "positional":
            parameters.append(parameter._replace(kind="keyword"))
        else:
            parameters.append(parameter)
    return signature._replace(parameters=tuple(parameters))


def _retyped(signature: Signature, types: Mapping[str, str]) -> Signature:
    """A signature with other types for some parameters.

    A dim with a known value has no default; after a parameter with one it is passed by name.
    """
    parameters: list[Written] = []
    if "self" in types:
        parameters.append(Written("self", "positional", types["self"], ""))
    by_name = False
    for parameter in signature.parameters:
        if parameter.name in types:
            default = "" if parameter.name == "dim" else parameter.default
            by_name = by_name or (not default and any(p.default for p in parameters))
            parameter = parameter._replace(type=types[parameter.name], default=default)
        if by_name and parameter.kind == "positional":
            parameter = parameter._replace(kind="keyword")
        parameters.append(parameter)
    return signature._replace(parameters=tuple(parameters))
