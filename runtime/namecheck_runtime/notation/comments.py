"""The shapes that a comment claims: `# (B, T, C)`, `# q: [B, H, N, d]`, `# B x T x C -> B x C`.

Most comments claim nothing, and a shape read into prose would make the linter contradict correct
code; so what is doubtful is not a claim.  A claim says what was written, and how plainly.  Which
value it speaks of, and whether its words are names that the program knows, is for the analyzer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from .prose import (
    BRACKET,
    Candidate,
    Text,
    bare_shape,
    bracket_shape,
    cross_shape,
)
from .syntax import Arithmetic, Term, Token, WrittenShape, names_of
from .words import BAD, DIGITS, LAYOUTS, LETTER, WEAK, weigh, words

__all__ = ["Claim", "Confidence", "claims_in", "read_comment"]

Confidence: TypeAlias = Literal["whole", "keyword", "prose"]


class Claim(NamedTuple):
    """What a comment says of one value.

    `label` is the word that the shape is said of (`x` in `# x: (B, T)`), as written: it may be a
    variable, or just a word (`Output`).  A label such as `input` that is no variable speaks of
    what goes in, not of the value of the line.
    """

    label: str | None
    alternatives: tuple[WrittenShape, ...]
    """The shape; several if any of them may hold (`(B, C) or (B, 1, C)`)."""
    before: tuple[WrittenShape, ...]
    """The shapes that a chain passes through on its way (`(B, T, C) -> (B, C, T)`)."""
    confidence: Confidence
    """whole: nothing but the claim is written.  keyword: prose says `shape`.  prose: neither."""
    start: int
    end: int


# Comments are lines; what is longer than this is data or a licence.
_LONGEST = 600


@lru_cache(maxsize=8192)
def read_comment(text: str) -> tuple[Claim, ...]:
    """The claims of one comment line (with or without its `#`), in the order written.

    Several claims speak of several values (`(B, N), (B, M)`, `q: (B, T), k: (B, S)`).  Never
    raises; () for the many comments that claim nothing.  Spans are offsets into `text`.
    """
    if len(text) > _LONGEST or not _may_claim(text):
        return ()
    found: tuple[Claim, ...] = ()
    for start, end in _parts(text):
        if _CODE.match(text, start, end):
            # What stands behind a commented-out statement speaks of a value that is not there.
            return ()
        claims = claims_in(text, start, end)
        if claims and found:
            return ()
        found = found or claims
    return found


_PART = re.compile(r"\s#+\s+(?!of\b)")
_DIRECTIVE = re.compile(
    r"\s*(?:noqa|type:|pragma|pylint|pyright|mypy|fmt:|isort|ruff|flake8|yapf|!)", re.IGNORECASE
)


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """The places of `a` and `b` in `# a  # b`, without the directives to tools."""
    start = len(text) - len(text.lstrip(" \t#:"))
    while start < len(text):
        found = _PART.search(text, start)
        end = found.start() if found else len(text)
        if not _DIRECTIVE.match(text, start, end):
            yield start, end
        if found is None:
            return
        start = found.end()


_CROSSED = re.compile(r"\d ?x|[A-Za-z)_] x [A-Za-z\d(]|[A-Za-z]x[A-Z\d]|[a-z]x[a-z]\b|×")
_SPACED = re.compile(r"#*\s*[A-Za-z]\d?(?: \S+){2,}\s*$")
_LAYOUT = re.compile(r"\b[BN][A-Z]{1,4}\b")


def _may_claim(text: str) -> bool:
    """A cheap look: can there be a shape at all?"""
    if "(" in text or "[" in text or "," in text or "->" in text or "→" in text:
        return True
    return bool(_CROSSED.search(text) or _SPACED.match(text) or _LAYOUT.search(text))


# A commented-out statement, whose brackets are calls, indices and tuples.
_CODE = re.compile(
    r"""
      \s*(?:
        (?:def|class|import|assert|raise|del|yield|async|await|elif|lambda|print)\b
      | (?:if|for|while|with|else|try|except)\b.*:\s*$
      | (?:return|from|for)\s+[\w.]+\s*(?:[\[(=,]|\bimport\b|\bin\b)
      | return\s+[\[(]
      | [\w.]+(?:\[[^\]]*\])?(?:\s*,\s*[\w.]+(?:\[[^\]]*\])?)*\s*(?:[-+*/|&@%]|//|\*\*)?=
        \s*(?:[\w.]*\w[\[(.]|[-+~'"{]|\w+\s*[-+*/@]|\w+\s*$|\d)
      | (?!torch\.Size|[Ss]hape)[\w.]+\((?:.*\))?\s*$
      | @\w
      | type:
      )
    """,
    re.VERBOSE,
)


def claims_in(text: str, start: int, end: int) -> tuple[Claim, ...]:
    """The claims in `text[start:end]`, one line of prose."""
    if text.find("://", start, end) >= 0 or text.find("\\", start, end) >= 0:
        return ()
    written = list(_groups(Text(text, start, end)))
    groups = [group for group in written if _fits_all(group) and not _disowned(group)]
    if not groups:
        return ()
    whole = (
        len(groups) == len(written)
        and all(group.alone for group in groups)
        and _NOTHING.fullmatch(groups[-1].after)
    )
    silent = sum(not group.labels for group in groups)
    claims: list[Claim] = []
    for group in groups:
        doubt = _CASE if group.keyword else _CONDITION
        if not whole and doubt.search(group.before):
            continue
        if not group.labels and not whole:
            # Two shapes with prose between them: nothing says which one the line is about.
            if silent > 1 or (len(groups) > 1 and not group.keyword):
                continue
        confidence: Confidence = "whole" if whole else "keyword" if group.keyword else "prose"
        claims.extend(_claims_of(group, confidence))
    return tuple(claims)


# What holds in some case only, or is asked of what goes in.
_CASE = re.compile(r"\b(?:if|when|unless|otherwise|e\.g|like)\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:if|when|unless|otherwise|example|e\.g|eg|expects?|expecting|assum\w+|least|cannot|can't)\b",
    re.IGNORECASE,
)


# ---------------------------------------------------------------------------------------- groups


class _Group(NamedTuple):
    """Shapes that are joined by arrows, `or`, commas; and the words around them."""

    shapes: tuple[Candidate, ...]
    joints: tuple[str, ...]
    labels: tuple[str, ...]
    explicit: bool
    """The label is joined by a sign (`x: (B, T)`), not just the word in front."""
    keyword: bool
    sure: bool
    """The keyword is `shape`; `size` and `dims` are also said of kernels and windows."""
    alone: bool
    """Nothing stands between the group before (or the beginning) and this but label and keyword."""
    before: str
    after: str
    """Up to the next shape."""
    rest: str
    """Up to the end."""
    times: int


def _groups(text: Text) -> Iterator[_Group]:
    found = list(_candidates(text))
    at = 0
    written = text.start
    while at < len(found):
        joints: list[str] = []
        stop = at + 1
        while stop < len(found):
            joint = _joint(text.tokens[found[stop - 1].stop : found[stop].first])
            if joint is None:
                break
            joints.append(joint)
            stop += 1
        start = text.tokens[found[at].first].start
        end = text.tokens[found[stop - 1].stop - 1].end
        following = text.tokens[found[stop].first].start if stop < len(found) else text.end
        before = text.text[max(written, start - 120) : start]
        said = _introduction(before, written == text.start)
        after = text.text[end:following]
        sure = said.sure or _is_called_shape(text, found[at])
        if _SHAPED.match(after) and (len(found[at].weights) > 1 or found[at].closed):
            sure = True
        yield _Group(
            tuple(found[at:stop]),
            tuple(joints),
            said.labels,
            said.explicit,
            said.keyword or sure,
            sure,
            _NOTHING.fullmatch(said.rest) is not None and start - written <= 120,
            before,
            after,
            text.text[end : min(text.end, end + 80)],
            said.times,
        )
        at, written = stop, end


def _candidates(text: Text) -> Iterator[Candidate]:
    """What has the form of a shape, from left to right, without overlap."""
    tokens = text.tokens
    at = inside = 0
    may_start = True
    while at < len(tokens):
        token = tokens[at]
        candidate = None
        inside = max(inside, text.match.get(at - 1, 0)) if at else 0
        if may_start:
            candidate = bare_shape(text, at)
        if candidate is None:
            if token.kind in ("(", "[", "<"):
                if not _is_call(text, at) and not (at < inside and _is_item(text, at)):
                    candidate = bracket_shape(text, at)
            elif token.kind == "name" and at + 1 < len(tokens) and tokens[at + 1].kind in "([":
                candidate = bracket_shape(text, at)
        if candidate is None and (at == 0 or not text.glued(at)):
            candidate = cross_shape(text, at)
            if candidate is not None and _is_part(tokens, candidate):
                candidate = None
        if candidate is not None and not _goes_on(text, candidate):
            yield candidate
            at = candidate.stop
            may_start = False
            continue
        may_start = token.kind in ("arrow", ":", "=", "@") or (
            token.kind == "name" and token.text.lower() in _OPENERS
        )
        at += 1


def _is_called_shape(text: Text, candidate: Candidate) -> bool:
    """`torch.Size([B, C])`, `Tensor[N, 4]`: what says shape is glued to it."""
    return candidate.form == BRACKET and text.tokens[candidate.first].kind == "name"


_OPENERS = frozenset({"is", "are", "shape", "to", "or", "and"})


def _is_item(text: Text, at: int) -> bool:
    """Whether an inner bracket is an argument or an item: `f((a, b))`, `(a, (b, c))`."""
    before = text.tokens[at - 1]
    return before.kind == "," or (before.kind in ("(", "[") and text.glued(at))


def _is_part(tokens: list[Token], candidate: Candidate) -> bool:
    """Whether a cross goes on where it was not understood: `d_1 x ... x d_n`."""
    near = tokens[max(0, candidate.first - 3) : candidate.first]
    near += tokens[candidate.stop : candidate.stop + 3]
    return any(token.kind == "×" or token.text in ("x", "X") for token in near)


def _is_call(text: Text, at: int) -> bool:
    """Whether the bracket is glued to what stands before: a call, an index, a string."""
    if not text.glued(at):
        return False
    before = text.tokens[at - 1]
    return before.kind in ("name", "int", "real", ")", "]", "}", "'", '"', ".", "_", "^", "**")


def _goes_on(text: Text, candidate: Candidate) -> bool:
    """Whether what looks like a shape is the beginning of something longer: `(a, b)[0]`."""
    at = candidate.stop
    if at >= len(text.tokens):
        return False
    after = text.tokens[at]
    if not text.glued(at):
        return after.kind in ("=", "==")
    if after.kind == ".":
        return text.glued(at + 1) and text.tokens[at + 1].kind == "name"
    if after.kind == "?":
        return True
    if after.kind == "-":
        # `(s, t)-path`, but `(B, N)-shaped`.
        following = text.tokens[at + 1].text if at + 1 < len(text.tokens) else ""
        return text.glued(at + 1) and following.lower() not in ("shaped", "shape", "tensor")
    return after.kind in ("name", "int", "real", "(", "[", "{", "'", '"', "=", "**", "_", "*")


def _joint(between: list[Token]) -> str | None:
    """How the tokens between two shapes join them, or None if they do not."""
    written = [token.text.lower() for token in between]
    if not 0 < len(written) <= 6:
        return None
    if any(token.kind == "arrow" for token in between):
        # `(A), reshape -> (B)`: words may say how, but a letter there is a dim.
        plain = all(
            token.kind in ("arrow", ",", ";") or (token.kind == "name" and len(token.text) > 2)
            for token in between
        )
        return "chain" if plain else None
    if len(written) == 2 and written[0] == ",":
        written = written[1:]
    if len(written) == 1:
        return _JOINTS.get(written[0])
    return None


_JOINTS = {
    "to": "chain",
    "into": "chain",
    "or": "or",
    "/": "or",
    "|": "or",
    ",": "list",
    ";": "list",
    "and": "list",
    "&": "list",
    "x": "operands",
    "×": "operands",
    "@": "operands",
    "*": "operands",
    "+": "operands",
    "-": "operands",
}


# --------------------------------------------------------------------------------- words around

_NAME = r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*|\[\w+\])*"
_NAMES = rf"`?(?P<names>{_NAME}`?(?:(?:\s*[,&/]\s*|\s+and\s+)`?{_NAME}`?)*)`?"
_NOTHING = re.compile(
    r"[\s\-*•=>.,;:!&`→]*(?:(?:and|or|so|then|now|each|both|all|i\.e\.)[\s,:]*)?", re.IGNORECASE
)

_KEYWORD = re.compile(
    rf"""
    (?:(?<=^)|(?<=[\s(,.`]))
    (?:(?P<sure>shapes?|torch\.Size)|(?P<likely>dims|dimensions|sizes?))\b`?
    (?:\s+(?:of|for)\s+`?(?P<of>{_NAME})`?)?
    \s*(?::=|==?|:|->|,)?\s*
    (?:(?:is|are|of|be|as|to|like|will\s+be|should\s+be|must\s+be)(?=[\s:]))?
    \s*(?::math:)?[:`]*\s*$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_OWNER = re.compile(
    rf"""
    {_NAMES}(?:'s)?
    \s*(?:[:=,]|-+>?|=>|→|(?:is|are|has|have|with|of|in|(?:should|must|will)\s+(?:be|have))(?=\s))?
    (?:\s*(?:a|an|the|of))?
    (?:\s*[\w.]*tensors?)?
    (?:\s*(?:of|with|has|have|in|the))?
    [\s.]*$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_LABEL = re.compile(
    rf"{_NAMES}\s*(?::|=|—|\s-|\s(?:is|are|has)(?=\s))\s*"
    r"(?:(?:an?\s+)?[\w.]*[Tt]ensors?\s+|<\w+>)?`?$"
)
_GIVES = re.compile(rf"[\s\-*•,;.]*{_NAMES}\s*(?:-{{1,2}}>|=>|→)\s*`?$")
_ADJACENT = re.compile(rf"[\s\-*•,;.]*{_NAMES}\s*`?$")
_QUOTED = re.compile(rf"`(?P<names>{_NAME})`\s*$")
_TIMES = re.compile(r"(?:^|\s)(?P<times>[2-9])\s*[x×*]\s*$")
_SHAPED = re.compile(r"`?[\s-]*(?:shaped?|tensors?|arrays?)\b", re.IGNORECASE)


class _Introduction(NamedTuple):
    labels: tuple[str, ...]
    explicit: bool
    keyword: bool
    sure: bool
    times: int
    rest: str
    """The words that are neither label nor keyword."""


def _introduction(before: str, first: bool) -> _Introduction:
    """What the words in front of a shape say of it."""
    times = 1
    if (multiple := _TIMES.search(before)) is not None:
        times = int(multiple["times"])
        before = before[: multiple.start()]
    keyword = _KEYWORD.search(before)
    if keyword is None:
        opens = first or before.lstrip()[:1] in (",", ";")
        said = _LABEL.search(before) or (_GIVES.fullmatch(before) if opens else None)
        explicit = said is not None
        said = said or (_ADJACENT.fullmatch(before) if opens else None) or _QUOTED.search(before)
        labels = _labels(said["names"]) if said else ()
        if not explicit and any(label.lower() in _DISOWNING for label in labels):
            labels = ()
        rest = before[: said.start("names")] if said and labels else before
        return _Introduction(labels, explicit, False, False, times, rest)
    sure = keyword["sure"] is not None
    rest = before[: keyword.start()]
    if keyword["of"]:
        return _Introduction(_labels(keyword["of"]), True, True, sure, times, rest)
    said = _OWNER.search(rest)
    labels = _labels(said["names"]) if said else ()
    rest = rest[: said.start()] if said and labels else rest
    return _Introduction(labels, True, True, sure, times, rest)


def _labels(written: str) -> tuple[str, ...]:
    names = [name.strip("` ") for name in _NAME_SPLIT.split(written)]
    labels = tuple(name.removesuffix(".shape") for name in names if name)
    if any(weigh(label) == BAD or _NO_LABEL_END.search(label.lower()) for label in labels):
        return ()
    return () if any(label.lower() in _UNFIT for label in labels) else labels


# `input_size = (C, H, W)` is the size itself, and no tensor.
_NO_LABEL_END = re.compile(r"(?:_|\.)(?:size|sizes|shape|shapes|dims|resolution|stride|kernel)$")
_NAME_SPLIT = re.compile(r"[,&/]|\band\b")

# Words in front of a shape that do not say whose it is.
_NO_LABEL = words(
    """
    shape shapes size sizes dims dimensions dim with reshape reshaped reshapes permute transpose
    view flatten expand squeeze unsqueeze get gets becomes become make makes now
    dimension desired final resulting expected actual current new target
    """
)

# A bracket behind these words is an interval, a pair, one of several things ...
_DISOWNING = words(
    """
    in between range interval over across axis axes along per each every for by via at pair
    pairs tuple tuples list lists step stride strides kernel grid position positions coordinate
    coordinates coords index indices if on using use call type args arguments
    edge edges node nodes vertex arc path instead than not vs set subset sequence triple triplet
    """
)
# ... and behind these, also with a colon between, it is no shape that the line gives.
_OTHERS = words(
    """
    e.g eg i.e ie example ex note todo fixme before from was were originally original old expect
    expects expected take takes assume assumes assuming layout format pattern order
    """
)
_DISOWNED_AFTER = words(
    """
    axes axis pair pairs tuple tuples coordinates coords indices order ordering grid cells
    positions sections split range interval in
    """
)
_UNFIT = _NO_LABEL | _OTHERS
_ALTERNATIVE = re.compile(r"\b(?:or|either)\b(?:\s+\w+){0,2}\W*$", re.IGNORECASE)
_FORMATS = words("from layout format pattern order")
_STRIDES = words("stride strides order indices")
_FAR = words("over across along between per than")
_WORDS = re.compile(r"\w[\w.]*\w|\w")
_SEVERAL = re.compile(r"\b(?:lists?|tuples?|dicts?|sequences?|pairs?)\s+of\W*$", re.IGNORECASE)
_KWARG = re.compile(r"\w=`?$")
# Operands of something that is no shape, and what another alternative follows.
_OPERATED = re.compile(r"(?:[^\d\s]\s*[*@×+]|[^\d\s]\s+x)\s*`?$")
_OPERATES = re.compile(
    r"`{0,2}\s*(?:[*@×+]|x\s|for\s(?:un)?batched"
    r"|,?\s*(?:if|when|unless)\b(?!\s+(?:not\s+none|given|provided|specified))"
    r"|(?:\([^()]*\)\s*)?,?\s*(?:or\b|/)(?!\s*none\b))",
    re.IGNORECASE,
)
_TENSOR_OF = re.compile(r"tensors?\s+of\W*$", re.IGNORECASE)


def _disowned(group: _Group) -> bool:
    """Whether the words around say that this is no shape, or not the shape of a result."""
    if _SEVERAL.search(group.before) or _KWARG.search(group.before):
        return True
    if _OPERATED.search(group.before) or _OPERATES.match(group.rest):
        return True
    if group.keyword:
        return False
    if _ALTERNATIVE.search(group.before) and not group.alone:
        return True
    said = [word.lower() for word in _WORDS.findall(group.before[-40:])]
    if said[-1:] == ["is"] or said[-1:] == ["are"]:
        said.pop()
    last = said[-1] if said else ""
    if last in _OTHERS and not ("chain" in group.joints and last in _FORMATS):
        return True
    explicit = group.before.rstrip(" `").endswith((":", "=", ">", "→", ","))
    if not explicit and last in _DISOWNING and not group.alone:
        return True
    if not explicit and not _FAR.isdisjoint(said[-4:]) and not group.alone:
        return True
    if last == "of" and not _TENSOR_OF.search(group.before):
        return True
    following = [word.lower() for word in _WORDS.findall(group.after[:40])[:3]]
    return following[:1] != [] and (
        following[0] in _DISOWNED_AFTER or not _STRIDES.isdisjoint(following)
    )


# ------------------------------------------------------------------------------------ acceptance


def _fits_all(group: _Group) -> bool:
    arrow = group.alone and group.before.rstrip().endswith((">", "→"))
    chained = arrow or ("chain" in group.joints and max(map(_rank, group.shapes)) > 1)
    whole = group.alone and _NOTHING.fullmatch(group.after) is not None
    labelled = bool(group.labels) and (group.explicit or whole)
    return all(_fits(shape, group, whole, chained, labelled) for shape in group.shapes)


def _rank(shape: Candidate) -> int:
    return len(shape.weights)


def _fits(shape: Candidate, group: _Group, whole: bool, chained: bool, labelled: bool) -> bool:
    """Whether what has the form of a shape is one, given what stands around it."""
    keyword = group.keyword
    dims, weights = shape.shape.dims, shape.weights
    rank = len(dims)
    if rank > 8 or (rank == 1 and dims[0].many):
        return False
    named = sum(weight != DIGITS for weight in weights)
    weak = sum(weight == WEAK for weight in weights)
    letters = sum(weight == LETTER for weight in weights)
    if not named:
        return group.sure and whole and shape.form == BRACKET and (rank > 1 or shape.closed)
    match shape.form:
        case "letters":
            return (chained or whole or keyword) and _is_layout(shape, chained)
        case "spaces":
            if weak or (weights[0] == DIGITS and not chained):
                return False
            if letters == 0 and not _leads(shape):
                return False
            return (chained and rank > 1) or (
                (whole or keyword) and (rank > 2 or (letters == rank and _is_upper(shape)))
            )
        case "commas":
            if weak or not (whole or chained or keyword) or _is_tuple(shape):
                return False
            plain = all(isinstance(dim.term, str) for dim in dims)
            if plain and not (_leads(shape) or chained or _is_upper(shape)):
                return False
            return rank > 2 or letters > 0
        case "cross":
            if weak:
                return False
            return rank > 2 or ((whole or keyword or chained) and not _is_tuple(shape))
    if rank == 1 and not shape.closed and _is_sum(dims[0].term):
        return False
    if keyword:
        return (rank > 1 or shape.closed or weak == 0) and (group.sure or not _is_tuple(shape))
    if rank == 1:
        if weak or not (whole or chained):
            return False
        return shape.closed or chained or (labelled and group.explicit) or _leads(shape)
    if (_is_tuple(shape) and not labelled and not chained) or _is_interval(shape):
        return False
    if labelled and group.before.rstrip().endswith("=") and letters == 0 and DIGITS not in weights:
        # `keys = [old_keys, num_keys]` is code.
        return _leads(shape)
    if whole or chained:
        return weak <= max(1, rank - 2) and (weak < named or (rank == 2 and weak == 1))
    if weak > labelled or (weak and rank == 2) or (dims[-1].many and dims[-1].term is None):
        return False
    return rank > 2 or labelled or (_leads(shape) and weights[1] != DIGITS)


def _leads(shape: Candidate) -> bool:
    """Whether the first dim is what batches are called."""
    first = names_of(shape.shape.dims[0].term)
    return bool(first) and (first[0].lower() in _BATCH or "batch" in first[0].lower())


_BATCH = frozenset({"b", "n", "bs", "bsz", "t", "s", "l", "num_tokens", "seq_len"})


def _is_upper(shape: Candidate) -> bool:
    return all(name.isupper() for dim in shape.shape.dims for name in names_of(dim.term))


_EXTENTS = words("height width time depth frames")
_TUPLES = tuple(map(frozenset, ("xyz", "ijkl", "qkv", "uv", "rgb", "hw", "pq", "mn", "thw", "cls")))


def _is_tuple(shape: Candidate) -> bool:
    """Whether the letters are rather coordinates, indices, an image's size: `(x, y)`, `(h, w)`."""
    names = [dim.term for dim in shape.shape.dims]
    if not all(isinstance(name, str) for name in names):
        return False
    letters = {str(name).lower() for name in names}
    if any(letters <= known for known in _TUPLES):
        return True
    if len(names) == 2 and all(len(name) < 4 for name in letters):
        return {name[-1] for name in letters} == {"h", "w"}
    ends = {name.rsplit("_", 1)[-1] for name in letters}
    return len(names) < 4 and (ends <= {"h", "w"} or ends <= _EXTENTS)


def _is_interval(shape: Candidate) -> bool:
    """`[2l-1, 2u-1]`, `(T-1, T-2)`: two numbers more likely than two dims."""
    return len(shape.weights) == 2 and all(_is_sum(dim.term) for dim in shape.shape.dims)


def _is_sum(term: Term | None) -> bool:
    return isinstance(term, Arithmetic) and term.operator in ("+", "-")


def _is_layout(shape: Candidate, chained: bool) -> bool:
    """Whether a run of letters is a shape: a known layout, or in a chain something like one."""
    terms = [dim.term for dim in shape.shape.dims]
    run = "".join(term for term in terms if isinstance(term, str))
    if run.upper() in LAYOUTS and len(run) == len(terms):
        return chained or run.isupper()
    return chained and run.isupper() and run[:1] in ("B", "N", "T") and set(run) <= _RUN_LETTERS


_RUN_LETTERS = frozenset("BCDEFGHKLMNPQSTVW")


# ---------------------------------------------------------------------------------------- claims


def _claims_of(group: _Group, confidence: Confidence) -> Iterator[Claim]:
    """One claim per label, or per shape of a list."""
    parts: list[tuple[list[Candidate], list[str]]] = [([group.shapes[0]], [])]
    for shape, joint in zip(group.shapes[1:], group.joints, strict=True):
        if joint == "list":
            parts.append(([shape], []))
        else:
            parts[-1][0].append(shape)
            parts[-1][1].append(joint)
    # `(A), (B) -> (C)`: the first are operands of the last.
    if len(parts) > 1 and "chain" in parts[-1][1] and not any("chain" in p[1] for p in parts[:-1]):
        parts = [(parts[-1][0][1:], [])]
    read = [claim for part in parts if (claim := _read_part(*part)) is not None]
    if len(read) != len(parts):
        return
    start = group.shapes[0].shape.start
    end = group.shapes[-1].shape.end
    read *= group.times
    labels: tuple[str | None, ...] = group.labels or (None,) * len(read)
    if len(read) == 1:
        read *= len(labels)
    if len(read) != len(labels):
        return
    for label, (alternatives, before) in zip(labels, read, strict=True):
        yield Claim(label, alternatives, before, confidence, start, end)


def _read_part(
    shapes: list[Candidate], joints: list[str]
) -> tuple[tuple[WrittenShape, ...], tuple[WrittenShape, ...]] | None:
    """The alternatives for the result of a chain, and the shapes on the way."""
    steps: list[list[WrittenShape]] = [[shapes[0].shape]]
    operands = [False]
    for shape, joint in zip(shapes[1:], joints, strict=True):
        if joint == "chain":
            steps.append([shape.shape])
            operands.append(False)
        else:
            steps[-1].append(shape.shape)
            operands[-1] = operands[-1] or joint == "operands"
    if operands[-1]:
        return None
    on_the_way = steps[:-1]
    if any(operands) or any(len(step) > 1 for step in on_the_way):
        # Operands of the result, or `A -> B or C -> D`: no one shape came before.
        others = [
            shape
            for step, two in zip(steps[1:-1], operands[1:-1], strict=True)
            if len(step) > 1 and not two
            for shape in step[:-1]
        ]
        return (*others, *steps[-1]), ()
    return tuple(steps[-1]), tuple(step[0] for step in on_the_way)
