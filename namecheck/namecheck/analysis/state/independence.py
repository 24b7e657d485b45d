"""Which of the sizes that configure a program are independent of each other.

Two parameters of one constructor, or two fields of one config, are independent if the code says so:
one layer or one view has both as different sizes, or their defaults are different numbers. An op
that needs them equal then deserves a warning. It does not if the program compares the two or tests
one for None, or if a caller builds the class with sizes that are equal by their form:
`Block(inner, heads, head_dim)` with `inner = heads * head_dim`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.ties import ties
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.values import Anything, Class, Function, Number, Value, choices_of
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Size
from namecheck_runtime.sizes import (
    Origin,
    Polynomial,
    Relation,
    Symbol,
    of_symbol,
    plain_symbol,
)


class _Parameter(NamedTuple):
    """A parameter of a constructor that the walk ran with symbols."""

    constructor: Function
    name: str
    value: Value
    default: int | None
    one: bool = False
    """Whether its default is 1: a factor that changes nothing."""


class Independence:
    """What a file says of the sizes that its classes are built with.

    `classes` is the file's own list of classes, which may grow.
    """

    def __init__(self, classes: Sequence[Class]) -> None:
        self._classes = classes
        self._apart: set[frozenset[Size]] = set()
        """Pairs of different sizes in one layer or view, in the form of `sizes.sides`."""
        self._configs: dict[Class, None] = {}
        """The classes of configs that other files define."""
        self._parameters: list[_Parameter] = []
        self._divided: set[Symbol] = set()
        """Sizes that are divided by others, as a width is by the number of heads."""
        self._places: dict[Symbol, set[tuple[object, int]]] = {}
        """Where each configured size is written in a layer or a view."""
        self._tensors: dict[frozenset[Symbol], set[tuple[object, int]]] = {}
        """Where two configured sizes are dims of one new tensor."""
        self._parts: set[Size] = set()
        """The factors of the widths of layers: heads, and the width of one."""
        self._built: dict[Function, list[Mapping[str, Size]]] = {}
        """The sizes that each constructor was called with, by parameter."""
        self.likely: dict[Function, list[Mapping[str, Size]]] = {}
        """Sizes that each constructor gets unless code that is not seen changes them before."""
        self._widths: set[Symbol] = set()
        """Sizes of unknown origin that layers are built with: none of them is the batch."""
        self._lists: dict[Symbol, str] = {}
        """The lists of unknown contents that sizes given to constructors are elements of."""

    def add_parameter(self, constructor: Function, parameter: ir.Parameter, value: Value) -> None:
        """Record a parameter for which a constructor will run with a symbol."""
        if isinstance(value, (Number, Anything)):
            standard = parameter.default
            default = standard.value if isinstance(standard, ir.Int) else None
            is_one = isinstance(standard, (ir.Int, ir.Float)) and standard.value == 1
            self._parameters.append(_Parameter(constructor, parameter.name, value, default, is_one))

    def add_sizes(self, together: Iterable[object], place: tuple[object, int]) -> None:
        """Record the arguments of one layer or view, which is at this place of the program.

        Those that are not sizes are ignored.
        """
        configured = [s for s in together if isinstance(s, Polynomial) and is_configured(s)]
        for size in configured:
            for atom in size.symbols():
                self._places.setdefault(atom, set()).add(place)
        for left, right in combinations(configured, 2):
            if left != right:
                self._apart.add(sizes.sides(left, right))
        for size in configured:
            for monomial, _ in size.terms:
                if len(monomial) > 1:
                    self._parts.update(of_symbol(a) for a, _ in monomial if isinstance(a, Symbol))
                # Code that divides one by the other does not take them for equal.
                above = [atom for atom, exponent in monomial if exponent > 0]
                below = [atom for atom, exponent in monomial if exponent < 0]
                if below:
                    self._divided.update(atom for atom in above if isinstance(atom, Symbol))
                for over in above:
                    for under in below:
                        if isinstance(over, Symbol) and isinstance(under, Symbol):
                            self._apart.add(frozenset((of_symbol(over), of_symbol(under))))
                # Nor are the factors of one width equal: heads, and the width of each.
                for one, other in combinations(above, 2):
                    if isinstance(one, Symbol) and isinstance(other, Symbol):
                        self._apart.add(frozenset((of_symbol(one), of_symbol(other))))

    def add_layer(self, fields: Iterable[object]) -> None:
        """Record the arguments of one layer."""
        for size in fields:
            if isinstance(size, Polynomial):
                self._widths.update(a for a in size.symbols() if a.origin is Origin.DATA)

    def add_tensor(self, together: Iterable[Size], place: tuple[object, int]) -> None:
        """Record the sizes of one new tensor, which is made at this place of the program."""
        atoms = [atom for size in together if (atom := plain_symbol(size)) is not None]
        for pair in combinations(atoms, 2):
            self._tensors.setdefault(frozenset(pair), set()).add(place)

    def classes(self) -> tuple[Class, ...]:
        """The classes of the file, and those of configs that other files define."""
        return (*self._classes, *self._configs)

    def add_config(self, cls: Class) -> None:
        """Record the class that a parameter for a config is annotated with."""
        self._configs[cls] = None

    def add_construction(self, constructor: Function, given: Mapping[str, Size]) -> None:
        """Record the sizes that a class is built with, by the parameters of its constructor."""
        self._built.setdefault(constructor, []).append(given)

    def add_element(self, atom: Symbol, of: str) -> None:
        """Record that a size given to a constructor is an element of a list of unknown contents."""
        if of:
            self._lists[atom] = of

    def opposes(self, left: Size, right: Size, in_row: bool = False) -> bool:
        """Whether two sizes are independent, so that only chance makes them equal.

        `in_row` says that one layer returns the one size and the next layer in its row takes the
        other: code that gives two parameters to neighbours does not take them for one.
        """
        if not isinstance(left, Polynomial) or not isinstance(right, Polynomial):
            return False
        pair = sizes.sides(left, right)
        # Common factors decide nothing: `B*T*C` against `B*T*D` is C against D.
        if not all(isinstance(side, Polynomial) and is_configured(side) for side in pair):
            return self._is_batch_of(left, right) or self._is_batch_of(right, left)
        if len(pair) == 1 and any(_has_constant(side) for side in pair):
            return False  # `kernel == 2*padding + 1` keeps the size, on purpose
        involved = frozenset().union(*map(sizes.symbols, pair))
        known = self._by_symbol()
        if _resize_one_map(left, right) and not self._differs_by_default(known, left, right):
            return False
        if any(isinstance(side, Polynomial) and side.opaque for side in pair):
            rounded = self._apart_unrounded(left, right)
            if rounded is None or any(known[a].one for a in involved if a in known):
                return False
            pair = rounded
        elif len(involved) < 2:
            return False
        if not in_row and len({_owner(known, atom) for atom in involved} - {None}) > 1:
            return False
        chosen = set()
        for atom in involved:
            for size in choices_of(atom):
                chosen.add(atom)
                here = (sizes.substitute(side, {atom: size}) for side in (left, right))
                fits = sizes.relate(*here) is Relation.YES
                # Without the argument the constructor chooses a size that fits; but a part of a
                # width, given as such, is a choice of another width.
                if fits and (pair not in self._apart or not any(map(_is_product, pair))):
                    return False
        neighbours = in_row and all(map(_is_one_product, (left, right)))
        if pair not in self._apart and not neighbours:
            defaults = {
                atom: default for atom in involved if (default := self._default(known, atom))
            }
            if not all(self._differ(defaults, a, b) for a, b in combinations(involved, 2)):
                return False
            if len(defaults) == len(involved):
                here = (sizes.substitute(side, defaults) for side in (left, right))
                if sizes.relate(*here) is Relation.YES:
                    return False
        if any(plain_symbol(side) is None for side in pair) and self.fit_by_default(left, right):
            # `d_model=512`, `heads=8`, `d_v=64`: somebody chose them so that they fit. That the
            # defaults of two parameters are one number shows nothing.
            return False
        return not any(
            _links(parameter.constructor, (left, right), involved, known, chosen)
            for parameter in {known[atom] for atom in involved if atom in known}
        )

    def _apart_unrounded(self, left: Polynomial, right: Polynomial) -> frozenset[Size] | None:
        """The sides of two sizes of which one is rounded, if the program shows that they differ.

        `dim` and `int(dim * ratio)`: only a layer or view with both can show a difference.
        """
        pair = sizes.sides(left, right)
        exact = sizes.unrounded(left), sizes.unrounded(right)
        if pair not in self._apart:
            pair = sizes.sides(*exact)  # a third of `dim`, rounded up or not
            if all(plain_symbol(side) is not None for side in pair):
                return None  # `width` is not `out`, but half of it may be
        if pair not in self._apart or any(map(_has_quotient, exact)):
            return None
        return None if sizes.relate(*exact) is Relation.YES else pair

    def _is_batch_of(self, left: Polynomial, right: Polynomial) -> bool:
        """As `is_batch_of`; a size that a layer is built with is no batch."""
        return left.symbols().isdisjoint(self._widths) and is_batch_of(left, right)

    def _differs_by_default(
        self, known: Mapping[Symbol, _Parameter], left: Polynomial, right: Polynomial
    ) -> bool:
        """Whether the defaults of the configured sizes make two sizes different ones."""
        atoms = [a for a in left.symbols() | right.symbols() if a.origin is Origin.CONFIG]
        numbers = {atom: number for atom in atoms if (number := self._default(known, atom))}
        ours, theirs = (sizes.substitute(size, numbers) for size in (left, right))
        return sizes.relate(ours, theirs) is Relation.NO

    def pinned(self, left: Size, right: Size) -> bool:
        """Whether the defaults of parameters leave one number for the parameter without a default.

        An example is `dim` against `heads * dim_head` with the defaults 8 and 64.
        """
        known = self._by_symbol()
        involved = sizes.symbols(left) | sizes.symbols(right)
        if not involved <= known.keys():
            return False
        defaults = {atom: known[atom].default for atom in involved}
        numbers = {atom: number for atom, number in defaults.items() if number}
        if not numbers or len(involved) - len(numbers) > 1:
            return False
        ours, theirs = (sizes.substitute(size, numbers) for size in (left, right))
        return sizes.relate(ours, theirs) is not Relation.YES

    def is_part(self, size: Size) -> bool:
        """Whether a size is a factor of the widths of layers, or a quotient of a width."""
        if not isinstance(size, Polynomial) or not is_configured(size):
            return False
        if size in self._parts:
            return True
        return len(size.terms) == 1 and any(exponent < 0 for _, exponent in size.terms[0][0])

    def is_divided(self, atom: Symbol) -> bool:
        """Whether a configured size is divided by another one in a layer or a view."""
        return atom in self._divided

    def default_of(self, atom: Symbol) -> int | None:
        """The default of a configured size."""
        return self._default(self._by_symbol(), atom)

    def is_one_by_default(self, atom: Symbol) -> bool:
        """Whether a configured size is 1 if nobody says otherwise, in each class that has it."""
        default = self.default_of(atom)
        root, _, name = atom.label.rpartition(".")
        if default is None and root:
            numbers = {_field_default(cls, name) for cls in self._configs} - {None}
            return numbers == {1}
        return default == 1

    def fit_by_default(self, left: Size, right: Size) -> bool:
        """Whether the defaults of parameters make two sizes equal: the code is right as it stands.

        `256 + 8*f` channels go into a layer for `512 + 8*f` where `f` is 32 by default.
        """
        known = self._by_symbol()
        involved = sizes.symbols(left) | sizes.symbols(right)
        numbers = {atom: number for atom in involved if (number := self._default(known, atom))}
        if not numbers:
            return False
        ours, theirs = (sizes.substitute(size, numbers) for size in (left, right))
        return sizes.relate(ours, theirs) is Relation.YES

    def _differ(self, defaults: Mapping[Symbol, int], one: Symbol, other: Symbol) -> bool:
        if frozenset((of_symbol(one), of_symbol(other))) in self._apart:
            return True
        return one in defaults and other in defaults and defaults[one] != defaults[other]

    def may_be_one(self, involved: Iterable[Symbol]) -> bool:
        """Whether the default of one of these sizes is 1."""
        known = self._by_symbol()
        return any(self._default(known, atom) == 1 for atom in involved)

    def _default(self, known: Mapping[Symbol, _Parameter], atom: Symbol) -> int | None:
        """The default of a constructor's parameter, or of a field if only one class has it."""
        parameter = known.get(atom)
        if parameter is not None:
            return parameter.default
        root, _, name = atom.label.rpartition(".")
        if not root:
            return None
        defaults = (_field_default(cls, name) for cls in self._classes)
        numbers = {default for default in defaults if default is not None}
        return numbers.pop() if len(numbers) == 1 else None

    def _by_symbol(self) -> dict[Symbol, _Parameter]:
        parameters = {}
        for parameter in self._parameters:
            value = parameter.value
            size = value.size if isinstance(value, Number) else None
            if isinstance(value, Anything) and not value.unused:
                size = value.size()
            if isinstance(size, Polynomial) and len(size.symbols()) == 1:
                (atom,) = size.symbols()
                parameters[atom] = parameter
        return parameters

    def never_apart(self, left: Size, right: Size) -> bool:
        """Whether nobody gives two parameters of one constructor, or two fields, two sizes.

        Their defaults are one number, and no call in the file gives them different ones. Or neither
        parameter has a default, nothing but one layer is built with them, and no call gives them
        different sizes. Code that requires them equal is then right as it is used. It is not if one
        of them only counts the vectors of the other width that a tensor has.
        """
        known = self._by_symbol()
        pair = [atom for side in sizes.sides(left, right) if (atom := plain_symbol(side))]
        if len(pair) != 2:
            return False
        same = (sizes.substitute(size, {pair[0]: of_symbol(pair[1])}) for size in (left, right))
        if sizes.relate(*same) is not Relation.YES:
            return False  # `2*dim` against `hidden`
        if not any(atom in known for atom in pair):
            return self._agree_as_fields(*pair)
        parameters = [known[atom] for atom in pair if atom in known]
        if len(parameters) != 2 or parameters[0].constructor is not parameters[1].constructor:
            return False
        one, other = parameters
        if one.default != other.default:
            return False
        if self._counts(*pair) or self._counts(*reversed(pair)):
            return False
        if one.default is None:
            places = [self._places.get(atom, set()) for atom in pair]
            if len(places[0]) != 1 or places[0] != places[1]:
                return False
        for arguments in self._built.get(one.constructor, ()):
            given = [arguments.get(each.name, each.default) for each in parameters]
            if None in given:
                continue
            relation = sizes.relate(*(self._by_default(known, size) for size in given))
            if relation is Relation.NO or (one.default is None and relation is not Relation.YES):
                return False
        return True

    def parameters_of(self, left: Size, right: Size) -> tuple[Function | None, tuple[str, ...]]:
        """The constructor of which two sizes are parameters, and their names; None of others."""
        known = self._by_symbol()
        pair = [atom for side in sizes.sides(left, right) if (atom := plain_symbol(side))]
        parameters = [known[atom] for atom in pair if atom in known]
        if len(parameters) != 2 or parameters[0].constructor is not parameters[1].constructor:
            return None, ()
        return parameters[0].constructor, tuple(each.name for each in parameters)

    def is_built(self, constructor: Function) -> bool:
        """Whether the program is seen to build the class of a constructor."""
        return constructor in self._built

    def of_one_list(self, left: Size, right: Size) -> bool:
        """Whether a class is only built with two elements of one list, whose sizes may be equal.

        `Block(widths[i - 1], widths[i])` is right for widths that are all the same, as they are in
        the usual configuration of a model whose blocks add their input to their output.
        """
        constructor, names = self.parameters_of(left, right)
        built = [] if constructor is None else self._built.get(constructor, [])
        for arguments in built:
            given = [arguments.get(name) for name in names]
            atoms = [None if size is None else plain_symbol(size) for size in given]
            lists = ["" if atom is None else self._lists.get(atom, "") for atom in atoms]
            if not lists[0] or lists[0] != lists[1]:
                return False
        return bool(built)

    def _counts(self, count: Symbol, width: Symbol) -> bool:
        """Whether one size is the number of vectors of another: `torch.randn(num_latents, dim)`.

        Its name says so, and the class builds nothing else with it. Classes that are called may
        have it for a width, if it took the place of the width by mistake.
        """
        if not count.label.rpartition(".")[2].lower().startswith(_NUMBERS):
            return False
        made = self._tensors.get(frozenset((count, width)), set())
        sources = {source for source, _ in made}
        here = {place for place in self._places.get(count, set()) if place[0] in sources}
        return bool(made) and here <= made

    def _agree_as_fields(self, one: Symbol, other: Symbol) -> bool:
        """Whether two fields of one config have the same default in each class that has both."""
        (root, _, first), (owner, _, second) = (atom.label.rpartition(".") for atom in (one, other))
        if not root or root != owner:
            return False
        pairs = {(_field_default(c, first), _field_default(c, second)) for c in self.classes()}
        both = {pair for pair in pairs if None not in pair}
        return bool(both) and all(here == there for here, there in both)

    def _by_default(self, known: Mapping[Symbol, _Parameter], size: Size | None) -> Size:
        """A size with the defaults of the parameters in it."""
        if size is None or size is UNKNOWN:
            return UNKNOWN
        numbers = {a: n for a in sizes.symbols(size) if (n := self._default(known, a))}
        return sizes.substitute(size, numbers)

    def proven(self, left: Size, right: Size) -> bool:
        """Whether a caller builds the class with two sizes equal by their form, or every caller
        builds it with equal numbers.
        """
        for built in self._as_built(left, right):
            answers = []
            for ours, theirs in built:
                if sizes.relate(ours, theirs) is Relation.YES:
                    if isinstance(ours, Polynomial):
                        return True
                    answers.append(True)
                elif isinstance(ours, int) and isinstance(theirs, int):
                    answers.append(False)
            if answers and all(answers):
                return True
        return False

    def fit_as_built(self, left: Size, right: Size) -> bool:
        """Whether every call of a constructor gives its parameters values that make sizes equal."""
        return any(
            bool(built) and all(sizes.relate(*pair) is Relation.YES for pair in built)
            for built in self._as_built(left, right)
        )

    def _as_built(self, left: Size, right: Size) -> Iterator[list[tuple[Size, Size]]]:
        """For each constructor with parameters in two sizes: the sizes as each call has them."""
        known = self._by_symbol()
        involved = {a: known[a] for a in sizes.symbols(left) | sizes.symbols(right) if a in known}
        for constructor in {parameter.constructor for parameter in involved.values()}:
            built = []
            for arguments in (*self._built.get(constructor, []), *self.likely.get(constructor, [])):
                values: dict[Symbol, Size] = {}
                for atom, parameter in involved.items():
                    if parameter.constructor is constructor:
                        size = arguments.get(parameter.name, parameter.default)
                        values[atom] = of_symbol(atom) if size is None else size
                built.append((sizes.substitute(left, values), sizes.substitute(right, values)))
            yield built


