"""Dtypes, devices, layouts and memory formats: the values that describe a tensor's elements.

Each is an interned value, compared by identity.  How dtypes combine is in `promotion`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, ClassVar, Final, Literal, NoReturn, TypeAlias

import numpy as np

from namecheck_runtime.light.memory_orders import channels_last as channels_last
from namecheck_runtime.light.memory_orders import channels_last_3d as channels_last_3d
from namecheck_runtime.light.memory_orders import contiguous_format as contiguous_format
from namecheck_runtime.light.memory_orders import memory_format as memory_format
from namecheck_runtime.light.memory_orders import preserve_format as preserve_format
from namecheck_runtime.tensors.values.default_device import DEFAULT
from namecheck_runtime.tensors.values.plan_caches import forget

Kind: TypeAlias = Literal["bool", "int", "float", "complex"]


class dtype:  # the public name is PyTorch's
    """The type of a tensor's elements: `float32`, `int64`, `bool`, ..., or one of a third party.

    Third parties make them with `register_dtype`.
    """

    __slots__ = (
        *("_load", "computes_in", "has_kernels", "itemsize", "kind", "limits", "name", "numpy"),
        *("promotes", "text", "unsigned"),
    )

    _BY_NUMPY: ClassVar[dict[Any, dtype]] = {}
    kind: Kind
    numpy: np.dtype[Any]
    """The NumPy dtype of the same elements.  Some are loaded when they are first asked for."""
    _load: Callable[[], np.dtype[Any]]
    """What loads it."""

    def __init__(self, name: str, kind: Kind) -> None:
        self.name: str = name
        self.numpy = np.dtype(name)
        self.kind = kind
        self.itemsize: int = self.numpy.itemsize
        """Bytes per element."""
        self.unsigned: bool = self.numpy.kind == "u"
        self.computes_in: dtype | None = None
        """The dtype in which kernels compute with such elements; None: in their own."""
        self.has_kernels: bool = True
        """Whether the kernels of this package compute with such elements."""
        self.promotes: Mapping[dtype, dtype] | None = None
        """How it combines with other dtypes; None: by the order of PyTorch's lattice."""
        self.limits: Callable[[Any], Any] | None = np.finfo
        """The function that gives the bounds of a NumPy dtype, if there is one."""
        if kind in ("bool", "int"):
            self.limits = np.iinfo
        self.text: Callable[[Any], str] | None = None
        """What one element looks like in print; None: as numbers do."""
        self._BY_NUMPY[self.numpy] = self

    def __getattr__(self, name: str) -> Any:
        """NumPy's dtype, loaded now.  Raises ImportError if what has it is not installed."""
        if name != "numpy":
            raise AttributeError(name)
        self.numpy = loaded = self._load()
        self._BY_NUMPY[loaded] = self
        return loaded

    @property
    def is_floating_point(self) -> bool:
        """Whether its values are real numbers of floating point."""
        return self.kind == "float"

    @property
    def is_complex(self) -> bool:
        """Whether its values are complex numbers."""
        return self.kind == "complex"

    @property
    def is_signed(self) -> bool:
        """Whether it has negative values."""
        return self.kind != "bool" and not self.unsigned

    @property
    def computing(self) -> dtype:
        """The dtype in which kernels compute with such elements."""
        return self.computes_in or self

    def __repr__(self) -> str:
        # The surface is PyTorch's, and so are its texts.
        return f"torch.{self.name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return named_dtype, (self.name,)


# In the order of PyTorch's promotion lattice within a kind.
bool_: Final = dtype("bool", "bool")
uint8: Final = dtype("uint8", "int")
int8: Final = dtype("int8", "int")
int16: Final = dtype("int16", "int")
int32: Final = dtype("int32", "int")
int64: Final = dtype("int64", "int")
float16: Final = dtype("float16", "float")
float32: Final = dtype("float32", "float")
float64: Final = dtype("float64", "float")
complex64: Final = dtype("complex64", "complex")
complex128: Final = dtype("complex128", "complex")

DTYPES: Final[dict[str, dtype]] = {
    "bool": bool_,
    "uint8": uint8,
    "int8": int8,
    "int16": int16,
    "short": int16,
    "int32": int32,
    "int": int32,
    "int64": int64,
    "long": int64,
    "float16": float16,
    "half": float16,
    "float32": float32,
    "float": float32,
    "float64": float64,
    "double": float64,
    "complex64": complex64,
    "cfloat": complex64,
    "complex128": complex128,
    "cdouble": complex128,
}
"""Every dtype by each of its names in PyTorch."""


def named_dtype(name: str) -> dtype:
    """The dtype of a name."""
    return DTYPES[name]


