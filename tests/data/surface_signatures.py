"""The signatures of the methods and functions of `namecheck_runtime`, from the registry.

The types of parameters come from the rule (`takes`); their order, their defaults and the keywords
that rules ignore come from the documented signature (signatures.json).  Overloads of an op with the
same result are merged into one signature, more lenient than any of them: the rule is to report the
mistakes of a call, not a checker that found no overload for it.  See `write_surface.py`.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import isfinite
from pathlib import Path
from typing import Any, Final, NamedTuple

from namecheck_runtime.binding import REQUIRED, Parameter, Rule
from namecheck_runtime.declare import OPS, Memory, Spelling, Unbindable
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dim
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.readers import keyword_names

ROOT: Final = Path(__file__).parents[2]
SIGNATURES: Final = json.loads((ROOT / "tests/data/signatures.json").read_text(encoding="utf-8"))

# -- types of parameters ---------------------------------------------------------------------------

TAKEN: Final = {
    "Dims": ("Tensor", "Array"),
    "Shape": ("Tensor", "Array"),
    "Operand": ("Operand",),
    "Tensors": ("Tensors",),
    "DimRef": ("DimRef",),
    "DimRefs": ("DimRefs",),
    "Size": ("Index",),
    "Sizes": ("Sizes",),
    "Names": ("Names",),
    "Flag": ("_bool",),
    "bool": ("_bool",),
    "int": ("Index",),
    "float": ("_float",),
    "str": ("_str",),
    "None": ("None",),
    "object": ("Any",),
}
"""The words of `declare` as types; the aliases are those of `ALIASES`."""

BY_NAME: Final = {
    "dtype": ("DTypeLike", "None"),
    "out_dtype": ("DTypeLike", "None"),
    "device": ("DeviceLike", "None"),
    "layout": ("Layout", "None"),
    "memory_format": ("MemoryFormat", "None"),
    "generator": ("Generator", "None"),
    "out": ("Out", "None"),
    "requires_grad": ("_bool",),
    "pin_memory": ("_bool",),
    "non_blocking": ("_bool",),
    "copy": ("_bool",),
    "names": ("Names", "None"),
}
"""The types of parameters that rules ignore."""

ONE_OF_SEVERAL: Final = {
    "Tensors": ("Tensor", "Array", "Tensors"),
    "DimRefs": ("DimRefs", "None"),
    "Sizes": ("Sizes",),
    "object": ("Any",),
}
"""The types of one of several arguments, by the word for all of them: the word's type, or one."""

ALIASES: Final = """\
Array: TypeAlias = np.ndarray[Any, Any]
Number: TypeAlias = complex | np.generic
Operand: TypeAlias = Tensor | Array | Number
Tensors: TypeAlias = Sequence[Tensor | Array]
DimRef: TypeAlias = int | np.integer[Any] | str
DimRefs: TypeAlias = DimRef | Sequence[DimRef | None]
Index: TypeAlias = SupportsIndex
Sizes: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
Name: TypeAlias = str | EllipsisType | None
Names: TypeAlias = Sequence[Name]
DTypeLike: TypeAlias = DType | type[Any] | np.dtype[Any] | str
DeviceLike: TypeAlias = Device | str
Out: TypeAlias = Tensor | Sequence[Tensor]
"""

# -- signatures ------------------------------------------------------------------------------------


class Slot(NamedTuple):
    """One parameter of one signature, of a rule or of the documentation."""

    name: str
    kind: str
    """`positional`, `keyword`, `variadic` or `keywords`."""
    default: Any
    """REQUIRED if there is none, `...` if it cannot be written."""
    types: tuple[str, ...] | None
    """None if only the documentation has the parameter."""


class Written(NamedTuple):
    """One parameter as it is written."""

    name: str
    kind: str
    type: str
    default: str
    """Empty if there is none."""

    def __str__(self) -> str:
        stars = {"variadic": "*", "keywords": "**"}.get(self.kind, "")
        return f"{stars}{self.name}: {self.type}" + (f" = {self.default}" if self.default else "")


