"""`namecheck_runtime.linalg`: linear algebra, from the registry."""

from namecheck_runtime.surface import namespace

__getattr__, __dir__ = namespace(__name__)