def as_dtype(value: object) -> dtype:
    """The dtype for a `dtype`, a Python type or a value that NumPy takes for one.

    Raises TypeError for a dtype that tensors cannot have.
    """
    if isinstance(value, dtype):
        return value
    python = _BY_TYPE.get(value) if isinstance(value, type) else None
    if python is not None:
        return python
    try:
        of: np.dtype[Any] = np.dtype(value)  # type: ignore[call-overload]
    except TypeError:
        of = np.dtype(object)
    known = dtype._BY_NUMPY.get(of) or _loaded(of)
    if known is None:
        names = ", ".join(dict.fromkeys(known.name for known in DTYPES.values()))
        raise TypeError(f"can't make a tensor of {value!r}: the dtypes are {names}")
    return known


def _loaded(of: np.dtype[Any]) -> dtype | None:
    """The registered dtype of a NumPy dtype of its name, which exists before ours has loaded it."""
    known = DTYPES.get(of.name)
    return known if known is not None and known.numpy == of else None


_BY_TYPE: Final[dict[type, dtype]] = {bool: bool_, int: int64, float: float32, complex: complex64}

_default = [float32]


def get_default_dtype() -> dtype:
    """The dtype of Python floats that become tensors: float32 unless it was set."""
    return _default[0]


def set_default_dtype(d: Any) -> None:
    """Set the dtype of Python floats.  Raises TypeError for a value that is not a float dtype."""
    if not isinstance(d, dtype) or d.kind != "float":
        raise TypeError(f"only floating-point types are supported as the default type, got {d!r}")
    _default[0] = d
    forget()


def dtype_of_number(value: object) -> dtype | None:
    """The dtype of a tensor of a Python number; None for a value that is not a number."""
    if isinstance(value, (bool, np.bool_)):
        return bool_
    if isinstance(value, (int, np.integer)):
        return int64
    if isinstance(value, (float, np.floating)):
        return get_default_dtype()
    if isinstance(value, (complex, np.complexfloating)):
        return complex128 if get_default_dtype() is float64 else complex64
    return None


class layout:  # the public name is PyTorch's
    """How a tensor's elements are held: `strided`, or a layout that a third party registers."""

    __slots__ = ("name",)
    name: str
    _KNOWN: ClassVar[dict[str, layout]] = {}

    def __new__(cls, name: str) -> layout:
        instance = cls._KNOWN.get(name)
        if instance is None:
            instance = cls._KNOWN[name] = object.__new__(cls)
            instance.name = name
        return instance

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return layout, (self.name,)


strided: Final = layout("strided")


class device:  # the public name is PyTorch's
    """Where a tensor's elements are: `cpu`, `meta` (nowhere), or a device of a third party.

    One that only PyTorch has, as `cuda`, can be named: no tensor can be there.  Raises RuntimeError
    for a device that neither is registered nor PyTorch has.
    """

    __slots__ = ("index", "type")
    type: str
    index: int | None
    TYPES: ClassVar[list[str]] = ["cpu", "meta"]
    """The registered ones."""
    ELSEWHERE: ClassVar[frozenset[str]] = frozenset(
        (
            *("cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga"),
            *("maia", "xla", "lazy", "vulkan", "mps", "hpu", "mtia", "privateuseone"),
        )
    )
    """Those that only PyTorch has."""
    _KNOWN: ClassVar[dict[tuple[str, int | None], device]] = {}

    def __new__(cls, type: Any = "cpu", index: int | None = None) -> device:
        if isinstance(type, device):
            return type
        if isinstance(type, int):
            type, index = "cuda", type  # as in PyTorch, a number is that of a GPU
        kind, colon, number = type.partition(":")
        if colon:
            if not number.isdigit() or index is not None:
                raise RuntimeError(f"Invalid device string: '{type}'")
            index = int(number)
        if kind not in cls.TYPES and kind not in cls.ELSEWHERE:
            raise RuntimeError(
                f"no device of type '{kind}' is registered here, only {', '.join(cls.TYPES)}"
            )
        instance = cls._KNOWN.get((kind, index))
        if instance is None:
            instance = cls._KNOWN[kind, index] = object.__new__(cls)
            instance.type, instance.index = kind, index
        return instance

    def require_here(self) -> None:
        """Raise RuntimeError for a device where no tensor can be."""
        if self.type not in self.TYPES:
            raise RuntimeError(
                f"namecheck_runtime has no device '{self}': its tensors are on the CPU, on 'meta' "
                "or on a registered device; ask torch.cuda.is_available(), which is False"
            )

    def __enter__(self) -> device:
        """Make new tensors here in the block, if a call does not say where."""
        DEFAULT.enter(self)
        return self

    def __exit__(self, *failure: object) -> None:
        DEFAULT.leave()

    def __repr__(self) -> str:
        number = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{number})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __reduce__(self) -> tuple[Any, ...]:
        return device, (self.type, self.index)