def types_of(parameter: Parameter) -> tuple[str, ...]:
    """The types that a parameter of a rule accepts."""
    if parameter.name in BY_NAME and {"object"} == set(parameter.takes) - {"None"}:
        if parameter.kind != "variadic":
            return BY_NAME[parameter.name]
    if parameter.kind == "variadic":
        if parameter.name == "names":
            return ("Name",)
        return tuple(type_ for word in parameter.takes for type_ in ONE_OF_SEVERAL[word])
    return tuple(type_ for word in parameter.takes for type_ in TAKEN[word])


def rule_slots(rule: Rule, method: bool) -> list[Slot]:
    """The parameters of a rule, without the tensor for a method."""
    slots = [Slot(p.name, p.kind, p.default, types_of(p)) for p in rule.parameters]
    return slots[1:] if method and slots and slots[0].kind == "positional" else slots


def documented(path: str) -> Iterator[list[Slot]]:
    """The signatures of a spelling in the library, with those that torch 2.13 removed."""
    for overload in (*SIGNATURES["calls"].get(path, ()), *SIGNATURES["removed"].get(path, ())):
        kind = "positional"
        slots: list[Slot] = []
        for text in overload:
            name, equals, default = text.partition("=")
            if name == "*":
                kind = "keyword"
            elif name.startswith("**"):
                slots.append(Slot(name[2:], "keywords", REQUIRED, None))
            elif name.startswith("*"):
                slots.append(Slot(name[1:], "variadic", REQUIRED, None))
                kind = "keyword"
            elif name != "/":
                slots.append(Slot(name, kind, _value(default) if equals else REQUIRED, None))
        yield slots


def _value(text: str) -> Any:
    """The value of a documented default, or a marker if it is not a literal."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return ...


_ANYTHING: Final = ("variadic", "keywords")


def merged(rules: Sequence[Sequence[Slot]], documents: Sequence[Sequence[Slot]]) -> list[Written]:
    """One signature that accepts every call that one of these accepts."""
    names = {slot.name for listed in documents for slot in listed}
    if documents:  # a rule that accepts anything gives no types
        rules = [
            r for r in rules if not r or any(s.kind not in _ANYTHING or s.name in names for s in r)
        ]
    by_name = {s.name for listed in documents for s in listed if s.kind != "variadic"}
    listings = [*documents, *rules]
    longest = sorted(listings, key=_places, reverse=True)
    types_by_name: dict[str, tuple[str, ...]] = {}
    for slot in (slot for rule in rules for slot in rule):
        types_by_name[slot.name] = (*types_by_name.get(slot.name, ()), *(slot.types or ()))
    several = _variadic(rules, documents)
    placed: list[Written] = []
    others: dict[str, tuple[str, ...]] = {}
    for place in range(max(map(len, listings), default=0)):
        slots_here = _at(listings, place)
        if not slots_here:
            break
        taken = [_types(slot, place, rules, types_by_name) for slot in slots_here]
        every = tuple(type_ for types in taken for type_ in types)
        if several == place:
            name = next((s.name for s in slots_here if s.kind == "variadic"), slots_here[0].name)
            spelled = f"_{name}" if name in by_name else name
            placed.append(Written(spelled, "variadic", union(every), ""))
            others |= {
                s.name: t for s, t in zip(slots_here, taken, strict=True) if s.name != spelled
            }
            break
        # The longest signature names a place: `arange(end)` is a shortened `arange(start, end)`.
        name = _at(longest, place)[0].name
        if name in keyword_names.TORCH:  # never a name that is an alias of another
            name = slots_here[-1].name
        if name in {written.name for written in placed}:
            break
        required = len(slots_here) == len(listings) and all(
            s.name == name and s.default is REQUIRED for s in slots_here
        )
        if any(w.default for w in placed):
            required = False
        placed.append(_written(name, "positional", every, slots_here, required))
        others |= {s.name: t for s, t in zip(slots_here, taken, strict=True) if s.name != name}
    return [*placed, *_keywords(placed, others, listings, rules, types_by_name)]


def _at(listings: Sequence[Sequence[Slot]], place: int) -> list[Slot]:
    """The parameters at a place where an argument may be passed by position."""
    slots = [listed[place] for listed in listings if place < len(listed)]
    return [slot for slot in slots if slot.kind in ("positional", "variadic")]


def _places(listed: Sequence[Slot]) -> int:
    """The number of arguments that may be passed by position."""
    return sum(slot.kind == "positional" for slot in listed)


def _keywords(
    placed: Sequence[Written],
    others: Mapping[str, tuple[str, ...]],
    listings: Sequence[Sequence[Slot]],
    rules: Sequence[Sequence[Slot]],
    types_by_name: Mapping[str, tuple[str, ...]],
) -> Iterator[Written]:
    """The keyword-only parameters, including NumPy's words."""
    names = {written.name for written in placed}
    slots = {s.name: s for listed in reversed(listings) for s in listed}
    for name in [*others, *(slot.name for listed in listings for slot in listed)]:
        slot = slots[name]
        if name in names or slot.kind == "keywords":
            continue
        names.add(name)
        types = others.get(name) or _types(slot, -1, rules, types_by_name)
        each = [s for listed in listings for s in listed if s.name == name]
        required = len(each) == len(listings) and all(
            s.default is REQUIRED and s.kind == "keyword" for s in each
        )
        yield _written(name, "keyword", types, each, required)
    for slot in slots.values():
        if slot.kind == "keywords":
            yield Written(slot.name, "keywords", "Any", "")


