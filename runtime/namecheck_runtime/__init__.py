"""Named tensors on NumPy, and the rulebook that they obey.

`import namecheck_runtime as nt; nt.randn(2, 3, names=("N", "C"))`: the surface is PyTorch's, with
names on every op.  Below it is the rulebook: one declaration per op, a pure function from dims to
dims, which the linter (`namecheck`) and the mypy plugin (`namecheck_plugin`) also ask.  Importing
this package, its rules or anything below them does not import NumPy; only tensors do.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0.dev0"

__all__ = ["__version__"]


_NAMESPACES = (
    *("nn", "linalg", "fft", "special", "autograd", "serialization", "multiprocessing"),
    *("optim", "utils", "random", "cuda", "amp", "jit", "compiler", "distributed", "backends"),
    *("fx", "overrides"),
)
"""The modules that are part of the surface."""


def __getattr__(name: str) -> Any:
    # Python calls this for `from namecheck_runtime import sizes` before it imports the module.
    if name.startswith("__") or (name in _modules() and name not in _NAMESPACES):
        raise AttributeError(name)
    if name in _NAMESPACES:
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    from namecheck_runtime.surface import find

    value = find(name)
    globals()[name] = value
    return value


def _modules() -> frozenset[str]:
    """The names of the modules of this package, which are not part of the surface."""
    if not _known:
        from os import listdir

        _known.append(frozenset(file.partition(".")[0] for file in listdir(__path__[0])))
    return _known[0]


_known: list[frozenset[str]] = []


def __dir__() -> list[str]:
    from namecheck_runtime.surface import public

    return sorted({*public(), *_NAMESPACES})
