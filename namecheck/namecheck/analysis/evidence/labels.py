"""What the labels of comments and docstrings stand for: which size a label names, if it names one.

People use labels loosely: one whose size merely changed is rebound, and a variable of the same name
may stand for something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.loop_variables import bound_in_rounds
from namecheck.analysis.state.conversion import as_size
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.independence import BATCH, is_batch
from namecheck.analysis.state.values import Anything, Instance, Number, Tensor, Value
from namecheck.analysis.usage.documented_labels import means_another
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Shape, Size, known_dims, trailing
from namecheck_runtime.notation.syntax import WrittenShape, names_of
from namecheck_runtime.notation.written import ending
from namecheck_runtime.sizes import plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def known_label(ev: Evaluator, label: str) -> Size | None:
    """The size that a label of this function names.

    If no comment has bound it, it is what the annotations of the signature declare. A letter that
    is not used in this case may stand for the one in the other case.
    """
    key = ev.frame.label(label)
    rebound = _bound_since(ev, label, key)
    if rebound is not UNKNOWN:
        return rebound
    labels = ev.frame.written.labels
    size = labels.get(key)
    if size is None and len(label) == 1 and label not in ev.frame.variables:
        other = ev.frame.label(label.swapcase())
        if ev.frame.written.label_lines.get(other, (0, ""))[1] != "docstring":
            size = labels.get(other)
    return declared_name(ev, label) if size is None else size


def declared_name(ev: Evaluator, label: str) -> Size | None:
    """The size of a name that the annotations of this function declare; None if they do not.

    Also None if a variable of that name is another size: a comment may mean either.
    """
    declared = ev.frame.written.names.get(label)
    if declared is None or label not in ev.frame.variables:
        return declared
    size = variable_size(ev, label)
    return declared if size is UNKNOWN or ev.facts.known_equal(size, declared) else None


def of_any_round(
    frame: Frame, shape: Shape, written: WrittenShape, variable: str, node: ir.Node
) -> Shape:
    """A shape that a comment at a node states of a variable, as it is in each round of a loop.

    If the loop changes the sizes of the variable, a label names a size only if it is bound there.
    """
    if frame.function is None:
        return shape
    bound = bound_in_rounds(frame.function.record, variable, node)
    if bound is None:
        return shape
    dims = list(known_dims(shape))
    names = [names_of(dim.term) for dim in ending(written)[0]]
    for back in range(1, min(len(dims), len(names)) + 1):
        if any(name not in bound for name in names[-back]):
            dims[-back] = Dim(dims[-back].name, UNKNOWN)
    return tuple(dims) if isinstance(shape, tuple) else trailing(tuple(dims))


def said_by(ev: Evaluator, labels: Sequence[str], line: int) -> str:
    """What alone says what labels name: "comment" or "docstring"; "" if the program does, too.

    Comments are those beside other statements of the body than the one on the line: one beside a
    parameter declares it.
    """
    record = None if ev.frame.function is None else ev.frame.function.record
    if not isinstance(record, ir.FunctionDef) or not labels:
        return ""
    first = record.body[0].line
    sources = set()
    for label in labels:
        at, source = ev.frame.written.label_lines.get(ev.frame.label(label), (0, ""))
        value = ev.frame.variables.get(label)
        if isinstance(value, Number) or declared_name(ev, label) is not None or at == line:
            return ""
        if not source and isinstance(value, Anything):
            source = "comment"  # one has taken something unknown of this name for a size
        elif source == "comment" and at < first:
            return ""
        sources.add(source)
    return sources.pop() if len(sources) == 1 else ""


def _bound_since(ev: Evaluator, label: str, key: str) -> Size:
    """The size that a variable of this name was bound to after a comment had used the label.

    `key` is that of the label.
    """
    place = ev.frame.written.label_lines.get(key)
    if place is None:
        return UNKNOWN
    bound = ev.frame.bound_at.get(label)
    if bound is None or bound[0] is not ev.frame.source or bound[1] <= place[0]:
        return UNKNOWN
    value = ev.frame.variables.get(label)
    if not isinstance(value, Number) or means_another(ev.frame, label):
        return UNKNOWN
    return as_size(ev, value)


def names(ev: Evaluator, label: str, size: Size) -> bool:
    """Whether a label already names a size."""
    return bool(places_named(ev, label, (size,)))


def places_named(ev: Evaluator, label: str, held: Sequence[Size]) -> list[int]:
    """The places of the sizes that a label already names."""
    of_batch = label.lower() in BATCH
    labelled: Size | None = None
    bound: Size | None = None
    places: list[int] = []
    for place, size in enumerate(held):
        if size is UNKNOWN or size == 1:
            continue
        if of_batch and is_batch(size):
            places.append(place)  # `B` beside `batch_size`, whatever the label was used for before
            continue
        if labelled is None and bound is None:
            labelled = known_label(ev, label)
            bound = variable_size(ev, label) if labelled is None else None
        if labelled is not None:
            is_named = _is_cut_at(ev, labelled, size)
        else:
            assert bound is not None
            is_named = _is_cut_at(ev, bound, size) or _is_spelled(ev, label, size)
        if is_named:
            places.append(place)
    return places


def _is_spelled(ev: Evaluator, label: str, size: Size) -> bool:
    """Whether the program calls a size by a label."""
    atom = plain_symbol(size)
    if atom is None or means_another(ev.frame, label):
        return False
    # `h` is what people write for `self.heads`.
    word = atom.label.rpartition(".")[2]
    terms = ev.frame.source.file.terms
    if terms.labels and terms.label(label) in (terms.label(atom.label), terms.label(word)):
        return True
    return label in (atom.label, word) or (
        len(label) == 1 and atom.origin is sizes.Origin.CONFIG and word.startswith(label)
    )


def _is_cut_at(ev: Evaluator, labelled: Size, size: Size) -> bool:
    """Whether a size is that of a label, or of a slice that the label cuts off: `table[:T]`.

    If the table is shorter than T, the slice is. Whoever writes `[:T]` calls the dim T.
    """
    if ev.facts.known_equal(labelled, size):
        return True
    parts = sizes.operands_of_minimum(size)
    return any(ev.facts.known_equal(labelled, part) for part in parts)


def label_or_variable(ev: Evaluator, name: str) -> Size:
    """The size that a label of this function, or else a variable of this name, stands for."""
    size = known_label(ev, name)
    return variable_size(ev, name) if size is None else size


def size_called(ev: Evaluator, name: str, dims: Dims) -> Size:
    """The size that a label, a variable, or else a configured size in `dims` of this name is.

    In a method, `D` is the size that the constructor had as `D`, if the value shows that.
    """
    size = label_or_variable(ev, name)
    if size is not UNKNOWN or means_another(ev.frame, name):
        return size
    atoms = {
        atom
        for dim in dims
        for atom in sizes.symbols(dim.size)
        if atom.origin is sizes.Origin.CONFIG
        and name in (atom.label, atom.label.rpartition(".")[2])
    }
    return sizes.of_symbol(atoms.pop()) if len(atoms) == 1 else UNKNOWN


def is_alias(ev: Evaluator, label: str, size: Size) -> bool:
    """Whether comments alone call a size by this label, and the program calls it otherwise."""
    atom = plain_symbol(size)
    if atom is None or label in ev.frame.variables or label in ev.frame.written.names:
        return False
    return ev.frame.label(label) in ev.frame.written.labels and atom.label != label


def is_declared_itself(ev: Evaluator, value: Value) -> bool:
    """Whether a value is what an annotation is about, so that a comment only repeats that.

    The two may call one dim by two names. What is computed from the value, the program shows.
    """
    claimed = value.claimed if isinstance(value, Tensor) else None
    return value in ev.ranks.declared or (claimed is not None and claimed.firm)


def variable_size(ev: Evaluator, name: str) -> Size:
    """The size that a variable of this name is, or an attribute of `self`."""
    if means_another(ev.frame, name):
        return UNKNOWN
    for word in ev.frame.source.file.terms.spellings(name):
        value = ev.frame.variables.get(word)
        if value is None and isinstance(ev.frame.receiver, Instance) and len(word) > 1:
            stored = ev.cells.get((ev.frame.receiver, word))
            value = stored if isinstance(stored, Value) else None
        size = UNKNOWN if value is None else as_size(ev, value)
        if size is not UNKNOWN:
            return size
    return UNKNOWN


def is_called(ev: Evaluator, label: str | None, size: Size) -> bool:
    """Whether a size is 1, and a variable that a label may mean too: `cur_batch_size = 1`."""
    if label is None or size != 1:
        return False
    key = ev.frame.label(label)
    for name, value in ev.frame.variables.items():
        word = ev.frame.label(name)
        if word == key or word.endswith("_" + key):
            value = ev.resolve(value)
            if isinstance(value, Number) and value.size == 1:
                return True
    return False


def labelled(ev: Evaluator, shape: Shape) -> Shape:
    """A shape for a message: dims without a name of their own have the labels that name them."""
    if not isinstance(shape, tuple):
        return shape
    labels = {
        ev.facts.representative(size): label
        for label, size in ev.frame.written.labels.items()
        if not isinstance(size, int)
    }
    dims = []
    for dim in shape:
        atom = plain_symbol(dim.size)
        label = labels.get(dim.size) if atom is not None and atom.label == "?" else None
        dims.append(dim if label is None else Dim(dim.name, sizes.symbol(label), dim.trace))
    return tuple(dims)
