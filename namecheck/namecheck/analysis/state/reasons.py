"""The notes under a finding: where each of the contradicting facts comes from.

During the walk only places are kept: where a size got its name, where a layer was built, where an
attribute was set. They are put into words only for a mistake.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.state.lineage import look_up
from namecheck.analysis.state.places import Note, Origin, Place
from namecheck.analysis.state.values import Claimed, Class, Function, Instance, Tensor
from namecheck_runtime import declare, layers, sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Size, Symbolic, Trailing, known_dims
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.sizes import Fact, Rank, Symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Frame

MOST: Final = 8
"""Notes of one finding, not counting those about calls."""

_WIDTH: Final = 60
"""Characters of a line of code that a note quotes."""

_LONGEST: Final = 80
"""Characters of the longest equation that a note shows."""

_SIZES: Final = 4
"""Sizes of one finding that are explained."""


# Keeping places


def named(
    ev: Evaluator, size: object, predicate: str = "is named", word: str = " in", line: int = 0
) -> None:
    """Note that a size of one symbol has its name from the current line, or from `line`.

    The first place counts.
    """
    atom = _symbol(size)
    if atom is not None and atom not in ev.origins.sizes:
        ev.origins.sizes[atom] = Origin(predicate, word, ev.frame.source, line or ev.frame.line)


def dim_named(ev: Evaluator, size: object, index: int, owner: ir.Expression | None) -> None:
    """Note that the size of a dim has its name from here.

    `owner` is the expression whose shape is read.
    """
    atom = _symbol(size)
    if atom is not None and atom not in ev.origins.sizes:
        whose = f" of {ir.describe(_tensor(owner))}" if owner is not None else ""
        named(ev, size, f"is dim {index}{whose}", " since")


def fields_named(ev: Evaluator, names: Mapping[str, Size], cls: Class) -> None:
    """Note that sizes have their names from the annotations of a class's fields."""
    for size in names.values():
        atom = _symbol(size)
        if atom is not None and atom not in ev.origins.sizes:
            predicate = f"is named in the annotations of {cls.name}"
            ev.origins.sizes[atom] = Origin(predicate, "", cls.source, cls.line)


def renamed(ev: Evaluator, before: Symbol, now: object) -> None:
    """Note that a remembered call has another symbol in place of `before`."""
    origin, atom = ev.origins.sizes.get(before), _symbol(now)
    if origin is not None and atom is not None:
        ev.origins.sizes.setdefault(atom, origin)


def _symbol(size: object) -> Symbol | None:
    if not isinstance(size, sizes.Polynomial) or len(size.terms) != 1:
        return None
    monomial, coefficient = size.terms[0]
    if coefficient != 1 or len(monomial) != 1 or monomial[0][1] != 1:
        return None
    atom = monomial[0][0]
    return atom if isinstance(atom, Symbol) else None


def _tensor(owner: ir.Expression) -> ir.Expression:
    """The tensor in `x.shape`, `x.size()`, `jnp.shape(x)` and `x.shape[1]`: `x`."""
    match owner:
        case ir.Attribute(value, "shape") | ir.Call(ir.Attribute(value, "size"), ()):
            return value
        case ir.Subscript(value) | ir.Call(_, (value,)):
            return _tensor(value)
    return owner


# Making words


def notes(
    ev: Evaluator,
    mistake: Mistake,
    arguments: Iterable[tuple[Argument, str]],
    facts: Sequence[Fact],
    call: declare.Spelling | layers.Instance | None = None,
) -> list[Note]:
    """Where the operands, the sizes that disagree and the contradicting facts come from.

    Each operand has its dims as text; `facts` include those by which its sizes were `rewritten`. A
    place on the current line gives no note.
    """
    arguments = list(arguments)
    collected = [note for argument, shape in arguments for note in _of_operand(ev, argument, shape)]
    built = of_layer(ev, call)
    if built is not None:
        collected.append((built.said, built.source, built.line))
    disagreeing = _disagreeing(mistake)
    of_sizes = list(_of_sizes(ev, _involved(mistake, disagreeing, facts)))
    collected += of_sizes
    places = {note[1:] for note in of_sizes}
    collected += [note for fact in facts for note in _of_fact(fact, places)]
    here = (ev.frame.source, ev.frame.line)
    return [note for note in dict.fromkeys(collected) if note[1:] != here][:MOST]


