"""One path of the program, and one function's evaluation on it.

A `Path` is what is true at a point: the variables of the running function, the cells (what was
learned of values, and what lists, dicts and instances hold), and the facts about sizes. A `Frame`
is one evaluation of one function: its variables, what it returned, and what was wrong in it. How
statements change a path is in `statements`, how a call makes a frame in `calls`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from namecheck.analysis.reading.decisions import Decided
from namecheck.analysis.state.values import (
    Anything,
    Class,
    Container,
    Deferred,
    Dict,
    Either,
    Function,
    Held,
    Instance,
    List,
    Repeated,
    Tensor,
    Tuple,
    Value,
)
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Size
from namecheck_runtime.sizes import Facts

if TYPE_CHECKING:
    from namecheck.analysis.state.program_pieces import Source

Variables: TypeAlias = dict[str, Value]


class Cells:
    """What a path holds of a value, by key.

    * `Anything` or `Tensor` -> a value: what it turned out to be.
    * `List`, `Container`, `Dict` -> contents.
    * (instance, name) -> the attribute.
    * (tensor, index) -> the size of one dim of a tensor whose rank is not known.

    Copies share a `base` that nobody writes to, so that forking and joining cost what was written
    since. `touched` (shared by all copies) holds the serial of the oldest object written to.
    `world` is what lists, dicts and instances of imported modules hold, as long as nobody on this
    path writes to them.
    """

    __slots__ = ("base", "recent", "touched", "world")

    def __init__(
        self,
        base: dict[Any, Any],
        recent: dict[Any, Any],
        touched: list[int],
        world: Mapping[Any, Any],
    ) -> None:
        self.base = base
        self.recent = recent
        self.touched = touched
        self.world = world

    def copy(self) -> Cells:
        """Cells that begin with the same contents."""
        if len(self.recent) > _MANY:
            self.base = {**self.base, **self.recent}
            self.recent = {}
        return Cells(self.base, dict(self.recent), self.touched, self.world)

    def get(self, key: Any, default: Any = None) -> Any:
        found = self.recent.get(key, ABSENT)
        if found is ABSENT:
            found = self.base.get(key, ABSENT)
        return self.world.get(key, default) if found is ABSENT else found

    def __contains__(self, key: Any) -> bool:
        return key in self.recent or key in self.base or key in self.world

    def __getitem__(self, key: Any) -> Any:
        found = self.get(key, ABSENT)
        if found is ABSENT:
            raise KeyError(key)
        return found

    def __setitem__(self, key: Any, value: Any) -> None:
        if is_row(key) and key in self:  # a new one is in nothing yet
            value = self.without_circle(key, value)
        self.recent[key] = value
        owner = key[0] if type(key) is tuple else key
        if not isinstance(owner, Tensor) and not isinstance(owner, Anything):
            if owner.serial < self.touched[0]:
                self.touched[0] = owner.serial

    def without_circle(self, held: Any, contents: Any) -> Any:
        """The contents of a list or dict; unknown ones if it would be in itself, at any depth: who
        reads what is in a list would not come to an end.
        """
        seen: set[Any] = set()
        waiting = [contents]
        while waiting:
            one = waiting.pop()
            if one is held:
                return Repeated(Anything())
            if type(one) is tuple:
                waiting.extend(one)
            elif type(one) is dict:
                waiting.extend(one.values())
            elif isinstance(one, Tuple):
                waiting.extend(one.elements)
            elif isinstance(one, Repeated):
                waiting.append(one.element)
            elif isinstance(one, Either):
                waiting.extend(one.options)
            elif is_row(one) and one not in seen:
                seen.add(one)
                waiting.append(self.get(one))
        return contents

    def forget_displays(self) -> None:
        """Nothing is known any more of what lists and dicts hold."""
        for key in (*self.base, *self.recent):
            if type(key) is List or type(key) is Dict:
                self.recent[key] = Repeated(Anything())

    def attributes(self, instance: Instance) -> dict[str, Any]:
        """What is held of an instance, by the attribute's name."""
        parts = [self.base, self.recent]
        if instance in self.world:
            parts.insert(0, {(instance, name): one for name, one in self.world[instance].items()})
        return {
            key[1]: value
            for part in parts
            for key, value in part.items()
            if type(key) is tuple and key[0] is instance
        }

    def made_since(self, serial: int, own: Value | None = None) -> dict[Any, Any]:
        """The cells of objects that are younger than `serial`, and those of `own`."""
        found: dict[Any, Any] = {}
        for part in (self.base, self.recent):
            for key, value in part.items():
                owner = key[0] if type(key) is tuple else key
                if isinstance(owner, Held) and (owner is own or owner.serial >= serial):
                    found[key] = value
        return found


