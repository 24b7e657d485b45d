"""Python examples in prose: blocks of Markdown and reStructuredText, and `>>>` sessions.

The examples of a text become one Python text in which every line stands where it stands in the
prose, moved to the left by its indentation; all other lines are empty. A block is left out if it is
no program: it is not Python, it leaves something out (`...`), it uses a name that nothing defines,
or its author says that it fails.
"""

from __future__ import annotations

import ast
import builtins
import re
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from namecheck.text.layout import split_lines
from namecheck_runtime.light.regexes import regex

__all__ = ["EXAMPLE", "Examples", "examples_in_docstrings", "examples_in_prose"]

EXAMPLE: Final = "__example_at_{}__"
"""The name of the function that has the examples of a docstring."""

LARGEST: Final = 400_000
"""The most characters of a text that is searched."""


class Examples(NamedTuple):
    """The examples of a text as Python: how many columns each line was moved to the left, and the
    line on which each example begins.
    """

    text: str
    columns: Mapping[int, int]
    begins: tuple[int, ...]

    def example_at(self, line: int) -> int:
        """The line on which the example around a line begins."""
        return self.begins[max(bisect_right(self.begins, line) - 1, 0)]


class _Line(NamedTuple):
    """A line of code: its number in the text, and the column in which it begins, from 0."""

    number: int
    column: int
    code: str


class _Block(NamedTuple):
    """Lines of code that belong together, without what is between them."""

    lines: tuple[_Line, ...]

    @property
    def code(self) -> str:
        return "".join(f"{line.code}\n" for line in self.lines)


def examples_in_prose(text: str) -> Examples:
    """The examples of a Markdown or reStructuredText file; names carry over from block to block."""
    lines = text.splitlines() if len(text) <= LARGEST else []
    # Form feeds and the like end no line of a file.
    lines = [line.rstrip("\r\n") for line in split_lines(text)] if lines else []
    kept, columns, known = _Kept(), {}, frozenset[str]()
    placed: dict[int, str] = {}
    begins: list[int] = []
    for written in _blocks(list(enumerate(lines, 1))):
        block = kept.part(written, known)
        if block is None:
            continue
        begins.append(block.lines[0].number)
        for line in block.lines:
            placed[line.number] = line.code
            columns[line.number] = line.column
    return Examples(_laid(placed, len(lines)), columns, tuple(begins))


def examples_in_docstrings(text: str) -> Examples | None:
    """The examples in the docstrings of a module, each docstring's as a function without
    parameters; None if there are none.

    The header of the function stands on the line above the first example.
    """
    if ">>>" not in text and "```" not in text and "code-block::" not in text:
        return None
    tree = _parsed(text)
    if tree is None:
        return None
    lines = [line.rstrip("\r\n") for line in split_lines(text)]
    known = _bound(tree) | _stars(tree)
    placed: dict[int, str] = {}
    columns: dict[int, int] = {}
    begins: list[int] = []
    for first, last in _docstrings(tree):
        kept = _Kept()
        numbered = [(number, lines[number - 1]) for number in range(first, last)]
        numbered.append((last, re.sub(r"[\"']{3}.*$", "", lines[last - 1])))
        parts = [kept.part(block, known) for block in _blocks(numbered)]
        blocks = [block for block in parts if block is not None]
        if not blocks:
            continue
        above = blocks[0].lines[0].number - 1
        if above < first or above in placed:
            continue
        begins.append(above)
        placed[above] = f"def {EXAMPLE.format(above)}():"
        for block in blocks:
            for line in block.lines:
                placed[line.number] = f" {line.code}"
                columns[line.number] = line.column - 1
    if not begins:
        return None
    return Examples(_laid(placed, len(lines)), columns, tuple(sorted(begins)))


