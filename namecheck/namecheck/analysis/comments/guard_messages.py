"""The dims that a guard names in its message.

    if x.ndim != 3:
        raise ValueError("x must be (B, T, C)")

Behind the guard the tensor has as many dims, and the message says what they are called.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.any_rank import ranked
from namecheck.analysis.reading.walking import walk, walk_for
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.notation.comments import read_bracket
from namecheck_runtime.notation.syntax import WrittenShape
from namecheck_runtime.notation.written import plain_name

SAID: Final = "error message"
"""What messages and notes call the source of these claims."""


class Message(NamedTuple):
    """What the message of a guard calls the dims of a variable."""

    owner: str
    written: WrittenShape
    line: int


_GUARDS: Final = frozenset({ir.If, ir.Assert})


@ir.read_once
def messages_of(function: ir.Remembering) -> Mapping[int, Message]:
    """The messages of a function's guards of the number of dims, by the number of the test."""
    found: dict[int, Message] = {}
    for record in walk_for(function, _GUARDS):
        test: ir.Expression | None = None
        text: str | None = None
        operator = ""
        match record:
            case ir.If(tested, (ir.Raise(ir.Call(_, (message, *_), ())),), ()):
                test, text, operator = tested, _text(message), "!="
            case ir.Assert(tested, message) if message is not None:
                test, text, operator = tested, _text(message), "=="
        if test is None or text is None or not isinstance(record, ir.Statement):
            continue
        owner = _owner(test, operator)
        written = _shape_in(text)
        if owner is not None and written is not None:
            found[test.id] = Message(owner, written, record.line)
    return found


def _text(message: ir.Expression) -> str | None:
    """The text of a message up to what it got."""
    match message:
        case ir.Str(text):
            whole = text
        case ir.FString(parts):
            whole = "".join([part if isinstance(part, str) else "\0" for part in parts])
        case _:
            return None
    return _GOT.split(whole, maxsplit=1)[0]


def _shape_in(text: str) -> WrittenShape | None:
    """The one shape in a message, if each of its dims has a name of its own or is a number."""
    brackets = _BRACKET.findall(text)
    if len(brackets) != 1 or _OR.search(text):
        return None
    written = read_bracket(brackets[0])
    if written is None:
        return None
    names = [plain_name(dim) for dim in written.dims if not isinstance(dim.term, int)]
    if None in names or len(set(names)) < len(names):
        return None
    # What the program does not test of the sizes themselves, a message does not decide.
    dims = [dim._replace(term=None) if isinstance(dim.term, int) else dim for dim in written.dims]
    return written._replace(dims=tuple(dims))


_GOT: Final = regex(r"\b(?:but|got|found|given|received|instead|has)\b|\0", re.I)
_OR: Final = regex(r"\bor\b", re.I)
_BRACKET: Final = regex(r"[(\[][^()\[\]]*,[^()\[\]]*[)\]]")


def _owner(test: ir.Expression, operator: str) -> str | None:
    """The one variable whose number of dims a test compares."""
    owners = []
    for record in walk(test):
        match record:
            case ir.Boolean(_, joint) if joint != ("or" if operator == "!=" else "and"):
                return None
            case ir.Comparison(left, (symbol,), (ir.Int(),)) if symbol == operator:
                owner = ranked(left)
                if isinstance(owner, ir.Name):
                    owners.append(owner.name)
    return owners[0] if len(owners) == 1 else None


__all__ = ["SAID", "Message", "messages_of"]