UNNUMBERED: Final = -1
"""The number of a call that built a layer if it has no place of its own."""


def of_layer(ev: Evaluator, call: declare.Spelling | layers.Instance | None) -> Claimed | None:
    """The call that built a layer."""
    built = ev.origins.layers.get(id(call.fields)) if isinstance(call, layers.Instance) else None
    if built is None:
        return None
    _, source, line, node = built
    said = f"the layer is built{_quoted(source, line, ' by')}"
    return Claimed(False, said, source, line, node, UNKNOWN, firm=True)


def _of_operand(ev: Evaluator, argument: Argument, shape: str) -> Iterable[Note]:
    match argument.node:
        case ir.Name(name):
            frame: Frame | None = ev.frame
            while frame is not None and name not in frame.variables:
                frame = frame.parent
            place = None if frame is None else frame.place_of(name)
            if place is not None:
                yield f"{name} is {shape}", *place
        case ir.Attribute(ir.Name(owner), name):
            receiver = ev.frame.variables.get(owner)
            set_at = (
                ev.origins.attributes.get((receiver, name))
                if isinstance(receiver, Instance)
                else None
            )
            if set_at is not None:
                yield f"{owner}.{name} is {shape}", *set_at


_SIZE_FIELDS: Final = frozenset(
    {"left_size", "right_size", "wanted", "found", "count", "size", "moved"}
)


def _disagreeing(mistake: Mistake) -> list[Size]:
    """The sizes that a mistake is about; none if it is about shapes as a whole."""
    return [
        value
        for name, value in mistake.fields().items()
        if isinstance(value, Symbolic) or (name in _SIZE_FIELDS and type(value) is int)
    ]


def rewritten(ev: Evaluator, arguments: Iterable[Argument], mistake: Mistake) -> Iterable[Fact]:
    """The facts that made the sizes of operands' dims the sizes that a mistake is about."""
    disagreeing = _disagreeing(mistake)
    atoms = {atom for size in disagreeing for atom in sizes.symbols(size)}
    counted = any(_is_product(size) for size in disagreeing)  # a number of elements
    for argument in arguments:
        tensor = ev.resolve(argument.value)
        for dim in known_dims(tensor.shape) if isinstance(tensor, Tensor) else ():
            now = ev.facts.representative(dim.size)
            if now == dim.size or dim.size is UNKNOWN:
                continue
            is_factor = counted and isinstance(now, int)
            if not disagreeing or now in disagreeing or is_factor or atoms & sizes.symbols(now):
                yield from ev.facts.reasons(dim.size)


def _is_product(size: Size) -> bool:
    return isinstance(size, sizes.Polynomial) and any(len(m) > 1 for m, _ in size.terms)


def _involved(mistake: Mistake, disagreeing: Sequence[Size], facts: Sequence[Fact]) -> list[Symbol]:
    """The symbols of the sizes that disagree; of all dims if the mistake names no sizes."""
    involved = list(disagreeing)
    if not involved:
        involved = [dim.size for value in mistake.fields().values() for dim in _dims(value)]
    for fact in facts:
        involved += getattr(fact.place, "equation", None) or ()
    atoms = [atom for size in involved for atom in sizes.symbols(size)]
    return sizes.in_order(dict.fromkeys(atoms))[:_SIZES]


def _dims(value: object) -> tuple[Dim, ...]:
    if isinstance(value, Trailing):
        return value.dims
    if isinstance(value, tuple) and all(isinstance(dim, Dim) for dim in value):
        return value
    return ()


