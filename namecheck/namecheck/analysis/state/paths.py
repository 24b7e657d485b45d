"""One path of the program: what is true at a point of it.

A `Path` holds the variables of the running function, the cells (what the walk has learned of
values, and what lists, dicts and instances hold), and the facts about sizes. `python/statements.py`
says how statements change a path.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from namecheck.analysis.state.values import (
    Anything,
    Container,
    Dict,
    Either,
    Entries,
    Held,
    Instance,
    List,
    Repeated,
    Set,
    Tensor,
    Tuple,
    Value,
)
from namecheck_runtime.sizes import Facts

if TYPE_CHECKING:
    pass

Variables: TypeAlias = dict[str, Value]


class Cells:
    """The facts of a path about values, by key.

    * `Anything` or `Tensor` -> the value that it turned out to be.
    * `List`, `Container`, `Dict` -> contents.
    * (instance, name) -> the attribute.
    * (tensor, index) -> the size of one dim of a tensor of unknown rank.

    Copies share a `base` that is never written to, so that forking and joining cost only what was
    written since. `touched` (shared by all copies) holds the serial of the oldest object written
    to. `world` has the contents of lists, dicts and instances of imported modules, until this path
    writes to them. `changed` are the tensors that the path has given other dims in place: what
    stands in their cells has not always been true of them. None is ever removed.
    """

    __slots__ = ("base", "changed", "recent", "touched", "world")

    def __init__(
        self,
        base: dict[Any, Any],
        recent: dict[Any, Any],
        touched: list[int],
        world: Mapping[Any, Any],
        changed: tuple[Value, ...] = (),
    ) -> None:
        self.base = base
        self.changed = changed
        self.recent = recent
        self.touched = touched
        self.world = world

    def copy(self) -> Cells:
        """A copy of these cells."""
        if len(self.recent) > _MANY:
            self.base = {**self.base, **self.recent}
            self.recent = {}
        return Cells(self.base, dict(self.recent), self.touched, self.world, self.changed)

    def get(self, key: Any, default: Any = None) -> Any:
        value = self.recent.get(key, ABSENT)
        if value is ABSENT:
            value = self.base.get(key, ABSENT)
        if value is not ABSENT:
            return value
        return self.world.get(key, default) if self.world else default

    def __contains__(self, key: Any) -> bool:
        return key in self.recent or key in self.base or key in self.world

    def __getitem__(self, key: Any) -> Any:
        value = self.get(key, ABSENT)
        if value is ABSENT:
            raise KeyError(key)
        return value

    def __setitem__(self, key: Any, value: Any) -> None:
        if is_row(key) and key in self:  # no value can hold a new one yet
            value = self.without_circle(key, value)
        self.recent[key] = value
        owner = key[0] if type(key) is tuple else key
        if not isinstance(owner, Tensor) and not isinstance(owner, Anything):
            if owner.serial < self.touched[0]:
                self.touched[0] = owner.serial

    def note_changed(self, tensor: Value) -> None:
        """Note that a tensor gets other dims in place, under every value that stands for it."""
        changed: dict[Value, None] = dict.fromkeys((*self.changed, tensor))
        count = 0
        while count < len(changed):
            count = len(changed)
            for part in (self.base, self.recent):
                for key, value in part.items():
                    if type(value) is Tensor or type(value) is Anything:
                        if value in changed and (type(key) is Tensor or type(key) is Anything):
                            changed[key] = None
        self.changed = tuple(changed)

    def without_circle(self, holder: Any, contents: Any) -> Any:
        """The contents of a list or dict; unknown ones if it would hold itself, at any depth.

        A reader of such a list would not come to an end.
        """
        seen: set[Any] = set()
        waiting = [contents]
        while waiting:
            value = waiting.pop()
            if value is holder:
                return Repeated(Anything())
            if type(value) is tuple:
                waiting.extend(value)
            elif type(value) is dict:
                waiting.extend(value.values())
            elif isinstance(value, Tuple):
                waiting.extend(value.elements)
            elif isinstance(value, Repeated):
                waiting.append(value.element)
                if isinstance(value, Entries):
                    waiting.extend(value.certain.values())
            elif isinstance(value, Either):
                waiting.extend(value.options)
            elif is_row(value) and value not in seen:
                seen.add(value)
                waiting.append(self.get(value))
        return contents

    def forget_displays(self) -> None:
        """Make the contents of all lists and dicts unknown."""
        for key in (*self.base, *self.recent):
            if type(key) is List or type(key) is Dict or type(key) is Set:
                self.recent[key] = Repeated(Anything())

    def attributes(self, instance: Instance) -> dict[str, Any]:
        """The attributes of an instance by name."""
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
        """The cells of `own` and of objects that are younger than `serial`."""
        cells: dict[Any, Any] = {}
        for part in (self.base, self.recent):
            for key, value in part.items():
                owner = key[0] if type(key) is tuple else key
                if isinstance(owner, Held) and (owner is own or owner.serial >= serial):
                    cells[key] = value
        return cells


ABSENT: Final = object()
"""The value of a key that the cells do not have."""

_MANY: Final = 48


def no_cells(world: Mapping[Any, Any] | None = None) -> Cells:
    """Empty cells."""
    return Cells({}, {}, [0], {} if world is None else world)


class Path:
    """The state at a point of the program; kept while the walk follows another way."""

    __slots__ = ("cells", "facts", "variables")

    def __init__(self, variables: Variables, cells: Cells, facts: Facts) -> None:
        self.variables: Final = variables
        self.cells: Final = cells
        self.facts: Final = facts


def is_row(value: Any) -> bool:
    """Whether a value is a list, a dict or a container of layers."""
    return isinstance(value, List) or isinstance(value, Dict) or isinstance(value, Container)


class Arms:
    """The open branches of a drive that are not decided, and what goes wrong in each of them.

    Kept are the mistakes that the statements of a branch are sure to make once the program takes
    it: not those of a branch inside it, or of a loop that may have no rounds.
    """

    __slots__ = ("_open", "options")

    def __init__(self) -> None:
        self._open: list[tuple[int, int, list[Any]]] = []
        self.options = 0
        """How many open branches are calls of one of several things that an expression may be.

        In those a mistake is never one of the function by itself.
        """

    def begin(self, branches: int, rounds: int) -> None:
        """Begin a branch, in which so many branches and loops are open."""
        self._open.append((branches, rounds, []))

    def end(self) -> list[Any]:
        """End the innermost branch, and give its mistakes."""
        return self._open.pop()[2]

    def innermost(self, branches: int, rounds: int) -> list[Any] | None:
        """The mistakes of the innermost branch; None where more branches or loops are open."""
        if not self._open or self._open[-1][:2] != (branches, rounds):
            return None
        return self._open[-1][2]


class Flow:
    """Where in the control flow of its function a frame is."""

    __slots__ = (
        "arms",
        "branches",
        "configured",
        "doubtful",
        "driven",
        "entry",
        "free",
        "left",
        "loops",
        "rounds",
        "ternaries",
        "turn",
        "unsure",
    )

    def __init__(self) -> None:
        self.branches = 0
        """How many open branches may or may not be taken, as far as the checker knows."""
        self.configured = 0
        """How many of those a model's configuration may decide (`evidence/configured_tests.py`)."""
        self.unsure = False
        """Whether the call was made in an uncertain branch of a function that was itself called:
        with those arguments the program may never take that branch.
        """
        self.free = 0
        """How many of those branches no size decides (`asking/free_tests.py`)."""
        self.doubtful = False
        """As `unsure`, but only of branches that are not free."""
        self.left = False
        """Whether another way has left the function by the model's configuration: the statements
        that follow are for users who chose otherwise.
        """
        self.ternaries: dict[Any, tuple[Value, Any]] = {}
        """The results of ternaries by their test and the identities of their choices. The choices
        are kept too: no other object can then have the identity of one of them.
        """
        self.loops: list[tuple[list[Path], list[Path]]] = []
        """Of each open loop: the paths that left it by `break`, and those that continue."""
        self.entry = -1
        """How many branches were open where the outermost loop began, while its first pass is run;
        -1 elsewhere.
        """
        self.turn: tuple[int, ...] = ()
        """The index of the current element in each loop that is run element by element."""
        self.driven = False
        """Whether the frame belongs to a drive, in which statements run as often as in the program.
        """
        self.arms = Arms()
        self.rounds = 0
        """How many open loops are in a round that stands for several, or that may not be run."""

    def arm(self) -> list[Any] | None:
        """Where the mistakes of the innermost branch are kept, if a mistake here is one of them."""
        if not self.driven or self.unsure or any(any(left) for left in self.loops):
            return None
        return self.arms.innermost(self.branches, self.rounds)

    def begins_loops(self) -> bool:
        """Whether every open loop is in its first round, which the program is sure to reach.

        In a drive that may be any round, as long as each is run by itself.
        """
        sure = not self.branches and not self.rounds if self.driven else self.entry == self.branches
        return sure and not any(breaks or continues for breaks, continues in self.loops)


class Branch:
    """The `with` block of `Frame.branch`: a generator would take three times as long."""

    __slots__ = ("configured", "flow", "free", "unknown")

    def __init__(self, flow: Flow, unknown: bool, configured: bool, free: bool) -> None:
        self.flow = flow
        self.free = free
        self.unknown = unknown
        self.configured = configured

    def __enter__(self) -> None:
        self.flow.branches += self.unknown
        self.flow.free += self.free
        self.flow.configured += self.configured

    def __exit__(self, *raised: object) -> None:
        self.flow.branches -= self.unknown
        self.flow.free -= self.free
        self.flow.configured -= self.configured
