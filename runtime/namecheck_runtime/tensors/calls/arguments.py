"""Types of arguments, as PyTorch's argument parser refuses them before anything is computed.

Rules take what any library takes (`numpy.maximum(x, 2)`); whether PyTorch's spelling of an op takes
a number where a tensor is usual, a list that mixes names and indices, or no sizes at all, is said
here.  Nothing here knows what an op does to dims.
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

_TENSORS_ONLY: Final = frozenset(
    {
        *("torch.addcdiv", "torch.addcmul", "torch.allclose", "torch.atan2", "torch.equal"),
        *("torch.fmax", "torch.fmin", "torch.gcd", "torch.heaviside", "torch.hypot"),
        *("torch.igamma", "torch.igammac", "torch.inner", "torch.isclose", "torch.lcm"),
        *("torch.ldexp", "torch.logaddexp", "torch.logaddexp2", "torch.logical_and"),
        *("torch.logical_or", "torch.logical_xor", "torch.maximum", "torch.minimum"),
        "torch.nextafter",
    }
)
"""Ops whose further operands have to be tensors, not numbers."""

_TAKE_NAME: Final = frozenset(
    {
        *("Tensor.size", "Tensor.stride", "torch.all", "torch.any", "torch.argsort", "torch.cat"),
        *("torch.cummax", "torch.cummin", "torch.cumprod", "torch.cumsum", "torch.diagonal"),
        *("torch.gather", "torch.index_add", "torch.index_copy", "torch.index_fill"),
        *("torch.index_select", "torch.kthvalue", "torch.log_softmax", "torch.logcumsumexp"),
        *("torch.logsumexp", "torch.max", "torch.mean", "torch.median", "torch.min", "torch.mode"),
        *("torch.nanmedian", "torch.prod", "torch.scatter", "torch.scatter_add", "torch.select"),
        *("torch.softmax", "torch.sort", "torch.squeeze", "torch.std", "torch.std_mean"),
        *(
            "torch.sum",
            "torch.unbind",
            "torch.var",
            "torch.var_mean",
            "torch.nn.functional.softmin",
        ),
        *("torch.nn.functional.log_softmax", "torch.nn.functional.softmax", "torch.transpose"),
        *("torch.flatten", "Tensor.unflatten", "torch.unflatten"),
    }
)
"""Ops that had a signature with names in PyTorch: there None is a name that cannot be looked up."""

_TAKE_NAMES: Final = frozenset(
    {
        *("torch.flatten", "torch.logsumexp", "torch.mean", "torch.std", "torch.std_mean"),
        *("torch.sum", "torch.var", "torch.var_mean"),
    }
)
"""Ops that had a signature with lists of names."""


def check_types(
    spelling: Spelling,
    rule: Rule,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    values: Mapping[str, Any],
) -> None:
    """Raise TypeError for what PyTorch's argument parser does not take; `values` are the arguments
    by parameter name.
    """
    path = spelling.path
    if not path.startswith(("torch.", "Tensor.")):
        return
    name = path.rpartition(".")[2]
    op = spelling.op.name
    method = path.startswith("Tensor.")
    for place, parameter in enumerate(rule.parameters):
        value = values[parameter.name]
        where = f"{name}(): argument '{parameter.name}' (position {place + (not method)})"
        takes = parameter.takes
        _check_tensors(parameter, where, value)
        if "Operand" in takes:
            if place and op in _TENSORS_ONLY and isinstance(value, (int, float, complex)):
                raise TypeError(f"{where} must be Tensor, not {type(value).__name__}")
        elif parameter.name == "names" and parameter.kind != "variadic":
            if op == "Tensor.names=":
                # What is no list of names at all is told by the rule.
                if isinstance(value, (tuple, list)) and value and isinstance(value[0], str | None):
                    check_names(value, where)
            elif value is not None:
                check_names(value, where)
        elif parameter.kind == "variadic":
            _check_several(parameter, name, where, place, method, arguments, keywords)
        if not {"DimRef", "DimRefs"}.isdisjoint(takes):
            _check_dims(parameter, op, where, value)
    _require_one_tensor(rule, name, method, values)
    if op in ("torch.full", "Tensor.new_full") and not isinstance(values["size"], (tuple, list)):
        kind = type(values["size"]).__name__
        raise TypeError(f"{name}(): argument 'size' (position 1) must be tuple of ints, not {kind}")
    _check_dtypes(spelling, arguments, keywords)
    if op in ("torch.transpose", "torch.flatten"):
        _check_kinds(name, op, values)
    if op == "Tensor.unflatten" or op == "torch.unflatten":
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
"""What says nothing, of the options that few ops heed."""

_HEEDED: Final = frozenset(
    {"dtype", "device", "layout", "requires_grad", "memory_format", "non_blocking"}
)
"""The options that are looked at where a result is made, and one that changes no element."""


def check_options(op: str, options: Mapping[str, Any], heeded: Collection[str] = ()) -> None:
    """Raise NotImplementedError for an option that would change what an op gives, and that nothing
    looks at here: `np.add(x, y, where=mask)`.
    """
    for word, value in options.items():
        if (
            word in heeded
            or word in _HEEDED
            or any(value is one for one in _NEUTRAL.get(word, (None,)))
        ):
            continue
        if isinstance(value, str) and value in _NEUTRAL.get(word, ()):
            continue
        if word == "pin_memory":
            require_unpinned(value)
        raise NotImplementedError(
            f"{op.rpartition('.')[2]}() does not heed the option '{word}' here: leave it out, or "
            "call NumPy's function on x.numpy(), which has no names"
        )


def require_unpinned(pin_memory: object) -> None:
    """Raise RuntimeError if memory is asked for that a device can read by itself."""
    if pin_memory:
        raise RuntimeError(
            "pin_memory=True needs a device that reads the memory of this one, and none is "
            "registered here"
        )


def _check_tensors(parameter: Parameter, where: str, value: Any) -> None:
    """What has to be a tensor, or a sequence of them, is one."""
    takes = set(parameter.takes) - {"None"}
    if value is None or value is parameter.default:
        return
    if takes == {"Tensors"}:
        whole = where.partition(" (")[0]
        if not isinstance(value, (tuple, list)):
            raise TypeError(f"{where} must be tuple of Tensors, not {type(value).__name__}")
        for index, one in enumerate(value):
            if not isinstance(one, (Tensor, np.ndarray)):
                kind = type(one).__name__
                raise TypeError(f"{whole}: expected Tensor as element {index}, but got {kind}")
    elif (takes and takes <= {"Dims", "Shape"}) or (
        takes == {"Operand"} and not isinstance(value, Number)
    ):
        if not isinstance(value, Tensor):
            raise TypeError(f"{where} must be Tensor, not {type(value).__name__}")


def _require_one_tensor(rule: Rule, name: str, method: bool, values: Mapping[str, Any]) -> None:
    """Of operands that may be numbers one has to be a tensor: Python's numbers have no device."""
    operands = [p.name for p in rule.parameters if "Operand" in p.takes]
    # The default of a number that may be a tensor is `()`, a shape without dims.
    if operands and all(isinstance(values[one], Number | tuple | None) for one in operands):
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
    """What to say of arguments that no signature of an op takes, in PyTorch's words."""
    name = spelling.path.rpartition(".")[2]
    method = spelling.path.startswith("Tensor.")
    rules = spelling.op.rules
    known = {p.name for rule in rules for p in rule.parameters}
    anything = any(p.kind == "keywords" for rule in rules for p in rule.parameters)
    foreign = [word for word in keywords if word not in known]
    if foreign and not anything:
        return f"{name}() got an unexpected keyword argument '{foreign[0]}'"
    if len(rules) == 1:
        parameters = rules[0].parameters
        required = [p for p in parameters if p.default is REQUIRED and p.kind == "positional"]
        missing = [p for p in required if p.name not in keywords][len(arguments) :]
        if missing:
            named = ", ".join(f'"{p.name}"' for p in missing)
            return f"{name}() missing {len(missing)} required positional arguments: {named}"
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
    given = [type(one).__name__ for one in arguments]
    given += [f"{word}={type(value).__name__}" for word, value in keywords.items()]
    forms = "".join(f"\n * ({', '.join(map(_told, rule.parameters))})" for rule in rules)
    return (
        f"{name}() received an invalid combination of arguments - got ({', '.join(given)}), but "
        f"expected one of:{forms}"
    )


