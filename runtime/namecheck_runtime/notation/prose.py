"""Shapes in running text: the forms in which people write them, and the dims in them.

A `Candidate` is a text that could be a shape by its form.  Whether it is one depends on the text
around it, which `groups.py` and `judgement.py` look at.
"""

from __future__ import annotations

from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.light.regexes import regex

from .syntax import Arithmetic, Misread, Term, Token, WrittenDim, WrittenShape, names_of, parse_term
from .tokens import Text
from .words import BAD, DIGITS, LAYOUTS, LETTER, STRONG, WEAK, weigh, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

__all__ = [
    "BRACKET",
    "COMMAS",
    "CROSS",
    "LETTERS",
    "SPACES",
    "Candidate",
    "bare_shape",
    "bracket_shape",
    "cross_shape",
]

BRACKET, CROSS, COMMAS, SPACES, LETTERS = "bracket", "cross", "commas", "spaces", "letters"


# In tokens.  It bounds the attempts at each place, so that a text takes linear time.
_LONGEST: Final = 80


class Candidate(NamedTuple):
    """A text that could be a shape: tokens `first` to `stop`, and the weight of each dim."""

    shape: WrittenShape
    form: str
    weights: tuple[int, ...]
    first: int
    stop: int
    closed: bool
    """Only a shape is written like this: `(B,)`, `torch.Size([B, C])`."""


# ------------------------------------------------------------------------------------------ dims

_COMPACT: Final = regex(
    r"(?:\d+|[A-Z]{1,3})(?:x(?:\d+|[A-Z]{1,3}))+|(?:\d+|[a-wyz])(?:x(?:\d+|[a-w]))+"
)
_CALLED: Final = frozenset({"dim", "axis", "keepdim", "keepdims", "default", "dtype", "eps", "p"})


def _is_compact(text: str) -> bool:
    """Whether a word is several dims with `x` between them: `3xHxW`."""
    return "x" in text and _COMPACT.fullmatch(text) is not None


class _NoDim(Exception):
    """The tokens are not a dim."""


def _read_dim(text: Text, first: int, stop: int) -> tuple[WrittenDim, int]:
    """The dim in tokens `first` to `stop`, and its weight.  Raises _NoDim if they are not one."""
    tokens = text.tokens
    if first >= stop:
        raise _NoDim
    start, end = tokens[first].start, tokens[stop - 1].end
    kinds = [token.kind for token in tokens[first:stop]]
    if len(kinds) == 1:
        match kinds[0]:
            case "dots" | "*":
                return WrittenDim(None, start, end, many=True), STRONG
            case "?":
                return WrittenDim(None, start, end), DIGITS
            case "name" if tokens[first].text == "_":
                return WrittenDim(None, start, end), DIGITS
    if kinds == ["-", "int"]:
        if tokens[first + 1].text != "1":
            raise _NoDim
        return WrittenDim(None, start, end), DIGITS
    if kinds[0] in ("*", "dots") and kinds[1:] == ["name"] and text.glued(first + 1):
        name = tokens[first + 1].text
        return WrittenDim(name, start, end, many=True), max(weigh(name), STRONG)
    if kinds[0] == "#" and len(kinds) > 1:
        dim, weight = _read_dim(text, first + 1, stop)
        return dim._replace(start=start, broadcastable=True), weight
    if len(kinds) >= 3 and kinds[0] == "name" and kinds[1] in ("=", ":"):
        alias = tokens[first].text
        if alias in _CALLED:
            raise _NoDim
        term = _read_term(text, first + 2, stop)
        weight = weigh(alias) if isinstance(term, int) else min(weigh(alias), WEAK)
        return WrittenDim(term, start, end, alias=alias), weight
    if _calls(text, first, stop) or any(mark in text.text[start:end] for mark in "²³"):
        return WrittenDim(None, start, end), WEAK
    if kinds == ["(", "name", ")"]:
        # `[B, (T), C]`: a dim that may be missing.
        raise _NoDim
    if kinds.count("name") == len(kinds) > 1 and not _is_cross(tokens[first + 1]):
        if not text.glued(first + 1):
            return _read_words(text, first, stop)
    term = _read_term(text, first, stop)
    return WrittenDim(term, start, end), _weigh_term(term)


def _read_term(text: Text, first: int, stop: int) -> Term:
    tokens = text.tokens
    if stop - first == 1 and _is_compact(tokens[first].text):
        return _product([_atom(part) for part in tokens[first].text.split("x")])
    normal = [
        token._replace(kind="*") if token.kind == "×" else token for token in tokens[first:stop]
    ]
    try:
        term, end = parse_term(normal, 0, len(normal), juxtaposed=True)
    except Misread:
        end, term = -1, 0
    if end == len(normal) and not (isinstance(term, int) and term == 0):
        return term
    # `(H W)`: dims that are merged in parentheses.
    if tokens[first].kind == "(" and text.match.get(first) == stop - 1:
        return _product(_read_sequence(text, first + 1, stop - 1))
    raise _NoDim


