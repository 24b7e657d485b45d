"""Writing to tensors that exist: in place, as `out=`, and to parts by assignment.

The rule has checked names and sizes before.  Here, before the first byte is written, it is checked
that the elements do not lie over each other or over what is read, and that they can hold the dtype
of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from namecheck_runtime import strides
from namecheck_runtime.declare import REGISTRY, Memory, Unbindable
from namecheck_runtime.errors import error_of
from namecheck_runtime.infer import infer
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.tensors.backends import moved, require_one_device
from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.calls.operands import (
    dims_of,
    for_rules,
    for_rules_in_brackets,
    is_dims,
    names_of,
    tensors_in,
)
from namecheck_runtime.tensors.calls.overrides import OVERRIDING, overridden, takers_in
from namecheck_runtime.tensors.calls.plans import key_of
from namecheck_runtime.tensors.calls.subscripts import read_entries, read_subscript
from namecheck_runtime.tensors.computing import in_place
from namecheck_runtime.tensors.computing.computation import Computation, Form
from namecheck_runtime.tensors.computing.writing import (
    bump,
    require_apart,
    require_castable,
    require_writable,
    resize,
    write,
    write_changed,
)
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import SPELLED_IN_C, require_held
from namecheck_runtime.tensors.values.name_tuples import Names, unnamed
from namecheck_runtime.tensors.values.storage import Storage, geometry_of
from namecheck_runtime.tensors.views.view_ops import shown

_SET_ITEM: Final = "operator.setitem"


class Writing:
    """How an op writes to its first operand.

    It is the same for all calls whose operands have the same dims, strides and dtypes.  `alike` is
    that of a call of the same kind, whose way to compute serves this one, too.

    Raises RuntimeError if the elements that are written share memory, or cannot hold the result.
    """

    __slots__ = (
        "_at_once",
        "_computation",
        "_forms",
        "_holds",
        "_names",
        "_overlaps",
        "_own",
        "_shared",
    )

    def __init__(self, called: Call, target: Tensor, alike: Writing | None = None) -> None:
        self._own = in_place.IN_PLACE.get(called.op.name) or in_place.across_devices(called)
        self._names = names_of(called.dims) if is_dims(called.dims) else target._names
        asked = called.op.inplace
        self._shared = asked is not None and asked.shared
        self._holds = asked is not None and asked.holds
        self._overlaps = self._at_once = False
        self._computation: Computation | None = None
        if self._own is None and not called.op.reshapes:
            if target._array.__class__ is not np.ndarray or not target._array.flags.c_contiguous:
                try:
                    require_writable(called, target)
                except RuntimeError:
                    if not self._shared:
                        raise
                    self._overlaps = True
            # In place the result has the sizes of the target.
            written = called._replace(dims=dims_of(target))
            computation = None if alike is None else alike._computation
            if computation is None or not computation.serves(written):
                computation = Computation(written)
            self._computation = computation
            require_castable(computation.of, target.dtype)
            self._at_once = not self._overlaps and computation.writes_to(target)
            self._forms = None if self._at_once else computation.forms_of(written)

    def run(self, called: Call, target: Tensor) -> Tensor:
        """Write the result of a call; the target takes the names that the rule answered.

        Raises RuntimeError, before a byte is written, if the target lies over what is read.
        """
        computation = self._computation
        if self._own is not None:
            self._own(called, target)
        elif computation is None:
            _reshape(called, target)
        else:
            if not self._shared:
                require_apart(called, target, called.operands[1:])
            if called.numbers and self._holds:
                require_held(called.numbers[0], target.dtype)
            if self._at_once:
                computation.write(called, target)
                bump(target)
            elif self._overlaps:
                write_changed(target, computation.run(called, self._forms))
            else:
                write(target, computation.run(called, self._forms))
            target._names = self._names
        return target

    @property
    def at_once(self) -> tuple[Computation | None, Names]:
        """What computes straight to the target, and the names that it takes.

        None if more has to be done.
        """
        return (None if self._holds or not self._at_once else self._computation), self._names


def _reshape(called: Call, target: Tensor) -> None:
    """Change the dims of the tensor itself: it becomes the view that the op would return."""
    view = shown(called)
    target._own()
    target._show(view._array)
    target._names, target._rest = view._names, view._rest
    bump(target)


def write_out(called: Call, compute: Callable[[Call], Any], out: Any) -> Any:
    """Write the result of an op to `out`: one tensor, or one for each result.  Returns `out`.

    Raises TypeError for destinations of another number or type, RuntimeError for a dtype, a device
    or memory that the op does not write to.
    """
    targets: Any = tuple(out) if isinstance(out, (tuple, list)) else (out,)
    for target in targets:
        if not isinstance(target, Tensor):
            raise TypeError(f"argument 'out' must be Tensor, not {type(target).__name__}")
    several = isinstance(called.dims, tuple) and not is_dims(called.dims)
    # NumPy's functions pass one destination in a tuple.
    if len(targets) != (len(called.dims) if several else 1):
        expected = f"a tuple of {len(called.dims)} tensors" if several else "one tensor"
        raise TypeError(f"argument 'out' must be {expected}, not {type(out).__name__}")
    asked = called.op.out
    assert asked is not None
    for target in targets:
        if not asked.shared:
            require_writable(called, target)
            if not asked.overlaps:
                require_apart(called, target, called.operands)
    result = compute(called)
    results = result if isinstance(result, tuple) else (result,)
    all_dims = called.dims if isinstance(result, tuple) else (called.dims,)
    for target, part in zip(targets, results, strict=True):
        if several or called.op.kind == "int" or asked.exact:
            if part.dtype is not target.dtype:
                expected, actual = SPELLED_IN_C[part.dtype.name], SPELLED_IN_C[target.dtype.name]
                raise RuntimeError(
                    f"Expected out tensor to have dtype {expected}, but got {actual} instead"
                )
        require_castable(part.dtype, target.dtype)
        if part.layout is not target.layout:
            raise RuntimeError(
                f"Expected out tensor to have layout {part.layout}, but got {target.layout} instead"
            )
        if part.device is not target.device:
            raise RuntimeError(
                f"Expected out tensor to have device {part.device}, but got {target.device} instead"
            )
    for target, part, dims in zip(targets, results, all_dims, strict=True):
        if target.shape != part.shape:
            resize(target, tuple(part.shape))
        write(target, part)
        target._names = names_of(dims) if is_dims(dims) else part._names
    return out


def computed_to(called: Call, computation: Computation, form: Any, out: Any) -> bool:
    """Compute straight to `out`, if nothing can be refused; whether it was done.

    Nothing can for a tensor of the result's sizes and dtype, in row-major memory of its own.  An
    elementwise op may also write to an operand.
    """
    if out.__class__ is not Tensor or out._rest is not None or form.__class__ is not Form:
        return False
    array = out._array
    if array.shape != form.sizes or not array.flags.c_contiguous:
        return False
    if not computation.writes_to(out):
        return False
    for operand in called.operands:
        if operand is out:
            if called.op.memory is not Memory.POINTWISE:
                return False
        elif operand._storage is not None and operand._storage is out._storage:
            return False
    computation.write(called, out)
    bump(out)
    out._names = form.names
    return True


def set_item(target: Tensor, key: Any, value: Any) -> None:
    """`x[key] = value`: the value's names have to fit those of the part that is written.

    Raises what the rule says, IndexError for an index in a tensor that the dim does not have,
    RuntimeError for values that do not fit the elements picked, or that lie in the same memory.
    """
    if _assigned_at_once(target, key, value):
        return
    entries = read_entries(key)
    call_key = key_of((target, entries, value), {}, _NUMBER)
    if call_key is None and assigned_otherwise(target, key, value):
        return
    key = entries
    if call_key is None or call_key not in _fitting:
        _require_fitting(target, key, value)
        if call_key is not None:
            if len(_fitting) >= _FULL:
                _fitting.clear()
            _fitting.add(call_key)
    if isinstance(value, (int, float, complex)):
        require_held(value, target.dtype)
    if target._array is None:
        bump(target)
        return
    if call_key is None:  # a key is that of plain tensors on the CPU
        value = _value_for(target, key, value)
    elements = value._array if isinstance(value, Tensor) else np.asarray(value)
    subscript = read_subscript(_elements_of(key), target._array.shape)
    storage = target._own()
    part = target._array[subscript.view]
    if subscript.picked is None:
        _require_part_apart(part, storage, value)
        while elements.ndim > part.ndim:
            elements = elements[0]
        np.copyto(part, elements, casting="unsafe")
    else:
        sizes = part[subscript.picked].shape
        while elements.ndim > len(sizes) and elements.shape[0] == 1:
            elements = elements[0]
        _require_fit(elements.shape, sizes)
        part[subscript.picked] = elements.astype(part.dtype)
    bump(target)


def _value_for(target: Tensor, key: Any, value: Any) -> Any:
    """The value of an assignment, on the target's device.

    Raises RuntimeError for an index on another device, and NotImplementedError for a target whose
    device or layout shows no parts.
    """
    for index in tensors_in(key):
        require_one_device(target.device, index.device)
    if not isinstance(target._array, np.ndarray):
        raise NotImplementedError(
            f"x[key] = value has no kernel on device '{target.device}' and layout "
            f"{target.layout.name}: use copy_, which writes all elements"
        )
    if isinstance(value, Tensor) and value.device is not target.device:
        return moved(value, target.device, value.dtype)
    return value


def assigned_otherwise(target: Tensor, key: Any, value: Any) -> bool:
    """Leave an assignment to the class of an argument, if one takes part; whether one does.

    See `calls.overrides`.
    """
    if not OVERRIDING.enabled:
        return False
    takers = takers_in((target, key, value), {})
    if takers:
        overridden("Tensor.__setitem__", takers, (target, key, value), {})
    return bool(takers)


def _assigned_at_once(target: Tensor, key: Any, value: Any) -> bool:
    """Assign to places that numbers and ranges say, if the rule cannot refuse; whether it was done.

    It cannot for a number, nor for a tensor with the sizes of the part and no names, in memory in
    which no element lies over another.
    """
    array = target._array
    if target._rest is not None or not array.flags.c_contiguous:
        return False
    for entry in key if key.__class__ is tuple else (key,):
        if entry.__class__ is slice:
            bounds = (entry.start, entry.stop)
            if entry.step is not None or not all(b.__class__ in _BOUNDS for b in bounds):
                return False
        elif entry.__class__ is not int:
            return False
    kind = value.__class__
    if kind is Tensor:
        if value._rest is not None or value._names is not unnamed(len(value._names)):
            return False
        if value._storage is not None and value._storage is target._storage:
            return False
        value = value._array
        if value.dtype is not array.dtype:
            return False
    elif not (kind is float and array.dtype in _FLOATS) or not -_HELD < value < _HELD:
        return False
    try:
        part = array[key]
    except IndexError:
        return False
    if kind is Tensor and value.shape != part.shape:
        return False
    array[key] = value
    storage = target._storage
    if storage is None:
        storage = target._own()
    storage.version += 1  # type: ignore[union-attr]
    return True


_BOUNDS: Final = (int, type(None))
_FLOATS: Final = dtypes.numpys("f")
_HELD: Final = 60000.0
"""Numbers up to this are held by floats of any width."""
_fitting: set[tuple[Any, ...]] = set()
"""Assignments, by `plans.key_of`, that the rule has accepted."""
_FULL: Final = 1024
_NUMBER: Final = frozenset({2})
"""The place of the value; if it is a number, only its type counts."""


def _require_fitting(target: Tensor, key: Any, value: Any) -> None:
    """Raise what the rule says of an assignment, TypeError for a value of another kind."""
    if not isinstance(value, (Tensor, int, float, complex, np.ndarray, np.generic)):
        kind = f"torch.{dtypes.SPOKEN[target.dtype.name]}Tensor"
        raise TypeError(f"can't assign a {type(value).__name__} to a {kind}")
    spelling = REGISTRY[_SET_ITEM]
    try:
        infer(spelling, (dims_of(target), for_rules_in_brackets(key), for_rules(value)))
    except Mistake as mistake:
        raise error_of(mistake) from None
    except Unbindable as refusal:
        raise TypeError(str(refusal)) from None


def _require_part_apart(part: Any, storage: Storage | None, value: Any) -> None:
    """Raise RuntimeError for a part that shares memory.

    Its elements may not lie over each other, nor over the value without being the same.
    """
    geometry = geometry_of(part, storage)
    try:
        strides.require_writable(geometry)
        if isinstance(value, Tensor) and value._storage is storage and storage is not None:
            strides.require_apart(geometry, value._geometry())
    except Mistake as mistake:
        raise error_of(mistake.with_op(_SET_ITEM)) from None


def _require_fit(sizes: tuple[int, ...], picked: tuple[int, ...]) -> None:
    """Raise RuntimeError if elements of some sizes do not broadcast to those that are picked."""
    try:
        fits = np.broadcast_shapes(sizes, picked) == picked
    except ValueError:
        fits = False
    if not fits:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(sizes)} cannot be broadcast to indexing "
            f"result of shape {list(picked)}"
        )


def _elements_of(key: Any) -> Any:
    """A subscript with arrays in place of tensors."""
    if isinstance(key, tuple):
        return tuple(map(_elements_of, key))
    return key._array if isinstance(key, Tensor) else key
