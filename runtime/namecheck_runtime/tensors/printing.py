"""What a tensor looks like: PyTorch's text, with the names last, and a table for notebooks."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from namecheck_runtime.tensors.backends import backend_of
from namecheck_runtime.tensors.object import CLASSES
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import dtype as DType

if TYPE_CHECKING:
    from namecheck_runtime.tensors.object import Tensor


_DEFAULT: Final[dict[str, Any]] = {
    "precision": 4,
    "threshold": 1000,
    "edgeitems": 3,
    "linewidth": 80,
    "sci_mode": None,
}
_options = dict(_DEFAULT)


def get_printoptions() -> dict[str, Any]:
    """How tensors are printed now."""
    return dict(_options)


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors are printed.

    `precision` is the number of digits, `threshold` the number of elements above which the middle
    is left out, `edgeitems` how many stay at each edge, `linewidth` the width of lines, `sci_mode`
    whether numbers have exponents.  `profile` is "default", "short" or "full".
    """
    if profile is not None:
        _options.update(_DEFAULT)
        if profile == "short":
            _options.update(precision=2, threshold=1000, edgeitems=2)
        elif profile == "full":
            _options.update(threshold=2**62)
        elif profile != "default":
            raise ValueError(f"profile must be 'default', 'short' or 'full', not {profile!r}")
    if precision is not None:
        _options["precision"] = precision
    if threshold is not None:
        _options["threshold"] = threshold
    if edgeitems is not None:
        _options["edgeitems"] = edgeitems
    if linewidth is not None:
        _options["linewidth"] = linewidth
    _options["sci_mode"] = sci_mode


def text_of(tensor: Tensor) -> str:
    """`tensor([[1., 2.]], names=('N', 'C'))`: elements, what is not the default, names last."""
    kind = type(tensor)
    prefix = "tensor(" if kind in CLASSES else f"{kind.__name__}("
    suffixes = []
    default = dtypes.get_default_dtype()
    dtype, sizes = tensor.dtype, tuple(tensor.shape)
    if tensor.device.type != "cpu":
        suffixes.append(f"device='{tensor.device}'")
    parts = backend_of(tensor.device, tensor.layout).parts(tensor)
    array = None if parts else _shown_elements(tensor)
    if parts:
        body = _parts(parts, len(prefix))
        is_default = dtype is default
    elif array is None:
        body = "..."
        suffixes.append(f"size={sizes}")
        is_default = dtype is default
    elif not array.size:
        body = "[]"
        if len(sizes) != 1:
            suffixes.append(f"size={sizes}")
        # Without elements the text does not show whole numbers.
        is_default = dtype is default
    else:
        if not _options["edgeitems"]:
            suffixes.append(f"size={sizes}")
        body = _elements(_printable(array, dtype), len(prefix))
        wide = dtypes.complex128 if default is dtypes.float64 else dtypes.complex64
        is_default = dtype in (default, wide, dtypes.int64, dtypes.bool_)
    if not is_default:
        suffixes.append(f"dtype={dtype!r}")
    if tensor.layout is not dtypes.strided:
        suffixes.append(f"layout={tensor.layout!r}")
    node = tensor.grad_fn
    if node is not None:
        suffixes.append(f"grad_fn=<{node.name().rpartition(':')[2]}>")
    elif tensor.requires_grad:
        suffixes.append("requires_grad=True")
    if any(name is not None for name in tensor.names):
        suffixes.append(f"names={tensor.names!r}")
    return f"{_with_suffixes(prefix + body, suffixes, len(prefix))})"


def _parts(parts: dict[str, Any], indent: int) -> str:
    """The parts of a tensor of another layout: each tensor on lines of its own, the rest on one."""
    begin = f",\n{' ' * indent}"
    tensors = []
    for name, part in parts.items():
        if hasattr(part, "layout"):
            text, kind, _ = text_of(part.detach()).partition(", dtype=")
            text += ")" if kind else ""
            text = text.replace("\n", "\n" + " " * (indent + len(name) + 1))
            tensors.append(f"{name}={text}")
    rest = [f"{name}={part}" for name, part in parts.items() if not hasattr(part, "layout")]
    return begin.join([*tensors, ", ".join(rest)])


