"""From source text to findings: the linter's abstract interpreter.

`analyze` is the one door. The parts are imported from their own modules; nothing is imported here,
so that a part (the records, the splitting of a file into chunks) can be had without LibCST.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from namecheck.findings import Analysis


def analyze(path: str, source: bytes, thorough: bool = False) -> Analysis:
    """Findings, shapes and counts of one file. Raises `namecheck.source.Undecodable`.

    `thorough` takes longer and knows more shapes; the findings are the same.
    """
    from namecheck.analysis import file  # brings LibCST and the rules along

    return file.analyze(path, source, thorough)
