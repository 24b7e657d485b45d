"""The user's settings in the editor: how findings are shown there, not which there are."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct, field

__all__ = ["InlayHints", "Preferences", "Section", "read_section"]


class InlayHints(Struct, frozen=True):
    """Where dims are shown: after assignments, parameters and returns."""

    assignments: bool = True
    parameters: bool = True
    returns: bool = True


class Preferences(Struct, frozen=True, rename="camel"):
    """The section `namecheck` of an editor's settings.

    `callers`: closed files are analysed, too, for mistakes in open ones as these call them.
    `drives`: entry points are followed, too, with their own sizes. `workspace`: a client that asks
    for the findings of all files gets them.
    `debounce`: a text is checked after so many milliseconds without an edit.
    """

    inlay_hints: InlayHints | bool = field(default_factory=InlayHints)
    hover: bool = True
    definition: bool = True
    completion: bool = True
    callers: bool = True
    drives: bool = True
    workspace: bool = True
    debounce: int = 100

    @property
    def hints(self) -> InlayHints:
        """Which hints are shown."""
        if isinstance(self.inlay_hints, InlayHints):
            return self.inlay_hints
        on = self.inlay_hints
        return InlayHints(on, on, on)


class Section(NamedTuple):
    """The section of the editor's settings, as it was read.

    `unknown` are keys that the server does not know, as paths: an extension keeps its own settings
    in the same section (`path`, `trace.server`). `faults` say which values are wrong; their
    defaults apply.
    """

    preferences: Preferences
    unknown: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def read_section(settings: Any) -> Section:
    """Read the settings that an editor sends, which may wrap them in a section of its own."""
    for wrapper in ("namecheck", "settings"):
        if isinstance(settings, dict) and wrapper in settings:
            return read_section(settings[wrapper])
    unknown: list[str] = []
    faults: list[str] = []
    preferences: Preferences = _read(settings or {}, Preferences, "", unknown, faults)
    return Section(preferences, tuple(unknown), tuple(faults))


Kind = TypeVar("Kind")


def _read(
    settings: Any, kind: type[Struct], path: str, unknown: list[str], faults: list[str]
) -> Any:
    """A struct of the values that have the right type; the others become `faults`."""
    if not isinstance(settings, dict):
        return _converted(settings, kind, path, faults) or kind()
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    values: dict[str, Any] = {}
    for key, value in settings.items():
        place = f"{path}.{key}" if path else str(key)
        known = fields.get(key)
        if known is None:
            unknown.append(place)
        elif isinstance(value, dict) and known.name == "inlay_hints":
            values[known.name] = _read(value, InlayHints, place, unknown, faults)
        elif value is not None:  # null: not set
            converted = _converted(value, known.type, place, faults)
            if converted is not None:
                values[known.name] = converted
    return kind(**values)


def _converted(value: Any, kind: type[Kind], path: str, faults: list[str]) -> Kind | None:
    """A value as one of a type; None if it is not, and then the reason is added to `faults`."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as fault:
        where = f" - at `$.{path}`" if path else ""
        faults.append(f"settings of the editor: {fault}{where}")
        return None
