"""Which dim of a sequence is the batch and which the time, as layers read it (NC306).

A dim is the batch if the program calls its size so (`B, T, C = x.shape`, a comment, a parameter
`batch_size`); it is the time if it is called so, or if its places are counted: by `range(T)` in a
loop, or as positions by an op whose effect is `counts`. Which layers read sequences, and whether
batch first, is declared with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.state.independence import BATCH
from namecheck.analysis.state.values import Tensor
from namecheck_runtime import layers
from namecheck_runtime.lattice import Size, known_dims
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import LayoutRole
from namecheck_runtime.sizes import plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator

TIME: Final = frozenset(
    {
        *("t", "time", "times", "timesteps", "time_steps", "n_steps", "num_steps", "n_timesteps"),
        *("seq", "seqlen", "seq_len", "seq_length", "sequence_length", "len_seq", "time_len"),
        *("src_len", "tgt_len", "src_seq_len", "tgt_seq_len", "seq_length", "n_frames"),
    }
)
"""What people call the length of a sequence, in lower case."""


def count(ev: Evaluator, size: Size) -> None:
    """Remember that the program counts the places of a dim of this size."""
    atom = plain_symbol(size)
    if atom is not None:
        ev.counted.add(atom)


def check(
    ev: Evaluator,
    layer: layers.Instance,
    by_name: Mapping[str, Argument],
    node: ir.Node,
) -> None:
    """Check that a layer gets batch and time of its sequences in its own order (NC306)."""
    sequences = layer.layer.sequences
    if not sequences:
        return
    first = layer.layer.batch_first(layer.fields)
    if not isinstance(first, bool):
        return
    for name in sequences:
        tensor = ev.resolve(by_name[name].value) if name in by_name else None
        if not isinstance(tensor, Tensor) or not isinstance(tensor.shape, tuple):
            continue
        shape = ev.current(tensor.shape)
        dims = known_dims(shape)
        if len(dims) != 3:
            continue
        batch, time = (dims[1].size, dims[0].size) if first else (dims[0].size, dims[1].size)
        # If the other dim is not a time, the program may mean to attend across the batch.
        if _is_batch(batch) and (
            _is_time(time) or (not first and plain_symbol(time) in ev.counted)
        ):
            mistake = LayoutRole(
                input=shape, batch_first=first, op=layer.layer.name, blame=(Blame(name),)
            )
            ev.blame(mistake, "warning", node, by_name)
            return


def _called(size: Size) -> str:
    atom = plain_symbol(size)
    return "" if atom is None else atom.label.rpartition(".")[2].strip("_").lower()


def _is_batch(size: Size) -> bool:
    return _called(size) in BATCH


def _is_time(size: Size) -> bool:
    return _called(size) in TIME