def is_configured(size: Polynomial) -> bool:
    """Whether a size is computed from a program's configuration alone."""
    plain = (atom for monomial, _ in size.terms for atom, _ in monomial)
    return all(atom.origin is Origin.CONFIG for atom in size.symbols()) and all(
        atom.least > 0 for atom in plain if isinstance(atom, Symbol)
    )


_NUMBERS: Final = ("num_", "n_")
"""How the names of numbers of things begin."""

BATCH: Final = frozenset(
    {"b", "bs", "bsz", "bsize", "batch", "batch_size", "batchsize", "nbatch", "n_batch"}
)
"""What people call the size of a batch, in lower case."""


def is_batch(size: Size) -> bool:
    """Whether a size was read from data and has a usual name of the batch.

    The variable of a loop is none: `for a, b in zip(widths, widths[1:])` runs over any sizes.
    """
    atom = plain_symbol(size)
    if atom is None or atom.origin is not Origin.DATA or atom.varies or atom.of_row:
        return False
    return atom.label.lower() in BATCH


def is_batch_of_number(left: Size, right: Size) -> bool:
    """Whether one size is the batch, and the other one a number above 1."""
    pairs = ((left, right), (right, left))
    return any(isinstance(one, int) and one > 1 and is_batch(other) for one, other in pairs)


