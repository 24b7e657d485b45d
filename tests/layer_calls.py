"""Calls of layers that PyTorch and the runtime both run, with the same numbers.

`tests/data/read_torch_layers.py` runs them under PyTorch, `tests/runtime/test_layers_as_torch.py`
under the runtime.  Nothing here imports either: both pass their module.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, Final, NamedTuple

CALLS: Final = """
Identity | 5, unused=3 | f:2,3
Linear | 3, 4 | f:2,3
Linear | 3, 4, bias=False | f:2,5,3
Linear | 3, 1 | f:3
LazyLinear | 4 | f:2,3
LazyLinear | 4, bias=False | f:2,3
NonDynamicallyQuantizableLinear | 3, 2 | f:4,3
Bilinear | 3, 2, 4 | f:5,3 f:5,2
Bilinear | 3, 2, 4, bias=False | f:2,5,3 f:2,5,2
ReLU | | f:2,3
ReLU | inplace=True | f:2,3
ReLU6 | | f:2,3
ELU | 0.7 | f:2,3
SELU | | f:2,3
CELU | alpha=1.5 | f:2,3
GELU | | f:2,3
GELU | approximate='tanh' | f:2,3
SiLU | inplace=True | f:2,3
Mish | | f:2,3
Sigmoid | | f:2,3
Tanh | | f:2,3
Softplus | beta=2.0, threshold=1.0 | f:2,3
Softsign | | f:2,3
Hardsigmoid | | f:2,3
Hardswish | | f:2,3
Hardtanh | -0.5, 0.4 | f:2,3
Hardtanh | | f:2,3
LeakyReLU | 0.2, True | f:2,3
Threshold | 0.1, 20 | f:2,3
Tanhshrink | | f:2,3
Softshrink | | f:2,3
Hardshrink | 0.3 | f:2,3
LogSigmoid | | f:2,3
RReLU | 0.1, 0.3 | f:2,3 | eval
Dropout | 0.0 | f:2,3
Dropout | | f:2,3 | eval
Dropout1d | p=0.0 | f:2,3,2
Dropout2d | p=0.5, inplace=True | f:2,3,2,2 | eval
Dropout3d | 0.0 | f:2,3,2,2,1
AlphaDropout | 0.3 | f:2,3 | eval
FeatureAlphaDropout | 0.3 | f:2,3,2 | eval
Softmax | -1 | f:2,3
LogSoftmax | dim=0 | f:2,3
Softmin | 1 | f:2,3
Softmax2d | | f:2,3,2,2
GLU | | f:2,4
GLU | 0 | f:2,4
PReLU | | f:2,3,2
PReLU | 3, 0.1 | f:2,3,2
LayerNorm | 4 | f:2,3,4
LayerNorm | [3, 4], eps=1e-3, bias=False | f:2,3,4
LayerNorm | (4,), elementwise_affine=False | f:2,4
RMSNorm | 4 | f:2,4
RMSNorm | (3, 4), eps=0.1, elementwise_affine=False | f:2,3,4
GroupNorm | 2, 4 | f:3,4,2
GroupNorm | 2, 4, affine=False | f:3,4
GroupNorm | 2, 4, bias=False | f:3,4
LocalResponseNorm | 2 | f:2,4,3
CrossMapLRN2d | 5, alpha=0.5 | f:2,3,2,2
BatchNorm1d | 3 | f:4,3
BatchNorm1d | 3, momentum=None | f:4,3,2
BatchNorm1d | 3, track_running_stats=False | f:4,3 | eval
BatchNorm1d | 3, affine=False | f:4,3 | eval
BatchNorm2d | 3, 1e-2, 0.3 | f:2,3,2,2
BatchNorm2d | 3, bias=False | f:2,3,2,2
BatchNorm3d | 2 | f:2,2,2,2,1
SyncBatchNorm | 3 | f:4,3,2
LazyBatchNorm1d | | f:4,3
LazyBatchNorm2d | affine=False | f:2,3,2,2
LazyBatchNorm3d | momentum=0.3 | f:2,2,2,2,1
InstanceNorm1d | 3 | f:2,3,4
InstanceNorm1d | 3, affine=True, track_running_stats=True | f:3,4
InstanceNorm2d | 3, affine=True | f:2,3,2,2
InstanceNorm2d | 3, track_running_stats=True | f:2,3,2,2 | eval
InstanceNorm3d | 2 | f:1,2,2,2,2
LazyInstanceNorm1d | | f:2,3,4
LazyInstanceNorm2d | affine=False | f:2,3,2,2
LazyInstanceNorm3d | | f:1,2,2,2,2
Conv1d | 4, 6, 3, groups=2 | f:2,4,5
Conv1d | 2, 3, 3, padding='same', dilation=2 | f:2,6
Conv2d | 2, 3, 3 | f:2,2,4,5
Conv2d | 2, 3, (3, 2), stride=(2, 1), padding=(1, 0), bias=False | f:2,2,4,5
Conv2d | 2, 2, 3, padding=1, padding_mode='reflect' | f:1,2,3,4
Conv2d | 2, 2, 3, padding='same', padding_mode='circular' | f:1,2,3,4
Conv3d | 2, 2, 2, padding=1, stride=2 | f:1,2,3,3,2
Conv3d | 1, 2, 2, padding='valid', padding_mode='replicate' | f:1,1,3,3,2
LazyConv1d | 4, 3 | f:2,3,5
LazyConv2d | 4, (2, 1), bias=False | f:2,3,3,3
LazyConv3d | 2, 2, dilation=1 | f:1,2,2,3,2
ConvTranspose1d | 4, 2, 3, stride=2, groups=2 | f:2,4,3
ConvTranspose1d | 2, 2, 3, stride=3 | f:2,2,3 output_size=v:[10]
ConvTranspose2d | 2, 3, 3, 2, 1, output_padding=1 | f:2,2,2,3
ConvTranspose2d | 2, 3, (2, 1), bias=False, dilation=2 | f:2,2,2,3
ConvTranspose3d | 2, 1, 2 | f:1,2,2,2,1
LazyConvTranspose1d | 2, 3 | f:2,4,3
LazyConvTranspose2d | 2, 3, padding=1 | f:2,4,2,3
LazyConvTranspose3d | 2, 1, bias=False | f:1,2,2,2,1
Embedding | 5, 3 | c:2,4<5
Embedding | 5, 3, padding_idx=-2 | c:2,4<5
Embedding | 5, 3, scale_grad_by_freq=True | c:7<5
Embedding | 5, 3, max_norm=0.3, norm_type=1.0 | c:4<5
EmbeddingBag | 5, 3 | c:2,4<5
EmbeddingBag | 5, 3, mode='sum', padding_idx=1 | c:2,4<5 per_sample_weights=f:2,4
EmbeddingBag | 5, 3, mode='max' | c:7<5 v:T([0,2,5])
EmbeddingBag | 5, 3, mode='mean', include_last_offset=True | c:7<5 v:T([0,2,7])
MultiheadAttention | 4, 2 | f:3,2,4 f:5,2,4 f:5,2,4
MultiheadAttention | 4, 2, bias=False, batch_first=True | f:2,3,4 f:2,5,4 f:2,5,4
MultiheadAttention | 4, 2, kdim=3, vdim=2, add_bias_kv=True, add_zero_attn=True | f:3,2,4 f:5,2,3 f:5,2,2
MultiheadAttention | 4, 2 | f:3,4 f:3,4 f:3,4 attn_mask=v:causal(3) average_attn_weights=v:False
MultiheadAttention | 4, 2 | f:3,2,4 f:3,2,4 f:3,2,4 key_padding_mask=v:T([[False,False,True],[False,True,True]]) need_weights=v:False
MSELoss | | f:2,3 t:2,3
MSELoss | reduction='none' | f:2,3 t:2,3
MSELoss | size_average=False | f:2,3 t:2,3
L1Loss | reduction='sum' | f:2,3 t:2,3
SmoothL1Loss | beta=0.5 | f:2,3 t:2,3
HuberLoss | delta=0.3 | f:2,3 t:2,3
BCELoss | T([0.5, 1.0, 2.0]) | p:2,3 q:2,3
BCEWithLogitsLoss | pos_weight=T([0.5, 1.0, 2.0]) | f:2,3 q:2,3
BCEWithLogitsLoss | T([0.5, 1.0, 2.0]), reduction='sum' | f:2,3 q:2,3
KLDivLoss | reduction='batchmean' | f:2,3 q:2,3
KLDivLoss | reduction='sum', log_target=True | f:2,3 t:2,3
HingeEmbeddingLoss | margin=0.4 | f:2,3 s:2,3
PoissonNLLLoss | | f:2,3 q:2,3
PoissonNLLLoss | log_input=False, full=True | p:2,3 v:T([[2.0,3.0,1.0],[4.0,2.0,5.0]])
SoftMarginLoss | | f:2,3 s:2,3
GaussianNLLLoss | full=True, eps=1e-3 | f:2,3 t:2,3 p:2,3
CrossEntropyLoss | | f:4,3 c:4<3
CrossEntropyLoss | T([0.5, 1.0, 2.0]), ignore_index=1, label_smoothing=0.1 | f:4,3,2 c:4,2<3
CrossEntropyLoss | reduction='none' | f:4,3 q:4,3
NLLLoss | reduction='sum' | f:4,3 c:4<3
NLLLoss | T([0.5, 1.0, 2.0]) | f:4,3 c:4<3
MultiMarginLoss | p=2, margin=0.5 | f:4,3 c:4<3
MultiLabelMarginLoss | | f:2,4 v:T([[3,0,-1,1],[1,2,-1,0]])
MultiLabelSoftMarginLoss | T([0.5, 1.0, 2.0]) | f:2,3 v:T([[0.0,1.0,1.0],[1.0,0.0,0.0]])
CTCLoss | | l:5,2,4 v:T([[1,2],[3,3]]) v:T([5,4]) v:T([2,1])
CTCLoss | blank=3, reduction='sum', zero_infinity=True | l:5,2,4 v:T([[1,2],[0,0]]) v:T([5,4]) v:T([2,2])
MarginRankingLoss | 0.3 | f:4 f:4 s:4
CosineEmbeddingLoss | margin=0.2 | f:4,3 f:4,3 s:4
TripletMarginLoss | swap=True, p=2 | f:4,3 f:4,3 f:4,3
TripletMarginWithDistanceLoss | margin=0.7 | f:4,3 f:4,3 f:4,3
TripletMarginWithDistanceLoss | distance_function=nn.CosineSimilarity(), swap=True | f:4,3 f:4,3 f:4,3
CosineSimilarity | | f:2,3 f:2,3
CosineSimilarity | 0, eps=1e-3 | f:2,3 f:2,3
PairwiseDistance | | f:2,3 f:2,3
PairwiseDistance | 1, keepdim=True | f:2,3 f:2,3
AdaptiveLogSoftmaxWithLoss | 8, 10, [3, 6] | f:6,8 v:T([0,3,5,9,2,7])
AdaptiveLogSoftmaxWithLoss | 4, 6, (2,), div_value=2.0, head_bias=True | f:3,4 v:T([1,4,0])
PixelShuffle | 2 | f:1,8,2,3
PixelUnshuffle | 2 | f:1,2,4,6
ChannelShuffle | 2 | f:1,4,2
Unfold | (2, 2), padding=1 | f:1,2,3,3
Unfold | 2, dilation=2, stride=2 | f:1,2,4,4
Fold | (3, 4), 2 | f:1,8,6
Flatten | | f:2,3,4
Flatten | 0, -2 | f:2,3,4
Unflatten | 1, (2, 3) | f:2,6
ConstantPad1d | 2, 3.5 | f:1,2,3
ConstantPad2d | (1, 0, 2, 1), -1 | f:1,2,3
ConstantPad3d | 1, 0.5 | f:1,1,2,1,2
ZeroPad1d | (1, 2) | f:1,2,3
ZeroPad2d | (1, -1, 2, 1) | f:1,2,3,3
ZeroPad3d | 1 | f:1,1,2,1,2
ReflectionPad1d | 2 | f:1,2,3
ReflectionPad2d | (1, 0, 1, 1) | f:1,2,3,3
ReflectionPad3d | 1 | f:1,1,2,2,2
ReplicationPad1d | (1, 2) | f:1,2,3
ReplicationPad2d | 1 | f:1,2,2,3
ReplicationPad3d | 1 | f:1,1,2,1,2
CircularPad1d | (1, 2) | f:1,2,3
CircularPad2d | 1 | f:1,2,2,3
CircularPad3d | 1 | f:1,1,2,1,2
MaxPool1d | 2 | f:1,2,6
MaxPool1d | 3, 2, 1, return_indices=True | f:1,2,6
MaxPool2d | (2, 3), stride=1, ceil_mode=True | f:1,2,3,5
MaxPool3d | 2, dilation=1, padding=1 | f:1,1,3,2,4
AvgPool1d | 2, stride=1, padding=1 | f:1,2,4
AvgPool2d | 2, ceil_mode=True, count_include_pad=False, padding=1 | f:1,2,3,4
AvgPool2d | (1, 2), divisor_override=3 | f:1,2,3,4
AvgPool3d | 2, 1 | f:1,1,3,2,2
LPPool1d | 2, 2 | f:1,2,4
LPPool2d | 1.5, (2, 1), stride=1 | p:1,2,3,2
LPPool3d | 2, 2 | f:1,1,2,2,4
AdaptiveAvgPool1d | 2 | f:1,2,5
AdaptiveAvgPool2d | (2, None) | f:1,2,3,4
AdaptiveAvgPool3d | 1 | f:1,2,2,3,2
AdaptiveMaxPool1d | 2, return_indices=True | f:1,2,5
AdaptiveMaxPool2d | (1, 2) | f:1,2,3,4
AdaptiveMaxPool3d | (1, 2, 1) | f:1,2,2,3,2
MaxUnpool1d | 2 | f:1,2,2 v:T([[[1,2],[0,3]]])
MaxUnpool2d | 2, stride=2 | f:1,1,2,2 v:T([[[[1,2],[8,15]]]])
MaxUnpool2d | 2 | f:1,1,2,2 v:T([[[[1,2],[8,15]]]]) output_size=v:[5,4]
MaxUnpool3d | (1, 2, 2), padding=0 | f:1,1,1,2,1 v:T([[[[[1],[6]]]]])
FractionalMaxPool2d | 2, output_size=(2, 3), _random_samples=T([[[0.2, 0.6], [0.4, 0.1]]]) | f:1,2,4,6
FractionalMaxPool2d | 2, output_ratio=0.5, return_indices=True, _random_samples=T([[[0.2, 0.6]]]) | f:1,1,4,6
FractionalMaxPool3d | 2, output_size=2, _random_samples=T([[[0.2, 0.6, 0.3]]]) | f:1,1,4,5,4
RNN | 3, 4 | f:5,2,3
RNN | 3, 4, 2, nonlinearity='relu', bias=False, batch_first=True | f:2,5,3 f:2,2,4
RNN | 3, 4, bidirectional=True | f:5,3 f:2,4
LSTM | 3, 4 | f:5,2,3
LSTM | 3, 4, 2, batch_first=True, bidirectional=True | f:2,5,3 v:(A(4,2,4),A(4,2,4))
LSTM | 3, 4, 2, proj_size=2 | f:5,2,3
LSTM | 3, 4, bidirectional=True, proj_size=2, bias=False | f:5,3
LSTM | 3, 2, 2, bidirectional=True | v:packed(A(5,3,3),[5,2,1])
LSTM | 3, 2 | v:packed(A(5,3,3),[2,5,1],enforce_sorted=False) v:(A(1,3,2),A(1,3,2))
GRU | 3, 4, 2, bidirectional=True | f:5,2,3
GRU | 3, 4, bias=False | f:5,3 f:1,4
GRU | 3, 2, bidirectional=True | v:packed(A(5,3,3),[4,3,3]) v:A(2,3,2)
RNNCell | 3, 4 | f:2,3 f:2,4
RNNCell | 3, 4, nonlinearity='relu', bias=False | f:3
GRUCell | 3, 4 | f:2,3
GRUCell | 3, 4 | f:3 f:4
LSTMCell | 3, 4 | f:2,3 v:(A(2,4),A(2,4))
LSTMCell | 3, 4, bias=False | f:3
UpsamplingNearest2d | scale_factor=2 | f:1,2,2,3
UpsamplingBilinear2d | (3, 4) | f:1,2,2,3
Upsample | 4 | f:1,2,3
Upsample | scale_factor=(1.5, 2.0), mode='bilinear', align_corners=False | f:1,2,4,3
Upsample | size=(3, 5), mode='bicubic', align_corners=True | f:1,1,4,4
Upsample | scale_factor=2, mode='trilinear' | f:1,1,2,2,1
TransformerEncoderLayer | 4, 2, 3, 0.0 | f:3,2,4
TransformerEncoderLayer | 4, 2, 3, 0.0, activation=F.gelu, norm_first=True, batch_first=True, bias=False | f:2,3,4 src_mask=v:causal(3) is_causal=v:True
TransformerDecoderLayer | 4, 2, 3, 0.0 | f:3,2,4 f:5,2,4
TransformerDecoderLayer | 4, 2, 3, 0.0, 'gelu', norm_first=True | f:3,2,4 f:5,2,4 tgt_mask=v:causal(3)
TransformerEncoder | nn.TransformerEncoderLayer(4, 2, 3, 0.0), 2, nn.LayerNorm(4) | f:3,2,4 v:causal(3)
TransformerDecoder | nn.TransformerDecoderLayer(4, 2, 3, 0.0), 2 | f:3,2,4 f:2,2,4
Transformer | 4, 2, 1, 1, 3, 0.0 | f:3,2,4 f:2,2,4
Transformer | 4, 2, 1, 1, 3, 0.0, activation='gelu', batch_first=True, norm_first=True | f:2,3,4 f:2,2,4 tgt_mask=v:causal(2)
"""


class Call(NamedTuple):
    """A layer, how it is built, and what it is called with."""

    layer: str
    build: str
    inputs: str
    evaluates: bool

    def __str__(self) -> str:
        mode = " | eval" if self.evaluates else ""
        return f"{self.layer} | {self.build} | {self.inputs}{mode}"


def calls() -> list[Call]:
    """All calls, in order."""
    result = []
    for line in CALLS.strip().splitlines():
        layer, build, inputs, *mode = (part.strip() for part in line.split("|"))
        result.append(Call(layer, build, inputs, mode == ["eval"]))
    return result


# -- numbers ---------------------------------------------------------------------------------------


def drawn(sizes: tuple[int, ...], start: float) -> list[float]:
    """Numbers between -1.2 and 1.2, all different, none near 0."""
    found = []
    for k in range(math.prod(sizes)):
        value = math.sin(1.7 * k * k + 0.9 * k + start) * 1.2
        found.append(value + math.copysign(0.05, value))
    return found


class Numbers:
    """Makes tensors of a library from the texts of a call."""

    def __init__(self, library: Any) -> None:
        self.library = library
        self._starts = count(1)
        self.leaves: list[Any] = []
        """The inputs that want gradients."""

    def floats(self, *sizes: int) -> Any:
        """A tensor of drawn numbers in float64."""
        values = drawn(sizes, 0.37 * next(self._starts))
        return self._shaped(values, sizes, self.library.float64)

    def _shaped(self, values: list[Any], sizes: tuple[int, ...], dtype: Any) -> Any:
        return self.library.tensor(values, dtype=dtype).reshape(sizes)

    def leaf(self, *sizes: int) -> Any:
        """The same, which wants a gradient; layers get a copy of it, and may write to that."""
        return self._wanting(self.floats(*sizes))

    def _wanting(self, leaf: Any) -> Any:
        leaf.requires_grad_()
        self.leaves.append(leaf)
        return leaf.clone()

    def words(self) -> dict[str, Any]:
        """The names that the texts of calls use."""
        library = self.library

        def tensor(values: Any) -> Any:
            made = library.tensor(values)
            return made.double() if made.is_floating_point() else made

        def causal(steps: int) -> Any:
            rows = [[0.0 if k <= row else -math.inf for k in range(steps)] for row in range(steps)]
            return tensor(rows)

        return {
            "nn": library.nn,
            "F": library.nn.functional,
            "T": tensor,
            "A": self.leaf,
            "causal": causal,
            "packed": library.nn.utils.rnn.pack_padded_sequence,
        }

    def value(self, text: str) -> Any:
        """The value of a text: `f:2,3`, `c:4<5`, `v:[5, 4]`."""
        kind, _, rest = text.partition(":")
        if kind == "v":
            return eval(rest, self.words())
        sizes_text, _, most = rest.partition("<")
        sizes = tuple(int(size) for size in sizes_text.split(","))
        if kind == "c":
            found = [(7 * k + 3 * k * k + 2) % int(most) for k in range(math.prod(sizes))]
            return self._shaped(found, sizes, self.library.int64)
        values = drawn(sizes, 0.37 * next(self._starts))
        if kind in ("p", "q"):  # probabilities
            values = [1 / (1 + math.exp(-2 * value)) for value in values]
        elif kind == "s":  # 1 and -1
            values = [math.copysign(1.0, value) for value in values]
        made = self._shaped(values, sizes, self.library.float64)
        made = self._wanting(made) if kind in ("f", "p", "l") else made
        # PyTorch's gradient of CTC is right for normalised logarithms only.
        return self.library.log_softmax(made, -1) if kind == "l" else made


def arguments_of(call: Call, numbers: Numbers) -> tuple[list[Any], dict[str, Any]]:
    """The arguments and keywords of a call."""
    arguments, keywords = [], {}
    for text in call.inputs.split():
        name, equals, value = text.partition("=")
        if equals and name.isidentifier():
            keywords[name] = numbers.value(value)
        else:
            arguments.append(numbers.value(text))
    return arguments, keywords


def built(call: Call, numbers: Numbers) -> Any:
    """The layer, in float64."""
    home = "nn.modules.linear" if call.layer in NOT_IN_NN else "nn"
    return eval(f"{home}.{call.layer}({call.build})", numbers.words()).double()


NOT_IN_NN: Final = ("NonDynamicallyQuantizableLinear",)
"""The layers that PyTorch has in their module only."""


# -- what is compared ------------------------------------------------------------------------------


def tensors_in(value: Any) -> Iterator[Any]:
    """The tensors in a result, in order."""
    if hasattr(value, "shape"):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from tensors_in(part)


MOST: Final = 16
"""How many elements of a tensor are kept; of more only sums."""


def digest(tensor: Any) -> Any:
    """The sizes and the elements of a tensor, or the first ones and three sums of all."""
    values = [float(value) for value in tensor.detach().reshape(-1).tolist()]
    sums = []
    if len(values) > MOST:
        for step in (0.0, 0.7, 1.9):
            sums.append(sum(value * math.cos(step * k + step) for k, value in enumerate(values)))
        values = values[:4]
    return [list(tensor.shape), [*values, *sums]]


def _loss(results: list[Any], numbers: Numbers) -> Any:
    """A number that depends on all elements of all results of floats."""
    total = None
    for place, result in enumerate(results):
        if not result.is_floating_point() or not result.requires_grad:
            continue
        weights = drawn(tuple(result.shape), 0.11 * (place + 1))
        weighted = (result * numbers._shaped(weights, tuple(result.shape), result.dtype)).sum()
        total = weighted if total is None else total + weighted
    return total


def observed(call: Call, library: Any) -> Mapping[str, Any]:
    """What a call shows: text, keys, results, gradients, and the state after two steps."""
    numbers = Numbers(library)
    layer = built(call, numbers)
    facts: dict[str, Any] = {"text": repr(layer)}
    if call.layer.startswith("Lazy"):
        layer(*arguments_of(call, Numbers(library))[0])
        facts["text_after"] = repr(layer)
        layer.zero_grad()
        if hasattr(layer, "reset_running_stats"):
            layer.reset_running_stats()
    if call.evaluates:
        layer.eval()
    with library.no_grad():
        for place, parameter in enumerate(layer.parameters()):
            sizes = tuple(parameter.shape)
            values = [0.4 * value for value in drawn(sizes, 2.0 + 0.61 * place)]
            parameter.copy_(numbers._shaped(values, sizes, library.float64))
    facts["keys"] = list(layer.state_dict())
    facts["parameters"] = [name for name, _ in layer.named_parameters()]
    for step in range(2):
        numbers = Numbers(library)
        arguments, keywords = arguments_of(call, numbers)
        results = list(tensors_in(layer(*arguments, **keywords)))
        loss = _loss(results, numbers)
        loss.backward()
        if step == 0:
            facts["results"] = [digest(result) for result in results]
            facts["inputs"] = [None if t.grad is None else digest(t.grad) for t in numbers.leaves]
            facts["gradients"] = [
                None if parameter.grad is None else digest(parameter.grad)
                for parameter in layer.parameters()
            ]
        with library.no_grad():
            for parameter in layer.parameters():
                if parameter.grad is not None:
                    parameter -= 0.05 * parameter.grad
        layer.zero_grad()
    facts["state"] = [digest(tensor) for tensor in layer.state_dict().values()]
    return facts
