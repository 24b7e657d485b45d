"""Whether a claim of a comment or a docstring can be true of a value.

People use labels loosely: one whose size merely changed is rebound. So only this very value
contradicts a claim: a label that already names one of its dims stands at another, the number of
dims differs, or a number or multiple stands at one dim and is the size of another (NC402). The
names of one unpacking and the labels of one commented parameter are presumed to differ, so `(B, C)`
is wrong beside `[T, C]`. Source: spec/policies.md, "NC402 comment-mismatch".
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck.analysis.comments.guard_messages import SAID
from namecheck.analysis.evidence.labels import (
    is_alias,
    is_called,
    known_label,
    label_or_variable,
    names,
    places_named,
    size_called,
    variable_size,
)
from namecheck.analysis.reading import ir
from namecheck.analysis.state.independence import BATCH
from namecheck.analysis.state.places import Place
from namecheck.analysis.state.values import Number
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dims, Shape, Size, known_dims
from namecheck_runtime.mistakes.base import counted
from namecheck_runtime.notation.syntax import Arithmetic, WrittenDim, WrittenShape, render_term
from namecheck_runtime.notation.written import plain_name, size_of_term
from namecheck_runtime.sizes import Fact, Rank, Relation, Symbol, plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


class Contradiction(NamedTuple):
    """Why a claim cannot be true."""

    reason: str
    labels: tuple[str, ...] = ()
    """The labels that stand elsewhere."""
    rank: bool = False
    """Whether the numbers of dims differ."""
    alias: bool = False
    """Whether it takes a label for a size of the annotations by a comment alone."""
    shown: bool = False
    """Whether the claim has the very dims of the value in another order, so that it is a shape."""


class Pair(NamedTuple):
    """A dim of a claim, and the dim of the value that it describes."""

    written: WrittenDim
    place: int
    """Counted from the right."""
    size: Size
    rank: int
    """The number of dims of the value; 0 if it is not known."""
    word: str = ""
    """What the program calls the size of the dim, if that is a number."""

    @property
    def shown(self) -> int:
        """The place as messages have it: counted from the left if the rank is known."""
        return self.place + self.rank


def contradiction(
    ev: Evaluator, written: WrittenShape, shape: Shape, labels_only: bool = False
) -> Contradiction | None:
    """Why a claim cannot be true of a shape; None when it may be.

    With `labels_only`, only labels that stand at other dims than they name count.
    """
    pairs = paired(written, shape)
    if labels_only:
        named = _named(ev, pairs, known_dims(shape)) if pairs else {}
        return (_swapped(ev, pairs, named) or _displaced_label(ev, pairs, named)) if pairs else None
    if pairs is None:
        return _other_rank(ev, written, shape)
    if any(pair.written.term == 1 and pair.size != 1 for pair in pairs):
        if any(is_called(ev, plain_name(pair.written), pair.size) for pair in pairs):
            return None
    named = _named(ev, pairs, known_dims(shape))
    return (
        _swapped(ev, pairs, named)
        or _other_literal(pairs, named)
        or _turned_literal(pairs)
        or _displaced_term(ev, pairs, known_dims(shape))
        or _displaced_label(ev, pairs, named)
        or _other_of_group(ev, pairs)
        or _moved_factor(ev, pairs, named, known_dims(shape))
        or _passed_over(ev, written, pairs, named, shape)
        or _before_known(ev, written, pairs, shape)
    )


def may_be_told(ev: Evaluator, written: WrittenShape, shape: Shape) -> bool:
    """Whether a claim that contradicts a shape is reported here.

    Labels belong to the function: what a caller calls its sizes does not contradict them. But in a
    call with numbers that all differ, two labels of the function may have each other's.
    """
    if not ev.frame.depth:
        return True
    dims = known_dims(shape)
    numbers = {dim.size for dim in dims if isinstance(dim.size, int)}
    if not ev.reach.driven or len(numbers) < len(dims) or not isinstance(shape, tuple):
        return False
    pairs = paired(written, shape)
    return pairs is not None and _swapped(ev, pairs, _named(ev, pairs, dims)) is not None


def is_moot(ev: Evaluator, written: WrittenShape, shape: Shape) -> bool:
    """Whether a test has made a label 1 on this path, and it stands at a dim of another size.

    The claim names sizes that the test does not single out, so the path says nothing of it.
    """
    for pair in paired(written, shape) or ():
        name = plain_name(pair.written)
        if name is None or pair.size is UNKNOWN or pair.size == 1:
            continue
        held = ev.frame.variables.get(name)
        size = held.size if isinstance(held, Number) else known_label(ev, name)
        if size is not None and plain_symbol(size) and ev.facts.representative(size) == 1:
            return True
    return False


def against_pattern(written: WrittenShape, letters: tuple[str | None, ...]) -> Contradiction | None:
    """Why a claim has the letters of its pattern in another order; None if it does not."""
    labels = [plain_name(dim) for dim in written.dims]
    if (
        len(labels) != len(letters)
        or None in labels
        or sorted(map(str, labels)) != sorted(map(str, letters))
    ):
        return None
    for index, (name, letter) in enumerate(zip(labels, letters, strict=True)):
        if name is not None and name != letter and labels.count(name) == 1:
            return Contradiction(f"dim {index} of the pattern is '{letter}', not '{name}'")
    return None


def paired(written: WrittenShape, shape: Shape) -> list[Pair] | None:
    """The dims of a claim with the known dims that they describe, from the right.

    None if the number of dims does not fit.
    """
    dims = known_dims(shape)
    has_rank = isinstance(shape, tuple)
    rank = len(dims) if has_rank else 0
    many = next((k for k, dim in enumerate(written.dims) if dim.many), None)
    if many is None:
        if len(written.dims) < len(dims) or (has_rank and len(written.dims) != len(dims)):
            return None
        behind, front = written.dims, written.dims[:0]
    else:
        behind, front = written.dims[many + 1 :], written.dims[:many]
        if has_rank and len(dims) < len(behind) + len(front):
            return None
    pairs = [
        Pair(behind[-back], -back, dims[-back].size, rank, dims[-back].word)
        for back in range(min(len(behind), len(dims)), 0, -1)
    ]
    if has_rank:
        before = [
            Pair(dim, index - rank, dims[index].size, rank, dims[index].word)
            for index, dim in enumerate(front)
        ]
        pairs = before + pairs
    return pairs


def _named(ev: Evaluator, pairs: list[Pair], dims: Dims) -> dict[str, int]:
    """Which dim of the value each label already names, for labels that name exactly one."""
    named: dict[str, int] = {}
    for pair in pairs:
        name = plain_name(pair.written)
        if name is not None:
            places = places_named(ev, name, [dim.size for dim in dims])
            if len(places) == 1:
                named[name] = places[0] - len(dims)
    return named


def _swapped(ev: Evaluator, pairs: list[Pair], named: dict[str, int]) -> Contradiction | None:
    by_place = {pair.place: pair for pair in pairs}
    for pair in pairs:
        name = plain_name(pair.written)
        place = named.get(name) if name is not None else None
        if name is None or place is None or place == pair.place or place not in by_place:
            continue
        there = by_place[place]
        other = plain_name(there.written)
        if ev.frame.source.file.terms.may_meet(name, other):
            continue
        if other is not None and named.get(other) == pair.place:
            if not ev.facts.known_equal(pair.size, there.size):
                reason = f"'{name}' is dim {there.shown}, '{other}' is dim {pair.shown}"
                return Contradiction(reason, (name, other))
    return None


def _other_literal(pairs: list[Pair], named: dict[str, int]) -> Contradiction | None:
    if not named:
        return None
    for pair in pairs:
        number, size = pair.written.term, pair.size
        if isinstance(number, int) and isinstance(size, int) and number > 1 and size != number:
            return Contradiction(f"dim {pair.shown} is {size}")
    return None


def _turned_literal(pairs: list[Pair]) -> Contradiction | None:
    """A number that is the size of another dim: `[1, B]` beside `[B, 1]`.

    For that dim the claim has something else.
    """
    claimed = sorted(pair.written.term for pair in pairs if isinstance(pair.written.term, int))
    numbers = sorted(pair.size for pair in pairs if isinstance(pair.size, int))
    if claimed != numbers:
        return None
    for pair in pairs:
        number = pair.written.term
        if not isinstance(number, int) or not isinstance(pair.size, sizes.Polynomial):
            continue
        if pair.size.opaque:
            continue
        for other in pairs:
            if other.size == number and isinstance(other.written.term, (str, Arithmetic)):
                return Contradiction(
                    f"dim {pair.shown} is {pair.size}, and {number} is dim {other.shown}"
                )
    return None


def _displaced_term(ev: Evaluator, pairs: list[Pair], dims: Dims) -> Contradiction | None:
    """A number above 1, or arithmetic of labels that are bound, that is the size of another dim."""
    claimed = [
        UNKNOWN
        if isinstance(pair.written.term, str)
        else size_of_term(pair.written.term, lambda name: size_called(ev, name, dims))
        for pair in pairs
    ]
    held = [
        ev.facts.known_equal(size, pair.size) for size, pair in zip(claimed, pairs, strict=True)
    ]
    for index, size in enumerate(claimed):
        if size is UNKNOWN or size == 1 or held[index]:
            continue
        for there, pair in enumerate(pairs):
            if not held[there] and ev.facts.known_equal(size, pair.size):
                here = pairs[index]
                if here.size is UNKNOWN and isinstance(size, int):
                    continue
                if _is_open(here.size):
                    continue
                return Contradiction(f"{size} is dim {pair.shown}, not dim {here.shown}")
    return None


def _displaced_label(
    ev: Evaluator, pairs: list[Pair], named: dict[str, int]
) -> Contradiction | None:
    """A label that names one dim of the value and stands at another.

    Nothing says that the label beside it means that dim as well.
    """
    by_place = {pair.place: pair for pair in pairs}
    labels = [plain_name(pair.written) for pair in pairs]
    for pair in pairs:
        name = plain_name(pair.written)
        place = named.get(name) if name is not None else None
        if name is None or place is None or place == pair.place or labels.count(name) != 1:
            continue
        there = by_place.get(place)
        if there is None or there.written.term is None:
            continue
        if len(name) == 1 and (label_or_variable(ev, name) is UNKNOWN or _is_of_message(ev, name)):
            continue  # a letter that may stand for anything
        other = plain_name(there.written)
        if ev.frame.source.file.terms.may_meet(name, other):
            continue
        if other is not None:
            if names(ev, other, there.size):
                continue
            elsewhere = any(names(ev, other, one.size) for one in pairs)
            of_batch = name.lower() in BATCH or other.lower() in BATCH
            named_other = label_or_variable(ev, other)
            if not elsewhere and not of_batch and _may_be_one(ev, named_other, there.size):
                continue  # the two may be one size here, as queries and keys of self-attention are
            if not elsewhere and len(name) == 1 and known_label(ev, name) is None:
                continue  # the letter of a variable may be another one than that of the comment
        return Contradiction(
            f"'{name}' is dim {there.shown}, written as '{dim_text(there.written)}'", (name,)
        )
    return None


def _is_of_message(ev: Evaluator, label: str) -> bool:
    """Whether the message of a guard alone says what a label names."""
    return ev.frame.written.label_lines.get(ev.frame.label(label), (0, ""))[1] == SAID


def _may_be_one(ev: Evaluator, size: Size, other: Size) -> bool:
    """Whether what a label stands for is known, and may be the size of a dim."""
    if size is UNKNOWN:
        return False
    return ev.facts.relate(size, other) not in (Relation.NO, Relation.DEGENERATE)


def _before_known(
    ev: Evaluator, written: WrittenShape, pairs: list[Pair], shape: Shape
) -> Contradiction | None:
    """A label of a known dim that stands in front of the known dims: `(K, N)` of `[..., K]`."""
    missing = len(written.dims) - len(pairs)
    if isinstance(shape, tuple) or not pairs or any(dim.many for dim in written.dims):
        return None
    front = [
        Pair(dim, index - len(written.dims), UNKNOWN, 0)
        for index, dim in enumerate(written.dims[:missing])
    ]
    everything = front + pairs
    return _displaced_label(ev, everything, _named(ev, everything, known_dims(shape)))


def _other_of_group(ev: Evaluator, pairs: list[Pair]) -> Contradiction | None:
    """A label that names one size of an unpacking, or of one comment, beside another of them.

    `[T, C]` after `B, T, C = x.shape` is not `(B, C)`.
    """
    for pair in pairs:
        name = plain_name(pair.written)
        if name is None or pair.size is UNKNOWN:
            continue
        if pair.word and _beside(ev, name, pair.word) and not _of_one_map(name, pair.word, ()):
            reason = f"dim {pair.shown} is '{pair.word}', not '{name}'"
            return Contradiction(reason, (name, pair.word))
        labelled = label_or_variable(ev, name)
        group = ev.facts.told_apart(labelled, pair.size)
        if group is None or not _is_said(group.fact) or ev.links(labelled, pair.size):
            continue
        if _has_own_letters(ev, pairs, name, labelled):
            continue
        other = str(pair.size)
        if ev.frame.source.file.terms.may_meet(name, other) or _of_one_map(
            name, other, group.members
        ):
            continue
        alias = group.fact.rank is Rank.DECLARED and is_alias(ev, name, labelled)
        reason = f"dim {pair.shown} is '{other}', not '{name}'"
        return Contradiction(reason, (name, other), alias=alias)
    return None


def _has_own_letters(ev: Evaluator, pairs: list[Pair], name: str, size: Size) -> bool:
    """Whether a claim calls the size of a variable by another letter, which is no variable.

    Its letters are its own then: `(B, N, C)` where the code has `N` for the batch, and no `B`.
    """
    if len(name) > 1 or known_label(ev, name) is not None:
        return False
    for pair in pairs:
        other = plain_name(pair.written)
        if other is None or other == name or not ev.facts.known_equal(pair.size, size):
            continue
        if len(other) == 1 and variable_size(ev, other) is UNKNOWN:
            return True
    return False


def _is_said(fact: Fact) -> bool:
    """Whether sizes are told apart by the program, or by the comment at a parameter.

    Labels of a comment beside another value say less: the queries `Q` and the keys `K` of one
    comment are `T` and `T` in the next.
    """
    if fact.rank >= Rank.PRESUMED:
        return True
    return isinstance(fact.place, Place) and isinstance(fact.place.node, ir.Parameter)


def _beside(ev: Evaluator, name: str, word: str) -> bool:
    """Whether one unpacking gave two different numbers to these names, which still have them."""
    bound = ev.frame.bound_at
    if name == word or name not in bound or bound[name] != bound.get(word):
        return False
    left, right = label_or_variable(ev, name), variable_size(ev, word)
    return isinstance(left, int) and isinstance(right, int) and left != right


def _of_one_map(name: str, other: str, group: Collection[Symbol]) -> bool:
    """Whether two names are sides of one map, `H` and `W`, or of one volume, which may be equal."""
    left, right = _extent(name), _extent(other)
    if left.translate(_ANY_SIDE) == right.translate(_ANY_SIDE):
        return True
    members = {_extent(member.label) for member in group}
    return {left, right} <= {"d", "h", "w"} and {"h", "w"} <= members


def _extent(name: str) -> str:
    """A name with the letters of sides: `h` for `H`, `height` and `height_`."""
    name = name.lower().rpartition(".")[2].rstrip("0123456789_'")
    return name.replace("height", "h").replace("width", "w").replace("depth", "d")


_ANY_SIDE: Final = str.maketrans("wyz", "hxx")
"""`h` for either side of a map, `x` for any axis of space."""


def _is_open(size: Size) -> bool:
    """Whether a size is computed from one that nothing names, or that a loop changes.

    It may be what the claim says.
    """
    return any(atom.label == "?" or atom.varies for atom in sizes.symbols(size))


def _moved_factor(
    ev: Evaluator, pairs: list[Pair], named: dict[str, int], dims: Dims
) -> Contradiction | None:
    """A factor that the claim has at another dim than the value: `(B, 2*C)` of `[2*B, C]`."""
    claimed = [
        size_of_term(pair.written.term, lambda name: size_called(ev, name, dims)) for pair in pairs
    ]
    known = [pair.size for pair in pairs]
    if UNKNOWN in claimed or UNKNOWN in known:
        return None
    if any(map(_is_open, known)):
        return None
    atoms = {atom for size in (*claimed, *known) for atom in sizes.symbols(size)}
    if len({atom.label.rpartition(".")[2].lower() for atom in atoms}) < len(atoms):
        return None  # one word for two sizes: `N` in the comment and `self.N` may well be one
    other = [k for k, size in enumerate(claimed) if not ev.facts.known_equal(size, known[k])]
    if len(other) < 2 or not any(isinstance(pairs[k].written.term, Arithmetic) for k in other):
        return None
    if any(sizes.is_quotient(known[k]) for k in other):
        # A size that `-1` computed makes the products equal, whatever the claim says.
        if all(
            named.get(plain_name(pair.written) or "", pair.place) == pair.place for pair in pairs
        ):
            return None
    if any(_is_batch_of_one(pairs[k]) for k in other):
        return None
    total = sizes.product([claimed[k] for k in other])
    if not ev.facts.known_equal(total, sizes.product([known[k] for k in other])):
        return None
    pair = pairs[other[0]]
    return Contradiction(f"dim {pair.shown} is {pair.size}, not {dim_text(pair.written)}")


def _is_batch_of_one(pair: Pair) -> bool:
    """Whether a claim names a batch where the program has one sample: `x.view(1, -1)  # (B, T)`."""
    name = plain_name(pair.written)
    if pair.size != 1 or name is None:
        return False
    return name.lower() in BATCH or pair.place == -pair.rank


def _passed_over(
    ev: Evaluator, written: WrittenShape, pairs: list[Pair], named: dict[str, int], shape: Shape
) -> Contradiction | None:
    """A size that the value has only under the `...` of the claim: `[C, ...]` of `[b, n, C]`.

    The claim has it at another dim.
    """
    many = next((k for k, dim in enumerate(written.dims) if dim.many), None)
    dims = known_dims(shape)
    if many is None or not dims:
        return None
    if not isinstance(shape, tuple):
        pairs = [Pair(dim, -len(dims) - 1, UNKNOWN, 0) for dim in written.dims[:many]] + pairs
    behind = len(written.dims) - many - 1
    # If more dims lead, those that the claim names first stand even further left. An
    # ellipsis is written for at least one dim.
    rank = len(dims) if isinstance(shape, tuple) else max(len(dims), many + 1 + behind)
    covered = range(max(many - rank, -len(dims)), -behind)
    for pair in pairs:
        if pair.place - 1 in covered and _are_apart(ev, pair, dims):
            return Contradiction(f"{dim_text(pair.written)} are two dims of it")
        place = _place_under(ev, pair, named, [k for k in covered if k != pair.place], dims)
        if place is not None:
            last = f"dim {place + pair.rank}"
            text = dim_text(pair.written)
            name = plain_name(pair.written)
            quoted = text if name is None else f"'{name}'"
            return Contradiction(
                f"{quoted} is {last}, which '...' covers", () if name is None else (name,)
            )
    return None


def _are_apart(ev: Evaluator, pair: Pair, dims: Dims) -> bool:
    """Whether a claim has one dim `a * b` where the value has a and b."""
    match pair.written.term:
        case Arithmetic("*", str() as left, str() as right) if left != right:
            before = dims[pair.place - 1].size
            return names(ev, right, pair.size) and names(ev, left, before)
    return False


def _place_under(
    ev: Evaluator, pair: Pair, named: dict[str, int], covered: list[int], dims: Dims
) -> int | None:
    """The one dim under `...` that is what a claim says of another dim."""
    name = plain_name(pair.written)
    if name is not None:
        if len(name) == 1 and label_or_variable(ev, name) is UNKNOWN:
            return None  # a letter that may stand for anything
        places = [k for k in covered if names(ev, name, dims[k].size)]
        elsewhere = pair.size is not UNKNOWN and names(ev, name, pair.size)
        return places[0] if len(places) == 1 and not elsewhere else None
    size = size_of_term(pair.written.term, lambda label: label_or_variable(ev, label))
    if size is UNKNOWN and isinstance(pair.written.term, Arithmetic):
        return _multiple_under(pair, covered, dims)
    if size is UNKNOWN or (pair.size is UNKNOWN and pair.rank):
        return None
    if isinstance(pair.size, sizes.Polynomial) and pair.size.opaque:
        return None
    if ev.facts.known_equal(pair.size, size):
        return None
    places = [k for k in covered if ev.facts.known_equal(dims[k].size, size)]
    return places[0] if len(places) == 1 else None


def _multiple_under(pair: Pair, covered: list[int], dims: Dims) -> int | None:
    """The one dim under `...` that is a multiple of the number by which `3*C` is one."""
    match pair.written.term:
        case Arithmetic("*", int() as factor, str()) | Arithmetic("*", str(), int() as factor):
            pass
        case _:
            return None
    if factor < 2 or not isinstance(plain_symbol(pair.size), sizes.Symbol):
        return None
    places = [k for k in covered if _is_multiple(dims[k].size, factor)]
    return places[0] if len(places) == 1 else None


def _is_multiple(size: Size, factor: int) -> bool:
    return isinstance(size, sizes.Polynomial) and all(
        count % factor == 0 for _, count in size.terms
    )


def _other_rank(ev: Evaluator, written: WrittenShape, shape: Shape) -> Contradiction | None:
    """Another number of dims, 1s aside; only if the claim is clearly about this value."""
    if not isinstance(shape, tuple) or any(dim.many or dim.term is None for dim in written.dims):
        return None
    labels: set[str] = set()
    for dim in written.dims:
        name = plain_name(dim)
        if name is not None and sum(names(ev, name, d.size) for d in shape) == 1:
            labels.add(name)
    claimed = sum(dim.term != 1 for dim in written.dims)
    least = sum(dim.size != 1 and dim.size is not UNKNOWN for dim in shape)
    if least <= claimed <= len(shape) or len(labels) < 2 or _is_end(ev, written, shape):
        return None
    reason = f"it has {counted(len(shape), 'dim')}, not {len(written.dims)}"
    return Contradiction(reason, rank=True)


def _is_end(ev: Evaluator, written: WrittenShape, shape: Dims) -> bool:
    """Whether a claim has the last dims of a value and only leaves the ones in front out."""
    last = shape[-len(written.dims) :]
    if len(last) == len(shape) or any(label in BATCH for label in map(_lowered, written.dims)):
        return False
    return all(
        (name := plain_name(dim)) is not None and names(ev, name, one.size)
        for dim, one in zip(written.dims, last, strict=True)
    )


def _lowered(dim: WrittenDim) -> str:
    return (plain_name(dim) or "").lower()


def dim_text(dim: WrittenDim) -> str:
    """A dim of a claim as messages quote it."""
    if dim.term is None:
        return "..." if dim.many else "_"
    return ("*" if dim.many else "") + render_term(dim.term)


def written_text(written: WrittenShape) -> str:
    """A claim as messages quote it."""
    return "(" + ", ".join(dim_text(dim) for dim in written.dims) + ")"