def _variadic(rules: Sequence[Sequence[Slot]], documents: Sequence[Sequence[Slot]]) -> int:
    """The place from which several arguments are taken; -1 if there is none.

    A method takes sizes one by one, a function whose first argument is a tensor does not: where
    both share a rule, the documentation decides.
    """
    for listed in documents or rules:
        for place, slot in enumerate(listed):
            if slot.kind == "variadic":
                return place
    return -1


def _types(
    slot: Slot,
    place: int,
    rules: Sequence[Sequence[Slot]],
    types_by_name: Mapping[str, tuple[str, ...]],
) -> tuple[str, ...]:
    """The types of a parameter, from the rule that has it by name or at the same place."""
    if slot.types is not None:
        return slot.types
    for name in (slot.name, *keyword_names.TORCH.get(slot.name, ())):
        if name in types_by_name:
            return types_by_name[name]
    if slot.name in BY_NAME:
        return BY_NAME[slot.name]
    beside = [rule[place] for rule in rules if 0 <= place < len(rule)]
    return tuple(type_ for s in beside if s.kind != "keyword" for type_ in s.types or ()) or (
        "Any",
    )


def union(types: Iterable[str]) -> str:
    """These types as one, None last."""
    members = dict.fromkeys(types)
    if not members or "Any" in members:
        return "Any"
    if "DimRefs" in members:
        members.pop("DimRef", None)
    if "Sizes" in members:
        members.pop("Index", None)
    if members.pop("None", "") is None:
        members["None"] = None
    return " | ".join(members)


def _written(
    name: str, kind: str, types: tuple[str, ...], slots: Sequence[Slot], required: bool
) -> Written:
    if required:
        return Written(name, kind, union(types), "")
    defaults = [s.default for s in slots if s.name == name and s.default is not REQUIRED]
    default = next((text for d in defaults if (text := _default(d, types))), "...")
    if default == "None" and "Any" not in types:
        types = (*types, "None")
    return Written(name, kind, union(types), default)


def _default(value: Any, types: tuple[str, ...]) -> str:
    """The text of a default if it has one of the types, or an empty text."""
    if value is None:
        return "None"
    accepting = _LITERALS.get(type(value), set())
    if type(value) not in _LITERALS or not {"Any", *accepting} & set(types):
        return ""
    if isinstance(value, float) and not isfinite(value):
        return ""
    return f'"{value}"' if isinstance(value, str) else repr(value)


