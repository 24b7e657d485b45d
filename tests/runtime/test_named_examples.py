"""Every example of spec/rules.md section 3, run on the runtime: the documented and measured
behaviour of PyTorch's named tensors.
"""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict
from typing import Any

import pytest

import namecheck_runtime as nt


def named(text: str) -> nt.Tensor:
    """`N:2 C:3 4`: a tensor of ones with these names and sizes; a bare size has no name."""
    names: list[str | None] = []
    sizes = []
    for word in text.split():
        name, _, size = word.rpartition(":")
        names.append(name or None)
        sizes.append(int(size))
    return nt.ones(*sizes).rename(*names) if sizes else nt.tensor(1.0)


def refused(error: type[Exception], text: str, ask: Any) -> None:
    """Assert that a call is refused in these words."""
    with pytest.raises(error) as caught:
        ask()
    assert str(caught.value) == text


# -- 3.1 Names -------------------------------------------------------------------------------------


def test_one_name_per_dim_and_none_for_a_wildcard() -> None:
    assert nt.zeros(2, 3).names == (None, None)
    assert not nt.zeros(2, 3).has_names()
    assert not nt.zeros(2, 3, names=(None, None)).has_names()
    assert nt.zeros(2, 3, names=("N", None)).has_names()


@pytest.mark.parametrize("name", ["class", "if", "_", "a1", "N_C", "n"])
def test_valid_names(name: str) -> None:
    assert nt.zeros(1, names=(name,)).names == (name,)


@pytest.mark.parametrize("name", ["", "1a", "a-b", " ", "N.C", "...", "é"])
def test_invalid_names(name: str) -> None:
    refused(
        RuntimeError,
        "Invalid name: a valid identifier contains only digits, alphabetical characters, and/or "
        f"underscore and starts with a non-digit. got: '{name}'.",
        lambda: nt.zeros(1, names=(name,)),
    )


def test_wrong_types_of_names() -> None:
    with pytest.raises(TypeError):
        nt.zeros(2, names="N")
    with pytest.raises(TypeError):
        nt.zeros(2, 3, names=(1, "N"))
    refused(
        TypeError,
        "expected None or string for Dimname but got int",
        lambda: nt.zeros(2, 3, names=("N", 1)),
    )


def test_duplicates_and_counts() -> None:
    refused(
        RuntimeError,
        "Cannot construct a tensor with duplicate names. Got names: ['N', 'N'].",
        lambda: nt.zeros(2, 3, names=("N", "N")),
    )
    refused(
        RuntimeError,
        "Number of names (1) and number of dimensions in tensor (2) do not match. Attempted to "
        "create a tensor with names ['N']",
        lambda: nt.zeros(2, 3, names=("N",)),
    )


def test_names_belong_to_the_tensor_object() -> None:
    x = nt.zeros(2, 3, names=("N", "C"))
    view = x.rename("A", "B")
    assert (x.names, view.names) == (("N", "C"), ("A", "B"))
    view[0] = 1.0
    assert x.sum().item() == 3.0


# -- 3.2 Dims by name ------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["max", "squeeze", "prod"])
def test_none_is_not_a_name_to_look_up(method: str) -> None:
    refused(
        RuntimeError,
        "Please look up dimensions by name, got: name = None.",
        lambda: getattr(named("N:2 C:3"), method)(None),
    )


@pytest.mark.parametrize("method", ["sum", "mean", "std", "var"])
def test_none_means_all_dims_to_some(method: str) -> None:
    assert getattr(named("N:2 C:3"), method)(None).names == ()


def test_size_of_none_is_all_sizes() -> None:
    assert named("N:2 C:3").size(None) == (2, 3)
    assert named("N:2 C:3").stride(None) == (3, 1)


def test_an_unknown_name_is_refused() -> None:
    refused(
        RuntimeError, "Name 'Z' not found in Tensor['N', None].", lambda: named("N:2 3").sum("Z")
    )


