"""One path of the program, and one function's evaluation on it.

A `Path` is what is true at a point: the variables of the running function, the cells (what was
learned of values, and what lists, dicts and instances hold), and the facts about sizes. A `Frame`
is one evaluation of one function: its variables, what it returned, and what was wrong in it. How
statements change a path is in `statements`, how a call makes a frame in `calls`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
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
    Layer,
    List,
    Number,
    Repeated,
    Tensor,
    Tuple,
    Value,
    join,
    same,
)
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Size
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
        found = self.recent.get(key, _ABSENT)
        if found is _ABSENT:
            found = self.base.get(key, _ABSENT)
        return self.world.get(key, default) if found is _ABSENT else found

    def __contains__(self, key: Any) -> bool:
        return key in self.recent or key in self.base or key in self.world

    def __getitem__(self, key: Any) -> Any:
        found = self.get(key, _ABSENT)
        if found is _ABSENT:
            raise KeyError(key)
        return found

    def __setitem__(self, key: Any, value: Any) -> None:
        if _is_row(key) and key in self:  # a new one is in nothing yet
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
            elif _is_row(one) and one not in seen:
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


_ABSENT = object()
_ALWAYS = 1_000_000
"""More often than anything is evaluated."""
_MANY = 48
_DEEPEST = 24


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


def copy(path: Path) -> Path:
    """A path that starts where this one stands."""
    return Path(dict(path.variables), path.cells.copy(), path.facts.copy())


def resolve(value: Value, cells: Cells) -> Value:
    """What a value has turned out to be."""
    recent, base = cells.recent, cells.base
    while type(value) is Anything or type(value) is Tensor:
        if value in recent:
            value = recent[value]
        elif value in base:
            value = base[value]
        else:
            break
    return value


def _is_row(value: Any) -> bool:
    """Whether a value holds others one by one."""
    return isinstance(value, List) or isinstance(value, Dict) or isinstance(value, Container)


def join_paths(left: Path | None, right: Path | None) -> Path | None:
    """What holds where two paths meet; None is a path that does not get there."""
    if left is None or right is None:
        return left if right is None else right
    if left is right:
        return left
    return Path(
        _join_variables(left, right),
        _join_cells(left, right),
        left.facts if left.facts is right.facts else left.facts.join(right.facts),
    )


def _join_variables(left: Path, right: Path) -> Variables:
    mine, theirs = left.variables, right.variables
    joined = dict(mine)
    for name in [name for name, value in mine.items() if theirs.get(name) is not value]:
        value, other = mine[name], theirs.get(name)
        if other is None:
            # Where the name is used it is bound, so this path was taken.
            joined[name] = resolve(value, left.cells)
        else:
            both = join(resolve(value, left.cells), resolve(other, right.cells))
            joined[name] = _called(name, both)
    for name in [name for name in theirs if name not in mine]:
        joined[name] = resolve(theirs[name], right.cells)
    return joined


def _called(name: str, value: Value) -> Value:
    """A value made by a join: as a size it is called like the variable that holds it."""
    if type(value) is Anything and value.config and not value.label:
        value.label = name
    return value


def _join_cells(left: Path, right: Path) -> Cells:
    mine, theirs = left.cells, right.cells
    if mine is theirs:
        return mine
    if mine.base is theirs.base:
        base, ours, others = mine.base, mine.recent, theirs.recent
    else:
        base = {}
        ours, others = {**mine.base, **mine.recent}, {**theirs.base, **theirs.recent}
    world, recent = mine.world, dict(ours)
    joined = Cells(base, recent, mine.touched, world)
    rows: list[Any] = []
    for key in [key for key, value in ours.items() if others.get(key, _ABSENT) is not value]:
        if _is_row(key):
            rows.append(key)
        other = others.get(key, _ABSENT)
        if other is _ABSENT:
            other = base.get(key, _ABSENT)
            if other is _ABSENT and world:
                other = world.get(key, _ABSENT)
        if other is recent[key]:
            continue
        if other is not _ABSENT:
            recent[key] = _join_cell(key, recent[key], other)
        elif _is_learned(key):
            del recent[key]
    for key in [key for key in others if key not in ours]:
        if _is_row(key):
            rows.append(key)
        value = base.get(key, _ABSENT)
        if value is _ABSENT and world:
            value = world.get(key, _ABSENT)
        if value is not _ABSENT:
            recent[key] = _join_cell(key, value, others[key])
        elif not _is_learned(key):
            recent[key] = others[key]
    for key in rows:  # one path may have put `a` into `b`, the other `b` into `a`
        if key in recent:
            recent[key] = joined.without_circle(key, recent[key])
    return joined


def _join_cell(key: Any, left: Any, right: Any) -> Any:
    joined = join_contents(left, right)
    if isinstance(joined, Anything) and type(key) is tuple and type(key[1]) is str:
        return _called(key[1], joined)
    return joined


def _is_learned(key: Any) -> bool:
    """Whether the cell says something that holds only where it was learned, as what was assigned to
    a field of a config does not.
    """
    if type(key) is tuple:
        return isinstance(key[0], (Anything, Tensor)) and type(key[1]) is not str
    return isinstance(key, (Anything, Tensor))


def join_contents(left: Any, right: Any) -> Any:
    """What holds of two cells under one key."""
    if isinstance(left, Value) and isinstance(right, Value):
        return join(left, right)
    if isinstance(left, dict) and isinstance(right, dict):
        if left.keys() == right.keys():
            return {key: join(left[key], right[key]) for key in left}
        # Which keys there are is not known, but what is under them.
        return Repeated(join_all((*left.values(), *right.values())))
    for mine, other in ((left, right), (right, left)):
        if isinstance(mine, dict) and isinstance(other, Repeated):
            return Repeated(join_all((*mine.values(), other.element)))
    if isinstance(left, tuple) and isinstance(right, tuple):
        if len(left) == len(right):
            return tuple(map(join, left, right))
        return Repeated(join_all((*left, *right)))
    if isinstance(left, (tuple, Repeated)) and isinstance(right, (tuple, Repeated)):
        if left == ():
            return Repeated(element_of(right))
        if right == ():
            return Repeated(element_of(left))
        return Repeated(join(element_of(left), element_of(right)))
    return left if left == right else Repeated(Anything())


def element_of(contents: Any) -> Value:
    """What any one element of a sequence's contents is."""
    if isinstance(contents, Repeated):
        return contents.element
    return join_all(contents) if isinstance(contents, tuple) and contents else Anything()


