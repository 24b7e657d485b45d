"""Notebooks from the sources of their cells, as Jupyter writes them."""

from __future__ import annotations

import json
from typing import Any


def code_cell(source: object, **fields: Any) -> dict[str, Any]:
    """A cell of code. `source` is a string or a list of lines."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": source,
    } | fields


def markdown_cell(text: str) -> dict[str, Any]:
    """A cell of Markdown."""
    return {"cell_type": "markdown", "metadata": {}, "source": [text]}


def notebook(*cells: Any, **metadata: Any) -> bytes:
    """The file of a notebook of version 4."""
    content = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()
