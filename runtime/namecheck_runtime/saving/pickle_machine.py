"""A reader of pickles that imports nothing and calls nothing but what it is given.

Python's own reader runs what a pickle says and takes its numbers as they are (a pickle of ten bytes
can ask for gigabytes).  This one has the instructions that PyTorch's files of weights are made of;
every other is refused by its number.  The names of `pickletools` are used for them.
"""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from namecheck_runtime.saving.refusals import refuse


class Known:
    """A function that a pickle may call, with the arguments that it says."""

    __slots__ = ("call",)

    def __init__(self, call: Callable[..., Any]) -> None:
        self.call = call


Find: TypeAlias = Callable[[str, str], Any]
Load: TypeAlias = Callable[[Any], Any]

_MARK: Final = object()
_STOP: Final = ord(".")


class PickleMachine:
    """Reads one pickle after the other from bytes.

    `find(module, name)` gives what stands for a global, `load(identifier)` what is kept outside the
    pickle; both raise for what they do not know.
    """

    def __init__(self, data: bytes, find: Find, load: Load) -> None:
        self._data = data
        self.place = 0
        """Where the next pickle begins."""
        self._find = find
        self._load = load
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def read(self) -> Any:
        """The object of the next pickle.

        Raises UnreadableFileError for instructions and calls that are not known, and whatever
        follows from altered ones (IndexError, TypeError, ...).
        """
        self._stack = []
        self._memo = {}
        while True:
            (instruction,) = self._bytes(1)
            if instruction == _STOP:
                (result,) = self._stack
                return result
            step = _STEPS.get(instruction)
            if step is None:
                refuse(f"its pickle has the instruction {instruction:#04x}, which is not read here")
            step(self)

    # -- its parts ---------------------------------------------------------------------------------

    def _bytes(self, count: int) -> bytes:
        part = self._data[self.place : self.place + count]
        if len(part) < count:
            refuse("its pickle is truncated")
        self.place += count
        return part

    def _number(self, form: str) -> Any:
        (number,) = struct.unpack(form, self._bytes(struct.calcsize(form)))
        return number

    def _line(self) -> str:
        end = self._data.index(b"\n", self.place)
        line = self._data[self.place : end]
        self.place = end + 1
        return line.decode("utf-8")

    def _to_mark(self) -> list[Any]:
        """What was pushed since the last mark, which goes, too."""
        place = len(self._stack) - 1
        while self._stack[place] is not _MARK:
            place -= 1
            if place < 0:
                refuse("its pickle lacks a mark")
        entries = self._stack[place + 1 :]
        del self._stack[place:]
        return entries

    def _push(self, value: Any) -> None:
        self._stack.append(value)

    def _pop(self) -> Any:
        value = self._stack.pop()
        if value is _MARK:
            refuse("its pickle has a mark where a value should be")
        return value

    def _top(self, *kinds: type) -> Any:
        """The value that an instruction changes.  Raises UnreadableFileError for other kinds."""
        value = self._stack[-1]
        if type(value) not in kinds:
            refuse(f"its pickle would change a {type(value).__name__}")
        return value

    # -- instructions ------------------------------------------------------------------------------

    def _tuple(self, count: int) -> None:
        entries = [self._pop() for _ in range(count)]
        self._push(tuple(reversed(entries)))

    def _append(self) -> None:
        value = self._pop()
        self._top(list).append(value)

    def _appends(self) -> None:
        entries = self._to_mark()
        self._top(list).extend(entries)

    def _set_item(self) -> None:
        value, key = self._pop(), self._pop()
        self._top(dict, OrderedDict)[key] = value

    def _set_items(self) -> None:
        entries = self._to_mark()
        container = self._top(dict, OrderedDict)
        for key, value in zip(entries[::2], entries[1::2], strict=True):
            container[key] = value

    def _add_items(self) -> None:
        entries = self._to_mark()
        self._top(set).update(entries)

    def _global(self) -> None:
        module = self._line()
        self._push(self._find(module, self._line()))

    def _stack_global(self) -> None:
        name, module = self._pop(), self._pop()
        if not isinstance(name, str) or not isinstance(module, str):
            refuse("its pickle names a global that is no text")
        self._push(self._find(module, name))

    def _reduce(self) -> None:
        arguments, function = self._pop(), self._pop()
        if type(function) is not Known or type(arguments) is not tuple:
            refuse(f"its pickle would call a {type(function).__name__}")
        self._push(function.call(*arguments))

    def _build(self) -> None:
        """Give an ordered dict the attribute that a module's `state_dict` has; nothing else."""
        state = self._pop()
        target = self._top(OrderedDict)
        if type(state) is not dict or state.keys() - {"_metadata"}:
            refuse("its pickle would set attributes of an object")
        for value in state.values():
            target._metadata = value

    def _outside(self) -> None:
        self._push(self._load(self._pop()))

    def _get(self, number: int) -> None:
        self._push(self._memo[number])

    def _put(self, number: int) -> None:
        self._memo[number] = self._stack[-1]

    def _text(self, form: str) -> None:
        self._push(self._bytes(self._number(form)).decode("utf-8", "surrogatepass"))

    def _whole(self, form: str) -> None:
        self._push(int.from_bytes(self._bytes(self._number(form)), "little", signed=True))