def alike(left: Any, right: Any, cells: Cells, depth: int = 0) -> bool:
    """Whether two values say the same though each was made by itself, as the layers of two rounds
    of a loop: built of the same class, with the same sizes.
    """
    if depth > _DEEPEST:  # instances may hold each other
        return False
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(
            alike(mine, other, cells, depth + 1) for mine, other in zip(left, right, strict=True)
        )
    if not isinstance(left, Value) or not isinstance(right, Value):
        return bool(left == right)
    left, right = resolve(left, cells), resolve(right, cells)
    match left, right:
        case Layer(), Layer():
            return left.path == right.path and bool(left.instance == right.instance)
        case Container(), Container():
            return left.kind == right.kind and alike(
                cells.get(left), cells.get(right), cells, depth + 1
            )
        case Instance(), Instance() if left is not right:
            if left.cls is not right.cls:
                return False
            if left.pending is not None and right.pending is not None:
                return _made_alike(left.pending, right.pending, cells)
            mine, others = cells.attributes(left), cells.attributes(right)
            return mine.keys() == others.keys() and all(
                alike(mine[name], others[name], cells, depth + 1) for name in mine
            )
    return same(left, right)


def _made_alike(left: Any, right: Any, cells: Cells) -> bool:
    """Whether two modules are made with the same arguments."""
    (mine, named), (others, also) = left, right
    if named is None or also is None:
        return False  # who knows with which keywords
    if len(mine) != len(others) or named.keys() != also.keys():
        return False
    pairs = [(a.value, b.value) for a, b in zip(mine, others, strict=True)]
    pairs += [(named[name].value, also[name].value) for name in named]
    return all(_same_argument(a, b, cells) for a, b in pairs)


def _same_argument(left: Value, right: Value, cells: Cells) -> bool:
    left, right = resolve(left, cells), resolve(right, cells)
    if isinstance(left, Anything) and isinstance(right, Anything) and left is not right:
        # `rates[i]`: nothing is known of either, so nothing can be computed with them.
        return not left.sized and not right.sized and not left.config and not right.config
    if isinstance(left, Number) and isinstance(right, Number) and left.kind == right.kind:
        return left.kind != "int" or left.size == right.size
    return alike(left, right, cells)


def join_all(values: Any) -> Value:
    """What holds of a value that is one of several."""
    joined: Value | None = None
    for value in values:
        joined = value if joined is None else join(joined, value)
    return Anything() if joined is None else joined


def same_path(
    left: Path, right: Path, read: frozenset[str] | None = None, unread: Collection[Any] = ()
) -> bool:
    """Whether nothing was learned or forgotten between two paths, as far as loops care: of the
    variables that are `read`, None: of any, and of all cells but those `unread`.
    """
    # A variable that the body binds anew was not there to be read before: nothing came of it.
    for name, mine in left.variables.items():
        other = right.variables.get(name)
        if other is mine or (read is not None and name not in read):
            continue
        if other is None or not _as_unknown(left, right, mine, other):
            return False
    before, after = left.cells, right.cells
    keys = before.recent.keys() | after.recent.keys()
    if before.base is not after.base:
        keys = keys | before.base.keys()
    for key in keys:
        old, new = before.get(key, _ABSENT), after.get(key, _ABSENT)
        if old is _ABSENT or new is old:
            continue
        if key not in unread and not _same_contents(left, right, old, new):
            return False
    return True


def _as_unknown(left: Path, right: Path, mine: Value, other: Value) -> bool:
    """Whether two values say the same; of two that are unknown nothing must have been used."""
    if type(mine) is Anything and type(other) is Anything and mine.maybe is other.maybe:
        return mine.unused and mine not in left.cells and mine not in right.cells
    if type(mine) is Number and type(other) is Number and mine.size is other.size is UNKNOWN:
        return mine.kind == other.kind
    if type(mine) is Repeated and type(other) is Repeated:
        return _as_unknown(left, right, mine.element, other.element)
    return same(mine, other)


def _same_contents(left: Path, right: Path, mine: Any, other: Any) -> bool:
    if isinstance(mine, Value) and isinstance(other, Value):
        return _as_unknown(left, right, mine, other)
    if isinstance(mine, tuple) and isinstance(other, tuple):
        return len(mine) == len(other) and all(map(same, mine, other))
    return bool(mine == other)
