"""How the arguments of a call bind to the parameters of a rule: what each word of an annotation
takes (the table in `declare`), and which values a rule is asked with.

Nothing here knows an op, nor how one is declared.
"""

from __future__ import annotations

from namecheck_runtime.lattice import UNKNOWN, Dim, Symbolic, Trailing
from namecheck_runtime.sizes import Origin, Polynomial, of_symbol
from namecheck_runtime.slots import Parameter as Parameter
from namecheck_runtime.slots import Slot as Slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Final

    from namecheck_runtime.lattice import Shape, Size


class Required:
    """The type of `REQUIRED`."""

    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED: Final = Required()
"""The default of a parameter that has none."""


def _is_tensor(value: object) -> bool:
    return (
        value is UNKNOWN
        or isinstance(value, Trailing)
        or (isinstance(value, tuple) and all(isinstance(dim, Dim) for dim in value))
    )


def is_number(value: object) -> bool:
    """Whether a value is a number as far as a rule can see, known or not."""
    return isinstance(value, (int, float, complex, Symbolic))


def _is_size(value: object) -> bool:
    return (
        value is UNKNOWN
        or isinstance(value, Symbolic)
        or (isinstance(value, int) and not isinstance(value, bool))
    )


def _is_dim_ref(value: object) -> bool:
    return _is_size(value) or isinstance(value, str)


def _is_sequence(value: object) -> bool:
    return isinstance(value, (tuple, list))


def _may_be_sequence(value: object) -> bool:
    """Whether a value that was taken for a size may as well be a sequence of sizes: nobody computed
    with it yet, as with a constructor parameter `padding` or `shape`."""
    return isinstance(value, Polynomial) and any(
        value == of_symbol(atom) for atom in value.symbols() if atom.origin is Origin.CONFIG
    )


def shape_of(value: object) -> Shape:
    """The shape of what stands where tensors and numbers do, and no annotation has looked at it:
    UNKNOWN of anything else.
    """
    if isinstance(value, (int, float, complex, Symbolic)):
        return ()
    if isinstance(value, Trailing):
        return value
    if isinstance(value, tuple) and all(isinstance(dim, Dim) for dim in value):
        return value
    return UNKNOWN


def size_of(value: object) -> Size:
    """The size that stands where no annotation has looked at it: UNKNOWN of anything else."""
    if isinstance(value, Symbolic):
        return value
    return UNKNOWN if not isinstance(value, int) or isinstance(value, bool) else value


class _NotTaken(Exception):
    """A value that a parameter does not take."""


def _take_operand(value: object) -> object:
    if _is_tensor(value):
        return value
    if is_number(value):
        return ()
    raise _NotTaken


def _take_tensors(value: object) -> object:
    if isinstance(value, (tuple, list)) and all(map(_is_tensor, value)):
        return tuple(value)
    raise _NotTaken


def _take_dim_refs(value: object) -> object:
    if _is_dim_ref(value):
        return value
    if isinstance(value, (tuple, list)) and all(v is None or _is_dim_ref(v) for v in value):
        return tuple(value)
    raise _NotTaken


def _take_sizes(value: object) -> object:
    if isinstance(value, (tuple, list)):
        # A 0-d tensor among sizes is a number that we do not know.
        sizes = tuple(UNKNOWN if entry == () else entry for entry in value)
        if all(map(_is_size, sizes)):
            return sizes
    elif _is_size(value):
        return (value,)
    raise _NotTaken


def _take_names(value: object) -> object:
    if isinstance(value, (tuple, list)) and all(
        v is None or v is UNKNOWN or v is Ellipsis or isinstance(v, str) for v in value
    ):
        return tuple(value)
    raise _NotTaken


def _taker(test: Callable[[object], bool]) -> Callable[[object], object]:
    def take(value: object) -> object:
        if test(value):
            return value
        raise _NotTaken

    return take


