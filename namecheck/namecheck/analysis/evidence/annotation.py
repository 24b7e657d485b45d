"""What an annotation declares of a value: `Float[Tensor, "b t c"]`, in all its forms.

It may stand behind an alias, in quotes, in a union, inside `tuple[...]` and `list[...]`, as
`Annotated[Tensor, "B T C"]`, as torchtyping's `TensorType["b", 3]`, and as our own `Tensor[L["N"],
L["C"]]`. `declarations` and `fields` say what follows from it at a function, a call or a class.
Source: jaxtyping, "Array annotations".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.annotation_strings import read_forward
from namecheck.analysis.state.values import Alias, Library
from namecheck.frameworks import TENSOR_TYPES, jax, jaxtyping, python, torch, torchtyping
from namecheck_runtime.mistakes.claims import BadAnnotation
from namecheck_runtime.notation.comments import read_comment
from namecheck_runtime.notation.jaxtyping import read_jaxtyping, require_parts
from namecheck_runtime.notation.syntax import (
    Arithmetic,
    NotationError,
    Term,
    WrittenDim,
    WrittenShape,
    names_of,
)
from namecheck_runtime.notation.words import LETTER, STRONG, weigh

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Frame
    from namecheck.terms import Terms


class Declared(NamedTuple):
    """What an annotation declares of a tensor."""

    written: WrittenShape | None
    """None: a tensor of any shape."""
    text: str
    node: ir.Expression
    kind: str = "unknown"
    library: str = ""
    optional: bool = False
    """Whether it may be None instead."""
    named: tuple[str | None, ...] | None = None
    """The names of its dims, exactly."""


class OneOf(NamedTuple):
    """Tensors of several shapes, any of which may be meant; `open`: or not a tensor at all."""

    options: tuple[Declared, ...]
    optional: bool
    open: bool


class Several(NamedTuple):
    """`tuple[a, b]`; None where nothing is declared."""

    parts: tuple[Declaration | None, ...]


class Each(NamedTuple):
    """`list[a]`, `tuple[a, ...]`."""

    element: Declaration


Declaration: TypeAlias = Declared | OneOf | Several | Each


def is_alias(ev: Evaluator, annotation: ir.Expression) -> bool:
    """Whether `Img: TypeAlias = ...` makes a name for a type."""
    return _path(ev, annotation).rpartition(".")[2] == "TypeAlias"


def read(ev: Evaluator, annotation: ir.Expression | None) -> Declaration | None:
    """What an annotation declares of tensors, None if nothing; NC403 if it does not parse."""
    if annotation is None:
        return None
    if isinstance(annotation, (ir.Name, ir.Attribute)):
        value = ev.resolve(ev.value(annotation))
        if isinstance(value, Alias):
            return value.declaration  # type: ignore[no-any-return]
        library = _tensor_type(value.path) if isinstance(value, Library) else None
        return None if library is None else Declared(None, "", annotation, "unknown", library)
    if isinstance(annotation, ir.Subscript):
        declaration = _read_subscript(ev, annotation.value, annotation.index, annotation)
        terms = ev.frame.source.file.terms
        return _in_terms(terms, declaration) if terms.words else declaration
    if isinstance(annotation, ir.Str):
        inner = read_forward(annotation.value, annotation.id)
        return None if inner is None or isinstance(inner, ir.Str) else read(ev, inner)
    if isinstance(annotation, ir.Binary) and annotation.operator == "|":
        return _union(ev, [*_options(annotation.left), *_options(annotation.right)])
    return None


def of_result(ev: Evaluator, frame: Frame, documented: bool) -> None:
    """Read the annotation of a function's result before its body is run: it has to parse."""
    if frame.function is not None and isinstance(frame.function.record, ir.FunctionDef):
        read(ev, frame.function.record.returns)


def _in_terms(terms: Terms, declaration: Declaration | None) -> Declaration | None:
    """A declaration of one tensor in the words of the project."""
    if not isinstance(declaration, Declared) or declaration.written is None:
        return declaration
    dims = tuple(
        dim._replace(term=_renamed(terms, dim.term), alias=terms.name(dim.alias))
        for dim in declaration.written.dims
    )
    written = declaration.written._replace(dims=dims)
    return declaration._replace(written=written, named=terms.name(declaration.named))


def _renamed(terms: Terms, term: Term | None) -> Term | None:
    if isinstance(term, Arithmetic):
        left, right = _renamed(terms, term.left), _renamed(terms, term.right)
        assert left is not None
        assert right is not None
        return Arithmetic(term.operator, left, right)
    return terms.name(term)  # type: ignore[no-any-return]


def _options(node: ir.Expression) -> list[ir.Expression]:
    if isinstance(node, ir.Binary) and node.operator == "|":
        return [*_options(node.left), *_options(node.right)]
    return [node]


