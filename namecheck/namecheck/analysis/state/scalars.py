"""Arithmetic, comparison and truth of Python's numbers, strings and sequences.

Ints are symbolic sizes wherever possible; a float keeps the size that it was computed from only
while it is known exactly.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.state.lineage import key_of_class, look_up, same_definition
from namecheck.analysis.state.values import (
    Anything,
    Bound,
    Claimed,
    Class,
    Constant,
    Container,
    Device,
    Dict,
    DType,
    Entries,
    Function,
    Instance,
    Layer,
    Library,
    List,
    Number,
    Partial,
    Repeated,
    Set,
    ShapeOf,
    Tensor,
    Text,
    Tuple,
    Value,
    inherited,
    is_text,
    kind_of_number,
    known,
)
from namecheck.frameworks import python
from namecheck_runtime import sizes
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.lattice import UNKNOWN, Size, Truth
from namecheck_runtime.layers import LAYERS
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.sizes import Relation, plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_EXACT: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "|": operator.or_,
    "&": operator.and_,
    "^": operator.xor,
}

_SYMBOLIC: Final[dict[str, Callable[[Size, Size], Size]]] = {
    "+": sizes.add,
    "-": sizes.subtract,
    "*": sizes.multiply,
    "//": sizes.floor_divide,
    "%": sizes.modulo,
}

_DIVISIONS: Final = ("/", "//", "%")


def arithmetic(ev: Evaluator, left: Value, symbol: str, right: Value) -> Value:
    """The value of `left symbol right` for operands that are not tensors."""
    mine, other = known(left), known(right)
    if symbol == "%" and mine is not None and isinstance(mine[0], str):
        return _printed(ev, mine[0], right)
    if other is not None and symbol in _DIVISIONS and _is_zero(other[0]):
        if isinstance(left, Number):
            ev.raises_here()
    if mine is not None and other is not None:
        return carrying(_exactly(mine[0], symbol, other[0]), (left, right))
    if symbol == "|" and isinstance(left, Dict) and isinstance(right, Dict):
        return _united(ev, left, right)
    sequence = _sequence(ev, left, symbol, right) or of_sets(ev, left, symbol, right)
    if sequence is not None:
        return sequence
    if symbol in ("+", "%", "*") and is_text(left):
        return Text()
    kinds = _kind(left), _kind(right)
    scalars = [isinstance(value, Anything) and value.scalar for value in (left, right)]
    if any(scalars) and all(scalar or kind for scalar, kind in zip(scalars, kinds, strict=True)):
        return Anything.presumed_scalar()
    if not kinds[0] or not kinds[1]:
        return Anything()
    if "float" in kinds or "number" in kinds or "complex" in kinds or symbol == "/":
        return _inexact(ev, left, symbol, right)
    unsure = not all(
        isinstance(v, (Number, Constant)) or is_config(v) or _is_counted(v) for v in (left, right)
    )
    # They may also be two shapes.
    unsure = unsure or (symbol == "+" and is_config(left) and is_config(right))
    compute = _SYMBOLIC.get(symbol)
    if symbol == "**" and other is not None and isinstance(other[0], int) and 0 <= other[0] <= 6:
        size = sizes.product([_size(ev, left)] * other[0])
    else:
        size = compute(_size(ev, left), _size(ev, right)) if compute is not None else UNKNOWN
    if unsure:
        return Anything.computed(size)
    if size is UNKNOWN:
        return Number(ev.some_int())
    return Number(size, claimed=_claimed_of(left) or _claimed_of(right))


_PRINTED: Final = regex(r"(?:[^%]|%%|%0?[0-9]?[ds])*")
"""Texts whose places are ints and texts, and not wide."""
_LONGEST: Final = 1000


def _printed(ev: Evaluator, text: str, given: Value) -> Value:
    """`"layer%d" % number`, of ints and texts."""
    values = given.elements if isinstance(given, Tuple) else (given,)
    constants = [known(ev.resolve(value)) for value in values]
    parts = [one[0] for one in constants if one is not None and type(one[0]) in (int, str)]
    long = len(text) + sum(len(part) for part in parts if isinstance(part, str)) > _LONGEST
    if len(parts) < len(values) or long or not _PRINTED.fullmatch(text):
        return Text()
    if any(rests_on_claim(ev, value) for value in values):
        return Text()
    try:
        return wrap(text % tuple(parts))
    except (TypeError, ValueError):
        return Text()


def _united(ev: Evaluator, left: Dict, right: Dict) -> Dict:
    """`left | right`: the entries of both dicts."""
    table = Dict()
    mine, other = ev.cells.get(left), ev.cells.get(right)
    both = isinstance(mine, dict) and isinstance(other, dict)
    ev.cells[table] = {**mine, **other} if both else Repeated(Anything())
    return table


def carrying(value: Value, operands: Iterable[Value]) -> Value:
    """A number that was computed from others, and rests on the claim that one of them rests on."""
    claimed = next((one for o in operands if (one := _claimed_of(o)) is not None), None)
    if claimed is None or not isinstance(value, Number):
        return value
    return Number(value.size, value.kind, claimed)


def _claimed_of(value: Value) -> Claimed | None:
    return value.claimed if isinstance(value, Number) else None


def is_config(value: Value) -> bool:
    """Whether a value comes from a constructor's parameters, which are numbers, not tensors.

    An attribute of `self` that the code does not set may be an array that a test sets up.
    """
    if not isinstance(value, Anything) or not value.config:
        return False
    root, dot, _ = value.label.partition(".")
    return not dot or any(word in root.lower() for word in _SETTINGS)


_SETTINGS: Final = ("conf", "cfg", "arg", "opt", "param", "hp", "setting", "spec", "model")
"""Words in the names of objects that configure a model: their attributes are numbers, while
`table.values` may be an array.
"""


def _is_counted(value: Value) -> bool:
    """Whether the value was used in a shape, so that it is not a tensor."""
    atom = plain_symbol(value.size()) if isinstance(value, Anything) and not value.unused else None
    return atom is not None and atom.least > 0


def _kind(value: Value) -> str:
    kind = kind_of_number(value)
    if kind:
        return kind
    if isinstance(value, Anything) and value.sized:
        return "int" if value.whole else "float"
    return ""


def _size(ev: Evaluator, value: Value) -> Size:
    if isinstance(value, Number) and value.kind == "int":
        return ev.facts.representative(value.size)
    if isinstance(value, Anything):
        return ev.facts.representative(value.size())
    constant = known(value)
    if constant is not None and isinstance(constant[0], bool):
        return int(constant[0])
    return UNKNOWN


def _inexact(ev: Evaluator, left: Value, symbol: str, right: Value) -> Value:
    """A float that keeps the sizes it was computed from, so that `int(dim * ratio)` is one size."""
    parts = [trace_of(ev, value) for value in (left, right)]
    size = sizes.opaque(symbol + ".", *parts)
    if all(isinstance(v, (Number, Constant)) or is_config(v) for v in (left, right)):
        return Number(size, "float")
    return Anything.computed(size, whole=False)


def trace_of(ev: Evaluator, value: Value) -> Size:
    """The size that a number was computed from, so that equal computations are recognized."""
    if isinstance(value, Number):
        return value.size
    if isinstance(value, Anything):
        return value.size()
    constant = known(value)
    if constant is not None and isinstance(constant[0], float):
        return sizes.opaque("float", *_digits(constant[0]))
    return UNKNOWN


def _digits(value: float) -> tuple[int, ...]:
    try:
        return value.as_integer_ratio()
    except (OverflowError, ValueError):
        return (0, 0)


def _is_zero(value: Any) -> bool:
    return isinstance(value, int) and value == 0


def _exactly(left: Any, symbol: str, right: Any) -> Value:
    if symbol == "**":
        small = isinstance(left, (int, float)) and isinstance(right, (int, float))
        if not small or abs(left) > 1e6 or abs(right) > 64:
            return Anything()
        compute: Callable[[Any, Any], Any] | None = operator.pow
    else:
        compute = _EXACT.get(symbol)
    if compute is None or (symbol == "<<" and isinstance(right, int) and right > 64):
        return Anything()
    if isinstance(left, (str, bytes)) and symbol != "+":
        return Text() if isinstance(left, str) else Anything()
    try:
        return wrap(compute(left, right))
    except Exception:  # the program would raise here, so the value does not matter
        return Anything()


_LONGEST_TEXT: Final = 4096
_LONGEST_NUMBER: Final = 1024
"""The most characters and bits of a computed value: forty lines of `text + text` would make a
trillion. A literal in the program may be longer.
"""


def wrap(value: Any) -> Value:
    """A computed Python value as an abstract value."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Number(value) if value.bit_length() <= _LONGEST_NUMBER else Anything()
    if isinstance(value, (str, bytes)) and len(value) > _LONGEST_TEXT:
        return Text() if isinstance(value, str) else Anything()
    if isinstance(value, tuple):
        return Tuple(map(wrap, value))
    if value is None or value is ... or isinstance(value, (bool, float, complex, str, bytes)):
        return Constant(value)
    return Anything()


