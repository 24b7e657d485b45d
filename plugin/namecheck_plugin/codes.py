"""mypy's error codes for our findings: `named-tensor`, and one below it for each rule code."""

from __future__ import annotations

from typing import Final

from mypy.errorcodes import ErrorCode, error_codes

from namecheck_runtime.mistakes import CODES

NAMED_TENSOR: Final = ErrorCode(
    "named-tensor", "Check the names and sizes of tensors' dims", "namecheck"
)
"""The parent: a user who ignores or disables it does so for all codes below it."""


def name_of(code: str) -> str:
    """The name of a rule code in mypy: `named-tensor-NC202`."""
    return f"{NAMED_TENSOR.code}-{code}"


# All are made when the plugin is loaded, because mypy refuses to disable an unknown code.
for _code, _mistake in CODES.items():
    ErrorCode(
        name_of(_code), _mistake.name.replace("-", " "), "namecheck", sub_code_of=NAMED_TENSOR
    )


def of_rule(code: str) -> ErrorCode:
    """mypy's error code for a rule code; the parent if the rule has none."""
    return error_codes.get(name_of(code), NAMED_TENSOR)
