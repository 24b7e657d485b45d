"""A package of a third party registers a dtype, a device and a layout, and programs use them."""

from __future__ import annotations

import ast
import io
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ml_dtypes = pytest.importorskip("ml_dtypes")

import extension_package as theirs  # noqa: E402  (it needs ml_dtypes)
import namecheck_runtime as nt  # noqa: E402
from namecheck_runtime.backends import register_dtype  # noqa: E402

HOME = Path(__file__).parents[1] / "extension_package"
ROOT = Path(__file__).parents[2]


def test_the_package_imports_documented_names_alone() -> None:
    documented = (ROOT / "docs/runtime.md").read_text(encoding="utf-8")
    used = set()
    for path in HOME.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("namecheck"):
                assert node.module in ("namecheck_runtime", "namecheck_runtime.backends")
                used |= {name.name for name in node.names}
            elif isinstance(node, ast.Attribute):
                private = node.attr.startswith("_") and not node.attr.endswith("__")
                assert not private or node.attr == "_replace", node.attr  # of named tuples
    assert {"Backend", "Kernel", "register", "register_dtype", "backend_of"} <= used
    assert [name for name in used if name not in documented] == []


A = [[1.0, 2.25, -4.0], [5.0, 0.5, 7.0]]
B = [[0.5, -1.5, 2.0], [3.0, 8.0, -0.25]]

CALLS: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "add": ("unify", lambda x, y: x + y),
    "mul": ("unify", lambda x, y: x * y),
    "maximum": ("unify", nt.maximum),
    "where": ("unify", lambda x, y: nt.where(x > y, x, y)),
    "sum": ("reduce", lambda x, y: x.sum("C")),
    "mean": ("reduce", lambda x, y: x.mean("N")),
    "amax": ("reduce", lambda x, y: x.amax("C")),
    "softmax": ("reduce", lambda x, y: x.softmax("C")),
    "transpose": ("permute", lambda x, y: x.transpose("N", "C") * 1),
    "flip": ("permute", lambda x, y: x.flip("C")),
    "flatten": ("view", lambda x, y: x.flatten(["N", "C"], "F")),
    "unflatten": ("view", lambda x, y: x.unflatten("C", (("A", 3), ("B", 1)))),
    "select": ("index", lambda x, y: x.select("N", 1)),
    "narrow": ("index", lambda x, y: x.narrow("C", 1, 2)),
    "index_select": (
        "index",
        lambda x, y: x.index_select("C", nt.tensor([2, 0], device=x.device)),
    ),
    "cat": ("join", lambda x, y: nt.cat([x, y], "N")),
    "stack": ("join", lambda x, y: nt.stack([x, y])),
    "matmul": ("contract", lambda x, y: x @ y.transpose("N", "C").rename("C", "M")),
    "einsum": ("contract", lambda x, y: nt.einsum("nc,nc->n", x, y)),
    "zeros_like": ("factory", lambda x, y: nt.zeros_like(x)),
    "full": (
        "factory",
        lambda x, y: nt.full((2, 3), 1.1, names=("N", "C"), dtype=x.dtype, device=x.device),
    ),
    "add_": ("in place", lambda x, y: x.add_(y)),
    "relu_": ("in place", lambda x, y: x.relu_()),
    "out=": (
        "out=",
        lambda x, y: nt.mul(x, y, out=nt.empty(2, 3, dtype=x.dtype, device=x.device)),
    ),
}
"""By the op its family, and a call on two tensors of dims N and C."""


def operands(dtype: Any, device: Any = "cpu") -> list[Any]:
    return [nt.tensor(rows, names=("N", "C")).to(dtype).to(device) for rows in (A, B)]


def test_there_are_enough_calls() -> None:
    families = {family for family, _ in CALLS.values()}
    assert len(CALLS) >= 20
    assert len(families) >= 8