ABSENT = object()
"""Stands for what is not held."""

_ALWAYS = 1_000_000
"""More often than anything is evaluated."""
_MANY = 48


def no_cells(world: Mapping[Any, Any] | None = None) -> Cells:
    """Cells that hold nothing yet."""
    return Cells({}, {}, [0], {} if world is None else world)


class Path:
    """A point of the program on one way through it; kept while another way is followed."""

    __slots__ = ("cells", "facts", "variables")

    def __init__(self, variables: Variables, cells: Cells, facts: Facts) -> None:
        self.variables: Final = variables
        self.cells: Final = cells
        self.facts: Final = facts


class Outcome(NamedTuple):
    """Something that is wrong at an expression; `report` makes a finding of it."""

    source: Any  # a `Source`: compiled, the class of a field has to be there before this one is
    node: int
    mistake: Any
    level: str
    labels: tuple[tuple[int, str], ...]
    notes: tuple[tuple[str, Any, int], ...]
    """(text, source, line)"""
    calls: int = 0
    """How many calls led there: 0 when the function is wrong by what it declares itself."""
    requires: tuple[Size, Size] | None = None
    """The two independent sizes that would have to be equal for it to be right."""


MOST_IMPORTS: Final = 20
"""Modules through which a name is followed to the line that bound it; imports may go round."""


