"""The styles of annotations: which ones a text may get, and the changes that write them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from namecheck.annotations.changes import Annotation, KnownAt
from namecheck.annotations.margins import line_length
from namecheck.fixes.code import Code
from namecheck.fixes.edits import Change

__all__ = ["STYLES", "Style"]


class Style(NamedTuple):
    """`options` returns the annotations that the text of a path may get, `joined` the changes of
    some of them. `silent`: the program stays the same. `refuses` returns the reason why a text gets
    none, or "".
    """

    options: Callable[[str, Code, KnownAt], Iterable[Annotation]]
    joined: Callable[[Code, Sequence[Annotation]], tuple[Change, ...]]
    silent: bool
    refuses: Callable[[Code], str] = lambda code: ""


def _as_comments(width: int | None) -> Style:
    from namecheck.annotations.comment_style import comments

    def options(path: str, code: Code, known: KnownAt) -> Iterable[Annotation]:
        return comments(code, known, width or line_length(path))

    def joined(code: Code, annotations: Sequence[Annotation]) -> tuple[Change, ...]:
        return tuple(sorted(change for annotation in annotations for change in annotation.made))

    return Style(options, joined, silent=True)


def _as_jaxtyping(width: int | None) -> Style:
    from namecheck.annotations.import_lines import with_imports
    from namecheck.annotations.signatures import is_scripted, signatures

    def options(path: str, code: Code, known: KnownAt) -> Iterable[Annotation]:
        return signatures(code, known, width or line_length(path))

    def refuses(code: Code) -> str:
        return "TorchScript reads its annotations" if is_scripted(code) else ""

    return Style(options, with_imports, silent=False, refuses=refuses)


STYLES: Final[Mapping[str, Callable[[int | None], Style]]] = {
    "comment": _as_comments,
    "jaxtyping": _as_jaxtyping,
}
"""The styles by name, made for a line length; None: that of the project."""
