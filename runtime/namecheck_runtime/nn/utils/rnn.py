"""`namecheck_runtime.nn.utils.rnn`: sequences of unequal lengths, from the registry."""

from namecheck_runtime.surface import namespace

__getattr__, __dir__ = namespace(__name__)