def _shown_elements(tensor: Tensor) -> np.ndarray[Any, Any] | None:
    """The elements on the CPU; None where there are none, or where they cannot come from."""
    if isinstance(tensor._array, np.ndarray) and tensor.layout is dtypes.strided:
        return tensor._array
    try:
        return backend_of(tensor.device, tensor.layout).to_array(tensor)
    except NotImplementedError:
        return None


def _with_suffixes(text: str, suffixes: list[str], indent: int) -> str:
    """The text with its suffixes, each on a line of its own if the last line is full."""
    used = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if used + len(suffix) + 2 > _options["linewidth"]:
            text += f",\n{' ' * indent}{suffix}"
            used = indent + len(suffix)
        else:
            text += f", {suffix}"
            used += len(suffix) + 2
    return text


class _Format:
    """The format of the numbers of a tensor: all in one width, as PyTorch chooses it."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.floats = array.dtype.kind == "f"
        self.whole = True
        self.scientific = False
        self.width = 1
        if not self.floats:
            self.width = max((len(str(value)) for value in array.reshape(-1).tolist()), default=1)
            return
        values = array.astype(np.float64).reshape(-1)
        values = values[np.isfinite(values) & (values != 0)]
        if not values.size:
            return
        least, most = float(np.abs(values).min()), float(np.abs(values).max())
        self.whole = bool(np.all(values == np.ceil(values)))
        self.scientific = most / least > 1000.0 or most > 1e8 or (not self.whole and least < 1e-4)
        if _options["sci_mode"] is not None:
            self.scientific = _options["sci_mode"]
        digits = _options["precision"]
        spec = f".{digits}e" if self.scientific else ".0f" if self.whole else f".{digits}f"
        dot = self.whole and not self.scientific
        self.width = max(len(format(value, spec)) + dot for value in values.tolist())

    def text(self, value: Any) -> str:
        """One number."""
        digits = _options["precision"]
        if not self.floats:
            written = str(value)
        elif self.scientific:
            written = f"{value:{self.width}.{digits}e}"
        elif self.whole:
            written = f"{value:.0f}." if math.isfinite(value) else f"{value:.0f}"
        else:
            written = f"{value:.{digits}f}"
        return written.rjust(self.width)


class _Complex:
    """The format of complex numbers: each part in a width of its own."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.real, self.imaginary = _Format(array.real), _Format(array.imag)
        self.width = self.real.width + self.imaginary.width + 1

    def text(self, value: complex) -> str:
        """One number."""
        imaginary = f"{self.imaginary.text(value.imag)}j".lstrip()
        sign = "" if imaginary[0] in "+-" else "+"
        return f"{self.real.text(value.real)}{sign}{imaginary}"


def _printable(array: np.ndarray[Any, Any], dtype: DType) -> np.ndarray[Any, Any]:
    """The elements as numbers of NumPy's, or as what a dtype of a third party writes for them."""
    text = dtype.text
    if text is None:
        is_known = dtype.kind != "float" or not dtypes.is_of_third_party(array.dtype)
        return array if is_known else array.astype(np.float64)
    texts = np.empty(array.shape, object)
    texts.reshape(-1)[:] = [_Text(text(element)) for element in array.reshape(-1).tolist()]
    return texts


def _format_of(array: np.ndarray[Any, Any]) -> _Format | _Complex:
    return _Complex(array) if array.dtype.kind == "c" else _Format(array)


def _elements(array: np.ndarray[Any, Any], indent: int) -> str:
    """The elements, without the middle of long dims if there are too many."""
    summarized = array.size > _options["threshold"]
    shown = array
    if summarized:
        edge = _options["edgeitems"]
        for axis, size in enumerate(array.shape):
            if size > 2 * edge:
                ends = [*range(edge), *range(size - edge, size)]
                shown = np.take(shown, ends, axis=axis)
    return _nested(array, indent, summarized, _format_of(shown))


def _nested(
    array: np.ndarray[Any, Any], indent: int, summarized: bool, form: _Format | _Complex
) -> str:
    if array.ndim == 0:
        return form.text(array.item())
    edge = _options["edgeitems"]
    cut = summarized and len(array) > 2 * edge
    if array.ndim == 1:
        return _row(array, indent, cut, form)
    rows: list[np.ndarray[Any, Any] | None] = list(array)
    if cut:
        rows = [*rows[:edge], None, *rows[len(rows) - edge :]]
    texts = ["..." if row is None else _nested(row, indent + 1, summarized, form) for row in rows]
    return f"[{(',' + chr(10) * (array.ndim - 1) + ' ' * (indent + 1)).join(texts)}]"


