"""The API of names, on partly known tensors."""

from __future__ import annotations

from typing import Any

import pytest

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Mark
from namecheck_runtime.mistakes import Mistake
from shapes import dims, shape


@pytest.mark.parametrize(
    ("path", "source", "arguments", "expected"),
    [
        ("Tensor.rename", "N:b C:c", ("A", "B"), "A:b B:c"),
        ("Tensor.rename", "N:b C:c", (None, "B"), "_:b B:c"),
        ("Tensor.rename", "N:b C:c", (None,), "b c"),
        ("Tensor.rename", "N:b C:c H:h", (..., "X"), "N:b C:c X:h"),
        ("Tensor.rename", "N:b C:c H:h", ("X", "..."), "X:b C:c H:h"),
        ("Tensor.rename", "N:b C:c H:h", ("X", ..., "Y"), "X:b C:c Y:h"),
        ("Tensor.rename", "?:b C:c", (..., "X"), "?:b X:c"),
        ("Tensor.rename", "", (), ""),
        # The number of names is the rank of an unknown tensor.
        ("Tensor.rename", "...", ("A", "B"), "A:? B:?"),
        ("Tensor.rename", "... c", ("A", "B"), "A:? B:c"),
        ("Tensor.rename", "... T:t C:c", (..., "X"), "... T:t X:c"),
        ("Tensor.rename", "... T:t C:c", ("X", ..., "Y"), "... Y:c"),
        ("Tensor.rename", "...", (..., "Y"), "... Y:?"),
        # An unknown name may be `...`.
        ("Tensor.rename", "N:b C:c", (UNKNOWN,), "?:b ?:c"),
        ("Tensor.rename", "N:b C:c H:h", (UNKNOWN, "X"), "?:b ?:c ?:h"),
        ("Tensor.rename", "N:b C:c H:h", (..., UNKNOWN), "N:b C:c ?:h"),
        ("Tensor.rename_", "N:b C:c", ("A", "B"), "A:b B:c"),
        ("Tensor.names=", "N:b C:c", (None,), "b c"),
        ("Tensor.names=", "N:b C:c", (("A", None),), "A:b c"),
        ("Tensor.names=", "N:b C:c", (UNKNOWN,), "?:b ?:c"),
        ("Tensor.names=", "...", (("A", None),), "A:? ?"),
        ("Tensor.refine_names", "b C:c", ("N", "C"), "N:b C:c"),
        ("Tensor.refine_names", "b C:c", ("N", ...), "N:b C:c"),
        ("Tensor.refine_names", "?:b C:c", ("N", "C"), "N:b C:c"),
        ("Tensor.refine_names", "?:b C:c", (None, "C"), "b C:c"),
        ("Tensor.refine_names", "b C:c", (UNKNOWN, "C"), "?:b C:c"),
        ("Tensor.refine_names", "...", ("N", "C"), "N:? C:?"),
        ("Tensor.refine_names", "... t C:c", (..., "T", "C"), "... T:t C:c"),
        ("Tensor.refine_names", "... t C:c", ("N", ..., "C"), "... C:c"),
        ("Tensor.align_to", "N:b C:c", ("C", "N"), "C:c N:b"),
        ("Tensor.align_to", "N:b C:c", ("C", "T", "N"), "C:c T:1 N:b"),
        ("Tensor.align_to", "N:b C:c", ("C", None, "N"), "C:c 1 N:b"),
        ("Tensor.align_to", "N:b C:c H:h", ("H", ...), "H:h N:b C:c"),
        ("Tensor.align_to", "N:b 3 H:h", (..., "T", "N"), "3 H:h T:1 N:b"),
        ("Tensor.align_to", "?:b C:c", ("C", "N"), "C:c N:?"),
        ("Tensor.align_to", "?:b C:c", (..., "N"), "... N:?"),
        ("Tensor.align_to", "... C:c", ("C", "N"), "C:c N:?"),
        ("Tensor.align_to", "... C:c", (..., "C"), "... C:c"),
        ("Tensor.align_to", "N:b C:c", (UNKNOWN,), "..."),
        ("Tensor.align_as", "C:c", (shape("N:b C:c H:h"),), "N:1 C:c H:1"),
        ("Tensor.align_as", "C:c", (UNKNOWN,), "..."),
        ("Tensor.align_as", "...", (shape("N:b C:c"),), "N:? C:?"),
        ("Tensor.resize_", "2 3", (3, 2), "3 2"),
        ("Tensor.resize_", "N:2 C:3", (2, 3), "N:2 C:3"),
        ("Tensor.resize_", "?:2 3", (6,), "?:6"),
        ("Tensor.resize_", "...", (6,), "?:6"),
        ("Tensor.resize_as_", "2 3", (shape("N:4"),), "N:4"),
        ("Tensor.resize_as_", "N:2 C:3", (shape("N:2 C:3"),), "N:2 C:3"),
        ("Tensor.resize_as_", "N:2 C:3", (UNKNOWN,), "..."),
    ],
)
def test_names(path: str, source: str, arguments: tuple[Any, ...], expected: str) -> None:
    assert infer(path, (shape(source), *arguments)).result == shape(expected)


