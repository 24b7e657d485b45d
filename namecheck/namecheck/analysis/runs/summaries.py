"""What a network is made of, and what a call of it gives: the evaluation of `namecheck summary`.

The network is built and called by a small program, which is followed to its end as a drive is, with
a larger bound. Meanwhile the calls of modules are noted (`measuring/call_notes.py`).
"""

from __future__ import annotations

import ast
import os
from collections.abc import Sequence
from typing import Final, NamedTuple

from namecheck.analysis.gradients import modes
from namecheck.analysis.python.imports import Program
from namecheck.analysis.python.interpreter import Interpreter
from namecheck.analysis.reading.records import lower_chunks
from namecheck.analysis.reading.unreadable import SourceError
from namecheck.analysis.runs import drives
from namecheck.analysis.runs.called_modules import rows_of
from namecheck.analysis.runs.findings_of import findings
from namecheck.analysis.state import lineage
from namecheck.analysis.state.evaluate import Evaluator, Exhausted, Reach
from namecheck.analysis.state.program_pieces import Source, SourceFile
from namecheck.analysis.state.values import (
    Class,
    Container,
    Function,
    Instance,
    Layer,
    Library,
    Value,
)
from namecheck.analysis.state.values.module_calls import CallTrace
from namecheck.frameworks import CONTAINERS, torch
from namecheck.module_tree import ModuleTree
from namecheck_runtime import rules as rules  # fills the registry that calls are looked up in
from namecheck_runtime.layers import LAYERS
from namecheck_runtime.light.collector import CollectorPaused
from namecheck_runtime.light.regexes import regex

__all__ = ["Input", "Network", "read_input", "summarize"]

BOUND: Final = 400_000
"""The expressions that building and calling a network may cost."""

PATIENCE: Final = 100_000
"""The expressions that they may cost without one that is a tensor or a layer."""

DEEPEST: Final = 80
"""How deep its calls may be nested."""

LONGEST: Final = 4_096
"""The most elements that a loop takes one by one."""

SHOWN: Final = "<summary>"
"""What notes call the program."""

NETWORK: Final = "network"
"""The variable of the program that has the network."""


class Input(NamedTuple):
    """An argument of the call, as an expression. Without a name it is passed by position."""

    name: str
    expression: str


def read_input(text: str) -> Input | None:
    """The argument that a text stands for: `idx=int64[8, 1024]`, `[2, 3]` or `train=False`.

    A tensor without a dtype has floats. None if the text is none of these.
    """
    name, equals, rest = text.partition("=")
    if not equals:
        name, rest = "", text
    elif not name.strip().isidentifier():
        return None
    tensor = _TENSOR.fullmatch(rest.strip())
    if tensor is None:
        return Input(name.strip(), rest.strip()) if _is_literal(rest.strip()) else None
    dtype = tensor["dtype"] or torch.DEFAULT_DTYPES["float"]
    if f"{torch.PACKAGE}.{dtype}" not in torch.DTYPES:
        return None
    sizes = [int(size) for size in tensor["sizes"].replace(",", " ").split()]
    return Input(name.strip(), torch.INPUT.format(sizes=sizes, dtype=dtype))


_TENSOR: Final = regex(
    r"(?P<dtype>\w*)\[(?P<sizes>\s*(?:\d+\s*(?:,\s*\d+\s*)*,?\s*)?)\]", words=("[",)
)


