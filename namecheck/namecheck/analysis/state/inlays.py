"""The shapes that `show` prints beside the lines of a function: put into words at its end.

If a function learns of a tensor after the line that made it (`B, T, C = x.shape` three lines
further down), this also holds on the earlier line, provided that the function returns. So dims are
put into words once the whole function is known. Two sizes with one name get different names there:
`n`, `n'`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from namecheck.analysis.reading import ir
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.joining import resolve
from namecheck.analysis.state.paths import Path
from namecheck.analysis.state.shapes_seen import (
    EXPRESSION,
    FORM,
    DrivenShapes,
    Form,
    Group,
    Key,
    Known,
    Seen,
    Way,
)
from namecheck.analysis.state.values import (
    CONSTRUCTORS,
    NONE,
    Anything,
    Class,
    Constant,
    Function,
    List,
    Number,
    Repeated,
    Tensor,
    Text,
    Tuple,
    Value,
)
from namecheck_runtime import sizes
from namecheck_runtime.algebra import common
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Dims,
    Shape,
    Size,
    Trace,
    Trailing,
    known_dims,
    show,
)

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


@contextmanager
def unseen(ev: Evaluator) -> Iterator[None]:
    """Show and count nothing of what is evaluated meanwhile: it is evaluated for its mistakes."""
    saved = ev.inlays.known, ev.assigned, ev.expressions
    ev.inlays.known, ev.assigned, ev.expressions = {}, {}, {}
    try:
        yield
    finally:
        ev.inlays.known, ev.assigned, ev.expressions = saved


def note(
    ev: Evaluator, target: str, value: Tensor | Anything, kind: str, form: Form | None = None
) -> None:
    """Keep the value of a target on the current line."""
    frame = ev.frame
    key = (frame.line + frame.source.line - 1, target, kind)
    shape = ev.current(value.shape) if isinstance(value, Tensor) else UNKNOWN
    if isinstance(value, Tensor) and _is_open(value):
        shape = UNKNOWN
    seen = Seen(value, shape, frame.ways.current, bool(frame.flow.loops), form)
    if frame.ways.again and key in ev.inlays.seen:
        ev.inlays.seen[key].append(seen)
    else:
        ev.inlays.seen[key] = [seen]


def note_driven(ev: Evaluator, target: str, value: Value, kind: str, frame: Frame) -> None:
    """Keep the dims of a target on the current line of a frame, if a drive has reached it first."""
    driven = ev.inlays.driven
    if driven is None or not ev.reach.driven or not frame.line:
        return
    real = frame.source.file.real
    if driven.seen is None and real != driven.real:
        return
    value = ev.resolve(value)
    key = (frame.line + frame.source.line - 1, target, kind)
    shape = ev.current(value.shape) if isinstance(value, Tensor) else UNKNOWN
    if driven.seen is not None:
        before = driven.seen.setdefault(real, {}).setdefault(key, {})
        before[shape] = is_sure(driven, frame) or before.get(shape, False)
    if real == driven.real and shape is not UNKNOWN:
        driven.known.setdefault(key, show(shape))


def is_sure(driven: DrivenShapes, frame: Frame) -> bool:
    """Whether the program of a drive is sure to get to the current line of a frame."""
    return not (frame.flow.unsure or frame.flow.branches or frame.quiet or frame in driven.unsure)


def note_returned(ev: Evaluator, value: Value) -> None:
    """Keep the tensors in a returned value, in their order.

    The elements of a returned tuple are of the kind "return"; those deeper inside are of the kind
    "part".
    """
    count = 0

    def form_of(value: Value, depth: int) -> Form:
        nonlocal count
        value = ev.resolve(value)
        if value is NONE:
            return "None"
        if isinstance(value, Tuple) and value.elements and not (value.fields or value.of_op):
            return Group("tuple", tuple([form_of(inner, depth + 1) for inner in value.elements]))
        if isinstance(value, List):
            contents = ev.cells.get(value)
            if isinstance(contents, Repeated):
                contents = (contents.element,)
            if contents and isinstance(contents, tuple):
                return Group("list", tuple([form_of(inner, depth + 2) for inner in contents]))
        number, count = count, count + 1
        kind = "return" if depth < 2 else "part"
        known = value if isinstance(value, (Tensor, Anything)) else Anything()
        note(ev, f"{number:03}", known, kind)
        match value:
            case Number(kind="int" | "float" | "bool" | "complex" as name):
                return name
            case Text() | Constant(value=str()):
                return "str"
            case Constant(value=bool() | float() | complex() as known_value):
                return type(known_value).__name__
        return number

    note(ev, "", Anything(), FORM, form_of(value, 0))


def describe(ev: Evaluator, frame: Frame | None) -> bool:
    """Put the tensors seen in a frame into words; None stands for a frame that did not end.

    Facts about a tensor at the end of the function were true of it before. Returns whether the rank
    of everything that was assigned or returned is known.
    """
    if not ev.inlays.seen:
        return True
    ends: list[tuple[Way, Path]] = []
    if frame is not None and frame.function is not None:
        paths = [path for _, path in frame.returned]
        ends = list(zip(frame.ways.ends, paths, strict=False))
    shapes = {}
    kinds: dict[Key, tuple[str, str]] = {}
    looped: set[Key] = set()
    forms: dict[Key, frozenset[Form]] = {}
    for key, sightings in ev.inlays.seen.items():
        if key[2] == FORM:
            forms[key] = frozenset([seen.form for seen in sightings if seen.form is not None])
            ev.inlays.known.pop(key, None)
            continue
        shape = _known_of(ev, sightings[0], ends)
        for seen in sightings[1:]:
            shape = common(shape, _known_of(ev, seen, ends))
        shapes[key] = shape
        kinds[key] = _kind_of(ev, sightings, ends)
        if any(seen.looped for seen in sightings):
            looped.add(key)
        ev.inlays.known.pop(key, None)
    ev.inlays.seen = {}
    names = Names(shapes, Scope(frame), frozenset(looped))
    ev.inlays.runs += 1
    for key, shape in shapes.items():
        if shape is not UNKNOWN:
            ev.inlays.known[key] = Known(names.rename(shape), *kinds[key], ev.inlays.runs)
    for key, known_forms in forms.items():
        ev.inlays.known[key] = Known(UNKNOWN, "", "", ev.inlays.runs, known_forms)
    kinds_with_rank = ("assign", "return", "part")
    return all(
        isinstance(shape, tuple) for key, shape in shapes.items() if key[2] in kinds_with_rank
    )


class Scope:
    """What names mean where the shapes of a function are read; None is a frame that did not end."""

    def __init__(self, frame: Frame | None) -> None:
        self.reserved: dict[str, Size] = {}
        """The parameters of the function and its class: no other size may have one of these."""
        self.local: set[str] = set()
        """The variables of the function that may be sizes."""
        self._optional: dict[str, bool] = {}
        """Whether None is the default of each parameter that the function finds in `self`."""
        if frame is None:
            return
        ends = [frame.variables, *(path.variables for _, path in frame.returned)]
        for variables in ends:
            for name, value in variables.items():
                if isinstance(value, (Number, Anything)):
                    self.local.add(name)
        function = frame.function
        if function is None:
            return
        for cls in function.owner.lineage if function.owner else ():
            init = cls.attributes.get("__init__") if isinstance(cls, Class) else None
            for parameter in init.parameters if isinstance(init, Function) else ():
                self.reserved[parameter.name] = UNKNOWN
                if function.name not in CONSTRUCTORS:
                    default = parameter.default
                    none = isinstance(default, ir.NoneLiteral)
                    self._optional.setdefault(parameter.name, none)
        parameters = {parameter.name for parameter in function.parameters}
        for variables in ends:
            for name, value in variables.items():
                if name in parameters and isinstance(value, Number):
                    self.reserved[name] = value.size

    def is_of_another_loop(self, atom: sizes.Symbol) -> bool:
        """Whether a size differs between rounds of a loop that another function runs."""
        return atom.varies and atom.label not in self.local

    def is_of_a_round(self, atom: sizes.Symbol) -> bool:
        """Whether a size that is seen only inside a loop may be another one in each round.

        A size that the program itself reads into a variable is the current one to a reader, too.
        """
        return atom.origin is not sizes.Origin.CONFIG and atom.label not in self.local

    def is_changed_parameter(self, atom: sizes.Symbol) -> bool:
        """Whether a size is what the constructor made of the parameter of that name on some path.

        `width = width or dim` fills in a default: if the parameter is given, the size is that.
        """
        if not atom.choices or atom.label not in self._optional:
            return False
        if not any(_is_called(choice, atom.label) for choice in atom.choices):
            return True
        return not self._optional[atom.label] or any(
            isinstance(choice, Number)
            and _only(choice.size) is None
            and any(inner.label == atom.label for inner in sizes.symbols(choice.size))
            for choice in atom.choices
        )


def _is_called(value: Value, label: str) -> bool:
    """Whether a value is a size of this name, or what a variable of this name may be."""
    if isinstance(value, Anything):
        return value.label == label
    atom = _only(value.size) if isinstance(value, Number) else None
    return atom is not None and atom.label == label


def _known_of(ev: Evaluator, seen: Seen, ends: Sequence[tuple[Way, Path]]) -> Shape:
    """The shape of the tensor as it is known at every later return of the function."""
    shape: Shape | None = None
    for way, path in ends:
        length = min(len(way), len(seen.way))
        if way[:length] == seen.way[:length]:
            at_end = _in_one_word(_later(ev, seen, path), ends)
            shape = at_end if shape is None else common(shape, at_end)
    return seen.shape if shape is None else shape


def _in_one_word(shape: Shape, ends: Sequence[tuple[Way, Path]]) -> Shape:
    """The shape with one size in place of two of one name that are equal on some way.

    Which of the two represents both may differ from way to way.
    """
    known = known_dims(shape)
    if len(ends) < 2 or not known:
        return shape
    dims = tuple([Dim(dim.name, _oldest(dim.size, ends), dim.trace) for dim in known])
    return dims if isinstance(shape, tuple) else Trailing(dims)


def _oldest(size: Size, ends: Sequence[tuple[Way, Path]]) -> Size:
    """The oldest symbol of one label among those that equal a size on some way."""
    atom = _only(size)
    for _, path in ends if atom is not None else ():
        representative = path.facts.representative(size)
        other = _only(representative)
        if atom and other and other.label == atom.label and other.serial < atom.serial:
            size, atom = representative, other
    return size


def _only(size: Size) -> sizes.Symbol | None:
    """The symbol of a size that is one symbol and nothing else, else None."""
    atoms = sizes.symbols(size)
    if len(atoms) != 1:
        return None
    (atom,) = atoms
    return atom if size == sizes.of_symbol(atom) else None


def _kind_of(
    ev: Evaluator, sightings: Sequence[Seen], ends: Sequence[tuple[Way, Path]]
) -> tuple[str, str]:
    """The kind of dtype and the library of the tensors, "" where they differ.

    A tensor of either library is shown as one of the file's own, if it imports no other.
    """
    file = ev.frame.source.file
    likely = "" if file.has_arrays else file.tensor_class
    pairs: set[tuple[str, str]] = set()
    for seen in sightings:
        values = [resolve(seen.value, path.cells) for _, path in ends] or [seen.value]
        for value in values:
            tensor = value.maybe if isinstance(value, Anything) else value
            if isinstance(tensor, Tensor):
                pairs.add((tensor.kind, tensor.library or likely))
            else:
                pairs.add(("", ""))
    kinds, libraries = {kind for kind, _ in pairs}, {library for _, library in pairs}
    return kinds.pop() if len(kinds) == 1 else "", libraries.pop() if len(libraries) == 1 else ""


def _is_open(tensor: Tensor) -> bool:
    """Whether a class declares a tensor that another class may return otherwise."""
    return tensor.claimed is not None and tensor.claimed.open


def _later(ev: Evaluator, seen: Seen, path: Path) -> Shape:
    """The shape of the tensor at the end of a path."""
    value = resolve(seen.value, path.cells)
    shape = seen.shape
    rests_on_comment = isinstance(seen.value, Anything) and getattr(value, "rank_claimed", False)
    if isinstance(value, Tensor) and not rests_on_comment and not _is_open(value):
        later = value.shape
        if isinstance(later, tuple):
            if not isinstance(shape, tuple) or len(shape) == len(later) or value.rank_claimed:
                shape = later
        elif isinstance(seen.value, Tensor) and seen.value.rank_claimed and later is UNKNOWN:
            shape = UNKNOWN  # the comment was about something else
        elif not isinstance(shape, tuple) and len(known_dims(later)) > len(known_dims(shape)):
            shape = later
    facts, ev.facts = ev.facts, path.facts
    shape = ev.current(shape)
    ev.facts = facts
    return shape


class Names:
    """The names of the symbols of one function.

    Each has its label; a second one of the same label gets a mark. A dim without a name is called
    after the variable in which it was first seen, `x.0`.
    """

    def __init__(self, shapes: dict[Key, Shape], scope: Scope, looped: frozenset[Key]) -> None:
        order = sorted(shapes, key=_order)
        atoms: dict[sizes.Symbol, int] = {}
        lasting: set[sizes.Symbol] = set()
        for key in order:
            counts = key[2] != EXPRESSION
            for atom in _symbols(shapes[key]):
                atoms[atom] = atoms.get(atom, 0) + counts
                if key not in looped:
                    lasting.add(atom)
        labels = {
            atom: "?"
            if scope.is_of_another_loop(atom) or (atom not in lasting and scope.is_of_a_round(atom))
            else atom.label
            for atom in atoms
        }
        for key in order:
            if key[2] != "return" and key not in looped and key[1].isidentifier():
                for index, atom in _plain(shapes[key]):
                    if labels[atom] == "?" and atoms[atom] > 1 and not atom.varies:
                        labels[atom] = f"{key[1]}.{index}"
        taken: set[str] = set()
        self._renamed: dict[sizes.Symbol, Size] = {}
        # A configured size has its name from the program itself, so it comes first.
        configured = [a for a in atoms if a.origin is sizes.Origin.CONFIG]
        others = [a for a in atoms if a.origin is not sizes.Origin.CONFIG]
        for atom in (*configured, *others):
            label = labels[atom]
            theirs = scope.reserved.get(label)
            if theirs is UNKNOWN and atom.origin is sizes.Origin.CONFIG:
                if not scope.is_changed_parameter(atom):
                    theirs = None
            while label in taken or (theirs is not None and theirs != sizes.of_symbol(atom)):
                label += "'"
                theirs = None
            if label != "?":
                taken.add(label)
            if label != atom.label:
                self._renamed[atom] = sizes.symbol(label, atom.origin, atom.least)

    def rename(self, shape: Shape) -> Shape:
        """The shape with these names."""
        if isinstance(shape, tuple):
            return self._dims(shape)
        return Trailing(self._dims(shape.dims)) if isinstance(shape, Trailing) else shape

    def _dims(self, dims: Dims) -> Dims:
        return tuple(
            Dim(dim.name, sizes.substitute(dim.size, self._renamed), _word(dim)) for dim in dims
        )


def _word(dim: Dim) -> Trace | None:
    """The trace of a dim, with nothing but the word for its size."""
    return Trace(word=dim.word) if dim.word else None


def _order(key: Key) -> tuple[bool, Key]:
    """A key to sort by: expressions come last, since they give no names."""
    return key[2] == EXPRESSION, key


def _symbols(shape: Shape) -> Iterable[sizes.Symbol]:
    """The symbols of a shape in reading order, each once."""
    symbols: dict[sizes.Symbol, None] = {}
    for dim in known_dims(shape):
        for atom in sizes.in_order(sizes.symbols(dim.size)):
            symbols[atom] = None
    return symbols


def _plain(shape: Shape) -> Iterator[tuple[int, sizes.Symbol]]:
    """The dims of a shape of known rank that are one symbol and nothing else."""
    if isinstance(shape, tuple):
        for index, dim in enumerate(shape):
            atom = _only(dim.size)
            if atom is not None:
                yield index, atom
