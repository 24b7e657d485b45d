"""Programs of PyTorch on this package, with no line changed.

`python -m namecheck_runtime.as_torch program.py` runs one; `namecheck_runtime.as_torch.install()`
does the same for the imports that follow: `import torch` is then this package.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

import namecheck_runtime as nt
from namecheck_runtime.as_torch.more_names import MORE_NAMES
from namecheck_runtime.as_torch.stand_ins import STAND_INS, VERSION

ROOTS: Final = frozenset(
    (
        *("nn", "optim", "utils", "autograd", "fx", "fft", "linalg", "special", "random"),
        *("cuda", "amp", "jit", "compiler", "distributed", "backends"),
        *("multiprocessing", "distributions", "sparse", "overrides"),
    )
)
"""The modules of PyTorch whose counterparts have the same path here, if they are here."""

_DISTRIBUTIONS: Final = {
    "location_scale": ("normal", "laplace", "cauchy", "studentT", "von_mises"),
    "continuous": ("uniform", "exponential", "gamma", "chi2", "dirichlet", "beta"),
    "vectors": ("multivariate_normal", "lowrank_multivariate_normal"),
    "discrete": ("bernoulli", "categorical", "one_hot_categorical"),
    "counts": ("poisson", "geometric", "binomial", "negative_binomial", "multinomial"),
    "relaxed": ("relaxed_bernoulli", "relaxed_categorical", "continuous_bernoulli"),
    "transformed": (
        *("log_normal", "gumbel", "half_normal", "half_cauchy", "weibull"),
        *("pareto", "inverse_gamma", "kumaraswamy"),
    ),
    "composite": ("independent", "transformed_distribution", "mixture_same_family"),
    "distribution": ("exp_family",),
}
"""PyTorch's modules of distributions, each by the module here that has its own."""

ALIASES: Final = {
    "amp.autocast_mode": "amp",
    "amp.grad_scaler": "amp",
    "cuda.amp.autocast_mode": "cuda.amp",
    "cuda.amp.grad_scaler": "cuda.amp",
    "cuda.random": "cuda",
    "fx.proxy": "fx",
    "_jit_internal": "jit",
    "_dynamo": "compiler",
    "distributions.utils": "distributions.probabilities",
    **{
        f"distributions.{name}": f"distributions.{module}"
        for module, names in _DISTRIBUTIONS.items()
        for name in names
    },
}
"""Modules that have another path here."""


class Torch(ModuleType):
    """The module that programs import as `torch`: its names are those of this package."""

    def __getattr__(self, name: str) -> Any:
        if name in STAND_INS or name in ALIASES:
            return importlib.import_module(f"torch.{name}")
        try:
            return getattr(nt, name)
        except AttributeError:
            if name in MORE_NAMES:
                return MORE_NAMES[name]
            raise AttributeError(
                f"module 'torch' has no attribute '{name}': namecheck_runtime does not have it"
            ) from None

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("__"):
            super().__setattr__(name, value)
        elif getattr(sys.modules.get(f"namecheck_runtime.{name}"), "__name__", "") != getattr(
            value, "__name__", None
        ):
            setattr(nt, name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(nt), *STAND_INS})


class _Same(Loader):
    """Gives a module that is there already, or that has another name."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._own: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._name)
        self._own = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has put its own spec there; the module keeps that of its own name.
        module.__spec__ = self._own


class _StandIn(Loader):
    """Makes a small module from a table."""

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__.removeprefix("torch.")
        module.__doc__ = f"What programs ask of torch.{name}."
        module.__dict__.update(STAND_INS[name]())


class _Finder(MetaPathFinder):
    """Finds the modules of `torch` here."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        root, _, inside = name.partition(".")
        if root != "torch" or not inside:
            return None
        if inside in STAND_INS:
            return ModuleSpec(name, _StandIn(), is_package=True)
        ours = f"namecheck_runtime.{ALIASES.get(inside, inside)}"
        is_known = inside in ALIASES or inside.partition(".")[0] in ROOTS
        if not is_known or not _is_here(ours):
            return None
        return ModuleSpec(name, _Same(ours))

    def find_distributions(self, context: Any) -> list[Any]:
        """The installed version of `torch`, for programs that ask for it."""
        from namecheck_runtime.as_torch.installed import distributions

        return distributions(getattr(context, "name", None))


def _is_here(name: str) -> bool:
    if name in sys.modules:
        return True
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def install() -> ModuleType:
    """Let `import torch` give this package from now on; returns what it gives.

    Raises RuntimeError if PyTorch itself is imported already.
    """
    known = sys.modules.get("torch")
    if isinstance(known, Torch):
        return known
    if known is not None:
        raise RuntimeError("PyTorch is imported already: call install() before `import torch`")
    torch = Torch("torch", "Tensors with names, under the names of PyTorch.")
    torch.__version__ = VERSION
    torch.__dict__["torch"] = torch
    torch.__path__ = []
    torch.__spec__ = ModuleSpec("torch", None, is_package=True)
    torch.__file__ = nt.__file__
    sys.modules["torch"] = torch
    sys.meta_path.insert(0, _Finder())
    return torch


def uninstall() -> None:
    """Let `import torch` give PyTorch again, if it is installed."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Finder)]
    if isinstance(sys.modules.get("torch"), Torch):
        for name in [name for name in sys.modules if name.partition(".")[0] == "torch"]:
            del sys.modules[name]
