"""`namecheck_runtime.nn`: what networks are made of; layers come later, the functions are there."""

from namecheck_runtime.surface import namespace

__getattr__, __dir__ = namespace(__name__)
