"""transformers: what its own base classes and functions do that computes with no tensor.

Files of models call them all over: they load, register, validate, log and look for packages. What
is known of them here is not evaluated, as of ops of a library.
"""

from __future__ import annotations

from typing import Final

from namecheck_runtime.light.regexes import regex

OUTPUT: Final = regex(r"^[A-Z]\w*Output(?:With\w*)?$")
"""The names of classes that hold the results of a model."""

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

CALLING: Final = {"apply_chunking_to_forward": 3, "_gradient_checkpointing_func": 1}
"""Functions that call the function that they are given first, with their arguments from this place
on.
"""

CHOICES_OF_ONE: Final = frozenset(
    {
        "transformers.modeling_utils.ALL_ATTENTION_FUNCTIONS.get_interface",
        "transformers.modeling_utils.AttentionInterface.get_interface",
    }
)
"""Functions that choose a function by its name, and their last argument if it is not that of a
registered one: all take the same and give tensors of the same dims.
"""

IN_PIECES: Final = {"transformers.pytorch_utils.apply_chunking_to_forward": 3}
"""Functions that call the first argument with those from here on, cut along a dim, and put together
what it gives.
"""

CALLERS: Final = {
    path.removeprefix("transformers."): path for path in (*CHOICES_OF_ONE, *IN_PIECES)
}
"""The same by their modules, in transformers' own files; see `analysis.python.higher_order`."""

NAMES: Final = frozenset(path.rpartition(".")[2] for path in (*KEPT, *UNTOLD, *CALLERS))
"""The last words of all of these."""
