"""PyTorch's names of nodes where they are not those of the op.

`y.grad_fn.name()` is what people read in a printed tensor and in messages.  An op that is computed
by others there or here has the name of the last of them, unless it is written down here.  The
names are measured (`tests/data/gradients_torch.jsonl`).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

_F = "nn.functional."


def _transform(input: Any, **others: Any) -> str:
    """A Fourier transform from real or from complex numbers."""
    return "FftC2C" if input.is_complex() else "FftR2C"


def _likelihood(input: Any, **others: Any) -> str:
    """The loss by classes of vectors, or of maps."""
    return "NllLoss2D" if input.ndim > 2 else "NllLoss"


def _huber(weight: Any = None, reduction: Any = None, **others: Any) -> str:
    """The loss; with weights it is reduced apart."""
    if weight is None:
        return "HuberLoss"
    return {"none": "Mul", "sum": "Sum"}.get(reduction, "Mean")


def _alignments(reduction: Any = None, zero_infinity: Any = None, **others: Any) -> str:
    """The loss over alignments, whose reduction is apart."""
    unreduced = "Where" if zero_infinity else "CtcLoss"
    return {"none": unreduced, "sum": "Sum"}.get(reduction, "Mean")


def _sampler(input: Any, **others: Any) -> str:
    """A map that is read at the places of a grid."""
    return f"GridSampler{input.ndim - 2}D"


def _frames(input: Any, return_complex: Any = None, **others: Any) -> str:
    """A Fourier transform over time; a single signal is a batch of one."""
    if return_complex is False:
        return "ViewAsReal"
    return "Squeeze" if input.ndim == 1 else "Transpose"


_SPOKEN: Final[dict[str | Callable[..., str], str]] = {
    "AdaptiveAvgPool2D": f"{_F}adaptive_avg_pool2d",
    "AdaptiveMaxPool2D": f"{_F}adaptive_max_pool2d",
    "AffineGridGenerator": f"{_F}affine_grid",
    "Aminmax": "aminmax",
    "AvgPool2D": f"{_F}avg_pool2d",
    "AvgPool3D": f"{_F}avg_pool3d",
    "BinaryCrossEntropy": f"{_F}binary_cross_entropy",
    "BinaryCrossEntropyWithLogits": f"{_F}binary_cross_entropy_with_logits",
    "BlockDiag": "block_diag",
    "Cat": "gradient linalg.vander vander",
    "Cdist": "cdist",
    "Celu": f"{_F}celu",
    "CholeskyInverse": "cholesky_inverse",
    "CholeskySolve": "cholesky_solve",
    "ConvTbc": f"{_F}conv_tbc",
    "Cummax": "cummax",
    "Cummin": "cummin",
    "DiagEmbed": "diag diagflat",
    "Dist": "dist",
    "Div": f"{_F}softsign",
    "EmbeddingBag": f"{_F}embedding_bag",
    "FftC2C": "fft.fftn fft.ifftn fft.ihfft2 fft.ihfftn",
    "FftR2C": "fft.rfft2 fft.rfftn",
    "Flip": "fliplr flipud",
    "Glu": f"{_F}glu",
    "IndexReduce": "index_reduce",
    "Kthvalue": "kthvalue",
    "LinalgCholeskyEx": "linalg.cholesky linalg.cholesky_ex",
    "LinalgCross": "cross linalg.cross",
    "LinalgEig": "linalg.eigvals",
    "LinalgEigh": "linalg.eigvalsh",
    "LinalgHouseholderProduct": "orgqr linalg.householder_product",
    "LinalgLstsq": "linalg.lstsq",
    "LinalgLuSolve": "lu_solve linalg.lu_solve",
    "LinalgMatrixExp": "matrix_exp",
    "LinalgPinv": "pinverse",
    "LinalgSlogdet": "slogdet",
    "LinalgSvd": "linalg.svdvals",
    "LogSigmoid": f"{_F}logsigmoid",
    "Max": "max",
    "MaxPool2DWithIndices": f"{_F}max_pool2d {_F}max_pool2d_with_indices",
    "MaxPool3DWithIndices": f"{_F}max_pool3d {_F}max_pool3d_with_indices",
    "Median": "median",
    "Min": "min",
    "Mode": "mode",
    "MseLoss": f"{_F}mse_loss",
    "Mul": "outer alpha_dropout feature_alpha_dropout trapezoid",
    "MultiMarginLoss": f"{_F}multi_margin_loss",
    "MultilabelMarginLoss": f"{_F}multilabel_margin_loss",
    "Nanmedian": "nanmedian",
    "NarrowCopy": "narrow_copy",
    "NativeDropout": "native_dropout",
    "NativeGroupNorm": f"{_F}group_norm group_norm",
    "NativeLayerNorm": f"{_F}layer_norm",
    "Norm": f"{_F}pairwise_distance",
    "Ormqr": "ormqr",
    "Pdist": f"{_F}pdist",
    "Pow": "square",
    "PreluKernel": f"{_F}prelu",
    "Renorm": "renorm",
    "Roll": "fft.fftshift fft.ifftshift",
    "RreluWithNoise": f"{_F}rrelu",
    "ScatterReduce": "scatter_reduce",
    "SegmentReduce": "segment_reduce",
    "SmoothL1Loss": f"{_F}smooth_l1_loss",
    "Sort": "sort msort",
    "Squeeze": f"{_F}adaptive_avg_pool1d {_F}adaptive_max_pool1d {_F}avg_pool1d {_F}max_pool1d "
    f"{_F}max_pool1d_with_indices {_F}adaptive_max_pool1d_with_indices {_F}max_unpool1d "
    "linalg.cond quantile nanquantile",
    "Stack": "combinations",
    "StdMean": "std_mean",
    "Sub": f"{_F}tanhshrink",
    "Topk": "topk",
    "TriangularSolve": "triangular_solve",
    "UnsafeView": "kron",
    "VarMean": "var_mean",
    "View": "atleast_1d atleast_2d atleast_3d",
    "Where": "logdet",
    "torch::autograd::CopySlices": "nn.utils.rnn.pad_sequence",
    _transform: "fft.fft",
    _frames: "stft",
    _likelihood: f"{_F}nll_loss",
    _huber: f"{_F}huber_loss",
    _alignments: f"{_F}ctc_loss",
    _sampler: f"{_F}grid_sample",
}
"""The ops of each name."""

_COPIES: Final = (
    "alias as_strided diagonal expand permute select squeeze t transpose unbind unfold unsqueeze "
    "view"
)

NAMES: Final[dict[str, str | Callable[..., str]]] = {
    **{f"torch.{op}": name for name, ops in _SPOKEN.items() for op in ops.split()},
    **{
        f"torch.{op}_copy": "".join(map(str.title, op.split("_"))) + "Backward0_copy"
        for op in _COPIES.split()
    },
    **dict.fromkeys((f"torch.{_F}alpha_dropout", f"torch.{_F}feature_alpha_dropout"), "Mul"),
    "Tensor.sum_to_size": "Sum",
    "Tensor.fill_diagonal_": "torch::autograd::CopySlices",
    **dict.fromkeys(("torch.real", "Tensor.real", "torch.imag", "Tensor.imag"), "Select"),
}
"""By op: the name without its end, or a function of the arguments to it."""
