"""How the arguments of a call bind to the parameters of a rule.

This says which values each word of an annotation takes (see the table in `declare`), and which
values the rule is called with. Nothing here knows an op, or how one is declared.
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
"""The default of a parameter without a default."""


def _is_tensor(value: object) -> bool:
    return (
        value is UNKNOWN
        or isinstance(value, Trailing)
        or (isinstance(value, tuple) and all(isinstance(dim, Dim) for dim in value))
    )


def is_number(value: object) -> bool:
    """Whether a value is a number to a rule, known or symbolic."""
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
    """Whether a value that was taken for a size may be a sequence of sizes.

    So may a parameter of a constructor, such as `padding` or `shape`, if nothing was computed with
    it.
    """
    return isinstance(value, Polynomial) and any(
        value == of_symbol(atom) for atom in value.symbols() if atom.origin is Origin.CONFIG
    )


def shape_of(value: object) -> Shape:
    """The shape of a value that no annotation has checked.

    It is `()` for a number, and UNKNOWN for anything that is not a tensor.
    """
    if isinstance(value, (int, float, complex, Symbolic)):
        return ()
    if isinstance(value, Trailing):
        return value
    if isinstance(value, tuple) and all(isinstance(dim, Dim) for dim in value):
        return value
    return UNKNOWN


def size_of(value: object) -> Size:
    """The size that a value is, which no annotation has checked; UNKNOWN for anything else."""
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
"""By the word of an annotation, the function from an argument to the value that the rule is called
with.  It raises `_NotTaken` for an argument that such a parameter does not take.
"""

_COPES_WITH_UNKNOWN: Final = frozenset(
    {"Shape", "Operand", "DimRef", "DimRefs", "Size", "Flag", "object"}
)


class Rule:
    """One signature of an op, and the function that answers for it."""

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
        """The annotation of the result: `Shape`, `tuple[Shape, Shape]`, `Shapes`, `Size`, `Sizes`;
        for a question whose answer is not about dims, `Flag` or the Python type of the answer.
        """
        self.leading: bool = leading
        """Whether the rule means the same with more dims in front, if dims are counted from the
        right.
        """
        self._plain: bool | None = None
        self._ranked: tuple[str, ...] | None = None
        self._slots: tuple[Slot, ...] | None = None

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Its parameters in the form that binding uses."""
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
        """Whether its result is an answer to the caller, not the dims of a tensor."""
        return "Shape" not in self.returns and self.returns != "Any"

    @property
    def plain(self) -> bool:
        """Whether all its parameters are positional, so that the bound values are its arguments."""
        if self._plain is None:
            self._plain = all(parameter.kind == "positional" for parameter in self.parameters)
        return self._plain

    @property
    def ranked(self) -> tuple[str, ...]:
        """The names of the parameters that must have a known rank."""
        if self._ranked is None:
            self._ranked = tuple(p.name for p in self.parameters if "Dims" in p.takes)
        return self._ranked

    def without_first(self) -> Rule:
        """The same rule without its first parameter, as it is called on an instance."""
        return Rule(self.function, self.parameters[1:], self.returns, self.leading)

    def unknown_result(self) -> Any:
        """The result if nothing is known: UNKNOWN, once for each result."""
        if self.returns.startswith("tuple[") and "..." not in self.returns:
            return (UNKNOWN,) * (self.returns.count(",") + 1)
        return UNKNOWN


class Bound:
    """A call bound to a rule: values by parameter name.

    `unknown` are the names of values that are UNKNOWN although the rule needs them.
    """

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
    """The call bound to one rule; None if the rule does not take it.

    Names of `order` that are not `known` to the op are accepted and ignored.
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
    """Add the positional arguments to the keywords, by their names in `order`.

    False if there are too many, or if one is also a keyword.
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
    """Whether a rule ignores the keywords that it has no parameter for.

    It ignores `dtype`, `device`, ..., and the names of `order` that are not `known` to the op.
    """
    surplus = keywords.keys() - IGNORED_KEYWORDS
    return not surplus or (order is not None and surplus <= set(order) - known)


def name_arguments(
    rule: Rule,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    order: tuple[str, ...] | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The unchanged arguments of a call by parameter name, and the keywords that the rule ignores.

    The call binds to the rule. For readers whose arguments hold more than rules see.
    """
    remaining = dict(keywords)
    if order is not None:
        remaining.update(zip(order, arguments, strict=False))
        arguments = ()
    values: dict[str, Any] = {}
    place = 0
    for parameter in rule.parameters:
        name, kind = parameter.name, parameter.kind
        if kind == "positional" and place < len(arguments):
            values[name] = arguments[place]
            place += 1
        elif kind == "keywords":
            values[name], remaining = remaining, {}
        elif kind == "variadic" and place < len(arguments):
            values[name] = _several(arguments[place:], parameter.takes)
            place = len(arguments)
        elif name in remaining:
            values[name] = remaining.pop(name)
        elif kind == "variadic":
            values[name] = remaining.pop("shape", ())
        else:
            values[name] = parameter.default
    return values, remaining


def _several(rest: Sequence[Any], takes: tuple[str, ...]) -> Any:
    """The value of a variadic parameter: one sequence, or a tuple of all remaining arguments."""
    if len(rest) != 1 or "object" in takes:
        return tuple(rest)
    single = rest[0]
    if single is UNKNOWN:
        return single
    # A shape is a tuple too: one tensor is not a sequence of tensors.
    if "Tensors" in takes and _is_tensor(single):
        return (single,)
    return single if _is_sequence(single) or _may_be_sequence(single) else (single,)


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
        # NumPy's: how and where to compute.
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
        # PyTorch's, for products.
        "out_dtype",
    }
)
"""Keywords that rules without such a parameter ignore."""