def is_batch_of(left: Polynomial, right: Polynomial) -> bool:
    """Whether `left` has a usual name of the batch, which is rarely configured, and `right` is
    configured. `B` may also be short for `bottleneck_dim` or `num_blocks`.
    """
    atom = plain_symbol(left)
    if atom is None or not is_batch(left):
        return False
    names = [a.label.lower().rpartition(".")[2] for a in right.symbols()]
    built = all(a.origin is Origin.CONFIG for a in right.symbols())
    start = atom.label if len(atom.label) == 1 else "batch"
    if begins_word(start, right):
        return False
    return built and not any("batch" in n or n in BATCH for n in names)


def begins_word(start: str, size: Polynomial) -> bool:
    """Whether a word in the names of a size begins with `start`: `b` and `num_blocks`."""
    names = [atom.label.lower().rpartition(".")[2] for atom in sizes.symbols(size)]
    return any(word.startswith(start.lower()) for name in names for word in name.split("_"))


def _is_product(size: Size) -> bool:
    return isinstance(size, Polynomial) and len(size.symbols()) > 1


def _has_quotient(size: Size) -> bool:
    """Whether a size has a quotient that does not divide by form.

    `int(dim / (heads // 2))` may be the width of one head, though its form does not show it.
    """
    atoms = (atom for m, _ in size.terms for atom, _ in m) if isinstance(size, Polynomial) else ()
    return any(
        isinstance(atom, sizes.Opaque)
        and "/" in atom.function
        and not isinstance(atom.operands[-1], int)
        for atom in atoms
    )


