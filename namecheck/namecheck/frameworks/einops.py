"""einops: where its names are re-exported, and its keywords.

Its ops are in `namecheck_runtime.rules`.
"""

from __future__ import annotations

from typing import Final

TENSOR: Final = ""

ALIASES: Final = (("einops.einops.", "einops."),)

WORDS: Final[dict[str, tuple[str, ...]]] = {"tensor": ("input",)}

DTYPES: Final[dict[str, str]] = {}

TENSOR_TYPES: Final[frozenset[str]] = frozenset()

PATTERNED: Final = frozenset({"EinMix", "Rearrange", "Reduce", "rearrange", "reduce", "repeat"})
"""Its functions and layers with a pattern whose dims have words for names."""
