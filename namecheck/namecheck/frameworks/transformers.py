"""transformers: what its own base classes and functions do that computes with no tensor.

Files of models call them all over: they load, register, validate, log and look for packages. What
is known of them here is not evaluated, as of ops of a library.
"""

from __future__ import annotations

from typing import Final

KEPT: Final = {
    "modeling_utils.PreTrainedModel.__init__": ("config",),
    "modeling_utils.PreTrainedModel.post_init": (),
}
"""Methods by their module, and those of their parameters that the instance keeps as attributes of
the same names.
"""

UNTOLD: Final = frozenset(
    {
        "auto_factory._BaseAutoModelClass.from_config",
        "logging.get_logger",
        "masking_utils.create_bidirectional_mask",
        "masking_utils.create_causal_mask",
        "masking_utils.create_chunked_causal_mask",
        "masking_utils.create_masks_for_generate",
        "masking_utils.create_sliding_window_causal_mask",
    }
)
"""Functions of whose results nothing can be said: masks are tensors, None or objects by the
attention that is configured, models are named by their configs.
"""

NAMES: Final = frozenset(path.rpartition(".")[2] for path in (*KEPT, *UNTOLD))
"""The last words of all of these."""