def _resize_one_map(left: Polynomial, right: Polynomial) -> bool:
    """Whether two sizes are one size that convolutions have changed by configured numbers.

    `H + 2*padding - kernel` is H for the kernels that a program is meant to be built with.
    """
    configured = [
        {monomial: count for monomial, count in size.terms if _is_number(monomial)}
        for size in (left, right)
    ]
    maps = [
        {m: c for m, c in size.terms if m not in own}
        for size, own in zip((left, right), configured, strict=True)
    ]
    if not maps[0] or maps[0] != maps[1]:
        return False
    return any(count < 0 for own in configured for m, count in own.items() if m)


def _is_number(monomial: sizes.Monomial) -> bool:
    """Whether a product is one of configured sizes alone, rounded or not."""
    for atom, _ in monomial:
        within = atom.operands if isinstance(atom, sizes.Opaque) else (of_symbol(atom),)
        for size in within:
            if any(a.origin is not Origin.CONFIG for a in sizes.symbols(size)):
                return False
    return True


def _has_constant(size: Size) -> bool:
    return isinstance(size, Polynomial) and any(not monomial for monomial, _ in size.terms)


def _owner(known: Mapping[Symbol, _Parameter], atom: Symbol) -> object:
    """The constructor or the config that a size belongs to; None for a constructor's variable."""
    parameter = known.get(atom)
    if parameter is not None:
        return parameter.constructor
    return atom.label.rpartition(".")[0] or None


