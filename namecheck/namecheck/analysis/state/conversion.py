"""Abstract values as the arguments of a rule.

`asking/operations.py` asks the rule and makes a value of its answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck import frameworks
from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import (
    Anything,
    Constant,
    Dict,
    Function,
    Layer,
    Library,
    List,
    Number,
    Packed,
    Repeated,
    ShapeOf,
    Tensor,
    Text,
    Tuple,
    Value,
)
from namecheck.analysis.state.whole_numbers import may_be_number
from namecheck_runtime import binding, declare, sizes
from namecheck_runtime.lattice import UNKNOWN, Shape, Size, Symbolic
from namecheck_runtime.readers.layouts import Laid
from namecheck_runtime.readers.parameters import ANY, Plain, name_at, parameter_names

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.terms import Terms


def of_another_class(
    ev: Evaluator, spelling: declare.Spelling, arguments: Sequence[Argument]
) -> bool:
    """Whether a method's arguments show that its receiver is not a tensor.

    They do if one may be a tensor where the tensor's method takes none: in `self.norm(x)`, `norm`
    is a layer and not the norm of `self`.
    """
    rule = spelling.op.rules[0]
    plain = {p.name for p in rule.parameters if set(p.takes) <= {"object"}}
    names = parameter_names(spelling, rule)[1:]
    return any(
        name_at(names, index) in plain
        and isinstance(ev.resolve(argument.value), (Tensor, Anything))
        for index, argument in enumerate(arguments)
    )


def shape_or_size(ev: Evaluator, value: Value, plain: Plain) -> Any:
    """A single argument in the place of sizes: a sequence of sizes, or one size as a tuple."""
    value = ev.resolve(value)
    if isinstance(value, Anything) and (plain.as_either or not may_be_number(ev, value)):
        return UNKNOWN
    converted = convert(ev, value, plain)
    return (converted,) if isinstance(converted, Symbolic) else converted


def rename_keywords(
    spelling: declare.Spelling, keywords: Mapping[str, Argument]
) -> Mapping[str, Argument]:
    """The keyword arguments under the rule's names for its parameters."""
    if not keywords:
        return keywords
    parameters = spelling.op.parameters
    if parameters.issuperset(keywords):
        return keywords
    return {
        frameworks.in_our_words(spelling.path, name, parameters): argument
        for name, argument in keywords.items()
    }


_NAMING: Final = frozenset({"DimRef", "DimRefs", "Names"})
_NAMES: Final = frozenset({"names", "rename_map", "out_dim", "sizes"})
"""Parameters that take names of dims among other things, or in a special form."""


def in_terms(
    terms: Terms,
    rules: Sequence[binding.Rule],
    names: Sequence[str],
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
) -> tuple[list[Any], dict[str, Any]]:
    """The arguments and keywords for a rule, with the names of dims in the project's terms."""
    parameters = [parameter for rule in rules for parameter in rule.parameters]
    naming = {p.name for p in parameters if p.name in _NAMES or not _NAMING.isdisjoint(p.takes)}
    renamed = [
        terms.name(value) if name_at(names, index) in naming else value
        for index, value in enumerate(arguments)
    ]
    if "rename_map" in naming:
        known_names = {parameter.name for parameter in parameters}
        return renamed, {
            key if key in known_names else terms.name(key): terms.name(value)
            for key, value in keywords.items()
        }
    return renamed, {
        key: terms.name(value) if key in naming else value for key, value in keywords.items()
    }


def convert(ev: Evaluator, value: Value, plain: Plain = ANY) -> Any:
    """A value in the form that rules take; UNKNOWN if it is not known."""
    value = ev.resolve(value)
    if isinstance(value, Tensor):
        if plain.as_tensors and value.shape == ():
            return UNKNOWN  # its elements are several tensors: it is not a number
        return UNKNOWN if plain.as_int else ev.current(value.shape)
    if isinstance(value, Number):
        # As an operand, or among data, its value does not matter; anywhere else it may.
        is_data = plain.as_tensor or plain.as_data
        if value.kind == "int" and not (is_data and value.size is UNKNOWN):
            return ev.facts.representative(value.size)
        return math.nan if is_data and value.kind != "bool" else UNKNOWN
    if isinstance(value, Constant):
        return value.value
    if isinstance(value, Anything):
        if plain.as_size and value.sized and value.whole and not value.has_elements:
            return ev.facts.representative(value.size())
        return UNKNOWN
    if isinstance(value, Tuple):
        if plain.as_tensors and not value.elements:
            return UNKNOWN
        if value.is_generator and (plain.as_data or plain.as_array):
            return UNKNOWN  # an array of one object
        if plain.as_data and not value.elements:
            return []
        return tuple([_part(ev, element, plain) for element in value.elements])
    if isinstance(value, ShapeOf):
        known = ev.sizes_of(value)
        return UNKNOWN if known is None else known
    if isinstance(value, List):
        contents = ev.cells.get(value)
        if contents == () and plain.as_tensors:
            return UNKNOWN  # joining nothing is an error: other code must have filled the list
        if isinstance(contents, tuple):
            # An empty tuple would be a shape without dims.
            return tuple([_part(ev, element, plain) for element in contents]) or []
        return UNKNOWN
    if isinstance(value, Library):
        return frameworks.torch.MEMORY_ORDERS.get(value.path, value)
    if isinstance(value, Layer):
        return ev.cells.get(value, value).instance
    if isinstance(value, (Text, Repeated, Dict, Packed)):
        return UNKNOWN
    return UNKNOWN


