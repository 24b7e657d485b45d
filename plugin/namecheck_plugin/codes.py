"""mypy's error codes for our findings: `named-tensor`, and one below it for each rule code."""

from __future__ import annotations

from typing import Final

from mypy.errorcodes import ErrorCode, error_codes

from namecheck_runtime.mistakes import CODES

NAMED_TENSOR: Final = ErrorCode(
    "named-tensor", "Check the names and sizes of tensors' dims", "namecheck"
)
"""The parent: ignoring or disabling it does so for all below it."""


def name_of(code: str) -> str:
    """What mypy calls a rule code: `named-tensor-NC202`."""
    return f"{NAMED_TENSOR.code}-{code}"


# All are made when the plugin is loaded: mypy refuses to disable a code that it does not know.
for _code, _mistake in CODES.items():
    ErrorCode(
        name_of(_code), _mistake.name.replace("-", " "), "namecheck", sub_code_of=NAMED_TENSOR
    )


def of_rule(code: str) -> ErrorCode:
    """The error code of a rule code; the parent where the rule has none of its own."""
    return error_codes.get(name_of(code), NAMED_TENSOR)
