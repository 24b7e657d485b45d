"""Our named tuples behave like those of `typing`, and take less work to create."""

from __future__ import annotations

import copy
import pickle
import typing
from typing import Any

import pytest

from namecheck_runtime.light.records import NamedTuple


class Ours(NamedTuple):
    """A point."""

    x: int
    y: int = 2
    z: tuple[int, ...] = ()
    """Where else."""

    @property
    def both(self) -> int:
        return self.x + self.y


class Theirs(typing.NamedTuple):
    """A point."""

    x: int
    y: int = 2
    z: tuple[int, ...] = ()

    @property
    def both(self) -> int:
        return self.x + self.y


ASKED = {
    "made": lambda cls: (cls(1), cls(1, 3), cls(y=4, x=2), cls(*(1, 2, 3))),
    "text": lambda cls: repr(cls(1, z=(1,))).replace(cls.__name__, ""),
    "compared": lambda cls: (cls(1) == (1, 2, ()), hash(cls(1)), cls(1) < cls(2)),
    "read": lambda cls: (cls(1).x, cls(1).z, cls(1).both, cls(1)[1], len(cls(1)), [*cls(1)]),
    "changed": lambda cls: (cls(1)._replace(z=(3,)), cls(1)._asdict(), cls._make([3, 4, 5])),
    "told": lambda cls: (cls._fields, cls.__match_args__, cls.__doc__, cls._field_defaults),
    "copied": lambda cls: (copy.deepcopy(cls(1)), copy.copy(cls(1)), pickle.dumps(cls(1))[:0]),
    "pickled": lambda cls: pickle.loads(pickle.dumps(cls(1, z=(2,)))),
    "its own": lambda cls: type(cls(1)._replace(x=2)) is cls and hasattr(cls(1), "__dict__"),
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_it_behaves_like_typings(ask: Any) -> None:
    assert ask(Ours) == ask(Theirs)


WRONG = {
    "too few": lambda cls: cls(),
    "too many": lambda cls: cls(1, 2, 3, 4),
    "unknown": lambda cls: cls(1, w=2),
    "twice": lambda cls: cls(1, x=2),
    "no such field": lambda cls: cls(1)._replace(w=2),
    "set": lambda cls: setattr(cls(1), "x", 2),
    "added": lambda cls: setattr(cls(1), "w", 2),
}


@pytest.mark.parametrize("ask", WRONG.values(), ids=WRONG)
def test_it_raises_like_typings(ask: Any) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError)) as theirs:
        ask(Theirs)
    with pytest.raises(theirs.type):
        ask(Ours)
