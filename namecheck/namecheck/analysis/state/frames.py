"""One evaluation of a function, of a class body or of a module.

A `Frame` holds the variables of the evaluation, what it has returned, and what is wrong in it. What
belongs together in it has an object: `Written`, `Flow` and `Ways`. `python/functions.py` says how a
call makes a frame.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.decisions import Decided
from namecheck.analysis.state.paths import Branch, Flow, Path, Variables
from namecheck.analysis.state.values import (
    CONSTRUCTORS,
    Claimed,
    Class,
    Deferred,
    Dict,
    Function,
    Value,
)
from namecheck.terms import folded
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Size

if TYPE_CHECKING:
    from namecheck.analysis.state.program_pieces import Source

MOST_IMPORTS: Final = 20
"""Modules through which a name is followed to the line that bound it; imports may be circular."""

ALWAYS: Final = 1_000_000
"""A count above the number of times that any expression is evaluated."""


CALLED: Final = "called with these arguments"
"""The note on a call that shows a mistake of its callee."""

CALL_NOTES: Final = ("called with ", "driven by ")
"""How the notes on such calls begin."""


class Outcome(NamedTuple):
    """A mistake at an expression; `runs/findings_of.py` makes a finding of it."""

    source: Any  # a `Source`: mypyc needs the class of a field before the class that has the field
    node: int
    mistake: Any
    level: str
    labels: tuple[tuple[int, str], ...]
    notes: tuple[tuple[str, Any, int], ...]
    """(text, source, line)"""
    calls: int = 0
    """How many calls led to it: 0 if the function is wrong by its own declarations."""
    requires: tuple[Size, Size] | None = None
    """The two independent sizes that would have to be equal for the expression to be right."""
    roots: tuple[Claimed, ...] = ()
    """What was written about the operands themselves: if it contradicts several uses, it is wrong.
    """
    is_claimed: bool = False
    """Whether it rests on comments or docstrings that its notes cite."""
    names_labels: bool = False
    """Whether it shows sizes by labels of comments or docstrings; its notes say where those are."""
    driver: tuple[Any, int] | None = None
    """The statement of a drive that led to it by a call: its source and line (`runs/drives.py`)."""
    unit: tuple[int, Any, int, str] | None = None
    """What was evaluated by itself when it was found: the round, the piece of the file, the line,
    and its name (`state/values/uses.py`). None for what the statements of the file show.
    """


class Above(NamedTuple):
    """The value that a comment may be about if it is not about the statement below it."""

    value: Any
    node: Any
    """The place in the program where the value was made."""
    name: str
    """The variable that holds it."""


class Awaited(NamedTuple):
    """A comment above several statements that give one variable a value after another, or of which
    a later one has the op that the comment announces.
    """

    statement: int
    """The number of the statement that goes on with the variable, or may have the op."""
    name: str
    """The variable; "" of an announced op."""
    comment: Any
    claim: Any
    left: int = 0
    """How many statements may still follow, if the comment names the operands of an op."""


class Hearsay:
    """What comments, docstrings and annotations have to do with an evaluation."""

    __slots__ = (
        "as_passed",
        "has_come",
        "has_declared",
        "has_lent",
        "hinted",
        "left_out",
        "undeclared",
    )

    def __init__(self) -> None:
        self.left_out = False
        """Whether nothing that they say is believed or checked (`runs/by_code_alone.py`)."""
        self.has_come = False
        """Whether one was compared with a value, or said what it is."""
        self.undeclared = False
        """Whether annotations give no dims either."""
        self.has_declared = False
        """Whether an annotation gave a value its dims."""
        self.as_passed = False
        """Whether an argument is only what is passed, whatever its parameter is annotated with."""
        self.has_lent = False
        """Whether the annotation of a parameter said more of an argument."""
        self.hinted = False
        """Whether a mistake depends on a rank that one of them gives."""


class HeldTest(NamedTuple):
    """A test whose result is kept: `single = t == 1`."""

    expression: ir.Expression
    variables: Variables
    """The values that the names in it had."""
    contents: tuple[tuple[Any, Any], ...]
    """What the lists and dicts among these held, and the attributes of instances that it reads; the
    versions of instances that it reads otherwise.
    """


class Written:
    """The words for sizes in the text of a function: annotations, comments, docstring, patterns."""

    __slots__ = (
        "above",
        "adopted",
        "any_rank",
        "awaited",
        "before",
        "behind_many",
        "borrowed",
        "decided",
        "documented",
        "given",
        "label_lines",
        "labels",
        "leading",
        "lent_letters",
        "letters",
        "lines",
        "misfit",
        "names",
        "operands",
        "orders",
        "read_above",
        "scales",
        "size_read",
        "stated",
    )

    def __init__(self) -> None:
        self.names: dict[str, Size] = {}
        """The sizes that the names in the annotations stand for."""
        self.labels: dict[str, Size] = {}
        """The sizes that the labels in comments stand for, words in lower case."""
        self.label_lines: dict[str, tuple[int, str]] = {}
        """Where each label was bound: the line, and whether a comment or a docstring did it."""
        self.leading: set[Size] = set()
        """Sizes whose labels stand for any number of leading dims."""
        self.adopted: set[str] = set()
        """Variables whose values have their rank from a comment alone."""
        self.given: set[Value] = set()
        """The values that have their rank from a comment about them."""
        self.borrowed = False
        """Whether a call gave a value whose rank a comment in the called function says."""
        self.any_rank: frozenset[str] | None = None
        """Variables for whose number of dims the function is written; None before it was asked."""
        self.behind_many: frozenset[str] | None = None
        """The names of dims right behind variadic ones in annotations; None before a look."""
        self.documented = False
        """Whether a parameter has its shape from the docstring."""
        self.misfit = False
        """Whether an argument of this call does not fit what its parameter declares."""
        self.above: dict[int, Above | None] = {}
        """By line, what is above a comment that may be about two; None if it is about that."""
        self.awaited: Awaited | None = None
        """The comment that fits nothing yet and may be about what the next statement makes."""
        self.stated: dict[str, Any] = {}
        """By variable, what the comment at the end of the last line that assigned it claims."""
        self.lines: list[Any] = []
        """The last lines whose comments claim a shape."""
        self.size_read: tuple[Any, int] = None, 0
        """The last size of a tensor that a variable was given by itself, and the line of that."""
        self.operands: dict[str, tuple[Value, int]] = {}
        """The values of the variables that the statement with comments reads which is being run,
        and the line on which each was bound last.
        """
        self.before: dict[str, Value] = {}
        """The old values of variables that the statement below a comment rebinds."""
        self.read_above: dict[int, bool] = {}
        """By line of a comment above that cannot be about both: is it about the result?"""
        self.letters: dict[str, dict[Size, list[int]]] = {}
        """The sizes that the letters of einops patterns and einsum equations stand for, each with
        the numbers of the calls that said so.
        """
        self.lent_letters: dict[str, dict[tuple[Size, int], None]] = {}
        """Those of sizes that are called otherwise, with the number of the call that used them."""
        self.orders: dict[tuple[frozenset[str], bool], dict[tuple[str, ...], list[int]]] = {}
        """The orders in which patterns merge letters (True) or split them, and the numbers of the
        calls that do.
        """
        self.decided: dict[int, Decided] = {}
        """How the tests before each call with a pattern turned out."""
        self.scales: list[tuple[Size, int, Any]] = []
        """The sizes whose roots scaled a tensor wrongly, as it seems: with the number of the
        expression that scales, and the question that was answered so.
        """


class BranchLabels:
    """The labels of comments where a function branches.

    What the comments of one branch call a size that the program has, they do not call so in the
    other: `(B, H, W, C)` behind a permutation says nothing where nothing is permuted. A label that
    comments alone gave a size may mean the same in both.
    """

    def __init__(self, written: Written) -> None:
        self._written = written
        self._before = dict(written.labels)
        self._lines = dict(written.label_lines)
        self._first = self._before
        self._first_lines = self._lines

    def turn(self) -> None:
        """The first branch was run, and the second is about to be."""
        written = self._written
        self._first, self._first_lines = written.labels, written.label_lines
        if self._first == self._before:
            return
        kept = {
            n for n, size in self._first.items() if any(a.comments for a in sizes.symbols(size))
        }
        written.labels, written.label_lines = dict(self._before), dict(self._lines)
        for name in kept:
            written.labels[name] = self._first[name]
            if name in self._first_lines:
                written.label_lines[name] = self._first_lines[name]

    def join(self, first: bool, second: bool) -> None:
        """The second branch was run; the flags say which of the two goes on."""
        written = self._written
        if written.labels is self._first or not first:
            return
        for name, size in self._first.items():
            now = written.labels.get(name)
            if not second or now is None or now == self._before.get(name):
                written.labels[name] = size
                if name in self._first_lines:
                    written.label_lines[name] = self._first_lines[name]
            elif now != size and size != self._before.get(name):
                del written.labels[name]  # it names another size on each way


class Ways:
    """The ways through a function that are followed separately from each other."""

    __slots__ = (
        "again",
        "bound",
        "called_under_tests",
        "chosen",
        "count",
        "current",
        "decided",
        "ends",
        "tests",
    )

    def __init__(self) -> None:
        self.count = 1
        self.current: tuple[tuple[int, bool], ...] = ()
        """The branches that led here: each test, and how it turned out."""
        self.ends: list[tuple[tuple[int, bool], ...]] = []
        """The way of each path in `Frame.returned`."""
        self.decided: Decided = {}
        """How tests turned out on the current way, as long as they turn out so again."""
        self.tests: Decided = {}
        """How the tests before the current statement turned out (`python/alternatives.py`)."""
        self.chosen: dict[Value, Decided] = {}
        """Layers that only some ways have made, with how tests turned out there."""
        self.bound: dict[str, tuple[Value, Decided]] = {}
        """Variables that only some ways have bound, with their values and how tests turned out."""
        self.called_under_tests = False
        """Whether tests in a caller lead to the call that is evaluated."""
        self.again = False
        """Whether the statements that follow were run before, on another way."""


class Frame:
    """One evaluation of a function, of a class body or of a module."""

    __slots__ = (
        "bound_at",
        "builds",
        "class_body",
        "depth",
        "flow",
        "function",
        "generator",
        "given",
        "globals_",
        "lent",
        "line",
        "may_agree",
        "normalised",
        "ones",
        "owner",
        "parent",
        "presumptions",
        "quiet",
        "receiver",
        "returned",
        "samples",
        "seen",
        "shared",
        "source",
        "stars",
        "symbols",
        "tests",
        "variables",
        "views",
        "watched",
        "ways",
        "written",
        "wrong",
    )

    def __init__(
        self,
        source: Source,
        parent: Frame | None = None,
        function: Function | None = None,
        depth: int = 0,
    ) -> None:
        self.source = source
        self.parent = parent
        self.function = function
        self.owner: Class | None = function.owner if function is not None else None
        self.receiver: Value | None = None
        self.depth = depth
        self.builds = function is not None and function.name in CONSTRUCTORS
        """Whether the program is building an object: there it has no batch of data yet."""
        self.generator = False
        self.given: Variables = {}
        """The values of the parameters of a call in a drive, for the notes on it."""
        self.class_body = False
        self.written = Written()
        self.flow = Flow()
        self.ways = Ways()
        self.variables: Variables = {}
        self.globals_: frozenset[str] = frozenset()
        self.shared: dict[str, tuple[Dict, Value]] = {}  # names of the module that functions assign
        self.stars: tuple[Any, ...] = ()
        """The modules from which everything was imported here, in order."""
        self.bound_at: dict[str, tuple[Any, int]] = {}
        """The piece of the file and the line on which each variable was bound last."""
        self.line = 0
        """The line, in the frame's source, of the statement that is being run."""
        self.lent: set[Value] = set()
        """The tensors that the function has given to a library for its effect (`calls.lend`)."""
        self.normalised: set[int] = set()  # softmaxes over one dim: the numbers of the calls
        self.ones: set[str] = set()
        """The variables that were given a size of a tensor that is known to be 1."""
        self.returned: list[tuple[Value, Path]] = []
        self.samples: tuple[Any, ...] = ()
        """Where the function has taken one element of a batch (`usage/samples.py`)."""
        self.symbols: dict[Any, sizes.Polynomial] = {}
        """The symbols of the sizes that the function reads, by place."""
        self.tests: dict[Value, HeldTest] = {}
        """The tests whose results the function keeps in variables and attributes, by result."""
        self.watched: dict[int, Value] | None = None
        """The values of the expressions in the statement with comments that is being run, by their
        numbers; None if nothing asks for them.
        """
        self.quiet = 0
        """How many reasons there are to report nothing."""
        self.seen: dict[Any, int] = {}
        """How often an expression was evaluated, or a question was asked of its value."""
        self.wrong: dict[Any, tuple[int, Any, Outcome]] = {}
        """By key: how often an answer was wrong, the question, and the latest outcome."""
        self.views: dict[Value, Any] = {}
        """Tensors that come from views, with these (`usage/undone_views.py`)."""
        self.may_agree: set[frozenset[Size]] = set()
        """Pairs of sizes of which the program asks whether one is the other: `n in (1, b)`."""
        self.presumptions: dict[Any, tuple[Size, Size]] = {}
        """By key of a wrong answer: the two sizes that are only presumed to differ."""

    def module(self) -> Frame:
        """The frame of the module that this one is in."""
        frame = self
        while frame.parent is not None:
            frame = frame.parent
        return frame

    def place_of(self, name: str) -> tuple[Any, int] | None:
        """The piece of a file and the line on which a variable was bound.

        An imported variable is followed to the module that bound it.
        """
        frame: Frame = self
        for _ in range(MOST_IMPORTS):
            if name in frame.bound_at:
                return frame.bound_at[name]
            value = frame.variables.get(name)
            original = value.stands_for() if isinstance(value, Deferred) else None
            if original is None:
                break
            frame, name = original
        return None

    def label(self, written: str) -> str:
        """The key under which `Written.labels` has a label that a comment of this frame wrote."""
        terms = self.source.file.terms
        return terms.label(written) if terms.labels else folded(written)

    def symbol(
        self, key: Any, label: str, origin: sizes.Origin = sizes.Origin.DATA, least: int = 1
    ) -> sizes.Polynomial:
        """The symbol for a size that this frame reads at one place: the same one in every pass."""
        turn = self.flow.turn
        if turn:
            key = (key, turn)
        symbol = self.symbols.get(key)
        if symbol is None:
            symbol = self.symbols[key] = sizes.symbol(label, origin, least)
        return symbol

    def look(self, question: Any) -> None:
        """Count a question, if not quiet: an expression's number, perhaps with sizes to compare."""
        if not self.quiet:
            self.seen[question] = self.seen.get(question, 0) + 1

    def count(self, question: Any) -> int:
        """How often a question was counted."""
        return self.seen.get(question, 0)

    def look_once(self, question: Any, before: int) -> None:
        """Count an evaluation that asked no rule, as that of an unknown value.

        The program may be right then. `before` is the count at the beginning of the evaluation.
        """
        if not self.quiet and self.seen.get(question, 0) == before:
            self.seen[question] = before + 1

    def blame(self, key: Any, question: Any, outcome: Outcome) -> None:
        """Count a wrong answer to a question that `look` has counted."""
        count = self.wrong[key][0] if key in self.wrong else 0
        # Of warnings, only those about sizes are not about what is legal.
        sure = (
            outcome.level == "error"
            or outcome.requires is not None
            or outcome.mistake.about == "sizes"
        )
        times = ALWAYS if sure and self._begins_loops() else 1
        self.wrong[key] = (count + times, question, outcome)

    def withdraw(self, pairs: Collection[tuple[Size, Size]]) -> None:
        """Forget the wrong answers that rest on the presumption that two sizes differ."""
        for key, pair in list(self.presumptions.items()):
            if pair in pairs or pair[::-1] in pairs:
                self.wrong.pop(key, None)
                del self.presumptions[key]

    def branch(self, unknown: bool = True, configured: bool = False, free: bool = False) -> Branch:
        """A `with` block around the run of a branch.

        `unknown` says that the program may not take it, `configured` that the configuration of a
        model may have chosen it, `free` that no size decides it.
        """
        return Branch(self.flow, unknown, configured, free)

    def quietly(self, quiet: bool = True) -> _Quiet:
        """A `with` block in which nothing is reported, if `quiet`."""
        return _Quiet(self, quiet)

    def _begins_loops(self) -> bool:
        """Whether the program is sure to get here in the first round of every open loop.

        A mistake is certain then, whatever the later rounds do to their values.
        """
        one_way = not self.ways.current if self.flow.driven else self.ways.count == 1
        return one_way and self.flow.begins_loops()

    def certain(self) -> list[Outcome]:
        """The outcomes of the questions that were answered wrong each time."""
        return [
            outcome
            for count, question, outcome in self.wrong.values()
            if count >= self.seen.get(question, 1)
        ]


class _Quiet:
    """The `with` block of `Frame.quietly`: a class for the reason that `Branch` is one."""

    __slots__ = ("frame", "quiet")

    def __init__(self, frame: Frame, quiet: bool) -> None:
        self.frame = frame
        self.quiet = quiet

    def __enter__(self) -> None:
        self.frame.quiet += self.quiet

    def __exit__(self, *raised: object) -> None:
        self.frame.quiet -= self.quiet