def _atom(written: str) -> Term:
    return int(written) if written.isdecimal() else written


def _product(terms: Sequence[Term]) -> Term:
    if not terms:
        raise _NoDim
    product = terms[0]
    for term in terms[1:]:
        product = Arithmetic("*", product, term)
    return product


def _read_words(text: Text, first: int, stop: int) -> tuple[WrittenDim, int]:
    """The dim that several words name together: `batch size`, `image tokens`."""
    texts = [token.text for token in text.tokens[first:stop]]
    if len(texts) > 3 or any(weigh(word) != STRONG and word not in _UNITS for word in texts):
        raise _NoDim
    dim = WrittenDim("_".join(texts), text.tokens[first].start, text.tokens[stop - 1].end)
    return dim, STRONG if texts[-1] in _UNITS else WEAK


_UNITS: Final = words("size length len count number dimension dim n position max")


def _calls(text: Text, first: int, stop: int) -> bool:
    """Whether the tokens call a function (`ceil(T/2)`), so that the size is not known."""
    for at in range(first + 1, stop):
        if text.tokens[at].kind == "(" and text.glued(at):
            before = text.tokens[at - 1]
            closes = text.match.get(at, stop)
            if before.kind == "name" and len(before.text) > 1 and closes < stop:
                return True
    return False


def _weigh_term(term: Term) -> int:
    """The weight of a term; arithmetic is strong unless a name in it is doubtful."""
    match term:
        case str():
            return weigh(term)
        case int():
            return DIGITS
        case Arithmetic():
            weights = [weigh(name) for name in names_of(term)]
            if not weights:
                return DIGITS
            return min(weights) if min(weights) <= WEAK else STRONG


# ----------------------------------------------------------------------------------------- forms


def bracket_shape(text: Text, first: int) -> Candidate | None:
    """A shape in brackets, or None: `(B, T, C)`, `(b h n d)`, `[B x T]`, `torch.Size([B, C])`."""
    tokens = text.tokens
    opened, closed = first, False
    if tokens[first].kind == "name":
        opened = first + 1
        if opened >= len(tokens) or not text.glued(opened):
            return None
        if tokens[first].text in _SIZES:
            closed = True
            inner = opened + 1
            if tokens[opened].kind == "(" and inner < len(tokens) and tokens[inner].kind == "[":
                if text.match.get(opened, -1) != text.match.get(inner, -2) + 1:
                    return None
                opened = inner
        elif tokens[first].text not in _GLUED.get(tokens[opened].kind, ()):
            return None
    close = text.match.get(opened)
    if close is None or close == opened + 1 or close - opened > _LONGEST:
        return None
    if tokens[opened].kind == "<" and not text.glued(opened + 1):
        return None
    stop = close + 1 + (closed and opened == first + 2)
    commas = _commas(text, opened + 1, close)
    closed = closed or (len(commas) == 1 and commas[0] == close - 1)
    try:
        if commas:
            dims, weights = _read_items(text, opened + 1, close, commas)
            form = BRACKET
        else:
            form, dims, weights = _read_without_commas(text, opened + 1, close)
    except _NoDim:
        return None
    shape = WrittenShape(dims, tokens[opened].start, tokens[close].end)
    return Candidate(shape, form, weights, first, stop, closed)


_SIZES: Final = frozenset({"torch.Size", "TensorShape", "tf.TensorShape"})
_GLUED: Final = {
    "(": words("shape Shape"),
    "[": words("Shape Tensor torch.Tensor FloatTensor LongTensor BoolTensor"),
}


def _commas(text: Text, first: int, stop: int) -> list[int]:
    """The commas between `first` and `stop` outside of inner brackets."""
    commas = []
    at = first
    while at < stop:
        if text.tokens[at].kind == ",":
            commas.append(at)
        at = text.match.get(at, at) + 1
    return commas


def _read_items(
    text: Text, first: int, stop: int, commas: list[int]
) -> tuple[tuple[WrittenDim, ...], tuple[int, ...]]:
    if len(commas) > 8:
        raise _NoDim
    bounds = [*commas, stop]
    if commas[-1] == stop - 1:
        bounds.pop()
    dims, weights = [], []
    for bound in bounds:
        dim, weight = _read_dim(text, first, bound)
        if weight == BAD:
            raise _NoDim
        dims.append(dim)
        weights.append(weight)
        first = bound + 1
    if sum(dim.many for dim in dims) > 1:
        raise _NoDim
    return tuple(dims), tuple(weights)


