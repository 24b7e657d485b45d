"""A cell's text without IPython's own syntax: as Python, with the same lines and columns.

`%magic`, `!command` and `help?` become `pass`; the right side of `x = !command` becomes
`get_ipython()`, an unknown call. A cell for another program (`%%bash`) becomes blank. Lines stay
lines and Python keeps its columns, so that places need no translation.
"""

from __future__ import annotations

from typing import Final

from namecheck.text.layout import read_layout, split_lines
from namecheck_runtime.light.regexes import regex

__all__ = ["blank", "python_of"]

_OURS: Final = frozenset({"capture", "debug", "namecheck", "prun", "time"})
"""Cell magics that run the cell in the notebook's own names. `%%timeit` and `%%python` do not, and
unknown magics may not."""

_NOT_RUN = regex(r"%%namecheck\s(?:.*\s)?--check-only(?:\s|\Z)")
"""Our own magic with the option that keeps it from running the cell."""

_RUNNING: Final = frozenset({"time", "prun", "memit", "lprun", "mprun"})
"""Line magics that run a statement in the notebook's own names."""

_AUTOMAGIC: Final = (
    "autoreload|cat|cd|clear|conda|config|cp|env|history|less|ll|load_ext|ls|mamba|man|"
    "matplotlib|micromamba|mkdir|more|mv|pip|pylab|reload_ext|rm|rmdir|run|store|time|timeit|uv"
)
"""Magics that people write without `%`: two words with only a space between are not Python."""

_PROMPT = regex(r"\s*(?:>>>|In \[\d+\]:)(?:\s|\Z)")
_CELL_MAGIC = regex(r"%%(\w+)")
_ESCAPED = regex(r"[%!?,;/]")
_LINE_MAGIC = regex(r"%(\w+)[ \t]+(?=\S)")
_HELP = regex(r"[^#'\"\r\n]*[\w\])*]\?\??[ \t]*(?:#[^\r\n]*)?\Z")
_ASSIGNED = regex(r"[^=#'\"]*[^=#'\"\s!<>+\-*/%&|^:@~]\s*=[ \t]*(?=!|%\s*\w)")
_BARE = regex(
    rf"(?:{_AUTOMAGIC})[ \t]+(?!(?:and|as|else|for|if|in|is|not|or)\b)(?=[\w./~'\"\\{{$])"
)
_CONTINUED = regex(r"\\[ \t]*(?:\r\n?|\n)?\Z")


def blank(text: str) -> str:
    """The same number of lines, all empty."""
    return "".join(_end_of(line) for line in split_lines(text))


def python_of(text: str) -> str:
    """A cell's text with Python in the place of IPython's own syntax."""
    lines = split_lines(text)
    first = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    while first < len(lines) and (magic := _CELL_MAGIC.match(lines[first])):
        if magic[1] not in _OURS or _NOT_RUN.match(lines[first]):
            return blank(text)
        lines[first] = _end_of(lines[first])
        first = next((n for n in range(first, len(lines)) if lines[n].strip()), len(lines))
    if first < len(lines) and _PROMPT.match(lines[first]):
        return blank(text)  # a pasted session, whose columns are not those of its code
    suspects = [number for number in range(first, len(lines)) if _statement(lines[number])]
    begin = 0  # a line known to begin a statement
    starts: list[int] | None = None  # where statements begin from there on, once computed
    for number in suspects:
        if number < begin:
            continue
        if number != begin:
            if starts is None:
                starts = read_layout("".join(lines[begin:])).starts
            if number - begin + 1 not in starts:
                continue  # inside a string or brackets
        last = number
        while last + 1 < len(lines) and _CONTINUED.search(lines[last]):
            last += 1
        lines[number] = (_statement(lines[number]) or "") + _end_of(lines[number])
        for other in range(number + 1, last + 1):
            lines[other] = _end_of(lines[other])
        begin, starts = last + 1, None
    return "".join(lines)


def _statement(line: str) -> str | None:
    """The Python that replaces a line at the beginning of a statement; None if it is Python."""
    bare = line.strip(" \t\f\r\n")
    if not bare or bare[0] == "#":
        return None
    indent = line[: len(line) - len(line.lstrip(" \t\f"))]
    if _ESCAPED.match(bare):
        running = _LINE_MAGIC.match(bare)
        if running and running[1] in _RUNNING and _is_simple(code := bare[running.end() :]):
            return indent + "0;".ljust(running.end()) + code
        return indent + "pass"
    if _BARE.match(bare) or ("?" in bare and _HELP.match(bare)):
        return indent + "pass"
    if ("!" in bare or "%" in bare) and (assigned := _ASSIGNED.match(bare)):
        return indent + assigned[0] + "get_ipython()"
    return None


def _is_simple(code: str) -> bool:
    """Whether a text is one simple statement, which may follow a semicolon."""
    import ast

    try:
        (statement,) = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return not hasattr(statement, "body")


def _end_of(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]
