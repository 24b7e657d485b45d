"""Distances and similarities of vectors, sequences of several lengths, ops without a shape rule.

`cdist` lives in `vector_products`.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import check_distinct, drop, fresh, position
from namecheck_runtime.alignment import broadcast
from namecheck_runtime.declare import DimRef, Dims, Fields, Flag, Shape, Size, Tensors, op
from namecheck_runtime.lattice import UNKNOWN, Dim, known_dims, trailing
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.rules.nn.spatial import is_settled, is_true, nn


@op("torch.nn.functional.cosine_similarity", "torch.cosine_similarity")
def cosine_similarity(x1: Shape, x2: Shape, dim: DimRef = 1, eps: object = 1e-8) -> Shape:
    """The dims of both broadcast, without the one that is compared along.

    Source: torch.nn.CosineSimilarity.
    """
    combined = broadcast(x1, x2, arguments=("x1", "x2"))
    if not isinstance(combined, tuple):
        dims = known_dims(combined)
        if not isinstance(dim, int) or not -len(dims) <= dim < 0:
            return UNKNOWN
        return trailing(drop(dims, (len(dims) + dim,)))
    place = position(combined, dim)
    return drop(combined, (place,)) if isinstance(place, int) else UNKNOWN


@nn("distance", "CosineSimilarity")
class CosineSimilarity:
    """The dims of both broadcast, without the one that is compared along.

    Source: torch.nn.CosineSimilarity.
    """

    def __init__(self, dim: DimRef = 1, eps: object = 1e-8) -> None: ...

    @staticmethod
    def forward(fields: Fields, x1: Shape, x2: Shape) -> Shape:
        """As torch.nn.functional.cosine_similarity."""
        return cosine_similarity(x1, x2, fields["dim"])


def _distances(x1: Shape, x2: Shape, keepdim: object) -> Shape:
    """The dims of both broadcast, without the last.  Source: torch.nn.PairwiseDistance."""
    combined = broadcast(x1, x2, arguments=("x1", "x2"))
    dims = known_dims(combined)
    if not is_settled(keepdim):
        return UNKNOWN
    if isinstance(combined, tuple) and not combined:
        return combined
    if is_true(keepdim).definite and dims:
        dims = (*dims[:-1], dims[-1].resize(1))
    else:
        dims = dims[:-1]
    return dims if isinstance(combined, tuple) else trailing(dims)


@op("torch.nn.functional.pairwise_distance", "torch.pairwise_distance")
def pairwise_distance(
    x1: Shape, x2: Shape, p: object = 2.0, eps: object = 1e-6, keepdim: Flag = False
) -> Shape:
    """The dims of both broadcast, without the last.  Source: torch.nn.PairwiseDistance."""
    return _distances(x1, x2, keepdim)


@nn("distance", "PairwiseDistance")
class PairwiseDistance:
    """The dims of both broadcast, without the last.  Source: torch.nn.PairwiseDistance."""

    def __init__(self, p: object = 2.0, eps: object = 1e-6, keepdim: Flag = False) -> None: ...

    @staticmethod
    def forward(fields: Fields, x1: Shape, x2: Shape) -> Shape:
        """As torch.nn.functional.pairwise_distance."""
        return _distances(x1, x2, fields["keepdim"])


@op("torch.nn.functional.pdist", "torch.pdist")
def pdist(input: Dims, p: object = 2) -> Shape:
    """The distances of all pairs of rows: `[n, d] -> [n * (n - 1) / 2]`."""
    if len(input) != 2:
        text = f"pdist only supports 2D tensors, got: {len(input)}D"
        raise RankMismatch(shape=input, wanted="2", text=text, blame=(Blame("input"),))
    count = input[0].size
    pairs = sizes.multiply(count, sizes.subtract(count, 1))
    return (fresh(sizes.floor_divide(pairs, 2)),)


# Sequences of several lengths.


@op("torch.nn.utils.rnn.pad_sequence")
def pad_sequence(
    sequences: Tensors,
    batch_first: object = False,
    padding_value: object = 0.0,
    padding_side: object = "right",
) -> Shape:
    """`[T?, *d]` several times to `[T, N, *d]`, with the longest T and the first one's `*d`.

    Source: torch.nn.utils.rnn.pad_sequence.
    """
    if not sequences or not all(isinstance(shape, tuple) and shape for shape in sequences):
        return UNKNOWN
    first = known_dims(sequences[0])[1:]
    behind: Shape = first
    longest: Size = 0
    for shape in sequences:
        dims = known_dims(shape)
        behind = _joined(behind, dims[1:])
        longest = sizes.maximum(longest, dims[0].size)
    if not isinstance(behind, tuple) or len(behind) != len(first) or not is_settled(batch_first):
        return UNKNOWN
    behind = tuple(
        Dim(dim.name, first_dim.size) for dim, first_dim in zip(behind, first, strict=True)
    )
    time, batch = fresh(longest), fresh(len(sequences))
    lead = (batch, time) if is_true(batch_first).definite else (time, batch)
    check_distinct((dim.name for dim in behind), "sequences")
    return (*lead, *behind)


def _joined(left: Shape, right: Shape) -> Shape:
    arguments = ("sequences", "sequences")
    return broadcast(left, right, arguments=arguments, suspicious=False)


@op("torch.nn.utils.rnn.pack_padded_sequence")
def pack_padded_sequence(
    input: object, lengths: object, batch_first: object = False, enforce_sorted: object = True
) -> object:
    """A PackedSequence, which is not a tensor."""
    return UNKNOWN


@op("torch.nn.utils.rnn.pack_sequence")
def pack_sequence(sequences: object, enforce_sorted: object = True) -> object:
    """A PackedSequence, which is not a tensor."""
    return UNKNOWN


@op("torch.nn.utils.rnn.unpack_sequence")
def unpack_sequence(packed_sequences: object) -> object:
    """The list of packed sequences; the elements decide how many there are: UNKNOWN."""
    return UNKNOWN


@op("torch.nn.utils.rnn.unpad_sequence")
def unpad_sequence(padded_sequences: Shape, lengths: object, batch_first: object = False) -> object:
    """A list of sequences, whose lengths are the elements of `lengths`: UNKNOWN."""
    return UNKNOWN


@op("torch.nn.utils.rnn.pad_packed_sequence")
def pad_packed_sequence(
    sequence: object,
    batch_first: object = False,
    padding_value: object = 0.0,
    total_length: object = None,
) -> tuple[Shape, Shape]:
    """The padded sequences, and their lengths `[N]`."""
    return UNKNOWN, (Dim(UNKNOWN, UNKNOWN),)


@nn("adaptive", "AdaptiveLogSoftmaxWithLoss")
class AdaptiveLogSoftmaxWithLoss:
    """A named tuple of likelihoods `[N]` and their mean."""

    def __init__(
        self,
        in_features: Size,
        n_classes: Size,
        cutoffs: object,
        div_value: object = 4.0,
        head_bias: object = False,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, input_: Shape, target_: Shape) -> tuple[Shape, Shape]:
        """`([N], [])`."""
        return target_, ()
