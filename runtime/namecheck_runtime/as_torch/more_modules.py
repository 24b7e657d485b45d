"""Modules of PyTorch that programs import for what this package cannot do, or need not."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import namecheck_runtime as nt
from namecheck_runtime.as_torch.more_names import refusal, refusing_class

_DOWNLOADS: Final = "download the file with another program, and load it with torch.load"


def _hub() -> dict[str, Any]:
    pattern = re.compile(r"-([a-f0-9]*)\.")
    folder = [str(Path(os.environ.get("TORCH_HOME", "~/.cache/torch")).expanduser() / "hub")]
    return {
        "HASH_REGEX": pattern,
        "get_dir": lambda: folder[0],
        "set_dir": lambda d: folder.__setitem__(0, os.path.expanduser(d)),
        **{
            name: refusal(f"hub.{name}", _DOWNLOADS)
            for name in ("load", "list", "help", "load_state_dict_from_url", "download_url_to_file")
        },
    }


def _model_zoo() -> dict[str, Any]:
    return {
        name: refusal(f"utils.model_zoo.{name}", _DOWNLOADS) for name in ("load_url", "load_urls")
    }


def _dlpack() -> dict[str, Any]:
    return {"from_dlpack": nt.from_dlpack, "to_dlpack": lambda x: x.__dlpack__()}


def _flex_attention() -> dict[str, Any]:
    path = "nn.attention.flex_attention"
    names = ("flex_attention", "create_block_mask", "create_mask", "and_masks", "or_masks")
    instead = "scaled_dot_product_attention takes any mask"
    return {
        **{name: refusal(f"{path}.{name}", instead) for name in names},
        "BlockMask": refusing_class(f"{path}.BlockMask"),
        "AuxRequest": refusing_class(f"{path}.AuxRequest"),
        "_DEFAULT_SPARSE_BLOCK_SIZE": 128,
    }


class _DistributedSampler:
    """Shares samples out among processes.  Raises RuntimeError: there is one process."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        raise RuntimeError("Requires distributed package to be available")


def _cpp_extension() -> dict[str, Any]:
    names = ("load", "load_inline", "CppExtension", "CUDAExtension")
    found: dict[str, Any] = {name: refusal(f"utils.cpp_extension.{name}") for name in names}
    return {**found, "CUDA_HOME": None, "BuildExtension": refusing_class("BuildExtension")}


def _same(*arguments: Any, **options: Any) -> Any:
    """A decorator that changes nothing."""
    return lambda function: function


def _library() -> dict[str, Any]:
    names = ("custom_op", "register_fake", "register_kernel", "register_autograd", "impl")
    return {**dict.fromkeys(names, _same), "Library": refusing_class("library.Library")}


MORE_MODULES: Final[dict[str, Callable[[], dict[str, Any]]]] = {
    "hub": _hub,
    "utils.model_zoo": _model_zoo,
    "utils.dlpack": _dlpack,
    "utils.data.distributed": lambda: {"DistributedSampler": _DistributedSampler},
    "utils.cpp_extension": _cpp_extension,
    "library": _library,
    "nn.attention.flex_attention": _flex_attention,
    "fx.experimental": dict,
    "fx.experimental.proxy_tensor": lambda: {"get_proxy_mode": lambda: None},
    "_subclasses": dict,
    "_subclasses.fake_tensor": lambda: {
        "is_fake": lambda x: False,
        "FakeTensor": refusing_class("_subclasses.FakeTensor"),
        "FakeTensorMode": refusing_class("_subclasses.FakeTensorMode"),
    },
    "_dynamo.config": dict,
    "_dynamo._trace_wrapped_higher_order_op": lambda: {"TransformGetItemToIndex": nullcontext},
    "_inductor": lambda: {"config": SimpleNamespace()},
    "_inductor.config": dict,
}
"""What each holds, by its path in `torch`."""
