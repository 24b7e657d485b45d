"""jaxtyping annotations: `def f(x: Float[Tensor, "b t c"]) -> Float[Tensor, "b c"]`.

A parameter is annotated if its dims are certain and its annotation is missing or that of a plain
array; the result, if its dims are certain for every `return` (`returned`). Other annotations are
left alone, and so are those that Python code may read: in functions with decorators that may look
at annotations, and in files that TorchScript compiles.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from namecheck.analysis import FORM, Form, Key, Known
from namecheck.annotations.arrays import PLAIN, Imports
from namecheck.annotations.changes import Annotation, KnownAt
from namecheck.annotations.headers import Header, read_header, wrapped
from namecheck.annotations.returned import Place, laid_over, refined, written
from namecheck.fixes.code import Code
from namecheck.fixes.edits import Change
from namecheck.fixes.words import ELLIPSIS, spelled
from namecheck.frameworks import jaxtyping, torch
from namecheck_runtime.lattice import Trailing
from namecheck_runtime.light.regexes import regex

__all__ = ["is_scripted", "signatures"]

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

TRANSPARENT: Final = frozenset(
    (
        *("abstractmethod", "cached_property", "classmethod", "final", "override", "property"),
        *("enable_grad", "inference_mode", "no_grad", "staticmethod", "jaxtyped"),
    )
)
"""Decorators that do not read annotations, or only jaxtyping's, by the last part of their names."""


