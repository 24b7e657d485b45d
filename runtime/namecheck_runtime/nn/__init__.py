"""`namecheck_runtime.nn`: the functions of networks; it has no layers yet."""

from namecheck_runtime.surface import namespace

__getattr__, __dir__ = namespace(__name__)