CPU: Final = device("cpu")
META: Final = device("meta")
_Device: Final = device


def set_default_device(device: Any) -> None:
    """Make new tensors on a device from now on, in this thread; None takes the CPU again.

    Raises RuntimeError for a device that is not known.  Source: torch.set_default_device.
    """
    DEFAULT.replace(None if device is None else _Device(device))


def get_default_device() -> device:
    """Where new tensors are made.  Source: torch.get_default_device."""
    return DEFAULT.device or CPU


def set_default_tensor_type(t: Any) -> NoReturn:
    """Refused: it would set two things in one.  Source: torch.set_default_tensor_type.

    Raises RuntimeError, which names the two functions that set them.
    """
    raise RuntimeError(
        f"set_default_tensor_type({t!r}) sets a dtype and a device in one, and is deprecated in "
        "PyTorch: call set_default_dtype(torch.float64), and set_default_device(..) for the device"
    )


SPOKEN: Final = {
    "bool": "Bool",
    "uint8": "Byte",
    "int8": "Char",
    "int16": "Short",
    "int32": "Int",
    "int64": "Long",
    "float16": "Half",
    "float32": "Float",
    "float64": "Double",
    "complex64": "ComplexFloat",
    "complex128": "ComplexDouble",
}
"""PyTorch's names for dtypes in most messages."""

SPELLED_IN_C: Final = {
    "bool": "bool",
    "uint8": "unsigned char",
    "int8": "signed char",
    "int16": "short int",
    "int32": "int",
    "int64": "long int",
    "float16": "c10::Half",
    "float32": "float",
    "float64": "double",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
}
"""PyTorch's names for dtypes in messages about elements in memory."""


def require_held(number: Any, of: dtype) -> None:
    """Raise RuntimeError for a number that a dtype cannot hold.

    One below 0 may count from the end of an unsigned dtype.
    """
    lost = isinstance(number, complex) and number.imag and of.kind != "complex"
    if of.kind == "int" and isinstance(number, (int, float)) and of.limits is not None:
        lost = not abs(number) <= int(of.limits(of.numpy).max) + (number < 0)
    if lost:
        raise RuntimeError(
            f"value cannot be converted to type {_IN_C.get(of.name, of.name)} without overflow"
        )


_IN_C: Final = {
    "float16": "at::Half",
    "bfloat16": "c10::BFloat16",
    "float32": "float",
    "float64": "double",
    "bool": "bool",
    **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}
"""PyTorch's names for dtypes in messages about numbers."""


def numpys(kinds: str) -> frozenset[np.dtype[Any]]:
    """NumPy's own dtypes of some of its kinds ("biufc").

    To ask for the kind is not enough: some dtypes of third parties say that they are floats.
    """
    own = map(np.dtype, np.typecodes["AllInteger"] + np.typecodes["AllFloat"] + "?")
    return frozenset(of for of in own if of.kind in kinds)


_NUMPYS: Final = numpys("biufc")


def is_of_third_party(of: np.dtype[Any]) -> bool:
    """Whether NumPy has no numbers of its own like those of a dtype."""
    return of not in _NUMPYS