def _is_literal(text: str) -> bool:
    """Whether a text is a number, a flag, None or a string."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return value is None or isinstance(value, (bool, int, float, str))


class Network(NamedTuple):
    """Which network is summarized: what builds it, and where the names in that come from."""

    module: str
    """The dotted name of a module."""
    names: tuple[str, ...]
    """The names that are imported from it."""
    expression: str
    folder: str
    """The folder in which the module is looked up."""
    shown: str
    """The module as the user calls it: a path, or a dotted name."""


def summarize(network: Network, inputs: Sequence[Input] | None, program: Program) -> ModuleTree:
    """The modules of a network, called with these inputs; None does not call it."""
    path = os.path.join(network.folder, f"{NETWORK}.py")
    text = program_text(network, inputs)
    with CollectorPaused():
        try:
            chunks = lower_chunks(text, program.lowered)
        except SourceError as error:
            return ModuleTree(trouble=f"{network.expression!r} is no expression: {error.message}")
        file = SourceFile(SHOWN, os.path.realpath(path), program)
        pieces = [Source(file, chunk.text, chunk.line, records) for chunk, records in chunks]
        file.read_imports((records for _, records in chunks), (chunk.text for chunk, _ in chunks))
        ev = Interpreter(pieces[0], program.tables.world)
        modes.begin_file(ev, file)
        ev.units.drives = True
        trace = ev.units.trace = CallTrace()
        missing = _missing(ev, network)
        if missing:
            return ModuleTree(trouble=missing)
        return _followed(ev, trace, pieces, network, inputs is not None)


def program_text(network: Network, inputs: Sequence[Input] | None) -> str:
    """The program that builds the network, and calls it."""
    lines = [f"import {torch.PACKAGE}"]
    if network.names:
        lines.append(f"from {network.module} import {', '.join(network.names)}")
    lines.append(f"{NETWORK} = {network.expression}")
    lines.append(f"{NETWORK}.{torch.EVAL}()")
    if inputs is not None:
        ordered = sorted(inputs, key=lambda one: bool(one.name))
        arguments = [f"{one.name}={one.expression}".removeprefix("=") for one in ordered]
        lines.append(f"{NETWORK}({', '.join(arguments)})")
    return "\n".join(lines) + "\n"


def _followed(
    ev: Evaluator, trace: CallTrace, pieces: Sequence[Source], network: Network, called: bool
) -> ModuleTree:
    """The tree behind the program; what is wrong in it ends the program."""
    trouble = ""
    with drives.driven(ev):
        ev.reach = Reach(PATIENCE, DEEPEST, True, BOUND, PATIENCE, LONGEST)
        for piece in pieces:
            ev.module.source = piece
            trouble = _run(ev, piece)
            ev.found += ev.module.certain()
            ev.module.seen, ev.module.wrong, ev.module.symbols = {}, {}, {}
            if trouble:
                break
            built = ev.module.variables.get(NETWORK)
            if trace.refusing is not None:
                trouble = f"the arguments do not fit {_signature(trace.refusing)}"
                break
            if not ev.alive:
                trouble = f"the program ends with an exception at {_place(ev)}"
                break
            if built is not None and not _is_module(ev.resolve(built)):
                trouble = _why_not(ev, network, ev.resolve(built))
                break
        network_value = ev.module.variables.get(NETWORK)
        built = None if network_value is None else ev.resolve(network_value)
        found = findings([one for one in ev.found if one.requires is None])
        if built is None or not _is_module(built):
            return ModuleTree(findings=found, trouble=trouble)
        return ModuleTree(tuple(rows_of(ev, trace, built)), called, found, trouble)


def _run(ev: Evaluator, piece: Source) -> str:
    """Run a piece of the program; returns why that had no end, or nothing."""
    try:
        ev.run(piece.chunk.statements)
    except (Exhausted, RecursionError) as end:
        reason = "costs too much" if isinstance(end, Exhausted) else "is nested too deeply"
        trouble = f"the evaluation {reason} at {_place(ev)}"
        ev.frame, ev.alive = ev.module, True
        return trouble
    return ""


def _is_module(value: Value) -> bool:
    if isinstance(value, Instance):
        return lineage.is_module(value.cls)
    return isinstance(value, (Layer, Container))


def _why_not(ev: Evaluator, network: Network, value: Value) -> str:
    """Why the expression gave no network."""
    if isinstance(value, Instance):
        return f"{network.expression} is no module, but an instance of {value.cls.name}"
    if isinstance(value, (Class, Function)) or _is_class(value):
        return f"{network.expression} builds nothing; a call of it does: {network.expression}(...)"
    return f"{network.expression} cannot be followed: what it gives is not known to be a module"


def _missing(ev: Evaluator, network: Network) -> str:
    """Which name the module lacks, or nothing."""
    program = ev.module.source.file.program
    module = None
    if isinstance(program, Program):
        module = program.find(ev.module.source.file, 0, network.module)
    for name in network.names:
        if module is not None and module.look_up(ev, name) is None:
            return f"{network.shown} has no name {name!r}"
    return ""


def _signature(function: Function) -> str:
    """A function as its parameters are written: `GPT.__init__(self, config)`."""
    stars = {"variadic positional": "*", "variadic keyword": "**"}
    names = [stars.get(one.kind, "") + one.name for one in function.parameters]
    owner = "" if function.owner is None else f"{function.owner.name}."
    return f"{owner}{function.name}({', '.join(names)})"


def _is_class(value: Value) -> bool:
    """Whether a value is a class of a library's layers."""
    return isinstance(value, Library) and (value.path in LAYERS or value.path in CONTAINERS)


def _place(ev: Evaluator) -> str:
    source, line = ev.at
    return f"{source.file.path}:{line + source.line - 1}"