def test_lists_of_names() -> None:
    x = named("N:2 C:3 H:4")
    assert x.sum(("N", "H")).names == ("C",)
    refused(TypeError, "expected None or string for Dimname but got int", lambda: x.sum(["N", 1]))
    with pytest.raises(TypeError):
        x.sum([0, "N"])
    refused(
        RuntimeError, "dim 0 appears multiple times in the list of dims", lambda: x.sum(["N", "N"])
    )


def test_two_names_look_the_second_up_first() -> None:
    refused(
        RuntimeError,
        "Name 'Z' not found in Tensor['N', 'C'].",
        lambda: named("N:2 C:3").transpose("Y", "Z"),
    )


@pytest.mark.parametrize(
    "ask",
    [
        lambda x: x.size("C"),
        lambda x: x.stride("C"),
        lambda x: x.select("C", 0),
        lambda x: x.squeeze("C"),
        lambda x: x.unbind("C"),
        lambda x: x.softmax("C"),
        lambda x: x.log_softmax("C"),
        lambda x: x.logsumexp("C"),
        lambda x: x.median("C"),
        lambda x: x.nanmedian("C"),
        lambda x: x.mode("C"),
        lambda x: x.kthvalue(1, "C"),
        lambda x: x.cumsum("C"),
        lambda x: x.cumprod("C"),
        lambda x: x.cummax("C"),
        lambda x: x.cummin("C"),
        lambda x: x.logcumsumexp("C"),
        lambda x: x.index_fill("C", nt.tensor([0]), 1.0),
        lambda x: nt.std_mean(x, "C"),
        lambda x: nt.var_mean(x, "C"),
        lambda x: nt.cat((x, x), "C"),
        # PyTorch refuses these; the runtime accepts a name wherever it accepts an index.
        lambda x: x.any("C"),
        lambda x: x.all("C"),
        lambda x: x.sort("C"),
        lambda x: x.argsort("C"),
        lambda x: x.argmax("C"),
        lambda x: x.amin("C"),
        lambda x: x.topk(1, "C"),
        lambda x: x.chunk(3, "C"),
        lambda x: x.split(1, "C"),
        lambda x: x.tensor_split(3, "C"),
        lambda x: x.narrow("C", 0, 1),
        lambda x: x.swapaxes("N", "C"),
        lambda x: x.movedim("C", "N"),
        lambda x: x.permute("C", "N"),
        lambda x: x.flip("C"),
        lambda x: x.nansum("C"),
        lambda x: nt.norm(x, dim="C"),
        lambda x: nt.count_nonzero(x, "C"),
        lambda x: x.index_select("C", nt.tensor([0])),
    ],
)
def test_a_name_says_which_dim(ask: Any) -> None:
    ask(named("N:2 C:3"))
    with pytest.raises(RuntimeError, match=r"Name 'C' not found in Tensor\['A', 'B'\]\."):
        ask(named("A:2 B:3"))


# -- 3.3 Unifying ----------------------------------------------------------------------------------


def test_unify() -> None:
    assert (named("N:2 C:3") + named("2 C:3")).names == ("N", "C")
    assert (named("N:2 C:3") + named("C:3")).names == ("N", "C")
    assert (named("2 3") + named("3")).names == (None, None)


def test_names_that_do_not_match() -> None:
    refused(
        RuntimeError,
        "Error when attempting to broadcast dims ['N', 'C'] and dims ['N', 'X']: dim 'C' and dim "
        "'X' are at the same position from the right but do not match.",
        lambda: named("N:2 C:3") + named("N:2 X:3"),
    )


def test_names_in_other_places() -> None:
    refused(
        RuntimeError,
        "Misaligned dims when attempting to broadcast dims ['N'] and dims ['N', None]: dim 'N' "
        "appears in a different position from the right across both lists.",
        lambda: named("N:3") + named("N:3 3"),
    )


