"""NumPy as the judge of rules: the function to call on arrays for a spelling of an op.

`oracle(path)` is a callable that takes the arguments of a call of `path` with arrays in place of
shapes: the NumPy function or method of that spelling (or einops' own), else an entry of `TABLE`,
which imitates an op of torch or JAX in NumPy.  Parameters there have the rule's names.  Only sizes
count, so a stand-in with the same sizes is as good as the op itself.
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from typing import Any

import einops
import numpy as np

from namecheck.frameworks.numpy import WORDS
from namecheck_runtime.declare import REGISTRY

Oracle = Callable[..., Any]

_UFUNC = frozenset({"out", "where", "axis", "keepdims", "casting", "order", "dtype", "subok"})


@functools.cache
def oracle(path: str) -> Oracle | None:
    """The NumPy callable for a spelling, or None."""
    function = _by_path(path)
    if function is not None and path in CHANGES:
        return _changed(function)
    return function


CHANGES = frozenset(
    {
        "operator.setitem",
        "ndarray.__setitem__",
        "ndarray.sort",
        "ndarray.partition",
        "numpy.copyto",
        "numpy.put_along_axis",
        "ndarray.resize",
    }
)
"""Functions that return None and change their first argument, which is the rule's result."""


def _changed(function: Oracle) -> Oracle:
    def call(input: Any, *arguments: Any, **keywords: Any) -> Any:
        function(input, *arguments, **keywords)
        return input

    return call


GONE = {} if hasattr(np, "row_stack") else {"row_stack": "vstack"}
"""Names that the installed NumPy has removed, and the functions that they were aliases of."""


_GENERATOR = "random.Generator."


def _by_path(path: str) -> Oracle | None:
    spelling = REGISTRY[path]
    library, _, name = path.partition(".")
    if library == "numpy" and name.startswith(_GENERATOR):  # a method, of an object of its own
        return _in_our_words(getattr(np.random.default_rng(0), name.removeprefix(_GENERATOR)))
    if library == "numpy":
        function = _attribute(np, GONE.get(name, name))
        return _in_our_words(function) if callable(function) else None
    if library == "ndarray":
        member = getattr(np.ndarray, name, None)
        if member is None:
            return None
        if spelling.attribute:
            return lambda input: getattr(input, name)
        return _in_our_words(member)
    if library == "operator":
        return getattr(operator, name, None)
    if library == "einops":
        function = getattr(einops, name, None)
        return function if callable(function) else None
    if path.startswith("jax.numpy") or spelling.inplace:
        return None
    if spelling.attribute and spelling.op.name in TABLE:
        return TABLE[spelling.op.name]
    return None if spelling.attribute else TABLE.get(spelling.op.name)


@functools.cache
def in_order(path: str) -> tuple[str, ...]:
    """NumPy's names of the parameters of one of its functions; none if they are unknown."""
    function = _attribute(np, path.removeprefix("numpy."))
    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return ()


def _attribute(module: Any, name: str) -> Any:
    for part in name.split("."):
        module = getattr(module, part, None)
    return module


def _in_our_words(function: Any) -> Oracle:
    """The function with the keywords of the rules."""
    if isinstance(function, np.ufunc):
        theirs = set(_UFUNC)
    else:
        theirs = _parameters(function) or _parameters(getattr(np, function.__name__, None))
    # A word of ours that stands for several of NumPy's means the one that lists it first.
    ours: dict[str, str] = {}
    for place in range(max(map(len, WORDS.values()))):
        for their, all_ours in WORDS.items():
            if their in theirs and place < len(all_ours):
                ours.setdefault(all_ours[place], their)

    def call(*arguments: Any, **keywords: Any) -> Any:
        renamed = {n if n in theirs else ours.get(n, n): v for n, v in keywords.items()}
        return function(*arguments, **renamed)

    return call


