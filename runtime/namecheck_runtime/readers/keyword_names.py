"""The keywords of libraries for the parameters of rules: `axis` is `dim`.

One table for all readers; the registry says which op a call means.
"""

from __future__ import annotations

from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Final

Words = Mapping[str, tuple[str, ...]]
"""By the keyword of a library, the parameters that it may mean: the first that the rule has."""

TORCH: Final[Words] = {
    "axis": ("dim",),
    "axes": ("dim", "dims"),
    "keepdims": ("keepdim",),
    "x": ("input",),
    "a": ("input",),
    "x1": ("input",),
    "x2": ("other",),
}
"""NumPy's keywords that PyTorch also takes."""

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
    """The parameter among `own` that the keyword `name` of a library means; `name` if none is."""
    if name in own:
        return name
    return next((word for word in words.get(name, ()) if word in own), name)
