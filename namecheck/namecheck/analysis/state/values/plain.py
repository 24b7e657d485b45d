"""Numbers, strings, None and what is not known: values without parts."""

from __future__ import annotations

from typing import Any, Final

from namecheck.analysis.state.values.tensors import Claimed, Tensor, sizes_claimed
from namecheck.analysis.state.values.value import Value
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Size


class Anything(Value):
    """An unknown value: it has an identity, and perhaps a place that it came from.

    `label` is the access path by which messages name it (`cfg.dim`, `heads`). `config` says that it
    stands for a constructor parameter or an attribute of one; its attributes are `config` values
    too, one per path. Used as a size it is the symbol `size()`, always the same one. `maybe` is the
    tensor that it is unless it is None.
    """

    __slots__ = (
        "_attributes",
        "_symbol",
        "callees",
        "choices",
        "config",
        "holders",
        "label",
        "maybe",
        "scalar",
        "spread",
        "varies",
        "whole",
    )

    def __init__(self, label: str = "", config: bool = False, maybe: Tensor | None = None) -> None:
        self.label = label
        self.config = config
        self.maybe = maybe
        self.choices: tuple[Value, ...] = ()
        """The values that a constructor chose it from: `width or 4 * dim`."""
        self.callees: tuple[Value, ...] = ()
        """The layers and functions that it is on some of the paths that met."""
        self.holders: tuple[Value, ...] = ()
        """The lists, dicts and objects that it is on some of the paths that met: what changes it
        changes one of them.
        """
        self.whole = True
        """Whether it is an int, if it is a number."""
        self.scalar = False
        """Whether it is a number if a constructor's parameters are numbers. An operator takes it
        for one; its dims and elements are not known.
        """
        self.spread = False
        """Whether it is, on one of the paths that met, a tensor with a dim of size 1."""
        self.varies = False
        """Whether it stands for the elements of all rounds of a loop."""
        self._symbol: Size = UNKNOWN
        self._attributes: dict[str, Anything] | None = None

    @classmethod
    def computed(cls, size: Size, whole: bool = True) -> Anything:
        """The result of arithmetic with an unknown operand: that size, or a tensor."""
        value = cls()
        value._symbol = size
        value.whole = whole
        return value

    @classmethod
    def presumed_scalar(cls) -> Anything:
        """What an op makes of numbers, if its operands are numbers."""
        value = cls()
        value.scalar = True
        return value

    @classmethod
    def chosen(cls, *choices: Value) -> Anything:
        """A constructor's choice among several sizes: a size of its own."""
        value = cls(config=True)
        value.choices = choices
        return value

    @property
    def unused(self) -> bool:
        """Whether its size was never read."""
        return self._symbol is UNKNOWN

    @property
    def has_elements(self) -> bool:
        """Whether the program reads an element of it: then it is no one size, or not always."""
        return self._attributes is not None and any(name[0] == "[" for name in self._attributes)

    @property
    def sized(self) -> bool:
        """Whether it has a name or a symbol as a size."""
        return self.label != "" or self._symbol is not UNKNOWN

    def size(self) -> Size:
        """The symbol of this value as a size."""
        if self._symbol is UNKNOWN:
            origin = sizes.Origin.CONFIG if self.config else sizes.Origin.DATA
            # Only its use shows whether a parameter without a default may be 0.
            self._symbol = symbol = sizes.symbol(self.label or "?", origin, least=0)
            if self.choices or self.varies:
                (atom,) = symbol.symbols()
                atom.choices, atom.varies = self.choices, self.varies
        return self._symbol

    def size_at_least(self, least: int) -> None:
        """Set the smallest value of the symbol."""
        origin = sizes.Origin.CONFIG if self.config else sizes.Origin.DATA
        self._symbol = sizes.symbol(self.label, origin, least)

    def attribute(self, name: str) -> Anything:
        """The value of an attribute; for a `config` value the same one each time."""
        if not self.config:
            return Anything(f"{self.label}.{name}" if self.label else "")
        if self._attributes is None:
            self._attributes = {}
        value = self._attributes.get(name)
        if value is None:
            value = self._attributes[name] = Anything(f"{self.label}.{name}", True)
        return value


class Number(Value):
    """An int, bool, float or complex; `size` is its value as far as sizes can express it.

    `claimed` is the comment that the value is known from, None if the program itself shows it.
    """

    __slots__ = ("claimed", "kind", "size")

    def __init__(
        self, size: Size = UNKNOWN, kind: str = "int", claimed: Claimed | None = None
    ) -> None:
        self.size = size
        self.kind = kind
        self.claimed = claimed


def read_off(tensor: Value, size: Size) -> Number:
    """The size of a dim, as a program reads it off a tensor.

    A symbol is what it is, whether a comment or the program names it; a number or a formula in a
    comment may be wrong.
    """
    claimed = tensor.claimed if isinstance(tensor, Tensor) else None
    return Number(size) if claimed is None or claimed.firm else claimed_number(size, claimed)


def claimed_number(size: Size, claimed: Claimed) -> Number:
    """An int that follows from a claim; a symbol is what it is, whatever names it."""
    if size is UNKNOWN or sizes.plain_symbol(size) is not None:
        return Number(size)
    return Number(size, claimed=sizes_claimed(claimed))


class Constant(Value):
    """A known Python value: bool, float, complex, str, bytes, None or `...`."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class OtherArray(Value):
    """An object that computes like an array, by rules of its own: a sparse matrix, a table.

    Its methods and operators have the names of an array's, and give such objects in turn. With
    `is_tensor` it is of a class of the project that derives from a tensor's: the functions of the
    library give such objects, too.
    """

    __slots__ = ("is_tensor",)

    def __init__(self, is_tensor: bool = False) -> None:
        self.is_tensor = is_tensor


class LeftOut(Constant):
    """The None of a parameter that has no argument where a class is tried with its defaults.

    The program's users may still give one, so a test of the parameter decides nothing.
    """

    __slots__ = ()


class Text(Value):
    """A string that is not known."""

    __slots__ = ()


def choices_of(atom: sizes.Symbol) -> list[Size]:
    """The known sizes among those that a constructor chose this one from."""
    choices: list[Size] = []
    for choice in atom.choices:
        if isinstance(choice, Number):
            choices.append(choice.size)
        elif isinstance(choice, Anything):
            choices.append(choice.size())
    return choices


NONE: Final = Constant(None)

LEFT_OUT: Final = LeftOut(None)

TRUE: Final = Constant(True)

FALSE: Final = Constant(False)

FEATURE: Final = Number(kind="bool")
"""Whether a library has a feature: only the installation decides that."""


MISSING: Final = Anything()
"""The value of an attribute that an instance does not have, where Python raises."""


def number(value: int) -> Value:
    """A known int."""
    return Number(value)


def known(value: Value) -> tuple[Any] | None:
    """The Python value, in a tuple, if it is known; else None."""
    if isinstance(value, Constant):
        return (value.value,)
    if isinstance(value, Number) and isinstance(value.size, int):
        return (value.size,)
    return None


def is_text(value: Value) -> bool:
    """Whether a value is a string, known or not."""
    return isinstance(value, Text) or (isinstance(value, Constant) and isinstance(value.value, str))


def kind_of_number(value: Value) -> str:
    """`int`, `bool`, `float`, `complex` or `number`; "" if the value is not known to be one."""
    if isinstance(value, Number):
        return value.kind
    if isinstance(value, Constant):
        for kind in (bool, float, complex):
            if type(value.value) is kind:
                return kind.__name__
    return ""
