"""The modules and functions of `namecheck_runtime.nn`, as type checkers read them.

Written by `tests/data/write_surface.py` from the registry.
"""

from builtins import bool as _bool
from builtins import str as _str
from typing import Any

from namecheck_runtime._surface import Array, DeviceLike, DimRef, DTypeLike, Index, Sizes
from namecheck_runtime.nn import functional as functional
from namecheck_runtime.nn import init as init
from namecheck_runtime.nn import modules as modules
from namecheck_runtime.nn import parallel as parallel
from namecheck_runtime.nn import parameter as parameter
from namecheck_runtime.nn import utils as utils
from namecheck_runtime.nn.modules import activation as _activation
from namecheck_runtime.nn.modules import adaptive as _adaptive
from namecheck_runtime.nn.modules import batchnorm as _batchnorm
from namecheck_runtime.nn.modules import channelshuffle as _channelshuffle
from namecheck_runtime.nn.modules import conv as _conv
from namecheck_runtime.nn.modules import distance as _distance
from namecheck_runtime.nn.modules import dropout as _dropout
from namecheck_runtime.nn.modules import flatten as _flatten
from namecheck_runtime.nn.modules import fold as _fold
from namecheck_runtime.nn.modules import instancenorm as _instancenorm
from namecheck_runtime.nn.modules import linear as _linear
from namecheck_runtime.nn.modules import loss as _loss
from namecheck_runtime.nn.modules import normalization as _normalization
from namecheck_runtime.nn.modules import padding as _padding
from namecheck_runtime.nn.modules import pixelshuffle as _pixelshuffle
from namecheck_runtime.nn.modules import pooling as _pooling
from namecheck_runtime.nn.modules import rnn as _rnn
from namecheck_runtime.nn.modules import sparse as _sparse
from namecheck_runtime.nn.modules import transformer as _transformer
from namecheck_runtime.nn.modules import upsampling as _upsampling
from namecheck_runtime.nn.modules.container import ModuleDict as ModuleDict
from namecheck_runtime.nn.modules.container import ModuleList as ModuleList
from namecheck_runtime.nn.modules.container import ParameterDict as ParameterDict
from namecheck_runtime.nn.modules.container import ParameterList as ParameterList
from namecheck_runtime.nn.modules.container import Sequential as Sequential
from namecheck_runtime.nn.modules.module import Module as Module
from namecheck_runtime.nn.modules.rnn import RNNBase as RNNBase
from namecheck_runtime.nn.modules.rnn import RNNCellBase as RNNCellBase
from namecheck_runtime.nn.parallel import DataParallel as DataParallel
from namecheck_runtime.nn.parameter import Buffer as Buffer
from namecheck_runtime.nn.parameter import Parameter as Parameter
from namecheck_runtime.nn.parameter import UninitializedBuffer as UninitializedBuffer
from namecheck_runtime.nn.parameter import UninitializedParameter as UninitializedParameter
from namecheck_runtime.tensors.object import Tensor

class AdaptiveAvgPool1d(_pooling.AdaptiveAvgPool1d):
    def __init__(self, output_size: Any) -> None: ...

class AdaptiveAvgPool2d(_pooling.AdaptiveAvgPool2d):
    def __init__(self, output_size: Any) -> None: ...

class AdaptiveAvgPool3d(_pooling.AdaptiveAvgPool3d):
    def __init__(self, output_size: Any) -> None: ...

class AdaptiveLogSoftmaxWithLoss(_adaptive.AdaptiveLogSoftmaxWithLoss):
    def __init__(
        self,
        in_features: Index,
        n_classes: Index,
        cutoffs: Any,
        div_value: Any = 4.0,
        head_bias: Any = False,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class AdaptiveMaxPool1d(_pooling.AdaptiveMaxPool1d):
    def __init__(self, output_size: Any, return_indices: Any = False) -> None: ...

class AdaptiveMaxPool2d(_pooling.AdaptiveMaxPool2d):
    def __init__(self, output_size: Any, return_indices: Any = False) -> None: ...

class AdaptiveMaxPool3d(_pooling.AdaptiveMaxPool3d):
    def __init__(self, output_size: Any, return_indices: Any = False) -> None: ...

class AlphaDropout(_dropout.AlphaDropout):
    def __init__(self, p: Any = 0.5, inplace: Any = False) -> None: ...

class AvgPool1d(_pooling.AvgPool1d):
    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: Any = False,
        count_include_pad: Any = True,
        divisor_override: Any = None,
    ) -> None: ...