def key_of(ev: Evaluator, value: Value) -> tuple[Any] | None:
    """The key that a value is in a dict: what is known, or a tuple of that; None for others.

    A program's tensors are keys by their identity, and so are classes. A scalar of NumPy is a key
    by its number, which is not known.
    """
    if isinstance(value, Tensor) and ev.reach.driven:
        return None if ev.current(value.shape) == () else (value,)
    if isinstance(value, (Class, Library)):
        return key_of_class(value)
    if not isinstance(value, Tuple):
        return known(value)
    parts = [key_of(ev, ev.resolve(element)) for element in value.elements]
    if None in parts or rests_on_claim(ev, value):
        return None
    return (tuple([part[0] for part in parts if part is not None]),)


def elements_by_key(ev: Evaluator, row: Iterable[Value]) -> dict[Any, Value] | None:
    """The elements of a set by what they are compared by; None if that of one is not known."""
    once: dict[Any, Value] = {}
    for one in row:
        element = ev.resolve(one)
        key = key_of(ev, element)
        if key is None and isinstance(element, (Class, Function)):
            key = (element,)
        try:
            if key is None or rests_on_claim(ev, element):
                return None
            if key in once and isinstance(element, Tensor):
                return None  # one value stands for all rows of a tensor, which are different keys
            once.setdefault(key, one)
        except TypeError:
            return None
    return once


