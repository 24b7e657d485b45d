"""The shapes that a docstring claims for a function's parameters and its result.

It reads the numpy, Google, Sphinx and transformers styles: a line that begins with the name of a
parameter and says `shape (B, T)`, or has the shape as its first word.  Whatever else looks like a
shape in a docstring describes steps, examples and options, and claims nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from namecheck_runtime.light.regexes import regex

from .comments import Claim, claims_in
from .phrases import is_elsewhere
from .words import measures, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

__all__ = ["part_name", "read_docstring"]


@lru_cache(maxsize=2048)
def read_docstring(text: str) -> tuple[tuple[str, Claim], ...]:
    """(parameter, claim) for each parameter whose shape the docstring says.

    The returned value has the name "return".  Names are as written; the caller checks whether the
    function has such a parameter.  Several returned values, each with a name of its own, are called
    as `part_name` says.  Never raises.  Spans are offsets into `text`.
    """
    if "(" not in text and "[" not in text:
        return ()
    claimed: dict[str, list[Claim]] = {}
    # The entry that deeper lines continue: its name ("" if it claims no shape) and its margin, and
    # where the sentence begins that says what the function returns, -1 behind it.
    name, margin, told = "", -1, -1
    inside, offset = "parameters", 0
    for line in text.splitlines(keepends=True):
        start, offset = offset, offset + len(line)
        end = start + len(line.rstrip())
        indent = len(line) - len(line.lstrip())
        section = _section(line)
        if told >= 0 and (section or not line.strip() or _BREAK.search(text, told, start)):
            name, margin, told = "", -1, -1  # later sentences may be about anything
        if section:
            inside = _SECTIONS.get(section["section"].lower(), "")
            name, margin = ("return", indent - 1) if inside == "return" else ("", -1)
            if name and section["rest"]:
                _add_claim(claimed, name, text, start + section.start("rest"), end)
        elif not inside or not line.strip():
            continue
        elif line[indent : indent + 1] in ":R" and (field := _RETURN.match(line)):
            name, margin = "return", indent
            told = -1 if field["field"] else start + field.end()
            _add_claim(claimed, name, text, start + field.end(), end, told=told)
        elif inside == "return":
            name, margin, ended = _in_returns(claimed, name, margin, text, start, end)
            inside = "" if ended else inside
        elif margin < indent and margin >= 0:
            name = _go_on(claimed, name, text, start, end, told)
        elif (entry := _entry(line)) and entry["name"] not in _NO_NAME:
            name, margin, told = entry["name"], indent, -1
            if _NUMBERS.match(entry["rest"]) or measures(name):
                name = ""  # `grid_size: (height, width)` names numbers, not the dims of a tensor
                continue
            _add_claim(claimed, name, text, start + entry.start("rest"), end)
            name = "" if _speaks_of_several(entry["rest"]) else name
        else:
            name, margin, told = "", -1, -1
    claimed |= _parts(text)
    return tuple(
        (name, claims[0])
        for name, claims in claimed.items()
        if len(claims) == 1 and not _is_one_order_of_two(text, claims[0])
    )


def _section(line: str) -> re.Match[str] | None:
    """The heading of a section that a line is."""
    # Few lines begin with one of its words, and the expression tries them all.
    if not line.lstrip(" \t").casefold().startswith(_SECTION_WORDS):
        return None
    return _SECTION.match(line)


def _entry(line: str) -> re.Match[str] | None:
    """The entry of a parameter that a line begins."""
    return _ENTRY.match(line) if ":" in line or "(" in line else None


def _speaks_of_several(text: str) -> bool:
    """Whether a text speaks of a value that holds others."""
    small = text.casefold()
    for word in _SEVERAL_WORDS:
        if word in small:
            return _SEVERAL.search(text) is not None
    return False


def _is_one_order_of_two(text: str, claim: Claim) -> bool:
    """Whether a docstring says in which case the dims of a claim come in another order.

    `x: shape (T, B, C)`, and of an option: `batch_first: if the input has shape (B, T, C)`.
    """
    labels = _LABEL.findall(text, claim.start, claim.end)
    if len(set(labels)) < 2:
        return False
    for listed in _LISTED.finditer(text):
        others = _LABEL.findall(listed[0])
        if others != labels and sorted(others) == sorted(labels):
            start = text.rfind(".", 0, listed.start()) + 1
            if _CONDITION.search(text, start, _stop(text, listed.end(), len(text))):
                return True
    return False


def _in_returns(
    claimed: dict[str, list[Claim]], name: str, margin: int, text: str, start: int, end: int
) -> tuple[str, int, bool]:
    """Read a line of a section about what is returned.

    Returns the name of the entry and its margin from here on, and whether the section has ended.
    """
    line = text[start:end]
    indent = len(line) - len(line.lstrip())
    entry = _entry(line)
    if name == "return" and indent <= margin + 1 and _is_behind_blank(text, start):
        return name, margin, True
    if entry and entry["name"] not in _NO_NAME:
        if name == "return" and margin < indent and not claimed.get("return"):
            # The returned value has a name of its own, unless another entry follows.
            _add_claim(claimed, "return", text, start + entry.start("rest"), end)
            return "", indent, False
        # The function returns several named parts, which have no single shape.
        claimed.pop("return", None)
        return name, margin, True
    if name == "return":
        _add_claim(claimed, name, text, start, end)
    elif margin < indent and not claimed.get("return"):
        _add_claim(claimed, "return", text, start, end, later=True)
    return name, margin, False


def _is_behind_blank(text: str, start: int) -> bool:
    """Whether the line before the one at `start` is blank."""
    return start > 0 and not text[text.rfind("\n", 0, start - 1) + 1 : start].strip()


def part_name(index: int, count: int) -> str:
    """The name under which `read_docstring` has one of several returned values."""
    return f"return {index} of {count}"


def _parts(text: str) -> dict[str, list[Claim]]:
    """The claims of a section `Returns:` about several values, each with a name of its own."""
    entries: list[dict[str, list[Claim]]] = []
    inside, margin, offset = False, -1, 0
    for line in text.splitlines(keepends=True):
        start, offset = offset, offset + len(line)
        end = start + len(line.rstrip())
        indent = len(line) - len(line.lstrip())
        section = _section(line)
        if section or not inside:
            if entries:
                break
            inside = section is not None and _SECTIONS.get(section["section"].lower()) == "return"
            if section and section["rest"]:
                inside = False
            continue
        if not line.strip() or _UNDERLINE.match(line):
            continue
        if margin < 0:
            margin = indent
        if indent < margin:
            break
        if indent > margin:
            if entries and not entries[-1]:
                _add_claim(entries[-1], "part", text, start, end, later=True)
            elif entries and _OTHER_LATER.search(text, start, end):
                entries[-1]["part"] = []
            continue
        entry = _entry(line)
        if entry is None or entry["name"] in _NO_NAME:
            return {}
        rest = entry["rest"]
        counts = _NUMBERS.match(rest) or measures(entry["name"]) or _speaks_of_several(rest)
        entries.append({"part": []} if counts else {})
        if not counts:
            _add_claim(entries[-1], "part", text, start + entry.start("rest"), end)
    if len(entries) < 2:
        return {}
    count = len(entries)
    return {part_name(k, count): entry.get("part", []) for k, entry in enumerate(entries)}


# In characters: a longer line is data.
_LONGEST: Final = 1000
# How many characters before a line may belong to the words in front of its shape.
_FAR_BACK: Final = 120


def _go_on(
    claimed: dict[str, list[Claim]], name: str, text: str, start: int, end: int, told: int
) -> str:
    """Read a line that goes on with an entry. Returns its name, "" if it claims no shape now."""
    if not name:
        return ""
    if not claimed.get(name):
        _add_claim(claimed, name, text, start, end, later=True, told=told)
        return name
    # Another shape, in the same sentence or of another case: which of them is meant is not known.
    several = told >= 0 and bool(claims_in(text, start, _stop(text, start, end)))
    other = _OTHER_LATER.search(text, start, end) if name == "return" else None
    if several or other or _OTHER_CASE.match(text, start, end):
        claimed.pop(name)
        return ""
    return name


def _stop(text: str, start: int, end: int) -> int:
    """The end of a line, or that of a sentence that ends before."""
    stop = _BREAK.search(text, start, end)
    return end if stop is None else stop.start()


def _add_claim(
    claimed: dict[str, list[Claim]],
    name: str,
    text: str,
    start: int,
    end: int,
    later: bool = False,
    told: int = -1,
) -> None:
    """Add the claim of a line about `name`; a `later` line has to lead to the shape in words.

    Where a sentence began at `told`, only this sentence makes a claim.
    """
    if name == "return" and name in claimed:
        if _GOES_ON.match(text, start, end) or _OTHER_LATER.search(text, start, end):
            claimed.pop(name)
            return
    if told >= 0:
        end = _stop(text, start, end)
    if end - start > _LONGEST or _speaks_of_several(text[start:end]):
        return
    claims = claims_in(text, start, end)
    if len(claims) != 1 or _ARROW.search(text, start, end):
        return
    (claim,) = claims
    if _OTHER_LATER.search(text, claim.end, end):
        return  # which of the shapes is meant is not known
    if is_elsewhere(text, max(start - _FAR_BACK, 0), claim.start):
        return  # the line before has the words
    if told >= 0 and _LISTED.search(text, told, claim.start):
        return  # the sentence has another shape, which may be the one
    if claim.confidence == "prose" and text[start : claim.start].strip(" :`-("):
        return
    if name != "return" and _OF_RESULT.search(text[start : claim.start]):
        return
    if name == "return" and (
        _OF_VARIABLE.search(text, start, claim.start)
        or _IS_OPERAND.match(text, claim.end, end)
        or _PRODUCT_OF.search(text, start, claim.start)
    ):
        return  # the shape is that of an operand
    if later and (
        claim.label not in (None, name) or not _OPENS.fullmatch(text, start, claim.start)
    ):
        return
    claimed.setdefault(name, []).append(claim._replace(label=None))


_SECTIONS: Final = dict.fromkeys(
    ("args", "arguments", "parameters", "params", "inputs", "keyword args"), "parameters"
) | {"return": "return", "returns": "return"}
_SECTION: Final = regex(
    r"[ \t]*(?P<section>args|arguments|parameters|params|inputs|keyword args|returns?|yields?"
    r"|raises|examples?|notes?|references|attributes|shapes?|outputs?|see also|usage|warnings?"
    r"|todo)[ \t]*(?::[ \t]*(?P<rest>\S.*)?)?\s*$",
    re.IGNORECASE,
)
_SECTION_WORDS: Final = (
    *("arg", "param", "input", "keyword args", "return", "yield", "raises", "example", "note"),
    *("references", "attributes", "shape", "output", "see also", "usage", "warning", "todo"),
)
"""How the words of `_SECTION` begin."""
_RETURN: Final = regex(r"[ \t]*(?:(?P<field>:returns?:)|Returns?:?(?=[ \t]+\S))")
_BREAK: Final = regex(
    r"(?<!\be\.g)(?<!\bi\.e)[.!?;][`'\"*)\]]*(?=\s)"
    r"(?!\s+(?:(?:its|the\s+(?:output|result)'?s?)\s+)?shape\b)(?!\s+(?:it|which)\s+(?:is|has)\b)",
    re.IGNORECASE,
)
"""The end of a sentence, unless the next one goes on with the shape of the same: `Its shape is`."""
_LISTED: Final = regex(r"\([^()]*,[^()]*\)|\[[^\[\]]*,[^\[\]]*\]")
_LABEL: Final = regex(r"[^\W\d]\w*")
_CONDITION: Final = regex(r"\b(?:if|when|whether|otherwise|unless|else)\b", re.IGNORECASE)
# `x (Tensor): ...`, `x : Tensor ...`, `x: (B, T)`, `:param x: ...`, `* **x**: ...`
_ENTRY: Final = regex(
    r"[ \t]*[-*•]?[ \t]*(?::param\s+(?:[\w.]+\s+)?)?"
    r"(?:\*\*|`{1,2})?(?P<name>[^\W\d]\w*)(?:\*\*|`{1,2})?(?P<rest>\s*:(?!:)(?!math:).*|\s+\(.*)"
)
_ARROW: Final = regex(r"-+>|=>|→", words=("->", "=>", "→"))
"""What the function makes of it: the shapes on both sides are of two values."""
_OF_RESULT: Final = regex(
    r"(?:^|[.;]|\bit)\s*(?:returns?|gives?|yields?|outputs?|produces?|computes?)\b[^.;]*$",
    re.IGNORECASE,
)
"""A sentence about the result, in the entry of a parameter: `x: (R, T). Returns (R,)`."""
_OF_VARIABLE: Final = regex(r"\w\.shape\b")
"""A variable of the function, of which the result may be the sum: `rates.shape = (n,)`."""
_UNDERLINE: Final = regex(r"\s*-{3,}\s*$")
_NO_NAME: Final = words(
    """
    shape Shape Input Output Note Example math Default default Tensor tensor array ndarray Array
    """
)
_NUMBERS: Final = regex(r"\s*[:(]\s*`?(?:int|float|bool|str|callable)\b", re.IGNORECASE)
_OPENS: Final = regex(
    r"[\s`(:]*(?:(?:the|an?|of|with|has|have|must|be|should|is|in|shaped?|sized|[\w.]*tensors?|arrays?)\W+)*",
    re.IGNORECASE,
)
_SEVERAL: Final = regex(
    r"\b(?:tuples?|lists?|dicts?|sequences? of|iterables?|mappings?)\b", re.IGNORECASE
)
_SEVERAL_WORDS: Final = ("tuple", "list", "dict", "sequence", "iterable", "mapping")
_DONE_FURTHER: Final = r"""
    (?:multiplied|divided|summed|averaged|reduced|normali[sz]ed\s+(?:along|over|across)|pooled
      |projected|applied|followed\s+by
      |after\s+(?:which|that|multipl|summ|pool|reduc|project|averag)\w*|concatenated|stacked|weighted|added|reshaped
      |flattened|transposed|permuted|squeezed|unsqueezed|times)\b
"""
_GOES_ON: Final = regex(
    rf"""
    [\s`'"*)\].,;:]*
    (?:(?:and|that|which|then|is|are|was|were|has|have|been|to\s+be|element-?wise|further)[\s,]+)*
    {_DONE_FURTHER}
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""A line that goes on with what is done with a tensor before it is the result."""
_IS_OPERAND: Final = regex(rf"[^.;]*?\b{_DONE_FURTHER}", re.VERBOSE | re.IGNORECASE)
"""The same later in the sentence, behind the shape."""
_PRODUCT_OF: Final = regex(
    r"\b(?:products?|sums?|means?|averages?)\s+(?:of|between)\s+(?!shapes?\b|sizes?\b|dim)",
    re.IGNORECASE,
)
_OTHER_CASE: Final = regex(r"\s*(?:or|otherwise)\b[^()\[\]]*[(\[]", re.IGNORECASE)
"""A line that goes on with another shape: `or `(B, N, T, D)` in the other mode`."""
_OTHER_LATER: Final = regex(r"\b(?:or|otherwise)\b[^()\[\]]*[(\[]", re.IGNORECASE)
"""The same later in the line."""