def test_the_right_most_problem_is_reported() -> None:
    with pytest.raises(RuntimeError, match="dim 'C' and dim 'Y'"):
        named("N:2 C:3") + named("X:2 Y:3")


def test_batch_names_of_matmul() -> None:
    refused(
        RuntimeError,
        "matmul: Expected 'A' (index 0 of ['A', 'N', 'M']) to match 'B' (index 0 of ['B', 'M', "
        "'K']) but they do not match.",
        lambda: named("A:2 N:3 M:4") @ named("B:2 M:4 K:5"),
    )


# -- 3.4 Destinations ------------------------------------------------------------------------------


def test_an_unnamed_destination_takes_the_names() -> None:
    out = nt.zeros(2, 3)
    assert nt.add(named("N:2 C:3"), 1, out=out) is out
    assert out.names == ("N", "C")


def test_a_named_destination_has_to_have_exactly_the_names() -> None:
    out = nt.zeros(2, 3, names=("N", None))
    refused(
        RuntimeError,
        "Name mismatch: specified out tensor with names ['N', None] are not the same as the "
        "computed output names ['N', 'C']. Please rename the out tensor's dims with "
        "`Tensor.rename`.",
        lambda: nt.add(named("N:2 C:3"), 1, out=out),
    )
    assert out.sum().item() == 0.0


def test_only_an_unnamed_destination_is_resized() -> None:
    out = nt.zeros(0)
    nt.add(named("N:2 C:3"), 1, out=out)
    assert (tuple(out.shape), out.names) == ((2, 3), ("N", "C"))
    refused(
        RuntimeError,
        "Cannot resize named tensor with resize_ or resize_as_ (tried to resize Tensor['C', 'N'] "
        "with size [3, 2] to [2, 3]). This may be caused by passing a named tensor as an `out=` "
        "argument; please ensure that the sizes are the same.",
        lambda: nt.add(named("N:2 C:3"), 1, out=named("C:3 N:2")),
    )


def test_in_place_ops_take_names() -> None:
    x = named("2 3")
    x.add_(named("N:2 C:3"))
    assert x.names == ("N", "C")
    # The documented rule, which the library broke (quirk Q5).
    partly = named("N:2 3")
    partly.add_(named("N:2 C:3"))
    assert partly.names == ("N", "C")


def test_copy() -> None:
    x = nt.zeros(2, 3)
    x.copy_(named("C:3"))
    assert x.names == (None, "C")
    assert x.tolist() == [[1, 1, 1], [1, 1, 1]]


# -- 3.5 Groups ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ask",
    [
        lambda x: x.exp(),
        lambda x: x.double(),
        lambda x: x.clone(),
        lambda x: x.contiguous(),
        lambda x: x.detach(),
        lambda x: x.to(nt.int64),
        lambda x: x.cumsum(0),
        lambda x: x.softmax(0),
        lambda x: x.clamp(0, 1),
        lambda x: 2 * x,
        lambda x: x**2,
        lambda x: x[:, 1:],
        lambda x: x.narrow(1, 0, 2),
        lambda x: x.chunk(1)[0],
        lambda x: nt.zeros_like(x),
        lambda x: nt.randn_like(x),
        lambda x: nt.nn.functional.relu(x),
    ],
)
def test_ops_that_keep_names(ask: Any) -> None:
    assert ask(named("N:2 C:3")).names == ("N", "C")


