"""What mypy loads: next to nothing, until a program has something in it that we know.

A run in which nothing has changed, or in a project without tensors, does not pay for the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from mypy.nodes import MypyFile
from mypy.options import Options
from mypy.plugin import (
    AnalyzeTypeContext,
    AttributeContext,
    FunctionContext,
    MethodContext,
    Plugin,
    ReportConfigContext,
)
from mypy.types import Type

from namecheck_plugin import codes as codes  # mypy is to know them from the start
from namecheck_plugin import settings
from namecheck_plugin.version import digest

if TYPE_CHECKING:
    from namecheck_plugin.hooks import Hooks

# Packages without which no program says anything about dims.
_OURS: Final = "namecheck_runtime"
_JAXTYPING: Final = "jaxtyping"


class NamecheckPlugin(Plugin):
    """mypy's `Plugin` that knows the dims of tensors."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._settings: Final = settings.read(options.config_file)
        self._hooks: Hooks | None = None

    def set_modules(self, modules: dict[str, MypyFile]) -> None:
        super().set_modules(modules)
        if self._hooks is not None:
            self._hooks.set_modules(modules)

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """mypy has read a file, and the daemon an edit of one: what was known may be no more."""
        if self._hooks is not None:
            self._hooks.forget()
        return []

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """What mypy keeps with each module: one that was checked by other rules is checked again.

        `__version__` alone is kept once for all modules, also for those that a run left out.
        """
        return {"rules": digest(), "settings": repr(self._settings)}

    def _ready(self) -> Hooks | None:
        """Who answers; None as long as no module is read that says anything about dims."""
        if self._hooks is not None:
            return self._hooks
        modules = self._modules  # they grow while mypy runs
        if modules is None or (_OURS not in modules and _JAXTYPING not in modules):
            return None
        from namecheck_plugin.hooks import Hooks  # the rules come with them: 0.03 s

        hooks = self._hooks = Hooks(self.options, self._settings)
        hooks.set_modules(modules)
        # mypy asks at every call: from here on who answers is looked up without a call of ours.
        vars(self).update(
            get_type_analyze_hook=hooks.get_type_analyze_hook,
            get_function_hook=hooks.functions.__getitem__,
            get_method_hook=hooks.methods.__getitem__,
            get_attribute_hook=hooks.attributes.__getitem__,
        )
        return hooks

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        hooks = self._ready()
        return None if hooks is None else hooks.get_type_analyze_hook(fullname)

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        hooks = self._ready()
        return None if hooks is None else hooks.functions[fullname]

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        hooks = self._ready()
        return None if hooks is None else hooks.methods[fullname]

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        hooks = self._ready()
        return None if hooks is None else hooks.attributes[fullname]
