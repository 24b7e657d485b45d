"""The small common syntax of shapes that people write: a written shape is a tuple of written dims.

Every reader of this package (jaxtyping strings, comments, docstrings, einsum, einops, our own
signatures) returns these values.  The caller decides what a written dim means, that is, which name
and size it has in the program around it.  Positions are offsets into the string that was read, so
that a caret can mark one dim of a longer string.
"""

from __future__ import annotations

from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.light.regexes import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, TypeAlias

__all__ = [
    "Arithmetic",
    "NotationError",
    "Term",
    "WrittenDim",
    "WrittenShape",
    "names_of",
    "render",
    "render_term",
]


class NotationError(ValueError):
    """A written shape that its own grammar does not admit.

    `reason` states why in one clause; `text[start:end]` is the part to blame. Whoever defines the
    grammar notices most of them when the shape is written, and one that `is_late` only when a
    value is compared with the shape.
    """

    def __init__(self, text: str, start: int, end: int, reason: str, is_late: bool = False) -> None:
        super().__init__(text, start, end, reason)
        self.text = text
        self.start = start
        self.end = end
        self.reason = reason
        self.is_late = is_late

    def __str__(self) -> str:
        """The reason, then the line of text with carets under the part to blame."""
        first = self.text.rfind("\n", 0, self.start) + 1
        last = self.text.find("\n", first)
        line = self.text[first:] if last < 0 else self.text[first:last]
        width = max(1, min(self.end, first + len(line)) - self.start)
        return f"{self.reason}\n    {line}\n    {' ' * (self.start - first)}{'^' * width}"


class Arithmetic(NamedTuple):
    """`left operator right`, with operator one of `+ - * / // **`."""

    operator: str
    left: Term
    right: Term


# A name, an int, or arithmetic over these.  In comments a name may also be a path (`self.heads`,
# `sizes[0]`) and have primes (`H'`).
Term: TypeAlias = "str | int | Arithmetic"


class WrittenDim(NamedTuple):
    """One dim as written.

    `term` is None if the text does not say a size: `_`, `_rows`, `...`, `*`, `min(a, b)`.
    """

    term: Term | None
    start: int
    end: int
    many: bool = False
    """Whether it stands for any number of dims: `...`, `*batch`."""
    broadcastable: bool = False
    """Whether it may have size 1 instead: `#n`."""
    tree: bool = False
    """Whether it is a separate variable for each leaf of a tree: `?n` (jaxtyping)."""
    primed: bool = False
    """Whether it only has the size of its name, which is not compared: `k'` in a signature."""
    alias: str | None = None
    """A name beside the term: `rows` in `rows=4` and `_rows`, `B` in `B:2`."""


class WrittenShape(NamedTuple):
    """The dims of one shape, and its place in the string that was read."""

    dims: tuple[WrittenDim, ...]
    start: int
    end: int


def names_of(term: Term | None) -> tuple[str, ...]:
    """The names in a term, from left to right, each as often as it occurs."""
    match term:
        case str():
            return (term,)
        case Arithmetic(_, left, right):
            return names_of(left) + names_of(right)
        case _:
            return ()


_BINDING: Final = {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "**": 3}


def render_term(term: Term) -> str:
    """The text of a term, without spaces, with the fewest parentheses that keep its meaning."""
    if not isinstance(term, Arithmetic):
        return str(term)
    binding = _BINDING[term.operator]
    left, right = render_term(term.left), render_term(term.right)
    power = term.operator == "**"
    if _binding(term.left) < binding + power:
        left = f"({left})"
    if _binding(term.right) < binding + (not power):
        right = f"({right})"
    return f"{left}{term.operator}{right}"


def _binding(term: Term) -> int:
    if isinstance(term, Arithmetic):
        return _BINDING[term.operator]
    return 0 if isinstance(term, int) and term < 0 else 4


def render(shape: WrittenShape, separator: str = " ") -> str:
    """The shape in jaxtyping's spelling (`"B *rest 2*C"`), or with another separator (`", "`).

    `read_jaxtyping` reads the text back to the same dims if the names are identifiers and none is
    primed.
    """
    return separator.join(map(_render_dim, shape.dims))


def _render_dim(dim: WrittenDim) -> str:
    marks = "#" * dim.broadcastable + "?" * dim.tree
    if dim.term is None:
        if dim.many:
            return marks + "..." if dim.alias is None else f"{marks}*_{dim.alias}"
        return f"{marks}_{dim.alias or ''}"
    named = f"{dim.alias}=" if dim.alias is not None else ""
    return f"{'*' * dim.many}{marks}{named}{render_term(dim.term)}{chr(39) * dim.primed}"


