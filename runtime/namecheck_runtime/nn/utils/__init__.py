"""`namecheck_runtime.nn.utils`: what is below it."""

from namecheck_runtime.surface import namespace

__getattr__, __dir__ = namespace(__name__)
