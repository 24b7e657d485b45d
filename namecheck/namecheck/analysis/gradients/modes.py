"""The grad mode of a place, and whether a function computes gradients.

A function that is evaluated by itself may have a caller that has turned gradients off. If it calls
`backward` itself, it has none: under `no_grad` that would fail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.lineage import is_module
from namecheck.analysis.state.values import Function, Library
from namecheck.analysis.state.values.grad_modes import Following, Mode
from namecheck.frameworks import python, torch

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Frame
    from namecheck.analysis.state.program_pieces import SourceFile


def begin_call(ev: Evaluator, function: Function, caller: Frame, node: ir.Node | None) -> Following:
    """Set the mode for a call of a function, and return the one to set behind it."""
    state = ev.gradients
    before = state.following
    following = before
    if node is None and caller.function is None:  # it is evaluated by itself
        following = _ALONE
    record = function.record
    if isinstance(record, ir.FunctionDef):
        if record.decorators:
            mode = _decorated(record, following.mode)
            if mode is not following.mode:
                following = Following(mode, following.graphs)
        if following.graphs and function.owner is not None and is_module(function.owner):
            # Models are large, and their calls are remembered only without graphs.
            following = Following(following.mode, False)
        if function.source.file.differentiates:
            following = _by_text(ev, function, record, following)
    if following is not before:
        state.following = following
        state.is_needed = state.is_needed or following.graphs
    return before


def begin_file(ev: Evaluator, file: SourceFile) -> None:
    """Set the mode for the code of a file outside functions."""
    mode = Mode.UNKNOWN if file.sets_mode else Mode.ON
    ev.gradients.following = Following(mode, file.differentiates)
    ev.gradients.is_needed = file.differentiates


_ALONE: Final = Following(Mode.CALLERS, False)


def _by_text(
    ev: Evaluator, function: Function, record: ir.FunctionDef, following: Following
) -> Following:
    """What the words in the text of a function say of it."""
    words = ev.gradients.words.get(id(record))
    if words is None:
        source = function.source
        end = max(one.end_line for one in walk(record) if isinstance(one, ir.Statement))
        text = "\n".join(map(source.text_of, range(record.line, end + 1)))
        graphs = torch.DIFFERENTIATING.search(text) is not None
        runs = torch.RUNNING_BACKWARD.search(text) is not None
        words = ev.gradients.words[id(record)] = (graphs, runs)
    graphs, runs = words
    mode = following.mode
    if function.source.file.sets_mode:
        mode = Mode.UNKNOWN
    elif runs and mode is Mode.CALLERS:
        mode = Mode.ON
    return Following(mode, following.graphs or graphs)


def _decorated(record: ir.FunctionDef, mode: Mode) -> Mode:
    """The mode inside a function with decorators, by their names."""
    for decorator in record.decorators:
        function = decorator.function if isinstance(decorator, ir.Call) else decorator
        if not isinstance(function, (ir.Attribute, ir.Name)):
            return Mode.UNKNOWN
        if function.name in torch.MODES_OFF:
            return Mode.OFF
        if function.name in torch.MODES_ON:
            mode = Mode.ON
        elif function.name not in _LEAVING:
            return Mode.UNKNOWN
    return mode


_LEAVING: Final = frozenset(
    {
        *("abstractmethod", "cached_property", "classmethod", "override", "property"),
        *("staticmethod", "wraps", "jaxtyped", "beartype", "typechecked"),
    }
)
"""Decorators that leave the mode as it is."""


def of_context(ev: Evaluator, context: ir.Expression, mode: Mode) -> Mode:
    """The mode inside a `with` block with this context manager."""
    if not isinstance(context, ir.Call):
        return Mode.UNKNOWN
    function = context.function
    if not isinstance(function, (ir.Attribute, ir.Name)):
        return Mode.UNKNOWN
    name = function.name
    if name in torch.MODES_OFF:
        return Mode.UNKNOWN if context.positional or context.keywords else Mode.OFF
    if name in torch.MODES_ON:
        return Mode.ON
    if mode is Mode.ON or mode is Mode.CALLERS:
        callee = ev.resolve(ev.value(function))
        path = callee.path if isinstance(callee, Library) else ""
        leaves = path.startswith((torch.PACKAGE + ".", python.BUILTIN))
        if not leaves or any(word in path for word in torch.CHANGING_GRAPHS):
            return Mode.UNKNOWN
    return mode
