"""Files of data that a drive reads under a path that it spells: `json.load(open("model.json"))`.

What is in the file is what the program computes with. A path is an object that keeps its text; so
is an open file, and what is read of it as a text.
"""

from __future__ import annotations

import os.path
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.objects import own_objects
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.scalars import rests_on_claim, wrap
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Dict,
    Instance,
    List,
    Tuple,
    Value,
    known,
)
from namecheck.frameworks import data_files as words
from namecheck.text.data_formats import UNCLEAR, is_number, read_data
from namecheck.text.file_parts import BYTES

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

CALLS: Final[frozenset[str]] = frozenset(
    {words.JOINS, words.FOLDER_OF, *words.MADE_WHOLE, *words.READS}
)
"""The functions that `call` knows."""

TEXT: Final = "<path>"
"""The attribute of a path that has its text."""

THIS_FILE: Final = words.THIS_FILE
METHODS: Final = words.METHODS

MOST: Final = 4_000
"""The most values of one file that are kept."""
DEEPEST: Final = 24
"""How deep they lie at most: YAML may hold a list that is in itself."""

_STANDS_FOR: Final = "${"


def this_file(ev: Evaluator) -> Value:
    """`__file__`."""
    return wrap(ev.frame.source.file.real)


def is_path(value: Value) -> bool:
    """Whether a value is a path, or a file that is open."""
    return isinstance(value, Instance) and words.PATH in value.cls.decorators


def text_of(ev: Evaluator, value: Value) -> str | None:
    """The text of a path that is known."""
    value = ev.resolve(value)
    if isinstance(value, Instance) and is_path(value):
        value = ev.resolve(ev.cells[value, TEXT])
    constant = known(value)
    if constant is None or not isinstance(constant[0], str) or rests_on_claim(ev, value):
        return None
    return constant[0]


def _path(ev: Evaluator, text: str) -> Value:
    path = Instance(own_objects.empty_class("Path", ev.frame.source), "path")
    path.cls.decorators = (words.PATH,)
    ev.cells[path, TEXT] = wrap(text)
    return path


def joined(ev: Evaluator, left: Value, right: Value) -> Value:
    """`left / right` of paths."""
    texts = text_of(ev, left), text_of(ev, right)
    if texts[0] is None or texts[1] is None:
        return Anything()
    return _path(ev, os.path.join(texts[0], texts[1]))


def attribute(ev: Evaluator, path: Instance, name: str) -> Value:
    """An attribute of a path that is none of the `METHODS`."""
    text = text_of(ev, path)
    if text is None:
        return Anything()
    if name in words.CHANGING:
        ev.units.written.add(os.path.basename(text))
    if name == words.PARENT:
        return _path(ev, os.path.dirname(text))
    if name == words.PARENTS:
        above: list[Value] = []
        while text != os.path.dirname(text):
            text = os.path.dirname(text)
            above.append(_path(ev, text))
        return Tuple(above)
    return Anything()


def call_method(
    ev: Evaluator, path: Instance, name: str, arguments: Sequence[Argument], keywords: Keywords
) -> Value:
    """The value of a method of a path, or of an open file."""
    if name == "open" and _is_written(ev, path, arguments[:1], keywords):
        return Anything()
    if name in words.SAME:
        return path
    texts = [text_of(ev, path), *(text_of(ev, argument.value) for argument in arguments)]
    parts = [text for text in texts if text is not None]
    if len(parts) < len(texts) or (name == words.RENAME and len(parts) != 2):
        return Anything()
    if name == words.RENAME:
        parts[0] = os.path.dirname(parts[0])
    return _path(ev, os.path.join(parts[0], *parts[1:]))


def call(ev: Evaluator, path: str, arguments: Sequence[Argument], keywords: Keywords) -> Value:
    """The value of a function of paths, of opening a file, or of reading it."""
    if path in words.READS:
        return _read(ev, path, arguments)
    texts = [text_of(ev, argument.value) for argument in arguments]
    parts = [text for text in texts if text is not None]
    if path == words.OPEN:
        parts = parts[: 1 if texts and texts[0] is not None else 0]
        if not parts or _is_written(ev, arguments[0].value, arguments[1:2], keywords):
            return Anything()
    elif not parts or len(parts) < len(texts):
        return Anything()
    if path == words.FOLDER_OF:
        return wrap(os.path.dirname(parts[0]))
    whole = os.path.join(parts[0], *parts[1:])
    if path == words.OPEN or path in words.PATHS:
        return _path(ev, whole)
    return wrap(os.path.normpath(whole) if path != words.JOINS else whole)


def _is_written(ev: Evaluator, path: Value, modes: Sequence[Argument], keywords: Keywords) -> bool:
    """Whether a file may be opened to write to it; what it holds is not known from then on."""
    mode = keywords["mode"] if "mode" in keywords else modes[0] if modes else None
    constant = None if mode is None else known(ev.resolve(mode.value))
    is_read = mode is None or (constant is not None and words.WRITES.isdisjoint(str(constant[0])))
    text = text_of(ev, path)
    if not is_read and text is not None:
        ev.units.written.add(os.path.basename(text))
    return not is_read


def _read(ev: Evaluator, path: str, arguments: Sequence[Argument]) -> Value:
    """What a file holds; unknown if the program may have written it."""
    file = ev.frame.source.file
    text = text_of(ev, arguments[0].value) if arguments else None
    if text is None or file.program is None or os.path.basename(text) in ev.units.written:
        return Anything()
    if path.endswith(words.OF_TEXT) and not is_path(ev.resolve(arguments[0].value)):
        return Anything()  # the program spells the text itself
    place, content = file.program.data(file, text)
    if place is not None:
        ev.used.add((place, BYTES))
    data = UNCLEAR if content is None else read_data(words.READS[path], content)
    value = _value(ev, data, [MOST], DEEPEST)
    maker = words.WITH_ATTRIBUTES.get(path)
    if maker is not None and isinstance(value, Dict):
        return own_objects.namespace(ev, maker, (Argument(value),), {})
    return value


def _value(ev: Evaluator, data: Any, left: list[int], depth: int) -> Value:
    """What was read as values; `left` has the number of values that may still be made.

    A text that stands for another value, or that some readers take for a number, is not known.
    """
    left[0] -= 1
    if data is UNCLEAR or left[0] < 0 or depth == 0:
        return Anything()
    if isinstance(data, str) and (_STANDS_FOR in data or is_number(data)):
        return Anything()
    if data is None:
        return NONE
    if isinstance(data, list):
        row = List()
        ev.fill(row, [_value(ev, one, left, depth - 1) for one in data])
        return row
    if isinstance(data, dict):
        table = Dict()
        ev.cells[table] = {key: _value(ev, one, left, depth - 1) for key, one in data.items()}
        return table
    if isinstance(data, (bool, int, float, str)):
        return wrap(data)
    return Anything()


__all__ = [
    "CALLS",
    "METHODS",
    "THIS_FILE",
    "attribute",
    "call",
    "call_method",
    "is_path",
    "joined",
    "this_file",
]
