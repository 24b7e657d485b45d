"""`isinstance(value, cls)`: which classes a value is an instance of, as far as that is known."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from namecheck import frameworks
from namecheck.analysis.objects.own_objects import LIMIT
from namecheck.analysis.reading import ir
from namecheck.analysis.state import lineage
from namecheck.analysis.state.values import (
    NONE,
    Class,
    Constant,
    Container,
    Dict,
    Function,
    Instance,
    Layer,
    Library,
    List,
    Repeated,
    Set,
    ShapeOf,
    SliceObject,
    Tensor,
    Tuple,
    Value,
    is_text,
    kind_of_number,
    same_class,
)
from namecheck.frameworks import numpy, python, torch
from namecheck_runtime.lattice import known_dims
from namecheck_runtime.layers import LAYERS

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


_PLAIN: Final = {"int", "float", "bool", "str", "tuple", "list", "dict"}


def _is_callable(value: Value) -> bool:
    """Whether a value is a function, a class or a layer, which is of no class for plain data."""
    return lineage.is_code(value) or isinstance(value, (Function, Class, Layer, Container))


_SETS: Final = ("set", "frozenset")
_OTHER: Final = {"slice", "set", "frozenset", "bytes", "range"}


def _is_of_library(value: Instance, path: str) -> bool | None:
    """Whether an object of a class of the project is of a builtin class, if its bases say so."""
    bases = lineage.library_bases(value.cls)
    name = path.removeprefix(python.BUILTIN)
    if path in bases:
        return True
    if name not in _PLAIN | _OTHER or not bases <= frameworks.HARMLESS | python.TABLES:
        return None
    return name == "dict" and not bases.isdisjoint(python.TABLES)


def is_instance(ev: Evaluator, value: Value, cls: Value) -> bool | None:
    """Whether a value is an instance of a class, or of one of several; None if not known."""
    if isinstance(cls, Tuple):
        answers = [is_instance(ev, value, ev.resolve(one)) for one in cls.elements]
        if True in answers:
            return True
        return None if None in answers else False
    kind = kind_of(value)
    if cls is NONE and kind:
        return kind == "None"
    if isinstance(value, SliceObject) and isinstance(cls, Library):
        return cls.path == f"{python.BUILTIN}slice"
    if isinstance(cls, Library) and cls.path == python.TYPE and (kind or _is_callable(value)):
        is_class = isinstance(value, Class)
        return is_class or (isinstance(value, Library) and value.path in LAYERS)
    if isinstance(cls, Library) and _is_callable(value):
        if cls.path.removeprefix(python.BUILTIN) in _PLAIN | _OTHER:
            return False
        if not isinstance(value, (Layer, Container)):
            # A class of modules is no module.
            is_other = _is_of_modules(cls) or cls.path in frameworks.TENSOR_TYPES
            return False if is_other else None
    if not kind:
        if isinstance(value, Instance) and isinstance(cls, Library) and ev.reach.driven:
            answer = _is_of_library(value, cls.path)
            if answer is None:
                answer = _is_other_module(value, cls.path)
            if answer is not None:
                return answer
        return _is_object_of(value, cls)
    if isinstance(value, Tensor) and value.library and ev.reach.driven and _has_no_arrays(cls):
        return False
    if isinstance(cls, Class) and kind != "tensor":
        # An enumeration, or a subclass of `int`, may have values that look like plain ones.
        bases = lineage.library_bases(cls)
        return False if bases <= frameworks.HARMLESS else None
    if isinstance(cls, Library):
        path = cls.path.removeprefix(python.BUILTIN)
        if path in python.ABSTRACT:
            unsure = isinstance(value, Tensor) and _may_be_plain(value, "float")
            return None if unsure else kind in python.ABSTRACT[path]
        if isinstance(value, List) and (value, LIMIT) in ev.cells:
            return None  # a deque
        if path in _PLAIN:
            if isinstance(value, Tensor) and _may_be_plain(value, path):
                return None
            return kind == path or (kind == "bool" and path == "int")
        if path in _OTHER and kind != "tensor":
            return None if kind == "set" and path in _SETS else False
        if cls.path in frameworks.TENSOR_TYPES:
            if kind != "tensor":
                return False
            return None if not isinstance(value, Tensor) else _same_library(value, cls.path)
        if kind != "tensor" and _has_no_plain(cls, kind):
            return False
    return None


def _is_other_module(value: Instance, path: str) -> bool | None:
    """False for a subclass of a library's modules that are none of its class `path`.

    None if it may be one: the library derives some of its layers from others.
    """
    bases = lineage.library_bases(value.cls) - frameworks.HARMLESS
    if not bases or not (path in LAYERS or path in frameworks.CONTAINERS):
        return None
    for base in bases:
        is_row = base in frameworks.CONTAINERS
        if base == path or not (is_row or base in LAYERS):
            return None
        if not is_row and path in LAYERS and _is_layer_path_of(base, path) is not False:
            return None
    return False


def _has_no_plain(cls: Library, kind: str) -> bool:
    """Whether no value of a plain class of Python, `str` or `list`, is of a library's class.

    The abstract classes of Python's own library have plain values.
    """
    if _is_of_modules(cls):
        return True
    library, _, name = cls.path.partition(".")
    is_foreign = bool(library and name) and library not in sys.stdlib_module_names
    return is_foreign and kind in ("str", "None")


def _is_of_modules(cls: Library) -> bool:
    """Whether the objects of a library's class are modules."""
    path = cls.path
    return path in frameworks.MODULES or path in LAYERS or path in frameworks.CONTAINERS