def of_sets(ev: Evaluator, left: Value, symbol: str, right: Value) -> Value | None:
    """What an operator makes of two sets, or of the keys of dicts; None for other operands."""
    if symbol not in _OF_SETS or not isinstance(left, (Set, Tuple)):
        return None
    if not isinstance(right, (Set, Tuple)):
        return None
    made = Set()
    rows = [_elements(ev, side) for side in (left, right)]
    ours, theirs = (None if row is None else elements_by_key(ev, row) for row in rows)
    if ours is None or theirs is None:
        ev.cells[made] = Repeated(Anything())
        return made
    both = {**theirs, **ours}
    chosen = _OF_SETS[symbol](set(ours), set(theirs))
    ev.fill(made, [value for key, value in both.items() if key in chosen])
    return made


_OF_SETS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "-": operator.sub,
    "|": operator.or_,
    "&": operator.and_,
    "^": operator.xor,
}


def _compare_sets(ev: Evaluator, left: Set, symbol: str, right: Set) -> bool | None:
    """Whether a comparison of two sets holds; None if that is not known."""
    rows = [_elements(ev, side) for side in (left, right)]
    ours, theirs = (None if row is None else elements_by_key(ev, row) for row in rows)
    if ours is None or theirs is None:
        return None
    if symbol in ("==", "!="):
        return (set(ours) == set(theirs)) == (symbol == "==")
    return bool(ORDER[symbol](set(ours), set(theirs)))


