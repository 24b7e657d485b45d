"""The words in front of a shape: a label that says whose it is, and a keyword for shapes.

`x has shape (B, T)`, `q: (B, H)`, `each (B, N)`: a label, a keyword, and the remaining words.
"""

from __future__ import annotations

import re

from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.light.regexes import regex

from .words import BAD, weigh, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

__all__ = [
    "DISOWNING",
    "NOTHING",
    "OTHERS",
    "SHAPED",
    "Introduction",
    "introduction",
    "is_elsewhere",
]

_NAME: Final = r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*|\[\w+\])*"
_NAMES: Final = rf"`?(?P<names>{_NAME}`?(?:(?:\s*[,&/]\s*|\s+and\s+)`?{_NAME}`?)*)`?"
NOTHING: Final = regex(
    r"[\s\-*•=>.,;:!&`→]*(?:(?:and|or|so|then|now|each|both|all|i\.e\.)[\s,:]*)?", re.IGNORECASE
)

_KEYWORD: Final = regex(
    rf"""
    (?:(?<=^)|(?<=[\s(,.`]))
    (?:(?P<sure>shape[sd]?|torch\.Size)|(?P<likely>dims|dimensions|size[sd]?|dim(?:ension)?(?=\s*[:=])))\b`?
    (?:\s+(?:of|for)\s+`?(?P<of>{_NAME})`?)?
    \s*(?::=|==?|:|->|,)?\s*
    (?:(?:is|are|of|be|as|to|like|will\s+be|should\s+be|must\s+be)(?=[\s:]))?
    \s*(?::math:)?[:`]*\s*$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_OWNER: Final = regex(
    rf"""
    {_NAMES}(?:'s)?
    \s*(?P<verb>[:=,]|-+>?|=>|→|(?:is|are|has|have|with|of|in|(?:should|must|will)\s+(?:be|have))(?=\s))?
    (?:\s*(?P<article>a|an|the|of))?
    (?:\s*[\w.]*tensors?)?
    (?:\s*(?:of|with|has|have|in(?:\s+the)?|the))?
    [\s.]*$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_APPOSED: Final = regex(r",\s*an?\s+[\w.]*(?:tensors?|arrays?)\b", re.IGNORECASE)
"""An article that is no label: `points, a tensor of shape`."""
_LABEL: Final = regex(
    rf"{_NAMES}\s*(?::|=|—|\s-|\s(?:is|are|has)(?=\s))\s*"
    r"(?:(?:an?\s+)?[\w.]*[Tt]ensors?\s+|<\w+>)?`?$"
)
_GIVES: Final = regex(rf"[\s\-*•,;.]*{_NAMES}\s*(?:-{{1,2}}>|=>|→)\s*`?$")
_ADJACENT: Final = regex(rf"[\s\-*•,;.]*{_NAMES}\s*`?$")
_QUOTED: Final = regex(rf"`(?P<names>{_NAME})`\s*$")
_TIMES: Final = regex(r"(?:^|\s)(?P<times>[2-9])\s*[x×*]\s*$")
SHAPED: Final = regex(r"`?[\s-]*(?:shaped?|tensors?|arrays?)\b", re.IGNORECASE)


_REARRANGED: Final = (
    r"(?:(?:re)?shape|view|expand|broadcast|squeeze|unsqueeze|flatten|unflatten|permute|transpose"
    r"|rearrange|fold|unfold|collapse|convert|cast|pad|pool|repeat|tile|split|resize)"
)
_ELSEWHERE: Final = regex(
    rf"""
    \b(?:
        (?:can|could|may|might|must|should|shall|will|would|to|not)\s+(?:\w+ly\s+|also\s+|then\s+)?
          (?:be|get)\s+(?:\w+ly\s+|then\s+|later\s+)?{_REARRANGED}(?:d|ed|ted|ded|ten)?
          (?:\s+(?:back|up|out))?\s+(?:(?:in)?to|as)
      | (?:which|that|and|then)\s+(?:is|are|gets?)\s+(?:\w+ly\s+|then\s+|later\s+)?
          {_REARRANGED}(?:d|ed|ted|ded)?(?:\s+(?:back|up|out))?\s+(?:(?:in)?to|as)
      | {_REARRANGED}e?able\s+(?:(?:in)?to|with|against)
      | (?:before|after|prior\s+to|until|once)\s+(?:(?:a|the|being|it\s+is|they\s+are)\s+)?
          {_REARRANGED}(?:d|ed|ted|ded|ing|e?s)?\s+(?:(?:in)?to|as)
      | instead\s+of | rather\s+than | as\s+opposed\s+to | in\s+place\s+of | unlike
      | not | isn['’]t | aren['’]t | no\s+longer
      | used\s+to\s+(?:be|have) | formerly | equivalent\s+to
    )
    (?:\s+(?:an?|the|its?|of|in|with|be|have|having|shaped?|sizes?|shapes?|tensors?|arrays?
      |matrix|form))*
    [\s:`*'"=]*$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ELSEWHERE_ENDS: Final = (
    *("to", "as", "with", "against", "of", "than", "unlike", "not", "n't", "n’t", "longer", "be"),
    *("have", "formerly", "a", "an", "the", "it", "its", "in", "having", "shape", "shaped"),
    *("size", "sized", "sizes", "shapes", "tensor", "tensors", "array", "arrays", "matrix", "form"),
)
"""How what `_ELSEWHERE` matches ends, but for space and signs."""


def is_elsewhere(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]`, in front of a shape, says that a value has not got it.

    Or that only something made of it would have it: `which can be reshaped to (B, T)`, `instead of
    (B, T)`.
    """
    words = text[start:end].rstrip()
    while words and words[-1] in ":`*'\"=":
        words = words[:-1].rstrip()
    # The expression may begin at any word, and takes long where it does not end.
    if not words.casefold().endswith(_ELSEWHERE_ENDS):
        return False
    return _ELSEWHERE.search(text, start, end) is not None


class Introduction(NamedTuple):
    """The words in front of a shape, read; see `groups.Group` for the fields they share."""

    labels: tuple[str, ...]
    explicit: bool
    keyword: bool
    sure: bool
    times: int
    rest: str
    """The words before the label and the keyword."""


def introduction(before: str, first: bool) -> Introduction:
    """The words in front of a shape, read; `first` if the text begins with them."""
    times = 1
    if (multiple := _TIMES.search(before)) is not None:
        times = int(multiple["times"])
        before = before[: multiple.start()]
    keyword = _KEYWORD.search(before)
    if keyword is None:
        opens = first or before.lstrip()[:1] in (",", ";")
        match = _LABEL.search(before) or (_GIVES.fullmatch(before) if opens else None)
        explicit = match is not None
        match = match or (_ADJACENT.fullmatch(before) if opens else None) or _QUOTED.search(before)
        labels = _labels(match["names"]) if match else ()
        if not explicit and any(label.lower() in DISOWNING for label in labels):
            labels = ()
        rest = before[: match.start("names")] if match and labels else before
        return Introduction(labels, explicit, False, False, times, rest)
    sure = keyword["sure"] is not None
    rest = before[: keyword.start()]
    if keyword["of"]:
        return Introduction(_labels(keyword["of"]), True, True, sure, times, rest)
    match = _OWNER.search(rest)
    labels = _labels(match["names"]) if match else ()
    if match and len(labels) > 1 and _APPOSED.search(match[0]):
        labels = labels[:-1]
    if match and not match["verb"] and (match["article"] or labels == ("a",)):
        # `gives a tensor of shape`
        labels = ()
    rest = rest[: match.start()] if match and labels else rest
    return Introduction(labels, True, True, sure, times, rest)


def _labels(written: str) -> tuple[str, ...]:
    names = [name.strip("` ") for name in _NAME_SPLIT.split(written)]
    labels = tuple(name.removesuffix(".shape") for name in names if name)
    if any(_is_bad(label) or _NO_LABEL_END.search(label.lower()) for label in labels):
        return ()
    return () if any(label.lower() in _UNFIT for label in labels) else labels


def _is_bad(label: str) -> bool:
    # `cls` as a label is a class token; as a dim it is the first parameter of a class method.
    return weigh(label) == BAD and label.lower() != "cls"


# `input_size = (C, H, W)` is the size itself, not a tensor.
_NO_LABEL_END: Final = regex(r"(?:_|\.)(?:size|sizes|shape|shapes|dims|resolution|stride|kernel)$")
_NAME_SPLIT: Final = regex(r"[,&/]|\band\b")

# Words in front of a shape that are not a label.
_NO_LABEL: Final = words(
    """
    shape shapes size sizes dims dimensions dim with reshape reshaped reshapes permute transpose
    view flatten expand squeeze unsqueeze get gets becomes become make makes now
    dimension desired final resulting expected actual current new
    """
)

# After these words a bracket is an interval, a pair, one of several things ...
DISOWNING: Final = words(
    """
    in between range interval over across axis axes along per each every for by via at pair
    pairs tuple tuples list lists step stride strides kernel grid position positions coordinate
    coordinates coords index indices if on using use call type args arguments
    edge edges node nodes vertex arc path instead than not vs set subset sequence triple triplet
    """
)
# ... and after these, with or without a colon, it is not the shape of the line's value.
OTHERS: Final = words(
    """
    e.g eg i.e ie example ex note todo fixme before from was were originally original old expect
    expects expected take takes assume assumes assuming layout format pattern order
    """
)
_UNFIT: Final = _NO_LABEL | OTHERS
