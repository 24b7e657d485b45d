"""The shape strings that people write, read into one small syntax.

jaxtyping annotations, shape comments and docstrings, einsum and einops patterns, and the signature
strings of our own rules all become written dims (`syntax.py`).  Nothing here knows an op, a size or
a program: the caller turns written dims into dims.  The readers are imported on first use, so that
a rule that needs a signature does not pay for prose.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .comments import Claim, Confidence, read_comment
    from .docstrings import read_docstring
    from .jaxtyping import read_jaxtyping
    from .patterns import (
        Equation,
        Group,
        Pattern,
        Side,
        Signature,
        read_einops,
        read_einops_einsum,
        read_einops_pack,
        read_einops_shape,
        read_einsum,
        read_signature,
    )
    from .syntax import (
        Arithmetic,
        NotationError,
        Term,
        WrittenDim,
        WrittenShape,
        names_of,
        render,
        render_term,
    )

__all__ = [
    # the syntax
    "Arithmetic",
    "NotationError",
    "Term",
    "WrittenDim",
    "WrittenShape",
    "names_of",
    "render",
    "render_term",
    # annotations
    "read_jaxtyping",
    # comments and docstrings
    "Claim",
    "Confidence",
    "read_comment",
    "read_docstring",
    # patterns
    "Equation",
    "Group",
    "Pattern",
    "Side",
    "Signature",
    "read_einops",
    "read_einops_einsum",
    "read_einops_pack",
    "read_einops_shape",
    "read_einsum",
    "read_signature",
]

if not TYPE_CHECKING:
    _HOMES = {
        "syntax": __all__[:8],
        "jaxtyping": ["read_jaxtyping"],
        "comments": ["Claim", "Confidence", "read_comment"],
        "docstrings": ["read_docstring"],
        "patterns": __all__[-11:],
    }
    _HOME = {name: home for home, names in _HOMES.items() for name in names}

    def __getattr__(name):
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f".{_HOME[name]}", __name__), name)
        globals()[name] = value
        return value