def _part(ev: Evaluator, element: Value, plain: Plain) -> Any:
    """An element of a sequence in the form that rules take.

    Among several tensors, one without dims is one of them.
    """
    is_tensor = plain.as_tensors and isinstance(ev.resolve(element), Tensor)
    return convert(ev, element, ANY if is_tensor else plain)


def with_numbers(ev: Evaluator, value: Value, converted: Any) -> Any:
    """Data for a function that takes PyTorch's tensors in lists for numbers, of any rank.

    `converted` is the value as `convert` has it. What the function makes of a tensor of an unknown
    library is not known: an array of NumPy's has its dims.
    """
    value = ev.resolve(value)
    elements: Any = ev.cells.get(value) if isinstance(value, List) else None
    if isinstance(value, Tuple):
        elements = value.elements
    if not isinstance(elements, tuple) or not isinstance(converted, tuple):
        return converted
    if len(elements) != len(converted):
        return converted
    pairs = zip(elements, converted, strict=True)
    return tuple([_number_in_list(ev, element, given) for element, given in pairs])


def _number_in_list(ev: Evaluator, element: Value, converted: Any) -> Any:
    tensor = ev.resolve(element)
    if not isinstance(tensor, Tensor):
        return with_numbers(ev, element, converted)
    if (
        not isinstance(converted, tuple)
        or not converted
        or tensor.library == frameworks.numpy.TENSOR
    ):
        return converted
    if tensor.library != frameworks.torch.TENSOR:
        return UNKNOWN
    is_refused = any(isinstance(dim.size, int) and dim.size != 1 for dim in converted)
    return UNKNOWN if is_refused else ()


def as_size(ev: Evaluator, value: Value) -> Size:
    """The size that a value is used as; UNKNOWN if it is not a size."""
    converted = convert(ev, value, Plain(True, False, as_int=True))
    if isinstance(converted, bool):
        return UNKNOWN
    if isinstance(converted, int) or isinstance(converted, sizes.Polynomial):
        return converted
    return UNKNOWN


def sizes_given(
    ev: Evaluator,
    constructor: Function,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument],
) -> dict[str, Size]:
    """The arguments of a constructor, without the instance, as sizes by parameter name.

    A value of which nothing is known has one size, however many parameters get it.
    """
    names = [parameter.name for parameter in constructor.parameters[1:]]
    given = dict(zip(names, arguments, strict=False))
    given.update(keywords)
    by_name: dict[str, Size] = {}
    unknown: dict[Value, Size] = {}
    for name, argument in given.items():
        size = as_size(ev, argument.value)
        if size is UNKNOWN:
            value = ev.resolve(argument.value)
            if type(value) is Anything or type(value) is Number:
                size = unknown.setdefault(value, sizes.symbol("?"))
        atom = sizes.plain_symbol(size)
        if atom is not None and atom.label == "?":
            ev.independence.add_element(atom, _list_of(ev, argument.node))
        by_name[name] = size
    return by_name


def _list_of(ev: Evaluator, node: ir.Node | None) -> str:
    """The list that an expression takes an element of at an unknown place, as it is written.

    "" if it is none, or if a part of its contents is known: a literal, or a default that is one.
    """
    match node:
        case ir.Subscript(ir.Name() | ir.Attribute() as owner, ir.Name() | ir.Binary()):
            if type(ev.resolve(ev.value(owner))) is not Anything:
                return ""
            function = ev.frame.function
            for parameter in function.parameters if function is not None else ():
                if isinstance(owner, ir.Name) and parameter.name == owner.name:
                    if isinstance(parameter.default, (ir.Tuple, ir.List)):
                        return ""
            return ir.describe(owner)
    return ""


def laid(ev: Evaluator, value: Value) -> Laid:
    """A tensor as the rules of memory layout take it; nothing is known of another value."""
    if not isinstance(value, Tensor):
        return Laid(UNKNOWN, UNKNOWN)
    strides = value.strides
    if isinstance(strides, tuple):
        strides = tuple([ev.facts.representative(stride) for stride in strides])
    return Laid(ev.current(value.shape), strides)


def are_numbers(shape: Shape) -> bool:
    """Whether the rank of a shape is known, and all its sizes are numbers."""
    return isinstance(shape, tuple) and all(isinstance(dim.size, int) for dim in shape)
