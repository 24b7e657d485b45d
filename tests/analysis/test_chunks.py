"""Texts, their lines and their chunks."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import tokenize
from itertools import pairwise
from pathlib import Path
from random import Random

import libcst as cst
import pytest
from hypothesis import assume, given, settings
from sources import ODD, OWN, modules

from namecheck.analysis.reading.codegen import layout_from_tree
from namecheck.analysis.reading.records import lower_chunks
from namecheck.analysis.reading.unreadable import TooDeep
from namecheck.text import chunks as chunking
from namecheck.text.chunks import SourceChunk, decode, split, whole_layout
from namecheck.text.layout import Layout, read_layout


def tokenized(text: str) -> tuple[list[int], list[int], list[tuple[str, int, int]]]:
    """First and last lines of the logical lines, and the comments, by Python's tokenizer."""
    starts: list[int] = []
    ends: list[int] = []
    comments: list[tuple[str, int, int]] = []
    skipped = {tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
        if token.type == tokenize.COMMENT:
            comments.append((token.string, token.start[0], token.start[1] + 1))
        elif token.type == tokenize.NEWLINE:
            ends.append(token.start[0])
        elif token.type not in skipped and len(starts) == len(ends):
            starts.append(token.start[0])
    return starts, ends, comments


def agrees_with_tokenizer(text: str) -> bool:
    layout = read_layout(text)
    comments = [(comment.text, comment.line, comment.column) for comment in layout.comments]
    return (layout.starts, layout.ends, comments) == tokenized(text)


# Before 3.12 the tokenizer does not see a string inside a string, and neither do we. Whether a
# backslash on the first line belongs to the statement depends on the version.
UNDECIDED = {"nested quotes", "nested quotes over lines", "backslash first"}


@pytest.mark.parametrize("name", [name for name in ODD if name not in UNDECIDED])
def test_logical_lines_and_comments_are_those_of_the_tokenizer(name: str) -> None:
    assert agrees_with_tokenizer(ODD[name])


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_logical_lines_of_our_own_sources(path: Path) -> None:
    assert agrees_with_tokenizer(path.read_text())


@given(modules())
@settings(max_examples=150, deadline=None)
def test_logical_lines_of_generated_sources(text: str) -> None:
    assert agrees_with_tokenizer(text)


@given(modules())
@settings(max_examples=60, deadline=None)
def test_the_tree_and_the_text_give_the_same_lines(text: str) -> None:
    module = cst.parse_module(text)
    assume(module.code == text)  # LibCST does not always reproduce form feeds and blank lines
    layout = read_layout(text)
    assert layout_from_tree(module, layout) == layout


@pytest.mark.parametrize("name", ["nested quotes", "nested quotes over lines"])
def test_strings_that_only_a_parser_can_delimit_are_noticed(name: str) -> None:
    assert read_layout(ODD[name]).doubtful
    assert len(split(ODD[name])) == 1


def test_doubt_is_rare() -> None:
    assert not read_layout(ODD["braces in formatted strings"]).doubtful
    assert not any(read_layout(path.read_text()).doubtful for path in OWN)


def check_chunks(text: str) -> None:
    chunks = split(text)
    assert "".join(chunk.text for chunk in chunks) == text
    for chunk, following in pairwise(chunks):
        assert following.line == chunk.line + len(chunk.layout.lines)
    for chunk in chunks:
        assert chunk.layout == read_layout(chunk.text)
    assert whole_layout(text) == read_layout(text)
    # No cut was wrong: if one had been, there would be a single chunk.
    with contextlib.suppress(TooDeep):
        assert len(lower_chunks(text)) == len(chunks)


@pytest.mark.parametrize("name", ODD)
def test_chunks_join_to_the_text_and_are_read_alone(name: str) -> None:
    check_chunks(ODD[name])


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_chunks_of_our_own_sources(path: Path) -> None:
    check_chunks(path.read_text())


@given(modules())
@settings(max_examples=150, deadline=None)
def test_chunks_of_generated_sources(text: str) -> None:
    check_chunks(text)


def edited(text: str, start: int, end: int, put: str) -> str:
    """A text with something in place of what is between two of its lines."""
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:start], put, *lines[end:]])


def split_anew(text: str) -> tuple[SourceChunk, ...]:
    """The chunks of a text, as if no other had been split before."""
    chunking._KEPT.clear()
    return split(text)


