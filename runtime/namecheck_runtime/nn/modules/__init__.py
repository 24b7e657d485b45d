"""`namecheck_runtime.nn.modules`: the layers, one module per family, named as PyTorch's."""

from namecheck_runtime.surface import namespace

__getattr__, __dir__ = namespace(__name__)
