"""What a person has set in the editor: how things are shown there, and nothing of what is found."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct, field

__all__ = ["InlayHints", "Preferences", "Section", "read_section"]


class InlayHints(Struct, frozen=True):
    """Behind what dims are shown."""

    assignments: bool = True
    parameters: bool = True
    returns: bool = True


class Preferences(Struct, frozen=True, rename="camel"):
    """The section `namecheck` of an editor's settings.

    `callers`: files that are not open are looked at for what is wrong in open ones as they call
    them. `debounce` are milliseconds without an edit after which a text is checked.
    """

    inlay_hints: InlayHints | bool = field(default_factory=InlayHints)
    hover: bool = True
    callers: bool = True
    debounce: int = 100

    @property
    def hints(self) -> InlayHints:
        """Which hints are shown."""
        if isinstance(self.inlay_hints, InlayHints):
            return self.inlay_hints
        on = self.inlay_hints
        return InlayHints(on, on, on)


class Section(NamedTuple):
    """What a section of settings says.

    `unknown` are the keys that mean nothing to the server, as paths: an extension keeps its own
    settings in the same section (`path`, `trace.server`). `faults` say which values are wrong; the
    default counts in their place.
    """

    preferences: Preferences
    unknown: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def read_section(told: Any) -> Section:
    """Reads what an editor tells, which may wrap it as it does its own."""
    for wrapper in ("namecheck", "settings"):
        if isinstance(told, dict) and wrapper in told:
            return read_section(told[wrapper])
    unknown: list[str] = []
    faults: list[str] = []
    preferences: Preferences = _read(told or {}, Preferences, "", unknown, faults)
    return Section(preferences, tuple(unknown), tuple(faults))


Kind = TypeVar("Kind")


def _read(told: Any, kind: type[Struct], path: str, unknown: list[str], faults: list[str]) -> Any:
    """A struct of those values that fit, each looked at by itself."""
    if not isinstance(told, dict):
        return _converted(told, kind, path, faults) or kind()
    fields = {one.encode_name: one for one in msgspec.structs.fields(kind)}
    values: dict[str, Any] = {}
    for key, value in told.items():
        place = f"{path}.{key}" if path else str(key)
        known = fields.get(key)
        if known is None:
            unknown.append(place)
        elif isinstance(value, dict) and known.name == "inlay_hints":
            values[known.name] = _read(value, InlayHints, place, unknown, faults)
        elif value is not None:  # null: the person has set nothing
            converted = _converted(value, known.type, place, faults)
            if converted is not None:
                values[known.name] = converted
    return kind(**values)


def _converted(told: Any, kind: type[Kind], path: str, faults: list[str]) -> Kind | None:
    """A value as a type has it; None if it does not fit, and why is among the `faults` then."""
    try:
        return msgspec.convert(told, kind)
    except msgspec.ValidationError as fault:
        where = f" - at `$.{path}`" if path else ""
        faults.append(f"settings of the editor: {fault}{where}")
        return None
