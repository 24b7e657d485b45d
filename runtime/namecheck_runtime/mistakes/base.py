"""The base of all mistakes: immutable values that say which rule is broken, and where.

One class per rule code; the classes live in one module per family. A mistake names arguments and
dims, not places in the source: readers put it where its blame points. The docstring of its class is
the documentation page of the code.
"""

from __future__ import annotations

from namecheck_runtime.lattice import Shape, show
from namecheck_runtime.light.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, ClassVar, Final, Literal, Self, dataclass_transform

    About = Literal["", "sizes", "rank", "written", "gradients"]
    Belief = Literal["never", "certain", "data"]
else:

    def dataclass_transform(**_):
        return lambda cls: cls


class Blame(NamedTuple):
    """An argument of the op that is at fault, by parameter name, and the dim (None: all of it)."""

    argument: str
    dim: int | None = None


_REQUIRED: Any = object()


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Value(Exception):
    """An immutable value that can be raised: fields by annotation, equality by class and fields."""

    _fields: ClassVar[dict[str, Any]] = {}
    _defaults: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        fields = dict(cls._fields)
        # `inspect.get_annotations` would cost more to import than all mistakes together.
        for name, annotation in cls.__dict__.get("__annotations__", {}).items():  # noqa: RUF063
            if not annotation.startswith("ClassVar"):
                fields[name] = cls.__dict__.get(name, _REQUIRED)
        cls._fields = fields
        cls._defaults = {
            name: default for name, default in fields.items() if default is not _REQUIRED
        }

    def __init__(self, **values: Any) -> None:
        # Rules make many that are never reported: one with the right fields costs two updates.
        state = self.__dict__
        state.update(self._defaults)
        state.update(values)
        if state.keys() != self._fields.keys():
            self._refuse(values)

    def _refuse(self, values: dict[str, Any]) -> None:
        surplus = sorted(values.keys() - self._fields.keys())
        if surplus:
            raise TypeError(f"{type(self).__name__} has no field {surplus}")
        missing = [name for name in self._fields if name not in self.__dict__]
        raise TypeError(f"{type(self).__name__} needs {missing[0]}=")

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("__"):  # Python itself sets __traceback__ and friends while raising
            raise AttributeError(f"{type(self).__name__} is immutable; cannot set {name}")
        super().__setattr__(name, value)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Value)
            and type(other) is type(self)
            and self.fields() == other.fields()
        )

    def __hash__(self) -> int:
        return hash((type(self), repr(self)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.fields().items())})"

    def fields(self) -> dict[str, Any]:
        """The values of all fields, in order of declaration."""
        return {name: self.__dict__[name] for name in self._fields}

    def but(self, **changes: Any) -> Self:
        """This value with some fields changed."""
        if not changes.keys() <= self._fields.keys():
            self._refuse(changes)
        changed = type(self).__new__(type(self))
        changed.__dict__.update(self.__dict__)
        changed.__dict__.update(changes)
        return changed


def in_one_line(text: str) -> str:
    """A sentence of PyTorch's, which may have several lines, as a part of a message of ours."""
    return text.replace("\n", " ").rstrip(".")


