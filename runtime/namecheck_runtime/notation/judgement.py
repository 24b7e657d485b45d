"""Whether a text with the form of a shape is one, by the words around it and the dims in it.

In doubt it is not.  A shape read into prose makes the linter contradict correct code; a missed one
costs only a fact.
"""

from __future__ import annotations

import re

from namecheck_runtime.light.regexes import regex

from .groups import Group
from .lists import is_list, says_shape
from .phrases import DISOWNING, NOTHING, OTHERS, is_elsewhere
from .prose import BRACKET, Candidate
from .syntax import Arithmetic, Term, names_of
from .words import DIGITS, LAYOUTS, LETTER, WEAK, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

__all__ = ["disowned", "evident", "fits"]

_DISOWNED_AFTER: Final = words(
    """
    axes axis pair pairs tuple tuples coordinates coords indices order ordering grid cells
    positions sections split range interval in
    """
)
_ALTERNATIVE: Final = regex(r"\b(?:or|either)\b(?:\s+\w+){0,2}\W*$", re.IGNORECASE)
_FORMATS: Final = words("from layout format pattern order")
_STRIDES: Final = words("stride strides order indices")
_FAR: Final = words("over across along between per than")
_WORDS: Final = regex(r"\w[\w.]*\w|\w")
_SEVERAL: Final = regex(r"\b(?:lists?|tuples?|dicts?|sequences?|pairs?)\s+of\W*$", re.IGNORECASE)
_KWARG: Final = regex(r"\w=`?$")
# An operator beside the shape makes it an operand; "or" and "if" after it leave an alternative.
_OPERATED: Final = regex(r"(?:[^\d\s]\s*[*@×+]|[^\d\s]\s+x)\s*`?$")
_OPERATES: Final = regex(
    r"`{0,2}\s*(?:[*@×+]|x\s|for\s(?:un)?batched"
    r"|,?\s*(?:if|when|unless)\b(?!\s+(?:not\s+none|given|provided|specified))"
    r"|(?:\([^()]*\)\s*)?,?\s*(?:or\b|/)(?!\s*none\b))",
    re.IGNORECASE,
)
_AND_SO_ON: Final = regex(r"`?,?\s*(?:etc\b|and so on\b|\.\.+|…)", re.IGNORECASE)
# `(B, T) is slower`, `(C, H, W) per image`
_SAID_OF_IT: Final = regex(
    r"`?\s*,?\s*(?:(?:is|are|was|were|would|will|does|do|did|can|cannot|could|may|might|works?|fails?)\b"
    r"|(?:(?:is|are|was|do|does|wo|ca)n['’]t)\b|per\b|(?:for\s+)?(?:each|every)\b)",
    re.IGNORECASE,
)
_COMPARED: Final = regex(r"(?:[<≤≥≠]|[<>!]=)\s*`?$")
_TENSOR_OF: Final = regex(r"tensors?\s+of\W*$", re.IGNORECASE)


def disowned(group: Group) -> bool:
    """Whether the words around a group say that it is not a shape, or not that of a result."""
    if _SEVERAL.search(group.before) or _KWARG.search(group.before):
        return True
    if is_elsewhere(group.before, 0, len(group.before)):
        return True
    if _OPERATED.search(group.before) or _OPERATES.match(group.rest):
        return True
    if _AND_SO_ON.match(group.rest) or _SAID_OF_IT.match(group.after):
        return True
    if _COMPARED.search(group.before):
        return True
    if group.keyword:
        return False
    if _ALTERNATIVE.search(group.before) and not group.alone:
        return True
    sentence = group.before[-40:].rpartition(". ")[2]
    before = [word.lower() for word in _WORDS.findall(sentence)]
    if before[-1:] == ["is"] or before[-1:] == ["are"]:
        before.pop()
    last = before[-1] if before else ""
    if last in OTHERS and not ("chain" in group.joints and last in _FORMATS):
        return True
    explicit = group.before.rstrip(" `").endswith((":", "=", ">", "→", ","))
    if not explicit and last in DISOWNING and not group.alone:
        return True
    if not explicit and not _FAR.isdisjoint(before[-4:]) and not group.alone:
        return True
    if last == "of" and not _TENSOR_OF.search(group.before):
        return True
    following = [word.lower() for word in _WORDS.findall(group.after[:40])[:3]]
    return following[:1] != [] and (
        following[0] in _DISOWNED_AFTER or not _STRIDES.isdisjoint(following)
    )