_LITERALS: Final[Mapping[type, set[str]]] = {
    bool: {"_bool"},
    int: {"Index", "DimRef", "DimRefs", "Sizes", "Operand", "_float"},
    float: {"Operand", "_float"},
    str: {"_str"},
}
"""Defaults that are written out, and the types that have them."""

# -- results ---------------------------------------------------------------------------------------

RESULTS: Final = {
    "Shape": "Tensor",
    "Shapes": "tuple[Tensor, ...]",
    "tuple[Shape, ...]": "tuple[Tensor, ...]",
    "tuple[Shape, object]": "tuple[Tensor, Any]",
    "Size": "_int",
    "Sizes": "Size",
    "Flag": "_bool",
    "DType": "Any",
    "int": "_int",
    "str": "_str",
    "None": "None",
    "object": "Any",
}
"""The types of rules' results; a fixed number of results is a tuple."""


def alternatives(returns: str) -> list[str]:
    """The types that a rule may return by its annotation, without UNKNOWN."""
    return [type_ for type_ in returns.split(" | ") if type_ != "Unknown"]


def result_of(spelling: Spelling, returns: str) -> str:
    """The type of a call's result."""
    first, *others = alternatives(returns)
    if first == "Shape" and not others:
        if spelling.path.startswith("Tensor.") and spelling.path.endswith("_"):
            return "Self" if stays(spelling) else "Tensor"
        return "Tensor[*Dims]" if keeps(spelling) else "Tensor"
    result = RESULTS.get(first)
    if result is None:
        count = first.count("Shape")
        fields = spelling.op.fields
        plain_tuple = f"tuple[{', '.join(['Tensor'] * count)}]"
        result = class_of(fields) if len(fields) == count else plain_tuple
    return " | ".join((result, *others))


def class_of(fields: Sequence[str]) -> str:
    """The type of a result of several tensors with these field names."""
    words = [word for field in fields for word in field.split("_")]
    return "".join(word[:1].upper() + word[1:] for word in words)


def classes() -> Iterator[str]:
    """The source of the types of all results with named fields."""
    for fields in sorted({op.fields for op in OPS.values() if op.fields}, key=class_of):
        yield f"class {class_of(fields)}(NamedTuple):"
        yield from (f"    {field}: Tensor" for field in fields)
        yield ""


def asked(spelling: Spelling, dims: tuple[Dim, ...]) -> Any:
    """The answer of the rules for a tensor of these dims if nothing else is known.

    It is None if they refuse the dims, and UNKNOWN if they differ.
    """
    answers: list[Any] = []
    for rule in spelling.op.rules:
        if not rule.parameters or not {"Dims", "Shape", "Operand"} & set(rule.parameters[0].takes):
            return UNKNOWN
        rest = rule.parameters[1:]
        arguments = [dims, *(UNKNOWN for p in rest if p.kind in ("positional", "variadic"))]
        keywords = {p.name: UNKNOWN for p in rest if p.kind == "keyword"}
        try:
            answers.append(infer(spelling, arguments, keywords).result)
        except (Mistake, Unbindable):
            continue
    return next(iter(answers), None) if all(answer == answers[0] for answer in answers) else UNKNOWN


PROBES: Final = tuple(
    tuple(Dim(name, size) for name, size in zip(names[:rank], sizes, strict=False))
    for names in ("ABCD", (None,) * 4)
    for sizes in ((2, 3, 5, 7), (UNKNOWN,) * 4)
    for rank in range(5)
)
"""Dims with and without names and sizes, of each rank."""


def keeps(spelling: Spelling) -> bool:
    """Whether the result has the dims of the first operand, whatever the other arguments are.

    If a rule knows none of the other arguments, its answer holds for all of them (tests/laws).
    """
    answered = [(dims, answer) for dims in PROBES if (answer := asked(spelling, dims)) is not None]
    return len(answered) > 1 and all(answer == dims for dims, answer in answered)


