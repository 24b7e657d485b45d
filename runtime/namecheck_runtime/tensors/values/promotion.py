"""How the dtypes of operands combine: PyTorch's rule of three categories.

Tensors with dims decide; a 0-d tensor only if its kind is higher than theirs, a Python number only
if its kind is higher than that of both.  Source: PyTorch, "Tensor attributes", torch.dtype; tested
against a table measured on torch 2.13 (`tests/data/promotion_torch.jsonl`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import dtype

_RANK: Final = {"bool": 0, "int": 1, "float": 2, "complex": 3}
_ORDER: Final = (
    dtypes.bool_,
    dtypes.uint8,
    dtypes.int8,
    dtypes.int16,
    dtypes.int32,
    dtypes.int64,
    dtypes.float16,
    dtypes.float32,
    dtypes.float64,
    dtypes.complex64,
    dtypes.complex128,
)
_PLACE: Final = {one: place for place, one in enumerate(_ORDER)}


def promote(a: dtype, b: dtype) -> dtype:
    """The dtype that holds the values of both, as `torch.promote_types` has it.

    Raises RuntimeError for two of which neither says how they combine, see
    `dtypes.register_dtype`.
    """
    if a is b:
        return a
    if a.promotes is not None or b.promotes is not None:
        return _declared(a, b)
    low, high = (a, b) if _PLACE[a] < _PLACE[b] else (b, a)
    if low is dtypes.uint8 and high is dtypes.int8:
        return dtypes.int16
    if low is dtypes.float64 and high is dtypes.complex64:
        return dtypes.complex128
    return high


def _declared(a: dtype, b: dtype) -> dtype:
    """The dtype that one of two says for both.  Raises RuntimeError if neither does."""
    combined = (a.promotes or {}).get(b) or (b.promotes or {}).get(a)
    if combined is None:
        low, high = (a, b) if a.promotes is not None else (b, a)
        subject = next((group for group, names in _TOGETHER if {a.name, b.name} & names), low.name)
        raise RuntimeError(
            f"Promotion for {subject} is not supported, attempted to promote "
            f"{dtypes.SPOKEN[a.name]} and {dtypes.SPOKEN[b.name]}\n"
            f"hint: convert one of the two, x.to(torch.{high.name})"
        )
    return combined


_TOGETHER: Final = (
    ("Float8 Types", frozenset(name for name in dtypes.OWN if name.startswith("float8"))),
    ("uint16, uint32, uint64 types", frozenset({"uint16", "uint32", "uint64"})),
)
"""Those that PyTorch names together in its message, and how."""


def result_type(
    dimensional: Iterable[dtype], scalar: Iterable[dtype] = (), numbers: Iterable[object] = ()
) -> dtype | None:
    """The dtype of a result from those of tensors with dims, of 0-d tensors and of numbers.

    None if there are none.
    """
    result: dtype | None = None
    kinds = [dtypes.dtype_of_number(number) for number in numbers]
    for group in (dimensional, scalar, [kind for kind in kinds if kind is not None]):
        combined: dtype | None = None
        for operand in group:
            combined = operand if combined is None else promote(combined, operand)
        if combined is None:
            continue
        if result is None:
            result = combined
        elif _RANK[combined.kind] > _RANK[result.kind]:
            # A complex number beside float64 makes complex128.
            result = _widened(result, combined)
    return result


def _widened(wide: dtype, higher: dtype) -> dtype:
    """The dtype for an operand of a higher kind beside a dtype that would decide."""
    if higher.kind == "complex" and wide.kind == "float":
        return dtypes.complex128 if wide is dtypes.float64 else dtypes.complex64
    return higher


def floating(operand: dtype) -> dtype:
    """The dtype of `exp` and the like: of a kind that has fractions."""
    return operand if _RANK[operand.kind] >= 2 else dtypes.get_default_dtype()


def real(operand: dtype) -> dtype:
    """The dtype of the parts of complex numbers; other dtypes as they are."""
    if operand.kind != "complex":
        return operand
    return dtypes.float64 if operand is dtypes.complex128 else dtypes.float32


def complex_of(operand: dtype) -> dtype:
    """The complex dtype with parts of a dtype; complex dtypes as they are."""
    if operand.kind == "complex":
        return operand
    return dtypes.complex128 if operand is dtypes.float64 else dtypes.complex64


def can_cast(source: dtype, target: dtype) -> bool:
    """Whether a result of one dtype may be written to a tensor of another."""
    return _RANK[source.kind] <= _RANK[target.kind] and not (
        source.kind == "int" and target.kind == "bool"
    )
