"""`namecheck_runtime.nn.functional`: the functions of networks, from the registry."""

from namecheck_runtime.surface import namespace

__getattr__, __dir__ = namespace(__name__)
