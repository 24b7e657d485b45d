"""Functions annotated for any number of leading dims (`"*batch n 3"`), with the number spelled out.

Evaluated by itself, it has any number of leading dims, and little is known about shapes of unknown
rank. An author who writes `*batch` means that one dim works, and that two do. So what is wrong with
both is reported, as a warning, since it may be right without any. Source: jaxtyping.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from namecheck.analysis.evidence import annotation
from namecheck.analysis.evidence.annotation import Declaration, Declared, Each, OneOf, Several
from namecheck.analysis.evidence.axis_orders import is_turned
from namecheck.analysis.reading import ir
from namecheck.analysis.state import inlays
from namecheck.analysis.state.joining import resolve
from namecheck.analysis.state.values import Anything, Tensor
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Size, Unknown
from namecheck_runtime.mistakes.claims import AnnotationMismatch
from namecheck_runtime.notation.written import many_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Frame, Outcome
    from namecheck.analysis.state.paths import Path
    from namecheck.analysis.state.values import Function

COUNTS: Final = (1, 2)
"""The numbers of leading dims that a function is evaluated with."""


def evaluate_batches(
    ev: Evaluator,
    function: Function,
    evaluate: Callable[[Evaluator, Function, Mapping[str, Size]], Frame | None],
) -> None:
    """Keep what is wrong in a function both for one leading dim and for two.

    `evaluate` runs it with sizes for names of its annotations.
    """
    if ev.trials.calls is not None or not isinstance(function.record, ir.FunctionDef):
        return
    names = _variadic(ev, function)
    if not names:
        return
    reported = {(outcome.source, outcome.node) for outcome in ev.found}
    # A value that contradicts an annotation with turned axes is no second mistake.
    is_blamed = is_turned(function, ev.found)
    confirmed: list[Outcome] | None = None
    for count in COUNTS:
        before = len(ev.found)
        ev.spelled = True
        spelled = _spelled(names, count)
        try:
            with inlays.unseen(ev):
                frame = evaluate(ev, function, spelled)
        finally:
            ev.spelled = False
            wrong = ev.found[before:]
            del ev.found[before:]
        places = {(outcome.source, outcome.node, outcome.mistake.code) for outcome in wrong}
        confirmed = [
            outcome
            for outcome in (wrong if confirmed is None else confirmed)
            if (outcome.source, outcome.node, outcome.mistake.code) in places
            and (outcome.source, outcome.node) not in reported
            and outcome.level != "note"
            and not (is_blamed and isinstance(outcome.mistake, AnnotationMismatch))
        ]
        if not confirmed or frame is None or _is_forced(frame, spelled.values()):
            return
    for outcome in confirmed or ():
        listed = ", ".join(f"'*{name}'" for name in names)
        note = (f"with one dim for {listed}", function.source, function.line)
        ev.found.append(outcome._replace(level="warning", notes=(*outcome.notes, note)))


def presume_alike(ev: Evaluator, left: Path, right: Path) -> None:
    """Presume that a variable is alike on two paths if only one of them knows its shape.

    The annotation of the function holds for both.
    """
    if not ev.spelled:
        return
    for one, other in ((left, right), (right, left)):
        for name, value in one.variables.items():
            there = other.variables.get(name)
            if there is None or there is value:
                continue
            shaped, unknown = resolve(value, one.cells), resolve(there, other.cells)
            if not isinstance(shaped, Tensor) or not isinstance(shaped.shape, tuple):
                continue
            match unknown:
                case Anything(maybe=None, config=False) | Tensor(shape=Unknown.UNKNOWN):
                    other.variables[name] = shaped


def _is_forced(frame: Frame, dims: Iterable[Size]) -> bool:
    """Whether the function fits only leading dims of certain sizes.

    Then its annotations allow more than its author means, and its other mistakes follow from that.
    """
    symbols = [size for size in dims if not isinstance(size, int)]
    return any(
        isinstance(path.facts.representative(size), int)
        for _, path in frame.returned
        for size in symbols
    )


def _spelled(names: tuple[str, ...], count: int) -> dict[str, Size]:
    """The sizes of the dims of each name, and under `*name` how many they are."""
    spelled: dict[str, Size] = {}
    for name in names:
        spelled[f"*{name}"] = count
        for index in range(count):
            label = name if count == 1 else f"{name}{index}"
            spelled[f"*{name}[{index}]"] = sizes.symbol(label)
    return spelled


def _variadic(ev: Evaluator, function: Function) -> tuple[str, ...]:
    """The names for several dims in the annotations of a function's parameters."""
    names: dict[str, None] = {}
    outer = ev.frame
    quiet, outer.quiet = outer.quiet, outer.quiet + 1
    for parameter in function.parameters:
        if parameter.annotation is not None:
            for declared in _parts(annotation.read(ev, parameter.annotation)):
                for dim in () if declared.written is None else declared.written.dims:
                    name = many_name(dim)
                    if name is not None:
                        names[name] = None
    outer.quiet = quiet
    return tuple(names)


def _parts(declaration: Declaration | None) -> Iterator[Declared]:
    match declaration:
        case Declared():
            yield declaration
        case OneOf(options):
            yield from options
        case Several(parts):
            for part in parts:
                yield from _parts(part)
        case Each(element):
            yield from _parts(element)
