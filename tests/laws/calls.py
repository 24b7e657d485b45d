"""Calls of every op and layer, and calls of which less is known.

Concrete calls are the measured ones (the golden names and the measured shapes), unchanged or with a
size, a name or an option changed, and those of a generator that knows only the annotations of a
rule's parameters.  Everything random is drawn from a `random.Random`, so hypothesis can pass one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

import golden_names
import measured_shapes
from listed import read_listed
from namecheck_runtime import sizes
from namecheck_runtime.binding import IGNORED_KEYWORDS, REQUIRED, Parameter, Rule
from namecheck_runtime.declare import OPS, REGISTRY, Spelling, Unbindable
from namecheck_runtime.infer import Answer, infer
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Dims,
    Name,
    Shape,
    Size,
    Symbolic,
    Trailing,
    Unknown,
    trailing,
)
from namecheck_runtime.layers import LAYERS
from namecheck_runtime.mistakes import Mistake
from namecheck_runtime.sizes import Symbol


class Call(NamedTuple):
    """One call of an op by a spelling, or of a layer that is built first."""

    path: str
    arguments: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = {}
    built: tuple[tuple[Any, ...], Mapping[str, Any]] | None = None
    """The arguments of a layer's constructor; None for an op."""

    def __str__(self) -> str:
        call = f"{self.path}({written(self.arguments, self.keywords)})"
        if self.built is None:
            return call
        return f"{self.path}({written(*self.built)})({written(self.arguments, self.keywords)})"


