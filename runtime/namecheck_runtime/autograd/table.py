"""The derivatives by op, and what each saves.

A derivative is a function per operand, in terms of ops.  The names of its parameters say what it
needs of the call, and so what is saved until the way back:

| parameter | is |
|---|---|
| `grad` | the gradient of the result, or of the first of several; not saved |
| `grads` | the gradients of all results, zeros for those that were not used |
| `result`, `results` | the result, or all of them; saved |
| `form` | the sizes, names and dtype of the operand itself (`history.Form`): no elements |
| `x_form`, `result_form` | the same of the operand `x`, and of the result |
| `again` | a function that calls the op on another tensor in place of its one operand |
| a parameter of the op's rule | the argument; saved if it is a tensor |

The linter reads what is saved here, too: this module and the derivatives import no tensor.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from namecheck_runtime.autograd.node_names import NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Final, Literal, TypeAlias, TypeVar

    Function = TypeVar("Function")

    Kind: TypeAlias = Literal[
        "derivative", "composite", "strided", "constant", "detached", "unchanged", "fixed"
    ]


class Step:
    """The derivative for one operand."""

    __slots__ = ("function", "needs")

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.needs: tuple[str, ...] = parameters_of(function)
        """The names of its parameters."""

    @property
    def saves(self) -> tuple[str, ...]:
        """What it needs of the call whose elements may be saved: operands, and `result`."""
        return tuple(
            name
            for name in self.needs
            if name not in _NOT_SAVED and not name.endswith("_form") and name != "results"
        ) + (("result",) if "results" in self.needs else ())


_NOT_SAVED: Final = frozenset({"grad", "grads", "form", "again"})


def parameters_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of the parameters of a function, except those that have defaults."""
    code = function.__code__
    return code.co_varnames[: code.co_argcount - len(function.__defaults__ or ())]


class Entry:
    """What is known about the gradients of an op.

    | kind | an op |
    |---|---|
    | `derivative` | with a derivative for each of its operands in `steps` |
    | `composite` | that is computed by `function` of other ops if a gradient is wanted |
    | `strided` | that shows parts of its operand, about which strides say all |
    | `constant` | whose result does not depend on its operands: it is in no graph |
    | `detached` | the same, over the memory of its operand, of which the result is no view |
    | `unchanged` | in place, which writes no element |
    | `fixed` | in place, which no tensor that requires a gradient allows |
    """

    __slots__ = ("forms", "function", "kind", "name", "several", "steps", "through_view")

    def __init__(
        self,
        kind: Kind,
        steps: Mapping[str, Callable[..., Any] | None] | None = None,
        function: Callable[..., Any] | None = None,
        name: str | Callable[..., str] = "",
        several: bool = False,
        through_view: bool = False,
    ) -> None:
        self.kind: Kind = kind
        given = (steps or {}).items()
        self.steps: dict[str, Step] = {n: Step(f) for n, f in given if f is not None}
        """By the name of the operand's parameter in the op's rule."""
        self.forms: frozenset[str] = frozenset(n for n, f in given if f is None)
        """Operands of which only the form counts: they get no gradient."""
        self.function = function
        self.name = name
        """PyTorch's name of the node without its end, or a function of the arguments to it.

        For a composite it is that of the last part if there is none.
        """
        self.several = several
        """Whether its results are views that PyTorch does not let a program write to."""
        self.through_view = through_view
        """Whether in place it writes to a view that it makes itself."""


_ENTRIES: Final[dict[str, Entry]] = {}
_read: Final[list[bool]] = []


def derivative(
    *ops: str,
    name: str | Callable[..., str] = "",
    several: bool = False,
    through_view: bool = False,
    **steps: Callable[..., Any] | None,
) -> None:
    """Declare the derivatives of ops, one for each operand by the name of its parameter.

    None stands for an operand of which only the form counts, as `other` of `x.view_as(other)`.

    See the module for the parameters of the functions, and `Entry` for the words.
    """
    for op in ops:
        text = name or _spoken(op)
        _add(op, Entry("derivative", steps, None, text, several, through_view))


def composite(
    *ops: str, function: Callable[..., Any] | None = None
) -> Callable[[Function], Function]:
    """Declare that an op is differentiated through: a function of its arguments calls other ops.

    The parameters of the function are those of the op's rule that it needs.  As a decorator if no
    function is passed.
    """

    def declare(function: Any) -> Any:
        for op in ops:
            _add(op, Entry("composite", None, function))
        return function

    if function is not None:
        declare(function)
    return declare


def strided(*ops: str, name: str) -> None:
    """Declare views whose gradient goes where their strides say."""
    for op in ops:
        _add(op, Entry("strided", name=name))


def kind_of_ops(kind: Kind, *ops: str) -> None:
    """Declare ops without a derivative as of one kind, see `Entry`."""
    for op in ops:
        _add(op, Entry(kind))


def _add(op: str, entry: Entry) -> None:
    if op in _ENTRIES:
        raise ValueError(f"{op} has two derivatives")
    _ENTRIES[op] = entry


def _spoken(op: str) -> str:
    """PyTorch's name of the node of an op: `LogSoftmax` for `torch.log_softmax`."""
    module, _, name = op.removeprefix("torch.").rpartition(".")
    words = [module] if module in ("linalg", "special") else []
    words += name.rstrip("_").split("_")
    return "".join(word.title() for word in words)


def entries() -> Mapping[str, Entry]:
    """All entries by the op's name; the derivatives are imported on first use."""
    if not _read:
        _read.append(True)
        package = import_module("namecheck_runtime.autograd.derivatives")
        for module in iter_modules(package.__path__):
            import_module(f"{package.__name__}.{module.name}")
        for op, name in NAMES.items():
            _ENTRIES[op].name = name
    return _ENTRIES


def saved_by(op: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """For each operand of an op that has a derivative what is saved if it requires a gradient.

    That is names of parameters of its rule, and `result`.  An op that is differentiated through
    has none: its parts have.
    """
    entry = entries().get(op)
    if entry is not None:
        for operand, step in entry.steps.items():
            yield operand, step.saves
