"""Names of a module that its functions assign: `global _model; _model = build()`.

Elsewhere such a name is not known, since a function may have assigned it. A drive knows which
functions it has run: it keeps in cells, on each path, what they have assigned. Before that a test
finds what the code of its own module has assigned; another entry point may come later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.values import Anything, Dict, Value

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def note(frame: Frame, name: str, value: Value) -> None:
    """Keep what the code of a module itself assigns to a name that functions assign, too."""
    holder = frame.shared[name][0] if name in frame.shared else Dict()
    frame.shared[name] = holder, value


def declare(frame: Frame, name: str) -> None:
    """Let a function have a name of its module: `global name`."""
    shared = frame.module().shared.get(name)
    if shared is not None:
        frame.shared[name] = shared


def assign(ev: Evaluator, name: str, value: Value) -> None:
    """Assign such a name, in a function; outside of drives it is not known from then on."""
    shared = ev.frame.shared.get(name)
    if shared is not None:
        key = shared[0], name
        ev.reach.assigned.add(key)
        ev.cells[key] = value if ev.reach.driven else Anything()


def find(ev: Evaluator, frame: Frame, name: str, otherwise: Value) -> Value:
    """The value of a name of a frame, in a drive also of one that functions assign."""
    shared = frame.shared.get(name) if ev.reach.driven else None
    if shared is None:
        return otherwise
    holder, first = shared
    is_first = ev.units.finds_tables and frame.module() is ev.module
    value: Value = ev.cells.get((holder, name), first if is_first else otherwise)
    return value


def forget(ev: Evaluator) -> None:
    """Forget what functions have assigned: code that is not followed may have called some.

    It gets them as arguments, or has got them before, by decorators and in registries.
    """
    if not ev.reach.driven:
        return
    for name, (holder, _) in ev.module.shared.items():
        ev.cells[holder, name] = Anything()
    for key in ev.reach.assigned:
        ev.cells[key] = Anything()