def _field_default(cls: Class, name: str) -> int | None:
    for statement in cls.record.body:
        match statement:
            case ir.AnnotatedAssign(ir.Name(field), _, ir.Int(value)) if field == name:
                return value
            case ir.FunctionDef("__init__") if "onfig" in cls.name:
                for parameter in statement.parameters:
                    if parameter.name == name and isinstance(parameter.default, ir.Int):
                        return parameter.default.value
    return None


def _is_one_product(size: Size) -> bool:
    return isinstance(size, Polynomial) and len(size.terms) == 1 and not size.opaque


def _links(
    constructor: Function,
    equation: tuple[Size, Size],
    involved: Iterable[Symbol],
    known: Mapping[Symbol, _Parameter],
    chosen: Collection[Symbol],
) -> bool:
    """Whether the class compares two of the sizes with each other, or tests one for None.

    A test of a `chosen` size does not count: the size that replaces its None is known.
    """
    named = {atom.label.rpartition(".")[2]: atom for atom in involved if atom not in chosen}
    named |= {known[atom].name: atom for atom in involved if atom in known}
    owner = constructor.owner
    records = (
        [constructor.record]
        if owner is None
        else [base.record for base in owner.lineage if isinstance(base, Class)]
    )
    return any(ties(inner, named, equation) for record in records for inner in walk(record))


__all__ = ["BATCH", "Independence", "is_configured"]