def _row(array: np.ndarray[Any, Any], indent: int, cut: bool, form: _Format | _Complex) -> str:
    edge = _options["edgeitems"]
    values = array.tolist()
    if cut:
        first, last = values[:edge], values[len(values) - edge :]
        texts = [*map(form.text, first), " ..." if edge else "...", *map(form.text, last)]
    else:
        texts = [form.text(value) for value in values]
    count = max(1, (_options["linewidth"] - indent) // (form.width + 2))
    lines = [", ".join(texts[k : k + count]) for k in range(0, len(texts), count)]
    return f"[{(',' + chr(10) + ' ' * (indent + 1)).join(lines)}]"


def fields_of(tensor: Tensor) -> Iterator[Any]:
    """The parts of a tensor for `rich`: its dims by name, the dtype, and elements if few."""
    for name, size in zip(tensor.names, tensor.shape, strict=True):
        yield size if name is None else (name, size)
    yield "dtype", tensor.dtype
    if tensor.device.type != "cpu":
        yield "device", str(tensor.device)
    elif tensor.layout is not dtypes.strided:
        yield "layout", tensor.layout
    elif tensor.shape.numel() <= _FEW:
        array = _printable(tensor._elements(), tensor.dtype)
        yield "elements", _texts(array.tolist(), _format_of(np.atleast_1d(array)).text)


_FEW: Final = 100


class _Text(str):
    """A number as text: `rich` prints its `repr`, which is the text without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _texts(elements: Any, write: Callable[[Any], str]) -> Any:
    if isinstance(elements, list):
        return [_texts(element, write) for element in elements]
    return _Text(write(elements).strip())


def table_of(tensor: Tensor) -> str:
    """The dims as labelled axes over a small table of elements, as HTML for notebooks."""
    shape = " × ".join(
        f"<b>{html.escape(name)}</b>={size}" if name else str(size)
        for name, size in zip(tensor.names, tensor.shape, strict=True)
    )
    head = f"<div>Tensor [{shape}] {tensor.dtype.name}, {tensor.device}</div>"
    array = tensor._array if tensor.layout is dtypes.strided else None
    if not isinstance(array, np.ndarray) or not array.size:
        return head
    names = tensor.names
    leading = max(array.ndim - 2, 0)
    array = array[(0,) * leading]
    note = ""
    if leading:
        first = ", ".join(f"{name or k}=0" for k, name in enumerate(names[:leading]))
        note = f"<div>at {html.escape(first)}</div>"
    shown = _printable(array[tuple(slice(_MOST_CELLS) for _ in array.shape)], tensor.dtype)
    write = _format_of(np.atleast_1d(shown)).text
    rows = [[write(value).strip() for value in row] for row in np.atleast_2d(shown).tolist()]
    cells = "".join(_table_rows(rows, array.shape, names[leading:]))
    return f'{head}{note}<table style="text-align:right">{cells}</table>'


_MOST_CELLS: Final = 10


def _table_rows(
    rows: list[list[str]], sizes: tuple[int, ...], names: tuple[str | None, ...]
) -> Iterator[str]:
    """The rows of a table: the last dim goes to the right, the one before it downwards.

    Each has its indices and, in the corner, its name.
    """
    if not sizes:
        yield f"<tr><td>{html.escape(rows[0][0])}</td></tr>"
        return
    arrows = ("↓", "→")[-len(names) :]
    corner = "  ".join(
        f"{html.escape(name)} {arrow}" for name, arrow in zip(names, arrows, strict=True) if name
    )
    more = sizes[-1] > _MOST_CELLS
    places = [*map(str, range(len(rows[0]))), *["…"] * more]
    yield f"<tr><th>{corner}</th>{''.join(f'<th>{place}</th>' for place in places)}</tr>"
    for place, row in enumerate(rows):
        line = "".join(f"<td>{html.escape(text)}</td>" for text in [*row, *["…"] * more])
        yield f"<tr><th>{place if len(sizes) > 1 else ''}</th>{line}</tr>"
    if len(sizes) > 1 and sizes[0] > _MOST_CELLS:
        yield f"<tr><th>…</th><td colspan={len(places)}></td></tr>"
