"""One comment of a file that has the channels in front of the batch (NC402).

The dims of a value are often unknown where a comment says what they are. But who writes `(B, C, H,
W)` in every other comment of a file does not mean `(C, B, H, W)`, unless the program turns the
value there. A dim of time or of queries may well come first, as the layers of recurrent nets and of
attention take it; channels, widths and numbers of classes in front of a batch are weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.objects.twin_code import op_named
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.independence import BATCH
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.mistakes.claims import CommentSlip
from namecheck_runtime.notation.comments import read_comment
from namecheck_runtime.notation.syntax import render_term

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.program_pieces import Source
    from namecheck_runtime.notation.comments import Claim
    from namecheck_runtime.notation.syntax import WrittenShape

Labels = tuple[str, ...]

_WIDTH: Final = regex(
    r"c|f|ch|cin|cout|\w*channels?|\w*feat(?:ure)?s?|\w*hidden\w*|\w+dim|\w*embed\w*|(?!batch)\w+_size"
    r"|(?:num_|n_)?classes|\w*vocab\w*|width|height|[cd]_\w+"
)
"""Labels for channels, features and the like."""

_FEWEST: Final = 2
"""The comments with the batch in front that it takes to show what a file means."""

_NEAR: Final = 2
"""How many lines from a comment on its own line an op may be that turns the value it is about."""

_SMALL: Final = 8
"""Numbers below this may be of layers, directions, or heads."""

_OF_IMAGES: Final = (["h", "w"], ["height", "width"])

_BLOCKS: Final = (ir.FunctionDef, ir.ClassDef, ir.If, ir.For, ir.While, ir.With, ir.Try, ir.Match)

_TURNS: Final = frozenset({"moves", "contraction"})


def check(ev: Evaluator, statement: ir.Statement) -> None:
    """Blame a comment of a statement if it alone has the batch behind a width."""
    source = ev.frame.source
    if not ev.alive or ev.by_defaults or ev.frame.depth:
        return
    if isinstance(statement, ir.Assign) and isinstance(statement.targets[-1], ir.Tuple):
        return  # a comment may be about one of several
    for comment in source.comments.get(statement.id, ()):
        for claim in read_comment(comment.text):
            odd = [labels for labels in _shapes(claim) if _is_turned(labels)]
            if not odd:
                continue
            question = (statement.id, "batch", comment.line)
            ev.frame.look(question)
            if _is_alone(source, odd[0]) and not _is_moved(ev, statement, comment, claim):
                mistake = CommentSlip(
                    found=UNKNOWN,
                    claimed=f"({', '.join(odd[0])})",
                    reason="the batch is the first dim in the other comments of this file",
                )
                ev.blame(mistake, mistake.level, _blamed(statement), {}, question=question)


def _blamed(statement: ir.Statement) -> ir.Node:
    """The node that other mistakes of a comment are at, so that each is reported once."""
    if isinstance(statement, ir.Assign) and len(statement.targets) == 1:
        return statement.targets[0]
    return statement


def _shapes(claim: Claim) -> Iterator[Labels]:
    """The shapes of a claim, each as the labels of its dims."""
    if claim.confidence != "prose" or claim.before:
        for shape in (*claim.before, *claim.alternatives):
            labels = _labels(shape)
            if len(labels) > 1:
                yield labels


def _labels(shape: WrittenShape) -> Labels:
    if any(dim.many or dim.term is None for dim in shape.dims):
        return ()
    return tuple([render_term(dim.term) for dim in shape.dims if dim.term is not None])


def _places(labels: Labels) -> list[int]:
    return [place for place, label in enumerate(labels) if label.lower() in BATCH]


def _is_turned(labels: Labels) -> bool:
    """Whether a shape has a width in front of the batch."""
    first = labels[0].lower()
    if _places(labels) != [1]:
        return False
    if not first.isdecimal() and first in [label.lower() for label in labels[1:]]:
        return False
    return int(first) >= _SMALL if first.isdecimal() else _WIDTH.fullmatch(first) is not None


def _is_alone(source: Source, odd: Labels) -> bool:
    """Whether all other comments have the batch in front, and the same width behind it."""
    first, others = 0, 0
    width = odd[0].lower()
    words = [label.lower() for label in odd]
    behind = len(words) > 3 and words[-2:] in _OF_IMAGES
    lines = {comment.line: comment for listed in source.comments.values() for comment in listed}
    for comment in lines.values():
        for claim in read_comment(comment.text):
            for labels in _shapes(claim):
                places = _places(labels)
                if places == [0]:
                    first += 1
                    words = [label.lower() for label in labels[1:]]
                    behind = (
                        behind
                        or width in words
                        or (width.isdecimal() and any(word.isdecimal() for word in words))
                    )
                elif len(places) == 1:
                    others += 1
    return first >= _FEWEST and others == 1 and behind


def _is_moved(ev: Evaluator, statement: ir.Statement, comment: ir.Comment, claim: Claim) -> bool:
    """Whether the value of a comment may be turned: the comment or an op beside it shows that."""
    shapes = [sorted(labels) for labels in _shapes(claim)]
    if comment.place != "trailing" and any(shapes.count(shape) > 1 for shape in shapes):
        return True
    function = ev.frame.function
    near: list[ir.Record] = [statement]
    if comment.place != "trailing" and function is not None:
        near += [
            one
            for one in walk(function.record)
            if isinstance(one, ir.Statement) and abs(one.line - comment.line) <= _NEAR
        ]
    return any(_turns(one) for one in near if not isinstance(one, _BLOCKS))


def _turns(statement: ir.Record) -> bool:
    """Whether a statement may put another dim in front of the batch."""
    in_place = set()
    for record in walk(statement):
        match record:
            case ir.Call(ir.Attribute(), positional) if _keeps_first(positional):
                in_place.add(record.function.id)
            case ir.Attribute(_, name):
                op = op_named(name)
                if op is not None and op.effect in _TURNS and record.id not in in_place:
                    return True
            case ir.Binary(_, "@"):
                return True
    return False


def _keeps_first(arguments: Sequence[ir.Expression]) -> bool:
    """Whether arguments of an op that moves dims leave the first in place: `(0, 2, 1)`, `(1, 2)`.

    Or they are the sizes of a view with the batch in front.
    """
    match arguments:
        case [ir.Name(name), _, *_]:
            return name.lower() in BATCH
        case [ir.Subscript(ir.Attribute(ir.Name()), ir.Int(0)), _, *_]:
            return True
    numbers = [one.value for one in arguments if isinstance(one, ir.Int)]
    if not numbers or len(numbers) < len(arguments):
        return False
    return 0 not in numbers or (numbers[0] == 0 and len(numbers) > 2)


__all__ = ["check"]