def is_subclass(ev: Evaluator, cls: Value, base: Value) -> bool | None:
    """Whether a class derives from another, or from one of several; None if not known."""
    if isinstance(base, Tuple):
        answers = [is_subclass(ev, cls, ev.resolve(one)) for one in base.elements]
        if True in answers:
            return True
        return None if None in answers else False
    if isinstance(cls, Class):
        return _is_object_of(Instance(cls), base)
    if isinstance(cls, Library) and cls.path in LAYERS and isinstance(base, Library):
        derives = base.path in frameworks.MODULES or base.path == cls.path
        return True if derives and cls.path.startswith(torch.PACKAGE) else None
    return None


def _has_no_arrays(cls: Value) -> bool:
    """Whether the objects of a class are no tensors of any library."""
    if isinstance(cls, Library):
        return cls.path in frameworks.MODULES or cls.path in LAYERS
    if not isinstance(cls, Class):
        return False
    if not all(isinstance(one, (Class, Library)) for one in cls.lineage):
        return False  # a base is unknown
    bases = lineage.library_bases(cls)
    return bases <= frameworks.HARMLESS


def _is_object_of(value: Value, cls: Value) -> bool | None:
    """Whether an object of the project or a layer is of a class; None if that is not known."""
    if isinstance(value, Repeated) and isinstance(cls, Library):
        path = cls.path.removeprefix(python.BUILTIN)
        if path in python.ABSTRACT:
            return True if "list" in python.ABSTRACT[path] and path.endswith("Iterable") else None
        return False if path in _PLAIN - {"tuple", "list", "dict"} else None
    if isinstance(value, (Layer, Container)):
        if isinstance(cls, Class):
            return False  # a layer of a library
        return _is_layer_of(value, cls)
    if not isinstance(value, Instance):
        return None
    if isinstance(cls, Class) and any(same_class(cls, one) for one in value.cls.lineage):
        return True
    if isinstance(cls, Class) and python.PROTOCOL in lineage.library_bases(cls):
        return _has_methods_of(value.cls, cls)
    bases = lineage.library_bases(value.cls)
    if isinstance(cls, Library) and cls.path in bases:
        return True
    if isinstance(cls, Library) and cls.path in frameworks.MODULES and lineage.is_module(value.cls):
        return True
    plain = bases <= frameworks.HARMLESS
    if plain and isinstance(cls, Library):
        return False if cls.path in LAYERS or cls.path in frameworks.CONTAINERS else None
    if plain and isinstance(cls, Class):
        return False
    return None


def _has_methods_of(cls: Class, protocol: Class) -> bool | None:
    """Whether a class has all methods of a protocol; None if one may be an attribute."""
    names = [
        statement.name
        for one in protocol.lineage
        if isinstance(one, Class)
        for statement in one.record.body
        if isinstance(statement, ir.FunctionDef)
    ]
    found = all(isinstance(lineage.look_up(cls.lineage, name), Function) for name in names)
    return True if names and found else None


def _is_layer_of(value: Layer | Container, cls: Value) -> bool | None:
    """Whether a layer of a library, or a container of layers, is of one of its classes."""
    if not isinstance(cls, Library):
        return None
    if cls.path in frameworks.MODULES:
        return True
    if isinstance(value, Container):
        kind = frameworks.CONTAINERS.get(cls.path)
        if kind is not None:
            return kind == value.kind
        return False if cls.path in LAYERS else None
    if cls.path == value.path:
        return True
    word = torch.FAMILIES.get(cls.path)
    if word is not None:
        return word in value.path.rpartition(".")[2]
    if cls.path in frameworks.CONTAINERS:
        return False if value.path.startswith(torch.LAYERS) else None
    if cls.path not in LAYERS:
        return None
    return _is_layer_path_of(value.path, cls.path)


def _is_layer_path_of(own: str, path: str) -> bool | None:
    """Whether a library's class of layers is another of its classes, or derived from it."""
    if path.startswith(torch.LAYERS) and own.startswith(torch.LAYERS):
        name, base = (one.rpartition(".")[2] for one in (own, path))
        return base in (name, torch.DERIVED.get(name))
    return None if any(word in path for word in torch.BASES_OF_LAYERS) else False


def _may_be_plain(tensor: Tensor, path: str) -> bool:
    """Whether a value that is taken for a tensor may be an instance of a plain class of Python.

    An item of a NumPy array is a scalar of its dtype. That of float64 is a float and that of text a
    str, but that of int64 is no int. An item of an array of objects may be anything.
    """
    if tensor.library not in ("", numpy.TENSOR) or known_dims(tensor.shape):
        return False
    return tensor.kind == "unknown" or tensor.kind in numpy.SCALARS_OF.get(path, ())


def _same_library(tensor: Tensor, path: str) -> bool | None:
    if not tensor.library or path not in frameworks.OWN_TYPES:
        return None
    if tensor.library == numpy.TENSOR and tensor.shape == ():
        # It may be a scalar, which is no array.
        return None if path == numpy.TENSOR_TYPE else False
    return tensor.library == frameworks.OWN_TYPES[path]


def kind_of(value: Value) -> str:
    """The name of a value's plain class; "" if it is not known."""
    number = kind_of_number(value)
    if number and number != "number":
        return number
    if is_text(value):
        return "str"
    match value:
        case Tensor():
            return "tensor"
        case Tuple() | ShapeOf():
            return "tuple"
        case Set():
            return "set"
        case List():
            return "list"
        case Dict():
            return "dict"
        case Constant(value=None):
            return "None"
    return ""