def _sequence(ev: Evaluator, left: Value, symbol: str, right: Value) -> Value | None:
    """Concatenation and repetition of tuples and lists."""
    if symbol == "+":
        parts = [_elements(ev, value) for value in (left, right)]
        if isinstance(left, (Tuple, ShapeOf)) and isinstance(right, (Tuple, ShapeOf)):
            if parts[0] is not None and parts[1] is not None:
                both = ev.contents((*parts[0], *parts[1]))
                if not isinstance(both, tuple):
                    return both
                of_shape = is_of_shape(left) or is_of_shape(right)
                claimed = count_claimed(ev, left) or count_claimed(ev, right)
                return Tuple(both, of_shape=of_shape, claimed=claimed)
            return Anything()
        if isinstance(left, List) and isinstance(right, List):
            result = List()
            if parts[0] is not None and parts[1] is not None:
                ev.fill(result, (*parts[0], *parts[1]))
            else:
                ev.cells[result] = Repeated(Anything())
            return result
    if symbol == "*":
        for sequence, count in ((left, right), (right, left)):
            elements = _elements(ev, sequence)
            times = known(count)
            if elements is None or not isinstance(sequence, (Tuple, ShapeOf, List)):
                continue
            if times is None or not isinstance(times[0], int) or times[0] * len(elements) > 64:
                return Anything()
            if isinstance(sequence, (Tuple, ShapeOf)):
                several = ev.contents(elements * times[0])
                if not isinstance(several, tuple):
                    return several
                claimed = count_claimed(ev, sequence)
                return Tuple(several, of_shape=is_of_shape(sequence), claimed=claimed)
            result = List()
            ev.fill(result, elements * times[0])
            return result
    return None


def count_claimed(ev: Evaluator, value: Value) -> Claimed | None:
    """The comment that says how many elements a shape, or a part of one, has: that of its rank."""
    if isinstance(value, ShapeOf):
        tensor = ev.resolve(value.tensor)
        return tensor.claimed if isinstance(tensor, Tensor) and tensor.rank_claimed else None
    return value.claimed if isinstance(value, Tuple) else None


def is_of_shape(value: Value) -> bool:
    """Whether a value is a shape or was computed from one.

    What PyTorch adds to a shape, on either side, is a shape again.
    """
    if isinstance(value, ShapeOf):
        return not value.plain
    return isinstance(value, Tuple) and value.of_shape


def _elements(ev: Evaluator, value: Value) -> tuple[Value, ...] | None:
    if isinstance(value, Tuple):
        return value.elements
    if isinstance(value, List):
        contents = ev.cells.get(value)
        return contents if isinstance(contents, tuple) else None
    if isinstance(value, ShapeOf):
        return ev.numbers_of(value)
    return None


def truth_of(ev: Evaluator, value: Value) -> bool | None:
    """Whether a value counts as true; None if that is not known.

    What a comment claims decides no test: the comment may be about one run of several.
    """
    value = ev.resolve(value)
    if rests_on_claim(ev, value):
        return None
    constant = known(value)
    if constant is not None:
        return bool(constant[0])
    if type(value) is Anything or type(value) is Tensor:
        return None  # most values: the cases below would each be tried
    match value:
        case Tuple():
            return bool(value.elements)
        case ShapeOf():
            tensor = ev.resolve(value.tensor)
            has_rank = isinstance(tensor, Tensor) and isinstance(tensor.shape, tuple)
            return bool(tensor.shape) if isinstance(tensor, Tensor) and has_rank else None
        case List() | Dict():
            contents = ev.cells.get(value)
            return None if isinstance(contents, Repeated) or contents is None else bool(contents)
        case Instance() if ev.reach.driven:
            return True if _is_true(value) else None
        case Function() | Class() | Layer() | Partial() | Bound():
            return True
        case Library(path=path) if (
            path in LAYERS or path in REGISTRY or path.startswith(python.BUILTIN)
        ):
            return True
    return None


def _is_true(value: Instance) -> bool:
    """Whether an object counts as true since its class says nothing of that."""
    return all(look_up(value.cls.lineage, name) is None for name in ("__bool__", "__len__"))


def rests_on_claim(ev: Evaluator, value: Value) -> bool:
    """Whether a number, or a row of numbers, is known from a comment or a docstring."""
    match ev.resolve(value):
        case Number(claimed=claimed):
            return claimed is not None
        case ShapeOf(tensor=tensor):
            owner = ev.resolve(tensor)
            return isinstance(owner, Tensor) and inherited(owner.claimed) is not None
        case Tuple(elements=elements):
            return any(_claimed_of(element) is not None for element in elements)
    return False


_IDENTITIES: Final = ("is", "is not", "in", "not in")

