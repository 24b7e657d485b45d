"""`namecheck_runtime.special`: special functions, from the registry."""

from namecheck_runtime.surface import namespace

__getattr__, __dir__ = namespace(__name__)
