"""The functions and classes of a file, and which of them were evaluated by themselves."""

from __future__ import annotations

from typing import Any

from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.paths import Cells, Path
from namecheck.analysis.state.values import Class, Function, Instance, Value
from namecheck_runtime.sizes import Facts


class Units:
    """The functions and classes of a file that one walk has met."""

    __slots__ = (
        "built_nothing",
        "called",
        "classes",
        "constructed",
        "cut_off",
        "driven",
        "drives",
        "examples",
        "functions",
        "kept",
        "nested",
        "nested_done",
        "options_unknown",
        "reached",
        "reads_options",
        "selves",
        "wasted",
        "written",
    )

    def __init__(self) -> None:
        self.built_nothing = 0
        """How many functions that were called with their defaults have built no module."""
        self.drives = False
        """Whether entry points are followed to their end."""
        self.examples: list[Any] = []
        """The pieces of the file that are examples in its docstrings."""
        self.driven: set[str] = set()
        """The entry points that were followed into functions of the project."""
        self.reads_options: tuple[Any, int] | None = None
        """Where a drive has first taken options of the command line for their defaults: the source
        and its line.
        """
        self.options_unknown = False
        """Whether what the user may say is not known instead (`runs/by_code_alone.py`)."""
        self.reached: set[int] = set()
        """The records of functions that a drive has called and followed to its end."""
        self.wasted = 0
        """The expressions that drives have cost which were cut off."""
        self.written: set[str] = set()
        """The names of the files that drives have opened to write to them."""
        self.cut_off: set[str] = set()
        """Those that cost more than the bound of a drive."""
        self.functions: list[Any] = []
        self.kept: dict[Value, Any] = {}
        """The contents of lists and dicts of the module that its functions change, for drives."""
        self.nested: dict[int, tuple[Function, Frame, Path]] = {}
        """Functions defined in a function that wait to be evaluated by themselves, by record: the
        frame around each, and the path at its definition.
        """
        self.nested_done: set[int] = set()
        self.called: set[int] = set()
        """The records of functions that were called."""
        self.classes: list[Class] = []
        self.selves: dict[Class, tuple[Instance, Cells, Facts] | None] = {}
        """An instance of each class with its cells and facts; None while it is being made."""
        self.constructed: set[Function] = set()
        """Constructors that were evaluated by themselves."""

    def is_any(self, instance: Instance) -> bool:
        """Whether an instance stands for any object of its class, also of a subclass."""
        entry = self.selves.get(instance.cls)
        return entry is not None and entry[0] is instance