def signatures(code: Code, known: KnownAt, width: int) -> Iterator[Annotation]:
    """The annotations for the functions of a text, one for each function."""
    if code.tree is None or is_scripted(code):
        return
    writer = _Writer(code, known, width)
    for node in ast.walk(code.tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _may_be_read(node, code):
            annotation = writer.function(node)
            if annotation is not None:
                yield annotation


def is_scripted(code: Code) -> bool:
    """Whether a file mentions TorchScript, which reads annotations and knows only plain ones."""
    for node in () if code.tree is None else ast.walk(code.tree):
        match node:
            case ast.Attribute(ast.Name(torch.PACKAGE), "jit") | ast.Import(
                [ast.alias(torch.SCRIPT)]
            ):
                return True
            case ast.ImportFrom(module=module, names=names):
                if module == torch.SCRIPT or (
                    module == torch.PACKAGE and any(alias.name == "jit" for alias in names)
                ):
                    return True
    return False


def _may_be_read(node: FunctionNode, code: Code) -> bool:
    """Whether only people and type checkers read the annotations of a function."""
    for decorator in node.decorator_list:
        inner = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = ast.unparse(inner)
        if name.rpartition(".")[2] not in TRANSPARENT and not name.endswith(".setter"):
            return False
    first = node.body[0].lineno
    return not any(
        node.lineno <= comment.line <= first and comment.text.lstrip("# ").startswith("type:")
        for comment in code.comments
    )


class _Typed(NamedTuple):
    """The text of a type, and the names that have to be imported for it."""

    text: str
    needs: frozenset[str]


class _Writer:
    def __init__(self, code: Code, known: KnownAt, width: int) -> None:
        self.code = code
        self.known = known
        self.width = width
        self.imports = Imports(code)

    def function(self, node: FunctionNode) -> Annotation | None:
        """The annotation for a function; None if there is none."""
        header = read_header(self.code, node)
        if header is None:
            return None
        words = _Words()
        keys: list[Key] = []
        parameter_changes: list[Change] = []
        needs: set[str] = set()
        for argument, default in _parameters(node):
            key = (node.lineno, argument.arg, "parameter")
            known = self.known.get(key)
            if known is None:
                continue
            text = words.of(known)
            typed = self._type(known, argument.annotation, text)
            optional = isinstance(default, ast.Constant) and default.value is None
            if text is None or typed is None or (default is not None and not optional):
                continue
            words.bind(text)
            parameter_changes.append(
                self._parameter(argument, default, typed.text + " | None" * optional)
            )
            keys.append(key)
            needs |= typed.needs
        returned = self._returned(node, words, header)
        # If there is no room for all of it, there may be for the parameters.
        for result in (returned, Annotation((), ())) if returned.made else (returned,):
            changes = [*parameter_changes, *result.made]
            fitted = wrapped(self.code, header, changes, self.width) if changes else None
            if fitted is not None:
                return Annotation((*keys, *result.keys), fitted, frozenset(needs | result.needs))
        return None

    def _type(self, known: Known, annotation: ast.expr | None, dims: str | None) -> _Typed | None:
        """The type of an array with these dims, in the place of a plain annotation or of none."""
        if dims is None:
            return None
        needs = set()
        if annotation is not None:
            if self.imports.path(annotation) not in PLAIN:
                return None
            array = self.code.written(annotation)
        else:
            # NumPy's and JAX's functions take lists and numbers, too: only PyTorch's class is sure.
            if known.library != torch.TENSOR:
                return None
            array = self.imports.called(torch.TENSOR_TYPE) or torch.TENSOR
            if array == torch.TENSOR:
                if not self.imports.is_free(torch.TENSOR, torch.TENSOR_TYPE):
                    return None
                if not self.imports.has(torch.PACKAGE):
                    return None  # a conditional or late import is not moved to the top
                needs.add(torch.TENSOR_TYPE)
        kind = "Float" if known.kind == "float" else "Shaped"
        if not self.imports.is_free(kind, f"{jaxtyping.TYPES}{kind}"):
            return None
        needs.add(f"{jaxtyping.TYPES}{kind}")
        return _Typed(f'{kind}[{array}, "{dims}"]', frozenset(needs))

    def _parameter(self, argument: ast.arg, default: ast.expr | None, text: str) -> Change:
        if argument.annotation is not None:
            return Change(*self.code.stretch_of(argument.annotation), text)
        _, end = self.code.stretch_of(argument)
        if default is None:
            return Change(end, end, f": {text}")
        begin, _ = self.code.stretch_of(default)
        return Change(end, begin, f": {text} = ")

    def _returned(self, node: FunctionNode, words: _Words, header: Header) -> Annotation:
        """The annotation for the result of a function; empty if it gets none."""
        returns = _Returns(node)
        nothing = Annotation((), ())
        forms: list[tuple[int, Form]] = []
        for line in returns.lines:
            known = self.known.get((line, "", FORM))
            if known is None:
                return nothing  # it may return anything, or is never reached
            forms += [(line, form) for form in known.forms]
        result = laid_over(forms) if returns.always else None
        if result is None:
            return nothing
        keys: list[Key] = []
        needs: set[str] = set()

        def write(place: Place, annotation: ast.expr | None) -> str | None:
            line, number = place
            for kind in ("return", "part"):
                key = (line, f"{number:03}", kind)
                if key in self.known:
                    typed = self._type(self.known[key], annotation, words.of(self.known[key]))
                    if typed is None:
                        return None
                    keys.append(key)
                    needs.update(typed.needs)
                    return typed.text
            return None

        changes = []
        if node.returns is not None:
            for array, text in refined(result, node.returns, write, self.imports):
                changes.append(Change(*self.code.stretch_of(array), text))
        else:
            type_text = written(result, write, self.imports)
            if type_text is not None:
                changes.append(Change(header.close + 1, header.close + 1, f" -> {type_text}"))
        return (
            Annotation(tuple(keys), tuple(changes), frozenset(needs))
            if changes and keys
            else nothing
        )


def _parameters(node: FunctionNode) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    """The parameters that take one value, each with its default."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    without = len(positional) - len(arguments.defaults)
    yield from zip(positional, [*[None] * without, *arguments.defaults], strict=True)
    yield from zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)


_SYMBOL = regex(r"[A-Za-z]\w*")
_PATH = regex(r"\w+(?:\.\w+)*")
_FORMULA = regex(r"[\w.*+ -]+")


class _Words:
    """Dims as jaxtyping writes them, within one function.

    jaxtyping can compute a formula only from names that are dims by themselves before it. A dim
    without a word, or without one in this function, is `_`.
    """

    def __init__(self) -> None:
        self.bound: set[str] = set()
        self.meant: dict[str, str] = {}
        self.run: int | None = None

    def of(self, known: Known) -> str | None:
        """The text of a tensor's dims; None if it says nothing useful."""
        if self.run is not None and known.run != self.run:
            return None  # from another evaluation: its words may have other meanings
        dims = spelled(known.shape)
        if not dims:
            return None
        text = [ELLIPSIS if dim == ELLIPSIS else self._word(dim) for dim in dims]
        names = [word for word in text if _SYMBOL.fullmatch(word)]
        if not names and (isinstance(known.shape, Trailing) or "_" in text):
            return None
        self.run = known.run
        # Linters take a single word for a class name; jaxtyping recommends a space before it.
        return f" {text[0]}" if len(text) == 1 and names else " ".join(text)

    def bind(self, text: str) -> None:
        """Take the dims of a parameter, which later formulas may use."""
        self.bound |= {word for word in text.split() if _SYMBOL.fullmatch(word)}

    def _word(self, dim: str | None) -> str:
        if dim is None:
            return "_"
        if dim.isdecimal():
            return dim
        if _PATH.fullmatch(dim):
            last = dim.rpartition(".")[2]
            unique = self.meant.setdefault(last, dim) == dim
            valid = _SYMBOL.fullmatch(last) and not keyword.iskeyword(last)
            return last if unique and valid else "_"
        atoms = re.findall(r"[A-Za-z_][\w.]*", dim)
        if _FORMULA.fullmatch(dim) and set(atoms) <= self.bound:
            return dim.replace(" ", "")
        return "_"


class _Returns(ast.NodeVisitor):
    """The lines of a function's own `return` statements, and whether it always ends in one."""

    def __init__(self, node: FunctionNode) -> None:
        self.lines: list[int] = []
        self.always = True
        for statement in node.body:
            self.visit(statement)
        self.always = self.always and bool(self.lines) and _ends(node.body)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None:
            self.always = False
        self.lines.append(node.lineno)
        self.generic_visit(node)

    def visit_Yield(self, node: ast.Yield) -> None:
        self.always = False

    def visit_YieldFrom(self, node: ast.YieldFrom) -> None:
        self.always = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        pass

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        pass

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        pass

    def visit_Lambda(self, node: ast.Lambda) -> None:
        pass


def _ends(body: Sequence[ast.stmt]) -> bool:
    """Whether code after a block is never reached."""
    match body[-1] if body else None:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(_, then, orelse):
            return _ends(then) and _ends(orelse)
        case ast.With(_, inner) | ast.AsyncWith(_, inner):
            return _ends(inner)
        case ast.Try(inner, handlers, orelse, final):
            return _ends(final) or (
                (_ends(orelse) if orelse else _ends(inner))
                and all(_ends(handler.body) for handler in handlers)
            )
    return False
