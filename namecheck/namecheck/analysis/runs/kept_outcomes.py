"""What the evaluation of a file leaves for the next one: after an edit, only what has used an
edited function or class is evaluated again.

A function or class is evaluated by itself, and what is found then depends on what it uses: which
functions it calls, by calls of calls, and which classes it builds or derives from. The evaluation
records that (`state/values/uses.py`). What is found elsewhere is kept. It is put together with what
is found now before findings are made of it, since several outcomes may become one finding.

Some things are read off the whole file: which names stand for sizes, which attributes are assigned
from outside, how classes are built. After an edit that changes one of these, more is evaluated, or
all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from namecheck.analysis.objects.module_parts import is_in_definitions
from namecheck.analysis.reading import assigned_attributes, ir
from namecheck.analysis.reading.changed_contents import changed_contents
from namecheck.analysis.state.values import CONSTRUCTORS, Class, Function
from namecheck.analysis.state.values.uses import ALONE, CLASS, Uses
from namecheck.text.chunks import SourceChunk, defined_name, unchanged
from namecheck.text.edited_methods import edited_methods, heading
from namecheck_runtime.light.regexes import regex

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Outcome
    from namecheck.analysis.state.program_pieces import Source, SourceFile

Named: TypeAlias = "tuple[str, str]"
"""What uses and is used, by names: that which the chunk defines, and that of a function in it."""

__all__ = ["Evaluated", "Kept", "Left", "begin", "put_together"]


class Kept:
    """Holds the `last` evaluation of a file from one to the next; None before the first."""

    def __init__(self) -> None:
        self.last: Evaluated | None = None
        self.is_hasty = False
        """Whether only what was edited is to be evaluated now, and not what has used it. False once
        all is evaluated for want of an earlier evaluation.
        """

    def rests_on(self, edited: Collection[str]) -> bool:
        """Whether the last evaluation has used one of these other files, by their real paths."""
        last = self.last
        if last is None:
            return False
        own = last.pieces[0].file.real
        return any(path in edited for path, _ in last.used if path != own)


class Left:
    """What an evaluation leaves to that of an edited text: `outcomes`, and the calls that built a
    layer which is `fitting`. Some definitions, in chunks that begin on these `lines`, are evaluated
    again.
    """

    def __init__(
        self,
        concerned: Concerned,
        names: Mapping[Source, str],
        outcomes: Sequence[Outcome],
        fitting: Set[tuple[Any, int]],
    ) -> None:
        """`names` are those of the pieces of the edited file."""
        self.outcomes: Final = outcomes
        self.fitting: Final = fitting
        self._concerned = concerned
        self._names = names
        changed = concerned.names | {n for n, unit in concerned.users if unit.startswith(ALONE)}
        self.lines: Final = frozenset(piece.line for piece in names if names[piece] in changed)

    def is_wanted(self, defined: Class | Function) -> bool:
        """Whether a definition is evaluated by itself again."""
        unit = ALONE if isinstance(defined, Class) else ALONE + defined.name
        name = self._names.get(defined.source)
        return name is None or self._concerned.has(name, unit)


class Concerned(NamedTuple):
    """What an edit concerns: all that has these `names`, and what has used something edited."""

    names: set[str]
    users: set[Named]

    def has(self, name: str, unit: str) -> bool:
        """Whether the edit concerns an evaluation by itself."""
        return name in self.names or (name, unit) in self.users


class Evaluated:
    """An evaluation of a file: its outcomes, and what has used what.

    Functions are known by the name that their chunk defines, and their own.
    """

    def __init__(
        self,
        ev: Evaluator,
        uses: Uses,
        chunks: Sequence[SourceChunk],
        pieces: Sequence[Source],
        before: Evaluated | None,
    ) -> None:
        """The evaluation that has just ended. It has left out what is as it was `before`."""
        self.chunks: Final = chunks
        self.pieces: Final = pieces
        self.outcomes: Final = tuple(ev.found)
        self.fitting: Final = frozenset(ev.origins.fitting)
        self.used: Final = frozenset(ev.used)
        names = [defined_name(chunk) for chunk in chunks]
        self.names: Final[Mapping[Any, str]] = {None: "", **dict(zip(pieces, names, strict=True))}
        self.edges: Final[dict[Named, set[Named]]] = {}
        self.seconds: Final[dict[Named, float]] = {}
        self.sized: Final = {self.names[piece] for piece in uses.sized if piece in self.names}
        if before is not None:
            self.sized.update(before.sized)
            self.seconds.update(before.seconds)
            self.edges.update({user: set(used) for user, used in before.edges.items()})
        for (piece, function), used in uses.edges.items():
            known = self.edges.setdefault((self.names[piece], function), set())
            known.update([(self.names[place], name) for place, name in used])
        spent: dict[Named, float] = {}
        for (piece, function), seconds in uses.seconds.items():
            unit = self.names[piece], function
            spent[unit] = spent.get(unit, 0.0) + seconds
        self.seconds.update(spent)

    def takes(self, chunks: Sequence[SourceChunk]) -> tuple[float, float]:
        """The seconds that the evaluation of what is edited takes, and that of all that the edit
        concerns, as far as the names tell. The text has as many chunks as before.
        """
        head, tail = unchanged(self.chunks, chunks)
        edited = {defined_name(chunk) for chunk in chunks[head : len(chunks) - tail]}
        changed: set[Named] = set()
        for place in range(head, len(chunks) - tail):
            functions = edited_methods(self.chunks[place], chunks[place])
            name = defined_name(chunks[place])
            if functions is None:
                changed |= self._in({name})
            else:
                changed |= {(name, function) for function in functions}
        users = self._users(changed)
        spent = [(name, self.seconds.get((name, unit), 0.0)) for name, unit in users]
        return sum(s for name, s in spent if name in edited), sum(s for _, s in spent)

    def left(
        self, chunks: Sequence[SourceChunk], pieces: Sequence[Source], is_hasty: bool
    ) -> Left | None:
        """What this evaluation leaves to that of an edited text; None if nothing.

        To one that `is_hasty` it also leaves what has used the edited code.
        """
        if not is_in_definitions(self.chunks, chunks):
            return None
        head, tail = unchanged(self.chunks, chunks)
        edited = range(head, len(chunks) - tail)
        concerned = self._concerned(chunks, pieces, edited, is_hasty)
        if concerned is None:
            return None
        there = {self.pieces[n]: pieces[n] for n in range(len(chunks)) if n not in edited}
        here = self.pieces[0].file
        moved: list[Outcome] = []
        for outcome in self.outcomes:
            if outcome.unit is not None:
                unit = self.names[outcome.unit[1]], outcome.unit[3]
                now = None if concerned.has(*unit) else _moved(outcome, there, here)
                if now is None:
                    concerned.users.add(unit)  # it cites what has been edited
                else:
                    moved.append(now)
        names = dict(zip(pieces, map(defined_name, chunks), strict=True))
        left = [
            one for one in moved if one.unit and not concerned.has(names[one.unit[1]], one.unit[3])
        ]
        fitting = {(there[piece], node) for piece, node in self.fitting if piece in there}
        return Left(concerned, names, left, fitting)

    def _concerned(
        self,
        chunks: Sequence[SourceChunk],
        pieces: Sequence[Source],
        edited: range,
        is_hasty: bool,
    ) -> Concerned | None:
        """What an edit of some chunks concerns, or what `is_hasty` looks at of it; None if that may
        be everything.
        """
        before, now = self.pieces[0].file, pieces[0].file
        if before.assigned_outside() != now.assigned_outside():
            return None
        changed: set[Named] = set()
        names: set[str] = set()
        for place in edited:
            name = defined_name(chunks[place])
            if not name:
                continue  # the statements say what they said before
            pair = self.pieces[place], pieces[place]
            functions = _edited_functions(
                self.chunks[place], chunks[place], *map(_defined_in, pair)
            )
            if functions is not None:
                changed |= {(name, function) for function in functions}
                continue
            names.add(name)
            if heading(self.chunks[place]) == heading(chunks[place]):
                changed |= self._in(self._bases_of(name))
            elif isinstance(_defined_in(pair[1]), ir.FunctionDef):
                changed |= self._in({name})
            else:
                return None  # it may have other bases
        if is_hasty:
            units = {(name, ALONE + function) for name, function in changed}
            units |= {(name, ALONE) for name, function in changed if function in CONSTRUCTORS}
            return Concerned(names, units)
        changed |= {("", name) for name in _names_of_other_sizes(before, now)}
        changed |= self._in(self.sized)
        users = self._users(changed)
        users |= {(name, ALONE) for name in self._mentioned_otherwise(chunks, edited)}
        return Concerned(names, users)

    def _in(self, names: Set[str]) -> set[Named]:
        """All that is known of what chunks with these names define."""
        nodes = {*self.edges, *[node for used in self.edges.values() for node in used]}
        return {(name, CLASS) for name in names} | {node for node in nodes if node[0] in names}

    def _bases_of(self, name: str) -> set[str]:
        """The name of a class, and those of the classes of the file that it may derive from."""
        found = {name}
        waiting = [name]
        while waiting:
            for base, function in self.edges.get((waiting.pop(), CLASS), ()):
                if function == CLASS and base and base not in found:
                    found.add(base)
                    waiting.append(base)
        return found

    def _users(self, changed: Set[Named]) -> set[Named]:
        """What has used something of this, by uses of uses, and all of it."""
        users: dict[Named, list[Named]] = {}
        for user, used in self.edges.items():
            for node in used:
                users.setdefault(node, []).append(user)
        found = set(changed)
        waiting = list(changed)
        while waiting:
            for user in users.get(waiting.pop(), ()):
                if user not in found:
                    found.add(user)
                    waiting.append(user)
        return found

    def _mentioned_otherwise(self, chunks: Sequence[SourceChunk], edited: range) -> set[str]:
        """The definitions on whose mentions in the file an edit may have changed something: how a
        class is called says whether its defaults are used.
        """
        known = {defined_name(chunk) for chunk in chunks} - {""}
        names: set[str] = set()
        for place in edited:
            lines = Counter(_lines_of(self.chunks[place]))
            lines.subtract(_lines_of(chunks[place]))
            other = [line for line, count in lines.items() if count]
            names.update(known.intersection(_NAME.findall("\n".join(other))))
        return names


def _lines_of(chunk: SourceChunk) -> Iterable[str]:
    return [line.strip() for line in chunk.layout.lines]


def _defined_in(piece: Source) -> ir.Statement:
    """The definition of a piece of a file that is one."""
    return piece.chunk.statements[0]


def _edited_functions(
    before: SourceChunk, now: SourceChunk, old: ir.Statement, new: ir.Statement
) -> Set[str] | None:
    """The functions in which an edit of a definition has changed what only their callers see.

    None if it may have changed more.
    """
    functions = edited_methods(before, now)
    if isinstance(old, ir.FunctionDef) and isinstance(new, ir.FunctionDef):
        return functions
    if not isinstance(old, ir.ClassDef) or not isinstance(new, ir.ClassDef):
        return None
    if functions is None or any(read(old) != read(new) for read in _READINGS):
        return None
    return functions


_READINGS: Final[Sequence[Callable[[ir.ClassDef], object]]] = (
    assigned_attributes.rebound_attributes,
    assigned_attributes.spelled_in_body,
    assigned_attributes.annotated_in_body,
    assigned_attributes.changed_attributes,
    assigned_attributes.replaced_attributes,
    assigned_attributes.called_back_attributes,
    changed_contents,
)
"""What is read off the text of a class when it is made, and counts wherever it is used."""

_NAME: Final = regex(r"[^\W\d]\w*")


def _names_of_other_sizes(before: SourceFile, now: SourceFile) -> Set[str]:
    """The names that a file uses otherwise than before, as one size or as several."""
    old, new = before.sizes_used(), now.sizes_used()
    return (old.numbers ^ new.numbers) | (old.sequences ^ new.sequences)


def _moved(outcome: Outcome, there: Mapping[Any, Source], here: SourceFile) -> Outcome | None:
    """An outcome in the pieces of an edited file; None if it cites a piece that has been edited."""
    cited = [outcome.source, *[source for _, source, _ in outcome.notes]]
    cited += [root.source for root in outcome.roots]
    for source in cited:
        if source not in there and source.file.real == here.real:
            return None
    assert outcome.unit is not None
    stage, piece, line, name = outcome.unit
    if piece not in there:
        return None
    return outcome._replace(
        source=there.get(outcome.source, outcome.source),
        notes=tuple([(text, there.get(piece, piece), n) for text, piece, n in outcome.notes]),
        roots=tuple([r._replace(source=there.get(r.source, r.source)) for r in outcome.roots]),
        unit=(stage, there[piece], line, name),
    )


def begin(
    kept: Kept, ev: Evaluator, chunks: Sequence[SourceChunk], pieces: Sequence[Source]
) -> Left | None:
    """Begin an evaluation whose outcomes are kept. Returns what the last one leaves to it."""
    uses = ev.units.uses = Uses(pieces[0].file)
    left = None if kept.last is None else kept.last.left(chunks, pieces, kept.is_hasty)
    if left is not None:
        uses.wanted = left.is_wanted
    return left


def put_together(
    kept: Kept,
    left: Left | None,
    ev: Evaluator,
    chunks: Sequence[SourceChunk],
    pieces: Sequence[Source],
    is_incomplete: bool,
) -> None:
    """Add what an earlier evaluation has `left` to what was found, and keep all for the next one.

    What `is_incomplete`, since something failed or was too large, is not kept.
    """
    uses, before = ev.units.uses, kept.last
    if left is not None and before is not None:
        ev.found = _in_order([*left.outcomes, *ev.found], pieces)
        ev.origins.fitting |= left.fitting
        ev.used |= before.used
    kept.is_hasty = kept.is_hasty and left is not None
    if kept.is_hasty or uses is None:
        return
    kept.last = None
    if not is_incomplete and not ev.limits:
        kept.last = Evaluated(ev, uses, chunks, pieces, None if left is None else before)


def _in_order(outcomes: Iterable[Outcome], pieces: Sequence[Source]) -> list[Outcome]:
    """Outcomes of several evaluations in the order in which one evaluation finds them."""
    places = {piece: place for place, piece in enumerate(pieces)}

    def order(outcome: Outcome) -> tuple[int, int, int]:
        if outcome.unit is None:
            return 0, 0, 0
        stage, piece, line, _ = outcome.unit
        return stage, places[piece], line

    return sorted(outcomes, key=order)
