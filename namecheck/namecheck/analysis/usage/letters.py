"""Whether a letter of a pattern stands for the dim that it stood for before.

Between `'b h n d'` in one line and `'b h d n'` in the next, the tensor was transposed, or there is
a mistake. Within one function a letter keeps its size if the program calls the size so: a pattern
made or split it, a keyword gives it, or a variable or a label in a comment has its name. A letter
for a size that is called otherwise belongs to its own pattern, unless the same variable carries it
on. A pattern is wrong if its operand has that size at another dim: if two letters stand in each
other's places, or if at least one other letter is in its own and none is reused. Letters that count
through products (i, j, k, l) are not names, nor is a letter that was used for two sizes. A letter
of two operands that have one size there is its own, unless the operand carries it on. A pattern in
a branch that excludes this one says nothing.

The letters of an einsum are indices: `D` in `udlrs,UDLRs->...` is the partner of `d`, whatever the
function calls `D`. They are names only if all those of an operand are the names of its dims, in
another order, as in `bnhd` for `b, h, n, d = q.shape`. A `b` beside `b = x.shape[0]` is the batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck.analysis.reading import ir
from namecheck.analysis.state.independence import BATCH, begins_word, is_configured
from namecheck.analysis.state.values import Number, Tensor, Value
from namecheck.analysis.usage.carriers import is_carried, share_origin
from namecheck.analysis.usage.exclusive_calls import are_exclusive
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dims, Size
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import BadPattern
from namecheck_runtime.sizes import Origin, Polynomial, plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Frame

GENERIC: Final = frozenset("ijkl")

Letters = tuple[str | None, ...]
"""The letter of each dim; None for a parenthesis, a number, or `...`."""


Order = tuple[str, ...]
"""The letters of one parenthesis."""


class Reading(NamedTuple):
    """The letters of a pattern for its operands and its result, and the sizes given for letters."""

    pattern: str
    operands: tuple[tuple[Argument, Letters], ...]
    result: Letters
    lengths: Mapping[str, Size]
    split: tuple[Order, ...] = ()
    """The parentheses of letters on its left side."""
    merged: tuple[Order, ...] = ()
    """Those on its right side."""
    indices: bool = False
    """Whether its letters are indices, as those of an einsum: any others would mean the same."""

    @property
    def counts(self) -> bool:
        """Whether its letters count through the alphabet: the `b` of `ab,bc->ac` is not a batch."""
        return any("a" in letters for _, letters in self.operands)

    def may_exchange(self, index: int, one: str, other: str) -> bool:
        """Whether two letters of an operand are indices that only their order tells apart.

        `efdc,d->ef` computes for `[F, E, D, C]` what `fedc,d->fe` does.
        """
        letters, result = self.operands[index][1], self.result
        if not self.indices or one not in result or other not in result:
            return False
        if any(
            one in others or other in others
            for place, (_, others) in enumerate(self.operands)
            if place != index
        ):
            return False
        first = letters.index(one) < letters.index(other)
        return first == (result.index(one) < result.index(other))


class _Asked(NamedTuple):
    """One operand of a pattern, at `position`, and what else decides on its letters."""

    reading: Reading
    position: int
    home: Frame
    call: int
    lengths: Mapping[str, Size]
    operand: ir.Node | None
    met: frozenset[str]
    """The letters at which it has the size that another operand has there."""
    apart: bool = False
    """Whether its letters are indices of this pattern, and mean what the operand carries on."""


def fits(ev: Evaluator, reading: Reading, node: ir.Node) -> bool:
    """Compare letters with operands; False if a letter is at the wrong dim.

    From here on the letters name the dims.
    """
    home = home_of(ev.frame)
    met = _met(ev, reading)
    for index, (argument, letters) in enumerate(reading.operands):
        shape = _shape(ev, argument.value, len(letters))
        if shape is None:
            continue
        if home.depth:  # the function's own names are judged, not those of a caller's sizes
            _bind(home, reading, letters, shape, node.id)
            continue
        question = (node.id, "letters", index)
        ev.frame.look(question)
        asked = _Asked(reading, index, home, node.id, reading.lengths, argument.node, met)
        if reading.indices and not _are_names(ev, asked, letters, shape):
            asked = asked._replace(apart=True)
        reason = _misplaced(ev, asked, letters, shape)
        if reason is None and not reading.counts:
            reason = _moved_batch(ev, asked, letters, shape)
        if reason is not None:
            mistake = BadPattern(pattern=reading.pattern, reason=reason, blame=(Blame("tensor"),))
            named = {"tensor": argument}
            ev.blame(mistake, "warning", node, named, question=question)
            return False
        _bind(home, reading, letters, shape, node.id)
    return True


def _are_names(ev: Evaluator, asked: _Asked, letters: Letters, shape: Dims) -> bool:
    """Whether the letters of an operand are the names of all its dims, in whatever order."""
    meant = [
        _meant(ev, asked, letter, dim.size) for letter, dim in zip(letters, shape, strict=True)
    ]
    return all(any(ev.facts.known_equal(dim.size, size) for size in meant) for dim in shape)


def bind(ev: Evaluator, reading: Reading, result: Value, node: ir.Node) -> None:
    """Let the letters name the dims of the result."""
    home = home_of(ev.frame)
    for letter, size in reading.lengths.items():
        _name(home, letter, size, node.id)
    shape = _shape(ev, result, len(reading.result))
    if shape is not None:
        _bind(home, reading, reading.result, shape, node.id)


def _met(ev: Evaluator, reading: Reading) -> frozenset[str]:
    """The letters that several operands have, each time with the same size."""
    if len(reading.operands) < 2:
        return frozenset()
    found: dict[str, list[Size]] = {}
    for argument, letters in reading.operands:
        shape = _shape(ev, argument.value, len(letters))
        for place, letter in enumerate(letters):
            if letter is not None:
                size = UNKNOWN if shape is None else shape[place].size
                found.setdefault(letter, []).append(size)
    return frozenset(
        letter
        for letter, (first, *others) in found.items()
        if others and all(ev.facts.known_equal(first, other) for other in others)
    )


def home_of(frame: Frame) -> Frame:
    """The function as its reader sees it: a lambda is a part of the function around it."""
    while (
        frame.function is not None
        and isinstance(frame.function.record, ir.Lambda)
        and frame.parent is not None
    ):
        frame = frame.parent
    return frame


def _shape(ev: Evaluator, value: Value, rank: int) -> Dims | None:
    value = ev.resolve(value)
    if not isinstance(value, Tensor) or not isinstance(value.shape, tuple):
        return None
    shape = ev.current(value.shape)
    return shape if isinstance(shape, tuple) and len(shape) == rank else None


def _bind(home: Frame, reading: Reading, letters: Letters, shape: Dims, call: int) -> None:
    for letter, dim in zip(letters, shape, strict=True):
        if letter is None:
            continue
        split = letter in reading.lengths or any(letter in order for order in reading.split)
        if split or _is_called(dim.size, letter):
            _name(home, letter, dim.size, call)
        elif _is_telling(dim.size) and letter not in GENERIC:
            home.written.lent_letters.setdefault(letter, {})[dim.size, call] = None


def _is_called(size: Size, letter: str) -> bool:
    """Whether a size has the letter as its name, in lower case or upper case."""
    atom = plain_symbol(size)
    if atom is None:
        return False
    label = atom.label.casefold()
    return label == letter.casefold() or (label in BATCH and letter.lower() in BATCH)


def _name(home: Frame, letter: str, size: Size, call: int) -> None:
    if _is_telling(size) and letter not in GENERIC:
        calls = home.written.letters.setdefault(letter, {}).setdefault(size, [])
        if call not in calls:
            calls.append(call)


def _is_telling(size: Size) -> bool:
    """Whether a person could mean a size: it is not a number, and all its symbols have names."""
    if size is UNKNOWN or isinstance(size, int):
        return False
    return all(atom.label != "?" for atom in sizes.symbols(size))


def _meant(
    ev: Evaluator,
    asked: _Asked,
    letter: str | None,
    dim: Size = UNKNOWN,
    exact: bool = False,
) -> Size:
    """The one size that a letter of an operand stands for; UNKNOWN if there is not one.

    If the letter begins the name of the dim that it stands at, other names say nothing: `h` may be
    the heads beside a size `H`. With `exact` no name in the other case does.
    """
    if letter is None or letter in GENERIC:
        return UNKNOWN
    lengths = asked.lengths
    if letter in lengths:
        return lengths[letter] if _is_telling(lengths[letter]) else UNKNOWN
    meant: Size = UNKNOWN
    candidates = [size for size, _ in _patterned(asked, letter)]
    if not asked.apart and not _is_initial(letter, dim):
        candidates += _named(asked.home, letter, exact)
    for size in candidates:
        size = ev.facts.representative(size)
        if not _is_telling(size):
            continue
        if meant is not UNKNOWN and not ev.facts.known_equal(meant, size):
            return UNKNOWN
        meant = size
    return meant


def _patterned(asked: _Asked, letter: str) -> Iterator[tuple[Size, list[int]]]:
    """The sizes that earlier patterns gave a letter, each with the calls that did."""
    for size, calls in asked.home.written.letters.get(letter, {}).items():
        telling = [call for call in calls if not asked.apart or _is_carried(asked, call)]
        if telling:
            yield size, telling
    for size, call in asked.home.written.lent_letters.get(letter, ()):
        if _is_carried(asked, call):
            yield size, [call]


def _is_carried(asked: _Asked, call: int) -> bool:
    """Whether the operand carries on what a call said of it; this call says nothing of indices."""
    if asked.apart and call == asked.call:
        return False
    return is_carried(asked.home, call, asked.operand)


def _is_said(asked: _Asked, letter: str) -> bool:
    """Whether a name gives a letter its size, or a pattern that may have run before this one."""
    if letter in asked.lengths or any(True for _ in _named(asked.home, letter)):
        return True
    return any(
        not are_exclusive(asked.home, call, asked.call)
        for _, calls in _patterned(asked, letter)
        for call in calls
    )


def _is_own(asked: _Asked, letter: str) -> bool:
    """Whether a letter belongs to its pattern: sizes agree there, and no operand carries it on."""
    return letter in asked.met and not any(
        call != asked.call and is_carried(asked.home, call, asked.operand)
        for _, calls in _patterned(asked, letter)
        for call in calls
    )


def _is_brought(asked: _Asked, letter: str) -> bool:
    """Whether an operand has the size of a letter only since a caller gave it.

    In `layer(x, edges=x)` the edges have the `h` of `b, h, w, d = x.shape`, but the function that
    reads both does not say so: there `h` may be the heads of the edges.
    """
    home = asked.home
    if not home.depth or asked.operand is None or letter in asked.lengths:
        return False
    label = home.label(letter).casefold()
    if any(name.casefold() == label for name in home.written.labels):
        return False
    calls = [call for _, calls in _patterned(asked, letter) for call in calls]
    return not share_origin(home, letter, calls, asked.operand)


def _named(home: Frame, letter: str, exact: bool = False) -> Iterator[Size]:
    """The sizes that have a letter as their name, or as a label in a comment."""
    label = home.label(letter).casefold()
    for name, size in home.written.labels.items():
        if name.casefold() == label and not (exact and _is_in_other_case(letter, size)):
            yield size
    for name, value in home.variables.items():
        if isinstance(value, Number) and home.label(name).casefold() == label:
            if not exact or name == letter or name.casefold() != letter.casefold():
                yield value.size


def _is_in_other_case(letter: str, size: Size) -> bool:
    """Whether a size has the letter as its name, in the other case only."""
    atom = plain_symbol(size)
    if atom is None or atom.label == letter:
        return False
    return atom.label.casefold() == letter.casefold()


def _is_initial(letter: str, size: Size) -> bool:
    """Whether a letter begins a longer name of a size: `h` for `num_heads`."""
    atom = plain_symbol(size)
    if atom is None or len(atom.label) == 1 or not letter:
        return False
    return begins_word(letter[0], sizes.of_symbol(atom))


def _misplaced(ev: Evaluator, asked: _Asked, letters: Letters, shape: Dims) -> str | None:
    """Why the letters cannot be those of the dims that they stand at; None if they may be."""
    if len(shape) < 2:
        return None
    meant = [
        _meant(ev, asked, letter, dim.size) for letter, dim in zip(letters, shape, strict=True)
    ]
    agreed, used_anew = 0, False
    moved: dict[int, int] = {}
    for place, (letter, size) in enumerate(zip(letters, meant, strict=True)):
        if size is UNKNOWN:
            continue
        if ev.facts.known_equal(shape[place].size, size):
            agreed += 1
            continue
        others = [k for k, dim in enumerate(shape) if ev.facts.known_equal(dim.size, size)]
        assert letter is not None
        if not others and letter not in asked.lengths:
            used_anew = True
        elif len(others) == 1 and not ev.facts.known_equal(meant[others[0]], size):
            if _is_telling(shape[place].size):
                moved[place] = others[0]
    swapped = {place: other for place, other in moved.items() if moved.get(other) == place}
    if len(shape) < 3 or not swapped:
        swapped = {} if used_anew or not agreed else moved
        if agreed < 2:
            swapped = {
                place: other
                for place, other in swapped.items()
                if _meant(ev, asked, letters[place], UNKNOWN, True) is not UNKNOWN
            }
        swapped = {k: other for k, other in swapped.items() if not _is_own(asked, letters[k] or "")}
    for place, other in swapped.items():
        letter, there = letters[place] or "", letters[other] or ""
        both_moved = swapped.get(other) == place
        if both_moved and asked.reading.may_exchange(asked.position, letter, there):
            continue
        if _is_said(asked, letter) and not _is_brought(asked, letter):
            return f"'{letters[place]}' is {meant[place]}, which is dim {other}, not dim {place}"
    return None


def _moved_batch(ev: Evaluator, asked: _Asked, letters: Letters, shape: Dims) -> str | None:
    """Why a letter for the batch stands at another dim; None if it may be there.

    It was the batch before, folded with something or not, and that is one other dim; or it stands
    at a width that a model is built with, and the first dim is read from data. In a pattern that
    counts through the alphabet it is not a name.
    """
    if len(shape) < 2:
        return None
    for place, letter in enumerate(letters):
        if letter is None or letter in asked.lengths or letter.lower() not in BATCH:
            continue
        size = shape[place].size
        if _is_short_for(letter, size):
            continue
        if None not in letters:
            known = [size for size, _ in _patterned(asked, letter)]
            known += _named(asked.home, letter)
            candidates = {ev.facts.representative(size) for size in known}
            others = [k for k, d in enumerate(shape) if d.size in candidates]
            if (
                len(others) == 1
                and others != [place]
                and _is_telling(shape[others[0]].size)
                and _is_said(asked, letter)
                and not _is_brought(asked, letter)
            ):
                there = others[0]
                return f"'{letter}' is {shape[there].size}, which is dim {there}, not dim {place}"
        if not place:
            continue
        first = ev.facts.representative(shape[0].size)
        if not isinstance(size, Polynomial) or not is_configured(size) or letters[0] is None:
            continue
        atom = plain_symbol(first)
        if atom is None or atom.origin is not Origin.DATA:
            continue
        return f"'{letter}' is for the batch, but dim {place} is {size}"
    return None


def _is_short_for(letter: str, size: Size) -> bool:
    """Whether a letter for the batch begins a word of a configured size: `b` for `num_blocks`."""
    return isinstance(size, Polynomial) and is_configured(size) and begins_word(letter[0], size)


__all__ = ["Letters", "Order", "Reading", "bind", "fits", "home_of"]