ORDER: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""What the operators that compare an order compute."""


def compare_constants(ev: Evaluator, left: Value, symbol: str, right: Value) -> bool | None:
    """Whether a comparison holds; None if that is not known."""
    mine, other = known(left), known(right)
    if symbol in ("in", "not in") and isinstance(left, Tuple):
        mine = key_of(ev, left)
    if symbol not in ("is", "is not") and any(rests_on_claim(ev, side) for side in (left, right)):
        return None
    if isinstance(left, Set) and isinstance(right, Set) and symbol not in _IDENTITIES:
        return _compare_sets(ev, left, symbol, right)
    if symbol in ("is", "is not", "==", "!="):
        equal = _equal(ev, left, right, mine, other, symbol)
        return None if equal is None else equal == (symbol in ("is", "=="))
    if symbol in ORDER and mine is not None and other is not None:
        try:
            return bool(ORDER[symbol](mine[0], other[0]))
        except TypeError:
            return None
    if symbol in ORDER and _are_ints(left, right):
        return _ordered(_size(ev, left), symbol, _size(ev, right))
    if symbol in ("in", "not in") and mine is not None:
        entries = ev.cells.get(right) if isinstance(right, (Container, Dict)) else None
        if isinstance(entries, dict):
            return (mine[0] in entries) == (symbol == "in")
        if isinstance(entries, Entries):
            return _is_key(mine[0], entries, symbol == "in")
        elements = _elements(ev, right)
        if elements is None:
            return None
        constants = [key_of(ev, ev.resolve(element)) for element in elements]
        if any(constant is None for constant in constants):
            return None
        return (mine[0] in [held[0] for held in constants if held is not None]) == (symbol == "in")
    return None


def _is_key(key: object, entries: Entries, wanted: bool) -> bool | None:
    """Whether a dict of which some entries are known has a key, or lacks it; None if either."""
    if key in entries.certain:
        return wanted
    if entries.possible is None or key in entries.possible:
        return None
    return not wanted


def _equal(
    ev: Evaluator,
    left: Value,
    right: Value,
    mine: tuple[Any] | None,
    other: tuple[Any] | None,
    symbol: str,
) -> bool | None:
    if mine is not None and other is not None:
        if symbol in ("is", "is not") and not (mine[0] is None or other[0] is None):
            if isinstance(mine[0], str) and isinstance(other[0], str):
                return bool(mine[0] == other[0])  # members of an enumeration
            if type(mine[0]) is not type(other[0]):
                return False
            return None if not isinstance(mine[0], bool) else mine[0] is other[0]
        return bool(mine[0] == other[0])
    for constant, value in ((mine, right), (other, left)):
        if constant is not None and constant[0] is None:
            return False if _is_something(ev, value) else None
    same = same_definition(left, right)
    if same is not None:
        return same
    if _are_ints(left, right):
        relation = ev.facts.relate(_size(ev, left), _size(ev, right))
        if relation is Relation.YES:
            return True
        return False if relation is Relation.NO else None
    return None


def _are_ints(left: Value, right: Value) -> bool:
    return kind_of_number(left) == "int" and kind_of_number(right) == "int"


def _ordered(left: Size, symbol: str, right: Size) -> bool | None:
    """Whether an order of two sizes holds for all sizes; None if that is not known.

    A number is compared with a size in order to ask for data or options that are missing.
    """
    if left is UNKNOWN or right is UNKNOWN or isinstance(left, int) or isinstance(right, int):
        return None
    is_upwards = symbol in ("<=", ">")
    answer = sizes.at_most(left, right) if is_upwards else sizes.at_most(right, left)
    if answer is Truth.MAYBE:
        return None
    return (answer is Truth.YES) == (symbol in ("<=", ">="))


def _is_something(ev: Evaluator, value: Value) -> bool:
    """Whether a value is certainly not None; in a drive that is asked of what was passed."""
    if not ev.reach.driven or isinstance(value, _THINGS):
        return isinstance(value, _THINGS)
    if isinstance(value, Library):
        return value.path in LAYERS or value.path in REGISTRY
    return isinstance(value, (Partial, Bound))


_THINGS: Final = (
    *(Tensor, Number, Tuple, List, Dict, Function, Class, Instance),
    *(Layer, Container, DType, Device, ShapeOf, Text),
)