@pytest.mark.parametrize(
    ("ask", "names"),
    [
        (lambda x: x.sum("C"), ("N", "H")),
        (lambda x: x.sum("C", keepdim=True), ("N", "C", "H")),
        (lambda x: x.sum(), ()),
        (lambda x: x.mean(()), ()),
        (lambda x: x.max("H")[0], ("N", "C")),
        (lambda x: x.max("H")[1], ("N", "C")),
        (lambda x: x.any(), ()),
        (lambda x: x.select("N", 0), ("C", "H")),
        (lambda x: x.unbind("H")[0], ("N", "C")),
        (lambda x: x[0], ("C", "H")),
        (lambda x: x[:, 0], ("N", "H")),
        (lambda x: x[..., 0], ("N", "C")),
        (lambda x: next(iter(x)), ("C", "H")),
        (lambda x: x.transpose("N", "H"), ("H", "C", "N")),
        (lambda x: x.transpose(0, 1), ("C", "N", "H")),
        (lambda x: x.mT, ("N", "H", "C")),
        (lambda x: x.expand(5, 2, 3, 4), (None, "N", "C", "H")),
        (lambda x: x.diagonal(0, 1, 2), ("N", None)),
        (lambda x: x.diagonal(outdim="D", dim1="C", dim2="H"), ("N", "D")),
        (lambda x: x.as_strided((2, 2), (1, 1)), (None, None)),
        (lambda x: x.masked_select(x > 0), (None,)),
    ],
)
def test_names_of_results(ask: Any, names: tuple[str | None, ...]) -> None:
    assert ask(named("N:2 C:3 H:4")).names == names


def test_squeeze() -> None:
    assert named("N:1 C:3").squeeze().names == ("C",)
    assert named("N:1 C:3").squeeze("N").names == ("C",)
    # Quirk Q1: the library lost all names here.
    assert named("N:1 C:3").squeeze("C").names == ("N", "C")


def test_select_out_of_range_names_the_dim() -> None:
    refused(
        IndexError,
        "select(): index 5 out of range for tensor of size [2, 3] at dimension 'N'",
        lambda: named("N:2 C:3").select("N", 5),
    )


def test_products() -> None:
    assert (named("N:2 M:3") @ named("X:3 K:4")).names == ("N", "K")
    assert nt.mv(named("N:2 M:3"), named("M:3")).names == ("N",)
    assert nt.dot(named("A:3"), named("B:3")).names == ()
    assert (named("B:2 N:2 M:3") @ named("M:3 K:4")).names == ("B", "N", "K")
    refused(
        RuntimeError,
        "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)",
        lambda: nt.mm(named("N:2 M:3"), named("M:4 K:5")),
    )
    refused(
        RuntimeError,
        "Matrix multiplying Tensor['N', 'M'] with Tensor['M', 'N'] would produce output tensor "
        "with "
        "duplicate names ['N', 'N']. Please rename the input tensors with `Tensor.rename` to "
        "prevent this.",
        lambda: nt.mm(named("N:2 M:3"), named("M:3 N:4")),
    )
    refused(
        RuntimeError,
        "both arguments to matmul need to be at least 1D, but they are 0D and 2D",
        lambda: nt.matmul(named(""), named("N:2 M:3")),
    )
    bias = named("K:4")
    assert nt.addmm(bias, named("N:2 M:3"), named("M:3 K:4")).names == ("N", "K")


def test_linear() -> None:
    weight, bias = named("out:4 inner:3"), named("out:4")
    assert nt.nn.functional.linear(named("N:2 C:3"), weight, bias).names == ("N", "out")


def test_cat() -> None:
    assert nt.cat([named("N:2 C:3"), named("2 C:1")], "C").names == ("N", "C")
    refused(
        ValueError,
        "torch.cat(): expected a non-empty list of Tensors",
        lambda: nt.cat([], 0),
    )
    refused(
        RuntimeError,
        "zero-dimensional tensor (at position 0) cannot be concatenated",
        lambda: nt.cat([nt.tensor(1.0)], 0),
    )
    with pytest.raises(RuntimeError, match="when attempting to cat dims"):
        nt.cat([named("N:2 C:3"), named("N:2 X:3")], 0)


def test_masks() -> None:
    x = named("N:2 C:3")
    assert x.masked_fill(named("C:3") > 0, 0.0).names == ("N", "C")
    refused(
        RuntimeError,
        "masked_fill: attempted to broadcast Tensor['A', 'N', 'C'] to Tensor['N', 'C'] but the "
        "number of dims (3) must be less than or equal to the number of dims in the tensor (2)",
        lambda: x.masked_fill(named("A:2 N:2 C:3") > 0, 0.0),
    )