class AvgPool2d(_pooling.AvgPool2d):
    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: Any = False,
        count_include_pad: Any = True,
        divisor_override: Any = None,
    ) -> None: ...

class AvgPool3d(_pooling.AvgPool3d):
    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: Any = False,
        count_include_pad: Any = True,
        divisor_override: Any = None,
    ) -> None: ...

class BCELoss(_loss.BCELoss):
    def __init__(
        self,
        weight: Tensor | Array | None = None,
        size_average: Any = None,
        reduce: Any = None,
        reduction: Any = "mean",
    ) -> None: ...

class BCEWithLogitsLoss(_loss.BCEWithLogitsLoss):
    def __init__(
        self,
        weight: Tensor | Array | None = None,
        size_average: Any = None,
        reduce: Any = None,
        reduction: Any = "mean",
        pos_weight: Tensor | Array | None = None,
    ) -> None: ...

class BatchNorm1d(_batchnorm.BatchNorm1d):
    def __init__(
        self,
        num_features: Index,
        eps: Any = 1e-05,
        momentum: Any = 0.1,
        affine: Any = True,
        track_running_stats: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
        *,
        bias: Any = True,
    ) -> None: ...

class BatchNorm2d(_batchnorm.BatchNorm2d):
    def __init__(
        self,
        num_features: Index,
        eps: Any = 1e-05,
        momentum: Any = 0.1,
        affine: Any = True,
        track_running_stats: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
        *,
        bias: Any = True,
    ) -> None: ...

class BatchNorm3d(_batchnorm.BatchNorm3d):
    def __init__(
        self,
        num_features: Index,
        eps: Any = 1e-05,
        momentum: Any = 0.1,
        affine: Any = True,
        track_running_stats: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
        *,
        bias: Any = True,
    ) -> None: ...