@pytest.mark.parametrize(
    ("source", "names", "expected"),
    [
        ("N:b C:c", {"N": "A"}, "A:b C:c"),
        ("N:b C:c", {"N": "C", "C": "N"}, "C:b N:c"),
        ("N:b C:c", {"N": None}, "b C:c"),
        ("N:b C:c", {"N": UNKNOWN}, "?:b C:c"),
        ("N:b ?:c", {"C": "A"}, "N:b ?:c"),
        ("... N:b C:c", {"N": "A"}, "... A:b C:c"),
        ("... C:c", {"N": "A"}, "... C:c"),
        ("...", {"N": "A"}, "..."),
    ],
)
def test_a_map_of_names(source: str, names: dict[str, Any], expected: str) -> None:
    assert infer("Tensor.rename", (shape(source),), names).result == shape(expected)


def test_aligned_tensors_follow_the_longest() -> None:
    tensors = (shape("C:c"), shape("N:b C:c"), shape("C:c N:b"))
    result = infer("torch.align_tensors", tensors).result
    assert result == (shape("N:1 C:c"), shape("N:b C:c"), shape("N:b C:c"))
    assert infer("torch.align_tensors", (shape("C:c"), UNKNOWN)).result == (UNKNOWN, UNKNOWN)


def test_a_new_dim_of_an_alignment_is_marked_as_inserted() -> None:
    (inserted, _) = infer("Tensor.align_to", (dims("C:c"), "N", "C")).result
    assert inserted.trace is not None
    assert Mark.INSERTED in inserted.trace.marks