class Token(NamedTuple):
    """`kind` is "name", "int" or, for signs and brackets, the sign itself."""

    kind: str
    text: str
    start: int
    end: int


class Misread(Exception):
    """No term starts here; `token` is where reading stopped, None at the end."""

    def __init__(self, token: Token | None) -> None:
        self.token = token


# A more deeply nested text is not a dim; the limit bounds the work and the recursion.
_DEEPEST: Final = 12


def parse_term(
    tokens: list[Token], at: int, stop: int, *, juxtaposed: bool = False, least: int = 1
) -> tuple[Term, int]:
    """The longest term at the start of `tokens[at:stop]`, and the index behind it.

    With `juxtaposed`, `2d`, `3 x C`, `H'W'` and `2(N+1)` are products, as in prose.  Raises Misread
    if no term starts there.
    """
    return _parse(tokens, at, stop, juxtaposed, least, _DEEPEST)


def _parse(
    tokens: list[Token], at: int, stop: int, juxtaposed: bool, least: int, depth: int
) -> tuple[Term, int]:
    left, at = _parse_atom(tokens, at, stop, juxtaposed, depth)
    while at < stop:
        token = tokens[at]
        operator, step = token.kind, 1
        if operator not in _BINDING:
            if not juxtaposed or not _multiplies(tokens, at, stop):
                break
            operator, step = "*", int(token.text in ("x", "X") and token.kind == "name")
        binding = _BINDING[operator]
        if binding < least:
            break
        power = operator == "**"
        right, at = _parse(tokens, at + step, stop, juxtaposed, binding + (not power), depth - 1)
        left = Arithmetic(operator, left, right)
    return left, at


def _multiplies(tokens: list[Token], at: int, stop: int) -> bool:
    """Whether the token after an operand multiplies it: `3 x C`, or something glued to it."""
    token, before = tokens[at], tokens[at - 1]
    if token.kind == "name" and token.text in ("x", "X") and at + 1 < stop:
        if tokens[at + 1].kind in ("name", "int", "("):
            return True
    if token.start != before.end or token.kind not in ("name", "("):
        return False
    return token.kind == "name" or not _is_aside(tokens, at, stop)


def _is_aside(tokens: list[Token], at: int, stop: int) -> bool:
    """Whether parentheses hold another size for the one before: `37(14)` of `(N, 37(14), 3)`."""
    return at + 2 < stop and tokens[at + 1].kind == "int" and tokens[at + 2].kind == ")"


def _parse_atom(
    tokens: list[Token], at: int, stop: int, juxtaposed: bool, depth: int
) -> tuple[Term, int]:
    if at >= stop or depth == 0:
        raise Misread(tokens[at] if at < stop else None)
    token = tokens[at]
    match token.kind:
        case "int":
            return int(token.text), at + 1
        case "name":
            return token.text, at + 1
        case "-" if at + 1 < stop and tokens[at + 1].kind == "int":
            return -int(tokens[at + 1].text), at + 2
        case "(":
            inner, at = _parse(tokens, at + 1, stop, juxtaposed, 1, depth - 1)
            if at >= stop or tokens[at].kind != ")":
                raise Misread(tokens[at] if at < stop else None)
            return inner, at + 1
        case _:
            raise Misread(token)


# Longer terms would make trees too deep for Python's recursion.
_LONGEST: Final = 100
# A longer int is not a size; Python also refuses to read very long ones.
_TOKEN: Final = regex(r"(\d{1,18}(?!\d))|([^\W\d]\w*)|\*\*|//|[-+*/()]")


def read_term(text: str, start: int, end: int) -> Term | None:
    """The term that `text[start:end]` is, or None.  Admits no spaces."""
    tokens: list[Token] = []
    at = start
    while at < end:
        match = _TOKEN.match(text, at, end)
        if match is None or len(tokens) == _LONGEST:
            return None
        number, name = match.groups()
        kind = "int" if number else "name" if name else match.group()
        tokens.append(Token(kind, match.group(), at, match.end()))
        at = match.end()
    try:
        term, stop = parse_term(tokens, 0, len(tokens))
    except Misread:
        return None
    return term if stop == len(tokens) else None


def words_of(text: str) -> list[tuple[str, int, int]]:
    """The words of a text between white space, each with its start and end."""
    return [(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]


_WORD: Final = regex(r"\S+")