class Frame:
    """One evaluation of a function, of a class body or of a module."""

    __slots__ = (
        "adopted",
        "again",
        "before",
        "bound_at",
        "branches",
        "chosen",
        "chosen_sizes",
        "class_body",
        "decided",
        "depth",
        "documented",
        "ends",
        "entry",
        "function",
        "generator",
        "globals_",
        "label_lines",
        "labels",
        "leading",
        "left",
        "letters",
        "line",
        "loops",
        "names",
        "orders",
        "owner",
        "parent",
        "quiet",
        "receiver",
        "returned",
        "samples",
        "seen",
        "source",
        "stars",
        "symbols",
        "turn",
        "unsure",
        "variables",
        "way",
        "ways",
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
        self.names: dict[str, Size] = {}
        """What the names in the function's annotations stand for."""
        self.labels: dict[str, Size] = {}
        """What the labels in its comments stand for, words in lower case."""
        self.label_lines: dict[str, tuple[int, str]] = {}
        """Where each label was bound: the line, and whether a comment or a docstring did it."""
        self.before: dict[str, Value] = {}
        """What the variables were that a statement with a comment above goes on with."""
        self.letters: dict[str, list[Size]] = {}
        """What the letters of its einops patterns and einsum equations stand for."""
        self.orders: dict[tuple[frozenset[str], bool], dict[tuple[str, ...], int]] = {}
        """The orders in which its patterns merge letters (True) or split them, and where first."""
        self.function = function
        self.depth = depth
        self.documented = False
        """Whether a parameter is taken for what the docstring says of it."""
        self.adopted: set[str] = set()
        """Variables of whose values a comment alone says how many dims they have."""
        self.leading: set[Size] = set()
        """Sizes whose labels stand for any number of dims in front."""
        self.variables: Variables = {}
        self.stars: tuple[Any, ...] = ()
        """The modules of which everything was imported here, in order."""
        self.returned: list[tuple[Value, Path]] = []
        self.samples: tuple[Any, ...] = ()
        """Where it has taken one element of a batch (`usage.samples`)."""
        self.loops: list[tuple[list[Path], list[Path]]] = []
        """Of each open loop: the paths that left it by `break`, and those that continue."""
        self.entry = -1
        """How many branches were open where the outermost loop began, while its first pass is run;
        -1 elsewhere.
        """
        self.seen: dict[Any, int] = {}
        """How often an expression was evaluated, or a question was asked of its value."""
        self.wrong: dict[Any, tuple[int, Any, Outcome]] = {}
        self.symbols: dict[Any, sizes.Polynomial] = {}
        self.way: tuple[tuple[int, bool], ...] = ()
        """The branches that led here, by the test and how it turned out."""
        self.ends: list[tuple[tuple[int, bool], ...]] = []
        """Of each path in `returned`, its way."""
        self.turn: tuple[int, ...] = ()
        """In loops that are run element by element: which one each of them is at."""
        self.quiet = 0
        self.branches = 0
        """How many branches of which it is not known whether they are taken are open."""
        self.chosen = 0
        """How many of those a model's configuration may decide (`evidence.configured_tests`)."""
        self.chosen_sizes: dict[Any, tuple[Value, Any]] = {}
        """What ternaries have given, by their test and by what they chose from, which is kept so
        that no other can have its identity.
        """
        self.unsure = False
        """Whether the call was made in such a branch of a function that was itself called: with
        those arguments the branch may never be taken.
        """
        self.ways = 1
        """How many ways through the function are followed apart from each other."""
        self.decided: Decided = {}
        """How tests turned out on the way that is being followed."""
        self.again = False
        """Whether what follows was run before, on another way."""
        self.left = False
        """Whether another way through the function has left it, by the configuration: what follows
        is for those who chose the other way.
        """
        self.line = 0
        """The line, in the frame's source, of the statement that is being run."""
        self.bound_at: dict[str, tuple[Any, int]] = {}
        """The piece of the file and the line on which each variable was bound last."""
        self.generator = False
        self.class_body = False
        self.globals_: frozenset[str] = frozenset()
        self.owner: Class | None = function.owner if function is not None else None
        self.receiver: Value | None = None

    def module(self) -> Frame:
        """The frame of the module that this one is in."""
        frame = self
        while frame.parent is not None:
            frame = frame.parent
        return frame

    def place_of(self, name: str) -> tuple[Any, int] | None:
        """The piece of a file and the line on which a variable was bound, if need be in the module
        that it is imported from.
        """
        frame: Frame = self
        for _ in range(MOST_IMPORTS):
            if name in frame.bound_at:
                return frame.bound_at[name]
            value = frame.variables.get(name)
            other = value.stands_for() if isinstance(value, Deferred) else None
            if other is None:
                break
            frame, name = other
        return None

    def label(self, written: str) -> str:
        """What a label in a comment of this frame is looked up under."""
        return self.source.file.terms.label(written)

    def symbol(
        self, key: Any, label: str, origin: sizes.Origin = sizes.Origin.DATA, least: int = 1
    ) -> sizes.Polynomial:
        """The symbol for a size that this frame reads at one place: the same one in every pass."""
        if self.turn:
            key = (key, self.turn)
        found = self.symbols.get(key)
        if found is None:
            found = self.symbols[key] = sizes.symbol(label, origin, least)
        return found

    def look(self, question: Any) -> None:
        """A question is asked: by the number of an expression, or of it and what is compared."""
        self.seen[question] = self.seen.get(question, 0) + 1

    def blame(self, key: Any, question: Any, outcome: Outcome) -> None:
        """Something is wrong, this time that the question was asked."""
        count = self.wrong[key][0] if key in self.wrong else 0
        # Of warnings, only those about sizes are not about what is legal.
        sure = (
            outcome.level == "error"
            or outcome.requires is not None
            or outcome.mistake.about == "sizes"
        )
        times = _ALWAYS if sure and self._begins_loop() else 1
        self.wrong[key] = (count + times, question, outcome)

    def branch(self, unknown: bool = True, chosen: bool = False) -> _Branch:
        """While a branch is run of which it may be `unknown` whether it is taken, and which the
        configuration of a model may have `chosen`.
        """
        return _Branch(self, unknown, chosen)

    def quietly(self, quiet: bool = True) -> _Quiet:
        """While something is run of which nothing is reported, if `quiet`."""
        return _Quiet(self, quiet)

    def _begins_loop(self) -> bool:
        """Whether this is run in the first round of every loop that is open: what is wrong then is
        wrong, whatever the rounds behind it make of their values.
        """
        return (
            self.entry == self.branches
            and self.ways == 1
            and not any(breaks or continues for breaks, continues in self.loops)
        )

    def certain(self) -> list[Outcome]:
        """What was wrong each time that the question was asked."""
        return [
            outcome
            for count, question, outcome in self.wrong.values()
            if count >= self.seen.get(question, 1)
        ]


class _Quiet:
    """What `Frame.quietly` gives: as `_Branch`."""

    __slots__ = ("frame", "quiet")

    def __init__(self, frame: Frame, quiet: bool) -> None:
        self.frame = frame
        self.quiet = quiet

    def __enter__(self) -> None:
        self.frame.quiet += self.quiet

    def __exit__(self, *raised: object) -> None:
        self.frame.quiet -= self.quiet


class _Branch:
    """What `Frame.branch` gives: a generator would take three times as long."""

    __slots__ = ("chosen", "frame", "unknown")

    def __init__(self, frame: Frame, unknown: bool, chosen: bool) -> None:
        self.frame = frame
        self.unknown = unknown
        self.chosen = chosen

    def __enter__(self) -> None:
        self.frame.branches += self.unknown
        self.frame.chosen += self.chosen

    def __exit__(self, *raised: object) -> None:
        self.frame.branches -= self.unknown
        self.frame.chosen -= self.chosen


def is_row(value: Any) -> bool:
    """Whether a value holds others one by one."""
    return isinstance(value, List) or isinstance(value, Dict) or isinstance(value, Container)