def _union(ev: Evaluator, options: Sequence[ir.Expression]) -> Declaration | None:
    optional = is_open = False
    declared_options: list[Declared] = []
    for option in options:
        if isinstance(option, ir.NoneLiteral):
            optional = True
            continue
        declaration = read(ev, option)
        if isinstance(declaration, Declared):
            declared_options.append(declaration)
        elif isinstance(declaration, OneOf):
            declared_options += declaration.options
            optional = optional or declaration.optional
            is_open = is_open or declaration.open
        elif declaration is None and _path(ev, option).rpartition(".")[2] in python.PLAIN:
            is_open = True
        else:
            return None
    if not declared_options:
        return None
    optional = optional or any(one.optional for one in declared_options)
    if len(declared_options) == 1 and not is_open:
        return declared_options[0]._replace(optional=optional)
    return OneOf(tuple(declared_options), optional, is_open)


def _path(ev: Evaluator, node: ir.Expression) -> str:
    """The dotted path of what an annotation names; of `x[...]` that of x."""
    match node:
        case ir.Subscript(base, _):
            return _path(ev, base)
        case ir.Name() | ir.Attribute():
            value = ev.resolve(ev.value(node))
            return value.path if isinstance(value, Library) else ""
    return ""


def _tensor_type(path: str) -> str | None:
    """The library whose tensor type this is; None if it is not a tensor type."""
    return jax.TENSOR if path == jaxtyping.ARRAY else TENSOR_TYPES.get(path)


def _read_subscript(
    ev: Evaluator, base: ir.Expression, index: ir.Expression, node: ir.Expression
) -> Declaration | None:
    path = _path(ev, base)
    name = path.rpartition(".")[2]
    parts = index.elements if isinstance(index, ir.Tuple) else (index,)
    if path.startswith(python.TYPING):
        return _read_generic(ev, name, index, parts)
    if path.startswith(jaxtyping.TYPES) and name in jaxtyping.DTYPES:
        match parts:
            case (array, ir.Str(text)):
                return _read_jaxtyping(ev, name, array, text, parts[1])
        return _read_parts(ev, name, parts, node)
    if path == torchtyping.TENSOR_TYPE:
        return _read_torchtyping(parts, node)
    if path in torch.NAMED_TYPES:
        return _read_named(ev, parts, node)
    if _tensor_type(path) is not None:  # `NDArray[np.float32]`
        return Declared(None, "", node, "unknown", _tensor_type(path) or "")
    match base, parts:
        # `Float["b n"]`: a shorthand that some projects have, without the array's type.
        case ir.Name(word), (ir.Str(text),) if word in jaxtyping.DTYPES:
            try:
                written = read_jaxtyping(text)
            except NotationError:
                return None
            return Declared(written, text, parts[0], jaxtyping.KINDS.get(word, "unknown"), "")
    return None


def _read_generic(
    ev: Evaluator, name: str, index: ir.Expression, parts: Sequence[ir.Expression]
) -> Declaration | None:
    if name == "Optional":
        return _union(ev, [*_options(index), ir.NoneLiteral(index.id)])
    if name == "Union":
        return _union(ev, [option for part in parts for option in _options(part)])
    if name == "Annotated" and len(parts) >= 2:
        return _read_annotated(ev, parts[0], parts[1])
    if name in python.QUALIFIERS and len(parts) == 1:
        return read(ev, index)
    if name in ("tuple", "Tuple"):
        if len(parts) == 2 and isinstance(parts[1], ir.EllipsisLiteral):
            element = read(ev, parts[0])
            return None if element is None else Each(element)
        read_parts = tuple(read(ev, part) for part in parts)
        return Several(read_parts) if any(part is not None for part in read_parts) else None
    if name in python.SEQUENCES and len(parts) == 1:
        element = read(ev, index)
        return None if element is None else Each(element)
    return None


def _read_jaxtyping(
    ev: Evaluator, name: str, array: ir.Expression, text: str, node: ir.Expression
) -> Declared:
    kind = jaxtyping.KINDS.get(name, "unknown")
    inner = read(ev, array) if isinstance(array, (ir.Name, ir.Attribute, ir.Subscript)) else None
    library = inner.library if isinstance(inner, Declared) else ""
    try:
        written = read_jaxtyping(text)
    except NotationError as error:
        _blame(ev, error, node)
        return Declared(None, "", node, kind, library)
    if isinstance(inner, Declared) and inner.written is not None:
        # `Float[Image, "b"]` puts its dims in front of those of `Image`.
        text = f"{text} {inner.text}".strip()
        several = sum(dim.many for dim in (*written.dims, *inner.written.dims))
        if several > 1:
            return Declared(None, "", node, kind, library)
        written = WrittenShape((*written.dims, *inner.written.dims), 0, len(text))
    return Declared(written, text, node, kind, library)


def is_postponed(ev: Evaluator) -> bool:
    """Whether Python does not evaluate the annotations of the current module."""
    feature = ev.frame.module().variables.get("annotations")
    return isinstance(feature, Library) and feature.path == python.POSTPONED