def computable(elements: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Elements in the dtype in which kernels compute with them."""
    if elements.dtype in _NUMPYS:
        return elements
    computes_in = dtype._BY_NUMPY[elements.dtype].computes_in
    return elements if computes_in is None else elements.astype(computes_in.numpy)


# -- dtypes of third parties, and those that come in as theirs do ----------------------------------


def register_dtype(
    name: str,
    kind: Kind,
    numpy: np.dtype[Any] | Callable[[], np.dtype[Any]],
    *,
    itemsize: int | None = None,
    unsigned: bool = False,
    computes_in: dtype | None = None,
    promotes: Mapping[dtype, dtype | None] | None = None,
    limits: Callable[[Any], Any] | None = None,
    text: Callable[[Any], str] | None = None,
    spoken: str | None = None,
) -> dtype:
    """A new dtype, which is `nt.NAME` from now on.  Call it once, when your package is imported.

    `numpy` is the NumPy dtype of the elements in memory, to and from which NumPy converts its own
    numbers: one of `ml_dtypes`, say.  In its place may stand a function that loads it when it is
    first needed; then `itemsize`, the bytes of an element, has to be said.  `kind` is "bool",
    "int", "float" or "complex", and `unsigned` whether no value is below 0.

    `computes_in` is the dtype in which kernels compute: they convert operands to it, accumulate
    there, and round the result once.  Without it the CPU moves elements (parts, joins, copies,
    conversions), and computes by the kernels that you register alone,
    `nt.backends.backend_of("cpu").kernels["torch.add", dtype] = Kernel(...)`.

    `promotes` gives, for each dtype that it combines with, that of the result; None stands for the
    new one.  A pair that neither dtype names is refused.  `limits` gives the bounds of a NumPy
    dtype, as `ml_dtypes.finfo` does, `text` the text of one element in print, and `spoken` the name
    in error messages and of PyTorch's storages ("BFloat16").

    Raises ValueError for a name or a NumPy dtype that is taken, for a function without `itemsize`,
    and for numbers of NumPy's own that are of another kind.
    """
    _require_new(name, kind, numpy, itemsize)
    new = _new_dtype(dtype)
    new.name, new.kind, new.limits = name, kind, limits
    new.computes_in, new.text = computes_in, text
    new.promotes = {other: result or new for other, result in (promotes or {}).items()}
    if isinstance(numpy, np.dtype):
        own = numpy in _NUMPYS
        new.numpy, new.itemsize = numpy, numpy.itemsize
        new.unsigned = unsigned or numpy.kind == "u"
        new.has_kernels = computes_in is not None or own
        if limits is None and own:
            new.limits = np.iinfo if kind == "int" else np.finfo
        dtype._BY_NUMPY[numpy] = new
    else:
        assert itemsize is not None
        new._load, new.itemsize, new.unsigned = numpy, itemsize, unsigned
        new.has_kernels = computes_in is not None
    SPOKEN[name] = SPELLED_IN_C[name] = spoken or name.capitalize()
    DTYPES[name] = new
    forget()
    return new


def _require_new(name: str, kind: Kind, numpy: Any, itemsize: int | None) -> None:
    """Raise ValueError for what `register_dtype` does not take."""
    if name in DTYPES or not name.isidentifier():
        raise ValueError(f"register_dtype(): {name!r} is taken, or cannot be a name")
    if not isinstance(numpy, np.dtype):
        if itemsize is None:
            raise ValueError(
                f"register_dtype(): say the itemsize of {name!r}, which is loaded later"
            )
    elif numpy in dtype._BY_NUMPY:
        raise ValueError(
            f"register_dtype(): NumPy's {numpy} has the elements of {dtype._BY_NUMPY[numpy]}"
        )
    elif numpy in _NUMPYS and numpy.kind not in _KINDS[kind]:
        raise ValueError(f"register_dtype(): NumPy's {numpy} has no elements of kind {kind!r}")


_new_dtype: Final = object.__new__
_KINDS: Final = {"bool": "b", "int": "iu", "float": "f", "complex": "c"}
"""NumPy's codes of kinds."""


def _of_ml_dtypes(name: str) -> Callable[[], np.dtype[Any]]:
    def load() -> np.dtype[Any]:
        try:
            library: Any = import_module("ml_dtypes")
        except ImportError:
            raise ImportError(
                f"elements of {name} are those of the library ml_dtypes, which is not installed: "
                "pip install 'namecheck-tensors[bfloat16]'"
            ) from None
        of: np.dtype[Any] = np.dtype(getattr(library, name))
        return of

    return load


def _limits_of_ml_dtypes(of: Any) -> Any:
    return import_module("ml_dtypes").finfo(of)


_INTS: Final = (bool_, uint8, int8, int16, int32, int64)

bfloat16: Final = register_dtype(
    "bfloat16",
    "float",
    _of_ml_dtypes("bfloat16"),
    itemsize=2,
    computes_in=float32,
    limits=_limits_of_ml_dtypes,
    spoken="BFloat16",
    promotes={
        **dict.fromkeys(_INTS),
        float16: float32,
        **{other: other for other in (float32, float64, complex64, complex128)},
    },
)
# As in PyTorch they combine with nothing.  Elements can be held, moved and converted.
for _name in ("e4m3fn", "e5m2", "e4m3fnuz", "e5m2fnuz", "e8m0fnu"):
    register_dtype(
        f"float8_{_name}",
        "float",
        _of_ml_dtypes(f"float8_{_name}"),
        itemsize=1,
        unsigned=_name == "e8m0fnu",
        limits=_limits_of_ml_dtypes,
    )
# They combine with floats alone.  PyTorch has few ops for them; here they have those of all ints.
uint16, uint32, uint64 = (
    register_dtype(
        f"uint{bits}",
        "int",
        np.dtype(f"uint{bits}"),
        spoken=f"UInt{bits}",
        promotes={other: other for other in (float16, bfloat16, float32, float64)},
    )
    for bits in (16, 32, 64)
)
SPELLED_IN_C.update(
    bfloat16="c10::BFloat16",
    uint16="short unsigned int",
    uint32="unsigned int",
    uint64="long unsigned int",
)

OWN: Final = tuple(DTYPES)
"""The names of the dtypes that are always here."""
