"""The functions of `namecheck_runtime`, as type checkers read them.

Written by `tests/data/write_surface.py` from the registry.
"""

# mypy: disable-error-code="overload-overlap"

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from collections.abc import Sequence
from typing import Any, Literal, overload

from namecheck_runtime import amp as amp
from namecheck_runtime import autograd as autograd
from namecheck_runtime import backends as backends
from namecheck_runtime import compiler as compiler
from namecheck_runtime import cuda as cuda
from namecheck_runtime import distributed as distributed
from namecheck_runtime import fft as fft
from namecheck_runtime import fx as fx
from namecheck_runtime import jit as jit
from namecheck_runtime import linalg as linalg
from namecheck_runtime import multiprocessing as multiprocessing
from namecheck_runtime import nn as nn
from namecheck_runtime import optim as optim
from namecheck_runtime import overrides as overrides
from namecheck_runtime import random as random
from namecheck_runtime import serialization as serialization
from namecheck_runtime import special as special
from namecheck_runtime import utils as utils
from namecheck_runtime._surface import (
    MYPY,
    PLU,
    QR,
    USV,
    Alike,
    Array,
    ATau,
    DeviceLike,
    DimRef,
    DimRefs,
    Dims,
    DTypeLike,
    HistBinEdges,
    Index,
    Known,
    MantissaExponent,
    MinMax,
    Name,
    Named,
    Names,
    Number,
    Open,
    Operand,
    Out,
    Own,
    Removed,
    Rest,
    SignLogabsdet,
    Sizes,
    SolutionClonedCoefficient,
    Tensors,
    ValuesIndices,
)
from namecheck_runtime.amp import autocast as autocast
from namecheck_runtime.amp import is_autocast_available as is_autocast_available
from namecheck_runtime.amp import is_autocast_enabled as is_autocast_enabled
from namecheck_runtime.autograd.modes import enable_grad as enable_grad
from namecheck_runtime.autograd.modes import inference_mode as inference_mode
from namecheck_runtime.autograd.modes import is_grad_enabled as is_grad_enabled
from namecheck_runtime.autograd.modes import is_inference_mode_enabled as is_inference_mode_enabled
from namecheck_runtime.autograd.modes import no_grad as no_grad
from namecheck_runtime.autograd.modes import set_grad_enabled as set_grad_enabled
from namecheck_runtime.compiler import compile as compile
from namecheck_runtime.errors import DimsError as DimsError
from namecheck_runtime.errors import LayoutError as LayoutError
from namecheck_runtime.errors import NamesError as NamesError
from namecheck_runtime.errors import SizesError as SizesError
from namecheck_runtime.errors import TensorError as TensorError
from namecheck_runtime.saving.save_and_load import load as load
from namecheck_runtime.saving.save_and_load import save as save
from namecheck_runtime.tensors.computing.questions import can_cast as can_cast
from namecheck_runtime.tensors.computing.questions import get_num_threads as get_num_threads
from namecheck_runtime.tensors.computing.questions import is_complex as is_complex
from namecheck_runtime.tensors.computing.questions import is_floating_point as is_floating_point
from namecheck_runtime.tensors.computing.questions import is_signed as is_signed
from namecheck_runtime.tensors.computing.questions import is_tensor as is_tensor
from namecheck_runtime.tensors.computing.questions import promote_types as promote_types
from namecheck_runtime.tensors.computing.questions import result_type as result_type
from namecheck_runtime.tensors.computing.questions import set_num_threads as set_num_threads
from namecheck_runtime.tensors.functions import broadcast_in_dim as broadcast_in_dim
from namecheck_runtime.tensors.kernels.generators import Generator as Generator
from namecheck_runtime.tensors.kernels.generators import default_generator as default_generator
from namecheck_runtime.tensors.kernels.generators import get_rng_state as get_rng_state
from namecheck_runtime.tensors.kernels.generators import initial_seed as initial_seed
from namecheck_runtime.tensors.kernels.generators import manual_seed as manual_seed
from namecheck_runtime.tensors.kernels.generators import seed as seed
from namecheck_runtime.tensors.kernels.generators import set_rng_state as set_rng_state
from namecheck_runtime.tensors.layouts.sparse_rows import sparse_coo as sparse_coo
from namecheck_runtime.tensors.making.arrays import from_numpy as from_numpy
from namecheck_runtime.tensors.making.arrays import frombuffer as frombuffer
from namecheck_runtime.tensors.making.factories import as_tensor as as_tensor
from namecheck_runtime.tensors.making.factories import asarray as asarray
from namecheck_runtime.tensors.making.factories import tensor as tensor
from namecheck_runtime.tensors.making.foreign import to_xarray as to_xarray
from namecheck_runtime.tensors.object import Size as Size
from namecheck_runtime.tensors.object import Tensor as Tensor
from namecheck_runtime.tensors.printing import get_printoptions as get_printoptions
from namecheck_runtime.tensors.printing import set_printoptions as set_printoptions
from namecheck_runtime.tensors.protocols import from_dlpack as from_dlpack
from namecheck_runtime.tensors.protocols import from_xarray as from_xarray
from namecheck_runtime.tensors.storages import BFloat16Storage as BFloat16Storage
from namecheck_runtime.tensors.storages import BoolStorage as BoolStorage
from namecheck_runtime.tensors.storages import ByteStorage as ByteStorage
from namecheck_runtime.tensors.storages import CharStorage as CharStorage
from namecheck_runtime.tensors.storages import ComplexDoubleStorage as ComplexDoubleStorage
from namecheck_runtime.tensors.storages import ComplexFloatStorage as ComplexFloatStorage
from namecheck_runtime.tensors.storages import DoubleStorage as DoubleStorage
from namecheck_runtime.tensors.storages import FloatStorage as FloatStorage
from namecheck_runtime.tensors.storages import HalfStorage as HalfStorage
from namecheck_runtime.tensors.storages import IntStorage as IntStorage
from namecheck_runtime.tensors.storages import LongStorage as LongStorage
from namecheck_runtime.tensors.storages import ShortStorage as ShortStorage
from namecheck_runtime.tensors.storages import TypedStorage as TypedStorage
from namecheck_runtime.tensors.storages import UntypedStorage as UntypedStorage
from namecheck_runtime.tensors.storages import is_storage as is_storage
from namecheck_runtime.tensors.typed_constructors import BFloat16Tensor as BFloat16Tensor
from namecheck_runtime.tensors.typed_constructors import BoolTensor as BoolTensor
from namecheck_runtime.tensors.typed_constructors import ByteTensor as ByteTensor
from namecheck_runtime.tensors.typed_constructors import CharTensor as CharTensor
from namecheck_runtime.tensors.typed_constructors import DoubleTensor as DoubleTensor
from namecheck_runtime.tensors.typed_constructors import FloatTensor as FloatTensor
from namecheck_runtime.tensors.typed_constructors import HalfTensor as HalfTensor
from namecheck_runtime.tensors.typed_constructors import IntTensor as IntTensor
from namecheck_runtime.tensors.typed_constructors import LongTensor as LongTensor
from namecheck_runtime.tensors.typed_constructors import ShortTensor as ShortTensor
from namecheck_runtime.tensors.values.dtypes import channels_last as channels_last
from namecheck_runtime.tensors.values.dtypes import channels_last_3d as channels_last_3d
from namecheck_runtime.tensors.values.dtypes import contiguous_format as contiguous_format
from namecheck_runtime.tensors.values.dtypes import device as device
from namecheck_runtime.tensors.values.dtypes import dtype as DType
from namecheck_runtime.tensors.values.dtypes import dtype as dtype
from namecheck_runtime.tensors.values.dtypes import get_default_device as get_default_device
from namecheck_runtime.tensors.values.dtypes import get_default_dtype as get_default_dtype
from namecheck_runtime.tensors.values.dtypes import layout as Layout
from namecheck_runtime.tensors.values.dtypes import layout as layout
from namecheck_runtime.tensors.values.dtypes import memory_format as MemoryFormat
from namecheck_runtime.tensors.values.dtypes import memory_format as memory_format
from namecheck_runtime.tensors.values.dtypes import preserve_format as preserve_format
from namecheck_runtime.tensors.values.dtypes import set_default_device as set_default_device
from namecheck_runtime.tensors.values.dtypes import set_default_dtype as set_default_dtype
from namecheck_runtime.tensors.values.dtypes import (
    set_default_tensor_type as set_default_tensor_type,
)
from namecheck_runtime.tensors.values.dtypes import strided as strided
from namecheck_runtime.tensors.values.limits import finfo as finfo
from namecheck_runtime.tensors.values.limits import iinfo as iinfo
from namecheck_runtime.tensors.views.broadcasting import strict_broadcasting as strict_broadcasting

__version__: _str
_NAMESPACES: tuple[_str, ...]
pi: _float
e: _float
inf: _float
nan: _float
newaxis: None
bool: DType
uint8: DType
int8: DType
int16: DType
short: DType
int32: DType
int: DType
int64: DType
long: DType
float16: DType
half: DType
float32: DType
float: DType
float64: DType
double: DType
complex64: DType
cfloat: DType
complex128: DType
cdouble: DType
bfloat16: DType
float8_e4m3fn: DType
float8_e5m2: DType
float8_e4m3fnuz: DType
float8_e5m2fnuz: DType
float8_e8m0fnu: DType
uint16: DType
uint32: DType
uint64: DType

