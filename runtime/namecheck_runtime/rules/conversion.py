"""Ops whose result has the same elements in another dtype, other memory or another library."""

from __future__ import annotations

from namecheck_runtime.algebra import each_dim
from namecheck_runtime.declare import Memory, Operand, Shape, op
from namecheck_runtime.lattice import UNKNOWN, Unknown
from namecheck_runtime.rules.accumulate import at_least_1d
from namecheck_runtime.rules.pointwise import keeps

keeps(
    "bfloat16 (memory_format=)",
    "bool (memory_format=)",
    "byte (memory_format=)",
    "cdouble (memory_format=)",
    "cfloat (memory_format=)",
    "chalf (memory_format=)",
    "char (memory_format=)",
    "double (memory_format=)",
    "float (memory_format=)",
    "half (memory_format=)",
    "int (memory_format=)",
    "long (memory_format=)",
    "short (memory_format=)",
    "cpu (memory_format=)",
    "cuda (device=, non_blocking=, memory_format=)",
    "ipu (device=, non_blocking=, memory_format=)",
    "xpu (device=, non_blocking=, memory_format=)",
    "type_as (other)",
    "pin_memory (device=)",
    modules=("Tensor",),
    inplace=False,
    out=False,
    memory=Memory.SAME,
)
keeps("share_memory_", modules=("Tensor",), out=False, memory=Memory.SAME)
keeps(
    "contiguous (memory_format=)",
    modules=("Tensor",),
    inplace=False,
    out=False,
    memory=Memory.NEW,
)
keeps(
    "as_subclass (cls)",
    "coalesce",
    "to_dense (dtype=, *, masked_grad=)",
    "to_mkldnn (dtype=)",
    "to_sparse (sparse_dim=, *, layout=, blocksize=, dense_dim=)",
    "ndarray.astype (dtype=, order=, casting=, subok=, copy=)",
    "ndarray.byteswap",
    "ndarray.newbyteorder (new_order=)",
    modules=("Tensor",),
    inplace=False,
    out=False,
    memory=None,
)
keeps("clone (*, memory_format=)", "detach", inplace=False, out=False, memory=Memory.SAME)
keeps("detach_copy", "alias_copy", modules=("torch",), inplace=False, memory=None)
keeps(
    "numpy.copy jax.numpy.copy (order=, subok=)",
    "ndarray.copy (order=)",
    "numpy.asanyarray (dtype=, order=)",
    "numpy.astype jax.numpy.astype (dtype, copy=, *, device=)",
    "numpy.require (dtype=, requirements=)",
    "jax.lax.stop_gradient",
    "jax.lax.convert_element_type (new_dtype)",
    "jax.lax.optimization_barrier",
    "jax.device_put (device=)",
    "jax.device_get",
    "jax.block_until_ready",
    "jax.checkpoint_name (name=)",
    "ndarray.block_until_ready",
    "torch.ops.aten.lift_fresh",
    inplace=False,
    out=False,
    memory=None,
)


@op("numpy.ascontiguousarray", "jax.numpy.ascontiguousarray")
@op("numpy.asfortranarray")
def in_order(input: Operand, dtype: object = None, *, like: object = None) -> Shape:
    """The same elements in memory of that order; at least one dim.  Source: NumPy."""
    return at_least_1d(input)


@op("Tensor.to", memory=Memory.SAME)
def to(self: Shape, *arguments: object, copy: object = False) -> Shape:
    """Another dtype or device.  Source: name inference, "keeps input names"."""
    return self


@op("Tensor.data", attribute=True)
def data(self: Shape) -> Shape:
    """The same memory, outside autograd; names stay."""
    return self


@op("Tensor.grad", attribute=True)
def grad(self: Shape) -> Shape | None:
    """The gradient, if there is one: with the sizes of the tensor and without its names."""
    return UNKNOWN


@op("Tensor.type", memory=Memory.SAME)
def type_to(self: Shape, dtype: object, non_blocking: object = False) -> Shape:
    """Another dtype; names stay.  Source: name inference, "keeps input names"."""
    return self


@op("Tensor.type")
def type_of(self: Shape) -> str | Unknown:
    """The name of the dtype: UNKNOWN."""
    return UNKNOWN


@op("Tensor.numpy", "Tensor.__array__")
def numpy(self: Shape, *, force: object = False) -> Shape:
    """The elements as a NumPy array, which has no names."""
    return each_dim(self, lambda dim: dim.rename(None))


@op("torch.from_numpy", "torch.from_dlpack", "torch.utils.dlpack.from_dlpack")
def from_numpy(ndarray: Operand) -> Shape:
    """A tensor over the memory of an array, without names."""
    return each_dim(ndarray, lambda dim: dim.rename(None))