_NO_DIMS: Final = (
    ir.Int,
    ir.Float,
    ir.Bool,
    ir.Bytes,
    ir.NoneLiteral,
    ir.EllipsisLiteral,
    ir.Tuple,
)
"""What no string is."""


def _read_parts(
    ev: Evaluator, name: str, parts: Sequence[ir.Expression], node: ir.Expression
) -> Declared | None:
    """An annotation of jaxtyping's whose dims are not written as one string (NC403).

    It raises where Python evaluates it: not under `from __future__ import annotations`.
    """
    if is_postponed(ev):
        return None
    text = ir.describe(node)
    try:
        require_parts(text, len(parts), not isinstance(parts[-1], _NO_DIMS))
    except NotationError as error:
        _blame(ev, error, node)
    return None


def _blame(ev: Evaluator, error: NotationError, node: ir.Expression) -> None:
    question = (node.id, "annotation")
    ev.frame.look(question)
    mistake = BadAnnotation(
        annotation=error.text, reason=error.reason, span=(error.start, error.end)
    )
    # Python does not evaluate a postponed annotation, so that nothing raises. Nor does anything
    # where jaxtyping takes a string at its word until it checks an array.
    level = "warning" if error.is_late or is_postponed(ev) else "error"
    ev.blame(mistake, level, node, {}, question=question)


def _read_annotated(
    ev: Evaluator, tensor_type: ir.Expression, metadata: ir.Expression
) -> Declaration | None:
    """`Annotated[Tensor, "B T C"]`; prose there declares nothing."""
    declared = read(ev, tensor_type)
    if not isinstance(declared, Declared) or not isinstance(metadata, ir.Str):
        return declared
    written = _shape_in(metadata.value)
    if declared.written is not None or written is None:
        return declared
    return declared._replace(written=written, text=metadata.value, node=metadata)


def _shape_in(text: str) -> WrittenShape | None:
    claims = read_comment(text)
    if claims:
        (claim, *more) = claims
        is_whole = claim.confidence == "whole" and not claim.before and claim.label is None
        return (
            claim.alternatives[0]
            if is_whole and not more and len(claim.alternatives) == 1
            else None
        )
    try:
        written = read_jaxtyping(text)
    except NotationError:
        return None
    names = [name for dim in written.dims for name in names_of(dim.term)]
    plain = all(dim.term is not None or dim.many for dim in written.dims)
    return written if plain and all(weigh(name) in (STRONG, LETTER) for name in names) else None


def _read_torchtyping(parts: Sequence[ir.Expression], node: ir.Expression) -> Declared | None:
    """`TensorType["batch", 3, ..., -1, "x": 4, torch.float]`.  Source: torchtyping."""
    dims: list[WrittenDim] = []
    for part in parts:
        match part:
            case ir.Str(name) if name.isidentifier():
                dims.append(WrittenDim(name, 0, 0))
            case ir.Int(size):
                dims.append(WrittenDim(size, 0, 0))
            case ir.Unary("-", ir.Int(1)):
                dims.append(WrittenDim(None, 0, 0))
            case ir.EllipsisLiteral():
                dims.append(WrittenDim(None, 0, 0, many=True))
            case ir.Slice(ir.Str(name), ir.Int(size), None):
                dims.append(WrittenDim(size, 0, 0, alias=name))
            case ir.Slice(ir.Str(), ir.EllipsisLiteral(), None):
                dims.append(WrittenDim(None, 0, 0, many=True))
            case ir.Name() | ir.Attribute():
                continue  # a dtype, a layout
            case _:
                return None
    if sum(dim.many for dim in dims) > 1:
        return None
    text = " ".join(_word(dim) for dim in dims)
    return Declared(WrittenShape(tuple(dims), 0, len(text)), text, node, "unknown", torch.TENSOR)


def _word(dim: WrittenDim) -> str:
    return "..." if dim.many else "_" if dim.term is None else str(dim.term)


def _read_named(
    ev: Evaluator, parts: Sequence[ir.Expression], node: ir.Expression
) -> Declared | None:
    """Our own `Tensor[L["N"], L["C"]]`, with L for `Literal`: names, and no sizes."""
    names: list[str | None] = []
    for part in parts:
        match part:
            case ir.Subscript(literal, ir.Str(name)) if _path(ev, literal).endswith(".Literal"):
                names.append(name)
            case ir.Subscript(literal, ir.NoneLiteral()) if _path(ev, literal).endswith(".Literal"):
                names.append(None)
            case ir.NoneLiteral():
                names.append(None)
            case _:
                return Declared(None, "", node, "unknown", torch.TENSOR)
    dims = tuple(WrittenDim(None, 0, 0) for _ in names)
    text = ", ".join(str(name) for name in names)
    written = WrittenShape(dims, 0, len(text))
    return Declared(written, text, node, "unknown", torch.TENSOR, named=tuple(names))
