"""Tensors of the project's own classes: a subclass of `torch.Tensor` or `np.ndarray`.

Such a class may define a method of the library anew: a `permute` that rolls values. An object of it
has the project's method then, and so has what slices, operators and functions make of it. A class
that only adds attributes leaves its objects plain tensors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from namecheck import frameworks
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.annotation_strings import read_forward
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.values import (
    Anything,
    Class,
    Function,
    Instance,
    Library,
    OtherArray,
    Tensor,
    Value,
)
from namecheck.frameworks import python
from namecheck_runtime.declare import REGISTRY, Spelling
from namecheck_runtime.readers.parameters import parameter_names, returned

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

CLASS: Final = "cls"
"""The name that the rulebook gives to a parameter for the class of the result."""


def computes_anew(value: Value) -> bool:
    """Whether a value may be of a class that defines methods of tensors anew."""
    if isinstance(value, OtherArray):
        return value.is_tensor
    return isinstance(value, Instance) and redefines(value.cls)


def redefines(cls: Class) -> bool:
    """Whether a class derives from a tensor's, and defines methods or operators of it anew."""
    libraries = {
        frameworks.TENSOR_TYPES[base.path]
        for base in cls.lineage
        if isinstance(base, Library) and base.path in frameworks.TENSOR_TYPES
    }
    return bool(libraries) and any(
        _is_redefined(name, libraries)
        for base in cls.lineage
        if isinstance(base, Class)
        for name in base.attributes
    )


def _is_redefined(name: str, libraries: Iterable[str]) -> bool:
    if name.startswith("__"):
        return name not in python.OF_OBJECTS
    return any(f"{library}.{name}" in REGISTRY for library in libraries)


def among(
    ev: Evaluator,
    spelling: Spelling,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument],
) -> Value | None:
    """What an op makes of a tensor of such a class, or gives one; None for plain tensors."""
    for argument in (*arguments, *keywords.values()):
        value = argument.value
        if isinstance(value, (Instance, OtherArray)) and computes_anew(value):
            return result_of(spelling)
        if isinstance(value, Class) and redefines(value):
            return OtherArray(is_tensor=True)
    names = parameter_names(spelling, spelling.op.rules[0])
    if CLASS not in names:
        return None
    place = names.index(CLASS)
    given = keywords.get(CLASS) if place >= len(arguments) else arguments[place]
    cls = ev.resolve(given.value) if given is not None else None
    if isinstance(cls, Class) or (isinstance(cls, Library) and cls.path in frameworks.TENSOR_TYPES):
        return None
    return OtherArray(is_tensor=True)


def result_of(spelling: Spelling | None) -> Value:
    """What a function or a method of the library makes of such a tensor."""
    makes_tensors = spelling is not None and returned(spelling.op.rules) in ("Shape", "Shapes")
    return OtherArray(is_tensor=True) if makes_tensors else Anything()


def method_of(name: str) -> Value | None:
    """What a tensor's method of this name gives, which the project's class does not define.

    None if tensors have no such method.
    """
    for library in frameworks.TENSORS:
        spelling = REGISTRY.get(f"{library}.{name}")
        if spelling is not None:
            return result_of(spelling)
    return None


def declared_by(ev: Evaluator, function: Function, result: Value) -> Value:
    """The result of a call, which the function's annotation may say to be of such a class."""
    record = function.record
    annotation = record.returns if isinstance(record, ir.FunctionDef) else None
    if isinstance(annotation, ir.Str):
        annotation = read_forward(annotation.value, annotation.id)
    if not isinstance(annotation, (ir.Name, ir.Attribute)):
        return result
    known = ev.resolve(result)
    if not isinstance(known, Tensor) and (not isinstance(known, Anything) or known.config):
        return result
    if not isinstance(function.scope, Frame):
        return result
    caller = ev.frame
    ev.frame = Frame(function.source, function.scope, None, caller.depth)
    ev.frame.quiet = 1
    cls = ev.resolve(ev.value(annotation))
    ev.frame = caller
    return OtherArray(is_tensor=True) if isinstance(cls, Class) and redefines(cls) else result
