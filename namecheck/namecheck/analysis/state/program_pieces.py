"""Pieces of a file: text with its records, as the evaluator walks it.

Each run over a file has one `SourceFile` for it, with what its imports say of its tensors. Its text
comes in pieces, each lowered by itself; lines count within the piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from re import Pattern
from typing import Any, NamedTuple

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.decisions import Outlook
from namecheck.analysis.reading.loop_variables import Carried, carried
from namecheck.analysis.reading.records import lower
from namecheck.analysis.reading.sizes_used import SizesUsed, sizes_used
from namecheck.analysis.reading.spelled_values import assigned_outside
from namecheck.findings import Span
from namecheck.frameworks import WITH_NAMES, jax, numpy, scipy, torch
from namecheck.terms import NO_TERMS, Terms
from namecheck.text.chunks import SourceChunk
from namecheck.text.layout import split_lines
from namecheck_runtime.notation.comments import read_comment


class Modules:
    """The modules that imports are looked up in; `python/imports.py` has the class that does it."""

    def find(self, importer: SourceFile, level: int, name: str) -> Any:
        """The module that an import in a file means; None if it is not of the project."""
        raise NotImplementedError

    def counterpart(self, importer: SourceFile, path: str) -> Any:
        """The module of ours with the source of an object of a library; None if there is none."""
        raise NotImplementedError

    def data(self, reader: SourceFile, text: str) -> tuple[str | None, str | None]:
        """The real path and the text of a file of data that a file reads under a path."""
        raise NotImplementedError

    def terms_of(self, real: str) -> Terms:
        """The terms that the project of a file, by its real path, has agreed on."""
        raise NotImplementedError

    def is_installed(self, real: str) -> bool:
        """Whether a file, by its real path, belongs to an installed package."""
        raise NotImplementedError

    def check_wanted(self) -> None:
        """Raise `Unwanted` if the editor no longer waits for this analysis."""
        raise NotImplementedError


class Lowered(Mapping[bytes, ir.Chunk]):
    """The records of chunks by digest, so that a file that is checked and imported is lowered once.

    The records of the last `MOST` characters of source are kept, by the time of their last use.
    """

    MOST = 1_000_000

    def __init__(self) -> None:
        self._chunks: dict[bytes, tuple[ir.Chunk, int]] = {}
        self._size = 0

    def __getitem__(self, key: bytes) -> ir.Chunk:
        entry = self._chunks.pop(key)
        self._chunks[key] = entry
        return entry[0]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._chunks)

    def __len__(self) -> int:
        return len(self._chunks)

    def keep(self, key: bytes, records: ir.Chunk, size: int) -> None:
        """Keep the records of a chunk of `size` characters."""
        if key in self._chunks:
            return
        self._chunks[key] = records, size
        self._size += size
        while self._size > self.MOST and len(self._chunks) > 1:
            self._size -= self._chunks.pop(next(iter(self._chunks)))[1]

    def lower(self, chunk: SourceChunk) -> ir.Chunk:
        """The records of a chunk. Raises `SourceError`."""
        records = self.get(chunk.digest)
        if records is None:
            records = lower(chunk.text, chunk.layout)
            self.keep(chunk.digest, records, len(chunk.text))
        return records


class Words(NamedTuple):
    """What the words in a file say of its tensors, wherever they stand.

    The fields of `SourceFile` with these names say what follows from them.
    """

    imported_late: bool
    speaks_of_sparse: bool
    differentiates: bool
    sets_mode: bool
    turns_off: bool
    freezes: bool
    has_names: bool
    """It mentions another library whose tensors have names."""


def words_in(texts: Sequence[str]) -> Words:
    """What the words in the pieces of a file say."""
    return Words(
        _have(texts, torch.IMPORTED_LATE),
        _have(texts, scipy.WORDS),
        _have(texts, torch.DIFFERENTIATING),
        _set_mode(texts),
        _have(texts, torch.TURNING_OFF),
        _have(texts, torch.FREEZING),
        _have_names(texts),
    )


def _have(texts: Sequence[str], regex: Pattern[str]) -> bool:
    return any(regex.search(text) for text in texts)


def _set_mode(texts: Sequence[str]) -> bool:
    return any(torch.SETTING_MODE in text for text in texts)


def _have_names(texts: Sequence[str]) -> bool:
    return any(other in text for text in texts for other in WITH_NAMES)


class SourceFile:
    """A file: its path as reports print it, and its real path.

    `program` is where its imports are looked up, None if the file is analyzed alone.
    `tensor_class` is the class whose methods an unknown value with a tensor's methods has, "" if
    the imports do not say. `mixed` says that the file computes with NumPy, and some of its
    functions with PyTorch; `has_arrays`, that it imports NumPy beside PyTorch;
    `has_constant_arrays`, that its arrays may be JAX's, to which nothing can be written;
    `has_sparse`, that it imports SciPy's sparse matrices and not PyTorch, so that an array of which
    only the dims are known may be one; `sparse_names`, the variables that its imports bind to them
    and their modules; `migrates`, that its tensors are PyTorch's own, so that the checker reports
    what newer releases have removed; `differentiates`, that it may compute gradients, `sets_mode`,
    that it sets the grad mode for what follows, `turns_off`, that it may turn gradients off, and
    `freezes`, that parameters in it may require none. `terms` are those that its project has agreed
    on.
    """

    __slots__ = (
        "_assigned_outside",
        "_chunks",
        "_names_devices",
        "_speaks_of_sparse",
        "_texts",
        "_used",
        "_words",
        "asked_for",
        "differentiates",
        "freezes",
        "has_arrays",
        "has_constant_arrays",
        "has_sparse",
        "migrates",
        "mixed",
        "path",
        "program",
        "real",
        "sets_mode",
        "sparse_names",
        "tensor_class",
        "terms",
        "turns_off",
    )

    def __init__(self, path: str, real: str = "", program: Modules | None = None) -> None:
        self.path = path
        self.real = real
        self.program = program
        self.tensor_class = ""
        self.has_arrays = False
        self.has_constant_arrays = False
        self.has_sparse = False
        self.sparse_names: frozenset[str] = frozenset()
        self.mixed = False
        self.migrates = False
        self.differentiates = False
        self.sets_mode = False
        self.turns_off = False
        self.freezes = False
        self._texts: tuple[str, ...] = ()
        self._words: Words | None = None
        self._speaks_of_sparse: bool | None = None
        self._names_devices: bool | None = None
        self.terms = NO_TERMS if program is None else program.terms_of(real)
        self._chunks: tuple[ir.Chunk, ...] = ()
        self._used: SizesUsed | None = None
        self._assigned_outside: Mapping[str, Set[str]] | None = None
        self.asked_for: dict[int, tuple[ir.Node, bool]] = {}
        """Uses of what is removed, by their numbers: whether the program asks for it first."""

    def statements(self) -> Iterator[ir.Statement]:
        """The statements of the file outside functions and classes, in their order."""
        return (statement for chunk in self._chunks for statement in chunk.statements)

    def sizes_used(self) -> SizesUsed:
        """The names that the file uses for several sizes, and those for one."""
        if self._used is None:
            self._used = sizes_used(self._chunks)
        return self._used

    def assigned_outside(self) -> Mapping[str, Set[str]]:
        """The attributes that the file assigns to objects from outside, with the values' texts."""
        if self._assigned_outside is None:
            self._assigned_outside = assigned_outside(self._chunks)
        return self._assigned_outside

    @property
    def words(self) -> Words:
        """What the words of the file say; looking for all of them takes long."""
        if self._words is None:
            self._words = words_in(self._texts)
        return self._words

    @property
    def speaks_of_sparse(self) -> bool:
        """Whether its text has a word of sparse matrices."""
        if self._speaks_of_sparse is None:
            self._speaks_of_sparse = _have(self._texts, scipy.WORDS)
        return self._speaks_of_sparse

    @property
    def names_devices(self) -> bool:
        """Whether its text has a word of programs that put tensors elsewhere than on the CPU."""
        if self._names_devices is None:
            self._names_devices = _have(self._texts, torch.NAMING_DEVICES)
        return self._names_devices

    def read_imports(self, chunks: Iterable[ir.Chunk], texts: Iterable[str]) -> None:
        """Learn the class of the file's tensors from its import statements."""
        packages, modules, sparse_names = set(), set(), set()
        texts = tuple(texts)
        self._chunks = tuple(chunks)
        self.asked_for.clear()
        for statement in self.statements():
            match statement:
                case ir.Import(names):
                    packages |= {alias.name.partition(".")[0] for alias in names}
                    modules |= {alias.name for alias in names}
                    sparse_names |= {
                        alias.alias
                        for alias in names
                        if alias.alias and f"{alias.name}.".startswith(scipy.SPARSE)
                    }
                case ir.ImportFrom(module, names, 0):
                    packages.add(module.partition(".")[0])
                    modules |= {module, *(f"{module}.{alias.name}" for alias in names)}
                    sparse_names |= {
                        alias.alias or alias.name
                        for alias in names
                        if f"{module}.{alias.name}.".startswith(scipy.SPARSE)
                    }
        self.has_sparse = any(f"{module}.".startswith(scipy.SPARSE) for module in modules)
        self.sparse_names = frozenset(sparse_names)
        self._texts, self._words = texts, None
        self._speaks_of_sparse = self._names_devices = None
        # Named tensors would be PyTorch's own. Others have the same methods: `namecheck_runtime`,
        # in a file that is migrating already, tensordict, whose dicts of tensors keep their names,
        # and pandas. In a file that mentions one of them it is not known whose method is called.
        self.migrates = not _have_names(texts)
        self.has_constant_arrays = bool(packages & jax.USING)
        if packages & torch.PACKAGES:
            self.tensor_class = torch.TENSOR
            self.has_sparse = False
            self.has_arrays = numpy.PACKAGE in packages
        elif _have(texts, torch.IMPORTED_LATE):
            self.mixed = True
        elif packages & (numpy.PACKAGES | jax.PACKAGES):
            self.tensor_class = numpy.TENSOR
        if self.mixed or packages & torch.PACKAGES:
            self.differentiates = _have(texts, torch.DIFFERENTIATING)
            self.sets_mode = _set_mode(texts)
            self.turns_off = _have(texts, torch.TURNING_OFF)
            self.freezes = _have(texts, torch.FREEZING)


