"""How an op is declared: `@op(...)` on a rule, and the registry that this fills.

The Python signature of a rule is the op's signature; the annotations of its parameters say what
each takes and whether the rule copes with not knowing it.  Calls are bound to that signature here,
too.  Nothing here knows an op.

What an annotation says (the words are the aliases below):

| annotation | takes | if it is UNKNOWN |
|---|---|---|
| `Dims` | a tensor whose rank is known | the answer is unknown, but see `leading` |
| `Shape` | a tensor | the rule copes |
| `Operand` | a tensor or a number (dims `()`) | the rule copes |
| `Tensors` | a sequence of tensors | the answer is unknown; its members may be UNKNOWN |
| `DimRef`, `DimRefs` | one dim, or one or several | the rule copes |
| `Size` | a size | the rule copes |
| `Sizes` | a sequence of sizes | the answer is unknown; its members may be UNKNOWN |
| `bool`, `int`, `float`, `str`, `Names` | that | the answer is unknown |
| `Flag` | a bool | the rule copes |
| `object` | anything | the rule copes |
"""

from __future__ import annotations

from namecheck_runtime.algebra import DimRef
from namecheck_runtime.binding import (
    REQUIRED,
    TAKERS,
    Bound,
    Parameter,
    Rule,
    bind_rule,
)
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dims,
    Name,
    Shape,
    Size,
    Unknown,
)
from namecheck_runtime.lazy_rules import Declared, so_far
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.memory_effects import (
    EXACT,
    LAYOUTS,
    UNCHECKED,
    InPlace,
    Layout,
    Memory,
    Out,
    layout_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping, Sequence
    from typing import Any, Final, Literal, TypeAlias, TypeVar

    Function = TypeVar("Function")

Operand: TypeAlias = "Shape"
Tensors: TypeAlias = "Sequence[Shape]"
DimRefs: TypeAlias = "DimRef | Sequence[DimRef | None]"
Shapes: TypeAlias = "tuple[Shape, ...] | Unknown"
Sizes: TypeAlias = "Sequence[Size]"
Names: TypeAlias = "Sequence[Any]"
Flag: TypeAlias = "bool | Unknown"
Fields: TypeAlias = "Mapping[str, Any]"
"""The arguments of a layer's constructor, by name."""


class Unbindable(TypeError):
    """The arguments of a call do not bind to any signature of the op."""


class Removal(NamedTuple):
    """A note on an op that a library has removed and that the rulebook still has."""

    release: str
    """The first release without it: `torch 2.13`."""
    telling: bool = False
    """Whether an object with a method of this name that takes names can only be a tensor of that
    library.
    """


Products: TypeAlias = "Callable[[Mapping[str, Any], Any], Size]"
"""The multiply-adds of a call, from its arguments by name and the answer of the rule."""


Effect: TypeAlias = (
    "Literal['', 'moves', 'keeps', 'maps', 'powers', 'linear', 'difference', 'product', 'quotient',"
    " 'exponential', 'log_softmax',"
    " 'softmax', 'unit', 'mean', 'spread', 'sum', 'extent', 'contraction', 'counts',"
    " 'drawn', 'resamples', 'blank', 'differentiates', 'turns', 'gathers']"
)
"""What an op does to the elements of a tensor, for readers that follow how a value was computed:

| effect | the elements of the result |
|---|---|
| `moves` | are the operand's, in other places |
| `keeps` | are the operand's, in their places: cast, or some of them left out |
| `maps`, `difference`, `product`, `quotient`, `exponential` | each depend on those at their place |
| `powers` | are powers of those at their place, squares most often |
| `linear` | each are a sum of those at their place, or one of them |
| `softmax`, `log_softmax`, `unit` | depend on those along the parameter `dim` |
| `mean`, `spread`, `sum`, `extent` | depend on those along the parameter `dim` |
| `contraction` | are sums of products, see `Op.summation` |
| `counts` | are the numbers up to the size of the dim: positions |
| `drawn` | are random numbers, each drawn by itself |
| `resamples` | depend on those of the same map: those along the last dims |
| `blank` | are undefined: the tensor is there to be filled |
| `differentiates` | are gradients, or go into the `grad` of leaves: it runs a graph backwards |
| `turns` | are the operand's, turned in the plane of two dims: with it turned, a map is a square |
| `gathers` | are the operand's, at indices along the parameter `dim`: one for each index |
| "" | are something else |
"""


Parsing: TypeAlias = (
    "Literal['tensors only', 'sizes together', 'dim by name', 'dims by name', 'dims alike',"
    " 'dims apart', 'names apart', 'named parts']"
)
"""How PyTorch's argument parser reads a call of an op otherwise than its rule does:

| word | PyTorch |
|---|---|
| `tensors only` | does not take a number for an operand after the first |
| `sizes together` | takes sizes in one sequence, and no number for one |
| `dim by name` | had a signature with a dim's name: None is a name that cannot be looked up |
| `dims by name` | had a signature with a list of names, in which None is one |
| `dims alike` | takes two dims both by name or both by index |
| `dims apart` | takes dims one by one in the function, too, not only in the method |
| `names apart` | takes names one by one, and no list of them |
| `named parts` | takes sizes with names only for a dim by name |
"""


class Summation(NamedTuple):
    """The dims that a product of two tensors sums over, and those that it keeps.

    Dims are counted from the right, as negative numbers.
    """

    summed: tuple[tuple[int, int], ...]
    """The dims that are summed over: of the first tensor, and of the second."""
    rows: tuple[tuple[int, int], ...]
    """The dims that only the first tensor has: there, and in the result."""
    columns: tuple[tuple[int, int], ...]
    """The dims that only the second tensor has: there, and in the result."""
    letters: tuple[tuple[str, ...], ...] = ()
    """The letters of the equation, if there is one: of the two tensors, and of the result."""
    presumed: bool = False
    """Whether it is true only if both tensors have two dims or more, which is not known."""


PARTS: Final[dict[str, tuple[str, ...]]] = {}
"""The names of the parts of results, by op; `rules.fields` fills it before any op is declared."""


class Op:
    """An op: its signatures, tried in order, and which derived forms it has."""

    __slots__ = (
        "_declared",
        "_memory",
        "_parameters",
        "_rules",
        "effect",
        "fields",
        "inplace",
        "itself",
        "kind",
        "name",
        "out",
        "parsing",
        "products",
        "removed",
        "reshapes",
        "spellings",
        "subscript",
        "summation",
        "writes",
    )

    def __init__(
        self,
        name: str,
        kind: str,
        inplace: InPlace | None,
        out: Out | None,
        reshapes: bool = False,
        removed: Removal | None = None,
        memory: Memory | None = None,
        itself: bool = False,
        writes: tuple[str, ...] = (),
        parsing: tuple[Parsing, ...] = (),
        subscript: bool = False,
        products: Products | None = None,
    ) -> None:
        self.name: str = name
        self.kind: str = kind
        """The dtype kind of the result: `bool`, `int`, `float`, `complex`, `unknown`, or that of
        the operands: `same`; `arithmetic`, if numbers are operands, too; `counted`, if a bool is a
        number; `inexact`, a float unless it is complex; `chosen`, of all but the first.  `same,
        then int`: of several results, all but the first are positions or counts.
        """
        self.inplace: InPlace | None = inplace
        """How it changes a tensor; None if there is neither `name_` nor the augmented operator."""
        self.out: Out | None = out
        """How it writes to `out=`; None if it takes none."""
        self.reshapes: bool = reshapes
        """Whether the in-place op gives its tensor the dims of the result, as `t_` does."""
        self.removed: Removal | None = removed
        """The note on its removal, if PyTorch has removed it."""
        self.itself = itself
        """Whether its result is its first operand, about which the rule may say more than was
        known.
        """
        self.writes = writes
        """The parameters that it writes to, apart from its result: running statistics, the array
        that NumPy's `put` changes.
        """
        self.parsing: tuple[Parsing, ...] = parsing
        """How PyTorch's argument parser reads a call of it."""
        self.subscript: bool = subscript
        """Whether its second argument stands in brackets."""
        self.products: Products | None = products
        """How many multiply-adds a call takes; None for an op that sums no products."""
        self.effect: Effect = ""
        self.fields: tuple[str, ...] = PARTS.get(name, ())
        """The names of the parts of a result of several tensors."""
        self.summation: Callable[[Shape, Shape, str], Summation | None] | None = None
        """For a contraction, the function from two tensors and the text of the equation ("" if it
        has none) to what it sums over; None if that is not known.
        """
        self.spellings: list[str] = []
        self._declared: list[tuple[Callable[..., Any] | Rule, bool]] = []
        self._rules: tuple[Rule, ...] | None = None
        self._parameters: frozenset[str] | None = None
        self._memory: Memory | Unknown | None = UNKNOWN if memory is None else memory

    @property
    def memory(self) -> Memory | None:
        """Where its result lies; None if that is not declared."""
        if isinstance(self._memory, Unknown):
            viewed = any(rule.function in LAYOUTS for rule in self.rules)
            self._memory = Memory.VIEW if viewed else None
        return self._memory

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Its signatures, in the order in which they are tried; read on first use."""
        if self._rules is None:
            self._rules = tuple(
                f if isinstance(f, Rule) else read_rule(f, lead) for f, lead in self._declared
            )
        return self._rules

    @property
    def parameters(self) -> frozenset[str]:
        """The names of all parameters of its signatures."""
        if self._parameters is None:
            names = (parameter.name for rule in self.rules for parameter in rule.parameters)
            self._parameters = frozenset(names)
        return self._parameters

    def add(self, function: Callable[..., Any] | Rule, leading: bool) -> None:
        """Add a signature, which is tried after those declared before."""
        self._declared.append((function, leading))
        self._rules = self._parameters = None
        if self._memory is None:
            self._memory = UNKNOWN

    def __repr__(self) -> str:
        return f"<op {self.name}>"


class Spelling(NamedTuple):
    """One way to call an op."""

    path: str
    op: Op
    order: tuple[str, ...] | None = None
    """The positional parameters of this spelling, by the names of the rule; None if they are in the
    order of the rule.
    """
    inplace: bool = False
    attribute: bool = False
    """Whether it is read, not called: `x.T`."""


REGISTRY: Final[MutableMapping[str, Spelling]] = Declared()
"""Every spelling of every op: `torch.sum`, `Tensor.sum`, `numpy.sum`, `operator.add`, ..."""

OPS: Final[MutableMapping[str, Op]] = Declared()
"""Every op by its first spelling."""


_METHODS: Final = (
    "all any argmax argmin argpartition argsort astype byteswap choose clip compress conj conjugate"
    " copy cumprod cumsum diagonal dot fill flatten item max mean min nonzero partition"
    " prod ptp put ravel repeat reshape round searchsorted sort squeeze std sum"
    " swapaxes take trace transpose var view"
)
_ARRAY_METHODS: Final = frozenset(_METHODS.split())
"""The functions of NumPy that are also methods of arrays.  Source: numpy.ndarray, 1.26 and 2.

`resize` is another op as a method: it changes the array.
"""


def op(
    *paths: str,
    numpy: str | Sequence[str] = (),
    jax: str | Sequence[str] = (),
    operator: str = "",
    attribute: bool = False,
    inplace: bool | InPlace = False,
    out: bool | Out = False,
    leading: bool = False,
    reshapes: bool = False,
    kind: str = "same",
    removed: Removal | None = None,
    memory: Memory | None = None,
    itself: bool = False,
    writes: tuple[str, ...] = (),
    parsing: tuple[Parsing, ...] = (),
    subscript: bool = False,
    products: Products | None = None,
) -> Callable[[Function], Function]:
    """Declare the decorated rule (a function, or a result of `signature`) as a signature of an op.

    `paths` are its spellings in torch; the first is its name (`"torch.sum", "Tensor.sum"`).
    Another declaration with the same first path adds an overload.  `numpy="sum(input, dim, dtype,
    out, keepdim)"` is NumPy's spelling (function, method and jax.numpy) and, if it differs, the
    order of its positional parameters by the rule's names; a name there that the rule does not have
    is accepted and ignored.  `jax` takes full paths.  Without `paths` only NumPy has the op.
    `operator="add"` is the Python operator.  With `inplace` each path has a twin that ends in `_`;
    a path that already ends in `_` is an op that exists in place only.  `memory` says where the
    result lies, `writes` which tensors among the arguments are written to.  `inplace` and `out` say
    how the op writes, and `parsing` how PyTorch reads its arguments, if that is unusual.
    `products` counts the multiply-adds of a contraction.  For an overload the first declaration
    counts.  See `Op` and `Rule`.
    """

    numpy_texts, jax_texts = _texts(numpy), _texts(jax)
    name = paths[0] if paths else _name_of(numpy_texts, jax_texts)
    changed = InPlace() if inplace is True else inplace or None
    written = Out() if out is True else out or None
    words = (reshapes, removed, memory, itself, writes, parsing, subscript, products)

    def declare(function: Any) -> Any:
        declared = so_far(OPS, name)
        if declared is None:
            declared = OPS[name] = Op(name, kind, changed, written, *words)
        declared.add(function, leading)
        _spell_torch(paths, declared, attribute, inplace is not False)
        if operator:
            _spell_operator(operator, declared, inplace is not False)
        for text in numpy_texts:
            _spell_numpy(text, declared, attribute)
        for text in jax_texts:
            path, order = _read_order(text)
            _spell(path, declared, order)
        return function

    return declare


def _name_of(numpy_texts: Sequence[str], jax_texts: Sequence[str]) -> str:
    """The name of an op that PyTorch does not have: its first spelling in NumPy, or in JAX."""
    if numpy_texts:
        return f"numpy.{_read_order(numpy_texts[0])[0]}"
    return _read_order(jax_texts[0])[0]


def _spell_torch(paths: Sequence[str], declared: Op, attribute: bool, inplace: bool) -> None:
    """Spell an op by its paths, with a twin of each that ends in `_` if it exists in place."""
    for path in paths:
        if inplace and path.endswith(("_", "ndarray.resize")):
            _spell(path, declared, inplace=True)
            continue
        _spell(path, declared, attribute=attribute)
        if inplace and path.startswith(("Tensor.", "torch.")):
            _spell(path + "_", declared, inplace=True)


def _spell_operator(operator: str, declared: Op, inplace: bool) -> None:
    """Spell an op as a Python operator, and as the augmented one if it exists in place."""
    _spell(f"operator.{operator}", declared)
    if inplace:
        # The module `operator` has `and_`, but `iand`; there is no `ieq`.
        augmented = operator.rstrip("_")
        if augmented in _AUGMENTED:
            _spell(f"operator.i{augmented}", declared, inplace=True)


def _spell_numpy(text: str, declared: Op, attribute: bool) -> None:
    """Spell an op as NumPy and jax.numpy do: as a function, a method or an attribute of arrays."""
    path, order = _read_order(text)
    if not attribute:
        _spell(f"numpy.{path}", declared, order)
        _spell(f"jax.numpy.{path}", declared, order)
    if attribute or path in _ARRAY_METHODS:
        _spell(f"ndarray.{path}", declared, order, attribute=attribute)


_AUGMENTED: Final = frozenset(
    {
        "add",
        "sub",
        "mul",
        "truediv",
        "floordiv",
        "mod",
        "pow",
        "matmul",
        "and",
        "or",
        "xor",
        "lshift",
        "rshift",
    }
)


def _texts(texts: str | Sequence[str]) -> tuple[str, ...]:
    if not texts:
        return ()
    return (texts,) if isinstance(texts, str) else tuple(texts)


def _spell(
    path: str,
    declared: Op,
    order: tuple[str, ...] | None = None,
    inplace: bool = False,
    attribute: bool = False,
) -> None:
    known = so_far(REGISTRY, path)
    if known is None:
        declared.spellings.append(path)
    elif known.op is not declared:
        raise ValueError(f"{path} is declared for {known.op.name} and for {declared.name}")
    elif known.order is not None or order is None:
        return
    # `op("numpy.dot", numpy="dot(input, other, out)")`: the spelling with an order counts.
    REGISTRY[path] = Spelling(path, declared, order, inplace, attribute)


def _read_order(text: str) -> tuple[str, tuple[str, ...] | None]:
    path, bracket, rest = text.partition("(")
    if not bracket:
        return path, None
    order = _orders.get(rest)
    if order is None:
        names = (name.strip() for name in rest.rstrip(")").split(","))
        order = _orders[rest] = tuple(filter(None, names))
    return path, order


_orders: dict[str, tuple[str, ...]] = {}
"""Orders read so far: most ufuncs have the same."""


def read_rule(function: Callable[..., Any], leading: bool = False) -> Rule:
    """The signature of a rule, to which readers bind calls.

    Read from the code object: `inspect` takes longer to import than all the rules.  Raises
    TypeError for an annotation that is not in the table.
    """
    code, annotations = function.__code__, function.__annotations__
    defaults = function.__defaults__ or ()
    names = code.co_varnames
    count = code.co_argcount
    parameters: list[Parameter] = []

    def add(name: str, default: Any, kind: str) -> None:
        takes = tuple(word.strip() for word in str(annotations.get(name, "object")).split("|"))
        if kind == "variadic":
            takes = tuple(_SEVERAL[word] for word in takes)
        for word in takes:
            if word not in TAKERS:
                raise TypeError(
                    f"{function.__qualname__}: parameter {name} is annotated {word}, which is not "
                    "in the table of `declare`"
                )
        parameters.append(Parameter(name, takes, default, kind))

    for index, name in enumerate(names[:count]):
        place = index - (count - len(defaults))
        add(name, defaults[place] if place >= 0 else REQUIRED, "positional")
    keywords = names[count : count + code.co_kwonlyargcount]
    rest = count + code.co_kwonlyargcount
    if code.co_flags & _VARIADIC:
        add(names[rest], REQUIRED, "variadic")
        rest += 1
    for name in keywords:
        add(name, (function.__kwdefaults__ or {}).get(name, REQUIRED), "keyword")
    if code.co_flags & _KEYWORDS:
        add(names[rest], REQUIRED, "keywords")
    return Rule(function, tuple(parameters), str(annotations["return"]), leading)


_VARIADIC: Final = 0x04  # inspect.CO_VARARGS
_KEYWORDS: Final = 0x08  # inspect.CO_VARKEYWORDS
_SEVERAL: Final = {
    "Size": "Sizes",
    "DimRef": "DimRefs",
    "Shape": "Tensors",
    "Operand": "Tensors",
    "object": "object",
}


def bind(spelling: Spelling, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Bound | None:
    """The call bound to the first signature that takes it.

    None if UNKNOWN arguments could bind to several signatures. Raises Unbindable if no signature
    takes the call. `out` is not checked here.
    """
    op, order = spelling.op, spelling.order
    rules = op.rules
    known = op.parameters if order else _NONE
    if len(rules) == 1:
        bound = bind_rule(rules[0], arguments, keywords, order, known)
        if bound is None:
            raise Unbindable(f"{spelling.path} does not take these arguments")
        return bound
    unknown = any(argument is UNKNOWN for argument in (*arguments[1:], *keywords.values()))
    candidates: list[Bound] = []
    for rule in rules:
        bound = bind_rule(rule, arguments, keywords, order, known)
        if bound is None or (keywords and _is_of_another(keywords, bound, op)):
            continue
        if not unknown:
            return bound
        candidates.append(bound)
    if not candidates:
        raise Unbindable(f"{spelling.path} does not take these arguments")
    return candidates[0] if len(candidates) == 1 else None


def _is_of_another(keywords: Mapping[str, Any], bound: Bound, op: Op) -> bool:
    """Whether a keyword was ignored that another signature has: `x.view(dtype=torch.int8)`."""
    return any(name not in bound.values and name in op.parameters for name in keywords)


_NONE: Final[frozenset[str]] = frozenset()


__all__ = [
    "LAYOUTS",
    "OPS",
    "REGISTRY",
    "UNCHECKED",
    "EXACT",
    "DimRef",
    "DimRefs",
    "Dims",
    "Effect",
    "Fields",
    "Flag",
    "InPlace",
    "Layout",
    "Memory",
    "Name",
    "Names",
    "Op",
    "Operand",
    "Out",
    "Parsing",
    "Products",
    "Removal",
    "Shape",
    "Shapes",
    "Size",
    "Sizes",
    "Spelling",
    "Summation",
    "Tensors",
    "Unbindable",
    "bind",
    "layout_of",
    "op",
    "read_rule",
]
