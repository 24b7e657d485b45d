"""Embeddings and one-hot vectors: they add a dim after those of the indices."""

from __future__ import annotations

from namecheck_runtime.algebra import fresh, require_rank
from namecheck_runtime.declare import Fields, Memory, Shape, Size, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Trailing, known_dims
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import BadExtent
from namecheck_runtime.rules.nn.spatial import is_true, nn, tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def append(input: Shape, dim: Dim) -> Shape:
    """The shape with one more dim at the end."""
    if isinstance(input, tuple):
        return (*input, dim)
    return Trailing((*known_dims(input), dim))


@op("torch.nn.functional.embedding", memory=Memory.NEW, writes=("weight",))
def embedding(
    input: Shape,
    weight: Shape,
    padding_idx: object = None,
    max_norm: object = None,
    norm_type: object = 2.0,
    scale_grad_by_freq: object = False,
    sparse: object = False,
) -> Shape:
    """Rows of the weight: `[*], [V, D] -> [*, D]`.  Source: torch.nn.Embedding; names stay."""
    return _looked_up(input, weight)


@op("torch.embedding", memory=Memory.NEW)
def embedding_by_weight(
    weight: Shape,
    indices: Shape,
    padding_idx: object = -1,
    scale_grad_by_freq: object = False,
    sparse: object = False,
) -> Shape:
    """Rows of the weight: `[V, D], [*] -> [*, D]`."""
    return _looked_up(indices, weight)


def _looked_up(input: Shape, weight: Shape) -> Shape:
    if isinstance(weight, tuple):
        text = "'weight' must be 2-D"
        require_rank(weight, lambda n: n == 2, "2", "weight", text=text)
    dims = known_dims(weight)
    return append(input, dims[-1] if dims else Dim(UNKNOWN, UNKNOWN))


@nn("sparse", "Embedding")
class Embedding:
    """Rows of a table: `[*] -> [*, embedding_dim]`.  Source: torch.nn.Embedding, "Shape"."""

    def __init__(
        self,
        num_embeddings: Size,
        embedding_dim: Size,
        padding_idx: object = None,
        max_norm: object = None,
        norm_type: object = 2.0,
        scale_grad_by_freq: object = False,
        sparse: object = False,
        _weight: object = None,
        _freeze: object = False,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    memory = Memory.NEW

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight `[num_embeddings, embedding_dim]`."""
        return {"weight": tensor(fields["num_embeddings"], fields["embedding_dim"])}

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """One more dim, of embedding_dim."""
        return append(input, Dim(None, fields["embedding_dim"]))


def _bags(input: Shape, offsets: Shape | None, last: object, width: Dim) -> Shape:
    """`[B, N] -> [B, D]`, or `[N]` with offsets `[B]` (one more if they include the end)."""
    if not isinstance(input, tuple):
        return (Dim(UNKNOWN, UNKNOWN), width)
    if len(input) == 2:
        if offsets is not None and offsets is not UNKNOWN:
            text = (
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch "
                "of fixed length sequences."
            )
            raise RankMismatch(shape=input, wanted="1", text=text, blame=(Blame("input"),))
        return (input[0], width)
    if len(input) != 1:
        text = f"input has to be 1D or 2D Tensor, but got Tensor of dimension {len(input)}"
        raise RankMismatch(shape=input, wanted="1 or 2", text=text, blame=(Blame("input"),))
    if offsets is None:
        text = "offsets has to be a 1D Tensor but got None"
        raise RankMismatch(shape=input, wanted="2", text=text, blame=(Blame("input"),))
    counted = isinstance(offsets, tuple) and len(offsets) == 1
    if isinstance(offsets, tuple) and counted and is_true(last) is is_true(False):
        return (offsets[0], width)
    if isinstance(offsets, tuple) and counted and is_true(last).definite:
        count = offsets[0].size
        return (fresh(count - 1 if isinstance(count, int) else UNKNOWN), width)
    return (Dim(UNKNOWN, UNKNOWN), width)


@op("torch.nn.functional.embedding_bag")
def embedding_bag(
    input: Shape,
    weight: Shape,
    offsets: Shape | None = None,
    max_norm: object = None,
    norm_type: object = 2,
    scale_grad_by_freq: object = False,
    mode: object = "mean",
    sparse: object = False,
    per_sample_weights: object = None,
    include_last_offset: object = False,
    padding_idx: object = None,
) -> Shape:
    """Rows of the weight, added up in bags.  Source: torch.nn.EmbeddingBag, "Shape"."""
    dims = known_dims(weight)
    width = dims[-1] if dims else Dim(UNKNOWN, UNKNOWN)
    return _bags(input, offsets, include_last_offset, width)


@nn("sparse", "EmbeddingBag")
class EmbeddingBag:
    """Rows of a table, added up in bags.  Source: torch.nn.EmbeddingBag, "Shape"."""

    def __init__(
        self,
        num_embeddings: Size,
        embedding_dim: Size,
        max_norm: object = None,
        norm_type: object = 2.0,
        scale_grad_by_freq: object = False,
        mode: object = "mean",
        sparse: object = False,
        _weight: object = None,
        include_last_offset: object = False,
        padding_idx: object = None,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight `[num_embeddings, embedding_dim]`."""
        return {"weight": tensor(fields["num_embeddings"], fields["embedding_dim"])}

    @staticmethod
    def forward(
        fields: Fields,
        input: Shape,
        offsets: Shape | None = None,
        per_sample_weights: object = None,
    ) -> Shape:
        """`[B, N] -> [B, embedding_dim]`, or one row for each offset."""
        width = Dim(None, fields["embedding_dim"])
        return _bags(input, offsets, fields["include_last_offset"], width)


@op("torch.nn.functional.one_hot", memory=Memory.NEW)
def one_hot(tensor: Shape, num_classes: Size = -1) -> Shape:
    """A 1 where each class is: `[*] -> [*, num_classes]`; without a number the data decide it.

    Source: torch.nn.functional.one_hot.
    """
    if num_classes == 0 or (isinstance(num_classes, int) and num_classes < -1):
        text = "num_classes should be positive"
        raise BadExtent(shape=tensor, reason=text, text=text, blame=(Blame("num_classes"),))
    if num_classes == -1 and isinstance(tensor, tuple) and any(d.size == 0 for d in tensor):
        text = "Can not infer total number of classes from empty tensor."
        reason = f"{size_list(tensor)} has no elements to count classes in"
        raise BadExtent(shape=tensor, reason=reason, text=text, blame=(Blame("tensor"),))
    return append(tensor, fresh(UNKNOWN if num_classes == -1 else num_classes))


@op(jax="jax.nn.one_hot(input, num_classes)", kind="float")
def jax_one_hot(input: Shape, num_classes: Size, *, axis: object = -1) -> Shape:
    """A 1 where each class is, in a new dim (the last by default).  Source: jax.nn.one_hot."""
    classes = fresh(num_classes)
    if axis == -1:
        return append(input, classes)
    if not isinstance(input, tuple) or not isinstance(axis, int):
        return UNKNOWN
    place = axis + len(input) + 1 if axis < 0 else axis
    return (*input[:place], classes, *input[place:])
