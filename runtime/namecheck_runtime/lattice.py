"""What may be known about a dim: its name, its size, and how sure an answer about it is.

These are the values that all other modules use (`Dim`, `Dims`, `Shape`, `UNKNOWN`, `Truth`).  How
sizes are computed and compared is in `sizes`; what ops do to dims is in `algebra` and `rules`.
"""

from __future__ import annotations

from enum import Enum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, TypeAlias


class Unknown(Enum):
    """The type of `UNKNOWN`: not known.

    The name `None` is another thing: a dim with it is known to be unnamed.
    """

    UNKNOWN = "UNKNOWN"

    __hash__ = object.__hash__  # that of `Enum` is a call of Python

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __str__(self) -> str:
        """As messages show it."""
        return "?"

    def __bool__(self) -> bool:
        raise TypeError("UNKNOWN is neither true nor false; compare with `is UNKNOWN`")


UNKNOWN: Final = Unknown.UNKNOWN


class Truth(Enum):
    """A three-valued answer.  `bool()` raises: ask `.definite`, `.possible` or `is Truth.NO`."""

    YES = "yes"
    MAYBE = "maybe"
    NO = "no"

    @property
    def definite(self) -> bool:
        """True when the answer is YES for certain."""
        return self is Truth.YES

    @property
    def possible(self) -> bool:
        """True unless the answer is NO for certain."""
        return self is not Truth.NO

    def __bool__(self) -> bool:
        raise TypeError("a Truth has three values: ask .definite, .possible or `is Truth.NO`")


class Symbolic:
    """A size that is not a plain int; `sizes.Polynomial` is its only implementation."""

    __slots__ = ()


Name: TypeAlias = "str | Unknown | None"
Size: TypeAlias = "int | Symbolic | Unknown"


class Mark(Enum):
    """Something that an op or a person did to a dim, or along it."""

    INSERTED = "inserted"
    """A person wrote this 1 down (`None` in a subscript, `unsqueeze`), so that broadcasting over it
    is meant.
    """
    STATED = "stated"
    """A person gave this 1 as a size of a new tensor: `zeros(n, 1)`."""
    FEATURE = "feature"
    """The only feature of a layer (`nn.Linear(d, 1)`): this 1 is not meant to broadcast."""
    QUERIES = "queries"
    """The axis of scores (a product of two activations) that comes from the first of them."""
    KEYS = "keys"
    """The axis of scores that comes from the second of them: what each query scores."""
    NORMALISED = "normalised"
    """A softmax was taken along it, so that its elements add up to 1."""
    SYMMETRIC = "symmetric"
    """It may be exchanged with another dim of the tensor that is marked so: `x @ x.T`."""

    def __repr__(self) -> str:
        return self.name


class Trace:
    """Where a dim comes from, for readers that explain their findings.

    `factors` are the dims that were merged into it, in row-major order; `marks` say what was done
    to it, and `since` is the place of the last mark. No answer of a rule depends on `origin` or
    `since`. `word` is what the program calls the size, if that is a number: "b" after `b, c =
    x.shape` of a tensor `[2, 3]`.
    """

    __slots__ = ("factors", "marks", "origin", "since", "word")

    def __init__(
        self,
        origin: Any = None,
        factors: tuple[Dim, ...] = (),
        marks: frozenset[Mark] = frozenset(),
        since: Any = None,
        word: str = "",
    ) -> None:
        self.origin: Final = origin
        self.factors: Final = factors
        self.marks: Final = marks
        self.since: Final = since
        self.word: Final = word

    def _replace(self, **changes: Any) -> Trace:
        """The same with some fields changed, as for a named tuple."""
        return Trace(**{**self._fields(), **changes})

    def _fields(self) -> dict[str, Any]:
        return {
            "origin": self.origin,
            "factors": self.factors,
            "marks": self.marks,
            "since": self.since,
            "word": self.word,
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace) and (
            self.origin == other.origin
            and self.factors == other.factors
            and self.marks == other.marks
            and self.since == other.since
            and self.word == other.word
        )

    def __hash__(self) -> int:
        return hash((self.origin, self.factors, self.marks, self.since, self.word))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self._fields().items())
        return f"Trace({fields})"


class Dim:
    """One dim of a tensor: a name and a size, each of which may be UNKNOWN.

    Equality ignores the trace.
    """

    __slots__ = ("name", "size", "trace")

    name: Final[Name]
    size: Final[Size]
    trace: Final[Trace | None]

    def __init__(self, name: Name = None, size: Size = UNKNOWN, trace: Trace | None = None) -> None:
        self.name = name
        self.size = size
        self.trace = trace

    def resize(self, size: Size) -> Dim:
        """The same name with another size, and no trace: its factors have another product."""
        return Dim(self.name, size)

    def rename(self, name: Name) -> Dim:
        """The same size and trace under another name."""
        return Dim(name, self.size, self.trace)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dim):
            return NotImplemented
        return self.name == other.name and self.size == other.size

    def __hash__(self) -> int:
        return hash((self.name, self.size))

    def __repr__(self) -> str:
        return f"Dim({self.name!r}, {self.size!r})"

    @property
    def word(self) -> str:
        """What the program calls the size, if that is a number; else ""."""
        return self.trace.word if self.trace is not None and isinstance(self.size, int) else ""

    def __str__(self) -> str:
        """As messages show it: `N`, `N=3`, `3`, `?` (neither name nor size is known).

        A number with a word looks like one with a name.
        """
        size = "" if self.size is UNKNOWN else str(self.size)
        if isinstance(self.name, str):
            return f"{self.name}={size}" if size and size != self.name else self.name
        if self.word:
            return f"{self.word}={size}"
        return size or "?"


Dims: TypeAlias = "tuple[Dim, ...]"

MOST_DIMS: Final = 64
"""The most dims that NumPy's arrays and PyTorch's named tensors may have."""


class Trailing:
    """A shape of unknown rank whose last dims are known: `[..., T, C]`.

    Raises ValueError for no dims: that shape is UNKNOWN.
    """

    __slots__ = ("dims",)

    dims: Final[Dims]

    def __init__(self, dims: Dims) -> None:
        if not dims:
            raise ValueError("a Trailing shape knows at least its last dim; write UNKNOWN")
        self.dims = dims

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trailing) and self.dims == other.dims

    def __hash__(self) -> int:
        return hash(("...", self.dims))

    def __repr__(self) -> str:
        return f"Trailing({self.dims!r})"

    def __str__(self) -> str:
        return "[..., " + ", ".join(map(str, self.dims)) + "]"


Shape: TypeAlias = "Dims | Trailing | Unknown"


def trailing(dims: Dims) -> Shape:
    """The shape of unknown rank that ends in `dims`; UNKNOWN if there are none."""
    return Trailing(dims) if dims else UNKNOWN


def known_dims(shape: Shape) -> Dims:
    """The dims that are known, counted from the right: all, the last few, or none."""
    if isinstance(shape, tuple):
        return shape
    return shape.dims if isinstance(shape, Trailing) else ()


def unknown_dims(rank: int) -> Dims:
    """`rank` dims whose names and sizes are UNKNOWN."""
    return (Dim(UNKNOWN, UNKNOWN),) * rank


def show(shape: Shape) -> str:
    """A shape as messages print it: `[N=2, C]`, `[..., T]`, `[?]` if even the rank is unknown."""
    if isinstance(shape, tuple):
        return "[" + ", ".join(map(str, shape)) + "]"
    return str(shape) if isinstance(shape, Trailing) else "[?]"
