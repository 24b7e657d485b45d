"""The public paths of decorators that do not change what a function computes.

Any other decorator may turn it into a different function: `jax.vmap` adds a dim.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

TRANSPARENT: Final = frozenset(
    {
        "abc.abstractmethod",
        "beartype.beartype",
        "equinox.filter_checkpoint",
        "equinox.filter_jit",
        "equinox.nn.Lambda",
        "flax.linen.checkpoint",
        "flax.linen.compact",
        "flax.linen.jit",
        "flax.linen.nowrap",
        "flax.linen.remat",
        "flax.nnx.jit",
        "flax.nnx.remat",
        "functools.cache",
        "functools.lru_cache",
        "jax.checkpoint",
        "jax.custom_jvp",
        "jax.custom_vjp",
        "jax.jit",
        "jax.named_call",
        "jax.named_scope",
        "jax.remat",
        "jaxtyping.jaxtyped",
        "numpy.errstate",
        "torch.amp.autocast",
        "torch.autocast",
        "torch.compile",
        "torch.compiler.disable",
        "torch.cuda.amp.autocast",
        "torch.enable_grad",
        "torch.inference_mode",
        "torch.jit.export",
        "torch.jit.ignore",
        "torch.jit.script",
        "torch.jit.unused",
        "torch.library.custom_op",
        "torch.library.triton_op",
        "torch.no_grad",
        "typeguard.typechecked",
        "typing.final",
        "typing.overload",
        "typing.override",
        "typing_extensions.override",
    }
)
