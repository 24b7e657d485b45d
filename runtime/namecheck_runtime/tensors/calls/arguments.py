"""Types of arguments that PyTorch's argument parser refuses before it computes anything.

Rules take what any library takes (`numpy.maximum(x, 2)`).  PyTorch's spelling of an op may refuse a
number where a tensor is usual, a list that mixes names and indices, or a call without sizes: that
is checked here, by the words of the op's declaration (`declare.Parsing`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from numbers import Number
from typing import Any, Final

import numpy as np

from namecheck_runtime.binding import REQUIRED, Parameter, Rule
from namecheck_runtime.declare import Spelling
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.dtypes import SPOKEN


def check_types(
    spelling: Spelling,
    rule: Rule,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    values: Mapping[str, Any],
) -> None:
    """Raise for arguments that PyTorch's argument parser does not take.

    `values` are the arguments by parameter name.  Raises TypeError, and RuntimeError for dtypes
    that the op does not write.
    """
    path = spelling.path
    if not path.startswith(("torch.", "Tensor.")):
        return
    name = path.rpartition(".")[2]
    parsing = spelling.op.parsing
    method = path.startswith("Tensor.")
    for place, parameter in enumerate(rule.parameters):
        value = values[parameter.name]
        where = f"{name}(): argument '{parameter.name}' (position {place + (not method)})"
        takes = parameter.takes
        _check_tensors(parameter, where, value)
        if "Operand" in takes:
            if place and "tensors only" in parsing and isinstance(value, (int, float, complex)):
                raise TypeError(f"{where} must be Tensor, not {type(value).__name__}")
        elif parameter.name == "names" and parameter.kind != "variadic":
            if path.endswith("="):
                # The rule refuses a value that is not a list of names at all.
                if isinstance(value, (tuple, list)) and value and isinstance(value[0], str | None):
                    check_names(value, where)
            elif value is not None:
                check_names(value, where)
        elif parameter.kind == "variadic":
            _check_variadic(parameter, spelling, where, place, arguments, keywords)
        if not {"DimRef", "DimRefs"}.isdisjoint(takes):
            _check_dims(parameter, parsing, where, value)
    _require_one_tensor(rule, name, method, values)
    if "sizes together" in parsing and not isinstance(values["size"], (tuple, list)):
        kind = type(values["size"]).__name__
        raise TypeError(f"{name}(): argument 'size' (position 1) must be tuple of ints, not {kind}")
    _check_dtypes(spelling, arguments, keywords)
    if "dims alike" in parsing:
        _require_alike(spelling, values)
    if "named parts" in parsing:
        if isinstance(values["dim"], int) and _are_pairs(values["sizes"]):
            raise TypeError(f"{name}(): argument 'dim' (position 1) must be name, not int")
    if values.get("names") is not None and keywords.get("out") is not None:
        raise TypeError(f"{name}() takes names= or out=, not both")


_NEUTRAL: Final[dict[str, tuple[Any, ...]]] = {
    "casting": ("same_kind",),
    "copy": (True, None),
    "like": (None,),
    "order": ("K", "C", "A", None),
    "pin_memory": (False, None),
    "signature": (None,),
    "subok": (True, False, None),
    "where": (True, None),
}
"""The values of options that few ops heed, with which they change nothing."""

_HEEDED: Final = frozenset(
    {"dtype", "device", "layout", "requires_grad", "memory_format", "non_blocking"}
)
"""The options that are heeded where a result is made, and one that changes no element."""


def check_options(op: str, options: Mapping[str, Any], heeded: Collection[str] = ()) -> None:
    """Raise NotImplementedError for an option that would change the result of an op.

    `np.add(x, y, where=mask)` is not supported here.
    """
    for word, value in options.items():
        if (
            word in heeded
            or word in _HEEDED
            or any(value is neutral for neutral in _NEUTRAL.get(word, (None,)))
        ):
            continue
        if isinstance(value, str) and value in _NEUTRAL.get(word, ()):
            continue
        if word == "pin_memory":
            require_unpinned(value)
        raise NotImplementedError(
            f"{op.rpartition('.')[2]}() does not support the option '{word}' here: leave it out, "
            "or call NumPy's function on x.numpy(), which has no names"
        )


def require_unpinned(pin_memory: object) -> None:
    """Raise RuntimeError if the caller asks for memory that a device can read by itself."""
    if pin_memory:
        raise RuntimeError(
            "pin_memory=True needs a device that reads the memory of this one, and none is "
            "registered here"
        )


def _check_tensors(parameter: Parameter, where: str, value: Any) -> None:
    """Raise TypeError if an argument has to be a tensor, or a sequence of tensors, and is not."""
    takes = set(parameter.takes) - {"None"}
    if value is None or value is parameter.default:
        return
    if takes == {"Tensors"}:
        argument = where.partition(" (")[0]
        if not isinstance(value, (tuple, list)):
            raise TypeError(f"{where} must be tuple of Tensors, not {type(value).__name__}")
        for index, member in enumerate(value):
            if not isinstance(member, (Tensor, np.ndarray)):
                kind = type(member).__name__
                raise TypeError(f"{argument}: expected Tensor as element {index}, but got {kind}")
    elif (takes and takes <= {"Dims", "Shape"}) or (
        takes == {"Operand"} and not isinstance(value, Number)
    ):
        if not isinstance(value, Tensor):
            raise TypeError(f"{where} must be Tensor, not {type(value).__name__}")


def _require_one_tensor(rule: Rule, name: str, method: bool, values: Mapping[str, Any]) -> None:
    """Raise TypeError if all operands are numbers: Python's numbers have no device."""
    operands = [p.name for p in rule.parameters if "Operand" in p.takes]
    # The default of a number that may be a tensor is `()`, a shape without dims.
    if operands and all(isinstance(values[operand], Number | tuple | None) for operand in operands):
        if not any(isinstance(value, Tensor) for value in values.values()):
            first = operands[0]
            kind = type(values[first]).__name__
            place = next(k for k, p in enumerate(rule.parameters) if p.name == first)
            raise TypeError(
                f"{name}(): argument '{first}' (position {place + (not method)}) must be Tensor, "
                f"not {kind}"
            )