TAKERS: Final[dict[str, Callable[[object], object]]] = {
    "Dims": _taker(_is_tensor),
    "Shape": _taker(_is_tensor),
    "Operand": _take_operand,
    "Tensors": _take_tensors,
    "DimRef": _taker(_is_dim_ref),
    "DimRefs": _take_dim_refs,
    "Size": _taker(_is_size),
    "Sizes": _take_sizes,
    "Names": _take_names,
    "Flag": _taker(lambda v: isinstance(v, (bool, int))),
    "bool": _taker(lambda v: isinstance(v, (bool, int))),
    "int": _taker(lambda v: isinstance(v, int)),
    "float": _taker(lambda v: isinstance(v, (int, float))),
    "str": _taker(lambda v: isinstance(v, str)),
    "None": _taker(lambda v: v is None),
    "Fields": lambda value: value,
    "object": lambda value: value,
}
"""What a parameter does with a value, by the word of its annotation: what the rule is given for it,
or `_NotTaken` is raised."""

_COPES_WITH_UNKNOWN: Final = frozenset(
    {"Shape", "Operand", "DimRef", "DimRefs", "Size", "Flag", "object"}
)


class Rule:
    """One signature of an op and the function that answers for it."""

    __slots__ = ("_plain", "_ranked", "_slots", "function", "leading", "parameters", "returns")

    def __init__(
        self,
        function: Callable[..., Any],
        parameters: tuple[Parameter, ...],
        returns: str,
        leading: bool,
    ) -> None:
        self.function: Callable[..., Any] = function
        self.parameters: tuple[Parameter, ...] = parameters
        self.returns: str = returns
        """The annotation of the result: `Shape`, `tuple[Shape, Shape]`, `Shapes`, `Size`,
        `Sizes`; of a question that no dims answer `Flag` or the Python type of the answer.
        """
        self.leading: bool = leading
        """The rule means the same with more dims in front, as long as dims are counted from the
        right.
        """
        self._plain: bool | None = None
        self._ranked: tuple[str, ...] | None = None
        self._slots: tuple[Slot, ...] | None = None

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Its parameters as binding looks at them."""
        if self._slots is None:
            self._slots = tuple(
                Slot(
                    *parameter,
                    not _TENSOR_WORDS.isdisjoint(parameter.takes),
                    "Sizes" in parameter.takes and "Size" not in parameter.takes,
                    not _COPES_WITH_UNKNOWN.isdisjoint(parameter.takes),
                    tuple(TAKERS[word] for word in parameter.takes),
                )
                for parameter in self.parameters
            )
        return self._slots

    @property
    def answers(self) -> bool:
        """Whether its result is what the caller asks for, and not the dims of a tensor."""
        return "Shape" not in self.returns and self.returns != "Any"

    @property
    def plain(self) -> bool:
        """Whether all its parameters are positional: bound values in order are the arguments."""
        if self._plain is None:
            self._plain = all(parameter.kind == "positional" for parameter in self.parameters)
        return self._plain

    @property
    def ranked(self) -> tuple[str, ...]:
        """The names of the parameters that have to have a known rank."""
        if self._ranked is None:
            self._ranked = tuple(p.name for p in self.parameters if "Dims" in p.takes)
        return self._ranked

    def without_first(self) -> Rule:
        """The same rule as it is called on an instance."""
        return Rule(self.function, self.parameters[1:], self.returns, self.leading)

    def unknown_result(self) -> Any:
        """What is left of the result when nothing is known: UNKNOWN, once per result."""
        if self.returns.startswith("tuple[") and "..." not in self.returns:
            return (UNKNOWN,) * (self.returns.count(",") + 1)
        return UNKNOWN


class Bound:
    """A call bound to a rule: values by parameter name, and which of them are wholly unknown."""

    __slots__ = ("rule", "unknown", "values")

    def __init__(self, rule: Rule, values: dict[str, Any], unknown: tuple[str, ...]) -> None:
        self.rule: Final = rule
        self.values: Final = values
        self.unknown: Final = unknown


def bind_rule(
    rule: Rule,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    order: tuple[str, ...] | None = None,
    known: frozenset[str] = frozenset(),
) -> Bound | None:
    """The call bound to one rule; None when the rule does not take it.

    Names of `order` that are not `known` to the op are taken and not looked at.
    """
    remaining = dict(keywords) if keywords else {}
    count = len(arguments)
    if order is not None:
        if not _name_by_order(remaining, arguments, order):
            return None
        count = 0
    values: dict[str, Any] = {}
    unknown: tuple[str, ...] = ()
    place = 0
    value: Any
    for name, takes, default, kind, as_tensor, as_several, copes, takers in rule.slots:
        if kind == "positional" and place < count:
            if remaining and name in remaining:
                return None
            value = arguments[place]
            place += 1
        elif kind == "keywords":
            values[name], remaining = remaining, {}
            continue
        elif kind == "variadic" and place < count:
            value = _several(arguments[place:], takes)
            place = count
        elif remaining and name in remaining:
            value = remaining.pop(name)
        elif kind == "variadic":
            value = remaining.pop("shape", ())
        elif default is REQUIRED:
            return None
        else:
            values[name] = default
            continue
        if as_tensor and type(value) is tuple and value and type(value[0]) is Dim:
            values[name] = value
        elif value is UNKNOWN or (as_several and _may_be_sequence(value)):
            values[name] = UNKNOWN
            if not copes:
                unknown = (*unknown, name)
        else:
            try:
                values[name] = _taken(value, takes, takers)
            except _NotTaken:
                return None
    if place < count or (remaining and not _are_ignored(remaining, order, known)):
        return None
    return Bound(rule, values, unknown)


def _name_by_order(
    remaining: dict[str, Any], arguments: Sequence[Any], order: tuple[str, ...]
) -> bool:
    """Add the positional arguments to the keywords, by their names in `order`; False if there are
    too many, or one is a keyword as well.
    """
    if len(arguments) > len(order):
        return False
    named = dict(zip(order, arguments, strict=False))
    if named.keys() & remaining.keys():
        return False
    remaining.update(named)
    return True


def _taken(
    value: object, takes: tuple[str, ...], takers: tuple[Callable[[object], object], ...]
) -> object:
    """The value that a rule is asked with for an argument.  Raises _NotTaken."""
    for take in takers:
        try:
            return take(value)
        except _NotTaken:
            continue
    # A 0-d tensor is a number that we do not know: `torch.arange(lengths.max())`.
    if value != () or "Size" not in takes:
        raise _NotTaken
    return UNKNOWN


def _are_ignored(
    keywords: dict[str, Any], order: tuple[str, ...] | None, known: frozenset[str]
) -> bool:
    """Whether a rule ignores the keywords that it has no parameter for: `dtype`, `device`, ...,
    and the names of `order` that are not `known` to the op.
    """
    surplus = keywords.keys() - IGNORED_KEYWORDS
    return not surplus or (order is not None and surplus <= set(order) - known)


def name_arguments(
    rule: Rule,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    order: tuple[str, ...] | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arguments of a call that binds to a rule, as they were given, by parameter name; and the
    keywords that the rule does not look at.

    For readers whose arguments are more than what rules see of them.
    """
    left = dict(keywords)
    if order is not None:
        left.update(zip(order, arguments, strict=False))
        arguments = ()
    values: dict[str, Any] = {}
    place = 0
    for parameter in rule.parameters:
        name, kind = parameter.name, parameter.kind
        if kind == "positional" and place < len(arguments):
            values[name] = arguments[place]
            place += 1
        elif kind == "keywords":
            values[name], left = left, {}
        elif kind == "variadic" and place < len(arguments):
            values[name] = _several(arguments[place:], parameter.takes)
            place = len(arguments)
        elif name in left:
            values[name] = left.pop(name)
        elif kind == "variadic":
            values[name] = left.pop("shape", ())
        else:
            values[name] = parameter.default
    return values, left


def _several(rest: Sequence[Any], takes: tuple[str, ...]) -> Any:
    """What a variadic parameter is given: one sequence, or all that is left."""
    if len(rest) != 1 or "object" in takes:
        return tuple(rest)
    alone = rest[0]
    if alone is UNKNOWN:
        return alone
    # A shape is a tuple too: one tensor is not a sequence of them.
    if "Tensors" in takes and _is_tensor(alone):
        return (alone,)
    return alone if _is_sequence(alone) or _may_be_sequence(alone) else (alone,)


_TENSOR_WORDS: Final = frozenset({"Dims", "Shape", "Operand", "object"})

IGNORED_KEYWORDS: Final = frozenset(
    {
        "dtype",
        "device",
        "layout",
        "requires_grad",
        "pin_memory",
        "memory_format",
        "generator",
        "non_blocking",
        "copy",
        # NumPy's: how and where it is computed.
        "casting",
        "like",
        "order",
        "signature",
        "subok",
        "where",
        # JAX's.
        "accuracy",
        "out_sharding",
        "precision",
        "preferred_element_type",
        # torch's, of products.
        "out_dtype",
    }
)
"""Keywords that no rule has to look at."""
