"""Named tensors on NumPy, and the rulebook that they obey.

`import namecheck_runtime as nt; nt.randn(2, 3, names=("N", "C"))`: the surface is PyTorch's, with
names on every op.  Below it lies the rulebook: one declaration per op, a pure function from dims to
dims, which the linter (`namecheck`) and the mypy plugin (`namecheck_plugin`) read too.  Importing
this package, its rules or anything below them imports no NumPy; tensors are made on first use.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0.dev0"

__all__ = ["__version__"]


_NAMESPACES = ("nn", "linalg", "fft", "special")
"""The modules that are part of the surface."""


def __getattr__(name: str) -> Any:
    # `from namecheck_runtime import sizes` comes here before the module is imported.
    if name.startswith("__") or (name in _modules() and name not in _NAMESPACES):
        raise AttributeError(name)
    if name in _NAMESPACES:
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    from namecheck_runtime.surface import find

    found = find(name)
    globals()[name] = found
    return found


def _modules() -> frozenset[str]:
    """The names of this package's modules, which are no part of the surface."""
    if not _known:
        from os import listdir

        _known.append(frozenset(one.partition(".")[0] for one in listdir(__path__[0])))
    return _known[0]


_known: list[frozenset[str]] = []


def __dir__() -> list[str]:
    from namecheck_runtime.surface import public

    return sorted({*public(), *_NAMESPACES})
