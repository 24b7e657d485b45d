"""Kernels that read or write at the indices in a tensor, that sort, and that count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Call, Kernel
from namecheck_runtime.tensors.calls.subscripts import read_subscript
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.kernels.reduce import highest, lowest
from namecheck_runtime.tensors.values import dtypes

Array = Any


def _getitem(self: Array, index: Any) -> Array:
    return read_subscript(index, self.shape).of(self)


def _require(
    index: Array,
    size: int,
    dim: int,
    error: type[Exception],
    negative: bool = False,
    text: str = "",
) -> None:
    """Raise for an index outside of a dim, before a kernel writes anything."""
    index = np.asarray(index)
    if not index.size:
        return
    for extreme in (int(index.min()), int(index.max())):
        if not (-size if negative else 0) <= extreme < size:
            raise error(
                (
                    text or "index {index} is out of bounds for dimension {dim} with size {size}"
                ).format(index=extreme, dim=dim, size=size)
            )


def _size(array: Array, dim: int) -> int:
    return array.shape[dim] if array.ndim else 1


def _require_whole(index: Array, text: str, kinds: str = "Int Long") -> None:
    """Raise RuntimeError for an index of a dtype that the op does not take; `{}` is that dtype."""
    dtype = result.spoken(index)
    if dtype not in kinds.split():
        raise RuntimeError(text.format(dtype))


def _index_select(input: Array, dim: int, index: Array) -> Array:
    _require_whole(index, "index_select(): Expected dtype int32 or int64 for index")
    _require(index, _size(input, dim), dim, IndexError, text="index out of range in self")
    if not input.ndim:
        if index.size != 1:
            raise RuntimeError(
                f"index_select(): Index to scalar can have only 1 value, got {index.size} value(s)"
            )
        return input
    return np.take(input, np.reshape(index, -1), axis=dim)


def _places(dim: int, index: Array) -> tuple[Array, ...]:
    """The places of the elements that an index picks along a dim; both have at least one dim."""
    places = list(np.indices(index.shape, sparse=True))
    places[dim] = index
    return tuple(places)


def _gather(input: Array, dim: int, index: Array) -> Array:
    _require_whole(index, "gather(): Expected dtype int32/int64 for index")
    _require(index, _size(input, dim), dim, RuntimeError)
    # A single element counts as a vector of one, in both arguments.
    elements, places = np.atleast_1d(input), np.atleast_1d(index)
    return elements[_places(dim, places)].reshape(index.shape)


_COMBINED: Final = {"add": np.add.at, "multiply": np.multiply.at}


def _scattered(own: Callable[..., None] | None) -> Callable[..., Array]:
    """Write or combine values at the places that an index picks along a dim."""

    def compute(
        input: Array,
        dim: int,
        index: Array,
        src: Any = None,
        value: Any = None,
        reduce: Any = None,
    ) -> Array:
        output = np.atleast_1d(np.array(input))
        combine = own if reduce is None else _COMBINED[reduce]
        _require_whole(index, "scatter(): Expected dtype int32/int64 for index")
        _require(index, _size(input, dim), dim, RuntimeError)
        values = src if src is not None else value
        index = np.atleast_1d(index)
        places = _places(dim, index)
        if isinstance(values, np.ndarray) and values.ndim:
            values = values[tuple(slice(0, n) for n in index.shape)]
        if combine is None:
            output[places] = values
        else:
            combine(output, places, values)
        return output.reshape(np.shape(input))

    return compute


def _require_listed(index: Array, output: Array, dim: int) -> None:
    """Raise for an index outside of a dim; PyTorch has another message for vectors."""
    if output.ndim > 1:
        _require(index, _size(output, dim), dim, RuntimeError)
    else:
        _require(index, _size(output, dim), dim, IndexError, text="index out of range in self")


def _index_add(input: Array, dim: int, index: Array, source: Array, alpha: Any = 1) -> Array:
    output = np.array(input)
    _require_whole(index, "index_add_(): Expected dtype int32/int64 for index but got: {}")
    _require_listed(index, output, dim)
    moved, added = _along(output, dim), _along(source, dim)
    np.add.at(moved, np.reshape(index, -1), added * (1 if alpha is None else alpha))
    return output


def _along(array: Array, dim: int) -> Array:
    """The array with one dim moved to the front; a single element gets a dim of size 1."""
    return np.moveaxis(array, dim, 0) if array.ndim else array.reshape(1)


def _index_copy(input: Array, dim: int, index: Array, source: Array) -> Array:
    output = np.array(input)
    message = "index_copy_(): Expected a long tensor for index, but got {}"
    _require_whole(index, message, "Long")
    text = "index_copy_(): index {index} is out of bounds for dimension {dim} with size {size}"
    _require(index, _size(output, dim), dim, IndexError, text=text)
    _along(output, dim)[np.reshape(index, -1)] = _along(source, dim)
    return output


def _index_fill(input: Array, dim: int, index: Array, value: Any) -> Array:
    output = np.array(input)
    if index.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    _require(index, _size(output, dim), dim, IndexError, negative=True)
    if not output.ndim:
        return np.full_like(output, value)
    np.moveaxis(output, dim, 0)[index] = value
    return output


def _take(input: Array, index: Array) -> Array:
    _require_whole(index, "take(): Expected a long tensor for index, but got {}", "Long")
    text = "out of range: tried to access index {index} on a tensor of {size} elements."
    _require(index, input.size, 0, IndexError, negative=True, text=text)
    return input.reshape(-1)[index]


def _take_along(input: Array, indices: Array, dim: Any = None) -> Array:
    _require_whole(
        indices, "torch.take_along_dim(): dtype of indices should be Long but got {}", "Long"
    )
    if dim is None:
        input, indices, dim = input.reshape(-1), indices.reshape(-1), 0
    elif not input.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    _require(indices, input.shape[dim], dim, RuntimeError, negative=True)
    return np.take_along_axis(input, indices, axis=dim)


def _require_mask(mask: Array, op: str) -> None:
    if mask.dtype != bool:
        raise RuntimeError(f"{op}: expected BoolTensor for mask")


def _masked_select(input: Array, mask: Array) -> Array:
    _require_mask(mask, "masked_select")
    both = np.broadcast_arrays(input, mask)
    return both[0][both[1].astype(bool)]


def _masked_scatter(input: Array, mask: Array, source: Array) -> Array:
    if mask.dtype != bool:
        raise RuntimeError(
            "masked_scatter_ only supports boolean masks, but got mask with dtype "
            f"{result.spoken(mask)}"
        )
    output = np.array(np.broadcast_to(input, np.broadcast_shapes(input.shape, mask.shape)))
    where = np.broadcast_to(mask, output.shape)
    count = int(where.sum())
    if source.size < count:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    output[where] = source.reshape(-1)[:count]
    return output


def _nonzero(input: Array, as_tuple: Any = False) -> Any:
    indices = np.nonzero(np.atleast_1d(input))
    if as_tuple:
        return tuple(indices)
    places = np.stack(indices, axis=1) if indices else np.zeros((0, 0), np.int64)
    return places if np.ndim(input) else places[:, :0]


def _in_order(input: Array, dim: Any, descending: Any) -> Array:
    if input.dtype == bool:
        input = input.astype(np.uint8)
    if not descending:
        return np.argsort(input, axis=dim, kind="stable")
    turned = np.argsort(np.flip(input, dim), axis=dim, kind="stable")
    return np.flip(input.shape[dim] - 1 - turned, dim)


def _sort(input: Array, dim: Any = -1, descending: Any = False, stable: Any = False) -> Any:
    if not input.ndim:
        return input, np.zeros((), np.int64)
    dim = -1 if dim is None else dim
    where = _in_order(input, dim, descending)
    return np.take_along_axis(input, where, axis=dim), where


def _argsort(input: Array, dim: Any = -1, descending: Any = False) -> Array:
    if not input.ndim:
        return np.zeros((), np.int64)
    return _in_order(input, -1 if dim is None else dim, descending)


def _topk(input: Array, k: int, dim: Any = -1, largest: Any = True, sorted: Any = True) -> Any:
    if not input.ndim:
        return input, np.zeros((), np.int64)
    dim = -1 if dim is None else dim
    descending = largest is None or largest
    if 0 < 8 * k < input.shape[dim]:
        found = _few(np.moveaxis(input, dim, -1), k, descending)
        if found is not None:
            return tuple(np.moveaxis(part, -1, dim) for part in found)
    where = np.take(_in_order(input, dim, descending), np.arange(k), axis=dim)
    return np.take_along_axis(input, where, axis=dim), where


def _few(input: Array, k: int, descending: bool) -> tuple[Array, Array] | None:
    """The `k` first in order along the last dim, without sorting the others.

    None if elements that are left out equal one of these, or if there are NaNs: the order of
    equal elements is that of a stable sort of all.
    """
    size = input.shape[-1]
    if descending:
        where = np.argpartition(input, size - k, axis=-1)[..., size - k :]
    else:
        where = np.argpartition(input, k - 1, axis=-1)[..., :k]
    where.sort(axis=-1)
    values = np.take_along_axis(input, where, axis=-1)
    last = values.min(-1, keepdims=True) if descending else values.max(-1, keepdims=True)
    if np.count_nonzero(input == last) != np.count_nonzero(values == last) or (last != last).any():
        return None
    order = _in_order(values, -1, descending)
    where = np.take_along_axis(where, order, axis=-1)
    return np.take_along_axis(values, order, axis=-1), where


def _unique(
    input: Array,
    sorted: Any = True,
    return_inverse: Any = False,
    return_counts: Any = False,
    dim: Any = None,
) -> Any:
    find: Any = np.unique
    return find(
        input,
        return_inverse=bool(return_inverse),
        return_counts=bool(return_counts),
        axis=dim,
    )


def _bincount(input: Array, weights: Any = None, minlength: Any = 0) -> Array:
    return np.bincount(input, weights, minlength or 0)


def _weighed_dtype(call: Call) -> Any:
    """int64 for counts; weights are summed as float64 unless they are float32."""
    weights = call.values.get("weights")
    if weights is None:
        return dtypes.int64
    return dtypes.float32 if weights.dtype is dtypes.float32 else dtypes.float64


def _index_put(input: Array, indices: Any, values: Any, accumulate: Any = False) -> Array:
    output = np.array(input)
    subscript = read_subscript(tuple(indices), output.shape)
    part = output[subscript.view]
    picked = () if subscript.picked is None else subscript.picked
    if accumulate:
        np.add.at(part, picked, values)
    else:
        part[picked] = values
    return output


def _put(input: Array, index: Array, source: Array, accumulate: Any = False) -> Array:
    output = np.array(input).reshape(-1)
    _require_whole(index, "put_(): Expected a long tensor for index, but got {}", "Long")
    text = "out of range: tried to access index {index} on a tensor of {size} elements."
    _require(index, output.size, 0, IndexError, negative=True, text=text)
    if accumulate:
        np.add.at(output, np.reshape(index, -1), np.reshape(source, -1))
    else:
        output[np.reshape(index, -1)] = np.reshape(source, -1)
    return output.reshape(np.shape(input))


_REDUCERS: Final = {
    "sum": np.add,
    "prod": np.multiply,
    "amax": np.maximum,
    "amin": np.minimum,
    "mean": np.add,
}


def _reduced_into(
    output: Array, places: Any, values: Array, reduce: str, include_self: Any
) -> None:
    """Reduce all values that an index sends to one place, with or without the old element."""
    hit = np.zeros(output.shape, bool)
    hit[places] = True
    if not include_self:
        starts = {"prod": 1, "amax": lowest(output.dtype), "amin": highest(output.dtype)}
        output[hit] = starts.get(reduce, 0)
    _REDUCERS[reduce].at(output, places, values)
    if reduce == "mean":
        count = np.full(output.shape, 1 if include_self else 0)
        np.add.at(count, places, 1)
        is_whole = output.dtype.kind in "iu"
        output[hit] = (np.floor_divide if is_whole else np.divide)(output[hit], count[hit])


def _scatter_reduce(
    input: Array, dim: int, index: Array, src: Array, reduce: str, include_self: Any = True
) -> Array:
    output = np.atleast_1d(np.array(input))
    _require_whole(index, "scatter(): Expected dtype int32/int64 for index")
    index, src = np.atleast_1d(index), np.atleast_1d(src)
    _require(index, _size(output, dim), dim, RuntimeError)
    values = src[tuple(slice(0, n) for n in index.shape)]
    _reduced_into(output, _places(dim, index), values, reduce, include_self)
    return output.reshape(np.shape(input))


def _index_reduce(
    input: Array, dim: int, index: Array, source: Array, reduce: str, include_self: Any = True
) -> Array:
    output = np.array(input)
    moved = _along(output, dim)
    _require_whole(index, "index_reduce_(): Expected dtype int32/int64 for index but got: {}")
    _require(index, len(moved), dim, IndexError, text="index out of range in self")
    kind = {"mean": "mean", "prod": "prod", "amax": "amax", "amin": "amin"}[reduce]
    _reduced_into(moved, np.reshape(index, -1), _along(source, dim), kind, include_self)
    return output


_AT = ("input", "dim", "index")

KERNELS: Final[dict[str, Kernel]] = {
    "operator.getitem": Kernel(_getitem, ("self", "index"), result.first, False, moves=True),
    "Tensor.__getitem__": Kernel(_getitem, ("self", "index"), result.first, False, moves=True),
    "torch.index_select": Kernel(_index_select, _AT, result.first, False, moves=True),
    "torch.gather": Kernel(_gather, _AT, result.first, False, moves=True),
    "torch.scatter": Kernel(
        _scattered(None), (*_AT, "src", "value", "reduce"), result.first, False
    ),
    "torch.scatter_add": Kernel(_scattered(np.add.at), (*_AT, "src"), result.first, False),
    "torch.index_add": Kernel(_index_add, (*_AT, "source", "alpha"), result.first, False),
    "torch.index_copy": Kernel(_index_copy, (*_AT, "source"), result.first, False, moves=True),
    "torch.index_fill": Kernel(_index_fill, (*_AT, "value"), result.first, False),
    "torch.index_put": Kernel(
        _index_put, ("input", "indices", "values", "accumulate"), result.first, False
    ),
    "torch.put": Kernel(_put, ("input", "index", "source", "accumulate"), result.first, False),
    "torch.scatter_reduce": Kernel(
        _scatter_reduce, (*_AT, "src", "reduce", "include_self"), result.first, False
    ),
    "torch.index_reduce": Kernel(
        _index_reduce, (*_AT, "source", "reduce", "include_self"), result.first, False
    ),
    "torch.take": Kernel(_take, ("input", "index"), result.first, False, moves=True),
    "torch.take_along_dim": Kernel(
        _take_along, ("input", "indices", "dim"), result.first, False, moves=True
    ),
    "torch.masked_select": Kernel(
        _masked_select, ("input", "mask"), result.first, False, moves=True
    ),
    "torch.masked_scatter": Kernel(
        _masked_scatter, ("input", "mask", "source"), result.first, False
    ),
    "torch.nonzero": Kernel(_nonzero, ("input", "as_tuple"), result.int64),
    "torch.argwhere": Kernel(_nonzero, ("input",), result.int64),
    "torch.sort": Kernel(_sort, ("input", "dim", "descending", "stable"), result.first_and_places),
    "torch.argsort": Kernel(_argsort, ("input", "dim", "descending"), result.int64),
    "torch.topk": Kernel(
        _topk, ("input", "k", "dim", "largest", "sorted"), result.first_and_places
    ),
    "torch.unique": Kernel(
        _unique,
        ("input", "sorted", "return_inverse", "return_counts", "dim"),
        result.first_and_counts,
    ),
    "torch.bincount": Kernel(
        _bincount,
        ("input", "weights", "minlength"),
        _weighed_dtype,
        False,
    ),
}
"""By the op's name."""