def names_of(ev: Evaluator, dims: Dims) -> list[Note]:
    """Notes on where the sizes of these dims got their names."""
    atoms = [atom for dim in dims for atom in sizes.in_order(sizes.symbols(dim.size))]
    return list(_of_sizes(ev, dict.fromkeys(atoms)))


def _of_sizes(ev: Evaluator, atoms: Iterable[Symbol]) -> Iterable[Note]:
    """A note for each line on which sizes got their names."""
    labels: dict[Origin, list[str]] = {}
    for atom in atoms:
        origin = ev.origins.sizes.get(atom) or _parameter(ev, atom)
        if origin is not None:
            labels.setdefault(origin, []).append(repr(atom.label.replace(".[", "[")))
    lines: dict[tuple[Any, int, str], list[str]] = {}
    for origin, names in labels.items():
        predicate = origin.predicate
        if len(names) > 1:
            several = predicate.removeprefix("is ")
            if several.startswith("a parameter"):
                several = several.replace("a parameter", "parameters", 1)
            predicate = f"are {several}"
        line_of = origin.source, origin.line, origin.word
        lines.setdefault(line_of, []).append(f"{_listed(names)} {predicate}")
    for (source, line, word), words in lines.items():
        quoted = _quoted(source, line, word) if word else ""
        yield _listed(words) + quoted, source, line


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _parameter(ev: Evaluator, atom: Symbol) -> Origin | None:
    """The place of the parameter that a size is or is read from."""
    first = atom.label.partition(".")[0].partition("[")[0]
    function = _function_with(ev, first)
    if function is None or not function.line:
        return None
    owner = function.owner.name if function.owner is not None else function.name
    predicate = f"is a parameter of {owner}"
    if first != atom.label:
        predicate = f"is read off '{first}', a parameter of {owner}"
    return Origin(predicate, "", function.source, function.line)


def _function_with(ev: Evaluator, parameter: str) -> Function | None:
    """The current function, or the constructor of its class, if it has such a parameter."""
    frame = ev.frame
    candidates = [frame.function]
    receiver = frame.receiver
    cls = receiver.cls if isinstance(receiver, Instance) else frame.owner
    if isinstance(cls, Class):
        init = look_up(cls.lineage, "__init__")
        candidates.insert(0, init if isinstance(init, Function) else None)
    for function in candidates:
        if function is not None and any(p.name == parameter for p in function.parameters):
            return function
    return None


def _of_fact(fact: Fact, explained: Collection[tuple[Any, int]]) -> Iterable[Note]:
    """A note on a fact and its line; lines in `explained` are not quoted again."""
    place: Place | Any = fact.place
    if getattr(place, "source", None) is None:
        return
    source, line = place.source, place.line
    quoted = "" if (source, line) in explained else _quoted(source, line)
    equation = place.equation
    sides = () if equation is None else tuple(map(str, equation))
    same = " is ".join(sides)
    if not same or "?" in sides or len(same) > _LONGEST:
        same = "two sizes are equal"
    match fact.rank:
        case Rank.DECLARED:
            words = "different names in one signature are different sizes"
        case Rank.CLAIMED:
            words = f"the labels of one comment are assumed to be different sizes{quoted}"
        case Rank.PRESUMED:
            words = f"names bound together are assumed to be different sizes{quoted}"
        case _:
            words = f"{same}{quoted}"
    yield words, source, line


def in_line(text: str, source: Any, line: int) -> Note:
    """The note that something is so in a line, whose code it quotes."""
    return text + _quoted(source, line, " in"), source, line


def _quoted(source: Any, line: int, word: str = " since") -> str:
    """The code of a line behind a word: ` since `B, T, C = x.shape``; "" if the line is empty."""
    code = source.code_of(line)
    if len(code) > _WIDTH:
        code = code[: _WIDTH - 3] + "..."
    return f"{word} `{code}`" if code else ""
