"""The functions of `namecheck_runtime.nn.utils.rnn`, as type checkers read them.

Written by `tests/data/write_surface.py` from the registry.
"""

from typing import Any

from namecheck_runtime._surface import Array, Tensors
from namecheck_runtime.tensors.computing.packing import PackedSequence as PackedSequence
from namecheck_runtime.tensors.object import Tensor

def pack_padded_sequence(
    input: Any, lengths: Any, batch_first: Any = False, enforce_sorted: Any = True
) -> Any: ...
def pack_sequence(sequences: Any, enforce_sorted: Any = True) -> Any: ...
def pad_packed_sequence(
    sequence: Any, batch_first: Any = False, padding_value: Any = 0.0, total_length: Any = None
) -> tuple[Tensor, Tensor]: ...
def pad_sequence(
    sequences: Tensors,
    batch_first: Any = False,
    padding_value: Any = 0.0,
    padding_side: Any = "right",
) -> Tensor: ...
def unpack_sequence(packed_sequences: Any) -> Any: ...
def unpad_sequence(
    padded_sequences: Tensor | Array, lengths: Any, batch_first: Any = False
) -> Any: ...
