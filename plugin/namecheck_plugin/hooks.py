"""The switchboard: which of mypy's questions are ours, and which method answers each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.nodes import TypeInfo
from mypy.options import Options
from mypy.plugin import AnalyzeTypeContext, Plugin
from mypy.semanal import SemanticAnalyzer
from mypy.types import Type

from namecheck_plugin import codes
from namecheck_plugin.answers import Answers, Hook, defect_text, safely
from namecheck_plugin.calls import Asker
from namecheck_plugin.expressions.knowledge import Knowledge
from namecheck_plugin.settings import Settings
from namecheck_plugin.types import annotated, dims, surface
from namecheck_plugin.types.callees import callee_of
from namecheck_plugin.types.signatures import Signatures
from namecheck_plugin.unasked import Place, Unasked


class _Answering(dict[str, Hook | None]):
    """The hook for each full name: mypy asks again at each call, and the hook is looked up once."""

    def __init__(
        self, find: Callable[[str], Hook | None], settled: Callable[[str], bool] | None = None
    ) -> None:
        super().__init__()
        self._find: Final = find
        self._settled: Final = settled
        """Whether a name without a hook never gets one later; None if that holds for all names."""

    def __missing__(self, fullname: str) -> Hook | None:
        hook = self._find(fullname)
        if hook is not None or self._settled is None or self._settled(fullname):
            self[fullname] = hook
        return hook


class Hooks(Plugin):
    """The hooks for programs that write dims; see `entry`."""

    def __init__(self, options: Options, settings: Settings) -> None:
        super().__init__(options)
        self._libraries = surface.Libraries(self._home_of)
        self._ask = Asker(Knowledge(settings, self._libraries))
        self._signatures = Signatures(self._libraries)
        self._answers = Answers(self._ask, self._signatures, self._libraries)
        self._unasked = Unasked(self._look)
        self._answering: Final = (
            _Answering(self._function_hook, _is_settled),
            _Answering(self._method_hook),
            _Answering(self._attribute_hook),
        )
        types = {**dict.fromkeys(annotated.NAMES, self._annotation), dims.TENSOR: self._tensor}
        self.asked: Final = (types.get, *(answering.__getitem__ for answering in self._answering))
        """The hooks by name: for a written type, a function, a method and an attribute."""

    def forget(self) -> None:
        """Forget all names: a file has changed, and a name may stand for something else."""
        self._ask.forget()
        self._unasked.forget()
        for answering in self._answering:
            answering.clear()

    def _function_hook(self, fullname: str) -> Hook | None:
        if _never_op(fullname):
            return None
        spelling = self._libraries.spelling_of(fullname)
        if spelling is not None:
            return safely(spelling.path, partial(self._answers.function, callee_of(spelling)))
        return self._declared_hook(fullname)

    def _method_hook(self, fullname: str) -> Hook | None:
        if _never_op(fullname):
            return None
        owner, _, name = fullname.rpartition(".")
        library = self._library(owner)
        if library is not None:
            method = surface.method_of(library, name)
            if method is None:
                return None
            answer = partial(self._answers.method, method, callee_of(method.spelling))
            return safely(method.spelling.path, answer)
        if name == "__call__" and self._may_answer_calls(owner):
            return safely(fullname, self._answers.call)
        return self._declared_hook(fullname)

    def _attribute_hook(self, fullname: str) -> Hook | None:
        if _never_op(fullname):
            return None
        owner, _, name = fullname.rpartition(".")
        info = self._class(owner)
        if info is None:
            return None
        library = surface.owner_of(info)
        spelling = None if library is None else surface.attribute_of(library, name)
        if spelling is not None:
            return safely(spelling.path, partial(self._answers.attribute, callee_of(spelling)))
        fields = surface.fields_of(info)
        if name in fields:
            return safely(fullname, partial(self._answers.field, fields.index(name)))
        symbol = info.get(name)
        if symbol is not None and annotated.text_of(symbol.type) is not None:
            return safely(fullname, self._answers.declared)
        return None

    def _may_answer_calls(self, owner: str) -> bool:
        """Whether calling an instance of a class may be an op, or a function with annotations.

        mypy asks only the first plugin that answers, and has answers of its own, for
        `functools.partial` and others.
        """
        if surface.may_wrap_functions(owner) or surface.may_be_layer(owner):
            return True
        info = self._class(owner)
        if info is None:
            return False
        signed = self._signatures.of_instance(info) or self._signatures.of_module(info)
        return bool(signed) or surface.is_row(info)

    def _home_of(self, fullname: str) -> str | None:
        """The full name of the object that a public name stands for."""
        symbol = self.lookup_fully_qualified(fullname)
        return None if symbol is None or symbol.node is None else symbol.node.fullname

    def _declared_hook(self, fullname: str) -> Hook | None:
        """The hook of a function or a class whose annotations write dims."""
        symbol = self.lookup_fully_qualified(fullname)
        signatures = [] if symbol is None else self._signatures.of(symbol.node)
        if not signatures:
            return None
        return safely(fullname, partial(self._answers.overloaded, signatures))

    def _library(self, owner: str) -> str | None:
        """How the registry spells a class of tensors; None for another class."""
        info = self._class(owner)
        return None if info is None else surface.owner_of(info)

    def _class(self, fullname: str) -> TypeInfo | None:
        symbol = self.lookup_fully_qualified(fullname)
        node = None if symbol is None else symbol.node
        return node if isinstance(node, TypeInfo) else None

    def _annotation(self, context: AnalyzeTypeContext) -> Type:
        return self._written(annotated.analyze(context), context)

    def _tensor(self, context: AnalyzeTypeContext) -> Type:
        return self._written(annotated.analyze_tensor(context), context)

    def _written(self, type_: Type, context: AnalyzeTypeContext) -> Type:
        if annotated.text_of(type_) is not None:
            self._unasked.plan(context.api)
        return type_

    def _look(self, place: Place, analyzer: SemanticAnalyzer) -> None:
        try:
            self._ask.look(place, analyzer)
        except Exception as error:  # as in `safely`
            text = defect_text("the annotations", error)
            analyzer.msg.note(text, place, code=codes.NAMED_TENSOR)


def _never_op(fullname: str) -> bool:
    """Whether a name cannot be ours: most calls in a program are of Python's own types."""
    return fullname.startswith(("builtins.", "typing.", "_"))


def _is_settled(fullname: str) -> bool:
    """Whether a function cannot become ours, even once mypy has read its public module."""
    return _never_op(fullname) or not surface.may_be_function(fullname)