def _laid(placed: Mapping[int, str], total: int) -> str:
    return "".join(f"{placed.get(number, '')}\n" for number in range(1, total + 1))


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """The first and the last line of each docstring that takes several lines."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            match node.body[:1]:
                case [ast.Expr(ast.Constant(str()) as constant)]:
                    if constant.end_lineno is not None and constant.end_lineno > constant.lineno:
                        yield constant.lineno, constant.end_lineno


# Where the blocks are

_FENCE = regex(r"^([ \t]*)(`{3,}|~{3,})[ \t]*(.*)$")
_INFO = regex(r"^\{?\.?(?:code(?:-block|-cell)?\}[ \t]*)?(python3?|py|pycon)\b", re.IGNORECASE)
_DIRECTIVE = regex(
    r"^([ \t]*)\.\.[ \t]+(?:code-block|code|sourcecode|testcode)::[ \t]*(?:(python3?|py|pycon)\b)?"
)
_PROMPT = regex(r"^([ \t]*)>>>(?: |$)")


def _blocks(lines: Sequence[tuple[int, str]]) -> Iterator[_Block]:
    """The blocks of Python among numbered lines, in their order."""
    at = 0
    while at < len(lines):
        line = lines[at][1]
        fence, directive = _FENCE.match(line), _DIRECTIVE.match(line)
        if fence is not None:
            end = _end_of_fence(lines, at, fence[2])
            if _INFO.match(fence[3]) is not None and not _is_followed_by_error(lines, end + 1):
                yield from _inside(lines[at + 1 : end])
            at = end + 1
        elif directive is not None:
            end = _end_of_indented(lines, at, len(directive[1].expandtabs()))
            if directive[2] is not None or "testcode" in line:
                yield from _inside(_without_options(lines[at + 1 : end]))
            at = end
        elif _PROMPT.match(line) is not None:
            end = at
            while end < len(lines) and lines[end][1].strip() and not _FENCE.match(lines[end][1]):
                end += 1
            yield from _session(lines[at:end])
            at = end
        else:
            at += 1


_ERROR = regex(r"\bTraceback \(most recent|^\W*(?:\w+\.)*\w*Error\b|^error\[", re.IGNORECASE)
_OUTPUT: Final = 16
"""How many lines below a block are searched for the error that it shows."""


def _is_followed_by_error(lines: Sequence[tuple[int, str]], at: int) -> bool:
    """Whether a block of output follows that is an error."""
    while at < len(lines) and not lines[at][1].strip():
        at += 1
    fence = _FENCE.match(lines[at][1]) if at < len(lines) else None
    if fence is None or _INFO.match(fence[3]) is not None:
        return False
    end = min(_end_of_fence(lines, at, fence[2]), at + _OUTPUT)
    return any(_ERROR.search(line) is not None for _, line in lines[at + 1 : end])


def _end_of_fence(lines: Sequence[tuple[int, str]], at: int, fence: str) -> int:
    for end in range(at + 1, len(lines)):
        closing = lines[end][1].strip()
        if closing.startswith(fence) and not closing.strip(fence[0]):
            return end
    return len(lines)


def _end_of_indented(lines: Sequence[tuple[int, str]], at: int, indent: int) -> int:
    end = at + 1
    while end < len(lines):
        line = lines[end][1].expandtabs()
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        end += 1
    return end


def _without_options(lines: Sequence[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    at = 0
    while at < len(lines) and re.match(r"[ \t]*(:[\w-]+:.*)?$", lines[at][1]):
        at += 1
    return lines[at:]


def _inside(lines: Sequence[tuple[int, str]]) -> Iterator[_Block]:
    """The code of a block: a session if it has prompts."""
    if any(_PROMPT.match(line) for _, line in lines):
        yield from _session(lines)
        return
    full = [line for _, line in lines if line.strip()]
    if not full:
        return
    margin = min(len(line) - len(line.lstrip(" \t")) for line in full)
    yield _Block(tuple([_Line(n, margin, line[margin:].rstrip()) for n, line in lines]))


def _session(lines: Sequence[tuple[int, str]]) -> Iterator[_Block]:
    """The statements that were typed; the output between them is left out.

    A statement that raises, or is not to be run, is left out with its output.
    """
    statements: list[list[_Line]] = []
    for number, line in lines:
        prompt = _PROMPT.match(line)
        if prompt is not None:
            column = len(prompt[1]) + 4
            statements.append([_Line(number, column, line[column:].rstrip())])
        elif statements and (more := re.match(r"^([ \t]*)\.\.\.(?: |$)", line)):
            column = len(more[1]) + 4
            statements[-1].append(_Line(number, column, line[column:].rstrip()))
        elif statements and line.strip().startswith("Traceback (most recent call last"):
            del statements[-1]
    typed = [
        line
        for statement in statements
        if not any("doctest: +SKIP" in line.code for line in statement)
        for line in statement
    ]
    if typed:
        yield _Block(tuple(typed))


# Which blocks are programs

_FAILS = regex(
    r"#[^\n]*(?:\b(?:raises?|errors?|fails?|wrong|incorrect|invalid|crash(?:es)?|won'?t work"
    r"|does(?: not|n'?t) work|not allowed)\b|\u274c|\u2717)",
    re.IGNORECASE,
)
_BUILT_IN: Final = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__"}
_ALL: Final = "*"
"""Stands for the names of `from module import *`."""


class _Kept:
    """The names that the blocks of a text define, as far as they are programs."""

    def __init__(self) -> None:
        self.names: frozenset[str] = frozenset()

    def part(self, block: _Block, known: frozenset[str]) -> _Block | None:
        """What can be run of a block: all, its imports, or nothing.

        `known` names are defined elsewhere.
        """
        if self._takes(block, known):
            return block
        tree = _parsed(block.code)
        numbers = {
            number
            for statement in (() if tree is None else tree.body)
            if isinstance(statement, (ast.Import, ast.ImportFrom))
            for number in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
        }
        lines = [line for place, line in enumerate(block.lines, 1) if place in numbers]
        imports = _Block(tuple(lines))
        return imports if lines and self._takes(imports, known) else None

    def _takes(self, block: _Block, known: frozenset[str]) -> bool:
        """Whether a block is a program."""
        tree = _parsed(block.code)
        if tree is None:
            return False
        bound = _bound(tree)
        names = self.names | known | bound | _BUILT_IN | _stars(tree)
        loaded = {
            node.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        whole = (
            not _leaves_out(tree)
            and _FAILS.search(block.code) is None
            and (_ALL in names or loaded <= names)
        )
        if whole:
            self.names |= bound | _stars(tree)
        else:
            self.names -= bound  # what the block would make of them is not known
        return whole


def _parsed(code: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _bound(tree: ast.AST) -> frozenset[str]:
    """The names that a program binds anywhere."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.ClassDef(name=name) | ast.arg(arg=name):
                names.add(name)
            case ast.ExceptHandler(name=str(name)):
                names.add(name)
            case ast.alias(name=name, asname=alias):
                names.add(alias or name.partition(".")[0])
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                names.add(name)
    return frozenset(names - {_ALL})


def _stars(tree: ast.AST) -> frozenset[str]:
    starred = any(isinstance(node, ast.alias) and node.name == "*" for node in ast.walk(tree))
    return frozenset({_ALL}) if starred else frozenset()


def _leaves_out(tree: ast.AST) -> bool:
    """Whether a program has a placeholder: `...` outside an index."""
    indices: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            indices.update(id(inner) for inner in ast.walk(node.slice))
    return any(
        isinstance(node, ast.Constant) and node.value is ... and id(node) not in indices
        for node in ast.walk(tree)
    )