def abs(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def abs_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def absolute(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def absolute_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def acos(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def acos_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def acosh(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def acosh_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def adaptive_avg_pool1d(input: Tensor | Array, output_size: Any) -> Tensor: ...
def adaptive_avg_pool2d(input: Tensor | Array, output_size: Any) -> Tensor: ...
def adaptive_avg_pool3d(input: Tensor | Array, output_size: Any) -> Tensor: ...
def adaptive_max_pool1d(
    input: Tensor | Array, output_size: Any, return_indices: Any = False
) -> tuple[Tensor, Tensor]: ...
def adaptive_max_pool2d(
    input: Tensor | Array, output_size: Any, return_indices: Any = False
) -> tuple[Tensor, Tensor]: ...
def adaptive_max_pool3d(
    input: Tensor | Array, output_size: Any, return_indices: Any = False
) -> tuple[Tensor, Tensor]: ...
def add_(input: Operand, other: Operand, *, alpha: Any = None) -> Tensor: ...
def addbmm(
    input: Operand,
    batch1: Tensor | Array,
    batch2: Tensor | Array,
    *,
    beta: Any = 1,
    alpha: Any = 1,
    out: Out | None = None,
) -> Tensor: ...
def addbmm_(
    input: Operand, batch1: Tensor | Array, batch2: Tensor | Array, *, beta: Any = 1, alpha: Any = 1
) -> Tensor: ...
def addcdiv(
    input: Tensor | Array,
    tensor1: Operand,
    tensor2: Operand,
    *,
    value: Any = 1,
    out: Out | None = None,
    broadcast_dimensions: Sequence[Index] | None = None,
) -> Tensor: ...
def addcdiv_(
    input: Tensor | Array, tensor1: Operand, tensor2: Operand, *, value: Any = 1
) -> Tensor: ...
def addcmul(
    input: Tensor | Array,
    tensor1: Operand,
    tensor2: Operand,
    *,
    value: Any = 1,
    out: Out | None = None,
    broadcast_dimensions: Sequence[Index] | None = None,
) -> Tensor: ...
def addcmul_(
    input: Tensor | Array, tensor1: Operand, tensor2: Operand, *, value: Any = 1
) -> Tensor: ...
def addmm(
    input: Operand,
    mat1: Tensor | Array,
    mat2: Tensor | Array,
    out_dtype: DTypeLike | None = ...,
    *,
    beta: Any = 1,
    alpha: Any = 1,
    out: Out | None = None,
) -> Tensor: ...
def addmm_(
    input: Operand, mat1: Tensor | Array, mat2: Tensor | Array, *, beta: Any = 1, alpha: Any = 1
) -> Tensor: ...
def addmv(
    input: Operand,
    mat: Tensor | Array,
    vec: Tensor | Array,
    *,
    beta: Any = 1,
    alpha: Any = 1,
    out: Out | None = None,
) -> Tensor: ...
def addmv_(
    input: Operand, mat: Tensor | Array, vec: Tensor | Array, *, beta: Any = 1, alpha: Any = 1
) -> Tensor: ...
def addr(
    input: Operand,
    vec1: Tensor | Array,
    vec2: Tensor | Array,
    *,
    beta: Any = 1,
    alpha: Any = 1,
    out: Out | None = None,
) -> Tensor: ...
def addr_(
    input: Operand, vec1: Tensor | Array, vec2: Tensor | Array, *, beta: Any = 1, alpha: Any = 1
) -> Tensor: ...
def adjoint(input: Tensor | Array) -> Tensor: ...
def alias_copy(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def align_tensors(*tensors: Tensor | Array | Tensors) -> tuple[Tensor, ...]: ...
def allclose(
    input: Operand, other: Operand, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False
) -> _bool: ...
def alpha_dropout(input: Tensor[*Dims] | Array | Number, p: Any, train: Any) -> Tensor[*Dims]: ...
def alpha_dropout_(input: Tensor[*Dims] | Array | Number, p: Any, train: Any) -> Tensor[*Dims]: ...
def aminmax(
    input: Tensor | Array,
    *,
    dim: DimRef | None = None,
    keepdim: _bool = False,
    out: Out | None = None,
    axis: DimRef | None = None,
    keepdims: _bool = False,
) -> MinMax: ...
def angle(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def arange(
    start: Index | _float = ...,
    end: Index | _float = ...,
    step: Index | _float = 1,
    *,
    out: Out | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    names: Names | None = None,
) -> Tensor: ...
def arccos(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def arccos_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def arccosh(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def arccosh_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def arcsin(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def arcsin_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def arcsinh(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def arcsinh_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def arctan(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def arctan2_(input: Operand, other: Operand) -> Tensor: ...
def arctan_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def arctanh(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def arctanh_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def argsort(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = -1,
    descending: Any = False,
    *,
    stable: Any = None,
    out: Out | None = None,
    axis: DimRef | None = -1,
) -> Tensor[*Dims]: ...
def argwhere(input: Tensor | Array) -> Tensor: ...
def as_strided(input: Any, size: Sizes, stride: Sizes, storage_offset: Any = None) -> Tensor: ...
def as_strided_(input: Any, size: Sizes, stride: Sizes, storage_offset: Any = None) -> Tensor: ...
def as_strided_copy(
    input: Any, size: Sizes, stride: Sizes, storage_offset: Any = None, *, out: Out | None = None
) -> Tensor: ...
def as_strided_scatter(
    input: Tensor[*Dims] | Array,
    src: Tensor | Array,
    size: Any,
    stride: Any,
    storage_offset: Any = None,
) -> Tensor[*Dims]: ...
def asin(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def asin_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def asinh(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def asinh_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def assert_names(tensor: Own, *names: Name) -> Own: ...
def atan(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def atan2_(input: Operand, other: Operand) -> Tensor: ...
def atan_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def atanh(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def atanh_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
@overload
def atleast_1d(input: Tensor | Array) -> Tensor: ...
@overload
def atleast_1d(*tensors: Tensor | Array | Tensors) -> tuple[Tensor, ...]: ...
@overload
def atleast_2d(input: Tensor | Array) -> Tensor: ...
@overload
def atleast_2d(*tensors: Tensor | Array | Tensors) -> tuple[Tensor, ...]: ...
@overload
def atleast_3d(input: Tensor | Array) -> Tensor: ...
@overload
def atleast_3d(*tensors: Tensor | Array | Tensors) -> tuple[Tensor, ...]: ...
def avg_pool1d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
    divisor_override: Any = None,
) -> Tensor: ...
def avg_pool2d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
    divisor_override: Any = None,
) -> Tensor: ...
def avg_pool3d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
    divisor_override: Any = None,
) -> Tensor: ...
def baddbmm(
    input: Operand,
    batch1: Tensor | Array,
    batch2: Tensor | Array,
    out_dtype: DTypeLike | None = ...,
    *,
    beta: Any = 1,
    alpha: Any = 1,
    out: Out | None = None,
) -> Tensor: ...
def baddbmm_(
    input: Operand, batch1: Tensor | Array, batch2: Tensor | Array, *, beta: Any = 1, alpha: Any = 1
) -> Tensor: ...
def bartlett_window(
    window_length: Index,
    periodic: Any = True,
    alpha: Any = None,
    beta: Any = None,
    *,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def batch_norm(
    input: Tensor[*Dims] | Array,
    weight: Tensor | Array | None,
    bias: Tensor | Array | None,
    running_mean: Tensor | Array | None,
    running_var: Tensor | Array | None,
    training: Any,
    momentum: Any,
    eps: Any,
    cudnn_enabled: Any,
) -> Tensor[*Dims]: ...
def bernoulli(
    input: Tensor[*Dims] | Array | Number,
    p: Any = None,
    *,
    generator: Generator | None = None,
    out: Out | None = None,
) -> Tensor[*Dims]: ...
def bilinear(
    input1: Tensor | Array,
    input2: Tensor | Array,
    weight: Tensor | Array,
    bias: Tensor | Array | None = None,
) -> Tensor: ...
def bincount(
    input: Tensor | Array, weights: Any = None, minlength: Any = 0, *, length: Index | None = None
) -> Tensor: ...
def binomial(count: Tensor | Array, prob: Tensor | Array) -> Tensor: ...
def bitwise_and_(input: Operand, other: Operand) -> Tensor: ...
def bitwise_left_shift_(input: Operand, other: Operand) -> Tensor: ...
def bitwise_not(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def bitwise_not_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def bitwise_or_(input: Operand, other: Operand) -> Tensor: ...
def bitwise_right_shift_(input: Operand, other: Operand) -> Tensor: ...
def bitwise_xor_(input: Operand, other: Operand) -> Tensor: ...
def blackman_window(
    window_length: Index,
    periodic: Any = True,
    alpha: Any = None,
    beta: Any = None,
    *,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def block_diag(*tensors: Tensor | Array | Tensors) -> Tensor: ...
def bmm(
    input: Tensor | Array,
    mat2: Tensor | Array,
    out_dtype: DTypeLike | None = ...,
    *,
    out: Out | None = None,
) -> Tensor: ...
def broadcast_shapes(*shapes: Any) -> Size: ...
def broadcast_tensors(*tensors: Tensor | Array | Tensors) -> tuple[Tensor, ...]: ...
def broadcast_to(input: Tensor | Array, size: Sizes) -> Tensor: ...
def bucketize(
    input: Tensor[*Dims] | Array | Number,
    boundaries: Tensor | Array,
    *,
    out_int32: Any = False,
    right: Any = False,
    out: Out | None = None,
) -> Tensor[*Dims]: ...
def cartesian_prod(*tensors: Tensor | Array | Tensors) -> Tensor: ...
def cat(
    tensors: Tensors, dim: DimRef | None = 0, *, out: Out | None = None, axis: DimRef | None = 0
) -> Tensor: ...
def cdist(
    x1: Tensor | Array,
    x2: Tensor | Array,
    p: Any = 2.0,
    compute_mode: Any = "use_mm_for_euclid_dist_if_necessary",
) -> Tensor: ...
def ceil(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def ceil_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def celu(
    input: Tensor[*Dims] | Array | Number, alpha: Any = 1.0, inplace: Any = None
) -> Tensor[*Dims]: ...
def celu_(
    input: Tensor[*Dims] | Array | Number, alpha: Any = 1.0, inplace: Any = None
) -> Tensor[*Dims]: ...
def chain_matmul(*matrices: Tensor | Array | Tensors, out: Out | None = None) -> Tensor: ...
def channel_shuffle(input: Tensor[*Dims] | Array, groups: Index) -> Tensor[*Dims]: ...
def cholesky(
    input: Tensor[*Dims] | Array, upper: Any = False, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def cholesky_inverse(
    input: Tensor[*Dims] | Array, upper: Any = False, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def cholesky_solve(
    input: Tensor | Array, input2: Tensor | Array, upper: Any = False, *, out: Out | None = None
) -> Tensor: ...
def chunk(
    input: Tensor | Array, chunks: Index, dim: DimRef | None = 0, *, axis: DimRef | None = 0
) -> tuple[Tensor, ...]: ...
def clamp(
    input: Operand,
    min: Operand | None = None,
    max: Operand | None = None,
    *,
    out: Out | None = None,
) -> Tensor: ...
def clamp_(input: Operand, min: Operand | None = None, max: Operand | None = None) -> Tensor: ...
def clamp_max_(input: Operand, max: Operand) -> Tensor: ...
def clamp_min_(input: Operand, min: Operand) -> Tensor: ...
def clip(
    input: Operand,
    min: Operand | None = None,
    max: Operand | None = None,
    *,
    out: Out | None = None,
) -> Tensor: ...
def clip_(input: Operand, min: Operand | None = None, max: Operand | None = None) -> Tensor: ...
def clone(
    input: Tensor[*Dims] | Array | Number, *, memory_format: MemoryFormat | None = None
) -> Tensor[*Dims]: ...
def column_stack(tensors: Tensors, *, out: Out | None = None) -> Tensor: ...
def combinations(
    input: Tensor | Array, r: Index = 2, with_replacement: _bool = False
) -> Tensor: ...
def complex(real: Tensor | Array, imag: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def concat(
    tensors: Tensors, dim: DimRef | None = 0, *, out: Out | None = None, axis: DimRef | None = 0
) -> Tensor: ...
def concatenate(
    tensors: Tensors, dim: DimRef | None = 0, *, out: Out | None = None, axis: DimRef | None = 0
) -> Tensor: ...
def conj(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def conj_physical(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def conj_physical_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def constant_pad_nd(input: Tensor | Array, pad: Sizes, value: Any = 0) -> Tensor: ...
def conv1d(
    input: Tensor | Array,
    weight: Tensor | Array,
    bias: Tensor | Array | None = None,
    stride: Sizes = 1,
    padding: Sizes | _str = 0,
    dilation: Sizes = 1,
    groups: Index = 1,
) -> Tensor: ...
def conv2d(
    input: Tensor | Array,
    weight: Tensor | Array,
    bias: Tensor | Array | None = None,
    stride: Sizes = 1,
    padding: Sizes | _str = 0,
    dilation: Sizes = 1,
    groups: Index = 1,
) -> Tensor: ...
def conv3d(
    input: Tensor | Array,
    weight: Tensor | Array,
    bias: Tensor | Array | None = None,
    stride: Sizes = 1,
    padding: Sizes | _str = 0,
    dilation: Sizes = 1,
    groups: Index = 1,
) -> Tensor: ...
def conv_tbc(
    input: Tensor | Array, weight: Tensor | Array, bias: Any, pad: Index = 0
) -> Tensor: ...
def conv_transpose1d(
    input: Tensor | Array,
    weight: Tensor | Array,
    bias: Tensor | Array | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: Index = 1,
    dilation: Sizes = 1,
) -> Tensor: ...
def conv_transpose2d(
    input: Tensor | Array,
    weight: Tensor | Array,
    bias: Tensor | Array | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: Index = 1,
    dilation: Sizes = 1,
) -> Tensor: ...
def conv_transpose3d(
    input: Tensor | Array,
    weight: Tensor | Array,
    bias: Tensor | Array | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: Index = 1,
    dilation: Sizes = 1,
) -> Tensor: ...
def copysign_(input: Operand, other: Operand) -> Tensor: ...
def corrcoef(
    input: Tensor | Array, *, correction: Any = 1, fweights: Any = None, aweights: Any = None
) -> Tensor: ...
def cos(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def cos_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def cosh(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def cosh_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def cosine_similarity(
    x1: Tensor | Array, x2: Tensor | Array, dim: DimRef = 1, eps: Any = 1e-08, *, axis: DimRef = 1
) -> Tensor: ...
def cov(
    input: Tensor | Array, *, correction: Any = 1, fweights: Any = None, aweights: Any = None
) -> Tensor: ...
def cross(
    input: Tensor | Array,
    other: Tensor | Array,
    dim: DimRef | None = None,
    *,
    out: Out | None = None,
    axis: DimRef | None = None,
) -> Tensor: ...
def cummax(
    input: Tensor | Array,
    dim: DimRef | None = ...,
    *,
    out: Out | None = None,
    axis: DimRef | None = ...,
) -> ValuesIndices: ...
def cummin(
    input: Tensor | Array,
    dim: DimRef | None = ...,
    *,
    out: Out | None = None,
    axis: DimRef | None = ...,
) -> ValuesIndices: ...
def cumprod(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    *,
    dtype: DTypeLike | None = None,
    out: Out | None = None,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def cumprod_(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    *,
    dtype: DTypeLike | None = None,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def cumsum(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    *,
    dtype: DTypeLike | None = None,
    out: Out | None = None,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def cumsum_(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    *,
    dtype: DTypeLike | None = None,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def cumulative_trapezoid(
    y: Tensor | Array, x: Any = None, *, dim: DimRef = -1, dx: Any = 1, axis: DimRef = -1
) -> Tensor: ...
def deg2rad(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def deg2rad_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def dequantize(
    input: Tensor[*Dims] | Array | Number = ..., *, tensors: Operand = ...
) -> Tensor[*Dims]: ...
def det(input: Tensor | Array) -> Tensor: ...
def detach(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def detach_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def detach_copy(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def diag(input: Tensor | Array, diagonal: Index = 0, *, out: Out | None = None) -> Tensor: ...
def diag_embed(
    input: Tensor | Array, offset: Index = 0, dim1: DimRef = -2, dim2: DimRef = -1
) -> Tensor: ...
def diagflat(input: Tensor | Array, offset: Index = 0) -> Tensor: ...
def diagonal(
    input: Tensor | Array,
    offset: Index = 0,
    dim1: DimRef | None = 0,
    dim2: DimRef | None = 1,
    *,
    outdim: Any = ...,
) -> Tensor: ...
def diagonal_copy(
    input: Tensor | Array,
    offset: Index = 0,
    dim1: DimRef = 0,
    dim2: DimRef = 1,
    *,
    out: Out | None = None,
) -> Tensor: ...
def diagonal_scatter(
    input: Tensor[*Dims] | Array,
    src: Tensor | Array,
    offset: Index = 0,
    dim1: DimRef = 0,
    dim2: DimRef = 1,
) -> Tensor[*Dims]: ...
def diff(
    input: Tensor | Array,
    n: Index = 1,
    dim: DimRef = -1,
    prepend: Operand | None = None,
    append: Operand | None = None,
    *,
    out: Out | None = None,
    axis: DimRef = -1,
) -> Tensor: ...
def digamma(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def digamma_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def dist(input: Tensor | Array, other: Tensor | Array, p: Any = 2) -> Tensor: ...
def div_(input: Operand, other: Operand, *, rounding_mode: Any = None) -> Tensor: ...
def divide_(input: Operand, other: Operand, *, rounding_mode: Any = None) -> Tensor: ...
def dot(input: Tensor | Array, tensor: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def dropout(input: Tensor[*Dims] | Array | Number, p: Any, train: Any) -> Tensor[*Dims]: ...
def dropout_(input: Tensor[*Dims] | Array | Number, p: Any, train: Any) -> Tensor[*Dims]: ...
def dsplit(
    input: Tensor | Array, sections: Sizes = ..., *, indices: Sizes = ...
) -> tuple[Tensor, ...]: ...
def dstack(tensors: Tensors, *, out: Out | None = None) -> Tensor: ...
def einsum(equation: Any, *operands: Any) -> Tensor: ...
def embedding(
    weight: Tensor | Array,
    indices: Tensor | Array,
    padding_idx: Any = -1,
    scale_grad_by_freq: Any = False,
    sparse: Any = False,
) -> Tensor: ...
def empty(
    *_size: Sizes,
    size: Sizes = ...,
    memory_format: MemoryFormat | None = None,
    out: Out | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    names: Names | None = None,
) -> Tensor: ...
def empty_like(
    input: Operand,
    *,
    memory_format: MemoryFormat | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    shape: Sizes | None = None,
    names: Names | None = None,
) -> Tensor: ...
def empty_permuted(
    size: Sizes,
    physical_layout: Any,
    *,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def empty_strided(
    size: Sizes,
    stride: Any,
    *,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def eq_(input: Operand, other: Operand) -> Tensor: ...
def equal(input: Operand, other: Operand) -> _bool: ...
def erf(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def erf_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def erfc(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def erfc_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def erfinv(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def erfinv_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def exp(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def exp2(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def exp2_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def exp_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def expand_copy(
    input: Tensor | Array, size: Sizes, *, implicit: Any = False, out: Out | None = None
) -> Tensor: ...
def expm1(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def expm1_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def eye(
    n: Index,
    m: Index | None = None,
    *,
    out: Out | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    names: Names | None = None,
) -> Tensor: ...
def feature_alpha_dropout(
    input: Tensor[*Dims] | Array | Number, p: Any, train: Any
) -> Tensor[*Dims]: ...
def feature_alpha_dropout_(
    input: Tensor[*Dims] | Array | Number, p: Any, train: Any
) -> Tensor[*Dims]: ...
def feature_dropout(input: Tensor[*Dims] | Array | Number, p: Any, train: Any) -> Tensor[*Dims]: ...
def feature_dropout_(
    input: Tensor[*Dims] | Array | Number, p: Any, train: Any
) -> Tensor[*Dims]: ...
def fill(input: Tensor[*Dims] | Array, value: Operand) -> Tensor[*Dims]: ...
def fill_(input: Tensor[*Dims] | Array, value: Operand) -> Tensor[*Dims]: ...
def fix(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def fix_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def flatten(
    input: Tensor | Array,
    start_dim: DimRefs | None = 0,
    end_dim: Any = -1,
    out_dim: Any = ...,
    *,
    dims: DimRefs = ...,
    axes: DimRefs = ...,
) -> Tensor: ...
def flip(
    input: Tensor[*Dims] | Array, dims: DimRefs | None = ..., *, axes: DimRefs | None = ...
) -> Tensor[*Dims]: ...
def fliplr(input: Tensor[*Dims] | Array) -> Tensor[*Dims]: ...
def flipud(input: Tensor[*Dims] | Array) -> Tensor[*Dims]: ...
def float_power_(input: Operand, exponent: Operand) -> Tensor: ...
def floor(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def floor_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def floor_divide_(input: Operand, other: Operand) -> Tensor: ...
def fmod_(input: Operand, other: Operand) -> Tensor: ...
def frac(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def frac_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def frexp(input: Tensor | Array, *, out: Out | None = None) -> MantissaExponent: ...
def full(
    size: Sizes,
    fill_value: Any,
    *,
    out: Out | None = None,
    layout: Layout | None = None,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
    names: Names | None = None,
) -> Tensor: ...
def full_like(
    input: Operand,
    fill_value: Any,
    *,
    memory_format: MemoryFormat | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    shape: Sizes | None = None,
    names: Names | None = None,
) -> Tensor: ...
def gather(
    input: Tensor | Array,
    dim: DimRef | None = ...,
    index: Tensor | Array = ...,
    *,
    sparse_grad: Any = False,
    out: Out | None = None,
    axis: DimRef | None = ...,
) -> Tensor: ...
def gcd_(input: Operand, other: Operand) -> Tensor: ...
def ge_(input: Operand, other: Operand) -> Tensor: ...
def geqrf(input: Tensor | Array, *, out: Out | None = None) -> ATau: ...
def ger(input: Tensor | Array, vec2: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def get_device(input: Any) -> _int: ...
def gradient(
    input: Tensor | Array,
    *,
    spacing: Any = None,
    dim: DimRefs | None = None,
    edge_order: Any = 1,
    axis: DimRefs | None = None,
) -> tuple[Tensor, ...]: ...
def greater_(input: Operand, other: Operand) -> Tensor: ...
def greater_equal_(input: Operand, other: Operand) -> Tensor: ...
def group_norm(
    input: Tensor[*Dims] | Array,
    num_groups: Index,
    weight: Tensor | Array | None = None,
    bias: Tensor | Array | None = None,
    eps: Any = 1e-05,
    cudnn_enabled: Any = True,
) -> Tensor[*Dims]: ...
def gt_(input: Operand, other: Operand) -> Tensor: ...
def hamming_window(
    window_length: Index,
    periodic: Any = True,
    alpha: Any = None,
    beta: Any = None,
    *,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def hann_window(
    window_length: Index,
    periodic: Any = True,
    alpha: Any = None,
    beta: Any = None,
    *,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def hardshrink(
    input: Tensor[*Dims] | Array | Number, lambd: Any = 0.5, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def hardshrink_(input: Tensor[*Dims] | Array | Number, lambd: Any = None) -> Tensor[*Dims]: ...
def heaviside_(input: Operand, values: Operand) -> Tensor: ...
def histc(
    input: Tensor | Array, bins: Index = 100, min: Any = 0, max: Any = 0, *, out: Out | None = None
) -> Tensor: ...
def histogram(
    input: Tensor | Array,
    bins: Index | Tensor | Array = 100,
    *,
    range: Any = None,
    weight: Any = None,
    density: Any = False,
    out: Out | None = None,
) -> HistBinEdges: ...
def hsplit(
    input: Tensor | Array, sections: Sizes = ..., *, indices: Sizes = ...
) -> tuple[Tensor, ...]: ...
def hstack(tensors: Tensors, *, out: Out | None = None) -> Tensor: ...
def hypot_(input: Operand, other: Operand) -> Tensor: ...
def i0(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def i0_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def igamma_(input: Operand, other: Operand) -> Tensor: ...
def igammac_(input: Operand, other: Operand) -> Tensor: ...
def imag(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def index_add(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    index: Tensor | Array = ...,
    source: Tensor | Array = ...,
    *,
    alpha: Any = 1,
    out: Out | None = None,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def index_add_(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    index: Tensor | Array = ...,
    source: Tensor | Array = ...,
    *,
    alpha: Any = 1,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def index_copy(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    index: Tensor | Array = ...,
    source: Tensor | Array = ...,
    *,
    out: Out | None = None,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def index_copy_(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    index: Tensor | Array = ...,
    source: Tensor | Array = ...,
    *,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def index_fill(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    index: Tensor | Array = ...,
    value: Operand = ...,
    *,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def index_fill_(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    index: Tensor | Array = ...,
    value: Operand = ...,
    *,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def index_put(
    input: Tensor[*Dims] | Array, indices: Any, values: Operand, accumulate: Any = False
) -> Tensor[*Dims]: ...
def index_put_(
    input: Tensor[*Dims] | Array, indices: Any, values: Operand, accumulate: Any = False
) -> Tensor[*Dims]: ...
def index_reduce(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    index: Tensor | Array = ...,
    source: Tensor | Array = ...,
    reduce: Any = ...,
    *,
    include_self: Any = True,
    out: Out | None = None,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def index_reduce_(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    index: Tensor | Array = ...,
    source: Tensor | Array = ...,
    reduce: Any = ...,
    *,
    include_self: Any = True,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def index_select(
    input: Tensor | Array,
    dim: DimRef | None = ...,
    index: Tensor | Array = ...,
    *,
    out: Out | None = None,
    axis: DimRef | None = ...,
) -> Tensor: ...
def inner(input: Operand, other: Operand, *, out: Out | None = None) -> Tensor: ...
def instance_norm(
    input: Tensor[*Dims] | Array,
    weight: Tensor | Array | None,
    bias: Tensor | Array | None,
    running_mean: Tensor | Array | None,
    running_var: Tensor | Array | None,
    use_input_stats: Any = ...,
    momentum: Any = ...,
    eps: Any = ...,
    cudnn_enabled: Any = ...,
    *,
    training: Any = ...,
) -> Tensor[*Dims]: ...
def inverse(input: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def is_conj(input: Any) -> _bool: ...
def is_inference(input: Any) -> _bool: ...
def is_nonzero(input: Tensor | Array) -> _bool: ...
def is_same_size(input: Tensor | Array, other: Tensor | Array) -> _bool: ...
def isfinite(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def isfinite_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def isin(
    elements: Tensor[*Dims] | Array | Number = ...,
    test_elements: Any = ...,
    *,
    element: Operand = ...,
    test_element: Any = ...,
    assume_unique: Any = False,
    invert: Any = False,
    out: Out | None = None,
) -> Tensor[*Dims]: ...
def isinf(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def isinf_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def isnan(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def isnan_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def isneginf(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def isneginf_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def isposinf(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def isposinf_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def isreal(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def istft(
    input: Tensor | Array,
    n_fft: Index,
    hop_length: Index | None = None,
    win_length: Any = None,
    window: Any = None,
    center: _bool = True,
    normalized: Any = False,
    onesided: Any = None,
    length: Index | None = None,
    return_complex: Any = False,
) -> Tensor: ...
def kaiser_window(
    window_length: Index,
    periodic: Any = True,
    alpha: Any = None,
    beta: Any = None,
    *,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def kron(input: Tensor | Array, other: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def kthvalue(
    input: Tensor | Array,
    k: Index,
    dim: DimRef | None = -1,
    keepdim: _bool = False,
    *,
    out: Out | None = None,
    axis: DimRef | None = -1,
    keepdims: _bool = False,
) -> ValuesIndices: ...
def layer_norm(
    input: Tensor[*Dims] | Array,
    normalized_shape: Sizes,
    weight: Tensor | Array | None = None,
    bias: Tensor | Array | None = None,
    eps: Any = 1e-05,
    cudnn_enable: Any = True,
) -> Tensor[*Dims]: ...
def lcm_(input: Operand, other: Operand) -> Tensor: ...
def ldexp_(input: Operand, other: Operand) -> Tensor: ...
def le_(input: Operand, other: Operand) -> Tensor: ...
def lerp(
    input: Tensor | Array, end: Tensor | Array, weight: Operand, *, out: Out | None = None
) -> Tensor: ...
def lerp_(input: Tensor | Array, end: Tensor | Array, weight: Operand) -> Tensor: ...
def less_(input: Operand, other: Operand) -> Tensor: ...
def less_equal_(input: Operand, other: Operand) -> Tensor: ...
def lgamma(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def lgamma_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def linspace(
    start: Any,
    end: Any,
    steps: Index | None = None,
    *,
    out: Out | None = None,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
    layout: Layout | None = None,
    names: Names | None = None,
) -> Tensor: ...
def log(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def log10(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def log10_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def log1p(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def log1p_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def log2(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def log2_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def log_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def log_softmax(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    dtype: DTypeLike | None = None,
    *,
    out: Out | None = None,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def logcumsumexp(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    *,
    out: Out | None = None,
    dtype: DTypeLike | None = None,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def logcumsumexp_(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    *,
    dtype: DTypeLike | None = None,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def logdet(input: Tensor | Array) -> Tensor: ...
def logical_and_(input: Operand, other: Operand) -> Tensor: ...
def logical_not(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def logical_not_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def logical_or_(input: Operand, other: Operand) -> Tensor: ...
def logical_xor_(input: Operand, other: Operand) -> Tensor: ...
def logit(
    input: Tensor[*Dims] | Array | Number, eps: Any = None, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def logit_(input: Tensor[*Dims] | Array | Number, eps: Any = None) -> Tensor[*Dims]: ...
def logspace(
    start: Any,
    end: Any,
    steps: Index | None = None,
    base: Any = 10.0,
    *,
    out: Out | None = None,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
    layout: Layout | None = None,
    names: Names | None = None,
) -> Tensor: ...
def lt_(input: Operand, other: Operand) -> Tensor: ...
def lu(
    A: Tensor | Array, pivot: Any = True, get_infos: Any = False, out: Out | None = None
) -> tuple[Tensor, ...]: ...
def lu_solve(
    input: Tensor | Array, LU_data: Tensor | Array, LU_pivots: Any, *, out: Out | None = None
) -> Tensor: ...
def lu_unpack(
    LU_data: Tensor | Array,
    LU_pivots: Any,
    unpack_data: Any = True,
    unpack_pivots: Any = True,
    *,
    out: Out | None = None,
) -> PLU: ...
def masked_fill(input: Tensor | Array, mask: Tensor | Array, value: Operand) -> Tensor: ...
def masked_fill_(input: Tensor | Array, mask: Tensor | Array, value: Operand) -> Tensor: ...
def masked_scatter(
    input: Tensor | Array, mask: Tensor | Array, source: Tensor | Array
) -> Tensor: ...
def masked_scatter_(
    input: Tensor | Array, mask: Tensor | Array, source: Tensor | Array
) -> Tensor: ...
def masked_select(
    input: Tensor | Array, mask: Tensor | Array, *, out: Out | None = None
) -> Tensor: ...
def matmul(input: Tensor | Array, other: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def matrix_exp(input: Tensor[*Dims] | Array) -> Tensor[*Dims]: ...
def matrix_power(
    input: Tensor[*Dims] | Array, n: Any, *, out: Out | None = None
) -> Tensor[*Dims]: ...
@overload
def max(
    input: Tensor | Array, other: Tensor | Array = ..., *, out: Out | None = None
) -> Tensor: ...
@overload
def max(
    input: Tensor | Array,
    dim: DimRef | None,
    keepdim: _bool = False,
    *,
    out: Out | None = None,
    keepdims: _bool = False,
) -> ValuesIndices: ...
@overload
def max(
    input: Tensor | Array,
    *,
    axis: DimRef | None,
    keepdim: _bool = False,
    out: Out | None = None,
    keepdims: _bool = False,
) -> ValuesIndices: ...
@overload
def max_pool1d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def max_pool1d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@overload
def max_pool1d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Any = False,
) -> Any: ...
def max_pool1d_with_indices(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Any = False,
) -> tuple[Tensor, Tensor]: ...
@overload
def max_pool2d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def max_pool2d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@overload
def max_pool2d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Any = False,
) -> Any: ...
def max_pool2d_with_indices(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Any = False,
) -> tuple[Tensor, Tensor]: ...
@overload
def max_pool3d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def max_pool3d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@overload
def max_pool3d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Any = False,
) -> Any: ...
def max_pool3d_with_indices(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Any = False,
) -> tuple[Tensor, Tensor]: ...
@overload
def median(input: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
@overload
def median(
    input: Tensor | Array,
    dim: DimRef | None,
    keepdim: _bool = False,
    *,
    out: Out | None = None,
    keepdims: _bool = False,
) -> ValuesIndices: ...
@overload
def median(
    input: Tensor | Array,
    *,
    axis: DimRef | None,
    keepdim: _bool = False,
    out: Out | None = None,
    keepdims: _bool = False,
) -> ValuesIndices: ...
def meshgrid(*tensors: Tensor | Array | Tensors, indexing: Any = None) -> tuple[Tensor, ...]: ...
@overload
def min(
    input: Tensor | Array, other: Tensor | Array = ..., *, out: Out | None = None
) -> Tensor: ...
@overload
def min(
    input: Tensor | Array,
    dim: DimRef | None,
    keepdim: _bool = False,
    *,
    out: Out | None = None,
    keepdims: _bool = False,
) -> ValuesIndices: ...
@overload
def min(
    input: Tensor | Array,
    *,
    axis: DimRef | None,
    keepdim: _bool = False,
    out: Out | None = None,
    keepdims: _bool = False,
) -> ValuesIndices: ...
def mm(
    input: Tensor | Array,
    mat2: Tensor | Array,
    out_dtype: DTypeLike | None = ...,
    *,
    out: Out | None = None,
) -> Tensor: ...
def mode(
    input: Tensor | Array,
    dim: DimRef | None = -1,
    keepdim: _bool = False,
    *,
    out: Out | None = None,
    axis: DimRef | None = -1,
    keepdims: _bool = False,
) -> ValuesIndices: ...
def moveaxis(input: Tensor | Array, source: DimRefs, destination: DimRefs) -> Tensor: ...
def movedim(input: Tensor | Array, source: DimRefs, destination: DimRefs) -> Tensor: ...
def msort(input: Tensor[*Dims] | Array, *, out: Out | None = None) -> Tensor[*Dims]: ...
def mul_(input: Operand, other: Operand) -> Tensor: ...
def multinomial(
    input: Tensor | Array,
    num_samples: Index,
    replacement: Any = False,
    *,
    generator: Generator | None = None,
    out: Out | None = None,
) -> Tensor: ...
def multiply_(input: Operand, other: Operand) -> Tensor: ...
def mv(input: Tensor | Array, vec: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def mvlgamma(
    input: Tensor[*Dims] | Array | Number, p: Any, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def mvlgamma_(input: Tensor[*Dims] | Array | Number, p: Any) -> Tensor[*Dims]: ...
def nan_to_num(
    input: Tensor[*Dims] | Array | Number,
    nan: Any = None,
    posinf: Any = None,
    neginf: Any = None,
    *,
    out: Out | None = None,
) -> Tensor[*Dims]: ...
def nan_to_num_(
    input: Tensor[*Dims] | Array | Number, nan: Any = None, posinf: Any = None, neginf: Any = None
) -> Tensor[*Dims]: ...
@overload
def nanmedian(input: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
@overload
def nanmedian(
    input: Tensor | Array,
    dim: DimRef | None,
    keepdim: _bool = False,
    *,
    out: Out | None = None,
    keepdims: _bool = False,
) -> ValuesIndices: ...
@overload
def nanmedian(
    input: Tensor | Array,
    *,
    axis: DimRef | None,
    keepdim: _bool = False,
    out: Out | None = None,
    keepdims: _bool = False,
) -> ValuesIndices: ...
def nanquantile(
    input: Tensor | Array,
    q: Any,
    dim: DimRefs | None = None,
    keepdim: _bool = False,
    *,
    interpolation: Any = "linear",
    out: Out | None = None,
    weights: Any = None,
    axis: DimRefs | None = None,
    keepdims: _bool = False,
) -> Tensor: ...
def narrow(
    input: Tensor | Array,
    dim: DimRef | None = ...,
    start: Any = ...,
    length: Index = ...,
    *,
    axis: DimRef | None = ...,
) -> Tensor: ...
def narrow_copy(
    input: Tensor | Array,
    dim: DimRef | None = ...,
    start: Any = ...,
    length: Index = ...,
    *,
    out: Out | None = None,
    axis: DimRef | None = ...,
) -> Tensor: ...
def native_channel_shuffle(input: Tensor[*Dims] | Array, groups: Index) -> Tensor[*Dims]: ...
def native_dropout(input: Tensor | Array, p: Any, train: Any) -> tuple[Tensor, Tensor]: ...
def ne_(input: Operand, other: Operand) -> Tensor: ...
def neg(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def neg_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def negative(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def negative_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def nextafter_(input: Operand, other: Operand) -> Tensor: ...
@overload
def nonzero(
    input: Tensor | Array, *, as_tuple: Literal[False] = False, out: Out | None = None
) -> Tensor: ...
@overload
def nonzero(
    input: Tensor | Array, *, as_tuple: Literal[True], out: Out | None = None
) -> tuple[Tensor, ...]: ...
@overload
def nonzero(input: Tensor | Array, *, as_tuple: _bool = False, out: Out | None = None) -> Any: ...
def normal(
    mean: Any,
    std: Any = 1,
    size: Sizes = ...,
    *,
    generator: Generator | None = None,
    out: Out | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    names: Names | None = None,
) -> Tensor: ...
def not_equal_(input: Operand, other: Operand) -> Tensor: ...
def numel(input: Operand) -> _int: ...
def ones(
    *_size: Sizes,
    size: Sizes = ...,
    out: Out | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    names: Names | None = None,
) -> Tensor: ...
def ones_like(
    input: Operand,
    *,
    memory_format: MemoryFormat | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    shape: Sizes | None = None,
    names: Names | None = None,
) -> Tensor: ...
def orgqr(
    input: Tensor[*Dims] | Array, input2: Tensor | Array, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def ormqr(
    input: Tensor | Array,
    input2: Tensor | Array,
    input3: Tensor | Array,
    left: Any = True,
    transpose: Any = False,
    *,
    out: Out | None = None,
) -> Tensor: ...
def outer(input: Tensor | Array, vec2: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def pairwise_distance(
    x1: Tensor | Array,
    x2: Tensor | Array,
    p: Any = 2,
    eps: Any = 1e-06,
    keepdim: _bool = False,
    *,
    keepdims: _bool = False,
) -> Tensor: ...
def pca_lowrank(
    A: Tensor | Array, q: Index | None = None, center: Any = True, niter: Any = 2
) -> tuple[Tensor, Tensor, Tensor]: ...
def pdist(input: Tensor | Array, p: Any = 2) -> Tensor: ...
def permute(
    input: Tensor | Array, dims: DimRefs | None = ..., *, axes: DimRefs | None = ...
) -> Tensor: ...
def permute_copy(
    input: Tensor | Array,
    dims: DimRefs | None = ...,
    *,
    out: Out | None = None,
    axes: DimRefs | None = ...,
) -> Tensor: ...
def pinverse(
    input: Tensor | Array,
    rcond: Any = 1e-15,
    hermitian: Any = None,
    *,
    atol: Any = None,
    rtol: Any = None,
) -> Tensor: ...
def pixel_shuffle(input: Tensor | Array, upscale_factor: Index) -> Tensor: ...
def pixel_unshuffle(input: Tensor | Array, downscale_factor: Index) -> Tensor: ...
def poisson(
    input: Tensor[*Dims] | Array | Number, generator: Generator | None = None
) -> Tensor[*Dims]: ...
def polar(abs: Tensor | Array, angle: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def polygamma(n: Any, input: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def positive(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def pow_(input: Operand, exponent: Operand) -> Tensor: ...
def prelu(input: Tensor[*Dims] | Array | Number, weight: Any) -> Tensor[*Dims]: ...
def prelu_(input: Tensor[*Dims] | Array | Number, weight: Any) -> Tensor[*Dims]: ...
def put(
    input: Tensor[*Dims] | Array,
    index: Tensor | Array,
    source: Tensor | Array,
    accumulate: Any = False,
) -> Tensor[*Dims]: ...
def put_(
    input: Tensor[*Dims] | Array,
    index: Tensor | Array,
    source: Tensor | Array,
    accumulate: Any = False,
) -> Tensor[*Dims]: ...
def qr(input: Tensor | Array, some: _bool = True, *, out: Out | None = None) -> QR: ...
def quantile(
    input: Tensor | Array,
    q: Any,
    dim: DimRefs | None = None,
    keepdim: _bool = False,
    *,
    interpolation: Any = "linear",
    out: Out | None = None,
    weights: Any = None,
    axis: DimRefs | None = None,
    keepdims: _bool = False,
) -> Tensor: ...
def rad2deg(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def rad2deg_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def rand(
    *_size: Sizes,
    size: Sizes = ...,
    generator: Generator | None = None,
    out: Out | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    names: Names | None = None,
) -> Tensor: ...
def rand_like(
    input: Operand,
    *,
    generator: Generator | None = ...,
    memory_format: MemoryFormat | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    names: Names | None = None,
) -> Tensor: ...
def randint(
    low: Any = ...,
    high: Any = ...,
    size: Sizes = ...,
    *,
    generator: Generator | None = None,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
    out: Out | None = None,
    layout: Layout | None = None,
    names: Names | None = None,
) -> Tensor: ...
def randint_like(
    input: Tensor | Array,
    low: Any = ...,
    high: Any = ...,
    *,
    generator: Generator | None = ...,
    memory_format: MemoryFormat | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    names: Names | None = None,
) -> Tensor: ...
def randn(
    *_size: Sizes,
    size: Sizes = ...,
    generator: Generator | None = None,
    out: Out | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    names: Names | None = None,
) -> Tensor: ...
def randn_like(
    input: Operand,
    *,
    generator: Generator | None = ...,
    memory_format: MemoryFormat | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    names: Names | None = None,
) -> Tensor: ...
def randperm(
    n: Index,
    *,
    generator: Generator | None = ...,
    out: Out | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    names: Names | None = None,
) -> Tensor: ...
def range(
    start: Index | _float,
    end: Index | _float,
    step: Index | _float = 1,
    *,
    out: Out | None = None,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor: ...
def ravel(input: Tensor | Array) -> Tensor: ...
def real(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def reciprocal(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def reciprocal_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def relu(input: Tensor[*Dims] | Array | Number, inplace: Any = None) -> Tensor[*Dims]: ...
def relu6(input: Tensor[*Dims] | Array | Number, inplace: Any = None) -> Tensor[*Dims]: ...
def relu6_(input: Tensor[*Dims] | Array | Number, inplace: Any = None) -> Tensor[*Dims]: ...
def relu_(input: Tensor[*Dims] | Array | Number, inplace: Any = None) -> Tensor[*Dims]: ...
def remainder_(input: Operand, other: Operand) -> Tensor: ...
def renorm(
    input: Tensor[*Dims] | Array | Number,
    p: Any,
    dim: Any = ...,
    maxnorm: Any = ...,
    *,
    out: Out | None = None,
    axis: Any = ...,
) -> Tensor[*Dims]: ...
def renorm_(
    input: Tensor[*Dims] | Array | Number,
    p: Any,
    dim: Any = ...,
    maxnorm: Any = ...,
    *,
    axis: Any = ...,
) -> Tensor[*Dims]: ...
def repeat_interleave(
    input: Any = ...,
    repeats: Any = ...,
    dim: DimRef | None = None,
    *,
    output_size: Index | None = None,
    axis: DimRef | None = None,
) -> Tensor: ...
def reshape(input: Tensor | Array, shape: Sizes) -> Tensor: ...
def resize_as_(
    input: Tensor | Array = ...,
    the_template: Tensor | Array = ...,
    *,
    self: Tensor | Array = ...,
    memory_format: MemoryFormat | None = None,
) -> Tensor: ...
def resolve_conj(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def resolve_neg(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def reveal_names(tensor: Own) -> Own: ...
def rms_norm(
    input: Tensor[*Dims] | Array,
    normalized_shape: Sizes,
    weight: Tensor | Array | None = None,
    eps: Any = None,
) -> Tensor[*Dims]: ...
def roll(
    input: Tensor[*Dims] | Array, shifts: Sizes, dims: DimRefs = ..., *, axes: DimRefs = ...
) -> Tensor[*Dims]: ...
def rot90(
    input: Tensor | Array, k: Index = 1, dims: DimRefs = ..., *, axes: DimRefs = ...
) -> Tensor: ...
def round(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None, decimals: Any = None
) -> Tensor[*Dims]: ...
def round_(input: Tensor[*Dims] | Array | Number, *, decimals: Any = None) -> Tensor[*Dims]: ...
def row_stack(tensors: Tensors, *, out: Out | None = None) -> Tensor: ...
def rrelu(
    input: Tensor[*Dims] | Array | Number,
    lower: Any = 0.125,
    upper: Any = 0.3333333333333333,
    training: Any = False,
    generator: Any = None,
    *,
    inplace: Any = None,
) -> Tensor[*Dims]: ...
def rrelu_(
    input: Tensor[*Dims] | Array | Number,
    lower: Any = 0.125,
    upper: Any = 0.3333333333333333,
    training: Any = False,
    generator: Any = None,
    *,
    inplace: Any = None,
) -> Tensor[*Dims]: ...
def rsqrt(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def rsqrt_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def scalar_tensor(
    s: Any,
    *,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def scatter(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    index: Tensor | Array = ...,
    src: Any = ...,
    *,
    value: Any = ...,
    reduce: Any = None,
    out: Out | None = None,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def scatter_(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    index: Tensor | Array = ...,
    src: Any = ...,
    *,
    reduce: Any = None,
    value: Any = ...,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def scatter_add(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    index: Tensor | Array = ...,
    src: Tensor | Array = ...,
    *,
    out: Out | None = None,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def scatter_add_(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    index: Tensor | Array = ...,
    src: Tensor | Array = ...,
    *,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def scatter_reduce(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    index: Tensor | Array = ...,
    src: Tensor | Array = ...,
    reduce: Any = ...,
    *,
    include_self: Any = True,
    out: Out | None = None,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def scatter_reduce_(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    index: Tensor | Array = ...,
    src: Tensor | Array = ...,
    reduce: Any = ...,
    *,
    include_self: Any = True,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def searchsorted(
    sorted_sequence: Tensor | Array,
    input: Operand,
    *,
    out_int32: Any = False,
    right: Any = False,
    side: Any = None,
    sorter: Any = None,
    out: Out | None = None,
) -> Tensor: ...
def segment_reduce(
    data: Tensor | Array,
    reduce: Any,
    *,
    lengths: Tensor | Array | None = None,
    indices: Any = None,
    offsets: Tensor | Array | None = None,
    axis: Any = 0,
    unsafe: Any = False,
    initial: Any = None,
) -> Tensor: ...
def select_scatter(
    input: Tensor[*Dims] | Array,
    src: Tensor | Array,
    dim: DimRef = ...,
    index: Index = ...,
    *,
    axis: DimRef = ...,
) -> Tensor[*Dims]: ...
def selu(input: Tensor[*Dims] | Array | Number, inplace: Any = None) -> Tensor[*Dims]: ...
def selu_(input: Tensor[*Dims] | Array | Number, inplace: Any = None) -> Tensor[*Dims]: ...
def sgn(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def sgn_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def sigmoid(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def sigmoid_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def sign(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def sign_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def signbit(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def signbit_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def sin(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def sin_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def sinc(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def sinc_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def sinh(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def sinh_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def slice_scatter(
    input: Tensor[*Dims] | Array,
    src: Tensor | Array,
    dim: DimRef = 0,
    start: Any = None,
    end: Any = None,
    step: Index = 1,
    *,
    out: Out | None = None,
    axis: DimRef = 0,
) -> Tensor[*Dims]: ...
def slogdet(input: Tensor | Array, *, out: Out | None = None) -> SignLogabsdet: ...
def softmax(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    dtype: DTypeLike | None = None,
    *,
    out: Out | None = None,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def sort(
    input: Tensor | Array,
    dim: DimRef = -1,
    descending: Any = False,
    *,
    stable: Any = None,
    out: Out | None = None,
    axis: DimRef = -1,
) -> ValuesIndices: ...
def sparse_coo_tensor(
    indices: Any,
    values: Any,
    size: Sizes | None = None,
    *,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: _bool = False,
    check_invariants: Any = None,
    is_coalesced: Any = None,
    names: Names | None = None,
) -> Tensor: ...
def split(
    tensor: Tensor | Array,
    split_size_or_sections: Sizes,
    dim: DimRef | None = 0,
    *,
    axis: DimRef | None = 0,
) -> tuple[Tensor, ...]: ...
def split_with_sizes(
    input: Tensor | Array, split_sizes: Sizes, dim: DimRef | None = 0, *, axis: DimRef | None = 0
) -> tuple[Tensor, ...]: ...
def sqrt(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def sqrt_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def square(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def square_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def squeeze(
    input: Tensor | Array, dim: DimRefs | None = ..., *, axis: DimRefs | None = ...
) -> Tensor: ...
def squeeze_(input: Tensor | Array, *dim: DimRefs | None) -> Tensor: ...
def squeeze_copy(
    input: Tensor | Array,
    dim: DimRefs | None = ...,
    *,
    out: Out | None = None,
    axis: DimRefs | None = ...,
) -> Tensor: ...
def stack(
    tensors: Tensors, dim: DimRef = 0, *, out: Out | None = None, axis: DimRef = 0
) -> Tensor: ...
def std_mean(
    input: Tensor | Array,
    dim: Any = None,
    unbiased: Any = True,
    keepdim: _bool = False,
    *,
    correction: Any = None,
    axis: Any = None,
    keepdims: _bool = False,
) -> tuple[Tensor, Tensor]: ...
def stft(
    input: Tensor | Array,
    n_fft: Index,
    hop_length: Index | None = None,
    win_length: Index | None = None,
    window: Tensor | Array | None = None,
    center: _bool = True,
    pad_mode: Any = "reflect",
    normalized: Any = False,
    onesided: Any = None,
    return_complex: Any = None,
    align_to_window: Any = None,
) -> Tensor: ...
def sub_(input: Operand, other: Operand, alpha: Any = None) -> Tensor: ...
def subtract_(input: Operand, other: Operand, alpha: Any = None) -> Tensor: ...
def svd(
    input: Tensor | Array, some: _bool = True, compute_uv: Any = True, *, out: Out | None = None
) -> USV: ...
def svd_lowrank(
    A: Tensor | Array, q: Index = 6, niter: Any = 2, M: Any = None
) -> tuple[Tensor, Tensor, Tensor]: ...
def swapaxes(input: Tensor | Array, axis0: DimRef | None, axis1: DimRef | None) -> Tensor: ...
def swapaxes_(input: Tensor | Array, axis0: DimRef | None, axis1: DimRef | None) -> Tensor: ...
def swapdims(input: Tensor | Array, dim0: DimRef | None, dim1: DimRef | None) -> Tensor: ...
def swapdims_(input: Tensor | Array, dim0: DimRef | None, dim1: DimRef | None) -> Tensor: ...
def t(input: Tensor | Array) -> Tensor: ...
def t_(input: Tensor | Array) -> Tensor: ...
def t_copy(input: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def take(input: Tensor | Array, index: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def take_along_dim(
    input: Tensor | Array,
    indices: Tensor | Array,
    dim: DimRef | None = None,
    *,
    out: Out | None = None,
    axis: DimRef | None = None,
) -> Tensor: ...
def tan(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def tan_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def tanh(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def tanh_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def tensor_split(
    input: Tensor | Array,
    tensor_indices_or_sections: Any = ...,
    dim: DimRef | None = 0,
    *,
    sections: Index = ...,
    indices: Sizes = ...,
    axis: DimRef | None = 0,
) -> tuple[Tensor, ...]: ...
def tensordot(
    a: Tensor | Array, b: Tensor | Array, dims: Any = 2, out: Out | None = None, *, axes: Any = 2
) -> Tensor: ...
def threshold(
    input: Tensor[*Dims] | Array | Number,
    threshold: Any,
    value: Any,
    inplace: Any = None,
    *,
    out: Out | None = None,
) -> Tensor[*Dims]: ...
def threshold_(
    input: Tensor[*Dims] | Array | Number, threshold: Any, value: Any, inplace: Any = None
) -> Tensor[*Dims]: ...
def tile(input: Tensor | Array, dims: Sizes = ..., *, axes: Sizes = ...) -> Tensor: ...
def topk(
    input: Tensor | Array,
    k: Index,
    dim: DimRef = -1,
    largest: Any = True,
    sorted: Any = True,
    *,
    out: Out | None = None,
    axis: DimRef = -1,
) -> ValuesIndices: ...
def trace(input: Tensor | Array) -> Tensor: ...
def transpose(input: Tensor | Array, dim0: DimRef | None, dim1: DimRef | None) -> Tensor: ...
def transpose_(input: Tensor | Array, dim0: DimRef | None, dim1: DimRef | None) -> Tensor: ...
def transpose_copy(
    input: Tensor | Array, dim0: DimRef | None, dim1: DimRef | None, *, out: Out | None = None
) -> Tensor: ...
def triangular_solve(
    input: Tensor | Array,
    A: Tensor | Array,
    upper: Any = True,
    transpose: Any = False,
    unitriangular: Any = False,
    *,
    out: Out | None = None,
) -> SolutionClonedCoefficient: ...
def tril(
    input: Tensor[*Dims] | Array, diagonal: Any = 0, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def tril_(input: Tensor[*Dims] | Array, diagonal: Any = 0) -> Tensor[*Dims]: ...
def tril_indices(
    row: Any,
    col: Any,
    offset: Any = 0,
    *,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def triu(
    input: Tensor[*Dims] | Array, diagonal: Any = 0, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def triu_(input: Tensor[*Dims] | Array, diagonal: Any = 0) -> Tensor[*Dims]: ...
def triu_indices(
    row: Any,
    col: Any,
    offset: Any = 0,
    *,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def true_divide_(input: Operand, other: Operand) -> Tensor: ...
def trunc(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def trunc_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def unbind(
    input: Tensor | Array, dim: DimRef | None = 0, *, axis: DimRef | None = 0
) -> tuple[Tensor, ...]: ...
def unbind_copy(
    input: Tensor | Array,
    dim: DimRef | None = 0,
    *,
    out: Out | None = None,
    axis: DimRef | None = 0,
) -> tuple[Tensor, ...]: ...
def unflatten(
    input: Tensor | Array,
    dim: DimRef | None = ...,
    sizes: Any = ...,
    names: Names | None = ...,
    *,
    axis: DimRef | None = ...,
) -> Tensor: ...
def unfold_copy(
    input: Tensor | Array, dimension: DimRef, size: Index, step: Index, *, out: Out | None = None
) -> Tensor: ...
@overload
def unique(
    input: Tensor | Array,
    sorted: Any = True,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    dim: DimRef | None = None,
    *,
    axis: DimRef | None = None,
) -> Tensor: ...
@overload
def unique(
    input: Tensor | Array,
    sorted: Any = True,
    return_inverse: Literal[False] = False,
    dim: DimRef | None = None,
    *,
    return_counts: Literal[True],
    axis: DimRef | None = None,
) -> tuple[Tensor, Tensor]: ...
@overload
def unique(
    input: Tensor | Array,
    sorted: Any = True,
    return_counts: Literal[False] = False,
    dim: DimRef | None = None,
    *,
    return_inverse: Literal[True],
    axis: DimRef | None = None,
) -> tuple[Tensor, Tensor]: ...
@overload
def unique(
    input: Tensor | Array,
    sorted: Any = True,
    dim: DimRef | None = None,
    *,
    return_inverse: Literal[True],
    return_counts: Literal[True],
    axis: DimRef | None = None,
) -> tuple[Tensor, Tensor, Tensor]: ...
@overload
def unique(
    input: Tensor | Array,
    sorted: Any = True,
    return_inverse: _bool = False,
    return_counts: _bool = False,
    dim: DimRef | None = None,
    *,
    axis: DimRef | None = None,
) -> Any: ...
@overload
def unique_consecutive(
    input: Tensor | Array,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    dim: DimRef | None = None,
    *,
    axis: DimRef | None = None,
) -> Tensor: ...
@overload
def unique_consecutive(
    input: Tensor | Array,
    return_inverse: Literal[False] = False,
    dim: DimRef | None = None,
    *,
    return_counts: Literal[True],
    axis: DimRef | None = None,
) -> tuple[Tensor, Tensor]: ...
@overload
def unique_consecutive(
    input: Tensor | Array,
    return_counts: Literal[False] = False,
    dim: DimRef | None = None,
    *,
    return_inverse: Literal[True],
    axis: DimRef | None = None,
) -> tuple[Tensor, Tensor]: ...
@overload
def unique_consecutive(
    input: Tensor | Array,
    dim: DimRef | None = None,
    *,
    return_inverse: Literal[True],
    return_counts: Literal[True],
    axis: DimRef | None = None,
) -> tuple[Tensor, Tensor, Tensor]: ...
@overload
def unique_consecutive(
    input: Tensor | Array,
    return_inverse: _bool = False,
    return_counts: _bool = False,
    dim: DimRef | None = None,
    *,
    axis: DimRef | None = None,
) -> Any: ...
def unravel_index(indices: Operand, shape: Sizes, order: Any = "C") -> tuple[Tensor, ...]: ...
def unsafe_chunk(
    input: Tensor | Array, chunks: Index, dim: DimRef | None = 0, *, axis: DimRef | None = 0
) -> tuple[Tensor, ...]: ...
def unsafe_split(
    input: Tensor | Array, split_size: Sizes, dim: DimRef | None = 0, *, axis: DimRef | None = 0
) -> tuple[Tensor, ...]: ...
def unsafe_split_with_sizes(
    input: Tensor | Array, split_sizes: Sizes, dim: DimRef | None = 0, *, axis: DimRef | None = 0
) -> tuple[Tensor, ...]: ...
def unsqueeze(input: Tensor | Array, dim: DimRef = ..., *, axis: DimRef = ...) -> Tensor: ...
def unsqueeze_(input: Tensor | Array, dim: DimRef = ..., *, axis: DimRef = ...) -> Tensor: ...
def unsqueeze_copy(
    input: Tensor | Array, dim: DimRef = ..., *, out: Out | None = None, axis: DimRef = ...
) -> Tensor: ...
def vander(x: Tensor | Array, N: Index | None = None, increasing: Any = False) -> Tensor: ...
def var_mean(
    input: Tensor | Array,
    dim: Any = None,
    unbiased: Any = True,
    keepdim: _bool = False,
    *,
    correction: Any = None,
    axis: Any = None,
    keepdims: _bool = False,
) -> tuple[Tensor, Tensor]: ...
def vdot(input: Tensor | Array, other: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def view_as_complex(input: Tensor | Array) -> Tensor: ...
def view_as_complex_copy(input: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def view_as_real(input: Tensor | Array) -> Tensor: ...
def view_as_real_copy(input: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def view_copy(
    input: Tensor | Array,
    dtype: DTypeLike | Sizes | None = ...,
    *,
    size: Sizes = ...,
    out: Out | None = None,
) -> Tensor: ...
def vsplit(
    input: Tensor | Array, sections: Sizes = ..., *, indices: Sizes = ...
) -> tuple[Tensor, ...]: ...
def vstack(tensors: Tensors, *, out: Out | None = None) -> Tensor: ...
def xlogy_(input: Operand, other: Operand) -> Tensor: ...
def zero_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def zeros(
    *_size: Sizes,
    size: Sizes = ...,
    out: Out | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    names: Names | None = None,
) -> Tensor: ...
def zeros_like(
    input: Operand,
    *,
    memory_format: MemoryFormat | None = None,
    dtype: DTypeLike | None = None,
    layout: Layout | None = None,
    device: DeviceLike | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    shape: Sizes | None = None,
    names: Names | None = None,
) -> Tensor: ...

if MYPY:
    def add(
        input: Operand,
        other: Operand,
        *,
        alpha: Any = 1,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def all(
        input: Operand,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def amax(
        input: Tensor | Array,
        dim: DimRefs | None = ...,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def amin(
        input: Tensor | Array,
        dim: DimRefs | None = ...,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def any(
        input: Operand,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def arctan2(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def argmax(
        input: Operand,
        dim: DimRef | None = None,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRef | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def argmin(
        input: Operand,
        dim: DimRef | None = None,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRef | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def atan2(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def bitwise_and(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def bitwise_left_shift(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def bitwise_or(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def bitwise_right_shift(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def bitwise_xor(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def clamp_max(
        input: Operand,
        max: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def clamp_min(
        input: Operand,
        min: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def copysign(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def count_nonzero(
        input: Tensor | Array, dim: DimRefs | None = None, *, axis: DimRefs | None = None
    ) -> Tensor: ...
    def div(
        input: Operand,
        other: Operand,
        *,
        rounding_mode: Any = None,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def divide(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        rounding_mode: Any = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def eq(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def float_power(
        input: Operand,
        exponent: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def floor_divide(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def fmax(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def fmin(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def fmod(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def gcd(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def ge(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def greater(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def greater_equal(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def gt(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def heaviside(
        input: Operand,
        values: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def hypot(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def igamma(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def igammac(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def isclose(
        input: Operand,
        other: Operand,
        rtol: Any = 1e-05,
        atol: Any = 1e-08,
        equal_nan: Any = False,
        *,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def lcm(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def ldexp(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def le(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def less(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def less_equal(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def logaddexp(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def logaddexp2(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def logical_and(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def logical_or(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def logical_xor(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def logsumexp(
        input: Tensor | Array,
        dim: DimRefs | None = ...,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def lt(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def maximum(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def mean(
        input: Operand,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def minimum(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def mul(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def multiply(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def nanmean(
        input: Operand,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def nansum(
        input: Operand,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def ne(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def nextafter(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def norm(
        input: Tensor | Array,
        p: Any = "fro",
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        out: Out | None = None,
        dtype: DTypeLike | None = None,
        *,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def not_equal(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def pow(
        input: Operand,
        exponent: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def prod(
        input: Tensor | Array,
        dim: DimRef | None = ...,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRef | None = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def remainder(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def rsub(input: Operand, other: Operand, alpha: Any = 1) -> Tensor: ...
    def select(
        input: Tensor | Array,
        dim: DimRef | None = ...,
        index: Index = ...,
        *,
        axis: DimRef | None = ...,
    ) -> Tensor: ...
    def select_copy(
        input: Tensor | Array,
        dim: DimRef | None = ...,
        index: Index = ...,
        *,
        out: Out | None = None,
        axis: DimRef | None = ...,
    ) -> Tensor: ...
    def std(
        input: Operand | Tensor | Array,
        dim: Any = None,
        unbiased: Any = True,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        correction: Any = None,
        axis: Any = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def sub(
        input: Operand,
        other: Operand,
        alpha: Any = None,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def subtract(
        input: Operand,
        other: Operand,
        alpha: Any = 1,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def sum(
        input: Operand,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def trapezoid(
        y: Tensor | Array, x: Any = None, *, dim: DimRef = -1, dx: Any = 1, axis: DimRef = -1
    ) -> Tensor: ...
    def trapz(
        y: Tensor | Array, x: Any = None, *, dx: Any = 1, dim: DimRef = -1, axis: DimRef = -1
    ) -> Tensor: ...
    def true_divide(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def var(
        input: Operand | Tensor | Array,
        dim: Any = None,
        unbiased: Any = True,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        correction: Any = None,
        axis: Any = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def where(
        condition: Operand, input: Operand, other: Operand, *, out: Out | None = None
    ) -> Tensor: ...
    @overload
    def where(condition: Tensor | Array, *, out: Out | None = None) -> tuple[Tensor, ...]: ...
    def xlogy(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
else:
    @overload
    def add(
        input: Open,
        other: Operand,
        *,
        alpha: Any = 1,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def add(
        input: Operand,
        other: Open,
        *,
        alpha: Any = 1,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def add(input: Alike[*Dims], other: Alike[*Dims], *, alpha: Any = 1) -> Tensor[*Dims]: ...
    @overload
    def add(
        input: Operand,
        other: Operand,
        *,
        alpha: Any = 1,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def all(input: Operand, *, keepdim: Literal[False] = False) -> Tensor[*tuple[()]]: ...
    @overload
    def all(
        input: Tensor[*Rest, Known], dim: Literal[-1], keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def all(
        input: Tensor[Known, *Rest], dim: Literal[0], keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def all(input: Tensor[Known, *Rest], dim: Literal[-1]) -> Tensor: ...
    @overload
    def all(input: Tensor[*Rest, Removed], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def all(input: Tensor[*Rest, Known], dim: Literal[0]) -> Tensor: ...
    @overload
    def all(input: Tensor[Removed, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def all(
        input: Open,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def all(
        input: Tensor[*Rest, Named], dim: Named, keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def all(
        input: Tensor[Named, *Rest], dim: Named, keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def all(
        input: Operand,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def amax(input: Tensor | Array, *, keepdim: Literal[False] = False) -> Tensor[*tuple[()]]: ...
    @overload
    def amax(
        input: Tensor[*Rest, Known], dim: Literal[-1], keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def amax(
        input: Tensor[Known, *Rest], dim: Literal[0], keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def amax(input: Tensor[Known, *Rest], dim: Literal[-1]) -> Tensor: ...
    @overload
    def amax(input: Tensor[*Rest, Removed], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def amax(input: Tensor[*Rest, Known], dim: Literal[0]) -> Tensor: ...
    @overload
    def amax(input: Tensor[Removed, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def amax(
        input: Open,
        dim: DimRefs | None = ...,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def amax(
        input: Tensor[*Rest, Named], dim: Named, keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def amax(
        input: Tensor[Named, *Rest], dim: Named, keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def amax(
        input: Tensor | Array,
        dim: DimRefs | None = ...,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def amin(input: Tensor | Array, *, keepdim: Literal[False] = False) -> Tensor[*tuple[()]]: ...
    @overload
    def amin(
        input: Tensor[*Rest, Known], dim: Literal[-1], keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def amin(
        input: Tensor[Known, *Rest], dim: Literal[0], keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def amin(input: Tensor[Known, *Rest], dim: Literal[-1]) -> Tensor: ...
    @overload
    def amin(input: Tensor[*Rest, Removed], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def amin(input: Tensor[*Rest, Known], dim: Literal[0]) -> Tensor: ...
    @overload
    def amin(input: Tensor[Removed, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def amin(
        input: Open,
        dim: DimRefs | None = ...,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def amin(
        input: Tensor[*Rest, Named], dim: Named, keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def amin(
        input: Tensor[Named, *Rest], dim: Named, keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def amin(
        input: Tensor | Array,
        dim: DimRefs | None = ...,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def any(input: Operand, *, keepdim: Literal[False] = False) -> Tensor[*tuple[()]]: ...
    @overload
    def any(
        input: Tensor[*Rest, Known], dim: Literal[-1], keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def any(
        input: Tensor[Known, *Rest], dim: Literal[0], keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def any(input: Tensor[Known, *Rest], dim: Literal[-1]) -> Tensor: ...
    @overload
    def any(input: Tensor[*Rest, Removed], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def any(input: Tensor[*Rest, Known], dim: Literal[0]) -> Tensor: ...
    @overload
    def any(input: Tensor[Removed, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def any(
        input: Open,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def any(
        input: Tensor[*Rest, Named], dim: Named, keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def any(
        input: Tensor[Named, *Rest], dim: Named, keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def any(
        input: Operand,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def arctan2(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def arctan2(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def arctan2(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def arctan2(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def argmax(input: Operand, *, keepdim: Literal[False] = False) -> Tensor[*tuple[()]]: ...
    @overload
    def argmax(
        input: Tensor[*Rest, Known], dim: Literal[-1], keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def argmax(
        input: Tensor[Known, *Rest], dim: Literal[0], keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def argmax(input: Tensor[Known, *Rest], dim: Literal[-1]) -> Tensor: ...
    @overload
    def argmax(input: Tensor[*Rest, Removed], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def argmax(input: Tensor[*Rest, Known], dim: Literal[0]) -> Tensor: ...
    @overload
    def argmax(input: Tensor[Removed, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def argmax(
        input: Open,
        dim: DimRef | None = None,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRef | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def argmax(
        input: Tensor[*Rest, Named], dim: Named, keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def argmax(
        input: Tensor[Named, *Rest], dim: Named, keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def argmax(
        input: Operand,
        dim: DimRef | None = None,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRef | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def argmin(input: Operand, *, keepdim: Literal[False] = False) -> Tensor[*tuple[()]]: ...
    @overload
    def argmin(
        input: Tensor[*Rest, Known], dim: Literal[-1], keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def argmin(
        input: Tensor[Known, *Rest], dim: Literal[0], keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def argmin(input: Tensor[Known, *Rest], dim: Literal[-1]) -> Tensor: ...
    @overload
    def argmin(input: Tensor[*Rest, Removed], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def argmin(input: Tensor[*Rest, Known], dim: Literal[0]) -> Tensor: ...
    @overload
    def argmin(input: Tensor[Removed, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def argmin(
        input: Open,
        dim: DimRef | None = None,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRef | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def argmin(
        input: Tensor[*Rest, Named], dim: Named, keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def argmin(
        input: Tensor[Named, *Rest], dim: Named, keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def argmin(
        input: Operand,
        dim: DimRef | None = None,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRef | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def atan2(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def atan2(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def atan2(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def atan2(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def bitwise_and(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def bitwise_and(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def bitwise_and(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def bitwise_and(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def bitwise_left_shift(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def bitwise_left_shift(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def bitwise_left_shift(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def bitwise_left_shift(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def bitwise_or(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def bitwise_or(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def bitwise_or(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def bitwise_or(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def bitwise_right_shift(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def bitwise_right_shift(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def bitwise_right_shift(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def bitwise_right_shift(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def bitwise_xor(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def bitwise_xor(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def bitwise_xor(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def bitwise_xor(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def clamp_max(
        input: Open,
        max: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def clamp_max(
        input: Operand,
        max: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def clamp_max(input: Alike[*Dims], max: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def clamp_max(
        input: Operand,
        max: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def clamp_min(
        input: Open,
        min: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def clamp_min(
        input: Operand,
        min: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def clamp_min(input: Alike[*Dims], min: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def clamp_min(
        input: Operand,
        min: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def copysign(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def copysign(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def copysign(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def copysign(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def count_nonzero(input: Tensor | Array) -> Tensor[*tuple[()]]: ...
    @overload
    def count_nonzero(input: Tensor[*Rest, Known], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def count_nonzero(input: Tensor[Known, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def count_nonzero(input: Tensor[Known, *Rest], dim: Literal[-1]) -> Tensor: ...
    @overload
    def count_nonzero(input: Tensor[*Rest, Removed], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def count_nonzero(input: Tensor[*Rest, Known], dim: Literal[0]) -> Tensor: ...
    @overload
    def count_nonzero(input: Tensor[Removed, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def count_nonzero(
        input: Open, dim: DimRefs | None = None, *, axis: DimRefs | None = None
    ) -> Tensor: ...
    @overload
    def count_nonzero(input: Tensor[*Rest, Named], dim: Named) -> Tensor[*Rest]: ...
    @overload
    def count_nonzero(input: Tensor[Named, *Rest], dim: Named) -> Tensor[*Rest]: ...
    @overload
    def count_nonzero(
        input: Tensor | Array, dim: DimRefs | None = None, *, axis: DimRefs | None = None
    ) -> Tensor: ...
    @overload
    def div(
        input: Open,
        other: Operand,
        *,
        rounding_mode: Any = None,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def div(
        input: Operand,
        other: Open,
        *,
        rounding_mode: Any = None,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def div(
        input: Alike[*Dims], other: Alike[*Dims], *, rounding_mode: Any = None
    ) -> Tensor[*Dims]: ...
    @overload
    def div(
        input: Operand,
        other: Operand,
        *,
        rounding_mode: Any = None,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def divide(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        rounding_mode: Any = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def divide(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        rounding_mode: Any = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def divide(
        input: Alike[*Dims], other: Alike[*Dims], *, rounding_mode: Any = None
    ) -> Tensor[*Dims]: ...
    @overload
    def divide(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        rounding_mode: Any = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def eq(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def eq(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def eq(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def eq(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def float_power(
        input: Open,
        exponent: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def float_power(
        input: Operand,
        exponent: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def float_power(input: Alike[*Dims], exponent: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def float_power(
        input: Operand,
        exponent: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def floor_divide(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def floor_divide(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def floor_divide(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def floor_divide(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def fmax(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def fmax(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def fmax(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def fmax(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def fmin(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def fmin(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def fmin(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def fmin(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def fmod(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def fmod(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def fmod(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def fmod(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def gcd(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def gcd(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def gcd(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def gcd(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def ge(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def ge(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def ge(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def ge(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def greater(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def greater(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def greater(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def greater(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def greater_equal(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def greater_equal(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def greater_equal(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def greater_equal(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def gt(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def gt(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def gt(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def gt(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def heaviside(
        input: Open,
        values: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def heaviside(
        input: Operand,
        values: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def heaviside(input: Alike[*Dims], values: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def heaviside(
        input: Operand,
        values: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def hypot(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def hypot(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def hypot(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def hypot(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def igamma(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def igamma(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def igamma(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def igamma(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def igammac(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def igammac(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def igammac(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def igammac(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def isclose(
        input: Open,
        other: Operand,
        rtol: Any = 1e-05,
        atol: Any = 1e-08,
        equal_nan: Any = False,
        *,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def isclose(
        input: Operand,
        other: Open,
        rtol: Any = 1e-05,
        atol: Any = 1e-08,
        equal_nan: Any = False,
        *,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def isclose(
        input: Alike[*Dims],
        other: Alike[*Dims],
        rtol: Any = 1e-05,
        atol: Any = 1e-08,
        equal_nan: Any = False,
    ) -> Tensor[*Dims]: ...
    @overload
    def isclose(
        input: Operand,
        other: Operand,
        rtol: Any = 1e-05,
        atol: Any = 1e-08,
        equal_nan: Any = False,
        *,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def lcm(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def lcm(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def lcm(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def lcm(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def ldexp(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def ldexp(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def ldexp(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def ldexp(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def le(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def le(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def le(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def le(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def less(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def less(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def less(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def less(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def less_equal(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def less_equal(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def less_equal(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def less_equal(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logaddexp(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logaddexp(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logaddexp(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def logaddexp(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logaddexp2(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logaddexp2(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logaddexp2(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def logaddexp2(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logical_and(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logical_and(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logical_and(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def logical_and(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logical_or(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logical_or(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logical_or(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def logical_or(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logical_xor(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logical_xor(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logical_xor(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def logical_xor(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logsumexp(
        input: Tensor[*Rest, Known], dim: Literal[-1], keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def logsumexp(
        input: Tensor[Known, *Rest], dim: Literal[0], keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def logsumexp(input: Tensor[Known, *Rest], dim: Literal[-1]) -> Tensor: ...
    @overload
    def logsumexp(input: Tensor[*Rest, Removed], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def logsumexp(input: Tensor[*Rest, Known], dim: Literal[0]) -> Tensor: ...
    @overload
    def logsumexp(input: Tensor[Removed, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def logsumexp(
        input: Open,
        dim: DimRefs | None = ...,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def logsumexp(
        input: Tensor[*Rest, Named], dim: Named, keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def logsumexp(
        input: Tensor[Named, *Rest], dim: Named, keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def logsumexp(
        input: Tensor | Array,
        dim: DimRefs | None = ...,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def lt(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def lt(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def lt(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def lt(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def maximum(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def maximum(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def maximum(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def maximum(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def mean(
        input: Operand, *, keepdim: Literal[False] = False, dtype: DTypeLike | None = None
    ) -> Tensor[*tuple[()]]: ...
    @overload
    def mean(
        input: Tensor[*Rest, Known],
        dim: Literal[-1],
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def mean(
        input: Tensor[Known, *Rest],
        dim: Literal[0],
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def mean(input: Tensor[Known, *Rest], dim: Literal[-1]) -> Tensor: ...
    @overload
    def mean(input: Tensor[*Rest, Removed], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def mean(input: Tensor[*Rest, Known], dim: Literal[0]) -> Tensor: ...
    @overload
    def mean(input: Tensor[Removed, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def mean(
        input: Open,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def mean(
        input: Tensor[*Rest, Named],
        dim: Named,
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def mean(
        input: Tensor[Named, *Rest],
        dim: Named,
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def mean(
        input: Operand,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def minimum(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def minimum(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def minimum(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def minimum(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def mul(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def mul(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def mul(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def mul(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def multiply(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def multiply(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def multiply(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def multiply(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def nanmean(
        input: Operand, *, keepdim: Literal[False] = False, dtype: DTypeLike | None = None
    ) -> Tensor[*tuple[()]]: ...
    @overload
    def nanmean(
        input: Tensor[*Rest, Known],
        dim: Literal[-1],
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def nanmean(
        input: Tensor[Known, *Rest],
        dim: Literal[0],
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def nanmean(input: Tensor[Known, *Rest], dim: Literal[-1]) -> Tensor: ...
    @overload
    def nanmean(input: Tensor[*Rest, Removed], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def nanmean(input: Tensor[*Rest, Known], dim: Literal[0]) -> Tensor: ...
    @overload
    def nanmean(input: Tensor[Removed, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def nanmean(
        input: Open,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def nanmean(
        input: Tensor[*Rest, Named],
        dim: Named,
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def nanmean(
        input: Tensor[Named, *Rest],
        dim: Named,
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def nanmean(
        input: Operand,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def nansum(
        input: Operand, *, keepdim: Literal[False] = False, dtype: DTypeLike | None = None
    ) -> Tensor[*tuple[()]]: ...
    @overload
    def nansum(
        input: Tensor[*Rest, Known],
        dim: Literal[-1],
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def nansum(
        input: Tensor[Known, *Rest],
        dim: Literal[0],
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def nansum(input: Tensor[Known, *Rest], dim: Literal[-1]) -> Tensor: ...
    @overload
    def nansum(input: Tensor[*Rest, Removed], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def nansum(input: Tensor[*Rest, Known], dim: Literal[0]) -> Tensor: ...
    @overload
    def nansum(input: Tensor[Removed, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def nansum(
        input: Open,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def nansum(
        input: Tensor[*Rest, Named],
        dim: Named,
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def nansum(
        input: Tensor[Named, *Rest],
        dim: Named,
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def nansum(
        input: Operand,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def ne(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def ne(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def ne(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def ne(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def nextafter(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def nextafter(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def nextafter(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def nextafter(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def norm(
        input: Tensor | Array,
        p: Any = "fro",
        *,
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*tuple[()]]: ...
    @overload
    def norm(
        input: Tensor[*Rest, Known],
        p: Any = "fro",
        *,
        dim: Literal[-1],
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def norm(
        input: Tensor[Known, *Rest],
        p: Any = "fro",
        *,
        dim: Literal[0],
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def norm(input: Tensor[Known, *Rest], *, dim: Literal[-1]) -> Tensor: ...
    @overload
    def norm(input: Tensor[*Rest, Removed], *, dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def norm(input: Tensor[*Rest, Known], *, dim: Literal[0]) -> Tensor: ...
    @overload
    def norm(input: Tensor[Removed, *Rest], *, dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def norm(
        input: Open,
        p: Any = "fro",
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        out: Out | None = None,
        dtype: DTypeLike | None = None,
        *,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def norm(
        input: Tensor[*Rest, Named],
        p: Any = "fro",
        *,
        dim: Named,
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def norm(
        input: Tensor[Named, *Rest],
        p: Any = "fro",
        *,
        dim: Named,
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def norm(
        input: Tensor | Array,
        p: Any = "fro",
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        out: Out | None = None,
        dtype: DTypeLike | None = None,
        *,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def not_equal(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def not_equal(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def not_equal(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def not_equal(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def pow(
        input: Open,
        exponent: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def pow(
        input: Operand,
        exponent: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def pow(input: Alike[*Dims], exponent: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def pow(
        input: Operand,
        exponent: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def prod(
        input: Tensor[*Rest, Known],
        dim: Literal[-1],
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def prod(
        input: Tensor[Known, *Rest],
        dim: Literal[0],
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def prod(input: Tensor[Known, *Rest], dim: Literal[-1]) -> Tensor: ...
    @overload
    def prod(input: Tensor[*Rest, Removed], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def prod(input: Tensor[*Rest, Known], dim: Literal[0]) -> Tensor: ...
    @overload
    def prod(input: Tensor[Removed, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def prod(
        input: Open,
        dim: DimRef | None = ...,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRef | None = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def prod(
        input: Tensor[*Rest, Named],
        dim: Named,
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def prod(
        input: Tensor[Named, *Rest],
        dim: Named,
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def prod(
        input: Tensor | Array,
        dim: DimRef | None = ...,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRef | None = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def remainder(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def remainder(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def remainder(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def remainder(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def rsub(input: Open, other: Operand, alpha: Any = 1) -> Tensor: ...
    @overload
    def rsub(input: Operand, other: Open, alpha: Any = 1) -> Tensor: ...
    @overload
    def rsub(input: Alike[*Dims], other: Alike[*Dims], alpha: Any = 1) -> Tensor[*Dims]: ...
    @overload
    def rsub(input: Operand, other: Operand, alpha: Any = 1) -> Tensor: ...
    @overload
    def select(
        input: Tensor[*Rest, Known], dim: Literal[-1], index: Index = ...
    ) -> Tensor[*Rest]: ...
    @overload
    def select(
        input: Tensor[Known, *Rest], dim: Literal[0], index: Index = ...
    ) -> Tensor[*Rest]: ...
    @overload
    def select(input: Tensor[Known, *Rest], dim: Literal[-1], index: Index = ...) -> Tensor: ...
    @overload
    def select(
        input: Tensor[*Rest, Removed], dim: Literal[-1], index: Index = ...
    ) -> Tensor[*Rest]: ...
    @overload
    def select(input: Tensor[*Rest, Known], dim: Literal[0], index: Index = ...) -> Tensor: ...
    @overload
    def select(
        input: Tensor[Removed, *Rest], dim: Literal[0], index: Index = ...
    ) -> Tensor[*Rest]: ...
    @overload
    def select(
        input: Open, dim: DimRef | None = ..., index: Index = ..., *, axis: DimRef | None = ...
    ) -> Tensor: ...
    @overload
    def select(input: Tensor[*Rest, Named], dim: Named, index: Index = ...) -> Tensor[*Rest]: ...
    @overload
    def select(input: Tensor[Named, *Rest], dim: Named, index: Index = ...) -> Tensor[*Rest]: ...
    @overload
    def select(
        input: Tensor | Array,
        dim: DimRef | None = ...,
        index: Index = ...,
        *,
        axis: DimRef | None = ...,
    ) -> Tensor: ...
    @overload
    def select_copy(
        input: Tensor[*Rest, Known], dim: Literal[-1], index: Index = ...
    ) -> Tensor[*Rest]: ...
    @overload
    def select_copy(
        input: Tensor[Known, *Rest], dim: Literal[0], index: Index = ...
    ) -> Tensor[*Rest]: ...
    @overload
    def select_copy(
        input: Tensor[Known, *Rest], dim: Literal[-1], index: Index = ...
    ) -> Tensor: ...
    @overload
    def select_copy(
        input: Tensor[*Rest, Removed], dim: Literal[-1], index: Index = ...
    ) -> Tensor[*Rest]: ...
    @overload
    def select_copy(input: Tensor[*Rest, Known], dim: Literal[0], index: Index = ...) -> Tensor: ...
    @overload
    def select_copy(
        input: Tensor[Removed, *Rest], dim: Literal[0], index: Index = ...
    ) -> Tensor[*Rest]: ...
    @overload
    def select_copy(
        input: Open,
        dim: DimRef | None = ...,
        index: Index = ...,
        *,
        out: Out | None = None,
        axis: DimRef | None = ...,
    ) -> Tensor: ...
    @overload
    def select_copy(
        input: Tensor[*Rest, Named], dim: Named, index: Index = ...
    ) -> Tensor[*Rest]: ...
    @overload
    def select_copy(
        input: Tensor[Named, *Rest], dim: Named, index: Index = ...
    ) -> Tensor[*Rest]: ...
    @overload
    def select_copy(
        input: Tensor | Array,
        dim: DimRef | None = ...,
        index: Index = ...,
        *,
        out: Out | None = None,
        axis: DimRef | None = ...,
    ) -> Tensor: ...
    @overload
    def std(
        input: Operand | Tensor | Array, *, keepdim: Literal[False] = False, correction: Any = None
    ) -> Tensor[*tuple[()]]: ...
    @overload
    def std(
        input: Tensor[*Rest, Known],
        dim: Literal[-1],
        unbiased: Any = True,
        keepdim: Literal[False] = False,
        *,
        correction: Any = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def std(
        input: Tensor[Known, *Rest],
        dim: Literal[0],
        unbiased: Any = True,
        keepdim: Literal[False] = False,
        *,
        correction: Any = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def std(input: Tensor[Known, *Rest], dim: Literal[-1]) -> Tensor: ...
    @overload
    def std(input: Tensor[*Rest, Removed], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def std(input: Tensor[*Rest, Known], dim: Literal[0]) -> Tensor: ...
    @overload
    def std(input: Tensor[Removed, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def std(
        input: Open,
        dim: Any = None,
        unbiased: Any = True,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        correction: Any = None,
        axis: Any = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def std(
        input: Tensor[*Rest, Named],
        dim: Named,
        unbiased: Any = True,
        keepdim: Literal[False] = False,
        *,
        correction: Any = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def std(
        input: Tensor[Named, *Rest],
        dim: Named,
        unbiased: Any = True,
        keepdim: Literal[False] = False,
        *,
        correction: Any = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def std(
        input: Operand | Tensor | Array,
        dim: Any = None,
        unbiased: Any = True,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        correction: Any = None,
        axis: Any = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def sub(
        input: Open,
        other: Operand,
        alpha: Any = None,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def sub(
        input: Operand,
        other: Open,
        alpha: Any = None,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def sub(input: Alike[*Dims], other: Alike[*Dims], alpha: Any = None) -> Tensor[*Dims]: ...
    @overload
    def sub(
        input: Operand,
        other: Operand,
        alpha: Any = None,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def subtract(
        input: Open,
        other: Operand,
        alpha: Any = 1,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def subtract(
        input: Operand,
        other: Open,
        alpha: Any = 1,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def subtract(input: Alike[*Dims], other: Alike[*Dims], alpha: Any = 1) -> Tensor[*Dims]: ...
    @overload
    def subtract(
        input: Operand,
        other: Operand,
        alpha: Any = 1,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def sum(
        input: Operand, *, keepdim: Literal[False] = False, dtype: DTypeLike | None = None
    ) -> Tensor[*tuple[()]]: ...
    @overload
    def sum(
        input: Tensor[*Rest, Known],
        dim: Literal[-1],
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def sum(
        input: Tensor[Known, *Rest],
        dim: Literal[0],
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def sum(input: Tensor[Known, *Rest], dim: Literal[-1]) -> Tensor: ...
    @overload
    def sum(input: Tensor[*Rest, Removed], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def sum(input: Tensor[*Rest, Known], dim: Literal[0]) -> Tensor: ...
    @overload
    def sum(input: Tensor[Removed, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def sum(
        input: Open,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def sum(
        input: Tensor[*Rest, Named],
        dim: Named,
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def sum(
        input: Tensor[Named, *Rest],
        dim: Named,
        keepdim: Literal[False] = False,
        *,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def sum(
        input: Operand,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def trapezoid(y: Tensor[*Rest, Known], *, dim: Literal[-1], dx: Any = 1) -> Tensor[*Rest]: ...
    @overload
    def trapezoid(y: Tensor[Known, *Rest], *, dim: Literal[0], dx: Any = 1) -> Tensor[*Rest]: ...
    @overload
    def trapezoid(y: Tensor[Known, *Rest], *, dim: Literal[-1]) -> Tensor: ...
    @overload
    def trapezoid(y: Tensor[*Rest, Removed], *, dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def trapezoid(y: Tensor[*Rest, Known], *, dim: Literal[0]) -> Tensor: ...
    @overload
    def trapezoid(y: Tensor[Removed, *Rest], *, dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def trapezoid(
        y: Open, x: Any = None, *, dim: DimRef = -1, dx: Any = 1, axis: DimRef = -1
    ) -> Tensor: ...
    @overload
    def trapezoid(y: Tensor[*Rest, Named], *, dim: Named, dx: Any = 1) -> Tensor[*Rest]: ...
    @overload
    def trapezoid(y: Tensor[Named, *Rest], *, dim: Named, dx: Any = 1) -> Tensor[*Rest]: ...
    @overload
    def trapezoid(
        y: Tensor | Array, x: Any = None, *, dim: DimRef = -1, dx: Any = 1, axis: DimRef = -1
    ) -> Tensor: ...
    @overload
    def trapz(y: Tensor[*Rest, Known], *, dx: Any = 1, dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def trapz(y: Tensor[Known, *Rest], *, dx: Any = 1, dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def trapz(y: Tensor[Known, *Rest], *, dim: Literal[-1]) -> Tensor: ...
    @overload
    def trapz(y: Tensor[*Rest, Removed], *, dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def trapz(y: Tensor[*Rest, Known], *, dim: Literal[0]) -> Tensor: ...
    @overload
    def trapz(y: Tensor[Removed, *Rest], *, dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def trapz(
        y: Open, x: Any = None, *, dx: Any = 1, dim: DimRef = -1, axis: DimRef = -1
    ) -> Tensor: ...
    @overload
    def trapz(y: Tensor[*Rest, Named], *, dx: Any = 1, dim: Named) -> Tensor[*Rest]: ...
    @overload
    def trapz(y: Tensor[Named, *Rest], *, dx: Any = 1, dim: Named) -> Tensor[*Rest]: ...
    @overload
    def trapz(
        y: Tensor | Array, x: Any = None, *, dx: Any = 1, dim: DimRef = -1, axis: DimRef = -1
    ) -> Tensor: ...
    @overload
    def true_divide(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def true_divide(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def true_divide(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def true_divide(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def var(
        input: Operand | Tensor | Array, *, keepdim: Literal[False] = False, correction: Any = None
    ) -> Tensor[*tuple[()]]: ...
    @overload
    def var(
        input: Tensor[*Rest, Known],
        dim: Literal[-1],
        unbiased: Any = True,
        keepdim: Literal[False] = False,
        *,
        correction: Any = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def var(
        input: Tensor[Known, *Rest],
        dim: Literal[0],
        unbiased: Any = True,
        keepdim: Literal[False] = False,
        *,
        correction: Any = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def var(input: Tensor[Known, *Rest], dim: Literal[-1]) -> Tensor: ...
    @overload
    def var(input: Tensor[*Rest, Removed], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def var(input: Tensor[*Rest, Known], dim: Literal[0]) -> Tensor: ...
    @overload
    def var(input: Tensor[Removed, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def var(
        input: Open,
        dim: Any = None,
        unbiased: Any = True,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        correction: Any = None,
        axis: Any = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def var(
        input: Tensor[*Rest, Named],
        dim: Named,
        unbiased: Any = True,
        keepdim: Literal[False] = False,
        *,
        correction: Any = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def var(
        input: Tensor[Named, *Rest],
        dim: Named,
        unbiased: Any = True,
        keepdim: Literal[False] = False,
        *,
        correction: Any = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def var(
        input: Operand | Tensor | Array,
        dim: Any = None,
        unbiased: Any = True,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        correction: Any = None,
        axis: Any = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    where: Any
    @overload
    def where(
        condition: Open, input: Operand, other: Operand, *, out: Out | None = None
    ) -> Tensor: ...
    @overload
    def where(
        condition: Operand, input: Open, other: Operand, *, out: Out | None = None
    ) -> Tensor: ...
    @overload
    def where(
        condition: Operand, input: Operand, other: Open, *, out: Out | None = None
    ) -> Tensor: ...
    @overload
    def where(
        condition: Alike[*Dims], input: Alike[*Dims], other: Alike[*Dims]
    ) -> Tensor[*Dims]: ...
    @overload
    def where(
        condition: Operand, input: Operand, other: Operand, *, out: Out | None = None
    ) -> Tensor: ...
    @overload
    def where(condition: Tensor | Array, *, out: Out | None = None) -> tuple[Tensor, ...]: ...
    @overload
    def xlogy(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def xlogy(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def xlogy(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def xlogy(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
