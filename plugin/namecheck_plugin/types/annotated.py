"""The dims in annotations of arrays: `Float[torch.Tensor, "b t c"]`, `Annotated[Tensor, "N C"]`.

To a type checker all of these are `typing.Annotated`, whose text mypy forgets.  The plugin stores
it in the type of the array: mypy carries it through signatures, attributes and its cache, and loses
it where two types are joined.  In an alias (`Img = Float[Tensor, "c h w"]`) mypy drops the text
before it asks a plugin (python/mypy#17514).
"""

from __future__ import annotations

from typing import Any, Final

from mypy.errorcodes import VALID_TYPE
from mypy.plugin import AnalyzeTypeContext
from mypy.types import (
    AnyType,
    EllipsisType,
    ExtraAttrs,
    Instance,
    LiteralType,
    NoneType,
    RawExpressionType,
    TupleType,
    Type,
    TypeList,
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
from namecheck_runtime.notation.jaxtyping import read_jaxtyping, require_parts
from namecheck_runtime.notation.syntax import NotationError, WrittenShape

NAMES: Final = frozenset({"typing.Annotated", "typing_extensions.Annotated"})

_TEXT: Final = "dims of namecheck"
"""The attribute that holds the text; no program can read an attribute of this name."""


def analyze(context: AnalyzeTypeContext) -> Type:
    """The type that an annotation stands for, with the dims if it is an array."""
    unbound, api = context.type, context.api
    plain = unbound.name.rpartition(".")[2] == "Annotated"
    if not plain and unbound.args and not _has_parts(unbound, context):
        return AnyType(TypeOfAny.from_error)
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
    return _annotated(inner, text, plain, context)


def _has_parts(unbound: UnboundType, context: AnalyzeTypeContext) -> bool:
    """Whether an annotation of jaxtyping's has a type and a string; it is reported otherwise."""
    parts = unbound.args
    written = f"{unbound.name}[{', '.join(map(_as_written, parts))}]"
    try:
        require_parts(written, len(parts), _may_be_text(parts[-1]))
    except NotationError as error:
        _fail(error, context)
        return False
    return True


def _as_written(part: Type) -> str:
    if isinstance(part, RawExpressionType):
        return repr(part.literal_value)
    if isinstance(part, UnboundType):
        text = part.original_str_expr
        return part.name if text is None else repr(text)
    return "..."


def _may_be_text(part: Type) -> bool:
    if isinstance(part, RawExpressionType):
        return isinstance(part.literal_value, str)
    return not isinstance(part, (EllipsisType, NoneType, TypeList))


def _fail(error: NotationError, context: AnalyzeTypeContext) -> None:
    mistake = BadAnnotation(
        annotation=error.text, reason=error.reason, span=(error.start, error.end)
    )
    context.api.fail(mistake.message(), context.context, code=codes.of_rule(mistake.code))


def analyze_tensor(context: AnalyzeTypeContext) -> Type:
    """`Tensor[L["N"], L[3]]`: the text holds a written size, and the type argument is any `int`.

    mypy forgets the sizes of variables, so a type that required one would refuse tensors that fit.
    """
    unbound = context.type
    analyzer: Any = context.api
    symbol = analyzer.lookup_qualified(unbound.name, unbound)
    arguments = unbound.args, unbound, unbound.empty_tuple_index
    type_: Type = analyzer.analyze_type_with_type_info(symbol.node, *arguments)
    proper = get_proper_type(type_)
    return _unsized(proper, context) if isinstance(proper, Instance) else type_


def _unsized(tensor: Instance, context: AnalyzeTypeContext) -> Instance:
    """A tensor whose sizes are in its text instead of its type arguments."""
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
    copy = array.copy_modified()
    copy.extra_attrs = ExtraAttrs({_TEXT: LiteralType(text, string)}, set(), None)
    return copy


def _text_of(argument: Type) -> str | None:
    """The string in a type argument, which mypy takes for a quoted type; None if it is not one."""
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
        if not plain:  # `Annotated` may hold any text
            _fail(error, context)
        return inner
    if plain:
        return _with_names(proper, written, context) if dims.tensor_info(proper.type) else inner
    inner_text = text_of(proper)
    if inner_text is not None:
        text = f"{text} {inner_text}".strip()  # `Float[Image, "b"]` puts its dims in front
    return _with_text(proper, text, context)


def _with_names(tensor: Instance, written: WrittenShape, context: AnalyzeTypeContext) -> Type:
    """Our tensor with the written names: `Annotated[Tensor, "N C"]`."""
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
    """The text of the dims that an annotation writes, also for an optional array; None if it writes
    none, or several different ones.
    """
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        items = map(get_proper_type, proper.items)
        texts = {text_of(item) for item in items if not isinstance(item, NoneType)}
        return texts.pop() if len(texts) == 1 else None
    if not isinstance(proper, Instance) or proper.extra_attrs is None:
        return None
    text = proper.extra_attrs.attrs.get(_TEXT)
    return text.value if isinstance(text, LiteralType) and isinstance(text.value, str) else None


def mentions(type_: Type | None) -> bool:
    """Whether a type is an array with written dims, or a tuple that holds one."""
    proper = get_proper_type(type_)
    if isinstance(proper, TupleType):
        return any(map(mentions, proper.items))
    return text_of(type_) is not None


def written_in(type_: Type | None) -> WrittenShape | None:
    """The shape that an annotation writes; None if it writes none."""
    text = text_of(type_)
    return None if text is None else read_jaxtyping(text)
