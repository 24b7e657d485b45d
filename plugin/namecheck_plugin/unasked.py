"""Values that mypy asks no plugin about: bare names, returned or assigned to annotated targets.

mypy does ask about an annotation that writes dims (`annotated`).  The plugin then schedules a look
at the function, or the top of the module, for when all names in it are bound.  It uses mypy's own
`schedule_patch`, which works in every mode of mypy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from mypy.nodes import FuncDef, FuncItem, MypyFile
from mypy.plugin import TypeAnalyzerPluginInterface
from mypy.semanal import SemanticAnalyzer
from mypy.semanal_shared import PRIORITY_FALLBACKS

Place: TypeAlias = FuncItem | MypyFile

_LAST: Final = PRIORITY_FALLBACKS + 1
"""After the patches of mypy itself."""


class Unasked:
    """The functions that the plugin has yet to look at."""

    def __init__(self, look: Callable[[Place, SemanticAnalyzer], None]) -> None:
        self._look: Final = look
        self._planned: Final[set[Place]] = set()

    def forget(self) -> None:
        """Forget all plans: a file has changed, and a planned look may never have happened."""
        self._planned.clear()

    def plan(self, api: TypeAnalyzerPluginInterface) -> None:
        """Schedule a look at the function in which mypy has met an annotation."""
        analyzer = getattr(api, "api", None)
        if not isinstance(analyzer, SemanticAnalyzer):
            return
        file, options = analyzer.cur_mod_node, analyzer.options
        if options.ignore_errors or file.path in analyzer.errors.ignored_files:
            return
        place = _place_of(analyzer)
        if place in self._planned:
            return  # mypy analyses a function again if a name in it is not known yet

        def look() -> None:
            self._planned.discard(place)
            with analyzer.file_context(file, options):
                if isinstance(place, MypyFile):
                    self._look(place, analyzer)
                    return
                # The errors belong to the function, so that the daemon removes them with it.
                with analyzer.scope.function_scope(place):
                    self._look(place, analyzer)

        analyzer.schedule_patch(_LAST, look)
        self._planned.add(place)


def _place_of(analyzer: SemanticAnalyzer) -> Place:
    """The outermost function around an annotation, or the module."""
    if analyzer.function_stack:
        return analyzer.function_stack[0]
    # mypy analyses a signature in the scope around the function, as part of the `def` statement.
    statement = analyzer.statement
    return statement if isinstance(statement, FuncDef) else analyzer.cur_mod_node