def stays(spelling: Spelling) -> bool:
    """Whether a tensor that is written in place keeps its dims; names may be added."""
    if spelling.op.reshapes:
        return False
    for dims in PROBES:
        answer = asked(spelling, dims)
        if answer is None:
            continue
        if not isinstance(answer, tuple) or len(answer) != len(dims):
            return False
        if any(d.name is not None and a.name != d.name for a, d in zip(answer, dims, strict=True)):
            return False
    return True


def depends(returns: str) -> bool:
    """Whether the arguments of a call decide the number of results."""
    return returns == "Any" or len({*alternatives(returns)} - {"None"}) > 1


def flagged(spelling: Spelling, rule: Rule) -> Iterator[tuple[tuple[str, ...], str]]:
    """The results of a rule whose flags decide the number of results.

    Each item is a set of true flags and the return type in the words of `declare`.
    """
    flags = [p.name for p in rule.parameters if p.default is False]
    plain = _returned(rule, ())
    flags = [name for name in flags if _returned(rule, (name,)) != plain]
    for chosen in product((False, True), repeat=len(flags)):
        true = tuple(name for name, on in zip(flags, chosen, strict=True) if on)
        yield true, _returned(rule, true)


def _returned(rule: Rule, true: Sequence[str]) -> str:
    """The return type of a rule with these flags, in the words of `declare`."""
    kinds: list[str] = []
    for rank in range(1, 6):
        dims = tuple(Dim(None, 8) for _ in range(rank))
        arguments = {p.name: _some(p, dims) for p in rule.parameters if p.default is REQUIRED}
        try:
            answer = rule.function(**arguments, **dict.fromkeys(true, True))
        except (Mistake, TypeError):
            continue
        several = isinstance(answer, tuple) and answer and not isinstance(answer[0], Dim)
        kinds.append(f"tuple[{', '.join(['Shape'] * len(answer))}]" if several else "Shape")
    if not kinds:
        return "object"
    return kinds[0] if len(set(kinds)) == 1 else "Shapes"


def _some(parameter: Parameter, dims: tuple[Dim, ...]) -> Any:
    """An argument that a parameter accepts."""
    if {"Dims", "Shape", "Operand"} & set(parameter.takes):
        return dims
    return 2


# -- signatures as written -------------------------------------------------------------------------


class Signature(NamedTuple):
    """One signature of a method or function."""

    parameters: tuple[Written, ...]
    result: str


def signatures_of(spelling: Spelling) -> list[Signature]:
    """The signatures of a spelling: one, or one per possible kind of result."""
    path, method = spelling.path, spelling.path.startswith("Tensor.")
    groups: dict[str, list[Rule]] = {}
    for rule in spelling.op.rules:
        groups.setdefault(rule.returns, []).append(rule)
    every = [*documented(path)]
    if len(groups) == 1 and not depends(next(iter(groups))):
        (returns,) = groups
        slots = [rule_slots(rule, method) for rule in groups[returns]]
        parameters = [*merged(slots, every), *_places_of_dims(spelling)]
        if spelling.op.itself:  # it returns its argument
            first, *rest = parameters
            return [Signature((first._replace(type="Own"), *rest), "Own")]
        return [Signature(tuple(twins(parameters)), result_of(spelling, returns))]
    signatures: list[Signature] = []
    theirs = {p.name for rule in spelling.op.rules for p in rule.parameters}
    for returns, rules in groups.items():
        slots = [rule_slots(rule, method) for rule in rules]
        mine = {slot.name for listed in slots for slot in listed}
        names = mine | (BY_NAME.keys() - theirs)
        fitting = [[slot for slot in listed if slot.name in names] for listed in every]
        fitting = [listed for listed in fitting if any(_fits(listed, rule) for rule in slots)]
        needed = {name for name in mine if all(_needs(rule, name) for rule in slots)}
        parameters = [
            p._replace(default="") if p.name in needed else p for p in merged(slots, fitting)
        ]
        if depends(returns):
            (rule,) = rules
            signatures += by_flags(spelling, rule, parameters)
        else:
            signatures += [
                Signature(choice, result_of(spelling, returns))
                for choice in twins_apart(parameters)
            ]
    return signatures


