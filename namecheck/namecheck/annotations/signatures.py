"""jaxtyping annotations: `def f(x: Float[Tensor, "b t c"]) -> Float[Tensor, "b c"]`.

A parameter is annotated where it is certain which dims it has, or has no annotation but that of a
plain array; what is returned, where it is certain of every `return` (`returned`). What stands there
otherwise is not touched, nor what is read by others than people and type checkers: decorated
functions whose decorators may look at annotations, and files that are compiled by TorchScript.
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
"""Decorators that read no annotations, by the last part of their names, or read just ours."""


def signatures(code: Code, known: KnownAt, width: int) -> Iterator[Annotation]:
    """The functions of a text that may get annotations, each with all of its own."""
    if code.tree is None or is_scripted(code):
        return
    writer = _Writer(code, known, width)
    for node in ast.walk(code.tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _may_be_read(node, code):
            made = writer.function(node)
            if made is not None:
                yield made


def is_scripted(code: Code) -> bool:
    """Whether a file speaks of TorchScript, which reads annotations and knows only plain ones."""
    for node in () if code.tree is None else ast.walk(code.tree):
        match node:
            case ast.Attribute(ast.Name(torch.PACKAGE), "jit") | ast.Import(
                [ast.alias(torch.SCRIPT)]
            ):
                return True
            case ast.ImportFrom(module=module, names=names):
                if module == torch.SCRIPT or (
                    module == torch.PACKAGE and any(one.name == "jit" for one in names)
                ):
                    return True
    return False


def _may_be_read(node: FunctionNode, code: Code) -> bool:
    """Whether annotations of a function are for people and type checkers alone."""
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
    """A type as it is written, and what has to be imported for it."""

    text: str
    needs: frozenset[str]


class _Writer:
    def __init__(self, code: Code, known: KnownAt, width: int) -> None:
        self.code = code
        self.known = known
        self.width = width
        self.imports = Imports(code)

    def function(self, node: FunctionNode) -> Annotation | None:
        """What a function may get; None if that is nothing."""
        header = read_header(self.code, node)
        if header is None:
            return None
        words = _Words()
        keys: list[Key] = []
        made: list[Change] = []
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
            made.append(self._parameter(argument, default, typed.text + " | None" * optional))
            keys.append(key)
            needs |= typed.needs
        found = self._returned(node, words, header)
        # Where all of it has no room, what comes in may have.
        for some in (found, Annotation((), ())) if found.made else (found,):
            changes = [*made, *some.made]
            fitted = wrapped(self.code, header, changes, self.width) if changes else None
            if fitted is not None:
                return Annotation((*keys, *some.keys), fitted, frozenset(needs | some.needs))
        return None

    def _type(self, known: Known, there: ast.expr | None, dims: str | None) -> _Typed | None:
        """The type of an array of these dims, in the place of a plain one or of none."""
        if dims is None:
            return None
        needs = set()
        if there is not None:
            if self.imports.path(there) not in PLAIN:
                return None
            array = self.code.written(there)
        else:
            # NumPy's and JAX's functions take lists and numbers, too: only that of PyTorch is sure.
            if known.library != torch.TENSOR:
                return None
            array = self.imports.called(torch.TENSOR_TYPE) or torch.TENSOR
            if array == torch.TENSOR:
                if not self.imports.is_free(torch.TENSOR, torch.TENSOR_TYPE):
                    return None
                if not self.imports.has(torch.PACKAGE):
                    return None  # what is imported late, or perhaps, is not imported for our sake
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
        """What is to be written of what a function returns."""
        found = _Returns(node)
        nothing = Annotation((), ())
        forms: list[tuple[int, Form]] = []
        for line in found.lines:
            known = self.known.get((line, "", FORM))
            if known is None:
                return nothing  # it may be anything, or is never reached
            forms += [(line, form) for form in known.forms]
        result = laid_over(forms) if found.always else None
        if result is None:
            return nothing
        keys: list[Key] = []
        needs: set[str] = set()

        def write(place: Place, there: ast.expr | None) -> str | None:
            line, number = place
            for kind in ("return", "part"):
                key = (line, f"{number:03}", kind)
                if key in self.known:
                    typed = self._type(self.known[key], there, words.of(self.known[key]))
                    if typed is None:
                        return None
                    keys.append(key)
                    needs.update(typed.needs)
                    return typed.text
            return None

        made = []
        if node.returns is not None:
            for one, text in refined(result, node.returns, write, self.imports):
                made.append(Change(*self.code.stretch_of(one), text))
        else:
            whole = written(result, write, self.imports)
            if whole is not None:
                made.append(Change(header.close + 1, header.close + 1, f" -> {whole}"))
        return Annotation(tuple(keys), tuple(made), frozenset(needs)) if made and keys else nothing


def _parameters(node: FunctionNode) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    """The parameters that one value is given for, each with its default."""
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    without = len(plain) - len(given.defaults)
    yield from zip(plain, [*[None] * without, *given.defaults], strict=True)
    yield from zip(given.kwonlyargs, given.kw_defaults, strict=True)


_SYMBOL = regex(r"[A-Za-z]\w*")
_PATH = regex(r"\w+(?:\.\w+)*")
_FORMULA = regex(r"[\w.*+ -]+")


class _Words:
    """Dims as jaxtyping writes them, within one function.

    A formula can be computed only of names that stand by themselves before it; what has no word,
    or not in this function, is `_`.
    """

    def __init__(self) -> None:
        self.bound: set[str] = set()
        self.meant: dict[str, str] = {}
        self.run: int | None = None

    def of(self, known: Known) -> str | None:
        """The dims of a tensor; None if nobody would learn anything from them."""
        if self.run is not None and known.run != self.run:
            return None  # its words are not those of the others
        dims = spelled(known.shape)
        if not dims:
            return None
        text = [ELLIPSIS if dim == ELLIPSIS else self._word(dim) for dim in dims]
        names = [word for word in text if _SYMBOL.fullmatch(word)]
        if not names and (isinstance(known.shape, Trailing) or "_" in text):
            return None
        self.run = known.run
        # Linters take a single word for the name of a class: jaxtyping's way out is a space.
        return f" {text[0]}" if len(text) == 1 and names else " ".join(text)

    def bind(self, text: str) -> None:
        """The dims of a parameter are known to what comes behind it."""
        self.bound |= {word for word in text.split() if _SYMBOL.fullmatch(word)}

    def _word(self, dim: str | None) -> str:
        if dim is None:
            return "_"
        if dim.isdecimal():
            return dim
        if _PATH.fullmatch(dim):
            last = dim.rpartition(".")[2]
            ours = self.meant.setdefault(last, dim) == dim
            fine = _SYMBOL.fullmatch(last) and not keyword.iskeyword(last)
            return last if ours and fine else "_"
        atoms = re.findall(r"[A-Za-z_][\w.]*", dim)
        if _FORMULA.fullmatch(dim) and set(atoms) <= self.bound:
            return dim.replace(" ", "")
        return "_"


class _Returns(ast.NodeVisitor):
    """The lines of a function's own `return` statements, and whether it always gets to one."""

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
    """Whether what follows a block is never reached."""
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
