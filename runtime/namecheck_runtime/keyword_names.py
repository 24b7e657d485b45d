"""What libraries call an argument that rules call otherwise: `axis` is `dim`.

One table for all readers; which op a call means stands in the registry.
"""

from __future__ import annotations

from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Final

Words = Mapping[str, tuple[str, ...]]
"""A library's word: what rules call it, the first that a rule has."""

TORCH: Final[Words] = {
    "axis": ("dim",),
    "axes": ("dim", "dims"),
    "keepdims": ("keepdim",),
    "x": ("input",),
    "a": ("input",),
    "x1": ("input",),
    "x2": ("other",),
}
"""NumPy's words, which PyTorch also takes."""

NUMPY: Final[Words] = {
    "axis": ("dim",),
    "axes": ("dim", "dims"),
    "axis1": ("dim1", "dim0"),
    "axis2": ("dim2", "dim1"),
    "keepdims": ("keepdim",),
    "a": ("input", "A"),
    "x": ("input", "A"),
    "arr": ("input",),
    "ary": ("input",),
    "array": ("input",),
    "m": ("input",),
    "v": ("input",),
    "x1": ("input", "x"),
    "x2": ("other", "y", "exponent", "values", "vec2"),
    "b": ("other", "B"),
    "newshape": ("shape",),
    "shape": ("size",),
    "N": ("n",),
    "M": ("m", "window_length"),
    "stop": ("end",),
    "a_min": ("min",),
    "a_max": ("max",),
    "arrays": ("tensors",),
    "arys": ("tensors",),
    "element": ("elements",),
    "indices_or_sections": ("sections", "indices"),
}


def translated(words: Words, name: str, own: Collection[str]) -> str:
    """What a rule with parameters called `own` calls the keyword `name` of a library."""
    if name in own:
        return name
    return next((word for word in words.get(name, ()) if word in own), name)