def _places_of_dims(spelling: Spelling) -> Iterator[Written]:
    """XLA's keyword, which ops on two operands accept (see `dispatch.call`)."""
    op = spelling.op
    if op.memory is Memory.POINTWISE and not spelling.inplace:
        if all(sum("Operand" in p.takes for p in rule.parameters) == 2 for rule in op.rules):
            yield Written("broadcast_dimensions", "keyword", "Sequence[Index] | None", "None")


def _fits(listed: Sequence[Slot], rule: Sequence[Slot]) -> bool:
    """Whether a documented signature has all that a rule needs."""
    names = {slot.name for slot in listed}
    return all(slot.name in names for slot in rule if slot.default is REQUIRED)


def _needs(rule: Sequence[Slot], name: str) -> bool:
    return any(slot.name == name and slot.default is REQUIRED for slot in rule)


def by_flags(spelling: Spelling, rule: Rule, parameters: Sequence[Written]) -> Iterator[Signature]:
    """A signature for each set of flags, and one for flags with values known only at runtime."""
    results = list(flagged(spelling, rule))
    names = {name for true, _ in results for name in true}
    for true, returns in results:
        before = [_literal(p, p.name in true) if p.name in names else p for p in parameters]
        ordered = sorted(before, key=lambda p: _KINDS.index(p.kind))
        yield Signature(tuple(twins(ordered)), result_of(spelling, returns))
    if names:
        yield Signature(tuple(twins(parameters)), "Any")


_KINDS: Final = ("positional", "variadic", "keyword", "keywords")


def _literal(parameter: Written, value: bool) -> Written:
    """A flag with a literal value: True must be passed, and by name."""
    if value:
        return parameter._replace(type="Literal[True]", kind="keyword", default="")
    return parameter._replace(type="Literal[False]", default="False")


_TWINS: Final = {("axis", "dim"), ("axes", "dims"), ("keepdims", "keepdim")}


def _words_for(name: str, names: Iterable[str]) -> list[str]:
    """NumPy's words for a parameter that PyTorch accepts, too."""
    return [
        word
        for word, stands_for in keyword_names.TORCH.items()
        if (word, name) in _TWINS and name in stands_for and word not in names
    ]


def twins(parameters: Sequence[Written]) -> list[Written]:
    """The parameters with NumPy's words beside PyTorch's: `axis` beside `dim`."""
    names = {p.name for p in parameters}
    plain: list[Written] = []
    also: list[Written] = []
    optional = False
    for parameter in parameters:
        others = [] if parameter.kind == "variadic" else _words_for(parameter.name, names)
        if parameter.kind == "variadic" and parameter.name.lstrip("_") not in names:
            others = _words_for(parameter.name.lstrip("_"), names)
        optional = optional or bool(others)
        if optional and not parameter.default and parameter.kind == "positional":
            parameter = parameter._replace(default="...")
        elif others and parameter.kind == "keyword" and not parameter.default:
            parameter = parameter._replace(default="...")
        plain.append(parameter)
        also += [
            Written(word, "keyword", parameter.type, parameter.default or "...") for word in others
        ]
    last = [p for p in plain if p.kind == "keywords"]
    return [*(p for p in plain if p.kind != "keywords"), *also, *last]


def twins_apart(parameters: Sequence[Written]) -> Iterator[tuple[Written, ...]]:
    """Signatures with PyTorch's words and with NumPy's, for parameters that are required."""
    names = {p.name for p in parameters}
    needed = [p for p in parameters if not p.default and _words_for(p.name, names)]
    if not needed:
        yield tuple(twins(parameters))
        return
    optional = [p for p in parameters if p not in needed]
    aliases = [p for p in twins(optional) if p not in parameters]
    yield (*parameters, *aliases)
    renamed = [
        Written(_words_for(p.name, names)[0], "keyword", p.type, "") if p in needed else p
        for p in parameters
    ]
    place = next(k for k, p in enumerate(parameters) if p in needed)
    yield (
        *renamed[:place],
        *(p._replace(kind="keyword") if p.kind == "positional" else p for p in renamed[place:]),
        *aliases,
    )
