"""What the runtime raises: one class per family of mistakes, that is also the builtin class that
PyTorch raises there.

`str(error)` is PyTorch's sentence; `error.mistake` has the dims and the rule code, and our message
and hint follow as notes, which a traceback shows.
"""

from __future__ import annotations

from typing import Any

from namecheck_runtime.mistakes.base import Mistake


class TensorError(Exception):
    """Base of what the rules raise at run time."""

    mistake: Any
    """What is wrong: a `Mistake`, whose class has fields of its own for the dims involved."""

    @property
    def code(self) -> str:
        """The rule code, for `namecheck explain`."""
        return str(self.mistake.code)


class NamesError(TensorError):
    """NC1xx: names that do not fit."""


class SizesError(TensorError):
    """NC2xx: sizes that do not fit."""


class DimsError(TensorError):
    """NC3xx: dims and arguments that do not fit."""


class LayoutError(TensorError):
    """NC5xx: memory that cannot be seen or written that way."""


class LinAlgError(RuntimeError):
    """A matrix that cannot be inverted, factorized or solved with, because of its elements."""


_FAMILIES: dict[str, type[TensorError]] = {
    "NC1": NamesError,
    "NC2": SizesError,
    "NC3": DimsError,
    "NC5": LayoutError,
}
_classes: dict[tuple[type[TensorError], type[Exception]], type[TensorError]] = {}


def class_of(mistake: Mistake) -> type[TensorError]:
    """The class that a mistake is raised as: of its family, and PyTorch's builtin one."""
    family = _FAMILIES.get(mistake.code[:3], TensorError)
    builtin = mistake.exception
    found = _classes.get((family, builtin))
    if found is None:
        # Named like the builtin one: the last line of a traceback reads as PyTorch's.
        own = {"__doc__": family.__doc__, "__module__": __name__}
        found = type(builtin.__name__, (family, builtin), own)
        _classes[family, builtin] = found
    return found


def error_of(mistake: Mistake) -> TensorError:
    """The exception for a mistake, with our message and hint as notes."""
    error = class_of(mistake)(mistake.sentence())
    error.mistake = mistake
    inner: Any = mistake
    notes = []
    while inner is not None:
        notes.append(f"{inner.code}: {inner.message()}")
        inner = inner.within
    hint = mistake.hint()
    if hint:
        notes.append(f"hint: {hint}")
    for note in notes:
        error.add_note(note)
    return error
