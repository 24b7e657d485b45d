"""Stride, offset and contiguity arithmetic: what every view op does to a layout.

`Geometry` has sizes, strides and an offset, counted in elements; there is one pure function per
layout question, with the parameters of the op that it answers for.  There are no names, dtypes or
data here: `rules` say which names a result has, and the runtime holds the storage.

A mistake raised here does not name an op: the caller does (`Mistake.with_op`).  Its sentence is
PyTorch's.

Every question *about* a size or a stride goes through `same`, `alike`, `less`, `is_one` or
`is_zero`.  An extent may be a symbol, or UNKNOWN: a question without a certain answer then raises
`Undecided`, so that no caller goes on with a guess.  A symbol counts as at least 2 here: if it is
1, all layouts are equal, and no program is written for that case alone.  Positions of dims, indices
and numbers of pieces are plain ints and are compared as such.

Source: `spec/rules.md` section 6, which was measured on torch 2.12.1.
"""

from __future__ import annotations

from namecheck_runtime.strides.contiguity import channels_last_strides as channels_last_strides
from namecheck_runtime.strides.contiguity import clone_strides as clone_strides
from namecheck_runtime.strides.contiguity import contiguity as contiguity
from namecheck_runtime.strides.contiguity import contiguous_strides as contiguous_strides
from namecheck_runtime.strides.contiguity import fresh as fresh
from namecheck_runtime.strides.contiguity import fresh_strides as fresh_strides
from namecheck_runtime.strides.contiguity import is_channels_last as is_channels_last
from namecheck_runtime.strides.contiguity import is_contiguous as is_contiguous
from namecheck_runtime.strides.contiguity import (
    is_non_overlapping_and_dense as is_non_overlapping_and_dense,
)
from namecheck_runtime.strides.geometry import COPY as COPY
from namecheck_runtime.strides.geometry import ROW_MAJOR as ROW_MAJOR
from namecheck_runtime.strides.geometry import Copy as Copy
from namecheck_runtime.strides.geometry import Extent as Extent
from namecheck_runtime.strides.geometry import Extents as Extents
from namecheck_runtime.strides.geometry import Geometry as Geometry
from namecheck_runtime.strides.geometry import Item as Item
from namecheck_runtime.strides.geometry import Key as Key
from namecheck_runtime.strides.geometry import RowMajor as RowMajor
from namecheck_runtime.strides.geometry import Strides as Strides
from namecheck_runtime.strides.geometry import Undecided as Undecided
from namecheck_runtime.strides.geometry import alike as alike
from namecheck_runtime.strides.geometry import compare as compare
from namecheck_runtime.strides.geometry import is_one as is_one
from namecheck_runtime.strides.geometry import is_zero as is_zero
from namecheck_runtime.strides.geometry import less as less
from namecheck_runtime.strides.geometry import numel as numel
from namecheck_runtime.strides.geometry import same as same
from namecheck_runtime.strides.geometry import sure as sure
from namecheck_runtime.strides.overlap import Overlap as Overlap
from namecheck_runtime.strides.overlap import has_internal_overlap as has_internal_overlap
from namecheck_runtime.strides.overlap import overlap as overlap
from namecheck_runtime.strides.overlap import require_apart as require_apart
from namecheck_runtime.strides.overlap import require_writable as require_writable
from namecheck_runtime.strides.overlap import shared_dim as shared_dim
from namecheck_runtime.strides.parts import as_strided as as_strided
from namecheck_runtime.strides.parts import chunk as chunk
from namecheck_runtime.strides.parts import diagonal as diagonal
from namecheck_runtime.strides.parts import index as index
from namecheck_runtime.strides.parts import index_copy as index_copy
from namecheck_runtime.strides.parts import narrow as narrow
from namecheck_runtime.strides.parts import select as select
from namecheck_runtime.strides.parts import slice_dim as slice_dim
from namecheck_runtime.strides.parts import split as split
from namecheck_runtime.strides.parts import tensor_split as tensor_split
from namecheck_runtime.strides.parts import unbind as unbind
from namecheck_runtime.strides.parts import unfold as unfold
from namecheck_runtime.strides.reshaping import H as H
from namecheck_runtime.strides.reshaping import T as T
from namecheck_runtime.strides.reshaping import broadcast_to as broadcast_to
from namecheck_runtime.strides.reshaping import contiguous as contiguous
from namecheck_runtime.strides.reshaping import expand as expand
from namecheck_runtime.strides.reshaping import flatten as flatten
from namecheck_runtime.strides.reshaping import flatten_sizes as flatten_sizes
from namecheck_runtime.strides.reshaping import infer_sizes as infer_sizes
from namecheck_runtime.strides.reshaping import mH as mH
from namecheck_runtime.strides.reshaping import movedim as movedim
from namecheck_runtime.strides.reshaping import mT as mT
from namecheck_runtime.strides.reshaping import permute as permute
from namecheck_runtime.strides.reshaping import ravel as ravel
from namecheck_runtime.strides.reshaping import reshape as reshape
from namecheck_runtime.strides.reshaping import squeeze as squeeze
from namecheck_runtime.strides.reshaping import swapaxes as swapaxes
from namecheck_runtime.strides.reshaping import t as t
from namecheck_runtime.strides.reshaping import transpose as transpose
from namecheck_runtime.strides.reshaping import unflatten as unflatten
from namecheck_runtime.strides.reshaping import unsqueeze as unsqueeze
from namecheck_runtime.strides.reshaping import view as view