REFUSED = [
    (
        "Tensor.rename",
        "N:2 C:3",
        ("N", "N"),
        {},
        "Cannot construct a tensor with duplicate names. Got names: ['N', 'N'].",
    ),
    (
        "Tensor.rename",
        "N:2 C:3",
        ("N",),
        {},
        (
            "Number of names (1) and number of dimensions in tensor (2) do not match. Attempted to "
            "create a tensor with names ['N']"
        ),
    ),
    (
        "Tensor.rename",
        "N:2 C:3",
        (..., "C", ...),
        {},
        (
            "rename: More than one Ellipsis ('...') found in names ((Ellipsis, 'C', Ellipsis)). "
            "This function supports up to one Ellipsis."
        ),
    ),
    ("Tensor.rename", "...", ("...", "C", ...), {}, None),
    ("Tensor.rename", "... 2 3 4", ("N", "C"), {}, None),
    ("Tensor.rename", "...", ("N", "N"), {}, None),
    (
        "Tensor.rename_",
        "N:2 C:3",
        ("1a", ...),
        {},
        (
            "Invalid name: a valid identifier contains only digits, alphabetical characters, "
            "and/or underscore and starts with a non-digit. got: '1a'."
        ),
    ),
    ("Tensor.rename", "N:2", ("*",), {}, None),
    ("Tensor.rename", "N:2", ("é",), {}, None),
    (
        "Tensor.rename",
        "N:2 3",
        (),
        {"Z": "Q"},
        (
            "rename: Tried to rename dim 'Z' to dim Q in Tensor[('N', None)] but dim 'Z' does not "
            "exist"
        ),
    ),
    (
        "Tensor.rename_",
        "N:2 C:3",
        ("A",),
        {"C": "z"},
        (
            "rename_: This function takes either positional args or keyword args, but not both. "
            "Use tensor.rename_(*names) to name dims and tensor.rename_(**rename_map) to rename "
            "dims."
        ),
    ),
    ("Tensor.rename", "N:2 C:3", (), {"N": "C"}, None),
    ("Tensor.names=", "N:2 C:3", ("N",), {}, "names must either be None or a tuple of dim names"),
    (
        "Tensor.refine_names",
        "N:2 C:3",
        ("N", "X"),
        {},
        (
            "refine_names: cannot coerce Tensor['N', 'C'] to Tensor['N', 'X'] because 'C' is "
            "different from 'X' at index 1"
        ),
    ),
    (
        "Tensor.refine_names",
        "N:2 C:3",
        (None, "C"),
        {},
        (
            "refine_names: cannot coerce Tensor['N', 'C'] to Tensor[None, 'C'] because 'N' is more "
            "specific than None at index 0"
        ),
    ),
    (
        "Tensor.refine_names",
        "2 3",
        (),
        {},
        (
            "refine_names: cannot coerce Tensor[None, None] to Tensor[] because they have a "
            "different number of dims (2 and 0 respectively)."
        ),
    ),
    ("Tensor.refine_names", "... T:2 C:3", (..., "X"), {}, None),
    (
        "namecheck_runtime.assert_names",
        "N:2 C:3",
        ("N",),
        {},
        "the names are ('N', 'C'), not ('N',)",
    ),
    (
        "namecheck_runtime.assert_names",
        "N:2 3",
        ("N", "C"),
        {},
        "the names are ('N', None), not ('N', 'C')",
    ),
    ("namecheck_runtime.assert_names", "2 3", (..., "C", ...), {}, None),
    (
        "Tensor.align_to",
        "N:2 C:3",
        ("N",),
        {},
        ("align_to: Cannot find dim 'C' from Tensor['N'] in desired alignment ['N']."),
    ),
    (
        "Tensor.align_to",
        "N:2 3",
        ("N", "C"),
        {},
        (
            "align_to: All input dims must be named. Found unnamed dim at index 1 of "
            "Tensor['N', None]"
        ),
    ),
    (
        "Tensor.align_to",
        "N:2 C:3",
        (None, ...),
        {},
        ("align_to: the desired order of dimensions cannot contain a None name, got [None]"),
    ),
    ("Tensor.align_to", "N:2 C:3", ("N", ..., "N"), {}, None),
    ("Tensor.align_as", "N:2 3", (shape("N:2 C:3"),), {}, None),
    (
        "Tensor.resize_",
        "N:2 C:3",
        (3, 2),
        {},
        (
            "Cannot resize named tensor with resize_ or resize_as_ (tried to resize "
            "Tensor['N', 'C'] with size [2, 3] to [3, 2]). This may be caused by passing a named "
            "tensor as an `out=` argument; please ensure that the sizes are the same."
        ),
    ),
    ("Tensor.resize_as_", "N:3", (shape("Z:3"),), {}, None),
]


@pytest.mark.parametrize(("path", "source", "arguments", "keywords", "sentence"), REFUSED)
def test_refused(
    path: str,
    source: str,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    sentence: str | None,
) -> None:
    with pytest.raises(Mistake) as caught:
        infer(path, (shape(source), *arguments), keywords)
    assert sentence in (None, caught.value.sentence())
    assert caught.value.op == path
    assert caught.value.message()