def refusal_of(
    spelling: Spelling, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> str | None:
    """PyTorch's message for arguments that no signature of an op takes; None if there is none."""
    name = spelling.path.rpartition(".")[2]
    method = spelling.path.startswith("Tensor.")
    rules = spelling.op.rules
    accepted = {p.name for rule in rules for p in rule.parameters}
    anything = any(p.kind == "keywords" for rule in rules for p in rule.parameters)
    unknown = [word for word in keywords if word not in accepted]
    if unknown and not anything:
        return f"{name}() got an unexpected keyword argument '{unknown[0]}'"
    if len(rules) == 1:
        parameters = rules[0].parameters
        required = [p for p in parameters if p.default is REQUIRED and p.kind == "positional"]
        missing = [p for p in required if p.name not in keywords][len(arguments) :]
        if missing:
            quoted = ", ".join(f'"{p.name}"' for p in missing)
            return f"{name}() missing {len(missing)} required positional arguments: {quoted}"
        most = sum(p.kind == "positional" for p in parameters)
        if len(arguments) > most and not any(p.kind == "variadic" for p in parameters):
            return (
                f"{name}() takes {most - method} positional arguments but "
                f"{len(arguments) - method} were given"
            )
    for place, (parameter, value) in enumerate(
        zip(rules[0].parameters, arguments, strict=False), 1 - method
    ):
        where = f"{name}(): argument '{parameter.name}' (position {place})"
        try:
            _check_tensors(parameter, where, value)
        except TypeError as wrong:
            return str(wrong)
    kinds = [type(argument).__name__ for argument in arguments]
    kinds += [f"{word}={type(value).__name__}" for word, value in keywords.items()]
    forms = "".join(f"\n * ({', '.join(map(_as_written, rule.parameters))})" for rule in rules)
    return (
        f"{name}() received an invalid combination of arguments - got ({', '.join(kinds)}), but "
        f"expected one of:{forms}"
    )


def _as_written(parameter: Parameter) -> str:
    if parameter.kind in ("variadic", "keywords"):
        return ("*" if parameter.kind == "variadic" else "**") + parameter.name
    if parameter.default is REQUIRED:
        return parameter.name
    return f"{parameter.name} = {parameter.default!r}"


def _check_dtypes(
    spelling: Spelling, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> None:
    """Raise RuntimeError if the tensor that is written to has a dtype that the op refuses."""
    op = spelling.op
    name = op.name.rpartition(".")[2]
    if op.out is not None and op.out.booleans:
        out = keywords.get("out")
        if out is not None and out.dtype.kind != "bool":
            raise RuntimeError(f"{name} does not support non-boolean outputs.")
    elif spelling.inplace and op.inplace is not None and op.inplace.doubles:
        base = arguments[0].dtype
        if base.name not in ("float64", "complex128"):
            wide = "ComplexDouble" if base.kind == "complex" else "Double"
            raise RuntimeError(
                f"the base given to {name}_ has dtype {SPOKEN[base.name]} but the operation's "
                f"result requires dtype {wide}"
            )


def check_names(names: Any, where: str) -> None:
    """Raise TypeError for a value that is not a sequence of names.

    The first entry decides the message.
    """
    if not isinstance(names, (tuple, list)):
        raise TypeError(f"{where} must be tuple of names, not {type(names).__name__}")
    for index, name in enumerate(names):
        if name is None or isinstance(name, str):
            continue
        if index == 0:
            raise TypeError(f"{where} must be tuple of names, not {type(names).__name__}")
        raise TypeError(f"expected None or string for Dimname but got {type(name).__name__}")


def _check_variadic(
    parameter: Parameter,
    spelling: Spelling,
    where: str,
    place: int,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
) -> None:
    """Raise TypeError for sizes or dims that are not passed as PyTorch wants them.

    Methods take several of them one by one, functions with a tensor before them in one sequence.  A
    call without any is refused, too: it does not mean an empty sequence.
    """
    parsing = spelling.op.parsing
    if parameter.name == "names":
        if "names apart" in parsing and any(
            isinstance(argument, (tuple, list)) for argument in arguments[1:]
        ):
            raise TypeError(f"{where} must be tuple of names, not tuple")
        return
    if {"Sizes", "DimRefs"}.isdisjoint(parameter.takes):
        return
    name = spelling.path.rpartition(".")[2]
    if len(arguments) <= place:
        if parameter.name not in keywords and "shape" not in keywords:
            raise TypeError(f'{name}() missing 1 required positional arguments: "{parameter.name}"')
        if isinstance(keywords.get(parameter.name), Tensor):
            where = where.partition(" (")[0]
            raise TypeError(f"{where} must be tuple of ints, not Tensor")
        return
    if spelling.path.startswith("Tensor.") or place == 0 or "dims apart" in parsing:
        return
    if len(arguments) > place + 1:
        raise TypeError(
            f"{name}() takes {place + 1} positional arguments but {len(arguments)} were given"
        )
    if not isinstance(arguments[place], (tuple, list)):
        raise TypeError(f"{where} must be tuple of ints, not {type(arguments[place]).__name__}")


def _check_dims(parameter: Parameter, parsing: Collection[str], where: str, value: Any) -> None:
    """Raise TypeError for dims that are neither all names nor all indices.

    Also for a None that is not a name.
    """
    if value is None:
        if parameter.default not in (None, ()) and "dim by name" not in parsing:
            raise TypeError(f"{where} must be int, not NoneType")
        return
    if not isinstance(value, (tuple, list)) or not value:
        return
    if parameter.kind == "variadic" and len(value) == 1:  # `squeeze(None)`
        return
    if not isinstance(value[0], str | None):
        for index, entry in enumerate(value):
            if isinstance(entry, str | None):
                raise TypeError(
                    f"{where.partition(' (')[0]} failed to unpack the object at pos {index + 1} "
                    f'with error "type must be tuple of ints,but got {type(entry).__name__}"'
                )
        return
    if None in value and "dims by name" not in parsing:
        raise TypeError(f"{where.partition(' (')[0]} must be tuple of ints, not list")
    for entry in value:
        if not isinstance(entry, str | None):
            raise TypeError(f"expected None or string for Dimname but got {type(entry).__name__}")


def _require_alike(spelling: Spelling, values: Mapping[str, Any]) -> None:
    """Raise TypeError for two dims of which one is a name and the other an index.

    Also for dims by name that are flattened without a name for the result.
    """
    refs = [values[key] for key in ("dim0", "dim1", "start_dim", "end_dim") if key in values]
    by_name = [isinstance(ref, str | None) for ref in refs]
    complete = "out_dim" in values or "out_dim" not in spelling.op.parameters
    if any(by_name) and not (all(by_name) and complete):
        kinds = ", ".join(type(ref).__name__ for ref in refs)
        name = spelling.path.rpartition(".")[2]
        raise TypeError(f"{name}() received an invalid combination of arguments - got ({kinds})")


def _are_pairs(sizes: Any) -> bool:
    if isinstance(sizes, Mapping):
        return True
    return isinstance(sizes, (tuple, list)) and bool(sizes) and isinstance(sizes[0], (tuple, list))
