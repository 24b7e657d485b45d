"""mypy's error codes for our findings: `named-tensor`, and one below it for each rule code."""

from __future__ import annotations

from typing import Final

from mypy.errorcodes import ErrorCode, error_codes

NAMED_TENSOR: Final = ErrorCode(
    "named-tensor", "Check the names and sizes of tensors' dims", "namecheck"
)
"""The parent: ignoring or disabling it does so for all below it."""

NAMES: Final = {
    "NC101": "name-mismatch",
    "NC102": "misaligned-names",
    "NC103": "unknown-name",
    "NC104": "duplicate-name",
    "NC105": "out-names",
    "NC106": "inplace-names",
    "NC107": "bad-names",
    "NC108": "contracted-names",
    "NC201": "size-mismatch",
    "NC202": "misaligned-broadcast",
    "NC203": "contraction-size",
    "NC204": "reshape-size",
    "NC205": "scrambled-reshape",
    "NC206": "expand-size",
    "NC207": "join-size",
    "NC208": "layer-size",
    "NC209": "rank-promotion",
    "NC210": "explicit-broadcast",
    "NC211": "forced-literal",
    "NC212": "bad-extent",
    "NC301": "dim-out-of-range",
    "NC302": "repeated-dim",
    "NC303": "rank-mismatch",
    "NC304": "bad-pattern",
    "NC305": "normalised-axis",
    "NC306": "layout-role",
    "NC307": "statistics-axis",
    "NC401": "annotation-mismatch",
    "NC402": "comment-mismatch",
    "NC403": "bad-annotation",
    "NC404": "argument-mismatch",
    "NC501": "noncontiguous-view",
    "NC502": "write-to-expanded",
    "NC506": "overlapping-write",
    "NC507": "storage-bounds",
    "NC601": "removed-named-tensors",
    "NC803": "revealed-names",
}
"""The rule codes and their names, as the rulebook has them (a test compares the two).

mypy has to know all codes when a run begins, and would pay for the rulebook's mistakes in each.
"""


def name_of(code: str) -> str:
    """What mypy calls a rule code: `named-tensor-NC202`."""
    return f"{NAMED_TENSOR.code}-{code}"


# All are made when the plugin is loaded: mypy refuses to disable a code that it does not know.
for _code, _name in NAMES.items():
    ErrorCode(name_of(_code), _name.replace("-", " "), "namecheck", sub_code_of=NAMED_TENSOR)


def of_rule(code: str) -> ErrorCode:
    """The error code of a rule code; the parent where the rule has none of its own."""
    return error_codes.get(name_of(code), NAMED_TENSOR)