def fits(group: Group) -> bool:
    """Whether each shape of a group can be one."""
    arrow = group.alone and group.before.rstrip().endswith((">", "→"))
    chained = arrow or ("chain" in group.joints and max(map(_rank, group.shapes)) > 1)
    whole = group.alone and NOTHING.fullmatch(group.after) is not None
    labelled = bool(group.labels) and (group.explicit or whole)
    if len(group.shapes) > 1 and not group.keyword and all(map(_is_turned_pair, group.shapes)):
        return False
    if any(map(_is_citation, group.shapes)):
        return False
    return all(_fits(shape, group, whole, chained, labelled) for shape in group.shapes)


def _is_turned_pair(shape: Candidate) -> bool:
    """Whether this is one step of `(h, w) -> (w, h)`, which turns two numbers."""
    names = [dim.term for dim in shape.shape.dims]
    return len(names) == 2 and _is_tuple(shape) and all(str(name).islower() for name in names)


def _is_citation(shape: Candidate) -> bool:
    """Whether this is an author and a year: `(Kingma, 2014)`."""
    terms = [dim.term for dim in shape.shape.dims]
    if len(terms) < 2 or not (isinstance(terms[-1], int) and 1900 <= terms[-1] < 2040):
        return False
    return all(isinstance(one, str) and one.istitle() and len(one) > 1 for one in terms[:-1])


def evident(group: Group) -> bool:
    """Whether the words alone show that these are shapes, and not lists of something else."""
    return group.sure or any(says_shape(shape) for shape in group.shapes)


def _rank(shape: Candidate) -> int:
    return len(shape.weights)


def _fits(shape: Candidate, group: Group, whole: bool, chained: bool, labelled: bool) -> bool:
    """Whether a candidate is a shape, given the words around it."""
    keyword = group.keyword
    dims, weights = shape.shape.dims, shape.weights
    rank = len(dims)
    if rank > 8 or (rank == 1 and dims[0].many):
        return False
    named = sum(weight != DIGITS for weight in weights)
    weak = sum(weight == WEAK for weight in weights)
    letters = sum(weight == LETTER for weight in weights)
    if not group.sure and is_list(shape):
        return False
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
            return chained or (
                (whole or keyword) and (rank > 2 or (letters == rank and _is_upper(shape)))
            )
        case "commas":
            if weak or not (whole or chained or keyword):
                return False
            return _are_dims(shape, chained) and (rank > 2 or letters > 0)
        case "cross":
            if weak:
                return False
            if rank == 2:
                # `p = m x m` is arithmetic.
                equated = group.before.rstrip().endswith("=")
                return (keyword or (whole and not equated)) and not _is_tuple(shape)
            return True
    if rank == 1 and not shape.closed and _is_sum(dims[0].term):
        return False
    if keyword:
        return (rank > 1 or shape.closed or weak == 0) and (group.sure or not _is_tuple(shape))
    if rank == 1:
        if weak or not (whole or chained):
            return False
        return shape.closed or chained or (labelled and group.explicit) or _leads(shape)
    if _is_interval(shape) or _is_place(shape) or _is_alphabet(shape):
        return False
    if _is_tuple(shape) and not labelled and not chained:
        return False
    if labelled and group.before.rstrip().endswith("=") and letters == 0 and DIGITS not in weights:
        # `keys = [old_keys, num_keys]` is code.
        return _leads(shape)
    if whole or chained:
        return weak <= max(1, rank - 2) and (weak < named or (rank == 2 and weak == 1))
    # A label, or a batch with three better words, outweighs one doubtful word.
    allowed = labelled or (rank > 3 and _leads(shape))
    if weak > allowed or (weak and rank == 2) or (dims[-1].many and dims[-1].term is None):
        return False
    return rank > 2 or labelled or (_leads(shape) and weights[1] != DIGITS)


