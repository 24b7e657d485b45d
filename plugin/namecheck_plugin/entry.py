"""The plugin that mypy loads: next to nothing, until a program uses something that we know.

A run in which nothing has changed, or on a project without tensors, does not pay for the rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mypy.nodes import MypyFile
from mypy.options import Options
from mypy.plugin import Plugin, ReportConfigContext

from namecheck_plugin import codes as codes  # mypy has to know them from the start
from namecheck_plugin import settings
from namecheck_plugin.version import digest

if TYPE_CHECKING:
    from namecheck_plugin.hooks import Hooks

# A program that imports neither of these writes no dims.
_OURS: Final = "namecheck_runtime"
_JAXTYPING: Final = "jaxtyping"

ARRAYS: Final = frozenset(
    {"einops", "equinox", "flax", "jax", "jaxlib", "namecheck_runtime", "numpy", "torch"}
)
"""Packages whose functions and classes we answer for."""

_ASKED: Final = (
    "get_type_analyze_hook",
    "get_function_hook",
    "get_method_hook",
    "get_attribute_hook",
)
"""The hooks that mypy calls by name, in the order of `Hooks.asked`."""


class _Waiting(dict[str, None]):
    """No hook for any name, until mypy reads a module that writes dims or asks about a name of an
    array library.

    mypy asks at every call and every name of a type; each name is looked at here once.
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

    mypy's look-up of a hook runs none of our code: each hook method is the `__getitem__` of a dict.
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
        """Forget what was known: mypy has read a file, or the daemon an edit of one."""
        for waiting in self._waiting:
            waiting.clear()
        if self._hooks is not None:
            self._hooks.forget()
        return []

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """What mypy stores with each module, to check it again if the rules have changed.

        mypy stores `__version__` only once for all modules, including those that a run left out.
        """
        return {"rules": digest(), "settings": repr(self._settings)}

    def is_ready(self, fullname: str) -> bool:
        """Whether we may answer for a name; if so, the hooks are in place afterwards."""
        if self._hooks is not None:
            return True
        modules = self._modules  # they grow while mypy runs
        if modules is None:
            return False
        if _OURS not in modules and _JAXTYPING not in modules:
            # The other modules that mypy reads differ from one run to the next.
            if fullname.partition(".")[0] not in ARRAYS:
                return False
        from namecheck_plugin.hooks import Hooks  # it imports the rules: 0.03 s

        hooks = self._hooks = Hooks(self.options, self._settings)
        hooks.set_modules(modules)
        vars(self).update(zip(_ASKED, hooks.asked, strict=True))
        return True
