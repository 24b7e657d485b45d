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

_TELLING: Final = ("namecheck_runtime", "jaxtyping")
"""Packages without which no program says anything about dims."""


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

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """What mypy keeps with each module: one that was checked by other rules is checked again.

        `__version__` alone is kept once for all modules, also for those that a run left out.
        """
        return {"rules": digest(), "settings": repr(self._settings)}

    @property
    def _telling(self) -> bool:
        # The modules grow while mypy runs.
        modules = self._modules
        return modules is not None and any(package in modules for package in _TELLING)

    @property
    def _asked(self) -> Hooks:
        if self._hooks is None:
            from namecheck_plugin.hooks import Hooks  # the rules come with them: 0.2 s

            self._hooks = Hooks(self.options, self._settings)
            if self._modules is not None:
                self._hooks.set_modules(self._modules)
        return self._hooks

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        return self._asked.get_type_analyze_hook(fullname) if self._telling else None

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return self._asked.get_function_hook(fullname) if self._telling else None

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        return self._asked.get_method_hook(fullname) if self._telling else None

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        return self._asked.get_attribute_hook(fullname) if self._telling else None