def _are_dims(shape: Candidate, chained: bool) -> bool:
    """Whether names with commas between them may be dims."""
    dims = shape.shape.dims
    if _is_tuple(shape):
        return False
    if len({name for dim in dims for name in names_of(dim.term)}) == 1:
        # `n-1, n, n+1`
        return False
    plain = all(isinstance(dim.term, str) for dim in dims)
    return not plain or _leads(shape) or chained or _is_upper(shape)


def _leads(shape: Candidate) -> bool:
    """Whether the first dim has a name of batches."""
    first = names_of(shape.shape.dims[0].term)
    return bool(first) and (first[0].lower() in _BATCH or "batch" in first[0].lower())


_BATCH: Final = frozenset({"b", "n", "bs", "bsz", "t", "s", "l", "num_tokens", "seq_len"})


def _is_upper(shape: Candidate) -> bool:
    return all(name.isupper() for dim in shape.shape.dims for name in names_of(dim.term))


_EXTENTS: Final = words("height width time depth frames")
_TUPLES: Final = frozenset(
    map(
        frozenset,
        ("xy", "yz", "xz", "xyz", "ij", "jk", "ik", "kl", "ijk", "ijkl", "qk", "kv", "qkv", "uv",
         "pq", "st", "rgb", "hw", "thw", "dhw"),
    )
)  # fmt: skip


def _is_tuple(shape: Candidate) -> bool:
    """Whether the names rather are coordinates, indices or an image's size: `(x, y)`, `(h, w)`."""
    names = [dim.term for dim in shape.shape.dims]
    if not all(isinstance(name, str) for name in names):
        return False
    letters = frozenset(str(name).lower() for name in names)
    if letters in _TUPLES:
        return True
    if len(names) == 2 and all(len(name) < 4 for name in letters):
        return {name[-1] for name in letters} == {"h", "w"}
    ends = {name.rsplit("_", 1)[-1] for name in letters}
    return len(names) < 4 and (ends <= {"h", "w"} or ends <= _EXTENTS)


def _is_place(shape: Candidate) -> bool:
    """Whether the names are parts of one thing: `(x, y)`, `(y, x, z)`, `(image0, image1)`."""
    names = {dim.term for dim in shape.shape.dims}
    if names in ({"x", "y"}, {"x", "y", "z"}, {"X", "Y"}, {"X", "Y", "Z"}):
        return True
    if len(names) < 2 or not all(isinstance(name, str) for name in names):
        return False
    stems = {str(name).rstrip("0123456789") for name in names}
    return len(stems) == 1 and len(stems.pop()) > 2


def _is_alphabet(shape: Candidate) -> bool:
    """Whether the names are the alphabet, in some order: `[A, B, C, D]` stands for four things."""
    names = sorted(str(dim.term) for dim in shape.shape.dims)
    return len(names) > 3 and "".join(names) == "ABCDEFGH"[: len(names)]


def _is_interval(shape: Candidate) -> bool:
    """Whether these are two numbers rather than two dims: `[2l-1, 2u-1]`, `(T-1, T-2)`."""
    return len(shape.weights) == 2 and all(_is_sum(dim.term) for dim in shape.shape.dims)


def _is_sum(term: Term | None) -> bool:
    return isinstance(term, Arithmetic) and term.operator in ("+", "-")


def _is_layout(shape: Candidate, chained: bool) -> bool:
    """Whether a run of letters is a shape: a known layout, or in a chain one that resembles it."""
    terms = [dim.term for dim in shape.shape.dims]
    run = "".join(term for term in terms if isinstance(term, str))
    if run.upper() in LAYOUTS and len(run) == len(terms):
        return chained or run.isupper()
    return chained and run.isupper() and run[:1] in ("B", "N", "T") and set(run) <= _RUN_LETTERS


_RUN_LETTERS: Final = frozenset("BCDEFGHKLMNPQSTVW")
