"""The functions of `namecheck_runtime.fft`, as type checkers read them.

Written by `tests/data/write_surface.py` from the registry.
"""

from builtins import bool as _bool
from typing import Any

from namecheck_runtime._surface import (
    Array,
    DeviceLike,
    DimRef,
    DimRefs,
    Dims,
    DTypeLike,
    Index,
    Out,
    Sizes,
)
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.dtypes import layout as Layout

def fft(
    input: Tensor | Array,
    n: Index | None = None,
    dim: DimRef = -1,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRef = -1,
) -> Tensor: ...
def fft2(
    input: Tensor | Array,
    s: Sizes | None = None,
    dim: DimRefs = ...,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRefs = ...,
) -> Tensor: ...
def fftfreq(
    n: Index,
    d: Any = 1.0,
    *,
    out: Out | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = ...,
    device: DeviceLike | None = None,
    requires_grad: _bool = False,
) -> Tensor: ...
def fftn(
    input: Tensor | Array,
    s: Sizes | None = None,
    dim: DimRefs | None = None,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRefs | None = None,
) -> Tensor: ...
def fftshift(
    input: Tensor[*Dims] | Array, dim: Any = None, *, axis: Any = None
) -> Tensor[*Dims]: ...
def hfft(
    input: Tensor | Array,
    n: Index | None = None,
    dim: DimRef = -1,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRef = -1,
) -> Tensor: ...
def hfft2(
    input: Tensor | Array,
    s: Sizes | None = None,
    dim: DimRefs = ...,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRefs = ...,
) -> Tensor: ...
def hfftn(
    input: Tensor | Array,
    s: Sizes | None = None,
    dim: DimRefs | None = None,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRefs | None = None,
) -> Tensor: ...
def ifft(
    input: Tensor | Array,
    n: Index | None = None,
    dim: DimRef = -1,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRef = -1,
) -> Tensor: ...
def ifft2(
    input: Tensor | Array,
    s: Sizes | None = None,
    dim: DimRefs = ...,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRefs = ...,
) -> Tensor: ...
def ifftn(
    input: Tensor | Array,
    s: Sizes | None = None,
    dim: DimRefs | None = None,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRefs | None = None,
) -> Tensor: ...
def ifftshift(
    input: Tensor[*Dims] | Array, dim: Any = None, *, axis: Any = None
) -> Tensor[*Dims]: ...
def ihfft(
    input: Tensor | Array,
    n: Index | None = None,
    dim: DimRef = -1,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRef = -1,
) -> Tensor: ...
def ihfft2(
    input: Tensor | Array,
    s: Sizes | None = None,
    dim: DimRefs = ...,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRefs = ...,
) -> Tensor: ...
def ihfftn(
    input: Tensor | Array,
    s: Sizes | None = None,
    dim: DimRefs | None = None,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRefs | None = None,
) -> Tensor: ...
def irfft(
    input: Tensor | Array,
    n: Index | None = None,
    dim: DimRef = -1,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRef = -1,
) -> Tensor: ...
def irfft2(
    input: Tensor | Array,
    s: Sizes | None = None,
    dim: DimRefs = ...,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRefs = ...,
) -> Tensor: ...
def irfftn(
    input: Tensor | Array,
    s: Sizes | None = None,
    dim: DimRefs | None = None,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRefs | None = None,
) -> Tensor: ...
def rfft(
    input: Tensor | Array,
    n: Index | None = None,
    dim: DimRef = -1,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRef = -1,
) -> Tensor: ...
def rfft2(
    input: Tensor | Array,
    s: Sizes | None = None,
    dim: DimRefs = ...,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRefs = ...,
) -> Tensor: ...
def rfftfreq(
    n: Index,
    d: Any = 1.0,
    *,
    out: Out | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = ...,
    device: DeviceLike | None = None,
    requires_grad: _bool = False,
) -> Tensor: ...
def rfftn(
    input: Tensor | Array,
    s: Sizes | None = None,
    dim: DimRefs | None = None,
    norm: Any = None,
    *,
    out: Out | None = None,
    axis: DimRefs | None = None,
) -> Tensor: ...
