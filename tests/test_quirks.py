"""Where the library departs from its documents, the documents win, in every row with a quirk.

This module states what the documents say, in the plainest form, and compares that with the rule's
answer for all rows of golden/name_inference_visible.jsonl that carry the quirk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from golden_names import (
    RUNTIME_FORMS,
    UNTAGGED,
    agrees,
    category,
    decode,
    read_rows,
    spelling_of,
    tensor,
)
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import Dim
from namecheck_runtime.mistakes import Mistake
from namecheck_runtime.mistakes.dims import RankMismatch

Row = dict[str, Any]
Names = list[str | None]


def answer(row: Row) -> Any:
    """The result of the rule, or the category of its refusal."""
    arguments: list[Any] = []
    for argument in row["a"]:
        arguments.append(decode(argument, arguments))
    keywords = {name: decode(value, arguments) for name, value in row.get("k", {}).items()}
    try:
        return infer(spelling_of(row), arguments, keywords).result
    except Mistake as mistake:
        return category(mistake.sentence(), mistake.exception.__name__)


def names(argument: Any) -> Names:
    sizes, given_names = argument["T"][:2]
    return list(given_names) if given_names else [None] * len(sizes)


def tensors(row: Row) -> list[Any]:
    return [a for a in row["a"] if isinstance(a, dict) and "T" in a]


def unified(left: Names, right: Names) -> Names | str:
    """Names from the right: a name wins over None, two names must be equal, and a name that meets
    None may not stand elsewhere on that side."""
    result: Names = []
    for back in range(1, max(len(left), len(right)) + 1):
        left_name = left[-back] if back <= len(left) else None
        other = right[-back] if back <= len(right) else None
        if left_name and other and left_name != other:
            return "name-mismatch"
        if (left_name and not other and left_name in right) or (
            other and not left_name and other in left
        ):
            return "name-misaligned"
        result.insert(0, left_name or other)
    return result


def keeps_the_dims(row: Row) -> Any:
    """Q1, Q7: `squeeze` of a dim of another size, `sgn` and `normal` keep dims and names."""
    first = tensors(row)[0]
    return {"t": [first["T"][0], names(first)]}


def keeps_the_names(row: Row) -> Any:
    """Q7: `topk` gives values and indices under the names of its input."""
    if row["op"] != "topk":
        return keeps_the_dims(row)
    sizes = list(row["a"][0]["T"][0])
    dim = row["a"][2] if len(row["a"]) > 2 else -1
    if sizes:
        sizes[dim] = row["a"][1]
    return {"seq": [{"t": [sizes, names(row["a"][0])]}] * 2}


def gains_names_in_place(row: Row) -> Any:
    """Q3, Q5: in place, self takes the unified names; its sizes stay."""
    sizes = row["a"][0]["T"][0]
    result: Names | str = names(row["a"][0])
    operands = tensors(row)[1:]
    if row["op"] == "addmm_":
        rows, columns = operands
        shape = [rows["T"][0][0], columns["T"][0][1]]
        operands = [{"T": [shape, [names(rows)[0], names(columns)[1]]]}]
    if row["op"] == "masked_fill_":
        mask, *value = operands
        if len(mask["T"][0]) > len(sizes):
            return "name-broadcast-to"
        if value and value[0]["T"][0]:
            return "shape"
        operands = [mask]
    for operand in operands:
        assert isinstance(result, list)
        result = unified(result, names(operand))
        if isinstance(result, str):
            return result
        if len(result) > len(sizes) or any(
            size not in (1, mine)
            for size, mine in zip(operand["T"][0][::-1], sizes[::-1], strict=False)
        ):
            return "shape"
    return {"t": [sizes, result]}


def renames_a_view(row: Row) -> Any:
    """Q2: `flatten` of one dim renames it in the result."""
    return row["r"]


def refuses_a_repeated_name(row: Row) -> Any:
    """Q4: no result has a name twice."""
    return "name-dup-matmul"


def refuses_other_names(row: Row) -> Any:
    """Q6: a named `out=` must have the computed names, None counting as a value."""
    return "name-out"


def refuses_a_star(row: Row) -> Any:
    """Q9: `*` is not an identifier."""
    return "name-invalid"


DOCUMENTED: dict[str, Callable[[Row], Any]] = {
    "squeeze-non1-drops-names": keeps_the_dims,
    "flatten-single-renames-self": renames_a_view,
    "masked_fill_-rank-check-reversed": gains_names_in_place,
    "duplicate-output-name": refuses_a_repeated_name,
    "inplace-on-partly-named-self": gains_names_in_place,
    "out-names-unchecked-when-inputs-unnamed": refuses_other_names,
    "documented-but-unsupported": keeps_the_names,
    "star-is-wildcard": refuses_a_star,
}


def quirk_of(row: Row) -> str:
    if row["id"] in UNTAGGED:
        unchecked = row["op"] in ("mv", "cat")
        return (
            "out-names-unchecked-when-inputs-unnamed"
            if unchecked
            else "inplace-on-partly-named-self"
        )
    return str(row.get("q", ""))


ROWS = [row for row in read_rows() if quirk_of(row) in DOCUMENTED and row["f"] not in RUNTIME_FORMS]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_the_documents_win(row: Row) -> None:
    expected, got = DOCUMENTED[quirk_of(row)](row), answer(row)
    if isinstance(expected, str) or isinstance(got, str):
        assert got == expected
    else:
        assert agrees(expected, got, row["op"]), got


def test_every_quirk_is_tested() -> None:
    quirks = {row["q"] for row in read_rows() if "q" in row and not row["q"].startswith("msg-")}
    assert quirks == DOCUMENTED.keys() | {"align_tensors-nyi", "cat-legacy-empty-rejected"}


def test_align_tensors() -> None:
    """Q8: all tensors get the names of the first that has them all; torch does not implement it."""
    left, right = tensor((2, 3), ("N", "C")), tensor((3,), ("C",))
    result = infer("torch.align_tensors", (left, right)).result
    assert result == (left, (Dim("N", 1), Dim("C", 3)))


def test_cat_skips_an_empty_1d_tensor_only_without_names() -> None:
    """Q10: a tensor of shape [0] joins anything.  With names it is refused: the documents are
    silent, and the rows of `concatenate` and `hstack` that refuse it carry no quirk.
    """
    empty = tensor((0,), None)
    matrix = tensor((2, 3), None)
    assert infer("torch.cat", ([matrix, empty], 1)).result == matrix
    with pytest.raises(RankMismatch):
        infer("torch.cat", ([tensor((2, 3), ("N", "C")), empty], 1))


@pytest.mark.parametrize(
    ("mask", "after"),
    [
        (tensor((3,), ("C",)), tensor((2, 3), ("N", "C"))),
        (tensor((2, 1), ("N", None)), tensor((2, 3), ("N", "C"))),
        (tensor((), None), tensor((2, 3), ("N", "C"))),
    ],
)
def test_masked_fill_in_place_broadcasts_its_mask(mask: Any, after: Any) -> None:
    """Q3: a mask with fewer dims is lined up from the right."""
    self = tensor((2, 3), ("N", "C"))
    assert infer("Tensor.masked_fill_", (self, mask, 0.0)).result == after
