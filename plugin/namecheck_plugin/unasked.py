"""What mypy asks no plugin about: a bare name that is returned, or given to what has an annotation.

Where an annotation speaks of dims, mypy asks (`annotated`).  It is told then to come back with the
function, or the top of the module, once all names in it are bound: mypy's own plans for what cannot
be done before, `schedule_patch`, hold for every way in which it runs.
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
"""After what mypy puts off itself."""


class Unasked:
    """The functions that are still to be looked at."""

    def __init__(self, look: Callable[[Place, SemanticAnalyzer], None]) -> None:
        self._look: Final = look
        self._planned: Final[set[Place]] = set()

    def forget(self) -> None:
        """A file has changed: what was planned for it may never have come to pass."""
        self._planned.clear()

    def plan(self, api: TypeAnalyzerPluginInterface) -> None:
        """Have the function looked at in which mypy comes upon an annotation."""
        analyzer = getattr(api, "api", None)
        if not isinstance(analyzer, SemanticAnalyzer):
            return
        file, options = analyzer.cur_mod_node, analyzer.options
        if options.ignore_errors or file.path in analyzer.errors.ignored_files:
            return
        place = _place_of(analyzer)
        if place in self._planned:
            return  # mypy analyses a function again when something in it is not known yet

        def look() -> None:
            self._planned.discard(place)
            with analyzer.file_context(file, options):
                if isinstance(place, MypyFile):
                    self._look(place, analyzer)
                    return
                # What is said belongs to the function: the daemon takes it back with it.
                with analyzer.scope.function_scope(place):
                    self._look(place, analyzer)

        analyzer.schedule_patch(_LAST, look)
        self._planned.add(place)


def _place_of(analyzer: SemanticAnalyzer) -> Place:
    """The outermost function around an annotation, or the module."""
    if analyzer.function_stack:
        return analyzer.function_stack[0]
    # A signature belongs to what is around the function, and is part of the statement.
    statement = analyzer.statement
    return statement if isinstance(statement, FuncDef) else analyzer.cur_mod_node
