"""The functions and classes of a file, and which of them were evaluated by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.paths import Cells, Path
from namecheck.analysis.state.values import Class, Function, Instance, Value
from namecheck.analysis.state.values.module_calls import CallTrace
from namecheck.analysis.state.values.uses import Node, Uses
from namecheck_runtime.sizes import Facts


class Units:
    """The functions and classes of a file that one walk has met."""

    __slots__ = (
        "built",
        "built_nothing",
        "called",
        "classes",
        "command",
        "commands",
        "constructed",
        "cut_off",
        "driven",
        "drives",
        "ended",
        "examples",
        "finds_tables",
        "found_in",
        "functions",
        "imported",
        "kept",
        "nested",
        "nested_done",
        "options_unknown",
        "reached",
        "reads_options",
        "selves",
        "trace",
        "tried",
        "uses",
        "wasted",
        "world",
        "written",
    )

    def __init__(self) -> None:
        self.built: list[tuple[Value, Any, int]] = []
        """Modules that drives have built, each with the source and the line, to be called."""
        self.trace: CallTrace | None = None  # where the calls of modules are noted
        self.tried: list[Class] = []  # the classes of those that were called
        self.built_nothing = 0
        """How many functions that were called with their defaults have built no module."""
        self.drives = False
        """Whether entry points are followed to their end."""
        self.finds_tables = True
        """Whether a drive is a run of the program from its beginning: nothing has changed the
        tables of the modules before it.
        """
        self.ended = False
        """Whether the module ends before its last statement: `sys.exit()`, `pytest.skip()`."""
        self.examples: list[Any] = []
        """The pieces of the file that are examples in its docstrings."""
        self.driven: set[str] = set()
        """The entry points that were followed into functions of the project."""
        self.reads_options: tuple[Any, int] | None = None
        """Where a drive first took options of the command line for their defaults: source, line."""
        self.options_unknown = False
        """Whether what the user may say is not known instead (`runs/by_code_alone.py`)."""
        self.imported = False
        """Whether this is the top level of a module that other files import.

        What it reads from files and spells as options is known as it is in a drive.
        """
        self.reached: set[int] = set()
        """The records of functions that a drive has called and followed to its end."""
        self.wasted = 0
        """The expressions that drives have cost which were cut off."""
        self.world: Mapping[Any, Any] | None = None
        """What its drives find in lists, dicts and objects of modules."""
        self.written: set[str] = set()
        """The names of the files that drives have opened to write to them."""
        self.cut_off: set[str] = set()
        """Those that cost more than the bound of a drive."""
        self.command = 0
        """Which of the commands of a command line its user is taken to name."""
        self.commands = 0
        """How many a drive has found that it could name."""
        self.functions: list[Any] = []
        self.kept: dict[Any, Any] = {}
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
        self.found_in: dict[object, set[int]] = {}
        """By the key of an outcome: the lines of the chunks whose evaluation has found it."""
        self.constructed: set[Function] = set()
        """Constructors that were evaluated by themselves."""
        self.uses: Uses | None = None  # if what is found is kept for the next evaluation

    def next_round(self) -> None:
        """Record that another round through the functions or classes begins."""
        if self.uses is not None:
            self.uses.stage += 1

    def note(self, used: Class | Function) -> None:
        """Record that what is being evaluated uses a function or class."""
        if self.uses is not None:
            self.uses.note(used)

    def note_lineage(self, cls: Class, constructor: object) -> None:
        """Record that what is being evaluated uses a class, its bases, and their constructor."""
        if self.uses is not None:
            self.uses.note_lineage(cls, constructor)

    def note_size(self, name: str) -> None:
        """Record that what is being evaluated asks what a name stands for in the whole file."""
        if self.uses is not None:
            self.uses.note_size(name)

    def enter(self, function: Function) -> Node | None:
        """Record that the body of a function is evaluated now. Returns what was before."""
        if self.uses is None:
            return None
        before, self.uses.current = self.uses.current, self.uses.note(function)
        return before

    def leave(self, before: Node | None) -> None:
        """Record that the body of a function has been evaluated."""
        if self.uses is not None and before is not None:
            self.uses.current = before

    def is_any(self, instance: Instance) -> bool:
        """Whether an instance stands for any object of its class, also of a subclass."""
        entry = self.selves.get(instance.cls)
        return entry is not None and entry[0] is instance