def written(arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> str:
    """Arguments as a person would write the call."""
    parts = [*map(show, arguments), *(f"{k}={show(v)}" for k, v in keywords.items())]
    return ", ".join(parts)


def show(value: object) -> str:
    """An argument in the words of `shapes.shape`, tensors in brackets."""
    if is_tensor(value):
        assert isinstance(value, tuple)
        return "[" + " ".join(map(show_dim, value)) + "]"
    if isinstance(value, Trailing):
        return "[... " + " ".join(map(show_dim, value.dims)) + "]"
    if isinstance(value, tuple | list):
        return "(" + ", ".join(map(show, value)) + ")"
    return "?" if value is UNKNOWN else repr(value)


def show_dim(dim: Dim) -> str:
    size = "?" if dim.size is UNKNOWN else str(dim.size).replace(" ", "")
    return size if dim.name is None else f"{'?' if dim.name is UNKNOWN else dim.name}:{size}"


def is_tensor(value: object) -> bool:
    """Whether a value is a shape of known rank; `()` counts as one."""
    return isinstance(value, tuple) and all(isinstance(dim, Dim) for dim in value)


def is_sequence(value: object) -> bool:
    """Whether a value is a tuple or a list of arguments, and not a record (`NamedTuple`)."""
    return type(value) in (tuple, list)


def ask(call: Call) -> Answer | Mistake | None:
    """The rule's answer to a call, its mistake, or None if no signature takes the call."""
    try:
        if call.built is None:
            return infer(REGISTRY[call.path], call.arguments, call.keywords)
        instance = LAYERS[call.path].build(*call.built)
        return None if instance is None else infer(instance, call.arguments, call.keywords)
    except Mistake as mistake:
        return mistake
    except Unbindable:
        return None


def name_of(path: str) -> str:
    """The op or layer that a spelling belongs to, by its first spelling."""
    return REGISTRY[path].op.name if path in REGISTRY else LAYERS[path].name


def everything() -> list[str]:
    """The names of all ops, then of all layers."""
    return [*OPS, *sorted({layer.name for layer in LAYERS.values()})]


# Measured calls.


@functools.cache
def measured() -> Mapping[str, tuple[Call, ...]]:
    """Every measured call, by its op or layer."""
    calls_of: dict[str, dict[str, Call]] = {}
    for call in (*_golden(), *_shapes()):
        calls_of.setdefault(name_of(call.path), {})[str(call)] = call
    return {name: tuple(calls.values()) for name, calls in calls_of.items()}


def _golden() -> Iterator[Call]:
    for row in golden_names.read_rows():
        if row["f"] in golden_names.RUNTIME_FORMS:
            continue
        path = golden_names.spelling_of(row)
        if path not in REGISTRY:
            continue
        arguments: list[Any] = []
        for argument in row["a"]:
            arguments.append(golden_names.decode(argument, arguments))
        keywords = {k: golden_names.decode(v, arguments) for k, v in row.get("k", {}).items()}
        yield Call(path, tuple(arguments), keywords)


def _shapes() -> Iterator[Call]:
    for file in measured_shapes.FILES:
        for row in measured_shapes.read_rows(file):
            arguments = tuple(map(measured_shapes.decode, row["args"]))
            keywords = {k: measured_shapes.decode(v) for k, v in row.get("kw", {}).items()}
            for path in measured_shapes.spellings(row):
                if path in LAYERS:
                    init = tuple(map(measured_shapes.decode, row.get("init", [])))
                    built = {
                        k: measured_shapes.decode(v) for k, v in row.get("init_kw", {}).items()
                    }
                    yield Call(path, arguments, keywords, (init, built))
                elif path not in REGISTRY:
                    continue
                elif path in ("operator.getitem", "operator.setitem"):
                    entries = arguments[1]
                    index = entries[0] if len(entries) == 1 else entries
                    yield Call(path, (arguments[0], index, *arguments[2:]), keywords)
                else:
                    renamed = measured_shapes.rename(REGISTRY[path], keywords)
                    yield Call(path, arguments, renamed)


# Changed calls.

SIZES = (0, 1, 2, 3, 4, 6)
NAMES = ("N", "C", "T", "H")


def changed(call: Call, random: Random) -> Call:
    """A call with one or two things changed: a size, a name, the number of dims, an option, the
    spelling.
    """
    arguments = list(call.arguments)
    keywords = dict(call.keywords)
    built = call.built
    for _ in range(random.randint(1, 2)):
        places: list[Any] = [*range(len(arguments)), *keywords]
        if built is not None:
            places.append(None)
        if not places:
            break
        place = random.choice(places)
        if place is None:
            assert built is not None
            init, options = built
            if init and (not options or random.random() < 0.6):
                index = random.randrange(len(init))
                init = (*init[:index], change(init[index], random), *init[index + 1 :])
            elif options:
                name = random.choice(list(options))
                options = {**options, name: change(options[name], random)}
            built = (init, options)
        elif isinstance(place, int):
            arguments[place] = change(arguments[place], random)
        else:
            keywords[place] = change(keywords[place], random)
    path = call.path
    if built is None and random.random() < 0.5:
        path = random.choice(like(REGISTRY[path]))
    return Call(path, tuple(arguments), keywords, built)


@functools.cache
def _like(path: str) -> tuple[str, ...]:
    spelling = REGISTRY[path]
    return tuple(
        other_path
        for other_path in spelling.op.spellings
        if REGISTRY[other_path].order == spelling.order
        and REGISTRY[other_path].attribute == spelling.attribute
    )


def like(spelling: Spelling) -> tuple[str, ...]:
    """The spellings of the same op that take the same arguments in the same order."""
    return _like(spelling.path)


def change(value: Any, random: Random) -> Any:
    """Another value of the same kind."""
    if is_tensor(value):
        return change_shape(value, random) if value else value  # `()` may be no tensor
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return random.choice((value + 1, max(value - 1, min(value, -1)), -1, 0, 1, 2))
    if isinstance(value, str):
        return random.choice(NAMES) if value.isidentifier() else value
    if is_sequence(value) and value:
        index = random.randrange(len(value))
        entries = [*value[:index], change(value[index], random), *value[index + 1 :]]
        if random.random() < 0.2:
            entries.pop(index)
        return type(value)(entries)
    return value


def change_shape(shape: Dims, random: Random) -> Dims:
    """A shape with a dim changed, inserted or removed."""
    if not shape:
        return (draw_dim(random),)
    index = random.randrange(len(shape))
    dim = shape[index]
    match random.randrange(6):
        case 0 | 1:
            return (*shape[:index], Dim(dim.name, random.choice(SIZES)), *shape[index + 1 :])
        case 2:
            return (*shape[:index], Dim(_another(shape, random), dim.size), *shape[index + 1 :])
        case 3:
            return (*shape[:index], *shape[index + 1 :])
        case 4:
            return (*shape[:index], draw_dim(random, shape), *shape[index:])
        case _:
            names = dict(zip(random.sample(NAMES, len(NAMES)), shape, strict=False))
            if len(names) < len(shape):
                return shape
            return tuple(d.rename(name) for name, d in names.items())


def draw_dim(random: Random, beside: Dims = ()) -> Dim:
    """A dim whose name differs from the names of the dims beside it."""
    return Dim(_another(beside, random), random.choice(SIZES))


def _another(shape: Dims, random: Random) -> Name:
    free = [name for name in NAMES if all(dim.name != name for dim in shape)]
    return random.choice(free) if free and random.random() < 0.5 else None


# Calls from the annotations of a signature.


def draw_shape(random: Random, base: Dims) -> Dims:
    """The base itself, its last dims, a changed one, or a shape of its own."""
    match random.randrange(6):
        case 0 | 1 | 2:
            return base
        case 3:
            return base[random.randint(0, len(base)) :]
        case 4:
            return change_shape(base, random)
        case _:
            shape: Dims = ()
            for _ in range(random.randint(0, 3)):
                shape = (*shape, draw_dim(random, shape))
            return shape


def draw_base(random: Random) -> Dims:
    """A shape of up to four dims, all named, none named, or some."""
    rank = random.choice((0, 1, 2, 2, 3, 3, 4))
    named = random.choice((0.0, 0.0, 0.6, 1.0))
    names = random.sample(NAMES, len(NAMES))
    return tuple(
        Dim(names[k] if random.random() < named else None, random.choice(SIZES))
        for k in range(rank)
    )


def _draw_dim_ref(random: Random, base: Dims) -> Any:
    names = [dim.name for dim in base if dim.name is not None]
    if names and random.random() < 0.3:
        return random.choice(names)
    if random.random() < 0.1:
        return random.choice(("Q", len(base), -len(base) - 1))
    rank = max(len(base), 1)
    return random.randint(-rank, rank - 1)


def _draw_size(random: Random, base: Dims) -> Any:
    if base and random.random() < 0.5:
        return random.choice(base).size
    return random.choice((-1, *SIZES))


def _draw_sizes(random: Random, base: Dims) -> Any:
    if random.random() < 0.5:
        return tuple(dim.size for dim in base)
    return tuple(_draw_size(random, base) for _ in range(random.randint(0, 4)))


_DRAWN: dict[str, Callable[[Random, Dims], Any]] = {
    "Dims": draw_shape,
    "Shape": draw_shape,
    "Operand": lambda random, base: 2 if random.random() < 0.15 else draw_shape(random, base),
    "Tensors": lambda random, base: tuple(
        draw_shape(random, base) for _ in range(random.randint(1, 3))
    ),
    "DimRef": _draw_dim_ref,
    "DimRefs": lambda random, base: (
        _draw_dim_ref(random, base)
        if random.random() < 0.5
        else tuple(_draw_dim_ref(random, base) for _ in range(random.randint(0, 3)))
    ),
    "Size": _draw_size,
    "Sizes": _draw_sizes,
    "Names": lambda random, base: tuple(
        random.choice((*NAMES, None)) for _ in range(random.choice((len(base), len(base), 2)))
    ),
    "Flag": lambda random, base: random.random() < 0.5,
    "bool": lambda random, base: random.random() < 0.5,
    "int": lambda random, base: random.choice((-1, 0, 1, 2, 3)),
    "float": lambda random, base: random.choice((0.0, 0.5, 1, 2)),
    "str": lambda random, base: random.choice(("none", "mean", "sum", "same", "valid", "reduced")),
    "None": lambda random, base: None,
    "object": lambda random, base: random.choice((1, 2, True, None, 0.5)),
    "Fields": lambda random, base: {},
}


def drawn(spelling: Spelling, random: Random) -> Call:
    """A call drawn from the annotations of one signature of an op, with random options."""
    rule = random.choice(spelling.op.rules)
    base = draw_base(random)
    # NumPy and JAX take one sequence for one array.
    together = not spelling.path.startswith(("numpy", "jax"))
    arguments, keywords = _drawn_arguments(rule.parameters, random, base, spelling.order, together)
    if spelling.op.out and not spelling.inplace and random.random() < 0.2:
        keywords["out"] = draw_shape(random, base)
    return Call(spelling.path, arguments, keywords)


def drawn_layer(path: str, random: Random) -> Call:
    """A layer, built and called with arguments drawn from its annotations."""
    layer = LAYERS[path]
    base = draw_base(random)
    built = _drawn_arguments(layer.constructor.parameters, random, base, None)
    arguments, keywords = _drawn_arguments(layer.forward.parameters, random, base, None)
    return Call(path, arguments, keywords, built)


def _drawn_arguments(
    parameters: tuple[Parameter, ...],
    random: Random,
    base: Dims,
    order: tuple[str, ...] | None,
    together: bool = True,
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments for these parameters, with random options; `together`: the arguments of a variadic
    parameter may be one sequence.
    """
    arguments: list[Any] = []
    keywords: dict[str, Any] = {}
    if order is not None:
        # NumPy has another order: the parameters that are not in it are passed by name.
        place = {name: index for index, name in enumerate(order)}
        parameters = tuple(sorted(parameters, key=lambda p: place.get(p.name, len(place))))
    for index, parameter in enumerate(parameters):
        ignored = parameter.name in IGNORED_KEYWORDS and parameter.default is not REQUIRED
        if parameter.kind == "keywords" or ignored:
            continue
        if parameter.default is not REQUIRED and random.random() < 0.5:
            continue
        word = random.choice(parameter.takes)
        value = _DRAWN[word](random, base)
        if parameter.kind == "variadic":
            if (
                isinstance(value, tuple)
                and not is_tensor(value)
                and (not together or random.random() < 0.5)
            ):
                arguments.extend(value)
            else:
                arguments.append(value)
        elif (
            parameter.kind == "positional"
            and len(arguments) == index
            and (order is None or (index < len(order) and order[index] == parameter.name))
        ):
            arguments.append(value)
        else:
            keywords[parameter.name] = value
    return tuple(arguments), keywords


# Forgetting.


class Values:
    """The symbols of one call and the ints (from `least`) that they stand for."""

    def __init__(self, random: Random, least: int = 1) -> None:
        self.random = random
        self.least = least
        self.of: dict[Symbol, Size] = {}
        self.known: dict[int, list[Size]] = {}

    def stand_for(self, number: int) -> Size:
        """A symbolic size whose value is `number`: an earlier or a new symbol, a sum or a
        product.
        """
        random = self.random
        choice = random.randrange(6)
        if choice < 2 and number in self.known:
            return random.choice(self.known[number])
        least = self.least
        if choice == 4 and number >= 2 * least:
            addend = random.randint(least, number - least)
            right: Size = addend if random.random() < 0.5 else self._symbol(addend)
            return sizes.add(self._symbol(number - addend), right)
        factors = [d for d in range(least, number // least + 1) if number % d == 0]
        if choice == 5 and factors:
            factor = random.choice(factors)
            right = factor if random.random() < 0.5 else self._symbol(factor)
            return sizes.multiply(self._symbol(number // factor), right)
        return self._symbol(number)

    def _symbol(self, number: int) -> Size:
        symbol = Symbol(f"s{len(self.of)}_{number}")
        self.of[symbol] = number
        size = sizes.of_symbol(symbol)
        self.known.setdefault(number, []).append(size)
        return size


def symbolic(call: Call, values: Values, share: float) -> Call:
    """The call with a share of its sizes replaced by symbols of that value."""
    random = values.random

    def replace_size(size: Size) -> Size:
        if isinstance(size, int) and size >= values.least and random.random() < share:
            return values.stand_for(size)
        return size

    def replace(value: Any, options: bool) -> Any:
        if is_tensor(value):
            return tuple(Dim(dim.name, replace_size(dim.size)) for dim in value)
        if is_sequence(value):
            return type(value)(replace(entry, options) for entry in value)
        if options and isinstance(value, int) and not isinstance(value, bool):
            return replace_size(value)
        return value

    return rebuilt(call, lambda value: replace(value, random.random() < 0.3))


def mixed(call: Call, random: Random, share: float) -> Call:
    """The call with a share of its knowledge forgotten."""

    def forget(value: Any) -> Any:
        if random.random() < share / 3:
            return UNKNOWN
        if is_tensor(value):
            dims = tuple(
                Dim(
                    UNKNOWN if random.random() < share else dim.name,
                    UNKNOWN if random.random() < share else dim.size,
                )
                for dim in value
            )
            if random.random() < share / 2:
                return trailing(dims[random.randint(0, len(dims)) :])
            return dims
        if is_sequence(value):
            return type(value)(map(forget, value))
        return value

    return rebuilt(call, forget)


def rebuilt(call: Call, change: Callable[[Any], Any]) -> Call:
    """The call with every argument changed, a layer's constructor's too."""
    built = call.built
    if built is not None:
        built = (tuple(map(change, built[0])), {k: change(v) for k, v in built[1].items()})
    return Call(
        call.path,
        tuple(map(change, call.arguments)),
        {k: change(v) for k, v in call.keywords.items()},
        built,
    )


def has_size(call: Call, size: int) -> bool:
    """Whether a tensor among the arguments has a dim of this size."""
    operands = (*call.arguments, *call.keywords.values())
    return any(is_tensor(value) and any(dim.size == size for dim in value) for value in operands)


def forgotten_once(call: Call) -> Iterator[Call]:
    """Every call that knows one thing less than this one."""
    for index, value in enumerate(call.arguments):
        for vaguer in less_of(value):
            arguments = (*call.arguments[:index], vaguer, *call.arguments[index + 1 :])
            yield call._replace(arguments=arguments)
    for name, value in call.keywords.items():
        for vaguer in less_of(value):
            yield call._replace(keywords={**call.keywords, name: vaguer})
    if call.built is None:
        return
    init, options = call.built
    for index, value in enumerate(init):
        for vaguer in less_of(value):
            yield call._replace(built=((*init[:index], vaguer, *init[index + 1 :]), options))
    for name, value in options.items():
        for vaguer in less_of(value):
            yield call._replace(built=(init, {**options, name: vaguer}))


def less_of(value: Any) -> Iterator[Any]:
    """Every value that knows one thing less than this one."""
    yield UNKNOWN
    if is_tensor(value):
        for index, dim in enumerate(value):
            if dim.name is not UNKNOWN:
                yield (*value[:index], Dim(UNKNOWN, dim.size), *value[index + 1 :])
            if dim.size is not UNKNOWN:
                yield (*value[:index], Dim(dim.name, UNKNOWN), *value[index + 1 :])
            yield Trailing(value[index:])
        if value:
            yield tuple(Dim(UNKNOWN, dim.size) for dim in value)
            yield tuple(Dim(dim.name, UNKNOWN) for dim in value)
    elif isinstance(value, Trailing):
        for index in range(1, len(value.dims)):
            yield Trailing(value.dims[index:])
    elif is_sequence(value):
        for index, entry in enumerate(value):
            for vaguer in less_of(entry):
                yield type(value)((*value[:index], vaguer, *value[index + 1 :]))
    elif isinstance(value, slice):
        for name in ("start", "stop", "step"):
            bounds = {n: getattr(value, n) for n in ("start", "stop", "step")}
            if bounds[name] is not None:
                yield slice(*{**bounds, name: UNKNOWN}.values())


# The results that an answer admits.


def admits(abstract: Any, concrete: Any, values: Mapping[Symbol, Size]) -> bool:
    """Whether `concrete` is one of the results that `abstract` stands for, if its symbols have
    these values.  If `concrete` itself is partly unknown, `abstract` must not know more.
    """
    if abstract is UNKNOWN:
        return True
    if concrete is UNKNOWN:
        return isinstance(abstract, Symbolic)  # such as a division by a size that is 0 here
    if isinstance(abstract, Dim):
        return (
            isinstance(concrete, Dim)
            and (abstract.name is UNKNOWN or abstract.name == concrete.name)
            and admits(abstract.size, concrete.size, values)
        )
    if isinstance(abstract, Trailing):
        if isinstance(concrete, Trailing):
            dims = concrete.dims
        elif is_tensor(concrete):
            dims = concrete
        else:
            return False
        return len(abstract.dims) <= len(dims) and all(
            admits(mine, true, values)
            for mine, true in zip(abstract.dims[::-1], dims[::-1], strict=False)
        )
    if isinstance(abstract, tuple | list):
        return (
            isinstance(concrete, tuple | list)
            and len(abstract) == len(concrete)
            and all(
                admits(mine, true, values) for mine, true in zip(abstract, concrete, strict=True)
            )
        )
    if isinstance(abstract, Symbolic):
        value, true = sizes.substitute(abstract, values), sizes.substitute(concrete, values)
        if not isinstance(value, int):
            # A division that is taken to be exact and is not (`C // H` for 5 and 3), or an opaque
            # size, which differs from nothing for certain.
            return True
        return value == true or (value < 0 and true == 0)  # a negative length is 0
    return bool(abstract == concrete)


def holds(left: Size, right: Size, or_one: bool, values: Mapping[Symbol, Size]) -> bool:
    """Whether a duty is true of these values; true if they do not decide it."""
    ours, theirs = sizes.substitute(left, values), sizes.substitute(right, values)
    if not isinstance(ours, int) or not isinstance(theirs, int):
        return True
    return ours == theirs or (or_one and 1 in (ours, theirs))


__all__ = [
    "Call",
    "Rule",
    "Shape",
    "Unknown",
    "Values",
    "admits",
    "ask",
    "changed",
    "drawn",
    "drawn_layer",
    "everything",
    "forgotten_once",
    "holds",
    "measured",
    "mixed",
    "name_of",
    "read_listed",
    "symbolic",
]