@pytest.mark.parametrize("name", CALLS)
def test_calls_on_their_dtype(name: str) -> None:
    """Results are those of float32, rounded once; names and dtype are kept."""
    call = CALLS[name][1]
    result = call(*operands(theirs.e4m3))
    exact = call(*operands(nt.float32))
    assert result.dtype is theirs.e4m3
    assert result.names == exact.names
    rounded = np.asarray(exact.tolist()).astype(ml_dtypes.float8_e4m3)
    assert result.tolist() == rounded.astype(np.float32).tolist()


@pytest.mark.parametrize("name", CALLS)
def test_calls_on_their_device(name: str) -> None:
    call = CALLS[name][1]
    result = call(*operands(nt.float32, theirs.REMOTE))
    exact = call(*operands(nt.float32))
    assert result.device is theirs.REMOTE
    assert result.names == exact.names
    assert result.cpu().tolist() == exact.tolist()
    assert result.cpu().device.type == "cpu"


def test_promotion() -> None:
    x = nt.tensor([1.0, 2.25], dtype=theirs.e4m3)
    assert (x + nt.tensor([1.0, 1.0])).dtype is nt.float32
    assert (x + nt.tensor([1, 1])).dtype is theirs.e4m3
    assert (nt.tensor([1, 1]) + x).dtype is theirs.e4m3
    assert (x + 1).dtype is (x * 2.5).dtype is (x + nt.tensor(1.0)).dtype is theirs.e4m3
    assert nt.promote_types(theirs.e4m3, nt.float64) is nt.float64
    assert nt.result_type(x, 1.5) is theirs.e4m3
    with pytest.raises(RuntimeError, match="promote Float8_e4m3 and BFloat16\nhint: convert"):
        x + nt.tensor([1.0, 1.0], dtype=nt.bfloat16)


def test_printing_and_questions() -> None:
    x = nt.tensor([1.0, 2.3], dtype=theirs.e4m3, names=("N",))
    assert repr(x) == "tensor([1.0000, 2.2500], dtype=torch.float8_e4m3, names=('N',))"
    assert repr(nt.tensor([1, -3], dtype=theirs.int4)) == "tensor([ 0x1, -0x3], dtype=torch.int4)"
    assert (x.element_size(), x.type(), x.tolist()) == (1, "torch.Float8_e4m3Tensor", [1, 2.25])
    assert nt.finfo(theirs.e4m3).max == 240
    assert (nt.iinfo(theirs.int4).min, nt.iinfo(theirs.int4).max) == (-8, 7)
    assert nt.float8_e4m3 is theirs.e4m3
    with pytest.raises(TypeError, match="Got unsupported ScalarType Float8_e4m3"):
        x.numpy()


def test_save_and_load(tmp_path: Path) -> None:
    pytest.importorskip("safetensors")
    x, _ = operands(theirs.e4m3)
    nest = {
        "x": x,
        "turned": x.transpose("N", "C"),
        "four": nt.tensor([1, -3, 7], dtype=theirs.int4),
        "far": nt.ones(2, names=("N",)).to("remote"),
        "dtype": theirs.int4,
    }
    nt.save(nest, tmp_path / "file")
    read = nt.load(tmp_path / "file")
    assert read["x"].dtype is theirs.e4m3
    assert read["x"].tolist() == x.tolist()
    assert read["turned"].names == ("C", "N")
    assert (read["four"].dtype, read["four"].tolist()) == (theirs.int4, [1, -3, 7])
    assert (read["far"].device, read["far"].names) == (theirs.REMOTE, ("N",))
    assert read["dtype"] is theirs.int4
    read["x"][0, 0] = 3
    assert read["turned"][0, 0].item() == 3
    assert pickle.loads(pickle.dumps(x)).tolist() == x.tolist()


def test_gradients_have_their_dtype() -> None:
    x, y = operands(theirs.e4m3)
    x.requires_grad_()
    (x * y).sum().backward()
    assert x.grad.dtype is theirs.e4m3
    assert x.grad.tolist() == y.tolist()


