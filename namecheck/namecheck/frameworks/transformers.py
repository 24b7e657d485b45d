"""transformers: what its base classes and helper functions do, so that they are not evaluated.

Every model file calls them: they load, register, validate, log and look for packages.
"""

from __future__ import annotations

from typing import Final

from namecheck_runtime.light.regexes import regex

OUTPUT: Final = regex(r"^[A-Z]\w*Output(?:With\w*)?$")
"""The names of classes that hold the results of a model."""

KEPT: Final = {
    "modeling_utils.PreTrainedModel.__init__": ("config",),
    "modeling_utils.PreTrainedModel.post_init": (),
    "generic.ModelOutput.__post_init__": (),
}
"""Methods by their module, and the parameters that each stores as attributes of the same names.
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
"""Functions whose results stay unknown.

A mask is a tensor, None or an object, depending on the configured attention. The config of a model
names its class.
"""

READERS: Final = frozenset({"configuration_utils.HeterogeneousConfigMixin.__getattribute__"})
"""Methods that read attributes as any object does, but for objects that are made otherwise."""

ROWS_OF_FIELDS: Final = frozenset({"generic.ModelOutput"})
"""Classes whose objects are rows of those of their fields that are not None."""

AS_ROWS: Final = frozenset({"generic.ModelOutput.to_tuple"})
"""Their methods that give such a row."""

CAPTURING: Final = "output_capturing.wrapper"
"""The function that calls a model's method and may add what its layers compute to the result."""

CAPTURED: Final = ("output_attentions", "output_hidden_states")
"""The arguments, and the fields of a config, that ask for that."""

RETURNS_ROW: Final = "return_dict"
"""The argument that asks for a row of the fields if it is false."""

HANDED_BACK: Final = frozenset(
    {
        "auto_docstring.auto_docstring",
        "hub_kernels.use_kernel_func_from_hub_with_fallback",
        "modeling_layers.GradientCheckpointingLayer.__init_subclass__",
    }
)
"""Decorators that give a function back as it is, with other documentation.

Or they give another implementation of the function, if one is installed. Layers that may compute
again what they need for gradients return the same when they do.
"""

CONVERTED: Final = regex(r"(?:^|[/\\])modular_\w+\.py$")
"""The names of files that the converter of transformers writes the file of a model from.

There a class has the body of its base, in which what its own constructor assigns stands in the
place of what the base assigns. As Python, which would run both, no program uses these classes.
"""

CONVERTED_WITH: Final = regex(r"(?:^|[/\\])mod(?:eling|ular)_\w+\.py$")
"""The names of files whose classes are the bases of those."""

CALLING: Final = {"apply_chunking_to_forward": 3, "_gradient_checkpointing_func": 1}
"""Functions that call their first argument, with their arguments from this place on."""

CHOICES_OF_ONE: Final = frozenset(
    {
        "transformers.modeling_utils.ALL_ATTENTION_FUNCTIONS.get_interface",
        "transformers.modeling_utils.AttentionInterface.get_interface",
    }
)
"""Functions that look up a function by name, with their last argument as the default.

All registered functions take the same arguments and give tensors of the same dims.
"""

IN_PIECES: Final = {"transformers.pytorch_utils.apply_chunking_to_forward": 3}
"""Functions that call their first argument with pieces of their arguments from this place on.

They cut the arguments along a dim, and concatenate the results.
"""

CALLERS: Final = {
    path.removeprefix("transformers."): path for path in (*CHOICES_OF_ONE, *IN_PIECES)
}
"""The same functions by their modules, as transformers' own files import them."""

NAMES: Final = frozenset(
    path.rpartition(".")[2] for path in (*KEPT, *UNTOLD, *CALLERS, *READERS, *AS_ROWS, CAPTURING)
)
"""The last parts of all these paths."""
