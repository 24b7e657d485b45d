"""Small programs for the evaluator's tests: what is wrong with them, and what their dims are.

A line that should have a finding ends with `# <- NC202`; the marks are removed before the
analyzer sees the text, so they are not comments of the program.
"""

from __future__ import annotations

import re
from textwrap import dedent

from namecheck.analysis import analyze, analyze_text
from namecheck.findings import Analysis

HEAD = """\
import torch
import torch.nn as nn
import torch.nn.functional as F
import numpy as np
from torch import Tensor
from einops import rearrange
from jaxtyping import Float, Int
"""

_MARK = re.compile(r"\s*# <- ((?:NC\d+[ ,]*)+)$")


def read(program: str) -> tuple[Analysis, list[tuple[int, str]]]:
    """The analysis of a program with the imports above it, and its marks: line and code."""
    marks: list[tuple[int, str]] = []
    lines: list[str] = []
    for number, line in enumerate(dedent(program).strip("\n").splitlines(), 1):
        mark = _MARK.search(line)
        if mark is not None:
            marks += [(number, code) for code in re.findall(r"NC\d+", mark[1])]
            line = line[: mark.start()]
        lines.append(line)
    text = HEAD + "\n".join(lines) + "\n"
    return analyze("snippet.py", text.encode()), sorted(marks)


def reported(analysis: Analysis) -> list[tuple[int, str]]:
    """Line (of the snippet) and code of every finding."""
    above = HEAD.count("\n")
    return sorted((finding.span.line - above, finding.code) for finding in analysis.findings)


def dims(program: str) -> dict[str, str]:
    """The last dims that `show` prints for each name; "return" for returned values."""
    analysis, _ = read(program)
    assert not [f for f in analysis.findings if f.code.startswith("NC9")], analysis.findings
    texts: dict[str, str] = {}
    for shape in sorted(analysis.shapes):
        texts["return" if shape.kind == "return" else shape.target] = shape.dims_text
    return texts


def check_marks(program: str, but: str = "") -> None:
    """Assert that a whole program has findings on the lines that end with `# NC202`, no others.

    Unlike the marks of `read`, these stay in the text. Findings of the code `but` do not count.
    """
    text = dedent(program).lstrip("\n")
    expected = [
        (number, mark[1])
        for number, line in enumerate(text.splitlines(), 1)
        if (mark := re.search(r"# (NC\d{3})$", line))
    ]
    findings = analyze_text("a.py", text).findings
    assert [(one.span.line, one.code) for one in findings if one.code != but] == expected