@ir.read_once
def _outlooks(chunk: ir.Chunk) -> dict[int, Outlook]:
    """The outlooks on the bodies in a chunk, as they are asked for."""
    return {}


@ir.read_once
def _carried(chunk: ir.Chunk) -> dict[int, Carried]:
    """What the loops in a chunk carry from round to round, as it is asked for."""
    return {}


class LabelUses:
    """Where a function uses the labels of its comments (`evidence/shape_or_list.py`)."""

    def __init__(self) -> None:
        self.lists: dict[str, set[tuple[bool, tuple[str, ...]]]] = {}
        """The lists that have each label, and whether their words show that they are shapes."""
        self.read: set[str] = set()
        """The names that the function gives to sizes of tensors."""


class Source:
    """A piece of a file with its records; lines count within the piece.

    `columns` says how many columns each line of the file was moved to the left if the piece is an
    example in prose (`text/examples.py`); None if it is code.
    """

    def __init__(
        self,
        file: SourceFile,
        text: str,
        line: int,
        chunk: ir.Chunk,
        columns: Mapping[int, int] | None = None,
    ) -> None:
        self.columns = columns
        self.file = file
        self.text = text
        self.line = line
        self.chunk = chunk
        self.comments = ir.comments_by_statement(chunk)
        self.styles: dict[int, tuple[int, int]] = {}
        """Where each function's comments stand, by its number (`evidence/comments_between.py`)."""
        self.blocks: dict[int, Any] = {}
        """The comments of each statement, by its number (`evidence/comment_blocks.py`)."""
        self.label_uses: dict[int, LabelUses] = {}
        """By the number of each function, -1 for the module."""
        self.other_meanings: dict[int, frozenset[str]] = {}
        """The labels that each function's docstring has for something else than its variables of
        the same name, by its number (`usage/documented_labels.py`)."""
        self._lines: list[str] | None = None
        self._comment_columns: dict[int, int] | None = None
        self._outlooks = _outlooks(chunk)
        self._carried = _carried(chunk)

    def outlook(self, body: Sequence[ir.Statement]) -> Outlook:
        """The outlook on the statements of a body in this piece."""
        outlook = self._outlooks.get(id(body))
        if outlook is None:
            outlook = self._outlooks[id(body)] = Outlook(body)
        return outlook

    def carried(self, loop: ir.For | ir.While) -> Carried:
        """The variables that a round of a loop in this piece hands to the next."""
        names = self._carried.get(id(loop))
        if names is None:
            names = self._carried[id(loop)] = carried(loop)
        return names

    def text_of(self, line: int) -> str:
        """The text of one line, without its end; "" if there is no such line."""
        if self._lines is None:
            self._lines = [line.rstrip("\r\n") for line in split_lines(self.text)]
        return self._lines[line - 1] if 0 < line <= len(self._lines) else ""

    def code_of(self, line: int) -> str:
        """The code of one line as notes quote it: with single spaces, and with its comment if that
        has a shape.
        """
        return " ".join(self._without_remark(line).split())

    def _without_remark(self, line: int) -> str:
        """The text of one line without its comment, unless that has a shape."""
        if self._comment_columns is None:
            self._comment_columns = {
                one.line: one.column for one in self.chunk.comments if not read_comment(one.text)
            }
        column = self._comment_columns.get(line)
        text = self.text_of(line)
        return text if column is None else text[: column - 1]

    def whole_line(self, line: int) -> Span:
        """The span of the code on one line, in the lines of the file.

        A comment that says nothing is no part of it, since a result holds after an edit of that.
        """
        text = self._without_remark(line)
        start = len(text) - len(text.lstrip()) + 1
        end = max(len(text.rstrip()), start) + 1
        return self.in_file(Span(line, start, line, end))

    def in_file(self, span: Span) -> Span:
        """A span of this piece as one of the file."""
        line, end_line = span.line + self.line - 1, span.end_line + self.line - 1
        if self.columns is None:
            return Span(line, span.column, end_line, span.end_column)
        column = span.column + self.columns.get(line, 0)
        end_column = span.end_column + self.columns.get(end_line, 0)
        return Span(line, column, end_line, end_column)

    @property
    def is_prose(self) -> bool:
        """Whether the piece is an example in a README, a page or a docstring."""
        return self.columns is not None