def _read_without_commas(
    text: Text, first: int, stop: int
) -> tuple[str, tuple[WrittenDim, ...], tuple[int, ...]]:
    crossed = _crossed(text, first, stop)
    if crossed is not None:
        if stop - first == 1 and len(crossed[0]) == 2 and text.tokens[first - 1].kind == "(":
            raise _NoDim  # `(BxT)`: two dims, or as in `(BxT, C)` one
        return CROSS, *crossed
    try:
        dim, weight = _read_dim(text, first, stop)
    except _NoDim:
        return SPACES, *_read_spaced(text, first, stop)
    if weight == BAD:
        raise _NoDim
    return BRACKET, (dim,), (weight,)


def _read_sequence(text: Text, first: int, stop: int) -> list[Term]:
    return [dim.term for dim in _read_spaced(text, first, stop)[0] if dim.term is not None]


def _read_spaced(
    text: Text, first: int, stop: int
) -> tuple[tuple[WrittenDim, ...], tuple[int, ...]]:
    """Dims between spaces, `b h n*m d`; an operator with a space only before it starts a dim."""
    tokens = text.tokens
    dims: list[WrittenDim] = []
    weights: list[int] = []
    at = first
    while at < stop:
        if at > first and tokens[at].start - tokens[at - 1].end > 1:
            # Columns: a matrix, a table.
            raise _NoDim
        end = at + 1
        if tokens[at].kind in ("*", "-", "#") and text.glued(at + 1):
            end = at + 2
        elif tokens[at].kind == "(":
            end = text.match.get(at, stop) + 1
        while end < stop and (text.glued(end) or _operates(text, end)):
            end = text.match.get(end, end) + 1
        dim, weight = _read_dim(text, at, min(end, stop))
        if weight == BAD or (tokens[at].kind == "name" and tokens[at].text in ("x", "X")):
            raise _NoDim
        dims.append(dim)
        weights.append(weight)
        at = end
        if len(dims) > 9:
            raise _NoDim
    if len(dims) < 2 or sum(dim.many for dim in dims) > 1:
        raise _NoDim
    return tuple(dims), tuple(weights)


def _operates(text: Text, at: int) -> bool:
    """Whether token `at`, after a space, continues the dim before: `h * w` but not `b *rest`."""
    if text.tokens[at].kind in _OPERATORS:
        return not text.glued(at + 1)
    return text.tokens[at - 1].kind in _OPERATORS


def cross_shape(text: Text, first: int) -> Candidate | None:
    """A shape written as a product from token `first` on, or None: `B x T x C`, `BxTxC`, `B×T`."""
    tokens = text.tokens
    if tokens[first].kind not in ("name", "int", "("):
        return None
    limit = min(len(tokens), first + _LONGEST)
    stop = first
    if tokens[first].kind == "int" and text.glued(first + 1) and first + 1 < limit:
        # The tokens of `3xHxW` are `3` and `xHxW`.
        if tokens[first + 1].text[0] == "x" and len(tokens[first + 1].text) > 1:
            stop = limit = first + 2
    while stop < limit and tokens[stop].kind in ("name", "int", "("):
        stop = text.match.get(stop, stop) + 1
        while stop < limit and (
            (tokens[stop].kind in _OPERATORS and _is_operand(tokens, stop + 1))
            or tokens[stop - 1].kind in _OPERATORS
        ):
            stop = text.match.get(stop, stop) + 1
        behind = _behind_explanation(text, stop)
        if behind >= limit or not (_is_cross(tokens[behind]) and _is_operand(tokens, behind + 1)):
            break
        stop = behind + 1
    if stop > len(tokens):
        return None
    crossed = _crossed(text, first, stop)
    if crossed is None:
        return None
    dims, weights = crossed
    shape = WrittenShape(dims, tokens[first].start, tokens[stop - 1].end)
    return Candidate(shape, CROSS, weights, first, stop, False)


_OPERATORS: Final = frozenset({"*", "/", "//", "+", "-", "**"})