def _parameters(function: Any) -> set[str]:
    """The names of a function's parameters; none if they are unknown."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return set()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return set()
    return set(parameters)


def _last_two(function: Oracle) -> Oracle:
    """A function of matrices, limited to exactly two dims, as in torch."""

    def call(*arguments: Any, **keywords: Any) -> Any:
        if any(np.ndim(argument) != 2 for argument in arguments):
            raise ValueError("not a matrix")
        return function(*arguments, **keywords)

    return call


def _ranks(*ranks: int) -> Callable[[Oracle], Oracle]:
    """Limit the first arguments to these numbers of dims."""

    def limit(function: Oracle) -> Oracle:
        @functools.wraps(function)
        def call(*arguments: Any, **keywords: Any) -> Any:
            for argument, rank in zip(arguments, ranks, strict=False):
                if np.ndim(argument) != rank:
                    raise ValueError(f"not of {rank} dims")
            return function(*arguments, **keywords)

        return call

    return limit


def _axes(input: Any, dim: Any) -> Any:
    """torch's `dim` as NumPy's `axis`: an empty list is all of them, a 0-d tensor has one."""
    if dim is None or (isinstance(dim, tuple | list) and not dim):
        return None
    if np.ndim(input) == 0:
        listed = tuple(dim) if isinstance(dim, tuple | list) else (dim,)
        if any(d not in (0, -1) for d in listed) or len(listed) > 1:
            raise np.exceptions.AxisError("out of range")
        return ()
    return tuple(dim) if isinstance(dim, list) else dim


def _axis(input: Any, dim: int) -> tuple[Any, int]:
    """A 0-d tensor as torch takes it for an op along a dim: with one dim of size 1."""
    if np.ndim(input) == 0:
        if dim not in (0, -1):
            raise np.exceptions.AxisError("out of range")
        return np.reshape(input, (1,)), 0
    return input, dim


def _reduction(function: Oracle) -> Oracle:
    def call(input: Any, dim: Any = None, keepdim: bool = False, **_: Any) -> Any:
        axis = _axes(input, dim)
        if axis == ():
            return input
        return function(input, axis=axis, keepdims=keepdim)

    return call


def _along(function: Oracle) -> Oracle:
    """An op that works along one dim and keeps it."""

    def call(input: Any, dim: int = -1, *_: Any, **__: Any) -> Any:
        array, axis = _axis(input, dim)
        result = function(array, axis=axis)
        return result.reshape(np.shape(input)) if np.ndim(input) == 0 else result

    return call


def _pair(function: Oracle) -> Oracle:
    """Values and indices of a reduction over one dim."""

    def call(input: Any, dim: int = -1, keepdim: bool = False, **_: Any) -> Any:
        axis = _axes(input, dim)
        if axis == ():
            return input, input
        result = function(input, axis=axis, keepdims=keepdim)
        return result, result

    return call


def _elementwise(function: Oracle) -> Oracle:
    return lambda input, *_, **__: function(input)


def _both(function: Oracle) -> Oracle:
    return lambda input, other, *_, **__: function(input, other)


def _softmax(array: Any, axis: int) -> Any:
    grown = np.exp(array - array)
    return grown / np.sum(grown, axis=axis, keepdims=True)


def _split_sum(input: Any, *arguments: Any) -> Any:
    """`input` plus a product, which it may broadcast to but not enlarge."""
    product = arguments[-1]
    if np.broadcast_shapes(np.shape(input), product.shape) != product.shape:
        raise ValueError("the product would grow")
    return input + product


def _addmm(input: Any, mat1: Any, mat2: Any, **_: Any) -> Any:
    return _split_sum(input, _last_two(np.matmul)(mat1, mat2))


@_ranks(3, 3)
def _bmm(input: Any, mat2: Any) -> Any:
    if len(input) != len(mat2):
        raise ValueError("batches differ")
    return np.matmul(input, mat2)


def _linear(input: Any, weight: Any, bias: Any = None) -> Any:
    product = np.matmul(input, np.transpose(weight))
    return product if bias is None else product + bias


def _listed(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Several arguments, or one sequence of them."""
    if len(values) == 1 and isinstance(values[0], tuple | list):
        return tuple(values[0])
    return values


def _multi_dot(tensors: Any) -> Any:
    """NumPy's, which takes two arrays of any rank; torch wants matrices, or a vector at an end."""
    if any(np.ndim(tensor) not in (1, 2) for tensor in tensors):
        raise ValueError("neither a vector nor a matrix")
    return np.linalg.multi_dot(tensors)


def _refuse() -> Any:
    raise ValueError("torch does not take this")


def _softplus(array: Any) -> Any:
    return np.log1p(np.exp(array))


def _total_or_pair(function: Oracle, other: Oracle | None = None) -> Oracle:
    """torch's max and similar ops: of all elements, along a dim with indices, or of two tensors."""

    def call(input: Any, *arguments: Any, **keywords: Any) -> Any:
        second = keywords.get("other", arguments[0] if arguments else None)
        if other is not None and isinstance(second, np.ndarray):
            return other(input, second)
        if arguments or keywords:
            return _pair(function)(input, *arguments, **keywords)
        return function(input)

    return call


def _prod(input: Any, *arguments: Any, **keywords: Any) -> Any:
    keywords.pop("dtype", None)
    return _reduction(np.prod)(input, *arguments, **keywords)


def _spread(
    input: Any, dim: Any = None, unbiased: Any = True, keepdim: bool = False, **_: Any
) -> Any:
    if isinstance(dim, bool):
        dim = None
    result = _reduction(np.var)(input, dim, keepdim)
    return result, result


def _quantile(input: Any, q: Any, dim: Any = None, keepdim: bool = False, **_: Any) -> Any:
    if np.size(input) == 0 or np.ndim(q) > 1:
        _refuse()
    return np.quantile(input, q, _axes(input, dim), keepdims=keepdim)


