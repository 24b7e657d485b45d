"""Whether a list in a comment is a shape, where its words alone do not show it.

`(k, s, p)` may be the shape of a value, or a kernel, a stride and a padding. It is a shape if the
program, or another comment of the function, uses its words as sizes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from namecheck.analysis.evidence.commented_values import is_of_shape_assigned
from namecheck.analysis.evidence.labels import label_or_variable, names
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import target_names, walk
from namecheck.analysis.state.program_pieces import LabelUses
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Shape, known_dims
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.notation.comments import Claim, read_comment
from namecheck_runtime.notation.docstrings import read_docstring
from namecheck_runtime.notation.syntax import WrittenShape, names_of
from namecheck_runtime.notation.written import plain_name

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Frame
    from namecheck.analysis.state.program_pieces import Source


def is_used(ev: Evaluator, written: WrittenShape, shape: Shape = UNKNOWN) -> bool:
    """Whether at least half of the words of a list are sizes elsewhere in the function.

    `shape` is what is known of the value that it may be the shape of.
    """
    words = _words(written)
    uses = _uses(ev)
    used = 0
    for word in words:
        key = ev.frame.label(word)
        used += _is_size(ev, word, shape) or key in uses.read or _is_in_another(uses, key, words)
    return used * 2 >= len(words)


def is_known(ev: Evaluator, written: WrittenShape, shape: Shape) -> bool:
    """Whether each word of a list is known as a size, or as a dim of a value of this shape."""
    return all(_is_size(ev, word, shape) for word in _words(written))


def leaves_dims_out(ev: Evaluator, written: WrittenShape) -> bool:
    """Whether a list begins behind the variadic dims of a parameter: `(b, c)` of "*s b c"."""
    first = plain_name(written.dims[0])
    if first is None:
        return False
    frame = ev.frame
    behind = frame.written.behind_many
    if behind is None:
        behind = frame.written.behind_many = _behind_many(frame)
    return first in behind


def _behind_many(frame: Frame) -> frozenset[str]:
    """The names of dims right behind the variadic dims of the running function's parameters."""
    function = frame.function
    if function is None or not isinstance(function.record, ir.FunctionDef):
        return frozenset()
    found: set[str] = set()
    for parameter in function.record.parameters:
        if parameter.annotation is not None:
            for record in walk(parameter.annotation):
                if isinstance(record, ir.Str):
                    found.update(_BEHIND_MANY.findall(record.value))
    return frozenset(found)


_BEHIND_MANY: Final = regex(r"(?:\*\w+|\.\.\.)\s+(\w+)")


def _words(written: WrittenShape) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for dim in written.dims for name in names_of(dim.term)))


def _is_size(ev: Evaluator, word: str, shape: Shape) -> bool:
    return (
        word in ev.frame.written.names
        or label_or_variable(ev, word) is not UNKNOWN
        or any(names(ev, word, dim.size) for dim in known_dims(shape))
        or _is_product(ev, word, shape)
    )


def _is_product(ev: Evaluator, word: str, shape: Shape) -> bool:
    """Whether a word has the letters of the sizes whose product a dim is: `BK` beside `B*K`."""
    if len(word) < 2 or not word.isalpha():
        return False
    factors = [label_or_variable(ev, letter) for letter in word]
    if UNKNOWN in factors:
        return False
    product = sizes.product(factors)
    return any(ev.facts.known_equal(product, dim.size) for dim in known_dims(shape))


def _is_in_another(uses: LabelUses, key: str, words: tuple[str, ...]) -> bool:
    """Whether another list of the function has a label.

    A list of some of the words says nothing new: of the columns `(h, r, t)` a line may take
    `(h, t)`.
    """
    mine = set(words)
    return any(
        shown or not (mine.issuperset(others) or mine.issubset(others))
        for shown, others in uses.lists.get(key, ())
    )


def _uses(ev: Evaluator) -> LabelUses:
    """Where the current function uses labels, or the module outside of functions."""
    source, function = ev.frame.source, ev.frame.function
    record = None if function is None else function.record
    number, records = -1, source.chunk.statements
    if isinstance(record, ir.FunctionDef):
        number, records = record.id, (record,)
    uses = source.label_uses.get(number)
    if uses is None:
        uses = source.label_uses[number] = LabelUses()
        for statement in _statements(records):
            for claim in _claims(source, statement):
                for written in (*claim.alternatives, *claim.before):
                    words = _words(written)
                    for word in words:
                        uses.lists.setdefault(ev.frame.label(word), set()).add(
                            (claim.evident, words)
                        )
            uses.read.update(map(ev.frame.label, _read_off(statement)))
    return uses


def _statements(records: Iterable[ir.Record]) -> Iterator[ir.Statement]:
    for record in records:
        for inner in walk(record):
            if isinstance(inner, ir.Statement):
                yield inner


def _claims(source: Source, statement: ir.Statement) -> Iterator[Claim]:
    """The claims of the comments of a statement, and of the docstring of a function."""
    for comment in source.comments.get(statement.id, ()):
        yield from read_comment(comment.text)
    if isinstance(statement, ir.FunctionDef):
        match statement.body[:1]:
            case (ir.ExpressionStatement(ir.Str(text)),):
                for _, claim in read_docstring(text):
                    yield claim


def _read_off(statement: ir.Statement) -> list[str]:
    """The names that a statement gives to sizes of a tensor: `b, n, c = x.shape`."""
    match statement:
        case ir.Assign(targets) if is_of_shape_assigned(statement):
            return [name for target in targets for name in target_names(target)]
    return []