def test_kernels_of_their_own() -> None:
    x = nt.tensor([1, -3, 7], dtype=theirs.int4, names=("N",))
    assert (x + x).tolist() == [2, -6, -2]
    assert (x + x).names == ("N",)
    assert (x * 2).dtype is theirs.int4
    assert nt.add(x, x, out=nt.empty(3, dtype=theirs.int4)).tolist() == [2, -6, -2]
    assert x.clone().add_(1).tolist() == [2, -2, -8]
    assert (x + nt.tensor([1, 1, 1])).tolist() == [2, -2, 8]
    moved = nt.cat([x, x.flip("N")])[1:].reshape(5, 1)
    assert moved.tolist() == [[-3], [7], [7], [-3], [1]]
    assert x.float().tolist() == [1.0, -3.0, 7.0]


@pytest.mark.parametrize(
    ("op", "call"),
    [
        ("sub", lambda x: x - x),
        ("exp", lambda x: x.exp()),
        ("sum", lambda x: x.sum()),
        ("sum", lambda x: x.sum("N")),
        ("eq", lambda x: x == x),
        ("matmul", lambda x: x.reshape(1, 3).rename(None) @ x.reshape(3, 1).rename(None)),
        ("sub", lambda x: x.sub_(1)),
        ("sub", lambda x: nt.sub(x, x, out=nt.empty(3, dtype=x.dtype))),
    ],
)
def test_an_op_without_a_kernel_refuses_by_op_and_dtype(op: str, call: Any) -> None:
    x = nt.tensor([1, -3, 7], dtype=theirs.int4, names=("N",))
    with pytest.raises(NotImplementedError, match=f"^\"{op}\" not implemented for 'Int4'\nhint: "):
        call(x)
    assert x.tolist() == [1, -3, 7]


def test_their_layout() -> None:
    x = theirs.diagonal(nt.tensor([1.0, -2.0]), ("N", "C"))
    y = theirs.diagonal(nt.tensor([3.0, 4.0]), ("C", "D"))
    assert (x.layout, x.shape, x.dtype) == (theirs.DIAGONAL, (2, 2), nt.float32)
    assert (x @ y).names == ("N", "D")
    assert (x @ y).to_dense().tolist() == [[3.0, 0.0], [0.0, -8.0]]
    assert (-(x + x)).to_dense().tolist() == [[-2.0, 0.0], [0.0, 4.0]]
    elements = "[[ 1.,  0.],\n        [ 0., -2.]]"
    assert repr(x) == f"tensor({elements}, layout=torch.diagonal, names=('N', 'C'))"
    assert list(x.__rich_repr__())[2:] == [("dtype", nt.float32), ("layout", theirs.DIAGONAL)]
    assert "<table" not in x._repr_html_()
    with pytest.raises(NotImplementedError, match=r"torch\.exp has no kernel .* diagonal"):
        x.exp()
    with pytest.raises(nt.NamesError):
        x + y
    with pytest.raises(NotImplementedError, match=r"save x\.to_dense"):
        nt.save(x, io.BytesIO())


def test_what_cannot_be_registered() -> None:
    e4m3 = np.dtype(ml_dtypes.float8_e4m3)
    other = np.dtype(ml_dtypes.float8_e3m4)
    with pytest.raises(ValueError, match="'float8_e4m3' is taken"):
        register_dtype("float8_e4m3", "float", other)
    with pytest.raises(ValueError, match=r"has the elements of torch\.float8_e4m3"):
        register_dtype("other", "float", e4m3)
    with pytest.raises(ValueError, match="say the itemsize of 'other'"):
        register_dtype("other", "float", lambda: other)
    with pytest.raises(ValueError, match="cannot be a name"):
        register_dtype("8 bits", "float", other)
    with pytest.raises(ValueError, match="no elements of kind 'int'"):
        register_dtype("other", "int", np.dtype(np.longdouble))
    assert not hasattr(nt, "other")
