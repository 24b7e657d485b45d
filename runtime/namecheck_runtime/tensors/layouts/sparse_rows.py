"""Row-sparse tensors: the layout `sparse_coo` with one sparse dim, the first.

The gradient of a table of which few rows are looked up is one: rows that are not stored are zero.
It is added, scaled and made dense; every other op refuses by its name, as no kernel is registered.
Source: torch.sparse, "Sparse hybrid COO tensors", and what PyTorch's embeddings make of `sparse`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.backends import Backend, register
from namecheck_runtime.tensors.calls.call import Call, Kernel
from namecheck_runtime.tensors.kernels.conversion import KERNELS as CONVERSIONS
from namecheck_runtime.tensors.object import Tensor, fresh
from namecheck_runtime.tensors.values.dtypes import dtype, get_default_dtype, layout
from namecheck_runtime.tensors.values.errstate import quietly
from namecheck_runtime.tensors.values.name_tuples import Names, unnamed

Array = np.ndarray[Any, Any]

sparse_coo: Final = layout("sparse_coo")


class Rows:
    """The rows that are stored; a row that is stored several times is their sum."""

    __slots__ = ("coalesced", "places", "shape", "values")

    def __init__(
        self, places: Array, values: Array, shape: tuple[int, ...], coalesced: bool = False
    ) -> None:
        self.places = places
        """The place of each row: `[nnz]`."""
        self.values = values
        """The rows: `[nnz, *]`."""
        self.shape = shape
        """The sizes of the whole tensor."""
        self.coalesced = coalesced
        """Whether the places are in order, and each occurs once."""

    def with_values(self, values: Array) -> Rows:
        """The same places with other rows."""
        return Rows(self.places, values, self.shape, self.coalesced)

    def dense(self) -> Array:
        """All rows."""
        whole = np.zeros(self.shape, self.values.dtype)
        self.add_to(whole, 1)
        return whole

    def add_to(self, whole: Array, factor: Any) -> None:
        """Add the rows times a factor to those of an array."""
        rows = self.merged()
        values = rows.values if factor == 1 else rows.values * factor
        whole[rows.places] += values.astype(whole.dtype, copy=False)

    def merged(self) -> Rows:
        """The same with each row once, in order."""
        if self.coalesced:
            return self
        places, groups = np.unique(self.places, return_inverse=True)
        values = np.zeros((len(places), *self.values.shape[1:]), self.values.dtype)
        np.add.at(values, groups.reshape(-1), self.values)
        return Rows(places, values, self.shape, True)


class SparseRows(Backend):
    """The kernels of row-sparse tensors on the CPU."""

    def take(self, tensor: Tensor, to: dtype | None) -> Any:
        elements = tensor._array
        if to is None or tensor.dtype is to:
            return elements
        if isinstance(elements, Rows):
            return elements.with_values(quietly(elements.values.astype, to.numpy))
        return quietly(elements.astype, to.numpy)

    def give(self, elements: Any, names: Names, sizes: tuple[int, ...], of: Any) -> Tensor:
        if isinstance(elements, Rows):
            if elements.values.dtype != of.numpy:
                elements = elements.with_values(quietly(elements.values.astype, of.numpy))
            return super().give(elements, names, sizes, of)
        array = np.asarray(elements)
        return fresh(array if of is None else array.astype(of.numpy, copy=False), names)

    def to_array(self, tensor: Tensor) -> Array:
        rows: Rows = tensor._array
        return rows.dense()

    def parts(self, tensor: Tensor) -> dict[str, Any]:
        rows: Rows = tensor._array
        places = fresh(rows.places[None], unnamed(2))
        values = fresh(rows.values, unnamed(rows.values.ndim))
        return {"indices": places, "values": values, "size": rows.shape, "nnz": len(rows.places)}


def _made(indices: Any, values: Any, size: Any = None, is_coalesced: bool | None = None) -> Rows:
    """Rows from their places `[1, nnz]` and their values `[nnz, *]`."""
    places, values = np.asarray(indices), np.asarray(values)
    if places.ndim != 2 or len(places) != 1:
        raise NotImplementedError(
            "only rows are sparse here: indices must be [1, nnz], not "
            f"{list(places.shape)}; make a dense tensor of elements"
        )
    places = places[0].astype(np.int64)
    if len(places) != len(values):
        raise RuntimeError(
            "indices and values must have same nnz, but got nnz from indices: "
            f"{len(places)}, nnz from values: {len(values)}"
        )
    first = int(places.max()) + 1 if places.size else 0
    sizes = (first, *values.shape[1:]) if size is None else tuple(size)
    if len(sizes) != values.ndim:
        raise RuntimeError(
            "'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = "
            f"{len(sizes)}, sparse_dim = 1, dense_dim = {values.ndim - 1}"
        )
    if sizes[1:] != values.shape[1:]:
        raise RuntimeError(
            f"values has incorrect size, expected {[len(places), *sizes[1:]]}, got "
            f"{list(values.shape)}"
        )
    if places.size and not 0 <= places.min() <= places.max() < sizes[0]:
        raise RuntimeError(
            f"size is inconsistent with indices: for dim 0, size is {sizes[0]} but the indices go "
            f"from {places.min()} to {places.max()}"
        )
    return Rows(places, np.array(values), sizes, bool(is_coalesced))


def _sum(sign: int) -> Callable[..., Any]:
    def compute(input: Any, other: Any, alpha: Any = 1, out: Array | None = None) -> Any:
        factor = sign * alpha
        if isinstance(input, Rows):
            if not isinstance(other, Rows):
                raise RuntimeError(
                    "add(sparse, dense) is not supported. Use add(dense, sparse) instead."
                )
            if out is not None:
                raise RuntimeError("a sum of sparse tensors is sparse: out= must not be dense")
            if np.array_equal(input.places, other.places):
                return input.with_values(input.values + other.values * factor)
            places = np.concatenate([input.places, other.places])
            values = np.concatenate([input.values, other.values * factor])
            rows = Rows(places, values, input.shape)
            # A buffer that is added to in each step must not grow without end.
            return rows.merged() if len(places) > input.shape[0] else rows
        whole = np.array(input) if out is None else out
        if out is not None and out is not input:
            out[...] = input
        other.add_to(whole, factor)
        return whole

    return compute


def _by_number(function: Callable[[Array, Any], Array], name: str) -> Callable[..., Rows]:
    """A product of rows and a number, or of rows and a tensor of one element."""

    def compute(input: Any, other: Any) -> Rows:
        rows, factor = (input, other) if isinstance(input, Rows) else (other, input)
        swapped = rows is other and name == "div"
        if isinstance(factor, Rows) or np.ndim(factor) or swapped:
            raise NotImplementedError(
                f"{name} of a sparse tensor takes a number: make it dense with to_dense()"
            )
        return rows.with_values(function(rows.values, factor))

    return compute


def _emptied(self: Rows) -> Rows:
    return Rows(self.places[:0], self.values[:0], self.shape, True)


def _copied(input: Rows) -> Rows:
    return Rows(np.array(input.places), np.array(input.values), input.shape, input.coalesced)


def _places(self: Rows) -> Array:
    _require_coalesced(self, "indices")
    return self.places[None]


def _values(self: Rows) -> Array:
    _require_coalesced(self, "values")
    return self.values


def _require_coalesced(rows: Rows, what: str) -> None:
    if not rows.coalesced:
        raise RuntimeError(
            f"Cannot get {what} on an uncoalesced tensor, please call .coalesce() first"
        )


def _its_dtype(call: Call) -> Any:
    return call.operands[0].dtype


def _int64(call: Call) -> Any:
    return dtype._BY_NUMPY[np.dtype(np.int64)]


def _of_values(call: Call) -> Any:
    asked = call.options.get("dtype")
    values = call.values["values"]
    if asked is not None:
        return asked
    if isinstance(values, Tensor):
        return values.dtype
    array = np.asarray(values)
    if array is not values and array.dtype.kind == "f":
        return get_default_dtype()  # of Python's numbers
    return dtype._BY_NUMPY[array.dtype]


BACKEND: Final = SparseRows("cpu", sparse_coo)
BACKEND.makers.add("torch.sparse_coo_tensor")
BACKEND.kernels.update(
    {
        "torch.sparse_coo_tensor": Kernel(
            _made, ("indices", "values", "size", "is_coalesced"), _of_values, False
        ),
        "torch.add": Kernel(_sum(1), ("input", "other", "alpha"), writes=True),
        "torch.sub": Kernel(_sum(-1), ("input", "other", "alpha"), writes=True),
        "torch.mul": Kernel(_by_number(np.multiply, "mul"), ("input", "other")),
        "torch.div": Kernel(_by_number(np.true_divide, "div"), ("input", "other")),
        "torch.neg": Kernel(lambda input: input.with_values(-input.values)),
        "torch.clone": Kernel(_copied),
        "Tensor.zero_": Kernel(_emptied, ("self",), _its_dtype),
        "Tensor.coalesce": Kernel(lambda input: input.merged(), None, _its_dtype),
        "Tensor.to_dense": Kernel(lambda input: input.dense(), ("input",), _its_dtype),
        "Tensor.indices": Kernel(_places, ("self",), _int64, False),
        "Tensor.values": Kernel(_values, ("self",), _its_dtype, False),
        **{
            op: Kernel(lambda *elements: _copied(elements[0]), None, kernel.dtype, False)
            for op, kernel in CONVERSIONS.items()
        },
    }
)
register(BACKEND)


# -- the methods that PyTorch's programs call beside the documented ones ---------------------------


def _rows_of(tensor: Tensor, what: str) -> Rows:
    rows = tensor._array
    if not isinstance(rows, Rows):
        raise NotImplementedError(
            f"{what}() needs the layout sparse_coo, and this tensor is {tensor.layout.name}"
        )
    return rows


def stored_indices(self: Tensor) -> Tensor:
    """The places of the rows as they are stored, `[1, nnz]`; a row may occur several times."""
    return fresh(_rows_of(self, "_indices").places[None], unnamed(2))


def stored_values(self: Tensor) -> Tensor:
    """The rows as they are stored, `[nnz, *]`."""
    values = _rows_of(self, "_values").values
    return fresh(values, unnamed(values.ndim))


def stored_count(self: Tensor) -> int:
    """How many rows are stored."""
    return len(_rows_of(self, "_nnz").places)


def is_merged(tensor: Tensor) -> bool:
    """Whether each row of a sparse tensor is stored once, in order.

    Raises RuntimeError for other layouts, in PyTorch's words.
    """
    if tensor.layout is not sparse_coo:
        kind = tensor.layout.name.capitalize()
        raise RuntimeError(f"is_coalesced expected sparse coordinate tensor layout but got {kind}")
    rows: Rows = tensor._array
    return rows.coalesced