def test_equal_compares_names() -> None:
    assert nt.equal(named("N:2"), named("N:2"))
    assert not nt.equal(named("N:2"), named("C:2"))
    assert not nt.equal(named("N:2"), named("2"))
    assert named("N:2").is_same_size(named("C:2"))


def test_resize() -> None:
    x = named("N:2 C:3")
    assert x.resize_(2, 3) is x
    with pytest.raises(RuntimeError, match="Cannot resize named tensor"):
        x.resize_(3, 2)
    y = named("2 3")
    y.resize_as_(x)
    assert y.names == ("N", "C")


def test_assignment_unifies_names() -> None:
    x = named("N:2 C:3")
    x[0] = named("C:3") * 5
    assert x.tolist() == [[5, 5, 5], [1, 1, 1]]
    with pytest.raises(RuntimeError, match="do not match"):
        x[0] = named("X:3")
    assert x.tolist() == [[5, 5, 5], [1, 1, 1]]
    refused(TypeError, "new(): invalid data type 'str'", lambda: x["N"])


# -- 3.6 The API of names --------------------------------------------------------------------------


def test_factories() -> None:
    for make in (nt.zeros, nt.ones, nt.empty, nt.rand, nt.randn):
        assert make(2, 3, names=("N", "C")).names == ("N", "C")
        assert make(2, 3, names=None).names == (None, None)
    assert nt.full((2, 3), 1.0, names=("N", "C")).names == ("N", "C")
    assert nt.tensor([[1.0]], names=("N", "C")).names == ("N", "C")
    assert nt.tensor([[1.0]], names=[]).names == (None, None)
    with pytest.raises(RuntimeError, match="Number of names"):
        nt.zeros(2, 3, names=[])
    with pytest.raises(TypeError):
        nt.zeros(2, names=("N",), out=nt.zeros(2))
    x = named("N:2")
    assert nt.tensor(x, names=None).names == ("N",)
    assert nt.as_tensor(x) is x
    with pytest.raises(RuntimeError, match="Name mismatch"):
        nt.tensor(x, names=("C",))


def test_setting_names() -> None:
    x = named("N:2 C:3")
    x.names = ("A", None)
    assert x.names == ("A", None)
    x.names = None
    assert not x.has_names()

    def set_names(names: Any) -> None:
        x.names = names

    for wrong in ("N", 3, [1, 2]):
        refused(
            RuntimeError,
            "names must either be None or a tuple of dim names",
            lambda wrong=wrong: set_names(wrong),
        )


def test_rename() -> None:
    x = named("N:2 C:3 H:4 W:5")
    assert x.rename("B", ..., "V").names == ("B", "C", "H", "V")
    assert x.rename("...", "V").names == ("N", "C", "H", "V")
    assert x.rename(None).names == (None,) * 4
    assert x.rename(N="B", W="V").names == ("B", "C", "H", "V")
    assert x.rename(N="C", C="N").names == ("C", "N", "H", "W")
    assert x.rename(N=None).names == (None, "C", "H", "W")
    assert x.names == ("N", "C", "H", "W")
    assert x.rename_(N="B") is x
    assert x.names == ("B", "C", "H", "W")
    with pytest.raises(RuntimeError, match="More than one Ellipsis"):
        x.rename(..., ...)
    with pytest.raises(RuntimeError, match="either positional args or keyword args"):
        x.rename("A", N="B")
    with pytest.raises(RuntimeError, match="Tried to rename dim 'Z' to dim A"):
        x.rename(Z="A")


def test_refine_names() -> None:
    assert named("2 3").refine_names("N", None).names == ("N", None)
    assert named("2 3 4").refine_names(..., "C").names == (None, None, "C")
    refused(
        RuntimeError,
        "refine_names: cannot coerce Tensor['N', 'C'] to Tensor['N', 'X'] because 'C' is different "
        "from 'X' at index 1",
        lambda: named("N:2 C:3").refine_names("N", "X"),
    )
    refused(
        RuntimeError,
        "refine_names: cannot coerce Tensor['N', 'C'] to Tensor['N', None] because 'C' is more "
        "specific than None at index 1",
        lambda: named("N:2 C:3").refine_names("N", None),
    )