def _is_operand(tokens: list[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].kind in ("name", "int", "(")


def _behind_explanation(text: Text, at: int) -> int:
    """The token behind words in parentheses that explain the dim before token `at`.

    An example is `B x N (num_patches) x C`. It is `at` itself if nothing is explained there.
    """
    tokens = text.tokens
    close = text.match.get(at)
    if close is None or tokens[at].kind != "(" or text.glued(at):
        return at
    inner = {token.kind for token in tokens[at + 1 : close]}
    return close + 1 if "name" in inner and inner <= _EXPLAINING else at


_EXPLAINING: Final = frozenset({"name", "int", "*", "×", "="})


def _is_cross(token: Token) -> bool:
    return token.kind == "×" or (token.kind == "name" and token.text in ("x", "X"))


def _crossed(
    text: Text, first: int, stop: int
) -> tuple[tuple[WrittenDim, ...], tuple[int, ...]] | None:
    tokens = text.tokens
    if stop - first == 1:
        return _compact(tokens[first]) if _is_compact(tokens[first].text) else None
    if stop - first == 2 and tokens[first].kind == "int" and text.glued(first + 1):
        # The tokens of `3xHxW` are an int and the name `xHxW`.
        joined = Token("name", tokens[first].text + tokens[first + 1].text, tokens[first].start, 0)
        return _compact(joined) if _is_compact(joined.text) else None
    dims: list[WrittenDim] = []
    weights: list[int] = []
    begin = at = end = first
    while at <= stop:
        if at == stop or (_is_cross(tokens[at]) and begin < at < stop - 1):
            if at == stop and not dims:
                return None
            try:
                dim, weight = _read_dim(text, begin, end)
            except _NoDim:
                return None
            if weight == BAD:
                return None
            dims.append(dim)
            weights.append(weight)
            begin = at + 1
        at = text.match.get(at, at) + 1
        # An explanation is behind a dim, and in front of a cross.
        behind = _behind_explanation(text, at) if begin < at < stop else at
        end, at = at, behind
    return (tuple(dims), tuple(weights)) if begin == stop + 1 else None


def _compact(token: Token) -> tuple[tuple[WrittenDim, ...], tuple[int, ...]]:
    dims, weights = [], []
    start = token.start
    for part in token.text.split("x"):
        term = _atom(part)
        dims.append(WrittenDim(term, start, start + len(part)))
        weights.append(_weigh_term(term))
        start += len(part) + 1
    return tuple(dims), tuple(weights)


def bare_shape(text: Text, first: int) -> Candidate | None:
    """A shape without brackets, up to an arrow or the end, or None: `B, h*w, C`, `B H W`, `BSC`."""
    tokens = text.tokens
    stop = first
    end = min(len(tokens), first + _LONGEST)
    while stop < end and tokens[stop].kind not in _ENDS:
        if tokens[stop].kind == "name" and tokens[stop].text in ("or", "to", "into"):
            break
        stop = text.match.get(stop, stop) + 1
    if stop == first or stop >= first + _LONGEST:
        return None
    if stop < len(tokens) and tokens[stop].kind in (":", "="):
        return None
    try:
        form, dims, weights = _read_bare(text, first, stop)
    except _NoDim:
        return None
    if WEAK in weights:
        return None
    shape = WrittenShape(dims, tokens[first].start, tokens[stop - 1].end)
    return Candidate(shape, form, weights, first, stop, False)


_ENDS: Final = frozenset(
    {"arrow", ";", ":", "=", ".", "|", "@", "real", '"', "'", "{", "}", ")", "]"}
)


def _read_bare(
    text: Text, first: int, stop: int
) -> tuple[str, tuple[WrittenDim, ...], tuple[int, ...]]:
    commas = _commas(text, first, stop)
    if commas:
        if commas[-1] == stop - 1:
            raise _NoDim
        return COMMAS, *_read_items(text, first, stop, commas)
    run = _letter_run(text, first, stop)
    if run is not None:
        return LETTERS, *run
    dims, weights = _read_spaced(text, first, stop)
    return SPACES, dims, weights


_RUN: Final = regex(r"[A-Z][A-Z\d]*")


def _letter_run(
    text: Text, first: int, stop: int
) -> tuple[tuple[WrittenDim, ...], tuple[int, ...]] | None:
    """The dims of a run of letters, or None: `NCHW`, `BH1(C/H)N`, with groups in parentheses."""
    dims: list[WrittenDim] = []
    at = first
    while at < stop:
        token = text.tokens[at]
        if at > first and not text.glued(at):
            return None
        if token.kind == "name" and (_RUN.fullmatch(token.text) or token.text.upper() in LAYOUTS):
            for place, letter in enumerate(token.text, token.start):
                dims.append(WrittenDim(_atom(letter), place, place + 1))
            at += 1
        elif token.kind == "(" and at > first and at in text.match:
            close = text.match[at]
            try:
                dim, weight = _read_dim(text, at + 1, close)
            except _NoDim:
                return None
            if weight == BAD:
                return None
            dims.append(dim._replace(start=token.start, end=text.tokens[close].end))
            at = close + 1
        else:
            return None
    if not 2 <= len(dims) <= 6:
        return None
    return tuple(dims), tuple(LETTER for _ in dims)
