"""Names of `torch` that programs look up, and this package does not have for its own users.

What asks or checks something works. What this package cannot do is there to be looked up, compared
and passed on, as a GPU's device is, and refuses with its name when it is used.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any, Final, NoReturn

import namecheck_runtime as nt


class Absent:
    """A dtype or a layout of PyTorch that this package does not have."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotImplementedError(f"namecheck_runtime does not have {self!r}")

    def __reduce__(self) -> str:
        raise TypeError(f"namecheck_runtime does not have {self!r}: it is not saved")


def refusal(path: str, instead: str = "") -> Callable[..., NoReturn]:
    """A function of PyTorch that raises NotImplementedError with its name when it is called."""

    def refuse(*arguments: Any, **options: Any) -> NoReturn:
        hint = f": {instead}" if instead else ""
        raise NotImplementedError(f"namecheck_runtime does not have torch.{path}{hint}")

    refuse.__name__ = path.rpartition(".")[2]
    return refuse


def refusing_class(path: str) -> type:
    """A class of PyTorch that raises NotImplementedError with its name when one is made."""
    name = path.rpartition(".")[2]
    return builtins.type(name, (), {"__init__": lambda self, *_, **__: refusal(path)()})


def _assert(condition: Any, message: str) -> None:
    """Raises AssertionError unless the condition holds.  Source: torch._assert."""
    assert condition, message


def _check(cond: Any, message: Callable[[], str] | None = None) -> None:
    """Raises RuntimeError unless the condition holds.  Source: torch._check."""
    if not cond:
        raise RuntimeError("Expected cond to be True" if message is None else message())


def _shape_as_tensor(self: nt.Tensor) -> nt.Tensor:
    """The sizes as a tensor: `[rank]`.  Source: torch._shape_as_tensor."""
    return nt.tensor(list(self.shape), dtype=nt.int64)


def typename(obj: Any, /) -> str:
    """The name of a value's type, with its module.  Source: torch.typename."""
    if isinstance(obj, nt.Tensor):
        return str(obj.type())
    kind = obj if isinstance(obj, builtins.type) else type(obj)
    module = getattr(kind, "__module__", "")
    return kind.__qualname__ if module in ("", "builtins") else f"{module}.{kind.__qualname__}"


_deterministic = [False, False]


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Nothing changes: every op gives the same numbers each time."""
    _deterministic[:] = [bool(mode), bool(warn_only)]


def are_deterministic_algorithms_enabled() -> bool:
    """What `use_deterministic_algorithms` was told; False at first."""
    return _deterministic[0]


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """What `use_deterministic_algorithms` was told; False at first."""
    return _deterministic[1]


def get_deterministic_debug_mode() -> int:
    """0, 1 or 2: nothing, warnings, errors."""
    return 0 if not _deterministic[0] else 1 if _deterministic[1] else 2


class OutOfMemoryError(RuntimeError):
    """What a GPU without memory raises; nothing here does.  Source: torch.OutOfMemoryError."""


class SymInt:
    """A size that is not known while a program is compiled; there is none here."""


class SymFloat:
    """A number that is not known while a program is compiled; there is none here."""


class SymBool:
    """A truth that is not known while a program is compiled; there is none here."""


_ABSENT: Final = (
    *("float4_e2m1fn_x2", "complex32", "chalf"),
    *("qint8", "quint8", "qint32", "quint4x2", "quint2x4"),
    *("sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged", "_mkldnn"),
)

_WRITTEN: Final = (
    *(_assert, _check, _shape_as_tensor, typename, OutOfMemoryError, SymInt, SymFloat, SymBool),
    *(use_deterministic_algorithms, are_deterministic_algorithms_enabled),
    *(is_deterministic_algorithms_warn_only_enabled, get_deterministic_debug_mode),
)

_REFUSED: Final = {
    "vmap": "call the function for each slice, and stack what it gives",
    "sparse_csr_tensor": "",
    "sparse_csc_tensor": "",
    "quantize_per_tensor": "",
}

MORE_NAMES: Final[dict[str, Any]] = {
    **{name: Absent(name) for name in _ABSENT},
    **{value.__name__: value for value in _WRITTEN},
    **{name: refusal(name, instead) for name, instead in _REFUSED.items()},
}
"""The names, and what they stand for."""