def _told(parameter: Parameter) -> str:
    if parameter.kind in ("variadic", "keywords"):
        return ("*" if parameter.kind == "variadic" else "**") + parameter.name
    if parameter.default is REQUIRED:
        return parameter.name
    return f"{parameter.name} = {parameter.default!r}"


def _check_dtypes(
    spelling: Spelling, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> None:
    """Raise RuntimeError for a destination of a dtype that the op does not write."""
    op = spelling.op.name
    if op in ("torch.signbit", "torch.isposinf", "torch.isneginf"):
        out = keywords.get("out")
        if out is not None and out.dtype.kind != "bool":
            raise RuntimeError(f"{op.rpartition('.')[2]} does not support non-boolean outputs.")
    elif op == "torch.float_power" and spelling.inplace:
        own = arguments[0].dtype
        if own.name not in ("float64", "complex128"):
            wide = "ComplexDouble" if own.kind == "complex" else "Double"
            raise RuntimeError(
                f"the base given to float_power_ has dtype {SPOKEN[own.name]} but the operation's "
                f"result requires dtype {wide}"
            )


def check_names(names: Any, where: str) -> None:
    """Raise TypeError for what is no sequence of names; the first entry decides what is said."""
    if not isinstance(names, (tuple, list)):
        raise TypeError(f"{where} must be tuple of names, not {type(names).__name__}")
    for index, name in enumerate(names):
        if name is None or isinstance(name, str):
            continue
        if index == 0:
            raise TypeError(f"{where} must be tuple of names, not {type(names).__name__}")
        raise TypeError(f"expected None or string for Dimname but got {type(name).__name__}")


def _check_several(
    parameter: Parameter,
    name: str,
    where: str,
    place: int,
    method: bool,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
) -> None:
    """Sizes and dims of which several may be given: methods take them one by one, functions whose
    first argument is a tensor as one sequence; none at all is no empty sequence.
    """
    if parameter.name == "names":
        if name == "align_to" and any(isinstance(one, (tuple, list)) for one in arguments[1:]):
            raise TypeError(f"{where} must be tuple of names, not tuple")
        return
    if {"Sizes", "DimRefs"}.isdisjoint(parameter.takes):
        return
    if len(arguments) <= place:
        if parameter.name not in keywords and "shape" not in keywords:
            raise TypeError(f'{name}() missing 1 required positional arguments: "{parameter.name}"')
        return
    if method or place == 0 or name.startswith("squeeze"):
        return
    if len(arguments) > place + 1:
        raise TypeError(
            f"{name}() takes {place + 1} positional arguments but {len(arguments)} were given"
        )
    if not isinstance(arguments[place], (tuple, list)):
        raise TypeError(f"{where} must be tuple of ints, not {type(arguments[place]).__name__}")


def _check_dims(parameter: Parameter, op: str, where: str, value: Any) -> None:
    """A dim, or a list of them: all by name or all by index."""
    if value is None:
        if parameter.default not in (None, ()) and op not in _TAKE_NAME:
            raise TypeError(f"{where} must be int, not NoneType")
        return
    if not isinstance(value, (tuple, list)) or not value:
        return
    if parameter.kind == "variadic" and len(value) == 1:  # `squeeze(None)`
        return
    if not isinstance(value[0], str | None):
        for index, one in enumerate(value):
            if isinstance(one, str | None):
                raise TypeError(
                    f"{where.partition(' (')[0]} failed to unpack the object at pos {index + 1} "
                    f'with error "type must be tuple of ints,but got {type(one).__name__}"'
                )
        return
    if None in value and op not in _TAKE_NAMES:
        raise TypeError(f"{where.partition(' (')[0]} must be tuple of ints, not list")
    for one in value:
        if not isinstance(one, str | None):
            raise TypeError(f"expected None or string for Dimname but got {type(one).__name__}")


def _check_kinds(name: str, op: str, values: Mapping[str, Any]) -> None:
    """Two dims are both looked up by name or both by index; what dims by name are flattened to
    has to be said.
    """
    refs = [values[key] for key in ("dim0", "dim1", "start_dim", "end_dim") if key in values]
    by_name = [isinstance(ref, str | None) for ref in refs]
    told = op != "torch.flatten" or "out_dim" in values
    if any(by_name) and not (all(by_name) and told):
        kinds = ", ".join(type(ref).__name__ for ref in refs)
        raise TypeError(f"{name}() received an invalid combination of arguments - got ({kinds})")


def _are_pairs(sizes: Any) -> bool:
    if isinstance(sizes, Mapping):
        return True
    return isinstance(sizes, (tuple, list)) and bool(sizes) and isinstance(sizes[0], (tuple, list))
