"""What mypy loads: next to nothing, until a program has something in it that we know.

A run in which nothing has changed, or in a project without tensors, does not pay for the rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mypy.nodes import MypyFile
from mypy.options import Options
from mypy.plugin import Plugin, ReportConfigContext

from namecheck_plugin import codes as codes  # mypy is to know them from the start
from namecheck_plugin import settings
from namecheck_plugin.version import digest

if TYPE_CHECKING:
    from namecheck_plugin.hooks import Hooks

# Without one of these no program says anything about dims.
_OURS: Final = "namecheck_runtime"
_JAXTYPING: Final = "jaxtyping"

ARRAYS: Final = frozenset(
    {"einops", "equinox", "flax", "jax", "jaxlib", "namecheck_runtime", "numpy", "torch"}
)
"""Packages whose functions and classes are asked about."""

_ASKED: Final = (
    "get_type_analyze_hook",
    "get_function_hook",
    "get_method_hook",
    "get_attribute_hook",
)
"""What mypy asks by name, in the order of `Hooks.asked`."""


class _Waiting(dict[str, None]):
    """Nobody, for any name, until a module is read that says something about dims, or a name is
    that of something that arrays are made of.

    mypy asks at every call and every name of a type; a name is looked at here once.
    """

    def __init__(self, plugin: NamecheckPlugin, asked: str) -> None:
        super().__init__()
        self._plugin: Final = plugin
        self._asked: Final = asked

    def __missing__(self, fullname: str) -> Any:
        if self._plugin.is_ready(fullname):
            return getattr(self._plugin, self._asked)(fullname)
        self[fullname] = None
        return None


class NamecheckPlugin(Plugin):
    """mypy's `Plugin` that knows the dims of tensors.

    Its hooks are looked up without a call of ours: they are what a dict has for a name.
    """

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._settings: Final = settings.read(options.config_file)
        self._hooks: Hooks | None = None
        self._waiting: Final = [_Waiting(self, asked) for asked in _ASKED]
        for asked, waiting in zip(_ASKED, self._waiting, strict=True):
            vars(self)[asked] = waiting.__getitem__

    def set_modules(self, modules: dict[str, MypyFile]) -> None:
        super().set_modules(modules)
        if self._hooks is not None:
            self._hooks.set_modules(modules)

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """mypy has read a file, and the daemon an edit of one: what was known may be no more."""
        for waiting in self._waiting:
            waiting.clear()
        if self._hooks is not None:
            self._hooks.forget()
        return []

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """What mypy keeps with each module: one that was checked by other rules is checked again.

        `__version__` alone is kept once for all modules, also for those that a run left out.
        """
        return {"rules": digest(), "settings": repr(self._settings)}

    def is_ready(self, fullname: str) -> bool:
        """Whether there may be something to say of a name; who answers is there then."""
        if self._hooks is not None:
            return True
        modules = self._modules  # they grow while mypy runs
        if modules is None:
            return False
        if _OURS not in modules and _JAXTYPING not in modules:
            # Which other modules are read differs from one run to the next.
            if fullname.partition(".")[0] not in ARRAYS:
                return False
        from namecheck_plugin.hooks import Hooks  # the rules come with them: 0.03 s

        hooks = self._hooks = Hooks(self.options, self._settings)
        hooks.set_modules(modules)
        vars(self).update(zip(_ASKED, hooks.asked, strict=True))
        return True
