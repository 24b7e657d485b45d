"""What jupyter-lsp asks of a package with a language server: how to start it, and for what.

jupyter-lsp finds this function by its entry point `jupyter_lsp_spec_v1`, so that JupyterLab with
jupyterlab-lsp shows findings once the package is installed beside it.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Any, Final

__all__ = ["specification"]

VERSION: Final = 2
"""The version of the specification's own form."""


def specification(manager: object) -> dict[str, Any]:
    """The servers of this package by name: one, or none if the extra `lsp` is not installed."""
    if find_spec("pygls") is None:
        return {}
    server = {
        "version": VERSION,
        # The interpreter that JupyterLab runs in: its scripts need not be on the PATH.
        "argv": [sys.executable, "-m", "namecheck", "server"],
        "languages": ["python"],
        "mime_types": ["text/x-python", "text/x-ipython"],
        "display_name": "namecheck",
        "requires_documents_on_disk": False,
    }
    return {"namecheck": server}