class Bilinear(_linear.Bilinear):
    def __init__(
        self,
        in1_features: Index,
        in2_features: Index,
        out_features: Index,
        bias: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class CELU(_activation.CELU):
    def __init__(self, alpha: Any = 1.0, inplace: Any = False) -> None: ...

class CTCLoss(_loss.CTCLoss):
    def __init__(
        self, blank: Any = 0, reduction: Any = "mean", zero_infinity: Any = False
    ) -> None: ...

class ChannelShuffle(_channelshuffle.ChannelShuffle):
    def __init__(self, groups: Index) -> None: ...

class CircularPad1d(_padding.CircularPad1d):
    def __init__(self, padding: Sizes) -> None: ...

class CircularPad2d(_padding.CircularPad2d):
    def __init__(self, padding: Sizes) -> None: ...

class CircularPad3d(_padding.CircularPad3d):
    def __init__(self, padding: Sizes) -> None: ...

class ConstantPad1d(_padding.ConstantPad1d):
    def __init__(self, padding: Sizes, value: Any) -> None: ...

class ConstantPad2d(_padding.ConstantPad2d):
    def __init__(self, padding: Sizes, value: Any) -> None: ...

class ConstantPad3d(_padding.ConstantPad3d):
    def __init__(self, padding: Sizes, value: Any) -> None: ...

class Conv1d(_conv.Conv1d):
    def __init__(
        self,
        in_channels: Index,
        out_channels: Index,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes | _str = 0,
        dilation: Sizes = 1,
        groups: Index = 1,
        bias: Any = True,
        padding_mode: Any = "zeros",
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class Conv2d(_conv.Conv2d):
    def __init__(
        self,
        in_channels: Index,
        out_channels: Index,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes | _str = 0,
        dilation: Sizes = 1,
        groups: Index = 1,
        bias: Any = True,
        padding_mode: Any = "zeros",
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class Conv3d(_conv.Conv3d):
    def __init__(
        self,
        in_channels: Index,
        out_channels: Index,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes | _str = 0,
        dilation: Sizes = 1,
        groups: Index = 1,
        bias: Any = True,
        padding_mode: Any = "zeros",
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class ConvTranspose1d(_conv.ConvTranspose1d):
    def __init__(
        self,
        in_channels: Index,
        out_channels: Index,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        groups: Index = 1,
        bias: Any = True,
        dilation: Sizes = 1,
        padding_mode: Any = "zeros",
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class ConvTranspose2d(_conv.ConvTranspose2d):
    def __init__(
        self,
        in_channels: Index,
        out_channels: Index,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        groups: Index = 1,
        bias: Any = True,
        dilation: Sizes = 1,
        padding_mode: Any = "zeros",
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class ConvTranspose3d(_conv.ConvTranspose3d):
    def __init__(
        self,
        in_channels: Index,
        out_channels: Index,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        groups: Index = 1,
        bias: Any = True,
        dilation: Sizes = 1,
        padding_mode: Any = "zeros",
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class CosineEmbeddingLoss(_loss.CosineEmbeddingLoss):
    def __init__(
        self,
        margin: Any = 0.0,
        size_average: Any = None,
        reduce: Any = None,
        reduction: Any = "mean",
    ) -> None: ...

class CosineSimilarity(_distance.CosineSimilarity):
    def __init__(self, dim: DimRef = 1, eps: Any = 1e-08) -> None: ...

class CrossEntropyLoss(_loss.CrossEntropyLoss):
    def __init__(
        self,
        weight: Tensor | Array | None = None,
        size_average: Any = None,
        ignore_index: Any = -100,
        reduce: Any = None,
        reduction: Any = "mean",
        label_smoothing: Any = 0.0,
    ) -> None: ...

class CrossMapLRN2d(_normalization.CrossMapLRN2d):
    def __init__(self, size: Any, alpha: Any = 0.0001, beta: Any = 0.75, k: Any = 1) -> None: ...

class Dropout(_dropout.Dropout):
    def __init__(self, p: Any = 0.5, inplace: Any = False) -> None: ...

class Dropout1d(_dropout.Dropout1d):
    def __init__(self, p: Any = 0.5, inplace: Any = False) -> None: ...

class Dropout2d(_dropout.Dropout2d):
    def __init__(self, p: Any = 0.5, inplace: Any = False) -> None: ...

class Dropout3d(_dropout.Dropout3d):
    def __init__(self, p: Any = 0.5, inplace: Any = False) -> None: ...

class ELU(_activation.ELU):
    def __init__(self, alpha: Any = 1.0, inplace: Any = False) -> None: ...

class Embedding(_sparse.Embedding):
    def __init__(
        self,
        num_embeddings: Index,
        embedding_dim: Index,
        padding_idx: Any = None,
        max_norm: Any = None,
        norm_type: Any = 2.0,
        scale_grad_by_freq: Any = False,
        sparse: Any = False,
        _weight: Any = None,
        _freeze: Any = False,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class EmbeddingBag(_sparse.EmbeddingBag):
    def __init__(
        self,
        num_embeddings: Index,
        embedding_dim: Index,
        max_norm: Any = None,
        norm_type: Any = 2.0,
        scale_grad_by_freq: Any = False,
        mode: Any = "mean",
        sparse: Any = False,
        _weight: Any = None,
        include_last_offset: Any = False,
        padding_idx: Any = None,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class FeatureAlphaDropout(_dropout.FeatureAlphaDropout):
    def __init__(self, p: Any = 0.5, inplace: Any = False) -> None: ...

class Flatten(_flatten.Flatten):
    def __init__(self, start_dim: DimRef = 1, end_dim: DimRef = -1) -> None: ...

class Fold(_fold.Fold):
    def __init__(
        self,
        output_size: Sizes,
        kernel_size: Sizes,
        dilation: Sizes = 1,
        padding: Sizes = 0,
        stride: Sizes = 1,
    ) -> None: ...

class FractionalMaxPool2d(_pooling.FractionalMaxPool2d):
    def __init__(
        self,
        kernel_size: Sizes,
        output_size: Sizes | None = None,
        output_ratio: Any = None,
        return_indices: Any = False,
        _random_samples: Any = None,
    ) -> None: ...

class FractionalMaxPool3d(_pooling.FractionalMaxPool3d):
    def __init__(
        self,
        kernel_size: Sizes,
        output_size: Sizes | None = None,
        output_ratio: Any = None,
        return_indices: Any = False,
        _random_samples: Any = None,
    ) -> None: ...

class GELU(_activation.GELU):
    def __init__(self, approximate: Any = "none") -> None: ...

class GLU(_activation.GLU):
    def __init__(self, dim: DimRef = -1) -> None: ...

class GRU(_rnn.GRU):
    def __init__(
        self,
        input_size: Index,
        hidden_size: Index,
        num_layers: Index = 1,
        bias: Any = True,
        batch_first: Any = False,
        dropout: Any = 0.0,
        bidirectional: Any = False,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class GRUCell(_rnn.GRUCell):
    def __init__(
        self,
        input_size: Index,
        hidden_size: Index,
        bias: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class GaussianNLLLoss(_loss.GaussianNLLLoss):
    def __init__(self, *, full: Any = False, eps: Any = 1e-06, reduction: Any = "mean") -> None: ...

class GroupNorm(_normalization.GroupNorm):
    def __init__(
        self,
        num_groups: Index,
        num_channels: Index,
        eps: Any = 1e-05,
        affine: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
        *,
        bias: Any = True,
    ) -> None: ...

class Hardshrink(_activation.Hardshrink):
    def __init__(self, lambd: Any = 0.5) -> None: ...

class Hardsigmoid(_activation.Hardsigmoid):
    def __init__(self, inplace: Any = False) -> None: ...

class Hardswish(_activation.Hardswish):
    def __init__(self, inplace: Any = False) -> None: ...

class Hardtanh(_activation.Hardtanh):
    def __init__(
        self,
        min_val: Any = -1.0,
        max_val: Any = 1.0,
        inplace: Any = False,
        min_value: Any = None,
        max_value: Any = None,
    ) -> None: ...

class HingeEmbeddingLoss(_loss.HingeEmbeddingLoss):
    def __init__(
        self,
        margin: Any = 1.0,
        size_average: Any = None,
        reduce: Any = None,
        reduction: Any = "mean",
    ) -> None: ...

class HuberLoss(_loss.HuberLoss):
    def __init__(self, reduction: Any = "mean", delta: Any = 1.0) -> None: ...

class Identity(_linear.Identity):
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class InstanceNorm1d(_instancenorm.InstanceNorm1d):
    def __init__(
        self,
        num_features: Index,
        eps: Any = 1e-05,
        momentum: Any = 0.1,
        affine: Any = False,
        track_running_stats: Any = False,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
        *,
        bias: Any = True,
    ) -> None: ...

class InstanceNorm2d(_instancenorm.InstanceNorm2d):
    def __init__(
        self,
        num_features: Index,
        eps: Any = 1e-05,
        momentum: Any = 0.1,
        affine: Any = False,
        track_running_stats: Any = False,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
        *,
        bias: Any = True,
    ) -> None: ...

class InstanceNorm3d(_instancenorm.InstanceNorm3d):
    def __init__(
        self,
        num_features: Index,
        eps: Any = 1e-05,
        momentum: Any = 0.1,
        affine: Any = False,
        track_running_stats: Any = False,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
        *,
        bias: Any = True,
    ) -> None: ...

class KLDivLoss(_loss.KLDivLoss):
    def __init__(
        self,
        size_average: Any = None,
        reduce: Any = None,
        reduction: Any = "mean",
        log_target: Any = False,
    ) -> None: ...

class L1Loss(_loss.L1Loss):
    def __init__(
        self, size_average: Any = None, reduce: Any = None, reduction: Any = "mean"
    ) -> None: ...

class LPPool1d(_pooling.LPPool1d):
    def __init__(
        self,
        norm_type: Any,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        ceil_mode: Any = False,
    ) -> None: ...

class LPPool2d(_pooling.LPPool2d):
    def __init__(
        self,
        norm_type: Any,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        ceil_mode: Any = False,
    ) -> None: ...

class LPPool3d(_pooling.LPPool3d):
    def __init__(
        self,
        norm_type: Any,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        ceil_mode: Any = False,
    ) -> None: ...

class LSTM(_rnn.LSTM):
    def __init__(
        self,
        input_size: Index,
        hidden_size: Index,
        num_layers: Index = 1,
        bias: Any = True,
        batch_first: Any = False,
        dropout: Any = 0.0,
        bidirectional: Any = False,
        proj_size: Index = 0,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class LSTMCell(_rnn.LSTMCell):
    def __init__(
        self,
        input_size: Index,
        hidden_size: Index,
        bias: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class LayerNorm(_normalization.LayerNorm):
    def __init__(
        self,
        normalized_shape: Sizes,
        eps: Any = 1e-05,
        elementwise_affine: Any = True,
        bias: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class LazyBatchNorm1d(_batchnorm.LazyBatchNorm1d):
    def __init__(
        self,
        eps: Any = 1e-05,
        momentum: Any = 0.1,
        affine: Any = True,
        track_running_stats: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
        *,
        bias: Any = True,
    ) -> None: ...

class LazyBatchNorm2d(_batchnorm.LazyBatchNorm2d):
    def __init__(
        self,
        eps: Any = 1e-05,
        momentum: Any = 0.1,
        affine: Any = True,
        track_running_stats: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
        *,
        bias: Any = True,
    ) -> None: ...

class LazyBatchNorm3d(_batchnorm.LazyBatchNorm3d):
    def __init__(
        self,
        eps: Any = 1e-05,
        momentum: Any = 0.1,
        affine: Any = True,
        track_running_stats: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
        *,
        bias: Any = True,
    ) -> None: ...

class LazyConv1d(_conv.LazyConv1d):
    def __init__(
        self,
        out_channels: Index,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes | _str = 0,
        dilation: Sizes = 1,
        groups: Index = 1,
        bias: Any = True,
        padding_mode: Any = "zeros",
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class LazyConv2d(_conv.LazyConv2d):
    def __init__(
        self,
        out_channels: Index,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes | _str = 0,
        dilation: Sizes = 1,
        groups: Index = 1,
        bias: Any = True,
        padding_mode: Any = "zeros",
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class LazyConv3d(_conv.LazyConv3d):
    def __init__(
        self,
        out_channels: Index,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes | _str = 0,
        dilation: Sizes = 1,
        groups: Index = 1,
        bias: Any = True,
        padding_mode: Any = "zeros",
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class LazyConvTranspose1d(_conv.LazyConvTranspose1d):
    def __init__(
        self,
        out_channels: Index,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        groups: Index = 1,
        bias: Any = True,
        dilation: Sizes = 1,
        padding_mode: Any = "zeros",
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class LazyConvTranspose2d(_conv.LazyConvTranspose2d):
    def __init__(
        self,
        out_channels: Index,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        groups: Index = 1,
        bias: Any = True,
        dilation: Sizes = 1,
        padding_mode: Any = "zeros",
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class LazyConvTranspose3d(_conv.LazyConvTranspose3d):
    def __init__(
        self,
        out_channels: Index,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        groups: Index = 1,
        bias: Any = True,
        dilation: Sizes = 1,
        padding_mode: Any = "zeros",
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class LazyInstanceNorm1d(_instancenorm.LazyInstanceNorm1d):
    def __init__(
        self,
        eps: Any = 1e-05,
        momentum: Any = 0.1,
        affine: Any = True,
        track_running_stats: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
        *,
        bias: Any = True,
    ) -> None: ...

class LazyInstanceNorm2d(_instancenorm.LazyInstanceNorm2d):
    def __init__(
        self,
        eps: Any = 1e-05,
        momentum: Any = 0.1,
        affine: Any = True,
        track_running_stats: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
        *,
        bias: Any = True,
    ) -> None: ...

class LazyInstanceNorm3d(_instancenorm.LazyInstanceNorm3d):
    def __init__(
        self,
        eps: Any = 1e-05,
        momentum: Any = 0.1,
        affine: Any = True,
        track_running_stats: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
        *,
        bias: Any = True,
    ) -> None: ...

class LazyLinear(_linear.LazyLinear):
    def __init__(
        self,
        out_features: Index,
        bias: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class LeakyReLU(_activation.LeakyReLU):
    def __init__(self, negative_slope: Any = 0.01, inplace: Any = False) -> None: ...

class Linear(_linear.Linear):
    def __init__(
        self,
        in_features: Index,
        out_features: Index,
        bias: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class LocalResponseNorm(_normalization.LocalResponseNorm):
    def __init__(self, size: Any, alpha: Any = 0.0001, beta: Any = 0.75, k: Any = 1.0) -> None: ...

class LogSigmoid(_activation.LogSigmoid):
    def __init__(self) -> None: ...

class LogSoftmax(_activation.LogSoftmax):
    def __init__(self, dim: DimRef | None = None) -> None: ...

class MSELoss(_loss.MSELoss):
    def __init__(
        self, size_average: Any = None, reduce: Any = None, reduction: Any = "mean"
    ) -> None: ...

class MarginRankingLoss(_loss.MarginRankingLoss):
    def __init__(
        self,
        margin: Any = 0.0,
        size_average: Any = None,
        reduce: Any = None,
        reduction: Any = "mean",
    ) -> None: ...

class MaxPool1d(_pooling.MaxPool1d):
    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        dilation: Sizes = 1,
        return_indices: Any = False,
        ceil_mode: Any = False,
    ) -> None: ...

class MaxPool2d(_pooling.MaxPool2d):
    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        dilation: Sizes = 1,
        return_indices: Any = False,
        ceil_mode: Any = False,
    ) -> None: ...

class MaxPool3d(_pooling.MaxPool3d):
    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        dilation: Sizes = 1,
        return_indices: Any = False,
        ceil_mode: Any = False,
    ) -> None: ...

class MaxUnpool1d(_pooling.MaxUnpool1d):
    def __init__(
        self, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0
    ) -> None: ...

class MaxUnpool2d(_pooling.MaxUnpool2d):
    def __init__(
        self, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0
    ) -> None: ...

class MaxUnpool3d(_pooling.MaxUnpool3d):
    def __init__(
        self, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0
    ) -> None: ...

class Mish(_activation.Mish):
    def __init__(self, inplace: Any = False) -> None: ...

class MultiLabelMarginLoss(_loss.MultiLabelMarginLoss):
    def __init__(
        self, size_average: Any = None, reduce: Any = None, reduction: Any = "mean"
    ) -> None: ...

class MultiLabelSoftMarginLoss(_loss.MultiLabelSoftMarginLoss):
    def __init__(
        self,
        weight: Tensor | Array | None = None,
        size_average: Any = None,
        reduce: Any = None,
        reduction: Any = "mean",
    ) -> None: ...

class MultiMarginLoss(_loss.MultiMarginLoss):
    def __init__(
        self,
        p: Any = 1,
        margin: Any = 1.0,
        weight: Tensor | Array | None = None,
        size_average: Any = None,
        reduce: Any = None,
        reduction: Any = "mean",
    ) -> None: ...

class MultiheadAttention(_activation.MultiheadAttention):
    def __init__(
        self,
        embed_dim: Index,
        num_heads: Index,
        dropout: Any = 0.0,
        bias: Any = True,
        add_bias_kv: Any = False,
        add_zero_attn: Any = False,
        kdim: Index | None = None,
        vdim: Index | None = None,
        batch_first: Any = False,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class NLLLoss(_loss.NLLLoss):
    def __init__(
        self,
        weight: Tensor | Array | None = None,
        size_average: Any = None,
        ignore_index: Any = -100,
        reduce: Any = None,
        reduction: Any = "mean",
    ) -> None: ...

class NonDynamicallyQuantizableLinear(_linear.NonDynamicallyQuantizableLinear):
    def __init__(
        self,
        in_features: Index,
        out_features: Index,
        bias: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class PReLU(_activation.PReLU):
    def __init__(
        self,
        num_parameters: Index = 1,
        init: Any = 0.25,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class PairwiseDistance(_distance.PairwiseDistance):
    def __init__(self, p: Any = 2.0, eps: Any = 1e-06, keepdim: _bool = False) -> None: ...

class PixelShuffle(_pixelshuffle.PixelShuffle):
    def __init__(self, upscale_factor: Index) -> None: ...

class PixelUnshuffle(_pixelshuffle.PixelUnshuffle):
    def __init__(self, downscale_factor: Index) -> None: ...

class PoissonNLLLoss(_loss.PoissonNLLLoss):
    def __init__(
        self,
        log_input: Any = True,
        full: Any = False,
        size_average: Any = None,
        eps: Any = 1e-08,
        reduce: Any = None,
        reduction: Any = "mean",
    ) -> None: ...

class RMSNorm(_normalization.RMSNorm):
    def __init__(
        self,
        normalized_shape: Sizes,
        eps: Any = None,
        elementwise_affine: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class RNN(_rnn.RNN):
    def __init__(
        self,
        input_size: Index,
        hidden_size: Index,
        num_layers: Index = 1,
        nonlinearity: Any = "tanh",
        bias: Any = True,
        batch_first: Any = False,
        dropout: Any = 0.0,
        bidirectional: Any = False,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class RNNCell(_rnn.RNNCell):
    def __init__(
        self,
        input_size: Index,
        hidden_size: Index,
        bias: Any = True,
        nonlinearity: Any = "tanh",
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class RReLU(_activation.RReLU):
    def __init__(
        self, lower: Any = 0.125, upper: Any = 0.3333333333333333, inplace: Any = False
    ) -> None: ...

class ReLU(_activation.ReLU):
    def __init__(self, inplace: Any = False) -> None: ...

class ReLU6(_activation.ReLU6):
    def __init__(self, inplace: Any = False) -> None: ...

class ReflectionPad1d(_padding.ReflectionPad1d):
    def __init__(self, padding: Sizes) -> None: ...

class ReflectionPad2d(_padding.ReflectionPad2d):
    def __init__(self, padding: Sizes) -> None: ...

class ReflectionPad3d(_padding.ReflectionPad3d):
    def __init__(self, padding: Sizes) -> None: ...

class ReplicationPad1d(_padding.ReplicationPad1d):
    def __init__(self, padding: Sizes) -> None: ...

class ReplicationPad2d(_padding.ReplicationPad2d):
    def __init__(self, padding: Sizes) -> None: ...

class ReplicationPad3d(_padding.ReplicationPad3d):
    def __init__(self, padding: Sizes) -> None: ...

class SELU(_activation.SELU):
    def __init__(self, inplace: Any = False) -> None: ...

class SiLU(_activation.SiLU):
    def __init__(self, inplace: Any = False) -> None: ...

class Sigmoid(_activation.Sigmoid):
    def __init__(self) -> None: ...

class SmoothL1Loss(_loss.SmoothL1Loss):
    def __init__(
        self, size_average: Any = None, reduce: Any = None, reduction: Any = "mean", beta: Any = 1.0
    ) -> None: ...

class SoftMarginLoss(_loss.SoftMarginLoss):
    def __init__(
        self, size_average: Any = None, reduce: Any = None, reduction: Any = "mean"
    ) -> None: ...

class Softmax(_activation.Softmax):
    def __init__(self, dim: DimRef | None = None) -> None: ...

class Softmax2d(_activation.Softmax2d):
    def __init__(self) -> None: ...

class Softmin(_activation.Softmin):
    def __init__(self, dim: DimRef | None = None) -> None: ...

class Softplus(_activation.Softplus):
    def __init__(self, beta: Any = 1.0, threshold: Any = 20.0) -> None: ...

class Softshrink(_activation.Softshrink):
    def __init__(self, lambd: Any = 0.5) -> None: ...

class Softsign(_activation.Softsign):
    def __init__(self) -> None: ...

class SyncBatchNorm(_batchnorm.SyncBatchNorm):
    def __init__(
        self,
        num_features: Index,
        eps: Any = 1e-05,
        momentum: Any = 0.1,
        affine: Any = True,
        track_running_stats: Any = True,
        process_group: Any = None,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
        *,
        bias: Any = True,
    ) -> None: ...

class Tanh(_activation.Tanh):
    def __init__(self) -> None: ...

class Tanhshrink(_activation.Tanhshrink):
    def __init__(self) -> None: ...

class Threshold(_activation.Threshold):
    def __init__(self, threshold: Any, value: Any, inplace: Any = False) -> None: ...

class Transformer(_transformer.Transformer):
    def __init__(
        self,
        d_model: Index = 512,
        nhead: Index = 8,
        num_encoder_layers: Any = 6,
        num_decoder_layers: Any = 6,
        dim_feedforward: Index = 2048,
        dropout: Any = 0.1,
        activation: Any = "relu",
        custom_encoder: Any = None,
        custom_decoder: Any = None,
        layer_norm_eps: Any = 1e-05,
        batch_first: Any = False,
        norm_first: Any = False,
        bias: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class TransformerDecoder(_transformer.TransformerDecoder):
    def __init__(self, decoder_layer: Any, num_layers: Any, norm: Any = None) -> None: ...

class TransformerDecoderLayer(_transformer.TransformerDecoderLayer):
    def __init__(
        self,
        d_model: Index,
        nhead: Index,
        dim_feedforward: Index = 2048,
        dropout: Any = 0.1,
        activation: Any = "relu",
        layer_norm_eps: Any = 1e-05,
        batch_first: Any = False,
        norm_first: Any = False,
        bias: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class TransformerEncoder(_transformer.TransformerEncoder):
    def __init__(
        self,
        encoder_layer: Any,
        num_layers: Any,
        norm: Any = None,
        enable_nested_tensor: Any = True,
        mask_check: Any = True,
    ) -> None: ...

class TransformerEncoderLayer(_transformer.TransformerEncoderLayer):
    def __init__(
        self,
        d_model: Index,
        nhead: Index,
        dim_feedforward: Index = 2048,
        dropout: Any = 0.1,
        activation: Any = "relu",
        layer_norm_eps: Any = 1e-05,
        batch_first: Any = False,
        norm_first: Any = False,
        bias: Any = True,
        device: DeviceLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> None: ...

class TripletMarginLoss(_loss.TripletMarginLoss):
    def __init__(
        self,
        margin: Any = 1.0,
        p: Any = 2.0,
        eps: Any = 1e-06,
        swap: Any = False,
        size_average: Any = None,
        reduce: Any = None,
        reduction: Any = "mean",
    ) -> None: ...

class TripletMarginWithDistanceLoss(_loss.TripletMarginWithDistanceLoss):
    def __init__(
        self,
        *,
        distance_function: Any = None,
        margin: Any = 1.0,
        swap: Any = False,
        reduction: Any = "mean",
    ) -> None: ...

class Unflatten(_flatten.Unflatten):
    def __init__(self, dim: DimRef, unflattened_size: Any) -> None: ...

class Unfold(_fold.Unfold):
    def __init__(
        self, kernel_size: Sizes, dilation: Sizes = 1, padding: Sizes = 0, stride: Sizes = 1
    ) -> None: ...

class Upsample(_upsampling.Upsample):
    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: Any = "nearest",
        align_corners: Any = None,
        recompute_scale_factor: Any = None,
    ) -> None: ...

class UpsamplingBilinear2d(_upsampling.UpsamplingBilinear2d):
    def __init__(self, size: Any = None, scale_factor: Any = None) -> None: ...

class UpsamplingNearest2d(_upsampling.UpsamplingNearest2d):
    def __init__(self, size: Any = None, scale_factor: Any = None) -> None: ...

class ZeroPad1d(_padding.ZeroPad1d):
    def __init__(self, padding: Sizes) -> None: ...

class ZeroPad2d(_padding.ZeroPad2d):
    def __init__(self, padding: Sizes) -> None: ...

class ZeroPad3d(_padding.ZeroPad3d):
    def __init__(self, padding: Sizes) -> None: ...