PUT = [
    *("", "x = 1\n", "    y = 2\n", "\n", "# remark\n", "    # remark\n", "x", "(\n", ")\n"),
    *('"""\n', "'", "else:\n", "@d\n", "def f():\n    pass\n", "\\\n", "\r\n", "f'{\"a\"}'\n"),
]
"""What an edit puts into a text: also what changes the meaning of the lines around it."""


@pytest.mark.parametrize("name", ODD)
def test_an_edit_is_split_as_the_whole_text(name: str) -> None:
    text = ODD[name] + "".join(f"\n\ndef g{n}(x):\n    return x + {n}\n" for n in range(4))
    random = Random(name)
    for put in PUT * 3:
        start = random.randrange(len(text.splitlines()) + 1)
        now = edited(text, start, start + random.choice([0, 1, 5]), put)
        expected = split_anew(now)
        split_anew(text)
        assert split(now) == expected


@pytest.mark.interpreted
def test_after_an_edit_the_lines_around_it_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"def f{n}(x):\n    return x + {n}\n\n\n" for n in range(200))
    read: list[int] = []

    def counting(part: str) -> Layout:
        read.append(part.count("\n"))
        return read_layout(part)

    monkeypatch.setattr(chunking, "read_layout", counting)
    for line in (0, 2, 401, 799):
        split_anew(text)
        read.clear()
        split(edited(text, line, line + 1, "    y = 1\n"))
        assert len(read) == 1
        assert read[0] <= 13


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", [""]),
        ("import a\nimport b\n\nc = 1\n", ["import a\nimport b\n", "\nc = 1\n"]),
        ("a = 1\n# below a\n\nb = 2\n", ["a = 1\n# below a\n", "\nb = 2\n"]),
        ("a = 1\n# between\nb = 2\n", ["a = 1\n# between\nb = 2\n"]),
        ("a = 1\n# above f\ndef f(): pass\n", ["a = 1\n", "# above f\ndef f(): pass\n"]),
        (
            "def f():\n    x\n    # below x\n\n# above g\n@d\ndef g(): y\nz\n",
            ["def f():\n    x\n    # below x\n", "\n# above g\n@d\ndef g(): y\n", "z\n"],
        ),
        (
            "if a:\n    b\n# mid\nelse:\n    c\nd\n# end",
            ["if a:\n    b\n# mid\nelse:\n    c\n", "d\n# end"],
        ),
        ("# header\n\nx = 1\n", ["# header\n\nx = 1\n"]),
        ("x = [\n\n1]\n\ny = '''\n\n'''\n", ["x = [\n\n1]\n", "\ny = '''\n\n'''\n"]),
    ],
)
def test_where_chunks_begin(text: str, parts: list[str]) -> None:
    assert [chunk.text for chunk in split(text)] == parts


def test_an_edit_changes_one_digest() -> None:
    before = "".join(f"def f{n}(x):\n    return x + {n}\n\n\n" for n in range(20))
    after = before.replace("x + 7\n", "x +  7  # edited\n    # and longer\n")
    changed = {chunk.digest for chunk in split(before)} ^ {chunk.digest for chunk in split(after)}
    assert len(changed) == 2
    records_by_digest = {chunk.digest: records for chunk, records in lower_chunks(before)}
    chunks = lower_chunks(after, records_by_digest)
    assert sum(records is records_by_digest.get(chunk.digest) for chunk, records in chunks) == 19


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"x = 1\r\n", "x = 1\r\n", "utf-8"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n", "utf-8-sig"),
        (b"# coding: latin-1\nx = '\xe9'\n", "# coding: latin-1\nx = 'é'\n", "iso-8859-1"),
        ("# vim: set fileencoding=utf-8 :\né = 1".encode(), None, "utf-8"),
    ],
)
def test_files_are_decoded_as_python_decodes_them(
    data: bytes, text: str | None, encoding: str
) -> None:
    assert decode(data) == (data.decode() if text is None else text, encoding)


@pytest.mark.parametrize("data", [b"# coding: klingon\n", b"x = 1\ny = '\xe9'\n"])
def test_a_file_that_cannot_be_decoded_is_a_syntax_error(data: bytes) -> None:
    with pytest.raises(SyntaxError):
        decode(data)


def test_the_error_has_the_line_that_cannot_be_decoded() -> None:
    with pytest.raises(SyntaxError) as caught:
        decode(b"x = 1\ny = 2\nz = '\xe9'\n")
    assert caught.value.lineno == 3


def test_splitting_and_records_load_no_parser() -> None:
    program = (
        "import sys, namecheck.text.chunks, namecheck.analysis.reading.ir as ir\n"
        "ir.Chunk((), (), 0)\n"
        "sys.exit('libcst' in sys.modules or 'numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
