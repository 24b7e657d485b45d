"""What a tensor looks like: PyTorch's text, with the names last, and a table for notebooks."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from namecheck_runtime import dtypes

if TYPE_CHECKING:
    from namecheck_runtime.tensors import Tensor


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
    """Set digits, the number of elements above which the middle is left out, how many stay at each
    edge, the width of lines, and whether numbers have exponents.  `profile` is "default", "short"
    or "full".
    """
    if profile is not None:
        _options.update(_DEFAULT)
        if profile == "short":
            _options.update(precision=2, threshold=1000, edgeitems=2)
        elif profile == "full":
            _options.update(threshold=2**62)
        elif profile != "default":
            raise ValueError(f"profile is 'default', 'short' or 'full', not {profile!r}")
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
    """`tensor([[1., 2.]], names=('N', 'C'))`: elements, then what is not usual, names last."""
    prefix = "tensor("
    rest = []
    if isinstance(tensor._array, np.ndarray):
        array = tensor._array
        body = _elements(array, len(prefix))
        if not array.size and array.ndim != 1:
            rest.append(f"size={tuple(array.shape)}")
    else:
        body = "..."
        rest.append(f"device='{tensor.device}'")
        rest.append(f"size={tuple(tensor.shape)}")
    dtype = tensor.dtype
    usual = (dtypes.get_default_dtype(), dtypes.int64, dtypes.bool_)
    if dtype not in usual or not tensor.shape.numel():
        if dtype is not dtypes.get_default_dtype():
            rest.append(f"dtype={dtype!r}")
    if tensor.requires_grad:
        rest.append("requires_grad=True")
    if any(name is not None for name in tensor.names):
        rest.append(f"names={tensor.names!r}")
    text = ", ".join([body, *rest])
    last = body.rpartition("\n")[2]
    if rest and len(prefix) + len(last) + 2 + len(", ".join(rest)) > _options["linewidth"]:
        text = f"{body},\n{' ' * len(prefix)}{', '.join(rest)}"
    return f"{prefix}{text})"


def _elements(array: np.ndarray[Any, Any], indent: int) -> str:
    if not array.size:
        return "[]"
    return np.array2string(
        array,
        max_line_width=_options["linewidth"],
        precision=_options["precision"],
        separator=", ",
        prefix=" " * indent,
        threshold=_options["threshold"],
        edgeitems=_options["edgeitems"],
        formatter=_formatter(array),  # type: ignore[arg-type]
    )


def _formatter(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    """One width for all elements that are shown, as PyTorch chooses it."""
    kind = array.dtype.kind
    edge = _options["edgeitems"]
    if array.size > _options["threshold"]:
        for axis in range(array.ndim):
            if array.shape[axis] > 2 * edge:
                ends = [*range(edge), *range(-edge, 0)]
                array = np.take(array, ends, axis=axis)
    if kind == "b":
        width = max(len(str(bool(one))) for one in array.flat)
        return {"bool": lambda value: str(bool(value)).rjust(width)}
    if kind in "iu":
        width = max(len(str(int(one))) for one in array.flat)
        return {"int": lambda value: str(int(value)).rjust(width)}
    if kind == "c":
        real, imaginary = _number(array.real), _number(array.imag)

        def show(value: complex) -> str:
            sign = "-" if np.signbit(value.imag) else "+"
            return f"{real(value.real)}{sign}{imaginary(abs(value.imag)).strip()}j"

        return {"complexfloat": show}
    return {"float": _number(array)}


def _number(array: np.ndarray[Any, Any]) -> Any:
    """How floats are written: whole ones with a dot, those of a large range with exponents."""
    digits = _options["precision"]
    finite = np.abs(array[np.isfinite(array) & (array != 0)].astype(np.float64))
    scientific = _options["sci_mode"]
    whole = bool(np.all(finite == np.ceil(finite)))
    if finite.size:
        least, most = float(finite.min()), float(finite.max())
        wide = most / least > 1000.0 or most > 1e8
        if scientific is None:
            scientific = wide if whole else wide or least < 1e-4
            scientific = scientific and (not whole or most > 1e8 or most / least > 1000.0)
    if scientific and finite.size:

        def write(value: float) -> str:
            return f"{value:.{digits}e}" if np.isfinite(value) else str(float(value))
    elif whole:

        def write(value: float) -> str:
            return f"{value:.0f}." if np.isfinite(value) else str(float(value))
    else:

        def write(value: float) -> str:
            return f"{value:.{digits}f}" if np.isfinite(value) else str(float(value))

    width = max((len(write(float(one))) for one in array.flat), default=0)
    return lambda value: write(float(value)).rjust(width)


def table_of(tensor: Tensor) -> str:
    """The dims as labelled axes over a small table of elements, as HTML for notebooks."""
    shape = " × ".join(
        f"<b>{html.escape(name)}</b>={size}" if name else str(size)
        for name, size in zip(tensor.names, tensor.shape, strict=True)
    )
    head = f"<div>Tensor [{shape}] {tensor.dtype.name}, {tensor.device}</div>"
    if not isinstance(tensor._array, np.ndarray) or not tensor._array.size:
        return head
    array = tensor._array
    leading = array.ndim - 2
    while array.ndim > 2:
        array = array[0]
    array = np.atleast_2d(array)
    rows, columns = array.shape
    names = (None, None, *tensor.names)[-2:]
    format_one = next(iter(_formatter(array[:10, :10]).values()))
    cells = []
    corner = html.escape(f"{names[0] or ''} \\ {names[1] or ''}".strip(" \\")) if any(names) else ""
    top = "".join(f"<th>{j}</th>" for j in range(min(columns, 10)))
    more = "<th>…</th>" if columns > 10 else ""
    cells.append(f"<tr><th>{corner}</th>{top}{more}</tr>")
    for i in range(min(rows, 10)):
        line = "".join(
            f"<td>{html.escape(format_one(value).strip())}</td>" for value in array[i, :10]
        )
        cells.append(f"<tr><th>{i}</th>{line}{'<td>…</td>' if columns > 10 else ''}</tr>")
    if rows > 10:
        cells.append(f"<tr><th>…</th><td colspan={min(columns, 10) + 1}></td></tr>")
    note = ""
    if leading > 0:
        first = ", ".join(f"{name or k}=0" for k, name in enumerate(tensor.names[:leading]))
        note = f"<div>at {html.escape(first)}</div>"
    return f"{head}{note}<table>{''.join(cells)}</table>"
