"""Random edits of Python projects, for the law that an incremental answer is that of a clean run.

Each edit is one that a person makes, or a slip: a comment, a literal, a renamed function, a file
that goes. The text need not be valid afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

__all__ = ["EDITS", "INERT", "edit_project", "edited_in_silence"]

Edit: TypeAlias = Callable[[Random, str], str]
"""A random edit of a text; the text comes back if there is no place for it."""


def _line_before(line: str) -> Edit:
    def edit(random: Random, text: str) -> str:
        lines = text.split("\n")
        place = random.randrange(len(lines))
        indent = re.match(r" *", lines[place])
        lines.insert(place, (indent[0] if indent and line else "") + line)
        return "\n".join(lines)

    return edit


def _one_of(pattern: str, replacement: Callable[[Random, re.Match[str]], str]) -> Edit:
    """An edit that replaces one of the matches of a pattern."""
    regex = re.compile(pattern, re.MULTILINE)

    def edit(random: Random, text: str) -> str:
        matches = list(regex.finditer(text))
        if not matches:
            return text
        match = random.choice(matches)
        return text[: match.start()] + replacement(random, match) + text[match.end() :]

    return edit


def _shape_comment(random: Random, match: re.Match[str]) -> str:
    return match[0] + random.choice(["  # (b, n, d)", "  # [B, C]", "  # of shape (batch, dim)"])


def _other_number(random: Random, match: re.Match[str]) -> str:
    return str(random.choice([0, 1, 2, 3, int(match[0]) + 1]))


def _definitions(text: str) -> list[int]:
    return [match.start() for match in re.finditer(r"^(?:@|def |class )", text, re.MULTILINE)]


def _without_definition(random: Random, text: str) -> str:
    starts = _definitions(text)
    if len(starts) < 2:
        return text
    place = random.randrange(len(starts) - 1)
    return text[: starts[place]] + text[starts[place + 1] :]


def _definition_at_the_end(random: Random, text: str) -> str:
    starts = _definitions(text)
    if len(starts) < 2:
        return text
    place = random.randrange(len(starts) - 1)
    first, end = starts[place], starts[place + 1]
    return f"{text[:first]}{text[end:]}\n\n{text[first:end]}"


def _report_before(random: Random, text: str) -> str:
    """A statement that gives nothing, on a line of its own above a statement."""
    reports = [
        'print("here")',
        'print(f"{1} of {len(str(1))}", end="")',
        'warnings.warn(\n"of old",\nstacklevel=2)',
        'logger.debug("seen")',
        "self.logger.info(1)",
        "spare = 3",
        "spare_number = -1",
        'spare_text = "(B, T)"',
        "print(print)",
        "print(spare.pop())",
        "LIMIT = 3",
    ]
    return _line_before(random.choice(reports))(random, text)


def _without_report(random: Random, text: str) -> str:
    reports = r"^ +(?:print|warnings\.warn|logger\.\w+)\(.*\)\n|^ +spare\w* = .*\n"
    return _one_of(reports, lambda _, match: "")(random, text)


def _other_words(random: Random, text: str) -> str:
    """Other words in a line that raises, asserts or reports."""
    words = ["a tensor", "of dims", "(B, T)", "{}", "n -> m", "backward", ""]
    pattern = r"(?<=[\"' ])[A-Za-z]+(?=[\"' ](?:.*\)|[^()]*)$)"
    lines = text.split("\n")
    failing = [n for n, line in enumerate(lines) if re.search(r"raise |assert |print\(|warn", line)]
    if not failing:
        return text
    place = random.choice(failing)
    lines[place] = _one_of(pattern, lambda _, match: random.choice(words))(random, lines[place])
    return "\n".join(lines)


INERT: Final[Sequence[Edit]] = (
    _report_before,
    _without_report,
    _other_words,
    _one_of(r"(?<=\S)$", lambda random, match: random.choice(["  # noqa", "  # type: ignore[x]"])),
)
"""Edits most of which give nothing to other files."""

EDITS: Final[Sequence[tuple[int, Edit]]] = (
    (3, _line_before("# a remark that says nothing")),
    (1, _line_before("")),
    (1, _line_before("LIMIT = 3")),
    (2, _one_of(r"^ +\w+ = .*[^\\(\[{,]$", _shape_comment)),
    (5, _one_of(r"(?<![\w.])\d+(?![\w.])", _other_number)),
    (4, _one_of(r"(?<=^    )\S.*[^:(\[{,]$", lambda _, match: "pass")),
    (1, _one_of(r"(?<=^def )\w+|(?<=^class )\w+", lambda _, match: f"{match[0]}_2")),
    (3, _one_of(r"(?<=\()(\w+), (\w+)(?=[,)])", lambda _, match: f"{match[2]}, {match[1]}")),
    (2, _one_of(r'"""[^"]+"""', lambda _, match: '"""Another sentence."""')),
    (1, _without_definition),
    (1, _definition_at_the_end),
    *((1, edit) for edit in INERT),
)
"""Edits of texts, and how often each is made."""


SILENT: Final[Sequence[Edit]] = (
    _line_before("# a remark that says nothing"),
    _line_before("# b n"),
    _line_before("# (batch, time)"),
    _line_before(""),
    _one_of(r"(?<=[\w)])$", lambda random, match: "  # a word"),
    _one_of(r"[ ]*# [^\n]*$", lambda random, match: ""),
    _one_of(r'(?<=\w)\."""', lambda random, match: ' of it."""'),
)
"""Edits of comments and docstrings, most of which say nothing to the checker."""


def edited_in_silence(random: Random, text: str) -> str:
    """A text after a random edit of its comments and docstrings."""
    return random.choice(SILENT)(random, text)


def edit_project(random: Random, folder: Path, gone: dict[Path, str]) -> str:
    """Make a random edit in a folder, and return what was done.

    `gone` keeps the files that earlier edits have deleted; some come back.
    """
    file = random.choice(sorted(folder.rglob("*.py")))
    name = file.relative_to(folder)
    kind = random.random()
    if kind < 0.03 and len(gone) < 2:
        gone[file] = file.read_text()
        file.unlink()
        return f"{name} goes"
    if kind < 0.06 and gone:
        back, text = gone.popitem()
        back.write_text(text)
        return f"{back.relative_to(folder)} comes back"
    if kind < 0.08:
        copy = file.with_name(f"new_{random.randrange(9)}.py")
        copy.write_text(file.read_text())
        return f"{copy.relative_to(folder)} is a copy of {name}"
    if kind < 0.10 and not file.stem.endswith("_r"):
        file.rename(file.with_name(f"{file.stem}_r.py"))
        return f"{name} has another name"
    number = random.choices(range(len(EDITS)), [often for often, _ in EDITS])[0]
    file.write_text(EDITS[number][1](random, file.read_text()))
    return f"edit {number} of {name}"