def test_align_to() -> None:
    x = named("N:2 C:3")
    aligned = x.align_to("C", "H", "N")
    assert (aligned.names, tuple(aligned.shape)) == (("C", "H", "N"), (3, 1, 2))
    aligned[0, 0, 0] = 9.0
    assert x[0, 0].item() == 9.0
    assert x.align_to(..., "N").names == ("C", "N")
    with pytest.raises(RuntimeError, match="All input dims must be named"):
        named("2 C:3").align_to("C", "N")
    with pytest.raises(RuntimeError, match="Cannot find dim 'C'"):
        x.align_to("N")


def test_align_as_and_align_tensors() -> None:
    x, y = named("N:2 C:3"), named("C:3 N:2 H:1")
    assert x.align_as(y).names == ("C", "N", "H")
    assert [t.names for t in nt.align_tensors(x, y)] == [("C", "N", "H")] * 2


def test_flatten_and_unflatten() -> None:
    x = named("N:2 C:3 H:4")
    flat = x.flatten(["C", "H"], "F")
    assert (flat.names, tuple(flat.shape)) == (("N", "F"), (2, 12))
    assert x.flatten("C", "H", "F").names == ("N", "F")
    assert x.flatten(1, 2, "F").names == ("N", "F")
    back = flat.unflatten("F", (("C", 3), ("H", 4)))
    assert (back.names, tuple(back.shape)) == (("N", "C", "H"), (2, 3, 4))
    assert flat.unflatten("F", OrderedDict([("C", 3), ("H", -1)])).names == ("N", "C", "H")
    refused(
        RuntimeError,
        "flatten(tensor, dims, out_dim): dims cannot be empty",
        lambda: x.flatten([], "F"),
    )
    with pytest.raises(RuntimeError, match="must be consecutive"):
        x.flatten(["N", "H"], "F")
    with pytest.raises(RuntimeError, match="start_dim cannot come after end_dim"):
        x.flatten("H", "C", "F")
    with pytest.raises(TypeError):
        x.flatten("C", 2, "F")
    refused(
        RuntimeError,
        "unflatten: Provided sizes [2, 2] don't multiply up to the size of dim 1 ('C': 3) in "
        "Tensor['N', 'C', 'H']",
        lambda: x.unflatten("C", (("A", 2), ("B", 2))),
    )
    refused(
        RuntimeError, "unflatten: sizes must be non-empty", lambda: x.unflatten("C", OrderedDict())
    )


# -- 3.7 Printing and copying ----------------------------------------------------------------------


def test_names_are_printed_last() -> None:
    assert repr(named("N:1 C:2")) == "tensor([[1., 1.]], names=('N', 'C'))"
    assert repr(named("1 2")) == "tensor([[1., 1.]])"


@pytest.mark.parametrize(
    "repeat",
    [
        copy.copy,
        copy.deepcopy,
        lambda x: pickle.loads(pickle.dumps(x)),
        lambda x: x.clone(),
    ],
)
def test_copies_keep_names(repeat: Any) -> None:
    """Torch could neither copy nor pickle named tensors."""
    x = nt.arange(6.0).reshape(2, 3).rename("N", None)
    copied = repeat(x)
    assert copied is not x
    assert copied.names == ("N", None)
    assert copied.tolist() == x.tolist()
    assert copied.dtype is x.dtype


def test_numpy_and_numbers_have_no_names() -> None:
    x = named("N:2 C:3")
    assert x.numpy().shape == (2, 3)
    assert x.tolist() == [[1.0] * 3] * 2
    assert len(x) == 2
    assert float(x.sum()) == 6.0