class Mistake(Value):
    """A broken rule.

    `infer` fills in `op` (the call, as people write it; see `with_op`) and `within` (the inner
    mistake of a composite).
    """

    code: ClassVar[str] = ""
    name: ClassVar[str] = ""
    exception: ClassVar[type[Exception]] = RuntimeError
    """The class of the exception that the runtime raises for it."""
    mutual: ClassVar[tuple[str, ...]] = ()
    """The fields of two operands that the message treats in the same way, so that it may show them
    in either order.  Other fields of an operand have names that begin with the name of its field.
    """
    level: ClassVar[str] = "error"
    """Its level if the code itself shows it: `error` for what is wrong, `warning` for what is legal
    but suspicious, `note` for what is not a mistake. A reader may report an error that depends on a
    comment as a warning.
    """
    about: ClassVar[About] = ""
    """What it is about, for readers that weigh the evidence: `sizes` that do not fit, the `rank` of
    an argument (if that is known from a comment, the code knows better), or something `written`
    that the code contradicts, or `gradients`, whatever the dims are. Empty: none of these.
    """
    is_suspicion: ClassVar[bool] = False
    """Whether it is a doubt about legal code that readers report by default."""
    is_strict: ClassVar[bool] = False
    """Whether the rule is stricter than the libraries', so that the program may be right. A reader
    reports it only if the user turns it on; all other codes are on by default.
    """
    lines_up: ClassVar[bool] = False
    """Whether the dims of its operands are compared one by one, from the right: a reader may draw
    them so, below each other.
    """
    is_runtime_only: ClassVar[bool] = False
    """Whether only a running program shows it: no reader of source code finds it."""
    by_docstring: ClassVar[Belief] = "never"
    """Whether a reader reports it in a function whose dims are known only from its docstring:
    `certain` if the sizes do not fit, `data` only if they fit for just one value of a size that is
    read from data, or `never`.
    """
    in_any_configuration: ClassVar[bool] = False
    """Whether it is wrong in every configuration of a class: two tensors disagree, not a tensor and
    a number that the configuration gives.
    """

    op: str = ""
    blame: tuple[Blame, ...] = ()
    within: Mistake | None = None

    def __str__(self) -> str:
        return f"{self.code}: {self.message()}"

    @property
    def is_of_one_operand(self) -> bool:
        """Whether it is about two dims of one operand: an inverse is asked of a square matrix."""
        return len(self.blame) == 2 and self.blame[0].argument == self.blame[1].argument

    def with_op(self, op: str) -> Self:
        """This mistake as one of `op`, unless it already has an op."""
        return self if self.op else self.but(op=op)

    def in_order(self, shown: Sequence[str]) -> Self:
        """This mistake with its operands in the order of the code.

        `shown` are the dims of those to blame, as they are written there. A call may pass keywords
        in any order.
        """
        if not self.mutual or len(shown) != 2:
            return self
        fields = self.fields()
        first, second = self.mutual
        dims = show(fields[first]), show(fields[second])
        if dims[0] == dims[1] or dims != (shown[1], shown[0]):
            return self
        exchanged = {}
        for name in fields:
            if name.startswith(first):
                other = second + name[len(first) :]
                exchanged[name], exchanged[other] = fields[other], fields[name]
        return self.but(**exchanged, blame=self.blame[::-1])

    def sentence(self) -> str:
        """PyTorch's sentence if it has one, else the message.

        It is the `str()` of the exception that the runtime raises.
        """
        return self.message()

    def message(self) -> str:
        """Which two things disagree, in one line."""
        raise NotImplementedError(type(self).__name__)

    def hint(self) -> str | None:
        """What to do about it, in one line; None if there is no one thing to do."""
        return None

    @classmethod
    def documentation(cls) -> str:
        """The page of `namecheck explain`, as Markdown."""
        import textwrap  # it imports `re`, which would slow down the import of the rules

        first, _, rest = (cls.__doc__ or "").partition("\n")
        return f"{first.strip()}\n{textwrap.dedent(rest)}".strip()


_SUBSCRIPTS: Final = {"__getitem__": "index", "setitem": "assign"}


def verb(op: str) -> str:
    """How messages name an op.

    `torch.add` -> `add`, `Tensor.add_` -> `add_`, `nn.Linear` -> `Linear`, `x[0]` -> `index`.
    """
    word = op.rpartition(".")[2] or "combine"
    if word in _SUBSCRIPTS:
        return _SUBSCRIPTS[word]
    return f"set {word[:-1]} of" if word.endswith("=") else word


def counted(number: int, noun: str) -> str:
    """A number and its noun: `1 dim`, `2 dims`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def named_list(shape: Shape) -> str:
    """Names as PyTorch's sentences print them: `['N', None]`; unknown ones as `?`."""
    if not isinstance(shape, tuple):
        return show(shape)
    return "[" + ", ".join(name_text(dim.name) for dim in shape) + "]"


def name_text(name: object) -> str:
    """One name as PyTorch prints it in a list: `'N'` or `None`."""
    return repr(name) if name is None or isinstance(name, str) else "?"


def size_list(shape: Shape) -> str:
    """Sizes as PyTorch's sentences print them: `[2, 3]`."""
    if not isinstance(shape, tuple):
        return show(shape)
    return "[" + ", ".join(str(dim.size) for dim in shape) + "]"
