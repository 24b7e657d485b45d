"""The exceptions of the runtime: one class per family of mistakes and builtin exception.

Each is also the builtin class that PyTorch raises there. `str(error)` is PyTorch's sentence;
`error.mistake` has the dims and the rule code. Our message and hint are notes of the exception,
which a traceback shows.
"""

from __future__ import annotations

from typing import Any

from namecheck_runtime.mistakes.base import Mistake


class TensorError(Exception):
    """The base of all mistakes of rules as exceptions."""

    mistake: Any
    """The `Mistake`; its class has fields for the dims involved."""

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
    """NC5xx: memory that cannot be viewed or written that way."""


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
    """The class of the exception for a mistake: a subclass of its family's and of PyTorch's."""
    family = _FAMILIES.get(mistake.code[:3], TensorError)
    builtin = mistake.exception
    error = _classes.get((family, builtin))
    if error is None:
        # Named like the builtin class, so that the last line of a traceback is that of PyTorch.
        members = {"__doc__": family.__doc__, "__module__": __name__}
        error = type(builtin.__name__, (family, builtin), members)
        _classes[family, builtin] = error
    return error


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