_Step: TypeAlias = Callable[[PickleMachine], None]


def _pushes(value: Any) -> _Step:
    return lambda machine: machine._push(value)


def _pushes_new(kind: type) -> _Step:
    return lambda machine: machine._push(kind())


def _pushes_number(form: str) -> _Step:
    return lambda machine: machine._push(machine._number(form))


def _pushes_bytes(form: str, kind: type = bytes) -> _Step:
    return lambda machine: machine._push(kind(machine._bytes(machine._number(form))))


_BY_LETTER: Final[dict[str, _Step]] = {
    "\x80": lambda machine: _check_protocol(machine._number("<B")),
    "\x95": lambda machine: machine._number("<Q"),  # FRAME
    "(": _pushes(_MARK),
    "0": lambda machine: machine._pop(),
    "N": _pushes(None),
    "\x88": _pushes(True),
    "\x89": _pushes(False),
    "J": _pushes_number("<i"),
    "K": _pushes_number("<B"),
    "M": _pushes_number("<H"),
    "G": _pushes_number(">d"),
    "\x8a": lambda machine: machine._whole("<B"),
    "\x8b": lambda machine: machine._whole("<I"),
    "\x8c": lambda machine: machine._text("<B"),
    "X": lambda machine: machine._text("<I"),
    "\x8d": lambda machine: machine._text("<Q"),
    "U": lambda machine: machine._text("<B"),  # texts of Python 2
    "T": lambda machine: machine._text("<I"),
    "C": _pushes_bytes("<B"),
    "B": _pushes_bytes("<I"),
    "\x8e": _pushes_bytes("<Q"),
    "\x96": _pushes_bytes("<Q", bytearray),
    ")": _pushes(()),
    "]": _pushes_new(list),
    "}": _pushes_new(dict),
    "\x8f": _pushes_new(set),
    "\x85": lambda machine: machine._tuple(1),
    "\x86": lambda machine: machine._tuple(2),
    "\x87": lambda machine: machine._tuple(3),
    "t": lambda machine: machine._push(tuple(machine._to_mark())),
    "l": lambda machine: machine._push(machine._to_mark()),
    "\x91": lambda machine: machine._push(frozenset(machine._to_mark())),
    "a": PickleMachine._append,
    "e": PickleMachine._appends,
    "s": PickleMachine._set_item,
    "u": PickleMachine._set_items,
    "\x90": PickleMachine._add_items,
    "c": PickleMachine._global,
    "\x93": PickleMachine._stack_global,
    "R": PickleMachine._reduce,
    "b": PickleMachine._build,
    "Q": PickleMachine._outside,
    "h": lambda machine: machine._get(machine._number("<B")),
    "j": lambda machine: machine._get(machine._number("<I")),
    "q": lambda machine: machine._put(machine._number("<B")),
    "r": lambda machine: machine._put(machine._number("<I")),
    "\x94": lambda machine: machine._put(len(machine._memo)),
}
_STEPS: Final = {ord(letter): step for letter, step in _BY_LETTER.items()}


def _check_protocol(protocol: int) -> None:
    if not 2 <= protocol <= 5:
        refuse(f"its pickle has protocol {protocol}, and 2 to 5 are read")