def _diff(input: Any, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Any:
    ends = {"prepend": prepend, "append": append}
    return np.diff(input, n, dim, **{k: v for k, v in ends.items() if v is not None})


def _expand(self: Any, *size: Any, implicit: bool = False) -> Any:
    sizes, own_sizes = list(_listed(size)), np.shape(self)
    for back, number in enumerate(reversed(sizes), 1):
        if number == -1 and back <= len(own_sizes):
            sizes[-back] = own_sizes[-back]
    return np.broadcast_to(self, sizes)


def _repeat(self: Any, *repeats: Any) -> Any:
    counts = _listed(repeats)
    if len(counts) < np.ndim(self) or any(count < 0 for count in counts):
        _refuse()
    return np.tile(self, counts)


def _repeat_interleave(input: Any, repeats: Any = None, dim: Any = None) -> Any:
    if repeats is None:
        return np.repeat(np.arange(len(input)), np.ones(np.shape(input), dtype=int))
    counts = np.ones(np.shape(repeats), dtype=int) if isinstance(repeats, np.ndarray) else repeats
    return np.repeat(np.atleast_1d(input), counts, dim)


def _reshape(input: Any, *shape: Any) -> Any:
    sizes = _listed(shape)
    if any(size < -1 for size in sizes):
        _refuse()
    return np.reshape(input, sizes)


def _flatten(input: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    if np.ndim(input) == 0:
        return np.reshape(_axis(input, start_dim)[0], (1,))
    start, end = (range(np.ndim(input))[d] for d in (start_dim, end_dim))
    if start > end:
        _refuse()
    sizes = np.shape(input)
    return np.reshape(
        input, (*sizes[:start], int(np.prod(sizes[start : end + 1])), *sizes[end + 1 :])
    )


def _unflatten(input: Any, dim: int, sizes: Any) -> Any:
    place = range(np.ndim(input))[dim]
    before = np.shape(input)
    return (
        np.reshape(np.empty(before[place]), tuple(sizes))
        if len(before) == 1
        else np.reshape(
            input, (*before[:place], *_solved(sizes, before[place]), *before[place + 1 :])
        )
    )


def _solved(sizes: Any, size: int) -> Any:
    """Sizes whose product is `size`, with the one that is -1 computed."""
    return np.empty(size).reshape(tuple(sizes)).shape


def _squeeze(input: Any, *dim: Any) -> Any:
    if not dim:
        return np.squeeze(input)
    if np.ndim(input) == 0:
        return input if all(d in (0, -1) for d in _listed(dim)) else _refuse()
    places = [range(np.ndim(input))[d] for d in _listed(dim)]
    if len(set(places)) != len(places):
        _refuse()
    return np.squeeze(input, tuple(k for k in places if np.shape(input)[k] == 1))


def _roll(input: Any, shifts: Any, dims: Any = None) -> Any:
    count = 0 if dims is None or dims == () else len(dims) if isinstance(dims, tuple) else 1
    shift_count = len(shifts) if isinstance(shifts, tuple) else 1
    if count != shift_count and not (count == 0 and shift_count == 1):
        _refuse()
    return np.roll(np.atleast_1d(input), shifts, None if count == 0 else dims).reshape(
        np.shape(input)
    )


def _windows(self: Any, dimension: int, size: int, step: int) -> Any:
    if np.ndim(self) == 0 or size < 0 or step <= 0:
        _refuse()
    place = range(np.ndim(self))[dimension]
    if size == 0:
        _refuse()
    views = np.lib.stride_tricks.sliding_window_view(self, size, place)
    return views[(slice(None),) * place + (slice(None, None, step),)]


def _meshgrid(*tensors: Any, indexing: Any = None) -> Any:
    if not tensors or any(np.ndim(tensor) > 1 for tensor in _listed(tensors)):
        _refuse()
    return tuple(np.meshgrid(*_listed(tensors), indexing=indexing or "ij"))


def _topk(input: Any, k: int, dim: int = -1, largest: Any = True, sorted: Any = True) -> Any:
    if np.ndim(input) == 0:
        return (input, input) if k in (0, 1) and dim in (0, -1) else _refuse()
    if not 0 <= k <= np.shape(input)[dim]:
        _refuse()
    result = np.take(np.sort(input, dim), np.arange(k), dim)
    return result, result


def _made(*sizes: Any, size: Any = None, **_: Any) -> Any:
    return np.empty(_listed(sizes) if size is None else size)


def _arange(*bounds: Any, **keywords: Any) -> Any:
    start, end, step = (*bounds, *(1,) * (3 - len(bounds))) if len(bounds) > 1 else (0, *bounds, 1)
    step = keywords.get("step", step)
    end = keywords.get("end", end)
    start = keywords.get("start", start)
    if step == 0 or (end - start) * step < 0:
        _refuse()
    return np.arange(start, end, step)


def _three(input: Any) -> Any:
    return np.shape(input).index(3)


def _positive(matrices: Any) -> Any:
    """Positive definite matrices of the same sizes, which every decomposition accepts."""
    sizes = np.shape(matrices)
    if len(sizes) < 2 or sizes[-1] != sizes[-2]:
        _refuse()
    return np.broadcast_to(np.eye(sizes[-1]), sizes)


def _joinable(tensors: Any) -> Any:
    """torch leaves out 1-d tensors of size 0 when it joins."""
    return [t for t in tensors if np.shape(t) != (0,)] or tensors


def _split(tensor: Any, split_size_or_sections: Any, dim: int = 0) -> Any:
    size = np.shape(tensor)[dim]
    if isinstance(split_size_or_sections, int):
        step = split_size_or_sections
        if step < 0 or (step == 0 and size):
            _refuse()
        lengths = [min(step, size - start) for start in range(0, size, step)] if step else [0]
    else:
        lengths = list(split_size_or_sections)
    if min(lengths or [0], default=0) < 0 or sum(lengths) != size:
        _refuse()
    return tuple(np.split(tensor, np.cumsum(lengths or [0])[:-1], dim))


def _chunk(input: Any, chunks: int, dim: int = 0) -> Any:
    size = np.shape(input)[dim]
    if chunks < 1:
        _refuse()
    if size == 0:
        return (input,) * chunks
    return _split(input, -(-size // chunks), dim)


def _narrow(input: Any, dim: int, start: int, length: int) -> Any:
    size = np.shape(input)[dim]
    start = start + size if start < 0 else start
    if length < 0 or not 0 <= start <= size or start + length > size:
        _refuse()
    return np.take(input, np.arange(start, start + length), dim)


def _zeros(index: Any) -> Any:
    return np.zeros(np.shape(index), dtype=int)


def _vector(index: Any) -> Any:
    return np.atleast_1d(index) if np.ndim(index) < 2 else _refuse()


def _places(input: Any, dim: int) -> bool:
    rank = max(np.ndim(input), 1)
    return -rank <= dim < rank


def _gather(input: Any, dim: int, index: Any, **_: Any) -> Any:
    if np.ndim(input) != np.ndim(index) or not _places(input, dim):
        _refuse()
    others = [
        mine < theirs
        for place, (mine, theirs) in enumerate(zip(np.shape(input), np.shape(index), strict=True))
        if place != dim % max(np.ndim(input), 1)
    ]
    return _zeros(index) if not any(others) else _refuse()


def _window(window_length: int, *_: Any, **__: Any) -> Any:
    return np.hanning(window_length) if window_length >= 0 else _refuse()


def _embedding(input: Any, weight: Any, *_: Any, **__: Any) -> Any:
    if np.ndim(weight) != 2:
        _refuse()
    return np.broadcast_to(weight[:1], (1, np.shape(weight)[1]))[
        np.zeros(np.shape(input), dtype=int)
    ]


def _loss(function: Oracle = lambda a, b: a - b, same: bool = False) -> Oracle:
    """A loss of two tensors: every element's, or one number."""

    def call(
        input: Any, target: Any, weight: Any = None, *_: Any, reduction: str = "mean", **others: Any
    ) -> Any:
        if isinstance(weight, np.ndarray) or "pos_weight" in others:
            _refuse()  # not in this table
        if same and np.shape(input) != np.shape(target):
            _refuse()
        loss = function(input, target)
        return loss if reduction == "none" else np.sum(loss)

    return call


def _bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    if np.shape(weight)[1:] != (np.shape(input1)[-1], np.shape(input2)[-1]):
        _refuse()
    if bias is not None and np.shape(bias) != np.shape(weight)[:1]:
        _refuse()
    return np.einsum("...i,...j,oij->...o", input1, input2, weight)


def _cdist(x1: Any, x2: Any, *_: Any, **__: Any) -> Any:
    if min(np.ndim(x1), np.ndim(x2)) < 2 or np.shape(x1)[-1] != np.shape(x2)[-1]:
        _refuse()
    return np.matmul(x1, np.swapaxes(x2, -1, -2))


def _glu(input: Any, dim: int = -1) -> Any:
    left, right = np.split(input, 2, dim)
    return left * right


def _qr(A: Any, mode: Any = "reduced") -> Any:
    if mode == "r":
        return np.empty(0), np.linalg.qr(A, mode)
    return tuple(np.linalg.qr(A, mode))


def _svd(A: Any, full_matrices: bool = True, **_: Any) -> Any:
    return tuple(np.linalg.svd(A, full_matrices))


def _svd_by_some(input: Any, some: bool = True, compute_uv: bool = True) -> Any:
    u, s, v = np.linalg.svd(input, not some or not compute_uv)
    return u, s, np.swapaxes(v, -1, -2)


def _lax_along(function: Oracle) -> Oracle:
    def call(input: Any, dim: int = 0, reverse: bool = False) -> Any:
        return function(input, axis=dim) if np.ndim(input) and dim >= 0 else _refuse()

    return call


_SIGN = _elementwise(np.sign)

TABLE: dict[str, Oracle] = {
    # elementwise
    "torch.sigmoid": _elementwise(lambda a: 1 / (1 + np.exp(-a))),
    "torch.rsqrt": _elementwise(lambda a: 1 / np.sqrt(a)),
    "torch.frac": _elementwise(lambda a: a - np.trunc(a)),
    "torch.sgn": _SIGN,
    "torch.nan_to_num": _elementwise(np.nan_to_num),
    "torch.logit": _elementwise(lambda a: np.log(a / (1 - a))),
    "torch.conj_physical": _elementwise(np.conj),
    "torch.resolve_conj": _elementwise(np.conj),
    "torch.clone": _elementwise(np.copy),
    "torch.detach": _elementwise(np.asarray),
    "torch.nn.functional.relu": _elementwise(lambda a: np.maximum(a, 0)),
    "torch.nn.functional.relu6": _elementwise(lambda a: np.clip(a, 0, 6)),
    "torch.nn.functional.softplus": _elementwise(_softplus),
    "torch.nn.functional.softsign": _elementwise(lambda a: a / (1 + np.abs(a))),
    "torch.nn.functional.tanhshrink": _elementwise(lambda a: a - np.tanh(a)),
    "torch.nn.functional.silu": _elementwise(lambda a: a / (1 + np.exp(-a))),
    "torch.nn.functional.mish": _elementwise(lambda a: a * np.tanh(_softplus(a))),
    "torch.nn.functional.logsigmoid": _elementwise(lambda a: -_softplus(-a)),
    "torch.nn.functional.hardtanh": _elementwise(lambda a: np.clip(a, -1, 1)),
    "torch.rsub": _both(lambda a, b: b - a),
    "torch.xlogy": _both(lambda a, b: a * np.log(b)),
    "torch.special.xlog1py": _both(lambda a, b: a * np.log1p(b)),
    "torch.clamp_min": lambda input, min: np.maximum(input, min),
    "torch.clamp_max": lambda input, max: np.minimum(input, max),
    "torch.clamp": lambda input, min=None, max=None: np.clip(input, min, max),
    "torch.complex": lambda real, imag: real + 1j * imag,
    "torch.polar": lambda abs, angle: abs * np.exp(1j * angle),
    "torch.addcmul": lambda input, tensor1, tensor2, *, value=1: input + value * tensor1 * tensor2,
    "torch.addcdiv": lambda input, tensor1, tensor2, *, value=1: input + value * tensor1 / tensor2,
    "torch.lerp": lambda input, end, weight: input + weight * (end - input),
    "Tensor.where": lambda self, condition, other: np.where(condition, self, other),
    "torch.masked_fill": lambda input, mask, value: np.where(
        mask != 0, value if np.ndim(value) == 0 else _refuse(), input
    ),
    # reductions
    "torch.amax": _reduction(np.max),
    "torch.amin": _reduction(np.min),
    "torch.logsumexp": lambda input, dim, keepdim=False: (
        _refuse() if np.shape(dim) == (0,) else _reduction(np.sum)(input, dim, keepdim)
    ),
    "torch.norm": lambda input, p="fro", dim=None, keepdim=False, **_: _reduction(np.sum)(
        input, dim, keepdim
    ),
    "torch.mode": _pair(np.max),
    "torch.cumsum": lambda input, dim, *_, **__: _along(np.cumsum)(input, dim),
    "torch.cumprod": lambda input, dim, *_, **__: _along(np.cumprod)(input, dim),
    "torch.logcumsumexp": lambda input, dim: _along(np.cumsum)(input, dim),
    "torch.cummax": lambda input, dim: (_along(np.cumsum)(input, dim),) * 2,
    "torch.cummin": lambda input, dim: (_along(np.cumsum)(input, dim),) * 2,
    "torch.softmax": lambda input, dim, *_, **__: _along(_softmax)(input, dim),
    "torch.log_softmax": lambda input, dim, *_, **__: _along(_softmax)(input, dim),
    "torch.nn.functional.softmax": lambda input, dim, *_, **__: _along(_softmax)(input, dim),
    "torch.nn.functional.log_softmax": lambda input, dim, *_, **__: _along(_softmax)(input, dim),
    "torch.nn.functional.softmin": lambda input, dim, *_, **__: _along(_softmax)(input, dim),
    "torch.sort": lambda input, dim=-1, *_, **__: (_along(np.sort)(input, dim),) * 2,
    "torch.argsort": lambda input, dim=-1, *_, **__: _along(np.argsort)(input, dim),
    "torch.msort": lambda input: np.sort(input, axis=0) if np.ndim(input) else input,
    "torch.max": _total_or_pair(np.max, np.maximum),
    "torch.min": _total_or_pair(np.min, np.minimum),
    "torch.median": _total_or_pair(
        lambda a, axis=None, keepdims=False: (
            np.sum(a) if axis is None else np.max(a, axis=axis, keepdims=keepdims)
        )
    ),
    "torch.nanmedian": _total_or_pair(
        lambda a, axis=None, keepdims=False: (
            np.sum(a) if axis is None else np.max(a, axis=axis, keepdims=keepdims)
        )
    ),
    "torch.aminmax": lambda input, *, dim=None, keepdim=False: _pair(np.max)(input, dim, keepdim),
    "torch.prod": _prod,
    "torch.count_nonzero": lambda input, dim=None: _reduction(np.sum)(input, dim),
    "torch.var_mean": _spread,
    "torch.std_mean": _spread,
    "torch.nonzero": lambda input, *, as_tuple=False: (
        np.nonzero(np.atleast_1d(input)) if as_tuple else np.argwhere(input)
    ),
    "torch.diff": _diff,
    "torch.trapezoid": lambda y, x=None, *, dx=1, dim=-1: np.trapezoid(y, x, dx, dim),
    "torch.dist": lambda input, other, p=2: np.sum(np.abs(input - other)),
    "torch.corrcoef": lambda input, **_: np.corrcoef(input),
    "torch.cov": lambda input, **_: np.cov(input),
    "torch.quantile": _quantile,
    "torch.nanquantile": _quantile,
    "torch.masked_select": lambda input, mask: np.ravel(np.broadcast_arrays(input, mask)[0]),
    "torch.topk": _topk,
    "jax.lax.top_k": lambda input, k: _topk(input, k) if np.ndim(input) else _refuse(),
    "jax.lax.cumsum": _lax_along(np.cumsum),
    "jax.lax.cumprod": _lax_along(np.cumprod),
    "jax.lax.cummax": _lax_along(np.cumsum),
    "jax.lax.cummin": _lax_along(np.cumsum),
    "jax.lax.cumlogsumexp": _lax_along(np.cumsum),
    "torch.searchsorted": lambda sorted_sequence, input, **_: np.searchsorted(
        sorted_sequence, input
    ),
    "torch.bucketize": lambda input, boundaries, **_: np.searchsorted(boundaries, input),
    "torch.nn.functional.normalize": lambda input, p=2, dim=1, eps=1e-12: (
        input if _axes(input, dim) == () else input / np.sum(input, axis=dim, keepdims=True)
    ),
    "torch.nn.functional.glu": _glu,
    # products
    "torch.mm": _last_two(np.matmul),
    "torch.bmm": _bmm,
    "torch.mv": _ranks(2, 1)(np.matmul),
    "torch.dot": _ranks(1, 1)(np.dot),
    "torch.outer": _ranks(1, 1)(np.outer),
    "torch.addmm": _addmm,
    "torch.addmv": lambda input, mat, vec, **_: _split_sum(
        input, _ranks(2, 1)(np.matmul)(mat, vec)
    ),
    "torch.addr": lambda input, vec1, vec2, **_: _split_sum(
        input, _ranks(1, 1)(np.outer)(vec1, vec2)
    ),
    "torch.baddbmm": lambda input, batch1, batch2, **_: _split_sum(input, _bmm(batch1, batch2)),
    "torch.addbmm": lambda input, batch1, batch2, **_: _split_sum(
        input, np.sum(_bmm(batch1, batch2), axis=0)
    ),
    "torch.nn.functional.linear": _linear,
    "torch.chain_matmul": lambda *matrices: functools.reduce(
        np.matmul, map(_ranks(2)(np.asarray), _listed(matrices))
    ),
    "torch.linalg.multi_dot": _multi_dot,
    "torch.nn.functional.bilinear": _bilinear,
    "torch.cdist": _cdist,
    "torch.logdet": lambda A: np.linalg.slogdet(A)[1],
    "torch.linalg.svd": _svd,
    "torch.svd": _svd_by_some,
    "torch.linalg.qr": _qr,
    "torch.qr": lambda input, some=True: tuple(
        np.linalg.qr(input, "reduced" if some else "complete")
    ),
    "torch.trace": _ranks(2)(np.trace),
    "torch.sum": lambda input, dim=None, keepdim=False, **_: _reduction(np.sum)(
        input, dim, keepdim
    ),
    "torch.mean": lambda input, dim=None, keepdim=False, **_: _reduction(np.mean)(
        input, dim, keepdim
    ),
    "torch.nansum": lambda input, dim=None, keepdim=False, **_: _reduction(np.nansum)(
        input, dim, keepdim
    ),
    "torch.nanmean": lambda input, dim=None, keepdim=False, **_: _reduction(np.nanmean)(
        input, dim, keepdim
    ),
    "torch.var": lambda *arguments, **keywords: _spread(*arguments, **keywords)[0],
    "torch.std": lambda *arguments, **keywords: _spread(*arguments, **keywords)[0],
    "torch.round": _elementwise(np.round),
    "torch.angle": _elementwise(np.angle),
    "torch.kthvalue": lambda input, k, dim=-1, keepdim=False: (
        _pair(np.max)(input, dim, keepdim)
        if 1 <= k <= (np.shape(input)[dim] if np.ndim(input) else 1)
        else _refuse()
    ),
    "torch.vdot": _ranks(1, 1)(np.vdot),
    "torch.cross": lambda input, other, dim=None: (
        np.linalg.cross(input, other, axis=_three(input) if dim is None else dim)
        if np.ndim(input) == np.ndim(other)
        else _refuse()
    ),
    "torch.linalg.cross": lambda input, other, *, dim=-1: (
        np.linalg.cross(input, other, axis=dim) if np.ndim(input) == np.ndim(other) else _refuse()
    ),
    "torch.linalg.vecdot": lambda x, y, *, dim=-1: np.sum(x * y, axis=dim),
    **{
        f"torch.{name}": function
        for name, function in (
            ("cholesky", lambda input, upper=False: np.linalg.cholesky(_positive(input))),
            ("det", np.linalg.det),
            (
                "linalg.matrix_rank",
                lambda A, *_, **__: np.linalg.matrix_rank(A) if np.ndim(A) > 1 else _refuse(),
            ),
            ("slogdet", lambda A: tuple(np.linalg.slogdet(A))),
            ("inverse", lambda A: np.linalg.inv(_positive(A))),
            ("pinverse", lambda input, rcond=None: np.linalg.pinv(input)),
            ("matrix_power", lambda input, n: np.linalg.matrix_power(_positive(input), n)),
        )
    },
    "torch.linalg.inv_ex": lambda A, **_: (np.linalg.inv(_positive(A)), np.linalg.det(A)),
    "torch.linalg.cholesky_ex": lambda A, **_: (
        np.linalg.cholesky(_positive(A)),
        np.linalg.det(A),
    ),
    # moves of dims
    "torch.diagonal": np.diagonal,
    "torch.diagonal_copy": np.diagonal,
    "torch.linalg.diagonal": lambda A, *, offset=0, dim1=-2, dim2=-1: np.diagonal(
        A, offset, dim1, dim2
    ),
    "torch.diag": lambda input, diagonal=0: np.diag(input, diagonal),
    "torch.diagflat": lambda input, offset=0: np.diagflat(input, offset),
    "torch.tril": lambda input, diagonal=0: (
        np.tril(input, diagonal) if np.ndim(input) > 1 else _refuse()
    ),
    "torch.triu": lambda input, diagonal=0: (
        np.triu(input, diagonal) if np.ndim(input) > 1 else _refuse()
    ),
    "torch.cat": lambda tensors, dim=0: np.concatenate(_joinable(tensors), dim),
    "torch.stack": lambda tensors, dim=0: np.stack(tensors, dim),
    "torch.hstack": np.hstack,
    "torch.vstack": np.vstack,
    "torch.row_stack": np.vstack,
    "torch.dstack": np.dstack,
    "torch.column_stack": np.column_stack,
    "jax.lax.concatenate": lambda operands, dimension: (
        np.concatenate(operands, dimension) if dimension >= 0 else _refuse()
    ),
    "torch.unbind": lambda input, dim=0: tuple(np.moveaxis(input, dim, 0)),
    "torch.unbind_copy": lambda input, dim=0: tuple(np.moveaxis(input, dim, 0)),
    "torch.tensor_split": lambda input, indices_or_sections, dim=0: tuple(
        np.array_split(input, indices_or_sections, dim)
    ),
    "torch.split": _split,
    "Tensor.split": _split,
    "torch.chunk": _chunk,
    "torch.unsafe_chunk": _chunk,
    "torch.split_with_sizes": lambda input, split_sizes, dim=0: _split(input, split_sizes, dim),
    "torch.select": lambda input, dim, index: np.moveaxis(input, dim, 0)[index],
    "torch.select_copy": lambda input, dim, index: np.moveaxis(input, dim, 0)[index],
    "torch.narrow": _narrow,
    "torch.narrow_copy": _narrow,
    "torch.index_select": lambda input, dim, index: (
        np.take(input, _zeros(_vector(index)), dim)
        if np.ndim(input)
        else input
        if np.size(index) == 1 and dim in (0, -1)
        else _refuse()
    ),
    "torch.take": lambda input, index: np.take(input, _zeros(index)),
    "torch.gather": _gather,
    "torch.take_along_dim": lambda input, indices, dim=None: (
        np.take_along_axis(input, _zeros(indices), dim) if dim is not None else np.ravel(indices)
    ),
    "torch.as_strided": lambda input, size, stride, storage_offset=0: (
        np.empty(size) if len(size) == len(stride) and min(stride, default=0) >= 0 else _refuse()
    ),
    "torch.index_fill": lambda input, dim, index, value: (
        input if np.ndim(index) < 2 and np.ndim(value) == 0 and _places(input, dim) else _refuse()
    ),
    "torch.view_as_real": lambda input: np.stack((input, input), -1),
    "torch.view_as_complex": lambda input: input[..., 0] if np.shape(input)[-1] == 2 else _refuse(),
    "torch.permute": lambda input, *dims: np.transpose(input, _listed(dims)),
    "torch.permute_copy": lambda input, *dims: np.transpose(input, _listed(dims)),
    "torch.t": lambda input: np.transpose(input) if np.ndim(input) < 3 else _refuse(),
    "torch.transpose": lambda input, dim0, dim1: np.swapaxes(input, dim0, dim1),
    "torch.movedim": np.moveaxis,
    "torch.flip": lambda input, dims: np.flip(input, dims),
    "torch.rot90": lambda input, k=1, dims=(0, 1): np.rot90(input, k, dims),
    "torch.broadcast_to": lambda input, *size: np.broadcast_to(input, _listed(size)),
    "torch.broadcast_tensors": lambda *tensors: tuple(np.broadcast_arrays(*_listed(tensors))),
    "Tensor.expand": _expand,
    "torch.expand_copy": _expand,
    "Tensor.expand_as": lambda self, other: np.broadcast_to(self, np.shape(other)),
    "Tensor.repeat": _repeat,
    "torch.tile": lambda input, *dims: (
        np.tile(input, _listed(dims)) if min(_listed(dims), default=0) >= 0 else _refuse()
    ),
    "torch.repeat_interleave": _repeat_interleave,
    "torch.meshgrid": _meshgrid,
    "torch.swapdims": np.swapaxes,
    "torch.swapaxes": np.swapaxes,
    "torch.transpose_copy": np.swapaxes,
    "torch.t_copy": lambda input: np.transpose(input) if np.ndim(input) < 3 else _refuse(),
    "jax.lax.transpose": lambda input, permutation: (
        np.transpose(input, permutation) if min(permutation, default=0) >= 0 else _refuse()
    ),
    "torch.roll": _roll,
    "torch.adjoint": lambda input: np.swapaxes(input, -1, -2) if np.ndim(input) else input,
    "Tensor.mH": lambda input: np.swapaxes(input, -1, -2) if np.ndim(input) else input,
    "Tensor.H": lambda input: np.transpose(input) if np.ndim(input) in (0, 2) else _refuse(),
    "torch.reshape": _reshape,
    "Tensor.view": _reshape,
    "torch.view_copy": _reshape,
    "Tensor.reshape_as": lambda self, other: np.reshape(self, np.shape(other)),
    "Tensor.view_as": lambda self, other: np.reshape(self, np.shape(other)),
    "jax.lax.reshape": lambda input, new_sizes, dimensions=None: (
        np.reshape(input, new_sizes) if min(new_sizes, default=0) >= 0 else _refuse()
    ),
    "torch.ravel": np.ravel,
    "torch.flatten": _flatten,
    "torch.unflatten": _unflatten,
    "torch.squeeze": _squeeze,
    "torch.squeeze_copy": _squeeze,
    "jax.lax.squeeze": lambda input, dimensions: np.squeeze(input, dimensions),
    "torch.unsqueeze": lambda input, dim: np.expand_dims(input, int(dim)),
    "torch.unsqueeze_copy": lambda input, dim: np.expand_dims(input, int(dim)),
    "jax.lax.expand_dims": lambda input, dimensions: np.expand_dims(input, dimensions),
    "Tensor.unfold": _windows,
    "torch.unfold_copy": _windows,
    "torch.nn.functional.embedding": _embedding,
    # creation from sizes
    "torch.rand": _made,
    "torch.randn": _made,
    "Tensor.new_empty": lambda self, *size: _made(*size),
    "Tensor.new_zeros": lambda self, *size: _made(*size),
    "Tensor.new_ones": lambda self, *size: _made(*size),
    "Tensor.new_full": lambda self, size, fill_value: _made(*size),
    "torch.rand_like": _elementwise(np.empty_like),
    "torch.randn_like": _elementwise(np.empty_like),
    "torch.randperm": lambda n: np.arange(n) if n >= 0 else _refuse(),
    "torch.arange": _arange,
    "torch.linspace": lambda start, end, steps: (
        np.linspace(start, end, steps) if np.ndim(start) == np.ndim(end) == 0 else _refuse()
    ),
    "torch.hann_window": _window,
    "torch.hamming_window": _window,
    "torch.bartlett_window": _window,
    "torch.blackman_window": _window,
    "torch.kaiser_window": _window,
    "torch.logspace": lambda start, end, steps, base=10: (
        np.logspace(start, end, steps) if np.ndim(start) == np.ndim(end) == 0 else _refuse()
    ),
    "torch.tril_indices": lambda row, col, offset=0: np.stack(np.tril_indices(row, offset, col)),
    "torch.triu_indices": lambda row, col, offset=0: np.stack(np.triu_indices(row, offset, col)),
    "torch.empty_strided": lambda size, stride: (
        np.empty(size) if len(size) == len(stride) and min(stride, default=0) >= 0 else _refuse()
    ),
    "torch.diag_embed": lambda input, offset=0, dim1=-2, dim2=-1: (
        np.zeros((*np.shape(input), 1)) * np.eye(np.shape(input)[-1])
        if (offset, dim1, dim2) == (0, -2, -1)
        else _refuse()
    ),
    "torch.cumulative_trapezoid": lambda y, x=None, *, dx=1, dim=-1: (
        np.diff(y, axis=dim) if x is None else _refuse()
    ),
    "torch.is_same_size": lambda input, other: np.shape(input) == np.shape(other),
    "Tensor.resize": lambda self, *sizes: (
        np.reshape(self, _listed(sizes)) if min(_listed(sizes), default=0) >= 0 else _refuse()
    ),
    "torch.unsafe_split_with_sizes": lambda input, split_sizes, dim=0: _split(
        input, split_sizes, dim
    ),
    "builtins.iter": lambda input: tuple(input),
    # losses
    **{
        f"torch.nn.functional.{name}": _loss()
        for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div")
    },
    "torch.nn.functional.poisson_nll_loss": _loss(),
    "torch.nn.functional.soft_margin_loss": _loss(same=True),
    "torch.nn.functional.hinge_embedding_loss": _loss(),
    "torch.nn.functional.binary_cross_entropy_with_logits": _loss(same=True),
    # predicates
    "Tensor.ndim": np.ndim,
    "Tensor.dim": np.ndim,
    "Tensor.numel": np.size,
    "Tensor.size": lambda input, dim=None: np.shape(input) if dim is None else np.size(input, dim),
    "builtins.len": len,
}
for _name in ("as_strided", "view_as_real", "view_as_complex"):
    TABLE[f"torch.{_name}_copy"] = TABLE[f"torch.{_name}"]
