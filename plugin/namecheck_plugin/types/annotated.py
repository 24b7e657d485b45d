"""What annotations say of arrays: `Float[torch.Tensor, "b t c"]`, `Annotated[Tensor, "N C"]`.

To a type checker all of them are `typing.Annotated`, whose text mypy forgets.  It is kept in the
type of an array: mypy carries it through signatures, attributes and its cache, and forgets it where
two types are joined.  In an alias (`Img = Float[Tensor, "c h w"]`) mypy drops it before anybody is
asked (python/mypy#17514).
"""

from __future__ import annotations

from typing import Any, Final

from mypy.errorcodes import VALID_TYPE
from mypy.plugin import AnalyzeTypeContext
from mypy.types import (
    AnyType,
    ExtraAttrs,
    Instance,
    LiteralType,
    NoneType,
    RawExpressionType,
    TupleType,
    Type,
    TypeOfAny,
    UnboundType,
    UnionType,
    UnpackType,
    get_proper_type,
)

from namecheck_plugin import codes
from namecheck_plugin.types import dims
from namecheck_plugin.types.surface import owner_of
from namecheck_runtime.mistakes.claims import BadAnnotation
from namecheck_runtime.notation.jaxtyping import read_jaxtyping
from namecheck_runtime.notation.syntax import NotationError, WrittenShape

NAMES: Final = frozenset({"typing.Annotated", "typing_extensions.Annotated"})

_TEXT: Final = "dims of namecheck"
"""The attribute that holds the text; no program can read an attribute of this name."""


def analyze(context: AnalyzeTypeContext) -> Type:
    """The type that an annotation stands for, with its dims where it is one of an array."""
    unbound, api = context.type, context.api
    if len(unbound.args) < 2:
        api.fail(
            "Annotated[...] must have exactly one type argument and at least one annotation",
            unbound,
            code=VALID_TYPE,
        )
        return AnyType(TypeOfAny.from_error)
    analyzer: Any = api
    forms = analyzer.allow_typed_dict_special_forms
    inner: Type = analyzer.anal_type(unbound.args[0], allow_typed_dict_special_forms=forms)
    text = _text_of(unbound.args[1])
    if text is None:
        return inner
    plain = unbound.name.rpartition(".")[2] == "Annotated"
    return _annotated(inner, text, plain, context)


def analyze_tensor(context: AnalyzeTypeContext) -> Type:
    """`Tensor[L["N"], L[3]]`: a size that is written is kept as text, and the dim is any `int`.

    mypy forgets the sizes of variables; if the type asked for one, what fits would be refused.
    """
    unbound = context.type
    analyzer: Any = context.api
    found = analyzer.lookup_qualified(unbound.name, unbound)
    arguments = unbound.args, unbound, unbound.empty_tuple_index
    type_: Type = analyzer.analyze_type_with_type_info(found.node, *arguments)
    proper = get_proper_type(type_)
    return _unsized(proper, context) if isinstance(proper, Instance) else type_


def _unsized(tensor: Instance, context: AnalyzeTypeContext) -> Instance:
    """A tensor whose sizes are text instead of types."""
    if not any(map(_is_size, tensor.args)):
        return tensor
    text = " ".join(map(_word_of, tensor.args))
    number: Type = context.api.named_type("builtins.int", [])
    unsized = [number if _is_size(argument) else argument for argument in tensor.args]
    return _with_text(tensor.copy_modified(args=unsized), text, context)


def _is_size(argument: Type) -> bool:
    proper = get_proper_type(argument)
    return isinstance(proper, LiteralType) and isinstance(dims.read_dim(proper).size, int)


def _word_of(argument: Type) -> str:
    if isinstance(argument, UnpackType):
        return "..."
    size = dims.read_dim(argument).size
    return str(size) if isinstance(size, int) else "_"


def _with_text(array: Instance, text: str, context: AnalyzeTypeContext) -> Instance:
    string = context.api.named_type("builtins.str", [])
    said = array.copy_modified()
    said.extra_attrs = ExtraAttrs({_TEXT: LiteralType(text, string)}, set(), None)
    return said


def _text_of(argument: Type) -> str | None:
    """A string among the arguments of a type, which mypy takes for a type in quotes."""
    if isinstance(argument, UnboundType):
        return argument.original_str_expr
    if isinstance(argument, RawExpressionType) and isinstance(argument.literal_value, str):
        return argument.literal_value
    return None


def _annotated(inner: Type, text: str, plain: bool, context: AnalyzeTypeContext) -> Type:
    proper = get_proper_type(inner)
    if isinstance(proper, UnionType):
        return UnionType([_annotated(item, text, plain, context) for item in proper.items])
    if not isinstance(proper, Instance) or owner_of(proper.type) is None:
        return inner
    try:
        written = read_jaxtyping(text)
    except NotationError as error:
        if not plain:  # what stands in `Annotated` may be any text
            mistake = BadAnnotation(
                annotation=text, reason=error.reason, span=(error.start, error.end)
            )
            code = codes.of_rule(mistake.code)
            context.api.fail(mistake.message(), context.context, code=code)
        return inner
    if plain:
        return _with_names(proper, written, context) if dims.tensor_info(proper.type) else inner
    before = text_of(proper)
    if before is not None:
        text = f"{text} {before}".strip()  # `Float[Image, "b"]` puts its dims in front
    return _with_text(proper, text, context)


def _with_names(tensor: Instance, written: WrittenShape, context: AnalyzeTypeContext) -> Type:
    """Our tensor with the names that are written: `Annotated[Tensor, "N C"]`."""
    arguments: list[Type] = []
    string = context.api.named_type("builtins.str", [])
    anything = AnyType(TypeOfAny.special_form)
    for dim in written.dims:
        if dim.many:
            many = context.api.named_type("builtins.tuple", [anything])
            arguments.append(UnpackType(many))
        elif isinstance(dim.term, str):
            arguments.append(LiteralType(dim.term, string))
        elif isinstance(dim.term, int):
            number = context.api.named_type("builtins.int", [])
            arguments.append(LiteralType(dim.term, number))
        else:
            arguments.append(anything)
    return _unsized(tensor.copy_modified(args=arguments), context)


def text_of(type_: Type | None) -> str | None:
    """The dims that an annotation wrote, also of what may be None; None where it wrote none, or
    several.
    """
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        items = map(get_proper_type, proper.items)
        texts = {text_of(item) for item in items if not isinstance(item, NoneType)}
        return texts.pop() if len(texts) == 1 else None
    if not isinstance(proper, Instance) or proper.extra_attrs is None:
        return None
    kept = proper.extra_attrs.attrs.get(_TEXT)
    return kept.value if isinstance(kept, LiteralType) and isinstance(kept.value, str) else None


def mentions(type_: Type | None) -> bool:
    """Whether dims are written of an array, or of one in a tuple."""
    proper = get_proper_type(type_)
    if isinstance(proper, TupleType):
        return any(map(mentions, proper.items))
    return text_of(type_) is not None


def written_in(type_: Type | None) -> WrittenShape | None:
    """The shape that an annotation wrote."""
    text = text_of(type_)
    return None if text is None else read_jaxtyping(text)
