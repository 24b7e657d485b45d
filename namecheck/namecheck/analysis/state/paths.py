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
    Held,
    Instance,
    List,
    Repeated,
    Tensor,
    Tuple,
    Value,
)
from namecheck_runtime.sizes import Facts

if TYPE_CHECKING:
    pass

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


def is_row(value: Any) -> bool:
    """Whether a value holds others one by one."""
    return isinstance(value, List) or isinstance(value, Dict) or isinstance(value, Container)
